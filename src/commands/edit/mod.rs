//! The command `edit`: lets a program that supports only UTF-8 edit files in other encodings.
//!
//! args -> plan -> run (makes copies, runs the program, and merges the edits by the library's `restore`) -> exit
//! status.

pub mod args;
mod copies;
mod plan;
mod run;

pub use run::run;
