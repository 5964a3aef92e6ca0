//! Operations on the spelling of paths, without access to the file system.

use std::borrow::Cow;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use crate::files::system;

/// Makes a path absolute, without `.` and `..`. Links are not resolved.
pub fn absolute(current: &Path, path: &Path) -> PathBuf {
    let mut absolute = PathBuf::new();
    current.join(path).components().for_each(|component| step(&mut absolute, component));
    absolute
}

/// Appends a component to a path, or removes the last component for `..`.
pub fn step(path: &mut PathBuf, component: Component) {
    match component {
        Component::CurDir => {}
        Component::ParentDir => _ = path.pop(),
        component => path.push(component),
    }
}

/// Returns `bytes` as a file name. Bytes that cannot be in a name on this system become U+FFFD.
pub fn name_of(bytes: &[u8]) -> OsString {
    system::name_of(bytes.to_vec()).unwrap_or_else(|| String::from_utf8_lossy(bytes).into_owned().into())
}

/// Returns the bytes of a path, with slashes as separators.
pub fn with_slashes(path: &Path) -> Cow<'_, [u8]> {
    let bytes = path.as_os_str().as_encoded_bytes();
    if cfg!(windows) {
        return bytes.iter().map(|byte| if *byte == b'\\' { b'/' } else { *byte }).collect();
    }
    Cow::Borrowed(bytes)
}
