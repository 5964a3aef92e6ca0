//! The table of a code page, in the form in which the list of encodings defines it.

use crate::utf8::decode_first;

/// The meaning of the bytes of a code page.
pub(crate) struct PageTable {
    /// The character of each byte; [`UNASSIGNED`] for undefined bytes.
    pub to_unicode: [u16; 256],
    /// Bytes that are read but never written, because another byte has the same character.
    pub one_way: &'static [u8],
    /// Characters that a letter and a mark are read as. If the page has no byte for such a character, the character is
    /// written as letter and mark.
    pub composed: &'static [Composite],
    /// Characters that are written as a letter and a mark, but never read from a letter and a mark. The base may be a
    /// composite that is listed earlier.
    pub taken_apart: &'static [Composite],
    pub is_ebcdic: bool,
}

/// A character that is canonically equivalent to a base and a combining mark: the character, the base, the mark.
pub(crate) type Composite = (u16, u16, u16);

/// The entry of a [`PageTable`] for a byte without a character. It is unambiguous, because no page has U+FFFD.
pub(crate) const UNASSIGNED: u16 = 0xFFFD;

impl PageTable {
    /// The characters of the bytes of ISO-8859-1.
    pub const LATIN1: [u16; 256] = {
        let mut to_unicode = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            to_unicode[byte] = byte as u16;
            byte += 1;
        }
        to_unicode
    };

    /// The characters of the bytes of ASCII.
    pub const ASCII: [u16; 256] = {
        let mut to_unicode = PageTable::LATIN1;
        to_unicode.split_at_mut(0x80).1.copy_from_slice(&[UNASSIGNED; 0x80]);
        to_unicode
    };

    /// Returns the table with `characters` for the bytes from `first` on, and the characters of ISO-8859-1 before.
    pub const fn of(first: usize, characters: &str) -> [u16; 256] {
        let mut to_unicode = PageTable::LATIN1;
        let mut rest = to_unicode.split_at_mut(first).1;
        let mut text = characters.as_bytes();
        while let [unit, others @ ..] = rest {
            let (character, len) = decode_first(text);
            *unit = character as u16;
            (rest, text) = (others, text.split_at(len).1);
        }
        assert!(text.is_empty());
        to_unicode
    }

    /// Returns the table of another page with `changes` applied.
    pub const fn changed(mut to_unicode: [u16; 256], changes: &[(u8, char)]) -> [u16; 256] {
        let mut at = 0;
        while at < changes.len() {
            let (byte, character) = changes[at];
            to_unicode[byte as usize] = character as u16;
            at += 1;
        }
        to_unicode
    }

    /// Whether some characters are written as several bytes.
    pub fn has_composites(&self) -> bool {
        !self.composed.is_empty() || !self.taken_apart.is_empty()
    }

    /// Whether some pairs of bytes are read as one character.
    pub fn reads_composites(&self) -> bool {
        !self.composed.is_empty()
    }

    /// Whether the two bytes are read as one character.
    pub fn composes(&self, pair: [u8; 2]) -> bool {
        let [base, mark] = pair.map(|byte| self.to_unicode[usize::from(byte)]);
        self.composed.iter().any(|composite| (composite.1, composite.2) == (base, mark))
    }

    /// Whether the bytes 00..7F are ASCII.
    pub fn is_ascii(&self) -> bool {
        // Compare all bytes without a branch, so that the compiler vectorizes the loop.
        self.to_unicode.iter().zip(0..0x80).fold(true, |all, (unit, byte)| all & (*unit == byte))
    }
}
