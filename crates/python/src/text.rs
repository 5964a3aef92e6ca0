//! Python strings as UTF-16 in the byte order of the host, including lone surrogates. CPython reads and writes strings
//! fastest in that form.

use std::ffi::{CStr, c_char, c_int, c_void};

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use utfconv_core::{Encoding, UTF_16BE, UTF_16LE, UTF_32BE, UTF_32LE};
use utfconv_scan::newlines::{NewlineStyle, Rewriter, Units};

use crate::output::Output;

/// UTF-16 in the byte order of the host.
pub const HOST: &Encoding = if cfg!(target_endian = "little") { &UTF_16LE } else { &UTF_16BE };

/// UTF-32 in the byte order of the host, for strings with surrogates, which a str can hold.
pub const HOST_32: &Encoding = if cfg!(target_endian = "little") { &UTF_32LE } else { &UTF_32BE };

/// Number of bytes of a character in UTF-32, and of its BOM.
pub const UNIT_32: usize = 4;

/// Returns the string of UTF-16 in the byte order of the host, which may have lone surrogates.
pub fn from_utf16<'py>(py: Python<'py>, units: &[u8]) -> PyResult<Bound<'py, PyString>> {
    let order = if cfg!(target_endian = "little") { -1 } else { 1 };
    let text = units.chunks_exact(2).map(|unit| u16::from_ne_bytes([unit[0], unit[1]]));
    if is_narrow(text.clone()) {
        // Narrow text is detected here, because CPython takes longer to detect it.
        let mut narrow = Output::new();
        let room = &mut narrow.room(units.len() / 2)[..units.len() / 2];
        room.iter_mut().zip(text).for_each(|(byte, unit)| *byte = unit as u8);
        narrow.wrote(units.len() / 2);
        return from_latin1(py, narrow.bytes());
    }
    let has_surrogate = text.fold(false, |any, unit| any | (unit & 0xF800 == 0xD800));
    if !has_surrogate
        && units.as_ptr().cast::<u64>().is_aligned()
        && let Some(copy) = from_kind()
    {
        return decoded(py, units, |at, len| {
            // SAFETY: `at` points to `len` bytes, aligned for code units of two bytes, which are not changed during the
            // call.
            unsafe { copy(2, at.cast(), len / 2) }
        });
    }
    decoded(py, units, |at, len| {
        let mut order: c_int = order;
        // SAFETY: `at` points to `len` bytes, which are not changed during the call; the other pointers are to values
        // that outlive the call.
        unsafe { ffi::PyUnicode_DecodeUTF16(at, len, c"surrogatepass".as_ptr(), &mut order) }
    })
}

/// Whether all code units are below 0x100. Stops early if one of the first code units is not.
fn is_narrow(units: impl Iterator<Item = u16> + Clone) -> bool {
    let is = |units: &mut dyn Iterator<Item = u16>| units.fold(0, |all, unit| all | unit) < 0x100;
    is(&mut units.clone().take(64)) && units.fold(0, |all, unit| all | unit) < 0x100
}

/// The type of `PyUnicode_FromKindAndData`, which makes a string of code units of 1, 2 or 4 bytes.
type FromKind = unsafe extern "C" fn(c_int, *const c_void, ffi::Py_ssize_t) -> *mut ffi::PyObject;

/// Returns the function of CPython that copies code units, which is faster than a decoder that examines each. The
/// function is documented, but not in the stable ABI, so the decoder is used with interpreters that do not export it.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn from_kind() -> Option<FromKind> {
    use std::sync::OnceLock;

    unsafe extern "C" {
        fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
    }
    static FOUND: OnceLock<Option<FromKind>> = OnceLock::new();
    *FOUND.get_or_init(|| {
        // RTLD_DEFAULT searches all that the process has loaded.
        let all = if cfg!(target_os = "macos") { -2_isize } else { 0 };
        // SAFETY: the name ends with NUL.
        let found = unsafe { dlsym(all as *mut c_void, c"PyUnicode_FromKindAndData".as_ptr()) };
        // SAFETY: the function of this name in CPython has this type, and the pointer is not null.
        (!found.is_null()).then(|| unsafe { std::mem::transmute::<*mut c_void, FromKind>(found) })
    })
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn from_kind() -> Option<FromKind> {
    None
}

/// Returns the string of ISO-8859-1 or ASCII bytes.
pub fn from_latin1<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
    // SAFETY: `at` points to `len` bytes, which are not changed during the call.
    decoded(py, bytes, |at, len| unsafe { ffi::PyUnicode_DecodeLatin1(at, len, std::ptr::null()) })
}

