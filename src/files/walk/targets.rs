//! The targets of a walk: names, and the selection of files in directories.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::globs::Globs;
use crate::files::repository::Wanted;

/// The names that a walk starts from, and the selection of files in directories.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    /// Files and directories; `-` is standard input.
    pub paths: Vec<OsString>,
    /// Files with lists of names, each with the byte that ends an entry.
    pub lists: Vec<(OsString, u8)>,
    /// The name of standard input in messages.
    pub stdin_name: Option<OsString>,
    /// Whether hidden files are included.
    pub hidden: bool,
    /// Whether .gitignore and similar files are not read.
    pub no_ignore: bool,
    /// The patterns that select files in directories.
    pub globs: Globs,
    /// Whether directories are errors instead of being walked.
    pub refuses_directories: bool,
    /// Whether a file counts once, even if it was named several times, or both named and found in a directory.
    pub once: bool,
    /// The resolved path of a directory that is not entered.
    pub except: Option<PathBuf>,
    /// Whether symbolic links in directories are included, as links.
    pub links: bool,
    /// The filters by which configuration files exclude entries.
    pub configured: Option<Arc<dyn Excludes>>,
    /// The files of repositories that are wanted.
    pub wanted: Wanted,
}

/// Numbers of entries that a walk has left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    pub hidden: u64,
    /// Number of entries excluded by pattern files.
    pub ignored: u64,
    /// Number of symbolic links that nothing else excludes.
    pub links: u64,
    /// Number of other special files, such as pipes and devices, that nothing else excludes.
    pub special: u64,
}

impl LeftOut {
    /// Adds the numbers of another walk.
    pub fn merge(&mut self, LeftOut { hidden, ignored, links, special }: LeftOut) {
        self.hidden += hidden;
        self.ignored += ignored;
        self.links += links;
        self.special += special;
    }
}

/// Excludes entries by configuration files, which are read during the walk.
pub trait Excludes: fmt::Debug + Send + Sync {
    /// Returns the filter for the entries of a directory; `None` if nothing is excluded. `may_have` returns false for
    /// names that the directory does not have.
    fn of(&self, directory: &Path, may_have: &dyn Fn(&str) -> bool) -> Option<LeavesOut>;
}

/// Returns whether an entry of a directory is left out, given its name and whether it is a directory.
pub type LeavesOut = Arc<dyn Fn(&OsStr, bool) -> bool + Send + Sync>;

impl Targets {
    /// True if the targets name no file, directory or list.
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty() && self.lists.is_empty()
    }

    /// Returns the warning that there are no files to `work` on, with hints about the files that were left out.
    pub fn no_files(&self, work: &str, left_out: LeftOut) -> String {
        let LeftOut { hidden, ignored, .. } = left_out;
        const RELATIVE: &str =
            "; a pattern of --include that has '/' is relative to the directory that is named";
        let hints = [
            (self.globs.includes_paths(), RELATIVE),
            (hidden > 0, "; hidden files were left out, use --hidden"),
            (ignored > 0, "; ignored files were left out, use --no-ignore"),
        ];
        let hints: String = hints.iter().filter(|(is_so, _)| *is_so).map(|(_, hint)| *hint).collect();
        format!("no files found: nothing to {work}{hints}")
    }

    /// Whether the target is a single file.
    pub fn is_one_file(&self) -> bool {
        matches!(&self.paths[..], [path] if self.lists.is_empty() && !Path::new(path).is_dir())
    }
}
