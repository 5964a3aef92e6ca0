//! Files in which a run records what it changes, so that it can be undone: how they begin.

/// The first line of a manifest of `repair`, except its version.
pub const MANIFEST: &str = r#"{"type":"manifest","of":"utfconv repair","version":"#;

/// The first line of a journal of `names`.
pub const JOURNAL: &str = "utfconv-names 1";

/// What a file is that begins so, if it is such a file.
pub fn kind_of(start: &[u8]) -> Option<&'static str> {
    if start.starts_with(MANIFEST.as_bytes()) {
        return Some("a manifest of utfconv repair");
    }
    let is_journal = start.strip_prefix(JOURNAL.as_bytes()).is_some_and(|rest| rest.starts_with(b"\n"));
    is_journal.then_some("a journal of utfconv names")
}
