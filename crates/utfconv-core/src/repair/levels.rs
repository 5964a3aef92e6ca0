//! Takes back double encoding in a document, level by level, where there is proof.
//!
//! A run of characters is proven by how much less its words cost as text than they did, by its neighbours, and by other runs of
//! the same mistake in the document.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::mem;
use std::ops::Range;

use super::changes::{Change, Found, Suspect, applied, composed, origin};
use super::evidence::{Evidence, LEAST, Taken, others};
use super::groups::{Group, LEVELS, deeper, is_word, join_alike};
use super::lost::lost;
use super::mistakes::{MISTAKES, Mistake, Set};
use super::runs::{self, GROUP, Run};
use super::survey;
use super::whole::{self, Explained};
use crate::detect::plausibility::{Cost, NATS, Plausibility, Signs};
use crate::utf8::is_continuation;

/// A BOM in UTF-8.
const BOM: &[u8] = b"\xEF\xBB\xBF";

/// A group that gains less than this is ordinary text.
const SUSPICIOUS: Cost = 6 * NATS;

/// How many gains are remembered, of texts with so many bytes at most.
const REMEMBERED: usize = 1 << 14;
const LENGTH_REMEMBERED: usize = 1 << 10;

/// A long text is measured in slices of so many bytes.
const SLICE: usize = 4 << 10;

/// After so many bytes of different words, only those of mistakes that are proven by then are measured, and after so many, none:
/// hardly any text has so many that are suspicious. Words that gain count less, and text that comes later adds a part of its bytes.
const THOROUGH: usize = 32 << 10;
const MOST: usize = 96 << 10;
const LESS: usize = 4;
const REFILL: usize = 32;

/// Takes back double encoding in a document that comes in windows.
///
/// ```
/// use utfconv_core::repair::Repairer;
///
/// let text = "Un cafÃ© et un thÃ©, s\u{e2}\u{20ac}\u{2122}il vous plaÃ®t.";
/// let found = Repairer::new().next(text);
/// assert_eq!(found.applied(text), "Un café et un thé, s’il vous plaît.");
/// assert_eq!(found.changes[0].mistakes[0].name(), "windows-1252");
/// // Ordinary text stays as it is.
/// assert!(Repairer::new().next("MARQUÉ… « déjà »").changes.is_empty());
/// ```
#[derive(Debug, Default)]
pub struct Repairer {
    /// The first window was taken.
    is_begun: bool,
    plausibility: Option<Plausibility>,
    levels: [Evidence; LEVELS],
    /// The mistakes that explain most lines as a whole.
    explaining: [Option<Mistake>; LEVELS],
    /// What groups gain, by mistake, length, first result and text with context.
    gains: HashMap<Key, Cost>,
    /// How many bytes of words were measured lately.
    measured: usize,
}

/// A group with its context: its mistake, length, and first result with the text.
type Key = (Mistake, usize, String);

impl Repairer {
    /// Makes one for a document.
    #[must_use]
    pub fn new() -> Repairer {
        Repairer::default()
    }

    /// Finds what is double-encoded in the next window of the document. It should end with a line, and have about a million
    /// bytes at most: what comes later is no evidence for it.
    pub fn next(&mut self, text: &str) -> Found {
        self.next_window(text.as_bytes())
    }

    /// The same for bytes that are known to be well-formed.
    pub(super) fn next_window(&mut self, window: &[u8]) -> Found {
        // A BOM is no evidence.
        let is_first = !mem::replace(&mut self.is_begun, true);
        let bom = if is_first && window.starts_with(BOM) { BOM.len() } else { 0 };
        let window = &window[bom..];
        self.measured = self.measured.saturating_sub(window.len() / REFILL);
        if window.is_ascii() {
            return Found::default();
        }
        let possible = survey::possible(window, self.levels[0].proven());
        let all = 0..window.len();
        let lines = survey::lines(window, possible).unwrap_or_else(|| vec![all]);
        // Of all lines, the text is used as it is.
        let is_all = matches!(&*lines, [line] if line.len() == window.len());
        let all = if is_all { str::from_utf8(window).ok() } else { None };
        let mut found = if lines.is_empty() {
            self.levels[0].pass(others(window));
            Found::default()
        } else {
            self.plausibility.get_or_insert_with(|| Plausibility::new(window));
            self.next_lines(window, &lines, all, possible)
        };
        let proven = self.levels[0].proven();
        if proven != Set::default() {
            let text = all.or_else(|| str::from_utf8(window).ok()).unwrap_or_default();
            found.suspects.extend(lost(text, proven, &found.changes));
        }
        found.suspects.retain(|suspect| !suspect.range.is_empty());
        found.suspects.sort_by_key(|suspect| (suspect.range.start, suspect.range.end));
        found.suspects.dedup_by_key(|suspect| suspect.range.start);
        found.shift(|_| bom);
        found
    }

