//! The detector: finds the likely encoding of a file, and how certain that is; and the command `detect`.
//!
//! args -> plan -> run (all files) -> detector (what is certain, from all bytes) -> sample (words with non-ASCII bytes) ->
//! guess (what is likely, by candidates and languages) -> exit status.

pub mod args;
mod candidates;
mod detected;
mod detector;
mod guess;
mod languages;
mod plan;
mod run;
mod sample;

pub use detected::{Certainty, Detected};
pub use detector::Detector;
pub use plan::DetectPlan;
pub use run::run;
