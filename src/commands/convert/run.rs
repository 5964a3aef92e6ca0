//! Converts all inputs, each by a separate transcoder, into a single sink.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::Arc;

use utfconv_core::{Encoding, OnIllFormed, Options, Position, SHIFT_JIS, StreamError, Transcoder};
use utfconv_detect::HEAD;

use crate::batch::{BatchOptions, Destination};
use crate::commands::convert::changes::changes;
use crate::commands::convert::configured::configuration;
use crate::commands::convert::input::{Converted, Source, convert, source_encoding};
use crate::commands::convert::lost_newlines::LostNewlines;
use crate::commands::convert::options::many_files::requires_own_output;
use crate::commands::convert::options::{BinaryFiles, Files, Product, RangeFormat};
use crate::commands::convert::plan::{ConvertPlan, newlines};
use crate::commands::convert::range_context::{self, RangeEnd, RangeStart};
use crate::commands::convert::report::{Reporter, Stopped, warn};
use crate::commands::convert::{batch, records};
use crate::config::{Configuration, required};
use crate::files::identity::Identity;
use crate::files::print::print;
use crate::files::ranges::{Reading, split};
use crate::files::replace::{InPlace, OutputTarget};
use crate::files::sink::{STDOUT_NAME, Sink};
use crate::files::source::{Input, Mapping, Opened};
use crate::files::stdio::bytes_at;
use crate::files::walk::{Key, Targets};
use crate::text::auto::{NotFound, Unknown};
use crate::text::declared::DeclarationSink;
use crate::text::detected::FIRST;
use crate::text::misfit::{Named, SAMPLE, warning_of_pipe, yen_or_overline};
use crate::text::newlines::Newlines;
use crate::text::stats::Stats;
use crate::ui::exit::Exit;
use crate::ui::quote::{as_argument, counted, quoted};
use crate::ui::stderr::complain;

/// Carries out `plan` and reports everything.
pub fn run(mut plan: ConvertPlan) -> Exit {
    plan.batch = plan.batch.take().or_else(|| onto_input(&plan));
    if let Some(batch) = &plan.batch {
        return batch::run(&plan, batch);
    }
    let is_binary = plan.files.binary != BinaryFiles::Skip;
    if let Some(option) = plan.files.verify.then_some("--verify").or(is_binary.then_some("--binary")) {
        return Exit::report_failure(plan.dialect, &requires_own_output(option));
    }
    warn(&plan);
    if plan.ranges.product != Product::Text
        && let Some(input) = plan.inputs.iter().find(|input| input.is_output())
    {
        plan.dialect.report(&format!("{}: the output would overwrite this input", input.shown()));
        return Exit::Failure;
    }
    if let Product::Ranges { count, form } = plan.ranges.product {
        return list_ranges(&plan, count, form);
    }
    let name = plan.io.output.as_deref().map_or(STDOUT_NAME.to_string(), quoted);
    match open_sink(&plan, &name) {
        Ok(sink) => {
            let run = Run {
                plan: &plan,
                sink_name: name,
                sink: newlines(&plan, DeclarationSink::new(sink)),
                reporter: Reporter::new(&plan),
                configuration: configuration(&plan),
                stats: plan.errors.stats.then(|| Stats::new(Some(plan.to))),
                previewed: Vec::new(),
                has_warned_of_yen: false,
                exit: Exit::Success,
            };
            run.convert_all()
        }
        Err(text) => {
            plan.dialect.report(&text);
            Exit::Failure
        }
    }
}

