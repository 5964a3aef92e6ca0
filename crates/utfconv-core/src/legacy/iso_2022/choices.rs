//! Which sets of an encoding have a character: a table of what the encoder would otherwise ask every set.

use std::sync::{Mutex, PoisonError};

use super::{Kana, Set, Variant};

/// The sets that have a character, for all characters of an encoding.
#[derive(Debug)]
pub(super) struct Choices {
    /// By scalar value: its class, and in the lower half the code in the first of its sets, its first byte lowest. 0 where there
    /// is none, and where more is to be decided than the set.
    entries: Box<[u32]>,
    /// By class: the designations whose sets have its characters, as bits by their indices.
    classes: Vec<u16>,
}

/// The classes of ASCII, without the bytes of shifts, and of the line feed.
const ASCII: u32 = 1;
pub(super) const LINE_FEED: u32 = 2;

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
        let mut classes = vec![0_u16, 1, 1];
        // By class and designation: the class with both, or 0.
        let mut joined = vec![[0; u16::BITS as usize]; classes.len()];
        let mut enter = |scalar: u32, at: usize, code: [u8; 2]| {
            let Some(entry) = entries.get_mut(scalar as usize) else { return };
            let class = (*entry >> 16) as usize;
            if joined[class][at] == 0 {
                joined[class][at] = classes.len() as u32;
                classes.push(classes[class] | 1 << at);
                joined.push([0; _]);
            }
            let code = if class == 0 { u16::from_le_bytes(code).into() } else { *entry & 0xFFFF };
            *entry = joined[class][at] << 16 | code;
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
        // ASCII is in no other set. Shifts have no codes.
        for (ascii, entry) in (0..0x80).zip(&mut entries[..0x80]) {
            *entry = match ascii {
                0x0A => LINE_FEED << 16 | ascii,
                0x0E | 0x0F | 0x1B => 0,
                _ => ASCII << 16 | ascii,
            };
        }
        Choices { entries: entries.into(), classes }
    }

    /// The class of a character, and its code in the first of its sets; no class if more is to be decided.
    #[inline(always)]
    pub fn entry(&self, scalar: u32) -> (u32, u16) {
        let entry = self.entries.get(scalar as usize).copied().unwrap_or(0);
        (entry >> 16, entry as u16)
    }

    /// The designations whose sets have the characters of a class, as bits by their indices.
    pub fn of_class(&self, class: u32) -> u32 {
        self.classes[class as usize].into()
    }

    /// How many classes there are.
    pub fn classes(&self) -> usize {
        self.classes.len()
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
                let (class, written) = choices.entry(scalar);
                let all = choices.of_class(class);
                let is_left = variant.pairs.is_some_and(|set| set.seconds().any(|second| second == scalar))
                    || Set::Roman.write(scalar).is_some()
                    || variant.kana != Kana::InSets && KATAKANA.contains(&(scalar as usize));
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
