//! The sink of a run: standard output, a device or pipe, or a file that is replaced when the output is complete.

use std::ffi::OsStr;
use std::fs::{File, Metadata};
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use crate::files::identity::Identity;
use crate::files::leftovers::Replaced;
use crate::files::replace::{OutputTarget, Replacement};
use crate::files::source::Input;
use crate::files::stdio::{self, MUCH, Patient, bytes_at};
use crate::files::system;
use crate::ui::stderr::note_shown;

/// The name of standard output in messages.
pub const STDOUT_NAME: &str = "standard output";

/// Maximum number of bytes that are compared at a time.
const WINDOW: usize = 64 << 10;

/// Number of bytes that are enough to recognize a BOM.
const HEAD: usize = 4;

/// The output of a run, with its destination.
pub struct Sink {
    /// Whether the output is a pipe whose buffer was not enlarged yet.
    is_narrow: bool,
    is_terminal: bool,
    kind: SinkKind,
    written: u64,
}

#[allow(clippy::large_enum_variant)] // a run has only one sink
enum SinkKind {
    /// Output that is written during the conversion, with its identity if it is a regular file.
    Direct(Patient, Option<Identity>),
    /// A file that is replaced when the output is complete.
    Replacement(Replacement),
    /// Output that is only counted.
    Counted,
    /// Output that is counted, and compared with a file, if there is one. The first bytes are kept.
    Compared { file: Option<File>, head: Vec<u8> },
}

impl Sink {
    /// Opens the file of that name, or standard output.
    pub fn open(name: Option<&OsStr>) -> io::Result<Sink> {
        // `/dev/stdout` means the stream itself, because the stream may be redirected to a file to whose end other
        // processes write.
        let Some(name) = name.filter(|name| *name != "/dev/stdout") else {
            return Sink::stdout();
        };
        match OutputTarget::find(Path::new(name))? {
            OutputTarget::Device(file) => Ok(Sink::direct(Patient(file))),
            OutputTarget::File(target) => {
                let kind = SinkKind::Replacement(Replacement::new(target)?);
                Ok(Sink { is_narrow: false, is_terminal: false, kind, written: 0 })
            }
        }
    }

    pub fn stdout() -> io::Result<Sink> {
        stdio::stdout().map(Sink::direct)
    }

    /// Creates a sink that discards its bytes.
    pub fn counted() -> Sink {
        Sink { is_narrow: false, is_terminal: false, kind: SinkKind::Counted, written: 0 }
    }

    /// Creates a sink that writes nothing, and compares its content with that of `file`.
    pub fn compared(file: Option<File>) -> Sink {
        let kind = SinkKind::Compared { file, head: Vec::new() };
        Sink { is_narrow: false, is_terminal: false, kind, written: 0 }
    }

    /// Returns the first bytes that were written to a compared sink.
    pub fn head(&self) -> &[u8] {
        if let SinkKind::Compared { head, .. } = &self.kind { head } else { &[] }
    }

    /// True if the content that was written so far equals the start of the file with which it is compared.
    pub fn is_same(&self) -> bool {
        matches!(&self.kind, SinkKind::Compared { file: Some(_), .. })
    }

    fn direct(file: Patient) -> Sink {
        // Windows has no metadata of consoles and pipes.
        let metadata = file.0.metadata().ok();
        let is_narrow = metadata.as_ref().is_some_and(system::is_fifo);
        let is_terminal =
            metadata.as_ref().is_none_or(|metadata| !metadata.is_file()) && file.0.is_terminal();
        let regular =
            metadata.filter(Metadata::is_file).and_then(|metadata| Identity::of_open(&file.0, &metadata));
        Sink { is_narrow, is_terminal, kind: SinkKind::Direct(file, regular), written: 0 }
    }

    pub fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    pub fn is_replacement(&self) -> bool {
        matches!(self.kind, SinkKind::Replacement(..))
    }

    /// Returns the file that the output replaces, if it is also an input.
    pub fn replaced_input(&self) -> Replaced {
        let mut replaced = Replaced::default();
        if let SinkKind::Replacement(replacement) = &self.kind {
            replacement.target().note(&mut replaced);
        }
        replaced
    }

    /// Returns the number of bytes written so far.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Records that the output is made from `input` too.
    pub fn add_input(&mut self, input: &Input) {
        if let SinkKind::Replacement(replacement) = &mut self.kind
            && let Some(input) = input.identity()
        {
            replacement.add_input(input);
        }
    }

    /// Whether `input` is the file that the output replaces.
    pub fn replaces(&self, input: &Input) -> bool {
        let SinkKind::Replacement(replacement) = &self.kind else { return false };
        input.identity().is_some_and(|input| replacement.replaces(&input))
    }

    /// Whether `input` is the regular file that is written while it is read. A file that is replaced may be an input.
    pub fn is_same_file(&self, input: &Input) -> bool {
        matches!(&self.kind, SinkKind::Direct(_, Some(output)) if input.identity().as_ref() == Some(output))
    }

    /// Whether a temporary file would remain if the process ended now.
    pub fn has_temporary_name(&self) -> bool {
        matches!(&self.kind, SinkKind::Replacement(replacement) if replacement.has_name())
    }

    /// Completes the output. The output is not complete before this succeeds.
    pub fn commit(self) -> io::Result<()> {
        match self.kind {
            SinkKind::Direct(file, _) => system::close(file.0),
            SinkKind::Replacement(replacement) => replacement.commit(),
            SinkKind::Counted | SinkKind::Compared { .. } => Ok(()),
        }
    }
}

impl Write for Sink {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        let count = match &mut self.kind {
            SinkKind::Direct(file, _) => {
                if self.is_narrow && from.len() >= MUCH {
                    stdio::widen(&file.0);
                    self.is_narrow = false;
                }
                let count = file.write(from)?;
                if self.is_terminal {
                    note_shown(&from[..count]);
                }
                count
            }
            SinkKind::Replacement(replacement) => replacement.write(from)?,
            SinkKind::Counted => from.len(),
            SinkKind::Compared { file, head } => {
                let part = &from[..from.len().min(WINDOW)];
                head.extend(&part[..part.len().min(HEAD - head.len())]);
                if let Some(old) = file
                    && bytes_at(old, self.written, part.len())? != part
                {
                    *file = None;
                }
                part.len()
            }
        };
        self.written += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
