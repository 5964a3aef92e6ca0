//! Converts a regular file by segments, a large file by all threads, with the output and the messages of a single
//! thread.
//!
//! Each thread takes the next segment, reads it, and converts it as if a sequence began at its start. A single thread
//! at a time then accepts results in file order, and knows where the earlier segments really ended. If a segment
//! began exactly there, its output is written. Otherwise the output is discarded, and the segment is converted again
//! from the true position. So the guess of [`Encoding::boundary`](utfconv_core::Encoding::boundary) decides how much
//! time threads save, and nothing else.
//!
//! Lines are not counted before an error is reported, because most files have no errors, and the text that was
//! converted before an error can be read again.

use std::fs::File;
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

use utfconv_core::{Encoding, FaultCounts, More, Position, Pump, Segments, Stop, StreamError, Transcoder};

use crate::commands::convert::plan::ConvertPlan;
use crate::files::room::Room;
use crate::files::source::Mapping;
use crate::files::stdio::fill_before_error_at;
use crate::ui::ordered::Ordered;
use crate::ui::threads::{into_inner, lock, processors, work_on};

/// Default length of a segment in bytes. Two segments and their output fit into the cache of a core. Longer segments
/// gain nothing, and their memory has to come from the system first.
const SEGMENT: usize = 128 << 10;

/// Minimum length of a file in bytes at which threads are worth their start, unless the user sets the number of
/// threads.
const LARGE: u64 = 8 << 20;

/// Number of bytes before a segment that are read with the segment, to find where its first sequence begins; a
/// multiple of any code unit.
const BEFORE: usize = 16;
const _: () = assert!(BEFORE >= Encoding::BOUNDARY_CONTEXT && BEFORE.is_multiple_of(4));

/// Maximum number of bytes that are read again at a time to count their lines.
const MEASURED: usize = 64 << 10;

/// Number of bytes that are converted before any thread starts, because they decide the byte order.
const FIRST: u64 = 16 << 10;

/// Limits for the conversion of a segment before its turn.
pub struct Limits {
    /// Number of bytes after a segment that are read with the segment, to find where its last sequence ends.
    ahead: usize,
    /// Maximum number of errors that are kept for a segment; the rest of the segment is converted in its turn.
    faults: usize,
    /// Maximum ratio of output to source in bytes; the rest of a segment with more output is converted in its turn.
    growth: usize,
}

impl Limits {
    /// Limits for all conversions. No character grows more than `growth` times.
    pub const USUAL: Limits = Limits { ahead: 1 << 10, faults: 1000, growth: 4 };
}

/// A range of a file to convert, and how to convert it.
pub struct Job<'a> {
    pub file: &'a File,
    /// Byte offsets in the file of the range to convert.
    pub range: Range<u64>,
    /// True if bytes that were added since the file was opened are converted as well.
    pub follows: bool,
    /// Bytes in a segment: a multiple of any code unit ([`segment_len`]).
    pub segment_len: usize,
    /// `None` means a thread per processor.
    pub threads: Option<usize>,
    pub limits: Limits,
}

/// Returns the length of segments under `plan`, in bytes.
pub fn segment_len(plan: &ConvertPlan) -> usize {
    plan.io.buffer_size.map_or(SEGMENT, |size| size.next_multiple_of(BEFORE))
}

/// True if this range of a file can and should be converted by segments under `plan`. Segments pay off even with a
/// single thread, because lines are not counted.
pub fn suits(plan: &ConvertPlan, from: &Encoding, range: &Range<u64>) -> bool {
    // Tests that set a buffer size use segments only if they set the number of threads too.
    let may_be_cut = plan.io.buffer_size.is_none() || plan.io.threads.is_some();
    let has_state = from.is_stateful() || plan.to.is_stateful();
    let is_long = (range.end - range.start) / 2 >= segment_len(plan) as u64;
    // Statistics and normalization process the text in order, from end to end.
    let is_apart = !has_state && plan.options.normalization.is_none() && !plan.errors.stats;
    may_be_cut && is_long && is_apart && plan.io.mapping != Mapping::Always
}

