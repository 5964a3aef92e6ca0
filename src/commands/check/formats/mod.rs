//! The formats of a report, for people, programs and CI services.
//!
//! Each format has a separate file here, and renders a report at the end or file by file. To add a format, write its
//! file, and add a row to `formats!`. All formats escape names and messages, so that text from a file cannot control a
//! terminal or a CI service.

mod context;
mod fingerprint;
#[cfg(test)]
mod samples;
mod summary;

use super::report::Report;

pub use context::{Context, Earlier, Put};
pub use summary::summary;

/// The format of a report.
#[derive(Clone, Copy)]
pub struct Format {
    pub reader: Reader,
    /// Renders the end of a report whose parts were rendered before, or a whole report.
    pub render: Render,
    /// Renders findings before the end of the report.
    pub render_part: Render,
}

type Render = fn(&Report, &Context, &mut Earlier, &mut Put);

/// Who reads a report.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    People,
    Programs,
    /// A CI service, which needs line numbers and ignores statistics.
    Service,
}

/// A value of `--format`: its word, its help, and the format.
type Row = (&'static str, &'static str, Format);

/// Declares the module of each format and makes the table of the values of `--format`. rustfmt does not see modules
/// that a macro declares, so `.ci/run` names their files.
macro_rules! formats {
    ($($module:ident,)*) => {
        $(mod $module;)*

        impl Format {
            /// The values of `--format`.
            pub const TABLE: &[Row] = &[$($module::FORMAT,)*];
        }
    };
}
formats! {
    text,
    json,
    github,
    gitlab,
    sarif,
    junit,
}

impl Format {
    pub const TEXT: Format = text::FORMAT.2;
}
