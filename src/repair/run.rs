//! Repairs all files, on all threads, and prints the report.

use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::sync::Mutex;

use utfconv_core::StreamError;

use super::manifest::Manifest;
use super::one::repair;
use super::plan::{RepairPlan, Task};
use super::report::FileReport;
use super::undo;
use crate::diff::{Renderer, Style};
use crate::edits::{Batch, Destination, Edit, Job, Jobs, Mode, NotEdited, OpenJob, Product};
use crate::files::in_place::loose_suffix;
use crate::files::print::Printer;
use crate::files::replace::{Durability, InPlace};
use crate::files::signals;
use crate::files::sink::{STDOUT_NAME, Sink};
use crate::files::source::{Input, Mapping};
use crate::files::walk::Targets;
use crate::ui::exit::Exit;
use crate::ui::personality::Personality;
use crate::ui::progress::Progress;
use crate::ui::quote::{quoted, reason};
use crate::ui::stderr::complain;
use crate::ui::threads::lock;

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
        Task::Show(targets) => batch(plan, targets, &Destination::Nowhere, Mode::Count, None),
        Task::Diff(targets, color) => {
            let mode = Mode::Diff(Renderer::new(Style::of_output(*color)));
            // It is refused where a repair would be refused.
            batch(plan, targets, &Destination::InPlace(InPlace::default()), mode, None)
        }
        Task::Write(targets, how) => {
            if let Some(why) = loose_suffix(targets, how) {
                WHO.report(&why);
                return Exit::Failure;
            }
            // While there is one thread.
            signals::watch();
            signals::refuse_pipe_signal();
            batch(plan, targets, &Destination::InPlace(how.clone()), Mode::Write, manifest)
        }
        Task::Undo { manifest, path, how } => undo::run(manifest, path.as_deref(), how),
    }
}

/// Repairs standard input to standard output.
fn filter(plan: &RepairPlan, mut manifest: Option<Manifest>) -> Exit {
    let mut report = FileReport::default();
    let mut repair_stdin = || -> Result<(), NotEdited> {
        let input = Input::stdin();
        let mut sink = Sink::stdout().map_err(StreamError::Write)?;
        if sink.is_same_file(&input) {
            return Err(NotEdited::Failed(StreamError::Write(io::Error::other(
                "standard input is also the output",
            ))));
        }
        let source = input.open().map_err(StreamError::Read)?.reader(Mapping::Never, BUFFER, "-");
        repair(plan, OsStr::new("-"), source, &mut sink, &mut report, manifest.as_mut())?;
        sink.commit().map_err(|error| NotEdited::Failed(StreamError::Write(error)))
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
        Err(NotEdited::Failed(StreamError::Write(error))) => {
            WHO.report(&WHO.write_error(STDOUT_NAME, &error));
            Exit::Failure
        }
        Err(other) => {
            WHO.report(&format!("-: {}", other.reason()));
            Exit::Failure
        }
    }
}

/// Repairs files, or finds what there is to repair.
struct Repairer<'a> {
    plan: &'a RepairPlan,
    /// The changes of a file are together in it, so there is one thread then.
    manifest: Option<Mutex<Manifest>>,
}

/// What became of a file.
#[derive(Default)]
struct Outcome {
    report: FileReport,
    error: Option<String>,
}

impl Edit for Repairer<'_> {
    type Worker = ();
    type Outcome = Outcome;

    fn worker(&self) {}

    fn begin(&self, _: &Job) -> Outcome {
        Outcome::default()
    }

    fn edit(
        &self,
        (): &mut (),
        OpenJob { job, opened, output, .. }: OpenJob,
        outcome: &mut Outcome,
    ) -> Result<Option<Product>, NotEdited> {
        let mut product = output.begin().map_err(StreamError::Write)?;
        let source = opened.reader(Mapping::Never, BUFFER, &job.shown());
        let mut manifest = self.manifest.as_ref().map(lock);
        let report = &mut outcome.report;
        let repaired =
            repair(self.plan, &job.key.name, source, &mut product, report, manifest.as_deref_mut());
        if let (Err(_), Some(manifest)) = (&repaired, &mut manifest) {
            manifest.abandon();
        }
        repaired.map(|()| Some(product))
    }

    fn fail(&self, job: &Job, outcome: &mut Outcome, why: NotEdited) {
        match why {
            // As for check, those found in directories are skipped.
            NotEdited::Skipped(_) if job.is_found() => *outcome = Outcome::default(),
            why => outcome.error = Some(format!("{}: {}", job.shown(), why.reason())),
        }
    }
}

/// Repairs files.
fn batch(
    plan: &RepairPlan,
    targets: &Targets,
    destination: &Destination,
    mode: Mode,
    manifest: Option<Manifest>,
) -> Exit {
    let reserved = plan.manifest.as_deref().map(Path::new);
    let jobs = Jobs::find(targets.clone(), destination, reserved, "each file is repaired once");
    let threads = if manifest.is_some() { Some(1) } else { plan.threads };
    let repairer = Repairer { plan, manifest: manifest.map(Mutex::new) };
    let [writes, is_diff] = [matches!(mode, Mode::Write), matches!(mode, Mode::Diff(_))];
    let (mut exit, mut printer, mut errors) = (Exit::Success, Printer::default(), Vec::new());
    let batch = Batch { destination, sync: Durability::File, mode, threads };
    let unsynced =
        batch.run(&jobs, &repairer, &Progress::default(), |job, Outcome { report, error }, diff| {
            let done = match &error {
                _ if !writes => "to make",
                None => "made",
                Some(_) => "not made",
            };
            if is_diff {
                printer.print(&diff);
            } else {
                printer.print(report.lines.as_bytes());
                printer.print(report.summary(&job.shown(), done).as_bytes());
            }
            if report.left > 0 || !writes && report.changes > 0 {
                exit = exit.max(Exit::Fault);
            }
            errors.extend(error);
        });
    exit = exit.max(printer.end(WHO));
    jobs.announce(WHO, "repair");
    errors.extend(unsynced);
    errors.iter().for_each(|text| WHO.report(text));
    if errors.is_empty() && jobs.notes.errors.is_empty() { exit } else { Exit::Failure }
}
