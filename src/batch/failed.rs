//! Lists of the files that were not edited, for a program that continues with them.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Mutex;

use crate::files::replace::directory_of;
use crate::files::sink::Sink;
use crate::files::source::refuse_directory;
use crate::files::walk::Key;
use crate::ui::quote::{quoted, reason};
use crate::ui::threads::lock;

/// The file for a list of names, and the byte that ends each name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedPlan {
    pub file: OsString,
    pub end: u8,
}

/// The list of the failed files of a run.
pub struct Failed {
    plan: FailedPlan,
    keys: Mutex<Vec<Key>>,
}

impl Failed {
    /// Creates an empty list. Fails with a message if the list could not be written at the end.
    pub fn new(plan: FailedPlan) -> Result<Failed, String> {
        refuse_other(Path::new(&plan.file))
            .map_err(|error| format!("{}: {}", quoted(&plan.file), reason(&error)))?;
        Ok(Failed { plan, keys: Mutex::default() })
    }

    pub fn add(&self, key: &Key) {
        lock(&self.keys).push(key.clone());
    }

    /// Writes the list in the order of the report, even if the list is empty. Returns a message if the write failed.
    pub fn write(&self) -> Option<String> {
        let FailedPlan { file, end } = &self.plan;
        let mut keys = lock(&self.keys);
        keys.sort_unstable();
        let names: Vec<_> = keys.iter().map(|key| key.name.as_os_str()).collect();
        write(file, *end, &names).err().map(|error| format!("{}: {}", quoted(file), reason(&error)))
    }
}

/// Fails if a list cannot replace this file. Devices can be written, and so can pipes that are already open
/// (`/dev/stdout`, `/dev/fd/63`), but opening another pipe would wait for its other end.
fn refuse_other(file: &Path) -> io::Result<()> {
    fs::metadata(directory_of(file))?;
    let Ok(metadata) = fs::metadata(file) else { return Ok(()) };
    refuse_directory(&metadata)?;
    let is_usable = metadata.is_file() || file.starts_with("/dev");
    if is_usable { Ok(()) } else { Err(io::Error::other("not a regular file")) }
}

/// Writes all names. If newlines end names, a name with a newline is an error, but the other names are still written.
fn write(file: &OsString, end: u8, names: &[&OsStr]) -> io::Result<()> {
    let mut sink = Sink::open(Some(file))?;
    let (omitted, written): (Vec<&OsStr>, Vec<&OsStr>) =
        names.iter().copied().partition(|name| name.as_encoded_bytes().contains(&end));
    for name in written {
        sink.write_all(name.as_encoded_bytes())?;
        sink.write_all(&[end])?;
    }
    sink.commit()?;
    let Some(name) = omitted.first() else { return Ok(()) };
    let text = format!("{} is not in it, as its name has a newline; use --failed0", quoted(name));
    Err(io::Error::other(text))
}
