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
use std::sync::Mutex;

use crate::form::Form;
use crate::newline::EbcdicNewline;

/// Converts a prefix of the first slice into the second; returns the bytes read and the bytes written.
///
/// The content of the second slice after the bytes written is undefined.
pub type Kernel = Box<dyn Fn(&[u8], &mut [u8]) -> (usize, usize) + Send + Sync>;

/// Finds the length of a well-formed prefix, in bytes; like a kernel, it may stop earlier.
pub type Validator = Box<dyn Fn(&[u8]) -> usize + Send + Sync>;

/// Memory for what is between two stages of a kernel. It is kept for the next call. Calls at the same time, in other
/// threads, allocate their own.
pub(crate) struct Scratch<T>(Mutex<Option<Box<T>>>);

impl<T> Scratch<T> {
    pub const fn new() -> Scratch<T> {
        Scratch(Mutex::new(None))
    }

    /// Calls `work` with the memory, which `make` makes if there is none. Its content is that of an earlier call.
    pub fn with<R>(&self, make: impl Fn() -> Box<T>, work: impl FnOnce(&mut T) -> R) -> R {
        match self.0.try_lock() {
            Ok(mut kept) => work(kept.get_or_insert_with(make)),
            Err(_) => work(&mut make()),
        }
    }
}

/// The vector kernels of one set of instructions. A value is proof that the CPU has them.
pub(crate) trait VectorSet: Debug + Send + Sync {
    /// Returns the kernel for a pair of encoding forms, if the set has one.
    fn kernel(&self, from: Form, to: Form, newline: EbcdicNewline) -> Option<Kernel>;

    /// Returns the validator of an encoding form, if the set has one. That of UTF-8 finds all of a well-formed prefix.
    fn validator(&self, form: Form) -> Option<fn(&[u8]) -> usize>;
}
