//! Mappings, which define the codes that an encoding has, and their characters.
//!
//! A mapping comes from a packed mapping file ([`packed`](super::packed)), or from a file that is read at run time.

use std::collections::HashSet;
use std::fmt;

/// A code of one to four bytes. Codes are ordered by their bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Code {
    bytes: [u8; 4],
    len: u8,
}

impl Code {
    /// Creates a code, or returns `None` unless there are one to four bytes.
    pub fn new(bytes: &[u8]) -> Option<Code> {
        let mut code = Code { bytes: [0; 4], len: bytes.len() as u8 };
        code.bytes.get_mut(..bytes.len()).filter(|room| !room.is_empty())?.copy_from_slice(bytes);
        Some(code)
    }

    pub const fn single(byte: u8) -> Code {
        Code { bytes: [byte, 0, 0, 0], len: 1 }
    }

    pub const fn double(lead: u8, trail: u8) -> Code {
        Code { bytes: [lead, trail, 0, 0], len: 2 }
    }

    pub const fn triple(bytes: [u8; 3]) -> Code {
        Code { bytes: [bytes[0], bytes[1], bytes[2], 0], len: 3 }
    }

    pub const fn quad(bytes: [u8; 4]) -> Code {
        Code { bytes, len: 4 }
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len()]
    }

    pub fn len(&self) -> usize {
        self.len.into()
    }

    pub fn lead(&self) -> u8 {
        self.bytes[0]
    }

    pub fn last(&self) -> u8 {
        self.bytes[self.len() - 1]
    }

    /// Returns a code of one or two bytes as a number, or `None` for longer codes.
    pub fn short(&self) -> Option<u16> {
        match *self.bytes() {
            [byte] => Some(byte.into()),
            [lead, trail] => Some(u16::from_be_bytes([lead, trail])),
            _ => None,
        }
    }

    /// Returns the code with its last byte increased by `more`, or `None` if the byte would exceed FF.
    pub fn plus(mut self, more: u8) -> Option<Code> {
        let last = &mut self.bytes[usize::from(self.len - 1)];
        *last = last.checked_add(more)?;
        Some(self)
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.bytes().iter().try_for_each(|byte| write!(f, "{byte:02X}"))
    }
}

/// A mapping between codes and characters. The order of its codes does not matter. If a character has several codes
/// that may be written, the shortest code is written, or the lowest of the shortest codes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Mapping {
    /// Codes and their scalar values, each code once. All codes are read, and all except the codes in `read_only` are
    /// written.
    pub codes: Vec<(Code, u32)>,
    /// Codes that each encode two scalar values.
    pub pairs: Vec<(Code, [u32; 2])>,
    /// Codes that are read but never written.
    pub read_only: Vec<Code>,
    /// Scalar values that are written as a code, but not read from it.
    pub write_only: Vec<(Code, u32)>,
    /// Codes of the base mapping that this mapping does not have.
    pub removed: Vec<Code>,
}

impl Mapping {
    /// Adds the multi-byte codes of `base`, the mapping that this mapping builds on.
    pub fn on(mut self, base: Mapping) -> Mapping {
        let own = self.codes.iter().map(|(code, _)| code).chain(self.pairs.iter().map(|(code, _)| code));
        let own: HashSet<Code> = own.chain(&self.removed).copied().collect();
        let is_kept = |code: &Code| code.len() > 1 && !own.contains(code);
        self.codes.extend(base.codes.into_iter().filter(|(code, _)| is_kept(code)));
        self.pairs.extend(base.pairs.into_iter().filter(|(code, _)| is_kept(code)));
        self.read_only.extend(base.read_only.into_iter().filter(is_kept));
        self.removed.clear();
        self
    }
}

/// A set of bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ByteSet([u64; 4]);

impl ByteSet {
    pub const EMPTY: ByteSet = ByteSet([0; 4]);

    /// Returns the bytes of ranges, which are given by their first and last bytes.
    pub const fn of(ranges: &[(u8, u8)]) -> ByteSet {
        let mut set = ByteSet::EMPTY;
        let mut at = 0;
        while at < ranges.len() {
            let (mut byte, last) = (ranges[at].0 as usize, ranges[at].1 as usize);
            while byte <= last {
                set.0[byte / 64] |= 1 << (byte % 64);
                byte += 1;
            }
            at += 1;
        }
        set
    }

    #[inline(always)]
    pub fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6)] >> (byte & 0x3F) & 1 != 0
    }

    /// Returns the bytes below 80.
    pub fn ascii(self) -> ByteSet {
        let [first, second, ..] = self.0;
        ByteSet([first, second, 0, 0])
    }

    /// Returns the bytes of the set, in ascending order.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        (0..=0xFF).filter(move |byte| self.has(*byte))
    }
}

impl Extend<u8> for ByteSet {
    fn extend<I: IntoIterator<Item = u8>>(&mut self, bytes: I) {
        for byte in bytes {
            self.0[usize::from(byte >> 6)] |= 1 << (byte & 0x3F);
        }
    }
}

impl FromIterator<u8> for ByteSet {
    fn from_iter<I: IntoIterator<Item = u8>>(bytes: I) -> ByteSet {
        let mut set = ByteSet::EMPTY;
        set.extend(bytes);
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_have_one_to_four_bytes() {
        assert_eq!(Code::new(&[]), None);
        assert_eq!(Code::new(&[1, 2, 3, 4, 5]), None);
        assert_eq!(Code::new(&[0x81, 0x30]), Some(Code::double(0x81, 0x30)));
        assert_eq!(Code::new(&[0]), Some(Code::single(0)));
        assert_eq!(Code::double(0x81, 0x30).short(), Some(0x8130));
        assert_eq!(Code::triple([0x8F, 0xA1, 0xFE]).short(), None);
        assert_eq!(Code::triple([0x8F, 0xA1, 0xFE]).plus(1).unwrap().last(), 0xFF);
        assert_eq!(Code::triple([0x8F, 0xA1, 0xFE]).plus(2), None);
        assert!(Code::quad([0x81, 0x30, 0x81, 0x30]) > Code::double(0x81, 0x30));
        assert_eq!(format!("{:?}", Code::double(0x81, 0x3)), "8103");
    }

    #[test]
    fn sets_of_bytes() {
        let set = ByteSet::of(&[(0x40, 0x41), (0xFE, 0xFF)]);
        assert_eq!(set.iter().collect::<Vec<_>>(), [0x40, 0x41, 0xFE, 0xFF]);
        assert_eq!([0xFF, 0x41, 0xFE, 0x40].into_iter().collect::<ByteSet>(), set);
        assert!(set.has(0xFF) && !set.has(0x42) && !ByteSet::EMPTY.has(0));
    }
}
