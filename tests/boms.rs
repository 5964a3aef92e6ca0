//! Tests of BOMs at the start of inputs and output, for each policy.

use crate::harness::{dir_with, hex, run, sh};

const BOM8: &str = "EF BB BF 41 C3 A9";

/// Columns: -f, -t, --input-bom, source, exit status, output.
#[test]
fn each_bom_policy_has_its_effect() {
    for (from, to, policy, source, status, output) in [
        // auto: the BOM stays if the output encoding has one, is not doubled in UTF-16, and is dropped in Latin-1.
        ("UTF-8", "UTF-8", "auto", BOM8, 0, BOM8),
        ("UTF-8", "CESU-8", "auto", BOM8, 0, BOM8),
        ("CESU-8", "UTF-8", "auto", BOM8, 0, BOM8),
        ("UTF-8", "UTF-16", "auto", BOM8, 0, "FF FE 41 00 E9 00"),
        ("UTF-8", "UTF-16LE", "auto", BOM8, 0, "FF FE 41 00 E9 00"),
        ("UTF-8", "UTF-32BE", "auto", BOM8, 0, "00 00 FE FF 00 00 00 41 00 00 00 E9"),
        ("UTF-8", "UTF-32", "auto", BOM8, 0, "FF FE 00 00 41 00 00 00 E9 00 00 00"),
        ("UTF-8", "ISO-8859-1", "auto", BOM8, 0, "41 E9"),
        ("UTF-16", "UTF-8", "auto", "FF FE 41 00", 0, "41"),
        ("UTF-16", "UTF-8", "auto", "FE FF 00 41", 0, "41"),
        ("UTF-16", "UTF-8", "auto", "41 00", 0, "41"),
        ("UTF-16", "UTF-16", "auto", "FE FF 00 41", 0, "FF FE 41 00"),
        ("UTF-16", "UTF-8", "auto", "FF FE FF FE 41 00", 0, "EF BB BF 41"),
        ("UTF-32", "UTF-8", "auto", "00 00 FE FF 00 00 00 41", 0, "41"),
        ("UTF-16LE", "UTF-8", "auto", "FF FE 41 00", 0, "EF BB BF 41"),
        ("UTF-32BE", "UTF-8", "auto", "00 00 FE FF 00 00 00 41", 0, "EF BB BF 41"),
        // Policy `keep` writes the BOM of the input.
        ("UTF-16", "UTF-8", "keep", "FF FE 41 00", 0, "EF BB BF 41"),
        ("UTF-16", "UTF-16", "keep", "FF FE 41 00", 0, "FF FE 41 00"),
        ("UTF-16LE", "UTF-16", "keep", "FF FE 41 00", 0, "FF FE 41 00"),
        ("UTF-8", "UTF-8", "keep", "41", 0, "41"),
        ("UTF-8", "ISO-8859-1", "keep", BOM8, 1, ""),
        // Policy `strip` removes the BOM.
        ("UTF-8", "UTF-8", "strip", BOM8, 0, "41 C3 A9"),
        ("UTF-8", "UTF-8", "strip", "EF BB BF EF BB BF 41", 0, "EF BB BF 41"),
        ("UTF-16LE", "UTF-8", "strip", "FF FE 41 00", 0, "41"),
        ("UTF-16", "UTF-16", "strip", "FE FF 00 41", 0, "FF FE 41 00"),
        // Policy `text` converts the BOM as text.
        ("UTF-8", "UTF-8", "text", BOM8, 0, BOM8),
        ("UTF-8", "UTF-16", "text", BOM8, 0, "FF FE FF FE 41 00 E9 00"),
        ("UTF-8", "ISO-8859-1", "text", BOM8, 1, ""),
        // Policy `forbid` fails if the input has a BOM, and `require` if it has none.
        ("UTF-8", "UTF-8", "forbid", BOM8, 1, ""),
        ("UTF-8", "UTF-8", "forbid", "41", 0, "41"),
        ("UTF-16", "UTF-8", "forbid", "FE FF 00 41", 1, ""),
        ("UTF-16LE", "UTF-8", "forbid", "FF FE 41 00", 1, ""),
        ("UTF-8", "UTF-8", "require", "41", 1, ""),
        ("UTF-8", "UTF-8", "require", "", 1, ""),
        ("UTF-8", "UTF-8", "require", BOM8, 0, BOM8),
        ("UTF-8", "ISO-8859-1", "require", BOM8, 0, "41 E9"),
        ("UTF-16", "UTF-8", "require", "FF FE 41 00", 0, "41"),
        ("UTF-16LE", "UTF-16", "require", "FF FE 41 00", 0, "FF FE 41 00"),
        // Policy `sniff`: UTF-32LE is tried before UTF-16LE.
        ("ISO-8859-1", "UTF-8", "sniff", "FF FE 41 00", 0, "41"),
        ("ISO-8859-1", "UTF-8", "sniff", "FE FF 00 41", 0, "41"),
        ("UTF-8", "UTF-8", "sniff", "FF FE 00 00 41 00 00 00", 0, "41"),
        ("UTF-8", "UTF-8", "sniff", "00 00 FE FF 00 00 00 41", 0, "41"),
        ("ISO-8859-1", "UTF-8", "sniff", BOM8, 0, BOM8),
        ("ISO-8859-1", "ISO-8859-1", "sniff", BOM8, 0, "41 E9"),
        ("UTF-16LE", "UTF-8", "sniff", "FF FE 41 00", 0, "41"),
        ("ISO-8859-1", "UTF-8", "sniff", "E9", 0, "C3 A9"),
        // U+FEFF inside a text always stays.
        ("UTF-8", "UTF-16", "strip", "41 EF BB BF 42", 0, "FF FE 41 00 FF FE 42 00"),
    ] {
        let ran = run(&["-f", from, "-t", to, "--input-bom", policy], hex(source));
        let told = format!("{from} {to} {policy} {source}: {ran:02X?}");
        assert_eq!((ran.status, ran.stdout), (status, hex(output)), "{told}");
        assert_eq!(ran.stderr.contains("error:"), status == 1, "{told}");
    }
}

