//! ISO-2022-JP (RFC 1468): 7-bit text in which escape sequences choose among ASCII, JIS X 0201 Roman and JIS X 0208.
//!
//! Read leniently, as glibc and CPython do: control characters stand in any set and change none, a line may end and a
//! text may end in any set, and JIS X 0208 is that of 1983 whether the escape sequence names the edition of 1978 or of
//! 1983. An escape sequence that RFC 1468 does not know is a fault, never text. Written strictly: lines and the text end
//! in ASCII, and U+001B, U+000E and U+000F, which would be taken for shifts, have no code.

use super::{EUC_JP, Judged, double_at};
use crate::fault::IllFormed;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Set {
    #[default]
    Ascii,
    Roman,
    Jis0208,
}

const ESCAPE: u8 = 0x1B;

const ESCAPES: [([u8; 3], Set); 4] = [
    (*b"\x1B(B", Set::Ascii),
    (*b"\x1B(J", Set::Roman),
    (*b"\x1B$B", Set::Jis0208),
    // The edition of 1978.
    (*b"\x1B$@", Set::Jis0208),
];

impl Set {
    /// The escape sequence that chooses the set.
    fn escape(self) -> [u8; 3] {
        ESCAPES[self as usize].0
    }
}

/// The state of a reader.
#[derive(Default)]
pub(crate) struct Reader {
    set: Set,
    /// What the set is once the judged bytes are taken.
    next: Set,
}

/// What a reader finds.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    Character(Judged),
    Shift(usize),
}

impl Reader {
    pub(super) fn judge(&mut self, src: &[u8], last: bool) -> Found {
        self.next = self.set;
        Found::Character(match *src {
            [] => Judged::Incomplete,
            [ESCAPE, ..] => {
                if let Some((escape, set)) = ESCAPES.iter().find(|(escape, _)| src.starts_with(escape)) {
                    self.next = *set;
                    return Found::Shift(escape.len());
                }
                match ESCAPES.iter().any(|(escape, _)| escape.starts_with(src)) {
                    true if !last => Judged::Incomplete,
                    _ => Judged::IllFormed(IllFormed::UnknownEscape, 1),
                }
            }
            [0x80..=0xFF, ..] => Judged::IllFormed(IllFormed::NeverUsed, 1),
            [lead @ 0x21..=0x7E, ..] if self.set == Set::Jis0208 => match src.get(1) {
                None if !last => Judged::Incomplete,
                Some(trail @ 0x21..=0x7E) => match EUC_JP.doubles[double_at(lead, trail | 0x80)] {
                    0 => Judged::IllFormed(IllFormed::Unassigned, 2),
                    scalar => Judged::Scalar(scalar, 2),
                },
                _ => Judged::IllFormed(IllFormed::Truncated, 1),
            },
            [0x5C, ..] if self.set == Set::Roman => Judged::Scalar(0xA5, 1),
            [0x7E, ..] if self.set == Set::Roman => Judged::Scalar(0x203E, 1),
            [byte, ..] => Judged::Scalar(byte.into(), 1),
        })
    }

    pub(super) fn commit(&mut self) {
        self.set = self.next;
    }
}

/// The state of a writer.
#[derive(Clone, Default)]
pub(crate) struct Writer {
    set: Set,
}

impl Writer {
    pub(super) fn put<'a>(&mut self, scalar: char, room: &'a mut [u8; 8]) -> Option<&'a [u8]> {
        let (set, code) = match scalar {
            '\u{E}' | '\u{F}' | '\u{1B}' => return None,
            '\n' | '\r' | '\\' | '~' => (Set::Ascii, [scalar as u8, 0]),
            '\0'..='\x7F' => {
                (if self.set == Set::Roman { Set::Roman } else { Set::Ascii }, [scalar as u8, 0])
            }
            '\u{A5}' => (Set::Roman, [0x5C, 0]),
            '\u{203E}' => (Set::Roman, [0x7E, 0]),
            _ => match EUC_JP.codes.get(scalar.into()).to_be_bytes() {
                [lead @ 0xA1..=0xFF, trail @ 0xA1..=0xFF] => (Set::Jis0208, [lead & 0x7F, trail & 0x7F]),
                _ => return None,
            },
        };
        let escape = if set == self.set { 0 } else { 3 };
        let len = if set == Set::Jis0208 { 2 } else { 1 };
        room[..3].copy_from_slice(&set.escape());
        room[escape..escape + 2].copy_from_slice(&code);
        self.set = set;
        Some(&room[..escape + len])
    }

    pub(super) fn is_in_ascii(&self) -> bool {
        self.set == Set::Ascii
    }

    /// Returns to ASCII.
    pub(super) fn end<'a>(&mut self, room: &'a mut [u8; 8]) -> &'a [u8] {
        if std::mem::take(&mut self.set) == Set::Ascii {
            return &[];
        }
        room[..3].copy_from_slice(&Set::Ascii.escape());
        &room[..3]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(mut src: &[u8]) -> (String, Vec<(IllFormed, usize)>) {
        let (mut reader, mut text, mut faults) = (Reader::default(), String::new(), Vec::new());
        loop {
            let len = match reader.judge(src, true) {
                Found::Shift(len) => len,
                Found::Character(Judged::Scalar(scalar, len)) => {
                    text.extend(char::from_u32(scalar));
                    len
                }
                Found::Character(Judged::IllFormed(kind, len)) => {
                    faults.push((kind, len));
                    len
                }
                Found::Character(_) => return (text, faults),
            };
            reader.commit();
            src = &src[len..];
        }
    }

    fn write(text: &str) -> Option<Vec<u8>> {
        let (mut writer, mut room, mut out) = (Writer::default(), [0; 8], Vec::new());
        for scalar in text.chars() {
            out.extend_from_slice(writer.put(scalar, &mut room)?);
        }
        out.extend_from_slice(writer.end(&mut room));
        Some(out)
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
        let mut reader = Reader::default();
        for _ in 0..2 {
            assert_eq!(reader.judge(b"\x1B$B", false), Found::Shift(3));
        }
        assert_eq!(reader.judge(b"0!", false), Found::Character(Judged::Scalar(0x30, 1)));
        for cut in [&b""[..], b"\x1B", b"\x1B(", b"\x1B$"] {
            assert_eq!(reader.judge(cut, false), Found::Character(Judged::Incomplete));
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
