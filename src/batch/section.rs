//! Sections: the records of the changes of one file, collected until the new content is complete.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Seek, Write};
use std::mem;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use super::record::{Digest, Encodings, Hasher, Record};
use crate::files::draft::Draft;
use crate::ui::json::to_json;
use utfconv_scan::common::{common_end, common_start};

/// Maximum number of bytes of records that are kept in memory; further records are written to a temporary file.
const IN_MEMORY: usize = 1 << 20;

/// Maximum size of small records in bytes. The limit is low, because a thread keeps the small records of several
/// hundred files.
const SMALL: usize = 16 << 10;

/// Initial capacity in bytes, which is enough for the records of most small files.
const USUAL: usize = 2 << 10;

/// Number of bytes that are compared at a time, and maximum number of old bytes in a record.
const WINDOW: usize = 256 << 10;

/// The records of a file.
pub struct Section {
    /// Whole lines that are not in `rest`.
    lines: String,
    /// A temporary file with the records before `lines`.
    rest: Option<Draft>,
}

impl Section {
    /// Creates the section of the file `path`.
    pub fn new(path: &OsStr) -> Section {
        let mut section = Section { lines: String::with_capacity(USUAL), rest: None };
        section.lines.push_str(&to_json(&Record::File { path: path.to_os_string() }));
        section.lines.push('\n');
        section
    }

    /// Adds a line feed, and moves the lines to a temporary file if they are too many for memory.
    fn end_line(&mut self) -> io::Result<()> {
        self.lines.push('\n');
        if self.lines.len() < IN_MEMORY {
            return Ok(());
        }
        let rest = match self.rest.take() {
            Some(rest) => rest,
            None => Draft::elsewhere("manifest".as_ref())?,
        };
        self.rest.insert(rest).write_all(self.lines.as_bytes())?;
        self.lines.clear();
        Ok(())
    }

    /// Adds a change: the bytes `old` at offset `input` of the old content were replaced by `length` bytes at offset
    /// `output` of the new content.
    pub fn change(
        &mut self,
        [input, output]: [u64; 2],
        old: &[u8],
        length: u64,
        why: Option<&str>,
    ) -> io::Result<()> {
        // The line is formatted directly, because many changes are long and base64 needs no escapes.
        write!(
            self.lines,
            r#"{{"type":"change","input":{input},"output":{output},"length":{length},"old":""#
        )
        .map_err(io::Error::other)?;
        BASE64_STANDARD.encode_string(old, &mut self.lines);
        self.lines.push('"');
        if let Some(why) = why {
            self.lines.push_str(r#","why":"#);
            self.lines.push_str(&to_json(&why));
        }
        self.lines.push('}');
        self.end_line()
    }

    /// Ends the section with the digests and encodings.
    pub fn end(&mut self, digests: &[Digest; 2], encodings: Option<Encodings>) -> io::Result<()> {
        let [input, output] = digests.clone();
        self.lines.push_str(&to_json(&Record::End { input, output, encodings }));
        self.end_line()
    }

    /// Whether the records may wait for those of other files. Larger records would take too much memory, or a
    /// descriptor.
    pub fn is_small(&self) -> bool {
        self.rest.is_none() && self.lines.len() <= SMALL
    }

    /// Returns the records that are in memory, which are all records if they are small.
    pub fn in_memory(&self) -> &[u8] {
        self.lines.as_bytes()
    }

    /// Writes the records to a file. Returns the number of bytes.
    pub fn copy_to(&self, mut to: &File) -> io::Result<u64> {
        let mut copied = 0;
        if let Some(rest) = &self.rest {
            let mut from = rest.file();
            from.rewind()?;
            copied = io::copy(&mut from, &mut to)?;
        }
        to.write_all(self.lines.as_bytes())?;
        Ok(copied + self.lines.len() as u64)
    }
}

/// A function that fills a buffer with the content at an offset, as far as possible, and returns the number of bytes.
pub type ReadAt<'a> = &'a dyn Fn(&mut [u8], u64) -> io::Result<usize>;

/// One of two contents that are compared.
pub struct Side<'a> {
    read: ReadAt<'a>,
    /// The length of the content in bytes. If the file has grown, it is later refused as changed.
    len: u64,
    buffer: Vec<u8>,
    /// The index in `buffer` of the first byte that was not skipped.
    start: usize,
    /// The offset in the content of the first byte that was not skipped.
    at: u64,
    is_ended: bool,
    hasher: Hasher,
}

