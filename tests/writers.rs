//! Tests of failures while files are changed, for every command that changes files: each file has entirely its old or
//! its new content, whatever happens.
//!
//! A command is a row of [`WRITERS`]. `UTFCONV_KILLS` sets how often each command is killed, at most 500 times.
#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Instant;

use crate::exchanged_directories::race;
use crate::harness::{commands, dir_in_memory, dir_with, has, pause, rounds, sh, sh_midway, skip};

/// A command that changes all files of the directory `t`.
struct Writer {
    command: &'static str,
    /// Script that runs before the command, when the files are written.
    before: &'static str,
    old: fn(&str) -> Vec<u8>,
    new: fn(&str) -> Vec<u8>,
    /// Command that undoes the changes with a manifest; empty if there is no manifest.
    undo: &'static str,
}

const IN_PLACE: Writer = Writer {
    command: "-s -r -i -f latin1 -j2 t",
    before: "",
    old: |name| [b"caf\xE9 ", name.as_bytes(), b"\n"].concat(),
    new: |name| format!("café {name}\n").into_bytes(),
    undo: "",
};

const REPAIR: Writer = Writer {
    command: "repair -i -j2 t",
    old: |name| format!("Un cafÃ© et un thÃ© {name}.\nâ€œOuiâ€\u{9D}, dit-elle\n").into_bytes(),
    new: |name| format!("Un café et un thé {name}.\n“Oui”, dit-elle\n").into_bytes(),
    ..IN_PLACE
};

const FIX: Writer = Writer {
    command: "check -q --fix --rule mixed-newlines -j2 t",
    old: |name| format!("café {name}\r\nb\nc\n").into_bytes(),
    new: |name| format!("café {name}\nb\nc\n").into_bytes(),
    ..IN_PLACE
};

const EDIT: Writer = Writer {
    command: "edit -f latin1 t/* -- sed -i 's/f\u{e9}/f\u{ea}/'",
    new: |name| [b"caf\xEA ", name.as_bytes(), b"\n"].concat(),
    ..IN_PLACE
};

const WRITERS: &[Writer] = &[
    IN_PLACE,
    Writer { command: "-s -r -i -f latin1 --sync=batch -j2 t", ..IN_PLACE },
    Writer { command: "-s -r -i -f latin1 --sync=none -j2 t", ..IN_PLACE },
    Writer { command: "-s -r -i -f latin1 --manifest=M t", undo: "--undo M", ..IN_PLACE },
    REPAIR,
    Writer { command: "repair -i --manifest=M t", undo: "repair --undo M", ..REPAIR },
    FIX,
    Writer { command: "check -q --fix --rule mixed-newlines --manifest=M t", undo: "check --undo M", ..FIX },
    EDIT,
    Writer {
        command: "--undo M",
        before: "$U -s -r -i -f latin1 --manifest=M t",
        old: IN_PLACE.new,
        new: IN_PLACE.old,
        undo: "",
    },
];

impl Writer {
    /// Creates `files` old files in a directory.
    fn make(&self, at: &Path, directory: &str, files: usize) {
        sh(at, &format!("rm -rf t M tmp; mkdir -p {directory} tmp")).expect(0, "", "");
        let content = if self.before.is_empty() { self.old } else { self.new };
        for name in (0..files).map(|file| file.to_string()) {
            fs::write(at.join(directory).join(&name), content(&name)).expect("writes");
        }
        assert_eq!(sh(at, self.before).status, 0, "{}", self.before);
    }

    /// Returns a script that runs the command, prefixed with `prefix`.
    fn script(&self, prefix: &str) -> String {
        format!("export TMPDIR=$PWD/tmp; {prefix} $U {}", self.command)
    }

    /// Returns the number of new files in a directory, and asserts that all other files are old. Adds the names of
    /// temporary files to `left`.
    fn count_new(&self, directory: &Path, files: usize, left: &mut BTreeSet<String>) -> usize {
        let (mut count, mut new) = (0, 0);
        for entry in fs::read_dir(directory).expect("is there") {
            let entry = entry.expect("is there");
            let name = entry.file_name().into_string().expect("ASCII");
            if name.starts_with('.') {
                assert!(name.ends_with(".utfconv-tmp"), "{name}");
                left.insert(name);
                continue;
            }
            let content = fs::read(entry.path()).expect("is there");
            let is_new = content == (self.new)(&name);
            assert!(is_new || content == (self.old)(&name), "{}: {name}: {content:02X?}", self.command);
            (count, new) = (count + 1, new + usize::from(is_new));
        }
        assert_eq!(count, files, "{}", self.command);
        new
    }
}

/// Every command that changes files is in [`WRITERS`]. Only `names` is not, because `interrupted_names.rs` tests it.
#[test]
fn every_command_that_changes_files_is_among_them() {
    let firsts = WRITERS.iter().filter_map(|writer| writer.command.split(' ').next());
    let firsts = firsts.map(|word| if word.starts_with('-') { "" } else { word });
    let known: BTreeSet<_> = firsts.chain(["names"]).collect();
    let all: Vec<_> = commands().into_iter().chain([String::new()]).collect();
    let changes = |command: &&String| {
        let help = sh(Path::new("/"), &format!("$U {command} --help")).stdout;
        String::from_utf8_lossy(&help).contains(" --manifest")
    };
    assert_eq!(all.iter().filter(changes).map(String::as_str).collect::<BTreeSet<_>>(), known);
}

