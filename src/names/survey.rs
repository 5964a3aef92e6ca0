//! Looks at all names below the directories of a run, and changes nothing: what becomes of each, and what is refused.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::collide::{Refusal, Wanted, settle};
use super::descent::Descent;
use super::job::{Job, Step, StepChange, as_directory};
use super::name::{Change, Context, JOURNAL, Rules, TEMPORARY_LINK, to_name};
use crate::files::identity::Identity;
use crate::files::open_directory::OpenDirectory;
use crate::files::renaming::{EntryKind, Listed};
use crate::ui::exit::Exit;
use crate::ui::quote::{quoted, reason};

/// A directory in which names were given, or which was given itself.
#[derive(Debug)]
pub struct Base {
    /// As it is shown.
    pub path: PathBuf,
    /// The names that were given; None means all.
    pub selection: Option<BTreeSet<OsString>>,
}

/// What was found.
#[derive(Default)]
pub struct Survey {
    pub jobs: Vec<Job>,
    /// What is refused: the path, and why.
    pub refusals: Vec<(PathBuf, Refusal)>,
    /// What is skipped, in words.
    pub notes: Vec<String>,
}

/// Sorts what was given by the directories in which the names are. Reports what cannot be found.
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
    // What is inside another one is found there.
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

/// Where a path leads: the resolved directory, the directory as it is shown, and the name in it, unless it is the directory
/// itself.
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

/// A directory that is being walked.
struct Frame {
    path: Vec<OsString>,
    /// The file system that it is on.
    device: Option<u64>,
    /// The directories in it that are still to be walked, in reverse order.
    below: Vec<OsString>,
    steps: Vec<(StepChange, u64, &'static str)>,
}

/// Walks the directories of a run.
pub struct Surveyor<'a> {
    rules: &'a Rules,
    links: bool,
    /// All steps below a directory are for one journal.
    is_one_job: bool,
    /// Directories that were walked.
    visited: HashSet<Identity>,
    survey: Survey,
}

