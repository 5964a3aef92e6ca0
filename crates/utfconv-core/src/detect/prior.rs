//! What is known of a text before its non-ASCII bytes are compared with any language: its ASCII words, and its newlines.

use super::bytes::count;
use super::models::{Alphabet, BLANK, Cost, MODELS, NATS, ascii_class};
use super::pages::Family;
use super::sample::Word;

/// The most that the words of ASCII count for or against a language.
const MOST_BY_ASCII: Cost = 8 * NATS;

/// How many bytes of ASCII words are compared.
const ASCII_WORDS: usize = 4 << 10;

/// The cost of another alphabet than Latin among many ASCII letters, that of each word, which is higher for a word of one
/// letter, and the most that all of it costs.
const AMONG_LATIN: Cost = 10 * NATS;
const WORD_AMONG_LATIN: Cost = NATS;
const LETTER_AMONG_LATIN: Cost = 5 * NATS;
const MOST_AMONG_LATIN: Cost = 30 * NATS;

/// The costs of languages before any byte was compared with them.
pub(super) struct Prior {
    /// By alphabet.
    pub(super) by_alphabet: Vec<Cost>,
    /// The cost of another alphabet than Latin.
    pub(super) foreign: Cost,
}

impl Prior {
    /// Looks at the first bytes of a text, and the words with non-ASCII bytes.
    pub(super) fn new(head: &[u8], words: &[Word]) -> Prior {
        let letters = count(head, |byte| byte.is_ascii_alphabetic());
        let others = count(head, |byte| !byte.is_ascii());
        let cost = |word: &Word| if word.is_one_letter() { LETTER_AMONG_LATIN } else { WORD_AMONG_LATIN };
        let by_words = words.iter().take(100).map(cost).sum::<Cost>();
        let foreign = match letters > 4 * others {
            true => (AMONG_LATIN + by_words).min(MOST_AMONG_LATIN),
            false => 0,
        };
        let by_ascii = by_ascii(&head[..head.len().min(ASCII_WORDS)]);
        let by_alphabet =
            MODELS.alphabets.iter().zip(by_ascii).map(|(alphabet, by_ascii)| {
                alphabet.rarity + if alphabet.is_latin { by_ascii } else { foreign }
            });
        Prior { by_alphabet: by_alphabet.collect(), foreign }
    }

    /// Of a text without any ASCII.
    pub(super) fn without_ascii() -> Prior {
        Prior { by_alphabet: MODELS.alphabets.iter().map(|alphabet| alphabet.rarity).collect(), foreign: 0 }
    }
}

/// How much worse the ASCII words are in each Latin alphabet than in the best; 0 for other alphabets.
fn by_ascii(head: &[u8]) -> Vec<Cost> {
    const CLASSES: usize = ascii_class(b'z') as usize + 1;
    let mut counts = [0_u16; CLASSES * CLASSES];
    let mut before = None;
    for byte in head {
        let now = byte.is_ascii().then(|| usize::from(ascii_class(*byte)));
        if let (Some(before), Some(now)) = (before, now) {
            counts[before * CLASSES + now] += 1;
        }
        before = now;
    }
    // Between two blanks.
    counts[usize::from(BLANK) * (CLASSES + 1)] = 0;
    // Few of a pair are as much evidence as many of it.
    let pairs: Vec<(u8, u8, Cost)> = (0..CLASSES * CLASSES)
        .filter(|pair| counts[*pair] > 0)
        .map(|pair| ((pair / CLASSES) as u8, (pair % CLASSES) as u8, counts[pair].min(4).into()))
        .collect();
    let latin = || MODELS.alphabets.iter().filter(|alphabet| alphabet.is_latin);
    let cost_in = |alphabet: &Alphabet| {
        let cost = |(before, now, count): &(u8, u8, Cost)| count * alphabet.ascii_cost(*before, *now);
        pairs.iter().map(cost).sum::<Cost>() / 4
    };
    let costs: Vec<Cost> = latin().map(cost_in).collect();
    let least = costs.iter().copied().min().unwrap_or(0);
    let mut latin = costs.into_iter().map(|cost| (cost - least).min(MOST_BY_ASCII));
    let of = |is_latin: bool| if is_latin { latin.next().unwrap_or(0) } else { 0 };
    MODELS.alphabets.iter().map(|alphabet| alphabet.is_latin).map(of).collect()
}

/// How lines end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Newline {
    None,
    Lf,
    CrLf,
    Cr,
}

impl Newline {
    pub(super) fn of(head: &[u8]) -> Newline {
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
    pub(super) fn cost(self, family: Family) -> Cost {
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
