//! The legacy multi-byte encodings of East Asia.
//!
//! One struct, [`MultiByte`], holds the tables of an encoding and all the logic: single bytes, two-byte codes, the
//! three-byte codes of EUC-JP and the four-byte codes of GB18030. The tables are made once, on first use, out of those
//! of the encoding_rs crate; where these follow the web and IANA, glibc or Microsoft mean something else, the modules
//! [`japanese`], [`chinese`] and [`korean`] say so, cell by cell.
//!
//! A fault never swallows a byte below 80. A lead byte without its trail is at fault alone. So is a lead byte before a
//! trail below 80 with which it makes no character, for that trail is judged again as the ASCII character that it may
//! be; with a trail of 80 or above, the two are one fault.

mod build;
mod chinese;
mod codec;
mod hkscs;
mod iso_2022_jp;
mod japanese;
mod korean;

pub(crate) use codec::Legacy;
pub(crate) use hkscs::Writer as ToBig5Hkscs;
pub(crate) use iso_2022_jp::{Reader as Iso2022Jp, Writer as ToIso2022Jp};

use crate::fault::IllFormed;
use chinese::{BIG5, BIG5_HKSCS, CP936, CP950, GB2312, GB18030, GBK};
use japanese::{CP932, CP51932, EUC_JP, EUC_JP_MS, SHIFT_JIS};
use korean::{CP949, EUC_KR};

/// What a byte is that is no character by itself.
const LEAD: u32 = u32::MAX;
const NEVER: u32 = u32::MAX - 1;

/// Marks a lead byte of [`MultiByte::singles`]; the scalar values are all below.
const NO_SINGLE: u32 = 0x11_0000;

/// The lead byte of EUC-JP's three-byte codes.
const SINGLE_SHIFT_3: u8 = 0x8F;

/// A multi-byte encoding: its tables.
pub(crate) struct MultiByte {
    /// By byte: a scalar value, [`LEAD`] or [`NEVER`].
    singles: [u32; 256],
    /// By [`double_at`]: a scalar value, or 0.
    doubles: Box<[u32]>,
    /// EUC-JP's codes after 8F, by [`triple_at`]: a scalar value, or 0. Empty in other encodings.
    triples: Box<[u32]>,
    /// GB18030's four-byte codes for the Basic Multilingual Plane, in their order. Empty in other encodings.
    quads: Box<[u32]>,
    /// Two-byte codes for two scalar values.
    pairs: &'static [(u16, [u32; 2])],
    /// The trail bytes of the encoding's form, whether assigned or not.
    is_trail: fn(u8) -> bool,
    /// Codes by scalar value: single bytes, double bytes, and triples without the 8F and with the last byte below 80.
    codes: Codes,
    /// Places in `quads` by scalar value, counted from 1.
    quad_codes: Codes,
    /// The bytes 00..7F are ASCII, other than as trails.
    reads_ascii: bool,
}

/// What stands at the front of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Judged {
    Scalar(u32, usize),
    Pair([u32; 2], usize),
    IllFormed(IllFormed, usize),
    Incomplete,
}

fn double_at(lead: u8, trail: u8) -> usize {
    usize::from(lead & 0x7F) << 8 | usize::from(trail)
}

fn triple_at(second: u8, third: u8) -> usize {
    usize::from(second & 0x7F) << 7 | usize::from(third & 0x7F)
}

/// The place of a four-byte code of GB18030 among all that have its form.
fn quad_at([a, b, c, d]: [u8; 4]) -> u32 {
    let digit = |byte: u8| u32::from(byte - 0x30);
    let lead = |byte: u8| u32::from(byte - 0x81);
    ((lead(a) * 10 + digit(b)) * 126 + lead(c)) * 10 + digit(d)
}

fn quad_bytes(at: u32) -> [u8; 4] {
    let digit = |value: u32| 0x30 + (value % 10) as u8;
    let lead = |value: u32| 0x81 + (value % 126) as u8;
    [lead(at / 12600), digit(at / 1260), lead(at / 10), digit(at)]
}

