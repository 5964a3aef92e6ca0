//! Encoding: scalar values to bytes of a target.
//!
//! As in [`crate::decode`], an encoding form has a fast encoder for the kernels ([`Put`]), and an encoder that the
//! transcoder calls for a single character ([`Encode`]). Forms with shift states have only an [`Encode`]. An encoder
//! knows neither source nor policy, only which code points the target can encode.

mod single_byte;
mod utf1;
mod utf16;
mod utf32;
mod utf7;
mod utf8;

pub(crate) use utf7::ToUtf7;
pub(crate) use utf8::ToWtf8;

use crate::decode::{BLOCK, Utf32Unit};
use crate::encoding::UTF_32LE;

/// Maximum number of bytes that a scalar value takes in any encoding.
pub(crate) const WIDEST: usize = 8;

/// The fast encoder of an encoding form.
pub(crate) trait Put {
    /// Number of bytes in a code unit.
    const UNIT: usize = 1;

    /// Writes `scalar` to the front of `dst`, and returns the number of bytes. Returns `None`, and writes nothing, if
    /// the target cannot encode `scalar`.
    fn put(&self, scalar: char, dst: &mut [u8; WIDEST]) -> Option<usize>;

    /// Whether each ASCII character is encoded as the code unit of the same value, as [`Put::put_ascii`] requires.
    fn takes_ascii(&self) -> bool {
        true
    }

    /// Writes ASCII characters to `dst`, which holds exactly `N` code units.
    #[inline(always)]
    fn put_ascii<const N: usize>(block: &[u8; N], dst: &mut [u8]) {
        dst.copy_from_slice(block);
    }

    /// Writes a code point that is not a scalar value, if the encoding has it. Returns the number of bytes.
    fn put_beyond(code_point: u32, dst: &mut [u8; WIDEST]) -> Option<usize> {
        let _ = (code_point, dst);
        None
    }

    /// Writes a surrogate that carries a source byte, if a code unit can hold a surrogate. Returns the number of bytes.
    fn put_surrogate(surrogate: u16, dst: &mut [u8; WIDEST]) -> Option<usize> {
        let _ = (surrogate, dst);
        None
    }
}

/// An encoder that takes one character at a time.
pub(crate) trait Encode: Send + Sync {
    /// Appends `code_point` to `out`. Returns false, and appends nothing, if the target cannot encode it.
    fn encode(&mut self, code_point: u32, out: &mut Vec<u8>) -> bool;

    /// Appends the code points of `row`, which are in UTF-32LE, up to the first code point that the target cannot
    /// encode. Returns the number of code points appended. The effect equals a call of [`Encode::encode`] for each code
    /// point, without the virtual calls.
    fn encode_row(&mut self, row: &[Utf32Unit], out: &mut Vec<u8>) -> usize {
        let mut count = 0;
        loop {
            count += self.put_row(&row[count..], out);
            match row.get(count) {
                Some(unit) if self.encode(u32::from_le_bytes(*unit), out) => count += 1,
                _ => return count,
            }
        }
    }

    /// Appends the characters of `text`, which has at most [`TEXT`] bytes, up to the first character that the target
    /// cannot encode. Returns the number of bytes of `text` that were appended.
    fn encode_text(&mut self, text: &str, out: &mut Vec<u8>) -> usize {
        encode_as_row(text, |row| self.encode_row(row, out))
    }

    /// Appends as many of the first code points of `row`, which are in UTF-32LE, as a fast path can encode. Returns the
    /// number of code points appended.
    fn put_row(&mut self, row: &[Utf32Unit], out: &mut Vec<u8>) -> usize {
        let _ = (row, out);
        0
    }

    /// Whether the target can encode `code_point`. The default is for targets that can encode all scalar values.
    fn has(&self, code_point: u32) -> bool {
        char::from_u32(code_point).is_some()
    }

    /// Appends a surrogate that carries a source byte, if a code unit can hold one.
    fn encode_surrogate(&mut self, surrogate: u16, out: &mut Vec<u8>) {
        let _ = (surrogate, out);
    }

    /// Returns the code point that an escape should spell for `code_point`, which the target cannot encode.
    fn escaped_as(&self, code_point: u32) -> u32 {
        code_point
    }

    /// Whether a character has the same bytes everywhere in a text, whatever surrounds it.
    fn is_plain(&self) -> bool {
        false
    }

