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
//! A *mistake* is a wrong function from bytes to characters that a program applied (`mistakes`). A *run* is a sequence
//! of characters that are the bytes of well-formed UTF-8 under a mistake (`starts`, `runs`). A *group* is the runs of
//! one mistake in a word, which is the text between whitespace, with only ASCII letters, digits, `'` or `-` between
//! them (`groups`). Costs are negative logarithms of probabilities, and gains logarithms of odds; the numbers are nats.
//! Double encoding is undone with two proofs: the characters form a run, and the document as a whole is more plausible
//! with the mistake undone.
//!
//! 1. **A group.** Its gain, the log odds of damage, is its cost minus its cost with the mistake undone, each in the
//!    best language (utfconv_detect::plausibility); languages that the document has shown cost less. Its context is
//!    compared with it: up to 8 characters of the word on each side (`CONTEXT`), and the whitespace after it. Two costs
//!    are subtracted: the rarity of the mistake, 0 to 3 times 1.5 (`RARITY`), and 8 for each objection (`OBJECTION`). A
//!    unit such as Å² is an objection. So is a mixture of a Windows code page with C1 controls of ISO 8859, and so is
//!    each character in the context that a mistake can have made, but for half as many as the group has. A result that
//!    no language has is two objections.
//! 2. **A mistake in a document** (`evidence`), by the windows so far. Of each gain, the part above 4 (`CHANCE`) adds
//!    up, once for each distinct text of a group and its context. If the groups that gain have all non-ASCII
//!    characters, a sum of 4 is proof (`CHANCE`). Otherwise, the proof is 13 from two or more contexts (`PROOF`), or 50
//!    from a single one (`PROOF_ALONE`). A mistake is not proven if, in the words with its groups, more characters that
//!    a mistake can have made are outside the groups than inside, because such text is in another encoding. macintosh,
//!    IBM437, IBM850 and GBK must explain at least half of the non-ASCII characters, first of those in a sample
//!    (`survey`). Such a mistake is ruled out if more than one character begins an incomplete sequence for each ten
//!    that it explains (`EXCEPTIONS`), because the text was then read in another, similar code page. A code page that
//!    explains less than half is searched for only in the first 512 words with runs (`MEASURED`), and only in groups
//!    that have at least as many such characters as their contexts.
//! 3. **The verdict** (`words`). Each group of a proven mistake that gains is undone. A mistake whose groups have all
//!    non-ASCII characters, and at least two different originals, is undone everywhere if the gains and losses of all
//!    its groups, with the rarity subtracted once, sum to 8 (twice `CHANCE`). Of overlapping groups, those of proven
//!    mistakes come first, then the greatest gain. Gains under proven mistakes are then compared without the rarity,
//!    and a proven mistake other than the one with the most evidence costs 4 (`CHANCE`), because a document was
//!    probably damaged only once. Groups that gain under an unproven mistake are reported; if the mistake explains too
//!    few characters to be proven, only with evidence of 13 for it. The steps are repeated up to five times, because
//!    mistakes are made repeatedly (`levels`). Each further level that a result needs costs 4 (`CHANCE`), and the
//!    rarity of the mistake at that level, unless the mistake is the same.
//!
//! Text about mojibake is repaired too, such as a single "cafÃ©" quoted in ASCII text. Repeating the mistake need not
//! give the input again, because C1 controls, surrogate pairs and variants of macintosh are accepted. There is no proof
//! for characters that lost bytes. Such characters are looked for only with a proven mistake, and changed only on
//! request; then their remains count as characters that the mistake explains (`lost`).
//!
//! *Units*, which are lines, fields or adjacent bytes that are not UTF-8, are decoded by the same language costs
//! (`mixture`). The best reading must cost 1 less than any other text (`MARGIN`), and its encoding must win by more
//! than 5 in some unit (`CLEAR`). An encoding that won more units costs less. For each non-ASCII byte that a unit has
//! fewer than 4 (`FEW`), a text other than that in windows-1252 costs 2 more (`MISSING`), unless its encoding has won
//! more units than windows-1252. A unit of 12 characters or more (`LONG_UNIT`) is binary data if it costs more than 5
//! for each character, or 8 with ideographs (`MOST_OF_TEXT`, `MOST_OF_IDEOGRAPHS`), and all units of a window are, if
//! those without ideographs together cost more. So is any unit with controls or a MySQL `_binary` prefix, and all units
//! are if most have these, unless the encodings are named. A document is a mixture if it begins with the BOM of UTF-8,
//! if its well-formed words cost less as UTF-8 than in the detected encoding, by 5 (`CLEAR`) plus the logarithm of the
//! number of units, or if the encodings are named; a file in a single legacy encoding is not changed
//! ([`Document::take_whole`]). At most 6 encodings are detected as candidates (`CANDIDATES`), and windows-1252 is
//! always one. A unit is kept if truncated UTF-8 and sequences of RFC 2279 explain all its ill-formed bytes, or if it
//! has a surrogate pair of CESU-8, unless CESU-8 is a candidate ([`NearUtf8`]).
//!
//! *Confused code pages* are proven if the words of lines with odd characters gain 50 in one language (`PROOF_ALONE`),
//! at least two of them, 13 more than with any pair of pages that gives another text (`PROOF`), and cost at most 4 for
//! each character when undone (`CHANCE`). A character is odd if it is rare in its place, such as a capital after a
//! small letter. One word in ten may be an exception (`EXCEPTIONS`). A line is undone if it gains 13 and costs at most
//! 4 for each character. If the words of lines without odd characters lose nothing, any gain is enough (`confusion`).
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
