//! Guesses a legacy encoding: the one that gives the most plausible text of a language.

use super::hints::Hints;
use super::languages::{LANGUAGES, language};
use super::models::{Alphabet, Cost, MODELS, NATS, Sign};
use super::multi_byte::{CHARS_PER_ERROR, MULTI_BYTE, MultiByte, RARE, WELL_READ};
use super::pages::{ASCII_PAGES, CodePage, EBCDIC_PAGES};
use super::prior::{Prior, is_misfit};
use super::result::{Certainty, Detection, many};
use super::sample::Word;
use super::score::{HOPELESS, Pairs, Priced, score};
use utfconv_core::encodings::{ISO_8859_15, WINDOWS_1252};
use utfconv_core::{Encoding, ISO_8859_1};

/// A guess is likely if every candidate with another text costs more, by at least this plus the cost of the guess for
/// being rare.
const MARGIN: Cost = 8 * NATS;

/// Text whose pairs cost more than this on average is in no language that is known.
const IMPLAUSIBLE: Cost = 5 * NATS;

/// The same in Latin alphabets, in which foreign words and names are frequent.
const IMPLAUSIBLE_LATIN: Cost = 7 * NATS;

/// The same for languages with thousands of characters.
const IMPLAUSIBLE_CHARACTER: Cost = 11 * NATS;

/// Text whose pairs cost less on average in a code page is in no rare encoding of several bytes a character.
const PLAIN: Cost = 4 * NATS;

/// How much less the declared encoding costs.
const DECLARED: Cost = 6 * NATS;

/// If every candidate with another text costs more than the declared encoding, by at least this without the declaration, statistics
/// agree with it.
const AGREEING: Cost = 2 * NATS;

/// A code page may not define so many bytes, the words in which they occur first counted twice.
const DAMAGED_BYTES: u64 = 2;

/// With fewer different pairs of bytes, the evidence is two bytes, or one again and again.
const PAIRS: usize = 5;

/// With fewer bytes, the evidence is a few characters of several bytes.
const BYTES: u64 = 12;

/// The data that candidates are compared with.
pub(super) struct Evidence<'a> {
    /// The different words with non-ASCII bytes.
    pub(super) words: Vec<Word<'a>>,
    /// The non-ASCII bytes of all words.
    pub(super) seen: Vec<u8>,
    /// There are more words than these.
    pub(super) is_ample: bool,
    /// The first bytes.
    pub(super) head: &'a [u8],
    pub(super) hints: &'a Hints,
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
    /// Ill-formed sequences.
    errors: u64,
}

