//! The offset map of `--offset-map`: pairs of offsets at which an input and its output can both be cut, written to a file.
//!
//! The library finds the checkpoints ([`Pump::spaced`]). A pair is written where the newlines that are changed on
//! the way to the output can be cut, too.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufWriter, Write};
use std::path::Path;

use utfconv_core::internals::{Observer, Pump, Spacing};
use utfconv_core::{Checkpoint, More, Stop, StreamError, Transcoder};

use crate::convert::newlines::Newlines;
use crate::convert::plan::{ConvertPlan, newlines};
use crate::files::identity::Identity;
use crate::files::replace::real_path;
use crate::files::sink::{STDOUT_NAME, Sink};
use crate::ui::quote::{quoted, reason};

/// An offset map that is being written to `W`.
pub struct OffsetMap<W: Write> {
    file: BufWriter<W>,
    /// The first error; nothing is written after it.
    error: Option<io::Error>,
    spacing: Spacing,
    /// Counts the output, with the newlines that are written.
    counter: Newlines<Sink>,
    /// Where the input, or its range, begins.
    origin: u64,
    /// The input ends where the conversion ends.
    ends: bool,
    /// The last pair, which is not written yet: the end may be at the same offset of the input.
    pair: Option<(u64, u64)>,
    /// Bytes of the input that were converted.
    converted: u64,
    /// Both can be cut at the end of what was converted.
    ends_exactly: bool,
}

impl<W: Write> OffsetMap<W> {
    /// A map, to be written to `file`, for an input or a range that begins at `origin`, and that the input may end with
    /// (`ends`). `before` is the sink of the output.
    pub fn new<V: Write>(
        plan: &ConvertPlan,
        spacing: Spacing,
        file: W,
        (origin, ends): (u64, bool),
        before: &Newlines<V>,
    ) -> OffsetMap<W> {
        let mut counter = newlines(plan, Sink::counted());
        counter.resume(before, false);
        OffsetMap {
            file: BufWriter::new(file),
            error: None,
            spacing,
            counter,
            origin,
            ends,
            pair: None,
            converted: 0,
            ends_exactly: false,
        }
    }

    /// Completes the map of an input or range whose output has `written` bytes in the end.
    pub fn finish(mut self, written: u64) -> io::Result<W> {
        let end = self.origin + self.converted;
        if self.ends_exactly || self.ends {
            // The end of the output takes precedence: it has a final newline.
            self.pair = self.pair.filter(|(source, _)| *source < end);
            self.add(end, written);
        }
        self.flush_pair();
        match self.error {
            Some(error) => Err(error),
            None => self.file.into_inner().map_err(io::IntoInnerError::into_error),
        }
    }

    fn add(&mut self, source: u64, output: u64) {
        self.flush_pair();
        self.pair = Some((source, output));
    }

    fn flush_pair(&mut self) {
        if let (Some((source, output)), None) = (self.pair.take(), &self.error) {
            self.error = writeln!(self.file, "{source}\t{output}").err();
        }
    }

    fn is_exact(&self, checkpoint: Option<Checkpoint>) -> bool {
        checkpoint.is_some() && self.counter.can_be_cut()
    }
}

/// Converts what `source` gives, as [`utfconv_core::convert_stream`] does, and adds pairs to `map`.
pub fn convert_mapped<W: Write>(
    source: &mut dyn BufRead,
    sink: &mut dyn Write,
    transcoder: &mut Transcoder,
    buffer: &mut [u8],
    map: &mut OffsetMap<W>,
    report: impl FnMut(Stop) -> More,
) -> Result<(), StreamError> {
    // At the start of a range, only if both can be cut there.
    if map.origin == 0 || map.is_exact(transcoder.checkpoint()) {
        map.add(map.origin, 0);
    }
    let pump = Pump::new(transcoder, sink, buffer).spaced(map.spacing);
    let result = pump.run(source, &mut Mapped { map, report });
    map.converted = transcoder.position().offset();
    result
}

/// A conversion with a map, in progress.
struct Mapped<'a, W: Write, F> {
    map: &'a mut OffsetMap<W>,
    report: F,
}

