//! The context of a range: earlier text that affects the range, and the effect of the range on later text.
//!
//! A range is decoded as in the whole file, wherever it is cut ([`crate::files::ranges`]). Its output may still
//! depend on earlier output, such as a letter that the encoder holds back for a mark, or a CR whose LF follows. So
//! text before the range is converted too, as much as necessary, and is not written.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::ops::Range;

use utfconv_core::{
    Encoding, More, OnIllFormed, Options, OutputBom, Position, Segments, Stop, StreamError, Transcoder,
    convert_stream,
};

use crate::commands::convert::plan::{ConvertPlan, newlines};
use crate::files::ranges::{BUFFER, Bounds, Reading, Span, buffer_len, look_back};
use crate::files::sink::Sink;
use crate::files::source::Opened;
use crate::files::stdio::Part;
use crate::text::newlines::{Changed, Newlines};

/// A conversion at the start of a range.
pub struct RangeStart {
    pub transcoder: Transcoder,
    /// State of the newlines before the range, which the sink of the range resumes.
    pub newlines: Newlines<Sink>,
    /// Position where the range begins.
    pub origin: Position,
    pub end: RangeEnd,
}

/// State that a range needs after its conversion.
pub struct RangeEnd {
    pub span: Span,
    file: File,
    from: &'static Encoding,
    /// BOM to write before the first output.
    bom: Vec<u8>,
}

/// Limits an input to the range within `bounds`, and converts the earlier text that affects the range. `from` is the
/// encoding as named. Returns `None` if the range is empty.
pub fn enter(
    plan: &ConvertPlan,
    from: &'static Encoding,
    opened: &mut Opened,
    bounds: Bounds,
) -> io::Result<Option<RangeStart>> {
    let Options { input_bom, ebcdic_newline: newline, .. } = plan.options;
    let reading = Reading { named: from, input_bom, newline };
    let span = Span::find(opened.file(), bounds, &reading)?;
    // An empty file is converted, because it is an error for some policies.
    if span.bytes.is_empty() && span.of > 0 {
        return Ok(None);
    }
    let file = opened.file().try_clone()?;
    let context = Context { plan, reading, file: &file, span: &span };
    let (mut transcoder, newlines) = context.lead_in()?;
    let mut bom = Vec::new();
    if span.bytes.start == 0 {
        bom = Transcoder::new(from, plan.to, plan.options.clone()).take_bom();
    } else {
        // Only the range at the start of the file writes the BOM.
        transcoder.take_bom();
        transcoder.begin_segment();
    }
    transcoder.stay_open(!span.is_last());
    let origin = match plan.ranges.first_line {
        Some(line) if !plan.errors.silent || plan.errors.stats => {
            span.position(&file, &reading, bounds.start, line, |at| context.position_from(at))?
        }
        _ => Position::new(span.bytes.start, 1, 1),
    };
    opened.narrow(span.bytes.clone())?;
    Ok(Some(RangeStart { transcoder, newlines, origin, end: RangeEnd { span, file, from, bom } }))
}

/// A range, and how its file is read and converted.
struct Context<'a> {
    plan: &'a ConvertPlan,
    reading: Reading,
    file: &'a File,
    span: &'a Span,
}

