//! Finds lines of an original with losses in the edited text, where they were moved or copied, by their text in a
//! view.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::mem;
use std::ops::Range;

use super::hunk::{Words, is_letter};
use super::view::{Mark, View, Viewed, units};

/// How many characters of a line identify the line, if others were lost.
const TELLING: usize = 12;

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
    let (mut count, mut last) = (0, None);
    for scalar in text.chars() {
        count += match (Some(scalar) == mark.character(), last == Some(scalar)) {
            (false, _) => 1,
            (true, false) => 2,
            (true, true) => 0,
        };
        last = Some(scalar);
    }
    count
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
        for line in (0..viewed.lines.len()).filter(|line| viewed.lines[*line].lost > 0) {
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

/// Returns the words of a view in which something is lost.
pub(super) fn lost_words(viewed: &Viewed) -> Words {
    let mut words = Words::new();
    // Words that end within a character of the original: their bytes are not known.
    let mut cut = Vec::new();
    for line in (0..viewed.lines.len()).filter(|line| viewed.lines[*line].lost > 0) {
        let (mut word, mut is_lost, mut at) = (String::new(), false, viewed.start_of(line));
        let mut start = at;
        let mut end = |word: &mut String, is_lost: &mut bool, bytes: Range<usize>| {
            let word = mem::take(word);
            if mem::take(is_lost) {
                let same = |known: &Option<Range<usize>>| {
                    known
                        .clone()
                        .filter(|known| viewed.original[known.clone()] == viewed.original[bytes.clone()])
                };
                let known = words.get(&word).map_or_else(|| Some(bytes.clone()), same);
                words.insert(word, known);
            }
        };
        units(viewed.encoding, viewed.view, viewed.bytes_of(line), |unit| {
            match unit.text.chars().all(is_letter) {
                true => {
                    word += unit.text;
                    is_lost |= unit.is_lost;
                }
                false => {
                    if unit.is_lost {
                        let letters = unit.text.chars().take_while(|scalar| is_letter(*scalar));
                        cut.push(word.chars().chain(letters).collect());
                    }
                    end(&mut word, &mut is_lost, start..at);
                    start = at + unit.len;
                }
            }
            at += unit.len;
        });
        end(&mut word, &mut is_lost, start..at);
    }
    words.extend(cut.into_iter().map(|word| (word, None)));
    words
}

/// The lines of the original in which something is lost, by their text in the view, without blanks at both ends.
pub(super) struct Known<'a>(HashMap<&'a str, Alike>);

/// Lines that are equal in the view.
struct Alike {
    first: usize,
    /// Whether some of them have other bytes.
    differ: bool,
    /// Whether an edit may turn another line into the same text.
    is_short: bool,
    /// The text of the first line in the view, if other blanks at its ends may hide what was lost there.
    exactly: Option<String>,
}

impl<'a> Known<'a> {
    pub fn new(viewed: &Viewed, old: &[&'a str]) -> Known<'a> {
        let mut known: HashMap<&str, Alike> = HashMap::new();
        let is_omitted = viewed.view == View::Lossy(Mark::Omitted);
        let bytes = |line: usize| viewed.bytes_of(line).trim_ascii();
        for (line, text) in old.iter().enumerate().filter(|(line, _)| viewed.lines[*line].lost > 0) {
            let exactly = is_omitted.then(|| text.to_string());
            let text = text.trim_ascii();
            if text.is_empty() {
                continue;
            }
            let alike =
                known.entry(text).or_insert(Alike { first: line, differ: false, is_short: false, exactly });
            // The rest of a short line may come from any other line.
            alike.is_short = matches!(viewed.view, View::Lossy(mark) if telling(text, mark) < TELLING);
            alike.differ |= bytes(alike.first) != bytes(line) || is_omitted && alike.is_short;
        }
        Known(known)
    }

    /// Whether a line looks like a known line.
    pub fn has(&self, line: &str) -> bool {
        self.0.contains_key(line.trim_ascii())
    }

    /// Returns a line of the original that looks like this short line.
    pub fn alike(&self, line: &str) -> Option<usize> {
        self.0.get(line.trim_ascii()).filter(|alike| alike.is_short).map(|alike| alike.first)
    }

    /// Returns the line of the original from which a line comes.
    pub fn source(&self, line: &str) -> Option<usize> {
        let alike = self.0.get(line.trim_ascii()).filter(|alike| !alike.differ && !alike.is_short)?;
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
            text => self.0.get(text).is_some_and(|alike| alike.differ),
        };
        for pair in edges.windows(2) {
            let [(before, start), (after, next)] = [&pair[0], &pair[1]];
            let (Some(last), Some(first)) = (before.clone().next_back(), after.clone().next()) else {
                continue;
            };
            let is_alike = old[last].trim_ascii() == old[first].trim_ascii();
            let added = &new[start + before.len()..*next];
            let is_moved = |line: &&&str| !added.contains(line) && touched_new.contains(**line);
            // What was between both lines is elsewhere now: one of them may have been moved instead, to the other side.
            if is_alike && old[before.end..after.start].iter().any(|line| is_moved(&line)) {
                doubtful.extend([last, first].into_iter().filter(|line| may_be_other(old[*line])));
            }
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

/// Returns how many lines have each text.
fn counts<'a>(lines: &[&'a str]) -> HashMap<&'a str, usize> {
    let mut counts = HashMap::new();
    lines.iter().for_each(|line| *counts.entry(*line).or_default() += 1);
    counts
}
