//! The tables of EUC-KR, code page 949, IBM's variants of both, and Johab.

use super::builder::{Builder, EUC, built};
use super::lazy::Lazy;
use super::mapping::ByteSet;
use super::multi_byte::MultiByte;
use super::packed::{Packed, packed};

/// EUC-KR as glibc defines it, with KS X 1001:2002 and its additions. The spelling of a Hangul syllable as four
/// two-byte codes is not composed, so these codes are read as single letters.
pub(crate) static EUC_KR: Lazy<MultiByte> = Lazy::new(|| built(EUC, EUC, &[packed!("euc-kr")]));

/// IBM's EUC-KR, with a user area.
pub(crate) static IBM_970: Lazy<MultiByte> =
    Lazy::new(|| built(EUC, EUC, &[packed!("euc-kr"), packed!("ibm-970")]));

/// The two-byte codes of IBM's EUC-KR, with a few different symbols, and without single bytes.
pub(crate) static IBM_971: Lazy<MultiByte> =
    Lazy::new(|| built(EUC, EUC, &[packed!("euc-kr"), packed!("ibm-970"), packed!("ibm-971")]));

/// IBM's code page 949, which is KS X 1001 with a user area before it. 5C is the won sign, and the bytes 1A, 1C and 7F
/// are rotated.
pub(crate) static IBM_949: Lazy<MultiByte> =
    Lazy::new(|| built(IBM_949_LEADS, EUC, &[packed!("euc-kr"), packed!("ibm-949")]));

/// IBM's code page 949, in which 5C is the backslash, as in ASCII.
pub(crate) static IBM_949C: Lazy<MultiByte> =
    Lazy::new(|| built(IBM_949_LEADS, EUC, &[packed!("euc-kr"), packed!("ibm-949"), packed!("ibm-949c")]));

const IBM_949_LEADS: ByteSet = ByteSet::of(&[(0x8F, 0xFE)]);

/// Windows code page 949 (Unified Hangul Code), with its two user areas as Windows maps them.
pub(crate) static CP949: Lazy<MultiByte> = Lazy::new(|| unified(&[]));

/// IBM's Unified Hangul Code, in which 5C is the won sign.
pub(crate) static IBM_1363: Lazy<MultiByte> = Lazy::new(|| unified(&[packed!("ibm-1363")]));

/// IBM's Unified Hangul Code, in which 5C is the backslash, as in ASCII.
pub(crate) static IBM_1363C: Lazy<MultiByte> =
    Lazy::new(|| unified(&[packed!("ibm-1363"), packed!("ibm-1363c")]));

/// Builds Unified Hangul Code, modified by `mappings`.
fn unified(mappings: &[Packed]) -> MultiByte {
    let trails = ByteSet::of(&[(0x41, 0x5A), (0x61, 0x7A), (0x81, 0xFE)]);
    let of_windows = [packed!("euc-kr"), packed!("cp949")];
    Builder::new(ByteSet::of(&[(0x81, 0xFE)]), trails).take_all(&of_windows).take_all(mappings).build()
}

/// Johab (KS X 1001 annex 3, Windows code page 1361), which encodes a Hangul syllable by its letters. 5C is the won
/// sign.
pub(crate) static JOHAB: Lazy<MultiByte> = Lazy::new(|| {
    built(
        ByteSet::of(&[(0x84, 0xD3), (0xD9, 0xDE), (0xE0, 0xF9)]),
        ByteSet::of(&[(0x31, 0x7E), (0x81, 0xFE)]),
        &[packed!("johab")],
    )
});
