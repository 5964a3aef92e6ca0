//! ISCII (IS 13194:1991), which encodes the scripts of India in eight bits. ATR and a letter select a script, and a
//! letter of a script has the same byte as its relatives in other scripts.
//!
//! Reading and writing follow ICU, with these differences. The dandas belong to every script. A line ends in the
//! default script of the encoding, and a script is selected only if it changes. If two bytes would be read as a
//! different character together, the script is selected again between them. The addak of Gurmukhi is a doubled
//! consonant around a halant; elsewhere it is written as a doubled invisible consonant. A zero width non-joiner has a
//! code only after a halant.

use crate::codec::Codec;
use crate::decode::{Decode, Next};
use crate::encode::Encode;
use crate::fault::IllFormed;

macro_rules! variants {
    ($($id:ident = $script:ident;)+) => {
        $(pub(crate) static $id: Codec = Codec {
            decoder: || Box::new(Iscii::new(Script::$script)),
            encoder: || Box::new(ToIscii::new(Script::$script)),
        };)+
    };
}

variants! {
    ISCII_DEV = Devanagari;
    ISCII_BNG = Bengali;
    ISCII_GUR = Gurmukhi;
    ISCII_GUJ = Gujarati;
    ISCII_ORI = Oriya;
    ISCII_TML = Tamil;
    ISCII_TLG = Telugu;
    ISCII_KND = Kannada;
    ISCII_MLM = Malayalam;
}

/// The scripts, in the order of their Unicode blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Script {
    Devanagari,
    Bengali,
    Gurmukhi,
    Gujarati,
    Oriya,
    Tamil,
    Telugu,
    Kannada,
    Malayalam,
}

use Script::{Bengali, Devanagari, Gujarati, Gurmukhi, Kannada, Malayalam, Oriya, Tamil, Telugu};

/// The scripts in the order of their Unicode blocks, each with the byte that selects it and a bit for each assigned
/// place in its block.
const SCRIPTS: [(Script, u8, u128); 9] = [
    (Devanagari, 0x42, 0x0001_FFCF_FF05_3FFF_F3FF_FFFF_FFFF_FFFE),
    (Bengali, 0x43, 0x0000_FFCF_B000_399F_D3C5_FDFF_FFF9_9FEE),
    (Gurmukhi, 0x4B, 0x0000_FFC0_5E00_3987_D36D_FDFF_FFF9_87EE),
    (Gujarati, 0x4A, 0x0000_FFC1_0001_3BBF_C3ED_FDFF_FFFB_AFEE),
    (Oriya, 0x47, 0x0000_FFC3_A000_398F_D3ED_FDFF_FFF9_9FEE),
    (Tamil, 0x44, 0x0000_FFC0_0000_3DC7_C3BF_C718_D63D_C7EC),
    (Telugu, 0x45, 0x0000_FFC3_0000_3DDF_C3EF_FDFF_FFFD_DFEC),
    (Kannada, 0x48, 0x0000_FFC3_0000_3DDF_C3ED_FDFF_FFFD_DFEC),
    (Malayalam, 0x49, 0x0000_FFC3_0000_3DCF_C3FF_FDFF_FFFD_DFEC),
];

/// The byte that selects Assamese, which is read as Bengali.
const ASSAMESE: u8 = 0x46;
/// The byte that selects the default script of the encoding.
const DEFAULT: u8 = 0x40;

const INVISIBLE: u8 = 0xD9;
const HALANT: u8 = 0xE8;
const NUKTA: u8 = 0xE9;
const DANDA: u8 = 0xEA;
const ATTRIBUTE: u8 = 0xEF;
const EXTENSION: u8 = 0xF0;
const BINDI: u8 = 0xA2;

const BLOCKS: u32 = 0x900;
const BLOCK: u32 = 0x80;

