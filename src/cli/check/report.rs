//! What a check has found, in an order that does not depend on threads, within bounds that do not depend on the tree.
//!
//! The formats are made of this alone.

use std::collections::BTreeMap;
use std::ffi::OsString;

use utfconv::{Bytes, Place};

use super::rules::Rule;

/// Something found in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub rule: Rule,
    /// Where it begins.
    pub place: Place,
    /// Its length in bytes of the file; 0 for something that is missing.
    pub len: u64,
    /// The bytes, or the first of them where there are many.
    pub bytes: Bytes,
    /// Which way a text is ill-formed; empty for other rules.
    pub kind: &'static str,
    /// The sentence for people: `byte 212: ill-formed UTF-8: C0 AF: ...`. One line, harmless on any terminal.
    pub message: String,
    /// What is certainly behind it, and what to do, if known. As harmless.
    pub hint: Option<String>,
    /// The line it is in, for a terminal.
    pub excerpt: Option<super::excerpt::Excerpt>,
}

/// A file in which something was found.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// In the order of the file.
    pub listed: Vec<Finding>,
    /// How many more were found and only counted.
    pub unlisted: u64,
    /// The rest of the file was not looked at, since the limit was reached.
    pub is_cut_short: bool,
}

/// What there is to say about a file. Of files in order, nothing is said.
#[derive(Clone, Debug)]
pub enum Outcome {
    Findings(Findings),
    /// It could not be opened, read or walked; why.
    Unreadable(String),
    /// It is binary, and was passed over.
    Binary,
}

/// The place of a file in the report: by the arguments that led to it, then by name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The number of the argument.
    pub argument: u64,
    /// The name, as it is shown: relative where the argument is.
    pub name: OsString,
}

/// Sums over all files.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    /// Files that were read, at least in part.
    pub files: u64,
    /// Bytes that were read.
    pub bytes: u64,
    /// Files in which something was found.
    pub faulty: u64,
    /// Binary files that were passed over.
    pub binary: u64,
    /// Files and directories that could not be read.
    pub unreadable: u64,
    /// Findings of each rule, listed or not.
    pub findings: BTreeMap<Rule, u64>,
}

impl Totals {
    /// All findings, listed or not.
    pub fn found(&self) -> u64 {
        self.findings.values().sum()
    }
}

/// All of a check.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub outcomes: BTreeMap<Key, Outcome>,
    pub totals: Totals,
    /// Findings that are listed.
    pub listed: u64,
}
