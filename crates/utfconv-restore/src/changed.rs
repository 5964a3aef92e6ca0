//! What is written for a changed range: bytes of the original, new characters, and what is not certain.

use std::collections::HashSet;
use std::ops::Range;

use super::align::Origin;
use super::text::{Gap, NewText, OldText};
use super::view::{Mark, View, Viewed};
use utfconv_core::UTF_8;

/// So many letters are a word that is found again.
const WORD: usize = 3;

/// What is written for a part of the edited text.
pub(super) enum Piece {
    /// Bytes of the original, and how many lost units they have.
    Kept(Range<usize>, u64),
    /// A character to encode.
    New(char),
    /// The end of a line, with the newline of the original.
    Newline(Option<Range<usize>>),
    /// Something was lost here, and it is not known what. A character may be there now.
    Lost(Option<char>),
}

impl Piece {
    pub fn is_lost(&self) -> bool {
        matches!(self, Piece::Lost(_))
    }
}

/// A changed range.
pub(super) struct Changed<'a> {
    viewed: &'a Viewed<'a>,
    old: &'a OldText,
    new: &'a NewText,
    /// The origin of each new character.
    origins: &'a [Origin],
    /// Old characters that several new ones may be.
    shared: HashSet<usize>,
    /// For each old character, the index of the new one that it is.
    targets: Vec<Option<usize>>,
}

