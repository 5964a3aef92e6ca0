//! Cleans up files with temporary names that a run leaves if it is killed during an [exchange](super::draft).
//!
//! After a run, `Replaced::left` looks beside each file that the run may have replaced. It removes drafts, and old
//! files whose new content is in place. It reports a version that another process wrote, and an old file whose new
//! content was lost in a power failure, because these may be the only copies.

use std::collections::{BTreeMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::files::checksum::checksum;
use crate::files::draft::{ExchangeName, is_left, is_same_content, remove_unlocked};
use crate::files::open_directory::{Access, DirectoryEntry, OpenDirectory};
use crate::ui::quote::{as_argument, quoted};

/// Maximum time in which a running process moves the version of another process back, so that a file that is still
/// there afterwards belongs to a killed run.
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

    /// Looks for files that killed runs left beside the files of the run. Removes drafts and replaced files if
    /// `removes` is true. Returns a message for each file that may be the only copy of its content.
    pub fn left(self, removes: bool) -> Vec<String> {
        let mut real: BTreeMap<PathBuf, HashSet<u64>> = BTreeMap::new();
        for (directory, names) in self.files {
            if let Ok(directory) = directory.canonicalize() {
                real.entry(directory).or_default().extend(names);
            }
        }
        let mut found: Vec<_> =
            real.iter().flat_map(|(path, names)| needed_in(path, names, removes)).collect();
        if !found.is_empty() {
            thread::sleep(PUT_BACK);
            found.retain(Leftover::is_needed);
        }
        found.iter().map(Leftover::text).collect()
    }
}

/// Returns the leftovers in a directory that may be the only copies of their content, and removes the others if
/// `removes` is true.
fn needed_in(directory: &Path, files: &HashSet<u64>, removes: bool) -> Vec<Leftover> {
    let names =
        || fs::read_dir(directory).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.file_name()));
    let marked = names().filter(|name| !is_left(name)).filter_map(|name| {
        Some((ExchangeName::read(&name).filter(|read| files.contains(&read.hash))?, name))
    });
    let marked: Vec<_> = marked.collect();
    if marked.is_empty() {
        return Vec::new();
    }
    let Ok(open) = OpenDirectory::open(directory).map(Arc::new) else { return Vec::new() };
    let mut needed = Vec::new();
    for (read, name) in marked {
        let is_target = |name: &OsString| checksum(name.as_encoded_bytes()) == read.hash;
        // If the target was removed, its name may be in the temporary name as a whole.
        let target = names().find(is_target).or_else(|| read.target.clone().map(OsString::from));
        let target = target.map(|target| DirectoryEntry::new(open.clone(), target));
        let leftover = Leftover { entry: DirectoryEntry::new(open.clone(), name), read, target };
        if leftover.is_needed() {
            needed.push(leftover);
        } else if removes {
            // A file that cannot be locked belongs to a running process.
            let _ = remove_unlocked(&leftover.entry, |_, metadata| Ok(!leftover.holds_only_copy(metadata)));
        }
    }
    needed
}

/// A file with a temporary name that a killed run left.
struct Leftover {
    entry: DirectoryEntry,
    read: ExchangeName,
    /// The file that the run was to replace, if its name is known.
    target: Option<DirectoryEntry>,
}

impl Leftover {
    /// Whether the file still exists and may be the only copy of its content.
    fn is_needed(&self) -> bool {
        self.entry.metadata().is_ok_and(|metadata| self.holds_only_copy(&metadata))
    }

    /// True if the leftover with this `metadata` may be the only copy of its content, because it is a version of
    /// another process, or because its target has changed since the exchange, as in a power failure.
    fn holds_only_copy(&self, metadata: &Metadata) -> bool {
        if self.read.is_old(metadata) {
            !self.is_replaced() && !self.is_in_place()
        } else {
            !self.read.is_draft(metadata)
        }
    }

    /// Whether the target is the draft, unchanged since the exchange.
    fn is_replaced(&self) -> bool {
        let metadata = self.target.as_ref().and_then(|target| target.metadata().ok());
        metadata.is_some_and(|metadata| self.read.is_draft(&metadata))
    }

    /// Whether the target has the same content as the leftover, as after an undo.
    fn is_in_place(&self) -> bool {
        let open = |entry: &DirectoryEntry| entry.open(Access::Read).ok();
        let files = self.target.as_ref().and_then(|target| Some((open(target)?, open(&self.entry)?)));
        files.is_some_and(|(target, left)| is_same_content(&target, &left).unwrap_or(false))
    }

    fn text(&self) -> String {
        let left = self.entry.path();
        let (of, advice) = match self.target.as_ref().map(|target| (target, target.path())) {
            Some((target, path)) => {
                let commands = [&left, &path].map(as_argument).join(" ");
                let is_gone = target.metadata().is_err_and(|error| error.kind() == ErrorKind::NotFound);
                let advice = if is_gone || self.is_replaced() {
                    format!("to restore it: mv {commands}")
                } else {
                    format!("{} has changed since; to compare them: diff {commands}", quoted(&path))
                };
                (quoted(&path), advice)
            }
            None => ("a file".to_string(), "move it back to its place, or remove it".to_string()),
        };
        let is_old = self.entry.metadata().is_ok_and(|metadata| self.read.is_old(&metadata));
        let (what, by) = if is_old { ("the old version", "") } else { ("a version", " by another process") };
        format!("{}: {what} of {of}{by}, left by an earlier run; {advice}", quoted(&left))
    }
}
