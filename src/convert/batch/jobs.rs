//! The files of a batch: all are known, in order, before the first is converted. So no output is mistaken for
//! an input, no file is converted again, and messages come in the same order whatever threads do.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::io;
use std::mem;
use std::path::{Component, Path, PathBuf};

use crate::convert::plan::{Batch, Destination};
use crate::files::identity::Identity;
use crate::files::replace::{InPlace, backup_of};
use crate::files::walk::{FileEntry, Key, Notes, Supply};
use crate::ui::quote::quoted;

/// A file to convert.
pub struct Job<'a> {
    pub key: Key,
    /// It was found in a directory, and not named.
    pub is_found: bool,
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
    File(PathBuf),
}

impl Job<'_> {
    pub fn path(&self) -> &Path {
        Path::new(&self.key.name)
    }

    /// Ensures that the open file is the one that was found, and was not replaced by a link.
    pub fn ensure_same(&self, metadata: &Metadata) -> io::Result<()> {
        match &self.id {
            Some(id) if Identity::with(metadata, self.path()).as_ref() != Some(id) => {
                Err(io::Error::other("file was replaced"))
            }
            _ => Ok(()),
        }
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
}

impl<'a> Jobs<'a> {
    /// Finds the files; nothing is changed.
    pub fn find(batch: &'a Batch) -> Jobs<'a> {
        let mut targets = batch.targets.clone();
        if let Destination::Directory(directory) = &batch.destination {
            targets.except = directory.canonicalize().ok();
        }
        let supply = Supply::new(targets);
        let mut jobs = Jobs::default();
        loop {
            let files = supply.take(&mut jobs.notes);
            if files.is_empty() {
                break;
            }
            jobs.list.extend(files.iter().filter(|file| !is_copy(file, batch)).map(|file| job(file, batch)));
        }
        for (key, why) in mem::take(&mut jobs.notes.unreadable) {
            jobs.list.push(Job { key, is_found: true, len: 0, id: None, output: Err(why) });
        }
        jobs.list.sort_by(|a, b| a.key.cmp(&b.key));
        // Once is enough.
        let mut names = HashSet::new();
        jobs.list.retain(|job| job.output.is_err() || names.insert(job.key.name.clone()));
        match &batch.destination {
            Destination::InPlace(how) => {
                jobs.refuse_duplicates();
                if let Some(suffix) = &how.backup {
                    jobs.refuse_copies_over_inputs(suffix);
                }
            }
            Destination::Directory(_) => jobs.refuse_outputs_over_others(),
        }
        jobs
    }

    /// Refuses files that are listed already under another name.
    fn refuse_duplicates(&mut self) {
        let mut known = HashMap::new();
        for number in 0..self.list.len() {
            let job = &self.list[number];
            let Some(id) = job.id.clone().filter(|_| job.output.is_ok()) else { continue };
            let first = *known.entry(id).or_insert(number);
            if first < number {
                let first = self.list[first].shown();
                let why = "converting it twice would corrupt it";
                self.list[number].output = Err(format!("is the same file as {first}; {why}"));
            }
        }
    }

    fn refuse_copies_over_inputs(&mut self, suffix: &OsStr) {
        let resolved: Vec<_> = self.list.iter().map(|job| job.path().canonicalize().ok()).collect();
        let inputs: HashSet<_> = resolved.iter().flatten().cloned().collect();
        for (job, path) in self.list.iter_mut().zip(resolved) {
            let Some(copy) = path.map(|path| backup_of(&path, suffix)) else { continue };
            if job.output.is_ok() && inputs.contains(&copy) {
                let copy = shown(&copy);
                job.output = Err(format!("its backup would overwrite {copy}, which is also an input"));
            }
        }
    }

    /// Refuses outputs that would be written over each other, or over inputs.
    fn refuse_outputs_over_others(&mut self) {
        let inputs: HashSet<_> = self.list.iter().filter_map(|job| job.id.clone()).collect();
        let (mut known, mut resolved) = (HashMap::new(), HashMap::new());
        for number in 0..self.list.len() {
            let Ok(Output::File(path)) = &self.list[number].output else { continue };
            // One that is there may have other names, and links may lead to its directory.
            let id = Identity::of(path).unwrap_or_else(|| Identity::Path(resolve(path, &mut resolved)));
            let first = *known.entry(id.clone()).or_insert(number);
            let refusal = if first < number {
                format!("its output {} is also the output of {}", shown(path), self.list[first].shown())
            } else if inputs.contains(&id) {
                format!("its output {} is an input; use -i to convert in place", shown(path))
            } else {
                continue;
            };
            self.list[number].output = Err(refusal);
        }
    }
}

/// Whether a file found in a directory is the backup that an earlier run has made.
fn is_copy(file: &FileEntry, batch: &Batch) -> bool {
    match &batch.destination {
        Destination::InPlace(InPlace { backup: Some(suffix), .. }) if !file.is_named() => {
            file.key().name.as_encoded_bytes().ends_with(suffix.as_encoded_bytes())
        }
        _ => false,
    }
}

fn job<'a>(file: &FileEntry, batch: &'a Batch) -> Job<'a> {
    let key = file.key();
    let output = match &batch.destination {
        _ if file.is_stdin() => Err("cannot use standard input".to_string()),
        Destination::InPlace(how) => Ok(Output::InPlace(how)),
        Destination::Directory(directory) => path_in(directory, Path::new(&key.name)).map(Output::File),
    };
    // Errors will be reported when it is opened.
    let metadata = fs::metadata(Path::new(&key.name)).ok().filter(|_| !file.is_stdin());
    let id = metadata.as_ref().and_then(|metadata| Identity::with(metadata, Path::new(&key.name)));
    Job { is_found: !file.is_named(), len: metadata.map_or(0, |metadata| metadata.len()), id, output, key }
}

/// Where a path leads, whose directories may not be there yet; what was found out about those is in `known`.
fn resolve(path: &Path, known: &mut HashMap<PathBuf, PathBuf>) -> PathBuf {
    let (Some(directory), Some(name)) = (path.parent(), path.file_name()) else { return path.to_path_buf() };
    if let Some(directory) = known.get(directory) {
        return directory.join(name);
    }
    let there = if directory == Path::new("") { Path::new(".") } else { directory };
    let resolved = there.canonicalize().unwrap_or_else(|_| resolve(directory, known));
    known.insert(directory.to_path_buf(), resolved.clone());
    resolved.join(name)
}

fn shown(path: &Path) -> String {
    quoted(path.as_os_str())
}

/// The path in `directory` of the output of a file: its name, without components for the root or the current directory.
fn path_in(directory: &Path, name: &Path) -> Result<PathBuf, String> {
    let mut path = directory.to_path_buf();
    for component in name.components() {
        match component {
            Component::Normal(name) => path.push(name),
            Component::ParentDir => {
                return Err(format!(
                    "'..' in the name would lead outside the output directory {}",
                    shown(directory)
                ));
            }
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn outputs_stay_in_their_directory() {
        let output = |name: &str| path_in(Path::new("out"), Path::new(name)).map_err(|_| ());
        for (name, expected) in
            [("a", "out/a"), ("./a/b", "out/a/b"), ("/etc/a", "out/etc/a"), ("a//b/./c", "out/a/b/c")]
        {
            assert_eq!(output(name), Ok(PathBuf::from(expected)), "{name}");
        }
        assert_eq!([output("../a"), output("a/../../b")], [Err(()), Err(())]);
    }
}
