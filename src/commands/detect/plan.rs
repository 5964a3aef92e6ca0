//! The plan of a detection.

use utfconv_detect::Hints;

use crate::files::walk::Targets;

/// The files to detect, and how to report the results.
pub struct DetectPlan {
    pub targets: Targets,
    pub format: Format,
    /// Hints about the encodings of the files.
    pub hints: Hints,
    /// The number of threads; `None` means one per processor.
    pub threads: Option<usize>,
}

/// The format of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Text,
    /// Text with the probabilities of the likeliest encodings.
    Verbose,
    /// Only the name of the encoding, or `unknown` or `binary`.
    Brief,
    Json,
}
