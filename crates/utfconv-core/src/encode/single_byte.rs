//! Encoders of ISO-8859-1, US-ASCII, and code pages by table, with or without combining marks.

use super::{Put, WIDEST, store};
use crate::decode::{Ascii, Composing, Latin1, Page};

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

impl Put for &'static Composing {
    #[inline(always)]
    fn put(&self, scalar: char, dst: &mut [u8; WIDEST]) -> Option<usize> {
        let [len, bytes @ ..] = self.spellings.get(scalar as usize);
        store(bytes, dst);
        (len > 0).then_some(len.into())
    }

    fn takes_ascii(&self) -> bool {
        self.page.is_ascii
    }
}
