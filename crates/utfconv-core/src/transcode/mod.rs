//! The transcoder: joins BOM, decoder, policy and encoder into one loop over chunks.
//!
//! A kernel converts the well-formed run; the exact decoder takes what it stops at, one sequence at a time, and the policy
//! is applied here alone. Nothing depends on where a source is cut into chunks or on how much room a call gives: a sequence cut by
//! the end of a chunk waits as a [`PartialSequence`], output without room waits in the [`Output`]. Both are small and never grow with the
//! source.

pub(crate) mod input;
mod normalize;
mod output;
mod policy;
pub(crate) mod segments;

use std::collections::VecDeque;
use std::iter;

use crate::bom::{InputBom, Keep, Notice, OutputBom};
use crate::decode::{Decode, Next};
use crate::encoding::Encoding;
use crate::fault::{Bytes, Fault, FaultKind, Tally};
use crate::form::Form;
use crate::kernel::{self, Kernel};
use crate::newline::EbcdicNewline;
use crate::normalize::NormalizationForm;
use crate::policy::{Carrier, OnIllFormed, Policy};
use crate::position::{Extent, Position};
use input::Input;
use normalize::NormalizationBuffer;
use output::Output;
use policy::Carried;

/// How to convert.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// What a BOM at the start of the source means.
    pub input_bom: InputBom,
    /// Whether the output begins with a BOM.
    pub output_bom: OutputBom,
    /// What to do about faults.
    pub policy: Policy,
    /// What the newlines of EBCDIC are, on either side.
    pub ebcdic_newline: EbcdicNewline,
    /// The normalization form of the output's text. What the policy makes of ill-formed bytes is text, too, except the
    /// bytes that it copies or carries; what it has for unmappable characters comes after.
    pub normalization: Option<NormalizationForm>,
    /// The output already has text before this source's: no BOM may be written between them.
    pub continues: bool,
}

impl Options {
    /// Sets what a BOM at the start of the source means.
    ///
    /// ```
    /// use utfconv_core::{InputBom, Options, OutputBom};
    ///
    /// let options = Options::default().input_bom(InputBom::Sniff).output_bom(OutputBom::Never);
    /// assert_eq!(options.input_bom, InputBom::Sniff);
    /// ```
    #[must_use]
    pub fn input_bom(mut self, input_bom: InputBom) -> Options {
        self.input_bom = input_bom;
        self
    }

    /// Sets whether the output begins with a BOM.
    #[must_use]
    pub fn output_bom(mut self, output_bom: OutputBom) -> Options {
        self.output_bom = output_bom;
        self
    }

    /// Sets what to do about faults.
    #[must_use]
    pub fn policy(mut self, policy: Policy) -> Options {
        self.policy = policy;
        self
    }

    /// Sets what the newlines of EBCDIC are.
    #[must_use]
    pub fn ebcdic_newline(mut self, ebcdic_newline: EbcdicNewline) -> Options {
        self.ebcdic_newline = ebcdic_newline;
        self
    }

    /// Normalizes the output's text.
    #[must_use]
    pub fn normalization(mut self, form: impl Into<Option<NormalizationForm>>) -> Options {
        self.normalization = form.into();
        self
    }

    /// Sets whether the output already has text before this source's.
    #[must_use]
    pub fn continues(mut self, continues: bool) -> Options {
        self.continues = continues;
        self
    }
}

/// The answer to one call of [`Transcoder::step`]: counts, and the reason to return.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Step {
    /// Bytes taken from the source; continue with what follows them.
    pub read: usize,
    /// Bytes written to the sink.
    pub written: usize,
    /// Why the call ended.
    pub stop: Stop,
}

