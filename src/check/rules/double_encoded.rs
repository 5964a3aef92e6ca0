//! Text that was encoded twice: UTF-8, read as windows-1252 or ISO-8859-1 and encoded again.
//!
//! Each byte of the first encoding is a character now: a lead byte C2..F4 is a Latin letter, a continuation byte 80..BF
//! a sign or one of a few letters. A letter before a sign is ordinary writing as well (`CAFÉ»`, `1,54 Å²`, `voilà »`), so
//! that not each sequence is certain. What may be ordinary is passed over: a file that was encoded twice has others.

use super::{first_scalar, scalars};

/// The byte with which all lead bytes, encoded again, begin: U+00C2..U+00F4.
pub const LEAD: u8 = 0xC3;

/// How many characters a hint has room for.
const FEW: usize = 20;

/// What windows-1252 has for 80..9F; U+FFFD where it has nothing.
const SIGNS: [char; 32] = [
    '€', '\u{FFFD}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{FFFD}', 'Ž',
    '\u{FFFD}', //
    '\u{FFFD}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{FFFD}', 'ž', 'Ÿ',
];

/// Sequences side by side that can have been encoded twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Twice {
    /// Bytes of text.
    pub len: usize,
    /// It is hardly anything else.
    pub is_certain: bool,
}

/// One character of the original text, as the bytes of its first encoding.
#[derive(Clone, Copy)]
struct Sequence {
    bytes: [u8; 4],
    len: usize,
    /// Bytes of the text it is now.
    width: usize,
}

/// The byte of windows-1252 that `scalar` is, or of ISO-8859-1 where that one has none.
fn byte(scalar: u32) -> Option<u8> {
    match scalar {
        0x80..=0xFF => Some(scalar as u8),
        0xFFFD => None,
        _ => {
            let sign = SIGNS.iter().position(|sign| u32::from(*sign) == scalar)?;
            Some(0x80 + sign as u8)
        }
    }
}

/// What windows-1252 has for the byte.
pub fn windows_1252(byte: u8) -> Option<char> {
    match byte {
        0x80..=0x9F => Some(SIGNS[usize::from(byte - 0x80)]).filter(|sign| *sign != '\u{FFFD}'),
        _ => Some(byte.into()),
    }
}

impl Sequence {
    /// The sequence with which a text begins that begins with [`LEAD`].
    fn first(text: &[u8]) -> Option<Sequence> {
        // Most letters of Latin scripts that come here have an ASCII letter behind them.
        if !matches!(text.get(2), Some(0xC2 | 0xC5 | 0xC6 | 0xCB | 0xE2)) {
            return None;
        }
        let (lead, mut width) = first_scalar(text);
        let len = match lead {
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF4 => 4,
            _ => return None,
        };
        let mut bytes = [lead as u8, 0, 0, 0];
        for trail in &mut bytes[1..len] {
            let rest = text.get(width..).filter(|rest| !rest.is_empty())?;
            let (scalar, taken) = first_scalar(rest);
            *trail = byte(scalar)?;
            width += taken;
        }
        std::str::from_utf8(&bytes[..len]).ok().map(|_| Sequence { bytes, len, width })
    }

    /// Whether hardly anyone writes this by hand, whatever stands around it.
    fn is_odd(&self) -> bool {
        let [lead, trail, ..] = self.bytes;
        match lead {
            // A sign of multiplication, a sign of diameter and a lower-case letter.
            0xD7 | 0xD8 | 0xDF => false,
            // What would be meant is a control.
            0xC2 if trail < 0xA0 => false,
            // Nothing but NO-BREAK SPACE, SOFT HYPHEN and quotation marks is written behind a final Â.
            0xC2 => !matches!(trail, 0xA0 | 0xAB | 0xAD | 0xBB),
            // The BOM.
            0xEF if self.bytes == [0xEF, 0xBB, 0xBF, 0] => true,
            // A capital letter behind a small one.
            0xE0.. if matches!(trail, 0x8A | 0x8C | 0x8E | 0x9F) => true,
            _ => !is_written_behind_letters(trail),
        }
    }

