//! Multi-byte candidates: how each is decoded, and the cost of its text.

use super::cost::{ASCII_LETTER, COMMON, Cost, EXCEPTION, FAULT, RARE, USUAL};
use super::escapes::decoded;
use super::hints::Hints;
use super::models::{Characters, MODELS};
use super::sample::Word;
use utfconv_core::{
    Encoding, GB18030,
    encodings::{BIG5, CP949, EUC_JP, EUC_TW, JOHAB, WINDOWS_31J},
};

/// A multi-byte encoding that a guess may name.
pub(super) struct MultiByte {
    encoding: &'static Encoding,
    pub(super) rarity: Cost,
    languages: &'static [&'static str],
    decoder: Decoder,
    /// Returns whether no character of the encoding has this byte.
    pub(super) is_undefined: fn(u8) -> bool,
}

#[derive(Clone, Copy)]
enum Decoder {
    Web(&'static encoding_rs::Encoding),
    /// The decoder of utfconv-core, which is slower than encoding_rs but has this encoding.
    Own,
}

#[rustfmt::skip]
pub(super) static MULTI_BYTE: [MultiByte; 7] = [
    MultiByte { encoding: &WINDOWS_31J, rarity: USUAL, languages: &["ja"], decoder: Decoder::Web(encoding_rs::SHIFT_JIS), is_undefined: |byte| matches!(byte, 0xFD..) },
    MultiByte { encoding: &EUC_JP, rarity: USUAL, languages: &["ja"], decoder: Decoder::Web(encoding_rs::EUC_JP), is_undefined: |byte| matches!(byte, 0x80..=0x8D | 0x90..=0xA0 | 0xFF) },
    MultiByte { encoding: &GB18030, rarity: USUAL, languages: &["zh-CN", "zh-TW"], decoder: Decoder::Web(encoding_rs::GB18030), is_undefined: |byte| byte == 0xFF },
    MultiByte { encoding: &BIG5, rarity: USUAL, languages: &["zh-TW"], decoder: Decoder::Web(encoding_rs::BIG5), is_undefined: |byte| matches!(byte, 0x80 | 0xFF) },
    MultiByte { encoding: &CP949, rarity: USUAL, languages: &["ko"], decoder: Decoder::Web(encoding_rs::EUC_KR), is_undefined: |byte| matches!(byte, 0x80 | 0xFF) },
    MultiByte { encoding: &JOHAB, rarity: RARE, languages: &["ko"], decoder: Decoder::Own, is_undefined: |byte| matches!(byte, 0x80 | 0xFF) },
    MultiByte { encoding: &EUC_TW, rarity: RARE, languages: &["zh-TW"], decoder: Decoder::Own, is_undefined: |byte| matches!(byte, 0x80..=0x8D | 0x8F..=0xA0 | 0xFF) },
];

/// Number of words that are decoded at a time.
const BLOCK: usize = 32;

/// The costs of a text in its likeliest language.
#[derive(Clone, Copy)]
pub(super) struct Read {
    pub(super) language: &'static str,
    pub(super) prior: Cost,
    /// The cost of the distinct characters, each after the characters before it, plus the cost of errors.
    pub(super) evidence: Cost,
    /// Number of distinct pairs of characters.
    pub(super) count: Cost,
    /// Number of ill-formed sequences.
    pub(super) errors: u64,
}

impl MultiByte {
    /// Returns the encoding, or the requested candidate that is related to it; `None` if the encoding is not allowed.
    pub(super) fn allowed(&self, hints: &Hints) -> Option<&'static Encoding> {
        let own = self.encoding;
        if hints.candidates.is_empty() {
            return Some(own);
        }
        let is_related = |one: &&&'static Encoding| **one == own || own.reads(one) || one.reads(own);
        let related = hints.candidates.iter().filter(is_related);
        // Prefer the encoding that reads the texts of the most other candidates.
        let read_by =
            |one: &&&'static Encoding| hints.candidates.iter().filter(|other| one.reads(other)).count();
        related.max_by_key(read_by).copied()
    }

