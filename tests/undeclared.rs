//! Tests that newlines and BOMs of files in an unknown encoding are converted as dos2unix does.

use std::fs;

use crate::harness::{dir_with, run, sh};

#[test]
fn newlines_of_unknown_encodings_are_changed() {
    let dir = dir_with(&[
        ("latin1", b"caf\xE9\r\nna\xEFve\r\n"),
        ("sjis", b"\x93\xFA\x96{\r\n\x83\x5C\r\n"),
        ("utf8", "é\r\n".as_bytes()),
        ("plain", b"x\r\n"),
    ]);
    let at = dir.path();
    let warning = "utfconv: warning: 2 files are not UTF-8, and their encoding is unknown: \
                   only newlines and BOMs are changed (latin1 and others)\n";
    sh(at, "$U -i --newline=lf --manifest=M latin1 sjis utf8 plain").expect(0, "", warning);
    let contents = |names: [&str; 4]| names.map(|name| fs::read(at.join(name)).expect("reads"));
    let all = ["latin1", "sjis", "utf8", "plain"];
    let new: [&[u8]; 4] = [b"caf\xE9\nna\xEFve\n", b"\x93\xFA\x96{\n\x83\x5C\n", "é\n".as_bytes(), b"x\n"];
    assert_eq!(contents(all), new.map(<[u8]>::to_vec));
    sh(at, "grep -c unknown-8bit M; $U --undo M; cat latin1").expect(
        0,
        b"2\ncaf\xE9\r\nna\xEFve\r\n",
        "utfconv: M: 4 files restored\n",
    );
    // The result is the same as that of dos2unix, for every byte except NUL and newlines.
    let every: Vec<u8> = (32..=255).flat_map(|byte| [byte, b'\r', b'\n']).collect();
    fs::write(at.join("every"), &every).expect("writes");
    sh(at, "$U -s -i --newline=lf --verify every").expect(0, "", "");
    let expected: Vec<u8> = every.into_iter().filter(|byte| *byte != b'\r').collect();
    assert_eq!(fs::read(at.join("every")).expect("reads"), expected);
    sh(at, "$U -v --output-dir=o --final-newline --newline=crlf every plain 2>&1 | head -1").expect(
        0,
        "utfconv: every: changed: newlines to CRLF, 448 to 672 bytes\n",
        "",
    );
}

#[test]
fn boms_are_removed_and_not_added() {
    let dir =
        dir_with(&[("mark", b"\xEF\xBB\xBFcaf\xE9\n"), ("none", b"caf\xE9\n"), ("utf8", "é\n".as_bytes())]);
    let at = dir.path();
    sh(at, "$U -i --output-bom=never mark none; cat mark none").expect(
        0,
        b"caf\xE9\ncaf\xE9\n",
        "utfconv: warning: 1 file is not UTF-8, and its encoding is unknown: only newlines and BOMs are changed (mark)\n\
        utfconv: 1 converted, 1 unchanged, 0 failed; 8 bytes to 5\n",
    );
    sh(at, "$U -i --output-bom=always none utf8; s=$?; cat none utf8; exit $s").expect(
        1,
        [b"caf\xE9\n".to_vec(), "\u{FEFF}é\n".into()].concat(),
        "utfconv: none: not converted: it is not UTF-8, and other encodings have no BOM; use -f to name its encoding\n\
        utfconv: 1 converted, 0 unchanged, 1 failed; 3 bytes to 6\n",
    );
}

/// Files in EBCDIC or UTF-16 would be damaged, and a file whose encoding is given is converted from it.
#[test]
fn other_files_stay() {
    let utf_16: Vec<u8> = "a text\r\n".repeat(20).encode_utf16().flat_map(u16::to_le_bytes).collect();
    let ebcdic = run(&["-t", "IBM1047"], "This is a text, and it has some words.\n".repeat(20)).stdout;
    let dir = dir_with(&[
        ("wide", &utf_16),
        ("ebcdic", &ebcdic),
        ("latin1", b"caf\xE9\r\n"),
        ("elf", b"\x7FELF\0\xE9\r\n"),
    ]);
    let at = dir.path();
    let sums = sh(at, "sha1sum *").stdout;
    for (options, status) in [
        ("-i --newline=lf wide", 1),
        ("-i --newline=lf ebcdic", 1),
        ("-i --newline=lf elf", 2),
        ("-i --newline=lf -f UTF-8 latin1", 1),
        ("-i --newline=lf -t UTF-8 latin1", 1),
        ("-i --newline=lf --normalize=nfc latin1", 1),
        ("-i latin1", 1),
    ] {
        let ran = sh(at, &format!("$U {options}"));
        assert!(ran.status == status && !ran.stderr.is_empty(), "{options}: {ran:?}");
        assert_eq!(sh(at, "sha1sum *").stdout, sums, "{options}");
    }
}

