//! The command `detect`: reports the encoding of files, and how certain it is. The detector is in the library.
//!
//! args -> plan -> run (all files) -> report -> exit status.

pub mod args;
mod plan;
mod run;

pub use run::run;