impl Job<'_> {
    /// Returns the number of bytes to reserve for the output of a segment.
    fn most(&self) -> usize {
        self.limits.growth * self.segment_len + self.limits.ahead
    }

    fn len(&self) -> u64 {
        self.range.end - self.range.start
    }

    /// Returns the number of threads that have work to do.
    fn threads(&self) -> usize {
        let wanted = match self.threads {
            Some(threads) => threads,
            None if self.len() < LARGE => 1,
            None => processors(),
        };
        wanted.min(usize::try_from(self.len() / self.segment_len as u64).unwrap_or(usize::MAX)).max(1)
    }

    /// Reads from `offset`, which counts from the start of the range, as all offsets in this module do. Ends when
    /// `into` is full, or at the end of the range or file. Returns the number of bytes read.
    fn read(&self, into: &mut [u8], offset: u64) -> io::Result<usize> {
        let room = if self.follows {
            into.len()
        } else {
            into.len().min(usize::try_from(self.len().saturating_sub(offset)).unwrap_or(usize::MAX))
        };
        let into = &mut into[..room];
        match fill_before_error_at(self.file, into, self.range.start + offset) {
            // Text before an error is converted before the error is reported.
            (0, Err(error)) => Err(error),
            (filled, _) => Ok(filled),
        }
    }
}

/// Converts the range of `job` by `transcoder`, or by others like it, and writes the output to `sink`. Leaves the
/// file offset where the conversion ended. Also returns the counts of errors that were not reported.
pub fn convert<W: Write + Send>(
    job: &Job,
    sink: &mut W,
    transcoder: Transcoder,
    report: impl FnMut(Stop) -> More + Send,
) -> (Result<(), StreamError>, FaultCounts) {
    let counts_lines = AtomicBool::new(false);
    let counts_faults = AtomicBool::new(false);
    let mut turn = Turn {
        job,
        sink,
        report,
        position: 0,
        measured: Position::default(),
        transcoder,
        is_inside: true,
        counts_lines: &counts_lines,
        counts_faults: &counts_faults,
        counts: FaultCounts::default(),
        buffer: Room::default(),
        out: Room::default(),
        ended: None,
    };
    // Memory is reserved first, because later there may be no memory left.
    if turn
        .buffer
        .reserve(job.segment_len + job.limits.ahead)
        .and_then(|()| turn.out.reserve(job.most()))
        .is_none()
    {
        turn.ended = Some(Err(StreamError::Read(ErrorKind::OutOfMemory.into())));
    }
    let first = job.len().min(FIRST).min(job.segment_len as u64);
    turn.advance(first);
    let segments = (job.len() - first).div_ceil(job.segment_len as u64);
    let threads = job.threads();
    let transcoder = Mutex::new(turn.transcoder.segment());
    let writer = OrderedWriter::new(turn, segments, 2 * threads);
    work_on(threads, || {
        let mut worker = Worker { job, buffer: Room::default(), transcoder: lock(&transcoder).segment() };
        while let Some((number, mut out)) = writer.begin() {
            let begin = first + number * job.segment_len as u64;
            let end = job.len().min(begin + job.segment_len as u64);
            let is_counted = counts_faults.load(Ordering::Relaxed);
            let made = worker.make(begin..end, &mut out, counts_lines.load(Ordering::Relaxed), is_counted);
            writer.finish(number, Segment { made, end, out });
        }
    });
    let mut turn = into_inner(writer.state).turn.expect("every thread brings it back");
    turn.advance(u64::MAX);
    turn.counts.merge(&turn.transcoder.take_fault_counts());
    // The file offset moves to the end of the conversion. A failure is ignored, because a file that cannot be sought
    // is not converted by segments.
    let _ = (&mut { job.file }).seek(SeekFrom::Start(job.range.start + turn.position));
    (turn.ended.unwrap_or(Ok(())), turn.counts)
}

