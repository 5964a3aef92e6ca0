//! Compares output with old content as it is written.

use std::io::{self, Write};

use crate::files::stdio::fill_at;
use utfconv_scan::common::common_start;

/// Number of bytes compared at a time.
const BUFFER: usize = 64 << 10;

/// Content that can be read at any offset.
pub trait Content {
    /// Fills a buffer with the content at an offset, as far as possible. Returns the number of bytes that were read.
    fn fill_at(&self, into: &mut [u8], offset: u64) -> io::Result<usize>;
}

impl Content for std::fs::File {
    fn fill_at(&self, into: &mut [u8], offset: u64) -> io::Result<usize> {
        fill_at(self, into, offset)
    }
}

impl Content for [u8] {
    fn fill_at(&self, into: &mut [u8], offset: u64) -> io::Result<usize> {
        let rest = usize::try_from(offset).ok().and_then(|at| self.get(at..)).unwrap_or_default();
        let len = rest.len().min(into.len());
        into[..len].copy_from_slice(&rest[..len]);
        Ok(len)
    }
}

/// A sink that accepts bytes as long as they are equal to the old content.
pub struct Compared<'a, C: ?Sized> {
    old: &'a C,
    /// The offset in the old content up to which the output equals the old content.
    pub offset: u64,
    pub is_different: bool,
    buffer: Vec<u8>,
}

impl<'a, C: Content + ?Sized> Compared<'a, C> {
    /// Starts to compare the output with the old content from the offset `at` of the old content on.
    pub fn new(old: &'a C, at: u64) -> Compared<'a, C> {
        Compared { old, offset: at, is_different: false, buffer: vec![0; BUFFER] }
    }

    /// Whether the bytes written are exactly the rest of the old content.
    pub fn is_whole(&self) -> io::Result<bool> {
        Ok(!self.is_different && self.old.fill_at(&mut [0], self.offset)? == 0)
    }
}

impl<C: Content + ?Sized> Write for Compared<'_, C> {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        let from = &from[..from.len().min(BUFFER)];
        let old = &mut self.buffer[..from.len()];
        let read = self.old.fill_at(old, self.offset)?;
        let same = common_start(from, &old[..read]);
        self.offset += same as u64;
        if same < from.len() {
            self.is_different = true;
            return Err(io::Error::other("it does not convert back"));
        }
        Ok(same)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
