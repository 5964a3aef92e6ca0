//! Decides on all idle processors whether a large file is well-formed UTF-8.
//!
//! If the file is ill-formed, or if the answer is uncertain, the checker reads the file again from the start and finds
//! the errors.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread;

use utfconv_core::utf8_well_formed_up_to;

use crate::files::stdio::{fill_at, read_at};
use crate::ui::threads::processors;
use utfconv_core::utf8::{is_continuation, is_cut_sequence};

/// Number of threads that may be started now; not set before the first use.
pub struct Spare(OnceLock<AtomicUsize>);

impl Spare {
    pub fn new(threads: usize) -> Spare {
        Spare(AtomicUsize::new(threads).into())
    }

    /// Creates a counter with a thread for each other processor. The number of processors is looked up only when
    /// needed, because that takes longer than checking a small file.
    pub fn others() -> Spare {
        Spare(OnceLock::new())
    }

    /// Takes all threads, which have to be given back.
    fn take(&self) -> usize {
        self.0.get_or_init(|| AtomicUsize::new(processors() - 1)).swap(0, Ordering::Relaxed)
    }

    pub fn give(&self, threads: usize) {
        if let Some(spare) = self.0.get() {
            spare.fetch_add(threads, Ordering::Relaxed);
        }
    }
}

/// Minimum length in bytes of a file for which other threads are started.
pub const LARGE: u64 = 8 << 20;

/// True if a byte range of `file` is well-formed UTF-8; false if the answer is uncertain. The range has whole
/// sequences, and ends with the file if `is_last`. This thread, and `spare` threads for at least `large` bytes, read
/// chunks of about the length of `buffer`. `passed` counts bytes as they are read.
pub fn is_well_formed(
    file: &File,
    range: Range<u64>,
    is_last: bool,
    buffer: &mut [u8],
    spare: &Spare,
    large: u64,
    passed: &AtomicU64,
) -> bool {
    let chunk = (buffer.len() - BEFORE) as u64;
    let next = AtomicU64::new(range.start);
    let read = AtomicU64::new(0);
    let doubtful = AtomicBool::new(false);
    // Each thread takes chunks until there are no more.
    let work = |buffer: &mut [u8]| {
        while !doubtful.load(Ordering::Relaxed) {
            let start = next.fetch_add(chunk, Ordering::Relaxed);
            if start >= range.end {
                break;
            }
            let end = range.end.min(start + chunk);
            let before = (start - range.start).min(BEFORE as u64);
            let is_well_formed =
                is_chunk_well_formed(file, start - before..end, before as usize, end == range.end, buffer);
            // The checker reports read errors, because ill-formed bytes may come before them.
            if !is_well_formed.unwrap_or(false) {
                doubtful.store(true, Ordering::Relaxed);
            }
            read.fetch_add(end - start, Ordering::Relaxed);
            passed.fetch_add(end - start, Ordering::Relaxed);
        }
    };
    let helpers = if range.end.saturating_sub(range.start) >= large { spare.take() } else { 0 };
    let size = buffer.len();
    thread::scope(|scope| {
        for _ in 0..helpers {
            // If no thread can be started, this thread does all the work.
            if thread::Builder::new().spawn_scoped(scope, || work(&mut vec![0; size])).is_err() {
                break;
            }
        }
        work(buffer);
    });
    spare.give(helpers);
    // A file that has grown meanwhile is read again.
    let has_grown = is_last && !read_at(file, &mut buffer[..1], range.end).is_ok_and(|count| count == 0);
    let is_well_formed = !doubtful.into_inner() && !has_grown;
    if !is_well_formed {
        passed.fetch_sub(read.into_inner(), Ordering::Relaxed);
    }
    is_well_formed
}

/// Maximum number of bytes before a chunk that may belong to its first sequence.
const BEFORE: usize = 3;

/// Whether the sequences in a byte range are well-formed. A sequence that the end of the range cuts is checked with the
/// next chunk. The first `before` bytes only provide the start of a sequence that continues after them.
fn is_chunk_well_formed(
    file: &File,
    range: Range<u64>,
    before: usize,
    is_last: bool,
    buffer: &mut [u8],
) -> io::Result<bool> {
    let bytes = &mut buffer[..(range.end - range.start) as usize];
    if fill_at(file, bytes, range.start)? < bytes.len() {
        return Ok(false);
    }
    // Start at the lead byte of a sequence that crosses the start of the chunk.
    let lead = bytes[..before].iter().rposition(|byte| !is_continuation(*byte));
    let from = lead.filter(|at| bytes[*at] >= 0xC0).unwrap_or(before);
    let bytes = &bytes[from..];
    let rest = &bytes[utf8_well_formed_up_to(bytes)..];
    Ok(rest.is_empty() || !is_last && is_cut_sequence(rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    /// The result equals that of std for every length of chunks, with one thread and with several.
    #[test]
    fn chunks_agree_with_the_whole() {
        let texts: [&[u8]; 14] = [
            "aé日😀\n".as_bytes(),
            "日本語日本語日本語日本語".as_bytes(),
            "😀😀😀😀😀😀".as_bytes(),
            b"plain ASCII and nothing else",
            b"ab\x80cd",
            b"\xE6\x97\xA5\x80\x80",
            b"\xF0\x9F\x98\x80\x80",
            b"\xE6\x97\xE6\x97\xA5",
            b"\xE6\x97",
            b"ab\xF0\x9F\x98",
            b"\x80\x80\x80\x80\x80\x80",
            b"\xED\xA0\xBD\xED\xB8\x80",
            b"\xC3\xA9\xC3\xA9\xC3\xA9\xC3",
            b"\xC3\xC3\xA9\xF4\x90\x80\x80",
        ];
        let mut file = tempfile::tempfile().expect("a temporary file");
        let mut count = 0;
        for one in texts {
            for other in texts {
                let whole = [one, other].concat();
                file.set_len(0).expect("empties");
                std::io::Seek::rewind(&mut file).expect("rewinds");
                file.write_all(&whole).expect("writes");
                for chunk in 1..=whole.len() + 1 {
                    let mut buffer = vec![0; chunk + BEFORE];
                    let passed = AtomicU64::new(0);
                    let spare = Spare::new(chunk % 3);
                    let is_whole =
                        is_well_formed(&file, 0..whole.len() as u64, true, &mut buffer, &spare, 1, &passed);
                    assert_eq!(is_whole, std::str::from_utf8(&whole).is_ok(), "{chunk} {whole:02X?}");
                    assert_eq!(spare.take(), chunk % 3);
                    count += 1;
                }
            }
        }
        assert!(count > 1000);
    }

    #[test]
    fn a_file_of_another_length_is_not_certain() {
        let mut file = tempfile::tempfile().expect("a temporary file");
        file.write_all(b"abcdef").expect("writes");
        for len in [5, 7] {
            let mut buffer = vec![0; 64];
            let is_whole =
                is_well_formed(&file, 0..len, true, &mut buffer, &Spare::new(0), 1, &AtomicU64::new(0));
            assert!(!is_whole, "{len}");
        }
    }
}
