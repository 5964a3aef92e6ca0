//! The files of a batch: all are known, in order, before the first is converted. So no output is mistaken for
//! an input, no file is converted again, and messages come in the same order whatever threads do.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::tree::{OutputPath, Tree};
use crate::config::Configuration;
use crate::convert::plan::{Batch, Destination};
use crate::files::draft::keep_input;
use crate::files::identity::Identity;
use crate::files::in_place::{Candidate, is_from_a_run, refusals};
use crate::files::open_directory::Route;
use crate::files::replace::InPlace;
use crate::files::source::Opened;
use crate::files::walk::{Excludes, FileEntry, Key, Notes, Supply};
use crate::ui::quote::quoted;

/// A file to convert.
pub struct Job<'a> {
    pub key: Key,
    /// It was found in a directory, and not named.
    pub is_found: bool,
    /// How its path is followed.
    pub route: Route,
    /// Its length in bytes, as far as known.
    pub len: u64,
    /// None if there is nothing of that name.
    id: Option<Identity>,
    /// Where its output goes, or why it is not converted.
    pub output: Result<Output<'a>, String>,
}

/// Where the output of a file goes.
pub enum Output<'a> {
    InPlace(&'a InPlace),
    /// A file in the output directory.
    Copy(OutputPath),
}

impl Job<'_> {
    pub fn path(&self) -> &Path {
        Path::new(&self.key.name)
    }

    /// Ensures that the open file is the one that was found, and was not replaced by a link.
    pub fn ensure_same(&self, opened: &Opened) -> io::Result<()> {
        match &self.id {
            Some(id) if opened.identity().as_ref() != Some(id) => Err(io::Error::other("file was replaced")),
            _ => Ok(()),
        }
    }

    fn candidate(&self) -> Candidate<'_> {
        Candidate { name: self.path().into(), id: self.id.clone() }
    }

    /// Its name in messages.
    pub fn shown(&self) -> String {
        quoted(&self.key.name)
    }
}

/// All files of a batch.
#[derive(Default)]
pub struct Jobs<'a> {
    pub list: Vec<Job<'a>>,
    pub notes: Notes,
    /// Files that would have the same output, in words. Then nothing is to be converted.
    pub conflicts: Vec<String>,
}

impl<'a> Jobs<'a> {
    /// Finds the files; nothing is changed.
    pub fn find(batch: &'a Batch, configuration: Option<&Arc<Configuration>>) -> Jobs<'a> {
        let mut targets = batch.targets.clone();
        targets.configured = configuration.map(|configuration| configuration.clone() as Arc<dyn Excludes>);
        if let Destination::Directory(directory) = &batch.destination {
            targets.except = directory.canonicalize().ok();
        }
        let mut jobs = Jobs::default();
        let files = Supply::new(targets).all(&mut jobs.notes);
        let files = files.filter(|file| !is_from_a_run(file, batch.destination.suffix()));
        jobs.list.extend(files.map(|file| job(&file, batch)));
        for (key, why) in mem::take(&mut jobs.notes.unreadable) {
            let route = Route::Named(PathBuf::from(&key.name));
            jobs.list.push(Job { key, is_found: true, route, len: 0, id: None, output: Err(why) });
        }
        jobs.list.sort_by(|a, b| a.key.cmp(&b.key));
        jobs.list.iter().filter(|job| !job.is_found).filter_map(|job| job.id.clone()).for_each(keep_input);
        // Once is enough.
        let mut names = HashSet::new();
        jobs.list.retain(|job| job.output.is_err() || names.insert(job.key.name.clone()));
        match &batch.destination {
            Destination::InPlace(_) => {
                let files: Vec<_> = jobs.list.iter().map(Job::candidate).collect();
                let twice = "converting it twice would corrupt it";
                for (number, why) in refusals(&files, batch.destination.suffix(), twice) {
                    jobs.list[number].output = Err(why);
                }
            }
            Destination::Directory(directory) => jobs.refuse_outputs_over_others(directory),
        }
        jobs
    }

    /// Refuses outputs that would be written over inputs, and finds those that would be written over each other.
    fn refuse_outputs_over_others(&mut self, directory: &Path) {
        let inputs: HashSet<_> = self.list.iter().filter_map(|job| job.id.clone()).collect();
        let mut known = HashMap::new();
        for number in 0..self.list.len() {
            let Ok(Output::Copy(output)) = &self.list[number].output else { continue };
            let path = directory.join(&output.below);
            let first = *known.entry(as_compared(&output.below)).or_insert(number);
            if first < number {
                let (this, first) = (self.list[number].shown(), self.list[first].shown());
                let path = shown(&path);
                self.conflicts.push(format!(
                    "{this}: its output {path} is also the output of {first}; nothing was converted"
                ));
            }
            let there = fs::symlink_metadata(&path).ok();
            if there.and_then(|there| Identity::with(&there, &path)).is_some_and(|id| inputs.contains(&id)) {
                let why = format!("its output {} is an input; use -i to convert in place", shown(&path));
                self.list[number].output = Err(why);
            }
        }
    }

    /// The directory for outputs, if there is one.
    pub fn tree(&self, batch: &'a Batch, unsynced: &'a Mutex<BTreeSet<PathBuf>>) -> Option<Tree<'a>> {
        let Destination::Directory(directory) = &batch.destination else { return None };
        let bases = self.list.iter().filter_map(|job| match &job.output {
            Ok(Output::Copy(output)) => Some(output.base.as_path()),
            _ => None,
        });
        Some(Tree::new(directory, bases, batch.sync, unsynced))
    }
}

/// What is the same for two paths that the system takes for one.
fn as_compared(path: &Path) -> PathBuf {
    match cfg!(any(windows, target_os = "macos")) {
        true => path.to_string_lossy().to_lowercase().into(),
        false => path.to_path_buf(),
    }
}

fn job<'a>(file: &FileEntry, batch: &'a Batch) -> Job<'a> {
    let (key, route) = (file.key(), file.route());
    let output = match &batch.destination {
        _ if file.is_stdin() => Err("cannot use standard input".to_string()),
        Destination::InPlace(how) => Ok(Output::InPlace(how)),
        Destination::Directory(_) => Ok(Output::Copy(OutputPath::of(&route))),
    };
    // Errors will be reported when it is opened.
    let metadata = fs::metadata(Path::new(&key.name)).ok().filter(|_| !file.is_stdin());
    let id = metadata.as_ref().and_then(|metadata| Identity::with(metadata, Path::new(&key.name)));
    let len = metadata.map_or(0, |metadata| metadata.len());
    Job { is_found: !file.is_named(), route, len, id, output, key }
}

fn shown(path: &Path) -> String {
    quoted(path.as_os_str())
}
