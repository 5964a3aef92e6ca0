//! Backups of replaced files: a copy beside the file, with its attributes.

use std::ffi::OsStr;
use std::fs::{File, FileTimes, Metadata};
use std::io::{self, ErrorKind, Seek};
use std::path::{Path, PathBuf};

use crate::files::attributes;
use crate::files::draft::{Draft, is_same_content};
use crate::files::open_directory::{Access, DirectoryEntry};
use crate::files::replace::{Durability, InPlace};
use crate::ui::quote::{quoted, with_context};

/// Returns the access and modification times of a file.
pub fn times_of(metadata: &Metadata) -> io::Result<FileTimes> {
    Ok(FileTimes::new().set_accessed(metadata.accessed()?).set_modified(metadata.modified()?))
}

pub fn backup_of(path: &Path, suffix: &OsStr) -> PathBuf {
    let mut backup = path.as_os_str().to_os_string();
    backup.push(suffix);
    backup.into()
}

/// Whether the name of a new backup is free, and if not, what has the name.
enum There {
    Nothing,
    /// The name has a backup of the same content, from an earlier run.
    Same,
    Other,
}

/// Finds out whether the name `to` of a backup of `old` is free.
fn look_at(to: &DirectoryEntry, old: &File) -> io::Result<There> {
    match to.metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(There::Nothing),
        Err(error) => Err(error),
        Ok(there) if !there.is_file() => Ok(There::Other),
        Ok(_) => {
            let is_same = to.open(Access::Read).and_then(|there| is_same_content(&there, old));
            Ok(if is_same.unwrap_or(false) { There::Same } else { There::Other })
        }
    }
}

/// Copies the old file, with its attributes, to a backup beside it. An existing backup is never replaced: either a
/// number is added to the name, or the backup fails.
pub fn back_up(
    old: &File,
    metadata: &Metadata,
    entry: &DirectoryEntry,
    how: &InPlace,
    sync: Durability,
) -> io::Result<()> {
    let Some(suffix) = &how.backup else { return Ok(()) };
    let backup = backup_of(&entry.path(), suffix);
    let first = entry.sibling(backup.file_name().unwrap_or_default().to_os_string());
    let (mut to, mut number) = (first.clone(), 0_u64);
    loop {
        let context = format!("cannot back up to {}", quoted(to.name()));
        let failed = |error: io::Error| with_context(&error, &context);
        match look_at(&to, old).map_err(failed)? {
            There::Same => return Ok(()),
            There::Nothing => return copy_to(old, metadata, &to, sync).map_err(failed),
            There::Other if how.numbers_backups => {}
            There::Other => {
                let why = "it exists already; remove it, or use --backup=numbered";
                return Err(failed(io::Error::other(why)));
            }
        }
        number += 1;
        let mut name = first.name().to_os_string();
        name.push(format!(".{number}"));
        to = first.sibling(name);
    }
}

/// Copies the old file, with its attributes, to an entry whose name is free.
fn copy_to(old: &File, metadata: &Metadata, to: &DirectoryEntry, sync: Durability) -> io::Result<()> {
    let draft = Draft::new(to.clone(), 0o600)?;
    let mut file = draft.file();
    let mut old = old;
    old.rewind()?;
    // `io::copy` lets the kernel clone the content if the file system supports that.
    io::copy(&mut old, &mut file)?;
    if !attributes::copy(old, metadata, file)? {
        return Err(io::Error::other("a new file cannot have its owner or attributes"));
    }
    file.set_times(times_of(metadata)?)?;
    sync.content(file)?;
    draft.create()?;
    // The backup has to be on disk before the old file is replaced.
    if sync == Durability::File { to.directory().sync() } else { Ok(()) }
}