#[test]
fn writing_a_bom() {
    for (to, policy, source, output) in [
        ("UTF-8", "always", "41", "EF BB BF 41"),
        ("UTF-8", "always", BOM8, BOM8),
        ("UTF-16LE", "always", BOM8, "FF FE 41 00 E9 00"),
        ("UTF-8", "always", "", ""),
        ("UTF-16", "auto", "", ""),
        ("UTF-16", "never", "41", "41 00"),
        ("UTF-16", "never", BOM8, "41 00 E9 00"),
        ("UTF-8", "never", BOM8, "41 C3 A9"),
        // A kept BOM of an empty file is written as text, and a BOM that only gave the byte order is not.
        ("UTF-8", "auto", "EF BB BF", "EF BB BF"),
        ("UTF-16", "auto", "EF BB BF", "FF FE"),
    ] {
        run(&["-t", to, "--output-bom", policy], hex(source)).expect(0, hex(output), "");
    }
    for to in ["UTF-16", "UTF-8"] {
        run(&["-f", "UTF-16", "-t", to], hex("FF FE")).expect(0, "", "");
    }
    let strip = ["--input-bom=strip", "--output-bom=always"];
    run(&strip, hex("EF BB BF")).expect(0, "", "");
    run(&strip, hex(BOM8)).expect(0, hex(BOM8), "");
}

#[test]
fn each_input_has_its_own_bom_and_the_output_one_at_most() {
    let (bom8, bom16le, bom16be) = (hex(BOM8), hex("FF FE 41 00"), hex("FE FF 00 42"));
    let dir = dir_with(&[("a", &bom8), ("b", &bom8), ("le", &bom16le), ("be", &bom16be), ("none", b"")]);
    let at = dir.path();
    sh(at, "$U a b").expect(0, hex("EF BB BF 41 C3 A9 41 C3 A9"), "");
    sh(at, "$U none a b").expect(0, hex("EF BB BF 41 C3 A9 41 C3 A9"), "");
    sh(at, "$U -t UTF-16 a b").expect(0, hex("FF FE 41 00 E9 00 41 00 E9 00"), "");
    sh(at, "$U -f UTF-16 le be le").expect(0, "ABA", "");
    sh(at, "$U -f UTF-16 -t UTF-16 le be").expect(0, hex("FF FE 41 00 42 00"), "");
    // U+FEFF that a UTF-16LE input has as text stays, also at the boundary between inputs.
    sh(at, "$U -f UTF-16LE le le").expect(0, "\u{FEFF}A\u{FEFF}A", "");
    sh(at, "$U --input-bom=keep a b").expect(0, [&bom8[..], &bom8].concat(), "");
}

