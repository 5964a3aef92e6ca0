//! The findings of a check, in an order that does not depend on threads, and within the limits. The formats
//! use nothing else.

use std::collections::BTreeMap;
use std::mem;

use serde::Serialize;
use utfconv_core::Encoding;
use utfconv_detect::Certainty;

pub use super::finding::Finding;
use super::finding::Packed;
use super::rules::Rule;
use crate::files::walk::{Key, Notes};
use crate::text::stats::Stats;

/// The findings of a file.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// In the order of the file, when it was read.
    pub listed: Vec<Finding>,
    /// The findings after them, if there are many, and in a report all of them.
    pub packed: Packed,
    /// How many more findings the list takes.
    pub room: u64,
    /// How many findings each rule has, listed or not.
    pub counts: BTreeMap<Rule, u64>,
    /// Their sum.
    pub total: u64,
    /// The rest of the file was not read, because the limit was reached.
    pub is_cut_short: bool,
    /// How many findings were printed before, and are no longer in the list.
    pub printed: u64,
    /// How many more findings the one about another encoding replaces in the list.
    pub summarized: u64,
    /// The result, if the file is plainly in another encoding.
    pub verdict: Option<Verdict>,
}

/// The result for a file that is plainly in another encoding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// The encoding, and how certain that is.
    pub encoding: &'static str,
    pub certainty: &'static str,
    /// The encoding that was expected.
    pub expected: &'static str,
    /// How many ill-formed sequences the file has in that; None if they were not looked for.
    pub errors: Option<u64>,
    /// There may be more of them: the rest of the file was not read.
    pub at_least: bool,
    /// The file names an encoding, and that has to be changed when it is converted.
    #[serde(skip)]
    pub is_declared: bool,
}

impl Verdict {
    /// Makes the one that a file is in `encoding`, and not in the `expected` one.
    pub fn new(encoding: &'static Encoding, certainty: Certainty, expected: &'static Encoding) -> Verdict {
        let (encoding, certainty, expected) = (encoding.name(), certainty.word(), expected.name());
        Verdict { encoding, certainty, expected, errors: None, at_least: false, is_declared: false }
    }
}

impl Findings {
    /// Takes the findings of an outcome, to add more.
    pub fn of(outcome: Option<FileResult>, max_listed: u64) -> Findings {
        match outcome {
            Some(FileResult::Findings(findings)) => findings,
            _ => Findings::with_room(max_listed),
        }
    }

    /// Returns the outcome of a file with these findings, in the order of the file; None if there are none.
    pub fn into_outcome(mut self) -> Option<FileResult> {
        self.listed.sort_by_key(|finding| finding.position.offset());
        (self.total > 0).then_some(FileResult::Findings(self))
    }

    /// Makes an empty list for at most this many findings.
    pub fn with_room(room: u64) -> Findings {
        Findings { room, ..Findings::default() }
    }

    /// Counts a finding, and lists it if there is room.
    pub fn push(&mut self, rule: Rule, finding: impl FnOnce() -> Finding) {
        *self.counts.entry(rule).or_default() += 1;
        self.total += 1;
        if self.room > 0 {
            self.room -= 1;
            self.listed.push(finding());
        }
    }

    /// Takes out the findings of these rules, which have another cause.
    pub fn take_out(&mut self, rules: &[Rule]) {
        self.retain(|finding| !rules.contains(&finding.rule));
        self.total -= rules.iter().filter_map(|rule| self.counts.remove(rule)).sum::<u64>();
        if rules.contains(&Rule::WrongEncoding) {
            (self.summarized, self.verdict) = (0, None);
        }
    }

    /// Keeps only some of the listed findings.
    pub fn retain(&mut self, is_kept: impl Fn(&Finding) -> bool) {
        let (kept, others) = mem::take(&mut self.listed).into_iter().partition(is_kept);
        self.listed = kept;
        for Finding { rule, .. } in others {
            self.room += 1;
            // A summary is not counted under its own rule.
            if let Some(count) = self.counts.get_mut(&rule) {
                (*count, self.total) = (*count - 1, self.total - 1);
            }
        }
    }

    /// Returns how many were only counted.
    pub fn unlisted(&self) -> u64 {
        self.total - self.shown() - self.summarized
    }

    /// Returns how many are in the list, or were printed from it.
    pub fn shown(&self) -> u64 {
        self.listed.len() as u64 + self.packed.len() + self.printed
    }

