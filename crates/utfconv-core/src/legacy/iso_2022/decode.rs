//! The exact decoder. There is no fast one, since the meaning of bytes depends on those before.

use super::sets::Found;
use super::{ESCAPE, Kana, SHIFT_IN, SHIFT_OUT, Set, Slot, Slots, Variant};
use crate::decode::{Decode, IllFormedSequence, Next};
use crate::fault::IllFormed;

#[derive(Clone, Copy, Debug)]
struct State {
    slots: Slots,
    /// Between SO and SI.
    is_out: bool,
}

/// The decoder.
pub(crate) struct Iso2022 {
    variant: &'static Variant,
    state: State,
    /// The state once the last decoded sequence is taken.
    after: State,
}

fn ill_formed(kind: IllFormed, len: usize) -> Next {
    Next::IllFormed(IllFormedSequence::whole(kind, len))
}

impl Iso2022 {
    pub fn new(variant: &'static Variant) -> Iso2022 {
        let state = State { slots: variant.initial, is_out: false };
        Iso2022 { variant, state, after: state }
    }

    /// Decodes an escape sequence, and the character after one that is for a single character.
    fn escape(&mut self, src: &[u8], last: bool) -> Next {
        let known = || self.variant.designations.iter().filter(|known| !known.escape.is_empty());
        if let Some(found) = known().find(|known| src.starts_with(known.escape)) {
            self.after.slots[found.slot as usize] = Some(found.set);
            return Next::Shift { len: found.escape.len() };
        }
        let shifts = [Slot::G2, Slot::G3].into_iter().filter(|slot| known().any(|known| known.slot == *slot));
        for slot in shifts {
            match (self.state.slots[slot as usize], src) {
                (Some(set), [_, byte, code @ ..]) if slot.single_shift() == Some(*byte) => {
                    return character(set, 2, code, last);
                }
                _ => {}
            }
        }
        let may_follow = src.len() == 1 || known().any(|known| known.escape.starts_with(src));
        if may_follow && !last { Next::Incomplete } else { ill_formed(IllFormed::UnknownEscape, 1) }
    }

    /// The set that bytes are read in.
    fn set(&self) -> Set {
        let slot = if self.state.is_out { Slot::G1 } else { Slot::G0 };
        self.state.slots[slot as usize].unwrap_or(Set::Ascii)
    }

    /// Gives up to `most` characters of ASCII, or of a set with a table, that `src` begins with to `put`, until that refuses
    /// one. Returns the bytes taken, and the characters; no state changes.
    fn run(&self, src: &[u8], most: usize, put: &mut dyn FnMut(u32) -> bool) -> (usize, usize) {
        let set = self.set();
        let is_shift = |byte| self.variant.has_shifts && matches!(byte, SHIFT_OUT | SHIFT_IN);
        let is_plain = |byte: u8| byte.is_ascii() && byte != ESCAPE && !is_shift(byte);
        if set == Set::Ascii {
            let bytes = src.iter().take(most);
            let count = bytes.take_while(|byte| is_plain(**byte) && put(u32::from(**byte))).count();
            return (count, count);
        }
        let Some((table, plane)) = set.table() else { return (0, 0) };
        let codes = src.as_chunks().0.iter().take(most).take_while(|code: &&[u8; 2]| {
            let is_code = code.iter().all(|byte| set.is_byte(*byte));
            is_code && table.euc(code.map(|byte| byte | 0x80), plane).is_some_and(&mut *put)
        });
        let count = codes.count();
        (2 * count, count)
    }

    /// SO or SI; SO needs a set.
    fn shift(&mut self, byte: u8) -> Next {
        self.after.is_out = byte == SHIFT_OUT;
        match self.state.slots[Slot::G1 as usize] {
            None if self.after.is_out => {
                self.after = self.state;
                ill_formed(IllFormed::UnknownEscape, 1)
            }
            _ => Next::Shift { len: 1 },
        }
    }
}

/// The character of `set` that `code` begins with, after `before` bytes that belong to it.
fn character(set: Set, before: usize, code: &[u8], last: bool) -> Next {
    let width = set.width();
    let whole = code.iter().take(width).take_while(|byte| set.is_byte(**byte)).count();
    if whole < width {
        let is_cut = whole == code.len() && !last;
        // A byte that may be something else is left.
        return if is_cut {
            Next::Incomplete
        } else {
            ill_formed(IllFormed::Truncated, (before + whole).max(1))
        };
    }
    let len = before + width;
    match set.read([code[0], if width > 1 { code[1] } else { 0 }]) {
        Found::One(code_point) => Next::Scalar { code_point, len },
        Found::Two(code_points) => Next::pair(code_points, len),
        Found::None => ill_formed(IllFormed::Unassigned, len),
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
            [0x80..=0xFF, ..] => ill_formed(IllFormed::NeverUsed, 1),
            [byte, ..] if set == Set::Ascii => Next::Scalar { code_point: byte.into(), len: 1 },
            // Control characters and blanks.
            [byte @ (..0x21 | 0x7F), ..] if !self.state.is_out => {
                Next::Scalar { code_point: byte.into(), len: 1 }
            }
            _ => character(set, 0, src, last),
        }
    }

    fn taken(&mut self) {
        self.state = self.after;
    }

    fn take_row(&mut self, src: &[u8], most: usize, put: &mut dyn FnMut(u32) -> bool) -> usize {
        let (mut read, mut left) = (0, most);
        while left > 0 {
            let (len, count) = self.run(&src[read..], left, put);
            read += len;
            left -= count;
            match self.next(&src[read..], false) {
                Next::Shift { len } if left > 0 => read += len,
                Next::Scalar { code_point, len } if left > 0 && put(code_point) => read += len,
                _ => break,
            }
            left -= 1;
            self.taken();
        }
        read
    }

    fn is_initial(&self) -> bool {
        !self.state.is_out && self.state.slots == self.variant.initial
    }
}
