//! Selects the sequences to show: the wanted sequences, and sequences around them as context.

use std::collections::VecDeque;
use std::ops::Range;

use utfconv_core::FaultBytes;

use super::sequences::{Run, Sequence, What};
use crate::ui::quote::counted;

/// The selection of sequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    All,
    Faults,
    /// The sequence that contains this byte.
    Around(u64),
}

/// The next part of the output.
#[derive(Debug, PartialEq, Eq)]
pub enum Shown<'a> {
    /// Sequences were left out here.
    Gap,
    Sequence(&'a Sequence),
    /// The sequence that contains the byte of `Around`.
    Marked(&'a Sequence),
}

/// Selects the sequences of a source that are shown.
pub struct View {
    wanted: Wanted,
    /// Sequences that begin outside this range are not shown, not even as context.
    range: Range<u64>,
    /// Number of sequences shown before and after each wanted sequence.
    context: usize,
    /// The last sequences that were not shown, as many as may become context.
    before: VecDeque<Sequence>,
    /// Number of further sequences to show as context.
    after: usize,
    /// The end of the last sequence shown.
    shown_to: u64,
    has_shown: bool,
    has_marked: bool,
}

impl View {
    pub fn new(wanted: Wanted, range: Range<u64>, context: usize) -> View {
        let before = VecDeque::new();
        View { wanted, range, context, before, after: 0, shown_to: 0, has_shown: false, has_marked: false }
    }

    /// Returns the offset from which on `take` needs all sequences. Nothing before that offset is shown.
    pub fn start(&self) -> u64 {
        match self.wanted {
            // The sequence that contains the byte at `at` may begin before that byte.
            Wanted::Around(at) => at.saturating_sub(((self.context + 1) * FaultBytes::MAX) as u64),
            _ => self.range.start,
        }
    }

    /// Reads a run of text, and calls `show` for each sequence or gap to show.
    pub fn run(&mut self, run: Run, mut show: impl FnMut(Shown)) {
        let end = run.offset + run.source.len() as u64;
        let has_none = match self.wanted {
            Wanted::All => end <= self.range.start,
            Wanted::Faults => true,
            Wanted::Around(at) => end <= at,
        };
        // Most of a long text is not shown, and so need not be decoded.
        let last = (has_none && self.after == 0).then_some(self.context);
        for sequence in run.sequences(last) {
            self.take(sequence, &mut show);
        }
    }

    /// Reads the next sequence, and calls `show` for each sequence or gap to show.
    pub fn take(&mut self, sequence: Sequence, mut show: impl FnMut(Shown)) {
        if !self.range.contains(&sequence.offset) {
            return;
        }
        let is_wanted = match self.wanted {
            Wanted::All => true,
            Wanted::Faults => matches!(sequence.what, What::Fault(_)),
            Wanted::Around(at) => (sequence.offset..sequence.end()).contains(&at),
        };
        if !is_wanted && self.after == 0 {
            self.before.push_back(sequence);
            if self.before.len() > self.context {
                self.before.pop_front();
            }
            return;
        }
        let first = self.before.front().unwrap_or(&sequence);
        if first.offset > self.shown_to && self.wanted != Wanted::All {
            show(Shown::Gap);
        }
        self.before.drain(..).for_each(|sequence| show(Shown::Sequence(&sequence)));
        match self.wanted {
            Wanted::Around(_) if is_wanted => {
                self.has_marked = true;
                show(Shown::Marked(&sequence));
            }
            _ => show(Shown::Sequence(&sequence)),
        }
        self.shown_to = sequence.end();
        self.has_shown = true;
        self.after = if is_wanted { self.context } else { self.after - 1 };
    }

    /// Whether nothing more will be shown after all sequences before `offset` have been taken.
    pub fn is_done(&self, offset: u64) -> bool {
        // One more sequence is needed to show that sequences are left out.
        offset >= self.range.end || self.has_marked && self.after == 0 && offset > self.shown_to
    }

    /// Ends the view after all sequences before `offset` have been taken.
    pub fn end(&self, offset: u64, mut show: impl FnMut(Shown)) {
        if self.has_shown && offset.min(self.range.end) > self.shown_to && self.wanted != Wanted::All {
            show(Shown::Gap);
        }
    }

    /// Explains why the requested sequence was not found in a source that ended at `offset`.
    pub fn missed(&self, offset: u64) -> Option<String> {
        match self.wanted {
            Wanted::Around(at) if !self.has_marked => {
                Some(format!("byte {at} is past the end: the input has {}", counted(offset, "byte")))
            }
            _ if self.range.start > offset => {
                let start = self.range.start;
                let len = counted(offset, "byte");
                Some(format!("the range starts at byte {start}, past the end: the input has {len}"))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the offsets that are shown of a text of single bytes; -1 stands for a gap, and 100 is added to a marked
    /// offset.
    fn shown(wanted: Wanted, range: Range<u64>, context: usize, runs: &[&str]) -> Vec<i64> {
        let mut view = View::new(wanted, range, context);
        let mut list = Vec::new();
        let mut note = |shown: Shown| {
            list.push(match shown {
                Shown::Gap => -1,
                Shown::Sequence(sequence) => sequence.offset as i64,
                Shown::Marked(sequence) => sequence.offset as i64 + 100,
            });
        };
        let mut offset = 0;
        for run in runs {
            view.run(Run { offset, source: run.as_bytes(), text: None }, &mut note);
            offset += run.len() as u64;
        }
        view.end(offset, &mut note);
        list
    }

    #[test]
    fn context_and_gaps_do_not_depend_on_where_runs_end() {
        let all = 0..u64::MAX;
        for runs in [&["abcdefghij"][..], &["abc", "d", "efghij"], &["a"; 10]] {
            assert_eq!(shown(Wanted::Around(5), all.clone(), 2, runs), [-1, 3, 4, 105, 6, 7, -1]);
            assert_eq!(shown(Wanted::Around(5), all.clone(), 0, runs), [-1, 105, -1]);
            assert_eq!(shown(Wanted::Around(1), all.clone(), 2, runs), [0, 101, 2, 3, -1]);
            assert_eq!(shown(Wanted::Around(8), all.clone(), 1, runs), [-1, 7, 108, 9]);
            assert_eq!(shown(Wanted::All, 3..6, 0, runs), [3, 4, 5]);
            assert_eq!(shown(Wanted::Faults, all.clone(), 3, runs), [0; 0]);
        }
    }
}
