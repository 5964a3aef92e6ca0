//! Fast conversion of text with many characters that the target cannot encode, if the policy continues after them.

use super::engine::Run;
use crate::form::Form;
use crate::kernel::{self, Substitutes, SubstitutingKernel};
use crate::newline::EbcdicNewline;

/// If a run of the usual kernel is shorter than this many bytes, unmappable characters may be dense.
pub(super) const DENSE: usize = 128;

/// Number of bytes that the substituting kernel takes before the usual kernel is tried again.
const REACH: usize = 4 << 10;

/// The substituting kernel, and the substitutes that it writes.
pub(super) struct Substituting {
    kernel: SubstitutingKernel,
    substitutes: Substitutes,
}

impl Substituting {
    /// Creates the kernel, or returns `None` if the pair of forms has none.
    pub(super) fn new(from: Form, to: Form, newline: EbcdicNewline) -> Option<Box<Substituting>> {
        let kernel = kernel::substituting_kernel(from, to, newline)?;
        Some(Box::new(Substituting { kernel, substitutes: Substitutes::default() }))
    }

    /// Continues `run`, which read the start of `src`, with the well-formed text after it.
    pub(super) fn convert(&mut self, run: &mut Run, src: &[u8], dst: &mut [u8]) {
        let src = &src[run.read..];
        let (read, written) =
            (self.kernel)(&src[..src.len().min(REACH)], &mut dst[run.written..], &mut self.substitutes);
        run.read += read;
        run.written += written;
        run.substituted = self.substitutes.take_counts();
        run.goes_on = read > 0;
    }

    /// Remembers the substitute of `code_point`; `approximates` marks an approximation.
    pub(super) fn remember(&mut self, code_point: u32, text: &[u8], approximates: bool) {
        if let Some(scalar) = char::from_u32(code_point) {
            self.substitutes.remember(scalar, text, approximates);
        }
    }
}
