//! Converts records of mainframes to lines and back, in an encoding whose code units are bytes.

use std::fmt;

use memchr::{memchr, memchr2};

/// How records are separated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// Each record has this many bytes.
    Fixed(usize),
    /// Each record begins with its length, in a record descriptor word of four bytes.
    Rdw,
    /// Records with descriptor words are in blocks, which begin with their lengths, too.
    RdwBlocked,
}

/// Number of bytes in a descriptor word.
const WORD: usize = 4;

/// Maximum length in bytes of a block, and of a record that is written, including its descriptor word.
const LONGEST: usize = 32_760;

/// Bytes of a source that are not a valid record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadRecord {
    /// The number of the record, counted from 1.
    pub number: u64,
    /// The offset in bytes of the record, or of the newline in it.
    pub offset: u64,
    /// The reason.
    pub kind: BadKind,
}

/// Why bytes are not a valid record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the fields are numbers of bytes
pub enum BadKind {
    /// The source ends inside a record or block, which has only `has` of `wants` bytes.
    Cut { has: u64, wants: u64 },
    /// The length of a record is invalid.
    Length(u64),
    /// The length of a block is invalid.
    BlockLength(u64),
    /// Bytes of a block descriptor that must be zero are not.
    BlockReserved,
    /// The record is longer than the rest of its block.
    CrossesBlock { wants: u64, left: u64 },
    /// The bytes are a segment of a record that spans several blocks.
    Spanned,
    /// The record contains this newline byte, so it would become several lines.
    Newline(u8),
}

impl fmt::Display for BadRecord {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let BadRecord { number, offset, kind } = self;
        write!(f, "record {number} ")?;
        let at = format_args!("at byte {offset}");
        match kind {
            BadKind::Cut { has, wants } => write!(f, "({at}) is cut short: {has} of {wants} bytes"),
            BadKind::Length(length) => write!(
                f,
                "has an invalid length {at}: {length} is less than the {WORD} bytes of its descriptor"
            ),
            BadKind::BlockLength(length) => {
                write!(f, "has an invalid block {at}: its length {length} is too short for a record")
            }
            BadKind::BlockReserved => {
                write!(f, "has an invalid block {at}: its descriptor does not end with zeros")
            }
            BadKind::CrossesBlock { wants, left } => write!(
                f,
                "crosses the end of its block {at}: its length is {wants}, but the block ends after {left} bytes"
            ),
            BadKind::Spanned => write!(
                f,
                "has an invalid descriptor {at}: this is a segment of a spanned record, or no descriptor"
            ),
            BadKind::Newline(byte) => {
                write!(f, "has a newline {at}: {byte:02X} would make more than one line of it")
            }
        }
    }
}

impl std::error::Error for BadRecord {}

/// A line that cannot be written as a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// The number of the line in its input, counted from 1.
    pub number: u64,
    /// The reason.
    pub kind: BadLineKind,
}

/// Why a line cannot be written as a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the fields are numbers of bytes
pub enum BadLineKind {
    TooLong {
        has: u64,
        room: u64,
    },
    /// The line has a CR that no LF follows, which is a newline, and no record may have a newline.
    Cr,
}

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "line {} ", self.number)?;
        match self.kind {
            BadLineKind::TooLong { has, room } => {
                write!(f, "is too long for a record: it has {has} bytes, and there is room for {room}")
            }
            BadLineKind::Cr => write!(f, "cannot be a record: it has a CR that is not before LF"),
        }
    }
}

impl std::error::Error for BadLine {}

/// Converts records to lines.
pub struct Unblocker {
    /// How records are separated.
    pub framing: Framing,
    /// The byte that is removed at the end of records of fixed length, if any.
    pub blank: Option<u8>,
    /// The bytes of CR and LF. LF is written after each record.
    pub crlf: [u8; 2],
    /// Number of records so far.
    number: u64,
    /// The offset of the next byte in the source.
    offset: u64,
    /// Number of bytes that are left of the current block.
    block: u64,
}

