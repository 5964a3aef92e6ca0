//! Words of options: names of encodings, and modes. The program `utfconv` and its Python module parse them alike.

#![forbid(unsafe_code)]

pub mod modes;
pub mod names;

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
