//! ISO-8859-1 and US-ASCII.

use super::{Put, WIDEST, store};
use crate::decode::{Ascii, Latin1};

impl Put for Latin1 {
    #[inline(always)]
    fn put(scalar: char, dst: &mut [u8; WIDEST]) -> Option<usize> {
        Some(store([u8::try_from(scalar).ok()?], dst))
    }
}

impl Put for Ascii {
    #[inline(always)]
    fn put(scalar: char, dst: &mut [u8; WIDEST]) -> Option<usize> {
        if scalar.is_ascii() { Latin1::put(scalar, dst) } else { None }
    }
}
