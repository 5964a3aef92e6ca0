//! Proves where a run of lost characters is in the new text, by what is around it.

use std::ops::Range;

use super::super::align::changed_words;
use super::super::broken::is_of_word;
use super::super::known::LONG_RUN;
use super::super::view::{View, units};
use super::super::words::is_letter;
use super::gone::{char_at, letters_at};
use super::{Hunk, MANY_WORDS, NEAR};

/// How many characters around runs that may be mistaken for each other are compared.
const AROUND: usize = 200;

impl Hunk<'_> {
    /// Looks for a run of lost units in the new text. The run has all lost units that are next to each other.
    pub(super) fn proof(&self, run: &Range<usize>) -> Proof {
        let chars = self.chars(run);
        if chars.is_empty() {
            return self.proof_of_gap(run, chars.start);
        }
        let Some(at) = self.place(&chars) else {
            let is_gone = chars.clone().all(|at| self.target[at].is_none());
            return if is_gone { Proof::Gone } else { Proof::None };
        };
        let end = at + chars.len();
        // One of several equal characters may be kept instead of the one beside the run.
        let left_fits =
            char_at(&self.new, at.checked_sub(1)) == char_at(&self.old, chars.start.checked_sub(1));
        let right_fits = char_at(&self.new, Some(end)) == char_at(&self.old, Some(chars.end));
        // A replacement character is never typed. So one side is enough, if the run is not longer on the
        // other side. Question marks may be, but hardly several in a word.
        let marks = &self.new[at..end];
        let side = if left_fits { at.checked_sub(1) } else { Some(end) };
        let is_in_word = is_letter(char_at(&self.new, side));
        let may_be_typed =
            marks.contains(&'?') && !(is_in_word && marks.windows(2).any(|two| two == ['?', '?']));
        let sides = [at.checked_sub(1), Some(end)].map(|at| char_at(&self.new, at));
        let is_whole = !sides.contains(&char::REPLACEMENT_CHARACTER);
        match (left_fits, right_fits) {
            _ if may_be_typed && self.is_mostly_typed(self.word_at(at)) => Proof::None,
            (true, true) => self.unless_ambiguous(run, at),
            (true, false) | (false, true)
                if !may_be_typed && is_whole && self.support(&chars, at) != [0, 0] =>
            {
                self.unless_ambiguous(run, at)
            }
            _ => Proof::None,
        }
    }

    /// Looks for the place of a run that is not seen, at the index `gap` of the old text.
    fn proof_of_gap(&self, run: &Range<usize>, gap: usize) -> Proof {
        let before = gap.checked_sub(1);
        let after = Some(gap).filter(|after| *after < self.old.len());
        let [left, right] = [before, after].map(|at| at.and_then(|at| self.target[at]));
        // A letter that was typed is beside nothing that is not seen. Of equal signs, another one may be kept.
        let is_same = |old: Option<usize>, target: Option<usize>, at: Option<usize>| match old {
            Some(old) if is_letter(self.old[old]) => target.is_some() && target == at,
            _ => char_at(&self.new, at) == char_at(&self.old, old),
        };
        let at_left = left.map(|at| at + 1).filter(|at| is_same(after, right, Some(*at)));
        let at_right = right.filter(|at| is_same(before, left, at.checked_sub(1)));
        match (at_left, at_right) {
            (Some(one), Some(other)) if one != other => Proof::Ambiguous,
            (Some(at), _) | (_, Some(at)) if self.slides(gap, at) => Proof::Ambiguous,
            (Some(at), _) | (_, Some(at))
                if self.is_mostly_gone(gap) || self.is_mostly_typed(letters_at(&self.new, at)) =>
            {
                Proof::None
            }
            (Some(at), _) | (_, Some(at)) => self.unless_ambiguous(run, at),
            _ if self.is_retyped(run, left, right) => Proof::Gone,
            (None, None)
                if ((left, right) == (None, None) || self.is_nothing_in_place(gap))
                    && self.is_line_gone(gap) =>
            {
                Proof::Gone
            }
            _ if self.has_letters_only(run) && self.is_word_gone(gap) => Proof::Gone,
            _ if self.is_in_gone_text(gap) => Proof::Gone,
            _ => Proof::None,
        }
    }

    /// Returns what a run of units has lost.
    fn lost_text(&self, run: &Range<usize>) -> Vec<char> {
        let mut lost = Vec::new();
        units(self.viewed.encoding, View::Exact, self.bytes(run), |unit| lost.extend(unit.text.chars()));
        lost
    }

    /// Whether the text that a run has lost was typed in its place.
    fn is_retyped(&self, run: &Range<usize>, left: Option<usize>, right: Option<usize>) -> bool {
        let (Some(left), Some(right)) = (left, right) else { return false };
        self.new.get(left + 1..right).is_some_and(|typed| *typed == self.lost_text(run))
    }

    /// Whether a run has only letters that belong to the letters beside them. Signs stay when the word beside
    /// them is edited, and Chinese when a word of ASCII is.
    fn has_letters_only(&self, run: &Range<usize>) -> bool {
        self.lost_text(run).into_iter().all(is_of_word)
    }

    /// Refuses a run if another run of the hunk, with other bytes, could be in the same position.
    fn unless_ambiguous(&self, run: &Range<usize>, at: usize) -> Proof {
        let this = self.chars(run);
        let support = self.support(&this, at);
        let is_marked = self.new[at..at + this.len()].contains(&char::REPLACEMENT_CHARACTER);
        let is_shown = is_marked && (this.len() >= LONG_RUN || self.is_between_kept_words(&this));
        if support == [0, 0] && !is_shown {
            return Proof::None;
        }
        let first = run.start.saturating_sub(NEAR);
        let last = (run.end + NEAR).min(self.units.len());
        for other in self.lost_runs(first..last) {
            if other == *run || self.bytes(&other) == self.bytes(run) {
                continue;
            }
            let there = self.chars(&other);
            if self.old[there.clone()] != self.old[this.clone()] {
                continue;
            }
            // The other run has to be less likely on one side, and not more likely on the other.
            let other = self.support(&there, at);
            let is_better = support[0] >= other[0] && support[1] >= other[1] && support != other;
            let is_gone = || !there.is_empty() && there.clone().all(|at| self.target[at].is_none());
            let is_less_likely = if is_better {
                !is_gone() || self.needs_more((&there, at), (&this, at), 1)
            } else {
                self.needs_more((&there, at), (&this, at), MANY_WORDS)
            };
            if !is_less_likely {
                return Proof::Ambiguous;
            }
        }
        Proof::At(at)
    }

    /// Whether the words before and after a run of lost characters are still there.
    fn is_between_kept_words(&self, run: &Range<usize>) -> bool {
        let is_kept = |side: &mut dyn Iterator<Item = usize>| {
            let from_word = side.take(NEAR).skip_while(|at| !is_letter(self.old[*at]));
            let mut word = from_word.take_while(|at| is_letter(self.old[*at])).peekable();
            word.peek().is_some() && word.all(|at| self.target[at].is_some())
        };
        is_kept(&mut (0..run.start).rev()) && is_kept(&mut (run.end..self.old.len()))
    }

    /// Whether at least so many more words must have changed if not `this` range of the old text, but the
    /// `other` one, is in the new text. Each is with the index at which it is there.
    pub(in super::super) fn needs_more(
        &self,
        other: (&Range<usize>, usize),
        this: (&Range<usize>, usize),
        least: usize,
    ) -> bool {
        let (first, last) = (this.0.start.min(other.0.start), this.0.end.max(other.0.end));
        let (start, end) = (this.1.min(other.1), (this.1 + this.0.len()).max(other.1 + other.0.len()));
        if end > self.new.len() {
            return false;
        }
        let kept = |(old, new): (usize, &Option<usize>)| Some((old, (*new)?));
        let before = self.target[..first.saturating_sub(AROUND)].iter().enumerate().rev().find_map(kept);
        let before = before.filter(|(_, new)| *new < start).unwrap_or((0, 0));
        let last = (last + AROUND).min(self.old.len());
        let mut after = (last..).zip(&self.target[last..]);
        let after = after.find_map(kept).filter(|(_, new)| *new >= end);
        let after = after.unwrap_or((self.old.len(), self.new.len()));
        let length = after.0 - before.0 + after.1 - before.1;
        if !self.viewed.may_compare(length) {
            return false;
        }
        let changes = |(chars, at): (&Range<usize>, usize)| {
            changed_words(&self.old[before.0..chars.start], &self.new[before.1..at])
                + changed_words(&self.old[chars.end..after.0], &self.new[at + chars.len()..after.1])
        };
        let [changes, others] = [this, other].map(changes);
        // The time grows with the product.
        self.viewed.compared(length * others / 64);
        others >= changes + least
    }

    /// Returns how many words before and after `chars` are the same as before and after `at` in the new text.
    fn support(&self, chars: &Range<usize>, at: usize) -> [usize; 2] {
        /// The most characters that are compared: more would prove no more.
        const MOST: usize = 60;
        let end = (at + chars.len()).min(self.new.len());
        let before = [&self.old[..chars.start], &self.new[..at]];
        let before = before.map(|side| side.iter().rev().copied().take(MOST).collect::<Vec<_>>());
        let after = [&self.old[chars.end..], &self.new[end..]];
        let after = after.map(|side| side.iter().copied().take(MOST).collect::<Vec<_>>());
        [same_words(&before), same_words(&after)]
    }
}

