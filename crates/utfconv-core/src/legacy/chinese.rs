//! The tables of the Big5 and GB families, and of CNS 11643.

use super::builder::{Builder, EUC, built};
use super::lazy::Lazy;
use super::mapping::{ByteSet, Code};
use super::multi_byte::MultiByte;
use super::packed::{Key, Packed, packed};

const BIG5_TRAILS: ByteSet = ByteSet::of(&[(0x40, 0x7E), (0xA1, 0xFE)]);

/// Big5 as glibc defines it, with the ETEN extensions F9D6..F9FE, the euro sign, and C6A1..C8FE as private use.
pub(crate) static BIG5: Lazy<MultiByte> =
    Lazy::new(|| built(ByteSet::of(&[(0xA1, 0xF9)]), BIG5_TRAILS, &[packed!("big5")]));

/// Windows code page 950, which is Big5 with user areas (8140..A0FE, C6A1..C8FE and FA40..FEFE) as Windows maps them.
pub(crate) static CP950: Lazy<MultiByte> =
    Lazy::new(|| built(ByteSet::of(&[(0x81, 0xFE)]), BIG5_TRAILS, &[packed!("big5"), packed!("cp950")]));

/// Big5-HKSCS of 2008. Four of its codes encode two scalar values. Codes that HKSCS dropped because Big5 has the
/// character are not read.
pub(crate) static BIG5_HKSCS: Lazy<MultiByte> =
    Lazy::new(|| built(ByteSet::of(&[(0x87, 0xFE)]), BIG5_TRAILS, &[packed!("big5"), packed!("big5-hkscs")]));

/// Big5-HKSCS of 2004, as libiconv defines it. Earlier editions have fewer characters, and the editions of 2001 and
/// 1999 have no codes for two scalar values.
pub(crate) static BIG5_HKSCS_2004: Lazy<MultiByte> = Lazy::new(|| hkscs(&[packed!("big5-hkscs-2004")]));

/// Big5-HKSCS of 2001, as libiconv defines it.
pub(crate) static BIG5_HKSCS_2001: Lazy<MultiByte> =
    Lazy::new(|| hkscs(&[packed!("big5-hkscs-2004"), packed!("big5-hkscs-2001")]));

/// Big5-HKSCS of 1999, as libiconv defines it.
pub(crate) static BIG5_HKSCS_1999: Lazy<MultiByte> = Lazy::new(|| {
    hkscs(&[packed!("big5-hkscs-2004"), packed!("big5-hkscs-2001"), packed!("big5-hkscs-1999")])
});

/// IBM's Big5-HKSCS of 2008. The bytes 1A, 1C and 7F are rotated, as in the other Chinese pages of IBM.
pub(crate) static IBM_1375: Lazy<MultiByte> = Lazy::new(|| hkscs(&[packed!("ibm-1375")]));

/// IBM's Big5-HKSCS of 2001, which maps some codes to the private use area.
pub(crate) static IBM_5471: Lazy<MultiByte> =
    Lazy::new(|| hkscs(&[packed!("big5-hkscs-2004"), packed!("big5-hkscs-2001"), packed!("ibm-5471")]));

/// Builds an edition of Big5-HKSCS on the edition of 2008.
fn hkscs(mappings: &[Packed]) -> MultiByte {
    let of_2008 = [packed!("big5"), packed!("big5-hkscs")];
    Builder::new(ByteSet::of(&[(0x81, 0xFE)]), BIG5_TRAILS).take_all(&of_2008).take_all(mappings).build()
}

/// Big5-2003, as libiconv defines it, which is Big5 with ETEN's extensions and user areas.
pub(crate) static BIG5_2003: Lazy<MultiByte> = Lazy::new(|| like_950(BIG5_TRAILS, packed!("big5-2003")));

/// Big5 as IBM defines it, in which private use characters have more trail bytes.
pub(crate) static IBM_950: Lazy<MultiByte> =
    Lazy::new(|| like_950(ByteSet::of(&[(0x40, 0x7E), (0x81, 0xFE)]), packed!("ibm-950")));

/// Code page 950 as IBM defines it.
pub(crate) static IBM_1373: Lazy<MultiByte> = Lazy::new(|| like_950(BIG5_TRAILS, packed!("ibm-1373")));

fn like_950(trails: ByteSet, mapping: Packed) -> MultiByte {
    built(ByteSet::of(&[(0x81, 0xFE)]), trails, &[packed!("big5"), packed!("cp950"), mapping])
}

