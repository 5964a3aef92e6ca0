//! The costs that are not counted in texts (`models.bin`): those of a letter and of a byte, and a scale in ascending
//! order. [`ASCII_LETTER`], [`COMMON`], [`USUAL`] and [`SELDOM`] are set by hand. In `guess`, a cost of
//! n nats is one text in e^(n/2), because of the temperature; in `plausibility`, one character in e^n.

/// The negative logarithm of a probability.
pub type Cost = i32;

/// A nat, the unit of natural logarithms, as a [`Cost`].
pub const NATS: Cost = 8;

/// Cost of an ASCII letter, if the statistics do not distinguish the letters: less than ln 26, because letters differ
/// in frequency.
pub(super) const ASCII_LETTER: Cost = 3 * NATS;

/// Cost of one of the 128 non-ASCII bytes, if nothing is known about them: ln 128 = 4.85 nats, rounded to 39 eighths.
pub(super) const NON_ASCII_BYTE: Cost = 39;

/// Cost of a common character: a capital letter that does not follow a small letter, or an ASCII character other than a
/// letter beside an ideograph. An ASCII word in a language of another script costs as much as two common characters.
pub(super) const COMMON: Cost = NATS;

/// Cost of a common code page other than windows-1252, and of a further character of a kind that the text already has.
pub(super) const USUAL: Cost = 4 * NATS;

/// Cost of a seldom used code page, and of characters in an uncommon order.
pub(super) const SELDOM: Cost = 6 * NATS;

/// Cost of a rare code page, and of rare characters of any text, such as emoji: twice [`USUAL`].
pub(super) const RARE: Cost = 2 * USUAL;

/// Cost of an exception: text in no known language, a declaration of another encoding, a language in a code page that
/// was not made for it, a language amid English, lines of classic Mac OS in another code page, or a letter that is not
/// in the statistics. It is twice [`RARE`].
pub(super) const EXCEPTION: Cost = 2 * RARE;

/// Cost of an ill-formed sequence, an undefined byte or a C1 control, and of characters that are about as rare in
/// texts: more than an exception, so that a declaration alone does not outweigh a fault.
pub(super) const FAULT: Cost = EXCEPTION + USUAL;

/// Cost above any that a single character gains: two exceptions. A hypothesis that costs this much more than the best
/// hypothesis is dropped, ASCII words in a language of another script cost at most as much, and in `plausibility`,
/// unassigned and private-use characters do.
pub(super) const UNLIKELY: Cost = 2 * EXCEPTION;
