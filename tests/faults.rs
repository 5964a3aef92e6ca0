//! Tests of error messages: position, bytes, kind and sentence.

use crate::harness::{dir_with, has, hex, run, sh, skip};

#[test]
fn messages_name_position_bytes_and_reason() {
    for (from, to, bytes, message) in [
        (
            "UTF-8",
            "UTF-8",
            "61 0A 62 C0 AF",
            "-:2:2: error: invalid UTF-8 (non-shortest form) at byte 3: C0 AF: C0 never appears in UTF-8 (overlong form of U+002F \"/\")",
        ),
        (
            "UTF-8",
            "UTF-8",
            "C3 A9 FF",
            "-:1:2: error: invalid UTF-8 (never-used byte) at byte 2: FF never appears in UTF-8",
        ),
        ("UTF-8", "UTF-8", "E0 80 AF", "E0 80 AF: overlong form of U+002F \"/\""),
        ("UTF-8", "UTF-8", "E0 80", "E0 80: begins an overlong form, and is cut short"),
        (
            "UTF-8",
            "UTF-8",
            "ED A0 BD ED B8 80",
            "ED A0 BD: surrogate U+D83D is not a scalar value; with the next three bytes a CESU-8 pair for U+1F600",
        ),
        ("UTF-8", "UTF-8", "ED A0 BD 41", "ED A0 BD: surrogate U+D83D is not a scalar value\n"),
        ("UTF-8", "UTF-8", "F4 90 80 80", "F4 90 80 80: U+110000 is above U+10FFFF"),
        (
            "UTF-8",
            "UTF-8",
            "F8 88 80 80 80",
            "F8 never appears in UTF-8 (it led the five-byte form of RFC 2279)",
        ),
        ("UTF-8", "UTF-8", "E1 A0 20", "E1 A0: E1 starts a sequence of 3 bytes, 2 found"),
        ("UTF-8", "UTF-8", "80", "80: continuation byte without a lead byte"),
        ("UTF-16BE", "UTF-8", "D8 3D 00 41", "D8 3D: high surrogate U+D83D without a low surrogate after it"),
        ("UTF-16LE", "UTF-8", "00 DE", "00 DE: low surrogate U+DE00 without a high surrogate before it"),
        (
            "UTF-16LE",
            "UTF-8",
            "41 00 42",
            "invalid UTF-16LE (odd length) at byte 2: 42: a single byte at the end",
        ),
        (
            "UTF-16LE",
            "UTF-8",
            "3D D8 00",
            "3D D8 00: a single byte at the end, after the high surrogate U+D83D",
        ),
        ("UTF-32BE", "UTF-8", "00 00 D8 00", "00 00 D8 00: surrogate U+D800 is not a scalar value"),
        ("UTF-32BE", "UTF-8", "00 11 00 00", "00 11 00 00: U+110000 is above U+10FFFF"),
        ("UTF-32BE", "UTF-8", "00 00 00", "00 00 00: the text ends with 3 of the 4 bytes of a code unit"),
        (
            "CESU-8",
            "UTF-8",
            "F0 9F 98 80",
            "F0 never appears in CESU-8 (it leads the four-byte form of UTF-8)",
        ),
        (
            "CESU-8",
            "UTF-8",
            "ED A0 BD 41",
            "ED A0 BD: high surrogate U+D83D without a low surrogate after it",
        ),
        (
            "US-ASCII",
            "UTF-8",
            "41 E9",
            "invalid US-ASCII (never-used byte) at byte 1: E9 never appears in US-ASCII",
        ),
        (
            "UTF-8",
            "ISO-8859-1",
            "61 E2 82 AC",
            "-:1:2: error: unmappable character at byte 1: E2 82 AC: U+20AC \"€\" cannot be encoded in ISO-8859-1",
        ),
        // The offset counts bytes of the source.
        (
            "UTF-16LE",
            "US-ASCII",
            "61 00 0A 00 3D D8 00 DE",
            "-:2:1: error: unmappable character at byte 4: 3D D8 00 DE: U+1F600",
        ),
    ] {
        let ran = run(&["-f", from, "-t", to], hex(bytes));
        assert_eq!(ran.status, 1, "{ran:?}");
        let ended = ran.stderr.lines().last().expect("a second line");
        assert_eq!(ran.stderr.lines().count(), 2, "one line of error: {}", ran.stderr);
        assert!(ended.starts_with("utfconv: stopped; use --"), "{ended}");
        assert!(ran.stderr.contains(message), "{bytes}\nexpected {message}\n     got {}", ran.stderr);
    }
}

#[test]
fn all_before_a_stopping_fault_is_written() {
    let text = "é€\n".repeat(100_000);
    let source = [text.as_bytes(), b"\xFF", text.as_bytes()].concat();
    run(&[], &source).expect(
        1,
        &text,
        "-:100001:1: error: invalid UTF-8 (never-used byte) at byte 600000: FF never appears in UTF-8\n\
        utfconv: stopped; use --ill-formed=MODE to continue, or -f to name another encoding\n",
    );
}

