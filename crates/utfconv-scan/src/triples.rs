//! Finds positions in UTF-8 by three bytes: a byte and the two bytes after it.

/// A range of bytes, both ends included.
pub type Bytes = (u8, u8);

/// Every byte.
pub const ANY: &[Bytes] = &[(0, 0xFF)];

/// A set of triples: those with a byte of each of three sets.
pub type Group<'a> = [&'a [Bytes]; 3];

/// The bytes that a search skips at once if they and the byte after them are ASCII.
const BLOCK: usize = 32;

/// Finds the triples of up to eight groups, one bit per group, by three table look-ups for each byte.
pub struct Triples([[u8; 256]; 3]);

impl Triples {
    /// Makes a search for groups that have no triple whose first two bytes are ASCII.
    pub const fn new(groups: &[Group]) -> Triples {
        assert!(groups.len() <= u8::BITS as usize);
        let mut tables = [[0; 256]; 3];
        let mut group = 0;
        while group < groups.len() {
            let mut table = 0;
            while table < tables.len() {
                let ranges = groups[group][table];
                let mut range = 0;
                while range < ranges.len() {
                    let mut byte = ranges[range].0 as usize;
                    while byte <= ranges[range].1 as usize {
                        tables[table][byte] |= 1 << group;
                        byte += 1;
                    }
                    range += 1;
                }
                table += 1;
            }
            group += 1;
        }
        Triples(tables)
    }

    /// Returns the offset in bytes of the first triple of `text` that begins at or after byte `from`. Behind its end, a text is
    /// taken to continue with NULs.
    pub fn next(&self, text: &[u8], from: usize) -> Option<usize> {
        let mut at = from;
        while let Some(window) = text.get(at..).and_then(|rest| rest.first_chunk::<{ BLOCK + 2 }>()) {
            if !window[..=BLOCK].is_ascii()
                && (0..BLOCK).fold(0, |any, byte| any | self.groups(&window[byte..])) != 0
            {
                break;
            }
            at += BLOCK;
        }
        (at..text.len()).find(|at| {
            let rest = &text[*at..];
            let byte = |index: usize| rest.get(index).copied().unwrap_or(0);
            self.groups(&[byte(0), byte(1), byte(2)]) != 0
        })
    }

    /// Returns the groups of the triple at the start of `bytes`, one bit for each.
    #[inline(always)]
    fn groups(&self, bytes: &[u8]) -> u8 {
        let [first, second, third] = &self.0;
        first[usize::from(bytes[0])] & second[usize::from(bytes[1])] & third[usize::from(bytes[2])]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::Random;

    const GROUPS: [Group; 3] = [
        [&[(0xE2, 0xE2)], &[(0x80, 0x81)], &[(0x8B, 0x8F), (0xA0, 0xAF)]],
        [&[(b'a', b'z')], &[(0xCE, 0xD1), (0xE1, 0xE1)], ANY],
        [&[(0xF3, 0xF4)], ANY, ANY],
    ];

    /// Random texts of any length, each position compared with a test of single bytes.
    #[test]
    fn triples_are_those_of_a_test_of_each_byte() {
        const TEXTS: &[&str] = &[
            "a",
            "bcdefgh",
            "\n",
            " ",
            "é",
            "я",
            "\u{200B}",
            "\u{2014}",
            "日",
            "\u{1E00}",
            "😀",
            "\u{E0041}",
            "\u{10FFFD}",
        ];
        let triples = Triples::new(&GROUPS);
        let (mut random, mut found) = (Random(7), 0);
        for _ in 0..4000 {
            let kinds = 1 + random.below(TEXTS.len());
            let text: String = (0..random.below(90)).map(|_| random.one(&TEXTS[..kinds])).collect();
            let padded = [text.as_bytes(), b"\0\0"].concat();
            let has = |bytes: &[Bytes], byte: u8| {
                bytes.iter().any(|(first, last)| (*first..=*last).contains(&byte))
            };
            let is_triple = |at: &usize| {
                GROUPS
                    .iter()
                    .any(|group| group.iter().zip(&padded[*at..]).all(|(bytes, byte)| has(bytes, *byte)))
            };
            let expected: Vec<_> = (0..text.len()).filter(is_triple).collect();
            let mut actual = Vec::new();
            while let Some(at) = triples.next(text.as_bytes(), actual.last().map_or(0, |last| last + 1)) {
                actual.push(at);
            }
            assert_eq!(actual, expected, "{text:?}");
            found += expected.len();
        }
        assert!(found > 1000, "{found}");
    }
}
