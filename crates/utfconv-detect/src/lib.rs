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
//! // `encoding` is `None` for binary data, if no encoding fits, or if this library lacks it. A guess may be wrong.
//! let encoding = found.encoding.expect("it is likely");
//! assert!(decode_lossy(text, encoding).starts_with("Schöne Grüße"));
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # Proof
//! A BOM, the NULs of UTF-16 and UTF-32, well-formed UTF-8 or CESU-8, and the escape sequences of ISO-2022 decide the
//! encoding without statistics (`sniff`, `detector`, `escapes`). The result is usually certain, but not if the text is
//! short, begins within a character or has errors.
//!
//! `detector` also recognizes binary data, ASCII, and UTF-8 with few errors: at least 10 sequences per error make UTF-8
//! likely, and at least 3 make it a guess. A sequence cut at the end and up to three continuation bytes at the start
//! are no errors. EBCDIC is recognized by its spaces and newlines, and its code page by the model; UTF-16 with too few
//! NULs by its language (`wide`).
//!
//! # The model
//! For all other text, `guess` applies Bayes' rule. A **hypothesis** is an encoding in its likeliest language. One more
//! hypothesis is text in no known language, which never wins but makes the others less probable. A cost is a negative
//! logarithm of a probability, in nats. Most costs that are not counted in texts are levels of one scale (`cost`). The
//! cost of a hypothesis is the sum of
//! - a **prior**: how common the encoding is (`pages`, `multi_byte`; 4, 6 or 8 nats more than windows-1252); how common
//!   the language is (`models.bin`); and the ASCII words within 100 bytes of a non-ASCII byte in the same line
//!   (`prior`). In Latin languages, their cost counts by half, because such words may be foreign, and only as far as it
//!   is above that of the best Latin language. In other languages, each ASCII word costs 2 nats, and ASCII letters at
//!   all as much as two words, 32 at most. An exception costs 16 nats (`EXCEPTION`): a language in a code page that was
//!   not made for it, and lines that end with CR alone, as on classic Mac OS, in another code page. Code is English, so
//!   if the text has two or more non-ASCII bytes that differ, the ASCII words cost at most an exception more than in
//!   English. A declaration lowers the cost of the declared encoding by an exception;
//! - **evidence**: the cost of each character after the character before it, by the statistics of the language; in
//!   Chinese, Japanese and Korean, of each character by itself. The characters are in the distinct words of a sample of
//!   about 8 KB of words with non-ASCII bytes (`sample`). Each distinct pair counts once; pairs of ASCII characters are
//!   left out. All pairs of one non-ASCII byte count as about three pairs at most (`CONTEXTS`), so a repeated symbol is
//!   little evidence (`score`). In multi-byte encodings, the cost of all characters is multiplied by the share of the
//!   byte pairs that count (`multi_byte`). Each ill-formed sequence or undefined byte, such as a C1 control in ISO
//!   8859, costs 20 nats (`FAULT`); with [`Hints::candidates`], a code page that lacks a byte is excluded. In no
//!   known language, a text costs as much as the prior of the best hypothesis and an exception, and for each pair 16
//!   nats if its characters are East Asian, 3 + ln 128 if its letters are Latin (an ASCII letter, and any non-ASCII
//!   byte), and ln 128 otherwise.
//!
//! A word of one non-ASCII byte between bytes below 30 (hex) is no evidence for a code page, because tables have many
//! such words. Pairs of symbols have a cost, but do not count among the pairs with a letter that a likely result needs.
//!
//! The **posterior** probability of a text is the sum of those of the hypotheses that read the bytes as this text.
//! Pairs are not independent, so logarithms are divided by a temperature of 2. For results of 40 % and more, the share
//! of correct answers is about the claimed probability (`benches/README.md` in the repository). The most probable text
//! wins, however improbable it is. The result is unknown only if no candidate has all bytes. It is **likely** if its
//! probability is at least 99.5 %, there are no errors, and it has at least three distinct pairs with a letter or is
//! declared. Otherwise it is a **guess**. Unusual controls or parts in UTF-8 make a likely result a guess. So do a
//! declaration of an unrelated code page that has all the bytes, and frequent words that alone are likely in another
//! encoding. A likely result in the declared encoding is certain, unless it is likely only by its declaration.
//!
//! # Constants
//! These constants were set by hand, as was the level of each encoding (`pages`, `multi_byte`). Other named constants
//! are derived from them, counted in texts, or limits of memory, time and output. `sniff`, `wide`, `mixed`, `escapes`,
//! `models` and `detector` also compare a few shares and counts with numbers beside their use:
//!
//! | constant | value | where it comes from |
//! |---|--:|---|
//! | `cost::COMMON`, `ASCII_LETTER`, `USUAL`, `SELDOM` | 1, 3, 4, 6 nats | the corpora of `benches/detection.py` |
//! | `guess::TEMPERATURE` | 2 | the same corpora, with `--calibration` |
//! | `guess::LIKELY` | 99.5 % | about 1 in 1,000 likely results is wrong |
//! | `guess::NAMED` | 1 % | less probable texts help no one |
//! | `score::CONTEXTS` | 3 pairs, characters, texts, or sequences per error | a character that occurs in one place has two pairs |
//! | `prior::NEAR` | 100 bytes | about a sentence |
//! | `sniff::HEAD` | 8 KiB | git looks for NULs in about as many bytes (8,000) |
//! | `sniff::FEW` | 1 in 32 bytes or characters, 32 code units | text in UTF-8 or EBCDIC, and binary files |
//! | `sniff::SEQUENCES_PER_ERROR` | 10 sequences | other text has less than 1 per error by chance |
//! | `mixed::Evidence::ENOUGH` | 8, of which a character of two bytes is 1, a longer one 2 | lines of other text that are UTF-8 by chance, in `check` |
//! | `sniff::ascii_stretch::LEAST` | 6 code units | ideographs whose two bytes are ASCII |
//! | `wide::ENOUGH` | 8 characters | lines of binary files that are ideographs by chance |
//!
//! # Parts in other encodings
//! [`Detector`] reads a text in chunks. [`detect`] also looks for UTF-8 in the lines of legacy text (`mixed`), and for
//! ASCII at the end of UTF-16 (`whole`). If it finds such parts, the result is a guess. A line is a part in UTF-8 if
//! its bytes make no sense in the legacy encoding, such as a capital after a small letter. Otherwise, the lines that
//! are UTF-8 need three characters (`CONTEXTS`), and must be one in 100. Other mixtures may go unnoticed.
//!
//! The statistics of 54 languages are in `models.bin`. In the repository, `models.py` makes it and names the sources.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod controls;
mod cost;
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

#[cfg(test)]
#[path = "../../utfconv-core/src/testkit.rs"]
mod testkit;

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
