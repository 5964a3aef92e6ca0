//! The journal: the planned renames of a run, on the disk before the first one.
//!
//! It is text. The first line has the version, the second one the directory. Then come the directories below it, each
//! with the number of its parent, and the steps, directory by directory. The last line has their number and a checksum.
//! No line is added while the run works: whether a step is done is seen in the directory. A run that ends removes its
//! journal, or adds a line if a user named it.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use super::job::{Directory, Job, Step, StepKind};
use super::name::to_name;
use crate::files::checksum::checksum;
use crate::files::identity::Identity;
use crate::files::open_directory::{Access, DirectoryEntry};
use crate::files::run_files::{self, JOURNAL};
use crate::files::system;
use crate::ui::percent;
use crate::ui::quote::quoted;

/// The longest journal that is read, in bytes.
const LONGEST: u64 = 1 << 30;

/// A journal that is locked for this process.
pub struct Journal {
    entry: DirectoryEntry,
    file: File,
    /// A user named it: it stays.
    is_named: bool,
}

/// A journal that was found.
pub struct FoundJournal {
    pub journal: Journal,
    /// None if the process that wrote it ended before it was complete: nothing was renamed.
    pub run: Option<RecordedRun>,
}

/// The content of a journal.
pub struct RecordedRun {
    pub root: RootRecord,
    pub job: Job,
    pub state: Recorded,
}

/// Whether the run has ended, as far as a journal shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded {
    Unfinished,
    Done,
    Undone,
}

/// The directory that a journal is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootRecord {
    identity: String,
    path: Vec<u8>,
}

impl RootRecord {
    /// That of a directory as it is.
    pub fn of(identity: &Identity, path: &Path) -> RootRecord {
        let identity = format!("{}:{}", identity.device, identity.file);
        let path = path.canonicalize().unwrap_or_default();
        RootRecord { identity, path: path.as_os_str().as_encoded_bytes().to_vec() }
    }

    /// Whether both are of one directory, which may have been moved, or be on a disk that was connected again.
    pub fn is_same(&self, other: &RootRecord) -> bool {
        self.path == other.path || self.identity == other.identity
    }
}

impl Journal {
    /// Writes the journal of a job, to stay through a power cut. Fails if there is a file of that name.
    pub fn create(
        entry: DirectoryEntry,
        root: &RootRecord,
        job: &Job,
        is_named: bool,
    ) -> io::Result<Journal> {
        let file = entry.open(Access::Create(0o600))?;
        // Another run may have taken it for one that was left, and may have removed it.
        if !lock(&entry, &file)? {
            return Err(busy());
        }
        run_files::refuse_fixed_permissions(&entry, &file)?;
        let mut journal = Journal { entry, file, is_named };
        let written = journal
            .file
            .write_all(text(root, job).as_bytes())
            .and_then(|()| journal.file.sync_all())
            .and_then(|()| journal.entry.directory().sync());
        match written {
            Ok(()) => Ok(journal),
            Err(error) => {
                let _ = journal.entry.remove();
                Err(error)
            }
        }
    }

