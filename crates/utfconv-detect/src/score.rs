//! Scores code pages by the cost of the distinct pairs of adjacent bytes as text of each language. Code pages that
//! decode the bytes to the same characters are compared once.

use std::mem;

use super::cost::{Cost, UNLIKELY};
use super::hints::Hints;
use super::models::{ALPHABETS, Alphabet, MODELS, Role, Sign, cost_of_capital};
use super::pages::{CodePage, NEVER};
use super::sample::Word;

/// The pairs of a byte count as this many pairs at most, because a repeated symbol is little more evidence than a
/// single symbol. Also the least evidence that counts: distinct pairs in a likely answer (a character that occurs in one
/// place has two pairs), UTF-8 characters in lines of other text or per error, non-ASCII characters of UTF-16, and texts
/// after which `plausibility` fully trusts a language.
pub(super) const CONTEXTS: Cost = 3;

/// Number of pairs that are compared at a time.
const CHUNK: usize = 8;

/// The weight of a pair that counts fully.
const WEIGHT: Cost = 64;

/// The distinct pairs of adjacent bytes in a sample.
pub(super) struct Pairs {
    /// The distinct bytes.
    bytes: Vec<u8>,
    pairs: Vec<Pair>,
    /// Number of pairs, repeated pairs included.
    all: usize,
}

#[derive(Clone, Copy)]
struct Pair {
    before: u8,
    now: u8,
    /// The weight of the pair, in units of 1/[`WEIGHT`].
    weight: Cost,
}

impl Pairs {
    /// Returns the pairs of the words in which one byte is non-ASCII.
    pub(super) fn of_words<'a>(words: impl Iterator<Item = &'a Word<'a>>) -> Pairs {
        Pairs::of(words.map(|word| word.bytes), |before, now| !(before | now).is_ascii())
    }

    /// Returns all pairs of a text.
    pub(super) fn of_text(text: &[u8]) -> Pairs {
        Pairs::of([text].into_iter(), |_, _| true)
    }

    fn of<'a>(texts: impl Iterator<Item = &'a [u8]>, is_wanted: impl Fn(u8, u8) -> bool) -> Pairs {
        let (mut known, mut occurs, mut contexts) = ([[0_u8; 32]; 256], [false; 256], [0; 256]);
        let (mut pairs, mut all) = (Vec::new(), 0);
        for pair in texts.flat_map(|text| text.windows(2)).filter(|pair| is_wanted(pair[0], pair[1])) {
            let (before, now) = (pair[0], pair[1]);
            let known = &mut known[usize::from(before)][usize::from(now / 8)];
            all += 1;
            if *known >> (now % 8) & 1 == 0 {
                *known |= 1 << (now % 8);
                pairs.push(Pair { before, now, weight: 0 });
                for byte in [before, now] {
                    occurs[usize::from(byte)] = true;
                    contexts[usize::from(byte)] += Cost::from(!byte.is_ascii());
                }
            }
        }
        for Pair { before, now, weight } in &mut pairs {
            let count = contexts[usize::from(*before)].max(contexts[usize::from(*now)]);
            *weight = WEIGHT * CONTEXTS / count.max(CONTEXTS);
        }
        let bytes = (0..=0xFF).filter(|byte| occurs[usize::from(*byte)]).collect();
        // Each chunk takes pairs from the whole text, so that the first chunks are typical of all chunks.
        let chunks = pairs.len().div_ceil(CHUNK).max(1);
        let order = (0..chunks).flat_map(|first| (first..pairs.len()).step_by(chunks));
        Pairs { bytes, pairs: order.map(|at| pairs[at]).collect(), all }
    }

    /// Returns the share of pairs that are distinct.
    pub(super) fn share(&self) -> f64 {
        let distinct: Cost = self.pairs.iter().map(|pair| pair.weight).sum();
        f64::from(distinct) / f64::from(WEIGHT) / self.all.max(1) as f64
    }
}

/// A code page in its likeliest language, with its costs.
pub(super) struct PageScore {
    /// The index of the code page in the list that was scored.
    pub(super) page: usize,
    pub(super) language: &'static Alphabet,
    /// The cost of the code page and the language.
    pub(super) prior: Cost,
    /// The cost of the sample's byte pairs, decoded by this code page, in `language`.
    pub(super) evidence: Cost,
    /// Number of pairs with a letter.
    pub(super) count: Cost,
}

/// The characters that one or more code pages decode the bytes to.
struct Reading {
    signs: Vec<&'static Sign>,
    units: Vec<u16>,
    /// The least cost, over the code pages, of each alphabet before any byte is compared.
    priors: [Cost; ALPHABETS],
    /// The alphabets in which the reading is not hopeless, with the costs of the pairs.
    known: Vec<(usize, Cost)>,
    /// The cost of capital letters, which is the same in all languages.
    capitals: Cost,
    /// Number of pairs with a letter; only these pairs are evidence for a language.
    count: Cost,
}

/// The best hypothesis so far, and buffers for the next comparison.
struct Race {
    /// A hypothesis that costs more than this is hopeless.
    limit: Cost,
    /// The cost of the pairs of the best hypothesis, after each chunk.
    best: Vec<i64>,
    sums: Vec<i64>,
    roles: [Role; 256],
}

