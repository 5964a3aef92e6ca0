//! The character U+FFFD.

use utfconv_scan::marks::Start;

use super::{Character, Definition, Detection, Fix};

pub const RULE: Definition = Definition {
    id: "replacement-character",
    title: "replacement character",
    explanation: "\
The character U+FFFD, which a conversion writes for input that it cannot read.
It is well-formed, but the original text is lost.

This file cannot be repaired. Convert its original again, from the correct
encoding:
    utfconv -f windows-1252 -o FILE ORIGINAL
A source file that needs the character itself can write it as an escape.
",
    detection: Detection::Character(Character {
        start: Start::Rare,
        is_forbidden: |scalar| scalar == 0xFFFD,
        why: |_| "U+FFFD replaces text that was lost".into(),
    }),
    ..Definition::with(Fix::Never("the character that was lost is not known"))
};
