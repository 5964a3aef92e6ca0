//! Converts all values of an Arrow array from its buffers.

use std::ops::Range;

use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use utfconv_core::kernels::{self, Kernel};
use utfconv_core::{Encoding, Fault, InputBom, Options, UTF_8};

use crate::buffer::{Bytes, bytes_of_arrow};
use crate::convert::Conversion;
use crate::errors::of_bytes;
use crate::fork::detached;
use crate::options::{Settings, is_bare, named};
use crate::output::Output;

/// The layout in which an array stores its values.
enum Layout<'a> {
    /// Offsets of `width` bytes each into a single buffer.
    Offsets { offsets: &'a [u8], width: usize, data: &'a [u8] },
    /// Views of 16 bytes each, which hold the value itself, or its buffer and its offset in the buffer.
    Views { views: &'a [u8], buffers: Vec<&'a [u8]> },
}

/// The buffers of an array, and the range of its values to convert.
struct Values<'a> {
    layout: Layout<'a>,
    /// A bit for each value, set if the value is not null.
    validity: Option<&'a [u8]>,
    range: Range<usize>,
}

/// Reads a little-endian number of `width` bytes from an array of such numbers.
fn number(array: &[u8], index: usize, width: usize) -> Option<i64> {
    let bytes = array.get(index.checked_mul(width)?..)?.get(..width)?;
    Some(match width {
        4 => i32::from_le_bytes(bytes.try_into().ok()?).into(),
        _ => i64::from_le_bytes(bytes.try_into().ok()?),
    })
}

impl<'a> Values<'a> {
    fn is_null(&self, index: usize) -> Option<bool> {
        let Some(validity) = self.validity else { return Some(false) };
        validity.get(index / 8).map(|byte| byte >> (index % 8) & 1 == 0)
    }

    /// Returns the value at an index, or `None` if the buffers do not contain it.
    fn get(&self, index: usize) -> Option<&'a [u8]> {
        match &self.layout {
            Layout::Offsets { offsets, width, data } => {
                let [start, end] = [index, index + 1].map(|at| number(offsets, at, *width));
                data.get(usize::try_from(start?).ok()?..usize::try_from(end?).ok()?)
            }
            Layout::Views { views, buffers } => {
                let view = views.get(index.checked_mul(16)?..)?.get(..16)?;
                let len = usize::try_from(number(view, 0, 4)?).ok()?;
                if len <= 12 {
                    return view.get(4..4 + len);
                }
                let [buffer, start] =
                    [2, 3].map(|at| number(view, at, 4).and_then(|n| usize::try_from(n).ok()));
                buffers.get(buffer?)?.get(start?..)?.get(..len)
            }
        }
    }
}

/// Why the conversion of an array ended.
enum Failure {
    Fault(usize, Fault),
    Offsets(usize),
    TooLong,
}

/// Converts values one by one.
struct Converter {
    from: &'static Encoding,
    to: &'static Encoding,
    options: Options,
    /// The kernel, which converts well-formed values that have no BOM.
    kernel: Option<&'static Kernel>,
}

impl Converter {
    fn new(from: &'static Encoding, to: &'static Encoding, options: Options, is_plain: bool) -> Converter {
        // A kernel writes no BOM, but UTF-16 and UTF-32, which have two byte orders, begin with one.
        let is_direct = is_plain && to.orders().count() == 1;
        let kernel = if is_direct { kernels::shared(from, to) } else { None };
        Converter { from, to, options, kernel }
    }

    /// Appends the converted value to `out`. Returns the fault that ends the conversion, if there is one.
    fn convert(&mut self, value: &[u8], out: &mut Output) -> Option<Fault> {
        if let Some(kernel) = self.kernel
            && Encoding::for_bom(value).is_none()
        {
            let (read, written) = kernel(value, out.room(4 * value.len() + 64));
            if read == value.len() {
                out.wrote(written);
                return None;
            }
        }
        let mut conversion = Conversion::new(self.from, self.to, self.options.clone()).counting_faults();
        conversion.advance(value, true, out).1
    }

