//! One run: every input through a transcoder of its own, into one sink.

use std::ffi::OsStr;
use std::io::{self, ErrorKind, Write};
use std::rc::Rc;

use utfconv_core::{
    Encoding, Fault, More, Options, Position, Repertoire, Stop, StreamError, Transcoder, convert_stream,
};

use crate::convert::auto::{self, NotFound};
use crate::convert::batch;
use crate::convert::newlines::Newlines;
use crate::convert::plan::{ConvertPlan, refuse_together};
use crate::convert::range_context;
use crate::convert::ranges::RangeFormat;
use crate::convert::report::Reporter;
use crate::convert::request::Product;
use crate::convert::segments::{self, Job};
use crate::files::print::print;
use crate::files::ranges::{Reading, split};
use crate::files::sink::{STDOUT_NAME, Sink};
use crate::files::source::{Mapping, Opened};
use crate::files::stdio::read_at;
use crate::files::walk::Key;
use crate::stats::{Counter, Observed, Observer, Stats};
use crate::ui::exit::Exit;
use crate::ui::personality::{Personality, is_cut_short};
use crate::ui::quote::quoted;
use crate::ui::stderr::complain;

/// Bytes read at a time, at most.
const SOURCE_BUFFER: usize = 128 << 10;
/// Bytes written at a time, at most.
const SINK_BUFFER: usize = 256 << 10;
/// Room beside what a small file needs, in bytes.
const SLACK: usize = 1 << 10;

/// Carries out `plan`; says all there is to say. `is_command` tells which operands would be commands if they came first.
pub fn run(plan: ConvertPlan, is_command: impl Fn(&OsStr) -> bool) -> Exit {
    if let Some(batch) = &plan.batch {
        return batch::run(&plan, batch);
    }
    let who = plan.personality;
    warn(&plan);
    if let Product::Ranges { count, form } = plan.product {
        return list_ranges(&plan, count, form);
    }
    let sink_name = plan.output.as_deref().map_or(STDOUT_NAME.to_string(), quoted);
    let sink = match plan.product {
        Product::Text => Sink::open(plan.output.as_deref()),
        _ => Ok(Sink::counted()),
    };
    let sink = match sink {
        Ok(sink) => sink,
        Err(error) => {
            who.say(&who.no_output(&sink_name, &error));
            return Exit::Failure;
        }
    };
    if (plan.to.unit() > 1 || plan.to.is_ebcdic()) && sink.is_terminal() && !plan.force_terminal {
        who.say(&format!(
            "{sink_name}: {} does not suit a terminal; write to a file with -o or >, or use --force-terminal",
            plan.to.name()
        ));
        return Exit::Failure;
    }

    // Before anything is written: afterwards it would be too late for the file that is both.
    for input in &plan.inputs {
        if sink.is_same_file(input) {
            who.say(&format!("{}: input file is output file; -o FILE can replace an input", input.shown()));
            return Exit::Failure;
        }
    }

    let mut sink = newlines(&plan, sink);
    let mut reporter = Reporter::new(&plan);
    let mut stats = plan.stats.then(|| Stats::new(Some(plan.to)));
    let (mut exit, mut has_stopped) = (Exit::Success, false);
    for (number, input) in (0..).zip(&plan.inputs) {
        let name = input.shown();
        if plan.verbose {
            who.opens(&name);
        }
        let opened = if plan.range.is_some() { input.open_regular() } else { input.open() };
        let mut opened = match opened {
            Ok(opened) => opened,
            Err(error) => {
                let is_missing = error.kind() == ErrorKind::NotFound;
                let is_late = is_missing && who == Personality::Utfconv && is_command(input.name());
                let hint = if is_late { "; as a command it has to come first" } else { "" };
                who.say(&(who.no_input(&name, &error) + hint));
                exit = exit.max(Exit::Failure);
                continue;
            }
        };
        let from = match source_encoding(&plan, &mut opened) {
            Ok(Ok(from)) => from,
            Ok(Err(not_found)) => {
                who.say(&format!("{name}: not converted: {}", not_found.text));
                exit = exit.max(Exit::Fault);
                has_stopped = true;
                break;
            }
            Err(error) => {
                who.say(&who.read_error(&name, &error));
                exit = exit.max(Exit::Failure);
                continue;
            }
        };
        let mapping = if sink.sink().has_temporary_name() { Mapping::Never } else { plan.mapping };
        let (transcoder, origin, part);
        match plan.range {
            None => {
                let options = Options { continues: sink.sink().written() > 0, ..plan.options.clone() };
                (transcoder, origin, part) =
                    (Transcoder::new(from, plan.to, options), Position::default(), None);
            }
            Some(bounds) => match range_context::enter(&plan, from, &mut opened, bounds) {
                Ok(Some(entered)) => {
                    sink = entered.newlines.onto(sink.into_sink(), entered.part.span.is_last());
                    (transcoder, origin) = (entered.transcoder, entered.origin);
                    part = Some(entered.part);
                }
                Ok(None) => continue,
                Err(error) => {
                    who.say(&who.no_input(&name, &error));
                    exit = exit.max(Exit::Failure);
                    continue;
                }
            },
        }
        let key = Key { argument: number, name: input.name().to_owned() };
        let source = Source { opened, mapping, threads: plan.threads, name: &name, key, origin };
        let mut converted = convert(&plan, source, &mut sink, transcoder, &mut reporter);
        if let (Ok(()), Some(part)) = (&converted.result, part) {
            converted.result = part.leave(&plan, sink.sink().written(), &mut sink);
        }
        if let (Some(stats), Some(mut more)) = (&mut stats, converted.stats.take()) {
            if converted.result.is_err() {
                more.cut_short();
            }
            stats.add(more);
        }
        match converted.result {
            Ok(()) => {}
            Err(StreamError::Read(error)) => {
                who.say(&who.read_error(&name, &error));
                exit = exit.max(Exit::Failure);
            }
            Err(StreamError::Write(error)) => {
                who.say(&who.write_error(&sink_name, &error));
                return Exit::Failure;
            }
        }
        if let Some(fault) = converted.stopped {
            reporter.stopped(&name, &fault, converted.is_at_end, &plan.options.policy);
            exit = exit.max(Exit::Fault);
            has_stopped = true;
            break;
        }
    }
    reporter.summary(&plan.options.policy);
    if let Some(stats) = &stats {
        complain(&stats.text());
    }

    // What ended at a fault is no whole text.
    let finished = if has_stopped { Ok(()) } else { sink.finish() };
    let sink = sink.into_sink();
    let written = sink.written();
    if let Err(error) = finished {
        who.say(&who.write_error(&sink_name, &error));
        return Exit::Failure;
    }
    // A file is replaced by a whole result or not at all: a fault that stopped the run, or an input that is missing,
    // leaves the old one.
    if exit == Exit::Success || !sink.is_replacement() {
        if let Err(error) = sink.commit() {
            who.say(&who.write_error(&sink_name, &error));
            return Exit::Failure;
        }
    } else if exit == Exit::Failure || !plan.silent {
        who.say(&format!("{sink_name}: not written"));
    }
    // As long as what is missing is not known, neither is the length.
    if plan.product == Product::Count && exit == Exit::Success {
        exit = print(who, format!("{written}\n"));
    }
    exit.max(if reporter.has_lost() { Exit::Fault } else { Exit::Success })
}

