//! From UTF-16: blocks of 16 code units, and greater ones where there are no surrogates.
//!
//! A high surrogate that ends a block is left to the next one.

use std::arch::x86_64::*;

use super::vector::{has_none_of, load, narrow_to_8, order_16, order_32, store, walk};
use super::{Avx2, kernel, to_utf8, validator};
use crate::encoding::Form;
use crate::kernel::Kernel;

/// The kernel from UTF-16 to another form, if there is one.
pub fn kernel(set: Avx2, from: Form, to: Form) -> Option<Kernel> {
    match from {
        Form::Utf16Le => kernel_from::<false>(set, to),
        Form::Utf16Be => kernel_from::<true>(set, to),
        _ => None,
    }
}

fn kernel_from<const FROM: bool>(set: Avx2, to: Form) -> Option<Kernel> {
    Some(match to {
        Form::Utf8 => kernel!(set, utf8::<FROM>),
        Form::Utf16Le => kernel!(set, utf16::<FROM, false>),
        Form::Utf16Be => kernel!(set, utf16::<FROM, true>),
        Form::Utf32Le | Form::Ucs4Le => kernel!(set, utf32::<FROM, false>),
        Form::Utf32Be | Form::Ucs4Be => kernel!(set, utf32::<FROM, true>),
        Form::Latin1 => kernel!(set, single_byte::<FROM, 0xFF>),
        Form::Ascii => kernel!(set, single_byte::<FROM, 0x7F>),
        _ => return None,
    })
}

/// The validator of UTF-16.
pub fn validator(set: Avx2, form: Form) -> Option<fn(&[u8]) -> usize> {
    match form {
        Form::Utf16Le => Some(validator!(set, well_formed::<false>)),
        Form::Utf16Be => Some(validator!(set, well_formed::<true>)),
        _ => None,
    }
}

/// The surrogates of a block: pairs, but for the last unit.
struct Surrogates {
    high: __m256i,
    low: __m256i,
    /// Whether the last unit is the first of a pair.
    is_cut: bool,
}

