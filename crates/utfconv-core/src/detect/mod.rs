//! Detects the encoding of a text, and how certain that is.
//!
//! ```text
//! chunks -> detector -> sniff (BOMs, binary files), UTF-8 by validity, escapes of ISO-2022
//!               |
//!               +-> sample (words with non-ASCII bytes) -> guess (code pages and multi-byte encodings by models) -> result
//! ```
//!
//! The statistics of 54 languages are `models.bin`; `models.py` beside it makes them, and names their sources.
//!
//! ```
//! use utfconv_core::detect::{Detector, Grade, Hints};
//!
//! let mut detector = Detector::new(Hints::default());
//! detector.feed("Grüße, Größe".as_bytes());
//! let found = detector.finish();
//! assert_eq!((found.name, found.grade), (Some("UTF-8"), Grade::Certain));
//! ```

mod detector;
mod escapes;
mod guess;
mod models;
mod multi_byte;
mod pages;
mod result;
mod sample;
mod sniff;
mod wide;

pub use detector::Detector;
pub use result::{Detection, Grade};
pub use sniff::{Binary, HEAD, Sniffed, is_mostly_utf8, is_what, may_be_wide, sniff};

use crate::encoding::Encoding;

/// What is known of a file before its bytes are looked at.
#[derive(Clone, Debug, Default)]
pub struct Hints {
    /// The encodings that may be found; all if this is empty. US-ASCII is found always.
    pub candidates: Vec<&'static Encoding>,
    /// The codes of the languages that the text may be in, as [`languages`] has them; all if this is empty.
    pub languages: Vec<&'static str>,
    /// Look for UTF-7 in ASCII text.
    pub allows_7bit: bool,
    /// The encoding that the text itself or its environment names: it needs less other evidence, and is certain if
    /// statistics agree.
    pub declared: Option<&'static Encoding>,
}

impl Hints {
    /// Whether the text may be in a language. Every text may have English words.
    fn has_language(&self, name: &str) -> bool {
        self.languages.is_empty() || name == "en" || self.languages.contains(&name)
    }

    /// Whether anything is limited.
    fn is_limited(&self) -> bool {
        !self.candidates.is_empty() || !self.languages.is_empty()
    }
}

/// The languages that are told apart: their codes, and their English names.
///
/// ```
/// assert!(utfconv_core::detect::languages().any(|language| language == ("de", "German")));
/// ```
pub fn languages() -> impl Iterator<Item = (&'static str, &'static str)> {
    models::LANGUAGES.iter().copied()
}