/// A file that is not UTF-8 stays if only newlines, BOMs or normalization should change. The advice names its encoding
/// for input and output, so that the suggested command changes nothing else.
#[test]
fn the_advice_keeps_the_encoding() {
    let letter = b"Gr\xFC\xDFe aus M\xFCnchen\r\nDie Stra\xDFe ist sch\xF6n\r\n";
    let [le, be] = ["\u{FEFF}a\r\nb\r\n"; 2].map(|text| text.encode_utf16());
    let le: Vec<u8> = le.flat_map(u16::to_le_bytes).collect();
    let be: Vec<u8> = be.flat_map(u16::to_be_bytes).collect();
    let dir = dir_with(&[("letter", letter), ("le", &le), ("be", &be)]);
    let at = dir.path();
    let native = if cfg!(target_endian = "big") { "be" } else { "le" };
    let bytes = |name: &str| std::fs::read(at.join(name)).expect("reads");
    for (name, of, other) in [
        ("le", "FF FE, the BOM of UTF-16LE", "UTF-16LE-BOM"),
        ("be", "FE FF, the BOM of UTF-16BE", "UTF-16BE-BOM"),
    ] {
        let to = if name == native { "UTF-16" } else { other };
        for options in ["--newline=lf", "--final-newline", "--output-bom=always", "--normalize=nfc"] {
            let why = format!("{name}: not converted: looks like UTF-16, not UTF-8; use -f UTF-16 -t {to}");
            sh(at, &format!("$U -i {options} {name}")).expect(1, "", &why);
            let first = format!(
                "utfconv: {name}: warning: begins with {of}, but is read as UTF-8; use -f UTF-16 -t {to}\n"
            );
            let last = format!("utfconv: stopped; use -f UTF-16 -t {to}\n");
            let ran = sh(at, &format!("$U {options} {name} > out"));
            assert!(
                ran.status == 1 && ran.stderr.starts_with(&first) && ran.stderr.ends_with(&last),
                "{ran:?}"
            );
        }
        // If only the output encoding is given, the input may be UTF-8.
        sh(at, &format!("$U -i -t UTF-8 --newline=lf {name}")).expect(
            1,
            "",
            &format!("{name}: not converted: looks like UTF-16, not UTF-8; use -f UTF-16 or -f auto"),
        );
        let before = bytes(name);
        sh(at, &format!("$U -i -f UTF-16 -t {to} --normalize=nfc {name}")).expect_part(0, "", "unchanged");
        assert_eq!(bytes(name), before);
        sh(
            at,
            &format!(
                "$U -i -f UTF-16 -t {to} --newline=lf {name}; $U -i -f UTF-16 -t {to} --newline=crlf {name}"
            ),
        )
        .expect(0, "", "");
        assert_eq!(bytes(name), before);
    }
    for options in ["--newline=lf", "--output-bom=never", "--normalize=nfc", "-i --normalize=nfc"] {
        let ended = if options.starts_with("-i") { "letter: not converted" } else { "stopped" };
        let advice =
            format!("utfconv: {ended}; use -f windows-1252 -t windows-1252 (see 'utfconv detect letter')\n");
        let ran = sh(at, &format!("$U {options} letter > out"));
        assert!(ran.status == 1 && ran.stderr.ends_with(&advice), "{options} {ran:?}");
    }
    sh(at, "$U -f windows-1252 -t windows-1252 --newline=lf letter | head -n1 | wc -c").expect(0, "18\n", "");
    assert_eq!(bytes("letter"), letter);
    // The usual advice is given for a stream, for a command without newline conversion, and for a file with mixed
    // encodings.
    let usual = "utfconv: stopped; use --ill-formed=MODE to continue, or -f to name another encoding";
    sh(at, "$U --newline=lf < letter > out").expect_part(1, "", usual);
    sh(at, "$U letter > out").expect_part(1, "", usual);
    sh(at, "(cat letter; printf 'sch\\xc3\\xb6n \\xe2\\x82\\xac\\n%.0s' 1 2 3) > mixed; $U --newline=lf mixed > out")
        .expect_part(1, "", usual);
}
