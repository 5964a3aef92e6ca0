//! Asks git which files of a repository it tracks, which have changed, and what its index contains.
//!
//! A repository may come from another user, so git runs with its hooks, monitors, filters, diff and text conversion
//! programs disabled, and fetches and writes nothing.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

pub use crate::files::git_process::temporary;
use crate::files::git_process::{Contents, ask, git, not_understood, printed};
use crate::files::system;
use crate::ui::quote::{quoted, reason};
use crate::ui::threads::lock;

/// The files of a repository that are wanted. If no field is set, git is not asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Whether all tracked files are wanted.
    pub tracked: bool,
    /// Whether the contents of the index are wanted. If no other field is set, only files whose index entry differs
    /// from the last commit are wanted.
    pub staged: bool,
    /// The revision from which wanted files have to differ.
    pub since: Option<OsString>,
}

impl Wanted {
    pub fn is_set(&self) -> bool {
        *self != Wanted::default()
    }

    /// Whether an empty list of files is normal.
    pub fn is_of_changes(&self) -> bool {
        self.since.is_some() || self.staged && !self.tracked
    }
}

/// The repositories of a run. git lists the files of each repository once.
#[derive(Debug, Default)]
pub struct Repositories(Vec<Arc<Listing>>);

/// The wanted files of a repository.
#[derive(Debug, Default)]
pub struct Listing {
    /// The top of the working tree, without symbolic links.
    root: PathBuf,
    /// The object of each wanted file in the index, by its name relative to the root.
    files: BTreeMap<PathBuf, String>,
    /// The object of each file that differs in the revision; empty if the revision does not have the file.
    old: BTreeMap<PathBuf, String>,
    /// Object ID of the revision's tree.
    tree: Option<String>,
    /// The names of all files in the tree, whether they differ or not.
    names: OnceLock<HashSet<PathBuf>>,
    /// The objects and names of files that are in the revision but not in the new version.
    deleted: Vec<(String, PathBuf)>,
    /// All directories that contain wanted files, at any depth.
    directories: HashSet<PathBuf>,
    /// Files with unresolved conflicts, for each of which the index has several contents.
    unmerged: BTreeSet<PathBuf>,
    /// The settings of all filters, as keys and values.
    settings: Vec<(OsString, String)>,
    /// The names of the filters that convert files on checkout, and their commands, which are not run.
    filters: BTreeMap<String, String>,
    /// The values of [`ATTRIBUTES`] of files whose attributes are known.
    attributes: Mutex<HashMap<PathBuf, HashMap<String, String>>>,
    contents: Mutex<Option<Contents>>,
}

/// A commit, and the blob of a file in it.
pub type CommitAndObject = (String, String);

/// The commits that changed a file.
#[derive(Debug, Default)]
pub struct History {
    /// The versions of the file, the newest first.
    pub versions: Vec<CommitAndObject>,
    /// The revision before the commit that added the file.
    pub before: String,
    /// Objects and names of the files that were deleted when the file was added. The file may be one of them, renamed
    /// and changed so much that git does not detect a rename.
    pub deleted: Vec<(String, PathBuf)>,
}

impl Repositories {
    /// Returns the wanted files of the repository that contains `directory`, which has to be absolute and without
    /// symbolic links.
    ///
    /// # Errors
    /// Fails with the reason why git does not list the files.
    pub fn listing(&mut self, directory: &Path, wanted: &Wanted) -> Result<Arc<Listing>, String> {
        let is_in = |listing: &&Arc<Listing>| {
            let below = directory.ancestors().take_while(|above| *above != listing.root);
            directory.starts_with(&listing.root)
                && below.into_iter().all(|above| !above.join(".git").exists())
        };
        if let Some(known) = self.0.iter().find(is_in) {
            return Ok(known.clone());
        }
        let listing = Arc::new(Listing::ask(directory, wanted)?);
        self.0.push(listing.clone());
        Ok(listing)
    }
}

impl Listing {
    fn ask(directory: &Path, wanted: &Wanted) -> Result<Listing, String> {
        let mut root = ask(directory, &["rev-parse", "--show-toplevel"], &[])?;
        root.pop_if(|last| *last == b'\n');
        let root = path_of(root)?.canonicalize().map_err(|error| reason(&error))?;
        let tree = match &wanted.since {
            Some(revision) => Some(tree(&root, revision)?),
            None if wanted.staged && !wanted.tracked => tree(&root, OsStr::new("HEAD")).ok(),
            None => None,
        };
        let settings = filter_settings(&root)?;
        let filters = filters(&settings);
        let mut listing = Listing { root, settings, filters, ..Listing::default() };
        match &tree {
            None => listing.add_index()?,
            Some(tree) => {
                listing.add_changes("diff-index", &["--cached", tree])?;
                if !wanted.staged {
                    listing.add_changes("diff-files", &[])?;
                }
            }
        }
        Ok(Listing { tree, ..listing })
    }

