//! Descends to directories below a root and ascends again, by their bare names and without following links.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::files::identity::Identity;
use crate::files::open_directory::OpenDirectory;

/// A directory below a root, and the directories on the way to it.
pub struct Descent {
    root: Arc<OpenDirectory>,
    levels: Vec<Level>,
}

struct Level {
    name: OsString,
    identity: Identity,
    /// The open directory; `None` if it was closed meanwhile. The last directory is open.
    opened: Option<Arc<OpenDirectory>>,
}

/// Maximum number of directories held open, because a process may have few files. Directories above them are opened
/// again when needed.
const MOST_OPEN: usize = 8;

impl Descent {
    /// Opens the root. Links in its path are followed.
    pub fn new(root: &Path) -> io::Result<Descent> {
        Ok(Descent { root: OpenDirectory::open(root)?.into(), levels: Vec::new() })
    }

    pub fn root(&self) -> &Arc<OpenDirectory> {
        &self.root
    }

    /// Returns the current directory.
    pub fn here(&self) -> &Arc<OpenDirectory> {
        self.levels.last().and_then(|level| level.opened.as_ref()).unwrap_or(&self.root)
    }

    /// Descends to a subdirectory of the current directory.
    pub fn down(&mut self, name: &OsStr) -> io::Result<()> {
        let directory = self.here().below(name)?;
        let identity = directory.identity()?;
        self.levels.push(Level { name: name.to_os_string(), identity, opened: Some(directory.into()) });
        if let Some(number) = self.levels.len().checked_sub(MOST_OPEN + 1) {
            self.levels[number].opened = None;
        }
        Ok(())
    }

    /// Ascends to the parent directory. If this fails, the root becomes the current directory.
    pub fn up(&mut self) -> io::Result<()> {
        let Some(left) = self.levels.pop() else { return Ok(()) };
        let Some(level) = self.levels.last_mut().filter(|level| level.opened.is_none()) else {
            return Ok(());
        };
        let above = left.opened.as_ref().and_then(|left| left.above().ok());
        level.opened = above.filter(|above| is(above, &level.identity)).map(Arc::new);
        match level.opened {
            Some(_) => Ok(()),
            None => self.down_again().inspect_err(|_| self.levels.clear()),
        }
    }

    /// Reopens every directory from the root down, because a directory on the way was moved.
    fn down_again(&mut self) -> io::Result<()> {
        for level in std::mem::take(&mut self.levels) {
            self.down(&level.name)?;
            if !is(self.here(), &level.identity) {
                return Err(io::Error::other("was replaced by another directory"));
            }
        }
        Ok(())
    }

    /// Makes the directory with the path `names` below the root the current directory, and returns it.
    pub fn open(&mut self, names: &[OsString]) -> io::Result<Arc<OpenDirectory>> {
        let common = self.levels.iter().zip(names).take_while(|(level, name)| level.name == **name).count();
        while self.levels.len() > common {
            self.up()?;
        }
        for name in &names[common..] {
            self.down(name)?;
        }
        Ok(self.here().clone())
    }
}

fn is(directory: &OpenDirectory, identity: &Identity) -> bool {
    directory.identity().is_ok_and(|found| found == *identity)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const DEPTH: usize = 3 * MOST_OPEN;

    fn path(root: &Path, depth: usize) -> std::path::PathBuf {
        root.join(vec!["a"; depth].join("/"))
    }

    fn tree() -> (tempfile::TempDir, Descent) {
        let dir = tempfile::tempdir().expect("a temporary directory");
        fs::create_dir_all(path(dir.path(), DEPTH)).expect("makes");
        let mut descent = Descent::new(dir.path()).expect("opens");
        for _ in 0..DEPTH {
            descent.down(OsStr::new("a")).expect("is there");
        }
        (dir, descent)
    }

    #[test]
    fn few_directories_are_held_open() {
        let (_dir, descent) = tree();
        assert_eq!(descent.levels.iter().filter(|level| level.opened.is_some()).count(), MOST_OPEN);
    }

    #[test]
    fn the_way_up_is_the_way_down() {
        let (_dir, mut descent) = tree();
        let mut identities: Vec<_> = descent.levels.iter().map(|level| level.identity.clone()).collect();
        while let Some(identity) = identities.pop() {
            assert!(is(descent.here(), &identity));
            descent.up().expect("goes up");
        }
        assert!(Arc::ptr_eq(descent.here(), descent.root()));
    }

    /// Unix only, because other systems refuse to move a directory that is open.
    #[cfg(unix)]
    #[test]
    fn no_directory_is_taken_for_another() {
        let (dir, mut descent) = tree();
        // A directory on the way is moved, so the directories above it are reopened from the root.
        let moved = path(dir.path(), DEPTH - MOST_OPEN + 1);
        fs::rename(&moved, dir.path().join("b")).expect("moves");
        for _ in 0..MOST_OPEN {
            descent.up().expect("goes up");
        }
        assert_eq!(descent.here().identity().ok(), Identity::of(moved.parent().expect("one")));
        // A directory on the way is replaced by another directory.
        let moved = path(dir.path(), DEPTH - 2 * MOST_OPEN + 1);
        fs::rename(&moved, dir.path().join("c")).expect("moves");
        fs::rename(dir.path().join("a"), dir.path().join("d")).expect("moves");
        fs::create_dir_all(&moved).expect("makes");
        let outcomes: Vec<_> = (0..DEPTH).map(|_| descent.up().is_ok()).collect();
        assert_eq!(outcomes.iter().position(|is_up| !is_up), Some(MOST_OPEN - 1));
        assert!(Arc::ptr_eq(descent.here(), descent.root()));
    }
}
