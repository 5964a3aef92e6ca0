//! Undoes a run: restores the files of a manifest byte for byte, or refuses.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;

use utfconv_core::StreamError;

use super::causes::Cause;
use super::json::{FileLine, JsonReport};
use super::manifest::{Content, End, Recorded, digest, open, plain, read};
use super::options::is_same_file;
use super::record::{Encodings, Hasher, NAMES, Record};
use super::{Batch, Destination, Edit, Job, Jobs, Mode, NotEdited, OpenJob, Product};
use crate::files::open_directory::{Root, Route};
use crate::files::print::Printer;
use crate::files::replace::{Durability, InPlace};
use crate::files::stdio::fill_at;
use crate::files::walk::{FileEntry, Key};
use crate::ui::dialect::Dialect;
use crate::ui::exit::Exit;
use crate::ui::progress::Progress;
use crate::ui::quote::{as_argument, counted, quoted, reason};
use crate::ui::threads::lock;

const WHO: Dialect = Dialect::Utfconv;

/// Number of bytes that are read at a time.
const BUFFER: usize = 256 << 10;

/// The manifest to undo, the files to restore, and the form of the report.
pub struct UndoPlan {
    pub manifest: OsString,
    /// The only file to undo, or the directory whose files are undone.
    pub path: Option<OsString>,
    pub how: InPlace,
    /// True if nothing is restored, and the report says what would be restored.
    pub dry_run: bool,
    /// Whether the report is JSON.
    pub json: bool,
    /// True if each file is reported.
    pub verbose: bool,
}

/// Opens a manifest and reads its records.
fn open_manifest(manifest: &OsStr) -> io::Result<(BufReader<File>, Content)> {
    let mut file = BufReader::new(open(Path::new(manifest))?);
    let content = read(&mut file, "nothing is undone")?;
    Ok((file, content))
}

/// Restores the files of a manifest.
pub fn undo(UndoPlan { manifest, path, how, dry_run, json, verbose }: &UndoPlan) -> Exit {
    let fail =
        |error: &io::Error| Exit::report_failure(WHO, &format!("{}: {}", quoted(manifest), reason(error)));
    let (file, Content { command, files, end, .. }) = match open_manifest(manifest) {
        Ok(opened) => opened,
        Err(error) => return fail(&error),
    };
    if command == NAMES {
        let path = path.iter().map(|path| format!(" {}", as_argument(path))).collect::<String>();
        let call = format!("{NAMES} --undo={}{path}", as_argument(manifest));
        return fail(&io::Error::other(format!("it records names of files; use '{call}'")));
    }
    if files.is_empty() && end != End::Cut {
        let text = "it records nothing: no file was changed, so nothing is undone";
        WHO.report(&format!("{}: {text}", quoted(manifest)));
        return Report::new(*json, *dry_run, *verbose).print_summary(Exit::Success);
    }
    let chosen = choose(&files, path.as_deref().map(Path::new));
    if chosen.is_empty() && path.is_some() && !files.is_empty() {
        return fail(&io::Error::other("it has no changes of that file"));
    }
    let mut report = Report::new(*json, *dry_run, *verbose);
    let mut entries = Vec::new();
    let mut restorer = Restorer { files: Vec::new(), manifest: Mutex::new(file) };
    for (file, route) in chosen {
        let name = match &route {
            Some(Route::Named(path)) => path.clone().into_os_string(),
            _ => file.path.clone().into_os_string(),
        };
        let Some(route) = route else {
            report.outside(Path::new(&name));
            continue;
        };
        if is_same_file(Path::new(&name), Path::new(manifest)) {
            report.failed(&name, Cause::Inaccessible, ITSELF);
            continue;
        }
        // The files keep the order of the manifest.
        let key = Key { argument: restorer.files.len() as u64, name };
        entries.push(FileEntry::at(&key, route));
        restorer.files.push(file);
    }
    let destination = Destination::InPlace(how.clone());
    let jobs = Jobs::of(entries, &destination, &[Path::new(manifest)], "each file is restored once");
    let batch = Batch {
        destination: &destination,
        sync: Durability::File,
        mode: if *dry_run { Mode::Count } else { Mode::Write },
        stops: false,
        threads: Some(1),
        manifest: None,
        failed: None,
    };
    let unsynced = batch.run(&jobs, &restorer, &Progress::default(), |job, outcome, _| {
        report.add(&job.key.name, restorer.files[job.key.argument as usize], &outcome);
    });
    report.problems.extend(unsynced);
    report.end(manifest, end)
}

