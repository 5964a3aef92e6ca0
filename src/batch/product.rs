//! Products: the output for a file, from its first byte until it is published.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write};

use super::record::Encodings;
use super::section::{Section, Side, compare, digests};
use crate::batch::diff;
use crate::files::compared::Content;
use crate::files::replace::{Durability, FileTarget, Prepared, Replacement};
use crate::files::stdio::fill_at;
use utfconv_scan::common::common_start;

/// Receives the new content of a file. For a file that is edited in place, nothing is written as long as the new
/// content equals the old content.
pub struct Product {
    state: State,
    /// Number of bytes of the output so far.
    len: u64,
    /// The first bytes of the output.
    head: Vec<u8>,
    purpose: Purpose,
    /// A buffer for the old bytes that were compared last.
    old: Vec<u8>,
    /// The records of the changes, if the command recorded them itself.
    section: Option<Section>,
    /// The contents kept for the records; `None` without a manifest.
    held: Option<Held>,
}

/// The old and the new content of a small file, which are kept so that they need not be read again.
#[derive(Default)]
struct Held {
    old: Option<Vec<u8>>,
    new: Vec<u8>,
}

#[allow(clippy::large_enum_variant)] // a thread has one at a time
enum State {
    /// The output so far equals the start of this file.
    Same(FileTarget),
    Written(Replacement),
    /// The output is only counted.
    Counted,
    /// The output is kept in memory, to be compared with the file.
    Kept(FileTarget, Vec<u8>),
    /// An earlier write failed.
    Failed,
}

/// What a product does with its output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    Write,
    Count,
    /// Hold the old and the new content in memory, to compare them.
    Compare,
}

/// The contents of a file before and after the edit.
pub struct Contents {
    pub old: Vec<u8>,
    pub new: Vec<u8>,
    pub is_executable: bool,
}

fn failed_before() -> io::Error {
    io::Error::other("an earlier write failed")
}

/// Number of bytes that are enough to recognize a BOM.
const HEAD: usize = 4;

/// Maximum number of old bytes that are compared at a time.
const WINDOW: usize = 64 << 10;

impl Product {
    /// Creates a product for a file that is edited in place. If the changes are recorded (`is_recorded`), small
    /// contents are kept for [`Product::recorded`].
    pub fn in_place(target: FileTarget, purpose: Purpose, is_recorded: bool) -> Product {
        let held = is_recorded.then(Held::default);
        Product { held, ..Product::with(State::Same(target), purpose) }
    }

    /// Creates a product for another file.
    pub fn new(target: FileTarget) -> io::Result<Product> {
        Ok(Product::with(State::Written(Replacement::new(target)?), Purpose::Write))
    }

    /// Creates a product that only counts bytes.
    pub fn counted() -> Product {
        Product::with(State::Counted, Purpose::Count)
    }

    fn with(state: State, purpose: Purpose) -> Product {
        Product { state, len: 0, head: Vec::new(), purpose, old: Vec::new(), section: None, held: None }
    }

    /// Sets the records of all changes, for a manifest. Without these records, the old and the new content are
    /// compared.
    pub fn set_changes(&mut self, section: Section) {
        self.section = Some(section);
    }

    /// Returns the records of the changes in the file `path`; `None` if nothing changes.
    pub fn recorded(&mut self, path: &OsStr, encodings: Option<Encodings>) -> io::Result<Option<Section>> {
        self.settle()?;
        let State::Written(replacement) = &self.state else { return Ok(None) };
        let old = self.held.as_ref().and_then(|held| held.old.as_deref());
        let new = self.held.as_ref().map(|held| &held.new[..]).filter(|new| new.len() as u64 == self.len);
        let target = replacement.target();
        let read_old = |into: &mut [u8], offset| match old {
            Some(old) => old.fill_at(into, offset),
            None => target.read(into, offset),
        };
        let read_new = |into: &mut [u8], offset| match new {
            Some(new) => new.fill_at(into, offset),
            None => fill_at(replacement.file(), into, offset),
        };
        let old = Side::new(target.len().unwrap_or_default(), &read_old);
        let new = Side::new(self.len, &read_new);
        let (mut section, digests) = match self.section.take() {
            Some(section) => (section, digests(old, new)?),
            None => {
                let mut section = Section::new(path);
                let digests = compare(&mut section, old, new)?;
                (section, digests)
            }
        };
        section.end(&digests, encodings)?;
        Ok(Some(section))
    }

    /// Returns the number of bytes of the output so far.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Returns the first bytes of the output.
    pub fn head(&self) -> &[u8] {
        &self.head
    }

    /// Starts to write the output if it ended before the end of the old content, because the contents then differ.
    pub fn settle(&mut self) -> io::Result<()> {
        match &self.state {
            State::Same(_) if !self.is_unchanged() => self.begin(),
            _ => Ok(()),
        }
    }

    /// Returns the file that was written, if there is one.
    pub fn file(&self) -> Option<&File> {
        if let State::Written(replacement) = &self.state { Some(replacement.file()) } else { None }
    }

