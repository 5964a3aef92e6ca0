//! The bytes of a source, as they come.

use std::fs::File;
use std::io::{self, Read};

use crate::files::stdio::Patient;

/// Bytes that have come and have not been passed. More are read only when all of these are not enough: output is never
/// held back for them.
pub struct Feed {
    file: Patient,
    buffer: Vec<u8>,
    at: usize,
    end: usize,
    /// The end of the source has been seen; on a terminal, reading on would wait for more.
    is_ended: bool,
}

impl Feed {
    /// `size` is more than the longest sequence needs.
    pub fn new(file: File, size: usize) -> Feed {
        Feed { file: Patient(file), buffer: vec![0; size], at: 0, end: 0, is_ended: false }
    }

    pub fn rest(&self) -> &[u8] {
        &self.buffer[self.at..self.end]
    }

    /// Whether the source ends with them.
    pub fn is_ended(&self) -> bool {
        self.is_ended
    }

    pub fn pass(&mut self, count: usize) {
        self.at += count;
    }

    /// Reads on, once.
    pub fn fill(&mut self) -> io::Result<()> {
        self.buffer.copy_within(self.at..self.end, 0);
        (self.at, self.end) = (0, self.end - self.at);
        let count = self.file.read(&mut self.buffer[self.end..])?;
        self.end += count;
        self.is_ended = count == 0;
        Ok(())
    }
}
