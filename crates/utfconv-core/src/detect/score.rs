//! Scores code pages: the cost of a sample as a text of each of their languages. Pages that read the sample as the same
//! text are scored together.

use std::mem;

use super::hints::Hints;
use super::models::{Alphabet, Cost, MODELS, NATS, Sign, cost_of_capital, role};
use super::pages::CodePage;
use super::sample::Word;

/// The stages of a comparison, which begins with the most frequent pairs: how many pairs each stage adds, and a divisor.
/// A candidate is dropped after a stage if its cost exceeds the least one by [`HOPELESS`] and that cost over the divisor.
const STAGES: &[(usize, Cost)] = &[(12, 4), (24, 6), (64, 8), (usize::MAX, 8)];

/// The stages for a whole text: there is one, because most pairs are alike in many candidates.
const STAGES_OF_TEXT: &[(usize, Cost)] = &[(usize::MAX, 8)];

/// A candidate whose cost exceeds the least one by this much is no alternative, and is dropped.
pub(super) const HOPELESS: Cost = 24 * NATS;

/// Two adjacent bytes, as indices into the bytes of a sample, and how often they occur.
#[derive(Clone, Copy)]
struct Pair {
    before: u8,
    now: u8,
    weight: Cost,
}

impl Pair {
    /// Sorts pairs by frequency, the most frequent first; ties do not depend on the algorithm.
    fn order(&self) -> (Cost, u16) {
        (-self.weight, u16::from_be_bytes([self.before, self.now]))
    }
}

/// The pairs of a sample, the most frequent first.
pub(super) struct Pairs {
    /// The different bytes.
    bytes: Vec<u8>,
    pairs: Vec<Pair>,
    /// How much all pairs count.
    weight: Cost,
    /// In which order they are compared.
    stages: &'static [(usize, Cost)],
}

impl Pairs {
    /// Counts the pairs of words that have a byte that is not ASCII.
    pub(super) fn of_words(words: &[Word]) -> Pairs {
        let mut counts = PairCounts::new(words.iter().map(|word| word.bytes));
        words.iter().for_each(|word| counts.add(word.bytes, |pair| !pair.is_ascii()));
        counts.pairs(STAGES)
    }

    /// Returns the same pairs, each counted once.
    pub(super) fn each_once(mut self) -> Pairs {
        self.pairs.iter_mut().for_each(|pair| pair.weight = 1);
        self.weight = self.pairs.len() as Cost;
        self
    }

    /// Returns how many different pairs there are.
    pub(super) fn count(&self) -> usize {
        self.pairs.len()
    }

    /// Counts all pairs of a text.
    pub(super) fn of_text(text: &[u8]) -> Pairs {
        let mut counts = PairCounts::new([text].into_iter());
        counts.add(text, |_| true);
        counts.pairs(STAGES_OF_TEXT)
    }
}

/// How often pairs occur.
struct PairCounts {
    bytes: Vec<u8>,
    /// By byte, its place in `bytes`.
    numbers: [u8; 256],
    /// A row for each byte before.
    counts: Vec<u16>,
    /// Those that occur.
    found: Vec<(u8, u8)>,
}

impl PairCounts {
    fn new<'a>(texts: impl Iterator<Item = &'a [u8]>) -> PairCounts {
        let mut occurs = [false; 256];
        texts.for_each(|text| text.iter().for_each(|byte| occurs[usize::from(*byte)] = true));
        let bytes: Vec<u8> = (0..=0xFF).filter(|byte| occurs[usize::from(*byte)]).collect();
        let mut numbers = [0; 256];
        bytes.iter().zip(0..).for_each(|(byte, number)| numbers[usize::from(*byte)] = number);
        let counts = vec![0; bytes.len() * bytes.len()];
        PairCounts { bytes, numbers, counts, found: Vec::new() }
    }

    /// Counts the pairs of a text for which `is_wanted` holds: it gets the bits of both bytes.
    fn add(&mut self, text: &[u8], is_wanted: impl Fn(u8) -> bool) {
        let Some((first, others)) = text.split_first() else { return };
        let number = |byte: u8| self.numbers[usize::from(byte)];
        let (mut before, mut last) = (*first, number(*first));
        for byte in others {
            let now = number(*byte);
            if is_wanted(before | byte) {
                let count = &mut self.counts[usize::from(last) * self.bytes.len() + usize::from(now)];
                if *count == 0 {
                    self.found.push((last, now));
                }
                *count = count.saturating_add(1);
            }
            (before, last) = (*byte, now);
        }
    }

    fn pairs(self, stages: &'static [(usize, Cost)]) -> Pairs {
        let weight = |(before, now): (u8, u8)| {
            self.counts[usize::from(before) * self.bytes.len() + usize::from(now)].into()
        };
        let pair = |found: &(u8, u8)| Pair { before: found.0, now: found.1, weight: weight(*found) };
        let mut pairs: Vec<Pair> = self.found.iter().map(pair).collect();
        let mut rest = pairs.as_mut_slice();
        for &(count, _) in stages {
            if count < rest.len() {
                rest.select_nth_unstable_by_key(count, |pair| pair.order());
                rest = &mut rest[count..];
            }
        }
        let weight = pairs.iter().map(|pair| pair.weight).sum();
        Pairs { bytes: self.bytes, pairs, weight, stages }
    }
}

