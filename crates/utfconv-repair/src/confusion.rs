//! Single-byte confusion: text in a code page that was decoded as another one, so that "élève" became "ŽlŽve", and
//! "Привет" became "оПХБЕР".
//!
//! Every text in a code page can be read as another one, so the proof is of many words. A fast look finds characters
//! that are odd where they are: symbols between letters, and capitals after small letters. Only where they are many, the
//! words of a sample are compared by the models of languages: as they are, each in the language that fits it best, and as
//! each confusion would have them, all in one language. Then each line is decided by itself.

use std::collections::{HashMap, HashSet};
use std::mem;
use std::ops::Range;

use super::changes::{Change, Found, Suspect};
use super::evidence::Taken;
use super::levels::{BOM, is_mostly};
use super::mistakes::Mistake;
use super::starts::next_non_ascii;
use utfconv_core::utf8::{decode_first, end_of_whole_sequences, is_continuation};
use utfconv_detect::plausibility::{Cost, NATS, Signs, cost_in, costs, rarities};

/// A long window is sampled in pieces of so many bytes; a shorter one is a piece.
const PIECES: usize = 32;
const PIECE: usize = 192;

/// A text is suspicious if one of this many non-ASCII characters is odd, or one of this many Cyrillic letters is a capital.
const ODD_OF: u32 = 32;
const CAPITAL_OF: u32 = 8;

/// How many different words of a sample are compared, of so many bytes at most.
const COMPARED: usize = 192;
const LONGEST_WORD: usize = 96;

/// The highest mean cost in nats of a character of plausible text: that of one character of 55.
const PLAUSIBLE: Cost = 4 * NATS;

/// The gain of all words of a document that proves a confusion, in nats: as much as four lines that are each clear.
const PROOF: Cost = 4 * CLEAR;

/// How many different words have to gain: a single one may be a table of characters.
const WORDS: usize = 4;

/// What a line gains that is undone alone, and by how much another reading of the document has to be worse, in nats: one line in three
/// million gains that by chance.
const CLEAR: Cost = 15 * NATS;

/// Decides about the windows of a document.
#[derive(Debug, Default)]
pub(super) struct Confusion {
    /// The mistake that is proven for the document.
    proven: Option<Mistake>,
}

/// How sure a reading is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Grade {
    Suspicious,
    Proven,
    /// Proven for all lines.
    Whole,
}

impl Confusion {
    /// Adds the findings in the next window, which is well-formed, to those of double encoding. Of the latter, what is
    /// in confused lines goes.
    pub(super) fn next(&mut self, window: &[u8], found: &mut Found) {
        if !found.changes.is_empty() && is_mostly(window, &found.changes) {
            return;
        }
        let bom = if window.starts_with(BOM) { BOM.len() } else { 0 };
        let pieces = pieces(&window[bom..]);
        let mut look = Look::default();
        pieces.iter().for_each(|piece| look.take(piece));
        if look.others == 0 || self.proven.is_none() && !look.is_suspicious() {
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
        for line in window[at..].split_inclusive(|byte| *byte == b'\n') {
            if !line.is_ascii() {
                lines.decide(str::from_utf8(line).unwrap_or_default(), at, &mut confused);
            }
            at += line.len();
        }
        *found = merged(confused, mem::take(found));
    }
}

/// Joins findings of a text. Of those that overlap, the first count.
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
    /// Words that were measured: what they cost once they are undone, in the language of the document and in any one,
    /// and what they gain then.
    words: HashMap<&'a str, [Cost; 2]>,
}

impl<'a> Lines<'a> {
    /// Decides about a line that begins at an offset.
    fn decide(&mut self, line: &'a str, at: usize, found: &mut Found) {
        let text = others(line);
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
            Grade::Proven => gain >= CLEAR && cost <= chars * PLAUSIBLE,
            Grade::Suspicious => false,
        };
        let range = at + text.start..at + text.end;
        if is_proven {
            found.changes.push(Change::new(range, was, self.mistake));
        } else if match self.grade {
            Grade::Whole => gain >= -CLEAR,
            _ => gain > 0 && Look::of(line).is_odd(),
        } {
            found.suspects.push(Suspect { range, was: Some(was), mistake: Some(self.mistake), near: None });
        }
    }

    /// Returns the cost of a word once it is undone, and what it gains; None if too many were measured.
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

