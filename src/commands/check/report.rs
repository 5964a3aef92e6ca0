//! The findings of a check, limited in number, in an order that does not depend on threads. The formats use only this
//! report.

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
    /// Findings that are not packed, sorted by offset once the file is complete.
    pub listed: Vec<Finding>,
    /// Findings in compact form: those after `listed`, and in a `Report` all findings.
    pub packed: Packed,
    /// Number of findings that `listed` still takes.
    pub room: u64,
    /// Number of findings of each rule, listed or not.
    pub counts: BTreeMap<Rule, u64>,
    /// Number of findings of all rules, listed or not.
    pub total: u64,
    /// True if the rest of the file was not read, because the limit was reached.
    pub is_cut_short: bool,
    /// Number of findings that were printed early and removed from the list.
    pub printed: u64,
    /// Number of findings that are not listed because a listed finding summarizes them.
    pub summarized: u64,
    /// Set if the file is plainly in another encoding.
    pub verdict: Option<Verdict>,
}

/// The result for a file that is plainly in another encoding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// The encoding that the file seems to be in; `certainty` says how sure the detection is.
    pub encoding: &'static str,
    pub certainty: &'static str,
    /// The encoding that was expected.
    pub expected: &'static str,
    /// Number of ill-formed sequences if read as `expected`; `None` if they were not counted.
    pub errors: Option<u64>,
    /// True if `errors` is a minimum, because the rest of the file was not read.
    pub at_least: bool,
    /// True if the file declares its encoding, so that a conversion has to change the declaration.
    #[serde(skip)]
    pub is_declared: bool,
}

impl Verdict {
    /// Creates the verdict that a file is in `encoding`, not in `expected`.
    pub fn new(encoding: &'static Encoding, certainty: Certainty, expected: &'static Encoding) -> Verdict {
        let (encoding, certainty, expected) = (encoding.name(), certainty.word(), expected.name());
        Verdict { encoding, certainty, expected, errors: None, at_least: false, is_declared: false }
    }
}

impl Findings {
    /// Returns the findings of an outcome, or an empty list for at most `max_listed` findings.
    pub fn of(outcome: Option<FileResult>, max_listed: u64) -> Findings {
        match outcome {
            Some(FileResult::Findings(findings)) => findings,
            _ => Findings::with_room(max_listed),
        }
    }

    /// Returns the outcome of a file with these findings, sorted by offset; `None` if there are none.
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

    /// Removes all findings of these rules, because they have another cause.
    pub fn take_out(&mut self, rules: &[Rule]) {
        self.retain(|finding| !rules.contains(&finding.rule));
        self.total -= rules.iter().filter_map(|rule| self.counts.remove(rule)).sum::<u64>();
        if rules.contains(&Rule::WrongEncoding) {
            (self.summarized, self.verdict) = (0, None);
        }
    }

    /// Removes the listed findings that are not to be kept, also from the counts.
    pub fn retain(&mut self, is_kept: impl Fn(&Finding) -> bool) {
        let (kept, others) = mem::take(&mut self.listed).into_iter().partition(is_kept);
        self.listed = kept;
        for Finding { rule, .. } in others {
            self.room += 1;
            // A finding that summarizes others is not counted under its own rule.
            if let Some(count) = self.counts.get_mut(&rule) {
                (*count, self.total) = (*count - 1, self.total - 1);
            }
        }
    }

    /// Returns the number of findings that were counted and are not listed.
    pub fn unlisted(&self) -> u64 {
        self.total - self.shown() - self.summarized
    }

    /// Returns the number of findings that are in the list or were printed from it.
    pub fn shown(&self) -> u64 {
        self.listed.len() as u64 + self.packed.len() + self.printed
    }

    /// Packs all findings of the list except the first `len`.
    pub fn pack_after(&mut self, len: usize) {
        self.packed.push(&self.listed[len..]);
        self.listed.truncate(len);
    }
}

/// The result of a file with errors, or of a file that was not checked.
#[derive(Clone, Debug)]
pub enum FileResult {
    Findings(Findings),
    /// Why the file could not be opened, read or walked.
    Unreadable(String),
    /// The file is binary, and was skipped.
    Binary,
}

impl FileResult {
    /// True if the file was not checked and therefore has no findings.
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

/// Result of examining a file.
#[derive(Clone, Debug, Default)]
pub struct Examined {
    /// `None` if the file has no errors.
    pub result: Option<FileResult>,
    /// Number of bytes of the file that were checked.
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
    /// Number of files that were read, at least in part.
    pub files: u64,
    /// Number of bytes that were read.
    pub bytes: u64,
    /// Number of files with findings.
    pub files_with_errors: u64,
    /// Number of binary files that were skipped.
    pub binary: u64,
    /// Number of files and directories that could not be read.
    pub unreadable: u64,
    /// Number of findings of each rule, listed or not.
    #[serde(skip)]
    pub findings: BTreeMap<Rule, u64>,
    /// `None` without a baseline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<BaselineTotals>,
}

/// Sums over the baseline errors of files that were checked, and of files that no longer exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct BaselineTotals {
    /// Number of known errors that were found and not reported.
    pub known: u64,
    /// Number of known errors that were not found.
    pub gone: u64,
}

impl Totals {
    /// Returns the number of findings, listed or not.
    pub fn found(&self) -> u64 {
        self.findings.values().sum()
    }
}

/// The result of a check.
#[derive(Debug, Default)]
pub struct Report {
    pub outcomes: BTreeMap<Key, FileResult>,
    pub totals: Totals,
    /// Number of findings that are listed.
    pub listed: u64,
    /// Maximum number of findings that may be listed.
    max_listed: u64,
    /// Errors and warnings about the run as a whole; `merge` turns unreadable files into outcomes.
    pub notes: Notes,
    /// The statistics, with `--stats`.
    pub stats: Option<Stats>,
    /// The files that were repaired, or would be, with `--fix`.
    pub fixed: Option<Vec<Key>>,
    /// True if `--fix` left a file because its encoding is not certain enough.
    pub is_uncertain: bool,
}

impl Report {
    /// Makes a report that lists at most this many findings.
    pub fn new(max_listed: u64) -> Report {
        Report { max_listed, ..Report::default() }
    }

    /// Returns the number of findings that are summarized by listed findings.
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

    /// Replaces the outcome of a file that was examined again. The list may exceed the limit until `trim` is called.
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

    /// Adds the outcomes, notes and totals of another report.
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

    /// Adds an outcome. The order of calls does not matter, because the first findings in the order of files are
    /// kept.
    fn keep(&mut self, key: Key, mut outcome: FileResult) {
        if let FileResult::Findings(findings) = &mut outcome {
            findings.packed.push_front(&mem::take(&mut findings.listed));
            self.listed += findings.shown();
        }
        self.outcomes.insert(key, outcome);
        // The limit may be exceeded twofold, because `trim` visits all outcomes.
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
