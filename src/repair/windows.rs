//! Reads a source in windows that end with a line, so that memory does not grow with the source.

use std::io::{self, Read};

use utfconv_core::repair::WINDOW;

use utfconv_scan::utf8::end_of_whole_sequences;

/// A source in windows.
pub struct Windows<R> {
    source: R,
    /// What was read and is not taken yet, after the window.
    buffer: Vec<u8>,
    /// The length of the window that was taken last.
    taken: usize,
    is_ended: bool,
}

/// Some lines, or some of a line that is longer than a window.
#[derive(Debug, PartialEq, Eq)]
pub struct Lines<'a> {
    pub bytes: &'a [u8],
    /// It does not end with a line, and is not the end of the source.
    pub is_cut: bool,
}

impl<R: Read> Windows<R> {
    pub fn new(source: R) -> Windows<R> {
        Windows { source, buffer: Vec::new(), taken: 0, is_ended: false }
    }

    /// The next window; None at the end. Where it ends depends on the bytes alone, and not on how they arrive.
    pub fn next(&mut self) -> io::Result<Option<Lines<'_>>> {
        self.buffer.drain(..self.taken);
        self.taken = 0;
        // One byte more shows whether the source ends with the window.
        if !self.is_ended && self.buffer.len() <= WINDOW {
            let missing = (WINDOW + 1 - self.buffer.len()) as u64;
            let read = self.source.by_ref().take(missing).read_to_end(&mut self.buffer)?;
            self.is_ended = (read as u64) < missing;
        }
        if self.buffer.is_empty() {
            return Ok(None);
        }
        let window = &self.buffer[..self.buffer.len().min(WINDOW)];
        let line = memchr::memrchr(b'\n', window).map(|at| at + 1);
        let (end, is_cut) = match line {
            _ if self.is_ended => (window.len(), false),
            Some(end) => (end, false),
            None => (end_of_chunk(window), true),
        };
        self.taken = end;
        Ok(Some(Lines { bytes: &self.buffer[..end], is_cut }))
    }
}

/// Where a chunk of a long line ends: after ASCII, if there is some near the end.
fn end_of_chunk(buffer: &[u8]) -> usize {
    const NEAR: usize = 4 << 10;
    let near = buffer.len().saturating_sub(NEAR);
    match buffer[near..].iter().rposition(u8::is_ascii) {
        Some(at) => near + at + 1,
        None => end_of_whole_sequences(buffer),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(source: &[u8]) -> Vec<(usize, bool)> {
        let mut windows = Windows::new(source);
        let mut all = Vec::new();
        while let Some(lines) = windows.next().expect("memory can be read") {
            all.push((lines.bytes.len(), lines.is_cut));
        }
        all
    }

    #[test]
    fn windows_end_with_lines_and_long_lines_are_cut() {
        assert_eq!(lengths(b""), []);
        assert_eq!(lengths(b"a\nb"), [(3, false)]);
        let lines = [b"x".repeat(WINDOW - 10), b"\n".to_vec(), b"y".repeat(20)].concat();
        assert_eq!(lengths(&lines), [(WINDOW - 9, false), (20, false)]);
        assert_eq!(lengths(&b"x".repeat(WINDOW + 1)), [(WINDOW, true), (1, false)]);
        assert_eq!(lengths("é".repeat(WINDOW).as_bytes()), [(WINDOW, true), (WINDOW, false)]);
    }
}