    /// Packs the findings of the list but the first `len`.
    pub fn pack_after(&mut self, len: usize) {
        self.packed.push(&self.listed[len..]);
        self.listed.truncate(len);
    }
}

/// The result of a file with errors, or of one that was not checked.
#[derive(Clone, Debug)]
pub enum FileResult {
    Findings(Findings),
    /// Why it could not be opened, read or walked.
    Unreadable(String),
    /// It is binary, and was skipped.
    Binary,
}

impl FileResult {
    /// Whether the file was not checked, so that it has no findings to add to.
    pub fn is_unchecked(&self) -> bool {
        self.findings().is_none()
    }

    /// Returns the findings of a file with errors.
    pub fn findings(&self) -> Option<&Findings> {
        match self {
            FileResult::Findings(findings) => Some(findings),
            FileResult::Unreadable(_) | FileResult::Binary => None,
        }
    }
}

/// A file that was examined.
#[derive(Clone, Debug, Default)]
pub struct Examined {
    /// None without errors.
    pub result: Option<FileResult>,
    /// How many bytes of the file were checked.
    pub len: u64,
}

impl From<FileResult> for Examined {
    fn from(result: FileResult) -> Examined {
        Examined { result: Some(result), len: 0 }
    }
}

/// Sums over all files.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Totals {
    /// Files that were read, at least in part.
    pub files: u64,
    /// Bytes that were read.
    pub bytes: u64,
    /// Files with findings.
    pub files_with_errors: u64,
    /// Binary files that were skipped.
    pub binary: u64,
    /// Files and directories that could not be read.
    pub unreadable: u64,
    /// Findings of each rule, listed or not.
    #[serde(skip)]
    pub findings: BTreeMap<Rule, u64>,
    /// None without a baseline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<BaselineTotals>,
}

/// Sums over what a baseline has of the files that were checked, and of those that no longer exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct BaselineTotals {
    /// Errors that are known, and not reported.
    pub known: u64,
    /// Known errors that were not found.
    pub gone: u64,
}

impl Totals {
    /// All findings, listed or not.
    pub fn found(&self) -> u64 {
        self.findings.values().sum()
    }
}

/// The result of a check.
#[derive(Debug, Default)]
pub struct Report {
    pub outcomes: BTreeMap<Key, FileResult>,
    pub totals: Totals,
    /// How many findings are listed.
    pub listed: u64,
    /// The most findings that may be listed.
    max_listed: u64,
    /// Errors and warnings that do not concern a single file; what is unreadable is an outcome in the end.
    pub notes: Notes,
    /// The statistics, with `--stats`.
    pub stats: Option<Stats>,
    /// The files that were repaired, or would be, with `--fix`.
    pub fixed: Option<Vec<Key>>,
    /// Whether `--fix` left a file because its encoding is not certain enough.
    pub is_uncertain: bool,
}

impl Report {
    /// Makes a report that lists at most this many findings.
    pub fn new(max_listed: u64) -> Report {
        Report { max_listed, ..Report::default() }
    }

    /// Returns how many findings are represented by others in the list.
    pub fn summarized(&self) -> u64 {
        self.outcomes.values().filter_map(FileResult::findings).map(|findings| findings.summarized).sum()
    }

    /// Adds a file. Binary files are listed only if `keeps_binary`.
    pub fn add(&mut self, key: impl FnOnce() -> Key, Examined { result, len }: Examined, keeps_binary: bool) {
        self.totals.bytes += len;
        match &result {
            None => self.totals.files += 1,
            Some(FileResult::Findings(findings)) => {
                self.totals.files += 1;
                self.totals.files_with_errors += 1;
                for (rule, count) in &findings.counts {
                    *self.totals.findings.entry(*rule).or_default() += count;
                }
            }
            Some(FileResult::Unreadable(_)) => self.totals.unreadable += 1,
            Some(FileResult::Binary) => self.totals.binary += 1,
        }
        let is_kept = |outcome: &FileResult| keeps_binary || !matches!(outcome, FileResult::Binary);
        if let Some(result) = result.filter(is_kept) {
            self.keep(key(), result);
        }
    }

