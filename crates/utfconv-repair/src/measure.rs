//! Finds the groups of a text, measures their gains, and takes them as evidence.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::mem;
use std::ops::Range;

use super::evidence::{Evidence, LEAST, others};
use super::groups::{Group, deeper, is_word, join_alike};
use super::mistakes::{MISTAKES, Mistake, Set};
use super::runs::{self, GROUP, Run, starting_at};
use super::starts::{AFTER_START, Starts};
use super::whole;
use super::words::{Occurrence, ToMeasure, Words, best, word_at};
use utfconv_core::utf8::is_continuation;
use utfconv_detect::plausibility::{Cost, Plausibility, Signs};

/// How many gains are remembered, of texts with so many bytes at most.
const REMEMBERED: usize = 1 << 14;
const LENGTH_REMEMBERED: usize = 1 << 10;

/// A long text is measured in slices of so many bytes.
const SLICE: usize = 4 << 10;

/// After so many bytes of different words, only those of proven mistakes are measured, and after so many, none: hardly
/// any text has so many suspicious ones. Words that gain count less.
const THOROUGH: usize = 32 << 10;
const MOST: usize = 96 << 10;
const LESS: usize = 4;

/// The measured groups of a text: of remembered words, and others.
#[derive(Debug, Default)]
pub(super) struct Measured {
    pub(super) words: Vec<Occurrence>,
    pub(super) groups: Vec<Group>,
}

/// A slice of a text, and which mistakes are looked for in it.
struct Slice<'a> {
    text: &'a str,
    range: Range<usize>,
    possible: Set,
}

/// The findings in a slice, in its order.
enum Found {
    Word(Occurrence),
    Groups(Vec<Group>),
}

/// Groups to measure, of a word that will be remembered or of a text.
struct Fresh<'a> {
    text: &'a str,
    /// The number of the word.
    number: Option<usize>,
    groups: Vec<Group>,
    /// The runs of those that do not gain.
    single: Vec<Group>,
}

/// Measures groups of a document.
#[derive(Debug, Default)]
pub(super) struct Measurer {
    pub(super) plausibility: Option<Plausibility>,
    /// The gains of groups.
    gains: HashMap<Key, Cost>,
    /// Gains were forgotten.
    has_forgotten: bool,
    /// How many bytes of words were measured lately.
    pub(super) measured: usize,
}

/// A group with its context: its mistake, length, and first result with the text.
pub(super) type Key = (Mistake, usize, String);

impl Measurer {
    /// Finds and measures the groups of a text, and takes them as evidence.
    pub(super) fn measure(
        &mut self,
        text: &str,
        evidence: &mut Evidence,
        possible: Set,
        words: &mut Words,
    ) -> Measured {
        let mut measured = Measured::default();
        let mut ends = [0; MISTAKES];
        words.begin(mem::take(&mut self.has_forgotten));
        for range in slices(text.as_bytes()) {
            let possible = match self.measured {
                ..THOROUGH => possible,
                THOROUGH..MOST => possible.without(Set::ALL.without(evidence.proven())),
                MOST.. => Set::default(),
            };
            evidence.pass(others(&text.as_bytes()[range.clone()]));
            if possible != Set::default() {
                let slice = Slice { text, range, possible };
                let found = slice.find(words, &mut ends);
                self.measure_slice(&slice, found, evidence, words, &mut measured);
            }
        }
        measured
    }

