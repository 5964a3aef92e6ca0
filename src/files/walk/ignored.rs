//! Entries that a walk leaves out: hidden files, and files excluded by the command line or by a pattern file. Pattern
//! files are `.ignore`, `.gitignore`, `info/exclude` of a repository, and the user's own excludes.
//!
//! A pattern file takes precedence over those in directories above it, and `.ignore` over all pattern files of git.
//! Pattern files of git count only in a repository, up to its root. The crate `ignore`, with whose walk the tests
//! compare, has the same order.

use std::collections::HashSet;
use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Notes;
use super::globs::Globs;
use super::targets::{Excludes, LeavesOut, Targets};
use crate::files::git::{excludes_file, git_directory};
use crate::files::patterns::{Decision, Patterns};
use crate::files::repository::Listing as Index;

/// Settings for all directories of a walk.
#[derive(Debug)]
pub struct Filters {
    /// Whether hidden files are included.
    hidden: bool,
    /// The user's excludes; `None` if pattern files are not used.
    global: Option<Patterns>,
    globs: Globs,
    configured: Option<Arc<dyn Excludes>>,
    /// A directory that is not entered.
    except: Option<PathBuf>,
    /// The files and directories named by the user.
    named: Arc<HashSet<PathBuf>>,
    /// Whether symbolic links are included.
    links: bool,
}

impl Filters {
    pub fn new(targets: &Targets, named: Arc<HashSet<PathBuf>>) -> Filters {
        let Targets { hidden, no_ignore, globs, except, configured, links, .. } = targets.clone();
        // Errors in the user's excludes are not reported, because they do not concern the files of the run.
        let global = (!no_ignore).then(|| match (excludes_file(), env::current_dir()) {
            (Some(file), Ok(root)) if file.is_file() => Patterns::read(&root, &file, &mut |_| {}),
            _ => Patterns::default(),
        });
        Filters { hidden, global, globs, configured, except, named, links }
    }
}

/// Why an entry is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The entry is hidden, and nothing else excludes it.
    Hidden,
    /// A pattern file excludes the entry.
    Ignored,
    Other,
}

/// The filters of a directory.
#[derive(Clone)]
pub struct Ignored {
    filters: Arc<Filters>,
    /// The absolute name of the directory.
    directory: PathBuf,
    /// The name of the directory relative to the start of the walk.
    below: PathBuf,
    rules: Option<Arc<Rules>>,
    /// Returns whether configuration files exclude an entry of this directory.
    configured: Option<LeavesOut>,
    /// The files of the repository that are wanted; `None` if all files are.
    listing: Option<Arc<Index>>,
}

/// The patterns of a directory, and those of its ancestors. A directory without patterns shares those of its parent.
#[derive(Debug)]
struct Rules {
    above: Option<Arc<Rules>>,
    ignore: Patterns,
    gitignore: Patterns,
    exclude: Patterns,
    /// Whether a repository begins here, so that pattern files of git above it have no effect.
    begins_repository: bool,
    is_in_repository: bool,
}

impl Ignored {
    /// Creates the filters of the directory where a walk begins, with the patterns of its ancestors.
    pub fn above(
        root: &Path,
        filters: Arc<Filters>,
        listing: Option<Arc<Index>>,
        notes: &mut Notes,
    ) -> Ignored {
        // If the absolute name is unknown, so are the ancestors.
        let directory = root.canonicalize().unwrap_or_default();
        let below = PathBuf::new();
        let mut ignored =
            Ignored { filters, directory: PathBuf::new(), below, rules: None, configured: None, listing };
        let above: Vec<_> = directory.ancestors().skip(1).collect();
        for above in above.into_iter().rev() {
            ignored.directory = above.to_path_buf();
            ignored.read(above, |_| true, notes);
        }
        Ignored { directory, ..ignored }
    }

    /// Creates the filters of a subdirectory.
    pub fn below(&self, name: &OsStr) -> Ignored {
        let (directory, below) = (self.directory.join(name), self.below.join(name));
        let (filters, rules, listing) = (self.filters.clone(), self.rules.clone(), self.listing.clone());
        Ignored { filters, directory, below, rules, configured: None, listing }
    }

    /// Whether symbolic links are included.
    pub fn takes_links(&self) -> bool {
        self.filters.links
    }

