//! Finds the encoding of an input, and converts the input into a sink.

use std::ffi::OsStr;
use std::io::{self, BufRead, Write};
use std::ops::Range;
use std::sync::Arc;

use utfconv_core::{
    Encoding, Fault, FaultKind, IllFormed, More, Options, Position, Repertoire, Stop, StreamError,
    Transcoder, convert_stream,
};
use utfconv_detect::{Certainty, Watch};

use crate::commands::convert::options::refuse_together;
use crate::commands::convert::plan::ConvertPlan;
use crate::commands::convert::records::{RecordReader, Starts};
use crate::commands::convert::report::Reporter;
use crate::commands::convert::segments::{self, Job, Limits};
use crate::files::ranges::Reading;
use crate::files::source::{Mapping, Opened};
use crate::files::stdio::read_at;
use crate::files::walk::Key;
use crate::text::auto::{self, NotFound, Unknown};
use crate::text::stats::{Counter, Observed, Observer, Stats};

/// Maximum number of bytes read at a time.
const SOURCE_BUFFER: usize = 128 << 10;
/// Maximum number of bytes written at a time.
const SINK_BUFFER: usize = 256 << 10;
/// Number of bytes by which the buffers for a small file exceed its needs.
const SLACK: usize = 1 << 10;

/// Returns the encoding of an input, as named or as detected. `required` is the encoding that the configuration
/// requires.
pub fn source_encoding(
    plan: &ConvertPlan,
    opened: &mut Opened,
    name: &OsStr,
    required: Option<&'static Encoding>,
) -> io::Result<Result<&'static Encoding, NotFound>> {
    if let Some(from) = plan.from {
        return Ok(Ok(from));
    }
    Ok(auto::find(
        opened,
        name,
        &plan.encodings.hints,
        required,
        plan.encodings.min_certainty.unwrap_or(Certainty::Likely),
    )?
    .and_then(|from| match refuse_together(from, plan.to, &plan.options) {
        Ok(()) => Ok(from),
        Err(error) => Err(NotFound { cause: Unknown::Other, text: format!("is {}: {error}", from.name()) }),
    }))
}

/// An input, and how to read the input.
pub struct Source<'a> {
    pub opened: Opened,
    pub mapping: Mapping,
    /// `None` means a thread per processor.
    pub threads: Option<usize>,
    /// Name of the input in messages.
    pub name: &'a str,
    /// Name of the input in statistics.
    pub key: Key,
    /// Position where the conversion begins; positions of errors count from here.
    pub origin: Position,
}

/// The outcome of the conversion of an input.
pub struct Converted {
    pub result: Result<(), StreamError>,
    /// The error that ended the run.
    pub stopped: Option<Fault>,
    /// True if the end of the input cuts the sequence of `stopped` short.
    pub is_at_end: bool,
    /// True if the encoding was detected by the first bytes of the input, and later bytes are UTF-8 in part.
    pub is_partly_utf8: bool,
    /// Statistics, if requested.
    pub stats: Option<Stats>,
}

/// Converts an input, by segments if possible, otherwise as a stream.
pub fn convert<W: Write + Send>(
    plan: &ConvertPlan,
    source: Source,
    sink: &mut W,
    mut transcoder: Transcoder,
    reporter: &mut Reporter,
) -> Converted {
    if !reporter.reports_next() {
        transcoder.count_faults();
    }
    let range = source
        .opened
        .range()
        .filter(|range| plan.text.records.is_none() && segments::suits(plan, transcoder.encoding(), range));
    let events = Events { reporter, name: source.name, origin: source.origin, starts: None, stopped: None };
    match range {
        Some(range) => convert_segments(plan, source, range, sink, transcoder, events),
        None => convert_as_stream(plan, source, sink, transcoder, events),
    }
}

fn convert_segments<W: Write + Send>(
    plan: &ConvertPlan,
    source: Source,
    range: Range<u64>,
    sink: &mut W,
    transcoder: Transcoder,
    mut events: Events,
) -> Converted {
    let file = source.opened.file();
    let job = Job {
        file,
        range: range.clone(),
        follows: !source.opened.is_narrowed(),
        segment_len: segments::segment_len(plan),
        threads: source.threads,
        limits: Limits::USUAL,
    };
    let (result, counts) = segments::convert(&job, sink, transcoder, |stop| events.take(stop));
    events.reporter.count(&counts);
    let is_end = |fault: &Fault| {
        let end = range.start + fault.offset - source.origin.offset() + fault.bytes.len() as u64;
        read_at(file, &mut [0], end).is_ok_and(|count| count == 0)
    };
    let is_at_end = events.stopped.as_ref().is_some_and(|fault| is_cut_short(fault) && is_end(fault));
    Converted { result, stopped: events.stopped, is_at_end, is_partly_utf8: false, stats: None }
}