impl<W: Write, F: FnMut(Stop) -> More> Observer for Mapped<'_, W, F> {
    fn event(&mut self, event: Stop) -> More {
        self.map.ends &= !matches!(event, Stop::Stopped(_));
        (self.report)(event)
    }

    fn output(&mut self, output: &[u8]) {
        let counted = self.map.counter.write_all(output);
        debug_assert!(counted.is_ok(), "a count cannot fail");
    }

    fn checkpoint(&mut self, checkpoint: Checkpoint) -> bool {
        let is_exact = self.map.is_exact(Some(checkpoint));
        if is_exact {
            self.map.add(self.map.origin + checkpoint.source, self.map.counter.sink().written());
        }
        is_exact
    }

    fn end(&mut self, checkpoint: Option<Checkpoint>) {
        self.map.ends_exactly = self.map.is_exact(checkpoint);
    }
}

/// Returns the name of an offset map for messages; `-` is standard output.
pub fn shown(name: &OsStr) -> String {
    if name == "-" { STDOUT_NAME.to_string() } else { quoted(name) }
}

/// Standard output for an offset map, if the output is a file.
fn stdout(plan: &ConvertPlan) -> Result<Sink, String> {
    if plan.output.is_none() {
        return Err("--offset-map=- requires -o FILE".into());
    }
    let sink = Sink::stdout().map_err(|error| reason(&error))?;
    match plan.inputs.iter().any(|input| sink.is_same_file(input)) {
        true => Err("an input is also the offset map".into()),
        false => Ok(sink),
    }
}

