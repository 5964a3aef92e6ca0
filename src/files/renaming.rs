//! Lists, looks up and changes names in a directory held open, without ever replacing another file.

use std::ffi::{OsStr, OsString};
use std::io;

use crate::files::open_directory::OpenDirectory;

/// The kind of file that a name leads to, as far as renaming needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    Directory,
    Link,
    File,
    /// A pipe, a device or a socket.
    Other,
}

/// A name in a directory, with the kind of its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    pub name: OsString,
    pub kind: EntryKind,
}

/// Facts about the file that a name leads to. Links are not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryInfo {
    pub device: u64,
    /// The inode number; 0 if the system has no such number.
    pub inode: u64,
    /// Number of names of the file.
    pub links: u64,
    pub kind: EntryKind,
    owner: u32,
    /// Whether the file is a regular file without content.
    pub is_empty_file: bool,
    /// Why no rename of the file can succeed.
    pub fixed: Option<&'static str>,
}

impl EntryInfo {
    /// Whether another file system or directory is mounted at the name.
    pub fn is_mount_point(&self) -> bool {
        self.fixed == Some(MOUNT_POINT)
    }
}

const MOUNT_POINT: &str = "is a mount point";
#[cfg(target_os = "linux")]
const IMMUTABLE: &str = "is immutable or append-only (see chattr)";

/// The files that the user may rename in a directory, by their owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rights {
    /// The only owner whose files the user may rename, in a sticky directory.
    only_of: Option<u32>,
}

impl Rights {
    pub fn include(&self, found: &EntryInfo) -> bool {
        self.only_of.is_none_or(|user| user == found.owner)
    }
}

/// The assumed maximum length of a name in bytes, if the file system does not report one.
const LONGEST_NAME: usize = 255;

#[cfg(unix)]
mod unix {
    use std::os::unix::ffi::OsStrExt;

    use rustix::fs::{
        self as fs, Access, AtFlags, Dir, FileType, Mode, OFlags, StatVfs, Timespec, Timestamps, UTIME_OMIT,
    };
    use rustix::io::{Errno, retry_on_intr};

    use super::{EntryInfo, EntryKind, LONGEST_NAME, Listed, OpenDirectory, OsStr, Rights, io};
    #[cfg(target_os = "linux")]
    use super::{IMMUTABLE, MOUNT_POINT};

    fn kind(file_type: FileType) -> EntryKind {
        match file_type {
            FileType::Directory => EntryKind::Directory,
            FileType::Symlink => EntryKind::Link,
            FileType::RegularFile => EntryKind::File,
            _ => EntryKind::Other,
        }
    }

    impl OpenDirectory {
        /// Lists the names in the directory, sorted by their bytes.
        pub fn list(&self) -> io::Result<Vec<Listed>> {
            let mut listed = Vec::new();
            for entry in Dir::new(self.opened_to_read()?)? {
                let entry = entry?;
                let name = entry.file_name().to_bytes();
                if name == b"." || name == b".." {
                    continue;
                }
                let name = OsStr::from_bytes(name).to_os_string();
                let kind = match entry.file_type() {
                    FileType::Unknown => match self.look_up(&name)? {
                        Some(found) => found.kind,
                        None => continue,
                    },
                    known => kind(known),
                };
                listed.push(Listed { name, kind });
            }
            listed.sort_unstable_by(|one, other| one.name.cmp(&other.name));
            Ok(listed)
        }

        /// Looks up a name, compared as the file system compares names. Returns `None` if there is no such name.
        pub fn look_up(&self, name: &OsStr) -> io::Result<Option<EntryInfo>> {
            match retry_on_intr(|| fs::statat(self.handle(), name, AtFlags::SYMLINK_NOFOLLOW)) {
                #[allow(clippy::unnecessary_cast)] // types differ between systems
                Ok(status) => Ok(Some(EntryInfo {
                    device: status.st_dev as u64,
                    inode: status.st_ino as u64,
                    links: status.st_nlink as u64,
                    kind: kind(FileType::from_raw_mode(status.st_mode as _)),
                    owner: status.st_uid,
                    is_empty_file: status.st_size == 0
                        && FileType::from_raw_mode(status.st_mode as _) == FileType::RegularFile,
                    fixed: None,
                })),
                Err(Errno::NOENT) => Ok(None),
                Err(error) => Err(error.into()),
            }
        }