#[derive(Clone, Copy)]
enum Candidate<'a> {
    Page(&'a CodePage),
    MultiByte(&'static Encoding),
}

/// Guesses the encoding of a file whose lower half may be ASCII.
pub(super) fn guess(mut evidence: Evidence) -> Detection {
    let is_table = leave_prose(&mut evidence.words) || are_patterns(&evidence.words);
    let evidence = &evidence;
    let (words, hints) = (&evidence.words, evidence.hints);
    let mut counts = [0; 256];
    words.iter().for_each(|word| word.count_bytes(&mut counts));
    let count: u64 = counts[0x80..].iter().sum();
    let different = words.iter().map(Word::other_bytes).sum();
    let prior = Prior::new(evidence.head, words, different, &evidence.seen);
    let requested = evidence.requested_pages();
    let is_open = hints.candidates.is_empty();
    let listed: &[CodePage] = if is_open { &ASCII_PAGES } else { &requested };
    // A byte of a long text may be wrong.
    let is_long = is_open && count >= CHARS_PER_ERROR;
    let has_nearly_all = |page: &CodePage| {
        page.has_all(&evidence.seen) || is_long && page.count_undefined(&counts) <= DAMAGED_BYTES
    };
    let can_be = |page: &&CodePage| !page.encoding.is_ebcdic() && has_nearly_all(page);
    let pages: Vec<&CodePage> = listed.iter().filter(can_be).collect();
    let scored = evidence.score(&pages, &prior);
    let found = evidence.conclude(scored, MARGIN + prior.uncommon, count, &evidence.seen);
    let page = pages.iter().find(|page| found.encoding == Some(page.encoding));
    let is_expected =
        hints.is_limited() || found.encoding.is_some_and(|encoding| evidence.is_declared(encoding));
    let is_thin = match page {
        Some(_) => words.len() < PAIRS && Pairs::of_words(words).count() < PAIRS,
        None => different < BYTES,
    };
    if page.is_some_and(|page| !has_letters(page, &evidence.seen, evidence.head)) {
        let reason = format!("there are no letters, only {}", many(count, "non-ASCII character"));
        return Detection { certainty: Certainty::Guess, reason, language: None, agrees: false, ..found };
    }
    let is_drawing = page.is_some_and(|page| is_line_drawing(page, &evidence.seen));
    // English in another page than windows-1252, with one or two letters of it and no others.
    let is_odd =
        prior.has_symbols && !page.is_some_and(|page| page.reads_as(&ASCII_PAGES[0], &evidence.seen));
    let is_foreign = || page.is_some_and(|page| evidence.is_foreign(page, found.language));
    let is_damaged = page.is_some_and(|page| !page.has_all(&evidence.seen));
    let is_doubtful = (is_thin || is_odd || found.certainty == Certainty::Likely && is_foreign())
        && !is_expected
        || is_table
        || is_drawing
        || is_damaged;
    let certainty = if is_doubtful { found.certainty.min(Certainty::Guess) } else { found.certainty };
    let more = if is_damaged { "; but some bytes are not defined in it" } else { "" };
    Detection { certainty, reason: found.reason + more, agrees: found.agrees && !is_doubtful, ..found }
}

/// Whether the bytes `seen`, which are not ASCII, or the ASCII around them have a letter.
fn has_letters(page: &CodePage, seen: &[u8], head: &[u8]) -> bool {
    seen.iter().filter_map(|byte| page.char(*byte)).any(char::is_alphabetic)
        || head.iter().any(u8::is_ascii_alphabetic)
}

/// Whether a page reads all non-ASCII bytes as symbols, and some as line drawing: no language is written with these alone.
fn is_line_drawing(page: &CodePage, seen: &[u8]) -> bool {
    let chars = || seen.iter().filter_map(|byte| page.char(*byte));
    chars().any(|char| matches!(char, '\u{2500}'..='\u{259F}')) && !chars().any(char::is_alphabetic)
}

/// The encodings in which a Western language without statistics is likely, too.
static WESTERN: [&Encoding; 3] = [&WINDOWS_1252, &ISO_8859_1, &ISO_8859_15];

/// With more than one word in so many that no word of a language is like, a text is in another one.
const STRANGE: usize = 8;

/// With so many different letters that are words, a text is a table of characters, or a code.
const TABLE: usize = 10;

/// Removes words of one letter from the words of a table; returns whether it is one.
fn leave_prose(words: &mut Vec<Word>) -> bool {
    let alone = words.iter().filter(|word| word.is_one_letter()).map(|word| word.bytes[1]);
    let alone = alone.collect::<std::collections::BTreeSet<_>>().len();
    let is_table = alone >= TABLE && 4 * alone > words.len();
    if is_table && words.iter().any(|word| !word.is_one_letter()) {
        words.retain(|word| !word.is_one_letter());
    }
    is_table
}

/// Whether most words have single digits between letters, as patterns of hyphenation have.
fn are_patterns(words: &[Word]) -> bool {
    let is_letter = |byte: u8| byte > 0x7F || byte.is_ascii_alphabetic();
    let is_digit = |around: &[u8]| around[1].is_ascii_digit() && is_letter(around[0]) && is_letter(around[2]);
    let patterns = words.iter().filter(|word| word.bytes.windows(3).any(is_digit)).count();
    words.len() >= PAIRS && 2 * patterns > words.len()
}

/// Whether a word has the byte A0 between small letters. A0 is a no-break space in Western code pages, and a letter in
/// those of DOS.
fn has_space(word: &Word) -> bool {
    word.bytes.windows(3).any(|around| matches!(around, [b'a'..=b'z', 0xA0, b'a'..=b'z']))
}

/// Guesses the code page of an EBCDIC file; None if it does not read as text.
pub(super) fn ebcdic(evidence: &Evidence) -> Option<Detection> {
    let head = &evidence.head[..evidence.head.len().min(4096)];
    let mut seen = [false; 256];
    head.iter().for_each(|byte| seen[usize::from(*byte)] = true);
    let seen: Vec<u8> = (0..=0xFF).filter(|byte| seen[usize::from(*byte)]).collect();
    let requested = evidence.requested_pages();
    let listed: &[CodePage] = if evidence.hints.candidates.is_empty() { &EBCDIC_PAGES } else { &requested };
    let can_be = |page: &&CodePage| page.encoding.is_ebcdic() && page.has_all(&seen);
    let pages: Vec<&CodePage> = listed.iter().filter(can_be).collect();
    let prior = Prior::without_ascii();
    let scored = evidence.score_pages(&pages, &Pairs::of_text(head), &prior);
    if scored.iter().all(|scored| scored.mean > 4 * NATS) {
        return None;
    }
    Some(evidence.conclude(scored, MARGIN, head.len() as u64, &seen))
}

impl Evidence<'_> {
    /// Returns the code pages that the candidates are limited to, if they are.
    fn requested_pages(&self) -> Vec<CodePage> {
        self.hints.candidates.iter().filter_map(|encoding| CodePage::requested(encoding)).collect()
    }

    /// Whether a text is in another language than the guessed one, because its letters, or the ASCII words near them, do not
    /// fit. Western code pages have languages without statistics, so there only the byte A0 can be a misfit.
    fn is_foreign(&self, page: &CodePage, name: Option<&str>) -> bool {
        if WESTERN.contains(&page.encoding) {
            return self.words.iter().any(has_space);
        }
        let code = LANGUAGES.iter().find(|(_, english)| Some(*english) == name).map(|(code, _)| *code);
        let is_named = |alphabet: &Alphabet| Some(alphabet.name) == code;
        let Some(number) = MODELS.alphabets.iter().position(is_named) else { return false };
        let is_latin = MODELS.alphabets[number].is_latin;
        is_latin && is_misfit(self.head, number) || self.is_strange(page, number)
    }

    /// Whether many words have letters of other languages, or symbols between letters. A few are enough in a page that
    /// is not made for the language with this number.
    fn is_strange(&self, page: &CodePage, number: usize) -> bool {
        let alphabet = &MODELS.alphabets[number];
        let sign = |byte: &u8| Sign::of_unit(page.units[usize::from(*byte)]);
        let is_strange = |word: &&Word| {
            let signs: Vec<Sign> = word.bytes.iter().map(sign).collect();
            signs.windows(3).any(|around| alphabet.is_strange([around[0], around[1], around[2]]))
        };
        let strange = self.words.iter().filter(is_strange).count();
        strange > 1 && (STRANGE * strange > self.words.len() || !page.is_home_of(number))
    }

    /// Returns the pairs of bytes by which code pages are compared.
    fn pairs(&self, prior: &Prior) -> Pairs {
        let pairs = Pairs::of_words(&self.words);
        if prior.has_symbols { pairs.each_once() } else { pairs }
    }

    /// Scores encodings of several bytes a character, and code pages, unless the former read the text well.
    fn score<'b>(&self, pages: &[&'b CodePage], prior: &Prior) -> Vec<Scored<'b>> {
        let (common, rare) = MULTI_BYTE.split_at(RARE);
        let is_long = |word: &&Word| word.bytes.len() > 6;
        let has_many = || self.words.len() >= 40 && self.words.iter().filter(is_long).count() > 20;
        let mut in_common = None;
        if !self.hints.is_limited() && has_many() {
            // The sooner the best is known, the sooner the others are hopeless.
            let (first, others): (Vec<_>, Vec<_>) =
                common.iter().partition(|candidate| candidate.may_be_well_read(&self.words, self.hints));
            if !first.is_empty() {
                let scored = self.score_multi_byte(first.into_iter().chain(others), prior, Cost::MAX);
                // Nothing else looks like well-read text of several bytes a character.
                if scored.iter().any(|scored| scored.mean < WELL_READ) {
                    return scored;
                }
                in_common = Some(scored);
            }
        }
        let in_pages = self.score_pages(pages, &self.pairs(prior), prior);
        let best = in_pages.iter().min_by_key(|scored| scored.cost);
        let most = best.map_or(Cost::MAX, |best| best.cost + HOPELESS);
        let is_plain = best.is_some_and(|best| best.mean < PLAIN);
        let mut scored = in_common.unwrap_or_else(|| self.score_multi_byte(common.iter(), prior, most));
        if !is_plain && scored.iter().all(|scored| scored.mean > WELL_READ) {
            scored.extend(self.score_multi_byte(rare.iter(), prior, most));
        }
        scored.extend(in_pages);
        scored
    }

    /// Scores encodings of several bytes a character, except those in which the text costs more than `most`, or much
    /// more than in one before.
    fn score_multi_byte<'b>(
        &self,
        candidates: impl Iterator<Item = &'static MultiByte>,
        prior: &Prior,
        mut most: Cost,
    ) -> Vec<Scored<'b>> {
        let mut all = Vec::new();
        for candidate in candidates {
            if let Some(scored) = self.score_one_multi_byte(candidate, prior, most) {
                most = most.min(scored.cost.saturating_add(HOPELESS));
                all.push(scored);
            }
        }
        all
    }

    /// Scores an encoding of several bytes a character; None if the text costs more than `most` in it.
    fn score_one_multi_byte<'b>(
        &self,
        candidate: &'static MultiByte,
        prior: &Prior,
        most: Cost,
    ) -> Option<Scored<'b>> {
        let encoding = candidate.allowed(self.hints)?;
        let fixed = candidate.rarity + self.by_declaration(encoding) + prior.of_multi_byte(candidate.family);
        let read = candidate.read(&self.words, self.hints, most.saturating_sub(fixed))?;
        let has_undefined = candidate.has_undefined(&self.seen);
        Some(Scored {
            candidate: Candidate::MultiByte(encoding),
            language: read.language,
            is_latin: false,
            rarity: candidate.rarity,
            cost: fixed + read.cost,
            mean: read.mean(),
            errors: read.errors.max(has_undefined.into()),
        })
    }

    fn score_pages<'b>(&self, pages: &[&'b CodePage], pairs: &Pairs, prior: &Prior) -> Vec<Scored<'b>> {
        let price = |page: &&'b CodePage| Priced {
            page,
            cost: page.rarity + self.by_declaration(page.encoding) + prior.of_page(page, &self.seen),
        };
        let priced: Vec<Priced> = pages.iter().map(price).collect();
        let scored = score(&priced, pairs, self.hints, &prior.by_alphabet).into_iter();
        let as_scored = scored.map(|scored| Scored {
            candidate: Candidate::Page(scored.page),
            language: scored.alphabet.name,
            is_latin: scored.alphabet.is_latin,
            rarity: scored.rarity,
            cost: scored.cost,
            mean: scored.mean,
            errors: 0,
        });
        as_scored.collect()
    }

    /// Whether a text is declared to be in this encoding, or in one of several bytes a character whose texts this one reads.
    fn is_declared(&self, encoding: &'static Encoding) -> bool {
        let is_read = |declared| encoding.reads(declared) && CodePage::requested(declared).is_none();
        self.hints.declared.is_some_and(|declared| declared == encoding || is_read(declared))
    }

    fn by_declaration(&self, encoding: &'static Encoding) -> Cost {
        if self.is_declared(encoding) { -DECLARED } else { 0 }
    }

    /// Makes the result of the candidates' costs, which is likely with the margin that is needed; the reason says
    /// how many bytes were compared. The bytes `seen` are those by which texts differ.
    fn conclude(&self, mut scored: Vec<Scored>, needed: Cost, count: u64, seen: &[u8]) -> Detection {
        scored.sort_by_key(|scored| scored.cost);
        let Some(best) = scored.first() else {
            return Detection::unknown("it is not text in any encoding that was considered");
        };
        // A candidate far from the best does not matter.
        let limit = best.cost + HOPELESS;
        let (same, others): (Vec<&Scored>, Vec<&Scored>) = scored
            .iter()
            .filter(|scored| scored.cost <= limit)
            .partition(|scored| scored.candidate.reads_as(best.candidate, seen));
        let margin = others.first().map_or(Cost::MAX, |next| next.cost - best.cost);
        let is_faulty = best.errors > 0 && best.errors * CHARS_PER_ERROR > count;
        let is_plain = best.mean < best.implausible() && !is_faulty;
        let certainty =
            if is_plain && margin >= needed + best.rarity { Certainty::Likely } else { Certainty::Guess };
        // Of the encodings that give this text, the declared one is named.
        let is_declared = |scored: &&&Scored| self.hints.declared == Some(scored.candidate.encoding());
        let named = same.iter().find(is_declared).map_or(best, |declared| *declared);
        let is_near = |scored: &&&Scored| scored.cost <= best.cost + needed;
        let same = same
            .iter()
            .filter(is_near)
            .filter(|scored| scored.candidate.encoding() != named.candidate.encoding());
        let same: Vec<_> = same.map(|scored| scored.candidate.name()).take(2).collect();
        let more = if self.is_ample { "more than " } else { "" };
        let compared = many(count, best.candidate.unit());
        let errors =
            if best.errors == 0 { String::new() } else { format!(", and {}", many(best.errors, "error")) };
        let mut reason = format!("it reads as {}, with {more}{compared}{errors}", language(best.language));
        if !same.is_empty() {
            let gives = if same.len() == 1 { "gives" } else { "give" };
            reason += &format!("; {} {gives} the same text", same.join(" and "));
        }
        Detection {
            language: Some(language(best.language)),
            agrees: is_plain
                && self.is_declared(named.candidate.encoding())
                && margin >= AGREEING - self.by_declaration(best.candidate.encoding()),
            alternatives: others.iter().filter(is_near).map(|scored| scored.candidate.name()).collect(),
            ..Detection::new(named.candidate.encoding(), certainty, reason)
        }
    }
}

