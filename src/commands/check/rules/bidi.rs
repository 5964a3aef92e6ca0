//! Characters that change the direction of text.

use utfconv_scan::marks::Start;

use super::{Character, Definition, Detection, Fix, Severity, Why};

pub const RULE: Definition = Definition {
    id: "bidi",
    title: "bidirectional control",
    explanation: "\
One of the nine characters that embed, override or isolate a text direction:
U+202A..U+202E and U+2066..U+2069. The marks U+200E, U+200F and U+061C, which
affect only their own position, are allowed.

With these nine characters, an editor can show source code in another order
than the compiler reads it (\"Trojan Source\", CVE-2021-42574). In source code,
remove the characters or write them as escapes. Prose in Arabic or Hebrew may
need them; check such files separately, with --allow bidi.
",
    standards: "Unicode Standard Annex #9",
    severity: Severity::Major,
    detection: Detection::Character(Character { start: Start::Rare, is_forbidden, why }),
    ..Definition::with(Fix::Never("prose may need the characters"))
};

fn is_forbidden(scalar: u32) -> bool {
    matches!(scalar, 0x202A..=0x202E | 0x2066..=0x2069)
}

fn why(scalar: u32) -> Why {
    let name = match scalar {
        0x202A => "LEFT-TO-RIGHT EMBEDDING",
        0x202B => "RIGHT-TO-LEFT EMBEDDING",
        0x202C => "POP DIRECTIONAL FORMATTING",
        0x202D => "LEFT-TO-RIGHT OVERRIDE",
        0x202E => "RIGHT-TO-LEFT OVERRIDE",
        0x2066 => "LEFT-TO-RIGHT ISOLATE",
        0x2067 => "RIGHT-TO-LEFT ISOLATE",
        0x2068 => "FIRST STRONG ISOLATE",
        _ => "POP DIRECTIONAL ISOLATE",
    };
    format!("U+{scalar:04X} is {name}").into()
}
