//! The sets of characters that escape sequences designate.

use super::super::builder::{EUC, built};
use super::super::chinese::{EUC_TW, GB2312, IBM_5478};
use super::super::japanese::{CP51932, EUC_JISX0213, EUC_JP, EUC_JP_MS};
use super::super::korean::EUC_KR;
use super::super::lazy::Lazy;
use super::super::multi_byte::MultiByte;
use super::super::packed::packed;
use super::super::written::Written;

/// A set of characters that an escape sequence designates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Set {
    Ascii,
    /// The Roman part of JIS X 0201.
    Roman,
    /// The katakana part of JIS X 0201.
    Kana,
    Jis0208,
    /// JIS X 0208 with the characters of code page 932.
    Jis0208Ms,
    Jis0212,
    /// JIS X 0208 with the characters of NEC and a user area.
    Jis0208Extended,
    /// JIS X 0212 with the characters of IBM and a user area.
    Jis0212Extended,
    /// Plane 1 of JIS X 0213 in the edition of 2000.
    JisX0213Of2000,
    /// Plane 1 of JIS X 0213 in the edition of 2004.
    JisX0213,
    /// Plane 2 of JIS X 0213.
    JisX0213Plane2,
    Gb2312,
    IsoIr165,
    /// GB 2312 as IBM defines it.
    Ibm5478,
    KsX1001,
    /// The plane of CNS 11643 with this number.
    Cns(u8),
    /// The right half of ISO-8859-1.
    Latin1,
    /// The right half of ISO-8859-7.
    Greek,
}

/// The characters that a code of a set encodes: one, two or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    One(u32),
    Two([u32; 2]),
    None,
}

impl Found {
    /// Returns the character of a code that stands for exactly one character; otherwise `None`.
    pub fn one(self) -> Option<u32> {
        if let Found::One(scalar) = self { Some(scalar) } else { None }
    }
}

/// ISO-IR-165 in the form of EUC.
static ISO_IR_165: Lazy<MultiByte> = Lazy::new(|| built(EUC, EUC, &[packed!("iso-ir-165")]));

/// The row of NEC's characters in JIS X 0208.
const NEC_ROW: u8 = 0x2D;

/// The rows of user areas in the extended sets.
const USER_ROWS: std::ops::RangeInclusive<u8> = 0x75..=0x7E;
/// The first character of the user area of JIS X 0208.
const USERS_OF_0208: u32 = 0xE000;
/// The first character of the user area of JIS X 0212, which follows the user area of JIS X 0208.
const USERS_OF_0212: u32 = USERS_OF_0208 + 10 * 94;

/// The rows of IBM's characters in the extended JIS X 0212.
const IBM_ROWS: std::ops::RangeInclusive<u8> = 0x73..=0x74;
/// The place in the rows of EUC-JP-MS from which on IBM's characters are in the same order as in `IBM_ROWS`.
const IBM_IN_EUC: usize = 0x52;

/// IBM's last character, and its place, which does not directly follow the places of IBM's other characters.
const LAST_OF_IBM: (u32, usize) = (0x974D, 0xA0);

/// SetCodes of plane 1 of JIS X 0213 that the edition of 2004 added.
const ADDED_IN_2004: [u16; 10] =
    [0x2E21, 0x2F7E, 0x4F54, 0x4F7E, 0x7427, 0x7E7A, 0x7E7B, 0x7E7C, 0x7E7D, 0x7E7E];

