//! The transcoder, which joins BOM, decoder, policy and encoder in a loop over chunks.
//!
//! A kernel converts a well-formed run. Where it stops, the exact decoder takes one sequence at a time, and [`policy`]
//! decides about each fault. The cuts between chunks and the room of a call do not affect the result. A sequence that
//! the end of a chunk cuts waits for the next chunk, and output without room waits in the [`Output`]. Both are small,
//! and do not grow with the source.

mod carrier_table;
mod carriers;
mod checkpoint;
mod engine;
pub(crate) mod exact;
pub(crate) mod input;
mod normalize;
mod options;
mod output;
mod policy;
mod rows;
pub(crate) mod segments;
mod state;
mod substituting;
mod write;

pub use checkpoint::Checkpoint;
pub use options::Options;
pub use state::{Step, Stop, Transcoder};

use std::collections::VecDeque;
use std::iter;

use crate::bom::{InputBom, Keep, Notice, OutputBom};
use crate::decode::Next;
use crate::encoding::Encoding;
use crate::fault::FaultKind;
use crate::normalize::NormalizationForm;
use crate::policy::OnIllFormed;
use crate::position::Extent;
use carrier_table::CarrierTable;
use carriers::Carried;
pub(crate) use engine::ROW;
use engine::{Engine, Fast, LONGEST_HELD, Run};
use state::Taken;

/// Below this many bytes a kernel call is slower than the exact decoder.
pub(crate) const SHORT: usize = 8;

/// After more short runs than this, faults are dense, so calling the kernel does not pay.
const MOST_SHORT_RUNS: usize = 2;

impl Transcoder {
    /// Creates a transcoder for a source in `from` to a target in `to`.
    pub fn new(from: &'static Encoding, to: &'static Encoding, options: Options) -> Transcoder {
        let newline = options.ebcdic_newline;
        let input_bom = match options.input_bom {
            // When bytes are carried and restored, it is unknown whether the source had a BOM, so the BOM is text.
            InputBom::Auto if has_carriers_out(from, to, &options) => InputBom::Text,
            other => other,
        };
        let engine = Engine::new(from, to, [newline; 2], &options.clone().input_bom(input_bom));
        let mut transcoder = Transcoder {
            from,
            engine,
            fallback: match options.policy.ill_formed {
                OnIllFormed::Fallback(encoding) => Some(encoding.form().decoder(newline)),
                _ => None,
            },
            restore: None,
            broken_off: false,
            stays_open: false,
            is_complete: false,
            events: VecDeque::new(),
            counts: None,
            has_bom: false,
            written: 0,
            stopped: None,
            options,
        };
        transcoder.choose_codecs();
        transcoder
    }

    /// Chooses the fields that depend on both encodings. Called again if the BOM changes the encoding of the source.
    fn choose_codecs(&mut self) {
        let (from, to, newline) =
            (self.engine.input.encoding, self.engine.output.to, self.options.ebcdic_newline);
        let of_bytes = if from.is_of_bytes() { from } else { to };
        let is_restoring = of_bytes.is_of_bytes() && from.code_unit_len() != to.code_unit_len();
        self.restore = self
            .options
            .policy
            .carrier()
            .filter(|_| is_restoring)
            .map(|carrier| Box::new(CarrierTable::new(of_bytes, newline, carrier)));
        if has_carriers_out(from, to, &self.options) {
            self.engine.input.decoder = from.form().decoder_by_code(newline);
        }
        // A kernel does not test whether a character has several codes.
        let has_codes = match &self.restore {
            Some(restore) => from.is_of_bytes() && !restore.has_one_code_each(),
            None => false,
        };
        self.engine.choose(&self.options, has_codes);
    }

