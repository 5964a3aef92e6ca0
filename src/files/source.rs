//! The sources of a run: its inputs, opened one at a time.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io::{self, BufRead, ErrorKind, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

use crate::files::identity::Identity;
use crate::files::map;
use crate::files::stdio::{self, MUCH, Patient};
use crate::files::system;
use crate::ui::quote::quoted;

/// Whether input files are memory-mapped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mapping {
    #[default]
    /// Map files if that is faster, which is currently never.
    Auto,
    /// Map every regular file that is not empty and can be mapped.
    Always,
    Never,
}

/// An input as named by the user.
pub struct Input(OsString);

impl Input {
    pub fn new(name: OsString) -> Input {
        Input(name)
    }

    pub fn stdin() -> Input {
        Input("-".into())
    }

    pub fn is_stdin(&self) -> bool {
        self.0 == OsStr::new("-")
    }

    /// Returns the name of the input in messages.
    pub fn shown(&self) -> String {
        quoted(&self.0)
    }

    /// Returns the metadata of the input without opening it.
    pub fn metadata(&self) -> io::Result<Metadata> {
        if self.is_stdin() { stdio::stdin()?.0.metadata() } else { std::fs::metadata(&self.0) }
    }

    /// Returns the identity of the file.
    pub fn identity(&self) -> Option<Identity> {
        if !self.is_stdin() {
            return Identity::of(Path::new(&self.0));
        }
        Opened::new(stdio::stdin().ok()?.0).identity()
    }

    /// Whether the input is the regular file that standard output writes to.
    pub fn is_output(&self) -> bool {
        stdio::is_output(|| self.identity())
    }

    /// Fails unless the file is regular. Does not open the file, because opening a pipe may wait forever.
    pub fn ensure_regular(&self) -> io::Result<()> {
        ensure_regular(&self.metadata()?)
    }

    /// Opens the input to read ranges of it. Fails unless the file is regular.
    pub fn open_regular(&self) -> io::Result<Opened> {
        self.ensure_regular()?;
        self.open()
    }

    /// Opens the input. Fails for a directory, for which the system would fail only at the first read.
    pub fn open(&self) -> io::Result<Opened> {
        if self.is_stdin() {
            return Ok(Opened::new(stdio::stdin()?.0));
        }
        let opened = Opened::new(system::open(Path::new(&self.0))?);
        opened.metadata.as_ref().map_or(Ok(()), refuse_directory)?;
        Ok(opened)
    }

    /// Returns the name of the input as given.
    pub fn name(&self) -> &OsStr {
        &self.0
    }
}

/// Fails if the file is a directory.
pub fn refuse_directory(metadata: &Metadata) -> io::Result<()> {
    if metadata.is_dir() { Err(is_directory()) } else { Ok(()) }
}

/// Returns the error for a directory where a file is expected.
pub fn is_directory() -> io::Error {
    io::Error::new(ErrorKind::IsADirectory, "Is a directory")
}

/// Fails unless the file is regular, as ranges require.
pub fn ensure_regular(metadata: &Metadata) -> io::Result<()> {
    let why = "not a regular file; ranges require a regular file";
    if metadata.is_file() { Ok(()) } else { Err(io::Error::other(why)) }
}

/// An open input.
pub struct Opened {
    file: File,
    /// The metadata of the input; `None` for consoles and pipes on Windows.
    metadata: Option<Metadata>,
    /// Bytes that were read ahead.
    ahead: Vec<u8>,
    /// The offset at which reading ends, if that is not the end of the file.
    end: Option<u64>,
}

impl Opened {
    pub fn new(file: File) -> Opened {
        let metadata = file.metadata().ok();
        Opened { file, metadata, ahead: Vec::new(), end: None }
    }

