//! What a file has beside its content: owner, group, mode, access control lists and extended attributes.

use std::fs::{File, Metadata, Permissions};
use std::io;

/// Gives `new` what `old` has, of which `metadata` is known; false if not all can be given, and `new` must not take the
/// place of `old`.
///
/// The owner first: to change it clears mode bits. The mode last: the lists before it change the bits of the group.
/// Set-user-ID, set-group-ID and capabilities are not kept, as with any write.
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

/// Access control lists are extended attributes, too. A new file may have one by the rules of its directory, which goes
/// if the old file has none.
#[cfg(unix)]
fn copy_extended(old: &File, new: &File) -> bool {
    use xattr::FileExt;
    let names = match old.list_xattr() {
        Ok(names) => names,
        // A file system without such attributes says so.
        Err(error) => return error.kind() == io::ErrorKind::Unsupported,
    };
    // What vouches for the old content does not for the new.
    let vouches =
        |name: &[u8]| [&b"security.capability"[..], b"security.ima", b"security.evm"].contains(&name);
    let names: Vec<_> = names.filter(|name| !vouches(name.as_encoded_bytes())).collect();
    let is_copied = names.iter().all(|name| {
        let Ok(value) = old.get_xattr(name) else { return false };
        // To set what is set already may take rights that to keep it does not.
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
