//! Makes the tables of an encoding, from those of encoding_rs and the differences from them.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::OnceLock;

use super::listed::Listed;
use super::longer::{Longer, Planes, Quads, plane_at};
use super::mapping::{ByteSet, Code, Mapping};
use super::multi_byte::{DOUBLES, LEAD, MultiByte, NEVER, double_at, double_of};
use super::written::WRITTEN_END;
use crate::decode::Cell;

type Bytes = RangeInclusive<u8>;
type CodeRange = RangeInclusive<u16>;

/// The bytes of the sets of 94 characters in EUC.
pub(super) const EUC: ByteSet = ByteSet::of(&[(0xA1, 0xFE)]);

/// The lead byte of EUC-JP's three-byte codes.
const SINGLE_SHIFT_3: u8 = 0x8F;

/// The tables of an encoding that is being built.
pub(super) struct Builder {
    made: MultiByte,
    /// Codes that only a list has room for, and what else it has to write.
    listed: Vec<(Code, u32)>,
    listed_written: Vec<(u32, Code)>,
}

impl Builder {
    /// ASCII, and lead bytes, with nothing assigned to them.
    pub fn new(leads: ByteSet, trails: ByteSet) -> Builder {
        let mut singles = [NEVER; 256];
        for (scalar, single) in (0..0x80).zip(&mut singles) {
            *single = scalar;
        }
        for lead in leads.iter() {
            singles[usize::from(lead)] = LEAD;
        }
        Builder {
            made: MultiByte {
                singles,
                ascii: std::array::from_fn(|byte| Cell::of(byte as u32)),
                doubles: vec![Cell::NONE; DOUBLES].try_into().expect("it has that size"),
                longer: Longer::None,
                pairs: Vec::new(),
                trails,
                not_ascii: [0xFF; 2],
                has_few_ascii: false,
                ascii_written: std::array::from_fn(|byte| byte as u8),
                writes_ascii: true,
                also: Vec::new(),
                read_only: Vec::new(),
                first: &[],
                written: OnceLock::new(),
            },
            listed: Vec::new(),
            listed_written: Vec::new(),
        }
    }

    /// Takes the two-byte codes of `encoding` that have the form of this one.
    pub fn doubles(mut self, encoding: &'static encoding_rs::Encoding) -> Builder {
        let codes = self.made.double_codes();
        for ([lead, trail], cell) in codes.iter().zip(decode(encoding, &codes)) {
            self.made.doubles[double_at(*lead, *trail)] = cell;
        }
        self
    }

    /// Takes the codes after 8F of EUC-JP.
    pub fn triples(mut self) -> Builder {
        let codes: Vec<[u8; 3]> =
            (0xA1..=0xFE).flat_map(|b| (0xA1..=0xFE).map(move |c| [SINGLE_SHIFT_3, b, c])).collect();
        let cells = decode(encoding_rs::EUC_JP, &codes);
        self = self.shift(SINGLE_SHIFT_3, false);
        for ([_, b, c], cell) in codes.iter().zip(cells) {
            self.planes().scalars[plane_at(0, *b, *c)] = cell.scalar().map_or(0, u32::from);
        }
        self
    }

    /// A single shift, before codes of two bytes; or, if planes have numbers, of three.
    pub fn shift(mut self, lead: u8, is_numbered: bool) -> Builder {
        self.made.longer = Longer::Planes(Planes::new(lead, is_numbered));
        self
    }

    fn planes(&mut self) -> &mut Planes {
        match &mut self.made.longer {
            Longer::Planes(planes) => planes,
            _ => unreachable!("there is a single shift"),
        }
    }

    /// Gives a plane after the single shift the two-byte codes, as a second spelling.
    pub fn plane_of_doubles(mut self, plane: u8) -> Builder {
        for [lead, trail] in self.made.double_codes() {
            if let Some(scalar) = self.made.doubles[double_at(lead, trail)].scalar() {
                self.planes().scalars[plane_at(plane, lead, trail)] = scalar.into();
            }
        }
        self
    }

