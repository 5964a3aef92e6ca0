//! What is to be renamed below one directory, in an order in which every step is possible.
//!
//! The steps of a directory come after those in all directories below it. So whenever a step is done, or taken back in the
//! reverse order, the directories above still have, or have again, their old names.

use std::collections::{BTreeSet, HashMap};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The steps below one directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Job {
    /// The directory, as it is shown.
    pub path: PathBuf,
    /// The directories that have steps, by their old names from there.
    pub directories: Vec<Vec<OsString>>,
    pub steps: Vec<Step>,
}

/// One change of a name or of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Which of the directories.
    pub directory: usize,
    /// That of the file, to recognize it by; 0 if it is not known.
    pub inode: u64,
    /// The encoding that the old name is in; empty if that is not known.
    pub encoding: &'static str,
    pub change: StepChange,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepChange {
    Rename {
        old: OsString,
        new: OsString,
        /// The file system takes both for one name.
        is_respelled: bool,
    },
    /// The target of the link `name`.
    Retarget { name: OsString, old: OsString, new: OsString },
}

impl Step {
    /// The name of the file before.
    pub fn old_name(&self) -> &OsString {
        match &self.change {
            StepChange::Rename { old, .. } => old,
            StepChange::Retarget { name, .. } => name,
        }
    }
}

impl Job {
    /// The path of the file of a step, before all steps.
    pub fn path_of(&self, step: &Step) -> PathBuf {
        self.below(&self.names_of(step))
    }

    /// The path of these names in the directory, as it is shown.
    pub fn below(&self, names: &[OsString]) -> PathBuf {
        let mut path = self.path.clone();
        path.extend(names);
        path
    }

    /// The path of the file of a step, below the directory and before all steps.
    pub fn names_of(&self, step: &Step) -> Vec<OsString> {
        [self.directories[step.directory].as_slice(), std::slice::from_ref(step.old_name())].concat()
    }

    /// The new names, by the old paths below the directory.
    pub fn new_names(&self) -> HashMap<Vec<OsString>, &OsStr> {
        let names = self.steps.iter().filter_map(|step| match &step.change {
            StepChange::Rename { new, .. } => Some((self.names_of(step), new.as_os_str())),
            StepChange::Retarget { .. } => None,
        });
        names.collect()
    }

    /// The directory, as the system takes it.
    pub fn directory(&self) -> &Path {
        as_directory(&self.path)
    }

    /// A job for each of the directories `names`, if all steps are below them; else this one.
    pub fn split(self, names: &BTreeSet<OsString>) -> Vec<Job> {
        match self.directories.iter().any(Vec::is_empty) {
            true => vec![self],
            false => names.iter().map(|name| self.only_below(name)).collect(),
        }
    }

    fn only_below(&self, name: &OsString) -> Job {
        let mut job = Job { path: self.path.join(name), ..Job::default() };
        let mut numbers = vec![None; self.directories.len()];
        for (number, path) in numbers.iter_mut().zip(&self.directories) {
            if path.first() == Some(name) {
                *number = Some(job.directories.len());
                job.directories.push(path[1..].to_vec());
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
