//! A file of a run: where it comes from, and how it is opened.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::directory::Directory;
use crate::files::open_directory::{Access, Route};
use crate::files::repository::Listing as Index;
use crate::files::source::Input;

/// The position of a file among all files: first by the argument that led to it, then by name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The number of the argument.
    pub argument: u64,
    /// The displayed name, which is relative if the argument is.
    pub name: OsString,
}

/// A file to work on.
#[derive(Debug)]
pub struct FileEntry {
    /// The number of the argument that led to the file.
    pub(super) argument: u64,
    pub(super) origin: Origin,
    /// Whether the entry is a symbolic link that was found, and is not followed.
    pub(super) is_link: bool,
}

/// Where a file comes from.
#[derive(Debug)]
pub enum Origin {
    /// Standard input, with its name.
    Stdin(OsString),
    Named(PathBuf),
    Found(Arc<Directory>, OsString),
    /// A file found in a directory that is no longer open, with its name and its route.
    Remembered(PathBuf, Route),
    /// An object in the index of a repository.
    Staged {
        path: PathBuf,
        /// The absolute name, without symbolic links in its directories.
        real: PathBuf,
        listing: Arc<Index>,
        object: String,
        is_named: bool,
    },
}

impl FileEntry {
    /// Creates an entry for the file at `route`, with the position `key`.
    pub fn at(key: &Key, route: Route) -> FileEntry {
        let origin = match route {
            Route::Named(path) => Origin::Named(path),
            Route::Found { .. } => Origin::Remembered(PathBuf::from(&key.name), route),
        };
        FileEntry { argument: key.argument, origin, is_link: false }
    }

    /// Creates an entry for a directory entry that cannot be read.
    pub fn unreadable(key: &Key) -> FileEntry {
        let path = PathBuf::from(&key.name);
        let origin = Origin::Remembered(path.clone(), Route::Named(path));
        FileEntry { argument: key.argument, origin, is_link: false }
    }

    /// Returns the displayed name of the file.
    pub fn name(&self) -> Cow<'_, Path> {
        match &self.origin {
            Origin::Stdin(name) => Path::new(name).into(),
            Origin::Named(path) | Origin::Remembered(path, _) | Origin::Staged { path, .. } => path.into(),
            Origin::Found(directory, name) => directory.path().join(name).into(),
        }
    }

    /// Closes the directory of the file, and keeps the route to the file.
    pub fn remembered(self) -> FileEntry {
        if self.found_in().is_none() {
            return self;
        }
        FileEntry { origin: Origin::Remembered(self.name().into_owned(), self.route()), ..self }
    }

    /// Whether the entry is a symbolic link that was found.
    pub fn is_link(&self) -> bool {
        self.is_link
    }

    /// Returns the position of the file among all files.
    pub fn key(&self) -> Key {
        key(self.argument, &self.name())
    }

    /// Whether the file was named, and not found in a directory.
    pub fn is_named(&self) -> bool {
        match &self.origin {
            Origin::Staged { is_named, .. } => *is_named,
            Origin::Found(..) | Origin::Remembered(..) => false,
            Origin::Stdin(_) | Origin::Named(_) => true,
        }
    }

    /// Whether the file is the content of an index.
    pub fn is_staged(&self) -> bool {
        matches!(self.origin, Origin::Staged { .. })
    }

    /// Returns the command of the filter that git runs on checkout for a file of the index, if the command is `wanted`.
    pub fn filter(&self, wanted: impl Fn(&str) -> bool) -> io::Result<Option<String>> {
        let Origin::Staged { listing, real, .. } = &self.origin else { return Ok(None) };
        let filter = listing.filter(real, wanted).map_err(io::Error::other)?;
        Ok(filter.map(|(_, command)| command))
    }

    pub fn is_stdin(&self) -> bool {
        matches!(self.origin, Origin::Stdin(_))
    }

    /// Returns the directory in which the file was found, and its name there.
    pub fn found_in(&self) -> Option<(&Directory, &OsStr)> {
        if let Origin::Found(directory, name) = &self.origin { Some((directory, name)) } else { None }
    }

    /// Returns the route to the file.
    pub fn route(&self) -> Route {
        match &self.origin {
            Origin::Found(directory, name) => {
                let below = directory.path().strip_prefix(&directory.root.path).unwrap_or(directory.path());
                Route::Found { root: directory.root.clone(), below: below.join(name) }
            }
            Origin::Remembered(_, route) => route.clone(),
            Origin::Named(_) | Origin::Stdin(_) | Origin::Staged { .. } => Route::Named(self.name().into()),
        }
    }

    pub fn open(&self) -> io::Result<File> {
        let input = match &self.origin {
            Origin::Found(directory, name) => return directory.open_file(name),
            Origin::Remembered(_, route) => return route.entry()?.open(Access::Read),
            Origin::Named(path) => Input::new(path.into()),
            Origin::Stdin(_) => Input::stdin(),
            Origin::Staged { listing, object, .. } => return listing.open(object),
        };
        Ok(input.open()?.into_file())
    }
}

/// Returns the position of a file among all files.
pub fn key(argument: u64, name: &Path) -> Key {
    // Names found under `.` are shown without `./`.
    let short = name.strip_prefix("./").ok().filter(|short| !short.as_os_str().is_empty());
    Key { argument, name: short.unwrap_or(name).into() }
}
