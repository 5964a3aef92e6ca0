//! The engine of a conversion: decoder, output, and the fastest way between them for text in which there is nothing
//! to decide.
//!
//! It knows no positions and applies no policy to ill-formed text. [`Transcoder`](super::Transcoder) adds both, and
//! [`ExactTranscoder`](super::exact::ExactTranscoder) the return to the state before a sequence without room.

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

/// Room for two of the longest sequences: one that is held, and the bytes that may be needed to end it.
pub(super) const LONGEST_HELD: usize = 2 * FaultBytes::MAX;

/// How many sequences are decoded one by one before the fast way is tried again.
pub(crate) const ROW: usize = 32;

/// The fastest way from the source to the target.
pub(super) enum Fast {
    Kernel(&'static Kernel),
    /// Where the source or the target has shift states.
    Rows(Box<Rows>),
    /// One sequence after the other.
    Steps,
}

/// Converts a source, without positions.
pub(super) struct Engine {
    pub input: Input,
    pub output: Output,
    pub fast: Fast,
    /// Source bytes from earlier chunks: not yet a whole sequence, or one that the next may change.
    pub held: Vec<u8>,
    /// If the text is normalized, the characters that may still change.
    pub normalization: Option<NormalizationBuffer>,
    /// Characters need no tests one by one: there are no carriers, and no normalization.
    pub is_plain: bool,
    /// For text with many characters that the target cannot encode; made at the first of them.
    substituting: Option<Box<Substituting>>,
    /// There was none of them yet, and they have the same substitute everywhere.
    may_substitute: bool,
}

/// The result of one call.
#[derive(Default)]
pub(super) struct Run {
    /// Bytes of the source.
    pub read: usize,
    /// Bytes written to the sink. More may wait in the output.
    pub written: usize,
    /// Lines and columns, if they were measured.
    pub extent: Extent,
    /// Characters of the source that others were written for.
    pub substituted: Substituted,
    /// The next call may get further at once.
    pub goes_on: bool,
}

impl Engine {
    /// From `from` to `to`; `newlines` are those of both, where they are EBCDIC.
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

    /// Chooses the fastest way under `options`. It is by steps if codes must be tested (`has_codes`).
    pub fn choose(&mut self, options: &Options, has_codes: bool) {
        let (from, to, newline) = (self.input.encoding, self.output.to, options.ebcdic_newline);
        self.is_plain = options.policy.carrier().is_none() && options.normalization.is_none();
        let rows = |input: &mut Input| {
            let can_fill = input.decoder.fill_row(&[], &mut []).is_some();
            Rows::between(from, to, newline, can_fill)
        };
        self.fast = match kernel_for(from, to, options) {
            _ if has_codes => Fast::Steps,
            Some(kernel) => Fast::Kernel(kernel),
            None if self.is_plain => {
                rows(&mut self.input).map_or(Fast::Steps, |rows| Fast::Rows(rows.into()))
            }
            None => Fast::Steps,
        };
        self.forget_substitutes();
    }

    /// Whether a kernel converts.
    pub fn has_kernel(&self) -> bool {
        matches!(self.fast, Fast::Kernel(_))
    }

    /// Forgets the substitutes of unmappable characters: the policy may change here.
    pub fn forget_substitutes(&mut self) {
        self.substituting = None;
        self.may_substitute = self.has_kernel() && self.normalization.is_none();
    }

    /// Takes out the held bytes, followed by the bytes of `src` that a sequence there may need.
    pub fn window(&mut self, src: &[u8]) -> Vec<u8> {
        let mut window = std::mem::take(&mut self.held);
        window.extend_from_slice(&src[..src.len().min(LONGEST_HELD - window.len())]);
        window
    }

    /// Converts text at the front of `src` in which there is nothing to decide, and writes it to `dst`. It does not use
    /// the last `ample` bytes unless whole sequences fit. Lines and columns are measured if `MEASURES`; remembered
    /// substitutes are written for unmappable characters if `substitutes`.
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
            // A kernel cannot write the BOM, which waits until something follows it.
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

    /// Takes up to `most` sequences of one character each that the target has, until about `room` bytes wait. Returns the
    /// bytes taken, and their lines and columns if they are measured.
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

    /// Writes `code_point`, or its replacement by `policy` if the target cannot encode it; None, with nothing written,
    /// if that is to stop.
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

/// Returns the kernel that may be used under `options`.
fn kernel_for(from: &'static Encoding, to: &'static Encoding, options: &Options) -> Option<&'static Kernel> {
    match options.policy.carrier() {
        // Well-formed text may look like carriers.
        Some(Carrier::Pua | Carrier::C8) => None,
        // Whether text is normalized already is found from its UTF-8.
        _ if options.normalization.is_some() && from.form() != Form::Utf8 => None,
        _ => kernel::shared_with(from, to, options.ebcdic_newline),
    }
}
