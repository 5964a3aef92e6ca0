//! Converts whole well-formed texts: with kernels alone, or, if they are tiny, with `decode` and `encode` of the
//! library.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use utfconv_core::kernels;
use utfconv_core::{Encoding, ISO_8859_1, decode, encode};

use crate::convert::SHORT;
use crate::fork::detached;
use crate::output::Output;
use crate::text::{self, BOM, HOST};

/// Length below which a text converts fastest through UTF-8, in bytes to decode and in characters to encode. CPython
/// reads and writes UTF-8 more slowly than UTF-16, but the library has fewer steps to UTF-8.
const TINY: usize = 100;

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
    if bytes.len() < TINY {
        return decode(bytes, from).ok().map(|text| Ok(PyString::new(py, &text)));
    }
    // CPython stores text with characters only up to U+00FF as Latin-1. From UTF-8 and code pages, kernels to Latin-1
    // are direct, and stop early at other characters.
    let is_direct = from.takes_raw_bytes() || from.is_ebcdic();
    if is_direct && let Some(narrow) = converted(py, bytes, from, &ISO_8859_1) {
        return Some(text::from_latin1(py, narrow.bytes()));
    }
    let units = converted(py, bytes, from, HOST)?;
    Some(text::from_utf16(py, units.bytes()))
}

/// Encodes a tiny str under the default options. Returns `None` if the str is longer, if it cannot be encoded, or if it
/// begins with U+FEFF, which is no BOM here.
pub fn encoded_tiny<'py>(text: &Bound<'py, PyString>, to: &'static Encoding) -> Option<Bound<'py, PyBytes>> {
    let py = text.py();
    // CPython's own encoder of ISO-8859-1 is faster.
    if text.len().ok()? >= TINY || to == &ISO_8859_1 || to.is_decode_only() {
        return None;
    }
    if to == HOST {
        return text::to_utf16_strictly(text).map(|units| PyBytes::new(py, &units.as_bytes()[BOM..]));
    }
    let bytes = text::to_utf8(text).ok()?;
    // SAFETY: PyUnicode_AsUTF8String returns well-formed UTF-8, or an error.
    let utf8 = unsafe { str::from_utf8_unchecked(bytes.as_bytes()) };
    if utf8.starts_with('\u{FEFF}') {
        return None;
    }
    match encode(utf8, to).ok()? {
        Cow::Borrowed(_) => Some(bytes),
        Cow::Owned(encoded) => Some(PyBytes::new(py, &encoded)),
    }
}
