//! The programs that tests may call: those in `programs.txt`, from which `.ci/run` takes the packages to install. The
//! unit tests of the program include this file, too.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// Programs that every system with a shell has, and that tests start directly.
const EVERYWHERE: [&str; 1] = ["bash"];

/// Returns the programs in `programs.txt`.
pub fn listed() -> impl Iterator<Item = &'static str> {
    let rows = include_str!("programs.txt").lines().filter(|row| !row.starts_with('#'));
    rows.filter_map(|row| row.split_whitespace().next())
}

/// Returns the path of a program, if it is on the PATH.
fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|dir| dir.join(program)).find(|path| path.is_file())
}

/// Returns true if a program is installed; otherwise reports that the test is skipped.
///
/// # Panics
///
/// Panics if the program is not in the list, or if it is missing although `UTFCONV_PEERS` says that all programs are
/// installed.
#[track_caller]
pub fn has(program: &str) -> bool {
    assert!(listed().any(|listed| listed == program), "{program} is not in tests/programs.txt");
    let found = find(program).is_some();
    if !found {
        assert!(std::env::var_os("UTFCONV_PEERS").is_none(), "{program} is not on the PATH");
        skip(program);
    }
    found
}

/// Reports that the running test is skipped because `want` is missing: on standard error, even if the test passes, and
/// in the file that `UTFCONV_SKIPS` names.
pub fn skip(want: &str) {
    static SKIPS: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    let is_new = SKIPS.lock().expect("no panic").insert(format!("{test} {want}"));
    if !is_new {
        return;
    }
    // Do not use `eprintln!`, because the test harness shows its output only if the test fails.
    let _ = writeln!(std::io::stderr(), "skipped: {test}, for want of: {want}");
    if let Some(file) = std::env::var_os("UTFCONV_SKIPS") {
        let file = std::fs::OpenOptions::new().append(true).create(true).open(file);
        let line = format!("{test}\t{want}\n");
        file.and_then(|mut file| file.write_all(line.as_bytes())).expect("UTFCONV_SKIPS can be written");
    }
}

/// Returns a command for a program in the list, or for an absolute path.
///
/// # Panics
///
/// Panics if the program is not in the list.
#[track_caller]
pub fn command(program: &str) -> Command {
    let is_known = EVERYWHERE.contains(&program) || listed().any(|listed| listed == program);
    assert!(is_known || Path::new(program).is_absolute(), "{program} is not in tests/programs.txt");
    Command::new(program)
}
