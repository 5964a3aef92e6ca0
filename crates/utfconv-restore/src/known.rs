//! Finds lines of an original with losses in the edited text, where they were moved or copied, by their text in a
//! view.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::view::{Mark, View, Viewed, units};

/// How many characters of a line identify the line, if others were lost.
const TELLING: usize = 12;

/// In a longer text, edited lines with question marks or gaps are not looked for elsewhere, and short lines
/// stay doubtful.
pub(super) const LONGEST_SEARCHED: usize = 4 << 20;

/// How many short lines are looked for in the text; more stay doubtful.
const MOST_SEARCHED: usize = 500;

/// So many marks together are no coincidence.
pub(super) const LONG_RUN: usize = 4;

/// A line with so many question marks is no coincidence.
const MANY_MARKS: usize = 8;

/// Whether a line is little more than a run of marks, whose length proves nothing.
pub(super) fn is_run(view: View, text: &str) -> bool {
    matches!(view, View::Lossy(mark) if telling(text, mark) < TELLING / 2)
}

/// Whether a line has so many characters that others, with question marks in the same positions, are no coincidence.
pub(super) fn is_long(view: View, text: &str) -> bool {
    matches!(view, View::Lossy(mark) if telling(text, mark) >= 2 * TELLING)
}

/// Returns how many characters of a line show which one it is. Of a run of marks, only the length does.
fn telling(text: &str, mark: Mark) -> usize {
    let (mut count, mut run) = (0, 0);
    for scalar in text.chars() {
        run = if Some(scalar) == mark.character() { run + 1 } else { 0 };
        count += match run {
            0 | LONG_RUN => 1,
            1 => 2,
            _ => 0,
        };
    }
    count
}

/// Returns the lines in which nothing was lost, if none that lost something looks like them.
pub(super) fn whole_lines<'a>(viewed: &Viewed, old: &[&'a str]) -> HashMap<&'a str, usize> {
    let lines = |is_lost: bool| {
        old.iter().enumerate().filter(move |(line, _)| (viewed.lines[*line].lost > 0) == is_lost)
    };
    let lost: HashSet<_> = lines(true).map(|(_, text)| text.trim_ascii()).collect();
    let whole = lines(false).filter(|(_, text)| !lost.contains(text.trim_ascii()));
    whole.map(|(line, text)| (*text, line)).collect()
}

/// Returns the lines that lost something, and that are blank or empty in the view.
pub(super) fn blank_lines(viewed: &Viewed, old: &[&str]) -> HashSet<String> {
    let lost = old.iter().enumerate().filter(|(line, _)| viewed.lines[*line].lost > 0);
    let is_blank = |text: &&&str| text.trim_ascii().is_empty();
    lost.map(|(_, text)| text).filter(is_blank).map(|text| (*text).to_string()).collect()
}

/// The lines of the original in which something is lost, by the stretches of characters that they have.
pub(super) struct Likely(HashMap<Vec<char>, Vec<u32>>);

/// How many characters are compared together. If most are lost, only long stretches identify a line.
const STRETCHES: [usize; 2] = [5, 14];

/// The most lines that may share a stretch: a stretch of more lines identifies none.
const FEW: usize = 12;

/// The most lines that are compared with an edited one.
const LIKELY: usize = 4;

impl Likely {
    pub fn new(viewed: &Viewed) -> Likely {
        let mut lines: HashMap<Vec<char>, Vec<u32>> = HashMap::new();
        // Of equal lines, one is enough.
        let mut texts = HashSet::new();
        let is_likely = |line: &usize| viewed.lines[*line].lost > 0 && texts.insert(viewed.bytes_of(*line));
        for line in (0..viewed.lines.len()).filter(is_likely) {
            for stretch in stretches(viewed.text_of(line)) {
                let with = lines.entry(stretch).or_default();
                if with.len() <= FEW && with.last() != Some(&(line as u32)) {
                    with.push(line as u32);
                }
            }
        }
        Likely(lines)
    }

    /// Returns a few lines, the most likely ones first; none if too many are as likely.
    pub fn lines(&self, text: &str) -> Vec<usize> {
        let mut counts: HashMap<u32, u32> = HashMap::new();
        for stretch in stretches(text) {
            let with = self.0.get(&stretch).filter(|with| with.len() <= FEW);
            with.into_iter().flatten().for_each(|line| *counts.entry(*line).or_default() += 1);
        }
        let mut lines: Vec<_> = counts.into_iter().collect();
        lines.sort_by_key(|(line, count)| (Reverse(*count), *line));
        if lines.get(LIKELY).is_some_and(|(_, count)| *count == lines[0].1) {
            return Vec::new();
        }
        lines.into_iter().take(LIKELY).map(|(line, _)| line as usize).collect()
    }
}

