//! The characters of windows-1252.

/// The characters of 80..9F; U+FFFD where a byte has none.
const SIGNS: [char; 32] = [
    '€', '\u{FFFD}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{FFFD}', 'Ž',
    '\u{FFFD}', //
    '\u{FFFD}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{FFFD}', 'ž', 'Ÿ',
];

/// Returns the scalar value of a byte.
pub fn scalar(byte: u8) -> Option<char> {
    match byte {
        0x80..=0x9F => Some(SIGNS[usize::from(byte - 0x80)]).filter(|sign| *sign != '\u{FFFD}'),
        _ => Some(byte.into()),
    }
}
