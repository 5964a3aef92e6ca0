//! Encodings of one byte per character: ISO-8859-1 (bytes 00..FF, as IANA defines it), US-ASCII (RFC 20), and code
//! pages by table.

use std::sync::OnceLock;

use super::page_table::{PageTable, UNASSIGNED};
use super::{Cell, Decode, IllFormedSequence, Next, Sparse, WINDOW, WellFormed, measure_units};
use crate::fault::IllFormed;
use crate::newline::EbcdicNewline;
use crate::position::{Extent, measure_bytes};

/// Decodes and encodes ISO-8859-1.
pub(crate) struct Latin1;

/// Decodes and encodes US-ASCII.
pub(crate) struct Ascii;

/// Decodes and encodes a code page by its table.
pub(crate) struct Page {
    /// The character of each byte; [`UNASSIGNED`] for undefined bytes.
    to_unicode: [u16; 256],
    /// The character of each byte, in UTF-8.
    pub(crate) cells: [Cell; 256],
    pub(crate) from_unicode: FromUnicode,
    pub(crate) is_ascii: bool,
    /// The byte of each UTF-16 code unit; 0 if the code unit has none, and for the character of byte 00. Made when a
    /// kernel first needs it.
    pub(crate) by_unit: OnceLock<Box<[u8; 0x1_0000]>>,
    /// The byte of each character that takes two bytes of UTF-8, indexed by these two bytes; 0 if the character has
    /// none. Made when a kernel first needs it.
    pub(crate) by_pair: OnceLock<Box<[u8; 0x1_0000]>>,
    /// The byte of U+000A, if exactly one byte is U+000A.
    only_lf: Option<u8>,
}

const LF: u16 = 0x0A;

/// The table from characters to bytes.
pub(crate) struct FromUnicode {
    /// The byte of each code point; 0 if the code point has none, and for the character of byte 00.
    bytes: Sparse<u8, 256, 256>,
    /// The character of byte 00, which is U+0000 except in a page of Braille.
    zero: u16,
}

impl FromUnicode {
    fn new(to_unicode: &[u16; 256], one_way: &[u8]) -> FromUnicode {
        let mut bytes = Sparse::new();
        // If two bytes have the same character, the lower byte is written, because it is stored last.
        for (byte, &unit) in (0u8..=255).zip(to_unicode).rev() {
            if unit != UNASSIGNED && !one_way.contains(&byte) {
                *bytes.slot(unit.into()) = byte;
            }
        }
        FromUnicode { bytes, zero: to_unicode[0] }
    }

    #[inline(always)]
    pub(crate) fn byte(&self, scalar: char) -> Option<u8> {
        let unit = u16::try_from(u32::from(scalar)).ok()?;
        let byte = self.bytes.get(unit.into());
        (byte != 0 || unit == self.zero).then_some(byte)
    }
}

impl Page {
    pub(crate) fn new(table: &PageTable, newline: EbcdicNewline) -> Page {
        let mut to_unicode = table.to_unicode;
        if table.is_ebcdic && newline == EbcdicNewline::Lf {
            // On z/OS Unix, the newline bytes are 15 for LF and 25 for NEL (Unicode Technical Report #16).
            to_unicode.swap(0x15, 0x25);
        }
        let from_unicode = FromUnicode::new(&to_unicode, table.one_way);
        let is_lf = |byte: &u8| to_unicode[usize::from(*byte)] == LF;
        let mut lfs = (0..=255).filter(is_lf);
        let only_lf = lfs.next().filter(|_| lfs.next().is_none());
        let cells =
            to_unicode.map(|unit| if unit == UNASSIGNED { Cell::NONE } else { Cell::of(unit.into()) });
        Page {
            is_ascii: table.is_ascii(),
            only_lf,
            cells,
            from_unicode,
            to_unicode,
            by_unit: OnceLock::new(),
            by_pair: OnceLock::new(),
        }
    }

    #[inline(always)]
    pub(super) fn character(&self, byte: u8) -> Option<char> {
        let unit = self.to_unicode[usize::from(byte)];
        if unit == UNASSIGNED { None } else { char::from_u32(unit.into()) }
    }

    /// Returns the byte of a character of the Basic Multilingual Plane, or `None` if the code page lacks the character.
    pub(super) fn byte(&self, unit: u16) -> Option<u8> {
        self.from_unicode.byte(char::from_u32(unit.into())?)
    }
}

/// Returns `first`, the character at the front of `src`, or a fault of one byte if `first` is `None`.
fn one_byte(first: Option<(char, usize)>, src: &[u8], kind: IllFormed) -> Next {
    match first {
        Some(first) => Next::scalar(first),
        None if src.is_empty() => Next::Incomplete,
        None => Next::IllFormed(IllFormedSequence::bytewise(kind, 1)),
    }
}

impl WellFormed for Latin1 {
    #[inline(always)]
    fn scalar(&self, window: &[u8; WINDOW]) -> Option<(char, usize)> {
        Some((window[0].into(), 1))
    }
}

impl Decode for Latin1 {
    fn next(&mut self, src: &[u8], _last: bool) -> Next {
        self.first(src).map_or(Next::Incomplete, Next::scalar)
    }
}

impl WellFormed for Ascii {
    #[inline(always)]
    fn scalar(&self, window: &[u8; WINDOW]) -> Option<(char, usize)> {
        window[0].is_ascii().then_some((window[0].into(), 1))
    }
}

impl Decode for Ascii {
    fn next(&mut self, src: &[u8], _last: bool) -> Next {
        one_byte(self.first(src), src, IllFormed::NeverUsed)
    }
}

impl WellFormed for &'static Page {
    #[inline(always)]
    fn scalar(&self, window: &[u8; WINDOW]) -> Option<(char, usize)> {
        Some((self.character(window[0])?, 1))
    }

    #[inline(always)]
    fn ascii<const N: usize>(&self, src: &[u8]) -> Option<[u8; N]> {
        if self.is_ascii { Ascii.ascii(src) } else { None }
    }
}

impl Decode for &'static Page {
    fn next(&mut self, src: &[u8], _last: bool) -> Next {
        one_byte(self.first(src), src, IllFormed::Unassigned)
    }

    fn measure(&self, run: &[u8]) -> Extent {
        match self.only_lf {
            Some(lf) => measure_bytes(run, lf, <[u8]>::len),
            None => measure_units(run, |[byte]| self.to_unicode[usize::from(byte)] == LF, |_| true),
        }
    }
}