const ZWNJ: u32 = 0x200C;
const ZWJ: u32 = 0x200D;
const ONE_DANDA: u32 = 0x964;
const TWO_DANDAS: u32 = 0x965;
const TIPPI: u32 = 0xA70;
const ADDAK: u32 = 0xA71;

/// The place in a block of each byte from A1 to FA; 0 if the byte has none.
#[rustfmt::skip]
const PLACES: [u8; 90] = [
    0x01, 0x02, 0x03, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0E, 0x0F, 0x10, 0x0D, 0x12,
    0x13, 0x14, 0x11, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1A, 0x1B, 0x1C, 0x1D, 0x1E, 0x1F, 0x20, 0x21,
    0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2A, 0x2B, 0x2C, 0x2D, 0x2E, 0x2F, 0x5F, 0x30,
    0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0, 0x3E, 0x3F, 0x40, 0x41, 0x42, 0x43,
    0x46, 0x47, 0x48, 0x45, 0x4A, 0x4B, 0x4C, 0x49, 0x4D, 0x3C, 0, 0, 0, 0, 0, 0, 0,
    0x66, 0x67, 0x68, 0x69, 0x6A, 0x6B, 0x6C, 0x6D, 0x6E, 0x6F,
];

/// Pairs of bytes that encode a single place in a block.
const PAIRS: [([u8; 2], u8); 18] = [
    ([0xA1, NUKTA], 0x50),
    ([0xA4, 0xE0], 0x04),
    ([0xA6, NUKTA], 0x0C),
    ([0xA7, NUKTA], 0x61),
    ([0xAA, NUKTA], 0x60),
    ([0xB3, NUKTA], 0x58),
    ([0xB4, NUKTA], 0x59),
    ([0xB5, NUKTA], 0x5A),
    ([0xBA, NUKTA], 0x5B),
    ([0xBF, NUKTA], 0x5C),
    ([0xC0, NUKTA], 0x5D),
    ([0xC9, NUKTA], 0x5E),
    ([0xDB, NUKTA], 0x62),
    ([0xDC, NUKTA], 0x63),
    ([0xDF, NUKTA], 0x44),
    ([DANDA, NUKTA], 0x3D),
    ([EXTENSION, 0xBF], 0x70),
    ([EXTENSION, 0xB8], 0x52),
];

/// The places of letters that are canonically equivalent to another letter with a nukta.
const WITH_NUKTA: [u8; 8] = [0x58, 0x59, 0x5A, 0x5B, 0x5C, 0x5D, 0x5E, 0x5F];

impl Script {
    fn has(self, place: u8) -> bool {
        SCRIPTS[self as usize].2 >> place & 1 == 1
    }

    fn code_point(self, place: u8) -> Option<u32> {
        let is_there = place > 0 && self.has(place);
        is_there.then_some(BLOCKS + self as u32 * BLOCK + u32::from(place))
    }

    /// Returns the character of a byte by itself, or `None` if the byte has none in this script.
    fn single(self, byte: u8) -> Option<u32> {
        match byte {
            0x80..=0xA0 => Some(byte.into()),
            DANDA => Some(ONE_DANDA),
            INVISIBLE => Some(ZWJ),
            _ => self.code_point(*PLACES.get(usize::from(byte).wrapping_sub(0xA1))?),
        }
    }

    fn pair(self, bytes: [u8; 2]) -> Option<u32> {
        let (_, place) = PAIRS.iter().find(|(pair, _)| *pair == bytes)?;
        self.code_point(*place)
    }

    /// Whether `byte` is a consonant of Gurmukhi that can be doubled. As in ICU, LA cannot be doubled.
    fn doubles(self, byte: u8) -> bool {
        self == Gurmukhi && matches!(byte, 0xB3..=0xD0 | 0xD3..=0xD8) && self.single(byte).is_some()
    }

    /// Whether a bindi after `byte` is read as a tippi.
    fn takes_tippi(self, byte: u8) -> bool {
        self == Gurmukhi && matches!(byte, 0xA4 | 0xA6 | 0xDB | 0xDD | 0xDE) || self.doubles(byte)
    }
}

