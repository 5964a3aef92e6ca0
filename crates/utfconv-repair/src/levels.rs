//! Undoes double encoding in a document, level by level, where there is proof.
//!
//! The proof of a run has three sources. They are the lower cost of its words as text once it is undone, its
//! neighbors, and other runs of the same mistake in the document.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::mem;
use std::ops::Range;

use super::alphabet::Alphabet;
use super::changes::{Change, Found, Suspect, applied, composed, origin};
use super::evidence::{Evidence, Taken, others};
use super::groups::{Group, deeper};
use super::lost::lost;
use super::measure::{Key, Measured, Measurer};
use super::mistakes::{LEVELS, Mistake, Set};
use super::runs::Run;
use super::survey;
use super::whole::{self, Explained};
use super::words::{Decided, Known, Occurrence, Words};
use utfconv_detect::plausibility::{Cost, NATS, Plausibility, Signs};

/// A BOM in UTF-8.
pub(super) const BOM: &[u8] = b"\xEF\xBB\xBF";

/// A group that gains less than this is ordinary text.
const SUSPICIOUS: Cost = 6 * NATS;

/// How many bytes of text that comes later allow one more byte of words to be measured.
const REFILL: usize = 32;

/// Undoes double encoding in a document that comes in windows.
///
/// ```
/// use utfconv_repair::Repairer;
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
    levels: [Evidence; LEVELS],
    /// The mistakes that explain most lines as a whole.
    explaining: [Option<Mistake>; LEVELS],
    /// The words that are known, by level.
    words: [Words; LEVELS],
    measurer: Measurer,
    /// None as long as nothing was found in correct text.
    alphabet: Option<Alphabet>,
}

/// Whether changes are of at least half of the characters outside ASCII.
pub(super) fn is_mostly(window: &[u8], changes: &[Change]) -> bool {
    let half = others(window).div_ceil(2);
    let mut broken = 0;
    let mut is_enough = |change: &Change| {
        broken += others(&window[change.range.clone()]);
        broken >= half
    };
    half == 0 || changes.iter().any(&mut is_enough)
}

impl Repairer {
    /// Makes one for a document.
    #[must_use]
    pub fn new() -> Repairer {
        Repairer::default()
    }

    /// Finds double encoding in the next window of the document. The window should end with a line, and have at most
    /// about a million bytes. Later text is no evidence for it.
    pub fn next(&mut self, text: &str) -> Found {
        self.next_window(text.as_bytes())
    }

