//! JSON, one object per line.

use std::collections::BTreeMap;

use serde::Serialize;

use super::context::{Context, Earlier, Put, outcomes};
use super::{Format, Reader, Row};
use crate::commands::check::report::{FileResult, Report, Totals, Verdict};
use crate::files::report_names;
use crate::text::stats;
use crate::ui::json::{Path, to_json};

pub const FORMAT: Row = (
    "json",
    "One JSON object per line, with a summary at the end",
    Format { reader: Reader::Programs, render, render_part: render_files },
);

fn render(report: &Report, context: &Context, earlier: &mut Earlier, put: &mut Put) {
    render_files(report, context, earlier, put);
    let mut put = |line: Line| put(&(to_json(&line) + "\n"));
    for key in report.fixed.iter().flatten() {
        let name = report_names::relative(&key.name, context.cwd.as_deref());
        put(Line::Fixed { path: Path(name) });
    }
    if let Some(stats) = &report.stats {
        put(Line::Stats(stats.line(|name| report_names::relative(name, context.cwd.as_deref()))));
    }
    let totals = &report.totals;
    put(Line::Summary {
        totals,
        errors: totals.found(),
        listed: report.listed,
        fixed: report.fixed.as_ref().map(Vec::len),
        by_rule: totals.findings.iter().map(|(rule, n)| (rule.id(), *n)).collect(),
        status: context.status,
    });
}

/// Renders the lines of the files.
fn render_files(report: &Report, context: &Context, _: &mut Earlier, put: &mut Put) {
    let mut put = |line: Line| put(&(to_json(&line) + "\n"));
    for (name, outcome) in outcomes(report, context) {
        let path = Path(name);
        match outcome {
            FileResult::Findings(findings) => {
                if let Some(verdict) = &findings.verdict {
                    put(Line::Encoding { path, verdict });
                }
                for finding in findings.packed.iter() {
                    put(Line::Error {
                        path,
                        line: (!context.hides_lines).then(|| finding.position.line()),
                        column: (!context.hides_lines).then(|| finding.position.column()),
                        offset: finding.position.offset(),
                        length: finding.len,
                        bytes: finding.bytes.to_string(),
                        rule: finding.rule.id(),
                        kind: finding.kind,
                        message: &finding.message,
                        hint: finding.hint.as_deref(),
                    });
                }
                if findings.unlisted() > 0 || findings.is_cut_short {
                    put(Line::File {
                        path,
                        listed: findings.shown(),
                        unlisted: findings.unlisted(),
                        cut_short: findings.is_cut_short,
                    });
                }
            }
            FileResult::Unreadable(reason) => put(Line::Unreadable { path, reason }),
            FileResult::Binary => put(Line::Binary { path }),
        }
    }
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line<'a> {
    Error {
        path: Path<'a>,
        /// Null if line and column numbers are unknown.
        line: Option<u64>,
        column: Option<u64>,
        offset: u64,
        length: u64,
        bytes: String,
        rule: &'static str,
        #[serde(skip_serializing_if = "str::is_empty")]
        kind: &'static str,
        message: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        hint: Option<&'a str>,
    },
    /// A file that is plainly in another encoding.
    Encoding {
        path: Path<'a>,
        #[serde(flatten)]
        verdict: &'a Verdict,
    },
    /// A file whose findings are not all listed.
    File {
        path: Path<'a>,
        listed: u64,
        unlisted: u64,
        cut_short: bool,
    },
    Unreadable {
        path: Path<'a>,
        reason: &'a str,
    },
    Binary {
        path: Path<'a>,
    },
    /// A file that was repaired.
    Fixed {
        path: Path<'a>,
    },
    Stats(stats::Line<'a>),
    Summary {
        #[serde(flatten)]
        totals: &'a Totals,
        errors: u64,
        listed: u64,
        /// Number of files that were repaired; `None` without `--fix`.
        #[serde(skip_serializing_if = "Option::is_none")]
        fixed: Option<usize>,
        by_rule: BTreeMap<&'static str, u64>,
        status: i32,
    },
}

#[cfg(test)]
mod tests {
    use super::render;
    use crate::commands::check::formats::{Context, Earlier, samples};

    #[test]
    fn an_object_for_each_outcome() {
        let context = Context { status: 2, cwd: Some("/w".into()), ..Context::default() };
        let json =
            samples::text(|put| render(&samples::every_outcome(), &context, &mut Earlier::default(), put));
        assert_eq!(
            json,
            r#"{"type":"error","path":{"text":"-"},"line":1,"column":2,"offset":1,"length":2,"bytes":"C0 AF","rule":"bidi","message":"U+202E"}
{"type":"error","path":{"text":"a"},"line":1,"column":1,"offset":0,"length":2,"bytes":"C0 AF","rule":"ill-formed","kind":"non-shortest form","message":"first"}
{"type":"error","path":{"text":"a"},"line":2,"column":1,"offset":3,"length":2,"bytes":"C0 AF","rule":"wrong-encoding","message":"windows-1252","hint":"run \"fix\""}
{"type":"file","path":{"text":"a"},"listed":2,"unlisted":3,"cut_short":true}
{"type":"unreadable","path":{"text":"b"},"reason":"No such file or directory"}
{"type":"binary","path":{"text":"c"}}
{"type":"summary","files":4,"bytes":0,"files_with_errors":2,"binary":1,"unreadable":1,"errors":6,"listed":3,"by_rule":{"bidi":1,"ill-formed":4,"wrong-encoding":1},"status":2}
"#
        );
    }

    #[cfg(unix)]
    #[test]
    fn names_and_messages_survive_and_are_inert() {
        let report = samples::hostile();
        let json = samples::text(|put| render(&report, &Context::default(), &mut Earlier::default(), put));
        assert!(json.chars().all(|scalar| scalar == '\n' || utfconv_core::is_printable(scalar)));
        assert!(!json.contains("##["));
        let lines: Vec<serde_json::Value> =
            json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let paths: Vec<_> = lines.iter().map(|line| line["path"].to_string()).collect();
        assert_eq!(
            paths,
            [
                r#"{"text":"..%2f"}"#,
                r#"{"text":"::error::x"}"#,
                r#"{"text":"a\"b<c>&d"}"#,
                r#"{"text":"a\"b<c>&d"}"#,
                r#"{"text":"a:b,c%d"}"#,
                r#"{"bytes":"eBtbMzFt/wo6OmVycm9yOjp4"}"#,
                "{\"text\":\"\u{202E}\"}",
                "null"
            ]
        );
        assert_eq!(lines[2]["message"], "\x1B[31m\r\n::error::x ##[error]x <b>&]]> {0} [a](b)");
    }
}
