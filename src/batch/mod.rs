//! Carries out the changes that a command makes to many files.
//!
//! jobs (selects files and outputs, and refuses conflicts) -> open (opens a file as it was found) -> the [`Edit`] of a
//! command -> product (receives the new content) -> section (records the changes for the manifest) -> group (publishes
//! new files together) -> the outcome of each file, in the order of the files. An error in one file does not stop the
//! others. undo restores the old contents by the manifest of a run.

pub mod args;
mod causes;
pub mod diff;
mod failed;
pub mod file_options;
mod group;
mod jobs;
mod json;
mod manifest;
mod not_edited;
mod open;
mod options;
mod product;
pub mod record;
mod section;
mod tree;
mod undo;

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::mem;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use indicatif::ProgressBar;
use utfconv_core::StreamError;

pub use self::causes::{Cause, Failures};
use self::failed::Failed;
pub use self::failed::FailedPlan;
use self::group::{Group, limits};
use self::jobs::Output;
pub use self::jobs::{Destination, Job, Jobs};
pub use self::json::{FileLine, JsonReport};
use self::manifest::Manifest;
pub use self::not_edited::{NotEdited, SkipKind, Skipped};
pub use self::open::OpenJob;
pub use self::options::BatchOptions;
pub use self::product::Product;
use self::product::{Contents, Purpose};
pub use self::record::Encodings;
pub use self::section::Section;
use self::tree::Tree;
pub use self::undo::{UndoPlan, undo};
use crate::batch::diff::{Change, Renderer};
use crate::files::leftovers::Replaced;
use crate::files::open_directory::sync_directory;
use crate::files::replace::{Durability, Prepared};
use crate::files::signals;
use crate::files::system;
use crate::ui::ordered::Ordered;
use crate::ui::progress::Progress;
use crate::ui::quote::{quoted, reason, with_context};
use crate::ui::threads::{into_inner, lock, processors, work_on};

/// The work of a command on one file.
pub trait Edit: Sync {
    /// The result of editing one file, or of the failure to edit the file.
    type Outcome: Send;

    /// Returns the initial outcome of a file that is not open yet.
    fn begin(&self, job: &Job) -> Self::Outcome;

    /// Writes the new content of a file to the product that `OutputFile::begin` returns. If no product is returned, the
    /// file is not changed.
    fn edit(&self, file: OpenJob, outcome: &mut Self::Outcome) -> Result<Option<Product>, NotEdited>;

    /// Returns the encodings of an edited file, for a manifest.
    fn encodings(&self, _: &Self::Outcome) -> Option<Encodings> {
        None
    }

    /// Whether a second run of the command would change no file, even without a manifest.
    fn is_repeatable(&self) -> bool {
        true
    }

    /// Records that a file was copied unchanged.
    fn copied(&self, _: &mut Self::Outcome) {}

    /// Whether the command could not do with the file what the user asked for.
    fn has_failed(&self, outcome: &Self::Outcome) -> bool;

    /// Records that a file was not edited, or that its new content was not published.
    fn fail(&self, job: &Job, outcome: &mut Self::Outcome, why: NotEdited);
}

/// The use of new contents.
pub enum Mode {
    Write,
    /// Counts new contents, and writes nothing.
    Count,
    /// Compares new contents with the old contents.
    Diff(Renderer),
}

/// The settings of a batch.
pub struct Batch<'a> {
    pub destination: &'a Destination,
    pub sync: Durability,
    pub mode: Mode,
    /// The number of threads; `None` means one per processor.
    pub threads: Option<usize>,
    /// True if the first file that fails ends the run, so that all later files stay unchanged.
    pub stops: bool,
    /// Records each change before it is made.
    pub manifest: Option<Manifest>,
    /// Receives the names of the files that were not edited.
    pub failed: Option<Failed>,
}