/// A character that a terminal would act on is named, and not printed.
#[test]
fn messages_are_inert() {
    let dir = dir_with(&[]);
    let ran = run(&["-t", "US-ASCII", "--unmappable=omit"], "\u{202E}\u{9B}\u{200B}\u{301}\u{E000}");
    assert!(ran.stderr.chars().all(|c| c == '\n' || utfconv_core::is_printable(c)), "{:?}", ran.stderr);
    let names = if cfg!(feature = "character-names") {
        [
            " RIGHT-TO-LEFT OVERRIDE",
            " CONTROL SEQUENCE INTRODUCER",
            " COMBINING ACUTE ACCENT",
            " (private use)",
        ]
    } else {
        [""; 4]
    };
    for (code_point, name) in ["U+202E", "U+009B", "U+0301", "U+E000"].iter().zip(names) {
        let part = format!(": {code_point}{name} cannot be encoded in US-ASCII\n");
        assert!(ran.stderr.contains(&part), "{part} {}", ran.stderr);
    }
    let ran = sh(dir.path(), r"$U $'no\e[31m\xff\n::error::such'");
    ran.expect(2, "", "utfconv: $'no\\x1B[31m\\xFF\\n::error::such': No such file or directory");
    let ran = sh(dir.path(), r"$U -f $'x\n::error::y'");
    ran.expect(2, "", "invalid value '$'x\\n::error::y'' for '--from-code <ENC>': no such encoding; use 'utfconv list' to see all");
    let ran = sh(dir.path(), r"$U -f $'\e[31m'");
    assert_eq!(ran.status, 2);
    assert!(!ran.stderr.contains('\u{1B}'), "{ran:?}");
}

#[test]
fn a_fault_is_named_after_its_file() {
    let dir = dir_with(&[("good.txt", b"ok\n"), ("bad.txt", b"1\n2\xFF"), ("x:y", b"\xFF")]);
    sh(dir.path(), "$U good.txt ./bad.txt good.txt").expect(
        1,
        "ok\n1\n2",
        "./bad.txt:2:2: error: invalid UTF-8 (never-used byte) at byte 3: FF never appears in UTF-8\n\
        utfconv: stopped; use --ill-formed=MODE to continue, or -f to name another encoding\n\
        utfconv: see 'utfconv check ./bad.txt' for all errors, 'utfconv inspect --errors-only ./bad.txt' for the bytes, \
        'utfconv detect ./bad.txt' for the encoding\n",
    );
    sh(dir.path(), "$U x:y").expect(1, "", "x:y:1:1: error: invalid UTF-8 (never-used byte) at byte 0: FF never appears in UTF-8\n\
        utfconv: stopped; use --ill-formed=MODE to continue, or -f to name another encoding\n\
        utfconv: see 'utfconv check \"x:y\"' for all errors, 'utfconv inspect --errors-only \"x:y\"' for the bytes, \
        'utfconv detect \"x:y\"' for the encoding\n");
}

#[test]
fn faults_are_reported_up_to_a_limit_and_counted_beyond() {
    let source = [&b"\xFF"[..], &b"\xC3\n"[..]].concat().repeat(90);
    let ran = run(&["--ill-formed=omit"], &source);
    assert_eq!((ran.status, ran.stdout), (0, b"\n".repeat(90)));
    assert_eq!(ran.stderr.lines().count(), 101);
    let summary = "utfconv: 180 warnings: 180 invalid sequences omitted (90 never-used byte, 90 truncated); \
                   100 of 180 shown; --max-errors=0 shows all";
    assert_eq!(ran.stderr.lines().last(), Some(summary));

    let all = run(&["--ill-formed=omit", "--max-errors=0"], &source);
    assert_eq!(all.stderr.lines().count(), 181);
    let none = run(&["--ill-formed=omit", "--max-errors=1"], &source);
    assert_eq!(none.stderr.lines().count(), 2);
    run(&["--ill-formed=omit", "-s"], &source).expect(0, b"\n".repeat(90), "");
}

/// The column counts one for each scalar value, and one for each maximal subpart.
#[test]
fn columns_count_characters() {
    let ran = run(
        &["--ill-formed=replace"],
        "é\t😀\u{301}".bytes().chain(hex("ED A0 80 41 FF 0A FF")).collect::<Vec<_>>(),
    );
    let places: Vec<_> =
        ran.stderr.lines().filter_map(|line| line.split(": warning").next()).take(3).collect();
    assert_eq!(places, ["-:1:5", "-:1:9", "-:2:1"]);
    // A BOM does not take up a column.
    run(&[], hex("EF BB BF FF")).expect(
        1,
        hex("EF BB BF"),
        "-:1:1: error: invalid UTF-8 (never-used byte) at byte 3: FF never appears in UTF-8\n\
        utfconv: stopped; use --ill-formed=MODE to continue, or -f to name another encoding\n",
    );
}

