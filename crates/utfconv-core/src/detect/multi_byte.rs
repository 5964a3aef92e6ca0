//! The candidates of several bytes a character: how each is decoded, and the cost of the text.

use super::hints::Hints;
use super::models::{Characters, Cost, MODELS, NATS};
use super::sample::Word;
use crate::encoding::readers::reads;
use crate::encoding::{BIG5, CP949, EUC_JP, Encoding, GB18030, WINDOWS_31J};

/// An encoding with characters of several bytes that a guess may name.
pub(super) struct MultiByte {
    pub(super) name: &'static str,
    /// None if this library does not have it.
    encoding: Option<&'static Encoding>,
    pub(super) rarity: Cost,
    languages: &'static [&'static str],
    decoder: Decoder,
    /// Whether a byte is never part of a character.
    is_undefined: fn(u8) -> bool,
}

#[derive(Clone, Copy)]
enum Decoder {
    Web(&'static encoding_rs::Encoding),
    Johab,
    EucTw,
}

/// Those that are hardly used any more are last, from [`RARE`] on.
#[rustfmt::skip]
pub(super) static MULTI_BYTE: [MultiByte; 7] = [
    MultiByte { name: "windows-31j", encoding: Some(&WINDOWS_31J), rarity: 3 * NATS, languages: &["ja"], decoder: Decoder::Web(encoding_rs::SHIFT_JIS), is_undefined: |byte| matches!(byte, 0xFD..) },
    MultiByte { name: "EUC-JP", encoding: Some(&EUC_JP), rarity: 4 * NATS, languages: &["ja"], decoder: Decoder::Web(encoding_rs::EUC_JP), is_undefined: |byte| matches!(byte, 0x80..=0x8D | 0x90..=0xA0 | 0xFF) },
    MultiByte { name: "GB18030", encoding: Some(&GB18030), rarity: 3 * NATS, languages: &["zh-CN", "zh-TW"], decoder: Decoder::Web(encoding_rs::GB18030), is_undefined: |byte| byte == 0xFF },
    MultiByte { name: "Big5", encoding: Some(&BIG5), rarity: 3 * NATS, languages: &["zh-TW"], decoder: Decoder::Web(encoding_rs::BIG5), is_undefined: |byte| matches!(byte, 0x80 | 0xFF) },
    MultiByte { name: "CP949", encoding: Some(&CP949), rarity: 3 * NATS, languages: &["ko"], decoder: Decoder::Web(encoding_rs::EUC_KR), is_undefined: |byte| matches!(byte, 0x80 | 0xFF) },
    MultiByte { name: "JOHAB", encoding: None, rarity: 7 * NATS, languages: &["ko"], decoder: Decoder::Johab, is_undefined: |byte| matches!(byte, 0x80 | 0xFF) },
    MultiByte { name: "EUC-TW", encoding: None, rarity: 7 * NATS, languages: &["zh-TW"], decoder: Decoder::EucTw, is_undefined: |byte| matches!(byte, 0x80..=0x8D | 0x8F..=0xA0 | 0xFF) },
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
    /// The mean cost of a character.
    pub(super) fn mean(&self) -> Cost {
        self.cost / Cost::try_from(self.chars.max(1)).unwrap_or(Cost::MAX)
    }
}

impl MultiByte {
    /// The name of the encoding, or of the requested encoding whose texts it reads; None if it is not allowed.
    pub(super) fn allowed(&self, hints: &Hints) -> Option<&'static str> {
        if hints.candidates.is_empty() {
            return Some(self.name);
        }
        let own = self.encoding?;
        let is_related = |one: &&&'static Encoding| **one == own || reads(own, one) || reads(one, own);
        let related = hints.candidates.iter().filter(is_related);
        // The one that reads the texts of the most others.
        let read_by =
            |one: &&&'static Encoding| hints.candidates.iter().filter(|other| reads(one, other)).count();
        related.max_by_key(read_by).map(|one| one.name())
    }

    /// Whether no character has one of these bytes.
    pub(super) fn has_undefined(&self, bytes: &[u8]) -> bool {
        bytes.iter().any(|byte| (self.is_undefined)(*byte))
    }

