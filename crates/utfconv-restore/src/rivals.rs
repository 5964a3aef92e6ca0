//! Unchanged lines that may be other lines: of several lines that look the same, another one may have stayed.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::hunk::{Hunk, MANY_WORDS};
use super::lines::content;
use super::view::Viewed;
use super::words::words;

/// How many unchanged lines around lines that look the same are compared.
const LINES_AROUND: usize = 3;

/// With how many such lines before it, and after it, a line is compared: those farther away need more edits.
const NEAREST: usize = 4;

/// The lines of an original and of the edited text, and which are unchanged.
pub(super) struct Sides<'a> {
    pub viewed: &'a Viewed<'a>,
    /// The contents of the lines of the original.
    pub old: &'a [&'a str],
    /// The lines of the edited text, with newlines.
    pub new: &'a [&'a str],
    /// The ranges of unchanged lines of the original, and where each begins in the edited text.
    pub edges: &'a [(Range<usize>, usize)],
}

impl Sides<'_> {
    /// Keeps those of the unchanged lines that may as well be other lines of the original, or are now other
    /// lines of the edited text, because not many more words must have changed then.
    pub fn retain_likely(&self, doubtful: &mut HashSet<usize>) {
        if doubtful.is_empty() {
            return;
        }
        let texts: HashSet<&str> = doubtful.iter().map(|line| self.old[*line]).collect();
        let group = |lines: &mut dyn Iterator<Item = (usize, &str)>| {
            let mut groups: HashMap<String, Vec<usize>> = HashMap::new();
            for (line, text) in lines.filter(|(_, text)| texts.contains(text)) {
                groups.entry(text.to_string()).or_default().push(line);
            }
            groups
        };
        let old = group(&mut self.old.iter().copied().enumerate());
        let new = group(&mut self.new.iter().map(|line| self.viewed.content(line)).enumerate());
        let nearest = |lines: Option<&Vec<usize>>, line: usize| {
            let lines = lines.map_or(&[][..], Vec::as_slice);
            let at = lines.partition_point(|other| *other < line);
            lines[at.saturating_sub(NEAREST)..lines.len().min(at + NEAREST + 1)].to_vec()
        };
        let counts = Counts::new(self);
        doubtful.retain(|line| {
            let Some(at) = self.unchanged(*line) else { return false };
            let others = nearest(old.get(self.old[*line]), *line);
            let is_other = |other: &usize| self.viewed.bytes_of(*other) != self.viewed.bytes_of(*line);
            let others_new = nearest(new.get(self.old[*line]), at);
            others.into_iter().filter(is_other).any(|other| self.may_be(&counts, *line, (other, at)))
                || others_new
                    .into_iter()
                    .filter(|new| self.is_changed(*new))
                    .any(|new| self.may_be(&counts, *line, (*line, new)))
        });
    }

    /// Returns where an unchanged line of the original is in the edited text.
    fn unchanged(&self, line: usize) -> Option<usize> {
        let (lines, start) = &self.edges[self.edges.partition_point(|(lines, _)| lines.end <= line)];
        lines.contains(&line).then(|| start + line - lines.start)
    }

    /// Whether a line of the edited text is new or edited.
    fn is_changed(&self, line: usize) -> bool {
        let edge = self.edges.partition_point(|(lines, start)| start + lines.len() <= line);
        self.edges.get(edge).is_none_or(|(_, start)| line < *start)
    }

    /// Whether, instead of an unchanged line, the line `other` of the original may be in the edited text at `new`.
    fn may_be(&self, counts: &Counts, line: usize, (other, new): (usize, usize)) -> bool {
        let at = self.unchanged(line).expect("only such lines are doubtful");
        let pairs = |line: usize| Some((line, self.unchanged(line)?));
        let mut before = (0..line.min(other)).rev().filter_map(pairs);
        let before = before.find(|(_, start)| start + LINES_AROUND < at.min(new)).unwrap_or((0, 0));
        let mut after = (line.max(other) + 1..self.old.len()).filter_map(pairs);
        let after = after.find(|(_, end)| *end > at.max(new) + LINES_AROUND);
        let after = after.unwrap_or((self.old.len(), self.new.len()));
        if counts.rule_out((other, new), [before, after]) {
            return false;
        }
        let lines: Vec<_> = (before.0..after.0).collect();
        let length = |lines: &[&str]| lines.iter().map(|line| line.len()).sum::<usize>();
        if !self
            .viewed
            .may_compare(length(&self.old[before.0..after.0]) + length(&self.new[before.1..after.1]))
        {
            return true;
        }
        let hunk = Hunk::new(self.viewed, &lines, characters(self.viewed, &self.new[before.1..after.1]));
        let start = |line: usize| characters(self.viewed, &self.new[before.1..line]).len();
        let [this, other] =
            [(line, at), (other, new)].map(|(line, at)| (hunk.line(line - before.0), start(at)));
        !hunk.needs_more((&other.0, other.1), (&this.0, this.1), MANY_WORDS)
    }
}

/// How many words are in the lines before each line of both texts, and how many of these are in changed lines.
struct Counts {
    old: Vec<[usize; 2]>,
    new: Vec<[usize; 2]>,
}

impl Counts {
    fn new(sides: &Sides) -> Counts {
        let sums = |lines: &[&str], is_changed: &dyn Fn(usize) -> bool| {
            let mut sums = vec![[0; 2]];
            for (number, line) in lines.iter().enumerate() {
                let [all, changed] = sums[number];
                let count = words(&characters(sides.viewed, &[line])).len();
                sums.push([all + count, changed + if is_changed(number) { count } else { 0 }]);
            }
            sums
        };
        let old: Vec<_> = (0..sides.old.len()).map(|line| sides.viewed.text_of(line)).collect();
        Counts {
            old: sums(&old, &|line| sides.unchanged(line).is_none()),
            new: sums(sides.new, &|line| sides.is_changed(line)),
        }
    }

    /// Whether, by their numbers alone, many more words must have changed if a line of the original is a line
    /// of the edited text. `before` and `after` are pairs of unchanged lines around both.
    fn rule_out(&self, (old, new): (usize, usize), [before, after]: [(usize, usize); 2]) -> bool {
        let all = |sums: &[[usize; 2]], from: usize, to: usize| sums[to][0] - sums[from][0];
        let changed = |sums: &[[usize; 2]], from: usize, to: usize| sums[to][1] - sums[from][1];
        let [left, right] = [(before, (old, new)), ((old + 1, new + 1), after)]
            .map(|(from, to)| all(&self.old, from.0, to.0).abs_diff(all(&self.new, from.1, to.1)));
        let most = changed(&self.old, before.0, after.0) + changed(&self.new, before.1, after.1);
        left + right >= most + MANY_WORDS
    }
}

/// Returns the characters of lines, with line feeds as newlines.
pub(super) fn characters(viewed: &Viewed, lines: &[&str]) -> Vec<char> {
    let of_line = |line: &&'_ str| {
        let (end, newline) = content(line, viewed.is_wide);
        line[..end].chars().chain(newline.map(|_| '\n')).collect::<Vec<_>>()
    };
    lines.iter().flat_map(of_line).collect()
}