    /// Measures the findings in a slice.
    fn measure_slice(
        &mut self,
        slice: &Slice,
        found: Vec<Found>,
        evidence: &mut Evidence,
        words: &mut Words,
        measured: &mut Measured,
    ) {
        for found in &found {
            match found {
                Found::Word(word) => evidence.explain_word(&words.word(word.number).tallied),
                Found::Groups(groups) => evidence.explain(groups, slice.text),
            }
        }
        let known = measured.words.len();
        let mut fresh = slice.fresh(found, evidence, words, &mut measured.words);
        let known = &measured.words[known..];
        for fresh in &mut fresh {
            fresh.single = self.measure_joined(fresh.text, &mut fresh.groups);
        }
        for Fresh { text, number, groups, single, .. } in &mut fresh {
            single.iter_mut().for_each(|group| group.gain = self.gain(text, group));
            groups.append(single);
            match number {
                Some(number) => words.word(*number).take(mem::take(groups), text),
                None => evidence.sum(groups, text),
            }
        }
        for Occurrence { range, number } in known {
            let word = words.word(*number);
            evidence.sum_word(&word.tallied, &word.groups, &slice.text[range.clone()]);
        }
        count(slice.text, &fresh, known, evidence, words);
        measured.groups.extend(fresh.into_iter().flat_map(|fresh| fresh.groups));
    }

    /// Measures the gains of groups, and returns the runs of those without one.
    fn measure_joined(&mut self, text: &str, groups: &mut Vec<Group>) -> Vec<Group> {
        let mut single = Vec::new();
        for group in groups.iter_mut() {
            group.gain = self.gain(text, group);
            if group.gain < LEAST && group.runs.len() > 1 {
                let runs = mem::take(&mut group.runs);
                single.extend(runs.into_iter().map(|run| group.of_run(run)));
            }
        }
        groups.retain(|group| !group.runs.is_empty());
        single
    }

    /// Returns how much less a group costs with its context once it is undone.
    fn gain(&mut self, text: &str, group: &Group) -> Cost {
        let (window, after) = group.with_context(text);
        let key = group.key(window);
        let objections = group.objections(text);
        if let Some(gain) = self.gains.get(&key) {
            return *gain - objections;
        }
        let after = deeper(after);
        let plausibility = self.plausibility.get_or_insert_with(|| Plausibility::new(text.as_bytes()));
        let gain = plausibility.gain(&Signs::of(window.chars()), &after);
        let gain = gain - group.rarity();
        self.measured += if gain < LEAST { window.len() } else { window.len() / LESS };
        if self.gains.len() >= REMEMBERED {
            self.gains.clear();
            self.has_forgotten = true;
        }
        if key.2.len() <= LENGTH_REMEMBERED {
            self.gains.insert(key, gain);
        }
        gain - objections
    }
}

impl<'a> Slice<'a> {
    /// Finds words with runs, and groups that are not in words to remember.
    fn find(&self, words: &mut Words, ends: &mut [usize; MISTAKES]) -> Vec<Found> {
        let Slice { text, ref range, possible } = *self;
        let bytes = text.as_bytes();
        // Few words of a short text come again.
        if bytes.len() <= whole::LEAST {
            return vec![Found::Groups(groups(text, range.clone(), possible, ends))];
        }
        let mut starts = Starts::new(&bytes[..bytes.len().min(range.end + AFTER_START)], possible);
        starts.skip_to(range.start);
        let mut all = Vec::new();
        let mut end = range.start;
        while let Some(at) = starts.next().filter(|at| *at < range.end) {
            if at < end || starting_at(bytes, at, possible).next().is_none() {
                continue;
            }
            let (word, word_end) = word_at(bytes, at, range);
            end = word_end;
            let number = |word: Range<usize>| {
                let number = words.number(text, &word, possible, |word| groups_of_word(word, possible))?;
                Some(Occurrence { range: word, number })
            };
            all.push(match word.and_then(number) {
                Some(word) => Found::Word(word),
                None => Found::Groups(groups(text, at..end, possible, ends)),
            });
        }
        all
    }

