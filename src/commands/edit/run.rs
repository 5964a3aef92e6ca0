//! Has a program edit copies of files, and writes the edits to the files.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use utfconv_core::{Encoding, OnIllFormed, OnUnmappable, StreamError, UTF_8};
use utfconv_detect::{HEAD, Hints};
use utfconv_restore::{NotRestored, Restored, restore_with};

use super::args::call;
use super::copies::{Copies, Copy};
use super::plan::EditPlan;
use crate::batch::{Destination, Edit, Job, Jobs, Mode, NotEdited, OpenJob, Product};
use crate::commands::old_versions::{
    OldVersion, OldVersions, Source, damage_in, places, problems, project_configuration, read_whole,
};
use crate::config::required;
use crate::files::open_directory::Route;
use crate::files::replace::InPlace;
use crate::files::signals::{hold_signals_of_run, refuse_pipe_signal};
use crate::files::walk::{FileEntry, Key};
use crate::text::detected::detect_text;
use crate::text::misfit::Named;
use crate::ui::dialect::Dialect;
use crate::ui::exit::Exit;
use crate::ui::progress::Progress;
use crate::ui::quote::{as_argument, counted, quoted, reason};

/// The shell, which expands the variables that name the editor.
const SHELL: &str = "sh";

const WHO: Dialect = Dialect::Utfconv;

/// Carries out `plan`.
pub fn run(plan: &EditPlan) -> Exit {
    Exit::of(WHO, edit(plan))
}

/// Edits the files. An error means that nothing was written.
fn edit(plan: &EditPlan) -> Result<Exit, String> {
    let destination = Destination::InPlace(InPlace { force: plan.force, ..InPlace::default() });
    let entry = |(number, name): (usize, &OsString)| {
        let key = Key { argument: number as u64, name: name.clone() };
        FileEntry::at(&key, Route::Named(name.into()))
    };
    let entries = plan.files.iter().enumerate().map(entry).collect();
    let batch = plan.options.batch(&destination, Mode::Write, "utfconv edit")?;
    let jobs = Jobs::of(entries, &destination, &plan.options.reserved(), "each file is edited once");
    let directory = Copies::new()?;
    let copies = match copies(plan, &jobs, &directory) {
        Ok(copies) => copies,
        Err(text) => {
            directory.remove(&[]);
            return Err(text);
        }
    };
    let paths: Vec<_> = copies.iter().map(|copy| copy.path.clone()).collect();
    let child = command(&plan.command, &paths).spawn().map_err(|error| cannot_run(plan, &reason(&error)));
    // The user may interrupt the program, but its edits are still written or kept. Signals are held only after the
    // program has started, because it inherits the signal mask. A signal that arrives just before they are held ends
    // this process, with the files unchanged.
    let _held = hold_signals_of_run();
    let ended = child.and_then(|mut child| child.wait().map_err(|error| reason(&error)));
    if let Err(text) = ended.and_then(|status| ensure_success(plan, status)) {
        let edited = || copies.iter().zip(&jobs.list).filter(|(copy, _)| copy.is_edited());
        for (copy, job) in edited() {
            WHO.report(&kept(&copy.path, &format!("; use '{}' to write it", again(plan, job, copy, None))));
        }
        directory.remove(&edited().map(|(copy, _)| &*copy.path).collect::<Vec<_>>());
        return Err(text);
    }
    refuse_pipe_signal();
    if copies.iter().all(|copy| copy.is_there() && !copy.is_edited()) {
        WHO.report(&unchanged(plan));
    }
    let (mut exit, mut left) = (Exit::Success, Vec::new());
    let unsynced =
        batch.run(&jobs, &CopyBack { copies: &copies, plan }, &Progress::default(), |job, outcome, _| {
            outcome.lines.iter().for_each(|line| WHO.report(line));
            if !outcome.is_back {
                left.push((&copies[job.key.argument as usize], outcome.advice));
            }
            exit = exit.max(outcome.exit);
        });
    unsynced.iter().for_each(|text| WHO.report(text));
    left.retain(|(copy, _)| copy.is_there());
    left.iter().for_each(|(copy, advice)| WHO.report(&kept(&copy.path, advice)));
    directory.remove(&left.iter().map(|(copy, _)| &*copy.path).collect::<Vec<_>>());
    Ok(if unsynced.is_empty() { exit } else { Exit::Failure })
}

/// Creates the copies, in the order of the files.
fn copies(plan: &EditPlan, jobs: &Jobs, directory: &Copies) -> Result<Vec<Copy>, String> {
    let (configuration, mut copies) = (project_configuration(), Vec::new());
    for job in &jobs.list {
        let path = job.path();
        let source = Source::File(path.to_path_buf());
        let originals = OldVersions::new(source, plan.encoding, configuration.clone(), true);
        let configured = required(configuration.as_deref(), path).encoding;
        let copy = directory.add(copies.len(), path, &originals, configured);
        let copy = copy.map_err(|error| cannot_edit(plan, job, &error))?;
        if let Some(why) =
            plan.encoding.filter(|_| !plan.force).and_then(|from| other_encoding(&copy, from, path))
        {
            return Err(format!("{}: {why}; --force edits it as it is", job.shown()));
        }
        copies.push(copy);
    }
    if copies.len() == plan.files.len() {
        Ok(copies)
    } else {
        Err(format!("{}: named two times; name it once", twice(&plan.files)))
    }
}

