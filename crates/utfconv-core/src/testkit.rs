//! Numbers that look random, for tests: the same in every run. The library and the program have a copy each.

/// A xorshift generator (Marsaglia 2003) with its seed, which may not be 0.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % end
    }

    #[allow(dead_code)] // each user takes its part
    pub fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}
