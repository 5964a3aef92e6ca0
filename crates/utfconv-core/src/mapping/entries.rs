//! Collects the entries of a mapping file, and checks them against each other.

use std::collections::HashSet;

use super::text::{Line, MappingError, spaced};
use crate::legacy::{Code, Mapping};

/// The directions in which a code and a character belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Both,
    Read,
    Write,
}

/// The one or two scalar values that a code encodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scalars {
    pub first: u32,
    pub second: Option<u32>,
}

/// The entries of a mapping file.
#[derive(Default)]
pub(super) struct Entries {
    /// Whether codes of two bytes are between SO and SI.
    pub has_shifts: bool,
    list: Vec<Entry>,
}

struct Entry {
    code: Code,
    scalars: Scalars,
    direction: Direction,
    line: u32,
    column: u32,
}

/// Maximum number of entries, which is more than there are characters.
const MOST: usize = 1_200_000;

impl Entries {
    /// Adds an entry, whose code begins at `at`.
    pub fn add(
        &mut self,
        at: &Line,
        code: Code,
        scalars: Scalars,
        direction: Direction,
    ) -> Result<(), MappingError> {
        if self.list.len() == MOST {
            return Err(at.error("a mapping has at most 1,200,000 codes"));
        }
        if self.has_shifts && !is_reached_by_shifts(code) {
            return Err(at.error(format!("code {} cannot be reached by SO and SI", spaced(code))));
        }
        let (line, column) = (at.number as u32, at.column() as u32);
        self.list.push(Entry { code, scalars, direction, line, column });
        Ok(())
    }

    /// Returns the mapping, or an error if a code occurs twice or begins another code.
    pub fn finish(self) -> Result<Mapping, MappingError> {
        self.check()?;
        let mut mapping = Mapping::default();
        let (mut written, mut read) = (HashSet::new(), HashSet::new());
        for Entry { code, scalars, direction, .. } in self.list {
            if direction != Direction::Write && !read.insert(code) {
                // Ignore a line that repeats an earlier line.
                continue;
            }
            match (scalars.second, direction) {
                (Some(second), Direction::Both | Direction::Read) => {
                    mapping.pairs.push((code, [scalars.first, second]));
                    if direction == Direction::Read {
                        mapping.read_only.push(code);
                    }
                }
                // Two characters that are only written as a code are not supported, so ignore the entry.
                (Some(_), Direction::Write) => {}
                (None, Direction::Write) => {
                    if written.insert(scalars.first) {
                        mapping.write_only.push((code, scalars.first));
                    }
                }
                (None, direction) => {
                    mapping.codes.push((code, scalars.first));
                    // If a character has several codes, the first in the file is written.
                    if direction == Direction::Read || !written.insert(scalars.first) {
                        mapping.read_only.push(code);
                    }
                }
            }
        }
        if mapping.codes.is_empty() && mapping.pairs.is_empty() {
            return Err(MappingError::whole(
                "maps no code to a character; expected a charmap, a .ucm file or lines such as 0x80 0x20AC",
            ));
        }
        Ok(mapping)
    }

    /// Checks that no code occurs twice or begins another code.
    fn check(&self) -> Result<(), MappingError> {
        let mut read: Vec<&Entry> =
            self.list.iter().filter(|entry| entry.direction != Direction::Write).collect();
        read.sort_unstable_by_key(|entry| (entry.code, entry.line));
        let mut first: Option<(&Entry, String)> = None;
        for pair in read.windows(2) {
            let [one, other] = [pair[0], pair[1]];
            let (late, early) = if other.line >= one.line { (other, one) } else { (one, other) };
            let early_line = early.line as usize;
            let is_longer = one.code.len() < other.code.len() && !self.has_shifts;
            let is_repeated = (one.scalars, one.direction) == (other.scalars, other.direction);
            let problem = if one.code == other.code && !is_repeated {
                format!("code {} is already in line {early_line}", spaced(one.code))
            } else if is_longer && other.code.bytes().starts_with(one.code.bytes()) {
                let begins = if std::ptr::eq(late, other) { "begins with" } else { "begins" };
                let [late, early] = [late, early].map(|entry| spaced(entry.code));
                format!("code {late} {begins} code {early} of line {early_line}")
            } else {
                continue;
            };
            if first.as_ref().is_none_or(|(known, _)| late.line < known.line) {
                first = Some((late, problem));
            }
        }
        let Some((at, problem)) = first else { return Ok(()) };
        Err(MappingError::new(at.line as usize, at.column as usize, problem))
    }
}

/// Whether `code` can occur in a text with SO and SI.
fn is_reached_by_shifts(code: Code) -> bool {
    match *code.bytes() {
        [byte] => !matches!(byte, 0x0E | 0x0F),
        [lead, trail] => (0x40..=0xFE).contains(&lead) && (0x40..=0xFE).contains(&trail),
        _ => false,
    }
}
