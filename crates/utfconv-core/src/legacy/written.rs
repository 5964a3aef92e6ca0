//! Codes by scalar value: the tables of an encoding, inverted for writing.

use super::assigned::{Assigned, NO_SINGLE, WRITTEN_END, double_of};
use super::longer::Longer;
use super::mapping::Code;
use crate::decode::Sparse;
use crate::utf8::is_continuation;

/// Codes by scalar value up to U+2FFFF, in rows by the last byte of UTF-8; 0 where there is none.
type Codes = Sparse<u16, 0xC00, 64>;

/// Planes by scalar value up to U+2FFFF.
type Planes = Sparse<u8, 0xC00, 64>;

/// The codes that an encoding writes.
pub(super) struct Written {
    /// Single bytes, double bytes, and codes after a single shift without that and with the last byte below 80.
    codes: Codes,
    /// The planes of codes after a single shift; 0 where these have no number.
    planes: Planes,
    /// Scalar values that may share a code with the next, and the codes of these by themselves: they are not in `codes`.
    firsts: Vec<(u32, Code)>,
    /// Indices in [`Quads::basic`](super::longer::Quads::basic), counted from 1.
    quads: Codes,
}

impl Written {
    /// Returns the codes of an encoding that reads this.
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
                    // The last byte below 80 distinguishes these from doubles.
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

    /// Returns the code of a scalar value, or 0.
    #[inline(always)]
    pub fn code(&self, scalar: u32) -> u16 {
        self.codes.get(scalar as usize)
    }

    /// Returns the plane of a scalar value whose code is after a single shift, or 0.
    #[inline(always)]
    pub fn plane(&self, scalar: u32) -> u8 {
        self.planes.get(scalar as usize)
    }

    /// Returns the code by itself of a scalar value that may share a code with the next. `None` for any other, and if it
    /// has none.
    pub fn first_of_pair(&self, scalar: u32) -> Option<Code> {
        self.firsts.iter().find(|(first, _)| *first == scalar).map(|(_, code)| *code)
    }

    /// The code of the character that is these three bytes of UTF-8; 0 too where they are not well-formed.
    #[inline(always)]
    pub fn code_of(&self, utf8: [u8; 3]) -> u16 {
        let [a, b, c] = utf8.map(usize::from);
        let upper = (a & 0x0F) << 6 | b & 0x3F;
        // Below U+0800, the form is not the shortest; surrogates have no codes.
        let has_three_bytes = a & 0xF0 == 0xE0 && is_continuation(utf8[1]) && is_continuation(utf8[2]);
        if has_three_bytes && upper >= 0x800 >> 6 { self.codes.row(upper)[c & 0x3F] } else { 0 }
    }

    /// Returns the index of a scalar value in [`Quads::basic`](super::longer::Quads::basic).
    #[inline(always)]
    pub fn quad(&self, scalar: u32) -> Option<u32> {
        u32::from(self.quads.get(scalar as usize)).checked_sub(1)
    }
}
