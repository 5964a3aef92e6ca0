//! Values of options, in words: names of encodings, and modes. The program and the Python module read them alike.

pub mod modes;
pub mod names;