    /// Limits reading to a byte range of a regular file.
    pub fn narrow(&mut self, range: Range<u64>) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(range.start))?;
        self.end = Some(range.end);
        Ok(())
    }

    /// Whether reading ends at an offset instead of the end of the file.
    pub fn is_narrowed(&self) -> bool {
        self.end.is_some()
    }

    /// Returns the bytes of a single read, at most `most`, of an input that can be read only once. Later reads return
    /// the bytes again. Unlike [`Opened::look_ahead`], this does not wait for more bytes than the first read returns.
    pub fn peek(&mut self, most: usize) -> io::Result<&[u8]> {
        if self.ahead.is_empty() {
            self.ahead.resize(most, 0);
            let read = self.file.try_clone().and_then(|file| Patient(file).read(&mut self.ahead));
            self.ahead.truncate(*read.as_ref().unwrap_or(&0));
            read?;
        }
        Ok(&self.ahead)
    }

    /// Returns the first bytes, at most `most`, of an input that can be read only once. Later reads return the bytes
    /// again.
    pub fn look_ahead(&mut self, most: usize) -> io::Result<&[u8]> {
        let mut file = Patient(self.file.try_clone()?);
        file.by_ref().take((most - self.ahead.len()) as u64).read_to_end(&mut self.ahead)?;
        Ok(&self.ahead)
    }

    pub fn into_file(self) -> File {
        self.file
    }

    pub fn file(&self) -> &File {
        &self.file
    }

    /// Returns the metadata of the input; `None` for a stream without metadata.
    pub fn metadata(&self) -> Option<&Metadata> {
        self.metadata.as_ref()
    }

    /// Returns the identity of the file.
    pub fn identity(&self) -> Option<Identity> {
        Identity::of_open(&self.file, self.metadata.as_ref()?)
    }

    /// Returns the length of a regular file in bytes.
    pub fn len(&self) -> Option<u64> {
        self.metadata.as_ref().filter(|metadata| metadata.is_file()).map(Metadata::len)
    }

    /// Returns the rest of a regular file as a byte range; `None` for an input that can only be read in order.
    pub fn range(&self) -> Option<Range<u64>> {
        let len = self.len()?;
        let start = (&self.file).stream_position().ok()?;
        // Files of /proc report a length of 0.
        let end = self.end.unwrap_or(len);
        (start < end).then_some(start..end)
    }

    /// Returns a reader of the bytes, mapped or in chunks of at most `buffer_size`.
    pub fn reader(mut self, mapping: Mapping, buffer_size: usize, name: &str) -> Box<dyn BufRead> {
        if self.end.is_some() {
            let len = self.range().map_or(0, |range| range.end - range.start);
            self.end = None;
            return Box::new(self.reader(mapping, buffer_size, name).take(len));
        }
        // Files of /proc report a length of 0; those of /sys cannot be mapped.
        if mapping == Mapping::Always
            && let Some(len @ 1..) = self.len()
            && let Ok(mapped) = map::open(&self.file, len, name)
        {
            return Box::new(mapped);
        }
        let end = self.ahead.len();
        let buffer = match end {
            0 => vec![0; buffer_size],
            _ => [self.ahead, vec![0; buffer_size]].concat(),
        };
        Box::new(Buffered {
            is_narrow: self.metadata.as_ref().is_some_and(system::is_fifo),
            file: Patient(self.file),
            buffer,
            start: 0,
            end,
            ended: false,
        })
    }
}

/// A file that is read in chunks.
///
/// The buffer is not cleared before the first read, unlike that of `std::io::BufReader`, because clearing would cost
/// time on a small file.
struct Buffered {
    file: Patient,
    /// Whether the file is a pipe whose buffer was not enlarged yet.
    is_narrow: bool,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// Whether the end was reached. On a terminal, a further read would wait for more input.
    ended: bool,
}

impl Read for Buffered {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(into)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Buffered {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.start == self.end && !self.ended {
            (self.start, self.end) = (0, self.file.read(&mut self.buffer)?);
            self.ended = self.end == 0;
            if self.is_narrow && self.end >= MUCH {
                stdio::widen(&self.file.0);
                self.is_narrow = false;
            }
        }
        Ok(&self.buffer[self.start..self.end])
    }

    fn consume(&mut self, count: usize) {
        self.start += count;
    }
}
