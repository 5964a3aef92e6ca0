//! Which sets of an encoding have a character: a table of what the encoder would otherwise ask every set.

use std::sync::{Mutex, PoisonError};

use super::{Kana, Set, Variant};
use crate::decode::Utf32Unit;

/// The sets that have a character, for all characters of an encoding.
#[derive(Debug)]
pub(super) struct Choices {
    /// By scalar value: the designations whose sets have it, as bits by their indices, and in the lower half the code in the
    /// first of these, its first byte lowest. 0 where there is none, and where more is to be decided than the set.
    entries: Box<[u32]>,
}

/// The first scalar value that is beyond the table.
const END: usize = 0x3_0000;

/// Half-width katakana.
const KATAKANA: std::ops::Range<usize> = 0xFF61..0xFFA0;

impl Choices {
    /// Those of an encoding, which are made once.
    pub fn of(variant: &'static Variant) -> &'static Choices {
        static KNOWN: Mutex<Vec<(&Variant, &Choices)>> = Mutex::new(Vec::new());
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, choices)) = known.iter().find(|(other, _)| *other == variant) {
            return choices;
        }
        let choices = Box::leak(Box::new(Choices::new(variant)));
        known.push((variant, choices));
        choices
    }

    fn new(variant: &Variant) -> Choices {
        let mut entries = vec![0; END];
        let mut enter = |scalar: u32, at: usize, code: [u8; 2]| {
            let Some(entry) = entries.get_mut(scalar as usize) else { return };
            *entry |= if *entry == 0 { u16::from_le_bytes(code).into() } else { 0 };
            *entry |= 0x1_0000 << at;
        };
        for (at, designation) in variant.designations.iter().enumerate() {
            let is_new = |other| (designation.slot, designation.set) != other;
            if variant.designations[..at].iter().all(|other| is_new((other.slot, other.set))) {
                let set = designation.set;
                let codes = set.scalars().filter_map(|scalar| Some((scalar, set.write(scalar)?)));
                codes
                    .filter(|(scalar, _)| *scalar >= 0x80)
                    .for_each(|(scalar, code)| enter(scalar, at, code));
            }
        }
        if let Some(set) = variant.pairs {
            set.seconds().for_each(|second| entries[second as usize] = 0);
        }
        if variant.kana != Kana::InSets {
            entries[KATAKANA].fill(0);
        }
        // After them, ASCII is in JIS X 0201.
        Set::Roman.scalars().for_each(|scalar| entries[scalar as usize] = 0);
        // ASCII is in no other set; control characters do more.
        for (ascii, entry) in (0x20_u32..0x7F).zip(&mut entries[0x20..0x7F]) {
            *entry = 0x1_0000 | ascii;
        }
        Choices { entries: entries.into() }
    }

    /// The entries of the characters at the front of `row`, up to one about which more is to be decided; returns how many.
    pub fn entries<const N: usize>(&self, row: &[Utf32Unit], entries: &mut [u32; N]) -> usize {
        let mut count = 0;
        for (unit, entry) in row.iter().zip(entries) {
            *entry = self.entries.get(u32::from_le_bytes(*unit) as usize).copied().unwrap_or(0);
            if *entry == 0 {
                break;
            }
            count += 1;
        }
        count
    }

    /// The code of a character with this entry, in the set of a designation that has it.
    #[inline(always)]
    pub fn code(entry: u32, scalar: u32, at: usize, set: Set) -> [u8; 2] {
        let is_first = (entry >> 16).trailing_zeros() as usize == at;
        if is_first { (entry as u16).to_le_bytes() } else { set.write(scalar).unwrap_or_default() }
    }
}

/// What is written for characters in ASCII and in another set, of two bytes a character, in any order.
pub(super) struct Alternation {
    /// The designation of the other set, by its index.
    pub other: Option<usize>,
    /// What leads to ASCII, and to the other set: bytes, the first lowest, and how many.
    pub prefixes: [(u32, usize); 2],
    /// Whether the other set is invoked.
    pub is_other: bool,
}

impl Alternation {
    /// Writes the characters with the first `entries`, up to one in a third set, or in one that is a better choice than the
    /// other set. Returns how many, the bytes written to `dst`, and whether the other set is invoked after them. There is no
    /// branch per character, since where words end cannot be predicted.
    pub fn put(&self, entries: &[u32], dst: &mut [u8]) -> (usize, usize, bool) {
        let bit = self.other.map_or(0, |index| 0x1_0000 << index);
        // The other's bit, and all below.
        let choices = (2_u32 * bit).wrapping_sub(1) & 0xFFFF_0000;
        // By whether the character before is in the other set, and this one: the bytes before its code, their bits, and all of
        // its bytes.
        let [(ascii, ascii_len), (other, other_len)] = self.prefixes;
        let steps = [
            (0, 0, 1),
            (u64::from(other), 8 * other_len, other_len + 2),
            (u64::from(ascii), 8 * ascii_len, ascii_len + 1),
            (0, 0, 2),
        ];
        let (mut count, mut len, mut was_other) = (0, 0, usize::from(self.is_other));
        for entry in entries {
            let is_other = usize::from(entry & choices == bit);
            let Some(room) = dst.get_mut(len..).and_then(<[u8]>::first_chunk_mut) else { break };
            if is_other == 0 && entry >> 16 != 1 {
                break;
            }
            let (bytes, shift, size) = steps[(2 * was_other + is_other) & 3];
            *room = (bytes | u64::from(*entry as u16) << (shift & 63)).to_le_bytes();
            len += size;
            was_other = is_other;
            count += 1;
        }
        (count, len, was_other != 0)
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
                choices.entries(&[scalar.to_le_bytes()], &mut entry);
                let all = entry[0] >> 16;
                let is_left = variant.pairs.is_some_and(|set| set.seconds().any(|second| second == scalar))
                    || Set::Roman.write(scalar).is_some()
                    || variant.kana != Kana::InSets && KATAKANA.contains(&(scalar as usize));
                let codes = variant.designations.iter().map(|known| known.set.write(scalar));
                let first = codes.clone().position(|code| code.is_some()).filter(|_| !is_left);
                let lowest = (all != 0).then(|| all.trailing_zeros() as usize);
                assert_eq!(lowest, first, "{variant:?} {scalar:X}");
                for (at, code) in codes.enumerate().filter(|(at, _)| all >> at & 1 != 0) {
                    let set = variant.designations[at].set;
                    assert_eq!(
                        Some(Choices::code(entry[0], scalar, at, set)),
                        code,
                        "{variant:?} {scalar:X}"
                    );
                }
            }
        }
    }
}