/// The right half of ISO-8859-7 before it had the euro sign, from A0 on; 0 for undefined bytes.
#[rustfmt::skip]
const GREEK: [u16; 0x60] = [
    0x00A0, 0x2018, 0x2019, 0x00A3, 0x20AC, 0x20AF, 0x00A6, 0x00A7, 0x00A8, 0x00A9, 0x037A, 0x00AB, 0x00AC, 0x00AD, 0, 0x2015,
    0x00B0, 0x00B1, 0x00B2, 0x00B3, 0x0384, 0x0385, 0x0386, 0x00B7, 0x0388, 0x0389, 0x038A, 0x00BB, 0x038C, 0x00BD, 0x038E, 0x038F,
    0x0390, 0x0391, 0x0392, 0x0393, 0x0394, 0x0395, 0x0396, 0x0397, 0x0398, 0x0399, 0x039A, 0x039B, 0x039C, 0x039D, 0x039E, 0x039F,
    0x03A0, 0x03A1, 0, 0x03A3, 0x03A4, 0x03A5, 0x03A6, 0x03A7, 0x03A8, 0x03A9, 0x03AA, 0x03AB, 0x03AC, 0x03AD, 0x03AE, 0x03AF,
    0x03B0, 0x03B1, 0x03B2, 0x03B3, 0x03B4, 0x03B5, 0x03B6, 0x03B7, 0x03B8, 0x03B9, 0x03BA, 0x03BB, 0x03BC, 0x03BD, 0x03BE, 0x03BF,
    0x03C0, 0x03C1, 0x03C2, 0x03C3, 0x03C4, 0x03C5, 0x03C6, 0x03C7, 0x03C8, 0x03C9, 0x03CA, 0x03CB, 0x03CC, 0x03CD, 0x03CE, 0,
];

impl Set {
    /// Returns the number of bytes of a code.
    pub fn width(self) -> usize {
        if matches!(self, Set::Ascii | Set::Roman | Set::Kana | Set::Latin1 | Set::Greek) { 1 } else { 2 }
    }

    /// Whether a code may have this byte. In the single-byte sets of Europe, a byte has 96 values, and in other sets
    /// 94.
    pub fn is_byte(self, byte: u8) -> bool {
        match self {
            Set::Latin1 | Set::Greek => matches!(byte, 0x20..=0x7F),
            _ => matches!(byte, 0x21..=0x7E),
        }
    }

    /// Returns the encoding whose table has the set, as two-byte codes or as a plane after the single shift. Returns
    /// `None` if the set has no such table.
    pub fn table(self) -> Option<(&'static MultiByte, Option<u8>)> {
        Some(match self {
            Set::Jis0208 => (&EUC_JP, None),
            Set::Jis0208Ms => (&CP51932, None),
            Set::Jis0212 => (&EUC_JP, Some(0)),
            Set::JisX0213Of2000 | Set::JisX0213 => (&EUC_JISX0213, None),
            Set::JisX0213Plane2 => (&EUC_JISX0213, Some(0)),
            Set::Gb2312 => (&GB2312, None),
            Set::IsoIr165 => (&ISO_IR_165, None),
            Set::Ibm5478 => (&IBM_5478, None),
            Set::KsX1001 => (&EUC_KR, None),
            Set::Cns(1) => (&EUC_TW, None),
            Set::Cns(plane) => (&EUC_TW, Some(plane)),
            Set::Jis0208Extended | Set::Jis0212Extended => return None,
            Set::Ascii | Set::Roman | Set::Kana | Set::Latin1 | Set::Greek => return None,
        })
    }

    /// Decodes a code of the set; the second byte is ignored in single-byte sets.
    pub fn read(self, [first, second]: [u8; 2]) -> Found {
        if let Set::Jis0208Extended | Set::Jis0212Extended = self {
            return self.read_extended(first, second).map_or(Found::None, Found::One);
        }
        if let Some((table, plane)) = self.table() {
            let scalar = table.euc([first | 0x80, second | 0x80], plane);
            return scalar.map_or_else(|| self.pair([first, second]), Found::One);
        }
        let (byte, upper) = (u32::from(first), u32::from(first & 0x7F));
        match self {
            Set::Roman if first == 0x5C => Found::One(0xA5),
            Set::Roman if first == 0x7E => Found::One(0x203E),
            Set::Kana if upper > 0x5F => Found::None,
            Set::Kana => Found::One(upper - 0x21 + 0xFF61),
            Set::Latin1 => Found::One(upper | 0x80),
            Set::Greek => match GREEK[upper as usize - 0x20] {
                0 => Found::None,
                scalar => Found::One(scalar.into()),
            },
            _ => Found::One(byte),
        }
    }