fn stretches(text: &str) -> Vec<Vec<char>> {
    let characters: Vec<_> = text.chars().collect();
    STRETCHES.iter().flat_map(|count| characters.windows(*count).map(<[char]>::to_vec)).collect()
}

/// Whether something is lost before the first character of a line that is not blank, or after the last one.
fn is_lost_at_end(viewed: &Viewed, line: usize) -> bool {
    let (mut is_started, mut before, mut after) = (false, false, false);
    units(viewed.encoding, viewed.view, viewed.bytes_of(line), |unit| {
        match (unit.text.trim_ascii().is_empty(), is_started) {
            (true, true) => after |= unit.is_lost,
            (true, false) => before |= unit.is_lost,
            (false, _) => (is_started, after) = (true, false),
        }
    });
    before || after
}

/// The lines of the original in which something is lost, by their text in the view, without blanks at both ends.
pub(super) struct Known<'a> {
    alike: HashMap<&'a str, Alike>,
    /// The same lines with the blanks at their ends.
    exact: HashSet<&'a str>,
}

/// Lines that are equal in the view.
struct Alike {
    first: usize,
    /// Whether some of them have other bytes.
    differ: bool,
    /// Whether an edit may turn another line into the same text.
    is_short: bool,
    /// The text of the first line in the view, if other blanks at its ends may hide what was lost there.
    exactly: Option<String>,
    /// How many more lines of the original than of the edited text look like them.
    missing: i64,
}

