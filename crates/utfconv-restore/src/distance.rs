//! Estimates how far views are from an edited text, from counts of characters.

use std::collections::HashMap;

use super::output::Side;
use super::view::{Per, View, text_of};
use utfconv_core::ISO_8859_1;

/// The number of occurrences of each character in a text.
pub(super) type Counts = HashMap<char, u64>;

/// The distance of a view from an edited text.
pub(super) struct Distance {
    /// Number of characters that one of the texts has more often than the other.
    pub all: u64,
    /// A lower bound of the cost of the edits. Characters that the view has more often were removed; characters that
    /// the view does not have at all were typed; other characters may have been copied.
    pub cost: u64,
    /// Whether the edited text has a character that the view shows in place of others, or the view drops these.
    pub is_shown: bool,
    /// The counts of the characters of the view.
    pub seen: Counts,
}

/// Computes distances. Decodes the original once for all views.
pub(super) struct Distances {
    edited: Counts,
    /// The original as text, and the counts of its characters.
    exact: Option<(String, Counts)>,
    /// The number of occurrences of each byte in the original.
    bytes: Option<[u64; 256]>,
    /// For each kind of replacement, the characters that remain, and the number of marks that the program writes.
    lossy: HashMap<Per, (Counts, u64)>,
}

impl Distances {
    pub fn new(edited: &str) -> Distances {
        Distances { edited: counted(edited.chars()), exact: None, bytes: None, lossy: HashMap::new() }
    }

    /// Returns the distance of a view from the edited text. Newlines are not compared.
    pub fn of(&mut self, side: &Side, view: View) -> Distance {
        let seen = self.seen(side, view);
        let more = |one: &Counts, other: &Counts, is_counted: fn(char, u64) -> bool| -> u64 {
            let known = one.iter().map(|(scalar, number)| (*scalar, *number, count(other, *scalar)));
            let counted = known
                .filter(|(scalar, _, known)| !matches!(scalar, '\n' | '\r') && is_counted(*scalar, *known));
            counted.map(|(_, number, known)| number.saturating_sub(known)).sum()
        };
        let missing = more(&seen, &self.edited, |_, _| true);
        // Whitespace does not count as typed, because a copied line may have been indented.
        let typed = more(&self.edited, &seen, |scalar, known| known == 0 && !scalar.is_whitespace());
        let edited = &self.edited;
        let (_, exact) = exact_of(&mut self.exact, side);
        let is_shown =
            |(scalar, number): (&char, &u64)| *number > count(exact, *scalar) && count(edited, *scalar) > 0;
        let is_shown = view.mark().is_none() || seen.iter().any(is_shown);
        let all = missing + more(&self.edited, &seen, |_, _| true);
        Distance { all, cost: missing + typed, is_shown, seen }
    }

    /// Returns the counts of the characters of a view.
    fn seen(&mut self, side: &Side, view: View) -> Counts {
        match view {
            View::Exact => exact_of(&mut self.exact, side).1.clone(),
            View::Lossy(mark, per) => {
                let (mut seen, lost) = self.lossy(side, per);
                let mark = mark.character().filter(|_| lost > 0);
                seen.extend(mark.map(|mark| (mark, count(&seen, mark) + lost)));
                seen
            }
            View::Misread(other) | View::MisreadLossy(other, _) if other.code_unit_len() == 1 => {
                let bytes = self.bytes.get_or_insert_with(|| {
                    let mut bytes = [0; 256];
                    side.original.iter().for_each(|byte| bytes[usize::from(*byte)] += 1);
                    bytes
                });
                let mut seen = Counts::new();
                for (byte, count) in (0..=u8::MAX).zip(bytes).filter(|(_, count)| **count > 0) {
                    let text = text_of(&ISO_8859_1, view, &[byte]);
                    text.chars().for_each(|scalar| *seen.entry(scalar).or_default() += *count);
                }
                seen
            }
            View::Misread(_) | View::MisreadLossy(..) => {
                counted(text_of(side.encoding, view, side.original).chars())
            }
        }
    }

    /// Returns the counts of the characters that remain, and the number of marks, if a program replaces parts of the
    /// original.
    fn lossy(&mut self, side: &Side, per: Per) -> (Counts, u64) {
        if let Some(known) = self.lossy.get(&per) {
            return known.clone();
        }
        let ascii = |text: &str| counted(text.chars().filter(char::is_ascii));
        let others = |text: &str, len: fn(char) -> usize| {
            text.chars().filter(|scalar| !scalar.is_ascii()).map(len).sum()
        };
        let chunks = || side.original.utf8_chunks();
        let found: (Counts, usize) = match per {
            Per::Subpart | Per::Byte => {
                let most = if per == Per::Byte { usize::MAX } else { 1 };
                let seen = counted(chunks().flat_map(|chunk| chunk.valid().chars()));
                (seen, chunks().map(|chunk| chunk.invalid().len().min(most)).sum())
            }
            Per::HighByte => {
                let ascii = side.original.iter().filter(|byte| byte.is_ascii());
                let count = ascii.clone().count();
                (counted(ascii.map(|byte| char::from(*byte))), side.original.len() - count)
            }
            Per::Character | Per::CodeUnit => {
                let (exact, _) = exact_of(&mut self.exact, side);
                let len = if per == Per::Character { |_| 1 } else { char::len_utf16 };
                (ascii(exact), others(exact, len))
            }
        };
        self.lossy.insert(per, (found.0.clone(), found.1 as u64));
        (found.0, found.1 as u64)
    }
}

/// Returns the original as text, and the counts of its characters. Decodes the original in the first call only.
fn exact_of<'e>(exact: &'e mut Option<(String, Counts)>, side: &Side) -> &'e (String, Counts) {
    exact.get_or_insert_with(|| {
        let text = text_of(side.encoding, View::Exact, side.original);
        let counts = counted(text.chars());
        (text, counts)
    })
}

/// Counts characters. An array has the counts below U+0800, because most characters are letters of alphabets.
fn counted(text: impl Iterator<Item = char>) -> Counts {
    let (mut counts, mut alphabets) = (Counts::new(), vec![0; 0x800]);
    for scalar in text {
        match alphabets.get_mut(scalar as usize) {
            Some(count) => *count += 1,
            None => *counts.entry(scalar).or_default() += 1,
        }
    }
    counts.extend(('\0'..'\u{800}').zip(alphabets).filter(|(_, count)| *count > 0));
    counts
}

fn count(counts: &Counts, scalar: char) -> u64 {
    counts.get(&scalar).copied().unwrap_or(0)
}
