//! Converts whole well-formed texts with kernels alone.

use pyo3::prelude::*;
use pyo3::types::PyString;
use utfconv_core::kernels;
use utfconv_core::{Encoding, ISO_8859_1};

use crate::convert::SHORT;
use crate::fork::detached;
use crate::output::Output;
use crate::text::{self, HOST};

/// Converts a text without a BOM, under the default options, to an encoding whose texts have no BOM. Returns `None` if
/// the text has errors, or if the output depends on more than a kernel knows.
pub fn converted(
    py: Python<'_>,
    src: &[u8],
    from: &'static Encoding,
    to: &'static Encoding,
) -> Option<Output> {
    let kernel = kernels::shared(from, to)?;
    let mut out = Output::new();
    let room = out.room(2 * src.len() + 512);
    let (read, written) = match src.len() {
        ..SHORT => kernel(src, room),
        _ => detached(py, || kernel(src, room)),
    };
    out.wrote(written);
    (read == src.len()).then_some(out)
}

/// Decodes a text whose code units are single bytes, without a BOM. Returns `None` in the same cases as [`converted`].
pub fn decoded<'py>(
    py: Python<'py>,
    bytes: &[u8],
    from: &'static Encoding,
) -> Option<PyResult<Bound<'py, PyString>>> {
    // CPython stores text with characters only up to U+00FF as Latin-1. From UTF-8 and code pages, kernels to Latin-1
    // are direct, and stop early at other characters.
    let is_direct = from.takes_raw_bytes() || from.is_ebcdic();
    if is_direct && let Some(narrow) = converted(py, bytes, from, &ISO_8859_1) {
        return Some(text::from_latin1(py, narrow.bytes()));
    }
    let units = converted(py, bytes, from, HOST)?;
    Some(text::from_utf16(py, units.bytes()))
}
