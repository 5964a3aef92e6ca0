//! GSM 03.38 (3GPP TS 23.038), the default alphabet of short messages (SMS), with a septet per byte, and its extension
//! table.
//!
//! An escape before a byte that the extension table lacks is a fault. ICU reads such an escape as U+00A0. U+00A0 has no
//! code here, because an escape and the code of the next character together may be another character.

use crate::codec::Codec;
use crate::decode::{Decode, Next};
use crate::encode::Encode;
use crate::fault::IllFormed;

pub(crate) static GSM_03_38: Codec = Codec { decoder: || Box::new(Gsm), encoder: || Box::new(ToGsm) };

const ESCAPE: u8 = 0x1B;

/// The characters of the bytes 00 to 7F. The character of the escape byte is not used.
const ALPHABET: &str = "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u{1B}ÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?\
    ¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";

/// The bytes after an escape, and their characters.
const EXTENSION: [(u8, char); 10] = [
    (0x0A, '\x0C'),
    (0x14, '^'),
    (0x28, '{'),
    (0x29, '}'),
    (0x2F, '\\'),
    (0x3C, '['),
    (0x3D, '~'),
    (0x3E, ']'),
    (0x40, '|'),
    (0x65, '€'),
];

struct Gsm;

impl Decode for Gsm {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        match *src {
            [] => Next::Incomplete,
            [0x80..=0xFF, ..] => Next::ill_formed(IllFormed::NeverUsed, 1),
            [ESCAPE] if !last => Next::Incomplete,
            [ESCAPE] => Next::ill_formed(IllFormed::Truncated, 1),
            [ESCAPE, byte, ..] => match EXTENSION.iter().find(|(code, _)| *code == byte) {
                Some((_, character)) => Next::Scalar { code_point: (*character).into(), len: 2 },
                None => Next::ill_formed(IllFormed::UnknownEscape, 1),
            },
            [byte, ..] => match ALPHABET.chars().nth(byte.into()) {
                Some(character) => Next::Scalar { code_point: character.into(), len: 1 },
                None => Next::ill_formed(IllFormed::NeverUsed, 1),
            },
        }
    }
}

struct ToGsm;

/// Returns whether a character needs an escape, and its byte, or `None` if the character has no code.
fn code(code_point: u32) -> Option<(bool, u8)> {
    let is_it = |character: char| u32::from(character) == code_point;
    if code_point == ESCAPE.into() {
        return None;
    }
    let extended = EXTENSION.iter().find(|(_, character)| is_it(*character));
    let byte = ALPHABET.chars().position(is_it).map(|byte| (false, byte as u8));
    byte.or_else(|| extended.map(|(byte, _)| (true, *byte)))
}

impl Encode for ToGsm {
    fn is_plain(&self) -> bool {
        true
    }

    fn encode(&mut self, code_point: u32, out: &mut Vec<u8>) -> bool {
        let Some((is_extended, byte)) = code(code_point) else { return false };
        if is_extended {
            out.push(ESCAPE);
        }
        out.push(byte);
        true
    }

    fn has(&self, code_point: u32) -> bool {
        code(code_point).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::legacy::testkit::{read_all, write_all};

    #[test]
    fn text_round_trips() {
        for (text, bytes) in [
            ("@£$\n\r !Az", &b"\0\x01\x02\n\r !Az"[..]),
            ("ΔΞ¤¡ÄÖÑÜ§¿äöñüà", b"\x10\x1A\x24\x40[\\]^_`{|}~\x7F"),
            ("{€}\x0C", b"\x1B\x28\x1Be\x1B\x29\x1B\n"),
            ("É", b"\x1F"),
        ] {
            assert_eq!(write_all(ToGsm, text).as_deref(), Some(bytes), "{text}");
            assert_eq!(read_all(Gsm, bytes), (text.to_string(), vec![]));
        }
        for text in ["\0", "\x1B", "`", "\u{A0}", "ç", "😀"] {
            assert_eq!(write_all(ToGsm, text), None, "{text:?}");
        }
        assert_eq!(ALPHABET.chars().count(), 128);
    }

    #[test]
    fn faults() {
        let faulty = |text: &str, kind| (text.to_string(), vec![(kind, 1)]);
        assert_eq!(read_all(Gsm, b"a\x80b"), faulty("ab", IllFormed::NeverUsed));
        assert_eq!(read_all(Gsm, b"\x1Ba"), faulty("a", IllFormed::UnknownEscape));
        assert_eq!(read_all(Gsm, b"a\x1B"), faulty("a", IllFormed::Truncated));
        assert_eq!(Gsm.next(b"\x1B", false), Next::Incomplete);
    }
}
