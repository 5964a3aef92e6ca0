//! The characters of a document outside of changes. By chance, letters of its language follow each other like the bytes
//! of a character: a change of only such letters is dropped.

use std::ops::Range;

use super::changes::{Change, Found};
use super::groups::is_word;
use super::mistakes::{Mistake, Set};
use utfconv_core::utf8::decode_first;

/// A word that is changed has so many characters at most if it may be a sign that is alone, as in lists of characters.
const SIGN: usize = 2;

/// How often the characters of a document are in its text, less how often they are in possible changes.
#[derive(Debug)]
pub(super) struct Alphabet {
    counts: Box<[i32]>,
    /// The mistakes whose characters are changed elsewhere.
    proven: Set,
}

impl Default for Alphabet {
    fn default() -> Alphabet {
        Alphabet { counts: vec![0; 1 << 16].into_boxed_slice(), proven: Set::default() }
    }
}

impl Alphabet {
    /// Takes the next text of the document, and drops changes that are in it by chance.
    pub(super) fn check(&mut self, text: &str, found: &mut Found) {
        self.count(text, 1);
        let changed = found.changes.iter().map(|change| &change.range);
        let suspects = found.suspects.iter().map(|suspect| &suspect.range);
        changed.chain(suspects).for_each(|range| self.count(&text[range.clone()], -2));
        let words = words(text, &found.changes);
        for word in &words {
            if let Some(mistake) = mistake(&word[0])
                && !is_sign(text, word)
                && self.is_proof(text, word)
            {
                self.proven.insert(mistake);
            }
        }
        let is_kept = |word: &&[Change]| {
            let is_proven = mistake(&word[0]).is_none_or(|mistake| self.proven.has(mistake));
            is_proven && !self.has_all(text, word)
        };
        let kept = words.into_iter().filter(is_kept).flatten().cloned().collect();
        found.changes = kept;
        found.suspects.retain(|suspect| {
            let text = &text[suspect.range.clone()];
            match suspect.was {
                Some(_) => !self.has(text),
                // The rest of a character that lost bytes begins with a letter that only mistakes make.
                None => {
                    let first = text.chars().next().map_or(0, char::len_utf8);
                    suspect.mistake.is_some_and(|mistake| self.proven.has(mistake))
                        && !self.has(&text[..first])
                }
            }
        });
    }

    fn count(&mut self, text: &str, by: i32) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let (char, width) = decode_first(&bytes[at..]);
            at += width;
            if let Some(count) = self.counts.get_mut(char as usize) {
                *count = count.saturating_add(by);
            }
        }
    }

    /// Whether all characters of a text that are not ASCII are more often elsewhere.
    fn has(&self, text: &str) -> bool {
        let count = |char: char| self.counts.get(char as usize).copied().unwrap_or(0);
        text.chars().filter(|char| !char.is_ascii()).all(|char| {
            let cases = char.to_lowercase().chain(char.to_uppercase()).filter(|other| *other != char);
            count(char).saturating_add(cases.map(count).sum()) > 0
        })
    }

    /// Whether a word proves its mistake: it has characters that are not elsewhere, and what was one letter begins
    /// with one.
    fn is_proof(&self, text: &str, word: &[Change]) -> bool {
        let first = text[word[0].range.clone()].chars().next().map_or(0, char::len_utf8);
        let lead = &text[word[0].range.start..][..first];
        let was_several = word.len() > 1 || word[0].text.chars().nth(1).is_some();
        !self.has_all(text, word) && (was_several || !self.has(lead))
    }

    fn has_all(&self, text: &str, word: &[Change]) -> bool {
        word.iter().all(|change| self.has(&text[change.range.clone()]))
    }
}

/// Returns the mistake of a change.
fn mistake(change: &Change) -> Option<Mistake> {
    change.mistakes.first().copied()
}

/// Returns the changes of each word.
fn words<'a>(text: &str, changes: &'a [Change]) -> Vec<&'a [Change]> {
    let is_joined = |first: &Change, second: &Change| {
        mistake(first) == mistake(second) && is_word(&text[first.range.end..second.range.start])
    };
    changes.chunk_by(is_joined).collect()
}

/// Whether a word is two characters without letters next to them.
fn is_sign(text: &str, word: &[Change]) -> bool {
    let Range { start, end } = word[0].range.start..word[word.len() - 1].range.end;
    text[start..end].chars().nth(SIGN).is_none()
        && !text[..start].ends_with(char::is_alphabetic)
        && !text[end..].starts_with(char::is_alphabetic)
}
