//! The kernels from UTF-8, shared by the sets of vector instructions.
//!
//! All kernels take the same steps, in blocks of 64 bytes. A block of ASCII is widened. In other blocks, each byte is
//! checked against the three bytes before it. For each byte that ends a sequence, the code unit is computed from the
//! byte and the three bytes before it. The code units of the other bytes are then removed, eight at a time, by a table
//! of shuffles. No sequence waits for the previous sequence, and no branch depends on sequence lengths.
//!
//! The code unit of a sequence that crosses blocks is written with the second block.

#![allow(unsafe_code)]

use crate::decode::{Utf8, WellFormed};

/// Number of bytes in a block.
pub(crate) const BLOCK: usize = 64;
/// Number of bytes before a block in which the first sequence of the block may begin.
pub(crate) const BEFORE: usize = 3;
pub(crate) const WINDOW: usize = BEFORE + BLOCK;

/// Whether a block ends inside a sequence, and how much of the sequence is in the block.
pub(crate) trait Cut: Copy + Default {
    fn is_none(self) -> bool;

    /// Returns the number of bytes of the cut sequence that are in the block.
    fn len(self) -> usize;
}

/// A block and the bytes before each byte, loaded by a set of instructions.
///
/// # Safety
/// The unsafe functions require a CPU that has the instructions.
pub(crate) trait Block: Sized {
    type Cut: Cut;

    unsafe fn load(window: &[u8; WINDOW]) -> Self;

    /// Returns the greatest length that a lead byte in the block, or among the bytes before it, announces; 2 if none
    /// does.
    unsafe fn longest(&self) -> usize;

    /// Returns a bit for each byte that is ill-formed after the byte before it. The block must not have lead bytes of
    /// three-byte or four-byte sequences.
    unsafe fn faults_of_two(&self, cut: Self::Cut) -> u64;

    /// Returns a bit for each byte that is ill-formed after the bytes before it. No lead byte may announce more than
    /// `longest` bytes. The first bit set is at most one sequence after the first fault; all sequences that end before
    /// the byte in front of that bit are well-formed. `T` is the target, because a copy of the function for each target
    /// has a single caller, and is inlined.
    unsafe fn faults<T>(&self, longest: usize) -> u64;

    /// Returns the bytes that are at least `low`, as bits.
    unsafe fn at_least(&self, low: u8) -> u64;

    /// Returns the sequence that the end of the block cuts.
    unsafe fn cut(&self) -> Self::Cut;

    /// Returns the continuation bytes, as bits.
    unsafe fn continuations(&self) -> u64;
}

/// An encoding form that is written from blocks of a set of instructions.
pub(crate) trait Target<B> {
    /// Number of bytes in a code unit.
    const UNIT: usize;

    /// Number of bytes of the longest sequence whose character the target can encode.
    const LONGEST: usize = 4;

    /// Number of bytes already written after three bytes of a four-byte sequence.
    const EARLY: usize = 0;

    /// Writes `src`, which is whole blocks, to `room`, which the output fills exactly, if `src` is ASCII. Returns false
    /// if `src` is not ASCII; the content of `room` is then undefined.
    ///
    /// # Safety
    /// The CPU must have the instructions of `B`.
    unsafe fn put_if_ascii(src: &[u8], room: &mut [u8]) -> bool;

    /// Writes the sequences of a well-formed block that end at the bits of `ends`. Returns the number of bytes written.
    /// No sequence is longer than `LONGEST`. Writes nothing, not even a high surrogate, for a sequence that ends after
    /// the last bit of `within`. The room holds as many code units as a block has bytes.
    ///
    /// # Safety
    /// The CPU must have the instructions of `B`.
    unsafe fn put<const LONGEST: usize>(block: &B, ends: u64, within: u64, room: &mut [u8]) -> usize;
}

/// Writes UTF-16 in the given byte order.
pub(crate) struct Utf16<const BIG_ENDIAN: bool>;

/// Writes UTF-32 in the given byte order.
pub(crate) struct Utf32<const BIG_ENDIAN: bool>;

/// Writes ISO-8859-1.
pub(crate) struct Latin1;

