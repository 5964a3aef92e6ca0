//! Feeds a source to a checker in chunks of any size.

use std::mem;

use utfconv_core::{CheckItem, Checker, Position};

pub struct Feeder {
    pub checker: Checker,
    /// Bytes that were not checked, because the last chunk ends within a sequence or the check was stopped before them.
    pub pending: Vec<u8>,
}

impl Feeder {
    pub fn new(checker: Checker) -> Feeder {
        Feeder { checker, pending: Vec::new() }
    }

    /// Checks the next chunk, and calls `take` with each item, its position, the bytes from there on, and the checker.
    /// Stops after an item for which `take` returns false.
    pub fn feed(
        &mut self,
        chunk: &[u8],
        is_last: bool,
        mut take: impl FnMut(&CheckItem, Position, &[u8], &Checker) -> bool,
    ) {
        let mut joined = mem::take(&mut self.pending);
        let mut rest = chunk;
        if !joined.is_empty() {
            joined.extend_from_slice(chunk);
            rest = &joined;
        }
        loop {
            let start = self.checker.position();
            let item = self.checker.next(rest, is_last);
            if item == CheckItem::Incomplete {
                break;
            }
            let wants_more = take(&item, start, rest, &self.checker);
            rest = &rest[(self.checker.position().offset() - start.offset()) as usize..];
            if !wants_more {
                break;
            }
        }
        self.pending = rest.to_vec();
    }
}
