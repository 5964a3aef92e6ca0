//! Guesses a legacy encoding: the one in which the bytes are the likeliest text of a language.

use super::hints::Hints;
use super::models::{Alphabet, BLANK, Cost, MODELS, NATS, language};
use super::multi_byte::{MULTI_BYTE, MultiByte, RARE, WELL_READ};
use super::pages::{ASCII_PAGES, CodePage, EBCDIC_PAGES, Family, Written};
use super::result::{Detection, Grade, many};
use super::sample::{Sample, Word};

/// A guess is likely if every candidate that gives another text costs more than it by at least this, and by what the guess
/// costs because it is rare.
const MARGIN: Cost = 8 * NATS;

/// Text whose pairs cost more than this on average is in no language that is known.
const IMPLAUSIBLE: Cost = 5 * NATS;

/// The same in Latin alphabets, in which foreign words and names are frequent.
const IMPLAUSIBLE_LATIN: Cost = 7 * NATS;

/// The same of the characters of languages that have thousands.
const IMPLAUSIBLE_CHARACTER: Cost = 11 * NATS;

/// The most that the words of ASCII count for or against a language.
const MOST_BY_ASCII: Cost = 8 * NATS;

/// The cost of another alphabet than Latin among many ASCII letters, that of each word, which is higher for a word of one
/// letter, and the most that all of it costs.
const AMONG_LATIN: Cost = 10 * NATS;
const WORD_AMONG_LATIN: Cost = NATS;
const LETTER_AMONG_LATIN: Cost = 5 * NATS;
const MOST_AMONG_LATIN: Cost = 30 * NATS;

/// How much less the declared encoding costs.
const DECLARED: Cost = 6 * NATS;

/// What is compared with the candidates.
pub(super) struct Evidence<'a> {
    pub(super) sample: &'a Sample,
    /// The first bytes.
    pub(super) head: &'a [u8],
    pub(super) hints: &'a Hints,
}

/// Two adjacent bytes, and how much they count.
#[derive(Clone, Copy)]
struct Pair {
    before: u8,
    now: u8,
    weight: Cost,
}

/// A candidate with its best language, and its cost.
struct Scored<'a> {
    candidate: Candidate<'a>,
    language: &'static str,
    is_latin: bool,
    /// The cost of the encoding and the language, without the bytes.
    rarity: Cost,
    cost: Cost,
    /// The mean cost of a pair or of a character.
    mean: Cost,
}

#[derive(Clone, Copy)]
enum Candidate<'a> {
    Page(&'a CodePage),
    /// By the name that is allowed.
    MultiByte(&'static str),
}

/// How lines end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Newline {
    None,
    Lf,
    CrLf,
    Cr,
}

/// Guesses the encoding of a file whose lower half may be ASCII.
pub(super) fn guess(evidence: &Evidence) -> Detection {
    let mut words = evidence.sample.words();
    let is_table = leave_prose(&mut words);
    let has = |byte| evidence.sample.has(byte);
    let (pairs, newline) = (pairs(&words), Newline::of(evidence.head));
    let by_language = Prior::new(evidence, &words);
    let requested = evidence.requested_pages();
    let listed: &[CodePage] = if evidence.hints.candidates.is_empty() { &ASCII_PAGES } else { &requested };
    let pages: Vec<&CodePage> =
        listed.iter().filter(|page| !page.encoding.is_ebcdic() && page.has_all(has)).collect();
    let mut scored = evidence.score_multi_byte(&words, newline, &by_language);
    // Nothing else looks like well-read text of several bytes a character.
    let is_settled = scored.iter().any(|scored| scored.mean < WELL_READ)
        && words.iter().filter(|word| word.bytes.len() > 6).count() > 20
        && !evidence.hints.is_limited();
    if !is_settled || words.len() < 40 {
        scored.extend(evidence.score_pages(&pages, &pairs, newline, &by_language));
    }
    let chars = words.iter().map(|word| u64::from(word.count) * word.other_bytes()).sum();
    let found = evidence.conclude(scored, (chars, "non-ASCII character"), |candidate, other| {
        is_same_text(candidate, other, has)
    });
    let page = pages.iter().find(|page| found.encoding == Some(page.encoding));
    let is_doubtful = is_table || page.is_some_and(|page| is_line_drawing(page, has));
    let grade = if is_doubtful { found.grade.min(Grade::Guess) } else { found.grade };
    Detection { grade, ..found }
}

