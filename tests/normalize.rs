//! Tests of normalization by the program. The library has its own tests of normalized text.

use utfconv_core::NormalizationForm;

use crate::harness::{dir_with, has, run, sh};

#[test]
fn as_python_has_it() {
    if !has("python3") {
        return;
    }
    let dir = dir_with(&[("make.py", PYTHON.as_bytes())]);
    let ran = sh(
        dir.path(),
        "python3 make.py && for form in nfc nfd nfkc nfkd; do $U --normalize=$form text | cmp - $form || exit; done",
    );
    ran.expect(0, "", "");
}

const PYTHON: &str = r#"
import random, unicodedata
known = [c for c in map(chr, range(0x110000)) if unicodedata.category(c) not in ("Cn", "Cs")]
moving = [c for c in known if unicodedata.combining(c) or unicodedata.decomposition(c)]
random.seed(15)
text = "\n".join(known) + "".join(random.choice(random.choice((known, moving, moving))) for _ in range(500_000))
with open("text", "w", encoding="utf-8", newline="") as file:
    file.write(text)
for form in ("nfc", "nfd", "nfkc", "nfkd"):
    with open(form, "w", encoding="utf-8", newline="") as file:
        file.write(unicodedata.normalize(form.upper(), text))
"#;

#[test]
fn policies_and_places() {
    for (args, source, status, stdout, stderr) in [
        ("--normalize=nfc", "e\u{301}\n", 0, "é\n", ""),
        ("--normalize=NFD", "é\n", 0, "e\u{301}\n", ""),
        ("--normalize=nfkc", "ﬁ²\n", 0, "fi2\n", ""),
        ("--normalize=nfkd", "ế²\n", 0, "e\u{302}\u{301}2\n", ""),
        // A BOM is not part of the text.
        ("--normalize=nfc", "\u{FEFF}\u{301}a", 0, "\u{FEFF}\u{301}a", ""),
        // After normalization, some sequences are mappable, and others stay unmappable.
        (
            "--normalize=nfc -t US-ASCII --unmappable=escape=xml",
            "ae\u{301}",
            0,
            "a&#xE9;",
            "-:1:2: warning: unmappable character at byte 1: 65: U+00E9",
        ),
        (
            "--normalize=nfc -t US-ASCII",
            "xe\u{301}",
            1,
            "x",
            "-:1:2: error: unmappable character at byte 1: 65: U+00E9",
        ),
        (
            "--normalize=nfc -t US-ASCII",
            "x\ne\u{303}",
            1,
            "x\n",
            "-:2:1: error: unmappable character at byte 2: 65: U+1EBD",
        ),
        // An unmappable character that normalization does not change is reported at its own position.
        (
            "--normalize=nfc -t US-ASCII",
            "xq\u{303}",
            1,
            "xq",
            "-:1:3: error: unmappable character at byte 2: CC 83: U+0303",
        ),
        (
            "--normalize=nfc -t US-ASCII --unmappable=omit",
            "xq\u{301}\u{323}y",
            0,
            "xqy",
            "-:1:3: warning: unmappable character at byte 2: CC 81: U+0323",
        ),
        // Replacements of ill-formed bytes are normalized with the text.
        (
            "--normalize=nfc --ill-formed=replace=e",
            "a\u{FF}\u{301}",
            0,
            "aé",
            "-:1:2: warning: invalid UTF-8 (never-used byte) at byte 1: FF",
        ),
        (
            "--normalize=nfc --ill-formed=omit",
            "e\u{FF}\u{301}",
            0,
            "é",
            "-:1:2: warning: invalid UTF-8 (never-used byte) at byte 1: FF",
        ),
        (
            "--normalize=nfc --ill-formed=escape",
            "\u{FF}\u{301}",
            0,
            "\\xFF\u{301}",
            "-:1:1: warning: invalid UTF-8 (never-used byte) at byte 0: FF",
        ),
        (
            "--normalize=nfc",
            "e\u{301}\u{FF}",
            1,
            "é",
            "-:1:3: error: invalid UTF-8 (never-used byte) at byte 3: FF",
        ),
        (
            "--normalize=nfc --ill-formed=replace -t ISO-8859-1",
            "\u{FF}",
            0,
            "?",
            "-:1:1: warning: invalid UTF-8 (never-used byte) at byte 0",
        ),
        // Only the first of two errors is reported, because it stops the conversion.
        (
            "--normalize=nfc -t US-ASCII",
            "xe\u{301}\u{FF}",
            1,
            "x",
            "-:1:2: error: unmappable character at byte 1: 65: U+00E9",
        ),
    ] {
        let source: Vec<u8> = source
            .chars()
            .flat_map(|scalar| match scalar {
                '\u{FF}' => vec![0xFF],
                scalar => scalar.to_string().into_bytes(),
            })
            .collect();
        let args: Vec<&str> = args.split(' ').collect();
        run(&args, &source).expect_part(status, stdout, stderr);
    }
    // Bytes that are copied end a combining sequence.
    run(&["--normalize=nfc", "--ill-formed=raw"], b"e\xFF\xCC\x81").expect(
        0,
        b"e\xFF\xCC\x81",
        "-:1:2: warning: invalid UTF-8 (never-used byte) at byte 1: FF never appears in UTF-8\n\
        utfconv: 1 warning: 1 invalid sequence copied (1 never-used byte)\n",
    );
    run(&["--normalize=nfc", "--errors=surrogateescape"], b"e\xCC\x81\xFFe\xCC\x81").expect(
        0,
        b"\xC3\xA9\xFF\xC3\xA9",
        "-:1:3: warning: invalid UTF-8 (never-used byte) at byte 3: FF never appears in UTF-8\n\
        utfconv: 1 warning: 1 invalid sequence carried (1 never-used byte)\n",
    );
    run(&["--normalize=nfc", "-t", "ISO-8859-1"], "e\u{301}\n").expect(0, b"\xE9\n", "");
    run(&["--normalize=nfc", "-f", "windows-1258"], b"\xE2\xEC").expect(0, "ấ", "");
    // As iconv, the program has no option for normalization.
    run(&["--iconv", "--normalize=nfc"], "").expect(
        64,
        "",
        "iconv: unrecognized option '--normalize=nfc'\n\
        Try `iconv --help' or `iconv --usage' for more information.\n",
    );
}

