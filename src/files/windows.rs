//! System functions of Windows; `unix.rs` has the same functions for Unix.

use std::ffi::OsString;
use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, IsTerminal, Read, Seek, SeekFrom, Write};
use std::os::windows::ffi::OsStringExt;
use std::os::windows::fs::FileExt;
use std::os::windows::io::AsHandle;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use winapi_util::file::information;
use winapi_util::{AsHandleRef, Handle, HandleRef};

use crate::files::source::is_directory;
use crate::ui::dialect::Dialect;
use crate::ui::exit::Exit;
use crate::ui::threads::lock;

/// Whether a file that is open cannot be replaced: only Windows 10 can do that, and not on every file system.
pub const CLOSES_TO_REPLACE: bool = true;

/// Whether the system can exchange two files.
pub const EXCHANGES: bool = false;

/// Returns the name that these bytes are; None if the system has no such names. They are WTF-8: UTF-8 with
/// surrogates that are not paired, as names of Windows may have them.
pub fn name_of(bytes: Vec<u8>) -> Option<OsString> {
    match String::from_utf8(bytes) {
        Ok(text) => Some(text.into()),
        Err(error) => wide(error.as_bytes()).map(|units| OsString::from_wide(&units)),
    }
}

/// Returns the code units of WTF-8.
fn wide(mut bytes: &[u8]) -> Option<Vec<u16>> {
    let mut units = Vec::new();
    loop {
        let valid = match str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => str::from_utf8(&bytes[..error.valid_up_to()]).ok()?,
        };
        units.extend(valid.encode_utf16());
        bytes = match &bytes[valid.len()..] {
            [] => return Some(units),
            [0xED, second @ 0xA0..=0xBF, third @ 0x80..=0xBF, rest @ ..] => {
                units.push(0xD000 | u16::from(second & 0x3F) << 6 | u16::from(third & 0x3F));
                rest
            }
            _ => return None,
        };
    }
}

/// Returns `None`: owners of files have no number on Windows.
pub fn owner(_: &Metadata) -> Option<u32> {
    None
}

/// Returns 0, a number that is never compared, because [`owner`] returns `None`.
pub fn user() -> u32 {
    0
}

/// Returns the serial number of the volume, and the number of a file on it.
pub fn identity(_: &Metadata, path: &Path) -> Option<(u64, u64)> {
    number(Handle::from_path_any(path).ok()?)
}

/// Returns the serial number of the volume of an open file, and its number there.
pub fn identity_of(file: &File, _: &Metadata) -> Option<(u64, u64)> {
    number(HandleRef::from_file(file))
}

fn number(file: impl AsHandleRef) -> Option<(u64, u64)> {
    information(file).ok().map(|found| (found.volume_serial_number(), found.file_index()))
}

/// Whether both are of the same file: the metadata of std cannot show it.
pub fn is_same(_: &Metadata, _: &Metadata) -> Option<bool> {
    None
}

/// Returns how many names a file has, as far as that is known before it is open.
pub fn names(_: &Metadata, file: Option<&File>) -> u64 {
    file.and_then(|file| information(HandleRef::from_file(file)).ok())
        .map_or(1, |found| found.number_of_links())
}

/// Whether the status of a file has not changed: the system has no time for that.
pub fn is_same_status(_: &Metadata, _: &Metadata) -> bool {
    true
}

pub fn is_executable(_: &Metadata) -> bool {
    false
}

pub fn has_set_id(_: &Metadata) -> bool {
    false
}

pub fn is_fifo(_: &Metadata) -> bool {
    false
}

/// Opens an input. A directory cannot be opened, which the system calls a denied permission.
pub fn open(path: &Path) -> io::Result<File> {
    File::open(path).map_err(|error| if path.is_dir() { is_directory() } else { error })
}

/// A file that is open for writing is closed to other writers already. A lock would also keep this process from reading
/// the file by another handle.
pub fn claim(_: &File) -> io::Result<()> {
    Ok(())
}

/// Reads from a file, or from a console, whose text std converts from UTF-16.
pub fn read(mut file: &File, into: &mut [u8]) -> io::Result<usize> {
    if file.is_terminal() { io::stdin().lock().read(into) } else { file.read(into) }
}

/// Whether the closed end of a pipe is an error to report.
static REPORTS_CLOSED_PIPES: AtomicBool = AtomicBool::new(false);

/// Makes a write to a closed pipe fail, so that the process does not end without a message.
pub fn report_closed_pipes() {
    REPORTS_CLOSED_PIPES.store(true, Ordering::Relaxed);
}

fn is_closed_pipe(error: &io::Error) -> bool {
    const ERROR_PIPE_NOT_CONNECTED: i32 = 233;
    error.kind() == ErrorKind::BrokenPipe || error.raw_os_error() == Some(ERROR_PIPE_NOT_CONNECTED)
}

/// Writes to a file, or to a console, for which std converts the text to UTF-16.
pub fn write(mut file: &File, from: &[u8]) -> io::Result<usize> {
    if !file.is_terminal() {
        return match file.write(from) {
            Err(error) if is_closed_pipe(&error) && !REPORTS_CLOSED_PIPES.load(Ordering::Relaxed) => {
                std::process::exit(Exit::Failure.status(Dialect::Utfconv))
            }
            written => written,
        };
    }
    let mut console = io::stdout().lock();
    let count = console.write(from)?;
    console.flush()?;
    Ok(count)
}

/// Reads at an offset. The position of the file stays, although the system moves it: other threads wait until it is back.
pub fn read_at(mut file: &File, into: &mut [u8], offset: u64) -> io::Result<usize> {
    static MOVED: Mutex<()> = Mutex::new(());
    let _moved = lock(&MOVED);
    let position = file.stream_position()?;
    let read = file.seek_read(into, offset);
    file.seek(SeekFrom::Start(position))?;
    read
}

/// A standard stream as a file.
pub fn cloned(stream: &impl AsHandle) -> io::Result<File> {
    Ok(stream.as_handle().try_clone_to_owned()?.into())
}

/// Whether bytes can be read from a pipe now, which is not known here.
pub fn has_data(_: &File) -> bool {
    false
}

/// Closes `file`. The system reports errors when it writes.
#[allow(clippy::unnecessary_wraps)] // as on Unix
pub fn close(file: File) -> io::Result<()> {
    drop(file);
    Ok(())
}

/// Here a stream that was closed is not replaced by the next file.
pub fn reserve() {}

/// Returns how many files may be open at once: enough for what is done with them, and far below the limit of the system.
pub fn descriptors() -> u64 {
    512
}

/// Whether so many files are open that no other can be.
pub fn is_want_of_descriptors(_: &io::Error) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_need_not_be_unicode() {
        let units = [0x61, 0xD800, 0xE4, 0xD83D, 0xDE00, 0xDC00];
        let name = OsString::from_wide(&units);
        assert_eq!(name_of(name.as_encoded_bytes().to_vec()), Some(name));
        assert_eq!(name_of(b"a\xFF".to_vec()), None);
        assert_eq!(name_of(b"\xED\xA0".to_vec()), None);
    }
}
