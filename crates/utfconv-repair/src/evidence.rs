//! Collects the evidence that a mistake was made in a document.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use super::groups::Group;
use super::mistakes::{MISTAKES, Mistake, Roles, Set, is_possible};
use utfconv_core::utf8::count_bytes;
use utfconv_detect::plausibility::{Cost, NATS};

/// Cost of a character in plausible text: 4 nats, because a given pair of letters is one of about 55 (e^4). A group in
/// correct text gains at most this much by chance. Also the log odds that a document has no mistake, and that a damaged
/// document was damaged only once: with 8 nats, one damaged sentence in 160 would not be repaired.
pub(super) const CHANCE: Cost = 4 * NATS;

/// Evidence that proves a mistake in a document with non-ASCII characters that the mistake does not explain, if it is
/// from groups in two or more contexts: 13 nats, odds of 440,000 (e^13) to 1.
pub(super) const PROOF: Cost = 13 * NATS;

/// Evidence that proves a mistake alone, such as that of a single context: 50 nats. A garbled word in another script,
/// such as "привет", has 50 nats; a single accented letter does not.
pub(super) const PROOF_ALONE: Cost = 50 * NATS;

/// For this many words, or characters that a mistake explains, one exception is allowed. A word is an exception if the
/// mistake cannot be undone in the word, or if the word then costs more. A character is one if it begins an incomplete
/// sequence.
pub(super) const EXCEPTIONS: usize = 10;

/// Evidence about a document at one level of double encoding.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    /// The evidence for each mistake, by its number.
    tallies: [Tally; MISTAKES],
    /// Number of non-ASCII characters.
    pub(super) others: u64,
}

/// The evidence for a mistake in a document.
#[derive(Debug, Default)]
struct Tally {
    /// The sum of the gains above [`CHANCE`] of groups in distinct contexts.
    gain: Cost,
    /// The contexts of the groups that are counted in `gain`.
    contexts: HashSet<String>,
    /// Number of characters in groups that gain.
    chars: u64,
    /// Number of characters in all groups.
    in_groups: u64,
    /// Number of characters beside the groups, in the same words, that may be bytes of sequences too.
    around: u64,
    /// Number of characters in groups, counted before the groups are measured.
    explained: u64,
    /// Number of characters that remain of characters that lost bytes; 0 unless these are restored.
    remaining: u64,
    /// Number of characters that begin a sequence of this mistake, but are followed by a non-ASCII character that
    /// cannot be second in it.
    broken: u64,
    /// The sum of the gains and losses of all groups, without the cost of the mistake.
    fit: Cost,
    /// The original text of the first group.
    first: Option<String>,
    /// Whether another group had another original text.
    is_varied: bool,
}

impl Evidence {
    fn tally(&self, mistake: Mistake) -> &Tally {
        &self.tallies[mistake.number()]
    }

    /// Returns the mistakes that are proven for the document.
    pub(super) fn proven(&self) -> Set {
        Set::ALL.filter(|mistake| self.is_proven(*mistake))
    }

    /// Adds the groups of a word that occurs `times` times, before they are measured.
    pub(super) fn explain(&mut self, groups: &[Group], word: &str, times: u64) {
        for group in groups {
            let chars = times * group.chars(word);
            group.mistakes.iter().for_each(|mistake| self.tallies[mistake.number()].explained += chars);
        }
    }

    /// Adds the numbers of characters that remain of characters that lost bytes after each mistake.
    pub(super) fn add_remains(&mut self, counts: [u64; MISTAKES]) {
        self.tallies.iter_mut().zip(counts).for_each(|(tally, count)| tally.remaining += count);
    }

    /// Counts the sequences of a text that each of the `likely` mistakes of whole texts leaves incomplete. There are
    /// many if the text was read in another code page that has some characters at the same bytes.
    pub(super) fn add_broken(&mut self, text: &str, likely: Set) {
        let (roles, whole) = (Roles::get(), likely.filter(|mistake| mistake.is_of_whole_texts()));
        let text = if whole == Set::default() { "" } else { text };
        for (char, next) in text.chars().zip(text.chars().skip(1)).filter(|(_, next)| !next.is_ascii()) {
            let begun = roles.leading(char.into(), whole);
            let continued = roles.starting(char.into(), next.into(), begun);
            let broken = begun.filter(|mistake| !continued.has(*mistake));
            broken.iter().for_each(|mistake| self.tallies[mistake.number()].broken += 1);
        }
    }

