//! The tables of Shift_JIS and EUC-JP, as the standards, Microsoft, IBM and DEC define them, and with JIS X 0213.
//!
//! Seven cells of JIS X 0208 and JIS X 0212 have two mappings. The encodings of the standards use the mappings of glibc
//! and libiconv. Microsoft's encodings use the other mappings, but also write the characters of glibc's mappings.

use super::builder::{Builder, EUC, built};
use super::lazy::Lazy;
use super::mapping::{ByteSet, Code};
use super::multi_byte::MultiByte;
use super::packed::{Key, Packed, Place, packed};

/// Shift_JIS as IANA and glibc (`SJIS`) define it, with JIS X 0201 and JIS X 0208. 5C is the yen sign and 7E the
/// overline; U+005C and U+007E are written as these bytes, too, as glibc does.
pub(crate) static SHIFT_JIS: Lazy<MultiByte> = Lazy::new(|| shift_jis(0xEA, packed!("sjis")));

/// Windows code page 932 (windows-31j), which is Shift_JIS with the extensions of NEC and IBM, and with the user area
/// F040..F9FC as U+E000..U+E757. Of two codes for a character, the code that Windows writes is written: never NEC's
/// selection of IBM extensions (ED40..EEFC), otherwise the lower code.
pub(crate) static CP932: Lazy<MultiByte> = Lazy::new(|| shift_jis(0xFC, packed!("cp932")));

fn shift_jis(last_lead: u8, mapping: Packed) -> MultiByte {
    Builder::new(ByteSet::of(&[(0x81, 0x9F), (0xE0, last_lead)]), SHIFTED_TRAILS)
        .take(&packed!("euc-jp").mapping(shifted_0208))
        .take(&mapping.same())
        .build()
}

/// Returns the Shift_JIS code of a code of JIS X 0208 in EUC, or `None` for other codes of two bytes.
fn shifted_0208(key: Key) -> Option<Code> {
    match key {
        Key::Double(0, _) => shifted(key),
        _ => None,
    }
}

/// EUC-JP as IANA, glibc, libiconv and CPython define it, with JIS X 0208, half-width katakana and JIS X 0212, and
/// without the extensions of NEC and IBM.
pub(crate) static EUC_JP: Lazy<MultiByte> = Lazy::new(|| euc_jp(&[packed!("euc-jp")]));

/// eucJP-win as glibc (`EUC-JP-MS`) defines it, with the characters of code page 932, with JIS X 0212, and with the
/// user areas F5A1..FEFE and 8FF5A1..8FFEFE as U+E000..U+E757.
pub(crate) static EUC_JP_MS: Lazy<MultiByte> =
    Lazy::new(|| euc_jp(&[packed!("euc-jp"), packed!("euc-jp-ms")]));

/// IBM's EUC-JP, which has JIS X 0208, its user area, and IBM's extensions. 5C is the yen sign and 7E the overline.
pub(crate) static IBM_33722: Lazy<MultiByte> =
    Lazy::new(|| euc_jp(&[packed!("euc-jp"), packed!("euc-jp-ms"), packed!("ibm-33722")]));

/// IBM's EUC-JP with ASCII and all of JIS X 0212.
pub(crate) static IBM_954: Lazy<MultiByte> =
    Lazy::new(|| euc_jp(&[packed!("euc-jp"), packed!("euc-jp-ms"), packed!("ibm-954")]));

/// The two-byte codes of IBM1390, with another code for the euro sign, and without single bytes.
pub(crate) static IBM_16684: Lazy<MultiByte> = Lazy::new(|| {
    let mappings = [packed!("ibm930").same(), packed!("ibm1390").same(), packed!("ibm-16684").same()];
    let mapping = mappings.into_iter().reduce(|base, mapping| mapping.on(base)).expect("three");
    Builder::of(&mapping).expect("codes of two characters that begin above 80").build()
});

/// DEC's EUC, which encodes JIS X 0208 alone.
pub(crate) static DEC_KANJI: Lazy<MultiByte> = Lazy::new(|| {
    let of_0208: Place = |key| match key {
        Key::Double(0, [0x8E, _]) | Key::Double(1, _) => None,
        key => key.same(),
    };
    Builder::new(EUC, EUC).take(&packed!("euc-jp").mapping(of_0208)).build()
});