/// Returns with how many equal whole words both texts begin. The rest of a word at the start or the end of
/// both texts counts, too, and so does the end of a line at the start of both texts. A newline is equal to a
/// space: lines may have been joined.
fn same_words([one, other]: &[Vec<char>; 2]) -> usize {
    let blank = |scalar: char| if scalar == '\n' { ' ' } else { scalar };
    let same = one.iter().zip(other).take_while(|(one, other)| blank(**one) == blank(**other)).count();
    let is_end = |text: &[char]| text.get(same).is_none_or(|scalar| !is_letter(*scalar));
    let is_whole = is_end(one) && is_end(other);
    let letters = one[..same].iter().map(|scalar| is_letter(*scalar)).collect::<Vec<_>>();
    let ends = letters.windows(2).filter(|pair| pair[0] && !pair[1]).count();
    let last = usize::from(is_whole && letters.last() == Some(&true));
    let is_at_end = usize::from([one, other].iter().all(|text| text.first() == Some(&'\n')));
    ends + last + is_at_end + usize::from(same == one.len() && same == other.len())
}

/// The result of looking for a run of lost units in the new text.
pub(super) enum Proof {
    At(usize),
    /// The run was removed, together with what is around it.
    Gone,
    /// Nothing shows what the run was.
    None,
    /// The run may as well be another one.
    Ambiguous,
}
