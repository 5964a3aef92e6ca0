//! What a detection is to do.

use crate::files::walk::Targets;

/// What to detect, ready to run.
pub struct DetectPlan {
    pub targets: Targets,
    pub format: Format,
    /// Encodings that look like ASCII are considered too.
    pub allows_7bit: bool,
    /// None means one per processor.
    pub threads: Option<usize>,
}

/// The format of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Text,
    Json,
}