    /// Adds all files of the index.
    fn add_index(&mut self) -> Result<(), String> {
        let output = ask(&self.root, &["ls-files", "-z", "--stage"], &[])?;
        for entry in output.split(|byte| *byte == 0).filter(|entry| !entry.is_empty()) {
            // The format is MODE OBJECT STAGE<TAB>NAME.
            let tab = entry.iter().position(|byte| *byte == b'\t').ok_or_else(not_understood)?;
            let (words, name) = (words(&entry[..tab])?, &entry[tab + 1..]);
            let [mode, object, stage] = words[..] else { return Err(not_understood()) };
            self.add(mode, object, stage != "0", name)?;
        }
        Ok(())
    }

    /// Adds the files that a comparison lists.
    fn add_changes(&mut self, command: &str, arguments: &[&str]) -> Result<(), String> {
        let output = self.compare(command, arguments)?;
        for Change { modes: [old_mode, mode], objects: [old, object], status, names: [_, name] } in
            changes(&output)?
        {
            let old = if old_mode.starts_with("100") { old } else { "" };
            if !status.starts_with('D') {
                // The first comparison is with the revision, so its entry is kept.
                self.old.entry(path_of(name.to_vec())?).or_insert_with(|| old.to_string());
                self.add(mode, object, status.starts_with('U'), name)?;
            } else if !old.is_empty() {
                self.deleted.push((old.to_string(), path_of(name.to_vec())?));
            }
        }
        Ok(())
    }

    /// Returns git's list of the files that differ, in the format that [`changes`] parses.
    fn compare(&self, command: &str, arguments: &[&str]) -> Result<Vec<u8>, String> {
        ask(&self.root, &[&[command][..], &RAW, arguments].concat(), &self.without_filters())
    }

    /// Adds a file. Symbolic links and submodules are skipped.
    fn add(&mut self, mode: &str, object: &str, is_unmerged: bool, name: &[u8]) -> Result<(), String> {
        let name = path_of(name.to_vec())?;
        if is_unmerged {
            self.unmerged.insert(name.clone());
        }
        if is_unmerged || mode.starts_with("100") {
            let above = name.ancestors().skip(1).take_while(|above| !self.directories.contains(*above));
            let above: Vec<_> = above.map(Path::to_path_buf).collect();
            self.directories.extend(above);
            self.files.entry(name).or_insert_with(|| object.to_string());
        }
        Ok(())
    }

    /// Whether a file is wanted, or a directory contains a wanted file. `path` is absolute, without symbolic links.
    pub fn has(&self, path: &Path, is_directory: bool) -> bool {
        let Ok(name) = path.strip_prefix(&self.root) else { return false };
        if is_directory { self.directories.contains(name) } else { self.files.contains_key(name) }
    }

    /// Returns the wanted files at or below an absolute path, as their names relative to `path` and their objects.
    pub fn below(&self, path: &Path) -> Vec<(PathBuf, String)> {
        let Ok(name) = path.strip_prefix(&self.root) else { return Vec::new() };
        let files = self.files.range::<Path, _>((Bound::Included(name), Bound::Unbounded));
        let below = files
            .map_while(|(file, object)| Some((file, file.strip_prefix(name).ok()?.to_path_buf(), object)));
        let merged = below.filter(|(file, ..)| !self.unmerged.contains(*file));
        merged.map(|(_, below, object)| (below, object.clone())).collect()
    }

    /// Returns the object of a file in the revision; `None` if the file does not differ from the revision.
    pub fn old(&self, path: &Path) -> Option<&str> {
        let object = self.old.get(path.strip_prefix(&self.root).ok()?)?;
        (!object.is_empty()).then_some(object)
    }

    /// Returns the objects and names of the files that the revision has and the new version does not, if `path` is a
    /// new file. The new file may be one of the deleted files, renamed and changed so much that git does not detect a
    /// rename.
    pub fn deleted(&self, path: &Path) -> &[(String, PathBuf)] {
        let is_new =
            path.strip_prefix(&self.root).is_ok_and(|name| self.old.get(name).is_some_and(String::is_empty));
        if is_new { &self.deleted } else { &[] }
    }