/// The last line names the commands that show all errors and their bytes, with the name of the file and its encoding.
#[test]
fn an_error_leads_on() {
    let dir = dir_with(&[
        ("a", b"Gr\xFC\xDFe\n"),
        ("wide", b"a\x00\xFF"),
        ("euro", "5 €\n".as_bytes()),
        ("mixed", b"Gr\xC3\xBC\xC3\x9Fe\nGr\xFC\xDFe\n"),
    ]);
    let last = |call: &str, count: usize| {
        let ran = sh(dir.path(), call);
        assert_eq!(ran.status, 1, "{ran:?}");
        let lines: Vec<_> = ran.stderr.lines().collect();
        lines[lines.len() - count..].join("\n")
    };
    let advice = "use --ill-formed=MODE to continue, or -f to name another encoding";
    let see = |option: &str, name: &str| {
        format!(
            "utfconv: see 'utfconv check {option}{name}' for all errors, 'utfconv inspect {option}--errors-only {name}' for the bytes"
        )
    };
    let detect = |name: &str| see("", name) + &format!(", 'utfconv detect {name}' for the encoding");
    assert_eq!(last("$U a", 2), format!("utfconv: stopped; {advice}\n{}", detect("a")));
    assert_eq!(last("$U a -o b", 1), "utfconv: b: not written");
    assert_eq!(last("$U -t UTF-16 a > b", 1), detect("a"));
    assert_eq!(last("cp a './-a b'; $U -- '-a b'", 1), detect("\"./-a b\""));
    assert_eq!(last("cp a $'a\nb'; $U $'a\nb'", 1), detect("$'a\\nb'"));
    assert_eq!(last("$U -i a", 2), format!("utfconv: a: not converted; {advice}\n{}", detect("a")));
    assert_eq!(last("$U -f UTF-8 a", 2), format!("utfconv: stopped; {advice}\n{}", see("-f UTF-8 ", "a")));
    assert_eq!(last("$U -f UTF-16LE wide", 1), see("-f UTF-16LE ", "wide"));
    // Both suggested commands work.
    let error = "mixed:2:3: error: invalid UTF-8 (never-used byte) at byte 10: FC never appears in UTF-8\n";
    let ran = sh(dir.path(), "$U check mixed");
    assert!(ran.status == 1 && ran.stdout.starts_with(error.as_bytes()), "{ran:?}");
    let ran = sh(dir.path(), "$U inspect --errors-only mixed");
    assert!(ran.status == 1 && String::from_utf8_lossy(&ran.stdout).contains("10  FC"), "{ran:?}");
    // For a stream, which can be read only once, no commands are suggested. In a batch, each file keeps its short
    // advice.
    for call in ["$U < a", "$U <(cat a)"] {
        assert_eq!(last(call, 1), format!("utfconv: stopped; {advice}"), "{call}");
    }
    let of_many = format!("utfconv: c: not converted; {advice} (see 'utfconv detect c')");
    assert_eq!(last("cp a c; $U -i a c", 2).lines().next(), Some(&*of_many));
    // For unmappable characters, another command is suggested.
    let all = "utfconv: see 'utfconv check --target ISO-8859-1 euro' for all such characters";
    assert_eq!(last("$U -t latin1 euro", 1), all);
    // If the text is valid in the output encoding, UTF-8 or another, the message asks whether -f and -t were swapped.
    // It does not ask for a text that mixes two encodings.
    let swapped = |to: &str, see: String| {
        let question = format!("the text fits {to}, the output encoding: did you swap -f and -t? see ");
        format!("utfconv: stopped; {advice}\n{}", see.replacen("see ", &question, 1))
    };
    assert_eq!(last("$U -f UTF-8 -t latin1 a", 2), swapped("ISO-8859-1", see("-f UTF-8 ", "a")));
    assert_eq!(last("$U -t latin1 a", 2), swapped("ISO-8859-1", detect("a")));
    assert_eq!(last("$U -f ascii -t utf-8 euro", 2), swapped("UTF-8", see("-f US-ASCII ", "euro")));
    assert_eq!(last("$U -t latin1 mixed", 2), format!("utfconv: stopped; {advice}\n{}", detect("mixed")));
}

/// On a terminal, a message does not begin in the middle of a line of text.
#[test]
fn a_message_begins_a_line() {
    if !has("script") {
        return skip("script");
    }
    let dir = dir_with(&[("a", b"one\nGr\xFC\n"), ("b", b"one\n\xFC\n")]);
    for (file, shown) in [("a", "one\nGr\na:2:3: error"), ("b", "one\nb:2:1: error")] {
        let ran = sh(dir.path(), &format!("script -qec \"$U {file}\" /dev/null | tr -d '\\r'"));
        assert!(String::from_utf8_lossy(&ran.stdout).starts_with(shown), "{ran:?}");
    }
}
