//! Loops over every byte of a text that the program `utfconv` needs beside conversion.
//!
//! The program is compiled for size, as it spends no time in nearly all of its code. What runs for each byte or character is
//! here, where it is compiled for speed. For the compiler to do that, nothing here is generic.

pub mod histogram;
pub mod marks;
pub mod newlines;
pub mod records;
pub mod utf8_lines;
