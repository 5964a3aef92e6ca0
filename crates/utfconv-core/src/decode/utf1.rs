//! UTF-1 (ISO/IEC 10646-1:1993, annex G), which has single bytes for 00..9F, and sequences of digits in base 190.
//!
//! ASCII bytes 21..7E also end and continue sequences. So if a sequence is cut, only its lead byte is a fault, and the
//! bytes after it are read again, because they may be text.

use super::{Decode, IllFormedSequence, Next, WINDOW, WellFormed, is_surrogate};
use crate::fault::IllFormed;
use crate::position::{Extent, measure_bytes};

/// Decodes and encodes UTF-1.
pub(crate) struct Utf1;

/// Base of the digits that trail bytes encode.
pub(crate) const BASE: u32 = 190;
/// The first code point that takes two bytes, apart from A0..FF.
pub(crate) const FROM_TWO: u32 = 0x100;
/// The first code point that takes three bytes.
pub(crate) const FROM_THREE: u32 = FROM_TWO + (0xF6 - 0xA1) * BASE;
/// The first code point that takes five bytes.
pub(crate) const FROM_FIVE: u32 = FROM_THREE + (0xFC - 0xF6) * BASE * BASE;

/// Returns the digit that a trail byte encodes, or `None` if `byte` cannot be a trail byte.
#[inline(always)]
fn digit(byte: u8) -> Option<u32> {
    match byte {
        0x21..=0x7E => Some(u32::from(byte) - 0x21),
        0xA0..=0xFF => Some(u32::from(byte) - 0x42),
        _ => None,
    }
}

fn len_of(lead: u8) -> usize {
    match lead {
        ..=0x9F => 1,
        0xA0..=0xF5 => 2,
        0xF6..=0xFB => 3,
        0xFC..=0xFF => 5,
    }
}

/// Returns the code point of a whole sequence, or `None` if a byte cannot be a trail byte. A value too great for 32
/// bits saturates.
#[inline(always)]
fn value(sequence: &[u8]) -> Option<u32> {
    let (&lead, rest) = sequence.split_first()?;
    let (first, from) = match lead {
        ..=0x9F => return Some(lead.into()),
        0xA0 => return rest.first().filter(|byte| **byte >= 0xA0).map(|byte| u32::from(*byte)),
        0xA1..=0xF5 => (0xA1, FROM_TWO),
        0xF6..=0xFB => (0xF6, FROM_THREE),
        0xFC..=0xFF => (0xFC, FROM_FIVE),
    };
    let digits = rest.iter().try_fold(u64::from(lead - first), |value, byte| {
        Some(value * u64::from(BASE) + u64::from(digit(*byte)?))
    })?;
    Some(u32::try_from(digits).unwrap_or(u32::MAX).saturating_add(from))
}

/// Whether the byte before `at` is always a sequence by itself, which makes `at` a boundary; see
/// [`Encoding::boundary`].
///
/// [`Encoding::boundary`]: crate::Encoding::boundary
pub(crate) fn is_boundary(window: &[u8], at: usize) -> bool {
    at == 0 || len_of(window[at - 1]) == 1 && digit(window[at - 1]).is_none()
}

impl WellFormed for Utf1 {
    #[inline(always)]
    fn scalar(&self, window: &[u8; WINDOW]) -> Option<(char, usize)> {
        let len = len_of(window[0]);
        Some((char::from_u32(value(&window[..len])?)?, len))
    }
}

impl Decode for Utf1 {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        if let Some(first) = self.first(src) {
            return Next::scalar(first);
        }
        let Some(&lead) = src.first() else { return Next::Incomplete };
        let is_trail = |byte: &u8| if lead == 0xA0 { *byte >= 0xA0 } else { digit(*byte).is_some() };
        let wanted = len_of(lead);
        let came = src.len().min(wanted);
        if !src[1..came].iter().all(is_trail) {
            return Next::ill_formed(IllFormed::Truncated, 1);
        }
        match value(&src[..came]) {
            Some(code_point) if came == wanted => {
                let kind =
                    if is_surrogate(code_point) { IllFormed::Surrogate } else { IllFormed::AboveRange };
                Next::IllFormed(IllFormedSequence::whole(kind, wanted).meaning(code_point))
            }
            _ if last => Next::ill_formed(IllFormed::Truncated, 1),
            _ => Next::Incomplete,
        }
    }

    fn measure(&self, run: &[u8]) -> Extent {
        measure_bytes(run, b'\n', |mut run| {
            let mut count = 0;
            while let Some(lead) = run.first() {
                run = run.get(len_of(*lead)..).unwrap_or_default();
                count += 1;
            }
            count
        })
    }
}
