//! What is known of a document: which mistakes are proven for it.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use super::groups::Group;
use super::mistakes::{MISTAKES, Mistake, Set};
use crate::detect::plausibility::{Cost, NATS};

/// What a group has to gain to count as evidence for the document.
const FLOOR: Cost = 4 * NATS;

/// What all evidence for a mistake has to come to, in a document without other characters than ASCII.
const ENOUGH: Cost = 5 * NATS;

/// What it has to come to more where the document also has other characters, which are as they should be.
const ENOUGH_AMONG_OTHERS: Cost = 9 * NATS;

/// Then it also takes so many different groups, or one that is a sentence.
const GROUPS_AMONG_OTHERS: usize = 2;
const SENTENCE: Cost = 50 * NATS;

/// What a single symbol costs that was two characters: such pairs are written as faces and in tables.
const LONE_SYMBOL: Cost = 4 * NATS;

/// What a group has to gain where its mistake is proven for the document: usually, where most characters are broken, and
/// where most are as they should be.
pub(super) const LEAST: Cost = 2 * NATS;
const LEAST_AMONG_BROKEN: Cost = -6 * NATS;
const LEAST_AMONG_OTHERS: Cost = 6 * NATS;

/// How many different groups are evidence for a mistake.
const COUNTED: usize = 64;

/// What is known of a document at a level.
#[derive(Debug)]
pub(super) struct Evidence {
    /// By mistake: what groups gained that differ.
    totals: [Cost; MISTAKES],
    counted: [Vec<String>; MISTAKES],
    /// By mistake: how many characters are in groups that gain.
    chars: [u64; MISTAKES],
    /// By mistake: how many characters are in any groups, and what different groups gain or lose together.
    explained: [u64; MISTAKES],
    sums: [Cost; MISTAKES],
    /// By mistake: the same without the cost of the mistake.
    fits: [Cost; MISTAKES],
    /// By mistake: a group, and whether there were others.
    first: [Option<String>; MISTAKES],
    varied: [bool; MISTAKES],
    /// Characters that are not ASCII.
    others: u64,
}

impl Default for Evidence {
    fn default() -> Evidence {
        Evidence {
            totals: [0; MISTAKES],
            counted: [const { Vec::new() }; MISTAKES],
            chars: [0; MISTAKES],
            explained: [0; MISTAKES],
            sums: [0; MISTAKES],
            fits: [0; MISTAKES],
            first: [const { None }; MISTAKES],
            varied: [false; MISTAKES],
            others: 0,
        }
    }
}

impl Evidence {
    /// Takes all groups of a window.
    pub(super) fn explain(&mut self, groups: &[Group], text: &str) {
        self.others += others(text);
        for group in groups {
            self.explained[group.mistake.number()] += group.chars(text);
        }
    }

    /// Takes the evidence of a sample for a text that `mistake` explains as a whole, of `all` characters outside ASCII.
    pub(super) fn take_sample(&mut self, sample: Evidence, mistake: Mistake, all: u64) {
        let sampled = sample.others.max(1);
        for number in Mistake::all().map(Mistake::number).filter(|number| *number != mistake.number()) {
            // Others are not known to explain all of it.
            let scaled = |count: u64| (count * all / sampled).min(all.saturating_sub(1));
            self.explained[number] += scaled(sample.explained[number]);
            self.chars[number] += scaled(sample.chars[number]);
        }
        for number in 0..MISTAKES {
            self.sums[number] = self.sums[number].saturating_add(sample.sums[number]);
            self.fits[number] = self.fits[number].saturating_add(sample.fits[number]);
            self.varied[number] |= sample.varied[number];
            self.totals[number] = self.totals[number].saturating_add(sample.totals[number]);
        }
        for (known, counted) in self.counted.iter_mut().zip(sample.counted) {
            known.extend(counted);
            known.truncate(COUNTED);
        }
        self.take_whole(mistake, all);
    }

    /// Takes a text that `mistake` explains as a whole, of `all` characters outside ASCII.
    pub(super) fn take_whole(&mut self, mistake: Mistake, all: u64) {
        self.others += all;
        self.explained[mistake.number()] += all;
        self.chars[mistake.number()] += all;
    }