    /// Exchanges the outcome of a file that was read before. More findings may be listed then until the report is trimmed.
    pub fn exchange(&mut self, key: Key, old_len: u64, new: Examined) {
        if let Some(FileResult::Findings(old)) = self.outcomes.remove(&key) {
            self.totals.files -= 1;
            self.totals.files_with_errors -= 1;
            self.listed -= old.shown();
            for (rule, count) in old.counts {
                if let Some(sum) = self.totals.findings.get_mut(&rule) {
                    *sum -= count;
                }
            }
            self.totals.findings.retain(|_, count| *count > 0);
        }
        self.totals.bytes = self.totals.bytes.saturating_sub(old_len);
        self.add(|| key, new, false);
    }

    /// Adds all of another report.
    pub fn merge(&mut self, mut other: Report) {
        for (key, why) in mem::take(&mut other.notes.unreadable) {
            self.add(|| key, FileResult::Unreadable(why).into(), false);
        }
        self.notes.merge(other.notes);
        other.outcomes.into_iter().for_each(|(key, outcome)| self.keep(key, outcome));
        self.trim();
        match (&mut self.stats, other.stats) {
            (Some(stats), Some(more)) => stats.add(more),
            (stats, more) => *stats = stats.take().or(more),
        }
        let (sums, more) = (&mut self.totals, other.totals);
        sums.files += more.files;
        sums.bytes += more.bytes;
        sums.files_with_errors += more.files_with_errors;
        sums.binary += more.binary;
        sums.unreadable += more.unreadable;
        more.findings.into_iter().for_each(|(rule, count)| *sums.findings.entry(rule).or_default() += count);
    }

    /// Keeps an outcome. In any order of calls, the first findings of the report are kept.
    fn keep(&mut self, key: Key, mut outcome: FileResult) {
        if let FileResult::Findings(findings) = &mut outcome {
            findings.packed.push_front(&mem::take(&mut findings.listed));
            self.listed += findings.shown();
        }
        self.outcomes.insert(key, outcome);
        // Not each time: trimming visits all outcomes.
        if self.listed / 2 > self.max_listed.max(1 << 12) {
            self.trim();
        }
    }

    /// Drops findings from the end until at most `max_listed` are listed.
    pub fn trim(&mut self) {
        let mut room = self.max_listed;
        for outcome in self.outcomes.values_mut() {
            if let FileResult::Findings(findings) = outcome {
                room -= findings.printed;
                let count = findings.packed.len();
                let kept = count.min(room);
                if kept < count {
                    findings.summarized = 0;
                }
                findings.packed.truncate(kept);
                room -= kept;
            }
        }
        self.listed = self.max_listed - room;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use utfconv_core::Position;

    fn findings(count: u64) -> FileResult {
        let finding = Finding::new(Rule::Nul, Position::default(), &[0], String::new());
        let listed = (0..count).map(|_| finding.clone()).collect();
        let counts = BTreeMap::from([(Rule::Nul, count)]);
        FileResult::Findings(Findings { listed, counts, total: count, ..Findings::default() })
    }

    /// The report is the same in any order of files and threads.
    #[test]
    fn the_first_findings_in_order_are_listed() {
        let files = [("a", 3), ("b", 2), ("c", 4), ("d", 1)];
        for (limit, expected) in [(100, [3, 2, 4, 1]), (6, [3, 2, 1, 0]), (3, [3, 0, 0, 0]), (0, [0; 4])] {
            for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
                let mut reports = [Report::new(limit), Report::new(limit)];
                for (number, file) in order.into_iter().enumerate() {
                    let (name, count) = files[file];
                    let key = Key { argument: 1, name: name.into() };
                    let examined = Examined { result: Some(findings(count)), len: 5 };
                    reports[number % 2].add(|| key, examined, false);
                }
                let [mut report, other] = reports;
                report.merge(other);
                let listed: Vec<_> = report
                    .outcomes
                    .values()
                    .map(|outcome| match outcome {
                        FileResult::Findings(findings) => (findings.shown(), findings.unlisted()),
                        _ => unreachable!("only findings were added"),
                    })
                    .collect();
                let expected: Vec<_> =
                    files.iter().zip(expected).map(|((_, count), listed)| (listed, count - listed)).collect();
                assert_eq!(listed, expected, "{limit} {order:?}");
                assert_eq!(report.totals.found(), 10);
                assert_eq!((report.totals.files, report.totals.bytes), (4, 20));
            }
        }
    }
}
