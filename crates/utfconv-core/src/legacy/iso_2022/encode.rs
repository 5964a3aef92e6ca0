//! The encoder of ISO/IEC 2022.

use std::iter;

use super::super::transitions::{MOST, Transition};
use super::choices::{self, Choices, Entries};
use super::kana::{may_be_voiced, voiced, wide};
use super::{Designation, ESCAPE, Kana, SHIFT_IN, SHIFT_OUT, Set, Slot, Slots, Variant};
use crate::decode::Utf32Unit;
use crate::encode::{Encode, encode_as_row, put_ascii_blocks};

/// The encoder. It writes the escape sequence of a set before the first character in the set, and holds back a
/// character that may share a code with the next character.
#[derive(Clone)]
pub(crate) struct ToIso2022 {
    variant: &'static Variant,
    /// The sets that have been designated.
    slots: Slots,
    /// The designation of the last non-ASCII character, if its set is still in its slot and the character was not
    /// written in a row. It is tried first for the next character.
    last: Option<&'static Designation>,
    is_out: bool,
    has_begun: bool,
    held: Option<u32>,
    /// A half-width letter that the next character may voice.
    held_kana: Option<u32>,
    /// Number of characters in rows and texts so far.
    seen: usize,
    choices: Option<&'static Choices>,
    states: States,
}

/// The sets that have been designated, and whether SO was the last shift.
type State = (Slots, bool);

/// The states of an encoder so far, and the bytes that are written in them. The tables are indexed by class before
/// state, because the state depends on the previous character and is known last.
#[derive(Default)]
struct States {
    states: Vec<State>,
    classes: Vec<Class>,
    entries: Option<Box<Entries>>,
    /// Buffer for the output of a block.
    room: Option<Box<Room>>,
}

type Room = [u8; MOST * (BLOCK + 1)];

/// The bytes that are written for the characters of a class.
#[derive(Clone)]
struct Class {
    /// The state that follows each state, or [`UNKNOWN`].
    next: [u8; 256],
    transitions: [Transition; STATES],
}

impl Class {
    const UNKNOWN: Class = Class { next: [UNKNOWN; _], transitions: [Transition::UNKNOWN; _] };
}

/// Means that no transition is known.
const UNKNOWN: u8 = u8::MAX;

/// Maximum number of remembered states. ISO-2022-CN-EXT, which has the most states, has 84.
const STATES: usize = 128;

impl Clone for States {
    /// Returns an empty value, because copying the tables takes long, and the clone may never write a row.
    fn clone(&self) -> States {
        States::default()
    }
}

impl States {
    /// Returns the index of a state, or `None` if there are too many states.
    fn enter(&mut self, state: State) -> Option<usize> {
        let known = self.states.iter().position(|known| *known == state);
        let at = known.unwrap_or(self.states.len());
        (at < STATES).then(|| {
            if known.is_none() {
                self.states.push(state);
            }
            at
        })
    }

    /// Writes the characters at the front of `row` to `room`, starting in the state `at`, up to a character without a
    /// known transition. Returns the number of characters, the next state, and the length of the output in bytes.
    #[inline(never)]
    fn put(
        classes: &[Class],
        entries: &Entries,
        row: &[Utf32Unit],
        room: &mut Room,
        (mut at, mut len): (usize, usize),
    ) -> (usize, usize, usize) {
        for (count, unit) in row.iter().enumerate() {
            let Some(entry) = entries.get(u32::from_le_bytes(*unit) as usize) else {
                return (count, at, len);
            };
            // Characters without an entry are of class 0, for which no transition is ever known.
            let Some(class) = classes.get(choices::class(*entry)) else { return (count, at, len) };
            let next = class.next[at & 0xFF];
            if next == UNKNOWN {
                return (count, at, len);
            }
            let transition = &class.transitions[at % STATES];
            len = transition.put((entry >> (transition.code & 63)) as u16, room, len);
            at = next.into();
        }
        (row.len(), at, len)
    }
}

const LINE_FEED: u32 = 0x0A;

/// Minimum number of characters in rows and texts for which [`Choices`] pay.
const WORTH_CHOICES: usize = 16 << 10;

/// Whether a scalar value is ASCII, but not a control character.
fn is_printable(scalar: u32) -> bool {
    scalar.wrapping_sub(0x20) < 0x5F
}

/// Takes the next scalar value if `found` returns a result for it. Returns this result.
#[inline(always)]
fn next_if<S: Into<u32>, T>(
    scalars: &mut (impl Iterator<Item = S> + Clone),
    found: impl FnOnce(u32) -> Option<T>,
) -> Option<T> {
    let mut after = scalars.clone();
    let result = found(after.next()?.into());
    if result.is_some() {
        *scalars = after;
    }
    result
}