/// Returns the file to convert as `-i` does, if the only input of a plan is also its output. Unlike `-o`, `-i` skips a
/// file that is converted already.
fn onto_input(plan: &ConvertPlan) -> Option<Files> {
    let ([input], Some(output)) = (&plan.inputs[..], &plan.io.output) else { return None };
    let is_simple = !plan.files.dry_run
        && plan.ranges.is_whole_text()
        && plan.io.mapping != Mapping::Always
        && !plan.dialect.is_iconv();
    let is_same = || input.identity().is_some_and(|id| Some(id) == Identity::of(Path::new(output)));
    if !is_simple
        || !is_same()
        || !matches!(OutputTarget::find(Path::new(output)), Ok(OutputTarget::File(_)))
        // Another process may have read a part of standard input.
        || input.open().ok()?.range()?.start > 0
    {
        return None;
    }
    let path = if input.is_stdin() { output.clone() } else { input.name().to_owned() };
    // With -o, a file with several hard links is overwritten, which -i does only with --force.
    let how = InPlace { force: true, ..InPlace::default() };
    Some(Files {
        targets: Targets { paths: vec![path], ..Targets::default() },
        destination: Destination::InPlace(how),
        options: BatchOptions::default(),
    })
}

/// Prints ranges that make up the input.
fn list_ranges(plan: &ConvertPlan, count: u64, form: RangeFormat) -> Exit {
    let dialect = plan.dialect;
    for input in &plan.inputs {
        let Options { input_bom, ebcdic_newline: newline, .. } = plan.options;
        let split = input.open_regular().and_then(|opened| {
            let named = plan.from.unwrap_or(&utfconv_core::UTF_8);
            split(opened.file(), count, &Reading { named, input_bom, newline })
        });
        match split {
            Ok(ranges) => return print(dialect, form.render(&ranges)),
            Err(error) => dialect.report(&dialect.no_input(&input.shown(), &error)),
        }
    }
    Exit::Failure
}

/// Opens the sink, which messages call `name`, or returns the reason why nothing can be written there.
fn open_sink(plan: &ConvertPlan, name: &str) -> Result<Sink, String> {
    let mut sink = match plan.ranges.product {
        Product::Text if plan.files.dry_run => Sink::compared(old_file(plan)),
        Product::Text => Sink::open(plan.io.output.as_deref()).map_err(|error| {
            let hint = match &plan.io.output {
                Some(output) if error.kind() == ErrorKind::IsADirectory && !plan.dialect.is_iconv() => {
                    format!("; use --output-dir={}", as_argument(output))
                }
                _ => String::new(),
            };
            plan.dialect.no_output(name, &error) + &hint
        })?,
        _ => Sink::counted(),
    };
    if (plan.to.code_unit_len() > 1 || plan.to.is_ebcdic()) && sink.is_terminal() && !plan.io.force_terminal {
        return Err(format!(
            "{name}: {} is unreadable on a terminal; use -o FILE or --force-terminal",
            plan.to.name()
        ));
    }
    // The check comes before any write, which would destroy a file that is both input and output.
    match plan.inputs.iter().find(|input| sink.is_same_file(input)) {
        Some(input) => Err(format!(
            "{}: the output would overwrite this input; use -o FILE to replace it",
            input.shown()
        )),
        None => {
            plan.inputs.iter().for_each(|input| sink.add_input(input));
            Ok(sink)
        }
    }
}

/// Returns the file with which a dry run compares the output: the only input, if it is a regular file.
fn old_file(plan: &ConvertPlan) -> Option<File> {
    match &plan.inputs[..] {
        [input] if !input.is_stdin() => Some(input.open_regular().ok()?.into_file()),
        _ => None,
    }
}

/// Why no more inputs are converted.
enum Ended {
    /// An error in the data, which was reported, stopped the conversion.
    Stopped,
    /// The output cannot be written, which was reported.
    Unwritable,
}

/// A conversion at the start of its input or range.
struct Start {
    transcoder: Transcoder,
    origin: Position,
    /// State that a range needs after its conversion.
    range_end: Option<RangeEnd>,
}

/// State of a run in progress.
struct Run<'a> {
    plan: &'a ConvertPlan,
    sink_name: String,
    sink: Newlines<DeclarationSink<Sink>>,
    reporter: Reporter<'a>,
    /// `None` if no configuration is read.
    configuration: Option<Arc<Configuration>>,
    stats: Option<Stats>,
    /// Of a dry run: the names of the inputs that were converted, and their encodings.
    previewed: Vec<(String, &'static Encoding)>,
    has_warned_of_yen: bool,
    exit: Exit,
}

