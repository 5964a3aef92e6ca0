//! Reads names of encodings. Only command lines may name mapping files: no name in a program's data opens a file.

use utfconv_core::Encoding;

use crate::ui::names::{Name, Unknown};

/// Reads a name.
pub fn name(text: &str, special: impl Fn(&str) -> Option<&'static Encoding>) -> Result<Name, Unknown> {
    Name::parse(text, special)
}
