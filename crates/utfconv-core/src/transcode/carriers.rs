//! Bytes that travel through wider code units as carriers, and carriers that become bytes again.

use super::carrier_table::looks_like_carrier;
use super::state::{Taken, Transcoder};
use crate::decode::Next;
use crate::fault::FaultKind;
use crate::form::Form;
use crate::policy::Carrier;
use crate::position::Extent;

/// The relation of a well-formed code point to carriers.
pub(super) enum Carried {
    /// Nothing.
    No,
    /// More bytes are needed.
    Unknown,
    /// It begins a carrier of this byte, `len` bytes long.
    Byte { byte: u8, len: usize, columns: u64 },
    /// It looks like a carrier where no carriers are due.
    Itself(Carrier),
}

impl Transcoder {
    /// The relation of a well-formed code point to carriers.
    #[inline]
    pub(super) fn carrier_of(&mut self, code_point: u32, len: usize, window: &[u8], last: bool) -> Carried {
        let Some(carrier) = self.options.policy.carrier() else { return Carried::No };
        // Below 80, most bytes have no carrier.
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

    /// Whether the code points of `bytes` of a byte encoding give the same bytes again from wider code units.
    #[inline]
    pub(super) fn comes_back(&mut self, code_points: &[u32], bytes: &[u8]) -> bool {
        let Some(restore) = &mut self.restore else { return true };
        let can_be_written =
            |code_point: &u32| char::from_u32(*code_point).is_some() || self.engine.output.has(*code_point);
        restore.comes_back(code_points, bytes) && code_points.iter().all(can_be_written)
    }

    /// Whether the carrier of `byte` becomes that byte again in the target: one below 80 only where it is no character.
    pub(super) fn restores(&self, byte: u8) -> bool {
        byte >= 0x80 || self.restore.as_ref().is_some_and(|restore| restore.low(byte).is_none())
    }

    /// Reads the `x` and the two digits that follow the first character of UTF-8-C8, which takes `at` bytes of `window`.
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

    /// Writes the carriers of `bytes`, or in a byte encoding the bytes themselves; false, with nothing written, if that
    /// cannot be.
    pub(super) fn carry_bytes(&mut self, bytes: &[u8], carrier: Carrier) -> bool {
        if let Some(restore) = &self.restore {
            // Below 80, bytes are converted normally, if they are characters.
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

    /// Carries `bytes`, which would not come back as the same bytes if they were decoded.
    pub(super) fn carry(&mut self, code_points: &[u32], bytes: &[u8], carrier: Carrier) -> Taken {
        if !self.carry_bytes(bytes, carrier) {
            let kind = FaultKind::unmappable(self.engine.output.to, code_points[0]);
            return self.stop(bytes, kind);
        }
        self.taken(bytes, Extent::of_all(code_points))
    }
}
