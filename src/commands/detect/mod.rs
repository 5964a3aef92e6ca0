//! The command `detect`: reports the encoding of files, and how certain that is. The library has the detector.
//!
//! args -> plan -> run (all files) -> report -> exit status.

pub mod args;
mod plan;
mod run;

pub use run::run;
