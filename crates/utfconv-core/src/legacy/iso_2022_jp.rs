//! ISO-2022-JP (RFC 1468): 7-bit text in which escape sequences choose among ASCII, JIS X 0201 Roman and JIS X 0208.
//!
//! Read leniently, as glibc and CPython do: control characters may be in any set and change none, a line may end and a
//! text may end in any set, and JIS X 0208 is that of 1983 whether the escape sequence names the edition of 1978 or of
//! 1983. An escape sequence that RFC 1468 does not know is a fault, never text. Written strictly: lines and the text end
//! in ASCII, and U+001B, U+000E and U+000F, which would be taken for shifts, have no code.

use super::{EUC_JP, double_at};
use crate::decode::{Decode, IllFormedSequence, Next};
use crate::encode::Encode;
use crate::fault::IllFormed;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Set {
    #[default]
    Ascii,
    Roman,
    Jis0208,
}

const ESCAPE: u8 = 0x1B;

/// The escape sequence that chooses a set; first those that are written, in the order of the sets.
const ESCAPES: [([u8; 3], Set); 4] = [
    (*b"\x1B(B", Set::Ascii),
    (*b"\x1B(J", Set::Roman),
    (*b"\x1B$B", Set::Jis0208),
    // The edition of 1978.
    (*b"\x1B$@", Set::Jis0208),
];

/// The exact decoder. There is no fast one, since the meaning of bytes depends on those before.
#[derive(Default)]
pub(crate) struct Iso2022Jp {
    set: Set,
    /// The set once the last decoded sequence is taken.
    after: Set,
}

impl Decode for Iso2022Jp {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        let ill_formed = |kind, len| Next::IllFormed(IllFormedSequence::whole(kind, len));
        let scalar = |code_point, len| Next::Scalar { code_point, len };
        self.after = self.set;
        match *src {
            [] => Next::Incomplete,
            [ESCAPE, ..] => {
                if let Some((escape, set)) = ESCAPES.iter().find(|(escape, _)| src.starts_with(escape)) {
                    self.after = *set;
                    return Next::Shift { len: escape.len() };
                }
                match ESCAPES.iter().any(|(escape, _)| escape.starts_with(src)) {
                    true if !last => Next::Incomplete,
                    _ => ill_formed(IllFormed::UnknownEscape, 1),
                }
            }
            [0x80..=0xFF, ..] => ill_formed(IllFormed::NeverUsed, 1),
            [lead @ 0x21..=0x7E, ..] if self.set == Set::Jis0208 => match src.get(1) {
                None if !last => Next::Incomplete,
                Some(trail @ 0x21..=0x7E) => match EUC_JP.doubles[double_at(lead, trail | 0x80)].scalar() {
                    None => ill_formed(IllFormed::Unassigned, 2),
                    Some(double) => scalar(double.into(), 2),
                },
                _ => ill_formed(IllFormed::Truncated, 1),
            },
            [0x5C, ..] if self.set == Set::Roman => scalar(0xA5, 1),
            [0x7E, ..] if self.set == Set::Roman => scalar(0x203E, 1),
            [byte, ..] => scalar(byte.into(), 1),
        }
    }

    fn taken(&mut self) {
        self.set = self.after;
    }
}

/// The encoder.
#[derive(Default)]
pub(crate) struct ToIso2022Jp {
    set: Set,
}

impl ToIso2022Jp {
    /// The set that has `code_point`, and its code there: one byte, or two in JIS X 0208.
    fn code(&self, code_point: u32) -> Option<(Set, [u8; 2])> {
        let byte = code_point as u8;
        Some(match char::from_u32(code_point)? {
            '\u{E}' | '\u{F}' | '\u{1B}' => return None,
            '\n' | '\r' | '\\' | '~' => (Set::Ascii, [byte, 0]),
            '\0'..='\x7F' if self.set == Set::Roman => (Set::Roman, [byte, 0]),
            '\0'..='\x7F' => (Set::Ascii, [byte, 0]),
            '\u{A5}' => (Set::Roman, [0x5C, 0]),
            '\u{203E}' => (Set::Roman, [0x7E, 0]),
            _ => match EUC_JP.written().code(code_point).to_be_bytes() {
                [lead @ 0xA1..=0xFF, trail @ 0xA1..=0xFF] => (Set::Jis0208, [lead & 0x7F, trail & 0x7F]),
                _ => return None,
            },
        })
    }

    fn enter(&mut self, set: Set, out: &mut Vec<u8>) {
        if std::mem::replace(&mut self.set, set) != set {
            out.extend(ESCAPES[set as usize].0);
        }
    }
}

