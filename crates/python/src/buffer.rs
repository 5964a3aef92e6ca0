//! Reads the bytes of Python objects by the buffer protocol.
//!
//! The stable ABI includes the buffer protocol since CPython 3.11. CPython 3.9 and 3.10 export the same functions and
//! structure, so they are declared here.

use std::ffi::{c_char, c_int, c_void};
use std::marker::PhantomData;
use std::ops::Deref;

use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{Py_ssize_t, PyObject};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView};

use crate::convert::SHORT;
use crate::errors::wrong_type;

/// `Py_buffer` of CPython.
#[repr(C)]
struct View {
    buf: *mut c_void,
    obj: *mut PyObject,
    len: Py_ssize_t,
    itemsize: Py_ssize_t,
    readonly: c_int,
    ndim: c_int,
    format: *mut c_char,
    shape: *mut Py_ssize_t,
    strides: *mut Py_ssize_t,
    suboffsets: *mut Py_ssize_t,
    internal: *mut c_void,
}

/// Flag of PyObject_GetBuffer that requests contiguous bytes, without shape or format.
const SIMPLE: c_int = 0;

// Windows needs the name of the library to link a function, and pyo3 gives it only for functions that it declares
// itself.
#[cfg_attr(windows, link(name = "python3", kind = "raw-dylib"))]
unsafe extern "C" {
    fn PyObject_GetBuffer(object: *mut PyObject, view: *mut View, flags: c_int) -> c_int;
    fn PyBuffer_Release(view: *mut View);
}

/// The bytes of an object.
pub enum Bytes<'a, 'py> {
    /// The bytes in an object of the class `bytes`, which never change.
    Own(&'a [u8]),
    /// The bytes of a buffer that do not change while its view is held.
    Held(Held<'py>),
    /// A copy of the bytes of an object to which other threads may write while the GIL is released.
    Copied(Vec<u8>),
}

/// A view that is held, and released when dropped.
pub struct Held<'py> {
    view: Box<View>,
    /// Keeps the GIL, because only a thread that has the GIL may release a view.
    attached: PhantomData<Python<'py>>,
}

impl Held<'_> {
    fn bytes(&self) -> &[u8] {
        if self.view.len == 0 {
            return &[];
        }
        // SAFETY: PyObject_GetBuffer succeeded with SIMPLE, so `buf` points to `len` contiguous bytes until the view is
        // released, which happens when this value is dropped.
        unsafe { std::slice::from_raw_parts(self.view.buf.cast(), self.view.len as usize) }
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        // SAFETY: the view was filled by PyObject_GetBuffer, and is released once, with the GIL (`attached`).
        unsafe { PyBuffer_Release(&mut *self.view) }
    }
}

impl Deref for Bytes<'_, '_> {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Own(bytes) => bytes,
            Bytes::Held(held) => held.bytes(),
            Bytes::Copied(bytes) => bytes,
        }
    }
}

/// Returns the bytes of any object with a buffer. Copies them unless the object is `bytes` or a long view of `bytes`,
/// because any other read-only view may be of an object that changes.
pub fn bytes_of<'a, 'py>(object: &'a Bound<'py, PyAny>) -> PyResult<Bytes<'a, 'py>> {
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Ok(Bytes::Own(bytes.as_bytes()));
    }
    let held = view(object)?;
    // Copying a short text takes less time than the call of Python in `is_of_bytes`.
    if held.bytes().len() >= SHORT && is_of_bytes(object)? {
        return Ok(Bytes::Held(held));
    }
    Ok(Bytes::Copied(held.bytes().to_vec()))
}

/// Returns the bytes of a buffer of an Arrow array. Copies them only if the buffer is mutable, because Arrow forbids
/// changing other buffers.
pub fn bytes_of_arrow<'a, 'py>(buffer: &Bound<'py, PyAny>) -> PyResult<Bytes<'a, 'py>> {
    let held = view(buffer)?;
    match held.view.readonly {
        0 => Ok(Bytes::Copied(held.bytes().to_vec())),
        _ => Ok(Bytes::Held(held)),
    }
}

/// Whether an object is a memoryview of a `bytes`. A subclass may give the memory of another object to its views.
fn is_of_bytes(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    if !object.is_instance_of::<PyMemoryView>() {
        return Ok(false);
    }
    Ok(object.getattr(intern!(object.py(), "obj"))?.is_exact_instance_of::<PyBytes>())
}

fn view<'py>(object: &Bound<'py, PyAny>) -> PyResult<Held<'py>> {
    let mut view = Box::new(View {
        buf: std::ptr::null_mut(),
        obj: std::ptr::null_mut(),
        len: 0,
        itemsize: 0,
        readonly: 1,
        ndim: 0,
        format: std::ptr::null_mut(),
        shape: std::ptr::null_mut(),
        strides: std::ptr::null_mut(),
        suboffsets: std::ptr::null_mut(),
        internal: std::ptr::null_mut(),
    });
    // SAFETY: `object` is a live object, the GIL is held, and `view` has the layout of Py_buffer and stays where it is.
    let status = unsafe { PyObject_GetBuffer(object.as_ptr(), &mut *view, SIMPLE) };
    if status == 0 {
        return Ok(Held { view, attached: PhantomData });
    }
    let error = PyErr::fetch(object.py());
    if !error.is_instance_of::<PyTypeError>(object.py()) {
        return Err(error);
    }
    Err(wrong_type("a bytes-like object", object, ""))
}
