//! Finds the directory where git keeps its own files.

use std::fs;
use std::path::{Path, PathBuf};

use super::small_text::read;

/// Returns the directory of the repository that begins in `root`, which has its `info`. In a submodule or another working
/// tree, `.git` is a file that names it.
pub fn git_directory(root: &Path) -> Option<PathBuf> {
    let git = root.join(".git");
    let metadata = fs::metadata(&git).ok()?;
    if metadata.is_dir() {
        return Some(git);
    }
    let text = |path: &Path| read(path, &fs::metadata(path).ok()?).ok();
    let directory = root.join(text(&git)?.strip_prefix("gitdir:")?.trim());
    Some(match text(&directory.join("commondir")) {
        Some(common) => directory.join(common.trim()),
        None => directory,
    })
}
