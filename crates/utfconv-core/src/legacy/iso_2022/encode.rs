//! The encoder.

use super::kana::{may_be_voiced, voiced, wide};
use super::{Designation, ESCAPE, Kana, SHIFT_IN, SHIFT_OUT, Set, Slot, Slots, Variant};
use crate::decode::Utf32Unit;
use crate::encode::Encode;

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
}

const LINE_FEED: u32 = 0x0A;

impl ToIso2022 {
    pub fn new(variant: &'static Variant) -> ToIso2022 {
        let slots = [Some(Set::Ascii), None, None, None];
        ToIso2022 { variant, slots, last: None, is_out: false, has_begun: false, held: None, held_kana: None }
    }

    /// The designations by which a character can be written, the best first: that of the set which is invoked, those of sets
    /// that are designated, and then all.
    fn choices(&self) -> impl Iterator<Item = &'static Designation> {
        let all = self.variant.designations.iter();
        let order = [Slot::G1, Slot::G0, Slot::G2, Slot::G3];
        let current = order.into_iter().filter_map(move |slot| {
            let initial = self.variant.initial[slot as usize].filter(|_| slot == Slot::G1);
            let set = self.slots[slot as usize].or(initial)?;
            self.variant.designations.iter().find(|known| known.slot == slot && known.set == set)
        });
        current.chain(all)
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
        let slot = choice.slot as usize;
        self.last = Some(choice).filter(|choice| choice.set != Set::Ascii);
        if self.slots[slot].replace(choice.set) != Some(choice.set) {
            out.extend_from_slice(choice.escape);
        }
        if let Some(shift) = choice.slot.single_shift() {
            out.extend([ESCAPE, shift]);
        } else {
            self.shift(choice.slot == Slot::G1, out);
        }
        out.extend_from_slice(&code[..choice.set.width()]);
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

    /// Writes the characters at the front of `row` that are in the set which the last was in, where nothing else is to be
    /// decided about them; returns how many.
    fn run(&mut self, row: &[Utf32Unit], out: &mut Vec<u8>) -> usize {
        let is_simple = self.held.is_none()
            && self.variant.kana == Kana::InSets
            && self.variant.pairs.is_none()
            && (self.has_begun || self.variant.header.is_empty());
        if !is_simple {
            return 0;
        }
        let scalars = row.iter().map(|unit| u32::from_le_bytes(*unit));
        let before = out.len();
        match self.last {
            None if self.slots[0] == Some(Set::Ascii) && !self.is_out => {
                let ascii = scalars.take_while(|scalar| matches!(scalar, 0x20..0x7F));
                out.extend(ascii.map(|scalar| scalar as u8));
                out.len() - before
            }
            Some(last) if matches!(last.slot, Slot::G0 | Slot::G1) && last.set.width() == 2 => {
                let codes = scalars.map_while(|scalar| last.set.write(scalar).filter(|_| scalar >= 0x80));
                codes.for_each(|code| out.extend_from_slice(&code));
                (out.len() - before) / 2
            }
            _ => 0,
        }
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
        let mut count = 0;
        while let Some(unit) = row.get(count) {
            let run = self.run(&row[count..], out);
            count += run;
            if run == 0 {
                if !self.encode(u32::from_le_bytes(*unit), out) {
                    break;
                }
                count += 1;
            }
        }
        count
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
