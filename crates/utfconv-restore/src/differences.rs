//! Compares two sequences in linear time and memory.

use std::hash::Hash;
use std::ops::Range;

use gix_imara_diff::{Algorithm, Diff, InternedInput, Token, TokenSource};

/// Maximum length of a stretch that is compared, in values of both sequences together. The time for a stretch grows
/// with the square of its length, so the limit keeps the time for each value constant.
const STRETCH: usize = 1 << 12;

/// A range of the old sequence and a range of the new sequence that differ.
pub type Difference = (Range<usize>, Range<usize>);

/// Returns the ranges that differ; the values between them are equal. Rare values count most.
///
/// Sequences longer than `STRETCH` are cut at values that occur exactly once in each. If a stretch between two cuts
/// is still too long, all of it counts as different except its common start and end.
pub fn differences<T: Eq + Hash>(old: &[T], new: &[T]) -> Vec<Difference> {
    let input = &interned(old, new);
    let whole = trimmed(input, (0..old.len(), 0..new.len()));
    let mut found = Vec::new();
    for stretch in stretches(input, whole) {
        let (old, new) = trimmed(input, stretch);
        match old.len() + new.len() {
            0 => {}
            len if len > STRETCH => found.push((old, new)),
            _ => {
                let changed = compared(&input.before[old.clone()], &input.after[new.clone()]);
                found.extend(changed.into_iter().map(|range| moved(range, (old.start, new.start))));
            }
        }
    }
    found
}

/// Returns the pairs of indices of the values that occur exactly once in each sequence; the longest list in which both
/// indices rise.
pub(super) fn unique_pairs<T: Eq + Hash>(old: &[T], new: &[T]) -> Vec<(usize, usize)> {
    let input = interned(old, new);
    unique_in(&input, [&input.before, &input.after])
}

fn compared<T: Eq + Hash>(old: &[T], new: &[T]) -> Vec<Difference> {
    let diff = Diff::compute(Algorithm::Histogram, &interned(old, new));
    let range = |range: Range<u32>| range.start as usize..range.end as usize;
    diff.hunks().map(|hunk| (range(hunk.before), range(hunk.after))).collect()
}

/// Cuts ranges that are too long before values that occur exactly once in each, in the same order.
fn stretches<T>(input: &InternedInput<T>, (old, new): Difference) -> Vec<Difference> {
    if old.len() + new.len() <= STRETCH {
        return vec![(old, new)];
    }
    let pairs = unique_in(input, [&input.before[old.clone()], &input.after[new.clone()]]);
    let mut from = (0, 0);
    let end = (old.len(), new.len());
    let cut = |to: (usize, usize)| {
        let stretch = moved((from.0..to.0, from.1..to.1), (old.start, new.start));
        from = to;
        stretch
    };
    pairs.into_iter().chain([end]).map(cut).collect()
}

/// Returns what [`unique_pairs`] returns, for two ranges of the input.
fn unique_in<T>(input: &InternedInput<T>, ranges: [&[Token]; 2]) -> Vec<(usize, usize)> {
    let [in_old, in_new] = ranges.map(|tokens| once(input, tokens));
    let pair = |(one, other): (&Option<u32>, &Option<u32>)| Some(((*one)? as usize, (*other)? as usize));
    let mut pairs: Vec<_> = in_old.iter().zip(&in_new).filter_map(pair).collect();
    pairs.sort_unstable();
    in_order(&pairs)
}

/// Removes the common start and the common end from two ranges.
fn trimmed<T>(input: &InternedInput<T>, (old, new): Difference) -> Difference {
    let start = common(input.before[old.clone()].iter().zip(&input.after[new.clone()]));
    let (old, new) = (old.start + start..old.end, new.start + start..new.end);
    let end = common(input.before[old.clone()].iter().rev().zip(input.after[new.clone()].iter().rev()));
    (old.start..old.end - end, new.start..new.end - end)
}

fn moved((old, new): Difference, (old_by, new_by): (usize, usize)) -> Difference {
    (old.start + old_by..old.end + old_by, new.start + new_by..new.end + new_by)
}

/// Returns, for each token number of the input, the index of the token if it occurs exactly once in `tokens`.
fn once<T>(input: &InternedInput<T>, tokens: &[Token]) -> Vec<Option<u32>> {
    let count = input.interner.num_tokens() as usize;
    let (mut found, mut is_repeated) = (vec![None; count], vec![false; count]);
    for (index, token) in (0..).zip(tokens) {
        let token = token.0 as usize;
        is_repeated[token] |= found[token].replace(index).is_some();
    }
    found.into_iter().zip(is_repeated).map(|(at, is_repeated)| at.filter(|_| !is_repeated)).collect()
}

