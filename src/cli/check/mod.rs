//! The command `check`: which files are not what they claim to be, and where.
//!
//! check options -> plan -> walk (names) -> examine (one file: sniff, checker, scan) -> report -> format -> exit status.

#![allow(dead_code)] // while it is being built

mod claims;
mod excerpt;
mod formats;
mod report;
mod rules;
mod sniff;