impl Batch<'_> {
    /// Edits the files of `jobs`. `finish` receives the outcome of each file in order, with its diff in the mode that
    /// shows changes. Returns messages for new files that may not survive a power cut, and for a list of failures that
    /// cannot be written.
    pub fn run<E: Edit>(
        &self,
        jobs: &Jobs,
        edit: &E,
        progress: &Progress,
        finish: impl FnMut(&Job, E::Outcome, Vec<u8>) + Send,
    ) -> Vec<String> {
        let wanted = match jobs.list.len() {
            0 | 1 => 1,
            // With a single thread, no file is begun before the previous file has ended.
            _ if self.stops => 1,
            several => self.threads.unwrap_or_else(processors).min(several),
        };
        let (threads, room) = limits(self.sync, wanted);
        // If files waited to be published together, a file could fail after the next file was begun.
        let room = if self.stops { 1 } else { room };
        let unsynced = Mutex::default();
        let run = BatchRun {
            batch: self,
            jobs,
            edit,
            tree: jobs.tree(self.destination, self.sync, &unsynced),
            replaced: Mutex::default(),
            unsynced: &unsynced,
            next: AtomicUsize::new(0),
            done: AtomicU64::new(0),
            finished_files: Arc::default(),
            is_stopped: AtomicBool::new(false),
            postponed: Mutex::default(),
            finished: Mutex::new((Ordered::new(), finish)),
        };
        let total: u64 = jobs.list.iter().map(|job| job.len).sum();
        let template = "{bar:30} {bytes} of {total_bytes}, {msg}, {elapsed}";
        let update = |bar: &ProgressBar| {
            bar.set_position(run.done.load(Ordering::Relaxed));
            let begun = run.next.load(Ordering::Relaxed).min(jobs.list.len());
            bar.set_message(format!("file {begun} of {}", jobs.list.len()));
        };
        let _reported = self.is_written().then(|| {
            let (finished, all) = (run.finished_files.clone(), jobs.list.len());
            let advice = self.advice_to_continue(edit.is_repeatable());
            signals::report_at_end(move || {
                let done = finished.load(Ordering::Relaxed);
                format!("utfconv: interrupted: {done} of {all} files are done; {advice}\n")
            })
        });
        progress.watch(template, Some(total), update, || {
            work_on(threads, || run.work(room));
            run.work_on_postponed();
        });
        let replaced = mem::take(&mut *lock(&run.replaced));
        if let (Some(failed), true) = (&self.failed, run.is_stopped.load(Ordering::Relaxed)) {
            let reached = run.finished_files.load(Ordering::Relaxed);
            jobs.list[reached..].iter().for_each(|job| failed.add(&job.key));
        }
        drop(run);
        let mut problems = sync_directories(&into_inner(unsynced));
        problems.extend(replaced.left(self.is_written()));
        problems.extend(self.failed.as_ref().and_then(Failed::write));
        problems
    }

    /// Whether files are changed.
    fn is_written(&self) -> bool {
        matches!(
            (&self.mode, self.destination),
            (Mode::Write, Destination::InPlace(_) | Destination::Directory(_))
        )
    }

    /// Returns advice on how to continue an interrupted run.
    fn advice_to_continue(&self, is_repeatable: bool) -> &'static str {
        match self.destination {
            Destination::InPlace(_) if self.manifest.is_none() && !is_repeatable => {
                "the same command would convert those again; with --manifest=FILE, it continues"
            }
            _ => "use the same command again to continue",
        }
    }

    /// Prepares new content to be published, or renders its diff.
    fn prepare(
        &self,
        job: &Job,
        mut product: Product,
        encodings: Option<Encodings>,
        diff: &mut Vec<u8>,
    ) -> std::io::Result<Option<(Prepared, Option<Section>)>> {
        let mut section = None;
        if let Some(manifest) = &self.manifest {
            section = product.recorded(&job.key.name, encodings)?;
            if let Some(large) = section.take_if(|section| !section.is_small()) {
                manifest.add(|file| large.copy_to(file))?;
            }
        }
        let Mode::Diff(renderer) = &self.mode else {
            return Ok(product.prepare(self.sync)?.map(|prepared| (prepared, section)));
        };
        if let Some(Contents { old, new, is_executable }) = product.into_contents()? {
            *diff = renderer.content(&Change { path: job.path(), old: &old, new: &new, is_executable });
        }
        Ok(None)
    }

    /// Adds the path of the output to an error, if it differs from the path of the input.
    fn about_output(&self, job: &Job, why: NotEdited) -> NotEdited {
        match (why, job.output_path(self.destination)) {
            (NotEdited::Failed(StreamError::Write(error)), Some(path)) => {
                StreamError::Write(with_context(&error, &quoted(path))).into()
            }
            (why, _) => why,
        }
    }

    fn purpose(&self) -> Purpose {
        match self.mode {
            Mode::Write => Purpose::Write,
            Mode::Count => Purpose::Count,
            Mode::Diff(_) => Purpose::Compare,
        }
    }
}