/// The results of an undo, as text and as JSON.
#[derive(Default)]
struct Report {
    dry_run: bool,
    verbose: bool,
    restored: u64,
    already: u64,
    failed: u64,
    /// Number of files that are not below the current directory; `above` is a directory above all of them.
    outside: u64,
    first_outside: String,
    above: PathBuf,
    /// Number of files that the manifest names and that do not exist.
    missing: u64,
    /// Messages, which follow all lines of JSON.
    problems: Vec<String>,
    json: Option<JsonReport>,
    printer: Printer,
}

/// The outcomes of files in JSON, besides `failed`.
const RESTORED: &str = "restored";
const ALREADY: &str = "already";

impl Report {
    fn new(is_json: bool, dry_run: bool, verbose: bool) -> Report {
        let json = is_json.then(|| JsonReport::new(&[RESTORED, ALREADY], dry_run));
        Report { dry_run, verbose, json, ..Report::default() }
    }

    fn add(&mut self, name: &OsStr, recorded: &Recorded, outcome: &Undone) {
        match outcome {
            Undone::Restored => {
                self.restored += 1;
                let (input, output) = (recorded.output.length, recorded.input.length);
                self.print(&FileLine::new(name, RESTORED).lengths(input, output));
                let encodings = recorded.encodings.filter(|Encodings { from, to }| from != to);
                let encodings = encodings.map(|Encodings { from, to }| format!(" from {to} to {from}"));
                let encodings = encodings.unwrap_or_default();
                let what = if self.dry_run { "would be restored" } else { "restored" };
                self.tell(name, &format!("{what}{encodings}, {input} to {output} bytes"));
            }
            Undone::Already => {
                self.already += 1;
                self.print(&FileLine::new(name, ALREADY));
                self.tell(name, "restored already");
            }
            Undone::Failed(Cause::Inaccessible, why) if !Path::new(name).exists() => {
                self.missing += 1;
                self.failed(name, Cause::Inaccessible, why);
            }
            Undone::Failed(cause, why) => self.failed(name, *cause, why),
        }
    }

    /// With `--verbose`, reports the outcome of a file: in a dry run on standard output, otherwise on standard error.
    fn tell(&mut self, name: &OsStr, what: &str) {
        let line = format!("{}: {what}", quoted(name));
        match (self.verbose && self.json.is_none(), self.dry_run) {
            (true, true) => self.printer.print(format!("{line}\n").as_bytes()),
            (true, false) => WHO.report(&line),
            (false, _) => {}
        }
    }

    /// Counts a file that is not below the current directory.
    fn outside(&mut self, path: &Path) {
        let parent = path.parent().unwrap_or(Path::new(""));
        if self.outside == 0 {
            (self.first_outside, self.above) = (quoted(path), parent.to_path_buf());
        } else {
            self.above = common(&self.above, parent);
        }
        (self.outside, self.failed) = (self.outside + 1, self.failed + 1);
        self.print(&FileLine::new(path.as_os_str(), ALREADY).because("failed", Cause::Inaccessible, OUTSIDE));
    }

    fn failed(&mut self, name: &OsStr, cause: Cause, why: &str) {
        self.failed += 1;
        self.problems.push(format!("{}: {why}", quoted(name)));
        self.print(&FileLine::new(name, ALREADY).because("failed", cause, why));
    }

    fn print(&mut self, line: &FileLine) {
        if let Some(json) = &mut self.json {
            self.printer.print(json.line(line).as_bytes());
        }
    }

