//! Tests of ranges of files: `--range`, `--list-ranges` and `--count-output`, in conversions and in `check`.

use std::path::Path;

use crate::harness::{Ran, dir_with, has, run, sh, udhr};
use crate::random::generator;

/// Runs the program on the file `x` in `dir`.
fn utfconv(dir: &Path, words: &str) -> Ran {
    sh(dir, &format!("$U {words} x"))
}

/// Returns the joined output, and the joined messages about the data, of the parts of a file that is cut at `cuts`.
fn joined(dir: &Path, words: &str, cuts: &[usize], lines: impl Fn(usize) -> usize) -> (Vec<u8>, String) {
    let mut all = (Vec::new(), String::new());
    for part in cuts.windows(2) {
        let [start, end] = [part[0], part[1]];
        let ran = utfconv(dir, &format!("{words} --range {start}:{end} --range-first-line {}", lines(start)));
        assert!(ran.status < 2, "{words} {start}:{end}: {ran:?}");
        all.0.extend(ran.stdout);
        all.1
            .extend(ran.stderr.lines().filter(|line| line.starts_with("x:")).map(|line| format!("{line}\n")));
    }
    all
}

/// Returns random UTF-8 text with errors of every kind.
fn damaged(random: &mut impl FnMut(u64) -> u64) -> Vec<u8> {
    const PIECES: [&[u8]; 18] = [
        b"a",
        b"\r\n",
        b"\n",
        b"\r",
        "é日😀".as_bytes(),
        "\u{FEFF}".as_bytes(),
        "\u{202E}".as_bytes(),
        "\u{FFFE}\u{FFFD}".as_bytes(),
        "\u{85}\0".as_bytes(),
        b"\xFF",
        b"\xE6\x97",
        b"\xED\xA0\xBD\xED\xB8\x80",
        b"\xED\xA0\xBD",
        b"\xC0\xAF",
        b"\xF4\x90\x80\x80",
        b"\xFC\x80\x80\x80\x80\x80",
        b"\x80",
        b"\xF0\x9F\x98",
    ];
    (0..random(40)).flat_map(|_| PIECES[random(PIECES.len() as u64) as usize]).copied().collect()
}

fn cuts(random: &mut impl FnMut(u64) -> u64, len: usize) -> Vec<usize> {
    let mut cuts: Vec<_> = (0..1 + random(4)).map(|_| random(len as u64 + 1) as usize).collect();
    cuts.extend([0, len]);
    cuts.sort_unstable();
    cuts
}

/// Ranges join to the whole conversion. The unit tests cover every encoding, and this test the program.
#[test]
fn ranges_join_to_the_whole() {
    let mut random = generator();
    for words in [
        "-s -t UTF-16 --errors=replace",
        "-t UTF-32BE --errors=escape=percent --newline=crlf --final-newline",
        "-c -t latin1",
        "-t UTF-8 --ill-formed=fallback=ISO-8859-1 --input-bom=strip",
        "check --no-config --rule=nul,replacement-character,noncharacter,control,bidi,inner-bom",
        "check --no-config --rule=bom=require",
    ] {
        for _ in 0..8 {
            let source = damaged(&mut random);
            let dir = dir_with(&[("x", &source)]);
            let whole = utfconv(dir.path(), words);
            let lines = |at: usize| 1 + source[..at].iter().filter(|byte| **byte == b'\n').count();
            let cuts = cuts(&mut random, source.len());
            let (output, messages) = joined(dir.path(), words, &cuts, lines);
            let is_told = |line: &&str| line.starts_with("x:");
            let told: String = whole.stderr.lines().filter(is_told).map(|line| format!("{line}\n")).collect();
            assert_eq!((output, messages), (whole.stdout, told), "{words} {cuts:?} {source:02X?}");
        }
    }
}

