//! Loops over every byte of a text that the program `utfconv` needs beside conversion.
//!
//! The program is compiled for size, these loops for speed. Nothing here is generic, because generic code would be compiled
//! in the program.

#![forbid(unsafe_code)]

pub mod common;
pub mod histogram;
pub mod marks;
pub mod newlines;
pub mod records;
pub mod triples;

#[cfg(test)]
#[path = "../../utfconv-core/src/testkit.rs"]
mod testkit;

/// The README's example runs with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
