//! Tests of variants of UTF-8 and UTF-16, of modes that carry arbitrary bytes, and of the repair of mixed text.

use crate::harness::{UTFCONV, dir_with, has, hex, run, sh};

/// Encoding, text and bytes, converted in both directions.
const BOTH_WAYS: &[(&str, &str, &str)] = &[
    // JVM specification, section 4.4.7.
    ("MUTF-8", "\0A", "C0 80 41"),
    ("MUTF-8", "é€😀", "C3 A9 E2 82 AC ED A0 BD ED B8 80"),
    ("WTF-8", "é€😀", "C3 A9 E2 82 AC F0 9F 98 80"),
    ("UTF-8-2279", "é€😀", "C3 A9 E2 82 AC F0 9F 98 80"),
    // ISO/IEC 10646-1:1993, annex G.
    ("UTF-1", "~\u{7F}\u{80}\u{9F}", "7E 7F 80 9F"),
    ("UTF-1", "\u{A0}ÿ", "A0 A0 A0 FF"),
    ("UTF-1", "Ā\u{15D}\u{15E}\u{1BD}\u{1BE}", "A1 21 A1 7E A1 A0 A1 FF A2 21"),
    ("UTF-1", "\u{4015}\u{4016}", "F5 FF F6 21 21"),
    ("UTF-1", "\u{D7FF}\u{E000}", "F7 2F C3 F7 3A 79"),
    ("UTF-1", "\u{38E2D}\u{38E2E}", "FB FF FF FC 21 21 21 21"),
    ("UTF-1", "\u{10FFFF}", "FC 21 39 6E 6C"),
    // RFC 2152. Each run ends with "-", and the optional direct characters are in base64.
    ("UTF-7", "日本語", "2B 5A 65 56 6E 4C 49 71 65 2D"),
    ("UTF-7", "A≢Α.", "41 2B 49 6D 49 44 6B 51 2D 2E"),
    ("UTF-7", "1+1", "31 2B 2D 31"),
    ("UTF-7", "😀", "2B 32 44 33 65 41 41 2D"),
    // RFC 3501, section 5.1.3.
    (
        "UTF-7-IMAP",
        "~peter/mail/台北/日本語",
        "7E 70 65 74 65 72 2F 6D 61 69 6C 2F 26 55 2C 42 54 46 77 2D 2F 26 5A 65 56 6E 4C 49 71 65 2D",
    ),
    ("UTF-7-IMAP", "a&b&é", "61 26 2D 62 26 2D 26 41 4F 6B 2D"),
    ("UCS-2LE", "a€", "61 00 AC 20"),
    ("UCS-2BE", "a€", "00 61 20 AC"),
    ("UCS-4", "a😀", "00 00 00 61 00 01 F6 00"),
    ("UCS-4LE", "a😀", "61 00 00 00 00 F6 01 00"),
];

#[test]
fn vectors_both_ways() {
    for (encoding, text, bytes) in BOTH_WAYS {
        run(&["-t", encoding], text).expect(0, hex(bytes), "");
        run(&["-f", encoding], hex(bytes)).expect(0, text, "");
    }
}

#[test]
fn messages_of_the_family() {
    run(&["-f", "UTF-7"], b"a+").expect(
        1,
        "a",
        "-:1:2: error: invalid UTF-7 (truncated) at byte 1: 2B: the character is not complete\n\
        utfconv: stopped; use --ill-formed=MODE to continue, or -f to name another encoding\n",
    );
    run(&["-f", "WTF-8"], hex("ED A0 BD ED B8 80")).expect(1, "", "-:1:1: error: invalid WTF-8 (non-shortest form) at byte 0: ED A0 BD ED B8 80: overlong form of U+1F600 \"😀\"\n\
        utfconv: stopped; use --ill-formed=MODE to continue, or -f to name another encoding\n");
}

/// UTF-7 has only the tab and newlines as direct control characters (RFC 2152). IMAP has none, but newlines separate
/// names in lists.
#[test]
fn controls_are_in_base64() {
    let controls: Vec<u8> = (0..0x20).chain([0x7F]).collect();
    for (encoding, direct) in [("UTF-7", &b"\t\n\r"[..]), ("UTF-7-IMAP", b"\n\r")] {
        for control in &controls {
            let (text, is_direct) = ([b'a', *control, b'b'], direct.contains(control));
            let message = format!("invalid {encoding} (never-used byte) at byte 1: {control:02X} never");
            let (exit, written) = if is_direct { (0, &text[..]) } else { (1, &text[..1]) };
            run(&["-f", encoding], text).expect_part(exit, written, if is_direct { "" } else { &message });
            let there = run(&["-t", encoding], text);
            run(&["-f", encoding], &there.stdout).expect(0, text, "");
        }
    }
}

