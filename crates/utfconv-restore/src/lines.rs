//! Splits a text into lines, and finds their newlines.

use std::collections::HashMap;
use std::ops::Range;

/// The newline at the end of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Newline {
    Lf,
    CrLf,
    Cr,
}

impl Newline {
    /// All newlines. CRLF is first, because it contains the other two.
    const ALL: [Newline; 3] = [Newline::CrLf, Newline::Lf, Newline::Cr];

    pub fn text(self) -> &'static str {
        match self {
            Newline::Lf => "\n",
            Newline::CrLf => "\r\n",
            Newline::Cr => "\r",
        }
    }

    /// Returns the newline at the start of `text`.
    pub fn at_start_of(text: &str) -> Option<Newline> {
        Newline::ALL.into_iter().find(|newline| text.starts_with(newline.text()))
    }

    /// Returns the newline at the end of a line.
    pub fn of(line: &str) -> Option<Newline> {
        Newline::ALL.into_iter().find(|newline| line.ends_with(newline.text()))
    }
}

/// Returns a line without its newline.
pub(super) fn content(line: &str) -> &str {
    &line[..line.len() - Newline::of(line).map_or(0, |newline| newline.text().len())]
}

/// Returns the offsets of the lines of a text, in bytes. If the text shows bytes of wide code units (`is_wide`), only
/// LF ends a line, together with up to `zeros` NULs after it.
pub(super) fn lines_of(text: &str, is_wide: bool, zeros: usize) -> Vec<usize> {
    let (mut lines, mut start) = (Vec::new(), 0);
    let bytes = text.as_bytes();
    for end in memchr::memchr2_iter(b'\n', b'\r', bytes) {
        if bytes[end] == b'\r' && (is_wide || bytes.get(end + 1) == Some(&b'\n')) {
            continue;
        }
        lines.push(start);
        let zeros = bytes[end + 1..].iter().take(zeros).take_while(|byte| **byte == 0).count();
        start = end + 1 + zeros;
    }
    if start < text.len() {
        lines.push(start);
    }
    lines
}

/// Returns the byte range of some lines. `starts` has the offsets of all lines, `len` is the length of the text in
/// bytes.
pub(super) fn range_of(starts: &[usize], len: usize, lines: Range<usize>) -> Range<usize> {
    let start = |line: usize| starts.get(line).copied().unwrap_or(len);
    start(lines.start)..start(lines.end)
}

/// Returns the most frequent newline of a text, and whether all lines have it.
pub(super) fn prevailing(text: &str) -> Option<(Newline, bool)> {
    let mut counts: HashMap<Newline, u64> = HashMap::new();
    let starts = lines_of(text, false, 0);
    let line = |number| &text[range_of(&starts, text.len(), number..number + 1)];
    let newlines = (0..starts.len()).filter_map(|number| Newline::of(line(number)));
    newlines.for_each(|newline| *counts.entry(newline).or_default() += 1);
    let most = counts.iter().max_by_key(|(newline, count)| (**count, **newline == Newline::Lf))?;
    Some((*most.0, counts.len() == 1))
}
