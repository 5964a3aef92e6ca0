//! Tables for carriers, which tell which codes of a byte encoding are converted back to the same bytes, and which bytes
//! below 80 are characters.
//!
//! Both are found by decoding and encoding, so that no list of exceptions is needed.

use super::output::C8_MARK;
use crate::decode::{Decode, Next, is_surrogate};
use crate::encode::Encode;
use crate::encoding::Encoding;
use crate::form::Form;
use crate::newline::EbcdicNewline;
use crate::policy::Carrier;

/// A byte encoding whose texts are converted to wider code units and back.
pub(super) struct CarrierTable {
    /// Encodes decoded characters. `None` if every character has a single code, so that kernels can be used.
    encoder: Option<Box<dyn Encode>>,
    /// Buffer for the output of `encoder`.
    written: Vec<u8>,
    /// The character of each byte below 80, if the character is encoded as that byte again.
    low: [Option<char>; 0x80],
}

impl CarrierTable {
    /// Creates the table for `encoding`, which is the byte encoding of the conversion.
    pub fn new(encoding: &Encoding, newline: EbcdicNewline, carrier: Carrier) -> CarrierTable {
        let form = encoding.form();
        let mut decoder = form.decoder_by_code(newline);
        let encoder = Some(form.encoder(newline));
        let mut table = CarrierTable { encoder, written: Vec::new(), low: [None; 0x80] };
        for byte in 0..0x80 {
            table.low[usize::from(byte)] =
                table.character(&mut *decoder, byte).filter(|c| !looks_like_carrier(carrier, (*c).into()));
        }
        let has_one_code_each = match form {
            Form::Latin1 | Form::Ascii => true,
            // The kernel of a code page with composites composes characters, so it cannot be used.
            Form::Page(table) if table.has_composites() => false,
            Form::Page(_) => (0..=255).all(|byte| match decoder.next(&[byte], true) {
                Next::Scalar { code_point, .. } => table.comes_back(&[code_point], &[byte]),
                _ => true,
            }),
            form => form.is_like_utf8(),
        };
        table.encoder = table.encoder.filter(|_| !has_one_code_each);
        table
    }

    /// Returns the character of a single `byte`, if the character is encoded as that byte again.
    fn character(&mut self, decoder: &mut dyn Decode, byte: u8) -> Option<char> {
        match decoder.next(&[byte], true) {
            Next::Scalar { code_point, .. } if self.comes_back(&[code_point], &[byte]) => {
                char::from_u32(code_point)
            }
            _ => None,
        }
    }

    /// Whether every character has a single code.
    pub fn has_one_code_each(&self) -> bool {
        self.encoder.is_none()
    }

    /// Whether `code_points`, which were decoded from `bytes`, are encoded as the same bytes in any context.
    pub fn comes_back(&mut self, code_points: &[u32], bytes: &[u8]) -> bool {
        let Some(encoder) = &mut self.encoder else { return true };
        if code_points.first().is_some_and(|first| encoder.joins(*first)) {
            return false;
        }
        self.written.clear();
        let has_all = code_points.iter().all(|one| encoder.encode(*one, &mut self.written));
        encoder.finish(&mut self.written);
        has_all && self.written == bytes
    }

    /// Returns the character of a byte below 80, or `None` if the byte needs a carrier.
    pub fn low(&self, byte: u8) -> Option<char> {
        self.low.get(usize::from(byte)).copied().flatten()
    }
}

/// Whether text with `code_point` could be mistaken for a carrier.
pub(super) fn looks_like_carrier(carrier: Carrier, code_point: u32) -> bool {
    match carrier {
        // A high surrogate counts, too, because it would pair with the low surrogate of a carrier after it.
        Carrier::SurrogateEscape => is_surrogate(code_point),
        _ => is_carrier(carrier, code_point),
    }
}

/// Whether `code_point` is, or begins, the carrier of a byte. Bytes below 80 have carriers if they are not characters.
pub(super) fn is_carrier(carrier: Carrier, code_point: u32) -> bool {
    match carrier {
        Carrier::SurrogateEscape => (0xDC00..=0xDCFF).contains(&code_point),
        Carrier::Pua => (0xEF00..=0xEFFF).contains(&code_point),
        Carrier::C8 => code_point == C8_MARK,
    }
}
