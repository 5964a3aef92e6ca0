//! Runs the program, and asserts its exit status and output.

use std::path::Path;
use std::process::{Output, Stdio};

use utfconv_core::{Fault, FaultKind};

pub use crate::programs::{command, has, skip};
pub use crate::texts::{hex, in_hex, rows, udhr};

/// Path of the program. If an emulator has to run it, path of a script, given at compile time in `UTFCONV_UNDER_TEST`.
pub const UTFCONV: &str = match option_env!("UTFCONV_UNDER_TEST") {
    Some(script) => script,
    None => env!("CARGO_BIN_EXE_utfconv"),
};

/// The result of a run.
#[derive(Debug, PartialEq, Eq)]
pub struct Ran {
    /// Exit status; 128 plus the signal's number after a signal, as in shells.
    pub status: i32,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

impl Ran {
    pub fn from(output: Output) -> Ran {
        #[cfg(unix)]
        let signal = std::os::unix::process::ExitStatusExt::signal(&output.status);
        #[cfg(not(unix))]
        let signal: Option<i32> = None;
        Ran {
            status: output.status.code().or(signal.map(|signal| 128 + signal)).expect("ended"),
            stdout: output.stdout,
            stderr: String::from_utf8(output.stderr).expect("messages are UTF-8"),
        }
    }

    /// Asserts the exit status, standard output, and all of standard error. If standard error is a single message,
    /// `stderr` may omit `utfconv: ` and the newline.
    #[track_caller]
    pub fn expect(&self, status: i32, stdout: impl AsRef<[u8]>, stderr: &str) {
        let is_message = |line: &str| line == stderr || line.strip_prefix("utfconv: ") == Some(stderr);
        let is_whole = self.stderr == stderr
            || !stderr.is_empty() && self.stderr.strip_suffix('\n').is_some_and(is_message);
        self.assert(status, stdout.as_ref(), stderr, is_whole);
    }

    /// Asserts the exit status, standard output, and a part of standard error, whose rest is long, differs between
    /// runs, or comes from other programs. If `part` is empty, standard error must be empty.
    #[track_caller]
    pub fn expect_part(&self, status: i32, stdout: impl AsRef<[u8]>, part: &str) {
        let is_expected = if part.is_empty() { self.stderr.is_empty() } else { self.stderr.contains(part) };
        self.assert(status, stdout.as_ref(), part, is_expected);
    }

    #[track_caller]
    fn assert(&self, status: i32, stdout: &[u8], stderr: &str, is_expected: bool) {
        assert!(
            self.status == status && self.stdout == stdout && is_expected,
            "expected {status}, {}, {stderr:?}\n     got {}, {}, {:?}",
            shown(stdout),
            self.status,
            shown(&self.stdout),
            self.stderr
        );
    }
}

/// Shows bytes: as text if they are UTF-8, otherwise in hexadecimal.
fn shown(bytes: &[u8]) -> String {
    str::from_utf8(bytes).map_or_else(|_| format!("{bytes:02X?}"), |text| format!("{text:?}"))
}

/// Runs the program with `stdin` as its standard input.
#[track_caller]
pub fn run(args: &[&str], stdin: impl AsRef<[u8]>) -> Ran {
    let mut command = assert_cmd::Command::new(UTFCONV);
    Ran::from(command.args(args).write_stdin(stdin.as_ref()).output().expect("runs"))
}

/// Returns the commands that the help lists.
pub fn commands() -> Vec<String> {
    let help = run(&["--help"], "");
    let help = str::from_utf8(&help.stdout).expect("UTF-8");
    let (_, list) = help.split_once("\nCommands:\n").expect("a list of commands");
    let names: Vec<_> = list.lines().map_while(|line| line.strip_prefix("  ")?.split(' ').next()).collect();
    assert!(names.len() > 8, "{names:?}");
    names.into_iter().map(str::to_string).collect()
}

/// Returns the possible values of a command's operand, from the list in its error message.
pub fn possible_values(command: &str) -> Vec<String> {
    let error = run(&[command, "no-such-word"], "").stderr;
    let (_, rest) = error.split_once(" [possible values: ").expect("a list of words");
    let (words, _) = rest.split_once(']').expect("the end of the list");
    words.split(", ").map(str::to_string).collect()
}

/// Runs a shell script in `dir`. `$U` is the program.
#[track_caller]
pub fn sh(dir: &Path, script: &str) -> Ran {
    let output = command("bash")
        .args(["-c", script])
        .current_dir(dir)
        .env("U", UTFCONV)
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::null())
        .output()
        .expect("bash runs");
    Ran::from(output)
}

