//! The command `detect`: reports the encoding of files, and how certain that is. The library has the detector.
//!
//! args -> plan -> run (all files) -> report -> exit status.

pub mod args;
mod declared;
pub mod detected;
pub mod mixed;
mod plan;
mod run;

pub use run::run;
