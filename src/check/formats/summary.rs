//! The last line of a report, for people.

use crate::check::report::{Outcome, Report};

/// Sums up a report in one line.
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
