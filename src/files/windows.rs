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

/// Whether a file has to be closed before it can be replaced. Only Windows 10 can replace open files, and not on every
/// file system.
pub const CLOSES_TO_REPLACE: bool = true;

/// Whether the system can exchange two files.
pub const EXCHANGES: bool = false;

/// Returns the file name with these bytes; `None` if the system does not allow such names. The bytes are WTF-8, which
/// is UTF-8 with unpaired surrogates, as names on Windows may have them.
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

/// Returns `None`, because owners of files have no number on Windows.
pub fn owner(_: &Metadata) -> Option<u32> {
    None
}

/// Returns 0, a number that is never compared, because [`owner`] returns `None`.
pub fn user() -> u32 {
    0
}

/// Returns the serial number of the volume, and the number of the file on it.
pub fn identity(_: &Metadata, path: &Path) -> Option<(u64, u64)> {
    number(Handle::from_path_any(path).ok()?)
}

/// Returns the serial number of the volume of an open file, and the number of the file on it.
pub fn identity_of(file: &File, _: &Metadata) -> Option<(u64, u64)> {
    number(HandleRef::from_file(file))
}

fn number(file: impl AsHandleRef) -> Option<(u64, u64)> {
    information(file).ok().map(|found| (found.volume_serial_number(), found.file_index()))
}

/// Returns `None`, because the metadata of std cannot show whether both are of the same file.
pub fn is_same(_: &Metadata, _: &Metadata) -> Option<bool> {
    None
}

/// Returns the number of names of a file, or 1 if the file is not open.
pub fn names(_: &Metadata, file: Option<&File>) -> u64 {
    file.and_then(|file| information(HandleRef::from_file(file)).ok())
        .map_or(1, |found| found.number_of_links())
}

/// Returns true, because the system has no status change time.
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

/// Opens an input. For a directory, which the system refuses as a denied permission, returns the error that the input
/// is a directory.
pub fn open(path: &Path) -> io::Result<File> {
    File::open(path).map_err(|error| if path.is_dir() { is_directory() } else { error })
}

/// Does nothing, because a file that is open for writing already excludes other writers. A lock would also keep this
/// process from reading the file through another handle.
pub fn claim(_: &File) -> io::Result<()> {
    Ok(())
}

/// Reads from a file, or from a console, whose text std converts from UTF-16.
pub fn read(mut file: &File, into: &mut [u8]) -> io::Result<usize> {
    if file.is_terminal() { io::stdin().lock().read(into) } else { file.read(into) }
}

/// Whether a write to a closed pipe is reported as an error.
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

/// Reads at an offset, without moving the position of the file. The system moves the position, so other threads wait
/// until the position is restored.
pub fn read_at(mut file: &File, into: &mut [u8], offset: u64) -> io::Result<usize> {
    static MOVED: Mutex<()> = Mutex::new(());
    let _moved = lock(&MOVED);
    let position = file.stream_position()?;
    let read = file.seek_read(into, offset);
    file.seek(SeekFrom::Start(position))?;
    read
}

/// Returns a standard stream as a file.
pub fn cloned(stream: &impl AsHandle) -> io::Result<File> {
    Ok(stream.as_handle().try_clone_to_owned()?.into())
}

/// Returns false, because whether a pipe has data is not known on Windows.
pub fn has_data(_: &File) -> bool {
    false
}

/// Closes `file`. Windows reports errors when it writes, so closing does not fail.
#[allow(clippy::unnecessary_wraps)] // same signature as on Unix
pub fn close(file: File) -> io::Result<()> {
    drop(file);
    Ok(())
}

/// Does nothing, because on Windows the next file does not take the place of a closed stream.
pub fn reserve() {}

/// Returns a number of open files that is enough for all uses, and far below the limit of the system.
pub fn descriptors() -> u64 {
    512
}

/// Returns false, because the limit of open files is never reached.
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