impl Scored<'_> {
    /// Returns the mean cost from which on a text is in no language that is known.
    fn implausible(&self) -> Cost {
        match self.candidate {
            Candidate::Page(_) if self.is_latin => IMPLAUSIBLE_LATIN,
            Candidate::Page(_) => IMPLAUSIBLE,
            Candidate::MultiByte(..) => IMPLAUSIBLE_CHARACTER,
        }
    }
}

impl Candidate<'_> {
    fn encoding(self) -> &'static Encoding {
        match self {
            Candidate::Page(page) => page.encoding,
            Candidate::MultiByte(encoding) => encoding,
        }
    }

    /// The counts of it.
    fn unit(self) -> &'static str {
        match self {
            Candidate::Page(page) if page.encoding.is_ebcdic() => "EBCDIC byte",
            Candidate::Page(_) => "non-ASCII character",
            Candidate::MultiByte(_) => "non-ASCII byte",
        }
    }

    fn name(self) -> &'static str {
        self.encoding().name()
    }

    /// Whether both decode these bytes to the same text.
    fn reads_as(self, other: Candidate, bytes: &[u8]) -> bool {
        match (self, other) {
            (Candidate::Page(one), Candidate::Page(other)) => one.reads_as(other, bytes),
            _ => self.encoding() == other.encoding(),
        }
    }
}
