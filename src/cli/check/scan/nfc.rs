//! Normalization Form C: the places where a text and its NFC differ (Unicode Standard Annex #15).

use std::ops::Range;

use icu_normalizer::properties::CanonicalCombiningClassMapBorrowed;
use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};

use super::{is_continuation, scalars, shown};

const NFC: ComposingNormalizerBorrowed = ComposingNormalizerBorrowed::new_nfc();
const NFD: DecomposingNormalizerBorrowed = DecomposingNormalizerBorrowed::new_nfd();
const CLASSES: CanonicalCombiningClassMapBorrowed = CanonicalCombiningClassMapBorrowed::new();

/// How many characters a sentence has room for.
const FEW: usize = 4;

/// Calls `found` for each of the sequences that are not in NFC, without what NFC leaves as it is before them.
pub fn each(text: &[u8], mut found: impl FnMut(Range<usize>)) {
    let mut at = 0;
    while let Some(quiet) = quiet(&text[at..]) {
        // The character before may combine with the first that is not quiet.
        let rest =
            at + text[at..at + quiet].iter().rposition(|byte| !is_continuation(*byte)).unwrap_or_default();
        let (_, tail) = NFC.split_normalized_utf8(&text[rest..]);
        let start = text.len() - tail.len();
        if tail.is_empty() {
            return;
        }
        at = start + sequence(tail);
        found(start..at);
    }
}

/// How many bytes are before a character that is not quiet, or may not be.
fn quiet(text: &[u8]) -> Option<usize> {
    const BLOCK: usize = 32;
    let mut at = 0;
    while let Some(window) = text.get(at..at + BLOCK + 2) {
        // Without a branch for each byte, so that the compiler can take many of them at once.
        let is_low = window.iter().fold(0, |most, byte| *byte.max(&most)) < 0xCC;
        let is_any =
            || (0..BLOCK).fold(false, |any, i| any | is_loud(window[i], window[i + 1], window[i + 2]));
        if !is_low && is_any() {
            break;
        }
        at += BLOCK;
    }
    let byte = |at: usize| text.get(at).copied().unwrap_or_default();
    (at..text.len()).find(|at| is_loud(byte(*at), byte(at + 1), byte(at + 2)))
}

/// Whether the character that begins with these bytes may combine with what is before it, or may not be in NFC. Neither
/// is so for most of the letters, signs and syllables of living languages.
fn is_loud(a: u8, b: u8, c: u8) -> bool {
    let is_quiet = (a < 0xCC) // up to U+02FF
        | (a & 0xFE == 0xD0) // Cyrillic
        | (a == 0xE1) & (b & 0xFE == 0xBA) // Latin Extended Additional
        | (a == 0xE2) & (b == 0x80) & (c >= 0x82) // General Punctuation
        | (a == 0xE3) & ((b >= 0x83) | (b == 0x81) | (b == 0x80) & (c < 0xAA) | (b == 0x82) & (c != 0x99) & (c != 0x9A))
        | (0xE4..=0xE9).contains(&a) // Han
        | (a == 0xEA) & (b >= 0xB0) | (0xEB..=0xED).contains(&a) // Hangul
        | (a == 0xEF) & (b >= 0xBC); // full-width
    !is_quiet
}

/// The length of the first sequence of `text` that has to be normalised as a whole.
fn sequence(text: &[u8]) -> usize {
    // Of what came before, only a starter with nothing behind it can combine with another starter.
    let mut starter = None;
    let mut end = 0;
    loop {
        let len = cluster(&text[end..]);
        let last = NFC.normalize_iter(starter.into_iter().chain(scalars(&text[end..end + len]))).last();
        starter = last.filter(|last| is_starter(*last));
        end += len;
        let (Some(starter), Some(next)) = (starter, scalars(&text[end..]).next()) else { return end };
        let apart = [starter].into_iter().chain(NFC.normalize_iter([next].into_iter()));
        if apart.eq(NFC.normalize_iter([starter, next].into_iter())) {
            return end;
        }
    }
}

/// The length of the first character of `text` with the combining marks after it.
fn cluster(text: &[u8]) -> usize {
    let begins_with_mark =
        |scalar| NFD.normalize_iter([scalar].into_iter()).next().is_some_and(|first| !is_starter(first));
    let mut scalars = scalars(text);
    let first = scalars.next().map_or(0, char::len_utf8);
    first + scalars.take_while(|scalar| begins_with_mark(*scalar)).map(char::len_utf8).sum::<usize>()
}

fn is_starter(scalar: char) -> bool {
    CLASSES.get_u8(scalar) == 0
}

/// Why a sequence that was found is not in NFC.
pub fn words(text: &[u8]) -> String {
    let has = some(scalars(text), |scalar| format!("U+{:04X}", u32::from(scalar)));
    let wants = some(NFC.normalize_iter(scalars(text)), shown);
    format!("for {has} NFC has {wants}")
}

