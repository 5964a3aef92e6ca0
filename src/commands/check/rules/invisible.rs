//! Characters that show nothing.

use std::ops::Range;

use unicode_script::{Script, UnicodeScript};
use utfconv_core::utf8::decode_first;
use utfconv_scan::marks::Start;

use super::hidden_text::{is_stray_joiner, region_tags_len};
use super::{Definition, Detection, Fix, Sequence, Severity, Why};

pub const RULE: Definition = Definition {
    id: "invisible",
    title: "invisible character",
    explanation: "\
An invisible character that changes what a program reads: the zero width
space (U+200B), the soft hyphen (U+00AD), the word joiner (U+2060),
invisible operators (U+2061..U+2064), deprecated format controls
(U+206A..U+206F), tags (U+E0000..U+E007F), the combining grapheme joiner
(U+034F), the Mongolian vowel separator (U+180E) and the fillers of Hangul.

Searches miss words with invisible characters, and compilers see different
names. Tags can hide text that programs read from people. Invisible characters
come from web pages and word processors. Prose may need soft hyphens.

Four kinds of characters are allowed: the tags of the flags of England,
Scotland and Wales; U+200B near a letter of Thai, Khmer or another script
without blanks between words; variation selectors; and the joiners U+200C and
U+200D, except after a letter of Latin, Greek, Cyrillic or East Asia. If the
rule hidden-text is on and reports a run, this rule does not report the run
again. The rules bidi and inner-bom find further invisible characters.
",
    standards: "Unicode Standard Annex #31 (default ignorable)",
    severity: Severity::Major,
    detection: Detection::Sequence(Sequence { start: Start::Rare, find, why }),
    ..Definition::with(Fix::Never("prose may need the character"))
};

fn is_forbidden(scalar: u32) -> bool {
    matches!(
        scalar,
        0xAD | 0x34F
            | 0x115F
            | 0x1160
            | 0x180E
            | 0x200B
            | 0x2060..=0x2064
            | 0x206A..=0x206F
            | 0x3164
            | 0xFFA0
            | 0xE0000..=0xE007F
    )
}

/// Calls `found` with the byte range of the character at byte `start` if it is invisible.
fn find(text: &[u8], _: usize, start: usize, found: &mut dyn FnMut(Range<usize>)) -> usize {
    let flag = region_tags_len(text, start);
    let (scalar, len) = decode_first(&text[start..]);
    let end = start + flag.max(len);
    let is_needed = flag > 0 || scalar == 0x200B && separates_words(text, start);
    if is_forbidden(scalar) && !is_needed || is_stray_joiner(text, start) {
        found(start..end);
    }
    end
}

/// True if the next letter in the line before or after the U+200B at byte `at` is of a script without spaces between
/// words. Spaces, markup and more U+200B may be between the letter and the U+200B.
fn separates_words(text: &[u8], at: usize) -> bool {
    use Script::{
        Balinese, Javanese, Khmer, Lao, Myanmar, New_Tai_Lue, Tai_Le, Tai_Tham, Tai_Viet, Thai, Tibetan,
    };
    // Limit of the search in bytes, because otherwise long runs of U+200B take quadratic time.
    const FAR: usize = 64;
    let is_letter = |scalar: &char| scalar.is_alphabetic();
    let (before, after) = (&text[at.saturating_sub(FAR)..at], &text[at..text.len().min(at + FAR)]);
    // Decoded lossily, because the limit may cut a UTF-8 sequence.
    let (before, after) = (String::from_utf8_lossy(before), String::from_utf8_lossy(after));
    let letter =
        |line: &mut dyn Iterator<Item = char>| line.take_while(|scalar| *scalar != '\n').find(is_letter);
    let letters = [letter(&mut before.chars().rev()), letter(&mut after.chars())];
    letters.into_iter().flatten().any(|letter| {
        matches!(
            letter.script(),
            Balinese
                | Javanese
                | Khmer
                | Lao
                | Myanmar
                | New_Tai_Lue
                | Tai_Le
                | Tai_Tham
                | Tai_Viet
                | Thai
                | Tibetan
        )
    })
}

fn why(text: &[u8]) -> Why {
    let (scalar, _) = decode_first(text);
    let name = match scalar {
        0xAD => "SOFT HYPHEN",
        0x34F => "COMBINING GRAPHEME JOINER",
        0x180E => "MONGOLIAN VOWEL SEPARATOR",
        0x200B => "ZERO WIDTH SPACE",
        0x200C => "ZERO WIDTH NON-JOINER, after a letter that never joins",
        0x200D => "ZERO WIDTH JOINER, after a letter that never joins",
        0x2060 => "WORD JOINER",
        0x2061..=0x2064 => "an invisible operator",
        0x206A..=0x206F => "a deprecated format control",
        0xE0000..=0xE007F => "a tag",
        _ => "a Hangul filler",
    };
    format!("U+{scalar:04X} is {name}").into()
}
