//! The stages of East Asian encodings: see [`crate::kernel::generic::double_byte`].

use std::arch::x86_64::*;

use super::Avx2;
use super::vector::{load, load_half, load_quarter, store, store_half};
use crate::decode::Cell;
use crate::form::Form;
use crate::kernel::generic::Kernel;
use crate::kernel::generic::double_byte::{
    SPLIT_BLOCK, Stages, Units, multi_byte_to_utf8, utf8_to_multi_byte,
};
use crate::kernel::generic::shuffles::{CELLS, PAIRS, UNITS};
use crate::legacy::{DOUBLES, Leads, MultiByte, pair_leads};

impl Stages {
    fn avx2(set: Avx2) -> Stages {
        let _: Avx2 = set;
        // SAFETY: a value of `Avx2` is proof that the CPU has what the functions need.
        unsafe {
            Stages {
                split: |leads, src, indices| split(leads, src, indices),
                join: |cells, indices, count, dst| join(cells, indices, count, dst),
                pack: |codes, units, count, dst| pack(codes, units, count, dst),
            }
        }
    }
}

/// The kernel from an encoding of East Asia, if there is one.
pub(super) fn kernel_from(set: Avx2, table: &'static MultiByte) -> Option<Kernel> {
    multi_byte_to_utf8(table, Stages::avx2(set))
}

/// The kernel to an encoding of East Asia, if there is one.
pub(super) fn kernel_to(set: Avx2, table: &'static MultiByte) -> Option<Kernel> {
    let widen = super::from_utf8::kernel(set, Form::Utf16Le)?;
    Some(utf8_to_multi_byte(table, Stages::avx2(set), widen))
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn split(leads: &Leads, src: &[u8], indices: &mut Units) -> (usize, usize) {
    const HALF: usize = SPLIT_BLOCK / 2;
    let ranges =
        leads.0.map(|(first, len)| [first, first + (len - 1)].map(|byte| _mm256_set1_epi8(byte as i8)));
    let may_lead = |bytes: __m256i| {
        let within = ranges.map(|[first, last]| {
            let clamped = _mm256_min_epu8(_mm256_max_epu8(bytes, first), last);
            _mm256_cmpeq_epi8(clamped, bytes)
        });
        _mm256_or_si256(within[0], within[1])
    };
    let (mut read, mut count, mut carry) = (0, 0, 0);
    let mut bytes = [0; 2 * SPLIT_BLOCK];
    while let Some(block) = src.get(read..read + SPLIT_BLOCK + 1)
        && 2 * (count + SPLIT_BLOCK + 8) <= indices.len()
    {
        let here = [0, HALF].map(|at| load(block[at..].first_chunk().expect("a whole half")));
        let next = [1, HALF + 1].map(|at| load(block[at..].first_chunk().expect("a whole half")));
        let masks = here.map(|half| u64::from(_mm256_movemask_epi8(may_lead(half)) as u32));
        let (lead, trail) = pair_leads(masks[0] | masks[1] << HALF, &mut carry);
        for half in 0..2 {
            let is_lead = spread_mask((lead >> (HALF * half)) as u32);
            let high = _mm256_and_si256(_mm256_and_si256(here[half], _mm256_set1_epi8(0x7F)), is_lead);
            let low = _mm256_blendv_epi8(here[half], next[half], is_lead);
            store(low, &mut bytes, HALF * half);
            store(high, &mut bytes, SPLIT_BLOCK + HALF * half);
        }
        let (lows, highs) = bytes.split_at(SPLIT_BLOCK);
        let mut starts = !trail;
        for (low, high) in lows.as_chunks().0.iter().zip(highs.as_chunks().0) {
            let units = _mm_unpacklo_epi8(load_quarter(low), load_quarter(high));
            let set = starts as u8;
            store_half(_mm_shuffle_epi8(units, load_half(&UNITS[usize::from(set)])), indices, 2 * count);
            count += set.count_ones() as usize;
            starts >>= 8;
        }
        read += SPLIT_BLOCK;
    }
    // The trail of the last block is in the byte after it.
    (read + carry as usize, count)
}

/// A byte of ones for each bit.
#[inline]
#[target_feature(enable = "avx2")]
fn spread_mask(mask: u32) -> __m256i {
    let bytes = _mm256_shuffle_epi8(
        _mm256_set1_epi32(mask as i32),
        _mm256_setr_epi64x(0, 0x0101_0101_0101_0101, 0x0202_0202_0202_0202, 0x0303_0303_0303_0303),
    );
    let bits = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
    _mm256_cmpeq_epi8(_mm256_and_si256(bytes, bits), bits)
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn join(cells: &[Cell; DOUBLES], indices: &Units, count: usize, dst: &mut [u8]) -> (usize, usize) {
    let (mut done, mut written) = (0, 0);
    for indices in indices.as_chunks::<8>().0 {
        if done >= count || dst.len() - written < 16 {
            break;
        }
        let four = u64::from_le_bytes(*indices);
        let cell = |at: u32| i32::from_le_bytes(cells[(four >> (16 * at)) as usize & (DOUBLES - 1)].bytes());
        let found = _mm_setr_epi32(cell(0), cell(1), cell(2), cell(3));
        let empty = _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(found, _mm_setzero_si128())));
        let whole = (empty.trailing_zeros() as usize).min(count - done).min(4);
        // The bytes of the characters: four bits each, of which the first is always there.
        let kept = _mm_movemask_epi8(found) as u32 | 0x1111;
        let pairs = kept - (kept >> 1 & 0x5555);
        let lens = (pairs & 0x3333) + (pairs >> 2 & 0x3333) - 0x1111;
        let shuffle = &CELLS[_pext_u32(lens, 0x3333) as usize];
        store_half(_mm_shuffle_epi8(found, load_half(shuffle)), dst, written);
        written += (kept & ((1 << (4 * whole)) - 1)).count_ones() as usize;
        done += whole;
        if whole < 4 {
            break;
        }
    }
    (done, written)
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn pack(codes: &[u16; 0x1_0000], units: &mut Units, count: usize, dst: &mut [u8]) -> (usize, usize) {
    for unit in &mut units.as_chunks_mut::<2>().0[..count] {
        *unit = codes[usize::from(u16::from_le_bytes(*unit))].to_le_bytes();
    }
    let (mut done, mut written) = (0, 0);
    for codes in units.as_chunks::<16>().0 {
        if done >= count || dst.len() - written < 16 {
            break;
        }
        let found = load_half(codes);
        // Two equal bits a code, made one.
        let bits = |lanes| _mm_movemask_epi8(_mm_packs_epi16(lanes, _mm_setzero_si128())) as u32;
        let unknown = bits(_mm_cmpeq_epi16(found, _mm_setzero_si128()));
        let singles = bits(_mm_cmpeq_epi16(_mm_srli_epi16::<8>(found), _mm_setzero_si128()));
        let whole = (unknown.trailing_zeros() as usize).min(count - done).min(8);
        let doubles = !singles & 0xFF;
        store_half(_mm_shuffle_epi8(found, load_half(&PAIRS[doubles as usize])), dst, written);
        written += whole + (doubles & ((1 << whole) - 1)).count_ones() as usize;
        done += whole;
        if whole < 8 {
            break;
        }
    }
    (done, written)
}
