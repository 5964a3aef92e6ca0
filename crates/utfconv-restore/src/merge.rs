//! Merges the edits of a text into the original, for one view.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::align::{
    Alignment, CELLS, CELLS_PER_BYTE, NEVER, align, fits_fully, least_cost, may_fit, of_characters,
};
use super::changed::{Changed, Line, Piece};
use super::differences::unique_pairs;
use super::lines::{Newline, content, lines_of, range_of};
use super::output::{Attempt, Output, Side};
use super::text::{NewText, OldText, count_of_tokens, tokens};
use super::view::{TextRange, View, Viewed};

/// Minimum content of a line or word that is recognized wherever it is, in letters and digits; a run of marks counts as
/// two. About the length of a long word.
const ENOUGH: usize = 8;

/// Merges an edited text into the original. Returns `None` if the edits cost more than the limit.
pub(super) fn merged(side: &Side, view: View, edited: &str, limit: u64) -> Option<Attempt> {
    let viewed = &Viewed::new(side.original, side.encoding, view);
    let new_lines = lines_of(edited, viewed.is_wide, viewed.zeros()[1]);
    let (copies, damaged) = (OnceCell::new(), OnceCell::new());
    let output = Output::new(side, viewed, edited);
    let budget = CELLS.saturating_add(CELLS_PER_BYTE.saturating_mul(viewed.text.len() + edited.len()));
    let mut merge = Merge { viewed, edited, new_lines, copies, damaged, output, limit, budget };
    let parts = merge.parts();
    if limit < u64::MAX && merge.costs_more(&parts) {
        return None;
    }
    merge.write(&parts);

    Some(merge.output.attempt).filter(|attempt| attempt.cost <= limit)
}

/// The bytes of a line in the original, and the number of lost units in them.
type Copy = (Range<usize>, u64);

/// The numbers of lines that look the same, and their bytes, computed when first needed; `None` if their bytes differ.
type Lines = (Vec<usize>, OnceCell<Option<Copy>>);

struct Merge<'a> {
    viewed: &'a Viewed<'a>,
    edited: &'a str,
    /// The offsets of the lines of the edited text, in bytes.
    new_lines: Vec<usize>,
    /// The lines of the original by their text; computed when first needed.
    copies: OnceCell<HashMap<&'a str, Lines>>,
    /// The words of the lines in which text was dropped; computed when first needed.
    damaged: OnceCell<HashSet<&'a str>>,
    output: Output<'a>,
    /// The merge stops when its cost exceeds this limit.
    limit: u64,
    /// Number of cells that further tables may have.
    budget: usize,
}

/// Lines of the original and of the edited text between two bounds, or a line that is a bound.
struct Part {
    old: Range<usize>,
    new: Range<usize>,
    is_last: bool,
    is_same: bool,
}