/// The exact decoder of ISCII.
struct Iscii {
    /// The default script of the encoding.
    initial: Script,
    script: Script,
    /// The script after the last decoded sequence, which [`Decode::commit`] makes current.
    after: Script,
}

impl Iscii {
    fn new(script: Script) -> Iscii {
        Iscii { initial: script, script, after: script }
    }

    /// Decodes ATR, which selects a script or a way to display text.
    fn attribute(&mut self, src: &[u8], last: bool) -> Next {
        let chosen = match src.get(1) {
            None if !last => return Next::Incomplete,
            Some(&DEFAULT) => Some(self.initial),
            Some(&ASSAMESE) => Some(Bengali),
            Some(0x21..=0x3F) => Some(self.script),
            Some(code) => SCRIPTS.iter().find(|script| script.1 == *code).map(|script| script.0),
            None => None,
        };
        let Some(script) = chosen else { return Next::ill_formed(IllFormed::UnknownEscape, 1) };
        self.after = script;
        Next::Shift { len: 2 }
    }

    /// Decodes several bytes: a halant and the byte after it, a doubled consonant, or a consonant with a tippi. Bytes
    /// beyond the end of the source are FF. Returns `None` if the first byte is to be decoded by itself.
    fn several(&self, [first, second, third]: [u8; 3]) -> Option<Next> {
        let script = self.script;
        let pair = |one, other, len| Some(Next::pair([one, other], len));
        match (first, second) {
            (HALANT, HALANT) => pair(script.single(HALANT)?, ZWNJ, 2),
            (HALANT, NUKTA) => pair(script.single(HALANT)?, ZWJ, 2),
            (INVISIBLE, HALANT) if script == Gurmukhi && third == INVISIBLE => {
                Some(Next::Scalar { code_point: ADDAK, len: 3 })
            }
            (INVISIBLE, HALANT) => Some(Next::Scalar { code_point: 0x20, len: 1 }),
            (DANDA, DANDA) => Some(Next::Scalar { code_point: TWO_DANDAS, len: 2 }),
            (0xC0, NUKTA) if script == Gurmukhi => {
                let code_points = [0xA5C, 0xA4D, 0xA39].into_iter().collect();
                Some(Next::Several { code_points, len: 2 })
            }
            (_, HALANT) if script.doubles(first) && first == third => pair(ADDAK, script.single(first)?, 3),
            (_, BINDI) if script.takes_tippi(first) => pair(script.single(first)?, TIPPI, 2),
            _ => None,
        }
    }
}

impl Decode for Iscii {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        self.after = self.script;
        let Some(&byte) = src.first() else { return Next::Incomplete };
        if byte < 0x80 {
            if matches!(byte, b'\n' | b'\r') {
                self.after = self.initial;
            }
            return Next::Scalar { code_point: byte.into(), len: 1 };
        }
        if byte == ATTRIBUTE {
            return self.attribute(src, last);
        }
        // Up to three bytes decide the character.
        let decides = |at: usize| src.get(at).copied().or(last.then_some(0xFF));
        let Some(second) = decides(1) else { return Next::Incomplete };
        let is_long = second == HALANT && (byte == INVISIBLE || self.script.doubles(byte));
        let Some(third) = (if is_long { decides(2) } else { Some(0xFF) }) else { return Next::Incomplete };
        if let Some(several) = self.several([byte, second, third]) {
            return several;
        }
        if let Some(code_point) = self.script.pair([byte, second]) {
            return Next::Scalar { code_point, len: 2 };
        }
        match (self.script.single(byte), byte) {
            (Some(code_point), _) => Next::Scalar { code_point, len: 1 },
            (None, EXTENSION) if (0xA1..=0xEE).contains(&second) => {
                Next::ill_formed(IllFormed::Unassigned, 2)
            }
            (None, EXTENSION) => Next::ill_formed(IllFormed::Truncated, 1),
            (None, _) => Next::ill_formed(IllFormed::Unassigned, 1),
        }
    }

    fn commit(&mut self) {
        self.script = self.after;
    }

    fn is_initial(&self) -> bool {
        self.script == self.initial
    }
}

