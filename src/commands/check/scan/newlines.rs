//! Finds mixed newlines, and a missing or forbidden final newline.

use utfconv_core::{FaultBytes, Position};

use crate::commands::check::rules::{Newlines, Rule};
use crate::config::{Demand, Newline};
use crate::ui::quote::counted;

use super::{Span, TextRun, finding};
use crate::commands::check::report::Findings;

/// Counts the newlines of a file.
pub struct Count {
    newlines: Option<Newlines>,
    final_newline: Option<Demand>,
    /// Counts of LF, CRLF and CR, indexed by `Newline`.
    kinds: [Kind; 3],
    /// A CR at the end of the previous run; its LF may begin the next run.
    open: Option<Span>,
    ending: Ending,
}

/// The newlines of one kind.
#[derive(Clone, Copy, Default)]
struct Kind {
    count: u64,
    first: Option<Span>,
}

/// The end of the text so far.
enum Ending {
    /// There is no text.
    Empty,
    /// The text ends with this newline, whose span is set only if a rule needs it.
    Newline(Newline, Option<Span>),
    Other,
}

impl Count {
    pub fn new(newlines: Option<Newlines>, final_newline: Option<Demand>) -> Count {
        Count { newlines, final_newline, kinds: Default::default(), open: None, ending: Ending::Empty }
    }

    /// Counts the newlines of the next run.
    pub fn run(&mut self, run: &mut TextRun) {
        let text = run.text;
        if self.newlines.is_none() && self.final_newline.is_none() || text.is_empty() {
            return;
        }
        // The range `start..end` excludes an LF that belongs to the CR of the previous run, and a CR at the end,
        // which may belong to an LF of the next run.
        let mut start = 0;
        if let Some(cr) = self.open.take() {
            if text[0] == b'\n' {
                start = 1;
                let lf = run.span(0..1);
                let bytes = FaultBytes::new(&[&cr.bytes[..], &lf.bytes[..]].concat());
                let crlf = Span { position: cr.position, len: cr.len + lf.len, columns: None, bytes };
                self.count(Newline::Crlf, 1, || crlf);
                self.ending = Ending::Newline(Newline::Crlf, Some(crlf));
            } else {
                self.count(Newline::Cr, 1, || cr);
            }
        }
        let end = text.len() - usize::from(text.ends_with(b"\r"));
        if end < text.len() {
            let cr = run.span(end..text.len());
            self.open = Some(cr);
        }
        self.count_whole(run, start, end);
        if text.len() > start {
            self.ending = self.ending_of(run, start);
        }
    }

    /// Counts the newlines in `start..end` of the run; no newline crosses these ends.
    fn count_whole(&mut self, run: &mut TextRun, start: usize, end: usize) {
        let text = &run.text[start..end];
        let (mut crs, mut crlfs) = (0, 0);
        let (mut first_cr, mut first_crlf) = (0, 0);
        for at in memchr::memchr_iter(b'\r', text) {
            let (count, first) = match text.get(at + 1) {
                Some(b'\n') => (&mut crlfs, &mut first_crlf),
                _ => (&mut crs, &mut first_cr),
            };
            if *count == 0 {
                *first = start + at;
            }
            *count += 1;
        }
        let lfs = memchr::memchr_iter(b'\n', text).count() as u64 - crlfs;
        self.count(Newline::Cr, crs, || run.span(first_cr..first_cr + 1));
        self.count(Newline::Crlf, crlfs, || run.span(first_crlf..first_crlf + 2));
        self.count(Newline::Lf, lfs, || {
            let is_lone = |at: &usize| *at == 0 || text[at - 1] != b'\r';
            let first = start + memchr::memchr_iter(b'\n', text).find(is_lone).unwrap_or_default();
            run.span(first..first + 1)
        });
    }

    fn count(&mut self, newline: Newline, count: u64, first: impl FnOnce() -> Span) {
        let kind = &mut self.kinds[newline as usize];
        kind.count += count;
        if count > 0 && kind.first.is_none() {
            kind.first = Some(first());
        }
    }

