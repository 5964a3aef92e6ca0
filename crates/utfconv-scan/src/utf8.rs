//! UTF-8 in buffers: where characters begin, and whether the end of a buffer cuts one. Reads scalar values of text that was
//! checked before, without checking it again.

use utfconv_core::utf8_well_formed_up_to;

/// Whether a byte continues a sequence in well-formed UTF-8.
pub fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// Returns the number of scalar values in well-formed text.
pub fn count_scalars(text: &[u8]) -> usize {
    text.iter().filter(|byte| !is_continuation(**byte)).count()
}

/// Whether `bytes` are well-formed, except for a sequence that the end cuts.
pub fn is_well_formed_so_far(bytes: &[u8]) -> bool {
    let rest = &bytes[utf8_well_formed_up_to(bytes)..];
    rest.is_empty() || is_cut_sequence(rest)
}

/// Whether all of `tail` is the beginning of one sequence, which the end of the buffer cuts.
pub fn is_cut_sequence(tail: &[u8]) -> bool {
    str::from_utf8(tail).is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
}

/// Returns where the sequence begins that the end of `text` cuts; the length of `text` if it cuts none.
pub fn end_of_whole_sequences(text: &[u8]) -> usize {
    let lead = text.iter().rposition(|byte| !is_continuation(*byte)).unwrap_or(0);
    if is_cut_sequence(&text[lead..]) { lead } else { text.len() }
}

/// Returns the first scalar value of a well-formed text, and its length in bytes.
#[inline(always)]
pub fn first_scalar(text: &[u8]) -> (u32, usize) {
    let bits = |byte: u8| u32::from(byte & 0x3F);
    match *text {
        [a @ ..0x80, ..] => (a.into(), 1),
        [a @ ..0xE0, b, ..] => (u32::from(a & 0x1F) << 6 | bits(b), 2),
        [a @ ..0xF0, b, c, ..] => (u32::from(a & 0x0F) << 12 | bits(b) << 6 | bits(c), 3),
        [a, b, c, d, ..] => (u32::from(a & 0x07) << 18 | bits(b) << 12 | bits(c) << 6 | bits(d), 4),
        _ => unreachable!("the text is well-formed"),
    }
}
