//! Builds the tables of an encoding from mappings.

use std::collections::{BTreeSet, HashSet};
use std::ops::RangeInclusive;

use super::assigned::{Assigned, DOUBLES, LEAD, NEVER, WRITTEN_END, double_at};
use super::listed::Listed;
use super::longer::{Longer, Planes, Quads, plane_at};
use super::mapping::{ByteSet, Code, Mapping};
use super::multi_byte::MultiByte;
use super::packed::Packed;
use crate::decode::Cell;

type Bytes = RangeInclusive<u8>;

/// The bytes of the 94 rows and columns in EUC.
pub(super) const EUC: ByteSet = ByteSet::of(&[(0xA1, 0xFE)]);

/// Returns the tables of mapping files, each of which builds on the previous one.
pub(super) fn built(leads: ByteSet, trails: ByteSet, mappings: &[Packed]) -> MultiByte {
    Builder::new(leads, trails).take_all(mappings).build()
}

/// The tables of an encoding, while they are built.
pub(crate) struct Builder {
    made: Assigned,
    /// Codes that fit only in a list.
    listed: Vec<(Code, u32)>,
    /// Scalar values that only codes in the list encode.
    listed_written: Vec<(u32, Code)>,
}

impl Builder {
    /// Builds the tables of an encoding that is known only at run time. The lead and trail bytes are taken from its
    /// codes.
    ///
    /// # Errors
    /// If a code for two scalar values does not have two bytes, or begins below 80.
    pub fn of(mapping: &Mapping) -> Result<Builder, Code> {
        let is_double = |code: &Code| code.len() == 2 && code.lead() >= 0x80;
        if let Some((code, _)) = mapping.pairs.iter().find(|(code, _)| !is_double(code)) {
            return Err(*code);
        }
        let codes =
            || mapping.codes.iter().map(|(code, _)| code).chain(mapping.pairs.iter().map(|(code, _)| code));
        let trails = codes().filter(|code| is_double(code)).map(Code::last).collect();
        let leads = codes().filter(|code| code.len() > 1).map(Code::lead).collect();
        Ok(Builder::new(leads, trails).take(mapping))
    }

    /// Creates a builder with ASCII and lead bytes, to which nothing is assigned.
    pub fn new(leads: ByteSet, trails: ByteSet) -> Builder {
        let mut singles = [NEVER; 256];
        for (scalar, single) in (0..0x80).zip(&mut singles) {
            *single = scalar;
        }
        for lead in leads.iter() {
            singles[usize::from(lead)] = LEAD;
        }
        Builder {
            made: Assigned {
                singles,
                ascii: [Cell::NONE; _],
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
            },
            listed: Vec::new(),
            listed_written: Vec::new(),
        }
    }

    /// Adds a single shift before codes of two bytes, or of three bytes if the planes are numbered.
    pub fn shift(mut self, lead: u8, is_numbered: bool) -> Builder {
        self.made.longer = Longer::Planes(Planes::new(lead, is_numbered));
        self
    }

    fn planes(&mut self) -> &mut Planes {
        let Longer::Planes(planes) = &mut self.made.longer else { unreachable!("there is a single shift") };
        planes
    }

    /// Assigns the two-byte codes to `plane` after the single shift, too, as a second spelling.
    pub fn plane_of_doubles(mut self, plane: u8) -> Builder {
        for [lead, trail] in self.made.double_codes() {
            if let Some(scalar) = self.made.doubles[double_at(lead, trail)].scalar() {
                self.planes().scalars[plane_at(plane, lead, trail)] = scalar.into();
            }
        }
        self
    }

    /// Takes mapping files, each of which builds on the previous one.
    pub(super) fn take_all(self, mappings: &[Packed]) -> Builder {
        mappings.iter().fold(self, |made, mapping| made.take(&mapping.same()))
    }

    /// Takes the single bytes, the characters that are only written, and the codes of a mapping. Longer codes of
    /// earlier mappings are kept.
    pub fn take(mut self, mapping: &Mapping) -> Builder {
        self.made.singles.iter_mut().filter(|single| **single != LEAD).for_each(|single| *single = NEVER);
        for (code, scalar) in &mapping.codes {
            self.enter(*code, *scalar);
        }
        for code in &mapping.removed {
            match self.made.longer.in_planes(*code) {
                Some(scalar) => *scalar = 0,
                None => self.made.doubles[double_at(code.lead(), code.last())] = Cell::NONE,
            }
        }
        self.made.pairs.extend(mapping.pairs.iter().filter_map(|(code, both)| Some((code.short()?, *both))));
        let is_single = |code: u16| code < 0x100;
        let mut read_only: BTreeSet<u16> =
            self.made.read_only.iter().copied().filter(|code| !is_single(*code)).collect();
        if !read_only.is_empty() {
            for code in mapping.codes.iter().filter_map(|(code, _)| code.short()) {
                read_only.remove(&code);
            }
        }
        read_only.extend(mapping.read_only.iter().filter_map(Code::short));
        self.made.read_only = read_only.into_iter().collect();
        let also = mapping.write_only.iter();
        self.made.also =
            also.filter_map(|(code, scalar)| Some((self.written_code(*code)?, *scalar))).collect();
        self.listed_written.extend(self.listed_codes(mapping));
        self.ascii()
    }

