//! The code that all instruction sets share: the types of kernels, and the portable kernels in safe Rust.

pub(crate) mod double_byte;
pub(crate) mod from_utf8;
pub(crate) mod portable;
pub(crate) mod set;
pub(crate) mod shuffles;
pub(crate) mod substituting;
pub(crate) mod table;
pub(crate) mod utf8_faults;
pub(crate) mod walk;

use std::cell::Cell;
use std::fmt::Debug;

use crate::form::Form;
use crate::newline::EbcdicNewline;

/// Converts a prefix of the first slice into the second slice. Returns the numbers of bytes read and written.
///
/// The content of the second slice after the written bytes is undefined.
pub type Kernel = Box<dyn Fn(&[u8], &mut [u8]) -> (usize, usize) + Send + Sync>;

/// Returns the length of a well-formed prefix in bytes. Like a kernel, a validator may stop early.
pub type Validator = Box<dyn Fn(&[u8]) -> usize + Send + Sync>;

/// Size in bytes of a thread's buffer for data between two stages of a kernel; it fits in the first-level cache.
pub(crate) const SCRATCH: usize = 8 << 10;

/// Calls `work` with the buffer of the thread, which still has the content of an earlier call. A kernel inside a kernel
/// gets a separate buffer.
// The initializer is constant, but older versions of clippy claim otherwise for Windows.
#[allow(clippy::missing_const_for_thread_local)]
pub(crate) fn with_scratch<R>(work: impl FnOnce(&mut [u8; SCRATCH]) -> R) -> R {
    thread_local! {
        static KEPT: Cell<Option<Box<[u8; SCRATCH]>>> = const { Cell::new(None) };
    }
    let kept = KEPT.try_with(Cell::take).ok().flatten();
    let mut scratch = kept.unwrap_or_else(|| Box::new([0; _]));
    let result = work(&mut scratch);
    // A thread that is ending cannot keep the buffer.
    let _ = KEPT.try_with(|kept| kept.set(Some(scratch)));
    result
}

/// The vector kernels of a set of instructions. A value is proof that the CPU has the instructions.
pub(crate) trait VectorSet: Debug + Send + Sync {
    /// Returns the kernel for a pair of encoding forms, if the set has one.
    fn kernel(&self, from: Form, to: Form, newline: EbcdicNewline) -> Option<Kernel>;

    /// Returns the validator of an encoding form, if the set has one. The validator of UTF-8 finds the whole
    /// well-formed prefix.
    fn validator(&self, form: Form) -> Option<fn(&[u8]) -> usize>;
}
