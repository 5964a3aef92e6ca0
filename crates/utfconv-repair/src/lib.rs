//! Undoes mojibake: text that is UTF-8, was decoded as another encoding by mistake, and encoded again ("cafÃ©").
//!
//! ```
//! use utfconv_repair::Repairer;
//!
//! let text = "CrÃ¨me brÃ»lÃ©e, naÃ¯ve cafÃ©s\n";
//! assert_eq!(Repairer::new().next(text).applied(text), "Crème brûlée, naïve cafés\n");
//! ```
//!
//! [`Document`] takes a file in windows. It also decodes files that mix encodings, and code pages that were confused. Bytes that
//! are nearly UTF-8 stay ([`NearUtf8`]).
//!
//! ```text
//! text -> starts -> runs (characters that are the bytes of UTF-8, by a mistake) -> groups (runs in a word) -> words -> evidence -> changes
//!           |         |                                                           |                           |
//!     a fast look  mistakes (the inverse of each)            gain, by models of languages     of the whole document, each word once
//! ```
//!
//! A change has three proofs. The run of characters is the bytes of well-formed UTF-8. These are more plausible as
//! text, by the language models of detection. Repeating the mistake with the result gives the run again. How much
//! proof a run needs depends on the document. Several runs of the same mistake support each other; correct characters
//! outside ASCII are evidence against it.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod alphabet;
mod changes;
mod confusion;
mod document;
mod evidence;
mod groups;
mod levels;
mod lost;
mod mistakes;
mod mixture;
mod near_utf8;
mod runs;
mod starts;
mod survey;
mod words;

pub use changes::{Change, Found, NearUtf8, Suspect};
pub use document::{Document, WINDOW, window_len};
pub use levels::Repairer;
pub use mistakes::{Mistake, Mistakes};
pub use mixture::{Unit, Whole};

#[cfg(test)]
mod tests;

/// The README's example runs with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