/// The first few of `scalars`, as `word` has each of them.
fn some(mut scalars: impl Iterator<Item = char>, word: impl Fn(char) -> String) -> String {
    let mut words: Vec<_> = scalars.by_ref().take(FEW).map(word).collect();
    if scalars.next().is_some() {
        words.push("...".to_string());
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(usize, &str)> {
        let mut found = Vec::new();
        each(text.as_bytes(), |range| found.push((range.start, &text[range])));
        found
    }

    #[test]
    fn sequences_are_as_short_as_they_can_be() {
        for (text, expected) in [
            ("", &[][..]),
            ("a", &[]),
            ("é", &[]),
            ("\u{301}", &[]),
            ("q\u{327}\u{301}", &[]),
            ("가각", &[]),
            ("e\u{301}", &[(0, "e\u{301}")]),
            ("ee\u{301}e", &[(1, "e\u{301}")]),
            ("e\u{301}e\u{301}", &[(0, "e\u{301}"), (3, "e\u{301}")]),
            ("xq\u{301}\u{327}y", &[(2, "\u{301}\u{327}")]),
            ("<\u{338}", &[(0, "<\u{338}")]),
            ("Ω\u{2126}Ω", &[(2, "\u{2126}")]),
            (
                "가\u{1100}\u{1161}\u{11A8}\u{1100}\u{1161}x",
                &[(3, "\u{1100}\u{1161}\u{11A8}"), (12, "\u{1100}\u{1161}")],
            ),
            ("\u{9C7}\u{9BE}\u{995}", &[(0, "\u{9C7}\u{9BE}")]),
            ("\u{958}", &[(0, "\u{958}")]),
            ("\u{F73}", &[(0, "\u{F73}")]),
        ] {
            assert_eq!(found(text), expected, "{text:?}");
        }
        assert_eq!(words("e\u{301}".as_bytes()), "for U+0065 U+0301 NFC has U+00E9 \"é\"");
        assert_eq!(
            words("a\u{301}\u{301}\u{301}\u{301}\u{301}".as_bytes()),
            "for U+0061 U+0301 U+0301 U+0301 ... NFC has U+00E1 \"á\" U+0301 U+0301 U+0301 ..."
        );
    }

    #[test]
    fn quiet_characters_stay_and_do_not_combine() {
        use icu_normalizer::properties::{CanonicalDecompositionBorrowed, Decomposed};
        let decompositions = CanonicalDecompositionBorrowed::new();
        let mut seconds = std::collections::HashSet::new();
        for scalar in '\0'..=char::MAX {
            if let Decomposed::Expansion(_, second) = decompositions.decompose(scalar) {
                seconds.insert(second);
            }
        }
        for scalar in '\0'..=char::MAX {
            let mut bytes = [0; 4];
            let text = scalar.encode_utf8(&mut bytes);
            if quiet(text.as_bytes()).is_none() {
                assert!(NFC.is_normalized(text) && is_starter(scalar), "{text:?}");
                assert!(!seconds.contains(&scalar), "{text:?}");
            }
        }
    }

    /// Normalising what is found, and nothing else, normalises the text; and each of the findings was needed.
    #[test]
    fn findings_are_all_that_is_not_normalised() {
        let alphabet: Vec<char> = "aeqAé<= \nậ\u{301}\u{327}\u{323}\u{302}\u{338}\u{308}\u{345}\u{340}\u{344}\u{1100}\u{1161}\
            \u{11A7}\u{11A8}가각\u{9C7}\u{9BE}\u{9D7}\u{BC6}\u{BBE}\u{DD9}\u{DCA}\u{DCF}\u{F71}\u{F72}\u{F73}\u{F74}\u{F42}\u{FB7}\u{F43}\u{958}\u{915}\u{93C}\
            \u{2126}\u{212B}\u{FB1D}\u{2ADC}\u{1D15E}\u{11131}\u{11127}\u{1112E}\u{16121}\u{1611E}\u{1611F}\u{16D63}\u{16D67}\u{16D68}\u{304B}\u{3099}\u{F900}\u{FFFD}"
            .chars()
            .collect();
        let mut state = 1u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % below
        };
        for _ in 0..200_000 {
            let text: String = (0..random(9)).map(|_| alphabet[random(alphabet.len())]).collect();
            let mut normal = String::new();
            let mut behind = 0;
            for (start, sequence) in found(&text) {
                normal.push_str(&text[behind..start]);
                normal.push_str(&NFC.normalize(sequence));
                assert_ne!(NFC.normalize(sequence).chars().next(), sequence.chars().next(), "{text:?}");
                behind = start + sequence.len();
            }
            normal.push_str(&text[behind..]);
            assert_eq!(normal, NFC.normalize(&text), "{text:?}");
        }
    }
}
