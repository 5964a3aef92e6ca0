//! Files converted in place: each is replaced as a whole by what becomes of it, or stays as it is to the last bit.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use utfconv::{StreamError, Transcoder};

use super::exit::Exit;
use super::message::{Reporter, quoted, reason};
use super::plan::Plan;
use super::replace::{FileTarget, InPlace, Replacement};
use super::run::{Converted, convert, warn};
use super::source::Mapping;
use super::stdio::Patient;

/// Converts every input of `plan` to itself; says all there is to say. What is wrong with one does not stop the others.
pub fn run(plan: &Plan, how: &InPlace) -> Exit {
    let who = plan.personality;
    warn(plan);
    let mut reporter = Reporter::new(plan);
    let mut exit = Exit::Success;
    let mut done = Done::default();
    if how.backup.is_some() {
        done.inputs =
            plan.inputs.iter().filter_map(|input| Path::new(input.name()).canonicalize().ok()).collect();
    }
    for input in &plan.inputs {
        let name = input.shown();
        if plan.verbose {
            who.opens(&name);
        }
        match one(plan, how, &mut done, input.name(), &name, &mut reporter) {
            Ok(Ended::Done) => {}
            Ok(Ended::Stopped) => exit = exit.max(Exit::Fault),
            Err(Failure::Open(error)) => {
                who.say(&who.no_input(&name, &error));
                exit = exit.max(Exit::Trouble);
            }
            Err(Failure::Stream(StreamError::Read(error))) => {
                who.say(&who.read_error(&name, &error));
                exit = exit.max(Exit::Trouble);
            }
            Err(Failure::Stream(StreamError::Write(error))) => {
                who.say(&format!("{name}: {}", reason(&error)));
                exit = exit.max(Exit::Trouble);
            }
        }
    }
    reporter.summary(&plan.options.policy);
    exit.max(if reporter.has_lost() { Exit::Fault } else { Exit::Success })
}

/// How the conversion of a file ended.
enum Ended {
    Done,
    /// At a fault, which was told.
    Stopped,
}

enum Failure {
    /// It may not be converted in place, or cannot be opened.
    Open(io::Error),
    Stream(StreamError),
}

fn one(
    plan: &Plan,
    how: &InPlace,
    done: &mut Done,
    path: &OsStr,
    name: &str,
    reporter: &mut Reporter,
) -> Result<Ended, Failure> {
    let target = FileTarget::to_convert(Path::new(path), how).map_err(Failure::Open)?;
    if !done.is_new(&target) {
        let text = "this run has converted it already; to convert it twice would damage it";
        return Err(Failure::Open(io::Error::other(text)));
    }
    if let Some(copy) = target.backup().filter(|copy| done.inputs.contains(copy)) {
        let text =
            format!("its copy would overwrite {}, which is to be converted too", quoted(copy.as_os_str()));
        return Err(Failure::Open(io::Error::other(text)));
    }
    let opened = target.source().map_err(Failure::Open)?;
    let mut sink = Rewrite::new(target);
    let transcoder = Transcoder::new(plan.from, plan.to, plan.options.clone());
    let Converted { result, stopped, is_at_end } =
        convert(plan, opened, Mapping::Never, name, &mut sink, transcoder, reporter);
    result.map_err(Failure::Stream)?;
    if let Some(fault) = stopped {
        reporter.stopped(name, &fault, is_at_end, &plan.options.policy);
        return Ok(Ended::Stopped);
    }
    sink.commit().map_err(|error| Failure::Stream(StreamError::Write(error)))?;
    Ok(Ended::Done)
}

/// The files of this run, and the copies that it makes of old ones: nothing is converted twice.
#[derive(Default)]
struct Done {
    paths: HashSet<PathBuf>,
    /// All that are to be converted, where copies are made.
    inputs: HashSet<PathBuf>,
    /// Of those with several names.
    inodes: HashSet<(u64, u64)>,
}

impl Done {
    /// Whether this run has not yet come across it.
    fn is_new(&mut self, target: &FileTarget) -> bool {
        self.paths.insert(target.path().to_path_buf())
            && target.inode().is_none_or(|inode| self.inodes.insert(inode))
    }
}

/// What becomes of a file. Nothing is written as long as it is what the file holds already.
struct Rewrite {
    state: State,
    /// How many bytes are as they were.
    same: u64,
    /// The old bytes that were looked at last.
    old: Vec<u8>,
}

#[allow(clippy::large_enum_variant)] // there is one at a time
enum State {
    Same(FileTarget),
    Different(Patient, Replacement),
    /// An earlier write failed.
    Failed,
}

fn failed_before() -> io::Error {
    io::Error::other("an earlier write failed")
}

/// Old bytes that are compared at a time, at most.
const WINDOW: usize = 64 << 10;

impl Rewrite {
    fn new(target: FileTarget) -> Rewrite {
        Rewrite { state: State::Same(target), same: 0, old: Vec::new() }
    }

    /// Begins to write, with what was the same so far.
    fn begin(&mut self) -> io::Result<()> {
        let State::Same(target) = std::mem::replace(&mut self.state, State::Failed) else {
            return Err(failed_before());
        };
        let (file, replacement) = Replacement::new(target)?;
        let mut file = Patient(file);
        let mut copied = 0;
        self.old.resize(WINDOW, 0);
        while copied < self.same {
            let len = (self.same - copied).min(WINDOW as u64) as usize;
            if replacement.read(&mut self.old[..len], copied)? < len {
                return Err(io::Error::other("the file has become shorter while it was converted"));
            }
            file.write_all(&self.old[..len])?;
            copied += len as u64;
        }
        self.state = State::Different(file, replacement);
        Ok(())
    }

    /// Puts the output in the place of the file, unless it is what that holds.
    fn commit(mut self) -> io::Result<()> {
        if matches!(&self.state, State::Same(target) if target.len() == Some(self.same)) {
            return Ok(());
        }
        if let State::Same(_) = self.state {
            self.begin()?;
        }
        match self.state {
            State::Different(file, replacement) => replacement.commit(file.0),
            State::Same(_) | State::Failed => Err(failed_before()),
        }
    }
}

impl Write for Rewrite {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        if let State::Same(target) = &self.state {
            let from = &from[..from.len().min(WINDOW)];
            if self.old.len() < from.len() {
                self.old.resize(from.len(), 0);
            }
            let read = target.read(&mut self.old[..from.len()], self.same)?;
            let is_same = |(new, old): &(&u8, &u8)| new == old;
            let same = match self.old[..read] == *from {
                true => read,
                false => from.iter().zip(&self.old[..read]).take_while(is_same).count(),
            };
            self.same += same as u64;
            if same > 0 {
                return Ok(same);
            }
            self.begin()?;
        }
        match &mut self.state {
            State::Different(file, _) => file.write(from),
            State::Same(_) | State::Failed => Err(failed_before()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
