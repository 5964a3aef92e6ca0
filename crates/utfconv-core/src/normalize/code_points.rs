//! Finds text that a normalization form does not change, by its code points. A kernel converts the text to code points,
//! so that no branch depends on the lengths of sequences.

use super::quick_check::{QuickCheck, Table};

/// Converts a prefix of its source to its target. Returns the numbers of bytes read and written.
type Kernel = Box<dyn Fn(&[u8], &mut [u8]) -> (usize, usize) + Send + Sync>;

/// Number of bytes of UTF-8 that are converted at a time.
const CHUNK: usize = 1 << 10;

/// Converts a text to code points, a chunk at a time.
pub(crate) struct CodePoints {
    /// The kernel from UTF-8 to UTF-32LE.
    kernel: Kernel,
    buffer: Box<[u8; 4 * CHUNK]>,
}

/// The prefix of a text that normalization does not change.
pub(super) struct StablePrefix {
    /// Length of the prefix in bytes.
    pub len: usize,
    /// The trail of the last character of the prefix (see [`super::quick_check::Edges`]).
    pub trail: u8,
    /// Whether the whole chunk is stable and not empty.
    pub is_all: bool,
}

impl CodePoints {
    /// Creates the helper with a kernel from UTF-8 to UTF-32LE.
    pub fn new(kernel: Kernel) -> CodePoints {
        CodePoints { kernel, buffer: vec![0; 4 * CHUNK].try_into().expect("as long") }
    }

    /// Returns the characters at the front of `text`, well-formed UTF-8, that stay unchanged after a character with the
    /// given trail. These are a whole chunk, or the characters before the first character that may change. `find`
    /// returns the kind of a character that is not in the table yet.
    pub(super) fn stable_prefix(
        &mut self,
        text: &[u8],
        table: &Table,
        trail: u8,
        find: impl Fn(char) -> QuickCheck,
    ) -> StablePrefix {
        let (read, written) = (self.kernel)(&text[..text.len().min(CHUNK)], &mut self.buffer[..]);
        let code_points =
            || self.buffer[..written].as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes));
        let (mut before, mut are_all_stable) = (trail, true);
        for code_point in code_points() {
            let edges = table.known(code_point);
            are_all_stable &= edges.lead > before;
            before = edges.trail;
        }
        if are_all_stable {
            return StablePrefix { len: read, trail: before, is_all: read > 0 };
        }
        let mut stable = StablePrefix { len: 0, trail, is_all: true };
        for code_point in code_points() {
            let edges = table.edges(code_point, &find);
            if edges.lead <= stable.trail {
                stable.is_all = false;
                break;
            }
            stable.len += char::from_u32(code_point).map_or(0, char::len_utf8);
            stable.trail = edges.trail;
        }
        stable
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NormalizationForm;
    use crate::testkit::Random;

    fn by_std(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let text = src.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        for (room, scalar) in dst.as_chunks_mut().0.iter_mut().zip(text.chars()) {
            *room = u32::from(scalar).to_le_bytes();
        }
        (text.len(), 4 * text.chars().count())
    }

    /// In texts of several chunks, the found prefix is in normalized form, alone and followed by the rest, and it is
    /// most of a normalized text.
    #[test]
    fn a_prefix_is_normalized() {
        let marks =
            ['\u{300}', '\u{301}', '\u{306}', '\u{31B}', '\u{323}', '\u{93C}', '\u{3099}', '\u{1161}'];
        let mut random = Random(0x243F_6A88_85A3_08D3);
        for round in 0..400 {
            let form = NormalizationForm::ALL[round % 4];
            let mut code_points = CodePoints::new(Box::new(by_std));
            let rare = [3, 40, 2000][round % 3];
            let text: String = (0..random.below(1500))
                .filter_map(|_| match random.below(rare) {
                    0 => char::from_u32(random.below(0x3_0000) as u32),
                    1 => Some(random.one(&marks)),
                    _ => Some(random.one(&[
                        'a',
                        'Z',
                        'е',
                        'и',
                        'ế',
                        'か',
                        '한',
                        '하',
                        '中',
                        '\u{20000}',
                        '😀',
                        'ﬁ',
                    ])),
                })
                .collect();
            let normal = form.normalize(&text).into_owned();
            for text in [&text, &normal] {
                let len = form.normalized_prefix_by(text.as_bytes(), Some(&mut code_points));
                let (front, rest) = text.split_at(len);
                let whole = form.normalize(text);
                assert_eq!(*whole, *(front.to_owned() + &form.normalize(rest)), "{form:?} {round}");
                let by_bytes = form.normalized_prefix(text.as_bytes());
                assert!(len + 200 > by_bytes, "{form:?} {round} {len} {by_bytes}");
            }
        }
    }
}
