//! Repairs all files, on all threads, and prints the report.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::sync::Mutex;

use utfconv_core::StreamError;

use super::manifest::Manifest;
use super::one::{NotRepaired, repair};
use super::plan::{RepairPlan, Task};
use super::report::FileReport;
use super::undo;
use crate::convert::batch::product::{Contents, Product, Purpose};
use crate::diff::{self, Change, Renderer, Style};
use crate::files::identity::Identity;
use crate::files::in_place::{Candidate, is_from_a_run, loose_suffix, refusals};
use crate::files::print::Printer;
use crate::files::replace::{Durability, FileTarget, InPlace};
use crate::files::signals;
use crate::files::sink::{STDOUT_NAME, Sink};
use crate::files::source::{Input, Mapping};
use crate::files::stdio::Patient;
use crate::files::walk::{FileEntry, Key, Notes, Supply, Targets};
use crate::ui::exit::Exit;
use crate::ui::personality::Personality;
use crate::ui::quote::{quoted, reason};
use crate::ui::stderr::complain;
use crate::ui::threads::{lock, map_on, processors};

const WHO: Personality = Personality::Utfconv;

/// Bytes read at a time.
const BUFFER: usize = 256 << 10;

/// Carries out `plan`; prints the report and all messages.
pub fn run(plan: &RepairPlan) -> Exit {
    let manifest = match plan.manifest.as_deref().map(Manifest::create).transpose() {
        Ok(manifest) => manifest,
        Err(error) => {
            let name = quoted(plan.manifest.as_deref().unwrap_or_default());
            let why = match error.kind() {
                io::ErrorKind::AlreadyExists => {
                    "exists already; --manifest requires the name of a new file".into()
                }
                _ => reason(&error),
            };
            WHO.report(&format!("{name}: {why}"));
            return Exit::Failure;
        }
    };
    match &plan.task {
        Task::Filter => filter(plan, manifest),
        Task::Show(targets) => batch(plan, targets, &How::Show, None),
        Task::Diff(targets, color) => {
            batch(plan, targets, &How::Diff(Renderer::new(Style::of_output(*color))), None)
        }
        Task::Write(targets, how) => {
            if let Some(why) = loose_suffix(targets, how) {
                WHO.report(&why);
                return Exit::Failure;
            }
            // While there is one thread.
            signals::watch();
            signals::refuse_pipe_signal();
            batch(plan, targets, &How::Write(how), manifest)
        }
        Task::Undo { manifest, path, how } => undo::run(manifest, path.as_deref(), how),
    }
}

/// Repairs standard input to standard output.
fn filter(plan: &RepairPlan, mut manifest: Option<Manifest>) -> Exit {
    let mut report = FileReport::default();
    let mut repair_stdin = || -> Result<(), NotRepaired> {
        let input = Input::stdin();
        let mut sink = Sink::stdout().map_err(StreamError::Write)?;
        if sink.is_same_file(&input) {
            return Err(NotRepaired::Failed(StreamError::Write(io::Error::other(
                "standard input is also the output",
            ))));
        }
        let source = input.open().map_err(StreamError::Read)?.reader(Mapping::Never, BUFFER, "-");
        repair(plan, OsStr::new("-"), source, &mut sink, &mut report, manifest.as_mut())?;
        sink.commit().map_err(|error| NotRepaired::Failed(StreamError::Write(error)))
    };
    let repaired = repair_stdin();
    if let (Err(_), Some(manifest)) = (&repaired, &mut manifest) {
        manifest.abandon();
    }
    complain(&report.lines);
    complain(&report.summary("-", "made"));
    match repaired {
        Ok(()) if report.left > 0 => Exit::Fault,
        Ok(()) => Exit::Success,
        Err(NotRepaired::Failed(StreamError::Write(error))) => {
            WHO.report(&WHO.write_error(STDOUT_NAME, &error));
            Exit::Failure
        }
        Err(other) => {
            WHO.report(&format!("-: {}", reason(&other.into_error())));
            Exit::Failure
        }
    }
}

/// What is done with files.
enum How<'a> {
    Show,
    Diff(Renderer),
    Write(&'a InPlace),
}

impl How<'_> {
    /// The suffix of backups, if there are any.
    fn suffix(&self) -> Option<&OsStr> {
        match self {
            How::Write(how) => how.backup.as_deref(),
            How::Show | How::Diff(_) => None,
        }
    }
}

/// What became of a file.
#[derive(Default)]
struct Outcome {
    report: FileReport,
    diff: Vec<u8>,
    error: Option<String>,
}

/// Returns the files to repair. All are known before the first is repaired, so that no backup is repaired, too.
fn entries(plan: &RepairPlan, targets: &Targets, how: &How, notes: &mut Notes) -> Vec<FileEntry> {
    let manifest = plan.manifest.as_deref().and_then(|manifest| Identity::of(manifest.as_ref()));
    let is_manifest = |file: &FileEntry| manifest.is_some() && manifest == Identity::of(&file.name());
    let files = Supply::new(targets.clone()).all(notes);
    let files = files.filter(|file| !is_from_a_run(file, how.suffix()) && !is_manifest(file));
    let mut entries: Vec<_> = files.map(FileEntry::remembered).collect();
    if notes.has_output && matches!(how, How::Write(_)) {
        entries.clear();
    }
    entries.sort_by_key(FileEntry::key);
    entries
}

