//! Makes codecs for Python's module `codecs`: incremental decoders and encoders with Python's error handlers.
//!
//! If a policy of the library does the same as an error handler, the policy is used. Other handlers are called with
//! each fault, and their results are added to the output.

use std::sync::Mutex;

use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyString};
use utfconv_core::{Encoding, Fault, InputBom, OnIllFormed, OnUnmappable, Options, OutputBom, Policy};

use crate::buffer::bytes_of;
use crate::convert::{Conversion, Warner, decode_as, encode_as};
use crate::errors::exception;
use crate::options::{Settings, named, str_of};
use crate::output::Output;
use crate::text::{self, BOM, HOST, HOST_32, UNIT_32};
use utfconv_options::names::Name;

/// A conversion that one method uses at a time.
type Held = Mutex<Conversion>;

fn unlocked(held: &mut Held) -> &mut Conversion {
    held.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// How errors are handled: by a policy, or by a Python function.
enum Handler {
    Policy(OnIllFormed, OnUnmappable),
    Called(Py<PyAny>),
}

impl Handler {
    fn new(py: Python<'_>, errors: &str, is_encoding: bool) -> PyResult<Handler> {
        Ok(match errors {
            "strict" => Handler::Policy(OnIllFormed::Stop, OnUnmappable::Stop),
            "ignore" => Handler::Policy(OnIllFormed::Omit, OnUnmappable::Omit),
            "replace" => {
                let text = is_encoding.then(|| "?".to_string());
                Handler::Policy(OnIllFormed::Replace(text.clone()), OnUnmappable::Replace(text))
            }
            other => Handler::Called(py.import("codecs")?.call_method1("lookup_error", (other,))?.unbind()),
        })
    }

    fn conversion(&self, from: &'static Encoding, to: &'static Encoding, options: Options) -> Conversion {
        let (ill_formed, unmappable) = match self {
            Handler::Policy(ill_formed, unmappable) => (ill_formed.clone(), unmappable.clone()),
            Handler::Called(_) => (OnIllFormed::Omit, OnUnmappable::Omit),
        };
        let options = options.policy(Policy::default().ill_formed(ill_formed).unmappable(unmappable));
        let conversion = Conversion::new(from, to, options);
        match self {
            Handler::Policy(..) => conversion.counting_faults(),
            Handler::Called(_) => conversion,
        }
    }

    /// Calls the handler with an exception. Returns the replacement, and the index at which to continue.
    fn call<'py>(&self, exception: Bound<'py, PyAny>, len: usize) -> PyResult<(Bound<'py, PyAny>, usize)> {
        let Handler::Called(handler) = self else { return Err(PyErr::from_value(exception)) };
        let answer = handler.bind(exception.py()).call1((exception,))?;
        let wrong = |_| PyTypeError::new_err("an error handler must return a tuple of str and int");
        let (text, next) = answer.extract::<(Bound<'py, PyAny>, Bound<'py, PyInt>)>().map_err(wrong)?;
        let index = match next.extract::<isize>() {
            Ok(index) if index < 0 => index + len as isize,
            Ok(index) => index,
            Err(_) => -1,
        };
        if index < 0 || index as usize > len {
            return Err(PyIndexError::new_err(format!("position {next} from error handler out of bounds")));
        }
        Ok((text, index as usize))
    }
}

/// Decodes bytes that come in chunks, for an incremental decoder of Python.
#[pyclass(module = "utfconv._utfconv")]
pub struct Decoder {
    name: Name,
    handler: Handler,
    conversion: Held,
    warner: Warner,
    /// Number of bytes of the source before the first byte that `conversion` has read.
    origin: u64,
    /// The bytes that were read but not decoded yet.
    pending: Vec<u8>,
    /// Number of bytes passed to the decoder so far.
    fed: u64,
}

/// The number for a state inside a shift state, which cannot be restored.
const SHIFTED: u64 = 1 << 32;

/// The state of an encoder at the start of a text, with the number that CPython's UTF-16 uses. After the start, the
/// state is 0.
const AT_START: u64 = 2;

/// The state of a decoder inside a text.
struct Place {
    pending: Vec<u8>,
    /// The encoding, with the byte order, that the start of the text decided; `None` before that.
    encoding: Option<&'static Encoding>,
}

#[pymethods]
impl Decoder {
    #[new]
    #[pyo3(signature = (encoding, errors = "strict"))]
    fn new(py: Python<'_>, encoding: &str, errors: &str) -> PyResult<Decoder> {
        Decoder::of(py, named(py, encoding)?, errors)
    }

