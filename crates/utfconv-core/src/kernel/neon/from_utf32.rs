//! The kernels from UTF-32, in blocks of 16 code units, which are converted as UTF-16 if all have at most 16 bits.

use std::arch::aarch64::*;

use super::planes::{Scalars, Units, have_surrogates};
use super::vector::{LANES, all, has_bits, load, mask_16, select, store, zip_4};
use super::{Neon, Proof, to_utf8};
use crate::form::Form;
use crate::kernel::generic::Kernel;
use crate::kernel::generic::set::{kernel, wide_kernel};
use crate::kernel::generic::shuffles::compactions;
use crate::kernel::generic::walk::walk;

/// Returns the kernel from UTF-32 to another form, if there is one.
#[inline(always)]
pub fn kernel<const FROM_BE: bool>(set: Neon, to: Form) -> Option<Kernel> {
    wide_kernel!(set, FROM_BE, to)
}

/// Loads `BLOCKS` blocks of code units, each with the highest bytes of its units.
#[inline]
#[target_feature(enable = "neon")]
fn load_scalars<const BIG_ENDIAN: bool, const BLOCKS: usize>(
    block: &[u8],
) -> [(Scalars, uint8x16_t); BLOCKS] {
    let blocks = block.as_chunks().0;
    std::array::from_fn(|at| Scalars::load::<BIG_ENDIAN>(&blocks[at]))
}

/// Whether all lanes are scalar values of at most 16 bits.
#[inline]
#[target_feature(enable = "neon")]
fn are_of_16_bits<const BLOCKS: usize>(blocks: [(Scalars, uint8x16_t); BLOCKS]) -> bool {
    let (mut beyond, mut nearest) = (all(0), all(0xFF));
    for (scalars, upper) in blocks {
        beyond = vorrq_u8(beyond, vorrq_u8(scalars.plane, upper));
        nearest = vminq_u8(nearest, scalars.units().surrogate_distances());
    }
    !has_bits(beyond) && !have_surrogates(nearest)
}

/// Whether all lanes are scalar values.
#[inline]
#[target_feature(enable = "neon")]
fn are_scalars<const BLOCKS: usize>(blocks: [(Scalars, uint8x16_t); BLOCKS]) -> bool {
    let (mut beyond, mut nearest, mut plane) = (all(0), all(0xFF), all(0));
    for (scalars, upper) in blocks {
        beyond = vorrq_u8(beyond, upper);
        plane = vmaxq_u8(plane, scalars.plane);
        let surrogate_distances = scalars.units().surrogate_distances();
        nearest = vminq_u8(nearest, vorrq_u8(surrogate_distances, vshlq_n_u8::<3>(scalars.plane)));
    }
    // The shift loses bits of planes above 1F, but all planes above 10 are rejected here.
    let beyond = vorrq_u8(beyond, vcgtq_u8(plane, all(0x10)));
    !has_bits(beyond) && !have_surrogates(nearest)
}

#[target_feature(enable = "neon")]
fn utf8<const FROM_BE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    walk(
        src,
        dst,
        |block: &[u8; 128], room: &mut [u8; 32]| {
            let mut beyond = all(0);
            let blocks = load_scalars::<FROM_BE, 2>(block);
            for ((scalars, upper), room) in blocks.into_iter().zip(room.as_chunks_mut().0) {
                store(scalars.low, room);
                let upper = vorrq_u8(vorrq_u8(scalars.high, scalars.plane), upper);
                beyond = vorrq_u8(vorrq_u8(beyond, upper), vshrq_n_u8::<7>(scalars.low));
            }
            !has_bits(beyond)
        },
        |block: &[u8; 64], room: &mut [u8; to_utf8::ROOM]| {
            let block = load_scalars::<FROM_BE, 1>(block);
            if !are_scalars(block) {
                return None;
            }
            Some((4 * LANES, to_utf8::put_scalars::<FROM_BE>(block[0].0, room)))
        },
    )
}

/// Shuffles of four lanes of 32 bits. The index has a bit per lane, set if the lane is kept whole instead of its lower
/// half.
static SHUFFLES: [[u8; 16]; 16] = compactions(4, 2, 0);