/// Whether a page reads all non-ASCII bytes as symbols, some of which draw lines: no language is written with these alone.
fn is_line_drawing(page: &CodePage, has: impl Fn(u8) -> bool) -> bool {
    let chars = || (0x80..=0xFF).filter(|byte| has(*byte)).filter_map(|byte| page.chars[usize::from(byte)]);
    chars().any(|char| matches!(char, '\u{2500}'..='\u{259F}')) && !chars().any(char::is_alphabetic)
}

/// With so many different letters that are words, a text is a table of characters, or a code.
const TABLE: usize = 10;

/// Removes words of one letter from the words of a table; returns whether it is one.
fn leave_prose(words: &mut Vec<Word>) -> bool {
    let alone = words.iter().filter(|word| word.is_one_letter()).map(|word| word.bytes[1]);
    let alone = alone.collect::<std::collections::BTreeSet<_>>().len();
    let is_table = alone >= TABLE && 4 * alone > words.len();
    if is_table {
        words.retain(|word| !word.is_one_letter());
    }
    is_table
}

/// Whether a file may be EBCDIC: its blanks are 40, and it has the letters of EBCDIC, not those of ASCII.
pub(super) fn may_be_ebcdic(head: &[u8]) -> bool {
    let count = |is: fn(u8) -> bool| super::sniff::count(head, is);
    let blanks = count(|byte| byte == 0x40);
    let letters = count(
        |byte| matches!(byte, 0x81..=0x89 | 0x91..=0x99 | 0xA2..=0xA9 | 0xC1..=0xC9 | 0xD1..=0xD9 | 0xE2..=0xE9 | 0x41..=0x49 | 0x51..=0x59 | 0x62..=0x69),
    );
    let ascii = count(|byte| matches!(byte, b' ' | b'\n' | b'\r'));
    head.len() >= 8 && 25 * blanks >= head.len() && 2 * letters >= head.len() && 8 * ascii <= blanks
}

/// Guesses the code page of an EBCDIC file; None if it does not read as text.
pub(super) fn ebcdic(evidence: &Evidence) -> Option<Detection> {
    let head = &evidence.head[..evidence.head.len().min(4096)];
    let mut seen = [false; 256];
    head.iter().for_each(|byte| seen[usize::from(*byte)] = true);
    let has = |byte: u8| seen[usize::from(byte)];
    let mut counts = PairCounts::default();
    head.windows(2).for_each(|pair| counts.add(pair[0], pair[1], 1));
    let pairs = counts.pairs();
    let requested = evidence.requested_pages();
    let listed: &[CodePage] = if evidence.hints.candidates.is_empty() { &EBCDIC_PAGES } else { &requested };
    let pages: Vec<&CodePage> =
        listed.iter().filter(|page| page.encoding.is_ebcdic() && page.has_all(has)).collect();
    let scored = evidence.score_pages(&pages, &pairs, Newline::None, &Prior::default());
    if scored.iter().all(|scored| scored.mean > 4 * NATS) {
        return None;
    }
    let chars = head.len() as u64;
    Some(
        evidence
            .conclude(scored, (chars, "EBCDIC byte"), |candidate, other| is_same_text(candidate, other, has)),
    )
}

