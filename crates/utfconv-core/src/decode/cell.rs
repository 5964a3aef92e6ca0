//! Characters in the tables of encodings, stored as UTF-8 that is ready to be written.

use crate::utf8::decode_first;

/// A character as the bytes of its UTF-8, or no character.
///
/// The first three bytes of the number, in little-endian order, are bytes of the sequence. The last byte is the length
/// of the sequence, or, if the length is four, its fourth byte, which is 80 or more. So a kernel can always write four
/// bytes and advance by [`Cell::len`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Cell(u32);

impl Cell {
    /// The cell that holds no character.
    pub const NONE: Cell = Cell(0);

    /// Returns the cell of a scalar value, or [`Cell::NONE`] for other code points.
    pub const fn of(code_point: u32) -> Cell {
        match char::from_u32(code_point) {
            Some(scalar) => Cell::of_utf8(scalar.encode_utf8(&mut [0; 4]).as_bytes()),
            None => Cell::NONE,
        }
    }

    /// Returns the cell of a UTF-8 sequence, or [`Cell::NONE`] if `utf8` is not exactly one character.
    pub const fn of_utf8(utf8: &[u8]) -> Cell {
        Cell(u32::from_le_bytes(match *utf8 {
            [a] => [a, 0, 0, 1],
            [a @ 0xC0..=0xFF, b] => [a, b, 0, 2],
            [a @ 0xE0..=0xFF, b, c] => [a, b, c, 3],
            [a @ 0xF0..=0xFF, b, c, d] => [a, b, c, d],
            _ => return Cell::NONE,
        }))
    }

    #[inline(always)]
    pub fn is_none(self) -> bool {
        self == Cell::NONE
    }

    /// Returns the length of the character's UTF-8 in bytes, or 0 if the cell holds no character.
    #[inline(always)]
    pub fn len(self) -> usize {
        (self.0 >> 24).min(4) as usize
    }

    /// Returns the character's UTF-8, padded to four bytes with undefined bytes.
    #[inline(always)]
    pub fn bytes(self) -> [u8; 4] {
        self.0.to_le_bytes()
    }

    /// Returns the code point, or 0 if the cell holds no character.
    #[inline(always)]
    pub fn code_point(self) -> u32 {
        let Cell(bytes) = self;
        match bytes >> 24 {
            3 => (bytes & 0x0F) << 12 | (bytes >> 8 & 0x3F) << 6 | bytes >> 16 & 0x3F,
            2 => (bytes & 0x1F) << 6 | bytes >> 8 & 0x3F,
            _ => self.scalar().map_or(0, u32::from),
        }
    }

    #[inline(always)]
    pub fn scalar(self) -> Option<char> {
        if self.is_none() { None } else { char::from_u32(decode_first(&self.bytes()).0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_holds_any_character() {
        for scalar in '\0'..=char::MAX {
            let cell = Cell::of(scalar.into());
            assert!(!cell.is_none());
            assert_eq!((cell.scalar(), cell.code_point()), (Some(scalar), scalar.into()));
            assert_eq!(&cell.bytes()[..cell.len()], scalar.encode_utf8(&mut [0; 4]).as_bytes());
        }
        assert_eq!((Cell::NONE.len(), Cell::NONE.scalar()), (0, None));
        assert_eq!(Cell::of(0xD800), Cell::NONE);
        for text in ["", "ab", "abc", "abcd", "éa", "éé", "日a"] {
            assert_eq!(Cell::of_utf8(text.as_bytes()), Cell::NONE, "{text}");
        }
    }
}
