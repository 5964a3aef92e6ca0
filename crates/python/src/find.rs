//! Examines texts: detects encodings, finds faults, and repairs double encoding. Also lists encodings.

#![allow(clippy::too_many_arguments, reason = "pickle calls the constructor of `Detection` with all fields")]

use std::io::Cursor;
use std::sync::Mutex;

use memchr::{memchr, memchr_iter};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple, PyType};
use utfconv_core::{CheckItem, Checker, Encoding, FaultKind, InputBom, UTF_8};
use utfconv_detect::{Certainty, Hints, languages_of};
use utfconv_repair::{Document, Unit, window_len};

use crate::buffer::bytes_of;
use crate::errors::{warn, wrong_type};
use crate::fast;
use crate::fork::detached;
use crate::options::{Settings, all_named, is_bare, named, names_of};

/// The result of `detect`.
///
/// >>> import utfconv
/// >>> found = utfconv.detect("Съешь же ещё этих мягких французских булок".encode("cp1251"))
/// >>> found.encoding, found.codec
/// ('windows-1251', 'cp1251')
#[pyclass(frozen, get_all, eq, hash, new = "from_fields", module = "utfconv")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Detection {
    /// The name of the encoding, or None if none was found. After `register()`, Python's codecs know the name.
    encoding: Option<String>,
    /// The certainty of the answer: "certain", "likely", "guess" or "unknown".
    certainty: String,
    /// The evidence in words.
    reason: String,
    /// The language of the text in English, if statistics decided.
    language: Option<String>,
    /// Names of other encodings in which the text would read differently, the likeliest first.
    alternatives: Vec<String>,
    /// The length of the BOM in bytes.
    bom: usize,
    /// Whether the source is not text.
    is_binary: bool,
    /// Whether a conversion may rely on the encoding, which the program does if it is certain or likely.
    is_reliable: bool,
}

/// The fields of a [`Detection`], in the order in which its constructor takes them.
type DetectionFields = (Option<String>, String, String, Option<String>, Vec<String>, usize, bool, bool);

#[pymethods]
impl Detection {
    /// The name of Python's own codec that decodes the encoding, and removes the BOM if there is one; None if Python
    /// has none.
    #[getter]
    fn codec<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        let Some(encoding) = &self.encoding else { return Ok(None) };
        let find = py.import("utfconv._codecs")?.getattr("codec_of_python")?;
        Ok(find.call1((encoding, self.bom > 0))?.extract()?)
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> (Bound<'py, PyType>, DetectionFields) {
        let Detection { encoding, certainty, reason, language, alternatives, bom, is_binary, is_reliable } =
            this.get().clone();
        let fields = (encoding, certainty, reason, language, alternatives, bom, is_binary, is_reliable);
        (this.get_type(), fields)
    }

    fn __repr__(&self) -> String {
        let name = self.encoding.as_ref().map_or("None".to_string(), |name| format!("{name:?}"));
        format!("<Detection {name}: {}, {}>", self.certainty, self.reason)
    }
}

/// Detects the encoding of a text. If only some of it is UTF-8, the encoding of the rest is a guess.
///
/// >>> import utfconv
/// >>> found = utfconv.detect("Grüße aus Köln, schöne Straße und süße Äpfel".encode("latin1"))
/// >>> found.encoding, found.language
/// ('windows-1252', 'German')
/// >>> utfconv.detect("Grüße".encode()).certainty
/// 'certain'
#[pyfunction]
#[pyo3(
    signature = (data, *, candidates = Vec::new(), languages = Vec::new(), declared = None),
    text_signature = "(data, *, candidates=None, languages=None, declared=None)"
)]
pub fn detect(
    data: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = names_of)] candidates: Vec<String>,
    #[pyo3(from_py_with = names_of)] languages: Vec<String>,
    declared: Option<&str>,
) -> PyResult<Detection> {
    let py = data.py();
    let declared = declared.map(|name| named(py, name)).transpose()?.map(|name| name.encoding);
    let mut codes = Vec::new();
    for language in languages {
        let meant = languages_of(&language);
        if meant.is_empty() {
            return Err(PyValueError::new_err(format!("{language:?}: not a known language")));
        }
        codes.extend(meant);
    }
    let hints = Hints::default().candidates(all_named(py, &candidates)?).languages(codes).declared(declared);
    let bytes = bytes_of(data)?;
    let text = &*bytes;
    let found = detached(py, || utfconv_detect::detect(&mut Cursor::new(text), hints))?;
    Ok(Detection {
        encoding: found.name.map(str::to_string),
        certainty: found.certainty.word().to_string(),
        is_binary: found.is_binary(),
        is_reliable: found.certainty >= Certainty::Likely && found.encoding.is_some(),
        reason: found.reason,
        language: found.language.map(str::to_string),
        alternatives: found.alternatives.into_iter().map(str::to_string).collect(),
        bom: found.bom,
    })
}

