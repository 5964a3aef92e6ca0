//! The lines of a text, and their newlines.

use std::collections::HashMap;

/// The newline at the end of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Newline {
    Lf,
    CrLf,
    Cr,
}

impl Newline {
    pub fn text(self) -> &'static str {
        match self {
            Newline::Lf => "\n",
            Newline::CrLf => "\r\n",
            Newline::Cr => "\r",
        }
    }

    /// Returns the newline that a text begins with.
    pub fn at_start_of(text: &str) -> Option<Newline> {
        [Newline::CrLf, Newline::Lf, Newline::Cr].into_iter().find(|newline| text.starts_with(newline.text()))
    }

    /// Returns the newline at the end of a line.
    pub fn of(line: &str) -> Option<Newline> {
        [Newline::CrLf, Newline::Lf, Newline::Cr].into_iter().find(|newline| line.ends_with(newline.text()))
    }
}

/// Returns a line without its newline.
pub(super) fn content(line: &str) -> &str {
    &line[..line.len() - Newline::of(line).map_or(0, |newline| newline.text().len())]
}

/// Returns the offsets of the lines of a text, in bytes. In text that shows wide code units, only a line feed ends a line,
/// with so many zeros after it.
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

/// Returns the newline that most lines of a text have, and whether all have it.
pub(super) fn prevailing(text: &str) -> Option<(Newline, bool)> {
    let mut counts: HashMap<Newline, u64> = HashMap::new();
    let starts = lines_of(text, false, 0);
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let newlines = starts.iter().zip(ends).filter_map(|(start, end)| Newline::of(&text[*start..end]));
    newlines.for_each(|newline| *counts.entry(newline).or_default() += 1);
    let most = counts.iter().max_by_key(|(newline, count)| (**count, **newline == Newline::Lf))?;
    Some((*most.0, counts.len() == 1))
}
