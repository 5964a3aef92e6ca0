//! Finds blanks at the end of lines, and blank lines at the end of a file.

use memchr::memchr2_iter;
use utfconv_core::{FaultBytes, Position};

use super::text_run::{Span, TextRun, finding};
use crate::commands::check::report::Findings;
use crate::commands::check::rules::{Rule, Rules, is_in_blank_line, len_without_blanks};
use crate::ui::quote::counted;

/// Looks for blanks in one file.
pub struct Blanks {
    trailing: bool,
    lines: bool,
    /// Blanks at the end of the run before, after which a newline may follow.
    open: Option<Span>,
    end: End,
}

/// How the text ends so far.
struct End {
    /// With a newline, or there is none.
    is_line: bool,
    /// With a CR, whose LF may follow.
    is_cr: bool,
    /// Blank lines, the last maybe without a newline, and what is known of the first.
    count: u64,
    has_rest: bool,
    first: Option<Span>,
}

impl End {
    fn new(is_line: bool) -> End {
        End { is_line, is_cr: false, count: 0, has_rest: false, first: None }
    }
}

impl Blanks {
    pub fn new(rules: &Rules) -> Blanks {
        let [trailing, lines] = [Rule::TrailingWhitespace, Rule::BlankLinesAtEnd].map(|rule| rules.has(rule));
        Blanks { trailing, lines, open: None, end: End::new(true) }
    }

    /// Looks at the next run.
    pub fn run(&mut self, run: &mut TextRun, found: &mut Findings) {
        if self.trailing {
            self.find_trailing(run, found);
        }
        if self.lines {
            self.follow_lines(run);
        }
    }

    fn find_trailing(&mut self, run: &mut TextRun, found: &mut Findings) {
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
                span.into_iter().for_each(|span| trailing(span, found));
            }
            line = at + 1;
        }
    }

    fn follow_lines(&mut self, run: &mut TextRun) {
        let text = run.text;
        let start = text.iter().rposition(|byte| !is_in_blank_line(*byte)).map_or(0, |last| last + 1);
        if start > 0 {
            self.end = End::new(false);
        }
        let end = &mut self.end;
        for at in start..text.len() {
            let is_newline = matches!(text[at], b'\r' | b'\n');
            let is_second = text[at] == b'\n' && end.is_cr;
            end.is_cr = text[at] == b'\r';
            if is_second {
                continue;
            }
            if !end.is_line {
                end.is_line = is_newline;
                continue;
            }
            end.first.get_or_insert_with(|| run.span(at..text.len()));
            end.count += u64::from(is_newline);
            end.has_rest = !is_newline;
        }
    }

    /// Marks ill-formed bytes: they are text.
    pub fn gap(&mut self) {
        self.open = None;
        self.end = End::new(false);
    }

    /// Ends the file.
    pub fn end(&mut self, end: Position, found: &mut Findings) {
        self.open.take().into_iter().for_each(|span| trailing(span, found));
        let End { count, has_rest, first: Some(first), .. } = self.end else { return };
        let rule = Rule::BlankLinesAtEnd;
        found.push(rule, || {
            let why = format!("the file ends with {}", counted(count + u64::from(has_rest), "blank line"));
            let len = end.offset().saturating_sub(first.position.offset());
            finding(rule, rule.definition().title, Span { len, columns: None, ..first }, &why, None)
        });
    }
}

fn trailing(span: Span, found: &mut Findings) {
    let rule = Rule::TrailingWhitespace;
    found.push(rule, || finding(rule, rule.definition().title, span, "the line ends with it", None));
}

/// Joins ranges that are adjacent on one line.
fn joined(one: Span, next: Span) -> Span {
    let bytes = [&one.bytes[..], &next.bytes[..]].concat();
    Span {
        position: one.position,
        len: one.len + next.len,
        columns: one.columns.zip(next.columns).map(|(one, next)| one + next),
        bytes: FaultBytes::new(&bytes[..bytes.len().min(FaultBytes::MAX)]),
    }
}