    /// Returns the code of a character, or `None` if the set lacks the character; the second byte is unused in
    /// single-byte sets.
    pub fn write(self, scalar: u32) -> Option<[u8; 2]> {
        let byte = match (self, scalar) {
            (Set::Ascii, ..0x80) => scalar as u8,
            (Set::Roman, 0xA5) => 0x5C,
            (Set::Roman, 0x203E) => 0x7E,
            (Set::Roman, 0x5C | 0x7E) => return None,
            (Set::Roman, 0x21..=0x7E) => scalar as u8,
            (Set::Kana, 0xFF61..=0xFF9F) => (scalar - 0xFF61) as u8 + 0x21,
            (Set::Latin1, 0xA0..=0xFF) => scalar as u8 & 0x7F,
            (Set::Greek, 1..0x1_0000) => {
                let at = GREEK.iter().position(|unit| u32::from(*unit) == scalar)?;
                at as u8 + 0x20
            }
            (Set::Ascii | Set::Roman | Set::Kana | Set::Latin1 | Set::Greek, _) => return None,
            (Set::Jis0208Extended | Set::Jis0212Extended, _) => return self.write_extended(scalar),
            _ => return self.codes()?.get(scalar),
        };
        Some([byte, 0])
    }

    /// Returns the codes of the set, or `None` if the set has no table.
    pub(super) fn codes(self) -> Option<SetCodes> {
        let (table, plane) = self.table()?;
        Some(SetCodes { written: table.written(), plane, is_of_2000: self == Set::JisX0213Of2000 })
    }

    fn read_extended(self, first: u8, second: u8) -> Option<u32> {
        let euc = [first | 0x80, second | 0x80];
        let user = |area| USER_ROWS.contains(&first).then(|| area + place(USER_ROWS, first, second) as u32);
        match self {
            Set::Jis0208Extended if first == NEC_ROW => CP51932.euc(euc, None),
            // Some rows of the user area were NEC's rows for IBM's characters.
            Set::Jis0208Extended => {
                let own = if USER_ROWS.contains(&first) { &CP51932 } else { &EUC_JP };
                own.euc(euc, None).or_else(|| user(USERS_OF_0208))
            }
            _ if IBM_ROWS.contains(&first) => match place(IBM_ROWS, first, second) {
                at if at == LAST_OF_IBM.1 => Some(LAST_OF_IBM.0),
                at => IBM[at].filter(|scalar| *scalar != LAST_OF_IBM.0),
            },
            _ => EUC_JP.euc(euc, Some(0)).or_else(|| user(USERS_OF_0212)),
        }
    }

    fn write_extended(self, scalar: u32) -> Option<[u8; 2]> {
        let in_seven_bits = |code: [u8; 2]| code.map(|byte| byte & 0x7F);
        // Some codes of the user area are read as IBM's characters, so check that the code is read back.
        let user = |area| {
            let code = code(USER_ROWS, (scalar - area) as usize);
            (self.read_extended(code[0], code[1]) == Some(scalar)).then_some(code)
        };
        match (self, scalar) {
            (Set::Jis0208Extended, USERS_OF_0208..USERS_OF_0212) => user(USERS_OF_0208),
            (Set::Jis0212Extended, USERS_OF_0212..0xE758) => user(USERS_OF_0212),
            // U+FFE2 has the code 7C7B, because 224C is the code of U+00AC.
            (Set::Jis0208Extended, 0xFFE2) => Some([0x7C, 0x7B]),
            (Set::Jis0208Extended, _) => {
                let nec = || {
                    let code = CP51932.euc_code(scalar, None).map(in_seven_bits)?;
                    // IBM's other characters are in the extended JIS X 0212.
                    (code[0] == NEC_ROW || matches!(scalar, 0x663B | 0xFFE4)).then_some(code)
                };
                // Some codes that EUC-JP writes for symbols of Windows are read as other symbols, so reject them.
                let known =
                    EUC_JP.euc_code(scalar, None).filter(|code| EUC_JP.euc(*code, None) == Some(scalar));
                known.map(in_seven_bits).or_else(nec)
            }
            _ => {
                let at = || {
                    if scalar == LAST_OF_IBM.0 {
                        Some(LAST_OF_IBM.1)
                    } else {
                        IBM.iter().position(|found| *found == Some(scalar))
                    }
                };
                let known = EUC_JP.euc_code(scalar, Some(0)).map(in_seven_bits);
                known.or_else(|| at().map(|at| code(IBM_ROWS, at)))
            }
        }
    }

