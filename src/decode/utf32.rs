//! UTF-32 in a given byte order (Unicode 3.9, D90).

use super::{BLOCK, Decode, Extent, Next, Verdict, WINDOW, WellFormed, measure_units};
use crate::fault::IllFormed;

/// UTF-32, big-endian or little-endian.
pub(crate) struct Utf32<const BIG_ENDIAN: bool>;

#[inline(always)]
fn unit<const BIG_ENDIAN: bool>(bytes: [u8; 4]) -> u32 {
    if BIG_ENDIAN { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
}

impl<const BIG_ENDIAN: bool> WellFormed for Utf32<BIG_ENDIAN> {
    const UNIT: usize = 4;

    #[inline(always)]
    fn scalar(window: &[u8; WINDOW]) -> Option<(char, usize)> {
        let [a, b, c, d, ..] = *window;
        Some((char::from_u32(unit::<BIG_ENDIAN>([a, b, c, d]))?, 4))
    }

    #[inline(always)]
    fn ascii(src: &[u8]) -> Option<[u8; BLOCK]> {
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
        if let Some((scalar, len)) = Self::first(src) {
            return Next::Scalar { scalar, len };
        }
        match src.first_chunk() {
            Some(bytes) => {
                let value = unit::<BIG_ENDIAN>(*bytes);
                let kind = if value > 0x10FFFF { IllFormed::AboveRange } else { IllFormed::Surrogate };
                Next::IllFormed(Verdict::whole(kind, 4).meaning(value))
            }
            None if src.is_empty() || !last => Next::Incomplete,
            None => Next::IllFormed(Verdict::whole(IllFormed::PartialUnit, src.len())),
        }
    }

    fn measure(&self, run: &[u8]) -> Extent {
        measure_units(run, |bytes| unit::<BIG_ENDIAN>(bytes) == 0x0A, |_| true)
    }
}
