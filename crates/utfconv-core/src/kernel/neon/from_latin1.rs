//! The kernels from ISO-8859-1, and from US-ASCII, which stop at bytes from 80 on.

use std::arch::aarch64::*;

use super::planes::Units;
use super::vector::{LANES, all, any, load, store};
use super::{Neon, Proof, to_utf8};
use crate::form::Form;
use crate::kernel::generic::Kernel;
use crate::kernel::generic::set::{kernel, narrow_kernel};
use crate::kernel::generic::walk::walk;

/// Returns the kernel from ISO-8859-1, or from US-ASCII if `LAST` is 7F, to another form, if there is one.
#[inline(always)]
pub fn kernel<const LAST: u8>(set: Neon, to: Form) -> Option<Kernel> {
    narrow_kernel!(set, LAST, to)
}

/// Converts US-ASCII to a form that contains ASCII as single bytes.
#[target_feature(enable = "neon")]
fn ascii(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    walk(
        src,
        dst,
        |block: &[u8; 128], room: &mut [u8; 128]| put_ascii(block, room),
        |block: &[u8; LANES], room: &mut [u8; LANES]| put_ascii(block, room).then_some((LANES, LANES)),
    )
}

/// Copies a block, and returns whether it is ASCII.
#[inline]
#[target_feature(enable = "neon")]
fn put_ascii<const LEN: usize>(block: &[u8; LEN], room: &mut [u8; LEN]) -> bool {
    let mut bits = all(0);
    for (bytes, room) in block.as_chunks().0.iter().zip(room.as_chunks_mut().0) {
        let bytes = load(bytes);
        store(bytes, room);
        bits = vorrq_u8(bits, bytes);
    }
    !any(bits)
}

/// Converts ISO-8859-1 to UTF-8.
#[target_feature(enable = "neon")]
fn utf8(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    walk(
        src,
        dst,
        |block: &[u8; 64], room: &mut [u8; 64]| put_ascii(block, room),
        |block: &[u8; LANES], room: &mut [u8; to_utf8::ROOM]| {
            let bytes = load(block);
            if !any(bytes) {
                store(bytes, room.first_chunk_mut().expect("more room"));
                return Some((LANES, LANES));
            }
            Some((LANES, to_utf8::put_latin1(bytes, room)))
        },
    )
}

#[target_feature(enable = "neon")]
fn utf16<const LAST: u8, const TO_BE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let put = |bytes: &[u8; LANES], room: &mut [u8; 2 * LANES]| {
        let low = load(bytes);
        Units { low, high: all(0) }.store::<TO_BE>(room);
        low
    };
    walk(
        src,
        dst,
        |block: &[u8; 64], room: &mut [u8; 128]| {
            let rooms = room.as_chunks_mut().0;
            let bytes = block.as_chunks().0.iter().zip(rooms);
            are_within::<LAST>(bytes.fold(all(0), |bits, (bytes, room)| vorrq_u8(bits, put(bytes, room))))
        },
        |block: &[u8; LANES], room: &mut [u8; 2 * LANES]| {
            are_within::<LAST>(put(block, room)).then_some((LANES, 2 * LANES))
        },
    )
}

#[target_feature(enable = "neon")]
fn utf32<const LAST: u8, const TO_BE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let put = |bytes: &[u8; LANES], room: &mut [u8; 4 * LANES]| {
        let low = load(bytes);
        Units { low, high: all(0) }.store_wide::<TO_BE>(room);
        low
    };
    walk(
        src,
        dst,
        |block: &[u8; 64], room: &mut [u8; 256]| {
            let rooms = room.as_chunks_mut().0;
            let bytes = block.as_chunks().0.iter().zip(rooms);
            are_within::<LAST>(bytes.fold(all(0), |bits, (bytes, room)| vorrq_u8(bits, put(bytes, room))))
        },
        |block: &[u8; LANES], room: &mut [u8; 4 * LANES]| {
            are_within::<LAST>(put(block, room)).then_some((LANES, 4 * LANES))
        },
    )
}

/// Whether no byte is greater than `LAST`, which is 7F or FF.
#[inline]
#[target_feature(enable = "neon")]
fn are_within<const LAST: u8>(bytes: uint8x16_t) -> bool {
    LAST > 0x7F || !any(bytes)
}
