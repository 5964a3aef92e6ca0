//! SARIF 2.1.0, for code scanning.
//!
//! Spec: <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>

use std::ffi::OsStr;

use serde_json::{Value, json};

use super::context::{Context, Earlier, Put, message_and_hint, omission, outcomes};
use super::{Format, Reader, Row};
use crate::commands::check::report::{FileResult, Finding, Report};
use crate::commands::check::rules::Rule;
use crate::files::report_names;
use crate::ui::json::to_json;
use crate::ui::quote::one_line;

pub const FORMAT: Row = (
    "sarif",
    "SARIF 2.1.0, for code scanning",
    Format { reader: Reader::Service, render, render_part: render_results },
);

fn render(report: &Report, context: &Context, earlier: &mut Earlier, put: &mut Put) {
    let notifications: Vec<_> = outcomes(report, context)
        .filter_map(|(name, outcome)| match outcome {
            FileResult::Findings(findings) => Some(notification("note", name, &omission(findings)?)),
            FileResult::Unreadable(reason) => Some(notification("error", name, &one_line(reason))),
            FileResult::Binary => None,
        })
        .collect();
    let invocations = json!([{
        // A run with findings is a success of the tool.
        "executionSuccessful": context.status < 2,
        "exitCode": context.status,
        "toolExecutionNotifications": notifications,
    }]);
    render_results(report, context, earlier, put);
    put(&("],\"invocations\":".to_string() + &to_json(&invocations) + "}]}\n"));
}

/// Renders the results of a part of the report; other parts may have more results.
fn render_results(report: &Report, context: &Context, earlier: &mut Earlier, put: &mut Put) {
    put(&earlier.opening(opening));
    for (name, outcome) in outcomes(report, context) {
        let FileResult::Findings(findings) = outcome else { continue };
        for finding in findings.packed.iter() {
            let result = json!({
                "ruleId": finding.rule.id(),
                "ruleIndex": Rule::ALL.iter().position(|rule| *rule == finding.rule),
                "level": "error",
                "message": message(&message_and_hint(&finding)),
                "locations": locations(name, Some(region(&finding))),
                "partialFingerprints": { "utfconv/v1": earlier.prints.finding(name, &finding) },
            });
            earlier.elements.push(put, &result);
        }
    }
}

/// Returns the text before the first result.
fn opening() -> String {
    let schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
    let tool = json!({ "driver": {
        "name": "utfconv",
        "version": env!("CARGO_PKG_VERSION"),
        "rules": Rule::ALL.iter().map(|rule| definition(*rule)).collect::<Vec<_>>(),
    } });
    format!(
        "{{\"$schema\":\"{schema}\",\"version\":\"2.1.0\",\"runs\":[{{\"tool\":{},\
         \"columnKind\":\"unicodeCodePoints\",\"results\":[",
        to_json(&tool)
    )
}

fn definition(rule: Rule) -> Value {
    json!({
        "id": rule.id(),
        "shortDescription": message(rule.definition().title),
        "help": { "text": rule.definition().explanation },
    })
}

fn notification(level: &str, name: &OsStr, text: &str) -> Value {
    json!({ "level": level, "message": message(text), "locations": locations(name, None) })
}

fn locations(name: &OsStr, region: Option<Value>) -> Value {
    let mut position = json!({ "artifactLocation": { "uri": report_names::uri(name) } });
    if let Some(region) = region {
        position["region"] = region;
    }
    json!([{ "physicalLocation": position }])
}

fn region(finding: &Finding) -> Value {
    let position = finding.position;
    let mut region = json!({
        "startLine": position.line(),
        "startColumn": position.column(),
        "byteOffset": position.offset(),
        "byteLength": finding.len,
    });
    // Without an end column, a region extends to the end of its line.
    if let Some(columns) = finding.columns {
        region["endColumn"] = (position.column() + columns).into();
    }
    region
}

/// Returns a message of plain text. Braces are escaped so that they are no placeholders, and `](` is split so that it
/// is no link.
fn message(text: &str) -> Value {
    json!({ "text": text.replace('{', "{{").replace('}', "}}").replace("](", "] (") })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::check::formats::samples;

    /// Returns the output, and its only run.
    fn render(report: &Report) -> (String, Value) {
        let context = Context { status: 2, cwd: Some("/w".into()), ..Context::default() };
        let text = samples::text(|put| super::render(report, &context, &mut Earlier::default(), put));
        let mut log: Value = serde_json::from_str(&text).unwrap();
        (text, log["runs"][0].take())
    }

    #[test]
    fn a_result_for_each_finding() {
        let (_, run) = render(&samples::every_outcome());
        let driver = &run["tool"]["driver"];
        assert_eq!(driver["version"], env!("CARGO_PKG_VERSION"));
        assert_eq!(driver["rules"].as_array().unwrap().len(), Rule::ALL.len());
        let results = run["results"].as_array().unwrap();
        for result in results {
            let index = result["ruleIndex"].as_u64().unwrap() as usize;
            assert_eq!(driver["rules"][index]["id"], result["ruleId"]);
        }
        let places: Vec<_> = results.iter().map(|r| &r["locations"][0]["physicalLocation"]).collect();
        let position =
            |uri: &str, region: Value| json!({ "artifactLocation": { "uri": uri }, "region": region });
        assert_eq!(
            places,
            [
                &position(
                    "-",
                    json!({ "startLine": 1, "startColumn": 2, "endColumn": 4, "byteOffset": 1, "byteLength": 2 })
                ),
                &position(
                    "a",
                    json!({ "startLine": 1, "startColumn": 1, "endColumn": 3, "byteOffset": 0, "byteLength": 2 })
                ),
                &position(
                    "a",
                    json!({ "startLine": 2, "startColumn": 1, "endColumn": 3, "byteOffset": 3, "byteLength": 2 })
                ),
            ]
        );
        let at = |uri: &str| json!([{ "physicalLocation": { "artifactLocation": { "uri": uri } } }]);
        assert_eq!(
            run["invocations"],
            json!([{
                "executionSuccessful": false,
                "exitCode": 2,
                "toolExecutionNotifications": [
                    {
                        "level": "note",
                        "message": { "text": "3 more not listed; the rest of the file was not checked" },
                        "locations": at("a"),
                    },
                    {
                        "level": "error",
                        "message": { "text": "No such file or directory" },
                        "locations": at("b"),
                    },
                ],
            }])
        );
    }

    #[cfg(unix)]
    #[test]
    fn names_and_messages_are_inert() {
        let (text, run) = render(&samples::hostile());
        assert!(text.trim_end().chars().all(utfconv_core::is_printable));
        let results = run["results"].as_array().unwrap();
        let uris: Vec<_> = results
            .iter()
            .map(|result| &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])
            .collect();
        assert_eq!(
            uris,
            [
                "..%252f",
                "%3A%3Aerror%3A%3Ax",
                "a%22b%3Cc%3E%26d",
                "a%22b%3Cc%3E%26d",
                "a%3Ab%2Cc%25d",
                "x%1B%5B31m%FF%0A%3A%3Aerror%3A%3Ax",
                "%E2%80%AE"
            ]
        );
        assert_eq!(
            results[2]["message"]["text"],
            "\\u{{1b}}[31m\\r\\n::error::x \\u{{23}}#[error]x <b>&]]> {{0}} [a] (b)"
        );
    }
}