impl<'a> Merge<'a> {
    fn old_line(&self, line: usize) -> &'a str {
        self.shown(&self.viewed.text[self.viewed.range_of(line..line + 1)])
    }

    fn new_line(&self, line: usize) -> &'a str {
        self.shown(&self.edited[self.new_range(line..line + 1)])
    }

    /// Returns a line without its newline, unless the newline is part of a wide code unit.
    fn shown<'t>(&self, line: &'t str) -> &'t str {
        if self.viewed.is_wide { line } else { content(line) }
    }

    /// Returns the text of a range of new characters.
    fn text_of(&self, range: &Range<usize>, changed: &Changed) -> &'a str {
        &self.edited[changed.new.offsets[range.start]..changed.new.offsets[range.end]]
    }

    fn new_range(&self, lines: Range<usize>) -> Range<usize> {
        range_of(&self.new_lines, self.edited.len(), lines)
    }

    fn old_range(&self, lines: Range<usize>, is_last: bool) -> TextRange {
        TextRange { bytes: self.viewed.range_of(lines), takes_gap: is_last }
    }

    /// Splits both texts into parts, unless they are short. Lines that occur once in each, in the same order, are the
    /// bounds.
    fn parts(&self) -> Vec<Part> {
        let old: Vec<_> = (0..self.viewed.lines.len()).map(|line| self.old_line(line)).collect();
        let new: Vec<_> = (0..self.new_lines.len()).map(|line| self.new_line(line)).collect();
        let is_short = fits_fully(self.viewed.text.len(), self.edited.len());
        let bounds = if is_short { Vec::new() } else { bounds(&old, &new, self.viewed.view.mark()) };
        let (mut parts, mut old_at, mut new_at, mut takes_end) = (Vec::new(), 0, 0, false);
        for (old_bound, new_bound) in bounds.into_iter().chain([(old.len(), new.len())]) {
            let is_end = old_bound == old.len();
            let (old_lines, new_lines) = (old_at..old_bound, new_at..new_bound);
            let is_last = is_end && !takes_end;
            let is_same = old[old_lines.clone()] == new[new_lines.clone()] && !old_lines.is_empty();
            if is_last || old_lines.len() + new_lines.len() > 0 {
                parts.push(Part { old: old_lines, new: new_lines, is_last, is_same });
            }
            if !is_end {
                // If the last line ends with a newline, hidden units after it are on a line of their own.
                takes_end = old_bound + 1 == old.len() && !self.viewed.text.ends_with('\n');
                let (old, new) = (old_bound..old_bound + 1, new_bound..new_bound + 1);
                parts.push(Part { old, new, is_last: takes_end, is_same: true });
            }
            (old_at, new_at) = (old_bound + 1, new_bound + 1);
        }
        parts
    }

    /// Whether the parts cost more than the limit, by lower bounds of their costs.
    fn costs_more(&self, parts: &[Part]) -> bool {
        let mut cost = 0;
        parts.iter().filter(|part| !part.is_same).any(|Part { old, new, .. }| {
            let fits = self.may_fit(&self.viewed.range_of(old.clone()), &self.new_range(new.clone()));
            if fits || old.len() != new.len() {
                cost += self.least_cost(old.clone(), new.clone());
            } else {
                let lines = old.clone().zip(new.clone());
                let changed = lines.filter(|(old, new)| self.old_line(*old) != self.new_line(*new));
                cost += changed.map(|(old, new)| self.least_cost(old..old + 1, new..new + 1)).sum::<u64>();
            }
            cost > self.limit
        })
    }

    /// Returns a lower bound of the cost of lines that differ.
    fn least_cost(&self, old: Range<usize>, new: Range<usize>) -> u64 {
        let more_lines = old.len().abs_diff(new.len());
        let (old, new) = (&self.viewed.text[self.viewed.range_of(old)], self.new_range(new));
        let cost = u64::from(least_cost(old, &self.edited[new.clone()], more_lines));
        cost.saturating_sub(self.copied(new))
    }

    fn write(&mut self, parts: &[Part]) {
        for Part { old, new, is_last, is_same } in parts {
            match is_same {
                true => self.same(old.clone(), new.start, *is_last),
                false => self.changed_lines(old.clone(), new.clone(), *is_last),
            }
        }
        self.output.flush();
    }

    /// Writes lines that are equal except for their newlines.
    fn same(&mut self, old: Range<usize>, new: usize, is_last: bool) {
        for (new, line) in (new..).zip(old.clone()) {
            let is_last = is_last && line + 1 == old.end;
            let old_text = &self.viewed.text[self.viewed.range_of(line..line + 1)];
            let new_text = &self.edited[self.new_range(new..new + 1)];
            let ends_alike = Newline::of(old_text).is_some() == Newline::of(new_text).is_some();
            if old_text == new_text || self.output.style.is_some() && ends_alike {
                self.kept_line(line, new, is_last);
            } else {
                self.changed_lines(line..line + 1, new..new + 1, is_last);
            }
        }
    }

    /// Writes a line of the original.
    fn kept_line(&mut self, old: usize, new: usize, is_last: bool) {
        let (bytes, lost) = self.viewed.lines_of(&self.old_range(old..old + 1, is_last));
        let start = self.new_range(new..new).start;
        self.output.keep(&self.viewed.original[bytes], 0, start);
        self.output.restored(lost.units, start);
        self.output.attempt.places += lost.runs;
    }

    /// Writes lines that differ.
    fn changed_lines(&mut self, old: Range<usize>, new: Range<usize>, is_last: bool) {
        if self.output.attempt.cost > self.limit {
            return;
        }
        let range = self.old_range(old.clone(), is_last);
        let new_range = self.new_range(new.clone());
        if self.changed(&range, new_range.clone()) {
            return;
        }
        // Compare line by line, because each line may have been edited in its place.
        if old.len() == new.len() && old.len() > 1 {
            let count = old.len();
            for (number, (old, new)) in old.zip(new).enumerate() {
                self.changed_lines(old..old + 1, new..new + 1, is_last && number + 1 == count);
            }
        } else {
            self.changed_words(&range, new_range);
        }
    }

    /// Whether two ranges are probably short enough to be compared as a whole.
    fn may_fit(&self, old: &Range<usize>, new: &Range<usize>) -> bool {
        let count = |text: &str| count_of_tokens(text, self.viewed.view.mark(), self.viewed.is_wide);
        // A text has at most as many tokens as bytes, so the tokens of short texts need not be counted.
        may_fit(0, old.len().max(new.len())) || {
            let new = count(&self.edited[new.clone()]);
            may_fit(new, new) && may_fit(count(&self.viewed.text[old.clone()]), new)
        }
    }

    /// Writes a range that is too long to be compared as a whole, split at words that occur once in each text.
    fn changed_words(&mut self, old: &TextRange, new: Range<usize>) {
        let [old_words, new_words] = [words(&self.viewed.text, &old.bytes), words(self.edited, &new)];
        let [old_texts, new_texts] = [texts(&self.viewed.text, &old_words), texts(self.edited, &new_words)];
        let (mut old_at, mut new_at) = (old.bytes.start, new.start);
        let inner = |bytes: Range<usize>| TextRange { bytes, takes_gap: false };
        for (old_word, new_word) in bounds(&old_texts, &new_texts, self.viewed.view.mark()) {
            let [old_word, new_word] = [old_words[old_word].clone(), new_words[new_word].clone()];
            self.changed_part(&inner(old_at..old_word.start), new_at..new_word.start);
            let (bytes, lost) = self.viewed.bytes_of(&inner(old_word.clone()));
            self.output.keep(&self.viewed.original[bytes], lost, new_word.start);
            (old_at, new_at) = (old_word.end, new_word.end);
        }
        let rest = TextRange { bytes: old_at..old.bytes.end, takes_gap: old.takes_gap };
        self.changed_part(&rest, new_at..new.end);
    }

    /// Writes a range that differs, or reports that it is too long.
    fn changed_part(&mut self, old: &TextRange, new: Range<usize>) {
        if !self.changed(old, new.clone()) {
            let count = |text: &str| text.chars().count() as u64;
            let text = &self.edited[new.clone()];
            self.output.attempt.cost += count(&self.viewed.text[old.bytes.clone()]) + count(text);
            let may_be_lost = self.viewed.lines_of(old).1.units > 0
                || self.viewed.view.mark().is_none_or(|mark| text.contains(mark));
            self.output.unknown(text, new.start, may_be_lost);
        }
    }

    /// Writes a range that differs. Returns false, and writes nothing, if it is too long.
    fn changed(&mut self, old: &TextRange, new: Range<usize>) -> bool {
        if !self.may_fit(&old.bytes, &new) {
            return false;
        }
        let mark = self.viewed.view.mark();
        let before = OldText::new(self.viewed, old);
        let after = NewText::new(self.edited, new.clone(), self.viewed.is_wide);
        let (old_tokens, new_tokens) = (before.tokens(self.viewed), tokens(&after.chars, mark));
        let (cost, origins) = match align(&old_tokens, &new_tokens, self.most(new), &mut self.budget) {
            Alignment::Found(cost, origins) => (u64::from(cost), origins),
            Alignment::TooCostly => {
                self.output.attempt.cost = self.limit + 1;
                return true;
            }
            Alignment::TooLong => return false,
        };
        let origins = of_characters(&old_tokens, &new_tokens, &origins);
        let changed = Changed::new(self.viewed, &before, &after, &origins);
        self.output.attempt.places += changed.places();
        let mut lines = changed.lines();
        // A copy costs at most one edit of lines, however long the line is.
        let copied: u64 = lines.iter_mut().map(|line| self.settle(line, &changed)).sum();
        self.output.attempt.cost += cost.saturating_sub(copied);
        if mark.is_none() && self.output.is_partial() {
            doubt_lines_beside_losses(&mut lines, after.chars.len());
        }
        for line in lines {
            for (at, piece) in line.pieces.into_iter().chain(line.newline) {
                self.write_piece(piece, after.offsets[at]);
            }
        }
        true
    }

    /// Returns the highest cost that a range may have without exceeding the limit.
    fn most(&self, new: Range<usize>) -> u32 {
        if self.limit == u64::MAX {
            return NEVER;
        }
        let rest = self.limit.saturating_sub(self.output.attempt.cost) + self.copied(new);
        u32::try_from(rest).unwrap_or(NEVER).min(NEVER)
    }

    /// Adds losses that left no mark to a line, and replaces its pieces if it is a copy of a line of the original.
    /// Returns the number of new characters that are a copy.
    fn settle(&mut self, line: &mut Line, changed: &Changed) -> u64 {
        let range = line.range.clone();
        let new = changed.origins[range.clone()].iter().filter(|origin| origin.at.is_none()).count();
        let (is_new, hides_losses) = (new == range.len(), self.viewed.view.mark().is_none());
        // A copy of a line does not say whether text that was dropped before the line is still there.
        let may_begin_lost = hides_losses
            && matches!(line.pieces.first(), Some((at, Piece::Lost(None))) if *at == range.start);
        if self.is_alike_elsewhere(&range, changed) {
            line.doubt(range.start);
        }
        if hides_losses && let Some(at) = self.hidden_loss(&range, changed) {
            line.doubt(at);
        }
        line.is_lost = line.has_loss();
        let text = self.text_of(&range, changed);
        line.is_certain = !line.is_lost
            && !range.is_empty()
            && changed.is_kept_line(&range)
            && shows_enough(text, self.viewed.view.mark());
        if !is_new && (!line.is_lost || may_begin_lost) {
            // A line joined from several parts may instead be a moved line of the original that looks the same.
            let is_other = |copy: &Vec<_>| self.meant(copy) != self.meant(&line.pieces);
            if !line.is_lost
                && line.has_restored()
                && !line.is_certain
                && self.pieces_of_copy(&range, changed).is_some_and(|copy| is_other(&copy))
            {
                line.doubt(range.start);
            }
            return 0;
        }
        if let Some(copy) = self.pieces_of_copy(&range, changed) {
            line.pieces = copy;
            self.output.attempt.places += u64::from(is_new && line.has_restored());
            if may_begin_lost {
                line.doubt(range.start);
            }
            return new as u64;
        }
        if let Some(piece) = changed.uncut(&range) {
            line.pieces = vec![(range.start, piece)];
        }
        0
    }

    /// Returns the text that pieces of a line stand for.
    fn meant(&self, pieces: &[(usize, Piece)]) -> String {
        let meant = |(_, piece): &(usize, Piece)| match piece {
            Piece::Kept(bytes, _) => self.viewed.meant(bytes),
            Piece::New(scalar) => scalar.to_string(),
            Piece::Newline(_) | Piece::Lost(_) => String::new(),
        };
        pieces.iter().map(meant).collect()
    }

    /// Returns the number of characters in the lines of a range that are copies of lines of the original, so that they
    /// cost little.
    fn copied(&self, new: Range<usize>) -> u64 {
        let first = self.new_lines.partition_point(|start| *start < new.start);
        let starts = self.new_lines[first..].iter().take_while(|start| **start < new.end);
        let lines = starts.zip(first..).map(|(start, line)| *start..*start + self.new_line(line).len());
        let copies =
            lines.filter(|line| line.end <= new.end && self.copy(&self.edited[line.clone()]).is_some());
        copies.map(|line| self.edited[line].chars().count() as u64).sum()
    }

    /// Returns a position in a line at which text may have been dropped without a trace. The line may have the
    /// characters beside a loss that another line has instead, or the line, or a word in it with new characters, may be
    /// copied from a damaged line.
    fn hidden_loss(&self, line: &Range<usize>, changed: &Changed) -> Option<usize> {
        let is_of_damaged = |range: &Range<usize>| self.damaged().contains(self.text_of(range, changed));
        if changed.shares_loss(line) || !line.is_empty() && !changed.is_kept_line(line) && is_of_damaged(line)
        {
            return Some(line.start);
        }
        let is_typed = changed.has_new_characters(line);
        changed.new_words(line).find(|word| !is_typed && is_of_damaged(word)).map(|word| word.start)
    }

    /// Returns the lines of the original in which text was dropped, and their words.
    fn damaged(&self) -> &HashSet<&'a str> {
        self.damaged.get_or_init(|| {
            let mut damaged = HashSet::new();
            for line in 0..self.viewed.lines.len() {
                let range = self.old_range(line..line + 1, false);
                if self.viewed.lines_of(&range).1.units > 0 {
                    let text = self.old_line(line);
                    damaged.insert(text);
                    damaged.extend(text.split(|scalar: char| !scalar.is_alphanumeric()));
                }
            }
            damaged
        })
    }

    /// Returns the bytes of the original for a line that is a copy of one of its lines, perhaps with other whitespace
    /// at its ends. Returns `None` if several such lines have different bytes, or if the line shows too little text.
    fn copy(&self, line: &str) -> Option<Copy> {
        if !shows_enough(line, self.viewed.view.mark()) {
            return None;
        }
        self.copy_of(&line[self.trimmed(line)])?
    }

    /// Returns the pieces of a new line that is a copy of a line of the original.
    fn pieces_of_copy(&self, line: &Range<usize>, changed: &Changed) -> Option<Vec<(usize, Piece)>> {
        let (text, after) = (self.text_of(line, changed), changed.new);
        let number = self.new_lines.binary_search(&after.offsets[line.start]).ok()?;
        if self.new_line(number) != text {
            return None;
        }
        let (bytes, lost) = self.copy(text)?;
        let shown = self.trimmed(text);
        let start = line.start + text[..shown.start].chars().count();
        let end = line.end - text[shown.end..].chars().count();
        let new = |range: Range<usize>| range.map(|at| (at, Piece::New(after.chars[at])));
        let kept = (start, Piece::Kept(bytes, lost));
        Some(new(line.start..start).chain([kept]).chain(new(end..line.end)).collect())
    }

    /// Whether a line differs from its old line only in whitespace and looks like another line of the original with
    /// different bytes. Then either the other line was moved or the old line was indented.
    fn is_alike_elsewhere(&self, line: &Range<usize>, changed: &Changed) -> bool {
        let text = self.text_of(line, changed);
        changed.is_indented(line)
            && self.copy_of(&text[self.trimmed(text)]) == Some(None)
            && (0..self.viewed.lines.len()).any(|line| self.old_line(line) == text)
    }

    /// Returns the byte range of a line without whitespace at its ends. The whitespace is included if the view drops
    /// characters, because dropped characters may have been beside it.
    fn trimmed(&self, line: &str) -> Range<usize> {
        if self.viewed.view.mark().is_none() {
            return 0..line.len();
        }
        let start = line.len() - line.trim_start().len();
        start..start + line[start..].trim_end().len()
    }

    /// Returns the bytes of the lines of the original with this text, and the number of lost units in them. Whitespace
    /// at the ends is not compared. The inner value is `None` if the bytes of several lines differ, the outer value if
    /// there is no such line.
    fn copy_of(&self, text: &str) -> Option<Option<Copy>> {
        let lines = || {
            let mut lines: HashMap<&str, Lines> = HashMap::new();
            for line in 0..self.viewed.lines.len() {
                let text = self.old_line(line);
                lines.entry(&text[self.trimmed(text)]).or_default().0.push(line);
            }
            lines
        };
        let (lines, copy) = self.copies.get_or_init(lines).get(text)?;
        let bytes_of = |line: &usize| {
            let start = self.viewed.lines[*line] + self.trimmed(self.old_line(*line)).start;
            self.viewed.bytes_of(&TextRange { bytes: start..start + text.len(), takes_gap: true })
        };
        let is_same = |one: &Copy, other: &Copy| {
            self.viewed.original[one.0.clone()] == self.viewed.original[other.0.clone()]
        };
        let found = || {
            let first = bytes_of(&lines[0]);
            lines[1..].iter().all(|line| is_same(&first, &bytes_of(line))).then_some(first)
        };
        Some(copy.get_or_init(found).clone())
    }

    fn write_piece(&mut self, piece: Piece, offset: usize) {
        match piece {
            Piece::Kept(bytes, lost) => {
                self.output.keep(&self.viewed.original[bytes], lost, offset);
            }
            Piece::New(scalar) => self.output.new_character(scalar, offset),
            Piece::Newline(Some(bytes)) if self.keeps_newline(&bytes, offset) => {
                self.output.keep(&self.viewed.original[bytes], 0, offset);
            }
            Piece::Newline(_) => self.output.newline(offset),
            Piece::Lost(shown) => self.output.lost(shown, offset),
        }
    }

    /// Whether the bytes of an old newline may be written for the newline in the edited text.
    fn keeps_newline(&self, bytes: &Range<usize>, offset: usize) -> bool {
        self.output.style.is_some() || {
            let newline = Newline::at_start_of(&self.edited[offset..]);
            newline.is_some_and(|newline| newline.text() == self.viewed.meant(bytes))
        }
    }
}

