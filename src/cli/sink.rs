//! The sink of a run: standard output, a device or pipe, or a file that is replaced when all is done.

use std::ffi::OsStr;
use std::fs::{File, Metadata};
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use super::replace::{Replacement, Target};
use super::stdio::{self, Patient};

/// What standard output is called in messages.
pub const STDOUT_NAME: &str = "standard output";

/// Where the output goes.
pub struct Sink {
    file: Patient,
    kind: Kind,
    written: u64,
}

enum Kind {
    /// Written as the conversion goes on.
    Direct(Metadata),
    /// Replaced when it is complete.
    Replacement(Replacement),
}

impl Sink {
    /// Opens the file of that name, or standard output.
    pub fn open(name: Option<&OsStr>) -> io::Result<Sink> {
        let name = match name {
            // The stream itself, and not the file it may be redirected to, whose end others may be writing to.
            None => return Sink::stdout(),
            Some(name) if name == "/dev/stdout" => return Sink::stdout(),
            Some(name) => name,
        };
        let (file, kind) = match Target::find(Path::new(name))? {
            Target::Device(file) => {
                let metadata = file.metadata()?;
                (file, Kind::Direct(metadata))
            }
            Target::File(target) => {
                let (file, replacement) = Replacement::new(target)?;
                (file, Kind::Replacement(replacement))
            }
        };
        Ok(Sink { file: Patient(file), kind, written: 0 })
    }

    pub fn stdout() -> io::Result<Sink> {
        let file = stdio::stdout()?;
        let metadata = file.0.metadata()?;
        Ok(Sink { file, kind: Kind::Direct(metadata), written: 0 })
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
    pub fn is_same_file(&self, input: &Metadata) -> bool {
        match &self.kind {
            Kind::Direct(output) => input.is_file() && output.is_file() && same_inode(input, output),
            Kind::Replacement(_) => false,
        }
    }

    /// Whether a file would be left behind if the process ended here.
    pub fn has_temporary_name(&self) -> bool {
        matches!(&self.kind, Kind::Replacement(replacement) if replacement.has_name())
    }

    /// Ends the output; it is not complete before this has succeeded.
    pub fn commit(self) -> io::Result<()> {
        let file: File = self.file.0;
        match self.kind {
            Kind::Direct(_) => stdio::close(file),
            Kind::Replacement(replacement) => replacement.commit(file),
        }
    }
}

impl Write for Sink {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
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
