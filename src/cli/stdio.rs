//! The standard streams and other open files, as raw as they come.
//!
//! Reads and writes go straight to the system, so an error is seen where it happens and nothing is lost in a buffer
//! that is dropped. std's own handles are only used to find the streams.

use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal, Read, Write};

/// A file that waits where a non-blocking one would give up, and goes on after an interruption.
pub struct Patient(pub File);

impl Read for Patient {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        persist(&self.0, Direction::In, || (&self.0).read(into))
    }
}

impl Write for &Patient {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        persist(&self.0, Direction::Out, || (&self.0).write(from))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[derive(Clone, Copy)]
enum Direction {
    In,
    Out,
}

fn persist(
    file: &File,
    direction: Direction,
    mut call: impl FnMut() -> io::Result<usize>,
) -> io::Result<usize> {
    loop {
        match call() {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => wait(file, direction)?,
            done => return done,
        }
    }
}

#[cfg(unix)]
fn wait(file: &File, direction: Direction) -> io::Result<()> {
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    use std::os::fd::AsFd;
    let events = match direction {
        Direction::In => PollFlags::POLLIN,
        Direction::Out => PollFlags::POLLOUT,
    };
    match poll(&mut [PollFd::new(file.as_fd(), events)], PollTimeout::NONE) {
        Ok(_) | Err(nix::errno::Errno::EINTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(unix))]
fn wait(_: &File, _: Direction) -> io::Result<()> {
    std::thread::sleep(std::time::Duration::from_millis(1));
    Ok(())
}

macro_rules! stream {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        pub fn $name() -> io::Result<Patient> {
            #[cfg(unix)]
            let owned = std::os::fd::AsFd::as_fd(&io::$name()).try_clone_to_owned()?;
            #[cfg(windows)]
            let owned = std::os::windows::io::AsHandle::as_handle(&io::$name()).try_clone_to_owned()?;
            Ok(Patient(File::from(owned)))
        }
    };
}

stream!(
    /// Standard input.
    stdin
);
stream!(
    /// Standard output.
    stdout
);
stream!(
    /// Standard error.
    stderr
);

pub fn is_terminal_out() -> bool {
    io::stdout().is_terminal()
}

/// Closes `file`, and says if the system only now admits that something was not written.
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

/// Fills the places of standard streams that were closed when the process started, so that no file opened later takes
/// one. What fills them fails on use, as a closed stream does.
pub fn reserve() {
    #[cfg(unix)]
    {
        use std::os::fd::IntoRawFd;
        // The lowest free descriptor is the one that opens.
        while let Ok(null) = File::open("/dev/null") {
            match null.into_raw_fd() {
                // Reading from it has to fail, so it is opened again for writing only.
                0 => {
                    let _ = nix::unistd::close(0);
                    let Ok(null) = File::options().write(true).open("/dev/null") else { return };
                    let _ = null.into_raw_fd();
                }
                1 | 2 => {}
                other => {
                    let _ = nix::unistd::close(other);
                    return;
                }
            }
        }
    }
}

/// Turns the signal of a file that outgrows its limit into the error "File too large".
pub fn refuse_size_signal() {
    #[cfg(unix)]
    {
        use nix::sys::signal::{SigSet, Signal};
        // A blocked signal is never delivered, and the write fails instead.
        let _ = SigSet::from(Signal::SIGXFSZ).thread_block();
    }
}
