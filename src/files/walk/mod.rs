//! The files of a run: those named as arguments or in lists, and those found in directories.
//!
//! All threads walk together. Only the directories that are being read and those that wait are in memory, never a whole
//! tree, so memory does not grow with the number of files. The callers sort the files by their keys.

mod directory;
mod entry;
mod globs;
mod ignored;
mod list;
mod targets;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs::FileType;
use std::io::ErrorKind;
use std::path::{Path, PathBuf, absolute};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::{io, mem};

pub use self::directory::Directory;
use self::directory::{Entries, Entry};
pub use self::entry::{FileEntry, Key};
use self::entry::{Origin, key};
pub use self::globs::Globs;
use self::ignored::{Filters, Ignored, Why};
use self::list::List;
pub use self::targets::{Excludes, LeavesOut, LeftOut, Targets};
use crate::files::identity::Identity;
use crate::files::open_directory::Root;
use crate::files::replace::directory_of;
use crate::files::repository::{Listing as Index, Repositories};
use crate::files::source::Input;
use crate::files::stdio;
use crate::ui::quote::{one_line, quoted, reason};
use crate::ui::threads::lock;

/// Errors and warnings of a walk.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// Arguments and entries that cannot be read, with the reasons.
    pub unreadable: BTreeMap<Key, String>,
    /// Messages of other errors.
    pub errors: BTreeSet<String>,
    /// Messages that do not change the exit status.
    pub warnings: BTreeSet<String>,
    /// Whether standard output writes to a file that was named, which is also an error. Nothing may then be written to
    /// standard output.
    pub has_output: bool,
    pub left_out: LeftOut,
}

impl Notes {
    /// Adds the notes of another walk.
    pub fn merge(&mut self, mut other: Notes) {
        self.unreadable.append(&mut other.unreadable);
        self.errors.append(&mut other.errors);
        self.warnings.append(&mut other.warnings);
        self.has_output |= other.has_output;
        self.left_out.merge(other.left_out);
    }

    /// Reports that standard output writes to a file that was named.
    fn refuse_output(&mut self, name: &Path) {
        self.errors.insert(format!("{}: the output would overwrite this input", quoted(name.as_os_str())));
        self.has_output = true;
    }

    fn add_unreadable(&mut self, argument: u64, path: &Path, error: &io::Error) {
        // 4095 bytes is the limit of Linux; a file at a longer path can only be reached from a directory in the path.
        let is_deep = error.kind() == ErrorKind::InvalidFilename && path.as_os_str().len() > 4095;
        let advice = if is_deep { "; run utfconv in a directory below" } else { "" };
        self.unreadable.insert(key(argument, path), reason(error) + advice);
    }

    /// Reports an error in patterns as a warning.
    fn warn(&mut self, error: &str) {
        self.warnings.insert(one_line(error).into_owned());
    }
}

/// The reports and the work items that one step of the walk of directories adds.
struct Found<'a> {
    notes: &'a mut Notes,
    /// Further items, the first to handle on top.
    more: Vec<WorkItem>,
}

impl Found<'_> {
    /// Adds a file that was named. Named files are handed out singly, because they may be few and large.
    fn add_file(&mut self, argument: u64, origin: Origin) {
        self.more.push(WorkItem::Files(vec![FileEntry { argument, origin, is_link: false }]));
    }
}

/// Hands out the files of a run, some at a time.
///
/// Pending directories are on a stack. Each thread takes the topmost directory and pushes those that it finds, so all
/// threads walk, and the files of a directory are handed out before the next directory is opened.
pub struct WorkQueue {
    left: Mutex<Left>,
    /// Signals that items were pushed or that the walk has ended.
    changed: Condvar,
}

/// The arguments and directories that are not walked yet, and the state of the threads.
struct Left {
    items: Vec<WorkItem>,
    /// The arguments; `None` while a thread reads the next argument.
    arguments: Option<Box<Arguments>>,
    /// Number of threads that took an item and may push others.
    busy: usize,
    /// Number of threads that wait for items of other threads.
    idle: usize,
}

#[allow(clippy::large_enum_variant)] // large only on Windows
enum WorkItem {
    Files(Vec<FileEntry>),
    Directory(Waiting),
    Listing(Listing),
    Arguments(Box<Arguments>),
}

