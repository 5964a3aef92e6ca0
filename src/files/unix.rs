//! System functions of Unix; `windows.rs` has the same functions for Windows.

use std::ffi::OsString;
use std::fs::{File, Metadata, TryLockError};
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::{FileExt, FileTypeExt, MetadataExt};
use std::path::Path;

/// Whether a file has to be closed before it can be replaced.
pub const CLOSES_TO_REPLACE: bool = false;

/// Whether the system can exchange two files, on file systems that support it.
pub const EXCHANGES: bool = cfg!(any(target_os = "linux", target_os = "android", target_vendor = "apple"));

/// Returns the file name with these bytes; `None` if the system does not allow such names.
pub fn name_of(bytes: Vec<u8>) -> Option<OsString> {
    Some(OsString::from_vec(bytes))
}

/// Returns the device and the inode of a file.
pub fn identity(metadata: &Metadata, _: &Path) -> Option<(u64, u64)> {
    Some((metadata.dev(), metadata.ino()))
}

/// Returns the device and the inode of an open file.
pub fn identity_of(_: &File, metadata: &Metadata) -> Option<(u64, u64)> {
    Some((metadata.dev(), metadata.ino()))
}

/// True if both metadata are of the same file. Never `None` on Unix, where the metadata identify the file.
pub fn is_same(one: &Metadata, other: &Metadata) -> Option<bool> {
    Some((one.dev(), one.ino()) == (other.dev(), other.ino()))
}

/// Returns the number of names of a file.
pub fn names(metadata: &Metadata, _: Option<&File>) -> u64 {
    metadata.nlink()
}

/// Returns the user ID of the owner of a file.
pub fn owner(metadata: &Metadata) -> Option<u32> {
    Some(metadata.uid())
}

/// Returns the effective user ID of the process.
pub fn user() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// Whether the status change time of a file is the same.
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

/// Locks a file against other processes that would convert it too. Succeeds on file systems without locks.
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

/// Reads at an offset, without moving the position of the file.
pub fn read_at(file: &File, into: &mut [u8], offset: u64) -> io::Result<usize> {
    file.read_at(into, offset)
}

/// Returns a standard stream as a file.
pub fn cloned(stream: &impl AsFd) -> io::Result<File> {
    Ok(stream.as_fd().try_clone_to_owned()?.into())
}

/// Whether a pipe has data now.
pub fn has_data(pipe: &File) -> bool {
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    let mut polled = [PollFd::new(pipe.as_fd(), PollFlags::POLLIN)];
    let is_ready = poll(&mut polled, PollTimeout::ZERO).is_ok_and(|count| count > 0);
    is_ready && polled[0].revents().is_some_and(|events| events.contains(PollFlags::POLLIN))
}

/// Closes `file`. An error means that data was not written, which some file systems report only now.
pub fn close(file: File) -> io::Result<()> {
    match nix::unistd::close(file) {
        // Linux closes the file even if a signal interrupts the call.
        Ok(()) | Err(nix::errno::Errno::EINTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Fills the descriptors of standard streams that were closed when the process started.
pub fn reserve() {
    use std::os::fd::{AsRawFd, IntoRawFd};
    // A new file gets the lowest free descriptor.
    while let Ok(filler) = filler() {
        if filler.as_raw_fd() > 2 {
            return;
        }
        let _ = filler.into_raw_fd();
    }
}

/// Opens a descriptor that can neither be read nor written, even if it is opened again as /dev/stdin or
/// /proc/self/fd/0.
#[cfg(target_os = "linux")]
fn filler() -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    File::options().read(true).custom_flags(nix::libc::O_PATH).open("/")
}

/// Opens a descriptor that cannot be written, and is at its end when it is read.
#[cfg(not(target_os = "linux"))]
fn filler() -> io::Result<File> {
    File::open("/dev/null")
}

/// Returns the maximum number of open files.
pub fn descriptors() -> u64 {
    use nix::sys::resource::{Resource, getrlimit};
    #[allow(clippy::unnecessary_cast)] // types differ between systems
    getrlimit(Resource::RLIMIT_NOFILE).map_or(0, |(soft, _)| soft as u64)
}

/// Whether an error says that too many files are open.
pub fn is_want_of_descriptors(error: &io::Error) -> bool {
    error.raw_os_error() == Some(nix::libc::EMFILE)
}
