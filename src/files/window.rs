//! A window of bytes that moves over a file. Some bytes are kept after they were passed, so that excerpts can show
//! them.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::files::stdio::{MUCH, Patient, widen};
use crate::files::walk::FileEntry;

pub struct Window<'a> {
    file: Patient,
    /// Whether reads wait if no bytes have arrived yet.
    waits: bool,
    /// Whether the file may be a pipe whose buffer was not enlarged yet.
    is_narrow: bool,
    /// Counts bytes as they are read.
    passed: &'a AtomicU64,
    buffer: &'a mut [u8],
    /// Number of passed bytes that are kept.
    kept: usize,
    /// The start of the range that is read.
    start: u64,
    /// The end of the range that is read; `None` means the end of the file.
    limit: Option<u64>,
    /// The offset in the file of the first byte of the buffer.
    base: u64,
    at: usize,
    end: usize,
    /// Whether the end of the file was reached. On a terminal, a further read would wait for more input.
    is_ended: bool,
}

impl<'a> Window<'a> {
    /// Reads the file from its current position through `buffer`, which has to be longer than the `kept` bytes.
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

    /// Whether the file ends with the bytes in the buffer.
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
        // All threads use this counter, so it is updated once per call.
        self.passed.fetch_add((self.end - before) as u64, Ordering::Relaxed);
        Ok(())
    }

    /// Reads more if fewer than `kept` bytes follow the next `ahead` bytes.
    pub fn look_ahead(&mut self, ahead: usize) -> io::Result<()> {
        if self.is_ended || self.rest().len() >= ahead + self.kept { Ok(()) } else { self.fill() }
    }

    /// Returns to the start of a seekable file, or of its range.
    pub fn rewind(&mut self) -> io::Result<()> {
        self.passed.fetch_sub(self.end as u64, Ordering::Relaxed);
        self.file.0.seek(SeekFrom::Start(self.start))?;
        (self.base, self.at, self.end, self.is_ended) = (self.start, 0, 0, false);
        self.fill()
    }

    /// Seeks to the end of the buffer, after the file was read elsewhere.
    pub fn resume(&mut self) -> io::Result<()> {
        self.file.0.seek(SeekFrom::Start(self.base + self.end as u64)).map(drop)
    }

    /// Moves to the start of a range of a seekable file, and ends with the range.
    pub fn narrow(&mut self, range: Range<u64>) -> io::Result<()> {
        (self.start, self.limit) = (range.start, Some(range.end));
        self.rewind()
    }

    /// Returns all bytes in the buffer, and the index of byte `offset` of the file in them; `None` if that byte is not
    /// in the buffer.
    pub fn around(&self, offset: u64) -> Option<(&[u8], usize)> {
        let at = usize::try_from(offset.checked_sub(self.base)?).ok()?;
        (at <= self.end).then_some((&self.buffer[..self.end], at))
    }

    /// Returns the end of the file, or of the range, if segments of the file can be read in any order.
    pub fn end_of_file(&self, target: &FileEntry) -> io::Result<Option<u64>> {
        // Standard input is read from its current position.
        if target.is_stdin() {
            return Ok(None);
        }
        let metadata = self.file.0.metadata()?;
        Ok(metadata.is_file().then_some(self.limit.unwrap_or(metadata.len())))
    }

    /// Returns the file and the buffer for other use. The window has to be rewound or resumed afterwards.
    pub fn borrow(&mut self) -> (&File, &mut [u8]) {
        (&self.file.0, self.buffer)
    }
}