impl Evidence<'_> {
    /// The code pages that the candidates are limited to, if they are.
    fn requested_pages(&self) -> Vec<CodePage> {
        self.hints.candidates.iter().filter_map(|encoding| CodePage::requested(encoding)).collect()
    }

    fn score_multi_byte<'b>(&self, words: &[Word], newline: Newline, by_language: &Prior) -> Vec<Scored<'b>> {
        let joined: Vec<u8> = words.iter().flat_map(|word| word.bytes).copied().collect();
        let score = |candidate: &'static MultiByte| {
            let name = candidate.allowed(self.hints)?;
            let read = candidate.read(words, &joined)?;
            let by_hints = self.by_declaration(name) + newline.cost(candidate.family());
            let mean = read.cost / Cost::try_from(read.chars.max(1)).unwrap_or(Cost::MAX);
            let cost = read.cost + candidate.rarity + by_hints + by_language.foreign;
            let allowed = self.hints.has_language(read.language);
            allowed.then_some(Scored {
                candidate: Candidate::MultiByte(name),
                language: read.language,
                is_latin: false,
                rarity: candidate.rarity,
                cost,
                mean,
            })
        };
        let (common, rare) = MULTI_BYTE.split_at(RARE);
        let mut scored: Vec<Scored> = common.iter().filter_map(score).collect();
        if scored.iter().all(|scored| scored.mean > WELL_READ) {
            scored.extend(rare.iter().filter_map(score));
        }
        scored
    }

    /// Scores code pages: all languages by the most frequent pairs, then those that are near the best by all pairs.
    fn score_pages<'b>(
        &self,
        pages: &[&'b CodePage],
        pairs: &[Pair],
        newline: Newline,
        by_language: &Prior,
    ) -> Vec<Scored<'b>> {
        let first = &pairs[..pairs.len().min(FIRST)];
        let mut rough: Vec<(Cost, &CodePage, &Written)> = Vec::new();
        for page in pages {
            let by_page = page.rarity + newline.cost(page.family) + self.by_declaration(page.encoding.name());
            for written in
                page.languages.iter().filter(|written| self.hints.has_language(written.alphabet.name))
            {
                let by_language_of_page = written.cost;
                let fixed = by_page + by_language_of_page + by_language.of(written.alphabet);
                rough.push((fixed + page.cost(written, first), page, written));
            }
        }
        let Some(best) = rough.iter().map(|(cost, ..)| *cost).min() else { return Vec::new() };
        let weight = pairs.iter().map(|pair| pair.weight).sum::<Cost>().max(1);
        let mut scored: Vec<Scored> = Vec::new();
        for (cost, page, written) in rough {
            if cost > best + best / 2 + ROUGH {
                continue;
            }
            let rest = page.cost(written, &pairs[first.len()..]);
            let by_pairs = page.cost(written, first) + rest;
            let one = Scored {
                candidate: Candidate::Page(page),
                language: written.alphabet.name,
                is_latin: written.alphabet.is_latin,
                rarity: page.rarity + written.cost,
                cost: cost + rest,
                mean: by_pairs / weight,
            };
            match scored.last_mut().filter(|last| last.candidate.is(one.candidate)) {
                Some(last) if last.cost <= one.cost => {}
                Some(last) => *last = one,
                None => scored.push(one),
            }
        }
        scored
    }

    fn by_declaration(&self, name: &str) -> Cost {
        if self.hints.declared.is_some_and(|declared| declared.name() == name) { -DECLARED } else { 0 }
    }

    /// Makes the result of the candidates' costs; the reason counts what was compared.
    fn conclude(
        &self,
        mut scored: Vec<Scored>,
        (count, what): (u64, &str),
        is_same: impl Fn(Candidate, Candidate) -> bool,
    ) -> Detection {
        scored.sort_by_key(|scored| scored.cost);
        let Some(best) = scored.first() else {
            return Detection::unknown("it is not text in any encoding that was considered");
        };
        let is_other = |scored: &&Scored| !is_same(best.candidate, scored.candidate);
        let margin = scored.iter().find(is_other).map_or(Cost::MAX, |next| next.cost - best.cost);
        let is_plain = margin >= MARGIN + best.rarity && best.mean < best.implausible();
        let grade = if is_plain { Grade::Likely } else { Grade::Guess };
        let is_near = |scored: &&Scored| scored.cost <= best.cost + MARGIN;
        let near = scored.iter().filter(is_other).filter(is_near);
        // Of the encodings that give this text, the declared one is named.
        let is_declared =
            |scored: &&Scored| self.by_declaration(scored.candidate.name()) < 0 && !is_other(scored);
        let named = scored.iter().find(is_declared).unwrap_or(best);
        let is_named = |scored: &&Scored| scored.candidate.is(named.candidate);
        let same = scored.iter().filter(|scored| !is_other(scored) && is_near(scored) && !is_named(scored));
        let same: Vec<_> = same.map(|scored| scored.candidate.name()).take(2).collect();
        let more = if self.sample.is_ample() { "more than " } else { "" };
        let compared = many(count, what);
        let mut reason = format!("it reads as {}, with {more}{compared}", language(best.language));
        if !same.is_empty() {
            let gives = if same.len() == 1 { "gives" } else { "give" };
            reason += &format!("; {} {gives} the same text", same.join(" and "));
        }
        Detection {
            language: Some(language(best.language)),
            alternatives: near.map(|scored| scored.candidate.name()).collect(),
            ..Detection::named(named.candidate.name(), grade, reason)
        }
    }
}

