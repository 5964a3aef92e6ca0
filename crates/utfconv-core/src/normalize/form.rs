//! The normalization forms, which normalize text, and find positions at which a text can be cut before it is
//! normalized.

use std::borrow::Cow;

use icu_normalizer::properties::{CanonicalCombiningClassMapBorrowed, CanonicalCompositionBorrowed};
use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};

use super::code_points::CodePoints;
use super::quick_check::{Edges, QuickCheck, Table};
use crate::utf8::{decode_first, first_char, is_continuation, last_start};

const NFC: ComposingNormalizerBorrowed = ComposingNormalizerBorrowed::new_nfc();
const NFD: DecomposingNormalizerBorrowed = DecomposingNormalizerBorrowed::new_nfd();
const NFKC: ComposingNormalizerBorrowed = ComposingNormalizerBorrowed::new_nfkc();
const NFKD: DecomposingNormalizerBorrowed = DecomposingNormalizerBorrowed::new_nfkd();
const CLASSES: CanonicalCombiningClassMapBorrowed = CanonicalCombiningClassMapBorrowed::new();
pub(super) const COMPOSITIONS: CanonicalCompositionBorrowed = CanonicalCompositionBorrowed::new();

/// A normalization form of Unicode (UAX #15; Unicode 3.11).
///
/// ```
/// use utfconv_core::{NormalizationForm::{self, Nfc, Nfd}, Options, UTF_8, convert};
///
/// let options = Options::default().normalization(Nfc);
/// assert_eq!(convert("e\u{301}".as_bytes(), &UTF_8, &UTF_8, &options)?.output, "é".as_bytes());
///
/// assert_eq!((Nfd.name(), Nfd.normalize("é")), ("NFD", "e\u{301}".into()));
/// assert!(NormalizationForm::ALL.iter().all(|form| form.normalize("ASCII") == "ASCII"));
/// assert_eq!(NormalizationForm::LONGEST_SEQUENCE, 1 << 20);
/// # Ok::<(), Box<utfconv_core::Stopped>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NormalizationForm {
    /// Canonical decomposition, then composition: `é` is one character. Most texts are in this form.
    Nfc,
    /// Canonical decomposition: `é` is two characters.
    Nfd,
    /// Compatibility decomposition, then composition: `ﬁ` becomes `fi`, and `²` becomes `2`, which loses information.
    Nfkc,
    /// Compatibility decomposition, without composition.
    Nfkd,
}

use NormalizationForm::{Nfc, Nfd, Nfkc, Nfkd};

impl NormalizationForm {
    /// All normalization forms.
    pub const ALL: [NormalizationForm; 4] = [Nfc, Nfd, Nfkc, Nfkd];