/// Runs a script that changes files while a command is in the middle of a system call. The script can call two
/// functions. `slow CALL COMMAND...` runs a command and delays the start of each system call CALL by `$delay`, or 0.4
/// seconds. `begun CALL [N]` waits until the Nth call of CALL has begun. CALL may be several names with commas,
/// followed by a filter of strace: `fsync:when=1` delays only the first call.
#[cfg(target_os = "linux")]
#[track_caller]
pub fn sh_midway(dir: &Path, script: &str) -> Ran {
    assert!(has("strace"), "is asked for before");
    let functions = r#"trace=$(mktemp); trap 'rm "$trace"' EXIT
        slow() { strace -f -o "$trace" -e "trace=${1%%:*}" -e "inject=$1:delay_enter=${delay-400ms}" "${@:2}"; }
        begun() {
            for i in $(seq 2000); do
                if [ "$(grep -cE "(${1//,/|})\(" "$trace")" -ge "${2-1}" ]; then return; fi
                sleep 0.01
            done
            echo "no $1 has begun"
        }
        "#;
    sh(dir, &format!("{functions}{script}"))
}

/// Runs a script in which git reads only the repository's configuration.
#[track_caller]
pub fn git_sh(at: &Path, script: &str) -> Ran {
    let settings = "export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@a
        export GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@a;";
    sh(at, &format!("{settings} {script}"))
}

/// Unmounts `name` in `dir`. Retries, because a process that another test has just forked may hold files for a moment.
#[cfg(target_os = "linux")]
#[track_caller]
pub fn unmount(dir: &Path, name: &str) {
    let script =
        format!("for i in $(seq 50); do umount {name} 2>/dev/null && exit; sleep 0.1; done; umount {name}");
    sh(dir, &script).expect(0, "", "");
}

/// Creates a temporary directory with `files`.
pub fn dir_with(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a temporary directory");
    for (name, content) in files {
        std::fs::write(dir.path().join(name), content).expect("writes");
    }
    dir
}

/// Returns the content of the file `name` in `at`.
pub fn contents(at: &Path, name: &str) -> Vec<u8> {
    std::fs::read(at.join(name)).expect("reads")
}

pub fn write(at: &Path, name: &str, content: impl AsRef<[u8]>) {
    std::fs::write(at.join(name), content).expect("writes");
}

/// Creates a temporary directory in memory, or on disk if the system has no `/dev/shm`. For tests that sync hundreds of
/// files, which is slow on a disk, and for huge sparse files, which would fill the page cache.
#[cfg_attr(not(target_os = "linux"), allow(dead_code))] // only tests for Linux call the function
pub fn dir_in_memory() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a temporary directory")
}

/// Returns the name of the temporary file for the file `name`, which the next run removes.
pub fn temporary_name(name: &str) -> String {
    let hash = name.bytes().fold(0xCBF2_9CE4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    });
    format!(".{name}.{hash:016x}.utfconv-tmp")
}

/// Returns the number of rounds of a test: `default`, or the number in the environment variable `variable`.
pub fn rounds(variable: &str, default: u32) -> u32 {
    std::env::var(variable).ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(default)
}

/// Returns the shell command that waits before the kill of a `round`: empty in some rounds, otherwise a pause of up to
/// 1.2 times the duration `whole` of a complete run.
pub fn pause(round: u32, whole: std::time::Duration) -> String {
    match round * 7 % 25 {
        0 => String::new(),
        step => format!("sleep {:.4};", whole.as_secs_f64() * f64::from(step) / 20.0),
    }
}

/// Whether the test runs as root; if not, reports that the test is skipped.
#[cfg(target_os = "linux")]
pub fn is_root() -> bool {
    let is_root = sh(Path::new("/"), "id -u").stdout == b"0\n";
    if !is_root {
        skip("root");
    }
    is_root
}

/// glibc version that the lists of differences are for.
pub const LISTED_GLIBC: &str = "2.36";

/// Returns the version of glibc whose iconv is on the PATH; `None`, and a report that the test is skipped, if there is
/// none.
pub fn glibc() -> Option<String> {
    if !has("iconv") {
        return None;
    }
    let said = sh(&std::env::temp_dir(), "iconv --version 2>/dev/null | head -1").stdout;
    let said = String::from_utf8_lossy(&said).to_lowercase();
    if !said.contains("libc") {
        skip("glibc's iconv");
        return None;
    }
    said.split_whitespace().last().map(String::from)
}

/// Returns the unmappable characters, in the order of the text.
pub fn missing_in(faults: &[Fault]) -> impl Iterator<Item = char> {
    faults.iter().filter_map(|fault| match fault.kind {
        FaultKind::Unmappable { code_point, .. } => char::from_u32(code_point),
        _ => None,
    })
}
