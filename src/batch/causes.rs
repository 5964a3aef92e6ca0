//! The causes for which files of a batch are not changed, counted, and grouped if many files have the same error.

use std::collections::BTreeMap;

use super::not_edited::{NotEdited, SkipKind};
use crate::ui::exit::Exit;
use crate::ui::quote::counted;

/// The cause for which a file is not changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    IllFormed,
    Unmappable,
    /// The data has an error of another kind, such as a missing BOM that is required.
    Data,
    /// The encoding of the file is unknown or only a guess.
    Unknown,
    /// The file seems to be in another encoding than the named encoding.
    Other,
    PartlyUtf8,
    Binary,
    /// `--verify` found that the new file has other text than the old file, or does not convert back to it.
    Different,
    /// The configuration does not allow the result.
    Configured,
    /// The file is a manifest, or a manifest records that the file was already changed.
    Manifest,
    /// The file was changed since the run that is to be undone.
    Changed,
    /// The file cannot be read or replaced.
    Inaccessible,
}

impl Cause {
    /// Returns the cause for a file that is skipped for this kind of reason.
    pub fn of(kind: SkipKind) -> Cause {
        match kind {
            SkipKind::Binary => Cause::Binary,
            SkipKind::Encoding => Cause::Other,
            SkipKind::Configured => Cause::Configured,
            SkipKind::Manifest | SkipKind::Done => Cause::Manifest,
        }
    }

    /// Returns the cause for a file that was not edited.
    pub fn of_not_edited(why: &NotEdited) -> Cause {
        if let NotEdited::Skipped(skipped) = why { Cause::of(skipped.kind) } else { Cause::Inaccessible }
    }

    /// Returns the name of the cause in JSON, the words that follow a number in a summary, and the exit status of a run
    /// with a file that failed for this cause.
    fn row(self) -> (&'static str, &'static str, Exit) {
        match self {
            Cause::IllFormed => ("ill-formed", "ill-formed", Exit::Fault),
            Cause::Unmappable => ("unmappable", "unmappable", Exit::Fault),
            Cause::Data => ("data", "with other errors in the data", Exit::Fault),
            Cause::Unknown => ("unknown-encoding", "of unknown encoding", Exit::Fault),
            Cause::Other => ("other-encoding", "in another encoding", Exit::Fault),
            Cause::PartlyUtf8 => ("partly-utf-8", "partly UTF-8", Exit::Failure),
            Cause::Binary => ("binary", "binary", Exit::Failure),
            Cause::Different => ("verify", "different at --verify", Exit::Fault),
            Cause::Configured => ("configured", "refused as configured", Exit::Failure),
            Cause::Manifest => ("record", "manifests", Exit::Failure),
            Cause::Changed => ("changed", "changed since", Exit::Failure),
            Cause::Inaccessible => ("inaccessible", "cannot be read or replaced", Exit::Failure),
        }
    }

    pub fn id(self) -> &'static str {
        self.row().0
    }

    fn in_words(self) -> &'static str {
        self.row().1
    }

    pub fn exit(self) -> Exit {
        self.row().2
    }
}

/// Maximum number of files with the same error that are reported one by one.
const LISTED: u64 = 10;

/// Counts the files that a run did not change, by cause and reason.
#[derive(Default)]
pub struct Failures {
    causes: BTreeMap<Cause, u64>,
    /// Number of files for each cause and reason.
    groups: BTreeMap<(Cause, String), u64>,
}

impl Failures {
    /// Counts a file. Returns whether its messages are to be reported, because few earlier files had the same error.
    pub fn add(&mut self, cause: Cause, reason: &str) -> bool {
        *self.causes.entry(cause).or_default() += 1;
        // The reasons for other causes have details of each file, so files with these causes are grouped by cause
        // alone.
        let common = if cause == Cause::Inaccessible { reason } else { "" };
        let count = self.groups.entry((cause, common.to_string())).or_default();
        *count += 1;
        *count <= LISTED
    }

    /// Counts a file that is reported elsewhere.
    pub fn count(&mut self, cause: Cause) {
        *self.causes.entry(cause).or_default() += 1;
    }

    pub fn total(&self) -> u64 {
        self.causes.values().sum()
    }

    /// Returns a line for each cause and reason with more files than were reported one by one.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.groups.iter().filter(|(_, count)| **count > LISTED).map(|((cause, reason), count)| {
            let what = if reason.is_empty() { cause.in_words() } else { reason };
            format!("{}: not converted: {what}; use -v to list them", counted(count - LISTED, "more file"))
        })
    }

    /// Returns a phrase with the causes and their counts; empty if fewer than two files failed.
    pub fn in_words(&self) -> String {
        if self.total() < 2 {
            return String::new();
        }
        let causes: Vec<_> =
            self.causes.iter().map(|(cause, count)| format!("{count} {}", cause.in_words())).collect();
        format!(" ({})", causes.join(", "))
    }
}
