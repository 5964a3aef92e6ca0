//! Pages with combining marks.

use super::{Put, WIDEST, store};
use crate::decode::Composing;

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
