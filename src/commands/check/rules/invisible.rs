//! Characters that show nothing.

use std::ops::Range;

use utfconv_core::utf8::decode_first;

use super::{Definition, Detection, Fix, Pass, Severity, Why};

pub const RULE: Definition = Definition {
    id: "invisible",
    title: "invisible character",
    explanation: "\
A character that shows nothing and changes what a program reads: the zero
width space (U+200B), the soft hyphen (U+00AD), the word joiner (U+2060),
invisible operators (U+2061..U+2064), deprecated format controls
(U+206A..U+206F), tags (U+E0000..U+E007F), the combining grapheme joiner
(U+034F), the Mongolian vowel separator (U+180E) and the fillers of Hangul.

Searches miss words with them, compilers see other names, and tags can hide
text from people that programs read. They come from web pages and word
processors. Prose may need soft hyphens, and some flags have tags. U+200C and
U+200D (joiners) and variation selectors, which scripts and emoji need, are
allowed. See the rules bidi and inner-bom for others that show nothing.
",
    severity: Severity::Major,
    detection: Detection::Pass(Pass { find: each, why }),
    ..Definition::with(Fix::Never("prose may need it"))
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

/// Calls a function for each invisible character of a text.
fn each(text: &[u8], found: &mut dyn FnMut(Range<usize>)) {
    // None begins otherwise.
    let may_begin = |byte: &u8| matches!(byte, 0xC2 | 0xCD | 0xE1..=0xE3 | 0xEF | 0xF3);
    let mut at = 0;
    while let Some(before) = text[at..].iter().position(may_begin) {
        at += before;
        let (scalar, len) = decode_first(&text[at..]);
        if is_forbidden(scalar) {
            found(at..at + len);
        }
        at += len;
    }
}

fn why(text: &[u8]) -> Why {
    let (scalar, _) = decode_first(text);
    let name = match scalar {
        0xAD => "SOFT HYPHEN",
        0x34F => "COMBINING GRAPHEME JOINER",
        0x180E => "MONGOLIAN VOWEL SEPARATOR",
        0x200B => "ZERO WIDTH SPACE",
        0x2060 => "WORD JOINER",
        0x2061..=0x2064 => "an invisible operator",
        0x206A..=0x206F => "a deprecated format control",
        0xE0000..=0xE007F => "a tag",
        _ => "a Hangul filler",
    };
    format!("U+{scalar:04X} is {name}").into()
}
