//! Annotations of GitHub Actions: workflow commands, which the runner reads from standard output.
//!
//! <https://docs.github.com/actions/reference/workflow-commands-for-github-actions>

use std::borrow::Cow;
use std::ffi::OsStr;

use super::context::{Context, Earlier, Put, message_and_hint, outcomes};
use super::{Format, Reader, Row, text};
use crate::commands::check::report::{FileResult, Finding, Report};
use crate::ui::quote::{is_command, one_line, quoted};

pub const FORMAT: Row = (
    "github",
    "Annotations for GitHub Actions",
    Format { reader: Reader::Service, render, render_part: render_entries },
);

/// Number of error annotations that GitHub shows per step.
const SHOWN: usize = 10;

fn render(report: &Report, context: &Context, earlier: &mut Earlier, put: &mut Put) {
    render_entries(report, context, earlier, put);
    let others = earlier.entries.saturating_sub(SHOWN);
    if others > 0 {
        put(&format!(
            "GitHub shows only {SHOWN} annotations per step: see the lines above for {others} more\n"
        ));
    }
}

/// Renders unreadable files first, then findings. Entries beyond the limit of GitHub become lines for people.
fn render_entries(report: &Report, context: &Context, earlier: &mut Earlier, put: &mut Put) {
    let (mut unreadable, mut with_findings) = (Vec::new(), Vec::new());
    for (name, outcome) in outcomes(report, context) {
        match outcome {
            FileResult::Findings(findings) => with_findings.push((name, findings, findings.packed.len())),
            FileResult::Unreadable(reason) => unreadable.push((name, one_line(reason))),
            FileResult::Binary => {}
        }
    }
    let room = SHOWN.saturating_sub(earlier.entries);
    let (annotated, others) = unreadable.split_at(unreadable.len().min(room));
    let counts: Vec<_> = with_findings.iter().map(|(_, _, count)| *count).collect();
    let shown = spread(&counts, room - annotated.len());
    earlier.entries += unreadable.len() + counts.iter().sum::<u64>() as usize;
    for (name, reason) in annotated {
        put(&format!("::error file={}::{}\n", property(&file(name)), data(reason)));
    }
    for ((name, findings, _), shown) in with_findings.iter().zip(&shown) {
        findings.packed.iter().take(*shown).for_each(|finding| put(&annotation(name, &finding)));
    }
    for (name, reason) in others {
        put(&format!("{}: error: {reason}\n", quoted(name)));
    }
    for ((name, findings, _), shown) in with_findings.iter().zip(&shown) {
        findings.packed.iter().skip(*shown).for_each(|finding| put(&text::line(name, &finding)));
    }
}

/// Returns how many findings of each file are shown if there is `room` for this many in total. The first findings of
/// all files come before all second findings, so that many files are seen.
fn spread(counts: &[u64], mut room: usize) -> Vec<usize> {
    let mut shown = vec![0; counts.len()];
    for round in 0..room as u64 {
        for (shown, _) in shown.iter_mut().zip(counts).filter(|(_, count)| **count > round) {
            let step = room.min(1);
            *shown += step;
            room -= step;
        }
    }
    shown
}

fn annotation(name: &OsStr, finding: &Finding) -> String {
    format!(
        "::error file={},line={},col={},title={}::{}\n",
        property(&file(name)),
        finding.position.line(),
        finding.position.column(),
        property(finding.rule.id()),
        data(&message_and_hint(finding))
    )
}

/// Returns the name as GitHub knows the file, or quoted if the name could act on a terminal.
fn file(name: &OsStr) -> Cow<'_, str> {
    match name.to_str() {
        Some(text) if text.char_indices().all(|(at, c)| !acts(c) && !is_command(&text[at..])) => text.into(),
        _ => quoted(name).into(),
    }
}

/// True if `scalar` may do something in a log besides being shown. Combining marks are not included, because they are
/// common in names and must be kept.
fn acts(scalar: char) -> bool {
    let moves_text = matches!(scalar, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    moves_text || scalar.is_control()
}

/// Escapes the text of a workflow command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::check::formats::samples;
    use crate::commands::check::rules::Rule;

    fn render(report: &Report) -> String {
        let context = Context { cwd: Some("/w".into()), ..Context::default() };
        samples::text(|put| super::render(report, &context, &mut Earlier::default(), put))
    }

    #[test]
    fn unreadable_files_come_first() {
        assert_eq!(
            render(&samples::every_outcome()),
            "::error file=b::No such file or directory\n\
             ::error file=-,line=1,col=2,title=bidi::U+202E\n\
             ::error file=a,line=1,col=1,title=ill-formed::first\n\
             ::error file=a,line=2,col=1,title=wrong-encoding::windows-1252%0Ahint: run \"fix\"\n"
        );
    }

    #[cfg(unix)]
    #[test]
    fn names_and_messages_are_inert() {
        assert_eq!(
            render(&samples::hostile()),
            "::error file=..%252f,line=1,col=1,title=ill-formed::m\n\
             ::error file=%3A%3Aerror%3A%3Ax,line=1,col=1,title=ill-formed::m\n\
             ::error file=a\"b<c>&d,line=2,col=3,title=ill-formed::\\u{1b}[31m\\r\\n::error::x \\u{23}#[error]x <b>&]]> {0} [a](b)\n\
             ::error file=a\"b<c>&d,line=2,col=3,title=ill-formed::second\n\
             ::error file=a%3Ab%2Cc%25d,line=1,col=1,title=ill-formed::m\n\
             ::error file=$'x\\x1B[31m\\xFF\\n%3A%3Aerror%3A%3Ax',line=1,col=1,title=ill-formed::m\n\
             ::error file=$'\\u202E',line=1,col=1,title=ill-formed::m\n"
        );
    }

    #[test]
    fn a_name_is_what_github_knows_unless_it_acts() {
        for (name, shown) in [
            ("e\u{301}/\u{939}\u{93F}", "e\u{301}/\u{939}\u{93F}"),
            ("a\u{2028}", "$'a\\u2028'"),
            ("##vso[x]", "$'\\x23#vso[x]'"),
        ] {
            assert_eq!(file(name.as_ref()), shown);
        }
    }

    #[test]
    fn annotations_are_spread_over_files() {
        let many = |name: &str, n| {
            let all = (0..n).map(|i| samples::finding(&"\n".repeat(i), Rule::IllFormed, "m"));
            (name.into(), samples::findings(all.collect()))
        };
        let output = render(&samples::report([many("::a", 12), many("b", 1), many("c", 3)]));
        let lines: Vec<_> = output.lines().collect();
        let shown = |name: &str, line| format!("::error file={name},line={line},col=1,title=ill-formed::m");
        let a = (1..=6).map(|line| shown("%3A%3Aa", line));
        let mut expected: Vec<_> =
            a.chain([shown("b", 1)]).chain((1..=3).map(|line| shown("c", line))).collect();
        expected.extend((7..=12).map(|line| format!("$'\\x3A:a':{line}:1: error: m")));
        expected
            .push("GitHub shows only 10 annotations per step: see the lines above for 6 more".to_string());
        assert_eq!(lines, expected);
    }
}
