//! The kernels from UTF-16, in blocks of 16 code units, and in larger blocks if the code units have no surrogates.
//!
//! A step may end between the surrogates of a pair, because each surrogate is converted in its own lane.

use std::arch::aarch64::*;
use std::cell::Cell;

use super::planes::{Scalars, Units, have_surrogates};
use super::vector::{LANES, all, load, mask_16, store, zip_4};
use super::{Neon, Proof, to_utf8};
use crate::form::Form;
use crate::kernel::generic::Kernel;
use crate::kernel::generic::set::{kernel, wide_kernel};
use crate::kernel::generic::shuffles::QUADS;
use crate::kernel::generic::walk::walk;

/// Returns the kernel from UTF-16 to another form, if there is one.
#[inline(always)]
pub fn kernel<const FROM_BE: bool>(set: Neon, to: Form) -> Option<Kernel> {
    wide_kernel!(set, FROM_BE, to)
}

/// The state of surrogate pairs, which may cross from one block to the next.
#[derive(Default)]
struct Pairs {
    /// Whether the next code unit has to be a low surrogate.
    awaited: Cell<bool>,
}

/// The positions of the surrogates in a block.
struct Surrogates {
    are_high: uint8x16_t,
    are_low: uint8x16_t,
    /// A bit for each low surrogate.
    lows: u16,
}

impl Pairs {
    /// Whether `units` have no surrogates, and no low surrogate is awaited.
    #[inline]
    #[target_feature(enable = "neon")]
    fn are_absent(&self, units: Units) -> bool {
        !self.awaited.get() && !have_surrogates(units.surrogate_distances())
    }

    /// Takes the surrogates of the next block. Returns `None` if they do not form pairs.
    #[inline]
    #[target_feature(enable = "neon")]
    fn take(&self, units: Units) -> Option<Surrogates> {
        let kinds = vandq_u8(units.high, all(0xFC));
        let (are_high, are_low) = (vceqq_u8(kinds, all(0xD8)), vceqq_u8(kinds, all(0xDC)));
        let (highs, lows) = (mask_16(are_high), mask_16(are_low));
        if lows != highs << 1 | u16::from(self.awaited.get()) {
            return None;
        }
        self.awaited.set(highs >> 15 == 1);
        Some(Surrogates { are_high, are_low, lows })
    }

    /// Returns the numbers of bytes read and written, without a high surrogate at the end, which was written as `len`
    /// bytes.
    fn whole(&self, (read, written): (usize, usize), len: usize) -> (usize, usize) {
        if self.awaited.get() { (read - 2, written - len) } else { (read, written) }
    }
}

/// Loads `BLOCKS` blocks of code units.
#[inline]
#[target_feature(enable = "neon")]
fn load_units<const BIG_ENDIAN: bool, const BLOCKS: usize>(block: &[u8]) -> [Units; BLOCKS] {
    let blocks = block.as_chunks().0;
    std::array::from_fn(|at| Units::load::<BIG_ENDIAN>(&blocks[at]))
}

/// Returns the minimum of the surrogate distances in each lane of the blocks.
#[inline]
#[target_feature(enable = "neon")]
fn nearest<const BLOCKS: usize>(blocks: [Units; BLOCKS]) -> uint8x16_t {
    blocks.into_iter().fold(all(0xFF), |least, units| vminq_u8(least, units.surrogate_distances()))
}

#[target_feature(enable = "neon")]
fn utf8<const FROM_BE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let pairs = Pairs::default();
    let done = walk(
        src,
        dst,
        |block: &[u8; 128], room: &mut [u8; 64]| {
            let blocks = load_units::<FROM_BE, 4>(block);
            let mut beyond = all(0);
            for (Units { low, high }, room) in blocks.into_iter().zip(room.as_chunks_mut().0) {
                // Store the low bytes before the check, because room after the output may be overwritten.
                store(low, room);
                beyond = vorrq_u8(vorrq_u8(beyond, high), vshrq_n_u8::<7>(low));
            }
            !pairs.awaited.get() && vmaxvq_u8(beyond) == 0
        },
        |block: &[u8; 34], room| {
            let [units] = load_units::<FROM_BE, 1>(block);
            if pairs.are_absent(units) {
                return Some((2 * LANES, to_utf8::put_units(units, room)));
            }
            let Surrogates { are_high, are_low, .. } = pairs.take(units)?;
            let [next] = load_units::<FROM_BE, 1>(&block[2..]);
            Some((2 * LANES, to_utf8::put_pairs(units, next, are_high, are_low, room)))
        },
    );
    pairs.whole(done, 3)
}

