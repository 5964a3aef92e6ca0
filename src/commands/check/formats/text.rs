//! The report for people, and for tools that read compiler messages.

use std::ffi::OsStr;

use super::context::{Context, Earlier, Put};
use super::{Format, Reader, Row};
use crate::commands::check::report::{FileResult, Finding, Report};
use crate::commands::check::rules::Rule;
use crate::text::stats::Stats;
use crate::ui::excerpt::Excerpt;
use crate::ui::quote::{one_line, quoted};

pub const FORMAT: Row = (
    "text",
    "For people, and tools that read compiler messages",
    Format { reader: Reader::People, render, render_part: render },
);

fn render(report: &Report, context: &Context, _: &mut Earlier, put: &mut Put) {
    let mut text = String::new();
    let paint = if context.color { &COLORED } else { &PLAIN };
    for (key, outcome) in &report.outcomes {
        let FileResult::Findings(findings) = outcome else { continue };
        let name = quoted(&key.name);
        for finding in findings.packed.iter() {
            text.clear();
            push_line(&mut text, &name, &finding, context.hides_lines, paint);
            let Paint { mark, end, .. } = paint;
            if let Some(Excerpt { line: shown, before, width }) = &finding.excerpt {
                let number =
                    if context.hides_lines { String::new() } else { finding.position.line().to_string() };
                let (margin, before) = (" ".repeat(number.len()), " ".repeat(*before));
                text +=
                    &format!(" {number} | {shown}\n {margin} | {before}{mark}{}{end}\n", "^".repeat(*width));
            }
            if let Some(hint) = finding.hint.as_ref().filter(|_| context.hints) {
                text += &format!("   = {mark}hint:{end} {}\n", one_line(hint));
            }
            put(&text);
        }
    }
    put(&report.stats.as_ref().map(Stats::text).unwrap_or_default());
}

/// Returns the line `FILE:LINE:COLUMN: error: MESSAGE` for a finding, which editors parse.
pub fn line(name: &OsStr, finding: &Finding) -> String {
    let mut text = String::new();
    push_line(&mut text, &quoted(name), finding, false, &PLAIN);
    text
}

/// Appends the line of a finding. Strings are pushed one by one, because `format!` is several times slower and most
/// of a long report consists of these lines.
fn push_line(text: &mut String, shown: &str, finding: &Finding, hides_lines: bool, paint: &Paint) {
    let Paint { name, error, end, .. } = paint;
    let (mut line, mut column) = (itoa::Buffer::new(), itoa::Buffer::new());
    let (line, column) = (line.format(finding.position.line()), column.format(finding.position.column()));
    let message = one_line(&finding.message);
    let position: &[&str] = if hides_lines { &[":"] } else { &[":", line, ":", column, ":"] };
    for part in [name, shown].iter().chain(position).chain(&[end, " ", error, "error:", end, " ", &*message])
    {
        text.push_str(part);
    }
    // The id of the rule can be given to `--allow` and `--explain`; messages about ill-formed text need no id.
    match finding.rule {
        Rule::IllFormed => {}
        rule => text.extend([" [", rule.id(), "]"]),
    }
    text.push('\n');
}

/// The escape sequences around the fields of a message.
struct Paint {
    name: &'static str,
    error: &'static str,
    mark: &'static str,
    end: &'static str,
}

static PLAIN: Paint = Paint { name: "", error: "", mark: "", end: "" };
static COLORED: Paint = Paint { name: "\x1B[1m", error: "\x1B[1;31m", mark: "\x1B[1;36m", end: "\x1B[0m" };

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::check::formats::samples;

    fn render(report: &Report, context: &Context) -> String {
        samples::text(|put| super::render(report, context, &mut Earlier::default(), put))
    }

    #[test]
    fn excerpts_and_colors() {
        let mut finding = samples::finding("ab", Rule::IllFormed, "byte 2: wrong");
        finding.hint = Some("right".to_string());
        finding.excerpt = Some(Excerpt { line: "ab<C0><AF>c".to_string(), before: 2, width: 8 });
        let report = samples::report([("a".into(), samples::findings(vec![finding]))]);
        assert_eq!(
            render(&report, &Context { hints: true, ..Context::default() }),
            "a:1:3: error: byte 2: wrong\n 1 | ab<C0><AF>c\n   |   ^^^^^^^^\n   = hint: right\n"
        );
        assert_eq!(
            render(&report, &Context { color: true, hints: true, ..Context::default() }),
            "\x1B[1ma:1:3:\x1B[0m \x1B[1;31merror:\x1B[0m byte 2: wrong\n 1 | ab<C0><AF>c\n   |   \
             \x1B[1;36m^^^^^^^^\x1B[0m\n   = \x1B[1;36mhint:\x1B[0m right\n"
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_line_a_finding() {
        let text = render(&samples::hostile(), &Context::default());
        assert_eq!(
            text,
            "..%2f:1:1: error: m\n\
             $'\\x3A:error::x':1:1: error: m\n\
             a\"b<c>&d:2:3: error: \\u{1b}[31m\\r\\n::error::x \\u{23}#[error]x <b>&]]> {0} [a](b)\n\
             a\"b<c>&d:2:3: error: second\n\
             a:b,c%d:1:1: error: m\n\
             $'x\\x1B[31m\\xFF\\n::error::x':1:1: error: m\n\
             $'\\u202E':1:1: error: m\n"
        );
    }
}
