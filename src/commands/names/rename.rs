//! Does or undoes the steps of a job. The names on disk show which steps are done already, so an interrupted run can be
//! continued.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::io;
use std::sync::Arc;

use super::descent::Descent;
use super::job::{Directory, Job, Step, StepKind};
use super::name::TEMPORARY_LINK;
use crate::files::open_directory::OpenDirectory;
use crate::files::renaming::{EntryInfo, EntryKind};
use crate::ui::quote::{quoted, reason, with_context};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Forward,
    Back,
}

impl Direction {
    /// Returns the name or target before `step` and after it, in this direction.
    pub fn turned(self, step: &Step) -> [&OsStr; 2] {
        match self {
            Direction::Forward => [&step.old, &step.new],
            Direction::Back => [&step.new, &step.old],
        }
    }
}

/// What a step has done with its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepOutcome {
    Changed,
    /// An earlier run did the step.
    Already,
    /// No file has the old or the new name.
    Gone,
}

/// Does or undoes all steps in order, and passes each outcome to `report`. Stops at the first error.
pub fn carry_out(
    job: &Job,
    descent: &mut Descent,
    direction: Direction,
    mut report: impl FnMut(&Step, StepOutcome),
) -> io::Result<()> {
    let index = Index::of(job);
    let mut steps: Vec<_> = job.steps.iter().collect();
    if direction == Direction::Back {
        steps.reverse();
    }
    let mut route = Route::new(&index, descent)?;
    for step in steps {
        let change = |directory: Arc<_>| index.change(&directory, step, direction);
        let done = route.open(step.directory);
        let done = done.and_then(|directory| directory.map_or(Ok(StepOutcome::Gone), change));
        report(step, done.map_err(|error| with_context(&error, &quoted(job.path_of(step))))?);
    }
    Ok(())
}

/// Syncs all changes of names to disk: the whole file system or, where the system has no such call, each changed
/// directory.
pub fn sync(job: &Job, descent: &mut Descent) -> io::Result<()> {
    let failed = |directory: &OpenDirectory, error| with_context(&error, &quoted(directory.path()));
    let root = descent.root().clone();
    if root.sync_file_system().map_err(|error| failed(&root, error))? {
        return Ok(());
    }
    let index = Index::of(job);
    let mut route = Route::new(&index, descent)?;
    for steps in job.steps.chunk_by(|one, next| one.directory == next.directory) {
        if let Some(directory) = route.open(steps[0].directory)? {
            directory.sync().map_err(|error| failed(&directory, error))?;
        }
    }
    Ok(())
}

