//! The encoder of UTF-32 (Unicode 3.9, D90) and UCS-4 in a given byte order.

use super::{Put, WIDEST, store};
use crate::decode::{UNICODE, Utf32};

#[inline(always)]
fn unit<const BIG_ENDIAN: bool>(unit: u32) -> [u8; 4] {
    if BIG_ENDIAN { unit.to_be_bytes() } else { unit.to_le_bytes() }
}

impl<const BIG_ENDIAN: bool, const HIGHEST: u32> Put for Utf32<BIG_ENDIAN, HIGHEST> {
    const UNIT: usize = 4;

    #[inline(always)]
    fn put(&self, scalar: char, dst: &mut [u8; WIDEST]) -> Option<usize> {
        Some(store(unit::<BIG_ENDIAN>(scalar.into()), dst))
    }

    #[inline(always)]
    fn put_ascii<const N: usize>(block: &[u8; N], dst: &mut [u8]) {
        for (bytes, byte) in dst.as_chunks_mut().0.iter_mut().zip(block) {
            *bytes = unit::<BIG_ENDIAN>((*byte).into());
        }
    }

    /// Writes the code points of UCS-4 above U+10FFFF.
    fn put_beyond(code_point: u32, dst: &mut [u8; WIDEST]) -> Option<usize> {
        let is_there = code_point > UNICODE && code_point <= HIGHEST;
        is_there.then(|| store(unit::<BIG_ENDIAN>(code_point), dst))
    }

    fn put_surrogate(surrogate: u16, dst: &mut [u8; WIDEST]) -> Option<usize> {
        Some(store(unit::<BIG_ENDIAN>(surrogate.into()), dst))
    }
}
