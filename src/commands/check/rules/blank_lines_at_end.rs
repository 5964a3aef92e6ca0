//! Blank lines at the end of a file.

use utfconv_core::Position;

use super::trailing_whitespace::is_blank;
use super::{Definition, Detection, Fix, Rule};
use crate::commands::check::report::Findings;
use crate::commands::check::scan::{Follow, Span, TextRun, finding};
use crate::ui::quote::counted;

pub const RULE: Definition = Definition {
    id: "blank-lines-at-end",
    title: "blank lines at the end",
    explanation: "\
The last lines of a file are empty, or have only blanks and tabs. A newline is
LF, CRLF or CR. A file that has only blank lines is also reported.

Blank lines at the end are not visible, and editors treat them differently.
Together with the rule final-newline, which requires a newline at the end,
this rule does the same as the hook end-of-file-fixer of pre-commit.
",
    is_about_file: true,
    detection: Detection::Lines(|_| Box::new(End::new(true))),
    ..Definition::with(Fix::By(
        "\
removes these lines, so a file that has only blank lines becomes empty.
After ill-formed bytes, one newline is kept.",
    ))
};

/// True if a byte of UTF-8 may be in a blank line, or end a blank line.
fn is_in_blank_line(byte: u8) -> bool {
    is_blank(byte) || matches!(byte, b'\r' | b'\n')
}

/// Splits a text before the newlines, spaces and tabs at its end.
pub fn split(text: &str) -> (&str, &str) {
    let kept = text.bytes().rposition(|byte| !is_in_blank_line(byte)).map_or(0, |last| last + 1);
    text.split_at(kept)
}

/// State of the end of the text so far.
struct End {
    /// True if the text is empty or ends with a newline.
    is_line: bool,
    /// True if the text ends with a CR, which an LF may follow.
    is_cr: bool,
    /// Number of blank lines at the end that have a newline. `has_rest` is true if a blank line without a newline
    /// follows, and `first` is where the blank lines begin.
    count: u64,
    has_rest: bool,
    first: Option<Span>,
}

impl End {
    fn new(is_line: bool) -> End {
        End { is_line, is_cr: false, count: 0, has_rest: false, first: None }
    }
}

impl Follow for End {
    fn run(&mut self, run: &mut TextRun, _: &mut Findings) {
        let text = run.text;
        let start = text.iter().rposition(|byte| !is_in_blank_line(*byte)).map_or(0, |last| last + 1);
        if start > 0 {
            *self = End::new(false);
        }
        for at in start..text.len() {
            let is_newline = matches!(text[at], b'\r' | b'\n');
            let is_second = text[at] == b'\n' && self.is_cr;
            self.is_cr = text[at] == b'\r';
            if is_second {
                continue;
            }
            if !self.is_line {
                self.is_line = is_newline;
                continue;
            }
            self.first.get_or_insert_with(|| run.span(at..text.len()));
            self.count += u64::from(is_newline);
            self.has_rest = !is_newline;
        }
    }

    fn gap(&mut self) {
        *self = End::new(false);
    }

    fn end(&mut self, end: Position, found: &mut Findings) {
        let &mut End { count, has_rest, first: Some(first), .. } = self else { return };
        let rule = Rule::BlankLinesAtEnd;
        found.push(rule, || {
            let why = format!("the file ends with {}", counted(count + u64::from(has_rest), "blank line"));
            let len = end.offset().saturating_sub(first.position.offset());
            finding(rule, RULE.title, Span { len, columns: None, ..first }, why.into())
        });
    }
}
