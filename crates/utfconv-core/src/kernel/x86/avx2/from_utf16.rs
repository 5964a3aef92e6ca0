//! The kernels from UTF-16, in blocks of 16 code units, and in larger blocks if the code units have no surrogates.
//!
//! A step may end between the surrogates of a pair, because each surrogate is converted in its own lane.

use std::arch::x86_64::*;
use std::cell::Cell;

use super::vector::{
    self, has_none_of, have_surrogates, load, load_half, load_quarter, narrow_to_8, or, order_16, order_32,
    spread, store, store_half,
};
use super::{Avx2, Proof, to_utf8};
use crate::form::Form;
use crate::kernel::generic::Kernel;
use crate::kernel::generic::set::{kernel, wide_kernel};
use crate::kernel::generic::shuffles::BYTES;
use crate::kernel::generic::walk::walk;

/// Returns the kernel from UTF-16 to another form, if there is one.
#[inline(always)]
pub fn kernel<const FROM_BE: bool>(set: Avx2, to: Form) -> Option<Kernel> {
    wide_kernel!(set, FROM_BE, to)
}

/// The state of surrogate pairs, which may cross from one block to the next.
#[derive(Default)]
struct Pairs {
    /// The bits of a low surrogate that has to come next, in the layout of the masks in [`Pairs::take`]; otherwise 0.
    awaited: Cell<u32>,
}

/// The positions of the surrogates in a block.
struct Surrogates {
    high: __m256i,
    low: __m256i,
}

