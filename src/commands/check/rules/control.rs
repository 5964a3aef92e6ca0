//! Control characters.

use utfconv_core::{Options, UTF_8, WINDOWS_1252, convert};
use utfconv_scan::marks::Start;

use super::{Character, Definition, Detection, Fix, Why};
use crate::ui::controls::aliases;
use crate::ui::quote::character;

pub const RULE: Definition = Definition {
    id: "control",
    title: "control character",
    explanation: "\
A control character: U+0001..U+001F except TAB, LF and CR, and
U+007F..U+009F. The rule nul finds U+0000.

Terminals act on control characters (ESC can rewrite the screen), XML 1.0
forbids most of them, and editors do not show them. Form feeds, which separate
sections in some source code, are included.

U+0080..U+009F usually are punctuation of windows-1252 that was decoded as
ISO-8859-1. If that is true for the whole file:
    utfconv -t ISO-8859-1 -o NEW FILE && utfconv -f windows-1252 -o FILE NEW
",
    standards: "RFC 9839 (legacy controls)",
    detection: Detection::Character(Character { start: Start::Control, is_forbidden, why }),
    ..Definition::with(Fix::Never("the intended text is not certain"))
};

fn is_forbidden(scalar: u32) -> bool {
    matches!(scalar, 0x01..=0x08 | 0x0B | 0x0C | 0x0E..=0x1F | 0x7F..=0x9F)
}

fn why(scalar: u32) -> Why {
    if scalar < 0x80 {
        let name = char::from_u32(scalar).and_then(aliases).map_or("", |(short, _)| short);
        return format!("U+{scalar:04X} is {name}").into();
    }
    let meant = in_windows_1252(scalar as u8);
    let hint = meant.map(|meant| format!("windows-1252 has {} for the byte {scalar:02X}", character(meant)));
    Why { hint, ..Why::from(format!("U+{scalar:04X} is a C1 control")) }
}

/// Returns the character that windows-1252 has for a byte.
pub fn in_windows_1252(byte: u8) -> Option<char> {
    let converted = convert(&[byte], &WINDOWS_1252, &UTF_8, &Options::default()).ok()?;
    str::from_utf8(&converted.output).ok()?.chars().next()
}
