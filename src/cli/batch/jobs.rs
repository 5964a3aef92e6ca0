//! The files of a batch: all of them are known, in their order, before the first is converted. So no output is taken for
//! an input, nothing is converted twice, and messages come in the same order whatever threads do.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::path::{Component, Path, PathBuf};

use crate::cli::message::quoted;
use crate::cli::plan::{Batch, Destination};
use crate::cli::replace::InPlace;
use crate::cli::walk::{Key, Notes, Supply};

/// A file to convert.
pub struct Job<'a> {
    key: Key,
    /// It was met in a directory, and not named.
    pub is_met: bool,
    /// Its length in bytes, as far as known.
    pub len: u64,
    /// Where its output goes, or why it is not converted.
    pub output: Result<Output<'a>, String>,
}

/// Where the output of a file goes.
pub enum Output<'a> {
    InPlace(&'a InPlace),
    File(PathBuf),
}

impl Job<'_> {
    pub fn path(&self) -> &Path {
        Path::new(&self.key.name)
    }

    /// Its name in messages.
    pub fn shown(&self) -> String {
        quoted(&self.key.name)
    }
}

/// What a batch is about.
#[derive(Default)]
pub struct Jobs<'a> {
    pub list: Vec<Job<'a>>,
    /// What went wrong beside the files, in words.
    pub troubles: Vec<String>,
    pub warnings: Vec<String>,
}

impl Notes for Jobs<'_> {
    fn unreadable(&mut self, key: Key, why: String) {
        self.list.push(Job { key, is_met: true, len: 0, output: Err(why) });
    }

    fn trouble(&mut self, text: String) {
        self.troubles.push(text);
    }

    fn warning(&mut self, text: String) {
        self.warnings.push(text);
    }
}

impl<'a> Jobs<'a> {
    /// Finds the files; nothing is changed.
    pub fn find(batch: &'a Batch) -> Jobs<'a> {
        let mut targets = batch.targets.clone();
        if let Destination::Directory(directory) = &batch.destination {
            targets.except = directory.canonicalize().ok();
        }
        let supply = Supply::new(&targets);
        let mut jobs = Jobs::default();
        loop {
            let files = supply.take(&mut jobs);
            if files.is_empty() {
                break;
            }
            for file in files {
                let output = match &batch.destination {
                    _ if file.is_stdin() => Err("standard input is no file of its own".to_string()),
                    Destination::InPlace(how) => Ok(Output::InPlace(how)),
                    Destination::Directory(directory) => {
                        place_in(directory, Path::new(&file.key().name)).map(Output::File)
                    }
                };
                jobs.list.push(Job { key: file.key(), is_met: !file.is_named(), len: 0, output });
            }
        }
        jobs.list.sort_by(|a, b| a.key.cmp(&b.key));
        let inodes = jobs.refuse_twice();
        match &batch.destination {
            Destination::InPlace(InPlace { backup: Some(suffix), .. }) => {
                jobs.refuse_copies_over_inputs(suffix)
            }
            Destination::InPlace(_) => {}
            Destination::Directory(_) => jobs.refuse_outputs_over_others(&inodes),
        }
        jobs
    }

    /// Refuses what is there already under another name; answers the inodes of all.
    fn refuse_twice(&mut self) -> HashSet<(u64, u64)> {
        let mut known = HashMap::new();
        for number in 0..self.list.len() {
            let job = &self.list[number];
            // What is wrong with it will be told when it is opened.
            let Some(metadata) = job.output.is_ok().then(|| fs::metadata(job.path()).ok()).flatten() else {
                continue;
            };
            let Some(inode) = inode_of(&metadata, job.path()) else { continue };
            let first = *known.entry(inode).or_insert(number);
            let refusal = (first < number).then(|| {
                let first = self.list[first].shown();
                format!("this run converts it already, as {first}; to convert it twice would damage it")
            });
            let job = &mut self.list[number];
            job.len = metadata.len();
            if let Some(refusal) = refusal {
                job.output = Err(refusal);
            }
        }
        known.into_keys().collect()
    }

    fn refuse_copies_over_inputs(&mut self, suffix: &OsStr) {
        let resolved: Vec<_> = self.list.iter().map(|job| job.path().canonicalize().ok()).collect();
        let inputs: HashSet<_> = resolved.iter().flatten().cloned().collect();
        for (job, path) in self.list.iter_mut().zip(resolved) {
            let Some(mut copy) = path.map(PathBuf::into_os_string) else { continue };
            copy.push(suffix);
            if job.output.is_ok() && inputs.contains(Path::new(&copy)) {
                let copy = quoted(&copy);
                job.output = Err(format!("its copy would overwrite {copy}, which is to be converted too"));
            }
        }
    }

    /// Refuses outputs that would be written over each other, or over inputs.
    fn refuse_outputs_over_others(&mut self, inputs: &HashSet<(u64, u64)>) {
        let mut known = HashMap::new();
        for number in 0..self.list.len() {
            let Ok(Output::File(path)) = &self.list[number].output else { continue };
            let inode = fs::metadata(path).ok().and_then(|metadata| inode_of(&metadata, path));
            let first = *known.entry(path.clone()).or_insert(number);
            let refusal = if first < number {
                format!("its output would be {}, which that of {} is", shown(path), self.list[first].shown())
            } else if inode.is_some_and(|inode| inputs.contains(&inode)) {
                format!("its output would be {}, which is an input; -i converts in place", shown(path))
            } else {
                continue;
            };
            self.list[number].output = Err(refusal);
        }
    }
}

fn shown(path: &Path) -> String {
    quoted(path.as_os_str())
}

/// The place in `directory` of what is made of a file: its name, without what leads to the root or here.
fn place_in(directory: &Path, name: &Path) -> Result<PathBuf, String> {
    let mut place = directory.to_path_buf();
    for component in name.components() {
        match component {
            Component::Normal(part) => place.push(part),
            Component::ParentDir => {
                return Err(format!("its name has a '..' in it and would lead out of {}", shown(directory)));
            }
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    Ok(place)
}

/// What tells a file from all others, whatever its name.
#[cfg(unix)]
fn inode_of(metadata: &Metadata, _: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn inode_of(_: &Metadata, path: &Path) -> Option<(u64, u64)> {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    path.canonicalize().ok()?.hash(&mut hasher);
    Some((0, hasher.finish()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn outputs_stay_in_their_directory() {
        let place = |name: &str| place_in(Path::new("out"), Path::new(name)).map_err(|_| ());
        for (name, expected) in
            [("a", "out/a"), ("./a/b", "out/a/b"), ("/etc/a", "out/etc/a"), ("a//b/./c", "out/a/b/c")]
        {
            assert_eq!(place(name), Ok(PathBuf::from(expected)), "{name}");
        }
        assert_eq!([place("../a"), place("a/../../b")], [Err(()), Err(())]);
    }
}
