//! A file as a window of bytes that moves over it. Some bytes stay after they were passed, so that excerpts can show them.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::files::stdio::{MUCH, Patient, widen};
use crate::files::walk::FileEntry;

pub struct Window<'a> {
    file: Patient,
    /// If no bytes have arrived yet, it waits for more.
    waits: bool,
    /// It may be a pipe, and reads have been short.
    is_narrow: bool,
    /// Counts bytes as they are read.
    passed: &'a AtomicU64,
    buffer: &'a mut [u8],
    /// How many passed bytes stay.
    kept: usize,
    /// The range of the file; without a limit, to its end.
    start: u64,
    limit: Option<u64>,
    /// Offset in the file of the first byte of the buffer.
    base: u64,
    at: usize,
    end: usize,
    /// The end of the file has been seen; on a terminal, reading on would wait for more.
    is_ended: bool,
}

impl<'a> Window<'a> {
    /// Reads the file from its current position, through `buffer`, which has room for more than the `kept` bytes.
    pub fn new(
        file: File,
        waits: bool,
        kept: usize,
        buffer: &'a mut [u8],
        passed: &'a AtomicU64,
    ) -> Window<'a> {
        assert!(buffer.len() > kept, "there is room beside what is kept");
        Window {
            file: Patient(file),
            waits,
            is_narrow: waits,
            passed,
            buffer,
            kept,
            start: 0,
            limit: None,
            base: 0,
            at: 0,
            end: 0,
            is_ended: false,
        }
    }

    /// Returns the bytes that were read and not passed.
    pub fn rest(&self) -> &[u8] {
        &self.buffer[self.at..self.end]
    }

    /// Whether the file ends with these bytes.
    pub fn is_ended(&self) -> bool {
        self.is_ended
    }

    pub fn pass(&mut self, count: usize) {
        self.at += count;
    }

    /// Reads until the buffer is full or the file ends.
    pub fn fill(&mut self) -> io::Result<()> {
        let kept = self.at.saturating_sub(self.kept);
        self.buffer.copy_within(kept..self.end, 0);
        self.base += kept as u64;
        (self.at, self.end) = (self.at - kept, self.end - kept);
        let before = self.end;
        while !self.is_ended && self.end < self.buffer.len() {
            let left = self.limit.map_or(u64::MAX, |limit| limit - self.base - self.end as u64);
            let room = (self.buffer.len() - self.end).min(usize::try_from(left).unwrap_or(usize::MAX));
            let free = &mut self.buffer[self.end..][..room];
            let count = match if self.waits { self.file.read(free) } else { self.file.0.read(free) } {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                read => read?,
            };
            self.end += count;
            self.is_ended = count == 0;
            if self.is_narrow && count >= MUCH {
                widen(&self.file.0);
                self.is_narrow = false;
            }
        }
        // All threads count there: once per call is enough.
        self.passed.fetch_add((self.end - before) as u64, Ordering::Relaxed);
        Ok(())
    }

    /// Reads more if fewer bytes follow the next `ahead` bytes than are kept before them.
    pub fn look_ahead(&mut self, ahead: usize) -> io::Result<()> {
        if self.is_ended || self.rest().len() >= ahead + self.kept { Ok(()) } else { self.fill() }
    }

    /// Goes back to the start of a file that can be read again.
    pub fn rewind(&mut self) -> io::Result<()> {
        self.passed.fetch_sub(self.end as u64, Ordering::Relaxed);
        self.file.0.seek(SeekFrom::Start(self.start))?;
        (self.base, self.at, self.end, self.is_ended) = (self.start, 0, 0, false);
        self.fill()
    }

    /// Seeks back to where it was, after the file was read past the buffer.
    pub fn resume(&mut self) -> io::Result<()> {
        self.file.0.seek(SeekFrom::Start(self.base + self.end as u64)).map(drop)
    }

    /// Goes to the start of a range of such a file, and ends with the range.
    pub fn narrow(&mut self, range: Range<u64>) -> io::Result<()> {
        (self.start, self.limit) = (range.start, Some(range.end));
        self.rewind()
    }

    /// Returns all bytes in the buffer, and the position of byte `offset` of the file in them; None if it is not there.
    pub fn around(&self, offset: u64) -> Option<(&[u8], usize)> {
        let at = usize::try_from(offset.checked_sub(self.base)?).ok()?;
        (at <= self.end).then_some((&self.buffer[..self.end], at))
    }

    /// Returns the end of the file, or of the range, if segments of the file can be read in any order.
    pub fn end_of_file(&self, target: &FileEntry) -> io::Result<Option<u64>> {
        // Standard input continues from its current position.
        if target.is_stdin() {
            return Ok(None);
        }
        let metadata = self.file.0.metadata()?;
        Ok(metadata.is_file().then_some(self.limit.unwrap_or(metadata.len())))
    }

    /// Returns the file and the buffer for other use; the window has to be rewound or resumed after it.
    pub fn borrow(&mut self) -> (&File, &mut [u8]) {
        (&self.file.0, self.buffer)
    }
}
