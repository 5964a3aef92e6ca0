//! Converts a file of a batch.

use std::fs::File;
use std::io::{self, Write};

use utfconv_core::{
    Encoding, FaultKind, ISO_8859_1, InputBom, OnIllFormed, Options, OutputBom, Position, SHIFT_JIS,
    StreamError, Transcoder, US_ASCII, UTF_8,
};

use super::appearance::{Appearance, OpenFile};
use crate::batch::{
    Cause, Destination, Edit, Encodings, Job, NotEdited, OpenJob, Product, SkipKind, Skipped,
};
use crate::commands::convert::changes::changes;
use crate::commands::convert::configured::broken;
use crate::commands::convert::input::{Converted, Source, convert, source_encoding};
use crate::commands::convert::lost_newlines::LostNewlines;
use crate::commands::convert::options::{BinaryFiles, FileOptions, Scope};
use crate::commands::convert::plan::{ConvertPlan, newlines};
use crate::commands::convert::records;
use crate::commands::convert::report::{Reporter, Stopped};
use crate::commands::convert::restored::Restored;
use crate::commands::convert::verify::{CHUNK, same_text};
use crate::config::{Configuration, Requirements, required};
use crate::files::binary;
use crate::files::source::{Input, Mapping, Opened};
use crate::files::stdio::{bytes_at, each_chunk};
use crate::text::auto::{Guess, NotFound, Unknown, is_well_formed};
use crate::text::declared::DeclarationSink;
use crate::text::misfit::{Control, Named, SAMPLE, yen_or_overline};
use crate::text::newlines::{Changed, Newlines};

use crate::text::round_trip::{first_difference, is_exact};
use crate::text::stats::Stats;
use crate::ui::modes::Declarations;
use crate::ui::quote::{self, reason};

/// How the conversion of a file went, with the messages about the file.
pub struct ConversionOutcome<'a> {
    /// The name of the file in messages.
    pub name: String,
    /// The messages about the file.
    pub reporter: Reporter<'a>,
    pub ended: Ended,
    pub lengths: Lengths,
    /// The changes in words, if they are reported and the encoding stays.
    pub changes: Option<String>,
    /// The warning about characters of Shift_JIS, which a run reports only for the first file that has such characters.
    pub yen: Option<String>,
    /// Statistics, if requested.
    pub stats: Option<Stats>,
}

/// The numbers of bytes read and written.
#[derive(Clone, Copy, Default)]
pub struct Lengths {
    pub read: u64,
    pub written: u64,
}

/// How the conversion of a file ended.
pub enum Ended {
    Converted {
        from: &'static str,
        to: &'static str,
    },
    /// The output equals the content of the file.
    Unchanged,
    /// The file seems to be in the output encoding already, and was not converted.
    Already(&'static str),
    /// The file is binary or a link, and was copied as it is.
    Copied,
    /// The file was found in a directory, and is not to be converted.
    Skipped(Skipped),
    /// The encoding of the file is only a guess, for this reason.
    Guess(Guess, String),
    /// The conversion ended with an error, which was reported in these words.
    Failed(Cause, String),
    /// The file was converted, but not replaced, for the reason that was reported in these words. Another run may
    /// succeed.
    NotReplaced(String),
}

impl ConversionOutcome<'_> {
    /// Ends the conversion because of the content of the file.
    fn not_converted(&mut self, cause: Cause, why: String) {
        self.reporter.report(&format!("{}: not converted: {why}", self.name));
        self.ended = Ended::Failed(cause, why);
    }

    /// Warns of a control character in a file. `became` is the new encoding of the file, if it was converted in
    /// place.
    fn warn_of(&mut self, control: Option<Control>, job: &Job, became: Option<&Encoding>) {
        if let Some(control) = control {
            let advice = control.advice(job.path().as_os_str(), became);
            self.reporter.warn(&self.name, &format!("{control}; {advice}"));
        }
    }

    /// Records how a conversion ended. Returns false if it ended before the end of the file.
    fn is_whole(
        &mut self,
        converted: Converted,
        job: &Job,
        from: &'static Encoding,
        hints: &utfconv_detect::Hints,
    ) -> Result<bool, NotEdited> {
        let Converted { result, stopped, is_at_end, stats, .. } = converted;
        self.stats = stats;
        if let Err(error) = &result
            && let Some(why) = records::bad_in(error)
        {
            self.not_converted(Cause::Data, why);
            return Ok(false);
        }
        result?;
        let Some(fault) = stopped else { return Ok(true) };
        let input = Input::new(job.key.name.clone());
        self.reporter.stopped(&self.name, &fault, is_at_end, &Stopped { input: &input, from, hints });
        let cause = match fault.kind {
            FaultKind::IllFormed { .. } => Cause::IllFormed,
            FaultKind::Unmappable { .. } => Cause::Unmappable,
            _ => Cause::Data,
        };
        self.ended = Ended::Failed(cause, quote::fault(&fault));
        Ok(false)
    }

