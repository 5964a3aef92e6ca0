//! System functions of Unix; `windows.rs` has the same functions for Windows.

use std::ffi::OsString;
use std::fs::{File, Metadata, TryLockError};
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::{FileExt, FileTypeExt, MetadataExt};
use std::path::Path;

/// Whether a file that is open cannot be replaced.
pub const CLOSES_TO_REPLACE: bool = false;

/// Whether the system can exchange two files, on file systems that support it.
pub const EXCHANGES: bool = cfg!(any(target_os = "linux", target_os = "android", target_vendor = "apple"));

/// Returns the name that these bytes are; None if the system has no such names.
pub fn name_of(bytes: Vec<u8>) -> Option<OsString> {
    Some(OsString::from_vec(bytes))
}

/// Device and inode of a file.
pub fn identity(metadata: &Metadata, _: &Path) -> Option<(u64, u64)> {
    Some((metadata.dev(), metadata.ino()))
}

/// Device and inode of an open file.
pub fn identity_of(_: &File, metadata: &Metadata) -> Option<(u64, u64)> {
    Some((metadata.dev(), metadata.ino()))
}

/// Whether both are of the same file; None where the metadata cannot show it.
pub fn is_same(one: &Metadata, other: &Metadata) -> Option<bool> {
    Some((one.dev(), one.ino()) == (other.dev(), other.ino()))
}

/// Returns how many names a file has.
pub fn names(metadata: &Metadata, _: Option<&File>) -> u64 {
    metadata.nlink()
}

/// Returns the number of the user who owns a file.
pub fn owner(metadata: &Metadata) -> Option<u32> {
    Some(metadata.uid())
}

/// Returns the effective user of the process.
pub fn user() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// Whether the status of a file has not changed, where the system has a time for that.
pub fn is_same_status(now: &Metadata, then: &Metadata) -> bool {
    (now.ctime(), now.ctime_nsec()) == (then.ctime(), then.ctime_nsec())
}

pub fn is_executable(metadata: &Metadata) -> bool {
    metadata.mode() & 0o100 != 0
}

pub fn has_set_id(metadata: &Metadata) -> bool {
    metadata.mode() & 0o6000 != 0
}

pub fn is_fifo(metadata: &Metadata) -> bool {
    metadata.file_type().is_fifo()
}

/// Opens an input.
pub fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Locks a file against other processes that would convert it, too; some file systems have no locks.
pub fn claim(file: &File) -> io::Result<()> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(io::Error::other("another process is converting it")),
        _ => Ok(()),
    }
}

pub fn read(mut file: &File, into: &mut [u8]) -> io::Result<usize> {
    file.read(into)
}

pub fn write(mut file: &File, from: &[u8]) -> io::Result<usize> {
    file.write(from)
}

/// Reads at an offset. The position of the file stays.
pub fn read_at(file: &File, into: &mut [u8], offset: u64) -> io::Result<usize> {
    file.read_at(into, offset)
}

/// A standard stream as a file.
pub fn cloned(stream: &impl AsFd) -> io::Result<File> {
    Ok(stream.as_fd().try_clone_to_owned()?.into())
}

/// Whether bytes can be read from a pipe now.
pub fn has_data(pipe: &File) -> bool {
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    let mut polled = [PollFd::new(pipe.as_fd(), PollFlags::POLLIN)];
    let is_ready = poll(&mut polled, PollTimeout::ZERO).is_ok_and(|count| count > 0);
    is_ready && polled[0].revents().is_some_and(|events| events.contains(PollFlags::POLLIN))
}

/// Closes `file`; an error means that the system only now reports that something was not written.
pub fn close(file: File) -> io::Result<()> {
    match nix::unistd::close(file) {
        // Linux has closed it nevertheless.
        Ok(()) | Err(nix::errno::Errno::EINTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Fills the descriptors of standard streams that were closed when the process started.
pub fn reserve() {
    use std::os::fd::{AsRawFd, IntoRawFd};
    // The lowest free descriptor is the one that opens.
    while let Ok(filler) = filler() {
        if filler.as_raw_fd() > 2 {
            return;
        }
        let _ = filler.into_raw_fd();
    }
}

/// A descriptor that can neither be read nor written, even if it is opened again as /dev/stdin or /proc/self/fd/0.
#[cfg(target_os = "linux")]
fn filler() -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    File::options().read(true).custom_flags(nix::libc::O_PATH).open("/")
}

/// A descriptor that can not be written, and is at its end when it is read.
#[cfg(not(target_os = "linux"))]
fn filler() -> io::Result<File> {
    File::open("/dev/null")
}

/// Returns how many files may be open at once.
pub fn descriptors() -> u64 {
    use nix::sys::resource::{Resource, getrlimit};
    #[allow(clippy::unnecessary_cast)] // types differ between systems
    getrlimit(Resource::RLIMIT_NOFILE).map_or(0, |(soft, _)| soft as u64)
}

/// Whether so many files are open that no other can be.
pub fn is_want_of_descriptors(error: &io::Error) -> bool {
    error.raw_os_error() == Some(nix::libc::EMFILE)
}
