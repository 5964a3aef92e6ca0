//! UTF-32 (Unicode 3.9, D90) and UCS-4 (ISO/IEC 10646-1:1993), which reaches U+7FFFFFFF, in a given byte order.

use super::{Decode, IllFormedSequence, Next, UNICODE, WINDOW, WellFormed, measure_units};
use crate::fault::IllFormed;
use crate::position::Extent;

/// Decodes and encodes UTF-32 or UCS-4, which differ in the highest code point, big-endian or little-endian.
pub(crate) struct Utf32<const BIG_ENDIAN: bool, const HIGHEST: u32>;

#[inline(always)]
fn unit<const BIG_ENDIAN: bool>(bytes: [u8; 4]) -> u32 {
    if BIG_ENDIAN { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
}

impl<const BIG_ENDIAN: bool, const HIGHEST: u32> WellFormed for Utf32<BIG_ENDIAN, HIGHEST> {
    const UNIT: usize = 4;

    #[inline(always)]
    fn scalar(&self, window: &[u8; WINDOW]) -> Option<(char, usize)> {
        let [a, b, c, d, ..] = *window;
        Some((char::from_u32(unit::<BIG_ENDIAN>([a, b, c, d]))?, 4))
    }

    #[inline(always)]
    fn ascii<const N: usize>(&self, src: &[u8]) -> Option<[u8; N]> {
        let units: &[[u8; 4]; N] = src.as_chunks().0.first_chunk()?;
        let mut block = [0; N];
        let mut seen = 0;
        for (byte, bytes) in block.iter_mut().zip(units) {
            let unit = unit::<BIG_ENDIAN>(*bytes);
            seen |= unit;
            *byte = unit as u8;
        }
        (seen < 0x80).then_some(block)
    }
}

impl<const BIG_ENDIAN: bool, const HIGHEST: u32> Decode for Utf32<BIG_ENDIAN, HIGHEST> {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        if let Some(first) = self.first(src) {
            return Next::scalar(first);
        }
        match src.first_chunk() {
            Some(bytes) => {
                let code_point = unit::<BIG_ENDIAN>(*bytes);
                let kind = match code_point {
                    ..=UNICODE => IllFormed::Surrogate,
                    _ if code_point <= HIGHEST => return Next::Scalar { code_point, len: 4 },
                    _ => IllFormed::AboveRange,
                };
                Next::IllFormed(IllFormedSequence::whole(kind, 4).meaning(code_point))
            }
            None if src.is_empty() || !last => Next::Incomplete,
            None => Next::ill_formed(IllFormed::PartialUnit, src.len()),
        }
    }

    fn measure(&self, run: &[u8]) -> Extent {
        measure_units(run, |bytes| unit::<BIG_ENDIAN>(bytes) == 0x0A, |_| true)
    }
}