/// A code page in its best language.
pub(super) struct PageScore<'a> {
    pub(super) page: &'a CodePage,
    pub(super) alphabet: &'static Alphabet,
    /// The cost of the page and the language, without the bytes.
    pub(super) rarity: Cost,
    pub(super) cost: Cost,
    /// The mean cost of a pair.
    pub(super) mean: Cost,
}

/// A code page, and the cost of naming it.
#[derive(Clone, Copy)]
pub(super) struct Priced<'a> {
    pub(super) page: &'a CodePage,
    pub(super) cost: Cost,
}

/// Code pages, in groups that read the bytes of a sample as the same text.
struct Readings<'a> {
    /// The reading of each page.
    of_pages: Vec<usize>,
    /// A page of each reading.
    firsts: Vec<&'a CodePage>,
    /// How many languages there are.
    languages: usize,
    /// By reading and language, the least cost of the page and the language; `Cost::MAX` for languages of none of the
    /// pages.
    fixed: Vec<Cost>,
    /// By reading and language, the cost of the bytes, where it was counted.
    costs: Vec<Option<Cost>>,
}

/// Scores code pages in the languages that are allowed, whose costs before any byte was compared are `by_language`.
/// Leaves out hopeless candidates.
pub(super) fn score<'a>(
    pages: &[Priced<'a>],
    pairs: &Pairs,
    hints: &Hints,
    by_language: &[Cost],
) -> Vec<PageScore<'a>> {
    if pages.is_empty() {
        return Vec::new();
    }
    let mut readings = Readings::new(pages, pairs, hints, by_language);
    count_costs(&mut readings, pairs);
    let mut scored = Vec::with_capacity(pages.len());
    let mut priced: Vec<(&usize, &Priced)> = readings.of_pages.iter().zip(pages).collect();
    priced.sort_by_key(|(reading, _)| **reading);
    for (reading, Priced { page, cost }) in priced {
        let costs = readings.of(*reading, &readings.costs);
        let languages = page.languages().iter().filter_map(|written| {
            let by_pairs = costs[written.alphabet]?;
            let fixed = cost + written.cost + by_language[written.alphabet];
            Some((fixed + by_pairs, by_pairs, written))
        });
        scored.extend(languages.min_by_key(|(cost, ..)| *cost).map(|(cost, by_pairs, written)| PageScore {
            page,
            alphabet: &MODELS.alphabets[written.alphabet],
            rarity: page.rarity + written.cost,
            cost,
            mean: by_pairs / pairs.weight.max(1),
        }));
    }
    scored
}

