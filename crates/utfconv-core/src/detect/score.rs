//! Scores code pages: the cost of a sample as a text of each of their languages. Pages that read the sample as the same
//! text are scored together.

use std::mem;

use super::hints::Hints;
use super::models::{Alphabet, Cost, MODELS, NATS, Sign, cost_of_capital};
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

/// Code pages that read the bytes of a sample as the same text.
struct Reading<'a> {
    pages: Vec<Priced<'a>>,
    /// By language, the least cost of the page and the language; `Cost::MAX` for languages of none of the pages.
    fixed: Vec<Cost>,
    /// The characters of the bytes.
    units: Vec<u16>,
    signs: Vec<Sign>,
    /// By language, the cost of the bytes, where it was counted.
    costs: Vec<Option<Cost>>,
}

impl Reading<'_> {
    /// Whether it reads these bytes, by their numbers, as another reading does.
    fn reads_as(&self, other: &Reading, numbers: &[usize]) -> bool {
        numbers.iter().all(|number| self.units[*number] == other.units[*number])
    }
}

/// Scores code pages in the languages that are allowed, whose costs before any byte was compared are `by_language`.
/// Leaves out hopeless candidates.
pub(super) fn score<'a>(
    pages: &[Priced<'a>],
    pairs: &Pairs,
    hints: &Hints,
    by_language: &[Cost],
) -> Vec<PageScore<'a>> {
    let mut readings = readings(pages, pairs, hints, by_language);
    count_costs(&mut readings, pairs);
    let mut scored = Vec::new();
    for reading in &readings {
        for Priced { page, cost } in &reading.pages {
            let languages = page.languages().iter().filter_map(|written| {
                let by_pairs = reading.costs[written.alphabet]?;
                let fixed = cost + written.cost + by_language[written.alphabet];
                Some((fixed + by_pairs, by_pairs, written))
            });
            scored.extend(languages.min_by_key(|(cost, ..)| *cost).map(|(cost, by_pairs, written)| {
                PageScore {
                    page,
                    alphabet: &MODELS.alphabets[written.alphabet],
                    rarity: page.rarity + written.cost,
                    cost,
                    mean: by_pairs / pairs.weight.max(1),
                }
            }));
        }
    }
    scored
}

/// Groups the pages by the text that they give.
fn readings<'a>(
    pages: &[Priced<'a>],
    pairs: &Pairs,
    hints: &Hints,
    by_language: &[Cost],
) -> Vec<Reading<'a>> {
    let mut readings: Vec<Reading> = Vec::new();
    for priced in pages {
        let page = priced.page;
        let is_same = |reading: &&mut Reading| reading.pages[0].page.reads_as(page, &pairs.bytes);
        let reading = match readings.iter_mut().find(is_same) {
            Some(reading) => reading,
            None => {
                let (units, signs) = read(page, readings.last(), &pairs.bytes);
                readings.push(Reading {
                    pages: Vec::new(),
                    fixed: vec![Cost::MAX; by_language.len()],
                    units,
                    signs,
                    costs: vec![None; by_language.len()],
                });
                readings.last_mut().expect("it was added")
            }
        };
        reading.pages.push(*priced);
        for written in page.languages() {
            if hints.has_language(MODELS.alphabets[written.alphabet].name) {
                let fixed = priced.cost + written.cost + by_language[written.alphabet];
                let least = &mut reading.fixed[written.alphabet];
                *least = fixed.min(*least);
            }
        }
    }
    readings
}

/// Returns the characters of bytes in a page; the last reading may share most of them.
fn read(page: &CodePage, last: Option<&Reading>, bytes: &[u8]) -> (Vec<u16>, Vec<Sign>) {
    let unit = |byte: &u8| page.units[usize::from(*byte)];
    let Some(last) = last else {
        return bytes.iter().map(|byte| (unit(byte), Sign::of_unit(unit(byte)))).unzip();
    };
    let (mut units, mut signs) = (last.units.clone(), last.signs.clone());
    let has_same_ascii = page.units[..0x80] == last.pages[0].page.units[..0x80];
    let known = if has_same_ascii { bytes.partition_point(u8::is_ascii) } else { 0 };
    for (number, byte) in bytes.iter().enumerate().skip(known) {
        if units[number] != unit(byte) {
            units[number] = unit(byte);
            signs[number] = Sign::of_unit(unit(byte));
        }
    }
    (units, signs)
}

/// A reading in a language.
struct Contender {
    reading: usize,
    language: usize,
    /// Up to the last pair that was compared.
    cost: Cost,
}

