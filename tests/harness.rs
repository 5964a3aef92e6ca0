//! Runs the program and looks at all that came of it.

use std::path::Path;
use std::process::{Output, Stdio};

use utfconv_core::Encoding;

pub use crate::programs::{command, has, skip};

/// The program.
pub const UTFCONV: &str = env!("CARGO_BIN_EXE_utfconv");

/// The encodings that the oracle knows, each of which is converted to each.
pub static CORE: [&Encoding; 10] = [
    &utfconv_core::UTF_8,
    &utfconv_core::UTF_16,
    &utfconv_core::UTF_16LE,
    &utfconv_core::UTF_16BE,
    &utfconv_core::UTF_32,
    &utfconv_core::UTF_32LE,
    &utfconv_core::UTF_32BE,
    &utfconv_core::CESU_8,
    &utfconv_core::ISO_8859_1,
    &utfconv_core::US_ASCII,
];

/// What came of a run.
#[derive(Debug, PartialEq, Eq)]
pub struct Ran {
    /// Exit status; a signal counts as 128 and its number, as shells have it.
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

    /// Asserts all three at once; `stderr` may be a part of what was said, and is all of it if empty.
    #[track_caller]
    pub fn expect(&self, status: i32, stdout: impl AsRef<[u8]>, stderr: &str) {
        let said = if stderr.is_empty() { self.stderr.is_empty() } else { self.stderr.contains(stderr) };
        assert!(
            self.status == status && self.stdout == stdout.as_ref() && said,
            "expected {status}, {:02X?}, {stderr:?}\n     got {}, {:02X?}, {:?}",
            stdout.as_ref(),
            self.status,
            self.stdout,
            self.stderr
        );
    }
}

/// Runs the program on `stdin`.
#[track_caller]
pub fn run(args: &[&str], stdin: impl AsRef<[u8]>) -> Ran {
    let mut command = assert_cmd::Command::new(UTFCONV);
    Ran::from(command.args(args).write_stdin(stdin.as_ref()).output().expect("runs"))
}

/// Runs a shell script in `dir`, where `$U` is the program.
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

/// A fresh directory with these files.
pub fn dir_with(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a temporary directory");
    for (name, content) in files {
        std::fs::write(dir.path().join(name), content).expect("writes");
    }
    dir
}

/// Whether root runs this; says that a test is skipped if not.
#[cfg(target_os = "linux")]
pub fn is_root() -> bool {
    let is_root = sh(Path::new("/"), "id -u").stdout == b"0\n";
    if !is_root {
        skip("root");
    }
    is_root
}

/// The glibc that the lists of differences are of.
pub const LISTED_GLIBC: &str = "2.36";

/// glibc's version, if its iconv is the one on the PATH; says that a test is skipped if not.
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

/// The rows, without the heads, of those tables in Markdown that have so many columns.
pub fn rows<const N: usize>(text: &'static str) -> Vec<[&'static str; N]> {
    let is_rule = |line: &str| line.starts_with("|--") || line.starts_with("| --");
    let next = text.lines().skip(1).chain([""]);
    let lines = text.lines().zip(next).filter(|(line, next)| !is_rule(line) && !is_rule(next));
    let row = |line: &'static str| line.strip_prefix("| ")?.strip_suffix(" |");
    let cells =
        lines.filter_map(|(line, _)| Some(row(line)?.split(" | ").map(str::trim).collect::<Vec<_>>()));
    cells.filter_map(|cells| cells.try_into().ok()).collect()
}

/// Bytes from their usual notation: `"EF BB BF 41"`, with blanks or without.
pub fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<_> = text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_digit(16)).collect();
    let digits: Vec<_> = digits.into_iter().map(|digit| digit.expect("hexadecimal") as u8).collect();
    let (pairs, rest) = digits.as_chunks();
    assert!(rest.is_empty(), "{text}");
    pairs.iter().map(|[high, low]| high << 4 | low).collect()
}

/// The notation of bytes, without blanks.
pub fn in_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

/// The text in thirteen languages.
pub fn udhr() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/udhr.txt")).expect("test data")
}
