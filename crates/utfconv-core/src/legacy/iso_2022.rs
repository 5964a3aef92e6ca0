//! ISO/IEC 2022 in seven bits, as in mail and news in Japan, Korea and China. Escape sequences designate sets of
//! characters, and shifts invoke the sets.
//!
//! Reading is lenient, as in glibc: in Japanese encodings, control characters may be in any set and change none, and a
//! text may end in any state. A designation takes effect at once. An escape sequence that an encoding does not define
//! is a fault, never text. Writing is strict: lines and the text end in ASCII, and Chinese encodings designate their
//! sets again on each line. U+001B, U+000E and U+000F have no code, because they would be read as shifts.

mod choices;
mod decode;
mod encode;
mod kana;
mod raw;
mod segments;
mod sets;

pub(crate) use decode::Iso2022;
pub(crate) use encode::ToIso2022;
pub(crate) use raw::{RawSet, ToRawSet};
pub(crate) use sets::Set;

const ESCAPE: u8 = 0x1B;
const SHIFT_OUT: u8 = 0x0E;
const SHIFT_IN: u8 = 0x0F;

/// The slot to which a set is designated, which decides how the set is invoked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    /// Invoked at once.
    G0,
    /// Invoked between SO and SI.
    G1,
    /// Invoked for a single character by ESC N.
    G2,
    /// Invoked for a single character by ESC O.
    G3,
}

impl Slot {
    /// Returns the second byte of the escape sequence that invokes the slot for a single character; `None` for G0 and
    /// G1.
    fn single_shift(self) -> Option<u8> {
        match self {
            Slot::G2 => Some(b'N'),
            Slot::G3 => Some(b'O'),
            _ => None,
        }
    }
}

/// An escape sequence that designates a set to a slot.
#[derive(Debug, PartialEq)]
struct Designation {
    escape: &'static [u8],
    /// The first four bytes of the escape sequence as a number, compared with four bytes of a source under `mask`.
    key: u32,
    /// The bits of `key` that the escape sequence has; 0 if the escape sequence is empty.
    mask: u32,
    slot: Slot,
    set: Set,
}

const fn designation(escape: &'static [u8], slot: Slot, set: Set) -> Designation {
    let (key, mask) = match *escape {
        [a, b, c] => (u32::from_be_bytes([a, b, c, 0]), !0xFF),
        [a, b, c, d] => (u32::from_be_bytes([a, b, c, d]), !0),
        _ => (!0, 0),
    };
    Designation { escape, key, mask, slot, set }
}

impl Designation {
    /// Returns the bytes of the escape sequence, with the first byte lowest, and their number.
    fn prefix(&self) -> (u32, usize) {
        ((self.key & self.mask).swap_bytes(), self.escape.len())
    }
}

/// The set that is designated to each slot.
type Slots = [Option<Set>; 4];

/// An encoding.
#[derive(Debug)]
pub(crate) struct Variant {
    /// The designations of the encoding. If several have the same set, the first is written. A character is written in
    /// the invoked set, or else in the first set that has it.
    designations: &'static [Designation],
    /// The sets in which a text without designations is read.
    initial: Slots,
    /// Whether SO and SI are shifts, between which control characters are faults.
    has_shifts: bool,
    /// The bytes that a text begins with.
    header: &'static [u8],
    /// The set in which some codes encode two characters; `None` if the encoding has no such set.
    pairs: Option<Set>,
    kana: Kana,
}

/// How half-width katakana are read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kana {
    /// Converted like other characters, if a set has the half-width katakana.
    InSets,
    /// Written as full-width katakana, whatever sets there are.
    Wide,
    /// Encoded as the bytes A1..DF, whatever set is invoked.
    EightBits,
}

