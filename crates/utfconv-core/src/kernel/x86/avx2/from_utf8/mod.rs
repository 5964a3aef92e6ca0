//! Kernels from UTF-8.
//!
//! All take the same steps, in blocks of 64 bytes. A block of ASCII is widened as it is. In any other, every byte is
//! checked against the three before it; then the unit of each byte that ends a sequence is computed, from itself and the
//! three before it ([`block`]); then the units of the other bytes are removed, eight bytes at a time, by a table of shuffles
//! ([`target`]). No sequence waits for the one before, and nothing branches by their lengths.
//!
//! A sequence may straddle two blocks: its unit is made in the second.

mod block;
mod target;

use super::{Avx2, kernel};
use crate::decode::{Utf8, WellFormed};
use crate::form::Form;
use crate::kernel::generic::Kernel;
use block::{BEFORE, BLOCK, Block, Cut, WINDOW};
use target::{Latin1, Target, Utf16, Utf32};

/// The kernel from UTF-8 to an encoding form, if there is one.
pub(super) fn kernel(set: Avx2, to: Form) -> Option<Kernel> {
    Some(match to {
        Form::Utf16Le => kernel!(set, convert::<Utf16<false>>),
        Form::Utf16Be => kernel!(set, convert::<Utf16<true>>),
        Form::Utf32Le => kernel!(set, convert::<Utf32<false>>),
        Form::Utf32Be => kernel!(set, convert::<Utf32<true>>),
        Form::Latin1 => kernel!(set, convert::<Latin1>),
        _ => return None,
    })
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn convert<T: Target>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    // Where faults are dense, most calls end here.
    if Utf8.first(src).is_none() {
        return (0, 0);
    }
    let (mut read, mut written) = (0, 0);
    // The first block, which has nothing before it, and the last, which may be short, are padded with zeros.
    let mut padded;
    // How the block before ended.
    let mut cut = Cut::default();
    while read < src.len() {
        if cut.is_none() {
            let len = put_ascii::<T>(&src[read..], &mut dst[written..]);
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
        let block = Block::load(window);
        let longest = if T::LONGEST > 2 { block.longest() } else { 2 };
        let mut faults = if longest == 2 { block.faults_of_two(cut) } else { block.faults() };
        if T::LONGEST == 2 {
            faults |= block.at_least(0xC4);
        }
        let next_cut = block.cut();
        let mut ends = block.ends(next_cut);
        let is_last = faults != 0 || len < BLOCK;
        let mut within = u64::MAX;
        if is_last {
            let first = faults.trailing_zeros().min(len as u32);
            let sound = u64::MAX.unbounded_shr(64 - first);
            // The byte before a fault may be the end of no sequence.
            ends &= if faults != 0 { sound >> 1 } else { sound };
            within = u64::MAX.unbounded_shr(ends.leading_zeros());
        }
        // SAFETY: this function runs on a CPU with AVX2 and POPCNT.
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
                cut = Cut::default();
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

/// The block at `at`, which may be short, and what is before it, padded with zeros.
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
#[target_feature(enable = "avx2")]
#[inline]
fn put_ascii<T: Target>(src: &[u8], dst: &mut [u8]) -> usize {
    let (Some(block), Some(room)) = (src.get(..BLOCK), dst.get_mut(..BLOCK * T::UNIT)) else { return 0 };
    if put_blocks::<T, BLOCK>(block, room) == 0 {
        return 0;
    }
    // More of it, in longer steps, and the rest.
    let mut len = BLOCK;
    len += put_blocks::<T, { 2 * BLOCK }>(&src[len..], &mut dst[len * T::UNIT..]);
    len + put_blocks::<T, BLOCK>(&src[len..], &mut dst[len * T::UNIT..])
}

/// Writes the blocks of ASCII of `LEN` bytes that `src` begins with, and returns how many bytes they are.
#[target_feature(enable = "avx2")]
#[inline]
fn put_blocks<T: Target, const LEN: usize>(src: &[u8], dst: &mut [u8]) -> usize {
    let mut len = 0;
    while let (Some(block), Some(room)) =
        (src.get(len..len + LEN), dst.get_mut(len * T::UNIT..(len + LEN) * T::UNIT))
        // SAFETY: this function runs on a CPU with AVX2.
        && unsafe { T::put_if_ascii(block, room) }
    {
        len += LEN;
    }
    len
}
