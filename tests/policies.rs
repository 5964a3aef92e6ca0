//! Tests of the modes for ill-formed and unmappable text, and of the exit status.

use crate::harness::{hex, run};

#[test]
fn ill_formed_modes() {
    for (mode, output) in [
        ("replace", "a\u{FFFD}\u{FFFD}b"),
        ("replace=?", "a??b"),
        ("replace=", "ab"),
        ("replace=<é>", "a<é><é>b"),
        ("omit", "ab"),
        ("escape", "a\\xC0\\xAFb"),
        ("escape=hex", "a\\xC0\\xAFb"),
        ("escape=percent", "a%C0%AFb"),
        ("escape=angle", "a<C0><AF>b"),
        ("escape=octal", "a\\300\\257b"),
        ("fallback=ISO-8859-1", "aÀ¯b"),
    ] {
        run(&["--ill-formed", mode], b"a\xC0\xAFb").expect_part(0, output, "1 warning: 1 invalid sequence ");
        let utf16: Vec<u8> = output.encode_utf16().flat_map(u16::to_be_bytes).collect();
        run(&["--ill-formed", mode, "-t", "UTF-16BE", "-s"], b"a\xC0\xAFb").expect(0, utf16, "");
    }
    run(&["--ill-formed=raw", "-s"], b"a\xC0\xAFb").expect(0, b"a\xC0\xAFb", "");
    run(&["--ill-formed=raw", "-s", "-t", "latin1"], b"\xC3\xA9\xFF").expect(0, b"\xE9\xFF", "");
    // A replacement that is unmappable in the output encoding is replaced without a second warning.
    run(&["--ill-formed=replace", "-t", "latin1"], b"a\xFF").expect(
        0,
        "a?",
        "-:1:2: warning: invalid UTF-8 (never-used byte) at byte 1: FF never appears in UTF-8\n\
        utfconv: 1 warning: 1 invalid sequence replaced (1 never-used byte)\n",
    );
    run(&["--ill-formed=replace=<€>", "-t", "latin1", "-s"], b"a\xFF").expect(0, "a<?>", "");
}

#[test]
fn unmappable_modes() {
    for (mode, output) in [
        ("replace", "a??b"),
        ("replace=_", "a__b"),
        ("omit", "ab"),
        ("escape", "a\\u{20AC}\\u{1F600}b"),
        ("escape=rust", "a\\u{20AC}\\u{1F600}b"),
        ("escape=json", "a\\u20AC\\uD83D\\uDE00b"),
        ("escape=c", "a\\u20AC\\U0001F600b"),
        ("escape=xml", "a&#x20AC;&#x1F600;b"),
        ("escape=html", "a&#8364;&#128512;b"),
        ("escape=uplus", "aU+20ACU+1F600b"),
        ("escape=percent", "a%E2%82%AC%F0%9F%98%80b"),
    ] {
        let ran = run(&["-t", "US-ASCII", "--unmappable", mode], "a€😀b");
        ran.expect_part(0, output, "2 warnings: 2 unmappable characters ");
    }
}

#[test]
fn the_two_kinds_are_never_mixed() {
    let source = b"\xFF\xE2\x82\xAC";
    run(&["-t", "latin1", "--ill-formed=omit"], source).expect_part(
        1,
        "",
        "unmappable character at byte 1: E2 82 AC",
    );
    run(&["-t", "latin1", "--unmappable=omit"], source).expect(
        1,
        "",
        "-:1:1: error: invalid UTF-8 (never-used byte) at byte 0: FF never appears in UTF-8\n\
        utfconv: stopped; use --ill-formed=MODE to continue, or -f to name another encoding\n",
    );
    run(&["-t", "latin1", "--unmappable=omit", "--ill-formed=escape"], source).expect(
        0,
        "\\xFF",
        "-:1:1: warning: invalid UTF-8 (never-used byte) at byte 0: FF never appears in UTF-8\n\
        -:1:2: warning: unmappable character at byte 1: E2 82 AC: U+20AC \"€\" cannot be encoded in ISO-8859-1\n\
        utfconv: 2 warnings: 1 invalid sequence escaped (1 never-used byte), 1 unmappable character omitted\n",
    );
}

