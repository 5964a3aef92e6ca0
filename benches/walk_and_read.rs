//! Walks directories and reads every file: the lower bound for the time of a check of a tree.
//!
//! Usage: `walk_and_read THREADS DIRECTORY...`. Prints the number of files and bytes read. The threads share a stack of
//! directories, and each thread reads into its own buffer. Symbolic links are not followed.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::{Condvar, Mutex};
use std::thread;

/// Number of bytes read at a time.
const BUFFER: usize = 128 << 10;

/// Directories that are not read yet, shared by the threads.
#[derive(Default)]
struct Stack {
    waiting: Vec<PathBuf>,
    /// Number of threads that are reading a directory, so they may find more directories.
    busy: usize,
}

/// Numbers of files and bytes read.
#[derive(Default)]
struct Sums {
    files: u64,
    bytes: u64,
}

/// Waits for a directory and returns it; `None` if no thread can find another directory.
fn next(stack: &Mutex<Stack>, changed: &Condvar) -> Option<PathBuf> {
    let stack = stack.lock().expect("no thread panics");
    let mut stack = changed
        .wait_while(stack, |stack| stack.waiting.is_empty() && stack.busy > 0)
        .expect("no thread panics");
    let directory = stack.waiting.pop()?;
    stack.busy += 1;
    Some(directory)
}

/// Reads the files of a directory; returns its subdirectories.
fn read(directory: PathBuf, buffer: &mut [u8], sums: &mut Sums) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            found.push(entry.path());
        } else if kind.is_file() {
            let mut file = File::open(entry.path())?;
            sums.files += 1;
            loop {
                match file.read(buffer)? {
                    0 => break,
                    len => sums.bytes += len as u64,
                }
            }
        }
    }
    Ok(found)
}

fn work(stack: &Mutex<Stack>, changed: &Condvar) -> io::Result<Sums> {
    let mut buffer = vec![0; BUFFER];
    let mut sums = Sums::default();
    while let Some(directory) = next(stack, changed) {
        let found = read(directory, &mut buffer, &mut sums);
        let mut stack = stack.lock().expect("no thread panics");
        stack.busy -= 1;
        // On an error, wake the other threads first, because this thread finds no more directories.
        let found = found.inspect_err(|_| changed.notify_all())?;
        stack.waiting.extend(found);
        changed.notify_all();
    }
    Ok(sums)
}

fn main() -> io::Result<()> {
    let mut args = std::env::args_os().skip(1);
    let threads = args.next().and_then(|arg| arg.to_str()?.parse().ok());
    // `cargo bench` also runs this program, but without THREADS and DIRECTORY.
    let (Some(threads @ 1_usize..), true) = (threads, args.len() > 0) else {
        println!("usage: walk_and_read THREADS DIRECTORY...");
        return Ok(());
    };
    let stack = Mutex::new(Stack { waiting: args.map(PathBuf::from).collect(), busy: 0 });
    let changed = Condvar::new();
    let all: io::Result<Vec<Sums>> = thread::scope(|scope| {
        let started: Vec<_> = (0..threads).map(|_| scope.spawn(|| work(&stack, &changed))).collect();
        started.into_iter().map(|thread| thread.join().expect("no thread panics")).collect()
    });
    let all = all?;
    println!(
        "{} files, {} bytes",
        all.iter().map(|sums| sums.files).sum::<u64>(),
        all.iter().map(|sums| sums.bytes).sum::<u64>()
    );
    Ok(())
}
