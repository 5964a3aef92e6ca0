//! Configuration files that others write: their text, and where git keeps its own.

use std::fs::{self, File, Metadata};
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::ui::message::reason;

/// No configuration file is longer.
const LONGEST_FILE: u64 = 1 << 20;

/// The text of a file, or why there is none. A pipe is not waited for.
pub fn text(path: &Path, metadata: &Metadata) -> Result<String, String> {
    if !metadata.is_file() {
        return Err("not a regular file".to_string());
    }
    let mut bytes = vec![];
    File::open(path)
        .and_then(|file| file.take(LONGEST_FILE + 1).read_to_end(&mut bytes))
        .map_err(|error| reason(&error))?;
    if bytes.len() as u64 > LONGEST_FILE {
        return Err("longer than 1 MiB".to_string());
    }
    // Both kinds may begin with a BOM.
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
    String::from_utf8(bytes.to_vec()).map_err(|_| "not UTF-8".to_string())
}

/// Where the repository that begins in a directory has its `info`. In a submodule or another working tree, `.git` is a
/// file that tells.
pub fn git_directory(root: &Path) -> Option<PathBuf> {
    let git = root.join(".git");
    let metadata = fs::metadata(&git).ok()?;
    if metadata.is_dir() {
        return Some(git);
    }
    let told = |path: &Path| text(path, &fs::metadata(path).ok()?).ok();
    let directory = root.join(told(&git)?.strip_prefix("gitdir:")?.trim());
    Some(match told(&directory.join("commondir")) {
        Some(common) => directory.join(common.trim()),
        None => directory,
    })
}
