//! Which file a file is, whatever its name.

use std::fs::{self, Metadata};
use std::path::Path;

/// Distinguishes a file from all others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Identity {
    /// Device and inode.
    #[cfg(unix)]
    Inode(u64, u64),
    /// Where a path leads.
    #[cfg(not(unix))]
    Path(std::path::PathBuf),
}

impl Identity {
    /// The identity of the file that a path leads to. None if there is nothing.
    pub fn of(path: &Path) -> Option<Identity> {
        Identity::with(&fs::metadata(path).ok()?, path)
    }

    /// The identity of a file whose metadata is known.
    #[cfg(unix)]
    pub fn with(metadata: &Metadata, _: &Path) -> Option<Identity> {
        let (device, inode) = inode(metadata);
        Some(Identity::Inode(device, inode))
    }

    /// The identity of a file whose metadata is known.
    #[cfg(not(unix))]
    pub fn with(_: &Metadata, path: &Path) -> Option<Identity> {
        path.canonicalize().ok().map(Identity::Path)
    }
}

#[cfg(unix)]
fn inode(metadata: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino())
}

/// Whether both are of the same file; None where the metadata cannot show it.
pub fn is_same(one: &Metadata, other: &Metadata) -> Option<bool> {
    #[cfg(unix)]
    return Some(inode(one) == inode(other));
    #[cfg(not(unix))]
    {
        let _ = (one, other);
        None
    }
}
