//! Functions for bytes of UTF-8: unchecked decoding, counting, and finding a sequence that the end of a buffer cuts.
//!
//! ```
//! use utfconv_core::utf8;
//!
//! let text = "日本".as_bytes();
//! assert_eq!((utf8::decode_first(text), utf8::count_chars(text)), ((0x65E5, 3), 2));
//! assert_eq!(utf8::count_bytes(text, utf8::is_continuation), 4);
//! // The buffer ends inside a sequence.
//! assert_eq!(utf8::end_of_whole_sequences(&text[..5]), 3);
//! assert!(utf8::is_cut_sequence(&text[3..5]) && !utf8::is_cut_sequence(&text[3..]));
//! // U+1F600 takes six bytes in CESU-8.
//! let pair = b"\xED\xA0\xBD\xED\xB8\x80";
//! assert!(utf8::is_surrogate_pair(pair) && utf8::is_cut_pair(&pair[..utf8::SURROGATE_PAIR - 1]));
//! ```

/// Whether `byte` is a continuation byte (80..BF). See [`self`].
#[inline(always)]
#[must_use]
pub fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// Returns the first scalar value of a well-formed text, and its length in bytes. See [`self`].
///
/// # Panics
/// If the text is empty or ends inside the sequence. For other ill-formed bytes, the result is meaningless.
#[inline(always)]
#[must_use]
pub const fn decode_first(text: &[u8]) -> (u32, usize) {
    const fn bits(byte: u8) -> u32 {
        (byte & 0x3F) as u32
    }
    match *text {
        [a @ ..0x80, ..] => (a as u32, 1),
        [a @ ..0xE0, b, ..] => (((a & 0x1F) as u32) << 6 | bits(b), 2),
        [a @ ..0xF0, b, c, ..] => (((a & 0x0F) as u32) << 12 | bits(b) << 6 | bits(c), 3),
        [a, b, c, d, ..] => (((a & 0x07) as u32) << 18 | bits(b) << 12 | bits(c) << 6 | bits(d), 4),
        // Well-formed text matches one of the patterns above.
        _ => unreachable!(),
    }
}

/// Returns the first character of a well-formed text, or `None` if the text is empty.
#[cfg(feature = "normalize")]
pub(crate) fn first_char(text: &[u8]) -> Option<char> {
    (!text.is_empty()).then(|| decode_first(text)).and_then(|(code_point, _)| char::from_u32(code_point))
}

/// Returns the offset of the last character of `text[..at]`, in bytes; 0 if there is none.
#[cfg(feature = "normalize")]
pub(crate) fn last_start(text: &[u8], at: usize) -> usize {
    text[..at].iter().rposition(|byte| !is_continuation(*byte)).unwrap_or_default()
}

/// Returns the number of scalar values in a well-formed text. See [`self`].
#[must_use]
pub fn count_chars(text: &[u8]) -> usize {
    count_bytes(text, |byte| !is_continuation(byte))
}

/// Returns the number of bytes for which `is` holds, with SIMD if the test `is` can be vectorized. See [`self`].
#[must_use]
pub fn count_bytes(bytes: &[u8], is: impl Fn(u8) -> bool) -> usize {
    // The compiler vectorizes sums in `u8` best, and a sum over 255 bytes fits in `u8`.
    let count = |part: &[u8]| part.iter().map(|byte| u8::from(is(*byte))).sum::<u8>();
    bytes.chunks(255).map(|part| usize::from(count(part))).sum()
}

/// Whether a scalar value is a noncharacter (The Unicode Standard, section 23.7).
///
/// ```
/// assert!(utfconv_core::utf8::is_noncharacter('\u{FFFE}') && !utfconv_core::utf8::is_noncharacter('\u{FFFD}'));
/// ```
#[must_use]
pub fn is_noncharacter(scalar: char) -> bool {
    matches!(u32::from(scalar), 0xFDD0..=0xFDEF) || u32::from(scalar) & 0xFFFE == 0xFFFE
}

/// The length of a character above U+FFFF in CESU-8, in bytes. See [`self`].
pub const SURROGATE_PAIR: usize = 6;

/// Whether `bytes` are a character above U+FFFF in CESU-8, which is a surrogate pair of three bytes each. See [`self`].
#[must_use]
pub fn is_surrogate_pair(bytes: &[u8]) -> bool {
    matches!(bytes, [0xED, 0xA0..0xB0, 0x80..0xC0, 0xED, 0xB0..0xC0, 0x80..0xC0])
}

/// Whether `bytes` are the first two to five bytes of a surrogate pair of CESU-8, which UTF-8 does not have. See [`self`].
#[must_use]
pub fn is_cut_pair(bytes: &[u8]) -> bool {
    const REST: [u8; SURROGATE_PAIR] = [0xED, 0xA0, 0x80, 0xED, 0xB0, 0x80];
    let filled = || [bytes, &REST[bytes.len()..]].concat();
    (2..REST.len()).contains(&bytes.len()) && is_surrogate_pair(&filled())
}

/// Whether `tail` is an incomplete sequence that more bytes could complete. See [`self`].
#[must_use]
pub fn is_cut_sequence(tail: &[u8]) -> bool {
    str::from_utf8(tail).is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
}

/// Returns the offset, in bytes, of the incomplete sequence at the end of `text`, or the length of `text` if it ends
/// with a whole sequence. See [`self`].
#[must_use]
pub fn end_of_whole_sequences(text: &[u8]) -> usize {
    let lead = text.iter().rposition(|byte| !is_continuation(*byte)).unwrap_or(0);
    if is_cut_sequence(&text[lead..]) { lead } else { text.len() }
}
