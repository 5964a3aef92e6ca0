//! Replacing a file as a whole: a reader sees the old file or the complete new one, and a failure leaves the old one.
//!
//! The new content is written to a file beside the old one, given the old one's owner and mode, synced, and renamed
//! over it. Where the system can (O_TMPFILE), that file has no name until it is complete, so that nothing is left
//! behind however the process ends. A file with several names, or in a directory that cannot be written, cannot be
//! replaced by a rename; its content is then copied over when the conversion is complete.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Seek};
use std::path::{Path, PathBuf};

/// What a file name given for output stands for.
pub enum Target {
    /// A device, a pipe, a socket: written directly.
    Device(File),
    /// A regular file, or none yet.
    File(Box<FileTarget>),
}

/// A regular file to replace or to create.
pub struct FileTarget {
    /// Its path, links resolved.
    path: PathBuf,
    /// The file as it is, open for writing, and what is known of it.
    old: Option<(File, Metadata)>,
}

impl Target {
    /// Looks at `path` and changes nothing. A file that may not be written is refused, even if it could be renamed over.
    pub fn find(path: &Path) -> io::Result<Target> {
        match fs::metadata(path) {
            // A link may point to a file that is not there yet.
            Err(error) if error.kind() == ErrorKind::NotFound && path != Path::new("") => {
                let path = links(path).last().unwrap_or_default();
                Ok(Target::File(Box::new(FileTarget { path, old: None })))
            }
            Err(error) => Err(error),
            Ok(metadata) if metadata.is_dir() => {
                Err(io::Error::new(ErrorKind::IsADirectory, "Is a directory"))
            }
            // `append` for /dev/fd/3 and its like, which may be a regular file that others write to as well.
            Ok(metadata) if !metadata.is_file() || is_descriptor(path) => {
                Ok(Target::Device(OpenOptions::new().append(true).open(path)?))
            }
            Ok(metadata) => {
                let file = OpenOptions::new().write(true).open(path)?;
                let path = path.canonicalize()?;
                Ok(Target::File(Box::new(FileTarget { path, old: Some((file, metadata)) })))
            }
        }
    }
}

/// Whether `path` leads to a descriptor of a process, such as /dev/stdout.
fn is_descriptor(path: &Path) -> bool {
    links(path).any(|path| path.starts_with("/proc") || path.starts_with("/dev/fd"))
}

/// `path`, and where it leads from one symbolic link to the next.
fn links(path: &Path) -> impl Iterator<Item = PathBuf> {
    let next = |path: &PathBuf| Some(path.parent().unwrap_or(Path::new("")).join(fs::read_link(path).ok()?));
    // Linux follows as many.
    std::iter::successors(Some(path.to_path_buf()), next).take(40)
}

/// New content on its way to a file.
pub struct Replacement {
    target: Box<FileTarget>,
    place: Place,
}

/// Where the new content is until it is complete.
enum Place {
    /// Beside the target, without a name.
    #[cfg(target_os = "linux")]
    Unnamed,
    /// Beside the target, under a name of its own.
    Named(Temporary),
    /// Elsewhere, to be copied over the target.
    Elsewhere,
}

/// A named file that is removed unless it is kept.
struct Temporary {
    path: PathBuf,
    kept: bool,
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.kept {
            let _ = fs::remove_file(&self.path);
        }
    }
}

impl Temporary {
    /// Renames it to `to`.
    fn rename(mut self, to: &Path) -> io::Result<()> {
        fs::rename(&self.path, to)?;
        self.kept = true;
        Ok(())
    }
}

impl Replacement {
    /// Begins to replace `target`; the content is to be written to the file in the answer.
    pub fn new(target: Box<FileTarget>) -> io::Result<(File, Replacement)> {
        let linked = target.old.as_ref().is_some_and(|(_, metadata)| names(metadata) > 1);
        let directory = directory_of(&target.path);
        let beside = if linked { None } else { Some(beside(directory, &target)) };
        let (file, place) = match beside {
            Some(Ok(opened)) => opened,
            // There is no other way to make a file that does not exist.
            Some(Err(error)) if target.old.is_none() => return Err(error),
            Some(Err(_)) | None => (elsewhere()?, Place::Elsewhere),
        };
        Ok((file, Replacement { target, place }))
    }

    /// Puts the complete content in `file` in the place of the target.
    pub fn commit(self, mut file: File) -> io::Result<()> {
        let FileTarget { path, old } = *self.target;
        let keeps_owner = match &old {
            Some((_, metadata)) => copy_owner_and_mode(&file, metadata)?,
            None => true,
        };
        match (self.place, old) {
            (Place::Elsewhere, Some((old, _))) => return copy_over(&mut file, old),
            // The owner could not be given away: only the old file itself can keep it.
            (_, Some((old, _))) if !keeps_owner => return copy_over(&mut file, old),
            (place, _) => {
                file.sync_all()?;
                match place {
                    #[cfg(target_os = "linux")]
                    Place::Unnamed => linux::link(&file, directory_of(&path), &path)?.rename(&path)?,
                    Place::Named(temporary) => temporary.rename(&path)?,
                    Place::Elsewhere => {}
                }
            }
        }
        sync_directory(directory_of(&path))
    }
}

fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(directory) if directory != Path::new("") => directory,
        _ => Path::new("."),
    }
}

