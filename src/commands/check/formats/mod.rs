//! The formats of a report: one for people, and those that CI services read.
//!
//! Each is written from the report alone, at the end or file by file, and has a separate file here. To add one, write its file, and
//! add a row to the list below. All escape names and messages, so that no text in them can act.

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

/// A value of the option: its word, its help, and the format.
type Row = (&'static str, &'static str, Format);

/// Declares the module of each format and makes the table of the option's values. rustfmt does not see these modules:
/// `.ci/run` names their files.
macro_rules! formats {
    ($($module:ident,)*) => {
        $(mod $module;)*

        impl Format {
            /// The values of the option.
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