/// Prints ranges that make up the input of `plan`.
fn list_ranges(plan: &ConvertPlan, count: u64, form: RangeFormat) -> Exit {
    let who = plan.personality;
    for input in &plan.inputs {
        let Options { input_bom, ebcdic_newline: newline, .. } = plan.options;
        let split = input.open_regular().and_then(|opened| {
            let named = plan.from.unwrap_or(&utfconv_core::UTF_8);
            split(opened.file(), count, &Reading { named, input_bom, newline })
        });
        match split {
            Ok(ranges) => return print(who, form.render(&ranges)),
            Err(error) => who.say(&who.no_input(&input.shown(), &error)),
        }
    }
    Exit::Failure
}

/// Says what there is to say before anything is done.
pub fn warn(plan: &ConvertPlan) {
    if !plan.silent {
        plan.warnings.iter().for_each(|text| plan.personality.say(text));
    }
}

/// A sink that sees to the newlines on the way to `sink`.
pub fn newlines<W: Write>(plan: &ConvertPlan, sink: W) -> Newlines<W> {
    let newlines = Newlines::new(sink, plan.newlines, plan.to, plan.options.ebcdic_newline);
    newlines.expect("no plan is made for an encoding that lacks them")
}

/// The encoding of an input: the one that was named, or what is found out.
pub fn source_encoding(
    plan: &ConvertPlan,
    opened: &mut Opened,
) -> io::Result<Result<&'static Encoding, NotFound>> {
    let Some(from) = plan.from else {
        return Ok(auto::find(opened, plan.accepts_guess)?.and_then(|from| {
            let contradiction = |error: anyhow::Error| NotFound {
                text: format!("is {}: {error}", from.name()),
                is_binary: false,
            };
            refuse_together(from, plan.to, &plan.options).map(|()| from).map_err(contradiction)
        }));
    };
    Ok(Ok(from))
}