/// Hands out segments, and brings their results back into order. Threads wait for each other only if no output buffer
/// is left. A thread leaves its finished segment in the state; the thread with the due segment handles all segments
/// that are ready. A panic anywhere ends the process, so that no thread deadlocks.
struct OrderedWriter<'a, W, F> {
    /// Number of segments.
    segments: u64,
    state: Mutex<State<'a, W, F>>,
    /// Signals that an output buffer is free again, or that nothing is left to do.
    freed: Condvar,
}

struct State<'a, W, F> {
    /// The number of the next segment that no thread has begun.
    next: u64,
    finished: Ordered<Segment>,
    /// Free buffers for the output of segments.
    spare: Vec<Room>,
    /// `None` while a thread has the turn.
    turn: Option<Turn<'a, W, F>>,
    has_ended: bool,
    /// Number of threads that wait for a buffer. If there are none, as usual, the system call to wake them is saved.
    waiting: usize,
}

/// A segment that a thread has finished.
struct Segment {
    made: Option<Made>,
    /// Offset at which the next segment may begin.
    end: u64,
    /// Buffer that begins with the output, and may have space after it.
    out: Room,
}

impl<'a, W: Write, F: FnMut(Stop) -> More> OrderedWriter<'a, W, F> {
    fn new(turn: Turn<'a, W, F>, segments: u64, rooms: usize) -> OrderedWriter<'a, W, F> {
        let state = State {
            next: 0,
            finished: Ordered::new(),
            spare: (0..rooms).map(|_| Room::default()).collect(),
            has_ended: turn.ended.is_some(),
            turn: Some(turn),
            waiting: 0,
        };
        OrderedWriter { segments, state: Mutex::new(state), freed: Condvar::new() }
    }

    /// Returns the number of a segment to convert, and a buffer for its output; `None` if nothing is left to do.
    /// Segments are handed out in order, so the due segment has a buffer and always finishes.
    fn begin(&self) -> Option<(u64, Room)> {
        let mut state = lock(&self.state);
        while state.spare.is_empty() && state.next < self.segments && !state.has_ended {
            state.waiting += 1;
            state = self.freed.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
        }
        if state.next == self.segments || state.has_ended {
            return None;
        }
        let out = state.spare.pop()?;
        state.next += 1;
        Some((state.next - 1, out))
    }

    /// Leaves the result of a segment, and handles all due segments, unless another thread is doing so.
    fn finish(&self, number: u64, segment: Segment) {
        let mut state = lock(&self.state);
        state.finished.put(number, segment);
        let Some(mut turn) = state.turn.take() else { return };
        while !state.has_ended
            && let Some((_, segment)) = state.finished.take()
        {
            drop(state);
            let out = turn.take(segment);
            state = lock(&self.state);
            state.has_ended = turn.ended.is_some();
            state.spare.push(out);
            if state.waiting > 0 {
                self.freed.notify_all();
            }
        }
        state.turn = Some(turn);
    }
}

/// State of a thread that no other thread uses.
struct Worker<'a> {
    job: &'a Job<'a>,
    /// Buffer for the source of a segment.
    buffer: Room,
    transcoder: Transcoder,
}

/// The result of a segment, valid only if the previous segment ends at `begin`.
struct Made {
    /// Offset at which the segment begins; `end` is where its last sequence ends.
    begin: u64,
    end: u64,
    /// Offset that the conversion of the segment has reached.
    reached: u64,
    /// Number of bytes of output.
    written: usize,
    /// Errors whose positions count from `begin`; `counts` has the errors that were only counted.
    events: Vec<Stop>,
    counts: FaultCounts,
    /// The position of `reached`, counted from `begin`, if lines were counted.
    position: Option<Position>,
    /// Transcoder that continues from `reached`, if `reached` is inside the segment.
    unfinished: Option<Transcoder>,
}