    /// Converts as much of `src` as fits in `dst`. `last` means that the source ends with this chunk.
    ///
    /// Both counts are exact for every outcome; continue with `src[read..]`. A sequence that the end of `src` cuts is
    /// consumed and waits for the next call; it becomes a fault only if `last` is true. An empty `src` is allowed at
    /// any time. `dst` may end inside a character, so join the output before it is read as UTF-8. Unless `dst` is
    /// empty, every call makes progress or returns a reason that persists.
    ///
    /// After a call with `last` has returned [`Stop::SourceEmpty`], the conversion is complete: every further call
    /// reads nothing, writes nothing and returns the same. Call [`Transcoder::reset`] for another source.
    ///
    /// ```
    /// use utfconv_core::{Options, Stop, Transcoder, UTF_8};
    ///
    /// let (mut transcoder, mut out) = (Transcoder::new(&UTF_8, &UTF_8, Options::default()), [0; 8]);
    /// assert_eq!(transcoder.step(b"a", &mut out, true).stop, Stop::SourceEmpty);
    /// let step = transcoder.step(b"b", &mut out, true);
    /// assert_eq!((step.read, step.written, step.stop), (0, 0, Stop::SourceEmpty));
    /// ```
    pub fn step(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> Step {
        let (mut read, mut written) = (0, 0);
        if self.is_complete {
            return Step { read, written, stop: Stop::SourceEmpty };
        }
        let mut short_runs = 0;
        let stop = loop {
            written += self.engine.output.drain(&mut dst[written..]);
            if let Some(stop) = self.reason_to_return() {
                break stop;
            }
            let taken = if self.engine.input.is_opening() || !self.engine.held.is_empty() {
                self.take_partial(&src[read..], last)
            } else {
                if !self.close_before(&src[read..]) || self.engine.output.is_waiting() {
                    continue;
                }
                let run = self.advance(&src[read..], &mut dst[written..]);
                read += run.read;
                written += run.written;
                if self.engine.output.is_waiting() || run.goes_on {
                    continue;
                }
                short_runs = if run.read < SHORT { short_runs + 1 } else { 0 };
                let is_dense = short_runs > MOST_SHORT_RUNS;
                if is_dense {
                    let row = self.take_row(&src[read..], dst.len() - written, ROW);
                    read += row;
                    if row > 0 {
                        continue;
                    }
                }
                let (len, taken) = self.take_several(&src[read..], last, if is_dense { ROW } else { 2 });
                read += len;
                taken
            };
            match taken {
                Taken::Bytes(count) => read += count,
                Taken::Stopped => {}
                Taken::Incomplete => {
                    read = src.len();
                    if self.end_chunk(last) {
                        self.is_complete = last && !self.stays_open;
                        break Stop::SourceEmpty;
                    }
                }
            }
        };
        self.written += written as u64;
        Step { read, written, stop }
    }

    /// Returns the reason to end a call before anything more is consumed, if there is one: output is pending, an event
    /// has to be returned, or the conversion has ended.
    #[inline]
    fn reason_to_return(&mut self) -> Option<Stop> {
        if self.engine.output.is_waiting() {
            return Some(Stop::SinkFull);
        }
        self.events.pop_front().or_else(|| self.stopped.clone().map(Stop::Stopped))
    }

    /// Takes a sequence that begins in the held bytes. Counts only the bytes that it takes from `src`.
    fn take_partial(&mut self, src: &[u8], last: bool) -> Taken {
        let held = self.engine.held.len();
        let window = self.engine.window(src);
        let added = window.len() - held;
        let taken = self.take(&window, last && added == src.len());
        self.engine.held = window;
        match taken {
            Taken::Incomplete => assert_eq!(added, src.len(), "a window this wide holds a whole sequence"),
            Taken::Bytes(_) | Taken::Stopped => self.engine.held.truncate(held),
        }
        let Taken::Bytes(count) = taken else { return taken };
        self.engine.held.drain(..count.min(held));
        Taken::Bytes(count.saturating_sub(held))
    }

    /// Converts text at the front of `src` that needs no decisions, on the fastest path.
    #[inline]
    fn advance(&mut self, src: &[u8], dst: &mut [u8]) -> Run {
        let has_kernel = self.engine.has_kernel();
        if !has_kernel && !self.engine.is_plain {
            return Run { read: self.take_decided(src, dst.len(), usize::MAX), ..Run::default() };
        }
        let mut run = self.engine.advance::<true>(src, dst, 0, self.counts.is_some());
        if let Some(counts) = &mut self.counts {
            counts.add_substituted(run.substituted);
        }
        if run.read > 0 {
            self.pass(&src[..run.read], run.extent);
        } else if !run.goes_on && !has_kernel {
            run.read = self.take_decided(src, dst.len(), usize::MAX);
            run.goes_on = run.read > 0 && matches!(self.engine.fast, Fast::Rows(_));
        }
        run
    }

    /// Takes up to `most` sequences of any kind, until one causes an event, because a kernel may stop one sequence
    /// before a fault. Returns the number of bytes taken before the last sequence, and the outcome of the last
    /// sequence.
    #[inline]
    fn take_several(&mut self, src: &[u8], last: bool, most: usize) -> (usize, Taken) {
        let (mut read, mut left) = (0, most);
        loop {
            let rest = &src[read..];
            left -= 1;
            match self.take(rest, last) {
                Taken::Bytes(len) if left > 0 && self.events.is_empty() => read += len,
                Taken::Incomplete => {
                    assert!(rest.len() <= LONGEST_HELD, "an incomplete sequence is short");
                    self.engine.held.extend_from_slice(rest);
                    return (read, Taken::Incomplete);
                }
                taken => return (read, taken),
            }
        }
    }

    /// Ends a chunk that was consumed, and the output if the chunk is the last. Returns true if nothing is left to
    /// write or to return.
    #[inline]
    fn end_chunk(&mut self, last: bool) -> bool {
        if self.broken_off {
            self.engine.held.clear();
        }
        if last && self.close() {
            if !self.stays_open {
                self.engine.output.finish();
            }
            self.end_watch();
        } else {
            self.settle();
        }
        self.events.is_empty() && !self.engine.output.is_waiting() && self.stopped.is_none()
    }

    /// Takes up to `most` sequences, as long as there is nothing to report, until about `room` bytes are pending. If
    /// faults are dense, this is faster than a kernel. Returns the number of bytes taken.
    fn take_row(&mut self, src: &[u8], room: usize, most: usize) -> usize {
        if self.engine.is_plain {
            let (read, extent) = self.engine.take_row::<true>(src, room, most);
            if read > 0 {
                self.pass(&src[..read], extent);
                return read;
            }
        }
        self.take_decided(src, room, most)
    }

    /// Like [`Transcoder::take_row`], but for characters that may be carriers or have to be normalized, and for faults
    /// that are only counted.
    fn take_decided(&mut self, src: &[u8], room: usize, most: usize) -> usize {
        if let Some(sequence) = &self.engine.normalization {
            let form = sequence.form;
            return if sequence.is_empty() { self.take_stable_row(form, src, room, most) } else { 0 };
        }
        let (mut read, mut extent) = (0, Extent::default());
        let counts_only = self.counts_only();
        for _ in 0..most.min(ROW) {
            if self.engine.output.waiting() >= room {
                break;
            }
            let rest = &src[read..];
            let len = match self.engine.input.decoder.next(rest, false) {
                Next::Shift { len } => len,
                Next::Scalar { code_point, len } => {
                    let is_text = matches!(self.carrier_of(code_point, len, rest, false), Carried::No);
                    if !is_text
                        || self.engine.output.doubles_bom(code_point)
                        || !self.engine.output.put(code_point)
                    {
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
            self.engine.input.decoder.commit();
            read += len;
        }
        self.pass(&src[..read], extent);
        read
    }

    /// Like [`Engine::take_row`](super::engine::Engine::take_row), but for normalized text: takes characters that the
    /// form does not change, and holds back the last of them, because the next character may compose with it.
    fn take_stable_row(&mut self, form: NormalizationForm, src: &[u8], room: usize, most: usize) -> usize {
        let (mut read, mut extent) = (0, Extent::default());
        let mut last = None;
        for _ in 0..most {
            if self.engine.output.waiting() >= room {
                break;
            }
            let rest = &src[read..];
            let Next::Scalar { code_point, len } = self.engine.input.decoder.next(rest, false) else { break };
            let is_text = matches!(self.carrier_of(code_point, len, rest, false), Carried::No);
            if !is_text || self.engine.output.doubles_bom(code_point) || !form.leaves(code_point) {
                break;
            }
            if let Some((_, before)) = last {
                if !self.engine.output.put(before) {
                    break;
                }
                extent = extent.then(Extent::of(before));
            }
            last = Some((read, code_point));
            self.engine.input.decoder.commit();
            read += len;
        }
        if let Some((start, code_point)) = last {
            self.pass(&src[..start], extent);
            self.put(&[code_point], &src[start..read]);
        }
        read
    }

    /// Takes the sequence at the front of `window`, or the BOM.
    fn take(&mut self, window: &[u8], last: bool) -> Taken {
        if self.engine.input.is_opening() {
            return self.open(window, last);
        }
        let last = last && !self.broken_off;
        let taken = match self.engine.input.decoder.next(window, last) {
            Next::Incomplete => return Taken::Incomplete,
            Next::Shift { len } => self.taken(&window[..len], Extent::default()),
            Next::Several { code_points, len } => {
                let bytes = &window[..len];
                match self.options.policy.carrier() {
                    Some(carrier) if !self.comes_back(&code_points, bytes) => {
                        self.carry(&code_points, bytes, carrier)
                    }
                    _ => self.put(&code_points, bytes),
                }
            }
            Next::Scalar { code_point, len } => match self.carrier_of(code_point, len, window, last) {
                Carried::No => self.put(&[code_point], &window[..len]),
                Carried::Unknown => return Taken::Incomplete,
                Carried::Byte { .. } | Carried::Itself(_) if !self.close() => return Taken::Stopped,
                Carried::Byte { byte, len, columns } => {
                    self.engine.output.put_raw(&[byte]);
                    self.taken(&window[..len], Extent { lines: 0, column: columns })
                }
                Carried::Itself(carrier) => self.carry(&[code_point], &window[..len], carrier),
            },
            Next::IllFormed(found) => self.apply_policy(found, window, last),
        };
        if let Taken::Bytes(_) = taken {
            self.engine.input.decoder.commit();
        }
        taken
    }

    fn open(&mut self, window: &[u8], last: bool) -> Taken {
        let named = self.engine.input.encoding;
        let Some(opening) = self.engine.input.open(window, last) else {
            return Taken::Incomplete;
        };
        if opening.encoding != named {
            self.choose_codecs();
        }
        self.events.extend(opening.other.map(Stop::Notice));
        self.has_bom = opening.skip > 0;
        let is_lost = !self.engine.output.to.can_carry_bom();
        if opening.is_text && self.options.input_bom == InputBom::Auto && is_lost {
            self.events.push_back(Stop::Notice(Notice::BomAsText { read_as: self.engine.input.encoding }));
        }
        let bom = &window[..opening.skip];
        if let Some(fault) = opening.fault {
            return self.stop(bom, FaultKind::Bom { encoding: self.engine.input.encoding, fault });
        }
        match opening.keep {
            Keep::No => {}
            // If the target cannot encode U+FEFF, the policy decides.
            Keep::Always if !self.engine.output.to.can_carry_bom() => {
                if !self.write(iter::once(0xFEFF), self.engine.input.position, bom) {
                    return Taken::Stopped;
                }
            }
            _ if matches!(self.options.output_bom, OutputBom::Never | OutputBom::Forbid) => {}
            Keep::WherePossible if self.options.continues => {}
            Keep::WherePossible | Keep::Always => self.engine.output.put_bom(),
        }
        // A BOM is not text, so it takes no column.
        self.taken(bom, Extent::default())
    }
}

/// Whether bytes of `from` are carried through the wider code units of `to`.
fn has_carriers_out(from: &Encoding, to: &Encoding, options: &Options) -> bool {
    from.is_of_bytes() && to.code_unit_len() > 1 && options.policy.carrier().is_some()
}
