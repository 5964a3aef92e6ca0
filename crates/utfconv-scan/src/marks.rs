//! Finds positions at which rare characters may begin, by the first bytes of their UTF-8.

/// Groups of characters. The test for each group is a few comparisons without branches, because it runs for each byte
/// of a file. If the test is false for a byte, no character of the group begins there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// U+0000.
    Nul,
    /// U+0001..U+009F, except TAB, LF, CR and printable ASCII.
    Control,
    /// U+202A..U+202E and U+2066..U+2069.
    Bidi,
    /// U+FDD0..U+FDEF, U+FEFF and U+FFFD..U+FFFF, and a few others, which begin with EF B7, EF BB or EF BF. A single
    /// test for the characters of three rules is faster.
    Special,
    /// The characters of `Special`, and the noncharacters at the end of the other planes.
    Noncharacter,
}

impl Start {
    const ALL: [Start; 5] = [Start::Nul, Start::Control, Start::Bidi, Start::Special, Start::Noncharacter];

    /// Whether a character of the group may begin with these three bytes of well-formed UTF-8. False is certain.
    #[inline(always)]
    pub fn may_begin(self, a: u8, b: u8, c: u8) -> bool {
        match self {
            Start::Nul => a == 0,
            Start::Control => {
                (a < 0x20) & (a != 0x09) & (a != 0x0A) & (a != 0x0D) | (a == 0x7F) | (a == 0xC2) & (b < 0xA0)
            }
            // Bidirectional controls are E2 80 AA..AE and E2 81 A6..A9.
            Start::Bidi => (a == 0xE2) & (b < 0x82) & (0xA6..=0xAE).contains(&c),
            Start::Special => (a == 0xEF) & (b & 0xF3 == 0xB3),
            Start::Noncharacter => Start::Special.may_begin(a, b, c) | (a >= 0xF0) & (c == 0xBF),
        }
    }
}

/// True if a text has only printable ASCII, TAB, LF and CR: no character begins there that a [`Start`] finds.
#[must_use]
pub fn is_printable_ascii(text: &[u8]) -> bool {
    let is_printable =
        |byte: u8| (0x20..0x7F).contains(&byte) | (byte == 0x09) | (byte == 0x0A) | (byte == 0x0D);
    text.chunks(256).all(|chunk| chunk.iter().fold(true, |all, byte| all & is_printable(*byte)))
}

/// Number of bytes that are examined together.
pub const BLOCK: usize = 32;

/// Length in bytes of a block and the bytes after it that may belong to its last character.
const WINDOW: usize = BLOCK + 2;

/// Finds characters of some groups. Holds a mask for each group, which is all ones if the group is wanted.
pub struct Marks([u8; Start::ALL.len()]);

impl Marks {
    /// Creates a finder for the given groups.
    pub fn new(starts: impl Iterator<Item = Start>) -> Marks {
        let mut masks = [0; Start::ALL.len()];
        starts.for_each(|start| masks[start as usize] = 0xFF);
        Marks(masks)
    }

    /// Returns the next block at or after byte `from` of a well-formed text in which a wanted character may begin: the
    /// offset of the block, and a nonzero byte at each position at which one may begin.
    pub fn next(&self, text: &[u8], from: usize) -> Option<(usize, [u8; BLOCK])> {
        (from..text.len()).step_by(BLOCK).find_map(|block| {
            let rest = &text[block..];
            let mut padded = [0xBF; WINDOW];
            let window = rest.first_chunk().unwrap_or_else(|| {
                padded[..rest.len()].copy_from_slice(rest);
                &padded
            });
            let marks = self.of(window);
            (marks != [0; BLOCK]).then_some((block, marks))
        })
    }

    /// The compiler vectorizes the loop, because it has no branches per byte and the tests are constant functions.
    #[inline(always)]
    fn of(&self, window: &[u8; WINDOW]) -> [u8; BLOCK] {
        let mut marks = [0; BLOCK];
        for (at, mark) in marks.iter_mut().enumerate() {
            let (a, b, c) = (window[at], window[at + 1], window[at + 2]);
            let masked = |start: Start| self.0[start as usize] & u8::from(start.may_begin(a, b, c));
            *mark = masked(Start::Nul)
                | masked(Start::Control)
                | masked(Start::Bidi)
                | masked(Start::Special)
                | masked(Start::Noncharacter);
        }
        marks
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::Random;
    use utfconv_core::utf8::is_continuation;

    /// Compares random texts of any length with a test of each character.
    #[test]
    fn marks_equal_those_of_single_characters() {
        const TEXTS: &[&str] = &[
            "a",
            "bcdefgh",
            "\n",
            "\0",
            "\x0B",
            "\x7F",
            "\u{85}",
            "é",
            "Ã©",
            "я",
            "\u{202A}",
            "日",
            "\u{FEFF}",
            "\u{FFFD}",
            "\u{1FFFF}",
            "😀",
        ];
        let mut random = Random(3);
        for start in Start::ALL {
            let mut found = 0;
            for _ in 0..2000 {
                let kinds = 1 + random.below(TEXTS.len());
                let text: String = (0..random.below(60)).map(|_| random.one(&TEXTS[..kinds])).collect();
                let bytes = text.as_bytes();
                let mut actual = Vec::new();
                let (marks, mut from) = (Marks::new([start].into_iter()), 0);
                while let Some((block, marks)) = marks.next(bytes, from) {
                    let marked = (block..).zip(marks).filter(|(_, mark)| *mark != 0).map(|(at, _)| at);
                    actual.extend(
                        marked.filter(|at| bytes.get(*at).is_some_and(|byte| !is_continuation(*byte))),
                    );
                    from = block + BLOCK;
                }
                let byte = |at: usize| bytes.get(at).copied().unwrap_or(0xBF);
                let expected = text.char_indices().map(|(at, _)| at);
                let expected: Vec<_> =
                    expected.filter(|at| start.may_begin(byte(*at), byte(at + 1), byte(at + 2))).collect();
                assert_eq!(actual, expected, "{start:?} {text:?}");
                found += expected.len();
            }
            assert!(found > 100, "{start:?}");
        }
        assert_eq!(Marks::new([].into_iter()).next(b"\0", 0), None);
    }
}
