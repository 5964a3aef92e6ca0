//! The tables of a multi-byte encoding without shift states: single bytes, codes of two bytes, and an adapter for longer
//! ones. The encodings have all of them made by [`Builder`](super::builder::Builder), of mappings.

use std::sync::OnceLock;

use super::builder::Builder;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use super::leads::Leads;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use super::long_cells::LongCells;
use super::longer::Longer;
use super::mapping::{ByteSet, Code, Mapping};
use super::written::Written;
use crate::decode::Cell;

/// What a byte is that is no character by itself.
pub(super) const LEAD: u32 = u32::MAX;
pub(super) const NEVER: u32 = u32::MAX - 1;

/// Marks a lead byte of [`MultiByte::singles`]; the scalar values are all below.
pub(super) const NO_SINGLE: u32 = 0x11_0000;

/// A multi-byte encoding: its tables.
pub(crate) struct MultiByte {
    /// By byte: a scalar value, [`LEAD`] or [`NEVER`].
    pub(super) singles: [u32; 256],
    /// By byte below 80: what it is by itself. The cell of 80 is empty.
    pub(super) ascii: [Cell; 0x81],
    /// By [`double_at`]. If 80 is no lead byte, the single bytes are in its row.
    pub(super) doubles: Box<[Cell; DOUBLES]>,
    pub(super) longer: Longer,
    /// Two-byte codes for two scalar values.
    pub(super) pairs: Vec<(u16, [u32; 2])>,
    /// The trail bytes of the encoding's form, whether assigned or not.
    pub(super) trails: ByteSet,
    /// The bytes below 80 that are not ASCII, or else FF. Trails do not count.
    pub(super) not_ascii: [u8; 2],
    /// There are more of those.
    pub(super) has_few_ascii: bool,
    /// The bytes of the ASCII characters; FF for one that there is not.
    pub(super) ascii_written: [u8; 0x80],
    /// Whether these are the same bytes.
    pub(super) writes_ascii: bool,
    /// Scalar values that are written as another's code, of one or two bytes.
    pub(super) also: Vec<(u16, u32)>,
    /// Codes of one or two bytes that are never written, in ascending order.
    pub(super) read_only: Vec<u16>,
    /// The codes by scalar value, made when something is first written.
    pub(super) written: OnceLock<Box<Written>>,
    /// See [`MultiByte::codes`].
    #[cfg_attr(not(any(target_arch = "x86_64", target_arch = "aarch64")), allow(dead_code))]
    // only vector sets need it
    pub(super) codes: OnceLock<Box<[u16; 0x1_0000]>>,
    /// See [`MultiByte::long_codes`].
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    pub(super) long_codes: OnceLock<Box<[u32; 0x1_0000]>>,
    /// See [`MultiByte::long_cells`].
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    pub(super) long_cells: OnceLock<Option<Box<LongCells>>>,
}

/// The size of a table of two-byte codes.
pub(crate) const DOUBLES: usize = 0x80 << 8;

#[inline(always)]
pub(super) fn double_at(lead: u8, trail: u8) -> usize {
    usize::from(lead & 0x7F) << 8 | usize::from(trail)
}

#[inline(always)]
pub(super) fn double_of(code: u16) -> usize {
    usize::from(code & 0x7FFF)
}

impl MultiByte {
    /// The tables of a mapping that is known only at run time. Lead and trail bytes are those that its codes have.
    ///
    /// # Errors
    /// A code for two scalar values that has not two bytes, or begins below 80.
    pub fn of(mapping: &Mapping) -> Result<MultiByte, Code> {
        let is_double = |code: &Code| code.len() == 2 && code.lead() >= 0x80;
        if let Some((code, _)) = mapping.pairs.iter().find(|(code, _)| !is_double(code)) {
            return Err(*code);
        }
        let codes =
            || mapping.codes.iter().map(|(code, _)| code).chain(mapping.pairs.iter().map(|(code, _)| code));
        let trails = codes().filter(|code| is_double(code)).map(Code::last).collect();
        let leads = codes().filter(|code| code.len() > 1).map(Code::lead).collect();
        Ok(Builder::new(leads, trails).take(mapping).build())
    }

    /// Whether the bytes 00..7F are ASCII wherever they are, and ASCII is written as them whatever follows.
    pub fn is_ascii(&self) -> bool {
        self.not_ascii == [0xFF; 2]
            && !self.has_few_ascii
            && self.pairs.iter().all(|(_, [first, _])| *first >= 0x80)
            && (0..0x80).all(|byte| !self.trails.has(byte) && !self.inner().has(byte))
    }

    /// The bytes below 80 that codes have before the last byte.
    pub(super) fn inner(&self) -> ByteSet {
        match &self.longer {
            Longer::Listed(listed) => listed.inner().iter().filter(|byte| *byte < 0x80).collect(),
            Longer::Quads(_) => ByteSet::of(&[(0x30, 0x39)]),
            Longer::None | Longer::Planes(_) => ByteSet::EMPTY,
        }
    }

