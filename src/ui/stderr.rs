//! Writes messages to standard error.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::ui::wait::{Direction, persist};

/// True if standard output last wrote an incomplete line to the terminal.
static IS_MID_LINE: AtomicBool = AtomicBool::new(false);

/// Records whether text written to a terminal ends within a line, so that the next message begins a new line.
pub fn note_shown(text: &[u8]) {
    if let Some(last) = text.last() {
        IS_MID_LINE.store(*last != b'\n', Ordering::Relaxed);
    }
}

/// Writes to standard error, without opening a descriptor. Messages that cannot be written are lost.
pub fn complain(text: &str) {
    let stderr = io::stderr();
    let begins_line = IS_MID_LINE.swap(false, Ordering::Relaxed) && stderr.is_terminal();
    let text = if begins_line { Cow::Owned(format!("\n{text}")) } else { Cow::Borrowed(text) };
    let mut rest = text.as_bytes();
    while !rest.is_empty() {
        match persist(&stderr, Direction::Out, || (&stderr).write(rest)) {
            Ok(count) => rest = &rest[count..],
            Err(_) => return,
        }
    }
}
