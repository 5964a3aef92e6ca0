//! The command `edit`: lets a program that knows only UTF-8 edit files in other encodings.
//!
//! args -> plan -> run (copies, the program, and the way back by the library's `restore`) -> exit status.

pub mod args;
mod copies;
mod plan;
mod run;

pub use run::run;
