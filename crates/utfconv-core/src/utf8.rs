//! Bytes of UTF-8 that are known to be well-formed: reading them back without a check, and counting them.
//!
//! What is ill-formed is decided in [`crate::decode`].

/// Whether `byte` continues a sequence (80..BF).
#[inline(always)]
pub(crate) fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// The first code point of a well-formed text that has one, and its length in bytes.
#[inline(always)]
pub(crate) fn decode_first(text: &[u8]) -> (u32, usize) {
    let bits = |at: usize| u32::from(text[at] & 0x3F);
    match u32::from(text[0]) {
        lead @ ..0x80 => (lead, 1),
        lead @ ..0xE0 => ((lead & 0x1F) << 6 | bits(1), 2),
        lead @ ..0xF0 => ((lead & 0x0F) << 12 | bits(1) << 6 | bits(2), 3),
        lead => ((lead & 0x07) << 18 | bits(1) << 12 | bits(2) << 6 | bits(3), 4),
    }
}

/// The first character of a well-formed text.
#[cfg(feature = "normalize")]
pub(crate) fn first_char(text: &[u8]) -> Option<char> {
    (!text.is_empty()).then(|| decode_first(text)).and_then(|(code_point, _)| char::from_u32(code_point))
}

/// The offset of the last character of `text[..at]`; 0 if there is none.
#[cfg(feature = "normalize")]
pub(crate) fn last_start(text: &[u8], at: usize) -> usize {
    text[..at].iter().rposition(|byte| !is_continuation(*byte)).unwrap_or_default()
}

/// How many characters a well-formed text has.
pub(crate) fn count_chars(text: &[u8]) -> usize {
    // Short sums in small integers are what the compiler vectorises best.
    let count = |part: &[u8]| part.iter().map(|byte| u8::from(!is_continuation(*byte))).sum::<u8>();
    text.chunks(255).map(|part| usize::from(count(part))).sum()
}

/// Whether a scalar value is a noncharacter (The Unicode Standard, section 23.7).
pub fn is_noncharacter(scalar: char) -> bool {
    matches!(u32::from(scalar), 0xFDD0..=0xFDEF) || u32::from(scalar) & 0xFFFE == 0xFFFE
}
