//! The formats of a report: one for people, and those that CI services read.
//!
//! Each is written from the report alone, at the end or file by file, and has a separate file here. To add one, write its file, and
//! add it to the two lists below. All escape names and messages, so that no text in them can act.

mod context;
mod fingerprint;
mod github;
mod gitlab;
mod json;
mod junit;
mod path;
#[cfg(test)]
mod samples;
mod sarif;
mod summary;
mod text;

use super::report::Report;

pub use context::Context;
pub use summary::summary;

/// The format of a report.
#[derive(Clone, Copy)]
pub struct Format {
    pub reader: Reader,
    pub render: fn(&Report, &Context) -> String,
    /// Renders findings that are not the last, if the form has nothing before and between them.
    pub render_part: Option<fn(&Report, &Context) -> String>,
}

/// Who reads a report.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    People,
    Programs,
    /// A service that needs lines, and has no use for statistics.
    Service,
}

impl Format {
    pub const TEXT: Format =
        Format { reader: Reader::People, render: text::render, render_part: Some(text::render) };

    /// The values of the option.
    pub const TABLE: &[(&str, &str, Format)] = &[
        ("text", "For people, and tools that read compiler messages", Format::TEXT),
        (
            "json",
            "One JSON object per line, a summary last",
            Format { reader: Reader::Programs, render: json::render, render_part: Some(json::render_files) },
        ),
        ("github", "Annotations for GitHub Actions", Format::for_service(github::render)),
        ("gitlab", "Code Quality report for GitLab", Format::for_service(gitlab::render)),
        ("sarif", "SARIF 2.1.0, for code scanning", Format::for_service(sarif::render)),
        ("junit", "JUnit XML, one test case per file", Format::for_service(junit::render)),
    ];

    const fn for_service(render: fn(&Report, &Context) -> String) -> Format {
        Format { reader: Reader::Service, render, render_part: None }
    }
}
