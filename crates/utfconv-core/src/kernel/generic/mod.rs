//! Code for all instruction sets: the types of kernels, and the portable kernels in safe Rust.

pub(crate) mod double_byte;
pub(crate) mod from_utf8;
pub(crate) mod portable;
pub(crate) mod set;
pub(crate) mod shuffles;
pub(crate) mod substituting;
pub(crate) mod table;
pub(crate) mod utf8_faults;
pub(crate) mod walk;

use std::fmt::Debug;

use crate::form::Form;
use crate::newline::EbcdicNewline;

/// Converts a prefix of the first slice into the second; returns the bytes read and the bytes written.
///
/// The content of the second slice after the bytes written is undefined.
pub type Kernel = Box<dyn FnMut(&[u8], &mut [u8]) -> (usize, usize) + Send>;

/// Finds the length of a well-formed prefix, in bytes; like a kernel, it may stop earlier.
pub type Validator = Box<dyn FnMut(&[u8]) -> usize + Send>;

/// The vector kernels of one set of instructions. A value is proof that the CPU has them.
pub(crate) trait VectorSet: Debug + Send + Sync {
    /// Returns the kernel for a pair of encoding forms, if the set has one.
    fn kernel(&self, from: Form, to: Form, newline: EbcdicNewline) -> Option<Kernel>;

    /// Returns the validator of an encoding form, if the set has one. That of UTF-8 finds all of a well-formed prefix.
    fn validator(&self, form: Form) -> Option<fn(&[u8]) -> usize>;
}
