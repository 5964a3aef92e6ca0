//! The candidates of several bytes a character: how each is decoded, and the cost of the text.

use super::escapes::decoded;
use super::hints::Hints;
use super::models::{Characters, Cost, MODELS, NATS};
use super::pages::Family::{self, Unix, Windows};
use super::sample::Word;
use utfconv_core::{BIG5, CP949, EUC_JP, EUC_TW, Encoding, GB18030, JOHAB, WINDOWS_31J};

/// An encoding with characters of several bytes that a guess may name.
pub(super) struct MultiByte {
    encoding: &'static Encoding,
    pub(super) family: Family,
    pub(super) rarity: Cost,
    languages: &'static [&'static str],
    decoder: Decoder,
    /// Whether no character has this byte.
    is_undefined: fn(u8) -> bool,
}

#[derive(Clone, Copy)]
enum Decoder {
    Web(&'static encoding_rs::Encoding),
    /// Slower, and exact.
    Own,
}

/// Those that are hardly used any more are last, from [`RARE`] on.
#[rustfmt::skip]
pub(super) static MULTI_BYTE: [MultiByte; 7] = [
    MultiByte { encoding: &WINDOWS_31J, family: Windows, rarity: 3 * NATS, languages: &["ja"], decoder: Decoder::Web(encoding_rs::SHIFT_JIS), is_undefined: |byte| matches!(byte, 0xFD..) },
    MultiByte { encoding: &EUC_JP, family: Unix, rarity: 4 * NATS, languages: &["ja"], decoder: Decoder::Web(encoding_rs::EUC_JP), is_undefined: |byte| matches!(byte, 0x80..=0x8D | 0x90..=0xA0 | 0xFF) },
    MultiByte { encoding: &GB18030, family: Windows, rarity: 3 * NATS, languages: &["zh-CN", "zh-TW"], decoder: Decoder::Web(encoding_rs::GB18030), is_undefined: |byte| byte == 0xFF },
    MultiByte { encoding: &BIG5, family: Windows, rarity: 3 * NATS, languages: &["zh-TW"], decoder: Decoder::Web(encoding_rs::BIG5), is_undefined: |byte| matches!(byte, 0x80 | 0xFF) },
    MultiByte { encoding: &CP949, family: Windows, rarity: 3 * NATS, languages: &["ko"], decoder: Decoder::Web(encoding_rs::EUC_KR), is_undefined: |byte| matches!(byte, 0x80 | 0xFF) },
    MultiByte { encoding: &JOHAB, family: Windows, rarity: 7 * NATS, languages: &["ko"], decoder: Decoder::Own, is_undefined: |byte| matches!(byte, 0x80 | 0xFF) },
    MultiByte { encoding: &EUC_TW, family: Unix, rarity: 7 * NATS, languages: &["zh-TW"], decoder: Decoder::Own, is_undefined: |byte| matches!(byte, 0x80..=0x8D | 0x8F..=0xA0 | 0xFF) },
];

/// Where in `MULTI_BYTE` the rare ones begin.
pub(super) const RARE: usize = 5;

/// The mean cost of a character up to which a text is well read, and needs no comparison with rare encodings.
pub(super) const WELL_READ: Cost = 8 * NATS;

/// The most bytes that are decoded at a time, except for a longer word.
const BLOCK: usize = 512;

/// The same at the beginning, where most encodings prove hopeless.
const FIRST_BLOCK: usize = 128;

/// With more than one error in so many characters, in addition to the first, a text is in another encoding.
pub(super) const CHARS_PER_ERROR: u64 = 50;

/// A text in its likeliest language.
#[derive(Clone, Copy)]
pub(super) struct Read {
    pub(super) language: &'static str,
    pub(super) cost: Cost,
    /// The characters that are not ASCII, ill-formed sequences included.
    pub(super) chars: u64,
    /// Ill-formed sequences.
    pub(super) errors: u64,
}

impl Read {
    /// Returns the mean cost of a character.
    pub(super) fn mean(&self) -> Cost {
        self.cost / Cost::try_from(self.chars.max(1)).unwrap_or(Cost::MAX)
    }
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

    /// Whether no character has one of these bytes.
    pub(super) fn has_undefined(&self, bytes: &[u8]) -> bool {
        bytes.iter().any(|byte| (self.is_undefined)(*byte))
    }