impl Pairs {
    /// Whether `units` have no surrogates, and no low surrogate is awaited.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn are_absent<const VECTORS: usize>(&self, units: [__m256i; VECTORS]) -> bool {
        self.awaited.get() == 0 && !have_surrogates(units)
    }

    /// Takes the surrogates of the next block. Returns `None` if they do not form pairs.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn take(&self, units: __m256i) -> Option<Surrogates> {
        let kinds = _mm256_and_si256(units, _mm256_set1_epi16(0xFC00_u16 as i16));
        let high = _mm256_cmpeq_epi16(kinds, _mm256_set1_epi16(0xD800_u16 as i16));
        let low = _mm256_cmpeq_epi16(kinds, _mm256_set1_epi16(0xDC00_u16 as i16));
        // The masks have two bits for each code unit.
        let highs = _mm256_movemask_epi8(high) as u32;
        let lows = _mm256_movemask_epi8(low) as u32;
        if lows != highs << 2 | self.awaited.get() {
            return None;
        }
        self.awaited.set(highs >> 30);
        Some(Surrogates { high, low })
    }

    /// Returns the numbers of bytes read and written, without a high surrogate at the end, which was written as `len`
    /// bytes.
    fn whole(&self, (read, written): (usize, usize), len: usize) -> (usize, usize) {
        if self.awaited.get() == 0 { (read, written) } else { (read - 2, written - len) }
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn load_units<const BIG_ENDIAN: bool, const VECTORS: usize>(block: &[u8]) -> [__m256i; VECTORS] {
    let block = block.as_chunks().0;
    std::array::from_fn(|at| order_16::<BIG_ENDIAN>(load(&block[at])))
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn utf8<const FROM_BE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let pairs = Pairs::default();
    let done = walk(
        src,
        dst,
        |block: &[u8; 128], room: &mut [u8; 64]| {
            let units @ [a, b, c, d] = load_units::<FROM_BE, 4>(block);
            let is_ascii = pairs.awaited.get() == 0 && has_none_of(or(units), _mm256_set1_epi16(!0x7F));
            if is_ascii {
                store(narrow_to_8(a, b), room, 0);
                store(narrow_to_8(c, d), room, 32);
            }
            is_ascii
        },
        |block: &[u8; 66], room: &mut [u8; 2 * to_utf8::ROOM]| {
            let two @ [units, _] = load_units::<FROM_BE, 2>(block);
            if pairs.awaited.get() == 0 && has_none_of(or(two), _mm256_set1_epi16(!0x7FF)) {
                return Some((64, to_utf8::put_below_800::<2, FROM_BE>(two, room)));
            }
            let room = room.first_chunk_mut().expect("it is longer");
            if pairs.are_absent([units]) {
                return Some((32, to_utf8::put_units(units, room)));
            }
            let found = pairs.take(units)?;
            let [next] = load_units::<FROM_BE, 1>(&block[2..]);
            Some((32, to_utf8::put_pairs(units, next, found.high, found.low, room)))
        },
    );
    pairs.whole(done, 3)
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn utf16<const FROM_BE: bool, const TO_BE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let pairs = Pairs::default();
    let done = walk(
        src,
        dst,
        |block: &[u8; 64], room: &mut [u8; 64]| {
            let units @ [a, b] = load_units::<FROM_BE, 2>(block);
            store(order_16::<TO_BE>(a), room, 0);
            store(order_16::<TO_BE>(b), room, 32);
            pairs.are_absent(units)
        },
        |block: &[u8; 32], room: &mut [u8; 32]| {
            let [units] = load_units::<FROM_BE, 1>(block);
            pairs.take(units)?;
            store(order_16::<TO_BE>(units), room, 0);
            Some((32, 32))
        },
    );
    pairs.whole(done, 2)
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub fn well_formed<const FROM_BE: bool>(src: &[u8]) -> usize {
    let pairs = Pairs::default();
    let done = walk(
        src,
        &mut [],
        |block: &[u8; 128], _: &mut [u8; 0]| pairs.are_absent(load_units::<FROM_BE, 4>(block)),
        |block: &[u8; 32], _: &mut [u8; 0]| {
            let [units] = load_units::<FROM_BE, 1>(block);
            pairs.take(units)?;
            Some((32, 0))
        },
    );
    pairs.whole(done, 0).0
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn utf32<const FROM_BE: bool, const TO_BE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let put = |block: &[u8], room: &mut [u8]| {
        for (at, half) in block.as_chunks().0.iter().enumerate() {
            let shuffle = const { &spread::<2, 4>(0, FROM_BE, TO_BE) };
            store(vector::shuffle(load_half(half), shuffle), room, 32 * at);
        }
    };
    let pairs = Pairs::default();
    let done = walk(
        src,
        dst,
        |block: &[u8; 128], room: &mut [u8; 256]| {
            put(block, room);
            pairs.are_absent(load_units::<FROM_BE, 4>(block))
        },
        |block: &[u8; 34], room: &mut [u8; 64]| {
            let [units] = load_units::<FROM_BE, 1>(block);
            if pairs.are_absent([units]) {
                put(&block[..32], room);
                return Some((32, 64));
            }
            let found = pairs.take(units)?;
            let [next] = load_units::<FROM_BE, 1>(&block[2..]);
            let lows = _mm256_packs_epi16(found.low, _mm256_setzero_si256());
            let lows = _mm256_movemask_epi8(lows) as u32;
            let put_half = |units, next, high, lows: u32, room: &mut [u8], at| {
                let units = _mm256_cvtepu16_epi32(units);
                // Join both surrogates, and subtract the bits that mark them and do not belong to the scalar value.
                let pairs = _mm256_add_epi32(_mm256_slli_epi32::<10>(units), _mm256_cvtepu16_epi32(next));
                let pairs = _mm256_add_epi32(pairs, _mm256_set1_epi32(0x10000 - (0xD800 << 10) - 0xDC00));
                let scalars = _mm256_blendv_epi8(units, pairs, _mm256_cvtepi16_epi32(high));
                let kept = !lows as u8;
                // The permutation uses only the lowest three bits of an index, so the other bits do not matter.
                let lanes = _mm256_cvtepu8_epi32(load_quarter(&BYTES[usize::from(kept)]));
                store(order_32::<TO_BE>(_mm256_permutevar8x32_epi32(scalars, lanes)), room, at);
                at + 4 * kept.count_ones() as usize
            };
            let half = |vector| _mm256_castsi256_si128(vector);
            let at = put_half(half(units), half(next), half(found.high), lows, room, 0);
            let half = |vector| _mm256_extracti128_si256::<1>(vector);
            Some((32, put_half(half(units), half(next), half(found.high), lows >> 16, room, at)))
        },
    );
    pairs.whole(done, 4)
}

/// Converts UTF-16 to ISO-8859-1 or US-ASCII; `LAST` is the last character of the target.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn single_byte<const FROM_BE: bool, const LAST: i16>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let beyond = _mm256_set1_epi16(!LAST);
    walk(
        src,
        dst,
        |block: &[u8; 256], room: &mut [u8; 128]| {
            let units = load_units::<FROM_BE, 8>(block);
            for (at, [a, b]) in units.as_chunks().0.iter().enumerate() {
                store(narrow_to_8(*a, *b), room, 32 * at);
            }
            has_none_of(or(units), beyond)
        },
        |block: &[u8; 32], room: &mut [u8; 16]| {
            let [units] = load_units::<FROM_BE, 1>(block);
            store_half(_mm256_castsi256_si128(narrow_to_8(units, units)), room, 0);
            has_none_of(units, beyond).then_some((32, 16))
        },
    )
}
