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
    // SAFETY: the map is read as plain bytes, of which no value is invalid. A file that another process changes at
    // the same time is outside of what Rust promises; no `str` is made of the bytes, and what a kernel finds in them
    // moves it only within slices whose bounds are checked, so that the worst is output that mixes old and new, or is
    // ill-formed. Pages may also be taken away, which the handler below answers.
    let map = unsafe { memmap2::MmapOptions::new().offset(offset).len(length).map(file)? };
    // As after reading: whoever reads on from here finds the end.
    file.seek(io::SeekFrom::Start(len))?;
    #[cfg(unix)]
    on_lost_page::install(&map, name);
    #[cfg(not(unix))]
    let _ = name;
    Ok(Cursor::new(map))
}

#[cfg(unix)]
mod on_lost_page {
    use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

    use memmap2::Mmap;
    use nix::libc;
    use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};

    use crate::ui::exit::Exit;
    use crate::ui::personality::Personality;

    static MAP_START: AtomicUsize = AtomicUsize::new(0);
    static MAP_END: AtomicUsize = AtomicUsize::new(0);
    static TEXT: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());
    static TEXT_LEN: AtomicUsize = AtomicUsize::new(0);

    /// Has a lost page of `map`, the only one in use, end the process with a message about `name`.
    pub fn install(map: &Mmap, name: &str) {
        let start = map.as_ptr() as usize;
        let text =
            format!("utfconv: {name}: read error: the file was truncated while it was read (--mmap)\n");
        TEXT_LEN.store(text.len(), Ordering::SeqCst);
        // The handler may need the text at any time: it is never freed.
        TEXT.store(Box::leak(text.into_boxed_str()).as_mut_ptr(), Ordering::SeqCst);
        MAP_START.store(start, Ordering::SeqCst);
        MAP_END.store(start + map.len(), Ordering::SeqCst);
        let action = SigAction::new(SigHandler::SigAction(handle), SaFlags::SA_SIGINFO, SigSet::empty());
        // SAFETY: the handler calls only what is safe in one: atomics, write, signal, _exit.
        let _ = unsafe { sigaction(Signal::SIGBUS, &action) };
    }

    extern "C" fn handle(_: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
        // SAFETY: the system passes a valid siginfo, whose si_addr is set for SIGBUS. The text is valid for ever, and
        // set before the handler was.
        unsafe {
            let address = (*info).si_addr() as usize;
            // The last page of a map reaches beyond the file.
            let end = MAP_END.load(Ordering::SeqCst).next_multiple_of(1 << 16);
            if !(MAP_START.load(Ordering::SeqCst)..end).contains(&address) {
                // Some other fault: without a handler, the same instruction raises it again.
                libc::signal(libc::SIGBUS, libc::SIG_DFL);
                return;
            }
            let (text, len) = (TEXT.load(Ordering::SeqCst), TEXT_LEN.load(Ordering::SeqCst));
            libc::write(2, text.cast(), len);
            // iconv maps nothing.
            libc::_exit(Exit::Failure.status(Personality::Utfconv));
        }
    }
}
