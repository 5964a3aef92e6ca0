//! What is left of text in a view that drops characters: the rests of words, and where the gaps are.

use std::collections::HashSet;
use std::mem;

use super::view::{View, Viewed, units};

/// What the view has of text from which something was dropped.
#[derive(Default)]
pub(super) struct Broken {
    /// The rests of words, if they are more than a letter.
    pub words: HashSet<String>,
    /// Characters that are not ASCII, which bytes of the original show by chance in UTF-8.
    shown: HashSet<char>,
    /// Such a character with the one before or after it.
    pairs: HashSet<[char; 2]>,
    /// Where something was dropped: the characters on both sides.
    pub gaps: HashSet<Vec<char>>,
}

impl Broken {
    /// How many characters before a gap, and how many after it, identify the gap.
    pub const SIDE: usize = 5;

    pub fn new(viewed: &Viewed) -> Broken {
        let mut broken = Broken::default();
        for line in (0..viewed.lines.len()).filter(|line| viewed.lines[*line].lost > 0) {
            broken.add_line(viewed, line);
        }
        broken
    }

    /// Whether bytes of the original show the character at an index of a text by chance. Within a word, one
    /// beside it has to be the same, too: otherwise the word was typed.
    pub fn is_shown(&self, text: &[char], at: usize) -> bool {
        let beside = [at.checked_sub(1), Some(at + 1)].map(|at| at.and_then(|at| text.get(at)));
        self.shown.contains(&text[at])
            && match beside {
                [Some(before), Some(after)] if before.is_alphabetic() && after.is_alphabetic() => {
                    [[*before, text[at]], [text[at], *after]].iter().any(|pair| self.pairs.contains(pair))
                }
                _ => true,
            }
    }

    fn add_line(&mut self, viewed: &Viewed, line: usize) {
        let (mut text, mut gaps) = (Vec::new(), Vec::new());
        let (mut word, mut is_broken) = (String::new(), false);
        let mut end = |word: &mut String, is_broken: &mut bool| {
            let word = mem::take(word);
            if mem::take(is_broken) && word.len() > 1 {
                self.words.insert(word);
            }
        };
        let mut at = viewed.start_of(line);
        units(viewed.encoding, viewed.view, viewed.bytes_of(line), |unit| {
            let bytes = &viewed.original[at..at + unit.len];
            at += unit.len;
            match unit.is_lost {
                true => {
                    units(viewed.encoding, View::Exact, bytes, |lost| {
                        is_broken |= lost.text.contains(is_of_word)
                    });
                    gaps.push(text.len());
                }
                false if unit.text.chars().all(char::is_alphanumeric) => {
                    // Whatever was lost within a word is missing there.
                    is_broken |= !word.is_empty() && gaps.last() == Some(&text.len());
                    word += unit.text;
                }
                false => end(&mut word, &mut is_broken),
            }
            text.extend(unit.text.chars());
        });
        end(&mut word, &mut is_broken);
        let is_shown = |scalar: &&char| !scalar.is_ascii();
        self.shown.extend(text.iter().filter(is_shown));
        let pairs = text.windows(2).filter(|pair| pair.iter().any(|scalar| !scalar.is_ascii()));
        self.pairs.extend(pairs.map(|pair| [pair[0], pair[1]]));
        let around = |gap: usize| text.get(gap.checked_sub(Broken::SIDE)?..gap + Broken::SIDE);
        let is_telling = |around: &&[char]| {
            let letters = around.iter().filter(|scalar| scalar.is_alphanumeric());
            letters.count() > 3 && around.iter().all(|scalar| *scalar == '\t' || !scalar.is_ascii_control())
        };
        self.gaps.extend(gaps.into_iter().filter_map(around).filter(is_telling).map(<[char]>::to_vec));
    }
}

/// Whether a letter belongs to the letters beside it: Chinese, Japanese and Korean ones do not belong to a
/// word of ASCII.
pub(super) fn is_of_word(letter: char) -> bool {
    letter.is_alphabetic() && letter < '\u{2E80}'
}
