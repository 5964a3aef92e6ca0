//! Counts how often each character occurs, nearly as fast as text is validated.

use std::iter;

use utfconv_core::utf8::decode_first;

/// The number of times that each scalar value occurs. Blocks without occurrences are not allocated.
#[derive(Clone, Debug)]
pub struct Histogram {
    blocks: Vec<Option<Box<Block>>>,
}

/// Number of scalar values in a block. Most scripts are within one block; ASCII and its neighbors up to U+03FF share
/// the first.
const BLOCK: usize = 1 << 10;

type Block = [u64; BLOCK];

/// The first code point that takes three bytes in UTF-8.
const LOW: usize = 0x800;

/// Counts in a long run, for the characters that take one or two bytes in UTF-8.
struct Rows {
    /// Counts of ASCII in several rows, because counting the same letter again in the same row would wait for memory.
    ascii: [[u32; 0x80]; 4],
    low: [u32; LOW],
}

/// Maximum length in bytes of a run that is counted without separate rows.
const SHORT: usize = 1 << 12;

impl Default for Histogram {
    fn default() -> Histogram {
        Histogram { blocks: vec![None; 0x11_0000 / BLOCK] }
    }
}

impl Histogram {
    /// Counts the characters of `text`, which is well-formed UTF-8 of less than 4 GiB. Returns the offset of each
    /// character that is counted for the first time, and the character, in the order of the text.
    pub fn count(&mut self, text: &[u8]) -> Vec<(usize, char)> {
        let mut first = Vec::new();
        let mut rows = (text.len() > SHORT).then_some(Rows { ascii: [[0; 0x80]; 4], low: [0; LOW] });
        let mut at = 0;
        while at < text.len() {
            if let (Some(rows), Some(bytes)) = (&mut rows, text[at..].first_chunk())
                && bytes.is_ascii()
            {
                rows.count_ascii(bytes);
                at += bytes.len();
                continue;
            }
            let end = text.len().min(at + 16);
            while at < end {
                match &mut rows {
                    Some(rows) if text[at] < 0xE0 => {
                        at += rows.count(text[at], text.get(at + 1).copied().unwrap_or_default());
                    }
                    _ => {
                        let (code_point, len) = decode_first(&text[at..]);
                        self.add(code_point, 1, || at, &mut first);
                        at += len;
                    }
                }
            }
        }
        if let Some(rows) = rows {
            for (scalar, count) in ('\0'..).zip(rows.sums()).filter(|(_, count)| *count > 0) {
                let find = || memchr::memmem::find(text, scalar.encode_utf8(&mut [0; 2]).as_bytes());
                self.add(scalar.into(), count, || find().unwrap_or_default(), &mut first);
            }
            first.sort_unstable();
        }
        first
    }

    #[inline(always)]
    fn add(
        &mut self,
        code_point: u32,
        count: u64,
        find: impl FnOnce() -> usize,
        first: &mut Vec<(usize, char)>,
    ) {
        let block = self.blocks[code_point as usize / BLOCK].get_or_insert_with(|| Box::new([0; BLOCK]));
        let sum = &mut block[code_point as usize % BLOCK];
        if *sum == 0 {
            first.extend(char::from_u32(code_point).map(|scalar| (find(), scalar)));
        }
        *sum += count;
    }

    /// Adds the counts of another histogram.
    pub fn merge(&mut self, other: &Histogram) {
        for (sums, counts) in iter::zip(&mut self.blocks, &other.blocks) {
            match (sums, counts) {
                (_, None) => {}
                (Some(sums), Some(counts)) => {
                    iter::zip(&mut sums[..], &counts[..]).for_each(|(sum, count)| *sum += count);
                }
                (sums, counts) => sums.clone_from(counts),
            }
        }
    }

    /// Returns the number of times that `scalar` occurs.
    pub fn of(&self, scalar: char) -> u64 {
        let code_point = u32::from(scalar) as usize;
        self.blocks[code_point / BLOCK].as_ref().map_or(0, |block| block[code_point % BLOCK])
    }

