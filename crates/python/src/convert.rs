//! Converts texts: the only loop over a transcoder, and the functions `convert`, `decode` and `encode`.

use std::sync::Mutex;

use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use utfconv_core::{
    Encoding, Fault, ISO_8859_1, InputBom, Notice, Options, OutputBom, Step, Stop, Transcoder, US_ASCII,
    UTF_8, UTF_16BE, UTF_16LE, UTF_32BE, UTF_32LE,
};

use crate::buffer::bytes_of;
use crate::errors::{exception, of_bytes, warn};
use crate::fast;
use crate::fork::detached;
use crate::options::{Settings, is_bare, named, str_of};
use crate::output::Output;
use crate::text::{self, HOST, HOST_32};
use utfconv_options::names::Name;

/// Length in bytes below which a text is copied, and converted with the GIL, because a call of Python or a release of
/// the GIL takes longer.
pub const SHORT: usize = 2 << 10;

/// A conversion in chunks.
pub struct Conversion {
    transcoder: Transcoder,
    /// Number of bytes of output that a byte of the source may become without another allocation.
    growth: usize,
    notices: Vec<Notice>,
}

/// Number of bytes at the start of a source on which notices depend at most: the BOM, and the 64 bytes after it in
/// which the library looks for the opposite byte order.
const HEAD: usize = 128;

/// Shows the warnings about a source in chunks, before a chunk is consumed, because Python may raise a warning as an
/// error.
pub struct Warner {
    from: &'static Encoding,
    to: &'static Encoding,
    options: Options,
    /// The first bytes of the source that were consumed, at most `HEAD`.
    head: Vec<u8>,
    /// Number of notices that were shown as warnings.
    shown: usize,
}

impl Warner {
    /// Creates a warner for a source whose first bytes, `head`, were consumed.
    pub fn new(from: &'static Encoding, to: &'static Encoding, options: Options, head: &[u8]) -> Warner {
        Warner { from, to, options, head: head[..head.len().min(HEAD)].to_vec(), shown: 0 }
    }

    /// Shows the warnings that the next chunk gives rise to.
    pub fn announce(&mut self, py: Python<'_>, chunk: &[u8], last: bool) -> PyResult<()> {
        if self.head.len() == HEAD {
            return Ok(());
        }
        let more = &chunk[..chunk.len().min(HEAD - self.head.len())];
        let head = [&self.head, more].concat();
        let mut rehearsal = Conversion::new(self.from, self.to, self.options.clone()).counting_faults();
        rehearsal.advance(&head, last && more.len() == chunk.len(), &mut Output::new());
        let notices = rehearsal.notices;
        let known = self.shown.min(notices.len());
        warn(py, &notices[known..])?;
        (self.head, self.shown) = (head, notices.len().max(known));
        Ok(())
    }
}

impl Conversion {
    pub fn new(from: &'static Encoding, to: &'static Encoding, options: Options) -> Conversion {
        let growth = (to.code_unit_len() / from.code_unit_len()).max(1);
        Conversion { transcoder: Transcoder::new(from, to, options), growth, notices: Vec::new() }
    }

    /// Counts faults that do not end the conversion, instead of pausing at each fault.
    pub fn counting_faults(mut self) -> Conversion {
        self.transcoder.count_faults();
        self
    }

    /// Converts `src`, and appends the output. Returns the number of bytes read, and the fault at which the conversion
    /// paused or ended, if any.
    pub fn advance(&mut self, src: &[u8], last: bool, out: &mut Output) -> (usize, Option<Fault>) {
        let mut read = 0;
        let mut least = src.len() * self.growth + 64;
        let fault = loop {
            let Step { read: more, written, stop, .. } =
                self.transcoder.step(&src[read..], out.room(least), last);
            read += more;
            out.wrote(written);
            least = 0;
            match stop {
                Stop::SourceEmpty => break None,
                Stop::SinkFull => least = src.len() + 64,
                Stop::Notice(notice) => self.notices.push(notice),
                Stop::Fault(fault) | Stop::Stopped(fault) => break Some(fault),
                _ => {}
            }
        };
        (read, fault)
    }

