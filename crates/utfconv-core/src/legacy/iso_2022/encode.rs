//! The encoder.

use super::choices::{Alternation, Choices};
use super::kana::{may_be_voiced, voiced, wide};
use super::{Designation, ESCAPE, Kana, SHIFT_IN, SHIFT_OUT, Set, Slot, Slots, Variant};
use crate::decode::Utf32Unit;
use crate::encode::{Encode, put_ascii_blocks};

/// The encoder, which writes a set's escape sequence before the first character in it, and holds back a character that may
/// share a code with the next.
#[derive(Clone)]
pub(crate) struct ToIso2022 {
    variant: &'static Variant,
    /// The sets that have been designated.
    slots: Slots,
    /// The designation of the last character outside ASCII, if its set is still in its slot.
    last: Option<&'static Designation>,
    is_out: bool,
    has_begun: bool,
    held: Option<u32>,
    /// A half-width letter that the next character may change.
    held_kana: Option<u32>,
    /// The designation of the last character outside ASCII, by its index.
    other: Option<usize>,
    /// Characters in rows so far.
    seen: usize,
    choices: Option<&'static Choices>,
}

const LINE_FEED: u32 = 0x0A;

/// Shorter texts have no use for [`Choices`].
const WORTH_CHOICES: usize = 2 << 10;

/// Bytes of a character, at most: a designation, a shift, and a code.
const MOST: usize = 8;

/// Characters that are written at a time.
const BLOCK: usize = 64;

impl ToIso2022 {
    pub fn new(variant: &'static Variant) -> ToIso2022 {
        let slots = [Some(Set::Ascii), None, None, None];
        ToIso2022 {
            variant,
            slots,
            last: None,
            is_out: false,
            has_begun: false,
            held: None,
            held_kana: None,
            other: None,
            seen: 0,
            choices: None,
        }
    }

