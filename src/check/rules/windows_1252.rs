//! The characters of windows-1252.

/// The characters of 80..9F; U+FFFD where a byte has none.
const SIGNS: [char; 32] = [
    '€', '\u{FFFD}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{FFFD}', 'Ž',
    '\u{FFFD}', //
    '\u{FFFD}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{FFFD}', 'ž', 'Ÿ',
];

/// Returns the byte of a scalar value in windows-1252, or in ISO-8859-1 if windows-1252 does not have it.
pub fn byte(scalar: u32) -> Option<u8> {
    match scalar {
        0x80..=0xFF => Some(scalar as u8),
        0xFFFD => None,
        _ => {
            let sign = SIGNS.iter().position(|sign| u32::from(*sign) == scalar)?;
            Some(0x80 + sign as u8)
        }
    }
}

/// Returns the scalar value of a byte.
pub fn scalar(byte: u8) -> Option<char> {
    match byte {
        0x80..=0x9F => Some(SIGNS[usize::from(byte - 0x80)]).filter(|sign| *sign != '\u{FFFD}'),
        _ => Some(byte.into()),
    }
}
