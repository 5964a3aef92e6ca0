//! Tests of the command `check`: the files it reads, its reports, and its exit status.

use std::fmt::Write;

#[cfg(target_os = "linux")]
use crate::harness::dir_in_memory;
use crate::harness::{Ran, dir_with, has, run, sh, udhr, write};

const BAD: &[u8] = b"fine\nnot \xC0\xAF and \xE9t\xE9\n";
const BAD_LINES: &str = "\
bad:2:5: error: invalid UTF-8 (non-shortest form) at byte 9: C0 AF: C0 never appears in UTF-8 (overlong form of U+002F \"/\")
bad:2:12: error: invalid UTF-8 (truncated) at byte 16: E9 starts a sequence of 3 bytes, 1 found
bad:2:14: error: invalid UTF-8 (truncated) at byte 18: E9 starts a sequence of 3 bytes, 1 found
";
const BAD_SUMMARY: &str = "utfconv: 3 errors in 1 of 1 file\n";

/// Asserts that status, standard output and standard error are exactly as expected.
#[track_caller]
pub fn assert_ran(ran: &Ran, status: i32, stdout: &str, stderr: &str) {
    let found = (ran.status, String::from_utf8_lossy(&ran.stdout), ran.stderr.as_str());
    assert_eq!(found, (status, stdout.into(), stderr));
}

/// Message of a check without files.
const NO_FILES: &str = "utfconv: warning: no files found: nothing to check\n";

#[test]
fn every_fault_of_every_file() {
    let dir = dir_with(&[("bad", BAD), ("good", b"fine\n"), ("empty", b"")]);
    let at = dir.path();
    assert_ran(&sh(at, "$U check bad"), 1, BAD_LINES, BAD_SUMMARY);
    assert_ran(&sh(at, "$U check good empty"), 0, "", "");
    let all = "utfconv: 3 errors in 1 of 3 files\n";
    for call in ["$U check", "$U check .", "$U check good bad empty", "$U check ./bad ./good empty"] {
        assert_ran(&sh(at, call), 1, BAD_LINES, all);
    }
    assert_ran(&sh(at, "$U check -v good"), 0, "", "utfconv: no error in 1 file\n");
    assert_ran(&sh(at, "$U check -l"), 1, "bad\n", "");
    assert_ran(&sh(at, "$U check -l0"), 1, "bad\0", "");
    assert_ran(&sh(at, "$U check -q"), 1, "", "");
    assert_ran(&sh(at, "$U check -q good"), 0, "", "");
    assert_ran(&sh(at, "$U check < bad -"), 1, &BAD_LINES.replace("bad:", "-:"), BAD_SUMMARY);
    let named = BAD_LINES.replace("bad:", "in/it.txt:");
    assert_ran(&sh(at, "cat bad | $U check --stdin-filename in/it.txt -"), 1, &named, BAD_SUMMARY);
    let named = sh(at, "$U check --stdin-filename in/it.txt < bad");
    assert_eq!(named, sh(at, "$U check --stdin-filename in/it.txt - < bad"));
    let ran = sh(at, "cd .. && $U check $OLDPWD");
    assert_eq!((ran.status, ran.stdout.iter().filter(|byte| **byte == b'\n').count()), (1, 3));
}

#[test]
fn the_status_is_the_worst_of_all() {
    let dir = dir_with(&[("bad", BAD), ("good", b"fine\n")]);
    let at = dir.path();
    for (call, status) in [
        ("good", 0),
        ("bad", 1),
        ("good bad", 1),
        ("missing", 2),
        ("good missing", 2),
        ("bad missing", 2),
        ("missing bad good", 2),
        ("--exit-zero bad", 0),
        ("--exit-zero bad missing", 2),
        ("-q bad", 1),
        ("-q missing good", 2),
        ("-l bad missing", 2),
        ("--format=json good", 0),
        ("--format=json bad", 1),
        ("--format=sarif bad missing", 2),
        ("--nonsense", 2),
        ("--rule nonsense", 2),
        ("--rule bom", 2),
        ("--allow ill-formed", 2),
        ("-f nonsense", 2),
        ("-0 bad", 2),
        ("-l --format=json bad", 2),
        ("--max-errors=x bad", 2),
        ("''", 2),
    ] {
        assert_eq!(sh(at, &format!("$U check {call}")).status, status, "{call}");
    }
    let missing = "utfconv: missing: No such file or directory\n";
    assert_ran(&sh(at, "$U check missing"), 2, "", missing);
    let ran = sh(at, "$U check missing bad ''");
    let summary = "utfconv: 3 errors in 1 of 1 file; 2 could not be read\n";
    let said = format!("{missing}utfconv: '': No such file or directory\n{summary}");
    assert_ran(&ran, 2, BAD_LINES, &said);
}

#[cfg(unix)]
#[test]
fn what_cannot_be_read_is_named_and_counted() {
    if !has("setpriv") {
        return;
    }
    let dir = dir_with(&[("bad", BAD), ("locked", b"x")]);
    let at = dir.path();
    let script = "mkdir closed && touch closed/x && chmod 0 closed locked && chmod 755 . && \
                  if [ $(id -u) = 0 ]; then as='setpriv --reuid=65534 --clear-groups'; fi; $as $U check";
    let ran = sh(at, script);
    sh(at, "chmod 700 closed locked");
    let said = "utfconv: closed: Permission denied\nutfconv: locked: Permission denied\n\
                utfconv: 3 errors in 1 of 1 file; 2 could not be read\n";
    assert_ran(&ran, 2, BAD_LINES, said);
}

/// The report is the same for any number of threads: in the order of arguments, then of names.
#[test]
fn the_order_is_stable() {
    let dir = dir_with(&[]);
    let at = dir.path();
    for number in 0..300 {
        let below = at.join(format!("d{}", number % 7));
        std::fs::create_dir_all(&below).expect("a directory");
        let content: &[u8] = if number % 3 == 0 { b"a\xFFb\xFF" } else { b"fine" };
        std::fs::write(below.join(format!("f{number}")), content).expect("writes");
    }
    let once = sh(at, "$U check -j1 d3 d1/f1 .");
    assert_eq!(once.status, 1);
    let names: Vec<_> = std::str::from_utf8(&once.stdout).expect("text").lines().collect();
    assert_eq!(names.len(), 2 * 100);
    assert!(names[0].starts_with("d3/") && names[30].starts_with("d0/"));
    assert!(names[30..].is_sorted_by_key(|line| line.split(':').next()));
    for threads in [2, 3, 8, 50] {
        assert_eq!(sh(at, &format!("$U check -j{threads} d3 d1/f1 .")), once, "{threads}");
    }
    // A limit keeps the first findings of the report.
    let some = sh(at, "$U check -j8 --max-total=40 d3 d1/f1 .");
    assert_eq!(std::str::from_utf8(&some.stdout).expect("text").lines().collect::<Vec<_>>(), names[..40]);
    assert!(some.stderr.contains("200 errors") && some.stderr.contains("40 listed"), "{}", some.stderr);
}

/// Only -v counts hidden files, because most repositories have some.
#[test]
fn hidden_files_are_counted() {
    let dir = dir_with(&[("a", b"fine\n"), ("b", b"no end"), (".hidden", BAD)]);
    let at = dir.path();
    sh(at, "mkdir .git && cp .hidden .git; $U check").expect(0, "", "");
    let one = "no error in 2 files; 1 hidden file or directory left out (--hidden checks it)";
    sh(at, "$U check -v").expect(0, "", one);
    sh(at, "$U check -v --hidden a b").expect(0, "", "no error in 2 files");
    let fixed = "utfconv: b: fixed\n\
        utfconv: 1 file fixed; no error in 2 files; 2 hidden files or directories left out (--hidden checks them)\n";
    let would_fix = "utfconv: 1 file would be fixed; then no error in 2 files; use --fix without --dry-run to fix; \
        2 hidden files or directories left out (--hidden checks them)\n";
    sh(at, "mkdir .d; cp .hidden .d; $U check -v --fix --dry-run --rule final-newline").expect(
        1,
        "b: would be fixed\n",
        would_fix,
    );
    sh(at, "$U check -v --fix --rule final-newline").expect(0, "", fixed);
    // If no file is found, only the warning has the hidden files.
    let none = format!(
        "{}; hidden files were left out, use --hidden\nutfconv: no error in 0 files\n",
        NO_FILES.trim_end()
    );
    assert_ran(&sh(at, "cd .d && $U check -v"), 0, "", &none);
    sh(at, "$U check -l --hidden").expect(1, ".d/.hidden\n.hidden\n", "");
}

