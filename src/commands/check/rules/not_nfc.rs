//! Normalization Form C: the positions where a text and its NFC differ (Unicode Standard Annex #15).

use std::borrow::Cow;
use std::ops::Range;

use utfconv_core::NormalizationForm;

use super::{Definition, Detection, Fix, Pass, Place, Why};
use crate::ui::quote::character;
use utfconv_core::edit::Splice;
use utfconv_core::utf8::decode_first;

pub const RULE: Definition = Definition {
    id: "not-nfc",
    title: "not in NFC",
    explanation: "\
Text that is not in Normalization Form C (Unicode Standard Annex #15), such as
e and U+0301, which is the single character U+00E9 in NFC. The report shows
each sequence and its NFC. Compatibility characters, such as ligatures and
full-width letters, are in NFC and are not reported.

Texts that look the same compare as different, and searches miss them. macOS
and some input methods write text that is not in NFC. A sequence of more than
1 MiB, which is a letter with half a million combining marks, is reported
without a check.

To normalize:
    utfconv -i --normalize=nfc FILE
",
    standards: "Unicode Standard Annex #15; RFC 5198, section 3",
    detection: Detection::Pass(Pass { find: each, why }),
    ..Definition::with(Fix::Text(
        "\
composes the text. CJK compatibility ideographs are kept, because they
may look different in NFC. A file with ill-formed bytes is left. In other
encodings than UTF-8, a line whose NFC cannot be encoded is left.",
        composed,
    ))
};

const NFC: NormalizationForm = NormalizationForm::Nfc;

/// Maximum number of characters that a message shows.
const FEW: usize = 4;

/// Returns the text in NFC, except CJK compatibility ideographs, because NFC replaces them by ideographs that may
/// look different.
fn composed<'t>(text: &'t str, _: &Place) -> Cow<'t, str> {
    let mut splice = Splice::new(text);
    each(text.as_bytes(), &mut |range| {
        let sequence = &text[range.clone()];
        if sequence.len() > NormalizationForm::LONGEST_SEQUENCE {
            return;
        }
        let kept = sequence.split_inclusive(is_cjk_compatibility).fold(String::new(), |mut kept, part| {
            let ideograph = part.chars().next_back().filter(|scalar| is_cjk_compatibility(*scalar));
            let rest = &part[..part.len() - ideograph.map_or(0, char::len_utf8)];
            kept.push_str(&NFC.normalize(rest));
            kept.extend(ideograph);
            kept
        });
        if kept != sequence {
            splice.replace(range, &kept);
        }
    });
    splice.end()
}

fn is_cjk_compatibility(scalar: char) -> bool {
    matches!(scalar, '\u{F900}'..='\u{FAFF}' | '\u{2F800}'..='\u{2FA1F}')
}

/// Calls `found` for each sequence that is not in NFC, without the characters at its start that NFC keeps, and for
/// each sequence that is too long to check.
fn each(text: &[u8], found: &mut dyn FnMut(Range<usize>)) {
    let mut at = 0;
    while at < text.len() {
        at += NFC.normalized_prefix(&text[at..]);
        // Sequences are checked up to the next normalization boundary.
        loop {
            let len = NFC.first_sequence(&text[at..]);
            if let Some(kept) = kept(&text[at..at + len]) {
                found(at + kept..at + len);
            }
            at += len;
            if at == text.len() || NFC.has_boundary_before(first(&text[at..])) {
                break;
            }
        }
    }
}

/// Returns the number of bytes at the start of `sequence` that NFC keeps; `None` if NFC changes nothing.
fn kept(sequence: &[u8]) -> Option<usize> {
    if sequence.len() > NormalizationForm::LONGEST_SEQUENCE {
        return Some(0);
    }
    let text = str::from_utf8(sequence).unwrap_or_default();
    let normal = NFC.normalize(text);
    let same = text.chars().zip(normal.chars()).take_while(|(one, other)| one == other);
    (normal != text).then(|| same.map(|(scalar, _)| scalar.len_utf8()).sum())
}

fn first(text: &[u8]) -> char {
    char::from_u32(decode_first(text).0).unwrap_or_default()
}

/// Explains a sequence by its NFC.
fn why(sequence: &[u8]) -> Why {
    let text = str::from_utf8(sequence).unwrap_or_default();
    let has = some(text.chars(), |scalar| format!("U+{:04X}", u32::from(scalar)));
    if sequence.len() > NormalizationForm::LONGEST_SEQUENCE {
        let longest = NormalizationForm::LONGEST_SEQUENCE >> 20;
        return format!("the sequence {has} is too long to check: more than {longest} MiB").into();
    }
    let wants = some(NFC.normalize(text).chars(), character);
    format!("{has} in NFC is {wants}").into()
}

/// Lists the first `FEW` scalar values, formatted by `word`.
fn some(mut scalars: impl Iterator<Item = char>, word: impl Fn(char) -> String) -> String {
    let mut words: Vec<_> = scalars.by_ref().take(FEW).map(word).collect();
    if scalars.next().is_some() {
        words.push("...".to_string());
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::{Before, Value};
    use super::*;

    fn found(text: &str) -> Vec<(usize, &str)> {
        let mut found = Vec::new();
        each(text.as_bytes(), &mut |range| found.push((range.start, &text[range])));
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
        assert_eq!(why("e\u{301}".as_bytes()).text, "U+0065 U+0301 in NFC is U+00E9 \"é\"");
        assert_eq!(
            why("a\u{301}\u{301}\u{301}\u{301}\u{301}".as_bytes()).text,
            format!(
                "U+0061 U+0301 U+0301 U+0301 ... in NFC is U+00E1 \"á\"{} ...",
                " U+0301 COMBINING ACUTE ACCENT".repeat(3)
            )
        );
    }

    #[test]
    fn ideographs_stay() {
        let place = Place { value: Value::Default, before: Before::Start, is_last: true };
        for (text, expected) in [
            ("e\u{301} e\u{301}", "\u{e9} \u{e9}"),
            ("\u{F900}\u{2126}\u{2F800}", "\u{F900}\u{3A9}\u{2F800}"),
            ("\u{F900}\u{301}\u{327}x", "\u{F900}\u{327}\u{301}x"),
            ("\u{FA10}", "\u{FA10}"),
        ] {
            assert_eq!(composed(text, &place), expected, "{text:?}");
            assert_eq!(composed(expected, &place), expected, "{text:?}");
        }
    }

    /// Normalizing the findings, and nothing else, normalizes the text; and each finding is needed.
    #[test]
    fn findings_are_exactly_the_text_that_is_not_normalized() {
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
            let mut end = 0;
            for (start, sequence) in found(&text) {
                normal.push_str(&text[end..start]);
                normal.push_str(&NFC.normalize(sequence));
                assert_ne!(NFC.normalize(sequence).chars().next(), sequence.chars().next(), "{text:?}");
                end = start + sequence.len();
            }
            normal.push_str(&text[end..]);
            assert_eq!(normal, NFC.normalize(&text), "{text:?}");
        }
    }
}
