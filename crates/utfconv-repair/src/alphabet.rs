//! The characters of a document outside of changes. By chance, letters of its language follow each other like the bytes
//! of a character: a change of only such letters is dropped.

use super::changes::{Change, Found};
use super::groups::is_word;
use utfconv_core::utf8::decode_first;

/// How often the characters of a document are in its text, less how often they are in possible changes.
#[derive(Debug)]
pub(super) struct Alphabet {
    counts: Box<[i32]>,
}

impl Default for Alphabet {
    fn default() -> Alphabet {
        Alphabet { counts: vec![0; 1 << 16].into_boxed_slice() }
    }
}

impl Alphabet {
    /// Takes the next text of the document, and drops changes that are in it by chance.
    pub(super) fn check(&mut self, text: &str, found: &mut Found) {
        self.count(text, 1);
        let changed = found.changes.iter().map(|change| &change.range);
        let suspects = found.suspects.iter().map(|suspect| &suspect.range);
        changed.chain(suspects).for_each(|range| self.count(&text[range.clone()], -2));
        let is_joined = |first: &Change, second: &Change| is_word(&text[first.range.end..second.range.start]);
        let words = found.changes.chunk_by(is_joined);
        let is_kept = |word: &&[Change]| !word.iter().all(|change| self.has(&text[change.range.clone()]));
        found.changes = words.filter(is_kept).flatten().cloned().collect();
        found.suspects.retain(|suspect| suspect.was.is_none() || !self.has(&text[suspect.range.clone()]));
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
}
