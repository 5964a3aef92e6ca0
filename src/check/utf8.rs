//! Reads well-formed UTF-8, which a checker has seen before, without checking it again.

use crate::files::utf8::is_continuation;

/// Returns the first scalar value of a well-formed text, and its length in bytes.
pub fn first_scalar(text: &[u8]) -> (u32, usize) {
    let (bits, len) = match text[0] {
        lead @ ..0x80 => (lead, 1),
        lead @ ..0xE0 => (lead & 0x1F, 2),
        lead @ ..0xF0 => (lead & 0x0F, 3),
        lead => (lead & 0x07, 4),
    };
    let scalar = text[1..len].iter().fold(u32::from(bits), |value, byte| value << 6 | u32::from(byte & 0x3F));
    (scalar, len)
}

/// Iterates over the scalar values of a well-formed text.
pub fn scalars(mut text: &[u8]) -> impl Iterator<Item = char> {
    std::iter::from_fn(move || {
        let (scalar, len) = (!text.is_empty()).then(|| first_scalar(text))?;
        text = &text[len..];
        char::from_u32(scalar)
    })
}

/// Returns the last scalar value of a well-formed text.
pub fn last_scalar(text: &[u8]) -> Option<char> {
    let start = text.iter().rposition(|byte| !is_continuation(*byte))?;
    char::from_u32(first_scalar(&text[start..]).0)
}
