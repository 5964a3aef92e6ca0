//! Makes the tables of an encoding, out of encoding_rs and what is to be different.

use std::ops::RangeInclusive;

use super::{Codes, LEAD, MultiByte, NEVER, double_at, quad_bytes, triple_at};

type Bytes = RangeInclusive<u8>;
type CodeRange = RangeInclusive<u16>;

/// The tables of an encoding in the making.
pub(super) struct Builder {
    made: MultiByte,
}

impl Builder {
    /// ASCII, and lead bytes, with nothing assigned to them.
    pub fn new(leads: &[Bytes], is_trail: fn(u8) -> bool) -> Builder {
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
                doubles: vec![0; 0x80 << 8].into(),
                triples: [].into(),
                quads: [].into(),
                pairs: &[],
                is_trail,
                codes: Codes::new(),
                quad_codes: Codes::new(),
                reads_ascii: true,
            },
        }
    }

    /// Takes the two-byte codes of `encoding` that have the form of this one.
    pub fn doubles(mut self, encoding: &'static encoding_rs::Encoding) -> Builder {
        let codes: Vec<[u8; 2]> = self.double_codes().collect();
        for ([lead, trail], scalar) in codes.iter().zip(decode(encoding, &codes)) {
            self.made.doubles[double_at(*lead, *trail)] = scalar;
        }
        self
    }

    fn double_codes(&self) -> impl Iterator<Item = [u8; 2]> + use<> {
        let (singles, is_trail) = (self.made.singles, self.made.is_trail);
        let leads = (0x80..=0xFF).filter(move |lead| singles[usize::from(*lead)] == LEAD);
        leads.flat_map(move |lead| {
            (0x40..=0xFF).filter(move |trail| is_trail(*trail)).map(move |trail| [lead, trail])
        })
    }

    /// Takes the codes after 8F of EUC-JP.
    pub fn triples(mut self) -> Builder {
        let codes: Vec<[u8; 3]> =
            (0xA1..=0xFE).flat_map(|b| (0xA1..=0xFE).map(move |c| [super::SINGLE_SHIFT_3, b, c])).collect();
        let mut triples = vec![0; 1 << 14];
        for ([_, b, c], scalar) in codes.iter().zip(decode(encoding_rs::EUC_JP, &codes)) {
            triples[triple_at(*b, *c)] = scalar;
        }
        self.made.triples = triples.into();
        self
    }

    /// Takes the four-byte codes of GB18030; gives those of the first of each pair in `exchanged` to the second.
    pub fn quads(mut self, exchanged: &[(u32, u32)]) -> Builder {
        // 81 30 81 30 to 84 31 A4 39.
        let codes: Vec<[u8; 4]> = (0..39420).map(quad_bytes).collect();
        let mut quads = decode(encoding_rs::GB18030, &codes);
        // The one code that encoding_rs cannot be asked for by its output.
        quads[super::quad_at([0x84, 0x31, 0xA4, 0x37]) as usize] = 0xFFFD;
        for (at, scalar) in (1..).zip(&quads) {
            self.made.quad_codes.enter(*scalar, at);
        }
        for (old, new) in exchanged {
            let at = self.made.quad_codes.get(*old);
            quads[usize::from(at) - 1] = *new;
            self.made.quad_codes.enter(*new, at);
        }
        self.made.quads = quads.into();
        self
    }

    /// Bytes that are characters by themselves, counted up from `first`.
    pub fn singles(mut self, bytes: Bytes, first: u32) -> Builder {
        for (byte, scalar) in bytes.zip(first..) {
            self.made.reads_ascii &= byte >= 0x80;
            self.made.singles[usize::from(byte)] = scalar;
        }
        self
    }

    /// Makes nothing of these two-byte codes, including all between the first and the last of a range.
    pub fn without(mut self, ranges: &[CodeRange]) -> Builder {
        for code in ranges.iter().cloned().flatten() {
            let [lead, trail] = code.to_be_bytes();
            self.made.doubles[double_at(lead, trail)] = 0;
        }
        self
    }

    /// Gives two-byte codes another meaning.
    pub fn with(mut self, cells: &[(u16, u32)]) -> Builder {
        for (code, scalar) in cells {
            let [lead, trail] = code.to_be_bytes();
            self.made.doubles[double_at(lead, trail)] = *scalar;
        }
        self
    }

    /// Gives the two-byte codes of an area consecutive scalar values from `first` on.
    pub fn area(mut self, leads: Bytes, trails: &[Bytes], first: u32) -> Builder {
        let codes =
            leads.flat_map(|lead| trails.iter().cloned().flatten().map(move |trail| double_at(lead, trail)));
        for (at, scalar) in codes.zip(first..) {
            self.made.doubles[at] = scalar;
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
        for (code, scalar) in cells {
            self.made.codes.enter(*scalar, *code);
        }
        self
    }

    /// The scalar value of a three-byte code, or 0.
    pub fn has_triple(&self, scalar: u32) -> bool {
        self.made.triples.contains(&scalar)
    }

    /// Done. Of several codes for a scalar value, the first is written; codes in `first` come before all others, in the
    /// order of these ranges.
    pub fn build(mut self, first: &[CodeRange]) -> MultiByte {
        for byte in 0..=0xFF {
            let scalar = self.made.singles[usize::from(byte)];
            if (0x80..super::NO_SINGLE).contains(&scalar) {
                self.made.codes.enter(scalar, byte);
            }
        }
        let all: Vec<u16> = self.double_codes().map(u16::from_be_bytes).collect();
        let in_order = first.iter().cloned().chain([0..=0xFFFF]);
        for code in in_order.flat_map(|range| {
            let from = all.partition_point(|code| code < range.start());
            all[from..].iter().copied().take_while(move |code| range.contains(code))
        }) {
            let [lead, trail] = code.to_be_bytes();
            let scalar = self.made.doubles[double_at(lead, trail)];
            if scalar != 0 {
                self.made.codes.enter(scalar, code);
            }
        }
        for (at, scalar) in self.made.triples.iter().enumerate() {
            if *scalar != 0 {
                // The last byte below 80 tells triples from doubles.
                self.made.codes.enter(*scalar, 0x8000 | (at as u16 >> 7) << 8 | at as u16 & 0x7F);
            }
        }
        self.made
    }
}

/// What each of `codes` is in `encoding`: its scalar value, or 0 if it is not exactly one.
fn decode<const N: usize>(encoding: &'static encoding_rs::Encoding, codes: &[[u8; N]]) -> Vec<u32> {
    // All at once, with a separator that no fault swallows.
    let mut source = Vec::with_capacity((N + 1) * codes.len());
    for code in codes {
        source.extend_from_slice(code);
        source.push(b'\n');
    }
    let text = encoding.decode_without_bom_handling(&source).0;
    let mut scalars = Vec::with_capacity(codes.len());
    let (mut first, mut count) = (0, 0);
    for scalar in text.chars() {
        match scalar {
            '\n' => {
                scalars.push(if count == 1 { first } else { 0 });
                count = 0;
            }
            // Counts for two.
            char::REPLACEMENT_CHARACTER => count = 2,
            _ => {
                first = u32::from(scalar);
                count += 1;
            }
        }
    }
    assert_eq!(scalars.len(), codes.len(), "the separators are all there");
    scalars
}
