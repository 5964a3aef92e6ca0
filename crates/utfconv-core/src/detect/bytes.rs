//! Counting bytes.

/// Counts the bytes for which `is` holds.
pub(super) fn count(bytes: &[u8], is: impl Fn(u8) -> bool) -> usize {
    // Short sums in small integers are what the compiler vectorises best.
    let short = |part: &[u8]| part.iter().map(|byte| u8::from(is(*byte))).sum::<u8>();
    bytes.chunks(255).map(|part| usize::from(short(part))).sum()
}
