//! Many files, each converted separately: in place, or to a file of the same name in another directory.
//!
//! jobs (which files, and where their outputs go) -> tree (the directories of outputs) -> one (the conversion of one, on any thread) -> report (in the order of
//! the files) -> exit status. An error in one file does not stop the others.

mod jobs;
mod one;
pub mod product;
mod report;
mod tree;

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use indicatif::ProgressBar;

use self::jobs::Jobs;
use self::one::{Converter, Outcome};
use self::report::Report;
use crate::config::Configuration;
use crate::convert::configured::configuration;
use crate::convert::plan::{Batch, ConvertPlan, Destination};
use crate::convert::report::warn;
use crate::diff::{Renderer, Style};
use crate::files::open_directory::sync_directory;
use crate::files::replace::{Durability, Prepared, sync_together};
use crate::files::signals;
use crate::files::system;
use crate::ui::exit::Exit;
use crate::ui::personality::Personality;
use crate::ui::progress::Progress;
use crate::ui::quote::{quoted, reason};
use crate::ui::threads::{into_inner, lock, processors, work_on};

/// Carries out `batch` and reports everything.
pub fn run(plan: &ConvertPlan, batch: &Batch) -> Exit {
    let personality = plan.personality;
    warn(plan);
    // While there is one thread.
    signals::watch();
    if !plan.settings.dry_run {
        signals::refuse_pipe_signal();
    }
    if let Some(why) = no_directory(&batch.destination) {
        personality.report(&why);
        return Exit::Failure;
    }
    let configuration = configuration(plan);
    let jobs = Jobs::find(batch, configuration.as_ref());
    announce(personality, &jobs);
    if jobs.notes.has_output || !jobs.conflicts.is_empty() {
        return Exit::Failure;
    }
    let unsynced = Mutex::new(BTreeSet::new());
    let progress = Progress::default();
    let report = Mutex::new(Report::new(plan, batch, jobs.list.len() == 1, &progress));
    convert(plan, batch, &jobs, configuration.as_deref(), &unsynced, &progress, &report);
    let configuration = configuration.as_deref();
    let problems = configuration.map(Configuration::problems).unwrap_or_default();
    problems.iter().for_each(|text| personality.report(&format!("warning: {text}")));
    let is_valid = configuration.is_none_or(|one| one.project_problems().is_empty());
    let found = if jobs.notes.errors.is_empty() && is_valid { Exit::Success } else { Exit::Failure };
    let synced = sync_directories(personality, &lock(&unsynced));
    found.max(synced).max(into_inner(report).end())
}

/// Why no outputs can be in their directory.
fn no_directory(destination: &Destination) -> Option<String> {
    let Destination::Directory(directory) = destination else { return None };
    let is_file = match fs::metadata(directory) {
        Ok(there) => !there.is_dir(),
        // A link may lead nowhere.
        Err(error) if error.kind() == ErrorKind::NotFound => directory.is_symlink(),
        Err(error) => error.kind() == ErrorKind::NotADirectory,
    };
    let name = quoted(directory.as_os_str());
    is_file.then(|| format!("{name}: not a directory; use another name for --output-dir"))
}

/// Reports warnings and errors of the search for files.
fn announce(personality: Personality, jobs: &Jobs) {
    jobs.notes.warnings.iter().for_each(|text| personality.report(&format!("warning: {text}")));
    jobs.notes.errors.iter().for_each(|text| personality.report(text));
    if jobs.list.is_empty() && jobs.notes.errors.is_empty() {
        personality.report("warning: no files found: nothing to convert");
    }
    if !jobs.notes.has_output {
        jobs.conflicts.iter().for_each(|text| personality.report(text));
    }
}

