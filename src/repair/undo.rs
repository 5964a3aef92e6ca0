//! Undoes repairs: restores the files of a manifest byte for byte, or refuses.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::manifest::{Hash, Hasher, Record};
use crate::files::open_directory::Route;
use crate::files::replace::{FileTarget, InPlace, Replacement};
use crate::files::source::Mapping;
use crate::ui::exit::Exit;
use crate::ui::personality::Personality;
use crate::ui::quote::{quoted, reason};

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

/// Restores the files of a manifest; only `path`, if it is named.
pub fn run(manifest: &OsStr, path: Option<&OsStr>, how: &InPlace) -> Exit {
    let fail = |error: &io::Error| {
        WHO.report(&format!("{}: {}", quoted(manifest), reason(error)));
        Exit::Failure
    };
    let (mut file, (sections, is_cut)) = match File::open(manifest).and_then(|file| {
        let mut file = BufReader::new(file);
        let sections = sections(&mut file)?;
        Ok((file, sections))
    }) {
        Ok(read) => read,
        Err(error) => return fail(&error),
    };
    let chosen: Vec<&Section> = match path {
        None => sections.iter().collect(),
        Some(path) => {
            let same: Vec<&Section> =
                sections.iter().filter(|section| section.path == Path::new(path)).collect();
            // A file may have another name now.
            if same.is_empty() && sections.len() == 1 { sections.iter().collect() } else { same }
        }
    };
    if chosen.is_empty() && path.is_some() {
        return fail(&io::Error::other("it has no changes of that file"));
    }
    let mut exit = Exit::Success;
    for section in chosen {
        let path = path.map_or(section.path.as_path(), Path::new);
        if let Err(error) = restore(path, section, &mut file, how) {
            WHO.report(&format!("{}: {}", quoted(path.as_os_str()), reason(&error)));
            exit = Exit::Failure;
        }
    }
    if is_cut {
        return fail(&io::Error::other(
            "it ends in the middle of a line, as after an interrupted run; files recorded before that are undone",
        ));
    }
    exit
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

/// Reads all of a manifest, and whether its last line is cut off. Files without an end were not replaced.
fn sections(file: &mut (impl BufRead + Seek)) -> io::Result<(Vec<Section>, bool)> {
    let (mut sections, mut is_cut) = (Vec::new(), false);
    let mut open = None;
    if record(file)? != Some(Record::Start) {
        return Err(not_a_manifest());
    }
    while let Some(record) = record(file)? {
        match record {
            Record::File(path) => open = Some((path, file.stream_position()?)),
            Record::Start | Record::Change { .. } => {}
            Record::Cut => is_cut = true,
            Record::End { input, output } => {
                sections.extend(open.take().map(|(path, start)| Section { path, start, input, output }));
            }
        }
    }
    Ok((sections, is_cut))
}

/// Restores a file.
fn restore(
    path: &Path,
    section: &Section,
    manifest: &mut (impl BufRead + Seek),
    how: &InPlace,
) -> io::Result<()> {
    let target = FileTarget::to_convert(&Route::Named(path.to_path_buf()), how)?;
    let name = quoted(path.as_os_str());
    let mut source = target.source()?.reader(Mapping::Never, BUFFER, &name);
    let mut hasher = Hasher::default();
    loop {
        let read = source.fill_buf()?;
        let len = read.len();
        if len == 0 {
            break;
        }
        hasher.update(read);
        source.consume(len);
    }
    // Some systems replace no open file.
    drop(source);
    let now = hasher.end();
    if now == section.input {
        return Ok(());
    }
    if now != section.output {
        return Err(io::Error::other(
            "not undone: the file is not the one that was repaired, or was changed since",
        ));
    }
    let mut restoring = Restoring { new: Replacement::new(target)?, hasher: Hasher::default(), at: 0 };
    manifest.seek(SeekFrom::Start(section.start))?;
    while let Some(Record::Change { output, length, old, .. }) = record(manifest)? {
        restoring.copy(output)?;
        restoring.write(&old)?;
        restoring.at = output + length;
    }
    restoring.copy(section.output.length)?;
    let Restoring { new, hasher, .. } = restoring;
    if hasher.end() != section.input {
        return Err(io::Error::other("not undone: the manifest was changed"));
    }
    new.commit()
}

/// A file that is being restored.
struct Restoring {
    new: Replacement,
    hasher: Hasher,
    /// The offset in the repaired file of what comes next.
    at: u64,
}

impl Restoring {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hasher.update(bytes);
        self.new.write_all(bytes)
    }

    /// Copies what the repair did not change, up to an offset of the repaired file.
    fn copy(&mut self, to: u64) -> io::Result<()> {
        let mut buffer = vec![0; BUFFER];
        while self.at < to {
            let len = (to - self.at).min(BUFFER as u64) as usize;
            if self.new.read(&mut buffer[..len], self.at)? < len {
                return Err(io::Error::other("not undone: the manifest does not fit the file"));
            }
            self.write(&buffer[..len])?;
            self.at += len as u64;
        }
        Ok(())
    }
}