/// The result of converting a chunk of a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// Number of bytes consumed of the source.
    pub count: usize,
    /// The record that ended the conversion, if any.
    pub bad: Option<BadRecord>,
}

impl Unblocker {
    /// Starts at the beginning of a source.
    pub fn new(framing: Framing, blank: Option<u8>, crlf: [u8; 2]) -> Unblocker {
        Unblocker { framing, blank, crlf, number: 0, offset: 0, block: 0 }
    }

    /// Adds the lines of whole records to `out`, up to `most` bytes and one more line. Returns the number of bytes
    /// consumed. `starts` collects the offsets in `out` and in the source at which the data of records begin.
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

    /// Returns the number of bytes that the next item has, according to its first bytes.
    pub fn wants(&self, first: &[u8]) -> usize {
        match self.framing {
            Framing::Fixed(len) => len,
            _ if self.is_before_block() => WORD,
            Framing::Rdw | Framing::RdwBlocked => first
                .first_chunk()
                .and_then(|word| self.length_of(*word).ok())
                .map_or(WORD, |length| length as usize),
        }
    }

    /// Whether a block descriptor comes next.
    fn is_before_block(&self) -> bool {
        self.framing == Framing::RdwBlocked && self.block == 0
    }

    /// Returns the length in bytes of the block or record that begins with a descriptor word, including the word.
    fn length_of(&self, word: [u8; WORD]) -> Result<u64, BadKind> {
        const SHORTEST: u64 = WORD as u64;
        const SHORTEST_BLOCK: u64 = 2 * SHORTEST;
        let is_block = self.is_before_block();
        // Block descriptors may have a length of 31 bits.
        let is_large = is_block && word[0] & 0x80 != 0;
        let (length, is_reserved) = if is_large {
            (u64::from(u32::from_be_bytes(word) & 0x7FFF_FFFF), false)
        } else {
            (u64::from(u16::from_be_bytes([word[0], word[1]])), word[2..] != [0, 0])
        };
        match (is_block, length) {
            (true, ..SHORTEST_BLOCK) => Err(BadKind::BlockLength(length)),
            (true, _) if is_reserved => Err(BadKind::BlockReserved),
            (false, ..SHORTEST) => Err(BadKind::Length(length)),
            (false, _) if is_reserved => Err(BadKind::Spanned),
            (false, _) if self.framing == Framing::RdwBlocked && length > self.block => {
                Err(BadKind::CrossesBlock { wants: length, left: self.block })
            }
            _ => Ok(length),
        }
    }

    /// Returns the error of a source that ends with `rest`, which is not a whole item.
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

    /// Returns the error in the next item if its data have a newline; `before` is the number of bytes of the item
    /// before `data`.
    fn newline_in(&self, data: &[u8], before: usize) -> Option<BadRecord> {
        let at = memchr2(self.crlf[0], self.crlf[1], data)?;
        let bad = self.bad(BadKind::Newline(data[at]));
        Some(BadRecord { offset: bad.offset + (before + at) as u64, ..bad })
    }

    fn take_fixed(
        &mut self,
        from: &[u8],
        len: usize,
        out: &mut Vec<u8>,
        most: usize,
        starts: &mut Vec<(usize, u64)>,
    ) -> Taken {
        let (mut count, mut bad) = (0, None);
        out.reserve(from.len() + from.len() / len + 1);
        for record in from.chunks_exact(len) {
            if out.len() >= most {
                break;
            }
            let kept = self.blank.map_or(len, |blank| trimmed(record, blank));
            bad = self.newline_in(&record[..kept], 0);
            if bad.is_some() {
                break;
            }
            starts.push((out.len(), self.offset));
            out.extend_from_slice(&record[..kept]);
            out.push(self.crlf[1]);
            count += len;
            self.number += 1;
            self.offset += len as u64;
        }
        Taken { count, bad }
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
            let length = match self.length_of(*word) {
                Ok(length) => length,
                Err(kind) => return Taken { count, bad: Some(self.bad(kind)) },
            };
            let taken = if self.is_before_block() {
                self.block = length;
                WORD
            } else {
                let Some(record) = from[count..].get(WORD..length as usize) else { break };
                if let Some(bad) = self.newline_in(record, WORD) {
                    return Taken { count, bad: Some(bad) };
                }
                starts.push((out.len(), self.offset + WORD as u64));
                out.extend_from_slice(record);
                out.push(self.crlf[1]);
                self.number += 1;
                length as usize
            };
            count += taken;
            self.offset += taken as u64;
            self.block = self.block.saturating_sub(taken as u64);
        }
        Taken { count, bad: None }
    }
}

