//! Pseudo-random numbers for tests, which are the same in every run. The library and the program have a copy each.

/// A xorshift generator (Marsaglia 2003), which holds its state. The state must not be 0.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % end
    }

    #[allow(dead_code)] // not every user needs all functions
    pub fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}
