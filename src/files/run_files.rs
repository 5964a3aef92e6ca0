//! Manifests, in which a run records its changes, as files: their first bytes, locks and permissions.
//!
//! An undo follows a manifest, so a manifest must belong to the user, and no other user may be able to write to it.

use std::fs::{File, Metadata, TryLockError};
use std::io::{self, ErrorKind};
use std::path::Path;

use crate::files::open_directory::{Access, DirectoryEntry};
use crate::files::stdio::bytes_at;
use crate::files::system;
use crate::ui::quote::as_argument;

/// The first bytes of every manifest, up to the name of a subcommand.
pub const MANIFEST: &str = r#"{"type":"manifest","of":"utfconv"#;

/// Whether an open file begins like a manifest.
pub fn is_manifest(file: &File) -> io::Result<bool> {
    Ok(bytes_at(file, 0, MANIFEST.len())? == MANIFEST.as_bytes())
}

/// Creates a manifest that only the user can read and write, and locks it for this process. Fails if the file exists,
/// because an existing manifest may be needed to undo another run.
pub fn create(entry: &DirectoryEntry) -> io::Result<File> {
    let file = entry.open(Access::Create(0o600))?;
    // Before the lock, another run may have removed the new manifest as a leftover of a killed run.
    if !lock(entry, &file)? {
        return Err(in_use());
    }
    if distrust(&file.metadata()?).is_none() {
        return Ok(file);
    }
    entry.remove()?;
    Err(io::Error::other("other users could change it: the file system ignores permissions"))
}

/// Opens a manifest like [`open`], and locks the file for this process.
pub fn open_locked(entry: &DirectoryEntry, path: &Path, advice: &str) -> io::Result<File> {
    loop {
        let file = open(entry, Access::ReadWrite, path, advice)?;
        // Between opening and locking, another run may have removed the file, and a third run may have created a new
        // manifest.
        if lock(entry, &file)? {
            return Ok(file);
        }
    }
}

/// Opens a manifest. `path` is its path in commands. Fails if another user may have written the file. The error ends
/// with `advice`, unless it has a command that makes the file the user's own.
pub fn open(entry: &DirectoryEntry, access: Access, path: &Path, advice: &str) -> io::Result<File> {
    let file = entry.open(access)?;
    let why = match distrust(&file.metadata()?) {
        None => return Ok(file),
        Some(Distrust::Writable) => format!("others can write to it; run chmod go-w {}", argument(path)),
        Some(Distrust::Kind) => format!("it is not a regular file{advice}"),
        Some(Distrust::Owner) => format!("it belongs to another user{advice}"),
        Some(Distrust::Links) => format!("it has another hard link{advice}"),
    };
    Err(io::Error::other(format!("refused: {why}")))
}

/// Returns a path as a command-line argument, without `./` before a name in the current directory.
pub fn argument(path: &Path) -> String {
    as_argument(path.strip_prefix(".").unwrap_or(path))
}

/// Why another user may have written a file.
#[cfg_attr(not(unix), expect(dead_code, reason = "only Unix tells owners and permissions"))]
enum Distrust {
    /// The file is a pipe, a device or a directory.
    Kind,
    Owner,
    /// The group or all users may write.
    Writable,
    /// Another name of the file may be in a directory of another user.
    Links,
}

/// Returns why another user may have written a file; `None` if that is impossible.
fn distrust(metadata: &Metadata) -> Option<Distrust> {
    if !metadata.is_file() {
        return Some(Distrust::Kind);
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if metadata.uid() != rustix::process::geteuid().as_raw() {
            return Some(Distrust::Owner);
        }
        if metadata.mode() & 0o022 != 0 {
            return Some(Distrust::Writable);
        }
        if metadata.nlink() != 1 {
            return Some(Distrust::Links);
        }
    }
    None
}

/// Locks a manifest for this process. Returns false if the name of the manifest now leads to another file, or to no
/// file.
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
