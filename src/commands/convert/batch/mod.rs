//! Converts many files, each separately: in place, or to a file of the same name in another directory.
//!
//! `appearance` looks at what a file seems to be, `one` converts a file, and `report` prints the outcomes in the
//! order of the files and returns the exit status.

mod appearance;
mod one;
mod report;

use std::fs;
use std::io::ErrorKind;
use std::sync::Arc;

use self::one::Converter;
use self::report::Report;
use crate::batch::diff::{Renderer, Style};
use crate::batch::{Destination, Jobs, Mode};
use crate::commands::convert::configured::configuration;
use crate::commands::convert::options::Files;
use crate::commands::convert::plan::ConvertPlan;
use crate::commands::convert::report::warn;
use crate::config::Configuration;
use crate::files::signals;
use crate::files::walk::Excludes;
use crate::text::round_trip::is_exact;
use crate::ui::exit::Exit;
use crate::ui::progress::Progress;
use crate::ui::quote::quoted;

/// Converts `files`, and reports every outcome.
pub fn run(plan: &ConvertPlan, files: &Files) -> Exit {
    Exit::of(plan.dialect, convert(plan, files))
}

fn convert(plan: &ConvertPlan, files: &Files) -> Result<Exit, String> {
    let dialect = plan.dialect;
    warn(plan);
    // Signals are set up while the process has a single thread, because threads inherit the signal mask.
    signals::watch();
    if !plan.files.dry_run {
        signals::refuse_pipe_signal();
    }
    ensure_directory(&files.destination)?;
    let configuration = configuration(plan);
    let mut targets = files.targets.clone();
    targets.configured = configuration.clone().map(|configuration| configuration as Arc<dyn Excludes>);
    let mode = match plan.files.diff {
        Some(color) => Mode::Diff(Renderer::new(Style::of_output(color))),
        None if plan.files.dry_run => Mode::Count,
        None => Mode::Write,
    };
    let batch = files.options.batch(&files.destination, mode, "utfconv")?;
    let reserved = files.options.reserved();
    let jobs = Jobs::find(targets, &files.destination, &reserved, "converting it twice would corrupt it");
    jobs.announce(dialect, |left_out| files.targets.no_files("convert", left_out));
    if jobs.notes.has_output || !jobs.conflicts.is_empty() {
        return Ok(Exit::Failure);
    }
    let configuration = configuration.as_deref();
    let is_one_of_many = jobs.list.len() > 1;
    // A single file is converted by all threads if it is large; of several files, each is converted by one thread.
    let threads = if is_one_of_many { Some(1) } else { plan.io.threads };
    let is_exact = plan.from.is_some_and(|from| is_exact(from) && is_exact(plan.to));
    let converter =
        Converter { plan, destination: &files.destination, threads, is_one_of_many, configuration, is_exact };
    let progress = Progress::default();
    let mut report = Report::new(plan, &files.destination, !is_one_of_many, &progress);
    let unsynced =
        batch.run(&jobs, &converter, &progress, |job, outcome, diff| report.add(job, outcome, &diff));
    let warnings = configuration.map(Configuration::warnings).unwrap_or_default();
    warnings.iter().for_each(|text| dialect.report(&format!("warning: {text}")));
    unsynced.iter().for_each(|text| dialect.report(text));
    let is_valid = configuration.is_none_or(|one| one.project_problems().is_empty());
    let is_whole = jobs.notes.errors.is_empty() && is_valid && unsynced.is_empty();
    let found = if is_whole { Exit::Success } else { Exit::Failure };
    Ok(report.end(found, jobs.list.len() as u64, jobs.notes.left_out))
}

/// Fails if the path of the output directory is no directory and cannot become a directory.
fn ensure_directory(destination: &Destination) -> Result<(), String> {
    let Destination::Directory(directory) = destination else { return Ok(()) };
    let is_file = match fs::metadata(directory) {
        Ok(there) => !there.is_dir(),
        // A symbolic link to a missing directory cannot become a directory.
        Err(error) if error.kind() == ErrorKind::NotFound => directory.is_symlink(),
        Err(error) => error.kind() == ErrorKind::NotADirectory,
    };
    let name = quoted(directory);
    if is_file { Err(format!("{name}: not a directory; use another name for --output-dir")) } else { Ok(()) }
}
