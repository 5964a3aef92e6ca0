//! A table that tells which sets of an encoding have a character, so that the encoder need not ask every set. Its rows
//! are made on first use, because few texts have characters of many rows.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::{iter, ptr};

use super::{Designation, Kana, Set, Variant};

/// The sets that have a character, for all characters of an encoding.
pub(super) struct Choices {
    variant: &'static Variant,
    rows: [OnceLock<Row>; END / ROW],
    /// For each class, the designations whose sets have the characters of the class, as a bit mask of their indices.
    classes: Mutex<Vec<u16>>,
}

type Row = Box<[Entry; ROW]>;

/// What is known about a character. The highest 16 bits are its class. The lower bits are its codes in the first sets
/// that have it, from the lowest bit on, each with the first byte lowest. A code is 0 if fewer sets have the character.
/// The whole entry is 0 if no set has the character, or if the encoder has to decide more than the set.
pub(super) type Entry = u64;

/// Number of codes in an entry.
pub(super) const CODES: usize = 3;

/// The entries of all characters; each encoder has a copy. An entry is 0 until its row is computed.
pub(super) type Entries = [Entry; END];

/// Returns entries without any row. The memory is zeroed, so the system allocates a page only when the page is first
/// used.
pub(super) fn entries() -> Box<Entries> {
    vec![0; END].try_into().expect("it has that length")
}

/// Returns the class of an entry, or 0 if the entry is empty.
#[inline(always)]
pub(super) fn class(entry: Entry) -> usize {
    (entry >> (16 * CODES)) as usize
}

/// Returns the entry of a character with the given class and codes.
fn entry(class: usize, codes: impl Iterator<Item = [u8; 2]>) -> Entry {
    let codes = codes.take(CODES).enumerate();
    let codes = codes.map(|(at, code)| Entry::from(u16::from_le_bytes(code)) << (16 * at));
    codes.fold((class as Entry) << (16 * CODES), |entry, code| entry | code)
}

const ROW: usize = 0x100;

/// The class of ASCII characters, except shift bytes and the line feed.
const ASCII: usize = 1;
/// The class of the line feed.
pub(super) const LINE_FEED: usize = 2;

/// The first scalar value beyond the table.
const END: usize = 0x3_0000;

/// The scalar values of half-width katakana.
const KATAKANA: std::ops::Range<u32> = 0xFF61..0xFFA0;

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Choices {
    /// Returns the choices of an encoding; all its encoders share one table.
    pub fn of(variant: &'static Variant) -> &'static Choices {
        static KNOWN: Mutex<Vec<&Choices>> = Mutex::new(Vec::new());
        let mut known = locked(&KNOWN);
        if let Some(choices) = known.iter().find(|choices| ptr::eq(choices.variant, variant)) {
            return choices;
        }
        let rows = [const { OnceLock::new() }; END / ROW];
        let choices: &Choices =
            Box::leak(Box::new(Choices { variant, rows, classes: Mutex::new(vec![0, 1, 1]) }));
        known.push(choices);
        choices
    }

    /// Computes the row that begins with the scalar value `first`.
    #[cold]
    #[inline(never)]
    fn row(&self, first: u32) -> Row {
        let all = self.variant.designations;
        let is_first = |(at, one): &(usize, &Designation)| {
            all[..*at].iter().all(|other| (one.slot, one.set) != (other.slot, other.set))
        };
        let sets: Vec<(usize, Set)> =
            all.iter().enumerate().filter(is_first).map(|(at, one)| (at, one.set)).collect();
        let mut entries = vec![0; ROW];
        for (scalar, room) in (first..).zip(&mut entries) {
            let codes = || sets.iter().filter_map(|(at, set)| Some((at, set.write(scalar)?)));
            let ascii = |class| entry(class, iter::once([scalar as u8, 0]));
            *room = match scalar {
                // ASCII characters are written in ASCII only, and shift bytes have no codes.
                0x0A => ascii(LINE_FEED),
                0x0E | 0x0F | 0x1B => 0,
                ..0x80 => ascii(ASCII),
                _ if self.is_left(scalar) || codes().next().is_none() => 0,
                _ => entry(self.class(codes().map(|(at, _)| 1 << at).sum()), codes().map(|(_, code)| code)),
            };
        }
        entries.try_into().expect("it has that length")
    }

    /// Whether the encoder has to decide more than the set of the non-ASCII character `scalar`. True if `scalar` may
    /// share a code with the previous character, if `scalar` is a half-width katakana that no set encodes, or if ASCII
    /// after `scalar` stays in JIS X 0201.
    fn is_left(&self, scalar: u32) -> bool {
        let is_second = |set: Set| set.seconds().any(|second| second == scalar);
        self.variant.pairs.is_some_and(is_second)
            || self.variant.kana != Kana::InSets && KATAKANA.contains(&scalar)
            || Set::Roman.write(scalar).is_some()
    }

    /// Returns the class of the characters that exactly these designations (a bit mask) have.
    fn class(&self, all: u16) -> usize {
        let mut classes = locked(&self.classes);
        let known = classes.iter().skip(1 + LINE_FEED).position(|class| *class == all);
        let at = known.map_or(classes.len(), |at| at + 1 + LINE_FEED);
        if at == classes.len() {
            classes.push(all);
        }
        at
    }

    /// Returns the entry of a character, or 0 if the encoder has to decide without the table. Computes the row of the
    /// entry if the row is missing.
    #[cold]
    pub fn enter(&self, scalar: u32, entries: &mut Entries) -> Entry {
        let Some(entry) = entries.get(scalar as usize) else { return 0 };
        if *entry != 0 {
            return *entry;
        }
        let first = scalar as usize & !(ROW - 1);
        let row = self.rows[first / ROW].get_or_init(|| self.row(first as u32));
        entries[first..first + ROW].copy_from_slice(&row[..]);
        row[scalar as usize % ROW]
    }

    /// Returns the designations whose sets have the characters of a class, as a bit mask of their indices.
    pub fn of_class(&self, class: usize) -> u32 {
        locked(&self.classes)[class].into()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{CN_EXT, CP50220, JP_2, JP_3, JP_2004};
    use super::*;

    #[test]
    fn the_table_agrees_with_the_sets() {
        for variant in [&JP_2, &JP_3, &JP_2004, &CN_EXT, &CP50220] {
            let choices = Choices::of(variant);
            let mut entries = entries();
            for scalar in 0x80..END as u32 + 0x100 {
                let entry = choices.enter(scalar, &mut entries);
                assert_eq!(entries.get(scalar as usize).copied().unwrap_or(0), entry);
                let class = class(entry);
                let all = choices.of_class(class);
                let is_left = variant.pairs.is_some_and(|set| set.seconds().any(|second| second == scalar))
                    || Set::Roman.write(scalar).is_some()
                    || variant.kana != Kana::InSets && KATAKANA.contains(&scalar);
                let codes = variant.designations.iter().map(|known| known.set.write(scalar));
                let first = codes.clone().position(|code| code.is_some()).filter(|_| !is_left);
                let lowest = (all != 0).then(|| all.trailing_zeros() as usize);
                assert_eq!(lowest, first, "{variant:?} {scalar:X}");
                let known = codes.enumerate().filter(|(at, _)| all >> at & 1 != 0);
                for (rank, (_, code)) in known.enumerate() {
                    let written = (entry >> (16 * rank.min(CODES))) as u16;
                    assert!(code.is_some(), "{variant:?} {scalar:X}");
                    assert!(rank >= CODES || code == Some(written.to_le_bytes()), "{variant:?} {scalar:X}");
                }
            }
        }
    }
}
