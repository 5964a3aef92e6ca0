//! Codes by scalar value: the tables of an encoding, inverted for writing.

use super::{MultiByte, NO_SINGLE, double_of};
use crate::decode::Sparse;
use crate::utf8::is_continuation;

/// Codes by scalar value up to U+2FFFF, in rows by the last byte of UTF-8; 0 where there is none.
type Codes = Sparse<u16, 0xC00, 64>;

/// The codes that an encoding writes.
pub(super) struct Written {
    /// Single bytes, double bytes, and triples without the 8F and with the last byte below 80.
    codes: Codes,
    /// Indices in [`MultiByte::quads`], counted from 1.
    quads: Codes,
}

impl Written {
    /// The codes of an encoding that reads this.
    pub fn of(read: &MultiByte) -> Written {
        let mut codes = Codes::new();
        for (code, scalar) in &read.also {
            codes.enter(*scalar as usize, *code);
        }
        for (byte, scalar) in (0..).zip(read.singles) {
            if (0x80..NO_SINGLE).contains(&scalar) {
                codes.enter(scalar as usize, byte);
            }
        }
        let doubles: Vec<u16> = read.double_codes().into_iter().map(u16::from_be_bytes).collect();
        for range in read.first.iter().chain(&[0..=0xFFFF]) {
            let from = doubles.partition_point(|code| code < range.start());
            for code in doubles[from..].iter().take_while(|code| range.contains(code)) {
                if let Some(scalar) = read.doubles[double_of(*code)].scalar() {
                    codes.enter(scalar as usize, *code);
                }
            }
        }
        for (at, scalar) in (0..).zip(&read.triples) {
            if *scalar != 0 {
                // The last byte below 80 distinguishes triples from doubles.
                codes.enter(*scalar as usize, 0x8000 | at >> 7 << 8 | at & 0x7F);
            }
        }
        let mut quads = Codes::new();
        for (at, scalar) in (1..).zip(&read.quads) {
            quads.enter(*scalar as usize, at);
        }
        Written { codes, quads }
    }

    /// The code of a scalar value, or 0.
    #[inline(always)]
    pub fn code(&self, scalar: u32) -> u16 {
        self.codes.get(scalar as usize)
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

    /// The index of a scalar value in [`MultiByte::quads`].
    #[inline(always)]
    pub fn quad(&self, scalar: u32) -> Option<u32> {
        u32::from(self.quads.get(scalar as usize)).checked_sub(1)
    }
}