#[test]
fn a_contradiction_is_said_aloud() {
    for (from, source, warning) in [
        (
            "UTF-16LE",
            "FE FF 00 41",
            "-: warning: begins with FE FF, the BOM of UTF-16BE, but is read as UTF-16LE",
        ),
        ("UTF-16BE", "FF FE 41 00", "begins with FF FE, the BOM of UTF-16LE"),
        ("UTF-16", "FF FE 00 00 41 00", "begins with FF FE 00 00, the BOM of UTF-32LE"),
        ("ISO-8859-1", BOM8, "begins with EF BB BF, the BOM of UTF-8"),
        ("UTF-8", "FF FE 41 00", "begins with FF FE, the BOM of UTF-16LE"),
        ("UTF-16", "EF BB BF 41 42 43", "begins with EF BB BF, the BOM of UTF-8"),
        ("UTF-16", "00 41 00 42 00 0A", "has no BOM and is read as UTF-16LE, but looks like UTF-16BE"),
        ("UTF-32", "00 00 00 41", "has no BOM and is read as UTF-32LE, but looks like UTF-32BE"),
    ] {
        let ran = run(&["-f", from], hex(source));
        assert!(ran.stderr.contains(warning), "{from} {source}: {ran:?}");
        let silent = run(&["-s", "-f", from], hex(source));
        assert_eq!((silent.status, silent.stdout, silent.stderr), (ran.status, ran.stdout, String::new()));
    }
    // The error message suggests the encoding of the BOM.
    for (from, source, fix) in [
        ("UTF-8", "FF FE 41 00", "use -f UTF-16"),
        ("UTF-8", "FE FF 00 41", "use -f UTF-16"),
        ("UTF-8", "FF FE 00 00 41 00 00 00", "use -f UTF-32"),
        ("ascii", "EF BB BF 41", "use -f UTF-8"),
        ("UTF-8", "41 FF FE", "use --ill-formed=MODE to continue, or -f to name another encoding"),
    ] {
        let ran = run(&["-f", from], hex(source));
        let last = ran.stderr.lines().last().map(str::to_string);
        assert_eq!(last, Some(format!("utfconv: stopped; {fix}")), "{from} {source}: {ran:?}");
    }
    let dir = dir_with(&[("a", &hex("FF FE 41 00")), ("b", b"\xFF\n")]);
    for (words, fix) in [
        ("a", "stopped; use -f UTF-16"),
        (
            "b",
            "see 'utfconv check b' for all errors, 'utfconv inspect --errors-only b' for the bytes, 'utfconv detect b' for the encoding",
        ),
    ] {
        sh(dir.path(), &format!("$U {words} 2>&1 | tail -n 1")).expect(0, format!("utfconv: {fix}\n"), "");
    }
    let ran = run(&["-f", "UTF-16LE", "-t", "UTF-16"], hex("FF FE 41 00"));
    ran.expect(0, hex("FF FE FF FE 41 00"), "-: warning: begins with U+FEFF, which is text in UTF-16LE, not a BOM; use --input-bom=strip to remove it");
    let ran = run(&["-f", "UTF-16LE", "-t", "latin1"], hex("FF FE 41 00"));
    let name = if cfg!(feature = "character-names") { " ZERO WIDTH NO-BREAK SPACE" } else { "" };
    let error = format!(
        "-:1:1: error: unmappable character at byte 0: FF FE: U+FEFF{name} cannot be encoded in ISO-8859-1\n"
    );
    ran.expect(1, "", &format!("utfconv: -: warning: begins with U+FEFF, which is text in UTF-16LE, not a BOM; use --input-bom=strip to remove it\n\
        {error}utfconv: stopped; use --unmappable=MODE to continue, or -t to name another encoding\n"));
    // There is no warning for Chinese text, which has no ASCII in either byte order, or for a single code unit.
    run(&["-f", "UTF-16"], hex("2D 4E 87 65")).expect(0, "中文", "");
    run(&["-f", "UTF-16"], hex("00 4E")).expect(0, "一", "");
}

