//! Converts vectors of scalar values to UTF-8.
//!
//! The bytes of each scalar value are computed in a separate lane, the last byte of the sequence lowest. A table of
//! shuffles, indexed by the lengths of lanes, removes unused bytes. See Lemire and Mula, "Transcoding Billions of
//! Unicode Characters per Second with SIMD Instructions" (2022).

use std::arch::x86_64::*;

use super::vector::{join, lanes, load_half, store_half};
use crate::kernel::generic::shuffles::{LENS_32, SHUFFLES_16, SHUFFLES_32};

/// Room for the output of [`put_units`] and for the bytes that its stores overwrite after the output, in bytes.
pub const ROOM: usize = 64;

/// Writes 16 scalar values of 16 bits. Returns the number of bytes written.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub fn put_units(units: __m256i, room: &mut [u8; ROOM]) -> usize {
    let spelled = Spelled::new(units);
    let sizes = spelled.sizes(_mm256_setzero_si256());
    if sizes != ALL_THREE {
        return spelled.put(sizes, room);
    }
    let (first, second) = spelled.lanes();
    let threes = _mm256_broadcastsi128_si256(load_half(&SHUFFLES_32[ALL_THREE as usize & 0xFF]));
    let (first, second) = (_mm256_shuffle_epi8(first, threes), _mm256_shuffle_epi8(second, threes));
    store_half(_mm256_castsi256_si128(first), room, 0);
    store_half(_mm256_castsi256_si128(second), room, 12);
    store_half(_mm256_extracti128_si256::<1>(first), room, 24);
    store_half(_mm256_extracti128_si256::<1>(second), room, 36);
    48
}

/// Writes 32 code units below U+0800. Returns the number of bytes written. The constants describe the caller, so that
/// each copy of the function has a single caller and is inlined.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub fn put_below_800<const UNIT: usize, const FROM_BE: bool>(
    units: [__m256i; 2],
    room: &mut [u8; 2 * ROOM],
) -> usize {
    let from_80 = units.map(|units| _mm256_cmpgt_epi16(units, _mm256_set1_epi16(0x7F)));
    let sizes = _mm256_movemask_epi8(_mm256_packs_epi16(from_80[0], from_80[1])) as u32;
    // The pack instruction works in each half of the vectors separately, so the sizes are interleaved.
    let [a, b, c, d] = sizes.to_le_bytes().map(usize::from);
    let mut at = 0;
    for ((units, from_80), sizes) in units.into_iter().zip(from_80).zip([[a, c], [b, d]]) {
        let last = _mm256_and_si256(units, _mm256_set1_epi16(0x3F));
        let lead = _mm256_and_si256(_mm256_slli_epi16::<2>(units), _mm256_set1_epi16(0x1F00));
        let two = _mm256_or_si256(_mm256_or_si256(last, lead), _mm256_set1_epi16(0xC080_u16 as i16));
        let lanes = _mm256_blendv_epi8(units, two, from_80);
        let shuffles = sizes.map(|size| load_half(&SHUFFLES_16[size]));
        let bytes = _mm256_shuffle_epi8(lanes, join(shuffles[0], shuffles[1]));
        let lens = sizes.map(|size| 8 + size.count_ones() as usize);
        store_half(_mm256_castsi256_si128(bytes), room, at);
        store_half(_mm256_extracti128_si256::<1>(bytes), room, at + lens[0]);
        at += lens[0] + lens[1];
    }
    at
}

