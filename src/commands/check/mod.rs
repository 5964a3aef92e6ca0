//! The command `check`: reports errors in files by line, column and byte.
//!
//! `args` makes the plan; `run` checks all files; `examine` checks a file (requirements, first bytes, then fast UTF-8
//! validation, or a pass of the checker with the scan); `report` collects the findings; `formats` print the report.
//! With `--fix`, `fix` repairs the files and updates the report.

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
