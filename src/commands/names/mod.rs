//! The command `names`: converts the names of files, directories and the targets of links.
//!
//! Data flow: args -> plan -> survey (of all names; changes nothing) -> manifest -> rename -> report -> exit status.

pub mod args;
mod collide;
mod descent;
mod job;
mod manifest;
mod name;
mod patch;
mod plan;
mod rename;
mod report;
mod run;
mod survey;

pub use run::run;
