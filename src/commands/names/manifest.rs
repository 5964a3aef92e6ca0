//! The manifest of a run: all planned renames, on disk before the first rename.
//!
//! ```text
//! {"type":"manifest","of":"utfconv names","version":1}
//! {"type":"root","device":1,"inode":2,"path":{"text":"/home/me/Music"}}
//! {"type":"directory","above":0,"name":{"text":"Live"}}
//! {"type":"step","directory":1,"inode":7,"old":{"bytes":"Y2Fm6Q=="},"new":{"text":"café"},"kind":"rename"}
//! {"type":"end","length":290,"sha1":"..."}
//! {"type":"done"}
//! ```
//!
//! Directories are numbered from 0, the root, in the order of their lines; `above` is the number of the parent. The
//! `end` line has the length and SHA-1 of all lines before it; if it is missing, nothing was renamed. No line is
//! written per step, because the directory itself shows which steps are done. A run that ends removes its manifest; if
//! a user named the manifest, a `done` or `undone` line is appended instead.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::iter::once;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::job::{Directory, Job, Step, StepKind};
use super::rename::Direction;
use crate::batch::record::{
    Digest, Hasher, NAMES, first_line, name, not_a_manifest, parse, read_command, read_line, with_advice,
};
use crate::files::identity::Identity;
use crate::files::open_directory::DirectoryEntry;
use crate::files::run_files;
use crate::ui::json::to_json;
use crate::ui::quote::quoted;

/// A manifest that this process has locked.
pub struct Manifest {
    entry: DirectoryEntry,
    file: File,
    /// Whether a user named the manifest, so that it is kept.
    is_named: bool,
}

/// A manifest that was on disk.
pub struct FoundManifest {
    pub manifest: Manifest,
    /// `None` if the manifest is incomplete, because the run was killed before it renamed anything.
    pub run: Option<RecordedRun>,
}

/// The content of a manifest.
pub struct RecordedRun {
    pub root: RootRecord,
    pub job: Job,
    pub state: Recorded,
}

/// Whether the run has ended, according to its manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded {
    Unfinished,
    Done,
    Undone,
}

/// A line of the manifest after the first line.
#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line {
    Root(RootRecord),
    Directory(Directory),
    Step(Step),
    End(Digest),
    Done,
    Undone,
}

/// The directory that a manifest is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RootRecord {
    device: u64,
    inode: u64,
    #[serde(with = "name")]
    pub path: OsString,
}

impl RootRecord {
    /// Records the current identity and path of a directory.
    pub fn of(identity: &Identity, path: &Path) -> RootRecord {
        let path = path.canonicalize().unwrap_or_default();
        RootRecord { device: identity.device, inode: identity.file, path: path.into() }
    }

    /// True if both records are of the same directory. Either the path or the identity must match, because the
    /// directory may have been moved, or its disk reconnected.
    pub fn is_same(&self, other: &RootRecord) -> bool {
        self.path == other.path || (self.device, self.inode) == (other.device, other.inode)
    }
}

impl Manifest {
    /// Writes the manifest of `job` and syncs it to disk. Fails if the file exists.
    pub fn create(
        entry: DirectoryEntry,
        root: RootRecord,
        job: &Job,
        is_named: bool,
    ) -> io::Result<Manifest> {
        let file = run_files::create(&entry)?;
        let mut manifest = Manifest { entry, file, is_named };
        let written = manifest
            .file
            .write_all(text(root, job).as_bytes())
            .and_then(|()| manifest.file.sync_all())
            .and_then(|()| manifest.entry.directory().sync());
        match written {
            Ok(()) => Ok(manifest),
            Err(error) => {
                let _ = manifest.entry.remove();
                Err(error)
            }
        }
    }

