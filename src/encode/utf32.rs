//! UTF-32 in a given byte order (Unicode 3.9, D90).

use super::{BLOCK, Put, WIDEST, store};
use crate::decode::Utf32;

#[inline(always)]
fn unit<const BIG_ENDIAN: bool>(unit: u32) -> [u8; 4] {
    if BIG_ENDIAN { unit.to_be_bytes() } else { unit.to_le_bytes() }
}

impl<const BIG_ENDIAN: bool> Put for Utf32<BIG_ENDIAN> {
    const UNIT: usize = 4;

    #[inline(always)]
    fn put(scalar: char, dst: &mut [u8; WIDEST]) -> Option<usize> {
        Some(store(unit::<BIG_ENDIAN>(scalar.into()), dst))
    }

    #[inline(always)]
    fn put_ascii(block: &[u8; BLOCK], dst: &mut [u8]) {
        for (bytes, byte) in dst.as_chunks_mut().0.iter_mut().zip(block) {
            *bytes = unit::<BIG_ENDIAN>((*byte).into());
        }
    }

    fn put_carried(byte: u8, dst: &mut [u8; WIDEST]) -> usize {
        store(unit::<BIG_ENDIAN>(0xDC00 | u32::from(byte)), dst)
    }
}