    /// Skips the file for the given reason. Skipping a file that the user named is an error.
    fn skip(&mut self, job: &Job, skipped: Skipped) {
        if !skipped.is_error(job) {
            self.ended = Ended::Skipped(skipped)
        } else {
            self.not_converted(Cause::of(skipped.kind), skipped.why)
        }
    }
}

/// Converts files.
pub struct Converter<'a> {
    pub plan: &'a ConvertPlan,
    pub destination: &'a Destination,
    /// The number of threads for each file.
    pub threads: Option<usize>,
    /// True if the batch has other files, whose messages may come first.
    pub is_one_of_many: bool,
    /// The configuration; `None` if no configuration is read.
    pub configuration: Option<&'a Configuration>,
    /// True if both encodings are known, and all well-formed text converts back to the same bytes.
    pub is_exact: bool,
}

impl<'a> Edit for Converter<'a> {
    type Outcome = ConversionOutcome<'a>;

    fn begin(&self, job: &Job) -> ConversionOutcome<'a> {
        let keeps = self.is_one_of_many;
        let reporter = if keeps { Reporter::keeping(self.plan) } else { Reporter::new(self.plan) };
        ConversionOutcome {
            name: job.shown(),
            reporter,
            ended: Ended::Unchanged,
            lengths: Lengths::default(),
            changes: None,
            yen: None,
            stats: None,
        }
    }

    fn encodings(&self, outcome: &ConversionOutcome<'a>) -> Option<Encodings> {
        match outcome.ended {
            Ended::Converted { from, to } => Some(Encodings { from, to }),
            _ => None,
        }
    }

    fn copied(&self, outcome: &mut ConversionOutcome<'a>) {
        outcome.ended = Ended::Copied;
    }

    /// Conversions to UTF-8 can be repeated, because a file in UTF-8 is not converted again.
    fn is_repeatable(&self) -> bool {
        self.plan.to == &UTF_8 && !self.plan.files.reconvert
    }

    fn has_failed(&self, outcome: &ConversionOutcome<'a>) -> bool {
        matches!(outcome.ended, Ended::Guess(..) | Ended::Failed(..) | Ended::NotReplaced(_))
    }

    fn fail(&self, job: &Job, outcome: &mut ConversionOutcome<'a>, why: NotEdited) {
        let (text, why) = match why {
            NotEdited::Skipped(skipped) => return outcome.skip(job, skipped),
            NotEdited::Failed(StreamError::Read(error)) => {
                (self.plan.dialect.read_error(&outcome.name, &error), reason(&error))
            }
            NotEdited::Failed(StreamError::Write(error)) => {
                let why = reason(&error);
                (format!("{}: {why}", outcome.name), why)
            }
        };
        outcome.reporter.report(&text);
        outcome.ended = match outcome.ended {
            Ended::Unchanged => Ended::Failed(Cause::Inaccessible, why),
            _ => Ended::NotReplaced(why),
        };
    }

    fn edit(&self, file: OpenJob, outcome: &mut ConversionOutcome<'a>) -> Result<Option<Product>, NotEdited> {
        let OpenJob { job, opened, output } = file;
        let is_in_place = output.is_in_place();
        let head = bytes_at(opened.file(), 0, utfconv_detect::HEAD).map_err(StreamError::Read)?;
        let mut file = OpenFile { plan: self.plan, job, opened, head, is_in_place };
        let pair = match self.pair(&mut file, outcome) {
            Err(NotEdited::Skipped(Skipped { kind: SkipKind::Binary, .. }))
                if self.plan.files.binary == BinaryFiles::Copy =>
            {
                let mut output = output.begin().map_err(StreamError::Write)?;
                copy_whole(file.opened.file(), &mut output)?;
                outcome.ended = Ended::Copied;
                return Ok(Some(output));
            }
            pair => pair?,
        };
        let Some(pair) = pair else { return Ok(None) };
        let control = self.control(&file, &pair).map_err(StreamError::Read)?;
        let OpenFile { opened, head, .. } = file;
        let tells_changes = pair.from == pair.to && (self.plan.files.dry_run || self.plan.io.verbose);
        let before =
            tells_changes.then(|| opened.file().try_clone()).transpose().map_err(StreamError::Read)?;
        let is_read_again = self.plan.files.verify || is_in_place && self.may_change_by_return(pair.from);
        let old = is_read_again.then(|| opened.file().try_clone()).transpose().map_err(StreamError::Read)?;
        if pair.from == &SHIFT_JIS {
            let start = bytes_at(opened.file(), 0, SAMPLE as usize).map_err(StreamError::Read)?;
            outcome.yen = yen_or_overline(&start, pair.from, pair.to);
        }
        let output = output.begin().map_err(StreamError::Write)?;
        let (converted, output) = self.converted(job, opened, output, &pair, outcome);
        if !outcome.is_whole(converted, job, pair.from, &self.plan.encodings.hints)? {
            outcome.warn_of(control, job, None);
            return Ok(None);
        }
        let mut output = output.into_sink();
        let declarations = output.end().map_err(StreamError::Write)?;
        let mut output = output.into_sink();
        output.settle().map_err(StreamError::Write)?;
        outcome.lengths = Lengths { read: job.len, written: output.len() };
        if !self.is_verified(&pair, old.as_ref(), &output, &declarations.back, outcome)? {
            return Ok(None);
        }
        if !output.is_unchanged()
            && let Some(why) = broken(self.plan, &self.required_of_output(job), &head, output.head())
        {
            let why = format!("{why}, as configured; use --no-config to convert it");
            return Err(NotEdited::skipped(SkipKind::Configured, why));
        }
        // A dry run leaves the file as it is.
        let is_replaced = is_in_place && !self.plan.files.dry_run;
        let file = (is_replaced || output.is_unchanged()).then_some(job.path().as_os_str());
        declarations.warnings(file).for_each(|text| outcome.reporter.warn(&outcome.name, &text));
        outcome.warn_of(control, job, is_replaced.then_some(pair.to));
        if let Some(before) = before.filter(|_| !output.is_unchanged()) {
            let changes = changes(self.plan, pair.from, &before, output.head()).map_err(StreamError::Read)?;
            outcome.changes = Some(changes);
        }
        outcome.ended = match pair.already {
            Some(found) if !is_in_place || output.is_unchanged() => Ended::Already(found.name()),
            _ if output.is_unchanged() => Ended::Unchanged,
            _ if pair.is_unknown => Ended::Converted { from: UNKNOWN, to: UNKNOWN },
            _ => Ended::Converted { from: pair.from.name(), to: pair.to.name() },
        };
        Ok(Some(output))
    }
}

