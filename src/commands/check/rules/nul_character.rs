//! The character U+0000.

use utfconv_scan::marks::Start;

use super::{Character, Definition, Detection, Fix};

pub const RULE: Definition = Definition {
    id: "nul",
    title: "NUL",
    explanation: "\
The character U+0000. It is well-formed, but plain text does not contain it.

In C programs, U+0000 ends the text, and grep and git treat a file with U+0000
as binary. NUL comes from disk errors, from files that grew without being
written, and from UTF-16 that was read as UTF-8.

To remove NUL from UTF-8:
    tr -d '\\000' < FILE > NEW
If every other byte is NUL, the file is UTF-16; see wrong-encoding.
",
    standards: "RFC 9839; XML 1.0, section 2.2",
    detection: Detection::Character(Character {
        start: Start::Control,
        is_forbidden: |scalar| scalar == 0,
        why: |_| "U+0000 is not allowed".into(),
    }),
    ..Definition::with(Fix::Never("the intended text is not certain"))
};
