//! The costs that are not counted in texts. One scale has all of them, from usual to ill-formed.

/// The negative logarithm of a probability.
pub type Cost = i32;

/// A nat, the unit of natural logarithms, as a [`Cost`].
pub const NATS: Cost = 8;

/// Cost of a common code page other than windows-1252: one text in 7 (e^2, because of the temperature). In
/// `plausibility`, also the cost of a further character of a kind that the text already has.
pub(super) const USUAL: Cost = 4 * NATS;

/// Cost of a seldom used code page, which is one text in 20. Also the cost of a capital letter after a small letter, of
/// a letter of another script, of a symbol that is not in the statistics, and of the first ideograph of a word.
pub(super) const SELDOM: Cost = 6 * NATS;

/// Cost of a rare code page, which is one text in 90. Also the cost of emoji and combining marks.
pub(super) const RARE: Cost = 9 * NATS;

/// Cost of an exception, which is one text in 3,000. Exceptions are text in no known language, a declaration of another
/// encoding, a language in a code page that was not made for it, a language amid English, and lines of classic Mac OS
/// in another code page. A letter or ideograph that is not in the statistics, or an ideograph after a letter, costs as
/// much.
pub(super) const EXCEPTION: Cost = 16 * NATS;

/// Maximum cost of ASCII words in a language of another script: two exceptions. A hypothesis that costs this much more
/// than the best hypothesis is dropped. In `plausibility`, an unassigned or private-use character costs as much, which
/// is more than any misreading gains by one character.
pub(super) const UNLIKELY: Cost = 2 * EXCEPTION;

/// Cost of an ill-formed sequence, an undefined byte or a C1 control: one text in 20,000. In `plausibility`, the first
/// letter of a script without a model, and a letter of a script that is rare today, cost as much.
pub(super) const FAULT: Cost = 20 * NATS;

/// Cost of one of the 26 ASCII letters, if the statistics do not distinguish them.
pub(super) const ASCII_LETTER: Cost = 3 * NATS;