/// The encodings of a conversion.
struct EncodingPair {
    from: &'static Encoding,
    to: &'static Encoding,
    /// Set if the file seems to be in the output encoding already: the encoding in which to read the file.
    already: Option<&'static Encoding>,
    /// True if the encoding is unknown, but extends ASCII; each byte then stays as it is.
    is_unknown: bool,
}

/// The encoding in which a file is read.
struct ReadAs {
    from: &'static Encoding,
    /// True if the file seems to be in the output encoding already.
    is_done: bool,
}

impl<'a> Converter<'a> {
    /// Returns how a file is converted; `None` if the file is not to be converted, for the reason that `outcome` then
    /// has.
    fn pair(
        &self,
        file: &mut OpenFile,
        outcome: &mut ConversionOutcome,
    ) -> Result<Option<EncodingPair>, NotEdited> {
        let (to, is_in_place) = (self.plan.to, file.is_in_place);
        let Some(ReadAs { from, mut is_done }) = self.encoding(file, outcome)? else { return Ok(None) };
        let is_same = from == to || from == &US_ASCII && to.is_ascii_compatible();
        is_done |= !is_in_place && self.plan.from.is_none() && is_same && !self.changes_more();
        let already = is_done.then_some(from);
        if self.is_unknown(&mut file.opened).map_err(StreamError::Read)? {
            if !self.drop_bom(&mut file.opened).map_err(StreamError::Read)? {
                let why = "it is not UTF-8, and other encodings have no BOM; use -f to name its encoding";
                outcome.not_converted(Cause::Unknown, why.to_string());
                return Ok(None);
            }
            return Ok(Some(EncodingPair { from: &ISO_8859_1, to: &ISO_8859_1, already, is_unknown: true }));
        }
        let lost = LostNewlines::of(self.plan, &file.head, from, to);
        if let Some(lost) = lost.filter(|_| is_in_place && !self.plan.files.force) {
            outcome.not_converted(Cause::Data, lost.refusal(file.job.path().as_os_str(), from, to));
            return Ok(None);
        }
        lost.iter().for_each(|lost| outcome.reporter.warn(&outcome.name, lost.warning()));
        Ok(Some(EncodingPair { from, to, already, is_unknown: false }))
    }

