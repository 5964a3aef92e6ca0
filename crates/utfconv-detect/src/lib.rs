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
//! // `encoding` is `None` for binary data, and if no encoding is likely. A guess may be wrong.
//! let encoding = found.encoding.expect("it is likely");
//! assert!(decode_lossy(text, encoding).starts_with("Schöne Grüße"));
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # Proof
//! A BOM, the NULs of UTF-16, well-formed UTF-8 or CESU-8 and the escape sequences of ISO-2022 each decide alone
//! (`sniff`, `detector`, `escapes`).
//!
//! # The model
//! Without a proof, `guess` applies Bayes' rule. A **hypothesis** is an encoding with a language, or text in no known
//! language. Its cost is the negative logarithm of its probability, the sum of
//! - a **prior**: how common the encoding is, and whether it was made for the language (the table in `pages`); how
//!   common the language is (`models.bin`); and how well the ASCII words within 100 bytes of non-ASCII bytes fit the
//!   language (`prior`). The cost of the ASCII words is halved, because such words may be foreign, and is at most 12
//!   nats above that of English, because code and untranslated text are English. A declaration lowers the cost of the
//!   declared encoding;
//! - **evidence**: the cost of each character after the character before it, by the statistics of the language, in all
//!   distinct words with non-ASCII bytes (`sample`). Each distinct pair counts once, so a repeated text has the same
//!   answer. All pairs of one byte count as three pairs at most, so a repeated symbol decides nothing (`score`). A
//!   character of several bytes counts as much as the pairs of its bytes (`multi_byte`). Each error has a cost of its
//!   own.
//!
//! Letters that stand alone are no evidence, because tables have many. Pairs of symbols have a cost, but do not count
//! as evidence for a language.
//!
//! The **posterior** probability of a text is the share of the hypotheses that read the bytes as this text. Pairs are
//! not independent, so logarithms are divided by a temperature of 2. With this temperature, the share of correct
//! answers is about the probability that they claim (`benches/detection.py --calibration`). The most probable text
//! wins. It is **likely** from 99.5 % on, unless its evidence is a single character or it has errors; otherwise it is a
//! **guess**.
//!
//! # Parts in other encodings
//! [`Detector`] reads a text in chunks. [`detect`] also compares its answer with the lines and the end of the text
//! (`mixed`, `whole`), because some files mix encodings.
//!
//! The statistics of 54 languages are in `models.bin`. `models.py` beside it makes the file, and names the sources.

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

/// Returns the codes and English names of the languages that have statistics.
///
/// ```
/// assert!(utfconv_detect::languages().any(|language| language == ("de", "German")));
/// ```
pub fn languages() -> impl Iterator<Item = (&'static str, &'static str)> {
    languages::LANGUAGES.iter().copied()
}

/// Runs the example of the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
