//! Scores code pages: the cost of the distinct pairs of adjacent bytes as text of each language. Pages that read the bytes as
//! the same characters are compared once.

use super::hints::Hints;
use super::models::{Alphabet, Case, Cost, MODELS, NATS, Role, Sign, role};
use super::pages::CodePage;
use super::sample::Word;

/// The cost of a fault, in nats: of 20,000 characters, one is an ill-formed sequence, or a byte that the page does not define.
pub(super) const FAULT: Cost = 20 * NATS;

/// The most that ASCII words cost a language of another script: one text in 3 million. A hypothesis that costs this much more
/// than the best one is dropped.
pub(super) const UNLIKELY: Cost = 30 * NATS;

/// The contexts of a byte count as this many at most: a symbol that comes again and again is hardly more evidence than one.
const CONTEXTS: Cost = 3;

/// The weight of a pair that counts fully.
const WEIGHT: Cost = 64;

/// The distinct pairs of adjacent bytes of a sample.
pub(super) struct Pairs {
    /// The distinct bytes, in order.
    bytes: Vec<u8>,
    /// Pairs of indices into `bytes`.
    pairs: Vec<(u8, u8)>,
    /// How much each counts, in units of 1/[`WEIGHT`].
    weights: Vec<Cost>,
    /// How many pairs there are, the same ones included.
    all: usize,
}

impl Pairs {
    /// Returns the pairs of words that have a non-ASCII byte.
    pub(super) fn of_words<'a>(words: impl Iterator<Item = &'a Word<'a>>) -> Pairs {
        Pairs::of(words.map(|word| word.bytes), |before, now| !(before | now).is_ascii())
    }

    /// Returns all pairs of a text.
    pub(super) fn of_text(text: &[u8]) -> Pairs {
        Pairs::of([text].into_iter(), |_, _| true)
    }

    fn of<'a>(texts: impl Iterator<Item = &'a [u8]>, is_wanted: impl Fn(u8, u8) -> bool) -> Pairs {
        let mut occurs = vec![false; 1 << 16];
        let mut pairs = Vec::new();
        let mut all = 0;
        for pair in texts.flat_map(|text| text.windows(2)) {
            let (before, now) = (pair[0], pair[1]);
            let known = &mut occurs[usize::from(u16::from_be_bytes([before, now]))];
            let is_wanted = is_wanted(before, now);
            all += usize::from(is_wanted);
            if !*known && is_wanted {
                *known = true;
                pairs.push((before, now));
            }
        }
        let mut numbers = [None; 256];
        pairs.iter().for_each(|(before, now)| {
            numbers[usize::from(*before)] = Some(0);
            numbers[usize::from(*now)] = Some(0);
        });
        let bytes: Vec<u8> = (0..=0xFF).filter(|byte| numbers[usize::from(*byte)].is_some()).collect();
        bytes.iter().zip(0..).for_each(|(byte, number)| numbers[usize::from(*byte)] = Some(number));
        let number = |byte: u8| numbers[usize::from(byte)].unwrap_or_default();
        let mut contexts = [0; 256];
        for (before, now) in &pairs {
            for byte in [before, now] {
                if !byte.is_ascii() {
                    contexts[usize::from(*byte)] += 1;
                }
            }
        }
        let weight = |(before, now): &(u8, u8)| {
            let count: Cost = contexts[usize::from(*before)].max(contexts[usize::from(*now)]).max(CONTEXTS);
            WEIGHT * CONTEXTS / count
        };
        let weights = pairs.iter().map(weight).collect();
        let pairs = pairs.into_iter().map(|(before, now)| (number(before), number(now))).collect();
        Pairs { bytes, pairs, weights, all }
    }

    /// Returns the share of pairs that are distinct.
    pub(super) fn share(&self) -> f64 {
        f64::from(self.weights.iter().sum::<Cost>()) / f64::from(WEIGHT) / self.all.max(1) as f64
    }
}

/// A code page in its likeliest language.
pub(super) struct PageScore<'a> {
    pub(super) page: &'a CodePage,
    pub(super) language: &'static Alphabet,
    /// The cost of the page and the language.
    pub(super) prior: Cost,
    /// The cost of the pairs.
    pub(super) evidence: Cost,
    /// The number of pairs with a letter.
    pub(super) count: Cost,
}

/// The characters as which some pages read the bytes.
struct Reading {
    units: Vec<u16>,
    /// The cost of capital letters, which is the same in all languages.
    capitals: Cost,
    /// The number of pairs with a letter: only these speak for a language.
    count: Cost,
}

