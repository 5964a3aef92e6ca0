//! Validation of UTF-8, in blocks of 64 bytes that a load deinterleaves.
//!
//! The load distributes bytes in turn, so each vector of a block holds the bytes that directly precede the bytes of the
//! next vector. Only the bytes before the first vector's bytes have to be shifted in.

use std::arch::aarch64::*;

use super::vector::{LANES, all, has_bits, load, load_4};
use crate::kernel::generic::utf8_faults::kinds;

/// Returns the length of the well-formed prefix in bytes.
#[target_feature(enable = "neon")]
pub(super) fn utf8(src: &[u8]) -> usize {
    let mut read = 0;
    // The previous block, whose last bytes are in the last lanes.
    let mut before = Before::none();
    for block in src.as_chunks().0 {
        let vectors @ [a, b, c, d] = load_4(block);
        let highest = vmaxvq_u8(vmaxq_u8(vmaxq_u8(a, b), vmaxq_u8(c, d)));
        let faults = match highest.max(before.highest) {
            ..0x80 => {
                read += block.len();
                continue;
            }
            0x80..0xE0 => before.faults_of_two(vectors),
            0xE0..0xF0 => before.faults::<3>(vectors),
            _ => before.faults::<4>(vectors),
        };
        if has_bits(faults) {
            break;
        }
        before = Before { vectors: [b, c, d], highest };
        read += block.len();
    }
    // The last sequence may be cut, or may be at fault because of the bytes after it, so check it again.
    let sure = src[..read].iter().rposition(|byte| byte & 0xC0 != 0x80).unwrap_or(0);
    sure + encoding_rs::Encoding::utf8_valid_up_to(&src[sure..])
}

/// The last three vectors of a block, whose last lanes precede the next block.
#[derive(Clone, Copy)]
struct Before {
    vectors: [uint8x16_t; 3],
    /// The highest byte of the block.
    highest: u8,
}

impl Before {
    /// Returns a block of ASCII.
    #[inline]
    #[target_feature(enable = "neon")]
    fn none() -> Before {
        Before { vectors: [all(0); 3], highest: 0 }
    }

    /// Returns the bytes one, two and three positions before the bytes of the first vector.
    #[inline]
    #[target_feature(enable = "neon")]
    fn before_first(self, [_, b, c, d]: [uint8x16_t; 4]) -> [uint8x16_t; 3] {
        let [before_b, before_c, before_d] = self.vectors;
        [vextq_u8::<15>(before_d, d), vextq_u8::<15>(before_c, c), vextq_u8::<15>(before_b, b)]
    }

    /// Returns a nonzero lane if a byte is ill-formed after the byte before it. The block must not have lead bytes of
    /// three-byte or four-byte sequences.
    #[inline]
    #[target_feature(enable = "neon")]
    fn faults_of_two(self, vectors: [uint8x16_t; 4]) -> uint8x16_t {
        let [one, ..] = self.before_first(vectors);
        let [a, b, c, _] = vectors;
        let mut faults = all(0);
        for (byte, before) in vectors.into_iter().zip([one, a, b, c]) {
            let after_lead = vcgeq_u8(before, all(0xC0));
            let is_continuation = vcltq_s8(vreinterpretq_s8_u8(byte), vdupq_n_s8(0xC0_u8 as i8));
            // C0 and C1 lead overlong sequences.
            let is_overlong = vceqq_u8(vandq_u8(byte, all(0xFE)), all(0xC0));
            faults = vorrq_u8(faults, vorrq_u8(veorq_u8(is_continuation, after_lead), is_overlong));
        }
        faults
    }

    /// Returns a nonzero lane if a byte is ill-formed after the bytes before it. No lead byte may announce more than
    /// `LONGEST` bytes. See [`kinds`].
    #[inline]
    #[target_feature(enable = "neon")]
    fn faults<const LONGEST: usize>(self, vectors: [uint8x16_t; 4]) -> uint8x16_t {
        const TABLES: [[u8; LANES]; 3] = [kinds(0), kinds(1), kinds(2)];
        let [first_upper, first_lower, second_upper] = [load(&TABLES[0]), load(&TABLES[1]), load(&TABLES[2])];
        let [one, two, three] = self.before_first(vectors);
        let [a, b, c, _] = vectors;
        let ones = [one, a, b, c];
        let twos = [two, one, a, b];
        let threes = [three, two, one, a];
        let mut faults = all(0);
        for (at, byte) in vectors.into_iter().enumerate() {
            let first = vandq_u8(
                vqtbl1q_u8(first_upper, vshrq_n_u8::<4>(ones[at])),
                vqtbl1q_u8(first_lower, vandq_u8(ones[at], all(0x0F))),
            );
            let kinds = vandq_u8(first, vqtbl1q_u8(second_upper, vshrq_n_u8::<4>(byte)));
            // The highest bit is set if the lead byte of a three-byte or four-byte sequence requires a third or fourth
            // byte here.
            let mut wanted = vqsubq_u8(twos[at], all(0xE0 - 0x80));
            if LONGEST > 3 {
                wanted = vorrq_u8(wanted, vqsubq_u8(threes[at], all(0xF0 - 0x80)));
            }
            faults = vorrq_u8(faults, veorq_u8(vandq_u8(wanted, all(0x80)), kinds));
        }
        faults
    }
}