/// Counts the costs of the readings in their languages, in stages.
fn count_costs(readings: &mut [Reading], pairs: &Pairs) {
    let mut contenders = Vec::new();
    let languages = readings.first().map_or(0, |reading| reading.fixed.len());
    for language in 0..languages {
        let all = readings.iter().enumerate().filter(|(_, reading)| reading.fixed[language] < Cost::MAX);
        contenders.extend(all.map(|(number, reading)| Contender {
            reading: number,
            language,
            cost: reading.fixed[language],
        }));
    }
    let mut rest = pairs.pairs.as_slice();
    for &(count, divisor) in pairs.stages {
        let (stage, after) = rest.split_at(rest.len().min(count));
        compare(&mut contenders, readings, pairs, stage);
        rest = after;
        let least = contenders.iter().map(|contender| contender.cost).min().unwrap_or(0);
        let most = least + HOPELESS + if rest.is_empty() { 0 } else { least / divisor };
        contenders.retain(|contender| contender.cost <= most);
    }
    for Contender { reading, language, cost } in contenders {
        let reading = &mut readings[reading];
        reading.costs[language] = Some(cost - reading.fixed[language]);
    }
}

/// Adds the costs of pairs to those of the contenders, which are sorted by language.
fn compare(contenders: &mut [Contender], readings: &[Reading], pairs: &Pairs, stage: &[Pair]) {
    let Some(first) = readings.first() else { return };
    // How much the bytes count as the second of a pair.
    let mut weights = [0; 256];
    let mut occurs = [false; 256];
    for pair in stage {
        weights[usize::from(pair.now)] += pair.weight;
        occurs[usize::from(pair.now)] = true;
        occurs[usize::from(pair.before)] = true;
    }
    let numbers = (0..pairs.bytes.len()).filter(|number| occurs[*number]);
    let (ascii, others): (Vec<usize>, Vec<usize>) =
        numbers.partition(|number| pairs.bytes[*number].is_ascii());
    // Nearly all code pages read ASCII bytes as the same characters.
    let has_same_ascii = readings.iter().all(|reading| reading.reads_as(first, &ascii));
    // By reading, the first one that reads the bytes of these pairs as the same characters.
    let is_twin = |one: &Reading, other| one.reads_as(other, &others) && one.reads_as(other, &ascii);
    let twin = |reading| readings.iter().position(|one| is_twin(one, reading));
    let twins: Vec<usize> = readings.iter().filter_map(twin).collect();
    let mut of_capitals = vec![None; readings.len()];
    let mut of_ascii = 0;
    let mut added = vec![None; readings.len()];
    let mut roles = Roles { rows: [0; 256], classes: [0; 256] };
    let mut language = usize::MAX;
    for contender in contenders {
        let alphabet = &MODELS.alphabets[contender.language];
        let twin = twins[contender.reading];
        let is_other_language = mem::replace(&mut language, contender.language) != contender.language;
        if is_other_language {
            added.fill(None);
        }
        let cost = added[twin].get_or_insert_with(|| {
            let signs = &readings[twin].signs;
            if is_other_language || !has_same_ascii {
                of_ascii = roles.take(&ascii, signs, alphabet, &weights);
            }
            let of_others = roles.take(&others, signs, alphabet, &weights);
            let of_capitals = *of_capitals[twin].get_or_insert_with(|| cost_of_capitals(signs, stage));
            of_ascii + of_others + of_capitals + roles.cost_of_classes(alphabet, stage)
        });
        contender.cost += *cost;
    }
}

/// Returns the cost of capital letters in pairs of these characters, which is the same in all languages.
fn cost_of_capitals(signs: &[Sign], pairs: &[Pair]) -> Cost {
    let sign = |number: u8| signs[usize::from(number)];
    pairs.iter().map(|pair| pair.weight * cost_of_capital(sign(pair.before), sign(pair.now))).sum()
}

/// The roles of bytes in a language, by their numbers.
struct Roles {
    /// Where the costs after the byte begin in the table of the language.
    rows: [u32; 256],
    /// The class after another byte.
    classes: [u32; 256],
}

impl Roles {
    /// Takes the roles of the bytes with these numbers. Returns how much more they cost than their classes, by how
    /// often they count.
    fn take(
        &mut self,
        numbers: &[usize],
        signs: &[Sign],
        alphabet: &Alphabet,
        weights: &[Cost; 256],
    ) -> Cost {
        let mut more = 0;
        for number in numbers {
            let role = alphabet.role(signs[*number]);
            self.rows[*number] = alphabet.row(role) as u32;
            self.classes[*number] = role.class() as u32;
            more += weights[*number] * role.more();
        }
        more
    }

    /// Returns the cost of the classes of pairs, each after the other.
    fn cost_of_classes(&self, alphabet: &Alphabet, pairs: &[Pair]) -> Cost {
        let cost = |pair: &Pair| {
            let at = self.rows[usize::from(pair.before)] + self.classes[usize::from(pair.now)];
            pair.weight * alphabet.cost_at(at as usize)
        };
        pairs.iter().map(cost).sum()
    }
}
