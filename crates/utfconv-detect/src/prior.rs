//! Evidence about a text besides its non-ASCII bytes: its ASCII words, and its newlines.

use std::mem;

use super::models::{ALPHABETS, ASCII_NUMBERS, ASCII_PAIRS, Cost, MODELS, NATS, ascii_number};
use super::pages::{ASCII_PAGES, CodePage, Family};
use super::sample::{Word, hash};
use utfconv_core::utf8::count_bytes;

/// The maximum weight of ASCII words for or against a language.
const MOST_BY_ASCII: Cost = 8 * NATS;

/// How many bytes of ASCII words are compared.
const ASCII_WORDS: usize = 4 << 10;

/// The cost of an alphabet other than Latin where most letters are ASCII.
const AMONG_LATIN: Cost = 10 * NATS;
/// How much each word in it adds to that.
const WORD_AMONG_LATIN: Cost = NATS;
/// How much each word of one letter adds.
const LETTER_AMONG_LATIN: Cost = 5 * NATS;
/// The limit of all of these together.
const MOST_AMONG_LATIN: Cost = 30 * NATS;

/// With fewer non-ASCII bytes than this, the prior counts: text that differs from windows-1252's costs more. Words that
/// also have small ASCII letters are enough evidence by themselves.
const FEW: u64 = 4;
/// How much each byte below that number adds to the cost.
const MISSING: Cost = 3 * NATS;

/// English text with at most so many different non-ASCII bytes has a few repeated symbols: quotation marks, dashes and
/// signs. They are as frequent as the letters of another language would be.
const FEW_KINDS: usize = 2;
/// Cost of an encoding other than windows-1252 for English text with few kinds of non-ASCII bytes: this many nats for each
/// nat by which the ASCII words of the lines with such bytes are better English than any other language.
const BY_ENGLISH: Cost = 3;
/// How much worse the ASCII words of English are in any other language.
const ENGLISH: Cost = 2 * NATS;

/// How many places there are for words that were seen.
const KNOWN: usize = 1 << 10;

/// How far around a byte that is not ASCII words are compared with its language, in bytes.
const NEAR: usize = 40;
/// How much worse these words are in a language that is not theirs, in all and for each 100 bytes.
const MISFIT: Cost = 5 * NATS;
const MISFIT_OF_100: Cost = NATS;

/// The costs of languages and encodings before any non-ASCII byte is compared.
pub(super) struct Prior {
    /// The costs of the alphabets, in the order of the models.
    pub(super) by_alphabet: Vec<Cost>,
    /// The cost of another alphabet than Latin.
    foreign: Cost,
    newline: Newline,
    /// Where there is little evidence, the cost of a code page that reads the text as windows-1252 does not.
    pub(super) uncommon: Cost,
    /// Where there is little evidence, the cost of an encoding of several bytes a character.
    multi_byte: Cost,
    /// It is English with a few symbols, which are no more evidence in many words than in one.
    pub(super) has_symbols: bool,
}

impl Prior {
    /// From the `head` of a text, from its words with non-ASCII bytes (`bytes` of them), and from the kinds of these.
    pub(super) fn new(head: &[u8], words: &[Word], bytes: u64, seen: &[u8]) -> Prior {
        let letters = count_bytes(head, |byte| byte.is_ascii_alphabetic());
        let others = count_bytes(head, |byte| !byte.is_ascii());
        let cost = |word: &Word| if word.is_one_letter() { LETTER_AMONG_LATIN } else { WORD_AMONG_LATIN };
        let by_words = words.iter().take(100).map(cost).sum::<Cost>();
        let foreign = if letters > 4 * others { (AMONG_LATIN + by_words).min(MOST_AMONG_LATIN) } else { 0 };
        let by_ascii = costs_of_ascii(&head[..head.len().min(ASCII_WORDS)]);
        let by_alphabet = MODELS.alphabets.iter().zip(&by_ascii).map(|(alphabet, by_ascii)| {
            alphabet.rarity + if alphabet.is_latin { (*by_ascii).min(MOST_BY_ASCII) } else { foreign }
        });
        let has_letters = words.iter().any(|word| word.bytes.iter().any(u8::is_ascii_lowercase));
        let missing = FEW.saturating_sub(bytes) as Cost;
        let has_symbols = seen.len() <= FEW_KINDS && margin_of_english(&by_ascii) >= ENGLISH;
        let in_lines = || margin_of_english(&costs_of_ascii(&lines_of_others(head)));
        let by_kinds = if has_symbols { BY_ENGLISH * in_lines().max(0) } else { 0 };
        let uncommon = if has_letters { by_kinds } else { by_kinds.max(missing * MISSING) };
        let multi_byte = by_kinds.max(missing * MISSING);
        Prior {
            by_alphabet: by_alphabet.collect(),
            foreign,
            newline: Newline::of(head),
            uncommon,
            multi_byte,
            has_symbols,
        }
    }

    /// For a text without any ASCII.
    pub(super) fn without_ascii() -> Prior {
        let by_alphabet = MODELS.alphabets.iter().map(|alphabet| alphabet.rarity).collect();
        Prior {
            by_alphabet,
            foreign: 0,
            newline: Newline::None,
            uncommon: 0,
            multi_byte: 0,
            has_symbols: false,
        }
    }