/// The pairs that every candidate is compared with, and how much worse than the best it may be then.
const FIRST: usize = 20;
const ROUGH: Cost = 24 * NATS;

impl Scored<'_> {
    /// The mean cost from which on a text is in no language that is known.
    fn implausible(&self) -> Cost {
        match self.candidate {
            Candidate::Page(_) if self.is_latin => IMPLAUSIBLE_LATIN,
            Candidate::Page(_) => IMPLAUSIBLE,
            Candidate::MultiByte(..) => IMPLAUSIBLE_CHARACTER,
        }
    }
}

impl Candidate<'_> {
    fn name(self) -> &'static str {
        match self {
            Candidate::Page(page) => page.encoding.name(),
            Candidate::MultiByte(name) => name,
        }
    }

    fn is(self, other: Candidate) -> bool {
        self.name() == other.name()
    }
}

impl CodePage {
    /// Whether it has a character for each byte of a file.
    pub(super) fn has_all(&self, has: impl Fn(u8) -> bool) -> bool {
        (0..=0xFF).all(|byte| !has(byte) || self.chars[usize::from(byte)].is_some())
    }

    /// Returns the cost of pairs in a language.
    fn cost(&self, written: &Written, pairs: &[Pair]) -> Cost {
        let roles = self.roles(written);
        let cost = |pair: &Pair| {
            let (before, now) = (roles[usize::from(pair.before)], roles[usize::from(pair.now)]);
            pair.weight * written.alphabet.cost(before, now)
        };
        pairs.iter().map(cost).sum()
    }
}

impl Word<'_> {
    /// Whether it is one byte that is not ASCII.
    fn is_one_letter(&self) -> bool {
        matches!(self.bytes, [_, 0x80..=0xFF, _])
    }

    fn other_bytes(&self) -> u64 {
        self.bytes.iter().filter(|byte| !byte.is_ascii()).count() as u64
    }
}

/// How often pairs occur.
struct PairCounts {
    counts: Vec<u16>,
    found: Vec<(u8, u8)>,
}

impl Default for PairCounts {
    fn default() -> PairCounts {
        PairCounts { counts: vec![0; 1 << 16], found: Vec::new() }
    }
}

impl PairCounts {
    fn add(&mut self, before: u8, now: u8, weight: u16) {
        let count = &mut self.counts[usize::from(before) << 8 | usize::from(now)];
        if *count == 0 {
            self.found.push((before, now));
        }
        *count = count.saturating_add(weight);
    }

    /// The pairs, the most frequent first.
    fn pairs(self) -> Vec<Pair> {
        let weight = |before: u8, now: u8| self.counts[usize::from(before) << 8 | usize::from(now)].into();
        let mut pairs: Vec<_> = self
            .found
            .iter()
            .map(|(before, now)| Pair { before: *before, now: *now, weight: weight(*before, *now) })
            .collect();
        pairs.sort_by_key(|pair| (-pair.weight, pair.before, pair.now));
        pairs
    }
}

/// Counts the pairs with a byte that is not ASCII.
fn pairs(words: &[Word]) -> Vec<Pair> {
    let mut counts = PairCounts::default();
    for word in words {
        let weight = word.weight() as u16;
        for pair in word.bytes.windows(2) {
            if !pair[0].is_ascii() || !pair[1].is_ascii() {
                counts.add(pair[0], pair[1], weight);
            }
        }
    }
    counts.pairs()
}

/// What is known of the language without the bytes that are not ASCII.
#[derive(Default)]
struct Prior {
    /// By the place of the language among the alphabets; empty if nothing is known.
    by_ascii: Vec<Cost>,
    /// The cost of another alphabet than Latin.
    foreign: Cost,
}

