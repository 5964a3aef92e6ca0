//! Directories held open, and the entries in them.
//!
//! A file that is replaced is opened, created, linked, renamed and removed by its bare name in a directory that stays
//! open. So a directory that another process exchanges in between, for a symbolic link or for another directory,
//! redirects nothing. Elsewhere than on Unix, paths are used.

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
    /// Its path when it was opened, for messages.
    path: PathBuf,
    #[cfg(unix)]
    handle: std::os::fd::OwnedFd,
}

/// A name in a directory held open. There may be no file of that name.
#[derive(Clone, Debug)]
pub struct DirectoryEntry {
    directory: Arc<OpenDirectory>,
    name: OsString,
}

/// What an entry is opened for. Links are never followed, and pipes are not waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Read,
    Write,
    ReadWrite,
    /// For reading and writing a file that is not there yet, with these permissions.
    Create(u32),
}

/// How the path of a file is followed.
#[derive(Clone, Debug)]
pub enum Route {
    /// Links are followed, as in all paths that a user names.
    Named(PathBuf),
    /// Found in a directory: links are followed up to `root`, which was named, and not in `below`.
    Found { root: Arc<Root>, below: PathBuf },
}

/// A named directory in which files were found.
#[derive(Debug)]
pub struct Root {
    pub path: PathBuf,
    /// If it is known, no other directory is taken for this one later.
    pub identity: Option<Identity>,
}

impl Root {
    fn open(&self) -> io::Result<OpenDirectory> {
        let opened = OpenDirectory::open(&self.path)?;
        match &self.identity {
            Some(identity) if opened.identity()? != *identity => {
                let name = quoted(self.path.as_os_str());
                Err(io::Error::other(format!("the directory {name} was replaced")))
            }
            _ => Ok(opened),
        }
    }
}

impl Route {
    /// Opens the directory of the file.
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

/// Returns the error for something below a directory that is to be a directory itself.
fn not_a_directory(path: &Path) -> io::Error {
    let name = quoted(path.as_os_str());
    io::Error::other(format!("{name} is a symbolic link or a file, not a directory"))
}

impl PartialEq for DirectoryEntry {
    /// Whether both are of the same name in the same open directory.
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
    /// Returns the entry of an absolute path without links. Those that have appeared in it meanwhile are not followed.
    pub fn real(path: &Path) -> io::Result<DirectoryEntry> {
        let mut components = path.components();
        let name = file_name(&mut components)?;
        let directory = OpenDirectory::open_real(components.as_path())?;
        Ok(DirectoryEntry { directory: directory.into(), name })
    }

    /// Returns the entry of a path whose file need not be there.
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

    /// Its path when the directory was opened.
    pub fn path(&self) -> PathBuf {
        self.directory.path.join(&self.name)
    }

    /// Returns the entry of another name in the same directory.
    pub fn sibling(&self, name: OsString) -> DirectoryEntry {
        DirectoryEntry { directory: self.directory.clone(), name }
    }

    pub fn remove(&self) -> io::Result<()> {
        self.directory.remove_name(&self.name)
    }

    /// Returns where a symbolic link leads.
    pub fn read_link(&self) -> io::Result<OsString> {
        self.directory.read_target(&self.name)
    }
}

impl OpenDirectory {
    /// Its path when it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens a directory whose absolute path has no links. Those that have appeared in it meanwhile are not followed.
    fn open_real(path: &Path) -> io::Result<OpenDirectory> {
        let is_root = |component: &Component| matches!(component, Component::RootDir | Component::Prefix(_));
        let root: PathBuf = path.components().take_while(is_root).collect();
        OpenDirectory::open(&root)?.down(path.components().skip_while(is_root))
    }

    /// Opens a directory below this one. Links are not followed.
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

    /// Enough to reach what is in a directory, which may not be readable.
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

        /// Opens a directory in this one. A link is not followed.
        pub fn below(&self, name: &OsStr) -> io::Result<OpenDirectory> {
            let flags = REACH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            match retry_on_intr(|| fs::openat(&self.handle, name, flags, Mode::empty())) {
                Ok(handle) => Ok(OpenDirectory { path: self.path.join(name), handle }),
                Err(Errno::NOTDIR | Errno::LOOP) => Err(super::not_a_directory(&self.path.join(name))),
                Err(error) => Err(error.into()),
            }
        }