/// One input, and how it is read.
pub struct Source<'a> {
    pub opened: Opened,
    pub mapping: Mapping,
    /// None is as many as there are processors.
    pub threads: Option<usize>,
    /// In messages.
    pub name: &'a str,
    /// In statistics.
    pub key: Key,
    /// What is converted begins here; offsets count from it where it is amid a file.
    pub origin: Position,
}

/// What came of one input.
pub struct Converted {
    pub result: Result<(), StreamError>,
    /// The fault that ended the run.
    pub stopped: Option<Fault>,
    /// It is cut short by the end of the input; if it is by bytes that are there, there is no need to wait for any.
    pub is_at_end: bool,
    /// What the input is made of, if that is asked for.
    pub stats: Option<Stats>,
}

/// Converts one input: in parts where it can be read in parts, else from one end to the other.
pub fn convert<W: Write + Send>(
    plan: &ConvertPlan,
    source: Source,
    sink: &mut W,
    mut transcoder: Transcoder,
    reporter: &mut Reporter,
) -> Converted {
    let Source { opened, mapping, threads, name, key, origin } = source;
    let mut stopped = None;
    if !reporter.tells() {
        transcoder.count_faults();
    }
    let tell = |stop| {
        match stop {
            Stop::Fault(fault) => reporter.fault(name, &fault.offset_by(origin)),
            Stop::Notice(notice) => reporter.notice(name, &notice),
            Stop::Stopped(fault) => stopped = Some(fault),
            Stop::SourceEmpty | Stop::SinkFull => {}
        }
        if reporter.tells() { More::Tell } else { More::Count }
    };
    let range = opened.range();
    match range.clone().filter(|range| segments::suits(plan, transcoder.encoding(), range)) {
        Some(range) => {
            let job = Job {
                file: opened.file(),
                range: range.clone(),
                follows: !opened.is_narrowed(),
                part: segments::part_len(plan),
                threads,
            };
            let (result, tally) = segments::convert(&job, sink, transcoder, tell);
            reporter.count(&tally);
            let is_at_end = stopped.as_ref().is_some_and(|fault| {
                let end = range.start + fault.at + fault.bytes.len() as u64;
                is_cut_short(fault) && read_at(opened.file(), &mut [0], end).is_ok_and(|count| count == 0)
            });
            let stopped = stopped.map(|fault| fault.offset_by(origin));
            Converted { result, stopped, is_at_end, stats: None }
        }
        None => {
            // A small file needs little room.
            let room = |most: usize, growth: usize| match &range {
                Some(range) => most.min((range.end - range.start).min(most as u64) as usize * growth + SLACK),
                None => most,
            };
            let [read, written] = [room(SOURCE_BUFFER, 1), room(SINK_BUFFER, 4)];
            let mut source = opened.reader(mapping, plan.buffer_size.unwrap_or(read), name);
            let mut buffer = vec![0; plan.buffer_size.unwrap_or(written)];
            let mut observer = plan.stats.then(|| {
                let Options { input_bom, ebcdic_newline, .. } = plan.options;
                let counter = Counter::new(key, Some(Rc::new(Repertoire::of(plan.to))));
                let named = transcoder.encoding();
                let reading = Reading { named, input_bom, newline: ebcdic_newline };
                Observer::new(reading.checker(named, origin.offset() == 0, origin), counter)
            });
            let result = match &mut observer {
                None => convert_stream(&mut *source, sink, &mut transcoder, &mut buffer, tell),
                Some(observer) => {
                    let mut source = Observed { source: &mut *source, observer };
                    convert_stream(&mut source, sink, &mut transcoder, &mut buffer, tell)
                }
            };
            reporter.count(&transcoder.take_tally());
            let is_at_end =
                stopped.as_ref().is_some_and(is_cut_short) && source.fill_buf().is_ok_and(<[u8]>::is_empty);
            let stopped = stopped.map(|fault| fault.offset_by(origin));
            let stats = observer.map(|observer| observer.end(stopped.as_ref(), result.is_err()));
            Converted { result, stopped, is_at_end, stats }
        }
    }
}
