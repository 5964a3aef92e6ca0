//! What an edit removed or replaced: which lines, words and letters of the old text are gone.

use std::collections::HashSet;
use std::ops::Range;

use super::super::words::{SEVERAL, is_letter};
use super::{Hunk, NEAR};

impl Hunk<'_> {
    /// Whether the line of the old text at an index was not blank, and none of it is left, not even an empty
    /// line, nor the same text elsewhere.
    pub(super) fn is_line_gone(&self, at: usize) -> bool {
        let (line, is_gone) = self.line_at(at);
        *is_gone.get_or_init(|| {
            let newline = self.target.get(line.end).copied().flatten();
            let is_empty = newline.is_some_and(|at| at == 0 || self.new[at - 1] == '\n');
            let text = trimmed(&self.old[line.clone()]);
            !is_empty
                && self.target[line.clone()].iter().all(Option::is_none)
                && !text.is_empty()
                && self.viewed.may_compare(self.new.len())
                && !self.new.windows(text.len()).any(|other| other == text)
        })
    }

    /// Whether nothing is in the place of the line of the old text at an index, which is gone.
    pub(super) fn is_nothing_in_place(&self, at: usize) -> bool {
        let line = self.line_at(at).0.clone();
        let before = line.start.checked_sub(1).map(|at| self.target[at]);
        let newline = self.target.get(line.end).copied().flatten();
        let origin = |at: usize| self.origin.get(at).copied().flatten();
        match (before, newline) {
            (Some(None), None) => false,
            (before, None) => {
                let next = before.flatten().map_or(0, |before| before + 1);
                next == self.new.len() || origin(next).is_some_and(|next| next > line.end)
            }
            (_, Some(newline)) => {
                newline.checked_sub(1).is_none_or(|last| origin(last).is_some_and(|last| last < line.start))
            }
        }
    }

    /// Whether a gap, at the index `old_at` of the old text and `at` of the new text, may be on another side
    /// of what is beside it: blanks were added or removed there, or the same character is there more or fewer
    /// times.
    pub(super) fn slides(&self, old_at: usize, at: usize) -> bool {
        let sides = [(&self.old, old_at), (&self.new, at)];
        // The end of the text is that of a line.
        let [old, new] = sides.map(|(text, at)| {
            let [before, after] = count_around(text, at, |scalar| scalar.is_ascii_whitespace());
            [before + usize::from(before == at), after + usize::from(at + after == text.len())]
        });
        let is_count_other = |beside: &char| {
            let count = |(text, at): (&Vec<char>, usize)| -> usize {
                count_around(text, at, |scalar| scalar == *beside).iter().sum()
            };
            let [old, new] = sides.map(count);
            !beside.is_ascii_whitespace() && new > 0 && old != new
        };
        let beside = [old_at.checked_sub(1), Some(old_at)];
        old != new && !old.contains(&0)
            || beside.into_iter().flatten().filter_map(|at| self.old.get(at)).any(is_count_other)
    }

    /// Whether most letters of the word at the index `at` of the old text are gone.
    pub(super) fn is_mostly_gone(&self, at: usize) -> bool {
        let letters = letters_at(&self.old, at);
        2 * self.target[letters.clone()].iter().flatten().count() < letters.len()
    }

    /// Whether most of these letters of the new text were typed.
    pub(super) fn is_mostly_typed(&self, letters: Range<usize>) -> bool {
        2 * self.origin[letters.clone()].iter().flatten().count() < letters.len()
    }

    /// Whether the index `at` of the old text is in the middle of removed or replaced text: the blanks or signs
    /// on both sides of it are gone, with several letters. If nothing is in their place, quotes or tags may have
    /// been removed: then several letters have to be gone on both sides.
    pub(super) fn is_in_gone_text(&self, at: usize) -> bool {
        let gone = self.with_gone_beside(at..at);
        let sides = [gone.start..at, at..gone.end].map(|side| &self.old[side]);
        let is_text = |side: &[char]| side.iter().any(|scalar| !scalar.is_ascii_whitespace());
        let letters = sides.map(|side| side.iter().filter(|scalar| scalar.is_alphanumeric()).count());
        let is_apart = [at.checked_sub(1), Some(at)].iter().all(|at| !is_letter(char_at(&self.old, *at)));
        is_apart
            && sides.into_iter().all(is_text)
            && match self.left_in(gone.clone(), gone) {
                Left::Unknown => false,
                Left::Nothing => letters.iter().all(|count| *count >= SEVERAL),
                Left::Letters { left, all, .. } => 4 * left < all && letters.iter().sum::<usize>() >= SEVERAL,
            }
    }

    /// Whether the word at the index `at` of the old text is gone: it was removed, or another one is in its place.
    pub(super) fn is_word_gone(&self, at: usize) -> bool {
        let word = letters_at(&self.old, at);
        if word.is_empty() {
            return false;
        }
        // Words and blanks beside it may be gone, too.
        let is_all_gone = self.target[word.clone()].iter().all(Option::is_none);
        let gap = if is_all_gone { self.with_gone_beside(word.clone()) } else { word.clone() };
        // If hardly any letter is left, that includes what was lost before or after them.
        let is_edge = word.start == at || at == word.end;
        match self.left_in(word, gap) {
            Left::Unknown => false,
            Left::Nothing => true,
            // Single letters are the same by chance.
            Left::Letters { left, all, is_together: false } if all > SEVERAL && 2 * left <= all => true,
            Left::Letters { left, all, .. } if is_edge => 4 * left < all && all > 1,
            Left::Letters { left, all, .. } => 2 * left < all,
        }
    }

    /// Returns a range of the old text with all that is gone beside it.
    fn with_gone_beside(&self, range: Range<usize>) -> Range<usize> {
        let is_gone = |target: &&Option<usize>| target.is_none();
        let before = self.target[..range.start].iter().rev().take(NEAR).take_while(is_gone).count();
        let after = self.target[range.end..].iter().take(NEAR).take_while(is_gone).count();
        range.start - before..range.end + after
    }

    /// Returns what may be left of a range of the old text, small or capital, between what is before and after `gap`.
    fn left_in(&self, range: Range<usize>, gap: Range<usize>) -> Left {
        let before = gap.start.checked_sub(1).map_or(Some(0), |before| Some(self.target[before]? + 1));
        let after = self.target.get(gap.end).map_or(Some(self.new.len()), |target| *target);
        let (Some(before), Some(after)) = (before, after) else { return Left::Unknown };
        if before >= after || after - before > NEAR {
            return if before == after { Left::Nothing } else { Left::Unknown };
        }
        let small = |text: &[char]| text.iter().map(char::to_ascii_lowercase).collect::<Vec<_>>();
        let (word, there) = (small(&self.old[range]), small(&self.new[before..after]));
        let letters = word.iter().filter(|scalar| scalar.is_alphanumeric());
        let all = letters.clone().count();
        let mut rest = there.iter();
        let left = letters
            .filter(|letter| {
                let mut others = rest.clone();
                let is_left = others.any(|other| other == *letter);
                rest = if is_left { others } else { rest.clone() };
                is_left
            })
            .count();
        let pairs: HashSet<_> = there.windows(2).collect();
        let is_together = word.windows(2).any(|pair| pairs.contains(pair));
        Left::Letters { left, all, is_together }
    }
}

