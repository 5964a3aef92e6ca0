//! From ISO-8859-1, and from US-ASCII, which stops where that goes on.

use std::arch::x86_64::*;

use super::vector::{load, load_half, order_16, order_32, store, walk};
use super::{Avx2, kernel, to_utf8};
use crate::encoding::Form;
use crate::kernel::Kernel;

/// The kernel from ISO-8859-1 or US-ASCII to another form, if there is one.
pub fn kernel(set: Avx2, from: Form, to: Form) -> Option<Kernel> {
    match from {
        Form::Latin1 => kernel_from::<0xFF>(set, to),
        Form::Ascii => kernel_from::<0x7F>(set, to),
        _ => None,
    }
}

fn kernel_from<const LAST: u8>(set: Avx2, to: Form) -> Option<Kernel> {
    Some(match (LAST, to) {
        (0x80.., Form::Utf8) => kernel!(set, utf8),
        (_, Form::Utf16Le | Form::Ucs2Le) => kernel!(set, utf16::<LAST, false>),
        (_, Form::Utf16Be | Form::Ucs2Be) => kernel!(set, utf16::<LAST, true>),
        (_, Form::Utf32Le | Form::Ucs4Le) => kernel!(set, utf32::<LAST, false>),
        (_, Form::Utf32Be | Form::Ucs4Be) => kernel!(set, utf32::<LAST, true>),
        (0x80.., Form::Latin1) => Box::new(copy),
        (_, Form::Utf8 | Form::Latin1 | Form::Ascii) => kernel!(set, ascii),
        _ => return None,
    })
}

/// ISO-8859-1 to itself: every byte is a character.
fn copy(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let len = src.len().min(dst.len());
    dst[..len].copy_from_slice(&src[..len]);
    (len, len)
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn is_ascii(bytes: __m256i) -> bool {
    _mm256_movemask_epi8(bytes) == 0
}

/// US-ASCII to any form that has it as it is.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn ascii(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    walk(
        src,
        dst,
        |block: &[u8; 128], room: &mut [u8; 128]| put_ascii(block, room),
        |block: &[u8; 32], room: &mut [u8; 32]| put_ascii(block, room).then_some((32, 32)),
    )
}

/// Copies a block, and answers whether it is ASCII.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn put_ascii<const LEN: usize>(block: &[u8; LEN], room: &mut [u8; LEN]) -> bool {
    let mut all = _mm256_setzero_si256();
    for (at, bytes) in block.as_chunks().0.iter().enumerate() {
        let bytes = load(bytes);
        store(bytes, room, 32 * at);
        all = _mm256_or_si256(all, bytes);
    }
    is_ascii(all)
}

/// Of ISO-8859-1.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn utf8(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    walk(
        src,
        dst,
        |block: &[u8; 64], room: &mut [u8; 64]| put_ascii(block, room),
        |block: &[u8; 16], room: &mut [u8; 32]| {
            Some((16, to_utf8::put_below_800(_mm256_cvtepu8_epi16(load_half(block)), room)))
        },
    )
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn utf16<const LAST: u8, const TO: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let put = |bytes, room: &mut [u8], at| {
        let low = _mm256_cvtepu8_epi16(_mm256_castsi256_si128(bytes));
        let high = _mm256_cvtepu8_epi16(_mm256_extracti128_si256::<1>(bytes));
        store(order_16::<TO>(low), room, at);
        store(order_16::<TO>(high), room, at + 32);
        LAST > 0x7F || is_ascii(bytes)
    };
    walk(
        src,
        dst,
        |block: &[u8; 64], room: &mut [u8; 128]| {
            let [a, b] = [0, 1].map(|at| load(&block.as_chunks().0[at]));
            put(a, room, 0) && put(b, room, 64)
        },
        |block: &[u8; 32], room: &mut [u8; 64]| put(load(block), room, 0).then_some((32, 64)),
    )
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn utf32<const LAST: u8, const TO: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let put = |bytes, room: &mut [u8], at| {
        let low = _mm256_cvtepu8_epi32(bytes);
        let high = _mm256_cvtepu8_epi32(_mm_srli_si128::<8>(bytes));
        store(order_32::<TO>(low), room, at);
        store(order_32::<TO>(high), room, at + 32);
        LAST > 0x7F || _mm_movemask_epi8(bytes) == 0
    };
    walk(
        src,
        dst,
        |block: &[u8; 32], room: &mut [u8; 128]| {
            let [a, b] = [0, 1].map(|at| load_half(&block.as_chunks().0[at]));
            put(a, room, 0) && put(b, room, 64)
        },
        |block: &[u8; 16], room: &mut [u8; 64]| put(load_half(block), room, 0).then_some((16, 64)),
    )
}
