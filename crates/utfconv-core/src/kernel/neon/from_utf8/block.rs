//! A block of UTF-8: the ends of its sequences, its faults, and the unit of each byte as the end of a sequence.

use std::arch::aarch64::*;

use super::super::planes::Units;
use super::super::vector::{LANES, all, any, has_bits, load, load_at, mask, select};
use crate::kernel::generic::from_utf8::{self, BEFORE, WINDOW};
use crate::kernel::generic::utf8_faults::{kinds, leads_of_cut};

/// The last eight bytes of a block; a byte is nonzero if it is the lead of a sequence that the block cuts.
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

/// A block, in four vectors.
pub(super) struct Block {
    pub quarters: [Quarter; 4],
}

/// Bytes, with the byte before each byte, the one before that, and the one before that.
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
        // Their lowest bits would not be seen if the vector had the leads themselves.
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

/// Which bytes are continuation bytes.
#[inline]
#[target_feature(enable = "neon")]
fn is_continuation(bytes: uint8x16_t) -> uint8x16_t {
    // As signed numbers, these are the lowest.
    vcltq_s8(vreinterpretq_s8_u8(bytes), vdupq_n_s8(0xC0_u8 as i8))
}

/// Marks a rare branch.
#[cold]
fn rarely() {}

impl Block {
    /// A bit for each byte where a vector is not zero.
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

    /// Whether any of four vectors has a bit.
    #[inline]
    #[target_feature(enable = "neon")]
    fn have(&self, [a, b, c, d]: [uint8x16_t; 4]) -> bool {
        has_bits(vorrq_u8(vorrq_u8(a, b), vorrq_u8(c, d)))
    }

    /// Whether any byte is not ASCII.
    #[inline]
    #[target_feature(enable = "neon")]
    pub fn is_ascii(src: &[u8]) -> bool {
        !any(src.as_chunks().0.iter().fold(all(0), |bits, bytes| vorrq_u8(bits, load(bytes))))
    }
}

impl Quarter {
    /// Returns the bytes that do not go with the one before, as non-zero, where there are no leads of three or four bytes.
    #[inline]
    #[target_feature(enable = "neon")]
    fn faults_of_two(self) -> uint8x16_t {
        let after_lead = vcgeq_u8(self.before[0], all(0xC0));
        // C0 and C1.
        let is_overlong = vceqq_u8(vandq_u8(self.byte, all(0xFE)), all(0xC0));
        vorrq_u8(veorq_u8(is_continuation(self.byte), after_lead), is_overlong)
    }

    /// Returns the bytes that do not go with those before, as non-zero: see [`kinds`].
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
        // The uppermost bit is set where a lead of three or four bytes needs a third or a fourth.
        let mut wanted = vqsubq_u8(two, all(0xE0 - 0x80));
        if LONGEST > 3 {
            wanted = vorrq_u8(wanted, vqsubq_u8(three, all(0xF0 - 0x80)));
        }
        veorq_u8(vandq_u8(wanted, all(0x80)), kinds)
    }

    /// Returns the 16 bits that each byte encodes, if it is the end of a sequence of up to `LONGEST` bytes.
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

    /// Returns the units of UTF-16 that each byte ends: third bytes out of four get the high surrogate, and fourth
    /// bytes the low one. Also returns which bytes are those third bytes.
    #[inline]
    #[target_feature(enable = "neon")]
    pub fn units_with_surrogates(self) -> (Units, uint8x16_t) {
        let [one, two, three] = self.before;
        let Units { low, high } = self.units::<4>();
        let is_third = vcgeq_u8(two, all(0xF0));
        let is_fourth = vcgeq_u8(three, all(0xF0));
        // The upper eleven bits of the scalar value, less the 0x10000 that UTF-16 subtracts.
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

    /// Returns the planes (Unicode 2.8) that the ends of sequences are in.
    #[inline]
    #[target_feature(enable = "neon")]
    pub fn planes(self) -> uint8x16_t {
        let [_, two, three] = self.before;
        let plane = vsliq_n_u8::<2>(vandq_u8(vshrq_n_u8::<4>(two), all(0x03)), three);
        vandq_u8(vandq_u8(plane, all(0x1F)), vcgeq_u8(three, all(0xF0)))
    }
}
