//! Creates exceptions of the classes in `utfconv/_errors.py`, with the position and the reason of the error.

use std::ops::Range;

use pyo3::exceptions::{PyTypeError, PyUnicodeWarning};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyType};
use utfconv_core::{Encoding, Fault, FaultKind, Notice};

use utfconv_options::modes::no_such;
use utfconv_options::names::Unknown;

/// Returns the class of the given name.
fn class<'py>(py: Python<'py>, name: &'static str) -> PyResult<Bound<'py, PyType>> {
    static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let module = MODULE.get_or_try_init(py, || py.import("utfconv._errors").map(Bound::unbind))?;
    Ok(module.bind(py).getattr(name)?.cast_into()?)
}

/// Returns the exception for a fault at the indexes `range` of `object`.
pub fn exception<'py>(
    fault: &Fault,
    object: &Bound<'py, PyAny>,
    range: Range<usize>,
    is_encoding: bool,
    encoding: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    let class = class(py, if is_encoding { "EncodeError" } else { "DecodeError" })?;
    let exception = class.call1((encoding, object, range.start, range.end, fault.reason().to_string()))?;
    exception.setattr("line", fault.line)?;
    exception.setattr("column", fault.column)?;
    exception.setattr("offset", fault.offset)?;
    let what = match fault.kind {
        FaultKind::IllFormed { .. } if is_encoding => format!("surrogate in str: {}", fault.reason()),
        _ if is_encoding => format!("{}: {}", fault.title(), fault.reason()),
        _ => fault.to_string(),
    };
    exception.setattr("message", format!("line {}, column {}: {what}", fault.line, fault.column))?;
    Ok(exception)
}

/// Returns the exception for a fault at the indexes `range` of `bytes`, which is an `EncodeError` if the target cannot
/// encode a character.
pub fn of_bytes<'py>(
    fault: &Fault,
    bytes: &Bound<'py, PyBytes>,
    range: Range<usize>,
    from: &Encoding,
) -> PyResult<Bound<'py, PyAny>> {
    match fault.kind {
        FaultKind::Unmappable { encoding, code_point, .. } => {
            let character =
                bytes.py().import("builtins")?.call_method1("chr", (code_point.min(0x10_FFFF),))?;
            exception(fault, &character, 0..1, true, encoding.name())
        }
        _ => exception(fault, bytes, range, false, from.name()),
    }
}

/// Returns the exception for a value of the wrong type. `argument` is the name of a keyword argument, or empty, because
/// Python itself notes the names of other arguments.
pub fn wrong_type(expected: &str, found: &Bound<'_, PyAny>, argument: &str) -> PyErr {
    let colon = if argument.is_empty() { "" } else { ": " };
    match found.get_type().name() {
        Ok(name) => PyTypeError::new_err(format!("{argument}{colon}expected {expected}, not {name}")),
        Err(error) => error,
    }
}

/// Returns the exception for an unknown encoding.
pub fn unknown(py: Python<'_>, name: &str, unknown: Unknown) -> PyErr {
    let problem = match unknown {
        Unknown::Name => "no such encoding; utfconv.encodings() lists all".to_string(),
        Unknown::OutOfScope(known) => format!("{known} is not supported; utfconv.encodings() lists what is"),
        Unknown::File(..) => "no such encoding; mapping files work only on the command line".to_string(),
        other => no_such(other),
    };
    let made =
        class(py, "UnknownEncodingError").and_then(|class| class.call1((format!("{name:?}: {problem}"),)));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// Shows the library's notices about a source as warnings.
pub fn warn(py: Python<'_>, notices: &[Notice]) -> PyResult<()> {
    notices.iter().try_for_each(|notice| {
        let message = std::ffi::CString::new(format!("the source {notice}")).unwrap_or_default();
        PyErr::warn(py, &py.get_type::<PyUnicodeWarning>(), &message, 1)
    })
}
