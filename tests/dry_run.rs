//! Tests of `--dry-run`: it reports everything that a conversion would change or lose, and writes nothing.

use crate::harness::{dir_with, sh};

const EUROS: &str = "5 €\n„so“\n";

/// Without `-i`, all errors are reported, not only the first, at which the conversion would stop.
#[test]
fn a_conversion_that_writes_nothing() {
    let dir = dir_with(&[
        ("euros", EUROS.as_bytes()),
        ("old", b"caf\xE9\r\n"),
        ("bom", b"\xEF\xBB\xBFa\r\nb"),
        ("big", b"\xFE\xFF\0a\0\n"),
        ("plain", b"a\n"),
    ]);
    let at = dir.path();
    let unmappable = |severity: &str| {
        [("1:3", "2: E2 82 AC: U+20AC \"€\""), ("2:1", "6: E2 80 9E: U+201E \"„\""), ("2:4", "11: E2 80 9C: U+201C \"“\"")]
            .map(|(place, bytes)| {
                format!("euros:{place}: {severity}: unmappable character at byte {bytes} cannot be encoded in ISO-8859-1\n")
            })
            .concat()
    };
    let found = unmappable("error") + "utfconv: 3 errors: 3 unmappable characters found\n";
    let omitted = |severity: &str| {
        unmappable(severity) + &format!("utfconv: 3 {severity}s: 3 unmappable characters omitted\n")
    };
    let converted = "euros: would be converted from UTF-8 to ISO-8859-1, 15 to 6 bytes\n";
    let stops = "euros: the conversion to ISO-8859-1 would stop at the first of 3 errors\n";
    for (words, status, stdout, stderr) in [
        ("-t latin1 euros", 1, stops, found.clone()),
        ("-t latin1 -o out euros", 1, stops, found.clone()),
        ("-s -t latin1 euros", 1, stops, String::new()),
        (
            "-t latin1 plain euros",
            1,
            "plain, euros: the conversion to ISO-8859-1 would stop at the first of 3 errors\n",
            found,
        ),
        ("-t latin1 --unmappable=omit euros", 0, converted, omitted("warning")),
        ("-c -t latin1 euros", 1, converted, omitted("error")),
        (
            "old",
            1,
            "old: the conversion to UTF-8 would stop at 1 error\n",
            "old:1:4: error: invalid UTF-8 (truncated) at byte 3: E9 starts a sequence of 3 bytes, 1 found\n\
             utfconv: 1 error: 1 invalid sequence found (1 truncated)\n"
                .to_string(),
        ),
        (
            "-f latin1 old",
            0,
            "old: would be converted from ISO-8859-1 to UTF-8, 6 to 7 bytes\n",
            String::new(),
        ),
        ("-f latin1 < old", 0, "-: would be converted from ISO-8859-1 to UTF-8, 7 bytes\n", String::new()),
        ("plain", 0, "plain: would stay the same\n", String::new()),
        ("-o plain plain", 0, "plain: would stay the same\n", String::new()),
        ("--newline=lf bom", 0, "bom: would be changed: newlines to LF, 7 to 6 bytes\n", String::new()),
        (
            "-t latin1 plain plain",
            0,
            "plain: would be converted from UTF-8 to ISO-8859-1\nplain: would be converted from UTF-8 to ISO-8859-1\n",
            String::new(),
        ),
        ("missing", 2, "", "utfconv: missing: No such file or directory\n".to_string()),
    ] {
        let ran = sh(at, &format!("$U --dry-run {words}"));
        assert_eq!(
            (ran.status, &*String::from_utf8_lossy(&ran.stdout), &*ran.stderr),
            (status, stdout, &*stderr),
            "{words}"
        );
    }
    sh(at, "ls; cat euros").expect(0, format!("big\nbom\neuros\nold\nplain\n{EUROS}"), "");
    sh(at, "$U --dry-run --range 0:1 plain").expect(2, "", "--dry-run works on whole inputs, not on ranges");
}

/// If the encoding stays the same, the preview lists the other changes.
#[test]
fn changes_in_words() {
    let dir = dir_with(&[
        ("bom", b"\xEF\xBB\xBFa\r\nb"),
        ("crlf", b"a\r\nb"),
        ("be", b"\xFE\xFF\0a\0\n"),
        ("old", b"caf\xE9\r\n"),
        ("nfd", "e\u{301}\n".as_bytes()),
        ("same", b"a\n"),
    ]);
    let at = dir.path();
    for (words, stdout) in [
        ("--output-bom=never bom", "bom: would be changed: BOM removed, 7 to 4 bytes\n"),
        (
            "--output-bom=never --newline=lf bom",
            "bom: would be changed: BOM removed, newlines to LF, 7 to 3 bytes\n",
        ),
        ("--output-bom=always same", "same: would be changed: BOM added, 2 to 5 bytes\n"),
        // A requested property that the file already has is not listed as a change.
        ("--output-bom=never --newline=lf crlf", "crlf: would be changed: newlines to LF, 4 to 3 bytes\n"),
        (
            "--newline=crlf --final-newline crlf",
            "crlf: would be changed: final newline added, 4 to 6 bytes\n",
        ),
        ("--normalize=nfc nfd", "nfd: would be changed: text in NFC, 4 to 3 bytes\n"),
        (
            "-f UTF-16 -t UTF-16 be",
            "be: would be changed: byte order from UTF-16BE to UTF-16LE, 6 to 6 bytes\n",
        ),
        ("-f UTF-16 -t UTF-8 be", "be: would be converted from UTF-16 to UTF-8, 6 to 2 bytes\n"),
    ] {
        if cfg!(target_endian = "big") && words.contains("-t UTF-16") {
            continue;
        }
        sh(at, &format!("$U -i --dry-run {words}")).expect(0, stdout, "");
    }
    sh(at, "$U -i -v --newline=lf crlf 2>&1; cat crlf").expect(
        0,
        "utfconv: crlf: changed: newlines to LF, 4 to 3 bytes\n\
         utfconv: 1 converted, 0 unchanged, 0 failed; 4 bytes to 3\na\nb",
        "",
    );
    // The options for many files preview the result of -i.
    sh(at, "rm be old; $U -r --dry-run --newline=lf .; $U -r --newline=lf .").expect(
        2,
        "bom: would be changed: newlines to LF, 7 to 6 bytes\n",
        "utfconv: 1 would be converted, 3 unchanged, 0 failed; 7 bytes to 6\n\
         utfconv: -r requires --in-place or --output-dir\n",
    );
}