    /// Opens and reads a journal; None if there is none. One that is not the user's own is an error.
    pub fn open(entry: DirectoryEntry, is_named: bool) -> io::Result<Option<FoundJournal>> {
        let advice = "; inspect it, then delete it";
        let file = loop {
            match run_files::open(&entry, Access::ReadWrite, "journal", advice) {
                Ok(file) if lock(&entry, &file)? => break file,
                // Another run has ended since, and there may be the journal of a third one.
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(error),
            }
        };
        let mut bytes = Vec::new();
        (&file).take(LONGEST + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > LONGEST {
            return Err(io::Error::other("is too long for a journal"));
        }
        let run = parse(&bytes).map_err(|why| io::Error::other(format!("is not a journal: {why}")))?;
        Ok(Some(FoundJournal { journal: Journal { entry, file, is_named }, run }))
    }

    /// Ends a run: removes the journal, or records the end if a user named it.
    pub fn finish(mut self, state: Recorded) -> io::Result<()> {
        if !self.is_named {
            self.entry.remove()?;
            return self.entry.directory().sync();
        }
        let line: &[u8] = match state {
            Recorded::Done => b"done\n",
            Recorded::Undone => b"undone\n",
            Recorded::Unfinished => return Ok(()),
        };
        // It was read to its end, or written.
        self.file.write_all(line)?;
        self.file.sync_all()
    }

    /// Removes the journal of a run that has renamed nothing.
    pub fn discard(self) -> io::Result<()> {
        self.entry.remove()
    }

    /// Its path, for messages.
    pub fn shown(&self) -> String {
        quoted(self.entry.path().as_os_str())
    }
}

/// Locks a journal for this process. False if its name leads to another file by now, or to none.
fn lock(entry: &DirectoryEntry, file: &File) -> io::Result<bool> {
    if let Err(TryLockError::WouldBlock) = file.try_lock() {
        return Err(busy());
    }
    match entry.metadata() {
        Ok(named) => Ok(system::is_same(&file.metadata()?, &named) != Some(false)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

fn busy() -> io::Error {
    io::Error::other("another utfconv is renaming files here")
}

fn text(root: &RootRecord, job: &Job) -> String {
    let mut text = format!("{JOURNAL}\nroot {} {}\n", root.identity, escaped(&root.path, true));
    // Writing to a String cannot fail.
    for directory in &job.directories {
        if let Some(above) = directory.above {
            let _ = writeln!(text, "directory {above} {}", word(&directory.name));
        }
    }
    let mut current = None;
    for step in &job.steps {
        if current != Some(step.directory) {
            current = Some(step.directory);
            let _ = writeln!(text, "in {}", step.directory);
        }
        let (old, new) = (word(&step.old), word(&step.new));
        let _ = match &step.kind {
            StepKind::Rename => writeln!(text, "rename {} {old} {new}", step.inode),
            StepKind::Respell => writeln!(text, "respell {} {old} {new}", step.inode),
            StepKind::Retarget(link) => writeln!(text, "link {} {} {old} {new}", step.inode, word(link)),
        };
    }
    let _ = writeln!(text, "end {} {:016x}", job.steps.len(), checksum(text.as_bytes()));
    text
}

fn word(name: &OsStr) -> String {
    escaped(name.as_encoded_bytes(), false)
}

/// Spells out all bytes but those that are plain in every encoding.
fn escaped(bytes: &[u8], is_path: bool) -> String {
    percent::encoded(bytes, |scalar| {
        scalar.is_ascii_alphanumeric() || matches!(scalar, '.' | '_' | '-') || is_path && scalar == '/'
    })
}

/// Reads a journal. Nothing in it can lead out of its directory.
fn parse(bytes: &[u8]) -> Result<Option<RecordedRun>, String> {
    let version = format!("{JOURNAL}\n");
    if !bytes.starts_with(version.as_bytes()) {
        return if version.as_bytes().starts_with(bytes) {
            Ok(None)
        } else {
            Err("its first line is wrong".to_string())
        };
    }
    let text = std::str::from_utf8(bytes).map_err(|_| "it is not text".to_string())?;
    let (mut job, mut current) = (Job::new(PathBuf::new()), None);
    let (mut root, mut at, mut state) = (None, version.len(), None);
    for (number, line) in text[at..].split_inclusive('\n').enumerate() {
        let wrong = || format!("line {} is invalid", number + 2);
        let Some(whole) = line.strip_suffix('\n') else {
            // The last line is cut.
            return if state.is_none() { Ok(None) } else { Err(wrong()) };
        };
        let words: Vec<_> = whole.split(' ').collect();
        match (words.as_slice(), state) {
            (["done"], Some(_)) => state = Some(Recorded::Done),
            (["undone"], Some(_)) => state = Some(Recorded::Undone),
            (["root", identity, path], None) if root.is_none() => {
                let path = percent::decoded(path).ok_or_else(wrong)?;
                root = Some(RootRecord { identity: (*identity).to_string(), path });
            }
            (["end", count, sum], None) => {
                let is_right = count.parse() == Ok(job.steps.len())
                    && *sum == format!("{:016x}", checksum(&bytes[..at]));
                state = Some(Recorded::Unfinished).filter(|_| is_right && root.is_some());
                state.ok_or("its checksum is wrong")?;
            }
            (words, None) if root.is_some() => add_line(&mut job, &mut current, words).ok_or_else(wrong)?,
            _ => return Err(wrong()),
        }
        at += line.len();
    }
    Ok(root.zip(state).map(|(root, state)| RecordedRun { root, job, state }))
}

/// Adds what a line has to a job. `current` is the directory of the steps that follow.
fn add_line(job: &mut Job, current: &mut Option<usize>, words: &[&str]) -> Option<()> {
    let number = |word: &str| word.parse().ok().filter(|number| *number < job.directories.len());
    let (inode, old, new, kind) = match words {
        ["directory", above, directory] if job.steps.is_empty() => {
            let directory = Directory { above: Some(number(above)?), name: name(directory)? };
            job.directories.push(directory);
            return Some(());
        }
        ["in", directory] => {
            *current = Some(number(directory)?);
            return Some(());
        }
        ["rename", inode, old, new] => (inode, name(old)?, name(new)?, StepKind::Rename),
        ["respell", inode, old, new] => (inode, name(old)?, name(new)?, StepKind::Respell),
        ["link", inode, link, old, new] => {
            (inode, target(old)?, target(new)?, StepKind::Retarget(name(link)?))
        }
        _ => return None,
    };
    let (directory, inode) = ((*current)?, inode.parse().ok()?);
    job.steps.push(Step { directory, inode, encoding: "", old, new, kind });
    Some(())
}

/// Returns the target of a link.
fn target(word: &str) -> Option<OsString> {
    to_name(percent::decoded(word).filter(|target| !target.contains(&0))?).ok()
}

/// Returns the name of a file in a directory.
fn name(word: &str) -> Option<OsString> {
    let bytes = percent::decoded(word)?;
    let is_plain = !bytes.iter().any(|byte| matches!(byte, 0 | b'/') || cfg!(windows) && *byte == b'\\');
    let is_one = ![&b""[..], b".", b".."].contains(&bytes.as_slice());
    to_name(bytes).ok().filter(|_| is_plain && is_one)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job() -> Job {
        let step = |directory, inode, kind, old: &str, new: &str| Step {
            directory,
            inode,
            encoding: "",
            old: old.into(),
            new: new.into(),
            kind,
        };
        let below = |above, name: &str| Directory { above: Some(above), name: name.into() };
        Job {
            path: "".into(),
            directories: vec![Directory::default(), below(0, "a"), below(1, "b c")],
            steps: vec![
                step(2, 7, StepKind::Rename, "ä%", "\n"),
                step(2, 8, StepKind::Retarget("l".into()), "../ä b", "/x"),
                step(0, 9, StepKind::Rename, "a", "z"),
            ],
        }
    }

    fn root() -> RootRecord {
        RootRecord { identity: "1:2".to_string(), path: b"/some dir".to_vec() }
    }

    #[test]
    fn what_is_written_is_read() {
        let written = text(&root(), &job());
        for (end, expected) in
            [("", Recorded::Unfinished), ("done\n", Recorded::Done), ("done\nundone\n", Recorded::Undone)]
        {
            let read = parse(format!("{written}{end}").as_bytes());
            let Ok(Some(RecordedRun { root: read_root, job: read, state })) = read else { panic!("{end}") };
            assert_eq!((read_root, read, state), (root(), job(), expected));
        }
    }

    #[test]
    fn one_that_was_cut_is_incomplete() {
        let written = text(&root(), &job());
        for len in 0..written.len() {
            assert!(matches!(parse(&written.as_bytes()[..len]), Ok(None)), "{len}");
        }
    }

    #[test]
    fn others_are_refused() {
        let written = text(&root(), &job());
        // Any byte that is another one.
        for at in 0..written.len() {
            let mut bytes = written.clone().into_bytes();
            bytes[at] ^= 1;
            assert!(!matches!(parse(&bytes), Ok(Some(_))), "{at}");
        }
        for line in [
            "in ..",
            "in 1",
            "in -1",
            "in 0 a",
            "directory 1 a",
            "directory 0 ..",
            "directory 0 a/../b",
            "directory 0 /a",
            "directory 0 a//b",
            "directory 0 %2Fa",
            "directory 0 a%00",
            "directory 0",
            "rename 1 a ..",
            "rename 1 a%2Fb c",
            "rename 1 a",
            "rename x a b",
            "link 1 .. a b",
            "respell 1 a %",
            "in a%+1",
            "rename 1 a b c",
            "remove 1 a",
            "root 1:2 /",
        ] {
            let text = format!("{JOURNAL}\nroot 1:2 /\nin 0\n{line}\n");
            let steps = u8::from(!["in", "di", "ro"].contains(&&line[..2]));
            let text = format!("{text}end {steps} {:016x}\n", checksum(text.as_bytes()));
            assert!(parse(text.as_bytes()).is_err(), "{line}");
        }
        for text in ["hello\n", "utfconv-names 2\nroot 1:2 /\n", ""] {
            assert_eq!(parse(text.as_bytes()).is_err(), !text.is_empty(), "{text}");
        }
    }
}
