//! The main command: inputs to one output, or files in place.

pub mod args;
pub mod auto;
pub mod batch;
pub mod newlines;
pub mod ordered;
pub mod parts;
pub mod plan;
pub mod run;
pub mod seam;
pub mod verify;
