//! Conversion of whole sources, in memory or from a reader to a writer. All functions use one loop, the [`Pump`].

use std::io::{self, BufRead, ErrorKind, Write};
use std::ops::ControlFlow;

use crate::bom::Notice;
use crate::encoding::Encoding;
use crate::fault::{Fault, FaultCounts};
use crate::transcode::{Options, Step, Stop, Transcoder};

/// The result of [`convert`]. See [`convert`] for an example.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
#[non_exhaustive]
pub struct Converted {
    /// The text in the target encoding.
    pub output: Vec<u8>,
    /// The number of faults that the policy handled. [`convert_reporting`] reports each of them.
    pub faults: FaultCounts,
    /// Notices about the start of the source.
    pub notices: Vec<Notice>,
}

/// A fault that ended the conversion, and the output before it. See [`convert`] for an example.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stopped {
    /// The fault that ended the conversion.
    pub fault: Fault,
    /// The result of the conversion before the fault.
    pub before: Converted,
}

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Fault { line, column, .. } = self.fault;
        write!(f, "line {line}, column {column}: {}", self.fault)
    }
}

impl std::error::Error for Stopped {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.fault)
    }
}

/// Converts a text in memory. Faults are only counted, so memory grows with the output alone.
///
/// # Errors
/// [`Stopped`] at the first fault whose policy is to stop; it holds all output before the fault.
///
/// ```
/// use utfconv_core::{IllFormed, FaultKind, ISO_8859_1, Options, UTF_8, UTF_16LE, convert};
///
/// let latin1 = convert("café".as_bytes(), &UTF_8, &ISO_8859_1, &Options::default())?;
/// assert_eq!(latin1.output, b"caf\xE9");
///
/// let stopped = convert(b"ab\xC0\xAF", &UTF_8, &UTF_16LE, &Options::default()).unwrap_err();
/// assert_eq!(stopped.fault.offset, 2);
/// assert!(matches!(stopped.fault.kind, FaultKind::IllFormed { kind: IllFormed::NonShortest, .. }));
/// assert_eq!(stopped.before.output, b"a\0b\0");
/// # Ok::<(), Box<utfconv_core::Stopped>>(())
/// ```
pub fn convert(
    source: &[u8],
    from: &'static Encoding,
    to: &'static Encoding,
    options: &Options,
) -> Result<Converted, Box<Stopped>> {
    convert_whole(source, from, to, options, None)
}

/// Converts as [`convert`] does, and gives `report` each fault to which the policy is applied, in the order of the
/// source.
///
/// # Errors
/// [`Stopped`] as from [`convert`].
///
/// ```
/// use utfconv_core::{OnIllFormed, Options, Policy, UTF_8, UTF_16LE, convert_reporting};
///
/// let policy = Policy::default().ill_formed(OnIllFormed::Omit);
/// let (options, mut at) = (Options::default().policy(policy), Vec::new());
/// let converted = convert_reporting(b"a\xFFb\xFF", &UTF_8, &UTF_16LE, &options, |fault| at.push(fault.offset))?;
/// assert_eq!((at, converted.faults.ill_formed()), (vec![1, 3], 2));
/// # Ok::<(), Box<utfconv_core::Stopped>>(())
/// ```
pub fn convert_reporting(
    source: &[u8],
    from: &'static Encoding,
    to: &'static Encoding,
    options: &Options,
    mut report: impl FnMut(Fault),
) -> Result<Converted, Box<Stopped>> {
    convert_whole(source, from, to, options, Some(&mut report))
}

/// Number of bytes of a text in memory that are converted at a time.
const CHUNK: usize = 1 << 20;

fn convert_whole(
    source: &[u8],
    from: &'static Encoding,
    to: &'static Encoding,
    options: &Options,
    mut report: Option<&mut dyn FnMut(Fault)>,
) -> Result<Converted, Box<Stopped>> {
    let mut transcoder = Transcoder::new(from, to, options.clone());
    if report.is_none() {
        transcoder.count_faults();
    }
    let (mut output, mut faults, mut notices) =
        (Vec::with_capacity(source.len()), FaultCounts::default(), Vec::new());
    let mut stopped = None;
    let mut observer = |stop| {
        match stop {
            Stop::Fault(fault) => {
                faults.add(&fault.kind);
                report.iter_mut().for_each(|report| report(fault.clone()));
            }
            Stop::Notice(notice) => notices.push(notice),
            Stop::Stopped(fault) => stopped = Some(fault),
            Stop::SourceEmpty | Stop::SinkFull => {}
        }
        More::Report
    };
    let mut buffer = vec![0; source.len().clamp(64, 64 << 10)];
    let mut done = 0;
    for chunk in source.chunks(CHUNK).chain([&[][..]]) {
        // Reserve exactly, because a vector that doubles could take twice as much memory. Ignore a failure, because the
        // rest may be shorter than expected.
        let expected = expected_rest(output.len(), done, source.len() - done);
        if output.capacity() - output.len() < expected {
            let _ = output.try_reserve_exact(expected);
        }
        let mut pump = Pump::new(&mut transcoder, &mut output, &mut buffer);
        let fed = pump.feed(chunk, chunk.is_empty(), &mut observer);
        let flushed = pump.flush();
        assert!(fed.is_ok() && flushed.is_ok(), "memory can be written");
        done += chunk.len();
        if fed.is_ok_and(|fed| fed.is_break()) {
            break;
        }
    }
    faults.merge(&transcoder.take_fault_counts());
    let converted = Converted { output, faults, notices };
    match stopped {
        Some(fault) => Err(Box::new(Stopped { fault, before: converted })),
        None => Ok(converted),
    }
}

