//! Decides what to write for a changed range: bytes of the original, new characters, and positions without certain
//! content.

use std::collections::HashSet;
use std::ops::Range;

use super::align::Origin;
use super::text::{Gap, NewText, OldText};
use super::view::{View, Viewed};
use utfconv_core::UTF_8;

/// Minimum number of characters in a row that may show a copy.
const WORD: usize = 3;

/// Output for a part of the edited text.
pub(super) enum Piece {
    /// Bytes of the original, and the number of lost units in them.
    Kept(Range<usize>, u64),
    /// A character to encode.
    New(char),
    /// The end of a line, with the bytes of the original's newline if the newline is kept.
    Newline(Option<Range<usize>>),
    /// A position where an unknown character was lost, with the character that is there now, if any.
    Lost(Option<char>),
}

impl Piece {
    pub fn is_lost(&self) -> bool {
        matches!(self, Piece::Lost(_))
    }
}

/// A line of the edited text, and the output for it.
pub(super) struct Line {
    /// The range of its characters in the changed range, without the newline.
    pub range: Range<usize>,
    /// Each piece has the index of its first character.
    pub pieces: Vec<(usize, Piece)>,
    pub newline: Option<(usize, Piece)>,
    /// Whether the line had a position without certain content before copies were searched for.
    pub is_lost: bool,
    /// Whether the line is kept and has enough text to be recognized.
    pub is_certain: bool,
}

impl Line {
    pub fn has_loss(&self) -> bool {
        self.pieces.iter().any(|(_, piece)| piece.is_lost())
    }

    /// Whether the line has bytes of a lost unit.
    pub fn has_restored(&self) -> bool {
        self.pieces.iter().any(|(_, piece)| matches!(piece, Piece::Kept(_, 1..)))
    }

    /// Adds a position without certain content, at the index of a character.
    pub fn doubt(&mut self, at: usize) {
        self.pieces.insert(0, (at, Piece::Lost(None)));
    }
}