impl Reading {
    fn new(units: Vec<u16>, pairs: &Pairs) -> Reading {
        let cases: Vec<Case> = units.iter().map(|unit| Case::of_unit(*unit)).collect();
        let case = |number: u8| cases[usize::from(number)];
        let each = pairs.pairs.iter().zip(&pairs.weights);
        let capitals =
            each.map(|((before, now), weight)| weight * case(*now).cost_after(case(*before))).sum::<Cost>()
                / WEIGHT;
        let is_letter: Vec<bool> = units.iter().map(|unit| Sign::of_unit(*unit).is_letter()).collect();
        let has_letter =
            |(before, now): &(u8, u8)| is_letter[usize::from(*before)] || is_letter[usize::from(*now)];
        let each = pairs.pairs.iter().zip(&pairs.weights).filter(|(pair, _)| has_letter(pair));
        let count = each.map(|(_, weight)| weight).sum::<Cost>() / WEIGHT;
        Reading { units, capitals, count }
    }

    /// Returns the cost of the pairs in a language; `None` if it exceeds `limit`.
    fn cost(&self, pairs: &Pairs, language: usize, limit: Cost) -> Option<Cost> {
        let alphabet = &MODELS.alphabets[language];
        let mut roles = [Role::default(); 256];
        self.units.iter().zip(&mut roles).for_each(|(unit, known)| *known = role(*unit, language));
        let mut cost = i64::from(WEIGHT) * i64::from(self.capitals);
        let limit = i64::from(WEIGHT) * i64::from(limit);
        for (some, weights) in pairs.pairs.chunks(16).zip(pairs.weights.chunks(16)) {
            if cost > limit {
                return None;
            }
            let each =
                some.iter().map(|(before, now)| (roles[usize::from(*before)], roles[usize::from(*now)]));
            cost += i64::from(
                each.zip(weights)
                    .map(|((before, now), weight)| weight * alphabet.cost(before, now))
                    .sum::<Cost>(),
            );
        }
        (cost <= limit).then_some((cost / i64::from(WEIGHT)) as Cost)
    }
}

/// Returns the code pages, which have these costs, each in the likeliest of its languages, whose costs before any byte was
/// compared are `by_language`. Leaves out hopeless hypotheses.
pub(super) fn score<'a>(
    pages: &[(&'a CodePage, Cost)],
    pairs: &Pairs,
    hints: &Hints,
    by_language: &[Cost],
) -> Vec<PageScore<'a>> {
    let mut readings: Vec<Reading> = Vec::new();
    let mut hypotheses = Vec::new();
    let models = &*MODELS;
    let is_spoken: Vec<bool> = models.alphabets.iter().map(|one| hints.has_language(one.name)).collect();
    for (number, (page, cost)) in pages.iter().enumerate() {
        let units: Vec<u16> = pairs.bytes.iter().map(|byte| page.units[usize::from(*byte)]).collect();
        let reading = readings.iter().position(|reading| reading.units == units).unwrap_or_else(|| {
            readings.push(Reading::new(units, pairs));
            readings.len() - 1
        });
        let spoken = page.languages().iter().filter(|written| is_spoken[written.alphabet]);
        hypotheses.extend(spoken.map(|written| {
            (cost + written.cost + by_language[written.alphabet], number, written.alphabet, reading)
        }));
    }
    // The sooner the best one is known, the sooner the others are hopeless.
    hypotheses.sort_unstable();
    let mut known = vec![None; readings.len() * models.alphabets.len()];
    let mut least = Cost::MAX;
    let mut scored: Vec<PageScore> = Vec::new();
    for (prior, number, language, reading) in hypotheses {
        let page = pages[number].0;
        let known = &mut known[reading * models.alphabets.len() + language];
        // A higher prior has a lower limit.
        let limit = least.saturating_add(UNLIKELY).saturating_sub(prior);
        let found = *known.get_or_insert_with(|| readings[reading].cost(pairs, language, limit));
        let Some(evidence) = found.filter(|evidence| *evidence <= limit) else { continue };
        least = least.min(prior + evidence);
        let score = PageScore {
            page,
            language: &models.alphabets[language],
            prior,
            evidence,
            count: readings[reading].count,
        };
        match scored.iter_mut().find(|known| std::ptr::eq(known.page, page)) {
            Some(best) if best.prior + best.evidence > prior + evidence => *best = score,
            Some(_) => {}
            None => scored.push(score),
        }
    }
    scored
}
