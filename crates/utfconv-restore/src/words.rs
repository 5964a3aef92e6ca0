//! The words of a text, and those of an original in which something is lost.

use std::collections::{HashMap, HashSet};
use std::mem;
use std::ops::Range;

use super::view::{Viewed, units};

/// Whether a character counts as a letter. Characters outside ASCII do, and question marks, which may replace
/// letters.
pub(super) fn is_letter(scalar: char) -> bool {
    scalar.is_ascii_alphanumeric() || !scalar.is_ascii() || scalar == '?'
}

/// So many letters identify a word.
pub(super) const SEVERAL: usize = 3;

/// Returns the ranges of letters and digits, and every other character alone.
pub(super) fn words(text: &[char]) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    for (at, scalar) in text.iter().enumerate() {
        match words.last_mut() {
            Some(last) if is_letter(*scalar) && is_letter(text[last.start]) => last.end = at + 1,
            _ => words.push(at..at + 1),
        }
    }
    words
}

/// The words of an original in which something is lost.
#[derive(Default)]
pub(super) struct Words {
    /// By their text in the view: the range of one; None if their bytes differ.
    ranges: HashMap<String, Option<Range<usize>>>,
    /// The letters that are side by side in them.
    pairs: HashSet<[char; 2]>,
    /// The signs before question marks of the original, with the characters after these, without those around
    /// lost characters that look like one.
    questions: HashSet<[char; 2]>,
}

impl Words {
    pub fn new(viewed: &Viewed) -> Words {
        let mut words = Words::default();
        // Words that end within a character of the original: their bytes are not known.
        let mut cut: Vec<String> = Vec::new();
        for line in (0..viewed.lines.len()).filter(|line| viewed.lines[*line].lost > 0) {
            let (mut word, mut is_lost, mut at) = (String::new(), false, viewed.start_of(line));
            let mut start = at;
            let mut end = |word: &mut String, is_lost: &mut bool, bytes: Range<usize>| {
                let word = mem::take(word);
                if mem::take(is_lost) {
                    words.add(word, bytes, viewed.original);
                }
            };
            units(viewed.encoding, viewed.view, viewed.bytes_of(line), |unit| {
                if unit.text.chars().all(is_letter) {
                    word += unit.text;
                    is_lost |= unit.is_lost;
                } else {
                    if unit.is_lost {
                        let letters = unit.text.chars().take_while(|scalar| is_letter(*scalar));
                        cut.push(word.chars().chain(letters).collect());
                    }
                    end(&mut word, &mut is_lost, start..at);
                    start = at + unit.len;
                }
                at += unit.len;
            });
            end(&mut word, &mut is_lost, start..at);
        }
        words.ranges.extend(cut.into_iter().map(|word| (word, None)));
        let pairs_of = |word: &'_ String| {
            let letters: Vec<_> = word.chars().collect();
            letters.windows(2).map(|pair| [pair[0], pair[1]]).collect::<Vec<_>>()
        };
        words.pairs = words.ranges.keys().flat_map(pairs_of).collect();
        if viewed.view.mark() == Some('?') {
            words.questions = questions(viewed);
        }
        words
    }

    fn add(&mut self, word: String, bytes: Range<usize>, original: &[u8]) {
        let known = self.ranges.entry(word).or_insert_with(|| Some(bytes.clone()));
        if known.clone().is_some_and(|known| original[known] != original[bytes]) {
            *known = None;
        }
    }

    pub fn has(&self, word: &str) -> bool {
        self.ranges.contains_key(word)
    }

    /// Returns the range of a word, if all words that look like it have the same bytes.
    pub fn range(&self, word: &str) -> Option<Range<usize>> {
        self.ranges.get(word)?.clone()
    }

    /// Whether a question mark between these characters was in the original.
    pub fn has_question(&self, beside: [char; 2]) -> bool {
        self.questions.contains(&beside)
    }

    /// Whether letters that are side by side may be a part of these words. A single letter may be.
    pub fn has_part(&self, letters: &[char]) -> bool {
        letters.len() == 1 || letters.windows(2).any(|pair| self.pairs.contains(&[pair[0], pair[1]]))
    }
}

/// Returns the signs before question marks of the original, with the characters after these, without those
/// around lost characters that look like one.
fn questions(viewed: &Viewed) -> HashSet<[char; 2]> {
    let (mut real, mut lost) = (HashSet::new(), HashSet::new());
    for line in (0..viewed.lines.len()).filter(|line| viewed.text_of(*line).contains('?')) {
        let (mut text, mut length) = (Vec::new(), 0);
        let end = viewed.content(viewed.text_of(line)).len();
        units(viewed.encoding, viewed.view, viewed.bytes_of(line), |unit| {
            let is_content = length < end;
            length += unit.text.len();
            text.extend(unit.text.chars().filter(|_| is_content).map(|scalar| (scalar, unit.is_lost)));
        });
        text.push(('\n', false));
        for around in text.windows(3).filter(|around| around[1].0 == '?') {
            let kind = if around[1].1 { &mut lost } else { &mut real };
            kind.insert([around[0].0, around[2].0]);
        }
    }
    let is_sign = |beside: &&[char; 2]| !is_letter(beside[0]) && !beside[0].is_whitespace();
    real.difference(&lost).filter(is_sign).copied().collect()
}
