//! The standard streams and other open files, without buffers.
//!
//! Reads and writes go directly to the system, so an error is seen where it happens, and nothing is lost in a buffer
//! that is dropped. The handles of std are only used to find the streams.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::sync::OnceLock;

use crate::files::identity::Identity;
use crate::files::system;
use crate::ui::wait::{Direction, persist};

/// A file that waits if a non-blocking file would fail, and continues after an interruption.
pub struct Patient(pub File);

impl Read for Patient {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        persist(&self.0, Direction::In, || system::read(&self.0, into))
    }
}

impl Write for Patient {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        persist(&self.0, Direction::Out, || system::write(&self.0, from))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Enlarges the buffer of a pipe, so that its two ends wait for each other less often. Errors are ignored, because the
/// system refuses if the user's pipes already have too much memory.
pub fn widen(pipe: &File) {
    #[cfg(target_os = "linux")]
    let _ = nix::fcntl::fcntl(pipe, nix::fcntl::FcntlArg::F_SETPIPE_SZ(1 << 20));
    #[cfg(not(target_os = "linux"))]
    let _ = pipe;
}

/// Whether standard input is a file that was not read to its end. Nothing is read.
pub fn has_stdin_file() -> bool {
    let Ok(Patient(mut input)) = stdin() else { return false };
    let Ok(metadata) = input.metadata() else { return false };
    metadata.is_file() && input.stream_position().is_ok_and(|at| at < metadata.len())
}

/// Whether standard output is a file.
pub fn has_stdout_file() -> bool {
    stdout().is_ok_and(|Patient(output)| output.metadata().is_ok_and(|metadata| metadata.is_file()))
}

/// Whether standard input is a pipe from which bytes can be read now. Nothing is read.
pub fn has_piped_data() -> bool {
    let Ok(Patient(input)) = stdin() else { return false };
    input.metadata().is_ok_and(|metadata| system::is_fifo(&metadata)) && system::has_data(&input)
}

/// A read of this many bytes shows that a pipe is fast.
pub const MUCH: usize = 32 << 10;

/// Reads from an offset of a seekable file, without moving its position.
pub fn read_at(file: &File, into: &mut [u8], offset: u64) -> io::Result<usize> {
    loop {
        match system::read_at(file, into, offset) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}

/// A reader of a range of a file, independent of the file's position.
pub struct Part<'a> {
    file: &'a File,
    rest: Range<u64>,
}

impl<'a> Part<'a> {
    pub fn new(file: &'a File, range: Range<u64>) -> Part<'a> {
        Part { file, rest: range }
    }

    /// Creates a reader of the whole file.
    pub fn whole(file: &'a File) -> Part<'a> {
        Part::new(file, 0..u64::MAX)
    }
}

impl Read for Part<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let most = self.rest.end.saturating_sub(self.rest.start).min(into.len() as u64) as usize;
        let read = read_at(self.file, &mut into[..most], self.rest.start)?;
        self.rest.start += read as u64;
        Ok(read)
    }
}

/// Seeks within the range. Positions are offsets in the file.
impl Seek for Part<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.rest.end.checked_add_signed(by),
            SeekFrom::Current(by) => self.rest.start.checked_add_signed(by),
        };
        self.rest.start = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.rest.start)
    }
}

/// Reads from an offset until `into` is full or the file ends. Returns the number of bytes that were read.
pub fn fill_at(file: &File, into: &mut [u8], offset: u64) -> io::Result<usize> {
    let (filled, ended) = fill_before_error_at(file, into, offset);
    ended.map(|()| filled)
}

/// Reads from an offset until `into` is full, the file ends or an error occurs. Returns the number of bytes, and the
/// error.
pub fn fill_before_error_at(file: &File, into: &mut [u8], offset: u64) -> (usize, io::Result<()>) {
    let mut filled = 0;
    while filled < into.len() {
        match read_at(file, &mut into[filled..], offset + filled as u64) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) => return (filled, Err(error)),
        }
    }
    (filled, Ok(()))
}

/// Number of bytes that are read at a time.
const CHUNK: usize = 64 << 10;

/// Calls `take` with each chunk of a range of a file, and whether it is the last chunk, until `take` returns false.
pub fn each_chunk(
    file: &File,
    mut range: Range<u64>,
    mut take: impl FnMut(&[u8], bool) -> io::Result<bool>,
) -> io::Result<()> {
    let mut buffer = vec![0; (range.end - range.start).min(CHUNK as u64) as usize];
    loop {
        let room = (range.end - range.start).min(CHUNK as u64) as usize;
        let read = fill_at(file, &mut buffer[..room], range.start)?;
        range.start += read as u64;
        let is_last = read < room || range.start == range.end;
        if !take(&buffer[..read], is_last)? || is_last {
            return Ok(());
        }
    }
}

/// Whether all bytes of a file are ASCII.
pub fn is_ascii(file: &File) -> io::Result<bool> {
    let mut is_ascii = true;
    each_chunk(file, 0..u64::MAX, |chunk, _| {
        is_ascii = chunk.is_ascii();
        Ok(is_ascii)
    })?;
    Ok(is_ascii)
}

/// Reads `len` bytes of a file from an offset, or fewer at its end.
pub fn bytes_at(file: &File, offset: u64, len: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; len];
    let read = fill_at(file, &mut bytes, offset)?;
    bytes.truncate(read);
    Ok(bytes)
}

/// Returns standard input as a file.
pub fn stdin() -> io::Result<Patient> {
    system::cloned(&io::stdin()).map(Patient)
}

/// Returns standard output as a file.
pub fn stdout() -> io::Result<Patient> {
    system::cloned(&io::stdout()).map(Patient)
}

/// Returns the identity of the regular file that standard output writes to.
fn output() -> Option<&'static Identity> {
    static OUTPUT: OnceLock<Option<Identity>> = OnceLock::new();
    OUTPUT.get_or_init(|| identity_of_regular(&stdout().ok()?.0)).as_ref()
}

/// Returns the identity of a regular file; `None` for any other file.
pub fn identity_of_regular(file: &File) -> Option<Identity> {
    let metadata = file.metadata().ok().filter(Metadata::is_file)?;
    Identity::of_open(file, &metadata)
}

/// Whether a file is the regular file that standard output writes to.
pub fn is_output(file: impl FnOnce() -> Option<Identity>) -> bool {
    output().is_some_and(|output| file().as_ref() == Some(output))
}

/// Whether standard output writes to a regular file.
pub fn has_regular_output() -> bool {
    output().is_some()
}