#[test]
fn fallback_decodes_one_character_and_continues() {
    let mixed = b"caf\xE9 \xC3\xA9t\xE9\n";
    run(&["--ill-formed=fallback=latin1", "-s"], mixed).expect(0, "café été\n", "");
    run(&["--ill-formed=fallback=latin1"], mixed).expect(
        0,
        "café été\n",
        "-:1:4: warning: invalid UTF-8 (truncated) at byte 3: E9 starts a sequence of 3 bytes, 1 found\n\
        -:1:8: warning: invalid UTF-8 (truncated) at byte 8: E9 starts a sequence of 3 bytes, 1 found\n\
        utfconv: 2 warnings: 2 invalid sequences decoded as ISO-8859-1 (2 truncated)\n",
    );
    let pair = hex("41 ED A0 BD ED B8 80 42 F0 9F 98 80");
    run(&["--ill-formed=fallback=CESU-8", "-s"], &pair).expect(0, "A😀B😀", "");
    // An error is reported once, however many characters the fallback decodes from its bytes.
    let odd = hex("ED A0 80 E2 82 0A FF");
    let ran = run(&["--ill-formed=fallback=latin1"], &odd);
    assert_eq!((ran.status, ran.stdout), (0, "í\u{A0}\u{80}â\u{82}\nÿ".as_bytes().to_vec()));
    assert!(ran.stderr.contains(
        "-:1:4: warning: invalid UTF-8 (truncated) at byte 3: E2 82: E2 starts a sequence of 3 bytes, 2 found"
    ));
    assert!(
        ran.stderr.contains("-:2:1: warning: invalid UTF-8 (never-used byte) at byte 6:")
            && ran.stderr.contains("3 warnings: 3 invalid sequences decoded")
    );
    // Columns count characters of the source, whatever the mode writes.
    for mode in ["fallback=CESU-8", "omit", "replace"] {
        let ran = run(
            &["--ill-formed", mode, "--unmappable=omit", "-t", "latin1"],
            hex("ED A0 BD ED B8 80 C2 41 E2 82 AC"),
        );
        assert!(
            ran.stderr.contains("-:1:7: warning: invalid UTF-8 (truncated) at byte 6:")
                || mode == "fallback=CESU-8",
            "{mode} {ran:?}"
        );
        let last = "-:1:9: warning: unmappable character at byte 8: ";
        assert!(ran.stderr.contains(last) || ran.stderr.contains("stopped"), "{mode} {ran:?}");
    }
    // If the fallback also fails, the conversion stops at the error.
    run(&["--ill-formed=fallback=CESU-8"], b"A\xFF").expect(
        1,
        "A",
        "-:1:2: error: invalid UTF-8 (never-used byte) at byte 1: FF never appears in UTF-8\n\
        utfconv: stopped: CESU-8 has no character there either; use another mode of --ill-formed to continue\n",
    );
    run(&["--ill-formed=fallback=US-ASCII"], b"A\xFF").expect(
        1,
        "A",
        "-:1:2: error: invalid UTF-8 (never-used byte) at byte 1: FF never appears in UTF-8\n\
        utfconv: stopped: US-ASCII has no character there either; use another mode of --ill-formed to continue\n",
    );
    // A character decoded by the fallback may be unmappable. Then both errors count.
    let both = ["--ill-formed=fallback=CESU-8", "--unmappable=omit", "-t", "latin1"];
    run(&both, &pair).expect_part(
        0,
        "AB",
        "3 warnings: 1 invalid sequence decoded as CESU-8 (1 surrogate), 2 unmappable characters omitted",
    );
    run(&["--ill-formed=fallback=CESU-8", "-t", "latin1"], &pair).expect(1, "A", "-:1:2: error: unmappable character at byte 1: ED A0 BD ED B8 80: U+1F600 \"😀\" cannot be encoded in ISO-8859-1\n\
        utfconv: stopped; use --unmappable=MODE to continue, or -t to name another encoding\n");
}

