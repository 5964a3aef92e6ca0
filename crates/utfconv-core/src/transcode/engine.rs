//! The engine of a conversion, which has the decoder, the output, and the fastest path between them for text that needs
//! no decisions.
//!
//! The engine knows no positions, and applies no policy to ill-formed text. [`Transcoder`](super::Transcoder) adds
//! both, and [`ExactTranscoder`](super::exact::ExactTranscoder) adds the return to the state before a sequence that has
//! no room.

use super::input::Input;
use super::normalize::NormalizationBuffer;
use super::options::Options;
use super::output::{Output, Written};
use super::rows::{self, Rows};
use super::substituting::{DENSE, Substituting};
use crate::encoding::Encoding;
use crate::fault::FaultBytes;
use crate::form::Form;
use crate::kernel::{self, Kernel, Substituted};
use crate::newline::EbcdicNewline;
use crate::policy::{Carrier, OnUnmappable};
use crate::position::Extent;

/// Room in bytes for two of the longest sequences: one that is held back, and one that may be needed to end it.
pub(super) const LONGEST_HELD: usize = 2 * FaultBytes::MAX;

/// Number of sequences that are decoded one by one before the fast path is tried again.
pub(crate) const ROW: usize = 32;

/// The fastest path from the source to the target.
pub(super) enum Fast {
    Kernel(&'static Kernel),
    /// Rows of code points, because the source or the target has shift states.
    Rows(Box<Rows>),
    /// Decodes one sequence at a time.
    Steps,
}

/// Converts a source without tracking positions.
pub(super) struct Engine {
    pub input: Input,
    pub output: Output,
    pub fast: Fast,
    /// Source bytes from earlier chunks, which are not yet a whole sequence, or which the next sequence may change.
    pub held: Vec<u8>,
    /// The characters that may still change, if the text is normalized.
    pub normalization: Option<NormalizationBuffer>,
    /// True if characters need no individual tests, because there are no carriers and no normalization.
    pub is_plain: bool,
    /// Converts text with many characters that the target cannot encode; created at the first such character.
    substituting: Option<Box<Substituting>>,
    /// True until the first unmappable character, if unmappable characters have the same substitute everywhere.
    may_substitute: bool,
}

/// The result of a call of [`Engine::advance`].
#[derive(Default)]
pub(super) struct Run {
    /// Number of bytes read from the source.
    pub read: usize,
    /// Number of bytes written to the sink. More output may be pending in [`Engine::output`].
    pub written: usize,
    /// The lines and columns of the converted text, if they were measured.
    pub extent: Extent,
    /// Counts of source characters for which substitutes were written.
    pub substituted: Substituted,
    /// Whether another call may convert more at once.
    pub goes_on: bool,
}

impl Engine {
    /// Creates an engine from `from` to `to`; `newlines` are the meanings of EBCDIC newlines in the source and the
    /// target.
    pub fn new(
        from: &'static Encoding,
        to: &'static Encoding,
        newlines: [EbcdicNewline; 2],
        options: &Options,
    ) -> Engine {
        Engine {
            input: Input::new(from, options.input_bom, newlines[0]),
            output: Output::new(to, newlines[1], options.output_bom, options.continues),
            fast: Fast::Steps,
            held: Vec::new(),
            normalization: options.normalization.map(NormalizationBuffer::new),
            is_plain: true,
            substituting: None,
            may_substitute: false,
        }
    }

    /// Chooses the fastest path under `options`. It is [`Fast::Steps`] if every code must be tested (`has_codes`).
    pub fn choose(&mut self, options: &Options, has_codes: bool) {
        let (from, to, newline) = (self.input.encoding, self.output.to, options.ebcdic_newline);
        self.is_plain = options.policy.carrier().is_none() && options.normalization.is_none();
        self.fast = match kernel_for(from, to, options) {
            _ if has_codes => Fast::Steps,
            Some(kernel) => Fast::Kernel(kernel),
            None if self.is_plain => Rows::between(from, to, newline, &mut *self.input.decoder)
                .map_or(Fast::Steps, |rows| Fast::Rows(rows.into())),
            None => Fast::Steps,
        };
        self.forget_substitutes();
    }

    /// Whether a kernel converts the text.
    pub fn has_kernel(&self) -> bool {
        matches!(self.fast, Fast::Kernel(_))
    }

    /// Forgets the substitutes of unmappable characters, because the policy may change.
    pub fn forget_substitutes(&mut self) {
        self.substituting = None;
        self.may_substitute = self.has_kernel() && self.normalization.is_none();
    }

