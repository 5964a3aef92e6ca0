//! Kills `names -i` at every system call that changes or syncs something, then finishes or undoes the run. Files take
//! names that other files give up. Every file must get its name, and none may be lost.
#![cfg(target_os = "linux")]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use crate::harness::{Ran, UTFCONV, dir_in_memory, has, rounds, sh};
use crate::random::generator;

/// From KOI8-R to windows-1251, C1 becomes E0, E0 becomes DE, DE becomes F7, and F7 becomes C2, so names form chains of
/// up to four files.
const KOI: &str = "-f koi8-r -t windows-1251";

/// Name of a test, the script that creates the tree in `t`, and the options that convert its names.
const TREES: &[(&str, &str, &str)] = &[
    ("files", "for n in c1 e0 de; do echo $n > $(b $n); done", KOI),
    ("empty files", "touch $(b c1) $(b e0)", KOI),
    ("hard links", "echo 1 > $(b c1); ln $(b c1) $(b e0); ln $(b c1) $(b de)", KOI),
    (
        "hard links of two files",
        "echo 1 > $(b c1); ln $(b c1) $(b de); echo 2 > $(b e0); ln $(b e0) $(b f7)",
        KOI,
    ),
    ("directories", "mkdir $(b c1) $(b e0); echo 1 > $(b c1)/$(b e0); echo 2 > $(b e0)/$(b e0)", KOI),
    ("empty directories", "mkdir $(b c1) $(b e0) $(b de)", KOI),
    (
        "nested directories",
        "for n in c1 e0; do for m in c1 e0; do mkdir -p $(b $n)/$(b $m); echo $n$m > $(b $n)/$(b $m)/$(b c1); \
         : > $(b $n)/$(b $m)/$(b e0); done; : > $(b $n)/$(b de); done",
        KOI,
    ),
    (
        "links",
        "ln -s $(b c1) $(b c1); ln -s $(b e0) $(b e0); ln -s x/$(b de) $(b de); echo > $(b e0)$(b c1)",
        "-f koi8-r -t windows-1251 --links --keep-going",
    ),
    (
        "links with one target",
        "ln -s $(b c1) $(b c1); ln -s $(b c1) $(b e0); ln -s $(b c1) $(b de)",
        "-f koi8-r -t windows-1251 --links --keep-going",
    ),
    (
        "names that are UTF-8 already",
        "mkdir -p $(b e9)/$(b e9) $(b e9)/é é/$(b e9); : > $(b e9)/$(b e9)/x; echo 1 > é/$(b e9)/é; \
         ln -s é l; ln -s $(b e9) $(b e8); ln -s é è",
        "-f latin1 --reconvert --links --keep-going",
    ),
    (
        "exchanged names among them",
        "for n in c4 e4 c1 e0; do echo $n > $(b $n); done; mkdir d; for n in c1 e0; do echo $n > d/$(b $n); done",
        "-f koi8-r -t windows-1251 --keep-going",
    ),
];

/// System calls at which a run is killed, and options of strace that make other calls fail.
const CALLS: &[(&[&str], &str)] = &[
    (&["renameat2", "renameat", "symlinkat", "syncfs", "fsync", "unlinkat"], ""),
    (&["renameat", "linkat", "unlinkat", "mkdirat", "syncfs"], "-e inject=renameat2:error=EINVAL"),
    (
        &["renameat", "unlinkat", "mkdirat", "openat", "syncfs"],
        "-e inject=renameat2:error=EINVAL -e inject=linkat:error=EPERM",
    ),
];

fn make(tree: &str) -> tempfile::TempDir {
    let dir = dir_in_memory();
    let script = format!("b() {{ printf \"\\\\x$1\"; }}; mkdir t; cd t; {tree}");
    sh(dir.path(), &script).expect(0, "", "");
    dir
}

/// Returns all names below `t`, each with the inode of its file or directory, or the target of its link.
fn snapshot(at: &Path) -> Vec<u8> {
    let find = "find t '(' -type l -printf '%P -> %l\\n' ')' -o ! -name .utfconv-names-manifest -printf '%P %y %i\\n'";
    sh(at, &format!("{find} | LC_ALL=C sort")).stdout
}

/// A tree, with its state before and after a run.
struct Case {
    label: String,
    dir: tempfile::TempDir,
    options: &'static str,
    old: Vec<u8>,
    new: Vec<u8>,
    /// Options of strace that make system calls fail, as on a simpler file system.
    lacks: &'static str,
}