#[test]
fn surrogateescape_carries_bytes_both_ways() {
    // NUL comes last, because a NUL after the BOM would look like the BOM of UTF-32LE.
    let source: Vec<u8> = (1..=255).chain([0]).chain(hex("ED B2 80 F4 90 80 80 E2 82")).collect();
    let mode = "--errors=surrogateescape";
    run(&[mode, "-s"], &source).expect(0, &source, "");
    for wide in ["UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32", "UTF-32LE", "UTF-32BE"] {
        let carried = run(&[mode, "-s", "-t", wide], &source);
        assert_eq!(carried.status, 0);
        run(&["--ill-formed=surrogateescape", "-f", wide], &carried.stdout).expect(0, &source, "");
        run(&["--unmappable=surrogateescape", "-f", wide], &carried.stdout).expect(0, &source, "");
    }
    run(&[mode, "-s", "-t", "UTF-16BE"], b"\x80\xFF").expect(0, hex("DC 80 DC FF"), "");
    run(&[mode, "-s", "-t", "latin1"], b"\xC3\xA9\xFF").expect(0, b"\xE9\xFF", "");
    run(&[mode, "-s", "-f", "ascii", "-t", "UTF-16BE"], b"\xE9").expect(0, hex("DC E9"), "");
    // Only lone surrogates that carry bytes are written as bytes. Other lone surrogates and unmappable characters stop
    // the conversion.
    run(&[mode, "-f", "UTF-16BE"], hex("DC 7F")).expect(1, "", "-:1:1: error: invalid UTF-16BE (lone low surrogate) at byte 0: DC 7F: low surrogate U+DC7F without a high surrogate before it\n\
        utfconv: stopped: no carrier can hold these bytes; use another mode of --ill-formed to continue\n");
    run(&[mode, "-f", "UTF-16BE"], hex("D8 80 00 41")).expect(1, "", "-:1:1: error: invalid UTF-16BE (lone high surrogate) at byte 0: D8 80: high surrogate U+D880 without a low surrogate after it\n\
        utfconv: stopped: no carrier can hold these bytes; use another mode of --ill-formed to continue\n");
    run(&[mode, "-t", "latin1"], "€").expect(1, "", "-:1:1: error: unmappable character at byte 0: E2 82 AC: U+20AC \"€\" cannot be encoded in ISO-8859-1\n\
        utfconv: stopped: carriers are for ill-formed bytes; use another mode of --unmappable to continue\n");
    // A carrier mode for ill-formed bytes can be combined with another mode for unmappable characters.
    run(&["--unmappable=replace", "--ill-formed=surrogateescape", "-s", "-t", "latin1"], "€\u{E9}")
        .expect(0, b"?\xE9", "");
}

#[test]
fn status_after_faults_that_did_not_stop() {
    let bad = b"a\xFFb";
    run(&["-c"], bad).expect(
        1,
        "ab",
        "-:1:2: error: invalid UTF-8 (never-used byte) at byte 1: FF never appears in UTF-8\n\
        utfconv: 1 error: 1 invalid sequence omitted (1 never-used byte)\n",
    );
    run(&["-c"], "ab").expect(0, "ab", "");
    run(&["-c", "-t", "latin1"], "a€").expect(1, "a", "-:1:2: error: unmappable character at byte 1: E2 82 AC: U+20AC \"€\" cannot be encoded in ISO-8859-1\n\
        utfconv: 1 error: 1 unmappable character omitted\n");
    run(&["-c", "-s"], bad).expect(1, "ab", "");
    run(&["--ill-formed=omit", "-s"], bad).expect(0, "ab", "");
    run(&["-c", "-s", "--lossy-status=0"], bad).expect(0, "ab", "");
    run(&["--ill-formed=replace=x", "-s", "--lossy-status=1"], bad).expect(1, "axb", "");
    run(&["--lossy-status=1"], "ab").expect(0, "ab", "");
    run(&["--lossy-status=0", "-s"], bad).expect(1, "a", "");
}

