//! Waits for files that are not ready.

use std::io;

/// What a file is to be ready for.
#[derive(Clone, Copy)]
pub enum Direction {
    In,
    Out,
}

/// Waits until a non-blocking file is ready.
#[cfg(unix)]
pub fn wait(file: &impl std::os::fd::AsFd, direction: Direction) -> io::Result<()> {
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
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
pub fn wait<T>(_: &T, _: Direction) -> io::Result<()> {
    std::thread::sleep(std::time::Duration::from_millis(1));
    Ok(())
}