    /// Takes a mapping: its single bytes, what is only read or written, and its codes. Codes of several bytes of one that was
    /// taken before stay, if this has none.
    pub fn take(mut self, mapping: &Mapping) -> Builder {
        let made = &mut self.made;
        let is_single = |code: &Code| code.len() == 1;
        let mut singles: Vec<(u8, u32)> = Vec::new();
        for (code, scalar) in &mapping.codes {
            match *code.bytes() {
                [byte] => singles.push((byte, *scalar)),
                [0x80..=0xFF, _] => made.doubles[double_of(code.short().expect("it is"))] = Cell::of(*scalar),
                _ => match &mut made.longer {
                    Longer::Planes(planes) if let Some(at) = planes.at(*code) => planes.scalars[at] = *scalar,
                    _ => self.listed.push((*code, *scalar)),
                },
            }
        }
        for (byte, scalar) in &singles {
            made.singles[usize::from(*byte)] = *scalar;
        }
        let short = |code: &Code| code.short();
        made.pairs = mapping.pairs.iter().filter_map(|(code, both)| Some((code.short()?, *both))).collect();
        made.read_only = mapping.read_only.iter().filter_map(short).collect();
        made.read_only.sort_unstable();
        made.also =
            mapping.write_only.iter().filter_map(|(code, scalar)| Some((code.short()?, *scalar))).collect();
        let only_written = mapping.write_only.iter().filter(|(code, _)| is_single(code));
        let only_written: Vec<(u8, u32)> =
            only_written.map(|(code, scalar)| (code.lead(), *scalar)).collect();
        let only_read: Vec<u8> =
            mapping.read_only.iter().filter(|code| is_single(code)).map(Code::lead).collect();
        self.listed_written.extend(self.listed_codes(mapping));
        self.ascii(&singles, &only_read, &only_written)
    }

    /// The codes of a mapping that the tables of short codes cannot write, in the order in which they are preferred.
    fn listed_codes(&self, mapping: &Mapping) -> Vec<(u32, Code)> {
        let is_listed = |code: &Code, scalar: u32| {
            let is_longer = match *code.bytes() {
                [byte] => byte == 0 && scalar != 0,
                [lead, _] => lead < 0x80 || scalar < 0x80,
                _ => !matches!(&self.made.longer, Longer::Planes(planes) if planes.at(*code).is_some()),
            };
            is_longer || scalar >= WRITTEN_END
        };
        let read_only: HashSet<&Code> = mapping.read_only.iter().collect();
        let mut read: Vec<_> = mapping.codes.iter().filter(|(code, _)| !read_only.contains(code)).collect();
        read.sort_by_key(|(code, _)| (code.len(), *code));
        let written = mapping.write_only.iter().chain(read);
        written
            .filter(|(code, scalar)| is_listed(code, *scalar))
            .map(|(code, scalar)| (*scalar, *code))
            .collect()
    }

    /// Works out what the bytes below 80 are, and how the ASCII characters are written.
    fn ascii(mut self, singles: &[(u8, u32)], read_only: &[u8], write_only: &[(u8, u32)]) -> Builder {
        let made = &mut self.made;
        made.ascii_written = [0xFF; 0x80];
        for byte in (0..0x80).filter(|byte| !singles.iter().any(|(single, _)| single == byte)) {
            let single = &mut made.singles[usize::from(byte)];
            *single = if *single == LEAD { LEAD } else { NEVER };
        }
        let written = singles.iter().filter(|(byte, _)| !read_only.contains(byte));
        for (byte, scalar) in written.chain(write_only) {
            if let Some(written) = made.ascii_written.get_mut(*scalar as usize) {
                *written = *byte;
            }
        }
        made.writes_ascii = (0..0x80).zip(made.ascii_written).all(|(byte, written)| byte == written);
        made.ascii = std::array::from_fn(|byte| Cell::of(made.singles[byte]));
        let mut others = (0..0x80_u8).filter(|byte| made.singles[usize::from(*byte)] != u32::from(*byte));
        made.not_ascii = [others.next().unwrap_or(0xFF), others.next().unwrap_or(0xFF)];
        made.has_few_ascii = others.next().is_some();
        self
    }

    /// Gives GB18030 its four-byte codes, with pairs of codes that were exchanged: see [`Quads::new`].
    pub fn quads(mut self, exchanged: &[(u32, u32)]) -> Builder {
        self.made.longer = Longer::Quads(Quads::new(self.made.doubles_from(0x8000), exchanged));
        self
    }