/// A range that differs between the view and the edited text.
pub(super) struct Changed<'a> {
    viewed: &'a Viewed<'a>,
    old: &'a OldText,
    pub new: &'a NewText,
    /// The origin of each new character.
    pub origins: &'a [Origin],
    /// The indices of old characters that are the origin of several new characters.
    shared: HashSet<usize>,
    /// For each old character, the index of the new character that it became.
    targets: Vec<Option<usize>>,
    /// The indices of old characters beside lost units without text.
    beside_loss: HashSet<usize>,
    /// The characters of removed lost units.
    removed: HashSet<char>,
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
        let mut removed = HashSet::new();
        for unit in old.units.iter().filter(|unit| unit.is_lost) {
            let chars = unit.first..unit.first + unit.count;
            if targets[chars.clone()].contains(&None) {
                removed.extend(&old.chars[chars]);
            }
        }
        let losses = old.gaps.iter().filter(|gap| gap.lost > 0);
        let beside_loss = losses.flat_map(|gap| gap.before.saturating_sub(1)..=gap.before).collect();
        Changed { viewed, old, new, origins, shared, targets, beside_loss, removed }
    }

    /// Returns the lines of the new text.
    pub fn lines(&self) -> Vec<Line> {
        let mut pieces = self.pieces().into_iter().peekable();
        let line = |range: Range<usize>| {
            let is_inside =
                |(at, piece): &(usize, Piece)| *at < range.end || !matches!(piece, Piece::Newline(_));
            let of_line = std::iter::from_fn(|| pieces.next_if(is_inside)).collect();
            Line { range, pieces: of_line, newline: pieces.next(), is_lost: false, is_certain: false }
        };
        self.new.lines().map(line).collect()
    }

    /// Returns the pieces of the new text, each with the index of its first character. Adjacent bytes of the original
    /// are one piece.
    fn pieces(&self) -> Vec<(usize, Piece)> {
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
            match (pieces.last_mut(), piece) {
                (Some((_, Piece::Kept(bytes, lost))), Piece::Kept(next, more)) if bytes.end == next.start => {
                    (bytes.end, *lost) = (next.end, *lost + more);
                }
                (_, piece) => pieces.push((at, piece)),
            }
            at += count;
        }
    }

    /// Returns the number of runs of lost units that the new text has in their place, proved or not.
    pub fn places(&self) -> u64 {
        let (mut places, mut end) = (0, None);
        for unit in self.old.units.iter().filter(|unit| unit.is_lost) {
            let chars = unit.first..unit.first + unit.count;
            let Some(at) = self.targets[unit.first].filter(|at| self.is_kept(&chars, *at)) else { continue };
            places += u64::from(end != Some(at));
            end = Some(at + unit.count);
        }
        let is_shown = |gap: &&Gap| {
            let (left, right) = self.beside(gap.before);
            gap.lost > 0 && left.is_some() && left == right
        };
        places + self.old.gaps.iter().filter(is_shown).count() as u64
    }

    /// Returns what to write for the gaps, in order, each with the index of the new character that follows. A gap is
    /// kept if the characters beside it are adjacent in the new text, and dropped if a word around it was removed.
    /// Otherwise its content is uncertain.
    fn gaps(&self) -> Vec<(usize, Piece)> {
        // `near` is the index after the last new character whose origin is before the gap.
        let (mut passed, mut near) = (0, 0);
        let certain = |at: usize| at >= self.origins.len() || !self.is_doubtful(at);
        let place = |Gap { before, bytes, lost }: &Gap| {
            let last = self.targets[passed..*before].iter().rev().find_map(|target| *target);
            (passed, near) = (*before, last.map_or(near, |last| last + 1));
            let (left, right) = self.beside(*before);
            // If other text is beside the gap, a newline need not be the same newline as in the original.
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
            let is_meant = |new: Range<usize>| {
                new.start < new.end
                    && self.viewed.meant(bytes).chars().eq(self.new.chars[new].iter().copied())
            };
            match (left, right) {
                (Some(left), Some(right)) if left == right && is_certain => {
                    Some((left, Piece::Kept(bytes.clone(), *lost)))
                }
                (None, None) if self.is_removed(*before, near) => None,
                (None, None) => Some((near, Piece::Lost(None))),
                // The lost text was typed again.
                (Some(left), Some(right)) if is_meant(left..right) => None,
                (left, right) if *lost == 0 => Some((left.or(right)?, Piece::Kept(bytes.clone(), 0))),
                (left, right) => Some((left.or(right)?, Piece::Lost(None))),
            }
        };
        let mut gaps: Vec<(usize, Piece)> = self.old.gaps.iter().filter_map(place).collect();
        gaps.sort_by_key(|(at, _)| *at);
        gaps.dedup_by(|one, other| one.0 == other.0 && one.1.is_lost() && other.1.is_lost());
        gaps
    }

    /// Returns two indices of the new text, if the characters are kept: after the character before the gap, and before
    /// the character after the gap. A newline may be replaced by another newline.
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
        let begins_line = before.checked_sub(1).map_or(self.old.begins_line, |at| self.old.chars[at] == '\n');
        let may_be_left = |right: &usize| begins_line && is_newline(&self.new.chars, right.checked_sub(1));
        let ends_line = before == self.old.chars.len() || is_newline(&self.old.chars, Some(before));
        let may_be_right = |left: &usize| ends_line && is_newline(&self.new.chars, Some(*left));
        (right.filter(may_be_left).or(left), left.filter(may_be_right).or(right))
    }

    /// Whether the new characters at `at` and `at + 1` are adjacent in the original too. Returns true at the ends of
    /// the text. A single letter is no evidence, because it may be the same by chance.
    fn are_adjacent(&self, at: Option<usize>) -> bool {
        let Some(pair) = at.and_then(|at| self.origins.get(at..at + 2)) else { return true };
        pair[0].at.is_some_and(|first| pair[1].at == Some(first + 1))
    }

    /// Whether a word, not only punctuation, was removed around the gap before the old character `at`, in its line.
    /// `near` is the index after the last kept new character before the gap. Returns false if the new text from `near`
    /// to the next kept character has [`WORD`] characters in a row of the removed text, because the gap may then still
    /// be there.
    fn is_removed(&self, at: usize, near: usize) -> bool {
        let is_gone = |at: &usize| self.targets[*at].is_none() && self.old.chars[*at] != '\n';
        let start = (0..at).rev().take_while(is_gone).last().unwrap_or(at);
        let end = (at..self.targets.len()).take_while(is_gone).last().map_or(at, |last| last + 1);
        let removed = &self.old.chars[start..end];
        if !removed.iter().any(|scalar| scalar.is_alphanumeric()) {
            return false;
        }
        let next = self.targets[end..].iter().find_map(|target| *target).unwrap_or(self.new.chars.len());
        let new = self.new.chars.get(near..next).unwrap_or_default();
        let parts: HashSet<&[char]> = new.windows(WORD).collect();
        !removed.windows(WORD).any(|part| parts.contains(part))
    }

    /// Returns the bytes of the original for the unit that begins at a new character, and the number of characters of
    /// the unit. Returns `None` if the unit is not kept as a whole.
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

    /// Whether the origin of a new character is uncertain.
    fn is_doubtful(&self, at: usize) -> bool {
        let Origin { at: origin, is_doubtful } = self.origins[at];
        is_doubtful || origin.is_some_and(|origin| self.shared.contains(&origin))
    }

    /// Whether the new characters from `at` on have the origins `chars`.
    fn is_kept(&self, chars: &Range<usize>, at: usize) -> bool {
        let origins = self.origins.get(at..at + chars.len());
        origins.is_some_and(|origins| origins.iter().map(|origin| origin.at).eq(chars.clone().map(Some)))
    }

    /// Returns what to write for a character that is not kept.
    fn unkept(&self, at: usize, scalar: char) -> Piece {
        let is_mark = Some(scalar) == self.viewed.view.mark() || scalar == char::REPLACEMENT_CHARACTER;
        let Origin { at: origin, is_doubtful } = self.origins[at];
        let is_part_of_lost = origin.is_some_and(|origin| self.old.is_lost(origin)) && !scalar.is_ascii();
        match scalar {
            '\n' if !self.viewed.is_wide => Piece::Newline(None),
            // The character may have been copied from misread text.
            _ if !scalar.is_ascii() && self.is_shown_by_chance(at) => Piece::Lost(Some(scalar)),
            _ if is_mark || is_doubtful || is_part_of_lost || self.may_be_removed(at) => {
                Piece::Lost(Some(scalar))
            }
            _ => Piece::New(scalar),
        }
    }

    /// Whether a new character may be a removed lost unit, or the rest of one. If the view has a mark, typed words have
    /// the same letters as lost units, so only a non-ASCII character between ASCII characters counts.
    fn may_be_removed(&self, at: usize) -> bool {
        let is_other = |at: &usize| self.new.chars.get(*at).is_some_and(|scalar| !scalar.is_ascii());
        let is_lone = || ![at.wrapping_sub(1), at + 1].iter().any(is_other);
        let scalar = self.new.chars[at];
        let is_evident = || self.viewed.view.mark().is_none() || !scalar.is_ascii() && is_lone();
        self.removed.contains(&scalar) && is_evident()
    }

    /// Whether a line of the new text differs from its old line only in whitespace.
    pub fn is_indented(&self, line: &Range<usize>) -> bool {
        let is_blank = |scalar: &&char| !scalar.is_whitespace();
        let new = &self.new.chars[line.clone()];
        self.old_line(line).is_some_and(|old| {
            let old = &self.old.chars[old];
            old != new && old.iter().filter(is_blank).eq(new.iter().filter(is_blank))
        })
    }

    /// Whether a line has a character beside a loss that another part of the new text may have instead.
    pub fn shares_loss(&self, line: &Range<usize>) -> bool {
        let is_shared = |at: usize| self.shared.contains(&at) && self.beside_loss.contains(&at);
        self.origins[line.clone()].iter().any(|origin| origin.at.is_some_and(is_shared))
    }

    /// Whether all characters of a line were adjacent in the original.
    pub fn is_kept_line(&self, line: &Range<usize>) -> bool {
        self.origins[line.start].at.is_some()
            && (line.start..line.end - 1).all(|at| self.are_adjacent(Some(at)))
    }

    /// Whether a line has new non-ASCII characters, so that it was typed in a program that does not drop them.
    pub fn has_new_characters(&self, line: &Range<usize>) -> bool {
        line.clone().any(|at| self.origins[at].at.is_none() && !self.new.chars[at].is_ascii())
    }

    /// Returns the words of a line that have new characters.
    pub fn new_words(&self, line: &Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let is_new =
            |word: &Range<usize>| self.origins[word.clone()].iter().any(|origin| origin.at.is_none());
        let mut start = line.start;
        let words = self.new.chars[line.clone()].split(|scalar| !scalar.is_alphanumeric()).map(move |word| {
            let range = start..start + word.len();
            start = range.end + 1;
            range
        });
        words.filter(move |word| word.len() >= WORD && is_new(word))
    }

    /// Whether the view has this character beside one of its neighbors, because a program for UTF-8 decoded the bytes
    /// of the original to this character by chance.
    fn is_shown_by_chance(&self, at: usize) -> bool {
        let around = &self.new.chars[at.saturating_sub(1)..(at + 2).min(self.new.chars.len())];
        let is_for_utf8 = matches!(self.viewed.view, View::Lossy(..)) && !self.viewed.view.knows_encoding();
        is_for_utf8 && around.windows(2).any(|pair| self.viewed.has_pair([pair[0], pair[1]]))
    }

    /// Returns the bytes of the original for a line in which a program split characters, because it decoded each chunk
    /// of its input separately, with U+FFFD for the parts.
    pub fn uncut(&self, line: &Range<usize>) -> Option<Piece> {
        if self.viewed.view != View::Exact || self.viewed.encoding != &UTF_8 {
            return None;
        }
        let old = self.old_line(line)?;
        let lost = cut_characters(&self.old.chars[old.clone()], &self.new.chars[line.clone()])?;
        let bytes = self.old.unit_at(old.start).bytes.start..self.old.unit_at(old.end - 1).bytes.end;
        Some(Piece::Kept(bytes, lost))
    }

    /// Returns the line of the old text that has the first kept character of a new line, or else the line with the same
    /// number.
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
}

/// Returns the number of characters of an old line that became U+FFFD in a new line that is otherwise equal. Each
/// character has to be non-ASCII, and to be replaced by two or more marks, at most one for each byte.
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
