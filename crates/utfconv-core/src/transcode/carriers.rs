//! Carries bytes through wider code units, and turns carriers back into bytes.

use super::carrier_table::looks_like_carrier;
use super::state::{Taken, Transcoder};
use crate::decode::Next;
use crate::fault::FaultKind;
use crate::form::Form;
use crate::policy::Carrier;
use crate::position::Extent;

/// What a well-formed code point means for carriers.
pub(super) enum Carried {
    /// The code point has nothing to do with carriers.
    No,
    /// More bytes are needed to decide.
    Unknown,
    /// The code point begins the carrier of `byte`, which is `len` bytes long.
    Byte { byte: u8, len: usize, columns: u64 },
    /// The code point looks like a carrier, but is text of a byte encoding.
    Itself(Carrier),
}

impl Transcoder {
    /// Returns what a well-formed code point means for carriers.
    #[inline]
    pub(super) fn carrier_of(&mut self, code_point: u32, len: usize, window: &[u8], last: bool) -> Carried {
        let Some(carrier) = self.options.policy.carrier() else { return Carried::No };
        // Most bytes below 80 have no carrier.
        let looks_like_one = looks_like_carrier(carrier, code_point)
            && (carrier != Carrier::Pua || self.restores(code_point as u8));
        if self.engine.input.encoding.is_of_bytes() {
            let is_carried = looks_like_one || !self.comes_back(&[code_point], &window[..len]);
            return if is_carried { Carried::Itself(carrier) } else { Carried::No };
        }
        let is_one = looks_like_one
            && self.engine.input.encoding.code_unit_len() > 1
            && self.engine.output.to.is_of_bytes();
        match carrier {
            Carrier::C8 if is_one => self.read_c8(len, window, last),
            Carrier::Pua if is_one => Carried::Byte { byte: code_point as u8, len, columns: 1 },
            _ => Carried::No,
        }
    }

    /// Whether `code_points`, which were decoded from `bytes` of a byte encoding, become the same bytes again after the
    /// conversion.
    #[inline]
    pub(super) fn comes_back(&mut self, code_points: &[u32], bytes: &[u8]) -> bool {
        let Some(restore) = &mut self.restore else { return true };
        let can_be_written =
            |code_point: &u32| char::from_u32(*code_point).is_some() || self.engine.output.has(*code_point);
        restore.comes_back(code_points, bytes) && code_points.iter().all(can_be_written)
    }

    /// Whether the carrier of `byte` becomes the byte again in the target. A byte below 80 has a carrier only if it is
    /// not a character.
    pub(super) fn restores(&self, byte: u8) -> bool {
        byte >= 0x80 || self.restore.as_ref().is_some_and(|restore| restore.low(byte).is_none())
    }

    /// Decodes the `x` and the two digits after the first character of a UTF-8-C8 carrier, which takes `at` bytes of
    /// `window`.
    pub(super) fn read_c8(&mut self, mut at: usize, window: &[u8], last: bool) -> Carried {
        let mut byte = 0;
        for i in 0..3 {
            let (code_point, len) = match self.engine.input.decoder.next(&window[at..], last) {
                Next::Incomplete if !last => return Carried::Unknown,
                Next::Scalar { code_point, len } => (code_point, len),
                _ => return Carried::No,
            };
            let digit = match (i, u8::try_from(code_point)) {
                (0, Ok(b'x')) => 0,
                (1 | 2, Ok(digit @ b'0'..=b'9')) => digit - b'0',
                (1 | 2, Ok(digit @ b'A'..=b'F')) => digit - b'A' + 10,
                _ => return Carried::No,
            };
            byte = byte << 4 | digit;
            at += len;
        }
        Carried::Byte { byte, len: at, columns: 4 }
    }

    /// Writes the carriers of `bytes`, or the bytes themselves if the target is a byte encoding. Returns false, and
    /// writes nothing, if the target can hold neither.
    pub(super) fn carry_bytes(&mut self, bytes: &[u8], carrier: Carrier) -> bool {
        if let Some(restore) = &self.restore {
            // Bytes below 80 that are characters are converted normally.
            let low = |byte| if carrier == Carrier::C8 { None } else { restore.low(byte) };
            let units: Vec<_> = bytes.iter().map(|byte| (*byte, low(*byte))).collect();
            return self.close()
                && units.into_iter().all(|(byte, character)| match character {
                    Some(character) => self.engine.output.put(character.into()),
                    None => self.engine.output.put_carrier(byte, carrier),
                });
        }
        let is_ascii = |byte: u8| match self.engine.input.encoding.form() {
            Form::Page(table) => table.to_unicode[usize::from(byte)] == u16::from(byte),
            Form::Mutf8 => byte != 0,
            _ => true,
        };
        let can_travel = |byte: &u8| *byte >= 0x80 || carrier == Carrier::C8 || is_ascii(*byte);
        let can_be_copied =
            self.engine.output.to.is_of_bytes() && bytes.iter().all(can_travel) && self.close();
        if can_be_copied {
            self.engine.output.put_raw(bytes);
        }
        can_be_copied
    }

    /// Carries `bytes`, because they would not be restored if they were decoded.
    pub(super) fn carry(&mut self, code_points: &[u32], bytes: &[u8], carrier: Carrier) -> Taken {
        if !self.carry_bytes(bytes, carrier) {
            let kind = FaultKind::unmappable(self.engine.output.to, code_points[0]);
            return self.stop(bytes, kind);
        }
        self.taken(bytes, Extent::of_all(code_points))
    }
}
