//! Surveys the newlines of a whole file before repairs: which are most frequent, and how the file ends.

use std::fs::File;
use std::io;

use crate::config::Newline;
use crate::files::ranges::Reading;
use crate::files::text_items::{Item, through};

/// Facts about the newlines of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    pub has_ill_formed: bool,
    /// Numbers of newlines of each kind: LF, CRLF and CR.
    counts: [u64; 3],
    /// Numbers of newlines of each kind at the end of the file.
    trailing: [u64; 3],
    /// The kinds in the order of their first occurrence.
    order: Vec<Newline>,
    /// Whether the last newline is a CR, which an LF may follow.
    is_open: bool,
    pub end: End,
}

/// How a text ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum End {
    /// The text is empty.
    #[default]
    Empty,
    Newline(Newline),
    Text,
    IllFormed,
}

impl Survey {
    /// Surveys a file. If `drops_boms`, U+FEFF at the start of a line is not counted as text, because it will be
    /// removed.
    pub fn of(file: &File, reading: &Reading, drops_boms: bool) -> io::Result<Survey> {
        let mut survey = Survey::default();
        through(file, reading, |item, _| {
            match item {
                Item::Text(bytes, None) => survey.add(str::from_utf8(bytes).unwrap_or_default(), drops_boms),
                Item::Text(_, Some(text)) => survey.add(&text.utf8, drops_boms),
                Item::Other(_) => survey.pass(End::Text),
                Item::IllFormed(_) => {
                    survey.has_ill_formed = true;
                    survey.pass(End::IllFormed);
                }
                Item::Bom(_) | Item::ForbiddenBom(_) | Item::MissingBom => {}
            }
            Ok(())
        })?;
        Ok(survey)
    }

    fn add(&mut self, text: &str, drops_boms: bool) {
        let mut rest = text;
        if self.is_open && rest.starts_with('\n') {
            // The CR is the first half of a CRLF.
            self.counts[Newline::Cr as usize] -= 1;
            self.trailing[Newline::Cr as usize] -= 1;
            if self.counts[Newline::Cr as usize] == 0 {
                self.order.retain(|kind| *kind != Newline::Cr);
            }
            self.newline(Newline::Crlf);
            rest = &rest[1..];
        }
        while let Some((at, kind)) = Newline::find(rest.as_bytes()) {
            self.text(&rest[..at], drops_boms);
            self.newline(kind);
            rest = &rest[at + kind.text().len()..];
        }
        self.text(rest, drops_boms);
        self.is_open = rest.is_empty() && self.end == End::Newline(Newline::Cr) && text.ends_with('\r');
    }

    fn newline(&mut self, kind: Newline) {
        self.counts[kind as usize] += 1;
        self.trailing[kind as usize] += 1;
        if !self.order.contains(&kind) {
            self.order.push(kind);
        }
        self.end = End::Newline(kind);
        self.is_open = false;
    }

    fn text(&mut self, text: &str, drops_boms: bool) {
        let is_at_line_start = drops_boms && matches!(self.end, End::Newline(_));
        let text = if is_at_line_start { text.trim_start_matches('\u{FEFF}') } else { text };
        if !text.is_empty() {
            self.pass(End::Text);
        }
    }

    fn pass(&mut self, end: End) {
        (self.end, self.trailing, self.is_open) = (end, [0; 3], false);
    }

    /// Whether some newline is not of this kind.
    pub fn has_others(&self, kind: Newline) -> bool {
        self.order.iter().any(|other| *other != kind)
    }

    /// Returns the most frequent kind of newline; of equally frequent kinds, the kind that occurs first.
    pub fn prevailing(&self) -> Option<Newline> {
        let rank = |kind: &&Newline| {
            let first = self.order.iter().position(|one| one == *kind);
            (self.counts[**kind as usize], std::cmp::Reverse(first))
        };
        self.order.iter().max_by_key(rank).copied()
    }

    /// Whether the text ends with a newline. CR counts only if most lines end with it.
    pub fn has_final_newline(&self, target: Option<Newline>) -> bool {
        match self.end {
            End::Newline(Newline::Cr) => target.is_some() || self.prevailing() == Some(Newline::Cr),
            End::Newline(_) => true,
            End::Empty | End::Text | End::IllFormed => false,
        }
    }

    /// Returns the newline that more than half of the lines have, after `added` was appended, or the newlines at the
    /// end were stripped.
    pub fn majority(&self, added: Option<Newline>, is_stripped: bool) -> Option<Newline> {
        let mut counts = self.counts;
        if let Some(kind) = added {
            counts[kind as usize] += 1;
        }
        if is_stripped {
            counts.iter_mut().zip(self.trailing).for_each(|(count, trailing)| *count -= trailing);
        }
        let all: u64 = counts.iter().sum();
        Newline::ALL.into_iter().find(|kind| 2 * counts[*kind as usize] > all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newlines_that_prevail() {
        for (segments, prevailing, majority, end) in [
            (&["a\n", "b\r", "\nc\r\n"][..], Newline::Crlf, Some(Newline::Crlf), End::Newline(Newline::Crlf)),
            (&["a\nb\r\n"], Newline::Lf, None, End::Newline(Newline::Crlf)),
            (&["a\r", "\n", "b\n", "c"], Newline::Crlf, None, End::Text),
            (&["a\rb\r", "c\n\u{FEFF}"], Newline::Cr, Some(Newline::Cr), End::Newline(Newline::Lf)),
        ] {
            let mut survey = Survey::default();
            segments.iter().for_each(|segment| survey.add(segment, true));
            assert_eq!(survey.prevailing(), Some(prevailing), "{segments:?}");
            assert_eq!(survey.majority(None, false), majority, "{segments:?}");
            assert_eq!(survey.end, end, "{segments:?}");
        }
        let mut survey = Survey::default();
        survey.add("a\r\nb\n\n", false);
        assert_eq!(survey.majority(None, false), Some(Newline::Lf));
        assert_eq!(survey.majority(None, true), Some(Newline::Crlf));
        assert_eq!(survey.majority(Some(Newline::Crlf), false), None);
    }
}