/// Returns the length of a record without the blanks at its end, in bytes.
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

/// Converts lines to records.
pub struct Blocker {
    framing: Framing,
    blank: u8,
    /// The bytes of CR and LF.
    crlf: [u8; 2],
    /// The start of a line that is incomplete.
    line: Vec<u8>,
    /// The records of a block that is not full yet.
    block: Vec<u8>,
    /// Number of lines of the input so far.
    number: u64,
}

impl Blocker {
    /// Starts at the beginning of an output, in an encoding with the given blank and newline bytes.
    pub fn new(framing: Framing, blank: u8, crlf: [u8; 2]) -> Blocker {
        Blocker { framing, blank, crlf, line: Vec::new(), block: Vec::new(), number: 0 }
    }

    /// Starts counting the lines of another input. An incomplete line continues in that input.
    pub fn begin_input(&mut self) {
        self.number = 0;
    }

    /// Adds the records of whole lines to `out`.
    pub fn take(&mut self, mut text: &[u8], out: &mut Vec<u8>) -> Result<(), BadLine> {
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

    /// Ends the text; a last line without a newline becomes a record, too.
    pub fn finish(&mut self, out: &mut Vec<u8>) -> Result<(), BadLine> {
        let line = std::mem::take(&mut self.line);
        if !line.is_empty() {
            self.put(&line, out)?;
        }
        self.end_block(out);
        Ok(())
    }

    fn put(&mut self, line: &[u8], out: &mut Vec<u8>) -> Result<(), BadLine> {
        self.number += 1;
        let bad = |kind| BadLine { number: self.number, kind };
        let line = line.strip_suffix(&self.crlf[..1]).unwrap_or(line);
        let room = match self.framing {
            Framing::Fixed(len) => len,
            Framing::Rdw => LONGEST - WORD,
            Framing::RdwBlocked => LONGEST - 2 * WORD,
        };
        if line.len() > room {
            return Err(bad(BadLineKind::TooLong { has: line.len() as u64, room: room as u64 }));
        }
        if memchr(self.crlf[0], line).is_some() {
            return Err(bad(BadLineKind::Cr));
        }
        match self.framing {
            Framing::Fixed(len) => {
                out.extend_from_slice(line);
                out.resize(out.len() + len - line.len(), self.blank);
            }
            Framing::Rdw => {
                out.extend_from_slice(&word_of(line.len() + WORD));
                out.extend_from_slice(line);
            }
            Framing::RdwBlocked => {
                if WORD + self.block.len() + WORD + line.len() > LONGEST {
                    self.end_block(out);
                }
                self.block.extend_from_slice(&word_of(line.len() + WORD));
                self.block.extend_from_slice(line);
            }
        }
        Ok(())
    }

    fn end_block(&mut self, out: &mut Vec<u8>) {
        if !self.block.is_empty() {
            out.extend_from_slice(&word_of(self.block.len() + WORD));
            out.append(&mut self.block);
        }
    }
}

/// Returns the descriptor word of a length, which is at most 32,760 bytes.
fn word_of(length: usize) -> [u8; WORD] {
    let [high, low] = (length as u16).to_be_bytes();
    [high, low, 0, 0]
}
