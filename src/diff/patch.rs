//! Patches that `git apply` takes: unified diffs of UTF-8 text, binary patches of everything else.

use super::Change;
use super::binary;
use super::lines::{Hunk, Lines};
use super::names::quoted;

/// The patch of a file that changes.
pub fn content(name: &[u8], change: &Change) -> Vec<u8> {
    let (a, b) = (quoted("a/", name, false), quoted("b/", name, false));
    let mode = if change.is_executable { "100755" } else { "100644" };
    let [old_id, new_id] = [change.old, change.new].map(binary::blob_id);
    let mut patch = format!("diff --git {a} {b}\nindex {old_id}..{new_id} {mode}\n").into_bytes();
    if !is_text(change.old) || !is_text(change.new) {
        binary::patch(change.old, change.new, &mut patch);
        return patch;
    }
    // A tab ends a name that has blanks.
    let end = if name.contains(&b' ') { "\t" } else { "" };
    patch.extend_from_slice(format!("--- {a}{end}\n+++ {b}{end}\n").as_bytes());
    let lines = Lines::compare(change.old, change.new);
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
    patch
}

/// The patch of a file that is renamed.
pub fn rename(old: &[u8], new: &[u8]) -> Vec<u8> {
    let (a, b) = (quoted("a/", old, false), quoted("b/", new, false));
    let (old, new) = (quoted("", old, false), quoted("", new, false));
    format!("diff --git {a} {b}\nsimilarity index 100%\nrename from {old}\nrename to {new}\n").into_bytes()
}

/// Whether a content is lines of UTF-8, which a patch can show.
pub fn is_text(content: &[u8]) -> bool {
    str::from_utf8(content).is_ok() && !content.contains(&0)
}

/// The line before a group of hunks.
pub fn heading(all: &Hunk) -> String {
    let range = |range: &std::ops::Range<usize>| match range.len() {
        // The line after which there is nothing.
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
