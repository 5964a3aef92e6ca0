//! The packed form of the mapping files in `mappings/`, which `mappings.py` writes.
//!
//! A packed mapping begins with the number of ranges of trail bytes, and these ranges. Each code has an index. The
//! index of a single byte is the byte. The index of another code is its plane and lead byte as a number, times the
//! number of trail bytes, plus the position of its trail byte among them. Numbers have seven bits per byte, the lowest
//! first; all bytes but the last have the high bit.
//!
//! Two lists, for single bytes and for other codes, assign scalar values to ascending indices. In a list, `FF n` skips
//! n indices, and `FE n` means that the next scalar value begins n + 3 consecutive scalar values. `FD` precedes three
//! bytes of a scalar value, `FB` is between scalar values below U+20000 and higher scalar values, and `FC` ends the
//! list. Other bytes are steps from the previous scalar value on the same side. `00..9F` are forward steps; `A0..F9`
//! with the next byte are 14 bits of a step plus 2D00.
//!
//! Numbers follow the lists: first the codes for two scalar values, then the ranges of indices that are only read, for
//! single bytes and for other codes, then the indices and scalar values that are only written, in the same order. If
//! the mapping builds on another mapping, the last numbers are the ranges of indices that only the other mapping
//! assigns.

use super::mapping::{Code, Mapping};

/// A mapping in its packed form.
#[derive(Clone, Copy)]
pub(super) struct Packed(pub &'static [u8]);

/// The first scalar value of plane 2.
const HIGH: u32 = 0x2_0000;

/// A code of a mapping file, which is a single byte, or a plane and two bytes. Codes without a prefix are in plane 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Single(u8),
    Double(u8, [u8; 2]),
}

/// Maps a code of a mapping file to the code that an encoding has for it, if any.
pub(super) type Place = fn(Key) -> Option<Code>;

impl Key {
    /// Returns the code without its plane, as in the mapping file; never `None`.
    pub fn same(self) -> Option<Code> {
        match self {
            Key::Single(byte) => Some(Code::single(byte)),
            Key::Double(_, [lead, trail]) => Some(Code::double(lead, trail)),
        }
    }
}

/// The bytes of a packed mapping that are still to be read.
struct Rest {
    bytes: std::slice::Iter<'static, u8>,
    trails: Vec<u8>,
}

impl Packed {
    /// Unpacks the mapping, with the codes that `place` gives.
    pub fn mapping(self, place: Place) -> Mapping {
        let mut rest = Rest { bytes: self.0.iter(), trails: Vec::new() };
        for _ in 0..rest.byte() {
            let (first, last) = (rest.byte(), rest.byte());
            rest.trails.extend(first..=last);
        }
        let singles = |_: &Rest, index| place(Key::Single(index as u8));
        let doubles = |rest: &Rest, index| place(rest.key(index));
        let mut codes = rest.list(singles);
        codes.extend(rest.list(doubles));
        let pairs = (0..rest.number()).filter_map(|_| {
            let (index, both) = (rest.number(), [rest.number(), rest.number()]);
            Some((doubles(&rest, index)?, both))
        });
        let pairs = pairs.collect();
        let mut read_only = rest.ranges(singles);
        read_only.extend(rest.ranges(doubles));
        let mut write_only = rest.writes(singles);
        write_only.extend(rest.writes(doubles));
        let removed = if rest.bytes.len() > 0 { rest.ranges(doubles) } else { Vec::new() };
        Mapping { codes, pairs, read_only, write_only, removed }
    }

    /// Unpacks the mapping, with the codes of the mapping file.
    pub fn same(self) -> Mapping {
        self.mapping(Key::same)
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

    fn key(&self, index: u32) -> Key {
        let (row, trail) = (index as usize / self.trails.len(), index as usize % self.trails.len());
        Key::Double((row >> 8) as u8, [row as u8, self.trails[trail]])
    }

    fn list(&mut self, code: impl Fn(&Rest, u32) -> Option<Code>) -> Vec<(Code, u32)> {
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
            list.extend((0..run).filter_map(|more| Some((code(self, index + more)?, scalar + more))));
            (index, before, run) = (index + run, scalar + run - 1, 1);
        }
    }

