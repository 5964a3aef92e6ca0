//! Writes messages to standard error.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::ui::wait::{Direction, persist};

/// Whether the cursor of the terminal, on which standard output ends, is inside a line.
static IS_MID_LINE: AtomicBool = AtomicBool::new(false);

/// Notes what was written to a terminal: a message that follows begins a new line.
pub fn note_shown(text: &[u8]) {
    if let Some(last) = text.last() {
        IS_MID_LINE.store(*last != b'\n', Ordering::Relaxed);
    }
}

/// Writes to standard error, and takes no descriptor for it. Messages that cannot be written are lost.
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
