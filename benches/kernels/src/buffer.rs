//! Buffers that start at a cache line, so that the allocator's choice of address does not affect the times.

/// The bytes of a cache line.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; 64]);

/// A byte buffer that starts at a cache line.
pub struct Buffer {
    lines: Vec<Line>,
    len: usize,
}

impl Buffer {
    pub fn zeroed(len: usize) -> Buffer {
        Buffer { lines: vec![Line([0; 64]); len.div_ceil(64)], len }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn bytes(&self) -> &[u8] {
        // SAFETY: a line is 64 bytes without padding, and `len` is at most the bytes of all lines.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.len) }
    }

    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: a line is 64 bytes without padding, `len` is at most the bytes of all lines, and the exclusive borrow of
        // `self` rules out other references.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.len) }
    }
}

impl From<&[u8]> for Buffer {
    fn from(bytes: &[u8]) -> Buffer {
        let mut buffer = Buffer::zeroed(bytes.len());
        buffer.bytes_mut().copy_from_slice(bytes);
        buffer
    }
}

/// An integer type for which all bytes are valid.
///
/// # Safety
/// Only for types without padding and without invalid values.
pub unsafe trait Unit: Copy {}
// SAFETY: every byte pattern is a valid `u8`.
unsafe impl Unit for u8 {}
// SAFETY: every byte pattern is a valid `u16`.
unsafe impl Unit for u16 {}
// SAFETY: every byte pattern is a valid `u32`.
unsafe impl Unit for u32 {}

/// Returns the bytes of a [`Buffer`] as code units in the machine's byte order.
pub fn units<T: Unit>(bytes: &[u8]) -> &[T] {
    // SAFETY: `T: Unit`, so every byte pattern is a valid `T`.
    let (head, units, tail) = unsafe { bytes.align_to() };
    assert!(head.is_empty() && tail.is_empty(), "a whole number of aligned units");
    units
}

/// Returns the bytes of a [`Buffer`] as writable code units in the machine's byte order. Bytes after the last whole unit are
/// skipped.
pub fn units_mut<T: Unit>(bytes: &mut [u8]) -> &mut [T] {
    // SAFETY: `T: Unit`, so every byte pattern is a valid `T`, and `T` has no padding.
    let (head, units, _) = unsafe { bytes.align_to_mut() };
    assert!(head.is_empty(), "aligned units");
    units
}
