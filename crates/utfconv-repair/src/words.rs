//! Measured words of a document: most words of a text are repeated.
//!
//! Neither a group nor its context reaches beyond a blank, so a word has the same groups everywhere. Only whether a
//! group ends a quotation depends on the text before.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::mem;
use std::ops::Range;

use super::evidence::{Evidence, Taken, Tallied};
use super::groups::{Group, ends_quotation, is_blank, is_closing};
use super::mistakes::{MISTAKES, Mistake, Set};
use super::runs::Run;
use utfconv_detect::plausibility::Cost;

/// The most bytes of a word that is remembered, with the blank after it.
const LONGEST: usize = 128;

/// How many words are remembered.
const REMEMBERED: usize = 1 << 14;

/// The words of a level.
#[derive(Debug, Default)]
pub(super) struct Words {
    numbers: HashMap<Box<str>, usize>,
    all: Vec<Word>,
    /// The number of the text that is measured.
    text: u32,
    /// The evidence with which words were decided last.
    known: Option<Known>,
}

/// The evidence for which groups are undone.
#[derive(Debug, PartialEq)]
pub(super) struct Known {
    pub(super) consistent: Option<Mistake>,
    pub(super) of_mistakes: [(bool, Cost, Cost); MISTAKES],
    /// The version of the known languages of the document.
    pub(super) version: u32,
}

/// A word with runs.
#[derive(Debug)]
pub(super) struct Word {
    /// The mistakes that were looked for.
    possible: Set,
    /// The mistakes that have runs, and those of them whose groups were measured; None before that.
    found: Set,
    measured: Option<Set>,
    /// The number of the text in which it was last.
    text: u32,
    pub(super) groups: Vec<Group>,
    /// Ranges that may end a quotation, and whether they do without the text before the word.
    closing: Vec<(Range<usize>, bool)>,
    pub(super) tallied: Tallied,
    /// Its best groups by their number, the best first.
    best: Vec<usize>,
    /// The best groups were taken as evidence.
    pub(super) is_counted: bool,
    /// The groups to undo, and those that are suspicious; None if that is not decided.
    decided: Option<Vec<Decided>>,
}

/// The measurements that a word needs.
pub(super) enum ToMeasure {
    Nothing,
    Word(Vec<Group>),
    /// The word where it is, in another way than earlier in the text.
    Here,
}

/// A run of the document with the mistake that it is taken for, and whether that is proven.
#[derive(Clone, Debug)]
pub(super) struct Decided {
    pub(super) run: Run,
    pub(super) mistake: Mistake,
    pub(super) is_proven: bool,
}

/// A known word of a text: where it is, and its number.
#[derive(Clone, Debug)]
pub(super) struct Occurrence {
    pub(super) range: Range<usize>,
    pub(super) number: usize,
}

/// Returns the word at an offset of a slice, with the blank after it; None if it is too long, or not in the slice as
/// a whole; and where it ends in the slice.
pub(super) fn word_at(bytes: &[u8], at: usize, slice: &Range<usize>) -> (Option<Range<usize>>, usize) {
    let blank = bytes[at..slice.end].iter().position(|byte| is_blank(*byte));
    let end = blank.map_or(slice.end, |blank| at + blank + 1);
    let least = slice.start.max(at.saturating_sub(LONGEST));
    let start = match bytes[least..at].iter().rposition(|byte| is_blank(*byte)) {
        Some(blank) => Some(least + blank + 1),
        None => (least == 0 || is_blank(bytes[least - 1])).then_some(least),
    };
    let is_ended = blank.is_some() || end == bytes.len();
    (start.map(|start| start..end).filter(|word| is_ended && word.len() <= LONGEST), end)
}

impl Words {
    /// Begins a text. Words are forgotten if there are too many.
    pub(super) fn begin(&mut self, is_forgetful: bool) {
        if is_forgetful || self.all.len() >= REMEMBERED {
            self.numbers.clear();
            self.all.clear();
        }
        self.text = self.text.wrapping_add(1);
    }

    /// Returns the number of a word of a text, whose groups `find` finds if it is new. None if it is not remembered.
    pub(super) fn number(
        &mut self,
        text: &str,
        range: &Range<usize>,
        possible: Set,
        find: impl FnOnce(&str) -> Vec<Group>,
    ) -> Option<usize> {
        let word = &text[range.clone()];
        let known = self.numbers.get(word).copied();
        if let Some(number) = known.filter(|number| self.all[*number].possible == possible) {
            return self.all[number].is_alike(text, range.start).then_some(number);
        }
        let is_kept = known.is_some_and(|number| self.all[number].text == self.text);
        if is_kept || known.is_none() && self.all.len() >= REMEMBERED {
            return None;
        }
        let found = Word::new(word, possible, find(word));
        if !found.is_alike(text, range.start) {
            return None;
        }
        if let Some(number) = known {
            self.all[number] = found;
            return known;
        }
        self.numbers.insert(word.into(), self.all.len());
        self.all.push(found);
        Some(self.all.len() - 1)
    }

