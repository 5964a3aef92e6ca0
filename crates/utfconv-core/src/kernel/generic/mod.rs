//! What no instruction set owns: the types of kernels, and the portable kernels in safe Rust.

pub(crate) mod portable;
pub(crate) mod table;

/// Converts a prefix of the first slice into the second; returns the bytes read and the bytes written.
///
/// What the second slice holds after the bytes written is undefined.
pub type Kernel = Box<dyn FnMut(&[u8], &mut [u8]) -> (usize, usize) + Send>;

/// Finds the length of a well-formed prefix, in bytes; like a kernel, it may stop earlier.
pub type Validator = Box<dyn FnMut(&[u8]) -> usize + Send>;
