//! How far views are from an edited text, as far as counts of characters show it.

use std::collections::HashMap;

use super::output::Side;
use super::text::number;
use super::view::{Mark, Per, View, text_of};
use utfconv_core::ISO_8859_1;

/// How far a view is from an edited text.
pub(super) struct Distance {
    /// How many characters one of the texts has more of than the other.
    pub all: u64,
    /// How many characters the view has more of: edits cost at least as much.
    pub missing: u64,
    /// A hash of the text of the view.
    pub text: u64,
}

/// How often each character is in a text.
type Counts = HashMap<char, u64>;

/// Computes distances, and counts each text once.
pub(super) struct Distances {
    edited: Counts,
    /// What programs see that replace parts of the text, for each kind of parts: the characters, how many parts they do not
    /// see, and a hash of all.
    lossy: HashMap<Per, (Counts, u64, u64)>,
    /// The bytes of the original, and a hash of it.
    bytes: Option<([u64; 256], u64)>,
}

impl Distances {
    pub fn new(edited: &str) -> Distances {
        Distances { edited: counted(edited.chars()), lossy: HashMap::new(), bytes: None }
    }

    /// Returns how far a view is from the edited text.
    pub fn of(&mut self, side: &Side, view: View) -> Distance {
        match view {
            View::Lossy(mark, per) => {
                let (seen, lost, text) = self.lossy.entry(per).or_insert_with(|| {
                    let (mut seen, text) = characters(side, View::Lossy(Mark::Replacement, per));
                    let lost = seen.remove(&char::REPLACEMENT_CHARACTER).unwrap_or(0);
                    (seen, lost, text)
                });
                let text = number((*text, mark));
                match mark.character() {
                    Some(mark) => {
                        *seen.entry(mark).or_default() += *lost;
                        let distance = compare(seen, &self.edited, text);
                        *seen.entry(mark).or_default() -= *lost;
                        distance
                    }
                    None => compare(seen, &self.edited, text),
                }
            }
            View::Misread(other) | View::MisreadLossy(other, _) if other.code_unit_len() == 1 => {
                let (bytes, text) = self.bytes.get_or_insert_with(|| {
                    let mut bytes = [0; 256];
                    side.original.iter().for_each(|byte| bytes[usize::from(*byte)] += 1);
                    (bytes, number(side.original))
                });
                let (mut seen, mut shown) = (Counts::new(), Vec::new());
                for (byte, count) in (0..=u8::MAX).zip(bytes).filter(|(_, count)| **count > 0) {
                    let text = text_of(&ISO_8859_1, view, &[byte]);
                    text.chars().for_each(|scalar| *seen.entry(scalar).or_default() += *count);
                    shown.push(text);
                }
                compare(&seen, &self.edited, number((*text, shown)))
            }
            _ => {
                let (seen, text) = characters(side, view);
                compare(&seen, &self.edited, text)
            }
        }
    }
}

fn counted(text: impl Iterator<Item = char>) -> Counts {
    let (mut counts, mut ascii) = (Counts::new(), [0; 128]);
    for scalar in text {
        match ascii.get_mut(scalar as usize) {
            Some(count) => *count += 1,
            None => *counts.entry(scalar).or_default() += 1,
        }
    }
    let ascii = (0..128u8).map(char::from).zip(ascii).filter(|(_, count)| *count > 0);
    counts.extend(ascii);
    counts
}

/// Returns the characters that a view shows, and a hash of its text.
fn characters(side: &Side, view: View) -> (Counts, u64) {
    let text = text_of(side.encoding, view, side.original);
    (counted(text.chars()), number(text))
}

/// Compares counts. Newlines are not compared.
fn compare(seen: &Counts, edited: &Counts, text: u64) -> Distance {
    let count = |counts: &Counts, scalar| counts.get(&scalar).copied().unwrap_or(0);
    let missing = |one: &Counts, other: &Counts| -> u64 {
        let counted = one.iter().filter(|(scalar, _)| !matches!(scalar, '\n' | '\r'));
        counted.map(|(scalar, number)| number.saturating_sub(count(other, *scalar))).sum()
    };
    let (missing, added) = (missing(seen, edited), missing(edited, seen));
    Distance { all: missing + added, missing, text }
}