/// Returns the files that are not to be repaired because of others, by their number in `entries`, and why.
fn refused(plan: &RepairPlan, entries: &[FileEntry], how: &How) -> HashMap<usize, String> {
    if let How::Show = how {
        return HashMap::new();
    }
    let manifest = plan.manifest.iter().map(|manifest| Candidate::of(Path::new(manifest)));
    let files: Vec<_> = entries.iter().map(Candidate::of_entry).chain(manifest).collect();
    refusals(&files, how.suffix(), "each file is repaired once").into_iter().collect()
}

/// Repairs files.
fn batch(plan: &RepairPlan, targets: &Targets, how: &How, manifest: Option<Manifest>) -> Exit {
    let mut notes = Notes::default();
    let entries = entries(plan, targets, how, &mut notes);
    let refused = refused(plan, &entries, how);
    // The changes of a file are together in the manifest.
    let threads = if manifest.is_some() { 1 } else { plan.threads.unwrap_or_else(processors) };
    let manifest = manifest.map(Mutex::new);
    let repair_one = |(): &mut (), number, entry: &FileEntry| {
        let mut outcome = Outcome::default();
        let name = quoted(&entry.key().name);
        let mut manifest = manifest.as_ref().map(lock);
        let repaired = match refused.get(&number) {
            Some(why) => Err(NotRepaired::Failed(StreamError::Read(io::Error::other(why.clone())))),
            None => one(plan, entry, how, &name, &mut outcome, manifest.as_deref_mut()),
        };
        match repaired {
            Ok(()) => outcome,
            // As for check, those found in directories are skipped.
            Err(NotRepaired::Binary | NotRepaired::Other(_) | NotRepaired::Record(_))
                if !entry.is_named() =>
            {
                Outcome::default()
            }
            Err(error) => {
                let error = Some(format!("{name}: {}", reason(&error.into_error())));
                Outcome { error, ..outcome }
            }
        }
    };
    let outcomes = map_on(threads, &entries, || (), repair_one);
    let keys = entries.iter().map(FileEntry::key);
    report(&keys.zip(outcomes).collect::<Vec<_>>(), &notes, how)
}

/// Repairs a file, or finds what there is to repair.
fn one(
    plan: &RepairPlan,
    entry: &FileEntry,
    how: &How,
    name: &str,
    outcome: &mut Outcome,
    mut manifest: Option<&mut Manifest>,
) -> Result<(), NotRepaired> {
    let path = entry.key().name;
    if let How::Show = how {
        let source = Patient(entry.open().map_err(StreamError::Read)?);
        return repair(plan, &path, source, &mut io::sink(), &mut outcome.report, None);
    }
    let (in_place, purpose) = match how {
        How::Write(in_place) => ((*in_place).clone(), Purpose::Write),
        // It is refused where a repair would be refused.
        _ => (InPlace::default(), Purpose::Compare),
    };
    let target = FileTarget::to_convert(&entry.route(), &in_place).map_err(StreamError::Write)?;
    if purpose == Purpose::Compare && target.len().is_some_and(|len| len > diff::LARGEST) {
        return Err(NotRepaired::Failed(StreamError::Read(io::Error::other(diff::TOO_LARGE))));
    }
    let source = target.source().map_err(StreamError::Read)?.reader(Mapping::Never, BUFFER, name);
    let mut product = Product::in_place(target, purpose);
    let repaired = repair(plan, &path, source, &mut product, &mut outcome.report, manifest.as_deref_mut());
    let written = || -> io::Result<()> {
        match how {
            How::Diff(renderer) => {
                if let Some(Contents { old, new, is_executable }) = product.into_contents()? {
                    let path = path.as_ref();
                    outcome.diff = renderer.content(&Change { path, old: &old, new: &new, is_executable });
                }
                Ok(())
            }
            _ if product.is_unchanged() => Ok(()),
            _ => match product.prepare(Durability::File)? {
                Some(prepared) => prepared.publish()?.sync(),
                None => Ok(()),
            },
        }
    };
    let ended =
        repaired.and_then(|()| written().map_err(|error| NotRepaired::Failed(StreamError::Write(error))));
    if let (Err(_), Some(manifest)) = (&ended, manifest) {
        manifest.abandon();
    }
    ended
}

/// Prints what became of all files.
fn report(outcomes: &[(Key, Outcome)], notes: &Notes, how: &How) -> Exit {
    let mut exit = Exit::Success;
    let mut printer = Printer::default();
    for (key, Outcome { report, diff, error }) in outcomes {
        let name = quoted(&key.name);
        let (done, is_open) = match (how, error) {
            (How::Write(_), None) => ("made", false),
            (How::Write(_), Some(_)) => ("not made", false),
            (How::Show | How::Diff(_), _) => ("to make", report.changes > 0),
        };
        match how {
            How::Diff(_) => printer.print(diff),
            How::Show | How::Write(_) => {
                printer.print(report.lines.as_bytes());
                printer.print(report.summary(&name, done).as_bytes());
            }
        }
        if is_open || report.left > 0 {
            exit = exit.max(Exit::Fault);
        }
        if error.is_some() {
            exit = Exit::Failure;
        }
    }
    exit = exit.max(printer.end(WHO));
    outcomes.iter().filter_map(|(_, outcome)| outcome.error.as_ref()).for_each(|error| WHO.report(error));
    if outcomes.is_empty() && notes.errors.is_empty() && notes.unreadable.is_empty() {
        WHO.report("warning: no files found: nothing to repair");
    }
    for (key, why) in &notes.unreadable {
        WHO.report(&format!("{}: {why}", quoted(&key.name)));
    }
    notes.errors.iter().for_each(|text| WHO.report(text));
    notes.warnings.iter().for_each(|text| WHO.report(&format!("warning: {text}")));
    if !notes.errors.is_empty() || !notes.unreadable.is_empty() {
        exit = Exit::Failure;
    }
    exit
}
