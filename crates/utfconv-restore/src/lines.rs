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
}

/// Returns the length of a line without its newline, and the newline. If code units have several bytes, the view may
/// have zeros beside the newline.
pub(super) fn content(line: &str, is_wide: bool) -> (usize, Option<Newline>) {
    let trim = |text: &'_ str| if is_wide { text.trim_end_matches('\0').len() } else { text.len() };
    let end = trim(line);
    match line[..end].strip_suffix('\n') {
        Some(rest) => {
            // In big-endian order, the zeros before a newline belong to its code unit.
            let rest_end = if is_wide && end == line.len() { trim(rest) } else { rest.len() };
            let before = &line[..if is_wide { trim(rest) } else { rest.len() }];
            match before.strip_suffix('\r') {
                Some(text) if is_wide && end == line.len() => (trim(text), Some(Newline::CrLf)),
                Some(text) => (text.len(), Some(Newline::CrLf)),
                None => (rest_end, Some(Newline::Lf)),
            }
        }
        None if !is_wide && line.ends_with('\r') => (line.len() - 1, Some(Newline::Cr)),
        None => (line.len(), None),
    }
}

/// Returns the lines of a text, with their newlines, and with so many zeros after each line feed.
pub(super) fn lines_of(text: &str, is_wide: bool, zeros: usize) -> Vec<&str> {
    let (mut lines, mut start, mut at) = (Vec::new(), 0, 0);
    let bytes = text.as_bytes();
    while at < bytes.len() {
        let is_end = match bytes[at] {
            b'\n' => true,
            b'\r' => !is_wide && bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        at += 1;
        if is_end {
            // In little-endian order, the zeros after a newline belong to its code unit.
            at += bytes[at..].iter().take(zeros).take_while(|byte| **byte == 0).count();
            lines.push(&text[start..at]);
            start = at;
        }
    }
    if start < text.len() {
        lines.push(&text[start..]);
    }
    lines
}

/// Returns the newline that most lines have.
pub(super) fn prevailing(newlines: impl Iterator<Item = Option<Newline>>) -> Option<(Newline, bool)> {
    let mut counts: HashMap<Newline, u64> = HashMap::new();
    newlines.flatten().for_each(|newline| *counts.entry(newline).or_default() += 1);
    let most = counts.iter().max_by_key(|(newline, count)| (**count, **newline == Newline::Lf))?;
    Some((*most.0, counts.len() == 1))
}
