//! Words of options: names of encodings, and modes. The program `utfconv` and its Python module read them alike.

#![forbid(unsafe_code)]

pub mod modes;
pub mod names;

/// The README's example runs with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