impl WorkQueue {
    pub fn new(targets: Targets) -> WorkQueue {
        let left =
            Left { items: Vec::new(), arguments: Some(Arguments::new(targets).into()), busy: 0, idle: 0 };
        WorkQueue { left: Mutex::new(left), changed: Condvar::new() }
    }

    /// Returns the next files; an empty list if there are no more. Errors and warnings are added to `notes`.
    pub fn take(&self, notes: &mut Notes) -> Vec<FileEntry> {
        let mut left = lock(&self.left);
        loop {
            let next = left.items.pop().or_else(|| left.arguments.take().map(WorkItem::Arguments));
            match next {
                Some(WorkItem::Files(files)) => return files,
                Some(item) => {
                    left.busy += 1;
                    drop(left);
                    let mut found = Found { notes, more: Vec::new() };
                    let arguments = item.walk(&mut found);
                    left = lock(&self.left);
                    left.busy -= 1;
                    left.arguments = left.arguments.take().or(arguments);
                    left.items.append(&mut found.more);
                    // Threads that wait must also see the end of the walk.
                    if left.idle > 0 {
                        self.changed.notify_all();
                    }
                }
                None if left.busy == 0 => return Vec::new(),
                None => {
                    left.idle += 1;
                    left = self.changed.wait(left).unwrap_or_else(PoisonError::into_inner);
                    left.idle -= 1;
                }
            }
        }
    }

    /// Returns all files, for a run with one thread.
    pub fn all(self, notes: &mut Notes) -> impl Iterator<Item = FileEntry> {
        std::iter::from_fn(move || Some(self.take(notes)).filter(|some| !some.is_empty())).flatten()
    }
}

impl WorkItem {
    /// Walks one step. Pushes further items to `found`, the first to handle on top. Returns the arguments if more of
    /// them may follow.
    fn walk(self, found: &mut Found) -> Option<Box<Arguments>> {
        match self {
            WorkItem::Files(_) => found.more.push(self),
            WorkItem::Directory(waiting) => waiting.open(found),
            WorkItem::Listing(listing) => listing.advance(found),
            WorkItem::Arguments(mut arguments) => {
                let is_more = arguments.next(found);
                return is_more.then_some(arguments);
            }
        }
        None
    }
}

/// The names in arguments and lists, or why a list cannot be read.
type Names = Box<dyn Iterator<Item = Result<OsString, String>> + Send>;

/// The arguments and the entries of lists, in order.
struct Arguments {
    targets: Targets,
    names: Names,
    /// The absolute names of the arguments, if each file counts once, so that an argument is skipped where the walk of
    /// another argument finds it.
    named: Arc<HashSet<PathBuf>>,
    /// Number of arguments read so far.
    number: u64,
    /// The filters, created for the first directory.
    filters: Option<Arc<Filters>>,
    repositories: Repositories,
}

impl Arguments {
    fn new(mut targets: Targets) -> Arguments {
        // Tracked files are included even if they are hidden or ignored.
        targets.hidden |= targets.wanted.is_set();
        targets.no_ignore |= targets.wanted.is_set();
        let mut paths = mem::take(&mut targets.paths);
        let mut named = HashSet::new();
        if targets.once && paths.len() + targets.lists.len() > 1 {
            paths.retain(|path| path == "-" || absolute(path).map_or(true, |path| named.insert(path)));
        }
        let named = Arc::new(named);
        let listed_before = named.clone();
        let lists = mem::take(&mut targets.lists).into_iter();
        let listed = lists.flat_map(|(name, end)| -> Names {
            match List::open(&name, end) {
                Ok(list) => Box::new(list),
                Err(error) => Box::new(std::iter::once(Err(error))),
            }
        });
        let is_new = move |name: &Result<OsString, String>| match name {
            Ok(name) if !listed_before.is_empty() => {
                !absolute(name).is_ok_and(|path| listed_before.contains(&path))
            }
            _ => true,
        };
        let names = Box::new(paths.into_iter().map(Ok).chain(listed.filter(is_new)));
        Arguments { targets, names, named, number: 0, filters: None, repositories: Repositories::default() }
    }

    /// Reads the next argument. Returns false if there is none.
    fn next(&mut self, found: &mut Found) -> bool {
        match self.names.next() {
            None => return false,
            Some(Ok(name)) => {
                self.number += 1;
                self.add(name, found);
            }
            Some(Err(error)) => _ = found.notes.errors.insert(error),
        }
        true
    }