#[test]
fn code_points_beyond_the_scalar_values() {
    // Lone surrogates convert to WTF-8 and back.
    let units = "41 00 00 D8 42 00 00 DC 00 D8 00 D8 3D D8 00 DE 00 DC";
    let wtf8 = "41 ED A0 80 42 ED B0 80 ED A0 80 ED A0 80 F0 9F 98 80 ED B0 80";
    run(&["-f", "UTF-16LE", "-t", "WTF-8"], hex(units)).expect(0, hex(wtf8), "");
    run(&["-f", "WTF-8", "-t", "UTF-16LE"], hex(wtf8)).expect(0, hex(units), "");
    run(&["-f", "WTF-8", "-t", "WTF-8"], hex(wtf8)).expect(0, hex(wtf8), "");
    for to in ["UTF-8", "UTF-32", "UCS-2", "CESU-8", "UCS-4", "MUTF-8"] {
        run(&["-f", "WTF-8", "-t", to], hex("41 ED A0 80")).expect_part(
            1,
            run(&["-t", to], "A").stdout,
            &format!(
                "-:1:2: error: unmappable character at byte 1: ED A0 80: U+D800 cannot be encoded in {to}"
            ),
        );
    }
    run(&["-f", "WTF-8", "--unmappable=escape=json"], hex("ED A0 80 41")).expect(
        0,
        "\\uD800A",
        "-:1:1: warning: unmappable character at byte 0: ED A0 80: U+D800 cannot be encoded in UTF-8\n\
        utfconv: 1 warning: 1 unmappable character escaped\n",
    );

    // Code points above U+10FFFF need 31-bit UTF-8 or UCS-4.
    for (utf8, ucs4) in [
        ("F4 90 80 80", "00 11 00 00"),
        ("F7 BF BF BF", "00 1F FF FF"),
        ("F8 88 80 80 80", "00 20 00 00"),
        ("FB BF BF BF BF", "03 FF FF FF"),
        ("FC 84 80 80 80 80", "04 00 00 00"),
        ("FD BF BF BF BF BF", "7F FF FF FF"),
    ] {
        run(&["-f", "UTF-8-2279", "-t", "UCS-4"], hex(utf8)).expect(0, hex(ucs4), "");
        run(&["-t", "UTF-8-2279", "-f", "UCS-4"], hex(ucs4)).expect(0, hex(utf8), "");
        run(&["-f", "UTF-8-2279"], hex(utf8)).expect_part(1, "", "cannot be encoded in UTF-8");
        run(&["-f", "UCS-4", "-t", "UTF-16"], hex(ucs4)).expect_part(1, "", "cannot be encoded in UTF-16");
    }
}

#[test]
fn surrogates_that_meet_become_one_character() {
    // The two surrogates are separate in UTF-7 only because of the invalid byte between them, which is omitted.
    let broken = b"+2D0-~+3gA-";
    run(&["-f", "UTF-7", "-t", "WTF-8", "--ill-formed=omit", "-s"], broken).expect(0, "😀", "");
}

#[test]
fn marks_of_the_family() {
    for name in ["MUTF-8", "WTF-8", "UTF-8-2279", "UTF-1", "UTF-7", "UCS-2", "UCS-4", "GB18030"] {
        let signed = run(&["-t", name], "\u{FEFF}a").stdout;
        assert_ne!(signed, run(&["-t", name], "a").stdout, "{name} has U+FEFF");
        run(&["-f", name], &signed).expect(0, "\u{FEFF}a", "");
        match name {
            "UTF-7" => {
                let text = "BOMs of UTF-7 are not recognized";
                run(&["-f", name, "--input-bom=strip"], &signed).expect_part(2, "", text);
            }
            _ => run(&["-f", name, "--input-bom=strip"], &signed).expect(0, "a", ""),
        }
        let always = run(&["-t", name, "--output-bom=always"], "a").stdout;
        run(&["-f", name], &always).expect(0, "\u{FEFF}a", "");
    }
    // glibc's UCS-2 begins with a BOM.
    run(&["-f", "UNICODE"], hex("FE FF 00 61")).expect(0, "a", "");
    run(&["-f", "UNICODE"], hex("FF FE 61 00")).expect(0, "a", "");
    run(&["-t", "UNICODELITTLE"], "a").expect(0, hex("61 00"), "");
}