/// Identifies the files of a job, whether they have their old or new names.
///
/// In a chain, a name is the old name of one file and the new name of another, so the inode must match the step. For
/// other names, the name is enough, because not every file system keeps inode numbers.
struct Index<'a> {
    job: &'a Job,
    /// Renames, keyed by the index of the directory and the old name.
    renames: HashMap<(usize, &'a OsStr), &'a Step>,
    /// Names that two files have, one file before the run and the other after it.
    shared: HashSet<(usize, &'a OsStr)>,
    /// Inodes of the renamed files. A link with a new target is left out, because it is a new link, and another file
    /// may have its old inode.
    files: HashSet<u64>,
}

impl<'a> Index<'a> {
    fn of(job: &'a Job) -> Index<'a> {
        let (named, links): (Vec<_>, Vec<_>) = job.steps.iter().partition(|step| step.is_rename());
        let by_old_name = named.iter().map(|step| ((step.directory, step.old.as_os_str()), *step));
        let renames: HashMap<_, _> = by_old_name.collect();
        let shared = named.iter().map(|step| (step.directory, step.new.as_os_str()));
        let shared = shared.filter(|name| renames.contains_key(name)).collect();
        let retargeted: HashSet<_> = links.iter().map(|step| step.inode).collect();
        let files = named.iter().map(|step| step.inode).filter(|inode| !retargeted.contains(inode)).collect();
        Index { job, renames, shared, files }
    }

    /// Whether the file `found`, which has the name `name`, is the file of `step`.
    fn is_it(&self, step: &Step, name: &OsStr, found: &EntryInfo) -> bool {
        step.inode == 0 || found.inode == step.inode || !self.shared.contains(&(step.directory, name))
    }

    /// Returns the current name of a directory of the job in its parent `above`; `None` if the directory was removed.
    fn name_of(&self, above: &OpenDirectory, directory: usize) -> io::Result<Option<&'a OsStr>> {
        let Directory { above: number, name } = &self.job.directories[directory];
        let step = number.and_then(|number| self.renames.get(&(number, name.as_os_str())));
        let Some(step) = step else { return Ok(Some(name)) };
        for name in [&step.old, &step.new] {
            if above.look_up(name)?.is_some_and(|found| self.is_it(step, name, &found)) {
                return Ok(Some(name));
            }
        }
        Ok(None)
    }

    fn change(
        &self,
        directory: &OpenDirectory,
        step: &Step,
        direction: Direction,
    ) -> io::Result<StepOutcome> {
        let [from, to] = direction.turned(step);
        match &step.kind {
            StepKind::Respell => respell(directory, from, to),
            StepKind::Rename => self.rename(directory, from, to, step),
            StepKind::Retarget(name) => match self.renames.get(&(step.directory, name.as_os_str())) {
                // A link is renamed after all links in its directory have their new targets. If the rename is done, the
                // link has its new name.
                Some(Step { new, .. })
                    if directory.look_up(name)?.is_none() && directory.look_up(new)?.is_some() =>
                {
                    retarget(directory, new, from, to)
                }
                _ => retarget(directory, name, from, to),
            },
        }
    }

    /// Renames the file of `step` from `from` to `to`.
    fn rename(
        &self,
        directory: &OpenDirectory,
        from: &OsStr,
        to: &OsStr,
        step: &Step,
    ) -> io::Result<StepOutcome> {
        let is_it = |name: &OsStr, found: &EntryInfo| self.is_it(step, name, found);
        let (there, taken) = match (directory.look_up(from)?, directory.look_up(to)?) {
            (None, Some(taken)) if is_it(to, &taken) => return Ok(StepOutcome::Already),
            (Some(there), None) if is_it(from, &there) => return renamed(directory, from, to),
            (Some(there), Some(taken)) if is_it(from, &there) || is_it(to, &taken) => (there, taken),
            // Files that have these names belong to other steps.
            _ => return Ok(StepOutcome::Gone),
        };
        // If inodes are known, they show which file is that of the step.
        let is_file = |found: &EntryInfo| step.inode != 0 && found.inode == step.inode;
        // A rename may place an empty file or directory as a placeholder for a moment. A file of another step is no
        // placeholder.
        let is_placeholder = |name: &OsStr, found: &EntryInfo, of: &EntryInfo| {
            let is_of_a_step = match found.inode {
                0 => self.shared.contains(&(step.directory, name)),
                inode => self.files.contains(&inode),
            };
            let is_empty = match of.kind {
                EntryKind::Directory => found.kind == EntryKind::Directory,
                _ => found.is_empty_file,
            };
            is_empty && !is_of_a_step
        };
        let remove = |name: &OsStr, found: &EntryInfo| match found.kind {
            EntryKind::Directory => directory.remove_empty(name),
            _ => directory.remove_name(name),
        };
        match (is_file(&there), is_file(&taken)) {
            // Without an atomic rename that never replaces, an interrupted rename leaves a file with both names, or a
            // placeholder under the other name.
            (true, true) if there.kind != EntryKind::Directory => {
                if !self.has_name_too_many(directory, step)? {
                    return Ok(StepOutcome::Already);
                }
                directory.remove_name(from)?;
                Ok(StepOutcome::Changed)
            }
            (true, false) if is_placeholder(to, &taken, &there) => {
                remove(to, &taken).map_err(|error| taken_error(to, &error))?;
                renamed(directory, from, to)
            }
            (false, true) if is_placeholder(from, &there, &taken) => {
                remove(from, &there).map_err(|error| taken_error(from, &error))?;
                Ok(StepOutcome::Already)
            }
            // In a chain, the old name may already be the new name of another file.
            (false, true) => Ok(StepOutcome::Already),
            _ => Err(taken_error(to, &io::ErrorKind::AlreadyExists.into())),
        }
    }

    /// True if a file has more names in a directory than steps, because an interrupted rename left one of the names.
    /// Hard links have a step for each name.
    fn has_name_too_many(&self, directory: &OpenDirectory, step: &Step) -> io::Result<bool> {
        let (mut steps, mut names) = (0, HashSet::new());
        for other in self.job.steps.iter().filter(|other| other.is_rename()) {
            if (other.directory, other.inode) == (step.directory, step.inode) {
                steps += 1;
                for name in [&other.old, &other.new] {
                    if directory.look_up(name)?.is_some_and(|found| found.inode == step.inode) {
                        names.insert(name);
                    }
                }
            }
        }
        Ok(names.len() > steps)
    }
}

/// Moves between the directories of a job, whether they have their old or new names.
struct Route<'a> {
    index: &'a Index<'a>,
    descent: &'a mut Descent,
    /// Indices of the directories from the root down to the current directory.
    path: Vec<usize>,
    /// For each directory of the job, whether it is in `path`.
    is_on_path: Vec<bool>,
}

