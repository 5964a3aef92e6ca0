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
                let mut directory = root.open()?;
                let mut components = below.components();
                let name = file_name(&mut components)?;
                for component in components {
                    directory = directory.below(component.as_os_str())?;
                }
                Ok(DirectoryEntry { directory: directory.into(), name })
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
        let mut directory = OpenDirectory::open(&root)?;
        for component in path.components().skip_while(is_root) {
            directory = directory.below(component.as_os_str())?;
        }
        Ok(directory)
    }
}

#[cfg(unix)]
mod unix {
    use std::os::fd::OwnedFd;

    use nix::errno::Errno;
    use nix::fcntl::{AT_FDCWD, OFlag, openat, readlinkat, renameat};
    use nix::sys::stat::{Mode, mkdirat};
    use nix::unistd::{UnlinkatFlags, symlinkat, unlinkat};

    use super::{Access, DirectoryEntry, File, Identity, Metadata, OpenDirectory, OsStr, OsString, Path, io};

    /// Enough to reach what is in a directory, which may not be readable.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    const REACH: OFlag = OFlag::O_PATH;
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    const REACH: OFlag = OFlag::O_RDONLY;

    /// For files beyond 2 GiB on systems of 32 bits.
    #[cfg(target_os = "linux")]
    const LARGE: OFlag = OFlag::O_LARGEFILE;
    #[cfg(not(target_os = "linux"))]
    const LARGE: OFlag = OFlag::empty();

    fn mode(bits: u32) -> Mode {
        Mode::from_bits_truncate(bits as nix::libc::mode_t)
    }

    /// Repeats a call as long as signals interrupt it.
    fn persist<T>(mut call: impl FnMut() -> nix::Result<T>) -> io::Result<T> {
        loop {
            match call() {
                Err(Errno::EINTR) => {}
                done => return Ok(done?),
            }
        }
    }

    impl OpenDirectory {
        /// Opens a directory. Links are followed.
        pub fn open(path: &Path) -> io::Result<OpenDirectory> {
            let path = if path == Path::new("") { Path::new(".") } else { path };
            let flags = REACH | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC;
            let handle = persist(|| openat(AT_FDCWD, path, flags, Mode::empty()))?;
            Ok(OpenDirectory { path: path.to_path_buf(), handle })
        }

        /// Opens a directory in this one. A link is not followed.
        pub fn below(&self, name: &OsStr) -> io::Result<OpenDirectory> {
            let flags = REACH | OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
            match persist(|| openat(&self.handle, name, flags, Mode::empty())) {
                Ok(handle) => Ok(OpenDirectory { path: self.path.join(name), handle }),
                Err(error) => Err(match error.raw_os_error() {
                    Some(nix::libc::ENOTDIR | nix::libc::ELOOP) => {
                        super::not_a_directory(&self.path.join(name))
                    }
                    _ => error,
                }),
            }
        }

        /// Opens the directory that this one is in.
        pub fn above(&self) -> io::Result<OpenDirectory> {
            let flags = REACH | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC;
            let handle = persist(|| openat(&self.handle, "..", flags, Mode::empty()))?;
            Ok(OpenDirectory { path: self.path.parent().unwrap_or(Path::new("")).to_path_buf(), handle })
        }

        /// Makes a directory in this one, with these permissions as far as umask allows; false if there is something
        /// of that name.
        pub fn make(&self, name: &OsStr, bits: u32) -> io::Result<bool> {
            match persist(|| mkdirat(&self.handle, name, mode(bits))) {
                Ok(()) => Ok(true),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
                Err(error) => Err(error),
            }
        }

        pub fn handle(&self) -> &OwnedFd {
            &self.handle
        }

        fn opened(&self, name: &OsStr, flags: OFlag, bits: u32) -> io::Result<File> {
            let flags = flags | OFlag::O_CLOEXEC | OFlag::O_NOCTTY | LARGE;
            persist(|| openat(&self.handle, name, flags, mode(bits))).map(File::from)
        }

        /// Opens a file in it for reading. A link is not followed, and a pipe is not waited for.
        pub fn open_file(&self, name: &OsStr) -> io::Result<File> {
            self.opened(name, OFlag::O_RDONLY | OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK, 0)
        }

