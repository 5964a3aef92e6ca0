//! The prior of each language and encoding, from the ASCII words and the newlines of a text, before any non-ASCII byte
//! is compared.

use super::cost::{COMMON, Cost, EXCEPTION, RARE, UNLIKELY};
use super::models::{ALPHABETS, ASCII_NUMBERS, MODELS, ascii_number};
use super::pages::CodePage;
use super::sample::{Word, distinct};
use super::sniff::HEAD;

/// Maximum distance, in bytes of the same line, of compared ASCII words from a non-ASCII byte: about a sentence.
pub(super) const NEAR: usize = 100;

/// Costs of languages and encodings before any non-ASCII byte is compared.
pub(super) struct Prior {
    /// The cost of each alphabet, in the order of the models.
    pub(super) by_alphabet: [Cost; ALPHABETS],
    /// The cost of a language in a non-Latin script.
    pub(super) not_latin: Cost,
    /// Whether lines end with CR alone, as in classic Mac OS.
    ends_in_cr: bool,
}

impl Prior {
    /// Computes the prior from the first bytes of a text, which has `kinds` distinct non-ASCII bytes.
    pub(super) fn new(head: &[u8], kinds: usize) -> Prior {
        let lines = near(head);
        let words = words(&lines);
        let costs = costs_of_ascii(&words);
        let words = words.iter().filter(|word| word.bytes.len() > 1 && word.bytes.is_ascii()).count() as Cost;
        // ASCII letters that are no words cost as much as two words.
        let has_letters = lines.iter().any(u8::is_ascii_alphabetic);
        let not_latin = if has_letters { (2 * COMMON * (2 + words)).min(UNLIKELY) } else { 0 };
        let of_english = || MODELS.alphabets.iter().zip(&costs).find(|(one, _)| one.name == "en");
        // A single distinct non-ASCII byte is a symbol, in the language of the words around it.
        let most = match of_english() {
            Some((_, cost)) if kinds > 1 => cost + EXCEPTION,
            _ => Cost::MAX,
        };
        let not_latin = not_latin.min(most);
        let mut by_alphabet = costs;
        for (cost, alphabet) in by_alphabet.iter_mut().zip(&MODELS.alphabets) {
            *cost = alphabet.rarity + if alphabet.is_latin { (*cost).min(most) } else { not_latin };
        }
        let ends_in_cr = head.contains(&b'\r') && !head.contains(&b'\n');
        Prior { by_alphabet, not_latin, ends_in_cr }
    }

    /// Creates the prior of a text without ASCII, in which all languages have the same cost.
    pub(super) fn without_ascii() -> Prior {
        Prior { by_alphabet: [0; ALPHABETS], not_latin: 0, ends_in_cr: false }
    }

    /// Returns the cost of the newlines of the text in a code page.
    pub(super) fn of_newlines(&self, page: &CodePage) -> Cost {
        if self.ends_in_cr && !page.is_of_macintosh() { EXCEPTION } else { 0 }
    }
}

/// Returns the text within [`NEAR`] bytes of the non-ASCII bytes, and in the same line, because code around a
/// comment is English whatever the language of the comment is.
fn near(head: &[u8]) -> Vec<u8> {
    let is_newline = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let mut near = Vec::new();
    for line in head.split(is_newline).filter(|line| !line.is_ascii()) {
        let mut end = 0;
        for (at, _) in line.iter().enumerate().filter(|(_, byte)| !byte.is_ascii()) {
            let from = at.saturating_sub(NEAR);
            if from > end {
                near.push(b'\n');
            }
            let from = from.max(end);
            end = line.len().min(at + NEAR);
            near.extend_from_slice(&line[from.min(end)..end]);
        }
        near.push(b'\n');
    }
    near
}

/// Returns the cost of the ASCII words at the start of a text in each alphabet.
pub(super) fn by_ascii_words(text: &[u8]) -> [Cost; ALPHABETS] {
    costs_of_ascii(&words(&text[..text.len().min(HEAD)])).map(|cost| cost.min(RARE))
}

/// Returns the distinct words of a text. Non-ASCII bytes count as letters.
fn words(text: &[u8]) -> Vec<Word<'_>> {
    let is_blank = |byte: &u8| byte.is_ascii() && ascii_number(*byte) == 0;
    distinct(text.split(is_blank).filter(|word| !word.is_empty()).collect())
}

/// Returns how much more the ASCII letters of the words cost in each Latin alphabet than in the best alphabet; 0 for
/// other alphabets.
fn costs_of_ascii(words: &[Word]) -> [Cost; ALPHABETS] {
    let mut costs = [0; ALPHABETS];
    for word in words {
        let mut before = Some(0);
        for byte in word.bytes.iter().chain(b" ") {
            let now = byte.is_ascii().then(|| ascii_number(*byte));
            if let (Some(before), Some(now)) = (before, now) {
                let each = costs.iter_mut().zip(&MODELS.ascii_costs[before * ASCII_NUMBERS + now]);
                each.for_each(|(sum, cost)| *sum += Cost::from(*cost));
            }
            before = now;
        }
    }
    let latin = || MODELS.alphabets.iter().zip(costs).filter(|(alphabet, _)| alphabet.is_latin);
    let least = latin().map(|(_, cost)| cost / 2).min().unwrap_or(0);
    // Only Latin alphabets have costs of ASCII pairs; the sums of all other alphabets are 0.
    costs.map(|cost| (cost / 2 - least).max(0))
}