/// Why a call of [`Transcoder::step`] ended. After what a later version adds, call again, as after a notice.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// All of the source was taken. After `last`, the conversion is complete.
    SourceEmpty,
    /// There is no room for the next bytes of output. Call again with more.
    SinkFull,
    /// A fault, dealt with as the policy says. Call again to continue.
    Fault(Fault),
    /// A remark about the source. Call again to continue.
    Notice(Notice),
    /// A fault that ends the conversion; all before it is written. Every further call returns the same.
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
pub struct Transcoder {
    options: Options,
    input: Input,
    fallback: Option<Box<dyn Decode>>,
    /// None where single characters have to be looked at.
    kernel: Option<Kernel>,
    output: Output,
    partial: PartialSequence,
    /// If the text is normalized, what of it may still change.
    normalization: Option<NormalizationBuffer>,
    /// The source broke off: what is incomplete is no fault.
    broken_off: bool,
    /// Text follows the end of the source: the output does not end there.
    stays_open: bool,
    /// What the caller has not been told yet.
    events: VecDeque<Stop>,
    /// If faults are only counted, how many there were.
    tally: Option<Tally>,
    stopped: Option<Fault>,
}

/// Source bytes from earlier chunks that are not yet a whole sequence.
#[derive(Default)]
struct PartialSequence {
    bytes: [u8; PartialSequence::ROOM],
    len: usize,
}

impl PartialSequence {
    /// Holds the longest sequence that any decoder looks at twice over: one that waits, and what is topped up to end it.
    const ROOM: usize = 2 * Bytes::MAX;

    fn extend(&mut self, bytes: &[u8]) {
        self.bytes[self.len..self.len + bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len();
    }

    fn drop_front(&mut self, count: usize) {
        self.bytes.copy_within(count..self.len, 0);
        self.len -= count;
    }
}

/// What came of the sequence at the front of a window.
enum Taken {
    /// It is not whole yet.
    Incomplete,
    /// So many bytes are dealt with.
    Bytes(usize),
    /// The conversion ends before it.
    Stopped,
}

/// A kernel that does not get this far, in bytes, takes longer than the exact decoder.
const SHORT: usize = 8;

/// The sequences that are decoded exactly in a row where faults are dense.
const ROW: usize = 32;

impl std::fmt::Debug for Transcoder {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_struct("Transcoder")
            .field("from", &self.input.encoding)
            .field("to", &self.output.to)
            .field("position", &self.position())
            .finish_non_exhaustive()
    }
}

impl Transcoder {
    /// A transcoder for one source in `from` to a target in `to`.
    pub fn new(from: &'static Encoding, to: &'static Encoding, options: Options) -> Transcoder {
        let newline = options.ebcdic_newline;
        Transcoder {
            input: Input::new(from, options.input_bom, newline),
            fallback: match options.policy.ill_formed {
                OnIllFormed::Fallback(encoding) => Some(encoding.form().decoder(newline)),
                _ => None,
            },
            kernel: kernel_for(from, to, &options),
            output: Output::new(to, newline, options.output_bom, options.continues),
            partial: PartialSequence::default(),
            normalization: options.normalization.map(NormalizationBuffer::new),
            broken_off: false,
            stays_open: false,
            events: VecDeque::new(),
            tally: None,
            stopped: None,
            options,
        }
    }

