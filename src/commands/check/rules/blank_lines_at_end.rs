//! Blank lines at the end of a file. `scan::blanks` looks for them.

use super::trailing_whitespace::is_blank;
use super::{Definition, Detection, Fix};

pub const RULE: Definition = Definition {
    id: "blank-lines-at-end",
    title: "blank lines at the end",
    explanation: "\
The last lines of a file have nothing, or only blanks and tabs. A newline is
LF, CRLF or CR. A file of blank lines alone is reported too.

They show nowhere, and differ from editor to editor. With final-newline, which
demands one newline at the end, this is what the hook end-of-file-fixer of
pre-commit does.
",
    detection: Detection::Newlines,
    ..Definition::with(Fix::By(
        "\
removes these lines. A file that has no others is empty then. After
ill-formed bytes, one newline is kept.",
    ))
};

/// Whether a byte of a text in UTF-8 may be in a blank line, or end it.
pub fn is_in_blank_line(byte: u8) -> bool {
    is_blank(byte) || matches!(byte, b'\r' | b'\n')
}

/// Splits a text: what is before the blank lines at its end and the newline before those, and this rest.
pub fn split(text: &str) -> (&str, &str) {
    let kept = text.bytes().rposition(|byte| !is_in_blank_line(byte)).map_or(0, |last| last + 1);
    text.split_at(kept)
}
