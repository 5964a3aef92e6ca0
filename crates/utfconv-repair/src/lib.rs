//! Undoes mojibake: UTF-8 text that was decoded as another encoding by mistake, and encoded again ("cafÃ©").
//!
//! ```
//! use utfconv_repair::Repairer;
//!
//! let text = "CrÃ¨me brÃ»lÃ©e, naÃ¯ve cafÃ©s\n";
//! assert_eq!(Repairer::new().next(text).applied(text), "Crème brûlée, naïve cafés\n");
//! ```
//!
//! [`Document`] repairs a file in windows. It also decodes files that mix encodings, and undoes confusion of code
//! pages.
//!
//! # The model
//!
//! Text is a bag of distinct words; each word counts once, however often it occurs. A *mistake* is a wrong function
//! from bytes to characters that a program applied (`mistakes`). A *run* is a sequence of characters that are the bytes
//! of well-formed UTF-8 under a mistake (`starts`, `runs`). The runs of a word are a *group* (`groups`). All costs are
//! logarithms of odds in nats.
//!
//! 1. **A group.** Its gain is the logarithm of the odds of "damaged by this mistake" against "intended". It is the
//!    cost of the word as it is, minus its cost with the mistake undone, each in its best language
//!    (utfconv_detect::plausibility). Subtracted are the rarity of the mistake, a cost for characters beside the group
//!    that the mistake can have made but does not explain (`UNEXPLAINED`), and a cost for results that no language has
//!    (`UNWRITTEN`).
//! 2. **A mistake in a document** (`evidence`). The gains of distinct groups above `CHANCE` add up. They have to exceed
//!    `PROOF`, the prior against a document with the mistake, or the larger `PROOF_AMONG_CORRECT` if the document has
//!    correct non-ASCII characters. A mistake is rejected if its groups explain fewer of the bytes in their words than
//!    they leave, because such text is in another encoding.
//! 3. **The verdict** (`words`). If a mistake is proven, each group that gains `LEAST` is undone; a mistake that
//!    explains all non-ASCII characters is undone everywhere. Of overlapping groups, the group with the least cost in
//!    the languages of the document wins. Other groups that gain are reported. The steps are repeated, because mistakes
//!    are made repeatedly (`levels`).
//!
//! Characters alone are no proof: repeating the mistake must also give the input again, so that a change loses nothing.
//! Text that lost bytes cannot be proven, and is restored only if the user asks for it (`lost`).
//!
//! The same odds decide about *lines* that are not UTF-8 (`mixture`: the candidate with the least cost, and its
//! distance from the others) and about confused code pages (`confusion`: the words of a document, all in one language,
//! under each pair of pages). Bytes that damaged UTF-8 or CESU-8 explains are never decoded ([`NearUtf8`]).
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

/// Runs the example of the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
