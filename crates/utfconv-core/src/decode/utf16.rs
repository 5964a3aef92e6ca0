//! UTF-16 (Unicode 3.9, D91; RFC 2781) and UCS-2 (ISO/IEC 10646-1:1993), which has no surrogate pairs, in a given byte
//! order.

use super::{
    BMP, Decode, IllFormedSequence, Next, WINDOW, WellFormed, is_high_surrogate, is_low_surrogate, join,
    measure_units,
};
use crate::fault::IllFormed;
use crate::position::Extent;

/// Decodes and encodes UTF-16 or UCS-2, which differ in the highest code point, big-endian or little-endian.
pub(crate) struct Utf16<const BIG_ENDIAN: bool, const HIGHEST: u32>;

impl<const BIG_ENDIAN: bool, const HIGHEST: u32> Utf16<BIG_ENDIAN, HIGHEST> {
    pub(crate) const HAS_PAIRS: bool = HIGHEST > BMP;
}

#[inline(always)]
fn unit<const BIG_ENDIAN: bool>(a: u8, b: u8) -> u32 {
    u32::from(if BIG_ENDIAN { u16::from_be_bytes([a, b]) } else { u16::from_le_bytes([a, b]) })
}

/// Whether `at` is between code units and not inside a surrogate pair; `window` begins with a whole code unit. See
/// [`Encoding::boundary`](crate::Encoding::boundary).
pub(crate) fn is_boundary<const BIG_ENDIAN: bool>(window: &[u8], at: usize) -> bool {
    let (before, behind) = window.split_at(at);
    at.is_multiple_of(2)
        && match (before, behind) {
            ([.., a, b], [c, d, ..]) => {
                !is_high_surrogate(unit::<BIG_ENDIAN>(*a, *b))
                    || !is_low_surrogate(unit::<BIG_ENDIAN>(*c, *d))
            }
            // A single byte after a high surrogate belongs to the surrogate's fault, or may become the low surrogate.
            ([.., a, b], _) => !is_high_surrogate(unit::<BIG_ENDIAN>(*a, *b)),
            _ => true,
        }
}

impl<const BIG_ENDIAN: bool, const HIGHEST: u32> WellFormed for Utf16<BIG_ENDIAN, HIGHEST> {
    const UNIT: usize = 2;

    #[inline(always)]
    fn scalar(&self, window: &[u8; WINDOW]) -> Option<(char, usize)> {
        let [a, b, c, d, ..] = *window;
        let first = unit::<BIG_ENDIAN>(a, b);
        if let Some(scalar) = char::from_u32(first) {
            return Some((scalar, 2));
        }
        let second = unit::<BIG_ENDIAN>(c, d);
        if Self::HAS_PAIRS && is_high_surrogate(first) && is_low_surrogate(second) {
            Some((join(first, second)?, 4))
        } else {
            None
        }
    }

    #[inline(always)]
    fn ascii<const N: usize>(&self, src: &[u8]) -> Option<[u8; N]> {
        let units: &[[u8; 2]; N] = src.as_chunks().0.first_chunk()?;
        let mut block = [0; N];
        let mut seen = 0;
        for (byte, pair) in block.iter_mut().zip(units) {
            let unit = unit::<BIG_ENDIAN>(pair[0], pair[1]) as u16;
            seen |= unit;
            *byte = unit as u8;
        }
        (seen < 0x80).then_some(block)
    }
}

impl<const BIG_ENDIAN: bool, const HIGHEST: u32> Decode for Utf16<BIG_ENDIAN, HIGHEST> {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        if let Some(first) = self.first(src) {
            return Next::scalar(first);
        }
        let [a, b, rest @ ..] = src else {
            let is_odd = src.len() == 1 && last;
            return if is_odd { Next::ill_formed(IllFormed::OddLength, 1) } else { Next::Incomplete };
        };
        let first = unit::<BIG_ENDIAN>(*a, *b);
        let (kind, len) = match rest.len() {
            _ if !Self::HAS_PAIRS => (IllFormed::Surrogate, 2),
            _ if is_low_surrogate(first) => (IllFormed::LoneLow, 2),
            0 | 1 if !last => return Next::Incomplete,
            // The pair is cut inside its second code unit, which is one fault, as in WHATWG, Python and ICU.
            1 => (IllFormed::OddLength, 3),
            _ => (IllFormed::LoneHigh, 2),
        };
        Next::IllFormed(IllFormedSequence::whole(kind, len).meaning(first))
    }

    fn measure(&self, run: &[u8]) -> Extent {
        let is_lf = |[a, b]: [u8; 2]| unit::<BIG_ENDIAN>(a, b) == 0x0A;
        measure_units(run, is_lf, |[a, b]| !Self::HAS_PAIRS || !is_low_surrogate(unit::<BIG_ENDIAN>(a, b)))
    }
}