impl Worker<'_> {
    /// Converts a segment from the first sequence that begins at or after the start of `range` to the first boundary
    /// at or after its end; returns `None` unless both can be found. The output goes to the front of `out`, which
    /// grows as necessary.
    fn make(
        &mut self,
        range: Range<u64>,
        out: &mut Room,
        counts_lines: bool,
        counts_faults: bool,
    ) -> Option<Made> {
        out.reserve(self.job.most())?;
        let (start, inside) = self.read(&range)?;
        let src = &self.buffer.bytes()[inside.clone()];
        let out = out.bytes();
        if counts_faults {
            self.transcoder.count_faults();
        }
        self.transcoder.begin_segment();
        let (mut at, mut written) = self.transcoder.run(src, out);
        let mut events = Vec::new();
        let is_clean = at == src.len();
        if !is_clean || counts_lines {
            self.transcoder.skip_text(&src[..at]);
        }
        let mut is_whole = is_clean;
        if !is_clean && written < out.len() {
            // The sink has no room, because output that does not fit into `out` waits for the turn of the segment.
            let mut full: &mut [u8] = &mut [];
            let mut pump = Pump::new(&mut self.transcoder, &mut full, &mut out[written..]);
            let fed = pump.feed(&src[at..], false, &mut |stop| {
                // A fault that ends the conversion is found again in the turn of the segment.
                events.extend(Some(stop).filter(|stop| !matches!(stop, Stop::Stopped(_))));
                if events.len() == self.job.limits.faults { More::End } else { More::Report }
            });
            at += pump.read() as usize;
            written += pump.filled();
            is_whole = fed.is_ok_and(|fed| fed.is_continue()) && self.transcoder.is_between_segments();
        }
        let position = (!is_clean || counts_lines).then(|| self.transcoder.position());
        let offset = |at: usize| start + at as u64;
        Some(Made {
            begin: offset(inside.start),
            end: offset(inside.end),
            reached: offset(inside.start + at),
            written,
            events,
            counts: self.transcoder.take_fault_counts(),
            position,
            unfinished: (!is_whole).then(|| {
                let next = self.transcoder.segment();
                std::mem::replace(&mut self.transcoder, next)
            }),
        })
    }

    /// Reads a segment with bytes around it into the buffer. Returns the offset of the first byte in the buffer, and
    /// the range of the segment in the buffer.
    fn read(&mut self, range: &Range<u64>) -> Option<(u64, Range<usize>)> {
        let len = (range.end - range.start) as usize;
        let before = (BEFORE as u64).min(range.start) as usize;
        // Without memory for the buffer, the segment is converted in its turn.
        let whole = before + len + self.job.limits.ahead;
        self.buffer.reserve(whole)?;
        let window = &mut self.buffer.bytes()[..whole];
        let start = range.start - before as u64;
        // A segment that cannot be read now is read again in its turn, and the error is reported then.
        let read = self.job.read(window, start).ok()?;
        let window = &window[..read];
        let encoding = self.transcoder.encoding();
        let begin = encoding.boundary(window, before)?;
        let end = if range.end == self.job.len() {
            Some(before + len).filter(|end| *end <= read)
        } else {
            encoding.boundary(window, before + len)
        };
        end.filter(|end| begin <= *end).map(|end| (start, begin..end))
    }
}

/// The state between segments: how far the file is converted, and where the output goes.
struct Turn<'a, W, F> {
    job: &'a Job<'a>,
    sink: &'a mut W,
    report: F,
    /// Offset that the conversion has reached; all text before it was accepted.
    position: u64,
    /// The last known position. The text from `measured` to `position`, or to the start of the sequence that
    /// `transcoder` is inside of, is well-formed.
    measured: Position,
    /// Transcoder that continues from `position`.
    transcoder: Transcoder,
    /// True if `transcoder` has converted text since `measured`, so that its positions count from there.
    is_inside: bool,
    /// Set when a position was needed, so that segments count their lines; a hint, which a segment may miss.
    counts_lines: &'a AtomicBool,
    /// Set when errors are no longer reported, only counted; a hint, which a segment may miss.
    counts_faults: &'a AtomicBool,
    counts: FaultCounts,
    buffer: Room,
    out: Room,
    ended: Option<Result<(), StreamError>>,
}