/// Returns where the words of a line are that are not ASCII, from the first to the last.
fn others(line: &str) -> Range<usize> {
    let bytes = line.as_bytes();
    let is_other = |byte: &u8| !byte.is_ascii();
    let first = bytes.iter().position(is_other).unwrap_or(0);
    let last = bytes.iter().rposition(is_other).unwrap_or(0);
    let start = bytes[..first].iter().rposition(u8::is_ascii_whitespace).map_or(0, |blank| blank + 1);
    let end = bytes[last..].iter().position(u8::is_ascii_whitespace).map_or(line.len(), |len| last + len);
    start..end
}

/// Returns the pieces of a window that are examined. A piece begins and ends with a word, unless the word is longer than
/// the piece.
fn pieces(window: &[u8]) -> Vec<&str> {
    let text = |piece| str::from_utf8(piece).unwrap_or_default();
    if window.len() <= PIECES * PIECE {
        return vec![text(window)];
    }
    parts(window).filter_map(|part| Some(text(piece(part)?))).collect()
}

/// Splits a window into `PIECES` parts of whole characters.
fn parts(window: &[u8]) -> impl Iterator<Item = &[u8]> {
    let border = |number: usize| {
        let at = number * window.len() / PIECES;
        at + window[at..].iter().take_while(|byte| is_continuation(**byte)).count()
    };
    (0..PIECES).map(move |number| &window[border(number)..border(number + 1)])
}

/// Returns the piece of a part that begins with the word of the first non-ASCII character; `None` if the part is ASCII.
fn piece(part: &[u8]) -> Option<&[u8]> {
    let first = next_non_ascii(part)?;
    let start = part[..first].iter().rposition(u8::is_ascii_whitespace).map_or(first, |blank| blank + 1);
    let rest = &part[start..];
    let cut = &rest[..rest.len().min(PIECE)];
    let blank = cut.iter().rposition(u8::is_ascii_whitespace);
    Some(&cut[..blank.unwrap_or_else(|| end_of_whole_sequences(cut))])
}

/// The kind of a character among others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Class {
    #[default]
    Other,
    Small,
    Capital,
    Greek,
    /// A symbol that is not written between letters.
    Symbol,
    /// A symbol that is not written after letters.
    Mark,
    /// A dash, which is written between words.
    Dash,
    /// A control, which is written nowhere.
    Control,
}

impl Class {
    /// Of characters that code pages of the West and of Cyrillic have.
    fn of(char: u32) -> Class {
        match char {
            0x61..=0x7A | 0xDF..=0xF6 | 0xF8..=0xFF | 0x430..=0x45F => Class::Small,
            0x41..=0x5A | 0xC0..=0xD6 | 0xD8..=0xDE | 0x400..=0x42F => Class::Capital,
            0x131 | 0x153 | 0x161 | 0x17E | 0x192 | 0x491 => Class::Small,
            0x152 | 0x160 | 0x178 | 0x17D | 0x490 => Class::Capital,
            0x391..=0x3C9 => Class::Greek,
            0x80..=0x84 | 0x86..=0x9F => Class::Control,
            0x2013 | 0x2014 => Class::Dash,
            0xA8 | 0xAF | 0xB8 | 0x2C6..=0x2DD | 0x201A | 0x201E => Class::Mark,
            0xAA | 0xAD | 0xB4 | 0xB7 | 0xBA => Class::Other,
            0xA0..=0xBF | 0xD7 | 0xF7 | 0x2020..=0x25FF | 0xFB01 | 0xFB02 => Class::Symbol,
            0x201C | 0x201D => Class::Symbol,
            _ => Class::Other,
        }
    }

    fn is_letter(self) -> bool {
        matches!(self, Class::Small | Class::Capital | Class::Greek)
    }
}