    /// The two-byte codes of the encoding's form, in ascending order.
    pub(super) fn double_codes(&self) -> Vec<[u8; 2]> {
        let trails: Vec<u8> = self.trails.iter().collect();
        let leads = (0x80..=0xFF).filter(|lead| self.singles[usize::from(*lead)] == LEAD);
        let mut codes = Vec::with_capacity(trails.len() << 7);
        leads.for_each(|lead| codes.extend(trails.iter().map(|trail| [lead, *trail])));
        codes
    }

    /// The scalar values of the two-byte codes from `code` on.
    pub(super) fn doubles_from(&self, code: u16) -> impl Iterator<Item = u32> {
        self.doubles[double_of(code)..].iter().filter_map(|cell| cell.scalar()).map(u32::from)
    }

    /// Whether any code is for two scalar values.
    pub fn has_pairs(&self) -> bool {
        !self.pairs.is_empty()
    }

    /// Whether a code of one or two bytes is never written.
    pub(super) fn is_read_only(&self, code: u16) -> bool {
        self.read_only.binary_search(&code).is_ok()
    }

    /// Whether a code for two scalar values begins with `scalar`.
    pub(super) fn begins_pair(&self, scalar: u32) -> bool {
        self.pairs.iter().any(|(_, [first, _])| *first == scalar)
    }

    /// The code of a character by itself, if it is a single byte below 80 or only in a list.
    pub(super) fn code_alone(&self, scalar: u32) -> Option<Code> {
        if let Longer::Listed(listed) = &self.longer
            && let Some(code) = listed.code(scalar)
        {
            return Some(code);
        }
        self.singles_written()
            .filter(|(_, written)| *written == scalar)
            .last()
            .map(|(byte, _)| Code::single(byte))
    }

    /// The single bytes that are written, and for what; the last for a character counts.
    pub(super) fn singles_written(&self) -> impl Iterator<Item = (u8, u32)> {
        let read = (0..).zip(self.singles).filter(|(byte, _)| !self.is_read_only(*byte));
        read.chain(self.also.iter().copied())
            .filter_map(|(code, scalar)| Some((u8::try_from(code).ok()?, scalar)))
    }

    /// The bytes that lead codes of two bytes, for the kernels; `None` if these cannot use [`MultiByte::cells`].
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    pub fn leads(&self) -> Option<Leads> {
        Leads::of(self)
    }

    /// The characters of single bytes, by byte, and of codes of two bytes, by these without the highest bit.
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    pub fn cells(&self) -> &[Cell; DOUBLES] {
        &self.doubles
    }

    /// Whether bytes below 80 are ASCII where a character begins.
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    pub fn reads_ascii(&self) -> bool {
        self.not_ascii == [0xFF; 2] && !self.has_few_ascii
    }

    /// The codes of one or two bytes by UTF-16 code unit, the first byte lowest; 0 for what has none, and for U+0000. Made
    /// when it is first asked for.
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    pub fn codes(&self) -> &[u16; 0x1_0000] {
        self.codes.get_or_init(|| {
            let mut codes: Box<[u16; 0x1_0000]> = vec![0; 0x1_0000].try_into().expect("it has that size");
            for (scalar, code) in (0..).zip(codes.iter_mut()) {
                *code = self.short_code(scalar);
            }
            codes
        })
    }

    /// The codes of up to four bytes by UTF-16 code unit, the first byte lowest; 0 for what has none, and for U+0000. `None` if
    /// no code is longer than two bytes. Made when it is first asked for.
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    pub fn long_codes(&self) -> Option<&[u32; 0x1_0000]> {
        let made = || {
            let mut codes: Box<[u32; 0x1_0000]> = vec![0; 0x1_0000].try_into().expect("it has that size");
            for (scalar, code) in (0..).zip(codes.iter_mut()) {
                *code = self.long_code(scalar);
            }
            codes
        };
        (!matches!(self.longer, Longer::None)).then(|| &**self.long_codes.get_or_init(made))
    }

    /// The characters of all codes; `None` if none is longer than two bytes, or in an order of their own. Made when it is
    /// first asked for.
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    pub fn long_cells(&self) -> Option<&LongCells> {
        self.long_cells.get_or_init(|| LongCells::of(self).map(Box::new)).as_deref()
    }

    /// Whether [`MultiByte::codes`] is made.
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    pub fn has_codes(&self) -> bool {
        self.codes.get().is_some()
    }

    pub(super) fn written(&self) -> &Written {
        self.written.get_or_init(|| Box::new(Written::of(self)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::lazy::{Lazy, Tables};
    use super::super::packed::{Key, packed};
    use super::super::{EUC_TW, JOHAB};
    use super::*;
    use crate::decode::{Decode, Next, WellFormed};
    use crate::encode::WIDEST;

    /// A table that is made at run time reads and writes the characters of a built-in one.
    fn assert_same(built_in: &'static MultiByte, mapping: &Mapping) -> &'static MultiByte {
        let lazy: &'static Lazy<MultiByte> = Box::leak(Box::new(Lazy::of(MultiByte::of(mapping).unwrap())));
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
        let lazy: &'static Lazy<MultiByte> = Box::leak(Box::new(Lazy::of(MultiByte::of(&mapping).unwrap())));
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
        assert_eq!(MultiByte::of(&Mapping { pairs, ..Mapping::default() }).err(), Some(Code::single(0x90)));
    }
}