impl<W: Write, F: FnMut(Stop) -> More> Turn<'_, W, F> {
    /// Accepts the due segment, converts its rest, and returns its buffer.
    fn take(&mut self, Segment { made, end, mut out }: Segment) -> Room {
        let end = made.as_ref().map_or(end, |made| made.end);
        if let Some(made) = made {
            self.accept(made, out.bytes());
        }
        self.advance(end);
        out
    }

    /// Accepts the result of a segment, if the segment begins at the current position.
    fn accept(&mut self, made: Made, out: &[u8]) {
        if self.is_inside || made.begin != self.position {
            return;
        }
        if made.position.is_some() {
            self.measure();
            if self.ended.is_some() {
                return;
            }
        }
        made.events.into_iter().for_each(|event| self.report(event));
        self.counts.merge(&made.counts);
        if !self.write(&out[..made.written]) {
            return;
        }
        self.position = made.reached;
        if let Some(unfinished) = made.unfinished {
            self.counts.merge(&self.transcoder.take_fault_counts());
            self.transcoder = unfinished;
            self.is_inside = true;
        } else if let Some(position) = made.position {
            self.measured = position.offset_by(self.measured);
        }
    }

    /// Converts from the current position to `end`, or to the end of the file. Does nothing if the position is past
    /// `end`. May stop a few bytes before `end`, where a sequence is not complete.
    fn advance(&mut self, end: u64) {
        let mut buffer = std::mem::take(&mut self.buffer);
        while self.position < end && self.ended.is_none() {
            let wanted =
                (end - self.position).min((self.job.segment_len + self.job.limits.ahead) as u64) as usize;
            let read = self.job.read(&mut buffer.bytes()[..wanted], self.position);
            match read {
                Ok(0) => {
                    if self.is_inside {
                        self.step(&[], true);
                    }
                    self.ended.get_or_insert(Ok(()));
                }
                Ok(count) => {
                    let (src, is_more) = (&buffer.bytes()[..count], count == wanted);
                    if !self.is_inside {
                        let read = self.run(src);
                        let rest = count - read;
                        // The rest may be a sequence that `end` cuts.
                        if rest == 0 || rest < BEFORE && read > 0 && is_more {
                            if self.position + rest as u64 >= end {
                                break;
                            }
                            continue;
                        }
                        self.measure();
                        self.transcoder.begin_segment();
                        self.is_inside = true;
                        self.step(&src[read..], false);
                    } else {
                        self.step(src, false);
                    }
                }
                Err(error) => {
                    self.transcoder.break_off();
                    self.step(&[], true);
                    self.ended.get_or_insert(Err(StreamError::Read(error)));
                }
            }
        }
        self.buffer = buffer;
    }

    /// Converts a well-formed prefix of `src`; returns its length.
    fn run(&mut self, src: &[u8]) -> usize {
        let mut out = std::mem::take(&mut self.out);
        let (read, written) = self.transcoder.run(src, out.bytes());
        if self.write(&out.bytes()[..written]) {
            self.position += read as u64;
        }
        self.out = out;
        read
    }

    /// Converts `src`, with its errors.
    fn step(&mut self, src: &[u8], last: bool) {
        let Turn { sink, transcoder, out, report, measured, counts_faults, .. } = self;
        let mut observer = |stop| report_at(report, *measured, counts_faults, stop);
        let mut pump = Pump::new(transcoder, *sink, out.bytes());
        let fed = pump.feed(src, last, &mut observer).and_then(|fed| pump.flush().map(|()| fed));
        self.position += pump.read();
        match fed {
            Ok(ControlFlow::Continue(())) => {}
            Ok(ControlFlow::Break(())) => {
                self.ended.get_or_insert(Ok(()));
            }
            Err(error) => self.ended = Some(Err(StreamError::Write(error))),
        }
        if self.transcoder.is_between_segments() {
            self.measured = self.transcoder.position().offset_by(self.measured);
            self.is_inside = false;
        }
    }

    /// Finds line and column of the current position. The text since `measured` is well-formed, and is converted
    /// again only to count its lines.
    fn measure(&mut self) {
        self.counts_lines.store(true, Ordering::Relaxed);
        if self.measured.offset() == self.position {
            return;
        }
        let mut again = self.transcoder.segment();
        // The buffers are smaller than for a segment, so that the report of an error does not run out of memory.
        let len = self.job.segment_len.min(MEASURED);
        let (mut buffer, mut out) =
            (vec![0; len], vec![0; self.job.limits.growth * len + self.job.limits.ahead]);
        let mut at = self.measured.offset();
        while at < self.position {
            let len = (self.position - at).min(buffer.len() as u64) as usize;
            let read = match self.job.read(&mut buffer[..len], at) {
                Ok(read) => read,
                Err(error) => {
                    self.ended.get_or_insert(Err(StreamError::Read(error)));
                    return;
                }
            };
            let mut nowhere = io::sink();
            let mut pump = Pump::new(&mut again, &mut nowhere, &mut out);
            let fed = pump.feed(&buffer[..read], false, &mut |_| More::Report);
            if read < len || fed.is_ok_and(|fed| fed.is_break()) {
                // The file has changed meanwhile, so its lines can no longer be counted.
                break;
            }
            at += len as u64;
        }
        let measured = again.position().offset_by(self.measured);
        self.measured = measured.past(b"", self.position - measured.offset());
    }

    /// Reports an error whose position counts from `measured`, the last known position.
    fn report(&mut self, stop: Stop) {
        if report_at(&mut self.report, self.measured, self.counts_faults, stop) == More::Count {
            self.transcoder.count_faults();
        }
    }

    /// Writes output. Returns false if the write failed, which ends the conversion.
    fn write(&mut self, output: &[u8]) -> bool {
        match self.sink.write_all(output) {
            Ok(()) => true,
            Err(error) => {
                self.ended = Some(Err(StreamError::Write(error)));
                false
            }
        }
    }
}

