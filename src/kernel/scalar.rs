//! The portable kernels, in safe Rust: blocks of ASCII, which the compiler vectorises, and single scalar values.

use crate::decode::{BLOCK, WellFormed};
use crate::encode::Put;

/// Any pair of encoding forms, without a detour.
pub(super) fn run<S: WellFormed, T: Put>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let (Some(block), Some(room)) =
        (src.get(read..read + BLOCK * S::UNIT), dst.get_mut(written..written + BLOCK * T::UNIT))
    {
        if let Some(ascii) = S::ascii(block) {
            T::put_ascii(&ascii, room);
            read += BLOCK * S::UNIT;
            written += BLOCK * T::UNIT;
            continue;
        }
        // A block's worth of scalar values, so that the test above is paid once a block in text without ASCII.
        let end = read + BLOCK * S::UNIT;
        while read < end {
            let Some((r, w)) = one::<S, T>(&src[read..], &mut dst[written..]) else { return (read, written) };
            read += r;
            written += w;
        }
    }
    while let Some((r, w)) = one::<S, T>(&src[read..], &mut dst[written..]) {
        read += r;
        written += w;
    }
    (read, written)
}

#[inline(always)]
fn one<S: WellFormed, T: Put>(src: &[u8], dst: &mut [u8]) -> Option<(usize, usize)> {
    let (scalar, read) = S::scalar(src)?;
    Some((read, T::put(scalar, dst)?))
}

/// UTF-8 to itself: find the end of the well-formed run, and copy.
pub(super) fn copy_utf8(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let room = src.len().min(dst.len());
    // The copy is judged, not the source: the source may be a memory map that another process writes to.
    dst[..room].copy_from_slice(&src[..room]);
    let len = encoding_rs::Encoding::utf8_valid_up_to(&dst[..room]);
    (len, len)
}
