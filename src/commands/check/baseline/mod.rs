//! Baselines: the known errors of files, so that a check reports only new errors.
//!
//! `content` identifies an error without its position, `text` reads and writes the file format, and `Baselines`
//! decides which errors of a file are known.
//!
//! An error is identified by its rule, its file and its content. A file that is missing from the baseline may have
//! been renamed, so it is checked after all others, and compared with files of the baseline that no longer exist.

mod content;
mod text;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use utfconv_core::Encoding;

pub use self::content::Errors;
use self::content::{common, key};
pub use self::text::may_replace;
use self::text::{Files, Recorded};
use super::report::{BaselineTotals, Findings};
use crate::files::paths::{self, absolute};
use crate::files::sketch::Sketch;
use crate::files::walk::Key;
use crate::ui::quote::{quoted, reason};
use crate::ui::threads::lock;

/// Maximum number of errors of a file that are compared; the rest of the file is not read.
pub const MOST_COMPARED: u64 = 1 << 20;

/// Minimum likeness, in thousandths, of a renamed file and its old version.
const ALIKE: u32 = 500;

/// All baselines of a run.
#[derive(Default)]
pub struct Baselines {
    current: PathBuf,
    /// With `--write-baseline`: the directory of the new baseline, and the errors found so far.
    recorded: Option<(PathBuf, Mutex<Files>)>,
    /// The baseline that `--baseline` names.
    named: Option<Arc<Baseline>>,
    /// Baselines that `utfconv.toml` files name, by path; `None` if the baseline cannot be read.
    found: Mutex<HashMap<PathBuf, Option<Arc<Baseline>>>>,
    problems: Mutex<BTreeSet<String>>,
    known: AtomicU64,
    gone: AtomicU64,
    postponed: Mutex<Vec<Postponed>>,
    /// For each renamed file: its name in the baseline.
    renamed: BTreeMap<Key, Vec<u8>>,
    is_second_pass: bool,
}

/// A baseline that was read.
struct Baseline {
    directory: PathBuf,
    files: Files,
    /// Files of the baseline that no longer exist.
    vanished: BTreeSet<Vec<u8>>,
}

/// A file that is missing from the baseline, and may have been renamed.
struct Postponed {
    key: Key,
    baseline: Arc<Baseline>,
    /// Name of the file relative to the directory of the baseline.
    name: Vec<u8>,
    lines: Sketch,
    errors: Errors,
}

/// Compares the errors of a file with a baseline, or records them for a new baseline.
pub struct BaselineFilter<'a> {
    baselines: &'a Baselines,
    /// `None` if the errors are recorded for a new baseline.
    baseline: Option<Arc<Baseline>>,
    /// Name of the file relative to the directory of the baseline.
    name: Vec<u8>,
    key: Key,
}

impl Baselines {
    /// Creates baselines that record errors for the file `write`, or compare errors with the file `named`.
    ///
    /// # Errors
    /// If the baseline cannot be read.
    pub fn new(write: Option<&Path>, named: Option<&Path>) -> Result<Baselines, String> {
        let current = std::env::current_dir().unwrap_or_default();
        let recorded = write.map(|path| (directory_of(&absolute(&current, path)), Mutex::default()));
        let named = named.map(|path| Baseline::open(&absolute(&current, path), path)).transpose()?;
        Ok(Baselines { current, recorded, named: named.map(Arc::new), ..Baselines::default() })
    }

