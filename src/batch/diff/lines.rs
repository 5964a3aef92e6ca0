//! Finds the lines of a file that change.

use std::ops::Range;

use utfconv_restore::differences::differences;

/// Number of unchanged lines around a change.
const CONTEXT: usize = 3;

/// A range of lines of the old content, and the range of lines of the new content that replaces it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    pub old: Range<usize>,
    pub new: Range<usize>,
}

/// The lines of two contents, each with its line feed, and the hunks that differ.
pub struct Lines<'a> {
    pub old: Vec<&'a [u8]>,
    pub new: Vec<&'a [u8]>,
    /// The hunks in the order of the lines, with unchanged lines between adjacent hunks.
    pub hunks: Vec<Hunk>,
}

impl<'a> Lines<'a> {
    /// Compares two contents. If both have the same number of lines, lines with the same number are compared, because
    /// no edit of this program moves a line, and an edit that adds or removes newlines changes the number of lines.
    pub fn compare(old: &'a [u8], new: &'a [u8]) -> Lines<'a> {
        let split = |content: &'a [u8]| content.split_inclusive(|byte| *byte == b'\n').collect::<Vec<_>>();
        let (old, new) = (split(old), split(new));
        let hunks = if old.len() == new.len() {
            line_by_line(&old, &new)
        } else {
            differences(&old, &new).into_iter().map(|(old, new)| Hunk { old, new }).collect()
        };
        Lines { old, new, hunks }
    }

    /// Returns groups of hunks that share context lines, each with the range of lines that the group and its context
    /// span.
    pub fn groups(&self) -> impl Iterator<Item = (Hunk, &[Hunk])> {
        let is_near = |one: &Hunk, next: &Hunk| next.old.start - one.old.end <= 2 * CONTEXT;
        self.hunks.chunk_by(is_near).map(|group| {
            let [first, last] = [&group[0], &group[group.len() - 1]];
            let before = first.old.start.min(CONTEXT);
            let after = (self.old.len() - last.old.end).min(CONTEXT);
            let all = Hunk {
                old: first.old.start - before..last.old.end + after,
                new: first.new.start - before..last.new.end + after,
            };
            (all, group)
        })
    }
}

/// Returns the runs of lines that differ from the lines with the same numbers.
fn line_by_line(old: &[&[u8]], new: &[&[u8]]) -> Vec<Hunk> {
    let mut hunks: Vec<Hunk> = Vec::new();
    for line in (0..old.len()).filter(|line| old[*line] != new[*line]) {
        match hunks.last_mut().filter(|last| last.old.end == line) {
            Some(last) => (last.old.end, last.new.end) = (line + 1, line + 1),
            None => hunks.push(Hunk { old: line..line + 1, new: line..line + 1 }),
        }
    }
    hunks
}
