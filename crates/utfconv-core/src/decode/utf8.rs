//! UTF-8 (RFC 3629; Unicode 3.9, table 3-7) and its relatives.
//!
//! CESU-8 (UTR #26) encodes the Basic Multilingual Plane as UTF-8 does; above it, each surrogate of the UTF-16 pair
//! takes three bytes. In CESU-8, a four-byte sequence or a lone surrogate is ill-formed. MUTF-8 (JVM specification
//! 4.4.7) is CESU-8 with U+0000 as C0 80. WTF-8 is UTF-8 with lone surrogates in three bytes. UTF-8-2279 (RFC 2279)
//! reaches U+7FFFFFFF, in up to six bytes.

use super::{
    Decode, IllFormedSequence, Next, WINDOW, WellFormed, is_high_surrogate, is_surrogate, join,
    take_well_formed,
};
use crate::fault::IllFormed;
use crate::position::{Extent, measure_bytes};
use crate::utf8::{count_chars, is_continuation};

/// Decodes and encodes UTF-8.
pub(crate) struct Utf8;

/// Decodes and encodes CESU-8.
pub(crate) struct Cesu8;

/// Decodes and encodes the modified UTF-8 of Java.
pub(crate) struct Mutf8;

/// Decodes and encodes WTF-8.
pub(crate) struct Wtf8;

/// Decodes and encodes UTF-8 as RFC 2279 defines it.
pub(crate) struct Utf8Of2279;

impl WellFormed for Utf8 {
    #[inline(always)]
    fn scalar(&self, window: &[u8; WINDOW]) -> Option<(char, usize)> {
        match *window {
            [a @ ..0x80, ..] => Some((a.into(), 1)),
            [a @ 0xC2..0xE0, b @ 0x80..0xC0, ..] => Some((char::from_u32(two(a, b))?, 2)),
            [a @ 0xE0..0xF0, b @ 0x80..0xC0, c @ 0x80..0xC0, ..] => {
                let value = three(a, b, c);
                // `from_u32` rejects surrogates.
                if value < 0x800 { None } else { Some((char::from_u32(value)?, 3)) }
            }
            [a @ 0xF0..0xF5, b @ 0x80..0xC0, c @ 0x80..0xC0, d @ 0x80..0xC0, ..] => {
                let value = (u32::from(a) & 7) << 18 | three(0, b, c) << 6 | u32::from(d) & 0x3F;
                // `from_u32` rejects values above U+10FFFF.
                if value < 0x10000 { None } else { Some((char::from_u32(value)?, 4)) }
            }
            _ => None,
        }
    }
}

impl Decode for Utf8 {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        next(self, src, last, |sequence, is_complete| {
            let found = classify(sequence, is_complete);
            match found.means {
                Some(high) if is_high_surrogate(high) => look_for_pair(src, last, found, high),
                _ => Next::IllFormed(found),
            }
        })
    }

    fn take_row(&mut self, src: &[u8], most: usize, put: &mut dyn FnMut(u32) -> bool) -> usize {
        take_well_formed(self, src, most, put)
    }

    fn measure(&self, run: &[u8]) -> Extent {
        measure_bytes(run, b'\n', count_chars)
    }
}

impl WellFormed for Cesu8 {
    #[inline(always)]
    fn scalar(&self, window: &[u8; WINDOW]) -> Option<(char, usize)> {
        match *window {
            [0xED, b @ 0xA0..0xB0, c @ 0x80..0xC0, 0xED, e @ 0xB0..0xC0, f @ 0x80..0xC0, ..] => {
                Some((join(three(0xED, b, c), three(0xED, e, f))?, 6))
            }
            [0xF0..=0xFF, ..] => None,
            _ => Utf8.scalar(window),
        }
    }
}