/// Returns the name of a file that is named twice.
fn twice(files: &[OsString]) -> String {
    let plain = |file: &OsString| Path::new(file).strip_prefix(".").unwrap_or(Path::new(file)).to_path_buf();
    let is_known = |number: usize| files[..number].iter().any(|other| plain(other) == plain(&files[number]));
    (0..files.len())
        .find(|number| is_known(*number))
        .map_or_else(String::new, |number| quoted(&files[number]))
}

/// Returns why all or a part of a file is plainly in another encoding than the named encoding; `None` if nothing
/// contradicts the named encoding.
fn other_encoding(copy: &Copy, from: &'static Encoding, path: &Path) -> Option<String> {
    let OldVersion { file, content, .. } = &copy.original;
    if from == &UTF_8 && str::from_utf8(content).is_err() {
        let found = detect_text(content, path.as_os_str(), &Hints::default()).ok()?;
        let like = found.other_than_utf8()?.name();
        return Some(format!("it looks like {like}, not UTF-8; use -f {like}"));
    }
    let head = &content[..content.len().min(HEAD)];
    let named = Named { file, len: content.len() as u64, head, from };
    named.warning(&UTF_8, &OnIllFormed::Stop, path.as_os_str())
}

/// Returns the command that runs the program with the copies as arguments.
fn command(words: &[OsString], copies: &[PathBuf]) -> Command {
    let Some((program, arguments)) = words.split_first() else {
        let mut command = Command::new(SHELL);
        command.args(["-c", "exec ${VISUAL:-${EDITOR:-vi}} \"$@\"", "sh"]).args(copies);
        return command;
    };
    let mut command = Command::new(program);
    for argument in arguments {
        if argument == "{}" {
            command.args(copies)
        } else {
            command.arg(argument)
        };
    }
    if !arguments.iter().any(|argument| argument == "{}") {
        command.args(copies);
    }
    command
}

/// Returns why the program did not start. Its arguments may have been written as one word.
fn cannot_run(plan: &EditPlan, why: &str) -> String {
    let Some(program) = plan.command.first() else { return format!("{SHELL}: {why}") };
    let words: Vec<OsString> =
        program.to_string_lossy().split_whitespace().map(|word| word.to_string().into()).collect();
    let advice = if plan.command.len() == 1 && words.len() > 1 {
        format!("; use 'utfconv edit {}'", call(&plan.files, &words))
    } else {
        String::new()
    };
    format!("{}: {why}{advice}", quoted(program))
}

/// Returns why a file cannot be edited. If the file does not exist, the user may have meant its name as the program.
fn cannot_edit(plan: &EditPlan, job: &Job, error: &io::Error) -> String {
    let text = format!("{}: {}", job.shown(), reason(error));
    let at = plan.files.iter().position(|file| *file == job.key.name).unwrap_or_default();
    let is_missing = error.kind() == io::ErrorKind::NotFound && plan.command.is_empty();
    match plan.files.split_at(at) {
        (files @ [_, ..], program) if is_missing => {
            format!("{text}; if it is the program, use 'utfconv edit {}'", call(files, program))
        }
        _ => text,
    }
}

/// Fails if the program failed, unless `--ignore-status` was given.
fn ensure_success(plan: &EditPlan, status: ExitStatus) -> Result<(), String> {
    if status.success() || plan.ignores_status {
        return Ok(());
    }
    let program = shown(plan);
    Err(format!("{program} failed ({status}): nothing is written; use --ignore-status to write it"))
}

/// Returns the message that the program changed nothing, because it may be a filter, or an editor that ends before its
/// window is closed.
fn unchanged(plan: &EditPlan) -> String {
    let program = shown(plan);
    format!(
        "{program} changed nothing; it must write to the file before it ends, as 'sed -i' and 'code --wait' do"
    )
}

/// Returns the name of the program for messages.
fn shown(plan: &EditPlan) -> String {
    plan.command.first().map_or("the editor".to_string(), quoted)
}

/// Returns the message that an edited copy is kept, followed by `advice`.
fn kept(path: &Path, advice: &str) -> String {
    format!("the edited copy is kept: {}{advice}", quoted(path))
}

/// Returns the command that writes an edited copy to its file, with an optional further option.
fn again(plan: &EditPlan, job: &Job, copy: &Copy, option: Option<&str>) -> String {
    let words = ["utfconv edit"].into_iter().chain(plan.repeated.iter().map(String::as_str)).chain(option);
    let command = words.collect::<Vec<_>>().join(" ");
    let [file, copy] = [&*job.key.name, copy.path.as_os_str()].map(as_argument);
    format!("{command} {file} -- cp {copy} {{}}")
}