/// Reports an error whose position counts from `measured`.
fn report_at(
    report: &mut impl FnMut(Stop) -> More,
    measured: Position,
    counts_faults: &AtomicBool,
    stop: Stop,
) -> More {
    let more = report(match stop {
        Stop::Fault(fault) => Stop::Fault(fault.offset_by(measured)),
        Stop::Stopped(fault) => Stop::Stopped(fault.offset_by(measured)),
        stop => stop,
    });
    if more == More::Count {
        counts_faults.store(true, Ordering::Relaxed);
    }
    more
}

#[cfg(test)]
mod tests {
    use utfconv_core::{
        ByteEscape, Carrier, OnIllFormed, OnUnmappable, Options, Policy, ScalarEscape, convert_stream,
    };

    use super::*;
    use crate::commands::convert::testkit::source;
    use crate::testkit::Random;

    /// The visible results of a conversion.
    #[derive(Debug, Default, PartialEq)]
    struct Seen {
        output: Vec<u8>,
        reported: Vec<Stop>,
        counts: FaultCounts,
    }

    /// Converts by `how`, and reports the first `limit` errors; counts the others.
    fn seen(
        limit: usize,
        how: impl FnOnce(
            &mut Vec<u8>,
            &mut (dyn FnMut(Stop) -> More + Send),
        ) -> (Result<(), StreamError>, FaultCounts),
    ) -> Seen {
        let (mut seen, mut more) = (Seen::default(), FaultCounts::default());
        let (result, counts) = how(&mut seen.output, &mut |stop| {
            match &stop {
                Stop::Fault(fault) if seen.reported.len() >= limit => more.add(&fault.kind),
                _ => seen.reported.push(stop),
            }
            if seen.reported.len() < limit { More::Report } else { More::Count }
        });
        result.expect("the file can be read");
        seen.counts = counts;
        seen.counts.merge(&more);
        seen
    }