    /// Opens, locks and reads a manifest; `None` if the file does not exist. Fails if others could have written the
    /// file.
    pub fn open(entry: DirectoryEntry, is_named: bool) -> io::Result<Option<FoundManifest>> {
        let path = entry.path();
        let advice = if is_named { "nothing is renamed" } else { "inspect it, then delete it" };
        let file = match run_files::open_locked(&entry, &path, &format!("; {advice}")) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            file => file?,
        };
        let run = read(&mut BufReader::new(&file), &run_files::argument(&path))
            .map_err(|error| with_advice(error, advice))?;
        Ok(Some(FoundManifest { manifest: Manifest { entry, file, is_named }, run }))
    }

    /// Ends a run: removes the manifest, or appends a line if a user named it.
    pub fn finish(mut self, direction: Direction) -> io::Result<()> {
        if !self.is_named {
            self.entry.remove()?;
            return self.entry.directory().sync();
        }
        let line = if direction == Direction::Forward { Line::Done } else { Line::Undone };
        // The file offset is at the end, because the manifest was just read or written whole.
        self.file.write_all((to_json(&line) + "\n").as_bytes())?;
        self.file.sync_all()
    }

    /// Removes the manifest of a run that has renamed nothing.
    pub fn discard(self) -> io::Result<()> {
        self.entry.remove()
    }

    /// Returns the quoted path of the manifest, for messages.
    pub fn shown(&self) -> String {
        quoted(self.entry.path())
    }
}

fn text(root: RootRecord, job: &Job) -> String {
    let mut text = first_line(NAMES);
    let mut hasher = Hasher::default();
    let directories = job.directories[1..].iter().cloned().map(Line::Directory);
    let steps = job.steps.iter().cloned().map(Line::Step);
    for line in once(Line::Root(root)).chain(directories).chain(steps) {
        text += &to_json(&line);
        text.push('\n');
    }
    hasher.update(text.as_bytes());
    text + &to_json(&Line::End(hasher.end())) + "\n"
}

/// Parses a manifest; `shown` is its name in suggested commands. Refuses records whose names lead out of the root.
fn read(file: &mut impl BufRead, shown: &str) -> io::Result<Option<RecordedRun>> {
    let mut line = Vec::new();
    match read_command(file, &mut line)? {
        None => return Ok(None),
        Some(command) if command == NAMES => {}
        Some(command) => {
            return Err(io::Error::other(format!(
                "it is a manifest of {command}; 'utfconv --undo={shown}' undoes it"
            )));
        }
    }
    let (mut hasher, mut root, mut state) = (Hasher::default(), None, None);
    let mut job = Job::new(PathBuf::new());
    loop {
        hasher.update(&line);
        read_line(file, &mut line)?;
        if !line.ends_with(b"\n") {
            break;
        }
        match (parse(&line)?, state) {
            (Line::Done, Some(_)) => state = Some(Recorded::Done),
            (Line::Undone, Some(_)) => state = Some(Recorded::Undone),
            (Line::Root(found), None) if root.is_none() => root = Some(found),
            (Line::End(digest), None) if root.is_some() && digest == std::mem::take(&mut hasher).end() => {
                state = Some(Recorded::Unfinished);
            }
            (Line::Directory(directory), None) if root.is_some() && is_valid_directory(&directory, &job) => {
                job.directories.push(directory);
            }
            (Line::Step(step), None) if root.is_some() && is_valid_step(&step, &job) => job.steps.push(step),
            _ => return Err(not_a_manifest()),
        }
    }
    match root.zip(state) {
        // Only `finish` appends a line after the end, in one write. So a partial line is refused, because another
        // program may have written it.
        Some(_) if !line.is_empty() => Err(not_a_manifest()),
        run => Ok(run.map(|(root, state)| RecordedRun { root, job, state })),
    }
}

/// Whether the parent of a directory is in `job`. All directory lines must come before the step lines.
fn is_valid_directory(Directory { above, name }: &Directory, job: &Job) -> bool {
    job.steps.is_empty() && above.is_some_and(|above| above < job.directories.len()) && is_file_name(name)
}

/// Whether a step changes a file in a directory of `job`.
fn is_valid_step(step: &Step, job: &Job) -> bool {
    step.directory < job.directories.len()
        && match &step.kind {
            StepKind::Rename | StepKind::Respell => is_file_name(&step.old) && is_file_name(&step.new),
            StepKind::Retarget(link) => is_file_name(link) && !has_nul(&step.old) && !has_nul(&step.new),
        }
}

/// Whether a name is a single path component other than `.` and `..`, without NUL.
fn is_file_name(name: &OsStr) -> bool {
    Path::new(name).file_name() == Some(name) && !has_nul(name)
}

