//! The Big5 and GB families, and CNS 11643.

use std::ops::RangeInclusive;

use super::builder::{Builder, EUC};
use super::lazy::Lazy;
use super::mapping::{ByteSet, Code};
use super::multi_byte::MultiByte;
use super::packed::{Key, packed};

/// Big5 as glibc has it: the ETEN extensions F9D6..F9FE, the euro sign, and C6A1..C8FE as private use.
pub(crate) static BIG5: Lazy<MultiByte> =
    Lazy::new(|| big5((0xA1, 0xF9)).build_preferring(&[0xA451..=0xA451, 0xA4CA..=0xA4CA]));

/// Windows code page 950: Big5 with user areas (8140..A0FE, C6A1..C8FE and FA40..FEFE) as Windows has them.
pub(crate) static CP950: Lazy<MultiByte> = Lazy::new(|| {
    big5((0x81, 0xFE))
        .area(0x81..=0x8D, BIG5_TRAILS, 0xEEB8)
        .area(0x8E..=0xA0, BIG5_TRAILS, 0xE311)
        .area(0xFA..=0xFE, BIG5_TRAILS, 0xE000)
        // Windows writes these box drawings as ETEN's, and these numerals as the ideographs.
        .build_preferring(&[0xA451..=0xA451, 0xA4CA..=0xA4CA, 0xF9E9..=0xF9EB, 0xF9F9..=0xF9F9])
});

const BIG5_TRAILS: ByteSet = ByteSet::of(&[(0x40, 0x7E), (0xA1, 0xFE)]);

fn big5(leads: (u8, u8)) -> Builder {
    Builder::new(ByteSet::of(&[leads]), BIG5_TRAILS)
        .doubles(encoding_rs::BIG5)
        // HKSCS, and pictures of control characters.
        .without(&[0x8140..=0xA0FE, 0xA3C0..=0xA3E0, 0xFA40..=0xFEFE])
        .area(0xC6..=0xC6, EUC, 0xF6B1)
        .area(0xC7..=0xC8, BIG5_TRAILS, 0xF70F)
        .with(&[(0xF9FE, 0x2593)])
}

/// Big5-HKSCS of 2008. Four of its codes are two scalar values. Codes that HKSCS dropped, since Big5 has the
/// character, are not read.
pub(crate) static BIG5_HKSCS: Lazy<MultiByte> = Lazy::new(|| {
    Builder::new(ByteSet::of(&[(0x87, 0xFE)]), BIG5_TRAILS)
        .doubles(encoding_rs::BIG5)
        .without(&DROPPED.map(|code| code..=code))
        .without(&[0xA3C0..=0xA3E1])
        .with(&[
            (0xA145, 0x2022),
            (0xA14E, 0xFF64),
            (0xA1C2, 0x203E),
            (0xA1E3, 0x223C),
            (0xA1F2, 0x2641),
            (0xA1F3, 0x2609),
            (0xA241, 0xFF0F),
            (0xA242, 0xFF3C),
            (0xA244, 0x00A5),
            (0xA246, 0x00A2),
            (0xA247, 0x00A3),
        ])
        .pairs(&[
            (0x8862, [0x00CA, 0x0304]),
            (0x8864, [0x00CA, 0x030C]),
            (0x88A3, [0x00EA, 0x0304]),
            (0x88A5, [0x00EA, 0x030C]),
        ])
        .build_preferring(&[0xA241..=0xA242, 0xA451..=0xA451, 0xA4CA..=0xA4CA, 0xF9E9..=0xF9FE])
});

/// Codes of older Hong Kong sets for characters that Big5 has too.
const DROPPED: [u16; 90] = [
    0x8E69, 0x8E6F, 0x8E7E, 0x8EAB, 0x8EB4, 0x8ECD, 0x8ED0, 0x8F57, 0x8F69, 0x8F6E, 0x8FCB, 0x8FCC, 0x8FFE,
    0x906D, 0x907A, 0x90DC, 0x90F1, 0x91BF, 0x9244, 0x92AF, 0x92B0, 0x92B1, 0x92B2, 0x92C8, 0x92D1, 0x9447,
    0x94CA, 0x95D9, 0x9644, 0x96ED, 0x96FC, 0x9B76, 0x9B78, 0x9B7B, 0x9BC6, 0x9BDE, 0x9BEC, 0x9BF6, 0x9C42,
    0x9C53, 0x9C62, 0x9C68, 0x9C6B, 0x9C77, 0x9CBC, 0x9CBD, 0x9CD0, 0x9D57, 0x9D5A, 0x9DC4, 0x9EA9, 0x9EEF,
    0x9EFD, 0x9F60, 0x9F66, 0x9FCB, 0x9FD8, 0xA063, 0xA077, 0xA0D5, 0xA0DF, 0xA0E4, 0xC6CF, 0xC6D3, 0xC6D5,
    0xC6D7, 0xC6DE, 0xC6DF, 0xFA5F, 0xFA66, 0xFABD, 0xFAC5, 0xFAD5, 0xFB48, 0xFBB8, 0xFBF3, 0xFBF9, 0xFC4F,
    0xFC6C, 0xFCB9, 0xFCE2, 0xFCF1, 0xFDB7, 0xFDB8, 0xFDBB, 0xFDF1, 0xFE52, 0xFE6F, 0xFEAA, 0xFEDD,
];

