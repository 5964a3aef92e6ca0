//! Drafts: files with new content that is not complete yet.
//!
//! A complete draft is exchanged with the file that it was made from. If another process replaces that file at the last
//! moment, the exchange moves the version of the other process to the temporary name, from which it is moved back.
//! [`leftovers`](super::leftovers) cleans up after a run that was killed during an exchange.
//!
//! On Linux, most file systems can create a file without a name (O_TMPFILE). A complete draft then gets a temporary
//! name for a moment, because only a file with a name can replace another. On other systems, a draft has a temporary
//! name from the start.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::UNIX_EPOCH;

use crate::files::checksum::checksum;
use crate::files::identity::Identity;
use crate::files::open_directory::{Access, DirectoryEntry, OpenDirectory};
use crate::files::signals::{self, hold_signals};
use crate::files::stdio::Patient;
use crate::files::stdio::fill_at;
use crate::files::system::{self, is_same};
use crate::ui::quote::{quoted, with_context};
use crate::ui::threads::lock;

/// A file with the new content of another file.
pub struct Draft {
    /// The file that the content is for, or an entry with its name in another directory.
    entry: DirectoryEntry,
    temporary: Option<Temporary>,
    /// The open file, which is closed last, because its lock keeps other processes from removing or taking the
    /// temporary name.
    file: Patient,
}

impl Draft {
    /// Creates a draft in the directory of the file that it is for.
    pub fn new(entry: DirectoryEntry, mode: u32) -> io::Result<Draft> {
        #[cfg(target_os = "linux")]
        if let Some(file) = linux::open_unnamed(entry.directory(), mode)? {
            // The lock protects the temporary name that the draft will have for a moment.
            let _ = file.try_lock();
            return Ok(Draft { entry, temporary: None, file: Patient(file) });
        }
        let (file, temporary) = Temporary::create(&entry, mode)?;
        Ok(Draft { entry, temporary: Some(temporary), file: Patient(file) })
    }

    /// Creates a draft in the system's directory for temporary files.
    pub fn elsewhere(name: &OsStr) -> io::Result<Draft> {
        let directory = std::env::temp_dir();
        let context = format!("cannot create a temporary file in {}", quoted(&directory));
        let draft = OpenDirectory::open(&directory)
            .and_then(|directory| Draft::new(DirectoryEntry::new(directory.into(), name.into()), 0o600));
        draft.map_err(|error| with_context(&error, &context))
    }

    pub fn file(&self) -> &File {
        &self.file.0
    }

    /// Whether the draft has a temporary name.
    pub fn has_name(&self) -> bool {
        self.temporary.is_some()
    }

    /// Returns the temporary name of the draft, and creates the name first if there is none.
    pub fn name(&mut self) -> io::Result<&mut Temporary> {
        #[cfg(target_os = "linux")]
        if self.temporary.is_none() {
            self.temporary = Some(Temporary::link(&self.entry, &self.file.0)?);
        }
        let no_name = || io::Error::other(format!("no name for {}", quoted(self.entry.name())));
        self.temporary.as_mut().ok_or_else(no_name)
    }

    /// Gives the draft the temporary name under which it is exchanged with the `old` file, and returns the name. The
    /// marks in the name let a later run recognize both files.
    pub fn name_to_exchange(&mut self, old: &Metadata) -> io::Result<&mut Temporary> {
        if !system::EXCHANGES {
            return self.name();
        }
        let marks = [mark(&self.file.0.metadata()?), mark(old)];
        let entry = self.entry.sibling(exchange_name(self.entry.name(), marks).into());
        match &mut self.temporary {
            Some(temporary) => temporary.rename_draft(entry)?,
            #[cfg(target_os = "linux")]
            None => {
                let zero = self.entry.sibling(temporary_name(self.entry.name(), 0).into());
                let _ = remove_abandoned(&zero, &self.file.0);
                if !linux::link(&self.file.0, &entry)? {
                    return Err(io::Error::new(
                        ErrorKind::AlreadyExists,
                        "no free name for a temporary file",
                    ));
                }
                signals::remove_at_end(&entry);
                self.temporary = Some(Temporary { entry, is_kept: false });
            }
            #[cfg(not(target_os = "linux"))]
            None => {}
        }
        self.name()
    }

    /// Gives the complete draft the name of its file, which did not exist before.
    pub fn create(mut self) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        if self.temporary.is_none() && linux::link(&self.file.0, &self.entry)? {
            return Ok(());
        }
        let _held = hold_signals();
        let entry = self.entry.clone();
        self.name()?.rename(&entry)
    }
}

impl Write for Draft {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        self.file.write(from)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The temporary name of a file, which is removed unless it is kept.
pub struct Temporary {
    entry: DirectoryEntry,
    is_kept: bool,
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.is_kept {
            let _ = self.entry.remove();
            signals::remove_no_more(&self.entry);
        }
    }
}