    /// Returns the form's name, such as `NFC`.
    pub fn name(self) -> &'static str {
        match self {
            Nfc => "NFC",
            Nfd => "NFD",
            Nfkc => "NFKC",
            Nfkd => "NFKD",
        }
    }

    /// Returns `text` in this form.
    pub fn normalize(self, text: &str) -> Cow<'_, str> {
        self.normalize_utf8(text.as_bytes())
    }

    /// Returns `text`, well-formed UTF-8, in this form.
    pub(crate) fn normalize_utf8(self, text: &[u8]) -> Cow<'_, str> {
        match self {
            Nfc => NFC.normalize_utf8(text),
            Nfd => NFD.normalize_utf8(text),
            Nfkc => NFKC.normalize_utf8(text),
            Nfkd => NFKD.normalize_utf8(text),
        }
    }

    /// Returns the length in bytes of a prefix of `text`, well-formed UTF-8, that is in this form whatever text comes
    /// before and after it. The prefix is not always the longest; for text in this form, it is usually all except the
    /// end.
    ///
    /// # Panics
    /// The function may panic if `text` is not well-formed.
    ///
    /// ```
    /// use utfconv_core::NormalizationForm::Nfc;
    ///
    /// // The last character may combine with what follows.
    /// assert_eq!(Nfc.normalized_prefix("abc".as_bytes()), 2);
    /// assert_eq!(Nfc.normalized_prefix("abcde\u{301}fg".as_bytes()), 4);
    /// ```
    pub fn normalized_prefix(self, text: &[u8]) -> usize {
        self.normalized_prefix_by(text, None)
    }

    /// Like [`NormalizationForm::normalized_prefix`], but checks code points instead of bytes if `code_points` has a
    /// kernel.
    pub(crate) fn normalized_prefix_by(self, text: &[u8], mut code_points: Option<&mut CodePoints>) -> usize {
        let table = self.table();
        let (mut at, mut trail) = (0, Edges::UNSEEN);
        let mut stretch = 4 * BLOCK;
        'blocks: while at < text.len() {
            if text.get(at..at + WINDOW).is_some_and(|window| self.is_quiet(window, code_points.is_some())) {
                let end = at + BLOCK;
                at = end + text[end..].iter().take_while(|byte| is_continuation(**byte)).count();
                trail = Edges::UNSEEN;
                stretch = 4 * BLOCK;
                continue;
            }
            if let Some(code_points) = &mut code_points {
                let stable =
                    code_points.stable_prefix(&text[at..], table, trail, |scalar| self.quick_check(scalar));
                at += stable.len;
                trail = stable.trail;
                if stable.is_all {
                    continue;
                }
            }
            // If one block has characters that may change, the next blocks probably have such characters, too.
            let end = text.len().min(at + stretch);
            stretch = (2 * stretch).min(32 * BLOCK);
            while at < end {
                // No form changes ASCII, and only its last character affects the text after it.
                let ascii = ascii_run(&text[at..]);
                if ascii > 0 {
                    at += ascii;
                    trail = table.edges(text[at - 1].into(), |scalar| self.quick_check(scalar)).trail;
                    continue;
                }
                let (code_point, len) = decode_first(&text[at..]);
                let edges = table.edges(code_point, |scalar| self.quick_check(scalar));
                if edges.lead <= trail && !self.stays_after(&text[..at], code_point, edges) {
                    break 'blocks;
                }
                trail = edges.trail;
                at += len;
            }
        }
        self.last_boundary(text, at)
    }

    /// Whether `window` holds only characters that the form never changes. The result may be false although the window
    /// holds only such characters.
    fn is_quiet(self, window: &[u8], has_code_points: bool) -> bool {
        match self {
            // For NFC, checking code points is faster than a closer look at bytes.
            Nfc if has_code_points => is_low(window),
            Nfc => are_quiet_in_nfc(window),
            _ => window.is_ascii(),
        }
    }

    /// Whether this form leaves the scalar value `code_point` unchanged, whatever comes before it.
    pub(crate) fn leaves(self, code_point: u32) -> bool {
        self.edges(code_point).is_stable()
    }

    /// Normalizes long text in which nearly everything changes.
    pub(crate) fn rewritten(self, text: &[u8]) -> Cow<'_, [u8]> {
        if self.composes() {
            return self.composed(text).into();
        }
        match self.normalize_utf8(text) {
            Cow::Borrowed(text) => text.as_bytes().into(),
            Cow::Owned(text) => text.into_bytes().into(),
        }
    }

    pub(super) fn edges(self, code_point: u32) -> Edges {
        self.table().edges(code_point, |scalar| self.quick_check(scalar))
    }

    fn table(self) -> &'static Table {
        static TABLES: [Table; 4] = [const { Table::new() }; 4];
        &TABLES[self as usize]
    }

    fn quick_check(self, scalar: char) -> QuickCheck {
        // Ideographs are frequent, and the forms treat all of them alike. They treat Hangul syllables alike, too,
        // except that a syllable without a final consonant may compose with a final consonant after it.
        match scalar {
            '\u{3400}'..='\u{9FFF}' | '\u{20000}'..='\u{2F7FF}' | '\u{30000}'.. => {
                return QuickCheck::Stable { inner: 0, is_first: false };
            }
            '\u{AC00}'..='\u{D7A3}' if self.composes() => {
                return QuickCheck::Stable {
                    inner: 0,
                    is_first: (u32::from(scalar) - 0xAC00).is_multiple_of(28),
                };
            }
            _ => {}
        }
        if self.normalize(scalar.encode_utf8(&mut [0; 4])).chars().ne([scalar]) {
            return QuickCheck::Changed;
        }
        let class = CLASSES.get_u8(scalar);
        if self.has_boundary_before(scalar) {
            let inner = self.decomposed(scalar).last().map_or(0, |last| CLASSES.get_u8(last));
            return QuickCheck::Stable { inner, is_first: self.composes() && composes_with_next(scalar) };
        }
        match self.decomposed(scalar).eq([scalar]) {
            true if self.composes() && is_second(scalar) => QuickCheck::Second { class },
            true => QuickCheck::Mark { class },
            false => QuickCheck::Changed,
        }
    }

    /// Whether `code_point`, which has the given edges, stays unchanged after `text`, which is in this form. Returns
    /// false also if the last character of `text` does not decide the question.
    #[cold]
    fn stays_after(self, text: &[u8], code_point: u32, edges: Edges) -> bool {
        let Some(last) = first_char(&text[last_start(text, text.len())..]) else { return false };
        let before = self.edges(last.into());
        if edges.lead > before.trail {
            return true;
        }
        let Some(class) = edges.class_of_second() else { return false };
        match CLASSES.get_u8(last) {
            0 => {
                let scalar = char::from_u32(code_point).unwrap_or_default();
                edges.trail >= before.trail && COMPOSITIONS.compose(last, scalar).is_none()
            }
            // A mark of the same class, or any mark before a starter, blocks the composition.
            last => class == 0 || class == last,
        }
    }

    /// Returns the last offset in `text`, well-formed UTF-8, up to `at`, at which a character has a boundary before it;
    /// 0 if there is none. Text can be cut there, and both sides can be normalized separately.
    ///
    /// # Panics
    /// If `at` is after the end. The function may panic if `text` is not well-formed.
    ///
    /// ```
    /// use utfconv_core::NormalizationForm::Nfc;
    ///
    /// assert_eq!(Nfc.last_boundary("ae\u{301}".as_bytes(), 2), 1);
    /// assert_eq!(Nfc.last_boundary("a文".as_bytes(), 3), 1);
    /// ```
    #[must_use]
    pub fn last_boundary(self, text: &[u8], mut at: usize) -> usize {
        if text.get(at).is_some_and(|byte| is_continuation(*byte)) {
            at = last_start(text, at);
        }
        while at > 0 && !first_char(&text[at..]).is_some_and(|scalar| self.has_boundary_before(scalar)) {
            at = last_start(text, at);
        }
        at
    }

    /// Whether no text before `scalar` affects how it and the text after it are normalized.
    ///
    /// ```
    /// use utfconv_core::NormalizationForm::Nfc;
    ///
    /// assert!(Nfc.has_boundary_before('a') && !Nfc.has_boundary_before('\u{301}'));
    /// ```
    #[must_use]
    pub fn has_boundary_before(self, scalar: char) -> bool {
        // Decide for the characters that make up most texts without a lookup; a test compares all characters with the
        // lookup.
        if matches!(scalar, ..'\u{300}' | '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}') {
            return true;
        }
        let first = self.decomposed(scalar).next().unwrap_or(scalar);
        is_starter(first) && !(self.composes() && is_second(first))
    }

    /// Returns the length in bytes of the first sequence of `text`, well-formed UTF-8, that must be normalized as a
    /// whole.
    ///
    /// # Panics
    /// The function may panic if `text` is not well-formed.
    ///
    /// ```
    /// assert_eq!(utfconv_core::NormalizationForm::Nfc.first_sequence("e\u{301}a".as_bytes()), 3);
    /// ```
    pub fn first_sequence(self, text: &[u8]) -> usize {
        let mut len = 0;
        while let Some(next) = first_char(&text[len..]) {
            if len > 0 && self.parts(&text[..len], next) {
                break;
            }
            len += next.len_utf8();
        }
        len
    }

    /// Whether `text`, which is not empty, and the text that begins with `next` can be normalized separately.
    pub(crate) fn parts(self, text: &[u8], next: char) -> bool {
        // Most characters are decided by the table of `leaves`, which is faster than the normalizer's data.
        if self.leaves(next.into()) || self.has_boundary_before(next) {
            return true;
        }
        let first = self.decomposed(next).next().unwrap_or(next);
        if is_starter(first) {
            // A starter composes only with a starter directly before it.
            self.last(text).is_none_or(|last| COMPOSITIONS.compose(last, first).is_none())
        } else {
            self.is_closed(text)
        }
    }

    /// Whether no text that follows `text` changes it.
    pub(crate) fn is_closed(self, text: &[u8]) -> bool {
        let Some(last) = first_char(&text[last_start(text, text.len())..]) else { return true };
        let edges = self.edges(last.into());
        if edges.is_stable() {
            return edges.combines_with_nothing_after();
        }
        // A mark at the end may move before other marks.
        self.decomposed(last).last().is_some_and(is_starter)
            && (!self.composes() || self.last(text).is_none_or(|last| !composes_with_next(last)))
    }

    fn composes(self) -> bool {
        matches!(self, Nfc | Nfkc)
    }

    fn decomposed(self, scalar: char) -> impl Iterator<Item = char> {
        let decomposition = if matches!(self, Nfc | Nfd) { NFD } else { NFKD };
        decomposition.normalize_iter([scalar].into_iter())
    }

    /// Returns the last character of `text` in normalized form, or `None` if `text` is empty.
    fn last(self, text: &[u8]) -> Option<char> {
        self.normalize_utf8(text).chars().next_back()
    }
}