    /// Returns the same for bytes that are known to be well-formed.
    pub(super) fn next_window(&mut self, window: &[u8]) -> Found {
        // A BOM is no evidence.
        let is_first = !mem::replace(&mut self.is_begun, true);
        let bom = if is_first && window.starts_with(BOM) { BOM.len() } else { 0 };
        let window = &window[bom..];
        self.measurer.measured = self.measurer.measured.saturating_sub(window.len() / REFILL);
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
            self.measurer.plausibility.get_or_insert_with(|| Plausibility::new(window));
            self.next_lines(window, &lines, all, possible)
        };
        let proven = self.levels[0].proven();
        let text = || all.or_else(|| str::from_utf8(window).ok()).unwrap_or_default();
        if proven != Set::default() {
            found.suspects.extend(lost(text(), proven, &found.changes));
        }
        if !found.is_empty() && !is_mostly(window, &found.changes) {
            self.alphabet.get_or_insert_default().check(text(), &mut found);
        }
        found.suspects.retain(|suspect| !suspect.range.is_empty());
        found.suspects.sort_by_key(|suspect| (suspect.range.start, suspect.range.end));
        found.suspects.dedup_by_key(|suspect| suspect.range.start);
        found.shift(|_| bom);
        found
    }

    /// Returns the same for some lines of a window, which have all of its runs; or for `all`, as text. Characters of
    /// the others are counted.
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

    /// Undoes one level.
    fn level(&mut self, level: usize, text: &str, possible: Set) -> (Vec<Change>, Vec<Suspect>) {
        let Some(Explained { mut changes, rest, .. }) = self.explained(level, text, possible) else {
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

    /// Undoes a level in the lines of a text that one mistake explains as a whole; a sample finds it. None if there is
    /// no such mistake, or if the text is short.
    fn explained(&mut self, level: usize, text: &str, possible: Set) -> Option<Explained> {
        if text.len() < whole::LEAST {
            return None;
        }
        if let Some(mistake) = self.explaining[level].filter(|mistake| self.levels[level].is_proven(*mistake))
        {
            let explained = whole::undo(text, mistake)?;
            self.levels[level].take_whole(mistake, explained.count(text));
            return Some(explained);
        }
        let likely = whole::likely(text)?;
        let explained = whole::undo(text, likely)?;
        let sample = whole::sample(text, &explained)?;
        let mut evidence = Evidence::default();
        self.measurer.measure(&sample, &mut evidence, possible, &mut Words::default());
        let mistake = evidence.consistent()?;
        let explained = if mistake == likely { explained } else { whole::undo(text, mistake)? };
        self.levels[level].take_sample(evidence, mistake, explained.count(text));
        self.explaining[level] = Some(mistake);
        Some(explained)
    }

    /// Undoes one level in a text whose words are all measured.
    fn measured_level(&mut self, level: usize, text: &str, possible: Set) -> (Vec<Change>, Vec<Suspect>) {
        let mut evidence = mem::take(&mut self.levels[level]);
        let mut words = mem::take(&mut self.words[level]);
        let Measured { groups, words: known } =
            self.measurer.measure(text, &mut evidence, possible, &mut words);
        let version = self.measurer.plausibility.as_ref().map_or(0, Plausibility::version);
        words.know(Known::new(&evidence, version));
        let consistent = evidence.consistent();
        let mut changes = Vec::new();
        let mut suspects = Vec::new();
        let mut take = |Decided { run: Run { start, end, was }, mistake, is_proven }, shift: usize| {
            let range = start + shift..end + shift;
            if is_proven {
                changes.push(Change::new(range, was, mistake))
            } else {
                suspects.push(Suspect { range, was: Some(was), mistake: Some(mistake), near: None })
            }
        };
        for Occurrence { range, number } in known {
            let decide = |groups| self.decided(&text[range.clone()], groups, &evidence, consistent);
            words.decided(number, decide).iter().for_each(|decided| take(decided.clone(), range.start));
        }
        self.decided(text, groups, &evidence, consistent).into_iter().for_each(|decided| take(decided, 0));
        changes.sort_by_key(|change| change.range.start);
        suspects.sort_by_key(|suspect| suspect.range.start);
        (self.levels[level], self.words[level]) = (evidence, words);
        (changes, suspects)
    }

    /// Decides which groups are undone, and which are suspicious. Returns their runs.
    fn decided(
        &self,
        text: &str,
        mut groups: Vec<Group>,
        evidence: &Evidence,
        consistent: Option<Mistake>,
    ) -> Vec<Decided> {
        for group in &mut groups {
            group.mistake = match consistent.filter(|mistake| group.mistakes.has(*mistake)) {
                Some(mistake) => mistake,
                None => evidence.likeliest(group.mistakes),
            };
        }
        groups.retain(|group| group.gain >= evidence.least(group.mistake).min(SUSPICIOUS));
        self.rank(text, &mut groups);
        // Where a mistake is proven, its reading is preferred.
        groups.sort_by_key(|group| {
            let mistake = group.mistake;
            let order = (consistent != Some(mistake), !evidence.is_proven(mistake));
            (order, group.rank, Reverse(group.gain), group.mistake, group.range().start)
        });
        let mut taken = Taken::default();
        groups.retain(|group| taken.take(group.range()));
        let decided = |Group { mistake, runs, gain, .. }| {
            let is_proven = evidence.is_proven(mistake) && gain >= evidence.least(mistake);
            runs.into_iter().map(move |run| Decided { run, mistake, is_proven })
        };
        groups.into_iter().flat_map(decided).collect()
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
        let Some(plausibility) = &self.measurer.plausibility else { return };
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
}