    /// Converts an open file. Returns the outcome, and the output with the sinks for newlines and declarations before
    /// it.
    fn converted(
        &self,
        job: &Job,
        opened: Opened,
        output: Product,
        pair: &EncodingPair,
        outcome: &mut ConversionOutcome,
    ) -> (Converted, Newlines<DeclarationSink<Product>>) {
        let mut output = DeclarationSink::new(output);
        if !pair.is_unknown {
            self.plan.begin_declarations(&mut output, &job.key.name);
        }
        let mut output = newlines(self.plan, output);
        let transcoder = Transcoder::new(pair.from, pair.to, self.plan.options.clone());
        let source = Source {
            opened,
            mapping: Mapping::Never,
            threads: self.threads,
            name: &outcome.name,
            key: job.key.clone(),
            origin: Position::default(),
        };
        let mut converted = convert(self.plan, source, &mut output, transcoder, &mut outcome.reporter);
        if converted.stopped.is_none() && converted.result.is_ok() {
            converted.result = output.finish().map_err(StreamError::Write);
        }
        (converted, output)
    }

    /// Returns the encoding of an open file. Returns `None` if the file is not to be converted; `outcome` then has the
    /// reason.
    fn encoding(
        &self,
        file: &mut OpenFile,
        outcome: &mut ConversionOutcome,
    ) -> Result<Option<ReadAs>, NotEdited> {
        let (job, is_in_place) = (file.job, file.is_in_place);
        let required = required(self.configuration, job.path());
        let found = source_encoding(self.plan, &mut file.opened, &job.key.name, required.encoding);
        let from = match found.map_err(StreamError::Read)? {
            Ok(from) => from,
            Err(NotFound { cause, text }) => {
                match cause {
                    Unknown::Guess(guess) => outcome.ended = Ended::Guess(guess, text),
                    Unknown::Binary => return Err(self.binary(&text)),
                    Unknown::Other => outcome.not_converted(Cause::Unknown, text),
                }
                return Ok(None);
            }
        };
        match file.appearance().map_err(StreamError::Read)? {
            Appearance::AsNamed => return Ok(Some(ReadAs { from, is_done: false })),
            // With `--output-dir`, the file is copied, and other requested changes are made.
            Appearance::Already(found) if !is_in_place || self.changes_more() => {
                return Ok(Some(ReadAs { from: found, is_done: true }));
            }
            Appearance::Already(found) => {
                let declarations = self.plan.false_declarations(&file.opened, found, &job.key.name);
                let declarations = declarations.map_err(StreamError::Read)?;
                outcome.ended = Ended::Already(found.name());
                let file = Some(job.path().as_os_str());
                declarations.warnings(file).for_each(|text| outcome.reporter.warn(&outcome.name, &text));
            }
            Appearance::Binary(why) => return Err(self.binary(&format!("it is binary: {why}"))),
            Appearance::Other(why) => outcome.not_converted(Cause::Other, why),
            Appearance::Partly(why) => outcome.not_converted(Cause::PartlyUtf8, why),
        }
        Ok(None)
    }

    /// Finds a control character in a file whose encoding was given, if the conversion changes its byte, and no
    /// option says that the file is right.
    fn control(&self, open: &OpenFile, pair: &EncodingPair) -> io::Result<Option<Control>> {
        let FileOptions { binary, force, .. } = self.plan.files;
        let is_sure = force || binary == BinaryFiles::Convert;
        let (file, len) = (open.opened.file(), open.opened.len().unwrap_or(u64::MAX));
        if self.plan.from.is_some() && pair.from != pair.to && !self.plan.errors.silent && !is_sure {
            Named { file, len, head: &open.head, from: pair.from }.control(len)
        } else {
            Ok(None)
        }
    }

    /// True if the encoding of a file is unknown and need not be known, because it extends ASCII, and only newlines
    /// or BOMs are to change.
    fn is_unknown(&self, opened: &mut Opened) -> io::Result<bool> {
        if self.plan.scope != Scope::Form || is_well_formed(opened, &UTF_8, 0)? {
            return Ok(false);
        }
        binary::has_ascii(opened.file())
    }

    /// Removes the UTF-8 BOM of a file in an unknown encoding, if requested. Returns false if the file needs a BOM that
    /// it does not have, so that it cannot be converted.
    fn drop_bom(&self, opened: &mut Opened) -> io::Result<bool> {
        let Options { input_bom, output_bom, .. } = self.plan.options;
        let has_bom = bytes_at(opened.file(), 0, 3)? == b"\xEF\xBB\xBF";
        let is_dropped =
            matches!(output_bom, OutputBom::Never | OutputBom::Forbid) || input_bom == InputBom::Strip;
        if has_bom
            && is_dropped
            && let Some(range) = opened.range()
        {
            opened.narrow(3..range.end)?;
        }
        Ok(output_bom != OutputBom::Always || has_bom)
    }