    /// Whether the mistake can be proven at all.
    pub(super) fn may_be_proven(&self, mistake: Mistake) -> bool {
        let Tally { explained, broken, .. } = self.tally(mistake);
        !mistake.is_of_whole_texts()
            || 2 * explained >= self.others && EXCEPTIONS as u64 * broken <= *explained
    }

    /// Adds all groups of a word after they are measured.
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

    /// Adds a group that is the best reading of its characters.
    pub(super) fn count(&mut self, group: &Group, word: &str, times: u64) {
        let gain = group.gain - CHANCE;
        // Correct words in a script of their own often have the same letters, as "БРЈ" does, so their context is no
        // key.
        let (context, _) = group.with_context(word);
        let is_latin = context.bytes().any(|byte| byte.is_ascii_alphabetic());
        let key = if is_latin { context } else { &word[group.range()] };
        let is_lone = group.is_lone(word);
        for mistake in group.mistakes.iter() {
            let tally = &mut self.tallies[mistake.number()];
            tally.chars += times * group.chars(word);
            // A mistake of whole texts damages words too, so a lone symbol is no evidence for it.
            let counts = gain > 0 && !(is_lone && mistake.is_of_whole_texts());
            if counts && tally.contexts.insert(key.into()) {
                tally.gain = tally.gain.saturating_add(gain);
            }
        }
    }

    /// Returns the mistake that explains all non-ASCII characters best, if there is one.
    pub(super) fn consistent(&self) -> Option<Mistake> {
        let order = |mistake: &Mistake| (self.tally(*mistake).fit - mistake.rarity(), Reverse(*mistake));
        Mistake::all().filter(|mistake| self.is_consistent(*mistake)).max_by_key(order)
    }

    /// Returns the mistake with the most evidence, and the most common mistake if several have the same evidence.
    pub(super) fn likeliest(&self, mistakes: Set) -> Mistake {
        let order = |mistake: &Mistake| (self.tally(*mistake).gain, Reverse(*mistake));
        mistakes.iter().max_by_key(order).expect("a group has a mistake")
    }

    /// Whether a mistake explains all non-ASCII characters of the document and these differ, so that one mistake was
    /// made for all of them.
    fn is_consistent(&self, mistake: Mistake) -> bool {
        let Tally { explained, remaining, fit, is_varied, .. } = self.tally(mistake);
        let gain = fit - mistake.rarity();
        explained + remaining == self.others && gain >= 2 * CHANCE && *is_varied
    }

    pub(super) fn is_proven(&self, mistake: Mistake) -> bool {
        if self.is_consistent(mistake) {
            return true;
        }
        let Tally { gain, contexts, chars, remaining, in_groups, around, .. } = self.tally(mistake);
        // If most of the bytes do not form UTF-8, they are text in another encoding, such as Shift_JIS.
        if around > in_groups || !self.may_be_proven(mistake) {
            return false;
        }
        let proof = match contexts.len() {
            _ if self.others <= chars + remaining => CHANCE,
            1 => PROOF_ALONE,
            _ => PROOF,
        };
        *gain >= proof
    }

    /// Whether a group is more probably damaged than meant. If its mistake cannot be proven, because it explains too
    /// few characters, the document has to have as much evidence for the mistake as for a proof.
    pub(super) fn accepts(&self, group: &Group) -> bool {
        let is_likely = self.may_be_proven(group.mistake) || self.tally(group.mistake).gain >= PROOF;
        group.gain > 0 && is_likely || self.is_consistent(group.mistake)
    }
}

/// A set of ranges that do not overlap.
#[derive(Default)]
pub(super) struct Taken(BTreeMap<usize, usize>);

impl Taken {
    /// Inserts a range if it overlaps no other range of the set. Returns whether the range was inserted.
    pub(super) fn take(&mut self, range: Range<usize>) -> bool {
        let overlaps = self.0.range(..range.end).next_back().is_some_and(|(_, end)| *end > range.start);
        if !overlaps {
            self.0.insert(range.start, range.end);
        }
        !overlaps
    }
}

/// Returns the number of non-ASCII characters in well-formed UTF-8.
pub(super) fn others(text: &[u8]) -> u64 {
    count_bytes(text, |byte| byte >= 0xC0) as u64
}