    /// Returns the filter for the errors of a file, `None` without a baseline. `configured` is the baseline that the
    /// configuration of the file names.
    pub fn filter(&self, key: impl FnOnce() -> Key, configured: Option<&Path>) -> Option<BaselineFilter<'_>> {
        let baseline = match (&self.recorded, &self.named, configured) {
            (Some(_), ..) => None,
            (_, Some(named), _) => Some(named.clone()),
            (.., Some(path)) => Some(self.found(path)?),
            _ => return None,
        };
        let key = key();
        let directory = match (&baseline, &self.recorded) {
            (Some(baseline), _) => &baseline.directory,
            (None, recorded) => &recorded.as_ref()?.0,
        };
        let name = relative(&absolute(&self.current, Path::new(&key.name)), directory);
        Some(BaselineFilter { baselines: self, baseline, name, key })
    }

    /// Returns the baseline at `path`, which a configuration names; reads the file at the first call.
    fn found(&self, path: &Path) -> Option<Arc<Baseline>> {
        let mut found = lock(&self.found);
        let load = || {
            let shown = path.strip_prefix(&self.current).unwrap_or(path);
            let is_link = fs::symlink_metadata(path).is_ok_and(|there| there.is_symlink());
            let opened = if is_link {
                Err(format!("{}: a symbolic link; use --baseline", quoted(shown)))
            } else {
                Baseline::open(path, shown)
            };
            opened.map(Arc::new).map_err(|problem| lock(&self.problems).insert(problem)).ok()
        };
        found.entry(path.to_path_buf()).or_insert_with(load).clone()
    }

    /// Pairs postponed files with files of baselines that no longer exist. Later filters postpone no file.
    pub fn pair(&mut self) {
        self.is_second_pass = true;
        let mut postponed = std::mem::take(&mut *lock(&self.postponed));
        // Threads postpone files in any order, so the files are sorted.
        postponed.sort_by(|one, other| one.key.cmp(&other.key));
        let mut lost = HashMap::new();
        let of = |file: &Postponed| Arc::as_ptr(&file.baseline);
        for file in &postponed {
            let of_baseline = lost.entry(of(file)).or_insert_with(|| Lost::of(&file.baseline));
            if let Some(old) = of_baseline.take_equal(file) {
                self.renamed.insert(file.key.clone(), old.clone());
            }
        }
        let mut pairs = Vec::new();
        for file in postponed.iter().filter(|file| !self.renamed.contains_key(&file.key)) {
            for (rank, old) in lost[&of(file)].alike(file) {
                pairs.push((rank, &file.name, old, of(file), &file.key));
            }
        }
        // The most similar pairs come first, and of equally similar pairs those with more common errors.
        pairs.sort();
        let mut taken = BTreeSet::new();
        for (_, _, old, baseline, key) in pairs {
            if !self.renamed.contains_key(key) && taken.insert((baseline, old)) {
                self.renamed.insert(key.clone(), old.clone());
            }
        }
    }

    /// Returns the number of known errors, and of baseline errors that are gone; `None` without a baseline.
    pub fn totals(&self) -> Option<BaselineTotals> {
        let found: Vec<_> = lock(&self.found).values().flatten().cloned().collect();
        let all: Vec<_> = found.into_iter().chain(self.named.clone()).collect();
        if all.is_empty() {
            return None;
        }
        let taken: BTreeSet<_> = self.renamed.values().collect();
        let of_file = |baseline: &Baseline, name: &Vec<u8>| baseline.files[name].errors.values().sum::<u64>();
        let vanished = |baseline: &Arc<Baseline>| {
            let left = baseline.vanished.iter().filter(|name| !taken.contains(name));
            left.map(|name| of_file(baseline, name)).sum::<u64>()
        };
        let gone = self.gone.load(Ordering::Relaxed) + all.iter().map(vanished).sum::<u64>();
        Some(BaselineTotals { known: self.known.load(Ordering::Relaxed), gone })
    }

    /// Returns messages about configured baselines that cannot be read.
    pub fn problems(&self) -> BTreeSet<String> {
        lock(&self.problems).clone()
    }

    /// Returns the text of the new baseline, and how many files and errors it has.
    pub fn written(&self) -> Option<(String, u64, u64)> {
        let files = lock(&self.recorded.as_ref()?.1);
        let errors = files.values().flat_map(|recorded| recorded.errors.values()).sum();
        Some((text::write(&files), files.len() as u64, errors))
    }
}

