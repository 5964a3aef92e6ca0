//! Compares changed lines: finds which characters of the edited text are those of the original, and which lost
//! characters are proven.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::align::{alignment, changed_words};
use super::broken::{Broken, is_of_word};
use super::known::LONG_RUN;
use super::view::{Mark, Unit, View, Viewed, units};
use super::words::{SEVERAL, Words, is_letter, words};
use utfconv_core::Encoding;

/// How many units away a run may be that is mistaken for another one.
const NEAR: usize = 400;

/// How many characters around runs that may be mistaken for each other are compared.
const AROUND: usize = 200;

/// How many more words must have changed for an explanation that is ruled out. Each blank and sign counts as
/// a word, too.
pub(super) const MANY_WORDS: usize = 6;

/// A unit of the original lines.
struct OldUnit {
    /// The bytes of the unit in the original.
    bytes: Range<usize>,
    /// The characters of the unit in the old text.
    chars: Range<usize>,
    is_lost: bool,
}

/// What shows that text was damaged, in a view.
pub(super) enum Signs<'a> {
    /// This character, which is never typed.
    Mark(char),
    /// A question mark, which may be typed, and the words of the original in which there is one for something else.
    Question(&'a Words),
    /// Text from which something was dropped.
    Broken(&'a Broken),
    /// Characters as the program's encoding has them, and the words of the original.
    Misread(&'static Encoding, &'a Words),
}

/// A piece of the new text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Bytes of the original, and how many lost units they have.
    Kept(Range<usize>, u64),
    /// A character to encode.
    New(char),
    /// The end of a line: the bytes of the newline in the original, or a new newline.
    Newline(Option<Range<usize>>),
    /// A place where something was lost, without proof of what it was, and the character that is there now.
    Lost(Option<char>),
}

/// Characters of the original that are still in the new text.
struct Kept {
    /// The number of characters.
    count: usize,
    /// The bytes in the original.
    bytes: Range<usize>,
    /// The number of lost units among them.
    lost: u64,
}

/// What shows which text is of the original, and which is lost.
#[derive(Default)]
struct Evidence {
    /// Kept characters with the index in the new text at which they begin, sorted by the index.
    kept: Vec<(usize, Kept)>,
    /// For each index, whether a lost unit is there that is not proven.
    is_unproven: Vec<bool>,
    /// Where something may have been dropped.
    doubtful: HashSet<usize>,
    /// Whether the word that begins at an index of the new text may be misread.
    misread: HashMap<usize, bool>,
    /// How much of the old text was passed, and the index of the new text after what was kept of that.
    passed: usize,
    near: usize,
    /// Some lost units are not in the new text.
    is_any_gone: bool,
    is_ambiguous: bool,
}

impl Evidence {
    fn keep(&mut self, at: usize, chars: &Range<usize>, bytes: Range<usize>, lost: u64) {
        self.kept.push((at, Kept { count: chars.len(), bytes, lost }));
    }

    /// Returns the kept characters that begin in a range of the new text.
    fn kept_in(&self, range: Range<usize>) -> &[(usize, Kept)] {
        let [start, end] =
            [range.start, range.end].map(|at| self.kept.partition_point(|(kept, _)| *kept < at));
        &self.kept[start..end.max(start)]
    }

    /// Returns the kept characters that begin at an index of the new text.
    fn kept_at(&self, at: usize) -> &[(usize, Kept)] {
        self.kept_in(at..at + 1)
    }
}

/// The lines of a hunk, each without its newline. A line feed follows each line that has a newline.
pub(super) struct Hunk<'a> {
    viewed: &'a Viewed<'a>,
    old: Vec<char>,
    /// The lines of the old text, and whether they are gone, once that is known.
    old_lines: Vec<(Range<usize>, OnceCell<bool>)>,
    units: Vec<OldUnit>,
    new: Vec<char>,
    new_words: Vec<Range<usize>>,
    /// For each character of `new`, the index of the same character in `old`.
    origin: Vec<Option<usize>>,
    /// For each character of `old`, the index of the same character in `new`.
    target: Vec<Option<usize>>,
    /// How many characters differ, before letters of other words were taken apart.
    edits: u64,
}

