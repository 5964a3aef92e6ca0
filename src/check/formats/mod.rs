//! The formats of a report: one for people, and those that CI services read.
//!
//! Each is written at the end, from the report alone, and has a separate file here. To add one, write its file, and
//! declare it in the two lists below. All escape names and messages, so that no text in them can act.

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

/// Makes the type [`Format`] from the list of formats.
macro_rules! formats {
    ($($format:ident: $module:ident,)*) => {
        /// The format of a report.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Format {
            $($format,)*
        }

        impl Format {
            /// The values of the option.
            pub const TABLE: &[(&str, &str, Format)] =
                &[$(($module::FORMAT.name, $module::FORMAT.help, Format::$format),)*];

            fn definition(self) -> &'static Definition {
                match self {
                    $(Format::$format => &$module::FORMAT,)*
                }
            }
        }
    };
}

formats! {
    Text: text,
    Json: json,
    Github: github,
    Gitlab: gitlab,
    Sarif: sarif,
    Junit: junit,
}

/// What is known about a format.
pub struct Definition {
    /// Its name on the command line.
    name: &'static str,
    help: &'static str,
    /// Whether programs that read it need lines.
    needs_lines: bool,
    /// Whether it includes the statistics.
    has_stats: bool,
    render: fn(&Report, &Context) -> String,
}

impl Format {
    pub fn needs_lines(self) -> bool {
        self.definition().needs_lines
    }

    pub fn has_stats(self) -> bool {
        self.definition().has_stats
    }

    pub fn render(self, report: &Report, context: &Context) -> String {
        (self.definition().render)(report, context)
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
    match (findings.unlisted, findings.is_cut_short) {
        (0, false) => None,
        (0, true) => Some(rest.to_string()),
        (n, false) => Some(format!("{n} more not listed")),
        (n, true) => Some(format!("{n} more not listed; {rest}")),
    }
}
