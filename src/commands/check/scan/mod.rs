//! Scans well-formed text for what the rules forbid.
//!
//! One pass finds the positions for most rules; then each finding is explained, as long as the list has room. The checker
//! validates the bytes, and checks the BOM.

use std::ops::Range;

use utfconv_core::Position;

use super::report::{Finding, Findings};
use super::rules::{self, Character, Detection, Find, Newlines, Rule, Rules, Sequence, Why};
use utfconv_core::utf8::{decode_first, is_continuation};
use utfconv_scan::marks::{BLOCK, Marks};

mod document;
mod newlines;

pub use crate::files::text_run::{Span, TextRun};

/// Follows the text of a file from run to run.
pub trait Follow {
    /// Scans the next run, and adds the findings in that run.
    fn run(&mut self, run: &mut TextRun, found: &mut Findings);
    /// Called at a gap of ill-formed bytes, so that the next run does not continue the previous run.
    fn gap(&mut self);
    /// Called once at the end of the file, at position `end`; adds the findings that need the end.
    fn end(&mut self, end: Position, found: &mut Findings);
}

/// Scans the runs of one file, in order.
///
/// A run ends at the end of the file, at a gap, or where [`Pending`](super::pending::Pending) cuts.
/// No finding is cut there. If a run has to end elsewhere, a finding may be missed or be reported as two.
pub struct Scan {
    /// Rules that forbid single characters.
    characters: Vec<(Rule, &'static Character)>,
    /// Rules that forbid texts of several characters, each with the byte offset in the current run where the last
    /// search for the rule ended.
    sequences: Vec<(Rule, &'static Sequence, usize)>,
    marks: Marks,
    passes: Vec<(Rule, Find)>,
    /// Findings of the current run; kept to reuse their memory.
    hits: Vec<Hit>,
    /// Windows that are searched for double encoding; `None` if the rule is off.
    document: Option<document::Windows>,
    newlines: newlines::Count,
    followers: Vec<Box<dyn Follow>>,
}

/// Text that a rule forbids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Hit {
    start: usize,
    end: usize,
    rule: Rule,
}

impl Scan {
    pub fn new(rules: Rules) -> Scan {
        let (mut characters, mut sequences) = (Vec::new(), Vec::new());
        let (mut passes, mut followers) = (Vec::new(), Vec::new());
        for rule in rules.iter() {
            match rule.detection() {
                Detection::Character(character) => characters.push((rule, character)),
                Detection::Sequence(sequence) => sequences.push((rule, sequence, 0)),
                Detection::Pass(pass) => passes.push((rule, pass.find)),
                Detection::Lines(make) => followers.extend(rules.value(rule).map(make)),
                _ => {}
            }
        }
        Scan {
            characters,
            sequences,
            marks: rules::marks(&rules),
            passes,
            hits: Vec::new(),
            document: rules.has(Rule::DoubleEncoded).then(document::Windows::new),
            newlines: newlines::Count::new(Newlines::of(&rules), rules.demand(Rule::FinalNewline)),
            followers,
        }
    }

    /// Scans the next run.
    pub fn run(&mut self, run: &mut TextRun, found: &mut Findings) {
        let text = run.text;
        self.find(text);
        self.hits.sort_unstable();
        self.drop_shown_with_hidden_text();
        for Hit { start, end, rule } in self.hits.drain(..) {
            // In encodings such as UTF-16LE, U+FEFF at the start of a file is part of the text, but does not break
            // the rule there.
            if rule == Rule::InnerBom && start == 0 && run.start.offset() == 0 {
                continue;
            }
            found.push(rule, || {
                let why = rule.why(&text[start..end], decode_first(&text[start..]).0);
                finding(rule, rule.definition().title, run.span(start..end), why)
            });
        }
        self.newlines.run(run);
        self.followers.iter_mut().for_each(|follower| follower.run(run, found));
        if let Some(document) = &mut self.document {
            document.take(run, found);
        }
    }