    /// Converts all values. Returns the data, and the offsets of `width` bytes each: one for each value before and in
    /// the range of the array, and one more.
    fn convert_all(&mut self, values: &Values<'_>, width: usize) -> Result<(Vec<u8>, Output), Failure> {
        let mut offsets = vec![0; (values.range.start + 1) * width];
        offsets.reserve(values.range.len() * width);
        let mut out = Output::new();
        for index in values.range.clone() {
            if !values.is_null(index).ok_or(Failure::Offsets(index))? {
                let value = values.get(index).ok_or(Failure::Offsets(index))?;
                if let Some(fault) = self.convert(value, &mut out) {
                    return Err(Failure::Fault(index, fault));
                }
            }
            let filled = out.bytes().len();
            if width == 4 && filled > i32::MAX as usize {
                return Err(Failure::TooLong);
            }
            offsets.extend_from_slice(&(filled as u64).to_le_bytes()[..width]);
        }
        Ok((offsets, out))
    }
}

/// Converts the values of an array from its buffers: decodes them to UTF-8, or encodes them from UTF-8. `width` is
/// the number of bytes of an offset, or 16 for views, whose result has offsets of 8 bytes. Returns the offsets and
/// the data, for an array with the same offset and the same validity.
#[pyfunction]
#[pyo3(signature = (buffers, width, start, count, encoding, is_encoding, **options))]
pub fn convert_values<'py>(
    buffers: Vec<Option<Bound<'py, PyAny>>>,
    width: usize,
    start: usize,
    count: usize,
    encoding: Bound<'py, PyString>,
    is_encoding: bool,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
    let py = encoding.py();
    let settings = Settings::read(options)?;
    if settings.newline.is_some() {
        return Err(PyValueError::new_err("newline= is not for arrays"));
    }
    let name = named(py, &encoding.to_cow()?)?;
    let (from, to, options) = if is_encoding {
        (&UTF_8, name.encoding, settings.between(None, Some(&name))?.input_bom(InputBom::Text))
    } else {
        (name.encoding, &UTF_8, settings.between(Some(&name), None)?)
    };
    let held: Vec<Option<Bytes<'_, 'py>>> = buffers
        .iter()
        .map(|buffer| buffer.as_ref().map(bytes_of_arrow).transpose())
        .collect::<PyResult<_>>()?;
    let bytes = |at: usize| held.get(at).and_then(Option::as_deref);
    let layout = match width {
        4 | 8 => Layout::Offsets {
            offsets: bytes(1).unwrap_or_default(),
            width,
            data: bytes(2).unwrap_or_default(),
        },
        16 => Layout::Views {
            views: bytes(1).unwrap_or_default(),
            buffers: (2..held.len()).map(|at| bytes(at).unwrap_or_default()).collect(),
        },
        _ => return Err(PyValueError::new_err("width: expected 4, 8 or 16")),
    };
    let end = start.checked_add(count).ok_or_else(|| PyValueError::new_err("the array is too long"))?;
    let least = end.checked_mul(width).ok_or_else(|| PyValueError::new_err("the array is too long"))?;
    if count > 0 && bytes(1).unwrap_or_default().len() < least {
        return Err(PyValueError::new_err("the offsets of the array are wrong: there are too few"));
    }
    let values = Values { layout, validity: bytes(0), range: start..end };
    let is_plain = settings.is_plain() && is_bare(&name);
    let converted =
        detached(py, || Converter::new(from, to, options, is_plain).convert_all(&values, width.min(8)));
    match converted {
        Ok((offsets, data)) => Ok((PyBytes::new(py, &offsets), PyBytes::new(py, data.bytes()))),
        Err(failure) => Err(error(py, failure, &values, from)?),
    }
}

fn error(py: Python<'_>, failure: Failure, values: &Values<'_>, from: &Encoding) -> PyResult<PyErr> {
    let row = |index: usize| index - values.range.start;
    Ok(match failure {
        Failure::Offsets(index) => {
            PyValueError::new_err(format!("row {}: the offsets of the array are wrong", row(index)))
        }
        Failure::TooLong => PyOverflowError::new_err(
            "the result has more than 2 GiB; cast the array to a large type, or cut it",
        ),
        Failure::Fault(index, fault) => {
            let value = PyBytes::new(py, values.get(index).unwrap_or_default());
            let start = fault.offset as usize;
            let made = of_bytes(&fault, &value, start..start + fault.bytes.len(), from)?;
            let message: String = made.getattr("message")?.extract()?;
            made.setattr("row", row(index))?;
            made.setattr("message", format!("row {}: {message}", row(index)))?;
            PyErr::from_value(made)
        }
    })
}
