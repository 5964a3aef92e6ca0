//! Validators, which are conversions that write nothing.

use super::simd::{Convert, SIZE, Simd};
use super::{from_utf16, from_utf32};
use crate::kernel::generic::utf8_faults::{kinds, leads_of_cut};

/// Number of vectors that are checked at a time.
const GROUP: usize = 4;

/// Length in bytes from which on aligning the loads is faster.
const LONG: usize = 4096;

/// Reads the whole well-formed prefix of UTF-8, with the tables of
/// [`utf8_faults`](crate::kernel::generic::utf8_faults).
pub struct Utf8ToNothing;

impl<S: Simd> Convert<S> for Utf8ToNothing {
    #[inline(always)]
    fn convert(simd: S, src: &[u8], _: &mut [u8]) -> (usize, usize) {
        (well_formed_utf8(simd, src), 0)
    }
}

#[inline(always)]
fn well_formed_utf8<S: Simd>(simd: S, src: &[u8]) -> usize {
    // Read a long source from a multiple of the vector's size on, because a load that crosses a cache line takes twice
    // as long. The bytes before that are checked as the end of a separate group.
    let misaligned = if src.len() < LONG { 0 } else { src.as_ptr().align_offset(SIZE).min(SIZE) };
    let (front, aligned) = src.split_at(misaligned);
    let zero = simd.splat8(0);
    let mut before = zero;
    if !front.is_empty() {
        let mut block = [0; SIZE];
        block[SIZE - front.len()..].copy_from_slice(front);
        before = simd.load(&block);
        if let Err(at) = utf8_group(simd, [zero, zero, zero, before], zero) {
            return utf8_near(src, (at + front.len()).saturating_sub(GROUP * SIZE));
        }
    }
    let mut read = front.len();
    let (groups, rest) = aligned.as_chunks::<{ GROUP * SIZE }>();
    for group in groups {
        let (parts, _) = group.as_chunks();
        let vectors = std::array::from_fn(|i| simd.load(&parts[i]));
        match utf8_group(simd, vectors, before) {
            Ok(last) => before = last,
            Err(at) => return utf8_near(src, read + at),
        }
        read += group.len();
    }
    // Pad the last group with ASCII, also in place of a sequence that the end cuts.
    let whole = rest.len() - cut_off(rest);
    let vectors = std::array::from_fn(|i| simd.load_part(&rest[whole.min(i * SIZE)..whole]));
    match utf8_group(simd, vectors, before) {
        Ok(_) => read + whole,
        Err(at) => utf8_near(src, read + at),
    }
}

/// Returns the number of bytes of a sequence that the end of `src` cuts.
fn cut_off(src: &[u8]) -> usize {
    let is_cut = |(lead, came): (u8, usize)| src.len() >= came && src[src.len() - came] >= lead;
    [(0xC0, 1), (0xE0, 2), (0xF0, 3)].into_iter().find(|last| is_cut(*last)).map_or(0, |(_, came)| came)
}

/// Returns the length of the well-formed prefix. `near` is before the start of the first fault, or at most three bytes
/// after it.
#[cold]
fn utf8_near(src: &[u8], near: usize) -> usize {
    const LONGEST: usize = 4;
    let begins = |at: &usize| src[*at] & 0xC0 != 0x80;
    let last = near.min(src.len()).saturating_sub(LONGEST);
    let start = (last.saturating_sub(LONGEST - 1)..=last).rev().find(begins).unwrap_or(0);
    match std::str::from_utf8(&src[start..]) {
        Ok(_) => src.len(),
        Err(error) => start + error.valid_up_to(),
    }
}

/// Checks vectors of UTF-8 that follow `before`, except for a sequence that the end cuts. Returns the last vector, or a
/// position at most one sequence after the first fault.
#[inline(always)]
fn utf8_group<S: Simd>(simd: S, [a, b, c, d]: [S::V; GROUP], before: S::V) -> Result<S::V, usize> {
    let any = simd.or(simd.or(a, b), simd.or(c, d));
    if simd.negative8(any) == 0 {
        return if is_cut(simd, before) { Err(0) } else { Ok(d) };
    }
    let faults = [
        utf8_faults(simd, a, before),
        utf8_faults(simd, b, a),
        utf8_faults(simd, c, b),
        utf8_faults(simd, d, c),
    ];
    let any = simd.or(simd.or(faults[0], faults[1]), simd.or(faults[2], faults[3]));
    if simd.test8(any, any) == 0 {
        return Ok(d);
    }
    let masks = faults.map(|faults| simd.test8(faults, faults));
    let vector = masks.iter().take_while(|mask| **mask == 0).count();
    Err(vector * SIZE + masks[vector].trailing_zeros() as usize)
}

/// Whether the end of `v` cuts a sequence.
#[inline(always)]
fn is_cut<S: Simd>(simd: S, v: S::V) -> bool {
    const LEADS: [u8; SIZE] = leads_of_cut();
    simd.lt8(v, simd.load(&LEADS)) != u64::MAX
}

/// Returns a nonzero byte for each byte of `v` that is ill-formed after the bytes before it. A sequence that the end of
/// `v` cuts is not found here.
#[inline(always)]
fn utf8_faults<S: Simd>(simd: S, v: S::V, before: S::V) -> S::V {
    const TABLES: [[u8; 16]; 3] = [kinds(0), kinds(1), kinds(2)];
    let [first_upper, first_lower, second_upper] = &TABLES;
    let lower_half = simd.splat8(0x0F);
    let first = simd.delay::<1>(v, before);
    let faults = simd.and(
        simd.and(
            simd.lookup16(first_upper, simd.and(simd.shr16::<4>(first), lower_half)),
            simd.lookup16(first_lower, simd.and(first, lower_half)),
        ),
        simd.lookup16(second_upper, simd.and(simd.shr16::<4>(v), lower_half)),
    );
    // The third byte of a three-byte or four-byte sequence, and the fourth byte of a four-byte sequence, must be a
    // continuation byte after another continuation byte. Below, the highest bit stays set if the byte two positions
    // before is at least E0, or the byte three positions before at least F0.
    let third = simd.saturating_sub8(simd.delay::<2>(v, before), simd.splat8(0xE0 - 0x80));
    let fourth = simd.saturating_sub8(simd.delay::<3>(v, before), simd.splat8(0xF0 - 0x80));
    let expected = simd.and(simd.or(third, fourth), simd.splat8(0x80));
    simd.xor(faults, expected)
}

/// The target of a conversion that only checks the source.
pub struct Nothing;

impl<S: Simd> from_utf16::Target<S> for Nothing {
    const UNIT: usize = 0;
    const ROOM: usize = 0;

    #[inline(always)]
    fn put(_: S, _: S::V, _: &mut [u8]) -> usize {
        0
    }

    #[inline(always)]
    fn put_pairs(_: S, _: &from_utf16::Pairs<S::V>, _: &mut [u8]) -> usize {
        0
    }
}

impl<S: Simd> from_utf32::Target<S> for Nothing {
    const UNIT: usize = 0;
    const ROOM: usize = 0;

    #[inline(always)]
    fn put(_: S, _: [S::V; 2], _: &mut [u8]) -> usize {
        0
    }
}