/// U+FEFF that is text after a BOM is reported, and written unchanged.
#[test]
fn a_second_bom_is_reported() {
    let utf_7 = "utfconv: -: warning: begins with U+FEFF, which is text in UTF-7, not a BOM; \
        to remove it, convert to UTF-8, and that with --input-bom=strip\n";
    let has_second = "warning: has U+FEFF after the BOM, which is text, not a BOM";
    let second =
        format!("utfconv: -: {has_second}; use 'utfconv check --rule inner-bom --fix FILE' to remove it\n");
    let in_utf_16 = second.replace("check", "check -f UTF-16");
    let (second, in_utf_16) = (&*second, &*in_utf_16);
    let bom_8 = "EF BB BF EF BB BF 41";
    for (options, source, output, warning) in [
        (&["-f", "UTF-7", "-t", "UTF-16"][..], "2B 2F 76 38 2D 41", "FF FE FF FE 41 00", utf_7),
        (&["-f", "UTF-7", "-t", "UTF-32"], "2B 2F 76 38 2D", "FF FE 00 00 FF FE 00 00", utf_7),
        (&["-f", "UTF-7", "--output-bom=always"], "2B 2F 76 38 2D 41", "EF BB BF EF BB BF 41", utf_7),
        (&["-f", "UTF-7", "-t", "UTF-16", "--input-bom=text"], "2B 2F 76 38 2D 41", "FF FE FF FE 41 00", ""),
        (&["-f", "UTF-7"], "2B 2F 76 38 2D 41", "EF BB BF 41", ""),
        (
            &["-f", "UTF-7", "-t", "UTF-16", "--normalize=nfc"],
            "2B 2F 76 38 2D 41",
            "FF FE FF FE 41 00",
            utf_7,
        ),
        (&["-t", "UTF-16"], bom_8, "FF FE FF FE 41 00", second),
        (&["-t", "UTF-16", "--input-bom=strip"], bom_8, "FF FE FF FE 41 00", second),
        (&["-f", "UTF-16", "-t", "UTF-16"], "FE FF FE FF 00 41", "FF FE FF FE 41 00", in_utf_16),
        (&["-f", "UTF-16", "-t", "UTF-8"], "FE FF FE FF 00 41", "EF BB BF 41", ""),
        // There is no warning for U+FEFF that is not at the start of the output.
        (&["-t", "UTF-16"], "41 EF BB BF", "FF FE 41 00 FF FE", ""),
    ] {
        let ran = run(options, hex(source));
        assert_eq!((ran.status, ran.stdout, &*ran.stderr), (0, hex(output), warning), "{options:?} {source}");
    }
    // A large file is divided among threads, and U+FEFF at the start is still reported.
    let dir = dir_with(&[("a", &[&hex("EF BB BF EF BB BF")[..], &b"text\n".repeat(2_000_000)].concat())]);
    let ran = sh(dir.path(), "$U -t UTF-16 -j 2 a | head -c 6");
    ran.expect(0, hex("FF FE FF FE 74 00"), &second.replace("-:", "a:").replace("FILE", "a"));
}

