//! Which lines of a file change.

use std::ops::Range;

use gix_imara_diff::{Algorithm, Diff, InternedInput, TokenSource};

/// Two contents are compared line by line if they have at most so many bytes in all.
pub const COMPARED: usize = 32 << 20;

/// Lines around a change.
const CONTEXT: usize = 3;

/// Ranges of lines that change, of the old and of the new content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    pub old: Range<usize>,
    pub new: Range<usize>,
}

/// The lines of two contents, each with its line feed, and what changes between them.
pub struct Lines<'a> {
    pub old: Vec<&'a [u8]>,
    pub new: Vec<&'a [u8]>,
    /// In order; unchanged lines lie between each two.
    pub hunks: Vec<Hunk>,
}

impl<'a> Lines<'a> {
    /// Compares two contents, of at most `most` bytes in all line by line. In longer ones, everything between the common lines
    /// at the start and at the end is one change.
    pub fn compare(old: &'a [u8], new: &'a [u8], most: usize) -> Lines<'a> {
        let split = |content: &'a [u8]| content.split_inclusive(|byte| *byte == b'\n').collect::<Vec<_>>();
        let is_compared = old.len() + new.len() <= most;
        let (old, new) = (split(old), split(new));
        let hunks = if is_compared { compared(&old, &new) } else { vec![between_ends(&old, &new)] };
        Lines { old, new, hunks }
    }

    /// Returns the hunks in groups that share their context, each with the lines of the group.
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

/// Lines as tokens.
struct Tokens<'a, 'b>(&'b [&'a [u8]]);

impl<'a, 'b> TokenSource for Tokens<'a, 'b> {
    type Token = &'a [u8];
    type Tokenizer = std::iter::Copied<std::slice::Iter<'b, &'a [u8]>>;

    fn tokenize(&self) -> Self::Tokenizer {
        self.0.iter().copied()
    }

    fn estimate_tokens(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }
}

fn compared(old: &[&[u8]], new: &[&[u8]]) -> Vec<Hunk> {
    let input = InternedInput::new(Tokens(old), Tokens(new));
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let range = |range: Range<u32>| range.start as usize..range.end as usize;
    diff.hunks().map(|hunk| Hunk { old: range(hunk.before), new: range(hunk.after) }).collect()
}

/// Everything between the common lines at both ends.
fn between_ends(old: &[&[u8]], new: &[&[u8]]) -> Hunk {
    let is_same = |(one, other): &(&&[u8], &&[u8])| one == other;
    let start = old.iter().zip(new).take_while(is_same).count();
    let (rest_of_old, rest_of_new) = (&old[start..], &new[start..]);
    let end = rest_of_old.iter().rev().zip(rest_of_new.iter().rev()).take_while(is_same).count();
    Hunk { old: start..old.len() - end, new: start..new.len() - end }
}