impl Surrogates {
    /// Finds them; `None` if the block has others.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn find(units: __m256i) -> Option<Surrogates> {
        let kinds = _mm256_and_si256(units, _mm256_set1_epi16(0xFC00_u16 as i16));
        let high = _mm256_cmpeq_epi16(kinds, _mm256_set1_epi16(0xD800_u16 as i16));
        let low = _mm256_cmpeq_epi16(kinds, _mm256_set1_epi16(0xDC00_u16 as i16));
        // Two bits for each unit.
        let highs = _mm256_movemask_epi8(high) as u32;
        let lows = _mm256_movemask_epi8(low) as u32;
        (highs << 2 == lows).then_some(Surrogates { high, low, is_cut: highs >> 31 == 1 })
    }

    /// The bytes of the block that are whole sequences.
    fn len(&self) -> usize {
        32 - 2 * usize::from(self.is_cut)
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn has_surrogates(units: __m256i) -> bool {
    let kinds = _mm256_and_si256(units, _mm256_set1_epi16(0xF800_u16 as i16));
    let found = _mm256_cmpeq_epi16(kinds, _mm256_set1_epi16(0xD800_u16 as i16));
    _mm256_movemask_epi8(found) != 0
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn load_units<const BIG_ENDIAN: bool, const VECTORS: usize>(block: &[[u8; 32]]) -> [__m256i; VECTORS] {
    std::array::from_fn(|at| order_16::<BIG_ENDIAN>(load(&block[at])))
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn utf8<const FROM: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    walk(
        src,
        dst,
        |block: &[u8; 128], room: &mut [u8; 64]| {
            let [a, b, c, d] = load_units::<FROM, 4>(block.as_chunks().0);
            let all = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
            let is_ascii = has_none_of(all, _mm256_set1_epi16(!0x7F));
            if is_ascii {
                store(narrow_to_8(a, b), room, 0);
                store(narrow_to_8(c, d), room, 32);
            }
            is_ascii
        },
        |block: &[u8; 32], room| {
            let units = order_16::<FROM>(load(block));
            if !has_surrogates(units) {
                return Some((32, to_utf8::put_units(units, room)));
            }
            let found = Surrogates::find(units)?;
            let written = to_utf8::put_pairs(units, found.high, found.low, room);
            Some((found.len(), written - (32 - found.len())))
        },
    )
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn utf16<const FROM: bool, const TO: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    walk(
        src,
        dst,
        |block: &[u8; 64], room: &mut [u8; 64]| {
            let [a, b] = load_units::<FROM, 2>(block.as_chunks().0);
            let is_plain = !has_surrogates(a) && !has_surrogates(b);
            if is_plain {
                store(order_16::<TO>(a), room, 0);
                store(order_16::<TO>(b), room, 32);
            }
            is_plain
        },
        |block: &[u8; 32], room: &mut [u8; 32]| {
            let units = order_16::<FROM>(load(block));
            let len = Surrogates::find(units)?.len();
            store(order_16::<TO>(units), room, 0);
            Some((len, len))
        },
    )
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn well_formed<const FROM: bool>(src: &[u8]) -> usize {
    let (read, _) = walk(
        src,
        &mut [],
        |block: &[u8; 128], _: &mut [u8; 0]| {
            load_units::<FROM, 4>(block.as_chunks().0).into_iter().all(|units| !has_surrogates(units))
        },
        |block: &[u8; 32], _: &mut [u8; 0]| {
            let units = order_16::<FROM>(load(block));
            Some((Surrogates::find(units)?.len(), 0))
        },
    );
    read
}

/// For eight lanes, those whose bit is not set, as the indices of a permutation, a byte each.
static REMAINING: [u64; 256] = {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        let (mut lane, mut count) = (0, 0);
        while lane < 8 {
            if index >> lane & 1 == 0 {
                table[index] |= (lane as u64) << (8 * count);
                count += 1;
            }
            lane += 1;
        }
        index += 1;
    }
    table
};

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn utf32<const FROM: bool, const TO: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let put = |units, room: &mut [u8], at| {
        let low = _mm256_cvtepu16_epi32(_mm256_castsi256_si128(units));
        let high = _mm256_cvtepu16_epi32(_mm256_extracti128_si256::<1>(units));
        store(order_32::<TO>(low), room, at);
        store(order_32::<TO>(high), room, at + 32);
    };
    walk(
        src,
        dst,
        |block: &[u8; 64], room: &mut [u8; 128]| {
            let [a, b] = load_units::<FROM, 2>(block.as_chunks().0);
            let is_plain = !has_surrogates(a) && !has_surrogates(b);
            if is_plain {
                put(a, room, 0);
                put(b, room, 64);
            }
            is_plain
        },
        |block: &[u8; 32], room: &mut [u8; 64]| {
            let units = order_16::<FROM>(load(block));
            if !has_surrogates(units) {
                put(units, room, 0);
                return Some((32, 64));
            }
            let found = Surrogates::find(units)?;
            let after = _mm256_alignr_epi8::<2>(_mm256_permute2x128_si256::<0x81>(units, units), units);
            let lows = _mm256_packs_epi16(found.low, _mm256_setzero_si256());
            let lows = _mm256_movemask_epi8(lows) as u32;
            let mut at = 0;
            for (units, after, high, lows) in [
                (
                    _mm256_castsi256_si128(units),
                    _mm256_castsi256_si128(after),
                    _mm256_castsi256_si128(found.high),
                    lows as u8,
                ),
                (
                    _mm256_extracti128_si256::<1>(units),
                    _mm256_extracti128_si256::<1>(after),
                    _mm256_extracti128_si256::<1>(found.high),
                    (lows >> 16) as u8,
                ),
            ] {
                let units = _mm256_cvtepu16_epi32(units);
                // Both units joined, as in D91, with what they have beyond the bits of the scalar value taken off.
                let pairs = _mm256_add_epi32(_mm256_slli_epi32::<10>(units), _mm256_cvtepu16_epi32(after));
                let pairs = _mm256_add_epi32(pairs, _mm256_set1_epi32(0x10000 - (0xD800 << 10) - 0xDC00));
                let scalars = _mm256_blendv_epi8(units, pairs, _mm256_cvtepi16_epi32(high));
                let remaining =
                    _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(REMAINING[usize::from(lows)] as i64));
                let scalars = _mm256_permutevar8x32_epi32(scalars, remaining);
                store(order_32::<TO>(scalars), room, at);
                at += 4 * lows.count_zeros() as usize;
            }
            Some((found.len(), at - 4 * usize::from(found.is_cut)))
        },
    )
}

/// To ISO-8859-1, or to US-ASCII, by the last character that the target has.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn single_byte<const FROM: bool, const LAST: i16>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let beyond = _mm256_set1_epi16(!LAST);
    walk(
        src,
        dst,
        |block: &[u8; 128], room: &mut [u8; 64]| {
            let [a, b, c, d] = load_units::<FROM, 4>(block.as_chunks().0);
            let all = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
            store(narrow_to_8(a, b), room, 0);
            store(narrow_to_8(c, d), room, 32);
            has_none_of(all, beyond)
        },
        |block: &[u8; 32], room: &mut [u8; 16]| {
            let units = order_16::<FROM>(load(block));
            let bytes = narrow_to_8(units, units);
            super::vector::store_half(_mm256_castsi256_si128(bytes), room, 0);
            has_none_of(units, beyond).then_some((32, 16))
        },
    )
}