/// Writes 32 characters of ISO-8859-1. Returns the number of bytes written.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub fn put_latin1(bytes: __m256i, room: &mut [u8; 64]) -> usize {
    // Bit 6 of a character of two bytes goes to the lead byte, which is C2 or C3.
    let bit_6 = _mm256_srli_epi16::<1>(_mm256_and_si256(bytes, _mm256_set1_epi8(0x80_u8 as i8)));
    let last = _mm256_andnot_si256(bit_6, bytes);
    let lead = _mm256_and_si256(_mm256_srli_epi16::<6>(bytes), _mm256_set1_epi8(1));
    let lead = _mm256_or_si256(lead, _mm256_set1_epi8(0xC2_u8 as i8));
    let sizes = (_mm256_movemask_epi8(bytes) as u32).to_le_bytes().map(usize::from);
    let shuffles = |low, high| join(load_half(&SHUFFLES_16[low]), load_half(&SHUFFLES_16[high]));
    // The unpack instructions work in each half of the vector separately.
    let even = _mm256_shuffle_epi8(_mm256_unpacklo_epi8(last, lead), shuffles(sizes[0], sizes[2]));
    let odd = _mm256_shuffle_epi8(_mm256_unpackhi_epi8(last, lead), shuffles(sizes[1], sizes[3]));
    let mut at = 0;
    for (lane, size) in lanes(even, odd).into_iter().zip(sizes) {
        store_half(lane, room, at);
        at += 8 + size.count_ones() as usize;
    }
    at
}

/// Writes 16 code units. `high` and `low` select the lanes of surrogate pairs, and `next` has the code unit after each
/// code unit. Returns the number of bytes written. Of the bytes of a pair, the lane of the high surrogate has three,
/// and the lane of the low surrogate has one.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub fn put_pairs(units: __m256i, next: __m256i, high: __m256i, low: __m256i, room: &mut [u8; ROOM]) -> usize {
    let mut spelled = Spelled::new(units);
    // The bits of the scalar value above the lowest ten.
    let above = _mm256_sub_epi16(units, _mm256_set1_epi16(0xD7C0_u16 as i16));
    let lead = _mm256_or_si256(_mm256_srli_epi16::<8>(above), _mm256_set1_epi16(0xF0));
    let second = _mm256_and_si256(_mm256_slli_epi16::<6>(above), _mm256_set1_epi16(0x3F00));
    let third = _mm256_and_si256(_mm256_slli_epi16::<4>(above), _mm256_set1_epi16(0x30));
    let third_too = _mm256_and_si256(_mm256_srli_epi16::<6>(next), _mm256_set1_epi16(0xF));
    let third = _mm256_or_si256(_mm256_or_si256(third, third_too), _mm256_set1_epi16(0x8080_u16 as i16));
    spelled.upper = _mm256_blendv_epi8(spelled.upper, lead, high);
    spelled.lower = _mm256_blendv_epi8(spelled.lower, _mm256_or_si256(second, third), high);
    spelled.put(spelled.sizes(low), room)
}

/// The sizes of 16 code units that take three bytes each.
const ALL_THREE: u32 = 0xAAAA_AAAA;

/// The bytes of 16 code units, before they are packed.
struct Spelled {
    /// The last byte, and above it the second to last byte.
    lower: __m256i,
    /// The lead byte, for code units that take three bytes.
    upper: __m256i,
    from_80: __m256i,
    from_800: __m256i,
}

impl Spelled {
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn new(units: __m256i) -> Spelled {
        let is_from = |bound| _mm256_cmpeq_epi16(_mm256_max_epu16(units, bound), units);
        let from_80 = is_from(_mm256_set1_epi16(0x80));
        let from_800 = is_from(_mm256_set1_epi16(0x800));
        let last = _mm256_and_si256(units, _mm256_set1_epi16(0x3F));
        let before_last = _mm256_and_si256(_mm256_slli_epi16::<2>(units), _mm256_set1_epi16(0x3F00));
        let tail = _mm256_or_si256(_mm256_or_si256(last, before_last), _mm256_set1_epi16(0x8080_u16 as i16));
        let lead_of_two = _mm256_andnot_si256(from_800, _mm256_set1_epi16(0x4000));
        let lower = _mm256_blendv_epi8(units, _mm256_or_si256(tail, lead_of_two), from_80);
        let upper = _mm256_or_si256(_mm256_srli_epi16::<12>(units), _mm256_set1_epi16(0xE0));
        Spelled { lower, upper, from_80, from_800 }
    }

