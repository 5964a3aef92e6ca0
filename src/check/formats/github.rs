//! Annotations of GitHub Actions: workflow commands, which its runner reads off the standard output.
//!
//! <https://docs.github.com/actions/reference/workflow-commands-for-github-actions>

use std::borrow::Cow;
use std::ffi::OsStr;

use super::context::{Context, Earlier, message_and_hint, outcomes};
use super::text;
use crate::check::report::{Finding, Outcome, Report};
use crate::ui::quote::{is_command, one_line, quoted};

/// How many annotations of errors GitHub shows for a step.
const SHOWN: usize = 10;

pub fn render(report: &Report, context: &Context, earlier: &mut Earlier) -> String {
    let mut output = render_entries(report, context, earlier);
    let others = earlier.entries.saturating_sub(SHOWN);
    if others > 0 {
        output += &format!(
            "GitHub shows only {SHOWN} annotations per step: see the lines above for {others} more\n"
        );
    }
    output
}

/// Files that cannot be read come first, then findings. What GitHub would not show are lines for people.
pub fn render_entries(report: &Report, context: &Context, earlier: &mut Earlier) -> String {
    let mut entries = Vec::new();
    for (name, outcome) in outcomes(report, context) {
        let mut push = |round, found| entries.push(Entry { round, order: entries.len(), name, found });
        match outcome {
            Outcome::Findings(findings) => {
                (1..).zip(&findings.listed).for_each(|(round, finding)| push(round, Ok(finding)));
            }
            Outcome::Unreadable(reason) => push(0, Err(reason)),
            Outcome::Binary => {}
        }
    }
    entries.sort_by_key(|entry| entry.round);
    let shown = entries.len().min(SHOWN.saturating_sub(earlier.entries));
    earlier.entries += entries.len();
    let (annotated, others) = entries.split_at_mut(shown);
    for part in [&mut *annotated, &mut *others] {
        part.sort_by_key(|entry| (entry.found.is_ok(), entry.order));
    }
    let mut output: String = annotated.iter().map(Entry::annotation).collect();
    output.extend(others.iter().map(Entry::line));
    output
}

struct Entry<'a> {
    /// Its number in its file. The first findings of all files come before all second ones, so that many files are
    /// seen.
    round: usize,
    /// The position in the report.
    order: usize,
    name: &'a OsStr,
    /// Or why the file is unreadable.
    found: Result<&'a Finding, &'a String>,
}

impl Entry<'_> {
    fn annotation(&self) -> String {
        let file = property(&file(self.name));
        match self.found {
            Ok(finding) => format!(
                "::error file={file},line={},col={},title={}::{}\n",
                finding.position.line(),
                finding.position.column(),
                property(finding.rule.id()),
                data(&message_and_hint(finding))
            ),
            Err(reason) => format!("::error file={file}::{}\n", data(&one_line(reason))),
        }
    }

    fn line(&self) -> String {
        match self.found {
            Ok(finding) => text::line(self.name, finding),
            Err(reason) => format!("{}: error: {}\n", quoted(self.name), one_line(reason)),
        }
    }
}

/// Returns the name as GitHub knows the file. A name that could act on a terminal is escaped instead.
fn file(name: &OsStr) -> Cow<'_, str> {
    match name.to_str() {
        Some(text) if text.char_indices().all(|(at, c)| !acts(c) && !is_command(&text[at..])) => text.into(),
        _ => quoted(name).into(),
    }
}

/// Whether `scalar` may do something in a log besides being shown.
///
/// That is less than what is not inert: combining marks are common in names, and have to stay what they are.
fn acts(scalar: char) -> bool {
    let moves_text = matches!(scalar, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    moves_text || scalar.is_control()
}

/// Returns the escapes of the text of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Returns the escapes of a property of a command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::formats::samples;
    use crate::check::rules::Rule;

    fn render(report: &Report) -> String {
        super::render(
            report,
            &Context { cwd: Some("/w".into()), ..Context::default() },
            &mut Earlier::default(),
        )
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
