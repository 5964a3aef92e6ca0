//! A source that is converted in segments, by several threads or several processes.
//!
//! Segments begin at boundaries ([`Encoding::boundary`](crate::Encoding::boundary)). The caller distributes the
//! segments to threads, each of which has a [`Transcoder`] with these methods.

use super::engine::Fast;
use super::state::Transcoder;
use crate::bom::OutputBom;
use crate::fault::FaultCounts;
use crate::position::Position;

/// The methods that convert a source in segments, by several threads or processes.
///
/// ```
/// use utfconv_core::{Options, Segments, Transcoder, UTF_8, UTF_16BE};
///
/// let first = Transcoder::new(&UTF_8, &UTF_16BE, Options::default());
/// // Another thread can convert the second half at the same time.
/// let mut second = first.segment();
/// let mut output = [0; 64];
/// let (read, written) = second.run("é".as_bytes(), &mut output);
/// assert_eq!((read, &output[..written]), (2, &b"\0\xE9"[..]));
/// ```
pub trait Segments: Sized {
    /// Creates a transcoder for a segment of the same source, after its BOM. The outputs of segments that begin at
    /// boundaries, in order, are the output of the whole source. Only the positions of faults count from the start of
    /// the segment; [`Fault::offset_by`](crate::Fault::offset_by) corrects them.
    fn segment(&self) -> Self;

    /// Continues with another segment of the source; positions then count from its start.
    ///
    /// # Panics
    /// If the last segment is not complete.
    fn begin_segment(&mut self);

    /// Whether no earlier text affects later text, so that a transcoder made by [`Segments::segment`] could continue
    /// here. Always false if the text is normalized.
    fn is_between_segments(&self) -> bool;

    /// Declares that another segment follows the segment that `last` ends, so that a character which the target's
    /// encoder holds back is not written at the end. After a call of [`Transcoder::step`] with `last`, call
    /// [`Segments::begin_segment`] and continue, or let another transcoder begin before the end of this segment, where
    /// it holds back the same character.
    fn stay_open(&mut self, stays_open: bool);

    /// Converts a prefix of `src` that needs no decisions, with only the kernel. Returns the numbers of bytes read and
    /// written. Pass the rest to [`Transcoder::step`].
    ///
    /// The position does not move, because counting lines takes longer and is seldom needed. [`Segments::skip_text`]
    /// moves it.
    fn run(&mut self, src: &[u8], dst: &mut [u8]) -> (usize, usize);

    /// Moves the position past `run`, which [`Segments::run`] converted.
    fn skip_text(&mut self, run: &[u8]);

    /// Whether the output for a character never depends on the characters before it.
    fn writes_apart(&self) -> bool;

    /// Takes the BOM that precedes the output, if it has not been written. The BOM is then no longer pending, so the
    /// caller must write it.
    fn take_bom(&mut self) -> Vec<u8>;

    /// From here on, returns faults one by one again, and drops the counts.
    fn report_faults(&mut self);
}

impl Segments for Transcoder {
    fn segment(&self) -> Transcoder {
        let mut options = self.options.clone();
        options.output_bom = OutputBom::Never;
        let mut segment = Transcoder::new(self.engine.input.encoding, self.engine.output.to, options);
        segment.engine.input.starting_at(Position::default());
        segment.stays_open = self.stays_open;
        segment.counts = self.counts.as_ref().map(|_| FaultCounts::default());
        segment
    }

    fn begin_segment(&mut self) {
        let is_complete =
            !self.engine.input.is_opening() && self.engine.held.is_empty() && self.stopped.is_none();
        assert!(is_complete, "the last segment is complete");
        self.engine.input.position = Position::default();
        (self.written, self.is_complete) = (0, false);
    }

    fn is_between_segments(&self) -> bool {
        let is_idle =
            self.engine.held.is_empty() && self.events.is_empty() && !self.engine.output.is_waiting();
        let has_begun =
            !self.engine.input.is_opening() && !self.engine.input.is_watched() && self.stopped.is_none();
        let is_cut = self.engine.normalization.is_none() && !self.engine.input.encoding.is_stateful();
        is_idle && has_begun && self.engine.output.at_rest() && is_cut
    }

    fn stay_open(&mut self, stays_open: bool) {
        self.stays_open = stays_open;
    }

    fn run(&mut self, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let may_run = self.is_between_segments();
        match &mut self.engine.fast {
            Fast::Kernel(kernel) if may_run => kernel(src, dst),
            _ => (0, 0),
        }
    }

    fn skip_text(&mut self, run: &[u8]) {
        self.engine.input.measure_past(run);
    }

    fn writes_apart(&self) -> bool {
        self.engine.output.writes_apart()
    }

    fn take_bom(&mut self) -> Vec<u8> {
        self.engine.output.take_bom()
    }

    fn report_faults(&mut self) {
        self.counts = None;
    }
}