    /// Returns the name of a deleted file by its object, relative to the top of the working tree.
    pub fn deleted_name(&self, object: &str) -> Option<&Path> {
        let (_, name) = self.deleted.iter().find(|(deleted, _)| deleted == object)?;
        Some(name)
    }

    /// Returns the object of a file in the index. `name` is relative to the top of the working tree.
    pub fn object(&self, name: &Path) -> Option<&str> {
        self.files.get(name).map(String::as_str)
    }

    /// Returns the commits that changed a file under any of its names. `path` is absolute, without symbolic links.
    pub fn history(&self, path: &Path) -> Result<History, String> {
        let name = path.strip_prefix(&self.root).unwrap_or(path);
        let (versions, added) = self.versions("HEAD", name)?;
        let (before, output) = match (added, versions.is_empty()) {
            (Some(commit), _) => {
                let output = self.compare("diff-tree", &["-r", "--no-commit-id", &commit])?;
                (format!("{commit}^"), output)
            }
            (None, true) => ("HEAD".to_string(), self.compare("diff-index", &["--cached", "HEAD"])?),
            (None, false) => return Ok(History { versions, ..History::default() }),
        };
        let mut deleted = Vec::new();
        for Change { modes, objects, status, names: [old, new] } in changes(&output)? {
            if versions.is_empty() && old != new && path_of(new.to_vec())? == name {
                let (versions, _) = self.versions(&before, &path_of(old.to_vec())?)?;
                return Ok(History { versions, ..History::default() });
            }
            if status == "D" && modes[0].starts_with("100") {
                deleted.push((objects[0].to_string(), path_of(old.to_vec())?));
            }
        }
        Ok(History { versions, before, deleted })
    }

    /// Returns the commits up to `revision` that changed a file, the newest first, each with the blob of the file. Also
    /// returns the oldest of these commits, if that commit added the file. `name` is relative to the top of the working
    /// tree.
    pub fn versions(
        &self,
        revision: &str,
        name: &Path,
    ) -> Result<(Vec<CommitAndObject>, Option<String>), String> {
        let options = ["log", "--follow", "--format=%H", "--no-show-signature", "--no-mailmap"];
        let arguments = [&options[..], &RAW, &[revision, "--"]].concat();
        let arguments: Vec<_> = arguments.iter().map(OsStr::new).chain([name.as_os_str()]).collect();
        let output = ask(&self.root, &arguments, &[])?;
        let mut fields = output.split(|byte| *byte == 0);
        let (mut commit, mut versions, mut added) = (String::new(), Vec::new(), None);
        // The format is COMMIT<NUL><LF>, followed by the changes in the commit.
        while let Some(entry) = fields.next() {
            let entry = entry.strip_prefix(b"\n").unwrap_or(entry);
            if !entry.starts_with(b":") {
                commit = String::from_utf8(entry.to_vec()).map_err(|_| not_understood())?;
                continue;
            }
            let Change { modes: [_, mode], objects: [_, object], status, .. } =
                Change::read(entry, &mut fields)?;
            added = (status == "A").then(|| commit.clone());
            if mode.starts_with("100") {
                versions.push((commit.clone(), object.to_string()));
            }
        }
        Ok((versions, added))
    }

