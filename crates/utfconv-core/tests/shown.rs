//! Shows a whole conversion as a line with the output and the reports.

use utfconv_core::{Encoding, Options};

use crate::chunks::{chunked, whole};
use crate::texts::{hex, in_hex};

/// Returns the encoding with the given name.
pub fn named(name: &str) -> &'static Encoding {
    Encoding::for_name(name).unwrap_or_else(|| panic!("{name} is a name"))
}

/// Returns the output of a conversion, then its notices, its errors, and the error that ends it. Asserts that chunks of
/// one byte give the same result. UTF-16 and UTF-32 are shown as a little-endian machine writes them.
pub fn shown(source: &str, from: &str, to: &str, options: &Options) -> String {
    let (source, from, to) = (hex(source), named(from), named(to));
    let outcome = whole(&source, from, to, options);
    let bytes: Vec<_> = source.chunks(1).collect();
    assert_eq!(chunked(&bytes, 100, true, from, to, options), outcome, "{from:?} {to:?} in chunks");
    let unit = match to.name() {
        "UTF-16" if cfg!(target_endian = "big") => 2,
        "UTF-32" if cfg!(target_endian = "big") => 4,
        _ => 1,
    };
    let output: Vec<_> = outcome.output.chunks(unit).flat_map(|unit| unit.iter().rev().copied()).collect();
    let mut line = in_hex(&output);
    outcome.notices.iter().for_each(|notice| line += &format!("; {notice}"));
    outcome.faults.iter().for_each(|fault| line += &format!("; {fault}"));
    outcome.stopped.iter().for_each(|fault| line += &format!("; ends: {fault}"));
    line
}