    /// Converts as `advance` does, with the GIL released for long texts.
    pub fn advance_detached(
        &mut self,
        py: Python<'_>,
        src: &[u8],
        last: bool,
        out: &mut Output,
    ) -> (usize, Option<Fault>) {
        match src.len() {
            ..SHORT => self.advance(src, last, out),
            _ => detached(py, || self.advance(src, last, out)),
        }
    }

    pub fn transcoder(&self) -> &Transcoder {
        &self.transcoder
    }
}

/// Converts all of `src`. Returns the output, and the fault that ended the conversion, if any.
fn all(
    py: Python<'_>,
    src: &[u8],
    from: &'static Encoding,
    to: &'static Encoding,
    options: Options,
) -> PyResult<Result<Output, Fault>> {
    let mut out = Output::new();
    let mut conversion = Conversion::new(from, to, options).counting_faults();
    let fault = conversion.advance_detached(py, src, true, &mut out).1;
    warn(py, &conversion.notices)?;
    Ok(fault.map_or(Ok(out), Err))
}

/// Converts bytes from one encoding to another.
///
/// >>> import utfconv
/// >>> utfconv.convert(b"caf\xe9", "latin1", "UTF-8")
/// b'caf\xc3\xa9'
/// >>> utfconv.convert("5 €".encode(), "UTF-8", "latin1", unmappable="replace=EUR")
/// b'5 EUR'
#[pyfunction]
#[pyo3(
    signature = (data, from_, to, **options),
    text_signature = "(data, from_, to, *, ill_formed=None, unmappable=None, per_byte=None, input_bom=None, output_bom=None, normalize=None, newline=None, ebcdic_newline=None)"
)]
pub fn convert<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    from_: &str,
    to: &str,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let settings = Settings::read(options)?;
    let (from, to) = (named(py, from_)?, named(py, to)?);
    let options = settings.between(Some(&from), Some(&to))?;
    let bytes = bytes_of(data)?;
    let converted = match settings.newline {
        None => all(py, &bytes, from.encoding, to.encoding, options)?,
        Some(newline) => {
            let first = options.clone().output_bom(OutputBom::Auto);
            let second = options.input_bom(InputBom::Keep);
            match all(py, &bytes, from.encoding, HOST, first)? {
                Ok(units) => {
                    all(py, &text::with_newlines(units.bytes(), newline), HOST, to.encoding, second)?
                }
                stopped => stopped,
            }
        }
    };
    match converted {
        Ok(out) => Ok(PyBytes::new(py, out.bytes())),
        Err(fault) => Err(decode_error(&fault, data, &bytes, &from)?),
    }
}

/// Returns the error for a fault in bytes, which is an `EncodeError` if the target cannot encode a character.
fn decode_error(fault: &Fault, data: &Bound<'_, PyAny>, bytes: &[u8], from: &Name) -> PyResult<PyErr> {
    let start = (fault.offset as usize).min(bytes.len());
    let range = start..(start + fault.bytes.len()).min(bytes.len());
    let object = match data.cast::<PyBytes>() {
        Ok(bytes) => bytes.clone(),
        Err(_) => PyBytes::new(data.py(), bytes),
    };
    of_bytes(fault, &object, range, from.encoding).map(PyErr::from_value)
}

/// Decodes bytes to a str.
///
/// >>> import utfconv
/// >>> utfconv.decode(b"\x93\xfa\x96{", "Shift_JIS")
/// '日本'
/// >>> utfconv.decode(b"ab\xff", "UTF-8", ill_formed="replace")
/// 'ab\ufffd'
#[pyfunction]
#[pyo3(
    signature = (data, encoding, **options),
    text_signature = "(data, encoding, *, ill_formed=None, unmappable=None, per_byte=None, input_bom=None, output_bom=None, normalize=None, newline=None, ebcdic_newline=None)"
)]
pub fn decode<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    encoding: &str,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyString>> {
    let settings = Settings::read(options)?;
    let from = named(py, encoding)?;
    decode_as(data, &bytes_of(data)?, &from, &settings)
}

