//! UTF-8-MAC, the decomposed form of UTF-8 in file names on Apple's HFS Plus, as in Apple's libiconv.
//!
//! When written, characters are decomposed by Unicode 3.2, except U+2000..U+2FFF and compatibility ideographs; marks
//! keep their order. When read, a letter is composed with the marks after it, as long as each mark composes with the
//! character before. Hangul is decomposed and composed, too.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::utf8_mac_table as table;
use crate::codec::Codec;
use crate::decode::{Decode, Next, Utf8};
use crate::encode::Encode;
use crate::utf8::decode_first;

pub(crate) static UTF_8_MAC: Codec = Codec { decoder: || Box::new(Utf8Mac), encoder: || Box::new(ToUtf8Mac) };

/// The first Hangul syllable, and the first leading consonant, the first vowel, and the code point before the first
/// final consonant, with the number of each.
const SYLLABLES: u32 = 0xAC00;
const LEADING: u32 = 0x1100;
const VOWELS: u32 = 0x1161;
const FINALS: u32 = 0x11A7;
const LEADING_COUNT: u32 = 19;
const VOWEL_COUNT: u32 = 21;
const FINAL_COUNT: u32 = 28;
const SYLLABLE_COUNT: u32 = LEADING_COUNT * VOWEL_COUNT * FINAL_COUNT;

/// The lowest code point that can be a mark.
const FIRST_MARK: u32 = 0x300;

/// Characters, each followed by the two that it decomposes to; the second is 0 if there is only one.
static BOTH: [[u16; 3]; 873] = rows(&table::BOTH);
static APART: [[u16; 3]; 97] = rows(&table::APART);
static TOGETHER: [[u16; 3]; 44] = rows(&table::TOGETHER);

const fn rows<const N: usize>(table: &[(char, &str)]) -> [[u16; 3]; N] {
    let mut rows = [[0; 3]; N];
    let (mut mark, mut count) = (0, 0);
    while mark < table.len() {
        let mut rest = table[mark].1.as_bytes();
        while !rest.is_empty() {
            let (whole, len) = decode_first(rest);
            let (first, both) = decode_first(rest.split_at(len).1);
            rows[count] = [whole as u16, first as u16, table[mark].0 as u16];
            rest = rest.split_at(len + both).1;
            count += 1;
        }
        mark += 1;
    }
    assert!(count == N);
    rows
}

/// The composed character of each character and mark.
static COMPOSED: LazyLock<HashMap<[u32; 2], u32>> = LazyLock::new(|| {
    let rows = BOTH.iter().chain(&TOGETHER).map(|row| row.map(u32::from));
    rows.map(|[whole, first, mark]| ([first, mark], whole)).collect()
});

/// The decomposition of each character.
static DECOMPOSED: LazyLock<HashMap<u32, [u32; 2]>> = LazyLock::new(|| {
    let rows = BOTH.iter().chain(&APART).map(|row| row.map(u32::from));
    rows.map(|[whole, first, mark]| (whole, [first, mark])).collect()
});

/// Returns the composition of two characters, or `None` if they do not compose.
fn composed(first: u32, mark: u32) -> Option<u32> {
    let (leading, syllable) = (first.wrapping_sub(LEADING), first.wrapping_sub(SYLLABLES));
    let (vowel, last) = (mark.wrapping_sub(VOWELS), mark.wrapping_sub(FINALS));
    if leading < LEADING_COUNT && vowel < VOWEL_COUNT {
        return Some(SYLLABLES + (leading * VOWEL_COUNT + vowel) * FINAL_COUNT);
    }
    if syllable < SYLLABLE_COUNT && syllable.is_multiple_of(FINAL_COUNT) && (1..FINAL_COUNT).contains(&last) {
        return Some(first + last);
    }
    COMPOSED.get(&[first, mark]).copied().filter(|_| mark >= FIRST_MARK)
}

/// The exact decoder. There is no fast decoder, because a character may compose with the next character.
struct Utf8Mac;

impl Decode for Utf8Mac {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        let (mut whole, mut end) = match Utf8.next(src, last) {
            Next::Scalar { code_point, len } => (code_point, len),
            other => return other,
        };
        loop {
            // Stop if the next character is ASCII, or if there is none.
            match src.get(end) {
                None if last => break,
                None => return Next::Incomplete,
                Some(..0x80) => break,
                Some(_) => {}
            }
            match Utf8.next(&src[end..], last) {
                Next::Scalar { code_point, len } => match composed(whole, code_point) {
                    Some(both) => (whole, end) = (both, end + len),
                    None => break,
                },
                Next::Incomplete => return Next::Incomplete,
                _ => break,
            }
        }
        Next::Scalar { code_point: whole, len: end }
    }
}

/// The encoder of UTF-8-MAC.
struct ToUtf8Mac;

