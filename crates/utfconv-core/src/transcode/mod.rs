//! The transcoder: joins BOM, decoder, policy and encoder into one loop over chunks.
//!
//! A kernel eats the well-formed run; what it stops at is judged, one sequence at a time, and here alone policy is
//! applied. Nothing depends on where a source is cut into chunks or on how much room a call gives: a sequence cut by
//! the end of a chunk waits in the carry, output without room waits in the [`Output`]. Both are small and never grow with the
//! source.

mod normalize;
mod output;

use std::collections::VecDeque;
use std::iter;

use crate::bom::{self, InputBom, Keep, Notice, OrderWatch, OutputBom};
use crate::decode::{Decode, IllFormedSequence, Next, is_surrogate};
use crate::encoding::Encoding;
use crate::fault::{Bytes, Fault, FaultKind, IllFormed, Tally};
use crate::form::Form;
use crate::kernel::{self, Kernel};
use crate::newline::EbcdicNewline;
use crate::normalize::{LONGEST_SEQUENCE, NormalizationForm};
use crate::policy::{Carrier, OnIllFormed, Policy};
use crate::position::{Extent, Position};
use normalize::{NormalizationBuffer, Origin};
use output::{C8_MARK, Output};

/// How to convert.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What a BOM at the start of the source means.
    pub input_bom: InputBom,
    /// Whether the output begins with a BOM.
    pub output_bom: OutputBom,
    /// What to do about faults.
    pub policy: Policy,
    /// What the newlines of EBCDIC are, on either side.
    pub ebcdic_newline: EbcdicNewline,
    /// The normalization form of the output's text. What the policy makes of ill-formed bytes is text, too, but for the
    /// bytes that it copies or carries; what it has for unmappable characters comes after.
    pub normalization: Option<NormalizationForm>,
    /// The output already has text before this source's: no BOM may be written at the seam.
    pub continues: bool,
}

/// The answer to one call of [`Transcoder::step`]: counts, and the reason to return.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Step {
    /// Bytes taken from the source; go on with what follows them.
    pub read: usize,
    /// Bytes written to the sink.
    pub written: usize,
    /// Why the call ended.
    pub stop: Stop,
}

/// Why a call of [`Transcoder::step`] ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// All of the source was taken. After `last`, the conversion is complete.
    SourceEmpty,
    /// There is no room for the next bytes of output. Call again with more.
    SinkFull,
    /// A fault was met, and dealt with as the policy says. Call again to go on.
    Fault(Fault),
    /// There is something to say about the source. Call again to go on.
    Notice(Notice),
    /// A fault was met that ends the conversion; all before it is written. Every further call answers the same.
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
    /// As named; once the BOM has been looked for, with the byte order decided.
    from: &'static Encoding,
    options: Options,
    decoder: Box<dyn Decode>,
    fallback: Option<Box<dyn Decode>>,
    /// None where single characters have to be looked at.
    kernel: Option<Kernel>,
    output: Output,
    /// The BOM has not been looked for yet.
    opening: bool,
    watch: Option<OrderWatch>,
    place: Position,
    carry: Carry,
    /// If the text is normalized, what of it may still change.
    sequence: Option<NormalizationBuffer>,
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
struct Carry {
    bytes: [u8; Carry::ROOM],
    len: usize,
}

