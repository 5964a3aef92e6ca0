//! Loads and stores of vectors, and tests of all lanes. Only this file uses pointers.

use std::arch::aarch64::*;
use std::arch::asm;

use crate::kernel::generic::shuffles::{BYTES, COUNTS, UNITS};

/// Number of bytes in a vector.
pub const LANES: usize = 16;

#[inline]
#[target_feature(enable = "neon")]
pub fn load(bytes: &[u8; 16]) -> uint8x16_t {
    // SAFETY: there are 16 bytes to read, and the load needs no alignment.
    unsafe { vld1q_u8(bytes.as_ptr()) }
}

/// Loads the vector at `bytes[at..]`.
#[inline]
#[target_feature(enable = "neon")]
pub fn load_at(bytes: &[u8], at: usize) -> uint8x16_t {
    load(bytes[at..].first_chunk().expect("a whole vector"))
}

#[inline]
#[target_feature(enable = "neon")]
pub fn load_half(bytes: &[u8; 8]) -> uint8x8_t {
    // SAFETY: there are 8 bytes to read, and the load needs no alignment.
    unsafe { vld1_u8(bytes.as_ptr()) }
}

/// Loads four consecutive vectors.
#[inline]
#[target_feature(enable = "neon")]
pub fn load_row(bytes: &[u8; 64]) -> uint8x16x4_t {
    // SAFETY: there are 64 bytes to read, and the load needs no alignment.
    unsafe { vld1q_u8_x4(bytes.as_ptr()) }
}

/// Loads even bytes to the first vector, and odd bytes to the second.
#[inline]
#[target_feature(enable = "neon")]
pub fn load_2(bytes: &[u8; 32]) -> [uint8x16_t; 2] {
    // SAFETY: there are 32 bytes to read, and the load needs no alignment.
    let uint8x16x2_t(a, b) = unsafe { vld2q_u8(bytes.as_ptr()) };
    [a, b]
}

/// Loads every fourth byte to the same vector.
#[inline]
#[target_feature(enable = "neon")]
pub fn load_4(bytes: &[u8; 64]) -> [uint8x16_t; 4] {
    // SAFETY: there are 64 bytes to read, and the load needs no alignment.
    let uint8x16x4_t(a, b, c, d) = unsafe { vld4q_u8(bytes.as_ptr()) };
    [a, b, c, d]
}

#[inline]
#[target_feature(enable = "neon")]
pub fn store(vector: uint8x16_t, room: &mut [u8; 16]) {
    // SAFETY: there are 16 bytes to write to, and the store needs no alignment.
    unsafe { vst1q_u8(room.as_mut_ptr(), vector) }
}

/// Stores the bytes of the vectors in turn.
#[inline]
#[target_feature(enable = "neon")]
pub fn store_2([a, b]: [uint8x16_t; 2], room: &mut [u8; 32]) {
    // SAFETY: there are 32 bytes to write to, and the store needs no alignment.
    unsafe { vst2q_u8(room.as_mut_ptr(), uint8x16x2_t(a, b)) }
}

/// Stores the bytes of the vectors in turn.
#[inline]
#[target_feature(enable = "neon")]
pub fn store_3([a, b, c]: [uint8x16_t; 3], room: &mut [u8; 48]) {
    // SAFETY: there are 48 bytes to write to, and the store needs no alignment.
    unsafe { vst3q_u8(room.as_mut_ptr(), uint8x16x3_t(a, b, c)) }
}

/// Stores the bytes of the vectors in turn.
#[inline]
#[target_feature(enable = "neon")]
pub fn store_4([a, b, c, d]: [uint8x16_t; 4], room: &mut [u8; 64]) {
    // SAFETY: there are 64 bytes to write to, and the store needs no alignment.
    unsafe { vst4q_u8(room.as_mut_ptr(), uint8x16x4_t(a, b, c, d)) }
}

/// Returns a vector with `byte` in all lanes.
#[inline]
#[target_feature(enable = "neon")]
pub fn all(byte: u8) -> uint8x16_t {
    vdupq_n_u8(byte)
}

/// Returns the bits of `of` where `which` has a bit, and the bits of `others` where `which` has none.
#[inline]
#[target_feature(enable = "neon")]
pub fn select(which: uint8x16_t, of: uint8x16_t, others: uint8x16_t) -> uint8x16_t {
    vbslq_u8(which, of, others)
}

/// Whether any lane has its highest bit set.
#[inline]
#[target_feature(enable = "neon")]
pub fn any(lanes: uint8x16_t) -> bool {
    vmaxvq_u8(lanes) >= 0x80
}

/// Whether any lane is nonzero.
#[inline]
#[target_feature(enable = "neon")]
pub fn has_bits(lanes: uint8x16_t) -> bool {
    vmaxvq_u32(vreinterpretq_u32_u8(lanes)) != 0
}

/// A different bit for each of eight consecutive bytes.
const BITS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];

/// Returns the sums of neighboring bytes, first of `first`, then of `second`.
///
/// Written in assembly, because the compiler replaces `vpaddq_u8` by four instructions if it sees that the bytes share
/// no bit.
#[inline]
#[target_feature(enable = "neon")]
pub fn add_pairs(first: uint8x16_t, second: uint8x16_t) -> uint8x16_t {
    let sums;
    // SAFETY: the instruction belongs to NEON, and touches only the registers.
    unsafe {
        asm!("addp {0:v}.16b, {1:v}.16b, {2:v}.16b", out(vreg) sums, in(vreg) first, in(vreg) second,
            options(pure, nomem, nostack, preserves_flags));
    }
    sums
}

