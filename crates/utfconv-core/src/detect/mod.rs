//! Detects the encoding of a text, and how certain that is.
//!
//! ```text
//! chunks -> detector -> sniff (BOMs, binary files), UTF-8 by validity, escapes of ISO-2022
//!               |
//!               +-> sample (words with non-ASCII bytes) -> guess -> result
//!                                                            |
//!                        prior (ASCII words, newlines), score (code pages), multi_byte: compare with models
//! ```
//!
//! [`detect`] then compares the result with the lines and the end of the text (`mixed`, `whole`).
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

#[doc(hidden)]
pub mod controls;
mod detector;
mod escapes;
mod formats;
mod guess;
mod hints;
mod languages;
pub(crate) mod mixed;
mod models;
mod multi_byte;
mod pages;
#[cfg(feature = "repair")]
pub(crate) mod plausibility;
mod prior;
mod result;
mod sample;
mod score;
pub(crate) mod sniff;
mod utf8_lines;
pub(crate) mod whole;
mod wide;

pub use detector::Detector;
pub use formats::Format;
pub use hints::Hints;
pub use languages::languages_of;
pub use result::{Detection, Grade};
pub use sniff::{Binary, HEAD, Sniffed, sniff};
pub use whole::detect;

/// Returns the languages that are distinguished: their codes, and their English names.
///
/// ```
/// assert!(utfconv_core::detect::languages().any(|language| language == ("de", "German")));
/// ```
pub fn languages() -> impl Iterator<Item = (&'static str, &'static str)> {
    languages::LANGUAGES.iter().copied()
}
