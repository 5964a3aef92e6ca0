//! Does the steps of a job, or takes them back. What is done already is seen in the directories, so that both continue
//! what another run began.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::sync::Arc;

use super::descent::Descent;
use super::job::{Job, Step, StepChange};
use super::name::TEMPORARY_LINK;
use crate::files::open_directory::OpenDirectory;
use crate::files::renaming::{EntryKind, Found};
use crate::ui::quote::{quoted, reason, with_context};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Forward,
    Back,
}

/// What came of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
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
    mut report: impl FnMut(&Step, Outcome),
) -> io::Result<()> {
    let steps: Box<dyn Iterator<Item = &Step>> = match direction {
        Direction::Forward => Box::new(job.steps.iter()),
        Direction::Back => Box::new(job.steps.iter().rev()),
    };
    let mut new_names = None;
    for step in steps {
        let path = &job.directories[step.directory];
        let done = match descent.open(path) {
            Ok(directory) => change(&directory, job, step, direction),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let new_names = new_names.get_or_insert_with(|| job.new_names());
                match open_by_new_names(descent, path, new_names) {
                    Ok(Some(directory)) => change(&directory, job, step, direction),
                    Ok(None) => Ok(Outcome::Gone),
                    Err(error) => Err(error),
                }
            }
            Err(error) => Err(error),
        };
        let context = || quoted(job.path_of(step).as_os_str());
        report(step, done.map_err(|error| with_context(&error, &context()))?);
    }
    Ok(())
}

/// Opens a directory that, or one above which, may have its new name already; None if it has neither.
fn open_by_new_names(
    descent: &mut Descent,
    path: &[OsString],
    new_names: &HashMap<Vec<OsString>, &OsStr>,
) -> io::Result<Option<Arc<OpenDirectory>>> {
    let mut actual = Vec::new();
    let mut directory = descent.root().clone();
    for (depth, name) in path.iter().enumerate() {
        let name = match (directory.look_up(name)?, new_names.get(&path[..=depth])) {
            (None, Some(new)) => new,
            _ => name.as_os_str(),
        };
        if directory.look_up(name)?.is_none() {
            return Ok(None);
        }
        actual.push(name.to_os_string());
        directory = descent.open(&actual)?;
    }
    Ok(Some(directory))
}

fn change(directory: &OpenDirectory, job: &Job, step: &Step, direction: Direction) -> io::Result<Outcome> {
    let turned = |old, new| match direction {
        Direction::Forward => (old, new),
        Direction::Back => (new, old),
    };
    match &step.change {
        StepChange::Rename { old, new, is_respelled: true } => {
            let (from, to) = turned(old, new);
            respell(directory, from, to)
        }
        StepChange::Rename { old, new, .. } => {
            let (from, to) = turned(old, new);
            let is_shared = || {
                let mut others = job.steps.iter().filter(|other| other.directory == step.directory);
                others.any(|other| other.old_name() == new)
            };
            rename(directory, from, to, step.inode, is_shared)
        }
        StepChange::Retarget { name, old, new } => {
            let (from, to) = turned(old, new);
            retarget(directory, name, from, to)
        }
    }
}

/// Renames the file of this number. `is_shared` returns whether its new name is the old one of another file, too.
fn rename(
    directory: &OpenDirectory,
    from: &OsStr,
    to: &OsStr,
    inode: u64,
    is_shared: impl Fn() -> bool,
) -> io::Result<Outcome> {
    let (there, taken) = match (directory.look_up(from)?, directory.look_up(to)?) {
        (None, None) => return Ok(Outcome::Gone),
        (None, Some(_)) => return Ok(Outcome::Already),
        (Some(_), None) => return renamed(directory, from, to),
        (Some(there), Some(taken)) => (there, taken),
    };
    // Numbers show which is which, where there are any.
    let is_file = |found: u64| inode != 0 && found == inode;
    // What may hold the new name for a moment, and nothing else.
    let is_placeholder = |found: &Found, of: &Found| match of.kind {
        EntryKind::Directory => found.kind == EntryKind::Directory,
        _ => found.is_empty_file,
    };
    let remove = |name: &OsStr, found: &Found| match found.kind {
        EntryKind::Directory => directory.remove_empty(name),
        _ => directory.remove_name(name),
    };
    match (is_file(there.inode), is_file(taken.inode)) {
        // A file system without a rename that never replaces: a file has both names for a moment, or takes its new name
        // from an empty one, as a directory does.
        (true, true) if there.kind != EntryKind::Directory => {
            directory.remove_name(from)?;
            Ok(Outcome::Changed)
        }
        (true, false) if is_placeholder(&taken, &there) && !is_shared() => {
            remove(to, &taken).map_err(|error| taken_error(to, &error))?;
            renamed(directory, from, to)
        }
        (false, true) if is_placeholder(&there, &taken) && !is_shared() => {
            remove(from, &there).map_err(|error| taken_error(from, &error))?;
            Ok(Outcome::Already)
        }
        // The old name is another file's by now, as in a chain of names.
        (false, true) => Ok(Outcome::Already),
        _ => Err(taken_error(to, &io::ErrorKind::AlreadyExists.into())),
    }
}

fn renamed(directory: &OpenDirectory, from: &OsStr, to: &OsStr) -> io::Result<Outcome> {
    match directory.rename_new(from, to) {
        Ok(()) => Ok(Outcome::Changed),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(taken_error(to, &error)),
        Err(error) => Err(error),
    }
}

fn taken_error(name: &OsStr, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot be renamed to {}: {}", quoted(name), reason(error)))
}

/// Both names lead to the file: only a list of all names shows which it has.
fn respell(directory: &OpenDirectory, from: &OsStr, to: &OsStr) -> io::Result<Outcome> {
    let listed = directory.list()?;
    let has = |name: &OsStr| listed.iter().any(|one| one.name == *name);
    match (has(from), has(to)) {
        (_, true) => Ok(Outcome::Already),
        (true, false) => {
            directory.respell(from, to)?;
            Ok(Outcome::Changed)
        }
        (false, false) => Ok(Outcome::Gone),
    }
}

fn retarget(directory: &OpenDirectory, name: &OsStr, from: &OsStr, to: &OsStr) -> io::Result<Outcome> {
    let temporary = OsStr::new(TEMPORARY_LINK);
    // A run that was killed may have left its link.
    if let Some(left) = directory.look_up(temporary)?
        && left.kind == EntryKind::Link
        && [from, to].contains(&directory.read_target(temporary)?.as_os_str())
    {
        directory.remove_name(temporary)?;
    }
    match directory.look_up(name)? {
        None => return Ok(Outcome::Gone),
        Some(found) if found.kind != EntryKind::Link => {
            return Err(io::Error::other("is no longer a symbolic link"));
        }
        Some(_) => {}
    }
    let target = directory.read_target(name)?;
    if target == *to {
        return Ok(Outcome::Already);
    }
    if target != *from {
        return Err(io::Error::other("is a symbolic link with another target by now"));
    }
    directory.retarget(name, to, temporary)?;
    Ok(Outcome::Changed)
}
