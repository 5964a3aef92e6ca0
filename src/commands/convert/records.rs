//! Reads mainframe records as lines, and describes errors in input and output records.

use std::fmt;
use std::io::{self, BufRead, ErrorKind, Read};
use std::sync::{Arc, Mutex};

use utfconv_core::{EbcdicNewline, Encoding, StreamError};
use utfconv_scan::records::{BadKind, BadLine, BadRecord, Framing, Unblocker};

use crate::text::newlines::{blank, bytes, error_of};
use crate::ui::threads::lock;

/// The form of the records in an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputRecords {
    pub framing: Framing,
    /// True if spaces at the end of records of fixed length are text.
    pub keeps_blanks: bool,
}

/// Maximum number of bytes in a record of fixed length.
const MOST: usize = 1 << 20;

/// The EBCDIC byte 15, which is the newline on Unix, and NEL elsewhere.
const NEL: u8 = 0x15;

/// Number of bytes of lines that are made at a time.
const LINES: usize = 128 << 10;

/// Parses the value of an option for records.
pub fn framing(value: &str) -> Result<Framing, String> {
    match value.to_ascii_lowercase().as_str() {
        "rdw" => Ok(Framing::Rdw),
        "rdw-blocked" => Ok(Framing::RdwBlocked),
        number => match number.parse() {
            Ok(len @ 1..=MOST) => Ok(Framing::Fixed(len)),
            _ => Err(format!("expected a length from 1 to {MOST}, rdw or rdw-blocked")),
        },
    }
}

/// Returns the error in a record, or in a line that becomes a record, if this error made a conversion fail.
pub fn bad(error: &io::Error) -> Option<String> {
    let error = error.get_ref()?;
    let record = error.downcast_ref::<Unreadable>().map(Unreadable::to_string);
    record.or_else(|| error.downcast_ref::<BadLine>().map(BadLine::to_string))
}

/// Returns the error in an input or output record, if this error made a conversion fail.
pub fn bad_in(error: &StreamError) -> Option<String> {
    match error {
        StreamError::Read(error) | StreamError::Write(error) => bad(error),
    }
}

/// A bad record, with advice for the user.
#[derive(Debug)]
struct Unreadable {
    bad: BadRecord,
    /// Advice if the input seems to have lines, and no records.
    advice: &'static str,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", self.bad, self.advice)
    }
}

impl std::error::Error for Unreadable {}

/// Offsets in bytes at which records begin: in the lines made of the records, and in the source.
#[derive(Clone, Default)]
pub struct Starts(Arc<Mutex<Vec<(u64, u64)>>>);

impl Starts {
    /// Converts an offset in the lines that were made last to an offset in the source.
    pub fn offset_in_source(&self, at: u64) -> u64 {
        let starts = lock(&self.0);
        match starts.partition_point(|(line, _)| *line <= at).checked_sub(1) {
            Some(number) => starts[number].1 + (at - starts[number].0),
            None => at,
        }
    }
}

/// Reads records as lines.
pub struct RecordReader<'a> {
    source: &'a mut dyn BufRead,
    unblocker: Unblocker,
    /// The start of an incomplete record.
    rest: Vec<u8>,
    lines: Vec<u8>,
    /// Number of bytes of `lines` that were read; `before` counts the bytes of all earlier lines.
    at: usize,
    before: u64,
    found: Vec<(usize, u64)>,
    starts: Starts,
    bad: Option<BadRecord>,
    is_ended: bool,
    /// Whether the input encoding and the output encoding are EBCDIC.
    are_ebcdic: [bool; 2],
}

impl<'a> RecordReader<'a> {
    /// Returns `None` if a space or a newline in the input encoding is longer than one byte.
    pub fn new(
        source: &'a mut dyn BufRead,
        InputRecords { framing, keeps_blanks }: InputRecords,
        [encoding, output]: [&'static Encoding; 2],
        newline: EbcdicNewline,
    ) -> Option<RecordReader<'a>> {
        let crlf = bytes(encoding, newline)?;
        let blank = blank(encoding)?;
        let is_trimmed = matches!(framing, Framing::Fixed(_)) && !keeps_blanks;
        Some(RecordReader {
            source,
            unblocker: Unblocker::new(framing, is_trimmed.then_some(blank), crlf),
            rest: Vec::new(),
            lines: Vec::new(),
            at: 0,
            before: 0,
            found: Vec::new(),
            starts: Starts::default(),
            bad: None,
            is_ended: false,
            are_ebcdic: [encoding, output].map(Encoding::is_ebcdic),
        })
    }

    pub fn starts(&self) -> Starts {
        self.starts.clone()
    }

    /// Returns advice if a bad record shows that the input has lines, by a newline in the record or at the end of the
    /// input.
    fn advice(&self, bad: BadRecord) -> &'static str {
        let newline = match bad.kind {
            BadKind::Newline(byte) => Some(byte),
            BadKind::Cut { .. } => self.rest.last().copied(),
            _ => None,
        };
        match (newline, self.are_ebcdic) {
            (Some(NEL), [true, _]) => {
                "; if its lines end with byte 15 (hex), use --ebcdic-newline=lf without --records"
            }
            (Some(b'\r' | b'\n'), [false, true]) => {
                "; to write lines as records, use --output-records instead of --records"
            }
            _ => "",
        }
    }

    /// Makes more lines, or none at the end of the input.
    fn fill(&mut self) -> io::Result<()> {
        self.before += self.lines.len() as u64;
        self.lines.clear();
        self.at = 0;
        self.found.clear();
        while self.lines.is_empty() && self.bad.is_none() && !self.is_ended {
            let chunk = match self.source.fill_buf() {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                chunk => chunk?,
            };
            if chunk.is_empty() {
                self.bad = self.unblocker.end(&self.rest);
                self.is_ended = true;
            } else if self.rest.is_empty() {
                let taken = self.unblocker.take(chunk, &mut self.lines, LINES, &mut self.found);
                self.bad = taken.bad;
                let is_cut = taken.count == 0 && taken.bad.is_none();
                if is_cut {
                    self.rest.extend_from_slice(chunk);
                }
                let count = if is_cut { chunk.len() } else { taken.count };
                self.source.consume(count);
            } else {
                let missing = self.unblocker.wants(&self.rest).saturating_sub(self.rest.len()).max(1);
                let count = missing.min(chunk.len());
                self.rest.extend_from_slice(&chunk[..count]);
                self.source.consume(count);
                let taken = self.unblocker.take(&self.rest, &mut self.lines, LINES, &mut self.found);
                self.bad = taken.bad;
                self.rest.drain(..taken.count);
            }
        }
        // The start of the last record is kept, because a character that is decoded now may begin in that record.
        let mut starts = lock(&self.starts.0);
        let last = starts.last().copied();
        starts.clear();
        starts.extend(last);
        starts.extend(self.found.iter().map(|(at, source)| (self.before + *at as u64, *source)));
        Ok(())
    }
}

impl BufRead for RecordReader<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.lines.len() {
            self.fill()?;
            if self.lines.is_empty()
                && let Some(bad) = self.bad
            {
                return Err(error_of(Unreadable { bad, advice: self.advice(bad) }));
            }
        }
        Ok(&self.lines[self.at..])
    }

    fn consume(&mut self, count: usize) {
        self.at += count;
    }
}

impl Read for RecordReader<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(into)?;
        self.consume(count);
        Ok(count)
    }
}
