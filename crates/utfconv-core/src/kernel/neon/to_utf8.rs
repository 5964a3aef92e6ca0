//! Converts planes of sixteen characters to UTF-8.
//!
//! The bytes of characters are computed in planes, the last byte in the first plane, and joined to a lane for each
//! character. A table of shuffles, indexed by the lengths of lanes, removes unused bytes. See Lemire and Mula,
//! "Transcoding Billions of Unicode Characters per Second with SIMD Instructions" (2022).

use std::arch::aarch64::*;

use super::planes::{Scalars, Units};
use super::vector::{Filler, add_pairs, all, count, has_bits, load, mask_16, select, store_3, zip, zip_4};
use crate::kernel::generic::shuffles::{LENS_32, SHUFFLES_16, SHUFFLES_32};

/// Room for sixteen characters, and for the bytes that stores overwrite after them, in bytes.
pub const ROOM: usize = 64;

/// Returns the continuation byte that holds the lowest six bits of `bits`.
#[inline]
#[target_feature(enable = "neon")]
fn continuation(bits: uint8x16_t) -> uint8x16_t {
    select(all(0x3F), bits, all(0x80))
}

/// Returns bits 6 to 13 of each code unit; the lowest six of them belong in the second to last byte.
#[inline]
#[target_feature(enable = "neon")]
fn middle(units: Units) -> uint8x16_t {
    vsriq_n_u8::<6>(vshlq_n_u8::<2>(units.high), units.low)
}

/// Writes sixteen code units that are not surrogates. Returns the number of bytes written.
#[inline]
#[target_feature(enable = "neon")]
pub fn put_units(units: Units, room: &mut [u8; ROOM]) -> usize {
    let highest = vmaxvq_u8(units.high);
    if highest < 8 {
        return put_one_or_two(units, room);
    }
    if vminvq_u8(units.high) >= 8 {
        put_threes(units, room.first_chunk_mut().expect("room for more"));
        return 48;
    }
    put_up_to_three(units, room)
}

/// Writes sixteen code units from U+0800 on.
#[inline]
#[target_feature(enable = "neon")]
fn put_threes(units: Units, room: &mut [u8; 48]) {
    let lead = vsriq_n_u8::<4>(all(0xE0), units.high);
    store_3([lead, continuation(middle(units)), continuation(units.low)], room);
}

/// Writes sixteen code units below U+0800. Returns the number of bytes written.
#[inline]
#[target_feature(enable = "neon")]
pub fn put_one_or_two(units: Units, room: &mut [u8; ROOM]) -> usize {
    put_pairs_of_bytes(vorrq_u8(middle(units), all(0xC0)), units.low, room)
}

/// Writes sixteen characters of ISO-8859-1. Returns the number of bytes written.
#[inline]
#[target_feature(enable = "neon")]
pub fn put_latin1(bytes: uint8x16_t, room: &mut [u8; ROOM]) -> usize {
    put_pairs_of_bytes(vsriq_n_u8::<6>(all(0xC0), bytes), bytes, room)
}

/// Writes sixteen characters: `low` alone if `lead` is below C2, otherwise both bytes. Returns the number of bytes
/// written.
#[inline]
#[target_feature(enable = "neon")]
fn put_pairs_of_bytes(lead: uint8x16_t, low: uint8x16_t, room: &mut [u8; ROOM]) -> usize {
    let are_two = vcgeq_u8(lead, all(0xC2));
    let last = select(are_two, continuation(low), low);
    let sets = mask_16(are_two).to_le_bytes();
    let mut to = Filler::new(room);
    for (pairs, set) in zip(last, lead).into_iter().zip(sets) {
        let bytes = vqtbl1q_u8(pairs, load(&SHUFFLES_16[usize::from(set)]));
        // SAFETY: eight characters are at most 16 bytes, and there is room for 32.
        unsafe { to.push(bytes, 8 + count(set)) };
    }
    to.len()
}

/// Writes sixteen code units that are not surrogates. Returns the number of bytes written.
#[inline]
#[target_feature(enable = "neon")]
fn put_up_to_three(units: Units, room: &mut [u8; ROOM]) -> usize {
    Spelled::new(units).put(room)
}

/// The bytes of sixteen characters, or of halves of surrogate pairs, before they are packed.
struct Spelled {
    /// Planes of the bytes, the last byte of each character first.
    bytes: [uint8x16_t; 4],
    /// The number of bytes of each character less one, negated.
    sizes: uint8x16_t,
}

