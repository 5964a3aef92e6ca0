//! Undoes single-byte confusion: text in one code page that was decoded as another, so that "élève" became "ŽlŽve" and
//! "Привет" became "оПХБЕР".
//!
//! Any text in a code page can be decoded as another, so the proof needs many words. A fast scan finds characters that
//! are odd in their places, such as symbols between letters and capitals after small letters. Only if there are some,
//! the words of a sample are scored by language models, both as they are (each in its best language) and with
//! each confusion undone (all in one language). After that, each line is decided separately.

use std::collections::{HashMap, HashSet};
use std::mem;
use std::ops::Range;

use super::changes::{Change, Found, Suspect};
use super::evidence::{CHANCE, EXCEPTIONS, PROOF, PROOF_ALONE, Taken, others};
use super::levels::BOM;
use super::mistakes::Mistake;
use super::survey::pieces;
use utfconv_detect::plausibility::{Cost, Signs, cost_in, costs, rarities};

/// Maximum number of distinct words of a sample that are compared.
const COMPARED: usize = 192;
/// Maximum length of a compared word, in bytes.
const LONGEST_WORD: usize = 96;

/// Finds single-byte confusion in the windows of a document.
#[derive(Debug, Default)]
pub(super) struct Confusion {
    /// The mistake that is proven for the document.
    proven: Option<Mistake>,
}

/// The certainty of a reading.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Grade {
    Suspicious,
    Proven,
    /// The confusion is proven for all lines, also for lines without odd characters.
    Whole,
}

impl Confusion {
    /// Adds the findings in the next window. Findings of double encoding in confused lines are removed.
    pub(super) fn next(&mut self, window: &str, found: &mut Found) {
        let bytes = window.as_bytes();
        let explained: u64 = found.changes.iter().map(|change| others(&bytes[change.range.clone()])).sum();
        if explained > 0 && 2 * explained >= others(bytes) {
            return;
        }
        let bom = if window.starts_with(BOM) { BOM.len_utf8() } else { 0 };
        let pieces = pieces(&window[bom..]);
        if self.proven.is_none() && !pieces.iter().any(|piece| has_odd(piece)) {
            return;
        }
        let Some((reading, grade)) = Sample::of(&pieces).decided(self.proven) else { return };
        if grade > Grade::Suspicious {
            self.proven = Some(reading.mistake);
        }
        let mut lines =
            Lines { mistake: reading.mistake, language: reading.language, grade, words: HashMap::new() };
        let mut confused = Found::default();
        let mut at = bom;
        for line in window[at..].split_inclusive('\n') {
            if !line.is_ascii() {
                lines.decide(line, at, &mut confused);
            }
            at += line.len();
        }
        *found = merged(confused, mem::take(found));
    }
}

/// Merges findings of a text. Where two overlap, the finding of `first` is kept.
fn merged(first: Found, second: Found) -> Found {
    let (mut found, mut taken) = (Found::default(), Taken::default());
    for one in [first, second] {
        found.changes.extend(one.changes.into_iter().filter(|change| taken.take(change.range.clone())));
        found.suspects.extend(one.suspects.into_iter().filter(|suspect| taken.take(suspect.range.clone())));
    }
    found.changes.sort_by_key(|change| change.range.start);
    found.suspects.sort_by_key(|suspect| suspect.range.start);
    found
}

/// Decides about the lines of a window.
struct Lines<'a> {
    mistake: Mistake,
    language: usize,
    grade: Grade,
    /// For each measured word, its cost with the mistake undone, and its gain from undoing it.
    words: HashMap<&'a str, [Cost; 2]>,
}

impl<'a> Lines<'a> {
    /// Decides about a line that begins at offset `at`.
    fn decide(&mut self, line: &'a str, at: usize, found: &mut Found) {
        let text = other_words(line);
        let Some(was) = undone(&line[text.clone()], self.mistake) else { return };
        let [mut cost, mut gain, mut chars] = [0; 3];
        for word in words(line) {
            let Some([of_word, gain_of_word]) = self.measured(word) else { return };
            cost += of_word;
            gain += gain_of_word;
            chars += word.chars().count() as Cost;
        }
        let is_proven = match self.grade {
            Grade::Whole => gain > 0,
            Grade::Proven => gain >= PROOF && cost <= chars * CHANCE,
            Grade::Suspicious => false,
        };
        let range = at + text.start..at + text.end;
        if is_proven {
            found.changes.push(Change::new(range, was, self.mistake));
        } else if match self.grade {
            Grade::Whole => gain >= -PROOF,
            _ => gain > 0 && has_odd(line),
        } {
            found.suspects.push(Suspect::new(range, Some(was), self.mistake));
        }
    }