impl Side<'_> {
    /// Creates one side of a comparison.
    pub fn new(len: u64, read: ReadAt) -> Side {
        Side { read, len, buffer: Vec::new(), start: 0, at: 0, is_ended: false, hasher: Hasher::default() }
    }

    /// Returns the bytes that were read and not skipped.
    fn rest(&self) -> &[u8] {
        &self.buffer[self.start..]
    }

    /// Returns the skipped bytes that are still in the buffer.
    fn before(&self) -> &[u8] {
        &self.buffer[..self.start]
    }

    /// Whether `fill` reads more bytes, and so discards the skipped bytes.
    fn is_to_read(&self) -> bool {
        self.rest().len() < WINDOW && !self.is_ended
    }

    /// Reads until the buffer has a window of bytes that were not skipped, or the content ends.
    fn fill(&mut self) -> io::Result<()> {
        if !self.is_to_read() {
            return Ok(());
        }
        self.buffer.drain(..mem::take(&mut self.start));
        let had = self.buffer.len();
        // Limit the read to the known length, because clearing a whole window, or a read for nothing, takes longer than
        // comparing a small file.
        let offset = self.at + had as u64;
        let rest = usize::try_from(self.len.saturating_sub(offset)).unwrap_or(usize::MAX);
        let room = rest.min(2 * WINDOW - had);
        self.buffer.resize(had + room, 0);
        let read = (self.read)(&mut self.buffer[had..], offset)?;
        self.buffer.truncate(had + read);
        self.is_ended = read < room || read == rest;
        self.hasher.update(&self.buffer[had..]);
        Ok(())
    }

    /// Returns the length of the next line in bytes, at most a window.
    fn line(&self) -> usize {
        let window = &self.rest()[..self.rest().len().min(WINDOW)];
        memchr::memchr(b'\n', window).map_or(window.len(), |at| at + 1)
    }

    fn skip(&mut self, count: usize) {
        self.start += count;
        self.at += count as u64;
    }

    /// Returns the digest of the whole content.
    fn end(mut self) -> io::Result<Digest> {
        while !self.is_ended {
            self.skip(self.rest().len());
            self.fill()?;
        }
        Ok(self.hasher.end())
    }
}

/// Returns the digests of both contents.
pub fn digests(old: Side, new: Side) -> io::Result<[Digest; 2]> {
    Ok([old.end()?, new.end()?])
}

/// Adds the differences between both contents to `section`, line by line. Returns the digests of both contents. After
/// an added or removed line, all lines differ.
pub fn compare(section: &mut Section, mut old: Side, mut new: Side) -> io::Result<[Digest; 2]> {
    let mut difference = Difference::default();
    loop {
        if old.is_to_read() {
            difference.copy(old.before());
        }
        old.fill()?;
        new.fill()?;
        let same = common_start(old.rest(), new.rest());
        if same > 0 {
            difference.keep(same, old.before(), section)?;
            old.skip(same);
            new.skip(same);
            continue;
        }
        if old.rest().is_empty() && new.rest().is_empty() {
            difference.end(old.before(), section)?;
            return digests(old, new);
        }
        let (a, b) = (old.line(), new.line());
        // The common end of both lines is no change.
        let kept = common_end(&old.rest()[..a], &new.rest()[..b]);
        let (a, b) = (a - kept, b - kept);
        difference.replace([old.at, new.at], a, b as u64, old.before(), section)?;
        old.skip(a);
        new.skip(b);
    }
}

/// Changes that are merged into one record, because few unchanged bytes are between them.
#[derive(Default)]
struct Difference {
    /// The offsets at which the difference begins in both contents.
    start: [u64; 2],
    /// The first old bytes, if they are no longer in the buffer.
    copied: Vec<u8>,
    /// Number of the old bytes that are still in the buffer, directly before the rest.
    pending: usize,
    /// Number of bytes of the new content in the difference.
    length: u64,
    /// Number of bytes at the end that are equal in both contents.
    same: usize,
}

impl Difference {
    /// Maximum number of equal bytes within a difference. In base64, they take about as much space as the start of
    /// another record.
    const SAME: usize = 48;

    /// Adds the next `count` bytes, which are equal in both contents. `before` has the old bytes before them.
    fn keep(&mut self, count: usize, before: &[u8], section: &mut Section) -> io::Result<()> {
        if self.is_empty() {
            return Ok(());
        }
        if self.same + count > Difference::SAME {
            return self.end(before, section);
        }
        self.pending += count;
        self.length += count as u64;
        self.same += count;
        Ok(())
    }

    /// Adds a replacement of the next `count` old bytes at the first offset by `length` new bytes at the second offset.
    fn replace(
        &mut self,
        at: [u64; 2],
        count: usize,
        length: u64,
        before: &[u8],
        section: &mut Section,
    ) -> io::Result<()> {
        if self.copied.len() + self.pending + count > WINDOW {
            self.end(before, section)?;
        }
        if self.is_empty() {
            self.start = at;
        }
        self.pending += count;
        self.length += length;
        self.same = 0;
        Ok(())
    }

    fn is_empty(&self) -> bool {
        self.copied.is_empty() && self.pending == 0 && self.length == 0
    }

    /// Copies the pending bytes, which the buffer will discard.
    fn copy(&mut self, before: &[u8]) {
        self.copied.extend_from_slice(&before[before.len() - mem::take(&mut self.pending)..]);
    }

    /// Adds the difference to the records, and starts another difference.
    fn end(&mut self, before: &[u8], section: &mut Section) -> io::Result<()> {
        if !self.is_empty() {
            if !self.copied.is_empty() {
                self.copy(before);
            }
            let old =
                if self.copied.is_empty() { &before[before.len() - self.pending..] } else { &self.copied };
            let old = &old[..old.len() - self.same];
            section.change(self.start, old, self.length - self.same as u64, None)?;
        }
        *self = Difference::default();
        Ok(())
    }
}