impl Run<'_> {
    /// Converts all inputs, and completes the output.
    fn convert_all(mut self) -> Exit {
        let mut has_stopped = false;
        for (number, input) in (0..).zip(&self.plan.inputs) {
            match self.convert(number, input) {
                Ok(()) => {}
                Err(Ended::Stopped) => {
                    self.exit = self.exit.max(Exit::Fault);
                    has_stopped = true;
                    break;
                }
                Err(Ended::Unwritable) => return Exit::Failure,
            }
        }
        self.reporter.summary();
        let warnings = self.configuration.iter().flat_map(|one| one.warnings());
        warnings.for_each(|text| self.plan.dialect.report(&format!("warning: {text}")));
        if let Some(stats) = &self.stats {
            complain(&stats.text());
        }
        self.complete(has_stopped).unwrap_or(Exit::Failure)
    }

    /// Whether the output replaces a file, or would in a run that writes.
    fn replaces_file(&self) -> bool {
        self.sink.sink().is_replacement() || self.plan.files.dry_run && self.plan.io.output.is_some()
    }

    /// Reports that an input cannot be read.
    fn fail(&mut self, text: &str) {
        self.plan.dialect.report(text);
        self.exit = self.exit.max(Exit::Failure);
    }

    /// Reports that the output cannot be written.
    fn unwritable(&self, error: &io::Error) -> Ended {
        let dialect = self.plan.dialect;
        dialect.report(&dialect.write_error(&self.sink_name, error));
        Ended::Unwritable
    }

    /// Converts an input. An input that cannot be read does not end the run.
    fn convert(&mut self, number: u64, input: &Input) -> Result<(), Ended> {
        let (plan, name) = (self.plan, input.shown());
        let Some(mut opened) = self.open(input, &name) else { return Ok(()) };
        let is_sampled = plan.from.is_none() && opened.range().is_none();
        self.reporter.next_input(is_sampled);
        let Some(from) = self.encoding(&mut opened, input, &name)? else { return Ok(()) };
        self.warn_of_other(&mut opened, from, input, &name)?;
        self.warn_of_yen(&mut opened, from, &name);
        let started = self.start(from, &mut opened).unwrap_or_else(|error| {
            self.fail(&plan.dialect.no_input(&name, &error));
            None
        });
        let Some(Start { transcoder, origin, range_end }) = started else { return Ok(()) };
        let has_temporary_name = self.sink.sink().has_temporary_name();
        let mapping = if has_temporary_name { Mapping::Never } else { plan.io.mapping };
        let key = Key { argument: number, name: input.name().to_owned() };
        let source = Source { opened, mapping, threads: plan.io.threads, name: &name, key, origin };
        self.sink.begin_input();
        plan.begin_declarations(self.sink.sink_mut(), input.name());
        let mut converted = convert(plan, source, &mut self.sink, transcoder, &mut self.reporter);
        let declarations = self.sink.sink_mut().end().map_err(|error| self.unwritable(&error))?;
        declarations.warnings(None).for_each(|text| self.reporter.warn(&name, &text));
        if let (Ok(()), Some(range_end)) = (&converted.result, range_end) {
            converted.result = range_end.leave(plan, self.sink.sink().written(), &mut self.sink);
        }
        self.conclude(converted, from, input, &name)
    }

    /// Returns the encoding of an input; `None` if the input cannot be read, which is reported.
    fn encoding(
        &mut self,
        opened: &mut Opened,
        input: &Input,
        name: &str,
    ) -> Result<Option<&'static Encoding>, Ended> {
        let dialect = self.plan.dialect;
        match source_encoding(self.plan, opened, input.name(), self.required(input)) {
            Ok(Ok(from)) => Ok(Some(from)),
            Ok(Err(NotFound { cause, text })) => {
                let is_binary = matches!(cause, Unknown::Binary);
                let advice = if is_binary { "; use -f ENCODING to convert it anyway" } else { "" };
                dialect.report(&format!("{name}: not converted: {text}{advice}"));
                self.exit = if is_binary { Exit::Failure } else { self.exit };
                Err(Ended::Stopped)
            }
            Err(error) => {
                self.fail(&dialect.read_error(name, &error));
                Ok(None)
            }
        }
    }

    /// Reports how the conversion of an input ended.
    fn conclude(
        &mut self,
        converted: Converted,
        from: &'static Encoding,
        input: &Input,
        name: &str,
    ) -> Result<(), Ended> {
        let Converted { result, stopped, is_at_end, is_partly_utf8, stats } = converted;
        if let (Some(stats), Some(mut more)) = (&mut self.stats, stats) {
            if result.is_err() {
                more.cut_short();
            }
            stats.add(more);
        }
        if let Err(error) = &result
            && let Some(why) = records::bad_in(error)
        {
            self.reporter.report(&format!("{name}: error: {why}"));
            return Err(Ended::Stopped);
        }
        match result {
            Ok(()) => {}
            Err(StreamError::Read(error)) => self.fail(&self.plan.dialect.read_error(name, &error)),
            Err(StreamError::Write(error)) => return Err(self.unwritable(&error)),
        }
        if is_partly_utf8 {
            let (from, kib) = (from.name(), FIRST >> 10);
            let text = format!(
                "{name}: some of it is UTF-8, and was converted from {from}: only the first {kib} KiB of a pipe are looked \
                 at; write it to a file, and see utfconv-repair(1)"
            );
            if !self.plan.errors.silent {
                self.reporter.report(&text);
            }
            self.exit = self.exit.max(Exit::Fault);
        }
        let Some(fault) = stopped else {
            self.previewed.push((name.to_string(), from));
            return Ok(());
        };
        let stopped = Stopped { input, from, hints: &self.plan.encodings.hints };
        self.reporter.stopped(name, &fault, is_at_end, &stopped);
        Err(Ended::Stopped)
    }

    /// Warns if a file is in another encoding than named, as a whole or in parts, and if its newlines would be lost.
    /// Stops the run if the output would replace a file and the input has code units of another size.
    fn warn_of_other(
        &mut self,
        opened: &mut Opened,
        from: &'static Encoding,
        input: &Input,
        name: &str,
    ) -> Result<(), Ended> {
        let plan = self.plan;
        if !plan.ranges.is_whole_text() || plan.dialect.is_iconv() {
            return Ok(());
        }
        let (policy, is_replacing) = (&plan.options.policy.ill_formed, self.replaces_file());
        let Some(range) = opened.range() else { return self.warn_of_pipe(opened, from, name) };
        let head = bytes_at(opened.file(), 0, HEAD);
        let Some(head) = head.ok().filter(|_| range.start == 0) else { return Ok(()) };
        let named = Named { file: opened.file(), len: range.end, head: &head, from };
        // Detection has compared a detected encoding with the whole file.
        if plan.from.is_some() && is_replacing && !plan.files.force {
            let is_output = self.sink.sink().replaces(input);
            if let Some(why) = named.refusal(policy, is_output, input.name()) {
                self.reporter.report(&format!("{name}: not converted: {why}"));
                return Err(Ended::Stopped);
            }
        }
        if !plan.errors.silent {
            let other = |_| named.warning(plan.to, policy, input.name());
            let newlines =
                LostNewlines::of(plan, &head, from, plan.to).map(|lost| lost.warning().to_string());
            let texts = plan.from.and_then(other).into_iter().chain(newlines);
            texts.for_each(|text| self.reporter.warn(name, &text));
        }
        Ok(())
    }

    /// Warns once about bytes that are other characters in windows-31j, because files called Shift_JIS are often in
    /// windows-31j.
    fn warn_of_yen(&mut self, opened: &mut Opened, from: &'static Encoding, name: &str) {
        if from != &SHIFT_JIS || self.has_warned_of_yen || self.plan.dialect.is_iconv() {
            return;
        }
        let head = match opened.range() {
            Some(range) => bytes_at(opened.file(), range.start, SAMPLE as usize),
            None => opened.peek(FIRST).map(<[u8]>::to_vec),
        };
        if let Some(text) = yen_or_overline(&head.unwrap_or_default(), from, self.plan.to) {
            self.has_warned_of_yen = true;
            self.reporter.warn(name, &text);
        }
    }

    /// Warns if the first bytes of a pipe are text with code units of another size, or would be misread by a fallback.
    /// Stops the run if the size differs and the output would replace a file.
    fn warn_of_pipe(
        &mut self,
        opened: &mut Opened,
        from: &'static Encoding,
        name: &str,
    ) -> Result<(), Ended> {
        let (plan, policy) = (self.plan, &self.plan.options.policy.ill_formed);
        let may_misfit = from.code_unit_len() > 1 || matches!(policy, OnIllFormed::Fallback(_));
        if plan.from.is_none() || !may_misfit || opened.len().is_some() {
            return Ok(());
        }
        let head = opened.peek(FIRST).unwrap_or_default();
        let Some(text) = warning_of_pipe(head, from, policy) else { return Ok(()) };
        if from.code_unit_len() > 1 && self.replaces_file() && !plan.files.force {
            let text = format!("{name}: not converted: {text}, or use --force to convert it");
            self.reporter.report(&text);
            return Err(Ended::Stopped);
        }
        self.reporter.warn(name, &text);
        Ok(())
    }

    /// Returns the encoding that the configuration requires of an input.
    fn required(&self, input: &Input) -> Option<&'static Encoding> {
        let configuration = self.configuration.as_deref().filter(|_| input.name() != "-");
        required(configuration, Path::new(input.name())).encoding
    }

    /// Opens an input; `None` if the input cannot be opened, which is reported.
    fn open(&mut self, input: &Input, name: &str) -> Option<Opened> {
        let dialect = self.plan.dialect;
        if self.plan.io.verbose {
            dialect.opens(name);
        }
        let opened = if self.plan.ranges.bounds.is_some() { input.open_regular() } else { input.open() };
        let report = |error: &io::Error| {
            let hint = match error.kind() {
                _ if dialect.is_iconv() => None,
                ErrorKind::NotFound => self.hint_of_output(input),
                ErrorKind::IsADirectory => Some("; use -i -r to convert its files in place".to_string()),
                _ => None,
            };
            self.fail(&(dialect.no_input(name, error) + &hint.unwrap_or_default()));
        };
        opened.inspect_err(report).ok()
    }

    /// Returns an addition to the message about a missing input, because the second of two inputs may be meant as the
    /// output.
    fn hint_of_output(&self, missing: &Input) -> Option<String> {
        let [first, second] = &self.plan.inputs[..] else { return None };
        let is_meant = second.name() == missing.name() && Path::new(first.name()).exists();
        let has_output = self.plan.io.output.is_some() || self.plan.ranges.product != Product::Text;
        let advice = || format!("; to write to it, use -o {}", as_argument(missing.name()));
        (is_meant && !has_output).then(advice)
    }

    /// Brings a conversion to the start of its input or range. Returns `None` if there is nothing to convert.
    fn start(&mut self, from: &'static Encoding, opened: &mut Opened) -> io::Result<Option<Start>> {
        let plan = self.plan;
        let Some(bounds) = plan.ranges.bounds else {
            let options = plan.options.clone().continues(self.sink.sink().written() > 0);
            let transcoder = Transcoder::new(from, plan.to, options);
            return Ok(Some(Start { transcoder, origin: Position::default(), range_end: None }));
        };
        let Some(entered) = range_context::enter(plan, from, opened, bounds)? else { return Ok(None) };
        self.sink.resume(&entered.newlines, entered.end.span.is_last());
        let RangeStart { transcoder, origin, end, .. } = entered;
        Ok(Some(Start { transcoder, origin, range_end: Some(end) }))
    }

    /// Returns the report of a dry run: what would become of each input.
    fn preview(&self) -> io::Result<String> {
        let (plan, sink, counts) = (self.plan, self.sink.sink(), self.reporter.counts());
        let found = |is_found, count| if is_found { count } else { 0 };
        let errors = found(plan.is_found.ill_formed, counts.ill_formed())
            + found(plan.is_found.unmappable, counts.unmappable());
        let to = plan.to;
        if errors > 0 {
            let names: Vec<_> = self.previewed.iter().map(|(name, _)| name.as_str()).collect();
            let first =
                if errors == 1 { "1 error".to_string() } else { format!("the first of {errors} errors") };
            return Ok(format!(
                "{}: the conversion to {} would stop at {first}\n",
                names.join(", "),
                to.name()
            ));
        }
        let [(name, from)] = &self.previewed[..] else {
            let line = |(name, from): &(String, &Encoding)| {
                format!("{name}: would be converted from {} to {}\n", from.name(), to.name())
            };
            return Ok(self.previewed.iter().map(line).collect());
        };
        let old = old_file(plan);
        let read = old.as_ref().map(|old| old.metadata().map(|metadata| metadata.len())).transpose()?;
        let sizes = match read {
            Some(read) => format!("{read} to {} bytes", sink.written()),
            None => counted(sink.written(), "byte"),
        };
        Ok(match old {
            _ if sink.is_same() && read == Some(sink.written()) => format!("{name}: would stay the same\n"),
            Some(old) if *from == to => {
                format!("{name}: would be changed: {}, {sizes}\n", changes(plan, from, &old, sink.head())?)
            }
            _ => format!("{name}: would be converted from {} to {}, {sizes}\n", from.name(), to.name()),
        })
    }

    /// Completes the output, or leaves it unwritten.
    fn complete(mut self, has_stopped: bool) -> Result<Exit, Ended> {
        let (plan, dialect) = (self.plan, self.plan.dialect);
        // Text that an error ended gets no final newline.
        let finished = if has_stopped { Ok(()) } else { self.sink.finish() };
        if let Err(error) = finished {
            let Some(why) = records::bad(&error) else { return Err(self.unwritable(&error)) };
            // The error is in a record for the last input.
            let name = plan.inputs.last().map_or_else(|| self.sink_name.clone(), Input::shown);
            dialect.report(&format!("{name}: error: {why}"));
            self.exit = self.exit.max(Exit::Fault);
        }
        if plan.files.dry_run {
            let preview = self.preview().map_err(|error| self.unwritable(&error))?;
            self.exit = self.exit.max(print(dialect, preview));
        }
        let Run { sink, sink_name, mut exit, reporter, .. } = self;
        let sink = sink.into_sink().into_sink();
        let written = sink.written();
        commit(plan, &sink_name, sink, exit)?;
        // The length is unknown if an input is missing.
        if plan.ranges.product == Product::Count && exit == Exit::Success {
            exit = print(dialect, format!("{written}\n"));
        }
        Ok(exit.max(if reporter.has_lost() { Exit::Fault } else { Exit::Success }))
    }
}

/// Completes the file called `name` of a run that ends with `exit`. A file is replaced by a complete result or not at
/// all, so an error that stopped the run, or a missing input, leaves the old file.
fn commit(plan: &ConvertPlan, name: &str, sink: Sink, exit: Exit) -> Result<(), Ended> {
    let dialect = plan.dialect;
    if exit != Exit::Success && sink.is_replacement() {
        if exit == Exit::Failure || !plan.errors.silent {
            dialect.report(&format!("{name}: not written"));
        }
        return Ok(());
    }
    let replaced = sink.replaced_input();
    let committed = sink.commit().map_err(|error| {
        dialect.report(&dialect.write_error(name, &error));
        Ended::Unwritable
    });
    replaced.left(true).iter().for_each(|text| dialect.report(text));
    committed
}
