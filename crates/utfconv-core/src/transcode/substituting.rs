//! Runs through text of which the target lacks many characters, as a policy that goes on allows.

use super::Transcoder;
use crate::kernel::{self, Substitutes, SubstitutingKernel};
use crate::policy::OnUnmappable;

/// After a shorter run of the kernel, in bytes, characters that the target lacks may be dense.
const DENSE: usize = 128;

/// How far the substituting kernel goes, in bytes, before the usual one is tried again.
const REACH: usize = 4 << 10;

/// The substituting kernel, and what it writes.
pub(super) struct Substituting {
    kernel: SubstitutingKernel,
    substitutes: Substitutes,
}

impl Transcoder {
    /// The substituting kernel, where what is written instead of a character depends on nothing else.
    pub(super) fn choose_substituting(&self) -> Option<Box<Substituting>> {
        let goes_on = !matches!(self.options.policy.unmappable, OnUnmappable::Stop | OnUnmappable::Carry(_));
        let is_simple = goes_on
            && self.kernel.is_some()
            && self.restore.is_none()
            && self.normalization.is_none()
            && self.output.writes_apart();
        let (from, to) = (self.input.encoding.form(), self.output.to.form());
        let kernel =
            kernel::substituting_kernel(from, to, self.options.ebcdic_newline).filter(|_| is_simple)?;
        Some(Box::new(Substituting { kernel, substitutes: Substitutes::default() }))
    }

    /// Takes the well-formed run at the front of `src`, with what is remembered for characters that the target lacks, after
    /// the kernel has taken `run` bytes. Returns the bytes read, and those written to `dst`.
    pub(super) fn take_substituted(&mut self, run: usize, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let (Some(substituting), Some(tally)) = (&mut self.substituting, &mut self.tally) else {
            return (0, 0);
        };
        if run >= DENSE || !self.output.at_rest() {
            return (0, 0);
        }
        let Substituting { kernel, substitutes } = &mut **substituting;
        let (read, written) = kernel(&src[..src.len().min(REACH)], dst, substitutes);
        tally.add_unmappable(substitutes.take_count());
        if read > 0 {
            self.pass_run(&src[..read]);
        }
        (read, written)
    }

    /// Remembers what was written instead of `code_point`, since the [end](super::output::Output::end) of the output was
    /// `start`.
    pub(super) fn remember_substitute(&mut self, code_point: u32, start: Option<usize>) {
        if let (Some(substituting), Some(start)) = (&mut self.substituting, start)
            && let Some(scalar) = char::from_u32(code_point)
        {
            substituting.substitutes.remember(scalar, self.output.written_since(start));
        }
    }
}
