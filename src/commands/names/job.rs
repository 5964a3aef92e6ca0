//! The renames below one directory, in an order in which every step is possible.
//!
//! The steps of a directory come after those in all directories below it. So whenever a step is done, or undone in the
//! reverse order, the directories above still have, or have again, their old names.

use std::collections::{BTreeSet, HashMap};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::batch::record::name;

/// The steps below one directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// The directory, as it is shown.
    pub path: PathBuf,
    /// The directory itself, and those below it on the way to steps. Each comes after the one that it is in.
    pub directories: Vec<Directory>,
    pub steps: Vec<Step>,
}

/// A directory of a job.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Directory {
    /// The number of the one that it is in. None for the directory of the job.
    pub above: Option<usize>,
    /// Its old name there.
    #[serde(with = "name")]
    pub name: OsString,
}

/// One change of a name or of a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Which of the directories.
    pub directory: usize,
    /// That of the file, to recognize it by; 0 if it is not known.
    pub inode: u64,
    /// The encoding that the old name is in; empty if that is not known.
    #[serde(skip)]
    pub encoding: &'static str,
    /// The name, or the target of a link, before and after.
    #[serde(with = "name")]
    pub old: OsString,
    #[serde(with = "name")]
    pub new: OsString,
    pub kind: StepKind,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StepKind {
    Rename,
    /// The file system takes both for one name.
    Respell,
    /// Changes the target of this link.
    Retarget(#[serde(with = "name")] OsString),
}

impl Step {
    /// Whether a name changes, and not a target.
    pub fn is_rename(&self) -> bool {
        !matches!(self.kind, StepKind::Retarget(_))
    }

    /// Returns the name of the file before.
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

    /// Returns the path of the file of a step, before all steps.
    pub fn path_of(&self, step: &Step) -> PathBuf {
        self.below(&self.names_of(step))
    }

    /// Returns the path of these names in the directory, as it is shown.
    pub fn below(&self, names: &[OsString]) -> PathBuf {
        let mut path = self.path.clone();
        path.extend(names);
        path
    }

    /// Returns the path of the file of a step, below the directory and before all steps.
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

    /// Returns the new names, by the old paths below the directory.
    pub fn new_names(&self) -> HashMap<Vec<OsString>, &OsStr> {
        let renames = self.steps.iter().filter(|step| step.is_rename());
        renames.map(|step| (self.names_of(step), step.new.as_os_str())).collect()
    }

    /// Returns the directory, as the system takes it.
    pub fn directory(&self) -> &Path {
        as_directory(&self.path)
    }

    /// A job for each of the directories `names`, if all steps are below them; else this one.
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

/// A directory as the system takes it: by its name even if that is empty.
pub fn as_directory(path: &Path) -> &Path {
    if path.as_os_str().is_empty() { Path::new(".") } else { path }
}
