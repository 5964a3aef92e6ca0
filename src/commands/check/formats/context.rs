//! What the formats share: settings of the output, and the words for a file and a finding.

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
    /// Text is colored.
    pub color: bool,
    /// Text has hints.
    pub hints: bool,
    /// Lines and columns are unknown.
    pub hides_lines: bool,
    /// The current directory, to which names are made relative.
    pub cwd: Option<PathBuf>,
}

/// What the parts of a report before left to those after them.
#[derive(Default)]
pub struct Earlier {
    /// The fingerprints so far.
    pub(super) prints: Fingerprints,
    /// Whether anything was rendered.
    pub(super) is_begun: bool,
    /// How many findings and files that cannot be read were rendered.
    pub(super) entries: usize,
    pub(super) elements: Elements,
}

impl Earlier {
    /// Returns the text before the first element, at the first call.
    pub(super) fn opening(&mut self, text: impl FnOnce() -> String) -> String {
        if mem::replace(&mut self.is_begun, true) { String::new() } else { text() }
    }
}

/// The elements of a JSON array that is written bit by bit.
#[derive(Default)]
pub struct Elements {
    are_begun: bool,
}

impl Elements {
    /// Writes one more.
    pub(super) fn push(&mut self, put: &mut Put, element: &impl Serialize) {
        if mem::replace(&mut self.are_begun, true) {
            put(",");
        }
        put(&to_json(element));
    }
}

/// Iterates over the files in the report, with their names for tools.
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

/// Reports what is missing from the list of a file's findings.
pub fn omission(findings: &Findings) -> Option<String> {
    let rest = "the rest of the file was not checked";
    match (findings.unlisted(), findings.is_cut_short) {
        (0, false) => None,
        (0, true) => Some(rest.to_string()),
        (n, false) => Some(format!("{n} more not listed")),
        (n, true) => Some(format!("{n} more not listed; {rest}")),
    }
}