/// Converts all files. `report` takes what became of each, and `unsynced` the directories with something new.
fn convert<'a>(
    plan: &'a ConvertPlan,
    batch: &'a Batch,
    jobs: &'a Jobs<'a>,
    configuration: Option<&'a Configuration>,
    unsynced: &'a Mutex<BTreeSet<PathBuf>>,
    progress: &'a Progress,
    report: &Mutex<Report<'a>>,
) {
    let done = AtomicU64::new(0);
    let next = AtomicUsize::new(0);
    let wanted = match jobs.list.len() {
        0 | 1 => 1,
        several => plan.settings.threads.unwrap_or_else(processors).min(several),
    };
    let (threads, room) = limits(batch.sync, wanted);
    let is_one_of_many = jobs.list.len() > 1;
    // One large file is for all threads; of several, each is for one.
    let each = if is_one_of_many { Some(1) } else { plan.settings.threads };
    let tree = jobs.tree(batch, unsynced);
    let renderer = plan.settings.diff.map(|color| Renderer::new(Style::of_output(color)));
    let converter = Converter { plan, batch, threads: each, is_one_of_many, tree, configuration, renderer };
    let finish = |number: usize, outcome| {
        done.fetch_add(jobs.list[number].len, Ordering::Relaxed);
        lock(report).finish(number as u64, outcome);
    };
    let group = |room| Group { sync: batch.sync, room, waiting: Vec::new(), unsynced, finish: &finish };
    let postponed = Mutex::new(Vec::new());
    let work = || {
        let mut group = group(room);
        while let number = next.fetch_add(1, Ordering::Relaxed)
            && let Some(job) = jobs.list.get(number)
        {
            let converted = converter.convert(job);
            if is_one_of_many && converted.0.lacks_room {
                group.publish();
                lock(&postponed).push(number);
            } else {
                group.add(number, converted);
            }
        }
        group.publish();
    };
    // New files of every thread take up room until they are published, so those that found none come last, one by one.
    let work_on_postponed = || {
        let mut numbers = std::mem::take(&mut *lock(&postponed));
        numbers.sort_unstable();
        for number in numbers {
            group(1).add(number, converter.convert(&jobs.list[number]));
        }
    };
    let total: u64 = jobs.list.iter().map(|job| job.len).sum();
    let template = "{bar:30} {bytes} of {total_bytes}, {msg}, {elapsed}";
    let update = |bar: &ProgressBar| {
        bar.set_position(done.load(Ordering::Relaxed));
        let begun = next.load(Ordering::Relaxed).min(jobs.list.len());
        bar.set_message(format!("file {begun} of {}", jobs.list.len()));
    };
    progress.watch(template, Some(total), update, || {
        work_on(threads, work);
        work_on_postponed();
    });
}

/// Makes the names of new files in `directories` last through a power cut.
fn sync_directories(personality: Personality, directories: &BTreeSet<PathBuf>) -> Exit {
    let mut exit = Exit::Success;
    for directory in directories {
        if let Err(error) = sync_directory(directory) {
            let name = quoted(directory.as_os_str());
            personality.report(&format!(
                "{name}: cannot sync the directory, so a power cut may lose new files: {}",
                reason(&error)
            ));
            exit = Exit::Failure;
        }
    }
    exit
}

/// How many threads may work, and how many files of each may wait for each other before they take the places of the old
/// ones, if so many threads are wanted.
fn limits(sync: Durability, threads: usize) -> (usize, usize) {
    /// Of the process itself.
    const OWN: u64 = 5;
    /// Of a file that is being converted: itself, opened two times, the new one, a copy of the old one, and directories:
    /// its own, one above it, and one that is synced.
    const BUSY: u64 = 7;
    /// Of one that waits: itself, the new one, and its directory.
    const WAITING: u64 = 3;
    /// More files together are hardly faster.
    const MOST: u64 = 256;
    let free = system::descriptors().saturating_sub(OWN);
    let threads = (free / BUSY).clamp(1, threads as u64);
    let room = free.saturating_sub(BUSY * threads) / (WAITING * threads);
    let room = if sync == Durability::Batch { room.clamp(1, MOST) } else { 1 };
    (threads as usize, room as usize)
}

/// New files that wait to get to the disk together.
struct Group<'a, F> {
    sync: Durability,
    room: usize,
    waiting: Vec<(usize, Outcome<'a>, Prepared)>,
    /// Takes the directories in which something is new.
    unsynced: &'a Mutex<BTreeSet<PathBuf>>,
    /// Takes what became of the file of that number.
    finish: F,
}

impl<'a, F: Fn(usize, Outcome<'a>)> Group<'a, F> {
    /// Finishes a file that has no output, and publishes the group when it is full.
    fn add(&mut self, number: usize, (outcome, prepared): (Outcome<'a>, Option<Prepared>)) {
        let Some(prepared) = prepared else { return (self.finish)(number, outcome) };
        self.waiting.push((number, outcome, prepared));
        if self.waiting.len() >= self.room {
            self.publish();
        }
    }

    /// Puts them in their places.
    fn publish(&mut self) {
        let synced = match self.sync {
            Durability::Batch => sync_together(self.waiting.iter().map(|(.., prepared)| prepared)),
            Durability::File | Durability::None => Ok(()),
        };
        for (number, mut outcome, prepared) in self.waiting.drain(..) {
            let published = match &synced {
                Ok(()) => prepared.publish(),
                // Each of them may be the one.
                Err(error) => Err(io::Error::new(error.kind(), reason(error))),
            };
            match published {
                Ok(directory) if self.sync != Durability::None => {
                    lock(self.unsynced).insert(directory.path().to_path_buf());
                }
                Ok(_) => {}
                Err(error) => outcome.fail(&error),
            }
            (self.finish)(number, outcome);
        }
    }
}
