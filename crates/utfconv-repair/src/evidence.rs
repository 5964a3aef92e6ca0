//! Evidence about a document: which mistakes are proven for it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use super::groups::Group;
use super::mistakes::{MISTAKES, Mistake, Set};
use utfconv_core::utf8::count_bytes;
use utfconv_detect::plausibility::{Cost, NATS};

/// The gain from which on a group is evidence for the document.
const FLOOR: Cost = 4 * NATS;

/// The sum of evidence that proves a mistake, in a document with only ASCII otherwise.
const ENOUGH: Cost = 5 * NATS;

/// The additional sum where the document also has correct characters outside ASCII.
const ENOUGH_AMONG_OTHERS: Cost = 9 * NATS;

/// Then it also takes so many different groups, or one that is a sentence.
const GROUPS_AMONG_OTHERS: usize = 2;
const SENTENCE: Cost = 50 * NATS;

/// The cost of a single symbol that was two characters: such pairs are written as faces and in tables.
const LONE_SYMBOL: Cost = 4 * NATS;

/// The gain that a group needs where its mistake is proven for the document: usually, where most characters are broken,
/// and where most are correct.
pub(super) const LEAST: Cost = 2 * NATS;
const LEAST_AMONG_BROKEN: Cost = -6 * NATS;
const LEAST_AMONG_OTHERS: Cost = 6 * NATS;

/// How many characters, for each one of a group, may be around groups that a mistake can have made, but not of UTF-8.
const MOST_AROUND: u64 = 2;

/// Evidence about a document at a level.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    /// By mistake.
    tallies: [Tally; MISTAKES],
    /// Characters that are not ASCII.
    others: u64,
}

/// Evidence for a mistake in a document.
#[derive(Debug, Default)]
struct Tally {
    /// What groups gained that differ, and their texts with context.
    total: Cost,
    counted: HashSet<String>,
    /// How many characters are in groups that gain, and how many around these may be bytes of sequences, too.
    chars: u64,
    around: u64,
    /// How many characters are in any groups.
    explained: u64,
    /// What groups gain or lose together, and the same without the cost of the mistake.
    sum: Cost,
    fit: Cost,
    /// How much more other readings of the same characters gain.
    contested: Cost,
    /// A group, and whether there were others.
    first: Option<String>,
    is_varied: bool,
}

impl Tally {
    /// Takes the text of a group.
    fn vary(&mut self, text: &str) {
        self.is_varied = self.is_varied || self.first.get_or_insert_with(|| text.into()) != text;
    }
}

impl Evidence {
    fn tally(&self, mistake: Mistake) -> &Tally {
        &self.tallies[mistake.number()]
    }

    /// Returns the mistakes that are proven for the document.
    pub(super) fn proven(&self) -> Set {
        Mistake::all().filter(|mistake| self.is_proven(*mistake)).collect()
    }

    /// Takes text that has so many characters outside ASCII, and no runs but those that are explained.
    pub(super) fn pass(&mut self, others: u64) {
        self.others += others;
    }

    /// Takes the groups of a word that occurs some times in the text that was passed.
    pub(super) fn explain(&mut self, groups: &[Group], word: &str, times: u64) {
        for group in groups {
            let chars = group.chars(word);
            group
                .mistakes
                .iter()
                .for_each(|mistake| self.tallies[mistake.number()].explained += times * chars);
        }
    }

    /// Whether a mistake can be proven at all.
    pub(super) fn may_be_proven(&self, mistake: Mistake) -> bool {
        !mistake.is_of_whole_texts() || 2 * self.tally(mistake).explained >= self.others
    }

    /// Takes the gains and losses of all groups of a word.
    pub(super) fn weigh(&mut self, groups: &[Group]) {
        for (group, contested) in groups.iter().zip(contested(groups)) {
            let was: String = group.runs.iter().map(|run| &*run.was).collect();
            for mistake in group.mistakes.iter() {
                let tally = &mut self.tallies[mistake.number()];
                tally.vary(&was);
                tally.sum = tally.sum.saturating_add(group.gain);
                // One mistake was made for all of them.
                tally.fit = tally.fit.saturating_add(group.gain + group.rarity());
                tally.contested = tally.contested.saturating_add(contested);
            }
        }
    }