/// `--output-bom=never` removes the BOM, and fails if the text itself begins with U+FEFF.
#[test]
fn an_output_without_a_bom_does_not_begin_with_one() {
    let bom_8 = "EF BB BF EF BB BF 41 0A";
    let error = |bytes: &str, at: usize, encoding: &str, fix: &str| {
        format!(
            "-:1:1: error: forbidden BOM at byte {at}: {bytes}: this U+FEFF is text in {encoding}, but the output would begin \
             with it\nutfconv: stopped; {fix}\n"
        )
    };
    let fix = "use 'utfconv check --rule inner-bom --fix FILE' to remove it";
    for to in ["UTF-8", "UTF-16", "UTF-16BE", "UTF-32", "UTF-7", "GB18030", "CESU-8", "SCSU", "UTF-8-MAC"] {
        for normalize in [None, Some("--normalize=nfd")] {
            let options: Vec<_> = ["-t", to, "--output-bom=never"].into_iter().chain(normalize).collect();
            run(&options, hex(bom_8)).expect(1, "", &error("EF BB BF", 3, "UTF-8", fix));
        }
    }
    let in_utf_16 = fix.replace("check", "check -f UTF-16");
    for (from, source, expected) in [
        ("UTF-16", "FE FF FE FF 00 41", error("FE FF", 2, "UTF-16BE", &in_utf_16)),
        ("UTF-16LE", "FF FE 41 00", error("FF FE", 0, "UTF-16LE", "use --input-bom=strip to remove it")),
        (
            "UTF-7",
            "2B 2F 76 38 2D 41",
            error("2F 76 38", 1, "UTF-7", "to remove it, convert to UTF-8, and that with --input-bom=strip"),
        ),
    ] {
        run(&["-f", from, "--output-bom=never"], hex(source)).expect(1, "", &expected);
    }
    // In Latin-1, U+FEFF is an ordinary unmappable character.
    let ran = run(&["-t", "latin1", "--output-bom=never", "--unmappable=omit", "-s"], hex(bom_8));
    ran.expect(0, "A\n", "");
    // U+FEFF is allowed after the start of the output, and with `--iconv`.
    run(&["--output-bom=never"], hex("EF BB BF 41 EF BB BF")).expect(0, hex("41 EF BB BF"), "");
    run(&["--output-bom=never", "--input-bom=text"], hex("41 EF BB BF")).expect(0, hex("41 EF BB BF"), "");
    run(&["--iconv", "-f", "UTF-8", "-t", "UTF-8N"], hex(bom_8)).expect(0, hex("EF BB BF 41 0A"), "");

    let large = [&hex("EF BB BF EF BB BF")[..], &b"text\n".repeat(2_000_000)].concat();
    let dir =
        dir_with(&[("a", &hex(bom_8)), ("b", &hex("EF BB BF 42 0A")), ("large", &large), ("none", b"")]);
    let at = dir.path();
    let why = "error: forbidden BOM at byte 3: EF BB BF: this U+FEFF is text in UTF-8, but the output would begin with it";
    let fix = |name: &str| format!("use 'utfconv check --rule inner-bom --fix {name}' to remove it");
    let stopped = format!("a:1:1: {why}\nutfconv: stopped; {}\n", fix("a"));
    sh(at, "$U --output-bom=never none a b").expect(1, "", &stopped);
    sh(at, "$U --output-bom=never b a").expect(0, hex("42 0A EF BB BF 41 0A"), "");
    sh(at, "$U -t UTF-16 --output-bom=never -j 2 large").expect(
        1,
        "",
        &stopped.replace("a:1", "large:1").replace("fix a", "fix large"),
    );
    sh(at, "echo old > o; $U --output-bom=never -o o a; s=$?; cat o; exit $s").expect(
        1,
        "old\n",
        &format!("{stopped}utfconv: o: not written\n"),
    );
    let kept = sh(at, "$U -i --output-bom=never a b; s=$?; od -An -tx1 a b; exit $s");
    kept.expect(
        1,
        " ef bb bf ef bb bf 41 0a 42 0a\n",
        &format!(
            "a:1:1: {why}\nutfconv: a: not converted; {}\n\
             utfconv: 1 converted, 0 unchanged, 1 failed; 5 bytes to 2\n",
            fix("a")
        ),
    );
    // The command that the message suggests removes U+FEFF.
    sh(at, "$U check --rule inner-bom --fix a 2>/dev/null; $U --output-bom=never a").expect(0, "A\n", "");
}

#[test]
fn contradicting_options_are_usage_errors() {
    run(&["--input-bom=keep", "--output-bom=never"], "").expect(
        2,
        "",
        "--input-bom=keep cannot be used with --output-bom=never",
    );
    run(&["-f", "latin1", "--input-bom=require"], "").expect(
        2,
        "",
        "--input-bom=require: ISO-8859-1 has no BOM",
    );
    run(&["-t", "latin1", "--output-bom=always"], "").expect(
        2,
        "",
        "--output-bom=always: ISO-8859-1 has no BOM",
    );
}
