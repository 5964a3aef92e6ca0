//! The files to check: those named, those of lists, and those met in directories.
//!
//! One walk hands out names to all threads. It holds what it stands in, never a whole tree: memory does not grow with the
//! number of files. The report brings them into order.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Result, anyhow};
use ignore::{Walk, WalkBuilder};

use super::report::{Key, Outcome, Report};
use crate::cli::message::{one_line, quoted, reason};
use crate::cli::stdio::{self, Patient};

/// Where names come from, and which are met.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    /// Files and directories; `-` is standard input.
    pub paths: Vec<OsString>,
    /// Lists of such, in files: the name, and the byte that ends an entry.
    pub lists: Vec<(OsString, u8)>,
    /// The name of standard input in the report.
    pub stdin_name: Option<OsString>,
    /// Hidden files are met too.
    pub hidden: bool,
    /// What .gitignore and its like say does not count.
    pub no_ignore: bool,
}

impl Targets {
    /// Whether this is one file and no directory.
    pub fn is_one_file(&self) -> bool {
        match &self.paths[..] {
            [path] => self.lists.is_empty() && !Path::new(path).is_dir(),
            _ => false,
        }
    }
}

/// A file to check.
#[derive(Debug)]
pub struct Target {
    /// The number of the argument that led to it.
    argument: u64,
    /// Its name for the system; `-` is standard input.
    pub path: PathBuf,
    /// Whether it was named, and not met in a directory.
    pub is_named: bool,
    /// What standard input is called.
    stdin_name: Option<OsString>,
}

impl Target {
    /// The name that it goes by.
    pub fn name(&self) -> &Path {
        self.stdin_name.as_deref().map_or(&self.path, Path::new)
    }

    /// Its place in the report.
    pub fn key(&self) -> Key {
        // What was found under `.` needs no `./`.
        let name = self.name();
        let short = name.strip_prefix("./").ok().filter(|short| !short.as_os_str().is_empty());
        Key { argument: self.argument, name: short.unwrap_or(name).into() }
    }

    pub fn is_stdin(&self) -> bool {
        self.is_named && self.path == Path::new("-")
    }
}

/// What the walk comes upon.
#[derive(Debug)]
enum Met {
    File(Target),
    /// A file or directory that cannot be read, and why.
    Unreadable(Key, String),
    /// Something else that the user has to know; it is trouble.
    Trouble(String),
    /// The same, and no trouble.
    Warning(String),
}

/// Hands out the files to check, some at a time.
pub struct Supply {
    names: Mutex<Names>,
    /// What was taken from the walk beforehand, so that nobody has to wait for it.
    ready: Mutex<Vec<Vec<Target>>>,
}

impl Supply {
    /// Files in a batch.
    const SEVERAL: usize = 32;
    /// Batches that are to be ready: fewer, and whoever comes for one walks on; so many, and that is enough.
    const LOW: usize = 2;
    const ENOUGH: usize = 6;

    pub fn new(targets: &Targets) -> Supply {
        Supply { names: Mutex::new(Names::new(targets.clone())), ready: Mutex::default() }
    }

    /// The next files; none if there are no more. What else is come upon goes into the report.
    pub fn take(&self, report: &mut Report) -> Vec<Target> {
        let (batch, left) = self.pop();
        let names = match (&batch, self.names.try_lock()) {
            (Some(_), _) if left >= Self::LOW => None,
            (Some(_), Err(_)) => None,
            // There is nothing to do but to wait for who is walking.
            (None, Err(_)) => Some(lock(&self.names)),
            (_, Ok(names)) => Some(names),
        };
        let Some(mut names) = names else { return batch.unwrap_or_default() };
        while lock(&self.ready).len() < Self::ENOUGH {
            let more = Self::batch(&mut names, report);
            // Files that are named may be few and large: one at a time is enough.
            let is_enough = more.last().is_none_or(|target| target.is_named);
            if !more.is_empty() {
                lock(&self.ready).push(more);
            }
            if is_enough {
                break;
            }
        }
        drop(names);
        batch.or_else(|| self.pop().0).unwrap_or_default()
    }

    /// A batch that is ready, and how many more are.
    fn pop(&self) -> (Option<Vec<Target>>, usize) {
        let mut ready = lock(&self.ready);
        (ready.pop(), ready.len())
    }

    fn batch(names: &mut Names, report: &mut Report) -> Vec<Target> {
        let mut batch = Vec::new();
        for met in names {
            match met {
                Met::File(target) => {
                    let is_enough = target.is_named || batch.len() + 1 == Self::SEVERAL;
                    batch.push(target);
                    if is_enough {
                        break;
                    }
                }
                Met::Unreadable(key, reason) => {
                    report.add(|| key, Some(Outcome::Unreadable(reason)), 0, false);
                }
                Met::Trouble(text) => _ = report.troubles.insert(text),
                Met::Warning(text) => _ = report.warnings.insert(text),
            }
        }
        batch
    }
}

/// A lock that is held after a panic too: there the process has ended.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The walk.
struct Names {
    targets: Targets,
    arguments: Box<dyn Iterator<Item = Result<OsString>> + Send>,
    /// The number of the argument that is walked.
    number: u64,
    walk: Option<Walk>,
    /// The directory that is walked.
    root: PathBuf,
}

impl Names {
    fn new(targets: Targets) -> Names {
        let named = targets.paths.clone().into_iter().map(Ok);
        let listed = targets.lists.clone().into_iter().flat_map(|(name, end)| {
            let (list, error) = match List::open(&name, end) {
                Ok(list) => (Some(list), None),
                Err(error) => (None, Some(Err(error))),
            };
            error.into_iter().chain(list.into_iter().flatten())
        });
        Names {
            arguments: Box::new(named.chain(listed)),
            number: 0,
            walk: None,
            root: PathBuf::new(),
            targets,
        }
    }