/// Where GB18030's four-byte codes for the supplementary planes begin: 90 30 81 30.
const SUPPLEMENTARY: u32 = 189_000;

impl MultiByte {
    /// The well-formed sequence for one scalar value that `window` begins with.
    #[inline(always)]
    fn scalar(&self, window: &[u8; 8]) -> Option<(char, usize)> {
        let [lead, trail, third, fourth, ..] = *window;
        let single = self.singles[usize::from(lead)];
        if single < NO_SINGLE {
            return Some((char::from_u32(single)?, 1));
        }
        let double = self.doubles[double_at(lead, trail)];
        // A byte that is no lead has nothing in its row.
        if double != 0 {
            return Some((char::from_u32(double)?, 2));
        }
        match (lead, trail) {
            (SINGLE_SHIFT_3, 0xA1..) if third >= 0x80 => match self.triples.get(triple_at(trail, third)) {
                None | Some(0) => None,
                Some(triple) => Some((char::from_u32(*triple)?, 3)),
            },
            (0x81..=0xFE, 0x30..=0x39) if !self.quads.is_empty() => {
                Some((char::from_u32(self.quad([lead, trail, third, fourth])?)?, 4))
            }
            _ => None,
        }
    }

    /// The scalar value of a four-byte code.
    fn quad(&self, bytes: [u8; 4]) -> Option<u32> {
        let [_, _, 0x81..=0xFE, 0x30..=0x39] = bytes else { return None };
        let at = quad_at(bytes);
        match self.quads.get(at as usize) {
            Some(scalar) => Some(*scalar),
            None => at
                .checked_sub(SUPPLEMENTARY)
                .map(|above| above + 0x1_0000)
                .filter(|scalar| *scalar < 0x11_0000),
        }
    }

    /// Judges the front of `src`; `last` says that nothing follows.
    fn judge(&self, src: &[u8], last: bool) -> Judged {
        let Some(&lead) = src.first() else { return Judged::Incomplete };
        match self.singles[usize::from(lead)] {
            NEVER => return Judged::IllFormed(IllFormed::NeverUsed, 1),
            LEAD => {}
            single => return Judged::Scalar(single, 1),
        }
        let truncated = |len| Judged::IllFormed(IllFormed::Truncated, len);
        let cut = |len| if last { truncated(len) } else { Judged::Incomplete };
        let Some(&trail) = src.get(1) else { return cut(1) };
        if !self.quads.is_empty() && trail.is_ascii_digit() {
            return match *src {
                [_, _, 0x81..=0xFE, 0x30..=0x39, ..] => match self.quad([lead, trail, src[2], src[3]]) {
                    Some(scalar) => Judged::Scalar(scalar, 4),
                    None => Judged::IllFormed(IllFormed::Unassigned, 1),
                },
                [_, _] | [_, _, 0x81..=0xFE] => cut(1),
                _ => truncated(1),
            };
        }
        if !(self.is_trail)(trail) {
            return truncated(1);
        }
        if lead == SINGLE_SHIFT_3 && !self.triples.is_empty() {
            let Some(&third) = src.get(2) else { return cut(2) };
            if !(self.is_trail)(third) {
                return truncated(2);
            }
            return match self.triples[triple_at(trail, third)] {
                0 => Judged::IllFormed(IllFormed::Unassigned, 3),
                scalar => Judged::Scalar(scalar, 3),
            };
        }
        match self.doubles[double_at(lead, trail)] {
            0 => {}
            scalar => return Judged::Scalar(scalar, 2),
        }
        let code = u16::from_be_bytes([lead, trail]);
        match self.pairs.iter().find(|pair| pair.0 == code) {
            Some((_, scalars)) => Judged::Pair(*scalars, 2),
            None => Judged::IllFormed(IllFormed::Unassigned, if trail < 0x80 { 1 } else { 2 }),
        }
    }

