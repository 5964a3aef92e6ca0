//! Vectors to and from memory, and tests of all lanes. Only this file uses pointers.

use std::arch::aarch64::*;
use std::arch::asm;

use crate::kernel::generic::shuffles::{BYTES, COUNTS, UNITS};

/// Bytes in a vector.
pub const LANES: usize = 16;

#[inline]
#[target_feature(enable = "neon")]
pub fn load(bytes: &[u8; 16]) -> uint8x16_t {
    // SAFETY: there are 16 bytes to read, and the load asks for no alignment.
    unsafe { vld1q_u8(bytes.as_ptr()) }
}

/// Returns those at `bytes[at..]`.
#[inline]
#[target_feature(enable = "neon")]
pub fn load_at(bytes: &[u8], at: usize) -> uint8x16_t {
    load(bytes[at..].first_chunk().expect("a whole vector"))
}

#[inline]
#[target_feature(enable = "neon")]
pub fn load_half(bytes: &[u8; 8]) -> uint8x8_t {
    // SAFETY: there are 8 bytes to read, and the load asks for no alignment.
    unsafe { vld1_u8(bytes.as_ptr()) }
}

/// Four vectors in a row.
#[inline]
#[target_feature(enable = "neon")]
pub fn load_row(bytes: &[u8; 64]) -> uint8x16x4_t {
    // SAFETY: there are 64 bytes to read, and the load asks for no alignment.
    unsafe { vld1q_u8_x4(bytes.as_ptr()) }
}

/// Every second byte, from the first, and from the second.
#[inline]
#[target_feature(enable = "neon")]
pub fn load_2(bytes: &[u8; 32]) -> [uint8x16_t; 2] {
    // SAFETY: there are 32 bytes to read, and the load asks for no alignment.
    let uint8x16x2_t(a, b) = unsafe { vld2q_u8(bytes.as_ptr()) };
    [a, b]
}

/// Every fourth byte, from each of the first four.
#[inline]
#[target_feature(enable = "neon")]
pub fn load_4(bytes: &[u8; 64]) -> [uint8x16_t; 4] {
    // SAFETY: there are 64 bytes to read, and the load asks for no alignment.
    let uint8x16x4_t(a, b, c, d) = unsafe { vld4q_u8(bytes.as_ptr()) };
    [a, b, c, d]
}

#[inline]
#[target_feature(enable = "neon")]
pub fn store(vector: uint8x16_t, room: &mut [u8; 16]) {
    // SAFETY: there are 16 bytes to write to, and the store asks for no alignment.
    unsafe { vst1q_u8(room.as_mut_ptr(), vector) }
}

/// The bytes of the vectors in turns.
#[inline]
#[target_feature(enable = "neon")]
pub fn store_2([a, b]: [uint8x16_t; 2], room: &mut [u8; 32]) {
    // SAFETY: there are 32 bytes to write to, and the store asks for no alignment.
    unsafe { vst2q_u8(room.as_mut_ptr(), uint8x16x2_t(a, b)) }
}

/// The bytes of the vectors in turns.
#[inline]
#[target_feature(enable = "neon")]
pub fn store_3([a, b, c]: [uint8x16_t; 3], room: &mut [u8; 48]) {
    // SAFETY: there are 48 bytes to write to, and the store asks for no alignment.
    unsafe { vst3q_u8(room.as_mut_ptr(), uint8x16x3_t(a, b, c)) }
}

/// The bytes of the vectors in turns.
#[inline]
#[target_feature(enable = "neon")]
pub fn store_4([a, b, c, d]: [uint8x16_t; 4], room: &mut [u8; 64]) {
    // SAFETY: there are 64 bytes to write to, and the store asks for no alignment.
    unsafe { vst4q_u8(room.as_mut_ptr(), uint8x16x4_t(a, b, c, d)) }
}

/// A vector of one byte in all lanes.
#[inline]
#[target_feature(enable = "neon")]
pub fn all(byte: u8) -> uint8x16_t {
    vdupq_n_u8(byte)
}

/// Returns the bits of `of` where `which` has bits, and those of `others` elsewhere.
#[inline]
#[target_feature(enable = "neon")]
pub fn select(which: uint8x16_t, of: uint8x16_t, others: uint8x16_t) -> uint8x16_t {
    vbslq_u8(which, of, others)
}

/// Whether any lane has its uppermost bit, or is all ones.
#[inline]
#[target_feature(enable = "neon")]
pub fn any(lanes: uint8x16_t) -> bool {
    vmaxvq_u8(lanes) >= 0x80
}

/// Whether any lane has a bit.
#[inline]
#[target_feature(enable = "neon")]
pub fn has_bits(lanes: uint8x16_t) -> bool {
    vmaxvq_u32(vreinterpretq_u32_u8(lanes)) != 0
}

/// A bit of each byte: that of its index among eight.
const BITS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];

