//! The targets of a walk: names, and which files in directories count.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::globs::Globs;
use crate::files::repository::Wanted;

/// Where names come from, and which files in directories count.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    /// Files and directories; `-` is standard input.
    pub paths: Vec<OsString>,
    /// Lists of names, in files: the name of the list, and the byte that ends an entry.
    pub lists: Vec<(OsString, u8)>,
    /// The name of standard input in the notes.
    pub stdin_name: Option<OsString>,
    /// Hidden files count too.
    pub hidden: bool,
    /// .gitignore and similar files are not read.
    pub no_ignore: bool,
    /// Which files in directories count.
    pub globs: Globs,
    /// Directories are errors, and not walked.
    pub refuses_directories: bool,
    /// A file or directory counts once, even if it was named several times, or named and found in a directory.
    pub once: bool,
    /// A directory that is not entered, by its resolved path.
    pub except: Option<PathBuf>,
    /// Symbolic links in directories count too, as links.
    pub links: bool,
    /// The excludes of configuration files.
    pub configured: Option<Arc<dyn Excludes>>,
    /// Which files of repositories count, if not all.
    pub wanted: Wanted,
}

/// The numbers of entries that a walk has left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    pub hidden: u64,
    /// By pattern files.
    pub ignored: u64,
    /// Symbolic links that nothing else excludes.
    pub links: u64,
    /// Neither files nor directories nor links, likewise.
    pub special: u64,
}

impl LeftOut {
    /// Adds those of another walk.
    pub fn merge(&mut self, LeftOut { hidden, ignored, links, special }: LeftOut) {
        self.hidden += hidden;
        self.ignored += ignored;
        self.links += links;
        self.special += special;
    }
}

/// Leaves out entries that configuration files exclude; they are read during the walk.
pub trait Excludes: fmt::Debug + Send + Sync {
    /// For what is in a directory; None if all of it counts. `may_have` knows which names it does not have.
    fn of(&self, directory: &Path, may_have: &dyn Fn(&str) -> bool) -> Option<LeavesOut>;
}

/// Whether a name in a directory is left out, which may be that of a directory.
pub type LeavesOut = Arc<dyn Fn(&OsStr, bool) -> bool + Send + Sync>;

impl Targets {
    /// Whether nothing was named.
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty() && self.lists.is_empty()
    }

    /// Returns the warning that there are no files to `work` on, but others that were left out.
    pub fn no_files(&self, work: &str, left_out: LeftOut) -> String {
        let LeftOut { hidden, ignored, .. } = left_out;
        let hints = [
            (
                self.globs.includes_paths(),
                "; a pattern of --include that has '/' is relative to the directory that is named",
            ),
            (hidden > 0, "; hidden files were left out, use --hidden"),
            (ignored > 0, "; ignored files were left out, use --no-ignore"),
        ];
        let hints: String = hints.iter().filter(|(is_so, _)| *is_so).map(|(_, hint)| *hint).collect();
        format!("no files found: nothing to {work}{hints}")
    }

    /// Whether this is one file and no directory.
    pub fn is_one_file(&self) -> bool {
        match &self.paths[..] {
            [path] => self.lists.is_empty() && !Path::new(path).is_dir(),
            _ => false,
        }
    }
}