    /// Takes a group that is the best reading of its characters.
    pub(super) fn count(&mut self, group: &Group, word: &str, times: u64) {
        let (chars, around) = (times * group.chars(word), times * group.around(word));
        let lone = if group.is_lone_symbol(word) { LONE_SYMBOL } else { 0 };
        let gain = group.gain - FLOOR - lone;
        for mistake in group.mistakes.iter() {
            let tally = &mut self.tallies[mistake.number()];
            tally.chars += chars;
            tally.around += around;
            if gain > 0 {
                let (context, _) = group.with_context(word);
                let key =
                    if group.is_pair_of_letters(context, word) { &word[group.range()] } else { context };
                if tally.counted.insert(key.to_string()) {
                    tally.total = tally.total.saturating_add(gain);
                }
            }
        }
    }

    /// Returns the mistake that explains all characters best, if one does.
    pub(super) fn consistent(&self) -> Option<Mistake> {
        let order = |mistake: &Mistake| (self.tally(*mistake).fit - mistake.rarity(), Reverse(*mistake));
        Mistake::all().filter(|mistake| self.is_consistent(*mistake)).max_by_key(order)
    }

    /// Returns the mistake with the most evidence; of those that have as much, the commonest.
    pub(super) fn likeliest(&self, mistakes: Set) -> Mistake {
        let order = |mistake: &Mistake| (self.tally(*mistake).total, Reverse(*mistake));
        mistakes.iter().max_by_key(order).expect("a group has a mistake")
    }

    /// Returns how many characters are not explained by a mistake.
    fn well(&self, mistake: Mistake) -> u64 {
        self.others.saturating_sub(self.tally(mistake).chars)
    }

    /// Whether a mistake explains all of several characters of the document, and other mistakes explain none of them much
    /// better.
    fn is_consistent(&self, mistake: Mistake) -> bool {
        let tally = self.tally(mistake);
        let gain = tally.sum.saturating_sub(tally.contested);
        tally.explained == self.others && gain >= FLOOR + ENOUGH && tally.is_varied
    }

    pub(super) fn is_proven(&self, mistake: Mistake) -> bool {
        if self.is_consistent(mistake) {
            return true;
        }
        let Tally { total, counted, chars, around, .. } = self.tally(mistake);
        // Most of the bytes are not those of UTF-8: they are of another encoding, such as Shift_JIS.
        if *around > MOST_AROUND * chars {
            return false;
        }
        match self.well(mistake) {
            0 => *total >= ENOUGH,
            well if mistake.is_of_whole_texts() && well > *chars => false,
            _ if *total >= SENTENCE => true,
            _ => *total >= ENOUGH + ENOUGH_AMONG_OTHERS && counted.len() >= GROUPS_AMONG_OTHERS,
        }
    }

    /// Returns the gain that a group needs.
    pub(super) fn least(&self, mistake: Mistake) -> Cost {
        let (well, chars) = (self.well(mistake), self.tally(mistake).chars);
        if self.is_consistent(mistake) {
            Cost::MIN
        } else if self.is_proven(mistake) && well * 8 < chars {
            LEAST_AMONG_BROKEN
        } else if well > 4 * chars {
            LEAST_AMONG_OTHERS
        } else {
            LEAST
        }
    }
}

/// Returns, for each group, how much more the best other reading of its characters gains, if any does.
fn contested(groups: &[Group]) -> Vec<Cost> {
    let mut order: Vec<usize> = (0..groups.len()).collect();
    order.sort_by_key(|number| groups[*number].range().start);
    let mut contested = vec![0; groups.len()];
    for (at, one) in order.iter().enumerate() {
        let end = groups[*one].range().end;
        for other in order[at + 1..].iter().take_while(|other| groups[**other].range().start < end) {
            let more = groups[*other].gain - groups[*one].gain;
            contested[*one] = contested[*one].max(more);
            contested[*other] = contested[*other].max(-more);
        }
    }
    contested
}

/// Ranges that are taken already.
#[derive(Default)]
pub(super) struct Taken(BTreeMap<usize, usize>);

impl Taken {
    /// Takes a range if it overlaps with none.
    pub(super) fn take(&mut self, range: Range<usize>) -> bool {
        let overlaps = self.0.range(..range.end).next_back().is_some_and(|(_, end)| *end > range.start);
        if !overlaps {
            self.0.insert(range.start, range.end);
        }
        !overlaps
    }
}

/// Returns how many characters are not ASCII.
pub(super) fn others(text: &[u8]) -> u64 {
    count_bytes(text, |byte| byte >= 0xC0) as u64
}
