//! The last line of a report, for people.

use crate::commands::check::report::{FileResult, Report};
use crate::ui::quote::counted;

/// Sums up a report in one line.
pub fn summary(report: &Report) -> String {
    let totals = &report.totals;
    let is_partial = report.listed + report.summarized() < totals.found();
    let is_cut_short =
        |outcome: &&FileResult| matches!(outcome, FileResult::Findings(one) if one.is_cut_short);
    let cut_short = report.outcomes.values().filter(is_cut_short).count() as u64;
    let files = counted(totals.files, "file");
    let mut text = match totals.found() {
        0 => format!("no {}error in {files}", if totals.baseline.is_some() { "new " } else { "" }),
        found => {
            let least = if cut_short > 0 { "at least " } else { "" };
            format!("{least}{} in {} of {files}", counted(found, "error"), totals.files_with_errors)
        }
    };
    if let Some(baseline) = &totals.baseline {
        text += &format!("; {} not reported", counted(baseline.known, "known error"));
    }
    if totals.binary > 0 {
        text += &format!("; {} skipped", counted(totals.binary, "binary file"));
    }
    if totals.unreadable > 0 {
        text += &format!("; {} could not be read", totals.unreadable);
    }
    if is_partial {
        text += &format!("; {} listed", report.listed);
    }
    if cut_short > 0 {
        text += &format!("; {} not read to the end", counted(cut_short, "file"));
    }
    text += match (cut_short > 0, is_partial) {
        (true, false) => "; use --count to count all errors",
        (true, true) => "; use --max-errors=0 to list all errors, or --count to count them",
        (false, true) => "; use --max-errors=0 and --max-total=0 to list all errors",
        (false, false) => "",
    };
    text
}