/// Decodes `bytes`, the bytes of `data`, as the function `decode` does, with the arguments parsed.
pub fn decode_as<'py>(
    data: &Bound<'py, PyAny>,
    bytes: &[u8],
    from: &Name,
    settings: &Settings,
) -> PyResult<Bound<'py, PyString>> {
    let py = data.py();
    if settings.is_plain() {
        // In these encodings each byte has the value of its character.
        if from.encoding == &ISO_8859_1 || bytes.is_ascii() && from.encoding.is_ascii_compatible() {
            return text::from_latin1(py, bytes);
        }
        if from.signed.is_none() && Encoding::for_bom(bytes).is_none() {
            if let Some(text) = text::copied(py, bytes, from.encoding) {
                return Ok(text);
            }
            if from.encoding.code_unit_len() == 1
                && let Some(text) = fast::decoded(py, bytes, from.encoding)
            {
                return text;
            }
        }
    }
    let options = settings.between(Some(from), None)?;
    match all(py, bytes, from.encoding, HOST, options)? {
        Ok(units) => match settings.newline {
            None => text::from_utf16(py, units.bytes()),
            Some(newline) => text::from_utf16(py, &text::with_newlines(units.bytes(), newline)),
        },
        Err(fault) => Err(decode_error(&fault, data, bytes, from)?),
    }
}

/// Encodes a str.
///
/// >>> import utfconv
/// >>> utfconv.encode("日本", "EUC-JP")
/// b'\xc6\xfc\xcb\xdc'
/// >>> utfconv.encode("naïve", "ASCII", unmappable="translit")
/// b'naive'
#[pyfunction]
#[pyo3(
    signature = (text, encoding, **options),
    text_signature = "(text, encoding, *, ill_formed=None, unmappable=None, per_byte=None, input_bom=None, output_bom=None, normalize=None, newline=None, ebcdic_newline=None)"
)]
pub fn encode<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = str_of)] text: Bound<'py, PyString>,
    encoding: &str,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let settings = Settings::read(options)?;
    let to = named(py, encoding)?;
    encode_as(&text, &to, &settings)
}

/// Encodes a str as the function `encode` does, with the arguments parsed.
pub fn encode_as<'py>(
    text: &Bound<'py, PyString>,
    to: &Name,
    settings: &Settings,
) -> PyResult<Bound<'py, PyBytes>> {
    let py = text.py();
    if settings.is_plain()
        && is_bare(to)
        && let Some(bytes) = fast::encoded_tiny(text, to.encoding)
    {
        return Ok(bytes);
    }
    // U+FEFF in a str is text, never a BOM.
    let options = settings.between(None, Some(to))?.input_bom(InputBom::Text);
    let is_plain = settings.is_plain() && to.signed != Some(true);
    if is_plain
        && let Some(encode) = codec_of_python(to.encoding)
        && let Ok(bytes) = encode(text)
    {
        return Ok(bytes);
    }
    if is_plain
        && to.encoding.is_ascii_compatible()
        && text.call_method0(intern!(py, "isascii"))?.is_truthy()?
    {
        return text::to_ascii(text);
    }
    // Most strings have no surrogates, so try UTF-16 first.
    let (source, from) = match text::to_utf16_strictly(text) {
        Some(source) => (source, HOST),
        None if settings.newline.is_none() => (text::to_utf32(text)?, HOST_32),
        None => (text::to_utf16(text)?, HOST),
    };
    let units = &source.as_bytes()[from.code_unit_len()..];
    let rewritten = settings.newline.map(|newline| text::with_newlines(units, newline));
    let units = rewritten.as_deref().unwrap_or(units);
    if is_plain
        && is_bare(to)
        && to.encoding.code_unit_len() == 1
        && from == HOST
        && let Some(out) = fast::converted(py, units, from, to.encoding)
    {
        return Ok(PyBytes::new(py, out.bytes()));
    }
    match all(py, units, from, to.encoding, options)? {
        Ok(out) => Ok(PyBytes::new(py, out.bytes())),
        Err(fault) => Err(encode_error(&fault, text, units, from.code_unit_len(), to.encoding)?),
    }
}

/// Returns the error for a character of a str; the offset of `fault` counts code units of `unit` bytes.
fn encode_error(
    fault: &Fault,
    text: &Bound<'_, PyString>,
    units: &[u8],
    unit: usize,
    to: &Encoding,
) -> PyResult<PyErr> {
    let at = (fault.offset as usize).min(units.len());
    let start = if unit == HOST.code_unit_len() { text::characters(&units[..at]) } else { at / unit };
    let start = start.min(text.len()?);
    exception(fault, text, start..(start + 1).min(text.len()?), true, to.name()).map(PyErr::from_value)
}

