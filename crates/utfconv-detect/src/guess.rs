//! Guesses a legacy encoding by Bayes' rule, from priors and the cost of the text in each language.

use super::cost::{ASCII_LETTER, Cost, EXCEPTION, FAULT, NATS, NON_ASCII_BYTE, UNLIKELY};
use super::hints::Hints;
use super::languages::language;
use super::multi_byte::{MULTI_BYTE, MultiByte};
use super::pages::{ASCII_PAGES, CodePage, EBCDIC_PAGES};
use super::prior::Prior;
use super::result::{Certainty, Detection, Hypothesis, many};
use super::sample::Word;
use super::score::{CONTEXTS, PageScore, Pairs, score};
use utfconv_core::Encoding;

/// Log odds are divided by this temperature, because they are too large: each character is in two pairs, and pairs are
/// not independent. The value fits the corpora of `benches/detection.py --calibration` best.
const TEMPERATURE: f64 = 2.0;

/// Minimum posterior probability of a likely answer.
const LIKELY: f64 = 0.995;

/// Minimum probability of an alternative that the result names.
const NAMED: f64 = 0.01;

/// Maximum number of hypotheses in a result.
const SHOWN: usize = 3;

/// Cost of each pair in a text in no known language, if its letters are Latin: any ASCII letter, and any non-ASCII
/// byte.
pub(super) const LATIN_PAIR: Cost = ASCII_LETTER + NON_ASCII_BYTE;
/// Cost of each pair in a text in no known language, if its letters are not Latin. Each further byte makes one pair, so
/// a pair costs as much as any non-ASCII byte.
const OTHER_PAIR: Cost = NON_ASCII_BYTE;

/// Facts about a file by which the candidates are compared.
pub(super) struct Evidence<'a> {
    /// The distinct words with non-ASCII bytes.
    pub(super) words: Vec<Word<'a>>,
    /// The non-ASCII bytes of all words, sampled or not.
    pub(super) seen: Vec<u8>,
    /// Whether the file has more words than `words`.
    pub(super) is_ample: bool,
    /// The first bytes of the file.
    pub(super) head: &'a [u8],
    pub(super) hints: &'a Hints,
}

/// An encoding with its likeliest language, and their costs.
struct Scored<'a> {
    candidate: Candidate<'a>,
    language: &'static str,
    prior: Cost,
    evidence: Cost,
    /// Number of distinct pairs that were compared.
    count: Cost,
    /// Cost of the text if it is in no known language.
    without_language: Cost,
    /// Number of ill-formed sequences or undefined bytes.
    errors: u64,
}

