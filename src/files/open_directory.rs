//! Directories held open, and the entries in them.
//!
//! A file that is replaced is opened, created, linked, renamed and removed by its bare name in a directory that stays
//! open. So if another process exchanges the directory for a symbolic link or another directory, no operation is
//! redirected. On systems other than Unix, paths are used instead.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use crate::files::identity::Identity;
use crate::ui::quote::quoted;

/// A directory held open.
#[derive(Debug)]
pub struct OpenDirectory {
    /// The path of the directory when it was opened, for messages.
    path: PathBuf,
    #[cfg(unix)]
    handle: std::os::fd::OwnedFd,
}

/// A name in a directory held open. The file need not exist.
#[derive(Clone, Debug)]
pub struct DirectoryEntry {
    directory: Arc<OpenDirectory>,
    name: OsString,
}

/// The purpose for which an entry is opened. Opening never follows a link and never waits for a pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Read,
    Write,
    ReadWrite,
    /// Creates a file with the given permissions, and opens it for reading and writing.
    Create(u32),
}

/// How the path of a file is resolved.
#[derive(Clone, Debug)]
pub enum Route {
    /// A path that a user named, in which links are followed.
    Named(PathBuf),
    /// A file found in a directory. Links are followed up to `root`, which the user named, but not in `below`.
    Found { root: Arc<Root>, below: PathBuf },
}

/// A directory that the user named and in which files were found.
#[derive(Debug)]
pub struct Root {
    pub path: PathBuf,
    /// The identity of the directory, if known, so that a directory that replaced it is refused.
    pub identity: Option<Identity>,
}

impl Root {
    fn open(&self) -> io::Result<OpenDirectory> {
        let opened = OpenDirectory::open(&self.path)?;
        match &self.identity {
            Some(identity) if opened.identity()? != *identity => {
                let name = quoted(&self.path);
                Err(io::Error::other(format!("the directory {name} was replaced")))
            }
            _ => Ok(opened),
        }
    }
}

impl Route {
    /// Opens the directory of the file, and returns the entry of the file.
    pub fn entry(&self) -> io::Result<DirectoryEntry> {
        match self {
            Route::Named(path) => DirectoryEntry::real(&path.canonicalize()?),
            Route::Found { root, below } => {
                let mut components = below.components();
                let name = file_name(&mut components)?;
                Ok(DirectoryEntry { directory: root.open()?.down(components)?.into(), name })
            }
        }
    }
}

/// Returns the error for a path that has to be a directory but is none.
fn not_a_directory(path: &Path) -> io::Error {
    let name = quoted(path);
    io::Error::other(format!("{name} is a symbolic link or a file, not a directory"))
}

impl PartialEq for DirectoryEntry {
    /// Whether both entries have the same name in the same open directory.
    fn eq(&self, other: &DirectoryEntry) -> bool {
        Arc::ptr_eq(&self.directory, &other.directory) && self.name == other.name
    }
}

fn file_name(components: &mut std::path::Components) -> io::Result<OsString> {
    match components.next_back() {
        Some(Component::Normal(name)) => Ok(name.to_os_string()),
        _ => Err(io::Error::new(io::ErrorKind::IsADirectory, "Is a directory")),
    }
}

impl DirectoryEntry {
    /// Returns the entry of an absolute path without links. Links that appear in the path meanwhile are not followed.
    pub fn real(path: &Path) -> io::Result<DirectoryEntry> {
        let mut components = path.components();
        let name = file_name(&mut components)?;
        let directory = OpenDirectory::open_real(components.as_path())?;
        Ok(DirectoryEntry { directory: directory.into(), name })
    }

    /// Returns the entry of a path whose file need not exist.
    pub fn named(path: &Path) -> io::Result<DirectoryEntry> {
        let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?;
        let directory = OpenDirectory::open(path.parent().unwrap_or(Path::new("")))?;
        Ok(DirectoryEntry::new(directory.into(), name.to_os_string()))
    }

    pub fn new(directory: Arc<OpenDirectory>, name: OsString) -> DirectoryEntry {
        DirectoryEntry { directory, name }
    }

    pub fn directory(&self) -> &Arc<OpenDirectory> {
        &self.directory
    }

    pub fn name(&self) -> &OsStr {
        &self.name
    }

    /// Returns the path of the entry, from the path of the directory when it was opened.
    pub fn path(&self) -> PathBuf {
        self.directory.path.join(&self.name)
    }