    /// Returns the measurements that a word needs, where `provable` mistakes may be proven. `find` finds its groups
    /// again.
    pub(super) fn begin_word(
        &mut self,
        number: usize,
        text: &str,
        provable: Set,
        find: impl FnOnce(&str, Set) -> Vec<Group>,
    ) -> ToMeasure {
        let word = &mut self.all[number];
        let wanted = word.found.without(Set::ALL.without(provable));
        let is_new = mem::replace(&mut word.text, self.text) != self.text;
        match word.measured {
            Some(measured) if measured == wanted => return ToMeasure::Nothing,
            Some(_) if !is_new => return ToMeasure::Here,
            _ => {}
        }
        match word.measured.replace(wanted) {
            Some(_) => ToMeasure::Word(find(text, word.possible)),
            None => ToMeasure::Word(mem::take(&mut word.groups)),
        }
    }

    /// Returns the best groups of a word, the best first.
    pub(super) fn best(&self, number: usize) -> impl Iterator<Item = &Group> {
        let Word { groups, best, .. } = &self.all[number];
        best.iter().map(|number| &groups[*number])
    }

    pub(super) fn word(&mut self, number: usize) -> &mut Word {
        &mut self.all[number]
    }

    /// Forgets decisions by other evidence.
    pub(super) fn know(&mut self, known: Known) {
        if self.known.as_ref() != Some(&known) {
            self.all.iter_mut().for_each(|word| word.decided = None);
            self.known = Some(known);
        }
    }

    /// Returns the decision about a word, by `decide` if it is not known.
    pub(super) fn decided(
        &mut self,
        number: usize,
        decide: impl FnOnce(Vec<Group>) -> Vec<Decided>,
    ) -> &[Decided] {
        let Word { groups, decided, .. } = &mut self.all[number];
        decided.get_or_insert_with(|| decide(groups.clone()))
    }
}

impl Word {
    fn new(word: &str, possible: Set, groups: Vec<Group>) -> Word {
        let ranges = groups.iter().flat_map(|group| {
            let runs = group.runs.iter().map(|run| run.start..run.end);
            runs.chain([group.range()])
        });
        let ending = ranges.filter(|range| word[range.clone()].ends_with(is_closing));
        let closing = ending.map(|range| (range.clone(), ends_quotation(word, range))).collect();
        let mut tallied = Tallied::default();
        tallied.explain(&groups, word);
        Word {
            possible,
            found: groups.iter().map(|group| group.mistake).collect(),
            measured: None,
            text: 0,
            groups,
            closing,
            tallied,
            best: Vec::new(),
            is_counted: false,
            decided: None,
        }
    }

    /// Whether its groups end the same quotations at an offset of a text.
    fn is_alike(&self, text: &str, start: usize) -> bool {
        let ends = |range: &Range<usize>| ends_quotation(text, start + range.start..start + range.end);
        self.closing.iter().all(|(range, is_ending)| ends(range) == *is_ending)
    }

    /// Takes its groups, which were measured.
    pub(super) fn take(&mut self, groups: Vec<Group>, word: &str) {
        self.best = best(&groups);
        self.tallied.take(&groups, &self.best, word);
        (self.is_counted, self.decided) = (false, None);
        self.groups = groups;
    }
}

/// Returns the numbers of the groups that are the best reading of their place, the best first.
pub(super) fn best(groups: &[Group]) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..groups.len()).collect();
    let order = |number: &usize| {
        let group = &groups[*number];
        (Reverse(group.gain), group.mistake, group.range().start)
    };
    numbers.sort_by_key(order);
    let mut taken = Taken::default();
    numbers.retain(|number| groups[*number].gain > 0 && taken.take(groups[*number].range()));
    numbers
}

impl Known {
    pub(super) fn new(evidence: &Evidence, version: u32) -> Known {
        Known { consistent: evidence.consistent(), of_mistakes: evidence.known(), version }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_with_a_blank_and_are_in_the_slice() {
        let text = b"ab cd\nef";
        assert_eq!(word_at(text, 4, &(0..8)), (Some(3..6), 6));
        assert_eq!(word_at(text, 0, &(0..8)), (Some(0..3), 3));
        assert_eq!(word_at(text, 7, &(6..8)), (Some(6..8), 8));
        // Cut by the slice, at its end and at its start.
        assert_eq!(word_at(text, 3, &(0..4)), (None, 4));
        assert_eq!(word_at(text, 4, &(4..8)), (None, 6));
        let long = "x".repeat(LONGEST + 1);
        assert_eq!(word_at(long.as_bytes(), 5, &(0..long.len())), (None, long.len()));
    }

    #[test]
    fn a_word_is_another_where_it_ends_a_quotation() {
        let find = |word: &str| {
            let mistake = Mistake::all().next().expect("a mistake");
            vec![Group::new(mistake, vec![Run { start: 4, end: word.len() - 1, was: "ß".into() }])]
        };
        let mut words = Words::default();
        words.begin(false);
        let mut number = |text: &str, at: usize| words.number(text, &(at..text.len()), Set::ALL, find);
        let text = "eine StraÃ” ";
        let word = text.find('S').expect("a letter");
        // Its number, whatever comes before it, but no opening quotation mark.
        assert_eq!(number(text, word), Some(0));
        assert_eq!(number(&format!("die {text}"), word + 4), Some(0));
        assert_eq!(number(&format!("“{text}"), word + 3), None);
    }
}
