//! Vectors of 64 bytes, and the operations on them that the kernels need.
//!
//! The kernels are written once, over these traits. The traits have two implementations: by instructions, for CPUs that
//! have them, and by loops over arrays, so that every machine can test every kernel. A vector has no fixed lane width.
//! The number in the name of an operation is the width of its lanes in bits (8, 16 or 32), all in little-endian order.
//! Masks have a bit for each lane, the first lane lowest.

use crate::decode::Cell;
use crate::legacy::DOUBLES;

/// Number of bytes in a vector.
pub const SIZE: usize = 64;

/// Returns the position to which [`Simd::spread`] moves the byte at `at`.
pub const fn spread_to(at: usize) -> usize {
    at / 8 % 4 * 16 + at / 32 * 8 + at % 8
}

/// The operations of AVX-512 F, BW and VL, and of BMI2. A value is proof that the CPU has the instructions.
pub trait Simd: Copy {
    type V: Copy;

    fn load(self, from: &[u8; SIZE]) -> Self::V;
    /// Loads the first 64 bytes of `from`, with zeros in place of missing bytes.
    fn load_part(self, from: &[u8]) -> Self::V;
    fn store(self, v: Self::V, to: &mut [u8; SIZE]);

    fn splat8(self, value: u8) -> Self::V;
    fn splat16(self, value: u16) -> Self::V;
    fn splat32(self, value: u32) -> Self::V;

    fn and(self, a: Self::V, b: Self::V) -> Self::V;
    fn or(self, a: Self::V, b: Self::V) -> Self::V;
    fn xor(self, a: Self::V, b: Self::V) -> Self::V;
    fn sub8(self, a: Self::V, b: Self::V) -> Self::V;
    /// Returns `a - b`, or 0 if the difference is negative.
    fn saturating_sub8(self, a: Self::V, b: Self::V) -> Self::V;
    fn sub16(self, a: Self::V, b: Self::V) -> Self::V;
    fn add32(self, a: Self::V, b: Self::V) -> Self::V;
    fn sub32(self, a: Self::V, b: Self::V) -> Self::V;
    fn shl16<const BITS: u32>(self, v: Self::V) -> Self::V;
    fn shr16<const BITS: u32>(self, v: Self::V) -> Self::V;
    fn shl32<const BITS: u32>(self, v: Self::V) -> Self::V;
    fn shr32<const BITS: u32>(self, v: Self::V) -> Self::V;

    /// Returns which bytes have their highest bit set.
    fn negative8(self, v: Self::V) -> u64;
    /// Returns which bytes of `a` and `b` have a set bit in common.
    fn test8(self, a: Self::V, b: Self::V) -> u64;
    fn test16(self, a: Self::V, b: Self::V) -> u32;
    /// Returns the mask of the lanes in which `a` is less than `b`, compared as unsigned numbers.
    fn lt8(self, a: Self::V, b: Self::V) -> u64;
    fn lt16(self, a: Self::V, b: Self::V) -> u32;
    fn lt32(self, a: Self::V, b: Self::V) -> u16;

    /// Returns the lanes of `b` at the bits of the mask, and the lanes of `a` elsewhere.
    fn blend8(self, mask: u64, a: Self::V, b: Self::V) -> Self::V;
    fn blend16(self, mask: u32, a: Self::V, b: Self::V) -> Self::V;
    fn blend32(self, mask: u16, a: Self::V, b: Self::V) -> Self::V;

    /// Returns the bytes of `table` at the lower four bits of `index`; 0 if the index has its highest bit set.
    fn lookup16(self, table: &[u8; 16], index: Self::V) -> Self::V;
    /// Reorders the bytes of each quarter.
    fn reorder16(self, order: &[u8; 16], v: Self::V) -> Self::V;
    /// Returns the last `BYTES` bytes of `before`, followed by all but the last `BYTES` bytes of `v`.
    fn delay<const BYTES: u32>(self, v: Self::V, before: Self::V) -> Self::V;
    /// Reorders the 64-bit lanes as [`Simd::unpack8`] requires.
    fn spread(self, v: Self::V) -> Self::V;
    /// Interleaves the bytes of two vectors that [`Simd::spread`] returned.
    fn unpack8(self, a: Self::V, b: Self::V) -> [Self::V; 2];
    /// Interleaves the 16-bit lanes of `a` and `b`.
    fn interleave16(self, a: Self::V, b: Self::V) -> [Self::V; 2];
    /// Returns the 16-bit lanes of `a`, then of `b`, as bytes. The lanes must be below 0x100.
    fn narrow16(self, a: Self::V, b: Self::V) -> Self::V;
    /// Returns the 32-bit lanes of `a`, then of `b`, as 16-bit lanes. The lanes must be below 0x10000.
    fn narrow32(self, a: Self::V, b: Self::V) -> Self::V;
    /// Moves the lanes at the bits of the mask to the front, followed by zeros.
    fn compress32(self, mask: u16, v: Self::V) -> Self::V;

    /// Returns the bits of `a` where `bits` has a bit, and the bits of `b` elsewhere.
    #[inline(always)]
    fn select(self, bits: Self::V, a: Self::V, b: Self::V) -> Self::V {
        // The compiler makes a single instruction of this expression.
        self.xor(b, self.and(bits, self.xor(a, b)))
    }