    /// Returns why the history may end too early and which command fetches the rest, or `None` if the history is
    /// complete.
    pub fn shallow(&self) -> Option<&'static str> {
        is_shallow(&self.root).then_some(SHALLOW)
    }

    /// Returns the unmerged files at or below `path`, as their names relative to `path`.
    pub fn unmerged_below(&self, path: &Path) -> Vec<PathBuf> {
        let name = path.strip_prefix(&self.root).unwrap_or(path);
        let files = self.unmerged.range::<Path, _>((Bound::Included(name), Bound::Unbounded));
        files.map_while(|file| Some(file.strip_prefix(name).ok()?.to_path_buf())).collect()
    }

    /// Returns the content of an object in a temporary file.
    pub fn open(&self, object: &str) -> io::Result<std::fs::File> {
        temporary(|file| self.copy(object, file))
    }

    /// Returns the content of an object as git writes it to the work tree, but without running filters. `path` is
    /// absolute.
    pub fn checked_out(&self, object: &str, path: &Path) -> Result<Vec<u8>, String> {
        let mut option = OsString::from("--path=");
        for (number, part) in path.strip_prefix(&self.root).unwrap_or(path).iter().enumerate() {
            option.push(if number == 0 { "" } else { "/" });
            option.push(part);
        }
        let words = ["cat-file", "--filters"].map(OsStr::new);
        let words = [&words[..], &[&option, OsStr::new(object)]].concat();
        ask(&self.root, &words, &self.without_filters())
    }

    /// Whether git stores a file in UTF-8 and converts it on checkout. `path` is absolute.
    pub fn is_converted(&self, path: &Path) -> Result<bool, String> {
        Ok(self.attribute("working-tree-encoding", path)?.is_some())
    }

    /// Returns the name and the command of the filter that converts a file on checkout, if the command is `wanted`.
    /// `path` is absolute.
    pub fn filter(
        &self,
        path: &Path,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<Option<(String, String)>, String> {
        if !self.filters.values().any(|command| wanted(command)) {
            return Ok(None);
        }
        let name = self.attribute("filter", path)?;
        let filter = name.and_then(|name| self.filters.get_key_value(&name));
        let filter = filter.filter(|(_, command)| wanted(command));
        Ok(filter.map(|(name, command)| (name.clone(), command.clone())))
    }

    /// Whether a file that this filter refuses cannot be checked out. Otherwise, git checks out the stored content.
    pub fn requires_filter(&self, name: &str) -> bool {
        let key = format!("filter.{name}.required");
        let last = self.settings.iter().rfind(|(one, _)| one.to_string_lossy() == key);
        let is_no = |value: &str| matches!(&value.to_lowercase()[..], "false" | "no" | "off" | "0");
        last.is_some_and(|(_, value)| !is_no(value))
    }

    /// Returns the value of an attribute in [`ATTRIBUTES`], if the file has one. git is asked once for all files of the
    /// listing.
    fn attribute(&self, attribute: &str, path: &Path) -> Result<Option<String>, String> {
        let name = path.strip_prefix(&self.root).unwrap_or(path);
        let mut known = lock(&self.attributes);
        if !known.contains_key(name) {
            let is_listed = self.files.contains_key(name);
            let names =
                if is_listed { self.files.keys().map(PathBuf::as_path).collect() } else { vec![name] };
            known.extend(attributes(&self.root, &names)?);
        }
        let values = known.get(name).ok_or_else(not_understood)?;
        Ok(values.get(attribute).cloned())
    }

    /// Whether the revision has a file, changed or not. `path` is absolute.
    pub fn is_in_revision(&self, path: &Path) -> Result<bool, String> {
        if self.names.get().is_none()
            && let Some(tree) = &self.tree
        {
            let output = ask(&self.root, &["ls-tree", "-r", "-z", "--name-only", "--full-tree", tree], &[])?;
            let names = output.split(|byte| *byte == 0).filter(|name| !name.is_empty());
            let names = names.map(|name| path_of(name.to_vec())).collect::<Result<_, _>>()?;
            self.names.get_or_init(|| names);
        }
        let name = path.strip_prefix(&self.root).unwrap_or(path);
        Ok(self.names.get().is_some_and(|names| names.contains(name)))
    }

    /// Returns settings with which git runs no filter, because git might run filters to compare files with the index.
    fn without_filters(&self) -> Vec<(OsString, &'static str)> {
        without(&self.settings)
    }

    /// Writes the content of an object to `into`.
    pub fn copy(&self, object: &str, into: &mut impl Write) -> io::Result<()> {
        let mut contents = lock(&self.contents);
        let running = match &mut *contents {
            Some(running) => running,
            none => none.insert(Contents::start(&self.root)?),
        };
        let copied = running.copy(object, into);
        if copied.is_err() {
            // After an error, the rest of git's output cannot be parsed.
            *contents = None;
        }
        copied
    }
}

/// Options with which git compares files without running programs, and prints the objects of files that differ.
const RAW: [&str; 7] = [
    "-z",
    "--raw",
    "--no-abbrev",
    "--find-renames",
    "--no-ext-diff",
    "--no-textconv",
    "--ignore-submodules=all",
];