    /// Called at a gap of ill-formed `bytes`, so that the next run does not continue the previous run.
    pub fn gap(&mut self, bytes: &[u8], found: &mut Findings) {
        if let Some(document) = &mut self.document {
            document.gap(bytes, found);
        }
        self.newlines.gap();
        self.followers.iter_mut().for_each(|follower| follower.gap());
    }

    /// Called once at the end of the file, at position `end`; adds the findings that need the end. Findings about
    /// newlines and double encoding may begin before other findings in `found`.
    pub fn end(&mut self, end: Position, found: &mut Findings) {
        if let Some(document) = &mut self.document {
            document.end(found);
        }
        self.newlines.end(end, found);
        self.followers.iter_mut().for_each(|follower| follower.end(end, found));
    }

    /// True if a whole file of UTF-8 without its BOM has no errors. Only for rules whose errors are within a run.
    pub fn finds_nothing(&mut self, text: &[u8]) -> bool {
        self.find(text);
        self.hits.is_empty()
    }

    /// Finds the hits of all rules whose errors are within a run.
    fn find(&mut self, text: &[u8]) {
        self.sequences.iter_mut().for_each(|(_, _, from)| *from = 0);
        let mut from = 0;
        while let Some((block, marks)) = self.marks.next(text, from) {
            for (at, mark) in (block..).zip(marks) {
                if mark != 0 && text.get(at).is_some_and(|byte| !is_continuation(*byte)) {
                    self.find_at(text, at, mark);
                }
            }
            from = block + BLOCK;
        }
        for (rule, find) in &self.passes {
            let hits = &mut self.hits;
            find(text, &mut |Range { start, end }| hits.push(Hit { start, end, rule: *rule }));
        }
    }

    /// Drops single characters in a run of hidden text, because the run has a separate error.
    fn drop_shown_with_hidden_text(&mut self) {
        let runs: Vec<_> = self.hits.iter().filter(|hit| hit.rule == Rule::HiddenText).copied().collect();
        self.hits.retain(|hit| {
            let run = runs.get(runs.partition_point(|run| run.end <= hit.start));
            let is_single = matches!(hit.rule, Rule::Invisible | Rule::InnerBom);
            !is_single || run.is_none_or(|run| hit.start < run.start)
        });
    }

    /// Adds a hit for each rule that forbids a text that begins at byte `at`. `mark` has the bits of the groups of
    /// characters that may begin there.
    fn find_at(&mut self, text: &[u8], at: usize, mark: u8) {
        let hits = &mut self.hits;
        let (scalar, len) = decode_first(&text[at..]);
        for (rule, Character { start, is_forbidden, .. }) in &self.characters {
            if mark & start.bit() != 0 && is_forbidden(scalar) {
                hits.push(Hit { start: at, end: at + len, rule: *rule });
            }
        }
        for (rule, Sequence { start, find, .. }, from) in &mut self.sequences {
            if mark & start.bit() != 0 && at >= *from {
                *from = find(text, *from, at, &mut |Range { start, end }| {
                    hits.push(Hit { start, end, rule: *rule })
                });
            }
        }
    }
}

/// Makes a finding, with a message of `what`, the bytes and `why`.
pub fn finding(rule: Rule, what: &str, span: Span, why: Why) -> Finding {
    let Span { position, len, columns, bytes } = span;
    let Why { title, text, hint } = why;
    let more = if len > bytes.len() as u64 { " ..." } else { "" };
    let which = if len > 0 && title.is_none() { format!("{bytes}{more}: ") } else { String::new() };
    let title = title.as_deref().unwrap_or(what);
    let message = format!("{title} at byte {}: {which}{text}", position.offset());
    Finding { len, columns, hint, ..Finding::new(rule, position, &bytes, message) }
}

#[cfg(test)]
pub mod tests;