impl Decode for Cesu8 {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        next(self, src, last, |sequence, is_complete| {
            let found = classify(sequence, is_complete);
            let len = found.len;
            Next::IllFormed(match found {
                _ if sequence[0] >= 0xF0 => {
                    IllFormedSequence { kind: IllFormed::NeverUsed, subparts: len, ..found }
                }
                // In CESU-8, a sequence of three whole bytes is a code unit, and a lone surrogate is a single subpart,
                // as in UTF-16. After a high surrogate, a low surrogate may still follow.
                IllFormedSequence { kind: IllFormed::Surrogate, means: Some(unit), .. } => {
                    if is_high_surrogate(unit) && !last && could_continue(&src[3..]) {
                        return Next::Incomplete;
                    }
                    let kind = if is_high_surrogate(unit) { IllFormed::LoneHigh } else { IllFormed::LoneLow };
                    IllFormedSequence::whole(kind, len).meaning(unit)
                }
                IllFormedSequence { kind: IllFormed::Surrogate, .. } => {
                    IllFormedSequence::whole(IllFormed::Truncated, len)
                }
                _ => found,
            })
        })
    }

    fn measure(&self, run: &[u8]) -> Extent {
        // The second surrogate of a pair takes no column.
        measure_bytes(run, b'\n', |run| {
            let seconds = run.windows(2).filter(|w| w[0] == 0xED && w[1] >= 0xB0).count();
            // The run may be a memory map that was modified after validation, so avoid an underflow.
            count_chars(run).saturating_sub(seconds)
        })
    }
}

impl WellFormed for Mutf8 {
    #[inline(always)]
    fn scalar(&self, window: &[u8; WINDOW]) -> Option<(char, usize)> {
        match *window {
            [0, ..] => None,
            [0xC0, 0x80, ..] => Some(('\0', 2)),
            _ => Cesu8.scalar(window),
        }
    }

    #[inline(always)]
    fn ascii<const N: usize>(&self, src: &[u8]) -> Option<[u8; N]> {
        Utf8.ascii(src).filter(|block| !block.contains(&0))
    }
}

impl Decode for Mutf8 {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        match (self.first(src), src) {
            (Some(first), _) => Next::scalar(first),
            (None, [0, ..]) => Next::IllFormed(IllFormedSequence::bytewise(IllFormed::NeverUsed, 1)),
            (None, _) => Cesu8.next(src, last),
        }
    }

    fn measure(&self, run: &[u8]) -> Extent {
        Cesu8.measure(run)
    }
}

impl WellFormed for Wtf8 {
    #[inline(always)]
    fn scalar(&self, window: &[u8; WINDOW]) -> Option<(char, usize)> {
        Utf8.scalar(window)
    }
}

impl Decode for Wtf8 {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        match Utf8.next(src, last) {
            // WTF-8 requires the four-byte form for a surrogate pair.
            Next::IllFormed(IllFormedSequence { pair: Some(scalar), .. }) => {
                let pair =
                    IllFormedSequence { subparts: 2, ..IllFormedSequence::whole(IllFormed::NonShortest, 6) };
                Next::IllFormed(pair.meaning(scalar.into()))
            }
            Next::IllFormed(IllFormedSequence { kind: IllFormed::Surrogate, means, len, .. }) => {
                match means {
                    Some(code_point) => Next::Scalar { code_point, len },
                    None => Next::ill_formed(IllFormed::Truncated, len),
                }
            }
            next => next,
        }
    }

    fn measure(&self, run: &[u8]) -> Extent {
        Utf8.measure(run)
    }
}

impl WellFormed for Utf8Of2279 {
    #[inline(always)]
    fn scalar(&self, window: &[u8; WINDOW]) -> Option<(char, usize)> {
        Utf8.scalar(window)
    }
}

impl Decode for Utf8Of2279 {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        next(self, src, last, |sequence, is_complete| {
            let len = sequence.len();
            if !is_complete {
                let is_overlong = classify(sequence, false).kind == IllFormed::NonShortest;
                let kind = if is_overlong { IllFormed::NonShortest } else { IllFormed::Truncated };
                return Next::ill_formed(kind, len);
            }
            let code_point = value(sequence);
            let shortest = [0, 0x80, 0x800, 0x1_0000, 0x20_0000, 0x400_0000][len - 1];
            let kind = match code_point {
                _ if code_point < shortest => IllFormed::NonShortest,
                _ if is_surrogate(code_point) => IllFormed::Surrogate,
                _ => return Next::Scalar { code_point, len },
            };
            Next::IllFormed(IllFormedSequence::bytewise(kind, len).meaning(code_point))
        })
    }

    fn measure(&self, run: &[u8]) -> Extent {
        Utf8.measure(run)
    }
}

fn two(a: u8, b: u8) -> u32 {
    (u32::from(a) & 0x1F) << 6 | u32::from(b) & 0x3F
}

fn three(a: u8, b: u8, c: u8) -> u32 {
    (u32::from(a) & 0x0F) << 12 | (u32::from(b) & 0x3F) << 6 | u32::from(c) & 0x3F
}

