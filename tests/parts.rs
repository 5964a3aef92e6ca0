//! Tests of files that are converted in parts. Output, messages, exit status and the rest of standard input must equal
//! those for the same bytes through a pipe, which are converted without parts.

use std::path::Path;

use crate::harness::{Ran, dir_with, has, sh};

/// Options for parts of 16 bytes, on three threads.
const SMALL: &str = "-j3 --buffer-size=16";

/// Returns text with errors of each kind, and a sequence that the end cuts.
fn faulty() -> Vec<u8> {
    let mut text = b"plain text of some length, and a few lines\n".repeat(5);
    for fault in [
        &b"\xFF"[..],
        b"\xC0\xAF",
        b"\xED\xA0\xBD\xED\xB8\x80",
        b"\xF4\x90\x80\x80",
        b"\xE6\x97",
        b"\xF8\x88\x80\x80\x80",
    ] {
        text.extend_from_slice("日本語 и ещё немного é😀\n".repeat(3).as_bytes());
        text.extend_from_slice(fault);
        text.extend_from_slice(b"x\n");
    }
    text.extend_from_slice("конец".as_bytes());
    text.extend_from_slice(b"\xF0\x9F\x98");
    text
}

/// Asserts that a file and a pipe give the same output, status, and messages, apart from the name of the input.
#[track_caller]
fn compare(dir: &Path, options: &str) {
    let parts = sh(dir, &format!("$U {SMALL} {options} text; echo status $?"));
    let whole = sh(dir, &format!("cat text | $U {options} -; echo status $?"));
    // For standard input, messages do not suggest commands with the name of the file.
    let is_advice = |line: &&str| line.starts_with("utfconv: ") && line.contains("utfconv check");
    let lines = parts.stderr.lines().filter(|line| !is_advice(line)).map(|line| format!("{line}\n"));
    let stderr = lines.collect::<String>().replace("text:", "-:").replace(" (see 'utfconv detect text')", "");
    let as_whole = Ran { stderr, ..parts };
    assert_eq!((as_whole.stdout, as_whole.stderr), (whole.stdout, whole.stderr), "{options}");
}

#[test]
fn parts_of_a_file_are_as_the_bytes_of_a_pipe() {
    let dir = dir_with(&[("text", &faulty())]);
    for mode in ["stop", "replace", "omit", "escape", "surrogateescape", "fallback=windows-1252", "raw"] {
        for rest in ["", "--max-errors=1", "--max-errors=0", "-s", "-t UTF-8 -o /dev/stdout"] {
            compare(dir.path(), &format!("--ill-formed={mode} {rest}"));
        }
    }
    for to in [
        "UTF-16",
        "UTF-16BE",
        "UTF-32LE --output-bom=always",
        "ISO-8859-1",
        "CESU-8",
        "koi8-r",
        "GB18030",
        "WTF-8",
    ] {
        for rest in ["", "-c", "--errors=replace", "--unmappable=translit --ill-formed=replace"] {
            compare(dir.path(), &format!("-t {to} {rest}"));
        }
    }
}

#[test]
fn legacy_text_without_ascii_counts_its_columns() {
    // A line of two-byte characters spans many parts and precedes an error.
    let text =
        ["\n".repeat(3).into_bytes(), b"\xD6\xD0\xCE\xC4".repeat(300), b"\xFF\xFF\n".to_vec()].concat();
    let dir = dir_with(&[("text", &text)]);
    compare(dir.path(), "-f GBK --ill-formed=replace");
    compare(dir.path(), "-f GBK");
    compare(dir.path(), "-f EUC-JP --ill-formed=replace");
    compare(dir.path(), "-f Big5 --ill-formed=omit");
}

#[test]
fn standard_input_continues_at_its_position_and_ends_at_its_end() {
    let dir = dir_with(&[("text", b"0123456789".repeat(50).as_slice())]);
    let script = format!("(dd bs=1 count=7 status=none; $U {SMALL}; echo; cat; echo rest) < text");
    sh(dir.path(), &script).expect(0, [b"0123456789".repeat(50).as_slice(), b"\nrest\n"].concat(), "");
    // Positions in messages count from the file offset at which the program began to read.
    let script = format!(
        "printf '\\377' >> text; (dd bs=1 count=7 status=none >/dev/null; $U {SMALL} -o /dev/null) < text"
    );
    let ran = sh(dir.path(), &script);
    assert!(
        ran.stderr.starts_with("-:1:494: error: invalid UTF-8 (never-used byte) at byte 493: FF"),
        "{}",
        ran.stderr
    );
}

#[test]
fn reads_writes_and_threads_that_fail() {
    let dir = dir_with(&[("text", "日本語\n".repeat(100).as_bytes())]);
    let ran = sh(dir.path(), &format!("$U {SMALL} text > /dev/full"));
    ran.expect(2, "", "utfconv: standard output: write error: No space left on device\n");
    // If a write fails before an error in the text, only the write error is reported.
    let text = ["日本語\n".repeat(100).into_bytes(), b"\xFF".repeat(2000)].concat();
    let faulty = dir_with(&[("text", &text)]);
    let ran = sh(faulty.path(), &format!("$U {SMALL} -s --ill-formed=replace text > /dev/full"));
    ran.expect(2, "", "utfconv: standard output: write error: No space left on device\n");
    // There is memory for only one thread.
    let ran = sh(dir.path(), "ulimit -v 30000; $U -j64 --buffer-size=400 text");
    ran.expect(0, "日本語\n".repeat(100), "");
    if !has("strace") {
        return;
    }
    // Text that was read before a read error is converted.
    let trace = "strace -f -qq -o trace -e trace=pread64 -e inject=pread64";
    let ran = sh(dir.path(), &format!("{trace}:error=EIO:when=4+ $U {SMALL} text; echo status $?"));
    assert!(ran.stderr.contains("text: read error: Input/output error"), "{}", ran.stderr);
    let text = String::from_utf8(ran.stdout).expect("whole characters");
    assert!("日本語\n".repeat(100).starts_with(text.trim_end_matches("status 2\n")), "{text}");
    assert!(text.ends_with("status 2\n"), "{text}");
    let threads = "strace -f -qq -o trace -e trace=clone,clone3 -e inject=clone,clone3:error=EAGAIN";
    let ran = sh(dir.path(), &format!("{threads} $U {SMALL} text"));
    ran.expect(0, "日本語\n".repeat(100), "");
}

/// To count lines, the text before the first error is read again. If that read fails, the failure is reported instead
/// of a wrong line.
#[cfg(target_os = "linux")]
#[test]
fn a_read_error_does_not_make_a_line_wrong() {
    if !has("strace") {
        return;
    }
    let text = "31 bytes and a newline at end..\n".repeat(4000) + "\u{FF}\n";
    let dir = dir_with(&[("f", text.as_bytes()), ("g", &[text.as_bytes(), b"x\xFFy\n"].concat())]);
    let at = dir.path();
    let mut failed = 0;
    for number in (2..60).step_by(3) {
        let inject =
            format!("strace -f -qq -o /dev/null -e trace=pread64 -e inject=pread64:error=EIO:when={number}");
        let ran = sh(at, &format!("{inject} $U -j1 --buffer-size 4096 -c g | cmp - f"));
        let said = ran.stderr;
        let is_told = said.contains("g: read error: Input/output error");
        assert!(
            is_told || said.contains("g:4002:2: error: invalid UTF-8 (never-used byte) at byte 128004"),
            "{number}: {said}"
        );
        failed += usize::from(is_told);
    }
    assert!(failed > 0);
}
