//! Replaces a file as a whole: a reader sees either the old file or the complete new file, and a failure leaves the old
//! file.
//!
//! The new content is written to a [draft](super::draft), a file beside the old file, which then gets the
//! [`attributes`] of the old file and is synced. If the new content was made from the old file, the draft is exchanged
//! with the old file; otherwise it is renamed over it. Some files can be replaced in neither way: files with several
//! names or with an owner that cannot be set, files in a read-only directory, and mount points. Their content is
//! overwritten after the conversion is complete, in a batch only with `--force`.
//!
//! The directory is [held open](super::open_directory) from the opening of the old file to the rename.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::files::attributes::{self, Openness};
pub use crate::files::backup::backup_of;
use crate::files::backup::{back_up, times_of};
use crate::files::draft::{Draft, Exchanged, is_same_version, keep_input};
use crate::files::identity::Identity;
use crate::files::leftovers::Replaced;
#[cfg(target_os = "linux")]
use crate::files::linux;
use crate::files::open_directory::{Access, DirectoryEntry, OpenDirectory, Route};
use crate::files::signals::hold_signals;
use crate::files::source::{Opened, is_directory, refuse_directory};
use crate::files::stdio::fill_at;
use crate::files::system::{self, is_same};
use crate::ui::quote::{as_argument, quoted, reason};

/// When new content has to be on disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// Each file is synced before it replaces the old file.
    #[default]
    File,
    /// The files of a group are synced together before they replace the old files.
    Batch,
    /// The system decides when the content is written to disk.
    None,
}

/// The kind of file that an output name leads to.
#[allow(clippy::large_enum_variant)] // a run has only one target
pub enum OutputTarget {
    /// A device, pipe or socket, which is written directly.
    Device(File),
    /// A regular file, or a file that does not exist yet.
    File(FileTarget),
}

/// A regular file to replace or to create.
pub struct FileTarget {
    /// The name of the file in its directory, with links resolved.
    entry: DirectoryEntry,
    /// The old file, open for writing, and its metadata.
    old: Option<(File, Metadata)>,
    in_place: Option<InPlace>,
    /// Whether the new content is made from the old file.
    is_input: bool,
    /// The permissions of a new file, before umask is applied.
    mode: u32,
    /// The maximum permissions of the result.
    limit: Option<Openness>,
}

/// How a file is converted in place. A file that another process changed meanwhile is not replaced.
#[derive(Clone, Default)]
pub struct InPlace {
    /// The suffix of the name under which the old file is kept.
    pub backup: Option<OsString>,
    /// Whether a number is added to the name of the backup if the name is taken.
    pub numbers_backups: bool,
    /// Whether the access and modification times are kept.
    pub keeps_times: bool,
    /// Whether a file that no rename can replace is overwritten. It may lose its set-user-ID and set-group-ID bits.
    pub force: bool,
    /// Whether the command has no option `--force`.
    pub cannot_force: bool,
}

impl InPlace {
    /// Returns the advice in the message for a file that is not replaced.
    fn advice(&self, purpose: &str) -> String {
        if self.cannot_force { String::new() } else { format!("; use --force to {purpose}") }
    }
}

impl FileTarget {
    /// Opens a file to convert in place.
    pub fn to_convert(route: &Route, how: &InPlace) -> io::Result<FileTarget> {
        let check = |metadata: &Metadata, file: Option<&File>| {
            refuse_directory(metadata)?;
            refusal(metadata, file, how).map_or(Ok(()), |reason| Err(io::Error::other(reason)))
        };
        // The path is checked before the file is opened, because opening a device or a pipe may have an effect.
        let named = match route {
            Route::Named(path) => Some(fs::metadata(path)?),
            Route::Found { .. } => None,
        };
        named.as_ref().map_or(Ok(()), |named| check(named, None))?;
        let entry = route.entry()?;
        #[cfg(target_os = "linux")]
        linux::refuse_made_by_kernel(&entry)?;
        if named.is_none() {
            let found = entry.metadata()?;
            if found.is_symlink() {
                return Err(io::Error::other("file was replaced"));
            }
            check(&found, None)?;
        }
        let file = entry.open(Access::ReadWrite)?;
        let metadata = file.metadata()?;
        check(&metadata, Some(&file))?;
        // A path of /proc may lead to another file than its link says.
        if named.is_some_and(|named| is_same(&named, &metadata) == Some(false)) {
            return Err(io::Error::other("file was replaced or removed"));
        }
        system::claim(&file)?;
        let target = FileTarget::new(entry, Some((file, metadata)), 0o600);
        Ok(FileTarget { in_place: Some(how.clone()), is_input: true, ..target })
    }

