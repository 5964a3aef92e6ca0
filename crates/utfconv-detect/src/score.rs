//! Scores code pages: the cost of a sample as a text of each of their languages. Pages that read the sample as the same
//! text are scored together.

use std::mem;

use super::hints::Hints;
use super::models::{Alphabet, Case, Cost, MODELS, NATS, Role, role};
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
    /// By language and reading, the least cost of the page and the language; `Cost::MAX` for languages of none of the
    /// pages.
    fixed: Vec<Cost>,
    /// By language and reading, the cost of the bytes, where it was counted.
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
        let languages = page.languages().iter().filter_map(|written| {
            let by_pairs = readings.costs[written.alphabet * readings.firsts.len() + reading]?;
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
        let mut keys = Vec::with_capacity(pages.len());
        // The bytes are sorted, and most pages have the same ASCII.
        let others = &pairs.bytes[pairs.bytes.partition_point(u8::is_ascii)..];
        let reading = |Priced { page, .. }: &Priced<'a>| {
            let key = key(others.iter().map(|byte| page.units[usize::from(*byte)]));
            let mut same = (0..keys.len()).filter(|number| keys[*number] == key);
            same.find(|number| firsts[*number].reads_as(page, &pairs.bytes)).unwrap_or_else(|| {
                firsts.push(page);
                keys.push(key);
                firsts.len() - 1
            })
        };
        let of_pages: Vec<usize> = pages.iter().map(reading).collect();
        let is_allowed: Vec<bool> =
            MODELS.alphabets.iter().map(|alphabet| hints.has_language(alphabet.name)).collect();
        let mut fixed = vec![Cost::MAX; by_language.len() * firsts.len()];
        for (priced, reading) in pages.iter().zip(&of_pages) {
            for written in priced.page.languages().iter().filter(|written| is_allowed[written.alphabet]) {
                let cost = priced.cost + written.cost + by_language[written.alphabet];
                let least = &mut fixed[written.alphabet * firsts.len() + reading];
                *least = cost.min(*least);
            }
        }
        let costs = vec![None; fixed.len()];
        Readings { of_pages, firsts, fixed, costs }
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
    // The sooner the best is known, the sooner the others are hopeless.
    let rows = readings.fixed.chunks_exact(count).zip(0..);
    let mut rows: Vec<(Cost, usize, &[Cost])> =
        rows.filter_map(|(row, language)| Some((row.iter().copied().min()?, language, row))).collect();
    rows.retain(|(least, ..)| *least < Cost::MAX);
    rows.sort_unstable_by_key(|(least, language, _)| (*least, *language));
    let mut contenders = Vec::with_capacity(count * rows.len());
    for (_, language, row) in rows {
        let all = row.iter().zip(0..).filter(|(cost, _)| **cost < Cost::MAX);
        contenders.extend(all.map(|(cost, reading)| Contender { reading, language, cost: *cost }));
    }
    let mut rest = pairs.pairs.as_slice();
    for &(len, divisor) in pairs.stages {
        let (stage, after) = rest.split_at(rest.len().min(len));
        rest = after;
        let most = |least: Cost| least + HOPELESS + if rest.is_empty() { 0 } else { least / divisor };
        Stage::new(&readings.firsts, pairs, stage).compare(&mut contenders, most);
        let least = contenders.iter().map(|contender| contender.cost).min().unwrap_or(0);
        contenders.retain(|contender| contender.cost <= most(least));
        if rest.is_empty() {
            break;
        }
    }
    for Contender { reading, language, cost } in contenders {
        let at = language * count + reading;
        readings.costs[at] = Some(cost - readings.fixed[at]);
    }
}

/// A stage of a comparison.
struct Stage<'a> {
    pairs: &'a [Pair],
    /// The numbers of the bytes in these pairs, those of ASCII first, and how much each counts as the second of a pair.
    numbers: Vec<(u8, Cost)>,
    /// How many of them are ASCII.
    ascii: usize,
    /// By reading, the characters of these bytes.
    units: Vec<u16>,
    /// Whether all readings read ASCII bytes as the same characters, as nearly all code pages do.
    has_same_ascii: bool,
    /// By reading, the first one that reads these bytes as the same characters.
    twins: Vec<usize>,
}