/// Converts a prefix of `src` to `dst`. Returns the numbers of bytes read and written.
///
/// # Safety
/// The CPU must have the instructions of `B`.
#[inline(always)]
pub(crate) unsafe fn convert<B: Block, T: Target<B>>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    // If faults are dense, most calls end here.
    if Utf8.first(src).is_none() {
        return (0, 0);
    }
    let (mut read, mut written) = (0, 0);
    // The first block, which no bytes precede, and the last block, which may be short, are padded with zeros.
    let mut padded;
    // The sequence that the end of the previous block cut.
    let mut cut = B::Cut::default();
    while read < src.len() {
        if cut.is_none() {
            // SAFETY: the caller promises that the CPU has the instructions.
            let len = unsafe { put_ascii::<B, T>(&src[read..], &mut dst[written..]) };
            read += len;
            written += len * T::UNIT;
        }
        let Some(room) = dst.get_mut(written..written + BLOCK * T::UNIT) else { break };
        let len = BLOCK.min(src.len() - read);
        let window = match src.get(read.wrapping_sub(BEFORE)..read + BLOCK) {
            Some(window) => window.try_into().expect("so many bytes"),
            None => {
                padded = pad(src, read);
                &padded
            }
        };
        // SAFETY: the caller promises that the CPU has the instructions.
        let (block, longest, faults, next_cut) = unsafe {
            let block = B::load(window);
            let longest = if T::LONGEST > 2 { block.longest() } else { 2 };
            let mut faults = if longest == 2 { block.faults_of_two(cut) } else { block.faults::<T>(longest) };
            if T::LONGEST == 2 {
                faults |= block.at_least(0xC4);
            }
            let next_cut = block.cut();
            (block, longest, faults, next_cut)
        };
        // SAFETY: the caller promises that the CPU has the instructions.
        let mut ends = !unsafe { block.continuations() } >> 1 | u64::from(next_cut.is_none()) << 63;
        let is_last = faults != 0 || len < BLOCK;
        let mut within = u64::MAX;
        if is_last {
            let first = faults.trailing_zeros().min(len as u32);
            let sound = u64::MAX.unbounded_shr(64 - first);
            // The byte before a fault may not be the end of a sequence.
            ends &= if faults != 0 { sound >> 1 } else { sound };
            within = u64::MAX.unbounded_shr(ends.leading_zeros());
        }
        // SAFETY: the caller promises that the CPU has the instructions, and the room is as long as a block needs.
        written += unsafe {
            match longest {
                2 => T::put::<2>(&block, ends, within, room),
                3 => T::put::<3>(&block, ends, within, room),
                _ => T::put::<4>(&block, ends, within, room),
            }
        };
        if is_last {
            if ends != 0 {
                read += BLOCK - ends.leading_zeros() as usize;
                cut = B::Cut::default();
            }
            break;
        }
        read += BLOCK;
        cut = next_cut;
    }
    // If the source is modified concurrently, these bytes may be unwritten, so avoid an underflow.
    let early = if cut.len() == 3 { T::EARLY } else { 0 };
    (read - cut.len(), written.saturating_sub(early))
}

/// Returns the block at `at`, which may be short, with the bytes before it, padded with zeros.
#[cold]
fn pad(src: &[u8], at: usize) -> [u8; WINDOW] {
    let mut window = [0; WINDOW];
    if at == 0
        && let Some(block) = src.first_chunk::<BLOCK>()
    {
        window[BEFORE..].copy_from_slice(block);
        return window;
    }
    let bytes = &src[at.saturating_sub(BEFORE)..src.len().min(at + BLOCK)];
    let start = BEFORE.saturating_sub(at);
    window[start..start + bytes.len()].copy_from_slice(bytes);
    window
}

/// Writes the ASCII that `src` begins with, in whole blocks. Returns the number of bytes read.
///
/// # Safety
/// The CPU must have the instructions of `B`.
#[inline(always)]
unsafe fn put_ascii<B, T: Target<B>>(src: &[u8], dst: &mut [u8]) -> usize {
    let (Some(block), Some(room)) = (src.get(..BLOCK), dst.get_mut(..BLOCK * T::UNIT)) else { return 0 };
    // SAFETY: the caller promises that the CPU has the instructions.
    unsafe {
        if put_blocks::<B, T, BLOCK>(block, room) == 0 {
            return 0;
        }
        // Copy more ASCII in longer steps, then the last block.
        let mut len = BLOCK;
        len += put_blocks::<B, T, { 2 * BLOCK }>(&src[len..], &mut dst[len * T::UNIT..]);
        len + put_blocks::<B, T, BLOCK>(&src[len..], &mut dst[len * T::UNIT..])
    }
}

/// Writes the blocks of ASCII, of `LEN` bytes, that `src` begins with. Returns the number of bytes read.
///
/// # Safety
/// The CPU must have the instructions of `B`.
#[inline(always)]
unsafe fn put_blocks<B, T: Target<B>, const LEN: usize>(src: &[u8], dst: &mut [u8]) -> usize {
    let mut len = 0;
    while let (Some(block), Some(room)) =
        (src.get(len..len + LEN), dst.get_mut(len * T::UNIT..(len + LEN) * T::UNIT))
        // SAFETY: the caller promises that the CPU has the instructions, and the room is as long as `T` needs.
        && unsafe { T::put_if_ascii(block, room) }
    {
        len += LEN;
    }
    len
}