#[target_feature(enable = "neon")]
fn utf16<const FROM_BE: bool, const TO_BE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    walk(
        src,
        dst,
        |block: &[u8; 128], room: &mut [u8; 64]| {
            let blocks = load_scalars::<FROM_BE, 2>(block);
            for ((scalars, _), room) in blocks.into_iter().zip(room.as_chunks_mut().0) {
                scalars.units().store::<TO_BE>(room);
            }
            are_of_16_bits(blocks)
        },
        |block: &[u8; 64], room: &mut [u8; 64]| {
            let block = load_scalars::<FROM_BE, 1>(block);
            if are_of_16_bits(block) {
                block[0].0.units().store::<TO_BE>(room.first_chunk_mut().expect("more room"));
                return Some((4 * LANES, 2 * LANES));
            }
            are_scalars(block).then(|| (4 * LANES, put_utf16::<TO_BE>(block[0].0, room)))
        },
    )
}

/// Writes sixteen scalar values as UTF-16. Returns the number of bytes written.
#[inline]
#[target_feature(enable = "neon")]
fn put_utf16<const BIG_ENDIAN: bool>(scalars: Scalars, room: &mut [u8; 64]) -> usize {
    let Scalars { low, high, plane } = scalars;
    let are_pairs = vtstq_u8(plane, plane);
    // A high surrogate is D7C0 plus the bits of the scalar value above the lowest ten.
    let above = vsliq_n_u8::<6>(vshrq_n_u8::<2>(high), plane);
    let carry = vcgeq_u8(above, all(0x40));
    let first = Units {
        low: vaddq_u8(above, all(0xC0)),
        high: vsubq_u8(vaddq_u8(vshrq_n_u8::<2>(plane), all(0xD7)), carry),
    };
    let first = Units { low: select(are_pairs, first.low, low), high: select(are_pairs, first.high, high) };
    let second = Units { low, high: vorrq_u8(vandq_u8(high, all(0x03)), all(0xDC)) };
    let bytes = if BIG_ENDIAN {
        [first.high, first.low, second.high, second.low]
    } else {
        [first.low, first.high, second.low, second.high]
    };
    let pairs = mask_16(are_pairs);
    let mut written = 0;
    for (at, four) in zip_4(bytes).into_iter().enumerate() {
        let whole = pairs >> (4 * at) & 0xF;
        let four = vqtbl1q_u8(four, load(&SHUFFLES[usize::from(whole)]));
        store(four, room[written..].first_chunk_mut().expect("room for sixteen pairs"));
        written += 8 + 2 * whole.count_ones() as usize;
    }
    written
}

#[target_feature(enable = "neon")]
fn utf32<const FROM_BE: bool, const TO_BE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    walk(
        src,
        dst,
        |block: &[u8; 128], room: &mut [u8; 128]| {
            let blocks = load_scalars::<FROM_BE, 2>(block);
            for ((scalars, _), room) in blocks.into_iter().zip(room.as_chunks_mut().0) {
                scalars.store::<TO_BE>(room);
            }
            are_scalars(blocks)
        },
        |block: &[u8; 64], room: &mut [u8; 64]| {
            let block = load_scalars::<FROM_BE, 1>(block);
            block[0].0.store::<TO_BE>(room);
            are_scalars(block).then_some((64, 64))
        },
    )
}

#[target_feature(enable = "neon")]
pub fn well_formed<const FROM_BE: bool>(src: &[u8]) -> usize {
    let (read, _) = walk(
        src,
        &mut [],
        |block: &[u8; 256], _: &mut [u8; 0]| are_scalars(load_scalars::<FROM_BE, 4>(block)),
        |block: &[u8; 64], _: &mut [u8; 0]| are_scalars(load_scalars::<FROM_BE, 1>(block)).then_some((64, 0)),
    );
    read
}

/// Converts UTF-32 to ISO-8859-1 or US-ASCII; `LAST` is the last character of the target.
#[target_feature(enable = "neon")]
fn single_byte<const FROM_BE: bool, const LAST: u8>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let put = |(scalars, upper): (Scalars, uint8x16_t), room: &mut [u8; LANES]| {
        store(scalars.low, room);
        let beyond = vorrq_u8(vorrq_u8(scalars.high, scalars.plane), upper);
        if LAST == 0xFF { beyond } else { vorrq_u8(beyond, vshrq_n_u8::<7>(scalars.low)) }
    };
    walk(
        src,
        dst,
        |block: &[u8; 128], room: &mut [u8; 32]| {
            let blocks = load_scalars::<FROM_BE, 2>(block);
            let rooms = room.as_chunks_mut().0;
            let beyond = blocks
                .into_iter()
                .zip(rooms)
                .fold(all(0), |any, (block, room)| vorrq_u8(any, put(block, room)));
            !has_bits(beyond)
        },
        |block: &[u8; 64], room: &mut [u8; LANES]| {
            let [block] = load_scalars::<FROM_BE, 1>(block);
            (!has_bits(put(block, room))).then_some((64, LANES))
        },
    )
}