impl<'a> Readings<'a> {
    /// Groups the pages by the text that they give.
    fn new(pages: &'a [Priced<'a>], pairs: &Pairs, hints: &Hints, by_language: &[Cost]) -> Readings<'a> {
        let mut firsts: Vec<&CodePage> = Vec::with_capacity(pages.len());
        let reading = |Priced { page, .. }: &Priced<'a>| {
            let known = firsts.iter().position(|first| first.reads_as(page, &pairs.bytes));
            known.unwrap_or_else(|| {
                firsts.push(page);
                firsts.len() - 1
            })
        };
        let of_pages: Vec<usize> = pages.iter().map(reading).collect();
        let languages = by_language.len();
        let is_allowed: Vec<bool> =
            MODELS.alphabets.iter().map(|alphabet| hints.has_language(alphabet.name)).collect();
        let mut fixed = vec![Cost::MAX; firsts.len() * languages];
        for (priced, reading) in pages.iter().zip(&of_pages) {
            let row = &mut fixed[reading * languages..][..languages];
            for written in priced.page.languages().iter().filter(|written| is_allowed[written.alphabet]) {
                let cost = priced.cost + written.cost + by_language[written.alphabet];
                row[written.alphabet] = cost.min(row[written.alphabet]);
            }
        }
        let costs = vec![None; fixed.len()];
        Readings { of_pages, firsts, languages, fixed, costs }
    }

    /// Returns the values of a reading.
    fn of<'b, T>(&self, reading: usize, values: &'b [T]) -> &'b [T] {
        &values[reading * self.languages..][..self.languages]
    }
}

/// A reading in a language.
struct Contender {
    reading: usize,
    language: usize,
    /// Up to the last pair that was compared.
    cost: Cost,
}

/// Counts the costs of the readings in their languages, in stages.
fn count_costs(readings: &mut Readings, pairs: &Pairs) {
    let count = readings.firsts.len();
    let fixed = |reading: usize, language: usize| readings.fixed[reading * readings.languages + language];
    // The sooner the best is known, the sooner the others are hopeless.
    let least = |language: usize| (0..count).map(|reading| fixed(reading, language)).min();
    let mut languages: Vec<(Cost, usize)> =
        (0..readings.languages).filter_map(|language| Some((least(language)?, language))).collect();
    languages.retain(|(least, _)| *least < Cost::MAX);
    languages.sort_unstable();
    let mut contenders = Vec::with_capacity(count * languages.len());
    for (_, language) in languages {
        let all = (0..count).map(|reading| Contender { reading, language, cost: fixed(reading, language) });
        contenders.extend(all.filter(|contender| contender.cost < Cost::MAX));
    }
    let mut rest = pairs.pairs.as_slice();
    for &(count, divisor) in pairs.stages {
        let (stage, after) = rest.split_at(rest.len().min(count));
        rest = after;
        let most = |least: Cost| least + HOPELESS + if rest.is_empty() { 0 } else { least / divisor };
        Stage::new(&readings.firsts, pairs, stage).compare(&mut contenders, most);
        let least = contenders.iter().map(|contender| contender.cost).min().unwrap_or(0);
        contenders.retain(|contender| contender.cost <= most(least));
    }
    for Contender { reading, language, cost } in contenders {
        let at = reading * readings.languages + language;
        readings.costs[at] = Some(cost - readings.fixed[at]);
    }
}

/// A stage of a comparison.
struct Stage<'a> {
    readings: &'a [&'a CodePage],
    /// The bytes of the sample.
    bytes: &'a [u8],
    pairs: &'a [Pair],
    /// The numbers of the bytes in these pairs.
    ascii: Vec<usize>,
    others: Vec<usize>,
    /// How much the bytes count as the second of a pair, by their numbers.
    weights: [Cost; 256],
    /// Whether all readings read ASCII bytes as the same characters, as nearly all code pages do.
    has_same_ascii: bool,
    /// By reading, the first one that reads these bytes as the same characters.
    twins: Vec<usize>,
}

