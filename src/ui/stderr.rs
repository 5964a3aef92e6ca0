//! Standard error.

use std::io::{self, ErrorKind, Write};

use crate::ui::wait::{Direction, wait};

/// Writes to standard error, and takes no descriptor for it. What cannot be written is lost.
pub fn complain(text: &str) {
    let mut rest = text.as_bytes();
    let mut stderr = io::stderr();
    while !rest.is_empty() {
        match stderr.write(rest) {
            Ok(count) => rest = &rest[count..],
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock && wait(&stderr, Direction::Out).is_ok() => {}
            Err(_) => return,
        }
    }
}
