//! Implements [`Simd`] and [`Compress`] with the instructions of AVX-512.
//!
//! SAFETY of every block in this file: `self` is proof that the CPU has the instruction.

use std::arch::x86_64::*;

use super::simd::{Compress, SIZE, Simd, operations};
use crate::decode::Cell;
use crate::legacy::DOUBLES;

const _: () = assert!(DOUBLES.is_power_of_two() && size_of::<Cell>() == 4);

/// The first byte of each pair, as bits.
const FIRSTS: u64 = 0x5555_5555_5555_5555;

/// Proof that the CPU has AVX-512 F, BW and VL, and BMI2; if `VBMI2`, also VBMI and VBMI2.
#[derive(Clone, Copy)]
pub struct Instructions<const VBMI2: bool>(());

impl<const VBMI2: bool> Instructions<VBMI2> {
    /// # Safety
    /// The CPU must have the instructions that a value of the type proves.
    #[inline(always)]
    pub unsafe fn assume() -> Self {
        Instructions(())
    }
}

impl<const VBMI2: bool> Simd for Instructions<VBMI2> {
    type V = __m512i;

    #[inline(always)]
    fn load(self, from: &[u8; SIZE]) -> __m512i {
        // SAFETY: `self` is proof of the instruction, and `from` is as long as the vector.
        unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
    }

    #[inline(always)]
    fn load_part(self, from: &[u8]) -> __m512i {
        // SAFETY: `self` is proof of the instructions, and the mask has a bit only for bytes of `from`.
        unsafe {
            _mm512_maskz_loadu_epi8(_bzhi_u64(u64::MAX, from.len().min(SIZE) as u32), from.as_ptr().cast())
        }
    }

    #[inline(always)]
    fn store(self, v: __m512i, to: &mut [u8; SIZE]) {
        // SAFETY: `self` is proof of the instruction, and `to` is as long as the vector.
        unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), v) }
    }

    operations! { unsafe;
        fn splat8(self, value: u8) -> __m512i = _mm512_set1_epi8(value as i8);
        fn splat16(self, value: u16) -> __m512i = _mm512_set1_epi16(value as i16);
        fn splat32(self, value: u32) -> __m512i = _mm512_set1_epi32(value as i32);
        fn and(self, a: __m512i, b: __m512i) -> __m512i = _mm512_and_si512(a, b);
        fn or(self, a: __m512i, b: __m512i) -> __m512i = _mm512_or_si512(a, b);
        fn xor(self, a: __m512i, b: __m512i) -> __m512i = _mm512_xor_si512(a, b);
        fn sub8(self, a: __m512i, b: __m512i) -> __m512i = _mm512_sub_epi8(a, b);
        fn saturating_sub8(self, a: __m512i, b: __m512i) -> __m512i = _mm512_subs_epu8(a, b);
        fn sub16(self, a: __m512i, b: __m512i) -> __m512i = _mm512_sub_epi16(a, b);
        fn add32(self, a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi32(a, b);
        fn sub32(self, a: __m512i, b: __m512i) -> __m512i = _mm512_sub_epi32(a, b);
        fn shl16<const BITS: u32>(self, v: __m512i) -> __m512i = _mm512_slli_epi16::<BITS>(v);
        fn shr16<const BITS: u32>(self, v: __m512i) -> __m512i = _mm512_srli_epi16::<BITS>(v);
        fn shl32<const BITS: u32>(self, v: __m512i) -> __m512i = _mm512_slli_epi32::<BITS>(v);
        fn shr32<const BITS: u32>(self, v: __m512i) -> __m512i = _mm512_srli_epi32::<BITS>(v);
        fn negative8(self, v: __m512i) -> u64 = _mm512_movepi8_mask(v);
        fn test8(self, a: __m512i, b: __m512i) -> u64 = _mm512_test_epi8_mask(a, b);
        fn test16(self, a: __m512i, b: __m512i) -> u32 = _mm512_test_epi16_mask(a, b);
        fn lt8(self, a: __m512i, b: __m512i) -> u64 = _mm512_cmplt_epu8_mask(a, b);
        fn lt16(self, a: __m512i, b: __m512i) -> u32 = _mm512_cmplt_epu16_mask(a, b);
        fn lt32(self, a: __m512i, b: __m512i) -> u16 = _mm512_cmplt_epu32_mask(a, b);
        fn blend8(self, mask: u64, a: __m512i, b: __m512i) -> __m512i = _mm512_mask_blend_epi8(mask, a, b);
        fn blend16(self, mask: u32, a: __m512i, b: __m512i) -> __m512i = _mm512_mask_blend_epi16(mask, a, b);
        fn blend32(self, mask: u16, a: __m512i, b: __m512i) -> __m512i = _mm512_mask_blend_epi32(mask, a, b);
        fn lookup16(self, table: &[u8; 16], index: __m512i) -> __m512i =
            _mm512_shuffle_epi8(repeat16(table), index);
        fn reorder16(self, order: &[u8; 16], v: __m512i) -> __m512i = _mm512_shuffle_epi8(v, repeat16(order));
        fn delay<const BYTES: u32>(self, v: __m512i, before: __m512i) -> __m512i = {
            let quarters = _mm512_alignr_epi64::<6>(v, before);
            match BYTES {
                1 => _mm512_alignr_epi8::<15>(v, quarters),
                2 => _mm512_alignr_epi8::<14>(v, quarters),
                3 => _mm512_alignr_epi8::<13>(v, quarters),
                _ => unreachable!("no kernel needs it"),
            }
        };
        fn spread(self, v: __m512i) -> __m512i = spread_quarters(v);
        fn unpack8(self, a: __m512i, b: __m512i) -> [__m512i; 2] =
            [_mm512_unpacklo_epi8(a, b), _mm512_unpackhi_epi8(a, b)];
        fn interleave16(self, a: __m512i, b: __m512i) -> [__m512i; 2] = {
            let (a, b) = (spread_quarters(a), spread_quarters(b));
            [_mm512_unpacklo_epi16(a, b), _mm512_unpackhi_epi16(a, b)]
        };
        fn narrow16(self, a: __m512i, b: __m512i) -> __m512i = gather_quarters(_mm512_packus_epi16(a, b));
        fn narrow32(self, a: __m512i, b: __m512i) -> __m512i = gather_quarters(_mm512_packus_epi32(a, b));
        fn compress32(self, mask: u16, v: __m512i) -> __m512i = _mm512_maskz_compress_epi32(mask, v);
    }
}

