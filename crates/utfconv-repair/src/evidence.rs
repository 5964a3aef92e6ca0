//! Evidence about a document: which mistakes are proven for it.

use std::cmp::Reverse;
use std::collections::BTreeMap;
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

/// How many different groups are evidence for a mistake.
const COUNTED: usize = 64;

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
    counted: Vec<String>,
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

/// The counts of a word, by mistake.
#[derive(Debug, Default)]
pub(super) struct Tallied {
    /// The mistakes of its groups.
    mistakes: Set,
    /// As in [`Tally`].
    explained: [u16; MISTAKES],
    sums: [Cost; MISTAKES],
    fits: [Cost; MISTAKES],
    contested: [Cost; MISTAKES],
    chars: [u16; MISTAKES],
    around: [u16; MISTAKES],
}

impl Tallied {
    /// Takes all groups of a word.
    pub(super) fn explain(&mut self, groups: &[Group], word: &str) {
        for group in groups {
            self.explained[group.mistake.number()] += group.chars(word) as u16;
        }
    }

    /// Takes its groups that were measured, and the `best` of them.
    pub(super) fn take(&mut self, groups: &[Group], best: &[usize], word: &str) {
        *self = Tallied { explained: self.explained, ..Tallied::default() };
        for (group, contested) in groups.iter().zip(contested(groups)) {
            for mistake in group.mistakes.iter() {
                self.mistakes.insert(mistake);
                self.sums[mistake.number()] += group.gain;
                self.fits[mistake.number()] += group.gain + group.rarity();
                self.contested[mistake.number()] += contested;
            }
        }
        for group in best.iter().map(|number| &groups[*number]) {
            let (chars, around) = (group.chars(word) as u16, group.around(word) as u16);
            for mistake in group.mistakes.iter() {
                self.chars[mistake.number()] += chars;
                self.around[mistake.number()] += around;
            }
        }
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

    /// Takes groups of text that was passed.
    pub(super) fn explain(&mut self, groups: &[Group], text: &str) {
        for group in groups {
            self.tallies[group.mistake.number()].explained += group.chars(text);
        }
    }

    /// Takes the evidence of a sample for a text that `mistake` explains as a whole, of `all` characters outside ASCII.
    pub(super) fn take_sample(&mut self, sample: Evidence, mistake: Mistake, all: u64) {
        let sampled = sample.others.max(1);
        for (number, (tally, sample)) in self.tallies.iter_mut().zip(sample.tallies).enumerate() {
            if number != mistake.number() {
                // Others are not known to explain all of it.
                let scaled = |count: u64| (count * all / sampled).min(all.saturating_sub(1));
                tally.explained += scaled(sample.explained);
                tally.chars += scaled(sample.chars);
            }
            tally.sum = tally.sum.saturating_add(sample.sum);
            tally.fit = tally.fit.saturating_add(sample.fit);
            tally.contested = tally.contested.saturating_add(sample.contested);
            tally.is_varied |= sample.is_varied;
            tally.total = tally.total.saturating_add(sample.total);
            tally.counted.extend(sample.counted);
            tally.counted.truncate(COUNTED);
        }
        self.take_whole(mistake, all);
    }

    /// Takes a text that `mistake` explains as a whole, of `all` characters outside ASCII.
    pub(super) fn take_whole(&mut self, mistake: Mistake, all: u64) {
        self.others += all;
        let tally = &mut self.tallies[mistake.number()];
        tally.explained += all;
        tally.chars += all;
    }

    /// Whether a mistake can be proven at all.
    pub(super) fn may_be_proven(&self, mistake: Mistake) -> bool {
        !mistake.is_of_whole_texts() || 2 * self.tally(mistake).explained >= self.others
    }

    /// Takes a word that is explained so.
    pub(super) fn explain_word(&mut self, tallied: &Tallied) {
        for (tally, count) in self.tallies.iter_mut().zip(tallied.explained) {
            tally.explained += u64::from(count);
        }
    }

    /// Takes the gains and losses of a word's groups, and how many characters the best have.
    pub(super) fn sum_word(&mut self, tallied: &Tallied, groups: &[Group], word: &str) {
        for mistake in tallied.mistakes.iter() {
            if !self.tally(mistake).is_varied {
                groups.iter().filter(|group| group.mistakes.has(mistake)).for_each(|group| {
                    self.tallies[mistake.number()].vary(&word[group.range()]);
                });
            }
            let (tally, number) = (&mut self.tallies[mistake.number()], mistake.number());
            tally.sum = tally.sum.saturating_add(tallied.sums[number]);
            tally.fit = tally.fit.saturating_add(tallied.fits[number]);
            tally.contested = tally.contested.saturating_add(tallied.contested[number]);
            tally.chars += u64::from(tallied.chars[number]);
            tally.around += u64::from(tallied.around[number]);
        }
    }

    /// Takes the gains and losses of all groups of a window.
    pub(super) fn sum(&mut self, groups: &[Group], text: &str) {
        for (group, contested) in groups.iter().zip(contested(groups)) {
            let (group_text, fit) = (&text[group.range()], group.gain + group.rarity());
            for mistake in group.mistakes.iter() {
                let tally = &mut self.tallies[mistake.number()];
                tally.vary(group_text);
                tally.sum = tally.sum.saturating_add(group.gain);
                // One mistake was made for all of them.
                tally.fit = tally.fit.saturating_add(fit);
                tally.contested = tally.contested.saturating_add(contested);
            }
        }
    }

    /// Takes a group that is the best reading of its characters.
    pub(super) fn count(&mut self, group: &Group, text: &str) {
        let (chars, around) = (group.chars(text), group.around(text));
        for mistake in group.mistakes.iter() {
            let tally = &mut self.tallies[mistake.number()];
            tally.chars += chars;
            tally.around += around;
        }
        self.count_gain(group, text);
    }

    /// The same without the number of its characters.
    pub(super) fn count_gain(&mut self, group: &Group, text: &str) {
        let lone = if group.is_lone_symbol(text) { LONE_SYMBOL } else { 0 };
        let gain = group.gain - FLOOR - lone;
        for mistake in group.mistakes.iter() {
            let tally = &mut self.tallies[mistake.number()];
            if gain <= 0 || tally.counted.len() >= COUNTED {
                continue;
            }
            let (context, _) = group.with_context(text);
            let key = if group.is_pair_of_letters(context, text) { &text[group.range()] } else { context };
            if !tally.counted.iter().any(|known| known == key) {
                tally.counted.push(key.to_string());
                tally.total += gain;
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

    /// The criteria for groups, by mistake: whether it is proven, the gain that a group needs, and all evidence.
    pub(super) fn known(&self) -> [(bool, Cost, Cost); MISTAKES] {
        let mut known = [(false, 0, 0); MISTAKES];
        for (known, mistake) in known.iter_mut().zip(Mistake::all()) {
            *known = (self.is_proven(mistake), self.least(mistake), self.tally(mistake).total);
        }
        known
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
