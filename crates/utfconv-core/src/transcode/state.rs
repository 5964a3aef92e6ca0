//! The state of a conversion, and its results: the number of bytes taken, faults and notices, and the position.

use std::collections::VecDeque;

use super::carrier_table::CarrierTable;
use super::engine::Engine;
use super::normalize::NormalizationBuffer;
use super::options::Options;
use crate::bom::Notice;
use crate::decode::Decode;
use crate::encoding::Encoding;
use crate::fault::{Fault, FaultCounts, FaultKind};
use crate::position::{Extent, Position};

/// The result of a call of [`Transcoder::step`]: counts in bytes, and why the call ended. See [`Transcoder`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
#[non_exhaustive]
pub struct Step {
    /// Number of bytes consumed of the source; continue after them.
    pub read: usize,
    /// Number of bytes written to the sink.
    pub written: usize,
    /// Why the call ended.
    pub stop: Stop,
}

/// Why a call of [`Transcoder::step`] ended. If a later version adds a variant, call again after it, as after a notice.
/// See [`Transcoder::count_faults`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// The whole source was consumed. After a call with `last`, the conversion is complete.
    SourceEmpty,
    /// There is no room for the next bytes of output. Call again with more room.
    SinkFull,
    /// A fault to which the policy was applied. Call again to continue.
    Fault(Fault),
    /// A notice about the source. Call again to continue.
    Notice(Notice),
    /// A fault that ends the conversion; everything before it is written. Every further call returns the same fault.
    Stopped(Fault),
}

/// Converts one source, in chunks of any size.
///
/// ```
/// use utfconv_core::{Options, Stop, Transcoder, UTF_8, UTF_16LE};
///
/// let mut transcoder = Transcoder::new(&UTF_16LE, &UTF_8, Options::default());
/// let mut out = [0; 16];
/// // The chunks cut a code unit and a surrogate pair.
/// let mut text = Vec::new();
/// for (chunk, last) in [(&b"A\0\x3D"[..], false), (b"\xD8\x00", false), (b"\xDE", true)] {
///     let step = transcoder.step(chunk, &mut out, last);
///     assert_eq!((step.read, step.stop), (chunk.len(), Stop::SourceEmpty));
///     text.extend_from_slice(&out[..step.written]);
/// }
/// assert_eq!(text, "A😀".as_bytes());
/// ```
///
/// # In a task
///
/// A transcoder does no I/O and never waits. An asynchronous task reads a chunk, converts it as below, and writes the
/// result. At the end of the source, it converts an empty chunk as the last chunk.
///
/// ```
/// use utfconv_core::{Fault, Options, Stop, Transcoder, UTF_8, UTF_16BE};
///
/// fn convert_chunk(transcoder: &mut Transcoder, chunk: &[u8], last: bool) -> Result<Vec<u8>, Fault> {
///     let (mut out, mut buffer, mut read) = (Vec::new(), [0; 4096], 0);
///     loop {
///         let step = transcoder.step(&chunk[read..], &mut buffer, last);
///         read += step.read;
///         out.extend_from_slice(&buffer[..step.written]);
///         match step.stop {
///             Stop::SourceEmpty => return Ok(out),
///             Stop::Stopped(fault) => return Err(fault),
///             _ => {} // There is more output, or a fault that the policy handles.
///         }
///     }
/// }
///
/// let mut transcoder = Transcoder::new(&UTF_16BE, &UTF_8, Options::default());
/// let mut text = convert_chunk(&mut transcoder, b"\0h\0", false)?;
/// text.extend(convert_chunk(&mut transcoder, b"i", false)?);
/// text.extend(convert_chunk(&mut transcoder, b"", true)?);
/// assert_eq!(text, b"hi");
/// # Ok::<(), Fault>(())
/// ```
pub struct Transcoder {
    /// The named encoding of the source, which a BOM may change in the engine.
    pub(super) from: &'static Encoding,
    pub(super) options: Options,
    pub(super) engine: Engine,
    pub(super) fallback: Option<Box<dyn Decode>>,
    /// Decides which bytes are carried between a byte encoding and wider code units; `None` if there are no carriers.
    pub(super) restore: Option<Box<CarrierTable>>,
    /// Whether the source broke off, so that an incomplete sequence is not a fault.
    pub(super) broken_off: bool,
    /// More text will follow, so do not emit the closing shift sequence.
    pub(super) stays_open: bool,
    /// Whether the source has ended and all of the output was written.
    pub(super) is_complete: bool,
    /// Events that were not returned yet.
    pub(super) events: VecDeque<Stop>,
    /// The counts of faults, if faults are only counted.
    pub(super) counts: Option<FaultCounts>,
    /// Whether the source has a BOM that is not text.
    pub(super) has_bom: bool,
    /// Number of bytes that calls of `step` have written.
    pub(super) written: u64,
    pub(super) stopped: Option<Fault>,
}

/// The result of an attempt to take the sequence at the front of a window.
pub(super) enum Taken {
    /// More bytes are needed to take the sequence.
    Incomplete,
    /// This many bytes were consumed.
    Bytes(usize),
    /// The conversion ends before the sequence.
    Stopped,
}