    /// Returns the cost of a word with the mistake undone, and its gain. Returns `None` if the word cannot be undone.
    fn measured(&mut self, word: &'a str) -> Option<[Cost; 2]> {
        if let Some(measured) = self.words.get(word) {
            return Some(*measured);
        }
        let signs = signs(&undone(word, self.mistake)?);
        let (before, mut after) = (cost(word), cost_in(self.language, &signs));
        if self.grade == Grade::Whole && after > before {
            after = costs(&signs).min().unwrap_or(after);
        }
        self.words.insert(word, [after, before - after]);
        Some([after, before - after])
    }
}

/// Returns the byte range from the first to the last non-ASCII word of a line.
fn other_words(line: &str) -> Range<usize> {
    let bytes = line.as_bytes();
    let is_other = |byte: &u8| !byte.is_ascii();
    let first = bytes.iter().position(is_other).unwrap_or(0);
    let last = bytes.iter().rposition(is_other).unwrap_or(0);
    let start = bytes[..first].iter().rposition(u8::is_ascii_whitespace).map_or(0, |blank| blank + 1);
    let end = bytes[last..].iter().position(u8::is_ascii_whitespace).map_or(line.len(), |len| last + len);
    start..end
}

/// Whether a text may have confused lines, because a character is odd in its place.
fn has_odd(text: &str) -> bool {
    let mut before = ' ';
    let mut chars = text.chars().peekable();
    while let Some(now) = chars.next() {
        if !now.is_ascii() && is_odd(before, now, chars.peek().copied().unwrap_or(' ')) {
            return true;
        }
        before = now;
    }
    false
}

/// Whether a non-ASCII character seldom occurs between two characters, in text of a Western or Cyrillic code page.
/// Cyrillic capitals after capitals are odd too, because KOI8 has small letters where other code pages have capitals.
fn is_odd(before: char, now: char, next: char) -> bool {
    let is_greek = |char: char| ('\u{391}'..='\u{3C9}').contains(&char);
    match now {
        '\u{80}'..='\u{9F}' => true,
        // Accents without a letter, and low quotation marks.
        '¨' | '¯' | '¸' | '\u{2C6}'..='\u{2DD}' | '‚' | '„' => before.is_alphabetic(),
        '\u{AD}' | '´' | '·' => false,
        '\u{A0}'..='\u{BF}' | '×' | '÷' | '–' | '—' | '“' | '”' | '†'..='\u{25FF}' | 'ﬁ' | 'ﬂ' => {
            before.is_alphabetic() && next.is_alphabetic()
        }
        _ if now.is_uppercase() => before.is_lowercase() || now > '\u{400}' && before.is_uppercase(),
        _ => before.is_alphabetic() && is_greek(now) && !is_greek(before),
    }
}

/// Distinct non-ASCII words of a window, from lines with odd characters and from other lines.
#[derive(Default)]
struct Sample<'a> {
    odd: Vec<Word<'a>>,
    others: Vec<Word<'a>>,
}

struct Word<'a> {
    text: &'a str,
    /// The cost of the word in its best language.
    cost: Cost,
}

/// A sample of words with one mistake undone.
#[derive(Debug)]
struct Reading {
    mistake: Mistake,
    /// The number of the language in which the words cost least.
    language: usize,
    /// The cost of all words with the mistake undone.
    cost: Cost,
    /// The gain of all words from undoing the mistake.
    gain: Cost,
    /// Number of characters in the words.
    chars: Cost,
    words: usize,
    /// Number of words that cost less with the mistake undone.
    gaining: usize,
    /// Number of words that cannot be undone.
    unread: usize,
}