/// The state that all threads of a running batch share.
struct BatchRun<'a, E: Edit, F> {
    batch: &'a Batch<'a>,
    jobs: &'a Jobs,
    edit: &'a E,
    /// The directory for outputs, if there is one.
    tree: Option<Tree<'a>>,
    /// Directories with new entries that are not synced yet.
    unsynced: &'a Mutex<BTreeSet<PathBuf>>,
    /// The files that may be replaced.
    replaced: Mutex<Replaced>,
    /// The index of the next file to edit.
    next: AtomicUsize,
    /// Number of bytes of finished files.
    done: AtomicU64,
    /// Number of finished files, for the progress line and the message about an early end.
    finished_files: Arc<AtomicUsize>,
    /// Whether a file failed that ends the run.
    is_stopped: AtomicBool,
    /// Files to try again after waiting files are published.
    postponed: Mutex<Vec<usize>>,
    finished: Mutex<Finished<E::Outcome, F>>,
}

/// Outcomes and diffs that wait for those of earlier files, and the function that receives them.
type Finished<O, F> = (Ordered<(O, Vec<u8>)>, F);

/// New files of a thread that are not published yet, with their outcomes.
struct Waiting<'a, O> {
    group: Group<'a>,
    outcomes: Vec<O>,
    /// True if a file that lacks disk space or file descriptors may be tried again later.
    may_postpone: bool,
}

/// The result of an edit: the outcome, and the file to publish or the diff.
struct Edited<O> {
    outcome: O,
    result: Result<Option<(Prepared, Option<Section>)>, NotEdited>,
    diff: Vec<u8>,
}

