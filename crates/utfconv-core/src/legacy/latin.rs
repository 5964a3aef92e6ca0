//! The tables of encodings that write an accented Latin letter as two bytes, with the accent first.

use super::builder::built;
use super::lazy::Lazy;
use super::mapping::ByteSet;
use super::multi_byte::MultiByte;
use super::packed::{Packed, packed};

/// ITU-T T.61 (teletex), in which `#`, `$` and a few other ASCII characters are not at their ASCII bytes.
pub(crate) static T_61: Lazy<MultiByte> = Lazy::new(|| accents(packed!("t.61")));

/// ISO 6937 of 1992, which writes the accent of a letter before the letter.
pub(crate) static ISO_6937: Lazy<MultiByte> = Lazy::new(|| accents(packed!("iso_6937")));

/// ISO 6937-2 of 1983, which writes the accent of a letter before the letter.
pub(crate) static ISO_6937_2: Lazy<MultiByte> = Lazy::new(|| accents(packed!("iso_6937-2")));

/// ANSI X3.110, the character set of videotex (NAPLPS).
pub(crate) static ANSI_X3_110: Lazy<MultiByte> = Lazy::new(|| accents(packed!("ansi_x3.110")));

fn accents(mapping: Packed) -> MultiByte {
    built(ByteSet::of(&[(0xC1, 0xCF)]), ByteSet::of(&[(0x20, 0x7E)]), &[mapping])
}