impl Context<'_> {
    /// Converts as much text before the range as necessary, and keeps only the state of the transcoder and the
    /// newlines.
    fn lead_in(&self) -> io::Result<(Transcoder, Newlines<Sink>)> {
        let (start, changed) = (self.span.bytes.start, self.plan.text.newlines);
        look_back(self.file, self.span.encoding, start, |at| {
            let (mut transcoder, mut newlines) = (self.begin(at), newlines(self.plan, Sink::counted()));
            let is_apart = at > 0 && transcoder.writes_apart() && changed == Changed::NOTHING;
            if !is_apart {
                pass(self.file, at..start, &mut transcoder, &mut newlines)?;
            }
            transcoder.report_faults();
            let is_known = is_apart || at == 0 || newlines.sink().written() > 0 && newlines.knows_last();
            Ok(is_known.then_some((transcoder, newlines)))
        })
    }

    /// Returns a transcoder that begins at the boundary `at`, to be continued to the start of the range.
    fn begin(&self, at: u64) -> Transcoder {
        let mut options = self.plan.options.clone();
        // The output of a range after the first does not begin the text, so U+FEFF there is no BOM.
        if self.span.bytes.start > 0 && options.output_bom == OutputBom::Forbid {
            options.output_bom = OutputBom::Never;
        }
        let new = |from| Transcoder::new(from, self.plan.to, options.clone());
        let mut transcoder = match at {
            0 => new(self.reading.named),
            _ => new(self.span.encoding).segment(),
        };
        transcoder.stay_open(true);
        transcoder.count_faults();
        transcoder
    }

    /// Returns the position of the start of the range, counted from the boundary `at`.
    fn position_from(&self, at: u64) -> io::Result<Position> {
        // Positions are found by a conversion, because a fallback may decode bytes as a single character that the
        // input encoding decodes as several.
        if let OnIllFormed::Fallback(_) = self.plan.options.policy.ill_formed {
            let mut transcoder = self.begin(at);
            if pass(self.file, at..self.span.bytes.start, &mut transcoder, &mut io::sink())? {
                return Ok(transcoder.position());
            }
        }
        self.span.position_from(self.file, &self.reading, at)
    }
}

/// Converts a range of whole characters. Returns false if an error in the range would have stopped the conversion of
/// the whole file.
fn pass(
    file: &File,
    mut range: Range<u64>,
    transcoder: &mut Transcoder,
    sink: &mut impl Write,
) -> io::Result<bool> {
    let mut buffer = vec![0; buffer_len(&range)];
    let mut is_unbroken = true;
    while !range.is_empty() {
        let mut stopped = None;
        let mut source = BufReader::with_capacity(buffer_len(&range), Part::new(file, range.clone()));
        let take = |stop| {
            if let Stop::Stopped(fault) = stop {
                stopped = Some(fault.offset + fault.bytes.len() as u64);
            }
            More::Count
        };
        match convert_stream(&mut source, sink, transcoder, &mut buffer, take) {
            Ok(()) => {}
            Err(StreamError::Read(error) | StreamError::Write(error)) => return Err(error),
        }
        // An error that would have stopped the whole conversion is not reported for this range.
        let Some(len) = stopped else { break };
        *transcoder = transcoder.segment();
        range.start += len;
        is_unbroken = false;
    }
    Ok(is_unbroken)
}

impl RangeEnd {
    /// Writes the BOM that later ranges omit, if this range wrote nothing and a later range will write something.
    pub fn leave(&self, plan: &ConvertPlan, written: u64, sink: &mut impl Write) -> Result<(), StreamError> {
        self.span.ensure_whole(&self.file).map_err(StreamError::Read)?;
        let is_pending = !self.bom.is_empty() && written == 0 && !self.span.is_last();
        if is_pending && self.is_anything_written(plan).map_err(StreamError::Read)? {
            sink.write_all(&self.bom).map_err(StreamError::Write)?;
        }
        Ok(())
    }

