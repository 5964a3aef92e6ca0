//! An open directory, and its entries.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, FileType, ReadDir};
use std::io;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use crate::files::identity::Identity;
use crate::files::open_directory::{OpenDirectory, Root};
use crate::files::stdio;

/// A directory whose files are opened by their bare names, so that the system need not resolve a path for each.
#[derive(Debug)]
pub struct Directory {
    opened: OpenDirectory,
    /// The directory named by the user in which the walk began.
    pub root: Arc<Root>,
    /// The names of [`SETTINGS`] in the directory; `None` if they are unknown.
    settings: Option<Vec<&'static str>>,
}

/// Names of configuration and ignore files, which most directories do not have.
const SETTINGS: [&str; 8] = [
    ".editorconfig",
    ".git",
    ".gitattributes",
    ".gitignore",
    ".ignore",
    ".jj",
    ".utfconv.toml",
    "utfconv.toml",
];

impl Directory {
    /// Opens a directory, and reads its first entries.
    pub fn open(path: &Path, root: Arc<Root>) -> io::Result<(Directory, Vec<Entry>, Entries)> {
        let opened = OpenDirectory::open(path)?;
        let (first, entries) = Entries::first(path)?;
        // Some systems do not distinguish upper and lower case.
        let settings = entries.0.is_none().then(|| {
            let known =
                |(name, _): &Entry| SETTINGS.into_iter().find(|known| name.eq_ignore_ascii_case(known));
            first.iter().filter_map(known).collect()
        });
        Ok((Directory { opened, root, settings }, first, entries))
    }

    pub fn path(&self) -> &Path {
        self.opened.path()
    }

    /// Whether the directory may have a configuration or ignore file of this name. False is certain, and saves a system
    /// call.
    pub fn may_have(&self, name: &str) -> bool {
        self.settings.as_ref().is_none_or(|settings| settings.contains(&name))
    }

    /// Whether a file of the directory is the file that standard output writes to, such as a report about the
    /// directory.
    pub fn is_output(&self, name: &OsStr) -> bool {
        static IS_FILE: OnceLock<bool> = OnceLock::new();
        *IS_FILE.get_or_init(stdio::has_regular_output)
            && stdio::is_output(|| {
                let path = self.path().join(name);
                Identity::with(&fs::symlink_metadata(&path).ok()?, &path)
            })
    }

    /// Opens a file of the directory that was regular. If it is now another kind of file, it is neither waited for nor
    /// followed.
    pub fn open_file(&self, name: &OsStr) -> io::Result<File> {
        self.opened.open_file(name)
    }
}

/// A name in a directory, and its file type. An entry without a name has the error that ended the listing.
pub type Entry = (OsString, io::Result<FileType>);

/// The entries of a directory that were not read yet.
pub struct Entries(Option<ReadDir>);

impl Entries {
    /// Number of entries that are read at a time, which is enough for most directories.
    const MANY: usize = 1024;

    /// Returns the first entries of a directory, and the rest. If a signal interrupts the listing, it starts again,
    /// because the system's list of entries ends at the signal.
    fn first(path: &Path) -> io::Result<(Vec<Entry>, Entries)> {
        let is_interrupted = |error: &io::Error| error.kind() == io::ErrorKind::Interrupted;
        loop {
            let mut entries = match fs::read_dir(path) {
                Err(error) if is_interrupted(&error) => continue,
                read => Entries(Some(read?)),
            };
            let first = entries.some();
            if !first.iter().any(|(_, entry)| entry.as_ref().is_err_and(is_interrupted)) {
                return Ok((first, entries));
            }
        }
    }

    /// Returns more entries; an empty list at the end.
    pub fn some(&mut self) -> Vec<Entry> {
        let entries = self.0.iter_mut().flatten().map(|entry| match entry {
            Ok(entry) => (entry.file_name(), entry.file_type()),
            Err(error) => (OsString::new(), Err(error)),
        });
        let some: Vec<_> = entries.take(Self::MANY).collect();
        if some.len() < Self::MANY {
            self.0 = None;
        }
        some
    }
}
