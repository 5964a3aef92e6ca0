//! A multi-byte encoding without shift states, with the characters of its codes, and tables that are made from these
//! characters on first use.

use std::fmt::Debug;
use std::ops::Deref;
use std::sync::OnceLock;

use super::assigned::{Assigned, DOUBLES};
use super::leads::Leads;
use super::long_cells::LongCells;
use super::longer::Longer;
use super::written::Written;
use crate::decode::Cell;

/// The tables of an encoding.
pub(crate) struct MultiByte {
    assigned: Assigned,
    /// The codes by scalar value, made when a character is first written.
    written: OnceLock<Box<Written>>,
    /// The table that [`MultiByte::units`] returns.
    units: OnceLock<Box<[u16; DOUBLES]>>,
    /// The table that [`MultiByte::codes`] returns.
    codes: OnceLock<Box<[u16; 0x1_0000]>>,
    /// The table that [`MultiByte::long_codes`] returns.
    long_codes: OnceLock<Box<[u32; 0x1_0000]>>,
    /// The table that [`MultiByte::long_cells`] returns.
    long_cells: OnceLock<Option<Box<LongCells>>>,
}

impl From<Assigned> for MultiByte {
    fn from(assigned: Assigned) -> MultiByte {
        MultiByte {
            assigned,
            written: OnceLock::new(),
            units: OnceLock::new(),
            codes: OnceLock::new(),
            long_codes: OnceLock::new(),
            long_cells: OnceLock::new(),
        }
    }
}

impl Deref for MultiByte {
    type Target = Assigned;

    #[inline(always)]
    fn deref(&self) -> &Assigned {
        &self.assigned
    }
}

/// Makes a table on the heap, because it is too large for the stack.
fn table<T: Debug, const N: usize>(values: impl Iterator<Item = T>) -> Box<[T; N]> {
    let values: Box<[T]> = values.collect();
    values.try_into().expect("it has that size")
}

impl MultiByte {
    /// Returns the lead bytes of two-byte codes, for the kernels, or `None` if the kernels cannot use
    /// [`Assigned::cells`].
    pub fn leads(&self) -> Option<Leads> {
        Leads::of(self)
    }

    /// Returns the UTF-16 code units of [`Assigned::cells`]. The code unit is 0 if the character of the cell has no
    /// code unit or two, and for U+0000. The table is made on first use.
    pub fn units(&self) -> &[u16; DOUBLES] {
        let unit = |cell: &Cell| if cell.is_none() { 0 } else { cell.code_point().try_into().unwrap_or(0) };
        self.units.get_or_init(|| table(self.cells().iter().map(unit)))
    }

    /// Returns the code of one or two bytes of each UTF-16 code unit, with the first byte lowest. The code is 0 if
    /// there is none, and for U+0000. The table is made on first use.
    pub fn codes(&self) -> &[u16; 0x1_0000] {
        self.codes.get_or_init(|| table((0..0x1_0000).map(|scalar| self.short_code(scalar))))
    }

    /// Returns the code of up to four bytes of each UTF-16 code unit, with the first byte lowest. The code is 0 if
    /// there is none, and for U+0000. Returns `None` if no code is longer than two bytes. The table is made on first
    /// use.
    pub fn long_codes(&self) -> Option<&[u32; 0x1_0000]> {
        let made = || table((0..0x1_0000).map(|scalar| self.long_code(scalar)));
        (!matches!(self.longer, Longer::None)).then(|| &**self.long_codes.get_or_init(made))
    }

    /// Returns the characters of all codes, or `None` if no code is longer than two bytes or the longer codes have an
    /// unsupported form. The table is made on first use.
    pub fn long_cells(&self) -> Option<&LongCells> {
        self.long_cells.get_or_init(|| LongCells::of(self).map(Box::new)).as_deref()
    }

    /// Whether the table of [`MultiByte::codes`] exists.
    pub fn has_codes(&self) -> bool {
        self.codes.get().is_some()
    }

