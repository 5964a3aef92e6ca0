//! Finds positions at which rare characters may begin, by the first bytes of their UTF-8.

/// Groups of characters. The test for each group is a few comparisons without branches, because it runs for each byte
/// of a file. If the test is false for a byte, no character of the group begins there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// U+0000..U+009F, except TAB, LF, CR and printable ASCII.
    Control,
    /// Characters that show nothing, bidirectional controls, noncharacters, U+FFFD, and private use characters of planes 15
    /// and 16. A few other characters begin with the same bytes, but not quotes and dashes (E2 80 90..9F).
    Rare,
    /// Where a word may mix ASCII with another script: a Latin letter or a combining mark beside Greek, Cyrillic or
    /// Armenian (CD..D6), letters of three or four bytes except ideographs, kana and Hangul syllables, and the characters
    /// of `Rare`.
    MixedScripts,
}

impl Start {
    #[cfg(test)]
    const ALL: [Start; 3] = [Start::Control, Start::Rare, Start::MixedScripts];

    /// Returns the bit of the group in the marks that [`Marks::next`] returns.
    #[must_use]
    pub const fn bit(self) -> u8 {
        1 << self as u8
    }

    /// Whether a character of the group may begin with these three bytes of well-formed UTF-8. If the result is false,
    /// no character of the group begins there.
    #[inline(always)]
    pub fn may_begin(self, a: u8, b: u8, c: u8) -> bool {
        match self {
            Start::Control => {
                (a < 0x20) & (a != 0x09) & (a != 0x0A) & (a != 0x0D) | (a == 0x7F) | (a == 0xC2) & (b < 0xA0)
            }
            Start::Rare => may_be_rare(a, b, c),
            Start::MixedScripts => {
                // Characters that show nothing may be between two letters.
                may_be_rare(a, b, c)
                    | may_mix(a, b, c)
                    | (a == 0xE0)
                    | (a == 0xE1)
                    | (a == 0xEA)
                    // Accepts Coptic, Glagolitic and their neighbors, but no quotes and dashes.
                    | (a == 0xE2) & (0xB0..=0xB7).contains(&b)
                    // Excludes emoji (F0 9F).
                    | (a == 0xF0) & (0x90..=0x9E).contains(&b)
            }
        }
    }
}

/// True if a character of [`Start::Rare`] may begin with these three bytes. A function of its own, because the compiler does not
/// vectorize a recursive one.
#[inline(always)]
fn may_be_rare(a: u8, b: u8, c: u8) -> bool {
    (a == 0xC2) & (b == 0xAD)
        | (a == 0xCD)
        | (a == 0xD8) & (b == 0x9C)
        | (a == 0xE1) & ((b == 0x85) | (b == 0xA0))
        // Accepts U+200B..U+200F, U+2020..U+203F, U+204B..U+204F and U+2060..U+207F.
        | (a == 0xE2) & (b < 0x82) & ((0x8B..=0x8F).contains(&c) | (c >= 0xA0))
        | (a == 0xE3) & (b == 0x85)
        // Accepts U+FCC0..U+FCFF, U+FDC0..U+FE3F, U+FEC0..U+FEFF, U+FFA0 and U+FFC0..U+FFFF.
        | (a == 0xEF) & ((b & 0xF3 == 0xB3) | (b == 0xB8) | (b == 0xBE) & (c == 0xA0))
        | (a >= 0xF0) & ((a >= 0xF3) | (c == 0xBF))
}

/// Whether these bytes are of a Latin letter, or of a combining mark, beside a character of Greek, Cyrillic or Armenian (CD..D6). The
/// Latin letters are those of ASCII and those with the lead bytes C3..C9; marks have CC.
#[inline(always)]
fn may_mix(a: u8, b: u8, c: u8) -> bool {
    let is_ascii_letter = |byte: u8| (byte | 0x20).is_ascii_lowercase();
    let is_latin = |byte: u8| (0xC3..=0xCC).contains(&byte);
    let is_lead = |byte: u8| (0xCD..=0xD6).contains(&byte);
    is_ascii_letter(a) & is_lead(b)
        | is_lead(a) & (is_ascii_letter(c) | is_latin(c))
        | is_latin(a) & is_lead(c)
}

/// True if a character of some group may begin with these three bytes. The test has a third of the comparisons of the groups, and is
/// false for most text in Cyrillic, kana and ideographs.
#[inline(always)]
fn may_begin_any(a: u8, b: u8, c: u8) -> bool {
    Start::Control.may_begin(a, b, c)
        | may_mix(a, b, c)
        | (a == 0xC2)
        | (a == 0xCD)
        | (a == 0xD8)
        | (0xE0..=0xE2).contains(&a)
        | (a == 0xE3) & (b == 0x85)
        | (a >= 0xEA)
}

/// Number of bytes that are examined together.
pub const BLOCK: usize = 32;

/// Length in bytes of a block and the bytes after it that may belong to its last character.
const WINDOW: usize = BLOCK + 2;

/// Finds characters of some groups. Holds the bits of the wanted groups.
pub struct Marks(u8);

impl Marks {
    /// Creates a finder for the given groups.
    pub fn new(starts: impl Iterator<Item = Start>) -> Marks {
        Marks(starts.fold(0, |bits, start| bits | start.bit()))
    }

    /// Returns the next block at or after byte `from` of a well-formed text in which a wanted character may begin: the
    /// offset of the block, and for each position the bits of the groups of which a character may begin there.
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

    /// The compiler vectorizes the loops, because they have no branches per byte and the tests are constant functions.
    #[inline(always)]
    fn of(&self, window: &[u8; WINDOW]) -> [u8; BLOCK] {
        let mut marks = [0; BLOCK];
        let is_ascii = window.is_ascii();
        let is_candidate = |at: usize| u8::from(may_begin_any(window[at], window[at + 1], window[at + 2]));
        if !is_ascii && (0..BLOCK).map(is_candidate).fold(0, |any, one| any | one) == 0 {
            return marks;
        }
        for (at, mark) in marks.iter_mut().enumerate() {
            let (a, b, c) = (window[at], window[at + 1], window[at + 2]);
            let bit = |start: Start| if start.may_begin(a, b, c) { start.bit() } else { 0 };
            *mark = bit(Start::Control);
            if !is_ascii {
                *mark |= bit(Start::Rare) | bit(Start::MixedScripts);
            }
            *mark &= self.0;
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

    #[test]
    fn the_quick_test_is_true_for_every_group() {
        for bytes in 0..1 << 24 {
            let [_, a, b, c] = u32::to_be_bytes(bytes);
            let is_of_group = Start::ALL.iter().any(|start| start.may_begin(a, b, c));
            assert!(!is_of_group || may_begin_any(a, b, c), "{bytes:06X}");
        }
    }
}