/// Opens a file in `directory`: open to all that umask allows if it is new, closed to others if it is to become `old`.
fn beside(directory: &Path, target: &FileTarget) -> io::Result<(File, Place)> {
    let mode = if target.old.is_some() { 0o600 } else { 0o666 };
    #[cfg(target_os = "linux")]
    if let Some(file) = linux::open_unnamed(directory, mode)? {
        return Ok((file, Place::Unnamed));
    }
    let (file, temporary) =
        named(directory, target.path.file_name().unwrap_or_default().as_encoded_bytes(), mode)?;
    Ok((file, Place::Named(temporary)))
}

/// Opens a file of a name that nobody has, with an ending that tells what it is.
fn named(directory: &Path, stem: &[u8], mode: u32) -> io::Result<(File, Temporary)> {
    for attempt in 0..100 {
        let path = directory.join(temporary_name(stem, attempt));
        match open_new(&path, mode) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            opened => return Ok((opened?, Temporary { path, kept: false })),
        }
    }
    Err(io::Error::new(ErrorKind::AlreadyExists, "no free name for a temporary file"))
}

/// `.notes.txt.1234-0.utfconv-tmp`; the stem is for people and may be shortened.
fn temporary_name(stem: &[u8], attempt: u32) -> String {
    let stem: String = String::from_utf8_lossy(stem).chars().take(40).collect();
    format!(".{stem}.{}-{attempt}.utfconv-tmp", std::process::id())
}

fn open_new(path: &Path, mode: u32) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
    #[cfg(not(unix))]
    let _ = mode;
    options.open(path)
}

/// Opens a file without a name in the directory for temporary files.
fn elsewhere() -> io::Result<File> {
    let directory = std::env::temp_dir();
    #[cfg(target_os = "linux")]
    if let Some(file) = linux::open_unnamed(&directory, 0o600)? {
        return Ok(file);
    }
    // On Unix a file outlives its name.
    let (file, _removed) = named(&directory, b"output", 0o600)?;
    Ok(file)
}

/// Copies the content of `new` over that of `old`, which keeps its inode.
fn copy_over(new: &mut File, mut old: File) -> io::Result<()> {
    new.rewind()?;
    old.rewind()?;
    let length = io::copy(new, &mut old)?;
    old.set_len(length)?;
    old.sync_all()
}

/// Makes a rename last through a power cut. File systems that cannot sync a directory say so; that is no failure.
fn sync_directory(directory: &Path) -> io::Result<()> {
    #[cfg(unix)]
    match File::open(directory).and_then(|directory| directory.sync_all()) {
        Err(error) if !matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::PermissionDenied) => {
            return Err(error);
        }
        _ => {}
    }
    #[cfg(not(unix))]
    let _ = directory;
    Ok(())
}

#[cfg(unix)]
fn names(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata)
}

#[cfg(not(unix))]
fn names(_: &Metadata) -> u64 {
    1
}

/// Gives `file` the owner, group and mode of an old file; false if the owner or group cannot be given.
///
/// The owner first: changing it clears mode bits. Set-user-ID and set-group-ID are not kept, as with any write.
#[cfg(unix)]
fn copy_owner_and_mode(file: &File, old: &Metadata) -> io::Result<bool> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let new = file.metadata()?;
    if (new.uid(), new.gid()) != (old.uid(), old.gid())
        && fchown(file, Some(old.uid()), Some(old.gid())).is_err()
    {
        return Ok(false);
    }
    file.set_permissions(fs::Permissions::from_mode(old.mode() & 0o1777))?;
    Ok(true)
}

#[cfg(not(unix))]
fn copy_owner_and_mode(file: &File, old: &Metadata) -> io::Result<bool> {
    file.set_permissions(old.permissions())?;
    Ok(true)
}

#[cfg(target_os = "linux")]
mod linux {
    //! Files without a name.

    use std::fs::{File, OpenOptions};
    use std::io;
    use std::os::fd::AsRawFd;
    use std::os::unix::fs::OpenOptionsExt;
    use std::path::{Path, PathBuf};

    use nix::errno::Errno;
    use nix::fcntl::{AT_FDCWD, AtFlags};
    use nix::libc;

    use super::{Temporary, temporary_name};

    /// A file in `directory` that vanishes unless it is linked; None where the file system has none such, or where
    /// there is no /proc to name it by when it is linked.
    pub fn open_unnamed(directory: &Path, mode: u32) -> io::Result<Option<File>> {
        let opened = OpenOptions::new()
            .read(true)
            .write(true)
            .custom_flags(libc::O_TMPFILE)
            .mode(mode)
            .open(directory);
        match opened {
            Ok(file) if by_descriptor(&file).exists() => Ok(Some(file)),
            Ok(_) => Ok(None),
            Err(error) => match error.raw_os_error() {
                Some(libc::EOPNOTSUPP | libc::EISDIR | libc::ENOENT | libc::EINVAL) => Ok(None),
                _ => Err(error),
            },
        }
    }

    fn by_descriptor(file: &File) -> PathBuf {
        format!("/proc/self/fd/{}", file.as_raw_fd()).into()
    }

    /// Gives an unnamed file a name in `directory`, from which it can be renamed to `path`.
    pub fn link(file: &File, directory: &Path, path: &Path) -> io::Result<Temporary> {
        let stem = path.file_name().unwrap_or_default().as_encoded_bytes();
        for attempt in 0..100 {
            let name = directory.join(temporary_name(stem, attempt));
            let from = by_descriptor(file);
            match nix::unistd::linkat(AT_FDCWD, &from, AT_FDCWD, &name, AtFlags::AT_SYMLINK_FOLLOW) {
                Ok(()) => return Ok(Temporary { path: name, kept: false }),
                Err(Errno::EEXIST) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(Errno::EEXIST.into())
    }
}
