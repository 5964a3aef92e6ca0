//! Patches for `git apply`: unified diffs of UTF-8 text, and binary patches of other content.

use std::path::Path;

use super::binary;
use super::lines::{Hunk, Lines};
use super::names::quoted;

/// A file whose content changes.
pub struct Change<'a> {
    /// The path of the file, relative to the current directory.
    pub path: &'a Path,
    pub old: &'a [u8],
    pub new: &'a [u8],
    /// Whether the file is executable, which git's patches record.
    pub is_executable: bool,
}

/// Returns the patch of a file that changes.
pub fn content(name: &[u8], change: &Change) -> Vec<u8> {
    let mode = if change.is_executable { "100755" } else { "100644" };
    let mut patch = header(name, name);
    add_contents([name, name], [change.old, change.new], mode, &mut patch);
    patch
}

/// Returns the line `diff --git`, which begins a patch.
fn header(old: &[u8], new: &[u8]) -> Vec<u8> {
    format!("diff --git {} {}\n", quoted("a/", old, false), quoted("b/", new, false)).into_bytes()
}

/// Appends the part of a patch that changes content.
fn add_contents([old_name, new_name]: [&[u8]; 2], [old, new]: [&[u8]; 2], mode: &str, patch: &mut Vec<u8>) {
    let (old_id, new_id) = (binary::blob_id(old), binary::blob_id(new));
    patch.extend_from_slice(format!("index {old_id}..{new_id} {mode}\n").as_bytes());
    if !is_text(old) || !is_text(new) {
        return binary::patch(old, new, patch);
    }
    for (sign, prefix, name) in [("---", "a/", old_name), ("+++", "b/", new_name)] {
        // git ends a name that has spaces with a tab.
        let end = if name.contains(&b' ') { "\t" } else { "" };
        patch.extend_from_slice(format!("{sign} {}{end}\n", quoted(prefix, name, false)).as_bytes());
    }
    let lines = Lines::compare(old, new);
    for (all, group) in lines.groups() {
        patch.extend_from_slice(heading(&all).as_bytes());
        each(&lines, &all, group, |sign, line| {
            patch.push(sign);
            patch.extend_from_slice(line);
            if !line.ends_with(b"\n") {
                patch.extend_from_slice(b"\n\\ No newline at end of file\n");
            }
        });
    }
}

/// Returns the patch of a file that is renamed, or of a link that gets another target.
pub fn rename(old: &[u8], new: &[u8], targets: Option<[&[u8]; 2]>) -> Vec<u8> {
    let mut patch = header(old, new);
    if old != new {
        let similarity = if targets.is_none() { 100 } else { 0 };
        let names = format!("rename from {}\nrename to {}\n", quoted("", old, false), quoted("", new, false));
        patch.extend_from_slice(format!("similarity index {similarity}%\n{names}").as_bytes());
    }
    if let Some(targets) = targets {
        add_contents([old, new], targets, "120000", &mut patch);
    }
    patch
}

/// Whether content is UTF-8 without NUL, which a unified diff can show.
pub fn is_text(content: &[u8]) -> bool {
    str::from_utf8(content).is_ok() && !content.contains(&0)
}

/// Returns the line before a group of hunks.
pub fn heading(all: &Hunk) -> String {
    let range = |range: &std::ops::Range<usize>| match range.len() {
        // An empty range is named by the number of the line before it.
        0 => format!("{},0", range.start),
        1 => format!("{}", range.start + 1),
        count => format!("{},{count}", range.start + 1),
    };
    format!("@@ -{} +{} @@\n", range(&all.old), range(&all.new))
}

/// Calls `line` with the sign and the content of each line of a group.
pub fn each(lines: &Lines, all: &Hunk, group: &[Hunk], mut line: impl FnMut(u8, &[u8])) {
    let mut at = all.old.start;
    for hunk in group {
        lines.old[at..hunk.old.start].iter().for_each(|text| line(b' ', text));
        lines.old[hunk.old.clone()].iter().for_each(|text| line(b'-', text));
        lines.new[hunk.new.clone()].iter().for_each(|text| line(b'+', text));
        at = hunk.old.end;
    }
    lines.old[at..all.old.end].iter().for_each(|text| line(b' ', text));
}
