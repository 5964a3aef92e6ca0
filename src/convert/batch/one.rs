//! The conversion of one file of a batch.

use std::fs::File;
use std::io::{self, Write};

use utfconv_core::{
    Encoding, FaultKind, ISO_8859_1, InputBom, OnIllFormed, Options, OutputBom, StreamError, Transcoder,
    US_ASCII, UTF_8, utf8_well_formed_up_to,
};

use crate::config::{Configuration, Requirements};
use crate::convert::auto::{Guess, NotFound, likely};
use crate::convert::configured::{broken, is_well_formed, required};
use crate::convert::declared::{DeclarationSink, in_file};
use crate::convert::input::{Converted, Source, convert, source_encoding};
use crate::convert::mixed::{Control, ascii_part, misread};
use crate::convert::newlines::Changed;
use crate::convert::plan::{ConvertPlan, LostNewlines, lost_newlines, newlines};
use crate::convert::records;
use crate::convert::report::Reporter;
use crate::convert::request::{BinaryFiles, Declarations, Settings};
use crate::convert::restored::Restored;
use crate::convert::round_trip::{first_difference, is_exact};
use crate::convert::verify::{CHUNK, same_text};
use crate::detect::detected::detect_in;
use crate::detect::mixed::{Mixed, differs_from_utf8};
use crate::edits::{
    Cause, Destination, Edit, Encodings, HEAD, Job, NotEdited, OpenJob, Product, SkipKind, Skipped,
};
use crate::files::binary::{self, Seen};
use crate::files::source::{Input, Mapping, Opened};
use crate::files::stdio::{Part, bytes_at, each_chunk, fill_at};
use crate::stats::Stats;
use crate::ui::quote::{self, as_argument, reason};
use utfconv_core::internals::{is_mostly_utf8, is_no_text_in, may_be_wide, scheme};
use utfconv_core::{declaration, detect};

/// How many bytes are read at a time to inspect a file.
const BUFFER: usize = 64 << 10;

/// The outcome of a file.
pub struct Outcome<'a> {
    /// The name of the file in messages.
    pub name: String,
    /// The messages about the file.
    pub reporter: Reporter<'a>,
    pub ended: Ended,
    /// The numbers of bytes read and written.
    pub read: u64,
    pub written: u64,
    /// Statistics, if requested.
    pub stats: Option<Stats>,
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
    /// The file was converted, but not replaced, for the reason that was reported in these words. Another run may succeed.
    NotReplaced(String),
}

impl Outcome<'_> {
    /// Ends the conversion because of the content of the file.
    fn not_converted(&mut self, cause: Cause, why: String) {
        self.reporter.report(&format!("{}: not converted: {why}", self.name));
        self.ended = Ended::Failed(cause, why);
    }

    /// Warns of a control character in a file, which `became` another encoding, if that was in place.
    fn warn_of(&mut self, control: Option<Control>, job: &Job, became: Option<&Encoding>) {
        if let Some(control) = control {
            let advice = control.advice(job.path().as_os_str(), became);
            self.reporter.warn(&self.name, &format!("{control}; {advice}"));
        }
    }

    /// Notes how a conversion ended. Returns false if that was before the end of the file.
    fn is_whole(
        &mut self,
        converted: Converted,
        job: &Job,
        hints: &detect::Hints,
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
        let likely = || likely(&Input::new(job.key.name.clone()), hints);
        self.reporter.stopped(&self.name, &fault, is_at_end, likely);
        let cause = match fault.kind {
            FaultKind::IllFormed { .. } => Cause::IllFormed,
            FaultKind::Unmappable { .. } => Cause::Unmappable,
            _ => Cause::Data,
        };
        self.ended = Ended::Failed(cause, quote::fault(&fault));
        Ok(false)
    }

    /// Skips the file for the given reason, which is an error if the user gave the file.
    fn skip(&mut self, job: &Job, skipped: Skipped) {
        match skipped.is_error(job) {
            false => self.ended = Ended::Skipped(skipped),
            true => self.not_converted(Cause::of(skipped.kind), skipped.why),
        }
    }
}