impl<'a> Sample<'a> {
    fn of(pieces: &[&'a str]) -> Sample<'a> {
        let mut sample = Sample::default();
        let mut known = HashSet::new();
        let most = COMPARED.div_ceil(pieces.len().max(1));
        for piece in pieces {
            let mut room = most;
            for line in piece.split('\n').filter(|line| !line.is_ascii()) {
                let is_odd = has_odd(line);
                for text in words(line).filter(|word| word.len() <= LONGEST_WORD) {
                    if room > 0 && known.insert(text) {
                        room -= 1;
                        let word = Word { text, cost: cost(text) };
                        if is_odd { &mut sample.odd } else { &mut sample.others }.push(word);
                    }
                }
            }
        }
        sample
    }

    /// Returns the reading that explains the words, and its grade; `None` if no reading does. `proven` is the mistake
    /// that was proven in earlier windows.
    fn decided(mut self, proven: Option<Mistake>) -> Option<(Reading, Grade)> {
        if let Some(mistake) = proven {
            self.others.append(&mut self.odd);
            let reading = Reading::of(&self.others, mistake);
            let is_explained = reading.gain > 0 && reading.is_read();
            return is_explained.then_some((reading, Grade::Whole));
        }
        let mut all: Vec<Reading> =
            Mistake::confusions().map(|mistake| Reading::of(&self.odd, mistake)).collect();
        // The search is reversed so that the first of two equal readings wins.
        let best = all.iter().rev().filter(|reading| reading.is_read()).max_by_key(|reading| reading.gain)?;
        // A reading under which some words cannot be undone is a rival too, because such a word may be quotation marks
        // around a placeholder.
        let is_rival = |other: &Reading| {
            other.gain > best.gain - PROOF && other.texts(&self.odd) != best.texts(&self.odd)
        };
        // A single word may be an alphabet in the order of a keyboard.
        let is_gaining = best.gaining > 1 && EXCEPTIONS * (best.words - best.gaining) <= best.words;
        let grade = if best.explains(PROOF_ALONE) && is_gaining && !all.iter().any(is_rival) {
            Grade::Proven
        } else if best.explains(PROOF) {
            Grade::Suspicious
        } else {
            return None;
        };
        let rest = Reading::of(&self.others, best.mistake);
        let is_whole = grade == Grade::Proven && rest.gain >= 0;
        let best = all.iter().position(|reading| reading.mistake == best.mistake)?;
        Some((all.swap_remove(best), if is_whole { Grade::Whole } else { grade }))
    }
}

impl Reading {
    fn of(words: &[Word], mistake: Mistake) -> Reading {
        // A text that is no word proves nothing, because capitals cost more than line drawing.
        let undone: Vec<Option<Signs>> = words
            .iter()
            .map(|word| undone(word.text, mistake).filter(|text| is_word(text)).map(|text| signs(&text)))
            .collect();
        let unread = undone.iter().filter(|text| text.is_none()).count();
        let mut by_language: Vec<Cost> = rarities().collect();
        for text in undone.iter().flatten() {
            by_language.iter_mut().zip(costs(text)).for_each(|(sum, cost)| *sum += cost);
        }
        let (language, cost) = (0..).zip(by_language).min_by_key(|(_, cost)| *cost).unwrap_or_default();
        let mut reading =
            Reading { mistake, language, cost, gain: 0, chars: 0, words: words.len(), gaining: 0, unread };
        for (word, undone) in words.iter().zip(&undone) {
            if let Some(undone) = undone {
                let gain = word.cost - cost_in(language, undone);
                reading.gain += gain;
                reading.gaining += usize::from(gain > 0);
                reading.chars += word.text.chars().count() as Cost;
            }
        }
        reading
    }

    /// Whether the words can be undone, apart from exceptions.
    fn is_read(&self) -> bool {
        EXCEPTIONS * self.unread <= self.words
    }

    /// Whether the words gain at least `gain`, and are plausible with the mistake undone.
    fn explains(&self, gain: Cost) -> bool {
        self.gain >= gain && self.cost <= self.chars * CHANCE
    }

    /// Returns the words with the mistake undone.
    fn texts(&self, words: &[Word]) -> Vec<Option<String>> {
        words.iter().map(|word| undone(word.text, self.mistake)).collect()
    }
}

/// Returns the non-ASCII words of a line.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|char: char| char.is_ascii_whitespace()).filter(|word| !word.is_ascii())
}

/// Returns a text with a mistake undone; `None` if that is impossible.
fn undone(text: &str, mistake: Mistake) -> Option<String> {
    text.chars().map(|char| if char.is_ascii() { Some(char) } else { mistake.undone(char) }).collect()
}

/// Whether at least half of the characters are letters.
fn is_word(text: &str) -> bool {
    2 * text.chars().filter(|char| char.is_alphabetic()).count() >= text.chars().count()
}

/// Returns the signs of a word and a space after it.
fn signs(word: &str) -> Signs {
    Signs::of(word.chars().chain([' ']))
}

/// Returns the cost of a word in its best language.
fn cost(word: &str) -> Cost {
    costs(&signs(word)).min().unwrap_or(0)
}
