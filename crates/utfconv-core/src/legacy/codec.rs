//! Fast and exact decoders and encoders of a multi-byte encoding. The kernels use the fast decoders and encoders.

use super::assigned::{LEAD, NEVER, NO_SINGLE, double_at, double_of};
use super::longer::{Longer, Quads, plane_at, quad_bytes};
use super::mapping::Code;
use super::multi_byte::MultiByte;
use crate::decode::{Cell, Decode, Next, WINDOW, WellFormed};
use crate::encode::{Put, WIDEST, store};
use crate::fault::IllFormed;
use crate::position::{Extent, measure_bytes};

impl WellFormed for &'static MultiByte {
    #[inline(always)]
    fn scalar(&self, window: &[u8; WINDOW]) -> Option<(char, usize)> {
        let [lead, trail, ..] = *window;
        let single = self.singles[usize::from(lead)];
        if single < NO_SINGLE {
            return Some((char::from_u32(single)?, 1));
        }
        let double = self.doubles[double_at(lead, trail)];
        // The row of a byte below 80, or of a byte that is no lead byte, holds characters of other bytes.
        if single == LEAD && lead >= 0x80 && !double.is_none() {
            return Some((double.scalar()?, 2));
        }
        let (scalar, len) = self.longer.scalar(window)?;
        Some((char::from_u32(scalar)?, len))
    }

    #[inline(always)]
    fn ascii<const N: usize>(&self, src: &[u8]) -> Option<[u8; N]> {
        let block: [u8; N] = *src.first_chunk()?;
        let [first, second] = self.not_ascii;
        // Check the whole block without a branch, so that the compiler vectorizes the loop.
        let is_ascii =
            block.iter().fold(true, |all, &byte| all & (byte < 0x80) & (byte != first) & (byte != second));
        (is_ascii && !self.has_few_ascii).then_some(block)
    }
}

impl Decode for &'static MultiByte {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        let truncated = |len| Next::ill_formed(IllFormed::Truncated, len);
        let scalar = |code_point, len| Next::Scalar { code_point, len };
        let Some(&lead) = src.first() else { return Next::Incomplete };
        match self.singles[usize::from(lead)] {
            NEVER => return Next::ill_formed(IllFormed::NeverUsed, 1),
            LEAD => {}
            single => return scalar(single, 1),
        }
        let cut = |len| if last { truncated(len) } else { Next::Incomplete };
        let Some(&trail) = src.get(1) else { return cut(1) };
        if let Some(next) = self.longer.next(self.trails, src, last) {
            return next;
        }
        if !self.trails.has(trail) || lead < 0x80 {
            return truncated(1);
        }
        if let Some(double) = self.doubles[double_at(lead, trail)].scalar() {
            return scalar(double.into(), 2);
        }
        let code = u16::from_be_bytes([lead, trail]);
        match self.pairs.iter().find(|pair| pair.0 == code) {
            Some((_, both)) => Next::pair(*both, 2),
            None => Next::ill_formed(IllFormed::Unassigned, if trail < 0x80 { 1 } else { 2 }),
        }
    }

    fn measure(&self, run: &[u8]) -> Extent {
        // No trail byte is a line feed in any known encoding.
        measure_bytes(run, b'\n', |run| self.count(run))
    }
}

impl Put for &'static MultiByte {
    #[inline(always)]
    fn put(&self, scalar: char, dst: &mut [u8; WIDEST]) -> Option<usize> {
        self.put_surely(scalar, dst)
    }

    fn takes_ascii(&self) -> bool {
        self.writes_ascii
    }
}

impl MultiByte {
    /// Returns the character at the front of a source that begins with these two bytes, and its length in bytes.
    /// Returns [`Cell::NONE`] if the two bytes do not decide.
    #[inline(always)]
    pub(crate) fn front(&self, [lead, trail]: [u8; 2]) -> (Cell, usize) {
        if lead <= 0x80 {
            // The cell of 80 is empty, because 80 may be more than a single byte.
            (self.ascii[usize::from(lead)], 1)
        } else {
            (self.doubles[double_at(lead, trail)], 2)
        }
    }

    /// Returns the two-byte code of a character from its three bytes of UTF-8, or `None` if a single lookup does not
    /// find the code.
    #[inline(always)]
    pub(crate) fn double(&self, utf8: [u8; 3]) -> Option<[u8; 2]> {
        let code = self.written().code_of(utf8);
        let is_double = code >= 0x100 && (code & 0x80 != 0 || !self.has_planes());
        is_double.then_some(code.to_be_bytes())
    }

    /// Returns the code of one or two bytes of a scalar value of the Basic Multilingual Plane, with the first byte
    /// lowest, or 0 if the scalar value has none.
    pub(super) fn short_code(&self, scalar: u32) -> u16 {
        if scalar < 0x80 {
            return self.ascii_written(scalar as u8).map_or(0, u16::from);
        }
        match self.written().code(scalar) {
            single @ ..0x100 => single,
            longer if self.has_planes() && longer & 0x80 == 0 => 0,
            double => double.swap_bytes(),
        }
    }

    /// Returns the code of up to four bytes of a scalar value, with the first byte lowest, or 0 if the scalar value has
    /// none.
    pub(super) fn long_code(&self, scalar: u32) -> u32 {
        let mut room = [0; WIDEST];
        match char::from_u32(scalar).and_then(|scalar| self.put_surely(scalar, &mut room)) {
            Some(..5) => u32::from_le_bytes([room[0], room[1], room[2], room[3]]),
            _ => 0,
        }
    }

