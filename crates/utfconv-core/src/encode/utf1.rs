//! The encoder of UTF-1 (ISO/IEC 10646-1:1993, annex G).

use super::{Put, WIDEST, store};
use crate::decode::Utf1;
use crate::decode::utf1::{BASE, FROM_FIVE, FROM_THREE, FROM_TWO};

/// Returns the byte that encodes a digit in base 190.
#[inline(always)]
fn byte(digit: u32) -> u8 {
    match digit % BASE {
        small @ ..0x5E => small as u8 + 0x21,
        great => great as u8 + 0x42,
    }
}

impl Put for Utf1 {
    #[inline(always)]
    fn put(&self, scalar: char, dst: &mut [u8; WIDEST]) -> Option<usize> {
        let value = u32::from(scalar);
        Some(match value {
            ..0xA0 => store([value as u8], dst),
            0xA0..FROM_TWO => store([0xA0, value as u8], dst),
            FROM_TWO..FROM_THREE => {
                let y = value - FROM_TWO;
                store([0xA1 + (y / BASE) as u8, byte(y)], dst)
            }
            FROM_THREE..FROM_FIVE => {
                let y = value - FROM_THREE;
                store([0xF6 + (y / BASE / BASE) as u8, byte(y / BASE), byte(y)], dst)
            }
            FROM_FIVE.. => {
                let y = value - FROM_FIVE;
                let [a, b, c] = [BASE * BASE * BASE, BASE * BASE, BASE].map(|power| byte(y / power));
                // The lead byte is always FC, because scalar values end below the value at which it would change.
                store([0xFC, a, b, c, byte(y)], dst)
            }
        })
    }
}