    /// Whether the first words are read about as well as [`WELL_READ`].
    pub(super) fn may_be_well_read(&self, words: &[Word], hints: &Hints) -> bool {
        let read = self.read(&words[..count_within(words, BLOCK / 2)], hints, Cost::MAX);
        read.is_some_and(|read| read.mean() < WELL_READ + NATS)
    }

    /// Reads the words as text; None if too much is ill-formed, or the text costs more than `most`.
    pub(super) fn read(&self, words: &[Word], hints: &Hints, most: Cost) -> Option<Read> {
        let is_spoken = |characters: &&Characters| {
            self.languages.contains(&characters.name) && hints.has_language(characters.name)
        };
        let spoken: Vec<_> = MODELS.characters.iter().filter(is_spoken).collect();
        let mut costs: Vec<Cost> = spoken.iter().map(|characters| characters.rarity).collect();
        let (mut chars, mut errors) = (0, 0);
        let all: u64 = words.iter().map(|word| word.bytes.len() as u64).sum();
        let (mut bytes, mut units, mut done) = (Vec::with_capacity(BLOCK), Vec::new(), 0);
        let mut rest = words;
        while !rest.is_empty() {
            let (block, after) =
                rest.split_at(count_within(rest, if done == 0 { FIRST_BLOCK } else { BLOCK }));
            rest = after;
            bytes.clear();
            block.iter().for_each(|word| bytes.extend_from_slice(word.bytes));
            self.decode(&bytes, &mut units);
            done += bytes.len() as u64;
            for unit in units.iter().filter(|unit| is_counted(**unit)) {
                chars += 1;
                errors += u64::from(*unit == REPLACEMENT);
            }
            // Even if there are no more errors, and each byte is a character.
            if CHARS_PER_ERROR * errors > chars + all - done + CHARS_PER_ERROR - 1 {
                return None;
            }
            for (characters, cost) in spoken.iter().zip(&mut costs) {
                *cost += cost_of_words(characters, &units);
            }
            let least = costs.iter().copied().min()?;
            // Words differ, but not so much.
            let expected = i64::from(least) * all as i64 / done as i64;
            let slack = if done < BLOCK as u64 { expected / 2 } else { expected / 4 };
            if least > most || expected - slack > i64::from(most) {
                return None;
            }
        }
        // A word that is cut short may end in the middle of a character.
        let cut = words.iter().filter(|word| word.is_cut_short()).count() as u64;
        let errors = errors.saturating_sub(cut);
        let (cost, characters) = costs.into_iter().zip(spoken).min_by_key(|(cost, _)| *cost)?;
        Some(Read { language: characters.name, cost, chars, errors })
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

/// Returns how many of the first words are within so many bytes, at least one.
fn count_within(words: &[Word], bytes: usize) -> usize {
    let mut len = 0;
    let is_within = |word: &&Word| {
        len += word.bytes.len();
        len <= bytes
    };
    words.iter().take_while(is_within).count().max(1).min(words.len())
}

const REPLACEMENT: u16 = 0xFFFD;

/// Whether a unit of UTF-16 is a character that is not ASCII, or the first half of one.
fn is_counted(unit: u16) -> bool {
    !matches!(unit, 0..0x80 | 0xDC00..=0xDFFF)
}

/// Returns the cost of the words, decoded to UTF-16, in a language.
fn cost_of_words(characters: &Characters, units: &[u16]) -> Cost {
    let mut cost = 0;
    // A word begins after one separator and ends with another.
    let (mut is_inside, mut before) = (false, '\n');
    for unit in units.iter().filter(|unit| **unit < 0x80 || is_counted(**unit)) {
        // Characters above U+FFFF are all rare.
        let char = char::from_u32((*unit).into()).unwrap_or('\u{10000}');
        if !is_inside {
            is_inside = true;
            before = char;
            continue;
        }
        cost += cost_of_char(characters, before, char);
        before = char;
        is_inside = char >= '0';
    }
    cost
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
        // Half-width katakana.
        '\u{FF61}'..='\u{FF9F}' => 8 * NATS,
        '\u{80}'..='\u{9F}' | '\u{E000}'..='\u{F8FF}' => 18 * NATS,
        _ => 12 * NATS,
    }
}