/// Returns a bit for each lane, set if the lane is all ones. Other lanes have to be zero.
#[inline]
#[target_feature(enable = "neon")]
pub fn mask(lanes: [uint8x16_t; 4]) -> u64 {
    let bits = load(&BITS);
    let [a, b, c, d] = lanes.map(|lanes| vandq_u8(lanes, bits));
    let sums = add_pairs(add_pairs(a, b), add_pairs(c, d));
    vgetq_lane_u64::<0>(vreinterpretq_u64_u8(add_pairs(sums, sums)))
}

/// Returns a bit for each lane of a vector, set if the lane is all ones. Other lanes have to be zero.
#[inline]
#[target_feature(enable = "neon")]
pub fn mask_16(lanes: uint8x16_t) -> u16 {
    let bits = vandq_u8(lanes, load(&BITS));
    let sums = add_pairs(bits, bits);
    let sums = add_pairs(sums, sums);
    vgetq_lane_u16::<0>(vreinterpretq_u16_u8(add_pairs(sums, sums)))
}

/// Returns lanes of ones for the bits of `mask` from bit 16 * `at` on.
#[inline]
#[target_feature(enable = "neon")]
pub fn spread_mask(mask: u64, at: u8) -> uint8x16_t {
    let halves = vcombine_u8(vdup_n_u8(2 * at), vdup_n_u8(2 * at + 1));
    let bytes = vqtbl1q_u8(vreinterpretq_u8_u64(vdupq_n_u64(mask)), halves);
    vtstq_u8(bytes, load(&BITS))
}

/// Joins the two bytes of each code unit. The first vector has code units 0 to 7, and the second vector 8 to 15.
#[inline]
#[target_feature(enable = "neon")]
pub fn zip(first: uint8x16_t, second: uint8x16_t) -> [uint8x16_t; 2] {
    [vzip1q_u8(first, second), vzip2q_u8(first, second)]
}

/// Joins the four bytes of each code unit. Each result vector has four code units.
#[inline]
#[target_feature(enable = "neon")]
pub fn zip_4([a, b, c, d]: [uint8x16_t; 4]) -> [uint8x16_t; 4] {
    let wide = |vector| vreinterpretq_u16_u8(vector);
    let ([low_ab, high_ab], [low_cd, high_cd]) = (zip(a, b), zip(c, d));
    let first = |ab, cd| vreinterpretq_u8_u16(vzip1q_u16(wide(ab), wide(cd)));
    let second = |ab, cd| vreinterpretq_u8_u16(vzip2q_u16(wide(ab), wide(cd)));
    [first(low_ab, low_cd), second(low_ab, low_cd), first(high_ab, high_cd), second(high_ab, high_cd)]
}

/// A room that is filled from the front, by stores that are wider than the data.
pub struct Filler<'a, const ROOM: usize> {
    room: &'a mut [u8; ROOM],
    len: usize,
}

impl<'a, const ROOM: usize> Filler<'a, ROOM> {
    #[inline(always)]
    pub fn new(room: &'a mut [u8; ROOM]) -> Filler<'a, ROOM> {
        Filler { room, len: 0 }
    }

    /// Returns the number of bytes that are kept.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Stores a vector, of which the first `len` bytes are kept.
    ///
    /// # Safety
    /// The room must have space for the vector.
    #[inline]
    #[target_feature(enable = "neon")]
    pub unsafe fn push(&mut self, vector: uint8x16_t, len: usize) {
        debug_assert!(self.len + LANES <= ROOM);
        // SAFETY: the caller promises enough room, and the store needs no alignment.
        unsafe { vst1q_u8(self.room.as_mut_ptr().add(self.len), vector) };
        self.len += len;
    }

    /// Stores half a vector, of which the first `len` bytes are kept.
    ///
    /// # Safety
    /// The room must have space for half a vector.
    #[inline]
    #[target_feature(enable = "neon")]
    pub unsafe fn push_half(&mut self, vector: uint8x8_t, len: usize) {
        debug_assert!(self.len + LANES / 2 <= ROOM);
        // SAFETY: the caller promises enough room, and the store needs no alignment.
        unsafe { vst1_u8(self.room.as_mut_ptr().add(self.len), vector) };
        self.len += len;
    }

    /// Stores code units of 32 bits, whose lower and upper halves alternate between the vectors. The first `len` bytes
    /// are kept.
    ///
    /// # Safety
    /// The room must have space for two vectors.
    #[inline]
    #[target_feature(enable = "neon")]
    pub unsafe fn push_wide(&mut self, vectors: [uint8x16_t; 2], len: usize) {
        debug_assert!(self.len + 2 * LANES <= ROOM);
        let [a, b] = vectors.map(|vector| vreinterpretq_u16_u8(vector));
        // SAFETY: the caller promises enough room, and the store needs no alignment.
        unsafe { vst2q_u16(self.room.as_mut_ptr().add(self.len).cast(), uint16x8x2_t(a, b)) };
        self.len += len;
    }
}

/// Returns the number of units in a set of eight units (a bit mask).
#[inline(always)]
pub fn count(set: u8) -> usize {
    usize::from(COUNTS[usize::from(set)])
}

/// Moves the 16-bit units that are in the set (a bit mask) to the front.
#[inline]
#[target_feature(enable = "neon")]
pub fn squeeze(units: uint8x16_t, set: u8) -> uint8x16_t {
    vqtbl1q_u8(units, load(&UNITS[usize::from(set)]))
}

/// Moves the bytes that are in the set (a bit mask) to the front.
#[inline]
#[target_feature(enable = "neon")]
pub fn squeeze_bytes(bytes: uint8x8_t, set: u8) -> uint8x8_t {
    vtbl1_u8(bytes, load_half(&BYTES[usize::from(set)]))
}
