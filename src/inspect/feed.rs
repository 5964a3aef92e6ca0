//! Reads a source as its bytes arrive.

use std::fs::File;
use std::io::{self, Read};

use crate::files::stdio::Patient;

/// The bytes that have arrived and were not passed yet. More are read only if these are not enough, so that output never
/// waits for them.
pub struct Feed {
    file: Patient,
    buffer: Vec<u8>,
    at: usize,
    end: usize,
    /// The end of the source has been seen; on a terminal, reading on would wait for more.
    is_ended: bool,
}

impl Feed {
    /// Makes a feed with a buffer of `size` bytes, which has room for the longest sequence.
    pub fn new(file: File, size: usize) -> Feed {
        Feed { file: Patient(file), buffer: vec![0; size], at: 0, end: 0, is_ended: false }
    }

    pub fn rest(&self) -> &[u8] {
        &self.buffer[self.at..self.end]
    }

    /// Whether the source ends with these bytes.
    pub fn is_ended(&self) -> bool {
        self.is_ended
    }

    pub fn pass(&mut self, count: usize) {
        self.at += count;
    }

    /// Reads more, once.
    pub fn fill(&mut self) -> io::Result<()> {
        self.buffer.copy_within(self.at..self.end, 0);
        (self.at, self.end) = (0, self.end - self.at);
        let count = self.file.read(&mut self.buffer[self.end..])?;
        self.end += count;
        self.is_ended = count == 0;
        Ok(())
    }
}
