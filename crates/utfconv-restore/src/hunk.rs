//! Compares changed lines: finds which characters of the edited text are those of the original, and which lost
//! characters are proven.

mod gone;
mod proof;

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::align::alignment;
use super::broken::Broken;
use super::view::{Mark, Unit, View, Viewed, units};
use super::words::{Words, words};
use proof::Proof;
use utfconv_core::Encoding;

/// How many units away a run may be that is mistaken for another one.
const NEAR: usize = 400;

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