    /// Bytes that are characters by themselves, counted up from `first`.
    pub fn singles(mut self, bytes: Bytes, first: u32) -> Builder {
        for (byte, scalar) in bytes.zip(first..) {
            if byte < 0x80 {
                let [first, second] = self.made.not_ascii;
                assert_eq!(second, 0xFF, "there are two at most");
                self.made.not_ascii = [byte, first];
                self.made.ascii[usize::from(byte)] = Cell::of(scalar);
            }
            self.made.singles[usize::from(byte)] = scalar;
        }
        self
    }

    /// Removes these two-byte codes, including all between the first and the last of a range.
    pub fn without(mut self, ranges: &[CodeRange]) -> Builder {
        for code in ranges.iter().cloned().flatten() {
            self.made.doubles[double_of(code)] = Cell::NONE;
        }
        self
    }

    /// Gives two-byte codes another meaning.
    pub fn with(mut self, cells: &[(u16, u32)]) -> Builder {
        for (code, scalar) in cells {
            self.made.doubles[double_of(*code)] = Cell::of(*scalar);
        }
        self
    }

    /// Gives the two-byte codes of an area consecutive scalar values from `first` on.
    pub fn area(mut self, leads: Bytes, trails: ByteSet, first: u32) -> Builder {
        let codes = leads.flat_map(|lead| trails.iter().map(move |trail| double_at(lead, trail)));
        for (at, scalar) in codes.zip(first..) {
            self.made.doubles[at] = Cell::of(scalar);
        }
        self
    }

    /// Gives codes after 8F these scalar values, one after the other from the code `from` on.
    pub fn triples_from(mut self, from: [u8; 2], scalars: impl IntoIterator<Item = u32>) -> Builder {
        let codes = (from[0]..=0xFE)
            .flat_map(|b| (0xA1..=0xFE).map(move |c| [b, c]))
            .skip_while(|code| *code != from);
        for ([b, c], scalar) in codes.zip(scalars) {
            self.planes().scalars[plane_at(0, b, c)] = scalar;
        }
        self
    }

    /// Codes for two scalar values.
    pub fn pairs(mut self, pairs: &[(u16, [u32; 2])]) -> Builder {
        self.made.pairs = pairs.to_vec();
        self
    }

    /// Scalar values that are written as another's code.
    pub fn also(mut self, cells: &[(u16, u32)]) -> Builder {
        self.made.also.extend_from_slice(cells);
        self
    }

    /// The scalar values of the codes after 8F.
    pub fn in_triples(&self) -> HashSet<u32> {
        match &self.made.longer {
            Longer::Planes(planes) => planes.scalars.iter().copied().collect(),
            _ => HashSet::new(),
        }
    }

    /// Done. Of several codes for a scalar value, the lowest is written.
    pub fn build(mut self) -> MultiByte {
        if !self.listed.is_empty() || !self.listed_written.is_empty() {
            self.made.longer = Longer::Listed(Listed::new(self.listed, self.listed_written));
        }
        self.made
    }

    /// Done. Of several codes for a scalar value, the first in the order of these ranges is written, or else the lowest.
    pub fn build_preferring(mut self, first: &'static [CodeRange]) -> MultiByte {
        self.made.first = first;
        self.build()
    }
}

/// What each of `codes` is in `encoding`, if it is exactly one character.
fn decode<const N: usize>(encoding: &'static encoding_rs::Encoding, codes: &[[u8; N]]) -> Vec<Cell> {
    // All at once, with a separator that no fault swallows.
    let mut source = Vec::with_capacity((N + 1) * codes.len());
    for code in codes {
        source.extend_from_slice(code);
        source.push(b'\n');
    }
    let text = encoding.decode_without_bom_handling(&source).0;
    let cells: Vec<Cell> = text
        .as_bytes()
        .split_inclusive(|byte| *byte == b'\n')
        .map(|line| match Cell::of_utf8(&line[..line.len() - 1]) {
            REPLACEMENT => Cell::NONE,
            cell => cell,
        })
        .collect();
    assert_eq!(cells.len(), codes.len(), "the separators are all there");
    cells
}

const REPLACEMENT: Cell = Cell::of(char::REPLACEMENT_CHARACTER as u32);