    /// Returns two bits for each code unit, which are its number of bytes less one. Code units in the lanes of `single`
    /// have one byte.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn sizes(&self, single: __m256i) -> u32 {
        // Put the lower bit of each size in the lower byte of its lane, and the upper bit in the upper byte.
        let from_80 = _mm256_and_si256(self.from_80, _mm256_set1_epi16(0xFF));
        let sizes = _mm256_xor_si256(from_80, self.from_800);
        _mm256_movemask_epi8(_mm256_andnot_si256(single, sizes)) as u32
    }

    /// Returns the bytes in a lane of 32 bits for each code unit. The first vector has the code units 0 to 3 and 8 to
    /// 11.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn lanes(&self) -> (__m256i, __m256i) {
        (_mm256_unpacklo_epi16(self.lower, self.upper), _mm256_unpackhi_epi16(self.lower, self.upper))
    }

    /// Packs and writes the bytes. Returns the number of bytes written.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn put(&self, sizes: u32, room: &mut [u8; ROOM]) -> usize {
        let indexes = sizes.to_le_bytes().map(usize::from);
        let [a, b, c, d] = indexes;
        let shuffles = |low, high| join(load_half(&SHUFFLES_32[low]), load_half(&SHUFFLES_32[high]));
        let (first, second) = self.lanes();
        let first = _mm256_shuffle_epi8(first, shuffles(a, c));
        let second = _mm256_shuffle_epi8(second, shuffles(b, d));
        let mut at = 0;
        for (bytes, index) in lanes(first, second).into_iter().zip(indexes) {
            store_half(bytes, room, at);
            at += usize::from(LENS_32[index]);
        }
        at
    }
}

/// Writes eight scalar values. Returns the number of bytes written.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub fn put_scalars(scalars: __m256i, room: &mut [u8]) -> usize {
    let is_from = |bound| _mm256_cmpgt_epi32(scalars, _mm256_set1_epi32(bound - 1));
    let (from_80, from_800, from_10000) = (is_from(0x80), is_from(0x800), is_from(0x10000));
    // Spread the bits of the scalar value, six to a byte.
    let bits_0 = _mm256_and_si256(scalars, _mm256_set1_epi32(0x3F));
    let bits_6 = _mm256_and_si256(_mm256_slli_epi32::<2>(scalars), _mm256_set1_epi32(0x3F00));
    let bits_12 = _mm256_and_si256(_mm256_slli_epi32::<4>(scalars), _mm256_set1_epi32(0x3F_0000));
    let bits_18 = _mm256_and_si256(_mm256_slli_epi32::<6>(scalars), _mm256_set1_epi32(0x700_0000));
    let bits = _mm256_or_si256(_mm256_or_si256(bits_0, bits_6), _mm256_or_si256(bits_12, bits_18));
    // Add the marks C0 80, E0 80 80 or F0 80 80 80, which are built up by XOR with the difference from the shorter
    // mark.
    let two = _mm256_set1_epi32(0xC080);
    let three = _mm256_and_si256(from_800, _mm256_set1_epi32(0xC080 ^ 0xE0_8080));
    let four = _mm256_and_si256(from_10000, _mm256_set1_epi32(0xE0_8080 ^ 0xF080_8080_u32 as i32));
    let marks = _mm256_xor_si256(two, _mm256_xor_si256(three, four));
    let lanes = _mm256_blendv_epi8(scalars, _mm256_or_si256(bits, marks), from_80);
    // For each lane, put the lower bit of the number of bytes less one in the lower half, and the upper bit in the
    // upper half.
    let odd = _mm256_xor_si256(_mm256_xor_si256(from_80, from_800), from_10000);
    let sizes = _mm256_blend_epi16::<0b1010_1010>(odd, from_800);
    let sizes = _mm256_movemask_epi8(_mm256_packs_epi16(sizes, sizes)) as u32;
    let [first, _, _, second] = sizes.to_le_bytes().map(usize::from);
    let shuffles = join(load_half(&SHUFFLES_32[first]), load_half(&SHUFFLES_32[second]));
    let bytes = _mm256_shuffle_epi8(lanes, shuffles);
    let at = usize::from(LENS_32[first]);
    store_half(_mm256_castsi256_si128(bytes), room, 0);
    store_half(_mm256_extracti128_si256::<1>(bytes), room, at);
    at + usize::from(LENS_32[second])
}