/// Returns the expected length, in bytes, of the output of the last `rest` bytes of a source, if its first `done` bytes
/// gave `written` bytes.
fn expected_rest(written: usize, done: usize, rest: usize) -> usize {
    let bytes = (written as u128 * rest as u128).div_ceil(done.max(1) as u128);
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

/// Why [`convert_stream`] could not continue. See [`convert_stream`] for an example.
#[derive(Debug)]
pub enum StreamError {
    /// The source could not be read.
    Read(io::Error),
    /// The sink could not be written.
    Write(io::Error),
}

impl std::fmt::Display for StreamError {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            StreamError::Read(_) => f.write_str("cannot read the source"),
            StreamError::Write(_) => f.write_str("cannot write to the sink"),
        }
    }
}

impl std::error::Error for StreamError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            StreamError::Read(error) | StreamError::Write(error) => Some(error),
        }
    }
}

/// How to handle later faults. See [`convert_stream`] for an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum More {
    /// Report each fault.
    Report,
    /// Count faults ([`Transcoder::take_fault_counts`]), which is faster. A fault that ends the conversion is still
    /// reported.
    Count,
    /// End the conversion.
    End,
}

/// Converts the bytes of `source` to its end, and writes the output to `sink` as early as possible.
///
/// `buffer` holds output before a write, so the largest write has its size. `report` is called with every
/// [`Stop::Fault`], [`Stop::Notice`] and [`Stop::Stopped`], and returns whether to report further faults, to count
/// them, or to end the conversion. The sink is not flushed. A fault that ends the conversion is not an error here;
/// `report` receives it as [`Stop::Stopped`], and has to keep it.
///
/// # Errors
/// [`StreamError`] if reading or writing fails; interrupted calls are repeated.
///
/// # Panics
/// If `buffer` is empty.
///
/// ```
/// use utfconv_core::{More, Options, Stop, Transcoder, UTF_8, UTF_16BE, convert_stream};
///
/// let mut out = Vec::new();
/// let mut transcoder = Transcoder::new(&UTF_8, &UTF_16BE, Options::default());
/// let mut fault = None;
/// convert_stream(&mut &b"hi\xFF"[..], &mut out, &mut transcoder, &mut [0; 4096], |stop| {
///     if let Stop::Stopped(found) = stop {
///         fault = Some(found);
///     }
///     More::Report
/// })?;
/// assert_eq!((&out[..], fault.expect("FF is no UTF-8").offset), (&b"\0h\0i"[..], 2));
/// # Ok::<(), utfconv_core::StreamError>(())
/// ```
pub fn convert_stream(
    source: &mut dyn BufRead,
    sink: &mut dyn Write,
    transcoder: &mut Transcoder,
    buffer: &mut [u8],
    mut report: impl FnMut(Stop) -> More,
) -> Result<(), StreamError> {
    Pump::new(transcoder, sink, buffer).run(source, &mut report)
}

/// A callback for each [`Stop::Fault`], [`Stop::Notice`] and [`Stop::Stopped`], which decides how later faults are
/// handled. See [`Pump`].
pub type Report<'r> = dyn FnMut(Stop) -> More + 'r;

/// Moves text through a transcoder to a sink, in the only loop over [`Transcoder::step`]. Use it for a source that
/// comes in chunks and is not a reader.
///
/// ```
/// use utfconv_core::{ISO_8859_1, More, Options, Pump, Transcoder, UTF_8};
///
/// let (mut out, mut buffer) = (Vec::new(), [0; 4096]);
/// let mut transcoder = Transcoder::new(&ISO_8859_1, &UTF_8, Options::default());
/// let mut pump = Pump::new(&mut transcoder, &mut out, &mut buffer);
/// for chunk in [&b"caf"[..], b"\xE9"] {
///     let _ = pump.feed(chunk, false, &mut |_| More::Report)?;
/// }
/// assert_eq!((pump.read(), pump.filled()), (4, 5));
/// // At the end of the source, a character that is cut becomes a fault.
/// let _ = pump.feed(b"", true, &mut |_| More::Report)?;
/// pump.flush()?;
/// assert_eq!(out, "café".as_bytes());
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Pump<'a> {
    transcoder: &'a mut Transcoder,
    sink: &'a mut dyn Write,
    buffer: &'a mut [u8],
    /// Number of bytes of `buffer` that hold output.
    filled: usize,
    /// Number of bytes consumed of the source.
    read: u64,
}