impl Spelled {
    #[inline]
    #[target_feature(enable = "neon")]
    fn new(units: Units) -> Spelled {
        let from_800 = vcgeq_u8(units.high, all(8));
        let middle = middle(units);
        // The lowest six bits of `middle`, after the bits 11 if the byte is a lead byte, or the bits 10 if it is a
        // continuation byte.
        let second = select(all(0x3F), middle, vsubq_u8(all(0xC0), vandq_u8(from_800, all(0x40))));
        let from_80 = vorrq_u8(from_800, vcgeq_u8(second, all(0xC2)));
        let last = select(from_80, continuation(units.low), units.low);
        let lead = vsriq_n_u8::<4>(all(0xE0), units.high);
        Spelled { bytes: [last, second, lead, lead], sizes: vaddq_u8(from_80, from_800) }
    }

    /// Packs and writes the bytes. Returns the number of bytes written.
    #[inline]
    #[target_feature(enable = "neon")]
    fn put(self, room: &mut [u8; ROOM]) -> usize {
        // Weights that join four sizes to an index of two bits each; negated, because the sizes are negated.
        const WEIGHTS: [u8; 16] = {
            let mut weights = [0; 16];
            let mut at = 0;
            while at < 16 {
                weights[at] = (1_u8 << (2 * (at % 4))).wrapping_neg();
                at += 1;
            }
            weights
        };
        let bits = vmulq_u8(self.sizes, load(&WEIGHTS));
        let sums = add_pairs(bits, bits);
        let sums = vreinterpretq_u32_u8(add_pairs(sums, sums));
        let sets = vgetq_lane_u32::<0>(sums).to_le_bytes();
        let mut to = Filler::new(room);
        for (lanes, set) in zip_4(self.bytes).into_iter().zip(sets) {
            let bytes = vqtbl1q_u8(lanes, load(&SHUFFLES_32[usize::from(set)]));
            // SAFETY: four lanes are at most 16 bytes, and there is room for 64.
            unsafe { to.push(bytes, usize::from(LENS_32[usize::from(set)])) };
        }
        to.len()
    }
}

/// Writes sixteen code units. `are_high` and `are_low` select the lanes of surrogate pairs, and `next` has the code
/// unit after each code unit. Of the bytes of a pair, the lane of the high surrogate has three, and the lane of the low
/// surrogate has one.
#[inline]
#[target_feature(enable = "neon")]
pub fn put_pairs(
    units: Units,
    next: Units,
    are_high: uint8x16_t,
    are_low: uint8x16_t,
    room: &mut [u8; ROOM],
) -> usize {
    let mut spelled = Spelled::new(units);
    let above = units.above();
    let lead = vorrq_u8(above.high, all(0xF0));
    let second = continuation(vshrq_n_u8::<2>(above.low));
    let third = vsriq_n_u8::<6>(vshlq_n_u8::<2>(next.high), next.low);
    let third = continuation(vsliq_n_u8::<4>(third, above.low));
    let [last, middle, first, fourth] = spelled.bytes;
    spelled.bytes = [
        select(are_high, third, last),
        select(are_high, second, middle),
        select(are_high, lead, first),
        fourth,
    ];
    spelled.sizes = vbicq_u8(spelled.sizes, are_low);
    spelled.put(room)
}

/// Writes sixteen scalar values. Returns the number of bytes written. Generic over the byte order of the source, so
/// that each copy has a single caller and is inlined.
#[inline]
#[target_feature(enable = "neon")]
pub fn put_scalars<const FROM_BE: bool>(scalars: Scalars, room: &mut [u8; ROOM]) -> usize {
    if !has_bits(scalars.plane) {
        return put_units(scalars.units(), room);
    }
    let Scalars { high, plane, .. } = scalars;
    let mut spelled = Spelled::new(scalars.units());
    let from_10000 = vtstq_u8(plane, plane);
    let [last, second, third, _] = spelled.bytes;
    // `spelled` has the UTF-8 of the lowest 16 bits of each scalar value. If the sequence has four bytes, each byte of
    // that UTF-8 is replaced by a continuation byte.
    let last = select(from_10000, continuation(scalars.low), last);
    let second = select(from_10000, continuation(middle(scalars.units())), second);
    let after_lead = continuation(vsriq_n_u8::<4>(vshlq_n_u8::<4>(plane), high));
    let third = select(from_10000, after_lead, third);
    let lead = vorrq_u8(vshrq_n_u8::<2>(plane), all(0xF0));
    spelled.bytes = [last, second, third, lead];
    spelled.sizes = select(from_10000, all(3_u8.wrapping_neg()), spelled.sizes);
    spelled.put(room)
}
