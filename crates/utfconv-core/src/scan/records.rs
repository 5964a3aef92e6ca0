//! Records of mainframes, and lines: from one to the other, in one encoding of bytes.

use std::fmt;

use memchr::memchr;

/// How records are set apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// Each has so many bytes.
    Fixed(usize),
    /// Each begins with its length, a record descriptor word of four bytes.
    Rdw,
    /// Those are in blocks, which begin with their lengths, too.
    RdwBlocked,
}

/// Bytes in a descriptor word.
const WORD: usize = 4;

/// The longest block, and the longest record with its word that is written.
const LONGEST: usize = 32_760;

/// A record that is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadRecord {
    /// Counted from 1.
    pub number: u64,
    /// Of its first byte, in the source or in the output.
    pub offset: u64,
    /// Why it is none.
    pub kind: BadKind,
}

/// Why bytes are no record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the fields are bytes
pub enum BadKind {
    /// The source ends after so many of these bytes.
    Cut { has: u64, wants: u64 },
    /// A length that no record has.
    Length(u64),
    /// The same of a block.
    BlockLength(u64),
    /// It is longer than the rest of its block.
    CrossesBlock { wants: u64, left: u64 },
    /// A segment of a record that spans several.
    Spanned,
    /// A line of so many bytes is too long for this many.
    TooLong { has: u64, room: u64 },
}

impl fmt::Display for BadRecord {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let BadRecord { number, offset, kind } = self;
        write!(f, "byte {offset}: record {number} ")?;
        match kind {
            BadKind::Cut { has, wants } => write!(f, "is cut: it has {has} of {wants} bytes"),
            BadKind::Length(length) => {
                write!(f, "has the length {length}, less than the {WORD} bytes of its descriptor")
            }
            BadKind::BlockLength(length) => {
                write!(f, "would be in a block of the length {length}, too short for a record")
            }
            BadKind::CrossesBlock { wants, left } => {
                write!(f, "has the length {wants}, but its block ends after {left} bytes")
            }
            BadKind::Spanned => write!(f, "is a segment of a spanned record, or has no descriptor"),
            BadKind::TooLong { has, room } => {
                write!(f, "is too long: the line has {has} bytes, and there is room for {room}")
            }
        }
    }
}

impl std::error::Error for BadRecord {}

/// Makes lines of records.
pub struct Unblocker {
    /// How records are set apart.
    pub framing: Framing,
    /// Removed at the end of records of fixed length.
    pub blank: Option<u8>,
    /// Written after each record.
    pub newline: u8,
    /// Records so far.
    number: u64,
    /// The offset in the source of what comes next.
    offset: u64,
    /// Bytes that are left of a block.
    block: u64,
}

/// What was made of a piece of a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// Bytes of the source.
    pub count: usize,
    /// The record that ended it.
    pub bad: Option<BadRecord>,
}

impl Unblocker {
    /// Begins at the start of a source.
    pub fn new(framing: Framing, blank: Option<u8>, newline: u8) -> Unblocker {
        Unblocker { framing, blank, newline, number: 0, offset: 0, block: 0 }
    }

    /// Adds the lines of whole records to `out`, up to `most` bytes and one line; returns how much of the source
    /// that was. `starts` takes the offsets in `out` and in the source at which the data of records begin.
    pub fn take(
        &mut self,
        from: &[u8],
        out: &mut Vec<u8>,
        most: usize,
        starts: &mut Vec<(usize, u64)>,
    ) -> Taken {
        match self.framing {
            Framing::Fixed(len) => self.take_fixed(from, len, out, most, starts),
            Framing::Rdw | Framing::RdwBlocked => self.take_described(from, out, most, starts),
        }
    }

    /// Returns how many bytes the next item has; `self` has its first ones.
    pub fn wants(&self, first: &[u8]) -> usize {
        match self.framing {
            Framing::Fixed(len) => len,
            Framing::RdwBlocked if self.block == 0 => WORD,
            Framing::Rdw | Framing::RdwBlocked => first
                .first_chunk()
                .map_or(WORD, |word: &[u8; WORD]| length_of(*word).max(WORD as u64) as usize),
        }
    }

    /// What is wrong with a source that ends with these bytes, which are no whole item.
    pub fn end(&self, rest: &[u8]) -> Option<BadRecord> {
        if rest.is_empty() && self.block == 0 {
            return None;
        }
        let wants = if rest.is_empty() { self.block } else { self.wants(rest) as u64 };
        Some(self.bad(BadKind::Cut { has: rest.len() as u64, wants }))
    }

    fn bad(&self, kind: BadKind) -> BadRecord {
        BadRecord { number: self.number + 1, offset: self.offset, kind }
    }

    fn take_fixed(
        &mut self,
        from: &[u8],
        len: usize,
        out: &mut Vec<u8>,
        most: usize,
        starts: &mut Vec<(usize, u64)>,
    ) -> Taken {
        let mut count = 0;
        out.reserve(from.len() + from.len() / len + 1);
        for record in from.chunks_exact(len) {
            if out.len() >= most {
                break;
            }
            starts.push((out.len(), self.offset + count as u64));
            let kept = match self.blank {
                Some(blank) => trimmed(record, blank),
                None => len,
            };
            out.extend_from_slice(&record[..kept]);
            out.push(self.newline);
            count += len;
        }
        self.number += (count / len) as u64;
        self.offset += count as u64;
        Taken { count, bad: None }
    }

