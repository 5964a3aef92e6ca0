//! UTF-8 (RFC 3629 section 3) and CESU-8 (UTR #26).

use super::{Put, WIDEST, split, store};
use crate::decode::{Cesu8, Utf8};

#[inline(always)]
fn continuation(bits: u32) -> u8 {
    0x80 | (bits & 0x3F) as u8
}

#[inline(always)]
fn three(value: u32) -> [u8; 3] {
    [0xE0 | (value >> 12) as u8, continuation(value >> 6), continuation(value)]
}

impl Put for Utf8 {
    #[inline(always)]
    fn put(scalar: char, dst: &mut [u8; WIDEST]) -> Option<usize> {
        let value = u32::from(scalar);
        Some(match value {
            // Without a branch between one byte and two, which Latin text would have mispredicted all the time.
            ..0x800 => {
                let is_two = value >= 0x80;
                let lead = if is_two { 0xC0 | (value >> 6) as u8 } else { value as u8 };
                store([lead, continuation(value)], dst) - usize::from(!is_two)
            }
            0x800..0x10000 => store(three(value), dst),
            _ => {
                let lead = 0xF0 | (value >> 18) as u8;
                store([lead, continuation(value >> 12), continuation(value >> 6), continuation(value)], dst)
            }
        })
    }
}

impl Put for Cesu8 {
    #[inline(always)]
    fn put(scalar: char, dst: &mut [u8; WIDEST]) -> Option<usize> {
        if u32::from(scalar) < 0x10000 {
            return Utf8::put(scalar, dst);
        }
        let (high, low) = split(scalar.into());
        let ([a, b, c], [d, e, f]) = (three(high.into()), three(low.into()));
        Some(store([a, b, c, d, e, f], dst))
    }
}
