//! Names of encodings: folding and lookup.
//!
//! Names are compared without case and without separators, so `utf_8`, `UTF8` and `Utf-8` are one. No name in any
//! registry gives another meaning to such a spelling. A name is only ever compared, never used as a path.

use super::{ALL, Encoding};

pub(super) fn find(name: &str) -> Option<&'static Encoding> {
    let wanted = fold(name);
    ALL.iter().copied().find(|encoding| {
        std::iter::once(&encoding.name).chain(encoding.aliases).any(|known| fold_eq(known, &wanted))
    })
}

/// Encodings that are left out by decision, so that a user who names one can be told; folded names behind.
const OUT_OF_SCOPE: [(&str, &[&str]); 10] = [
    ("ISO-2022-KR", &["iso2022kr", "csiso2022kr"]),
    ("ISO-2022-CN", &["iso2022cn", "csiso2022cn", "iso2022cnext"]),
    ("EUC-TW", &["euctw", "cseuctw", "xeuctw"]),
    ("JOHAB", &["johab", "cp1361", "ms1361", "ksc56011992"]),
    ("HZ", &["hz", "hzgb2312", "hzgb"]),
    ("SCSU", &["scsu", "csscsu"]),
    ("BOCU-1", &["bocu1", "csbocu1"]),
    ("UTF-8-MAC", &["utf8mac"]),
    ("UTF-EBCDIC", &["utfebcdic"]),
    ("x-user-defined", &["xuserdefined"]),
];

/// The canonical name of an encoding that is left out.
pub(super) fn find_out_of_scope(name: &str) -> Option<&'static str> {
    let wanted = fold(name);
    OUT_OF_SCOPE.iter().find(|(_, names)| names.contains(&wanted.as_str())).map(|(name, _)| *name)
}

/// Lower case, letters and digits only.
fn fold(name: &str) -> String {
    folded(name).collect()
}

fn fold_eq(known: &str, folded_name: &str) -> bool {
    folded(known).eq(folded_name.chars())
}

fn folded(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|c| !matches!(c, '-' | '_' | '.' | ':' | ' ')).map(|c| c.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn no_two_encodings_share_a_folded_name() {
        let mut seen = HashMap::new();
        for encoding in ALL {
            for name in std::iter::once(&encoding.name).chain(encoding.aliases) {
                if let Some(other) = seen.insert(fold(name), encoding.name) {
                    assert_eq!(other, encoding.name, "{name} names two encodings");
                }
            }
        }
    }

    #[test]
    fn case_and_separators_do_not_matter() {
        for name in ["utf8", "UTF_8", "Utf-8", "utf 8"] {
            assert_eq!(find(name).map(|e| e.name), Some("UTF-8"), "{name}");
        }
        assert_eq!(find("Latin-1").map(|e| e.name), Some("ISO-8859-1"));
        assert_eq!(find("iso_8859_1").map(|e| e.name), Some("ISO-8859-1"));
        for name in ["", "utf", "utf-88", "../UTF-8", "UTF-8\0", "UTF-8/"] {
            assert_eq!(find(name).map(|e| e.name), None, "{name:?}");
        }
    }
}
