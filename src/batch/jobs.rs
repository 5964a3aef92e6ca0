//! The files of a batch. All files are known, in order, before the first is edited, so that no output is mistaken for
//! an input and no file is edited twice. Messages keep this order with any number of threads.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::tree::{OutputPath, Tree};
use crate::files::draft::keep_input;
use crate::files::identity::Identity;
use crate::files::in_place::{is_from_a_run, refusals};
use crate::files::replace::{Durability, InPlace, directory_of};
use crate::files::source::Opened;
use crate::files::walk::{FileEntry, Key, LeftOut, Notes, Targets, WorkQueue};
use crate::ui::dialect::Dialect;
use crate::ui::quote::quoted;

/// The destination of results.
pub enum Destination {
    /// Each result replaces its file.
    InPlace(InPlace),
    /// Each result is written to a file of the same name in this directory.
    Directory(PathBuf),
    /// The results are not written.
    Nowhere,
}

impl Destination {
    /// Returns the suffix of backups, if there are backups.
    fn suffix(&self) -> Option<&OsStr> {
        if let Destination::InPlace(how) = self { how.backup.as_deref() } else { None }
    }
}

/// A file to edit.
pub struct Job {
    pub entry: FileEntry,
    pub key: Key,
    /// The length of the file in bytes, or 0 if it is unknown.
    pub len: u64,
    /// The identity of the file; `None` if the file does not exist.
    id: Option<Identity>,
    /// The destination of the output, or why the file is not edited.
    pub(super) output: Result<Output, String>,
}

/// The destination of the output of one file.
pub enum Output {
    InPlace,
    /// A file in the directory for outputs.
    Copy(OutputPath),
    /// A symbolic link with the target of the input, in the directory for outputs.
    Link(OutputPath),
    Nowhere,
}

impl Job {
    fn new(entry: FileEntry, destination: &Destination) -> Job {
        let key = entry.key();
        let output = match destination {
            Destination::Nowhere => Ok(Output::Nowhere),
            _ if entry.is_stdin() => Err("cannot use standard input".to_string()),
            Destination::InPlace(_) => Ok(Output::InPlace),
            Destination::Directory(_) if entry.is_link() => Ok(Output::Link(OutputPath::of(&entry.route()))),
            Destination::Directory(_) => Ok(Output::Copy(OutputPath::of(&entry.route()))),
        };
        // Errors are ignored, because opening the file reports them.
        let metadata =
            fs::metadata(Path::new(&key.name)).ok().filter(|_| !entry.is_stdin() && !entry.is_link());
        let id = metadata.as_ref().and_then(|metadata| Identity::with(metadata, Path::new(&key.name)));
        let len = metadata.map_or(0, |metadata| metadata.len());
        Job { entry, key, len, id, output }
    }

    /// Creates a job for a path that was found but cannot be read, with the reason.
    fn unreadable(key: Key, why: String) -> Job {
        Job { entry: FileEntry::unreadable(&key), key, len: 0, id: None, output: Err(why) }
    }

    pub fn path(&self) -> &Path {
        Path::new(&self.key.name)
    }

    /// Returns the name of the file for messages.
    pub fn shown(&self) -> String {
        quoted(&self.key.name)
    }

    /// Whether the file was found in a directory, and not named by the user.
    pub fn is_found(&self) -> bool {
        !self.entry.is_named()
    }

    /// Returns the path of the output below the output directory; `None` if the output is elsewhere.
    pub(super) fn output_below(&self) -> Option<&OutputPath> {
        if let Ok(Output::Copy(path) | Output::Link(path)) = &self.output { Some(path) } else { None }
    }

    /// Fails unless the open file is the file that was found.
    pub(super) fn ensure_same(&self, opened: &Opened) -> io::Result<()> {
        let is_other = self.id.as_ref().is_some_and(|id| opened.identity().as_ref() != Some(id));
        if is_other { Err(io::Error::other("file was replaced")) } else { Ok(()) }
    }
}

/// All files of a batch.
#[derive(Default)]
pub struct Jobs {
    pub list: Vec<Job>,
    pub notes: Notes,
    /// Messages about outputs that would overwrite each other or a reserved file. If there are any, no file is edited.
    pub conflicts: Vec<String>,
}

impl Jobs {
    /// Finds the files, except those that an earlier run left in a directory, without changing anything. `reserved` are
    /// files that the run writes; `twice` explains why a file is not edited twice.
    pub fn find(mut targets: Targets, destination: &Destination, reserved: &[&Path], twice: &str) -> Jobs {
        if let Destination::Directory(directory) = destination {
            targets.except = directory.canonicalize().ok();
        }
        let mut notes = Notes::default();
        let entries = WorkQueue::new(targets).all(&mut notes);
        let entries = entries.filter(|entry| !is_from_a_run(entry, destination.suffix()));
        let entries: Vec<_> = entries.map(FileEntry::remembered).collect();
        let unreadable = mem::take(&mut notes.unreadable);
        let mut jobs = Jobs::of(entries, destination, reserved, twice);
        jobs.list.extend(unreadable.into_iter().map(|(key, why)| Job::unreadable(key, why)));
        jobs.list.sort_by(|a, b| a.key.cmp(&b.key));
        if notes.has_output && !matches!(destination, Destination::Nowhere) {
            jobs.list.clear();
        }
        Jobs { notes, ..jobs }
    }