/// A file that differs, in the format that [`RAW`] selects. Arrays have the old version and the new version.
struct Change<'a> {
    modes: [&'a str; 2],
    objects: [&'a str; 2],
    /// A letter for the kind of change, followed by the similarity of a renamed file in percent.
    status: &'a str,
    names: [&'a [u8]; 2],
}

impl<'a> Change<'a> {
    /// Parses `:MODE MODE OBJECT OBJECT STATUS<NUL>NAME<NUL>`, with two names if the file was renamed or copied.
    fn read(entry: &'a [u8], fields: &mut impl Iterator<Item = &'a [u8]>) -> Result<Change<'a>, String> {
        let words = words(entry)?;
        let [old_mode, mode, old, object, status] = words[..] else { return Err(not_understood()) };
        let mut name = || fields.next().ok_or_else(not_understood);
        let first = name()?;
        let second = if status.starts_with(['R', 'C']) { name()? } else { first };
        let modes = [old_mode.trim_start_matches(':'), mode];
        Ok(Change { modes, objects: [old, object], status, names: [first, second] })
    }
}

/// Parses the output of a comparison.
fn changes(output: &[u8]) -> Result<Vec<Change<'_>>, String> {
    let mut fields = output.split(|byte| *byte == 0);
    let mut changes = Vec::new();
    while let Some(entry) = fields.next().filter(|entry| !entry.is_empty()) {
        changes.push(Change::read(entry, &mut fields)?);
    }
    Ok(changes)
}

/// Why a clone may lack a revision, and the command that fetches it.
const SHALLOW: &str = "the clone is shallow: use 'git fetch --unshallow' to have all revisions";

fn is_shallow(directory: &Path) -> bool {
    let said = ask(directory, &["rev-parse", "--is-shallow-repository"], &[]);
    said.is_ok_and(|said| said.starts_with(b"true"))
}

/// Returns the object ID of the tree of a revision.
fn tree(root: &Path, revision: &OsStr) -> Result<String, String> {
    let unknown = || {
        let fix = if is_shallow(root) { format!("; {SHALLOW}") } else { String::new() };
        format!("no such revision: {}{fix}", quoted(revision))
    };
    let revision = revision.to_str().ok_or_else(unknown)?;
    let object = format!("{revision}^{{tree}}");
    let output = ask(root, &["rev-parse", "--verify", "--quiet", "--end-of-options", &object], &[]);
    let output = String::from_utf8(output.map_err(|_| unknown())?).map_err(|_| unknown())?;
    let tree = output.trim();
    let is_object = !tree.is_empty() && tree.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_object.then(|| tree.to_string()).ok_or_else(unknown)
}

/// Whether the repository of a directory has a commit.
pub fn has_commits(directory: &Path) -> bool {
    tree(directory, OsStr::new("HEAD")).is_ok()
}

/// The attributes by which git converts files on checkout.
const ATTRIBUTES: [&str; 2] = ["filter", "working-tree-encoding"];

/// Returns the values of [`ATTRIBUTES`] of files, by their names relative to the top of the working tree.
fn attributes(root: &Path, names: &[&Path]) -> Result<HashMap<PathBuf, HashMap<String, String>>, String> {
    let input = temporary(|file| {
        let names = names.iter().flat_map(|name| [name.as_os_str().as_encoded_bytes(), b"\0"]);
        file.write_all(&names.collect::<Vec<_>>().concat())
    });
    let mut command = git(root);
    command.args(["check-attr", "-z", "--stdin"]).args(ATTRIBUTES);
    command.stdin(input.map_err(|error| reason(&error))?);
    let output = printed(command)?;
    let mut attributes: HashMap<PathBuf, HashMap<_, _>> = HashMap::new();
    let mut fields = output.split(|byte| *byte == 0);
    // The format is NAME<NUL>ATTRIBUTE<NUL>VALUE<NUL>.
    while let (Some(name), Some(attribute), Some(value)) = (fields.next(), fields.next(), fields.next()) {
        let values = attributes.entry(path_of(name.to_vec())?).or_default();
        let [attribute, value] = [attribute, value].map(|text| String::from_utf8_lossy(text).into_owned());
        if !matches!(&value[..], "unspecified" | "unset" | "set" | "") {
            values.insert(attribute, value);
        }
    }
    Ok(attributes)
}

/// Returns the commands that convert files on checkout, by the names of their filters. git prefers `process` to
/// `smudge`, and runs nothing if a command is empty.
fn filters(settings: &[(OsString, String)]) -> BTreeMap<String, String> {
    let of = |end: &str| {
        let name =
            |key: &OsStr| Some(key.to_string_lossy().strip_prefix("filter.")?.strip_suffix(end)?.to_string());
        let all = settings.iter().filter_map(|(key, command)| Some((name(key)?, command.clone())));
        // The last setting of a key wins.
        let mut all: BTreeMap<_, _> = all.collect();
        all.retain(|_, command| !command.is_empty());
        all
    };
    of(".smudge").into_iter().chain(of(".process")).collect()
}

