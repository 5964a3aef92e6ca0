//! Conversion of whole sources: in memory, and from a reader to a writer.

use std::io::{self, BufRead, ErrorKind, Write};

use crate::bom::Notice;
use crate::encoding::Encoding;
use crate::fault::Fault;
use crate::transcode::{Options, Step, Stop, Transcoder};

/// What [`convert`] makes of a text. See [`convert`] for an example.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
#[non_exhaustive]
pub struct Converted {
    /// The text in the target encoding.
    pub output: Vec<u8>,
    /// The faults to which the policy was applied, in the order of the source.
    pub faults: Vec<Fault>,
    /// Remarks about the start of the source.
    pub notices: Vec<Notice>,
}

/// A fault that ended the conversion, and what was converted before it. See [`convert`] for an example.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stopped {
    /// The fault.
    pub fault: Fault,
    /// What came before it.
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

/// Converts a text in memory.
///
/// # Errors
/// [`Stopped`] at the first fault whose policy is to stop; it holds all that was converted before.
///
/// ```
/// use utfconv_core::{IllFormed, FaultKind, ISO_8859_1, Options, UTF_8, UTF_16LE, convert};
///
/// let latin1 = convert("café".as_bytes(), &UTF_8, &ISO_8859_1, &Options::default())?;
/// assert_eq!(latin1.output, b"caf\xE9");
///
/// let stopped = convert(b"ab\xC0\xAF", &UTF_8, &UTF_16LE, &Options::default()).unwrap_err();
/// assert_eq!(stopped.fault.at, 2);
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
    let mut converted =
        Converted { output: Vec::with_capacity(source.len()), faults: Vec::new(), notices: Vec::new() };
    let Converted { output, faults, notices } = &mut converted;
    let mut stopped = None;
    let mut transcoder = Transcoder::new(from, to, options.clone());
    let mut buffer = vec![0; source.len().clamp(64, 64 << 10)];
    let done = convert_stream(&mut { source }, output, &mut transcoder, &mut buffer, |stop| {
        match stop {
            Stop::Fault(fault) => faults.push(fault),
            Stop::Notice(notice) => notices.push(notice),
            Stop::Stopped(fault) => stopped = Some(fault),
            Stop::SourceEmpty | Stop::SinkFull => {}
        }
        More::Report
    });
    if let Err(error) = done {
        unreachable!("memory can be read and written: {error}");
    }
    match stopped {
        Some(fault) => Err(Box::new(Stopped { fault, before: converted })),
        None => Ok(converted),
    }
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

/// What to do with the faults that follow. See [`convert_stream`] for an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum More {
    /// Report each.
    Report,
    /// Count them ([`Transcoder::take_tally`]), which is faster. One that ends the conversion is still reported.
    Count,
}

/// Converts what `source` gives, until it ends, and writes it to `sink` as early as possible.
///
/// `buffer` holds output before a write; its size, in bytes, is that of the largest write. `report` is called with every
/// [`Stop::Fault`], [`Stop::Notice`] and [`Stop::Stopped`], and returns whether further faults are to be reported or counted.
/// The sink is not flushed.
///
/// # Errors
/// [`StreamError`] if reading or writing fails; interrupted calls are repeated.
///
/// # Panics
/// If `buffer` is empty.
///
/// ```
/// use utfconv_core::{More, Options, Transcoder, UTF_8, UTF_16BE, convert_stream};
///
/// let mut out = Vec::new();
/// let mut transcoder = Transcoder::new(&UTF_8, &UTF_16BE, Options::default());
/// convert_stream(&mut &b"hi"[..], &mut out, &mut transcoder, &mut [0; 4096], |stop| {
///     eprintln!("{stop:?}");
///     More::Report
/// })?;
/// assert_eq!(out, b"\0h\0i");
/// # Ok::<(), utfconv_core::StreamError>(())
/// ```
pub fn convert_stream(
    source: &mut dyn BufRead,
    sink: &mut dyn Write,
    transcoder: &mut Transcoder,
    buffer: &mut [u8],
    mut report: impl FnMut(Stop) -> More,
) -> Result<(), StreamError> {
    assert!(!buffer.is_empty(), "there is room for output");
    let mut filled = 0;
    let mut broken = None;
    loop {
        let chunk = match source.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            // The output ends as that of a whole source does, so that no shift state stays open.
            Err(error) => {
                transcoder.break_off();
                broken = Some(error);
                &[]
            }
        };
        let last = chunk.is_empty();
        let mut taken = 0;
        let ended = loop {
            let Step { read, written, stop } = transcoder.step(&chunk[taken..], &mut buffer[filled..], last);
            taken += read;
            filled += written;
            match stop {
                Stop::Fault(_) | Stop::Notice(_) => {
                    if report(stop) == More::Count {
                        transcoder.count_faults();
                    }
                    continue;
                }
                Stop::SinkFull | Stop::SourceEmpty | Stop::Stopped(_) => {}
            }
            // Output of a slow source is not held back.
            sink.write_all(&buffer[..filled]).map_err(StreamError::Write)?;
            filled = 0;
            match stop {
                Stop::SinkFull => {}
                Stop::Stopped(_) => {
                    report(stop);
                    break true;
                }
                _ => break last,
            }
        };
        if let Some(error) = broken {
            return Err(StreamError::Read(error));
        }
        source.consume(taken);
        if ended {
            return Ok(());
        }
    }
}
