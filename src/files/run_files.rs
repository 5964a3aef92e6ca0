//! Manifests as files, in which a run records what it changes: how they begin, and whom they are taken from.
//!
//! An undo follows a manifest, so it must belong to the user, and no other user may be able to write to it.

use std::fs::File;
use std::io;

use crate::files::open_directory::{Access, DirectoryEntry};
use crate::files::renaming::is_own;
use crate::files::stdio::bytes_at;

/// How a manifest begins; the rest of the command that wrote it comes next.
pub const MANIFEST: &str = r#"{"type":"manifest","of":"utfconv"#;

/// Whether an open file is a manifest.
pub fn is_manifest(file: &File) -> io::Result<bool> {
    Ok(bytes_at(file, 0, MANIFEST.len())? == MANIFEST.as_bytes())
}

/// Makes a new manifest, which only the user can read and write. An existing one may be needed to undo another run.
pub fn create(entry: &DirectoryEntry) -> io::Result<File> {
    let file = entry.open(Access::Create(0o600))?;
    refuse_fixed_permissions(entry, &file)?;
    Ok(file)
}

/// Removes a new manifest if others can still write to it.
pub fn refuse_fixed_permissions(entry: &DirectoryEntry, file: &File) -> io::Result<()> {
    if is_own(&file.metadata()?) {
        return Ok(());
    }
    entry.remove()?;
    Err(io::Error::other("other users could change it: the file system ignores permissions"))
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