    /// Returns the old file as an input.
    pub fn source(&self) -> io::Result<Opened> {
        let (file, _) = self.old.as_ref().ok_or(ErrorKind::NotFound)?;
        file.try_clone().map(Opened::new)
    }

    /// Creates a target for a file to create or replace, with at most the permissions of its input. Links are not
    /// followed.
    pub fn like(entry: DirectoryEntry, limit: Openness) -> io::Result<FileTarget> {
        let old = match entry.metadata() {
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error),
            Ok(there) if there.is_symlink() => {
                return Err(io::Error::other("is a symbolic link; use a regular file as output"));
            }
            Ok(there) => {
                refuse_directory(&there)?;
                // Opening a pipe would wait for its other end.
                if !there.is_file() {
                    return Err(io::Error::other("not a regular file"));
                }
                let file = entry.open(Access::Write)?;
                let metadata = file.metadata()?;
                if is_same(&there, &metadata) == Some(false) {
                    return Err(io::Error::other("file was replaced or removed"));
                }
                if system::names(&metadata, Some(&file)) > 1 {
                    return Err(io::Error::other("has other hard links, which would change too"));
                }
                Some((file, metadata))
            }
        };
        Ok(FileTarget { limit: Some(limit), ..FileTarget::new(entry, old, limit.mode() | 0o600) })
    }

    /// Creates a target for a file to create or replace, whatever the old file contains.
    fn new(entry: DirectoryEntry, old: Option<(File, Metadata)>, mode: u32) -> FileTarget {
        FileTarget { entry, old, in_place: None, is_input: false, mode, limit: None }
    }

    /// Returns the length of the old file in bytes.
    pub fn len(&self) -> Option<u64> {
        self.old.as_ref().map(|(_, metadata)| metadata.len())
    }

    /// Whether the old file is executable.
    pub fn is_executable(&self) -> bool {
        self.old.as_ref().is_some_and(|(_, metadata)| system::is_executable(metadata))
    }

    /// Reads from the old file at `offset`. Returns the number of bytes.
    pub fn read(&self, into: &mut [u8], offset: u64) -> io::Result<usize> {
        self.old.as_ref().map_or(Ok(0), |(file, _)| fill_at(file, into, offset))
    }

    /// Adds the file to `replaced` if the new content is made from the old file.
    pub fn note(&self, replaced: &mut Replaced) {
        if self.is_input {
            replaced.add(self.entry.directory().path(), self.entry.name());
        }
    }

    fn keeps_times(&self) -> bool {
        self.in_place.as_ref().is_some_and(|how| how.keeps_times)
    }

    /// Fails if the new content is made from the old file and another process has changed that file meanwhile.
    pub fn ensure_unchanged(&self) -> io::Result<()> {
        let Some((_, then)) = self.old.as_ref().filter(|_| self.is_input) else { return Ok(()) };
        let is_unchanged = self.entry.metadata().is_ok_and(|now| is_unchanged(&now, then));
        if is_unchanged { Ok(()) } else { Err(changed_meanwhile(None)) }
    }
}

/// The purpose of `--force` for a file that no rename can replace.
const OVERWRITE: &str = "overwrite the file itself";

/// Returns why a file is not converted in place; `None` if the file can be converted in place.
fn refusal(metadata: &Metadata, file: Option<&File>, how: &InPlace) -> Option<String> {
    if !metadata.is_file() {
        return Some("not a regular file; only regular files are converted in place".to_string());
    }
    if how.force {
        return None;
    }
    let others = system::names(metadata, file).saturating_sub(1);
    if others > 0 {
        let names = if others == 1 { "another hard link" } else { "other hard links" };
        return Some(format!("has {names}{}", how.advice("change all hard links")));
    }
    if system::has_set_id(metadata) {
        let advice = how.advice("convert it anyway");
        return Some(format!("would lose its set-user-ID or set-group-ID bit{advice}"));
    }
    None
}