    /// Creates jobs for known files, except `reserved`.
    pub fn of(entries: Vec<FileEntry>, destination: &Destination, reserved: &[&Path], twice: &str) -> Jobs {
        let reserved: Vec<_> = reserved.iter().map(|path| (*path, Identity::of(path))).collect();
        let list = entries.into_iter().map(|entry| Job::new(entry, destination)).collect();
        let mut jobs = Jobs { list, ..Jobs::default() };
        jobs.keep_reserved(&reserved);
        jobs.list.sort_by(|a, b| a.key.cmp(&b.key));
        let named = jobs.list.iter().filter(|job| !job.is_found());
        named.filter_map(|job| job.id.clone()).for_each(keep_input);
        // Each file is edited only once.
        let mut names = HashSet::new();
        jobs.list.retain(|job| job.output.is_err() || names.insert(job.key.name.clone()));
        match destination {
            Destination::InPlace(_) => {
                let files = jobs.list.iter().map(|job| (job.path(), job.id.clone()));
                let files: Vec<_> = files.chain(reserved).collect();
                for (number, why) in refusals(&files, destination.suffix(), twice) {
                    if let Some(job) = jobs.list.get_mut(number) {
                        job.output = Err(why);
                    }
                }
            }
            Destination::Directory(directory) => jobs.refuse_outputs_over_others(directory, &reserved),
            Destination::Nowhere => {}
        }
        jobs
    }

    /// Removes files that the run writes from the list. Such a file is a conflict if the user named it, or if it was
    /// found under another name than that of the file to write.
    fn keep_reserved(&mut self, reserved: &[(&Path, Option<Identity>)]) {
        let of =
            |job: &Job| reserved.iter().find(|(_, id)| id.is_some() && job.id == *id).map(|(path, _)| *path);
        let written =
            |path: &Path| format!("the run would write {} over it; nothing is changed", quoted(path));
        for job in &self.list {
            if let Some(path) = of(job).filter(|path| !job.is_found() || !is_same_name(path, job.path())) {
                self.conflicts.push(format!("{}: {}", job.shown(), written(path)));
            }
        }
        self.list.retain(|job| of(job).is_none());
    }

    /// Reports warnings and errors of the search for files. If there are no files, reports the text that `nothing`
    /// returns.
    pub fn announce(&self, who: Dialect, nothing: impl Fn(LeftOut) -> String) {
        let Notes { warnings, errors, has_output, left_out, .. } = &self.notes;
        warnings.iter().for_each(|text| who.report(&format!("warning: {text}")));
        errors.iter().for_each(|text| who.report(text));
        if self.list.is_empty() && errors.is_empty() {
            who.report(&format!("warning: {}", nothing(*left_out)));
        }
        if !has_output {
            self.conflicts.iter().for_each(|text| who.report(text));
        }
    }

    /// Refuses outputs that would overwrite inputs, and finds outputs that would overwrite each other.
    fn refuse_outputs_over_others(&mut self, directory: &Path, reserved: &[(&Path, Option<Identity>)]) {
        let inputs: HashSet<_> = self.list.iter().filter_map(|job| job.id.clone()).collect();
        let mut known = HashMap::new();
        for number in 0..self.list.len() {
            let Some(output) = self.list[number].output_below() else { continue };
            let path = directory.join(&output.below);
            let first = *known.entry(as_compared(&output.below)).or_insert(number);
            if first < number {
                let (this, first) = (self.list[number].shown(), self.list[first].shown());
                let also = format!("its output {} is also the output of {first}", quoted(&path));
                self.conflicts.push(format!("{this}: {also}; nothing was converted"));
            }
            if let Some((list, _)) = reserved.iter().find(|(list, _)| is_same_name(list, &path)) {
                let (this, list) = (self.list[number].shown(), quoted(list));
                self.conflicts.push(format!("{this}: its output is also {list}; nothing was converted"));
            }
            let there = fs::symlink_metadata(&path).ok();
            if there.and_then(|there| Identity::with(&there, &path)).is_some_and(|id| inputs.contains(&id)) {
                let why = format!("its output {} is an input; use -i to convert in place", quoted(&path));
                self.list[number].output = Err(why);
            }
        }
    }

    /// Returns the directory for outputs, if there is one.
    pub(super) fn tree<'a>(
        &'a self,
        destination: &'a Destination,
        sync: Durability,
        unsynced: &'a Mutex<BTreeSet<PathBuf>>,
    ) -> Option<Tree<'a>> {
        let Destination::Directory(directory) = destination else { return None };
        let bases = self.list.iter().filter_map(|job| Some(job.output_below()?.base.as_path()));
        Some(Tree::new(directory, bases, sync, unsynced))
    }
}

/// Returns a form of a path that is equal for two paths if the system treats them as the same path.
fn as_compared(path: &Path) -> PathBuf {
    if cfg!(any(windows, target_os = "macos")) {
        path.to_string_lossy().to_lowercase().into()
    } else {
        path.to_path_buf()
    }
}

/// Whether two paths lead to the same entry of a directory.
pub fn is_same_name(one: &Path, other: &Path) -> bool {
    let entry =
        |path: &Path| Some((directory_of(path).canonicalize().ok()?, path.file_name()?.to_os_string()));
    entry(one).is_some_and(|one| Some(one) == entry(other))
}