    /// Returns the contents to compare, if they differ.
    pub fn into_contents(mut self) -> io::Result<Option<Contents>> {
        self.settle()?;
        let State::Kept(target, new) = self.state else { return Ok(None) };
        let (old, is_executable) = (whole(&target)?, target.is_executable());
        Ok(Some(Contents { old, new, is_executable }))
    }

    /// Fails if another process has changed the file that is edited in place.
    pub fn ensure_unchanged(&self) -> io::Result<()> {
        if let State::Written(replacement) = &self.state {
            replacement.target().ensure_unchanged()
        } else {
            Ok(())
        }
    }

    /// Whether the output equals the content of the file.
    pub fn is_unchanged(&self) -> bool {
        matches!(&self.state, State::Same(target) if target.len() == Some(self.len))
    }

    /// Returns the file to publish, if there is one.
    pub fn prepare(mut self, sync: Durability) -> io::Result<Option<Prepared>> {
        self.settle()?;
        match self.state {
            State::Written(replacement) => replacement.prepare(sync).map(Some),
            State::Same(_) | State::Counted | State::Kept(..) => Ok(None),
            State::Failed => Err(failed_before()),
        }
    }

    /// Starts to write, beginning with the bytes that were equal to the file.
    fn begin(&mut self) -> io::Result<()> {
        let State::Same(target) = std::mem::replace(&mut self.state, State::Failed) else {
            return Err(failed_before());
        };
        self.state = match self.purpose {
            Purpose::Write => State::Written(self.begin_to_write(target)?),
            Purpose::Count => State::Counted,
            Purpose::Compare => {
                let mut new = whole(&target)?;
                new.truncate(usize::try_from(self.len).unwrap_or(usize::MAX));
                State::Kept(target, new)
            }
        };
        Ok(())
    }

    /// Begins to replace `target`. Copies the bytes that were equal so far.
    fn begin_to_write(&mut self, target: FileTarget) -> io::Result<Replacement> {
        let mut replacement = Replacement::new(target)?;
        let mut copied = 0;
        if self.len > 0 {
            self.old.resize(WINDOW, 0);
        }
        while copied < self.len {
            let len = (self.len - copied).min(WINDOW as u64) as usize;
            if replacement.target().read(&mut self.old[..len], copied)? < len {
                return Err(io::Error::other("the file became shorter during conversion"));
            }
            replacement.write_all(&self.old[..len])?;
            copied += len as u64;
        }
        Ok(replacement)
    }

    /// Returns how many leading bytes of `from` equal the next bytes of the old file. Also returns true if all bytes
    /// that were compared are equal.
    fn same(&mut self, from: &[u8]) -> io::Result<(usize, bool)> {
        let State::Same(target) = &self.state else { return Ok((0, false)) };
        let from = &from[..from.len().min(WINDOW)];
        if self.old.len() < from.len() {
            self.old.resize(from.len(), 0);
        }
        let read = target.read(&mut self.old[..from.len()], self.len)?;
        if let Some(held) = &mut self.held
            && self.len == 0
            && read < from.len()
        {
            held.old = Some(self.old[..read].to_vec());
        }
        let same = common_start(from, &self.old[..read]);
        Ok((same, same == from.len()))
    }
}

/// Returns the content of the old file.
fn whole(target: &FileTarget) -> io::Result<Vec<u8>> {
    let len = target.len().unwrap_or_default();
    if len > diff::LARGEST {
        return Err(io::Error::other(diff::TOO_LARGE));
    }
    let mut content = vec![0; len as usize];
    let read = target.read(&mut content, 0)?;
    content.truncate(read);
    Ok(content)
}

impl Write for Product {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        let is_first = self.len == 0;
        let written = self.write_some(from)?;
        if let Some(held) = &mut self.held
            && is_first
            && from.len() <= WINDOW
        {
            held.new = from[..written].to_vec();
        }
        let room = HEAD - self.head.len();
        self.head.extend_from_slice(&from[..written.min(room)]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Product {
    fn write_some(&mut self, from: &[u8]) -> io::Result<usize> {
        let mut same = 0;
        if let State::Same(_) = self.state {
            let (count, is_all) = self.same(from)?;
            // If the first chunk differs, all of it is written at once.
            same = if is_all || self.len > 0 { count } else { 0 };
            self.len += same as u64;
            if is_all {
                return Ok(same);
            }
            self.begin()?;
        }
        let written = match &mut self.state {
            State::Written(replacement) => replacement.write(&from[same..]),
            State::Counted => Ok(from.len() - same),
            State::Kept(_, new) if (new.len() + from.len()) as u64 > diff::LARGEST => {
                Err(io::Error::other(diff::TOO_LARGE))
            }
            State::Kept(_, new) => {
                new.extend_from_slice(&from[same..]);
                Ok(from.len() - same)
            }
            State::Same(_) | State::Failed => Err(failed_before()),
        };
        // Equal bytes count as written, so the next call returns the error.
        if written.is_err() && same > 0 {
            return Ok(same);
        }
        let written = written?;
        self.len += written as u64;
        Ok(same + written)
    }
}