impl std::fmt::Debug for Transcoder {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_struct("Transcoder")
            .field("from", &self.engine.input.encoding)
            .field("to", &self.engine.output.to)
            .field("position", &self.position())
            .finish_non_exhaustive()
    }
}

impl Transcoder {
    /// Declares that the source cannot be read to its end. An incomplete sequence is dropped, and is not a fault. Call
    /// [`Transcoder::step`] with `last` once more, so that the output is ended.
    ///
    /// ```
    /// use utfconv_core::{Options, Stop, Transcoder, UTF_8};
    ///
    /// let mut transcoder = Transcoder::new(&UTF_8, &UTF_8, Options::default());
    /// assert_eq!(transcoder.step(b"a\xE2\x82", &mut [0; 8], false).written, 1);
    /// transcoder.break_off();
    /// assert_eq!(transcoder.step(b"", &mut [0; 8], true).stop, Stop::SourceEmpty);
    /// ```
    pub fn break_off(&mut self) {
        self.broken_off = true;
    }

    /// Starts over, for another source with the same encodings and options. Faults are returned one by one again.
    ///
    /// ```
    /// use utfconv_core::{Options, Stop, Transcoder, UTF_8};
    ///
    /// let (mut transcoder, mut out) = (Transcoder::new(&UTF_8, &UTF_8, Options::default()), [0; 8]);
    /// assert_eq!(transcoder.step(b"a\xE2", &mut out, false).stop, Stop::SourceEmpty);
    /// transcoder.reset();
    /// // The sequence that was cut belonged to the first source.
    /// let step = transcoder.step(b"b", &mut out, true);
    /// assert_eq!(out[..step.written], *b"b");
    /// ```
    pub fn reset(&mut self) {
        *self = Transcoder::new(self.from, self.engine.output.to, std::mem::take(&mut self.options));
    }

    /// From here on, counts faults that do not end the conversion, which is faster than returning them one by one.
    ///
    /// ```
    /// use utfconv_core::{OnIllFormed, Options, Policy, Stop, Transcoder, UTF_8};
    ///
    /// let policy = Policy::default().ill_formed(OnIllFormed::Omit);
    /// let mut transcoder = Transcoder::new(&UTF_8, &UTF_8, Options::default().policy(policy));
    /// let step = transcoder.step(b"a\xFFb\xFF", &mut [0; 8], true);
    /// let Stop::Fault(fault) = step.stop else { panic!() };
    /// assert_eq!((step.read, fault.offset), (2, 1));
    ///
    /// transcoder.count_faults();
    /// assert_eq!(transcoder.step(b"b\xFF", &mut [0; 8], true).stop, Stop::SourceEmpty);
    /// assert_eq!(transcoder.take_fault_counts().ill_formed(), 1);
    /// assert_eq!((transcoder.encoding(), transcoder.position().offset()), (&UTF_8, 4));
    /// ```
    pub fn count_faults(&mut self) {
        self.counts.get_or_insert_default();
    }

    /// Returns the faults counted since the last call, if faults are counted. See [`Transcoder::count_faults`].
    #[must_use]
    pub fn take_fault_counts(&mut self) -> FaultCounts {
        self.counts.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Returns the encoding of the source; after its BOM, with the byte order decided. See
    /// [`Transcoder::count_faults`].
    pub fn encoding(&self) -> &'static Encoding {
        self.engine.input.encoding
    }

    /// Returns the position in the source after the last converted sequence. See [`Transcoder::count_faults`].
    pub fn position(&self) -> Position {
        let waiting = self.engine.normalization.as_ref().and_then(NormalizationBuffer::start);
        waiting.map_or(self.engine.input.position, |origin| origin.position)
    }

    /// Reports a fault in `bytes` at `position` that does not end the conversion.
    pub(super) fn report(&mut self, position: Position, bytes: &[u8], kind: FaultKind) {
        match &mut self.counts {
            Some(counts) => counts.add(&kind),
            None => self.events.push_back(Stop::Fault(Fault::new(position, bytes, kind))),
        }
    }

    /// Ends the conversion with a fault at `position`, unless it has ended already.
    pub(super) fn end(&mut self, position: Position, bytes: &[u8], kind: FaultKind) {
        if self.stopped.is_some() {
            return;
        }
        if position == self.engine.input.position {
            self.events.extend(self.engine.input.feed_watch(bytes).map(Stop::Notice));
        }
        self.end_watch();
        self.engine.output.finish();
        self.stopped = Some(Fault::new(position, bytes, kind));
    }

    /// Ends the watch for a wrong byte order.
    pub(super) fn end_watch(&mut self) {
        self.events.extend(self.engine.input.end_watch().map(Stop::Notice));
    }

    /// Moves past `bytes`, which span `extent`.
    pub(super) fn pass(&mut self, bytes: &[u8], extent: Extent) {
        self.events.extend(self.engine.input.pass(bytes, extent).map(Stop::Notice));
    }

    /// Moves past `bytes`, and returns that they were consumed.
    pub(super) fn taken(&mut self, bytes: &[u8], extent: Extent) -> Taken {
        self.pass(bytes, extent);
        Taken::Bytes(bytes.len())
    }
}