    /// Decodes the words and scores them. `share` is the share of pairs that are distinct. Returns `None` if the errors
    /// alone cost more than `limit`, or if no language of the encoding is allowed.
    pub(super) fn read(&self, words: &[Word], hints: &Hints, share: f64, limit: Cost) -> Option<Read> {
        let is_spoken = |characters: &&Characters| {
            self.languages.contains(&characters.name) && hints.has_language(characters.name)
        };
        let (mut units, mut decoded, mut errors) = (Vec::new(), Vec::new(), 0);
        // In the wrong encoding, most texts have many errors, so a few words are enough to rule it out.
        for some in words.chunks(BLOCK) {
            let bytes: Vec<u8> = some.iter().flat_map(|word| word.bytes).copied().collect();
            self.decode(&bytes, &mut decoded);
            // The last character of a truncated word may be incomplete, which is no error.
            let cut = some.iter().filter(|word| word.is_cut_short()).count() as u64;
            errors +=
                (decoded.iter().filter(|unit| **unit == REPLACEMENT).count() as u64).saturating_sub(cut);
            if errors as Cost * FAULT > limit {
                return None;
            }
            units.append(&mut decoded);
        }
        let pairs = pairs(&units);
        let cost = |characters: &'static Characters| {
            let each = pairs.iter().map(|(before, char)| cost_of_char(characters, *before, *char));
            (each.sum::<Cost>(), characters)
        };
        let (cost, characters) =
            MODELS.characters.iter().filter(is_spoken).map(cost).min_by_key(|(cost, _)| *cost)?;
        let evidence = (f64::from(cost) * share) as Cost + errors as Cost * FAULT;
        Some(Read {
            language: characters.name,
            prior: characters.rarity,
            evidence,
            count: (pairs.len() as f64 * share) as Cost,
            errors,
        })
    }

    /// Decodes `bytes` to UTF-16, with U+FFFD for each ill-formed sequence.
    fn decode(&self, bytes: &[u8], units: &mut Vec<u16>) {
        match self.decoder {
            Decoder::Web(encoding) => {
                let mut decoder = encoding.new_decoder_without_bom_handling();
                units.resize(decoder.max_utf16_buffer_length(bytes.len()).unwrap_or(0), 0);
                let (_, _, written, _) = decoder.decode_to_utf16(bytes, units, true);
                units.truncate(written);
            }
            Decoder::Own => {
                units.clear();
                units.extend(decoded(self.encoding, bytes).encode_utf16());
            }
        }
    }
}

const REPLACEMENT: u16 = 0xFFFD;

/// Returns the pairs of adjacent characters in decoded words that have a non-ASCII character.
fn pairs(units: &[u16]) -> Vec<(char, char)> {
    let mut pairs = Vec::new();
    // The first and last characters of a word are separators.
    let (mut is_inside, mut before) = (false, '\n');
    // Skip low surrogates.
    for unit in units.iter().filter(|unit| !matches!(unit, 0xDC00..=0xDFFF)) {
        // Characters above U+FFFF are all rare, so U+10000 stands for them.
        let char = char::from_u32((*unit).into()).unwrap_or('\u{10000}');
        if is_inside && (!before.is_ascii() || !char.is_ascii()) && char != char::REPLACEMENT_CHARACTER {
            pairs.push((before, char));
        }
        before = char;
        is_inside = char >= '0' || !is_inside;
    }
    pairs
}

/// Returns the cost of a character after another in a language with thousands of characters. A change from or to ASCII
/// costs as much as the ASCII character by itself.
pub(super) fn cost_of_char(characters: &Characters, before: char, char: char) -> Cost {
    let ascii = |char: char| if char.is_ascii_alphabetic() { ASCII_LETTER } else { COMMON };
    match (before.is_ascii(), char.is_ascii()) {
        (true, true) => 0,
        (false, true) => ascii(char),
        (is_entry, false) => {
            let entry = if is_entry { ascii(before) } else { 0 };
            entry + characters.cost(char).unwrap_or_else(|| foreign(char))
        }
    }
}

/// Returns the cost of a character that is not in the statistics.
fn foreign(char: char) -> Cost {
    match char {
        char::REPLACEMENT_CHARACTER | '\u{80}'..='\u{9F}' | '\u{E000}'..='\u{F8FF}' => FAULT,
        _ => EXCEPTION,
    }
}
