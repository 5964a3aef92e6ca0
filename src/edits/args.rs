//! The options of all commands that change files: manifests, and undoing by them.

use std::ffi::OsString;

use clap::{ValueHint, value_parser};

use super::{FailedPlan, UndoPlan};
use crate::files::options::targets;
use crate::files::replace::InPlace;
use crate::ui::options::{Refusal, needs};
use crate::ui::table::{Definition, Matches, option};

/// Returns the options for manifests and for undoing.
pub fn manifest() -> [Definition; 2] {
    let file = |id, name, help| {
        option(id, name, help)
            .with(|arg| arg.value_parser(value_parser!(OsString)).value_hint(ValueHint::FilePath))
    };
    [
        file("manifest", "FILE", "Record all changes in FILE, for --undo; a later run continues from there"),
        file("undo", "MANIFEST", "Undo what MANIFEST records, in all its files or in PATH"),
    ]
}

/// Returns the options for a list of the files that were not edited.
pub fn failed() -> [Definition; 2] {
    [
        option(
            "failed",
            "FILE",
            "Write the names of all files that were not converted to FILE, one per line",
        ),
        option("failed0", "FILE", "Write them to FILE, each ended by NUL").conflicts_with(&["failed"]),
    ]
    .map(|list| list.with(|arg| arg.value_parser(value_parser!(OsString)).value_hint(ValueHint::FilePath)))
}

/// Returns where the list of failed files goes.
pub fn failed_plan(m: &mut Matches) -> Option<FailedPlan> {
    let lists = [("failed", b'\n'), ("failed0", b'\0')];
    lists.into_iter().find_map(|(id, end)| Some(FailedPlan { file: m.remove_one(id)?, end }))
}

/// Returns what to undo, if `--undo` is given; `paths` is the id of the operands.
pub fn undo(m: &mut Matches, paths: &str) -> Result<Option<UndoPlan>, Refusal> {
    let Some(manifest) = m.remove_one::<OsString>("undo") else { return Ok(None) };
    let how = match m.knows("force") {
        true => {
            needs(m, "preserve-time", "in-place", "in-place")?;
            InPlace { force: m.flag("force"), ..InPlace::default() }
        }
        false => InPlace { cannot_force: true, ..InPlace::default() },
    };
    let targets = targets(m, paths)?;
    let path = match (&targets.lists[..], &targets.paths[..]) {
        ([], []) => None,
        ([], [path]) if path != "-" => Some(path.clone()),
        _ => return Err(Refusal::usage("--undo takes one PATH at most, a file or a directory")),
    };
    Ok(Some(UndoPlan { manifest, path, how }))
}