    /// Whether a mistake can be proven at all.
    pub(super) fn may_be_proven(&self, mistake: Mistake) -> bool {
        !mistake.is_of_whole_texts() || 2 * self.explained[mistake.number()] >= self.others
    }

    /// Takes what all groups of a window gain or lose.
    pub(super) fn sum(&mut self, groups: &[Group], text: &str) {
        for group in groups {
            let (group_text, fit) = (&text[group.range()], group.gain + group.rarity());
            for number in group.mistakes.iter().map(Mistake::number) {
                self.varied[number] |=
                    self.first[number].get_or_insert_with(|| group_text.into()) != group_text;
                self.sums[number] = self.sums[number].saturating_add(group.gain);
                // One mistake was made for all of them.
                self.fits[number] = self.fits[number].saturating_add(fit);
            }
        }
    }

    /// Takes a group that is the best reading of its characters.
    pub(super) fn count(&mut self, group: &Group, text: &str) {
        let chars = group.chars(text);
        let lone = if group.is_lone_symbol(text) { LONE_SYMBOL } else { 0 };
        let gain = group.gain - FLOOR - lone;
        for number in group.mistakes.iter().map(Mistake::number) {
            self.chars[number] += chars;
            let counted = &mut self.counted[number];
            if gain <= 0 || counted.len() >= COUNTED {
                continue;
            }
            let (key, _) = group.with_context(text);
            if !counted.iter().any(|known| known == key) {
                counted.push(key.to_string());
                self.totals[number] += gain;
            }
        }
    }

    /// The mistake that explains all characters best, if one does.
    pub(super) fn consistent(&self) -> Option<Mistake> {
        let order = |mistake: &Mistake| (self.fits[mistake.number()] - mistake.rarity(), Reverse(*mistake));
        Mistake::all().filter(|mistake| self.is_consistent(*mistake)).max_by_key(order)
    }

    /// The mistake with the most evidence; of those that have as much, the commonest.
    pub(super) fn likeliest(&self, mistakes: Set) -> Mistake {
        let order = |mistake: &Mistake| (self.totals[mistake.number()], Reverse(*mistake));
        mistakes.iter().max_by_key(order).expect("a group has a mistake")
    }

    /// How many characters are not explained by a mistake.
    fn well(&self, mistake: Mistake) -> u64 {
        self.others.saturating_sub(self.chars[mistake.number()])
    }

    /// Whether a mistake explains all characters of the document, of which there are several.
    fn is_consistent(&self, mistake: Mistake) -> bool {
        let number = mistake.number();
        self.explained[number] == self.others && self.sums[number] >= FLOOR + ENOUGH && self.varied[number]
    }

    pub(super) fn is_proven(&self, mistake: Mistake) -> bool {
        if self.is_consistent(mistake) {
            return true;
        }
        let (total, groups) = (self.totals[mistake.number()], self.counted[mistake.number()].len());
        match self.well(mistake) {
            0 => total >= ENOUGH,
            well if mistake.is_of_whole_texts() && well > self.chars[mistake.number()] => false,
            _ if total >= SENTENCE => true,
            _ => total >= ENOUGH + ENOUGH_AMONG_OTHERS && groups >= GROUPS_AMONG_OTHERS,
        }
    }

    /// What a group has to gain.
    pub(super) fn least(&self, mistake: Mistake) -> Cost {
        let (well, chars) = (self.well(mistake), self.chars[mistake.number()]);
        match () {
            () if self.is_consistent(mistake) => Cost::MIN,
            () if self.is_proven(mistake) && well * 8 < chars => LEAST_AMONG_BROKEN,
            () if well > 4 * chars => LEAST_AMONG_OTHERS,
            () => LEAST,
        }
    }
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

/// How many characters are not ASCII.
pub(super) fn others(text: &str) -> u64 {
    let count = |part: &[u8]| part.iter().map(|byte| u8::from(*byte >= 0xC0)).sum::<u8>();
    text.as_bytes().chunks(255).map(|part| u64::from(count(part))).sum()
}