impl<'a> Known<'a> {
    /// `has_blank` says that some lines that lost something are blank in the view: they may have been joined to others.
    pub fn new(viewed: &Viewed, old: &[&'a str], has_blank: bool) -> Known<'a> {
        let (mut known, mut exact): (HashMap<&str, Alike>, HashSet<&str>) = Default::default();
        let is_omitted = viewed.view == View::Lossy(Mark::Omitted);
        let bytes = |line: usize| viewed.bytes_of(line).trim_ascii();
        for (line, text) in old.iter().enumerate().filter(|(line, _)| viewed.lines[*line].lost > 0) {
            exact.insert(*text);
            let hides = is_omitted && (has_blank || is_lost_at_end(viewed, line));
            let exactly = hides.then(|| text.to_string());
            let text = text.trim_ascii();
            if text.is_empty() {
                continue;
            }
            let none = Alike { first: line, differ: false, is_short: false, exactly, missing: 0 };
            let alike = known.entry(text).or_insert(none);
            alike.is_short = matches!(viewed.view, View::Lossy(mark) if telling(text, mark) < TELLING);
            alike.differ |= bytes(alike.first) != bytes(line) || is_omitted && alike.is_short;
        }
        Known { alike: known, exact }
    }

    /// Counts the lines of both texts that look like known ones.
    pub fn count(&mut self, old: &[&str], new: &[&str]) {
        for (lines, step) in [(old, 1), (new, -1)] {
            for line in lines {
                if let Some(alike) = self.alike.get_mut(line.trim_ascii()) {
                    alike.missing += step;
                }
            }
        }
    }

    /// Whether a line may be one that it looks like, with other blanks at its ends: no more lines look like it
    /// than in the original, and it was not put there with its blanks.
    pub fn may_be_indented(&self, line: &str) -> bool {
        let has_other_blanks = !self.exact.contains(line);
        has_other_blanks && self.alike.get(line.trim_ascii()).is_some_and(|alike| alike.missing >= 0)
    }

    /// Takes short lines for known ones if no other part of the text looks like them.
    pub fn find_unique<'t>(&mut self, viewed: &Viewed, lines: impl Iterator<Item = &'t str>) {
        let View::Lossy(mark) = viewed.view else { return };
        let least = if mark.is_proof() { 0 } else { TELLING / 2 };
        if mark == Mark::Omitted || viewed.text.len() > LONGEST_SEARCHED {
            return;
        }
        let mut searched = HashSet::new();
        for line in lines.map(str::trim_ascii) {
            let Some(alike) = self.alike.get_mut(line).filter(|alike| alike.is_short && !alike.differ) else {
                continue;
            };
            let marks = line.matches(|scalar| Some(scalar) == mark.character()).count();
            if (telling(line, mark) > least || marks >= MANY_MARKS)
                && searched.len() < MOST_SEARCHED
                && searched.insert(line)
            {
                let is_line = |(at, _): (usize, &str)| {
                    let number = viewed.lines.partition_point(|line| line.at <= at) - 1;
                    viewed.content(viewed.text_of(number)).trim_ascii().len() == line.len()
                };
                alike.is_short = !viewed.text.match_indices(line).all(is_line);
            }
        }
    }

    /// Returns how many units are lost in a known line that looks like this line.
    pub fn lost(&self, line: &str, viewed: &Viewed) -> Option<u32> {
        self.alike.get(line.trim_ascii()).map(|alike| viewed.lines[alike.first].lost)
    }

    /// Returns a line of the original that looks like this short line.
    pub fn alike(&self, line: &str) -> Option<usize> {
        self.alike.get(line.trim_ascii()).filter(|alike| alike.is_short).map(|alike| alike.first)
    }

    /// Returns the line of the original from which a line comes.
    pub fn source(&self, line: &str) -> Option<usize> {
        let alike = self.alike.get(line.trim_ascii()).filter(|alike| !alike.differ && !alike.is_short)?;
        let is_it = alike.exactly.as_ref().is_none_or(|exactly| exactly == line);
        is_it.then_some(alike.first)
    }

    /// Returns the unchanged lines that may be other lines with the same text. They are between an edit and the next
    /// line whose text is unique, unless all lines with the same text are unchanged.
    pub fn doubtful(
        &self,
        edges: &[(Range<usize>, usize)],
        old: &[&str],
        new: &[&str],
        blank: &HashSet<String>,
    ) -> HashSet<usize> {
        let mut doubtful = HashSet::new();
        if edges.len() < 2 {
            return doubtful;
        }
        let (old_counts, new_counts) = (counts(old), counts(new));
        let is_anchor = |line: &str| old_counts.get(line) == Some(&1) && new_counts.get(line) == Some(&1);
        let (mut touched, mut touched_new): (HashSet<&str>, HashSet<&str>) = Default::default();
        let (mut old_at, mut new_at) = (0, 0);
        for (lines, start) in edges.iter().chain([&(old.len()..old.len(), new.len())]) {
            touched.extend(&old[old_at..lines.start]);
            touched_new.extend(&new[new_at..*start]);
            (old_at, new_at) = (lines.end, start + lines.len());
        }
        let may_be_other = |text: &str| match text.trim_ascii() {
            "" => blank.contains(text),
            text => self.alike.get(text).is_some_and(|alike| alike.differ),
        };
        for (lines, _) in edges {
            // Blank lines alone show nothing.
            if lines.clone().all(|line| old[line].trim_ascii().is_empty()) {
                doubtful.extend(lines.clone().filter(|line| blank.contains(old[*line])));
            }
        }
        for pair in edges.windows(2) {
            let lines = beside_moved(pair, old, new, &touched_new);
            doubtful.extend(lines.into_iter().filter(|line| may_be_other(old[*line])));
        }
        let mut look = |lines: &mut dyn Iterator<Item = usize>| {
            for line in lines {
                let text = old[line];
                if may_be_other(text) && (touched.contains(text) || touched_new.contains(text)) {
                    doubtful.insert(line);
                }
                if is_anchor(text) {
                    break;
                }
            }
        };
        for (lines, _) in &edges[1..] {
            look(&mut lines.clone());
        }
        for (lines, _) in &edges[..edges.len() - 1] {
            look(&mut lines.clone().rev());
        }
        doubtful
    }
}

/// Returns the unchanged lines before and after an edit, if they look the same, and what was between them is
/// elsewhere now: one of them may have been moved instead, to the other side.
fn beside_moved(
    edges: &[(Range<usize>, usize)],
    old: &[&str],
    new: &[&str],
    touched_new: &HashSet<&str>,
) -> Vec<usize> {
    let [(before, start), (after, next)] = edges else { return Vec::new() };
    let (Some(last), Some(first)) = (before.clone().next_back(), after.clone().next()) else {
        return Vec::new();
    };
    let added = &new[start + before.len()..*next];
    let is_moved = |line: &&str| !added.contains(line) && touched_new.contains(line);
    let is_alike = old[last].trim_ascii() == old[first].trim_ascii();
    if is_alike && old[before.end..after.start].iter().any(is_moved) { vec![last, first] } else { Vec::new() }
}

/// Returns how many lines have each text.
pub(super) fn counts<'a>(lines: &[&'a str]) -> HashMap<&'a str, usize> {
    let mut counts = HashMap::new();
    lines.iter().for_each(|line| *counts.entry(*line).or_default() += 1);
    counts
}
