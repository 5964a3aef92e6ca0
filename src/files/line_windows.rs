//! Reads a source in windows that end with a line, so that memory does not grow with the source.

use std::io::{self, Read};

use utfconv_repair::{WINDOW, window_len};

/// A source that is read in windows.
pub struct LineWindows<R> {
    source: R,
    /// The current window, and bytes after it that were read already.
    buffer: Vec<u8>,
    /// The length of the current window in bytes.
    taken: usize,
    is_ended: bool,
}

/// A window of whole lines, or a part of a line that is longer than a window.
#[derive(Debug, PartialEq, Eq)]
pub struct Lines<'a> {
    pub bytes: &'a [u8],
    /// Whether the window ends within a line before the end of the source.
    pub is_cut: bool,
}

impl<R: Read> LineWindows<R> {
    pub fn new(source: R) -> LineWindows<R> {
        LineWindows { source, buffer: Vec::new(), taken: 0, is_ended: false }
    }

    /// Returns the next window; `None` at the end. The end of a window depends only on the bytes, not on how many are
    /// read at a time.
    pub fn next(&mut self) -> io::Result<Option<Lines<'_>>> {
        self.buffer.drain(..self.taken);
        self.taken = 0;
        // Read one byte more, which shows whether the source ends with the window.
        if !self.is_ended && self.buffer.len() <= WINDOW {
            let missing = (WINDOW + 1 - self.buffer.len()) as u64;
            let read = self.source.by_ref().take(missing).read_to_end(&mut self.buffer)?;
            self.is_ended = (read as u64) < missing;
        }
        if self.buffer.is_empty() {
            return Ok(None);
        }
        let (end, is_cut) = window_len(&self.buffer, self.is_ended);
        self.taken = end;
        Ok(Some(Lines { bytes: &self.buffer[..end], is_cut }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(source: &[u8]) -> Vec<(usize, bool)> {
        let mut windows = LineWindows::new(source);
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
