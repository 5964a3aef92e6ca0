//! Opens a file of a batch as it was found, and the destination of its result.

use std::fs;
use std::io;
use std::path::PathBuf;

use utfconv_core::StreamError;

use super::Batch;
use super::jobs::{Destination, Job, Output};
use super::not_edited::{NotEdited, SkipKind};
use super::product::{Product, Purpose};
use super::tree::{OutputPath, Tree};
use crate::files::attributes::Openness;
use crate::files::leftovers::Replaced;
use crate::files::open_directory::Access;
use crate::files::replace::FileTarget;
use crate::files::run_files;
use crate::files::source::{Opened, refuse_directory};

/// A file that is open for editing.
pub struct OpenJob<'a> {
    pub job: &'a Job,
    pub opened: Opened,
    pub output: OutputFile<'a>,
}

/// The destination of a result. The output file is created only after the input was checked.
pub struct OutputFile<'a> {
    place: Place<'a>,
    purpose: Purpose,
    /// Whether a manifest records the changes.
    is_recorded: bool,
}

#[allow(clippy::large_enum_variant)] // there is one for each thread
enum Place<'a> {
    Itself(FileTarget),
    /// A file in the directory for outputs, with at most the permissions of the input.
    Copy(&'a Tree<'a>, &'a OutputPath, Openness),
    Nowhere,
}

impl OutputFile<'_> {
    /// Adds the file to `replaced` if it is edited in place.
    pub fn note(&self, replaced: &mut Replaced) {
        if let Place::Itself(target) = &self.place {
            target.note(replaced);
        }
    }

    /// Whether the file itself is replaced.
    pub fn is_in_place(&self) -> bool {
        matches!(self.place, Place::Itself(_))
    }

    /// Returns the product that receives the new content.
    pub fn begin(self) -> io::Result<Product> {
        let OutputFile { place, purpose, is_recorded } = self;
        match place {
            Place::Itself(target) => Ok(Product::in_place(target, purpose, is_recorded)),
            Place::Copy(tree, path, limit) if purpose == Purpose::Write => tree
                .entry(path, limit)
                .and_then(|(entry, limit)| Product::new(FileTarget::like(entry, limit)?)),
            Place::Copy(..) | Place::Nowhere => Ok(Product::counted()),
        }
    }
}

impl Job {
    /// Returns the path of the output, if it differs from that of the input.
    pub fn output_path(&self, destination: &Destination) -> Option<PathBuf> {
        let Destination::Directory(directory) = destination else { return None };
        Some(directory.join(&self.output_below()?.below))
    }
}

/// Opens the file of a job. A failure to open the file is reported as a write error, because the message of a read
/// error would say that reading failed.
pub fn open<'a>(job: &'a Job, batch: &Batch, tree: Option<&'a Tree>) -> Result<OpenJob<'a>, NotEdited> {
    let (opened, place) = place(job, batch.destination, tree).map_err(StreamError::Write)?;
    if let Place::Itself(_) = place
        && run_files::is_manifest(opened.file()).map_err(StreamError::Read)?
    {
        return Err(NotEdited::manifest());
    }
    if let Some(manifest) = &batch.manifest
        && manifest.is_done(&job.key.name, &opened).map_err(StreamError::Write)?
    {
        return Err(NotEdited::skipped(SkipKind::Done, "an earlier run with this manifest has changed it"));
    }
    let output = OutputFile { place, purpose: batch.purpose(), is_recorded: batch.manifest.is_some() };
    Ok(OpenJob { job, opened, output })
}

fn place<'a>(job: &'a Job, to: &Destination, tree: Option<&'a Tree>) -> io::Result<(Opened, Place<'a>)> {
    let output = job.output.as_ref().map_err(|why| io::Error::other(why.clone()))?;
    let (opened, place) = match (output, to, tree) {
        (Output::Copy(path), _, Some(tree)) => {
            // The kind of file is checked before opening, because opening a device or a pipe may have effects.
            let metadata = fs::metadata(job.path())?;
            refuse_directory(&metadata)?;
            if !metadata.is_file() {
                return Err(io::Error::other("not a regular file"));
            }
            let opened = Opened::new(job.entry.route().entry()?.open(Access::Read)?);
            let limit = Openness::of(job.path(), opened.metadata().unwrap_or(&metadata));
            (opened, Place::Copy(tree, path, limit))
        }
        (_, Destination::InPlace(how), _) => {
            let target = FileTarget::to_convert(&job.entry.route(), how)?;
            (target.source()?, Place::Itself(target))
        }
        _ => return Ok((Opened::new(job.entry.open()?), Place::Nowhere)),
    };
    job.ensure_same(&opened)?;
    Ok((opened, place))
}
