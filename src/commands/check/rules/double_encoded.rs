//! Double-encoded text: UTF-8 that was read as another encoding and encoded again. The library decides what is proven,
//! as for the command `repair`.

use utfconv_repair::Change;

use super::{Definition, Detection, Fix, On, Why};

pub const RULE: Definition = Definition {
    id: "double-encoded",
    title: "double-encoded",
    explanation: "\
UTF-8 that was decoded as windows-1252 or another encoding and then encoded
again, once or more (mojibake): \"\u{c3}\u{a9}\" was \"\u{e9}\", \"\u{e2}\u{20ac}\u{2122}\" was \"\u{2019}\". This rule reports
the text that utfconv repair changes, with the same proof. In files that are
not UTF-8, this rule reports the text that repair would change after a
conversion. Text that is suspicious but not proven is not reported; utfconv
repair FILE lists such text.
",
    on: On::OnlyNew,
    detection: Detection::Document,
    ..Definition::with(Fix::By(
        "\
restores the original text if that is proven, like utfconv repair. The
result is UTF-8 that is more plausible as text. All other text is left, and so
are files that have ill-formed bytes or are not UTF-8.",
    ))
};

/// Maximum number of characters that a hint shows.
const FEW: usize = 20;

/// Names the encodings that the text was read as, and gives the original text as a hint.
pub fn why(change: &Change) -> Why {
    let names: Vec<&str> = change.mistakes.iter().rev().map(|mistake| mistake.name()).collect();
    let mut was: String = change.text.chars().take(FEW).map(visible).collect();
    if change.text.chars().nth(FEW).is_some() {
        was.push_str("...");
    }
    let text = format!("UTF-8 that was read as {}", names.join(", then as "));
    Why { hint: Some(format!("it was \"{was}\"")), ..Why::from(text) }
}

/// Returns the character, or its escape if a terminal may act on it.
fn visible(scalar: char) -> String {
    if utfconv_core::is_printable(scalar) { scalar.to_string() } else { scalar.escape_unicode().to_string() }
}
