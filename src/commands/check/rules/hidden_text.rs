//! Text that is hidden in characters that show nothing.

use std::iter;
use std::ops::Range;

use unicode_script::{Script, UnicodeScript};
use utfconv_core::utf8::{decode_first, is_continuation};
use utfconv_scan::marks::Start;

use super::standardized::STANDARDIZED;
use super::{Definition, Detection, Fix, Sequence, Severity, Why};
use crate::text::hidden::{Kind, described, payload, tagged};

pub const RULE: Definition = Definition {
    id: "hidden-text",
    title: "hidden text",
    explanation: "\
A run of invisible characters that is not part of a sequence known to
Unicode. A run is: several variation selectors or tags (U+E0000..U+E0FFF),
or one of them after a letter of Latin, Greek, Cyrillic or East Asia; a
joiner (U+200C, U+200D) in a word of such letters; eight or more zero-width
characters of two or more kinds; an interlinear annotation (U+FFF9..U+FFFB);
or three or more private use characters of planes 15 and 16.

Each run is one error. The error shows what the run hides: tags as ASCII,
selectors as bytes, and zero-width characters of two kinds as bits.

Such runs hide code from reviewers (\"GlassWorm\") and instructions for language
models (\"ASCII smuggling\"). Three kinds of characters are allowed: emoji with
the flags of England, Scotland and Wales; a selector after a base that Unicode
17 lists for it, after an ideograph (U+FE00..U+FE02 and U+E0100..U+E011F) or
after a Mongolian letter; and U+FE0E or U+FE0F. The rule invisible finds
single invisible characters.
",
    standards: "UAX #31; UTS #37 and #51 (variation, emoji)",
    severity: Severity::Major,
    detection: Detection::Sequence(Sequence { start: Start::Rare, find, why }),
    ..Definition::with(Fix::Never("a person must see what was hidden"))
};

/// The last variation selector that is registered for any ideograph (32 selectors for U+9089, in the Ideographic
/// Variation Database of 2025).
const LAST_OF_IDEOGRAPHS: char = '\u{E011F}';

/// Length of a tag in bytes; and number of tags in the name of a region, such as `gbsct`.
const TAG_LEN: usize = '\u{E0000}'.len_utf8();
const REGION_LEN: usize = 5;

/// Minimum number of adjacent private use characters that are hidden text, because fonts have single icons in these
/// planes.
const LEAST_PRIVATE: usize = 3;

/// Minimum number of adjacent zero-width characters of two or more kinds that are hidden text, because 8 such
/// characters can spell the bits of a byte. Input methods and web pages leave shorter runs, and longer runs of a single
/// kind, which hide nothing.
const LEAST_BITS: usize = 8;

/// Calls `found` with the byte range of the hidden text in the run of hidden characters at byte `start`.
fn find(text: &[u8], _: usize, start: usize, found: &mut dyn FnMut(Range<usize>)) -> usize {
    let is_private = kind_at(text, start) == Some(Kind::PrivateUse);
    let (mut end, mut len) = (start, 0);
    while let Some(kind) = kind_at(text, end)
        && (kind == Kind::PrivateUse) == is_private
    {
        end += decode_first(&text[end..]).1;
        len += 1;
    }
    if len == 0 {
        return start + 1;
    }
    let before = scalar_before(text, start);
    let hidden = start + known_len(text, start, before);
    let is_hidden = if is_private {
        len >= LEAST_PRIVATE
    } else {
        hides(before, str::from_utf8(&text[hidden..end]).unwrap_or_default(), scalar_at(text, end))
    };
    if is_hidden {
        found(hidden..end);
    }
    end
}

/// Returns the length in bytes of the tags or the selector at byte `at` that belong to the preceding scalar value
/// `before`. Repeated U+FE0E and U+FE0F are included, because some programs repeat them.
fn known_len(text: &[u8], at: usize, before: Option<char>) -> usize {
    match scalar_at(text, at) {
        Some(selector) if varies(before, selector) => {
            let len = selector.len_utf8();
            let repeated = iter::successors(Some(at + len), |at| Some(at + len));
            let is_same = |at: &usize| {
                matches!(selector, '\u{FE0E}' | '\u{FE0F}') && scalar_at(text, *at) == Some(selector)
            };
            len + len * repeated.take_while(is_same).count()
        }
        _ => region_tags_len(text, at),
    }
}

/// True if a run of invisible characters between `before` and `after` is hidden text. `run` does not include a
/// selector that belongs to `before`.
fn hides(before: Option<char>, run: &str, after: Option<char>) -> bool {
    let count = |kinds: &[Kind]| {
        run.chars().filter(|scalar| Kind::of(*scalar).is_some_and(|kind| kinds.contains(&kind))).count()
    };
    match count(&[Kind::Selector, Kind::Tag]) {
        0 => {}
        // A single selector or tag is hidden text only after a letter, because tables of characters have each after a
        // quote or a space.
        1 => return before.is_some_and(is_plain),
        _ => return true,
    }
    let has_two_kinds = run.chars().any(|scalar| !run.starts_with(scalar));
    has_two_kinds && count(&[Kind::ZeroWidth, Kind::Joiner]) >= LEAST_BITS
        || count(&[Kind::Joiner]) > 0 && before.is_some_and(is_of_identifier) && after.is_some_and(is_plain)
        || run.chars().any(|scalar| match scalar {
            '\u{FFF9}' => after.is_some_and(is_plain),
            _ => Kind::of(scalar) == Some(Kind::Annotation) && before.is_some_and(is_plain),
        })
}

/// True for `_`, and for a letter of a script that uses no joiners and few selectors.
fn is_plain(scalar: char) -> bool {
    use Script::{Cyrillic, Greek, Han, Hangul, Hiragana, Katakana, Latin};
    scalar == '_'
        || scalar.is_alphabetic()
            && matches!(scalar.script(), Latin | Greek | Cyrillic | Han | Hangul | Hiragana | Katakana)
}

/// True for a letter or `_` that `is_plain` accepts, and for a digit, `$` or combining mark, all of which may precede a
/// letter in an identifier.
fn is_of_identifier(scalar: char) -> bool {
    is_plain(scalar) || scalar.is_ascii_digit() || scalar == '$' || matches!(scalar, '\u{300}'..='\u{36F}')
}

/// True if the scalar value at byte `at` is a joiner that has no effect, because it follows a letter of a script
/// without joiners, and precedes neither a mark nor a letter of a script with joiners.
pub fn is_stray_joiner(text: &[u8], at: usize) -> bool {
    let after = scalar_at(text, at + '\u{200C}'.len_utf8());
    let is_other = |scalar: char| {
        !scalar.is_ascii()
            && !is_plain(scalar)
            && (scalar.is_alphabetic() || scalar.script() == Script::Inherited)
    };
    kind_at(text, at) == Some(Kind::Joiner)
        && scalar_before(text, at).is_some_and(is_plain)
        && !after.is_some_and(is_other)
}

/// Returns the length in bytes of the tags at byte `at` that follow U+1F3F4 BLACK FLAG and name England, Scotland or
/// Wales. Unicode recommends these tag sequences (Unicode Technical Standard #51, RGI_Emoji_Tag_Sequence).
pub fn region_tags_len(text: &[u8], at: usize) -> usize {
    if scalar_before(text, at) != Some('\u{1F3F4}') {
        return 0;
    }
    let tags = iter::successors(Some(at), |at| Some(at + TAG_LEN)).map_while(|at| scalar_at(text, at));
    let code: String =
        tags.take_while(|tag| *tag < '\u{E007F}').filter_map(tagged).take(REGION_LEN).collect();
    let end = at + TAG_LEN * REGION_LEN;
    let is_known = ["gbeng", "gbsct", "gbwls"].contains(&&*code) && scalar_at(text, end) == Some('\u{E007F}');
    if is_known { TAG_LEN * (REGION_LEN + 1) } else { 0 }
}

/// True if a variation selector may follow `base`.
fn varies(base: Option<char>, selector: char) -> bool {
    if matches!(selector, '\u{FE0E}' | '\u{FE0F}') {
        return true;
    }
    let Some(base) = base else { return false };
    match base.script() {
        Script::Han => matches!(selector, '\u{FE00}'..='\u{FE02}' | '\u{E0100}'..=LAST_OF_IDEOGRAPHS),
        Script::Mongolian => selector < '\u{FE00}',
        _ => {
            let next = STANDARDIZED.partition_point(|(_, last, _)| *last < base);
            let row = STANDARDIZED.get(next).filter(|(first, _, _)| *first <= base);
            row.is_some_and(|(_, _, last)| ('\u{FE00}'..=*last).contains(&selector))
        }
    }
}

fn kind_at(text: &[u8], at: usize) -> Option<Kind> {
    scalar_at(text, at).and_then(Kind::of)
}

/// Returns the scalar value that begins at byte `at`; `None` at the end of the text, or inside a sequence.
fn scalar_at(text: &[u8], at: usize) -> Option<char> {
    let rest = text.get(at..).filter(|rest| rest.first().is_some_and(|byte| !is_continuation(*byte)))?;
    char::from_u32(decode_first(rest).0)
}

/// True if the characters before and at byte `at` are both invisible.
pub fn is_inside_run(text: &[u8], at: usize) -> bool {
    let is_hidden = |scalar: Option<char>| scalar.and_then(Kind::of).is_some();
    is_hidden(scalar_before(text, at)) && is_hidden(scalar_at(text, at))
}

/// Returns the scalar value that ends at byte `at`.
fn scalar_before(text: &[u8], at: usize) -> Option<char> {
    let start = text[..at].iter().rposition(|byte| !is_continuation(*byte))?;
    scalar_at(text, start)
}

/// Explains a run of hidden text.
fn why(run: &[u8]) -> Why {
    let run = str::from_utf8(run).unwrap_or_default();
    let text = payload(run).unwrap_or_else(|| "it belongs to no sequence that Unicode knows".to_string());
    Why { title: Some(format!("hidden text ({})", described(run))), text, hint: None }
}