    /// The designations by which a character can be written, the best first: that of the set which is invoked, those of sets
    /// that are designated, and then all.
    fn choices(&self) -> impl Iterator<Item = &'static Designation> {
        let all = self.variant.designations;
        self.current().map(|at| &all[at]).chain(all)
    }

    /// How a character is written, and its code; `None` if it cannot be.
    fn code(&self, scalar: u32) -> Option<(&'static Designation, [u8; 2])> {
        let ascii = &self.variant.designations[0];
        match scalar {
            // They would be taken for shifts.
            0x0E | 0x0F | 0x1B => None,
            // Control characters and the blank are in ASCII; other characters stay in JIS X 0201, if it has them.
            ..0x21 | 0x7F => Some((ascii, [scalar as u8, 0])),
            ..0x80 if self.slots[0] == Some(Set::Roman) && Set::Roman.write(scalar).is_some() => {
                let roman = self.variant.designations.iter().find(|known| known.set == Set::Roman)?;
                Some((roman, [scalar as u8, 0]))
            }
            ..0x80 => Some((ascii, [scalar as u8, 0])),
            _ => {
                let write = |choice: &'static Designation| Some((choice, choice.set.write(scalar)?));
                // The most frequent case: the set that would be the first choice.
                let last = self.last.filter(|last| matches!(last.slot, Slot::G0 | Slot::G1)).and_then(write);
                last.or_else(|| self.choices().find_map(write))
            }
        }
    }

    /// Writes the header, once.
    fn begin(&mut self, out: &mut Vec<u8>) {
        let header = self.variant.header;
        if !header.is_empty() && !std::mem::replace(&mut self.has_begun, true) {
            out.extend_from_slice(header);
            let known = self.variant.designations.iter().filter(|known| known.escape == header);
            known.for_each(|known| self.slots[known.slot as usize] = Some(known.set));
        }
    }

    fn push(&mut self, choice: &'static Designation, code: [u8; 2], out: &mut Vec<u8>) {
        let (bytes, len) = self.spell(choice, code);
        out.extend_from_slice(&bytes[..len]);
    }

    /// The bytes of a code, with what has to be before it, and how many they are.
    fn spell(&mut self, choice: &'static Designation, code: [u8; 2]) -> ([u8; MOST], usize) {
        self.last = Some(choice).filter(|choice| choice.set != Set::Ascii);
        let is_there = self.slots[choice.slot as usize].replace(choice.set) == Some(choice.set);
        let (prefix, mut len) = if is_there { (0, 0) } else { choice.prefix() };
        let mut bytes = u64::from(prefix);
        if let Some(shift) = choice.slot.single_shift() {
            bytes |= u64::from(u16::from_le_bytes([ESCAPE, shift])) << (8 * len);
            len += 2;
        } else {
            let is_out = choice.slot == Slot::G1;
            if std::mem::replace(&mut self.is_out, is_out) != is_out {
                bytes |= u64::from(if is_out { SHIFT_OUT } else { SHIFT_IN }) << (8 * len);
                len += 1;
            }
        }
        bytes |= u64::from(u16::from_le_bytes(code)) << (8 * len);
        (bytes.to_le_bytes(), len + choice.set.width())
    }

    /// Writes SO or SI, if it changes something.
    fn shift(&mut self, is_out: bool, out: &mut Vec<u8>) {
        if std::mem::replace(&mut self.is_out, is_out) != is_out {
            out.push(if is_out { SHIFT_OUT } else { SHIFT_IN });
        }
    }

    /// Writes what is held.
    fn release(&mut self, out: &mut Vec<u8>) {
        if let Some((choice, code)) = self.held.take().and_then(|scalar| self.code(scalar)) {
            self.push(choice, code, out);
        }
    }

    /// Writes what is held together with `code_point`, if there is a code for both.
    fn pair(&mut self, code_point: u32, out: &mut Vec<u8>) -> bool {
        let Some(first) = self.held else { return false };
        let both = |choice: &'static Designation| Some((choice, choice.set.write_pair([first, code_point])?));
        let Some((choice, code)) = self.choices().find_map(both) else { return false };
        self.held = None;
        self.push(choice, code, out);
        true
    }

    /// Writes half-width katakana as wide ones.
    fn widened(&mut self, code_point: u32, out: &mut Vec<u8>) -> bool {
        if let Some(letter) = self.held_kana {
            if let Some(both) = voiced(letter, code_point) {
                self.held_kana = None;
                return self.in_sets(both, out);
            }
            if !self.has(code_point) {
                return false;
            }
            self.held_kana = None;
            self.in_sets(wide(letter), out);
        }
        if may_be_voiced(code_point) {
            self.held_kana = Some(code_point);
            return true;
        }
        self.in_sets(wide(code_point), out)
    }

    /// Writes the characters at the front of `row` about which nothing is to be decided but their set; returns how many.
    fn put_row(&mut self, choices: &Choices, row: &[Utf32Unit], out: &mut Vec<u8>) -> usize {
        let is_simple = self.held.is_none()
            && self.held_kana.is_none()
            && (self.has_begun || self.variant.header.is_empty())
            && self.slots[0] != Some(Set::Roman);
        if !is_simple {
            return 0;
        }
        let mut count = 0;
        while count < row.len() {
            if self.last.is_none() && self.invoked() == Some(0) {
                count += put_ascii_blocks(&row[count..], out, |scalar| scalar.wrapping_sub(0x20) < 0x5F);
            }
            let block = &row[count..row.len().min(count + BLOCK)];
            let mut entries = [0; BLOCK];
            let mut known = choices.entries(block, &mut entries);
            // The last may be the first of a pair.
            if self.variant.pairs.is_some() && (known < block.len() || count + known == row.len()) {
                known = known.saturating_sub(1);
            }
            self.put_entries(&block[..known], &entries[..known], out);
            count += known;
            if known < block.len() {
                break;
            }
        }
        count
    }

    /// Writes characters with their entries.
    fn put_entries(&mut self, row: &[Utf32Unit], entries: &[u32], out: &mut Vec<u8>) {
        let mut room = [0; MOST * BLOCK];
        let (mut at, mut len) = (0, 0);
        loop {
            if let Some(pair) = self.alternation() {
                let (taken, bytes, is_other) = pair.put(&entries[at..], &mut room[len..]);
                (at, len) = (at + taken, len + bytes);
                self.enter(pair.other.filter(|_| is_other).unwrap_or(0));
            }
            let (Some(entry), Some(unit)) = (entries.get(at), row.get(at)) else { break };
            let index = self.first_choice(entry >> 16);
            let choice = &self.variant.designations[index];
            let code = Choices::code(*entry, u32::from_le_bytes(*unit), index, choice.set);
            if index > 0 {
                self.other = Some(index);
            }
            let (bytes, size) = self.spell(choice, code);
            room[len..len + MOST].copy_from_slice(&bytes);
            (at, len) = (at + 1, len + size);
        }
        out.extend_from_slice(&room[..len]);
    }

    /// What is written as long as characters are in ASCII or in the set of the last one that was not; `None` if neither of
    /// them is invoked.
    fn alternation(&self) -> Option<Alternation> {
        let all = self.variant.designations;
        let invoked = self.invoked()?;
        let others = || self.variant.initial[1..].iter().chain(&self.slots[1..]).flatten();
        let is_possible = |index: &usize| match all[*index].slot {
            // A set in another slot might come first.
            Slot::G0 => others().next().is_none(),
            Slot::G1 => self.slots[1] == Some(all[*index].set) && self.slots[0] == Some(Set::Ascii),
            Slot::G2 | Slot::G3 => false,
        };
        let other = self.other.filter(|index| all[*index].set.width() == 2).filter(is_possible);
        if invoked != 0 && other != Some(invoked) {
            return None;
        }
        let prefixes = match other.map(|index| &all[index]) {
            Some(other) if other.slot == Slot::G1 => [(SHIFT_IN.into(), 1), (SHIFT_OUT.into(), 1)],
            other => [all[0].prefix(), other.map_or((0, 0), Designation::prefix)],
        };
        Some(Alternation { other, prefixes, is_other: invoked != 0 })
    }

    /// Continues after a character in ASCII, or in the set of the other designation of an [`Alternation`].
    fn enter(&mut self, index: usize) {
        let designation = &self.variant.designations[index];
        self.last = Some(designation).filter(|designation| designation.set != Set::Ascii);
        self.is_out = designation.slot == Slot::G1;
        self.slots[designation.slot as usize] = Some(designation.set);
    }

    /// The designation, by its index, that needs no bytes, and comes first for all characters that its set has.
    fn invoked(&self) -> Option<usize> {
        match self.last {
            Some(last) if last.slot.single_shift().is_none() => self.index(last.slot, last.set),
            _ if self.slots[0] == Some(Set::Ascii) && !self.is_out => Some(0),
            _ => None,
        }
    }

    /// Of the designations with these bits, the one to write with, by its index.
    fn first_choice(&self, all: u32) -> usize {
        let is_there = |at: &usize| all >> at & 1 != 0;
        // What is in ASCII is in nothing else.
        let current = if all == 1 { None } else { self.current().find(is_there) };
        current.unwrap_or(all.trailing_zeros() as usize)
    }

    /// The designations of the sets that are in slots, by their indices, the best first.
    fn current(&self) -> impl Iterator<Item = usize> {
        let order = [Slot::G1, Slot::G0, Slot::G2, Slot::G3];
        order.into_iter().filter_map(move |slot| {
            let initial = self.variant.initial[slot as usize].filter(|_| slot == Slot::G1);
            self.index(slot, self.slots[slot as usize].or(initial)?)
        })
    }

    fn index(&self, slot: Slot, set: Set) -> Option<usize> {
        self.variant.designations.iter().position(|known| known.slot == slot && known.set == set)
    }

    /// Writes a character in a set.
    fn in_sets(&mut self, code_point: u32, out: &mut Vec<u8>) -> bool {
        if self.pair(code_point, out) {
            return true;
        }
        let Some(mut found) = self.code(code_point) else { return false };
        self.begin(out);
        if self.held.is_some() {
            self.release(out);
            // The set may be another now.
            found = self.code(code_point).unwrap_or(found);
        }
        let (choice, code) = found;
        if self.variant.pairs.is_some_and(|set| set.begins_pair(code_point)) {
            self.held = Some(code_point);
        } else {
            self.push(choice, code, out);
        }
        if code_point == LINE_FEED {
            let lasts = |slot: Slot| slot == Slot::G0 || !self.variant.header.is_empty();
            for slot in [Slot::G1, Slot::G2, Slot::G3].into_iter().filter(|slot| !lasts(*slot)) {
                self.slots[slot as usize] = None;
            }
            self.last = None;
        }
        true
    }
}