    /// Adds the file or directory that the last argument names.
    fn add(&mut self, name: OsString, found: &mut Found) {
        let listing = if self.targets.wanted.is_set() {
            match self.listing(Path::new(&name)) {
                Ok((listing, real)) if self.targets.wanted.staged => {
                    let path = PathBuf::from(name);
                    return self.stage(&path, &real, &listing, found);
                }
                Ok((listing, real)) if real.is_dir() || listing.has(&real, false) => Some(listing),
                Ok((_, real)) if real.symlink_metadata().is_ok() => return,
                // A missing file is reported below.
                Ok(_) => None,
                Err(why) => {
                    found.notes.errors.insert(format!("{}: {why}", quoted(&name)));
                    return;
                }
            }
        } else {
            None
        };
        if name != "-" {
            self.add_path(PathBuf::from(name), listing, found);
        } else if Input::stdin().is_output() {
            found.notes.refuse_output(Path::new("-"));
        } else {
            let name = self.targets.stdin_name.clone().unwrap_or(name);
            found.add_file(self.number, Origin::Stdin(name));
        }
    }

    /// Adds a file or directory by its path, with the wanted files of its repository.
    fn add_path(&mut self, path: PathBuf, listing: Option<Arc<Index>>, found: &mut Found) {
        let argument = self.number;
        match std::fs::metadata(&path) {
            Err(error) => found.notes.add_unreadable(argument, &path, &error),
            Ok(metadata) if metadata.is_dir() && self.targets.refuses_directories => {
                let why = "Is a directory; use -r to convert its files";
                found.notes.add_unreadable(argument, &path, &io::Error::new(ErrorKind::IsADirectory, why));
            }
            Ok(metadata) if metadata.is_dir() => {
                // A link that was named is followed; links found in directories are not.
                let path = if path.is_symlink() { path.join("") } else { path };
                let filters = self
                    .filters
                    .get_or_insert_with(|| Filters::new(&self.targets, self.named.clone()).into());
                let ignored = Ignored::above(&path, filters.clone(), listing, found.notes);
                if ignored.is_excepted() {
                    let error = io::Error::other("is inside the output directory");
                    return found.notes.add_unreadable(argument, &path, &error);
                }
                let root = Root { identity: Identity::with(&metadata, &path), path: path.clone() }.into();
                found.more.push(WorkItem::Directory(Waiting { argument, root, path, ignored }));
            }
            Ok(metadata) if stdio::is_output(|| Identity::with(&metadata, &path)) => {
                found.notes.refuse_output(&path);
            }
            Ok(_) => found.add_file(argument, Origin::Named(path)),
        }
    }

    /// Hands out the contents of the index at or below a name. `real` is the name without symbolic links.
    fn stage(&self, name: &Path, real: &Path, listing: &Arc<Index>, found: &mut Found) {
        let Arguments { targets, number, .. } = self;
        let path_of =
            |below: &Path| if below == Path::new("") { name.to_path_buf() } else { name.join(below) };
        for below in listing.unmerged_below(real) {
            let error = io::Error::other("has conflicts; resolve them before it can be checked");
            found.notes.add_unreadable(*number, &path_of(&below), &error);
        }
        let files = listing.below(real);
        if let (true, Err(error)) = (files.is_empty(), real.symlink_metadata()) {
            found.notes.add_unreadable(*number, name, &error);
        }
        for (below, object) in files {
            let path = path_of(&below);
            let is_named = below == Path::new("");
            let file_name = below.file_name().unwrap_or_default();
            let above = below.parent().unwrap_or(Path::new(""));
            let leaves_out = |above: &Path, name: &OsStr, is_directory| {
                let configured =
                    targets.configured.as_ref().and_then(|one| one.of(&path_of(above), &|_: &str| true));
                targets.globs.leave_out(above, name, is_directory)
                    || configured.is_some_and(|leaves_out| leaves_out(name, is_directory))
            };
            let mut is_left_out = leaves_out(above, file_name, false);
            for directory in above.ancestors().filter(|directory| *directory != Path::new("")) {
                let (above, name) = (directory.parent(), directory.file_name());
                is_left_out |= leaves_out(above.unwrap_or(Path::new("")), name.unwrap_or_default(), true);
            }
            if is_named || !is_left_out {
                let real = if is_named { real.to_path_buf() } else { real.join(&below) };
                let origin = Origin::Staged { path, real, listing: listing.clone(), object, is_named };
                found.add_file(*number, origin);
            }
        }
    }