impl Temporary {
    /// Creates a file with an unused temporary name.
    fn create(target: &DirectoryEntry, mode: u32) -> io::Result<(File, Temporary)> {
        signals::watch();
        let _held = hold_signals();
        Temporary::take(target, None, |entry| match entry.open(Access::Create(mode)) {
            Ok(file) => {
                let _ = system::claim(&file);
                Ok(Some(file))
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(None),
            Err(error) => Err(error),
        })
    }

    /// Gives an unused temporary name to a file without a name.
    #[cfg(target_os = "linux")]
    fn link(target: &DirectoryEntry, file: &File) -> io::Result<Temporary> {
        let link = |entry: &DirectoryEntry| Ok(linux::link(file, entry)?.then_some(()));
        Temporary::take(target, Some(file), link).map(|((), temporary)| temporary)
    }

    /// Tries numbered names until `make` creates a file. `make` returns `None` if the name is taken.
    ///
    /// Number 0 is the same in every run, and is only for files that have their `content` before they get the name. If
    /// a killed run left a file with that name, only a run with the same content removes it, so that no content is
    /// lost.
    fn take<T>(
        target: &DirectoryEntry,
        content: Option<&File>,
        make: impl Fn(&DirectoryEntry) -> io::Result<Option<T>>,
    ) -> io::Result<(T, Temporary)> {
        for attempt in u32::from(content.is_none())..100 {
            let entry = target.sibling(temporary_name(target.name(), attempt).into());
            let mut made = make(&entry)?;
            if made.is_none()
                && let Some(content) = content.filter(|_| attempt == 0)
                && remove_abandoned(&entry, content).is_ok()
            {
                made = make(&entry)?;
            }
            if let Some(made) = made {
                signals::remove_at_end(&entry);
                return Ok((made, Temporary { entry, is_kept: false }));
            }
        }
        Err(io::Error::new(ErrorKind::AlreadyExists, "no free name for a temporary file"))
    }

    /// Returns the path of the temporary file, which is its path when its directory was opened.
    pub fn path(&self) -> PathBuf {
        self.entry.path()
    }

    /// Renames the file to `to`, which is replaced.
    pub fn rename(&mut self, to: &DirectoryEntry) -> io::Result<()> {
        self.entry.rename(to)?;
        self.keep();
        Ok(())
    }

    /// Renames the draft from its temporary name to another temporary name.
    fn rename_draft(&mut self, entry: DirectoryEntry) -> io::Result<()> {
        self.entry.rename(&entry)?;
        signals::remove_at_end(&entry);
        signals::remove_no_more(&self.entry);
        self.entry = entry;
        Ok(())
    }

    /// Exchanges the draft with the file at `to`, and removes the latter if it is `old`. Any other file was put there
    /// by another process, so it is moved back.
    ///
    /// The caller must hold signals, because a signal would remove the temporary name, which after the exchange may be
    /// the only name of another process's file. Holding them here too could deadlock, because a thread that waits to
    /// end the process blocks a second read of the lock.
    pub fn exchange(&mut self, to: &DirectoryEntry, old: &Metadata) -> io::Result<Exchanged> {
        let draft = self.entry.metadata()?;
        if !self.entry.exchange(to)? {
            return Ok(Exchanged::Unsupported);
        }
        self.keep();
        let out = self.entry.metadata();
        if out.as_ref().is_ok_and(|out| is_same_version(out, old)) {
            // If the old file cannot be removed, the next run removes it.
            let _ = self.entry.remove();
            return Ok(Exchanged::Replaced);
        }
        let (out, failed) = out.map_or_else(|error| (None, Some(error)), |out| (Some(out), None));
        match self.put_back(to, &draft, out) {
            Ok(Some(last)) if is_same_version(&last, &draft) => {
                let _ = self.entry.remove();
                failed.map_or(Ok(Exchanged::Changed(None)), Err)
            }
            Ok(_) => Ok(Exchanged::Changed(Some(self.leave()))),
            Err(error) => {
                self.leave();
                Ok(Exchanged::Displaced(error))
            }
        }
    }

    /// Leaves the version of another process under the temporary name, and returns the name. The error about the file
    /// reports that version, so [`leftovers`](super::leftovers) does not report it again.
    fn leave(&self) -> OsString {
        let name = self.entry.name().to_os_string();
        lock(&LEFT).push(name.clone());
        name
    }

    /// Moves `out`, the file that an exchange brought to the temporary name, back to `to`. Returns the file that has
    /// the temporary name in the end, if that can be read.
    ///
    /// Each exchange should bring out the file that the previous exchange put at `to`. If it brings out another file, a
    /// process replaced `to` in between, and that latest file is moved back in turn.
    ///
    /// # Errors
    /// Fails if an exchange fails; the latest version of another process then has the temporary name.
    fn put_back(
        &self,
        to: &DirectoryEntry,
        draft: &Metadata,
        mut out: Option<Metadata>,
    ) -> io::Result<Option<Metadata>> {
        let mut inside = Some(draft.clone());
        loop {
            if !self.entry.exchange(to)? {
                return Err(ErrorKind::Unsupported.into());
            }
            let Ok(next) = self.entry.metadata() else { return Ok(None) };
            let expected = std::mem::replace(&mut inside, out.replace(next.clone()));
            if expected.is_some_and(|expected| is_same_version(&next, &expected)) {
                return Ok(Some(next));
            }
        }
    }

    /// Keeps the file under the temporary name, or forgets the name after a rename.
    pub fn keep(&mut self) {
        self.is_kept = true;
        signals::remove_no_more(&self.entry);
    }
}

/// The result of an exchange.
pub enum Exchanged {
    Replaced,
    /// Another process replaced or changed the file, whose latest version has its name again. If there were several
    /// versions, the second-latest has this temporary name.
    Changed(Option<OsString>),
    /// Another process replaced or changed the file, and its version has the temporary name, because this error stopped
    /// the exchange that would have moved it back.
    Displaced(io::Error),
    /// The file system cannot exchange files, so nothing was changed.
    Unsupported,
}

/// Whether `now` and `then` describe one file with the same content, as far as its size and modification time show.
pub fn is_same_version(now: &Metadata, then: &Metadata) -> bool {
    let is_same_size = now.len() == then.len() && now.modified().ok() == then.modified().ok();
    is_same(now, then) != Some(false) && is_same_size
}

/// The suffix of temporary names.
pub const ENDING: &str = ".utfconv-tmp";

/// Returns a temporary name that users do not choose, such as `.notes.txt.98b5a90e3f31a2d7.utfconv-tmp`. The name has a
/// hash of the whole `name`, because long names are shortened.
fn temporary_name(name: &OsStr, attempt: u32) -> String {
    let hash = checksum(name.as_encoded_bytes());
    let name: String = name.to_string_lossy().chars().take(40).collect();
    match attempt {
        0 => format!(".{name}.{hash:016x}{ENDING}"),
        _ => format!(".{name}.{hash:016x}.{}-{attempt}{ENDING}", std::process::id()),
    }
}

/// Returns a hash of the inode number, size and modification time of a file. In a later run, the hash is equal only if
/// the file is unchanged, and it differs from that of every other file in the directory.
fn mark(metadata: &Metadata) -> u64 {
    let number = system::identity(metadata, Path::new("")).map_or(0, |(_, file)| file);
    let modified = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let time = modified.unwrap_or_default().as_nanos();
    checksum(format!("{number} {} {time}", metadata.len()).as_bytes())
}

/// Returns the temporary name for the exchange of a draft, such as
/// `.notes.txt.98b5a90e3f31a2d7.0c9f6c3b8e51d2a4-7be1…a0.utfconv-tmp`. The name has the [`mark`]s of the draft and of
/// the file that it replaces.
fn exchange_name(name: &OsStr, [draft, old]: [u64; 2]) -> String {
    let unmarked = temporary_name(name, 0);
    let start = unmarked.strip_suffix(ENDING).unwrap_or(&unmarked);
    format!("{start}.{draft:016x}-{old:016x}{ENDING}")
}

/// A parsed [`exchange_name`].
pub struct ExchangeName {
    /// The name of the file that was to be replaced; `None` if the temporary name has only its start.
    pub target: Option<String>,
    /// The hash of the whole name of the file that was to be replaced.
    pub hash: u64,
    marks: [u64; 2],
}

impl ExchangeName {
    /// Parses a file name. Returns `None` if the name is not an [`exchange_name`].
    pub fn read(name: &OsStr) -> Option<ExchangeName> {
        let number =
            |text: &str| u64::from_str_radix(text, 16).ok().filter(|number| text == format!("{number:016x}"));
        let inner = name.to_str()?.strip_prefix('.')?.strip_suffix(ENDING)?;
        let (start, marks) = inner.rsplit_once('.')?;
        let (draft, old) = marks.split_once('-')?;
        let (target, hash) = start.rsplit_once('.')?;
        let (hash, marks) = (number(hash)?, [number(draft)?, number(old)?]);
        let is_whole = checksum(target.as_bytes()) == hash;
        Some(ExchangeName { target: is_whole.then(|| target.to_string()), hash, marks })
    }