/// An error in a text.
#[pyclass(frozen, get_all, eq, hash, new = "from_fields", module = "utfconv")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Fault {
    /// The offset of the error in bytes.
    offset: u64,
    /// The line of the error, counted from 1.
    line: u64,
    /// The column of the error, counted from 1.
    column: u64,
    /// The bytes that are in error.
    bytes: Vec<u8>,
    /// The rule that the bytes break, such as "truncated".
    kind: String,
    /// Why the bytes break the rule.
    reason: String,
    /// The error in words, with its offset.
    message: String,
}

/// The fields of a [`Fault`], in the order in which its constructor takes them.
type FaultFields<'py> = (u64, u64, u64, Bound<'py, PyBytes>, String, String, String);

#[pymethods]
impl Fault {
    fn __reduce__<'py>(this: &Bound<'py, Self>) -> (Bound<'py, PyType>, FaultFields<'py>) {
        let Fault { offset, line, column, bytes, kind, reason, message } = this.get().clone();
        let bytes = PyBytes::new(this.py(), &bytes);
        (this.get_type(), (offset, line, column, bytes, kind, reason, message))
    }

    fn __str__(&self) -> String {
        format!("{}:{}: {}", self.line, self.column, self.message)
    }

    fn __repr__(&self) -> String {
        format!("<Fault {}>", self.__str__())
    }
}

impl Fault {
    fn of(fault: &utfconv_core::Fault) -> Fault {
        let kind = match fault.kind {
            FaultKind::IllFormed { kind, .. } => kind.name(),
            _ => "BOM",
        };
        Fault {
            offset: fault.offset,
            line: fault.line,
            column: fault.column,
            bytes: fault.bytes.to_vec(),
            kind: kind.to_string(),
            reason: fault.reason().to_string(),
            message: fault.to_string(),
        }
    }
}

/// Iterates over the faults of a text, which are found one by one.
#[pyclass(module = "utfconv")]
pub struct Check {
    text: Py<PyBytes>,
    at: usize,
    checker: Mutex<Checker>,
}

#[pymethods]
impl Check {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Fault>> {
        let text = self.text.bind(py).as_bytes();
        let checker = self.checker.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        let at = &mut self.at;
        loop {
            match detached(py, || next_found(checker, text, at)) {
                // If the warning is raised as an error, no fault is lost, because none was consumed with it.
                CheckItem::Notice(notice) => warn(py, &[notice])?,
                CheckItem::Fault(fault) => {
                    *at += fault.bytes.len();
                    return Ok(Some(Fault::of(&fault)));
                }
                _ => return Ok(None),
            }
        }
    }
}

/// Returns the next item of a check that is not well-formed text. Moves `at` past the text before it.
fn next_found(checker: &mut Checker, text: &[u8], at: &mut usize) -> CheckItem {
    loop {
        match checker.next(&text[*at..], true) {
            CheckItem::Bom(len) | CheckItem::Text(len) => *at += len,
            found => return found,
        }
    }
}

/// Returns an iterator over the errors of a text.
///
/// >>> import utfconv
/// >>> for fault in utfconv.check(b"caf\xe9\n"):
/// ...     print(fault)
/// 1:4: invalid UTF-8 (truncated) at byte 3: E9 starts a sequence of 3 bytes, 1 found
/// >>> list(utfconv.check("café".encode()))
/// []
#[pyfunction]
#[pyo3(
    signature = (data, encoding = "UTF-8", **options),
    text_signature = "(data, encoding='UTF-8', *, input_bom=None, ebcdic_newline=None)"
)]
pub fn check(
    data: &Bound<'_, PyAny>,
    encoding: &str,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Check> {
    let py = data.py();
    let name = named(py, encoding)?;
    let options = Settings::read(options)?.between(Some(&name), None)?;
    let checker =
        Checker::new(name.encoding).input_bom(options.input_bom).ebcdic_newline(options.ebcdic_newline);
    let text = match data.cast::<PyBytes>() {
        Ok(bytes) => bytes.clone(),
        Err(_) => PyBytes::new(py, &bytes_of(data)?),
    };
    Ok(Check { text: text.unbind(), at: 0, checker: Mutex::new(checker) })
}

/// Undoes double encoding where it is proven. In bytes, also decodes ranges that are in other encodings.
///
/// >>> import utfconv
/// >>> utfconv.repair("Un cafÃ© et un thÃ©, sâ€™il vous plaÃ®t.")
/// 'Un café et un thé, s’il vous plaît.'
/// >>> utfconv.repair("MARQUÉ… « déjà »")
/// 'MARQUÉ… « déjà »'
/// >>> utfconv.repair(b"Gr\xc3\xbc\xc3\x9fe aus K\xc3\xb6ln\nGr\xfc\xdfe aus M\xfcnchen\n").decode()
/// 'Grüße aus Köln\nGrüße aus München\n'
#[pyfunction]
#[pyo3(signature = (text, *, candidates = Vec::new()), text_signature = "(text, *, candidates=None)")]
pub fn repair<'py>(
    text: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = names_of)] candidates: Vec<String>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = text.py();
    let candidates = all_named(py, &candidates)?;
    if let Ok(string) = text.cast::<PyString>() {
        let utf8 = crate::text::encoded(string, c"utf-8", c"strict")?;
        let source = utf8.as_bytes();
        return Ok(match detached(py, || repaired(source, &candidates)) {
            None => text.clone(),
            Some(repaired) => match fast::decoded(py, &repaired, &UTF_8) {
                Some(string) => string?.into_any(),
                None => PyString::new(py, &String::from_utf8_lossy(&repaired)).into_any(),
            },
        });
    }
    let bytes = bytes_of(text).map_err(|error| {
        if error.is_instance_of::<PyTypeError>(py) {
            wrong_type("str or a bytes-like object", text, "")
        } else {
            error
        }
    })?;
    let source = &*bytes;
    let repaired = detached(py, || repaired(source, &candidates));
    Ok(PyBytes::new(py, repaired.as_deref().unwrap_or(source)).into_any())
}

