//! Codes by scalar value, which are the decoding tables of an encoding inverted for encoding.

use super::assigned::{Assigned, NO_SINGLE, WRITTEN_END, double_of};
use super::longer::Longer;
use super::mapping::Code;
use crate::decode::Sparse;
use crate::utf8::is_continuation;

/// Codes by scalar value up to U+2FFFF. A row has the 64 scalar values whose UTF-8 differs only in the last byte. The
/// entry of a scalar value without a code is 0.
type Codes = Sparse<u16, 0xC00, 64>;

/// The number of the plane of each scalar value up to U+2FFFF.
type Planes = Sparse<u8, 0xC00, 64>;

/// The codes that an encoding writes.
pub(super) struct Written {
    /// Codes of one byte, codes of two bytes, and codes after a single shift. Codes after a single shift are stored
    /// without the shift, and with a last byte below 80.
    codes: Codes,
    /// The planes of codes after a single shift; 0 in encodings that do not number the planes.
    planes: Planes,
    /// Scalar values that may share a code with the next scalar value, and the codes that they have alone. These codes
    /// are not in `codes`.
    firsts: Vec<(u32, Code)>,
    /// Indices in [`Quads::basic`](super::longer::Quads::basic), counted from 1.
    quads: Codes,
}

impl Written {
    /// Returns the codes of an encoding with the decoding tables `read`.
    pub fn of(read: &Assigned) -> Written {
        let mut codes = Codes::new();
        let is_within = |scalar: u32| scalar < WRITTEN_END;
        for (code, scalar) in read.also.iter().filter(|(_, scalar)| is_within(*scalar)) {
            codes.enter(*scalar as usize, *code);
        }
        for (byte, scalar) in (0..).zip(read.singles) {
            if (0x80..NO_SINGLE).contains(&scalar) && is_within(scalar) && !read.is_read_only(byte) {
                codes.enter(scalar as usize, byte);
            }
        }
        let doubles = read.double_codes().into_iter().map(u16::from_be_bytes);
        for code in doubles.filter(|code| !read.is_read_only(*code)) {
            let scalar = read.doubles[double_of(code)].scalar();
            if let Some(scalar) = scalar.filter(|scalar| is_within(u32::from(*scalar))) {
                codes.enter(scalar as usize, code);
            }
        }
        let mut planes = Planes::new();
        if let Longer::Planes(longer) = &read.longer {
            for (at, scalar) in longer.scalars.iter().enumerate().filter(|(_, scalar)| **scalar != 0) {
                let scalar = *scalar as usize;
                if codes.get(scalar) == 0 {
                    // A last byte below 80 distinguishes codes after a single shift from two-byte codes.
                    codes.enter(scalar, u16::from_be_bytes([0x80 | (at >> 7) as u8, at as u8 & 0x7F]));
                    if longer.is_numbered {
                        planes.enter(scalar, (at >> 14) as u8);
                    }
                }
            }
        }
        let alone = |first: u32| match codes.get(first as usize) {
            0 => read.code_alone(first),
            single @ ..0x100 => Some(Code::single(single as u8)),
            double => Code::new(&double.to_be_bytes()),
        };
        let firsts = read.pairs.iter().filter_map(|(_, [first, _])| Some((*first, alone(*first)?))).collect();
        for (_, [first, _]) in &read.pairs {
            if is_within(*first) {
                *codes.slot(*first as usize) = 0;
            }
        }
        let mut quads = Codes::new();
        if let Longer::Quads(longer) = &read.longer {
            for (at, scalar) in (1..).zip(&longer.basic) {
                quads.enter(*scalar as usize, at);
            }
        }
        Written { codes, planes, firsts, quads }
    }

    /// Returns the code of a scalar value as stored in the table, or 0 if there is none.
    #[inline(always)]
    pub fn code(&self, scalar: u32) -> u16 {
        self.codes.get(scalar as usize)
    }

    /// Returns the plane of a scalar value whose code is after a single shift; 0 if there is none.
    #[inline(always)]
    pub fn plane(&self, scalar: u32) -> u8 {
        self.planes.get(scalar as usize)
    }

    /// Returns the code that a scalar value has alone, if it may share a code with the next scalar value. Returns
    /// `None` if the scalar value shares no code, or has no code alone.
    pub fn first_of_pair(&self, scalar: u32) -> Option<Code> {
        self.firsts.iter().find(|(first, _)| *first == scalar).map(|(_, code)| *code)
    }

    /// Returns the two-byte code of EUC of a character, or, if `plane` is given, its code after the single shift.
    /// Returns `None` if the character has no such code.
    #[inline(always)]
    pub fn euc_code(&self, scalar: u32, plane: Option<u8>) -> Option<[u8; 2]> {
        let code = match self.code(scalar) {
            0 => self.first_of_pair(scalar)?.short()?,
            code => code,
        };
        let code = code.to_be_bytes();
        match (plane, code) {
            (None, [0xA1..=0xFE, 0xA1..=0xFE]) => Some(code),
            (Some(plane), [lead @ 0x80..=0xFF, trail @ 1..0x80]) if self.plane(scalar) == plane => {
                Some([lead, trail | 0x80])
            }
            _ => None,
        }
    }

    /// Returns the code of the character with the UTF-8 bytes `utf8`; 0 if the bytes are ill-formed or the character
    /// has no code.
    #[inline(always)]
    pub fn code_of(&self, utf8: [u8; 3]) -> u16 {
        let [a, b, c] = utf8.map(usize::from);
        let upper = (a & 0x0F) << 6 | b & 0x3F;
        // Three bytes for a scalar value below U+0800 are overlong, and surrogates have no codes.
        let has_three_bytes = a & 0xF0 == 0xE0 && is_continuation(utf8[1]) && is_continuation(utf8[2]);
        if has_three_bytes && upper >= 0x800 >> 6 { self.codes.row(upper)[c & 0x3F] } else { 0 }
    }

    /// Returns the index of a scalar value in [`Quads::basic`](super::longer::Quads::basic), or `None` if the scalar
    /// value has no four-byte code.
    #[inline(always)]
    pub fn quad(&self, scalar: u32) -> Option<u32> {
        u32::from(self.quads.get(scalar as usize)).checked_sub(1)
    }
}
