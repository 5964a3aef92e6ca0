//! Replaces every file below a directory by a file of the same content, in an order of system calls that loses no file: the
//! lower bound for the time of an in-place conversion.
//!
//! Usage: `replace_files THREADS file|batch|none DIRECTORY`. Reads each file; writes an unnamed file in the same directory;
//! syncs it (each file, up to 256 files together, or none); links it and renames it over the original; finally syncs the
//! directories. Linux only.

#[cfg(not(target_os = "linux"))]
fn main() {
    eprintln!("replace_files: only on Linux");
    std::process::exit(2);
}

#[cfg(target_os = "linux")]
fn main() -> std::io::Result<()> {
    linux::main()
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs::{self, File, OpenOptions};
    use std::io::{self, Read, Write};
    use std::os::fd::AsRawFd;
    use std::os::unix::fs::OpenOptionsExt;
    use std::path::{Path, PathBuf};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use nix::fcntl::{AT_FDCWD, AtFlags};
    use nix::libc::O_TMPFILE;

    /// Number of files that are synced together.
    const MANY: usize = 256;

    /// Collects the files and directories below a directory.
    fn walk(directory: &Path, files: &mut Vec<PathBuf>, directories: &mut Vec<PathBuf>) -> io::Result<()> {
        directories.push(directory.to_path_buf());
        for entry in fs::read_dir(directory)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                walk(&entry.path(), files, directories)?
            } else {
                files.push(entry.path())
            }
        }
        Ok(())
    }

    fn directory_of(path: &Path) -> &Path {
        path.parent().unwrap_or(Path::new("."))
    }

    /// Writes the content of a file to an unnamed file in the same directory.
    fn write(path: &Path) -> io::Result<File> {
        let mut content = Vec::new();
        OpenOptions::new().read(true).write(true).open(path)?.read_to_end(&mut content)?;
        let mut new = OpenOptions::new().write(true).custom_flags(O_TMPFILE).open(directory_of(path))?;
        new.write_all(&content)?;
        Ok(new)
    }

    /// Gives an unnamed file a temporary name, and renames it over the file at `path`.
    fn publish(new: &File, path: &Path) -> io::Result<()> {
        let name = path.file_name().unwrap_or_default().display();
        let temporary = directory_of(path).join(format!(".{name}.new"));
        let descriptor = format!("/proc/self/fd/{}", new.as_raw_fd());
        let follow = AtFlags::AT_SYMLINK_FOLLOW;
        nix::unistd::linkat(AT_FDCWD, Path::new(&descriptor), AT_FDCWD, &temporary, follow)?;
        fs::rename(temporary, path)
    }

    fn work(files: &[PathBuf], next: &AtomicUsize, sync: &str) -> io::Result<()> {
        let mut waiting: Vec<(File, &PathBuf)> = Vec::new();
        loop {
            let file = files.get(next.fetch_add(1, Ordering::Relaxed));
            if let Some(path) = file {
                let new = write(path)?;
                if sync == "file" {
                    new.sync_all()?;
                }
                waiting.push((new, path));
            }
            let is_full = sync != "batch" || waiting.len() == MANY || file.is_none();
            if let (true, Some((one, _))) = (is_full, waiting.first()) {
                if sync == "batch" {
                    nix::unistd::syncfs(one)?;
                }
                waiting.drain(..).try_for_each(|(new, path)| publish(&new, path))?;
            }
            if file.is_none() {
                return Ok(());
            }
        }
    }

    pub fn main() -> io::Result<()> {
        let args: Vec<_> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
        let [threads, sync, directory] = &args[..] else {
            return Err(io::Error::other("replace_files THREADS file|batch|none DIRECTORY"));
        };
        let threads: usize = threads.parse().map_err(io::Error::other)?;
        let (mut files, mut directories) = (Vec::new(), Vec::new());
        walk(Path::new(directory), &mut files, &mut directories)?;
        let next = AtomicUsize::new(0);
        thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(|| work(&files, &next, sync))).collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("no thread panics"))
        })?;
        match sync.as_str() {
            "none" => Ok(()),
            _ => directories.iter().try_for_each(|directory| File::open(directory)?.sync_all()),
        }
    }
}