/// Opens the file for an offset map, or answers why it cannot be written there. It is neither an input nor the output.
pub fn open(plan: &ConvertPlan, name: &OsStr) -> Result<Sink, String> {
    let shown = shown(name);
    if name == "-" {
        return stdout(plan).map_err(|why| format!("{shown}: {why}"));
    }
    let identity = |name: &OsStr| {
        let path = Path::new(name);
        Identity::with(&path.metadata().ok()?, path)
    };
    // A file that is not there yet has no identity.
    let path = |name: &OsStr| real_path(Path::new(name));
    let is_same = |other: &OsStr| {
        other == name
            || identity(name).is_some_and(|one| identity(other) == Some(one))
            || path(name).is_some_and(|one| path(other) == Some(one))
    };
    if plan.inputs.iter().any(|input| is_same(input.name())) {
        return Err(format!("{shown}: input file is offset map"));
    }
    if plan.output.as_deref().is_some_and(is_same) {
        return Err(format!("{shown}: output file is offset map"));
    }
    Sink::open(Some(name)).map_err(|error| plan.personality.no_output(&shown, &error))
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use utfconv_core::{Encoding, InputBom, Options, OutputBom, convert_stream};

    use super::*;
    use crate::convert::newlines::Changed;
    use crate::convert::testkit::{
        INPUT_BOMS, NEWLINES, OUTPUT_BOMS, POLICIES, plan as plan_of, source_with_bom,
    };
    use crate::testkit::Random;

    const ENCODINGS: &[&str] = &[
        "UTF-8",
        "UTF-16",
        "UTF-16LE",
        "UTF-16BE",
        "UTF-32",
        "UTF-32LE",
        "UTF-7",
        "WTF-8",
        "CESU-8",
        "US-ASCII",
        "ISO-8859-1",
        "windows-1252",
        "windows-1258",
        "TSCII",
        "IBM037",
        "IBM930",
        "Shift_JIS",
        "EUC-JP",
        "ISO-2022-JP",
        "ISO-2022-KR",
        "ISO-2022-CN",
        "HZ",
        "GB18030",
        "Big5-HKSCS",
        "EUC-JISX0213",
        "SCSU",
        "BOCU-1",
        "ISCII-DEV",
        "UTF-8-MAC",
        "whatwg:iso-2022-jp",
    ];
    const NORMALIZATION: &[&str] =
        &["", "", "", "--normalize=nfc", "--normalize=nfd", "--normalize=nfkc", "--normalize=nfkd"];

    /// A random plan that continues after errors.
    fn random_plan(random: &mut Random) -> ConvertPlan {
        loop {
            let words = format!(
                "utfconv -f {} -t {} {} --input-bom={} --output-bom={} {} {}",
                random.one(ENCODINGS),
                random.one(ENCODINGS),
                random.one(POLICIES),
                random.one(INPUT_BOMS),
                random.one(OUTPUT_BOMS),
                random.one(NEWLINES),
                random.one(NORMALIZATION),
            );
            // Some options exclude each other.
            if let Ok(plan) = plan_of(&words) {
                return plan;
            }
        }
    }

    /// Returns the output of a whole text, its length without an added newline, the pairs of its map, and the encoding
    /// by its BOM. None if an error stops the conversion.
    struct Whole {
        output: Vec<u8>,
        len: usize,
        pairs: Vec<(usize, usize)>,
        encoding: &'static Encoding,
    }

    fn whole(random: &mut Random, plan: &ConvertPlan, source: &[u8], spacing: Spacing) -> Option<Whole> {
        let mut transcoder = Transcoder::new(plan.from?, plan.to, plan.options.clone());
        if random.below(2) == 0 {
            transcoder.count_faults();
        }
        let mut sink = newlines(plan, Vec::new());
        let mut map = OffsetMap::new(plan, spacing, Vec::new(), (0, true), &sink);
        let mut reader = BufReader::with_capacity(1 + random.below(100), source);
        let mut buffer = vec![0; 1 + random.below(100)];
        let mut is_stopped = false;
        let report = |stop| {
            is_stopped |= matches!(stop, Stop::Stopped(_));
            More::Report
        };
        convert_mapped(&mut reader, &mut sink, &mut transcoder, &mut buffer, &mut map, report)
            .expect("memory");
        if is_stopped {
            return None;
        }
        let len = sink.sink().len();
        sink.finish().expect("memory");
        let output = sink.into_sink();
        let map = String::from_utf8(map.finish(output.len() as u64).expect("memory")).expect("digits");
        let pair = |line: &str| {
            let (source, output) = line.split_once('\t').expect("a pair");
            (source.parse().expect("an offset"), output.parse().expect("an offset"))
        };
        let pairs = map.lines().map(pair).collect();
        Some(Whole { output, len, pairs, encoding: transcoder.encoding() })
    }

    /// Returns the output of half a text, without a newline added to it; None if an error stops the conversion.
    fn half(plan: &ConvertPlan, source: &[u8], from: &'static Encoding, options: Options) -> Option<Vec<u8>> {
        let changed = Changed { adds_final: false, ..plan.settings.newlines };
        let mut sink = Newlines::new(Vec::new(), changed, plan.to, plan.options.ebcdic_newline)?;
        let mut is_stopped = false;
        let mut transcoder = Transcoder::new(from, plan.to, options);
        convert_stream(&mut { source }, &mut sink, &mut transcoder, &mut [0; 4096], |stop| {
            is_stopped |= matches!(stop, Stop::Stopped(_));
            More::Report
        })
        .expect("memory");
        (!is_stopped).then(|| sink.into_sink())
    }

    /// At every pair of a map, source and output can be cut: each half of the source converts to that half of the
    /// output. With `UTFCONV_EXHAUSTIVE` set, and with `--release`, this tries 100,000 pairs of each kind of map.
    #[test]
    fn both_halves_convert_to_each_other() {
        let most = if std::env::var_os("UTFCONV_EXHAUSTIVE").is_some() { 100_000 } else { 2_000 };
        let mut random = Random(0x51_7CC1_B727_220A);
        for is_by_line in [true, false] {
            let mut tried = 0;
            while tried < most {
                let plan = random_plan(&mut random);
                let from = plan.from.expect("it was named");
                let source = source_with_bom(&mut random, from);
                let every = 1 + random.below(40) as u64;
                let spacing = if is_by_line { Spacing::Lines } else { Spacing::Characters(every) };
                let Some(whole) = whole(&mut random, &plan, &source, spacing) else { continue };
                let Whole { output, len, pairs, encoding } = whole;
                let context = format!(
                    "{from:?} {:?} {:?} {:?} {spacing:?}\n{source:02X?}\n{output:02X?}\n{pairs:?}",
                    plan.to, plan.options, plan.settings.newlines
                );
                assert!(pairs.is_sorted_by(|one, other| one.0 < other.0 && one.1 <= other.1), "{context}");
                assert_eq!(
                    pairs.first(),
                    Some(&(0, if source.is_empty() { output.len() } else { 0 })),
                    "{context}"
                );
                assert_eq!(pairs.last(), Some(&(source.len(), output.len())), "{context}");
                let inner = pairs.len().max(2) - 2;
                for _ in 0..inner.min(10) {
                    let (at, end) = pairs[1 + random.below(inner)];
                    let first = half(&plan, &source[..at], from, plan.options.clone());
                    assert_eq!(first.as_deref(), Some(&output[..end]), "first half, {at} {end}: {context}");
                    let options = plan.options.clone().input_bom(InputBom::Text).output_bom(OutputBom::Never);
                    let second = half(&plan, &source[at..], encoding, options);
                    assert_eq!(
                        second.as_deref(),
                        Some(&output[end..len]),
                        "second half, {at} {end}: {context}"
                    );
                    tried += 1;
                }
            }
        }
    }
}