    /// Returns the characters that occur, and the number of times that each does.
    pub fn iter(&self) -> impl Iterator<Item = (char, u64)> {
        let blocks = self.blocks.iter().zip((0..).step_by(BLOCK));
        let counts =
            blocks.flat_map(|(block, base)| block.iter().flat_map(move |block| (base..).zip(**block)));
        counts
            .filter(|(_, count)| *count > 0)
            .filter_map(|(code_point, count)| Some((char::from_u32(code_point)?, count)))
    }
}

impl Rows {
    fn count_ascii(&mut self, bytes: &[u8; 16]) {
        for bytes in bytes.as_chunks::<4>().0 {
            for (byte, row) in iter::zip(bytes, &mut self.ascii) {
                // The mask removes a bounds check; it changes nothing, because the byte is ASCII.
                row[usize::from(byte & 0x7F)] += 1;
            }
        }
    }

    /// Counts a character of one or two bytes, which begins with `lead`; `next` is the byte after `lead`. Returns its
    /// length in bytes. There is no branch, because in Cyrillic, Greek or Hebrew no processor could predict it.
    #[inline(always)]
    fn count(&mut self, lead: u8, next: u8) -> usize {
        let is_two = usize::from(lead >> 7);
        let two = usize::from(lead & 0x1F) << 6 | usize::from(next & 0x3F);
        let mask = is_two.wrapping_neg();
        self.low[(two & mask | usize::from(lead) & !mask) % LOW] += 1;
        1 + is_two
    }

    /// Returns the sums of the rows, in the order of the code points.
    fn sums(&self) -> impl Iterator<Item = u64> {
        let ascii = (0..0x80).map(|at| self.ascii.iter().map(|row| u64::from(row[at])).sum());
        self.low
            .iter()
            .zip(ascii.chain(iter::repeat(0)))
            .map(|(low, ascii): (_, u64)| u64::from(*low) + ascii)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::Random;
    use std::collections::BTreeMap;

    /// Compares texts of any length, counted whole and in two chunks, with counting one by one.
    #[test]
    fn counts_equal_those_of_single_characters() {
        let mut random = Random(7);
        let characters = ["a", "b", "\n", "\0", "\x7F", "é", "я", "日", "本", "\u{FFFF}", "😀", "\u{10FFFF}"];
        for len in (0..40).chain([100, SHORT / 2, SHORT - 1, SHORT, 6000]) {
            for kinds in [2, 5, 7, characters.len()] {
                let text: String = (0..len).map(|_| random.one(&characters[..kinds])).collect();
                let mut expected = BTreeMap::<char, (u64, usize)>::new();
                for (at, scalar) in text.char_indices() {
                    expected.entry(scalar).or_insert((0, at)).0 += 1;
                }
                let cut = text.ceil_char_boundary(random.below(text.len() + 1));
                let mut whole = Histogram::default();
                let mut first = whole.count(text.as_bytes());
                let (mut chunks, mut other) = (Histogram::default(), Histogram::default());
                let started = chunks.count(&text.as_bytes()[..cut]);
                let continued = chunks.count(&text.as_bytes()[cut..]);
                assert!(first.is_sorted() && started.is_sorted() && continued.is_sorted());
                let continued = continued.into_iter().map(|(at, scalar)| (at + cut, scalar));
                assert_eq!(started.into_iter().chain(continued).collect::<Vec<_>>(), first);
                first.sort_by_key(|(_, scalar)| *scalar);
                assert_eq!(first, expected.iter().map(|(s, (_, at))| (*at, *s)).collect::<Vec<_>>());
                let counts: Vec<_> = expected.iter().map(|(scalar, (count, _))| (*scalar, *count)).collect();
                for found in [&whole, &chunks] {
                    assert_eq!(found.iter().collect::<Vec<_>>(), counts, "{text:?}");
                }
                other.merge(&whole);
                other.merge(&chunks);
                assert!(counts.iter().all(|(scalar, count)| other.of(*scalar) == 2 * count));
                assert_eq!((other.of('z'), other.iter().count()), (0, counts.len()));
            }
        }
    }
}
