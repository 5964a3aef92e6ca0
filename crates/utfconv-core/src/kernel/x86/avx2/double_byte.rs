//! The stages of East Asian encodings on AVX2. See [`crate::kernel::generic::double_byte`].

use std::arch::x86_64::*;

use super::Avx2;
use super::vector::{lanes, load, load_half, store_half};
use crate::decode::Cell;
use crate::kernel::generic::double_byte::{SPLIT_BLOCK, Stages, Units, look_up_codes, put_cells, put_codes};
use crate::kernel::generic::shuffles::{PAIRS, UNITS};
use crate::legacy::{DOUBLES, Leads, pair_leads};

pub(super) fn stages(set: Avx2) -> Stages {
    let _: Avx2 = set;
    // SAFETY: a value of `Avx2` is proof that the CPU has the instructions of the functions.
    unsafe {
        Stages {
            split: |leads, src, indices| split(leads, src, indices),
            join: |cells, indices, count, dst| join(cells, indices, count, dst),
            pack: |codes, units, count, dst| pack(codes, units, count, dst),
        }
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn split(leads: &Leads, src: &[u8], indices: &mut Units) -> (usize, usize) {
    const HALF: usize = SPLIT_BLOCK / 2;
    /// Number of bytes of the indices of a block, and of the indices that the last store overwrites.
    const ROOM: usize = 2 * (SPLIT_BLOCK + 8);
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
    while let Some(block) = src.get(read..).and_then(<[u8]>::first_chunk::<{ SPLIT_BLOCK + 1 }>)
        && let Some(room) = indices.get_mut(2 * count..).and_then(<[u8]>::first_chunk_mut::<ROOM>)
    {
        let here = [0, HALF].map(|at| load(block[at..].first_chunk().expect("a whole half")));
        let next = [1, HALF + 1].map(|at| load(block[at..].first_chunk().expect("a whole half")));
        let masks = here.map(|half| u64::from(_mm256_movemask_epi8(may_lead(half)) as u32));
        let (lead, trail) = pair_leads(masks[0] | masks[1] << HALF, &mut carry);
        let starts = !trail;
        for half in 0..2 {
            let is_lead = spread_mask((lead >> (HALF * half)) as u32);
            let high = _mm256_and_si256(_mm256_and_si256(here[half], _mm256_set1_epi8(0x7F)), is_lead);
            let low = _mm256_blendv_epi8(here[half], next[half], is_lead);
            let units = lanes(_mm256_unpacklo_epi8(low, high), _mm256_unpackhi_epi8(low, high));
            for (eighth, units) in (4 * half..).zip(units) {
                let before = starts & ((1 << (8 * eighth)) - 1);
                let set = (starts >> (8 * eighth)) as u8;
                let units = _mm_shuffle_epi8(units, load_half(&UNITS[usize::from(set)]));
                store_half(units, room, 2 * before.count_ones() as usize);
            }
        }
        count += starts.count_ones() as usize;
        read += SPLIT_BLOCK;
    }
    // The trail byte of a lead byte at the end of the last block is the byte after the block.
    (read + carry as usize, count)
}

/// Returns a vector with a byte FF for each set bit of `mask`, and 00 for each clear bit.
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

/// Shuffles that move the bytes of four characters together, out of four cells of up to three bytes. The index has two
/// bits per cell: whether the character has a second byte, and whether it has a third byte. The bits of the second cell
/// come after those of the third cell, because [`join`] folds them into the index in that order.
static CELLS: [[u8; 16]; 256] = {
    const BITS: [usize; 4] = [0, 4, 2, 6];
    let mut table = [[0x80; 16]; 256];
    let mut index = 0;
    while index < 256 {
        let (mut cell, mut to) = (0, 0);
        while cell < 4 {
            let more: usize = index >> BITS[cell] & 3;
            let mut byte = 0;
            while byte <= more.count_ones() as usize {
                table[index][to] = (4 * cell + byte) as u8;
                to += 1;
                byte += 1;
            }
            cell += 1;
        }
        index += 1;
    }
    table
};

/// Returns the cells at four indices.
#[inline]
#[target_feature(enable = "avx2")]
fn four_cells(cells: &[Cell; DOUBLES], indices: &[u8; 8]) -> __m128i {
    const { assert!(DOUBLES == 0x8000) };
    let indices = u64::from_le_bytes(*indices) & 0x7FFF_7FFF_7FFF_7FFF;
    let cell = |at: u32| i32::from_le_bytes(cells[usize::from((indices >> (16 * at)) as u16)].bytes());
    _mm_setr_epi32(cell(0), cell(1), cell(2), cell(3))
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn join(cells: &[Cell; DOUBLES], indices: &Units, count: usize, dst: &mut [u8]) -> (usize, usize) {
    /// Number of cells that an iteration joins.
    const GROUP: usize = 8;
    /// Maximum number of bytes of UTF-8 in a group, and of bytes that the last store overwrites.
    const ROOM: usize = 3 * GROUP + 16;
    /// Mask of the second and the third byte of each cell.
    const MORE: u32 = 0x6666;
    let indices = &indices[..2 * count];
    let (mut done, mut written) = (0, 0);
    for group in indices.as_chunks::<{ 2 * GROUP }>().0 {
        let Some(room) = dst.get_mut(written..).and_then(<[u8]>::first_chunk_mut::<ROOM>) else { break };
        let [first, second] = group.as_chunks().0 else { unreachable!("two halves") };
        let found = [four_cells(cells, first), four_cells(cells, second)];
        let lowest = _mm_min_epi32(found[0], found[1]);
        // The last byte of a cell is the length of the character, or its fourth byte, whose highest bit is set.
        if _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpgt_epi32(lowest, _mm_setzero_si128()))) != 0xF {
            let (whole, bytes) = put_cells(cells, group, &mut dst[written..]);
            done += whole;
            written += bytes;
            if whole < GROUP {
                return (done, written);
            }
            continue;
        }
        let mut len = 0;
        for cells in found {
            // In UTF-8 sequences of several bytes, each byte has its highest bit set.
            let more = _mm_movemask_epi8(cells) as u32 & MORE;
            // Two bits of each byte of `more` are unused, so they can take the bits of the next byte.
            let shuffle = &CELLS[usize::from(((more | more >> 6) >> 1) as u8)];
            store_half(_mm_shuffle_epi8(cells, load_half(shuffle)), room, len);
            len += 4 + more.count_ones() as usize;
        }
        written += len;
        done += GROUP;
    }
    let (whole, bytes) = put_cells(cells, &indices[2 * done..], &mut dst[written..]);
    (done + whole, written + bytes)
}

/// Replaces code units by their codes. AVX-512 calls this function, too, because the compiler makes slower code with
/// vectors of 64 bytes.
#[inline(never)]
#[target_feature(enable = "avx2")]
pub(crate) fn look_up(codes: &[u16; 0x1_0000], units: &mut Units, count: usize) {
    look_up_codes(codes, units, count);
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn pack(codes: &[u16; 0x1_0000], units: &mut Units, count: usize, dst: &mut [u8]) -> (usize, usize) {
    /// Number of codes that an iteration packs.
    const GROUP: usize = 16;
    /// Maximum number of bytes of the codes in a group, and of bytes that the last store overwrites.
    const ROOM: usize = 2 * GROUP + 16;
    look_up(codes, units, count);
    let units = &units.as_chunks::<2>().0[..count];
    let zero = _mm256_setzero_si256();
    let (mut done, mut written) = (0, 0);
    for group in units.as_chunks::<GROUP>().0 {
        let Some(room) = dst.get_mut(written..).and_then(<[u8]>::first_chunk_mut::<ROOM>) else { break };
        let found = load(group.as_flattened().first_chunk().expect("a vector"));
        if _mm256_movemask_epi8(_mm256_cmpeq_epi16(found, zero)) != 0 {
            break;
        }
        let singles = _mm256_cmpeq_epi16(_mm256_srli_epi16::<8>(found), zero);
        let halves = [_mm256_castsi256_si128(found), _mm256_extracti128_si256::<1>(found)];
        let are_single =
            _mm_packs_epi16(_mm256_castsi256_si128(singles), _mm256_extracti128_si256::<1>(singles));
        let doubles = !(_mm_movemask_epi8(are_single) as u16);
        let mut len = 0;
        for (codes, doubles) in halves.into_iter().zip(doubles.to_le_bytes()) {
            store_half(_mm_shuffle_epi8(codes, load_half(&PAIRS[usize::from(doubles)])), room, len);
            len += 8 + doubles.count_ones() as usize;
        }
        written += len;
        done += GROUP;
    }
    let (whole, bytes) = put_codes(&units[done..], &mut dst[written..]);
    (done + whole, written + bytes)
}
