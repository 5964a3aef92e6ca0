//! What a detection is to do.

use utfconv_detect::Hints;

use crate::files::walk::Targets;

/// What to detect, ready to run.
pub struct DetectPlan {
    pub targets: Targets,
    pub format: Format,
    /// Hints about the files.
    pub hints: Hints,
    /// None means one per processor.
    pub threads: Option<usize>,
}

/// The format of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Text,
    /// Text, with the probabilities of the likeliest encodings.
    Verbose,
    /// The name of the encoding, or unknown or binary.
    Brief,
    Json,
}