    /// True if the conversion of the whole file writes anything.
    fn is_anything_written(&self, plan: &ConvertPlan) -> io::Result<bool> {
        let mut transcoder = Transcoder::new(self.from, plan.to, plan.options.clone());
        transcoder.count_faults();
        let mut source = BufReader::with_capacity(BUFFER, Part::whole(&self.file));
        // The sink has no room, so the first output is an error.
        let mut full: &mut [u8] = &mut [];
        // The buffer is on the heap, because otherwise the stack frame of every conversion would be larger.
        let mut buffer = vec![0; BUFFER];
        match convert_stream(&mut source, &mut full, &mut transcoder, &mut buffer, |_| More::Count) {
            Ok(()) => Ok(false),
            Err(StreamError::Write(_)) => Ok(true),
            Err(StreamError::Read(error)) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Seek;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use utfconv_core::CheckItem;

    use super::*;
    use crate::commands::convert::input::{Source, convert};
    use crate::commands::convert::report::Reporter;
    use crate::commands::convert::testkit::{
        INPUT_BOMS, NEWLINES, OUTPUT_BOMS, POLICIES, plan as plan_of, source_with_bom,
    };
    use crate::files::source::Mapping;
    use crate::files::walk::Key;
    use crate::testkit::Random;

    const THREADS: &[&str] = &["", "", "--buffer-size=16", "--buffer-size=16 -j1", "--buffer-size=32 -j2"];

    const OTHERS: &[&str] = &["UTF-8", "UTF-16", "UTF-16BE", "UTF-32", "WTF-8", "US-ASCII", "Big5-HKSCS"];

    /// Returns a random plan for a conversion from or to `encoding` whose ranges can be joined.
    fn plan(random: &mut Random, encoding: &Encoding) -> ConvertPlan {
        loop {
            let (name, other) = (encoding.name(), random.one(OTHERS));
            let (from, to) = if random.below(2) == 0 { (name, other) } else { (other, name) };
            let words = format!(
                "utfconv --max-errors=0 -f {from} -t {to} {} --input-bom={} --output-bom={} {} {} --range=:",
                random.one(POLICIES),
                random.one(INPUT_BOMS),
                random.one(OUTPUT_BOMS),
                random.one(NEWLINES),
                random.one(THREADS),
            );
            // Random options may contradict each other.
            if let Ok(plan) = plan_of(&words) {
                return plan;
            }
        }
    }

    /// Returns the output and the errors of a file or range; `None` if an error stops the conversion.
    fn converted(plan: &ConvertPlan, file: &File) -> Option<(Vec<u8>, String)> {
        let mut opened = Opened::new(file.try_clone().expect("a descriptor"));
        opened.file().rewind().expect("a file");
        let from = plan.from.expect("it was named");
        let mut transcoder = Transcoder::new(from, plan.to, plan.options.clone());
        let (mut sink, mut origin, mut part) = (newlines(plan, Vec::new()), Position::default(), None);
        if let Some(bounds) = plan.ranges.bounds {
            match enter(plan, from, &mut opened, bounds).expect("it can be read") {
                None => return Some(Default::default()),
                Some(entered) => {
                    sink.resume(&entered.newlines, entered.end.span.is_last());
                    (transcoder, origin, part) = (entered.transcoder, entered.origin, Some(entered.end));
                }
            }
        }
        let mut reporter = Reporter::keeping(plan);
        let key = Key { argument: 0, name: "x".into() };
        let source =
            Source { opened, mapping: Mapping::Never, threads: plan.io.threads, name: "x", key, origin };
        let done = convert(plan, source, &mut sink, transcoder, &mut reporter);
        done.result.expect("it can be read and written");
        if done.stopped.is_some() {
            return None;
        }
        if let Some(part) = part {
            let written = sink.sink().len() as u64;
            part.leave(plan, written, &mut sink).expect("it can be read");
        }
        sink.finish().expect("memory can be written");
        let mut faults = reporter.into_kept();
        // The warning about the other byte order needs the first 64 bytes, which not every range has.
        faults.retain(|line| !line.contains("has no BOM"));
        Some((sink.into_sink(), faults.concat()))
    }

    /// Returns the byte offsets at which the line feeds of a source end.
    fn line_feeds(source: &[u8], reading: &Reading) -> Vec<usize> {
        let mut checker = reading.checker(reading.named, true, Position::default()).keeping_text();
        let (mut ends, mut at) = (Vec::new(), 0);
        loop {
            match checker.next(&source[at..], true) {
                CheckItem::Bom(len) => at += len,
                CheckItem::Fault(fault) => at += fault.bytes.len(),
                CheckItem::Incomplete => return ends,
                CheckItem::Text(len) => {
                    match checker.text() {
                        None => {
                            ends.extend((at..at + len).filter(|at| source[*at] == b'\n').map(|at| at + 1))
                        }
                        Some(text) => {
                            let behind = text.starts.iter().skip(1).map(|start| *start as usize).chain([len]);
                            let scalars = text.utf8.chars().zip(behind);
                            ends.extend(scalars.filter(|one| one.0 == '\n').map(|(_, end)| at + end));
                        }
                    }
                    at += len;
                }
                _ => {}
            }
        }
    }

    /// The conversions of the ranges of a file, joined, equal the conversion of the whole file, at any cut: output,
    /// and errors with their lines and columns. With `UTFCONV_EXHAUSTIVE` set, and with `--release`, this test tries
    /// 100,000 partitions for each encoding.
    #[test]
    fn parts_of_any_partition_join_to_the_whole() {
        let is_exhaustive = std::env::var_os("UTFCONV_EXHAUSTIVE").is_some();
        let (partitions, sources_of_a_plan) = if is_exhaustive { (100_000, 100) } else { (30, 1) };
        let encodings: Vec<_> = Encoding::all().filter(|encoding| encoding.has_boundaries()).collect();
        let next = AtomicUsize::new(0);
        let work = || {
            let mut file = tempfile::tempfile_in(memory()).expect("a temporary file");
            let mut faulty = 0;
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(encoding) = encodings.get(number) else { return faulty };
                if is_exhaustive {
                    println!("{}", encoding.name());
                }
                let mut random = Random(0x9E37_79B9_7F4A_7C15 ^ number as u64);
                let mut joined = 0;
                while joined < partitions {
                    let mut plan = plan(&mut random, encoding);
                    for _ in 0..sources_of_a_plan {
                        let (partitions, is_faulty) = join_parts(&mut random, &mut plan, &mut file);
                        joined += partitions;
                        faulty += usize::from(is_faulty);
                    }
                }
            }
        };
        let faulty: usize = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..2).map(|_| scope.spawn(work)).collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).sum()
        });
        assert!(faulty > encodings.len(), "{faulty} sources with errors");
    }

    /// Converts a random source by `plan`, as a whole and in some partitions. Returns the number of partitions (0 if an
    /// error stops the conversion), and whether there were errors.
    fn join_parts(random: &mut Random, plan: &mut ConvertPlan, file: &mut File) -> (usize, bool) {
        const PARTITIONS: usize = 10;
        let named = plan.from.expect("it was named");
        let source = source_with_bom(random, named);
        file.rewind().and_then(|()| file.set_len(0)).expect("a file");
        file.write_all(&source).expect("room");
        (plan.ranges.bounds, plan.ranges.first_line) = (None, None);
        let Some(whole) = converted(plan, file) else { return (0, false) };
        let Options { input_bom, ebcdic_newline: newline, .. } = plan.options;
        let ends = line_feeds(&source, &Reading { named, input_bom, newline });
        for _ in 0..PARTITIONS {
            let mut cuts: Vec<_> = (0..1 + random.below(6)).map(|_| random.below(source.len() + 1)).collect();
            cuts.extend([0, source.len()]);
            cuts.sort_unstable();
            let mut parts = (Vec::new(), String::new());
            for part in cuts.windows(2) {
                plan.ranges.bounds = Some(Bounds { start: part[0] as u64, end: Some(part[1] as u64) });
                plan.ranges.first_line = Some(1 + ends.iter().filter(|end| **end <= part[0]).count() as u64);
                let (output, faults) = converted(plan, file).expect("what the whole does not end");
                parts.0.extend(output);
                parts.1.push_str(&faults);
            }
            let ConvertPlan { to, options, text, .. } = plan;
            assert_eq!(
                parts, whole,
                "{named:?} to {to:?}, {options:?} {:?}, {cuts:?}: {source:02X?}",
                text.newlines
            );
        }
        (PARTITIONS, !whole.1.is_empty())
    }

    /// Returns a directory in memory, if there is any, because small files are quick to write there.
    fn memory() -> std::path::PathBuf {
        let memory = std::path::PathBuf::from("/dev/shm");
        if memory.is_dir() { memory } else { std::env::temp_dir() }
    }
}
