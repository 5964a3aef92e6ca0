//! Collects the text of a file in the windows that the library searches for double encoding, with the positions of
//! the text in the file. The command `repair` uses the same windows, so the rule finds exactly the text that `repair`
//! changes.

use std::mem;

use utfconv_core::{Position, UTF_8};
use utfconv_repair::{Change, Document, Unit, WINDOW, window_len};

use super::{Span, TextRun, finding};
use crate::commands::check::report::{Finding, Findings};
use crate::commands::check::rules::{Rule, why_double_encoded};
use crate::ui::excerpt::Excerpt;

/// Buffer of text that is not searched yet, after the end of the previous window.
pub struct Windows {
    document: Document,
    bytes: Vec<u8>,
    /// Number of bytes at the start of `bytes` that were searched.
    looked: usize,
    runs: Vec<Collected>,
    is_begun: bool,
}

/// A run of text in the buffer.
struct Collected {
    at: usize,
    len: usize,
    /// Position of the run in the file.
    start: Position,
    /// Bytes of the run in the file, and the offset of each scalar value in these bytes, as in a [`TextRun`]; `None`
    /// if the file is UTF-8.
    source: Option<(Vec<u8>, Vec<u32>)>,
}

impl Windows {
    pub fn new() -> Windows {
        let document = Document::new(Unit::Line, &[]);
        Windows { document, bytes: Vec::new(), looked: 0, runs: Vec::new(), is_begun: false }
    }

    /// Adds a run, and searches the windows that are complete.
    pub fn take(&mut self, run: &TextRun, found: &mut Findings) {
        // A first run that does not begin at offset 0 follows a BOM.
        if !mem::replace(&mut self.is_begun, true) && run.start.offset() > 0 {
            self.bytes.extend_from_slice("\u{FEFF}".as_bytes());
        }
        let source = run.source.as_ref().map(|source| (source.bytes.to_vec(), source.offsets.to_vec()));
        self.runs.push(Collected { at: self.bytes.len(), len: run.text.len(), start: run.start, source });
        self.bytes.extend_from_slice(run.text);
        self.look(false, found);
    }

    /// Adds ill-formed bytes, or the control that stands for them in decoded text.
    pub fn gap(&mut self, bytes: &[u8], found: &mut Findings) {
        self.is_begun = true;
        self.bytes.extend_from_slice(bytes);
        self.look(false, found);
    }

    /// Searches the rest of the buffer.
    pub fn end(&mut self, found: &mut Findings) {
        self.look(true, found);
    }

    /// Searches the windows that are complete, or the whole buffer if the file `is_ended`.
    fn look(&mut self, is_ended: bool, found: &mut Findings) {
        let least = if is_ended { 0 } else { WINDOW };
        if self.bytes.len() - self.looked <= least {
            return;
        }
        while self.bytes.len() - self.looked > least {
            let (len, is_cut) = window_len(&self.bytes[self.looked..], is_ended);
            let window = &self.bytes[self.looked..self.looked + len];
            let mut changes = self.document.next(window, is_cut).changes;
            // Changes of ill-formed bytes are reported as faults, and changes of text that was not UTF-8 are no
            // double encoding.
            let is_double =
                |change: &Change| change.mistakes.iter().all(|mistake| mistake.was() == UTF_8.name());
            changes.retain(|change| change.encoding.is_none() && is_double(change));
            self.report(joined(changes), found);
            self.looked += len;
        }
        // The run that contains the end of the window is kept, because positions in a run are counted from its start.
        let past = self.runs.partition_point(|run| run.at + run.len <= self.looked);
        self.runs.drain(..past);
        let kept = self.runs.first().map_or(self.looked, |run| run.at.min(self.looked));
        self.bytes.drain(..kept);
        self.looked -= kept;
        self.runs.iter_mut().for_each(|run| run.at -= kept);
    }

    /// Reports the changes in the window that begins at `looked`.
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
                // A change may continue after the run, because non-ASCII text can be cut anywhere.
                let end = (start + change.range.len()).min(*len);
                found.push(Rule::DoubleEncoded, || {
                    let mut span = run.span(start..end);
                    if source.is_none() {
                        span = Span { len: change.range.len() as u64, ..span };
                    }
                    let (title, why) = (Rule::DoubleEncoded.definition().title, why_double_encoded(&change));
                    let excerpt = Excerpt::new(&self.bytes, at + start, end - start, &UTF_8);
                    let finding = finding(Rule::DoubleEncoded, title, span, why);
                    // The excerpt is made from the buffer, because the file was read past the finding.
                    Finding { excerpt, ..finding }
                });
            }
        }
    }
}

/// Joins adjacent changes with the same mistakes, because a long run of characters has several changes.
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
