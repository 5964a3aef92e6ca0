//! Undoes repairs: restores the files of a manifest byte for byte, or refuses.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;

use utfconv_core::StreamError;

use super::manifest::{Hash, Hasher, Record};
use crate::edits::{Batch, Destination, Edit, Job, Jobs, Mode, NotEdited, OpenJob, Product};
use crate::files::open_directory::{Access, Root, Route};
use crate::files::records;
use crate::files::replace::{Durability, InPlace};
use crate::files::source::Opened;
use crate::files::stdio::fill_at;
use crate::files::walk::{FileEntry, Key};
use crate::ui::exit::Exit;
use crate::ui::personality::Personality;
use crate::ui::progress::Progress;
use crate::ui::quote::{quoted, reason};
use crate::ui::threads::lock;

const WHO: Personality = Personality::Utfconv;

/// Bytes read at a time.
const BUFFER: usize = 256 << 10;

/// The longest line of a manifest, in bytes: that of a change of a whole window.
const LONGEST: u64 = 8 << 20;

/// A file of a manifest.
struct Section {
    path: PathBuf,
    /// Where its changes begin in the manifest.
    start: u64,
    input: Hash,
    output: Hash,
}

/// Restores the files of a manifest; only those of `path`, if it is named.
pub fn run(manifest: &OsStr, path: Option<&OsStr>, how: &InPlace) -> Exit {
    let fail = |error: &io::Error| {
        WHO.report(&format!("{}: {}", quoted(manifest), reason(error)));
        Exit::Failure
    };
    let (file, (sections, state)) = match open(Path::new(manifest)).and_then(|file| {
        let mut file = BufReader::new(file);
        let sections = sections(&mut file)?;
        Ok((file, sections))
    }) {
        Ok(read) => read,
        Err(error) => return fail(&error),
    };
    if state == End::Empty {
        let text = "it records nothing: the run ended before it changed a file; nothing to undo";
        WHO.report(&format!("{}: {text}", quoted(manifest)));
        return Exit::Success;
    }
    let chosen = choose(&sections, path.map(Path::new));
    if chosen.is_empty() && path.is_some() {
        return fail(&io::Error::other("it has no changes of that file"));
    }
    let mut exit = Exit::Success;
    let (mut entries, mut restorer) =
        (Vec::new(), Restorer { sections: Vec::new(), manifest: Mutex::new(file) });
    for (section, route) in chosen {
        let name = match &route {
            Some(Route::Named(path)) => path.clone().into_os_string(),
            _ => section.path.clone().into_os_string(),
        };
        let Some(route) = route else {
            WHO.report(&format!("{}: {OUTSIDE}", quoted(&name)));
            exit = Exit::Failure;
            continue;
        };
        // Their order is that of the manifest.
        let key = Key { argument: restorer.sections.len() as u64, name };
        entries.push(FileEntry::at(&key, route));
        restorer.sections.push(section);
    }
    let destination = Destination::InPlace(how.clone());
    let jobs = Jobs::of(entries, &destination, Some(Path::new(manifest)), "each file is restored once");
    let batch =
        Batch { destination: &destination, sync: Durability::File, mode: Mode::Write, threads: Some(1) };
    let mut errors = Vec::new();
    let unsynced = batch.run(&jobs, &restorer, &Progress::default(), |_, error, _| errors.extend(error));
    for text in errors.iter().chain(&unsynced) {
        WHO.report(text);
        exit = Exit::Failure;
    }
    if state == End::Cut {
        return fail(&io::Error::other(
            "it ends in the middle of a line, as after an interrupted run; files recorded before that are undone",
        ));
    }
    exit
}

/// Why a manifest alone does not lead to a file.
const OUTSIDE: &str = "not undone: it is not below the current directory; to undo it, name it, or a directory above it, after the manifest";

fn open(manifest: &Path) -> io::Result<File> {
    records::open(&Route::Named(manifest.to_path_buf()).entry()?, Access::Read, "manifest", "")
}

/// Returns the sections to restore, and where: in what a user named, or below the current directory. A manifest leads nowhere
/// else by itself, nor through links: it may have come with the files of others.
fn choose<'a>(sections: &'a [Section], path: Option<&Path>) -> Vec<(&'a Section, Option<Route>)> {
    let Some(path) = path else {
        return sections.iter().map(|section| (section, found(section, Path::new(".")))).collect();
    };
    let named = || Some(Route::Named(path.to_path_buf()));
    if path.is_dir() {
        let below = sections.iter().map(|section| (section, found(section, path)));
        return below.filter(|(_, route)| route.is_some()).collect();
    }
    let same: Vec<_> =
        sections.iter().filter(|section| section.path == path).map(|one| (one, named())).collect();
    match sections {
        // A file may have another name now.
        [one] if same.is_empty() => vec![(one, named())],
        _ => same,
    }
}

/// The way to the file of a section from a directory; None if it is not below that.
fn found(section: &Section, root: &Path) -> Option<Route> {
    let plain =
        |path: &Path| -> PathBuf { path.components().filter(|part| *part != Component::CurDir).collect() };
    let below = plain(&section.path).strip_prefix(plain(root)).ok()?.to_path_buf();
    let is_below = below.components().all(|part| matches!(part, Component::Normal(_)));
    let root = Root { path: root.to_path_buf(), identity: None };
    is_below.then(|| Route::Found { root: root.into(), below })
}

