//! Encoding: scalar values to bytes of a target.
//!
//! As in [`crate::decode`], each encoding form has a fast face for the kernels ([`Put`]) and one that the transcoder
//! calls for a single character ([`Encode`]). An encoder knows neither source nor policy: it says whether the target
//! has a scalar value, and no more.

mod single_byte;
mod utf16;
mod utf32;
mod utf8;

use crate::decode::BLOCK;

/// The most bytes that one scalar value takes in any encoding.
pub(crate) const WIDEST: usize = 8;

/// The fast face of an encoding form.
pub(crate) trait Put {
    /// Bytes in a code unit.
    const UNIT: usize = 1;

    /// Writes `scalar` to the front of `dst` and answers the number of bytes.
    /// `None`, with nothing written, if the target lacks it.
    fn put(scalar: char, dst: &mut [u8; WIDEST]) -> Option<usize>;

    /// Writes a block of ASCII to `dst`, which holds exactly so many code units.
    #[inline(always)]
    fn put_ascii(block: &[u8; BLOCK], dst: &mut [u8]) {
        dst.copy_from_slice(block);
    }

    /// Writes what stands for a carried source byte (80..FF) to the front of `dst`, and answers the number of bytes.
    ///
    /// In a byte encoding that is the byte itself; wider ones take the surrogate U+DC80..U+DCFF of PEP 383.
    fn put_carried(byte: u8, dst: &mut [u8; WIDEST]) -> usize {
        store([byte], dst)
    }
}

/// A target for one scalar value at a time.
pub(crate) trait Encode: Send {
    /// The bytes of `scalar`, or `None` if the target lacks it.
    fn encode<'a>(&mut self, scalar: char, room: &'a mut [u8; WIDEST]) -> Option<&'a [u8]>;

    /// The bytes that stand for a carried source byte (80..FF).
    fn carry<'a>(&mut self, byte: u8, room: &'a mut [u8; WIDEST]) -> &'a [u8];
}

impl<T: Put + Send> Encode for T {
    fn encode<'a>(&mut self, scalar: char, room: &'a mut [u8; WIDEST]) -> Option<&'a [u8]> {
        let len = T::put(scalar, room)?;
        Some(&room[..len])
    }

    fn carry<'a>(&mut self, byte: u8, room: &'a mut [u8; WIDEST]) -> &'a [u8] {
        let len = T::put_carried(byte, room);
        &room[..len]
    }
}

/// Writes `bytes` to the front of `dst`; answers how many they are.
#[inline(always)]
fn store<const N: usize>(bytes: [u8; N], dst: &mut [u8; WIDEST]) -> usize {
    dst[..N].copy_from_slice(&bytes);
    N
}

/// The surrogate pair of a supplementary scalar value (Unicode 3.9, table 3-5).
#[inline(always)]
fn split(scalar: u32) -> (u16, u16) {
    let above = scalar - 0x10000;
    (0xD800 | (above >> 10) as u16, 0xDC00 | (above & 0x3FF) as u16)
}
