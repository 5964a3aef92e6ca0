//! Facts about a file that are known before its bytes are read.

use super::result::Detection;
use utfconv_core::{Encoding, UTF_8};

/// Facts about a file that are known before its bytes are read.
///
/// ```
/// use utfconv_core::Encoding;
/// use utfconv_detect::{Detector, Hints};
///
/// let candidates = ["IBM850", "UTF-8"].into_iter().filter_map(Encoding::for_name).collect();
/// let mut detector = Detector::new(Hints::default().candidates(candidates));
/// detector.feed(b"caf\x82\n");
/// assert_eq!(detector.finish().name, Some("IBM850"));
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Hints {
    /// The encodings that may be found; all encodings if the list is empty. US-ASCII is always found. If UTF-8 is in
    /// the list, any encoding may be found whose BOM the text begins with.
    pub candidates: Vec<&'static Encoding>,
    /// The codes of the languages whose statistics are compared, as returned by [`languages`](super::languages); all
    /// languages if the list is empty. English is always included.
    pub languages: Vec<&'static str>,
    /// Whether to look for UTF-7 in ASCII text.
    pub allows_utf7: bool,
    /// The encoding that the text or its environment declares. A declared encoding needs less other evidence, and is
    /// certain if statistics agree.
    pub declared: Option<&'static Encoding>,
}

impl Hints {
    /// Sets the encodings that may be found.
    #[must_use]
    pub fn candidates(self, candidates: Vec<&'static Encoding>) -> Hints {
        Hints { candidates, ..self }
    }

    /// Sets the languages that statistics compare a text with.
    #[must_use]
    pub fn languages(self, languages: Vec<&'static str>) -> Hints {
        Hints { languages, ..self }
    }

    /// Sets whether to look for UTF-7 in ASCII text.
    #[must_use]
    pub fn allow_utf7(self, allows_utf7: bool) -> Hints {
        Hints { allows_utf7, ..self }
    }

    /// Sets the encoding that the text or its environment declares.
    #[must_use]
    pub fn declared(self, declared: Option<&'static Encoding>) -> Hints {
        Hints { declared, ..self }
    }

    /// Whether a text may be in a language. English is always possible, because any text may have English words.
    pub(super) fn has_language(&self, name: &str) -> bool {
        self.languages.is_empty() || name == "en" || self.languages.contains(&name)
    }

    /// Whether an encoding may be found.
    pub(super) fn allows(&self, encoding: &Encoding) -> bool {
        self.candidates.is_empty() || self.candidates.contains(&encoding)
    }

    /// Whether the declared encoding is `encoding`, or a multi-byte encoding whose texts `encoding` reads.
    pub(super) fn declares(&self, encoding: &'static Encoding) -> bool {
        let is_read = |declared: &Encoding| encoding.reads(declared) && declared.table().is_none();
        self.declared.is_some_and(|declared| declared == encoding || is_read(declared))
    }

    /// Whether `like`, or the encoding scheme that removes its BOM, may be found.
    pub(super) fn allows_scheme(&self, like: &Encoding) -> bool {
        self.candidates.is_empty() || self.candidates.iter().any(|candidate| candidate.includes_scheme(like))
    }

    /// Whether text in `like` that begins with a BOM of `bom` bytes may be found.
    pub(super) fn allows_signed(&self, like: &Encoding, bom: usize) -> bool {
        self.allows_scheme(like) || bom > 0 && self.allows(&UTF_8)
    }

    pub(super) fn allows_found(&self, found: &Detection) -> bool {
        found.encoding.map_or(self.candidates.is_empty(), |encoding| self.allows_scheme(encoding))
    }
}