fn convert_as_stream<W: Write>(
    plan: &ConvertPlan,
    source: Source,
    sink: &mut W,
    mut transcoder: Transcoder,
    mut events: Events,
) -> Converted {
    let Source { opened, mapping, name, key, origin, .. } = source;
    let range = opened.range();
    // The buffers for a small file are small.
    let room = |most: usize, growth: usize| match &range {
        Some(range) => most.min((range.end - range.start).min(most as u64) as usize * growth + SLACK),
        None => most,
    };
    let [read, written] = [room(SOURCE_BUFFER, 1), room(SINK_BUFFER, 4)];
    let mut source = opened.reader(mapping, plan.io.buffer_size.unwrap_or(read), name);
    let mut buffer = vec![0; plan.io.buffer_size.unwrap_or(written)];
    let mut observer = plan.errors.stats.then(|| observer(plan, transcoder.encoding(), key, origin));
    let mut records = plan.text.records.and_then(|records| {
        let encodings = [transcoder.encoding(), plan.to];
        RecordReader::new(&mut *source, records, encodings, plan.options.ebcdic_newline)
    });
    events.starts = records.as_ref().map(RecordReader::starts);
    let lines: &mut dyn BufRead = match &mut records {
        Some(records) => records,
        None => &mut *source,
    };
    // If the encoding was detected by the first bytes of a pipe, the later bytes are watched as they arrive.
    let is_sampled = events.reporter.is_sampled();
    let mut watch = is_sampled.then(|| Watch::new(transcoder.encoding())).flatten();
    let take = |stop| events.take(stop);
    let is_observed = observer.is_some() || watch.is_some();
    let mut show = |bytes: &[u8]| {
        observer.iter_mut().for_each(|observer| observer.take(bytes));
        watch.iter_mut().for_each(|watch| watch.take(bytes));
    };
    let mut observed;
    let reader: &mut dyn BufRead = if !is_observed {
        lines
    } else {
        observed = Observed { source: lines, show: &mut show };
        &mut observed
    };
    let result = convert_stream(reader, sink, &mut transcoder, &mut buffer, take);
    let stopped = events.stopped;
    events.reporter.count(&transcoder.take_fault_counts());
    // A sequence is cut by the end of the input only if no bytes follow, because more input would then complete it.
    let is_at_end =
        stopped.as_ref().is_some_and(is_cut_short) && source.fill_buf().is_ok_and(<[u8]>::is_empty);
    let stats = observer.map(|observer| observer.end(stopped.as_ref(), result.is_err()));
    let is_partly_utf8 = stopped.is_none() && watch.and_then(Watch::end).is_some();
    Converted { result, stopped, is_at_end, is_partly_utf8, stats }
}

/// True if bytes are missing at the end of an ill-formed sequence.
fn is_cut_short(fault: &Fault) -> bool {
    use IllFormed::{LoneHigh, OddLength, PartialUnit, Truncated};
    let FaultKind::IllFormed { kind, .. } = fault.kind else { return false };
    matches!(kind, Truncated | OddLength | PartialUnit | LoneHigh)
}

fn observer(plan: &ConvertPlan, named: &'static Encoding, key: Key, origin: Position) -> Observer {
    let Options { input_bom, ebcdic_newline: newline, .. } = plan.options;
    let counter = Counter::new(key, Some(Arc::new(Repertoire::of(plan.to))));
    let reading = Reading { named, input_bom, newline };
    Observer::new(reading.checker(named, origin.offset() == 0, origin), counter)
}

/// Reports the events of a conversion.
struct Events<'a, 'p> {
    reporter: &'a mut Reporter<'p>,
    name: &'a str,
    origin: Position,
    /// Offsets of the records, if lines are made of records.
    starts: Option<Starts>,
    /// The error that ended the conversion.
    stopped: Option<Fault>,
}

impl Events<'_, '_> {
    /// Returns the error with its position in the source.
    fn located(&self, fault: Fault) -> Fault {
        let mut fault = fault.offset_by(self.origin);
        if let Some(starts) = &self.starts {
            fault.offset = starts.offset_in_source(fault.offset);
        }
        fault
    }

    fn take(&mut self, stop: Stop) -> More {
        match stop {
            Stop::Fault(fault) => self.reporter.fault(self.name, &self.located(fault)),
            Stop::Notice(notice) => self.reporter.notice(self.name, &notice),
            Stop::Stopped(fault) => self.stopped = Some(self.located(fault)),
            _ => {}
        }
        if self.reporter.reports_next() { More::Report } else { More::Count }
    }
}
