//! The identity of a file, which is independent of its name.

use std::fs::{self, File, Metadata};
use std::path::Path;

use crate::files::system;

/// Distinguishes a file from all other files.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Identity {
    /// The number of the device or volume.
    pub device: u64,
    /// The number of the inode, or of the file on its volume.
    pub file: u64,
}

impl Identity {
    /// Returns the identity of the file that a path leads to; `None` if there is no such file.
    pub fn of(path: &Path) -> Option<Identity> {
        Identity::with(&fs::metadata(path).ok()?, path)
    }

    /// Returns the identity of the file at a path, given its metadata.
    pub fn with(metadata: &Metadata, path: &Path) -> Option<Identity> {
        system::identity(metadata, path).map(|(device, file)| Identity { device, file })
    }

    /// Returns the identity of an open file, given its metadata.
    pub fn of_open(file: &File, metadata: &Metadata) -> Option<Identity> {
        system::identity_of(file, metadata).map(|(device, file)| Identity { device, file })
    }
}