#[target_feature(enable = "neon")]
fn utf16<const FROM_BE: bool, const TO_BE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let pairs = Pairs::default();
    let done = walk(
        src,
        dst,
        |block: &[u8; 128], room: &mut [u8; 128]| {
            let blocks = load_units::<FROM_BE, 4>(block);
            for (units, room) in blocks.into_iter().zip(room.as_chunks_mut().0) {
                units.store::<TO_BE>(room);
            }
            !pairs.awaited.get() && !have_surrogates(nearest(blocks))
        },
        |block: &[u8; 32], room: &mut [u8; 32]| {
            let [units] = load_units::<FROM_BE, 1>(block);
            pairs.take(units)?;
            units.store::<TO_BE>(room);
            Some((32, 32))
        },
    );
    pairs.whole(done, 2)
}

#[target_feature(enable = "neon")]
pub fn well_formed<const FROM_BE: bool>(src: &[u8]) -> usize {
    let pairs = Pairs::default();
    let done = walk(
        src,
        &mut [],
        |block: &[u8; 128], _: &mut [u8; 0]| {
            !pairs.awaited.get() && !have_surrogates(nearest(load_units::<FROM_BE, 4>(block)))
        },
        |block: &[u8; 32], _: &mut [u8; 0]| {
            let [units] = load_units::<FROM_BE, 1>(block);
            pairs.take(units)?;
            Some((32, 0))
        },
    );
    pairs.whole(done, 0).0
}

#[target_feature(enable = "neon")]
fn utf32<const FROM_BE: bool, const TO_BE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let pairs = Pairs::default();
    let done = walk(
        src,
        dst,
        |block: &[u8; 128], room: &mut [u8; 256]| {
            let blocks = load_units::<FROM_BE, 4>(block);
            for (units, room) in blocks.into_iter().zip(room.as_chunks_mut().0) {
                units.store_wide::<TO_BE>(room);
            }
            !pairs.awaited.get() && !have_surrogates(nearest(blocks))
        },
        |block: &[u8; 34], room: &mut [u8; 64]| {
            let [units] = load_units::<FROM_BE, 1>(block);
            if pairs.are_absent(units) {
                units.store_wide::<TO_BE>(room);
                return Some((32, 64));
            }
            let found = pairs.take(units)?;
            let [next] = load_units::<FROM_BE, 1>(&block[2..]);
            Some((32, put_pairs::<TO_BE>(units, next, found, room)))
        },
    );
    pairs.whole(done, 4)
}

/// Writes sixteen code units as UTF-32. `found` are the surrogates among the code units, and `next` has the code unit
/// after each code unit. Returns the number of bytes written.
#[inline]
#[target_feature(enable = "neon")]
fn put_pairs<const TO_BE: bool>(units: Units, next: Units, found: Surrogates, room: &mut [u8; 64]) -> usize {
    let above = units.above();
    let next_high = vandq_u8(next.high, all(0x03));
    let high = vorrq_u8(vshlq_n_u8::<2>(above.low), next_high);
    let plane = vsriq_n_u8::<6>(vshlq_n_u8::<2>(above.high), above.low);
    let scalars = Scalars {
        low: vbslq_u8(found.are_high, next.low, units.low),
        high: vbslq_u8(found.are_high, high, units.high),
        plane: vandq_u8(found.are_high, plane),
    };
    let mut written = 0;
    for (at, four) in zip_4(scalars.bytes::<TO_BE>()).into_iter().enumerate() {
        let kept = !found.lows >> (4 * at) & 0xF;
        let four = vqtbl1q_u8(four, load(&QUADS[usize::from(kept)]));
        store(four, room[written..].first_chunk_mut().expect("room for sixteen units"));
        written += 4 * kept.count_ones() as usize;
    }
    written
}

/// Converts UTF-16 to ISO-8859-1 or US-ASCII; `LAST` is the last character of the target.
#[target_feature(enable = "neon")]
fn single_byte<const FROM_BE: bool, const LAST: u8>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let put = |Units { low, high }: Units, room: &mut [u8; LANES]| {
        store(low, room);
        if LAST == 0xFF { high } else { vorrq_u8(high, vshrq_n_u8::<7>(low)) }
    };
    walk(
        src,
        dst,
        |block: &[u8; 128], room: &mut [u8; 64]| {
            let blocks = load_units::<FROM_BE, 4>(block);
            let rooms = room.as_chunks_mut().0;
            let beyond = blocks
                .into_iter()
                .zip(rooms)
                .fold(all(0), |any, (units, room)| vorrq_u8(any, put(units, room)));
            vmaxvq_u8(beyond) == 0
        },
        |block: &[u8; 32], room: &mut [u8; LANES]| {
            let [units] = load_units::<FROM_BE, 1>(block);
            (vmaxvq_u8(put(units, room)) == 0).then_some((32, LANES))
        },
    )
}
