//! The main command: inputs to one output, or files in place.

pub mod args;
pub mod batch;
pub mod configured;
mod declarations;
pub mod input;
mod lost_newlines;
pub mod plan;
pub mod range_context;
pub mod ranges;
pub mod records;
pub mod report;
pub mod request;
mod restored;
pub mod run;
pub mod segments;
#[cfg(test)]
pub mod testkit;
pub mod verify;
