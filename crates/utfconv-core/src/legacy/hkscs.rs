//! Writing Big5-HKSCS, where a letter and the combining mark after it may share a code.

use super::BIG5_HKSCS;
use crate::encode::{Encode, WIDEST, Writer};

/// The encoder, which holds back a letter until the next character is known.
#[derive(Default)]
pub(crate) struct ToBig5Hkscs {
    held: Option<char>,
}

impl ToBig5Hkscs {
    /// Writes the letter that is held.
    fn release(&mut self, out: &mut Writer) {
        if let Some(letter) = self.held.take() {
            push(letter, out);
        }
    }
}

/// Writes `scalar` by itself, if there is a code for it.
fn push(scalar: char, out: &mut Writer) {
    let mut code = [0; WIDEST];
    let len = BIG5_HKSCS.put_alone(scalar, &mut code).unwrap_or(0);
    out.push(&code[..len]);
}

impl Encode for ToBig5Hkscs {
    fn encode<'a>(&mut self, code_point: u32, room: &'a mut [u8; WIDEST]) -> Option<&'a [u8]> {
        let mut out = Writer::new(room);
        if let Some(letter) = self.held {
            let both = [letter.into(), code_point];
            if let Some((code, _)) = BIG5_HKSCS.pairs.iter().find(|(_, scalars)| *scalars == both) {
                self.held = None;
                out.push(&code.to_be_bytes());
                return Some(out.bytes());
            }
        }
        let scalar = char::from_u32(code_point).filter(|_| self.has(code_point))?;
        self.release(&mut out);
        if BIG5_HKSCS.begins_pair(scalar) {
            self.held = Some(scalar);
        } else {
            push(scalar, &mut out);
        }
        Some(out.bytes())
    }

    fn has(&self, code_point: u32) -> bool {
        char::from_u32(code_point)
            .is_some_and(|scalar| BIG5_HKSCS.put_alone(scalar, &mut [0; WIDEST]).is_some())
    }

    fn finish<'a>(&mut self, room: &'a mut [u8; WIDEST]) -> &'a [u8] {
        let mut out = Writer::new(room);
        self.release(&mut out);
        out.bytes()
    }

    fn at_rest(&self) -> bool {
        self.held.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(text: &str) -> Vec<u8> {
        let (mut writer, mut room, mut out) = (ToBig5Hkscs::default(), [0; WIDEST], Vec::new());
        for scalar in text.chars() {
            match writer.encode(scalar.into(), &mut room) {
                Some(bytes) => out.extend_from_slice(bytes),
                None => out.push(b'?'),
            }
        }
        out.extend_from_slice(writer.finish(&mut room));
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
            assert_eq!(write(text), bytes, "{text}");
        }
    }
}