    /// Whether the first words are read about as well as [`WELL_READ`].
    pub(super) fn may_be_well_read(&self, words: &[Word]) -> bool {
        let read = self.read(&words[..count_within(words, BLOCK)], Cost::MAX);
        read.is_some_and(|read| read.mean() < WELL_READ + NATS)
    }

    /// Reads the words as text; None if too much is ill-formed, or the text costs more than `most`.
    pub(super) fn read(&self, words: &[Word], most: Cost) -> Option<Read> {
        let is_spoken = |characters: &&Characters| self.languages.contains(&characters.name);
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
                *cost += cost_of_words(characters, block, &units);
            }
            let least = costs.iter().copied().min()?;
            // Words differ, but not so much.
            let expected = i64::from(least) * all as i64 / done as i64;
            if least > most || expected / 2 > i64::from(most) {
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
            Decoder::Johab => decode_pairs(bytes, johab, units),
            Decoder::EucTw => decode_pairs(bytes, euc_tw, units),
        }
    }
}

/// How many of the first words are within so many bytes, at least one.
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
fn cost_of_words(characters: &Characters, words: &[Word], units: &[u16]) -> Cost {
    let mut cost = 0;
    let mut words = words.iter();
    // A word begins after one separator and ends with another.
    let (mut is_inside, mut weight, mut before) = (false, 1, '\n');
    for unit in units.iter().filter(|unit| **unit < 0x80 || is_counted(**unit)) {
        // Characters above U+FFFF are all rare.
        let char = char::from_u32((*unit).into()).unwrap_or('\u{10000}');
        if !is_inside {
            weight = words.next().map_or(1, Word::weight);
            is_inside = true;
            before = char;
            continue;
        }
        cost += weight * cost_of_char(characters, before, char);
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

/// Decodes text whose characters have one byte in ASCII and several otherwise, as `next` reads them: the character, and its
/// length.
fn decode_pairs(bytes: &[u8], next: fn(&[u8]) -> Option<(char, usize)>, units: &mut Vec<u16>) {
    units.clear();
    let mut rest = bytes;
    while let Some(first) = rest.first() {
        let (char, len) = match first {
            ..0x80 => (char::from(*first), 1),
            _ => next(rest).unwrap_or((char::REPLACEMENT_CHARACTER, 1)),
        };
        units.extend_from_slice(char.encode_utf16(&mut [0; 2]));
        rest = &rest[len..];
    }
}

/// The character of two bytes in an encoding of the web.
fn pair(encoding: &'static encoding_rs::Encoding, bytes: [u8; 2]) -> Option<char> {
    let (text, is_faulty) = encoding.decode_without_bom_handling(&bytes);
    let mut chars = text.chars();
    chars.next().filter(|_| !is_faulty && chars.next().is_none())
}

/// The first character of a text in Johab (KS X 1001, annex 3): three letters of five bits each, or a symbol or an ideograph
/// of KS X 1001.
fn johab(bytes: &[u8]) -> Option<(char, usize)> {
    /// The number of the letter, from 0 on; 255 if there is none.
    const INITIALS: &[u8; 32] = b"\xFF\xFF\0\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0A\x0B\x0C\x0D\x0E\x0F\x10\x11\x12\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF";
    const VOWELS: &[u8; 32] = b"\xFF\xFF\xFF\0\x01\x02\x03\x04\xFF\xFF\x05\x06\x07\x08\x09\x0A\xFF\xFF\x0B\x0C\x0D\x0E\x0F\x10\xFF\xFF\x11\x12\x13\x14\xFF\xFF";
    const FINALS: &[u8; 32] = b"\xFF\0\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0A\x0B\x0C\x0D\x0E\x0F\x10\xFF\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1A\x1B\xFF\xFF";
    let [one, two] = *bytes.first_chunk()?;
    if matches!(one, 0x84..=0xD3) && matches!(two, 0x41..=0x7E | 0x81..=0xFE) {
        let code = u16::from_be_bytes([one, two]);
        let letter = |table: &[u8; 32], shift: u32| {
            Some(u32::from(table[usize::from(code >> shift & 31)])).filter(|letter| *letter != 0xFF)
        };
        // A single letter is a letter in between no others; those are rare.
        let syllable = (letter(INITIALS, 10), letter(VOWELS, 5), letter(FINALS, 0));
        let (Some(initial), Some(vowel), Some(last)) = syllable else { return Some(('ㄱ', 2)) };
        return Some((char::from_u32(0xAC00 + (initial * 21 + vowel) * 28 + last)?, 2));
    }
    if matches!(one, 0xD9..=0xDE | 0xE0..=0xF9) && matches!(two, 0x31..=0x7E | 0x91..=0xFE) {
        let row = if one < 0xE0 { 2 * (one - 0xD9) } else { 2 * (one - 0xE0) + 0x29 };
        let cell = if two < 0x91 { two - 0x31 } else { two - 0x43 };
        let (row, cell) = if cell < 94 { (row, cell) } else { (row + 1, cell - 94) };
        return Some((pair(encoding_rs::EUC_KR, [row + 0xA1, cell + 0xA1])?, 2));
    }
    None
}

/// The first character of a text in EUC-TW. The ideographs of plane 1 are those of the first level of Big5, nearly in the same
/// order; those of plane 2 are rare.
fn euc_tw(bytes: &[u8]) -> Option<(char, usize)> {
    if let [0x8E, plane @ 0xA1..=0xB0, row @ 0xA1..=0xFE, cell @ 0xA1..=0xFE, ..] = *bytes {
        return match plane {
            0xA1 => Some((plane_1(row, cell)?, 4)),
            _ => Some(('\u{9FA0}', 4)),
        };
    }
    match *bytes {
        [row @ 0xA1..=0xFE, cell @ 0xA1..=0xFE, ..] => Some((plane_1(row, cell)?, 2)),
        _ => None,
    }
}

/// The character of plane 1, by the rows of ranges that RFC 1922 (section 3.4) has in common with Big5.
fn plane_1(row: u8, cell: u8) -> Option<char> {
    /// The first code in plane 1, that in Big5, and how many there are.
    const RANGES: [(u16, u16, u16); 13] = [
        (0x2121, 0xA140, 148),
        (0x4421, 0xA440, 1408),
        (0x5323, 0xAD40, 423),
        (0x5753, 0xACFE, 1),
        (0x5754, 0xAFD0, 1879),
        (0x6B50, 0xBE52, 1),
        (0x6B51, 0xBBC8, 387),
        (0x6F5C, 0xBE53, 525),
        (0x7535, 0xC2CB, 1),
        (0x7536, 0xC1AB, 189),
        (0x7737, 0xC2CC, 148),
        (0x782E, 0xC361, 87),
        (0x7866, 0xC3BB, 500),
    ];
    let index = |code: u16| (code >> 8) * 94 + (code & 0xFF) - 0x21;
    let wanted = index(u16::from_be_bytes([row & 0x7F, cell & 0x7F]));
    let (first, big5, _) = RANGES
        .into_iter()
        .find(|(first, _, count)| (index(*first)..index(*first) + count).contains(&wanted))?;
    // Big5 has 157 cells a row: 40..7E and A1..FE.
    let place = |trail: u16| if trail < 0x7F { trail - 0x40 } else { trail - 0x62 };
    let at = place(big5 & 0xFF) + wanted - index(first);
    let trail = at % 157;
    let bytes = [((big5 >> 8) + at / 157) as u8, if trail < 63 { trail + 0x40 } else { trail + 0x62 } as u8];
    pair(encoding_rs::BIG5, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn johab_and_euc_tw_are_read() {
        let decoded = |bytes: &[u8], next| {
            let mut units = Vec::new();
            decode_pairs(bytes, next, &mut units);
            String::from_utf16(&units).expect("characters")
        };
        // 한글 in Johab; 中文 in EUC-TW, by iconv of glibc.
        assert_eq!(decoded(b"\xD0\x65\x8B\x69 a", johab), "한글 a");
        assert_eq!(decoded(b"\xC4\xE3\xC5\xC6", euc_tw), "中文");
        assert_eq!(decoded(b"\xFF\xFF", johab), "\u{FFFD}\u{FFFD}");
    }
}