#[derive(Clone, Copy)]
enum Candidate<'a> {
    Page(&'a CodePage),
    MultiByte(&'static Encoding),
}

/// Guesses the encoding of a file that is not EBCDIC.
pub(super) fn guess(evidence: &Evidence) -> Detection {
    let (words, hints) = (&evidence.words, evidence.hints);
    let mut counts = [0; 256];
    words.iter().for_each(|word| word.count_bytes(&mut counts));
    let count: u64 = counts[0x80..].iter().sum();
    let prior = Prior::new(evidence.head, evidence.seen.len());
    let requested = evidence.requested_pages();
    let is_open = hints.candidates.is_empty();
    let listed: &[CodePage] = if is_open { &ASCII_PAGES } else { &requested };
    let pages = listed.iter().filter(|page| !page.encoding.is_ebcdic());
    let errors = |page: &CodePage| {
        let undefined = evidence.seen.iter().filter(|byte| page.is_undefined(**byte));
        undefined.map(|byte| counts[usize::from(*byte)].max(1)).sum::<u64>()
    };
    let pages = pages.map(|page| (page, errors(page)));
    let pages: Vec<_> = pages.filter(|(_, errors)| *errors == 0 || is_open).collect();
    let pairs = Pairs::of_words(words.iter().filter(|word| !word.is_one_letter()));
    let in_pages = evidence.score_pages(&pages, &pairs, &prior);
    let limit = in_pages.iter().map(Scored::cost).min().map_or(Cost::MAX, |least| least + UNLIKELY);
    let mut found = evidence.score_multi_byte(&prior, Pairs::of_words(words.iter()).share(), limit);
    found.extend(in_pages);
    evidence.conclude(found, count, &evidence.seen)
}

/// Guesses the code page of an EBCDIC file. Returns `None` if the file does not read as text.
pub(super) fn ebcdic(evidence: &Evidence) -> Option<Detection> {
    let head = evidence.head;
    let mut seen = [false; 256];
    head.iter().for_each(|byte| seen[usize::from(*byte)] = true);
    let seen: Vec<u8> = (0..=0xFF).filter(|byte| seen[usize::from(*byte)]).collect();
    let requested = evidence.requested_pages();
    let listed: &[CodePage] = if evidence.hints.candidates.is_empty() { &EBCDIC_PAGES } else { &requested };
    let can_be = |page: &&CodePage| page.encoding.is_ebcdic() && page.has_all(&seen);
    let pages: Vec<(&CodePage, u64)> = listed.iter().filter(can_be).map(|page| (page, 0)).collect();
    let scored = evidence.score_pages(&pages, &Pairs::of_text(head), &Prior::without_ascii());
    if scored.iter().all(|scored| scored.evidence > scored.without_language - EXCEPTION) {
        return None;
    }
    Some(evidence.conclude(scored, head.len() as u64, &seen))
}

impl Evidence<'_> {
    /// Returns the code pages among the requested candidates.
    fn requested_pages(&self) -> Vec<CodePage> {
        self.hints.candidates.iter().filter_map(|encoding| CodePage::requested(encoding)).collect()
    }

    /// Scores the encodings whose characters have several bytes.
    fn score_multi_byte<'b>(&self, prior: &Prior, share: f64, limit: Cost) -> Vec<Scored<'b>> {
        let score = |candidate: &'static MultiByte| {
            let encoding = candidate.allowed(self.hints)?;
            let read = candidate.read(&self.words, self.hints, share, limit)?;
            let has_undefined = self.seen.iter().any(|byte| (candidate.is_undefined)(*byte));
            let unread = u64::from(has_undefined).saturating_sub(read.errors);
            Some(Scored {
                candidate: Candidate::MultiByte(encoding),
                language: read.language,
                prior: candidate.rarity + read.prior + prior.not_latin + self.by_declaration(encoding),
                evidence: read.evidence + unread as Cost * FAULT,
                count: read.count,
                without_language: EXCEPTION * (1 + read.count),
                errors: read.errors + unread,
            })
        };
        MULTI_BYTE.iter().filter_map(score).collect()
    }

    fn score_pages<'b>(
        &self,
        pages: &[(&'b CodePage, u64)],
        pairs: &Pairs,
        prior: &Prior,
    ) -> Vec<Scored<'b>> {
        let cost = |(page, errors): &(&'b CodePage, u64)| {
            let cost = page.rarity + self.by_declaration(page.encoding) + prior.of_newlines(page);
            (*page, cost + *errors as Cost * FAULT)
        };
        let priced: Vec<_> = pages.iter().map(cost).collect();
        let hypothesis = |scored: PageScore| {
            let (page, errors) = pages[scored.page];
            let each = if scored.language.is_latin { LATIN_PAIR } else { OTHER_PAIR };
            Scored {
                candidate: Candidate::Page(page),
                language: scored.language.name,
                prior: scored.prior,
                evidence: scored.evidence,
                count: scored.count,
                without_language: EXCEPTION + each * scored.count,
                errors,
            }
        };
        score(&priced, pairs, self.hints, &prior.by_alphabet).into_iter().map(hypothesis).collect()
    }

    /// Whether a hypothesis decodes the bytes to the same text as `encoding`, and no hypothesis gives another text.
    pub(super) fn is_without_alternative(
        &self,
        hypothesis: &Hypothesis,
        encoding: &'static Encoding,
    ) -> bool {
        let pages = || Some((CodePage::requested(hypothesis.encoding)?, CodePage::requested(encoding)?));
        let is_same = || pages().is_some_and(|(one, other)| one.reads_as(&other, &self.seen));
        hypothesis.probability >= 1.0 - NAMED && (hypothesis.encoding == encoding || is_same())
    }

    fn by_declaration(&self, encoding: &'static Encoding) -> Cost {
        if self.hints.declares(encoding) { -EXCEPTION } else { 0 }
    }

    /// Makes the result from the scored hypotheses. `seen` has the bytes in which the texts of two encodings can
    /// differ; `count` is the number of bytes compared, which the reason names.
    fn conclude(&self, mut scored: Vec<Scored>, count: u64, seen: &[u8]) -> Detection {
        scored.sort_by_key(Scored::cost);
        let texts = texts(&scored, seen);
        let Some(text) = texts.first() else {
            return Detection::unknown("it is not text in any encoding that was considered");
        };
        let best = text.readings[0];
        let named = self.named(text);
        let is_enough = best.count >= CONTEXTS || self.hints.declares(named);
        let certainty = if is_enough && best.errors == 0 && text.probability >= LIKELY {
            Certainty::Likely
        } else {
            Certainty::Guess
        };
        let hypothesis = |text: &Text| {
            let (encoding, language) = (self.named(text), language(text.readings[0].language));
            Hypothesis { encoding, language, probability: text.probability }
        };
        let others = texts.iter().skip(1).filter(|text| text.probability >= NAMED);
        Detection {
            language: (best.count > 0).then(|| language(best.language)),
            hypotheses: texts.iter().take(SHOWN).map(hypothesis).collect(),
            alternatives: others.map(|text| self.named(text).name()).collect(),
            ..Detection::new(named, certainty, self.reason(text, named, count))
        }
    }

    /// Returns the encoding to name for a text: the declared encoding if it gives the text, otherwise the most probable
    /// encoding.
    fn named(&self, text: &Text) -> &'static Encoding {
        let mut encodings = text.readings.iter().map(|reading| reading.candidate.encoding());
        let declared = encodings.find(|encoding| self.hints.declared == Some(encoding));
        declared.unwrap_or_else(|| text.readings[0].candidate.encoding())
    }

    /// Returns a phrase with the reason for the answer: the language of the text, and other encodings that give the
    /// same text.
    fn reason(&self, text: &Text, named: &Encoding, count: u64) -> String {
        let best = text.readings[0];
        let compared =
            if self.is_ample { "more than " } else { "" }.to_string() + &many(count, best.candidate.unit());
        let mut reason = match best.count {
            0 => format!("there are no words, only {compared}"),
            _ => format!("it reads as {}, with {compared}", language(best.language)),
        };
        match best.candidate {
            _ if best.errors == 0 => {}
            Candidate::MultiByte(_) => reason += &format!(", and {}", many(best.errors, "error")),
            Candidate::Page(_) => reason += "; but some bytes are not defined in it",
        }
        let encodings = text.readings.iter().map(|reading| reading.candidate.encoding());
        let same: Vec<_> = encodings.filter(|one| *one != named).map(Encoding::name).take(2).collect();
        if !same.is_empty() {
            let gives = if same.len() == 1 { "gives" } else { "give" };
            reason += &format!("; {} {gives} the same text", same.join(" and "));
        }
        reason
    }
}

