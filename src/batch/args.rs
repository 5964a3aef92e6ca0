//! Options that all commands that change files share: manifests and undoing.

use std::ffi::OsString;

use anyhow::{Result, bail};

use super::{BatchOptions, FailedPlan, UndoPlan};
use crate::batch::file_options::targets;
use crate::files::replace::{Durability, InPlace};
use crate::ui::options::{ReportFormat, choice, file, needs};
use crate::ui::table::{Definition, Matches, Value, option};

/// Returns the options for manifests and for undoing.
pub const fn manifest() -> [Definition; 2] {
    [
        option("manifest", "FILE", "Record all changes in FILE, for --undo and to resume an interrupted run")
            .with(file),
        option("undo", "MANIFEST", "Undo the changes that MANIFEST records, in all files or only in PATH")
            .with(file),
    ]
}

/// Returns the options for a list of the files that were not edited.
pub fn failed() -> [Definition; 2] {
    [
        option("failed", "FILE", "Write to FILE the names of the files with an error, one per line"),
        option("failed0", "FILE", "Write to FILE the names of the files with an error, each ended by NUL")
            .conflicts_with(&["failed"]),
    ]
    .map(|list| list.with(file))
}

/// Returns the option that selects when new files are synced.
pub const fn sync() -> Definition {
    option("sync", "WHEN", "Set what must be on disk before an old file is replaced [default: file]").with(
        |arg| {
            arg.value_parser(choice(&[
                ("file", "Sync each new file", Durability::File),
                ("batch", "Sync new files in batches, which is as safe, and faster", Durability::Batch),
                ("none", "Sync nothing; a power cut may leave empty files", Durability::None),
            ]))
        },
    )
}

/// Returns the option for the format of a report.
pub const fn format() -> Definition {
    option("format", "FORMAT", "Report format [default: text]").with(|arg| {
        arg.value_parser(choice(&[
            ("text", "For people", ReportFormat::Text),
            ("json", "One JSON object per file, and a summary", ReportFormat::Json),
        ]))
    })
}

/// Whether the report is to be JSON.
pub fn is_json(m: &mut Matches) -> bool {
    m.remove_one("format") == Some(ReportFormat::Json)
}

/// Returns the options of a batch. A command need not define all of them.
pub fn options(m: &mut Matches) -> BatchOptions {
    BatchOptions {
        sync: if_known(m, "sync"),
        manifest: if_known(m, "manifest"),
        failed: failed_plan(m),
        stops: m.knows("stop-on-error") && m.flag("stop-on-error"),
        threads: m.knows("threads").then(|| m.get_one::<u16>("threads")).flatten().map(|n| usize::from(*n)),
    }
}

fn if_known<T: Value>(m: &mut Matches, id: &str) -> Option<T> {
    m.knows(id).then(|| m.remove_one(id)).flatten()
}

/// Returns the file for the list of failed files, and the byte that ends a name.
fn failed_plan(m: &mut Matches) -> Option<FailedPlan> {
    let lists = [("failed", b'\n'), ("failed0", b'\0')];
    lists.into_iter().find_map(|(id, end)| Some(FailedPlan { file: if_known(m, id)?, end }))
}

/// The options that are allowed beside `--undo`. Options that select files or changes are not, because the manifest
/// decides both.
const BESIDE_UNDO: &[&str] =
    &["undo", "dry-run", "force", "format", "threads", "sync", "verbose", "silent", "quiet", "buffer-size"];

/// Returns what to undo if `--undo` is given. `paths` is the ID of the operands; `json` returns whether the report is
/// to be JSON.
pub fn undo(
    m: &mut Matches,
    paths: &str,
    json: impl FnOnce(&mut Matches) -> Result<bool>,
) -> Result<Option<UndoPlan>> {
    let Some(manifest) = m.remove_one::<OsString>("undo") else { return Ok(None) };
    let how = if m.knows("force") {
        needs(m, "preserve-time", "in-place", "in-place")?;
        InPlace { force: m.flag("force"), ..InPlace::default() }
    } else {
        InPlace { cannot_force: true, ..InPlace::default() }
    };
    if let Some(other) = m.given().find(|option| !BESIDE_UNDO.contains(option)) {
        bail!("--undo cannot be used with --{other}");
    }
    let dry_run = m.knows("dry-run") && m.flag("dry-run");
    let verbose = m.knows("verbose") && m.flag("verbose");
    let targets = targets(m, paths)?;
    let path = match (&targets.lists[..], &targets.paths[..]) {
        ([], []) => None,
        ([], [path]) if path != "-" => Some(path.clone()),
        _ => bail!("--undo takes one PATH at most, a file or a directory"),
    };
    Ok(Some(UndoPlan { manifest, path, how, dry_run, json: json(m)?, verbose }))
}
