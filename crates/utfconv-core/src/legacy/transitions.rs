//! Writing by a table of states and classes of characters. Where states change in any order, this takes a look-up per
//! character, and no branch.

/// The bytes for a character in a state, and the state after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transition {
    /// The bytes before the code of the character, the first lowest.
    pub prefix: u64,
    /// The bits of these.
    pub shift: u8,
    /// All bytes, with the code.
    pub size: u8,
    /// The bits below the code in the encoder's entry of a character.
    pub code: u8,
    /// Where the transitions of the next state begin; [`Transition::UNKNOWN`] has none.
    pub next: u32,
}

/// Bytes of a transition, at most: a designation, a shift, and a code.
pub(super) const MOST: usize = 8;

impl Transition {
    /// None, or none yet.
    pub const UNKNOWN: Transition = Transition { prefix: 0, shift: 0, size: 0, code: 0, next: u32::MAX };

    #[inline(always)]
    pub fn is_known(&self) -> bool {
        self.next != u32::MAX
    }

    /// Writes the bytes to `dst` from `len` on, which has room for [`MOST`]; returns where they end.
    #[inline(always)]
    pub fn put(&self, code: u16, dst: &mut [u8], len: usize) -> usize {
        if let Some(room) = dst.get_mut(len..).and_then(<[u8]>::first_chunk_mut::<MOST>) {
            *room = (self.prefix | u64::from(code) << (self.shift & 63)).to_le_bytes();
        }
        len + usize::from(self.size)
    }
}