/// The encoder of ISCII, which holds back an addak.
#[derive(Clone)]
struct ToIscii {
    /// The default script of the encoding.
    initial: Script,
    script: Script,
    /// The last two bytes written, if a decoder might read them together with the next bytes; otherwise zeros.
    tail: [u8; 2],
    holds_addak: bool,
}

/// Returns the script of a character (`None` if it is in all scripts) and its one or two bytes; the second byte is 0 if
/// there is only one. Returns `None` if the character has no code.
fn code(code_point: u32) -> Option<(Option<Script>, [u8; 2])> {
    match code_point {
        0x80..=0xA0 => return Some((None, [code_point as u8, 0])),
        ONE_DANDA => return Some((None, [DANDA, 0])),
        TWO_DANDAS => return Some((None, [DANDA, DANDA])),
        ZWJ => return Some((None, [INVISIBLE, 0])),
        _ => {}
    }
    let at = code_point.checked_sub(BLOCKS)?;
    let (script, ..) = *SCRIPTS.get((at / BLOCK) as usize)?;
    let place = (at % BLOCK) as u8;
    script.code_point(place)?;
    let single = PLACES.iter().position(|known| *known == place).map(|byte| [byte as u8 + 0xA1, 0]);
    let pair = || PAIRS.iter().find(|(_, known)| *known == place).map(|(bytes, _)| *bytes);
    Some((Some(script), single.or_else(pair)?))
}

impl ToIscii {
    fn new(script: Script) -> ToIscii {
        ToIscii { initial: script, script, tail: [0; 2], holds_addak: false }
    }

    /// Selects a script.
    fn choose(&mut self, script: Script, out: &mut Vec<u8>) {
        out.extend([ATTRIBUTE, SCRIPTS[script as usize].1]);
        (self.script, self.tail) = (script, [0; 2]);
    }

    /// Whether `bytes` would be read as a different character together with the bytes written before.
    fn would_join(&self, bytes: [u8; 2]) -> bool {
        let [before, last] = self.tail;
        let pair = PAIRS.iter().find(|(pair, _)| *pair == [last, bytes[0]]);
        let makes_other =
            pair.is_some_and(|(_, place)| self.script.has(*place) && !WITH_NUKTA.contains(place));
        let is_tripled = self.script == Gurmukhi && last == 0xC0 && bytes[0] == NUKTA;
        makes_other
            || is_tripled
            || matches!((last, bytes[0]), (HALANT, HALANT | NUKTA) | (INVISIBLE, HALANT) | (DANDA, DANDA))
            || last == HALANT && self.script.doubles(before) && before == bytes[0]
            || bytes[0] == BINDI && self.script.takes_tippi(last)
    }

    /// Writes bytes in the current script, and selects the script again if they would join the bytes written before.
    fn push(&mut self, bytes: [u8; 2], out: &mut Vec<u8>) {
        if self.would_join(bytes) {
            self.choose(self.script, out);
        }
        self.join(bytes, out);
    }

    /// Writes bytes that a decoder may read together with the bytes before.
    fn join(&mut self, bytes: [u8; 2], out: &mut Vec<u8>) {
        let [first, second] = bytes;
        out.push(first);
        self.tail = [self.tail[1], first];
        if second > 0 {
            out.push(second);
            // A character of two bytes does not join other bytes.
            self.tail = [0; 2];
        }
    }

