//! JUnit XML: one test case per file.
//!
//! XML 1.0 has no way to write most controls, not even an escape: they are spelled out, as for people.

use std::fmt::Write;

use super::context::{Context, message_and_hint, omission, outcomes};
use crate::check::report::{Findings, Outcome, Report};
use crate::ui::quote::{counted, inert, one_line, quoted};

pub fn render(report: &Report, context: &Context) -> String {
    let (mut cases, mut failures, mut errors, mut skipped) = (String::new(), 0, 0, 0);
    for (name, outcome) in outcomes(report, context) {
        let content = match outcome {
            Outcome::Findings(findings) => {
                failures += 1;
                failure(findings)
            }
            Outcome::Unreadable(reason) => {
                errors += 1;
                format!("<error message=\"{}\" type=\"unreadable\"/>", xml(&one_line(reason)))
            }
            Outcome::Binary => {
                skipped += 1;
                "<skipped message=\"binary\"/>".to_string()
            }
        };
        cases += &case(&quoted(name), &content);
    }
    let mut tests = failures + errors + skipped;
    let totals = &report.totals;
    let others = totals.files - totals.files_with_errors;
    if others > 0 {
        tests += 1;
        cases += &case(&counted(others, "other file"), "");
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites>\n\
         <testsuite name=\"utfconv check\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" \
         skipped=\"{skipped}\">\n\
         {cases}</testsuite>\n\
         </testsuites>\n"
    )
}

fn case(name: &str, content: &str) -> String {
    format!("<testcase classname=\"utfconv check\" name=\"{}\">{content}</testcase>\n", xml(name))
}

/// All findings of a file are one failure, with the message of the first.
fn failure(findings: &Findings) -> String {
    let (rule, message) = match findings.listed.first() {
        Some(first) => (first.rule.id(), one_line(&first.message).into_owned()),
        None => ("unlisted", omission(findings).unwrap_or_default()),
    };
    let mut lines = String::new();
    for finding in &findings.listed {
        let position = finding.position;
        let (line, column, id) = (position.line(), position.column(), finding.rule.id());
        writeln!(lines, "{line}:{column}: {id}: {}", message_and_hint(finding)).expect("memory takes it");
    }
    lines.extend(omission(findings).map(|omission| omission + "\n"));
    format!("<failure message=\"{}\" type=\"{rule}\">{}</failure>", xml(&message), xml(&lines))
}

/// `text` as it is written in an element or an attribute; line feeds are for elements only.
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
    use crate::check::formats::samples;

    #[test]
    fn a_case_for_each_file() {
        let context = Context { cwd: Some("/w".into()), ..Context::default() };
        assert_eq!(
            render(&samples::every_outcome(), &context),
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
        let xml = render(&samples::hostile(), &Context::default());
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