/// GB2312 (GB/T 2312-1980) in the form of EUC-CN.
pub(crate) static GB2312: Lazy<MultiByte> = Lazy::new(|| built(EUC, EUC, &[packed!("gb2312")]));

/// GB2312 in the form of EUC-CN, with IBM's user area.
pub(crate) static IBM_1383: Lazy<MultiByte> =
    Lazy::new(|| built(EUC, EUC, &[packed!("gb2312"), packed!("ibm-1383")]));

/// The two-byte set of GB2312 that IBM uses as an encoding by itself.
pub(crate) static IBM_5478: Lazy<MultiByte> =
    Lazy::new(|| built(EUC, EUC, &[packed!("gb2312"), packed!("ibm-5478")]));

const GBK_LEADS: ByteSet = ByteSet::of(&[(0x81, 0xFE)]);
const GBK_TRAILS: ByteSet = ByteSet::of(&[(0x40, 0x7E), (0x80, 0xFE)]);

/// GBK with the euro sign as 80, as IANA (which also calls it CP936) and glibc define it.
pub(crate) static GBK: Lazy<MultiByte> =
    Lazy::new(|| built(GBK_LEADS, GBK_TRAILS, &[packed!("gb2312"), packed!("gbk")]));

/// Windows code page 936, which is GBK with three user areas.
pub(crate) static CP936: Lazy<MultiByte> =
    Lazy::new(|| built(GBK_LEADS, GBK_TRAILS, &[packed!("gb2312"), packed!("gbk"), packed!("cp936")]));

/// IBM's GBK, with user areas.
pub(crate) static IBM_1386: Lazy<MultiByte> = Lazy::new(|| {
    built(GBK_LEADS, GBK_TRAILS, &[packed!("gb2312"), packed!("gbk"), packed!("cp936"), packed!("ibm-1386")])
});

/// GB18030 in the edition of 2022, with a code for every scalar value. Unlike on the web, A3A0 is U+E5E5, and 80 is not
/// a character. FE51, FE52, FE53, FE6C, FE76 and FE91 are private use, because the characters that they show have other
/// codes.
pub(crate) static GB18030: Lazy<MultiByte> = Lazy::with_inner(
    || {
        let mappings = [packed!("gb2312"), packed!("gbk"), packed!("gb18030")];
        Builder::new(GBK_LEADS, GBK_TRAILS).take_all(&mappings).quads(&EXCHANGED).build()
    },
    ByteSet::of(&[(0x30, 0x39)]),
);

/// Pairs of a character and a private use character whose four-byte and two-byte codes were exchanged, the first pair
/// in the edition of 2005, and the other pairs in the edition of 2022.
const EXCHANGED: [(u32, u32); 19] = [
    (0x1E3F, 0xE7C7),
    (0xFE10, 0xE78D),
    (0xFE12, 0xE78E),
    (0xFE11, 0xE78F),
    (0xFE13, 0xE790),
    (0xFE14, 0xE791),
    (0xFE15, 0xE792),
    (0xFE16, 0xE793),
    (0xFE17, 0xE794),
    (0xFE18, 0xE795),
    (0xFE19, 0xE796),
    (0x9FB4, 0xE81E),
    (0x9FB5, 0xE826),
    (0x9FB6, 0xE82B),
    (0x9FB7, 0xE82C),
    (0x9FB8, 0xE832),
    (0x9FB9, 0xE843),
    (0x9FBA, 0xE854),
    (0x9FBB, 0xE864),
];

/// The lead byte of EUC-TW's four-byte codes.
const SINGLE_SHIFT_2: u8 = 0x8E;

/// EUC-TW, which encodes planes 1 to 7 and 15 of CNS 11643. Plane 1 has codes of two bytes, and all planes have codes
/// of four bytes.
pub(crate) static EUC_TW: Lazy<MultiByte> = Lazy::new(|| {
    Builder::new(ByteSet::of(&[(SINGLE_SHIFT_2, SINGLE_SHIFT_2), (0xA1, 0xFE)]), EUC)
        .shift(SINGLE_SHIFT_2, true)
        .take(&packed!("euc-tw").mapping(|key| match key {
            Key::Double(plane @ 2.., [row, column]) => {
                Some(Code::quad([SINGLE_SHIFT_2, 0xA0 + plane, row, column]))
            }
            key => key.same(),
        }))
        .plane_of_doubles(1)
        .build()
});