    /// Returns the character of a two-byte code, or 0 if the code is unassigned.
    #[inline(always)]
    pub(super) fn double_character(&self, code: u16) -> u32 {
        self.doubles[double_of(code)].code_point()
    }

    /// Returns the character of a two-byte code of EUC, or, if `plane` is given, of a code after the single shift.
    /// Returns `None` if the code is unassigned.
    pub(super) fn euc(&self, [lead, trail]: [u8; 2], plane: Option<u8>) -> Option<u32> {
        match plane {
            None => self.doubles[double_at(lead, trail)].scalar().map(u32::from),
            Some(plane) => match &self.longer {
                Longer::Planes(planes) => {
                    Some(planes.scalars[plane_at(plane, lead, trail)]).filter(|scalar| *scalar > 0)
                }
                _ => None,
            },
        }
    }

    /// Returns the two-byte code of EUC of a character, or, if `plane` is given, its code after the single shift.
    /// Returns `None` if the character has no such code.
    pub(super) fn euc_code(&self, scalar: u32, plane: Option<u8>) -> Option<[u8; 2]> {
        self.written().euc_code(scalar, plane)
    }

    /// Returns the byte of an ASCII character, or `None` if the character has none.
    #[inline(always)]
    pub(crate) fn ascii_written(&self, ascii: u8) -> Option<u8> {
        match self.ascii_written.get(usize::from(ascii)) {
            Some(byte) if self.writes_ascii || *byte < 0xFF => Some(*byte),
            _ => None,
        }
    }

    /// Writes `scalar` to the front of `dst`, regardless of the next character. Returns the number of bytes, or `None`
    /// if the encoding lacks `scalar`.
    pub(super) fn put_alone(&self, scalar: char, dst: &mut [u8; WIDEST]) -> Option<usize> {
        match self.written().first_of_pair(scalar.into()) {
            Some(alone) => Some(put_code(alone, dst)),
            None => self.put_surely(scalar, dst),
        }
    }

    /// Writes `scalar` to the front of `dst`. Returns `None` if `scalar` may share a code with the next scalar value,
    /// because only an encoder that waits for the next scalar value can write it. Also returns `None` if the encoding
    /// lacks `scalar`.
    #[inline(always)]
    fn put_surely(&self, scalar: char, dst: &mut [u8; WIDEST]) -> Option<usize> {
        let scalar = u32::from(scalar);
        if scalar < 0x80 {
            return match self.ascii_written(scalar as u8) {
                Some(byte) => Some(store([byte], dst)),
                None => self.put_longer(scalar, dst),
            };
        }
        let written = self.written();
        let code = written.code(scalar);
        let [lead, trail] = code.to_be_bytes();
        match (lead, trail, &self.longer) {
            (0, 0, _) => self.put_longer(scalar, dst),
            (0, single, _) => Some(store([single], dst)),
            (_, ..0x80, Longer::Planes(planes)) => {
                let (shift, trail) = (planes.shift, trail | 0x80);
                Some(match written.plane(scalar) {
                    0 => store([shift, lead, trail], dst),
                    plane => store([shift, 0xA0 | plane, lead, trail], dst),
                })
            }
            _ => Some(store([lead, trail], dst)),
        }
    }

    /// Writes a scalar value that has no code in [`Written`](super::written::Written). Returns the number of bytes, or
    /// `None` if the scalar value has no longer code, or may share a code with the next scalar value.
    #[inline(always)]
    fn put_longer(&self, scalar: u32, dst: &mut [u8; WIDEST]) -> Option<usize> {
        match &self.longer {
            Longer::None | Longer::Planes(_) => None,
            Longer::Quads(_) if scalar >= 0x1_0000 => Some(store(Quads::supplementary(scalar), dst)),
            Longer::Quads(_) => Some(store(quad_bytes(self.written().quad(scalar)?), dst)),
            Longer::Listed(listed) => {
                let code = listed.code(scalar)?;
                (!self.begins_pair(scalar)).then(|| put_code(code, dst))
            }
        }
    }

    #[inline(always)]
    fn has_planes(&self) -> bool {
        matches!(self.longer, Longer::Planes(_))
    }

    /// Returns the number of characters in `run`, which has to consist of whole well-formed sequences.
    pub(super) fn count(&self, run: &[u8]) -> usize {
        let (mut at, mut count) = (0, 0);
        while let Some(&lead) = run.get(at) {
            at += match self.singles[usize::from(lead)] {
                ..NO_SINGLE => 1,
                _ => self.longer.len(&run[at..]).unwrap_or(2),
            };
            count += 1;
        }
        count
    }

    /// Returns the number of bytes of a sequence that begins with `lead`, or `None` if the lead byte alone does not
    /// decide.
    pub(crate) fn announced(&self, lead: u8) -> Option<usize> {
        match self.singles[usize::from(lead)] {
            LEAD => self.longer.announced(lead),
            _ => Some(1),
        }
    }
}

/// Writes a code to the front of `dst`. Returns its length in bytes.
fn put_code(code: Code, dst: &mut [u8; WIDEST]) -> usize {
    dst[..code.len()].copy_from_slice(code.bytes());
    code.len()
}
