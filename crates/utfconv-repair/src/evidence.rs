//! Evidence about a document: which mistakes are proven for it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use super::groups::Group;
use super::mistakes::{MISTAKES, Mistake, Set, is_possible};
use utfconv_core::utf8::count_bytes;
use utfconv_detect::plausibility::{Cost, NATS};

/// The gain in nats that a group of correct text has by chance: a pair of letters is one of about 55 (e^4), so that one in so many
/// gains as much.
const CHANCE: Cost = 4 * NATS;

/// The evidence in nats that proves a mistake in a document whose other characters are ASCII: one document in e^4 (55) has a
/// mistake. With 8, one broken sentence in 160 is left.
const PROOF: Cost = 4 * NATS;

/// The evidence in nats of two groups or more, and of a single one, if the document has correct characters outside ASCII: one such
/// document in e^13 (440,000) has a mistake, and a single group has to be a sentence, in a script of its own.
const PROOF_AMONG_CORRECT: [Cost; 2] = [13 * NATS, 50 * NATS];

/// The gain in nats that each group needs where its mistake is proven: odds of 7 to 1.
const LEAST: Cost = 2 * NATS;

/// Evidence about a document at a level.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    /// By mistake.
    tallies: [Tally; MISTAKES],
    /// Number of characters that are not ASCII.
    others: u64,
}

/// Evidence for a mistake in a document.
#[derive(Debug, Default)]
struct Tally {
    /// What groups gained above [`CHANCE`] that differ, and their contexts.
    gain: Cost,
    contexts: HashSet<String>,
    /// Number of characters in groups that gain.
    chars: u64,
    /// Number of characters in all groups, and of those around them that may be bytes of sequences, too.
    in_groups: u64,
    around: u64,
    /// Number of characters in any groups.
    explained: u64,
    /// What groups gain or lose together, without the cost of the mistake.
    fit: Cost,
    /// What a group was, and whether others were something else.
    first: Option<String>,
    is_varied: bool,
}

impl Evidence {
    fn tally(&self, mistake: Mistake) -> &Tally {
        &self.tallies[mistake.number()]
    }

    /// Returns the mistakes that are proven for the document.
    pub(super) fn proven(&self) -> Set {
        Mistake::all().filter(|mistake| self.is_proven(*mistake)).collect()
    }

    /// Takes text with this many characters outside ASCII.
    pub(super) fn pass(&mut self, others: u64) {
        self.others += others;
    }

    /// Takes the groups of a word that the text has this many times.
    pub(super) fn explain(&mut self, groups: &[Group], word: &str, times: u64) {
        for group in groups {
            let chars = times * group.chars(word);
            group.mistakes.iter().for_each(|mistake| self.tallies[mistake.number()].explained += chars);
        }
    }

    /// Whether a mistake can be proven at all.
    pub(super) fn may_be_proven(&self, mistake: Mistake) -> bool {
        !mistake.is_of_whole_texts() || 2 * self.tally(mistake).explained >= self.others
    }

    /// Takes all groups of a word, which are measured.
    pub(super) fn weigh(&mut self, groups: &[Group], word: &str, times: u64) {
        for group in groups {
            let was: String = group.runs.iter().map(|run| &*run.was).collect();
            for mistake in group.mistakes.iter() {
                let tally = &mut self.tallies[mistake.number()];
                tally.is_varied |= *tally.first.get_or_insert_with(|| was.clone()) != was;
                tally.fit = tally.fit.saturating_add(group.gain + group.rarity());
            }
        }
        let possible = word.chars().filter(|char| is_possible(*char)).count() as u64;
        for (mistake, tally) in Mistake::all().zip(&mut self.tallies) {
            let chars: u64 = groups
                .iter()
                .filter(|group| group.mistakes.has(mistake))
                .map(|group| group.chars(word))
                .sum();
            if chars > 0 {
                tally.in_groups += times * chars;
                tally.around += times * possible.saturating_sub(chars);
            }
        }
    }

    /// Takes a group that is the best reading of its characters.
    pub(super) fn count(&mut self, group: &Group, word: &str, times: u64) {
        let gain = group.gain - CHANCE;
        // Correct words in a script of their own have the same letters again and again, as "БРЈ" has.
        let (context, _) = group.with_context(word);
        let is_latin = context.bytes().any(|byte| byte.is_ascii_alphabetic());
        let key = if is_latin { context } else { &word[group.range()] };
        let is_lone = group.is_lone(word);
        for mistake in group.mistakes.iter() {
            let tally = &mut self.tallies[mistake.number()];
            tally.chars += times * group.chars(word);
            // A program that breaks whole texts breaks words.
            if gain <= 0 || is_lone && mistake.is_of_whole_texts() || !tally.contexts.insert(key.into()) {
                continue;
            }
            tally.gain = tally.gain.saturating_add(gain);
        }
    }

    /// Returns the mistake that explains all characters best, if one does.
    pub(super) fn consistent(&self) -> Option<Mistake> {
        let order = |mistake: &Mistake| (self.tally(*mistake).fit - mistake.rarity(), Reverse(*mistake));
        Mistake::all().filter(|mistake| self.is_consistent(*mistake)).max_by_key(order)
    }

    /// Returns the mistake with the most evidence; of those that have as much, the commonest.
    pub(super) fn likeliest(&self, mistakes: Set) -> Mistake {
        let order = |mistake: &Mistake| (self.tally(*mistake).gain, Reverse(*mistake));
        mistakes.iter().max_by_key(order).expect("a group has a mistake")
    }

    /// Whether a mistake explains all of several characters of the document: one mistake was made for all of them.
    fn is_consistent(&self, mistake: Mistake) -> bool {
        let Tally { explained, fit, is_varied, .. } = self.tally(mistake);
        let gain = fit - mistake.rarity();
        *explained == self.others && gain >= CHANCE + PROOF && *is_varied
    }

    pub(super) fn is_proven(&self, mistake: Mistake) -> bool {
        if self.is_consistent(mistake) {
            return true;
        }
        let Tally { gain, contexts, chars, in_groups, around, .. } = self.tally(mistake);
        // Most of the bytes are not those of UTF-8: they are of another encoding, such as Shift_JIS.
        if around > in_groups {
            return false;
        }
        match self.others.saturating_sub(*chars) {
            0 => *gain >= PROOF,
            _ => *gain >= PROOF_AMONG_CORRECT[usize::from(contexts.len() == 1)],
        }
    }

    /// Returns the gain that a group needs.
    pub(super) fn least(&self, mistake: Mistake) -> Cost {
        if self.is_consistent(mistake) { Cost::MIN } else { LEAST }
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

/// Returns how many characters are not ASCII.
pub(super) fn others(text: &[u8]) -> u64 {
    count_bytes(text, |byte| byte >= 0xC0) as u64
}
