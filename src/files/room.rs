//! The memory of a buffer, directly from the system: pages that are never written take no memory and no time.

use memmap2::MmapMut;

/// Bytes to read into, or to write to. It grows, and is never cleared.
#[derive(Default)]
pub struct Room(Option<MmapMut>);

impl Room {
    /// Ensures that there are `len` bytes; None where there is no memory for them.
    pub fn reserve(&mut self, len: usize) -> Option<()> {
        if self.0.as_ref().is_none_or(|map| map.len() < len) {
            // An allocator clears what it has used before, all of it.
            self.0 = Some(MmapMut::map_anon(len).ok()?);
        }
        Some(())
    }

    /// Returns the bytes, at least as many as were reserved.
    pub fn bytes(&mut self) -> &mut [u8] {
        self.0.as_deref_mut().unwrap_or_default()
    }
}