/// Returns the longest chain of pairs in which both indices rise. The pairs have to be sorted by their first index.
fn in_order(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // `ends` has, for each length, the pair that ends the best chain of that length; `before` has the previous pair of
    // each pair.
    let (mut ends, mut before) = (Vec::<usize>::new(), Vec::new());
    for (number, (_, new)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs[*end].1 < *new);
        before.push(length.checked_sub(1).map(|length| ends[length]));
        match ends.get_mut(length) {
            Some(end) => *end = number,
            None => ends.push(number),
        }
    }
    let mut chain: Vec<_> = std::iter::successors(ends.last().copied(), |end| before[*end]).collect();
    chain.reverse();
    chain.into_iter().map(|number| pairs[number]).collect()
}

/// Returns the number of equal pairs at the start.
pub(super) fn common<T: Eq>(pairs: impl Iterator<Item = (T, T)>) -> usize {
    pairs.take_while(|(one, other)| one == other).count()
}

fn interned<'a, T: Eq + Hash>(old: &'a [T], new: &'a [T]) -> InternedInput<&'a T> {
    InternedInput::new(Tokens(old), Tokens(new))
}

/// A sequence to compare.
struct Tokens<'a, T>(&'a [T]);

impl<'a, T: Eq + Hash> TokenSource for Tokens<'a, T> {
    type Token = &'a T;
    type Tokenizer = std::slice::Iter<'a, T>;

    fn tokenize(&self) -> Self::Tokenizer {
        self.0.iter()
    }

    fn estimate_tokens(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::Random;

    /// Checks that the values between the ranges are equal and that the ranges do not touch. Returns the number of
    /// values that differ.
    fn checked(old: &[u32], new: &[u32]) -> usize {
        let (mut at, mut differ) = ((0, 0), 0);
        let found = differences(old, new);
        for (number, (old_range, new_range)) in found.iter().enumerate() {
            assert_eq!(old[at.0..old_range.start], new[at.1..new_range.start], "{found:?}");
            assert!(number == 0 || at.0 < old_range.start, "{found:?}");
            assert!(old_range.len() + new_range.len() > 0, "{found:?}");
            at = (old_range.end, new_range.end);
            differ += old_range.len() + new_range.len();
        }
        assert_eq!(old[at.0..], new[at.1..], "{found:?}");
        differ
    }

    #[test]
    fn what_is_between_differences_is_equal() {
        let mut random = Random(7);
        for round in 0..300 {
            let len = [9, 300, 3 * STRETCH][round % 3];
            let values = [3, 40, 100_000][round / 3 % 3];
            let old: Vec<u32> = (0..random.below(len)).map(|_| random.below(values) as u32).collect();
            let mut new = old.clone();
            let mut edits = 0;
            for _ in 0..random.below(20) {
                let at = random.below(new.len() + 1);
                let end = (at + random.below(5)).min(new.len());
                let inserted: Vec<u32> = (0..random.below(5)).map(|_| random.below(values) as u32).collect();
                edits += end - at + inserted.len();
                new.splice(at..end, inserted);
            }
            let differ = checked(&old, &new);
            // Values that are rarely repeated cut any sequence.
            assert!(values < 100_000 || differ <= edits + 40, "{round}: {differ} of {edits}");
        }
    }

    #[test]
    fn unique_pairs_rise_in_both_sequences() {
        assert_eq!(unique_pairs(&[1, 2, 3, 9, 9], &[3, 1, 2, 9]), [(0, 1), (1, 2)]);
    }

    /// Stretches that are compared are short, however long the sequences are.
    #[test]
    fn the_work_for_each_value_is_limited() {
        for len in [STRETCH, 2 * STRETCH, 4 * STRETCH] {
            let (old, new) = (vec![1; len], [1, 2].repeat(len));
            assert_eq!(differences(&old, &new), [(1..len, 1..2 * len)], "{len}");
            // Values that occur once in each sequence cut the sequences into stretches that are compared as a whole.
            let cut = |values: &[u32]| -> Vec<u32> {
                values.chunks(64).zip(10..).flat_map(|(chunk, cut)| [&[cut], chunk].concat()).collect()
            };
            let (old, new) = (cut(&old), cut(&new[..len]));
            assert_eq!(checked(&old, &new), len, "{len}");
        }
    }
}