/// Returns a text without the blanks at its ends.
fn trimmed(text: &[char]) -> &[char] {
    let is_text = |scalar: &char| !scalar.is_ascii_whitespace();
    let start = text.iter().position(is_text).unwrap_or(text.len());
    let end = text.iter().rposition(is_text).map_or(start, |last| last + 1);
    &text[start..end]
}

/// Returns a character of a text. The ends of the text are those of lines.
pub(super) fn char_at(text: &[char], at: Option<usize>) -> char {
    at.and_then(|at| text.get(at).copied()).unwrap_or('\n')
}

/// Returns how many characters of a kind are side by side before and after an index of a text.
fn count_around(text: &[char], at: usize, is_it: impl Fn(char) -> bool) -> [usize; 2] {
    let before = text[..at].iter().rev().take(NEAR).take_while(|scalar| is_it(**scalar)).count();
    [before, text[at..].iter().take(NEAR).take_while(|scalar| is_it(**scalar)).count()]
}

/// Returns the letters around an index of a text.
pub(super) fn letters_at(text: &[char], at: usize) -> Range<usize> {
    let is_letter = |index: &usize| text[*index].is_alphabetic();
    let start = (0..at).rev().take(NEAR).take_while(is_letter).last().unwrap_or(at);
    let end = (at..text.len()).take(NEAR).take_while(is_letter).last().map_or(at, |last| last + 1);
    start..end
}

/// What may be left of a word that was edited.
enum Left {
    Unknown,
    /// Nothing is in its place.
    Nothing,
    /// So many of all its letters.
    Letters {
        left: usize,
        all: usize,
        /// Whether two letters beside each other still are.
        is_together: bool,
    },
}