/// Decodes the sequence that `src` begins with. If it is ill-formed in `form`, calls `explain` with the lead byte and
/// its continuation bytes, at most as many as the lead announces, and with whether the sequence is complete.
fn next(form: &impl WellFormed, src: &[u8], last: bool, explain: impl FnOnce(&[u8], bool) -> Next) -> Next {
    if let Some(first) = form.first(src) {
        return Next::scalar(first);
    }
    let Some(&lead) = src.first() else { return Next::Incomplete };
    let wanted = announced(lead);
    if wanted == 1 {
        let kind =
            if is_continuation(lead) { IllFormed::UnexpectedContinuation } else { IllFormed::NeverUsed };
        return Next::IllFormed(IllFormedSequence::bytewise(kind, 1));
    }
    let came = src[1..].iter().take(wanted - 1).take_while(|byte| is_continuation(**byte)).count();
    let len = 1 + came;
    if len < wanted && len == src.len() && !last {
        return Next::Incomplete;
    }
    explain(&src[..len], len == wanted)
}

/// Finds the rule that is broken by a lead byte and its continuation bytes, which must be ill-formed in UTF-8.
fn classify(sequence: &[u8], complete: bool) -> IllFormedSequence {
    let len = sequence.len();
    let lead = sequence[0];
    let second = sequence.get(1);
    let kind = match (lead, second) {
        (0xF8.., _) | (0xC0 | 0xC1 | 0xF5.., None) => IllFormed::NeverUsed,
        (0xC0 | 0xC1, _) | (0xE0, Some(..0xA0)) | (0xF0, Some(..0x90)) => IllFormed::NonShortest,
        (0xED, Some(0xA0..)) => IllFormed::Surrogate,
        (0xF4, Some(0x90..)) | (0xF5.., _) => IllFormed::AboveRange,
        _ => return IllFormedSequence::whole(IllFormed::Truncated, len),
    };
    let found = IllFormedSequence::bytewise(kind, len);
    if complete { found.meaning(value(sequence)) } else { found }
}

/// Returns the code point of a complete sequence of two to six bytes, by the rules of RFC 2279.
fn value(sequence: &[u8]) -> u32 {
    let lead_bits = u32::from(sequence[0]) & (0x7F >> sequence.len());
    sequence[1..].iter().fold(lead_bits, |value, byte| value << 6 | u32::from(byte & 0x3F))
}

/// Returns the number of bytes that a lead byte announces by RFC 2279; 1 if `lead` is not a lead byte.
pub(crate) fn announced(lead: u8) -> usize {
    match lead {
        0xC0..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF7 => 4,
        0xF8..=0xFB => 5,
        0xFC..=0xFD => 6,
        _ => 1,
    }
}

/// Whether `at` in `window` is a boundary in UTF-8 and all its relatives; see [`Encoding::boundary`].
///
/// A lead byte belongs together with the continuation bytes after it, up to as many as it announces by RFC 2279,
/// whether the sequence is well-formed or not. A high surrogate in three bytes belongs together with a low surrogate
/// after it.
///
/// [`Encoding::boundary`]: crate::Encoding::boundary
pub(crate) fn is_boundary(window: &[u8], at: usize) -> bool {
    let (before, behind) = window.split_at(at);
    if is_continuation(behind[0]) {
        // A lead byte announces at most five continuation bytes.
        let lead = before.iter().rev().take(5).position(|byte| !is_continuation(*byte));
        return lead.is_none_or(|back| announced(before[at - 1 - back]) <= back + 1);
    }
    let is_high = matches!(before, [.., 0xED, 0xA0..0xB0, 0x80..0xC0]);
    !(is_high && matches!(behind, [0xED] | [0xED, 0xB0..0xC0, ..]))
}

/// Adds the CESU-8 pair to the fault of a high surrogate in UTF-8, if a low surrogate follows.
fn look_for_pair(src: &[u8], last: bool, found: IllFormedSequence, high: u32) -> Next {
    match src[3..] {
        [0xED, b @ 0xB0..0xC0, c @ 0x80..0xC0, ..] => {
            Next::IllFormed(IllFormedSequence { pair: join(high, three(0xED, b, c)), ..found })
        }
        _ if !last && could_continue(&src[3..]) => Next::Incomplete,
        _ => Next::IllFormed(found),
    }
}

/// Whether `rest`, which may be cut, could become a low surrogate in three bytes.
fn could_continue(rest: &[u8]) -> bool {
    matches!(rest, [] | [0xED] | [0xED, 0xB0..0xC0])
}