fn not_a_manifest() -> io::Error {
    io::Error::other("not a manifest of utfconv repair, or changed since; nothing is undone")
}

/// Reads a line of a manifest; None at the end.
fn record(file: &mut impl BufRead) -> io::Result<Option<Record>> {
    let mut line = Vec::new();
    if file.by_ref().take(LONGEST).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    match std::str::from_utf8(&line).ok().and_then(Record::read) {
        Some(record) => Ok(Some(record)),
        None if !line.ends_with(b"\n") && (line.len() as u64) < LONGEST => Ok(Some(Record::Cut)),
        None => Err(not_a_manifest()),
    }
}

/// How a manifest ends.
#[derive(Debug, PartialEq, Eq)]
enum End {
    Whole,
    /// The last line is cut off.
    Cut,
    /// It has not begun.
    Empty,
}

/// Reads all of a manifest. Files without an end were not replaced.
fn sections(file: &mut (impl BufRead + Seek)) -> io::Result<(Vec<Section>, End)> {
    let (mut sections, mut end) = (Vec::new(), End::Whole);
    let mut open = None;
    match record(file)? {
        Some(Record::Start) => {}
        None => return Ok((sections, End::Empty)),
        Some(_) => return Err(not_a_manifest()),
    }
    while let Some(record) = record(file)? {
        match record {
            Record::File(path) => open = Some((path, file.stream_position()?)),
            Record::Start | Record::Change { .. } => {}
            Record::Cut => end = End::Cut,
            Record::End { input, output } => {
                sections.extend(open.take().map(|(path, start)| Section { path, start, input, output }));
            }
        }
    }
    Ok((sections, end))
}

/// Restores files by what is recorded of them.
struct Restorer<'a> {
    /// Of each file, by the argument of its key.
    sections: Vec<&'a Section>,
    manifest: Mutex<BufReader<File>>,
}

impl Edit for Restorer<'_> {
    type Worker = ();
    /// Why it is not restored.
    type Outcome = Option<String>;

    fn worker(&self) {}

    fn begin(&self, _: &Job) -> Option<String> {
        None
    }

    fn edit(
        &self,
        (): &mut (),
        OpenJob { job, opened, output, .. }: OpenJob,
        _: &mut Option<String>,
    ) -> Result<Option<Product>, NotEdited> {
        let section = self.sections[job.key.argument as usize];
        let now = hash(&opened).map_err(StreamError::Write)?;
        if now == section.input {
            return Ok(None);
        }
        if now != section.output {
            return Err(not_undone("the file is not the one that was repaired, or was changed since").into());
        }
        let product = output.begin().map_err(StreamError::Write)?;
        let restored = restore(section, opened.file(), product, &mut *lock(&self.manifest));
        Ok(Some(restored.map_err(StreamError::Write)?))
    }

    fn fail(&self, job: &Job, outcome: &mut Option<String>, why: NotEdited) {
        *outcome = Some(format!("{}: {}", job.shown(), why.reason()));
    }
}

/// The hash of all of a file.
fn hash(opened: &Opened) -> io::Result<Hash> {
    let (mut hasher, mut buffer, mut offset) = (Hasher::default(), vec![0; BUFFER], 0);
    loop {
        let read = fill_at(opened.file(), &mut buffer, offset)?;
        if read == 0 {
            return Ok(hasher.end());
        }
        hasher.update(&buffer[..read]);
        offset += read as u64;
    }
}

/// Writes the content before the repair, made of the `repaired` one, to a product.
fn restore(
    section: &Section,
    repaired: &File,
    product: Product,
    manifest: &mut (impl BufRead + Seek),
) -> io::Result<Product> {
    let mut restoring = Restoring { repaired, new: product, hasher: Hasher::default(), at: 0 };
    manifest.seek(SeekFrom::Start(section.start))?;
    while let Some(Record::Change { output, length, old, .. }) = record(manifest)? {
        let next = output.checked_add(length).filter(|_| output >= restoring.at).ok_or_else(misfit)?;
        restoring.copy(output)?;
        restoring.write(&old)?;
        restoring.at = next;
    }
    restoring.copy(section.output.length)?;
    let Restoring { new, hasher, .. } = restoring;
    if hasher.end() != section.input {
        return Err(io::Error::other("not undone: the manifest was changed"));
    }
    Ok(new)
}

fn not_undone(why: &str) -> StreamError {
    StreamError::Write(io::Error::other(format!("not undone: {why}")))
}

fn misfit() -> io::Error {
    io::Error::other("not undone: the manifest does not fit the file")
}

/// A file that is being restored.
struct Restoring<'a> {
    repaired: &'a File,
    new: Product,
    hasher: Hasher,
    /// The offset in the repaired file of what comes next.
    at: u64,
}

impl Restoring<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hasher.update(bytes);
        self.new.write_all(bytes)
    }

    /// Copies what the repair did not change, up to an offset of the repaired file.
    fn copy(&mut self, to: u64) -> io::Result<()> {
        let mut buffer = vec![0; BUFFER];
        while self.at < to {
            let len = (to - self.at).min(BUFFER as u64) as usize;
            if fill_at(self.repaired, &mut buffer[..len], self.at)? < len {
                return Err(misfit());
            }
            self.write(&buffer[..len])?;
            self.at += len as u64;
        }
        Ok(())
    }
}
