//! UTF-16 in a given byte order (Unicode 3.9, D91; RFC 2781).

use super::{BLOCK, Put, WIDEST, split, store};
use crate::decode::Utf16;

#[inline(always)]
fn unit<const BIG_ENDIAN: bool>(unit: u16) -> [u8; 2] {
    if BIG_ENDIAN { unit.to_be_bytes() } else { unit.to_le_bytes() }
}

impl<const BIG_ENDIAN: bool> Put for Utf16<BIG_ENDIAN> {
    const UNIT: usize = 2;

    #[inline(always)]
    fn put(scalar: char, dst: &mut [u8; WIDEST]) -> Option<usize> {
        let value = u32::from(scalar);
        if value < 0x10000 {
            return Some(store(unit::<BIG_ENDIAN>(value as u16), dst));
        }
        let (high, low) = split(value);
        let ([a, b], [c, d]) = (unit::<BIG_ENDIAN>(high), unit::<BIG_ENDIAN>(low));
        Some(store([a, b, c, d], dst))
    }

    #[inline(always)]
    fn put_ascii(block: &[u8; BLOCK], dst: &mut [u8]) {
        for (pair, byte) in dst.as_chunks_mut().0.iter_mut().zip(block) {
            *pair = unit::<BIG_ENDIAN>((*byte).into());
        }
    }

    fn put_carried(byte: u8, dst: &mut [u8; WIDEST]) -> usize {
        store(unit::<BIG_ENDIAN>(0xDC00 | u16::from(byte)), dst)
    }
}
