//! U+FEFF after the start of the file.

use utfconv_core::internals::marks::Start;

use super::{Character, Definition, Detection, Fix, Why};

pub const RULE: Definition = Definition {
    id: "inner-bom",
    title: "byte order mark inside the text",
    explanation: "\
The character U+FEFF anywhere but at the start of the file. There it is not a
BOM but the invisible ZERO WIDTH NO-BREAK SPACE, a use that Unicode has moved
to U+2060. A second U+FEFF after the BOM is included.

Joining files that have BOMs leaves it in the text. Words and keys that look
the same then differ. To join files without it:
    utfconv -o JOINED FILE...
To remove it from UTF-8 (GNU sed; this removes the BOM too):
    sed -i 's/\\xEF\\xBB\\xBF//g' FILE
",
    detection: Detection::Character(Character { start: Start::Special, is_forbidden, why }),
    ..Definition::with(Fix::By(
        "\
removes U+FEFF at the start of a line, where joined files leave
it. Elsewhere it is left: it may keep a line from being broken there.",
    ))
};

fn is_forbidden(scalar: u32) -> bool {
    scalar == 0xFEFF
}

fn why(_: u32) -> Why {
    "U+FEFF is a BOM only at the start of a file".into()
}
