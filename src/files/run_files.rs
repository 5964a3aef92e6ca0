//! Files in which a run records what it changes, so that it can be undone: how they begin, and whom they are taken from.
//!
//! An undo follows such a file, so it must belong to the user, and no other user may be able to write to it.

use std::fs::File;
use std::io;

use crate::files::open_directory::{Access, DirectoryEntry};
use crate::files::renaming::is_own;
use crate::files::stdio::bytes_at;

/// How a manifest begins; the command that wrote it comes next, if it is not a conversion.
pub const MANIFEST: &str = r#"{"type":"manifest","of":"utfconv"#;

/// The first line of a journal of `names`.
pub const JOURNAL: &str = "utfconv-names 1";

/// The kind of an open file, if it is such a file.
pub fn kind(file: &File) -> io::Result<Option<&'static str>> {
    Ok(kind_of(&bytes_at(file, 0, MANIFEST.len())?))
}

/// The kind of a file with this beginning, if it is such a file.
pub fn kind_of(start: &[u8]) -> Option<&'static str> {
    if start.starts_with(MANIFEST.as_bytes()) {
        return Some("a manifest of utfconv");
    }
    let is_journal = start.strip_prefix(JOURNAL.as_bytes()).is_some_and(|rest| rest.starts_with(b"\n"));
    is_journal.then_some("a journal of utfconv names")
}

/// Makes a new record, which only the user can read and write. One that is there may be needed to undo another run.
pub fn create(entry: &DirectoryEntry) -> io::Result<File> {
    let file = entry.open(Access::Create(0o600))?;
    refuse_fixed_permissions(entry, &file)?;
    Ok(file)
}

/// Removes a new record if others can still write to it.
pub fn refuse_fixed_permissions(entry: &DirectoryEntry, file: &File) -> io::Result<()> {
    if is_own(&file.metadata()?) {
        return Ok(());
    }
    entry.remove()?;
    Err(io::Error::other("other users could change it: the file system ignores permissions"))
}

/// Opens a record, a `what`. One that is not the user's own is an error, with this advice.
pub fn open(entry: &DirectoryEntry, access: Access, what: &str, advice: &str) -> io::Result<File> {
    let file = entry.open(access)?;
    if is_own(&file.metadata()?) {
        return Ok(file);
    }
    let own = "a regular file that only you can write to";
    Err(io::Error::other(format!("is not a {what} of yours: {own}{advice}")))
}