    /// Returns the wanted files of the repository that contains `name`, and the name without symbolic links in its
    /// directories.
    fn listing(&mut self, name: &Path) -> Result<(Arc<Index>, PathBuf), String> {
        if name == "-" {
            return Err("standard input is not in a repository".to_string());
        }
        let (directory, real) = if name.is_dir() {
            let real = name.canonicalize().map_err(|error| reason(&error))?;
            (real.clone(), real)
        } else {
            let directory = directory_of(name).canonicalize().map_err(|error| reason(&error))?;
            let real = directory.join(name.file_name().unwrap_or_default());
            (directory, real)
        };
        Ok((self.repositories.listing(&directory, &self.targets.wanted)?, real))
    }
}

/// A directory that waits to be walked.
struct Waiting {
    argument: u64,
    /// The directory named by the user in which the walk began.
    root: Arc<Root>,
    path: PathBuf,
    /// The filters that the ancestors of the directory define.
    ignored: Ignored,
}

impl Waiting {
    fn open(self, found: &mut Found) {
        let Waiting { argument, root, path, mut ignored } = self;
        match Directory::open(&path, root) {
            Ok((directory, ahead, entries)) => {
                ignored.read(&path, |name| directory.may_have(name), found.notes);
                Listing { argument, directory: directory.into(), ignored, ahead, entries }.advance(found);
            }
            Err(error) => found.notes.add_unreadable(argument, &path, &error),
        }
    }
}

/// A directory that is being listed.
struct Listing {
    argument: u64,
    directory: Arc<Directory>,
    ignored: Ignored,
    /// Entries that were read but not handled.
    ahead: Vec<Entry>,
    entries: Entries,
}

impl Listing {
    /// Number of files that are handed out together.
    const SEVERAL: usize = 32;

    fn advance(mut self, found: &mut Found) {
        let mut files = Vec::new();
        for (name, kind) in mem::take(&mut self.ahead) {
            match kind {
                Ok(kind) => self.add(name, kind, &mut files, found),
                // An error without a name concerns the directory itself.
                Err(error) => {
                    let path = self.directory.path().join(name);
                    found.notes.add_unreadable(self.argument, path.components().as_path(), &error);
                }
            }
        }
        // The rest of the directory comes before its subdirectories, so that few directories are open at a time.
        self.ahead = self.entries.some();
        if !self.ahead.is_empty() {
            found.more.push(WorkItem::Listing(self));
        }
        let mut files = files.into_iter();
        while files.len() > 0 {
            found.more.push(WorkItem::Files(files.by_ref().take(Self::SEVERAL).collect()));
        }
    }

    /// Adds an entry. Skips and counts symbolic links that are not included, and files that are neither regular nor
    /// directories, because links are not followed and pipes are not opened.
    fn add(&self, name: OsString, kind: FileType, files: &mut Vec<FileEntry>, found: &mut Found) {
        let is_link = kind.is_symlink() && self.ignored.takes_links();
        let left_out = &mut found.notes.left_out;
        let skipped = match self.ignored.leaves_out(&name, kind.is_dir()) {
            Some(Why::Other) => return,
            Some(Why::Hidden) => &mut left_out.hidden,
            Some(Why::Ignored) => &mut left_out.ignored,
            None if kind.is_file() || kind.is_dir() || is_link => {
                return self.hand_out(name, kind, files, found);
            }
            None if kind.is_symlink() => &mut left_out.links,
            None => &mut left_out.special,
        };
        *skipped += 1;
    }

    fn hand_out(&self, name: OsString, kind: FileType, files: &mut Vec<FileEntry>, found: &mut Found) {
        let Listing { argument, directory, ignored, .. } = self;
        if kind.is_dir() {
            let (path, ignored) = (directory.path().join(&name), ignored.below(&name));
            let root = directory.root.clone();
            found.more.push(WorkItem::Directory(Waiting { argument: *argument, root, path, ignored }));
        } else if !directory.is_output(&name) {
            let origin = Origin::Found(directory.clone(), name);
            files.push(FileEntry { argument: *argument, origin, is_link: kind.is_symlink() });
        }
    }
}

#[cfg(test)]
mod tests;