fn is_starter(scalar: char) -> bool {
    CLASSES.get_u8(scalar) == 0
}

fn composes_with_next(scalar: char) -> bool {
    seconds().any(|second| COMPOSITIONS.compose(scalar, second).is_some())
}

fn is_second(scalar: char) -> bool {
    SECONDS.partition_point(|border| *border <= u32::from(scalar)) % 2 == 1
}

fn seconds() -> impl Iterator<Item = char> {
    let ranges = SECONDS.as_chunks().0.iter();
    ranges.flat_map(|[first, end]| *first..*end).filter_map(char::from_u32)
}

/// Ranges of the characters that compose with a character before them, each as its first character and the character
/// after its last.
const SECONDS: [u32; 98] = [
    0x300, 0x305, 0x306, 0x30D, 0x30F, 0x310, 0x311, 0x312, 0x313, 0x315, 0x31B, 0x31C, 0x323, 0x329, 0x32D,
    0x32F, 0x330, 0x332, 0x338, 0x339, 0x342, 0x343, 0x345, 0x346, 0x653, 0x656, 0x93C, 0x93D, 0x9BE, 0x9BF,
    0x9D7, 0x9D8, 0xB3E, 0xB3F, 0xB56, 0xB58, 0xBBE, 0xBBF, 0xBD7, 0xBD8, 0xC56, 0xC57, 0xCC2, 0xCC3, 0xCD5,
    0xCD7, 0xD3E, 0xD3F, 0xD57, 0xD58, 0xDCA, 0xDCB, 0xDCF, 0xDD0, 0xDDF, 0xDE0, 0x102E, 0x102F, 0x1161,
    0x1176, 0x11A8, 0x11C3, 0x1B35, 0x1B36, 0x3099, 0x309B, 0x110BA, 0x110BB, 0x11127, 0x11128, 0x1133E,
    0x1133F, 0x11357, 0x11358, 0x113B8, 0x113B9, 0x113BB, 0x113BC, 0x113C2, 0x113C3, 0x113C9, 0x113CA,
    0x114B0, 0x114B1, 0x114BA, 0x114BB, 0x114BD, 0x114BE, 0x115AF, 0x115B0, 0x11930, 0x11931, 0x1611E,
    0x16121, 0x16129, 0x1612A, 0x16D67, 0x16D68,
];

