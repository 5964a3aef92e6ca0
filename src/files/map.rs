//! Memory-mapped sources.
//!
//! If another process truncates a mapped file, access to its lost pages raises SIGBUS. The handler ends the process
//! with a message and status 2, as for any source that cannot be read. A signal handler cannot clean up, so no file is
//! mapped while a temporary file has a name (see `run`).

use std::fs::File;
use std::io::{self, Cursor, Seek};

use memmap2::Mmap;

/// Maps `file`, which is `len` bytes long, from its current offset on. `name` is for the message if the file shrinks.
pub fn open(mut file: &File, len: u64, name: &str) -> io::Result<Cursor<Mmap>> {
    let offset = file.stream_position()?.min(len);
    let length = usize::try_from(len - offset).map_err(|_| io::ErrorKind::FileTooLarge)?;
    // SAFETY: the map is read as plain bytes, and all values are valid. Rust promises nothing if another process
    // changes the file at the same time. No `str` is made of the bytes, and kernels access only slices whose bounds are
    // checked, so the worst result is output that mixes old and new text or is ill-formed. The handler below handles
    // pages that are lost.
    let map = unsafe { memmap2::MmapOptions::new().offset(offset).len(length).map(file)? };
    // Seek to the end, as if the file had been read.
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

    /// The map in use, and the message for its loss.
    struct Lost {
        addresses: Range<usize>,
        text: String,
    }

    static LOST: AtomicPtr<Lost> = AtomicPtr::new(std::ptr::null_mut());

    /// Installs a handler that ends the process with a message about `name` if a page of `map` is lost. `map` has to be
    /// the only map.
    pub fn install(map: &Mmap, name: &str) {
        let start = map.as_ptr() as usize;
        // The last page of a map extends beyond the file.
        let addresses = start..(start + map.len()).next_multiple_of(1 << 16);
        let text =
            format!("utfconv: {name}: read error: the file was truncated while it was read (--mmap)\n");
        // The message is never freed, because the handler may need it at any time.
        LOST.store(Box::leak(Box::new(Lost { addresses, text })), Ordering::SeqCst);
        let action = SigAction::new(SigHandler::SigAction(handle), SaFlags::SA_SIGINFO, SigSet::empty());
        // SAFETY: the handler calls only async-signal-safe functions (write, signal, _exit) and reads an atomic.
        let _ = unsafe { sigaction(Signal::SIGBUS, &action) };
    }

    extern "C" fn handle(_: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
        // SAFETY: the system passes a valid siginfo, whose si_addr is set for SIGBUS. LOST points to a value that is
        // never freed and was set before the handler was installed.
        unsafe {
            let Lost { addresses, text } = &*LOST.load(Ordering::SeqCst);
            if !addresses.contains(&((*info).si_addr() as usize)) {
                // The fault is unrelated to the map. Without a handler, the same instruction raises it again and ends
                // the process.
                libc::signal(libc::SIGBUS, libc::SIG_DFL);
                return;
            }
            libc::write(2, text.as_ptr().cast(), text.len());
            // The dialect is always that of utfconv, because iconv maps no files.
            libc::_exit(Exit::Failure.status(Dialect::Utfconv));
        }
    }
}
