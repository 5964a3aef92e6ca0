//! Pseudo-random numbers for tests.

/// Returns a generator with a fixed seed, which returns numbers below its argument, the same in every run.
pub fn generator() -> impl FnMut(u64) -> u64 {
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    }
}