/// Converts files.
pub struct Converter<'a> {
    pub plan: &'a ConvertPlan,
    pub destination: &'a Destination,
    /// The number of threads for each file.
    pub threads: Option<usize>,
    /// Whether the batch has other files, whose messages may come first.
    pub is_one_of_many: bool,
    /// The configuration; None if it is not read.
    pub configuration: Option<&'a Configuration>,
    /// Whether both encodings are known, and all well-formed text converts back to the same bytes.
    pub is_exact: bool,
}

impl<'a> Edit for Converter<'a> {
    type Outcome = Outcome<'a>;

    fn begin(&self, job: &Job) -> Outcome<'a> {
        let keeps = self.is_one_of_many;
        let reporter = if keeps { Reporter::keeping(self.plan) } else { Reporter::new(self.plan) };
        Outcome { name: job.shown(), reporter, ended: Ended::Unchanged, read: 0, written: 0, stats: None }
    }

    fn encodings(&self, outcome: &Outcome<'a>) -> Option<Encodings> {
        match outcome.ended {
            Ended::Converted { from, to } => Some(Encodings { from, to }),
            _ => None,
        }
    }

    fn copied(&self, outcome: &mut Outcome<'a>) {
        outcome.ended = Ended::Copied;
    }

    /// A file in UTF-8 is not converted again.
    fn is_repeatable(&self) -> bool {
        self.plan.to == &UTF_8 && !self.plan.settings.reconverts
    }

    fn has_failed(&self, outcome: &Outcome<'a>) -> bool {
        matches!(outcome.ended, Ended::Guess(..) | Ended::Failed(..) | Ended::NotReplaced(_))
    }

    fn fail(&self, job: &Job, outcome: &mut Outcome<'a>, why: NotEdited) {
        let (text, why) = match why {
            NotEdited::Skipped(skipped) => return outcome.skip(job, skipped),
            NotEdited::Failed(StreamError::Read(error)) => {
                (self.plan.personality.read_error(&outcome.name, &error), reason(&error))
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

    fn edit(
        &self,
        OpenJob { job, mut opened, output, .. }: OpenJob,
        outcome: &mut Outcome<'a>,
    ) -> Result<Option<Product>, NotEdited> {
        let ConvertPlan { mut to, ref options, .. } = *self.plan;
        let is_in_place = output.is_in_place();
        let found = match self.encoding(job, &mut opened, is_in_place, outcome) {
            Err(NotEdited::Skipped(Skipped { kind: SkipKind::Binary, .. }))
                if self.plan.settings.binary == BinaryFiles::Copy =>
            {
                let mut output = output.begin().map_err(StreamError::Write)?;
                copy_whole(opened.file(), &mut output)?;
                outcome.ended = Ended::Copied;
                return Ok(Some(output));
            }
            found => found?,
        };
        let Some((mut from, mut already)) = found else { return Ok(None) };
        let is_same = from == to || from == &US_ASCII && to.is_ascii_compatible();
        if !is_in_place && self.plan.from.is_none() && is_same && !self.changes_more() {
            already = Some(from);
        }
        let is_unknown = self.is_unknown(&mut opened).map_err(StreamError::Read)?;
        if is_unknown {
            // Each byte stays as it is, in any encoding.
            (from, to) = (&ISO_8859_1, &ISO_8859_1);
            if !self.drop_bom(&mut opened).map_err(StreamError::Read)? {
                let why = "it is not UTF-8, and other encodings have no BOM; use -f to name its encoding";
                outcome.not_converted(Cause::Unknown, why.to_string());
                return Ok(None);
            }
        }
        if !self.keeps_newlines(job, &opened, [from, to], is_in_place, outcome) {
            return Ok(None);
        }
        let control = self.control(&opened, [from, to]).map_err(StreamError::Read)?;
        let old_head = bytes_at(opened.file(), 0, HEAD).map_err(StreamError::Read)?;
        let is_read_again = self.plan.settings.verify || is_in_place && self.may_change_by_return(from);
        let old = is_read_again.then(|| opened.file().try_clone()).transpose();
        let old_file = old.map_err(StreamError::Read)?;
        let mut output = DeclarationSink::new(output.begin().map_err(StreamError::Write)?);
        if !is_unknown {
            output.begin(self.plan, &job.key.name);
        }
        let mut output = newlines(self.plan, output);
        let transcoder = Transcoder::new(from, to, options.clone());
        let source = Source {
            opened,
            mapping: Mapping::Never,
            threads: self.threads,
            name: &outcome.name,
            key: job.key.clone(),
            origin: utfconv_core::Position::default(),
        };
        let mut converted = convert(self.plan, source, &mut output, transcoder, &mut outcome.reporter, None);
        if converted.stopped.is_none() && converted.result.is_ok() {
            converted.result = output.finish().map_err(StreamError::Write);
        }
        if !outcome.is_whole(converted, job, &self.plan.settings.hints)? {
            outcome.warn_of(control, job, None);
            return Ok(None);
        }
        let mut output = output.into_sink();
        let declarations = output.end().map_err(StreamError::Write)?;
        let mut output = output.into_sink();
        output.settle().map_err(StreamError::Write)?;
        (outcome.read, outcome.written) = (job.len, output.len());
        let back = &declarations.back;
        let old = old_file.as_ref();
        if !self.is_verified([from, to], [old, old.filter(|_| already.is_none())], &output, back, outcome)? {
            return Ok(None);
        }
        if !output.is_unchanged()
            && let Some(why) = broken(self.plan, &self.required_of_output(job), &old_head, output.head())
        {
            let why = format!("{why}, as configured; use --no-config to convert it");
            return Err(NotEdited::skipped(SkipKind::Configured, why));
        }
        let file = (is_in_place || output.is_unchanged()).then_some(job.path().as_os_str());
        declarations.warnings(file).for_each(|text| outcome.reporter.warn(&outcome.name, &text));
        outcome.warn_of(control, job, (is_in_place && !self.plan.settings.dry_run).then_some(to));
        outcome.ended = match already {
            Some(found) if !is_in_place || output.is_unchanged() => Ended::Already(found.name()),
            _ if output.is_unchanged() => Ended::Unchanged,
            _ if is_unknown => Ended::Converted { from: UNKNOWN, to: UNKNOWN },
            _ => Ended::Converted { from: from.name(), to: to.name() },
        };
        Ok(Some(output))
    }
}

impl<'a> Converter<'a> {
    /// Returns the encoding of an open file, and the same encoding again if it seems to be the output encoding
    /// already. Returns None if the file is not to be converted; `outcome` then has the reason.
    fn encoding(
        &self,
        job: &Job,
        opened: &mut Opened,
        is_in_place: bool,
        outcome: &mut Outcome,
    ) -> Result<Option<(&'static Encoding, Option<&'static Encoding>)>, NotEdited> {
        let required = required(self.configuration, job.path());
        let found = source_encoding(self.plan, opened, &job.key.name, required.encoding);
        let from = match found.map_err(StreamError::Read)? {
            Ok(from) => from,
            Err(NotFound { text, is_binary, guess }) => {
                match guess {
                    Some(guess) => outcome.ended = Ended::Guess(guess, text),
                    None if is_binary => return Err(self.binary(&text)),
                    None => outcome.not_converted(Cause::Unknown, text),
                }
                return Ok(None);
            }
        };
        match self.appearance(job, opened).map_err(StreamError::Read)? {
            Appearance::AsNamed => return Ok(Some((from, None))),
            // In another directory, the file is copied, and other requested changes are made.
            Appearance::Already(found) if !is_in_place || self.changes_more() => {
                return Ok(Some((found, Some(found))));
            }
            Appearance::Already(found) => {
                let declarations =
                    in_file(self.plan, opened, found, &job.key.name).map_err(StreamError::Read)?;
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

    /// Whether the newlines of a file do not become U+0085. If they would, a file in place stays, for this reason, and another
    /// output has a warning.
    fn keeps_newlines(
        &self,
        job: &Job,
        opened: &Opened,
        [from, to]: [&'static Encoding; 2],
        is_in_place: bool,
        outcome: &mut Outcome,
    ) -> bool {
        let Some(lost) = lost_newlines(self.plan, opened.file(), from, to) else { return true };
        if !is_in_place || self.plan.settings.force {
            outcome.reporter.warn(&outcome.name, lost.warning());
            return true;
        }
        let (file, from, to) = (as_argument(job.path().as_os_str()), from.name(), to.name());
        let convert = format!("utfconv -i -f {from} -t {to}");
        outcome.not_converted(
            Cause::Data,
            match lost {
                LostNewlines::In15 => format!(
                    "its lines end in 15, which would become U+0085; use '{convert} --ebcdic-newline=lf {file}' for line feeds, \
                     or --ebcdic-newline=nel for U+0085"
                ),
                LostNewlines::In25 => format!(
                    "its lines end in 25, which would become U+0085; use '{convert} {file}' for line feeds, or --force for U+0085"
                ),
                LostNewlines::Both => format!("{}; use --force to convert it so", lost.warning()),
            },
        );
        false
    }

    /// Finds a control character in a file whose encoding was given, if it becomes another byte, and no option says that the
    /// file is as it should be.
    fn control(&self, opened: &Opened, [from, to]: [&'static Encoding; 2]) -> io::Result<Option<Control>> {
        let Settings { binary, force, silent, .. } = self.plan.settings;
        let is_sure = force || binary == BinaryFiles::Convert;
        match self.plan.from.is_some() && from != to && !silent && !is_sure {
            true => Control::of(opened.file(), from, opened.len().unwrap_or(u64::MAX)),
            false => Ok(None),
        }
    }

    /// Whether the encoding of a file is unknown and need not be known: it includes ASCII, and only newlines or BOMs
    /// are to change.
    fn is_unknown(&self, opened: &mut Opened) -> io::Result<bool> {
        if !self.plan.settings.changes_form_only || is_well_formed(opened, &UTF_8, 0)? {
            return Ok(false);
        }
        binary::has_ascii(opened.file())
    }

    /// Removes the UTF-8 BOM of a file that is not UTF-8, if requested. Returns false if a BOM is to be added.
    fn drop_bom(&self, opened: &mut Opened) -> io::Result<bool> {
        let Options { input_bom, output_bom, .. } = self.plan.options;
        let has_bom = bytes_at(opened.file(), 0, 3)? == b"\xEF\xBB\xBF";
        let is_dropped = output_bom == OutputBom::Never || input_bom == InputBom::Strip;
        if has_bom
            && is_dropped
            && let Some(range) = opened.range()
        {
            opened.narrow(3..range.end)?;
        }
        Ok(output_bom != OutputBom::Always || has_bom)
    }

    /// Whether well-formed text of a file may become other bytes when it is converted back.
    fn may_change_by_return(&self, from: &'static Encoding) -> bool {
        let is_exact = match self.plan.from {
            Some(_) => self.is_exact,
            None => is_exact(from) && is_exact(self.plan.to),
        };
        // Carriers are converted back in a special way, which --verify uses.
        let carries = matches!(self.plan.options.policy.ill_formed, OnIllFormed::Carry(_));
        !is_exact && !carries && !self.changes_more()
    }

    /// Compares the text of a new file with that of the old one, if that is requested, and the old one with what the new one
    /// gives when it is converted back. Returns false, with the reason in `outcome`, if the file is to stay.
    fn is_verified(
        &self,
        [from, to]: [&'static Encoding; 2],
        [old, old_to_return]: [Option<&File>; 2],
        output: &Product,
        back: &[declaration::Edit],
        outcome: &mut Outcome,
    ) -> Result<bool, NotEdited> {
        let ConvertPlan { options, settings, .. } = self.plan;
        let Some(new) = output.file() else { return Ok(true) };
        let mut difference = None;
        if let Some(old) = old.filter(|_| settings.verify) {
            let new = Restored { file: new, replaced: back };
            let compared = same_text(old, from, new, to, options, settings.newlines, CHUNK);
            difference = compared.map_err(StreamError::Read)?.map(|difference| difference.to_string());
        }
        if difference.is_none()
            && let Some(at) = self.changed_by_return([from, to], new, outcome, old_to_return)?
        {
            let why = format!("converted back, it is different from byte {at} on");
            if !settings.verify {
                let advice = "use --verify to keep such files as they are";
                outcome.reporter.warn(&outcome.name, &format!("{why}; {advice}"));
                return Ok(true);
            }
            difference = Some(why);
        }
        let Some(difference) = difference else { return Ok(true) };
        // A file that another process has changed meanwhile cannot be compared with the converted one.
        output.ensure_unchanged().map_err(StreamError::Write)?;
        outcome.not_converted(Cause::Different, format!("--verify found a difference: {difference}"));
        Ok(false)
    }

    /// Returns where a new file, converted back, differs from the old one. Compares them only if nothing was lost on
    /// purpose.
    fn changed_by_return(
        &self,
        [from, to]: [&'static Encoding; 2],
        new: &File,
        outcome: &Outcome,
        old: Option<&File>,
    ) -> Result<Option<u64>, NotEdited> {
        let Some(old) =
            old.filter(|_| self.may_change_by_return(from) && outcome.reporter.handled() == [0, 0])
        else {
            return Ok(None);
        };
        let found = first_difference(old, from, new, to, &self.plan.options);
        Ok(found.map_err(StreamError::Read)?)
    }

    /// Returns why a binary file is skipped.
    fn binary(&self, why: &str) -> NotEdited {
        let name = if self.plan.from.is_none() { "-f ENCODING and " } else { "" };
        let why = format!("{why}; use {name}--binary=convert to convert it anyway");
        NotEdited::skipped(SkipKind::Binary, why)
    }

    /// Returns what the configuration requires of the output file.
    fn required_of_output(&self, job: &Job) -> Requirements {
        let output = job.output_path(self.destination);
        required(self.configuration, output.as_deref().unwrap_or(job.path()))
    }

    /// Whether other changes than another encoding are requested.
    fn changes_more(&self) -> bool {
        let Options { input_bom, output_bom, normalization, .. } = self.plan.options;
        let keeps_bom = (input_bom, output_bom) == (InputBom::Auto, OutputBom::Auto);
        let updates = self.plan.settings.declarations == Declarations::Update;
        let has_records = self.plan.settings.records.is_some();
        updates
            || has_records
            || self.plan.settings.newlines != Changed::NOTHING
            || normalization.is_some()
            || !keeps_bom
    }

    /// Checks whether a file that should have records has lines of UTF-8.
    fn already_lines(&self, opened: &Opened, head: &[u8]) -> io::Result<Appearance> {
        let ConvertPlan { from, to, .. } = self.plan;
        let is_utf8 = match from {
            Some(from) if to == &&UTF_8 && !self.plan.settings.reconverts && differs_from_utf8(from) => {
                is_utf8(opened.file(), head, from)?
            }
            _ => false,
        };
        let text = "seems to be UTF-8 already, without records; use --reconvert to convert it";
        Ok(if is_utf8 { Appearance::Other(text.to_string()) } else { Appearance::AsNamed })
    }

    /// Checks whether a file is UTF-8 in some ranges, by its content, or UTF-8 with errors, by its start.
    fn mixture(
        &self,
        job: &Job,
        opened: &Opened,
        head: &[u8],
        from: &'static Encoding,
    ) -> io::Result<Appearance> {
        let how_much = match Mixed::of(Part::new(opened.file(), 0..u64::MAX), from)? {
            Some(mixed) => match self.detected_other(job, opened)? {
                // Its bytes are those of UTF-8 by chance.
                Some(like) if like != from => return Ok(Appearance::Other(self.looks_like(like, 0, from))),
                _ => format!("UTF-8 in {mixed}"),
            },
            None if self.plan.to == &UTF_8 && is_mostly_utf8(head) => "UTF-8 with errors".to_string(),
            None => return Ok(Appearance::AsNamed),
        };
        let (file, from) = (as_argument(job.path().as_os_str()), from.name());
        Ok(Appearance::Partly(format!(
            "it is {how_much}; see 'utfconv repair {file}', or use --force to convert all of it from {from}"
        )))
    }

    /// Checks whether a file of UTF-16 begins or ends with some ASCII, or a fallback would misread some of it.
    fn part(&self, job: &Job, opened: &Opened, from: &'static Encoding) -> io::Result<Appearance> {
        let len = opened.range().map_or(0, |range| range.end);
        if let Some(part) = ascii_part(opened.file(), len, from)? {
            let from = from.name();
            return Ok(Appearance::Partly(format!(
                "{part}, not {from}; use --range to convert each part, or --force to convert all of it"
            )));
        }
        let policy = &self.plan.options.policy.ill_formed;
        Ok(match misread(opened.file(), from, policy, u64::MAX)? {
            Some(misread) => {
                let repair = misread.repair(job.path().as_os_str());
                Appearance::Partly(format!("{misread}; use {repair}; --force converts it as it is"))
            }
            None => Appearance::AsNamed,
        })
    }

    /// Whether bytes that are ill-formed are lost.
    fn loses_ill_formed(&self) -> bool {
        matches!(self.plan.options.policy.ill_formed, OnIllFormed::Replace(_) | OnIllFormed::Omit)
    }

    /// Checks whether a file that is not UTF-8 is in another encoding: much of it would be lost.
    fn other_than_utf8(&self, job: &Job, opened: &Opened) -> io::Result<Appearance> {
        Ok(self.detected_other(job, opened)?.map_or(Appearance::AsNamed, |like| {
            let text = self.looks_like(like, 0, &UTF_8);
            Appearance::Other(format!("{text}, or --force to lose what is not UTF-8"))
        }))
    }

    /// Says that a file, which may begin with a BOM, is in another encoding than the named one.
    fn looks_like(&self, like: &'static Encoding, bom: usize, from: &Encoding) -> String {
        let (options, from) = (self.plan.reading(like, bom > 0), from.name());
        let auto = if self.plan.settings.keeps_encoding { "" } else { " or -f auto" };
        format!("looks like {}, not {from}; use {options}{auto}", scheme(like, bom).name())
    }

    /// Returns the encoding of bytes that a file is in, if that is sure enough to act on.
    fn detected_other(&self, job: &Job, opened: &Opened) -> io::Result<Option<&'static Encoding>> {
        let range = opened.range().unwrap_or(0..0);
        let detected = detect_in(opened.file(), range, &job.key.name, &self.plan.settings.hints)?;
        Ok(detected.other_than_utf8())
    }

    /// Compares what a file seems to be with the given encoding.
    fn appearance(&self, job: &Job, opened: &Opened) -> io::Result<Appearance> {
        let may_be_done = !self.plan.settings.reconverts;
        let ConvertPlan { from, to, .. } = self.plan;
        let head = &bytes_at(opened.file(), 0, detect::HEAD)?[..];
        // The lengths of records are binary data. A file of lines has no records.
        if self.plan.settings.records.is_some() {
            return self.already_lines(opened, head);
        }
        let may_be_binary = self.plan.settings.binary != BinaryFiles::Convert;
        let seen = binary::seen(opened.file(), head, *from, may_be_binary)?;
        if let Seen::Format(why) = seen {
            return Ok(Appearance::Binary(why));
        }
        // A detected encoding needs no comparison.
        let Some(from) = from else { return Ok(Appearance::AsNamed) };
        let other = |like, bom| Appearance::Other(self.looks_like(like, bom, from));
        let may_be_already = |why| {
            let (to, from) = (to.name(), from.name());
            let text = format!("may be {to} already ({why}); use --reconvert to convert it from {from}");
            Appearance::Other(text)
        };
        Ok(match seen {
            // A file with a BOM is read as the BOM requires.
            Seen::Looks { like, bom } if may_be_done && to.includes_scheme(like) => {
                Appearance::Already(if bom > 0 { to } else { like })
            }
            // UTF-16LE would keep the BOM as text.
            Seen::Looks { like, bom } if job.is_found() => other(like, bom),
            Seen::Odd(why) if job.is_found() => Appearance::Binary(why),
            _ if may_be_done && from.unit() == 1 && may_be_wide(head, to) => {
                may_be_already("it contains control characters that text does not have")
            }
            Seen::Odd(why) => Appearance::Binary(why),
            Seen::Looks { like, bom }
                if !self.plan.settings.force && binary::oddity(head, from).is_some() =>
            {
                other(like, bom)
            }
            _ if may_be_done
                && differs_from_utf8(from)
                && (*to == &UTF_8 || job.is_found())
                && is_utf8(opened.file(), head, from)? =>
            {
                if *to == &UTF_8 {
                    Appearance::Already(&UTF_8)
                } else {
                    other(&UTF_8, 0)
                }
            }
            _ if self.plan.settings.force => Appearance::AsNamed,
            _ if is_no_text_in(head, from) => {
                let (file, from) = (as_argument(job.path().as_os_str()), from.name());
                Appearance::Other(format!(
                    "does not look like {from}; see 'utfconv detect {file}', or use --force to convert it"
                ))
            }
            _ if may_be_done && differs_from_utf8(from) => self.mixture(job, opened, head, from)?,
            _ if *from == &UTF_8 && self.loses_ill_formed() => self.other_than_utf8(job, opened)?,
            _ => self.part(job, opened, from)?,
        })
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

/// The name of an encoding that is not known, but contains ASCII (RFC 1428).
pub const UNKNOWN: &str = "unknown-8bit";

/// What a file seems to be.
enum Appearance {
    AsNamed,
    /// The file is in the output encoding, as this encoding reads it.
    Already(&'static Encoding),
    /// The file is binary, for this reason.
    Binary(String),
    /// Only some of the file is UTF-8, in these words.
    Partly(String),
    /// The file is in another encoding, or perhaps in the output encoding, in these words.
    Other(String),
}

/// Whether `file`, which begins with `head` and should be in `from`, is UTF-8. Text in such encodings is UTF-8 only
/// by rare chance, or if it is all ASCII.
fn is_utf8(file: &File, head: &[u8], from: &Encoding) -> io::Result<bool> {
    // In EBCDIC, the bytes of lowercase ASCII letters are punctuation.
    let small = head.iter().filter(|byte| byte.is_ascii_lowercase()).count();
    let may_be_ascii = !from.is_ascii_compatible() && 4 * small >= head.len().max(1);
    let (mut bytes, mut offset) = (head.to_vec(), head.len() as u64);
    let mut is_ended = head.len() < detect::HEAD;
    let mut is_ascii = true;
    loop {
        is_ascii = is_ascii && bytes.is_ascii();
        let rest = utf8_well_formed_up_to(&bytes)..bytes.len();
        // The end of what was read may cut a sequence.
        if is_ended || rest.len() > 3 {
            return Ok(rest.is_empty() && (!is_ascii || may_be_ascii));
        }
        bytes.drain(..rest.start);
        let kept = bytes.len();
        bytes.resize(BUFFER, 0);
        let read = fill_at(file, &mut bytes[kept..], offset)?;
        bytes.truncate(kept + read);
        offset += read as u64;
        is_ended = bytes.len() < BUFFER;
    }
}