    /// The same for some lines of a window, which have all of its runs; or for `all`, as text. Characters of the others are counted.
    fn next_lines(
        &mut self,
        window: &[u8],
        lines: &[Range<usize>],
        all: Option<&str>,
        possible: Set,
    ) -> Found {
        let line = |line: &Range<usize>| str::from_utf8(&window[line.clone()]).unwrap_or_default();
        let text = all.map_or_else(|| Cow::Owned(lines.iter().map(line).collect()), Cow::Borrowed);
        let passed = if all.is_some() { 0 } else { others(window) - others(text.as_bytes()) };
        let mut found = Found::default();
        let mut now = None;
        for level in 0..LEVELS {
            let current = now.as_deref().unwrap_or(&*text);
            self.levels[level].pass(passed);
            let possible = match level {
                0 => possible,
                _ => survey::possible(current.as_bytes(), self.levels[level].proven()),
            };
            let (changes, mut suspects) = self.level(level, current, possible);
            for suspect in suspects.iter_mut().filter(|_| level > 0) {
                let Range { start, end } = suspect.range;
                suspect.range = origin(&found.changes, start)..origin(&found.changes, end);
            }
            found.suspects.append(&mut suspects);
            if changes.is_empty() {
                break;
            }
            let next = applied(current, &changes);
            found.changes = if level == 0 { changes } else { composed(found.changes, changes, current) };
            now = Some(next);
        }
        let mut shifts = whole::Shifts::new(lines);
        found.shift(|at| shifts.at(at));
        found
    }

    /// Takes back one level.
    fn level(&mut self, level: usize, text: &str, possible: Set) -> (Vec<Change>, Vec<Suspect>) {
        let Some(Explained { mut changes, rest }) = self.explained(level, text, possible) else {
            return self.measured_level(level, text, possible);
        };
        if rest.is_empty() {
            return (changes, Vec::new());
        }
        let lines: String = rest.iter().map(|range| &text[range.clone()]).collect();
        let (more, mut suspects) = self.measured_level(level, &lines, possible);
        let mut shifts = whole::Shifts::new(&rest);
        let mut at = |range: &Range<usize>| {
            let shift = shifts.at(range.start);
            range.start + shift..range.end + shift
        };
        changes.extend(more.into_iter().map(|change| Change { range: at(&change.range), ..change }));
        changes.sort_by_key(|change| change.range.start);
        suspects.iter_mut().for_each(|suspect| suspect.range = at(&suspect.range));
        (changes, suspects)
    }

    /// Takes back a level in the lines of a text that one mistake explains as a whole: a sample shows which. None if there is no
    /// such mistake, or if the text is short.
    fn explained(&mut self, level: usize, text: &str, possible: Set) -> Option<Explained> {
        if text.len() < whole::LEAST {
            return None;
        }
        if let Some(mistake) = self.explaining[level].filter(|mistake| self.levels[level].is_proven(*mistake))
        {
            let explained = whole::take_back(text, mistake)?;
            self.levels[level].take_whole(mistake, explained.count(text));
            return Some(explained);
        }
        let likely = whole::likely(text)?;
        let explained = whole::take_back(text, likely)?;
        let sample = whole::sample(text, &explained)?;
        let mut evidence = Evidence::default();
        self.measured(&sample, &mut evidence, possible);
        let mistake = evidence.consistent()?;
        let explained = if mistake == likely { explained } else { whole::take_back(text, mistake)? };
        self.levels[level].take_sample(evidence, mistake, explained.count(text));
        self.explaining[level] = Some(mistake);
        Some(explained)
    }

    /// Takes back one level in a text whose words are all measured.
    fn measured_level(&mut self, level: usize, text: &str, possible: Set) -> (Vec<Change>, Vec<Suspect>) {
        let mut evidence = mem::take(&mut self.levels[level]);
        let mut groups = self.measured(text, &mut evidence, possible);
        let consistent = evidence.consistent();
        for group in &mut groups {
            group.mistake = match consistent.filter(|mistake| group.mistakes.has(*mistake)) {
                Some(mistake) => mistake,
                None => evidence.likeliest(group.mistakes),
            };
        }
        groups.retain(|group| group.gain >= evidence.least(group.mistake).min(SUSPICIOUS));
        self.rank(text, &mut groups);
        let mut changes = Vec::new();
        let mut suspects = Vec::new();
        // Where a mistake is proven, its reading is preferred.
        groups.sort_by_key(|group| {
            let mistake = group.mistake;
            let order = (consistent != Some(mistake), !evidence.is_proven(mistake));
            (order, group.rank, Reverse(group.gain), group.mistake, group.range().start)
        });
        let mut taken = Taken::default();
        for group in groups {
            if !taken.take(group.range()) {
                continue;
            }
            let mistake = group.mistake;
            let is_proven = evidence.is_proven(mistake) && group.gain >= evidence.least(mistake);
            for Run { start, end, was } in group.runs {
                match is_proven {
                    true => changes.push(Change {
                        range: start..end,
                        text: was,
                        encoding: None,
                        mistakes: vec![mistake],
                    }),
                    false => {
                        suspects.push(Suspect { range: start..end, was: Some(was), mistake: Some(mistake) })
                    }
                }
            }
        }
        changes.sort_by_key(|change| change.range.start);
        suspects.sort_by_key(|suspect| suspect.range.start);
        self.levels[level] = evidence;
        (changes, suspects)
    }

