//! The exact decoder of ISO/IEC 2022. There is no fast decoder, because the meaning of bytes depends on the bytes
//! before.

use super::segments::Segments;
use super::sets::Found;
use super::{Designation, ESCAPE, Kana, SHIFT_IN, SHIFT_OUT, Set, Slot, Slots, Variant};
use crate::decode::{BLOCK, Decode, Next, Utf32Unit, fill_ascii_blocks, fill_by_steps, window};
use crate::fault::IllFormed;

#[derive(Clone, Copy, Debug)]
struct State {
    slots: Slots,
    /// Whether the decoder is between SO and SI.
    is_out: bool,
}

/// Decodes all variants of ISO/IEC 2022.
pub(crate) struct Iso2022 {
    variant: &'static Variant,
    state: State,
    /// The state after the last decoded sequence, which [`Decode::commit`] makes current.
    after: State,
    /// The state before the last row of code points was decoded.
    before: State,
    /// The last designation of a set other than ASCII; initially any designation.
    recent: &'static Designation,
    /// Tables for text with many designations; made in encodings without shifts when an escape sequence is found far
    /// from the end.
    segments: Option<Box<Segments>>,
}

impl Iso2022 {
    pub fn new(variant: &'static Variant) -> Iso2022 {
        let state = State { slots: variant.initial, is_out: false };
        Iso2022 {
            variant,
            state,
            after: state,
            before: state,
            recent: &variant.designations[0],
            segments: None,
        }
    }

    /// Decodes an escape sequence, and the character after a single shift.
    fn escape(&mut self, src: &[u8], last: bool) -> Next {
        // Texts with single shifts have a single shift before each character, so check G2 and G3 first.
        for slot in [Slot::G2, Slot::G3] {
            match (self.state.slots[slot as usize], src) {
                (Some(set), [_, byte, code @ ..]) if slot.single_shift() == Some(*byte) => {
                    return character(set, 2, code, last);
                }
                _ => {}
            }
        }
        let known = || self.variant.designations.iter().filter(|known| !known.escape.is_empty());
        if let Some(found) = known().find(|known| src.starts_with(known.escape)) {
            self.after.slots[found.slot as usize] = Some(found.set);
            return Next::Shift { len: found.escape.len() };
        }
        let may_follow = src.len() == 1 || known().any(|known| known.escape.starts_with(src));
        if may_follow && !last { Next::Incomplete } else { Next::ill_formed(IllFormed::UnknownEscape, 1) }
    }

    /// Returns the set in which bytes are read.
    fn set(&self) -> Set {
        let slot = if self.state.is_out { Slot::G1 } else { Slot::G0 };
        self.state.slots[slot as usize].unwrap_or(Set::Ascii)
    }

    /// Decodes the characters of ASCII, or of a set with a table, at the front of `src` to `row`. Returns the number of
    /// bytes read and of characters. The state does not change.
    #[inline(always)]
    fn run(&self, src: &[u8], row: &mut [Utf32Unit]) -> (usize, usize) {
        let set = self.set();
        let mut count = 0;
        if set == Set::Ascii {
            let has_shifts = self.variant.has_shifts;
            let is_shift = |byte| byte == ESCAPE || has_shifts && matches!(byte, SHIFT_OUT | SHIFT_IN);
            loop {
                // Decode half a block before blocks are tried, because blocks pay only if more ASCII follows.
                let end = row.len().min(count + BLOCK / 2);
                for (unit, byte) in row[count..end].iter_mut().zip(&src[count..]) {
                    if !byte.is_ascii() || is_shift(*byte) {
                        return (count, count);
                    }
                    *unit = u32::from(*byte).to_le_bytes();
                    count += 1;
                }
                let blocks = fill_ascii_blocks(&src[count..], &mut row[count..], is_shift);
                count += blocks;
                if blocks == 0 && count == row.len().min(src.len()) {
                    return (count, count);
                }
            }
        }
        let Some((table, plane)) = set.table() else { return (0, 0) };
        for (unit, code) in row.iter_mut().zip(src.as_chunks().0) {
            let [first, second]: [u8; 2] = *code;
            if !(matches!(first, 0x21..=0x7E) && matches!(second, 0x21..=0x7E)) {
                break;
            }
            let found = match plane {
                None => table.double_character(u16::from_be_bytes([first, second]) | 0x8080),
                Some(_) => table.euc([first | 0x80, second | 0x80], plane).unwrap_or(0),
            };
            if found == 0 {
                break;
            }
            *unit = found.to_le_bytes();
            count += 1;
        }
        (2 * count, count)
    }

