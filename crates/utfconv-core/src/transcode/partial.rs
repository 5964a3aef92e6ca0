//! The start of a sequence that the end of a chunk cuts.

use crate::fault::Bytes;

/// Source bytes from earlier chunks that are not yet a whole sequence.
#[derive(Clone, Copy, Default)]
pub(super) struct PartialSequence {
    bytes: [u8; PartialSequence::ROOM],
    len: usize,
}

impl PartialSequence {
    /// Room for two of the longest sequences: one that waits, and the bytes that may be needed to end it.
    const ROOM: usize = 2 * Bytes::MAX;

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Appends as much of `bytes` as there is room for; returns how much.
    pub fn extend(&mut self, bytes: &[u8]) -> usize {
        let taken = bytes.len().min(Self::ROOM - self.len);
        self.bytes[self.len..self.len + taken].copy_from_slice(&bytes[..taken]);
        self.len += taken;
        taken
    }

    pub fn drop_front(&mut self, count: usize) {
        self.bytes.copy_within(count..self.len, 0);
        self.len -= count;
    }

    pub fn clear(&mut self) {
        self.len = 0;
    }
}
