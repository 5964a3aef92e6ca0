//! Repairs all files, on all threads, and prints the report.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;

use utfconv_core::StreamError;

use super::one::repair;
use super::plan::{RepairPlan, Task};
use super::report::{FileOutcome, FileReport, Gaps, REPAIRED, UNCHANGED};
use super::restore::Restorer;
use crate::batch::diff::{Renderer, Style};
use crate::batch::{Destination, Edit, Job, Jobs, JsonReport, Mode, NotEdited, OpenJob, Product, Section};
use crate::commands::old_versions::{OldVersions, Source, project_configuration};
use crate::files::in_place::loose_suffix;
use crate::files::print::Printer;
use crate::files::replace::InPlace;
use crate::files::signals;
use crate::files::sink::{STDOUT_NAME, Sink};
use crate::files::source::{Input, Mapping};
use crate::files::stdio::has_stdout_file;
use crate::files::walk::{LeftOut, Targets};
use crate::ui::dialect::Dialect;
use crate::ui::exit::Exit;
use crate::ui::progress::Progress;
use crate::ui::quote::{as_argument, quoted, reason};
use crate::ui::stderr::complain;

const WHO: Dialect = Dialect::Utfconv;

/// Number of bytes read at a time.
const BUFFER: usize = 256 << 10;

/// Carries out `plan`: prints the report and all messages.
pub fn run(plan: &RepairPlan) -> Exit {
    let run = match &plan.task {
        Task::Filter => Ok(filter(plan)),
        Task::Show(targets, None) => {
            let shown = batch(plan, targets, &Destination::Nowhere, Mode::Count);
            let was_read = shown.as_ref().is_ok_and(|exit| *exit < Exit::Failure);
            if was_read && targets.is_one_file() && plan.old.is_none() && !plan.json && has_stdout_file() {
                let files = targets.paths.iter().map(as_argument).collect::<String>();
                WHO.report(&format!(
                    "this is the report; for the text, use 'utfconv repair < {files} > OUTPUT'"
                ));
            }
            shown
        }
        Task::Show(targets, Some(how)) => {
            batch(plan, targets, &Destination::InPlace(how.clone()), Mode::Count)
        }
        Task::Diff(targets, color) => {
            let mode = Mode::Diff(Renderer::new(Style::of_output(*color)));
            // A diff is refused if a repair in place would be refused.
            batch(plan, targets, &Destination::InPlace(InPlace::default()), mode)
        }
        Task::Write(targets, how) => {
            loose_suffix(targets, how).map_or(Ok(()), Err).and_then(|()| {
                // The handlers are installed while the process has only one thread.
                signals::watch();
                signals::refuse_pipe_signal();
                batch(plan, targets, &Destination::InPlace(how.clone()), Mode::Write)
            })
        }
    };
    Exit::of(WHO, run)
}

/// Repairs standard input to standard output.
fn filter(plan: &RepairPlan) -> Exit {
    let mut report = FileReport::default();
    let mut repair_stdin = || -> Result<(), NotEdited> {
        let input = Input::stdin();
        let mut sink = Sink::stdout().map_err(StreamError::Write)?;
        if sink.is_same_file(&input) {
            return Err(StreamError::Write(io::Error::other("standard input is also the output")).into());
        }
        let source = input.open().map_err(StreamError::Read)?.reader(Mapping::Never, BUFFER, "-");
        repair(plan, OsStr::new("-"), source, &mut sink, &mut report, None)?;
        sink.commit().map_err(|error| NotEdited::Failed(StreamError::Write(error)))
    };
    let repaired = repair_stdin();
    complain(&report.lines);
    complain(&report.summary("-", Some(if repaired.is_ok() { "made" } else { "not made" })));
    match repaired {
        Ok(()) if report.left > 0 => Exit::Fault,
        Ok(()) => Exit::Success,
        Err(NotEdited::Failed(StreamError::Write(error))) => {
            Exit::report_failure(WHO, &WHO.write_error(STDOUT_NAME, &error))
        }
        Err(other) => Exit::report_failure(WHO, &format!("-: {}", other.reason())),
    }
}

/// Repairs files, or finds the repairs.
struct Repairer<'a> {
    plan: &'a RepairPlan,
    /// If set, files are restored from old versions instead of repaired.
    restorer: Option<Restorer>,
}

impl Edit for Repairer<'_> {
    type Outcome = FileOutcome;

    fn begin(&self, _: &Job) -> FileOutcome {
        FileOutcome::default()
    }

    fn edit(&self, file: OpenJob, outcome: &mut FileOutcome) -> Result<Option<Product>, NotEdited> {
        if let Some(restorer) = &self.restorer {
            return restorer.restore(file, &mut outcome.report);
        }
        let OpenJob { job, opened, output } = file;
        let mut product = output.begin().map_err(StreamError::Write)?;
        let source = opened.reader(Mapping::Never, BUFFER, &job.shown());
        let name = &job.key.name;
        let mut section = self.plan.options.manifest.as_ref().map(|_| Section::new(name));
        repair(self.plan, name, source, &mut product, &mut outcome.report, section.as_mut())?;
        if let Some(section) = section {
            product.set_changes(section);
        }
        Ok(Some(product))
    }

    fn has_failed(&self, outcome: &FileOutcome) -> bool {
        outcome.has_failed()
    }

    fn fail(&self, job: &Job, outcome: &mut FileOutcome, why: NotEdited) {
        outcome.fail(job, why);
    }
}

