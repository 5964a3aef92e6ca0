//! Sample reports for the tests of the formats.

use std::ffi::OsString;

use utfconv_core::Position;

use super::Put;
use crate::commands::check::report::{FileResult, Finding, Findings, Report};
use crate::commands::check::rules::Rule;
use crate::files::walk::Key;

/// Returns the text that `render` makes.
pub fn text(render: impl FnOnce(&mut Put)) -> String {
    let mut text = String::new();
    render(&mut |piece| text += piece);
    text
}

/// Returns a finding about the bytes C0 AF after the text `before`.
pub fn finding(before: &str, rule: Rule, message: &str) -> Finding {
    let position = Position::default().past(before.as_bytes(), before.len() as u64);
    let kind = if rule == Rule::IllFormed { "non-shortest form" } else { "" };
    Finding { kind, ..Finding::new(rule, position, b"\xC0\xAF", message.to_string()) }
}

pub fn findings(listed: Vec<Finding>) -> FileResult {
    FileResult::Findings(listing(listed))
}

fn listing(listed: Vec<Finding>) -> Findings {
    let mut findings = Findings::with_room(u64::MAX);
    listed.into_iter().for_each(|finding| findings.push(finding.rule, || finding));
    findings
}

/// Returns a report of `outcomes` and of two more files without findings.
pub fn report(outcomes: impl IntoIterator<Item = (OsString, FileResult)>) -> Report {
    let mut report = Report::new(u64::MAX);
    report.totals.files = 2;
    for (name, outcome) in outcomes {
        report.add(|| Key { argument: 0, name }, outcome.into(), true);
    }
    report
}

/// Returns a report with an outcome of each kind.
pub fn every_outcome() -> Report {
    let mut hinted = finding("é\n", Rule::WrongEncoding, "windows-1252");
    hinted.hint = Some("run \"fix\"".to_string());
    let listed = vec![finding("", Rule::IllFormed, "first"), hinted];
    let mut cut = Findings { is_cut_short: true, room: 0, ..listing(listed) };
    (0..3).for_each(|_| cut.push(Rule::IllFormed, || unreachable!("there is no room")));
    report([
        ("./a".into(), FileResult::Findings(cut)),
        ("/w/b".into(), FileResult::Unreadable("No such file or directory".to_string())),
        ("c".into(), FileResult::Binary),
        ("-".into(), findings(vec![finding("x", Rule::Bidi, "U+202E")])),
    ])
}

/// Returns a report with names and messages that every format must escape.
#[cfg(unix)]
pub fn hostile() -> Report {
    use std::os::unix::ffi::OsStringExt;
    let message = "\x1B[31m\r\n::error::x ##[error]x <b>&]]> {0} [a](b)";
    let names =
        [b"x\x1B[31m\xFF\n::error::x".as_slice(), b"..%2f", b"a:b,c%d", "\u{202E}".as_bytes(), b"::error::x"];
    let files = names
        .map(|name| (OsString::from_vec(name.to_vec()), findings(vec![finding("", Rule::IllFormed, "m")])));
    let worst = vec![finding("\nab", Rule::IllFormed, message), finding("\nab", Rule::IllFormed, "second")];
    report(files.into_iter().chain([("a\"b<c>&d".into(), findings(worst))]))
}
