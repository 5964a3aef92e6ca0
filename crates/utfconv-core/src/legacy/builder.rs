//! Makes the tables of an encoding, from those of encoding_rs and the differences from them.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::OnceLock;

use super::{DOUBLES, LEAD, MultiByte, NEVER, double_at, double_of, triple_at};
use crate::decode::Cell;

type Bytes = RangeInclusive<u8>;
type CodeRange = RangeInclusive<u16>;

/// The bytes of the sets of 94 characters in EUC.
pub(super) const EUC: &[Bytes] = &[0xA1..=0xFE];

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
                triples: [].into(),
                quads: [].into(),
                pairs: &[],
                trails,
                not_ascii: [0xFF; 2],
                also: Vec::new(),
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
            (0xA1..=0xFE).flat_map(|b| (0xA1..=0xFE).map(move |c| [super::SINGLE_SHIFT_3, b, c])).collect();
        let mut triples = vec![0; 1 << 14];
        for ([_, b, c], cell) in codes.iter().zip(decode(encoding_rs::EUC_JP, &codes)) {
            triples[triple_at(*b, *c)] = cell.scalar().map_or(0, u32::from);
        }
        self.made.triples = triples.into();
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
                assert_eq!(second, 0xFF, "there are no more than two");
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
            self.made.triples[triple_at(b, c)] = scalar;
        }
        self
    }

    /// Codes for two scalar values.
    pub fn pairs(mut self, pairs: &'static [(u16, [u32; 2])]) -> Builder {
        self.made.pairs = pairs;
        self
    }

    /// Scalar values that are written as another's code.
    pub fn also(mut self, cells: &[(u16, u32)]) -> Builder {
        self.made.also.extend_from_slice(cells);
        self
    }

    /// The scalar values of the codes after 8F.
    pub fn in_triples(&self) -> HashSet<u32> {
        self.made.triples.iter().copied().collect()
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
