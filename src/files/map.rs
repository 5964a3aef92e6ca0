//! Memory-mapped sources.
//!
//! A page of a map vanishes when another process truncates the file, and touching it then raises SIGBUS. The handler
//! here ends the process with a message and status 2, as for any source that cannot be read. Nothing can be cleaned up
//! at that point, so nothing is mapped while a temporary file has a name (see `run`).

use std::fs::File;
use std::io::{self, Cursor, Seek};

use memmap2::Mmap;

/// Maps `file`, which is `len` bytes long, from its current offset on; `name` is for the message if it shrinks.
pub fn open(mut file: &File, len: u64, name: &str) -> io::Result<Cursor<Mmap>> {
    let offset = file.stream_position()?.min(len);
    let length = usize::try_from(len - offset).map_err(|_| io::ErrorKind::FileTooLarge)?;
    // SAFETY: the map is read as plain bytes, and all values are valid. Rust promises nothing if another process
    // changes the file at the same time. No `str` is made of the bytes, and kernels move only within slices whose
    // bounds are checked. So the worst result is output that mixes old and new text, or is ill-formed. Pages may also
    // be taken away, which the handler below handles.
    let map = unsafe { memmap2::MmapOptions::new().offset(offset).len(length).map(file)? };
    // As after reading: reading from here on finds the end.
    file.seek(io::SeekFrom::Start(len))?;
    #[cfg(unix)]
    on_lost_page::install(&map, name);
    #[cfg(not(unix))]
    let _ = name;
    Ok(Cursor::new(map))
}

#[cfg(unix)]
mod on_lost_page {
    use std::ops::Range;
    use std::sync::atomic::{AtomicPtr, Ordering};

    use memmap2::Mmap;
    use nix::libc;
    use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};

    use crate::ui::dialect::Dialect;
    use crate::ui::exit::Exit;

    /// The map in use, and what its loss means.
    struct Lost {
        addresses: Range<usize>,
        text: String,
    }

    static LOST: AtomicPtr<Lost> = AtomicPtr::new(std::ptr::null_mut());

    /// Has a lost page of `map`, the only one in use, end the process with a message about `name`.
    pub fn install(map: &Mmap, name: &str) {
        let start = map.as_ptr() as usize;
        // The last page of a map reaches beyond the file.
        let addresses = start..(start + map.len()).next_multiple_of(1 << 16);
        let text =
            format!("utfconv: {name}: read error: the file was truncated while it was read (--mmap)\n");
        // The handler may need it at any time: it is never freed.
        LOST.store(Box::leak(Box::new(Lost { addresses, text })), Ordering::SeqCst);
        let action = SigAction::new(SigHandler::SigAction(handle), SaFlags::SA_SIGINFO, SigSet::empty());
        // SAFETY: the handler calls only what is safe in one: an atomic, write, signal, _exit.
        let _ = unsafe { sigaction(Signal::SIGBUS, &action) };
    }

    extern "C" fn handle(_: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
        // SAFETY: the system passes a valid siginfo, whose si_addr is set for SIGBUS. What LOST points to is valid for
        // ever, and was set before the handler.
        unsafe {
            let Lost { addresses, text } = &*LOST.load(Ordering::SeqCst);
            if !addresses.contains(&((*info).si_addr() as usize)) {
                // Some other fault: without a handler, the same instruction raises it again.
                libc::signal(libc::SIGBUS, libc::SIG_DFL);
                return;
            }
            libc::write(2, text.as_ptr().cast(), text.len());
            // iconv maps nothing.
            libc::_exit(Exit::Failure.status(Dialect::Utfconv));
        }
    }
}
