//! Lines that one mistake explains as a whole: all of their characters outside ASCII. Most double-encoded documents
//! have few other lines. Measuring each of their words takes long, and gives the same result as a sample.

use std::ops::Range;

use super::changes::Change;
use super::evidence::others;
use super::mistakes::Mistake;
use super::runs::{GROUP, run_at};
use super::starts::next_non_ascii;
use utfconv_core::utf8::{count_chars, decode_first};

/// In texts that are shorter, all words are measured.
pub(super) const LEAST: usize = 32 << 10;

/// How many sequences of characters outside ASCII are tried first, and how many of them a mistake has to explain.
const TRIED: usize = 32;
const LIKELY: usize = 28;

/// A sample has so many segments of so many bytes, or a little more; some may be left out.
const PIECES: usize = 32;
const PIECE: usize = 256;
const FEWEST: usize = 8;

/// How far a segment may begin or end from its planned position.
const FAR: usize = 4 << 10;

/// Where many lines are not explained, the mistake has to explain so many of more sequences.
const TRIED_AMONG_OTHERS: usize = 512;
const LIKELY_AMONG_OTHERS: usize = 64;

/// Lines among others are explained as a whole if they were so many characters outside ASCII.
const LINE: usize = 8;

/// Lines between others are explained as a whole if they have so many runs: no other text is such by chance.
const BLOCK: usize = 64;

/// The lines that a mistake explains as a whole, repaired, and the other lines.
pub(super) struct Explained {
    pub(super) changes: Vec<Change>,
    pub(super) rest: Vec<Range<usize>>,
    /// How many bytes the other lines have.
    left: usize,
}

impl Explained {
    /// Returns how many characters outside ASCII are explained.
    pub(super) fn count(&self, text: &str) -> u64 {
        others(text.as_bytes())
            - self.rest.iter().map(|range| others(&text.as_bytes()[range.clone()])).sum::<u64>()
    }

    /// Whether many lines are left.
    fn is_among_others(&self, text: &str) -> bool {
        self.left > text.len() / 4
    }

    /// Leaves out the lines in a range, which has the changes from number `from` on.
    fn leave(&mut self, range: Range<usize>, from: usize) {
        self.changes.truncate(from);
        self.left += range.len();
        match self.rest.last_mut().filter(|last| last.end == range.start) {
            Some(last) => last.end = range.end,
            None => self.rest.push(range),
        }
    }
}

/// Where offsets of joined ranges of a text are in it. They should be asked for in order.
pub(super) struct Shifts<'a> {
    ranges: &'a [Range<usize>],
    /// The range that was found last, and how many bytes come before it.
    number: usize,
    before: usize,
}

