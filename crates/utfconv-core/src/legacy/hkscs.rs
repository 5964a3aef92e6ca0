//! Writing Big5-HKSCS, where a letter and the combining mark after it may share a code.

use super::BIG5_HKSCS;
use crate::encode::{Encode, WIDEST};

/// The encoder, which holds back a letter until the next character is known.
#[derive(Default)]
pub(crate) struct ToBig5Hkscs {
    held: Option<char>,
}

/// Writes `scalar` by itself, if there is a code for it.
fn push(scalar: char, out: &mut Vec<u8>) {
    let mut code = [0; WIDEST];
    let len = BIG5_HKSCS.put_alone(scalar, &mut code).unwrap_or(0);
    out.extend_from_slice(&code[..len]);
}

impl Encode for ToBig5Hkscs {
    fn encode(&mut self, code_point: u32, out: &mut Vec<u8>) -> bool {
        if let Some(letter) = self.held {
            let both = [letter.into(), code_point];
            if let Some((code, _)) = BIG5_HKSCS.pairs.iter().find(|(_, scalars)| *scalars == both) {
                self.held = None;
                out.extend(code.to_be_bytes());
                return true;
            }
        }
        let Some(scalar) = char::from_u32(code_point).filter(|_| self.has(code_point)) else { return false };
        self.finish(out);
        if BIG5_HKSCS.begins_pair(scalar) {
            self.held = Some(scalar);
        } else {
            push(scalar, out);
        }
        true
    }

    fn has(&self, code_point: u32) -> bool {
        char::from_u32(code_point)
            .is_some_and(|scalar| BIG5_HKSCS.put_alone(scalar, &mut [0; WIDEST]).is_some())
    }

    /// Writes the letter that is held.
    fn finish(&mut self, out: &mut Vec<u8>) {
        if let Some(letter) = self.held.take() {
            push(letter, out);
        }
    }

    fn at_rest(&self) -> bool {
        self.held.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(text: &str) -> Vec<u8> {
        let (mut writer, mut out) = (ToBig5Hkscs::default(), Vec::new());
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
            assert_eq!(write(text), bytes, "{text}");
        }
    }
}