    /// Returns the groups in it to measure, and adds words that are known, or will be, to `known`.
    fn fresh(
        &self,
        found: Vec<Found>,
        evidence: &Evidence,
        words: &mut Words,
        known: &mut Vec<Occurrence>,
    ) -> Vec<Fresh<'a>> {
        let text = self.text;
        let provable: Set = Mistake::all().filter(|mistake| evidence.may_be_proven(*mistake)).collect();
        let mut all = Vec::new();
        for found in found {
            let (text, number, mut groups) = match found {
                Found::Groups(groups) => (text, None, groups),
                Found::Word(occurrence) => {
                    let Occurrence { range, number } = occurrence.clone();
                    let word = &text[range.clone()];
                    match words.begin_word(number, word, provable, groups_of_word) {
                        ToMeasure::Nothing => {
                            known.push(occurrence);
                            continue;
                        }
                        ToMeasure::Word(groups) => {
                            known.push(occurrence);
                            (word, Some(number), groups)
                        }
                        ToMeasure::Here => {
                            (text, None, groups(text, range, self.possible, &mut [0; MISTAKES]))
                        }
                    }
                }
            };
            groups.retain(|group| provable.has(group.mistake));
            join_alike(&mut groups);
            all.push(Fresh { text, number, groups, single: Vec::new() });
        }
        all
    }
}

/// Takes the best readings of a slice as evidence, the best first. Words count once.
fn count(text: &str, fresh: &[Fresh], known: &[Occurrence], evidence: &mut Evidence, words: &mut Words) {
    let new: Vec<&Occurrence> =
        known.iter().filter(|word| !mem::replace(&mut words.word(word.number).is_counted, true)).collect();
    let words = &*words;
    let mut all = Vec::new();
    for Occurrence { range, number } in new {
        let (word, groups) = (&text[range.clone()], words.best(*number));
        all.extend(groups.map(|group| (range.start, word, group, true)));
    }
    for Fresh { groups, .. } in fresh {
        all.extend(best(groups).into_iter().map(|number| (0, text, &groups[number], false)));
    }
    all.sort_by_key(|(start, _, group, _)| (Reverse(group.gain), group.mistake, start + group.range().start));
    for (_, text, group, is_word) in all {
        if is_word { evidence.count_gain(group, text) } else { evidence.count(group, text) }
    }
}

/// Returns the slices of a text, which end with a word; at any character where there are only long ones.
pub(super) fn slices(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let is_short = text.len() <= whole::LEAST;
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at;
        let slice = text.get(start..).filter(|rest| !rest.is_empty())?;
        let slice = if is_short { slice } else { &slice[..slice.len().min(SLICE)] };
        at += slice.len();
        if at < text.len() {
            let blank = slice.iter().rposition(u8::is_ascii_whitespace);
            let lead = || slice.iter().rposition(|byte| !is_continuation(*byte)).filter(|lead| *lead > 0);
            at = blank.map(|blank| blank + 1).or_else(lead).map_or(at, |len| start + len);
        }
        Some(start..at)
    })
}

/// Finds the groups of some mistakes in a word.
fn groups_of_word(word: &str, mistakes: Set) -> Vec<Group> {
    groups(word, 0..word.len(), mistakes, &mut [0; MISTAKES])
}

/// Finds the groups of some mistakes whose runs begin in a range of a text.
fn groups(text: &str, range: Range<usize>, mistakes: Set, ends: &mut [usize; MISTAKES]) -> Vec<Group> {
    let mut open: [Vec<Run>; MISTAKES] = Default::default();
    let mut groups = Vec::new();
    runs::find_in(text.as_bytes(), range, mistakes, ends, |mistake, run| {
        let runs = &mut open[mistake.number()];
        let is_near = runs
            .last()
            .is_some_and(|last| is_word(&text[last.end..run.start]) && run.end - runs[0].start <= GROUP);
        if !is_near && !runs.is_empty() {
            groups.push(Group::new(mistake, mem::take(runs)));
        }
        runs.push(run);
    });
    for (runs, mistake) in open.into_iter().zip(Mistake::all()) {
        if !runs.is_empty() {
            groups.push(Group::new(mistake, runs));
        }
    }
    groups
}
