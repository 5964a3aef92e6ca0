//! A block of UTF-8, with the ends of its sequences, its faults, and the code unit of each byte that ends a sequence.

use std::arch::aarch64::*;

use super::super::planes::Units;
use super::super::vector::{LANES, all, any, has_bits, load, load_at, mask, select};
use crate::kernel::generic::from_utf8::{self, BEFORE, WINDOW};
use crate::kernel::generic::utf8_faults::{kinds, leads_of_cut};

/// The last eight bytes of a block. A byte is nonzero if it leads a sequence that the end of the block cuts.
#[derive(Clone, Copy, Default)]
pub(super) struct Cut(u64);

impl from_utf8::Cut for Cut {
    #[inline(always)]
    fn is_none(self) -> bool {
        self.0 == 0
    }

    #[inline(always)]
    fn len(self) -> usize {
        if self.is_none() { 0 } else { self.0.leading_zeros() as usize / 8 + 1 }
    }
}

/// A block, split into four vectors.
pub(super) struct Block {
    pub quarters: [Quarter; 4],
}

/// A quarter of a block, and the quarter shifted by one, two and three bytes.
#[derive(Clone, Copy)]
pub(super) struct Quarter {
    pub byte: uint8x16_t,
    before: [uint8x16_t; BEFORE],
}

impl from_utf8::Block for Block {
    type Cut = Cut;

    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn load(window: &[u8; WINDOW]) -> Block {
        let quarter = |at: usize| Quarter {
            byte: load_at(window, at),
            before: [1, 2, 3].map(|by| load_at(window, at - by)),
        };
        Block { quarters: std::array::from_fn(|at| quarter(BEFORE + LANES * at)) }
    }

    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn longest(&self) -> usize {
        let [a, b, c, d] = self.quarters.map(|quarter| quarter.byte);
        let most = vmaxq_u8(vmaxq_u8(a, b), vmaxq_u8(c, d));
        match vmaxvq_u8(vmaxq_u8(most, self.quarters[0].before[BEFORE - 1])) {
            ..0xE0 => 2,
            0xE0..0xF0 => 3,
            _ => 4,
        }
    }

    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn faults_of_two(&self, _: Cut) -> u64 {
        self.faults_by(|quarter| quarter.faults_of_two())
    }

    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn faults<T>(&self, longest: usize) -> u64 {
        if longest == 3 {
            self.faults_by(|quarter| quarter.faults::<3>())
        } else {
            self.faults_by(|quarter| quarter.faults::<4>())
        }
    }

    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn at_least(&self, low: u8) -> u64 {
        let are = self.quarters.map(|quarter| vcgeq_u8(quarter.byte, all(low)));
        if self.have(are) { mask(are) } else { 0 }
    }

    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn cut(&self) -> Cut {
        // Each entry is one less than the lead byte, because the saturating subtraction leaves 0 for a byte that equals
        // its entry.
        const BELOW: [u8; LANES] = {
            let mut bytes = leads_of_cut::<LANES>();
            let mut at = LANES - BEFORE;
            while at < LANES {
                bytes[at] -= 1;
                at += 1;
            }
            bytes
        };
        let beyond = vqsubq_u8(self.quarters[3].byte, load(&BELOW));
        Cut(vgetq_lane_u64::<1>(vreinterpretq_u64_u8(beyond)))
    }

    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn continuations(&self) -> u64 {
        mask(self.quarters.map(|quarter| is_continuation(quarter.byte)))
    }
}

/// Returns which bytes are continuation bytes, as lanes of ones.
#[inline]
#[target_feature(enable = "neon")]
fn is_continuation(bytes: uint8x16_t) -> uint8x16_t {
    // As signed numbers, continuation bytes are the lowest.
    vcltq_s8(vreinterpretq_s8_u8(bytes), vdupq_n_s8(0xC0_u8 as i8))
}

/// Marks a rare branch for the compiler.
#[cold]
fn rarely() {}

impl Block {
    /// Returns a bit for each byte for which `faults` is not zero.
    #[inline]
    #[target_feature(enable = "neon")]
    fn faults_by(&self, faults: impl Fn(Quarter) -> uint8x16_t) -> u64 {
        let found = self.quarters.map(faults);
        if !self.have(found) {
            return 0;
        }
        rarely();
        mask(found.map(|bytes| vtstq_u8(bytes, bytes)))
    }

    /// Whether any of four vectors has a nonzero lane.
    #[inline]
    #[target_feature(enable = "neon")]
    fn have(&self, [a, b, c, d]: [uint8x16_t; 4]) -> bool {
        has_bits(vorrq_u8(vorrq_u8(a, b), vorrq_u8(c, d)))
    }

