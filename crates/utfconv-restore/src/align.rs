//! Aligns two texts: finds what both have in the same order.

use std::cell::OnceCell;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash};
use std::ops::Range;

use super::words::words;
use crate::differences::{Difference, differences, fewest_differences, numbered};

/// Up to so many pairs of lines are compared; with more, the best alignment may be missed.
const PAIRS_OF_LINES: usize = 1 << 18;

/// With more characters in all pairs of lines, or of words, nothing is compared to find what is alike.
const ALIKE_LINES: usize = 1 << 26;
const ALIKE_WORDS: usize = 1 << 17;

/// Up to so many pairs of words or characters are compared.
const PAIRS_OF_WORDS: usize = 1 << 14;

/// Returns, for each character of `new`, the index of the same character in `old`. Compares words first, and then the
/// characters of changed words.
pub(super) fn alignment(old: &[char], new: &[char], new_words: &[Range<usize>]) -> Vec<Option<usize>> {
    let mut origin = vec![None; new.len()];
    let old_words = words(old);
    let [olds, news] = [texts(old, &old_words), texts(new, new_words)];
    let letters = |word: &&[char]| word.iter().map(|letter| (u64::from(*letter), 1)).collect();
    let (old_letters, new_letters) = (Parts::new(&olds, letters), Parts::new(&news, letters));
    let alike = |one: usize, other: usize| {
        let (least, most) = (olds[one].len().min(news[other].len()), olds[one].len().max(news[other].len()));
        let same = if 2 * least < most { 0 } else { common(old_letters.of(one), new_letters.of(other)) };
        if 2 * same < most { 0 } else { same }
    };
    let hunks = changes(&olds, &news, (PAIRS_OF_WORDS, ALIKE_WORDS), |word| word.len(), alike);
    let start = |words: &[Range<usize>], at: usize, end: usize| words.get(at).map_or(end, |word| word.start);
    let (mut old_at, mut new_at) = (0, 0);
    let mut same = |old: Range<usize>, new: Range<usize>| {
        for (old, new) in old.zip(new) {
            origin[new] = Some(old);
        }
    };
    for (old_range, new_range) in hunks {
        let [old_start, old_end] =
            [old_range.start, old_range.end].map(|at| start(&old_words, at, old.len()));
        let [new_start, new_end] = [new_range.start, new_range.end].map(|at| start(new_words, at, new.len()));
        same(old_at..old_start, new_at..new_start);
        let (a, b) = (&old[old_start..old_end], &new[new_start..new_end]);
        let (mut a_at, mut b_at) = (0, 0);
        for (a_range, b_range) in changes(a, b, (PAIRS_OF_WORDS, 0), |_| 1, |_, _| 0) {
            same(old_start + a_at..old_start + a_range.start, new_start + b_at..new_start + b_range.start);
            (a_at, b_at) = (a_range.end, b_range.end);
        }
        same(old_start + a_at..old_end, new_start + b_at..new_end);
        (old_at, new_at) = (old_end, new_end);
    }
    same(old_at..old.len(), new_at..new.len());
    origin
}

/// Returns the texts of words.
fn texts<'t>(text: &'t [char], words: &[Range<usize>]) -> Vec<&'t [char]> {
    words.iter().map(|word| &text[word.clone()]).collect()
}

/// Returns the ranges of lines that differ. Lines with common words may be edited versions of each other.
pub(super) fn changes_by_words(old: &[&str], new: &[&str]) -> Vec<Difference> {
    let words_of = |line: &&str| {
        let line: Vec<_> = line.chars().collect();
        let words = words(&line).into_iter().filter(|word| word.len() > 1);
        words
            .map(|word| {
                (BuildHasherDefault::<DefaultHasher>::new().hash_one(&line[word.clone()]), word.len())
            })
            .collect()
    };
    let (old_words, new_words) = (Parts::new(old, words_of), Parts::new(new, words_of));
    let alike = |one, other| common(old_words.of(one), new_words.of(other));
    changes(old, new, (PAIRS_OF_LINES, ALIKE_LINES), |line| line.chars().count() + 1, alike)
}