#[test]
fn the_last_option_for_a_side_counts() {
    let bad = "a€".bytes().chain([0xFF]).collect::<Vec<_>>();
    let t = ["-t", "latin1", "-s"];
    let with = |args: &[&str]| run(&[&t, args].concat(), &bad);
    with(&["-c", "--errors=escape"]).expect(0, "a\\u{20AC}\\xFF", "");
    with(&["--errors=escape", "-c"]).expect(1, "a", "");
    with(&["--errors=escape", "--unmappable=omit"]).expect(0, "a\\xFF", "");
    with(&["--unmappable=omit", "--errors=escape=percent"]).expect(0, "a%E2%82%AC%FF", "");
    with(&["-c", "--ill-formed=replace=!"]).expect(1, "a!", "");
    with(&["-c", "--ill-formed=replace=!", "--unmappable=replace=!"]).expect(0, "a!!", "");
    with(&["--ill-formed=omit", "--ill-formed=replace=1", "--unmappable=omit"]).expect(0, "a1", "");
}

#[test]
fn modes_of_one_side_are_refused_for_both() {
    for (mode, right) in [
        ("raw", "--ill-formed=raw"),
        ("fallback=latin1", "--ill-formed=fallback=latin1"),
        ("escape=hex", "--ill-formed=escape=hex"),
        ("escape=xml", "--unmappable=escape=xml"),
    ] {
        run(&[&format!("--errors={mode}")], "").expect_part(2, "", right);
    }
    for mode in ["stop", "replace", "replace=x", "omit", "escape", "escape=percent", "surrogateescape"] {
        run(&[&format!("--errors={mode}")], "ok").expect(0, "ok", "");
    }
    run(&["--ill-formed=nonsense"], "").expect(2, "", "invalid value 'nonsense' for '--ill-formed <MODE>': the modes are stop, replace[=TEXT], omit, escape[=STYLE], fallback=ENC, surrogateescape, pua, c8 and raw");
    for (option, answer) in [
        ("--errors=surrogatescape", "did you mean surrogateescape? the modes for both are stop, "),
        ("--errors=ignore", "did you mean omit? the modes for both are stop, "),
        ("--errors=xmlcharrefreplace", "unmappable characters only; use --unmappable=escape=html\n"),
        ("--unmappable=xmlcharrefreplace", "did you mean escape=html? the modes are stop, "),
        ("--unmappable=html", "did you mean escape=html? the modes are stop, "),
        ("--ill-formed=xmlcharrefreplace", ": the modes are stop, "),
        ("--ill-formed=relpace", "did you mean replace? the modes are stop, "),
        ("--unmappable=strict", "did you mean stop? the modes are stop, "),
        ("--unmappable=nonsense", ": the modes are stop, "),
    ] {
        let ran = run(&[option], "");
        ran.expect_part(2, "", answer);
        assert!(!ran.stderr.contains("(see --help)") && ran.stderr.lines().count() == 1, "{}", ran.stderr);
    }
    run(&["--ill-formed=escape=xml"], "").expect(
        2,
        "",
        "invalid value 'escape=xml' for '--ill-formed <MODE>': expected hex, percent, angle or octal",
    );
    run(&["--unmappable=raw"], "").expect(2, "", "invalid value 'raw' for '--unmappable <MODE>': the modes are stop, replace[=TEXT], omit, escape[=STYLE], translit, surrogateescape, pua and c8");
    run(&["--ill-formed=fallback=nope"], "").expect(2, "", "invalid value 'fallback=nope' for '--ill-formed <MODE>': no such encoding; use 'utfconv list' to see all");
    run(&["--ill-formed=fallback=UTF-16LE"], "").expect(
        2,
        "",
        "--ill-formed=fallback: UTF-16LE has wide units or shift states",
    );
    run(&["--ill-formed=fallback=latin1", "-f", "UTF-16"], "").expect(
        2,
        "",
        "--ill-formed=fallback cannot be used with UTF-16 input",
    );
    run(&["--ill-formed=fallback="], "").expect(2, "", "invalid value 'fallback=' for '--ill-formed <MODE>': name the encoding to fall back to: fallback=ENC");
    run(&["--errors=escape=nope"], "").expect(2, "", "invalid value 'escape=nope' for '--errors <MODE>': the modes for both are stop, replace[=TEXT], omit, escape[=percent], surrogateescape, pua and c8");
    for (to, reason) in [
        (
            "UTF-16",
            "--ill-formed=raw cannot be used with UTF-16 output: copied bytes would break its code units",
        ),
        (
            "Shift_JIS",
            "--ill-formed=raw cannot be used with Shift_JIS output: a copied lead byte would combine with the next character",
        ),
        (
            "GB18030",
            "--ill-formed=raw cannot be used with GB18030 output: a copied lead byte would combine with the next character",
        ),
        (
            "IBM037",
            "--ill-formed=raw cannot be used with IBM037 output: copied bytes would be other characters",
        ),
        (
            "ISO-2022-JP",
            "--ill-formed=raw cannot be used with ISO-2022-JP output: copied bytes would change the meaning of what follows",
        ),
    ] {
        run(&["--ill-formed=raw", "-t", to], "").expect(2, "", reason);
    }
    run(&["--ill-formed=raw", "-s", "-t", "windows-1255"], b"a\xFFb").expect(0, b"a\xFFb", "");
}

