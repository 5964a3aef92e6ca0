//! Compares two sequences, in time and memory that grow with their lengths and no faster.

use std::hash::Hash;
use std::ops::Range;

use gix_imara_diff::{Algorithm, Diff, InternedInput, Token, TokenSource};

/// Length of the longest stretch that is compared, in values of both sequences together. The time for a stretch grows with
/// the square of its length, so this limits the time for each value.
const STRETCH: usize = 1 << 12;

/// Ranges of the old and of the new sequence that differ.
pub type Difference = (Range<usize>, Range<usize>);

/// Returns the ranges that differ; the values between them are equal. Values that are rare in both sequences count most.
///
/// Longer sequences are cut at values that both have exactly once. A stretch between two cuts that is still too long
/// counts as different, except for what is equal at its start and its end.
pub fn differences<T: Eq + Hash>(old: &[T], new: &[T]) -> Vec<Difference> {
    let input = interned(old, new);
    let whole = trimmed(&input, (0..old.len(), 0..new.len()));
    let mut found = Vec::new();
    for stretch in stretches(&input, whole) {
        let (old, new) = trimmed(&input, stretch);
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

fn compared<T: Eq + Hash>(old: &[T], new: &[T]) -> Vec<Difference> {
    let diff = Diff::compute(Algorithm::Histogram, &interned(old, new));
    let range = |range: Range<u32>| range.start as usize..range.end as usize;
    diff.hunks().map(|hunk| (range(hunk.before), range(hunk.after))).collect()
}

/// Cuts ranges of both sequences that are too long before values that both have exactly once there, in the same order.
fn stretches<T>(input: &InternedInput<T>, (old, new): Difference) -> Vec<Difference> {
    if old.len() + new.len() <= STRETCH {
        return vec![(old, new)];
    }
    let once = |tokens: &[Token]| once(tokens, input.interner.num_tokens() as usize);
    let [in_old, in_new] = [&input.before[old.clone()], &input.after[new.clone()]].map(once);
    let pair = |(one, other): (&Option<u32>, &Option<u32>)| Some(((*one)? as usize, (*other)? as usize));
    let mut pairs: Vec<_> = in_old.iter().zip(&in_new).filter_map(pair).collect();
    pairs.sort_unstable();
    let mut from = (0, 0);
    let end = (old.len(), new.len());
    let cut = |to: (usize, usize)| {
        let stretch = moved((from.0..to.0, from.1..to.1), (old.start, new.start));
        from = to;
        stretch
    };
    in_order(&pairs).into_iter().chain([end]).map(cut).collect()
}

/// Takes what is equal at the start and at the end off two ranges.
fn trimmed<T>(input: &InternedInput<T>, (old, new): Difference) -> Difference {
    let start = common(input.before[old.clone()].iter().zip(&input.after[new.clone()]));
    let (old, new) = (old.start + start..old.end, new.start + start..new.end);
    let end = common(input.before[old.clone()].iter().rev().zip(input.after[new.clone()].iter().rev()));
    (old.start..old.end - end, new.start..new.end - end)
}

fn moved((old, new): Difference, (old_by, new_by): (usize, usize)) -> Difference {
    (old.start + old_by..old.end + old_by, new.start + new_by..new.end + new_by)
}

/// Returns the index of each token that is exactly once among these, by the number of the token.
fn once(tokens: &[Token], count: usize) -> Vec<Option<u32>> {
    let (mut found, mut is_repeated) = (vec![None; count], vec![false; count]);
    for (index, token) in (0..).zip(tokens) {
        let token = token.0 as usize;
        is_repeated[token] |= found[token].replace(index).is_some();
    }
    found.into_iter().zip(is_repeated).map(|(at, is_repeated)| at.filter(|_| !is_repeated)).collect()
}

/// Returns the longest chain of pairs in which both indexes rise. The pairs are sorted by their first index.
fn in_order(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // For each length, the last pair of the chain of that length that ends first; for each pair, the one before it.
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

/// Returns how many of the first pairs are equal.
fn common<T: Eq>(pairs: impl Iterator<Item = (T, T)>) -> usize {
    pairs.take_while(|(one, other)| one == other).count()
}

fn interned<'a, T: Eq + Hash>(old: &'a [T], new: &'a [T]) -> InternedInput<&'a T> {
    InternedInput::new(Tokens(old), Tokens(new))
}

/// Values to compare.
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

    /// Checks that the values between the ranges are equal, and that the ranges are apart; returns how many values differ.
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
            // Values that are hardly ever repeated cut any sequence.
            assert!(values < 100_000 || differ <= edits + 40, "{round}: {differ} of {edits}");
        }
    }

    /// However long the sequences are, no stretch that is compared is.
    #[test]
    fn the_work_for_each_value_is_limited() {
        for len in [STRETCH, 2 * STRETCH, 4 * STRETCH] {
            let (old, new) = (vec![1; len], [1, 2].repeat(len));
            assert_eq!(differences(&old, &new), [(1..len, 1..2 * len)], "{len}");
            // Values that both have once cut the sequences into stretches that are compared as a whole.
            let cut = |values: &[u32]| -> Vec<u32> {
                values.chunks(64).zip(10..).flat_map(|(chunk, cut)| [&[cut], chunk].concat()).collect()
            };
            let (old, new) = (cut(&old), cut(&new[..len]));
            assert_eq!(checked(&old, &new), len, "{len}");
        }
    }
}