    fn ranges(&mut self, code: impl Fn(&Rest, u32) -> Option<Code>) -> Vec<Code> {
        let mut codes = Vec::new();
        for _ in 0..self.number() {
            let (first, count) = (self.number(), self.number());
            codes.extend((first..first + count).filter_map(|index| code(self, index)));
        }
        codes
    }

    fn writes(&mut self, code: impl Fn(&Rest, u32) -> Option<Code>) -> Vec<(Code, u32)> {
        let written = (0..self.number()).filter_map(|_| {
            let (index, scalar) = (self.number(), self.number());
            Some((code(self, index)?, scalar))
        });
        written.collect()
    }
}

/// Includes the packed form of a mapping file.
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

    /// Parses a mapping file. Codes of a plane have the number of the plane before them.
    fn parse(text: &str) -> Mapping {
        let mut mapping = Mapping::default();
        let hex = |digits: &str| u32::from_str_radix(digits, 16).expect("hexadecimal");
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
        for mut words in lines.map(str::split_whitespace) {
            let Some(mut first) = words.next() else { continue };
            let writes = first == "<";
            if writes {
                first = words.next().expect("a code");
            }
            let (plane, digits) = first.split_once(':').unwrap_or(("0", first));
            let plane = plane.parse().expect("a plane");
            let key = |code: u32| match (digits.len(), code.to_be_bytes()) {
                (2, [.., byte]) => key_as_code(Key::Single(byte)).expect("always"),
                (_, [.., lead, trail]) => key_as_code(Key::Double(plane, [lead, trail])).expect("always"),
            };
            let mut code = hex(digits);
            for word in words {
                let value = word.trim_end_matches('>');
                let (from, to) = value.split_once("..").unwrap_or((value, value));
                if let Some((one, other)) = value.split_once('+') {
                    mapping.pairs.push((key(code), [hex(one), hex(other)]));
                } else if value == "x" {
                    mapping.removed.push(key(code));
                } else if value != "-" {
                    for scalar in hex(from)..=hex(to) {
                        let at = key(code + scalar - hex(from));
                        let list = if writes { &mut mapping.write_only } else { &mut mapping.codes };
                        list.push((at, scalar));
                        if word.ends_with('>') {
                            mapping.read_only.push(at);
                        }
                    }
                    code += hex(to) - hex(from);
                }
                code += 1;
            }
        }
        mapping
    }

    /// Returns a code with the plane as its first byte, unless the plane is 0.
    fn key_as_code(key: Key) -> Option<Code> {
        match key {
            Key::Double(plane @ 1.., [lead, trail]) => Some(Code::triple([plane, lead, trail])),
            _ => key.same(),
        }
    }

    #[test]
    fn packed_forms_equal_the_mapping_files() {
        macro_rules! each {
            ($($name:literal)+) => {{
                $(
                    let file = parse(include_str!(concat!("mappings/", $name, ".txt")));
                    assert!(!file.codes.is_empty(), $name);
                    assert!(packed!($name).mapping(key_as_code) == file, $name);
                )+
                [$($name),+]
            }};
        }
        let tested = each!("ansi_x3.110" "big5" "big5-hkscs" "cp51932" "cp932" "cp936" "cp949" "cp950" "euc-jp" "euc-jp-ms"
            "euc-kr" "euc-tw" "gb18030" "gb2312" "gbk" "ibm1364" "ibm1371" "ibm1388" "ibm1390" "ibm1399" "ibm930"
            "ibm932" "ibm933" "ibm935" "ibm937" "ibm939" "ibm943" "iso-ir-165" "iso_6937" "iso_6937-2" "johab"
            "jisx0213" "sjis" "t.61" "big5-2003" "big5-hkscs-1999" "big5-hkscs-2001" "big5-hkscs-2004" "ibm-1363"
            "ibm-1363c" "ibm-1373" "ibm-1375" "ibm-1383" "ibm-1386" "ibm-33722" "ibm-5471" "ibm-5478" "ibm-949" "ibm-949c"
            "ibm-950" "ibm-954" "ibm-970" "ibm-971" "ibm-16684");
        let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/src/legacy/mappings");
        let files = std::fs::read_dir(directory).expect("the directory of the mapping files");
        assert_eq!(files.count(), 2 * tested.len(), "a text and a packed form each");
    }
}
