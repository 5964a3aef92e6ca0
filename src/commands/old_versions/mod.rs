//! Reads old versions of files in their encodings, finds what a new version lost, and explains why text is not
//! restored.

mod loss;
mod read;

pub use loss::{Loss, Place};
pub use read::{
    NewVersion, OldVersion, OldVersions, Source, Version, has_cr_in, project_configuration, read_whole,
};

use std::path::Path;

use utfconv_core::encodings::{CP949, EUC_KR, GB18030, GBK};
use utfconv_core::{Encoding, Options, UTF_8, convert};
use utfconv_restore::{Damage, Mark, NotRestored, Problem, ProblemKind, View};

use crate::text::detected::declared_by;
use crate::ui::quote::one_line;

/// U+FFFD in UTF-8, which programs write for bytes that they cannot decode.
pub const MARK: &[u8] = "\u{FFFD}".as_bytes();

/// Whether a text contains U+FFFD in UTF-8.
pub fn has_marks(text: &[u8]) -> bool {
    memchr::memmem::find(text, MARK).is_some()
}

/// True if `content` is valid UTF-8 with U+FFFD. Binary data is hardly ever valid UTF-8. UTF-16 that a program rewrote
/// as UTF-8 is valid, although its NULs make it look binary.
pub fn is_damaged_text(content: &[u8]) -> bool {
    has_marks(content) && str::from_utf8(content).is_ok()
}

/// Pairs of an encoding and its superset, which detection returns for text in either encoding.
const EXTENDED: [(&Encoding, &Encoding); 2] = [(&GBK, &GB18030), (&EUC_KR, &CP949)];

/// Narrows a detected superset encoding to its subset if the subset has all characters of the file at `path`, because
/// new text should not require programs to know the superset. An encoding that is given or declared stays.
pub fn in_smaller(old: OldVersion, path: &Path) -> OldVersion {
    let is_larger = |(_, larger): &&(_, &Encoding)| old.encoding == Some(*larger) && !old.is_certain;
    let Some((smaller, larger)) = EXTENDED.iter().find(is_larger) else { return old };
    let is_whole = convert(&old.content, smaller, &UTF_8, &Options::default()).is_ok();
    if is_whole && declared_by(&old.content, path.as_os_str()) != Some(larger) {
        OldVersion { encoding: Some(smaller), ..old }
    } else {
        old
    }
}

/// Returns a clause that says what a program with the view `view` did to `old`. The clause follows a file name in
/// messages.
pub fn damage(view: View, old: &OldVersion) -> String {
    damage_in(view, old.encoding == Some(&UTF_8))
}

/// Returns a clause that says what a program with the view `view` did to a text, which was UTF-8 or not.
pub fn damage_in(view: View, was_utf8: bool) -> String {
    let lost = if was_utf8 { "characters that are not ASCII" } else { "bytes that are not UTF-8" };
    match view {
        View::Exact if was_utf8 => "the text was edited as UTF-8".to_string(),
        View::Lossy(mark, _) => format!("{lost} {}", became(mark)),
        View::Misread(encoding) => format!("it was read as {}", name(encoding)),
        View::MisreadLossy(encoding, mark) => {
            format!("it was read as {}, and bytes that it does not define {}", name(encoding), became(mark))
        }
        _ => "it was converted to UTF-8".to_string(),
    }
}

/// Returns a verb phrase that says what happened to lost text.
fn became(mark: Mark) -> &'static str {
    match mark.character() {
        None => "were dropped",
        Some('?') => "became '?'",
        Some(_) => "became U+FFFD",
    }
}

/// Returns the name of an encoding, without the prefix `whatwg:` of encodings of the Encoding Standard.
fn name(encoding: &Encoding) -> &str {
    encoding.name().trim_start_matches("whatwg:")
}

/// Whether a view of an old version shows a loss in `lines`, and not an edit or a conversion.
pub fn is_loss(view: View, lines: &[u64], old: &OldVersion) -> bool {
    match view {
        // In an exact view of UTF-8, lost bytes were cut off. Files in other encodings may have been converted.
        View::Exact => !lines.is_empty() && old.encoding == Some(&UTF_8),
        // A detected encoding is wrong in about one of 1,000 files, so the new text may be right only if none is known.
        View::Misread(_) => old.encoding.is_some(),
        // Characters became marks or were dropped, in whichever encoding.
        _ => true,
    }
}

/// Whether new text that was misread in this view may be right, because the old version is in a code page that was only
/// detected.
pub fn may_be_right(view: View, old: &OldVersion) -> bool {
    let is_known = old.is_certain || old.encoding.is_some_and(|encoding| !encoding.is_of_bytes());
    matches!(view, View::Misread(_)) && !is_known
}

/// Returns the name of a damage in command line options.
pub const fn damage_name(damage: Damage) -> &'static str {
    match damage {
        Damage::QuestionMarks => "question-marks",
        _ => "dropped",
    }
}

/// Returns messages that say why a text is not restored, for the file `name`.
pub fn problems(name: &str, old: &OldVersion, why: &NotRestored) -> Vec<String> {
    match why {
        NotRestored::Places { places: left, .. } => places(name, old, left),
        NotRestored::Ambiguous { views, .. } => {
            let [one, other] = views.map(|view| damage(view, old));
            vec![if one == other {
                format!("{name}: error: {one}, in one of two ways, and the results differ")
            } else {
                format!("{name}: error: either {one}, or {other}, and the results differ")
            }]
        }
        NotRestored::Unnamed { view, .. } => vec![format!("{name}: error: {}", damage(*view, old))],
        _ => vec![format!("{name}: error: it is not UTF-8")],
    }
}

/// Returns one message for each position whose content is not proven.
pub fn places(name: &str, old: &OldVersion, places: &[Problem]) -> Vec<String> {
    places.iter().map(|place| format!("{name}:{}", at(place, old))).collect()
}

fn at(place: &Problem, old: &OldVersion) -> String {
    let Problem { line, column, kind, .. } = *place;
    let why = match kind {
        ProblemKind::Unmappable(scalar) => {
            let shown = one_line(scalar.encode_utf8(&mut [0; 4])).into_owned();
            let code_point = u32::from(scalar);
            match old.encoding {
                Some(encoding) => {
                    let extended =
                        EXTENDED.iter().find(|(smaller, _)| *smaller == encoding && !old.is_certain);
                    let advice = extended.map_or_else(String::new, |(_, larger)| {
                        format!(", the encoding of {} so far; use -f {} to write it", old.name, larger.name())
                    });
                    format!("U+{code_point:04X} \"{shown}\" cannot be encoded in {}{advice}", encoding.name())
                }
                None => format!(
                    "the encoding of {} is unknown, so U+{code_point:04X} \"{shown}\" cannot be written; use -f to name it",
                    old.name
                ),
            }
        }
        _ => format!("a character was lost, and {} does not prove which", old.name),
    };
    format!("{line}:{column}: error: {why}")
}
