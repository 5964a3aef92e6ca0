//! Detects the encoding of a text, and says how certain that is and why.
//!
//! ```
//! use std::io::Cursor;
//! use utfconv_detect::{Certainty, Hints, detect};
//!
//! let text = b"Sch\xF6ne Gr\xFC\xDFe aus M\xFCnchen, sagte sie zum Abschied. Er h\xF6rte es nicht mehr.\n";
//! let found = detect(&mut Cursor::new(text), Hints::default())?;
//! assert_eq!((found.name, found.certainty), (Some("windows-1252"), Certainty::Likely));
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! [`Detector`] takes a text in chunks. [`detect`] also compares its answer with the lines and the end of the text (`mixed`,
//! `whole`), since some files mix encodings.
//!
//! ```text
//! chunks -> detector -> sniff (BOMs, binary files), UTF-8 by validity, escapes of ISO-2022
//!               |
//!               +-> sample (words with non-ASCII bytes) -> guess -> result
//!                                                            |
//!                        prior (ASCII words, newlines), score (code pages), multi_byte: compare with models
//! ```
//!
//! The statistics of 54 languages are `models.bin`; `models.py` beside it makes them, and names their sources.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod controls;
mod detector;
mod escapes;
mod formats;
mod guess;
mod hints;
mod languages;
mod mixed;
mod models;
mod multi_byte;
mod pages;
pub mod plausibility;
mod prior;
mod result;
mod sample;
mod score;
mod sniff;
mod utf8_lines;
mod whole;
mod wide;

pub use controls::first_c1;
pub use detector::Detector;
pub use formats::Format;
pub use hints::Hints;
pub use languages::languages_of;
pub use mixed::{Evidence, Mixed, Watch, differs_from_utf8, has_evident_utf8};
pub use result::{Certainty, Detection, Hypothesis};
pub use sniff::{
    Binary, HEAD, Sniffed, is_mostly_utf8, is_no_text_in, may_be_wide, partly_ascii, scheme, sniff,
};
pub use whole::{appended_ascii, detect, with_lines};

/// Returns the languages that are distinguished: their codes, and their English names.
///
/// ```
/// assert!(utfconv_detect::languages().any(|language| language == ("de", "German")));
/// ```
pub fn languages() -> impl Iterator<Item = (&'static str, &'static str)> {
    languages::LANGUAGES.iter().copied()
}

/// The README's example runs with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