/// The parts of values, each with its length. They are sorted, and made when first needed.
struct Parts<'a, T, F> {
    values: &'a [T],
    parts_of: F,
    parts: Vec<OnceCell<Vec<(u64, usize)>>>,
}

impl<'a, T, F: Fn(&T) -> Vec<(u64, usize)>> Parts<'a, T, F> {
    fn new(values: &'a [T], parts_of: F) -> Self {
        Parts { values, parts_of, parts: vec![OnceCell::new(); values.len()] }
    }

    fn of(&self, index: usize) -> &[(u64, usize)] {
        self.parts[index].get_or_init(|| {
            let mut parts = (self.parts_of)(&self.values[index]);
            parts.sort_unstable();
            parts
        })
    }
}

/// Returns the total length of the parts that two sorted lists share.
fn common(mut one: &[(u64, usize)], mut other: &[(u64, usize)]) -> usize {
    let mut same = 0;
    while let ([first, rest @ ..], [second, others @ ..]) = (one, other) {
        same += if first == second { first.1 } else { 0 };
        (one, other) =
            (if first <= second { rest } else { one }, if second <= first { others } else { other });
    }
    same
}

/// Returns the ranges that differ in the best alignment. Each character that is the same counts two, and each
/// pair next to another pair one more. `alike` returns how many characters two different values share, by
/// their indexes. With more than `pairs` pairs, there may be a better alignment; with more than `most_alike`
/// characters in all pairs, `alike` is not called.
fn changes<T: Eq + Hash>(
    old: &[T],
    new: &[T],
    (pairs, most_alike): (usize, usize),
    length: impl Fn(&T) -> usize,
    alike: impl Fn(usize, usize) -> usize,
) -> Vec<Difference> {
    let is_few = |old: &[T], new: &[T]| old.len().saturating_mul(new.len()) <= pairs;
    if is_few(old, new) {
        return changes_by_all_pairs(old, new, most_alike, length, alike);
    }
    let start = old.iter().zip(new).take_while(|(one, other)| one == other).count();
    let (old, new) = (&old[start..], &new[start..]);
    let same = old.iter().rev().zip(new.iter().rev()).take_while(|(one, other)| one == other).count();
    let (old, new) = (&old[..old.len() - same], &new[..new.len() - same]);
    let changed = if is_few(old, new) {
        changes_by_all_pairs(old, new, most_alike, length, |one, other| alike(one + start, other + start))
    } else {
        differences(old, new)
    };
    let moved = |range: Range<usize>| range.start + start..range.end + start;
    changed.into_iter().map(|(old, new)| (moved(old), moved(new))).collect()
}

/// Compares all pairs.
fn changes_by_all_pairs<T: Eq + Hash>(
    old: &[T],
    new: &[T],
    most_alike: usize,
    length: impl Fn(&T) -> usize,
    alike: impl Fn(usize, usize) -> usize,
) -> Vec<Difference> {
    if old.is_empty() || new.is_empty() {
        return if old.len() == new.len() { Vec::new() } else { vec![(0..old.len(), 0..new.len())] };
    }
    // Long lines are compared once, and numbers after that.
    let [old_numbers, new_numbers] = numbered(old, new);
    let [old_lengths, new_lengths] = [old, new].map(|values| values.iter().map(&length).collect::<Vec<_>>());
    // Long values take long to compare.
    let all = old.len() * new_lengths.iter().sum::<usize>() + new.len() * old_lengths.iter().sum::<usize>();
    let may_be_alike = all <= most_alike;
    let row = new.len() + 1;
    // For the rest of both texts from each pair on: the most that can be the same, and the most if this pair
    // is the same.
    let mut best = vec![0u64; (old.len() + 1) * row];
    let mut paired = best.clone();
    for one in (0..old.len()).rev() {
        for other in (0..new.len()).rev() {
            let (at, next) = (one * row + other, (one + 1) * row + other + 1);
            let mut most = best[next - 1].max(best[at + 1]);
            if old_numbers[one] == new_numbers[other] {
                let beside = if paired[next] > 0 { paired[next] + 1 } else { 0 };
                paired[at] = 2 * old_lengths[one] as u64 + best[next].max(beside);
                most = most.max(paired[at]);
            } else if may_be_alike && best[next] + 2 * old_lengths[one].min(new_lengths[other]) as u64 > most
            {
                most = most.max(best[next] + 2 * alike(one, other) as u64);
            }
            best[at] = most;
        }
    }
    let (mut old_next, mut new_next, mut is_beside) = (0, 0, false);
    let (mut old_at, mut new_at) = (0, 0);
    let mut changed = Vec::new();
    while old_next < old.len() && new_next < new.len() {
        let at = old_next * row + new_next;
        let is_paired = paired[at] > 0 && paired[at] + u64::from(is_beside) >= best[at];
        match is_paired {
            true => {
                if (old_at, new_at) != (old_next, new_next) {
                    changed.push((old_at..old_next, new_at..new_next));
                }
                (old_next, new_next) = (old_next + 1, new_next + 1);
                (old_at, new_at) = (old_next, new_next);
            }
            false if best[at] == best[at + row] => old_next += 1,
            false if best[at] == best[at + 1] => new_next += 1,
            false => (old_next, new_next) = (old_next + 1, new_next + 1),
        }
        is_beside = is_paired;
    }
    if (old_at, new_at) != (old.len(), new.len()) {
        changed.push((old_at..old.len(), new_at..new.len()));
    }
    changed
}