    /// Writes `scalar` to the front of `dst`.
    #[inline(always)]
    fn put(&self, scalar: char, dst: &mut [u8; 8]) -> Option<usize> {
        let scalar = u32::from(scalar);
        if scalar < 0x80 {
            dst[0] = scalar as u8;
            return Some(1);
        }
        let code = self.codes.get(scalar);
        let [lead, trail] = code.to_be_bytes();
        Some(match (lead, trail) {
            (0, 0) => {
                let at = match scalar {
                    _ if self.quads.is_empty() => return None,
                    0x1_0000.. => scalar - 0x1_0000 + SUPPLEMENTARY,
                    _ => u32::from(self.quad_codes.get(scalar)).checked_sub(1)?,
                };
                dst[..4].copy_from_slice(&quad_bytes(at));
                4
            }
            (0, single) => {
                dst[0] = single;
                1
            }
            (_, ..0x80) if !self.triples.is_empty() => {
                dst[..3].copy_from_slice(&[SINGLE_SHIFT_3, lead, trail | 0x80]);
                3
            }
            _ => {
                dst[..2].copy_from_slice(&[lead, trail]);
                2
            }
        })
    }

    /// The scalar values of the two-byte codes from `code` on.
    fn doubles_from(&self, code: u16) -> impl Iterator<Item = u32> {
        let [lead, trail] = code.to_be_bytes();
        self.doubles[double_at(lead, trail)..].iter().copied().filter(|scalar| *scalar != 0)
    }

    /// Whether a code for two scalar values begins with `scalar`.
    #[inline(always)]
    fn begins_pair(&self, scalar: char) -> bool {
        self.pairs.iter().any(|(_, [first, _])| *first == u32::from(scalar))
    }

    /// How many characters `run` holds, which has to be whole well-formed sequences.
    fn count(&self, run: &[u8]) -> usize {
        let (mut at, mut count) = (0, 0);
        while let Some(&lead) = run.get(at) {
            at += match (self.singles[usize::from(lead)], run.get(at + 1)) {
                (..NO_SINGLE, _) => 1,
                (_, Some(0x30..=0x39)) => 4,
                _ if lead == SINGLE_SHIFT_3 && !self.triples.is_empty() => 3,
                _ => 2,
            };
            count += 1;
        }
        count
    }
}

/// Codes by scalar value, in pages of 256; 0 where there is none.
struct Codes {
    /// The page of each 256 scalar values up to U+2FFFF; page 0 is empty.
    index: [u16; 0x300],
    pages: Vec<[u16; 256]>,
}

impl Codes {
    fn new() -> Codes {
        Codes { index: [0; 0x300], pages: vec![[0; 256]] }
    }

    #[inline(always)]
    fn get(&self, scalar: u32) -> u16 {
        match self.index.get(scalar as usize >> 8) {
            Some(page) => self.pages[usize::from(*page)][scalar as usize & 0xFF],
            None => 0,
        }
    }