    /// Assigns a scalar value to a code.
    fn enter(&mut self, code: Code, scalar: u32) {
        match code.bytes() {
            [byte] => self.made.singles[usize::from(*byte)] = scalar,
            [lead @ 0x80..=0xFF, trail] => self.made.doubles[double_at(*lead, *trail)] = Cell::of(scalar),
            _ => match self.made.longer.in_planes(code) {
                Some(place) => *place = scalar,
                None => self.listed.push((code, scalar)),
            },
        }
    }

    /// Returns a code as [`Written`](super::written::Written) stores it, or `None` if the code does not fit.
    fn written_code(&self, code: Code) -> Option<u16> {
        match (code.bytes(), &self.made.longer) {
            ([_, row, column], Longer::Planes(planes)) if planes.at(code).is_some() => {
                Some(u16::from_be_bytes([*row, *column & 0x7F]))
            }
            _ => code.short(),
        }
    }

    /// Returns the codes of a mapping that the tables of short codes cannot hold for writing, in the order of
    /// preference.
    fn listed_codes(&self, mapping: &Mapping) -> Vec<(u32, Code)> {
        let is_listed = |(code, scalar): &&(Code, u32)| {
            let is_longer = match *code.bytes() {
                // In the tables, 00 (or FF for ASCII) means that there is no code. So the code 00 of a character other
                // than U+0000, and the code FF of an ASCII character, have to be in the list.
                [byte] => byte == 0 && *scalar != 0 || byte == 0xFF && *scalar < 0x80,
                [lead, _] => lead < 0x80 || *scalar < 0x80,
                _ => !matches!(&self.made.longer, Longer::Planes(planes) if planes.at(*code).is_some()),
            };
            is_longer || *scalar >= WRITTEN_END
        };
        let mut listed: Vec<&(Code, u32)> = mapping.codes.iter().filter(is_listed).collect();
        if !listed.is_empty() {
            let read_only: HashSet<&Code> = mapping.read_only.iter().collect();
            listed.retain(|(code, _)| !read_only.contains(code));
            listed.sort_by_key(|(code, _)| (code.len(), *code));
        }
        let written = mapping.write_only.iter().filter(is_listed).chain(listed);
        written.map(|(code, scalar)| (*scalar, *code)).collect()
    }

    /// Computes which bytes below 80 are ASCII, and how ASCII characters are written.
    fn ascii(mut self) -> Builder {
        let made = &mut self.made;
        let mut ascii_written = [0xFF; 0x80];
        for (byte, scalar) in made.singles_written() {
            // Leave out characters that may share a code with the next character, because only a stateful encoder can
            // write them.
            if let Some(written) = ascii_written.get_mut(scalar as usize)
                && !made.begins_pair(scalar)
            {
                *written = byte;
            }
        }
        made.ascii_written = ascii_written;
        made.writes_ascii = (0..0x80).zip(made.ascii_written).all(|(byte, written)| byte == written);
        made.ascii =
            std::array::from_fn(|byte| if byte < 0x80 { Cell::of(made.singles[byte]) } else { Cell::NONE });
        let mut others = (0..0x80_u8).filter(|byte| made.singles[usize::from(*byte)] != u32::from(*byte));
        made.not_ascii = [others.next().unwrap_or(0xFF), others.next().unwrap_or(0xFF)];
        made.has_few_ascii = others.next().is_some();
        self
    }

    /// Adds the four-byte codes of GB18030, with pairs of codes that were exchanged. See [`Quads::new`].
    pub fn quads(mut self, exchanged: &[(u32, u32)]) -> Builder {
        self.made.longer = Longer::Quads(Quads::new(self.made.doubles_from(0x8000), exchanged));
        self
    }

    /// Assigns consecutive scalar values from `first` on to bytes that are characters by themselves.
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

    /// Finishes the tables.
    pub fn build(mut self) -> MultiByte {
        if !self.listed.is_empty() || !self.listed_written.is_empty() {
            self.made.longer = Longer::Listed(Listed::new(self.listed, self.listed_written));
        }
        let singles = self.made.singles;
        // If 80 is not a lead byte, its row is free for the single bytes.
        if singles[0x80] != LEAD {
            for (cell, single) in self.made.doubles.iter_mut().zip(singles) {
                *cell = Cell::of(single);
            }
        }
        self.made.into()
    }
}
