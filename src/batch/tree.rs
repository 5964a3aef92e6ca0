//! The directory for outputs: determines the path of each output, and creates directories as outputs need them.
//!
//! No symbolic link in the directory for outputs is followed. A new directory gives no more access than the input
//! directory that it mirrors, and an output is not accessible to more users than its input. Existing directories keep
//! their permissions.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex};

use crate::files::attributes::Openness;
use crate::files::open_directory::{DirectoryEntry, OpenDirectory, Route};
use crate::files::replace::Durability;
use crate::ui::threads::lock;

/// The path of an output. `below` is relative to the directory for outputs, and mirrors the same path below `base`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputPath {
    pub base: PathBuf,
    pub below: PathBuf,
}

impl OutputPath {
    /// Returns the path of the output for a file that was found by `route`.
    pub fn of(route: &Route) -> OutputPath {
        match route {
            Route::Named(path) => kept(path),
            Route::Found { root, below } => {
                let OutputPath { base, below: kept } = kept(&root.path);
                OutputPath { base, below: kept.join(below) }
            }
        }
    }
}

/// Returns the part of an argument that its output keeps. A relative argument without `..` keeps its whole path, any
/// other argument its last component. `.`, `..` and `/` add nothing.
fn kept(argument: &Path) -> OutputPath {
    let is_outside =
        |component| matches!(component, Component::RootDir | Component::Prefix(_) | Component::ParentDir);
    let normal = |component| matches!(component, Component::Normal(_));
    if !argument.components().any(is_outside) {
        let below = argument.components().filter(|one| normal(*one)).collect();
        return OutputPath { base: PathBuf::new(), below };
    }
    let ends_with_dot = argument.as_os_str().as_encoded_bytes().ends_with(b"/.");
    let mut components = argument.components();
    match components.next_back() {
        Some(Component::Normal(last)) if !ends_with_dot => {
            OutputPath { base: components.as_path().to_path_buf(), below: last.into() }
        }
        _ => OutputPath { base: argument.to_path_buf(), below: PathBuf::new() },
    }
}

/// The directory for outputs, which is opened or created for the first output.
pub struct Tree<'a> {
    path: &'a Path,
    /// The permissions with which the directory is created.
    #[cfg_attr(not(unix), allow(dead_code))]
    mode: u32,
    root: Mutex<Option<Arc<OpenDirectory>>>,
    /// Held until a new directory has its permissions.
    making: Mutex<()>,
    sync: Durability,
    /// Receives the directories with new entries, which have to be synced.
    unsynced: &'a Mutex<BTreeSet<PathBuf>>,
}

impl<'a> Tree<'a> {
    /// Creates a tree at `path`. `bases` are the directories that the tree mirrors.
    pub fn new<'b>(
        path: &'a Path,
        bases: impl Iterator<Item = &'b Path>,
        sync: Durability,
        unsynced: &'a Mutex<BTreeSet<PathBuf>>,
    ) -> Tree<'a> {
        let bases: BTreeSet<_> = bases.collect();
        let modes = bases.into_iter().filter_map(|base| Some(openness_of(base).ok()?.mode()));
        let mode = modes.fold(0o777, |all, mode| all & mode) | 0o700;
        Tree { path, mode, root: Mutex::new(None), making: Mutex::new(()), sync, unsynced }
    }

    /// Creates the directories above an output. Returns the entry of the output, and the access that it may allow if
    /// its input allows `openness`.
    pub fn entry(
        &self,
        output: &OutputPath,
        #[cfg_attr(not(unix), allow(unused_mut))] mut openness: Openness,
    ) -> io::Result<(DirectoryEntry, Openness)> {
        let mut directory = self.root()?;
        let mut base = output.base.clone();
        let mut components = output.below.components();
        let name = components.next_back().map(|name| name.as_os_str().to_os_string()).unwrap_or_default();
        for component in components {
            base.push(component);
            let limit = openness_of(&base)?;
            let making = lock(&self.making);
            let is_new = directory.make(component.as_os_str(), limit.mode() | 0o700)?;
            let below = directory.below(component.as_os_str())?;
            #[cfg(unix)]
            if let Some(mode) = limit.narrowed(&below.metadata()?) {
                // Other users may have access to an existing directory, so new files in it get limited permissions.
                if is_new { below.set_mode(mode)? } else { openness = openness.within(limit) }
            }
            drop(making);
            if is_new {
                self.is_new_in(directory.path());
            }
            directory = Arc::new(below);
        }
        Ok((DirectoryEntry::new(directory, name), openness))
    }

    /// Creates a symbolic link with the same target as the link found by `route`.
    pub fn link(&self, output: &OutputPath, route: &Route) -> io::Result<()> {
        let target = route.entry()?.read_link()?;
        let (entry, _) = self.entry(output, openness_of(&output.base)?)?;
        match entry.read_link() {
            Ok(there) if there == target => return Ok(()),
            Ok(_) => entry.remove()?,
            Err(_) => {}
        }
        entry.make_link(&target)?;
        self.is_new_in(entry.directory().path());
        Ok(())
    }

    /// Returns the open directory for outputs.
    fn root(&self) -> io::Result<Arc<OpenDirectory>> {
        let mut root = lock(&self.root);
        if let Some(root) = &*root {
            return Ok(root.clone());
        }
        let all = self.path.ancestors().filter(|path| *path != Path::new(""));
        let missing: Vec<_> = all.take_while(|path| !path.exists()).collect();
        if !missing.is_empty() {
            let mut builder = fs::DirBuilder::new();
            #[cfg(unix)]
            std::os::unix::fs::DirBuilderExt::mode(&mut builder, self.mode);
            builder.recursive(true).create(self.path)?;
            missing.iter().filter_map(|path| path.parent()).for_each(|above| self.is_new_in(above));
        }
        let opened = Arc::new(OpenDirectory::open(self.path)?);
        Ok(root.insert(opened).clone())
    }

    /// Records that `directory` has a new entry, whose name has to survive a power cut.
    fn is_new_in(&self, directory: &Path) {
        if self.sync != Durability::None {
            let directory = if directory == Path::new("") { Path::new(".") } else { directory };
            lock(self.unsynced).insert(directory.to_path_buf());
        }
    }
}

fn openness_of(directory: &Path) -> io::Result<Openness> {
    let directory = if directory == Path::new("") { Path::new(".") } else { directory };
    Ok(Openness::of(directory, &fs::metadata(directory)?))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::files::open_directory::Root;

    #[test]
    fn a_relative_path_is_kept_and_any_other_from_its_last_component() {
        for (argument, base, below) in [
            ("a", "", "a"),
            ("./a/b", "", "a/b"),
            ("a//b/./c", "", "a/b/c"),
            (".", "", ""),
            ("..", "..", ""),
            ("../a", "..", "a"),
            ("a/../../b", "a/../..", "b"),
            ("../..", "../..", ""),
            ("../a/.", "../a/.", ""),
            ("/etc/a", "/etc", "a"),
            ("/", "/", ""),
        ] {
            let expected = OutputPath { base: base.into(), below: below.into() };
            assert_eq!(kept(Path::new(argument)), expected, "{argument}");
            let root = Root { path: argument.into(), identity: None };
            let found = Route::Found { root: root.into(), below: "x/y".into() };
            let expected = OutputPath { base: base.into(), below: Path::new(below).join("x/y") };
            assert_eq!(OutputPath::of(&found), expected, "{argument}");
        }
    }
}
