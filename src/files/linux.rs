//! Linux functions for files that are replaced.

use std::fs::File;
use std::io;

use nix::errno::Errno;
use nix::fcntl::{FallocateFlags, fallocate};

use crate::files::open_directory::DirectoryEntry;

/// Fails if the kernel generates the content of the file when it is read, as in /proc.
pub fn refuse_made_by_kernel(entry: &DirectoryEntry) -> io::Result<()> {
    use nix::sys::statfs::{
        CGROUP2_SUPER_MAGIC, DEBUGFS_MAGIC, PROC_SUPER_MAGIC, SYSFS_MAGIC, TRACEFS_MAGIC, fstatfs,
    };
    const MADE: [nix::sys::statfs::FsType; 5] =
        [CGROUP2_SUPER_MAGIC, DEBUGFS_MAGIC, PROC_SUPER_MAGIC, SYSFS_MAGIC, TRACEFS_MAGIC];
    match fstatfs(entry.directory().handle()) {
        Ok(found) if MADE.contains(&found.filesystem_type()) => {
            let text =
                "the kernel makes its content when it is read; use -o to write the text to another file";
            Err(io::Error::other(text))
        }
        _ => Ok(()),
    }
}

/// Reserves disk space for `length` bytes in `file` without changing its size. Succeeds if the file system cannot
/// reserve space.
pub fn reserve(file: &File, length: u64) -> io::Result<()> {
    let length = i64::try_from(length).map_err(|_| Errno::EFBIG)?;
    if length == 0 {
        return Ok(());
    }
    match fallocate(file, FallocateFlags::FALLOC_FL_KEEP_SIZE, 0, length) {
        Ok(()) | Err(Errno::EOPNOTSUPP | Errno::ENOSYS | Errno::EINVAL | Errno::ENODEV) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
