//! UTF-32 (Unicode 3.9, D90) and UCS-4, which reaches U+7FFFFFFF, in a given byte order.

use super::{BLOCK, Decode, HIGHEST_31_BIT, IllFormedSequence, Next, WINDOW, WellFormed, measure_units};
use crate::fault::IllFormed;
use crate::position::Extent;

/// UTF-32, big-endian or little-endian.
pub(crate) struct Utf32<const BIG_ENDIAN: bool>;

/// UCS-4 (ISO/IEC 10646-1:1993), big-endian or little-endian.
pub(crate) struct Ucs4<const BIG_ENDIAN: bool>;

#[inline(always)]
fn unit<const BIG_ENDIAN: bool>(bytes: [u8; 4]) -> u32 {
    if BIG_ENDIAN { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
}

impl<const BIG_ENDIAN: bool> WellFormed for Utf32<BIG_ENDIAN> {
    const UNIT: usize = 4;

    #[inline(always)]
    fn scalar(&self, window: &[u8; WINDOW]) -> Option<(char, usize)> {
        let [a, b, c, d, ..] = *window;
        Some((char::from_u32(unit::<BIG_ENDIAN>([a, b, c, d]))?, 4))
    }

    #[inline(always)]
    fn ascii(&self, src: &[u8]) -> Option<[u8; BLOCK]> {
        let src: &[u8; 4 * BLOCK] = src.try_into().ok()?;
        let mut block = [0; BLOCK];
        let mut seen = 0;
        for (byte, bytes) in block.iter_mut().zip(src.as_chunks::<4>().0) {
            let unit = unit::<BIG_ENDIAN>(*bytes);
            seen |= unit;
            *byte = unit as u8;
        }
        (seen < 0x80).then_some(block)
    }
}

impl<const BIG_ENDIAN: bool> Decode for Utf32<BIG_ENDIAN> {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        if let Some(first) = self.first(src) {
            return Next::scalar(first);
        }
        match src.first_chunk() {
            Some(bytes) => {
                let value = unit::<BIG_ENDIAN>(*bytes);
                let kind = if value > 0x10FFFF { IllFormed::AboveRange } else { IllFormed::Surrogate };
                Next::IllFormed(IllFormedSequence::whole(kind, 4).meaning(value))
            }
            None if src.is_empty() || !last => Next::Incomplete,
            None => Next::IllFormed(IllFormedSequence::whole(IllFormed::PartialUnit, src.len())),
        }
    }

    fn measure(&self, run: &[u8]) -> Extent {
        measure_units(run, |bytes| unit::<BIG_ENDIAN>(bytes) == 0x0A, |_| true)
    }
}

impl<const BIG_ENDIAN: bool> WellFormed for Ucs4<BIG_ENDIAN> {
    const UNIT: usize = 4;

    #[inline(always)]
    fn scalar(&self, window: &[u8; WINDOW]) -> Option<(char, usize)> {
        Utf32::<BIG_ENDIAN>.scalar(window)
    }

    #[inline(always)]
    fn ascii(&self, src: &[u8]) -> Option<[u8; BLOCK]> {
        Utf32::<BIG_ENDIAN>.ascii(src)
    }
}

impl<const BIG_ENDIAN: bool> Decode for Ucs4<BIG_ENDIAN> {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        match Utf32::<BIG_ENDIAN>.next(src, last) {
            Next::IllFormed(IllFormedSequence {
                kind: IllFormed::AboveRange,
                means: Some(code_point),
                len,
                ..
            }) if code_point <= HIGHEST_31_BIT => Next::Scalar { code_point, len },
            next => next,
        }
    }

    fn measure(&self, run: &[u8]) -> Extent {
        Utf32::<BIG_ENDIAN>.measure(run)
    }
}