impl Encode for ToIso2022Jp {
    fn encode(&mut self, code_point: u32, out: &mut Vec<u8>) -> bool {
        let Some((set, code)) = self.code(code_point) else { return false };
        self.enter(set, out);
        out.extend_from_slice(if set == Set::Jis0208 { &code } else { &code[..1] });
        true
    }

    fn has(&self, code_point: u32) -> bool {
        self.code(code_point).is_some()
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        self.enter(Set::Ascii, out);
    }

    fn at_rest(&self) -> bool {
        self.set == Set::Ascii
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(mut src: &[u8]) -> (String, Vec<(IllFormed, usize)>) {
        let (mut reader, mut text, mut faults) = (Iso2022Jp::default(), String::new(), Vec::new());
        loop {
            let len = match reader.next(src, true) {
                Next::Shift { len } => len,
                Next::Scalar { code_point, len } => {
                    text.extend(char::from_u32(code_point));
                    len
                }
                Next::IllFormed(IllFormedSequence { kind, len, .. }) => {
                    faults.push((kind, len));
                    len
                }
                _ => return (text, faults),
            };
            reader.taken();
            src = &src[len..];
        }
    }

    fn write(text: &str) -> Option<Vec<u8>> {
        let (mut writer, mut out) = (ToIso2022Jp::default(), Vec::new());
        let has_all = text.chars().all(|scalar| writer.encode(scalar.into(), &mut out));
        writer.finish(&mut out);
        has_all.then_some(out)
    }

    #[test]
    fn reading() {
        let fine = |text: &str| (text.to_string(), vec![]);
        assert_eq!(read(b"\x1B$B$\"\n$\"\x1B(B\\"), fine("あ\nあ\\"), "a set lasts beyond a line");
        assert_eq!(read(b"\x1B$@0!"), fine("亜"), "a text may end in any set");
        assert_eq!(read(b"\x1B(Ja\\~\x1B(B~"), fine("a¥‾~"));
        assert_eq!(read(b"\x1B$B!A\t \x7F"), fine("〜\t \x7F"));
        let faulty = |text: &str, kind, len| (text.to_string(), vec![(kind, len)]);
        assert_eq!(read(b"\x1B(I1"), faulty("(I1", IllFormed::UnknownEscape, 1), "half-width katakana");
        assert_eq!(read(b"\x1B$"), faulty("$", IllFormed::UnknownEscape, 1));
        assert_eq!(read(b"\x1B$B$\n$\""), faulty("\nあ", IllFormed::Truncated, 1));
        assert_eq!(read(b"\x1B$B$\"$"), faulty("あ", IllFormed::Truncated, 1));
        assert_eq!(read(b"\x1B$B$\x1B(B$"), faulty("$", IllFormed::Truncated, 1));
        assert_eq!(read(b"\x1B$B-!$\""), faulty("あ", IllFormed::Unassigned, 2), "NEC's row 13");
        assert_eq!(read(b"a\x85b"), faulty("ab", IllFormed::NeverUsed, 1));
    }

    #[test]
    fn what_is_judged_and_not_taken_changes_nothing() {
        let mut reader = Iso2022Jp::default();
        for _ in 0..2 {
            assert_eq!(reader.next(b"\x1B$B", false), Next::Shift { len: 3 });
        }
        assert_eq!(reader.next(b"0!", false), Next::Scalar { code_point: 0x30, len: 1 });
        for cut in [&b""[..], b"\x1B", b"\x1B(", b"\x1B$"] {
            assert_eq!(reader.next(cut, false), Next::Incomplete);
        }
    }

    #[test]
    fn writing() {
        for (text, bytes) in [
            ("あ\nい", &b"\x1B$B$\"\x1B(B\n\x1B$B$$\x1B(B"[..]),
            ("¥a\\b‾~", b"\x1B(J\\a\x1B(B\\b\x1B(J~\x1B(B~"),
            ("あ\r\n", b"\x1B$B$\"\x1B(B\r\n"),
            ("¥あ", b"\x1B(J\\\x1B$B$\"\x1B(B"),
            ("plain", b"plain"),
            ("¥\n", b"\x1B(J\\\x1B(B\n"),
        ] {
            assert_eq!(write(text).as_deref(), Some(bytes), "{text}");
            assert_eq!(read(bytes), (text.to_string(), vec![]));
        }
        for text in ["\x1B", "\x0E", "\x0F", "ｱ", "①", "丂", "é", "😀"] {
            assert_eq!(write(text), None, "{text:?}");
        }
    }
}
