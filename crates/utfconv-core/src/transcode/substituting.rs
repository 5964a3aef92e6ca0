//! Fast conversion of text with many characters that the target cannot encode, where the policy continues after them.

use super::Transcoder;
use crate::form::Form;
use crate::kernel::{self, Substitutes, SubstitutingKernel};
use crate::newline::EbcdicNewline;
use crate::policy::OnUnmappable;

/// After a run of the usual kernel that is shorter, in bytes, unmappable characters may be dense.
pub(super) const DENSE: usize = 128;

/// How many bytes the substituting kernel takes before the usual one is tried again.
const REACH: usize = 4 << 10;

/// The substituting kernel, and the substitutes that it writes.
pub(super) struct Substituting {
    kernel: SubstitutingKernel,
    substitutes: Substitutes,
}

impl Substituting {
    /// None where there is no such kernel.
    pub(super) fn new(from: Form, to: Form, newline: EbcdicNewline) -> Option<Box<Substituting>> {
        let kernel = kernel::substituting_kernel(from, to, newline)?;
        Some(Box::new(Substituting { kernel, substitutes: Substitutes::default() }))
    }

    /// Converts the well-formed text at the front of `src`. Returns how many bytes were read, how many were written to `dst`, and
    /// how many substitutes these have.
    pub(super) fn convert(&mut self, src: &[u8], dst: &mut [u8]) -> (usize, usize, u64) {
        let (read, written) = (self.kernel)(&src[..src.len().min(REACH)], dst, &mut self.substitutes);
        (read, written, self.substitutes.take_count())
    }

    /// Remembers the substitute of `code_point`.
    pub(super) fn remember(&mut self, code_point: u32, text: &[u8]) {
        if let Some(scalar) = char::from_u32(code_point) {
            self.substitutes.remember(scalar, text);
        }
    }
}

impl Transcoder {
    /// The substituting kernel; None where the substitute of a character depends on its context.
    pub(super) fn choose_substituting(&self) -> Option<Box<Substituting>> {
        let continues =
            !matches!(self.options.policy.unmappable, OnUnmappable::Stop | OnUnmappable::Carry(_));
        let is_simple = continues
            && self.kernel.is_some()
            && self.restore.is_none()
            && self.normalization.is_none()
            && self.output.writes_apart();
        if !is_simple {
            return None;
        }
        let (from, to) = (self.input.encoding.form(), self.output.to.form());
        Substituting::new(from, to, self.options.ebcdic_newline)
    }

    /// Converts the well-formed text at the front of `src`, with the remembered substitutes for unmappable characters, after
    /// the usual kernel has taken `run` bytes. Returns how many bytes were read, and how many were written to `dst`.
    pub(super) fn take_substituted(&mut self, run: usize, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let (Some(substituting), Some(tally)) = (&mut self.substituting, &mut self.tally) else {
            return (0, 0);
        };
        if run >= DENSE || !self.output.at_rest() {
            return (0, 0);
        }
        let (read, written, count) = substituting.convert(src, dst);
        tally.add_unmappable(count);
        if read > 0 {
            self.pass_run(&src[..read]);
        }
        (read, written)
    }

    /// Remembers the substitute of `code_point`: what was written since the
    /// [end](super::output::Output::end) of the output was `start`.
    pub(super) fn remember_substitute(&mut self, code_point: u32, start: Option<usize>) {
        if let (Some(substituting), Some(start)) = (&mut self.substituting, start) {
            substituting.remember(code_point, self.output.written_since(start));
        }
    }
}