/// Number of bytes that are checked at a time.
const BLOCK: usize = 32;

/// Length of a block with the bytes after it that may belong to its last character.
const WINDOW: usize = BLOCK + 2;

/// Whether all characters of a window are quiet, that is, never changed by NFC and never composed.
fn are_quiet_in_nfc(window: &[u8]) -> bool {
    // Check without a branch for each byte, so that the compiler vectorizes the loop.
    is_low(window)
        || !(0..BLOCK).fold(false, |any, at| any | is_loud(window[at], window[at + 1], window[at + 2]))
}

/// Whether all characters of a window are below U+0300, so they are quiet.
fn is_low(window: &[u8]) -> bool {
    window.iter().fold(0, |most, byte| *byte.max(&most)) < 0xCC
}

/// Whether the character that begins with the given bytes may combine with text before it, or may not be in NFC. False
/// for most letters, symbols and syllables of living languages.
fn is_loud(a: u8, b: u8, c: u8) -> bool {
    let is_quiet = (a < 0xCC) // characters up to U+02FF are quiet
        | (a == 0xCE) & (b != 0x87) | (a == 0xCF) // Greek is quiet
        | (a & 0xFE == 0xD0) // Cyrillic is quiet
        | (a == 0xD7) & (b >= 0x90) // Hebrew without points is quiet
        | (a == 0xD8) & (b >= 0xA0) | (a == 0xD9) & ((b < 0x8B) | (b >= 0xA0) & (b != 0xB0)) // Arabic without marks is quiet
        | (a == 0xDA) | (a == 0xDB) & (b < 0x94)
        | (a == 0xE1) & (b & 0xFE == 0xBA) // Latin Extended Additional is quiet
        | (a == 0xE2) & (b == 0x80) & (c >= 0x82) // General Punctuation is quiet
        | (a == 0xE3) & ((b >= 0x83) | (b == 0x81) | (b == 0x80) & (c < 0xAA) | (b == 0x82) & (c != 0x99) & (c != 0x9A))
        | (0xE4..=0xE9).contains(&a) // Han is quiet
        | (a == 0xEA) & (b >= 0xB0) | (0xEB..=0xED).contains(&a) // Hangul is quiet
        | (a == 0xEF) & (b >= 0xBC); // full-width characters are quiet
    !is_quiet
}