impl<'a> Shifts<'a> {
    pub(super) fn new(ranges: &'a [Range<usize>]) -> Shifts<'a> {
        Shifts { ranges, number: 0, before: 0 }
    }

    /// Returns the difference between the offset in the text and that in the joined ranges.
    pub(super) fn at(&mut self, at: usize) -> usize {
        if at < self.before {
            (self.number, self.before) = (0, 0);
        }
        while let Some(range) = self.ranges.get(self.number) {
            if at < self.before + range.len() || self.number + 1 == self.ranges.len() {
                return range.start - self.before;
            }
            self.before += range.len();
            self.number += 1;
        }
        0
    }
}

/// Returns the mistake that explains most at the start of a text; None if none explains much.
pub(super) fn likely(text: &str) -> Option<Mistake> {
    let best = |tried: usize, least: usize| {
        let counts = Mistake::all()
            .filter(|mistake| !mistake.has_pairs())
            .filter_map(|mistake| Some((explained_first(text.as_bytes(), mistake, tried, least)?, mistake)));
        counts
            .max_by_key(|(count, mistake)| (*count, std::cmp::Reverse(*mistake)))
            .map(|(_, mistake)| mistake)
    };
    best(TRIED, LIKELY).or_else(|| best(TRIED_AMONG_OTHERS, LIKELY_AMONG_OTHERS))
}

/// Returns how many of the first sequences a mistake explains; None if it is not the `least`. Long sequences are
/// cut, as runs are.
fn explained_first(bytes: &[u8], mistake: Mistake, tried: usize, least: usize) -> Option<usize> {
    let (mut at, mut missed) = (0, 0);
    for _ in 0..tried {
        let start = at + next_non_ascii(&bytes[at..])?;
        let end = run_at(bytes, start, mistake).map_or(start, |run| run.end);
        if end - start >= GROUP || end > start && bytes.get(end).is_none_or(u8::is_ascii) {
            at = end;
            continue;
        }
        missed += 1;
        if missed > tried - least {
            return None;
        }
        at = end + bytes[end..].iter().position(u8::is_ascii).unwrap_or(bytes.len() - end);
    }
    Some(tried - missed)
}

/// Returns some of the explained text, from everywhere in it. Its segments begin and end with ASCII, or with a change
/// where there is none.
pub(super) fn sample(text: &str, explained: &Explained) -> Option<String> {
    let bytes = text.as_bytes();
    let Explained { changes, rest, .. } = explained;
    if explained.is_among_others(text) {
        return sample_of_lines(text, rest);
    }
    let ascii = |from: usize| {
        let near = bytes.get(from..bytes.len().min(from + FAR))?;
        near.iter().position(u8::is_ascii).map(|at| from + at)
    };
    let mut sample = String::with_capacity(PIECES * (PIECE + 64));
    let mut pieces = 0;
    for number in 0..PIECES {
        let from = number * (bytes.len() / PIECES);
        let by_changes = || {
            let first = changes.partition_point(|change| change.range.start < from);
            let start = changes.get(first)?.range.start;
            let last = changes.partition_point(|change| change.range.end < start + PIECE);
            Some((start, changes.get(last)?.range.end))
        };
        let by_ascii = || ascii(from).and_then(|start| Some((start, ascii(start + PIECE)?)));
        let Some((start, end)) = by_ascii().or_else(by_changes) else { continue };
        let start = if number == 0 { 0 } else { start };
        if !rest.iter().any(|range| range.start < end && start < range.end) {
            sample.push_str(text.get(start..end)?);
            sample.push('\n');
            pieces += 1;
        }
    }
    (pieces >= FEWEST).then_some(sample)
}

/// Some of the lines between ranges.
fn sample_of_lines(text: &str, rest: &[Range<usize>]) -> Option<String> {
    let ends = rest.iter().map(|range| range.start).chain([text.len()]);
    let starts = [0].into_iter().chain(rest.iter().map(|range| range.end));
    let between: Vec<Range<usize>> =
        starts.zip(ends).filter(|(start, end)| start < end).map(|(start, end)| start..end).collect();
    let step = between.len().div_ceil(2 * PIECES).max(1);
    let mut sample = String::new();
    for range in between.iter().step_by(step) {
        let lines = text[range.clone()].split_inclusive('\n').scan(0, |len, line| {
            let is_enough = *len >= PIECE;
            *len += line.len();
            (!is_enough).then_some(line)
        });
        sample.extend(lines.filter(|line| line.len() <= FAR));
    }
    (sample.len() >= FEWEST * PIECE).then_some(sample)
}

/// Undoes a mistake in all lines that it explains, if they are most of the text. Otherwise only in lines that are too
/// long to be explained by chance. None if there are few.
pub(super) fn undo(text: &str, mistake: Mistake) -> Option<Explained> {
    undo_in_blocks(text, mistake).or_else(|| undo_in_lines(text, mistake))
}

/// Undoes a mistake in the long lines that it explains.
fn undo_in_lines(text: &str, mistake: Mistake) -> Option<Explained> {
    let table = mistake.table()?;
    let mut explained = Explained { changes: Vec::new(), rest: Vec::new(), left: 0 };
    let mut was = [0; GROUP];
    let (mut start, mut sum) = (0, 0);
    // Returns the runs of a line, and their original text.
    let (mut runs, mut texts) = (Vec::new(), String::new());
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        runs.clear();
        texts.clear();
        // A character takes two others at least.
        let others = others(line.as_bytes());
        let (mut at, mut is_explained) = (start, others == 0 || others >= 2 * LINE as u64);
        while is_explained && let Some(skipped) = next_non_ascii(&text.as_bytes()[at..end]) {
            let found = run(table, &text.as_bytes()[..end], at + skipped, &mut was);
            is_explained = found.is_some();
            if let Some((run_end, was)) = found {
                runs.push((at + skipped..run_end, texts.len()..texts.len() + was.len()));
                texts.push_str(was);
                at = run_end;
            }
        }
        if is_explained && count_chars(texts.as_bytes()) >= LINE {
            sum += line.len();
            explained.changes.extend(
                runs.iter().map(|(range, was)| Change::new(range.clone(), &texts[was.clone()], mistake)),
            );
        } else if !is_explained || !runs.is_empty() {
            explained.leave(start..end, explained.changes.len());
        }
        start = end;
        if sum + (text.len() - end) < text.len() / 4 {
            return None;
        }
    }
    (sum >= text.len() / 4).then_some(explained)
}