    /// Enters a code, unless the scalar value has one.
    fn enter(&mut self, scalar: u32, code: u16) {
        let page = &mut self.index[scalar as usize >> 8];
        if *page == 0 {
            *page = self.pages.len() as u16;
            self.pages.push([0; 256]);
        }
        let slot = &mut self.pages[usize::from(*page)][scalar as usize & 0xFF];
        if *slot == 0 {
            *slot = code;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [(&str, &std::sync::LazyLock<MultiByte>); 14] = [
        ("SHIFT_JIS", &SHIFT_JIS),
        ("CP932", &CP932),
        ("EUC-JP", &EUC_JP),
        ("EUC-JP-MS", &EUC_JP_MS),
        ("CP51932", &CP51932),
        ("EUC-KR", &EUC_KR),
        ("CP949", &CP949),
        ("BIG5", &BIG5),
        ("CP950", &CP950),
        ("BIG5-HKSCS", &BIG5_HKSCS),
        ("GB2312", &GB2312),
        ("GBK", &GBK),
        ("CP936", &CP936),
        ("GB18030", &GB18030),
    ];

    /// Every sequence of one or two bytes, of three that begin with 8F, and of four in the form of GB18030.
    fn sequences() -> impl Iterator<Item = Vec<u8>> {
        let ones = (0..=0xFF).map(|a| vec![a]);
        let twos = (0..=0xFFFF_u16).map(|code| code.to_be_bytes().to_vec());
        let threes = (0..=0xFFFF_u16).map(|code| [&[0x8F][..], &code.to_be_bytes()].concat());
        let fours = (0..126 * 10 * 126 * 10).map(|at| quad_bytes(at).to_vec());
        ones.chain(twos).chain(threes).chain(fours)
    }

    #[test]
    fn the_fast_face_and_the_judge_agree() {
        for (name, table) in ALL {
            for sequence in sequences() {
                let mut window = [0; 8];
                window[..sequence.len()].copy_from_slice(&sequence);
                let fast = table.scalar(&window).map(|(scalar, len)| Judged::Scalar(scalar.into(), len));
                let judged = table.judge(&window, true);
                match judged {
                    Judged::Scalar(_, len) => {
                        assert_eq!(fast, Some(judged), "{name} {sequence:02X?}");
                        assert_eq!(table.count(&window[..len]), 1, "{name} {sequence:02X?}");
                    }
                    _ => assert_eq!(fast, None, "{name} {sequence:02X?}"),
                }
            }
        }
    }

    #[test]
    fn more_bytes_change_no_verdict_and_faults_swallow_no_ascii() {
        for (name, table) in ALL {
            for sequence in sequences().take(256 + 65536 * 2 + 20_000) {
                let whole = [&sequence[..], b"0\xA1A"].concat();
                let verdict = table.judge(&whole, true);
                if let Judged::IllFormed(_, len) = verdict {
                    assert!(whole[1..len].iter().all(|byte| *byte >= 0x80), "{name} {sequence:02X?}");
                }
                for len in 0..whole.len() {
                    let cut = table.judge(&whole[..len], false);
                    assert!(cut == verdict || cut == Judged::Incomplete, "{name} {sequence:02X?}");
                    assert!(len == 0 || table.judge(&whole[..len], true) != Judged::Incomplete);
                }
            }
        }
    }

    #[test]
    fn what_is_written_reads_as_itself() {
        for (name, table) in ALL {
            let mut other = Vec::new();
            for scalar in '\0'..=char::MAX {
                let mut room = [0; 8];
                let Some(len) = table.put(scalar, &mut room) else {
                    assert_ne!(name, "GB18030", "{scalar:?}");
                    continue;
                };
                if table.judge(&room[..len], true) != Judged::Scalar(scalar.into(), len) {
                    other.push(scalar);
                }
            }
            let expected = match name {
                "SHIFT_JIS" => "\\~",
                "CP932" | "CP51932" => "¢£¬—‖−〜",
                "EUC-JP-MS" => "¢£¦¬—‖−〜",
                _ => "",
            };
            assert_eq!(other.iter().collect::<String>(), expected, "{name}");
        }
    }

    /// Run it by itself: `cargo test --release --lib legacy::tests::build -- --nocapture`.
    #[test]
    fn build_times() {
        for (name, table) in ALL {
            let start = std::time::Instant::now();
            std::sync::LazyLock::force(table);
            println!("{name}: {:?}", start.elapsed());
        }
    }

    #[test]
    fn cells() {
        for (table, bytes, scalars) in [
            (&SHIFT_JIS, &b"\\~\x81\x60\xB1"[..], "¥‾〜ｱ"),
            (&CP932, b"\\~\x81\x60\xB1\x87\x40\xF0\x40\xED\x40", "\\~～ｱ①\u{E000}纊"),
            (&EUC_JP, b"\xA1\xC1\x8E\xB1\x8F\xA2\xB7\x8F\xB0\xA1", "〜ｱ～丂"),
            (&EUC_JP_MS, b"\xA1\xC1\xF5\xA1\x8F\xF3\xF3\x8F\xFE\xFE", "～\u{E000}ⅰ\u{E757}"),
            (&CP51932, b"\xAD\xA1\xF9\xA1", "①纊"),
            (&EUC_KR, b"\xB0\xA1\xA2\xE8", "가㉾"),
            (&CP949, b"\x81\x41\xC9\xA1\xFE\xFE", "갂\u{E000}\u{E0BB}"),
            (&BIG5, b"\xA1\x45\xC6\xA1\xC8\xFE\xF9\xFE", "‧\u{F6B1}\u{F848}▓"),
            (&CP950, b"\xFA\x40\x81\x40\xA0\xFE\xFE\xFE", "\u{E000}\u{EEB8}\u{EEB7}\u{E310}"),
            (&BIG5_HKSCS, b"\x88\x66\xA1\x45\x87\x40", "Ê•䏰"),
            (&GB2312, b"\xA1\xA4\xA1\xAA", "・―"),
            (&GBK, b"\xA1\xA4\xA1\xAA\x81\x40", "·—丂"),
            (&CP936, b"\x80\xAA\xA1\xFE\xFE\xA7\xA0", "€\u{E000}\u{E4C5}\u{E765}"),
            (&GB18030, b"\xA8\xBC\xA3\xA0\x84\x31\xA4\x37\x90\x30\x81\x30", "ḿ\u{E5E5}\u{FFFD}𐀀"),
            (&EUC_JP_MS, b"\x8F\xF4\xAC\x8F\xF4\xFE", "№黑"),
        ] {
            let mut rest = bytes;
            for expected in scalars.chars() {
                let Judged::Scalar(scalar, len) = table.judge(rest, true) else { panic!("{rest:02X?}") };
                assert_eq!(scalar, expected.into(), "{rest:02X?}");
                rest = &rest[len..];
            }
            assert_eq!(rest, []);
        }
        assert_eq!(BIG5_HKSCS.judge(b"\x88\x62", true), Judged::Pair([0xCA, 0x304], 2));
    }

    #[test]
    fn faults() {
        use IllFormed::{NeverUsed, Truncated, Unassigned};
        for (table, bytes, kind, len) in [
            (&GBK, &b"\xBF"[..], Truncated, 1),
            (&GBK, b"\xBF\n", Truncated, 1),
            (&GBK, b"\xFF", NeverUsed, 1),
            (&GB18030, b"\x80", NeverUsed, 1),
            (&GBK, b"\xA1\x40", Unassigned, 1),
            (&GBK, b"\xAA\xA1", Unassigned, 2),
            (&SHIFT_JIS, b"\x81\x22", Truncated, 1),
            (&SHIFT_JIS, b"\x87\x40", Unassigned, 1),
            (&SHIFT_JIS, b"\xEA\xFC", Unassigned, 2),
            (&SHIFT_JIS, b"\x81\xFD", Truncated, 1),
            (&SHIFT_JIS, b"\xF0\x40", NeverUsed, 1),
            (&EUC_JP, b"\x8F\xA1\xA1", Unassigned, 3),
            (&EUC_JP, b"\x8F\xA1A", Truncated, 2),
            (&EUC_JP, b"\x8FA", Truncated, 1),
            (&EUC_JP, b"\x8E\xE0", Unassigned, 2),
            (&EUC_JP, b"\x85", NeverUsed, 1),
            (&GB18030, b"\x84\x31\xA5\x30", Unassigned, 1),
            (&GB18030, b"\xE3\x32\x9A\x36", Unassigned, 1),
            (&GB18030, b"\x81\x30\x81A", Truncated, 1),
            (&GB18030, b"\x81\x30", Truncated, 1),
        ] {
            assert_eq!(table.judge(bytes, true), Judged::IllFormed(kind, len), "{bytes:02X?}");
        }
    }
}