    /// Writes an addak that is held back, before the byte `next`.
    fn release(&mut self, next: Option<u8>, out: &mut Vec<u8>) {
        if !std::mem::take(&mut self.holds_addak) {
            return;
        }
        if self.script != Gurmukhi {
            self.choose(Gurmukhi, out);
        }
        match next.filter(|byte| Gurmukhi.doubles(*byte)) {
            Some(consonant) => {
                self.push([consonant, 0], out);
                self.join([HALANT, 0], out);
            }
            None => {
                self.push([INVISIBLE, 0], out);
                out.extend([HALANT, INVISIBLE]);
            }
        }
        self.tail = [0; 2];
    }
}

impl Encode for ToIscii {
    fn copy(&self) -> Option<Box<dyn Encode>> {
        Some(Box::new(self.clone()))
    }

    fn encode(&mut self, code_point: u32, out: &mut Vec<u8>) -> bool {
        let is_after = |byte: u8| self.tail[1] == byte && !self.holds_addak;
        match code_point {
            0..0x80 => {
                self.release(None, out);
                out.push(code_point as u8);
                self.tail = [0; 2];
                if matches!(code_point, 0x0A | 0x0D) {
                    self.script = self.initial;
                }
            }
            ZWNJ | ZWJ if is_after(HALANT) => {
                self.join([if code_point == ZWJ { NUKTA } else { HALANT }, 0], out);
                self.tail = [0; 2];
            }
            TIPPI if self.script == Gurmukhi && !self.holds_addak && Gurmukhi.takes_tippi(self.tail[1]) => {
                self.join([BINDI, 0], out);
            }
            ADDAK => {
                self.release(None, out);
                self.holds_addak = true;
            }
            _ => {
                let Some((script, bytes)) = code(code_point) else { return false };
                let is_single = bytes[1] == 0 && script == Some(Gurmukhi);
                self.release(is_single.then_some(bytes[0]), out);
                if let Some(script) = script.filter(|script| *script != self.script) {
                    self.choose(script, out);
                }
                self.push(bytes, out);
            }
        }
        true
    }

    fn has(&self, code_point: u32) -> bool {
        code_point < 0x80 || code_point == ADDAK || code(code_point).is_some()
    }

    /// Writes an addak that is held back, and returns to the default script of the encoding.
    fn finish(&mut self, out: &mut Vec<u8>) {
        self.release(None, out);
        if self.script != self.initial {
            out.extend([ATTRIBUTE, DEFAULT]);
        }
        *self = ToIscii::new(self.initial);
    }

    fn at_rest(&self) -> bool {
        !self.holds_addak && self.script == self.initial
    }

