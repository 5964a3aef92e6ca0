//! Tests that another process may exchange directories for symbolic links while files in them are converted: nothing
//! outside is read, written, created or removed.
#![cfg(all(target_os = "linux", target_env = "gnu"))]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use nix::fcntl::{AT_FDCWD, RenameFlags, renameat2};

use crate::harness::{dir_with, has, rounds, sh, sh_midway};

const CAFE: &[u8] = b"caf\xE9\n";
const VICTIM: &[u8] = b"victim \xE9\n";

/// Maximum number of rounds of a race. A race ends earlier once a file was converted.
const MOST: u32 = 2000;

/// Exchanges the directory `at` for a link to `victim` and back, until `is_done` is set.
fn exchange(at: &Path, victim: &Path, is_done: &AtomicBool) {
    let link = at.with_extension("link");
    symlink(victim, &link).expect("links");
    let exchange =
        || renameat2(AT_FDCWD, at, AT_FDCWD, &link, RenameFlags::RENAME_EXCHANGE).expect("exchanges");
    while !is_done.load(Ordering::Relaxed) {
        exchange();
        std::hint::spin_loop();
        exchange();
    }
    fs::remove_file(link).expect("removes");
}

/// Runs `command` at least `rounds` times while `exchanged` is exchanged for a link to a directory that has a file with
/// `content`, which must stay. `reset` is called before each round. After each round, `is_converted` is called with the
/// number of the round, checks the file, and returns whether it was converted. At least one round must convert it.
pub fn race(
    rounds: u32,
    at: &Path,
    exchanged: &str,
    command: &str,
    content: &[u8],
    reset: impl Fn(),
    is_converted: impl Fn(u32) -> bool,
) {
    let victim = at.join("victim");
    fs::create_dir_all(&victim).expect("makes");
    fs::write(victim.join("f"), content).expect("writes");
    let (mut round, mut converted) = (0, 0);
    while round < rounds || converted == 0 && round < MOST {
        reset();
        let is_done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| exchange(&at.join(exchanged), &victim, &is_done));
            let ran = sh(at, command);
            is_done.store(true, Ordering::Relaxed);
            // `command` may refuse an exchanged directory.
            assert!([0, 2].contains(&ran.status), "round {round}: {ran:?}");
        });
        assert_eq!(fs::read(victim.join("f")).expect("is there"), content, "round {round}");
        let names: Vec<_> =
            fs::read_dir(&victim).expect("reads").map(|one| one.expect("reads").file_name()).collect();
        assert_eq!(names, ["f"], "round {round}");
        converted += u32::from(is_converted(round));
        round += 1;
    }
    assert!(converted > 0, "nothing was converted in {round} rounds");
}

/// Whether the output exists. Asserts that its content is correct.
fn is_output_right(file: &Path, round: u32) -> bool {
    let content = fs::read(file).ok();
    if let Some(content) = &content {
        assert_eq!(content, "café\n".as_bytes(), "round {round}");
    }
    content.is_some()
}

#[test]
fn in_place_nothing_outside_is_changed() {
    let dir = dir_with(&[]);
    let at = dir.path();
    let f = at.join("w/d/f");
    let reset = || {
        fs::create_dir_all(at.join("w/d")).expect("makes");
        fs::write(&f, CAFE).expect("writes");
    };
    race(rounds("UTFCONV_SWAPS", 200), at, "w/d", "$U -i=.bak -r -f latin1 w", VICTIM, reset, |round| {
        let content = fs::read(&f).expect("is there");
        assert!(content == CAFE || content == "café\n".as_bytes(), "round {round}: {content:02X?}");
        let names = sh(at, "ls -A w/d").stdout;
        assert!(
            ["f\n", "f\nf.bak\n"].iter().any(|some| names == some.as_bytes()),
            "round {round}: {names:?}"
        );
        content != CAFE
    });
}

#[test]
fn outputs_stay_in_their_directory() {
    let dir = dir_with(&[]);
    let at = dir.path();
    fs::create_dir_all(at.join("w/d")).expect("makes");
    fs::write(at.join("w/d/f"), CAFE).expect("writes");
    let reset = || {
        let _ = fs::remove_dir_all(at.join("out"));
        fs::create_dir_all(at.join("out/w/d")).expect("makes");
    };
    race(
        rounds("UTFCONV_SWAPS", 200),
        at,
        "out/w/d",
        "$U --output-dir out -r -f latin1 w",
        VICTIM,
        reset,
        |round| is_output_right(&at.join("out/w/d/f"), round),
    );
}

#[test]
fn inputs_outside_are_not_read() {
    let dir = dir_with(&[]);
    let at = dir.path();
    let reset = || {
        let _ = fs::remove_dir_all(at.join("out"));
        fs::create_dir_all(at.join("w/d")).expect("makes");
        fs::write(at.join("w/d/f"), CAFE).expect("writes");
    };
    race(
        rounds("UTFCONV_SWAPS", 200),
        at,
        "w/d",
        "$U --output-dir out -r -f latin1 w",
        VICTIM,
        reset,
        |round| is_output_right(&at.join("out/w/d/f"), round),
    );
}

/// A file is not converted if its directory was replaced by another directory after the walk.
#[test]
fn the_directory_that_was_walked_is_not_replaced() {
    if !has("strace") {
        return;
    }
    let dir = dir_with(&[]);
    let at = dir.path();
    let make = "rm -rf d real other o; mkdir d other; printf 'caf\\xe9\\n' | tee d/a > d/b";
    let exchange =
        "begun fsync; mv d real; mv real/b other; ln -s other d; wait $!; s=$?; cat other/b; exit $s";
    for (command, failed) in [("-i", "1 failed"), ("--output-dir o", "1 failed and not written to o")] {
        let script = format!("{make}; slow fsync:when=1 $U -j1 -r {command} -f latin1 d & {exchange}");
        sh_midway(at, &script).expect(
            2,
            CAFE,
            &format!(
                "utfconv: d/b: the directory d was replaced\n\
                utfconv: 1 converted, 0 unchanged, {failed}; 5 bytes to 6\n"
            ),
        );
    }
}

/// The directory is replaced by a link when the new content is complete. A file given by name is protected, too.
#[test]
fn a_directory_is_held_open_until_the_rename() {
    if !has("strace") {
        return;
    }
    let dir = dir_with(&[]);
    let at = dir.path();
    let make = "rm -rf d real victim; mkdir d victim; printf 'caf\\xe9\\n' > d/f; echo victim > victim/f";
    let exchange =
        "begun fsync; mv d real; ln -s victim d; wait $!; s=$?; cat real/f victim/f; ls -A victim; exit $s";
    for command in ["-i d/f", "-i -r d", "-i=.bak d/f", "-o d/f d/f"] {
        let script = format!("{make}; slow fsync $U -f latin1 {command} & {exchange}");
        sh_midway(at, &script).expect(0, "café\nvictim\nf\n", "");
    }
}
