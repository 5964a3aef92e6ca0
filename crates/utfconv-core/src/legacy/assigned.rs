//! The characters of the codes of a multi-byte encoding without shift states: tables for codes of one and two bytes,
//! and an adapter for longer codes. [`Builder`](super::builder::Builder) makes the tables of mappings.

use super::longer::Longer;
use super::mapping::{ByteSet, Code};
use crate::decode::Cell;

/// Marks a lead byte in [`Assigned::singles`].
pub(super) const LEAD: u32 = u32::MAX;
/// Marks a byte in [`Assigned::singles`] that is neither a character nor a lead byte.
pub(super) const NEVER: u32 = u32::MAX - 1;

/// Lower bound of the marks in [`Assigned::singles`]; all scalar values are below it.
pub(super) const NO_SINGLE: u32 = 0x11_0000;

/// The first scalar value that is beyond the tables which are indexed by scalar value.
pub(super) const WRITTEN_END: u32 = 0x3_0000;

/// The codes of an encoding, and their characters.
pub(crate) struct Assigned {
    /// The scalar value of each byte, or [`LEAD`] or [`NEVER`].
    pub(super) singles: [u32; 256],
    /// The character of each byte below 80. The cell of 80 is empty.
    pub(super) ascii: [Cell; 0x81],
    /// The characters of two-byte codes, indexed by [`double_at`]. If 80 is not a lead byte, its row holds the single
    /// bytes.
    pub(super) doubles: Box<[Cell; DOUBLES]>,
    pub(super) longer: Longer,
    /// Two-byte codes that each encode two scalar values.
    pub(super) pairs: Vec<(u16, [u32; 2])>,
    /// The bytes that can be trail bytes, whether their codes are assigned or not.
    pub(super) trails: ByteSet,
    /// Up to two bytes below 80 that are single characters other than ASCII; FF for none.
    pub(super) not_ascii: [u8; 2],
    /// Whether more than two bytes below 80 are single characters other than ASCII.
    pub(super) has_few_ascii: bool,
    /// The byte of each ASCII character; FF if the character has none.
    pub(super) ascii_written: [u8; 0x80],
    /// Whether each ASCII character is written as the byte of the same value.
    pub(super) writes_ascii: bool,
    /// Scalar values that are written as the code, of one or two bytes, of another character.
    pub(super) also: Vec<(u16, u32)>,
    /// Codes of one or two bytes that are read but never written, in ascending order.
    pub(super) read_only: Vec<u16>,
}

/// Number of entries in a table of two-byte codes.
pub(crate) const DOUBLES: usize = 0x80 << 8;

#[inline(always)]
pub(super) fn double_at(lead: u8, trail: u8) -> usize {
    usize::from(lead & 0x7F) << 8 | usize::from(trail)
}

#[inline(always)]
pub(super) fn double_of(code: u16) -> usize {
    usize::from(code & 0x7FFF)
}

impl Assigned {
    /// Whether the bytes 00..7F are ASCII everywhere, and ASCII is written as these bytes, whatever follows.
    pub fn is_ascii(&self) -> bool {
        self.not_ascii == [0xFF; 2]
            && !self.has_few_ascii
            && self.pairs.iter().all(|(_, [first, _])| *first >= 0x80)
            && self.trails.ascii() == ByteSet::EMPTY
            && self.inner() == ByteSet::EMPTY
    }

    /// Returns the bytes below 80 that occur in codes before the last byte.
    pub(super) fn inner(&self) -> ByteSet {
        match &self.longer {
            Longer::Listed(listed) => listed.inner().ascii(),
            Longer::Quads(_) => ByteSet::of(&[(0x30, 0x39)]),
            Longer::None | Longer::Planes(_) => ByteSet::EMPTY,
        }
    }

    /// Returns all possible two-byte codes, assigned or not, in ascending order.
    pub(super) fn double_codes(&self) -> Vec<[u8; 2]> {
        let trails: Vec<u8> = self.trails.iter().collect();
        let leads = (0x80..=0xFF).filter(|lead| self.singles[usize::from(*lead)] == LEAD);
        let mut codes = Vec::with_capacity(trails.len() << 7);
        leads.for_each(|lead| codes.extend(trails.iter().map(|trail| [lead, *trail])));
        codes
    }

    /// Returns the scalar values of the two-byte codes from `code` on.
    pub(super) fn doubles_from(&self, code: u16) -> impl Iterator<Item = u32> {
        self.doubles[double_of(code)..].iter().filter_map(|cell| cell.scalar()).map(u32::from)
    }

    /// Whether any code encodes two scalar values.
    pub fn has_pairs(&self) -> bool {
        !self.pairs.is_empty()
    }

    /// Whether a code of one or two bytes is read but never written.
    pub(super) fn is_read_only(&self, code: u16) -> bool {
        self.read_only.binary_search(&code).is_ok()
    }

    /// Whether `scalar` is the first of two scalar values that a code encodes together.
    pub(super) fn begins_pair(&self, scalar: u32) -> bool {
        self.pairs.iter().any(|(_, [first, _])| *first == scalar)
    }

    /// Returns the code that a character has alone, if the code is in the list of longer codes or is a single byte
    /// below 80.
    pub(super) fn code_alone(&self, scalar: u32) -> Option<Code> {
        if let Longer::Listed(listed) = &self.longer
            && let Some(code) = listed.code(scalar)
        {
            return Some(code);
        }
        self.singles_written()
            .filter(|(_, written)| *written == scalar)
            .last()
            .map(|(byte, _)| Code::single(byte))
    }

    /// Returns the single bytes that are written, and their characters. If a character is listed twice, its last byte
    /// is written.
    pub(super) fn singles_written(&self) -> impl Iterator<Item = (u8, u32)> {
        let read = (0..).zip(self.singles).filter(|(byte, _)| !self.is_read_only(*byte));
        read.chain(self.also.iter().copied())
            .filter_map(|(code, scalar)| Some((u8::try_from(code).ok()?, scalar)))
    }

    /// Returns the characters of single bytes, indexed by byte, and of two-byte codes, indexed without the highest bit.
    pub fn cells(&self) -> &[Cell; DOUBLES] {
        &self.doubles
    }

    /// Whether bytes below 80 are ASCII at the start of a character.
    pub fn reads_ascii(&self) -> bool {
        self.not_ascii == [0xFF; 2] && !self.has_few_ascii
    }
}