/// Writes a character in decomposed form.
fn push(code_point: u32, out: &mut Vec<u8>) {
    let syllable = code_point.wrapping_sub(SYLLABLES);
    if syllable < SYLLABLE_COUNT {
        let (both, last) = (syllable / FINAL_COUNT, syllable % FINAL_COUNT);
        push(LEADING + both / VOWEL_COUNT, out);
        push(VOWELS + both % VOWEL_COUNT, out);
        if last > 0 {
            push(FINALS + last, out);
        }
    } else if let Some([first, mark]) = DECOMPOSED.get(&code_point) {
        push(*first, out);
        if *mark > 0 {
            push(*mark, out);
        }
    } else if let Some(scalar) = char::from_u32(code_point) {
        out.extend_from_slice(scalar.encode_utf8(&mut [0; 4]).as_bytes());
    }
}

impl Encode for ToUtf8Mac {
    fn is_plain(&self) -> bool {
        true
    }

    fn encode(&mut self, code_point: u32, out: &mut Vec<u8>) -> bool {
        match code_point {
            ..0x80 => out.push(code_point as u8),
            _ if self.has(code_point) => push(code_point, out),
            _ => return false,
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::IllFormed;
    use crate::legacy::testkit::{read_all, write_all};

    #[test]
    fn text_round_trips() {
        for (composed, apart) in [
            ("é", "e\u{301}"),
            ("ǖ", "u\u{308}\u{304}"),
            ("ガ각가", "カ\u{3099}\u{1100}\u{1161}\u{11A8}\u{1100}\u{1161}"),
            ("ṩx", "s\u{323}\u{307}x"),
            ("plain \u{1F600}", "plain \u{1F600}"),
            ("≠\u{212B}\u{F900}", "≠\u{212B}\u{F900}"),
        ] {
            assert_eq!(write_all(ToUtf8Mac, composed).as_deref(), Some(apart.as_bytes()));
            assert_eq!(read_all(Utf8Mac, apart.as_bytes()), (composed.to_string(), vec![]));
        }
        // Marks in another order, and characters that NFC does not compose, are not composed.
        for text in ["s\u{307}\u{323}", "\u{915}\u{93C}", "\u{5D9}\u{5B4}"] {
            let read = if text.starts_with('s') { "ṡ\u{323}" } else { text };
            assert_eq!(read_all(Utf8Mac, text.as_bytes()), (read.to_string(), vec![]));
        }
        // Some characters are decomposed but not composed again, and others are composed though never decomposed.
        assert_eq!(
            write_all(ToUtf8Mac, "\u{958}\u{340}").as_deref(),
            Some("\u{915}\u{93C}\u{300}".as_bytes())
        );
        assert_eq!(read_all(Utf8Mac, "=\u{338}".as_bytes()), ("≠".to_string(), vec![]));
    }

    /// The fault of a Hangul syllable has nine bytes, the most that any encoding's fault has.
    #[cfg(feature = "normalize")]
    #[test]
    fn a_syllable_of_nine_bytes_can_be_a_fault() {
        use crate::encodings::UTF_8_MAC;
        use crate::{NormalizationForm, OnUnmappable, Options, Policy, US_ASCII, convert_reporting};
        let policy = Policy::default().unmappable(OnUnmappable::Omit);
        let options = Options::default().policy(policy).normalization(NormalizationForm::Nfc);
        let (source, mut lens) = ("\u{1100}\u{1161}\u{11A8}".as_bytes(), Vec::new());
        let report = |fault: crate::Fault| lens.push(fault.bytes.len());
        let _ = convert_reporting(source, &UTF_8_MAC, &US_ASCII, &options, report).expect("nothing stops it");
        assert_eq!(lens, [9]);
    }

    #[test]
    fn a_letter_waits_for_its_marks() {
        let e = |len| Next::Scalar { code_point: 0xE9, len };
        assert_eq!(Utf8Mac.next(b"e\xCC\x81", false), Next::Incomplete);
        assert_eq!(Utf8Mac.next(b"e\xCC\x81", true), e(3));
        assert_eq!(Utf8Mac.next(b"e\xCC\x81x", false), e(3));
        assert_eq!(Utf8Mac.next(b"e\xCC\x81\xCC", false), Next::Incomplete);
        assert_eq!(Utf8Mac.next(b"e\xCC\x81\xCC", true), e(3));
        let faulty = |text: &str, kind, len| (text.to_string(), vec![(kind, len)]);
        assert_eq!(read_all(Utf8Mac, b"e\xCC\x81\xCC"), faulty("é", IllFormed::Truncated, 1));
        assert_eq!(read_all(Utf8Mac, b"e\xFF\xCC\x81"), faulty("e\u{301}", IllFormed::NeverUsed, 1));
    }
}