impl<'a> Pump<'a> {
    /// Creates a pump that writes the output in `buffer` to `sink` whenever `buffer` is full.
    ///
    /// # Panics
    /// If `buffer` is empty.
    pub fn new(transcoder: &'a mut Transcoder, sink: &'a mut dyn Write, buffer: &'a mut [u8]) -> Pump<'a> {
        assert!(!buffer.is_empty(), "there is room for output");
        Pump { transcoder, sink, buffer, filled: 0, read: 0 }
    }

    /// Returns the number of bytes consumed of the source.
    pub fn read(&self) -> u64 {
        self.read
    }

    /// Returns the number of bytes of output in the buffer that are not yet written.
    pub fn filled(&self) -> usize {
        self.filled
    }

    /// Converts `chunk`. The last output stays in the buffer until [`Pump::flush`], unless a fault ends the conversion.
    /// Returns [`ControlFlow::Break`] if a fault or [`More::End`] ended the conversion.
    ///
    /// # Errors
    /// If the sink cannot be written.
    pub fn feed(&mut self, chunk: &[u8], last: bool, report: &mut Report) -> io::Result<ControlFlow<()>> {
        let mut rest = chunk;
        loop {
            let Step { read, written, stop } =
                self.transcoder.step(rest, &mut self.buffer[self.filled..], last);
            rest = &rest[read..];
            self.read += read as u64;
            self.filled += written;
            let is_stopped = matches!(stop, Stop::Stopped(_));
            match stop {
                Stop::SourceEmpty => return Ok(ControlFlow::Continue(())),
                Stop::SinkFull => {
                    self.flush()?;
                    continue;
                }
                // Write the output before the fault, then report the fault.
                Stop::Stopped(_) => self.flush()?,
                Stop::Fault(_) | Stop::Notice(_) => {}
            }
            match report(stop) {
                More::End => return Ok(ControlFlow::Break(())),
                More::Count => self.transcoder.count_faults(),
                More::Report => {}
            }
            if is_stopped {
                return Ok(ControlFlow::Break(()));
            }
        }
    }

    /// Writes the output in the buffer.
    ///
    /// # Errors
    /// If the sink cannot be written; the output stays in the buffer.
    pub fn flush(&mut self) -> io::Result<()> {
        self.sink.write_all(&self.buffer[..self.filled])?;
        self.filled = 0;
        Ok(())
    }

    /// Converts the bytes of `source` to its end, as [`convert_stream`] does. See [`convert_stream`].
    ///
    /// # Errors
    /// [`StreamError`] if reading or writing fails.
    pub fn run(mut self, source: &mut dyn BufRead, report: &mut Report) -> Result<(), StreamError> {
        loop {
            let (before, mut broken) = (self.read, None);
            let chunk = match source.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                // End the output like that of a complete source, so that no shift state stays open.
                Err(error) => {
                    self.transcoder.break_off();
                    broken = Some(error);
                    &[]
                }
            };
            let last = chunk.is_empty();
            let fed = self.feed(chunk, last, report).map_err(StreamError::Write)?;
            // Flush after each chunk, so that output of a slow source is not held back.
            self.flush().map_err(StreamError::Write)?;
            if let Some(error) = broken {
                return Err(StreamError::Read(error));
            }
            source.consume((self.read - before) as usize);
            if last || fed.is_break() {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CHUNK, convert, expected_rest};
    use crate::{ISO_8859_1, Options, UTF_8};

    #[test]
    fn the_rest_is_expected_to_grow_as_the_text_before_it() {
        for (written, done, rest, expected) in [
            (0, 0, 0, 0),
            (0, 0, usize::MAX, 0),
            (0, 1, usize::MAX, 0),
            (1, 1, usize::MAX, usize::MAX),
            (usize::MAX, usize::MAX, usize::MAX, usize::MAX),
            (usize::MAX, 1, 1, usize::MAX),
            (usize::MAX, 1, 2, usize::MAX),
            (usize::MAX, 2, 2, usize::MAX),
            (usize::MAX, usize::MAX - 1, usize::MAX - 1, usize::MAX),
            (3, 2, 1, 2),
            (3, 2, 2, 3),
            (CHUNK + 1, CHUNK, CHUNK, CHUNK + 1),
            (CHUNK + 1, CHUNK, 1000 * CHUNK, 1000 * CHUNK + 1000),
            (CHUNK - 1, CHUNK, CHUNK, CHUNK - 1),
        ] {
            assert_eq!(expected_rest(written, done, rest), expected, "{written} {done} {rest}");
        }
    }

    /// If the output is only one byte longer than the source, the reserved memory is not doubled.
    #[test]
    fn the_output_takes_little_more_room_than_its_length() {
        let source = [b"caf\xE9".to_vec(), vec![b'a'; 8 * CHUNK]].concat();
        let output = convert(&source, &ISO_8859_1, &UTF_8, &Options::default()).expect("converts").output;
        assert_eq!(output.len(), source.len() + 1);
        assert!(output.capacity() <= source.len() + 64, "{} for {}", output.capacity(), output.len());
    }
}