    /// Takes the bytes that are held back, followed by the bytes of `src` that may complete their sequence.
    pub fn window(&mut self, src: &[u8]) -> Vec<u8> {
        let mut window = std::mem::take(&mut self.held);
        window.extend_from_slice(&src[..src.len().min(LONGEST_HELD - window.len())]);
        window
    }

    /// Converts text at the front of `src` that needs no decisions, and writes it to `dst`. Uses the last `ample` bytes
    /// of `dst` only if whole sequences fit. Measures lines and columns if `MEASURES`, and writes remembered
    /// substitutes for unmappable characters if `substitutes`.
    #[inline]
    pub fn advance<const MEASURES: bool>(
        &mut self,
        src: &[u8],
        dst: &mut [u8],
        ample: usize,
        substitutes: bool,
    ) -> Run {
        let Engine { input, output, fast, normalization, substituting, .. } = self;
        let mut run = Run::default();
        let most = match fast {
            // A kernel cannot write the BOM, which is pending until a character follows.
            Fast::Kernel(_) if !output.at_rest() => return run,
            Fast::Kernel(kernel) => {
                (run.read, run.written) = match normalization {
                    None => kernel(src, dst),
                    Some(sequence) => sequence.run(kernel, src, dst, output),
                };
                if let Some(substituting) = substituting.as_mut().filter(|_| substitutes && run.read < DENSE)
                {
                    substituting.convert(&mut run, src, dst);
                }
                if MEASURES && run.read > 0 {
                    run.extent = input.decoder.measure(&src[..run.read]);
                }
                return run;
            }
            Fast::Rows(rows) => {
                let row = rows.convert(&mut *input.decoder, output, src, dst, ample);
                (run.read, run.written) = (row.read, row.written);
                run.goes_on = run.read > 0 || run.written > 0;
                if MEASURES {
                    run.extent = rows::extent(row.code_points);
                }
                ROW
            }
            Fast::Steps => usize::MAX,
        };
        if !run.goes_on {
            (run.read, run.extent) = self.take_row::<MEASURES>(src, dst.len().saturating_sub(ample), most);
            run.goes_on = run.read > 0 && matches!(self.fast, Fast::Rows(_));
        }
        run.written += self.output.drain(&mut dst[run.written..]);
        run
    }

    /// Takes up to `most` sequences, as long as each is a single character that the target can encode, until about
    /// `room` bytes are pending. Returns the number of bytes taken, and their lines and columns if they are measured.
    pub fn take_row<const MEASURES: bool>(
        &mut self,
        src: &[u8],
        room: usize,
        most: usize,
    ) -> (usize, Extent) {
        let (output, mut extent) = (&mut self.output, Extent::default());
        let mut utf8 = output.utf8_row();
        let read = self.input.decoder.take_row(src, most, &mut |code_point| {
            let is_put = match &mut utf8 {
                Some(row) => row.put(code_point, output, room),
                None => output.waiting() < room && !output.doubles_bom(code_point) && output.put(code_point),
            };
            if MEASURES && is_put {
                extent = extent.then(Extent::of(code_point));
            }
            is_put
        });
        if let Some(row) = &mut utf8 {
            row.flush(output);
        }
        (read, extent)
    }

    /// Writes `code_point`, or its replacement by `policy` if the target cannot encode it. Returns `None`, and writes
    /// nothing, if the policy is to stop.
    pub fn put(&mut self, code_point: u32, policy: &OnUnmappable) -> Option<Written> {
        let start = self.output.end();
        if self.output.put(code_point) {
            return Some(Written::Itself);
        }
        let written = self.output.substitute(policy, code_point)?;
        if std::mem::take(&mut self.may_substitute) && self.output.writes_apart() {
            let (from, to) = (self.input.encoding.form(), self.output.to.form());
            self.substituting = Substituting::new(from, to, self.input.newline);
        }
        if let (Some(substituting), Some(start)) = (&mut self.substituting, start) {
            let approximates = matches!(written, Written::Approximation(_));
            substituting.remember(code_point, self.output.written_since(start), approximates);
        }
        Some(written)
    }
}

/// Returns the kernel that can be used under `options`, or `None` if each character has to be tested or a form has
/// shift states.
fn kernel_for(from: &'static Encoding, to: &'static Encoding, options: &Options) -> Option<&'static Kernel> {
    match options.policy.carrier() {
        // Well-formed text may look like carriers, so each character has to be tested.
        Some(Carrier::Pua | Carrier::C8) => None,
        // The test whether text is normalized already reads UTF-8, so a source in another encoding has no kernel.
        _ if options.normalization.is_some() && from.form() != Form::Utf8 => None,
        _ => kernel::shared_with(from, to, options.ebcdic_newline),
    }
}