    fn take_described(
        &mut self,
        from: &[u8],
        out: &mut Vec<u8>,
        most: usize,
        starts: &mut Vec<(usize, u64)>,
    ) -> Taken {
        let mut count = 0;
        while out.len() < most
            && let Some(word) = from[count..].first_chunk::<WORD>()
        {
            if self.framing == Framing::RdwBlocked && self.block == 0 {
                let length = block_length_of(*word);
                if length < 2 * WORD as u64 {
                    return Taken { count, bad: Some(self.bad(BadKind::BlockLength(length))) };
                }
                self.block = length - WORD as u64;
                self.offset += WORD as u64;
                count += WORD;
                continue;
            }
            let length = length_of(*word);
            let bad = if length < WORD as u64 {
                Some(BadKind::Length(length))
            } else if word[2] != 0 || word[3] != 0 {
                Some(BadKind::Spanned)
            } else if self.framing == Framing::RdwBlocked && length > self.block {
                Some(BadKind::CrossesBlock { wants: length, left: self.block })
            } else {
                None
            };
            if let Some(bad) = bad {
                return Taken { count, bad: Some(self.bad(bad)) };
            }
            let Some(record) = from[count..].get(WORD..length as usize) else { break };
            starts.push((out.len(), self.offset + WORD as u64));
            out.extend_from_slice(record);
            out.push(self.newline);
            count += length as usize;
            self.offset += length;
            self.number += 1;
            self.block = self.block.saturating_sub(length);
        }
        Taken { count, bad: None }
    }
}

/// The length of a record, with its descriptor.
fn length_of(word: [u8; WORD]) -> u64 {
    u64::from(u16::from_be_bytes([word[0], word[1]]))
}

/// The length of a block, with its descriptor, which may be of the large form.
fn block_length_of(word: [u8; WORD]) -> u64 {
    match word[0] & 0x80 {
        0 => length_of(word),
        _ => u64::from(u32::from_be_bytes(word) & 0x7FFF_FFFF),
    }
}

/// Returns the length of a record without the blanks at its end.
fn trimmed(record: &[u8], blank: u8) -> usize {
    let mut len = record.len();
    let blanks = u64::from_ne_bytes([blank; 8]);
    while let Some(last) = record[..len].last_chunk::<8>()
        && u64::from_ne_bytes(*last) == blanks
    {
        len -= 8;
    }
    while len > 0 && record[len - 1] == blank {
        len -= 1;
    }
    len
}

/// Makes records of lines.
pub struct Blocker {
    framing: Framing,
    blank: u8,
    /// CR and LF.
    crlf: [u8; 2],
    /// The start of a line that is not whole.
    line: Vec<u8>,
    /// A block that is not full.
    block: Vec<u8>,
    /// Records so far, and the bytes in them.
    number: u64,
    written: u64,
}

impl Blocker {
    /// Begins at the start of an output, in an encoding with this blank and these newlines.
    pub fn new(framing: Framing, blank: u8, crlf: [u8; 2]) -> Blocker {
        Blocker { framing, blank, crlf, line: Vec::new(), block: Vec::new(), number: 0, written: 0 }
    }

    /// Adds the records of whole lines to `out`.
    pub fn take(&mut self, mut text: &[u8], out: &mut Vec<u8>) -> Result<(), BadRecord> {
        while let Some(at) = memchr(self.crlf[1], text) {
            let (line, rest) = (&text[..at], &text[at + 1..]);
            if self.line.is_empty() {
                self.put(line, out)?;
            } else {
                let mut whole = std::mem::take(&mut self.line);
                whole.extend_from_slice(line);
                self.put(&whole, out)?;
                whole.clear();
                self.line = whole;
            }
            text = rest;
        }
        self.line.extend_from_slice(text);
        Ok(())
    }

    /// Ends the text: a last line without a newline is a record, too.
    pub fn finish(&mut self, out: &mut Vec<u8>) -> Result<(), BadRecord> {
        let line = std::mem::take(&mut self.line);
        if !line.is_empty() {
            self.put(&line, out)?;
        }
        self.end_block(out);
        Ok(())
    }

    fn put(&mut self, line: &[u8], out: &mut Vec<u8>) -> Result<(), BadRecord> {
        let line = line.strip_suffix(&self.crlf[..1]).unwrap_or(line);
        let room = match self.framing {
            Framing::Fixed(len) => len,
            Framing::Rdw => LONGEST - WORD,
            Framing::RdwBlocked => LONGEST - 2 * WORD,
        };
        if line.len() > room {
            let kind = BadKind::TooLong { has: line.len() as u64, room: room as u64 };
            return Err(BadRecord { number: self.number + 1, offset: self.written, kind });
        }
        match self.framing {
            Framing::Fixed(len) => {
                out.extend_from_slice(line);
                out.resize(out.len() + len - line.len(), self.blank);
                self.written += len as u64;
            }
            Framing::Rdw => {
                out.extend_from_slice(&word_of(line.len() + WORD));
                out.extend_from_slice(line);
                self.written += (line.len() + WORD) as u64;
            }
            Framing::RdwBlocked => {
                if WORD + self.block.len() + WORD + line.len() > LONGEST {
                    self.end_block(out);
                }
                if self.block.is_empty() {
                    self.written += WORD as u64;
                }
                self.block.extend_from_slice(&word_of(line.len() + WORD));
                self.block.extend_from_slice(line);
                self.written += (line.len() + WORD) as u64;
            }
        }
        self.number += 1;
        Ok(())
    }

    fn end_block(&mut self, out: &mut Vec<u8>) {
        if !self.block.is_empty() {
            out.extend_from_slice(&word_of(self.block.len() + WORD));
            out.append(&mut self.block);
        }
    }
}

/// A descriptor word of a length of at most 32,760.
fn word_of(length: usize) -> [u8; WORD] {
    let [high, low] = (length as u16).to_be_bytes();
    [high, low, 0, 0]
}
