//! U+FEFF after the start of the file.

use std::borrow::Cow;

use utfconv_core::edit::Splice;
use utfconv_scan::marks::Start;

use super::{Character, Definition, Detection, Fix, Place};

pub const RULE: Definition = Definition {
    id: "inner-bom",
    title: "byte order mark inside the text",
    explanation: "\
The character U+FEFF anywhere but at the start of the file. Inside a text,
U+FEFF is not a BOM but the invisible ZERO WIDTH NO-BREAK SPACE, a use that
Unicode has moved to U+2060. A second U+FEFF after the BOM is also an error.

If files with BOMs are joined, U+FEFF remains in the text. Words and keys that
look the same then differ. To join files without inner BOMs:
    utfconv -o JOINED FILE...
To remove every U+FEFF from UTF-8, including the BOM (GNU sed):
    sed -i 's/\\xEF\\xBB\\xBF//g' FILE
",
    standards: "RFC 3629, section 6; The Unicode Standard, section 23.8",
    detection: Detection::Character(Character {
        start: Start::Rare,
        is_forbidden: |scalar| scalar == 0xFEFF,
        why: |_| "U+FEFF is a BOM only at the start of a file".into(),
    }),
    ..Definition::with(Fix::Text(
        "\
removes U+FEFF at the start of a line, where joined files leave it.
Elsewhere, U+FEFF is kept, because it may prevent a line break.",
        |text, Place { before, .. }| without_boms(text, *before, false),
    ))
};

/// The character before a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Before {
    /// The text begins the file.
    Start,
    /// A BOM that begins the file.
    Bom,
    Cr,
    Lf,
    Other,
}

impl Before {
    /// Returns the character before the text that follows `text`.
    pub fn past(self, text: &str) -> Before {
        match text.as_bytes().last() {
            None => self,
            Some(b'\n') => Before::Lf,
            Some(b'\r') => Before::Cr,
            Some(_) => Before::Other,
        }
    }
}

/// Removes U+FEFF at the start of the file if `is_leading`, otherwise U+FEFF at the start of lines.
pub fn without_boms(text: &str, mut before: Before, is_leading: bool) -> Cow<'_, str> {
    const BOM: char = '\u{FEFF}';
    if !text.contains(BOM) {
        return text.into();
    }
    let (mut splice, mut chars) = (Splice::new(text), text.char_indices());
    while let Some((at, scalar)) = chars.next() {
        let is_removed = scalar == BOM
            && match before {
                Before::Start => is_leading,
                Before::Bom | Before::Lf => !is_leading,
                // U+FEFF between CR and LF stays, because without it they would become a single newline.
                Before::Cr => !is_leading && !chars.as_str().trim_start_matches(BOM).starts_with('\n'),
                Before::Other => false,
            };
        if is_removed {
            splice.replace(at..at + BOM.len_utf8(), "");
            continue;
        }
        before = match scalar {
            '\n' => Before::Lf,
            '\r' => Before::Cr,
            // Readers of the file take a leading U+FEFF for a BOM.
            BOM if before == Before::Start => Before::Bom,
            _ => Before::Other,
        };
    }
    splice.end()
}