/// Returns the settings of all filters.
fn filter_settings(root: &Path) -> Result<Vec<(OsString, String)>, String> {
    let output = git(root).args(["config", "-z", "--get-regexp", "^filter\\."]).output();
    // git fails if there are no such settings.
    let output = output.map_err(|error| format!("git: {}", reason(&error)))?.stdout;
    let mut settings = Vec::new();
    // The format is KEY<LF>VALUE<NUL>, or KEY<NUL>.
    for setting in output.split(|byte| *byte == 0).filter(|setting| !setting.is_empty()) {
        let mut parts = setting.splitn(2, |byte| *byte == b'\n');
        let key = system::name_of(parts.next().unwrap_or_default().to_vec()).ok_or_else(not_understood)?;
        settings.push((key, String::from_utf8_lossy(parts.next().unwrap_or_default()).into()));
    }
    Ok(settings)
}

/// Returns settings under which no filter runs.
fn without(filters: &[(OsString, String)]) -> Vec<(OsString, &'static str)> {
    let is_required = |key: &OsStr| key.to_string_lossy().to_lowercase().ends_with(".required");
    let value = |key: &OsStr| if is_required(key) { "false" } else { "" };
    filters.iter().map(|(key, _)| (key.clone(), value(key))).collect()
}

/// Returns the files below the current directory that differ from what is staged. Files that git converts are left out,
/// because their filters are not run.
pub fn unstaged() -> Result<HashSet<PathBuf>, String> {
    let current = Path::new(".");
    let settings = filter_settings(current)?;
    let output = ask(current, &["diff-files", "--name-only", "-z", "--relative"], &without(&settings))?;
    let names = output.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    let mut names: HashSet<_> = names.map(|name| path_of(name.to_vec())).collect::<Result<_, _>>()?;
    let converted = attributes(current, &names.iter().map(PathBuf::as_path).collect::<Vec<_>>())?;
    names.retain(|name| converted.get(name).is_none_or(HashMap::is_empty));
    Ok(names)
}

fn words(line: &[u8]) -> Result<Vec<&str>, String> {
    let line = std::str::from_utf8(line).map_err(|_| not_understood())?;
    Ok(line.split(' ').collect())
}

fn path_of(name: Vec<u8>) -> Result<PathBuf, String> {
    system::name_of(name).map(PathBuf::from).ok_or_else(not_understood)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing(names: impl IntoIterator<Item = String>) -> Listing {
        let mut listing = Listing { root: "/r".into(), ..Listing::default() };
        for name in names {
            listing.add("100644", &name, name.contains('!'), name.as_bytes()).expect("adds");
        }
        listing
    }

    #[test]
    fn directories_have_the_files_below_them() {
        let names = ["a", "a.txt", "b/a", "b/c/d", "b/c!", "b-c/d", "b.c", "bc/d", "c/b/a"];
        let listing = listing(names.map(String::from));
        let below = |path: &str| {
            let found = listing.below(Path::new(path));
            let found = found.iter().map(|(name, object)| format!("{}={object}", name.display()));
            found.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(below("/r/b"), "a=b/a c/d=b/c/d");
        assert_eq!(below("/r/b/c"), "d=b/c/d");
        assert_eq!(below("/r/a"), "=a");
        assert_eq!([below("/r/b/c!"), below("/r/d"), below("/other")], ["", "", ""]);
        assert_eq!(listing.below(Path::new("/r")).len(), names.len() - 1);
        assert_eq!(listing.unmerged_below(Path::new("/r/b")), [Path::new("c!")]);
        assert_eq!(listing.unmerged_below(Path::new("/r/c")), [] as [PathBuf; 0]);
    }

    /// A linear search for each of 50,000 files would take minutes.
    #[test]
    fn each_of_many_files_is_found_at_once() {
        let name = |number: u32| {
            format!("{}/{number}{}", number / 100, if number.is_multiple_of(2) { "" } else { "!" })
        };
        let listing = listing((0..50_000).map(name));
        for number in 0..50_000 {
            let path = Path::new("/r").join(name(number));
            let found = [listing.below(&path).len(), listing.unmerged_below(&path).len()];
            assert_eq!(found, if number.is_multiple_of(2) { [1, 0] } else { [0, 1] });
        }
    }
}
