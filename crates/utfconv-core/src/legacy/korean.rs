//! EUC-KR, code page 949 and Johab.

use super::builder::{EUC, built};
use super::lazy::Lazy;
use super::mapping::ByteSet;
use super::multi_byte::MultiByte;
use super::packed::packed;

/// EUC-KR: KS X 1001:2002 with its additions, as glibc has it. The eight-byte spelling of Hangul is not decoded: its
/// codes are read as single letters.
pub(crate) static EUC_KR: Lazy<MultiByte> = Lazy::new(|| built(EUC, EUC, &[packed!("euc-kr")]));

/// Windows code page 949 (Unified Hangul Code), with its two user areas as Windows has them.
pub(crate) static CP949: Lazy<MultiByte> = Lazy::new(|| {
    built(
        ByteSet::of(&[(0x81, 0xFE)]),
        ByteSet::of(&[(0x41, 0x5A), (0x61, 0x7A), (0x81, 0xFE)]),
        &[packed!("euc-kr"), packed!("cp949")],
    )
});

/// Johab (KS X 1001 annex 3, Windows code page 1361): Hangul by letters, with 5C the won sign.
pub(crate) static JOHAB: Lazy<MultiByte> = Lazy::new(|| {
    built(
        ByteSet::of(&[(0x84, 0xD3), (0xD9, 0xDE), (0xE0, 0xF9)]),
        ByteSet::of(&[(0x31, 0x7E), (0x81, 0xFE)]),
        &[packed!("johab")],
    )
});