impl OutputTarget {
    /// Finds out what `path` leads to, without changing anything. A file that is not writable is refused, even if a
    /// rename could replace it.
    pub fn find(path: &Path) -> io::Result<OutputTarget> {
        match fs::metadata(path) {
            // A link may point to a file that does not exist yet.
            Err(error) if error.kind() == ErrorKind::NotFound && path != Path::new("") => {
                let path = links(path).last().unwrap_or_default();
                if names_directory(&path) {
                    return Err(is_directory());
                }
                let name = path.file_name().ok_or(ErrorKind::NotFound)?;
                let entry = DirectoryEntry::real(&directory_of(&path).canonicalize()?.join(name))?;
                Ok(OutputTarget::File(FileTarget::new(entry, None, 0o666)))
            }
            Err(error) => Err(error),
            // `append` is for paths such as /dev/fd/3, which may lead to a regular file that other processes write to
            // as well.
            Ok(metadata) if !metadata.is_file() || is_descriptor(path) => {
                refuse_directory(&metadata)?;
                Ok(OutputTarget::Device(OpenOptions::new().append(true).open(path)?))
            }
            Ok(metadata) => {
                let entry = DirectoryEntry::real(&path.canonicalize()?)?;
                let file = entry.open(Access::Write)?;
                if is_same(&file.metadata()?, &metadata) == Some(false) {
                    return Err(io::Error::other("file was replaced or removed"));
                }
                Ok(OutputTarget::File(FileTarget::new(entry, Some((file, metadata)), 0o600)))
            }
        }
    }
}

/// Whether `path` can only name a directory, because it ends in a separator, or in a separator and a dot.
fn names_directory(path: &Path) -> bool {
    let bytes = path.as_os_str().as_encoded_bytes();
    let bytes = bytes.strip_suffix(b".").unwrap_or(bytes);
    bytes.last().is_some_and(|last| std::path::is_separator(char::from(*last)))
}

/// Whether `path` leads to a descriptor of a process, such as /dev/stdout or /proc/self/fd/3.
fn is_descriptor(path: &Path) -> bool {
    links(path).any(|path| {
        path.starts_with("/dev/fd")
            || fs::canonicalize(directory_of(&path))
                .is_ok_and(|at| at.starts_with("/proc") && at.ends_with("fd"))
    })
}

/// Returns `path`, and each path that it leads to through symbolic links.
fn links(path: &Path) -> impl Iterator<Item = PathBuf> {
    let next = |path: &PathBuf| Some(path.parent().unwrap_or(Path::new("")).join(fs::read_link(path).ok()?));
    // Linux follows at most 40 links.
    std::iter::successors(Some(path.to_path_buf()), next).take(40)
}

/// New content that is being written for a file.
pub struct Replacement {
    target: FileTarget,
    draft: Draft,
    /// Whether the old file is overwritten, because it cannot be renamed over.
    is_direct: bool,
}

impl Replacement {
    /// Begins to replace `target`. The content has to be written to the returned value.
    pub fn new(target: FileTarget) -> io::Result<Replacement> {
        // Until it replaces an old file, only the owner may read the draft.
        let FileTarget { entry, old, in_place, mode, limit, .. } = &target;
        let may_write_over = in_place.as_ref().is_none_or(|how| how.force);
        // A rename would separate the file from its other names.
        let is_linked = old.as_ref().is_some_and(|(file, metadata)| system::names(metadata, Some(file)) > 1);
        let beside = || Draft::new(entry.clone(), *mode);
        let (draft, is_direct) = match (!is_linked).then(beside) {
            None => (Draft::elsewhere(entry.name())?, true),
            // The file is writable, but its directory is not.
            Some(Err(error)) if old.is_some() && may_write_over && is_closed(&error) => {
                (Draft::elsewhere(entry.name())?, true)
            }
            Some(Err(error)) if in_place.is_some() && error.kind() == ErrorKind::PermissionDenied => {
                let advice = in_place.as_ref().map(|how| how.advice(OVERWRITE)).unwrap_or_default();
                let text = format!("{} for its directory{advice}", reason(&error));
                return Err(io::Error::new(error.kind(), text));
            }
            Some(draft) => (draft?, false),
        };
        limit.map_or(Ok(()), |limit| limit.limit(draft.file()))?;
        Ok(Replacement { target, draft, is_direct })
    }

    /// Returns the file with the new content so far.
    pub fn file(&self) -> &File {
        self.draft.file()
    }

    /// Whether there is a temporary file that has a name.
    pub fn has_name(&self) -> bool {
        self.draft.has_name()
    }

    /// Returns the file that is replaced.
    pub fn target(&self) -> &FileTarget {
        &self.target
    }

    /// Records that the new content is made from `input`, which may be the old file.
    pub fn add_input(&mut self, input: Identity) {
        self.target.is_input |= self.replaces(&input);
        keep_input(input);
    }

