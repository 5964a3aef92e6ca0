//! Manifests: a run records each change in a manifest before it makes the change, so that the run can be continued or
//! undone.
//!
//! After a failed write, the manifest is truncated to its previous end.

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;

use super::record::{Digest, Encodings, Hasher, NAMES, Record, first_line, read_command, with_advice};
use crate::files::open_directory::{Access, DirectoryEntry, Route};
use crate::files::run_files;
use crate::files::source::Opened;
use crate::files::stdio::{each_chunk, fill_at};
use crate::ui::quote::{quoted, reason, with_context};
use crate::ui::threads::lock;

/// A manifest that is being written.
pub struct Manifest {
    name: OsString,
    file: File,
    state: Mutex<State>,
    earlier: Earlier,
}

struct State {
    /// The length of the manifest up to the end of the last recorded file, in bytes.
    ended: u64,
    /// Whether truncating failed. No line is then added, because it would continue the incomplete line.
    is_broken: bool,
}

/// The records of earlier runs with the same manifest.
#[derive(Default)]
struct Earlier {
    /// The digests of the contents that the runs wrote.
    outputs: HashSet<Digest>,
    /// The digests of the contents before the runs, by the path of the file without `.` components.
    inputs: HashMap<PathBuf, Digest>,
}

impl Manifest {
    /// Creates a manifest for the changes of a command (`of`), or continues the manifest of an earlier run of the
    /// command.
    ///
    /// # Errors
    /// Fails with a message that has the name of the manifest.
    pub fn open(name: &OsStr, of: &str) -> Result<Manifest, String> {
        let opened =
            DirectoryEntry::named(Path::new(name)).and_then(|entry| match run_files::create(&entry) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => Manifest::resume(name, of),
                file => Manifest::begin(name, file?, of, &entry),
            });
        opened.map_err(|error| format!("{}: {}", quoted(name), reason(&error)))
    }

    fn begin(name: &OsStr, mut file: File, of: &str, entry: &DirectoryEntry) -> io::Result<Manifest> {
        let first = first_line(of);
        // The name of the manifest has to be on disk before a file is replaced, like a record.
        let written = file.write_all(first.as_bytes()).and_then(|()| entry.directory().sync());
        if let Err(error) = written {
            let _ = entry.remove();
            return Err(error);
        }
        Ok(Manifest::new(name, file, first.len() as u64, Earlier::default()))
    }

    fn new(name: &OsStr, file: File, ended: u64, earlier: Earlier) -> Manifest {
        Manifest { name: name.into(), file, state: Mutex::new(State { ended, is_broken: false }), earlier }
    }

    fn resume(name: &OsStr, of: &str) -> io::Result<Manifest> {
        let file = run_files::open_locked(&entry_of(Path::new(name))?, Path::new(name), "")?;
        let changed = if of == "utfconv" { "converted" } else { "changed" };
        let nothing = format!("nothing is {changed}; use another name for --manifest");
        let Content { command, files, end, ended } = read(&mut BufReader::new(&file), &nothing)?;
        if end == End::Empty {
            let first = first_line(of);
            cut(&file, 0)?;
            (&file).write_all(first.as_bytes())?;
            return Ok(Manifest::new(name, file, first.len() as u64, Earlier::default()));
        }
        if command != of {
            let why = format!("it is a manifest of {command}; use another name for --manifest");
            return Err(io::Error::other(why));
        }
        let mut earlier = Earlier::default();
        for Recorded { path, input, output, .. } in files {
            earlier.outputs.insert(output);
            earlier.inputs.insert(plain(&path), input);
        }
        cut(&file, ended)?;
        let mut last = [0];
        fill_at(&file, &mut last, ended - 1)?;
        let is_open = last != *b"\n";
        if is_open {
            (&file).write_all(b"\n")?;
        }
        Ok(Manifest::new(name, file, ended + u64::from(is_open), earlier))
    }

    /// Whether an earlier run has already changed an open file.
    ///
    /// # Errors
    /// Fails with a message if the file was changed since that run.
    pub fn is_done(&self, path: &OsStr, opened: &Opened) -> io::Result<bool> {
        let Earlier { outputs, inputs } = &self.earlier;
        if outputs.is_empty() {
            return Ok(false);
        }
        let now = digest(opened.file())?;
        if outputs.contains(&now) {
            return Ok(true);
        }
        match inputs.get(&plain(Path::new(path))) {
            Some(input) if *input != now => Err(io::Error::other(format!(
                "it was changed since the run that {} records; use a new manifest to change it again",
                quoted(&self.name)
            ))),
            _ => Ok(false),
        }
    }

    /// Adds the records that `write` writes; `write` returns their length in bytes. After an error, none of them are in
    /// the manifest.
    pub fn add(&self, write: impl FnOnce(&File) -> io::Result<u64>) -> io::Result<()> {
        let mut state = lock(&self.state);
        let added = if state.is_broken {
            Err(io::Error::other("a partial record could not be removed"))
        } else {
            write(&self.file)
        };
        state.ended += added.map_err(|error| {
            state.is_broken |= cut(&self.file, state.ended).is_err();
            with_context(&error, "not recorded in the manifest")
        })?;
        Ok(())
    }

    /// Returns the file of the manifest, which is synced before the recorded changes are made.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Syncs all records to disk.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_data().map_err(|error| with_context(&error, "not recorded in the manifest"))
    }
}

