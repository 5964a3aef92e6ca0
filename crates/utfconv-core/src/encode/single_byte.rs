//! ISO-8859-1, US-ASCII, and pages by table.

use super::{Put, WIDEST, store};
use crate::decode::{Ascii, Latin1, Page};

impl Put for Latin1 {
    #[inline(always)]
    fn put(&self, scalar: char, dst: &mut [u8; WIDEST]) -> Option<usize> {
        Some(store([u8::try_from(scalar).ok()?], dst))
    }
}

impl Put for Ascii {
    #[inline(always)]
    fn put(&self, scalar: char, dst: &mut [u8; WIDEST]) -> Option<usize> {
        if scalar.is_ascii() { Latin1.put(scalar, dst) } else { None }
    }
}

impl Put for &'static Page {
    #[inline(always)]
    fn put(&self, scalar: char, dst: &mut [u8; WIDEST]) -> Option<usize> {
        Some(store([self.from_unicode.byte(scalar)?], dst))
    }

    fn takes_ascii(&self) -> bool {
        self.is_ascii
    }
}
