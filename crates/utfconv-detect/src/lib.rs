//! Detects the encoding of a text, and says how certain that is and why.
//!
//! ```
//! use std::io::Cursor;
//! use utfconv_core::decode_lossy;
//! use utfconv_detect::{Certainty, Hints, detect};
//!
//! let text = b"Sch\xF6ne Gr\xFC\xDFe aus M\xFCnchen, sagte sie zum Abschied. Er h\xF6rte es nicht mehr.\n";
//! let found = detect(&mut Cursor::new(text), Hints::default())?;
//! assert_eq!((found.name, found.certainty), (Some("windows-1252"), Certainty::Likely));
//! // None for binary data, and where nothing is likely. A guess may be wrong.
//! let encoding = found.encoding.expect("it is likely");
//! assert!(decode_lossy(text, encoding).starts_with("Schöne Grüße"));
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # Proof
//! A BOM, the NULs of UTF-16, well-formed UTF-8 or CESU-8 and the escapes of ISO-2022 decide alone (`sniff`, `detector`, `escapes`).
//!
//! # The model
//! Where there is no proof, `guess` is Bayes' rule. A **hypothesis** is an encoding with a language, or text in no known language. Its
//! cost is the negative logarithm of its probability, the sum of
//! - a **prior**: how common the encoding is, and whether it is made for the language (the table in `pages`); how common the language
//!   is (`models.bin`); how well the ASCII words within 100 bytes of other bytes fit the language (`prior`), half of which counts,
//!   since such words may be foreign, and at most 12 nats more than English, since code and untranslated text are English; the encoding that a file declares costs less;
//! - **evidence**: the cost of each character after the one before it, by the statistics of the language, in all distinct words with
//!   non-ASCII bytes (`sample`). Each distinct pair counts once, so that a text that is repeated keeps its answer. The pairs of one
//!   byte count as three at most, so that a symbol that comes again and again decides nothing (`score`). Characters of several bytes
//!   count as much as the pairs of their bytes (`multi_byte`). A fault has a cost of its own.
//!
//! Letters that stand alone are no evidence: tables have many. Pairs of symbols cost as others do, but do not speak for a language.
//!
//! The **posterior** probability of a text is the share of all hypotheses that read the bytes as this text. Pairs depend on each other,
//! so logarithms are divided by a temperature of 2: then, of the answers that claim a probability, about that share is right
//! (`benches/detection.py --calibration`). The most probable text wins. From 99.5 % on it is **likely**, unless its evidence is one
//! character or has faults; less is a **guess**.
//!
//! # Parts in other encodings
//! [`Detector`] takes a text in chunks. [`detect`] also compares its answer with the lines and the end of the text (`mixed`,
//! `whole`), since some files mix encodings.
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