    /// Whether this directory or one of its ancestors is not to be entered.
    pub fn is_excepted(&self) -> bool {
        self.filters.except.as_ref().is_some_and(|except| self.directory.starts_with(except))
    }

    /// Reads the pattern files of the directory. `path` is the name of the directory in messages; `may_have` returns
    /// false for files that the directory does not have.
    pub fn read(&mut self, path: &Path, may_have: impl Fn(&str) -> bool, notes: &mut Notes) {
        let configured = self.filters.configured.as_ref();
        self.configured = configured.and_then(|configured| configured.of(path, &may_have));
        if self.filters.global.is_none() {
            return;
        }
        let git = may_have(".git") && path.join(".git").exists();
        let begins_repository = git || may_have(".jj") && path.join(".jj").exists();
        let mut of = |file: Option<PathBuf>| match file {
            // Test before opening, because most directories have no file of patterns.
            Some(file) if file.is_file() => {
                Patterns::read(&self.directory, &file, &mut |error| notes.warn(&error))
            }
            _ => Patterns::default(),
        };
        let [ignore, gitignore] =
            [".ignore", ".gitignore"].map(|name| of(may_have(name).then(|| path.join(name))));
        let exclude = of(git.then(|| git_directory(path)).flatten().map(|git| git.join("info/exclude")));
        if begins_repository || [&ignore, &gitignore, &exclude].iter().any(|patterns| !patterns.is_empty()) {
            let above = self.rules.take();
            let is_in_repository =
                begins_repository || above.as_ref().is_some_and(|above| above.is_in_repository);
            let rules = Rules { above, ignore, gitignore, exclude, begins_repository, is_in_repository };
            self.rules = Some(Arc::new(rules));
        }
    }

    /// Returns why an entry of that name is left out; `None` if the entry is not left out.
    pub fn leaves_out(&self, name: &OsStr, is_directory: bool) -> Option<Why> {
        let matched = match (&self.rules, &self.filters.global) {
            (Some(rules), Some(global)) => rules.matched(&self.directory.join(name), is_directory, global),
            _ => None,
        };
        match matched {
            // `.git` is left out whatever the patterns say.
            _ if name == ".git" => Some(Why::Other),
            _ if is_directory && self.excepts(name) || self.is_named(name) => Some(Why::Other),
            _ if self.filters.globs.leave_out(&self.below, name, is_directory) => Some(Why::Other),
            _ if self.is_unlisted(name, is_directory) => Some(Why::Other),
            _ if self.configured.as_ref().is_some_and(|leaves_out| leaves_out(name, is_directory)) => {
                Some(Why::Other)
            }
            Some(Decision::Match) => Some(Why::Ignored),
            Some(Decision::Except) => None,
            None if self.filters.hidden => None,
            None => name.as_encoded_bytes().starts_with(b".").then_some(Why::Hidden),
        }
    }

    fn is_unlisted(&self, name: &OsStr, is_directory: bool) -> bool {
        let listing = self.listing.as_ref();
        listing.is_some_and(|listing| !listing.has(&self.directory.join(name), is_directory))
    }

    fn is_named(&self, name: &OsStr) -> bool {
        let named = &self.filters.named;
        !named.is_empty() && named.contains(&self.directory.join(name))
    }

    fn excepts(&self, name: &OsStr) -> bool {
        self.filters.except.as_ref().is_some_and(|except| *except == self.directory.join(name))
    }
}

impl Rules {
    fn matched(&self, path: &Path, is_directory: bool, global: &Patterns) -> Option<Decision> {
        let of = |patterns: &Patterns| patterns.decide(path, is_directory);
        let (mut ignore, mut gitignore, mut exclude) = (None, None, None);
        let mut is_gits = self.is_in_repository;
        let all = std::iter::successors(Some(self), |rules| rules.above.as_deref());
        for rules in all {
            ignore = ignore.or_else(|| of(&rules.ignore));
            if is_gits {
                gitignore = gitignore.or_else(|| of(&rules.gitignore));
                exclude = exclude.or_else(|| of(&rules.exclude));
            }
            is_gits &= !rules.begins_repository;
        }
        let global = || of(global).filter(|_| self.is_in_repository);
        ignore.or(gitignore).or(exclude).or_else(global)
    }
}
