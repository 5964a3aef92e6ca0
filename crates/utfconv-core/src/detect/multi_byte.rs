//! The candidates of several bytes a character: how each is decoded, and the cost of the text.

use super::hints::Hints;
use super::models::{Characters, Cost, MODELS, NATS};
use super::sample::Word;
use crate::encoding::Encoding;

/// An encoding with characters of several bytes that a guess may name.
pub(super) struct MultiByte {
    pub(super) name: &'static str,
    /// Encodings that it includes.
    also: &'static [&'static str],
    pub(super) rarity: Cost,
    languages: &'static [&'static str],
    decoder: Decoder,
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
    MultiByte { name: "windows-31j", also: &["Shift_JIS"], rarity: 3 * NATS, languages: &["ja"], decoder: Decoder::Web(encoding_rs::SHIFT_JIS) },
    MultiByte { name: "EUC-JP", also: &["EUC-JP-MS", "CP51932"], rarity: 4 * NATS, languages: &["ja"], decoder: Decoder::Web(encoding_rs::EUC_JP) },
    MultiByte { name: "GB18030", also: &["GBK", "CP936", "GB2312"], rarity: 3 * NATS, languages: &["zh_CN", "zh_TW"], decoder: Decoder::Web(encoding_rs::GB18030) },
    MultiByte { name: "Big5", also: &["CP950", "Big5-HKSCS"], rarity: 3 * NATS, languages: &["zh_TW"], decoder: Decoder::Web(encoding_rs::BIG5) },
    MultiByte { name: "CP949", also: &["EUC-KR"], rarity: 3 * NATS, languages: &["ko"], decoder: Decoder::Web(encoding_rs::EUC_KR) },
    MultiByte { name: "JOHAB", also: &[], rarity: 7 * NATS, languages: &["ko"], decoder: Decoder::Johab },
    MultiByte { name: "EUC-TW", also: &[], rarity: 7 * NATS, languages: &["zh_TW"], decoder: Decoder::EucTw },
];

/// Where in `MULTI_BYTE` the rare ones begin.
pub(super) const RARE: usize = 5;

/// The mean cost of a character up to which a text is well read, and needs no comparison with rare encodings.
pub(super) const WELL_READ: Cost = 8 * NATS;

/// The cost of a text in its likeliest language.
pub(super) struct Read {
    pub(super) language: &'static str,
    pub(super) cost: Cost,
    /// The characters that are not ASCII.
    pub(super) chars: u64,
}

impl MultiByte {
    /// The name of the encoding, or of one of its parts that is requested instead; None if none is allowed.
    pub(super) fn allowed(&self, hints: &Hints) -> Option<&'static str> {
        let mut names = [self.name].into_iter().chain(self.also.iter().copied());
        match hints.candidates.is_empty() {
            true => names.next(),
            false => names.find(|name| Encoding::named(name).is_some_and(|one| hints.allows(one))),
        }
    }

    /// Returns the cost of the words, which are `joined`; None if they are no text in this encoding.
    pub(super) fn read(&self, words: &[Word], joined: &[u8]) -> Option<Read> {
        let text = self.decode(joined)?;
        let is_spoken = |characters: &&Characters| self.languages.contains(&characters.name);
        let costs = MODELS.characters.iter().filter(is_spoken).map(|characters| {
            let (cost, chars) = cost_of_words(characters, words, &text);
            Read { language: characters.name, cost: cost + characters.rarity, chars }
        });
        costs.min_by_key(|read| read.cost)
    }

    /// Decodes the words; None if too much is ill-formed.
    fn decode(&self, joined: &[u8]) -> Option<String> {
        let text = match self.decoder {
            Decoder::Web(encoding) => encoding.decode_without_bom_handling(joined).0.into_owned(),
            Decoder::Johab => decode_pairs(joined, johab),
            Decoder::EucTw => decode_pairs(joined, euc_tw),
        };
        let (mut faults, mut chars) = (0, 0);
        for char in text.chars().filter(|char| !char.is_ascii()) {
            chars += 1;
            faults += usize::from(char == char::REPLACEMENT_CHARACTER);
        }
        (50 * faults <= chars + 49).then_some(text)
    }
}

/// Returns the cost of the decoded words in a language, and how many characters they have that are not ASCII.
fn cost_of_words(characters: &Characters, words: &[Word], text: &str) -> (Cost, u64) {
    let (mut cost, mut chars) = (0, 0);
    let mut words = words.iter();
    // A word begins after one separator and ends with another.
    let (mut is_inside, mut weight, mut before) = (false, 1, '\n');
    for char in text.chars() {
        if !is_inside {
            weight = words.next().map_or(1, Word::weight);
            is_inside = true;
            before = char;
            continue;
        }
        if !char.is_ascii() {
            chars += 1;
        }
        cost += weight * cost_of_char(characters, before, char);
        before = char;
        is_inside = char >= '0';
    }
    (cost, chars)
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
fn decode_pairs(bytes: &[u8], next: fn(&[u8]) -> Option<(char, usize)>) -> String {
    let mut text = String::new();
    let mut rest = bytes;
    while let Some(first) = rest.first() {
        let (char, len) = match first {
            ..0x80 => (char::from(*first), 1),
            _ => next(rest).unwrap_or((char::REPLACEMENT_CHARACTER, 1)),
        };
        text.push(char);
        rest = &rest[len..];
    }
    text
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
        // 한글 in Johab; 中文 in EUC-TW, by iconv of glibc.
        assert_eq!(decode_pairs(b"\xD0\x65\x8B\x69 a", johab), "한글 a");
        assert_eq!(decode_pairs(b"\xC4\xE3\xC5\xC6", euc_tw), "中文");
        assert_eq!(decode_pairs(b"\xFF\xFF", johab), "\u{FFFD}\u{FFFD}");
    }
}
