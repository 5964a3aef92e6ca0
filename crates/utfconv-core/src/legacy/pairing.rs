//! The encoder for encodings in which a character and a combining mark after it may share a code, which are Big5-HKSCS
//! and the forms of JIS X 0213.

use super::multi_byte::MultiByte;
use crate::encode::{Encode, WIDEST};

/// An encoder that holds back a character until the next character is known.
#[derive(Clone)]
pub(crate) struct Pairing {
    table: &'static MultiByte,
    held: Option<char>,
}

impl Pairing {
    pub fn new(table: &'static MultiByte) -> Pairing {
        Pairing { table, held: None }
    }

    /// Writes `scalar` by itself, if it has a code.
    fn push(&self, scalar: char, out: &mut Vec<u8>) {
        let mut code = [0; WIDEST];
        let len = self.table.put_alone(scalar, &mut code).unwrap_or(0);
        out.extend_from_slice(&code[..len]);
    }
}

impl Encode for Pairing {
    fn copy(&self) -> Option<Box<dyn Encode>> {
        Some(Box::new(self.clone()))
    }

    fn encode(&mut self, code_point: u32, out: &mut Vec<u8>) -> bool {
        if let Some(letter) = self.held {
            let both = [letter.into(), code_point];
            if let Some((code, _)) = self
                .table
                .pairs
                .iter()
                .find(|(code, scalars)| *scalars == both && !self.table.is_read_only(*code))
            {
                self.held = None;
                out.extend(code.to_be_bytes());
                return true;
            }
        }
        let Some(scalar) = char::from_u32(code_point).filter(|_| self.has(code_point)) else { return false };
        self.finish(out);
        if self.table.begins_pair(code_point) {
            self.held = Some(scalar);
        } else {
            self.push(scalar, out);
        }
        true
    }

    fn has(&self, code_point: u32) -> bool {
        char::from_u32(code_point)
            .is_some_and(|scalar| self.table.put_alone(scalar, &mut [0; WIDEST]).is_some())
    }

    fn joins(&self, code_point: u32) -> bool {
        self.table.pairs.iter().any(|(_, [_, mark])| *mark == code_point)
    }

    /// Writes the character that is held back.
    fn finish(&mut self, out: &mut Vec<u8>) {
        if let Some(letter) = self.held.take() {
            self.push(letter, out);
        }
    }

    fn at_rest(&self) -> bool {
        self.held.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{BIG5_HKSCS, EUC_JISX0213};
    use super::*;

    fn write(table: &'static MultiByte, text: &str) -> Vec<u8> {
        let (mut writer, mut out) = (Pairing::new(table), Vec::new());
        for scalar in text.chars() {
            if !writer.encode(scalar.into(), &mut out) {
                out.push(b'?');
            }
        }
        writer.finish(&mut out);
        out
    }

    #[test]
    fn a_letter_and_its_mark_share_a_code() {
        for (text, bytes) in [
            ("Ê\u{304}ê\u{30C}", &b"\x88\x62\x88\xA5"[..]),
            ("Ê\u{30C}ê\u{304}", b"\x88\x64\x88\xA3"),
            ("Ê", b"\x88\x66"),
            ("ÊÊa", b"\x88\x66\x88\x66a"),
            ("Êê\u{304}", b"\x88\x66\x88\xA3"),
            ("a\u{304}", b"a?"),
            ("Ê\n\u{304}", b"\x88\x66\n?"),
        ] {
            assert_eq!(write(&BIG5_HKSCS, text), bytes, "{text}");
        }
        for (text, bytes) in [
            ("か\u{309A}", &b"\xA4\xF7"[..]),
            ("かか\u{309A}き", b"\xA4\xAB\xA4\xF7\xA4\xAD"),
            ("˩˥", b"\xAB\xE5"),
            ("˥˩˩", b"\xAB\xE6\xAB\xE4"),
            ("あ\u{309A}", b"\xA4\xA2?"),
        ] {
            assert_eq!(write(&EUC_JISX0213, text), bytes, "{text}");
        }
    }
}