impl<'a> Changed<'a> {
    pub fn new(viewed: &'a Viewed, old: &'a OldText, new: &'a NewText, origins: &'a [Origin]) -> Changed<'a> {
        let mut targets = vec![None; old.chars.len()];
        let mut shared = HashSet::new();
        for (at, origin) in origins.iter().enumerate() {
            if let Some(origin) = origin.at
                && targets[origin].replace(at).is_some()
            {
                shared.insert(origin);
            }
        }
        Changed { viewed, old, new, origins, shared, targets }
    }

    /// Returns the pieces of the new text, each with the index of its first character.
    pub fn pieces(&self) -> Vec<(usize, Piece)> {
        let mut gaps = self.gaps().into_iter().peekable();
        let (mut pieces, mut at) = (Vec::new(), 0);
        loop {
            while let Some(gap) = gaps.next_if(|(before, _)| *before <= at) {
                pieces.push((at, gap.1));
            }
            let Some(scalar) = self.new.chars.get(at).copied() else { return pieces };
            let (piece, count) = self.kept_at(at).unwrap_or_else(|| (self.unkept(at, scalar), 1));
            if matches!(piece, Piece::Newline(_)) && self.origins[at].is_doubtful {
                pieces.push((at, Piece::Lost(None)));
            }
            pieces.push((at, piece));
            at += count;
        }
    }

    /// Returns what is written for the gaps, in order, each with the index of the new character that follows. A gap stays if the
    /// characters beside it are side by side in the new text. It is gone if a word around it is gone. Otherwise it is not certain
    /// what is there.
    fn gaps(&self) -> Vec<(usize, Piece)> {
        // The index after the last new character that is an old one before the gap.
        let (mut passed, mut near) = (0, 0);
        let certain = |at: usize| at >= self.origins.len() || !self.is_doubtful(at);
        let place = |Gap { before, bytes, lost }: &Gap| {
            let last = self.targets[passed..*before].iter().rev().find_map(|target| *target);
            (passed, near) = (*before, last.map_or(near, |last| last + 1));
            let (left, right) = self.beside(*before);
            // Any newline is as good as the one that was there, if something else is beside the gap.
            let is_newline = |at: Option<usize>| at.and_then(|at| self.new.chars.get(at)) == Some(&'\n');
            let (before_gap, after_gap) = (left.and_then(|left| left.checked_sub(1)), right);
            let is_left_certain = before_gap.is_none_or(|at| {
                is_newline(Some(at)) && !is_newline(after_gap)
                    || certain(at) && self.are_adjacent(at.checked_sub(1))
            });
            let is_right_certain = after_gap.is_none_or(|at| {
                is_newline(Some(at)) && !is_newline(before_gap) || certain(at) && self.are_adjacent(Some(at))
            });
            let is_certain = is_left_certain && is_right_certain;
            match (left, right) {
                (Some(left), Some(right)) if left == right && is_certain => {
                    Some((left, Piece::Kept(bytes.clone(), *lost)))
                }
                (None, None) if self.is_removed(*before) => None,
                (None, None) => Some((near, Piece::Lost(None))),
                // It was typed again.
                (Some(left), Some(right))
                    if left < right
                        && self
                            .viewed
                            .meant(bytes)
                            .chars()
                            .eq(self.new.chars[left..right].iter().copied()) =>
                {
                    None
                }
                (left, right) if *lost == 0 => Some((left.or(right)?, Piece::Kept(bytes.clone(), 0))),
                (left, right) => Some((left.or(right)?, Piece::Lost(None))),
            }
        };
        let mut gaps: Vec<(usize, Piece)> = self.old.gaps.iter().filter_map(place).collect();
        gaps.sort_by_key(|(at, _)| *at);
        gaps.dedup_by(|one, other| one.0 == other.0 && one.1.is_lost() && other.1.is_lost());
        gaps
    }

    /// Returns the indexes of the new text after the character before a gap, and before the one after it, if they are kept. A
    /// newline beside the other one is as good as the one that was there.
    fn beside(&self, before: usize) -> (Option<usize>, Option<usize>) {
        let left = match before.checked_sub(1) {
            None => Some(0),
            Some(left) => self.targets[left].map(|at| at + 1),
        };
        let right = match self.targets.get(before) {
            None => Some(self.new.chars.len()),
            Some(right) => *right,
        };
        let is_newline = |text: &[char], at: Option<usize>| at.and_then(|at| text.get(at)) == Some(&'\n');
        let may_be_left = |right: &usize| {
            is_newline(&self.old.chars, before.checked_sub(1))
                && is_newline(&self.new.chars, right.checked_sub(1))
        };
        let ends_line = before == self.old.chars.len() || is_newline(&self.old.chars, Some(before));
        let may_be_right = |left: &usize| ends_line && is_newline(&self.new.chars, Some(*left));
        (right.filter(may_be_left).or(left), left.filter(may_be_right).or(right))
    }

    /// Whether the new characters at this index and the next one are adjacent in the original, too; true at the ends of the text. A
    /// letter alone may be the same by chance.
    fn are_adjacent(&self, at: Option<usize>) -> bool {
        let Some(pair) = at.and_then(|at| self.origins.get(at..at + 2)) else { return true };
        pair[0].at.is_some_and(|first| pair[1].at == Some(first + 1))
    }

    /// Whether a word was removed around a character of the old text, in its line, and not only signs.
    fn is_removed(&self, at: usize) -> bool {
        let is_gone = |at: &usize| self.targets[*at].is_none() && self.old.chars[*at] != '\n';
        let shows = |at: usize| self.old.chars[at].is_alphanumeric();
        (0..at).rev().take_while(is_gone).any(shows)
            || (at..self.targets.len()).take_while(is_gone).any(shows)
    }

    /// Returns the bytes of the original for the characters that begin at an index of the new text, and how many characters
    /// that are; None if they are not kept as a whole.
    fn kept_at(&self, at: usize) -> Option<(Piece, usize)> {
        let origin = self.origins[at].at?;
        let unit = self.old.unit_at(origin);
        let is_doubtful = |at| if unit.is_lost { self.is_doubtful(at) } else { self.origins[at].is_doubtful };
        let chars = unit.first..unit.first + unit.count;
        if !self.is_kept(&chars, at) || (at..at + chars.len()).any(is_doubtful) {
            return None;
        }
        let is_newline = !unit.is_lost && self.new.chars[at] == '\n' && unit.count == 1;
        let bytes = unit.bytes.clone();
        let piece =
            if is_newline { Piece::Newline(Some(bytes)) } else { Piece::Kept(bytes, unit.is_lost.into()) };
        Some((piece, unit.count))
    }

    /// Whether it is not certain what a new character stands for.
    fn is_doubtful(&self, at: usize) -> bool {
        let Origin { at: origin, is_doubtful } = self.origins[at];
        is_doubtful || origin.is_some_and(|origin| self.shared.contains(&origin))
    }

    /// Whether the old characters are those at an index of the new text.
    fn is_kept(&self, chars: &Range<usize>, at: usize) -> bool {
        let origins = self.origins.get(at..at + chars.len());
        origins.is_some_and(|origins| origins.iter().map(|origin| origin.at).eq(chars.clone().map(Some)))
    }

    /// Returns what is written for a character that is not kept.
    fn unkept(&self, at: usize, scalar: char) -> Piece {
        let is_mark = Some(scalar) == self.viewed.view.mark() || scalar == char::REPLACEMENT_CHARACTER;
        let Origin { at: origin, is_doubtful } = self.origins[at];
        let is_part_of_lost = origin.is_some_and(|origin| self.old.is_lost(origin)) && !scalar.is_ascii();
        match scalar {
            '\n' if !self.viewed.is_wide => Piece::Newline(None),
            // It may be copied.
            _ if !scalar.is_ascii() && self.is_shown_by_chance(at) => Piece::Lost(Some(scalar)),
            _ if is_mark || is_doubtful || is_part_of_lost => Piece::Lost(Some(scalar)),
            _ => Piece::New(scalar),
        }
    }

    /// Whether a line of the new text is a line of the old one with other blanks.
    pub fn is_indented(&self, line: &Range<usize>) -> bool {
        let is_blank = |scalar: &&char| !scalar.is_whitespace();
        let new = &self.new.chars[line.clone()];
        self.old_line(line).is_some_and(|old| {
            let old = &self.old.chars[old];
            old != new && old.iter().filter(is_blank).eq(new.iter().filter(is_blank))
        })
    }

    /// Whether a line has new characters that are not ASCII: then it was typed where these are not dropped.
    pub fn has_new_characters(&self, line: &Range<usize>) -> bool {
        line.clone().any(|at| self.origins[at].at.is_none() && !self.new.chars[at].is_ascii())
    }

    /// Returns the words of a line of the new text that are new as a whole.
    pub fn new_words(&self, line: &Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let is_new =
            |word: &Range<usize>| self.origins[word.clone()].iter().all(|origin| origin.at.is_none());
        let mut start = line.start;
        let words = self.new.chars[line.clone()].split(|scalar| !scalar.is_alphanumeric()).map(move |word| {
            let range = start..start + word.len();
            start = range.end + 1;
            range
        });
        words.filter(move |word| word.len() >= WORD && is_new(word))
    }

    /// Whether a character and one beside it are side by side in the view of a program for UTF-8, which read them by chance.
    fn is_shown_by_chance(&self, at: usize) -> bool {
        let around = &self.new.chars[at.saturating_sub(1)..(at + 2).min(self.new.chars.len())];
        let is_for_utf8 = matches!(self.viewed.view, View::Lossy(..)) && !self.viewed.view.knows_encoding();
        is_for_utf8 && around.windows(2).any(|pair| self.viewed.has_pair([pair[0], pair[1]]))
    }

    /// Returns the bytes of the line of the original that a line of the new text is, except for characters that a program cut:
    /// it decoded each chunk of its input on its own, with U+FFFD for the parts.
    pub fn uncut(&self, line: &Range<usize>) -> Option<Piece> {
        if self.viewed.view != View::Exact || self.viewed.encoding != &UTF_8 {
            return None;
        }
        let old = self.old_line(line)?;
        let lost = cut_characters(&self.old.chars[old.clone()], &self.new.chars[line.clone()])?;
        let bytes = self.old.unit_at(old.start).bytes.start..self.old.unit_at(old.end - 1).bytes.end;
        Some(Piece::Kept(bytes, lost))
    }

    /// Returns the line of the old text that has the first character of a new one that is kept, or the line in its position.
    fn old_line(&self, line: &Range<usize>) -> Option<Range<usize>> {
        let is_end = |at: &usize| self.old.chars[*at] == '\n';
        let ends = |text: &[char]| text.iter().filter(|scalar| **scalar == '\n').count();
        let kept = self.origins[line.clone()].iter().find_map(|origin| origin.at);
        let number = || ends(&self.new.chars[..line.start]);
        let in_position = || (0..self.old.chars.len()).filter(is_end).nth(number());
        let at = kept.or_else(in_position)?;
        let start = (0..at).rev().find(is_end).map_or(0, |at| at + 1);
        let end = (at..self.old.chars.len()).find(is_end).unwrap_or(self.old.chars.len());
        (start < end).then_some(start..end)
    }

    /// Returns how many runs of characters that are not ASCII a new line has lost, and whether question marks are there now, if
    /// it is otherwise as it was.
    pub fn faded(&self, line: &Range<usize>) -> Option<(u64, Mark)> {
        // A line that shows nothing may be any.
        let shows = |at: usize| self.new.chars[at].is_alphanumeric();
        let old = line.clone().any(shows).then(|| self.old_line(line)).flatten()?;
        faded(&self.old.chars[old], &self.new.chars[line.clone()])
    }
}

