//! Carries out the steps of a job, or undoes them. The directories show the steps that are done, so that a run
//! continues an earlier one.

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
    /// Returns the name, or the target, that a step changes in this direction, and what it becomes.
    pub fn turned(self, step: &Step) -> [&OsStr; 2] {
        match self {
            Direction::Forward => [&step.old, &step.new],
            Direction::Back => [&step.new, &step.old],
        }
    }
}

/// The outcome of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepOutcome {
    Changed,
    /// It was done before.
    Already,
    /// There is no file of either name.
    Gone,
}

/// Does all steps; stops at the first one that fails. Each outcome goes to `report`.
pub fn carry_out(
    job: &Job,
    descent: &mut Descent,
    direction: Direction,
    mut report: impl FnMut(&Step, StepOutcome),
) -> io::Result<()> {
    let index = Index::of(job);
    let steps: Box<dyn Iterator<Item = &Step>> = match direction {
        Direction::Forward => Box::new(job.steps.iter()),
        Direction::Back => Box::new(job.steps.iter().rev()),
    };
    let mut route = Route::new(&index, descent)?;
    for step in steps {
        let done = route.open(step.directory).and_then(|directory| match directory {
            Some(directory) => index.change(&directory, step, direction),
            None => Ok(StepOutcome::Gone),
        });
        let context = || quoted(job.path_of(step).as_os_str());
        report(step, done.map_err(|error| with_context(&error, &context()))?);
    }
    Ok(())
}

/// Makes all changes of names last through a power cut: those of the file system or, where the system cannot, those of each
/// directory.
pub fn sync(job: &Job, descent: &mut Descent) -> io::Result<()> {
    let failed =
        |directory: &OpenDirectory, error| with_context(&error, &quoted(directory.path().as_os_str()));
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

/// Recognizes the files of a job, whichever of their names they have.
///
/// In a chain, a name is the old one of one file and the new one of another. Then the inode must be that of the step.
/// Otherwise the name is enough, as not every file system keeps inode numbers.
struct Index<'a> {
    job: &'a Job,
    /// The renames, by their directories and the old names.
    renames: HashMap<(usize, &'a OsStr), &'a Step>,
    /// Names that two files have, one before the run and one after it.
    shared: HashSet<(usize, &'a OsStr)>,
    /// The inodes of the renamed files. A link with a new target is a new link, whose old inode another file may have
    /// got: it is not listed.
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

    /// Whether the file that was found under a name is that of the step.
    fn is_it(&self, step: &Step, name: &OsStr, found: &EntryInfo) -> bool {
        step.inode == 0 || found.inode == step.inode || !self.shared.contains(&(step.directory, name))
    }

    /// Returns the name that a directory of the job has by now in the one above it; None if it is gone.
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
                // Links are renamed when all of a directory have their new targets.
                Some(Step { new, .. })
                    if directory.look_up(name)?.is_none() && directory.look_up(new)?.is_some() =>
                {
                    retarget(directory, new, from, to)
                }
                _ => retarget(directory, name, from, to),
            },
        }
    }

    /// Renames the file of a step.
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
            // Files with its names belong to other steps.
            _ => return Ok(StepOutcome::Gone),
        };
        // Numbers show which is which, where there are any.
        let is_file = |found: &EntryInfo| step.inode != 0 && found.inode == step.inode;
        // An empty file or directory may hold a name for a moment. Files of other steps do not.
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
            // The file system has no rename that never replaces. So a file has both names for a moment, or takes its
            // new name from an empty file, as a directory does.
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
            // The old name is another file's by now, as in a chain of names.
            (false, true) => Ok(StepOutcome::Already),
            _ => Err(taken_error(to, &io::ErrorKind::AlreadyExists.into())),
        }
    }

    /// Whether a file has more names in a directory than steps, so that one is left from an interrupted rename. If it
    /// has as many, they are its hard links, and each of them has a step.
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

/// Goes from directory to directory of a job, whichever of their names they have.
struct Route<'a> {
    index: &'a Index<'a>,
    descent: &'a mut Descent,
    /// The numbers of the directories from the root down to the one that is open.
    path: Vec<usize>,
    is_on_path: Vec<bool>,
}

impl<'a> Route<'a> {
    fn new(index: &'a Index<'a>, descent: &'a mut Descent) -> io::Result<Route<'a>> {
        descent.open(&[])?;
        let mut is_on_path = vec![false; index.job.directories.len()];
        is_on_path[0] = true;
        Ok(Route { index, descent, path: vec![0], is_on_path })
    }

    /// Opens a directory; None if it is gone.
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

/// Both names lead to the file: only a list of all names shows which it has.
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
    // A run that was killed may have left its link.
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
