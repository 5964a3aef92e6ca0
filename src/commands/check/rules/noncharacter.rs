//! Code points that are never characters.

use utfconv_scan::marks::Start;

use super::{Character, Definition, Detection, Fix};

pub const RULE: Definition = Definition {
    id: "noncharacter",
    title: "noncharacter",
    explanation: "\
One of the 66 code points that are never characters: U+FDD0..U+FDEF, and the
last two code points of each plane, from U+FFFE and U+FFFF to U+10FFFE and
U+10FFFF. Noncharacters are well-formed, and reserved for use inside a
program.

XML 1.0 forbids U+FFFE and U+FFFF, and some programs remove or replace
noncharacters. U+FFFE often is a BOM that was read in the wrong byte order. If
so, convert the original file in the correct byte order:
    utfconv -f UTF-16 -o FILE ORIGINAL
",
    standards: "RFC 9839; The Unicode Standard, section 23.7",
    detection: Detection::Character(Character {
        start: Start::Rare,
        is_forbidden: |scalar| matches!(scalar, 0xFDD0..=0xFDEF) || scalar & 0xFFFE == 0xFFFE,
        why: |scalar| format!("U+{scalar:04X} is never a character").into(),
    }),
    ..Definition::with(Fix::Never("the intended text is not certain"))
};
