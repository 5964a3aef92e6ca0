//! HZ (RFC 1843), which is ASCII, and GB/T 2312 in seven bits between `~{` and `~}`.
//!
//! `~~` encodes a tilde, and `~` before a line feed removes the line feed. Reading is lenient, as in ICU: a line may
//! end between `~{` and `~}`, and the next line begins in ASCII.

use super::chinese::GB2312;
use super::multi_byte::MultiByte;
use crate::codec::Codec;
use crate::decode::{Decode, Next};
use crate::encode::Encode;
use crate::fault::IllFormed;

pub(crate) static HZ: Codec =
    Codec { decoder: || Box::new(Hz::default()), encoder: || Box::new(ToHz::default()) };

const TILDE: u8 = b'~';

fn table() -> &'static MultiByte {
    &GB2312
}

/// The exact decoder. There is no fast decoder, because the meaning of bytes depends on the bytes before.
#[derive(Default)]
struct Hz {
    /// Whether the decoder is between `~{` and `~}`.
    is_double: bool,
    /// The value of `is_double` after the last decoded sequence, which [`Decode::commit`] makes current.
    after: bool,
}

impl Decode for Hz {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        let scalar = |byte: u8, len| Next::Scalar { code_point: byte.into(), len };
        self.after = self.is_double;
        match *src {
            [] => Next::Incomplete,
            [0x80..=0xFF, ..] => Next::ill_formed(IllFormed::NeverUsed, 1),
            [TILDE] if !last => Next::Incomplete,
            [TILDE, b'}', ..] if self.is_double => {
                self.after = false;
                Next::Shift { len: 2 }
            }
            [TILDE, b'{', ..] if !self.is_double => {
                self.after = true;
                Next::Shift { len: 2 }
            }
            [TILDE, b'\n', ..] if !self.is_double => Next::Shift { len: 2 },
            [TILDE, TILDE, ..] if !self.is_double => scalar(TILDE, 2),
            [TILDE, ..] => Next::ill_formed(IllFormed::UnknownEscape, 1),
            [byte, ..] if !self.is_double => scalar(byte, 1),
            [newline @ (b'\n' | b'\r'), ..] => {
                self.after = false;
                scalar(newline, 1)
            }
            [0x21..=0x7D] if !last => Next::Incomplete,
            [lead @ 0x21..=0x7D, trail @ 0x21..=0x7E, ..] => {
                Next::assigned(table().euc([lead | 0x80, trail | 0x80], None), 2)
            }
            _ => Next::ill_formed(IllFormed::Truncated, 1),
        }
    }

    fn commit(&mut self) {
        self.is_double = self.after;
    }

    fn is_initial(&self) -> bool {
        !self.is_double
    }
}

/// The encoder, which ends lines in ASCII.
#[derive(Clone, Default)]
struct ToHz {
    is_double: bool,
}

impl ToHz {
    fn shift(&mut self, is_double: bool, out: &mut Vec<u8>) {
        if std::mem::replace(&mut self.is_double, is_double) != is_double {
            out.extend([TILDE, if is_double { b'{' } else { b'}' }]);
        }
    }
}

impl Encode for ToHz {
    fn copy(&self) -> Option<Box<dyn Encode>> {
        Some(Box::new(self.clone()))
    }

    fn encode(&mut self, code_point: u32, out: &mut Vec<u8>) -> bool {
        match u8::try_from(code_point) {
            Ok(TILDE) => {
                self.shift(false, out);
                out.extend([TILDE, TILDE]);
            }
            Ok(byte @ 0..0x80) => {
                self.shift(false, out);
                out.push(byte);
            }
            _ => {
                let Some(code) = table().euc_code(code_point, None) else { return false };
                self.shift(true, out);
                out.extend(code.map(|byte| byte & 0x7F));
            }
        }
        true
    }

    fn has(&self, code_point: u32) -> bool {
        code_point < 0x80 || table().euc_code(code_point, None).is_some()
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        self.shift(false, out);
    }

    fn at_rest(&self) -> bool {
        !self.is_double
    }
}

#[cfg(test)]
mod tests {
    use super::super::testkit::{read_all, write_all};
    use super::*;

    fn read(src: &[u8]) -> (String, Vec<(IllFormed, usize)>) {
        read_all(Hz::default(), src)
    }

    #[test]
    fn text_round_trips() {
        for (text, bytes) in [
            ("This sentence is in ASCII.\n", &b"This sentence is in ASCII.\n"[..]),
            ("己所不欲，勿施于人。", b"~{<:Ky2;S{#,NpJ)SZHK!#~}"),
            ("~啊\n啊a", b"~~~{0!~}\n~{0!~}a"),
        ] {
            assert_eq!(write_all(ToHz::default(), text).as_deref(), Some(bytes), "{text}");
            assert_eq!(read(bytes), (text.to_string(), vec![]));
        }
        assert!(!ToHz::default().has('國'.into()), "a traditional character");
    }

    #[test]
    fn escapes_and_faults() {
        let fine = |text: &str| (text.to_string(), vec![]);
        assert_eq!(read(b"a~\nb~~"), fine("ab~"), "a line that continues");
        assert_eq!(read(b"~{0!\na"), fine("啊\na"), "a line ends in ASCII");
        let faulty = |text: &str, kind, len| (text.to_string(), vec![(kind, len)]);
        assert_eq!(read(b"~a"), faulty("a", IllFormed::UnknownEscape, 1));
        assert_eq!(read(b"a~"), faulty("a", IllFormed::UnknownEscape, 1));
        assert_eq!(read(b"~{)!0!~}"), faulty("啊", IllFormed::Unassigned, 2));
        assert_eq!(read(b"a\x80"), faulty("a", IllFormed::NeverUsed, 1));
        assert_eq!(read(b"~{0"), faulty("", IllFormed::Truncated, 1));
        let mut reader = Hz::default();
        assert_eq!(reader.next(b"~", false), Next::Incomplete);
        assert_eq!(reader.next(b"~{", false), Next::Shift { len: 2 }, "decoded, and not taken");
        assert_eq!(reader.next(b"0!", false), Next::Scalar { code_point: 0x30, len: 1 });
    }
}