/// After a kill, the next run completes the changes and removes temporary files. A manifest undoes the changes.
#[test]
fn killed_at_any_moment() {
    const FILES: usize = 150;
    const MOST_KILLS: u32 = 500;
    let rounds = rounds("UTFCONV_KILLS", 8).min(MOST_KILLS);
    let dir = dir_in_memory();
    let at = dir.path();
    for writer in WRITERS {
        let (mut all_new, mut known) = (0, BTreeSet::new());
        writer.make(at, "t", FILES);
        fs::write(at.join("command"), writer.script("exec")).expect("writes");
        let start = Instant::now();
        sh(at, "bash ./command > log 2>&1");
        let whole = start.elapsed();
        for round in 0..rounds {
            // In some rounds, the killed run is continued by the next round.
            if round % 4 == 0 || !writer.undo.is_empty() {
                writer.make(at, "t", FILES);
                known.clear();
            }
            let pause = pause(round, whole);
            let signal = ["KILL", "KILL", "TERM", "INT"][round as usize % 4];
            let ran = sh(at, &format!("bash ./command > log 2>&1 & {pause} kill -{signal} $!; wait $!"));
            let before = known.len();
            let new = writer.count_new(&at.join("t"), FILES, &mut known);
            assert!(known.len() == before || signal == "KILL", "another signal leaves nothing: {ran:?}");
            all_new += new;
            if !writer.undo.is_empty() {
                // A run that was killed before its manifest existed has changed nothing.
                sh(at, &format!("$U {}", writer.undo));
                assert_eq!(
                    writer.count_new(&at.join("t"), FILES, &mut known),
                    0,
                    "{}: {new} were new",
                    writer.command
                );
            }
        }
        println!("{}: {all_new} of {} new", writer.command, FILES as u32 * rounds);
        assert!(all_new < FILES * rounds as usize, "{} was never killed", writer.command);
        if writer.undo.is_empty() && !writer.command.starts_with("edit") {
            let ran = sh(at, &writer.script(""));
            let mut left = BTreeSet::new();
            assert_eq!(writer.count_new(&at.join("t"), FILES, &mut left), FILES, "{ran:?}");
            assert_eq!(left, BTreeSet::new(), "{}", writer.command);
        }
    }
}

#[test]
fn a_full_disk_changes_nothing() {
    const FILES: usize = 9;
    if !has("mount") {
        return;
    }
    let dir = dir_with(&[]);
    let disk = dir.path().join("disk");
    for writer in WRITERS {
        let mounted = sh(dir.path(), "mkdir -p disk; mount -t tmpfs -o size=1m tmpfs disk");
        if mounted.status != 0 {
            skip("the right to mount");
            return;
        }
        let checked = std::panic::catch_unwind(|| {
            writer.make(&disk, "t", FILES);
            // Fill the disk. A manifest may still use the rest of its last page.
            let ran = sh(&disk, &format!("cat /dev/zero > tmp/full 2> ../log; {}", writer.script("")));
            assert_eq!(ran.status, 2, "{}: {ran:?}", writer.command);
            assert!(ran.stderr.contains("No space left on device"), "{}: {ran:?}", writer.command);
            let mut left = BTreeSet::new();
            assert_eq!(writer.count_new(&disk.join("t"), FILES, &mut left), 0, "{}", writer.command);
            assert_eq!(left, BTreeSet::new(), "{}", writer.command);
        });
        sh(dir.path(), "umount disk").expect(0, "", "");
        assert!(checked.is_ok());
    }
}

/// Another process writes the file when the new content is complete.
#[test]
fn what_another_process_writes_stays() {
    if !has("strace") {
        return;
    }
    let dir = dir_with(&[]);
    let at = dir.path();
    // Commands without a sync are never delayed with complete content, and commands with a manifest sync several times,
    // so both are left out.
    let is_synced_once = |writer: &&Writer| !writer.command.contains("--sync=none") && writer.undo.is_empty();
    for writer in WRITERS.iter().filter(is_synced_once) {
        writer.make(at, "t", 1);
        let slow = writer.script("slow fsync,syncfs");
        let ran = sh_midway(at, &format!("{slow} > log & begun fsync,syncfs; printf other > t/0; wait $!"));
        assert_eq!(ran.status, 2, "{}: {ran:?}", writer.command);
        assert!(ran.stderr.contains("another process changed it"), "{}: {ran:?}", writer.command);
        assert_eq!(fs::read(at.join("t/0")).expect("is there"), b"other", "{}", writer.command);
        sh(at, "ls -A t").expect(0, "0\n", "");
    }
}

/// The directory is sometimes replaced by a link to another directory, in which nothing is changed.
#[cfg(target_env = "gnu")]
#[test]
fn nothing_in_an_exchanged_directory_is_changed() {
    let dir = dir_with(&[]);
    let at = dir.path();
    for writer in WRITERS.iter().filter(|writer| !writer.command.starts_with("edit")) {
        fs::create_dir_all(at.join("t/d")).expect("makes");
        let victim = (writer.old)("victim");
        let reset = || writer.make(at, "t/d", 1);
        race(rounds("UTFCONV_SWAPS", 40), at, "t/d", &writer.script(""), &victim, reset, |_| {
            writer.count_new(&at.join("t/d"), 1, &mut BTreeSet::new()) == 1
        });
    }
}