fn decoded<'py>(
    py: Python<'py>,
    bytes: &[u8],
    decode: impl FnOnce(*const std::ffi::c_char, ffi::Py_ssize_t) -> *mut ffi::PyObject,
) -> PyResult<Bound<'py, PyString>> {
    let object = decode(bytes.as_ptr().cast(), bytes.len() as ffi::Py_ssize_t);
    // SAFETY: the functions of CPython return a new reference, or null with an exception set.
    let object = unsafe { Bound::from_owned_ptr_or_err(py, object) }?;
    Ok(object.cast_into()?)
}

/// Returns the string of bytes without a BOM, if CPython copies the code units of the encoding. Returns `None` for
/// other encodings, and for ill-formed bytes.
pub fn copied<'py>(py: Python<'py>, bytes: &[u8], encoding: &Encoding) -> Option<Bound<'py, PyString>> {
    let (is_wide, mut order): (bool, c_int) = match encoding {
        _ if encoding == &UTF_16LE => (false, -1),
        _ if encoding == &UTF_16BE => (false, 1),
        _ if encoding == &UTF_32LE => (true, -1),
        _ if encoding == &UTF_32BE => (true, 1),
        _ => return None,
    };
    let decode = if is_wide { ffi::PyUnicode_DecodeUTF32 } else { ffi::PyUnicode_DecodeUTF16 };
    // SAFETY: `at` points to `len` bytes, which are not changed during the call, and a null error handler means
    // "strict".
    decoded(py, bytes, |at, len| unsafe { decode(at, len, std::ptr::null(), &mut order) }).ok()
}

/// Returns the string as UTF-32 in the byte order of the host, after a BOM.
pub fn to_utf32<'py>(text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyBytes>> {
    encoded(text, c"utf-32", c"surrogatepass")
}

/// Returns the string as UTF-16 in the byte order of the host, after a BOM, or `None` if the string has lone
/// surrogates.
pub fn to_utf16_strictly<'py>(text: &Bound<'py, PyString>) -> Option<Bound<'py, PyBytes>> {
    written(text, ffi::PyUnicode_AsUTF16String).ok()
}

pub fn to_utf8<'py>(text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyBytes>> {
    written(text, ffi::PyUnicode_AsUTF8String)
}

pub fn to_latin1<'py>(text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyBytes>> {
    written(text, ffi::PyUnicode_AsLatin1String)
}

pub fn to_ascii<'py>(text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyBytes>> {
    written(text, ffi::PyUnicode_AsASCIIString)
}

/// Returns the result of a CPython function that encodes a string, without the search for a codec.
fn written<'py>(
    text: &Bound<'py, PyString>,
    encode: unsafe extern "C" fn(*mut ffi::PyObject) -> *mut ffi::PyObject,
) -> PyResult<Bound<'py, PyBytes>> {
    // SAFETY: `text` is a live str; the result is a new reference, or null with an exception set.
    let object = unsafe { Bound::from_owned_ptr_or_err(text.py(), encode(text.as_ptr())) }?;
    Ok(object.cast_into()?)
}

/// Returns the string as UTF-16 in the byte order of the host, after a BOM of two bytes.
pub fn to_utf16<'py>(text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyBytes>> {
    encoded(text, c"utf-16", c"surrogatepass")
}

/// Returns a string encoded by a codec of CPython.
pub fn encoded<'py>(
    text: &Bound<'py, PyString>,
    codec: &CStr,
    errors: &CStr,
) -> PyResult<Bound<'py, PyBytes>> {
    // SAFETY: `text` is a live str, and both names end with NUL; the result is a new reference, or null with an
    // exception set.
    let object = unsafe {
        let object = ffi::PyUnicode_AsEncodedString(text.as_ptr(), codec.as_ptr(), errors.as_ptr());
        Bound::from_owned_ptr_or_err(text.py(), object)
    }?;
    Ok(object.cast_into()?)
}

/// Length in bytes of the BOM that [`to_utf16`] writes.
pub const BOM: usize = 2;

/// Returns the number of characters in UTF-16 code units, in which a lone surrogate counts as one.
pub fn characters(units: &[u8]) -> usize {
    let is = |unit: &[u8], lead: u8| unit[usize::from(cfg!(target_endian = "little"))] & 0xFC == lead;
    let pairs = units.chunks_exact(2).zip(units.chunks_exact(2).skip(1));
    units.len() / 2 - pairs.filter(|(one, next)| is(one, 0xD8) && is(next, 0xDC)).count()
}

/// Rewrites the newlines of UTF-16 in one style.
pub fn with_newlines(units: &[u8], style: NewlineStyle) -> Vec<u8> {
    let crlf = ['\r', '\n'].map(|newline| (newline as u16).to_ne_bytes()).concat();
    let mut rewriter =
        Rewriter { style, units: Units { len: 2, crlf, bom: Vec::new() }, ..Rewriter::default() };
    rewriter.take(units);
    rewriter.out
}
