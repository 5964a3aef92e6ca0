//! The kernels from ISO-8859-1, and from US-ASCII, which stop at bytes from 80 on.

use std::arch::x86_64::*;

use super::vector::{load, load_half, shuffle, spread, store};
use super::{Avx2, Proof, to_utf8};
use crate::form::Form;
use crate::kernel::generic::Kernel;
use crate::kernel::generic::set::{kernel, narrow_kernel};
use crate::kernel::generic::walk::walk;

/// Returns the kernel from ISO-8859-1, or from US-ASCII if `LAST` is 7F, to another form, if there is one.
#[inline(always)]
pub fn kernel<const LAST: u8>(set: Avx2, to: Form) -> Option<Kernel> {
    narrow_kernel!(set, LAST, to)
}

/// Converts US-ASCII to a form that contains ASCII as single bytes.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn ascii(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    walk(
        src,
        dst,
        |block: &[u8; 128], room: &mut [u8; 128]| put_ascii(block, room),
        |block: &[u8; 32], room: &mut [u8; 32]| put_ascii(block, room).then_some((32, 32)),
    )
}

/// Copies a block, and returns whether it is ASCII.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn put_ascii<const LEN: usize>(block: &[u8; LEN], room: &mut [u8; LEN]) -> bool {
    let mut all = _mm256_setzero_si256();
    for (at, bytes) in block.as_chunks().0.iter().enumerate() {
        let bytes = load(bytes);
        store(bytes, room, 32 * at);
        all = _mm256_or_si256(all, bytes);
    }
    _mm256_movemask_epi8(all) == 0
}

/// Converts ISO-8859-1 to UTF-8.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn utf8(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    walk(
        src,
        dst,
        |block: &[u8; 64], room: &mut [u8; 64]| put_ascii(block, room),
        |block: &[u8; 32], room: &mut [u8; 64]| Some((32, to_utf8::put_latin1(load(block), room))),
    )
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn utf16<const LAST: u8, const TO_BE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let put = |half: &[u8; 16], room: &mut [u8], at| {
        let bytes = load_half(half);
        store(shuffle(bytes, const { &spread::<1, 2>(0, false, TO_BE) }), room, at);
        bytes
    };
    walk(
        src,
        dst,
        |block: &[u8; 64], room: &mut [u8; 128]| {
            let [a, b, c, d] = [0, 1, 2, 3].map(|at| put(&block.as_chunks().0[at], room, 32 * at));
            are_within::<LAST>(_mm_or_si128(_mm_or_si128(a, b), _mm_or_si128(c, d)))
        },
        |block: &[u8; 16], room: &mut [u8; 32]| are_within::<LAST>(put(block, room, 0)).then_some((16, 32)),
    )
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn utf32<const LAST: u8, const TO_BE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let put = |half: &[u8; 16], room: &mut [u8], at| {
        let bytes = load_half(half);
        // Each half of a vector has room for four code units.
        store(shuffle(bytes, const { &spread::<1, 4>(0, false, TO_BE) }), room, at);
        store(shuffle(bytes, const { &spread::<1, 4>(8, false, TO_BE) }), room, at + 32);
        bytes
    };
    walk(
        src,
        dst,
        |block: &[u8; 32], room: &mut [u8; 128]| {
            let [a, b] = [0, 1].map(|at| put(&block.as_chunks().0[at], room, 64 * at));
            are_within::<LAST>(_mm_or_si128(a, b))
        },
        |block: &[u8; 16], room: &mut [u8; 64]| are_within::<LAST>(put(block, room, 0)).then_some((16, 64)),
    )
}

/// Whether no byte is greater than `LAST`, which is 7F or FF.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn are_within<const LAST: u8>(bytes: __m128i) -> bool {
    LAST > 0x7F || _mm_movemask_epi8(bytes) == 0
}