    /// Returns the entry with another name in the same directory.
    pub fn sibling(&self, name: OsString) -> DirectoryEntry {
        DirectoryEntry { directory: self.directory.clone(), name }
    }

    pub fn remove(&self) -> io::Result<()> {
        self.directory.remove_name(&self.name)
    }

    /// Returns the target of a symbolic link.
    pub fn read_link(&self) -> io::Result<OsString> {
        self.directory.read_target(&self.name)
    }
}

impl OpenDirectory {
    /// Returns the path of the directory when it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens a directory whose absolute path has no links. Links that appear in the path meanwhile are not followed.
    fn open_real(path: &Path) -> io::Result<OpenDirectory> {
        let is_root = |component: &Component| matches!(component, Component::RootDir | Component::Prefix(_));
        let root: PathBuf = path.components().take_while(is_root).collect();
        OpenDirectory::open(&root)?.down(path.components().skip_while(is_root))
    }

    /// Opens a directory below this directory, without following links.
    fn down<'a>(self, mut names: impl Iterator<Item = Component<'a>>) -> io::Result<OpenDirectory> {
        names.try_fold(self, |directory, name| directory.below(name.as_os_str()))
    }
}

#[cfg(unix)]
mod unix {
    use std::os::fd::OwnedFd;
    use std::os::unix::ffi::OsStringExt;

    use rustix::fs::{self as fs, AtFlags, CWD, Mode, OFlags, RawMode};
    use rustix::io::{Errno, retry_on_intr};

    use super::{Access, DirectoryEntry, File, Identity, Metadata, OpenDirectory, OsStr, OsString, Path, io};

    /// Flags that are enough to reach the entries of a directory, even if it is not readable.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    const REACH: OFlags = OFlags::PATH;
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    const REACH: OFlags = OFlags::RDONLY;

    impl OpenDirectory {
        /// Opens a directory. Links are followed.
        pub fn open(path: &Path) -> io::Result<OpenDirectory> {
            let path = if path == Path::new("") { Path::new(".") } else { path };
            let flags = REACH | OFlags::DIRECTORY | OFlags::CLOEXEC;
            let handle = retry_on_intr(|| fs::openat(CWD, path, flags, Mode::empty()))?;
            Ok(OpenDirectory { path: path.to_path_buf(), handle })
        }

        /// Opens a subdirectory, without following a link.
        pub fn below(&self, name: &OsStr) -> io::Result<OpenDirectory> {
            let flags = REACH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            match retry_on_intr(|| fs::openat(&self.handle, name, flags, Mode::empty())) {
                Ok(handle) => Ok(OpenDirectory { path: self.path.join(name), handle }),
                Err(Errno::NOTDIR | Errno::LOOP) => Err(super::not_a_directory(&self.path.join(name))),
                Err(error) => Err(error.into()),
            }
        }

        /// Opens the parent directory.
        pub fn above(&self) -> io::Result<OpenDirectory> {
            let flags = REACH | OFlags::DIRECTORY | OFlags::CLOEXEC;
            let handle = retry_on_intr(|| fs::openat(&self.handle, "..", flags, Mode::empty()))?;
            Ok(OpenDirectory { path: self.path.parent().unwrap_or(Path::new("")).to_path_buf(), handle })
        }

        /// Creates a subdirectory with these permissions, as far as umask allows. Returns false if the name is taken.
        pub fn make(&self, name: &OsStr, bits: u32) -> io::Result<bool> {
            let mode = Mode::from_raw_mode(bits as RawMode);
            match retry_on_intr(|| fs::mkdirat(&self.handle, name, mode)) {
                Ok(()) => Ok(true),
                Err(Errno::EXIST) => Ok(false),
                Err(error) => Err(error.into()),
            }
        }

        pub fn handle(&self) -> &OwnedFd {
            &self.handle
        }

        fn opened(&self, name: &OsStr, flags: OFlags, bits: u32) -> io::Result<File> {
            let (flags, mode) =
                (flags | OFlags::CLOEXEC | OFlags::NOCTTY, Mode::from_raw_mode(bits as RawMode));
            Ok(retry_on_intr(|| fs::openat(&self.handle, name, flags, mode))?.into())
        }

        /// Opens the directory itself for reading, because the handle may only allow reaching its entries.
        pub fn opened_to_read(&self) -> io::Result<File> {
            self.opened(OsStr::new("."), OFlags::RDONLY | OFlags::DIRECTORY, 0)
        }