impl<'a> Stage<'a> {
    fn new(readings: &'a [&'a CodePage], all: &'a Pairs, pairs: &'a [Pair]) -> Stage<'a> {
        let mut weights = [0; 256];
        let mut occurs = [false; 256];
        for pair in pairs {
            weights[usize::from(pair.now)] += pair.weight;
            occurs[usize::from(pair.now)] = true;
            occurs[usize::from(pair.before)] = true;
        }
        let numbers = (0..all.bytes.len()).filter(|number| occurs[*number]);
        let (ascii, others): (Vec<usize>, Vec<usize>) =
            numbers.partition(|number| all.bytes[*number].is_ascii());
        let reads_as = |one: &CodePage, other: &CodePage, numbers: &[usize]| {
            let unit = |page: &CodePage, number: usize| page.units[usize::from(all.bytes[number])];
            numbers.iter().all(|number| unit(one, *number) == unit(other, *number))
        };
        let has_same_ascii = readings.iter().all(|reading| reads_as(reading, readings[0], &ascii));
        let is_twin = |one: &CodePage, other: &CodePage| {
            reads_as(one, other, &others) && (has_same_ascii || reads_as(one, other, &ascii))
        };
        let twin = |reading: &&CodePage| readings.iter().position(|one| is_twin(one, reading));
        let twins = readings.iter().filter_map(twin).collect();
        Stage { readings, bytes: &all.bytes, pairs, ascii, others, weights, has_same_ascii, twins }
    }

    /// Adds the costs of the pairs to those of the contenders, which are sorted by language. A cost above the `most` of a
    /// lower one may be too low, as it is hopeless.
    fn compare(&self, contenders: &mut [Contender], most: impl Fn(Cost) -> Cost) {
        let mut of_capitals = vec![None; self.readings.len()];
        // By twin: the cost, or the part of it that was enough, and whether it is all.
        let mut added = vec![(0, false); self.readings.len()];
        let mut roles = Roles { rows: [0; 256], classes: [0; 256] };
        let (mut of_ascii, mut language, mut least) = (None, usize::MAX, None);
        for contender in contenders {
            if mem::replace(&mut language, contender.language) != contender.language {
                added.fill((0, false));
                of_ascii = None;
            }
            let room = least.map_or(Cost::MAX, |least| most(least) - contender.cost);
            let twin = self.twins[contender.reading];
            let (known, is_all) = added[twin];
            if !is_all && known <= room {
                let page = self.readings[twin];
                let of_ascii = match of_ascii.filter(|_| self.has_same_ascii) {
                    Some(cost) => cost,
                    None => *of_ascii.insert(roles.take(&self.ascii, page, self, language)),
                };
                let of_capitals = *of_capitals[twin].get_or_insert_with(|| self.cost_of_capitals(page));
                let cost = of_ascii + of_capitals + roles.take(&self.others, page, self, language);
                added[twin] = roles.cost_of_classes(cost, language, self.pairs, room);
            }
            contender.cost += added[twin].0;
            least = Some(least.map_or(contender.cost, |least: Cost| least.min(contender.cost)));
        }
    }

    /// Returns the cost of capital letters in the pairs, which is the same in all languages.
    fn cost_of_capitals(&self, page: &CodePage) -> Cost {
        let mut signs = [None; 256];
        let mut sign = |number: u8| {
            let find = || Sign::of_unit(page.units[usize::from(self.bytes[usize::from(number)])]);
            *signs[usize::from(number)].get_or_insert_with(find)
        };
        let pairs = self.pairs.iter();
        pairs.map(|pair| pair.weight * cost_of_capital(sign(pair.before), sign(pair.now))).sum()
    }
}

/// The roles of bytes in a language, by their numbers.
struct Roles {
    /// Where the costs after the byte begin in the table of the language.
    rows: [u32; 256],
    /// The class after another byte.
    classes: [u32; 256],
}

impl Roles {
    /// Takes the roles of the bytes with these numbers in a page. Returns how much more they cost than their classes, by
    /// how often they count.
    fn take(&mut self, numbers: &[usize], page: &CodePage, stage: &Stage, language: usize) -> Cost {
        let size = MODELS.alphabets[language].size();
        let mut more = 0;
        for number in numbers {
            let role = role(page.units[usize::from(stage.bytes[*number])], language);
            self.rows[*number] = role.row(size) as u32;
            self.classes[*number] = role.class() as u32;
            more += stage.weights[*number] * role.more();
        }
        more
    }

    /// Adds the costs of the classes of pairs, each after the other, to a cost, as long as it is within `room`. Returns
    /// the sum, and whether all are in it.
    fn cost_of_classes(&self, mut cost: Cost, language: usize, pairs: &[Pair], room: Cost) -> (Cost, bool) {
        let alphabet = &MODELS.alphabets[language];
        for some in pairs.chunks(4) {
            if cost > room {
                return (cost, false);
            }
            for pair in some {
                let at = self.rows[usize::from(pair.before)] + self.classes[usize::from(pair.now)];
                cost += pair.weight * alphabet.cost_at(at as usize);
            }
        }
        (cost, true)
    }
}
