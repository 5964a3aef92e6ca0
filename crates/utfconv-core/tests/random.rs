//! Numbers for random tests.

/// A small generator with a fixed seed, of numbers below its argument: they are the same in every run.
pub fn generator() -> impl FnMut(u64) -> u64 {
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    }
}
