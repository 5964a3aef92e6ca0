//! Newlines of more than one kind, which `scan::newlines` counts.

use std::borrow::Cow;

use utfconv_core::edit::Splice;

use super::{Definition, Detection, Fix, Rule, Rules, Value, Values};
use crate::config::Newline;

pub const RULE: Definition = Definition {
    id: "mixed-newlines",
    title: "mixed newlines",
    values: Values {
        words: &["lf", "crlf", "cr"],
        configured: Some(|required| required.newline.map(|newline| Value::Word(newline as u8))),
        ..Values::NONE
    },
    is_about_file: true,
    explanation: "\
Lines that end in different ways, with LF, CRLF or CR. Without a value, all
lines of a file must have the same kind of newline, and the rarer kinds are
reported. With =lf, =crlf or =cr, all lines must have that kind. U+0085 and
U+2028 do not count as newlines. Each kind is reported once, at its first
position, with its count.

Tools count the lines of such a file differently, and an editor that saves the
file changes lines that were not edited. To make all newlines LF, or CRLF
(with -f ENC if the file is not UTF-8):
    utfconv -i --newline=lf FILE
    utfconv -i --newline=crlf FILE
",
    standards: "RFC 5198, section 2 (CR LF)",
    detection: Detection::Newlines,
    ..Definition::with(Fix::By(
        "\
converts all newlines to the required kind, or to the kind that ends
more than half of the lines. If no kind does, the file is left.",
    ))
};

/// The newlines that a file must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Newlines {
    /// All newlines must be of the same kind.
    Same,
    /// All newlines must be of this kind.
    All(Newline),
}

impl Newlines {
    /// Returns the newlines that `rules` demand.
    pub fn of(rules: &Rules) -> Option<Newlines> {
        rules.value(Rule::MixedNewlines).map(|value| match value {
            Value::Default => Newlines::Same,
            Value::Word(number) => Newlines::All(Newline::ALL[usize::from(number)]),
        })
    }
}

/// Returns the text with all newlines replaced by `newline`.
pub fn with_newlines(text: &str, newline: Newline) -> Cow<'_, str> {
    let (mut splice, mut from) = (Splice::new(text), 0);
    while let Some((at, kind)) = Newline::find(&text.as_bytes()[from..]) {
        let end = from + at + kind.text().len();
        if kind != newline {
            splice.replace(from + at..end, newline.text());
        }
        from = end;
    }
    splice.end()
}