    /// Returns the cost of a code page in which the bytes `seen` are the only ones that are not ASCII.
    pub(super) fn of_page(&self, page: &CodePage, seen: &[u8]) -> Cost {
        let is_common = self.uncommon == 0 || page.reads_as(&ASCII_PAGES[0], seen);
        self.newline.cost(page.family) + if is_common { 0 } else { self.uncommon }
    }

    /// Returns the cost of an encoding of several bytes a character.
    pub(super) fn of_multi_byte(&self, family: Family) -> Cost {
        self.newline.cost(family) + self.foreign + self.multi_byte
    }
}

/// Returns how much better the ASCII words, whose costs these are, are English than any other language.
fn margin_of_english(by_ascii: &[Cost]) -> Cost {
    let latin = || MODELS.alphabets.iter().zip(by_ascii).filter(|(alphabet, _)| alphabet.is_latin);
    let english = latin().find(|(alphabet, _)| alphabet.name == "en").map_or(0, |(_, cost)| *cost);
    let others = latin().filter(|(alphabet, _)| alphabet.name != "en");
    others.map(|(_, cost)| *cost - english).min().unwrap_or(0)
}

/// Returns the first lines with non-ASCII bytes. ASCII lines are left out, because the code around a comment is English
/// whatever the language of the comment is.
fn lines_of_others(head: &[u8]) -> Vec<u8> {
    let is_newline = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let lines = head.split(is_newline).filter(|line| !line.is_ascii());
    lines.flat_map(|line| line.iter().chain(b"\n")).take(ASCII_WORDS).copied().collect()
}

/// Whether the ASCII words around the other bytes at the start of a text are plainly not in the language with this
/// number. Its letters are Latin.
pub(super) fn is_misfit(head: &[u8], alphabet: usize) -> bool {
    let near = near(head);
    let cost = costs_of_ascii(&near)[alphabet];
    cost >= MISFIT && 100 * cost >= MISFIT_OF_100 * near.len() as Cost
}

/// Returns the text around the non-ASCII bytes.
fn near(head: &[u8]) -> Vec<u8> {
    let (mut near, mut end) = (Vec::new(), 0);
    let others = head.iter().enumerate().filter(|(_, byte)| !byte.is_ascii());
    for (at, _) in others.take_while(|(at, _)| *at < 8 * ASCII_WORDS) {
        let from = at.saturating_sub(NEAR).max(end);
        if from > end {
            near.push(b' ');
        }
        end = head.len().min(at + NEAR);
        near.extend_from_slice(&head[from..end]);
        if near.len() > ASCII_WORDS {
            break;
        }
    }
    near
}

/// Returns the cost of the ASCII words at the start of a text for each alphabet.
pub(super) fn by_ascii_words(text: &[u8]) -> Vec<Cost> {
    let costs = costs_of_ascii(&text[..text.len().min(ASCII_WORDS)]);
    costs.into_iter().map(|cost| cost.min(MOST_BY_ASCII)).collect()
}

/// Returns how much worse the ASCII words are in each Latin alphabet than in the best; 0 for other alphabets. A word
/// that comes again counts once.
fn costs_of_ascii(text: &[u8]) -> Vec<Cost> {
    let mut counts = [0_u8; ASCII_PAIRS];
    let mut occurring = Vec::with_capacity(ASCII_PAIRS);
    let mut known = [0_u32; KNOWN];
    let is_blank = |byte: &u8| byte.is_ascii() && ascii_number(*byte) == 0;
    for word in text.split(is_blank).filter(|word| !word.is_empty()) {
        let hash = hash(word);
        if mem::replace(&mut known[hash as usize % KNOWN], hash) == hash {
            continue;
        }
        let mut before = Some(0);
        for byte in word.iter().chain(b" ") {
            let now = byte.is_ascii().then(|| ascii_number(*byte));
            if let (Some(before), Some(now)) = (before, now) {
                let pair = before * ASCII_NUMBERS + now;
                let count = &mut counts[pair];
                if *count == 0 {
                    occurring.push(pair);
                }
                // Few of a pair are as much evidence as many of it.
                *count = (*count + 1).min(4);
            }
            before = now;
        }
    }
    let mut costs = [0; ALPHABETS];
    // The sum of so many is below 65,536.
    for some in occurring.chunks(64) {
        let mut sums = [0_u16; ALPHABETS];
        for pair in some {
            let count = u16::from(counts[*pair]);
            for (sum, cost) in sums.iter_mut().zip(&MODELS.ascii_costs[*pair]) {
                *sum += u16::from(*cost) * count;
            }
        }
        costs.iter_mut().zip(sums).for_each(|(cost, sum)| *cost += Cost::from(sum));
    }
    let all = || MODELS.alphabets.iter().zip(costs).map(|(alphabet, cost)| (alphabet.is_latin, cost / 4));
    let least = all().filter(|(is_latin, _)| *is_latin).map(|(_, cost)| cost).min().unwrap_or(0);
    all().map(|(is_latin, cost)| if is_latin { cost - least } else { 0 }).collect()
}

/// How lines end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Newline {
    None,
    Lf,
    CrLf,
    Cr,
}

impl Newline {
    fn of(head: &[u8]) -> Newline {
        let lf = count_bytes(head, |byte| byte == b'\n');
        let cr = count_bytes(head, |byte| byte == b'\r');
        match (lf, cr) {
            (0, 0) => Newline::None,
            (0, _) => Newline::Cr,
            _ if 2 * cr > lf => Newline::CrLf,
            _ => Newline::Lf,
        }
    }

    /// Returns the cost of such newlines in the texts of a family.
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
