//! Writes blocks of UTF-8 in the target forms.

use std::arch::aarch64::*;

use super::super::planes::Units;
use super::super::vector::{Filler, LANES, all, any, count, load, mask, squeeze, squeeze_bytes, store, zip};
use super::block::Block;
use crate::kernel::generic::from_utf8::{BLOCK, Latin1, Target, Utf16, Utf32};

/// Joins the two bytes of each code unit. The first vector has code units 0 to 7, and the second vector 8 to 15.
#[inline]
#[target_feature(enable = "neon")]
fn joined<const BIG_ENDIAN: bool>(Units { low, high }: Units) -> [uint8x16_t; 2] {
    if BIG_ENDIAN { zip(high, low) } else { zip(low, high) }
}

/// Returns, for each vector of a block, two bit masks of eight bytes each.
#[inline(always)]
fn sets(mask: u64) -> [[u8; 2]; 4] {
    let [a, b, c, d, e, f, g, h] = mask.to_le_bytes();
    [[a, b], [c, d], [e, f], [g, h]]
}

impl<const BIG_ENDIAN: bool> Target<Block> for Utf16<BIG_ENDIAN> {
    const UNIT: usize = 2;
    const EARLY: usize = 2;

    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn put_if_ascii(src: &[u8], room: &mut [u8]) -> bool {
        if !Block::is_ascii(src) {
            return false;
        }
        for (from, to) in src.as_chunks().0.iter().zip(room.as_chunks_mut().0) {
            Units { low: load(from), high: all(0) }.store::<BIG_ENDIAN>(to);
        }
        true
    }

    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn put<const LONGEST: usize>(block: &Block, ends: u64, within: u64, room: &mut [u8]) -> usize {
        let mut to = Filler::<{ 2 * BLOCK }>::new(room.try_into().expect("the room of a block"));
        let (units, kept) = if LONGEST > 3 {
            let units = block.quarters.map(|quarter| quarter.units_with_surrogates());
            (units.map(|(units, _)| units), ends | mask(units.map(|(_, thirds)| thirds)) & within)
        } else {
            (block.quarters.map(|quarter| quarter.units::<LONGEST>()), ends)
        };
        for (units, sets) in units.into_iter().zip(sets(kept)) {
            for (units, set) in joined::<BIG_ENDIAN>(units).into_iter().zip(sets) {
                // SAFETY: eight code units are at most a vector, and there is room for as many code units as the block
                // has bytes.
                unsafe { to.push(squeeze(units, set), 2 * count(set)) };
            }
        }
        to.len()
    }
}

impl<const BIG_ENDIAN: bool> Target<Block> for Utf32<BIG_ENDIAN> {
    const UNIT: usize = 4;

    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn put_if_ascii(src: &[u8], room: &mut [u8]) -> bool {
        if !Block::is_ascii(src) {
            return false;
        }
        for (from, to) in src.as_chunks().0.iter().zip(room.as_chunks_mut().0) {
            Units { low: load(from), high: all(0) }.store_wide::<BIG_ENDIAN>(to);
        }
        true
    }

    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn put<const LONGEST: usize>(block: &Block, ends: u64, _: u64, room: &mut [u8]) -> usize {
        let mut to = Filler::<{ 4 * BLOCK }>::new(room.try_into().expect("the room of a block"));
        let zero = all(0);
        for (quarter, sets) in block.quarters.into_iter().zip(sets(ends)) {
            let units = joined::<BIG_ENDIAN>(quarter.units::<LONGEST>());
            let planes = match LONGEST {
                4.. => joined::<BIG_ENDIAN>(Units { low: quarter.planes(), high: zero }),
                _ => [zero; 2],
            };
            for ((units, plane), set) in units.into_iter().zip(planes).zip(sets) {
                let units = squeeze(units, set);
                let plane = if LONGEST > 3 { squeeze(plane, set) } else { zero };
                let bytes = if BIG_ENDIAN { [plane, units] } else { [units, plane] };
                // SAFETY: eight code units are at most two vectors, and there is room for as many as the block has
                // bytes.
                unsafe { to.push_wide(bytes, 4 * count(set)) };
            }
        }
        to.len()
    }
}

impl Target<Block> for Latin1 {
    const UNIT: usize = 1;
    const LONGEST: usize = 2;

    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn put_if_ascii(src: &[u8], room: &mut [u8]) -> bool {
        // Store before the check, because the room may be overwritten; each byte is then loaded only once.
        let mut bits = all(0);
        for (from, to) in src.as_chunks::<LANES>().0.iter().zip(room.as_chunks_mut().0) {
            let bytes = load(from);
            bits = vorrq_u8(bits, bytes);
            store(bytes, to);
        }
        !any(bits)
    }

    #[inline]
    #[target_feature(enable = "neon")]
    unsafe fn put<const LONGEST: usize>(block: &Block, ends: u64, _: u64, room: &mut [u8]) -> usize {
        let mut to = Filler::<BLOCK>::new(room.try_into().expect("the room of a block"));
        for (quarter, sets) in block.quarters.into_iter().zip(sets(ends)) {
            let bytes = quarter.units::<LONGEST>().low;
            for (bytes, set) in [vget_low_u8(bytes), vget_high_u8(bytes)].into_iter().zip(sets) {
                // SAFETY: eight bytes are at most half a vector, and there is room for as many bytes as the block has.
                unsafe { to.push_half(squeeze_bytes(bytes, set), count(set)) };
            }
        }
        to.len()
    }
}
