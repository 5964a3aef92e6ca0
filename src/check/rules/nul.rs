//! The character U+0000.

use super::{Character, Definition, Detection, Severity, Values, Why};

pub const RULE: Definition = Definition {
    id: "nul",
    title: "NUL",
    values: Values::None,
    explanation: "\
The character U+0000. It is well-formed, but text has no use for it.

C programs end the text there, and grep and git treat the file as binary. NUL
comes from disk errors, from files that grew without being written, and from
UTF-16 that was read as UTF-8.

To remove it from UTF-8:
    tr -d '\\000' < FILE > NEW
If every other byte is NUL, the file is UTF-16; see wrong-encoding.
",
    severity: Severity::Minor,
    is_optional: true,
    detection: Detection::Character(Character { may_begin, is_forbidden, why }),
};

fn may_begin(a: u8, _: u8, _: u8) -> bool {
    a == 0
}

fn is_forbidden(scalar: u32) -> bool {
    scalar == 0
}

fn why(_: u32) -> Why {
    "text has no use for U+0000".into()
}