    /// Reports what concerns the whole run, and returns the exit status.
    fn end(mut self, manifest: &OsStr, end: End) -> Exit {
        let all = self.restored + self.already + self.failed;
        if self.missing > 1 && self.missing + self.outside == all {
            let why = "none of its files is here; use --undo in the directory in which the run was";
            self.problems = vec![format!("{}: {why}", counted(self.missing, "file"))];
        }
        if self.outside > 0 {
            let above = if self.above.as_os_str().is_empty() { Path::new(".") } else { &self.above };
            let (manifest, above) = (as_argument(manifest), as_argument(above));
            let why = match self.outside {
                1 => format!("{}: {OUTSIDE}", self.first_outside),
                several => format!("{several} files not undone: they are not below the current directory"),
            };
            self.problems.push(format!("{why}; use 'utfconv --undo={manifest} {above}'"));
        }
        self.problems.iter().for_each(|text| WHO.report(text));
        WHO.report(&format!("{}: {}", quoted(manifest), self.text()));
        if end == End::Cut && !self.dry_run {
            let text = "it ends in the middle of a line, as after an interrupted run; files recorded before that are undone";
            WHO.report(&format!("{}: {text}", quoted(manifest)));
        }
        let is_whole = self.problems.is_empty() && end != End::Cut;
        self.print_summary(if is_whole { Exit::Success } else { Exit::Failure })
    }

    /// Prints the last line of JSON, and returns the exit status.
    fn print_summary(mut self, exit: Exit) -> Exit {
        if let Some(json) = &self.json {
            self.printer.print(json.summary(exit.status(WHO)).as_bytes());
        }
        exit.max(self.printer.end(WHO))
    }

    /// Returns a sentence with the numbers of files.
    fn text(&self) -> String {
        let (restored, not) =
            if self.dry_run { ("would be restored", "would stay") } else { ("restored", "not restored") };
        let files = if self.restored == 0 { "no file".to_string() } else { counted(self.restored, "file") };
        let mut text = format!("{files} {restored}");
        for (count, what) in [(self.already, "restored already"), (self.failed, not)] {
            if count > 0 {
                text += &format!(", {count} {what}");
            }
        }
        text
    }
}

/// The message for the manifest itself.
const ITSELF: &str = "not undone: it is the manifest";

/// The reason for a file outside the current directory, which no manifest may change unless the user names the path.
const OUTSIDE: &str = "not undone: it is not below the current directory";

/// Returns the longest path that is a common ancestor of both paths.
fn common(one: &Path, other: &Path) -> PathBuf {
    let pairs = one.components().zip(other.components());
    pairs.take_while(|(one, other)| one == other).map(|(part, _)| part).collect()
}

/// Returns the files to restore, and the route to each, below the path named by the user or below the current
/// directory. A manifest alone does not lead to other files or through links, because other users may have written it.
fn choose<'a>(files: &'a [Recorded], path: Option<&Path>) -> Vec<(&'a Recorded, Option<Route>)> {
    // A run that was killed between a record and the change may have recorded the change twice.
    let mut known = HashSet::new();
    let mut files: Vec<_> = files.iter().rev().filter(|file| known.insert(plain(&file.path))).collect();
    files.reverse();
    let Some(path) = path else {
        // Paths in the manifest are absolute if the run was given absolute paths.
        let current = std::env::current_dir().unwrap_or_default();
        let route = |file| found(file, Path::new(".")).or_else(|| found(file, &current));
        return files.into_iter().map(|file| (file, route(file))).collect();
    };
    let named = || Some(Route::Named(path.to_path_buf()));
    if path.is_dir() {
        let below = files.into_iter().map(|file| (file, found(file, path)));
        return below.filter(|(_, route)| route.is_some()).collect();
    }
    // `a`, `./a`, `.//a` and the absolute path are spellings of one path, and the run may have been given any of them.
    let current = std::env::current_dir().unwrap_or_default();
    let spelled = |path: &Path| current.join(plain(path));
    let is_same = |file: &&&Recorded| spelled(&file.path) == spelled(path);
    let same: Vec<_> = files.iter().filter(is_same).map(|one| (*one, named())).collect();
    match files[..] {
        // The file may have been renamed since the run that changed it.
        [one] if same.is_empty() => vec![(one, named())],
        _ => same,
    }
}

