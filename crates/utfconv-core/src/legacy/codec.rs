//! Decoders and encoders of a multi-byte encoding: fast ones for the kernels, and exact ones.

use super::{
    LEAD, MultiByte, NEVER, NO_SINGLE, SINGLE_SHIFT_3, SUPPLEMENTARY, double_at, quad_bytes, triple_at,
};
use crate::decode::{BLOCK, Cell, Decode, IllFormedSequence, Next, WINDOW, WellFormed};
use crate::encode::{Put, WIDEST, store};
use crate::fault::IllFormed;
use crate::position::{Extent, measure_bytes};

impl WellFormed for &'static MultiByte {
    #[inline(always)]
    fn scalar(&self, window: &[u8; WINDOW]) -> Option<(char, usize)> {
        let [lead, trail, third, fourth, ..] = *window;
        let single = self.singles[usize::from(lead)];
        if single < NO_SINGLE {
            return Some((char::from_u32(single)?, 1));
        }
        let double = self.doubles[double_at(lead, trail)];
        // A byte that is no lead has nothing in its row.
        if !double.is_none() {
            return Some((double.scalar()?, 2));
        }
        match (lead, trail) {
            (SINGLE_SHIFT_3, 0xA1..) if third >= 0x80 => match self.triples.get(triple_at(trail, third)) {
                None | Some(0) => None,
                Some(triple) => Some((char::from_u32(*triple)?, 3)),
            },
            (0x81..=0xFE, 0x30..=0x39) if !self.quads.is_empty() => {
                Some((char::from_u32(self.quad([lead, trail, third, fourth])?)?, 4))
            }
            _ => None,
        }
    }

    #[inline(always)]
    fn ascii(&self, src: &[u8]) -> Option<[u8; BLOCK]> {
        let block: [u8; BLOCK] = src.try_into().ok()?;
        let [first, second] = self.not_ascii;
        // All of the block, so that the compiler can take it as one vector.
        let is_ascii =
            block.iter().fold(true, |all, &byte| all & (byte < 0x80) & (byte != first) & (byte != second));
        is_ascii.then_some(block)
    }
}

impl Decode for &'static MultiByte {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        let ill_formed = |kind, len| Next::IllFormed(IllFormedSequence::whole(kind, len));
        let truncated = |len| ill_formed(IllFormed::Truncated, len);
        let scalar = |code_point, len| Next::Scalar { code_point, len };
        let Some(&lead) = src.first() else { return Next::Incomplete };
        match self.singles[usize::from(lead)] {
            NEVER => return ill_formed(IllFormed::NeverUsed, 1),
            LEAD => {}
            single => return scalar(single, 1),
        }
        let cut = |len| if last { truncated(len) } else { Next::Incomplete };
        let Some(&trail) = src.get(1) else { return cut(1) };
        if !self.quads.is_empty() && trail.is_ascii_digit() {
            return match *src {
                [_, _, 0x81..=0xFE, 0x30..=0x39, ..] => match self.quad([lead, trail, src[2], src[3]]) {
                    Some(quad) => scalar(quad, 4),
                    None => ill_formed(IllFormed::Unassigned, 1),
                },
                [_, _] | [_, _, 0x81..=0xFE] => cut(1),
                _ => truncated(1),
            };
        }
        if !self.is_trail(trail) {
            return truncated(1);
        }
        if lead == SINGLE_SHIFT_3 && !self.triples.is_empty() {
            let Some(&third) = src.get(2) else { return cut(2) };
            if !self.is_trail(third) {
                return truncated(2);
            }
            return match self.triples[triple_at(trail, third)] {
                0 => ill_formed(IllFormed::Unassigned, 3),
                triple => scalar(triple, 3),
            };
        }
        if let Some(double) = self.doubles[double_at(lead, trail)].scalar() {
            return scalar(double.into(), 2);
        }
        let code = u16::from_be_bytes([lead, trail]);
        match self.pairs.iter().find(|pair| pair.0 == code) {
            Some((_, both)) => Next::Pair { code_points: *both, len: 2 },
            None => ill_formed(IllFormed::Unassigned, if trail < 0x80 { 1 } else { 2 }),
        }
    }

    fn measure(&self, run: &[u8]) -> Extent {
        // No trail byte is a line feed.
        measure_bytes(run, b'\n', |run| self.count(run))
    }
}

impl Put for &'static MultiByte {
    #[inline(always)]
    fn put(&self, scalar: char, dst: &mut [u8; WIDEST]) -> Option<usize> {
        // What may share a code with the next scalar value is left to the encoder that can wait for it.
        if !self.pairs.is_empty() && self.begins_pair(scalar) {
            return None;
        }
        self.put_alone(scalar, dst)
    }
}

impl MultiByte {
    /// The character at the front of a source that continues with these two bytes, and its length in bytes;
    /// [`Cell::NONE`] where two bytes are not enough to know it.
    #[inline(always)]
    pub(crate) fn front(&self, [lead, trail]: [u8; 2]) -> (Cell, usize) {
        if lead < 0x80 {
            (self.ascii[usize::from(lead)], 1)
        } else {
            (self.doubles[double_at(lead, trail)], 2)
        }
    }

    /// The two-byte code of a character that is these three bytes of UTF-8; `None` where it takes more than a look-up.
    #[inline(always)]
    pub(crate) fn double(&self, utf8: [u8; 3]) -> Option<[u8; 2]> {
        let code = self.written().code_of(utf8);
        let is_double = code >= 0x100 && (code & 0x80 != 0 || self.triples.is_empty());
        is_double.then_some(code.to_be_bytes())
    }

    /// Writes `scalar` to the front of `dst`, whatever follows.
    #[inline(always)]
    pub(super) fn put_alone(&self, scalar: char, dst: &mut [u8; WIDEST]) -> Option<usize> {
        let scalar = u32::from(scalar);
        if scalar < 0x80 {
            return Some(store([scalar as u8], dst));
        }
        let written = self.written();
        let code = written.code(scalar);
        let [lead, trail] = code.to_be_bytes();
        Some(match (lead, trail) {
            (0, 0) => {
                let at = match scalar {
                    _ if self.quads.is_empty() => return None,
                    0x1_0000.. => scalar - 0x1_0000 + SUPPLEMENTARY,
                    _ => written.quad(scalar)?,
                };
                store(quad_bytes(at), dst)
            }
            (0, single) => store([single], dst),
            (_, ..0x80) if !self.triples.is_empty() => store([SINGLE_SHIFT_3, lead, trail | 0x80], dst),
            _ => store([lead, trail], dst),
        })
    }

    /// How many characters `run` holds, which has to be whole well-formed sequences.
    pub(super) fn count(&self, run: &[u8]) -> usize {
        let (mut at, mut count) = (0, 0);
        while let Some(&lead) = run.get(at) {
            at += match (self.singles[usize::from(lead)], run.get(at + 1)) {
                (..NO_SINGLE, _) => 1,
                (_, Some(0x30..=0x39)) => 4,
                _ if lead == SINGLE_SHIFT_3 && !self.triples.is_empty() => 3,
                _ => 2,
            };
            count += 1;
        }
        count
    }

    /// How many bytes a sequence has that begins with `lead`; `None` where the lead alone does not decide.
    pub(crate) fn announced(&self, lead: u8) -> Option<usize> {
        match self.singles[usize::from(lead)] {
            LEAD if !self.quads.is_empty() => None,
            LEAD if lead == SINGLE_SHIFT_3 && !self.triples.is_empty() => Some(3),
            LEAD => Some(2),
            _ => Some(1),
        }
    }
}
