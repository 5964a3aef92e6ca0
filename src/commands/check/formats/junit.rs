//! JUnit XML: one test case per file.
//!
//! XML 1.0 cannot contain most control characters, not even escaped, so they are spelled out as in the text format.

use super::context::{Context, Earlier, Put, message_and_hint, omission, outcomes};
use super::{Format, Reader, Row};
use crate::commands::check::report::{FileResult, Findings, Report};
use crate::ui::quote::{counted, inert, one_line, quoted};

pub const FORMAT: Row = (
    "junit",
    "JUnit XML, one test case per file",
    Format { reader: Reader::Service, render, render_part: render_lines },
);

/// The number of test cases of each result.
#[derive(Default)]
struct Counts {
    passed: u64,
    failures: u64,
    errors: u64,
    skipped: u64,
}

/// Renders findings of the only file before its end. The first call opens the only test case and its failure.
fn render_lines(report: &Report, context: &Context, earlier: &mut Earlier, put: &mut Put) {
    for (name, outcome) in outcomes(report, context) {
        let FileResult::Findings(findings) = outcome else { continue };
        let counts = Counts { failures: 1, ..Counts::default() };
        put(&earlier.opening(|| opening(&counts) + &case_opening(&quoted(name)) + &failure_opening(findings)));
        lines(findings, put);
    }
}

fn render(report: &Report, context: &Context, earlier: &mut Earlier, put: &mut Put) {
    if earlier.is_begun { rest(report, context, put) } else { whole(report, context, put) }
}

/// Renders the end of the failure that `render_lines` opened. A read error becomes the last line of the failure.
fn rest(report: &Report, context: &Context, put: &mut Put) {
    for (_, outcome) in outcomes(report, context) {
        match outcome {
            FileResult::Findings(findings) => last_lines(findings, put),
            FileResult::Unreadable(reason) => put(&(xml(&one_line(reason)) + "\n")),
            FileResult::Binary => {}
        }
    }
    [FAILURE_END, CASE_END, END].into_iter().for_each(put);
}

fn whole(report: &Report, context: &Context, put: &mut Put) {
    let totals = &report.totals;
    let others = totals.files - totals.files_with_errors;
    let mut counts = Counts { passed: u64::from(others > 0), ..Counts::default() };
    for outcome in report.outcomes.values() {
        *match outcome {
            FileResult::Findings(_) => &mut counts.failures,
            FileResult::Unreadable(_) => &mut counts.errors,
            FileResult::Binary => &mut counts.skipped,
        } += 1;
    }
    put(&opening(&counts));
    for (name, outcome) in outcomes(report, context) {
        put(&case_opening(&quoted(name)));
        match outcome {
            FileResult::Findings(findings) => {
                put(&failure_opening(findings));
                last_lines(findings, put);
                put(FAILURE_END);
            }
            FileResult::Unreadable(reason) => {
                put(&format!("<error message=\"{}\" type=\"unreadable\"/>", xml(&one_line(reason))));
            }
            FileResult::Binary => put("<skipped message=\"binary\"/>"),
        }
        put(CASE_END);
    }
    if others > 0 {
        put(&(case_opening(&counted(others, "other file")) + CASE_END));
    }
    put(END);
}

/// Text after the last test case.
const END: &str = "</testsuite>\n</testsuites>\n";
const FAILURE_END: &str = "</failure>";
const CASE_END: &str = "</testcase>\n";

/// Returns the text before the first test case.
fn opening(counts: &Counts) -> String {
    let Counts { passed, failures, errors, skipped } = counts;
    let tests = passed + failures + errors + skipped;
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites>\n\
         <testsuite name=\"utfconv check\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" \
         skipped=\"{skipped}\">\n"
    )
}

fn case_opening(name: &str) -> String {
    format!("<testcase classname=\"utfconv check\" name=\"{}\">", xml(name))
}

/// Returns the start of a file's only failure, which has the message of the first finding.
fn failure_opening(findings: &Findings) -> String {
    let (rule, message) = match findings.packed.iter().next() {
        Some(first) => (first.rule.id(), one_line(&first.message).into_owned()),
        None => ("unlisted", omission(findings).unwrap_or_default()),
    };
    format!("<failure message=\"{}\" type=\"{rule}\">", xml(&message))
}

/// Renders the last findings of a file, and a note about findings that are not listed.
fn last_lines(findings: &Findings, put: &mut Put) {
    lines(findings, put);
    omission(findings).into_iter().for_each(|omission| put(&xml(&(omission + "\n"))));
}

fn lines(findings: &Findings, put: &mut Put) {
    for finding in findings.packed.iter() {
        let position = finding.position;
        let (line, column, id) = (position.line(), position.column(), finding.rule.id());
        put(&xml(&format!("{line}:{column}: {id}: {}\n", message_and_hint(&finding))));
    }
}

/// Escapes text for an element or an attribute; only an element may contain line feeds.
fn xml(text: &str) -> String {
    inert(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&apos;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::check::formats::samples;

    #[test]
    fn a_case_for_each_file() {
        let context = Context { cwd: Some("/w".into()), ..Context::default() };
        assert_eq!(
            samples::text(|put| render(&samples::every_outcome(), &context, &mut Earlier::default(), put)),
            r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
<testsuite name="utfconv check" tests="5" failures="2" errors="1" skipped="1">
<testcase classname="utfconv check" name="-"><failure message="U+202E" type="bidi">1:2: bidi: U+202E
</failure></testcase>
<testcase classname="utfconv check" name="a"><failure message="first" type="ill-formed">1:1: ill-formed: first
2:1: wrong-encoding: windows-1252
hint: run &quot;fix&quot;
3 more not listed; the rest of the file was not checked
</failure></testcase>
<testcase classname="utfconv check" name="b"><error message="No such file or directory" type="unreadable"/></testcase>
<testcase classname="utfconv check" name="c"><skipped message="binary"/></testcase>
<testcase classname="utfconv check" name="2 other files"></testcase>
</testsuite>
</testsuites>
"#
        );
    }

    #[cfg(unix)]
    #[test]
    fn names_and_messages_are_inert() {
        let xml = samples::text(|put| {
            render(&samples::hostile(), &Context::default(), &mut Earlier::default(), put)
        });
        assert!(xml.chars().all(|scalar| scalar == '\n' || utfconv_core::is_printable(scalar)));
        let names: Vec<_> = xml
            .lines()
            .filter_map(|line| line.strip_prefix("<testcase classname=\"utfconv check\" name=\""))
            .map(|rest| &rest[..rest.find('"').unwrap()])
            .collect();
        assert_eq!(
            names,
            [
                "..%2f",
                "$&apos;\\x3A:error::x&apos;",
                "a&quot;b&lt;c&gt;&amp;d",
                "a:b,c%d",
                "$&apos;x\\x1B[31m\\xFF\\n::error::x&apos;",
                "$&apos;\\u202E&apos;",
                "2 other files"
            ]
        );
        let message = "\\u{1b}[31m\\r\\n::error::x \\u{23}#[error]x &lt;b&gt;&amp;]]&gt; {0} [a](b)";
        assert!(xml.contains(&format!(
            "<failure message=\"{message}\" type=\"ill-formed\">2:3: ill-formed: {message}\n2:3:"
        )));
    }

    #[test]
    fn what_xml_cannot_hold_is_spelled_out() {
        assert_eq!(xml("\0\u{FFFE}\u{FFFF}\t"), "\\u{0}\\u{fffe}\\u{ffff}\\t");
    }
}