/// A function of CPython that encodes a str.
type Encode = for<'py> fn(&Bound<'py, PyString>) -> PyResult<Bound<'py, PyBytes>>;

/// Returns the codec of CPython that only copies characters, because it is faster. Its errors are not used.
fn codec_of_python(encoding: &Encoding) -> Option<Encode> {
    Some(match encoding {
        _ if encoding == &UTF_8 => text::to_utf8,
        _ if encoding == &ISO_8859_1 => text::to_latin1,
        _ if encoding == &US_ASCII => text::to_ascii,
        _ if encoding == &UTF_16LE => |text| text::encoded(text, c"utf-16-le", c"strict"),
        _ if encoding == &UTF_16BE => |text| text::encoded(text, c"utf-16-be", c"strict"),
        _ if encoding == &UTF_32LE => |text| text::encoded(text, c"utf-32-le", c"strict"),
        _ if encoding == &UTF_32BE => |text| text::encoded(text, c"utf-32-be", c"strict"),
        _ => return None,
    })
}

/// A conversion of bytes that come in chunks.
///
/// >>> import utfconv
/// >>> converter = utfconv.Converter("UTF-16LE", "UTF-8")
/// >>> converter.convert(b"\xe9") + converter.convert(b"\x00", last=True)
/// b'\xc3\xa9'
#[pyclass(module = "utfconv")]
pub struct Converter {
    /// The conversion; `None` after its end.
    conversion: Mutex<Option<Conversion>>,
    warner: Warner,
    from: &'static Encoding,
    fed: u64,
}

#[pymethods]
impl Converter {
    #[new]
    #[pyo3(
        signature = (from_, to, **options),
        text_signature = "(from_, to, *, ill_formed=None, unmappable=None, per_byte=None, input_bom=None, output_bom=None, normalize=None, ebcdic_newline=None)"
    )]
    fn new(
        py: Python<'_>,
        from_: &str,
        to: &str,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Converter> {
        let settings = Settings::read(options)?;
        if settings.newline.is_some() {
            return Err(PyValueError::new_err("newline= is for whole texts; use convert()"));
        }
        let (from, to) = (named(py, from_)?, named(py, to)?);
        let options = settings.between(Some(&from), Some(&to))?;
        let warner = Warner::new(from.encoding, to.encoding, options.clone(), &[]);
        let conversion = Conversion::new(from.encoding, to.encoding, options).counting_faults();
        Ok(Converter { conversion: Mutex::new(Some(conversion)), warner, from: from.encoding, fed: 0 })
    }

    /// Converts the next chunk; `last` means that no chunk follows.
    #[pyo3(signature = (data, last = false))]
    fn convert<'py>(&mut self, data: &Bound<'py, PyAny>, last: bool) -> PyResult<Bound<'py, PyBytes>> {
        let py = data.py();
        let bytes = bytes_of(data)?;
        let slot = self.conversion.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        let conversion = slot.as_mut().ok_or_else(|| PyValueError::new_err("the conversion has ended"))?;
        self.warner.announce(py, &bytes, last)?;
        let mut out = Output::new();
        let (_, fault) = conversion.advance_detached(py, &bytes, last, &mut out);
        let before = self.fed;
        self.fed += bytes.len() as u64;
        if last || fault.is_some() {
            *slot = None;
        }
        let Some(fault) = fault else { return Ok(PyBytes::new(py, out.bytes())) };
        // The sequence may begin in an earlier chunk.
        let is_here = fault.offset >= before;
        let object = if is_here { PyBytes::new(py, &bytes) } else { PyBytes::new(py, &fault.bytes) };
        let start = if is_here { (fault.offset - before) as usize } else { 0 };
        let range = start..start + fault.bytes.len();
        let error = of_bytes(&fault, &object, range, self.from)?;
        error.setattr("converted", PyBytes::new(py, out.bytes()))?;
        Err(PyErr::from_value(error))
    }
}