impl Carry {
    /// Holds the longest sequence that any judge looks at twice over: one that waits, and what is topped up to end it.
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

/// What a well-formed code point has to do with carriers.
enum Carried {
    /// Nothing.
    No,
    /// The bytes so far are not enough to tell.
    Unknown,
    /// It begins a carrier of this byte, `len` bytes long.
    Byte { byte: u8, len: usize, columns: u64 },
    /// It looks like a carrier where no carriers are due.
    Itself(Carrier),
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

/// A kernel that does not get so far, in bytes, takes longer than the judge would have.
const SHORT: usize = 8;

/// The sequences that are judged in a row where faults are dense.
const ROW: usize = 32;

impl Transcoder {
    /// A transcoder for one source in `from` to a target in `to`.
    pub fn new(from: &'static Encoding, to: &'static Encoding, options: Options) -> Transcoder {
        let newline = options.ebcdic_newline;
        Transcoder {
            from,
            decoder: from.form().decoder(newline),
            fallback: match options.policy.ill_formed {
                OnIllFormed::Fallback(encoding) => Some(encoding.form().decoder(newline)),
                _ => None,
            },
            kernel: kernel_for(from, to, &options),
            output: Output::new(to, newline, options.output_bom, options.continues),
            opening: true,
            watch: None,
            place: Position::default(),
            carry: Carry::default(),
            sequence: options.normalization.map(NormalizationBuffer::new),
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
    /// Both counts are exact on every outcome; go on with `src[read..]`. A sequence cut off by the end of `src` is
    /// taken in and waits for the next call; it becomes a fault only when `last` is true. An empty `src` is allowed at
    /// any time. Unless `dst` is empty, every call makes progress or answers with a reason that stays.
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
            let taken = if self.opening || self.carry.len > 0 {
                self.take_carried(&src[read..], last)
            } else {
                let start = read;
                if !self.close_before(&src[read..]) || self.output.is_waiting() {
                    continue;
                }
                match &mut self.kernel {
                    // Nothing is written before the mark, and the mark not before it is known that something follows.
                    Some(_) if !self.output.at_rest() => {}
                    Some(kernel) => {
                        let (rest, room) = (&src[read..], &mut dst[written..]);
                        let (r, w) = match &mut self.sequence {
                            None => kernel(rest, room),
                            Some(sequence) => sequence.run(kernel, rest, room, &mut self.output),
                        };
                        if r > 0 {
                            let run = &src[read..read + r];
                            self.pass_over(run);
                            self.feed_watch(run);
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
                            self.carry.extend(rest);
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
                        self.carry.len = 0;
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

    /// Tells that the source cannot be read to its end. A sequence that is incomplete is dropped, and is no fault; call
    /// [`Transcoder::step`] with `last` once more, for what ends the output.
    pub fn break_off(&mut self) {
        self.broken_off = true;
    }

    /// Tells that the source is a part, and that another one follows: what the target's encoder holds back for the next
    /// character is not written at the end. After a call of [`Transcoder::step`] with `last`, either
    /// [`Transcoder::begin_part`] and more calls follow; or another transcoder is to begin before the end of this part,
    /// where it holds the same.
    pub fn stay_open(&mut self, stays_open: bool) {
        self.stays_open = stays_open;
    }

    /// Whether what is written for a character never depends on those before it.
    pub fn writes_apart(&self) -> bool {
        self.output.writes_apart()
    }

    /// The BOM that goes before the first output, if none has been written. It is then no longer owed: whoever
    /// takes it sees to it.
    pub fn take_bom(&mut self) -> Vec<u8> {
        self.output.take_mark()
    }

    /// From here on, faults that the policy deals with are counted and no longer answered one by one.
    pub fn count_faults(&mut self) {
        self.tally.get_or_insert_default();
    }

    /// From here on, faults are answered one by one again; those that were counted are forgotten.
    pub fn tell_faults(&mut self) {
        self.tally = None;
    }

    /// The faults counted since the last call, if they are counted.
    pub fn take_tally(&mut self) -> Tally {
        self.tally.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// The encoding of the source; behind its BOM, with the byte order decided.
    pub fn encoding(&self) -> &'static Encoding {
        self.from
    }

    /// Where in the source the conversion stands: behind the last sequence that was dealt with.
    pub fn place(&self) -> Position {
        let waiting = self.sequence.as_ref().and_then(NormalizationBuffer::start);
        waiting.map_or(self.place, |origin| origin.position)
    }

    /// Whether nothing of what was taken so far bears on what follows, so that a [`Transcoder::part`] might go on. Never
    /// where the text is normalized: parts end anywhere.
    pub fn is_between_parts(&self) -> bool {
        let is_idle = self.carry.len == 0 && self.events.is_empty() && !self.output.is_waiting();
        let has_begun = !self.opening && self.watch.is_none() && self.stopped.is_none();
        let is_cut = self.sequence.is_none() && !self.from.is_stateful();
        is_idle && has_begun && self.output.at_rest() && is_cut
    }

    /// A transcoder for a part of the same source, whose BOM has been dealt with. Converted one by one, parts that
    /// begin at a boundary ([`Encoding::boundary`]) give what the whole gives, but for the places of faults, which
    /// count from the start of the part.
    pub fn part(&self) -> Transcoder {
        let to = self.output.to;
        let options = Options { output_bom: OutputBom::Never, ..self.options.clone() };
        let mut part = Transcoder::new(self.from, to, options);
        part.opening = false;
        part.stays_open = self.stays_open;
        part.tally = self.tally.as_ref().map(|_| Tally::default());
        part
    }

    /// Converts a prefix of `src` in which there is nothing to decide, by the kernel alone; answers the bytes read and
    /// the bytes written. What is left has to be given to [`Transcoder::step`].
    ///
    /// The place does not move: to count the lines takes longer, and is seldom of use. [`Transcoder::pass_over`] does.
    pub fn run(&mut self, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let may_run = self.is_between_parts();
        match &mut self.kernel {
            Some(kernel) if may_run => kernel(src, dst),
            _ => (0, 0),
        }
    }

    /// Moves the place past `run`, which [`Transcoder::run`] has converted.
    pub fn pass_over(&mut self, run: &[u8]) {
        let extent = self.decoder.measure(run);
        self.place.advance(run.len(), extent);
    }

    /// Goes on with another part of the source: places count from its start.
    ///
    /// # Panics
    /// If the last part is not complete.
    pub fn begin_part(&mut self) {
        let is_complete = !self.opening && self.carry.len == 0 && self.stopped.is_none();
        assert!(is_complete, "the last part is complete");
        self.place = Position::default();
    }

    /// Takes one sequence that begins in the carry; counts only the bytes that it takes from `src`.
    fn take_carried(&mut self, src: &[u8], last: bool) -> Taken {
        let held = self.carry.len;
        let topped_up = src.len().min(Carry::ROOM - held);
        self.carry.extend(&src[..topped_up]);
        let window = self.carry.bytes;
        let taken = self.take(&window[..self.carry.len], last && topped_up == src.len());
        if let Taken::Incomplete = taken {
            assert_eq!(topped_up, src.len(), "a window this wide can always be judged");
            return Taken::Incomplete;
        }
        self.carry.len = held;
        let Taken::Bytes(count) = taken else { return taken };
        self.carry.drop_front(count.min(held));
        Taken::Bytes(count.saturating_sub(held))
    }

    /// Takes up to `most` sequences, as long as there is nothing to decide about them and nothing to tell, and until about
    /// `room` bytes wait: what a kernel does for encodings that have none, and what is quicker where faults are dense.
    /// Answers the bytes taken.
    fn take_row(&mut self, src: &[u8], room: usize, most: usize) -> usize {
        if let Some(sequence) = &self.sequence {
            let form = sequence.form();
            return if sequence.is_empty() { self.take_stable_row(form, src, room, most) } else { 0 };
        }
        let (mut read, mut extent) = (0, Extent::default());
        let mends = self.mends_unsaid();
        for _ in 0..most {
            if self.output.waiting() >= room {
                break;
            }
            let rest = &src[read..];
            let len = match self.decoder.next(rest, false) {
                Next::Shift { len } => len,
                Next::Scalar { code_point, len } => {
                    let is_text = matches!(self.carrier_of(code_point, len, rest, false), Carried::No);
                    if !is_text || !self.output.put(code_point) {
                        break;
                    }
                    extent = extent.then(Extent::of(code_point));
                    len
                }
                Next::IllFormed(verdict) if mends && self.mend_unsaid(&verdict) => {
                    extent = extent.then(verdict.extent());
                    verdict.len
                }
                _ => break,
            };
            self.decoder.taken();
            read += len;
        }
        self.pass(&src[..read], extent);
        read
    }

    /// The same where the text is normalized: characters that the form leaves as they are, the last of which waits for what
    /// follows it.
    fn take_stable_row(&mut self, form: NormalizationForm, src: &[u8], room: usize, most: usize) -> usize {
        let (mut read, mut extent) = (0, Extent::default());
        let mut last = None;
        for _ in 0..most {
            if self.output.waiting() >= room {
                break;
            }
            let rest = &src[read..];
            let Next::Scalar { code_point, len } = self.decoder.next(rest, false) else { break };
            let is_text = matches!(self.carrier_of(code_point, len, rest, false), Carried::No);
            if !is_text || !form.leaves(code_point) {
                break;
            }
            if let Some((_, before)) = last {
                if !self.output.put(before) {
                    break;
                }
                extent = extent.then(Extent::of(before));
            }
            last = Some((read, code_point));
            self.decoder.taken();
            read += len;
        }
        if let Some((start, code_point)) = last {
            self.pass(&src[..start], extent);
            self.put(&[code_point], &src[start..read]);
        }
        read
    }

    /// Whether faults are only counted, and simply omitted or replaced.
    fn mends_unsaid(&self) -> bool {
        let policy = &self.options.policy;
        // Carriers and lone surrogates may be no faults at all.
        let is_simple = policy.carrier().is_none() && self.output.to.form() != Form::Wtf8;
        self.tally.is_some()
            && is_simple
            && matches!(policy.ill_formed, OnIllFormed::Omit | OnIllFormed::Replace(None))
    }

    /// Does about a fault what [`Transcoder::mend`] does, where [`Transcoder::mends_unsaid`]; false if it does not yet know
    /// how.
    fn mend_unsaid(&mut self, verdict: &IllFormedSequence) -> bool {
        let policy = &self.options.policy;
        let is_omitted = matches!(policy.ill_formed, OnIllFormed::Omit);
        let is_done = is_omitted || self.output.repeat_replacement(policy.replacements(verdict));
        if let (true, Some(tally)) = (is_done, &mut self.tally) {
            tally.add_ill_formed(verdict.kind);
        }
        is_done
    }

    /// Takes the sequence at the front of `window`, or the BOM.
    fn take(&mut self, window: &[u8], last: bool) -> Taken {
        if self.opening {
            return self.open(window, last);
        }
        let last = last && !self.broken_off;
        let taken = match self.decoder.next(window, last) {
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
            Next::IllFormed(verdict) => self.mend(verdict, window, last),
        };
        if let Taken::Bytes(_) = taken {
            self.decoder.taken();
        }
        taken
    }

    /// What a well-formed code point has to do with carriers.
    fn carrier_of(&mut self, code_point: u32, len: usize, window: &[u8], last: bool) -> Carried {
        let Some(carrier) = self.options.policy.carrier() else { return Carried::No };
        let looks_like_one = match carrier {
            // A high one too: with the low one of a carrier behind it, it would be half of a pair.
            Carrier::SurrogateEscape => is_surrogate(code_point),
            Carrier::Pua => (0xEF80..=0xEFFF).contains(&code_point),
            Carrier::C8 => code_point == C8_MARK,
        };
        match (looks_like_one, self.from.unit(), self.output.to.unit()) {
            (true, 1, _) if self.from.is_of_bytes() => Carried::Itself(carrier),
            (true, 2.., _) if self.output.to.is_of_bytes() => match carrier {
                Carrier::C8 => self.read_c8(len, window, last),
                _ => Carried::Byte { byte: code_point as u8, len, columns: 1 },
            },
            _ => Carried::No,
        }
    }

    /// Reads the `x` and the two digits that follow the mark of UTF-8-C8, which takes `at` bytes of `window`.
    fn read_c8(&mut self, mut at: usize, window: &[u8], last: bool) -> Carried {
        let mut byte = 0;
        for i in 0..3 {
            let (code_point, len) = match self.decoder.next(&window[at..], last) {
                Next::Incomplete if !last => return Carried::Unknown,
                Next::Scalar { code_point, len } => (code_point, len),
                _ => return Carried::No,
            };
            let digit = match (i, u8::try_from(code_point)) {
                (0, Ok(b'x')) => 0,
                (1 | 2, Ok(digit @ b'0'..=b'9')) => digit - b'0',
                (1 | 2, Ok(digit @ b'A'..=b'F')) => digit - b'A' + 10,
                _ => return Carried::No,
            };
            byte = byte << 4 | digit;
            at += len;
        }
        Carried::Byte { byte, len: at, columns: 4 }
    }

    /// Writes the carriers of `bytes`; false if there is one that cannot be carried.
    fn carry_bytes(&mut self, bytes: &[u8], carrier: Carrier) -> bool {
        // Below 80, bytes travel as the ASCII characters that they are, if they are.
        let is_ascii = |byte: u8| match self.from.form() {
            Form::Page(table) => table.to_unicode[usize::from(byte)] == u16::from(byte),
            Form::Mutf8 => byte != 0,
            _ => true,
        };
        let can_travel = |byte: &u8| *byte >= 0x80 || carrier == Carrier::C8 || is_ascii(*byte);
        bytes.iter().all(can_travel) && self.close() && self.output.put_carried(bytes, carrier)
    }

    fn open(&mut self, window: &[u8], last: bool) -> Taken {
        let policy = self.options.input_bom;
        let Some(opening) = bom::open(policy, self.from, window, last) else {
            return Taken::Incomplete;
        };
        self.opening = false;
        let named = self.from;
        if opening.encoding != self.from {
            self.from = opening.encoding;
            self.decoder = self.from.form().decoder(self.options.ebcdic_newline);
            self.kernel = kernel_for(self.from, self.output.to, &self.options);
        }
        self.events.extend(opening.other.map(Stop::Notice));
        let stands_out = self.output.owes_mark() || !self.output.to.can_carry_bom();
        if opening.is_text && policy == InputBom::Auto && stands_out {
            self.events.push_back(Stop::Notice(Notice::BomAsText { read_as: self.from }));
        }
        if opening.order_assumed {
            self.watch = OrderWatch::new(named, self.from);
        }
        let mark = &window[..opening.skip];
        if let Some(fault) = opening.fault {
            return self.stop(mark, FaultKind::Bom { encoding: self.from.name(), fault });
        }
        match opening.keep {
            Keep::No => {}
            // Where the target has no U+FEFF, it is for the policy to say what becomes of it.
            Keep::Always if !self.output.to.can_carry_bom() => {
                if !self.write(iter::once(0xFEFF), self.place, mark) {
                    return Taken::Stopped;
                }
            }
            _ if self.options.output_bom == OutputBom::Never => {}
            Keep::WherePossible if self.options.continues => {}
            Keep::WherePossible | Keep::Always => self.output.put_mark(),
        }
        // A BOM is no part of the text: it takes no column.
        self.pass(mark, Extent::default());
        Taken::Bytes(mark.len())
    }

    /// Writes the characters that `bytes` of the source stand for, all or none, and leaves them behind.
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
        match self.sequence {
            None => self.write(code_points.iter().copied(), self.place, bytes),
            Some(_) => code_points.iter().all(|code_point| self.hold(*code_point, bytes, false)),
        }
    }

    /// Writes what the policy has made of ill-formed `bytes` that begin here: this text, or U+FFFD. False if the conversion
    /// ends before it.
    fn put_made(&mut self, text: Option<&str>, bytes: &[u8]) -> bool {
        if self.sequence.is_none() {
            self.output.put_replacement(text);
            return true;
        }
        text.unwrap_or("\u{FFFD}").chars().all(|scalar| self.hold(scalar.into(), bytes, true))
    }

    /// Takes `code_point` into the sequence that is normalized next, which it may end; false if the conversion ends before
    /// it.
    fn hold(&mut self, code_point: u32, bytes: &[u8], is_made: bool) -> bool {
        let Some(scalar) = char::from_u32(code_point) else {
            // No scalar value, and so no text.
            return self.close() && self.write(iter::once(code_point), self.place, bytes);
        };
        let ends = self.sequence.as_ref().is_some_and(|sequence| sequence.ends_before(scalar));
        if ends && !self.close() {
            return false;
        }
        let Some(sequence) = &mut self.sequence else { return true };
        let origin = Origin { position: self.place, bytes: Bytes::new(bytes), is_made };
        if sequence.push(scalar, origin) {
            return true;
        }
        let start = sequence.start().copied().unwrap_or(origin);
        let kind = FaultKind::LongSequence { form: sequence.form().name(), most: LONGEST_SEQUENCE };
        sequence.clear();
        self.end(start.position, &start.bytes, kind);
        false
    }

    /// Normalizes and writes what waits for it; false if the conversion ends there.
    fn close(&mut self) -> bool {
        let Some(mut sequence) = self.sequence.take() else { return true };
        let goes_on = sequence.pieces(|text, origin| {
            if origin.is_made {
                self.output.put_replacement(Some(text));
                return true;
            }
            self.write(text.chars().map(u32::from), origin.position, &origin.bytes)
        });
        sequence.clear();
        self.sequence = Some(sequence);
        goes_on
    }

    /// Writes what waits for normalization if nothing that follows can change it; false if the conversion ends there.
    fn settle(&mut self) -> bool {
        !self.sequence.as_ref().is_some_and(NormalizationBuffer::is_closed) || self.close()
    }

    /// Writes what waits for normalization if `src` begins another sequence for certain: there a kernel may go on, or a row.
    /// False if the conversion ends.
    fn close_before(&mut self, src: &[u8]) -> bool {
        let Some(sequence) = self.sequence.as_ref().filter(|sequence| !sequence.is_empty()) else {
            return true;
        };
        let form = sequence.form();
        match self.decoder.next(src, false) {
            Next::Scalar { code_point, .. }
                if char::from_u32(code_point).is_some_and(|scalar| form.has_boundary_before(scalar)) =>
            {
                self.close()
            }
            _ => true,
        }
    }

    /// Writes `code_points`, which `bytes` of the source at `place` stand for, all or none; false if the conversion ends
    /// before them.
    fn write(
        &mut self,
        code_points: impl Iterator<Item = u32> + Clone,
        place: Position,
        bytes: &[u8],
    ) -> bool {
        let encoding = self.output.to.name();
        if code_points.clone().nth(1).is_some()
            && let Some(code_point) = self.first_missing(code_points.clone())
        {
            self.end(place, bytes, FaultKind::Unmappable { encoding, code_point });
            return false;
        }
        for code_point in code_points {
            if !self.output.put(code_point) {
                let kind = FaultKind::Unmappable { encoding, code_point };
                if !self.output.substitute(&self.options.policy.unmappable, code_point) {
                    self.end(place, bytes, kind);
                    return false;
                }
                self.report(place, bytes, kind);
            }
        }
        true
    }

    /// The first of `code_points` at which the conversion would end.
    fn first_missing(&self, mut code_points: impl Iterator<Item = u32>) -> Option<u32> {
        let policy = &self.options.policy.unmappable;
        code_points.find(|code_point| !self.output.takes(policy, *code_point))
    }

    /// Does what the policy says about the ill-formed sequence at the front of `window`.
    fn mend(&mut self, verdict: IllFormedSequence, window: &[u8], last: bool) -> Taken {
        // Wherever a chunk ends, faults are told in the same order.
        if !self.settle() {
            return Taken::Stopped;
        }
        let IllFormedSequence { kind: rule, len, means, .. } = verdict;
        let bytes = &window[..len];
        let kind = self.from.ill_formed(&verdict, bytes);
        let policy = &self.options.policy;
        let is_escaped_byte = self.from.unit() > 1 && means.is_some_and(is_carrying_surrogate);
        let is_lone = matches!(rule, IllFormed::LoneHigh | IllFormed::LoneLow);
        match (&policy.ill_formed, policy.carrier()) {
            (_, Some(Carrier::SurrogateEscape)) if is_escaped_byte => {
                let byte = means.unwrap_or_default() as u8;
                if !(self.close() && self.output.put_carried(&[byte], Carrier::SurrogateEscape)) {
                    return self.stop(bytes, kind);
                }
            }
            // WTF-8 is there to hold what breaks UTF-16: surrogates without a partner.
            _ if is_lone && self.output.to.form() == Form::Wtf8 => {
                if !self.close() {
                    return Taken::Stopped;
                }
                self.output.put(means.unwrap_or_default());
                self.pass(bytes, verdict.extent());
                return Taken::Bytes(len);
            }
            (OnIllFormed::Carry(carrier), _) if self.from.is_of_bytes() => {
                if !self.carry_bytes(bytes, *carrier) {
                    return self.stop(bytes, kind);
                }
            }
            (OnIllFormed::Stop | OnIllFormed::Carry(_), _) => return self.stop(bytes, kind),
            (OnIllFormed::Replace(text), _) => {
                let count = policy.replacements(&verdict);
                if self.sequence.is_none() {
                    (0..count).for_each(|_| self.output.put_replacement(text.as_deref()));
                    return self.mended(kind, bytes, verdict.extent());
                }
                let text = text.clone();
                if !(0..count).all(|_| self.put_made(text.as_deref(), bytes)) {
                    return Taken::Stopped;
                }
            }
            (OnIllFormed::Omit, _) => {}
            (OnIllFormed::Escape(style), _) => {
                let mut text = String::new();
                bytes.iter().for_each(|byte| style.spell(*byte, &mut text));
                if !self.put_made(Some(&text), bytes) {
                    return Taken::Stopped;
                }
            }
            // Single bytes would break the code units of the target.
            (OnIllFormed::Raw, _) if self.output.to.unit() > 1 => return self.stop(bytes, kind),
            (OnIllFormed::Raw, _) => {
                if !self.close() {
                    return Taken::Stopped;
                }
                self.output.put_raw(bytes);
            }
            // In wider code units and shift states, a character of another encoding would change all that follows.
            (OnIllFormed::Fallback(_), _) if !self.from.is_of_bytes() => return self.stop(bytes, kind),
            (OnIllFormed::Fallback(_), _) => return self.fall_back(kind, bytes, window, last),
        }
        self.mended(kind, bytes, verdict.extent())
    }

    /// Tells of ill-formed `bytes` that were dealt with, and leaves them behind.
    fn mended(&mut self, kind: FaultKind, bytes: &[u8], extent: Extent) -> Taken {
        self.report(self.place, bytes, kind);
        self.pass(bytes, extent);
        Taken::Bytes(bytes.len())
    }

    /// Decodes in the fallback encoding where `bytes` are at fault: as many characters as it takes to get past them.
    fn fall_back(&mut self, kind: FaultKind, bytes: &[u8], window: &[u8], last: bool) -> Taken {
        // Of each character, its length in bytes and what it stands for.
        let mut decoded: Vec<(usize, Vec<u32>)> = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            let Some(fallback) = &mut self.fallback else { break };
            let (len, code_points) = match fallback.next(&window[at..], last) {
                Next::Incomplete => return Taken::Incomplete,
                Next::Scalar { code_point, len } => (len, vec![code_point]),
                Next::Pair { code_points, len } => (len, code_points.to_vec()),
                // What is left of the fault is judged again, by itself.
                Next::IllFormed(_) | Next::Shift { .. } => break,
            };
            // What normalization makes of them is not known yet.
            if self.sequence.is_none()
                && let Some(missing) = self.first_missing(code_points.iter().copied())
            {
                if at > 0 {
                    break;
                }
                let kind = FaultKind::Unmappable { encoding: self.output.to.name(), code_point: missing };
                return self.stop(&window[..len], kind);
            }
            decoded.push((len, code_points));
            at += len;
        }
        if at == 0 {
            return self.stop(bytes, kind);
        }
        // The report comes before what the characters themselves give rise to.
        self.report(self.place, &bytes[..at.min(bytes.len())], kind);
        let mut rest = window;
        for (len, code_points) in decoded {
            let (character, behind) = rest.split_at(len);
            if !self.put_text(&code_points, character) {
                return Taken::Stopped;
            }
            self.pass(character, Extent::default());
            rest = behind;
        }
        // Columns are those of the source's own encoding, whatever the policy makes of it.
        let mut rest = &window[..at];
        while !rest.is_empty() {
            let (len, extent) = match self.decoder.next(rest, true) {
                Next::Scalar { code_point, len } => (len, Extent::of(code_point)),
                Next::Pair { code_points, len } => {
                    (len, Extent::of(code_points[0]).then(Extent::of(code_points[1])))
                }
                Next::IllFormed(verdict) => (verdict.len, verdict.extent()),
                Next::Incomplete | Next::Shift { .. } => break,
            };
            self.place.advance(0, extent);
            rest = &rest[len..];
        }
        Taken::Bytes(at)
    }

    fn report(&mut self, place: Position, bytes: &[u8], kind: FaultKind) {
        match &mut self.tally {
            Some(tally) => tally.add(&kind),
            None => self.events.push_back(Stop::Fault(Fault::new(place, bytes, kind))),
        }
    }

    /// Ends the conversion before `bytes`, which begin here, unless what waits before them ends it.
    fn stop(&mut self, bytes: &[u8], kind: FaultKind) -> Taken {
        if self.close() {
            self.end(self.place, bytes, kind);
        }
        Taken::Stopped
    }

    /// Ends the conversion with a fault at `place`, unless one has before.
    fn end(&mut self, place: Position, bytes: &[u8], kind: FaultKind) {
        if self.stopped.is_some() {
            return;
        }
        if place == self.place {
            self.feed_watch(bytes);
        }
        self.end_watch();
        self.output.finish();
        self.stopped = Some(Fault::new(place, bytes, kind));
    }

    /// Leaves `bytes`, which span `extent`, behind.
    fn pass(&mut self, bytes: &[u8], extent: Extent) {
        self.place.advance(bytes.len(), extent);
        self.feed_watch(bytes);
    }

    fn feed_watch(&mut self, bytes: &[u8]) {
        if let Some(watch) = &mut self.watch
            && watch.feed(bytes)
        {
            self.end_watch();
        }
    }

    fn end_watch(&mut self) {
        let notice = self.watch.take().and_then(|watch| watch.notice());
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

/// Whether a surrogate carries a byte (PEP 383).
fn is_carrying_surrogate(code_point: u32) -> bool {
    (0xDC80..=0xDCFF).contains(&code_point)
}