    /// Whether a file is the draft.
    pub fn is_draft(&self, metadata: &Metadata) -> bool {
        metadata.is_file() && self.marks[0] == mark(metadata)
    }

    /// Whether a file is the file that the draft was to replace.
    pub fn is_old(&self, metadata: &Metadata) -> bool {
        metadata.is_file() && self.marks[1] == mark(metadata)
    }
}

/// Whether a file of that name is a temporary file of any process.
pub fn is_temporary_name(name: &OsStr) -> bool {
    let is_hash = |part: &[u8]| part.len() == 16 && part.iter().all(u8::is_ascii_hexdigit);
    let inner = name.as_encoded_bytes().strip_prefix(b".");
    // The number of a process may follow the hash.
    inner
        .and_then(|inner| inner.strip_suffix(ENDING.as_bytes()))
        .is_some_and(|inner| inner.rsplit(|byte| *byte == b'.').take(2).any(is_hash))
}

/// Temporary names under which this run left versions of other processes.
static LEFT: Mutex<Vec<OsString>> = Mutex::new(Vec::new());

/// Whether this run left the version of another process under a temporary name.
pub fn is_left(name: &OsStr) -> bool {
    lock(&LEFT).iter().any(|left| left == name)
}

/// Inputs that a user named.
static NAMED_INPUTS: Mutex<Vec<Identity>> = Mutex::new(Vec::new());

/// Protects an input that a user named from removal, even if it has the name and the content of a temporary file.
pub fn keep_input(input: Identity) {
    lock(&NAMED_INPUTS).push(input);
}

/// Removes a temporary file if it has this content and its process has ended.
fn remove_abandoned(entry: &DirectoryEntry, content: &File) -> io::Result<()> {
    remove_unlocked(entry, |file, _| is_same_content(file, content))
}

/// Removes a temporary file if `is_left` returns true for it and its process has ended. A running process holds the
/// lock of its temporary file.
pub fn remove_unlocked(
    entry: &DirectoryEntry,
    is_left: impl FnOnce(&File, &Metadata) -> io::Result<bool>,
) -> io::Result<()> {
    // `open` neither follows a link nor waits for a pipe that another process may have put there.
    let file = entry.open(Access::Read)?;
    let metadata = file.metadata()?;
    file.try_lock()?;
    // If the name still leads to the locked file, no other process has taken the name.
    let is_still_there = is_same(&entry.metadata()?, &metadata) == Some(true);
    let id = Identity::with(&metadata, &entry.path());
    let is_input = id.is_some_and(|id| lock(&NAMED_INPUTS).contains(&id));
    if is_still_there && !is_input && metadata.is_file() && is_left(&file, &metadata)? {
        entry.remove()
    } else {
        Err(ErrorKind::AlreadyExists.into())
    }
}

/// Whether two files have the same content.
pub fn is_same_content(one: &File, other: &File) -> io::Result<bool> {
    /// Number of bytes that are compared at a time.
    const BUFFER: usize = 64 << 10;
    let mut buffers = [vec![0; BUFFER], vec![0; BUFFER]];
    for offset in (0..).step_by(BUFFER) {
        let [a, b] = &mut buffers;
        let read = fill_at(one, a, offset)?;
        if fill_at(other, b, offset)? != read || a[..read] != b[..read] {
            return Ok(false);
        }
        if read < BUFFER {
            break;
        }
    }
    Ok(true)
}

#[cfg(target_os = "linux")]
mod linux {
    //! Files without a name.

