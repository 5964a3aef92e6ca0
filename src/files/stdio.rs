//! The standard streams and other open files, as raw as they come.
//!
//! Reads and writes go straight to the system, so an error is seen where it happens and nothing is lost in a buffer
//! that is dropped. std's own handles are only used to find the streams.

use std::fs::{File, Metadata};
use std::io::{self, Read, Write};
use std::sync::OnceLock;

use crate::files::identity::is_same;
use crate::ui::wait::{Direction, persist};

/// A file that waits where a non-blocking one would fail, and continues after an interruption.
pub struct Patient(pub File);

impl Read for Patient {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        persist(&self.0, Direction::In, || (&self.0).read(into))
    }
}

impl Write for Patient {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        persist(&self.0, Direction::Out, || (&self.0).write(from))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Gives a pipe room for more, so that its two ends wait for each other less often; for whoever moves much through it.
/// That is refused where the user's pipes have too much room already, and changes nothing.
pub fn widen(pipe: &File) {
    #[cfg(target_os = "linux")]
    let _ = nix::fcntl::fcntl(pipe, nix::fcntl::FcntlArg::F_SETPIPE_SZ(1 << 20));
    #[cfg(not(target_os = "linux"))]
    let _ = pipe;
}

pub fn is_fifo(metadata: &Metadata) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::FileTypeExt::is_fifo(&metadata.file_type());
    #[cfg(not(unix))]
    {
        let _ = metadata;
        false
    }
}

/// Whether standard input is a pipe or a file from which bytes can be read now. Nothing is read.
pub fn has_stdin_data() -> bool {
    let Ok(Patient(mut input)) = stdin() else { return false };
    let Ok(metadata) = input.metadata() else { return false };
    if metadata.is_file() {
        return io::Seek::stream_position(&mut input).is_ok_and(|at| at < metadata.len());
    }
    #[cfg(unix)]
    if is_fifo(&metadata) {
        use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
        let mut polled = [PollFd::new(std::os::fd::AsFd::as_fd(&input), PollFlags::POLLIN)];
        let is_ready = poll(&mut polled, PollTimeout::ZERO).is_ok_and(|count| count > 0);
        return is_ready && polled[0].revents().is_some_and(|events| events.contains(PollFlags::POLLIN));
    }
    false
}

/// So many bytes at once are much.
pub const MUCH: usize = 32 << 10;

/// Reads from an offset of a file that can be read at any, whatever others read from it.
pub fn read_at(file: &File, into: &mut [u8], offset: u64) -> io::Result<usize> {
    loop {
        #[cfg(unix)]
        let read = std::os::unix::fs::FileExt::read_at(file, into, offset);
        #[cfg(windows)]
        let read = std::os::windows::fs::FileExt::seek_read(file, into, offset);
        match read {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}

/// Reads from that offset until `into` is full or the file ends; returns how much.
pub fn fill_at(file: &File, into: &mut [u8], offset: u64) -> io::Result<usize> {
    let (filled, ended) = fill_before_error_at(file, into, offset);
    ended.map(|()| filled)
}

/// The same; returns how much there is even where an error follows.
pub fn fill_before_error_at(file: &File, into: &mut [u8], offset: u64) -> (usize, io::Result<()>) {
    let mut filled = 0;
    while filled < into.len() {
        match read_at(file, &mut into[filled..], offset + filled as u64) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) => return (filled, Err(error)),
        }
    }
    (filled, Ok(()))
}

/// Standard input.
pub fn stdin() -> io::Result<Patient> {
    cloned(&io::stdin())
}

/// Standard output.
pub fn stdout() -> io::Result<Patient> {
    cloned(&io::stdout())
}

#[cfg(unix)]
fn cloned(stream: &impl std::os::fd::AsFd) -> io::Result<Patient> {
    Ok(Patient(stream.as_fd().try_clone_to_owned()?.into()))
}

#[cfg(windows)]
fn cloned(stream: &impl std::os::windows::io::AsHandle) -> io::Result<Patient> {
    Ok(Patient(stream.as_handle().try_clone_to_owned()?.into()))
}

/// Whether a file is the one that standard output writes to. Only regular files are compared.
pub fn is_output(metadata: &Metadata) -> bool {
    static OUTPUT: OnceLock<Option<Metadata>> = OnceLock::new();
    let regular = || stdout().ok()?.0.metadata().ok().filter(Metadata::is_file);
    OUTPUT.get_or_init(regular).as_ref().is_some_and(|output| is_same(metadata, output) == Some(true))
}

/// Whether standard output writes to a regular file.
pub fn has_regular_output() -> bool {
    stdout().and_then(|output| output.0.metadata()).is_ok_and(|output| output.is_file())
}

/// Closes `file`; an error means that the system only now reports that something was not written.
pub fn close(file: File) -> io::Result<()> {
    #[cfg(unix)]
    match nix::unistd::close(file) {
        // Linux has closed it all the same.
        Ok(()) | Err(nix::errno::Errno::EINTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
    #[cfg(not(unix))]
    {
        drop(file);
        Ok(())
    }
}

/// Fills the descriptors of standard streams that were closed when the process started, so that no file opened later takes
/// one. What fills them fails on use, as a closed stream does.
pub fn reserve() {
    // The lowest free descriptor is the one that opens.
    #[cfg(unix)]
    while let Ok(filler) = filler() {
        use std::os::fd::{AsRawFd, IntoRawFd};
        if filler.as_raw_fd() > 2 {
            return;
        }
        let _ = filler.into_raw_fd();
    }
}

/// A descriptor that can neither be read nor written, also when it is opened again by way of /dev/stdin and its like.
#[cfg(target_os = "linux")]
fn filler() -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    File::options().read(true).custom_flags(nix::libc::O_PATH).open("/")
}

/// A descriptor that can not be written, and is at its end when it is read.
#[cfg(all(unix, not(target_os = "linux")))]
fn filler() -> io::Result<File> {
    File::open("/dev/null")
}