/// Returns the route to a recorded file from a directory; `None` if the file is not below the directory.
fn found(file: &Recorded, root: &Path) -> Option<Route> {
    let below = plain(&file.path).strip_prefix(plain(root)).ok()?.to_path_buf();
    let is_below = below.components().all(|part| matches!(part, Component::Normal(_)));
    let root = Root { path: root.to_path_buf(), identity: None };
    is_below.then(|| Route::Found { root: root.into(), below })
}

/// Restores files by their records.
struct Restorer<'a> {
    /// The recorded files. The `argument` of a key is an index in this list.
    files: Vec<&'a Recorded>,
    manifest: Mutex<BufReader<File>>,
}

/// The outcome of a file.
enum Undone {
    Restored,
    /// The file already has the content from before the run.
    Already,
    /// The cause for which the file is not restored, and the reason as a message.
    Failed(Cause, String),
}

impl Edit for Restorer<'_> {
    type Outcome = Undone;

    fn begin(&self, _: &Job) -> Undone {
        Undone::Already
    }

    fn edit(
        &self,
        OpenJob { job, opened, output, .. }: OpenJob,
        outcome: &mut Undone,
    ) -> Result<Option<Product>, NotEdited> {
        let recorded = self.files[job.key.argument as usize];
        let now = digest(opened.file()).map_err(StreamError::Write)?;
        if now == recorded.input {
            return Ok(None);
        }
        if now != recorded.output {
            let why = "not undone: it was changed since the run that is to be undone";
            *outcome = Undone::Failed(Cause::Changed, why.to_string());
            return Ok(None);
        }
        let product = output.begin().map_err(StreamError::Write)?;
        let restored = restore(recorded, opened.file(), product, &mut *lock(&self.manifest));
        let restored = restored.map_err(StreamError::Write)?;
        *outcome = Undone::Restored;
        Ok(Some(restored))
    }

    fn has_failed(&self, outcome: &Undone) -> bool {
        matches!(outcome, Undone::Failed(..))
    }

    fn fail(&self, _: &Job, outcome: &mut Undone, why: NotEdited) {
        *outcome = Undone::Failed(Cause::of_not_edited(&why), why.reason());
    }
}

/// Writes the content before the run to a product. Takes unchanged bytes from `new`, and the rest from the records.
fn restore(
    recorded: &Recorded,
    new: &File,
    product: Product,
    manifest: &mut (impl BufRead + Seek),
) -> io::Result<Product> {
    let mut restoring = Restoring { new, old: product, hasher: Hasher::default(), at: 0 };
    manifest.seek(SeekFrom::Start(recorded.start))?;
    while let Some(Record::Change { output, length, old, .. }) = Record::next(manifest)? {
        let next = output.checked_add(length).filter(|_| output >= restoring.at).ok_or_else(misfit)?;
        restoring.copy(output)?;
        restoring.write(&old)?;
        restoring.at = next;
    }
    restoring.copy(recorded.output.length)?;
    let Restoring { old, hasher, .. } = restoring;
    if hasher.end() != recorded.input {
        return Err(io::Error::other("not undone: the manifest was changed"));
    }
    Ok(old)
}

fn misfit() -> io::Error {
    io::Error::other("not undone: the manifest does not match this file")
}

/// A file that is being restored.
struct Restoring<'a> {
    new: &'a File,
    old: Product,
    hasher: Hasher,
    /// The next offset in the new content.
    at: u64,
}

impl Restoring<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hasher.update(bytes);
        self.old.write_all(bytes)
    }

    /// Copies the unchanged bytes up to an offset of the new content.
    fn copy(&mut self, to: u64) -> io::Result<()> {
        let mut buffer = vec![0; BUFFER];
        while self.at < to {
            let len = (to - self.at).min(BUFFER as u64) as usize;
            if fill_at(self.new, &mut buffer[..len], self.at)? < len {
                return Err(misfit());
            }
            self.write(&buffer[..len])?;
            self.at += len as u64;
        }
        Ok(())
    }
}
