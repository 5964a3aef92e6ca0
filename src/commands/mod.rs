//! The commands, a folder each: its options (`args`), what they ask for (`plan`), and the run.

pub mod check;
pub mod convert;
pub mod detect;
pub mod edit;
pub mod generate;
pub mod git;
pub mod iconv;
pub mod inspect;
pub mod list;
pub mod names;
pub mod old_versions;
pub mod repair;