const ASCII: Designation = designation(b"\x1B(B", Slot::G0, Set::Ascii);
const ROMAN: Designation = designation(b"\x1B(J", Slot::G0, Set::Roman);
const KANA: Designation = designation(b"\x1B(I", Slot::G0, Set::Kana);
const JIS_0208: Designation = designation(b"\x1B$B", Slot::G0, Set::Jis0208);
/// Designates the edition of 1978, which is read as the edition of 1983.
const JIS_0208_1978: Designation = designation(b"\x1B$@", Slot::G0, Set::Jis0208);
const JIS_0212: Designation = designation(b"\x1B$(D", Slot::G0, Set::Jis0212);
const JIS_0213_OF_2000: Designation = designation(b"\x1B$(O", Slot::G0, Set::JisX0213Of2000);
const JIS_0213: Designation = designation(b"\x1B$(Q", Slot::G0, Set::JisX0213);
const JIS_0213_PLANE_2: Designation = designation(b"\x1B$(P", Slot::G0, Set::JisX0213Plane2);

const ONLY_ASCII: Slots = [Some(Set::Ascii), None, None, None];

impl Variant {
    const fn japanese(designations: &'static [Designation]) -> Variant {
        Variant {
            designations,
            initial: ONLY_ASCII,
            has_shifts: false,
            header: b"",
            pairs: None,
            kana: Kana::InSets,
        }
    }
}

/// ISO-2022-JP (RFC 1468).
pub(crate) static JP: Variant = Variant::japanese(&[ASCII, ROMAN, JIS_0208, JIS_0208_1978]);

/// ISO-2022-JP-1 (RFC 2237).
pub(crate) static JP_1: Variant = Variant::japanese(&[ASCII, ROMAN, JIS_0208, JIS_0208_1978, JIS_0212]);

/// ISO-2022-JP-2 (RFC 1554) with half-width katakana, as glibc defines it.
pub(crate) static JP_2: Variant = Variant::japanese(JP_2_SETS);

const JP_2_SETS: &[Designation] = &[
    ASCII,
    ROMAN,
    JIS_0208,
    JIS_0208_1978,
    JIS_0212,
    designation(b"\x1B.A", Slot::G2, Set::Latin1),
    designation(b"\x1B.F", Slot::G2, Set::Greek),
    designation(b"\x1B$A", Slot::G0, Set::Gb2312),
    designation(b"\x1B$(C", Slot::G0, Set::KsX1001),
    KANA,
];

/// ISO-2022-JP-3 (JIS X 0213:2000 annex 2) with half-width katakana, as glibc defines it; the set of 2004 is read, too.
pub(crate) static JP_3: Variant = Variant { pairs: Some(Set::JisX0213), ..Variant::japanese(JP_3_SETS) };

const JP_3_SETS: &[Designation] =
    &[ASCII, ROMAN, JIS_0208, JIS_0208_1978, JIS_0213_OF_2000, JIS_0213, JIS_0213_PLANE_2, KANA];

/// ISO-2022-JP-2004 (JIS X 0213:2004 annex 2); the set of 2000 is read, too.
pub(crate) static JP_2004: Variant = Variant {
    pairs: Some(Set::JisX0213),
    ..Variant::japanese(&[ASCII, JIS_0208, JIS_0208_1978, JIS_0213, JIS_0213_OF_2000, JIS_0213_PLANE_2])
};

/// ISO-2022-JP-1 with half-width katakana, as Python defines it, which has all sets of JIS before JIS X 0213.
pub(crate) static JP_EXT: Variant =
    Variant::japanese(&[ASCII, ROMAN, JIS_0208, JIS_0208_1978, JIS_0212, KANA]);

/// ISO-2022-JP-2 with half-width katakana in eight bits, as ICU's JIS8 defines it.
pub(crate) static JIS8: Variant = Variant { kana: Kana::EightBits, ..Variant::japanese(JP_2_SETS) };

const KANA_INVOKED: Designation = designation(b"", Slot::G1, Set::Kana);
/// Designates JIS X 0208 with the characters of code page 932.
const JIS_0208_MS: Designation = designation(b"\x1B$B", Slot::G0, Set::Jis0208Ms);
const JIS_0208_MS_1978: Designation = designation(b"\x1B$@", Slot::G0, Set::Jis0208Ms);

/// Windows code page 50221, which has half-width katakana in a set of their own.
pub(crate) static CP50221: Variant = Variant::japanese(MS_SETS);

const MS_SETS: &[Designation] = &[ASCII, ROMAN, JIS_0208_MS, JIS_0208_MS_1978, JIS_0212, KANA];