#[test]
fn carriers_restore_any_bytes() {
    for (mode, units) in [
        ("surrogateescape", "61 00 E9 DC 62 00"),
        ("pua", "61 00 E9 EF 62 00"),
        ("c8", "61 00 FF DB FD DF 78 00 45 00 39 00 62 00"),
    ] {
        let both = format!("--errors={mode}");
        run(&["-s", "-t", "UTF-16LE", &both], b"a\xE9b").expect(0, hex(units), "");
        run(&["-s", "-f", "UTF-16LE", &both], hex(units)).expect(0, b"a\xE9b", "");
        // Only one of the two sides needs the mode.
        run(&["-s", "-f", "UTF-16LE", &format!("--unmappable={mode}")], hex(units)).expect(0, b"a\xE9b", "");
        // Without the mode, carrier characters are ordinary text.
        if mode != "surrogateescape" {
            let text = run(&["-f", "UTF-16LE"], hex(units)).stdout;
            run(&["-s", "-t", "UTF-16LE"], text).expect(0, hex(units), "");
        }
    }
}

#[test]
fn mixed_text_is_repaired() {
    let mixed = b"caf\xC3\xA9 caf\xE9 \x93q\x94 \xED\xA0\xBD\xED\xB8\x80\n";
    run(&["--ill-formed=fallback=windows-1252"], &mixed[..14]).expect_part(
        0,
        "café café “q”",
        "3 warnings: 3 invalid sequences decoded as windows-1252 (",
    );
    run(&["-s", "--ill-formed=fallback=CESU-8"], b"a\xED\xA0\xBD\xED\xB8\x80").expect(0, "a😀", "");
    // Byte 81 is ill-formed in UTF-8 and undefined in windows-1252.
    run(&["--ill-formed=fallback=windows-1252"], b"a\x81b").expect(
        1,
        "a",
        "-:1:2: error: invalid UTF-8 (unexpected continuation) at byte 1: 81: continuation byte without a lead byte\n\
        utfconv: stopped: windows-1252 has no character there either; use another mode of --ill-formed to continue\n",
    );
    run(&["--ill-formed=fallback=UTF-7"], b"a").expect(
        2,
        "",
        "--ill-formed=fallback: UTF-7 has wide units or shift states",
    );
}

#[test]
fn peers_read_what_is_written() {
    let text = "A≢Α. ~\\ é 日本語 😀 1+1 &x& \t\n";
    for (name, python) in [("UTF-7", Some("utf-7")), ("UTF-7-IMAP", None)] {
        let text = text.replace('\t', "");
        let coded = run(&["-t", name], &text).stdout;
        let dir = dir_with(&[("coded", &coded)]);
        if name == "UTF-7" && has("iconv") {
            sh(dir.path(), &format!("iconv -f {name} -t UTF-8 coded")).expect(0, &text, "");
        }
        let icu = if name == "UTF-7" { "UTF-7" } else { "IMAP-mailbox-name" };
        if has("uconv") {
            sh(dir.path(), &format!("uconv -f {icu} -t UTF-8 coded")).expect(0, &text, "");
        }
        if let Some(python) = python.filter(|_| has("python3")) {
            let script = format!(
                "import sys; sys.stdout.buffer.write(open('coded', 'rb').read().decode('{python}').encode())"
            );
            sh(dir.path(), &format!("python3 -c \"{script}\"")).expect(0, &text, "");
        }
    }
    if has("iconv") {
        let dir = dir_with(&[("text", "aé€\n".as_bytes())]);
        for name in ["UCS-2", "UCS-2LE", "UCS-2BE", "UCS-4", "UCS-4LE", "UCS-4BE", "UNICODE", "WCHAR_T"] {
            let theirs = sh(dir.path(), &format!("iconv -f UTF-8 -t {name} text"));
            if theirs.status == 0 {
                run(&["-t", name], "aé€\n").expect(0, &theirs.stdout, "");
                run(&["-f", name], &theirs.stdout).expect(0, "aé€\n", "");
            }
        }
    }
}