        /// Looks up a name that is to be renamed, and finds out whether a rename can succeed.
        pub fn look_up_to_rename(&self, name: &OsStr) -> io::Result<Option<EntryInfo>> {
            let Some(found) = self.look_up(name)? else { return Ok(None) };
            Ok(Some(EntryInfo { fixed: self.fixed(name), ..found }))
        }

        #[cfg(target_os = "linux")]
        fn fixed(&self, name: &OsStr) -> Option<&'static str> {
            use fs::{StatxAttributes, StatxFlags, statx};
            let flags = AtFlags::SYMLINK_NOFOLLOW | AtFlags::NO_AUTOMOUNT;
            let attributes = statx(self.handle(), name, flags, StatxFlags::TYPE).ok()?.stx_attributes;
            match attributes {
                _ if attributes.contains(StatxAttributes::MOUNT_ROOT) => Some(MOUNT_POINT),
                _ if attributes.intersects(StatxAttributes::IMMUTABLE | StatxAttributes::APPEND) => {
                    Some(IMMUTABLE)
                }
                _ => None,
            }
        }

        #[cfg(not(target_os = "linux"))]
        fn fixed(&self, _: &OsStr) -> Option<&'static str> {
            None
        }

        /// Returns whose names the user may change in the directory. Fails if the user may change none.
        pub fn rights(&self) -> io::Result<Rights> {
            let flags = Access::WRITE_OK | Access::EXEC_OK;
            retry_on_intr(|| fs::accessat(self.handle(), ".", flags, AtFlags::EACCESS))?;
            let status = retry_on_intr(|| fs::statat(self.handle(), ".", AtFlags::empty()))?;
            let user = rustix::process::geteuid().as_raw();
            #[allow(clippy::unnecessary_cast)] // types differ between systems
            let is_sticky = status.st_mode as u32 & 0o1000 != 0;
            let is_limited = is_sticky && user != 0 && user != status.st_uid;
            #[cfg(target_os = "linux")]
            if let Some(why) = self.fixed(OsStr::new(".")).filter(|why| *why == IMMUTABLE) {
                return Err(io::Error::new(io::ErrorKind::PermissionDenied, format!("the directory {why}")));
            }
            Ok(Rights { only_of: is_limited.then_some(user) })
        }

        /// Whether names are compared without case, if the system reports that.
        pub fn ignores_case(&self) -> bool {
            #[cfg(target_os = "linux")]
            {
                // FS_CASEFOLD_FL of linux/fs.h.
                const CASEFOLD: u32 = 0x4000_0000;
                let flags = self.opened_to_read().and_then(|opened| Ok(fs::ioctl_getflags(opened)?));
                flags.is_ok_and(|flags| flags.bits() & CASEFOLD != 0)
            }
            #[cfg(not(target_os = "linux"))]
            false
        }

        /// Returns the maximum length of a name in bytes.
        pub fn longest_name(&self) -> usize {
            match fs::fstatvfs(self.handle()) {
                Ok(StatVfs { f_namemax: most @ 1.., .. }) => most as usize,
                _ => LONGEST_NAME,
            }
        }

        /// Renames a file or a directory. Fails if the new name is taken.
        pub fn rename_new(&self, old: &OsStr, new: &OsStr) -> io::Result<()> {
            #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
            {
                use fs::{RenameFlags, renameat_with};
                let directory = self.handle();
                let flags = RenameFlags::NOREPLACE;
                match retry_on_intr(|| renameat_with(directory, old, directory, new, flags)) {
                    // The file system does not support the flag NOREPLACE.
                    Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
                    done => return Ok(done?),
                }
            }
            self.rename_in_two_steps(old, new)
        }

        /// Claims the new name by a call that fails if the name is taken, and then renames. The call creates a second
        /// link of the file, an empty file, or a new directory, which a rename replaces only while it is empty.
        fn rename_in_two_steps(&self, old: &OsStr, new: &OsStr) -> io::Result<()> {
            let directory = self.handle();
            let found = self.look_up(old)?.ok_or(io::ErrorKind::NotFound)?;
            if found.kind == EntryKind::Directory {
                fs::mkdirat(directory, new, Mode::RWXU)?;
                return retry_on_intr(|| fs::renameat(directory, old, directory, new)).map_err(|error| {
                    let _ = fs::unlinkat(directory, new, AtFlags::REMOVEDIR);
                    error.into()
                });
            }
            match retry_on_intr(|| fs::linkat(directory, old, directory, new, AtFlags::empty())) {
                Ok(()) => self.remove_name(old),
                Err(error @ (Errno::EXIST | Errno::NOENT)) => Err(error.into()),
                // The file system has no links, or does not allow links to files of other users.
                Err(_) => self.rename_over_empty(old, new),
            }
        }

        /// Claims the new name with an empty file, which the rename replaces.
        fn rename_over_empty(&self, old: &OsStr, new: &OsStr) -> io::Result<()> {
            let directory = self.handle();
            let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            drop(retry_on_intr(|| fs::openat(directory, new, flags, Mode::RUSR | Mode::WUSR))?);
            let is_still_empty =
                || -> io::Result<bool> { Ok(self.look_up(new)?.is_some_and(|found| found.is_empty_file)) };
            if !is_still_empty()? {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            retry_on_intr(|| fs::renameat(directory, old, directory, new)).map_err(|error| {
                if is_still_empty().is_ok_and(|is_empty| is_empty) {
                    let _ = self.remove_name(new);
                }
                io::Error::from(error)
            })
        }

        /// Removes a directory if it is empty.
        pub fn remove_empty(&self, name: &OsStr) -> io::Result<()> {
            Ok(retry_on_intr(|| fs::unlinkat(self.handle(), name, AtFlags::REMOVEDIR))?)
        }

        /// Renames a file to another spelling of its name that the file system takes for the same name.
        pub fn respell(&self, old: &OsStr, new: &OsStr) -> io::Result<()> {
            let directory = self.handle();
            Ok(retry_on_intr(|| fs::renameat(directory, old, directory, new))?)
        }

        /// Replaces a symbolic link by a link with another target, and the same owner and time. `temporary` is a free
        /// name, which the new link has until it replaces the old link.
        pub fn retarget(&self, name: &OsStr, target: &OsStr, temporary: &OsStr) -> io::Result<()> {
            let directory = self.handle();
            let old = fs::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW)?;
            fs::symlinkat(target, directory, temporary)?;
            let flags = AtFlags::SYMLINK_NOFOLLOW;
            let (user, group) = (fs::Uid::from_raw(old.st_uid), fs::Gid::from_raw(old.st_gid));
            let replace = || {
                let made = fs::statat(directory, temporary, flags)?;
                if (made.st_uid, made.st_gid) != (old.st_uid, old.st_gid) {
                    fs::chownat(directory, temporary, Some(user), Some(group), flags)?;
                }
                #[allow(clippy::unnecessary_cast)] // types differ between systems
                let changed = Timespec { tv_sec: old.st_mtime as i64, tv_nsec: old.st_mtime_nsec as _ };
                let omitted = Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT };
                let times = Timestamps { last_access: omitted, last_modification: changed };
                // Some file systems have no times of links.
                let _ = fs::utimensat(directory, temporary, &times, flags);
                retry_on_intr(|| fs::renameat(directory, temporary, directory, name))
            };
            replace().map_err(|error| {
                let _ = fs::unlinkat(directory, temporary, AtFlags::empty());
                error.into()
            })
        }

        /// Makes all changes of names in the file system survive a power cut. Returns false if a whole file system
        /// cannot be synced.
        pub fn sync_file_system(&self) -> io::Result<bool> {
            #[cfg(target_os = "linux")]
            {
                let opened = self.opened_to_read();
                match opened.and_then(|directory| Ok(retry_on_intr(|| fs::syncfs(&directory))?)) {
                    Ok(()) => Ok(true),
                    Err(error) => match Errno::from_io_error(&error) {
                        // syncfs fails if the directory cannot be read, or if the kernel is too old.
                        Some(Errno::ACCESS | Errno::NOSYS | Errno::INVAL | Errno::OPNOTSUPP) => Ok(false),
                        _ => Err(error),
                    },
                }
            }
            #[cfg(not(target_os = "linux"))]
            Ok(false)
        }
    }
}