/// Returns the least number of words that are only in the old or only in the new text.
pub(super) fn changed_words(old: &[char], new: &[char]) -> usize {
    let [old, new] = [old, new].map(|text| texts(text, &words(text)));
    let changed = fewest_differences(&old, &new);
    changed.iter().map(|(old, new)| old.len() + new.len()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::Random;

    /// Returns the score of what is the same.
    fn score(old: &[u8], new: &[u8], changed: &[(Range<usize>, Range<usize>)]) -> usize {
        let (mut at, mut score) = ((0, 0), 0);
        for (old_range, new_range) in changed.iter().chain([&(old.len()..old.len(), new.len()..new.len())]) {
            let same = old_range.start - at.0;
            assert_eq!(old[at.0..old_range.start], new[at.1..new_range.start], "{changed:?}");
            score += 2 * same + same.saturating_sub(1);
            at = (old_range.end, new_range.end);
        }
        score
    }

    /// Returns the best score of the rest of both texts, by trying all.
    fn best(old: &[u8], new: &[u8], is_beside: bool, alike: &impl Fn(u8, u8) -> usize) -> usize {
        let ([one, old_rest @ ..], [other, new_rest @ ..]) = (old, new) else { return 0 };
        let paired = if one == other {
            2 + usize::from(is_beside) + best(old_rest, new_rest, true, alike)
        } else {
            2 * alike(*one, *other) + best(old_rest, new_rest, false, alike)
        };
        paired.max(best(old_rest, new, false, alike)).max(best(old, new_rest, false, alike))
    }

    #[test]
    fn no_alignment_is_better() {
        let mut random = Random(1);
        for round in 0..2_000 {
            let mut text = || (0..random.below(9)).map(|_| b'a' + random.below(3) as u8).collect::<Vec<_>>();
            let (old, new) = (text(), text());
            // Some values that differ are as good as equal ones.
            let alike = |one: u8, other: u8| usize::from(round % 2 == 1 && one.abs_diff(other) == 1);
            let changed = changes(
                &old,
                &new,
                (PAIRS_OF_WORDS, ALIKE_WORDS),
                |_| 1,
                |one, other| alike(old[one], new[other]),
            );
            let in_changed = |(one, other): &(Range<usize>, Range<usize>)| {
                best(&old[one.clone()], &new[other.clone()], false, &alike)
            };
            assert_eq!(
                score(&old, &new, &changed) + changed.iter().map(in_changed).sum::<usize>(),
                best(&old, &new, false, &alike),
                "{old:?} {new:?} {changed:?}"
            );
            // With fewer pairs, what is the same at both ends is still found.
            let (old, new) = ([b"xyz", &old[..], b"uvw"].concat(), [b"xyz", &new[..], b"uvw"].concat());
            let few = changes(&old, &new, (4, ALIKE_WORDS), |_| 1, |one, other| alike(old[one], new[other]));
            assert!(score(&old, &new, &few) >= 12, "{old:?} {new:?} {few:?}");
        }
    }
}
