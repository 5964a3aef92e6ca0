//! Kernels for NEON, the vector instructions of 64-bit ARM.
//!
//! Most kernels hold sixteen characters as planes, that is, as a vector for each byte of their code units. The
//! structured loads and stores of NEON convert any form to planes and back, in either byte order.
//!
//! A function with `#[target_feature]` may run only on a CPU that has the feature. A value of [`Neon`] is proof of the
//! feature, because it is created only if the target promises NEON.

#![allow(unsafe_code)]

mod double_byte;
mod from_latin1;
mod from_utf16;
mod from_utf32;
mod from_utf8;
mod page;
mod planes;
mod to_utf8;
mod validate;
mod vector;

use crate::kernel::generic::set::vector_set;

use Neon as Proof;

/// Proof that the CPU has NEON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Neon(());

impl Neon {
    /// Returns a proof if the base CPU of the target has NEON, as on all common operating systems.
    pub fn detect() -> Option<Neon> {
        cfg!(target_feature = "neon").then_some(Neon(()))
    }
}

vector_set!(Neon);