impl Encode for ToIso2022 {
    fn copy(&self) -> Option<Box<dyn Encode>> {
        Some(Box::new(self.clone()))
    }

    fn encode(&mut self, code_point: u32, out: &mut Vec<u8>) -> bool {
        match (self.variant.kana, code_point) {
            (Kana::Wide, _) => self.widened(code_point, out),
            (Kana::EightBits, 0xFF61..=0xFF9F) => {
                out.push((code_point - 0xFF61) as u8 + 0xA1);
                true
            }
            _ => self.in_sets(code_point, out),
        }
    }

    fn encode_row(&mut self, row: &[Utf32Unit], out: &mut Vec<u8>) -> usize {
        self.seen = self.seen.saturating_add(row.len());
        if self.choices.is_none() && self.seen >= WORTH_CHOICES {
            self.choices = Some(Choices::of(self.variant));
        }
        let mut count = 0;
        loop {
            if let Some(choices) = self.choices {
                count += self.put_row(choices, &row[count..], out);
            }
            match row.get(count) {
                Some(unit) if self.encode(u32::from_le_bytes(*unit), out) => count += 1,
                _ => return count,
            }
        }
    }

    fn has(&self, code_point: u32) -> bool {
        match self.variant.kana {
            Kana::Wide => self.code(wide(code_point)).is_some(),
            _ => self.code(code_point).is_some(),
        }
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        if let Some(letter) = self.held_kana.take() {
            self.in_sets(wide(letter), out);
        }
        self.release(out);
        self.last = None;
        self.shift(false, out);
        if self.slots[0].replace(Set::Ascii) != Some(Set::Ascii) {
            out.extend_from_slice(self.variant.designations[0].escape);
        }
    }

    fn at_rest(&self) -> bool {
        self.held.is_none() && self.held_kana.is_none() && !self.is_out && self.slots[0] == Some(Set::Ascii)
    }

    fn is_initial(&self) -> bool {
        self.at_rest()
            && !self.has_begun
            && self.last.is_none()
            && self.slots[1..].iter().all(Option::is_none)
    }
}