/// Adds an uncertain position to each line between two certain lines if any line between them has one, because the
/// dropped characters may have been in each. The empty line at `end`, the end of the text, gets none.
fn doubt_lines_beside_losses(lines: &mut [Line], end: usize) {
    for group in lines.split_mut(|line| line.is_certain) {
        let is_unclear = group.iter().any(|line| line.is_lost);
        for line in group.iter_mut().filter(|line| is_unclear && line.range.start < end) {
            if !line.has_loss() {
                line.doubt(line.range.start);
            }
        }
    }
}

/// Returns the indices of equal texts that bound the changes between two sequences. Each text occurs once in both
/// sequences and shows enough to be recognized.
fn bounds(old: &[&str], new: &[&str], mark: Option<char>) -> Vec<(usize, usize)> {
    let mut bounds = unique_pairs(old, new);
    bounds.retain(|(at, _)| shows_enough(old[*at], mark));
    bounds
}

/// Whether a text has enough content to be recognized wherever it is.
fn shows_enough(text: &str, mark: Option<char>) -> bool {
    let (mut shown, mut last) = (0, None);
    for scalar in text.chars() {
        shown += match Some(scalar) {
            marked if marked == mark => 2 * usize::from(last != mark),
            _ => usize::from(scalar.is_alphanumeric()),
        };
        last = Some(scalar);
        if shown >= ENOUGH {
            return true;
        }
    }
    false
}

/// Returns the words in a range of a text. A word ends with a space.
fn words(text: &str, range: &Range<usize>) -> Vec<Range<usize>> {
    let mut start = range.start;
    let word = |word: &str| {
        let range = start..start + word.len();
        start = range.end;
        range
    };
    text[range.clone()].split_inclusive([' ', '\t']).map(word).collect()
}

fn texts<'t>(text: &'t str, ranges: &[Range<usize>]) -> Vec<&'t str> {
    ranges.iter().map(|range| &text[range.clone()]).collect()
}