    /// Returns the ending of a run that is longer than `start` bytes.
    fn ending_of(&self, run: &mut TextRun, start: usize) -> Ending {
        let text = run.text;
        let (newline, len) = match text[start..] {
            [.., b'\r', b'\n'] => (Newline::Crlf, 2),
            [.., b'\n'] => (Newline::Lf, 1),
            [.., b'\r'] => (Newline::Cr, 1),
            _ => return Ending::Other,
        };
        let is_asked = self.final_newline == Some(Demand::Forbid);
        Ending::Newline(newline, is_asked.then(|| run.span(text.len() - len..text.len())))
    }

    /// Called at a gap of ill-formed bytes, so that the next run does not continue the previous run.
    pub fn gap(&mut self) {
        self.close();
        self.ending = Ending::Other;
    }

    /// Counts an open CR, because no LF follows it.
    fn close(&mut self) {
        if let Some(cr) = self.open.take() {
            self.count(Newline::Cr, 1, || cr);
        }
    }

    /// Called once at the end of the file, at position `end`; adds the findings.
    pub fn end(&mut self, end: Position, found: &mut Findings) {
        self.close();
        if let Some(newlines) = self.newlines {
            self.find_mixed(newlines, found);
        }
        if let Some(demand) = self.final_newline {
            self.find_final(demand, end, found);
        }
    }

    fn find_mixed(&self, newlines: Newlines, found: &mut Findings) {
        let Some((prevailing, most)) = self.prevailing() else { return };
        let wanted = match newlines {
            Newlines::Same => prevailing,
            Newlines::All(wanted) => wanted,
        };
        let mut others: Vec<_> = self.occurring().filter(|(newline, ..)| *newline != wanted).collect();
        others.sort_by_key(|(.., span)| span.position.offset());
        for (newline, count, span) in others {
            found.push(Rule::MixedNewlines, || {
                let lines = format!("{} ends {}", newline.name(), counted(count, "line"));
                let (what, why) = match newlines {
                    Newlines::Same => {
                        let others = format!("{} ends {}", wanted.name(), counted(most, "line"));
                        (Rule::MixedNewlines.definition().title, format!("{lines}, {others}"))
                    }
                    Newlines::All(_) => {
                        ("newlines", format!("{lines}, but all must end with {}", wanted.name()))
                    }
                };
                finding(Rule::MixedNewlines, what, span, why.into())
            });
        }
    }

    fn find_final(&self, demand: Demand, end: Position, found: &mut Findings) {
        let newline = match self.ending {
            Ending::Empty => return,
            // A CR at the end is no newline if other newlines prevail in the file.
            Ending::Newline(Newline::Cr, _)
                if self.newlines != Some(Newlines::All(Newline::Cr))
                    && self.prevailing().is_none_or(|(newline, _)| newline != Newline::Cr) =>
            {
                None
            }
            Ending::Newline(_, span) => Some(span),
            Ending::Other => None,
        };
        let (what, span, why) = match (demand, newline) {
            (Demand::Require, None) => {
                let span = Span { position: end, len: 0, columns: Some(0), bytes: FaultBytes::new(&[]) };
                ("no final newline", span, "the last line must end with a newline")
            }
            (Demand::Forbid, Some(Some(span))) => {
                ("final newline", span, "the last line must not end with a newline")
            }
            _ => return,
        };
        found.push(Rule::FinalNewline, || finding(Rule::FinalNewline, what, span, why.into()));
    }

    /// Iterates over the kinds of newlines that occur, with the count and the first span of each.
    fn occurring(&self) -> impl Iterator<Item = (Newline, u64, Span)> {
        Newline::ALL.into_iter().filter_map(|newline| {
            let Kind { count, first } = self.kinds[newline as usize];
            first.map(|first| (newline, count, first))
        })
    }

    /// Returns the most frequent kind of newline and its count; of equally frequent kinds, the kind that occurs
    /// first.
    fn prevailing(&self) -> Option<(Newline, u64)> {
        self.occurring()
            .max_by_key(|(_, count, first)| (*count, std::cmp::Reverse(first.position.offset())))
            .map(|(newline, count, _)| (newline, count))
    }
}
