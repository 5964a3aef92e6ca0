//! A block of UTF-8, with the ends of its sequences, its faults, and the code unit of each byte that ends a sequence.

use std::arch::x86_64::*;

use super::super::vector::{load, load_at};
use crate::kernel::generic::from_utf8::{self, BEFORE, WINDOW};
use crate::kernel::generic::utf8_faults::{kinds, leads_of_cut};

const HALF: usize = 32;

#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn is_ascii(src: &[u8]) -> bool {
    let mut any = _mm256_setzero_si256();
    for bytes in src.as_chunks().0 {
        any = _mm256_or_si256(any, load(bytes));
    }
    _mm256_movemask_epi8(any) == 0
}

/// The bits 31, 30 or 29 mean that the block ends after the first 1, 2 or 3 bytes of a sequence; 0 means that no
/// sequence is cut.
#[derive(Clone, Copy, Default)]
pub(super) struct Cut(u32);

impl from_utf8::Cut for Cut {
    #[inline(always)]
    fn is_none(self) -> bool {
        self.0 == 0
    }

    #[inline(always)]
    fn len(self) -> usize {
        if self.is_none() { 0 } else { self.0.leading_zeros() as usize + 1 }
    }
}

/// A block, and the block shifted by one, two and three bytes.
pub(super) struct Block {
    pub halves: [Half; 2],
    /// The continuation bytes, as bits.
    continuations: u64,
}

pub(super) struct Half {
    byte: __m256i,
    before: [__m256i; BEFORE],
    is_continuation: __m256i,
}

/// The 16-bit code units that end at each byte of half a block, split into low and high bytes.
pub(super) struct Units {
    pub low: __m256i,
    pub high: __m256i,
}

#[target_feature(enable = "avx2")]
#[inline]
fn all(byte: u8) -> __m256i {
    _mm256_set1_epi8(byte as i8)
}

/// Returns which bytes are at least `low`, as lanes of ones.
#[target_feature(enable = "avx2")]
#[inline]
fn at_least(low: u8, bytes: __m256i) -> __m256i {
    _mm256_cmpeq_epi8(_mm256_max_epu8(bytes, all(low)), bytes)
}

/// Returns the highest bit of each byte.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn mask(low: __m256i, high: __m256i) -> u64 {
    let [low, high] = [_mm256_movemask_epi8(low) as u32, _mm256_movemask_epi8(high) as u32];
    u64::from(low) | u64::from(high) << HALF
}

/// Shifts each byte to the left, and keeps the bits in `keep`.
#[target_feature(enable = "avx2")]
#[inline]
fn left<const BY: i32>(bytes: __m256i, keep: u8) -> __m256i {
    _mm256_and_si256(_mm256_slli_epi16(bytes, BY), all(keep))
}

/// Shifts each byte to the right, and keeps the bits in `keep`.
#[target_feature(enable = "avx2")]
#[inline]
fn right<const BY: i32>(bytes: __m256i, keep: u8) -> __m256i {
    _mm256_and_si256(_mm256_srli_epi16(bytes, BY), all(keep))
}