/// Likeness of two files in thousandths, and their number of common errors; the best rank sorts first.
type Rank = Reverse<(u32, u64)>;

/// Index by content of the files of a baseline that no longer exist.
struct Lost<'a> {
    files: Vec<(&'a Vec<u8>, &'a Recorded)>,
    /// For each hash of a line: indexes of the files that have the line.
    by_line: HashMap<u32, Vec<usize>>,
    /// For each set of lines and errors: indexes of the files with exactly this content, the first file last.
    by_content: BTreeMap<(&'a BTreeSet<u32>, &'a Errors), Vec<usize>>,
    is_taken: Vec<bool>,
}

impl<'a> Lost<'a> {
    /// Maximum number of vanished files that a file is compared with, those that share most lines with the file.
    const MOST: usize = 256;

    fn of(baseline: &'a Baseline) -> Lost<'a> {
        let files: Vec<_> = baseline.vanished.iter().map(|name| (name, &baseline.files[name])).collect();
        let (mut by_line, mut by_content) = (HashMap::<_, Vec<_>>::new(), BTreeMap::<_, Vec<_>>::new());
        for (at, (_, recorded)) in files.iter().enumerate().rev() {
            recorded.lines.0.iter().for_each(|line| by_line.entry(*line).or_default().push(at));
            by_content.entry((&recorded.lines.0, &recorded.errors)).or_default().push(at);
        }
        Lost { is_taken: vec![false; files.len()], files, by_line, by_content }
    }

    /// Takes the first vanished file with the same lines and errors, because no other file can be more similar.
    fn take_equal(&mut self, file: &'a Postponed) -> Option<&'a Vec<u8>> {
        if file.lines.0.is_empty() {
            return None;
        }
        let at = self.by_content.get_mut(&(&file.lines.0, &file.errors))?.pop()?;
        self.is_taken[at] = true;
        Some(self.files[at].0)
    }

    /// Returns the vanished files that are similar to `file` and not taken, with their ranks.
    fn alike(&self, file: &Postponed) -> Vec<(Rank, &'a Vec<u8>)> {
        let mut shared: HashMap<usize, u32> = HashMap::new();
        for at in file.lines.0.iter().filter_map(|line| self.by_line.get(line)).flatten() {
            if !self.is_taken[*at] {
                *shared.entry(*at).or_default() += 1;
            }
        }
        let share = |at: usize, shared: u32| {
            let all = file.lines.0.len() + self.files[at].1.lines.0.len();
            shared * 1000 / (all as u32 - shared)
        };
        let mut candidates: Vec<_> =
            shared.into_iter().map(|(at, shared)| (Reverse(share(at, shared)), at)).collect();
        if candidates.len() > Self::MOST {
            candidates.select_nth_unstable(Self::MOST);
            candidates.truncate(Self::MOST);
        }
        let ranked = candidates.into_iter().map(|(_, at)| {
            let (name, recorded) = self.files[at];
            let likeness = file.lines.likeness(&recorded.lines);
            (Reverse((likeness, common(&file.errors, &recorded.errors))), name)
        });
        ranked.filter(|(Reverse((likeness, _)), _)| *likeness >= ALIKE).collect()
    }
}

/// Counts the errors in `found` by their keys. `file` must be readable at any offset.
pub fn errors(found: &Findings, file: &File, encoding: &Encoding) -> io::Result<Errors> {
    let mut errors = Errors::new();
    for finding in &found.listed {
        *errors.entry(key(file, finding, encoding)?).or_default() += 1;
    }
    Ok(errors)
}

/// Removes the `known` errors from `found`; known errors that were not found remain in `known`.
pub fn unknown(
    found: Findings,
    known: &mut Errors,
    file: &File,
    encoding: &Encoding,
) -> io::Result<Findings> {
    let mut new = Findings { listed: Vec::new(), counts: BTreeMap::new(), total: 0, ..found };
    for finding in found.listed {
        match known.get_mut(&key(file, &finding, encoding)?).filter(|count| **count > 0) {
            Some(count) => *count -= 1,
            None => {
                *new.counts.entry(finding.rule).or_default() += 1;
                new.total += 1;
                new.listed.push(finding);
            }
        }
    }
    Ok(new)
}

impl BaselineFilter<'_> {
    /// Removes the known errors from `found`, or records all errors for a new baseline. `file` must be readable at
    /// any offset. Returns the new errors, or `None` if the file is to be checked again after all others.
    pub fn apply(self, found: Findings, file: &File, encoding: &Encoding) -> io::Result<Option<Findings>> {
        let BaselineFilter { baselines, baseline, name, key: file_key } = self;
        let Some(baseline) = baseline else {
            if found.total > 0
                && let Some((_, files)) = &baselines.recorded
            {
                let errors = errors(&found, file, encoding)?;
                let recorded = Recorded { lines: Sketch::of(file)?, errors };
                lock(files).insert(name, recorded);
            }
            return Ok(Some(Findings::default()));
        };
        let old_name = baselines.renamed.get(&file_key).unwrap_or(&name);
        let Some(recorded) = baseline.files.get(old_name) else {
            if found.total > 0 && !baseline.vanished.is_empty() && !baselines.is_second_pass {
                let (lines, errors) = (Sketch::of(file)?, errors(&found, file, encoding)?);
                let postponed = Postponed { key: file_key, baseline, name, lines, errors };
                lock(&baselines.postponed).push(postponed);
                return Ok(None);
            }
            return Ok(Some(found));
        };
        let mut left = recorded.errors.clone();
        let is_cut_short = found.is_cut_short;
        let new = unknown(found, &mut left, file, encoding)?;
        let known = recorded.errors.values().sum::<u64>() - left.values().sum::<u64>();
        baselines.known.fetch_add(known, Ordering::Relaxed);
        // If the file was not read to its end, a known error may be in the unread bytes, so it does not count as
        // gone.
        if !is_cut_short {
            baselines.gone.fetch_add(left.values().sum(), Ordering::Relaxed);
        }
        Ok(Some(new))
    }
}

impl Baseline {
    /// Reads the baseline at `path`; messages name the file `shown`.
    fn open(path: &Path, shown: &Path) -> Result<Baseline, String> {
        let shown = quoted(shown);
        let failed = |error: &io::Error| format!("{shown}: {}", reason(error));
        let metadata = fs::metadata(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => format!("{}; use --write-baseline={shown} to make it", failed(&error)),
            _ => failed(&error),
        })?;
        if !metadata.is_file() {
            return Err(format!("{shown}: not a baseline of utfconv: not a regular file"));
        }
        let text = fs::read(path).map_err(|error| failed(&error))?;
        let files = text::read(&text).map_err(|why| format!("{shown}: {why}"))?;
        let directory = directory_of(path);
        let is_gone = |name: &&Vec<u8>| fs::symlink_metadata(directory.join(path_of(name))).is_err();
        let vanished = files.keys().filter(is_gone).cloned().collect();
        Ok(Baseline { directory, files, vanished })
    }
}

fn directory_of(path: &Path) -> PathBuf {
    path.parent().unwrap_or(path).to_path_buf()
}

/// Returns `path` relative to `directory`, with slashes. Both must be absolute.
fn relative(path: &Path, directory: &Path) -> Vec<u8> {
    let (mut path, mut directory) = (path.components().peekable(), directory.components().peekable());
    while path.peek().is_some() && path.peek() == directory.peek() {
        path.next();
        directory.next();
    }
    let up = directory.map(|_| &b".."[..]);
    let down = path.map(|component| component.as_os_str().as_encoded_bytes());
    up.chain(down).collect::<Vec<_>>().join(&b'/')
}

fn path_of(name: &[u8]) -> PathBuf {
    // A lossy name suffices, because no file has a name that the system does not support.
    paths::name_of(name).into()
}