        /// Opens a file in the directory for reading, without following a link or waiting for a pipe.
        pub fn open_file(&self, name: &OsStr) -> io::Result<File> {
            self.opened(name, OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK, 0)
        }

        pub fn metadata(&self) -> io::Result<Metadata> {
            self.opened(OsStr::new("."), REACH | OFlags::DIRECTORY, 0)?.metadata()
        }

        pub fn identity(&self) -> io::Result<Identity> {
            let status = fs::fstat(&self.handle)?;
            #[allow(clippy::unnecessary_cast)] // types differ between systems
            Ok(Identity { device: status.st_dev as u64, file: status.st_ino as u64 })
        }

        /// Sets the permissions of the directory.
        pub fn set_mode(&self, bits: u32) -> io::Result<()> {
            use std::os::unix::fs::PermissionsExt;
            self.opened_to_read()?.set_permissions(std::fs::Permissions::from_mode(bits))
        }

        /// Makes renames in the directory survive a power cut. Succeeds on file systems that cannot sync a directory.
        pub fn sync(&self) -> io::Result<()> {
            super::synced(self.opened_to_read().and_then(|directory| directory.sync_all()))
        }

        /// Creates a file in the directory that vanishes unless it is linked.
        #[cfg(target_os = "linux")]
        pub fn open_unnamed(&self, bits: u32) -> io::Result<File> {
            self.opened(OsStr::new("."), OFlags::TMPFILE | OFlags::RDWR, bits)
        }

        /// Removes a name of a file.
        pub fn remove_name(&self, name: &OsStr) -> io::Result<()> {
            Ok(retry_on_intr(|| fs::unlinkat(&self.handle, name, AtFlags::empty()))?)
        }

        /// Returns the target of a symbolic link.
        pub fn read_target(&self, name: &OsStr) -> io::Result<OsString> {
            let target = retry_on_intr(|| fs::readlinkat(&self.handle, name, Vec::new()))?;
            Ok(OsString::from_vec(target.into_bytes()))
        }
    }

    impl DirectoryEntry {
        pub fn open(&self, access: Access) -> io::Result<File> {
            let (flags, bits) = match access {
                Access::Read => (OFlags::RDONLY, 0),
                Access::Write => (OFlags::WRONLY, 0),
                Access::ReadWrite => (OFlags::RDWR, 0),
                Access::Create(bits) => (OFlags::RDWR | OFlags::CREATE | OFlags::EXCL, bits),
            };
            self.directory.opened(&self.name, flags | OFlags::NOFOLLOW | OFlags::NONBLOCK, bits)
        }

        /// Returns the metadata of the file, or of the link, without opening it for reading.
        pub fn metadata(&self) -> io::Result<Metadata> {
            // On systems without O_PATH, the file is opened for a moment, without waiting for a pipe.
            self.directory.opened(&self.name, REACH | OFlags::NOFOLLOW | OFlags::NONBLOCK, 0)?.metadata()
        }

        /// Renames the file to `other`, which is replaced.
        pub fn rename(&self, other: &DirectoryEntry) -> io::Result<()> {
            let [from, to] = [&self.directory.handle, &other.directory.handle];
            Ok(retry_on_intr(|| fs::renameat(from, self.name.as_os_str(), to, other.name.as_os_str()))?)
        }

        /// Exchanges the files of both names atomically. Returns false if the file system does not support that.
        #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
        pub fn exchange(&self, other: &DirectoryEntry) -> io::Result<bool> {
            const UNSUPPORTED: [Errno; 4] = [Errno::INVAL, Errno::NOSYS, Errno::OPNOTSUPP, Errno::NOTSUP];
            let [from, to] = [&self.directory.handle, &other.directory.handle];
            let [old, new] = [self, other].map(|entry| entry.name.as_os_str());
            match retry_on_intr(|| fs::renameat_with(from, old, to, new, fs::RenameFlags::EXCHANGE)) {
                Ok(()) => Ok(true),
                Err(error) if UNSUPPORTED.contains(&error) => Ok(false),
                Err(error) => Err(error.into()),
            }
        }

        #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
        pub fn exchange(&self, _: &DirectoryEntry) -> io::Result<bool> {
            Ok(false)
        }

        /// Creates a symbolic link. Fails if the name is taken.
        pub fn make_link(&self, target: &OsStr) -> io::Result<()> {
            let Self { directory, name } = self;
            Ok(retry_on_intr(|| fs::symlinkat(target, &directory.handle, name.as_os_str()))?)
        }
    }
}