/// Number of characters that are written at a time.
const BLOCK: usize = 256;

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
            seen: 0,
            choices: None,
            states: States::default(),
        }
    }

    /// Returns the designations by which a non-ASCII character can be written, the best first: the designation of the
    /// invoked set, the designations in effect, and then all designations.
    fn choices(&self) -> impl Iterator<Item = &'static Designation> {
        let all = self.variant.designations;
        self.current().map(|at| &all[at]).chain(&all[1..])
    }

    /// Returns the designation and the code by which a character is written, or `None` if the encoding lacks the
    /// character.
    fn code(&self, scalar: u32) -> Option<(&'static Designation, [u8; 2])> {
        let ascii = &self.variant.designations[0];
        match scalar {
            // SO, SI and ESC would be read as shifts.
            0x0E | 0x0F | 0x1B => None,
            // Control characters and the blank are written in ASCII; other ASCII characters stay in JIS X 0201 if it is
            // invoked and has them.
            ..0x21 | 0x7F => Some((ascii, [scalar as u8, 0])),
            ..0x80 if self.slots[0] == Some(Set::Roman) && Set::Roman.write(scalar).is_some() => {
                let roman = self.variant.designations.iter().find(|known| known.set == Set::Roman)?;
                Some((roman, [scalar as u8, 0]))
            }
            ..0x80 => Some((ascii, [scalar as u8, 0])),
            _ => {
                let write = |choice: &'static Designation| Some((choice, choice.set.write(scalar)?));
                // The most frequent case is that the set of the last character is the first choice.
                let last = self.last.filter(|last| matches!(last.slot, Slot::G0 | Slot::G1)).and_then(write);
                last.or_else(|| self.choices().find_map(write))
            }
        }
    }

    /// Writes the header before the first character.
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
        // Append all of `bytes` and truncate, because a copy of fixed length is inlined.
        let end = out.len() + len;
        out.extend_from_slice(&bytes);
        out.truncate(end);
    }

    /// Returns the bytes of a code, after the designation and shift that it needs, and their number.
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

    /// Writes SO or SI, unless the shift would change nothing.
    fn shift(&mut self, is_out: bool, out: &mut Vec<u8>) {
        if std::mem::replace(&mut self.is_out, is_out) != is_out {
            out.push(if is_out { SHIFT_OUT } else { SHIFT_IN });
        }
    }

    /// Writes the character that is held back.
    fn release(&mut self, out: &mut Vec<u8>) {
        if let Some((choice, code)) = self.held.take().and_then(|scalar| self.code(scalar)) {
            self.push(choice, code, out);
        }
    }

    /// If `code_point` and the character that is held back have a common code, writes the code, and returns true.
    /// Otherwise writes nothing, and returns false.
    fn pair(&mut self, code_point: u32, out: &mut Vec<u8>) -> bool {
        let Some(first) = self.held else { return false };
        let both = |choice: &'static Designation| Some((choice, choice.set.write_pair([first, code_point])?));
        let Some((choice, code)) = self.choices().find_map(both) else { return false };
        self.held = None;
        self.push(choice, code, out);
        true
    }

    /// Writes half-width katakana as full-width katakana, and holds back a letter that a sound mark may follow. Returns
    /// false if the encoding lacks `code_point`.
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

    /// Whether nothing is held back, and the header is written.
    fn is_simple(&self) -> bool {
        self.held.is_none() && self.held_kana.is_none() && (self.has_begun || self.variant.header.is_empty())
    }

    /// Takes the characters at the front of `scalars` that are in the invoked set, which is ASCII or the set of the
    /// last character, and writes them. Returns the number of characters.
    fn put_run<S: Into<u32>>(
        &self,
        scalars: &mut (impl Iterator<Item = S> + Clone),
        out: &mut Vec<u8>,
    ) -> usize {
        if !self.is_simple() {
            return 0;
        }
        let before = out.len();
        match self.last {
            Some(last) if matches!(last.slot, Slot::G0 | Slot::G1) && self.variant.pairs.is_none() => {
                let Some(table) = last.set.codes() else { return 0 };
                // ISO-IR-165 has ASCII characters, too, but they are written in ASCII.
                let non_ascii = |scalar| if scalar < 0x80 { None } else { table.get(scalar) };
                // The output grows by 16 codes at a time, because appending a code takes longer than finding it.
                let mut end = before;
                while end == out.len() {
                    out.extend_from_slice(&[0; 32]);
                    for room in out[end..].as_chunks_mut().0 {
                        let Some(code) = next_if(scalars, non_ascii) else { break };
                        *room = code;
                        end += 2;
                    }
                }
                out.truncate(end);
                (out.len() - before) / 2
            }
            None if !self.is_out && self.slots[0] == Some(Set::Ascii) => {
                let ascii = |scalar| is_printable(scalar).then_some(scalar as u8);
                out.extend(iter::from_fn(|| next_if(scalars, ascii)));
                out.len() - before
            }
            _ => 0,
        }
    }

    /// Writes the characters at the front of `row` for which only the set has to be decided. Returns their number.
    #[inline(never)]
    fn put_simple(&mut self, choices: &Choices, row: &[Utf32Unit], out: &mut Vec<u8>) -> usize {
        if !self.is_simple() || self.slots[0] == Some(Set::Roman) {
            return 0;
        }
        let mut states = std::mem::take(&mut self.states);
        let mut count = 0;
        while count < row.len() {
            if self.slots[0] == Some(Set::Ascii) && !self.is_out {
                count += put_ascii_blocks(&row[count..], out, is_printable);
            }
            let block = &row[count..row.len().min(count + BLOCK)];
            let (written, ends) = self.put_block(&mut states, choices, block, out);
            count += written;
            if ends {
                break;
            }
        }
        self.states = states;
        count
    }

    /// Writes the characters at the front of `block` that have a class, but not the last one if it may be the first of
    /// a pair. Returns the number of characters written, and whether the next character has to be written alone.
    fn put_block(
        &mut self,
        states: &mut States,
        choices: &Choices,
        block: &[Utf32Unit],
        out: &mut Vec<u8>,
    ) -> (usize, bool) {
        if states.states.len() >= STATES {
            *states = States::default();
        }
        let Some(start) = states.enter(self.state()) else { return (0, true) };
        let mut entries = states.entries.take().unwrap_or_else(choices::entries);
        let mut room = states.room.take().unwrap_or_else(|| Box::new([0; _]));
        let (mut count, mut at, mut len) = (0, start, 0);
        loop {
            let written;
            (written, at, len) =
                States::put(&states.classes, &entries, &block[count..], &mut room, (at, len));
            count += written;
            let Some(scalar) = block.get(count).map(|unit| u32::from_le_bytes(*unit)) else { break };
            let entry = choices.enter(scalar, &mut entries);
            let Some((transition, choice)) = self.learn(states, at, choices::class(entry), choices) else {
                break;
            };
            let code = choice.set.write(scalar).unwrap_or_default();
            len = transition.put(u16::from_le_bytes(code), &mut room[..], len);
            at = transition.next as usize;
            count += 1;
        }
        let ends = count < block.len();
        let last = count.checked_sub(1).map(|last| u32::from_le_bytes(block[last]));
        if last.is_some_and(|last| self.variant.pairs.is_some_and(|set| set.begins_pair(last))) {
            // Write the block again without the last character.
            let before = &block[..count - 1];
            (count, at, len) = States::put(&states.classes, &entries, before, &mut room, (start, 0));
        }
        self.set_state(states.states[at]);
        out.extend_from_slice(&room[..len]);
        states.room = Some(room);
        states.entries = Some(entries);
        (count, ends || count == 0)
    }

    fn state(&self) -> State {
        (self.slots, self.is_out)
    }

    fn set_state(&mut self, state: State) {
        (self.slots, self.is_out) = state;
        self.last = None;
    }

    /// Remembers the bytes that are written for a character of a class in a state. Returns the transition and the
    /// designation, or `None` if the character has no class or there are too many states.
    #[cold]
    #[inline(never)]
    fn learn(
        &mut self,
        states: &mut States,
        at: usize,
        class: usize,
        choices: &Choices,
    ) -> Option<(Transition, &'static Designation)> {
        if class == 0 {
            return None;
        }
        self.set_state(states.states[at]);
        let all = choices.of_class(class);
        let index = self.first_choice(all);
        let choice = &self.variant.designations[index];
        let (bytes, size) = self.spell(choice, [0; 2]);
        if class == choices::LINE_FEED {
            self.end_line();
        }
        let next = states.enter(self.state())?;
        let rank = (all & ((1 << index) - 1)).count_ones();
        let transition = Transition {
            prefix: u64::from_le_bytes(bytes),
            shift: 8 * (size - choice.set.width()) as u8,
            size: size as u8,
            code: 16 * rank as u8,
            next: next as u32,
        };
        if class >= states.classes.len() {
            states.classes.resize(class + 1, Class::UNKNOWN);
        }
        // An entry has codes for only the first sets that have the character.
        if rank < choices::CODES as u32 {
            states.classes[class].next[at] = next as u8;
            states.classes[class].transitions[at] = transition;
        }
        Some((transition, choice))
    }

    /// Forgets the designations that are valid only up to the end of a line.
    fn end_line(&mut self) {
        let lasts = |slot: Slot| slot == Slot::G0 || !self.variant.header.is_empty();
        for slot in [Slot::G1, Slot::G2, Slot::G3].into_iter().filter(|slot| !lasts(*slot)) {
            self.slots[slot as usize] = None;
        }
        self.last = None;
    }

    /// Returns the index of the designation to write with, chosen from the bit mask `all`.
    fn first_choice(&self, all: u32) -> usize {
        let is_there = |at: &usize| all >> at & 1 != 0;
        self.current().find(is_there).unwrap_or(all.trailing_zeros() as usize)
    }

    /// Returns the indices of the designations whose sets are in slots, except ASCII, the best first.
    fn current(&self) -> impl Iterator<Item = usize> {
        let order = [Slot::G1, Slot::G0, Slot::G2, Slot::G3];
        order.into_iter().filter_map(move |slot| {
            let initial = self.variant.initial[slot as usize].filter(|_| slot == Slot::G1);
            let set = self.slots[slot as usize].or(initial)?;
            if set == Set::Ascii { None } else { self.index(slot, set) }
        })
    }

    fn index(&self, slot: Slot, set: Set) -> Option<usize> {
        self.variant.designations.iter().position(|known| known.slot == slot && known.set == set)
    }

    /// Writes a character in a set that has it, or holds it back. Returns false if no set has the character.
    fn in_sets(&mut self, code_point: u32, out: &mut Vec<u8>) -> bool {
        if self.pair(code_point, out) {
            return true;
        }
        let Some(mut found) = self.code(code_point) else { return false };
        self.begin(out);
        if self.held.is_some() {
            self.release(out);
            // Writing the held character may have changed the set.
            found = self.code(code_point).unwrap_or(found);
        }
        let (choice, code) = found;
        if self.variant.pairs.is_some_and(|set| set.begins_pair(code_point)) {
            self.held = Some(code_point);
        } else {
            self.push(choice, code, out);
        }
        if code_point == LINE_FEED {
            self.end_line();
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

    fn put_row(&mut self, row: &[Utf32Unit], out: &mut Vec<u8>) -> usize {
        if self.choices.is_none() && self.seen >= WORTH_CHOICES {
            self.choices = Some(Choices::of(self.variant));
        }
        let count = match self.choices {
            Some(choices) => self.put_simple(choices, row, out),
            None => self.put_run(&mut row.iter().map(|unit| u32::from_le_bytes(*unit)), out),
        };
        // `encode_row` encodes the next character alone, so count it, too.
        self.seen = self.seen.saturating_add(count + 1);
        count
    }

    fn encode_text(&mut self, text: &str, out: &mut Vec<u8>) -> usize {
        if self.seen >= WORTH_CHOICES {
            return encode_as_row(text, |row| self.encode_row(row, out));
        }
        let mut scalars = text.chars();
        loop {
            self.seen += 1 + self.put_run(&mut scalars, out);
            if next_if(&mut scalars, |scalar| self.encode(scalar, out).then_some(())).is_none() {
                return text.len() - scalars.as_str().len();
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
        self.at_rest() && !self.has_begun && self.slots[1..].iter().all(Option::is_none)
    }
}

#[cfg(test)]
mod tests {
    use super::super::CN_EXT;
    use super::*;
    use crate::testkit::Random;

    /// If a text in random order has more states than are remembered, its characters are written one by one.
    #[test]
    fn there_is_room_for_every_state() {
        let sets = CN_EXT.designations.iter().map(|known| known.set);
        let alphabet: Vec<u32> =
            sets.filter_map(|set| (0x20..0x3_0000).find(|scalar| set.write(*scalar).is_some())).collect();
        let mut random = Random(3);
        let mut encoder = ToIso2022::new(&CN_EXT);
        for _ in 0..100 {
            let row = [(); 0x400].map(|()| random.one(&alphabet).to_le_bytes());
            let mut out = Vec::new();
            assert_eq!(encoder.encode_row(&row, &mut out), row.len());
        }
        assert!(encoder.states.states.len() < STATES, "{}", encoder.states.states.len());
    }
}
