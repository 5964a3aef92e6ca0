//! Files in which a run records what it changes, so that it can be undone: how they begin.

use std::fs::File;
use std::io;

use crate::files::stdio::fill_at;

/// The first line of a manifest of `repair`, except its version.
pub const MANIFEST: &str = r#"{"type":"manifest","of":"utfconv repair","version":"#;

/// The first line of a journal of `names`.
pub const JOURNAL: &str = "utfconv-names 1";

/// What an open file is, if it is such a file.
pub fn kind(file: &File) -> io::Result<Option<&'static str>> {
    let mut start = [0; MANIFEST.len()];
    let len = fill_at(file, &mut start, 0)?;
    Ok(kind_of(&start[..len]))
}

/// What a file is that begins so, if it is such a file.
pub fn kind_of(start: &[u8]) -> Option<&'static str> {
    if start.starts_with(MANIFEST.as_bytes()) {
        return Some("a manifest of utfconv repair");
    }
    let is_journal = start.strip_prefix(JOURNAL.as_bytes()).is_some_and(|rest| rest.starts_with(b"\n"));
    is_journal.then_some("a journal of utfconv names")
}
