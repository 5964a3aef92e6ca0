//! Finds files that must not be replaced in place: a file with several names in the list, inputs that a backup would
//! overwrite, and files that an earlier run left.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::path::Path;

use crate::files::draft::is_temporary_name;
use crate::files::identity::Identity;
use crate::files::replace::{InPlace, backup_of};
use crate::files::walk::{FileEntry, Targets};
use crate::ui::quote::{quoted, reason};

/// Returns the files that must not be replaced because of other files in the list, by their index, each with the
/// reason. Either the file is listed before under another name (`twice` explains that), or its backup would overwrite
/// an input. `files` has the name and the identity of each file; the identity is `None` if the file does not exist.
pub fn refusals(
    files: &[(&Path, Option<Identity>)],
    suffix: Option<&OsStr>,
    twice: &str,
) -> Vec<(usize, String)> {
    let mut known = HashMap::new();
    let inputs: HashSet<_> = files.iter().filter_map(|(_, id)| id.as_ref()).collect();
    let mut refusal = |number: usize| {
        let (name, id) = &files[number];
        let first = *known.entry(id.as_ref()?).or_insert(number);
        if first < number {
            return Some(format!("is the same file as {}; {twice}", quoted(files[first].0)));
        }
        let backup = backup_of(&name.canonicalize().ok()?, suffix?);
        // The input may have another name than the backup.
        let is_input = inputs.contains(&Identity::of(&backup)?);
        let backup = quoted(backup);
        is_input.then(|| format!("its backup would overwrite {backup}, which this run also uses"))
    };
    (0..files.len()).filter_map(|number| Some((number, refusal(number)?))).collect()
}

/// Returns an error if the first file name seems to be the suffix of backups, as in `-i .orig FILE`, because the suffix
/// cannot be a separate argument.
pub fn loose_suffix(targets: &Targets, how: &InPlace) -> Option<String> {
    let first = targets.paths.first()?;
    let bytes = first.as_encoded_bytes();
    let may_be_suffix = bytes.len() > 1 && bytes[0] == b'.' && bytes != b".." && !bytes.contains(&b'/');
    let has_others = targets.paths.len() > 1 || !targets.lists.is_empty();
    if how.backup.is_some() || !may_be_suffix || !has_others {
        return None;
    }
    let error = Path::new(first).symlink_metadata().err()?;
    let name = quoted(first);
    Some(format!("{name}: {}; to keep backups, use --in-place={name}", reason(&error)))
}

/// Whether a file found in a directory is a backup with this suffix, or a temporary file of any run.
pub fn is_from_a_run(file: &FileEntry, suffix: Option<&OsStr>) -> bool {
    let Some((_, name)) = file.found_in() else { return false };
    let is_backup = suffix.is_some_and(|suffix| {
        let (name, suffix) = (name.as_encoded_bytes(), suffix.as_encoded_bytes());
        // A number may follow the suffix.
        let end = name.iter().rposition(|byte| !byte.is_ascii_digit()).unwrap_or_default();
        name.ends_with(suffix) || end + 1 < name.len() && name[end] == b'.' && name[..end].ends_with(suffix)
    });
    is_backup || is_temporary_name(name)
}
