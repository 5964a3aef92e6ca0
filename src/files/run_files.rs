//! Manifests as files, in which a run records what it changes: how they begin, and whom they are taken from.
//!
//! An undo follows a manifest, so it must belong to the user, and no other user may be able to write to it.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind};

use crate::files::open_directory::{Access, DirectoryEntry};
use crate::files::renaming::is_own;
use crate::files::stdio::bytes_at;
use crate::files::system;

/// How a manifest begins; the rest of the command that wrote it comes next.
pub const MANIFEST: &str = r#"{"type":"manifest","of":"utfconv"#;

/// Whether an open file is a manifest.
pub fn is_manifest(file: &File) -> io::Result<bool> {
    Ok(bytes_at(file, 0, MANIFEST.len())? == MANIFEST.as_bytes())
}

/// Creates a manifest, locked for this process, which only the user can read and write. An existing one may be needed to
/// undo another run.
pub fn create(entry: &DirectoryEntry) -> io::Result<File> {
    let file = entry.open(Access::Create(0o600))?;
    // Another run may have taken the manifest for one that was left, and may have removed it.
    if !lock(entry, &file)? {
        return Err(in_use());
    }
    if is_own(&file.metadata()?) {
        return Ok(file);
    }
    entry.remove()?;
    Err(io::Error::other("other users could change it: the file system ignores permissions"))
}

/// Opens a manifest like [`open`], and locks it for this process.
pub fn open_locked(entry: &DirectoryEntry, advice: &str) -> io::Result<File> {
    loop {
        let file = open(entry, Access::ReadWrite, advice)?;
        // If another run has ended since, there may be the manifest of a third one.
        if lock(entry, &file)? {
            return Ok(file);
        }
    }
}

/// Opens a manifest. One that is not the user's own is an error, with this advice.
pub fn open(entry: &DirectoryEntry, access: Access, advice: &str) -> io::Result<File> {
    let file = entry.open(access)?;
    if is_own(&file.metadata()?) {
        return Ok(file);
    }
    let own = "a regular file that only you can write to";
    Err(io::Error::other(format!("is not a manifest of yours: {own}{advice}")))
}

/// Locks a manifest for this process. False if its name leads to another file by now, or to none.
fn lock(entry: &DirectoryEntry, file: &File) -> io::Result<bool> {
    if let Err(TryLockError::WouldBlock) = file.try_lock() {
        return Err(in_use());
    }
    match entry.metadata() {
        Ok(named) => Ok(system::is_same(&file.metadata()?, &named) != Some(false)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

fn in_use() -> io::Error {
    io::Error::other("another run is writing it")
}
