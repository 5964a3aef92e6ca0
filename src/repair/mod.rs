//! The command `repair`: takes back double encoding, and decodes files that mix encodings. The library decides what is
//! repaired.
//!
//! args -> plan -> run (all files) -> one (a file or a stream, in windows) -> report, manifest -> exit status. `undo` goes back.

pub mod args;
mod manifest;
mod one;
mod plan;
mod report;
mod run;
mod undo;
mod windows;

pub use plan::RepairPlan;
pub use run::run;