    /// True if well-formed text of a file may become other bytes when it is converted back.
    fn may_change_by_return(&self, from: &'static Encoding) -> bool {
        let is_exact = match self.plan.from {
            Some(_) => self.is_exact,
            None => is_exact(from) && is_exact(self.plan.to),
        };
        // Files with carriers are compared only by `--verify`, because only that comparison converts carriers back to
        // bytes.
        let carries = matches!(self.plan.options.policy.ill_formed, OnIllFormed::Carry(_));
        !is_exact && !carries && !self.changes_text()
    }

    /// With `--verify`, compares the text of a new file with the text of the old file. If a round trip may change
    /// bytes, also converts the new file back and compares the result with the old file. Returns false, with the
    /// reason in `outcome`, if the old file is to stay.
    fn is_verified(
        &self,
        pair: &EncodingPair,
        old: Option<&File>,
        output: &Product,
        back: &[utfconv_declare::Edit],
        outcome: &mut ConversionOutcome,
    ) -> Result<bool, NotEdited> {
        let (ConvertPlan { options, files, text, .. }, &EncodingPair { from, to, .. }) = (self.plan, pair);
        let (Some(new), Some(old)) = (output.file(), old) else { return Ok(true) };
        let mut difference = None;
        if files.verify {
            let new = Restored { file: new, replaced: back };
            let compared = same_text(old, from, new, to, options, text.newlines, CHUNK);
            difference = compared.map_err(StreamError::Read)?.map(|difference| difference.to_string());
        }
        // A round trip is not compared if the policy handled errors, because replaced or omitted text does not come
        // back.
        let counts = outcome.reporter.counts();
        let is_kept = pair.already.is_none() && counts.ill_formed() == 0 && counts.unmappable() == 0;
        if difference.is_none()
            && is_kept
            && self.may_change_by_return(from)
            && let Some(at) = first_difference(old, from, new, to, options).map_err(StreamError::Read)?
        {
            let why = format!("converted back, it is different from byte {at} on");
            if !files.verify {
                let advice = "use --verify to keep such files as they are";
                outcome.reporter.warn(&outcome.name, &format!("{why}; {advice}"));
                return Ok(true);
            }
            difference = Some(why);
        }
        let Some(difference) = difference else { return Ok(true) };
        // A difference means nothing if another process has changed the old file meanwhile, which is an error of its
        // own.
        output.ensure_unchanged().map_err(StreamError::Write)?;
        outcome.not_converted(Cause::Different, format!("--verify found a difference: {difference}"));
        Ok(false)
    }

    /// Returns the reason why a binary file is skipped.
    fn binary(&self, why: &str) -> NotEdited {
        let name = if self.plan.from.is_none() { "-f ENCODING and " } else { "" };
        let why = format!("{why}; use {name}--binary=convert to convert it anyway");
        NotEdited::skipped(SkipKind::Binary, why)
    }

    /// Returns the requirements that the configuration sets for the output file.
    fn required_of_output(&self, job: &Job) -> Requirements {
        let output = job.output_path(self.destination);
        required(self.configuration, output.as_deref().unwrap_or(job.path()))
    }

    /// True if changes besides the encoding are requested.
    fn changes_more(&self) -> bool {
        let Options { input_bom, output_bom, .. } = self.plan.options;
        self.changes_text() || (input_bom, output_bom) != (InputBom::Auto, OutputBom::Auto)
    }

    /// True if options change the text itself, apart from its encoding and BOM.
    fn changes_text(&self) -> bool {
        let updates = self.plan.encodings.declarations == Declarations::Update;
        let has_records = self.plan.text.records.is_some();
        updates
            || has_records
            || self.plan.text.newlines != Changed::NOTHING
            || self.plan.options.normalization.is_some()
    }
}

/// Copies a file from its start to its end.
fn copy_whole(file: &File, to: &mut impl Write) -> Result<(), StreamError> {
    let mut written = Ok(());
    let write = |chunk: &[u8], _| {
        written = to.write_all(chunk);
        Ok(written.is_ok())
    };
    each_chunk(file, 0..u64::MAX, write).map_err(StreamError::Read)?;
    written.map_err(StreamError::Write)
}

/// Name for an unknown encoding that extends ASCII (RFC 1428).
pub const UNKNOWN: &str = "unknown-8bit";
