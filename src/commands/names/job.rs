//! The renames below one directory, in an order in which every step is possible.
//!
//! The steps of a directory come after those in all directories below it. So while a step is done or undone, all
//! directories above its file have their old names.

use std::collections::{BTreeSet, HashMap};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::batch::record::name;

/// The steps below one directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// The directory, as messages show it.
    pub path: PathBuf,
    /// The root of the job, and the directories on the way to steps. Each comes after its parent.
    pub directories: Vec<Directory>,
    pub steps: Vec<Step>,
}

/// A directory of a job.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Directory {
    /// Index of the parent in [`Job::directories`]; `None` for the root of the job.
    pub above: Option<usize>,
    /// Old name in the parent.
    #[serde(with = "name")]
    pub name: OsString,
}

/// One change of a name or of a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Index in [`Job::directories`] of the directory that has the file.
    pub directory: usize,
    /// Inode of the file, which identifies it; 0 if unknown.
    pub inode: u64,
    /// Encoding of the old name; empty if unknown.
    #[serde(skip)]
    pub encoding: &'static str,
    /// Old name, or old target of a link.
    #[serde(with = "name")]
    pub old: OsString,
    /// New name, or new target of a link.
    #[serde(with = "name")]
    pub new: OsString,
    pub kind: StepKind,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StepKind {
    Rename,
    /// A rename between spellings that the file system treats as one name, such as "A" and "a".
    Respell,
    /// Changes the target of the link with this name.
    Retarget(#[serde(with = "name")] OsString),
}

impl Step {
    /// True if the step changes a name, false if it changes the target of a link.
    pub fn is_rename(&self) -> bool {
        !matches!(self.kind, StepKind::Retarget(_))
    }

    /// Returns the name that the file has before the run.
    pub fn old_name(&self) -> &OsString {
        match &self.kind {
            StepKind::Rename | StepKind::Respell => &self.old,
            StepKind::Retarget(link) => link,
        }
    }
}

impl Job {
    pub fn new(path: PathBuf) -> Job {
        Job { path, directories: vec![Directory::default()], steps: Vec::new() }
    }

    /// Returns the path that the file of `step` has before the run.
    pub fn path_of(&self, step: &Step) -> PathBuf {
        self.below(&self.names_of(step))
    }

    /// Returns the path of `names` below the job's directory, as messages show it.
    pub fn below(&self, names: &[OsString]) -> PathBuf {
        let mut path = self.path.clone();
        path.extend(names);
        path
    }

    /// Returns the path, below the job's directory, that the file of `step` has before the run.
    pub fn names_of(&self, step: &Step) -> Vec<OsString> {
        let mut names = vec![step.old_name().clone()];
        let mut here = &self.directories[step.directory];
        while let Some(above) = here.above {
            names.push(here.name.clone());
            here = &self.directories[above];
        }
        names.reverse();
        names
    }

    /// Returns the new names, keyed by the old paths below the job's directory.
    pub fn new_names(&self) -> HashMap<Vec<OsString>, &OsStr> {
        let renames = self.steps.iter().filter(|step| step.is_rename());
        renames.map(|step| (self.names_of(step), step.new.as_os_str())).collect()
    }

    /// Returns the path of the job's directory for system calls.
    pub fn directory(&self) -> &Path {
        as_directory(&self.path)
    }

    /// Splits the job into a job for each of the subdirectories `names`. Returns the job whole if a step is in the
    /// job's directory itself.
    pub fn split(self, names: &BTreeSet<OsString>) -> Vec<Job> {
        if self.steps.iter().any(|step| step.directory == 0) {
            vec![self]
        } else {
            names.iter().map(|name| self.only_below(name)).collect()
        }
    }

    fn only_below(&self, name: &OsString) -> Job {
        let mut job = Job::new(self.path.join(name));
        let mut numbers = vec![None; self.directories.len()];
        for (number, directory) in self.directories.iter().enumerate() {
            match directory.above {
                Some(0) if directory.name == *name => numbers[number] = Some(0),
                Some(above) if numbers[above].is_some() => {
                    numbers[number] = Some(job.directories.len());
                    job.directories.push(Directory { above: numbers[above], name: directory.name.clone() });
                }
                _ => {}
            }
        }
        let below = self
            .steps
            .iter()
            .filter_map(|step| numbers[step.directory].map(|directory| Step { directory, ..step.clone() }));
        job.steps = below.collect();
        job
    }
}

/// Returns the path of a directory for system calls: `.` if `path` is empty.
pub fn as_directory(path: &Path) -> &Path {
    if path.as_os_str().is_empty() { Path::new(".") } else { path }
}
