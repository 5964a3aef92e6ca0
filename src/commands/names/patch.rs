//! Shows the planned renames of a run as a patch for git. Such patches have no directories, so each file in a renamed
//! directory gets a rename of its own.

use std::collections::{BTreeSet, HashMap};
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::PathBuf;

use super::descent::Descent;
use super::job::Job;
use crate::batch::diff::Renderer;
use crate::files::renaming::{EntryKind, Listed};

/// The patch of a run.
#[derive(Default)]
pub struct Patch {
    pub text: Vec<u8>,
    /// Entries whose path changes, but which a patch cannot rename: the path and the kind.
    pub left: Vec<(PathBuf, &'static str)>,
}

impl Patch {
    /// Adds the effect of the steps of `job`.
    pub fn add(&mut self, job: &Job, renderer: &Renderer) -> io::Result<()> {
        let here = job.directory();
        let (base, mut descent) = (here.canonicalize()?, Descent::new(here)?);
        let changes = Changes::of(job);
        let mut waiting = Vec::new();
        for path in changes.topmost() {
            let Some((name, directory)) = path.split_last() else { continue };
            let found = descent.open(directory)?.look_up(name)?;
            waiting.extend(found.map(|found| (path.to_vec(), found.kind)));
        }
        waiting.reverse();
        while let Some((path, kind)) = waiting.pop() {
            match kind {
                EntryKind::Directory => {
                    let listed = descent.open(&path)?.list()?;
                    if let Some(what) = inexpressible(&listed) {
                        self.left.push((job.below(&path), what));
                        continue;
                    }
                    let below = |Listed { name, kind }| ([&path[..], &[name]].concat(), kind);
                    waiting.extend(listed.into_iter().rev().map(below));
                }
                EntryKind::Other => self.left.push((job.below(&path), "a special file")),
                EntryKind::File | EntryKind::Link => {
                    let old = base.join(path.iter().collect::<PathBuf>());
                    let new = base.join(changes.new_path(&path));
                    let targets = changes.targets.get(&path).map(|pair| pair.map(OsStr::as_encoded_bytes));
                    self.text.extend(renderer.rename(&old, &new, targets));
                }
            }
        }
        Ok(())
    }
}

/// Returns what `listed` shows about its directory that a patch cannot express.
fn inexpressible(listed: &[Listed]) -> Option<&'static str> {
    if listed.iter().any(|entry| entry.name == ".git") {
        Some("a repository")
    } else {
        listed.is_empty().then_some("an empty directory")
    }
}

/// The steps of a job, keyed by the old paths of the files.
struct Changes<'a> {
    /// The new names of files.
    names: HashMap<Vec<OsString>, &'a OsStr>,
    /// The old and the new target of each symbolic link.
    targets: HashMap<Vec<OsString>, [&'a OsStr; 2]>,
}

impl Changes<'_> {
    fn of(job: &Job) -> Changes<'_> {
        let links = job.steps.iter().filter(|step| !step.is_rename());
        let targets = links.map(|step| (job.names_of(step), [&*step.old, &*step.new]));
        Changes { names: job.new_names(), targets: targets.collect() }
    }

    /// Returns the sorted paths of changed entries that are not inside a renamed directory.
    fn topmost(&self) -> BTreeSet<&[OsString]> {
        let is_topmost =
            |path: &&[OsString]| !(1..path.len()).any(|len| self.names.contains_key(&path[..len]));
        self.names.keys().chain(self.targets.keys()).map(Vec::as_slice).filter(is_topmost).collect()
    }

    /// Returns the path that the file at `path` has after the run.
    fn new_path(&self, path: &[OsString]) -> PathBuf {
        let new_name = |len: usize| self.names.get(&path[..len]).copied().unwrap_or(&path[len - 1]);
        (1..=path.len()).map(new_name).collect()
    }
}
