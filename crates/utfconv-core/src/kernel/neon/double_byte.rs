//! The stages of East Asian encodings on NEON. See [`crate::kernel::generic::double_byte`].

use std::arch::aarch64::*;

use super::vector::{LANES, all, count, load, load_at, mask, select, spread_mask, squeeze, store, zip};
use super::{Neon, Proof};
use crate::decode::Cell;
use crate::kernel::generic::double_byte::{SPLIT_BLOCK, Stages, Units, look_up_codes};
use crate::kernel::generic::shuffles::{CELLS, LENS_32, PAIRS};
use crate::legacy::{DOUBLES, Leads, pair_leads};

pub(super) fn stages(set: Neon) -> Stages {
    let _: Proof = set;
    // SAFETY: a value of `Neon` is proof that the CPU has the instructions of the functions.
    unsafe {
        Stages {
            split: |leads, src, indices| split(leads, src, indices),
            join: |cells, indices, count, dst| join(cells, indices, count, dst),
            pack: |codes, units, count, dst| pack(codes, units, count, dst),
        }
    }
}

/// Writes a vector to `room[at..]`.
#[inline]
#[target_feature(enable = "neon")]
fn store_at(vector: uint8x16_t, room: &mut [u8], at: usize) {
    store(vector, room[at..].first_chunk_mut().expect("room for a vector"));
}

#[target_feature(enable = "neon")]
fn split(leads: &Leads, src: &[u8], indices: &mut Units) -> (usize, usize) {
    let ranges = leads.0.map(|(first, len)| (all(first), all(len - 1)));
    let may_lead = |bytes: uint8x16_t| {
        let [one, other] = ranges.map(|(first, last)| vcleq_u8(vsubq_u8(bytes, first), last));
        vorrq_u8(one, other)
    };
    let (mut read, mut written, mut carry) = (0, 0, 0);
    while let Some(block) = src.get(read..read + SPLIT_BLOCK + 1)
        && written + 2 * (SPLIT_BLOCK + 8) <= indices.len()
    {
        let here: [uint8x16_t; 4] = std::array::from_fn(|at| load_at(block, LANES * at));
        let (lead, trail) = pair_leads(mask(here.map(may_lead)), &mut carry);
        for (at, bytes) in here.into_iter().enumerate() {
            let next = load_at(block, LANES * at + 1);
            let is_lead = spread_mask(lead, at as u8);
            let high = vandq_u8(vandq_u8(bytes, all(0x7F)), is_lead);
            let low = select(is_lead, next, bytes);
            let starts = (!trail >> (LANES * at)) as u16;
            for (units, set) in zip(low, high).into_iter().zip(starts.to_le_bytes()) {
                store_at(squeeze(units, set), indices, written);
                written += 2 * count(set);
            }
        }
        read += SPLIT_BLOCK;
    }
    // The trail byte of a lead byte at the end of the last block is the byte after the block.
    (read + carry as usize, written / 2)
}

#[target_feature(enable = "neon")]
fn join(cells: &[Cell; DOUBLES], indices: &Units, count: usize, dst: &mut [u8]) -> (usize, usize) {
    const SHIFTS: [i32; 4] = [0, 2, 4, 6];
    // SAFETY: the array has the four numbers that are read.
    let shifts = unsafe { vld1q_s32(SHIFTS.as_ptr()) };
    let (mut done, mut written) = (0, 0);
    for indices in indices.as_chunks::<8>().0 {
        if done >= count || dst.len() - written < LANES {
            break;
        }
        let four = u64::from_le_bytes(*indices);
        let cell = |at: u32| u32::from_le_bytes(cells[(four >> (16 * at)) as usize & (DOUBLES - 1)].bytes());
        let found: [u32; 4] = std::array::from_fn(|at| cell(at as u32));
        let bytes: [u8; LANES] = found.map(u32::to_le_bytes).as_flattened().try_into().expect("four cells");
        let bytes = load(&bytes);
        // In UTF-8 sequences of several bytes, each byte has its highest bit set.
        let rest = vshrq_n_u8::<7>(vandq_u8(bytes, vreinterpretq_u8_u32(vdupq_n_u32(0xFFFF_FF00))));
        let lens = vpaddlq_u16(vpaddlq_u8(rest));
        let set = vaddvq_u32(vshlq_u32(lens, shifts)) as u8;
        store_at(vqtbl1q_u8(bytes, load(&CELLS[usize::from(set)])), dst, written);
        let left = count - done;
        if left < 4 || vminvq_u32(vreinterpretq_u32_u8(bytes)) == 0 {
            let whole = found.iter().take_while(|cell| **cell != 0).count().min(left);
            let lens = (0..whole).map(|at| usize::from(set >> (2 * at) & 3) + 1);
            return (done + whole, written + lens.sum::<usize>());
        }
        written += usize::from(LENS_32[usize::from(set)]);
        done += 4;
    }
    (done, written)
}

#[target_feature(enable = "neon")]
fn pack(codes: &[u16; 0x1_0000], units: &mut Units, count: usize, dst: &mut [u8]) -> (usize, usize) {
    look_up_codes(codes, units, count);
    const BITS: [u16; 8] = [1, 2, 4, 8, 16, 32, 64, 128];
    // SAFETY: the array has the eight numbers that are read.
    let bits = unsafe { vld1q_u16(BITS.as_ptr()) };
    let (mut done, mut written) = (0, 0);
    for codes in units.as_chunks::<LANES>().0 {
        if done >= count || dst.len() - written < LANES {
            break;
        }
        let bytes = load(codes);
        let found = vreinterpretq_u16_u8(bytes);
        let set = |lanes| vaddvq_u16(vandq_u16(lanes, bits)) as u8;
        let doubles = set(vcgtq_u16(found, vdupq_n_u16(0xFF)));
        store_at(vqtbl1q_u8(bytes, load(&PAIRS[usize::from(doubles)])), dst, written);
        let left = count - done;
        if left < 8 || vminvq_u16(found) == 0 {
            let whole = (set(vceqzq_u16(found)).trailing_zeros() as usize).min(left).min(8);
            let doubles = doubles & ((1_u32 << whole) - 1) as u8;
            return (done + whole, written + whole + doubles.count_ones() as usize);
        }
        written += 8 + super::vector::count(doubles);
        done += 8;
    }
    (done, written)
}
