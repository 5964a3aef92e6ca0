//! The formats of a report: one for people, and those that CI services read.
//!
//! Each is written at the end, from the report alone, and has a separate file here. To add one, write its file, and
//! add it to the two lists below. All escape names and messages, so that no text in them can act.

mod fingerprint;
mod github;
mod gitlab;
mod json;
mod junit;
mod path;
#[cfg(test)]
mod samples;
mod sarif;
mod summary;
mod text;

use std::ffi::OsStr;
use std::path::PathBuf;

use crate::ui::quote::one_line;

use super::report::{Finding, Findings, Outcome, Report};

pub use summary::summary;

/// The format of a report.
#[derive(Clone, Copy)]
pub struct Format {
    pub reader: Reader,
    pub render: fn(&Report, &Context) -> String,
}

/// Who reads a report.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    People,
    Programs,
    /// A service that needs lines, and has no use for statistics.
    Service,
}

impl Format {
    pub const TEXT: Format = Format { reader: Reader::People, render: text::render };

    /// The values of the option.
    pub const TABLE: &[(&str, &str, Format)] = &[
        ("text", "For people, and tools that read compiler messages", Format::TEXT),
        (
            "json",
            "One JSON object per line, a summary last",
            Format { reader: Reader::Programs, render: json::render },
        ),
        ("github", "Annotations for GitHub Actions", Format::for_service(github::render)),
        ("gitlab", "Code Quality report for GitLab", Format::for_service(gitlab::render)),
        ("sarif", "SARIF 2.1.0, for code scanning", Format::for_service(sarif::render)),
        ("junit", "JUnit XML, one test case per file", Format::for_service(junit::render)),
    ];

    const fn for_service(render: fn(&Report, &Context) -> String) -> Format {
        Format { reader: Reader::Service, render }
    }
}

/// What a format shows besides the report.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// The exit status that the run will have.
    pub status: i32,
    /// Text is coloured.
    pub color: bool,
    /// Text has hints.
    pub hints: bool,
    /// Lines and columns are unknown.
    pub hides_lines: bool,
    /// The current directory, to which names are made relative.
    pub cwd: Option<PathBuf>,
}

/// Iterates over the files in the report, with their names for tools.
fn outcomes<'a>(report: &'a Report, context: &'a Context) -> impl Iterator<Item = (&'a OsStr, &'a Outcome)> {
    report.outcomes.iter().map(|(key, outcome)| (path::relative(&key.name, context.cwd.as_deref()), outcome))
}

/// Returns the message, and the hint on a separate line.
fn message_and_hint(finding: &Finding) -> String {
    let hint = finding.hint.as_ref().map(|hint| format!("\nhint: {}", one_line(hint)));
    one_line(&finding.message).into_owned() + &hint.unwrap_or_default()
}

/// Reports what is missing from the list of a file's findings.
fn omission(findings: &Findings) -> Option<String> {
    let rest = "the rest of the file was not checked";
    match (findings.unlisted(), findings.is_cut_short) {
        (0, false) => None,
        (0, true) => Some(rest.to_string()),
        (n, false) => Some(format!("{n} more not listed")),
        (n, true) => Some(format!("{n} more not listed; {rest}")),
    }
}
