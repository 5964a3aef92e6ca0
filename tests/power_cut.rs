//! Tests that after a power cut a file has entirely its old or its new content, and the new content once the program
//! has reported success.
//!
//! The files are on a disk image that is mounted with options under which names may reach the disk before content, so
//! that the kernel hides no missing sync. A copy of the image is the disk after a power cut. When the copy is mounted,
//! the journal is replayed.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::Duration;

use crate::harness::{UTFCONV, has, is_root, sh, skip, unmount};

/// Time after which the journal, which is committed every second, is on disk. The data of a file may be missing.
const COMMITTED: Duration = Duration::from_millis(1300);

/// A mounted disk image with a file system.
struct Disk {
    dir: tempfile::TempDir,
}

/// A file to convert or create.
struct Job {
    name: String,
    /// `None` if the file does not exist before.
    old: Option<Vec<u8>>,
    new: Vec<u8>,
    /// Whether the program has reported success.
    is_done: bool,
}

impl Disk {
    /// Creates a disk; `None`, with a message, if the system does not allow it.
    fn new() -> Option<Disk> {
        if !is_root() || !has("mke2fs") || !has("mount") {
            return None;
        }
        let dir = tempfile::tempdir().expect("a temporary directory");
        let make = "truncate -s 24M disk && mke2fs -q -t ext4 disk && mkdir live after";
        sh(dir.path(), make).expect(0, "", "");
        let mount = "mount -o loop,data=writeback,noauto_da_alloc,commit=1 disk live";
        let mounted = sh(dir.path(), mount);
        if mounted.status != 0 {
            skip("the right to mount an image");
            return None;
        }
        Some(Disk { dir })
    }

    fn live(&self) -> PathBuf {
        self.dir.path().join("live")
    }

    /// Writes the old files and syncs them.
    fn put(&self, jobs: &[Job]) {
        for job in jobs {
            if let Some(old) = &job.old {
                fs::write(self.live().join(&job.name), old).expect("writes");
            }
        }
        sh(&self.live(), "sync -f .").expect(0, "", "");
    }

    /// Asserts that no file is lost if the power is cut now.
    #[track_caller]
    fn cut(&self, jobs: &[Job], moment: &str) {
        let read = || fs::read(self.dir.path().join("disk")).expect("reads");
        // Read the image until two reads are equal, because a copy of a changing image would be inconsistent.
        let mut image = read();
        for again in std::iter::repeat_with(read) {
            if again == image {
                break;
            }
            image = again;
        }
        fs::write(self.dir.path().join("copy"), image).expect("writes");
        sh(self.dir.path(), "mount -o loop copy after").expect(0, "", "");
        let found: Vec<_> =
            jobs.iter().map(|job| fs::read(self.dir.path().join("after").join(&job.name)).ok()).collect();
        unmount(self.dir.path(), "after");
        let mut new = 0;
        for (job, found) in jobs.iter().zip(found) {
            let is_new = found.as_ref() == Some(&job.new);
            new += usize::from(is_new);
            let is_sound = is_new || !job.is_done && found == job.old;
            let found = found.map(|content| content.len());
            assert!(is_sound, "{moment}: {}: done: {}, there are {found:?} bytes", job.name, job.is_done);
        }
        println!("{moment}: {new} of {} are new", jobs.len());
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        sh(self.dir.path(), "umount -l after 2>/dev/null; umount -l live");
    }
}

/// Returns jobs with files of different sizes, up to some hundred blocks.
fn jobs(prefix: &str, count: usize, is_there: bool) -> Vec<Job> {
    let job = |number: usize| {
        let lines = if number % 50 == 7 { 20_000 } else { 1 + number * number % 900 };
        let text = format!("na\u{EF}ve caf\u{E9} {number}\n").repeat(lines);
        let latin1 = text.chars().map(|scalar| scalar as u8).collect();
        let old = is_there.then_some(latin1);
        Job { name: format!("{prefix}{number:03}"), old, new: text.into_bytes(), is_done: false }
    };
    (0..count).map(job).collect()
}

fn start(dir: &Path, jobs: &[Job]) -> Child {
    Command::new(UTFCONV)
        .args(["-i", "-f", "windows-1252", "-t", "UTF-8"])
        .args(jobs.iter().map(|job| &job.name))
        .current_dir(dir)
        .spawn()
        .expect("runs")
}

fn signal(child: &Child, name: &str) {
    sh(Path::new("/"), &format!("kill -{name} {}", child.id()));
}

#[test]
fn many_files_in_one_run() {
    let Some(disk) = Disk::new() else { return };
    let mut jobs = jobs("f", 300, true);
    disk.put(&jobs);
    let mut run = start(&disk.live(), &jobs);
    for number in [20, 150, 270] {
        let job = &jobs[number];
        while fs::read(disk.live().join(&job.name)).expect("is there") != job.new
            && run.try_wait().expect("is a child").is_none()
        {}
        signal(&run, "STOP");
        let moment = format!("behind file {number}");
        disk.cut(&jobs, &moment);
        sleep(COMMITTED);
        disk.cut(&jobs, &moment);
        signal(&run, "CONT");
    }
    assert!(run.wait().expect("ends").success());
    jobs.iter_mut().for_each(|job| job.is_done = true);
    disk.cut(&jobs, "at once");
    sleep(COMMITTED);
    disk.cut(&jobs, "later");
}

#[test]
fn one_file_a_run() {
    let Some(disk) = Disk::new() else { return };
    // Files converted in place, new output files, and existing output files. The sources of outputs are synced first.
    let mut all = jobs("in-place", 24, true);
    all.extend(jobs("new", 24, false));
    all.extend(jobs("replaced", 24, true));
    let sources: Vec<_> = jobs("source", 24, true)
        .into_iter()
        .map(|job| Job { new: job.old.clone().unwrap(), ..job })
        .collect();
    disk.put(&all);
    disk.put(&sources);
    for number in 0..24 {
        for (kind, script) in [
            (0, "$U -i -f windows-1252 -t UTF-8 NAME"),
            (1, "$U -f windows-1252 -t UTF-8 -o NAME SOURCE"),
            (2, "$U -f windows-1252 -t UTF-8 -o NAME SOURCE"),
        ] {
            let job = &mut all[24 * kind + number];
            let script = script.replace("NAME", &job.name).replace("SOURCE", &sources[number].name);
            sh(&disk.live(), &script).expect(0, "", "");
            job.is_done = true;
            if (number + kind) % 12 == 0 {
                disk.cut(&all, &format!("behind {script}"));
            }
        }
        if number == 15 {
            sleep(COMMITTED);
            disk.cut(&all, "later");
        }
    }
    disk.cut(&all, "at the end");
}
