//! The kernels from UTF-32, in blocks of 16 code units, which are converted as UTF-16 if all have at most 16 bits.

use std::arch::x86_64::*;

use super::vector::{
    has_none_of, have_surrogates, join, load, load_half, narrow_32_to_8, narrow_to_8, narrow_to_16, or,
    order_16, order_32, store, store_half,
};
use super::{Avx2, Proof, to_utf8};
use crate::form::Form;
use crate::kernel::generic::Kernel;
use crate::kernel::generic::set::{kernel, wide_kernel};
use crate::kernel::generic::shuffles::compactions;
use crate::kernel::generic::walk::walk;

/// Returns the kernel from UTF-32 to another form, if there is one.
#[inline(always)]
pub fn kernel<const FROM_BE: bool>(set: Avx2, to: Form) -> Option<Kernel> {
    wide_kernel!(set, FROM_BE, to)
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn load_units<const BIG_ENDIAN: bool, const VECTORS: usize>(block: &[u8]) -> [__m256i; VECTORS] {
    let block = block.as_chunks().0;
    std::array::from_fn(|at| order_32::<BIG_ENDIAN>(load(&block[at])))
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn are_scalars<const VECTORS: usize>(units: [__m256i; VECTORS]) -> bool {
    // The XOR moves surrogates to 0..7FF, and the subtraction then wraps them above 10FFFF.
    let shifted = units.map(|units| {
        let units = _mm256_xor_si256(units, _mm256_set1_epi32(0xD800));
        _mm256_sub_epi32(units, _mm256_set1_epi32(0x800))
    });
    let last = _mm256_set1_epi32(0x10_FFFF - 0x800);
    let highest = shifted.into_iter().fold(last, |a, b| _mm256_max_epu32(a, b));
    has_none_of(_mm256_xor_si256(highest, last), _mm256_set1_epi8(-1))
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn utf8<const FROM_BE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    walk(
        src,
        dst,
        |block: &[u8; 128], room: &mut [u8; 32]| {
            let units = load_units::<FROM_BE, 4>(block);
            let is_ascii = has_none_of(or(units), _mm256_set1_epi32(!0x7F));
            if is_ascii {
                store(narrow_32_to_8(units), room, 0);
            }
            is_ascii
        },
        |block: &[u8; 128], room: &mut [u8; 2 * to_utf8::ROOM]| {
            let four @ [a, b, c, d] = load_units::<FROM_BE, 4>(block);
            if has_none_of(or(four), _mm256_set1_epi32(!0x7FF)) {
                let units = [narrow_to_16(a, b), narrow_to_16(c, d)];
                return Some((128, to_utf8::put_below_800::<4, FROM_BE>(units, room)));
            }
            let units = [a, b];
            let room = room.first_chunk_mut().expect("it is longer");
            if has_none_of(or(units), _mm256_set1_epi32(!0xFFFF)) {
                let units = narrow_to_16(a, b);
                if have_surrogates([units]) {
                    return None;
                }
                return Some((64, to_utf8::put_units(units, room)));
            }
            if !are_scalars(units) {
                return None;
            }
            let first = to_utf8::put_scalars(a, room);
            Some((64, first + to_utf8::put_scalars(b, &mut room[first..])))
        },
    )
}

/// Shuffles of four lanes of 32 bits. The index has a bit per lane, set if the lane is kept whole instead of its lower
/// half.
static SHUFFLES: [[u8; 16]; 16] = compactions(4, 2, 0);

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn utf16<const FROM_BE: bool, const TO_BE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    walk(
        src,
        dst,
        |block: &[u8; 128], room: &mut [u8; 64]| {
            let units @ [a, b, c, d] = load_units::<FROM_BE, 4>(block);
            let is_plain = are_scalars(units) && has_none_of(or(units), _mm256_set1_epi32(!0xFFFF));
            if is_plain {
                store(order_16::<TO_BE>(narrow_to_16(a, b)), room, 0);
                store(order_16::<TO_BE>(narrow_to_16(c, d)), room, 32);
            }
            is_plain
        },
        |block: &[u8; 64], room: &mut [u8; 64]| {
            let units @ [a, b] = load_units::<FROM_BE, 2>(block);
            if !are_scalars(units) {
                return None;
            }
            if has_none_of(or(units), _mm256_set1_epi32(!0xFFFF)) {
                store(order_16::<TO_BE>(narrow_to_16(a, b)), room, 0);
                return Some((64, 32));
            }
            let first = put_utf16::<TO_BE>(a, room);
            Some((64, first + put_utf16::<TO_BE>(b, &mut room[first..])))
        },
    )
}

/// Writes eight scalar values as UTF-16. Returns the number of bytes written.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn put_utf16<const BIG_ENDIAN: bool>(scalars: __m256i, room: &mut [u8]) -> usize {
    let is_pair = _mm256_cmpgt_epi32(scalars, _mm256_set1_epi32(0xFFFF));
    let high = _mm256_add_epi32(_mm256_srli_epi32::<10>(scalars), _mm256_set1_epi32(0xD7C0));
    let low = _mm256_slli_epi32::<16>(_mm256_and_si256(scalars, _mm256_set1_epi32(0x3FF)));
    let low = _mm256_or_si256(low, _mm256_set1_epi32(0xDC00_0000_u32 as i32));
    let lanes = _mm256_blendv_epi8(scalars, _mm256_or_si256(high, low), is_pair);
    let pairs = _mm256_movemask_ps(_mm256_castsi256_ps(is_pair)) as usize;
    let (first, second) = (pairs & 0xF, pairs >> 4 & 0xF);
    let shuffles = join(load_half(&SHUFFLES[first]), load_half(&SHUFFLES[second]));
    let bytes = _mm256_shuffle_epi8(order_16::<BIG_ENDIAN>(lanes), shuffles);
    let at = 8 + 2 * first.count_ones() as usize;
    store_half(_mm256_castsi256_si128(bytes), room, 0);
    store_half(_mm256_extracti128_si256::<1>(bytes), room, at);
    at + 8 + 2 * second.count_ones() as usize
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn utf32<const FROM_BE: bool, const TO_BE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    walk(
        src,
        dst,
        |block: &[u8; 128], room: &mut [u8; 128]| {
            let units = load_units::<FROM_BE, 4>(block);
            let are_scalars = are_scalars(units);
            if are_scalars {
                for (at, units) in units.into_iter().enumerate() {
                    store(order_32::<TO_BE>(units), room, 32 * at);
                }
            }
            are_scalars
        },
        |block: &[u8; 32], room: &mut [u8; 32]| {
            let units = load_units::<FROM_BE, 1>(block);
            store(order_32::<TO_BE>(units[0]), room, 0);
            are_scalars(units).then_some((32, 32))
        },
    )
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub fn well_formed<const FROM_BE: bool>(src: &[u8]) -> usize {
    let (read, _) = walk(
        src,
        &mut [],
        |block: &[u8; 128], _: &mut [u8; 0]| are_scalars(load_units::<FROM_BE, 4>(block)),
        |block: &[u8; 32], _: &mut [u8; 0]| are_scalars(load_units::<FROM_BE, 1>(block)).then_some((32, 0)),
    );
    read
}

/// Converts UTF-32 to ISO-8859-1 or US-ASCII; `LAST` is the last character of the target.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn single_byte<const FROM_BE: bool, const LAST: i32>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let beyond = _mm256_set1_epi32(!LAST);
    walk(
        src,
        dst,
        |block: &[u8; 128], room: &mut [u8; 32]| {
            let units = load_units::<FROM_BE, 4>(block);
            store(narrow_32_to_8(units), room, 0);
            has_none_of(or(units), beyond)
        },
        |block: &[u8; 64], room: &mut [u8; 16]| {
            let units @ [a, b] = load_units::<FROM_BE, 2>(block);
            let units_16 = narrow_to_16(a, b);
            store_half(_mm256_castsi256_si128(narrow_to_8(units_16, units_16)), room, 0);
            has_none_of(or(units), beyond).then_some((64, 16))
        },
    )
}