#[test]
fn a_sequence_that_is_too_long() {
    let mark = "\u{301}";
    let longest = format!("é{}", mark.repeat((NormalizationForm::LONGEST_SEQUENCE - 2) / mark.len()));
    let text = format!("a\n{longest}{mark}");
    run(&["--normalize=nfc"], &text).expect(
        1,
        "a\n",
        "-:2:1: error: sequence too long for NFC at byte 2: C3 A9: more than 1 MiB of text that must be normalized as a whole begin here\n\
        utfconv: stopped; omit --normalize to convert it\n",
    );
}

#[test]
fn files_in_place_and_large_ones() {
    let dir = dir_with(&[
        ("nfd", "e\u{301}\n".as_bytes()),
        ("nfc", "é\n".as_bytes()),
        ("latin1", b"\xE9\n"),
        ("ascii", b"a\n"),
    ]);
    let at = dir.path();
    sh(at, "stat -c %i nfc ascii > i; $U -i -t UTF-8 --normalize=nfc --verify nfd nfc ascii && cat nfd nfc ascii && stat -c %i nfc ascii | cmp - i")
        .expect(0, "é\né\na\n", "utfconv: 1 converted, 2 unchanged, 0 failed; 4 bytes to 3\n");
    // A UTF-8 file is not converted from Latin-1 again, but is normalized.
    sh(at, "$U -i -f latin1 --normalize=nfd --verify nfc latin1 && cat nfc latin1").expect(
        0,
        "e\u{301}\ne\u{301}\n",
        "",
    );
    sh(at, "$U -f utf-8 -t latin1 --output-dir out --normalize=nfc --verify nfc && cat out/nfc")
        .expect(0, b"\xE9\n", "");
    // `--verify` refuses a result that differs from the normalized text.
    sh(at, "printf 'x\\u2260\\n' > f; $U -i -t latin1 --normalize=nfd --unmappable=omit --verify -s f; echo $?; cat f")
        .expect(0, "1\nx\u{2260}\n", "f: not converted: --verify found a difference: the result has no U+0338 at byte 1 (line 1)");
    // The file is large enough to be divided into many parts, if normalization allowed parts.
    let script = "yes \"$(printf 'e\\u301 e\\u323\\u302 \\uAC00\\u11A8')\" | head -c 30000001 > big; $U -c -s -j2 --normalize=nfc big | md5sum > many; $U -c -s --normalize=nfc < big | md5sum | cmp - many; $U -c -s -j2 --normalize=nfc big | head -2";
    sh(at, script).expect(0, "é ệ 각\né ệ 각\n", "");
}

/// `check` reports the same texts, with the same limit for the length of a sequence.
#[test]
fn the_check_agrees() {
    let marks = "\u{301}".repeat(NormalizationForm::LONGEST_SEQUENCE / 2);
    let long = "漢".repeat(100_000);
    let dir = dir_with(&[
        ("good", format!("{long}é{long}é").as_bytes()),
        ("bad", format!("{long}e\u{301}{long}e\u{301}").as_bytes()),
        ("limit", format!("x{}", &marks[2..]).as_bytes()),
        ("longer", format!("xx{marks}").as_bytes()),
    ]);
    let at = dir.path();
    sh(at, "$U check --rule not-nfc --allow control good limit").expect(0, "", "");
    let found =
        sh(at, "$U check --rule not-nfc bad longer 2>/dev/null | grep -o 'not in NFC at byte [0-9]*.*'");
    let text = "65 CC 81: U+0065 U+0301 in NFC is U+00E9 \"é\" [not-nfc]";
    let long = "78 CC 81 CC 81 CC 81 CC 81 ...: the sequence U+0078 U+0301 U+0301 U+0301 ... is too long to check: more than 1 MiB [not-nfc]";
    found.expect(0, format!("not in NFC at byte 300000: {text}\nnot in NFC at byte 600003: {text}\nnot in NFC at byte 1: {long}\n"), "");
}
