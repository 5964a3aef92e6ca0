//! The sink of a run: standard output, a device or pipe, or a file that is replaced when all is done.

use std::ffi::OsStr;
use std::fs::Metadata;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use super::replace::{Replacement, Target};
use super::source::Input;
use super::stdio::{self, MUCH, Patient, is_fifo};

/// What standard output is called in messages.
pub const STDOUT_NAME: &str = "standard output";

/// Where the output goes.
pub struct Sink {
    file: Patient,
    /// It is a pipe, through which not much has gone.
    is_narrow: bool,
    kind: Kind,
    written: u64,
}

enum Kind {
    /// Written as the conversion goes on; what is known of it, if it is a regular file.
    Direct(Option<Metadata>),
    /// Replaced when it is complete.
    Replacement(Replacement),
}

impl Sink {
    /// Opens the file of that name, or standard output.
    pub fn open(name: Option<&OsStr>) -> io::Result<Sink> {
        let name = match name {
            None => return Sink::stdout(),
            // The stream itself, and not the file it may be redirected to, whose end others may be writing to.
            Some(name) if name == "/dev/stdout" => return Sink::stdout(),
            Some(name) => name,
        };
        match Target::find(Path::new(name))? {
            Target::Device(file) => Sink::direct(Patient(file)),
            Target::File(target) => {
                let (file, replacement) = Replacement::new(target)?;
                let kind = Kind::Replacement(replacement);
                Ok(Sink { file: Patient(file), is_narrow: false, kind, written: 0 })
            }
        }
    }

    pub fn stdout() -> io::Result<Sink> {
        Sink::direct(stdio::stdout()?)
    }

    fn direct(file: Patient) -> io::Result<Sink> {
        let metadata = file.0.metadata()?;
        let is_narrow = is_fifo(&metadata);
        let regular = Some(metadata).filter(Metadata::is_file);
        Ok(Sink { file, is_narrow, kind: Kind::Direct(regular), written: 0 })
    }

    pub fn is_terminal(&self) -> bool {
        self.file.0.is_terminal()
    }

    pub fn is_replacement(&self) -> bool {
        matches!(self.kind, Kind::Replacement(_))
    }

    /// Bytes written so far.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Whether `input` is the regular file that is written as it is read. A file that is replaced may be both.
    pub fn is_same_file(&self, input: &Input) -> bool {
        match &self.kind {
            Kind::Direct(Some(output)) => input.metadata().is_ok_and(|input| same_inode(&input, output)),
            Kind::Direct(None) | Kind::Replacement(_) => false,
        }
    }

    /// Whether a file would be left behind if the process ended here.
    pub fn has_temporary_name(&self) -> bool {
        matches!(&self.kind, Kind::Replacement(replacement) if replacement.has_name())
    }

    /// Ends the output; it is not complete before this has succeeded.
    pub fn commit(self) -> io::Result<()> {
        match self.kind {
            Kind::Direct(_) => stdio::close(self.file.0),
            Kind::Replacement(replacement) => replacement.commit(self.file.0),
        }
    }
}

impl Write for Sink {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        if self.is_narrow && from.len() >= MUCH {
            stdio::widen(&self.file.0);
            self.is_narrow = false;
        }
        let count = self.file.write(from)?;
        self.written += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(unix)]
fn same_inode(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

#[cfg(not(unix))]
fn same_inode(_: &Metadata, _: &Metadata) -> bool {
    false
}