    /// Decodes the next chunk.
    #[pyo3(signature = (data, last = false))]
    fn decode<'py>(&mut self, data: &Bound<'py, PyAny>, last: bool) -> PyResult<Bound<'py, PyString>> {
        self.decode_chunk(data.py(), &bytes_of(data)?, last)
    }

    /// Begins a new text.
    fn reset(&mut self) -> PyResult<()> {
        self.restart(self.name.encoding, begin(&self.name)?, 0, Vec::new());
        Ok(())
    }

    /// Returns the pending bytes, and the state of the decoder as a number.
    fn state<'py>(&mut self, py: Python<'py>) -> (Bound<'py, PyBytes>, u64) {
        let state = match self.place() {
            None => SHIFTED,
            Some(Place { encoding: None, .. }) => 0,
            Some(Place { encoding: Some(encoding), .. }) => {
                Encoding::all().position(|known| known == encoding).map_or(0, |at| at as u64 + 1)
            }
        };
        (PyBytes::new(py, &self.pending), state)
    }

    /// Restores a state. Returns false if that is not possible.
    fn set_state(&mut self, pending: &[u8], state: u64) -> PyResult<bool> {
        let encoding = match state {
            0 => None,
            SHIFTED => return Ok(false),
            number => match Encoding::all().nth(number as usize - 1) {
                Some(encoding) => Some(encoding),
                None => return Ok(false),
            },
        };
        self.go_back(Place { pending: pending.to_vec(), encoding })?;
        Ok(true)
    }
}

impl Decoder {
    fn of(py: Python<'_>, name: Name, errors: &str) -> PyResult<Decoder> {
        let handler = Handler::new(py, errors, false)?;
        let options = begin(&name)?;
        let warner = Warner::new(name.encoding, HOST, options.clone(), &[]);
        let conversion = Mutex::new(handler.conversion(name.encoding, HOST, options));
        Ok(Decoder { name, handler, conversion, warner, origin: 0, pending: Vec::new(), fed: 0 })
    }

    /// Returns the place in the text, or `None` inside a shift state.
    fn place(&mut self) -> Option<Place> {
        let is_begun = self.fed > self.pending.len() as u64;
        let transcoder = unlocked(&mut self.conversion).transcoder();
        let encoding = transcoder.encoding();
        if is_begun && encoding.is_stateful() && transcoder.checkpoint().is_none() {
            return None;
        }
        Some(Place { pending: self.pending.clone(), encoding: is_begun.then_some(encoding) })
    }

    fn go_back(&mut self, place: Place) -> PyResult<()> {
        let options = begin(&self.name)?;
        match place.encoding {
            None => self.restart(self.name.encoding, options, 0, place.pending),
            Some(encoding) => self.restart(encoding, options.input_bom(InputBom::Text), 1, place.pending),
        }
        Ok(())
    }

    /// Continues at the offset `at`, with bytes that were read before but are not decoded yet.
    fn restart(&mut self, from: &'static Encoding, options: Options, at: u64, pending: Vec<u8>) {
        self.warner = Warner::new(from, HOST, options.clone(), &pending);
        let mut conversion = self.handler.conversion(from, HOST, options);
        conversion.advance(&pending, false, &mut Output::new());
        self.conversion = Mutex::new(conversion);
        (self.origin, self.fed) = (at, at + pending.len() as u64);
        self.pending = pending;
    }