impl Reading {
    fn new(page: &CodePage, pairs: &Pairs) -> Reading {
        let units: Vec<u16> = pairs.bytes.iter().map(|byte| page.units[usize::from(*byte)]).collect();
        let signs: Vec<_> = units.iter().map(|unit| Sign::of_unit(*unit)).collect();
        let mut by_byte = [Sign::of_unit(0); 256];
        pairs.bytes.iter().zip(&signs).for_each(|(byte, sign)| by_byte[usize::from(*byte)] = sign);
        let (mut capitals, mut count) = (0, 0);
        for Pair { before, now, weight } in &pairs.pairs {
            let (before, now) = (by_byte[usize::from(*before)], by_byte[usize::from(*now)]);
            capitals += weight * cost_of_capital(before, now);
            // The weights of letters are rounded up, so that the pairs of a letter count as `CONTEXTS` pairs. Those of a
            // symbol may count as fewer.
            count += match (before.is_letter(), now.is_letter()) {
                (true, true) => weight + 1,
                (false, false) => 0,
                _ => *weight,
            };
        }
        let (capitals, count) = (capitals / WEIGHT, count / WEIGHT);
        Reading { signs, units, priors: [NEVER; ALPHABETS], known: Vec::new(), capitals, count }
    }

    fn is_of(&self, page: &CodePage, pairs: &Pairs) -> bool {
        self.units.iter().zip(&pairs.bytes).all(|(unit, byte)| *unit == page.units[usize::from(*byte)])
    }

    /// Compares the pairs with a language. Gives up if the hypothesis costs more than the limit, or its first pairs
    /// cost much more than the first pairs of the best hypothesis.
    fn compare(&mut self, pairs: &Pairs, language: usize, race: &mut Race) {
        let prior = self.priors[language];
        let alphabet = &MODELS.alphabets[language];
        let Race { limit: limit_of_all, best, sums, roles } = race;
        for (byte, sign) in pairs.bytes.iter().zip(&self.signs) {
            roles[usize::from(*byte)] = sign.role(language);
        }
        let scaled = |cost: Cost| i64::from(WEIGHT) * i64::from(cost);
        let mut sum = scaled(self.capitals);
        let limit = scaled(*limit_of_all - prior);
        sums.clear();
        for (number, some) in pairs.pairs.chunks(CHUNK).enumerate() {
            let each = some.iter().map(|pair| {
                pair.weight * alphabet.cost(roles[usize::from(pair.before)], roles[usize::from(pair.now)])
            });
            sum += i64::from(each.sum::<Cost>());
            if sum > limit || best.get(number).is_some_and(|best| sum > best + scaled(2 * UNLIKELY)) {
                return;
            }
            sums.push(sum);
        }
        let evidence = (sum / i64::from(WEIGHT)) as Cost;
        self.known.push((language, evidence));
        if prior + evidence + UNLIKELY < *limit_of_all {
            *limit_of_all = prior + evidence + UNLIKELY;
            mem::swap(best, sums);
        }
    }
}

/// Scores the code pages, each with the cost given beside it, in their likeliest languages. `by_language` has the cost
/// of each language before any byte is compared. Leaves out hopeless hypotheses.
pub(super) fn score(
    pages: &[(&CodePage, Cost)],
    pairs: &Pairs,
    hints: &Hints,
    by_language: &[Cost; ALPHABETS],
) -> Vec<PageScore> {
    let mut readings: Vec<Reading> = Vec::new();
    let mut numbers = Vec::with_capacity(pages.len());
    let mut by_language = *by_language;
    for (cost, alphabet) in by_language.iter_mut().zip(&MODELS.alphabets) {
        *cost += if hints.has_language(alphabet.name) { 0 } else { NEVER };
    }
    for (page, cost) in pages {
        let number = readings.iter().position(|reading| reading.is_of(page, pairs)).unwrap_or_else(|| {
            readings.push(Reading::new(page, pairs));
            readings.len() - 1
        });
        numbers.push(number);
        let priors = readings[number].priors.iter_mut().zip(page.languages()).zip(&by_language);
        priors.for_each(|((prior, in_page), language)| *prior = (*prior).min(cost + in_page + language));
    }
    // Compare the most probable language of each reading first, because a low limit rules other languages out early.
    let mut race =
        Race { limit: NEVER / 2, best: Vec::new(), sums: Vec::new(), roles: [Role::default(); 256] };
    for reading in &mut readings {
        let first = (0..ALPHABETS).min_by_key(|language| reading.priors[*language]).unwrap_or_default();
        if reading.priors[first] <= race.limit {
            reading.compare(pairs, first, &mut race);
        }
    }
    for language in 0..MODELS.alphabets.len() {
        for reading in &mut readings {
            let is_known = reading.known.first().is_some_and(|(first, _)| *first == language);
            if reading.priors[language] <= race.limit && !is_known {
                reading.compare(pairs, language, &mut race);
            }
        }
    }
    let likeliest = |(at, number): (usize, usize)| {
        let Reading { known, count, .. } = &readings[number];
        let (page, cost) = pages[at];
        let sums = known.iter().map(|(language, evidence)| {
            let prior = cost + page.languages()[*language] + by_language[*language];
            (prior + evidence, prior, *language)
        });
        let (sum, prior, language) = sums.min().filter(|(sum, ..)| *sum < NEVER / 2)?;
        let language = &MODELS.alphabets[language];
        Some(PageScore { page: at, language, prior, evidence: sum - prior, count: *count })
    };
    numbers.into_iter().enumerate().filter_map(likeliest).collect()
}