impl<'a> Surveyor<'a> {
    pub fn new(rules: &'a Rules, links: bool, is_one_job: bool) -> Surveyor<'a> {
        Surveyor { rules, links, is_one_job, visited: HashSet::new(), survey: Survey::default() }
    }

    pub fn finish(self) -> Survey {
        self.survey
    }

    /// Walks one directory, or what was named in it.
    pub fn walk(&mut self, base: &Base) {
        let mut descent = match Descent::new(as_directory(&base.path)) {
            Ok(descent) => descent,
            Err(error) => return self.refuse(&base.path, OsStr::new(""), &error),
        };
        let mut job = Job { path: base.path.clone(), ..Job::default() };
        let mut frames = Vec::new();
        frames.extend(self.enter(&mut descent, &base.path, Vec::new(), None, base.selection.as_ref()));
        while let Some(frame) = frames.last_mut() {
            if let Some(name) = frame.below.pop() {
                let mut path = frame.path.clone();
                path.push(name);
                // What was named is entered on any file system.
                let is_named = frame.path.is_empty() && base.selection.is_some();
                let within = if is_named { None } else { frame.device };
                frames.extend(self.enter(&mut descent, &base.path, path, within, None));
                continue;
            }
            let Some(Frame { path, steps, .. }) = frames.pop() else { break };
            if !steps.is_empty() {
                job.directories.push(path);
            }
            for (change, inode, encoding) in steps {
                job.steps.push(Step { directory: job.directories.len() - 1, inode, encoding, change });
            }
        }
        self.survey.jobs.extend(match &base.selection {
            Some(names) if !self.is_one_job => job.split(names),
            _ => vec![job],
        });
        self.survey.jobs.retain(|job| !job.steps.is_empty());
    }

    fn refuse(&mut self, directory: &Path, name: &OsStr, error: &io::Error) {
        let refusal = Refusal { name: name.to_os_string(), reason: reason(error), exit: Exit::Failure };
        self.survey.refusals.push((directory.to_path_buf(), refusal));
    }

    /// Opens a directory, and plans the changes of the names in it. Only `within` a file system, if there is one.
    fn enter(
        &mut self,
        descent: &mut Descent,
        base: &Path,
        path: Vec<OsString>,
        within: Option<u64>,
        selection: Option<&BTreeSet<OsString>>,
    ) -> Option<Frame> {
        let shown = base.join(path.iter().collect::<PathBuf>());
        let done = descent.open(&path).and_then(|directory| {
            let identity = directory.identity()?;
            let here = directory.look_up_to_rename(OsStr::new("."))?;
            let device = here.as_ref().map(|found| found.device);
            let is_mount_point = device != within || here.is_some_and(|found| found.is_mount_point());
            if within.is_some() && is_mount_point {
                let note = "is a mount point, and was not entered; name it as PATH to convert names in it";
                self.survey.notes.push(format!("{}: {note}", quoted(shown.as_os_str())));
                return Ok(None);
            }
            // A directory of which only some names were given may be walked as a whole later.
            if selection.is_none() && !self.visited.insert(identity) {
                return Ok(None);
            }
            let frame = self.plan(&directory, &shown, path, selection)?;
            Ok(Some(Frame { device, ..frame }))
        });
        done.unwrap_or_else(|error| {
            self.refuse(&shown, OsStr::new(""), &error);
            None
        })
    }

    fn plan(
        &mut self,
        directory: &Arc<OpenDirectory>,
        shown: &Path,
        path: Vec<OsString>,
        selection: Option<&BTreeSet<OsString>>,
    ) -> io::Result<Frame> {
        let listed = directory.list()?;
        let context = self.rules.context(listed.iter().map(|one| one.name.as_encoded_bytes()));
        let (mut wanted, mut steps, mut refusals, mut below) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let is_selected = |name: &OsStr| selection.is_none_or(|names| names.contains(name));
        for Listed { name, kind } in &listed {
            if !is_selected(name) || name == ".git" || name == JOURNAL || name == TEMPORARY_LINK {
                continue;
            }
            if *kind == EntryKind::Directory {
                below.push(name.clone());
            }
            match self.rules.change(name.as_encoded_bytes(), &context) {
                Change::None => {}
                Change::Refused(reason) => {
                    refusals.push(Refusal { name: name.clone(), reason, exit: Exit::Fault });
                }
                Change::To(new, encoding) => match to_name(new) {
                    Ok(new) => wanted.push(Wanted {
                        old: name.clone(),
                        new,
                        encoding: encoding.name(),
                        inode: 0,
                        is_respelled: false,
                    }),
                    Err(reason) => refusals.push(Refusal { name: name.clone(), reason, exit: Exit::Fault }),
                },
            }
            if self.links && *kind == EntryKind::Link {
                self.plan_target(directory, name, &context, &mut steps, &mut refusals)?;
            }
        }
        let wanted = settle(directory, &listed, wanted, &mut refusals)?;
        refuse_links_in_chains(&wanted, &mut steps, &mut refusals);
        for one in wanted {
            let Wanted { old, new, encoding, inode, is_respelled } = one;
            steps.push((StepChange::Rename { old, new, is_respelled }, inode, encoding));
        }
        refusals.sort_by(|one, other| one.name.cmp(&other.name));
        self.survey.refusals.extend(refusals.into_iter().map(|refusal| (shown.to_path_buf(), refusal)));
        below.reverse();
        Ok(Frame { path, device: None, below, steps })
    }

    /// Plans the change of the target of a link: of each name in it.
    fn plan_target(
        &self,
        directory: &OpenDirectory,
        name: &OsStr,
        context: &Context,
        steps: &mut Vec<(StepChange, u64, &'static str)>,
        refusals: &mut Vec<Refusal>,
    ) -> io::Result<()> {
        let old = directory.read_target(name)?;
        let mut refuse = |reason: String, exit| {
            refusals.push(Refusal { name: name.to_os_string(), reason: format!("target: {reason}"), exit });
        };
        let (mut new, mut from) = (Vec::new(), None);
        for (number, part) in old.as_encoded_bytes().split(|byte| *byte == b'/').enumerate() {
            if number > 0 {
                new.push(b'/');
            }
            match self.rules.change(part, context) {
                _ if [&b""[..], b".", b".."].contains(&part) => new.extend_from_slice(part),
                Change::None => new.extend_from_slice(part),
                Change::To(part, encoding) => {
                    new.extend_from_slice(&part);
                    from = Some(encoding.name());
                }
                Change::Refused(reason) => {
                    refuse(reason, Exit::Fault);
                    return Ok(());
                }
            }
        }
        let Some(encoding) = from else { return Ok(()) };
        if new.len() > LONGEST_TARGET {
            refuse(format!("the new target would have {} bytes", new.len()), Exit::Fault);
            return Ok(());
        }
        if let Err(error) = directory.rights() {
            refuse(format!("cannot be changed: {}", reason(&error)), Exit::Failure);
            return Ok(());
        }
        if directory.look_up(OsStr::new(TEMPORARY_LINK))?.is_some() {
            refuse(format!("{TEMPORARY_LINK} is in the way; remove it"), Exit::Failure);
            return Ok(());
        }
        match to_name(new) {
            Ok(new) => {
                let inode = directory.look_up(name)?.map_or(0, |found| found.inode);
                let change = StepChange::Retarget { name: name.to_os_string(), old, new };
                steps.push((change, inode, encoding));
            }
            Err(reason) => refuse(reason, Exit::Fault),
        }
        Ok(())
    }
}

/// Refuses to change the targets of links whose old name is the new name of another file, or the reverse: a link with another
/// target is another file, which a later run could not recognize.
fn refuse_links_in_chains(
    wanted: &[Wanted],
    steps: &mut Vec<(StepChange, u64, &'static str)>,
    refusals: &mut Vec<Refusal>,
) {
    if steps.is_empty() {
        return;
    }
    let old: BTreeSet<_> = wanted.iter().map(|one| &one.old).collect();
    let new: BTreeSet<_> = wanted.iter().map(|one| &one.new).collect();
    let is_in_chain = |one: &Wanted| new.contains(&one.old) || old.contains(&one.new);
    let chained: BTreeSet<_> = wanted.iter().filter(|one| is_in_chain(one)).map(|one| &one.old).collect();
    steps.retain(|(change, ..)| {
        let StepChange::Retarget { name, .. } = change else { return true };
        let is_refused = chained.contains(name);
        if is_refused {
            let reason =
                "target: its name is in a chain of new names; rename without --links first".to_string();
            refusals.push(Refusal { name: name.clone(), reason, exit: Exit::Fault });
        }
        !is_refused
    });
}

/// The longest target of a link on Linux.
const LONGEST_TARGET: usize = 4095;