/// Returns the text with all proven repairs, or `None` if there are none.
fn repaired(source: &[u8], candidates: &[&'static Encoding]) -> Option<Vec<u8>> {
    let mut document = Document::new(Unit::Line, candidates);
    let (mut out, mut copied, mut at) = (Vec::new(), 0, 0);
    while at < source.len() {
        let (len, is_cut) = window_len(&source[at..], true);
        for change in document.next(&source[at..at + len], is_cut).changes {
            if out.is_empty() {
                // Repaired text is shorter, so reserve the length of the source.
                out.reserve(source.len());
            }
            out.extend_from_slice(&source[copied..at + change.range.start]);
            out.extend_from_slice(change.text.as_bytes());
            copied = at + change.range.end;
        }
        at += len;
    }
    if copied == 0 {
        return None;
    }
    out.extend_from_slice(&source[copied..]);
    Some(out)
}

/// Returns the canonical spelling of a name.
#[pyfunction]
pub fn canonical<'a>(py: Python<'_>, name: &'a str) -> PyResult<&'a str> {
    let known = named(py, name)?;
    Ok(if is_bare(&known) { known.encoding.name() } else { name })
}

/// Returns the encoding, with its byte order, in which a source that begins with `head` is read, and whether the source
/// can be read from the middle.
#[pyfunction]
pub fn read_as(py: Python<'_>, name: &str, head: &[u8]) -> PyResult<(&'static str, bool)> {
    let encoding = InputBom::Auto.read_as(named(py, name)?.encoding, head);
    Ok((encoding.name(), encoding.has_boundaries()))
}

/// Returns the first boundary of a source at or after index `at` of a window, as `Encoding::boundary` of the library
/// does.
#[pyfunction]
pub fn boundary(py: Python<'_>, name: &str, window: &[u8], at: usize) -> PyResult<Option<usize>> {
    Ok(named(py, name)?.encoding.boundary(window, at))
}

/// Splits UTF-8 into lines without their newlines. Returns them as Arrow stores strings: offsets of 4 bytes, and the
/// data.
#[pyfunction]
pub fn split_lines<'py>(data: &Bound<'py, PyBytes>) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
    let (py, text) = (data.py(), data.as_bytes());
    if i32::try_from(text.len()).is_err() {
        return Err(PyValueError::new_err("more than 2 GiB of lines at once"));
    }
    if memchr(b'\n', text).map_or(text.len(), |end| end + 1) == text.len() && !text.is_empty() {
        // A single line may be long, so it is not copied.
        let end = without_end(text).len() as i32;
        return Ok((PyBytes::new(py, &[[0; 4], end.to_le_bytes()].concat()), data.clone()));
    }
    let (offsets, lines) = detached(py, || {
        let mut offsets = 0_i32.to_le_bytes().to_vec();
        let mut lines = Vec::with_capacity(text.len());
        let mut start = 0;
        for end in memchr_iter(b'\n', text).map(|at| at + 1).chain([text.len()]) {
            if start < end {
                lines.extend_from_slice(without_end(&text[start..end]));
                offsets.extend_from_slice(&(lines.len() as i32).to_le_bytes());
            }
            start = end;
        }
        (offsets, lines)
    });
    Ok((PyBytes::new(py, &offsets), PyBytes::new(py, &lines)))
}

/// Returns a line without the newline at its end.
fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Returns the names of all encodings, each with its other names.
///
/// >>> import utfconv
/// >>> "latin1" in utfconv.encodings()["ISO-8859-1"]
/// True
#[pyfunction]
pub fn encodings(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    for encoding in Encoding::all() {
        all.set_item(encoding.name(), PyTuple::new(py, encoding.aliases().collect::<Vec<_>>())?)?;
    }
    Ok(all)
}
