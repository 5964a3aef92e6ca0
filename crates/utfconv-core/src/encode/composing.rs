//! Pages with combining marks.

use super::{Put, WIDEST};
use crate::decode::Composing;

impl Put for &'static Composing {
    #[inline(always)]
    fn put(&self, scalar: char, dst: &mut [u8; WIDEST]) -> Option<usize> {
        let [len, bytes @ ..] = self.spellings.of(u16::try_from(u32::from(scalar)).ok()?)?;
        dst[..bytes.len()].copy_from_slice(&bytes);
        Some(len.into())
    }

    fn takes_ascii(&self) -> bool {
        self.page.is_ascii
    }
}