#[test]
fn approximations_are_counted_in_one_line() {
    let text = "“naïve”\n…日";
    let summary =
        "5 warnings: 5 unmappable characters: 4 approximated, 1 replaced; use --max-errors=0 to list them\n";
    for args in [&["-t", "ascii//TRANSLIT"][..], &["-t", "ascii", "--unmappable=translit"]] {
        let ran = run(args, text);
        assert_eq!((ran.status, ran.stderr.as_str()), (0, &*format!("utfconv: {summary}")));
        assert_eq!(run(&[args, &["-s"]].concat(), text).stderr, "");
    }
    let listed = run(&["-t", "ascii//TRANSLIT", "--max-errors=2"], text).stderr;
    assert_eq!(listed.lines().count(), 3, "{listed}");
    assert!(
        listed.contains("-:1:1: warning: unmappable character at byte 0: ")
            && listed.contains("; 2 of 5 shown; "),
        "{listed}"
    );
    // Repeated characters are counted like their first occurrence.
    let repeated = "€5\n日€2\n“€” 日\n".repeat(99);
    for (max_errors, end) in [("", "; use --max-errors=0 to list them\n"), ("--max-errors=0", "\n")] {
        let ran = run(
            &[&["-t", "ascii//TRANSLIT"], max_errors.split_terminator(' ').collect::<Vec<_>>().as_slice()]
                .concat(),
            &repeated,
        );
        let counts = "693 warnings: 693 unmappable characters: 495 approximated, 198 replaced";
        ran.expect_part(0, "EUR5\n?EUR2\n\"EUR\" ?\n".repeat(99), &format!("{counts}{end}"));
    }
    // Ill-formed bytes are reported with their positions.
    let mixed = run(&["-t", "ascii//TRANSLIT", "--ill-formed=omit"], b"\xE2\x80\x9Ca\xFF").stderr;
    assert_eq!(mixed.lines().count(), 2, "{mixed}");
    assert!(mixed.contains("-:1:3: warning: invalid UTF-8 (never-used byte) at byte 4: FF"), "{mixed}");
    run(&["-t", "ascii//TRANSLIT"], b"\xE2\x80\x9Ca\xFF").expect(
        1,
        "\"a",
        "-:1:3: error: invalid UTF-8 (never-used byte) at byte 4: FF never appears in UTF-8\n\
        utfconv: stopped; use --ill-formed=MODE to continue, or -f to name another encoding\n\
        utfconv: 1 warning before that: 1 unmappable character approximated; use --max-errors=0 to list them\n",
    );
}
