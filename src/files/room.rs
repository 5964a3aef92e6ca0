//! Buffer memory that is mapped directly from the system, because pages that are never written take no memory and no
//! time.

use memmap2::MmapMut;

/// A buffer to read into or to write to. The buffer grows, and is never cleared.
#[derive(Default)]
pub struct Room(Option<MmapMut>);

impl Room {
    /// Ensures that the buffer has at least `len` bytes. Returns `None` if there is no memory.
    pub fn reserve(&mut self, len: usize) -> Option<()> {
        if self.0.as_ref().is_none_or(|map| map.len() < len) {
            // The memory is mapped, because an allocator would have to clear memory that was used before.
            self.0 = Some(MmapMut::map_anon(len).ok()?);
        }
        Some(())
    }

    /// Returns the buffer, which has at least as many bytes as were reserved.
    pub fn bytes(&mut self) -> &mut [u8] {
        self.0.as_deref_mut().unwrap_or_default()
    }
}
