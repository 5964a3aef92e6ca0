//! Finds files of git: the directory of a repository, and the user's list of excluded files.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::{env, fs};

use super::small_text::{bytes_of, read};

/// Returns the git directory of the repository at `root`, which contains `info`. In a submodule or an additional
/// working tree, `.git` is a file that names the directory.
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

/// Returns the file that `core.excludesFile` names, or its default. Files that a configuration includes are not read.
pub fn excludes_file() -> Option<PathBuf> {
    let variable = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = env::home_dir();
    let below_home = |name| Some(home.as_ref()?.join(name));
    let settings = variable("XDG_CONFIG_HOME").or_else(|| below_home(".config"));
    let files = [
        variable("GIT_CONFIG_GLOBAL"),
        below_home(".gitconfig"),
        settings.as_ref().map(|settings| settings.join("git/config")),
        variable("GIT_CONFIG_SYSTEM").or_else(|| Some("/etc/gitconfig".into())),
    ];
    let files = files.into_iter().flatten().filter(|file| file.is_file());
    let mut values = files.filter_map(|file| excludes_of(&bytes_of(File::open(file).ok()?).ok()?));
    let Some(value) = values.next() else { return settings.map(|settings| settings.join("git/ignore")) };
    Some(value.replace('~', &home.as_ref().map_or("~".into(), |home| home.to_string_lossy())).into())
}

/// Returns the value of `excludesFile` in a configuration of git.
fn excludes_of(configuration: &[u8]) -> Option<String> {
    const KEY: &[u8] = b"excludesfile";
    let value = |line: &[u8]| {
        let (key, value) = line.trim_ascii_start().split_at_checked(KEY.len())?;
        let value = value.trim_ascii().strip_prefix(b"=")?.trim_ascii();
        let value = value.strip_prefix(b"\"").unwrap_or(value);
        let value = value.strip_suffix(b"\"").unwrap_or(value).trim_ascii();
        let is_value = key.eq_ignore_ascii_case(KEY) && !value.is_empty() && !value.contains(&b' ');
        String::from_utf8(value.to_vec()).ok().filter(|_| is_value)
    };
    configuration.split(|byte| *byte == b'\n').find_map(value)
}
