//! Decides which new names in a directory are possible, and in which order the files can be renamed.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::{OsStr, OsString};
use std::io;

use utfconv_core::NormalizationForm::Nfd;

use super::job::{Step, StepKind};
use super::name::to_name;
use crate::files::open_directory::OpenDirectory;
use crate::files::renaming::{EntryInfo, EntryKind, Listed};
use crate::ui::exit::Exit;
use crate::ui::quote::{quoted, reason};

/// Why a file is not renamed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub name: OsString,
    pub reason: String,
    pub exit: Exit,
}

/// Adds the refusal of a file, with its reason.
type Refuse<'a> = dyn FnMut(&OsStr, String, Exit) + 'a;

/// Examines the new names `wanted` in a directory with the entries `listed`. Returns the possible renames, in an order
/// in which each new name is free in time, and adds the refused renames to `refusals`.
pub fn settle(
    directory: &OpenDirectory,
    listed: &[Listed],
    wanted: Vec<Step>,
    refusals: &mut Vec<Refusal>,
) -> io::Result<Vec<Step>> {
    if wanted.is_empty() {
        return Ok(wanted);
    }
    let mut refuse = |name: &OsStr, reason: String, exit| {
        refusals.push(Refusal { name: name.to_os_string(), reason, exit });
    };
    let wanted = possible(directory, wanted, &mut refuse)?;
    let wanted = distinct(directory, listed, wanted, &mut refuse)?;
    let wanted = free(directory, listed, wanted, &mut refuse)?;
    Ok(ordered(wanted, &mut refuse))
}

/// Removes the renames that the file system or the permissions do not allow.
fn possible(directory: &OpenDirectory, wanted: Vec<Step>, refuse: &mut Refuse) -> io::Result<Vec<Step>> {
    let rights = match directory.rights() {
        Ok(rights) => rights,
        Err(error) => {
            let why = format!("cannot be renamed: {}", reason(&error));
            wanted.iter().for_each(|one| refuse(&one.old, why.clone(), Exit::Failure));
            return Ok(Vec::new());
        }
    };
    let longest = directory.longest_name();
    let mut left = Vec::with_capacity(wanted.len());
    for mut one in wanted {
        let Some(found) = directory.look_up_to_rename(&one.old)? else {
            refuse(&one.old, "was removed or renamed meanwhile".to_string(), Exit::Failure);
            continue;
        };
        let length = one.new.as_encoded_bytes().len();
        if length > longest {
            let why = format!("the new name would have {length} bytes; the file system allows {longest}");
            refuse(&one.old, why, Exit::Fault);
        } else if let Some(why) = found.fixed {
            refuse(&one.old, format!("cannot be renamed: {why}"), Exit::Failure);
        } else if !rights.include(&found) {
            let why = "cannot be renamed: in this sticky directory, only its owner can rename it";
            refuse(&one.old, why.to_string(), Exit::Failure);
        } else {
            one.inode = found.inode;
            left.push(one);
        }
    }
    Ok(left)
}

/// Removes the renames of files that would get the same name.
fn distinct(
    directory: &OpenDirectory,
    listed: &[Listed],
    wanted: Vec<Step>,
    refuse: &mut Refuse,
) -> io::Result<Vec<Step>> {
    let is_exact = cfg!(not(any(windows, target_vendor = "apple"))) && is_case_sensitive(directory, listed)?;
    let key = |name: &OsStr| if is_exact { name.as_encoded_bytes().to_vec() } else { folded(name) };
    let mut owners: HashMap<Vec<u8>, Vec<usize>> = HashMap::new();
    for (number, one) in wanted.iter().enumerate() {
        owners.entry(key(&one.new)).or_default().push(number);
    }
    let mut is_refused = vec![false; wanted.len()];
    for (number, one) in wanted.iter().enumerate() {
        let same = &owners[&key(&one.new)];
        if let Some(&other) = same.iter().find(|other| **other != number) {
            is_refused[number] = true;
            let why =
                format!("{} would have the same new name, {}", quoted(&wanted[other].old), quoted(&one.new));
            refuse(&one.old, why, Exit::Fault);
        }
    }
    let mut refused = is_refused.into_iter();
    Ok(wanted.into_iter().filter(|_| !refused.next().unwrap_or(false)).collect())
}