/// Returns how many runs of characters that are not ASCII became question marks, or nothing, in a line that is otherwise as it
/// was.
fn faded(mut old: &[char], mut new: &[char]) -> Option<(u64, Mark)> {
    let (mut places, mut mark) = (0, Mark::Omitted);
    while let [first, rest @ ..] = old {
        if new.first() == Some(first) {
            (old, new) = (rest, &new[1..]);
            continue;
        }
        let run = old.iter().take_while(|scalar| !scalar.is_ascii()).count();
        let marks = new.iter().take_while(|scalar| **scalar == '?').count();
        if run == 0 {
            return None;
        }
        mark = if marks > 0 { Mark::Question } else { mark };
        (old, new, places) = (&old[run..], &new[marks..], places + 1);
    }
    (new.is_empty() && places > 0).then_some((places, mark))
}

/// Returns how many characters of an old line are U+FFFD in a new one that is otherwise the same. Each run of marks has to
/// replace one character that is not ASCII: two marks at least, and at most one for each byte.
fn cut_characters(mut old: &[char], mut new: &[char]) -> Option<u64> {
    let mut lost = 0;
    while let [first, rest @ ..] = old {
        let marks = new.iter().take_while(|scalar| **scalar == char::REPLACEMENT_CHARACTER).count();
        match marks {
            0 if new.first() == Some(first) => new = &new[1..],
            2.. if marks <= first.len_utf8() => (new, lost) = (&new[marks..], lost + 1),
            _ => return None,
        }
        old = rest;
    }
    new.is_empty().then_some(lost)
}
