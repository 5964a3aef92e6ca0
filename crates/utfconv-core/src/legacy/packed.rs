//! The packed form of the mapping files in `mappings/`, which `mappings.py` makes from them.
//!
//! It begins with the number of ranges of trail bytes, and these ranges. A code has an index: that of a single byte is the
//! byte; that of another is its plane and lead, times the number of trail bytes, plus the position of its trail among them.
//! Numbers have seven bits a byte, the lowest first; all bytes but the last have the high bit.
//!
//! Two lists, of single bytes and of other codes, give scalar values to indices that count up. In a list
//! `FF n` skips n indices, `FE n` says that the next scalar value begins n + 3 consecutive ones, `FD` is before three
//! bytes of a scalar value, `FC` ends the list, and `FB` is between scalar values below U+20000 and others. Other bytes are
//! steps from the scalar value that would follow on the last on the same side: `00..9F` are forward, `A0..F9` with the byte
//! after them are 14 bits of a step plus 2D00.
//!
//! After the lists are numbers: the codes for two scalar values, the ranges of indices that are only read (of single bytes,
//! of others), and the indices and scalar values that are only written (the same).

/// A mapping in its packed form.
#[derive(Clone, Copy)]
pub(super) struct Packed(pub &'static [u8]);

/// The first scalar value of plane 2.
const HIGH: u32 = 0x2_0000;

/// A code of two bytes, in a plane; 0 is the plane of codes without a prefix.
pub(super) type Code = (u8, u8, u8);

/// A mapping.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Mapping {
    pub singles: Vec<(u8, u32)>,
    pub codes: Vec<(Code, u32)>,
    pub pairs: Vec<(Code, [u32; 2])>,
    pub singles_read_only: Vec<u8>,
    pub read_only: Vec<Code>,
    pub singles_write_only: Vec<(u8, u32)>,
    pub write_only: Vec<(Code, u32)>,
}

/// The bytes of a packed form that are still to be read.
struct Rest {
    bytes: std::slice::Iter<'static, u8>,
    trails: Vec<u8>,
}

impl Packed {
    /// The mapping.
    pub fn unpack(self) -> Mapping {
        let mut rest = Rest { bytes: self.0.iter(), trails: Vec::new() };
        for _ in 0..rest.byte() {
            let (first, last) = (rest.byte(), rest.byte());
            rest.trails.extend(first..=last);
        }
        Mapping {
            singles: rest.list(|_, index| index as u8),
            codes: rest.list(Rest::code),
            pairs: (0..rest.number())
                .map(|_| {
                    let index = rest.number();
                    (rest.code(index), [rest.number(), rest.number()])
                })
                .collect(),
            singles_read_only: rest.ranges(|_, index| index as u8),
            read_only: rest.ranges(Rest::code),
            singles_write_only: rest.writes(|_, index| index as u8),
            write_only: rest.writes(Rest::code),
        }
    }
}

impl Rest {
    fn byte(&mut self) -> u8 {
        *self.bytes.next().expect("a packed form is whole")
    }

    fn number(&mut self) -> u32 {
        let (mut number, mut bits) = (0, 0);
        loop {
            let byte = self.byte();
            number |= u32::from(byte & 0x7F) << bits;
            bits += 7;
            if byte < 0x80 {
                return number;
            }
        }
    }

    fn code(&self, index: u32) -> Code {
        let (row, trail) = (index as usize / self.trails.len(), index as usize % self.trails.len());
        ((row >> 8) as u8, row as u8, self.trails[trail])
    }

    fn list<C>(&mut self, code: fn(&Rest, u32) -> C) -> Vec<(C, u32)> {
        let mut list = Vec::new();
        let (mut index, mut run) = (0, 1);
        let (mut before, mut other) = (0, HIGH);
        loop {
            let scalar = match self.byte() {
                0xFF => {
                    index += self.number();
                    continue;
                }
                0xFE => {
                    run = self.number() + 3;
                    continue;
                }
                0xFD => u32::from_be_bytes([0, self.byte(), self.byte(), self.byte()]),
                0xFC => return list,
                0xFB => {
                    (before, other) = (other, before);
                    continue;
                }
                high @ 0xA0.. => {
                    let step = u32::from(high - 0xA0) << 8 | u32::from(self.byte());
                    before + 1 + step - 0x2D00
                }
                step => before + 1 + u32::from(step),
            };
            list.extend((0..run).map(|more| (code(self, index + more), scalar + more)));
            (index, before, run) = (index + run, scalar + run - 1, 1);
        }
    }