impl<E: Edit, F: FnMut(&Job, E::Outcome, Vec<u8>) + Send> BatchRun<'_, E, F> {
    /// Edits files until there are no more.
    fn work(&self, room: usize) {
        let mut group = self.group(room);
        while !self.is_stopped.load(Ordering::Relaxed)
            && let number = self.next.fetch_add(1, Ordering::Relaxed)
            && let Some(job) = self.jobs.list.get(number)
        {
            let edited = self.edit(job);
            if group.may_postpone && edited.result.as_ref().is_err_and(lacks_room) {
                self.publish(&mut group);
                lock(&self.postponed).push(number);
            } else {
                self.take(&mut group, number, edited);
            }
        }
        self.publish(&mut group);
    }

    /// Edits the postponed files last, one by one, because until then the files that wait to be published take disk
    /// space and descriptors.
    fn work_on_postponed(&self) {
        let mut numbers = std::mem::take(&mut *lock(&self.postponed));
        if numbers.is_empty() {
            return;
        }
        numbers.sort_unstable();
        let mut group = self.group(1);
        group.may_postpone = false;
        for number in numbers {
            let edited = self.edit(&self.jobs.list[number]);
            self.take(&mut group, number, edited);
        }
    }

    fn group(&self, room: usize) -> Waiting<'_, E::Outcome> {
        let group = Group::new(self.batch.sync, room, self.unsynced);
        Waiting { group, outcomes: Vec::new(), may_postpone: self.jobs.list.len() > 1 && !self.batch.stops }
    }

    fn publish(&self, waiting: &mut Waiting<E::Outcome>) {
        let Waiting { group, outcomes, may_postpone } = waiting;
        let published = group.publish(self.batch.manifest.as_ref());
        for ((number, published), mut outcome) in published.into_iter().zip(outcomes.drain(..)) {
            if let Err(error) = published {
                let why = NotEdited::from(error);
                if *may_postpone && lacks_room(&why) {
                    lock(&self.postponed).push(number);
                    continue;
                }
                self.edit.fail(&self.jobs.list[number], &mut outcome, why);
            }
            self.finish(number, outcome, Vec::new());
        }
    }

    /// Edits a file. Its new content may still have to be published.
    fn edit(&self, job: &Job) -> Edited<E::Outcome> {
        let mut outcome = self.edit.begin(job);
        let mut diff = Vec::new();
        if let (Ok(Output::Link(path)), Some(tree)) = (&job.output, &self.tree) {
            let is_written = matches!(self.batch.mode, Mode::Write);
            let made = if is_written { tree.link(path, &job.entry.route()) } else { Ok(()) };
            let failed = |error| self.batch.about_output(job, StreamError::Write(error).into());
            let result = made.map(|()| None).map_err(failed);
            self.edit.copied(&mut outcome);
            return Edited { outcome, result, diff };
        }
        let result = self.open(job).and_then(|file| {
            let product = self.edit.edit(file, &mut outcome);
            let prepared = product.and_then(|product| {
                let Some(product) = product else { return Ok(None) };
                let encodings = self.edit.encodings(&outcome);
                let prepared = self.batch.prepare(job, product, encodings, &mut diff);
                prepared.map_err(|error| StreamError::Write(error).into())
            });
            prepared.map_err(|why| self.batch.about_output(job, why))
        });
        Edited { outcome, result, diff }
    }

    fn open<'a>(&'a self, job: &'a Job) -> Result<OpenJob<'a>, NotEdited> {
        let opened = open::open(job, self.batch, self.tree.as_ref())?;
        opened.output.note(&mut lock(&self.replaced));
        Ok(opened)
    }

    fn take(&self, waiting: &mut Waiting<E::Outcome>, number: usize, edited: Edited<E::Outcome>) {
        let Edited { mut outcome, result, diff } = edited;
        match result {
            Ok(Some((prepared, section))) => {
                waiting.outcomes.push(outcome);
                if waiting.group.add(number, prepared, section) {
                    self.publish(waiting);
                }
                return;
            }
            Ok(None) => {}
            Err(why) => self.edit.fail(&self.jobs.list[number], &mut outcome, why),
        }
        self.finish(number, outcome, diff);
    }

    /// Adds the outcome of the file `number`, then passes each outcome that waits for no earlier file to `finish`, in
    /// order.
    fn finish(&self, number: usize, outcome: E::Outcome, diff: Vec<u8>) {
        self.done.fetch_add(self.jobs.list[number].len, Ordering::Relaxed);
        self.finished_files.fetch_add(1, Ordering::Relaxed);
        let (waiting, finish) = &mut *lock(&self.finished);
        waiting.put(number as u64, (outcome, diff));
        while let Some((number, (outcome, diff))) = waiting.take() {
            if self.edit.has_failed(&outcome) {
                self.is_stopped.fetch_or(self.batch.stops, Ordering::Relaxed);
                self.batch.failed.iter().for_each(|failed| failed.add(&self.jobs.list[number as usize].key));
            }
            finish(&self.jobs.list[number as usize], outcome, diff);
        }
    }
}

/// Whether a file was not edited because of an error that may disappear after waiting files are published.
fn lacks_room(why: &NotEdited) -> bool {
    let NotEdited::Failed(StreamError::Write(error)) = why else { return false };
    system::is_want_of_descriptors(error)
        || matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded)
}

/// Syncs `directories`, so that the names of new files survive a power cut. Returns a message for each directory that
/// cannot be synced.
fn sync_directories(directories: &BTreeSet<PathBuf>) -> Vec<String> {
    let sync = |directory: &PathBuf| {
        let error = sync_directory(directory).err()?;
        let (name, why) = (quoted(directory), reason(&error));
        Some(format!("{name}: cannot sync the directory, so a power cut may lose new files: {why}"))
    };
    directories.iter().filter_map(sync).collect()
}
