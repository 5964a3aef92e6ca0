//! Characters of UTF-8 that a program split: it decoded each chunk of its input on its own, with U+FFFD for the parts.

use std::collections::BTreeSet;

const MARK: char = char::REPLACEMENT_CHARACTER;

/// The longest run of U+FFFD that is looked at: a chunk cuts one character, and a program may lose some more.
const LONGEST: usize = 16;

/// Whether `new` is `old` with U+FFFD for parts of some characters. Each run of them replaces characters that are not
/// ASCII: at most one for each mark, and of at least as many bytes.
pub(super) fn is_split(old: &str, new: &str) -> bool {
    let mut literals = new.split(MARK);
    let Some(first) = literals.next().filter(|first| old.starts_with(first)) else { return false };
    // Where in the old line the rest of the new one may begin.
    let (mut starts, mut run) = (BTreeSet::from([first.len()]), 0);
    let mut literals = literals.peekable();
    while let Some(literal) = literals.next() {
        run += 1;
        if literal.is_empty() && literals.peek().is_some() {
            continue;
        }
        if run > LONGEST {
            return false;
        }
        let is_last = literals.peek().is_none();
        let is_next = |start: &usize| match is_last {
            true => &old[*start..] == literal,
            false => old[*start..].starts_with(literal),
        };
        let ends: BTreeSet<_> = starts.iter().flat_map(|start| replaced(old, *start, run)).collect();
        starts = ends.into_iter().filter(is_next).map(|start| start + literal.len()).collect();
        run = 0;
    }
    !starts.is_empty()
}

/// Returns where characters from `start` end that `run` marks can replace.
fn replaced(old: &str, start: usize, run: usize) -> impl Iterator<Item = usize> {
    let others = old[start..].char_indices().take(run).take_while(|(_, scalar)| !scalar.is_ascii());
    let ends = others.map(move |(at, scalar)| start + at + scalar.len_utf8());
    ends.filter(move |end| end - start >= run)
}