    fn decode_chunk<'py>(
        &mut self,
        py: Python<'py>,
        bytes: &[u8],
        last: bool,
    ) -> PyResult<Bound<'py, PyString>> {
        self.warner.announce(py, bytes, last)?;
        let before = self.place();
        let result = self.decode_piece(py, bytes, last);
        match (&result, before) {
            (Ok(_), _) if !last => {}
            // Like CPython's decoders, do not consume a chunk with an error.
            (Err(_), Some(before)) => self.go_back(before)?,
            // After the last chunk, the next chunk belongs to another text.
            _ => self.reset()?,
        }
        text::from_utf16(py, result?.bytes())
    }

    /// Decodes a chunk to UTF-16.
    fn decode_piece(&mut self, py: Python<'_>, bytes: &[u8], last: bool) -> PyResult<Output> {
        // The bytes in exceptions begin with the pending bytes.
        let start = self.fed - self.pending.len() as u64;
        self.fed += bytes.len() as u64;
        let held = self.pending.len();
        let (mut out, mut at) = (Output::new(), 0);
        loop {
            let conversion = unlocked(&mut self.conversion);
            let (read, fault) = conversion.advance_detached(py, &bytes[at..], last, &mut out);
            at += read;
            let Some(fault) = fault else { break };
            let seen = [&self.pending, bytes].concat();
            let from = ((self.origin + fault.offset).saturating_sub(start) as usize).min(seen.len());
            let range = from..(from + fault.bytes.len()).min(seen.len());
            let object = PyBytes::new(py, &seen);
            let error = exception(&fault, &object, range.clone(), false, self.name.encoding.name())?;
            let (text, next) = self.handler.call(error, seen.len())?;
            let text = text
                .cast_into::<PyString>()
                .map_err(|_| PyTypeError::new_err("an error handler of a decoder must return str"))?;
            out.push(&text::to_utf16(&text)?.as_bytes()[BOM..]);
            if next != range.end {
                self.go_to(start + next as u64);
                // Beyond the index at which to continue, no bytes are pending.
                let rest = seen[next.min(held)..held].to_vec();
                let conversion = unlocked(&mut self.conversion);
                conversion.advance(&rest, false, &mut out);
                at = next.saturating_sub(held);
            }
        }
        self.keep_pending(bytes);
        Ok(out)
    }

    /// Continues at another offset of the source.
    fn go_to(&mut self, offset: u64) {
        let encoding = unlocked(&mut self.conversion).transcoder().encoding();
        let options = Options::default().input_bom(InputBom::Text).output_bom(OutputBom::Never);
        self.conversion = Mutex::new(self.handler.conversion(encoding, HOST, options));
        self.origin = offset;
    }

    /// Keeps the bytes that were read but not decoded.
    fn keep_pending(&mut self, bytes: &[u8]) {
        let decoded = self.origin + unlocked(&mut self.conversion).transcoder().position().offset();
        let waiting = self.fed.saturating_sub(decoded) as usize;
        self.pending.extend_from_slice(bytes);
        let from = self.pending.len().saturating_sub(waiting);
        self.pending.drain(..from);
    }
}

/// Returns the options at the start of a text.
fn begin(name: &Name) -> PyResult<Options> {
    Settings::default().between(Some(name), None)
}

/// Encodes strings that come in chunks, for an incremental encoder of Python.
#[pyclass(module = "utfconv._utfconv")]
pub struct Encoder {
    name: Name,
    handler: Handler,
    conversion: Held,
    /// Number of bytes of UTF-32 that were fed, including replacements.
    fed: u64,
    /// Whether text was written, so that no BOM may follow.
    is_begun: bool,
}

#[pymethods]
impl Encoder {
    #[new]
    #[pyo3(signature = (encoding, errors = "strict"))]
    fn new(py: Python<'_>, encoding: &str, errors: &str) -> PyResult<Encoder> {
        Encoder::of(py, named(py, encoding)?, errors)
    }

    /// Encodes the next chunk.
    #[pyo3(signature = (text, last = false))]
    fn encode<'py>(
        &mut self,
        #[pyo3(from_py_with = str_of)] text: Bound<'py, PyString>,
        last: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let result = self.encode_piece(&text, last);
        match &result {
            Ok(_) if !last => self.is_begun |= !text.is_empty()?,
            Ok(_) => self.begin(false)?,
            // No output of the chunk is kept, so a BOM is due afterwards only if it was due before.
            Err(_) => self.begin(self.is_begun)?,
        }
        Ok(PyBytes::new(text.py(), result?.bytes()))
    }

    /// Begins a new text.
    fn reset(&mut self) -> PyResult<()> {
        self.begin(false)
    }

    /// Returns the state as a number; 0 means that text can follow without a BOM.
    fn state(&mut self) -> u64 {
        let is_shifted = self.fed > 0 && unlocked(&mut self.conversion).transcoder().checkpoint().is_none();
        match self.is_begun {
            false => AT_START,
            true if is_shifted => SHIFTED,
            true => 0,
        }
    }

    /// Restores a state. Returns false if that is not possible.
    fn set_state(&mut self, state: u64) -> PyResult<bool> {
        if state == SHIFTED {
            return Ok(false);
        }
        self.begin(state == 0)?;
        Ok(true)
    }
}

impl Encoder {
    fn of(py: Python<'_>, name: Name, errors: &str) -> PyResult<Encoder> {
        let handler = Handler::new(py, errors, true)?;
        let options = encoding_options(&name, false)?;
        let conversion = Mutex::new(handler.conversion(HOST_32, name.encoding, options));
        Ok(Encoder { name, handler, conversion, fed: 0, is_begun: false })
    }

