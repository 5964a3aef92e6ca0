//! Blanks and tabs at the end of a line. `scan::blanks` looks for them.

use std::borrow::Cow;

use memchr::memchr2_iter;
use utfconv_core::edit::Splice;

use super::inner_bom::Before;
use super::{Definition, Detection, Fix};

pub const RULE: Definition = Definition {
    id: "trailing-whitespace",
    title: "trailing whitespace",
    explanation: "\
Blanks (U+0020) and tabs before a newline, or at the end of the file. A
newline is LF, CRLF or CR. Other characters that look blank, such as U+00A0,
U+3000 and form feeds, are text.

They are invisible, and editors that remove them change lines besides those
that were edited. In Markdown, two blanks at the end of a line break it
there. To except such files, write in utfconv.toml, and select the rule only
there (--rule on the command line takes precedence):
    [check]
    rules = [\"trailing-whitespace\"]
    [[check.paths]]
    globs = [\"*.md\"]
    allow = [\"trailing-whitespace\"]
To remove them (GNU sed):
    sed -i 's/[ \\t]*\\(\\r\\?\\)$/\\1/' FILE
",
    detection: Detection::Newlines,
    ..Definition::with(Fix::By(
        "\
removes the blanks and tabs. Before ill-formed bytes they are left,
and between CR and LF: without them, these two newlines would be one.",
    ))
};

/// Whether a byte of a text in UTF-8 is a blank or a tab.
pub fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// The length of a line without the blanks at its end.
pub fn len_without_blanks(line: &[u8]) -> usize {
    line.iter().rposition(|byte| !is_blank(*byte)).map_or(0, |last| last + 1)
}

/// Returns the text without blanks at the end of lines; the last line ends with the text if that `is_last`. Blanks
/// between CR and LF stay, because without them the two newlines would become a CRLF.
pub fn without_trailing_whitespace(text: &str, before: Before, is_last: bool) -> Cow<'_, str> {
    let (mut splice, mut line, mut follows_cr) = (Splice::new(text), 0, before == Before::Cr);
    let bytes = text.as_bytes();
    for at in memchr2_iter(b'\r', b'\n', bytes).chain(is_last.then_some(text.len())) {
        let end = line + len_without_blanks(&bytes[line..at]);
        let next = bytes.get(at);
        let would_join = follows_cr && end == line && next == Some(&b'\n');
        if end < at && !would_join {
            splice.replace(end..at, "");
        }
        (line, follows_cr) = (at + 1, next == Some(&b'\r'));
    }
    splice.end()
}
