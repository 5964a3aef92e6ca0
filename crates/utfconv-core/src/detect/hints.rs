//! What is known of a file before its bytes are looked at.

use super::result::Detection;
use crate::encoding::Encoding;

/// What is known of a file before its bytes are looked at.
#[derive(Clone, Debug, Default)]
pub struct Hints {
    /// The encodings that may be found; all if this is empty. US-ASCII is found always.
    pub candidates: Vec<&'static Encoding>,
    /// The codes of the languages that the text may be in, as [`languages`](super::languages) has them; all if this is empty.
    pub languages: Vec<&'static str>,
    /// Look for UTF-7 in ASCII text.
    pub allows_utf7: bool,
    /// The encoding that the text itself or its environment names: it needs less other evidence, and is certain if
    /// statistics agree.
    pub declared: Option<&'static Encoding>,
}

impl Hints {
    /// Whether the text may be in a language. Every text may have English words.
    pub(super) fn has_language(&self, name: &str) -> bool {
        self.languages.is_empty() || name == "en" || self.languages.contains(&name)
    }

    /// Whether anything is limited.
    pub(super) fn is_limited(&self) -> bool {
        !self.candidates.is_empty() || !self.languages.is_empty()
    }

    /// Whether an encoding may be found.
    pub(super) fn allows(&self, encoding: &Encoding) -> bool {
        self.candidates.is_empty() || self.candidates.contains(&encoding)
    }

    /// Whether an encoding may be found, or the one that removes its BOM.
    pub(super) fn allows_scheme(&self, like: &Encoding) -> bool {
        self.candidates.is_empty() || self.candidates.iter().any(|candidate| candidate.includes_scheme(like))
    }

    pub(super) fn allows_found(&self, found: &Detection) -> bool {
        found.encoding.map_or(self.candidates.is_empty(), |encoding| self.allows_scheme(encoding))
    }
}
