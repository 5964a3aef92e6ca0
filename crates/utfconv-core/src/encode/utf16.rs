//! The encoder of UTF-16 (Unicode 3.9, D91; RFC 2781) and UCS-2 in a given byte order.

use super::{Put, WIDEST, split, store};
use crate::decode::{BMP, Utf16, is_surrogate};

#[inline(always)]
fn unit<const BIG_ENDIAN: bool>(unit: u16) -> [u8; 2] {
    if BIG_ENDIAN { unit.to_be_bytes() } else { unit.to_le_bytes() }
}

impl<const BIG_ENDIAN: bool, const HIGHEST: u32> Put for Utf16<BIG_ENDIAN, HIGHEST> {
    const UNIT: usize = 2;

    #[inline(always)]
    fn put(&self, scalar: char, dst: &mut [u8; WIDEST]) -> Option<usize> {
        let value = u32::from(scalar);
        if value <= BMP {
            return Some(store(unit::<BIG_ENDIAN>(value as u16), dst));
        }
        if !Self::HAS_PAIRS {
            return None;
        }
        let (high, low) = split(value);
        let ([a, b], [c, d]) = (unit::<BIG_ENDIAN>(high), unit::<BIG_ENDIAN>(low));
        Some(store([a, b, c, d], dst))
    }

    #[inline(always)]
    fn put_ascii<const N: usize>(block: &[u8; N], dst: &mut [u8]) {
        for (pair, byte) in dst.as_chunks_mut().0.iter_mut().zip(block) {
            *pair = unit::<BIG_ENDIAN>((*byte).into());
        }
    }

    /// Writes lone surrogates, which sources in WTF-8 may contain.
    fn put_beyond(code_point: u32, dst: &mut [u8; WIDEST]) -> Option<usize> {
        if Self::HAS_PAIRS && is_surrogate(code_point) {
            Self::put_surrogate(code_point as u16, dst)
        } else {
            None
        }
    }

    fn put_surrogate(surrogate: u16, dst: &mut [u8; WIDEST]) -> Option<usize> {
        Some(store(unit::<BIG_ENDIAN>(surrogate), dst))
    }
}
