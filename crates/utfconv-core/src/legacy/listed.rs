//! A list of codes of any form, of one to four bytes, which do not fit in tables of two-byte codes.

use super::mapping::{ByteSet, Code};
use crate::decode::Next;
use crate::fault::IllFormed;

/// The list of codes.
#[derive(Default)]
pub(super) struct Listed {
    /// Runs of codes, in ascending order.
    runs: Vec<Run>,
    /// The code of each scalar value, in ascending order of the scalar values.
    written: Vec<(u32, Code)>,
    /// The bytes that codes begin with.
    leads: ByteSet,
    /// The bytes that codes end with.
    lasts: ByteSet,
}

/// Codes whose last bytes are consecutive, and whose scalar values are consecutive, too.
struct Run {
    first: Code,
    last: Code,
    scalar: u32,
}

/// The result of searching the list for the code that a source begins with.
enum Found {
    Code(u32, usize),
    /// The source begins with this many bytes of an incomplete code.
    Prefix(usize),
    Nothing,
}

impl Listed {
    /// Creates the list. `written` has the scalar values that are written as codes of any length; the first code of a
    /// scalar value is written.
    pub fn new(mut codes: Vec<(Code, u32)>, mut written: Vec<(u32, Code)>) -> Listed {
        codes.sort_unstable();
        written.sort_by_key(|(scalar, _)| *scalar);
        written.dedup_by_key(|(scalar, _)| *scalar);
        let mut runs: Vec<Run> = Vec::new();
        for (code, scalar) in &codes {
            if let Some(run) = runs.last_mut()
                && run.last.plus(1) == Some(*code)
                && run.scalar + u32::from(code.last() - run.first.last()) == *scalar
            {
                run.last = *code;
            } else {
                runs.push(Run { first: *code, last: *code, scalar: *scalar });
            }
        }
        Listed {
            runs,
            written,
            leads: codes.iter().map(|(code, _)| code.lead()).collect(),
            lasts: codes.iter().map(|(code, _)| code.last()).collect(),
        }
    }

    /// Returns the bytes that occur in codes before the last byte.
    pub fn inner(&self) -> ByteSet {
        self.runs.iter().flat_map(|run| run.first.bytes().iter().rev().skip(1)).copied().collect()
    }

    pub fn has_lead(&self, byte: u8) -> bool {
        self.leads.has(byte)
    }

    /// Returns the scalar value of the code that `src` begins with, and the length of the code in bytes; `None` if no
    /// whole code is there.
    pub fn scalar(&self, src: &[u8]) -> Option<(u32, usize)> {
        match self.find(src) {
            Found::Code(scalar, len) => Some((scalar, len)),
            Found::Prefix(_) | Found::Nothing => None,
        }
    }

    /// Returns the code of a scalar value, or `None` if the list lacks the scalar value.
    pub fn code(&self, scalar: u32) -> Option<Code> {
        let at = self.written.binary_search_by_key(&scalar, |(scalar, _)| *scalar).ok()?;
        Some(self.written[at].1)
    }

    fn find(&self, src: &[u8]) -> Found {
        if src.first().is_none_or(|lead| !self.leads.has(*lead)) {
            return Found::Nothing;
        }
        let mut prefix = 0;
        for len in 1..=src.len().min(4) {
            let Some(code) = Code::new(&src[..len]) else { break };
            let at = self.runs.partition_point(|run| run.first <= code);
            if let Some(run) = self.runs[..at].last()
                && run.first.len() == len
                && code <= run.last
            {
                return Found::Code(run.scalar + u32::from(code.last() - run.first.last()), len);
            }
            if !self.runs.get(at).is_some_and(|run| run.first.bytes().starts_with(code.bytes())) {
                break;
            }
            prefix = len;
        }
        Found::Prefix(prefix)
    }

