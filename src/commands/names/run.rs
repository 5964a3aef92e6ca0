//! Runs `names`: continues or undoes an interrupted run, or surveys all names, writes the manifests and renames.

use std::path::{Path, PathBuf};

use super::collide::Refusal;
use super::descent::Descent;
use super::job::{Job, as_directory};
use super::manifest::{FoundManifest, Manifest, Recorded, RecordedRun, RootRecord};
use super::name::{DoubleEncoding, MANIFEST_NAME, NameSource};
use super::patch::Patch;
use super::plan::{Action, NamesPlan};
use super::rename::{Direction, StepOutcome, carry_out, sync};
use super::report;
use super::survey::{Base, Doubtful, Survey, Surveyor, bases};
use crate::batch::diff::{Renderer, Style};
use crate::files::open_directory::{DirectoryEntry, OpenDirectory};
use crate::files::print::Printer;
use crate::ui::color::When;
use crate::ui::dialect::Dialect;
use crate::ui::exit::Exit;
use crate::ui::json::to_json;
use crate::ui::options::ReportFormat;
use crate::ui::quote::{as_argument, counted, one_line, quoted, reason};
use utfconv_core::UTF_8;

/// Carries out `plan`: prints the report and all messages.
pub fn run(plan: &NamesPlan) -> Exit {
    let (out, printer) = (String::new(), Printer::default());
    Run { plan, out, printer, exit: Exit::Success, changed: 0, refused: 0 }.run()
}

struct Run<'a> {
    plan: &'a NamesPlan,
    /// Text for standard output, buffered until the next message.
    out: String,
    printer: Printer,
    exit: Exit,
    /// Number of names that were changed.
    changed: u64,
    /// Number of names that cannot be converted.
    refused: usize,
}

/// A job with its open directory and its manifest, ready to be carried out.
struct Ready {
    job: Job,
    descent: Descent,
    manifest: Manifest,
}

