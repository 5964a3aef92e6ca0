//! Encodes with a table of states and classes of characters. Even if states change in any order, encoding a character
//! takes a lookup and no branch.

/// The bytes that are written for a character in a state, and the next state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transition {
    /// The bytes before the code of the character, with the first byte lowest.
    pub prefix: u64,
    /// Number of bits in `prefix`, by which the code is shifted.
    pub shift: u8,
    /// Number of bytes of the prefix and the code together.
    pub size: u8,
    /// Number of bits below the code in the encoder's entry of a character.
    pub code: u8,
    /// Index of the transitions of the next state; [`u32::MAX`] if the transition is unknown.
    pub next: u32,
}

/// Maximum number of bytes of a transition: a designation, a shift, and a code.
pub(super) const MOST: usize = 8;

impl Transition {
    /// A transition that does not exist, or is not computed yet.
    pub const UNKNOWN: Transition = Transition { prefix: 0, shift: 0, size: 0, code: 0, next: u32::MAX };

    #[inline(always)]
    pub fn is_known(&self) -> bool {
        self.next != u32::MAX
    }

    /// Writes the bytes to `dst` from `len` on, which has room for [`MOST`] bytes. Returns the offset after the bytes
    /// of the transition.
    #[inline(always)]
    pub fn put(&self, code: u16, dst: &mut [u8], len: usize) -> usize {
        if let Some(room) = dst.get_mut(len..).and_then(<[u8]>::first_chunk_mut::<MOST>) {
            *room = (self.prefix | u64::from(code) << (self.shift & 63)).to_le_bytes();
        }
        len + usize::from(self.size)
    }
}
