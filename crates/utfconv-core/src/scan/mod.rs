//! Loops over every byte of a text that the program `utfconv` needs beside conversion.
//!
//! The program is compiled for size. Code that runs for each byte or character is here, where it is compiled for speed.
//! Nothing here is generic, as generic code would be compiled in the program.

pub mod controls;
pub mod histogram;
pub mod marks;
pub mod newlines;
pub mod records;
#[cfg(feature = "detect")]
pub mod utf8_lines;
