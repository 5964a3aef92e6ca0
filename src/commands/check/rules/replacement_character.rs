//! The character U+FFFD.

use utfconv_scan::marks::Start;

use super::{Character, Definition, Detection, Fix};

pub const RULE: Definition = Definition {
    id: "replacement-character",
    title: "replacement character",
    explanation: "\
The character U+FFFD, which a conversion writes for input that it cannot
decode. U+FFFD is well-formed, but the original text is lost.

This file cannot be repaired. Convert the original file again, from the
correct encoding:
    utfconv -f windows-1252 -o FILE ORIGINAL
A source file that needs U+FFFD itself can contain it as an escape.
",
    detection: Detection::Character(Character {
        start: Start::Rare,
        is_forbidden: |scalar| scalar == 0xFFFD,
        why: |_| "U+FFFD replaces text that was lost".into(),
    }),
    ..Definition::with(Fix::Never("the lost character is not known"))
};
