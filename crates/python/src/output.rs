//! Buffers for output. A thread keeps a buffer for the next conversion, because allocating memory takes longer than
//! converting short texts.

use std::cell::Cell;

/// Maximum size in bytes of a buffer that a thread keeps.
const KEPT: usize = 4 << 20;

thread_local! {
    static ROOM: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Converted bytes, at the start of a buffer.
pub struct Output {
    buffer: Vec<u8>,
    filled: usize,
}

impl Output {
    pub fn new() -> Output {
        Output { buffer: ROOM.take(), filled: 0 }
    }

    /// Returns the bytes that were written.
    pub fn bytes(&self) -> &[u8] {
        &self.buffer[..self.filled]
    }

    /// Returns the free room in the buffer, which is at least `least` bytes.
    pub fn room(&mut self, least: usize) -> &mut [u8] {
        let needed = self.filled + least;
        if self.buffer.is_empty() {
            // The system provides zeroed memory without extra work.
            self.buffer = vec![0; needed];
        } else if self.buffer.len() < needed {
            self.buffer.resize(needed.max(2 * self.buffer.len()), 0);
        }
        &mut self.buffer[self.filled..]
    }

    /// Declares that `count` bytes of the free room were written.
    pub fn wrote(&mut self, count: usize) {
        self.filled += count;
    }

    pub fn push(&mut self, bytes: &[u8]) {
        self.room(bytes.len())[..bytes.len()].copy_from_slice(bytes);
        self.filled += bytes.len();
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if self.buffer.len() <= KEPT {
            ROOM.set(std::mem::take(&mut self.buffer));
        }
    }
}