/// True if names that differ only in case are distinct. If this is unknown, such names count as the same.
fn is_case_sensitive(directory: &OpenDirectory, listed: &[Listed]) -> io::Result<bool> {
    if directory.ignores_case() {
        return Ok(false);
    }
    // Names that are UTF-8 come first, because other names may be compared byte by byte even if names in UTF-8 are not.
    let names = listed.iter().map(|one| &one.name);
    for name in names.clone().filter(|name| name.to_str().is_some()).chain(names) {
        let mut swapped = name.as_encoded_bytes().to_vec();
        let Some(letter) = swapped.iter_mut().find(|byte| byte.is_ascii_alphabetic()) else { continue };
        *letter ^= 0x20;
        let Ok(swapped) = to_name(swapped) else { continue };
        let is_listed = listed.binary_search_by(|one| one.name.cmp(&swapped)).is_ok();
        return Ok(is_listed || directory.look_up(&swapped)?.is_none());
    }
    Ok(false)
}

/// Returns a name without case and without the differences of normalization forms.
fn folded(name: &OsStr) -> Vec<u8> {
    match name.to_str() {
        Some(text) => Nfd.normalize(&text.to_uppercase().to_lowercase()).into_owned().into_bytes(),
        None => name.as_encoded_bytes().to_ascii_lowercase(),
    }
}

/// Removes the renames to a name that another file keeps.
fn free(
    directory: &OpenDirectory,
    listed: &[Listed],
    mut wanted: Vec<Step>,
    refuse: &mut Refuse,
) -> io::Result<Vec<Step>> {
    let is_listed = |name: &OsStr| listed.binary_search_by(|one| one.name.as_os_str().cmp(name)).is_ok();
    let mut left = Vec::with_capacity(wanted.len());
    for mut one in wanted {
        let there = if is_listed(&one.new) { None } else { directory.look_up(&one.new)? };
        match there {
            None => left.push(one),
            Some(there) if is_itself(&there, &one) => {
                one.kind = StepKind::Respell;
                left.push(one);
            }
            Some(_) => {
                let why = format!(
                    "the file system has a file for the new name {}, differing in case or normalization",
                    quoted(&one.new)
                );
                refuse(&one.old, why, Exit::Fault);
            }
        }
    }
    wanted = left;
    // A name becomes free when its file is renamed, unless that rename is refused.
    loop {
        let leaving: BTreeSet<_> = wanted.iter().map(|one| one.old.clone()).collect();
        let (free, taken): (Vec<_>, Vec<_>) = wanted
            .into_iter()
            .partition(|one| !is_listed(&one.new) || cfg!(unix) && leaving.contains(&one.new));
        for one in &taken {
            refuse(&one.old, format!("there is a file named {} already", quoted(&one.new)), Exit::Fault);
        }
        wanted = free;
        if taken.is_empty() {
            return Ok(wanted);
        }
    }
}

/// Whether a new name leads to the file itself, which has no other names.
fn is_itself(there: &EntryInfo, one: &Step) -> bool {
    there.inode == one.inode && (there.links == 1 || there.kind == EntryKind::Directory)
}

/// Sorts the renames so that each new name is free in time. Removes the renames of files that would exchange their
/// names.
fn ordered(wanted: Vec<Step>, refuse: &mut Refuse) -> Vec<Step> {
    let mut waiting: BTreeMap<OsString, Step> =
        wanted.into_iter().map(|one| (one.old.clone(), one)).collect();
    let mut order = Vec::with_capacity(waiting.len());
    let mut chain: Vec<Step> = Vec::new();
    while let Some(first) = waiting.keys().next().cloned() {
        // Follow the new names to a free name, or back into the chain.
        let mut next = first;
        while let Some(one) = waiting.remove(&next) {
            next = one.new.clone();
            chain.push(one);
        }
        // New names are distinct, so a chain that does not end is a cycle.
        if chain.first().is_some_and(|one| one.old == next) {
            for one in chain.drain(..) {
                let why = format!(
                    "files would exchange their names: this one would be {}; rename one by hand",
                    quoted(&one.new)
                );
                refuse(&one.old, why, Exit::Fault);
            }
        } else {
            order.extend(chain.drain(..).rev());
        }
    }
    order
}
