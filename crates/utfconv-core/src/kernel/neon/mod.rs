//! Kernels for NEON, the vectors of 64-bit ARM.
//!
//! Most of them hold sixteen characters as planes, a vector for each byte of their code units. The structured loads and
//! stores of NEON make planes of any form, in either byte order.
//!
//! A function with `#[target_feature]` may only run on a CPU that has the feature. [`Neon`] is proof of that. It is
//! only made where the target promises the feature.

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
    /// Returns the CPUs of every target whose base has NEON, as those of the operating systems do.
    pub fn detect() -> Option<Neon> {
        cfg!(target_feature = "neon").then_some(Neon(()))
    }
}

vector_set!(Neon);