impl from_utf8::Block for Block {
    type Cut = Cut;

    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn load(window: &[u8; WINDOW]) -> Block {
        let half = |at: usize| {
            // Loads are cheaper here than shifts across lanes, because the port for shuffles is the bottleneck of the
            // kernels.
            let byte = load_at(window, at);
            Half {
                byte,
                before: [1, 2, 3].map(|by| load_at(window, at - by)),
                is_continuation: _mm256_cmpgt_epi8(all(0xC0), byte),
            }
        };
        let halves = [half(BEFORE), half(BEFORE + HALF)];
        let continuations = mask(halves[0].is_continuation, halves[1].is_continuation);
        Block { halves, continuations }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn cut(&self) -> Cut {
        const LEADS: [u8; HALF] = leads_of_cut();
        let last = self.halves[1].byte;
        let is_lead = _mm256_cmpeq_epi8(_mm256_max_epu8(last, load(&LEADS)), last);
        Cut(_mm256_movemask_epi8(is_lead) as u32)
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn longest(&self) -> usize {
        let [first, second] = &self.halves;
        let most = _mm256_max_epu8(_mm256_max_epu8(first.before[2], first.byte), second.byte);
        let none_above = |byte: u8| {
            let above = _mm256_subs_epu8(most, all(byte));
            _mm256_testz_si256(above, above) == 1
        };
        if none_above(0xDF) {
            2
        } else if none_above(0xEF) {
            3
        } else {
            4
        }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn at_least(&self, low: u8) -> u64 {
        mask(at_least(low, self.halves[0].byte), at_least(low, self.halves[1].byte))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn faults_of_two(&self, cut: Cut) -> u64 {
        let [first, second] = &self.halves;
        let leads = mask(first.byte, second.byte) & !self.continuations;
        let below_c2 =
            mask(_mm256_cmpgt_epi8(all(0xC2), first.byte), _mm256_cmpgt_epi8(all(0xC2), second.byte));
        let expected = leads << 1 | u64::from(cut.0 >> 31);
        self.continuations ^ expected | below_c2 & !self.continuations
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn faults<T>(&self, _: usize) -> u64 {
        let [first, second] = [self.halves[0].faults(), self.halves[1].faults()];
        let any = _mm256_or_si256(first, second);
        if _mm256_testz_si256(any, any) == 1 {
            return 0;
        }
        let none = _mm256_setzero_si256();
        !mask(_mm256_cmpeq_epi8(first, none), _mm256_cmpeq_epi8(second, none))
    }
    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn continuations(&self) -> u64 {
        self.continuations
    }
}

impl Half {
    /// Returns a nonzero lane for each byte that is ill-formed after the bytes before it. See [`kinds`].
    #[target_feature(enable = "avx2")]
    #[inline]
    fn faults(&self) -> __m256i {
        const TABLES: [[u8; HALF]; 3] = [kinds(0), kinds(1), kinds(2)];
        let [first_upper, first_lower, second_upper] = [load(&TABLES[0]), load(&TABLES[1]), load(&TABLES[2])];
        let [one, two, three] = self.before;
        let kinds = _mm256_and_si256(
            _mm256_and_si256(
                _mm256_shuffle_epi8(first_upper, right::<4>(one, 0x0F)),
                _mm256_shuffle_epi8(first_lower, _mm256_and_si256(one, all(0x0F))),
            ),
            _mm256_shuffle_epi8(second_upper, right::<4>(self.byte, 0x0F)),
        );
        // The highest bit is set if the lead byte of a three-byte or four-byte sequence requires a third or fourth byte
        // here.
        let third = _mm256_subs_epu8(two, all(0xE0 - 0x80));
        let fourth = _mm256_subs_epu8(three, all(0xF0 - 0x80));
        let wanted = _mm256_and_si256(_mm256_or_si256(third, fourth), all(0x80));
        _mm256_xor_si256(wanted, kinds)
    }

    /// Returns the 16 bits that are encoded by the sequence which ends at each byte, if it has at most `LONGEST` bytes.
    #[target_feature(enable = "avx2")]
    #[inline]
    pub fn units<const LONGEST: usize>(&self) -> Units {
        let [one, two, _] = self.before;
        let is_continuation = self.is_continuation;
        let own = _mm256_andnot_si256(_mm256_and_si256(is_continuation, all(0xC0)), self.byte);
        let low = _mm256_or_si256(own, _mm256_and_si256(left::<6>(one, 0xC0), is_continuation));
        let mut high = right::<2>(one, 0x0F);
        if LONGEST > 2 {
            let is_third = _mm256_cmpgt_epi8(all(0xC0), one);
            high = _mm256_or_si256(high, _mm256_and_si256(left::<4>(two, 0xF0), is_third));
        }
        Units { low, high: _mm256_and_si256(high, is_continuation) }
    }

    /// Returns the UTF-16 code unit for each byte at which a code unit ends. Third bytes of four-byte sequences get the
    /// high surrogate, and fourth bytes the low surrogate. Also returns which bytes are third bytes of four-byte
    /// sequences.
    #[target_feature(enable = "avx2")]
    #[inline]
    pub fn units_with_surrogates(&self) -> (Units, __m256i) {
        let [one, two, three] = self.before;
        let Units { low, high } = self.units::<4>();
        let is_third = at_least(0xF0, two);
        let is_fourth = at_least(0xF0, three);
        // The upper eleven bits of the scalar value, reduced by 0x10000 as UTF-16 requires.
        let bits = _mm256_or_si256(left::<2>(one, 0xFC), right::<4>(self.byte, 0x03));
        let borrow = _mm256_cmpeq_epi8(_mm256_min_epu8(bits, all(0x3F)), bits);
        let high_surrogate = Units {
            low: _mm256_sub_epi8(bits, all(0x40)),
            high: _mm256_add_epi8(_mm256_or_si256(_mm256_and_si256(two, all(0x07)), all(0xD8)), borrow),
        };
        let low_surrogate = _mm256_or_si256(_mm256_and_si256(high, all(0x03)), all(0xDC));
        let units = Units {
            low: _mm256_blendv_epi8(low, high_surrogate.low, is_third),
            high: _mm256_blendv_epi8(
                _mm256_blendv_epi8(high, low_surrogate, is_fourth),
                high_surrogate.high,
                is_third,
            ),
        };
        (units, is_third)
    }

    /// Returns the plane (Unicode 2.8) of the character that ends at each byte.
    #[target_feature(enable = "avx2")]
    #[inline]
    pub fn planes(&self) -> __m256i {
        let [_, two, three] = self.before;
        let plane = _mm256_or_si256(right::<4>(two, 0x03), left::<2>(three, 0x1C));
        _mm256_and_si256(plane, at_least(0xF0, three))
    }
}