/// A text, with the hypotheses that give it, the most probable hypothesis first.
struct Text<'a> {
    readings: Vec<&'a Scored<'a>>,
    /// The sum of the posterior probabilities of the hypotheses.
    probability: f64,
}

/// Returns the texts that the hypotheses give, the most probable text first. `scored` has to be sorted by cost. The
/// probabilities add up to less than 1: the rest is the probability of text in no known language.
fn texts<'a>(scored: &'a [Scored<'a>], seen: &[u8]) -> Vec<Text<'a>> {
    let Some(best) = scored.first() else { return Vec::new() };
    let weight = |cost: Cost| (f64::from(best.cost() - cost) / f64::from(NATS) / TEMPERATURE).exp();
    let all = scored.iter().map(|scored| weight(scored.cost())).sum::<f64>()
        + weight(best.prior + best.without_language);
    let mut texts: Vec<Text> = Vec::new();
    for scored in scored {
        let probability = weight(scored.cost()) / all;
        let is_same = |text: &&mut Text| text.readings[0].candidate.reads_as(scored.candidate, seen);
        match texts.iter_mut().find(is_same) {
            Some(text) => {
                text.probability += probability;
                text.readings.push(scored);
            }
            None => texts.push(Text { readings: vec![scored], probability }),
        }
    }
    texts.sort_by(|one, other| other.probability.total_cmp(&one.probability));
    texts
}

impl Scored<'_> {
    fn cost(&self) -> Cost {
        self.prior + self.evidence
    }
}

impl Candidate<'_> {
    fn encoding(self) -> &'static Encoding {
        match self {
            Candidate::Page(page) => page.encoding,
            Candidate::MultiByte(encoding) => encoding,
        }
    }

    /// Returns the noun for the bytes or characters that the reason counts.
    fn unit(self) -> &'static str {
        match self {
            Candidate::Page(page) if page.encoding.is_ebcdic() => "EBCDIC byte",
            Candidate::Page(_) => "non-ASCII character",
            Candidate::MultiByte(_) => "non-ASCII byte",
        }
    }

    /// Whether both candidates decode `bytes` to the same text.
    fn reads_as(self, other: Candidate, bytes: &[u8]) -> bool {
        match (self, other) {
            (Candidate::Page(one), Candidate::Page(other)) => one.reads_as(other, bytes),
            _ => self.encoding() == other.encoding(),
        }
    }
}
