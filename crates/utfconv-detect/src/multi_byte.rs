//! The candidates of several bytes a character: how each is decoded, and the cost of the text.

use super::escapes::decoded;
use super::hints::Hints;
use super::models::{Characters, Cost, MODELS, NATS};
use super::pages::{RARE, USUAL};
use super::sample::Word;
use super::score::FAULT;
use utfconv_core::{BIG5, CP949, EUC_JP, EUC_TW, Encoding, GB18030, JOHAB, WINDOWS_31J};

/// An encoding with characters of several bytes that a guess may name.
pub(super) struct MultiByte {
    encoding: &'static Encoding,
    pub(super) rarity: Cost,
    languages: &'static [&'static str],
    decoder: Decoder,
    /// Whether no character has this byte.
    pub(super) is_undefined: fn(u8) -> bool,
}

#[derive(Clone, Copy)]
enum Decoder {
    Web(&'static encoding_rs::Encoding),
    /// Slower, and exact.
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

/// How many words are decoded at a time.
const BLOCK: usize = 32;

/// A text in its likeliest language.
#[derive(Clone, Copy)]
pub(super) struct Read {
    pub(super) language: &'static str,
    pub(super) prior: Cost,
    /// The cost of the distinct characters, each after each kind of character.
    pub(super) evidence: Cost,
    /// The number of these.
    pub(super) count: Cost,
    /// Ill-formed sequences.
    pub(super) errors: u64,
}

impl MultiByte {
    /// Returns the encoding, or the requested encoding whose texts it reads; None if it is not allowed.
    pub(super) fn allowed(&self, hints: &Hints) -> Option<&'static Encoding> {
        let own = self.encoding;
        if hints.candidates.is_empty() {
            return Some(own);
        }
        let is_related = |one: &&&'static Encoding| **one == own || own.reads(one) || one.reads(own);
        let related = hints.candidates.iter().filter(is_related);
        // The one that reads the texts of the most others.
        let read_by =
            |one: &&&'static Encoding| hints.candidates.iter().filter(|other| one.reads(other)).count();
        related.max_by_key(read_by).copied()
    }

    /// Reads the words as text, of which this share is distinct; `None` if their faults alone cost more than `limit`, or if no
    /// language of the encoding is allowed.
    pub(super) fn read(&self, words: &[Word], hints: &Hints, share: f64, limit: Cost) -> Option<Read> {
        let is_spoken = |characters: &&Characters| {
            self.languages.contains(&characters.name) && hints.has_language(characters.name)
        };
        let (mut units, mut decoded, mut errors) = (Vec::new(), Vec::new(), 0);
        // Most texts have many faults in the wrong encoding: a few words show that.
        for some in words.chunks(BLOCK) {
            let bytes: Vec<u8> = some.iter().flat_map(|word| word.bytes).copied().collect();
            self.decode(&bytes, &mut decoded);
            // A word that is cut short may end within a character.
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

/// Returns the pairs of adjacent characters in words that are decoded to UTF-16: those with a non-ASCII character.
fn pairs(units: &[u16]) -> Vec<(char, char)> {
    let mut pairs = Vec::new();
    // A word begins after one separator and ends with another.
    let (mut is_inside, mut before) = (false, '\n');
    // The second half of a character is skipped.
    for unit in units.iter().filter(|unit| !matches!(unit, 0xDC00..=0xDFFF)) {
        // Characters above U+FFFF are all rare.
        let char = char::from_u32((*unit).into()).unwrap_or('\u{10000}');
        if is_inside && (!before.is_ascii() || !char.is_ascii()) && char != char::REPLACEMENT_CHARACTER {
            pairs.push((before, char));
        }
        before = char;
        is_inside = char >= '0' || !is_inside;
    }
    pairs
}

/// Returns the cost of a character after another.
pub(super) fn cost_of_char(characters: &Characters, before: char, char: char) -> Cost {
    let ascii = |char: char| if char.is_ascii_alphabetic() { 3 * NATS } else { NATS };
    match (before.is_ascii(), char.is_ascii()) {
        (true, true) => 0,
        (false, true) => NATS + ascii(char),
        (is_entry, false) => {
            let entry = if is_entry { ascii(before) } else { 0 };
            entry + characters.cost(char).unwrap_or_else(|| foreign(char))
        }
    }
}

/// Returns the cost of a rare character.
fn foreign(char: char) -> Cost {
    match char {
        char::REPLACEMENT_CHARACTER => 25 * NATS,
        '\u{80}'..='\u{9F}' | '\u{E000}'..='\u{F8FF}' => 18 * NATS,
        _ => 12 * NATS,
    }
}