#[test]
fn which_files_of_a_directory() {
    let dir =
        dir_with(&[(".hidden", BAD), ("ignored.o", BAD), (".gitignore", b"*.o\n/build\n"), ("x.tmp", BAD)]);
    let at = dir.path();
    sh(
        at,
        "mkdir -p build sub .git && cp x.tmp build/ && cp x.tmp sub/y.o && cp x.tmp .git/z && echo '*.tmp' > .ignore",
    );
    let nothing = format!(
        "{}; hidden files were left out, use --hidden; ignored files were left out, use --no-ignore\n",
        NO_FILES.trim_end()
    );
    assert_ran(&sh(at, "$U check"), 0, "", &nothing);
    assert_ran(&sh(at, "$U check -l --hidden"), 1, ".hidden\n", "");
    assert_ran(&sh(at, "$U check -l --no-ignore"), 1, "build/x.tmp\nignored.o\nsub/y.o\nx.tmp\n", "");
    let all = ".hidden\nbuild/x.tmp\nignored.o\nsub/y.o\nx.tmp\n";
    assert_ran(&sh(at, "$U check -l --no-ignore --hidden"), 1, all, "");
    // Files given by name are checked even if they are hidden or ignored.
    assert_ran(&sh(at, "$U check -l ignored.o .hidden build"), 1, "ignored.o\n.hidden\n", "");
    // Outside a repository, `.ignore` applies and `.gitignore` does not.
    assert_ran(&sh(at, "rm -r .git; $U check -l"), 1, "ignored.o\nsub/y.o\n", "");
    // In a repository, `.git/info/exclude` and the user's ignore list apply too, also to a check of a subdirectory.
    let lists = "rm .ignore .gitignore; mkdir -p .git/info home/git; export HOME=$PWD/home XDG_CONFIG_HOME=$PWD/home; \
                 echo ignored.o > .git/info/exclude; echo '/sub/*.o' > home/git/ignore";
    let ran = sh(at, &format!("{lists}; unset GIT_CONFIG_GLOBAL; $U check -l; $U check -l sub"));
    let nothing = format!("{}; ignored files were left out, use --no-ignore\n", NO_FILES.trim_end());
    assert_ran(&ran, 0, "build/x.tmp\nx.tmp\n", &nothing);
}

#[cfg(unix)]
#[test]
fn links_and_special_files_of_a_directory() {
    let dir = dir_with(&[("bad", BAD)]);
    let at = dir.path();
    sh(
        at,
        "mkdir d && cd d && ln -s . self && ln -s .. up && ln -s ../bad link && ln -s gone dangling && mkfifo p",
    );
    assert_ran(&sh(at, "timeout 20 $U check d"), 0, "", NO_FILES);
    assert_ran(&sh(at, "$U check -l d/link"), 1, "d/link\n", "");
    assert_ran(&sh(at, "$U check d/dangling"), 2, "", "utfconv: d/dangling: No such file or directory\n");
    assert_ran(&sh(at, "ln -s d/.. here; $U check -l here"), 1, "here/bad\n", "");
    assert_eq!(sh(at, "timeout 20 $U check <(cat bad) | wc -l").stdout, b"3\n");
    assert_ran(&sh(at, "timeout 20 $U check <(echo fine) /dev/null /proc/cpuinfo"), 0, "", "");
    let ran = sh(at, "timeout 20 $U check /dev/urandom");
    assert_eq!((ran.status, ran.stdout.iter().filter(|byte| **byte == b'\n').count()), (1, 1000));
    assert!(ran.stderr.contains("1 file not read to the end"), "{}", ran.stderr);
}

#[test]
fn another_encoding_and_binary_files() {
    let files: [(&str, &[u8]); 6] = [
        ("binary", b"\x7FELF\x02\x01\0\0\xFF\xFE"),
        ("le", b"\xFF\xFEa\0\n\0"),
        ("be", b"\0a\0b\0\n"),
        ("quad", b"a\0\0\0b\0\0\0"),
        ("late", b"text, and a NUL \0 too"),
        ("plain", b"0123456789 are sixteen bytes\n"),
    ];
    let dir = dir_with(&files);
    let at = dir.path();
    let wide = "be:1:1: error: wrong encoding at byte 0: looks like UTF-16BE, not UTF-8; convert it with 'utfconv -i -f UTF-16BE be' [wrong-encoding]\n\
                le:1:1: error: wrong encoding at byte 0: looks like UTF-16LE (begins with FF FE), not UTF-8; convert it with 'utfconv -i -f UTF-16 le' [wrong-encoding]\n\
                quad:1:1: error: wrong encoding at byte 0: looks like UTF-32LE, not UTF-8; convert it with 'utfconv -i -f UTF-32LE quad' [wrong-encoding]\n";
    let summary = "utfconv: 3 errors in 3 of 4 files; 2 binary files skipped\n";
    assert_ran(&sh(at, "$U check"), 1, wide, summary);
    let skipped = "utfconv: binary: binary, skipped\nutfconv: late: binary, skipped\n";
    assert_ran(&sh(at, "$U check -v"), 1, wide, &(skipped.to_string() + summary));
    assert_ran(&sh(at, "rm le be quad; $U check"), 0, "", "");
    let said = format!("{skipped}utfconv: no error in 1 file; 2 binary files skipped\n");
    assert_ran(&sh(at, "$U check -v"), 0, "", &said);
    // Binary files are checked if they are given by name, or with `--binary`.
    assert_ran(&sh(at, "$U check late"), 0, "", "");
    assert_ran(&sh(at, "$U check -l binary"), 1, "binary\n", "");
    assert_ran(&sh(at, "$U check -l --binary=check"), 1, "binary\n", "");
    let nothing = "utfconv: warning: nothing to check: 2 binary files skipped\n";
    assert_ran(&sh(at, "$U check --binary=skip binary late"), 0, "", nothing);
    let faults = "binary:1:1: error: wrong encoding at byte 0: looks binary, not UTF-8: it begins as an ELF executable [wrong-encoding]\n\
                  late:1:17: error: wrong encoding at byte 16: looks binary, not UTF-8: 00 [wrong-encoding]\n";
    let ran = sh(at, "$U check --binary=error");
    assert_ran(&ran, 1, faults, "utfconv: 2 errors in 2 of 3 files\n");
    sh(at, "$U check -l --rule nul late").expect(1, "late\n", "");
    // The message names the format of a known binary file.
    sh(at, "rm *; printf '%%PDF-1.7\\n' > document");
    let line = "document:1:1: error: wrong encoding at byte 0: looks binary, not UTF-8: it begins as a PDF document [wrong-encoding]\n";
    assert_ran(&sh(at, "$U check --binary=error"), 1, line, "utfconv: 1 error in 1 of 1 file\n");
}

/// The suggested command gives the encoding that git's filter requires, and a BOM does not change the encoding.
#[test]
fn declared_utf16_may_have_a_bom() {
    let wide = b"\xFF\xFEG\0r\0\xF6\0\xDF\0\n\0x";
    let dir = dir_with(&[
        (".editorconfig", b"root = true\n[*]\ncharset = utf-16le\n"),
        ("plain", "Größe und Müller\n".as_bytes()),
        ("odd", wide),
    ]);
    let at = dir.path();
    let plain = "plain:1:1: error: wrong encoding at byte 0: looks like UTF-8, not UTF-16LE; convert it with 'utfconv -i -f UTF-8 -t UTF-16LE-BOM plain' [wrong-encoding]\n";
    let error = "utfconv: 1 error in 1 of 1 file\n";
    assert_ran(&sh(at, "$U check plain"), 1, plain, error);
    let without = sh(at, "$U check --rule bom=forbid plain");
    assert_ran(&without, 1, &plain.replace("LE-BOM", "LE"), error);
    assert_ran(&sh(at, "$U -i -f UTF-8 -t UTF-16LE-BOM plain && $U check plain"), 0, "", "");
    let odd = "odd:2:1: error: invalid UTF-16LE (odd length) at byte 12: 78: a single byte at the end; UTF-16LE needs pairs of bytes\n";
    assert_ran(&sh(at, "$U check odd"), 1, odd, error);
}

#[test]
fn other_encodings() {
    let wide = [&b"\xFF\xFE"[..], b"a\0\n\0\x3D\xD8x\0\0\xDE"].concat();
    let dir = dir_with(&[("wide", &wide), ("latin", b"caf\xE9\n"), ("plain", b"plain text, not UTF-16\n")]);
    let at = dir.path();
    let lines = "wide:2:1: error: invalid UTF-16LE (lone high surrogate) at byte 6: 3D D8: high surrogate U+D83D without a low surrogate after it\n\
                 wide:2:3: error: invalid UTF-16LE (lone low surrogate) at byte 10: 00 DE: low surrogate U+DE00 without a high surrogate before it\n";
    assert_ran(&sh(at, "$U check -f UTF-16 wide"), 1, lines, "utfconv: 2 errors in 1 of 1 file\n");
    assert_ran(&sh(at, "$U check -f latin1 latin plain"), 0, "", "");
    let plain = "plain:1:1: error: wrong encoding at byte 0: looks like UTF-8, not UTF-16LE; convert it with 'utfconv -i -f UTF-8 -t UTF-16LE plain' [wrong-encoding]\n";
    assert_ran(&sh(at, "$U check -f UTF-16LE plain"), 1, plain, "utfconv: 1 error in 1 of 1 file\n");
    let bom =
        "wide:1:1: error: forbidden BOM at byte 0: FF FE: UTF-16LE input must not begin with a BOM [bom]\n";
    let ran = sh(at, "head -c6 wide > w; mv w wide; $U check -f UTF-16LE --rule bom=forbid wide");
    assert_ran(&ran, 1, bom, "utfconv: 1 error in 1 of 1 file\n");
    assert_ran(&sh(at, "$U check -f UTF-8-SIG -l plain"), 1, "plain\n", "");
    // U+FEFF is text in UTF-16LE, but still counts as a BOM.
    assert_ran(&sh(at, "$U check -f UTF-16LE --rule inner-bom wide"), 0, "", "");
}

