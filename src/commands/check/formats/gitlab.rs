//! GitLab Code Quality report, a JSON array of issues.
//!
//! <https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format>

use serde_json::json;

use super::context::{Context, Earlier, Put, message_and_hint, outcomes};
use super::{Format, Reader, Row};
use crate::commands::check::report::{FileResult, Report};
use crate::commands::check::rules::{Rule, Severity};
use crate::files::report_names;
use crate::ui::quote::one_line;

pub const FORMAT: Row = (
    "gitlab",
    "Code Quality report for GitLab",
    Format { reader: Reader::Service, render, render_part: render_issues },
);

fn render(report: &Report, context: &Context, earlier: &mut Earlier, put: &mut Put) {
    render_issues(report, context, earlier, put);
    put("]\n");
}

/// Renders the issues of a part of the report; other parts may have more issues.
fn render_issues(report: &Report, context: &Context, earlier: &mut Earlier, put: &mut Put) {
    put(&earlier.opening(|| "[".into()));
    for (name, outcome) in outcomes(report, context) {
        let mut push = |line: u64, check: &str, severity, description: String, fingerprint| {
            let issue = json!({
                "description": description,
                "check_name": check,
                "fingerprint": fingerprint,
                "severity": severity,
                "location": { "path": report_names::text(name), "lines": { "begin": line } },
            });
            earlier.elements.push(put, &issue);
        };
        match outcome {
            FileResult::Findings(findings) => {
                for finding in findings.packed.iter() {
                    let (rule, print) = (finding.rule, earlier.prints.finding(name, &finding));
                    let line = finding.position.line();
                    push(line, rule.id(), severity(rule), message_and_hint(&finding), print);
                }
            }
            FileResult::Unreadable(reason) => {
                let print = earlier.prints.unreadable(name);
                push(1, "unreadable", "critical", one_line(reason).into_owned(), print);
            }
            FileResult::Binary => {}
        }
    }
}

fn severity(rule: Rule) -> &'static str {
    match rule.definition().severity {
        Severity::Major => "major",
        Severity::Minor => "minor",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::check::formats::samples;
    use serde_json::Value;

    fn render(report: &Report) -> (String, Vec<Value>) {
        let context = Context { cwd: Some("/w".into()), ..Context::default() };
        let text = samples::text(|put| super::render(report, &context, &mut Earlier::default(), put));
        let issues = serde_json::from_str(&text).unwrap();
        (text, issues)
    }

    #[test]
    fn an_issue_for_each_finding_and_unreadable_file() {
        assert_eq!(render(&Report::new(u64::MAX)).0, "[]\n");
        let (_, mut issues) = render(&samples::every_outcome());
        let mut prints: Vec<_> = issues
            .iter_mut()
            .map(|issue| issue.as_object_mut().unwrap().remove("fingerprint").unwrap().to_string())
            .collect();
        prints.sort_unstable();
        prints.dedup();
        assert_eq!(prints.len(), issues.len());
        let issue = |path: &str, begin: u64, name: &str, severity: &str, description: &str| {
            json!({
                "description": description,
                "check_name": name,
                "severity": severity,
                "location": { "path": path, "lines": { "begin": begin } },
            })
        };
        assert_eq!(
            issues,
            [
                issue("-", 1, "bidi", "major", "U+202E"),
                issue("a", 1, "ill-formed", "major", "first"),
                issue("a", 2, "wrong-encoding", "major", "windows-1252\nhint: run \"fix\""),
                issue("b", 1, "unreadable", "critical", "No such file or directory"),
            ]
        );
    }

    #[cfg(unix)]
    #[test]
    fn names_survive_and_are_inert() {
        let (text, issues) = render(&samples::hostile());
        assert!(text.trim_end().chars().all(utfconv_core::is_printable));
        let paths: Vec<_> = issues.iter().map(|issue| issue["location"]["path"].as_str().unwrap()).collect();
        assert_eq!(
            paths,
            [
                "..%2f",
                "::error::x",
                "a\"b<c>&d",
                "a\"b<c>&d",
                "a:b,c%d",
                "x\x1B[31m%FF\n::error::x",
                "\u{202E}"
            ]
        );
    }
}