/// Truncates a manifest to `ended`, the end of the records of the last file.
fn cut(mut file: &File, ended: u64) -> io::Result<()> {
    file.set_len(ended)?;
    file.seek(SeekFrom::Start(ended)).map(drop)
}

/// Opens a manifest named by the user for reading.
pub fn open(name: &Path) -> io::Result<File> {
    run_files::open(&entry_of(name)?, Access::Read, name, "")
}

fn entry_of(name: &Path) -> io::Result<DirectoryEntry> {
    Route::Named(name.to_path_buf()).entry()
}

/// Returns a path without `.` components.
pub fn plain(path: &Path) -> PathBuf {
    path.components().filter(|part| *part != Component::CurDir).collect()
}

/// A file that a manifest records.
pub struct Recorded {
    pub path: PathBuf,
    /// The offset in the manifest at which the changes of the file begin.
    pub start: u64,
    pub input: Digest,
    pub output: Digest,
    pub encodings: Option<Encodings>,
}

/// The records of a manifest that was read.
pub struct Content {
    /// The command that wrote the manifest.
    pub command: String,
    /// The files whose records are complete.
    pub files: Vec<Recorded>,
    pub end: End,
    /// The offset at which the last of `files` ends.
    ended: u64,
}

impl Content {
    /// Returns the content of a manifest whose run ended before it changed a file.
    fn empty() -> Content {
        Content { command: String::new(), files: Vec::new(), end: End::Empty, ended: 0 }
    }
}

/// How a manifest ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Whole,
    /// The last line is incomplete.
    Cut,
    /// The first line is missing or incomplete.
    Empty,
}

/// Reads a whole manifest. If the file is not a manifest, appends `nothing` to the error, which says that nothing is
/// done and how to proceed.
pub fn read(file: &mut (impl io::BufRead + Seek), nothing: &str) -> io::Result<Content> {
    read_all(file).map_err(|error| with_advice(error, nothing))
}

fn read_all(file: &mut (impl io::BufRead + Seek)) -> io::Result<Content> {
    let Some(command) = read_command(file, &mut Vec::new())? else { return Ok(Content::empty()) };
    if command == NAMES {
        return Ok(Content { command, end: End::Whole, ..Content::empty() });
    }
    let (mut files, mut end, mut open) = (Vec::new(), End::Whole, None);
    let mut ended = file.stream_position()?;
    while let Some(record) = Record::next(file)? {
        match record {
            Record::File { path } => open = Some((path.into(), file.stream_position()?)),
            Record::Manifest { .. } | Record::Change { .. } => {}
            Record::Cut => end = End::Cut,
            Record::End { input, output, encodings } => {
                if let Some((path, start)) = open.take() {
                    files.push(Recorded { path, start, input, output, encodings });
                    ended = file.stream_position()?;
                }
            }
        }
    }
    Ok(Content { command, files, end, ended })
}

/// Returns the length and the SHA-1 of a file, which is read from its start.
pub fn digest(file: &File) -> io::Result<Digest> {
    let mut hasher = Hasher::default();
    each_chunk(file, 0..u64::MAX, |chunk, _| {
        hasher.update(chunk);
        Ok(true)
    })?;
    Ok(hasher.end())
}
