//! The forms that a report is written in: one for people, and those that CI services read.
//!
//! All of them are written at the end, out of the report alone. Whatever stands in a name or a message is inert in each.

mod fingerprint;
mod github;
mod gitlab;
mod json;
mod junit;
mod path;
/// One line that sums up, for people.
pub fn summary(report: &Report) -> String {
    let totals = &report.totals;
    let counted = |count: u64, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let cut_short = |outcome: &&Outcome| matches!(outcome, Outcome::Findings(one) if one.is_cut_short);
    let cut_short = report.outcomes.values().filter(cut_short).count() as u64;
    let mut text = match totals.found() {
        0 => format!("no error in {}", counted(totals.files, "file")),
        found => {
            let (files, least) =
                (counted(totals.files, "file"), if cut_short > 0 { "at least " } else { "" });
            format!("{least}{} in {} of {files}", counted(found, "error"), totals.files_with_errors)
        }
    };
    if totals.binary > 0 {
        text += &format!("; {} skipped", counted(totals.binary, "binary file"));
    }
    if totals.unreadable > 0 {
        text += &format!("; {} could not be read", totals.unreadable);
    }
    if cut_short > 0 {
        text += &format!("; {} not read past the limit (--max-errors, --count)", counted(cut_short, "file"));
    }
    if report.listed < totals.found() {
        text += &format!("; only {} listed (--max-errors, --max-total)", report.listed);
    }
    text
}

#[cfg(test)]
mod samples;
mod sarif;
mod text;

use std::ffi::OsStr;
use std::path::PathBuf;

use crate::ui::quote::one_line;

use super::report::{Finding, Findings, Outcome, Report};

/// The form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Text,
    Json,
    Github,
    Gitlab,
    Sarif,
    Junit,
}

/// What a form tells beside the report.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// The exit status that the run will have.
    pub status: i32,
    /// For the form for people.
    pub color: bool,
    /// The same: hints are told.
    pub hints: bool,
    /// Lines and columns are not known.
    pub hides_lines: bool,
    /// Where names are relative to, if that is known.
    pub cwd: Option<PathBuf>,
}

impl Format {
    pub const TABLE: &[(&str, &str, Format)] = &[
        ("text", "For people, and for what reads the messages of compilers", Format::Text),
        ("json", "An object a line, a summary last", Format::Json),
        ("github", "Annotations of GitHub Actions", Format::Github),
        ("gitlab", "Code Quality of GitLab", Format::Gitlab),
        ("sarif", "SARIF 2.1.0, as code scanning takes it", Format::Sarif),
        ("junit", "JUnit XML, a test case a file", Format::Junit),
    ];

    /// Whether what reads it would go wrong without lines.
    pub fn needs_lines(self) -> bool {
        !matches!(self, Format::Text | Format::Json)
    }

    pub fn render(self, report: &Report, context: &Context) -> String {
        match self {
            Format::Text => text::render(report, context),
            Format::Json => json::render(report, context),
            Format::Github => github::render(report, context),
            Format::Gitlab => gitlab::render(report, context),
            Format::Sarif => sarif::render(report, context),
            Format::Junit => junit::render(report, context),
        }
    }
}

/// What there is to say about each file, by its name for machines.
fn outcomes<'a>(report: &'a Report, context: &'a Context) -> impl Iterator<Item = (&'a OsStr, &'a Outcome)> {
    report.outcomes.iter().map(|(key, outcome)| (path::relative(&key.name, context.cwd.as_deref()), outcome))
}

/// The message, and the hint on a line of its own.
fn told(finding: &Finding) -> String {
    let hint = finding.hint.as_ref().map(|hint| format!("\nhint: {}", one_line(hint)));
    one_line(&finding.message).into_owned() + &hint.unwrap_or_default()
}

/// What is missing from the list of a file's findings.
fn omission(findings: &Findings) -> Option<String> {
    let rest = "the rest of the file was not looked at";
    match (findings.unlisted, findings.is_cut_short) {
        (0, false) => None,
        (0, true) => Some(rest.to_string()),
        (n, false) => Some(format!("{n} more not listed")),
        (n, true) => Some(format!("{n} more not listed; {rest}")),
    }
}