    /// Finds and measures the groups of a text, and takes them as evidence.
    fn measured(&mut self, text: &str, evidence: &mut Evidence, possible: Set) -> Vec<Group> {
        let mut all = Vec::new();
        let mut ends = [0; MISTAKES];
        for slice in slices(text.as_bytes()) {
            let possible = match self.measured {
                ..THOROUGH => possible,
                THOROUGH..MOST => possible.without(Set::ALL.without(evidence.proven())),
                MOST.. => Set::default(),
            };
            if possible == Set::default() {
                evidence.pass(others(&text.as_bytes()[slice]));
                continue;
            }
            let groups = found(text, slice.clone(), possible, &mut ends);
            all.append(&mut self.measured_groups(text, slice, groups, evidence));
        }
        all
    }

    /// The same for the groups of a slice.
    fn measured_groups(
        &mut self,
        text: &str,
        slice: Range<usize>,
        mut groups: Vec<Group>,
        evidence: &mut Evidence,
    ) -> Vec<Group> {
        evidence.pass(others(&text.as_bytes()[slice]));
        evidence.explain(&groups, text);
        groups.retain(|group| evidence.may_be_proven(group.mistake));
        join_alike(&mut groups);
        self.measure(text, &mut groups);
        evidence.sum(&groups, text);
        // The best reading of each place counts.
        groups.sort_by_key(|group| (Reverse(group.gain), group.mistake, group.range().start));
        let mut taken = Taken::default();
        for group in &groups {
            if group.gain > 0 && taken.take(group.range()) {
                evidence.count(group, text);
            }
        }
        groups
    }

    /// Ranks groups that overlap by the languages of the document. Others rank alike.
    fn rank(&self, text: &str, groups: &mut [Group]) {
        groups.sort_by_key(|group| group.range().start);
        let mut overlapping = vec![false; groups.len()];
        let mut last: Option<(usize, usize)> = None;
        for (at, group) in groups.iter().enumerate() {
            let Range { start, end } = group.range();
            if let Some((other, _)) = last.filter(|(_, end)| start < *end) {
                (overlapping[at], overlapping[other]) = (true, true);
            }
            if last.is_none_or(|(_, last)| end > last) {
                last = Some((at, end));
            }
        }
        let Some(plausibility) = &self.plausibility else { return };
        let mut ranks: HashMap<Key, Cost> = HashMap::new();
        for (group, _) in groups.iter_mut().zip(overlapping).filter(|(_, overlaps)| *overlaps) {
            let (window, after) = group.with_context(text);
            let rank = || {
                let after = deeper(after);
                let costs = after.iter().map(|(text, more)| plausibility.cost_in_document(text) + more);
                costs.min().unwrap_or(0) - plausibility.cost_in_document(&Signs::of(window.chars()))
            };
            let rank = *ranks.entry(group.key(window)).or_insert_with(rank);
            group.rank = rank + group.objections(text) + group.rarity();
        }
    }

    /// Measures what groups gain. Of one that does not gain, each run is measured.
    fn measure(&mut self, text: &str, groups: &mut Vec<Group>) {
        let mut single = Vec::new();
        for group in groups.iter_mut() {
            group.gain = self.gain(text, group);
            if group.gain < LEAST && group.runs.len() > 1 {
                let runs = mem::take(&mut group.runs);
                single.extend(runs.into_iter().map(|run| group.of_run(run)));
            }
        }
        groups.retain(|group| !group.runs.is_empty());
        for group in &mut single {
            group.gain = self.gain(text, group);
        }
        groups.extend(single);
    }

    /// How much less a group costs with its context once it is taken back.
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
        }
        if key.2.len() <= LENGTH_REMEMBERED {
            self.gains.insert(key, gain);
        }
        gain - objections
    }
}

/// The slices of a text, which end with a word; at any character where there are only long ones.
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

/// Finds the groups of some mistakes whose runs begin in a slice of a text.
fn found(text: &str, slice: Range<usize>, mistakes: Set, ends: &mut [usize; MISTAKES]) -> Vec<Group> {
    let mut open: [Vec<Run>; MISTAKES] = Default::default();
    let mut groups = Vec::new();
    runs::find_in(text.as_bytes(), slice, mistakes, ends, |mistake, run| {
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
