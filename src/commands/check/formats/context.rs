//! Settings of the output, and the text for a file and a finding, which all formats share.

use std::ffi::OsStr;
use std::mem;
use std::path::PathBuf;

use serde::Serialize;

use super::fingerprint::Fingerprints;
use crate::commands::check::report::{FileResult, Finding, Findings, Report};
use crate::files::report_names;
use crate::ui::json::to_json;
use crate::ui::quote::one_line;

/// Takes the text of a report, piece by piece.
pub type Put<'a> = dyn FnMut(&str) + 'a;

/// Settings of the output.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// The exit status that the run will have.
    pub status: i32,
    /// True if text is colored.
    pub color: bool,
    /// True if text has hints.
    pub hints: bool,
    /// True if line and column numbers are unknown, and not shown.
    pub hides_lines: bool,
    /// The current directory, to which names are made relative.
    pub cwd: Option<PathBuf>,
}

/// State that a part of a report leaves to later parts.
#[derive(Default)]
pub struct Earlier {
    /// Fingerprints of the findings so far.
    pub(super) prints: Fingerprints,
    /// True if the text before the first element was rendered.
    pub(super) is_begun: bool,
    /// Number of findings and unreadable files rendered so far.
    pub(super) entries: usize,
    pub(super) elements: Elements,
}

impl Earlier {
    /// Returns `text` at the first call, later an empty string.
    pub(super) fn opening(&mut self, text: impl FnOnce() -> String) -> String {
        if mem::replace(&mut self.is_begun, true) { String::new() } else { text() }
    }
}

/// The elements of a JSON array that is written piece by piece.
#[derive(Default)]
pub struct Elements {
    are_begun: bool,
}

impl Elements {
    /// Writes an element, after a comma unless it is the first element.
    pub(super) fn push(&mut self, put: &mut Put, element: &impl Serialize) {
        if mem::replace(&mut self.are_begun, true) {
            put(",");
        }
        put(&to_json(element));
    }
}

/// Iterates over the files in the report, with names relative to the current directory.
pub fn outcomes<'a>(
    report: &'a Report,
    context: &'a Context,
) -> impl Iterator<Item = (&'a OsStr, &'a FileResult)> {
    report
        .outcomes
        .iter()
        .map(|(key, outcome)| (report_names::relative(&key.name, context.cwd.as_deref()), outcome))
}

/// Returns the message, and the hint on a separate line.
pub fn message_and_hint(finding: &Finding) -> String {
    let hint = finding.hint.as_ref().map(|hint| format!("\nhint: {}", one_line(hint)));
    one_line(&finding.message).into_owned() + &hint.unwrap_or_default()
}

/// Returns a note about findings that are not listed, if any.
pub fn omission(findings: &Findings) -> Option<String> {
    let rest = "the rest of the file was not checked";
    match (findings.unlisted(), findings.is_cut_short) {
        (0, false) => None,
        (0, true) => Some(rest.to_string()),
        (n, false) => Some(format!("{n} more not listed")),
        (n, true) => Some(format!("{n} more not listed; {rest}")),
    }
}
