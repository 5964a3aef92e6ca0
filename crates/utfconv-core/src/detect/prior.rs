//! What is known of a text before its non-ASCII bytes are compared with any language: its ASCII words, and its newlines.

use super::bytes::count;
use super::models::{ASCII_NUMBERS, ASCII_PAIRS, Alphabet, Cost, MODELS, NATS, ascii_number};
use super::pages::{ASCII_PAGES, CodePage, Family};
use super::sample::Word;

/// The most that the words of ASCII count for or against a language.
const MOST_BY_ASCII: Cost = 8 * NATS;

/// How many bytes of ASCII words are compared.
const ASCII_WORDS: usize = 4 << 10;

/// The cost of an alphabet other than Latin where most letters are ASCII.
const AMONG_LATIN: Cost = 10 * NATS;
/// What each word in it adds to that.
const WORD_AMONG_LATIN: Cost = NATS;
/// What each word of one letter adds.
const LETTER_AMONG_LATIN: Cost = 5 * NATS;
/// The limit of all of these together.
const MOST_AMONG_LATIN: Cost = 30 * NATS;

/// With fewer non-ASCII bytes than this, the prior counts: text that differs from windows-1252's costs more. Words that
/// also have small ASCII letters are enough evidence by themselves.
const FEW: u64 = 4;
/// What each byte below that number adds to the cost.
const MISSING: Cost = 3 * NATS;

/// English text with no more kinds of non-ASCII bytes than this has a few symbols that come again: quotation marks, dashes and
/// signs. They are as frequent as the letters of another language would be.
const FEW_KINDS: usize = 2;
/// The cost of reading English otherwise than in windows-1252 then.
const NO_SYMBOL: Cost = 30 * NATS;
/// How much worse the ASCII words of English are in any other language.
const ENGLISH: Cost = 2 * NATS;

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
    /// From the `head` of a text, from its words with non-ASCII bytes, of which there are `bytes`, and from the kinds of these.
    pub(super) fn new(head: &[u8], words: &[Word], bytes: u64, seen: &[u8]) -> Prior {
        let letters = count(head, |byte| byte.is_ascii_alphabetic());
        let others = count(head, |byte| !byte.is_ascii());
        let cost = |word: &Word| if word.is_one_letter() { LETTER_AMONG_LATIN } else { WORD_AMONG_LATIN };
        let by_words = words.iter().take(100).map(cost).sum::<Cost>();
        let foreign = match letters > 4 * others {
            true => (AMONG_LATIN + by_words).min(MOST_AMONG_LATIN),
            false => 0,
        };
        let by_ascii = by_ascii(&head[..head.len().min(ASCII_WORDS)]);
        let by_alphabet = MODELS.alphabets.iter().zip(&by_ascii).map(|(alphabet, by_ascii)| {
            alphabet.rarity + if alphabet.is_latin { *by_ascii } else { foreign }
        });
        let has_letters = words.iter().any(|word| word.bytes.iter().any(u8::is_ascii_lowercase));
        let missing = FEW.saturating_sub(bytes) as Cost;
        let has_symbols = seen.len() <= FEW_KINDS && is_english(&by_ascii);
        let by_kinds = if has_symbols { NO_SYMBOL } else { 0 };
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

    /// The cost of a code page in which the bytes `seen` are the only ones that are not ASCII.
    pub(super) fn of_page(&self, page: &CodePage, seen: &[u8]) -> Cost {
        let is_common = self.uncommon == 0 || page.reads_as(&ASCII_PAGES[0], seen);
        self.newline.cost(page.family) + if is_common { 0 } else { self.uncommon }
    }

    /// The cost of an encoding of several bytes a character.
    pub(super) fn of_multi_byte(&self, family: Family) -> Cost {
        self.newline.cost(family) + self.foreign + self.multi_byte
    }
}

/// Whether the ASCII words, whose costs these are, are English and no other language.
fn is_english(by_ascii: &[Cost]) -> bool {
    MODELS
        .alphabets
        .iter()
        .zip(by_ascii)
        .filter(|(alphabet, _)| alphabet.is_latin)
        .all(|(alphabet, cost)| if alphabet.name == "en" { *cost == 0 } else { *cost >= ENGLISH })
}

/// What [`by_ascii`] finds at the start of a text.
#[cfg(feature = "repair")]
pub(super) fn by_ascii_words(text: &[u8]) -> Vec<Cost> {
    by_ascii(&text[..text.len().min(ASCII_WORDS)])
}

/// How much worse the ASCII words are in each Latin alphabet than in the best; 0 for other alphabets.
fn by_ascii(head: &[u8]) -> Vec<Cost> {
    const OTHER: usize = usize::MAX;
    let mut counts = [0_u8; ASCII_PAIRS];
    let mut before = OTHER;
    for byte in head {
        let now = if byte.is_ascii() { ascii_number(*byte) } else { OTHER };
        if before != OTHER && now != OTHER {
            let count = &mut counts[before * ASCII_NUMBERS + now];
            // Few of a pair are as much evidence as many of it.
            *count = (*count + 1).min(4);
        }
        before = now;
    }
    // Between two blanks.
    counts[0] = 0;
    let latin = || MODELS.alphabets.iter().filter(|alphabet| alphabet.is_latin);
    let cost_in = |alphabet: &Alphabet| {
        let costs = alphabet.ascii_costs.iter().zip(&counts);
        costs.map(|(cost, count)| Cost::from(u16::from(*cost) * u16::from(*count))).sum::<Cost>() / 4
    };
    let costs: Vec<Cost> = latin().map(cost_in).collect();
    let least = costs.iter().copied().min().unwrap_or(0);
    let mut latin = costs.into_iter().map(|cost| (cost - least).min(MOST_BY_ASCII));
    let of = |is_latin: bool| if is_latin { latin.next().unwrap_or(0) } else { 0 };
    MODELS.alphabets.iter().map(|alphabet| alphabet.is_latin).map(of).collect()
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
        let lf = count(head, |byte| byte == b'\n');
        let cr = count(head, |byte| byte == b'\r');
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