    /// Converts as much of `src` as fits into `dst`. `last` says that the source ends with this chunk.
    ///
    /// Both counts are exact on every outcome; continue with `src[read..]`. A sequence cut off by the end of `src` is
    /// taken in and waits for the next call; it becomes a fault only when `last` is true. An empty `src` is allowed at
    /// any time. Unless `dst` is empty, every call makes progress or returns a reason that stays.
    pub fn step(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> Step {
        let (mut read, mut written) = (0, 0);
        // Calls of the kernel in a row that came to little.
        let mut short_runs = 0;
        let stop = loop {
            written += self.output.drain(&mut dst[written..]);
            if self.output.is_waiting() {
                break Stop::SinkFull;
            }
            if let Some(event) = self.events.pop_front() {
                break event;
            }
            if let Some(fault) = &self.stopped {
                break Stop::Stopped(fault.clone());
            }
            let taken = if self.input.is_opening() || self.partial.len > 0 {
                self.take_partial(&src[read..], last)
            } else {
                let start = read;
                if !self.close_before(&src[read..]) || self.output.is_waiting() {
                    continue;
                }
                match &mut self.kernel {
                    // Nothing is written before the BOM, and the BOM not before it is known that something follows.
                    Some(_) if !self.output.at_rest() => {}
                    Some(kernel) => {
                        let (rest, room) = (&src[read..], &mut dst[written..]);
                        let (r, w) = match &mut self.normalization {
                            None => kernel(rest, room),
                            Some(sequence) => sequence.run(kernel, rest, room, &mut self.output),
                        };
                        if r > 0 {
                            let run = &src[read..read + r];
                            self.events.extend(self.input.pass_run(run).map(Stop::Notice));
                        }
                        read += r;
                        written += w;
                    }
                    None => read += self.take_row(&src[read..], dst.len() - written, usize::MAX),
                }
                if self.output.is_waiting() {
                    continue;
                }
                // A kernel may leave a sequence before the fault. Where faults are dense, it is not worth its call: some
                // sequences are judged in a row.
                short_runs = if read - start < SHORT { short_runs + 1 } else { 0 };
                let is_dense = short_runs > 2;
                if is_dense {
                    let row = self.take_row(&src[read..], dst.len() - written, ROW);
                    read += row;
                    if row > 0 {
                        continue;
                    }
                }
                let mut sequences = if is_dense { ROW } else { 2 };
                loop {
                    let rest = &src[read..];
                    sequences -= 1;
                    match self.take(rest, last) {
                        Taken::Bytes(len) if sequences > 0 && self.events.is_empty() => read += len,
                        Taken::Incomplete => {
                            self.partial.extend(rest);
                            read = src.len();
                            break Taken::Incomplete;
                        }
                        taken => break taken,
                    }
                }
            };
            match taken {
                Taken::Bytes(count) => read += count,
                Taken::Stopped => {}
                Taken::Incomplete => {
                    read = src.len();
                    if self.broken_off {
                        self.partial.len = 0;
                    }
                    if last && self.close() {
                        if !self.stays_open {
                            self.output.finish();
                        }
                        self.end_watch();
                    } else {
                        self.settle();
                    }
                    // What waits can be written.
                    if self.events.is_empty() && !self.output.is_waiting() && self.stopped.is_none() {
                        break Stop::SourceEmpty;
                    }
                }
            }
        };
        Step { read, written, stop }
    }

    /// Declares that the source cannot be read to its end. An incomplete sequence is dropped, and is not a fault; call
    /// [`Transcoder::step`] with `last` once more, for what ends the output.
    pub fn break_off(&mut self) {
        self.broken_off = true;
    }

    /// From here on, faults that the policy deals with are counted and no longer returned one by one.
    pub fn count_faults(&mut self) {
        self.tally.get_or_insert_default();
    }

    /// The faults counted since the last call, if they are counted.
    pub fn take_tally(&mut self) -> Tally {
        self.tally.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// The encoding of the source; after its BOM, with the byte order decided.
    pub fn encoding(&self) -> &'static Encoding {
        self.input.encoding
    }

    /// Where in the source the conversion is: after the last sequence that was dealt with.
    pub fn position(&self) -> Position {
        let waiting = self.normalization.as_ref().and_then(NormalizationBuffer::start);
        waiting.map_or(self.input.position, |origin| origin.position)
    }

    /// Takes one sequence that begins in the [`PartialSequence`]; counts only the bytes that it takes from `src`.
    fn take_partial(&mut self, src: &[u8], last: bool) -> Taken {
        let held = self.partial.len;
        let topped_up = src.len().min(PartialSequence::ROOM - held);
        self.partial.extend(&src[..topped_up]);
        let window = self.partial.bytes;
        let taken = self.take(&window[..self.partial.len], last && topped_up == src.len());
        if let Taken::Incomplete = taken {
            assert_eq!(topped_up, src.len(), "a window this wide can always be judged");
            return Taken::Incomplete;
        }
        self.partial.len = held;
        let Taken::Bytes(count) = taken else { return taken };
        self.partial.drop_front(count.min(held));
        Taken::Bytes(count.saturating_sub(held))
    }

    /// Takes up to `most` sequences, as long as there is nothing to decide about them and nothing to tell, and until about
    /// `room` bytes wait: what a kernel does for encodings that have none, and what is quicker where faults are dense.
    /// Returns the bytes taken.
    fn take_row(&mut self, src: &[u8], room: usize, most: usize) -> usize {
        if let Some(sequence) = &self.normalization {
            let form = sequence.form();
            return if sequence.is_empty() { self.take_stable_row(form, src, room, most) } else { 0 };
        }
        let (mut read, mut extent) = (0, Extent::default());
        let counts_only = self.counts_only();
        for _ in 0..most {
            if self.output.waiting() >= room {
                break;
            }
            let rest = &src[read..];
            let len = match self.input.decoder.next(rest, false) {
                Next::Shift { len } => len,
                Next::Scalar { code_point, len } => {
                    let is_text = matches!(self.carrier_of(code_point, len, rest, false), Carried::No);
                    if !is_text || !self.output.put(code_point) {
                        break;
                    }
                    extent = extent.then(Extent::of(code_point));
                    len
                }
                Next::IllFormed(found) if counts_only && self.apply_counted(&found) => {
                    extent = extent.then(found.extent());
                    found.len
                }
                _ => break,
            };
            self.input.decoder.taken();
            read += len;
        }
        self.pass(&src[..read], extent);
        read
    }

    /// Takes the sequence at the front of `window`, or the BOM.
    fn take(&mut self, window: &[u8], last: bool) -> Taken {
        if self.input.is_opening() {
            return self.open(window, last);
        }
        let last = last && !self.broken_off;
        let taken = match self.input.decoder.next(window, last) {
            Next::Incomplete => return Taken::Incomplete,
            Next::Shift { len } => {
                self.pass(&window[..len], Extent::default());
                Taken::Bytes(len)
            }
            Next::Pair { code_points, len } => self.put(&code_points, &window[..len]),
            Next::Scalar { code_point, len } => match self.carrier_of(code_point, len, window, last) {
                Carried::No => self.put(&[code_point], &window[..len]),
                Carried::Unknown => return Taken::Incomplete,
                Carried::Byte { .. } | Carried::Itself(_) if !self.close() => return Taken::Stopped,
                Carried::Byte { byte, len, columns } => {
                    self.output.put_raw(&[byte]);
                    self.pass(&window[..len], Extent { lines: 0, column: columns });
                    Taken::Bytes(len)
                }
                // What looks like a carrier would come back as something else.
                Carried::Itself(carrier) => {
                    let bytes = &window[..len];
                    if !self.carry_bytes(bytes, carrier) {
                        let kind = FaultKind::Unmappable { encoding: self.output.to.name(), code_point };
                        return self.stop(bytes, kind);
                    }
                    self.pass(bytes, Extent::of(code_point));
                    Taken::Bytes(len)
                }
            },
            Next::IllFormed(found) => self.apply_policy(found, window, last),
        };
        if let Taken::Bytes(_) = taken {
            self.input.decoder.taken();
        }
        taken
    }

    fn open(&mut self, window: &[u8], last: bool) -> Taken {
        let named = self.input.encoding;
        let Some(opening) = self.input.open(window, last) else {
            return Taken::Incomplete;
        };
        if opening.encoding != named {
            self.kernel = kernel_for(self.input.encoding, self.output.to, &self.options);
        }
        self.events.extend(opening.other.map(Stop::Notice));
        let stands_out = self.output.is_bom_pending() || !self.output.to.can_carry_bom();
        if opening.is_text && self.options.input_bom == InputBom::Auto && stands_out {
            self.events.push_back(Stop::Notice(Notice::BomAsText { read_as: self.input.encoding }));
        }
        let bom = &window[..opening.skip];
        if let Some(fault) = opening.fault {
            return self.stop(bom, FaultKind::Bom { encoding: self.input.encoding.name(), fault });
        }
        match opening.keep {
            Keep::No => {}
            // Where the target has no U+FEFF, it is for the policy to say what becomes of it.
            Keep::Always if !self.output.to.can_carry_bom() => {
                if !self.write(iter::once(0xFEFF), self.input.position, bom) {
                    return Taken::Stopped;
                }
            }
            _ if self.options.output_bom == OutputBom::Never => {}
            Keep::WherePossible if self.options.continues => {}
            Keep::WherePossible | Keep::Always => self.output.put_bom(),
        }
        // A BOM is no part of the text: it takes no column.
        self.pass(bom, Extent::default());
        Taken::Bytes(bom.len())
    }

    /// Writes the characters that `bytes` of the source stand for, all or none, and passes them.
    fn put(&mut self, code_points: &[u32], bytes: &[u8]) -> Taken {
        if !self.put_text(code_points, bytes) {
            return Taken::Stopped;
        }
        let extent = code_points.iter().fold(Extent::default(), |sum, one| sum.then(Extent::of(*one)));
        self.pass(bytes, extent);
        Taken::Bytes(bytes.len())
    }

    /// Writes the characters that `bytes` of the source, which begin here, stand for, or has them wait for normalization.
    /// False if the conversion ends before them.
    fn put_text(&mut self, code_points: &[u32], bytes: &[u8]) -> bool {
        match self.normalization {
            None => self.write(code_points.iter().copied(), self.input.position, bytes),
            Some(_) => code_points.iter().all(|code_point| self.hold(*code_point, bytes, false)),
        }
    }

    /// Writes what the policy has made of ill-formed `bytes` that begin here: this text, or U+FFFD. False if the conversion
    /// ends before it.
    fn put_made(&mut self, text: Option<&str>, bytes: &[u8]) -> bool {
        if self.normalization.is_none() {
            self.output.put_replacement(text);
            return true;
        }
        text.unwrap_or("\u{FFFD}").chars().all(|scalar| self.hold(scalar.into(), bytes, true))
    }

    /// Writes `code_points`, which `bytes` of the source at `position` stand for, all or none; false if the conversion ends
    /// before them.
    fn write(
        &mut self,
        code_points: impl Iterator<Item = u32> + Clone,
        position: Position,
        bytes: &[u8],
    ) -> bool {
        let encoding = self.output.to.name();
        if code_points.clone().nth(1).is_some()
            && let Some(code_point) = self.first_missing(code_points.clone())
        {
            self.end(position, bytes, FaultKind::Unmappable { encoding, code_point });
            return false;
        }
        for code_point in code_points {
            if !self.output.put(code_point) {
                let kind = FaultKind::Unmappable { encoding, code_point };
                if !self.output.substitute(&self.options.policy.unmappable, code_point) {
                    self.end(position, bytes, kind);
                    return false;
                }
                self.report(position, bytes, kind);
            }
        }
        true
    }

    /// The first of `code_points` at which the conversion would end.
    fn first_missing(&self, mut code_points: impl Iterator<Item = u32>) -> Option<u32> {
        let policy = &self.options.policy.unmappable;
        code_points.find(|code_point| !self.output.takes(policy, *code_point))
    }

    fn report(&mut self, position: Position, bytes: &[u8], kind: FaultKind) {
        match &mut self.tally {
            Some(tally) => tally.add(&kind),
            None => self.events.push_back(Stop::Fault(Fault::new(position, bytes, kind))),
        }
    }

    /// Ends the conversion before `bytes`, which begin here, unless what waits before them ends it.
    fn stop(&mut self, bytes: &[u8], kind: FaultKind) -> Taken {
        if self.close() {
            self.end(self.input.position, bytes, kind);
        }
        Taken::Stopped
    }

    /// Ends the conversion with a fault at `position`, unless one has before.
    fn end(&mut self, position: Position, bytes: &[u8], kind: FaultKind) {
        if self.stopped.is_some() {
            return;
        }
        if position == self.input.position {
            let notice = self.input.feed_watch(bytes);
            self.events.extend(notice.map(Stop::Notice));
        }
        self.end_watch();
        self.output.finish();
        self.stopped = Some(Fault::new(position, bytes, kind));
    }

    fn end_watch(&mut self) {
        let notice = self.input.end_watch();
        self.events.extend(notice.map(Stop::Notice));
    }

    /// Passes `bytes`, which span `extent`.
    fn pass(&mut self, bytes: &[u8], extent: Extent) {
        let notice = self.input.pass(bytes, extent);
        self.events.extend(notice.map(Stop::Notice));
    }
}

/// The kernel that may be used under `options`.
fn kernel_for(from: &'static Encoding, to: &'static Encoding, options: &Options) -> Option<Kernel> {
    match options.policy.carrier() {
        // Sound text may look like carriers.
        Some(Carrier::Pua | Carrier::C8) => None,
        // What may be normalized already is told by its UTF-8.
        _ if options.normalization.is_some() && from.form() != Form::Utf8 => None,
        _ => kernel::Set::active().kernel(from.form(), to.form(), options.ebcdic_newline),
    }
}