    pub(super) fn written(&self) -> &Written {
        self.written.get_or_init(|| Box::new(Written::of(self)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::builder::Builder;
    use super::super::lazy::{Lazy, Tables};
    use super::super::mapping::{ByteSet, Code, Mapping};
    use super::super::packed::{Key, packed};
    use super::super::{EUC_TW, JOHAB};
    use super::*;
    use crate::decode::{Decode, Next, WellFormed};
    use crate::encode::WIDEST;

    /// Asserts that tables made of `mapping` at run time read and write the same characters as the built-in tables.
    fn assert_same(built_in: &'static MultiByte, mapping: &Mapping) -> &'static MultiByte {
        let lazy: &'static Lazy<MultiByte> =
            Box::leak(Box::new(Lazy::of(Builder::of(mapping).unwrap().build())));
        let (mut made, mut reader) = (Tables(lazy).get(), built_in);
        for scalar in '\0'..=char::MAX {
            let (mut one, mut other) = ([0; WIDEST], [0; WIDEST]);
            let len = built_in.put_alone(scalar, &mut one);
            assert_eq!(made.put_alone(scalar, &mut other), len, "{scalar:?}");
            assert_eq!(one, other, "{scalar:?}");
        }
        for code in &mapping.codes {
            let bytes = code.0.bytes();
            let expected = reader.next(bytes, true);
            assert!(matches!(expected, Next::Scalar { .. }));
            assert_eq!(made.next(bytes, true), expected, "{bytes:02X?}");
            assert_eq!(made.first(bytes).map(|found| u32::from(found.0)), Some(code.1), "{bytes:02X?}");
            assert_eq!(made.count(bytes), 1);
            for cut in 0..bytes.len() {
                assert_eq!(made.next(&bytes[..cut], false), Next::Incomplete, "{bytes:02X?}");
            }
        }
        made
    }

    #[test]
    fn tables_of_two_bytes_made_at_run_time() {
        let made = assert_same(&JOHAB, &packed!("johab").same());
        assert!(made.trails == ByteSet::of(&[(0x31, 0x7E), (0x81, 0xFE)]) && !made.is_ascii());
        assert!(matches!(made.longer, Longer::None));
    }

    #[test]
    fn tables_of_longer_codes_made_at_run_time() {
        let made = assert_same(
            &EUC_TW,
            &packed!("euc-tw").mapping(|key| match key {
                Key::Double(plane @ 2.., [row, column]) => {
                    Some(Code::quad([0x8E, 0xA0 + plane, row, column]))
                }
                key => key.same(),
            }),
        );
        assert!(made.is_ascii() && matches!(made.longer, Longer::Listed(_)));
        assert_eq!(
            (made.announced(0x8E), made.announced(0xA1), made.announced(b'a')),
            (None, Some(2), Some(1))
        );
    }

    #[test]
    fn bytes_inside_codes_made_at_run_time() {
        let code = |bytes: &[u8], scalar| (Code::new(bytes).unwrap(), scalar);
        let mapping = Mapping {
            codes: vec![
                code(b"A", 0x41),
                code(b"\x81\x30\x81\x30", 0xA4),
                code(b"  ", 0x3000),
                code(b"\x90A", 0x3_0000),
            ],
            pairs: vec![(Code::double(0x90, 0x42), [0x63, 0x301])],
            ..Mapping::default()
        };
        let lazy: &'static Lazy<MultiByte> =
            Box::leak(Box::new(Lazy::of(Builder::of(&mapping).unwrap().build())));
        let tables = Tables(lazy);
        assert!(
            [b' ', b'0'].iter().all(|byte| !tables.always_ends_with(*byte)) && tables.always_ends_with(b'A')
        );
        let mut made = tables.get();
        assert!(!made.is_ascii() && made.has_pairs());
        assert_eq!(made.next(b"\x90B", true), Next::pair([0x63, 0x301], 2));
        for (scalar, bytes) in
            [('A', &b"A"[..]), ('¤', b"\x81\x30\x81\x30"), ('\u{3000}', b"  "), ('\u{30000}', b"\x90A")]
        {
            let mut room = [0; WIDEST];
            assert_eq!(made.put_alone(scalar, &mut room), Some(bytes.len()), "{scalar:?}");
            assert_eq!(&room[..bytes.len()], bytes);
            assert_eq!(made.next(bytes, true), Next::Scalar { code_point: scalar.into(), len: bytes.len() });
        }
        assert_eq!(made.put_alone('B', &mut [0; WIDEST]), None);
        let pairs = vec![(Code::single(0x90), [0x63, 0x301])];
        assert_eq!(Builder::of(&Mapping { pairs, ..Mapping::default() }).err(), Some(Code::single(0x90)));
    }
}