#[cfg(not(unix))]
mod elsewhere {
    use std::fs;

    use super::{EntryInfo, EntryKind, LONGEST_NAME, Listed, OpenDirectory, OsStr, Rights, io};
    use crate::files::system::identity;

    fn kind(file_type: fs::FileType) -> EntryKind {
        match file_type {
            _ if file_type.is_symlink() => EntryKind::Link,
            _ if file_type.is_dir() => EntryKind::Directory,
            _ if file_type.is_file() => EntryKind::File,
            _ => EntryKind::Other,
        }
    }

    impl OpenDirectory {
        /// Lists the names in the directory, sorted.
        pub fn list(&self) -> io::Result<Vec<Listed>> {
            let mut listed = Vec::new();
            for entry in fs::read_dir(self.path())? {
                let entry = entry?;
                listed.push(Listed { name: entry.file_name(), kind: kind(entry.file_type()?) });
            }
            listed.sort_unstable_by(|one, other| one.name.cmp(&other.name));
            Ok(listed)
        }

        /// Looks up a name, compared as the file system compares names. Returns `None` if there is no such name.
        pub fn look_up(&self, name: &OsStr) -> io::Result<Option<EntryInfo>> {
            match fs::symlink_metadata(self.path().join(name)) {
                Ok(metadata) => {
                    let kind = kind(metadata.file_type());
                    let is_empty_file = metadata.is_file() && metadata.len() == 0;
                    // The identity of a link is unknown, because looking it up would follow the link.
                    let path = Some(self.path().join(name)).filter(|_| kind != EntryKind::Link);
                    let (device, inode) =
                        path.and_then(|path| identity(&metadata, &path)).unwrap_or_default();
                    Ok(Some(EntryInfo {
                        device,
                        inode,
                        links: 1,
                        kind,
                        owner: 0,
                        is_empty_file,
                        fixed: None,
                    }))
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
                Err(error) => Err(error),
            }
        }

        /// Looks up a name that is to be renamed.
        pub fn look_up_to_rename(&self, name: &OsStr) -> io::Result<Option<EntryInfo>> {
            self.look_up(name)
        }

        /// Returns whose names the user may change in the directory.
        pub fn rights(&self) -> io::Result<Rights> {
            Ok(Rights { only_of: None })
        }

        /// Whether names are compared without case.
        pub fn ignores_case(&self) -> bool {
            cfg!(windows)
        }

        /// Returns the maximum length of a name.
        pub fn longest_name(&self) -> usize {
            LONGEST_NAME
        }

        /// Renames a file or a directory. Fails if the new name is taken: Windows replaces no directory, and a file
        /// gets its new name as a second link.
        pub fn rename_new(&self, old: &OsStr, new: &OsStr) -> io::Result<()> {
            let [old, new] = [old, new].map(|name| self.path().join(name));
            if fs::symlink_metadata(&new).is_ok() {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            if fs::symlink_metadata(&old)?.is_dir() {
                return fs::rename(old, new);
            }
            fs::hard_link(&old, new)?;
            fs::remove_file(old)
        }

        /// Removes a directory if it is empty.
        pub fn remove_empty(&self, name: &OsStr) -> io::Result<()> {
            fs::remove_dir(self.path().join(name))
        }

        /// Renames a file to another spelling of its name that the file system takes for the same name.
        pub fn respell(&self, old: &OsStr, new: &OsStr) -> io::Result<()> {
            fs::rename(self.path().join(old), self.path().join(new))
        }

        /// Fails, because Windows has two kinds of links, and creating them needs a privilege.
        pub fn retarget(&self, _: &OsStr, _: &OsStr, _: &OsStr) -> io::Result<()> {
            Err(io::ErrorKind::Unsupported.into())
        }

        /// Returns false, because Windows has no call that syncs a whole file system.
        pub fn sync_file_system(&self) -> io::Result<bool> {
            Ok(false)
        }
    }
}
