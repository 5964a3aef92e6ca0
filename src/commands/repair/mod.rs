//! The command `repair`: undoes double encoding, and decodes files that mix encodings. The crate utfconv-repair decides
//! which text to repair.
//!
//! Data flow: args -> plan -> run (all files) -> one (a file or a stream, in windows) -> report -> exit status.

pub mod args;
mod one;
mod plan;
mod report;
mod restore;
mod run;

pub use run::run;