impl Run<'_> {
    fn run(mut self) -> Exit {
        let mut errors = Vec::new();
        let bases = bases(&self.plan.paths, &mut errors);
        errors.iter().for_each(|text| self.fail(text));
        if self.exit == Exit::Success && !self.settle_earlier_runs(&bases) {
            self.convert(&bases);
        }
        if self.changed > 0 {
            let what = if self.plan.action == Action::Undo { "restored" } else { "converted" };
            self.note(&format!("{} {what}", counted(self.changed, "name")));
        }
        if self.plan.format == ReportFormat::Json && !matches!(self.plan.action, Action::Diff(_)) {
            let Run { changed: renamed, refused, exit, .. } = self;
            let status = exit.status(Dialect::Utfconv);
            self.out += &(to_json(&report::Line::Summary { renamed, refused, status }) + "\n");
        }
        self.flush();
        self.exit.max(self.printer.end(Dialect::Utfconv))
    }

    /// Prints a message that does not change the exit status, after all buffered lines.
    fn note(&mut self, text: &str) {
        self.flush();
        Dialect::Utfconv.report(text);
    }

    /// Writes the buffered lines to standard output.
    fn flush(&mut self) {
        self.printer.print(std::mem::take(&mut self.out).as_bytes());
    }

    fn fail(&mut self, text: &str) {
        self.end(text, Exit::Failure);
    }

    fn end(&mut self, text: &str, exit: Exit) {
        self.note(text);
        self.exit = self.exit.max(exit);
    }

    /// Finishes, undoes or reports interrupted runs. Returns true if nothing is left to do.
    fn settle_earlier_runs(&mut self, bases: &[Base]) -> bool {
        let directories = directories(bases);
        let mut found = Vec::new();
        let plan = self.plan;
        let named = plan.manifest.iter().map(|path| {
            let path = Path::new(path);
            (None, path.to_path_buf(), DirectoryEntry::named(path))
        });
        let unnamed = directories.iter().filter(|_| plan.manifest.is_none()).filter_map(|path| {
            let directory = OpenDirectory::open(path).ok()?;
            let entry = DirectoryEntry::new(directory.into(), MANIFEST_NAME.into());
            Some((Some(path.as_path()), path.join(MANIFEST_NAME), Ok(entry)))
        });
        for (directory, shown, entry) in named.chain(unnamed) {
            match entry.and_then(|entry| Manifest::open(entry, directory.is_none())) {
                Ok(manifest) => found.extend(manifest.map(|manifest| (manifest, directory))),
                Err(error) => self.fail(&format!("{}: {}", quoted(shown), reason(&error))),
            }
        }
        if self.exit != Exit::Success {
            return true;
        }
        let mut is_all = self.plan.action == Action::Undo;
        if is_all && found.is_empty() {
            self.fail(&match &plan.manifest {
                Some(file) => format!("{}: No such file", quoted(file)),
                None => {
                    let paths: Vec<_> = self.plan.paths.iter().map(quoted).collect();
                    let advice = "to undo a run with --manifest=FILE, use 'utfconv names --undo=FILE'";
                    format!("{}: no run was interrupted; {advice}", paths.join(" "))
                }
            });
        }
        for (found, directory) in found {
            is_all |= self.settle(found, directory, &directories);
        }
        is_all
    }

    /// Finishes, undoes or reports one interrupted run. Returns true if the current run has nothing else to do.
    fn settle(&mut self, found: FoundManifest, directory: Option<&Path>, directories: &[PathBuf]) -> bool {
        let FoundManifest { manifest, run } = found;
        let shown = manifest.shown();
        let Some(RecordedRun { root, mut job, state }) = run else {
            let text = format!("{shown}: an earlier run ended before it renamed anything");
            match self.plan.action {
                Action::Show | Action::Diff(_) => {
                    self.end(&format!("{text}; -i removes this manifest"), Exit::Success)
                }
                _ => match manifest.discard() {
                    Ok(()) => self.note(&format!("{text}; its manifest was removed")),
                    Err(error) => self.fail(&format!("{shown}: {}", reason(&error))),
                },
            }
            return self.exit != Exit::Success;
        };
        let is_candidate = |path: &&PathBuf| directory.is_none_or(|directory| directory == path.as_path());
        let opened = directories.iter().filter(is_candidate).find_map(|path| opened(path, &root));
        let is_path_given = self.plan.paths != ["."];
        let finds_itself = self.plan.action == Action::Undo && directory.is_none() && !is_path_given;
        let opened = opened.or_else(|| finds_itself.then(|| opened_below_current(&root)).flatten());
        let Some((path, descent)) = opened else {
            self.fail(&format!("{shown}: this manifest is for another directory; nothing was renamed"));
            return true;
        };
        job.path = path;
        let total = counted(job.steps.len() as u64, "name");
        match (self.plan.action, state) {
            (Action::Show | Action::Diff(_), Recorded::Unfinished) => {
                let text =
                    format!("{shown}: a run that renames {total} was interrupted; {}", self.ways_on(&job));
                self.end(&text, Exit::Fault);
            }
            (Action::Show | Action::Diff(_), _) => return false,
            (Action::Rename, Recorded::Unfinished) => {
                self.note(&format!(
                    "{shown}: a run that renames {total} was interrupted; utfconv finishes that run now"
                ));
                self.finish(Ready { job, descent, manifest }, Direction::Forward);
            }
            (Action::Rename, _) => {
                self.fail(&format!(
                    "{shown}: this manifest records a complete run; use another name for --manifest"
                ));
            }
            (Action::Undo, Recorded::Undone) => self.fail(&format!("{shown}: this run was undone already")),
            (Action::Undo, _) => self.finish(Ready { job, descent, manifest }, Direction::Back),
        }
        true
    }

    /// Surveys all names, then shows or renames them.
    fn convert(&mut self, bases: &[Base]) {
        let mut surveyor = Surveyor::new(&self.plan.rules, self.plan.links, self.plan.manifest.is_some());
        bases.iter().for_each(|base| surveyor.walk(base));
        let survey = surveyor.finish();
        survey.notes.iter().for_each(|text| self.note(&format!("warning: {text}")));
        for (_, refusal) in &survey.refusals {
            self.exit = self.exit.max(refusal.exit);
        }
        self.refused = survey.refusals.len();
        self.out += &report::refusals(&survey.refusals, self.plan.format);
        self.report_doubtful(&survey);
        self.report_lossy(&survey);
        self.report_unpacked(&survey);
        match self.plan.action {
            Action::Show => self.show(&survey),
            Action::Diff(color) => self.diff(&survey, color),
            _ => self.rename(survey),
        }
    }

    fn show(&mut self, survey: &Survey) {
        let mut count = 0;
        for job in &survey.jobs {
            for step in &job.steps {
                self.out += &report::line(job, step, self.plan.format, Direction::Forward, false);
                count += 1;
            }
        }
        if count > 0 {
            let options = if survey.refusals.is_empty() { "-i" } else { "-i --keep-going" };
            let count = counted(count, "name");
            self.end(&format!("{count} would be converted; {options} does it"), Exit::Fault);
            self.report_broken_links(survey);
        }
        self.report_refused(survey);
        if survey.double_encoded > 0 && self.plan.rules.double_encoding == DoubleEncoding::Reported {
            let (count, call) = (counted(survey.double_encoded, "name"), self.call("--repair"));
            let (seem, they) =
                if survey.double_encoded == 1 { ("seems", "it was") } else { ("seem", "they were") };
            self.note(&format!("{count} {seem} to be double-encoded; '{call}' shows what {they}"));
        }
    }

    /// Reports names that seem to be double-encoded and that `--repair` does not change.
    fn report_doubtful(&mut self, survey: &Survey) {
        let Some((directory, Doubtful { name, original, is_taken })) = &survey.first_doubtful else { return };
        if self.plan.rules.double_encoding == DoubleEncoding::Undone {
            let why = match original {
                None => "double encoding is likely, but some of its bytes are lost".to_string(),
                Some(original) => {
                    let but = if *is_taken {
                        "there is a file of that name"
                    } else {
                        "that is not proven: the names here have too few such characters"
                    };
                    format!("probably \"{}\", but {but}", one_line(original))
                }
            };
            let others = match survey.double_encoded - 1 {
                0 => String::new(),
                others => format!(" ({} not repaired either)", counted(others, "other name")),
            };
            let name = quoted(directory.join(name));
            self.end(&format!("{name}: not repaired: {why}{others}; use mv to rename it"), Exit::Fault);
        }
    }

    /// Reports names that stay as they are, which is an error if names are to be repaired.
    fn end_unrepaired(&mut self, text: &str) {
        let repairs = self.plan.rules.double_encoding == DoubleEncoding::Undone;
        self.end(text, if repairs { Exit::Fault } else { Exit::Success });
    }

    /// Reports names that a program for zip archives has read as IBM437, and the commands that restore them.
    fn report_unpacked(&mut self, survey: &Survey) {
        let Some((directory, encoding)) = &survey.first_unpacked else { return };
        let (count, name) = (counted(survey.unpacked, "name"), encoding.name());
        let seems = if survey.unpacked == 1 { "seems" } else { "seem" };
        let path = as_argument(as_directory(directory));
        let text = format!(
            "{count} {seems} to be {name} that was read as IBM437, as from a zip archive; use 'utfconv names -i -f UTF-8 -t IBM437 \
             {path}; utfconv names -i -f {name} {path}'"
        );
        self.end_unrepaired(&text);
    }

    /// Reports names that have U+FFFD, which no option repairs.
    fn report_lossy(&mut self, survey: &Survey) {
        let Some(first) = &survey.first_lossy else { return };
        let (path, count) = (quoted(first), survey.lossy);
        let text = match count {
            1 => format!("1 name has U+FFFD ({path}): characters were lost in it; use mv to rename it"),
            _ => format!(
                "{count} names have U+FFFD (first: {path}): characters were lost in them; use mv to rename them"
            ),
        };
        self.end_unrepaired(&text);
    }

    /// Reports symbolic links whose targets contain names that change.
    fn report_broken_links(&mut self, survey: &Survey) {
        match survey.broken_links {
            0 => {}
            1 => self.note("1 symbolic link points to a name that is converted; --links converts it, too"),
            count => self.note(&format!(
                "{count} symbolic links point to names that are converted; --links converts them, too"
            )),
        }
    }

    fn report_refused(&mut self, survey: &Survey) {
        let count = survey.refusals.len() as u64;
        if count > 0 {
            let is_legacy = |(_, refusal): &(_, Refusal)| refusal.name.to_str().is_none();
            let is_known = !matches!(self.plan.rules.from, NameSource::Named(from) if from == &UTF_8);
            let advice = if is_known || !survey.refusals.iter().any(is_legacy) {
                String::new()
            } else {
                format!("; '{}' detects the encoding of such names", self.call("-f auto"))
            };
            self.note(&format!("{} cannot be converted{advice}", counted(count, "name")));
        }
    }

    /// Returns a command line with `option`, and with the paths if there are at most two.
    fn call(&self, option: &str) -> String {
        let paths: String = match &self.plan.paths[..] {
            [path] if path == "." => String::new(),
            few @ [_] | few @ [_, _] => few.iter().map(|path| format!(" {}", as_argument(path))).collect(),
            _ => " PATH...".into(),
        };
        format!("utfconv names {option}{paths}")
    }

    /// Prints the renames that `-i` would do, as a patch.
    fn diff(&mut self, survey: &Survey, color: When) {
        if self.is_refused(survey, "nothing would be renamed") {
            return;
        }
        let (mut patch, renderer) = (Patch::default(), Renderer::new(Style::of_output(color)));
        for job in &survey.jobs {
            if let Err(error) = patch.add(job, &renderer) {
                return self.fail(&format!("{}: {}", quoted(job.directory()), reason(&error)));
            }
        }
        for (path, what) in &patch.left {
            self.note(&format!("warning: {}: {what}, which a patch cannot rename", quoted(path)));
        }
        if !survey.jobs.is_empty() {
            self.exit = self.exit.max(Exit::Fault);
        }
        self.report_broken_links(survey);
        self.printer.print(&patch.text);
    }

    /// True if names are refused and `--keep-going` is not given, so that nothing may be renamed.
    fn is_refused(&mut self, survey: &Survey, nothing: &str) -> bool {
        self.report_refused(survey);
        let is_refused = !survey.refusals.is_empty() && !self.plan.keep_going;
        if is_refused {
            self.note(&format!("{nothing}; --keep-going renames the others"));
        }
        is_refused
    }

    fn rename(&mut self, survey: Survey) {
        if self.is_refused(&survey, "nothing was renamed") {
            return;
        }
        if self.plan.manifest.is_some() && survey.jobs.len() > 1 {
            return self
                .fail("--manifest requires that all names are below one directory; nothing was renamed");
        }
        self.report_broken_links(&survey);
        let mut ready: Vec<Ready> = Vec::new();
        for job in survey.jobs {
            match self.prepared(job) {
                Ok(one) => ready.push(one),
                Err(text) => {
                    ready.into_iter().for_each(|one| drop(one.manifest.discard()));
                    return self.fail(&text);
                }
            }
        }
        let mut ready = ready.into_iter();
        let failed = ready.by_ref().find_map(|one| self.work(one, Direction::Forward).err());
        // After a failure, the remaining jobs have renamed nothing, so their manifests are removed.
        ready.for_each(|one| drop(one.manifest.discard()));
        failed.into_iter().for_each(|text| self.fail(&text));
    }

    /// Finishes or undoes the steps of an earlier run, and reports an error.
    fn finish(&mut self, ready: Ready, direction: Direction) {
        self.work(ready, direction).unwrap_or_else(|text| self.fail(&text));
    }

    /// Opens the directory of a job and writes its manifest.
    fn prepared(&self, job: Job) -> Result<Ready, String> {
        let here = job.directory();
        let descent = Descent::new(here).map_err(|error| format!("{}: {}", quoted(here), reason(&error)))?;
        let (entry, shown) = match &self.plan.manifest {
            Some(path) => (DirectoryEntry::named(Path::new(path)), PathBuf::from(path)),
            None => {
                let entry = DirectoryEntry::new(descent.root().clone(), MANIFEST_NAME.into());
                (Ok(entry), job.path.join(MANIFEST_NAME))
            }
        };
        let is_named = self.plan.manifest.is_some();
        let manifest = entry.and_then(|entry| {
            let root = RootRecord::of(&descent.root().identity()?, here);
            Manifest::create(entry, root, &job, is_named)
        });
        match manifest {
            Ok(manifest) => Ok(Ready { job, descent, manifest }),
            Err(error) => {
                let shown = quoted(shown);
                let advice = if is_named { "" } else { "; use --manifest to write it elsewhere" };
                Err(format!(
                    "{shown}: cannot write the manifest: {}{advice}; nothing was renamed",
                    reason(&error)
                ))
            }
        }
    }

    /// Returns advice with the commands that finish or undo an interrupted run.
    fn ways_on(&self, job: &Job) -> String {
        let path = as_argument(job.directory());
        let [finish, undo] = match self.plan.manifest.as_deref().map(as_argument) {
            None => ["-i".to_string(), "--undo".to_string()],
            Some(file) => [format!("-i --manifest={file}"), format!("--undo={file}")],
        };
        format!(
            "'utfconv names {finish} {path}' finishes the run, 'utfconv names {undo} {path}' takes it back"
        )
    }

    /// Does or undoes the steps of a job, and ends its manifest. Fails with the text of a message.
    fn work(&mut self, ready: Ready, direction: Direction) -> Result<(), String> {
        let Ready { job, mut descent, manifest } = ready;
        let mut changed = 0;
        let is_listed = self.plan.verbose || self.plan.format == ReportFormat::Json;
        let out = &mut self.out;
        let done = carry_out(&job, &mut descent, direction, |step, outcome| match outcome {
            StepOutcome::Changed => {
                changed += 1;
                if is_listed {
                    *out += &report::line(&job, step, self.plan.format, direction, true);
                }
            }
            // Only messages are printed during the renames, because a closed pipe at standard output would end the run.
            StepOutcome::Gone => Dialect::Utfconv
                .report(&format!("warning: {}: is no longer there", quoted(job.path_of(step)))),
            StepOutcome::Already => {}
        });
        // Also syncs renames of an earlier run, which may have been killed before its sync.
        let synced = sync(&job, &mut descent);
        self.changed += changed;
        let shown = manifest.shown();
        match done.and(synced) {
            Err(error) => Err(format!("{}; {} ({shown})", reason(&error), self.ways_on(&job))),
            Ok(()) => manifest.finish(direction).map_err(|error| format!("{shown}: {}", reason(&error))),
        }
    }
}

/// Returns the directories that may contain a manifest.
fn directories(bases: &[Base]) -> Vec<PathBuf> {
    let mut directories = Vec::new();
    for base in bases {
        directories.push(as_directory(&base.path).to_path_buf());
        let named = base.selection.iter().flatten().map(|name| base.path.join(name));
        directories.extend(named.filter(|path| path.symlink_metadata().is_ok_and(|found| found.is_dir())));
    }
    directories
}

/// Opens the directory at `path` if the manifest is for it.
fn opened(path: &Path, root: &RootRecord) -> Option<(PathBuf, Descent)> {
    let descent = Descent::new(path).ok()?;
    let here = RootRecord::of(&descent.root().identity().ok()?, path);
    here.is_same(root).then(|| (path.to_path_buf(), descent))
}

/// Opens the directory of a manifest if it is below the current directory.
fn opened_below_current(root: &RootRecord) -> Option<(PathBuf, Descent)> {
    let current = Path::new(".").canonicalize().ok()?;
    opened(Path::new(&root.path).strip_prefix(current).ok()?, root)
}
