//! Encodings of one byte a character: ISO-8859-1, exact 00..FF as IANA has it, and US-ASCII (RFC 20).

use super::{Decode, Extent, Next, Verdict, WINDOW, WellFormed, measure_bytes};
use crate::fault::IllFormed;

/// ISO-8859-1.
pub(crate) struct Latin1;

/// US-ASCII.
pub(crate) struct Ascii;

impl WellFormed for Latin1 {
    #[inline(always)]
    fn scalar(window: &[u8; WINDOW]) -> Option<(char, usize)> {
        Some((window[0].into(), 1))
    }
}

impl Decode for Latin1 {
    fn next(&mut self, src: &[u8], _last: bool) -> Next {
        match Self::first(src) {
            Some((scalar, len)) => Next::Scalar { scalar, len },
            None => Next::Incomplete,
        }
    }

    fn measure(&self, run: &[u8]) -> Extent {
        measure_bytes(run, <[u8]>::len)
    }
}

impl WellFormed for Ascii {
    #[inline(always)]
    fn scalar(window: &[u8; WINDOW]) -> Option<(char, usize)> {
        window[0].is_ascii().then_some((window[0].into(), 1))
    }
}

impl Decode for Ascii {
    fn next(&mut self, src: &[u8], _last: bool) -> Next {
        match Self::first(src) {
            Some((scalar, len)) => Next::Scalar { scalar, len },
            None if src.is_empty() => Next::Incomplete,
            None => Next::IllFormed(Verdict::bytewise(IllFormed::NeverUsed, 1)),
        }
    }

    fn measure(&self, run: &[u8]) -> Extent {
        measure_bytes(run, <[u8]>::len)
    }
}
