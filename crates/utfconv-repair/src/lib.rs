//! Undoes mojibake: text that is UTF-8, was decoded as another encoding by mistake, and encoded again ("cafÃ©").
//!
//! ```
//! use utfconv_repair::Repairer;
//!
//! let text = "CrÃ¨me brÃ»lÃ©e, naÃ¯ve cafÃ©s\n";
//! assert_eq!(Repairer::new().next(text).applied(text), "Crème brûlée, naïve cafés\n");
//! ```
//!
//! [`Document`] takes a file in windows. It also decodes files that mix encodings, and code pages that were confused.
//!
//! # The model
//!
//! Text is a bag of distinct words; a word counts once, however often it occurs. A *mistake* is a function from bytes to
//! characters that a program applied wrongly (`mistakes`). A *run* is characters that are the bytes of well-formed UTF-8 under
//! a mistake (`starts`, `runs`); the runs of a word are a *group* (`groups`). All costs are in nats, logarithms of odds.
//!
//! 1. **A group.** Its gain is the logarithm of the odds "damaged by this mistake" against "meant": what the word costs as it is,
//!    less what it costs once it is undone, in the language that fits best (utfconv_detect::plausibility). Against it count how rare
//!    the mistake is, characters around it that the mistake can have made but does not explain (`UNEXPLAINED`), and results that
//!    no language has (`UNWRITTEN`).
//! 2. **A mistake in a document** (`evidence`). The gains of distinct groups above `CHANCE` add up. `PROOF` is the prior against a
//!    document with the mistake. Correct characters outside ASCII make the prior smaller: `PROOF_AMONG_CORRECT`. A mistake is not
//!    made if its groups explain fewer of the bytes in their words than they leave: that text is in another encoding.
//! 3. **The verdict** (`words`). Where a mistake is proven, each group that gains `LEAST` is undone; a mistake that explains all
//!    characters is undone everywhere. Of groups that overlap, the one that costs least in the languages of the document counts. Other
//!    groups that gain are reported. Undoing is repeated, since mistakes are made repeatedly (`levels`).
//!
//! Proof is never from the characters alone: repeating the mistake must give the input again, so a change loses nothing. What lost
//! bytes cannot be proven, and is restored only if the user asks for it (`lost`).
//!
//! The same odds decide about *lines* that are not UTF-8 (`mixture`: which candidate makes the line cost least, and by how much), and about
//! code pages that were confused (`confusion`: the words of a document, all in one language, under each pair of pages). Bytes that a
//! reading as damaged UTF-8 or CESU-8 explains are never decoded ([`NearUtf8`]).
//!
//! ```text
//! Document -> mixture (lines that are not UTF-8) -> levels -> words -> groups -> runs -> starts (a fast look)
//!          -> confusion                                |        |        |        |
//!                                                      lost   evidence  gain    mistakes (the inverse of each)
//! ```

#![forbid(unsafe_code)]
#![warn(missing_docs)]

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
pub use mistakes::Mistake;
pub use mixture::{Unit, Whole};

#[cfg(test)]
mod tests;

/// The README's example runs with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