/// Returns the sums of neighboring bytes, first of one vector, then of the other.
///
/// The compiler makes four instructions of `vpaddq_u8` where it sees that no bit is in both bytes.
#[inline]
#[target_feature(enable = "neon")]
pub fn add_pairs(first: uint8x16_t, second: uint8x16_t) -> uint8x16_t {
    let sums;
    // SAFETY: the instruction is one of NEON, and touches nothing but the registers.
    unsafe {
        asm!("addp {0:v}.16b, {1:v}.16b, {2:v}.16b", out(vreg) sums, in(vreg) first, in(vreg) second,
            options(pure, nomem, nostack, preserves_flags));
    }
    sums
}

/// A bit for each lane that is all ones; the others are zero.
#[inline]
#[target_feature(enable = "neon")]
pub fn mask(lanes: [uint8x16_t; 4]) -> u64 {
    let bits = load(&BITS);
    let [a, b, c, d] = lanes.map(|lanes| vandq_u8(lanes, bits));
    let sums = add_pairs(add_pairs(a, b), add_pairs(c, d));
    vgetq_lane_u64::<0>(vreinterpretq_u64_u8(add_pairs(sums, sums)))
}

/// A bit for each lane of one vector.
#[inline]
#[target_feature(enable = "neon")]
pub fn mask_16(lanes: uint8x16_t) -> u16 {
    let bits = vandq_u8(lanes, load(&BITS));
    let sums = add_pairs(bits, bits);
    let sums = add_pairs(sums, sums);
    vgetq_lane_u16::<0>(vreinterpretq_u16_u8(add_pairs(sums, sums)))
}

/// Ones in each of the 16 lanes that has a bit in the `at`-th 16 bits of a mask.
#[inline]
#[target_feature(enable = "neon")]
pub fn spread_mask(mask: u64, at: u8) -> uint8x16_t {
    let halves = vcombine_u8(vdup_n_u8(2 * at), vdup_n_u8(2 * at + 1));
    let bytes = vqtbl1q_u8(vreinterpretq_u8_u64(vdupq_n_u64(mask)), halves);
    vtstq_u8(bytes, load(&BITS))
}

/// Both bytes of units side by side: of the first eight lanes, and of the others.
#[inline]
#[target_feature(enable = "neon")]
pub fn zip(first: uint8x16_t, second: uint8x16_t) -> [uint8x16_t; 2] {
    [vzip1q_u8(first, second), vzip2q_u8(first, second)]
}

/// The four bytes of units side by side, four units in each vector.
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

    /// Returns the bytes that are there to stay.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Stores a vector; the first `len` bytes will stay.
    ///
    /// # Safety
    /// There is room for the vector.
    #[inline]
    #[target_feature(enable = "neon")]
    pub unsafe fn push(&mut self, vector: uint8x16_t, len: usize) {
        debug_assert!(self.len + LANES <= ROOM);
        // SAFETY: the caller promises the room, and the store asks for no alignment.
        unsafe { vst1q_u8(self.room.as_mut_ptr().add(self.len), vector) };
        self.len += len;
    }

    /// Stores half a vector; the first `len` bytes will stay.
    ///
    /// # Safety
    /// There is room for half a vector.
    #[inline]
    #[target_feature(enable = "neon")]
    pub unsafe fn push_half(&mut self, vector: uint8x8_t, len: usize) {
        debug_assert!(self.len + LANES / 2 <= ROOM);
        // SAFETY: the caller promises the room, and the store asks for no alignment.
        unsafe { vst1_u8(self.room.as_mut_ptr().add(self.len), vector) };
        self.len += len;
    }

    /// Stores units of 32 bits: the given lower halves, and zeros.
    ///
    /// # Safety
    /// There is room for two vectors.
    #[inline]
    #[target_feature(enable = "neon")]
    pub unsafe fn push_wide(&mut self, vectors: [uint8x16_t; 2], len: usize) {
        debug_assert!(self.len + 2 * LANES <= ROOM);
        let [a, b] = vectors.map(|vector| vreinterpretq_u16_u8(vector));
        // SAFETY: the caller promises the room, and the store asks for no alignment.
        unsafe { vst2q_u16(self.room.as_mut_ptr().add(self.len).cast(), uint16x8x2_t(a, b)) };
        self.len += len;
    }
}

/// Returns how many units are in a set of eight.
#[inline(always)]
pub fn count(set: u8) -> usize {
    usize::from(COUNTS[usize::from(set)])
}

/// Moves the units of 16 bits that are in the set to the front.
#[inline]
#[target_feature(enable = "neon")]
pub fn squeeze(units: uint8x16_t, set: u8) -> uint8x16_t {
    vqtbl1q_u8(units, load(&UNITS[usize::from(set)]))
}

/// Moves the bytes that are in the set to the front.
#[inline]
#[target_feature(enable = "neon")]
pub fn squeeze_bytes(bytes: uint8x8_t, set: u8) -> uint8x8_t {
    vtbl1_u8(bytes, load_half(&BYTES[usize::from(set)]))
}