    fn in_one(source: &[u8], mut transcoder: Transcoder, limit: usize) -> Seen {
        seen(limit, |output, report| {
            let result = convert_stream(&mut { source }, output, &mut transcoder, &mut [0; 4096], report);
            (result, transcoder.take_fault_counts())
        })
    }

    fn in_segments(source: &[u8], transcoder: Transcoder, limit: usize, part: usize, threads: usize) -> Seen {
        let mut file = tempfile::tempfile().expect("a temporary file");
        file.write_all(source).expect("writes");
        let range = 0..source.len() as u64;
        // The limits are small, so that all of them are reached.
        let limits = Limits { ahead: 16, faults: 4, growth: 1 };
        let job =
            Job { file: &file, range, follows: true, segment_len: part, threads: Some(threads), limits };
        seen(limit, |output, report| convert(&job, output, transcoder, report))
    }

    fn policies() -> Vec<Policy> {
        let policy = |ill_formed, unmappable| {
            Policy::default().ill_formed(ill_formed).unmappable(unmappable).per_byte(false)
        };
        let replace = || OnUnmappable::Replace(None);
        vec![
            Policy::default(),
            policy(OnIllFormed::Stop, replace()),
            policy(OnIllFormed::Replace(None), replace()),
            policy(OnIllFormed::Omit, OnUnmappable::Omit),
            policy(OnIllFormed::Escape(ByteEscape::Percent), OnUnmappable::Escape(ScalarEscape::Rust)),
            policy(OnIllFormed::Fallback(&utfconv_core::ISO_8859_1), replace()),
            policy(OnIllFormed::Raw, replace()),
            policy(
                OnIllFormed::Carry(Carrier::SurrogateEscape),
                OnUnmappable::Carry(Carrier::SurrogateEscape),
            ),
            policy(OnIllFormed::Carry(Carrier::Pua), OnUnmappable::Carry(Carrier::Pua)),
            policy(OnIllFormed::Carry(Carrier::C8), OnUnmappable::Carry(Carrier::C8)),
        ]
    }

    /// For every encoding, output, errors, their positions and their number are those of a conversion from end to
    /// end.
    #[test]
    fn segments_join_to_the_whole() {
        let mut random = Random(0x9E37_79B9_7F4A_7C15);
        let (policies, utfs) =
            (policies(), [&utfconv_core::UTF_8, &utfconv_core::UTF_16LE, &utfconv_core::encodings::WTF_8]);
        let mut faulty = 0;
        for encoding in Encoding::all().filter(|encoding| !encoding.is_stateful()) {
            for (from, to) in utfs.iter().flat_map(|utf| [(encoding, *utf), (*utf, encoding)]) {
                for _ in 0..4 {
                    let source = source(&mut random, from);
                    let policy = policies[random.below(policies.len())].clone();
                    let options = Options::default().policy(policy);
                    let limit = [1, 3, usize::MAX][random.below(3)];
                    let (part, threads) = (BEFORE * (1 + random.below(12)), 1 + random.below(3));
                    let transcoder = || Transcoder::new(from, to, options.clone());
                    let whole = in_one(&source, transcoder(), limit);
                    let parts = in_segments(&source, transcoder(), limit, part, threads);
                    assert_eq!(parts, whole, "{from:?} {to:?} {options:?} {part} {threads} {source:02X?}");
                    faulty += usize::from(!whole.reported.is_empty());
                }
            }
        }
        assert!(faulty > 1000, "{faulty}");
    }
}