impl<'a> Hunk<'a> {
    /// Compares `lines` of the original with `new`, the edited text, which has line feeds as newlines.
    pub fn new(viewed: &'a Viewed, lines: &[usize], new: Vec<char>) -> Hunk<'a> {
        let (mut old, mut old_units, mut old_lines) = (Vec::new(), Vec::new(), Vec::new());
        for &line in lines {
            let first_of_line = old.len();
            let (mut start, text) = (viewed.start_of(line), viewed.text_of(line));
            let (mut length, end) = (0, viewed.content(text).len());
            let mut newline: Option<OldUnit> = None;
            units(viewed.encoding, viewed.view, viewed.bytes_of(line), |Unit { len, text, is_lost }| {
                let bytes = start..start + len;
                start += len;
                let is_newline = length >= end && !text.is_empty();
                length += text.len();
                match (&mut newline, is_newline) {
                    (Some(newline), _) => newline.bytes.end = bytes.end,
                    (none, true) => {
                        old.push('\n');
                        *none = Some(OldUnit { bytes, chars: old.len() - 1..old.len(), is_lost: false });
                    }
                    (_, false) => {
                        let first = old.len();
                        old.extend(text.chars());
                        old_units.push(OldUnit { bytes, chars: first..old.len(), is_lost });
                    }
                }
            });
            old_lines.push((first_of_line..old.len() - usize::from(newline.is_some()), OnceCell::new()));
            old_units.extend(newline);
        }
        let new_words = words(&new);
        let origin = alignment(&old, &new, &new_words);
        let mut target = vec![None; old.len()];
        for (at, origin) in origin.iter().enumerate() {
            if let Some(origin) = origin {
                target[*origin] = Some(at);
            }
        }
        let count = |side: &[Option<usize>]| side.iter().filter(|other| other.is_none()).count() as u64;
        let edits = count(&origin) + count(&target);
        let mut hunk =
            Hunk { viewed, old, old_lines, units: old_units, new, new_words, origin, target, edits };
        if viewed.view == View::Lossy(Mark::Omitted) {
            hunk.unpair_chance_letters();
        }
        hunk
    }

    /// Unpairs letters that two words share by chance. Less than half of the old word is kept. Of the new word,
    /// less than half is old, or no two old letters are together.
    fn unpair_chance_letters(&mut self) {
        let is_little = |side: &[Option<usize>]| 2 * side.iter().flatten().count() < side.len();
        let is_pair = |pair: &[Option<usize>]| pair[0].is_some_and(|at| pair[1] == Some(at + 1));
        let has_little = |word: &Range<usize>| {
            let origin = &self.origin[word.clone()];
            is_little(origin) || !origin.windows(2).any(is_pair)
        };
        let is_other: Vec<_> = self.new_words.iter().map(has_little).collect();
        let old_words = words(&self.old).into_iter().filter(|word| is_little(&self.target[word.clone()]));
        let kept = old_words.flatten().filter_map(|old| Some((old, self.target[old]?)));
        let is_of_other = |(_, new): &(usize, usize)| is_other[self.word_number_at(*new)];
        for (old, new) in kept.filter(is_of_other).collect::<Vec<_>>() {
            (self.target[old], self.origin[new]) = (None, None);
        }
    }

    /// Returns how many characters are only in the old or only in the new text.
    pub fn edits(&self) -> u64 {
        self.edits
    }

    /// Returns the bytes of the unit that has the character at the index `at` of the new text, and how many
    /// characters around it are together in both texts. None if the old text does not have it.
    pub fn stretch(&self, at: usize) -> Option<(Range<usize>, usize)> {
        let origin = self.origin[at]?;
        let before =
            (1..=at.min(origin)).take_while(|back| self.origin[at - back] == Some(origin - back)).count();
        let after =
            (1..self.new.len() - at).take_while(|on| self.origin[at + on] == Some(origin + on)).count();
        let unit = self.units.partition_point(|unit| unit.chars.end <= origin);
        Some((self.units[unit].bytes.clone(), before + 1 + after))
    }

    /// Returns the pieces of the new text, each with the index of its first character. `signs` shows the damage in
    /// text that the original does not have there.
    pub fn pieces(&self, signs: &Signs) -> Found {
        let mut evidence = self.evidence(signs);
        // A gap where something was restored is closed.
        let is_open = |at: &usize| evidence.kept_at(*at).iter().all(|(_, kept)| kept.count > 0);
        let gaps: Vec<_> = self.gaps(signs).into_iter().filter(is_open).collect();
        evidence.doubtful.extend(gaps);
        let broken = self.broken_words(signs);
        let (mut pieces, mut at) = (Vec::new(), 0);
        loop {
            if evidence.doubtful.remove(&at) {
                pieces.push((at, Piece::Lost(None)));
            }
            let is_free = |word: &Range<usize>| evidence.kept_in(word.clone()).is_empty();
            if let Some((word, bytes)) = self.known_word(signs, at).filter(|(word, _)| is_free(word)) {
                pieces.push((at, Piece::Kept(bytes, word.len() as u64)));
                at = word.end;
                continue;
            }
            let kept = evidence.kept_at(at);
            pieces.extend(kept.iter().map(|(_, Kept { count, bytes, lost })| {
                if *count == 1 && self.new[at] == '\n' {
                    (at, Piece::Newline(Some(bytes.clone())))
                } else {
                    (at, Piece::Kept(bytes.clone(), *lost))
                }
            }));
            let longest = kept.iter().map(|(_, kept)| kept.count).max().unwrap_or(0);
            if longest > 0 {
                at += longest;
                continue;
            }
            if self.is_zero_of_new(at, &evidence) {
                at += 1;
                continue;
            }
            let is_lost = if at == self.new.len() {
                evidence.is_unproven[at]
            } else {
                self.is_lost(at, signs, &mut evidence, &broken)
            };
            match self.new.get(at) {
                shown if is_lost => pieces.push((at, Piece::Lost(shown.copied()))),
                None => {}
                Some('\n') => pieces.push((at, Piece::Newline(None))),
                Some(scalar) => pieces.push((at, Piece::New(*scalar))),
            }
            if at == self.new.len() {
                let Evidence { is_ambiguous, is_any_gone, .. } = evidence;
                return Found { pieces, is_ambiguous, is_any_gone };
            }
            at += 1;
        }
    }

    /// Finds what of the original is still in the new text.
    fn evidence(&self, signs: &Signs) -> Evidence {
        let len = self.new.len() + 1;
        let mut evidence = Evidence { is_unproven: vec![false; len], ..Evidence::default() };
        let shows_bytes = matches!(self.viewed.view, View::Misread(_));
        let mut number = 0;
        while number < self.units.len() {
            if shows_bytes || !self.units[number].is_lost {
                self.add_unit(&self.units[number], signs, &mut evidence);
                number += 1;
            } else {
                let end = number + self.units[number..].iter().take_while(|unit| unit.is_lost).count();
                self.add_run(number..end, signs, &mut evidence);
                number = end;
            }
        }
        // The sort is stable, so characters that begin at the same index stay in the order of the original.
        evidence.kept.sort_by_key(|(at, _)| *at);
        evidence
    }

    /// Adds a unit that is not lost, or that shows its byte.
    fn add_unit(&self, unit: &OldUnit, signs: &Signs, evidence: &mut Evidence) {
        let OldUnit { bytes, chars, is_lost } = unit;
        let is_here = |at: &usize| match signs {
            Signs::Question(_) => self.new[*at] != '?' || !self.is_apart(*at),
            _ => !is_lost || self.is_beside_kept(chars, *at),
        };
        match self.place(chars).filter(is_here) {
            Some(at) => evidence.keep(at, chars, bytes.clone(), u64::from(*is_lost)),
            None if *is_lost => self.mark_unproven(chars, signs, evidence),
            None => {}
        }
    }

    /// Adds a run of lost units.
    fn add_run(&self, run: Range<usize>, signs: &Signs, evidence: &mut Evidence) {
        let chars = self.chars(&run);
        match self.proof(&run) {
            Proof::At(at) => {
                let bytes = self.units[run.start].bytes.start..self.units[run.end - 1].bytes.end;
                return evidence.keep(at, &chars, bytes, run.len() as u64);
            }
            Proof::Gone => {}
            proof @ (Proof::None | Proof::Ambiguous) => {
                evidence.is_ambiguous |= matches!(proof, Proof::Ambiguous);
                self.mark_unproven(&chars, signs, evidence);
                if matches!(signs, Signs::Broken(_)) || chars.is_empty() {
                    let near = self.near(chars.start, evidence);
                    evidence.doubtful.insert(near);
                }
            }
        }
        evidence.is_any_gone = true;
    }

    fn mark_unproven(&self, chars: &Range<usize>, signs: &Signs, evidence: &mut Evidence) {
        let there = || chars.clone().filter_map(|at| self.target[at]);
        // Without its marks, the rest of a run is other text.
        let has_mark = match signs {
            Signs::Mark(mark) => there().any(|at| self.new[at] == *mark),
            Signs::Question(_) => there().any(|at| self.new[at] == '?'),
            Signs::Misread(..) => there().any(|at| !self.new[at].is_ascii()),
            Signs::Broken(_) => true,
        };
        there().for_each(|at| evidence.is_unproven[at] |= has_mark || !self.new[at].is_ascii());
    }

    /// Whether the character at `at`, where nothing of the original begins, is in the place of a lost one.
    fn is_lost(&self, at: usize, signs: &Signs, evidence: &mut Evidence, broken: &HashSet<usize>) -> bool {
        match signs {
            _ if evidence.is_unproven[at] => true,
            // A program that saw bytes of wide code units wrote their zeros.
            _ if self.viewed.is_wide && self.new[at] == '\0' => true,
            Signs::Mark(mark) => self.new[at] == *mark,
            // A typed question mark is hardly followed by a letter or by another question mark.
            Signs::Question(known) => {
                let next = self.new.get(at + 1);
                let may_be_lost =
                    evidence.is_any_gone || next.is_some_and(|next| next.is_alphanumeric() || *next == '?');
                let was_there =
                    at > 0 && known.has_question([self.new[at - 1], next.copied().unwrap_or('\n')]);
                self.new[at] == '?'
                    && self.is_apart(at)
                    && (known.has(&self.text(self.word_at(at))) || may_be_lost && !was_there)
            }
            Signs::Misread(other, known) => {
                let is_new = self.origin[at].is_none() && !self.new[at].is_ascii();
                // A character outside that encoding shows that the word was typed. A character with the same bytes in
                // both encodings may be either.
                let word = self.word_at(at);
                let mut is_misread = || {
                    *evidence.misread.entry(word.start).or_insert_with(|| {
                        let word = self.text(word.clone());
                        other.encode(&word).is_some_and(|bytes| self.encoded(&word) != Some(bytes))
                    })
                };
                let around = at.saturating_sub(1).max(word.start)..(at + 2).min(word.end);
                let is_known = known.has_part(&self.new[around]);
                is_new && (self.new[at] == char::REPLACEMENT_CHARACTER || is_known && is_misread())
            }
            Signs::Broken(known) => {
                let is_copied = self.origin[at].is_none() && known.is_shown(&self.new, at);
                is_copied || broken.contains(&at)
            }
        }
    }

    /// Whether there is a zero that belongs to a new character of ASCII, in code units of several bytes.
    fn is_zero_of_new(&self, at: usize, evidence: &Evidence) -> bool {
        let is_zero = |at: usize| self.new.get(at) == Some(&'\0') && evidence.kept_at(at).is_empty();
        let is_new = |at: usize| {
            let is_ascii = self.new.get(at).is_some_and(|scalar| scalar.is_ascii() && *scalar != '\0');
            is_ascii && evidence.kept_at(at).is_empty()
        };
        let [before, after] = self.viewed.zeros;
        let has_new = |start: usize| {
            let zeros = (start..start + before).chain(start + before + 1..start + before + 1 + after);
            is_new(start + before) && zeros.clone().all(is_zero) && zeros.clone().any(|zero| zero == at)
        };
        is_zero(at) && (at.saturating_sub(before + after)..=at).any(has_new)
    }

    /// Returns the number of the word of the new text that has the character at `at`.
    fn word_number_at(&self, at: usize) -> usize {
        self.new_words.partition_point(|word| word.end <= at)
    }

    /// Returns the word of the new text that has the character at `at`.
    fn word_at(&self, at: usize) -> Range<usize> {
        self.new_words[self.word_number_at(at)].clone()
    }

    /// Returns a range of the new text.
    fn text(&self, range: Range<usize>) -> String {
        self.new[range].iter().collect()
    }

    fn encoded(&self, text: &str) -> Option<Vec<u8>> {
        self.viewed.encoding.encode(text)
    }

    /// Returns the word that begins at `at`, and its bytes in the original, if it can only be a word of the original.
    fn known_word(&self, signs: &Signs, at: usize) -> Option<(Range<usize>, Range<usize>)> {
        let Signs::Misread(_, known) = signs else { return None };
        let word = self.new_words.get(self.new_words.binary_search_by_key(&at, |word| word.start).ok()?)?;
        let (word, text) = (word.clone(), self.text(word.clone()));
        let bytes = known.range(&text)?;
        self.encoded(&text).is_none().then_some((word, bytes))
    }

    /// Whether a character is new, or neither character beside it is the same as in the original.
    fn is_apart(&self, at: usize) -> bool {
        let Some(origin) = self.origin[at] else { return true };
        let before = at > 0 && origin > 0 && self.origin[at - 1] == Some(origin - 1);
        let after = at + 1 < self.new.len() && self.origin[at + 1] == Some(origin + 1);
        !before && !after
    }

    /// Returns where new words begin that equal words of the view from which something was dropped.
    fn broken_words(&self, signs: &Signs) -> HashSet<usize> {
        let Signs::Broken(known) = signs else { return HashSet::new() };
        let is_known = |word: &Range<usize>| {
            let is_new = self.origin[word.clone()].iter().any(Option::is_none);
            is_new && known.words.contains(&self.text(word.clone()))
        };
        self.new_words.iter().filter(|word| is_known(word)).map(|word| word.start).collect()
    }

    /// Returns where the new text has both sides of a gap, but not from one place of the original: text with a gap was
    /// copied.
    fn gaps(&self, signs: &Signs) -> Vec<usize> {
        let Signs::Broken(known) = signs else { return Vec::new() };
        // Farther away, one of several equal characters may be kept instead of another.
        let beside = Broken::SIDE - 3..Broken::SIDE + 3;
        let is_new = |origin: &[Option<usize>]| {
            let mut pairs = origin[beside.clone()].windows(2);
            pairs.any(|two| two[0].is_none() || two[0].map(|at| at + 1) != two[1])
        };
        let sides = self.new.windows(2 * Broken::SIDE).zip(self.origin.windows(2 * Broken::SIDE));
        let found =
            sides.enumerate().filter(|(_, (text, origin))| known.gaps.contains(*text) && is_new(origin));
        found.map(|(at, _)| at + Broken::SIDE).collect()
    }

    /// Returns where these characters of the old text are in the new text, if all of them are there together.
    fn place(&self, chars: &Range<usize>) -> Option<usize> {
        if chars.is_empty() {
            return None;
        }
        let first = self.target[chars.start]?;
        let is_there = |(number, at): (usize, usize)| self.target[at] == Some(first + number);
        chars.clone().enumerate().all(is_there).then_some(first)
    }

    /// Returns an index of the new text near that of a character of the old text, which is not before those of earlier
    /// calls.
    fn near(&self, at: usize, evidence: &mut Evidence) -> usize {
        for target in &self.target[evidence.passed..at] {
            evidence.near = target.map_or(evidence.near, |target| target + 1);
        }
        evidence.passed = at;
        evidence.near
    }

    /// Looks for a run of lost units in the new text. The run has all lost units that are next to each other.
    fn proof(&self, run: &Range<usize>) -> Proof {
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

    /// Returns the runs of lost units that begin among these units.
    fn lost_runs(&self, units: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let mut number = units.start;
        std::iter::from_fn(move || {
            number += self.units[number..units.end.max(number)].iter().position(|unit| unit.is_lost)?;
            let start = number;
            number += self.units[number..].iter().take_while(|unit| unit.is_lost).count();
            Some(start..number)
        })
    }

    /// Returns the characters of a run of units in the old text.
    fn chars(&self, run: &Range<usize>) -> Range<usize> {
        self.units[run.start].chars.start..self.units[run.end - 1].chars.end
    }

    /// Returns the bytes of a run of units in the original.
    fn bytes(&self, run: &Range<usize>) -> &[u8] {
        &self.viewed.original[self.units[run.start].bytes.start..self.units[run.end - 1].bytes.end]
    }

    /// Whether the character before or after these is next to `at` in the new text, too.
    fn is_beside_kept(&self, chars: &Range<usize>, at: usize) -> bool {
        let end = at + chars.len();
        let before = chars.start > 0 && at > 0 && self.target[chars.start - 1] == Some(at - 1);
        let after = chars.end < self.old.len() && self.target[chars.end] == Some(end);
        before || after || self.old.len() == chars.len()
    }

    /// Returns the characters of a line of the old text, without its newline.
    pub fn line(&self, number: usize) -> Range<usize> {
        self.old_lines[number].0.clone()
    }

    /// Returns the line of the old text that has the character at `at`, or ends there.
    fn line_at(&self, at: usize) -> &(Range<usize>, OnceCell<bool>) {
        &self.old_lines[self.old_lines.partition_point(|(line, _)| line.end < at)]
    }

    /// Whether the line of the old text at an index was not blank, and none of it is left, not even an empty
    /// line, nor the same text elsewhere.
    fn is_line_gone(&self, at: usize) -> bool {
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
    fn is_nothing_in_place(&self, at: usize) -> bool {
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
    fn slides(&self, old_at: usize, at: usize) -> bool {
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
    fn is_mostly_gone(&self, at: usize) -> bool {
        let letters = letters_at(&self.old, at);
        2 * self.target[letters.clone()].iter().flatten().count() < letters.len()
    }

    /// Whether most of these letters of the new text were typed.
    fn is_mostly_typed(&self, letters: Range<usize>) -> bool {
        2 * self.origin[letters.clone()].iter().flatten().count() < letters.len()
    }

    /// Whether the index `at` of the old text is in the middle of removed or replaced text: the blanks or signs
    /// on both sides of it are gone, with several letters. If nothing is in their place, quotes or tags may have
    /// been removed: then several letters have to be gone on both sides.
    fn is_in_gone_text(&self, at: usize) -> bool {
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
    fn is_word_gone(&self, at: usize) -> bool {
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
    pub fn needs_more(
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

/// Returns a text without the blanks at its ends.
fn trimmed(text: &[char]) -> &[char] {
    let is_text = |scalar: &char| !scalar.is_ascii_whitespace();
    let start = text.iter().position(is_text).unwrap_or(text.len());
    let end = text.iter().rposition(is_text).map_or(start, |last| last + 1);
    &text[start..end]
}

/// Returns a character of a text. The ends of the text are those of lines.
fn char_at(text: &[char], at: Option<usize>) -> char {
    at.and_then(|at| text.get(at).copied()).unwrap_or('\n')
}

/// Returns how many characters of a kind are side by side before and after an index of a text.
fn count_around(text: &[char], at: usize, is_it: impl Fn(char) -> bool) -> [usize; 2] {
    let before = text[..at].iter().rev().take(NEAR).take_while(|scalar| is_it(**scalar)).count();
    [before, text[at..].iter().take(NEAR).take_while(|scalar| is_it(**scalar)).count()]
}

/// Returns the letters around an index of a text.
fn letters_at(text: &[char], at: usize) -> Range<usize> {
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

/// The result of looking for a run of lost units in the new text.
enum Proof {
    At(usize),
    /// The run was removed, together with what is around it.
    Gone,
    /// Nothing shows what the run was.
    None,
    /// The run may as well be another one.
    Ambiguous,
}

/// The pieces of a text.
pub(super) struct Found {
    /// Each piece with the index of its first character in the text.
    pub pieces: Vec<(usize, Piece)>,
    /// Whether some of the pieces may as well be others.
    pub is_ambiguous: bool,
    /// Some lost units are not in the text.
    pub is_any_gone: bool,
}