    /// Whether `input` is the old file.
    pub fn replaces(&self, input: &Identity) -> bool {
        let is_old =
            |(old, metadata): &(File, Metadata)| Identity::of_open(old, metadata).as_ref() == Some(input);
        self.target.old.as_ref().is_some_and(is_old)
    }

    /// Prepares the complete content to replace the target: copies the attributes, and makes the backup. With
    /// [`Durability::Batch`], the content has to be synced afterwards.
    pub fn prepare(self, sync: Durability) -> io::Result<Prepared> {
        let Replacement { target, draft, is_direct } = self;
        let file = draft.file();
        let mut over = None;
        if let Some((old, metadata)) = &target.old {
            target.ensure_unchanged()?;
            // Only the old file itself can keep an owner or attributes that this process may not set.
            over = match is_direct {
                true => Some("it has other hard links, or its directory cannot be written"),
                false if attributes::copy(old, metadata, file)? => None,
                false => Some("a new file cannot have its owner or attributes"),
            };
            if let Some(limit) = target.limit {
                limit.limit(if over.is_some() { old } else { file })?;
            }
            if over.is_none() && target.keeps_times() {
                file.set_times(times_of(metadata)?)?;
            }
            if let Some(how) = &target.in_place {
                // Whole file systems are synced together, which is possible on Linux, and only before a rename.
                let is_alone = over.is_some() || !cfg!(target_os = "linux");
                let sync = if sync == Durability::Batch && is_alone { Durability::File } else { sync };
                back_up(old, metadata, &target.entry, how, sync)?;
            }
        }
        if over.is_none() {
            sync.content(file)?;
        }
        Ok(Prepared { target, draft, over, sync })
    }

    /// Replaces the target by the complete content, which then survives a power failure.
    pub fn commit(self) -> io::Result<()> {
        self.prepare(Durability::File)?.publish()?.sync()
    }
}

impl Write for Replacement {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        self.draft.write(from)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether the error says that a directory is not writable.
fn is_closed(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem)
}

impl Durability {
    /// Syncs the content of a file if each file is synced separately.
    pub fn content(self, file: &File) -> io::Result<()> {
        if self == Durability::File { file.sync_all() } else { Ok(()) }
    }
}

/// Complete content that is ready to replace its target.
pub struct Prepared {
    target: FileTarget,
    draft: Draft,
    /// Why the old file is overwritten and not replaced.
    over: Option<&'static str>,
    sync: Durability,
}

impl Prepared {
    /// Returns the new file, if it has to be synced before it replaces the old file.
    pub fn unsynced(&self) -> Option<&File> {
        self.over.is_none().then(|| self.draft.file())
    }

    /// Replaces the target. Returns the directory that has to be synced so that the replacement lasts.
    pub fn publish(self) -> io::Result<Arc<OpenDirectory>> {
        let directory = self.target.entry.directory().clone();
        if self.target.old.is_none() {
            self.draft.create()?;
        } else if let Some(why) = self.over {
            self.write_over(why)?;
        } else {
            self.rename()?;
        }
        Ok(directory)
    }

    fn rename(mut self) -> io::Result<()> {
        // Hold signals, because a signal between the calls would leave the temporary name.
        let held = hold_signals();
        // File systems such as ext4 write an unsynced draft to disk before a rename over another file, but not before
        // an exchange, so a power failure after an exchange could leave an empty file.
        let exchanges = self.target.is_input && self.sync != Durability::None;
        let old = self.target.old.as_ref().filter(|_| exchanges).map(|(_, metadata)| metadata);
        let draft = &mut self.draft;
        let temporary = if let Some(old) = old { draft.name_to_exchange(old)? } else { draft.name()? };
        self.target.ensure_unchanged()?;
        let exchanged = match old {
            Some(old) => temporary.exchange(&self.target.entry, old),
            None => Ok(Exchanged::Unsupported),
        };
        let replaced = match exchanged {
            Ok(Exchanged::Replaced) => Ok(()),
            Ok(Exchanged::Changed(left)) => Err(changed_meanwhile(left.as_deref())),
            Ok(Exchanged::Displaced(error)) => Err(displaced(&error, &temporary.path(), &self.target.entry)),
            Ok(Exchanged::Unsupported) => {
                if system::CLOSES_TO_REPLACE {
                    self.target.old = None;
                }
                temporary.rename(&self.target.entry)
            }
            // Another process removed the target.
            Err(error) if error.kind() == ErrorKind::NotFound => Err(changed_meanwhile(None)),
            Err(error) => Err(error),
        };
        match replaced {
            // The target is a mount point, as in containers.
            Err(error) if error.kind() == ErrorKind::ResourceBusy => {
                drop(held);
                self.write_over("it is a mount point")
            }
            renamed => renamed,
        }
    }

