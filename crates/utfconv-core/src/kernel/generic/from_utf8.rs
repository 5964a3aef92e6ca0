//! The kernels from UTF-8, for sets of vector instructions.
//!
//! All take the same steps, in blocks of 64 bytes. A block of ASCII is widened as it is. In any other block, every byte
//! is checked against the three before it. Then the unit of each byte that ends a sequence is computed, from the byte
//! and the three before it. Then the units of the other bytes are removed, eight bytes at a time, by a table of
//! shuffles. No sequence waits for the one before, and nothing branches by their lengths.
//!
//! A sequence may straddle two blocks: its unit is made in the second.

#![allow(unsafe_code)]

use crate::decode::{Utf8, WellFormed};

/// Bytes in a block.
pub(crate) const BLOCK: usize = 64;
/// Bytes before a block that its first sequence may begin in.
pub(crate) const BEFORE: usize = 3;
pub(crate) const WINDOW: usize = BEFORE + BLOCK;

/// Whether a block ends within a sequence.
pub(crate) trait Cut: Copy + Default {
    fn is_none(self) -> bool;

    /// Returns how many bytes of the sequence are in the block.
    fn len(self) -> usize;
}

/// A block, with the bytes before each byte, by some set of instructions.
///
/// # Safety
/// The functions that are unsafe need a CPU with these instructions.
pub(crate) trait Block: Sized {
    type Cut: Cut;

    unsafe fn load(window: &[u8; WINDOW]) -> Self;

    /// Returns the greatest length that a lead in the block, or among the bytes before it, announces; 2 if there is none.
    unsafe fn longest(&self) -> usize;

    /// Which bytes do not go with the one before, in a block without leads of three or four bytes.
    unsafe fn faults_of_two(&self, cut: Self::Cut) -> u64;

    /// Which bytes do not go with those before, where no lead announces more than `longest` bytes. The first bit set is
    /// at most one sequence after the first fault. Sequences that end before the byte in front of it are well-formed.
    /// `T` is the target: a copy for each has one caller, and so is inlined.
    unsafe fn faults<T>(&self, longest: usize) -> u64;

    /// Which bytes are at least `low`.
    unsafe fn at_least(&self, low: u8) -> u64;

    /// Returns where the block ends inside a sequence.
    unsafe fn cut(&self) -> Self::Cut;

    /// Which bytes are continuation bytes.
    unsafe fn continuations(&self) -> u64;
}

/// An encoding form to write, from blocks of some set of instructions.
pub(crate) trait Target<B> {
    /// Bytes in a code unit.
    const UNIT: usize;

    /// The longest sequence that the target has a character for.
    const LONGEST: usize = 4;

    /// Bytes written for a sequence of four when only three have come.
    const EARLY: usize = 0;

    /// Writes whole blocks, if they are ASCII, to a room that they fill; returns whether they are.
    ///
    /// # Safety
    /// The CPU must have the instructions of `B`.
    unsafe fn put_if_ascii(src: &[u8], room: &mut [u8]) -> bool;

    /// Writes the sequences of a well-formed block that end where `ends` has bits, and returns how many bytes that are.
    /// None is longer than `LONGEST`; none that ends after the last bit of `within` is begun. The room holds as many units
    /// as a block bytes.
    ///
    /// # Safety
    /// The CPU must have the instructions of `B`.
    unsafe fn put<const LONGEST: usize>(block: &B, ends: u64, within: u64, room: &mut [u8]) -> usize;
}

/// UTF-16, with the upper byte of a unit first or not.
pub(crate) struct Utf16<const BIG_ENDIAN: bool>;

/// UTF-32, with the uppermost byte of a unit first or not.
pub(crate) struct Utf32<const BIG_ENDIAN: bool>;

/// ISO-8859-1.
pub(crate) struct Latin1;

/// Converts a prefix of `src` to `dst`; returns the bytes read and the bytes written.
///
/// # Safety
/// The CPU must have the instructions of `B`.
#[inline(always)]
pub(crate) unsafe fn convert<B: Block, T: Target<B>>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    // Where faults are dense, most calls end here.
    if Utf8.first(src).is_none() {
        return (0, 0);
    }
    let (mut read, mut written) = (0, 0);
    // The first block, which has nothing before it, and the last, which may be short, are padded with zeros.
    let mut padded;
    // How the block before ended.
    let mut cut = B::Cut::default();
    while read < src.len() {
        if cut.is_none() {
            // SAFETY: the caller promises the instructions.
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
        // SAFETY: the caller promises the instructions.
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
        // SAFETY: the caller promises the instructions.
        let mut ends = !unsafe { block.continuations() } >> 1 | u64::from(next_cut.is_none()) << 63;
        let is_last = faults != 0 || len < BLOCK;
        let mut within = u64::MAX;
        if is_last {
            let first = faults.trailing_zeros().min(len as u32);
            let sound = u64::MAX.unbounded_shr(64 - first);
            // The byte before a fault may be the end of no sequence.
            ends &= if faults != 0 { sound >> 1 } else { sound };
            within = u64::MAX.unbounded_shr(ends.leading_zeros());
        }
        // SAFETY: the caller promises the instructions, and the room is that of a block.
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
    // A source that changes meanwhile may have had nothing written early.
    let early = if cut.len() == 3 { T::EARLY } else { 0 };
    (read - cut.len(), written.saturating_sub(early))
}

/// Returns the block at `at`, which may be short, and the bytes before it, padded with zeros.
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

/// Writes the ASCII that `src` begins with, in whole blocks, and returns how many bytes it is.
///
/// # Safety
/// The CPU must have the instructions of `B`.
#[inline(always)]
unsafe fn put_ascii<B, T: Target<B>>(src: &[u8], dst: &mut [u8]) -> usize {
    let (Some(block), Some(room)) = (src.get(..BLOCK), dst.get_mut(..BLOCK * T::UNIT)) else { return 0 };
    // SAFETY: the caller promises the instructions.
    unsafe {
        if put_blocks::<B, T, BLOCK>(block, room) == 0 {
            return 0;
        }
        // More of it, in longer steps, and the rest.
        let mut len = BLOCK;
        len += put_blocks::<B, T, { 2 * BLOCK }>(&src[len..], &mut dst[len * T::UNIT..]);
        len + put_blocks::<B, T, BLOCK>(&src[len..], &mut dst[len * T::UNIT..])
    }
}

/// Writes the blocks of ASCII of `LEN` bytes that `src` begins with, and returns how many bytes they are.
///
/// # Safety
/// The CPU must have the instructions of `B`.
#[inline(always)]
unsafe fn put_blocks<B, T: Target<B>, const LEN: usize>(src: &[u8], dst: &mut [u8]) -> usize {
    let mut len = 0;
    while let (Some(block), Some(room)) =
        (src.get(len..len + LEN), dst.get_mut(len * T::UNIT..(len + LEN) * T::UNIT))
        // SAFETY: the caller promises the instructions, and the room is as long as `T` needs.
        && unsafe { T::put_if_ascii(block, room) }
    {
        len += LEN;
    }
    len
}