/// JIS X 0213 of 2004 in the form of EUC, with its second plane after 8F. Some of its codes encode two scalar values.
pub(crate) static EUC_JISX0213: Lazy<MultiByte> = Lazy::new(|| euc_jp(&[packed!("jisx0213")]));

fn euc_jp(mappings: &[Packed]) -> MultiByte {
    let empty = Builder::new(EUC_LEADS, EUC).shift(SINGLE_SHIFT_3, false);
    let placed = |mapping: &Packed| {
        mapping.mapping(|key| match key {
            Key::Double(1, [row, column]) => Some(Code::triple([SINGLE_SHIFT_3, row, column])),
            key => key.same(),
        })
    };
    mappings.iter().fold(empty, |made, mapping| made.take(&placed(mapping))).build()
}

/// Windows code page 51932, which is EUC with the characters of code page 932 and without three-byte codes.
pub(crate) static CP51932: Lazy<MultiByte> = Lazy::new(|| {
    let in_two_bytes: Place = |key| key.same().filter(|_| !matches!(key, Key::Double(1, _)));
    Builder::new(EUC_LEADS, EUC)
        .take(&packed!("euc-jp").mapping(in_two_bytes))
        .take(&packed!("cp51932").same())
        .build()
});

const EUC_LEADS: ByteSet = ByteSet::of(&[(0x8E, SINGLE_SHIFT_3), (0xA1, 0xFE)]);

/// The lead byte of three-byte codes.
const SINGLE_SHIFT_3: u8 = 0x8F;

const SHIFTED_LEADS: ByteSet = ByteSet::of(&[(0x81, 0x9F), (0xE0, 0xFC)]);
const SHIFTED_TRAILS: ByteSet = ByteSet::of(&[(0x40, 0x7E), (0x80, 0xFC)]);

/// IBM's code page 932, which is Shift_JIS with the ideographs in the order of 1978, and with IBM's extensions. The
/// bytes 1A, 1C and 7F are rotated.
pub(crate) static IBM932: Lazy<MultiByte> =
    Lazy::new(|| built(SHIFTED_LEADS, SHIFTED_TRAILS, &[packed!("ibm932")]));

/// IBM's code page 943, which is IBM's code page 932 in the order of 1990, with NEC's extensions.
pub(crate) static IBM943: Lazy<MultiByte> =
    Lazy::new(|| built(SHIFTED_LEADS, SHIFTED_TRAILS, &[packed!("ibm932"), packed!("ibm943")]));

/// JIS X 0213 in the form of Shift_JIS. 5C is the yen sign and 7E the overline, as in [`SHIFT_JIS`].
pub(crate) static SHIFT_JISX0213: Lazy<MultiByte> = Lazy::new(|| {
    Builder::new(SHIFTED_LEADS, SHIFTED_TRAILS)
        .take(&packed!("jisx0213").mapping(shifted))
        .singles(0x5C..=0x5C, 0x00A5)
        .singles(0x7E..=0x7E, 0x203E)
        .singles(0xA1..=0xDF, 0xFF61)
        .build()
});

/// Returns the Shift_JIS code of a code of JIS X 0213 in EUC, or `None` if the row does not exist.
fn shifted(key: Key) -> Option<Code> {
    let Key::Double(plane, [row, column]) = key else { return key.same() };
    let (row, cell) = (row.wrapping_sub(0xA0), column.wrapping_sub(0xA0));
    // Shift_JIS joins two rows to one. The few rows of plane 2 follow plane 1.
    let place = match (plane, row) {
        (0, 1..=94) => row - 1,
        (0, _) => return None,
        (_, 78..) => row + 25,
        _ => 94 + [1, 8, 3, 4, 5, 12, 13, 14, 15].iter().position(|known| *known == row).unwrap_or(0) as u8,
    };
    let lead = place / 2 + if place < 62 { 0x81 } else { 0xC1 };
    let trail = match cell {
        _ if place % 2 == 1 => cell + 0x9E,
        ..=63 => cell + 0x3F,
        _ => cell + 0x40,
    };
    Some(Code::double(lead, trail))
}
