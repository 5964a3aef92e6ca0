//! The attributes of a file: owner, group, mode, access control lists and extended attributes.

#[cfg(unix)]
use std::fs::Permissions;
use std::fs::{File, Metadata};
use std::io;
use std::path::Path;

/// Gives `new` the attributes of `old`, which has `metadata`. Returns false if an attribute cannot be set; `new` must
/// then not replace `old`.
///
/// The owner is set first, because that clears mode bits. The mode is set last, because access control lists change its
/// group bits. Set-user-ID, set-group-ID and capabilities are not kept, as with any write.
#[cfg(unix)]
pub fn copy(old: &File, metadata: &Metadata, new: &File) -> io::Result<bool> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let fresh = new.metadata()?;
    if (fresh.uid(), fresh.gid()) != (metadata.uid(), metadata.gid())
        && fchown(new, Some(metadata.uid()), Some(metadata.gid())).is_err()
    {
        return Ok(false);
    }
    if !copy_extended(old, new) {
        return Ok(false);
    }
    new.set_permissions(Permissions::from_mode(metadata.mode() & 0o1777))?;
    Ok(true)
}

#[cfg(not(unix))]
pub fn copy(_: &File, metadata: &Metadata, new: &File) -> io::Result<bool> {
    new.set_permissions(metadata.permissions())?;
    Ok(true)
}

/// The maximum permissions that a copy of a file or directory may have.
#[derive(Clone, Copy, Debug)]
pub struct Openness {
    mode: u32,
    #[cfg_attr(not(unix), allow(dead_code))]
    group: u32,
}

#[cfg(unix)]
impl Openness {
    /// Returns the permissions of the file or directory at `path`, which has `metadata`.
    pub fn of(path: &Path, metadata: &Metadata) -> Openness {
        use std::os::unix::fs::MetadataExt;
        let mode = metadata.mode() & 0o777;
        // With an access control list, the group bits limit the rights that the list gives to others.
        let has_list = xattr::get(path, "system.posix_acl_access").is_ok_and(|list| list.is_some());
        let mode = if has_list { mode & !0o070 } else { mode };
        Openness { mode, group: metadata.gid() }
    }

    /// Returns the mode of a copy that belongs to the same group.
    pub fn mode(self) -> u32 {
        self.mode
    }

    /// Returns the mode of a copy that belongs to `group`. Members of another group get only the rights that all others
    /// have.
    fn mode_for(self, group: u32) -> u32 {
        if self.group == group {
            self.mode
        } else {
            let common = self.mode >> 3 & self.mode & 0o7;
            self.mode & 0o700 | common << 3 | common
        }
    }

    /// Returns a narrower mode for a file with `metadata`, if its mode allows more than `self`. The rights of the owner
    /// are not changed.
    pub fn narrowed(self, metadata: &Metadata) -> Option<u32> {
        use std::os::unix::fs::MetadataExt;
        let mode = metadata.mode() & 0o7777;
        let narrow = mode & (self.mode_for(metadata.gid()) | 0o7700);
        (narrow != mode).then_some(narrow)
    }

    /// Returns the permissions that remain for a file in `directory`.
    pub fn within(self, directory: Openness) -> Openness {
        // A user who may not search the directory does not reach the file.
        let search = directory.mode_for(self.group) & 0o011;
        Openness { mode: self.mode & (0o700 | (7 * search)), ..self }
    }

    /// Removes the permissions of a file that exceed `self`.
    pub fn limit(self, file: &File) -> io::Result<()> {
        use std::os::unix::fs::PermissionsExt;
        let narrowed = self.narrowed(&file.metadata()?);
        narrowed.map_or(Ok(()), |mode| file.set_permissions(Permissions::from_mode(mode)))
    }
}

#[cfg(not(unix))]
impl Openness {
    pub fn of(_: &Path, _: &Metadata) -> Openness {
        Openness { mode: 0o777, group: 0 }
    }

    pub fn mode(self) -> u32 {
        self.mode
    }

    pub fn limit(self, _: &File) -> io::Result<()> {
        Ok(())
    }
}

/// Copies extended attributes, which include access control lists. A new file may inherit an access control list from
/// its directory; the list is removed if the old file has none.
#[cfg(unix)]
fn copy_extended(old: &File, new: &File) -> bool {
    use xattr::FileExt;
    let names = match old.list_xattr() {
        Ok(names) => names,
        // A file system without extended attributes has none to copy.
        Err(error) => return error.kind() == io::ErrorKind::Unsupported,
    };
    // Signatures and capabilities of the old content must not apply to the new content.
    let vouches =
        |name: &[u8]| [&b"security.capability"[..], b"security.ima", b"security.evm"].contains(&name);
    let names: Vec<_> = names.filter(|name| !vouches(name.as_encoded_bytes())).collect();
    let is_copied = names.iter().all(|name| {
        let Ok(value) = old.get_xattr(name) else { return false };
        // An attribute that is already equal is not set, because setting it may need rights.
        new.get_xattr(name).is_ok_and(|there| there == value)
            || value.is_some_and(|value| new.set_xattr(name, &value).is_ok())
    });
    let is_access_list =
        |name: &std::ffi::OsString| name.as_encoded_bytes().starts_with(b"system.posix_acl_");
    let mut extra = new.list_xattr().into_iter().flatten();
    is_copied
        && extra
            .all(|name| !is_access_list(&name) || names.contains(&name) || new.remove_xattr(&name).is_ok())
}
