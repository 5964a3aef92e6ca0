//! Opens directories below a root by their bare names, one after the other, without following links.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::files::open_directory::OpenDirectory;

/// A directory, and those below it that were opened last.
pub struct Descent {
    root: Arc<OpenDirectory>,
    /// The way down to the last one.
    open: Vec<(OsString, Arc<OpenDirectory>)>,
}

/// How many directories are held open at a time: deeper ones are opened again, as a process may have few files.
const MOST_OPEN: usize = 8;

impl Descent {
    /// Opens the root. Links in its path are followed.
    pub fn new(root: &Path) -> io::Result<Descent> {
        Ok(Descent { root: OpenDirectory::open(root)?.into(), open: Vec::new() })
    }

    pub fn root(&self) -> &Arc<OpenDirectory> {
        &self.root
    }

    /// Opens the directory of these names.
    pub fn open(&mut self, names: &[OsString]) -> io::Result<Arc<OpenDirectory>> {
        let common = self.open.iter().zip(names).take_while(|((open, _), name)| open == *name).count();
        self.open.truncate(common);
        let mut directory = self.open.last().map_or(&self.root, |(_, directory)| directory).clone();
        for name in &names[common..] {
            directory = Arc::new(directory.below(name)?);
            if self.open.len() < MOST_OPEN {
                self.open.push((name.clone(), directory.clone()));
            }
        }
        Ok(directory)
    }
}