    /// Reverses the order of the bytes in each 16-bit lane, if `SWAP`.
    #[inline(always)]
    fn swap16<const SWAP: bool>(self, v: Self::V) -> Self::V {
        if !SWAP {
            return v;
        }
        self.reorder16(&[1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14], v)
    }

    /// Reverses the order of the bytes in each 32-bit lane, if `SWAP`.
    #[inline(always)]
    fn swap32<const SWAP: bool>(self, v: Self::V) -> Self::V {
        if !SWAP {
            return v;
        }
        self.reorder16(&[3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12], v)
    }

    /// Interleaves the bytes of `a` and `b`.
    #[inline(always)]
    fn interleave8(self, a: Self::V, b: Self::V) -> [Self::V; 2] {
        self.unpack8(self.spread(a), self.spread(b))
    }

    /// Joins 16-bit code units from their lower and upper bytes.
    #[inline(always)]
    fn units16<const BIG_ENDIAN: bool>(self, low: Self::V, high: Self::V) -> [Self::V; 2] {
        if BIG_ENDIAN { self.interleave8(high, low) } else { self.interleave8(low, high) }
    }

    /// Joins 32-bit code units of their bytes, from the lowest on; the highest byte is 0.
    #[inline(always)]
    fn units32<const BIG_ENDIAN: bool>(self, bytes: [Self::V; 3]) -> [Self::V; 4] {
        let [a, b] = self.units16::<BIG_ENDIAN>(bytes[0], bytes[1]);
        let [c, d] = self.units16::<BIG_ENDIAN>(bytes[2], self.splat8(0));
        let ([a, b], [c, d]) = if BIG_ENDIAN {
            (self.interleave16(c, a), self.interleave16(d, b))
        } else {
            (self.interleave16(a, c), self.interleave16(b, d))
        };
        [a, b, c, d]
    }

    /// Stores consecutive vectors at the front of `room`, which has space for them.
    #[inline(always)]
    fn store_all<const N: usize>(self, vectors: [Self::V; N], room: &mut [u8]) {
        for (v, to) in vectors.into_iter().zip(room.as_chunks_mut().0) {
            self.store(v, to);
        }
    }
}

/// The operations of AVX-512 VBMI and VBMI2.
pub trait Compress: Simd {
    /// Returns the bytes to keep of 32 pairs: the first byte of each pair, and the second byte where `both` has a bit.
    fn kept_of_pairs(self, both: u32) -> u64;
    /// Returns the bytes of `table` at the lower six bits of `index`.
    fn lookup64(self, table: &[u8; SIZE], index: Self::V) -> Self::V;
    /// Returns the bytes of two consecutive tables at the lower seven bits of `index`.
    fn lookup128(self, tables: &[[u8; SIZE]; 2], index: Self::V) -> Self::V;
    /// Reorders the bytes of `v`.
    fn permute8(self, order: &[u8; SIZE], v: Self::V) -> Self::V;
    /// Returns, for each byte, eight bits of its 64-bit lane of `v`, from the bit that `shifts` gives on, wrapping
    /// around.
    fn shift_bytes(self, shifts: &[u8; SIZE], v: Self::V) -> Self::V;
    /// Moves the lanes at the bits of the mask to the front, followed by zeros.
    fn compress8(self, mask: u64, v: Self::V) -> Self::V;
    fn compress16(self, mask: u32, v: Self::V) -> Self::V;
    /// Returns the cells of a table at the lower fifteen bits of 16-bit indices.
    fn look_up(self, table: &[Cell; DOUBLES], indices: &[u8; SIZE / 2]) -> Self::V;
}

/// Defines operations of a trait, each by an expression, in which `unsafe` allows instructions. See [`Simd`].
macro_rules! operations {
    ($safety:ident; $(
        fn $name:ident$(<const $count:ident: u32>)?($self:ident, $($arg:ident: $type:ty),+) -> $out:ty = $value:expr;
    )+) => {
        $(
            #[inline(always)]
            fn $name$(<const $count: u32>)?($self, $($arg: $type),+) -> $out {
                operations!(@ $safety $value)
            }
        )+
    };
    (@ safe $value:expr) => { $value };
    // SAFETY: a value of a type that implements the trait is proof that the CPU has the instructions.
    (@ unsafe $value:expr) => { unsafe { $value } };
}
pub(super) use operations;

/// Writes the rest of a source with `put`, which needs a buffer of `room` bytes. Returns the number of bytes written,
/// without `nuls`, the output of the zeros after the rest; `None` if `put` fails or the output does not fit.
#[inline(always)]
pub fn put_rest(
    dst: &mut [u8],
    room: usize,
    nuls: usize,
    put: impl FnOnce(&mut [u8]) -> Option<usize>,
) -> Option<usize> {
    let mut scratch = [0; 4 * SIZE];
    let is_ample = dst.len() >= room;
    let size = put(if is_ample { &mut *dst } else { &mut scratch })? - nuls;
    if !is_ample {
        dst.get_mut(..size)?.copy_from_slice(&scratch[..size]);
    }
    Some(size)
}

/// A conversion that [`Kernel`](crate::kernel::Kernel)s are made from.
pub trait Convert<S: Simd> {
    fn convert(simd: S, src: &[u8], dst: &mut [u8]) -> (usize, usize);
}

/// A conversion by tables that [`Kernel`](crate::kernel::Kernel)s are made from.
pub trait ConvertBy<S: Simd> {
    fn convert(&self, simd: S, src: &[u8], dst: &mut [u8]) -> (usize, usize);
}