/// GB2312 in the form of EUC-CN: GB/T 2312-1980.
pub(crate) static GB2312: Lazy<MultiByte> = Lazy::new(|| {
    Builder::new(EUC, EUC)
        .doubles(encoding_rs::GBK)
        .without(LATER_THAN_GBK)
        // What GBK added, and GB18030's rows.
        .without(&[0xA2A1..=0xA2AA, 0xA6E0..=0xA6F5, 0xA8BB..=0xA8C0, 0xA8EA..=0xA9A3])
        .with(&[(0xA1A4, 0x30FB), (0xA1AA, 0x2015)])
        .build()
});

/// GBK with the euro sign as 80, as IANA (which calls it CP936 too) and glibc have it.
pub(crate) static GBK: Lazy<MultiByte> = Lazy::new(|| gbk().build());

/// Windows code page 936: GBK with three user areas.
pub(crate) static CP936: Lazy<MultiByte> = Lazy::new(|| {
    gbk()
        .area(0xAA..=0xAF, EUC, 0xE000)
        .area(0xF8..=0xFE, EUC, 0xE234)
        .area(0xA1..=0xA7, ByteSet::of(&[(0x40, 0x7E), (0x80, 0xA0)]), 0xE4C6)
        .build()
});

const GBK_TRAILS: ByteSet = ByteSet::of(&[(0x40, 0x7E), (0x80, 0xFE)]);

const GBK_LEADS: ByteSet = ByteSet::of(&[(0x81, 0xFE)]);

fn gbk() -> Builder {
    Builder::new(GBK_LEADS, GBK_TRAILS)
        .doubles(encoding_rs::GBK)
        .without(LATER_THAN_GBK)
        .singles(0x80..=0x80, 0x20AC)
}

/// Two-byte codes of GB18030 that GBK does not have.
const LATER_THAN_GBK: &[RangeInclusive<u16>] = &[
    0xA140..=0xA1A0,
    0xA240..=0xA2A0,
    0xA2AB..=0xA2B0,
    0xA2E3..=0xA2E4,
    0xA2EF..=0xA2F0,
    0xA2FD..=0xA3A0,
    0xA440..=0xA4A0,
    0xA4F4..=0xA5A0,
    0xA5F7..=0xA6A0,
    0xA6B9..=0xA6C0,
    0xA6D9..=0xA6DF,
    0xA6EC..=0xA6ED,
    0xA6F3..=0xA6F3,
    0xA6F6..=0xA7A0,
    0xA7C2..=0xA7D0,
    0xA7F2..=0xA7FE,
    0xA896..=0xA8A0,
    0xA8BC..=0xA8BC,
    0xA8BF..=0xA8BF,
    0xA8C1..=0xA8C4,
    0xA8EA..=0xA8FE,
    0xA958..=0xA958,
    0xA95B..=0xA95B,
    0xA95D..=0xA95F,
    0xA989..=0xA995,
    0xA997..=0xA9A3,
    0xA9F0..=0xA9FE,
    0xAAA1..=0xAAFE,
    0xABA1..=0xABFE,
    0xACA1..=0xACFE,
    0xADA1..=0xADFE,
    0xAEA1..=0xAEFE,
    0xAFA1..=0xAFFE,
    0xD7FA..=0xD7FE,
    0xF8A1..=0xF8FE,
    0xF9A1..=0xF9FE,
    0xFAA1..=0xFAFE,
    0xFBA1..=0xFBFE,
    0xFCA1..=0xFCFE,
    0xFDA1..=0xFDFE,
    0xFE50..=0xFEFE,
];

/// GB18030 in the edition of 2022, with a code for every scalar value. A3A0 is U+E5E5 and 80 is nothing, unlike on the
/// web. FE51, FE52, FE53, FE6C, FE76 and FE91 are private use, since the characters they show have other codes.
pub(crate) static GB18030: Lazy<MultiByte> = Lazy::with_inner(
    || {
        Builder::new(GBK_LEADS, GBK_TRAILS)
            .doubles(encoding_rs::GB18030)
            .with(&[(0xA3A0, 0xE5E5)])
            .quads(&EXCHANGED)
            .build()
    },
    ByteSet::of(&[(0x30, 0x39)]),
);

/// Later editions exchanged the codes of these characters, which had four bytes, with those of private use, which had
/// two: the first that of 2005, the others that of 2022.
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

/// EUC-TW: planes 1 to 7 and 15 of CNS 11643. Plane 1 has codes of two bytes, and like the others of four.
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
