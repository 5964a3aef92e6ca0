//! Reads a file with positioned reads and discards it, or writes it to another file: the lower bound for the time of a
//! conversion of a large file.
//!
//! Usage: `read_and_write THREADS FILE [NEW]`. The threads take the chunks in order, and each thread reads into its own
//! buffer. With NEW, each chunk is written to NEW at the same offset.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// Number of bytes read at a time.
const CHUNK: usize = 256 << 10;

/// Reads until the chunk is full or the file ends, and returns the number of bytes read.
fn read_chunk(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut len = 0;
    while len < buffer.len() {
        match file.read_at(&mut buffer[len..], offset + len as u64)? {
            0 => break,
            more => len += more,
        }
    }
    Ok(len)
}

fn work(file: &File, new: Option<&File>, next: &AtomicU64) -> io::Result<()> {
    let mut buffer = vec![0; CHUNK];
    loop {
        let offset = next.fetch_add(CHUNK as u64, Ordering::Relaxed);
        let len = read_chunk(file, &mut buffer, offset)?;
        if let Some(new) = new {
            new.write_all_at(&buffer[..len], offset)?;
        }
        if len < CHUNK {
            return Ok(());
        }
    }
}

fn main() -> io::Result<()> {
    let mut args = std::env::args_os().skip(1);
    let threads = args.next().and_then(|arg| arg.to_str()?.parse().ok());
    // `cargo bench` also runs this program, but without THREADS and FILE.
    let (Some(threads @ 1_usize..), Some(path)) = (threads, args.next()) else {
        println!("usage: read_and_write THREADS FILE [NEW]");
        return Ok(());
    };
    let file = File::open(path)?;
    let new = args.next().map(File::create).transpose()?;
    let next = AtomicU64::new(0);
    thread::scope(|scope| {
        // The current thread works too, so one thread fewer is started.
        let started: Vec<_> =
            (1..threads).map(|_| scope.spawn(|| work(&file, new.as_ref(), &next))).collect();
        let own = work(&file, new.as_ref(), &next);
        started.into_iter().map(|thread| thread.join().expect("no thread panics")).fold(own, Result::and)
    })
}