    /// Whether `code_point` may share a code with the code point before it.
    fn joins(&self, code_point: u32) -> bool {
        let _ = code_point;
        false
    }

    /// Ends the text: appends a character that was held back, and the return to the initial shift state.
    fn finish(&mut self, out: &mut Vec<u8>) {
        let _ = out;
    }

    /// Whether bytes may be written past this encoder, because it holds nothing back and is in its initial shift state.
    fn at_rest(&self) -> bool {
        true
    }

    /// Returns a copy of this encoder in its present state, or `None` if the encoder has no state.
    fn copy(&self) -> Option<Box<dyn Encode>> {
        None
    }

    /// Whether the next characters are encoded as at the start of a text. The default is for encoders that remember
    /// nothing except what [`Encode::at_rest`] knows.
    fn is_initial(&self) -> bool {
        self.at_rest()
    }
}

/// Maximum number of bytes of UTF-8 that [`Encode::encode_text`] takes.
pub(crate) const TEXT: usize = 256;

/// Calls `encode_row` with the characters of `text`, which has at most [`TEXT`] bytes. Returns the number of bytes of
/// `text` for the number of characters that `encode_row` returns.
pub(crate) fn encode_as_row(text: &str, encode_row: impl FnOnce(&[Utf32Unit]) -> usize) -> usize {
    let mut row = [[0; 4]; TEXT];
    let kernel = UTF_32LE.utf8_kernels().encoding(&UTF_32LE).expect("UTF-32 has no shift states");
    let (read, written) = kernel(text.as_bytes(), row.as_flattened_mut());
    let count = written / size_of::<Utf32Unit>();
    match encode_row(&row[..count]) {
        encoded if encoded == count => read,
        encoded => text.chars().take(encoded).map(char::len_utf8).sum(),
    }
}

/// The encoder of a form without shift states, made of its fast encoder.
pub(crate) struct Plain<T>(pub T);

impl<T: Put> Plain<T> {
    fn put(&self, code_point: u32, room: &mut [u8; WIDEST]) -> Option<usize> {
        match char::from_u32(code_point) {
            Some(scalar) => self.0.put(scalar, room),
            None => T::put_beyond(code_point, room),
        }
    }
}

impl<T: Put + Send + Sync> Encode for Plain<T> {
    fn is_plain(&self) -> bool {
        true
    }

    fn encode(&mut self, code_point: u32, out: &mut Vec<u8>) -> bool {
        let mut room = [0; WIDEST];
        let Some(len) = self.put(code_point, &mut room) else { return false };
        // Append all of `room` and truncate to the code's length, because a copy of fixed length is inlined.
        let end = out.len() + len;
        out.extend_from_slice(&room);
        out.truncate(end);
        true
    }

    fn has(&self, code_point: u32) -> bool {
        self.put(code_point, &mut [0; WIDEST]).is_some()
    }

    fn encode_surrogate(&mut self, surrogate: u16, out: &mut Vec<u8>) {
        let mut room = [0; WIDEST];
        let len = T::put_surrogate(surrogate, &mut room).unwrap_or(0);
        out.extend_from_slice(&room[..len]);
    }
}

/// Writes the ASCII characters at the front of `row` for which `is_plain` is true, in whole blocks. Returns the number
/// of characters.
#[inline(always)]
pub(crate) fn put_ascii_blocks(
    row: &[Utf32Unit],
    out: &mut Vec<u8>,
    is_plain: impl Fn(u32) -> bool,
) -> usize {
    let mut count = 0;
    for block in row.as_chunks::<BLOCK>().0 {
        let scalars = block.map(u32::from_le_bytes);
        if !scalars.iter().fold(true, |all, scalar| all & is_plain(*scalar)) {
            break;
        }
        out.extend_from_slice(&scalars.map(|scalar| scalar as u8));
        count += BLOCK;
    }
    count
}

/// Writes `bytes` to the front of `dst`. Returns the number of bytes.
#[inline(always)]
pub(crate) fn store<const N: usize>(bytes: [u8; N], dst: &mut [u8; WIDEST]) -> usize {
    dst[..N].copy_from_slice(&bytes);
    N
}

/// Returns the surrogate pair of a supplementary scalar value (Unicode 3.9, table 3-5).
#[inline(always)]
fn split(scalar: u32) -> (u16, u16) {
    let above = scalar - 0x10000;
    (0xD800 | (above >> 10) as u16, 0xDC00 | (above & 0x3FF) as u16)
}