    /// Returns the code that encodes the two characters together, or `None` if there is none.
    pub fn write_pair(self, both: [u32; 2]) -> Option<[u8; 2]> {
        let (code, _) = self.pairs().iter().find(|(_, pair)| *pair == both)?;
        Some(code.to_be_bytes().map(|byte| byte & 0x7F))
    }

    /// Whether `scalar` is the first of two characters that a code encodes together.
    pub fn begins_pair(self, scalar: u32) -> bool {
        self.pairs().iter().any(|(_, [first, _])| *first == scalar)
    }

    /// Returns the characters that are the second of two in a code.
    pub fn seconds(self) -> impl Iterator<Item = u32> {
        self.pairs().iter().map(|(_, [_, second])| *second)
    }

    fn pair(self, code: [u8; 2]) -> Found {
        let code = u16::from_be_bytes(code) | 0x8080;
        self.pairs().iter().find(|pair| pair.0 == code).map_or(Found::None, |(_, both)| Found::Two(*both))
    }

    fn pairs(self) -> &'static [(u16, [u32; 2])] {
        if matches!(self, Set::JisX0213Of2000 | Set::JisX0213) { &EUC_JISX0213.pairs } else { &[] }
    }
}

/// The codes of a set that has a table.
pub(super) struct SetCodes {
    written: &'static Written,
    plane: Option<u8>,
    /// Whether the set lacks [`ADDED_IN_2004`].
    is_of_2000: bool,
}

impl SetCodes {
    /// Returns the code of a character, as [`Set::write`] does.
    #[inline(always)]
    pub fn get(&self, scalar: u32) -> Option<[u8; 2]> {
        let code = self.written.euc_code(scalar, self.plane)?.map(|byte| byte & 0x7F);
        let is_there = !self.is_of_2000 || !ADDED_IN_2004.contains(&u16::from_be_bytes(code));
        is_there.then_some(code)
    }
}

/// Returns the place of a code, counted in rows of 94 cells.
fn place(rows: std::ops::RangeInclusive<u8>, first: u8, second: u8) -> usize {
    usize::from(first - rows.start()) * 94 + usize::from(second - 0x21)
}

/// Returns the code at a place, counted in rows of 94 cells.
fn code(rows: std::ops::RangeInclusive<u8>, place: usize) -> [u8; 2] {
    [rows.start() + (place / 94) as u8, (place % 94) as u8 + 0x21]
}

/// IBM's characters by their places. Cached, because finding a character in the tables takes as long as converting a
/// line.
static IBM: Lazy<[Option<u32>; 2 * 94]> = Lazy::new(|| std::array::from_fn(ibm));

/// Returns IBM's character at a place, unless the extended JIS X 0208 has it.
fn ibm(place: usize) -> Option<u32> {
    let euc = code(IBM_ROWS, place + IBM_IN_EUC).map(|byte| byte | 0x80);
    let scalar = if euc[0] > 0xF4 { None } else { EUC_JP_MS.euc(euc, Some(0)) };
    scalar.filter(|scalar| Set::Jis0208Extended.write(*scalar).is_none())
}
