//! Plans the new name of each file below the given directories, and collects refusals. Changes nothing.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Component, Path, PathBuf};

use utfconv_core::Encoding;

use super::collide::{Refusal, settle};
use super::descent::Descent;
use super::job::{Directory, Job, Step, StepKind, as_directory};
use super::name::{Context, MANIFEST_NAME, NewName, Rules, TEMPORARY_LINK, to_name};
use crate::files::identity::Identity;
use crate::files::open_directory::OpenDirectory;
use crate::files::paths::{absolute, step};
use crate::files::renaming::{EntryKind, Listed};
use crate::ui::exit::Exit;
use crate::ui::quote::{quoted, reason};

/// A given directory, or the directory that contains given names.
#[derive(Debug)]
pub struct Base {
    /// The directory, as messages show it.
    pub path: PathBuf,
    /// The given names in the directory; `None` if the directory itself was given.
    pub selection: Option<BTreeSet<OsString>>,
}

/// The result of a survey.
#[derive(Default)]
pub struct Survey {
    pub jobs: Vec<Job>,
    /// Directories of refused names, with the names and reasons.
    pub refusals: Vec<(PathBuf, Refusal)>,
    /// Messages about skipped entries.
    pub notes: Vec<String>,
    /// Number of names that seem to be double-encoded and are not repaired.
    pub double_encoded: u64,
    /// Directory and name of the first name that seems to be double-encoded and is not repaired.
    pub first_doubtful: Option<(PathBuf, Doubtful)>,
    /// Number of names that a program for zip archives read as IBM437. `first_unpacked` has the directory of the first
    /// such name, and the encoding of the names.
    pub unpacked: u64,
    pub first_unpacked: Option<(PathBuf, &'static Encoding)>,
    /// Number of names that have U+FFFD, which programs write for bytes that they cannot decode.
    pub lossy: u64,
    /// Path of the first name with U+FFFD.
    pub first_lossy: Option<PathBuf>,
    /// Number of symbolic links whose targets stay but contain names that change.
    pub broken_links: u64,
}

impl Survey {
    fn add(&mut self, other: Survey) {
        self.jobs.extend(other.jobs);
        self.refusals.extend(other.refusals);
        self.notes.extend(other.notes);
        self.double_encoded += other.double_encoded;
        self.first_doubtful = self.first_doubtful.take().or(other.first_doubtful);
        self.unpacked += other.unpacked;
        self.first_unpacked = self.first_unpacked.take().or(other.first_unpacked);
        self.lossy += other.lossy;
        self.first_lossy = self.first_lossy.take().or(other.first_lossy);
        self.broken_links += other.broken_links;
    }
}

/// A name that seems to be double-encoded and is not repaired.
pub struct Doubtful {
    pub name: OsString,
    /// Probable original name.
    pub original: Option<String>,
    /// Whether another file has the original name.
    pub is_taken: bool,
}

impl Doubtful {
    fn new(name: &OsStr, listed: &[Listed], context: &Context) -> Doubtful {
        let original = context.original(name).map(str::to_string);
        let is_original = |one: &Listed| one.name.to_str() == original.as_deref();
        let is_taken = original.is_some() && listed.iter().any(is_original);
        Doubtful { name: name.to_os_string(), original, is_taken }
    }
}

/// Groups the arguments by directory. Missing files are added to `errors`.
pub fn bases(paths: &[OsString], errors: &mut Vec<String>) -> Vec<Base> {
    let mut found: BTreeMap<PathBuf, Base> = BTreeMap::new();
    for path in paths {
        match locate(Path::new(path)) {
            Ok((real, shown, None)) => {
                found.insert(real, Base { path: shown, selection: None });
            }
            Ok((real, shown, Some(name))) => {
                let base =
                    found.entry(real).or_insert(Base { path: shown, selection: Some(BTreeSet::new()) });
                if let Some(names) = &mut base.selection {
                    names.insert(name);
                }
            }
            Err(error) => errors.push(format!("{}: {}", quoted(path), reason(&error))),
        }
    }
    // Drop arguments inside other arguments, because the walk of the outer argument finds them.
    let inside = |real: &Path| {
        real.ancestors().skip(1).zip(real.ancestors()).any(|(above, below)| match found.get(above) {
            Some(Base { selection: Some(names), .. }) => {
                below.file_name().is_some_and(|name| names.contains(name))
            }
            Some(_) => true,
            None => false,
        })
    };
    let covered: HashSet<PathBuf> = found.keys().filter(|real| inside(real)).cloned().collect();
    found.into_iter().filter(|(real, _)| !covered.contains(real)).map(|(_, base)| base).collect()
}

/// Resolves an argument. Returns the canonical directory, the directory as messages show it, and the name in the
/// directory. The name is `None` if the argument is the directory itself.
fn locate(path: &Path) -> io::Result<(PathBuf, PathBuf, Option<OsString>)> {
    let bytes = path.as_os_str().as_encoded_bytes();
    let ends_in_separator = bytes.last().is_some_and(|last| std::path::is_separator(char::from(*last)));
    let name = match path.components().next_back() {
        Some(Component::Normal(name)) if !bytes.ends_with(b"/.") => Some(name.to_os_string()),
        _ => None,
    };
    let bare: PathBuf = path.components().collect();
    let Some(name) = name.filter(|_| !(ends_in_separator && bare.is_symlink())) else {
        if !path.metadata()?.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        return Ok((path.canonicalize()?, path.to_path_buf(), None));
    };
    let metadata = bare.symlink_metadata()?;
    if ends_in_separator && !metadata.is_dir() {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    let parent = bare.parent().unwrap_or(Path::new("")).to_path_buf();
    let real = if parent.as_os_str().is_empty() { Path::new(".") } else { &parent }.canonicalize()?;
    Ok((real, parent, Some(name)))
}

/// A directory on the current path of the walk.
#[derive(Default)]
struct Frame {
    /// Name in the parent; empty for the directory of the job.
    name: OsString,
    /// Index in the job; `None` until the directory, or a directory below, has a step.
    number: Option<usize>,
    /// Device of the directory's file system.
    device: Option<u64>,
    /// Names of the subdirectories that are still to be walked, in reverse order.
    below: Vec<OsString>,
    /// Planned steps in the directory, until its index is known.
    steps: Vec<Step>,
}

/// Returns the index in the job of the last of `frames`. First adds the frames that are not in the job yet.
fn number(frames: &mut [Frame], job: &mut Job) -> usize {
    let numbered = frames.iter().rposition(|frame| frame.number.is_some());
    let mut above = numbered.and_then(|last| frames[last].number);
    for frame in &mut frames[numbered.map_or(0, |last| last + 1)..] {
        // The first frame is the job's own directory, which has index 0 already.
        if above.is_some() {
            job.directories.push(Directory { above, name: frame.name.clone() });
        }
        above = Some(job.directories.len() - 1);
        frame.number = above;
    }
    above.unwrap_or(0)
}

/// Returns the path of the last of `frames`, as messages show it.
fn shown(base: &Base, frames: &[Frame]) -> PathBuf {
    let mut path = base.path.clone();
    path.extend(frames.iter().skip(1).map(|frame| &frame.name));
    path
}

/// Walks the directories of a run, and plans the steps.
pub struct Surveyor<'a> {
    rules: &'a Rules,
    /// Whether targets of symbolic links are converted, too.
    links: bool,
    /// Whether all steps below a directory belong to one job, because they share a manifest.
    is_one_job: bool,
    /// Directories that were walked, because links and mounts can lead to a directory twice.
    visited: HashSet<Identity>,
    /// Symbolic links whose targets do not change: the directory and the target of each.
    kept: Vec<(PathBuf, PathBuf)>,
    survey: Survey,
}

impl<'a> Surveyor<'a> {
    pub fn new(rules: &'a Rules, links: bool, is_one_job: bool) -> Surveyor<'a> {
        let (visited, kept) = (HashSet::new(), Vec::new());
        Surveyor { rules, links, is_one_job, visited, kept, survey: Survey::default() }
    }

    pub fn finish(mut self) -> Survey {
        if !self.kept.is_empty() {
            let current = std::env::current_dir().unwrap_or_default();
            let renamed = self.survey.jobs.iter().flat_map(|job| renamed(&current, job)).collect();
            let is_broken = |(directory, target): &&(PathBuf, PathBuf)| {
                leads_through(&absolute(&current, directory), target, &renamed)
            };
            self.survey.broken_links = self.kept.iter().filter(is_broken).count() as u64;
        }
        self.survey
    }

    /// Walks a directory, or the given names in it.
    pub fn walk(&mut self, base: &Base) {
        let mut descent = match Descent::new(as_directory(&base.path)) {
            Ok(descent) => descent,
            Err(error) => return self.refuse(&base.path, &error),
        };
        let mut job = Job::new(base.path.clone());
        let mut frames = Vec::new();
        self.enter(&descent, base, &mut frames, OsString::new());
        while let Some(frame) = frames.last_mut() {
            if let Some(name) = frame.below.pop() {
                self.walk_down(&mut descent, base, &mut frames, name);
                continue;
            }
            let steps = std::mem::take(&mut frame.steps);
            if !steps.is_empty() {
                let directory = number(&mut frames, &mut job);
                job.steps.extend(steps.into_iter().map(|step| Step { directory, ..step }));
            }
            frames.pop();
            self.walk_up(&mut descent, base, &mut frames);
        }
        self.survey.jobs.extend(match &base.selection {
            Some(names) if !self.is_one_job => job.split(names),
            _ => vec![job],
        });
        self.survey.jobs.retain(|job| !job.steps.is_empty());
    }

    fn refuse(&mut self, directory: &Path, error: &io::Error) {
        let refusal = Refusal { name: OsString::new(), reason: reason(error), exit: Exit::Failure };
        self.survey.refusals.push((directory.to_path_buf(), refusal));
    }

    /// Descends to the subdirectory `name` of the last frame.
    fn walk_down(&mut self, descent: &mut Descent, base: &Base, frames: &mut Vec<Frame>, name: OsString) {
        if let Err(error) = descent.down(&name) {
            return self.refuse(&shown(base, frames).join(name), &error);
        }
        let depth = frames.len();
        self.enter(descent, base, frames, name);
        if frames.len() == depth {
            self.walk_up(descent, base, frames);
        }
    }

    /// Ascends to the last frame. If that fails, the walk of this base ends.
    fn walk_up(&mut self, descent: &mut Descent, base: &Base, frames: &mut Vec<Frame>) {
        if let Err(error) = descent.up() {
            self.refuse(&shown(base, frames), &error);
            frames.clear();
        }
    }

    /// Pushes the current directory, whose name is `name`, to `frames`, unless it is to be skipped.
    fn enter(&mut self, descent: &Descent, base: &Base, frames: &mut Vec<Frame>, name: OsString) {
        frames.push(Frame { name, ..Frame::default() });
        let is_entered = self.look(descent.here(), base, frames).unwrap_or_else(|error| {
            self.refuse(&shown(base, frames), &error);
            false
        });
        if !is_entered {
            frames.pop();
        }
    }

    /// Plans the changes of the names in the last frame's directory. Returns false if the directory is to be skipped.
    fn look(&mut self, directory: &OpenDirectory, base: &Base, frames: &mut [Frame]) -> io::Result<bool> {
        let identity = directory.identity()?;
        let here = directory.look_up_to_rename(OsStr::new("."))?;
        let device = here.as_ref().map(|found| found.device);
        // A given directory is entered whatever its file system.
        let above = frames.len().checked_sub(2).filter(|above| *above > 0 || base.selection.is_none());
        let within = above.and_then(|above| frames[above].device);
        let is_mount_point = device != within || here.is_some_and(|found| found.is_mount_point());
        if within.is_some() && is_mount_point {
            let note = "is a mount point, and was not entered; name it as PATH to convert names in it";
            self.survey.notes.push(format!("{}: {note}", quoted(shown(base, frames))));
            return Ok(false);
        }
        let selection = base.selection.as_ref().filter(|_| frames.len() == 1);
        // A directory in which only some names were given may be walked as a whole later, so it is not marked as
        // visited.
        if selection.is_none() && !self.visited.insert(identity) {
            return Ok(false);
        }
        let planned = self.plan(directory, &shown(base, frames), selection)?;
        if let Some(frame) = frames.last_mut() {
            (frame.below, frame.steps) = planned;
            frame.device = device;
        }
        Ok(true)
    }

    /// Plans the changes of the names in a directory, whose shown path is `path`. Returns the names of the
    /// subdirectories, in reverse order, and the steps. Also collects refusals and warnings.
    fn plan(
        &mut self,
        directory: &OpenDirectory,
        path: &Path,
        selection: Option<&BTreeSet<OsString>>,
    ) -> io::Result<(Vec<OsString>, Vec<Step>)> {
        // Collected separately, because the entries of a directory do not count if the directory is refused as a whole.
        let (mut found, mut kept, mut refusals) = (Survey::default(), Vec::new(), Vec::new());
        let listed = directory.list()?;
        let context = self.rules.context(listed.iter().map(|one| one.name.as_encoded_bytes()));
        let (mut wanted, mut steps, mut below) = (Vec::new(), Vec::new(), Vec::new());
        let is_selected = |name: &OsStr| selection.is_none_or(|names| names.contains(name));
        for Listed { name, kind } in &listed {
            if !is_selected(name) || name == ".git" || name == MANIFEST_NAME || name == TEMPORARY_LINK {
                continue;
            }
            if *kind == EntryKind::Directory {
                below.push(name.clone());
            }
            if name.to_str().is_some_and(|name| name.contains('\u{FFFD}')) {
                found.lossy += 1;
                found.first_lossy.get_or_insert_with(|| path.join(name));
            }
            let change = self.rules.change(name.as_encoded_bytes(), &context);
            let unpacked = context.unpacked(name);
            match change {
                Ok(None) if unpacked.is_some() => {
                    found.unpacked += 1;
                    let first = unpacked.map(|encoding| (path.to_path_buf(), encoding));
                    found.first_unpacked = found.first_unpacked.or(first);
                }
                Ok(None) if context.is_double_encoded(name) => {
                    found.double_encoded += 1;
                    let doubtful = || (path.to_path_buf(), Doubtful::new(name, &listed, &context));
                    found.first_doubtful.get_or_insert_with(doubtful);
                }
                Ok(None) => {}
                Ok(Some(NewName { name: new, from })) => {
                    let (old, encoding, kind) = (name.clone(), from.name(), StepKind::Rename);
                    wanted.push(Step { directory: 0, inode: 0, encoding, old, new, kind });
                }
                Err(reason) => refusals.push(Refusal { name: name.clone(), reason, exit: Exit::Fault }),
            }
            match kind {
                EntryKind::Link if self.links => {
                    plan_target(self.rules, directory, name, &context, &mut steps, &mut refusals)?
                }
                EntryKind::Link => {
                    let target = directory.read_target(name).map(PathBuf::from);
                    kept.extend(target.map(|target| (path.to_path_buf(), target)));
                }
                _ => {}
            }
        }
        let wanted = settle(directory, &listed, wanted, &mut refusals)?;
        refuse_links_in_chains(&wanted, &mut steps, &mut refusals);
        steps.extend(wanted);
        refusals.sort_by(|one, other| one.name.cmp(&other.name));
        found.refusals.extend(refusals.into_iter().map(|refusal| (path.to_path_buf(), refusal)));
        self.survey.add(found);
        self.kept.extend(kept);
        below.reverse();
        Ok((below, steps))
    }
}

/// Plans the change of the target of the symbolic link `name`.
fn plan_target(
    rules: &Rules,
    directory: &OpenDirectory,
    name: &OsStr,
    context: &Context,
    steps: &mut Vec<Step>,
    refusals: &mut Vec<Refusal>,
) -> io::Result<()> {
    let old = directory.read_target(name)?;
    let mut refuse = |reason: String, exit| {
        refusals.push(Refusal { name: name.to_os_string(), reason: format!("target: {reason}"), exit });
    };
    let NewName { name: new, from } = match new_target(rules, &old, context) {
        Ok(None) => return Ok(()),
        Ok(Some(changed)) => changed,
        Err(reason) => {
            refuse(reason, Exit::Fault);
            return Ok(());
        }
    };
    if let Err(error) = directory.rights() {
        refuse(format!("cannot be changed: {}", reason(&error)), Exit::Failure);
    } else if directory.look_up(OsStr::new(TEMPORARY_LINK))?.is_some() {
        refuse(format!("{TEMPORARY_LINK} is left by an earlier run; delete it"), Exit::Failure);
    } else {
        let inode = directory.look_up(name)?.map_or(0, |found| found.inode);
        let kind = StepKind::Retarget(name.to_os_string());
        steps.push(Step { directory: 0, inode, encoding: from.name(), old, new, kind });
    }
    Ok(())
}

/// Returns the new target of a link; `None` if no name in the target changes.
fn new_target(rules: &Rules, old: &OsStr, context: &Context) -> Result<Option<NewName>, String> {
    let (mut parts, mut from) = (Vec::new(), None);
    for part in old.as_encoded_bytes().split(|byte| *byte == b'/') {
        let changed = match part {
            b"" | b"." | b".." => None,
            _ => rules.change(part, context)?,
        };
        from = changed.as_ref().map(|changed| changed.from).or(from);
        parts.push(changed.map_or_else(|| part.to_vec(), |changed| changed.name.as_encoded_bytes().to_vec()));
    }
    let Some(from) = from else { return Ok(None) };
    let new = parts.join(&b'/');
    match new.len() {
        len if len > LONGEST_TARGET => Err(format!("the new target would have {len} bytes")),
        _ => Ok(Some(NewName { name: to_name(new)?, from })),
    }
}

/// Refuses new targets for links in a chain, where the name of one file is the new name of another. A link with a new
/// target has a new inode, so a later run could not tell the files of the chain apart.
fn refuse_links_in_chains(wanted: &[Step], steps: &mut Vec<Step>, refusals: &mut Vec<Refusal>) {
    if steps.is_empty() {
        return;
    }
    let old: BTreeSet<_> = wanted.iter().map(|one| &one.old).collect();
    let new: BTreeSet<_> = wanted.iter().map(|one| &one.new).collect();
    let is_in_chain = |one: &Step| new.contains(&one.old) || old.contains(&one.new);
    let chained: BTreeSet<_> = wanted.iter().filter(|one| is_in_chain(one)).map(|one| &one.old).collect();
    steps.retain(|step| {
        let StepKind::Retarget(name) = &step.kind else { return true };
        let is_refused = chained.contains(name);
        if is_refused {
            let reason =
                "target: its name is in a chain of new names; rename without --links first".to_string();
            refusals.push(Refusal { name: name.clone(), reason, exit: Exit::Fault });
        }
        !is_refused
    });
}

/// Returns the absolute old paths of the files that `job` renames.
fn renamed(current: &Path, job: &Job) -> impl Iterator<Item = PathBuf> {
    job.steps.iter().filter(|step| step.is_rename()).map(|step| absolute(current, &job.path_of(step)))
}

/// Whether the target of a link in the absolute path `directory` contains a name that changes.
fn leads_through(directory: &Path, target: &Path, renamed: &HashSet<PathBuf>) -> bool {
    let mut path = directory.to_path_buf();
    target.components().any(|component| {
        step(&mut path, component);
        matches!(component, Component::Normal(_)) && renamed.contains(&path)
    })
}

/// Maximum length of a link target on Linux, in bytes.
const LONGEST_TARGET: usize = 4095;