/// Returns the number of ASCII bytes at the front of a text, up to eight, or up to one near the end of the text.
#[inline(always)]
fn ascii_run(text: &[u8]) -> usize {
    match text.first_chunk() {
        Some(word) => (u64::from_le_bytes(*word) & 0x8080_8080_8080_8080).trailing_zeros() as usize / 8,
        None => usize::from(text[0].is_ascii()),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn seconds_lists_all_that_compose_with_a_character_before() {
        use icu_normalizer::properties::{CanonicalDecompositionBorrowed, Decomposed};
        let decompositions = CanonicalDecompositionBorrowed::new();
        let mut seconds: Vec<char> = ('\0'..=char::MAX)
            .filter_map(|scalar| match decompositions.decompose(scalar) {
                Decomposed::Expansion(first, second) => COMPOSITIONS.compose(first, second).map(|_| second),
                _ => None,
            })
            .collect();
        seconds.sort_unstable();
        seconds.dedup();
        assert_eq!(super::seconds().collect::<Vec<_>>(), seconds);
    }

    #[test]
    fn quiet_characters_are_stable() {
        for scalar in '\0'..=char::MAX {
            let mut bytes = [b' '; WINDOW];
            scalar.encode_utf8(&mut bytes);
            if are_quiet_in_nfc(&bytes) {
                assert!(
                    matches!(Nfc.quick_check(scalar), QuickCheck::Stable { .. }),
                    "U+{:04X}",
                    u32::from(scalar)
                );
            }
        }
    }

    /// The shortcuts for frequent characters agree with the tables.
    #[test]
    fn short_cuts_are_right() {
        use icu_normalizer::properties::{CanonicalDecompositionBorrowed, Decomposed};
        let decompositions = CanonicalDecompositionBorrowed::new();
        let firsts: BTreeSet<char> = ('\0'..=char::MAX)
            .filter_map(|scalar| match decompositions.decompose(scalar) {
                Decomposed::Expansion(first, second) => COMPOSITIONS.compose(first, second).map(|_| first),
                _ => None,
            })
            .collect();
        let all = '\0'..=char::MAX;
        for (form, scalar) in all.flat_map(|scalar| NormalizationForm::ALL.map(|form| (form, scalar))) {
            let decomposed: Vec<char> = form.decomposed(scalar).collect();
            let is_second = form.composes() && is_second(decomposed[0]);
            let has_boundary = is_starter(decomposed[0]) && !is_second;
            let shown = format!("{form:?} U+{:04X}", u32::from(scalar));
            assert_eq!(form.has_boundary_before(scalar), has_boundary, "{shown}");
            let class = CLASSES.get_u8(scalar);
            let stays = form.normalize(&scalar.to_string()).chars().eq([scalar]);
            let kind = match (stays, has_boundary) {
                (true, true) => {
                    let inner = decomposed.last().map_or(0, |last| CLASSES.get_u8(*last));
                    QuickCheck::Stable { inner, is_first: form.composes() && firsts.contains(&scalar) }
                }
                (true, false) if decomposed == [scalar] && is_second => QuickCheck::Second { class },
                (true, false) if decomposed == [scalar] => QuickCheck::Mark { class },
                _ => QuickCheck::Changed,
            };
            assert_eq!(form.quick_check(scalar), kind, "{shown}");
        }
    }
}
