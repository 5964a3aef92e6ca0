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

pub use context::{Context, Earlier, Put};
pub use summary::summary;

/// The format of a report.
#[derive(Clone, Copy)]
pub struct Format {
    pub reader: Reader,
    /// Renders what remains of a report after its parts: all of it, if there are none.
    pub render: Render,
    /// Renders findings that are not the last.
    pub render_part: Render,
}

type Render = fn(&Report, &Context, &mut Earlier, &mut Put);

/// Who reads a report.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    People,
    Programs,
    /// A service that needs lines, and has no use for statistics.
    Service,
}

impl Format {
    pub const TEXT: Format = {
        let render: Render = |report, context, _, put| text::render(report, context, put);
        Format { reader: Reader::People, render, render_part: render }
    };

    const JSON: Format = Format {
        reader: Reader::Programs,
        render: |report, context, _, put| json::render(report, context, put),
        render_part: |report, context, _, put| json::render_files(report, context, put),
    };

    /// The values of the option.
    pub const TABLE: &[(&str, &str, Format)] = &[
        ("text", "For people, and tools that read compiler messages", Format::TEXT),
        ("json", "One JSON object per line, a summary last", Format::JSON),
        ("github", "Annotations for GitHub Actions", for_service(github::render, github::render_entries)),
        ("gitlab", "Code Quality report for GitLab", for_service(gitlab::render, gitlab::render_issues)),
        ("sarif", "SARIF 2.1.0, for code scanning", for_service(sarif::render, sarif::render_results)),
        ("junit", "JUnit XML, one test case per file", for_service(junit::render, junit::render_lines)),
    ];
}

const fn for_service(render: Render, render_part: Render) -> Format {
    Format { reader: Reader::Service, render, render_part }
}