#[cfg(not(unix))]
mod elsewhere {
    use std::fs;
    use std::os::windows::fs::OpenOptionsExt;

    use super::{Access, DirectoryEntry, File, Identity, Metadata, OpenDirectory, OsStr, OsString, Path, io};

    impl OpenDirectory {
        /// Opens a file in the directory for reading.
        pub fn open_file(&self, name: &OsStr) -> io::Result<File> {
            File::open(self.path.join(name))
        }

        pub fn identity(&self) -> io::Result<Identity> {
            let unknown = || io::Error::other("the system has no number for the directory");
            Identity::with(&fs::metadata(&self.path)?, &self.path).ok_or_else(unknown)
        }

        /// Opens a directory. Links are followed.
        pub fn open(path: &Path) -> io::Result<OpenDirectory> {
            let path = if path == Path::new("") { Path::new(".") } else { path };
            if fs::metadata(path)?.is_dir() {
                Ok(OpenDirectory { path: path.to_path_buf() })
            } else {
                Err(io::ErrorKind::NotADirectory.into())
            }
        }

        /// Opens a subdirectory, without following a link.
        pub fn below(&self, name: &OsStr) -> io::Result<OpenDirectory> {
            let path = self.path.join(name);
            if fs::symlink_metadata(&path)?.is_dir() {
                Ok(OpenDirectory { path })
            } else {
                Err(super::not_a_directory(&path))
            }
        }

        /// Opens the parent directory.
        pub fn above(&self) -> io::Result<OpenDirectory> {
            OpenDirectory::open(self.path.parent().unwrap_or(Path::new("")))
        }

        /// Creates a subdirectory. Returns false if the name is taken.
        pub fn make(&self, name: &OsStr, _: u32) -> io::Result<bool> {
            match fs::create_dir(self.path.join(name)) {
                Ok(()) => Ok(true),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
                Err(error) => Err(error),
            }
        }

        pub fn sync(&self) -> io::Result<()> {
            Ok(())
        }

        /// Removes a name of a file.
        pub fn remove_name(&self, name: &OsStr) -> io::Result<()> {
            fs::remove_file(self.path.join(name))
        }

        /// Returns the target of a symbolic link.
        pub fn read_target(&self, name: &OsStr) -> io::Result<OsString> {
            Ok(fs::read_link(self.path.join(name))?.into_os_string())
        }
    }

    impl DirectoryEntry {
        pub fn open(&self, access: Access) -> io::Result<File> {
            /// FILE_SHARE_READ and FILE_SHARE_DELETE: other processes may read the file or remove its name, but not
            /// write to it.
            const SHARED_TO_READ: u32 = 1 | 4;
            let mut options = File::options();
            options.read(access != Access::Write).write(access != Access::Read);
            if access == Access::ReadWrite {
                options.share_mode(SHARED_TO_READ);
            }
            options.create_new(matches!(access, Access::Create(_))).open(self.path())
        }

        /// Returns the metadata of the file, or of the link, without opening it.
        pub fn metadata(&self) -> io::Result<Metadata> {
            fs::symlink_metadata(self.path())
        }

        /// Renames the file to `other`, which is replaced.
        pub fn rename(&self, other: &DirectoryEntry) -> io::Result<()> {
            fs::rename(self.path(), other.path())
        }

        /// Returns false, because Windows cannot exchange files.
        pub fn exchange(&self, _: &DirectoryEntry) -> io::Result<bool> {
            Ok(false)
        }

        /// Fails, because Windows has two kinds of links, and creating them needs a privilege.
        pub fn make_link(&self, _: &OsStr) -> io::Result<()> {
            Err(io::Error::other("symbolic links are not copied on this system; use --links=skip"))
        }
    }
}

/// Makes renames in a directory survive a power cut, as [`OpenDirectory::sync`] does. Does not wait for a pipe that
/// replaced the directory.
pub fn sync_directory(directory: &Path) -> io::Result<()> {
    match OpenDirectory::open(directory) {
        Ok(directory) => directory.sync(),
        Err(error) => synced(Err(error)),
    }
}

fn synced(result: io::Result<()>) -> io::Result<()> {
    use io::ErrorKind::{InvalidInput, PermissionDenied};
    match result {
        Err(error) if matches!(error.kind(), InvalidInput | PermissionDenied) => Ok(()),
        result => result,
    }
}
