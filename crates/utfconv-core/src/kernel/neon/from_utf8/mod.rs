//! The kernels from UTF-8 on NEON.
//!
//! [`block`] examines a block and computes its units, and [`target`] writes them. [`crate::kernel::generic::from_utf8`]
//! has the loop over them.

mod block;
mod target;

use super::{Neon, Proof};
use crate::form::Form;
use crate::kernel::generic::Kernel;
use crate::kernel::generic::from_utf8::{self, Latin1, Target, Utf16, Utf32};
use crate::kernel::generic::set::{kernel, utf8_kernel};
use block::Block;

/// Returns the kernel from UTF-8 to an encoding form, if there is one.
#[inline(always)]
pub(super) fn kernel(set: Neon, to: Form) -> Option<Kernel> {
    utf8_kernel!(set, to)
}

#[target_feature(enable = "neon")]
fn convert<T: Target<Block>>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    // SAFETY: this function runs on a CPU with NEON.
    unsafe { from_utf8::convert::<Block, T>(src, dst) }
}
