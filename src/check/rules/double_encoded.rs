//! Double-encoded text: UTF-8 that was read as windows-1252 or ISO-8859-1 and encoded again.
//!
//! Each byte of the original UTF-8 has become a character: a lead byte C2..F4 is a Latin letter now, a continuation byte
//! 80..BF a sign or one of a few letters. A letter before a sign is ordinary writing as well (`CAFÉ»`, `1,54 Å²`,
//! `voilà »`), so not every pair is certain. Pairs that may be ordinary are skipped: a double-encoded file has others.

use super::windows_1252::{self, byte};
use super::{Definition, Detection, Fix, Match, Sequence, Why};
use utfconv_scan::marks::Start;
use utfconv_scan::utf8::{first_scalar, scalars};

pub const RULE: Definition = Definition {
    id: "double-encoded",
    title: "double-encoded",
    explanation: "\
UTF-8 that was read as windows-1252 or ISO-8859-1 and then encoded again, once
or more: \"\u{c3}\u{a9}\" was \"\u{e9}\", \"\u{e2}\u{20ac}\u{2122}\" was \"\u{2019}\". Only text that is hardly ordinary is
reported. A single pair of characters may be skipped: a capital letter before
a quotation mark can be either.

If the whole file is double-encoded, undo one encoding, and check that the
result is well-formed:
    utfconv -t windows-1252 -o NEW FILE && utfconv check NEW
Files that were read as ISO-8859-1 need -t ISO-8859-1.
",
    detection: Detection::Sequence(Sequence { start: Start::Letters, first: at, why }),
    ..Definition::with(Fix::By(
        "\
takes it back where that is proven, as repair does: the result is UTF-8
that is more plausible as text. The rest is left, and files that have
ill-formed bytes or are not UTF-8.",
    ))
};

/// The first byte of all lead bytes that were encoded again: U+00C2..U+00F4.
const LEAD: u8 = 0xC3;

/// The most characters that a hint shows.
const FEW: usize = 20;

/// A character of the original text, as the bytes of its first encoding, which were misread.
#[derive(Clone, Copy)]
struct MisreadChar {
    bytes: [u8; 4],
    len: usize,
    /// Its length in the text now, in bytes.
    width: usize,
}

impl MisreadChar {
    /// Reads one at the start of a text that begins with [`LEAD`].
    fn first(text: &[u8]) -> Option<MisreadChar> {
        // An ASCII letter follows most Latin letters that get here.
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
        std::str::from_utf8(&bytes[..len]).ok().map(|_| MisreadChar { bytes, len, width })
    }

    /// Whether hardly anyone writes this by hand, whatever surrounds it.
    fn is_odd(&self) -> bool {
        let [lead, trail, ..] = self.bytes;
        match lead {
            // A sign of multiplication, a sign of diameter and a lower-case letter.
            0xD7 | 0xD8 | 0xDF => false,
            // The original would be a control character.
            0xC2 if trail < 0xA0 => false,
            // Only NO-BREAK SPACE, SOFT HYPHEN and quotation marks are written after a final Â.
            0xC2 => !matches!(trail, 0xA0 | 0xAB | 0xAD | 0xBB),
            // The BOM.
            0xEF if self.bytes == [0xEF, 0xBB, 0xBF, 0] => true,
            // A capital letter after a small one.
            0xE0.. if matches!(trail, 0x8A | 0x8C | 0x8E | 0x9F) => true,
            _ => !is_written_after_letters(trail),
        }
    }

    /// Whether the characters around a single pair make it certain.
    fn is_out_of_place(&self, before: Option<char>, after: Option<char>) -> bool {
        let [lead, trail, ..] = self.bytes;
        let is_small =
            |scalar: Option<char>| scalar.is_some_and(|c| c.is_lowercase() && !matches!(c, 'ª' | 'º'));
        let is_letter = |scalar: Option<char>| scalar.is_some_and(char::is_alphabetic);
        let is_beyond_ascii = |scalar: Option<char>| scalar.is_some_and(|c| !c.is_ascii());
        match lead {
            0xD7 | 0xD8 | 0xDF.. => false,
            0xC2 if trail < 0xA0 => false,
            // Ångström, after a unit prefix: 120 mÅ.
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

/// Whether a sign of windows-1252 is written directly after letters: punctuation, blanks, trade marks and note marks,
/// table separators, units, and the letters among the signs.
fn is_written_after_letters(trail: u8) -> bool {
    matches!(
        trail,
        0x82 | 0x84..=0x87 // ‚ „ … † ‡
            | 0x8A..=0x8C | 0x8E // Š ‹ Œ Ž
            | 0x91..=0x97 | 0x99..=0x9C | 0x9E..=0xA1 // quotation marks, dashes, ™ š › œ ž Ÿ, NO-BREAK SPACE, ¡
            | 0xA6 | 0xA7 | 0xAA..=0xAE // ¦ § ª « ¬ SOFT HYPHEN ®
            | 0xB0..=0xB4 | 0xB6 | 0xB7 | 0xB9..=0xBB | 0xBF // ° ± ² ³ ´ ¶ · ¹ º » ¿
    )
}

/// Whether a sign is a letter.
fn is_letter(trail: u8) -> bool {
    matches!(trail, 0x8A | 0x8C | 0x8E | 0x9A | 0x9C | 0x9E | 0x9F)
}

/// Finds adjacent double-encoded characters at the start of `text`, which follows the character `before`.
fn at(text: &[u8], before: Option<char>) -> Option<Match> {
    let mut count = 0;
    let mut len = 0;
    let mut is_certain = false;
    // Words in capitals can have several letters of both kinds: SNÍŽÍŠ. Lists can repeat a sign: Ä–Ö–Ü.
    let mut is_varied = false;
    let mut are_letters = true;
    let mut first = None;
    while text.get(len) == Some(&LEAD) {
        let Some(next) = MisreadChar::first(&text[len..]) else { break };
        let first: MisreadChar = *first.get_or_insert(next);
        count += 1;
        len += next.width;
        is_certain |= next.is_odd();
        is_varied |= next.bytes[1..] != first.bytes[1..];
        are_letters &= next.bytes[1..next.len].iter().all(|trail| is_letter(*trail));
    }
    let after = scalars(&text[len..]).next();
    is_certain |= match count {
        1 => first?.is_out_of_place(before, after),
        _ => is_varied && !are_letters,
    };
    first.map(|_| Match { len, is_certain })
}

/// Names the encoding that the text was read as, and gives the original text as a hint.
fn why(text: &[u8]) -> Why {
    // Only ISO-8859-1 has controls where windows-1252 has signs.
    let is_latin_1 = scalars(text)
        .any(|scalar| matches!(scalar, '\u{80}'..='\u{9F}') && windows_1252::scalar(scalar as u8).is_some());
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
    Why { text: format!("UTF-8 that was read as {encoding}"), hint: Some(format!("it was \"{was}\"")) }
}

/// Returns the character, or its escape if a terminal may act on it.
fn visible(scalar: char) -> String {
    if utfconv_core::is_printable(scalar) { scalar.to_string() } else { scalar.escape_unicode().to_string() }
}