    /// Takes the designation or the shift that `src` begins with, and returns its length in bytes. Returns `None` in
    /// all other cases, which [`Iso2022::next`] handles.
    #[inline(always)]
    fn shift_at_once(&mut self, src: &[u8]) -> Option<usize> {
        let [first, second, third, fourth, ..] = window(src, 0);
        let window = u32::from_be_bytes([first, second, third, fourth]);
        match first {
            ESCAPE => {
                let all = self.variant.designations;
                let is_here = |known: &&Designation| window & known.mask == known.key;
                // In most texts, the designations of ASCII and of one other set alternate.
                let found = match Some(self.recent).filter(is_here) {
                    Some(recent) => recent,
                    None => all.iter().find(is_here)?,
                };
                if found.set != Set::Ascii {
                    self.recent = found;
                }
                self.state.slots[found.slot as usize] = Some(found.set);
                Some(found.escape.len())
            }
            SHIFT_IN if self.variant.has_shifts => {
                self.state.is_out = false;
                Some(1)
            }
            SHIFT_OUT if self.variant.has_shifts && self.state.slots[Slot::G1 as usize].is_some() => {
                self.state.is_out = true;
                Some(1)
            }
            _ => None,
        }
    }

    /// Decodes the characters of the segments at the front of `src` to `row`. Returns the number of bytes read and of
    /// characters.
    #[inline(always)]
    fn segments(&mut self, src: &[u8], row: &mut [Utf32Unit]) -> (usize, usize) {
        let Some(src) = src.first_chunk() else { return (0, 0) };
        if self.variant.has_shifts || src[0] != ESCAPE {
            return (0, 0);
        }
        let segments = self.segments.get_or_insert_with(|| Box::new(Segments::new(self.variant)));
        let (read, count, last) = segments.fill(src, row);
        if last.is_some() {
            self.state.slots[Slot::G0 as usize] = last;
        }
        (read, count)
    }

    /// Takes SO or SI; SO requires a set in G1.
    fn shift(&mut self, byte: u8) -> Next {
        self.after.is_out = byte == SHIFT_OUT;
        match self.state.slots[Slot::G1 as usize] {
            None if self.after.is_out => {
                self.after = self.state;
                Next::ill_formed(IllFormed::UnknownEscape, 1)
            }
            _ => Next::Shift { len: 1 },
        }
    }
}

/// Decodes the character of `set` at the front of `code`. `before` is the number of bytes before `code` that belong to
/// the same sequence.
fn character(set: Set, before: usize, code: &[u8], last: bool) -> Next {
    let width = set.width();
    let whole = code.iter().take(width).take_while(|byte| set.is_byte(**byte)).count();
    if whole < width {
        let is_cut = whole == code.len() && !last;
        // If another byte interrupts the code, exclude that byte from the fault, because it may have another meaning.
        return if is_cut {
            Next::Incomplete
        } else {
            Next::ill_formed(IllFormed::Truncated, (before + whole).max(1))
        };
    }
    let len = before + width;
    match set.read([code[0], if width > 1 { code[1] } else { 0 }]) {
        Found::One(code_point) => Next::Scalar { code_point, len },
        Found::Two(code_points) => Next::pair(code_points, len),
        Found::None => Next::ill_formed(IllFormed::Unassigned, len),
    }
}

impl Decode for Iso2022 {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        self.after = self.state;
        let set = self.set();
        match *src {
            [] => Next::Incomplete,
            [ESCAPE, ..] => self.escape(src, last),
            [byte @ (SHIFT_OUT | SHIFT_IN), ..] if self.variant.has_shifts => self.shift(byte),
            [byte @ 0xA1..=0xDF, ..] if self.variant.kana == Kana::EightBits => {
                Next::Scalar { code_point: u32::from(byte) - 0xA1 + 0xFF61, len: 1 }
            }
            [0x80..=0xFF, ..] => Next::ill_formed(IllFormed::NeverUsed, 1),
            [byte, ..] if set == Set::Ascii => Next::Scalar { code_point: byte.into(), len: 1 },
            // Control characters and the blank are not in the set.
            [byte @ (..0x21 | 0x7F), ..] if !self.state.is_out => {
                Next::Scalar { code_point: byte.into(), len: 1 }
            }
            _ => character(set, 0, src, last),
        }
    }

    fn commit(&mut self) {
        self.state = self.after;
    }

    fn fill_row(&mut self, src: &[u8], row: &mut [Utf32Unit]) -> Option<(usize, usize)> {
        self.before = self.state;
        let (mut read, mut count) = (0, 0);
        while read < src.len() {
            let (len, found) = self.run(&src[read..], &mut row[count..]);
            (read, count) = (read + len, count + found);
            if count == row.len() || read == src.len() {
                break;
            }
            let (len, found) = self.segments(&src[read..], &mut row[count..]);
            (read, count) = (read + len, count + found);
            if let Some(len) = self.shift_at_once(&src[read..]) {
                read += len;
                continue;
            }
            if len > 0 {
                continue;
            }
            // Decode one sequence of another kind.
            let (len, found) = fill_by_steps(self, &src[read..], &mut row[count..count + 1]);
            if len == 0 {
                break;
            }
            (read, count) = (read + len, count + found);
        }
        Some((read, count))
    }

    fn rewind(&mut self) {
        self.state = self.before;
    }

    fn is_initial(&self) -> bool {
        !self.state.is_out && self.state.slots == self.variant.initial
    }
}