/// The counts of a fast look at text.
#[derive(Clone, Copy, Debug, Default)]
struct Look {
    /// Characters that are not ASCII.
    others: u32,
    /// Characters that are odd where they are, and dashes between letters.
    odd: u32,
    dashes: u32,
    /// Cyrillic letters.
    capitals: u32,
    small: u32,
}

impl Look {
    fn of(text: &str) -> Look {
        let mut look = Look::default();
        look.take(text);
        look
    }

    fn take(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let (mut at, mut before) = (0, Class::Other);
        while let Some(ascii) = next_non_ascii(&bytes[at..]) {
            at += ascii;
            if ascii > 0 {
                before = Class::of(bytes[at - 1].into());
            }
            let (char, len) = decode_first(&bytes[at..]);
            let now = Class::of(char);
            at += len;
            let next = || bytes.get(at).map_or(Class::Other, |_| Class::of(decode_first(&bytes[at..]).0));
            let is_odd = match now {
                Class::Capital => before == Class::Small,
                Class::Symbol => before.is_letter() && next().is_letter(),
                Class::Greek => matches!(before, Class::Small | Class::Capital),
                Class::Mark => before.is_letter(),
                Class::Control => true,
                _ => false,
            };
            self.others += 1;
            self.odd += u32::from(is_odd);
            self.dashes += u32::from(now == Class::Dash && before.is_letter() && next().is_letter());
            if char & !0x7F == 0x400 {
                self.capitals += u32::from(now == Class::Capital);
                self.small += u32::from(now == Class::Small);
            }
            before = now;
        }
    }

    /// Whether a line may be confused. KOI8 has small letters where other pages have capitals.
    fn is_odd(&self) -> bool {
        self.odd > 0 || self.dashes > 0 || self.capitals > 2 * self.small
    }

    /// Whether some lines may be confused.
    fn is_suspicious(&self) -> bool {
        self.odd > 0 && ODD_OF * self.odd >= self.others || CAPITAL_OF * self.capitals > self.small
    }
}

/// Different words of a window with characters that are not ASCII: of lines with odd characters, and others.
#[derive(Default)]
struct Sample<'a> {
    odd: Vec<Word<'a>>,
    others: Vec<Word<'a>>,
}

struct Word<'a> {
    text: &'a str,
    /// The cost in the language that fits best.
    cost: Cost,
}

/// Words as one mistake would have them.
#[derive(Debug)]
struct Reading {
    mistake: Mistake,
    /// The number of the language that fits best.
    language: usize,
    /// What the words cost, and what they gain.
    cost: Cost,
    gain: Cost,
    /// How many characters they have.
    chars: Cost,
    /// How many words there are, and how many gain, and cannot be undone.
    words: usize,
    gaining: usize,
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
                let is_odd = Look::of(line).is_odd();
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

    /// Returns the reading that explains the words, and how sure it is; None if none does. `proven` is the mistake of
    /// the text before.
    fn decided(mut self, proven: Option<Mistake>) -> Option<(Reading, Grade)> {
        if let Some(mistake) = proven {
            self.others.append(&mut self.odd);
            let reading = Reading::of(&self.others, mistake);
            if reading.gain > 0 && reading.is_read() {
                return Some((reading, Grade::Whole));
            }
            return None;
        }
        let mut all: Vec<Reading> =
            Mistake::confusions().map(|mistake| Reading::of(&self.odd, mistake)).collect();
        // Of two that are alike, the first.
        let best = all.iter().rev().filter(|reading| reading.is_read()).max_by_key(|reading| reading.gain)?;
        // One that makes no words of some is a rival, too: quotation marks around a placeholder are no word.
        let is_rival = |other: &Reading| {
            other.gain > best.gain - CLEAR && other.texts(&self.odd) != best.texts(&self.odd)
        };
        let grade = if best.explains(PROOF)
            && best.gaining >= WORDS.max(best.words * 9 / 10)
            && !all.iter().any(is_rival)
        {
            Grade::Proven
        } else if best.explains(CLEAR) {
            Grade::Suspicious
        } else {
            return None;
        };
        let rest = Reading::of(&self.others, best.mistake);
        let is_whole = grade == Grade::Proven && rest.gain >= 0 && rest.is_read();
        let best = all.iter().position(|reading| reading.mistake == best.mistake)?;
        Some((all.swap_remove(best), if is_whole { Grade::Whole } else { grade }))
    }
}

