//! The command `check`: reports errors in files by line, column and byte.
//!
//! args -> plan -> run (all files) -> examine (one file: requirements, sniff, then the fast look at UTF-8, or a pass of the
//! checker with the scan) -> report -> formats -> exit status. With `--fix`: report -> fix -> report.

pub mod args;
mod baseline;
mod changed;
mod declared;
mod examine;
mod finding;
mod fix;
mod formats;
mod lost;
mod pass;
mod pending;
mod plan;
mod report;
pub mod rules;
mod run;
mod scan;
mod show;
mod subject;
mod verdict;

pub use run::run;