        pub fn metadata(&self) -> io::Result<Metadata> {
            self.opened(OsStr::new("."), REACH | OFlag::O_DIRECTORY, 0)?.metadata()
        }

        pub fn identity(&self) -> io::Result<Identity> {
            let status = nix::sys::stat::fstat(&self.handle)?;
            #[allow(clippy::unnecessary_cast)] // types differ between systems
            Ok(Identity { device: status.st_dev as u64, file: status.st_ino as u64 })
        }

        /// Sets its permissions.
        pub fn set_mode(&self, bits: u32) -> io::Result<()> {
            use std::os::unix::fs::PermissionsExt;
            let directory = self.opened(OsStr::new("."), OFlag::O_RDONLY | OFlag::O_DIRECTORY, 0)?;
            directory.set_permissions(std::fs::Permissions::from_mode(bits))
        }

        /// Makes a rename in it last through a power cut. File systems that cannot sync a directory report that, which
        /// is no failure.
        pub fn sync(&self) -> io::Result<()> {
            let opened = self.opened(OsStr::new("."), OFlag::O_RDONLY | OFlag::O_DIRECTORY, 0);
            super::synced(opened.and_then(|directory| directory.sync_all()))
        }

        /// A file in it that vanishes unless it is linked.
        #[cfg(target_os = "linux")]
        pub fn open_unnamed(&self, bits: u32) -> io::Result<File> {
            self.opened(OsStr::new("."), OFlag::O_TMPFILE | OFlag::O_RDWR, bits)
        }
    }

    impl DirectoryEntry {
        pub fn open(&self, access: Access) -> io::Result<File> {
            let (flags, bits) = match access {
                Access::Read => (OFlag::O_RDONLY, 0),
                Access::Write => (OFlag::O_WRONLY, 0),
                Access::ReadWrite => (OFlag::O_RDWR, 0),
                Access::Create(bits) => (OFlag::O_RDWR | OFlag::O_CREAT | OFlag::O_EXCL, bits),
            };
            self.directory.opened(&self.name, flags | OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK, bits)
        }

        /// What is known of the file, or of the link, without opening it.
        pub fn metadata(&self) -> io::Result<Metadata> {
            // Elsewhere it is opened for a moment, which does not wait.
            self.directory.opened(&self.name, REACH | OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK, 0)?.metadata()
        }

        /// Renames it to `other`, which is replaced.
        pub fn rename(&self, other: &DirectoryEntry) -> io::Result<()> {
            let [from, to] = [&self.directory.handle, &other.directory.handle];
            persist(|| renameat(from, self.name.as_os_str(), to, other.name.as_os_str()))
        }

        /// Returns where a symbolic link leads.
        pub fn read_link(&self) -> io::Result<OsString> {
            persist(|| readlinkat(&self.directory.handle, self.name.as_os_str()))
        }

        /// Makes a symbolic link, where there is nothing of that name.
        pub fn make_link(&self, target: &OsStr) -> io::Result<()> {
            persist(|| symlinkat(target, &self.directory.handle, self.name.as_os_str()))
        }

        pub fn remove(&self) -> io::Result<()> {
            let Self { directory, name } = self;
            persist(|| unlinkat(&directory.handle, name.as_os_str(), UnlinkatFlags::NoRemoveDir))
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
            match fs::metadata(path)?.is_dir() {
                true => Ok(OpenDirectory { path: path.to_path_buf() }),
                false => Err(io::ErrorKind::NotADirectory.into()),
            }
        }

        /// Opens a directory in this one. A link is not followed.
        pub fn below(&self, name: &OsStr) -> io::Result<OpenDirectory> {
            let path = self.path.join(name);
            match fs::symlink_metadata(&path)?.is_dir() {
                true => Ok(OpenDirectory { path }),
                false => Err(super::not_a_directory(&path)),
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

        /// Returns where a symbolic link leads.
        pub fn read_link(&self) -> io::Result<OsString> {
            fs::read_link(self.path()).map(Into::into)
        }

        /// Links of this system are of two kinds, and need a privilege.
        pub fn make_link(&self, _: &OsStr) -> io::Result<()> {
            Err(io::Error::other("symbolic links are not copied on this system; use --links=skip"))
        }

        pub fn remove(&self) -> io::Result<()> {
            fs::remove_file(self.path())
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