        /// Opens the directory that this one is in.
        pub fn above(&self) -> io::Result<OpenDirectory> {
            let flags = REACH | OFlags::DIRECTORY | OFlags::CLOEXEC;
            let handle = retry_on_intr(|| fs::openat(&self.handle, "..", flags, Mode::empty()))?;
            Ok(OpenDirectory { path: self.path.parent().unwrap_or(Path::new("")).to_path_buf(), handle })
        }

        /// Makes a directory in this one, with these permissions as far as umask allows; false if there is something
        /// of that name.
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

        /// Opens the directory itself to be read: the handle may only allow to reach its entries.
        pub fn opened_to_read(&self) -> io::Result<File> {
            self.opened(OsStr::new("."), OFlags::RDONLY | OFlags::DIRECTORY, 0)
        }

        /// Opens a file in it for reading. A link is not followed, and a pipe is not waited for.
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

        /// Sets its permissions.
        pub fn set_mode(&self, bits: u32) -> io::Result<()> {
            use std::os::unix::fs::PermissionsExt;
            self.opened_to_read()?.set_permissions(std::fs::Permissions::from_mode(bits))
        }

        /// Makes a rename in it last through a power cut. File systems that cannot sync a directory report that, which
        /// is no failure.
        pub fn sync(&self) -> io::Result<()> {
            super::synced(self.opened_to_read().and_then(|directory| directory.sync_all()))
        }

        /// A file in it that vanishes unless it is linked.
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

        /// What is known of the file, or of the link, without opening it.
        pub fn metadata(&self) -> io::Result<Metadata> {
            // Elsewhere it is opened for a moment, which does not wait.
            self.directory.opened(&self.name, REACH | OFlags::NOFOLLOW | OFlags::NONBLOCK, 0)?.metadata()
        }

        /// Renames it to `other`, which is replaced.
        pub fn rename(&self, other: &DirectoryEntry) -> io::Result<()> {
            let [from, to] = [&self.directory.handle, &other.directory.handle];
            Ok(retry_on_intr(|| fs::renameat(from, self.name.as_os_str(), to, other.name.as_os_str()))?)
        }

        /// Exchanges the files of both names in one step; returns false if the file system cannot do that.
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

        /// Makes a symbolic link, where there is nothing of that name.
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
        /// Opens a file in it for reading.
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

        /// Opens a directory in this one. A link is not followed.
        pub fn below(&self, name: &OsStr) -> io::Result<OpenDirectory> {
            let path = self.path.join(name);
            if fs::symlink_metadata(&path)?.is_dir() {
                Ok(OpenDirectory { path })
            } else {
                Err(super::not_a_directory(&path))
            }
        }

        /// Opens the directory that this one is in.
        pub fn above(&self) -> io::Result<OpenDirectory> {
            OpenDirectory::open(self.path.parent().unwrap_or(Path::new("")))
        }

        /// Makes a directory in this one; false if there is something of that name.
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
            /// FILE_SHARE_READ and FILE_SHARE_DELETE: others may read it or remove its name, but not write to it.
            const SHARED_TO_READ: u32 = 1 | 4;
            let mut options = File::options();
            options.read(access != Access::Write).write(access != Access::Read);
            if access == Access::ReadWrite {
                options.share_mode(SHARED_TO_READ);
            }
            options.create_new(matches!(access, Access::Create(_))).open(self.path())
        }

        /// What is known of the file, or of the link, without opening it.
        pub fn metadata(&self) -> io::Result<Metadata> {
            fs::symlink_metadata(self.path())
        }

        /// Renames it to `other`, which is replaced.
        pub fn rename(&self, other: &DirectoryEntry) -> io::Result<()> {
            fs::rename(self.path(), other.path())
        }

        /// Returns false, because Windows cannot exchange files.
        pub fn exchange(&self, _: &DirectoryEntry) -> io::Result<bool> {
            Ok(false)
        }

        /// Links of this system are of two kinds, and need a privilege.
        pub fn make_link(&self, _: &OsStr) -> io::Result<()> {
            Err(io::Error::other("symbolic links are not copied on this system; use --links=skip"))
        }
    }
}

/// Makes renames in a directory last through a power cut, as [`OpenDirectory::sync`] does. A pipe that has taken its
/// place is not waited for.
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