/// Undoes a mistake in all lines that it explains. None if these are not most of the text.
fn undo_in_blocks(text: &str, mistake: Mistake) -> Option<Explained> {
    let table = mistake.table()?;
    let bytes = text.as_bytes();
    let mut explained = Explained { changes: Vec::new(), rest: Vec::new(), left: 0 };
    let mut was = [0; GROUP];
    // The lines after those that are left out, and the number of their first change.
    let (mut block, mut first) = (0, 0);
    let mut at = 0;
    while let Some(skipped) = next_non_ascii(&bytes[at..]) {
        at += skipped;
        if let Some((end, was)) = run(table, bytes, at, &mut was) {
            explained.changes.push(Change::new(at..end, was, mistake));
            at = end;
            continue;
        }
        let line = memchr::memrchr(b'\n', &bytes[block..at]).map_or(block, |newline| block + newline + 1);
        let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |newline| at + newline + 1);
        let in_line = explained.changes.iter().rev().take_while(|change| change.range.start >= line).count();
        let before = explained.changes.len() - in_line;
        if before - first < BLOCK {
            explained.leave(block..end, first)
        } else {
            explained.leave(line..end, before)
        }
        if explained.is_among_others(text) {
            return None;
        }
        (at, block, first) = (end, end, explained.changes.len());
    }
    if !explained.rest.is_empty() && explained.changes.len() - first < BLOCK {
        explained.leave(block..bytes.len(), first);
    }
    (!explained.changes.is_empty() && !explained.is_among_others(text)).then_some(explained)
}

/// Returns where the run at an offset ends, and its original text. None if it is not the bytes of UTF-8.
fn run<'a>(
    table: &[u8; 1 << 16],
    bytes: &[u8],
    start: usize,
    was: &'a mut [u8; GROUP],
) -> Option<(usize, &'a str)> {
    let (mut at, mut len) = (start, 0);
    // Each byte was decoded as a character of two bytes or more: there is room for all.
    let mut push = |byte: u8| {
        *was.get_mut(len)? = byte;
        len += 1;
        Some(byte)
    };
    // Until ASCII, or where runs of characters are cut.
    while bytes.get(at).is_some_and(|byte| !byte.is_ascii()) && at - start < GROUP {
        let trails = match push(byte_of(table, bytes, &mut at)?)? {
            0xC2..=0xDF => 1,
            0xE0..=0xEF => 2,
            0xF0..=0xF4 => 3,
            _ => return None,
        };
        for _ in 0..trails {
            push(byte_of(table, bytes, &mut at)?)?;
        }
    }
    Some((at, str::from_utf8(was.get(..len)?).ok()?))
}

/// The byte that was decoded as the character at an offset, which is moved past it.
#[inline(always)]
fn byte_of(table: &[u8; 1 << 16], bytes: &[u8], at: &mut usize) -> Option<u8> {
    let (char, width) = bytes.get(*at..).filter(|rest| !rest.is_empty()).map(decode_first)?;
    *at += width;
    table.get(char as usize).copied().filter(|byte| *byte != 0)
}
