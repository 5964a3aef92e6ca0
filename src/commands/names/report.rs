//! The report of a run: a line of text or JSON for each change, and the refused names.

use std::path::PathBuf;

use serde::Serialize;

use super::collide::Refusal;
use super::job::{Job, Step};
use super::rename::Direction;
use crate::ui::dialect::Dialect;
use crate::ui::json::{Path, to_json};
use crate::ui::options::ReportFormat;
use crate::ui::quote::{counted, quoted};

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Line<'a> {
    Name {
        path: Path<'a>,
        new: Path<'a>,
        /// Encoding of the old name; null if the step comes from a manifest, which has no encodings.
        encoding: Option<&'a str>,
        renamed: bool,
    },
    Link {
        path: Path<'a>,
        target: Path<'a>,
        new: Path<'a>,
        encoding: Option<&'a str>,
        renamed: bool,
    },
    Refused {
        path: Path<'a>,
        reason: &'a str,
    },
    /// The last line of the report.
    Summary {
        /// Number of names that were changed, or changed back.
        renamed: u64,
        refused: usize,
        status: i32,
    },
}

/// Returns the line for a step. `renamed` says whether the step was done or is only planned.
pub fn line(job: &Job, step: &Step, format: ReportFormat, direction: Direction, renamed: bool) -> String {
    let ([from, to], is_link) = (direction.turned(step), !step.is_rename());
    let path = job.path_of(step);
    let path = if is_link { path } else { path.with_file_name(from) };
    if format == ReportFormat::Json {
        let (path, target, new) = (Path(path.as_os_str()), Path(from), Path(to));
        let encoding = Some(step.encoding).filter(|name| !name.is_empty());
        return if is_link {
            to_json(&Line::Link { path, target, new, encoding, renamed })
        } else {
            to_json(&Line::Name { path, new, encoding, renamed })
        } + "\n";
    }
    let path = quoted(path);
    if is_link {
        format!("{path}: target {} -> {}\n", quoted(from), quoted(to))
    } else {
        format!("{path} -> {}\n", quoted(to))
    }
}

/// Maximum number of refused names that get a message each. JSON reports all refused names.
const MOST_MESSAGES: usize = 100;

/// Reports refused names: returns their lines of JSON, or prints messages.
pub fn refusals(refusals: &[(PathBuf, Refusal)], format: ReportFormat) -> String {
    let mut lines = String::new();
    for (number, (directory, Refusal { name, reason, .. })) in refusals.iter().enumerate() {
        // An empty name means the directory itself.
        let path = if name.is_empty() { directory.clone() } else { directory.join(name) };
        match format {
            ReportFormat::Json => {
                let path = Path(path.as_os_str());
                lines += &(to_json(&Line::Refused { path, reason }) + "\n");
            }
            ReportFormat::Text if number == MOST_MESSAGES => {
                let rest = (refusals.len() - number) as u64;
                let more = counted(rest, "more message");
                Dialect::Utfconv.report(&format!("{more} not shown; --format=json has all"));
            }
            ReportFormat::Text if number > MOST_MESSAGES => {}
            ReportFormat::Text => Dialect::Utfconv.report(&format!("{}: {reason}", quoted(path))),
        }
    }
    lines
}