impl Reading {
    fn of(words: &[Word], mistake: Mistake) -> Reading {
        // What would be no word proves nothing: capitals cost more than line drawing.
        let undone: Vec<Option<Signs>> = words
            .iter()
            .map(|word| undone(word.text, mistake).filter(|text| is_word(text)).map(|text| signs(&text)))
            .collect();
        let mut by_language: Vec<Cost> = rarities().collect();
        let unread = undone.iter().filter(|text| text.is_none()).count();
        let mut reading = Reading {
            mistake,
            language: 0,
            cost: 0,
            gain: 0,
            chars: 0,
            words: words.len(),
            gaining: 0,
            unread,
        };
        if unread == words.len() {
            return reading;
        }
        for text in undone.iter().flatten() {
            by_language.iter_mut().zip(costs(text)).for_each(|(sum, cost)| *sum += cost);
        }
        (reading.language, reading.cost) =
            (0..).zip(by_language).min_by_key(|(_, cost)| *cost).unwrap_or_default();
        for (word, undone) in words.iter().zip(&undone) {
            if let Some(undone) = undone {
                let gain = word.cost - cost_in(reading.language, undone);
                reading.gain += gain;
                reading.gaining += usize::from(gain > 0);
                reading.chars += word.text.chars().count() as Cost;
            }
        }
        reading
    }

    /// Whether nearly all words can be undone.
    fn is_read(&self) -> bool {
        10 * self.unread <= self.words
    }

    /// Whether the words gain this much, and are plausible then.
    fn explains(&self, gain: Cost) -> bool {
        self.gain >= gain && self.cost <= self.chars * PLAUSIBLE
    }

    /// Returns the words as they were.
    fn texts(&self, words: &[Word]) -> Vec<Option<String>> {
        words.iter().map(|word| undone(word.text, self.mistake)).collect()
    }
}

/// Returns the words of a line that are not ASCII.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|char: char| char.is_ascii_whitespace()).filter(|word| !word.is_ascii())
}

/// Returns a text as it was before a mistake; None if that cannot be.
fn undone(text: &str, mistake: Mistake) -> Option<String> {
    text.chars().map(|char| if char.is_ascii() { Some(char) } else { mistake.undone(char) }).collect()
}

/// Whether at least half of the characters are letters.
fn is_word(text: &str) -> bool {
    2 * text.chars().filter(|char| char.is_alphabetic()).count() >= text.chars().count()
}

/// Returns the signs of a word, with the blank after it.
fn signs(word: &str) -> Signs {
    Signs::of(word.chars().chain([' ']))
}

/// Returns the cost of a word in the language that fits it best.
fn cost(word: &str) -> Cost {
    costs(&signs(word)).min().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_is_cut_between_characters_and_nothing_is_dropped() {
        let words = ["élève ", "Привет", "日本語", "😀", "plain ", "\n", "ß"];
        for seed in 0..200_usize {
            // Words in an order that differs, from long texts without blanks to short ones.
            let mut state = seed;
            let mut text = String::new();
            while text.len() <= PIECES * PIECE + 97 * seed {
                state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
                text += words[(state >> 33) % (1 + seed % words.len())];
            }
            let parts: Vec<&[u8]> = parts(text.as_bytes()).collect();
            assert_eq!(parts.concat(), text.as_bytes());
            for part in &parts {
                let piece = piece(part).map(|piece| str::from_utf8(piece).expect("is whole"));
                assert!(
                    piece.is_none_or(|piece| part.windows(piece.len()).any(|one| one == piece.as_bytes()))
                );
                assert_eq!(piece.is_some_and(|piece| !piece.is_ascii()), !part.is_ascii(), "{piece:?}");
            }
            let found: Vec<&str> =
                parts.iter().filter_map(|part| str::from_utf8(piece(part)?).ok()).collect();
            assert_eq!(pieces(text.as_bytes()), found);
        }
    }
}
