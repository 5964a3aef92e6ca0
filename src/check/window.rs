//! A file as a window of bytes that moves over it: what has been passed stays for a while, so that excerpts can show it.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use super::excerpt::CONTEXT;
use crate::files::stdio::{MUCH, Patient, widen};
use crate::files::walk::FileEntry;

pub struct Window<'a> {
    file: Patient,
    /// Where nothing is there yet, more is waited for.
    waits: bool,
    /// It may be a pipe, through which not much has come.
    is_narrow: bool,
    /// Counts bytes as they are read.
    passed: &'a AtomicU64,
    buffer: &'a mut [u8],
    /// Where in the file it begins and ends; None is the end of the file.
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
    /// Reads the file from its current position, through `buffer`, which has room for more than an excerpt needs.
    pub fn new(file: File, waits: bool, buffer: &'a mut [u8], passed: &'a AtomicU64) -> Window<'a> {
        assert!(buffer.len() > CONTEXT, "there is room beside what is kept");
        Window {
            file: Patient(file),
            waits,
            is_narrow: waits,
            passed,
            buffer,
            start: 0,
            limit: None,
            base: 0,
            at: 0,
            end: 0,
            is_ended: false,
        }
    }

    /// The bytes that are there and have not been passed.
    pub fn rest(&self) -> &[u8] {
        &self.buffer[self.at..self.end]
    }

    /// Whether the file ends with them.
    pub fn is_ended(&self) -> bool {
        self.is_ended
    }

    pub fn pass(&mut self, count: usize) {
        self.at += count;
    }

    /// Reads on, as much as there is room for: nobody waits for what is found before the end.
    pub fn fill(&mut self) -> io::Result<()> {
        let kept = self.at.saturating_sub(CONTEXT);
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
        // All threads count there: once is enough.
        self.passed.fetch_add((self.end - before) as u64, Ordering::Relaxed);
        Ok(())
    }

    /// Reads on if what follows `ahead` more bytes is not there for an excerpt.
    pub fn look_ahead(&mut self, ahead: usize) -> io::Result<()> {
        match self.is_ended || self.rest().len() >= ahead + CONTEXT {
            true => Ok(()),
            false => self.fill(),
        }
    }

    /// Goes back to the start of a file that can be read again.
    pub fn rewind(&mut self) -> io::Result<()> {
        self.passed.fetch_sub(self.end as u64, Ordering::Relaxed);
        self.file.0.seek(SeekFrom::Start(self.start))?;
        (self.base, self.at, self.end, self.is_ended) = (self.start, 0, 0, false);
        self.fill()
    }

    /// Goes to the start of a range of such a file, to end where that does.
    pub fn narrow(&mut self, range: Range<u64>) -> io::Result<()> {
        (self.start, self.limit) = (range.start, Some(range.end));
        self.rewind()
    }

    /// All bytes that are there, and where in them that byte of the file is; None if it is gone.
    pub fn around(&self, offset: u64) -> Option<(&[u8], usize)> {
        let at = usize::try_from(offset.checked_sub(self.base)?).ok()?;
        (at <= self.end).then_some((&self.buffer[..self.end], at))
    }

    /// Where the file ends, or the range of it, if it is one that can be read in pieces from any place.
    pub fn end_of_file(&self, target: &FileEntry) -> io::Result<Option<u64>> {
        // Standard input continues from its current position.
        if target.is_stdin() {
            return Ok(None);
        }
        let metadata = self.file.0.metadata()?;
        Ok(metadata.is_file().then_some(self.limit.unwrap_or(metadata.len())))
    }

    /// File and buffer, for other use; the window has to be rewound after it.
    pub fn borrow(&mut self) -> (&File, &mut [u8]) {
        (&self.file.0, self.buffer)
    }
}
