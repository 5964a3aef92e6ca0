//! Files with temporary names that a run leaves if it is killed during an [exchange](super::draft).
//!
//! After a run, `Replaced::left` looks beside each file that the run may have replaced. It removes drafts and old files that
//! were replaced. A version that another process wrote may be the only copy, so it is reported.

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::files::checksum::checksum;
use crate::files::draft::{ExchangeName, remove_unlocked};
use crate::files::open_directory::{DirectoryEntry, OpenDirectory};
use crate::ui::quote::{as_argument, quoted};

/// A running process puts the version of another process back within less than this time, so what is still there
/// afterwards belongs to a killed run.
const PUT_BACK: Duration = Duration::from_millis(100);

/// The files that a run may replace.
#[derive(Debug, Default)]
pub struct Replaced {
    /// Hashes of file names, by directory.
    files: BTreeMap<PathBuf, HashSet<u64>>,
}

impl Replaced {
    pub fn add(&mut self, directory: &Path, name: &OsStr) {
        let hash = checksum(name.as_encoded_bytes());
        match self.files.get_mut(directory) {
            Some(names) => _ = names.insert(hash),
            None => _ = self.files.insert(directory.to_path_buf(), HashSet::from([hash])),
        }
    }

    pub fn merge(&mut self, other: Replaced) {
        for (directory, names) in other.files {
            self.files.entry(directory).or_default().extend(names);
        }
    }

    /// Looks for files that killed runs have left beside these. Removes drafts and replaced files if `removes` is true.
    /// Returns a message for each version of another process.
    pub fn left(self, removes: bool) -> Vec<String> {
        let mut real: BTreeMap<PathBuf, HashSet<u64>> = BTreeMap::new();
        for (directory, names) in self.files {
            if let Ok(directory) = directory.canonicalize() {
                real.entry(directory).or_default().extend(names);
            }
        }
        let mut found: Vec<_> =
            real.iter().flat_map(|(path, names)| displaced_in(path, names, removes)).collect();
        if !found.is_empty() {
            thread::sleep(PUT_BACK);
            found.retain(|(entry, name)| entry.metadata().is_ok_and(|metadata| !name.is_of(&metadata)));
        }
        found.iter().map(|(entry, name)| text(entry, name)).collect()
    }
}

/// Returns the versions of other processes in a directory, and removes drafts and replaced files if `removes` is true.
fn displaced_in(
    directory: &Path,
    files: &HashSet<u64>,
    removes: bool,
) -> Vec<(DirectoryEntry, ExchangeName)> {
    let entries = fs::read_dir(directory).into_iter().flatten();
    let names = entries.filter_map(|entry| {
        let name = entry.ok()?.file_name();
        Some((ExchangeName::read(&name).filter(|read| files.contains(&read.hash))?, name))
    });
    let names: Vec<_> = names.collect();
    if names.is_empty() {
        return Vec::new();
    }
    let Ok(open) = OpenDirectory::open(directory).map(Arc::new) else { return Vec::new() };
    let mut displaced = Vec::new();
    for (read, name) in names {
        let entry = DirectoryEntry::new(open.clone(), name);
        match entry.metadata() {
            Ok(metadata) if !read.is_of(&metadata) => displaced.push((entry, read)),
            Ok(_) if removes => {
                // A file that cannot be locked belongs to a running process.
                let _ = remove_unlocked(&entry, |_, metadata| Ok(read.is_of(metadata)));
            }
            Ok(_) | Err(_) => {}
        }
    }
    displaced
}

fn text(entry: &DirectoryEntry, name: &ExchangeName) -> String {
    let left = entry.path();
    let shown = |path: &Path| quoted(path.as_os_str());
    let argument = |path: &Path| as_argument(path.as_os_str());
    let (of, advice) = match &name.target {
        Some(target) => {
            let target = left.with_file_name(target);
            (shown(&target), format!("to restore it: mv {} {}", argument(&left), argument(&target)))
        }
        None => ("a file".to_string(), "move it back to its place, or remove it".to_string()),
    };
    format!("{}: a version of {of} by another process, left by a killed run; {advice}", shown(&left))
}
