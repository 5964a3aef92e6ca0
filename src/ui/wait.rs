//! Waits for files that are not ready.

use std::io::{self, ErrorKind};
#[cfg(unix)]
use std::os::fd::AsFd as Handle;
#[cfg(windows)]
use std::os::windows::io::AsHandle as Handle;

/// The operation that a file must be ready for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    In,
    Out,
}

/// Reads or writes by `call`. Repeats the call after an interruption, and after waiting for a non-blocking file.
pub fn persist(
    file: &impl Handle,
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

/// Waits until a non-blocking file is ready.
#[cfg(unix)]
fn wait(file: &impl Handle, direction: Direction) -> io::Result<()> {
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    let events = if direction == Direction::In { PollFlags::POLLIN } else { PollFlags::POLLOUT };
    match poll(&mut [PollFd::new(file.as_fd(), events)], PollTimeout::NONE) {
        Ok(_) | Err(nix::errno::Errno::EINTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(unix))]
fn wait(_: &impl Handle, _: Direction) -> io::Result<()> {
    std::thread::sleep(std::time::Duration::from_millis(1));
    Ok(())
}