    /// Whether what stands around a lone sequence of two makes it certain.
    fn is_out_of_place(&self, before: Option<char>, after: Option<char>) -> bool {
        let [lead, trail, ..] = self.bytes;
        let is_small =
            |scalar: Option<char>| scalar.is_some_and(|c| c.is_lowercase() && !matches!(c, 'ª' | 'º'));
        let is_letter = |scalar: Option<char>| scalar.is_some_and(char::is_alphabetic);
        let is_beyond_ascii = |scalar: Option<char>| scalar.is_some_and(|c| !c.is_ascii());
        match lead {
            0xD7 | 0xD8 | 0xDF.. => false,
            0xC2 if trail < 0xA0 => false,
            // Ångström, with a prefix before it: 120 mÅ.
            0xC5 => is_small(before) && is_small(after) && !matches!(trail, 0x96 | 0x97 | 0xA0 | 0xB7),
            // Capitals do not follow small letters.
            _ if is_small(before) => true,
            0xC2 | 0xC3 if before.is_some_and(|c| c.is_ascii_digit()) => true,
            // A quotation mark next to a blank.
            0xC2 if matches!(trail, 0xAB | 0xBB) => !is_letter(before) && !is_beyond_ascii(before),
            // No word begins with Ã.
            0xC3 => !is_letter(before) && is_small(after) && trail != 0xA0,
            _ => false,
        }
    }
}

/// Whether the sign of windows-1252 is written right behind letters: punctuation, blanks, marks of trade and of notes,
/// separators of tables, units, and the letters among the signs.
fn is_written_behind_letters(trail: u8) -> bool {
    matches!(
        trail,
        0x82 | 0x84..=0x87 // ‚ „ … † ‡
            | 0x8A..=0x8C | 0x8E // Š ‹ Œ Ž
            | 0x91..=0x97 | 0x99..=0x9C | 0x9E..=0xA1 // quotation marks, dashes, ™ š › œ ž Ÿ, NO-BREAK SPACE, ¡
            | 0xA6 | 0xA7 | 0xAA..=0xAE // ¦ § ª « ¬ SOFT HYPHEN ®
            | 0xB0..=0xB4 | 0xB6 | 0xB7 | 0xB9..=0xBB | 0xBF // ° ± ² ³ ´ ¶ · ¹ º » ¿
    )
}

/// The letters among the signs.
fn is_letter(trail: u8) -> bool {
    matches!(trail, 0x8A | 0x8C | 0x8E | 0x9A | 0x9C | 0x9E | 0x9F)
}

/// The sequences with which `text` begins, which begins with [`LEAD`] and has `before` in front of it.
pub fn at(text: &[u8], before: Option<char>) -> Option<Twice> {
    let mut count = 0;
    let mut len = 0;
    let mut is_certain = false;
    // Words in capitals can have several letters of both kinds: SNÍŽÍŠ. Lists can have a sign several times: Ä–Ö–Ü.
    let mut is_varied = false;
    let mut are_letters = true;
    let mut first = None;
    while text.get(len) == Some(&LEAD) {
        let Some(sequence) = Sequence::first(&text[len..]) else { break };
        let first: Sequence = *first.get_or_insert(sequence);
        count += 1;
        len += sequence.width;
        is_certain |= sequence.is_odd();
        is_varied |= sequence.bytes[1..] != first.bytes[1..];
        are_letters &= sequence.bytes[1..sequence.len].iter().all(|trail| is_letter(*trail));
    }
    let after = scalars(&text[len..]).next();
    is_certain |= match count {
        1 => first?.is_out_of_place(before, after),
        _ => is_varied && !are_letters,
    };
    first.map(|_| Twice { len, is_certain })
}

/// What was found, and what it was.
pub fn words(text: &[u8]) -> (String, Option<String>) {
    // Only ISO-8859-1 has controls for bytes that windows-1252 has signs for.
    let is_latin_1 = scalars(text)
        .any(|scalar| matches!(scalar, '\u{80}'..='\u{9F}') && windows_1252(scalar as u8).is_some());
    let encoding = if is_latin_1 { "ISO-8859-1" } else { "windows-1252" };
    let bytes: Vec<u8> = scalars(text).filter_map(|scalar| byte(scalar.into())).take(4 * (FEW + 1)).collect();
    let valid = match std::str::from_utf8(&bytes) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
    };
    let mut was: String = valid.chars().take(FEW).map(visible).collect();
    if valid.chars().nth(FEW).is_some() {
        was.push_str("...");
    }
    (format!("UTF-8 that was read as {encoding}"), Some(format!("it was \"{was}\"")))
}

/// The character, or its escape where a terminal may act on it.
fn visible(scalar: char) -> String {
    if utfconv_core::is_inert(scalar) { scalar.to_string() } else { scalar.escape_unicode().to_string() }
}