impl Case {
    fn new((label, tree, options): (&str, &str, &'static str), lacks: &'static str) -> Case {
        Case::of(format!("{label} {lacks}"), make(tree), options, lacks)
    }

    fn of(label: String, dir: tempfile::TempDir, options: &'static str, lacks: &'static str) -> Case {
        let at = dir.path();
        let old = snapshot(at);
        let ran = sh(at, &format!("$U names -i {options} --manifest=j t; s=$?; cp j k; exit $s"));
        assert!([0, 1].contains(&ran.status), "{label}: {ran:?}");
        let new = snapshot(at);
        assert_ne!(old, new, "{label}");
        let case = Case { label, dir, options, old, new, lacks };
        case.run("--undo", "of the whole run");
        case.expect(&case.old, "after the whole run");
        // Make the manifest that of an unfinished run, without its last line.
        sh(case.dir.path(), "sed -i '$d' k; rm -f j").expect(0, "", "");
        case
    }

    fn traced(&self, action: &str, kill: &str) -> Ran {
        let (lacks, options) = (self.lacks, if action == "-i" { self.options } else { "" });
        let trace = match (kill, lacks) {
            ("", "") => String::new(),
            _ => format!("strace -f -o /dev/null {lacks} {kill}"),
        };
        let action = if action == "-i" { "-i --manifest=j" } else { "--undo=j" };
        sh(self.dir.path(), &format!("{trace} $U names {action} {options} t"))
    }

    fn run(&self, action: &str, when: &str) {
        let ran = self.traced(action, "");
        // With `-i`, some names may be refused.
        let is_right = ran.status == 0 || ran.status == 1 && action == "-i";
        assert!(is_right && !ran.stderr.contains("warning"), "{}: {when}: {action}: {ran:?}", self.label);
    }

    #[track_caller]
    fn expect(&self, expected: &[u8], when: &str) {
        let is = snapshot(self.dir.path());
        let shown = |names: &[u8]| names.escape_ascii().to_string().replace("\\n", "\n");
        assert!(is == expected, "{}: {when}:\n{}\nis not\n{}", self.label, shown(&is), shown(expected));
    }

    /// Finishes or undoes a run that was killed, then restores the old names.
    fn settle(&self, end: &str, when: &str) {
        let manifest = fs::read(self.dir.path().join("j"));
        // Without a manifest, nothing was renamed. A manifest with its last line is that of a finished run.
        let is_needed = match (&manifest, end) {
            (Ok(manifest), "-i") => !manifest.ends_with(b"\n{\"type\":\"done\"}\n"),
            (Ok(_), _) => true,
            (Err(_), end) => end == "-i",
        };
        if is_needed {
            self.run(end, when);
        }
        self.expect(if end == "-i" { &self.new } else { &self.old }, when);
        if end == "-i" {
            self.run("--undo", when);
            self.expect(&self.old, when);
        }
        sh(self.dir.path(), "rm -f j").expect(0, "", "");
    }
}

/// Kills runs at each call of `calls`. Returns the number of kills.
fn kill_everywhere(case: &Case, calls: &[&str], ends: &[&str]) -> u32 {
    let mut kills = 0;
    for end in ends {
        for call in calls {
            for number in 1.. {
                let kill = format!("-e inject={call}:signal=KILL:when={number}");
                let when = format!("killed at {call} {number}, {end}");
                if case.traced("-i", &kill).status != 137 {
                    case.settle("-i", &when);
                    break;
                }
                kills += 1;
                case.settle(end, &when);
            }
        }
    }
    kills
}

fn is_long() -> bool {
    std::env::var_os("UTFCONV_KILLS").is_some()
}

#[test]
fn killed_at_every_call() {
    if !has("strace") {
        return;
    }
    for tree in TREES {
        let (calls, lacks) = CALLS[0];
        let calls = if is_long() { calls } else { &["renameat2", "symlinkat", "syncfs"] };
        let kills = kill_everywhere(&Case::new(*tree, lacks), calls, &["-i", "--undo"]);
        assert!(kills >= 6, "{}: {kills}", tree.0);
    }
}

/// Kills runs as on file systems that cannot rename without replacing.
#[test]
fn killed_at_every_call_elsewhere() {
    if !has("strace") {
        return;
    }
    let trees: Vec<_> =
        if is_long() { TREES.iter().collect() } else { [1, 2, 4, 9].map(|at| &TREES[at]).into() };
    for tree in trees {
        for (calls, lacks) in &CALLS[1..] {
            let calls = if is_long() { calls } else { &calls[..3] };
            let ends: &[_] = if is_long() { &["-i", "--undo"] } else { &["-i"] };
            let kills = kill_everywhere(&Case::new(*tree, lacks), calls, ends);
            assert!(kills >= 2, "{} {lacks}: {kills}", tree.0);
        }
    }
}

/// Kills the undoing of a finished run at each call, then completes it.
#[test]
fn taking_back_is_killed_too() {
    if !has("strace") {
        return;
    }
    for tree in if is_long() { TREES } else { &TREES[2..8] } {
        let case = Case::new(*tree, "");
        for number in 1.. {
            sh(case.dir.path(), "cp k j").expect(0, "", "");
            case.run("-i", "to be undone");
            sh(case.dir.path(), "cp k j").expect(0, "", "");
            let kill = format!("-e inject=renameat2,syncfs:signal=KILL:when={number}");
            if case.traced("--undo", &kill).status != 137 {
                break;
            }
            let when = format!("taking back was killed at {number}");
            case.settle(if number % 2 == 0 { "-i" } else { "--undo" }, &when);
        }
    }
}

/// Names in a random tree. Most of them become the name of another file.
const NAMES: [&[u8]; 7] = [b"\xc1", b"\xe0", b"\xde", b"\xf7", b"\xc1\xe0", b"\xe0\xde", b"a"];

/// Creates a random tree with `levels` levels.
fn fill(directory: &Path, levels: u32, below: &mut impl FnMut(u64) -> u64) {
    for name in NAMES.map(OsStr::from_bytes) {
        let (path, other) = (directory.join(name), OsStr::from_bytes(NAMES[below(7) as usize]));
        let done = match below(8) {
            0 | 1 => fs::write(path, name.as_bytes()),
            2 => fs::write(path, ""),
            3 => symlink(other, path),
            4 if directory.join(other).is_file() => fs::hard_link(directory.join(other), path),
            5 | 6 if levels > 0 => fs::create_dir(&path).map(|()| fill(&path, levels - 1, below)),
            _ => Ok(()),
        };
        // Errors are ignored, because the target may be a dangling link.
        let _ = done;
    }
}

/// Kills a run at random moments, finishes or undoes it, and kills this second run, too.
#[test]
fn killed_again_and_again() {
    let count = rounds("UTFCONV_KILLS", 20);
    let (mut below, mut midway) = (generator(), 0);
    let options = "-f koi8-r -t windows-1251 --links --keep-going";
    for round in 0..count {
        let dir = dir_in_memory();
        let at = dir.path();
        fs::create_dir(at.join("t")).expect("makes");
        fs::write(at.join("t").join(OsStr::from_bytes(b"\xc1")), "1").expect("writes");
        fill(&at.join("t"), 3, &mut below);
        let case = Case::of(format!("random tree {round}"), dir, options, "");
        let (at, manifest) = (case.dir.path(), case.dir.path().join("t/.utfconv-names-manifest"));
        for _ in 0..10 {
            let mut actions = vec!["-i"];
            while actions.len() < 6 && (actions.len() == 1 || manifest.exists()) {
                let action = actions[actions.len() - 1];
                kill_at_random(at, action, options, below(10_000));
                midway += u32::from(![&case.old, &case.new].contains(&&snapshot(at)));
                actions.push(["-i", "--undo"][below(2) as usize]);
            }
            if manifest.exists() {
                let action = actions[actions.len() - 1];
                let options = if action == "-i" { options } else { "" };
                let ran = sh(at, &format!("$U names {action} {options} t"));
                let is_right = ran.status == 0 && !ran.stderr.contains("warning");
                // An incomplete manifest is that of a run that has changed nothing.
                assert!(is_right || ran.stderr.contains("ended before"), "{round} {actions:?}: {ran:?}");
            }
            if snapshot(at) != case.old {
                case.expect(&case.new, &format!("{actions:?}"));
                sh(at, "cp k j").expect(0, "", "");
                case.settle("--undo", &format!("undone after {actions:?}"));
            }
        }
    }
    println!("{midway} states of {count} trees were midway");
}

fn kill_at_random(at: &Path, action: &str, options: &str, microseconds: u64) {
    let mut run = std::process::Command::new(UTFCONV)
        .arg("names")
        .arg(action)
        .args(options.split(' ').filter(|_| action == "-i"))
        .arg("t")
        .current_dir(at)
        .stderr(Stdio::null())
        .spawn()
        .expect("runs");
    std::thread::sleep(Duration::from_micros(microseconds));
    run.kill().expect("is killed");
    run.wait().expect("ends");
}
