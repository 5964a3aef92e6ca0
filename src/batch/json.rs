//! `--format=json`: prints a line for each file, and a summary line. `docs/changes.schema.json` describes the lines.

use std::collections::BTreeMap;
use std::ffi::OsStr;

use serde::Serialize;

use super::causes::Cause;
use crate::ui::json::{Path, as_map, to_json};

/// A line of the output: the line for a file, or the summary at the end.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line<'a> {
    File(&'a FileLine<'a>),
    Summary {
        #[serde(flatten)]
        report: &'a JsonReport,
        status: i32,
    },
}

/// The line for a file, with the outcome of the file.
#[derive(Default, Serialize)]
pub struct FileLine<'a> {
    pub path: Path<'a>,
    /// `skipped`, `failed`, or an outcome of the command.
    pub outcome: &'static str,
    /// The cause for which the file was not changed, and the reason as a message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<&'static str>,
    /// The lengths in bytes before and after the change of a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<u64>,
    /// Numbers of errors that the policy handled.
    #[serde(skip_serializing_if = "is_zero")]
    pub ill_formed: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub unmappable: u64,
    /// Numbers of repairs, and of suspicious texts that were not changed.
    #[serde(skip_serializing_if = "is_zero")]
    pub repairs: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub not_repaired: u64,
}

impl<'a> FileLine<'a> {
    pub fn new(path: &'a OsStr, outcome: &'static str) -> FileLine<'a> {
        FileLine { path: Path(path), outcome, ..FileLine::default() }
    }

    /// Sets the lengths in bytes before and after.
    pub fn lengths(mut self, input: u64, output: u64) -> FileLine<'a> {
        (self.input, self.output) = (Some(input), Some(output));
        self
    }

    /// Sets the outcome of a file that was not changed, with the reason.
    pub fn because(mut self, outcome: &'static str, cause: Cause, message: &'a str) -> FileLine<'a> {
        self.outcome = outcome;
        (self.cause, self.message) = (Some(cause.id()), Some(message));
        self
    }
}

/// Formats the lines, and counts the files by outcome.
#[derive(Serialize)]
pub struct JsonReport {
    dry_run: bool,
    #[serde(flatten, serialize_with = "as_map")]
    outcomes: Vec<(&'static str, u64)>,
    skipped: BTreeMap<&'static str, u64>,
    failed: BTreeMap<&'static str, u64>,
    /// The total lengths in bytes of the changed files, before and after.
    input: u64,
    output: u64,
}

impl JsonReport {
    /// Creates a report. `outcomes` are the outcomes of the command besides skipped and failed.
    pub fn new(outcomes: &[&'static str], dry_run: bool) -> JsonReport {
        let outcomes = outcomes.iter().map(|outcome| (*outcome, 0)).collect();
        let (skipped, failed) = Default::default();
        JsonReport { dry_run, outcomes, skipped, failed, input: 0, output: 0 }
    }

    /// Counts a file, and returns its line.
    pub fn line(&mut self, line: &FileLine) -> String {
        let cause = line.cause.unwrap_or_default();
        match self.outcomes.iter_mut().find(|(outcome, _)| *outcome == line.outcome) {
            Some((_, count)) => *count += 1,
            None if line.outcome == "skipped" => *self.skipped.entry(cause).or_default() += 1,
            None => *self.failed.entry(cause).or_default() += 1,
        }
        self.input += line.input.unwrap_or_default();
        self.output += line.output.unwrap_or_default();
        to_json(&Line::File(line)) + "\n"
    }

    /// Returns the summary line, for a run with this exit status.
    pub fn summary(&self, status: i32) -> String {
        to_json(&Line::Summary { report: self, status }) + "\n"
    }
}

#[allow(clippy::trivially_copy_pass_by_ref)] // the signature that serde requires
fn is_zero(count: &u64) -> bool {
    *count == 0
}
