//! Converts vectors of scalar values to UTF-8.

use super::simd::{Compress, SIZE};

/// Writes the UTF-8 of 32 scalar values below U+0800, in 16-bit lanes. Returns the number of bytes written.
#[inline(always)]
pub fn put_two_bytes<S: Compress>(simd: S, scalars: S::V, room: &mut [u8]) -> usize {
    let lead = simd.shr16::<6>(scalars);
    let second = simd.and(simd.shl16::<8>(scalars), simd.splat16(0x3F00));
    let both = simd.or(simd.or(lead, second), simd.splat16(0x80C0));
    let ascii = simd.lt16(scalars, simd.splat16(0x80));
    let bytes = simd.blend16(ascii, both, scalars);
    let kept = simd.kept_of_pairs(!ascii);
    simd.store_all([simd.compress8(kept, bytes)], room);
    kept.count_ones() as usize
}

/// Writes the UTF-8 of 16 scalar values in 32-bit lanes. Returns the number of bytes written.
///
/// If `ASTRAL`, scalar values may be above U+FFFF, and lanes with a bit in `without` are left out.
#[inline(always)]
pub fn put_scalars<S: Compress, const ASTRAL: bool>(
    simd: S,
    scalars: S::V,
    without: u16,
    room: &mut [u8],
) -> usize {
    /// The shifts that extract the bits of the four bytes; the last byte holds the lowest six bits.
    const SHIFTS: [u8; SIZE] = {
        let mut shifts = [0; SIZE];
        let mut i = 0;
        while i < SIZE {
            shifts[i] = [18, 12, 6, 0, 50, 44, 38, 32][i % 8];
            i += 1;
        }
        shifts
    };
    let ascii = simd.lt32(scalars, simd.splat32(0x80));
    // The marker bits of the bytes; 0 for bytes that the sequence does not have.
    let two = simd.splat32(u32::from_le_bytes([0, 0, 0xC0, 0x80]));
    let three = simd.splat32(u32::from_le_bytes([0, 0xE0, 0x80, 0x80]));
    let four = simd.splat32(u32::from_le_bytes([0xF0, 0x80, 0x80, 0x80]));
    let bmp = simd.lt32(scalars, simd.splat32(0x10000));
    let mut marks = if ASTRAL { simd.blend32(bmp, four, three) } else { three };
    marks = simd.blend32(simd.lt32(scalars, simd.splat32(0x800)), marks, two);
    let bits = simd.shift_bytes(&SHIFTS, scalars);
    let marked = simd.or(simd.and(bits, simd.splat8(0x3F)), marks);
    marks = simd.blend32(ascii, marks, simd.splat32(0x8000_0000));
    if ASTRAL {
        marks = simd.blend32(without, marks, simd.splat32(0));
    }
    let bytes = simd.blend32(ascii, marked, bits);
    let kept = simd.negative8(marks);
    simd.store_all([simd.compress8(kept, bytes)], room);
    kept.count_ones() as usize
}