    /// Whether all bytes are ASCII.
    #[inline]
    #[target_feature(enable = "neon")]
    pub fn is_ascii(src: &[u8]) -> bool {
        !any(src.as_chunks().0.iter().fold(all(0), |bits, bytes| vorrq_u8(bits, load(bytes))))
    }
}

impl Quarter {
    /// Returns a nonzero lane for each byte that is ill-formed after the byte before it. The block must not have lead
    /// bytes of three-byte or four-byte sequences.
    #[inline]
    #[target_feature(enable = "neon")]
    fn faults_of_two(self) -> uint8x16_t {
        let after_lead = vcgeq_u8(self.before[0], all(0xC0));
        // C0 and C1 lead overlong sequences.
        let is_overlong = vceqq_u8(vandq_u8(self.byte, all(0xFE)), all(0xC0));
        vorrq_u8(veorq_u8(is_continuation(self.byte), after_lead), is_overlong)
    }

    /// Returns a nonzero lane for each byte that is ill-formed after the bytes before it. See [`kinds`].
    #[inline]
    #[target_feature(enable = "neon")]
    fn faults<const LONGEST: usize>(self) -> uint8x16_t {
        const TABLES: [[u8; LANES]; 3] = [kinds(0), kinds(1), kinds(2)];
        let [first_upper, first_lower, second_upper] = [load(&TABLES[0]), load(&TABLES[1]), load(&TABLES[2])];
        let [one, two, three] = self.before;
        let kinds = vandq_u8(
            vandq_u8(
                vqtbl1q_u8(first_upper, vshrq_n_u8::<4>(one)),
                vqtbl1q_u8(first_lower, vandq_u8(one, all(0x0F))),
            ),
            vqtbl1q_u8(second_upper, vshrq_n_u8::<4>(self.byte)),
        );
        // The highest bit is set if the lead byte of a three-byte or four-byte sequence requires a third or fourth byte
        // here.
        let mut wanted = vqsubq_u8(two, all(0xE0 - 0x80));
        if LONGEST > 3 {
            wanted = vorrq_u8(wanted, vqsubq_u8(three, all(0xF0 - 0x80)));
        }
        veorq_u8(vandq_u8(wanted, all(0x80)), kinds)
    }

    /// Returns the 16 bits that are encoded by the sequence which ends at each byte, if it has at most `LONGEST` bytes.
    #[inline]
    #[target_feature(enable = "neon")]
    pub fn units<const LONGEST: usize>(self) -> Units {
        let [one, two, _] = self.before;
        let is_continuation = is_continuation(self.byte);
        let low = select(is_continuation, vsliq_n_u8::<6>(self.byte, one), self.byte);
        let mut high = vandq_u8(vshrq_n_u8::<2>(one), all(0x0F));
        if LONGEST > 2 {
            let is_third = self::is_continuation(one);
            high = select(is_third, vsliq_n_u8::<4>(high, two), high);
        }
        Units { low, high: vandq_u8(high, is_continuation) }
    }

    /// Returns the UTF-16 code unit for each byte at which a code unit ends. Third bytes of four-byte sequences get the
    /// high surrogate, and fourth bytes the low surrogate. Also returns which bytes are third bytes of four-byte
    /// sequences.
    #[inline]
    #[target_feature(enable = "neon")]
    pub fn units_with_surrogates(self) -> (Units, uint8x16_t) {
        let [one, two, three] = self.before;
        let Units { low, high } = self.units::<4>();
        let is_third = vcgeq_u8(two, all(0xF0));
        let is_fourth = vcgeq_u8(three, all(0xF0));
        // The upper eleven bits of the scalar value, reduced by 0x10000 as UTF-16 requires.
        let bits = vsliq_n_u8::<2>(vandq_u8(vshrq_n_u8::<4>(self.byte), all(0x03)), one);
        let borrow = vcltq_u8(bits, all(0x40));
        let first = Units {
            low: vsubq_u8(bits, all(0x40)),
            high: vaddq_u8(vorrq_u8(vandq_u8(two, all(0x07)), all(0xD8)), borrow),
        };
        let second = vorrq_u8(vandq_u8(high, all(0x03)), all(0xDC));
        let units = Units {
            low: select(is_third, first.low, low),
            high: select(is_third, first.high, select(is_fourth, second, high)),
        };
        (units, is_third)
    }

    /// Returns the plane (Unicode 2.8) of the character that ends at each byte.
    #[inline]
    #[target_feature(enable = "neon")]
    pub fn planes(self) -> uint8x16_t {
        let [_, two, three] = self.before;
        let plane = vsliq_n_u8::<2>(vandq_u8(vshrq_n_u8::<4>(two), all(0x03)), three);
        vandq_u8(vandq_u8(plane, all(0x1F)), vcgeq_u8(three, all(0xF0)))
    }
}