    /// Begins a new text, or a text that continues earlier text if `is_begun`.
    fn begin(&mut self, is_begun: bool) -> PyResult<()> {
        let options = encoding_options(&self.name, is_begun)?;
        self.conversion = Mutex::new(self.handler.conversion(HOST_32, self.name.encoding, options));
        (self.fed, self.is_begun) = (0, is_begun);
        Ok(())
    }

    fn encode_piece(&mut self, text: &Bound<'_, PyString>, last: bool) -> PyResult<Output> {
        let py = text.py();
        let source = text::to_utf32(text)?;
        let units = &source.as_bytes()[UNIT_32..];
        let (mut out, mut at) = (Output::new(), 0);
        // The offset of the first code unit in the conversion.
        let mut base = self.fed;
        loop {
            let conversion = unlocked(&mut self.conversion);
            let (read, fault) = conversion.advance_detached(py, &units[at..], last, &mut out);
            self.fed += read as u64;
            at += read;
            let Some(fault) = fault else { return Ok(out) };
            let error = self.error(&fault, text, base)?;
            let end: usize = error.getattr("end")?.extract()?;
            let raised = error.clone();
            let (replacement, next) = self.handler.call(error, text.len()?)?;
            match replacement.cast_into::<PyString>() {
                Ok(replacement) => self.insert(&replacement, raised, &mut out)?,
                Err(other) => {
                    let bytes = other.into_inner().cast_into::<PyBytes>().map_err(|_| {
                        PyTypeError::new_err("an error handler of an encoder must return str or bytes")
                    })?;
                    out.push(bytes.as_bytes());
                }
            }
            if next != end {
                at = next * UNIT_32;
            }
            base = self.fed.wrapping_sub(at as u64);
        }
    }

    /// Encodes a replacement in the current state. If the target cannot encode the replacement, raises the error of the
    /// replaced character.
    fn insert(
        &mut self,
        text: &Bound<'_, PyString>,
        raised: Bound<'_, PyAny>,
        out: &mut Output,
    ) -> PyResult<()> {
        let source = text::to_utf32(text)?;
        let units = &source.as_bytes()[UNIT_32..];
        let (read, fault) = unlocked(&mut self.conversion).advance(units, false, out);
        self.fed += read as u64;
        fault.map_or(Ok(()), |_| Err(PyErr::from_value(raised)))
    }

    fn error<'py>(
        &self,
        fault: &Fault,
        text: &Bound<'py, PyString>,
        base: u64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let start = fault.offset.wrapping_sub(base) as usize / UNIT_32;
        exception(fault, text, start..start + 1, true, self.name.encoding.name())
    }
}

/// Returns the options of an encoder, for which U+FEFF in a str is text.
fn encoding_options(name: &Name, continues: bool) -> PyResult<Options> {
    let options = Settings::default().between(None, Some(name))?;
    Ok(options.input_bom(InputBom::Text).continues(continues))
}

/// A codec: decodes and encodes whole texts with an error handler of Python. Both methods also return the length of
/// their input.
#[pyclass(frozen, module = "utfconv._utfconv")]
pub struct Codec {
    name: Name,
}

#[pymethods]
impl Codec {
    #[new]
    fn new(py: Python<'_>, encoding: &str) -> PyResult<Codec> {
        Ok(Codec { name: named(py, encoding)? })
    }

    #[pyo3(signature = (input, errors = "strict"))]
    fn decode<'py>(
        &self,
        input: &Bound<'py, PyAny>,
        errors: &str,
    ) -> PyResult<(Bound<'py, PyString>, usize)> {
        let bytes = bytes_of(input)?;
        let text = match errors {
            "strict" => decode_as(input, &bytes, &self.name, &Settings::read(None)?)?,
            _ => {
                Decoder::of(input.py(), self.name.clone(), errors)?.decode_chunk(input.py(), &bytes, true)?
            }
        };
        Ok((text, bytes.len()))
    }

    #[pyo3(signature = (input, errors = "strict"))]
    fn encode<'py>(
        &self,
        #[pyo3(from_py_with = str_of)] input: Bound<'py, PyString>,
        errors: &str,
    ) -> PyResult<(Bound<'py, PyBytes>, usize)> {
        let bytes = match errors {
            "strict" => encode_as(&input, &self.name, &Settings::read(None)?)?,
            _ => Encoder::of(input.py(), self.name.clone(), errors)?.encode(input.clone(), true)?,
        };
        Ok((bytes, input.len()?))
    }
}
