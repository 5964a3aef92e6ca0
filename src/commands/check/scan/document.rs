//! Collects the text of a file in the windows in which the library looks for double encoding, with the positions of
//! the text in the file. The windows are those of the command `repair`, so that this finds what it changes.

use std::mem;

use utfconv_core::{Position, UTF_8};
use utfconv_repair::{Change, Document, Unit, WINDOW, window_len};

use super::{Span, TextRun, finding};
use crate::commands::check::report::{Finding, Findings};
use crate::commands::check::rules::{Rule, why_double_encoded};
use crate::ui::excerpt::Excerpt;

/// The bytes that were not searched yet, after some of the window before.
pub struct Windows {
    document: Document,
    bytes: Vec<u8>,
    /// How many of them were searched.
    looked: usize,
    runs: Vec<Collected>,
    is_begun: bool,
}

/// A run of text that is among the bytes.
struct Collected {
    at: usize,
    len: usize,
    /// Where it begins in the file.
    start: Position,
    /// Its bytes in the file, and where its scalar values begin there, as in a [`TextRun`]; None if the file is UTF-8.
    source: Option<(Vec<u8>, Vec<u32>)>,
}

impl Windows {
    pub fn new() -> Windows {
        let document = Document::new(Unit::Line, &[]);
        Windows { document, bytes: Vec::new(), looked: 0, runs: Vec::new(), is_begun: false }
    }

    /// Takes a run, and looks at windows that are complete.
    pub fn take(&mut self, run: &TextRun, found: &mut Findings) {
        // Where nothing came before, that is the BOM.
        if !mem::replace(&mut self.is_begun, true) && run.start.offset() > 0 {
            self.bytes.extend_from_slice("\u{FEFF}".as_bytes());
        }
        let source = run.source.as_ref().map(|source| (source.bytes.to_vec(), source.offsets.to_vec()));
        self.runs.push(Collected { at: self.bytes.len(), len: run.text.len(), start: run.start, source });
        self.bytes.extend_from_slice(run.text);
        self.look(false, found);
    }

    /// Takes ill-formed bytes. Of a file that is not UTF-8 they are not the bytes of the text, which has a control instead.
    pub fn gap(&mut self, bytes: &[u8], found: &mut Findings) {
        self.is_begun = true;
        self.bytes.extend_from_slice(bytes);
        self.look(false, found);
    }

    /// Looks at the rest.
    pub fn end(&mut self, found: &mut Findings) {
        self.look(true, found);
    }

    /// Looks at the windows that are complete, or at all if the file `is_ended`.
    fn look(&mut self, is_ended: bool, found: &mut Findings) {
        let least = if is_ended { 0 } else { WINDOW };
        if self.bytes.len() - self.looked <= least {
            return;
        }
        while self.bytes.len() - self.looked > least {
            let (len, is_cut) = window_len(&self.bytes[self.looked..], is_ended);
            let window = &self.bytes[self.looked..self.looked + len];
            let mut changes = self.document.next(window, is_cut).changes;
            // Those of ill-formed bytes are faults, and those of code pages are no double encoding.
            let is_double =
                |change: &Change| change.mistakes.iter().all(|mistake| mistake.was() == UTF_8.name());
            changes.retain(|change| change.encoding.is_none() && is_double(change));
            self.report(joined(changes), found);
            self.looked += len;
        }
        // The run with the end of the window is kept, as positions in it are counted from its start.
        let past = self.runs.partition_point(|run| run.at + run.len <= self.looked);
        self.runs.drain(..past);
        let kept = self.runs.first().map_or(self.looked, |run| run.at.min(self.looked));
        self.bytes.drain(..kept);
        self.looked -= kept;
        self.runs.iter_mut().for_each(|run| run.at -= kept);
    }

    /// Reports changes of the next window.
    fn report(&self, changes: Vec<Change>, found: &mut Findings) {
        let mut changes = changes.into_iter().peekable();
        for Collected { at, len, start, source } in &self.runs {
            let text = &self.bytes[*at..at + len];
            let mut run = match source {
                None => TextRun::utf8(text, *start),
                Some((bytes, offsets)) => TextRun::decoded(text, *start, bytes, offsets),
            };
            while let Some(change) = changes.next_if(|change| self.looked + change.range.start < at + len) {
                let start = self.looked + change.range.start - at;
                // Text without ASCII can be cut anywhere.
                let end = (start + change.range.len()).min(*len);
                found.push(Rule::DoubleEncoded, || {
                    let mut span = run.span(start..end);
                    if source.is_none() {
                        span = Span { len: change.range.len() as u64, ..span };
                    }
                    let (title, why) = (Rule::DoubleEncoded.definition().title, why_double_encoded(&change));
                    let excerpt = Excerpt::new(&self.bytes, at + start, end - start, &UTF_8);
                    let finding = finding(Rule::DoubleEncoded, title, span, why);
                    // The file was read past it.
                    Finding { excerpt, ..finding }
                });
            }
        }
    }
}

/// Joins adjacent changes: a long run of characters has several.
fn joined(changes: Vec<Change>) -> Vec<Change> {
    let mut all: Vec<Change> = Vec::with_capacity(changes.len());
    for change in changes {
        let is_next =
            |last: &&mut Change| last.range.end == change.range.start && last.mistakes == change.mistakes;
        match all.last_mut().filter(is_next) {
            Some(last) => {
                last.range.end = change.range.end;
                last.text.push_str(&change.text);
            }
            None => all.push(change),
        }
    }
    all
}
