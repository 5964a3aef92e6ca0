//! The stages of East Asian encodings on AVX-512. See [`crate::kernel::generic::double_byte`].

use super::simd::{Compress, SIZE};
use crate::decode::Cell;
use crate::kernel::generic::double_byte::{SPLIT_BLOCK, Units};
use crate::legacy::{DOUBLES, Leads, pair_leads};

const _: () = assert!(SPLIT_BLOCK == SIZE);

#[inline(always)]
pub fn split<S: Compress>(simd: S, leads: &Leads, src: &[u8], indices: &mut Units) -> (usize, usize) {
    let [(first, first_len), (second, second_len)] = leads.0;
    let (first, second) = (simd.splat8(first), simd.splat8(second));
    let (first_len, second_len) = (simd.splat8(first_len), simd.splat8(second_len));
    let (mut read, mut count, mut carry) = (0, 0, 0);
    while let Some(block) = src.get(read..read + SIZE + 1)
        && let (Some(here), Some(next)) = (block.first_chunk(), block.last_chunk())
        && let Some(room) = indices.get_mut(2 * count..2 * (count + SIZE))
    {
        let (here, next) = (simd.load(here), simd.load(next));
        let may_lead =
            simd.lt8(simd.sub8(here, first), first_len) | simd.lt8(simd.sub8(here, second), second_len);
        let (lead, trail) = pair_leads(may_lead, &mut carry);
        let high = simd.blend8(lead, simd.splat8(0), simd.and(here, simd.splat8(0x7F)));
        let low = simd.blend8(lead, here, next);
        let [low, high] = [low, high].map(|bytes| simd.compress8(!trail, bytes));
        simd.store_all(simd.interleave8(low, high), room);
        count += trail.count_zeros() as usize;
        read += SIZE;
    }
    // The trail byte of a lead byte at the end of the last block is the byte after the block.
    (read + carry as usize, count)
}

#[inline(always)]
pub fn join<S: Compress>(
    simd: S,
    cells: &[Cell; DOUBLES],
    indices: &Units,
    count: usize,
    dst: &mut [u8],
) -> (usize, usize) {
    /// Mask of the first byte of each cell.
    const FIRST: u64 = 0x1111_1111_1111_1111;
    const LANES: usize = SIZE / 4;
    let (mut done, mut written) = (0, 0);
    for indices in indices.as_chunks::<{ 2 * LANES }>().0 {
        let Some(room) = dst.get_mut(written..).and_then(<[u8]>::first_chunk_mut) else { break };
        if done >= count {
            break;
        }
        let found = simd.look_up(cells, indices);
        let empty = simd.lt32(found, simd.splat32(1));
        let whole = (empty.trailing_zeros() as usize).min(count - done).min(LANES);
        written += store_first::<S, LANES>(simd, found, whole, simd.negative8(found) | FIRST, room);
        done += whole;
        if whole < LANES {
            break;
        }
    }
    (done, written)
}

/// Writes `count` codes that were looked up. See [`Stages::pack`](crate::kernel::generic::double_byte::Stages::pack).
#[inline(always)]
pub fn pack<S: Compress>(simd: S, codes: &Units, count: usize, dst: &mut [u8]) -> (usize, usize) {
    const LANES: usize = SIZE / 2;
    let (mut done, mut written) = (0, 0);
    for codes in codes.as_chunks::<SIZE>().0 {
        let Some(room) = dst.get_mut(written..).and_then(<[u8]>::first_chunk_mut) else { break };
        if done >= count {
            break;
        }
        let found = simd.load(codes);
        let (known, kept) = (simd.test16(found, found), simd.test8(found, found));
        if known == u32::MAX && count - done >= LANES {
            simd.store(simd.compress8(kept, found), room);
            written += kept.count_ones() as usize;
            done += LANES;
            continue;
        }
        let whole = (known.trailing_ones() as usize).min(count - done);
        written += store_first::<S, LANES>(simd, found, whole, kept, room);
        done += whole;
        break;
    }
    (done, written)
}

/// Stores the bytes in `kept` (a bit mask) of the first `count` lanes. Returns the number of bytes stored.
#[inline(always)]
fn store_first<S: Compress, const LANES: usize>(
    simd: S,
    lanes: S::V,
    count: usize,
    kept: u64,
    room: &mut [u8; SIZE],
) -> usize {
    let kept = if count < LANES { kept & ((1 << (SIZE / LANES * count)) - 1) } else { kept };
    simd.store(simd.compress8(kept, lanes), room);
    kept.count_ones() as usize
}