    use std::fs::File;
    use std::io;
    use std::os::fd::AsRawFd;
    use std::path::PathBuf;
    use std::sync::OnceLock;

    use nix::errno::Errno;
    use nix::fcntl::{AT_FDCWD, AtFlags};
    use nix::libc;

    use super::{DirectoryEntry, OpenDirectory};

    /// Opens a file in `directory` that vanishes unless it is linked. Returns `None` if the file system does not
    /// support that, or if there is no /proc, through which it would be linked.
    pub fn open_unnamed(directory: &OpenDirectory, mode: u32) -> io::Result<Option<File>> {
        match directory.open_unnamed(mode) {
            Ok(file) => {
                static HAS_PROC: OnceLock<bool> = OnceLock::new();
                Ok(HAS_PROC.get_or_init(|| by_descriptor(&file).exists()).then_some(file))
            }
            Err(error) => match error.raw_os_error() {
                Some(libc::EOPNOTSUPP | libc::EISDIR | libc::ENOENT | libc::EINVAL) => Ok(None),
                _ => Err(error),
            },
        }
    }

    /// Links a file without a name as `entry`. Returns false if the name is taken.
    pub fn link(file: &File, entry: &DirectoryEntry) -> io::Result<bool> {
        let (old, new) = (by_descriptor(file), entry.directory().handle());
        match nix::unistd::linkat(AT_FDCWD, &old, new, entry.name(), AtFlags::AT_SYMLINK_FOLLOW) {
            Ok(()) => Ok(true),
            Err(Errno::EEXIST) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    fn by_descriptor(file: &File) -> PathBuf {
        format!("/proc/self/fd/{}", file.as_raw_fd()).into()
    }
}
