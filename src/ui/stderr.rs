//! Writes messages to standard error.

use std::io::{self, Write};

use crate::ui::wait::{Direction, persist};

/// Writes to standard error without taking a descriptor. Messages that cannot be written are lost.
pub fn complain(text: &str) {
    let mut rest = text.as_bytes();
    let stderr = io::stderr();
    while !rest.is_empty() {
        match persist(&stderr, Direction::Out, || (&stderr).write(rest)) {
            Ok(count) => rest = &rest[count..],
            Err(_) => return,
        }
    }
}