    /// Decodes the front of `src`. Returns `None` if no code of the list begins there.
    ///
    /// As in all multi-byte encodings, a fault never includes a byte below 80 after the lead byte.
    pub fn next(&self, src: &[u8], last: bool) -> Option<Next> {
        let prefix = match self.find(src) {
            Found::Nothing | Found::Prefix(0) => return None,
            Found::Code(code_point, len) => return Some(Next::Scalar { code_point, len }),
            Found::Prefix(prefix) if prefix == src.len() && !last => return Some(Next::Incomplete),
            Found::Prefix(prefix) => prefix,
        };
        let is_high = src[1..prefix].iter().all(|byte| *byte >= 0x80);
        Some(match src.get(prefix) {
            // The lead byte may also begin a two-byte code of the tables.
            _ if prefix == 1 => return None,
            _ if !is_high => Next::ill_formed(IllFormed::Truncated, 1),
            Some(byte) if *byte >= 0x80 && self.lasts.has(*byte) => {
                Next::ill_formed(IllFormed::Unassigned, prefix + 1)
            }
            _ => Next::ill_formed(IllFormed::Truncated, prefix),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::IllFormedSequence;

    fn listed() -> Listed {
        let codes = [
            (&[0x81, 0x30, 0x81, 0x30][..], 0x80),
            (&[0x81, 0x30, 0x81, 0x31], 0x81),
            (&[0x81, 0x30, 0x81, 0x32], 0x90),
            (&[0x8F, 0xA1, 0xA1], 0x4E00),
            (&[0x20, 0x20], 0x3000),
        ];
        let codes = codes.map(|(bytes, scalar)| (Code::new(bytes).unwrap(), scalar));
        Listed::new(codes.to_vec(), codes.map(|(code, scalar)| (scalar, code)).to_vec())
    }

    #[test]
    fn codes_of_any_length() {
        let listed = listed();
        assert_eq!(listed.runs.len(), 4);
        for (bytes, scalar, len) in [
            (&b"\x81\x30\x81\x30"[..], 0x80, 4),
            (b"\x81\x30\x81\x31\x81", 0x81, 4),
            (b"\x81\x30\x81\x32", 0x90, 4),
            (b"\x8F\xA1\xA1a", 0x4E00, 3),
            (b"  ", 0x3000, 2),
        ] {
            assert_eq!(listed.scalar(bytes), Some((scalar, len)), "{bytes:02X?}");
            assert_eq!(listed.code(scalar).unwrap().bytes(), &bytes[..len]);
            for cut in 0..len {
                assert_eq!(listed.scalar(&bytes[..cut]), None);
                assert_eq!(listed.next(&bytes[..cut], false), (cut > 0).then_some(Next::Incomplete));
            }
        }
        assert_eq!(listed.code(0x82), None);
        assert!(listed.has_lead(0x20) && !listed.has_lead(0x30));
        let inner = ByteSet::of(&[(0x20, 0x20), (0x30, 0x30), (0x81, 0x81), (0x8F, 0x8F), (0xA1, 0xA1)]);
        assert_eq!(listed.inner(), inner);
    }

    #[test]
    fn faults() {
        use IllFormed::{Truncated, Unassigned};
        let listed = listed();
        let fault = |bytes: &[u8]| match listed.next(bytes, true) {
            Some(Next::IllFormed(IllFormedSequence { kind, len, .. })) => Some((kind, len)),
            None => None,
            other => panic!("{other:?}"),
        };
        assert_eq!(fault(b"\x81\x30\x81\x33"), Some((Truncated, 1)));
        assert_eq!(fault(b"\x81\x30"), Some((Truncated, 1)));
        assert_eq!(fault(b"\x8F\xA1A"), Some((Truncated, 2)));
        assert_eq!(fault(b"\x8F\xA1"), Some((Truncated, 2)));
        assert_eq!(fault(b"\x8F\xA1\xFE"), Some((Truncated, 2)));
        assert_eq!(fault(b"\x8F\xFE"), None, "perhaps a code of two bytes");
        assert_eq!(fault(b"A"), None);
        let more = Listed::new(
            vec![(Code::triple([0x8F, 0xA1, 0xA1]), 1), (Code::triple([0x8F, 0xA2, 0xA2]), 2)],
            vec![],
        );
        let Some(Next::IllFormed(found)) = more.next(b"\x8F\xA1\xA2", true) else { panic!() };
        assert_eq!((found.kind, found.len), (Unassigned, 3));
    }
}