    fn target(&self, path: PathBuf, is_named: bool) -> Target {
        Target { argument: self.number, path, is_named, stdin_name: None }
    }

    /// What an argument is.
    fn begin(&mut self, argument: OsString) -> Option<Met> {
        self.number += 1;
        if argument == "-" {
            let stdin_name = self.targets.stdin_name.clone();
            return Some(Met::File(Target { stdin_name, ..self.target(argument.into(), true) }));
        }
        let path = PathBuf::from(argument);
        match std::fs::metadata(&path) {
            Err(error) => Some(Met::Unreadable(self.target(path, true).key(), reason(&error))),
            Ok(metadata) if metadata.is_dir() => {
                let filters = !self.targets.no_ignore;
                // A link that was named is followed; those met are not.
                let root = match path.is_symlink() {
                    true => path.join(""),
                    false => path,
                };
                self.root.clone_from(&root);
                let walk = WalkBuilder::new(root)
                    .standard_filters(filters)
                    .hidden(!self.targets.hidden)
                    .filter_entry(|entry| entry.depth() == 0 || entry.file_name() != ".git")
                    .build();
                self.walk = Some(walk);
                None
            }
            Ok(_) => Some(Met::File(self.target(path, true))),
        }
    }

    /// What an entry of a directory is; None for what is not checked.
    fn meet(&mut self, entry: Result<ignore::DirEntry, ignore::Error>) -> Option<Met> {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let (path, reason) = told(&error);
                return Some(match path {
                    Some(path) => Met::Unreadable(self.target(path.into(), false).key(), reason),
                    None => {
                        let root = self.target(self.root.clone(), true);
                        Met::Unreadable(root.key(), format!("a directory in it: {reason}"))
                    }
                });
            }
        };
        if let Some(error) = entry.error() {
            return Some(Met::Warning(one_line(&error.to_string()).into_owned()));
        }
        if !entry.file_type().is_some_and(|kind| kind.is_file()) {
            return None;
        }
        Some(Met::File(self.target(entry.into_path(), false)))
    }
}

impl Iterator for Names {
    type Item = Met;

    fn next(&mut self) -> Option<Met> {
        loop {
            let met = match &mut self.walk {
                Some(walk) => match walk.next() {
                    Some(entry) => self.meet(entry),
                    None => {
                        self.walk = None;
                        None
                    }
                },
                None => match self.arguments.next()? {
                    Ok(argument) => self.begin(argument),
                    Err(error) => Some(Met::Trouble(format!("{error:#}"))),
                },
            };
            if met.is_some() {
                return met;
            }
        }
    }
}

/// The path that an error of the walk is about, and what the system says.
fn told(error: &ignore::Error) -> (Option<&Path>, String) {
    match error {
        ignore::Error::WithPath { path, err } => (Some(path), told(err).1),
        ignore::Error::WithDepth { err, .. } => told(err),
        ignore::Error::Io(error) => {
            // The system's word is wrapped in that of the walker, which tells the path again.
            let mut inner: &dyn std::error::Error = error;
            while let Some(source) = inner.source() {
                inner = source;
            }
            (None, inner.downcast_ref().map_or_else(|| inner.to_string(), reason))
        }
        error => (None, one_line(&error.to_string()).into_owned()),
    }
}

/// A list of names in a file.
struct List {
    /// The name of the list in messages.
    shown: String,
    reader: BufReader<Patient>,
    /// The byte that ends an entry.
    end: u8,
    /// Entries so far.
    number: u64,
    /// Nothing sensible follows.
    is_broken: bool,
}

impl List {
    /// No system takes longer names.
    const LONGEST: u64 = 1 << 16;

    fn open(name: &OsStr, end: u8) -> Result<List> {
        let shown = quoted(name);
        let opened = if name == "-" { stdio::stdin() } else { File::open(name).map(Patient) };
        let file = opened.map_err(|error| anyhow!("{shown}: {}", reason(&error)))?;
        Ok(List { shown, reader: BufReader::new(file), end, number: 0, is_broken: false })
    }
}

impl Iterator for List {
    type Item = Result<OsString>;

    fn next(&mut self) -> Option<Result<OsString>> {
        if self.is_broken {
            return None;
        }
        self.number += 1;
        let List { shown, number, .. } = self;
        let mut entry = Vec::new();
        let read = self.reader.by_ref().take(Self::LONGEST).read_until(self.end, &mut entry);
        let is_ended = entry.pop_if(|last| *last == self.end).is_some();
        if self.end == b'\n' {
            entry.pop_if(|last| *last == b'\r');
        }
        let why = match read {
            Ok(0) => return None,
            Ok(count) if !is_ended && count as u64 == Self::LONGEST => {
                self.is_broken = true;
                format!("{shown}: entry {number} is too long for a name")
            }
            Ok(_) if entry.is_empty() => format!("{shown}: entry {number} is empty"),
            Ok(_) if entry.contains(&0) => {
                self.is_broken = true;
                format!("{shown}: entry {number} contains a NUL; --files0-from reads such lists")
            }
            Ok(_) => match name_of(entry) {
                Some(name) => return Some(Ok(name)),
                None => format!("{shown}: entry {number} is not UTF-8"),
            },
            Err(error) => {
                self.is_broken = true;
                format!("{shown}: {}", reason(&error))
            }
        };
        Some(Err(anyhow!(why)))
    }
}

/// The name that an entry of a list is; None if the system has no such names.
fn name_of(entry: Vec<u8>) -> Option<OsString> {
    #[cfg(unix)]
    return Some(std::os::unix::ffi::OsStringExt::from_vec(entry));
    #[cfg(not(unix))]
    String::from_utf8(entry).map(OsString::from).ok()
}
