//! The form for people.

use std::ffi::OsStr;

use crate::cli::check::report::{Finding, Outcome, Report};
use crate::cli::message::{one_line, quoted};

pub fn render(report: &Report) -> String {
    let mut text = String::new();
    for (key, outcome) in &report.outcomes {
        if let Outcome::Findings(findings) = outcome {
            text.extend(findings.listed.iter().map(|finding| line(&key.name, finding)));
        }
    }
    text
}

/// A finding in the form that editors read.
pub fn line(name: &OsStr, finding: &Finding) -> String {
    let (place, message) = (finding.place, one_line(&finding.message));
    format!("{}:{}:{}: error: {message}\n", quoted(name), place.line(), place.column())
}

#[cfg(test)]
mod tests {
    use crate::cli::check::formats::{Context, Format, samples};

    #[cfg(unix)]
    #[test]
    fn a_line_a_finding() {
        let text = Format::Text.render(&samples::hostile(), &Context::default());
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
