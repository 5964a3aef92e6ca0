//! Names of encodings: folding and lookup.
//!
//! Names are compared without case and without separators, so `utf_8`, `UTF8` and `Utf-8` are one. No name in any
//! registry gives another meaning to such a spelling. A name is only ever compared, never used as a path.

use super::Encoding;

pub(super) fn find(name: &str) -> Option<&'static Encoding> {
    let has_alias = |encoding: &&Encoding| encoding.aliases().any(|known| is_same_name(known, name));
    // The other names are ten times as many, and seldom asked for.
    let by_name = Encoding::all().find(|encoding| is_same_name(encoding.name(), name));
    by_name.or_else(|| Encoding::all().find(has_alias))
}

/// Encodings that other converters have: a name and its aliases a line.
const OUT_OF_SCOPE: &str = include_str!("out-of-scope.txt");

/// The canonical name of an encoding that is known, and not supported.
pub(super) fn find_out_of_scope(name: &str) -> Option<&'static str> {
    let line = OUT_OF_SCOPE.lines().find(|line| line.split(' ').any(|known| is_same_name(known, name)))?;
    line.split(' ').next()
}

/// Whether two spellings are of one name: case and separators aside.
pub fn is_same_name(one: &str, other: &str) -> bool {
    folded(one).eq(folded(other))
}

/// Lower case, without separators.
fn folded(name: &str) -> impl Iterator<Item = u8> {
    let is_separator = |byte: &u8| matches!(byte, b'-' | b'_' | b'.' | b':' | b' ');
    name.bytes().filter(move |byte| !is_separator(byte)).map(|byte| byte.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn no_two_encodings_share_a_folded_name() {
        let mut seen = HashMap::new();
        for encoding in Encoding::all() {
            for name in std::iter::once(encoding.name).chain(encoding.aliases()) {
                if let Some(other) = seen.insert(folded(name).collect::<Vec<_>>(), encoding.name) {
                    assert_eq!(other, encoding.name, "{name} names two encodings");
                }
            }
        }
    }

    #[test]
    fn what_is_out_of_scope_is_not_there() {
        for name in OUT_OF_SCOPE.split_ascii_whitespace() {
            assert_eq!(find(name), None, "{name}");
        }
        assert_eq!(find_out_of_scope("hz_gb_2312"), Some("HZ-GB-2312"));
        assert_eq!(find_out_of_scope("UTF-8"), None);
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