/// Without a limit, the findings of a file are printed early; with a limit, they are printed at the end. The output
/// must be the same.
#[test]
fn findings_that_are_printed_early_are_the_same() {
    let dir = dir_with(&[
        // 49,800 findings, more than three times `MOST_KEPT`, the maximum number kept unpacked. So early printing and
        // packing both happen twice.
        ("many", &b"a\xFF\n\xC0\xAF".repeat(16_600)),
        // The verdict on the encoding replaces the errors or precedes them.
        ("legacy", &b"Gr\xFC\xDFe aus M\xFCnchen, und sch\xF6nes Wetter f\xFCr \xC4lpler\n".repeat(5_600)),
    ]);
    let at = dir.path();
    for options in [
        "many",
        "many --format=json",
        "many --format=gitlab",
        "many --format=sarif",
        "- < many",
        "many --count --stats",
        "legacy",
        "legacy --format=json",
        "legacy --format=sarif",
        "legacy --format=github",
        "legacy --format=junit",
        "many --format=github",
        "many --format=junit",
    ] {
        let call = |limit| sh(at, &format!("$U check {options} --max-errors=0 --max-total={limit}"));
        let (early, late) = (call("0"), call("1000000"));
        assert_eq!((early.status, &early.stderr), (1, &late.stderr), "{options}");
        assert!(early.stdout == late.stdout, "{options}");
        assert_eq!(late.status, 1, "{options}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn findings_of_a_file_without_limits_take_little_memory() {
    let dir = dir_with(&[("many", &[0xFF; 75_000])]);
    for format in ["text", "json", "github", "gitlab", "sarif", "junit"] {
        let check =
            format!("(ulimit -v 42000; $U check -j1 --format={format} --max-errors=0 --max-total=0 many)");
        let ran = sh(dir.path(), &format!("{check} | wc -c; exit ${{PIPESTATUS[0]}}"));
        assert_eq!(ran.status, 1, "{format}: {ran:?}");
        let bytes = String::from_utf8_lossy(&ran.stdout);
        assert!(bytes.trim().parse::<u64>().expect("a number") > 5_000_000, "{format}: {bytes}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn findings_of_several_files_without_limits_take_little_memory() {
    let dir = dir_with(&[("a", &[0xFF; 100_000]), ("b", &[0xFF; 100_000])]);
    let check = "(ulimit -v 60000; $U check -j1 --format=json --max-errors=0 --max-total=0 a b)";
    sh(dir.path(), &format!("{check} | grep -c '^{{\"type\":\"error\"'; exit ${{PIPESTATUS[0]}}")).expect(
        1,
        "200000\n",
        "utfconv: 200000 errors in 2 of 2 files\n",
    );
}

#[test]
fn limits() {
    let dir = dir_with(&[("many", &b"\xFF".repeat(3000)), ("ten", &b"\xFF".repeat(10))]);
    let at = dir.path();
    let lines = |ran: &Ran| ran.stdout.iter().filter(|byte| **byte == b'\n').count();
    for (call, listed, found, rest) in [
        (
            "many",
            1000,
            1001,
            "; 1000 listed; 1 file not read to the end; use --max-errors=0 to list all errors, or --count to count them",
        ),
        (
            "many --count",
            1000,
            3000,
            "; 1000 listed; use --max-errors=0 and --max-total=0 to list all errors",
        ),
        ("many --max-errors=0", 3000, 3000, "\n"),
        ("many --max-errors=5", 5, 6, "; 5 listed; 1 file not read to the end; use "),
        (
            "many --max-errors=5 --count",
            5,
            3000,
            "; 5 listed; use --max-errors=0 and --max-total=0 to list all errors",
        ),
        ("many ten --max-errors=10", 20, 21, "; 20 listed; 1 file not read to the end; use "),
        ("ten --max-errors=10", 10, 10, "\n"),
        ("ten --max-errors=9", 9, 10, "; 9 listed; 1 file not read to the end; use "),
        (
            "many ten --max-errors=0 --max-total=3005",
            3005,
            3010,
            "; 3005 listed; use --max-errors=0 and --max-total=0 to list all errors",
        ),
        ("many ten --max-errors=0 --max-total=0", 3010, 3010, "\n"),
    ] {
        let ran = sh(at, &format!("$U check {call}"));
        assert_eq!((ran.status, lines(&ran)), (1, listed), "{call}");
        let least = if rest.contains("not read to the end") { "at least " } else { "" };
        let said = ran
            .stderr
            .strip_prefix(&format!("utfconv: {least}{found} errors in "))
            .unwrap_or_else(|| panic!("{call}: {}", ran.stderr));
        let (_, said) =
            said.split_once(if said.contains("files") { "files" } else { "file" }).expect("files");
        assert!(said.starts_with(rest), "{call}: {said}");
    }
}

/// The report does not depend on where the buffer ends in the file.
#[test]
fn every_size_of_the_buffer() {
    let mut text = udhr().repeat(2).into_bytes();
    for (number, at) in (0..text.len()).step_by(977).enumerate() {
        text[at] = [0xFF, 0xC3, 0xED, 0x80, 0xF5][number % 5];
    }
    let mut wide = b"\xFF\xFE".to_vec();
    for (number, unit) in udhr().encode_utf16().enumerate() {
        wide.extend_from_slice(&if number % 601 == 0 { 0xDC00 } else { unit }.to_le_bytes());
    }
    let dir = dir_with(&[("text", &text), ("wide", &wide), ("sound", udhr().repeat(3).as_bytes())]);
    let at = dir.path();
    for call in [
        "--max-errors=0 text",
        "-f UTF-16 wide",
        "--rule all --format=json text sound",
        "--rule all -f UTF-16 wide",
        "--stats text sound",
        "sound",
    ] {
        let whole = sh(at, &format!("$U check {call}"));
        for size in [1024, 1025, 1500, 4096, 10007] {
            let ran = sh(at, &format!("$U check --buffer-size={size} {call}"));
            assert_eq!(ran, whole, "{call} {size}");
        }
        // Standard input cannot be read twice.
        let file = call.split(' ').next_back().expect("a name");
        let piped = sh(
            at,
            &format!(
                "cat {file} | $U check --stdin-filename {file} {} -",
                call.replace(" sound", "").replace(file, "")
            ),
        );
        let alone = sh(at, &format!("$U check {} {file}", call.replace(" sound", "").replace(file, "")));
        assert_eq!(piped, alone, "{call}");
    }
}

#[test]
fn what_the_configuration_claims() {
    let config = b"root = true\n[*]\ncharset = utf-8\nend_of_line = lf\ninsert_final_newline = true\n\
                   [*.rc]\ncharset = utf-16le\n[*.sig]\ncharset = utf-8-bom\n";
    let signed = "\u{FEFF}x\n";
    let dir = dir_with(&[
        (".editorconfig", config),
        ("a.txt", b"x\r\ny"),
        ("b.rc", b"\xFF\xFEa\0\n\0"),
        ("c.sig", b"x\n"),
        ("d.txt", signed.as_bytes()),
        ("e.sig", signed.as_bytes()),
        ("f.txt", b"fine\n"),
    ]);
    let at = dir.path();
    let ran = sh(at, "$U check");
    let stdout = String::from_utf8_lossy(&ran.stdout).into_owned();
    let places: Vec<_> = stdout.lines().map(|line| line.splitn(2, " error: ").collect::<Vec<_>>()).collect();
    assert_eq!(places.len(), 4, "{stdout}");
    assert_eq!(places[0][0], "a.txt:1:2:");
    assert_eq!(places[1][0], "a.txt:2:2:");
    assert_eq!(places[2], ["c.sig:1:1:", "missing BOM at byte 0: UTF-8 input must begin with a BOM [bom]"]);
    assert_eq!(places[3][0], "d.txt:1:1:");
    assert_eq!(ran.status, 1);
    // Requirements of the configuration are not checked with `--no-config`, and options override the requirements.
    assert_ran(&sh(at, "$U check -l --no-config"), 1, "b.rc\n", "");
    assert_ran(&sh(at, "$U check -l --allow bom,final-newline,mixed-newlines"), 0, "", "");
    assert_ran(&sh(at, "$U check -l --rule bom=require *.txt"), 1, "a.txt\nf.txt\n", "");
    assert_ran(&sh(at, "$U check -l -f UTF-8 b.rc"), 1, "b.rc\n", "");
    assert_ran(&sh(at, "$U check -l --stdin-filename d.txt - < e.sig"), 1, "d.txt\n", "");
    let ran =
        sh(at, "mkdir d; printf '[*]\\ncharset = klingon\\n' > d/.editorconfig; echo > d/x; $U check d");
    let error = "utfconv: d/.editorconfig: line 2: [*]: charset = klingon: no such encoding; \
        use 'utfconv list' to see all\n";
    assert_ran(&ran, 2, "", error);
    // An error in a section is reported only for files that the section applies to.
    let ran =
        sh(at, "printf '[*.x]\ncharset = klingon\n' > d/.editorconfig; $U check d; echo > d/a.x; $U check d");
    assert_ran(&ran, 2, "", &error.replace("[*]", "[*.x]"));
    // A filter never reads the configuration.
    assert_ran(&sh(at, "$U f.txt"), 0, "fine\n", "");
}

#[test]
fn lists_of_files() {
    let dir = dir_with(&[("bad", BAD), ("good", b"fine\n"), ("two\nlines", b"\xFF")]);
    let at = dir.path();
    assert_ran(&sh(at, "printf 'good\\nbad' | $U check -l --files-from -"), 1, "bad\n", "");
    assert_ran(&sh(at, "printf 'good\\nbad\\n' > l; $U check -l --files-from l good"), 1, "bad\n", "");
    assert_ran(
        &sh(at, "printf 'two\\nlines\\0good\\0' | $U check -l --files0-from=-"),
        1,
        "$'two\\nlines'\n",
        "",
    );
    assert_ran(&sh(at, "printf 'two\\nlines' | $U check -l0 --files0-from=-"), 1, "two\nlines\0", "");
    assert_ran(&sh(at, "printf 'bad\\nbad\\n' | $U check -l --files-from -"), 1, "bad\nbad\n", "");
    let other = "utfconv: -: entry 1 contains a NUL; --files0-from reads such lists\n";
    assert_ran(&sh(at, "printf 'good\\0bad\\0' | $U check --files-from -"), 2, "", other);
    let twice = "standard input can be read only once";
    sh(at, "echo bad | $U check - --files-from -").expect(2, "", twice);
    sh(at, "echo bad | $U check --files0-from - --files-from -").expect(2, "", twice);
    assert_ran(&sh(at, ": | $U check --files-from -"), 0, "", NO_FILES);
    assert_ran(&sh(at, "mkdir d; cp bad d; echo d | $U check -l --files-from -"), 1, "d/bad\n", "");
    let empty = "utfconv: -: entry 2 is empty\n";
    assert_ran(&sh(at, "printf 'good\\0\\0bad' | $U check -l --files0-from=-"), 2, "bad\n", empty);
    let missing = "utfconv: gone: No such file or directory\n";
    assert_ran(&sh(at, "$U check --files-from gone"), 2, "", missing);
    assert_ran(&sh(at, "echo gone | $U check --files-from -"), 2, "", missing);
    let long = "utfconv: -: entry 1 is too long for a name\n";
    assert_ran(&sh(at, "head -c 100000 /dev/zero | tr '\\0' x | $U check --files-from -"), 2, "", long);
    assert_ran(&sh(at, "$U check --files-from ."), 2, "", "utfconv: .: Is a directory\n");
}

#[cfg(unix)]
#[test]
fn odd_names() {
    let dir = dir_with(&[("-", BAD), ("-x", BAD), ("::error::x", BAD), ("x\u{1B}[31m\n::error::y", BAD)]);
    let at = dir.path();
    assert_ran(&sh(at, "$U check -l ./-"), 1, "-\n", "");
    assert_ran(&sh(at, "$U check -l -- -x"), 1, "-x\n", "");
    assert_ran(&sh(at, "$U check - < /dev/null"), 0, "", "");
    let ran = sh(at, "touch $'bad\\xff' && printf '\\xff' > $'bad\\xff'; $U check; $U check --format=github");
    assert_eq!(ran.status, 1);
    let text = String::from_utf8(ran.stdout).expect("UTF-8");
    assert!(!text.contains(|scalar: char| scalar.is_control() && scalar != '\n'), "{text:?}");
    for line in text.lines() {
        let is_command =
            line.starts_with("::error file=") && line.contains("title=ill-formed::invalid UTF-8 (");
        assert!(is_command || !line.trim_start().starts_with("::"), "{line}");
    }
    if has("python3") {
        let read = "import json, sys; assert [json.loads(line) for line in sys.stdin]";
        sh(at, &format!("$U check --format=json | python3 -c '{read}'")).expect(
            0,
            "",
            "13 errors in 5 of 5 files",
        );
    }
}

#[test]
fn a_report_that_cannot_be_written_is_an_error() {
    let dir = dir_with(&[("bad", BAD), ("good", b"fine\n")]);
    let at = dir.path();
    // If nothing is to be printed, an unwritable standard output is no error.
    assert_ran(&sh(at, "$U check good >&-"), 0, "", "");
    assert_ran(&sh(at, "$U check good > /dev/full"), 0, "", "");
    sh(at, "$U check bad >&-").expect(
        2,
        "",
        "utfconv: standard output: write error: Bad file descriptor\nutfconv: 3 errors in 1 of 1 file\n",
    );
    sh(at, "$U check bad > /dev/full").expect(
        2,
        "",
        "utfconv: standard output: write error: No space left on device\n\
        utfconv: 3 errors in 1 of 1 file\n",
    );
    sh(at, "$U check --format=json good > /dev/full").expect(
        2,
        "",
        "standard output: write error: No space left on device",
    );
    assert_eq!(sh(at, "$U check bad 2>&-").status, 1);
    assert_eq!(sh(at, "$U check bad 2> /dev/full").status, 1);
    assert_eq!(sh(at, "$U check missing 2> /dev/full").status, 2);
    let ran = sh(
        at,
        "head -c 300000 /dev/zero | tr '\\0' '\\377' > many; $U check --max-errors=0 many 2>&1 | head -c1; echo ${PIPESTATUS[0]}",
    );
    assert!(ran.stdout.ends_with(b"141\n"), "{ran:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn few_resources() {
    let dir = dir_with(&[]);
    let at = dir.path();
    sh(
        at,
        "mkdir -p a/b/c/d/e/f/g/h; for i in $(seq 40); do echo x > a/b/c/f$i; done; printf '\\xff' > a/b/c/d/e/f/g/h/bad",
    );
    let expected = sh(at, "$U check -j8");
    assert_eq!(expected.status, 1);
    // The limit leaves room for one open file per thread, and for a few open directories of the walk.
    assert_eq!(sh(at, "ulimit -n 24; $U check -j8"), expected);
    if has("strace") {
        let script =
            "strace -f -o /dev/null -e trace=clone,clone3 -e inject=clone,clone3:error=EAGAIN $U check -j8";
        assert_eq!(sh(at, script), expected);
    }
}

/// Offsets in messages have 64 bits.
#[cfg(target_os = "linux")]
#[test]
fn the_last_byte_of_a_huge_file() {
    let dir = dir_in_memory();
    let lines = "z:1:5368709121: error: invalid UTF-8 (never-used byte) at byte 5368709120: FF never appears in UTF-8\n";
    let ran = sh(dir.path(), "truncate -s 5G z; printf '\\xff' >> z; $U check --binary=check z");
    assert_ran(&ran, 1, lines, "utfconv: 1 error in 1 of 1 file\n");
}

#[test]
fn excerpts_colors_and_hints() {
    let dir = dir_with(&[("bad", b"x\ncaf\xE9 \x1B[2J\n")]);
    let at = dir.path();
    let line =
        "bad:2:4: error: invalid UTF-8 (truncated) at byte 5: E9 starts a sequence of 3 bytes, 1 found\n";
    let summary = "utfconv: 1 error in 1 of 1 file\n";
    let excerpt = " 2 | caf<E9> <U+001B>[2J\n   |    ^^^^\n   = hint: in windows-1252, E9 is \"é\"; 'utfconv repair bad' shows what can be repaired\n";
    assert_ran(&sh(at, "$U check bad"), 1, line, summary);
    assert_ran(&sh(at, "$U check --excerpt=always bad"), 1, &format!("{line}{excerpt}"), summary);
    let colored = sh(at, "$U check --color=always bad");
    assert!(
        colored.stdout.starts_with(
            b"\x1B[1mbad:2:4:\x1B[0m \x1B[1;31merror:\x1B[0m invalid UTF-8 (truncated) at byte 5"
        ),
        "{colored:?}"
    );
    assert_ran(&sh(at, "CLICOLOR_FORCE=1 NO_COLOR=1 $U check bad"), 1, line, summary);
    assert_eq!(sh(at, "CLICOLOR_FORCE=1 $U check bad").stdout, colored.stdout);
    if has("script") {
        let shown = sh(at, "TERM=xterm script -qec '$U check bad' /dev/null");
        let shown = String::from_utf8_lossy(&shown.stdout).replace('\r', "");
        assert!(shown.contains("caf<E9>") && shown.contains("\x1B[1;31merror:"), "{shown}");
        let plain = sh(at, "TERM=xterm NO_COLOR=1 script -qec '$U check bad' /dev/null");
        let plain = String::from_utf8_lossy(&plain.stdout).replace('\r', "");
        assert_eq!(plain, format!("{line}{excerpt}{summary}"));
    }
}

#[test]
fn statistics() {
    let dir = dir_with(&[("a", "\u{FEFF}aé日😀\r\nb\rc\n".as_bytes()), ("b", b"x\xFF\n")]);
    let at = dir.path();
    let stats = "files: 2\nbytes: 22\n\
                 characters: 12, without 1 invalid byte; in UTF-8: 9 of 1 byte, 1 of 2 bytes, 1 of 3 bytes, 1 of 4 bytes\n\
                 highest: U+1F600 \"😀\", first at a:1:4 (byte 9)\nscripts: 6 Common, 5 Latin, 1 Han\n\
                 BOMs: 1 UTF-8\nnewlines: 2 LF, 1 CRLF, 1 CR\nerrors: 1 never-used byte\n";
    let ran = sh(at, "$U check --stats");
    assert_eq!(ran.status, 1);
    let (_, found) = std::str::from_utf8(&ran.stdout).expect("text").split_once('\n').expect("an error");
    assert_eq!(found, stats);
    let ran = sh(at, "printf 'é\\n😀\\n' | $U -t UTF-16 > w; $U check --stats -f UTF-16 w");
    assert_eq!(ran.status, 0);
    assert!(
        String::from_utf8_lossy(&ran.stdout)
            .contains("characters: 4; in UTF-8: 2 of 1 byte, 1 of 2 bytes, 1 of 4 bytes"),
        "{ran:?}"
    );
}

#[test]
fn help_and_explanations() {
    let ran = run(&["check", "--help"], "");
    assert!(
        ran.status == 0 && ran.stdout.starts_with(b"Report errors in files by line, column and byte"),
        "{ran:?}"
    );
    run(&["check", "--rule=invisible", "-"], "gr\u{200B}ant\n\u{AD}\u{E0041}x\n").expect(
        1,
        "-:1:3: error: invisible character at byte 2: E2 80 8B: U+200B is ZERO WIDTH SPACE [invisible]\n\
         -:2:1: error: invisible character at byte 9: C2 AD: U+00AD is SOFT HYPHEN [invisible]\n\
         -:2:2: error: invisible character at byte 11: F3 A0 81 81: U+E0041 is a tag [invisible]\n",
        "utfconv: 3 errors in 1 of 1 file\n",
    );
    let mut explained = String::new();
    let all = String::from_utf8(run(&["check", "--explain", "all"], "").stdout).expect("UTF-8");
    assert!(all.lines().count() > 40 && all.contains("\nnul\n  The character U+0000.\n"), "{all}");
    for (at, id) in all.lines().enumerate().filter(|(_, line)| !line.starts_with(' ')) {
        let ran = run(&["check", "--explain", id], "");
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{id}");
        let text = String::from_utf8_lossy(&ran.stdout);
        // `--explain` lists each rule with the first sentence of its explanation.
        let lines = all.lines().skip(at + 1).map_while(|line| line.strip_prefix("  "));
        let sentence = lines.collect::<Vec<_>>().join("\n");
        assert!(
            sentence.len() > 20 && sentence.ends_with('.') && text.starts_with(&sentence),
            "{id} {sentence}"
        );
        write!(explained, "{text}").expect("memory");
        assert!(text.len() > 200, "{id}");
    }
    assert!(explained.lines().all(|line| line.chars().count() <= 78));
    assert!(all.lines().all(|line| line.chars().count() <= 80), "{all}");
    for name in ["auto", "AUTO", "auto:latin1"] {
        let why = "check always looks for the encoding of a file that is in another one; omit -f";
        let why = format!("invalid value '{name}' for '--from-code <ENC>': {why}");
        run(&["check", "-f", name, "-"], "a\n").expect(2, "", &why);
    }
    run(&["check", "--explain", "bdi"], "").expect(
        2,
        "",
        "invalid value 'bdi' for '--explain <ID>': no such rule; did you mean bidi?",
    );
}

/// Escape sequences and lone surrogates take up bytes and columns, but are not text.
#[test]
fn positions_of_bytes_without_a_character() {
    let dir = dir_with(&[
        ("jis", b"\x1B$B0!0!\x1B(B\n\x0B"),
        ("wtf", b"\xED\xA0\x80\x0B"),
        ("imap", b"a&AAs-\x0B"),
    ]);
    let at = dir.path();
    let line = |file: &str, place: &str, byte: u32| {
        format!("{file}:{place}: error: control character at byte {byte}: 0B: U+000B is VT [control]\n")
    };
    let summary = "utfconv: 1 error in 1 of 1 file\n";
    let found = sh(at, "$U check -f ISO-2022-JP --rule control jis");
    assert_ran(&found, 1, &line("jis", "2:1", 11), summary);
    assert_ran(&sh(at, "$U check -f WTF-8 --rule control wtf"), 1, &line("wtf", "1:2", 3), summary);
    let ran = sh(at, "$U check -f WTF-8 --stats wtf");
    assert!(
        String::from_utf8_lossy(&ran.stdout).contains("characters: 1; in UTF-8: 1 of 1 byte\n"),
        "{ran:?}"
    );
    let ran = sh(
        at,
        "$U check -f UTF-7-IMAP --rule control imap; $U check -f UTF-16 --excerpt=always --rule control <(printf '\\xfe\\xff\\0a\\0\\x0b')",
    );
    let text = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(
        text.contains("imap:1:3: error: invalid UTF-7-IMAP (never-used byte) at byte 6:")
            && text.contains("| <U+FEFF>a<U+000B>\n"),
        "{text}"
    );
}

#[test]
fn what_is_typed_and_read_cannot_act_on_a_terminal() {
    let dir = dir_with(&[
        (".gitignore", b"a{\x1B[31mx\n"),
        (".editorconfig", b"[*]\ncharset = \x1B[31m\nx\x1B\n"),
        ("x", b"x\n"),
    ]);
    let ran = sh(
        dir.path(),
        "mkdir .git; $U check; $U check --rule $'\\e[31m'; $U check --explain $'\\e[31m'; $U check --format $'\\e[31m'",
    );
    assert!(!ran.stderr.contains('\x1B') && ran.stderr.contains("warning: "), "{:?}", ran.stderr);
}

/// An ignore list that is too large is not read.
#[test]
fn a_huge_gitignore_is_not_read() {
    let dir = dir_with(&[("x", b"x\n"), ("y.o", b"y\xFF\n")]);
    let at = dir.path();
    let script = "mkdir .git; echo '*.o' > .gitignore; truncate -s 1G .gitignore; ulimit -v 900000; timeout 20 $U check";
    sh(at, script).expect(
        1,
        "y.o:1:2: error: invalid UTF-8 (never-used byte) at byte 1: FF never appears in UTF-8\n",
        "utfconv: warning: ./.gitignore: longer than 1 MiB; its patterns are not used\n\
         utfconv: 1 error in 1 of 2 files\n",
    );
    sh(at, "echo '*.o' > .gitignore; truncate -s 1M .gitignore; $U check").expect(0, "", "");
}

#[cfg(unix)]
#[test]
fn odd_circumstances() {
    let dir = dir_with(&[("deep", b"")]);
    let at = dir.path();
    // The current directory is deleted.
    let ran = sh(at, "mkdir d; cd d; rmdir ../d; echo fine | $U check -");
    assert_eq!(ran.status, 0);
    assert!(
        ran.stderr.contains("the current directory: No such file or directory: no configuration is read"),
        "{ran:?}"
    );
    // The section header has nested braces.
    let braces = format!("[{}x]\ncharset = latin1\n", "{a,".repeat(5000));
    std::fs::write(at.join(".editorconfig"), braces).expect("writes");
    let ran = sh(at, "timeout 20 $U check deep");
    assert!(ran.status <= 2, "{ran:?}");
    // The lines of the list end with CR LF, as on Windows.
    assert_ran(
        &sh(
            at,
            "rm .editorconfig; printf '\\xff' > bad; printf 'deep\\r\\nbad\\r\\n' | $U check -l --files-from -",
        ),
        1,
        "bad\n",
        "",
    );
    // An unreadable configuration is an error.
    let ran =
        sh(at, "rm -f .editorconfig; ln -s .editorconfig .editorconfig; $U check deep; rm .editorconfig");
    assert!(ran.stderr.starts_with("utfconv: .editorconfig: "), "{ran:?}");
    let brackets = "[[[[[[[[[[[[[[[[".repeat(250) + "]\n";
    std::fs::write(at.join(".editorconfig"), brackets.repeat(250)).expect("writes");
    assert!(sh(at, "timeout 20 $U check deep; s=$?; rm .editorconfig; exit $s").status <= 2);
    // A limit that many files exceed does not make the check slow.
    sh(at, "mkdir many; cd many; for i in $(seq 5000); do printf '\\xff' > $i; done");
    let ran = sh(at, "timeout 20 $U check --max-total=1 many");
    assert_eq!((ran.status, ran.stdout.iter().filter(|byte| **byte == b'\n').count()), (1, 1));
    assert!(ran.stderr.contains("5000 errors in 5000 of 5000 files; 1 listed"), "{ran:?}");
    // `-q` stops at the first error, so errors of later files are not reported.
    assert_ran(&sh(at, "$U check -q -j1 bad missing"), 1, "", "");
}

#[test]
fn statistics_are_no_part_of_a_document() {
    let dir = dir_with(&[("x", b"x\n")]);
    let ran = sh(dir.path(), "$U check --stats --format=sarif");
    assert!(
        ran.status == 0 && ran.stdout.ends_with(b"}\n") && ran.stderr.starts_with("files: 1\n"),
        "{ran:?}"
    );
    assert_eq!(sh(dir.path(), "$U check --stats -l").status, 2);
}

#[test]
fn commands_and_long_findings() {
    let dir =
        dir_with(&[("wide", b"\xFF\xFEa\0\n\0"), ("twice", "é".repeat(9000).replace('é', "Ã©").as_bytes())]);
    let at = dir.path();
    let line = "wide:1:1: error: wrong encoding at byte 0: looks like UTF-16LE (begins with FF FE), not UTF-8; convert it with 'utfconv -i -f UTF-16 wide' [wrong-encoding]\n";
    let ran = sh(at, "$U check --excerpt=always wide");
    let text = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(text.starts_with(line), "{text}");
    assert_ran(&sh(at, "$U -f UTF-16 -t UTF-8 -o wide wide && $U check wide"), 0, "", "");
    let ran = sh(at, "$U check --excerpt=always --rule double-encoded twice");
    assert_eq!(ran.status, 1);
    assert!(ran.stdout.len() < 1000, "{}", ran.stdout.len());
    // A file that was read to its end does not count as cut short by a limit.
    let ran = sh(at, "printf 'a\\0b' > n; $U check --rule nul,final-newline --max-errors=1 n");
    assert!(ran.stderr.contains("2 errors in 1 of 1 file; 1 listed"), "{}", ran.stderr);
}

/// A file that is given twice, or is given and also found in a directory, is checked and reported once.
#[test]
fn a_file_counts_once() {
    let dir = dir_with(&[("a", b"\xFF\n"), ("binary", b"\xFF\0"), ("list", b"a\nb\n")]);
    let at = dir.path();
    sh(at, "mkdir d .hidden && cp a b && cp a d && cp a .hidden/h && ln -s a link");
    for (call, names, files) in [
        ("a a", "a\n", 1),
        ("./a a $PWD/a", "a\n", 1),
        (". a", "b\nd/a\na\n", 4),
        ("a .", "a\nb\nd/a\n", 4),
        ("d/a d", "d/a\n", 1),
        ("d . d", "d/a\na\nb\n", 4),
        // A file that a walk would skip is checked if it is given by name.
        (". .hidden .hidden/h", "a\nb\nd/a\n.hidden/h\n", 5),
        (". binary", "a\nb\nd/a\nbinary\n", 5),
        ("a --files-from list", "a\nb\n", 2),
        // A link to a file is a file of its own.
        ("a link", "a\nlink\n", 2),
    ] {
        sh(at, &format!("$U check -l {call}")).expect(1, names, "");
        let (errors, stderr) = (names.lines().count(), sh(at, &format!("$U check {call}")).stderr);
        let counted = |count, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        let total =
            format!("utfconv: {} in {errors} of {}\n", counted(errors, "error"), counted(files, "file"));
        // The summary may continue with the skipped binary file.
        assert!(stderr.starts_with(total.trim_end()), "{call}: {stderr}");
    }
    assert_eq!(sh(at, "$U detect . a a | grep -c ^a:").stdout, b"1\n");
}

#[test]
fn a_check_of_no_files_is_reported() {
    let dir = dir_with(&[("binary", b"a\0b")]);
    let at = dir.path();
    sh(at, "mkdir empty dir && mv binary dir");
    for call in
        ["empty", "-v empty --no-config", "-l empty", "--include='*.txt' dir", "--format=github empty"]
    {
        let ran = sh(at, &format!("$U check {call}"));
        assert!(ran.status == 0 && ran.stderr.starts_with(NO_FILES), "{call}: {ran:?}");
    }
    let skipped = "utfconv: warning: nothing to check: 1 binary file skipped\n";
    sh(at, "$U check dir").expect(0, "", skipped);
    sh(at, "$U check -q empty").expect(0, "", "");
    assert_ran(&sh(at, "$U check gone"), 2, "", "utfconv: gone: No such file or directory\n");
    sh(at, "$U detect empty").expect(0, "", "utfconv: warning: no files found: nothing to detect\n");
    // Messages name the option that includes the files that were left out.
    let hidden = "; hidden files were left out, use --hidden";
    let ignored = "; ignored files were left out, use --no-ignore";
    sh(at, "mkdir -p h/.d i && echo a > h/.a && echo b > h/.d/b && echo c > i/c && echo c > i/.ignore")
        .expect(0, "", "");
    for (command, work) in [
        ("check -l", "check"),
        ("check", "check"),
        ("detect", "detect"),
        ("repair", "repair"),
        ("-i -r", "convert"),
    ] {
        let nothing = format!("utfconv: warning: no files found: nothing to {work}");
        sh(at, &format!("$U {command} h")).expect(0, "", &format!("{nothing}{hidden}\n"));
        sh(at, &format!("$U {command} i h")).expect(0, "", &format!("{nothing}{hidden}{ignored}\n"));
    }
}

#[test]
fn invalid_options_are_refused() {
    let dir = dir_with(&[("a", b"a\n")]);
    for (call, text) in [
        ("--include '[' .", "utfconv: --include: invalid pattern '['"),
        ("--include '' .", "utfconv: --include: invalid pattern ''"),
        (
            "--include '*.txt,*.md' .",
            "utfconv: invalid value '*.txt,*.md' for '--include <GLOB>': a pattern is no list; repeat the option, \
             use braces such as '*.{txt,md}', or write '\\,' for a comma in a name",
        ),
        (
            "--exclude 'a{b,c},d' .",
            "utfconv: invalid value 'a{b,c},d' for '--exclude <GLOB>': a pattern is no list",
        ),
        ("--exclude '{a' .", "utfconv: --exclude: invalid pattern '{a'"),
        ("-f latin1 --rule bom=require a", "utfconv: --rule bom=require: ISO-8859-1 has no BOM"),
        ("--rule nul,nfc a", "utfconv: invalid value 'nfc' for '--rule <ID[=VALUE],...>': no such rule; "),
        ("--rule bom a", "utfconv: invalid value 'bom' for '--rule <ID[=VALUE],...>': bom needs a value"),
        (
            "--allow ill-formed a",
            "utfconv: invalid value 'ill-formed' for '--allow <ID,...>': this rule cannot",
        ),
        ("--explain nfc", "utfconv: invalid value 'nfc' for '--explain <ID>': no such rule; "),
    ] {
        sh(dir.path(), &format!("$U check {call}")).expect_part(2, "", text);
    }
    sh(dir.path(), "$U check -f latin1 --rule bom=require --allow bom a").expect(0, "", "");
    sh(dir.path(), "printf '\\377' > 'b,c'; $U check --exclude 'b\\,c'").expect(0, "", "");
}

/// Messages name the configured encoding, not the detected byte order.
#[test]
fn messages_about_boms_name_the_configured_encoding() {
    let dir = dir_with(&[(".gitattributes", b"*.txt working-tree-encoding=UTF-16\n"), ("a.txt", b"a\0\n\0")]);
    let line = "a.txt:1:1: error: missing BOM at byte 0: UTF-16 input must begin with a BOM [bom]\n";
    sh(dir.path(), "mkdir -p .git; $U check a.txt").expect(1, line, "utfconv: 1 error in 1 of 1 file\n");
}

/// Russian text for windows-1251, where nearly every letter is ill-formed as UTF-8.
const RUSSIAN: &str =
    "Привет, мир! Это русский текст в старой кодировке.\nИ ещё одна строка, чтобы было больше слов.\n";

fn prints(ran: &Ran, text: &str) -> bool {
    String::from_utf8_lossy(&ran.stdout).contains(text)
}

#[test]
fn a_file_in_another_encoding_has_one_verdict() {
    let dir = dir_with(&[("ru", b""), ("good", b"fine\n")]);
    let at = dir.path();
    std::fs::write(at.join("utf8"), RUSSIAN).expect("writes");
    assert_ran(&sh(at, "$U -t windows-1251 utf8 > ru; rm utf8"), 0, "", "");
    let listed = sh(at, "$U check --verbose ru");
    let errors = listed.stdout.iter().filter(|byte| **byte == b'\n').count();
    assert!(errors > 50, "{errors}");
    assert_ran(
        &Ran { stdout: vec![], ..listed },
        1,
        "",
        &format!("utfconv: {errors} errors in 1 of 1 file\n"),
    );
    let verdict = |name: &str, least: &str, count: usize, call: &str| {
        format!(
            "{name}:1:1: error: wrong encoding at byte 0: looks like windows-1251, not UTF-8: {least}{count} errors; \
             convert it with '{call}', or list them with --verbose [wrong-encoding]\n"
        )
    };
    let expected = verdict("ru", "", errors, "utfconv -i -f windows-1251 ru");
    assert_ran(&sh(at, "$U check ru"), 1, &expected, &format!("utfconv: {errors} errors in 1 of 1 file\n"));
    let all = format!("utfconv: {errors} errors in 1 of 2 files\n");
    assert_ran(&sh(at, "$U check"), 1, &expected, &all);
    for call in ["$U check - < ru", "cat ru | $U check -"] {
        let expected = verdict("-", "", errors, "utfconv -f windows-1251");
        assert_ran(&sh(at, call), 1, &expected, &format!("utfconv: {errors} errors in 1 of 1 file\n"));
    }
    // One file is not read to its end, and the other is larger than the buffer.
    let rest = "utfconv: at least 6 errors in 1 of 1 file; 1 file not read to the end; \
                use --count to count all errors\n";
    let expected = verdict("ru", "at least ", 6, "utfconv -i -f windows-1251 ru");
    assert_ran(&sh(at, "$U check --max-errors=5 ru"), 1, &expected, rest);
    let large = std::fs::read(at.join("ru")).expect("reads").repeat(4000);
    std::fs::write(at.join("large"), large).expect("writes");
    let expected = verdict("large", "", errors * 4000, "utfconv -i -f windows-1251 large");
    let summary = format!("utfconv: {} errors in 1 of 1 file\n", errors * 4000);
    assert_ran(&sh(at, "$U check --count large"), 1, &expected, &summary);
    // Standard input cannot be sampled afterwards, so all errors are printed.
    let ran = sh(at, "cat large | $U check --max-errors=0 --max-total=0 -");
    assert_eq!(ran.stdout.iter().filter(|byte| **byte == b'\n').count(), errors * 4000);
    // The command that the message suggests converts the file.
    assert_ran(&sh(at, "$U -i -f windows-1251 ru && cat ru && $U check ru"), 0, RUSSIAN, "");
}

/// The command in the message converts the file, whatever its name is.
#[cfg(unix)]
#[test]
fn commands_of_verdicts_can_be_copied() {
    use std::os::unix::ffi::OsStrExt;
    let dir = dir_with(&[]);
    let at = dir.path();
    std::fs::write(at.join("utf8"), RUSSIAN).expect("writes");
    for name in [
        &b"ru"[..],
        b"-x",
        b"-",
        b"a b",
        b"it's",
        b"$HOME`x`",
        b"a\"b!",
        b"\\",
        b"n\nl",
        b"\xFF",
        b"##[error]x",
        b"::x",
        b"~",
        "\u{fc}".as_bytes(),
    ] {
        let file = at.join(std::ffi::OsStr::from_bytes(name));
        assert_ran(&sh(at, "$U -t windows-1251 -o ru.txt utf8"), 0, "", "");
        std::fs::rename(at.join("ru.txt"), &file).expect("renames");
        let ran = sh(at, "$U check .");
        let text = String::from_utf8(ran.stdout).expect("UTF-8");
        assert!(!text.contains("##["), "{text}");
        let (_, rest) = text.split_once("convert it with 'utfconv ").expect("a command");
        let (call, _) = rest.split_once("', or list them").expect("its end");
        std::fs::write(at.join("call"), format!("$U {call}")).expect("writes");
        let ran = sh(at, "bash call; status=$?; rm call; exit $status");
        assert_ran(&ran, 0, "", "");
        assert_eq!(std::fs::read(&file).expect("reads"), RUSSIAN.as_bytes(), "{call}");
        std::fs::remove_file(file).expect("removes");
    }
}

#[test]
fn a_verdict_has_the_encoding_that_was_expected() {
    let dir = dir_with(&[]);
    let at = dir.path();
    std::fs::write(at.join("ru.xml"), RUSSIAN).expect("writes");
    sh(at, "$U -t windows-1251 ru.xml > ru; printf 'a\\377\\n' >> ru.xml; printf 'Gr\\374n\\n' > one");
    // Few errors in much UTF-8, or a single error, do not give a verdict on the encoding.
    for name in ["ru.xml", "one"] {
        let ran = sh(at, &format!("$U check {name}"));
        assert!(prints(&ran, "invalid UTF-8 ("), "{ran:?}");
    }
    let ran = sh(at, "$U check -f CESU-8 ru");
    assert!(prints(&ran, "convert it with 'utfconv -i -f windows-1251 -t CESU-8 ru'"), "{ran:?}");
    // In a check for ASCII, and in JSON, each error is reported with its position.
    let ran = sh(at, "$U check -f US-ASCII ru");
    assert!(prints(&ran, "invalid US-ASCII (") && !prints(&ran, "looks like"), "{ran:?}");
    let ran = sh(at, "$U check --format=json ru");
    assert!(!prints(&ran, "looks like") && prints(&ran, "\"rule\":\"ill-formed\""), "{ran:?}");
    let of_ru = |certainty: &str, errors: &str, at_least: bool| {
        format!(
            "{{\"type\":\"encoding\",\"path\":{{\"text\":\"ru\"}},\"encoding\":\"windows-1251\",\
            \"certainty\":\"{certainty}\",\"expected\":\"UTF-8\",\"errors\":{errors},\"at_least\":{at_least}}}"
        )
    };
    let text = String::from_utf8_lossy(&ran.stdout);
    let errors = text.matches("\"type\":\"error\"").count();
    assert_eq!(text.lines().next(), Some(&*of_ru("likely", &errors.to_string(), false)));
    let ran = sh(at, "$U check --format=json --max-errors=5 -v ru");
    assert_eq!(String::from_utf8_lossy(&ran.stdout).lines().next(), Some(&*of_ru("likely", "6", true)));
    let ran = sh(at, "$U -t UTF-16 ru.xml --ill-formed=omit -s > w; $U check --format=json w");
    let line = of_ru("certain", "null", false).replace("\"ru\"", "\"w\"").replace("windows-1251", "UTF-16LE");
    assert_eq!(String::from_utf8_lossy(&ran.stdout).lines().next(), Some(&*line));
    for format in ["json", "gitlab"] {
        let ran = sh(at, &format!("$U check --format={format} one ru.xml"));
        assert!(!prints(&ran, "\"type\":\"encoding\""), "{ran:?}");
    }
    for (format, part, count) in [
        ("github", "title=wrong-encoding::wrong encoding at byte 0: looks like windows-1251", 1),
        ("gitlab", "\"check_name\":\"wrong-encoding\"", 1),
        ("sarif", "\"ruleId\":\"wrong-encoding\"", 1),
        // In JUnit, the text occurs twice: in an attribute and in an element.
        ("junit", "1:1: wrong-encoding: ", 2),
    ] {
        let ran = sh(at, &format!("$U check --format={format} ru"));
        let text = String::from_utf8_lossy(&ran.stdout).replace("\": \"", "\":\"");
        assert!(text.contains(part) && text.matches("looks like").count() == count, "{format}: {text}");
        assert!(!text.contains("not listed") && ran.status == 1, "{format}: {text}");
    }
    // Findings of other rules are kept.
    let ran = sh(at, "printf '\\r\\n' >> ru; $U check --rule mixed-newlines ru");
    assert!(prints(&ran, "looks like") && prints(&ran, "[mixed-newlines]"), "{ran:?}");
    assert_eq!(ran.stdout.iter().filter(|byte| **byte == b'\n').count(), 2);
}

#[test]
fn a_declared_code_page_does_not_hide_utf8() {
    let german = "sch\u{f6}n\n".as_bytes();
    let dir = dir_with(&[
        ("utf8", german),
        ("latin", b"sch\xF6n\n"),
        ("ascii", b"a\n"),
        ("mixed", b"\xC3\xB6\xF6\n"),
    ]);
    let at = dir.path();
    let line = "utf8:1:4: error: wrong encoding at byte 3: looks like UTF-8, not windows-1252; convert it with 'utfconv -i -f UTF-8 -t windows-1252 utf8' [wrong-encoding]\n";
    sh(at, "$U check --excerpt=never -f windows-1252 .").expect(
        1,
        line,
        "utfconv: 1 error in 1 of 4 files\n",
    );
    sh(at, "$U check --excerpt=never -f windows-1252 utf8").expect(
        1,
        line,
        "utfconv: 1 error in 1 of 1 file\n",
    );
    write(at, ".editorconfig", "root = true\n[*]\ncharset = latin1\n");
    let ran = sh(at, "$U check --format=json utf8 latin ascii mixed");
    let stdout = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(
        ran.status == 1 && stdout.matches("wrong-encoding").count() >= 1 && !stdout.contains("\"latin\""),
        "{stdout}"
    );
    // The file is correct after the command that the message suggests.
    sh(at, "$U -i -f UTF-8 -t ISO-8859-1 utf8 && $U check utf8 latin").expect(0, "", "");
}

/// Standard input that fits in the buffer is examined like a file, so UTF-8 in a declared code page is found.
#[test]
fn utf8_in_standard_input_is_not_hidden_either() {
    let dir = dir_with(&[("f", "Café\n".as_bytes())]);
    let finding = |name: &str, command: &str| {
        format!(
            "{name}:1:4: error: wrong encoding at byte 3: looks like UTF-8, not ISO-8859-1; convert it with '{command}' \
             [wrong-encoding]\n"
        )
    };
    let summary = "utfconv: 1 error in 1 of 1 file\n";
    let ran = sh(dir.path(), "$U check -f latin1 f");
    assert_ran(&ran, 1, &finding("f", "utfconv -i -f UTF-8 -t ISO-8859-1 f"), summary);
    for input in ["$U check -f latin1 - < f", "cat f | $U check -f latin1 -"] {
        let ran = sh(dir.path(), input);
        assert_ran(&ran, 1, &finding("-", "utfconv -f UTF-8 -t ISO-8859-1"), summary);
    }
    assert_ran(&sh(dir.path(), "printf 'caf\\351\\n' | $U check -f latin1 -"), 0, "", "");
}

#[test]
fn one_rule_alone() {
    let dir = dir_with(&[
        (".editorconfig", b"root = true\n[*]\nend_of_line = lf\ninsert_final_newline = true\n"),
        ("utfconv.toml", b"[check]\nrules = [\"nul\"]\n"),
        ("bad", b"caf\xE9 \r\n\0x"),
        ("bom", b"\xEF\xBB\xBFx\n"),
        ("wide", b"\xFF\xFEa\0\n\0"),
    ]);
    let at = dir.path();
    let blanks =
        "bad:1:5: error: trailing whitespace at byte 4: 20: the line ends with it [trailing-whitespace]\n";
    let one = "utfconv: 1 error in 1 of 1 file\n";
    for options in ["", "--max-errors=1", "--count -j2"] {
        let call = format!("$U check {options} --allow=all --rule=trailing-whitespace --binary=check bad");
        assert_ran(&sh(at, &call), 1, blanks, one);
    }
    let ran = sh(at, "$U check -l --rule bom=forbid --allow all --binary=check bad bom wide");
    assert_ran(&ran, 1, "bom\nwide\n", "");
    assert_ran(&sh(at, "$U check -q --rule bidi --allow all bad bom"), 0, "", "");
    let ran = sh(at, "$U check --rule ill-formed --allow all --binary=check bad");
    let invalid =
        "bad:1:4: error: invalid UTF-8 (truncated) at byte 3: E9 starts a sequence of 3 bytes, 1 found\n";
    assert_ran(&ran, 1, invalid, one);
    for none in ["--allow all", "--rule all --allow all,bom"] {
        let why = "utfconv: --allow=all leaves no rule; name one with --rule, such as --rule=control\n";
        assert_ran(&sh(at, &format!("$U check {none} bad")), 2, "", why);
    }
    // The rule was not checked in a file in another encoding, so the wrong encoding is reported although only that rule
    // is enabled.
    let russian = "printf 'Привет, как дела сегодня у вас? Всё хорошо.\\n' | $U -t windows-1251 > ru";
    let ran = sh(at, &format!("{russian}; $U check --allow=all --rule=bidi ru"));
    assert!(ran.status == 1 && prints(&ran, "looks like windows-1251, not UTF-8: "), "{ran:?}");
    assert!(ran.stderr.ends_with(one), "{ran:?}");
    for options in ["-q", "-l", "--verbose", "--stats"] {
        assert_eq!(sh(at, &format!("$U check {options} --allow=all --rule=bidi ru")).status, 1, "{options}");
    }
    // `--fix` for one rule must report invalid bytes, although it leaves them.
    let ran =
        sh(at, "printf 'a \\n\\xff\\n' > f; $U check --fix --allow=all --rule=trailing-whitespace f; cat f");
    assert!(ran.status == 0 && ran.stdout.ends_with(b"a\n\xFF\n"), "{ran:?}");
    assert!(prints(&ran, "f:2:1: error: invalid UTF-8"), "{ran:?}");
}

#[test]
fn data_in_an_unread_standard_input_is_an_error() {
    let dir = dir_with(&[("good", b"fine\n"), ("empty", b"")]);
    let at = dir.path();
    let error = "utfconv: standard input: not checked; use 'utfconv check -' to check it, or 'utfconv check .' to check \
                 only the current directory\n";
    for call in
        ["$U check < good", "cat good | { sleep 0.3; $U check; }", "$U check -l < good", "$U check -q < good"]
    {
        assert_ran(&sh(at, call), 2, "", error);
    }
    for call in [
        "$U check < empty",
        "$U check < /dev/null",
        "$U check <&-",
        "true | { sleep 0.3; $U check; }",
        // Standard input is an open pipe without a writer that closes it.
        "mkfifo pipe; $U check <> pipe; status=$?; rm pipe; exit $status",
        "$U check . < good",
        "$U check - < good",
        "echo good | $U check --files-from -",
        "$U check --stdin-filename x < good",
    ] {
        assert_ran(&sh(at, call), 0, "", "");
    }
    // As for a hook, git writes the pushed references to standard input.
    if has("git") {
        let call = "git init -q . && git add good && echo refs | { sleep 0.3; $U check --tracked; }";
        assert_ran(&sh(at, call), 0, "", "");
        std::fs::remove_dir_all(at.join(".git")).expect("removes");
    }
    // Findings are reported besides the error about standard input, also in JSON.
    std::fs::write(at.join("bad"), BAD).expect("writes");
    let ran = sh(at, "cat good | { sleep 0.3; $U check; }");
    assert_ran(&ran, 2, BAD_LINES, &format!("{error}utfconv: 3 errors in 1 of 3 files\n"));
    let ran = sh(at, "cat good | { sleep 0.3; $U check --format=json; }");
    assert!(ran.status == 2 && prints(&ran, "\"status\":2") && ran.stderr.starts_with(error), "{ran:?}");
    // Data in a regular file is seen before any file is checked.
    for call in
        ["$U check < good", "$U check --format=json < good", "$U check --fix --rule final-newline < good"]
    {
        assert_ran(&sh(at, call), 2, "", error);
    }
    assert_eq!(std::fs::read(at.join("bad")).expect("reads"), BAD);
    // A standard input that is at its end has no data.
    assert_ran(&sh(at, "rm bad; { cat > /dev/null; $U check; } < good"), 0, "", "");
    assert_eq!(sh(at, "$U check --show-config=good < good").status, 0);
}

/// A binary file that is given by name is a single error, whose message names the option that skips such files. A
/// source file with a NUL is an error even if it was found in a directory.
#[test]
fn named_binary_files_and_sources_with_nul() {
    let program = [b"\x7FELF\x02\x01\x01\0", &[0xFFu8; 500][..]].concat();
    let noise: Vec<u8> = (0..300u32).map(|n| (n * 37 % 256) as u8).collect();
    let dir = dir_with(&[
        ("program", &program),
        ("noise", &noise),
        ("main.c", b"int x;\n\0\n"),
        ("text", b"a\0b\xFF\n"),
    ]);
    let at = dir.path();
    let advice = "; use --binary=skip to skip it, or --binary=check to check it as text [wrong-encoding]\n";
    let one = "utfconv: 1 error in 1 of 1 file\n";
    let error = format!(
        "program:1:1: error: wrong encoding at byte 0: looks binary, not UTF-8: it begins as an ELF executable{advice}"
    );
    assert_ran(&sh(at, "$U check program"), 1, &error, one);
    assert_ran(
        &sh(at, "$U check noise"),
        1,
        &format!("noise:1:1: error: wrong encoding at byte 0: looks binary, not UTF-8: 00{advice}"),
        one,
    );
    assert_ran(
        &sh(at, "$U check --binary=skip program"),
        0,
        "",
        "utfconv: warning: nothing to check: 1 binary file skipped\n",
    );
    assert_eq!(sh(at, "$U check --binary=check program | wc -l").stdout, b"500\n");
    // Text with a NUL is checked.
    let invalid = "text:1:4: error: invalid UTF-8 (never-used byte) at byte 3: FF never appears in UTF-8\n";
    assert_ran(&sh(at, "$U check text"), 1, invalid, one);
    // In a walk, binary files that are not source files are skipped.
    let nul = "main.c:2:1: error: wrong encoding at byte 7: looks binary, not UTF-8: 00 in a source file; use --binary=skip to skip such files [wrong-encoding]\n";
    assert_ran(&sh(at, "$U check"), 1, nul, "utfconv: 1 error in 1 of 1 file; 3 binary files skipped\n");
    assert_ran(
        &sh(at, "$U check --binary=skip"),
        0,
        "",
        "utfconv: warning: nothing to check: 4 binary files skipped\n",
    );
}