#[test]
fn a_pending_bom_comes_first() {
    run(&["-f", "UTF-16LE", "-t", "WTF-8", "--output-bom=always"], hex("00 D8")).expect(
        0,
        hex("EF BB BF ED A0 80"),
        "",
    );
    let raw = ["-s", "-t", "UTF-8", "--output-bom=always", "--ill-formed=raw"];
    run(&raw, hex("ED A0 80 FF")).expect(0, hex("EF BB BF ED A0 80 FF"), "");
    run(&["-t", "UTF-7", "--output-bom=always"], "é").expect(0, "+/v8A6Q-", "");
}

#[test]
fn two_characters_of_one_code_are_both_written_or_none() {
    let code = b"a\x88\x62b";
    let name = if cfg!(feature = "character-names") { " COMBINING MACRON" } else { "" };
    let error = format!(
        "-:1:2: error: unmappable character at byte 1: 88 62: U+0304{name} cannot be encoded in ISO-8859-1\n\
        utfconv: stopped; use --unmappable=MODE to continue, or -t to name another encoding\n"
    );
    run(&["-f", "BIG5-HKSCS", "-t", "latin1"], code).expect(1, "a", &error);
    run(&["-s", "-f", "BIG5-HKSCS", "-t", "latin1", "--unmappable=omit"], code).expect(0, b"a\xCAb", "");
    // If BIG5-HKSCS is the fallback encoding, both characters of the code are written.
    run(&["-s", "--ill-formed=fallback=BIG5-HKSCS"], code).expect(0, "aÊ\u{304}b", "");
    run(&["-s", "--ill-formed=fallback=BIG5-HKSCS", "-t", "latin1"], code).expect(1, "a", "");
}

#[test]
fn carriers_are_for_encodings_of_bytes() {
    for mode in ["surrogateescape", "pua", "c8"] {
        let both = format!("--errors={mode}");
        run(&["-f", "UTF-7", "-t", "UTF-16", &both], "a").expect(
            2,
            "",
            "carriers cannot be used with UTF-7: what its bytes mean depends on earlier ones",
        );
        run(&["-t", "ISO-2022-JP", &both], "a").expect(
            2,
            "",
            "carriers cannot be used with ISO-2022-JP: what its bytes mean depends on earlier ones",
        );
    }
    run(&["--ill-formed=pua", "--unmappable=c8"], "a").expect(
        2,
        "",
        "--ill-formed and --unmappable name different carriers; use the same for both",
    );
}

#[test]
fn files_come_back_from_carriers() {
    for (name, source) in [
        ("UTF-8", &b"\xEF\xBB\xBFA\xFF"[..]),
        ("MUTF-8", b"a\0"),
        ("CP932", b"\xED\xB2\x81a"),
        ("Big5", b"\xF9\xFD"),
        ("windows-1258", b"A\xCC\xC0"),
    ] {
        for mode in ["surrogateescape", "pua", "c8"] {
            for wide in ["UTF-16", "UTF-16BE", "UTF-32LE"] {
                let mode = format!("--errors={mode}");
                let carried = run(&["-s", "-f", name, "-t", wide, &mode], source).stdout;
                // Converting the carriers back restores all bytes, so nothing is reported.
                run(&["-f", wide, "-t", name, &mode], &carried).expect(0, source, "");
                // `--verify` converts the result back.
                let dir = dir_with(&[("file", source)]);
                let line = format!("{} -s -i --reconvert --verify -f {name} -t {wide} {mode} file", UTFCONV);
                sh(dir.path(), &line).expect(0, "", "");
                assert_eq!(
                    std::fs::read(dir.path().join("file")).expect("is there"),
                    carried,
                    "{name} {wide} {mode}"
                );
            }
        }
    }
}

#[test]
fn lines_where_the_page_has_no_line_feed_or_two() {
    run(&["-f", "ISO-11548-1", "-t", "BRF"], b"\x01\x0A\x01\xFF").expect(
        1,
        "AIA",
        "-:1:4: error: unmappable character at byte 3: FF: U+28FF \"⣿\" cannot be encoded in BRF\n\
        utfconv: stopped; use --unmappable=MODE to continue, or -t to name another encoding\n",
    );
    run(&["-f", "ISIRI-3342", "-t", "ASCII"], b"A\x8AB\xB0").expect(
        1,
        "A\nB",
        "-:2:2: error: unmappable character at byte 3: B0: U+06F0 \"۰\" cannot be encoded in US-ASCII\n\
        utfconv: stopped; use --unmappable=MODE to continue, or -t to name another encoding\n",
    );
}
