//! The encoder of UTF-7 (RFC 2152) and of the mailbox names of IMAP (RFC 3501 section 5.1.3).

use super::Encode;
use crate::decode::utf7::Variant;

/// The encoder of both variants of UTF-7. It always ends a run of base64 with `-`.
#[derive(Clone)]
pub(crate) struct ToUtf7 {
    variant: Variant,
    in_base64: bool,
    /// Bits of the text that are not yet written as a digit.
    bits: u32,
    bit_count: u32,
}

impl ToUtf7 {
    pub(crate) fn new(variant: Variant) -> ToUtf7 {
        ToUtf7 { variant, in_base64: false, bits: 0, bit_count: 0 }
    }

    /// Whether `code_point` is written as itself. In UTF-7, true for set D of RFC 2152 and the characters of its rule
    /// 3. The optional set O is not used, because it may not survive in mail headers.
    fn is_direct(&self, code_point: u32) -> bool {
        match (self.variant, u8::try_from(code_point)) {
            (Variant::Rfc2152, Ok(byte)) => {
                byte.is_ascii_alphanumeric() || b"'(),-./:? \t\n\r".contains(&byte)
            }
            (Variant::Imap, Ok(byte)) => (0x20..0x7F).contains(&byte) && byte != b'&',
            (_, Err(_)) => false,
        }
    }

    fn digit(&self, sextet: u32) -> u8 {
        self.variant.digits()[sextet as usize & 0x3F]
    }

    fn push_unit(&mut self, unit: u16, out: &mut Vec<u8>) {
        self.bits = self.bits << 16 | u32::from(unit);
        self.bit_count += 16;
        while self.bit_count >= 6 {
            self.bit_count -= 6;
            out.push(self.digit(self.bits >> self.bit_count));
        }
        self.bits &= (1 << self.bit_count) - 1;
    }

    fn leave_base64(&mut self, out: &mut Vec<u8>) {
        if std::mem::take(&mut self.in_base64) {
            if self.bit_count > 0 {
                out.push(self.digit(self.bits << (6 - self.bit_count)));
            }
            out.push(b'-');
            (self.bits, self.bit_count) = (0, 0);
        }
    }
}

impl Encode for ToUtf7 {
    fn copy(&self) -> Option<Box<dyn Encode>> {
        Some(Box::new(self.clone()))
    }

    fn encode(&mut self, code_point: u32, out: &mut Vec<u8>) -> bool {
        let Some(scalar) = char::from_u32(code_point) else { return false };
        if self.is_direct(code_point) {
            self.leave_base64(out);
            out.push(code_point as u8);
        } else if code_point == self.variant.shift().into() {
            self.leave_base64(out);
            out.extend([self.variant.shift(), b'-']);
        } else {
            if !std::mem::replace(&mut self.in_base64, true) {
                out.push(self.variant.shift());
            }
            for unit in scalar.encode_utf16(&mut [0; 2]) {
                self.push_unit(*unit, out);
            }
        }
        true
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        self.leave_base64(out);
    }

    fn at_rest(&self) -> bool {
        !self.in_base64
    }
}
