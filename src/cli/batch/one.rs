//! The conversion of one file of a batch.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use utfconv::{
    CESU_8, Encoding, MUTF_8, StreamError, Transcoder, US_ASCII, UTF_7, UTF_8, UTF_8_2279, UTF_16, UTF_16BE,
    UTF_16LE, UTF_32, UTF_32BE, UTF_32LE, WTF_8, utf8_well_formed_up_to,
};

use super::jobs::{Job, Output};
use super::product::Product;
use crate::cli::message::{Reporter, quoted, reason};
use crate::cli::plan::{Batch, Plan};
use crate::cli::replace::{FileTarget, InPlace, Prepared, Target};
use crate::cli::run::{Converted, Source, convert, newlines, source_encoding};
use crate::cli::sniff::{self, Sniffed};
use crate::cli::source::{Input, Mapping, Opened};
use crate::cli::stdio::fill_at;
use crate::cli::verify::same_text;

/// Bytes read at a time to see what a file is.
const BUFFER: usize = 64 << 10;

/// What became of a file.
pub struct Outcome {
    /// Its name in messages.
    pub name: String,
    /// The messages.
    pub reporter: Reporter,
    pub ended: Ended,
    /// Bytes read and written.
    pub read: u64,
    pub written: u64,
}

/// How the conversion of a file ended.
pub enum Ended {
    Converted {
        from: &'static str,
        to: &'static str,
    },
    /// The output is what the file holds.
    Unchanged,
    /// It seems to be in the output's encoding already, and was not converted.
    Already(&'static str),
    /// It was met in a directory and is no text.
    Binary,
    /// At a fault, which was told.
    Stopped,
    /// By something else, which was told.
    Failed,
}

/// Converts one file after another.
pub struct Converter<'a> {
    pub plan: &'a Plan,
    pub batch: &'a Batch,
    /// For each file.
    pub threads: Option<usize>,
}

/// A file that is open.
struct Open {
    opened: Opened,
    output: Product,
}

impl Converter<'_> {
    /// Converts a file. What it becomes may have to take its place still.
    pub fn convert(&self, job: &Job) -> (Outcome, Option<Prepared>) {
        let reporter = Reporter::keeping(self.plan);
        let mut outcome = Outcome { name: job.shown(), reporter, ended: Ended::Failed, read: 0, written: 0 };
        let who = self.plan.personality;
        match self.try_to(job, &mut outcome) {
            Ok(prepared) => return (outcome, prepared),
            Err(Failure::Open(error)) => outcome.reporter.say(&who.no_input(&outcome.name, &error)),
            Err(Failure::Stream(StreamError::Read(error))) => {
                outcome.reporter.say(&who.read_error(&outcome.name, &error));
            }
            Err(Failure::Stream(StreamError::Write(error))) => {
                let text = format!("{}: {}", outcome.name, reason(&error));
                outcome.reporter.say(&text);
            }
        }
        outcome.ended = Ended::Failed;
        (outcome, None)
    }

    fn try_to(&self, job: &Job, outcome: &mut Outcome) -> Result<Option<Prepared>, Failure> {
        let Plan { to, options, .. } = self.plan;
        let Open { mut opened, output } = self.open(job).map_err(Failure::Open)?;
        let mut from = match source_encoding(self.plan, &mut opened).map_err(read_error)? {
            Ok(from) => from,
            Err(not_found) if not_found.is_binary && job.is_met => {
                outcome.ended = Ended::Binary;
                return Ok(None);
            }
            Err(not_found) => {
                let text = format!("{}: not converted: {}", outcome.name, not_found.text);
                outcome.reporter.say(&text);
                outcome.ended = Ended::Stopped;
                return Ok(None);
            }
        };
        let is_in_place = matches!(job.output, Ok(Output::InPlace(_)));
        let ended = self.passes_over(job, &opened, outcome).map_err(read_error)?;
        let already = match ended {
            // Its place in the other directory does not stay empty.
            Some(Ended::Already(to_name)) if !is_in_place => {
                from = to;
                Some(Ended::Already(to_name))
            }
            Some(ended) => {
                outcome.ended = ended;
                return Ok(None);
            }
            None => None,
        };
        let old = self.batch.verify.then(|| opened.file().try_clone()).transpose().map_err(read_error)?;
        let Some(mut output) = newlines(self.plan, output) else { return Ok(None) };
        let transcoder = Transcoder::new(from, to, options.clone());
        let source = Source { opened, mapping: Mapping::Never, threads: self.threads, name: &outcome.name };
        let Converted { result, stopped, is_at_end } =
            convert(self.plan, source, &mut output, transcoder, &mut outcome.reporter);
        result.map_err(Failure::Stream)?;
        if let Some(fault) = stopped {
            outcome.reporter.stopped(&outcome.name, &fault, is_at_end, &options.policy);
            outcome.ended = Ended::Stopped;
            return Ok(None);
        }
        output.finish().map_err(write_error)?;
        let output = output.into_sink();
        (outcome.read, outcome.written) = (job.len, output.len());
        if let (Some(old), Some(new)) = (old, output.file())
            && let Some(difference) =
                same_text(&old, from, new, to, options, self.plan.newlines).map_err(read_error)?
        {
            let text = format!(
                "{}: not converted: the new text would not be the old one: {difference}",
                outcome.name
            );
            outcome.reporter.say(&text);
            outcome.ended = Ended::Stopped;
            return Ok(None);
        }
        outcome.ended = match already {
            Some(already) => already,
            None if output.is_unchanged() => Ended::Unchanged,
            None => Ended::Converted { from: from.name(), to: to.name() },
        };
        output.prepare(self.batch.sync).map_err(write_error)
    }

    fn open(&self, job: &Job) -> io::Result<Open> {
        let is_dry = self.batch.dry_run;
        match &job.output {
            Err(why) => Err(io::Error::other(why.clone())),
            Ok(Output::InPlace(how)) => open_in_place(job.path(), how, is_dry),
            Ok(Output::File(to)) => open_to(job.path(), to, is_dry),
        }
    }

    /// Whether a file is left as it is, since it is not what it is said to be.
    fn passes_over(&self, job: &Job, opened: &Opened, outcome: &mut Outcome) -> io::Result<Option<Ended>> {
        let may_be_done = !self.batch.again;
        let Plan { from, to, .. } = self.plan;
        // What was found out is what it is.
        let Some(from) = from.filter(|_| job.is_met || may_be_done) else { return Ok(None) };
        let mut head = [0; sniff::HEAD];
        let len = fill_at(opened.file(), &mut head, 0)?;
        let head = &head[..len];
        let sniffed = sniff::sniff(head, from);
        Ok(match sniffed {
            Sniffed::Looks { like, .. } if may_be_done && is_what(like, to) => {
                Some(Ended::Already(to.name()))
            }
            Sniffed::Looks { like, .. } if job.is_met => {
                let text = format!(
                    "{}: looks like {}, not {}: not converted; named on the command line, it is",
                    outcome.name,
                    like.name(),
                    from.name()
                );
                outcome.reporter.say(&text);
                Some(Ended::Stopped)
            }
            Sniffed::Binary { .. } if job.is_met => Some(Ended::Binary),
            _ if may_be_done && is_utf8_already(opened.file(), head, from, to)? => {
                Some(Ended::Already(to.name()))
            }
            _ => None,
        })
    }
}

