//! Spaces and tabs at the end of a line.

use std::borrow::Cow;

use memchr::memchr2_iter;
use utfconv_core::edit::Splice;

use utfconv_core::{FaultBytes, Position};

use super::{Before, Definition, Detection, Fix, Place, Rule};
use crate::commands::check::report::Findings;
use crate::commands::check::scan::{Follow, Span, TextRun, finding};

pub const RULE: Definition = Definition {
    id: "trailing-whitespace",
    title: "trailing whitespace",
    explanation: "\
Blanks (U+0020) and tabs before a newline, or at the end of the file. A
newline is LF, CRLF or CR. Other blank characters, such as U+00A0, U+3000 and
form feeds, count as text.

Trailing whitespace is invisible, and editors that remove it change lines that
were not edited. In Markdown, however, two blanks at the end of a line make a
line break. To exclude Markdown files, write in utfconv.toml (and do not use
--rule, which takes precedence):
    [check]
    rules = [\"trailing-whitespace\"]
    [[check.paths]]
    globs = [\"*.md\"]
    allow = [\"trailing-whitespace\"]
To remove trailing whitespace (GNU sed):
    sed -i 's/[ \\t]*\\(\\r\\?\\)$/\\1/' FILE
",
    detection: Detection::Lines(|_| Box::<Blanks>::default()),
    ..Definition::with(Fix::Text(
        "\
removes the blanks and tabs. They are kept before ill-formed bytes, and
between CR and LF, because CR and LF would become one newline.",
        without_trailing_whitespace,
    ))
};

/// True if a byte of UTF-8 is a space or a tab.
pub fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Returns the length in bytes of a line without the spaces and tabs at its end.
fn len_without_blanks(line: &[u8]) -> usize {
    line.iter().rposition(|byte| !is_blank(*byte)).map_or(0, |last| last + 1)
}

/// Removes spaces and tabs at the end of lines, except between CR and LF, because the two newlines would become a
/// CRLF.
fn without_trailing_whitespace<'t>(text: &'t str, place: &Place) -> Cow<'t, str> {
    let (mut splice, mut line, mut follows_cr) = (Splice::new(text), 0, place.before == Before::Cr);
    let bytes = text.as_bytes();
    for at in memchr2_iter(b'\r', b'\n', bytes).chain(place.is_last.then_some(text.len())) {
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

/// Finds spaces and tabs at the end of lines.
#[derive(Default)]
struct Blanks {
    /// Spaces and tabs at the end of the previous run, which a newline may follow.
    open: Option<Span>,
}

impl Follow for Blanks {
    fn run(&mut self, run: &mut TextRun, found: &mut Findings) {
        let text = run.text;
        let mut line = 0;
        for at in memchr2_iter(b'\r', b'\n', text).chain([text.len()]) {
            let start = line + len_without_blanks(&text[line..at]);
            let before = self.open.take().filter(|_| start == 0);
            let here = (start < at).then(|| run.span(start..at));
            let span = match (before, here) {
                (Some(before), Some(here)) => Some(joined(before, here)),
                (before, here) => before.or(here),
            };
            if at == text.len() {
                self.open = span;
            } else {
                span.into_iter().for_each(|span| report(span, found));
            }
            line = at + 1;
        }
    }

    fn gap(&mut self) {
        self.open = None;
    }

    fn end(&mut self, _: Position, found: &mut Findings) {
        self.open.take().into_iter().for_each(|span| report(span, found));
    }
}

fn report(span: Span, found: &mut Findings) {
    let rule = Rule::TrailingWhitespace;
    found.push(rule, || finding(rule, RULE.title, span, "the line ends with it".into()));
}

/// Joins adjacent ranges of the same line.
fn joined(one: Span, next: Span) -> Span {
    let bytes = [&one.bytes[..], &next.bytes[..]].concat();
    Span {
        position: one.position,
        len: one.len + next.len,
        columns: one.columns.zip(next.columns).map(|(one, next)| one + next),
        bytes: FaultBytes::new(&bytes[..bytes.len().min(FaultBytes::MAX)]),
    }
}