impl Prior {
    fn new(evidence: &Evidence, words: &[Word]) -> Prior {
        let head = evidence.head;
        let letters = super::sniff::count(head, |byte| byte.is_ascii_alphabetic());
        let others = super::sniff::count(head, |byte| !byte.is_ascii());
        let cost = |word: &Word| if word.is_one_letter() { LETTER_AMONG_LATIN } else { WORD_AMONG_LATIN };
        let by_words = words.iter().take(100).map(cost).sum::<Cost>();
        let foreign = match letters > 4 * others {
            true => (AMONG_LATIN + by_words).min(MOST_AMONG_LATIN),
            false => 0,
        };
        Prior { by_ascii: by_ascii(&head[..head.len().min(4096)]), foreign }
    }

    /// The cost of a language before any byte was compared with it.
    fn of(&self, alphabet: &'static Alphabet) -> Cost {
        let at = || MODELS.alphabets.iter().position(|one| std::ptr::eq(one, alphabet));
        let by_ascii = at().and_then(|at| self.by_ascii.get(at)).copied().unwrap_or(0);
        alphabet.rarity + if alphabet.is_latin { by_ascii } else { self.foreign }
    }
}

/// How much worse the ASCII words are in each Latin alphabet than in the best.
fn by_ascii(head: &[u8]) -> Vec<Cost> {
    let mut counts = [0; 27 * 27];
    let letter = |byte: u8| if byte.is_ascii_alphabetic() { usize::from(byte & 31) } else { 0 };
    for pair in head.windows(2).filter(|pair| pair[0].is_ascii() && pair[1].is_ascii()) {
        let (before, now) = (letter(pair[0]), letter(pair[1]));
        counts[before * 27 + now] += 1;
    }
    counts[usize::from(BLANK)] = 0;
    // Few of a pair say as much as many of it.
    let pairs: Vec<_> = (0..27 * 27)
        .filter(|pair| counts[*pair] > 0)
        .map(|pair| (pair / 27, pair % 27, counts[pair].min(4)))
        .collect();
    let cost = |alphabet: &Alphabet| {
        let cost = |(before, now, count): &(usize, usize, Cost)| count * alphabet.ascii_cost(*before, *now);
        if alphabet.is_latin { pairs.iter().map(cost).sum::<Cost>() / 4 } else { Cost::MAX }
    };
    let costs: Vec<Cost> = MODELS.alphabets.iter().map(cost).collect();
    let least = costs.iter().copied().min().unwrap_or(0);
    costs.into_iter().map(|cost| cost.saturating_sub(least).min(MOST_BY_ASCII)).collect()
}

impl MultiByte {
    fn family(&self) -> Family {
        match self.name {
            "EUC-JP" | "EUC-TW" => Family::Unix,
            _ => Family::Windows,
        }
    }
}

impl Newline {
    fn of(head: &[u8]) -> Newline {
        let lf = super::sniff::count(head, |byte| byte == b'\n');
        let cr = super::sniff::count(head, |byte| byte == b'\r');
        match (lf, cr) {
            (0, 0) => Newline::None,
            (0, _) => Newline::Cr,
            _ if 2 * cr > lf => Newline::CrLf,
            _ => Newline::Lf,
        }
    }

    /// The cost of such newlines in the texts of a family.
    fn cost(self, family: Family) -> Cost {
        match (self, family) {
            (Newline::CrLf, Family::Unix) => 2 * NATS,
            (Newline::CrLf, Family::Mac) => 3 * NATS,
            (Newline::Lf, Family::Dos) => 2 * NATS,
            (Newline::Lf, Family::Mac) => NATS,
            (Newline::Cr, Family::Windows | Family::Dos | Family::Unix) => 4 * NATS,
            _ => 0,
        }
    }
}

/// Whether both decode the seen bytes to the same text.
fn is_same_text(one: Candidate, other: Candidate, has: impl Fn(u8) -> bool) -> bool {
    match (one, other) {
        (Candidate::Page(one), Candidate::Page(other)) => (0..=0xFF)
            .all(|byte| !has(byte) || one.chars[usize::from(byte)] == other.chars[usize::from(byte)]),
        _ => one.is(other),
    }
}