enum Failure {
    /// It may not be converted, or cannot be opened.
    Open(io::Error),
    Stream(StreamError),
}

fn read_error(error: io::Error) -> Failure {
    Failure::Stream(StreamError::Read(error))
}

fn write_error(error: io::Error) -> Failure {
    Failure::Stream(StreamError::Write(error))
}

fn open_in_place(path: &Path, how: &InPlace, is_dry: bool) -> io::Result<Open> {
    let target = FileTarget::to_convert(path, how)?;
    Ok(Open { opened: target.source()?, output: Product::in_place(target, is_dry) })
}

fn open_to(path: &Path, to: &Path, is_dry: bool) -> io::Result<Open> {
    // Before it is opened: to open a device or a pipe may already do something.
    let metadata = fs::metadata(path)?;
    if !metadata.is_dir() && !metadata.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    let opened = Input::new(path.into()).open()?;
    if is_dry {
        return Ok(Open { opened, output: Product::counted() });
    }
    let told = |error: io::Error| {
        io::Error::new(error.kind(), format!("{}: {}", quoted(to.as_os_str()), reason(&error)))
    };
    let output = || match fs::metadata(to) {
        // To open a pipe would wait for its other end.
        Ok(there) if !there.is_dir() && !there.is_file() => Err(io::Error::other("not a regular file")),
        _ => match Target::find(to)? {
            Target::File(target) => Product::new(target.with_mode_of(&metadata)),
            Target::Device(_) => Err(io::Error::other("not a regular file")),
        },
    };
    fs::create_dir_all(to.parent().unwrap_or(to))
        .and_then(|()| output())
        .map_err(told)
        .map(|output| Open { opened, output })
}

/// Whether a text that was found to be in `found` is in `encoding`.
fn is_what(found: &Encoding, encoding: &Encoding) -> bool {
    let schemes: &[&Encoding] = match encoding {
        _ if encoding == &UTF_16 => &[&UTF_16LE, &UTF_16BE],
        _ if encoding == &UTF_32 => &[&UTF_32LE, &UTF_32BE],
        _ => &[],
    };
    found == encoding || schemes.contains(&found)
}

/// Whether `file`, which begins with `head` and is to be converted to UTF-8, is that and more than ASCII, which no text of
/// these encodings is but by rare chance.
fn is_utf8_already(file: &File, head: &[u8], from: &Encoding, to: &Encoding) -> io::Result<bool> {
    /// Their texts are in UTF-8 what they are, or at fault.
    const RELATIVES: [&Encoding; 7] = [&UTF_8, &CESU_8, &MUTF_8, &WTF_8, &UTF_8_2279, &UTF_7, &US_ASCII];
    if to != &UTF_8 || from.unit() > 1 || RELATIVES.contains(&from) {
        return Ok(false);
    }
    let (mut bytes, mut offset) = (head.to_vec(), head.len() as u64);
    let mut is_ended = head.len() < sniff::HEAD;
    let mut is_ascii = from.is_ascii_compatible();
    loop {
        is_ascii = is_ascii && bytes.is_ascii();
        let rest = utf8_well_formed_up_to(&bytes)..bytes.len();
        // The end of what was read may cut a sequence.
        if is_ended || rest.len() > 3 {
            return Ok(rest.is_empty() && !is_ascii);
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
