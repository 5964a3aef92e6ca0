//! The main command: converts inputs into a single output, or each file in place or into a directory.

pub mod batch;
mod changes;
pub mod configured;
mod declarations;
pub mod input;
mod lost_newlines;
pub mod options;
pub mod plan;
pub mod range_context;
pub mod records;
pub mod report;
mod restored;
pub mod run;
pub mod segments;
#[cfg(test)]
pub mod testkit;
pub mod verify;