/// Repairs the target files, or finds their repairs.
fn batch(
    plan: &RepairPlan,
    targets: &Targets,
    destination: &Destination,
    mode: Mode,
) -> Result<Exit, String> {
    let [writes, is_diff] = [matches!(mode, Mode::Write), matches!(mode, Mode::Diff(_))];
    let batch = plan.options.batch(destination, mode, "utfconv repair")?;
    let mut jobs =
        Jobs::find(targets.clone(), destination, &plan.options.reserved(), "each file is repaired once");
    if !jobs.conflicts.is_empty() {
        jobs.announce(WHO, |left_out| nothing(targets, left_out));
        return Ok(Exit::Failure);
    }
    let restorer = restorer(plan, targets, &mut jobs);
    let (mut exit, mut printer, mut errors) = (Exit::Success, Printer::default(), Vec::new());
    let mut json = plan.json.then(|| JsonReport::new(&[REPAIRED, UNCHANGED], !writes));
    let mut gaps = Gaps::default();
    let take = |job: &Job, outcome: FileOutcome, diff: Vec<u8>| {
        gaps.add(job, &outcome.report);
        let error = outcome.error(&job.shown());
        let done = match &error {
            _ if !writes => "to make with -i",
            None => "made",
            Some(_) => "not made",
        };
        let report = &outcome.report;
        if is_diff {
            printer.print(&diff);
            complain(&report.left_lines);
            complain(&report.summary(&job.shown(), None));
        } else if let Some(json) = &mut json {
            printer.print(json.line(&outcome.line(&job.key.name)).as_bytes());
        } else {
            printer.print(report.lines.as_bytes());
            printer.print(report.summary(&job.shown(), Some(done)).as_bytes());
        }
        if report.left > 0 || !writes && report.changes > 0 {
            exit = exit.max(Exit::Fault);
        }
        errors.extend(error);
    };
    let unsynced = batch.run(&jobs, &Repairer { plan, restorer }, &Progress::default(), take);
    errors.extend(unsynced);
    if !errors.is_empty() || !jobs.notes.errors.is_empty() {
        exit = Exit::Failure;
    }
    if let Some(json) = &json {
        printer.print(json.summary(exit.status(WHO)).as_bytes());
    }
    let printed = printer.end(WHO);
    jobs.announce(WHO, |left_out| nothing(targets, left_out));
    gaps.warning().iter().for_each(|text| WHO.report(text));
    errors.iter().for_each(|text| WHO.report(text));
    Ok(exit.max(printed))
}

/// Returns the restorer, if old versions are given. Adds the files that have no old version to the errors.
fn restorer(plan: &RepairPlan, targets: &Targets, jobs: &mut Jobs) -> Option<Restorer> {
    let old = plan.old.clone()?;
    let restorer = Restorer {
        is_history: old == Source::History,
        old: OldVersions::new(old, plan.encoding, project_configuration(), true),
        options: plan.restore.clone(),
        max_lines: plan.max_lines,
    };
    if jobs.notes.errors.is_empty() {
        jobs.notes.errors.extend(absent(targets, jobs, &restorer.old));
    }
    Some(restorer)
}

/// Returns the message that there are no files to repair.
fn nothing(targets: &Targets, left_out: LeftOut) -> String {
    match &targets.wanted.since {
        None => targets.no_files("repair", left_out),
        Some(_) => "no file differs from the old version: nothing to restore; if the damage was committed, use --from-rev=HEAD~1 or --history".to_string(),
    }
}

/// Returns a message for each given file that has no old version, and for each given symbolic link to a file.
fn absent(targets: &Targets, jobs: &Jobs, old: &OldVersions) -> Vec<String> {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_default();
    let known: HashSet<_> = jobs.list.iter().map(|job| absolute(job.path())).collect();
    let is_absent =
        |path: &&OsString| Path::new(path).is_file() && !known.contains(&absolute(Path::new(path)));
    let why = |path: &OsString| {
        if Path::new(path).is_symlink() {
            return Some("git does not follow symbolic links; name the file that it points to".to_string());
        }
        match old.has(Path::new(path)) {
            Ok(true) => None,
            Ok(false) => Some(old.absence()),
            Err(error) => Some(reason(&error)),
        }
    };
    let absent = targets.paths.iter().filter(is_absent);
    absent.filter_map(|path| Some(format!("{}: {}", quoted(path), why(path)?))).collect()
}