    /// Copies the content over the old file, which cannot be replaced by a rename.
    fn write_over(self, why: &str) -> io::Result<()> {
        if let Some(how) = self.target.in_place.as_ref().filter(|how| !how.force) {
            return Err(io::Error::other(format!("{why}{}", how.advice(OVERWRITE))));
        }
        self.target.ensure_unchanged()?;
        let keeps_times = self.target.keeps_times();
        let Some((old, metadata)) = self.target.old else { return Ok(()) };
        if keeps_times {
            // Setting the times first fails before any byte is written, if this process may not set them.
            old.set_times(times_of(&metadata)?)?;
        }
        let old = copy_over(self.draft, old)?;
        if keeps_times {
            old.set_times(times_of(&metadata)?)?;
            old.sync_all()?;
        }
        Ok(())
    }
}

/// Syncs files to disk together, and also the `manifest`, which the same calls may cover.
pub fn sync_together<'a>(files: impl Iterator<Item = &'a File>, manifest: Option<&File>) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        let device = |file: &File| file.metadata().map(|it| std::os::unix::fs::MetadataExt::dev(&it));
        // Sync each file system once.
        let mut synced = std::collections::BTreeSet::new();
        for file in files {
            if synced.insert(device(file)?) {
                rustix::io::retry_on_intr(|| rustix::fs::syncfs(file))?;
            }
        }
        match manifest {
            Some(manifest) if !synced.contains(&device(manifest)?) => manifest.sync_data(),
            _ => Ok(()),
        }
    }
    #[cfg(not(target_os = "linux"))]
    {
        let mut files = files.map(File::sync_all).chain(manifest.map(File::sync_data));
        files.try_for_each(|synced| synced)
    }
}

/// Returns the directory of a file, which is `.` for a bare name.
pub fn directory_of(path: &Path) -> &Path {
    path.parent().filter(|directory| *directory != Path::new("")).unwrap_or(Path::new("."))
}

/// Copies the content of `draft` over the content of `old`, which keeps its inode.
///
/// Disk space is reserved before a byte is written. If the copy still fails, the old content is lost; the draft then
/// keeps a name, if possible, which the error mentions.
fn copy_over(mut draft: Draft, mut old: File) -> io::Result<File> {
    let mut new = draft.file();
    // Wait for other processes that overwrite the file. Errors are ignored, because some file systems have no locks.
    let _ = old.lock();
    // A signal during the copy would leave a mixture of both contents.
    let _held = hold_signals();
    let length = new.metadata()?.len();
    new.rewind()?;
    old.rewind()?;
    #[cfg(target_os = "linux")]
    linux::reserve(&old, length)?;
    let copied = io::copy(&mut new, &mut old).and_then(|_| old.set_len(length)).and_then(|()| old.sync_all());
    let Err(error) = copied else { return Ok(old) };
    if length > 0 && old.stream_position().is_ok_and(|position| position == 0) {
        return Err(error);
    }
    let kept = draft.name().map(|temporary| {
        temporary.keep();
        format!(", but the complete new content is in {}", quoted(temporary.path()))
    });
    let text = format!("{}; the file may be corrupt{}", reason(&error), kept.unwrap_or_default());
    Err(io::Error::new(error.kind(), text))
}

/// Whether a file is unchanged, as far as its size and times show.
fn is_unchanged(now: &Metadata, then: &Metadata) -> bool {
    is_same_version(now, then) && system::is_same_status(now, then)
}

/// Returns the error for a file that another process changed during the conversion. If there were several versions, an
/// earlier version has the name `left`.
fn changed_meanwhile(left: Option<&OsStr>) -> io::Error {
    let earlier = left.map(|left| format!(", and an earlier one in {}", quoted(left)));
    let earlier = earlier.unwrap_or_default();
    io::Error::other(format!("another process changed it during conversion; that change is kept{earlier}"))
}

/// Returns the error for a version of another process that cannot be moved back and has the name `left`.
fn displaced(error: &io::Error, left: &Path, to: &DirectoryEntry) -> io::Error {
    let (shown, to) = (quoted(left), to.path());
    let [left, to] = [left, &to].map(as_argument);
    let why = reason(error);
    io::Error::other(format!(
        "another process changed it during conversion, and that version is in {shown}, because it could not be put back \
         ({why}); to restore it: mv {left} {to}"
    ))
}