impl<'a> Stage<'a> {
    fn new(readings: &[&CodePage], all: &Pairs, pairs: &'a [Pair]) -> Stage<'a> {
        let mut weights = [0; 256];
        let mut occurs = [false; 256];
        for pair in pairs {
            weights[usize::from(pair.now)] += pair.weight;
            occurs[usize::from(pair.now)] = true;
            occurs[usize::from(pair.before)] = true;
        }
        // The bytes are sorted.
        let found = (0..=0xFF).zip(&all.bytes).filter(|(number, _)| occurs[usize::from(*number)]);
        let (numbers, bytes): (Vec<(u8, Cost)>, Vec<u8>) =
            found.map(|(number, byte)| ((number, weights[usize::from(number)]), *byte)).unzip();
        let ascii = bytes.partition_point(u8::is_ascii);
        let mut units = Vec::with_capacity(readings.len() * bytes.len());
        for reading in readings {
            units.extend(bytes.iter().map(|byte| reading.units[usize::from(*byte)]));
        }
        let rows = || (0..readings.len()).map(|reading| &units[reading * bytes.len()..][..bytes.len()]);
        let has_same_ascii = rows().all(|row| row[..ascii] == units[..ascii]);
        let keys: Vec<u64> = rows().map(|row| key(row[ascii..].iter().copied())).collect();
        let twin = |(row, number): (&[u16], usize)| {
            let mut same = (0..number).filter(|other| keys[*other] == keys[number]);
            same.find(|other| units[other * bytes.len()..][..bytes.len()] == *row).unwrap_or(number)
        };
        let twins = rows().zip(0..).map(twin).collect();
        Stage { pairs, numbers, ascii, units, has_same_ascii, twins }
    }

    /// Adds the costs of the pairs to those of the contenders, which are sorted by language. A cost above the `most` of a
    /// lower one may be too low, as it is hopeless.
    fn compare(&self, contenders: &mut [Contender], most: impl Fn(Cost) -> Cost) {
        let mut of_capitals = vec![None; self.twins.len()];
        // By twin: the cost, or the part of it that was enough, and whether it is all.
        let mut added = vec![(0, false); self.twins.len()];
        let mut roles = Roles([Role::default(); 256]);
        let (mut of_ascii, mut language, mut least) = (None, usize::MAX, None);
        let (ascii, others) = self.numbers.split_at(self.ascii);
        for contender in contenders {
            if mem::replace(&mut language, contender.language) != contender.language {
                added.fill((0, false));
                of_ascii = None;
            }
            let room = least.map_or(Cost::MAX, |least| most(least) - contender.cost);
            let twin = self.twins[contender.reading];
            let (known, is_all) = added[twin];
            if !is_all && known <= room {
                let units = &self.units[twin * self.numbers.len()..][..self.numbers.len()];
                let of_ascii = match of_ascii.filter(|_| self.has_same_ascii) {
                    Some(cost) => cost,
                    None => *of_ascii.insert(roles.take(ascii, &units[..self.ascii], language)),
                };
                let of_capitals = *of_capitals[twin].get_or_insert_with(|| self.cost_of_capitals(units));
                let cost = of_ascii + of_capitals + roles.take(others, &units[self.ascii..], language);
                added[twin] = roles.cost_of_classes(cost, language, self.pairs, room);
            }
            contender.cost += added[twin].0;
            least = Some(least.map_or(contender.cost, |least: Cost| least.min(contender.cost)));
        }
    }

    /// Returns the cost of capital letters in the pairs, which is the same in all languages.
    fn cost_of_capitals(&self, units: &[u16]) -> Cost {
        let mut cases = [Case::None; 256];
        for ((number, _), unit) in self.numbers.iter().zip(units) {
            cases[usize::from(*number)] = Case::of_unit(*unit);
        }
        let case = |number: u8| cases[usize::from(number)];
        let pairs = self.pairs.iter();
        pairs.map(|pair| pair.weight * case(pair.now).cost_after(case(pair.before))).sum()
    }
}

/// Returns a number for characters; those of others differ as a rule.
fn key(units: impl Iterator<Item = u16>) -> u64 {
    units.fold(0, |key, unit| (key ^ u64::from(unit)).wrapping_mul(0x517C_C1B7_2722_0A95).rotate_left(25))
}

/// The roles of bytes in a language, by their numbers.
struct Roles([Role; 256]);

impl Roles {
    /// Takes the roles of the bytes with these numbers, whose characters are `units`. Returns how much more they cost than
    /// their classes, by how often they count.
    fn take(&mut self, numbers: &[(u8, Cost)], units: &[u16], language: usize) -> Cost {
        let mut more = 0;
        for ((number, weight), unit) in numbers.iter().zip(units) {
            let role = role(*unit, language);
            self.0[usize::from(*number)] = role;
            more += weight * role.more();
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
                let (before, now) = (self.0[usize::from(pair.before)], self.0[usize::from(pair.now)]);
                cost += pair.weight * alphabet.cost_of_classes(before, now);
            }
        }
        (cost, true)
    }
}