/// Returns the advice about an edited copy that cannot be written to its file.
fn advice(plan: &EditPlan, job: &Job, copy: &Copy, why: &NotRestored) -> String {
    let stops = matches!(plan.restore.unmappable, OnUnmappable::Stop);
    if stops && matches!(why, NotRestored::Places { .. }) {
        let command = again(plan, job, copy, Some("--unmappable=replace"));
        format!("; use '{command}' to write it with replacements, or correct it first and omit --unmappable")
    } else {
        format!("; correct it, then use '{}' to write it", again(plan, job, copy, None))
    }
}

/// Returns the advice about an edited copy whose file another program changed.
fn meanwhile(plan: &EditPlan, job: &Job, copy: &Copy) -> String {
    let from = copy.original.encoding.map_or("auto", Encoding::name);
    let [file, edited] = [&*job.key.name, copy.path.as_os_str()].map(as_argument);
    let again = again(plan, job, copy, None);
    format!(
        "; use 'utfconv -f {from} -t UTF-8 --ill-formed=replace {file} | diff - {edited}' to compare them, then '{again}' to replace the file"
    )
}

/// Returns why an edited copy was probably damaged, and advice. The text could be encoded.
fn refusal(plan: &EditPlan, job: &Job, copy: &Copy, edited: &[u8]) -> Option<(String, String)> {
    if edited.is_empty() {
        let file = as_argument(&job.key.name);
        let why = "the program left nothing of its text".to_string();
        return Some((why, format!("; correct it, or use ': > {file}' to empty the file")));
    }
    if !matches!(plan.restore.unmappable, OnUnmappable::Stop) {
        return None;
    }
    let view = copy.loss(edited)?;
    let command = again(plan, job, copy, Some("--unmappable=replace"));
    let advice = format!("; use '{command}' to write it as it is, or correct it first");
    Some((damage_in(view, true), advice))
}

/// Maximum number of positions of a file that are reported.
const SHOWN: usize = 1_000;

/// Writes edited copies back to their files.
struct CopyBack<'a> {
    copies: &'a [Copy],
    plan: &'a EditPlan,
}

/// The outcome of writing an edited copy back to its file.
struct CopyOutcome {
    exit: Exit,
    lines: Vec<String>,
    /// Whether the file has the edits of its copy.
    is_back: bool,
    /// The advice that follows the name of the copy, if the file does not have the edits.
    advice: String,
}

impl Edit for CopyBack<'_> {
    type Outcome = CopyOutcome;

    fn begin(&self, _: &Job) -> CopyOutcome {
        CopyOutcome { exit: Exit::Success, lines: Vec::new(), is_back: true, advice: String::new() }
    }

    fn edit(&self, file: OpenJob, outcome: &mut CopyOutcome) -> Result<Option<Product>, NotEdited> {
        let OpenJob { job, opened, output } = file;
        let copy = &self.copies[job.key.argument as usize];
        let Copy { original, text, .. } = copy;
        let edited = copy.edited().map_err(|error| {
            StreamError::Read(io::Error::new(error.kind(), format!("its edited copy: {}", reason(&error))))
        })?;
        if edited == *text {
            return Ok(None);
        }
        if read_whole(opened.file()).map_err(StreamError::Read)? != original.content {
            outcome.advice = meanwhile(self.plan, job, copy);
            return Err(
                StreamError::Write(io::Error::other("it was changed meanwhile, and is not written")).into()
            );
        }
        if let Some((why, advice)) = refusal(self.plan, job, copy, &edited) {
            (outcome.exit, outcome.is_back, outcome.advice) = (Exit::Fault, false, advice);
            outcome.lines = vec![format!("{}: error: {why}; not written", job.shown())];
            return Ok(None);
        }
        match restore_with(&original.content, original.encoding, &edited, &self.plan.restore) {
            Ok(Restored { output: content, places: left, unproven, .. }) => {
                if unproven > 0 {
                    let shown = &left[..left.len().min(SHOWN)];
                    outcome.exit = Exit::Fault;
                    outcome.lines = places(&job.shown(), original, shown);
                    let more = unproven - shown.len() as u64;
                    outcome
                        .lines
                        .extend((more > 0).then(|| format!("{}: {more} more not shown", job.shown())));
                    let written = counted(unproven, "character");
                    outcome
                        .lines
                        .push(format!("{}: written, with {written} as --unmappable says", job.shown()));
                }
                let mut product = output.begin().map_err(StreamError::Write)?;
                product.write_all(&content).map_err(StreamError::Write)?;
                Ok(Some(product))
            }
            Err(why) => {
                (outcome.exit, outcome.is_back) = (Exit::Fault, false);
                outcome.lines = problems(&job.shown(), original, &why);
                outcome.lines.push(format!("{}: not written", job.shown()));
                outcome.advice = advice(self.plan, job, copy, &why);
                Ok(None)
            }
        }
    }

    fn has_failed(&self, outcome: &CopyOutcome) -> bool {
        outcome.exit != Exit::Success
    }

    fn fail(&self, job: &Job, outcome: &mut CopyOutcome, why: NotEdited) {
        (outcome.exit, outcome.is_back) = (Exit::Failure, false);
        outcome.lines.push(format!("{}: {}", job.shown(), why.reason()));
    }
}
