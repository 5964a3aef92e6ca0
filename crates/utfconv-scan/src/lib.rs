//! Loops over every byte of a text that the program `utfconv` needs besides conversion.
//!
//! The program is compiled for size, and these loops for speed. Keep the functions non-generic, because generic ones
//! would be compiled at the optimization level of the program.

#![forbid(unsafe_code)]

pub mod common;
pub mod histogram;
pub mod marks;
pub mod newlines;
pub mod records;

#[cfg(test)]
#[path = "../../utfconv-core/src/testkit.rs"]
mod testkit;

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