#[test]
fn ranges_of_a_file_are_listed() {
    let text = udhr();
    let dir = dir_with(&[("x", text.as_bytes()), ("empty", b""), ("one", "é".as_bytes())]);
    let whole = utfconv(dir.path(), "-t UTF-16");
    if !has("python3") {
        return;
    }
    for (list, read) in [
        ("--list-ranges 7", "xargs -I{}"),
        ("--list-ranges 7 -0", "xargs -0 -I{}"),
        (
            "--list-ranges 7 --format=json",
            "python3 -c 'import json, sys
for part in json.load(sys.stdin): print(\"%(start)d:%(end)d\" % part)' | xargs -I{}",
        ),
    ] {
        let script = format!("set -o pipefail; $U {list} x | {read} $U -t UTF-16 --range {{}} x");
        sh(dir.path(), &script).expect(0, &whole.stdout, "");
        let count = sh(dir.path(), &format!("$U {list} x | {read} echo {{}} | wc -l"));
        count.expect(0, "7\n", "");
        let script = format!(
            "$U {list} x | {read} $U -t UTF-16 --count-output --range {{}} x | awk '{{ sum += $1 }} END {{ print sum }}'"
        );
        sh(dir.path(), &script).expect(0, format!("{}\n", whole.stdout.len()), "");
    }
    sh(dir.path(), "$U --list-ranges 3 empty").expect(0, "0:0\n", "");
    sh(dir.path(), "$U --list-ranges 3 one").expect(0, "0:2\n", "");
    sh(dir.path(), "$U --list-ranges 2 --format=json < one").expect(0, "[{\"start\":0,\"end\":2}]\n", "");
    sh(dir.path(), "$U --list-ranges 2 missing").expect(2, "", "missing: No such file or directory");
    sh(dir.path(), "$U --list-ranges 2 < /dev/null").expect(
        2,
        "",
        "-: not a regular file; ranges require a regular file",
    );
    sh(dir.path(), "cat x | $U --list-ranges 2").expect(
        2,
        "",
        "-: not a regular file; ranges require a regular file",
    );
}

#[test]
fn a_range_is_of_characters_that_start_in_it() {
    let dir = dir_with(&[("x", "aé日😀z".as_bytes()), ("u", b"\xFE\xFF\0a\xD8\x3D\xDE\0\0z")]);
    for (range, text) in [
        ("0:1", "a"),
        ("1:2", "é"),
        ("2:3", ""),
        ("2:4", "日"),
        ("3:7", "日😀"),
        (":", "aé日😀z"),
        ("6:", "😀z"),
        (":6", "aé日"),
        ("10:11", "z"),
        ("11:11", ""),
        ("11:99", ""),
        ("7:99", "z"),
    ] {
        utfconv(dir.path(), &format!("--range {range}")).expect(0, text, "");
        sh(dir.path(), &format!("$U --range {range} < x")).expect(0, text, "");
        sh(dir.path(), &format!("$U --mmap=always --range {range} x")).expect(0, text, "");
        let count = format!("{}\n", text.len());
        utfconv(dir.path(), &format!("--count-output --range {range}")).expect(0, count, "");
    }
    // The BOM sets the byte order of every range, and belongs to the first range.
    for (range, text) in [("0:2", ""), ("2:4", "a"), ("3:5", "😀"), ("5:", "z")] {
        sh(dir.path(), &format!("$U -f UTF-16 --range {range} u")).expect(0, text, "");
    }
    // The first range writes the BOM, even if another range has the first text.
    sh(dir.path(), "$U -f UTF-16 -t UTF-16BE --output-bom=always --range 0:1 u").expect(0, b"\xFE\xFF", "");
    sh(dir.path(), "$U -f UTF-16 -t UTF-16BE --output-bom=always --range 2:4 u").expect(0, b"\0a", "");
    sh(dir.path(), "head -c2 u > mark; $U -f UTF-16 -t UTF-16BE --output-bom=always --range 0:1 mark")
        .expect(0, "", "");
}

/// Line numbers are reported if known. Offsets count from the start of the file.
#[test]
fn places_in_messages() {
    let dir = dir_with(&[("x", b"a\nb\xFFc\nd\xFE\n")]);
    let said = utfconv(dir.path(), "--ill-formed=omit --range 3:");
    said.expect(
        0,
        "c\nd\n",
        "x: warning: invalid UTF-8 (never-used byte) at byte 3: FF never appears in UTF-8\n\
        x: warning: invalid UTF-8 (never-used byte) at byte 7: FE never appears in UTF-8\n\
        utfconv: 2 warnings: 2 invalid sequences omitted (2 never-used byte)\n",
    );
    assert!(said.stderr.contains("x: warning: invalid UTF-8 (never-used byte) at byte 7: "), "{said:?}");
    let said = utfconv(dir.path(), "--ill-formed=omit --range 3: --range-first-line 2");
    said.expect(
        0,
        "c\nd\n",
        "x:2:2: warning: invalid UTF-8 (never-used byte) at byte 3: FF never appears in UTF-8\n\
        x:3:2: warning: invalid UTF-8 (never-used byte) at byte 7: FE never appears in UTF-8\n\
        utfconv: 2 warnings: 2 invalid sequences omitted (2 never-used byte)\n",
    );
    assert!(said.stderr.contains("x:3:2: warning: invalid UTF-8 (never-used byte) at byte 7: "), "{said:?}");
    utfconv(dir.path(), "--range 3:").expect(1, "", "x: error: invalid UTF-8 (never-used byte) at byte 3: FF never appears in UTF-8\n\
        utfconv: stopped; use --ill-formed=MODE to continue, or -f to name another encoding (see 'utfconv detect x')\n");
    utfconv(dir.path(), "--ill-formed=omit --range 0:6").expect(
        0,
        "a\nbc\n",
        "x:2:2: warning: invalid UTF-8 (never-used byte) at byte 3: FF never appears in UTF-8\n\
        utfconv: 1 warning: 1 invalid sequence omitted (1 never-used byte)\n",
    );
    let said = utfconv(dir.path(), "check --range 4:");
    said.expect(
        1,
        "x: error: invalid UTF-8 (never-used byte) at byte 7: FE never appears in UTF-8\n",
        "1 error in 1 of 1 file",
    );
    let said = utfconv(dir.path(), "check --format=json --range 4:");
    assert!(
        said.stdout
            .starts_with(br#"{"type":"error","path":{"text":"x"},"line":null,"column":null,"offset":7,"#)
    );
    utfconv(dir.path(), "check --range 4:7").expect(0, "", "");
    // To count columns, a long line is read from its start.
    let long = [b"\n".to_vec(), "é".repeat(100_000).into_bytes(), b"\xFF\n".to_vec()].concat();
    std::fs::write(dir.path().join("x"), long).expect("writes");
    utfconv(dir.path(), "--range 200001: --range-first-line 2").expect(
        1,
        "",
        "x:2:100001: error: invalid UTF-8 (never-used byte) at byte 200001: FF never appears in UTF-8\n\
        utfconv: stopped; use --ill-formed=MODE to continue, or -f to name another encoding (see 'utfconv detect x')\n",
    );
}

/// A fallback may combine bytes that the encoding separates. An unmappable character from a fallback stops the
/// conversion, but must not stop the counting of columns.
#[test]
fn places_where_a_fallback_reads() {
    let dir = dir_with(&[
        ("x", b"x\xC3\xA9abcdef\xE9z\n"),
        (
            "korean",
            b"\x16\x80\xC15My\x70iA\x06\xC0D~F_D4\xEBH\x93q\xDA\x9D\xCB\xFA\xF6\xB6'w\x9A\x89\x8Ar\xEB!(Vr\xE4",
        ),
    ]);
    let options = "-t US-ASCII --ill-formed=fallback=ISO-8859-1";
    utfconv(dir.path(), &format!("{options} --range 5: --range-first-line 1")).expect(
        1,
        "cdef",
        "x:1:9: error: unmappable character at byte 9: E9: U+00E9 \"é\" cannot be encoded in US-ASCII\n\
        utfconv: stopped; use --unmappable=MODE to continue, or -t to name another encoding\n",
    );
    let options = "-f CP949 -t UTF-16BE --ill-formed=fallback=windows-1252 --unmappable=replace";
    let [whole, part] = ["", "--range 27: --range-first-line 1"].map(|range| {
        let said = sh(dir.path(), &format!("$U {options} {range} korean")).stderr;
        said.lines().filter(|line| line.starts_with("korean:1:")).map(str::to_string).collect::<Vec<_>>()
    });
    assert_eq!(part, whole[5..]);
}

/// EBCDIC with double-byte characters is cut only in its initial shift state.
#[test]
fn ebcdic_with_double_bytes() {
    let text: String = (0..3000).map(|number| format!("{number:05} 日本語の文章、カタカナ\n")).collect();
    let source = run(&["-t", "IBM1390"], text.as_bytes()).stdout;
    let dir = dir_with(&[("host", &*source)]);
    let parts = "for range in $($U --list-ranges 5 -f IBM1390 host | cut -f 1); do $U -f IBM1390 --range $range host; done";
    sh(dir.path(), parts).expect(0, text.as_str(), "");
    sh(dir.path(), "$U --list-ranges 5 -f IBM1390 host | wc -l").expect(0, "5\n", "");
    sh(dir.path(), "$U check -f IBM1390 --range 40000:60000 --format=json host >/dev/null").expect(0, "", "");
}

/// Ranges that cannot be joined to the whole, or that are of several files, are refused.
#[test]
fn invalid_ranges_are_refused() {
    let dir = dir_with(&[("x", b"abc"), ("y", b"abc")]);
    for (words, why) in [
        ("-f UTF-7 --range 0:1", "UTF-7, which has shift states"),
        ("-t ISO-2022-JP --range 0:1", "ISO-2022-JP, which has shift states"),
        ("-t UTF-7 --list-ranges 2", "UTF-7, which has shift states"),
        (
            "--ill-formed=fallback=Shift_JIS --range 0:1",
            "a character of Shift_JIS may cross a range boundary",
        ),
        ("--ill-formed=fallback=windows-1258 --range 0:1", "windows-1258 may cross"),
        ("-f UTF-16 -t UTF-8 --errors=c8 --range 0:1", "UTF-8-C8 carriers in UTF-16"),
        ("--stats --range 1:2", "give the line of byte A with --range-first-line=N"),
        ("check --stats --range 1:2", "give the line of byte A with --range-first-line=N"),
        ("-f auto --range 0:1", "ranges require a named input encoding"),
        ("--range 0:1 y", "ranges work on one FILE only"),
        ("--range 0:1 --range 1:2", "--range can be given only once; use a run for each range"),
        ("check --range 0:1 --range 1:2", "--range can be given only once; use a run for each range"),
        ("inspect --range 0:1 --range 1:2", "--range can be given only once; use a run for each range"),
        ("--list-ranges 2 y", "ranges work on one FILE only"),
        ("-i --range 0:1", "converts whole files"),
        ("-i --count-output", "converts whole files"),
        ("--count-output -o z", "cannot be used with"),
        (
            "--range 1",
            "expected A:B (byte offsets), such as 0:1000; --list-ranges N prints ranges that make up a file",
        ),
        ("--range 2:1", "1 is before 2"),
        ("--range 0:1 --range-first-line 2", "byte 0 is in line 1"),
        ("check --range 0:1 --range-first-line 2", "byte 0 is in line 1"),
        ("--normalize=nfc --range 0:1", "ranges cannot be used with --normalize"),
        ("--list-ranges 2 --stats", "cannot be used with"),
        (
            "--range x:2",
            "expected A:B (byte offsets), such as 0:1000; --list-ranges N prints ranges that make up a file",
        ),
        ("--range 99999999999999999999:", "is too large"),
        ("--range 4:", "the range starts at byte 4, but the file ends at 3"),
        ("--range-first-line 3", "--range"),
        ("-0", "--null requires --list-ranges"),
        ("-0 --range 0:1", "--null requires --list-ranges"),
        ("--format=json --count-output", "--format requires --list-ranges"),
        ("--list-ranges 2 --range-first-line 2", "--range-first-line requires --range"),
        ("check --range-first-line 3", "--range-first-line requires --range"),
        ("--list 1252", "use 'utfconv list PATTERN'"),
        ("--list --format=json", "or 'utfconv list --format=json'"),
        ("-f latin1 --iconv", "--iconv must be the first argument"),
        ("--out=x", "'--out' is ambiguous: --output-bom, --output, --output-dir, --output-records"),
        ("check -l --target latin1", "'--files-with-errors' cannot be used with '--target"),
        ("check --range 0:1 y", "ranges work on one FILE only"),
        ("check -f UTF-7 --range 0:1", "UTF-7, which has shift states"),
        ("check --rule not-nfc --range 0:1", "the rule not-nfc needs the whole file"),
        ("check --rule final-newline --range 0:1", "the rule final-newline needs the whole file"),
        ("check --rule mixed-newlines --range 0:1", "the rule mixed-newlines needs the whole file"),
        ("check --rule double-encoded --range 0:1", "the rule double-encoded needs the whole file"),
        ("check --format=sarif --range 1:2", "give the line of byte A with --range-first-line=N"),
        ("check --range 4:", "the file ends at 3"),
    ] {
        let ran = utfconv(dir.path(), words);
        assert!(ran.status == 2 && ran.stdout.is_empty() && ran.stderr.contains(why), "{words}: {ran:?}");
    }
    sh(dir.path(), "cat x | $U --range 0:1").expect(
        2,
        "",
        "-: not a regular file; ranges require a regular file",
    );
    sh(dir.path(), "$U check --range 0:1 .").expect(
        2,
        "",
        ".: not a regular file; ranges require a regular file",
    );
    if cfg!(target_os = "linux") {
        for words in ["--range 0:1", "--list-ranges 2", "check --range 0:1"] {
            sh(dir.path(), &format!("mkfifo p; timeout 9 $U {words} p")).expect_part(
                2,
                "",
                "p: not a regular file",
            );
            let why = "its length is unknown; ranges require a known length";
            sh(dir.path(), &format!("$U {words} /proc/version")).expect_part(2, "", why);
        }
    }
    run(&["--range", "0:1", "no-such"], "").expect(2, "", "no-such: No such file or directory");
}

/// The first bytes of a file decide whether it seems to be in another encoding, so only their range reports it.
#[test]
fn only_the_first_range_reports_another_encoding() {
    let text: Vec<u8> = "plain text\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let dir = dir_with(&[("x", &[b"\xFF\xFE", &text[..]].concat())]);
    let first = utfconv(dir.path(), "check --range 0:4");
    assert!(
        first.status == 1
            && first.stdout.starts_with(b"x:1:1: error: wrong encoding at byte 0: looks like UTF-16"),
        "{first:?}"
    );
    utfconv(dir.path(), "check --range 4:").expect(0, "", "");
}

/// Ranges near the end of a large file are found with all threads and with one thread.
#[test]
fn ranges_of_large_files() {
    let dir = dir_with(&[]);
    let line = "Ein Satz mit Umläuten, 日本語 und 😀.\r\n";
    let text = line.repeat((20 << 20) / line.len());
    std::fs::write(dir.path().join("x"), &text).expect("writes");
    for options in ["-t UTF-16LE", "-t UTF-16LE --newline=lf", "-t UTF-8 -j1"] {
        let whole = utfconv(dir.path(), options);
        let script = format!(
            "set -o pipefail; $U --list-ranges 3 x | xargs -I{{}} $U {options} --range {{}} x > joined && echo done"
        );
        sh(dir.path(), &script).expect(0, "done\n", "");
        let joined = std::fs::read(dir.path().join("joined")).expect("reads");
        assert!(joined == whole.stdout && whole.status == 0, "{options}: {} bytes", joined.len());
    }
}
