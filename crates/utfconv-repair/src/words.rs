//! The distinct words of a text with runs. Each word is measured and counted once, however often it occurs.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::mem;
use std::ops::Range;

use super::changes::{Change, Suspect};
use super::evidence::{CHANCE, Evidence, Taken};
use super::groups::{CONTEXT, Group, deeper, is_blank, is_word, join_alike};
use super::mistakes::{MISTAKES, Mistake, Set};
use super::runs::{self, GROUP, Run, run_at, starting_at};
use super::starts::Starts;
use utfconv_core::utf8::end_of_whole_sequences;
use utfconv_detect::plausibility::{Cost, Plausibility, Signs};

/// Number of distinct words of a window that are measured for all mistakes. Later words are searched for likely
/// mistakes, and measured for proven mistakes, because more words are no new evidence about the document.
const MEASURED: usize = 512;

/// A distinct word, which is the text between two whitespace characters, with the second of them.
struct Word<'a> {
    text: &'a str,
    /// Number of occurrences of the word.
    times: u64,
    groups: Vec<Group>,
}

/// A run of a word, with the mistake that was selected for it, and whether that is proven.
struct Decided {
    run: Run,
    mistake: Mistake,
    is_proven: bool,
}

/// The words of a text that have runs of mistakes.
pub(super) struct Words<'a> {
    all: Vec<Word<'a>>,
    /// The offset of each occurrence, and the index of its word.
    pub(super) occurrences: Vec<(usize, usize)>,
}

impl<'a> Words<'a> {
    /// Finds the words that have runs of the `likely` mistakes, and of all mistakes with code pages until `MEASURED`
    /// distinct words are found.
    pub(super) fn of(text: &'a str, likely: Set) -> Words<'a> {
        let bytes = text.as_bytes();
        let mut words = Words { all: Vec::new(), occurrences: Vec::new() };
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        // GBK is searched for only if it is likely.
        let searched = Set::ALL.filter(|mistake| !mistake.has_pairs() || likely.has(*mistake));
        let mut starts = Starts::new(bytes, searched);
        let mut end = 0;
        while let Some(start) = starts.next() {
            let mistakes = if words.all.len() < MEASURED { searched } else { likely };
            if start < end || starting_at(bytes, start, mistakes).next().is_none() {
                continue;
            }
            let range = word_at(text, end, start, mistakes);
            end = range.end;
            let word = &text[range.clone()];
            let new = words.all.len();
            let number = *numbers.entry(word).or_insert(new);
            if number == new {
                words.all.push(Word { text: word, times: 0, groups: groups(word, mistakes) });
            }
            words.all[number].times += 1;
            words.occurrences.push((range.start, number));
            starts.skip_to(end);
        }
        words
    }

    /// Measures the words, adds them to the evidence, and then decides about each.
    pub(super) fn undo(
        mut self,
        evidence: &mut Evidence,
        plausibility: &mut Plausibility,
    ) -> (Vec<Change>, Vec<Suspect>) {
        for word in &self.all {
            evidence.explain(&word.groups, word.text, word.times);
        }
        let mut mistakes = Set::ALL;
        for words in self.all.chunks_mut(MEASURED) {
            // A mistake that explains all characters is undone everywhere, so the words need not be measured.
            if evidence.consistent().is_none() {
                let provable = mistakes.filter(|mistake| evidence.may_be_proven(*mistake));
                words.iter_mut().for_each(|word| word.measure(mistakes, provable, evidence, plausibility));
                mistakes = evidence.proven();
            }
        }
        let proven = evidence.proven();
        let likeliest = (proven != Set::default()).then(|| evidence.likeliest(proven));
        let consistent = evidence.consistent();
        let decided = self.all.iter_mut().map(|word| word.decided(evidence, consistent, proven, likeliest));
        let decided: Vec<Vec<Decided>> = decided.collect();
        let (mut changes, mut suspects) = (Vec::new(), Vec::new());
        for (start, number) in self.occurrences {
            for Decided { run: Run { start: from, end, was }, mistake, is_proven } in &decided[number] {
                let range = start + from..start + end;
                if *is_proven {
                    changes.push(Change::new(range, was, *mistake));
                } else {
                    suspects.push(Suspect::new(range, Some(was.clone()), *mistake));
                }
            }
        }
        (changes, suspects)
    }
}

impl Word<'_> {
    /// Measures the groups of the given mistakes, and adds them to the evidence. Other groups are dropped. If no
    /// mistake of a group is `provable`, the group is also dropped if most characters in its context that a mistake can
    /// have made are outside the group, because such text is in another encoding.
    fn measure(
        &mut self,
        mistakes: Set,
        provable: Set,
        evidence: &mut Evidence,
        plausibility: &mut Plausibility,
    ) {
        self.groups.retain(|group| {
            let has_any = |set: Set| group.mistakes.iter().any(|mistake| set.has(mistake));
            has_any(provable) || has_any(mistakes) && group.around(self.text) <= group.chars(self.text)
        });
        for group in &mut self.groups {
            group.gain = gain(group, self.text, plausibility);
        }
        let mut best = Taken::default();
        self.groups.sort_by_key(|group| (Reverse(group.gain), group.mistake, group.range().start));
        evidence.weigh(&self.groups, self.text, self.times);
        for group in &self.groups {
            if group.gain > 0 && best.take(group.range()) {
                evidence.count(group, self.text, self.times);
            }
        }
    }