impl Compress for Instructions<true> {
    #[inline(always)]
    fn look_up(self, table: &[Cell; DOUBLES], indices: &[u8; SIZE / 2]) -> __m512i {
        // SAFETY: `self` is proof of the instructions; 32 bytes are loaded, and the indices are below the length of the
        // table, whose cells have four bytes.
        unsafe {
            let indices = _mm512_cvtepu16_epi32(_mm256_loadu_si256(indices.as_ptr().cast()));
            let indices = _mm512_and_si512(indices, _mm512_set1_epi32(DOUBLES as i32 - 1));
            _mm512_i32gather_epi32::<4>(indices, table.as_ptr().cast())
        }
    }

    operations! { unsafe;
        fn kept_of_pairs(self, both: u32) -> u64 = _pdep_u64(both.into(), !FIRSTS) | FIRSTS;
        fn lookup64(self, table: &[u8; SIZE], index: __m512i) -> __m512i =
            _mm512_permutexvar_epi8(index, self.load(table));
        fn lookup128(self, tables: &[[u8; SIZE]; 2], index: __m512i) -> __m512i =
            _mm512_permutex2var_epi8(self.load(&tables[0]), index, self.load(&tables[1]));
        fn permute8(self, order: &[u8; SIZE], v: __m512i) -> __m512i =
            _mm512_permutexvar_epi8(self.load(order), v);
        fn shift_bytes(self, shifts: &[u8; SIZE], v: __m512i) -> __m512i =
            _mm512_multishift_epi64_epi8(self.load(shifts), v);
        fn compress8(self, mask: u64, v: __m512i) -> __m512i = _mm512_maskz_compress_epi8(mask, v);
        fn compress16(self, mask: u32, v: __m512i) -> __m512i = _mm512_maskz_compress_epi16(mask, v);
    }
}

/// Returns a vector with `bytes` in each of its quarters.
#[inline]
#[target_feature(enable = "avx512f")]
fn repeat16(bytes: &[u8; 16]) -> __m512i {
    // SAFETY: `bytes` is as long as the load.
    _mm512_broadcast_i32x4(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
}

/// Reorders the halves of quarters, so that unpacking the lower halves of quarters gives the lower half of the vector,
/// and unpacking the upper halves gives the upper half.
#[inline]
#[target_feature(enable = "avx512f")]
fn spread_quarters(v: __m512i) -> __m512i {
    _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7), v)
}

/// Restores the order of lanes after two vectors were packed quarter by quarter.
#[inline]
#[target_feature(enable = "avx512f")]
fn gather_quarters(v: __m512i) -> __m512i {
    _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), v)
}