    fn ranges<C>(&mut self, code: fn(&Rest, u32) -> C) -> Vec<C> {
        let mut codes = Vec::new();
        for _ in 0..self.number() {
            let (first, count) = (self.number(), self.number());
            codes.extend((first..first + count).map(|index| code(self, index)));
        }
        codes
    }

    fn writes<C>(&mut self, code: fn(&Rest, u32) -> C) -> Vec<(C, u32)> {
        (0..self.number())
            .map(|_| {
                let index = self.number();
                (code(self, index), self.number())
            })
            .collect()
    }
}

/// The packed form of a mapping file.
macro_rules! packed {
    ($name:literal) => {
        $crate::legacy::packed::Packed(include_bytes!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/src/legacy/mappings/",
            $name,
            ".bin"
        )))
    };
}
pub(super) use packed;

#[cfg(test)]
mod tests {
    use super::*;

    /// The mapping of a mapping file.
    fn parse(text: &str) -> Mapping {
        let mut mapping = Mapping::default();
        let hex = |digits: &str| u32::from_str_radix(digits, 16).expect("hexadecimal");
        for line in text.lines().map(|line| line.split('#').next().unwrap_or_default()) {
            let mut words = line.split_whitespace();
            let Some(mut first) = words.next() else { continue };
            let writes = first == "<";
            if writes {
                first = words.next().expect("a code");
            }
            let (plane, digits) = first.split_once(':').unwrap_or(("0", first));
            let plane = plane.parse().expect("a plane");
            let is_single = digits.len() == 2;
            let mut code = hex(digits);
            for word in words {
                let value = word.trim_end_matches('>');
                let (from, to) = value.split_once("..").unwrap_or((value, value));
                let key = |code: u32| (plane, (code >> 8) as u8, code as u8);
                if let Some((one, other)) = value.split_once('+') {
                    mapping.pairs.push((key(code), [hex(one), hex(other)]));
                } else if value != "-" {
                    for scalar in hex(from)..=hex(to) {
                        let at = code + scalar - hex(from);
                        match (writes, is_single) {
                            (true, true) => mapping.singles_write_only.push((at as u8, scalar)),
                            (true, false) => mapping.write_only.push((key(at), scalar)),
                            (false, true) => mapping.singles.push((at as u8, scalar)),
                            (false, false) => mapping.codes.push((key(at), scalar)),
                        }
                        match (word.ends_with('>'), is_single) {
                            (true, true) => mapping.singles_read_only.push(at as u8),
                            (true, false) => mapping.read_only.push(key(at)),
                            _ => {}
                        }
                    }
                    code += hex(to) - hex(from);
                }
                code += 1;
            }
        }
        mapping
    }

    #[test]
    fn packed_forms_are_those_of_the_mapping_files() {
        macro_rules! each {
            ($($name:literal)+) => {{
                $(
                    let file = parse(include_str!(concat!("mappings/", $name, ".txt")));
                    assert!(!file.singles.is_empty() || !file.codes.is_empty(), $name);
                    assert!(packed!($name).unpack() == file, $name);
                )+
                [$($name),+]
            }};
        }
        let tested = each!("ansi_x3.110" "euc-tw" "ibm1364" "ibm1371" "ibm1388" "ibm1390" "ibm1399" "ibm930"
            "ibm932" "ibm933" "ibm935" "ibm937" "ibm939" "ibm943" "iso-ir-165" "iso_6937" "iso_6937-2" "johab"
            "jisx0213" "t.61");
        let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/src/legacy/mappings");
        let files = std::fs::read_dir(directory).expect("the directory of the mapping files");
        assert_eq!(files.count(), 2 * tested.len(), "a text and a packed form each");
    }
}