    fn is_initial(&self) -> bool {
        self.at_rest() && self.tail == [0; 2]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::legacy::testkit::{read_all, write_all};

    fn read(script: Script, src: &[u8]) -> (String, Vec<(IllFormed, usize)>) {
        read_all(Iscii::new(script), src)
    }

    #[test]
    fn text_round_trips() {
        for (script, text, bytes) in [
            (Devanagari, "हिन्दी", &b"\xD8\xDB\xC6\xE8\xC4\xDC"[..]),
            (Devanagari, "क a।॥", b"\xB3 a\xEA\xEF\x42\xEA\xEA"),
            (Devanagari, "।।", b"\xEA\xEF\x42\xEA"),
            (Devanagari, "\u{958}ॐ", b"\xB3\xE9\xA1\xE9"),
            (Devanagari, "\u{901}\u{93C}", b"\xA1\xEF\x42\xE9"),
            (Devanagari, "क्\u{200C}ष", b"\xB3\xE8\xE8\xD6"),
            (Devanagari, "क्\u{200D}ष", b"\xB3\xE8\xE9\xD6"),
            (Devanagari, "््", b"\xE8\xEF\x42\xE8"),
            (Devanagari, "\u{200D}्", b"\xD9\xEF\x42\xE8"),
            (Devanagari, "॰॒", b"\xF0\xBF\xF0\xB8"),
            (Devanagari, "কक", b"\xEF\x43\xB3\xEF\x42\xB3"),
            (Devanagari, "ক\nক", b"\xEF\x43\xB3\n\xEF\x43\xB3\xEF\x40"),
            (Bengali, "ক\nক", b"\xB3\n\xB3"),
            (Gurmukhi, "ਪੱਕਾ", b"\xC8\xB3\xE8\xB3\xDA"),
            (Gurmukhi, "ਕ੍ਕ", b"\xB3\xE8\xEF\x4B\xB3"),
            (Gurmukhi, "ੱ ੱਅ", b"\xD9\xE8\xD9 \xD9\xE8\xD9\xA4"),
            (Gurmukhi, "ਕੰਆਂਕ\u{A02}", b"\xB3\xA2\xA5\xA2\xB3\xEF\x4B\xA2"),
            (Gurmukhi, "ੜ੍ਹ", b"\xBF\xE9\xE8\xD8"),
            (Tamil, "தமிழ்", b"\xC2\xCC\xDB\xD3\xE8"),
        ] {
            let written = write_all(ToIscii::new(script), text);
            assert_eq!(written.as_deref(), Some(bytes), "{text}: {written:02X?}");
            assert_eq!(read(script, bytes), (text.to_string(), vec![]));
        }
        for text in ["é", "\u{200C}", "\u{A70}", "ਆ\u{A70}", "\u{B81}", "中"] {
            assert_eq!(write_all(ToIscii::new(Devanagari), text), None, "{text}");
        }
    }

    #[test]
    fn faults_and_states() {
        let fine = |text: &str| (text.to_string(), vec![]);
        let faulty = |text: &str, kind, len| (text.to_string(), vec![(kind, len)]);
        assert_eq!(read(Devanagari, b"\xEF\x46\xB3\xEF\x40\xB3"), fine("কक"), "Assamese, and back");
        assert_eq!(read(Devanagari, b"\xEF\x30\xB3"), fine("क"), "a way to show text");
        assert_eq!(read(Gurmukhi, b"\xC0\xE9"), fine("ੜ੍ਹ"));
        assert_eq!(read(Devanagari, b"\xD9\xE8\xB3"), fine(" ्क"));
        assert_eq!(read(Devanagari, b"\xEF\xB3"), faulty("क", IllFormed::UnknownEscape, 1));
        assert_eq!(read(Devanagari, b"\xEF"), faulty("", IllFormed::UnknownEscape, 1));
        assert_eq!(read(Devanagari, b"\xF0\xB3a"), faulty("a", IllFormed::Unassigned, 2));
        assert_eq!(read(Devanagari, b"\xF0a"), faulty("a", IllFormed::Truncated, 1));
        assert_eq!(read(Tamil, b"\xB4\xB3"), faulty("க", IllFormed::Unassigned, 1));
        assert_eq!(read(Devanagari, b"\xFB"), faulty("", IllFormed::Unassigned, 1));
        let mut reader = Iscii::new(Devanagari);
        assert_eq!(reader.next(b"\xEF\x43", false), Next::Shift { len: 2 }, "decoded, and not taken");
        assert_eq!(reader.next(b"\xB3a", false), Next::Scalar { code_point: 0x915, len: 1 });
    }

    #[test]
    fn later_bytes_change_nothing() {
        let special = b"a\xA1\xA2\xA4\xB3\xC0\xD9\xE0\xE8\xE9\xEA\xEF\xF0\xBF\x42";
        let fours = (0..special.len().pow(4))
            .map(|at| [0, 1, 2, 3].map(|place| special[at / special.len().pow(place) % special.len()]));
        for whole in fours {
            for script in [Devanagari, Gurmukhi] {
                let found = Iscii::new(script).next(&whole, true);
                for len in 1..whole.len() {
                    let cut = Iscii::new(script).next(&whole[..len], false);
                    assert!(cut == found || cut == Next::Incomplete, "{whole:02X?}");
                    assert_ne!(Iscii::new(script).next(&whole[..len], true), Next::Incomplete);
                }
            }
        }
    }
}