fn has_nul(name: &OsStr) -> bool {
    name.as_encoded_bytes().contains(&0)
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
        RootRecord { device: 1, inode: 2, path: "/some dir".into() }
    }

    fn parsed(mut bytes: &[u8]) -> io::Result<Option<RecordedRun>> {
        read(&mut bytes, "M")
    }

    #[test]
    fn what_is_written_is_read() {
        let written = text(root(), &job());
        for (end, expected) in [
            ("", Recorded::Unfinished),
            ("{\"type\":\"done\"}\n", Recorded::Done),
            ("{\"type\":\"done\"}\n{\"type\":\"undone\"}\n", Recorded::Undone),
        ] {
            let read = parsed(format!("{written}{end}").as_bytes());
            let Ok(Some(RecordedRun { root: read_root, job: read, state })) = read else { panic!("{end}") };
            assert_eq!((read_root, read, state), (root(), job(), expected));
        }
        assert!(parsed(format!("{written}{{\"type\":\"do").as_bytes()).is_err());
    }

    #[test]
    fn one_that_was_cut_is_incomplete() {
        let written = text(root(), &job());
        for len in 0..written.len() {
            assert!(matches!(parsed(&written.as_bytes()[..len]), Ok(None)), "{len}");
        }
    }

    /// Returns a manifest of `lines`, with a valid checksum.
    fn with_end(lines: &[&str]) -> String {
        let text = first_line(NAMES) + &lines.concat();
        let mut hasher = Hasher::default();
        hasher.update(text.as_bytes());
        format!("{text}{}\n", to_json(&Line::End(hasher.end())))
    }

    #[test]
    fn others_are_refused() {
        let written = text(root(), &job());
        // Flip a bit in each byte.
        for at in 0..written.len() {
            let mut bytes = written.clone().into_bytes();
            bytes[at] ^= 1;
            assert!(!matches!(parsed(&bytes), Ok(Some(_))), "{at}");
        }
        let root = "{\"type\":\"root\",\"device\":1,\"inode\":2,\"path\":{\"text\":\"/\"}}\n";
        let directory = |above: &str, name: &str| {
            format!("{{\"type\":\"directory\",\"above\":{above},\"name\":{{{name}}}}}\n")
        };
        let step = |directory: &str, old: &str, new: &str, kind: &str| {
            format!(
                "{{\"type\":\"step\",\"directory\":{directory},\"inode\":1,\"old\":{{{old}}},\"new\":{{{new}}},\"kind\":{kind}}}\n"
            )
        };
        let (a, b, up) = ("\"text\":\"a\"", "\"text\":\"b\"", "\"text\":\"..\"");
        let (rename, slash, nul) = ("\"rename\"", "\"text\":\"/a\"", "\"text\":\"a\\u0000\"");
        for right in [directory("0", a), step("0", a, b, rename)] {
            assert!(matches!(parsed(with_end(&[root, &right]).as_bytes()), Ok(Some(_))), "{right}");
        }
        for wrong in [
            directory("1", a),
            directory("-1", a),
            directory("null", a),
            directory("0", up),
            directory("0", "\"text\":\"a/../b\""),
            directory("0", slash),
            directory("0", "\"text\":\"a//b\""),
            directory("0", "\"bytes\":\"L2E=\""),
            directory("0", "\"bytes\":\"%\""),
            directory("0", nul),
            directory("0", ""),
            directory("0", "\"text\":\"\""),
            step("1", a, b, rename),
            step("\"..\"", a, b, rename),
            step("0", a, up, rename),
            step("0", "\"text\":\".\"", b, rename),
            step("0", "\"text\":\"a/b\"", b, rename),
            step("0", a, "", rename),
            step("0", a, nul, rename),
            step("0", a, b, "\"remove\""),
            step("0", a, slash, "\"respell\""),
            step("0", a, b, "\"retarget\""),
            step("0", a, b, "{\"retarget\":{\"text\":\"..\"}}"),
            step("0", a, nul, "{\"retarget\":{\"text\":\"l\"}}"),
            step("0", a, b, rename) + &directory("0", a),
            root.to_string(),
        ] {
            assert!(parsed(with_end(&[root, &wrong]).as_bytes()).is_err(), "{wrong}");
        }
        assert!(parsed(with_end(&[&step("0", a, b, rename)]).as_bytes()).is_err(), "without a root");
        let second = first_line(NAMES).replace(":1}", ":2}") + root;
        for text in ["hello\n", &second, &first_line("utfconv repair"), ""] {
            assert_eq!(parsed(text.as_bytes()).is_err(), !text.is_empty(), "{text}");
        }
    }
}