/// ISO-2022-JP-MS as libiconv defines it, which is code page 50221 with the symbols of JIS, IBM's characters and user
/// areas.
pub(crate) static JP_MS: Variant = Variant::japanese(&[
    ASCII,
    ROMAN,
    KANA,
    designation(b"\x1B$B", Slot::G0, Set::Jis0208Extended),
    designation(b"\x1B$@", Slot::G0, Set::Jis0208Extended),
    designation(b"\x1B$(D", Slot::G0, Set::Jis0212Extended),
]);

/// Windows code page 50220, which writes half-width katakana as full-width.
pub(crate) static CP50220: Variant = Variant { kana: Kana::Wide, ..Variant::japanese(MS_SETS) };

/// Windows code page 50222, which has half-width katakana between SO and SI.
pub(crate) static CP50222: Variant = Variant {
    initial: [Some(Set::Ascii), Some(Set::Kana), None, None],
    has_shifts: true,
    ..Variant::japanese(&[ASCII, ROMAN, JIS_0208_MS, JIS_0208_MS_1978, JIS_0212, KANA_INVOKED, KANA])
};

/// The base of variants whose sets are between SO and SI, as in Korea and China.
const SHIFTED: Variant = Variant { has_shifts: true, ..Variant::japanese(&[]) };

/// ISO-2022-KR (RFC 1557).
pub(crate) static KR: Variant = Variant {
    designations: &[ASCII_INVOKED, KS_1001],
    initial: [Some(Set::Ascii), Some(Set::KsX1001), None, None],
    header: b"\x1B$)C",
    ..SHIFTED
};

/// ISO-2022-KR without its header, as ICU's ibm-25546 defines it.
pub(crate) static IBM_25546: Variant = Variant {
    designations: &[ASCII_INVOKED, designation(b"", Slot::G1, Set::KsX1001), KS_1001],
    initial: [Some(Set::Ascii), Some(Set::KsX1001), None, None],
    ..SHIFTED
};

/// ASCII, which is invoked without a designation.
const ASCII_INVOKED: Designation = designation(b"", Slot::G0, Set::Ascii);
const KS_1001: Designation = designation(b"\x1B$)C", Slot::G1, Set::KsX1001);
const GB_2312: Designation = designation(b"\x1B$)A", Slot::G1, Set::Gb2312);
const CNS_1: Designation = designation(b"\x1B$)G", Slot::G1, Set::Cns(1));
const CNS_2: Designation = designation(b"\x1B$*H", Slot::G2, Set::Cns(2));

/// ISO-2022-CN (RFC 1922).
pub(crate) static CN: Variant = Variant {
    designations: &[ASCII_INVOKED, CNS_2, GB_2312, CNS_1],
    initial: [Some(Set::Ascii), Some(Set::Gb2312), Some(Set::Cns(2)), None],
    ..SHIFTED
};

/// ISO-2022-CN that prefers to write CNS 11643, as ICU defines it.
pub(crate) static CN_CNS: Variant = Variant {
    designations: &[ASCII_INVOKED, CNS_1, CNS_2, GB_2312],
    initial: [Some(Set::Ascii), Some(Set::Cns(1)), Some(Set::Cns(2)), None],
    ..SHIFTED
};

/// ISO-2022-CN-EXT (RFC 1922), with the sets that have an escape sequence.
pub(crate) static CN_EXT: Variant = Variant {
    designations: &[
        ASCII_INVOKED,
        CNS_2,
        GB_2312,
        designation(b"\x1B$)E", Slot::G1, Set::IsoIr165),
        CNS_1,
        designation(b"\x1B$+I", Slot::G3, Set::Cns(3)),
        designation(b"\x1B$+J", Slot::G3, Set::Cns(4)),
        designation(b"\x1B$+K", Slot::G3, Set::Cns(5)),
        designation(b"\x1B$+L", Slot::G3, Set::Cns(6)),
        designation(b"\x1B$+M", Slot::G3, Set::Cns(7)),
    ],
    initial: [Some(Set::Ascii), None, Some(Set::Cns(2)), None],
    ..SHIFTED
};

#[cfg(test)]
mod tests;