    /// Decides which runs are undone and which are suspicious, in the order of the text. `consistent` is the mistake
    /// that explains all non-ASCII characters of the document, and `likeliest` the mistake with the most evidence of
    /// those that are `proven`.
    fn decided(
        &mut self,
        evidence: &Evidence,
        consistent: Option<Mistake>,
        proven: Set,
        likeliest: Option<Mistake>,
    ) -> Vec<Decided> {
        let mut groups = mem::take(&mut self.groups);
        groups.retain(|group| consistent.is_none_or(|mistake| group.mistakes.has(mistake)));
        for group in &mut groups {
            group.mistake = consistent.unwrap_or_else(|| evidence.likeliest(group.mistakes));
        }
        groups.retain(|group| evidence.accepts(group));
        // Readings by a proven mistake are preferred.
        groups.sort_by_key(|group| {
            let odds = if proven.has(group.mistake) { proven_odds(group, likeliest) } else { group.gain };
            (!proven.has(group.mistake), Reverse(odds), group.mistake, group.range().start)
        });
        let mut taken = Taken::default();
        groups.retain(|group| taken.take(group.range()));
        let decided = |Group { mistake, runs, .. }| {
            runs.into_iter().map(move |run| Decided { run, mistake, is_proven: proven.has(mistake) })
        };
        let mut decided: Vec<Decided> = groups.into_iter().flat_map(decided).collect();
        decided.sort_by_key(|decided| decided.run.start);
        decided
    }
}

/// Returns the log odds by which overlapping readings are ranked if their mistakes are proven. The rarity of a proven
/// mistake is not subtracted. A mistake other than the likeliest costs [`CHANCE`], because a document was probably
/// damaged only once.
fn proven_odds(group: &Group, likeliest: Option<Mistake>) -> Cost {
    group.gain + group.rarity() - if likeliest == Some(group.mistake) { 0 } else { CHANCE }
}

/// Returns how much less a group with its context costs with its mistake undone.
fn gain(group: &Group, word: &str, plausibility: &mut Plausibility) -> Cost {
    let (window, after) = group.with_context(word);
    let gain = plausibility.gain(&Signs::of(window.chars()), &deeper(after, group.mistake));
    gain - group.rarity() - group.objections(word)
}

/// Returns the range of the word in which a run may begin at `start`. The range does not begin before `least`, the end
/// of the previous word.
fn word_at(text: &str, least: usize, start: usize, mistakes: Set) -> Range<usize> {
    let bytes = text.as_bytes();
    let near = start.saturating_sub(GROUP).max(least);
    let from = match bytes[near..start].iter().rposition(|byte| is_blank(*byte)) {
        Some(blank) => near + blank + 1,
        None if near == least => least,
        // The text before `start` has no whitespace nearby.
        None => {
            text[..start].char_indices().rev().take(CONTEXT).last().map_or(start, |(at, _)| at).max(least)
        }
    };
    let limit = bytes.len().min(start + GROUP);
    let end = match bytes[start..limit].iter().position(|byte| is_blank(*byte)) {
        Some(blank) => start + blank + 1,
        None if limit == bytes.len() => limit,
        None => {
            let runs =
                starting_at(bytes, start, mistakes).filter_map(|mistake| run_at(bytes, start, mistake));
            let ascii = bytes[start..limit].iter().rposition(u8::is_ascii).map(|at| start + at + 1);
            let run = runs.map(|run| run.end).max().filter(|end| *end > limit - GROUP / 2);
            run.or(ascii).unwrap_or_else(|| end_of_whole_sequences(&bytes[..limit]))
        }
    };
    from..end
}

/// Finds the runs in `word` that each of `mistakes` explains, and joins neighboring runs of one mistake into groups.
fn groups(word: &str, mistakes: Set) -> Vec<Group> {
    let mut open: [Vec<Run>; MISTAKES] = Default::default();
    let mut groups = Vec::new();
    runs::find(word.as_bytes(), mistakes, |mistake, run| {
        let runs = &mut open[mistake.number()];
        let is_near = runs.last().is_some_and(|last| is_word(&word[last.end..run.start]));
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
    join_alike(&mut groups);
    groups
}
