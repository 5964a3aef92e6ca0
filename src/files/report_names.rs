//! Names of files in forms for machine-readable reports.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::Path;

use crate::files::paths::with_slashes;
use crate::ui::percent;

/// Returns `name` as a service knows the file: without a leading `./`, and relative if it is below `cwd`.
///
/// The name is not changed if the result would be empty, or `-`, which means standard input.
pub fn relative<'a>(name: &'a OsStr, cwd: Option<&Path>) -> &'a OsStr {
    let path = Path::new(name);
    [Some(Path::new(".")), cwd]
        .into_iter()
        .flatten()
        .find_map(|above| path.strip_prefix(above).ok())
        .map(Path::as_os_str)
        .filter(|inside| !inside.is_empty() && *inside != "-")
        .unwrap_or(name)
}

/// Returns `name` as text. If it is not UTF-8, percent signs and the bytes that are not UTF-8 become `%XX`.
pub fn text(name: &OsStr) -> Cow<'_, str> {
    match name.to_str() {
        Some(text) => text.into(),
        None => percent::encoded(name.as_encoded_bytes(), |_| true).into(),
    }
}

/// Returns `name` as a URI reference, which is relative or has the scheme `file`.
pub fn uri(name: &OsStr) -> String {
    let bytes = name.as_encoded_bytes();
    let scheme = match (Path::new(name).is_absolute(), bytes.starts_with(b"/")) {
        (false, _) => "",
        (true, true) => "file://",
        (true, false) => "file:///",
    };
    // Only the unreserved characters of RFC 3986 are not escaped.
    let is_plain = |scalar: char| scalar.is_ascii_alphanumeric() || "-._~/".contains(scalar);
    scheme.to_string() + &percent::encoded(&with_slashes(Path::new(name)), is_plain)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStrExt;

    #[test]
    fn names_are_relative_to_the_working_directory() {
        for (name, shown) in [
            ("a/b", "a/b"),
            ("./a/b", "a/b"),
            (".//./a", "a"),
            ("../a", "../a"),
            ("/home/tree/a/b", "a/b"),
            ("/home/treetop/a", "/home/treetop/a"),
            ("/home/tree", "/home/tree"),
            ("-", "-"),
            ("./-", "./-"),
            ("/home/tree/-", "/home/tree/-"),
            ("./", "./"),
        ] {
            assert_eq!(relative(name.as_ref(), Some(Path::new("/home/tree"))), shown);
        }
        assert_eq!(relative("/home/tree/a".as_ref(), None), "/home/tree/a");
    }

    #[test]
    fn other_names_than_utf_8_do_not_clash() {
        for (name, as_text, as_uri) in [
            (&b"a b/c"[..], "a b/c", "a%20b/c"),
            (b"100%", "100%", "100%25"),
            (b"\xFF%FE", "%FF%25FE", "%FF%25FE"),
            (b"\xFF\xFE", "%FF%FE", "%FF%FE"),
            (b"..%2f", "..%2f", "..%252f"),
            (b"a:b,c%d", "a:b,c%d", "a%3Ab%2Cc%25d"),
            ("a\u{202E}".as_bytes(), "a\u{202E}", "a%E2%80%AE"),
            (b"/a/b", "/a/b", "file:///a/b"),
        ] {
            let name = OsStr::from_bytes(name);
            assert_eq!((&*text(name), &*uri(name)), (as_text, as_uri));
        }
    }
}
