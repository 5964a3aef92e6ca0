//! Makes the tables of an encoding, from those of encoding_rs and the differences from them.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::OnceLock;

use super::packed::{Code, Packed};
use super::{DOUBLES, LEAD, MultiByte, NEVER, SINGLE_SHIFT_3, Shifted, double_at, double_of, shifted_at};
use crate::decode::Cell;

type Bytes = RangeInclusive<u8>;
type CodeRange = RangeInclusive<u16>;

/// The bytes of the sets of 94 characters in EUC.
pub(super) const EUC: &[Bytes] = &[0xA1..=0xFE];

/// Where a code of a mapping file is in an encoding.
pub(super) enum Place {
    /// It has two bytes.
    Double(u16),
    /// It is after a single shift, at [`shifted_at`].
    Shifted(usize),
    /// The encoding does not have it.
    Nowhere,
}

impl Place {
    /// The code of two bytes that it is in the mapping file.
    pub fn same((_, lead, trail): Code) -> Place {
        Place::Double(u16::from_be_bytes([lead, trail]))
    }
}

/// The tables of an encoding that is being built.
pub(super) struct Builder {
    made: MultiByte,
}

impl Builder {
    /// ASCII, and lead bytes, with nothing assigned to them.
    pub fn new(leads: &[Bytes], trails: &'static [Bytes]) -> Builder {
        let mut singles = [NEVER; 256];
        for (scalar, single) in (0..0x80).zip(&mut singles) {
            *single = scalar;
        }
        for lead in leads.iter().cloned().flatten() {
            singles[usize::from(lead)] = LEAD;
        }
        Builder {
            made: MultiByte {
                singles,
                ascii: std::array::from_fn(|byte| Cell::of(byte as u32)),
                doubles: vec![Cell::NONE; DOUBLES].try_into().expect("it has that size"),
                shifted: Shifted::default(),
                quads: [].into(),
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
            self.made.shifted.scalars[shifted_at(0, *b, *c)] = cell.scalar().map_or(0, u32::from);
        }
        self
    }

    /// A single shift, before codes of two bytes; or, if planes have numbers, of three.
    pub fn shift(mut self, lead: u8, is_numbered: bool) -> Builder {
        let planes = if is_numbered { 16 } else { 1 };
        self.made.shifted = Shifted { lead, is_numbered, scalars: vec![0; planes << 14].into() };
        self
    }

    /// Gives a plane after the single shift the two-byte codes, as a second spelling.
    pub fn plane_of_doubles(mut self, plane: u8) -> Builder {
        for [lead, trail] in self.made.double_codes() {
            if let Some(scalar) = self.made.doubles[double_at(lead, trail)].scalar() {
                self.made.shifted.scalars[shifted_at(plane, lead, trail)] = scalar.into();
            }
        }
        self
    }

    /// Takes a mapping file: its single bytes, what is only read or written, and the codes of which `place` makes others, or
    /// else the same. Codes of a mapping file that was taken before stay, if this has none.
    pub fn mapped(mut self, packed: Packed, place: fn(Code) -> Place) -> Builder {
        let mapping = packed.unpack();
        let made = &mut self.made;
        for (byte, scalar) in &mapping.singles {
            made.singles[usize::from(*byte)] = *scalar;
        }
        for (code, scalar) in &mapping.codes {
            match place(*code) {
                Place::Double(code) => made.doubles[double_of(code)] = Cell::of(*scalar),
                Place::Shifted(code) => made.shifted.scalars[code] = *scalar,
                Place::Nowhere => {}
            }
        }
        let double = |code| match place(code) {
            Place::Double(code) => code,
            Place::Shifted(_) | Place::Nowhere => unreachable!("only codes of two bytes are special"),
        };
        made.pairs = mapping.pairs.iter().map(|(code, scalars)| (double(*code), *scalars)).collect();
        // Of codes after a single shift the lowest is written, and a code of two bytes before them.
        let is_double = |code: &Code| matches!(place(*code), Place::Double(_));
        let singles = mapping.singles_read_only.iter().map(|byte| u16::from(*byte));
        made.read_only = singles.chain(mapping.read_only.into_iter().filter(is_double).map(double)).collect();
        made.also = mapping.write_only.iter().map(|(code, scalar)| (double(*code), *scalar)).collect();
        self.ascii(&mapping.singles, &mapping.singles_read_only, &mapping.singles_write_only)
    }

    /// Works out what the bytes below 80 are, and how the ASCII characters are written.
    fn ascii(mut self, singles: &[(u8, u32)], read_only: &[u8], write_only: &[(u8, u32)]) -> Builder {
        let made = &mut self.made;
        made.ascii_written = [0xFF; 0x80];
        for byte in (0..0x80).filter(|byte| !singles.iter().any(|(single, _)| single == byte)) {
            made.singles[usize::from(byte)] = NEVER;
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

    /// Gives the four-byte codes of GB18030 their order: that of the scalar values without a shorter code, where the
    /// second of each pair in `exchanged` has the position of the first, which has the shorter code of the second.
    pub fn quads(mut self, exchanged: &[(u32, u32)]) -> Builder {
        let mut quads: Vec<u32> = (0..0x1_0000).collect();
        quads[..0x80].fill(0);
        quads[0xD800..0xE000].fill(0);
        for scalar in self.made.doubles_from(0x8000) {
            quads[scalar as usize] = 0;
        }
        for (old, new) in exchanged {
            quads[*old as usize] = *new;
            quads[*new as usize] = 0;
        }
        quads.retain(|scalar| *scalar != 0);
        self.made.quads = quads.into();
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
    pub fn area(mut self, leads: Bytes, trails: &[Bytes], first: u32) -> Builder {
        let codes =
            leads.flat_map(|lead| trails.iter().cloned().flatten().map(move |trail| double_at(lead, trail)));
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
            self.made.shifted.scalars[shifted_at(0, b, c)] = scalar;
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
        self.made.shifted.scalars.iter().copied().collect()
    }

    /// Done. Of several codes for a scalar value, the lowest is written.
    pub fn build(self) -> MultiByte {
        self.made
    }

    /// Done. Of several codes for a scalar value, the first in the order of these ranges is written, or else the lowest.
    pub fn build_preferring(mut self, first: &'static [CodeRange]) -> MultiByte {
        self.made.first = first;
        self.made
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