impl<'a> Route<'a> {
    fn new(index: &'a Index<'a>, descent: &'a mut Descent) -> io::Result<Route<'a>> {
        descent.open(&[])?;
        let mut is_on_path = vec![false; index.job.directories.len()];
        is_on_path[0] = true;
        Ok(Route { index, descent, path: vec![0], is_on_path })
    }

    /// Opens a directory of the job; `None` if it was removed.
    fn open(&mut self, directory: usize) -> io::Result<Option<Arc<OpenDirectory>>> {
        let (mut below, mut next) = (Vec::new(), directory);
        while !self.is_on_path[next] {
            below.push(next);
            next = self.index.job.directories[next].above.unwrap_or(0);
        }
        while let Some(left) = self.path.pop_if(|last| *last != next) {
            self.is_on_path[left] = false;
            self.descent.up()?;
        }
        for next in below.into_iter().rev() {
            let Some(name) = self.index.name_of(self.descent.here(), next)? else { return Ok(None) };
            match self.descent.down(name) {
                Ok(()) => self.path.push(next),
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(error),
            }
            self.is_on_path[next] = true;
        }
        Ok(Some(self.descent.here().clone()))
    }
}

fn renamed(directory: &OpenDirectory, from: &OsStr, to: &OsStr) -> io::Result<StepOutcome> {
    match directory.rename_new(from, to) {
        Ok(()) => Ok(StepOutcome::Changed),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(taken_error(to, &error)),
        Err(error) => Err(error),
    }
}

fn taken_error(name: &OsStr, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot be renamed to {}: {}", quoted(name), reason(error)))
}

/// Changes a name to a spelling that the file system treats as the same name. The directory is listed, because a lookup
/// finds the file under both spellings.
fn respell(directory: &OpenDirectory, from: &OsStr, to: &OsStr) -> io::Result<StepOutcome> {
    let listed = directory.list()?;
    let has = |name: &OsStr| listed.iter().any(|one| one.name == *name);
    match (has(from), has(to)) {
        (_, true) => Ok(StepOutcome::Already),
        (true, false) => {
            directory.respell(from, to)?;
            Ok(StepOutcome::Changed)
        }
        (false, false) => Ok(StepOutcome::Gone),
    }
}

fn retarget(directory: &OpenDirectory, name: &OsStr, from: &OsStr, to: &OsStr) -> io::Result<StepOutcome> {
    let temporary = OsStr::new(TEMPORARY_LINK);
    // A run that was killed may have left its temporary link.
    if let Some(left) = directory.look_up(temporary)?
        && left.kind == EntryKind::Link
        && [from, to].contains(&directory.read_target(temporary)?.as_os_str())
    {
        directory.remove_name(temporary)?;
    }
    match directory.look_up(name)? {
        None => return Ok(StepOutcome::Gone),
        Some(found) if found.kind != EntryKind::Link => {
            return Err(io::Error::other("is no longer a symbolic link"));
        }
        Some(_) => {}
    }
    let target = directory.read_target(name)?;
    if target == *to {
        return Ok(StepOutcome::Already);
    }
    if target != *from {
        return Err(io::Error::other("is a symbolic link with another target by now"));
    }
    directory.retarget(name, to, temporary)?;
    Ok(StepOutcome::Changed)
}
