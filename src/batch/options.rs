//! Options of a batch: how new files are synced, and which records are written.

use std::ffi::OsString;
use std::path::Path;

use super::failed::{Failed, FailedPlan};
use super::jobs::is_same_name;
use super::manifest::Manifest;
use super::{Batch, Destination, Mode};
use crate::files::identity::Identity;
use crate::files::replace::Durability;
use crate::ui::quote::quoted;

/// The options that all commands with batches share.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BatchOptions {
    /// When new files are synced; `None` means each file separately.
    pub sync: Option<Durability>,
    /// The manifest, which records all changes so that they can be undone.
    pub manifest: Option<OsString>,
    /// The file for the names of the files that are not edited.
    pub failed: Option<FailedPlan>,
    /// The number of threads; `None` means one per processor.
    pub threads: Option<usize>,
    /// True if the first file that fails ends the run.
    pub stops: bool,
}

impl BatchOptions {
    /// Returns the files that the run writes besides its outputs.
    pub fn reserved(&self) -> Vec<&Path> {
        let failed = self.failed.as_ref().map(|plan| &plan.file);
        self.manifest.iter().chain(failed).map(Path::new).collect()
    }

    /// Creates a batch of `command`, and opens its manifest.
    ///
    /// # Errors
    /// Fails with a message if a record cannot be written, or if another command wrote the manifest.
    pub fn batch<'a>(
        &self,
        destination: &'a Destination,
        mode: Mode,
        command: &str,
    ) -> Result<Batch<'a>, String> {
        if let [manifest, failed] = self.reserved()[..]
            && is_same_file(manifest, failed)
        {
            let name = quoted(manifest);
            return Err(format!("{name}: cannot be both the manifest and the list of failures"));
        }
        // The manifest is opened last, because opening creates the manifest.
        let failed = self.failed.clone().map(Failed::new).transpose()?;
        let manifest = self.manifest.as_deref().map(|name| Manifest::open(name, command)).transpose()?;
        let sync = self.sync.unwrap_or_default();
        Ok(Batch { destination, sync, mode, threads: self.threads, stops: self.stops, manifest, failed })
    }
}

/// Whether two paths lead to the same file, or will after the run.
pub(super) fn is_same_file(one: &Path, other: &Path) -> bool {
    let id = Identity::of(one);
    is_same_name(one, other) || id.is_some() && id == Identity::of(other)
}
