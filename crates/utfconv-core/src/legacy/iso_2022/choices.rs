//! Which sets of an encoding have a character: a table of what the encoder would otherwise ask every set. Its rows are made when
//! they are first asked for, since few texts have characters of many rows.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::{Designation, Kana, Set, Variant};
use crate::decode::Utf32Unit;

/// The sets that have a character, for all characters of an encoding.
#[derive(Debug)]
pub(super) struct Choices {
    variant: &'static Variant,
    rows: [OnceLock<Row>; END / ROW],
    /// By class: the designations whose sets have its characters, as bits by their indices.
    classes: Mutex<Vec<u16>>,
}

/// By scalar value: its class, and in the lower half the code in the first of its sets, its first byte lowest. 0 where there
/// is none, and where more is to be decided than the set.
type Row = Box<[u32; ROW]>;

const ROW: usize = 0x100;

/// The classes of ASCII, without the bytes of shifts, and of the line feed.
const ASCII: u32 = 1;
pub(super) const LINE_FEED: u32 = 2;

/// The first scalar value that is beyond the table.
const END: usize = 0x3_0000;

/// Half-width katakana.
const KATAKANA: std::ops::Range<u32> = 0xFF61..0xFFA0;

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Choices {
    /// Those of an encoding, of which there is one table.
    pub fn of(variant: &'static Variant) -> &'static Choices {
        static KNOWN: Mutex<Vec<&Choices>> = Mutex::new(Vec::new());
        let mut known = locked(&KNOWN);
        if let Some(choices) = known.iter().find(|choices| choices.variant == variant) {
            return choices;
        }
        let rows = [const { OnceLock::new() }; END / ROW];
        let choices: &Choices =
            Box::leak(Box::new(Choices { variant, rows, classes: Mutex::new(vec![0, 1, 1]) }));
        known.push(choices);
        choices
    }

    /// The row that begins with a scalar value.
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
        for (scalar, entry) in (first..).zip(&mut entries) {
            let codes = sets.iter().filter_map(|(at, set)| Some((at, set.write(scalar)?)));
            *entry = match scalar {
                // ASCII is in no other set. Shifts have no codes.
                0x0A => LINE_FEED << 16 | scalar,
                0x0E | 0x0F | 0x1B => 0,
                ..0x80 => ASCII << 16 | scalar,
                _ if self.is_left(scalar) => 0,
                _ => match codes.clone().next() {
                    Some((_, code)) => {
                        let class = self.class(codes.map(|(at, _)| 1 << at).sum());
                        class << 16 | u32::from(u16::from_le_bytes(code))
                    }
                    None => 0,
                },
            };
        }
        entries.try_into().expect("it has that length")
    }

    /// Whether more is to be decided about a character outside ASCII than its set. After those of JIS X 0201, ASCII is in that.
    fn is_left(&self, scalar: u32) -> bool {
        let is_second = |set: Set| set.seconds().any(|second| second == scalar);
        self.variant.pairs.is_some_and(is_second)
            || self.variant.kana != Kana::InSets && KATAKANA.contains(&scalar)
            || Set::Roman.write(scalar).is_some()
    }

    /// The class of the characters that these designations have.
    fn class(&self, all: u16) -> u32 {
        let mut classes = locked(&self.classes);
        let known = classes.iter().skip(1 + LINE_FEED as usize).position(|class| *class == all);
        let at = known.map_or(classes.len(), |at| at + 1 + LINE_FEED as usize);
        if at == classes.len() {
            classes.push(all);
        }
        at as u32
    }

    /// Enters the classes and codes of the characters at the front of `block`, as rows have them, up to one without a class; returns
    /// how many.
    pub fn enter(&self, block: &[Utf32Unit], entries: &mut [u32]) -> usize {
        let mut count = 0;
        for (unit, entry) in block.iter().zip(entries) {
            let scalar = u32::from_le_bytes(*unit);
            let Some(row) = self.rows.get(scalar as usize / ROW) else { break };
            let row = row.get_or_init(|| self.row(scalar & !(ROW as u32 - 1)));
            *entry = row[scalar as usize % ROW];
            if *entry == 0 {
                break;
            }
            count += 1;
        }
        count
    }

    /// The designations whose sets have the characters of a class, as bits by their indices.
    pub fn of_class(&self, class: u32) -> u32 {
        locked(&self.classes)[class as usize].into()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{CN_EXT, CP50220, JP_2, JP_3};
    use super::*;

    #[test]
    fn the_table_has_what_the_sets_have() {
        for variant in [&JP_2, &JP_3, &CN_EXT, &CP50220] {
            let choices = Choices::of(variant);
            for scalar in 0x80..END as u32 + 0x100 {
                let mut entry = [0];
                choices.enter(&[scalar.to_le_bytes()], &mut entry);
                let (class, written) = (entry[0] >> 16, entry[0] as u16);
                let all = choices.of_class(class);
                let is_left = variant.pairs.is_some_and(|set| set.seconds().any(|second| second == scalar))
                    || Set::Roman.write(scalar).is_some()
                    || variant.kana != Kana::InSets && KATAKANA.contains(&scalar);
                let codes = variant.designations.iter().map(|known| known.set.write(scalar));
                let first = codes.clone().position(|code| code.is_some()).filter(|_| !is_left);
                let lowest = (all != 0).then(|| all.trailing_zeros() as usize);
                assert_eq!(lowest, first, "{variant:?} {scalar:X}");
                for (at, code) in codes.enumerate().filter(|(at, _)| all >> at & 1 != 0) {
                    assert!(code.is_some(), "{variant:?} {scalar:X}");
                    if Some(at) == lowest {
                        assert_eq!(code, Some(written.to_le_bytes()), "{variant:?} {scalar:X}");
                    }
                }
            }
        }
    }
}
