//! Tests of files that are UTF-8, entirely or in part, although `-f` names another encoding, and of files that do not
//! convert back.

use std::fs;

use crate::harness::{dir_with, run, sh};

/// Returns five lines of windows-1252 and five lines of UTF-8.
fn mixed() -> Vec<u8> {
    [b"caf\xE9\n".repeat(5), "Grüße\n".repeat(5).into_bytes()].concat()
}

#[test]
fn a_partly_utf8_file_is_refused_unless_forced() {
    let dir = dir_with(&[("mixed", &mixed()), ("whole", "Grüße\n".as_bytes()), ("old", b"caf\xE9\n")]);
    let at = dir.path();
    let refused = "utfconv: mixed: not converted: it is UTF-8 in 5 of 10 lines with characters that are not ASCII; \
                   see 'utfconv repair mixed', or use --force to convert all of it from windows-1252\n";
    let summary = "utfconv: 1 converted, 0 unchanged, 1 failed, 1 already converted; 5 bytes to 6\n";
    let copied = "utfconv: 1 converted, 0 unchanged, 1 failed and not written to o, 1 copied (already UTF-8); 5 bytes to 6\n";
    sh(at, "$U --output-dir o -f windows-1252 mixed whole old; s=$?; cat o/whole o/old; ls o; exit $s")
        .expect(2, "Grüße\ncafé\nold\nwhole\n", &format!("{refused}{copied}"));
    sh(at, "$U -i -f windows-1252 mixed whole old; s=$?; cat whole old; exit $s").expect(
        2,
        "Grüße\ncafé\n",
        &format!("{refused}{summary}"),
    );
    assert_eq!(fs::read(at.join("mixed")).expect("reads"), mixed());
    // A mixed file is refused for any output encoding, and for any wrong input encoding.
    sh(at, "$U -i -f windows-1252 -t UTF-16 mixed").expect(2, "", refused);
    sh(at, "$U -i -f KOI8-R -t windows-1251 mixed").expect(2, "", "mixed: not converted: it is UTF-8 in 5 of 10 lines with characters that are not ASCII; see 'utfconv repair mixed', or use --force to convert all of it from KOI8-R");
    let all = [b"caf\xC3\xA9\n".repeat(5), "GrÃ¼ÃŸe\n".repeat(5).into_bytes()].concat();
    sh(at, "$U --output-dir o -f windows-1252 --force mixed; cat o/mixed").expect(0, &all, "");
    sh(at, "$U -i -f windows-1252 --force mixed; cat mixed").expect(0, &all, "");
    // A single line may be UTF-8 by chance.
    fs::write(at.join("chance"), b"caf\xE9\n\xC3\xA9\n\xFC\n").expect("writes");
    sh(at, "$U -i -f latin1 chance; cat chance").expect(0, "café\nÃ©\nü\n", "");
    sh(at, "$U -f latin1 --force chance").expect(2, "", "--force requires --in-place or --output-dir");
}

#[test]
fn other_outputs_are_written_with_a_warning() {
    let dir = dir_with(&[("mixed", &mixed()), ("whole", "Grüße, Grüße\n".as_bytes()), ("old", b"caf\xE9\n")]);
    let at = dir.path();
    let all = [b"caf\xC3\xA9\n".repeat(5), "GrÃ¼ÃŸe\n".repeat(5).into_bytes()].concat();
    let warning = "utfconv: mixed: warning: it is UTF-8 in 5 of 10 lines with characters that are not ASCII; see 'utfconv repair mixed'\n";
    sh(at, "$U -f windows-1252 mixed").expect(0, &all, warning);
    sh(at, "$U -f windows-1252 -o new mixed; cat new").expect(0, &all, warning);
    sh(at, "$U -f windows-1252 - < mixed").expect(
        0,
        &all,
        "-: warning: it is UTF-8 in 5 of 10 lines with characters that are not ASCII; see utfconv-repair(1)",
    );
    sh(at, "$U -f latin1 -t UTF-16LE whole | wc -c").expect(
        0,
        "34\n",
        "utfconv: whole: warning: it is UTF-8, not ISO-8859-1; use -f UTF-8\n",
    );
    for quiet in [
        "-f windows-1252 old",
        "-f windows-1252 -s mixed",
        "-f UTF-8 --ill-formed=omit --max-errors=1 -s mixed",
    ] {
        let ran = sh(at, &format!("$U {quiet}"));
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{quiet}");
    }
    // Input from a pipe is converted without a check.
    run(&["-f", "windows-1252"], mixed()).expect(0, &all, "");
}

/// With `-f UTF-16`, single-byte text is read as ideographs. Standard output gets a warning, and files are written only
/// with `--force`.
#[test]
fn text_of_bytes_is_not_written_as_ideographs() {
    let dir = dir_with(&[("f", b"Caf\xE9 Gr\xFC\xDFeX\n"), ("plain", b"abcdefgh"), ("o", b"old\n")]);
    let at = dir.path();
    let (look, see) = ("it does not look like UTF-16", "see 'utfconv detect f'");
    let text = "慃\u{E966}䜠ﱲ旟\u{A58}";
    sh(at, "$U -f UTF-16 f").expect(0, text, &format!("f: warning: {look}; {see}"));
    sh(at, "cat f | $U -f UTF-16").expect(0, text, &format!("-: warning: {look}; see utfconv-detect(1)"));
    sh(at, "cat plain | $U -f UTF-16").expect(
        0,
        "扡摣晥桧",
        &format!("-: warning: {look}; see utfconv-detect(1)"),
    );
    sh(at, "cat f | $U -s -f UTF-16").expect(0, text, "");
    sh(at, "$U --iconv -f UTF-16 -t UTF-8 f; cat f | $U --iconv -f UTF-16 -t UTF-8").expect(
        0,
        text.repeat(2),
        "",
    );
    let refused = format!(
        "utfconv: f: not converted: does not look like UTF-16; {see}, or use --force to convert it\n"
    );
    sh(at, "$U -f UTF-16 -o o f; s=$?; cat o; exit $s").expect(
        1,
        "old\n",
        &format!("{refused}utfconv: o: not written\n"),
    );
    sh(at, "cat f | $U -f UTF-16 -o o; s=$?; cat o; exit $s").expect(
        1,
        "old\n",
        &format!(
            "utfconv: -: not converted: {look}; see utfconv-detect(1), or use --force to convert it\nutfconv: o: not written\n"
        ),
    );
    for way in ["-i", "--output-dir=d", "-o f"] {
        sh(at, &format!("$U -f UTF-16 {way} f; s=$?; cat f; ls d 2>/dev/null; exit $s")).expect(
            1,
            b"Caf\xE9 Gr\xFC\xDFeX\n",
            &refused,
        );
    }
    sh(at, "$U -f UTF-16 --force -o o f && cat o").expect(0, text, &format!("f: warning: {look}; {see}"));
    sh(at, "cat plain | $U -f UTF-16 --force -o o && cat o").expect(
        0,
        "扡摣晥桧",
        &format!("-: warning: {look}; see utfconv-detect(1)"),
    );
    // In the reverse case, UTF-16 text is read as UTF-8.
    sh(at, "printf 'h\\0i\\0\\n\\0' > w; $U -o o w; s=$?; cat o; exit $s").expect(
        1,
        "扡摣晥桧",
        "utfconv: w: not converted: looks like UTF-16LE, not UTF-8; use -f UTF-16LE, or --force to convert it\n\
         utfconv: o: not written\n",
    );
    // As UTF-32, the bytes of this text are ill-formed.
    sh(at, "$U -f UTF-32 plain").expect_part(1, "", "invalid UTF-32LE (above U+10FFFF) at byte 0");
}

#[test]
fn files_that_look_like_utf16_are_converted_with_a_warning() {
    let text = "caf\u{e9} au lait\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    let plain = "a plain text\r\n".encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<_>>();
    let dir = dir_with(&[("wide", &plain), ("accent", &text), ("nul", b"abc\0def\n")]);
    let at = dir.path();
    let changed = plain.iter().map(|byte| if *byte == b'\r' { b'\n' } else { *byte }).collect::<Vec<_>>();
    sh(at, "$U --newline=lf wide").expect(
        0,
        &changed,
        "utfconv: wide: warning: it looks like UTF-16BE, not UTF-8; use -f UTF-16BE\n",
    );
    sh(at, "$U -f latin1 accent | wc -c").expect(
        0,
        "29\n",
        "utfconv: accent: warning: it looks like UTF-16LE, not ISO-8859-1; use -f UTF-16LE\n",
    );
    // The conversion reads pairs of ASCII bytes as ideographs.
    fs::write(at.join("bytes"), b"Sch\xF6ne Gr\xFC\xDFe aus K\xF6ln am Rhein\n\n").expect("writes");
    let ideographs = "捓\u{f668}敮䜠ﱲ旟愠獵䬠泶\u{206e}浡删敨湩ਊ";
    let warning = "it does not look like UTF-16; see";
    sh(at, "$U -f UTF-16 bytes").expect_part(
        0,
        ideographs,
        &format!("utfconv: bytes: warning: {warning} 'utfconv detect bytes'\n"),
    );
    sh(at, "$U -f UTF-16 < bytes").expect_part(
        0,
        ideographs,
        &format!("utfconv: -: warning: {warning} utfconv-detect(1)\n"),
    );
    for quiet in ["-f latin1 nul", "-f UTF-16LE accent", "-s wide", "--iconv -f UTF-8 -t UTF-8 wide"] {
        let ran = sh(at, &format!("$U {quiet}"));
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{quiet}");
    }
}

/// UTF-8 within a line shows a mixed file, too, and single-byte text is not accepted as UTF-16.
#[test]
fn files_in_other_encodings_than_the_named_one_stay() {
    let texts: [(&str, &[u8]); 6] = [
        ("quote", b"caf\xC3\xA9, it\x92s fine\n"),
        ("degrees", b"20 \xB0C in Z\xC3\xBCrich\n"),
        ("menu", b"Name;Price\nCr\xC3\xA8me br\xC3\xBBl\xC3\xA9e;\xE2\x82\xAC5\nCaf\xE9;2\n"),
        ("letter", b"Sehr geehrte Frau M\xFCller\n"),
        ("ebcdic", b"\xC1\xC3\xC3\x40\xF0\xF1\x15\xC2\xC1"),
        ("ideographs", b"\x2D\x4E\xFD\x56"),
    ];
    let dir = dir_with(&texts);
    let at = dir.path();
    for name in ["quote", "degrees"] {
        let why =
            format!("{name}: not converted: it is UTF-8 in parts of its lines; see 'utfconv repair {name}'");
        sh(at, &format!("$U -i -f windows-1252 {name}")).expect_part(2, "", &why);
    }
    for name in ["menu", "letter", "ebcdic"] {
        for from in ["UTF-16", "UTF-16LE"] {
            let why =
                format!("{name}: not converted: does not look like {from}; see 'utfconv detect {name}'");
            sh(at, &format!("$U -i -f {from} {name}")).expect_part(1, "", &why);
        }
    }
    for (name, old) in &texts {
        assert_eq!(fs::read(at.join(name)).expect("reads"), *old, "{name}");
    }
    sh(at, "$U -i -f UTF-16LE ideographs && cat ideographs").expect(0, "中国", "");
    fs::write(at.join("utf8"), "Crème brûlée und Käse\n").expect("writes");
    let ran = sh(at, "$U -f UTF-16 utf8 > out");
    assert_eq!(ran.stderr, "utfconv: utf8: warning: it looks like UTF-8, not UTF-16; use -f UTF-8\n");
    // No encoding can decode the whole file, so no encoding is suggested.
    let mixture = [&b"log: Jos\xC3\xA9\nlog: M\xFCller und G\xE4rtner\n"[..]; 4].concat();
    fs::write(at.join("log"), &mixture).expect("writes");
    let why = "log: not converted: some of it is UTF-8, and some is not; see 'utfconv repair log'";
    sh(at, "$U -i -f auto --min-certainty=guess log").expect_part(1, "", why);
    assert_eq!(fs::read(at.join("log")).expect("reads"), mixture);
}

/// For a file, detection examines all lines. Lines of a pipe are examined as they arrive.
#[test]
fn a_detected_encoding_is_not_that_of_utf8_lines() {
    let legacy = b"sch\xF6ne Gr\xFC\xDFe f\xFCr J\xFCrgen M\xFCller\n";
    let one = ["Zürich, Köln\n".as_bytes(), &legacy.repeat(3)].concat();
    let late = [&legacy.repeat(10_000)[..], "Grüße aus Köln\n".as_bytes()].concat();
    let dir = dir_with(&[("one", &one), ("late", &late), ("legacy", &legacy.repeat(10_000))]);
    let at = dir.path();
    for name in ["one", "late"] {
        let why = format!(
            "utfconv: {name}: not converted: some of it is UTF-8, and some is not; see 'utfconv repair {name}'\n"
        );
        for options in ["-i", "", "--output-dir=out"] {
            sh(at, &format!("$U {options} -f auto {name}")).expect_part(1, "", &why);
        }
        let found = format!("{name}: windows-1252 (guess: ");
        let ran = sh(at, &format!("$U detect {name}"));
        let stdout = String::from_utf8_lossy(&ran.stdout);
        assert!(stdout.starts_with(&found) && stdout.ends_with("; but some of it is UTF-8)\n"), "{stdout}");
    }
    assert_eq!(fs::read(at.join("one")).expect("reads"), one);
    let why = "utfconv: -: some of it is UTF-8, and was converted from windows-1252: only the first 64 KiB of a pipe \
               are looked at; write it to a file, and see utfconv-repair(1)\n";
    sh(at, "cat late | $U -f auto > out; s=$?; tail -n 1 out; exit $s").expect(1, "GrÃ¼ÃŸe aus KÃ¶ln\n", why);
    sh(at, "cat legacy | $U -f auto | tail -n 1").expect(0, "schöne Grüße für Jürgen Müller\n", "");
    sh(at, "$U -f windows-1252 late > out").expect(
        0,
        "",
        "utfconv: late: warning: some of it is UTF-8; see 'utfconv repair late'\n",
    );
}

/// Spaces and newlines show whether a file is EBCDIC, and a file of only ASCII bytes is not UTF-16.
#[test]
fn text_of_another_family_stays() {
    let dir = dir_with(&[("ascii", b"abcd"), ("letter", b"Dear all,\nM\xFCller\n")]);
    let at = dir.path();
    sh(at, "printf 'DEAR ALL,\\nTHE REPORT OF MAY\\n' | $U -t IBM1047 > report").expect(0, "", "");
    for (from, name) in [
        ("UTF-16", "ascii"),
        ("UTF-16BE", "ascii"),
        ("IBM1047", "letter"),
        ("IBM930", "letter"),
        ("windows-1252", "report"),
        ("KOI8-R", "report"),
    ] {
        let before = fs::read(at.join(name)).expect("reads");
        let see = format!("see 'utfconv detect {name}'");
        sh(at, &format!("$U -i -f {from} {name}")).expect(
            1,
            "",
            &format!(
                "utfconv: {name}: not converted: does not look like {from}; {see}, or use --force to convert it\n"
            ),
        );
        assert_eq!(fs::read(at.join(name)).expect("reads"), before, "{from}");
        let ran = sh(at, &format!("$U -f {from} {name} > out"));
        let warning = format!("utfconv: {name}: warning: it does not look like {from}; {see}\n");
        assert!(ran.stderr.starts_with(&warning), "{}", ran.stderr);
    }
    sh(at, "$U -i -f UTF-16LE --force ascii && cat ascii").expect(0, "扡摣", "");
    sh(at, "printf 'あいうえお' | $U -t UTF-16LE > kana && $U -i -f UTF-16LE kana && cat kana").expect(
        0,
        "あいうえお",
        "",
    );
    sh(at, "$U -i -f IBM1047 report && wc -l < report").expect(0, "2\n", "");
}

/// Double-byte text can contain UTF-8 by chance, so the detected encoding is suggested.
#[test]
fn chinese_text_is_not_called_partly_utf8() {
    let text =
        "1\n00:00:01,000 --> 00:00:03,000\n你好，世界。今天天气很好，我们去公园吧。\n欢迎光临，请坐。\n";
    let dir = dir_with(&[("utf8", text.repeat(3).as_bytes())]);
    let at = dir.path();
    sh(at, "$U -t GB18030 utf8 > zh.srt && $U -i -f windows-1252 zh.srt; s=$?; $U -f GB18030 zh.srt | cmp - utf8 && exit $s")
        .expect(1, "", "utfconv: zh.srt: not converted: looks like GB18030, not windows-1252; use -f GB18030 or -f auto\n");
}

/// Replacing invalid bytes is refused for text in another encoding, because the option is for text that is otherwise
/// UTF-8.
#[test]
fn text_in_another_encoding_is_not_replaced() {
    let letter = b"Sehr geehrte Frau M\xFCller,\nsch\xF6ne Gr\xFC\xDFe aus M\xFCnchen, auch f\xFCr J\xF6rg Sch\xE4fer\n";
    let menu = "Crème brûlée, Käse, naïve, été, à la\nCaf".as_bytes();
    let dir = dir_with(&[("letter", letter), ("menu", &[menu, b"\xE9\n"].concat())]);
    let at = dir.path();
    for option in ["--ill-formed=replace", "--ill-formed=omit", "-c"] {
        sh(at, &format!("$U -i {option} letter")).expect(
            1,
            "",
            "utfconv: letter: not converted: looks like windows-1252, not UTF-8; use -f windows-1252 or -f auto, or \
             --force to lose what is not UTF-8\n",
        );
    }
    assert_eq!(fs::read(at.join("letter")).expect("reads"), letter);
    sh(at, "$U -s -i --ill-formed=replace menu && tail -n 1 menu").expect(0, "Caf\u{FFFD}\n", "");
    sh(at, "$U -s -i --force --ill-formed=omit letter && head -n 1 letter").expect(
        0,
        "Sehr geehrte Frau Mller,\n",
        "",
    );
}

/// A single UTF-8 line is enough if text in the named encoding is unlikely to contain it. An EBCDIC file may use
/// another newline.
#[test]
fn small_files_are_not_garbled_either() {
    let menu = "Name;Price\nCrème brûlée;€5\nCaf\u{FF};€2\n".replace('\u{FF}', "");
    let menu = [menu.as_bytes(), b"Caf\xE9\n"].concat();
    let lines = b"\xC1\xC2\x15\xC3\xC4\x15";
    let dir = dir_with(&[("menu", &menu), ("page", lines), ("feed", b"\xC1\x25\xC2\x15")]);
    let at = dir.path();
    let said = "it is UTF-8 in 2 of 3 lines with characters that are not ASCII; see 'utfconv repair menu'";
    for from in ["windows-1252", "ISO-8859-1", "ISO-8859-2", "windows-1251"] {
        sh(at, &format!("$U -i -f {from} menu")).expect_part(
            2,
            "",
            &format!("menu: not converted: {said}, or use --force"),
        );
    }
    sh(at, "$U -i -f windows-1252 menu 2> /dev/null; cat menu").expect(0, &menu, "");
    sh(at, "$U -r -f auto --dry-run -i .").expect_part(
        1,
        "",
        "1 file not converted: UTF-8 with errors; see utfconv-repair(1) (menu)",
    );
    let warning = "warning: its lines end with byte 15 (hex), which becomes U+0085 (NEL); use --ebcdic-newline=lf for line feeds\n";
    sh(at, "$U -f IBM1047 page").expect(0, "AB\u{85}CD\u{85}", &format!("utfconv: page: {warning}"));
    sh(at, "$U --output-dir o -f IBM1047 page; cat o/page").expect(
        0,
        "AB\u{85}CD\u{85}",
        &format!("utfconv: page: {warning}"),
    );
    for quiet in [
        "-f IBM1047 --ebcdic-newline=lf page",
        "-f IBM1047 --ebcdic-newline=nel page",
        "-s -f IBM1047 page",
        "-f IBM1047 -t IBM037 page",
    ] {
        sh(at, &format!("$U {quiet} > out")).expect(0, "", "");
    }
    let both = "it has both newlines, bytes 15 and 25 (hex), and one of them becomes U+0085 (NEL)";
    for options in ["", "--ebcdic-newline=lf"] {
        sh(at, &format!("$U -f IBM1047 {options} feed > out")).expect(
            0,
            "",
            &format!("utfconv: feed: warning: {both}\n"),
        );
        sh(at, &format!("$U -i -f IBM1047 {options} feed")).expect(
            1,
            "",
            &format!("utfconv: feed: not converted: {both}; use --force to convert it so\n"),
        );
    }
    sh(at, "printf 'A\\r\\nB\\r\\n' | $U -t IBM037 > crlf && $U -i -f IBM037 --ebcdic-newline=lf crlf").expect_part(
        1,
        "",
        "its lines end with byte 25 (hex), which would become U+0085 (NEL); use 'utfconv -i -f IBM037 -t UTF-8 crlf' for line feeds",
    );
}

/// An in-place conversion is refused if it would join all lines into one.
#[test]
fn ebcdic_without_newlines_is_refused_in_place() {
    // The text is long enough for its encoding to be detected.
    let text = "When the rain began to fall we left the garden and went into the old house";
    let text = format!("{text}\nThere was nobody at home and the door was open all the time\n");
    let dir = dir_with(&[("utf8", text.as_bytes())]);
    let at = dir.path();
    sh(at, "$U -t IBM1047 --ebcdic-newline=lf utf8 > page").expect(0, "", "");
    let page = fs::read(at.join("page")).expect("reads");
    assert!(page.contains(&0x15) && !page.contains(&0x25), "{page:02X?}");
    let warning = "its lines end with byte 15 (hex), which becomes U+0085 (NEL); use --ebcdic-newline=lf for line feeds";
    sh(at, "$U -f auto page").expect(
        0,
        text.replace('\n', "\u{85}"),
        &format!("utfconv: page: warning: {warning}\n"),
    );
    for (options, from, to) in [
        ("-f auto", "IBM037", "UTF-8"),
        ("-f IBM1047", "IBM1047", "UTF-8"),
        ("-f IBM1047 -t UTF-16LE --dry-run", "IBM1047", "UTF-16LE"),
    ] {
        let command = format!("utfconv -i -f {from} -t {to} --ebcdic-newline=lf page");
        sh(at, &format!("$U -i {options} page")).expect(
            1,
            "",
            &format!(
                "utfconv: page: not converted: its lines end with byte 15 (hex), which would become U+0085 (NEL); use '{command}' for line \
                 feeds, or --ebcdic-newline=nel for U+0085\n"
            ),
        );
        assert_eq!(fs::read(at.join("page")).expect("reads"), page);
    }
    sh(at, "cp page p && $U -i -f IBM037 -t UTF-8 --ebcdic-newline=lf p && cat p").expect(0, &text, "");
    // In the reverse case, `--ebcdic-newline=lf` is given for a file with the other newline.
    sh(at, "$U -t IBM1047 utf8 > lf && $U -i -f IBM1047 --ebcdic-newline=lf lf").expect(
        1,
        "",
        "utfconv: lf: not converted: its lines end with byte 25 (hex), which would become U+0085 (NEL); use 'utfconv -i -f IBM1047 -t UTF-8 \
         lf' for line feeds, or --force for U+0085\n",
    );
    let warning =
        "its lines end with byte 25 (hex), which becomes U+0085 (NEL); leave out --ebcdic-newline=lf";
    sh(at, "$U -f IBM1047 --ebcdic-newline=lf lf").expect(
        0,
        text.replace('\n', "\u{85}"),
        &format!("utfconv: lf: warning: {warning}\n"),
    );
    sh(at, "$U -i -f IBM1047 -t UTF-8 lf && cat lf").expect(0, &text, "");
    for keeps in ["--ebcdic-newline=nel", "--force -s"] {
        sh(at, &format!("cp page p && $U -i -s -f auto {keeps} p && cat p")).expect(
            0,
            text.replace('\n', "\u{85}"),
            "",
        );
    }
}

/// Windows code pages have punctuation where ISO 8859 has control characters.
#[test]
fn control_characters_of_iso_8859_are_reported() {
    let quotes = b"plain\nHe said \x93hello\x94 \x96 it\x92s 5 \x80.\n";
    let turkish = encoded_by("windows-1254", "Türkçe bir \u{201C}şey\u{201D} ve başka ığdır\n");
    let dir = dir_with(&[("quotes", quotes), ("turkish", &turkish), ("nel", b"caf\xE9\x85\n")]);
    let at = dir.path();
    let text = "plain\nHe said \u{93}hello\u{94} \u{96} it\u{92}s 5 \u{80}.\n";
    let said =
        "in line 2, byte 93 is a control character in ISO-8859-1, but U+201C \"\u{201C}\" in windows-1252";
    let warning = |name: &str, advice: &str| format!("utfconv: {name}: warning: {said}; {advice}\n");
    for how in [
        "-f latin1 quotes",
        "-f ISO-8859-1 -o new quotes; cat new",
        "-f latin1 --output-dir o quotes; cat o/quotes",
    ] {
        sh(at, &format!("$U {how}")).expect(0, text, &warning("quotes", "use -f windows-1252"));
    }
    sh(at, "$U -f latin1 < quotes").expect(0, text, &warning("-", "use -f windows-1252"));
    let undo = "utfconv -i -f UTF-8 -t ISO-8859-1 f && utfconv -i -f windows-1252 -t UTF-8 f";
    sh(at, "cp quotes f; $U -i -f latin1 --dry-run f").expect(
        0,
        "f: would be converted from ISO-8859-1 to UTF-8, 34 to 39 bytes\n",
        &warning("f", "use -f windows-1252"),
    );
    sh(at, "$U -i -f latin1 f; cat f").expect(0, text, &warning("f", &format!("use '{undo}'")));
    // The command that the message suggests undoes the mistake.
    sh(at, &format!("utfconv() {{ $U \"$@\"; }}; {undo} && cat f")).expect(
        0,
        "plain\nHe said \u{201C}hello\u{201D} \u{2013} it\u{2019}s 5 \u{20AC}.\n",
        "",
    );
    // A file that cannot be converted stays.
    let error = "quotes:2:9: error: unmappable character at byte 14: 93: U+0093 ";
    let ran = sh(at, "$U -i -f latin1 -t windows-1252 quotes");
    ran.expect_part(1, "", error);
    assert!(ran.stderr.ends_with(&warning("quotes", "use -f windows-1252")), "{ran:?}");
    // If windows-1252 is improbable, no encoding is suggested.
    fs::write(at.join("dos"), b"un caf\x82 pour moi\n").expect("writes");
    let other = "in line 1, byte 82 is a control character in ISO-8859-1";
    sh(at, "$U -f latin1 dos > out").expect(
        0,
        "",
        &format!("utfconv: dos: warning: {other}; see 'utfconv detect dos'\n"),
    );
    sh(at, "cp dos d; $U -i -f latin1 d").expect(
        0,
        "",
        &format!(
            "utfconv: d: warning: {other}; use 'utfconv -i -f UTF-8 -t ISO-8859-1 d && utfconv detect d'\n"
        ),
    );
    let said = "in line 1, byte 93 is a control character in ISO-8859-9, but U+201C \"\u{201C}\" in windows-1254; use -f windows-1254\n";
    sh(at, "$U -f ISO-8859-9 turkish > out").expect(0, "", &format!("utfconv: turkish: warning: {said}"));
    // The control characters are far from the start. If the file does not change, only the first part is examined.
    fs::write(at.join("late"), [&b"plain text\n".repeat(60_000)[..], quotes].concat()).expect("writes");
    sh(at, "$U -f latin1 late > out").expect(0, "", "");
    let late = "utfconv: late: warning: in line 60002, byte 93 is";
    sh(at, "$U -i -f latin1 late").expect_part(0, "", late);
    for quiet in [
        "-f latin1 nel",
        "-f latin1 -t latin1 --newline=crlf quotes",
        "-s -f latin1 quotes",
        "-f windows-1252 quotes",
        "--iconv -f latin1 -t UTF-8 quotes",
        "-f latin1 --range=0: quotes",
        "-f latin1 --force --output-dir forced quotes",
        "-f latin1 -s -i quotes",
    ] {
        let ran = sh(at, &format!("$U {quiet}"));
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{quiet}");
    }
}

/// Returns the text as the program converts it from UTF-8 to `encoding`.
fn encoded_by(encoding: &str, text: &str) -> Vec<u8> {
    run(&["-t", encoding], text).stdout
}

/// A fallback leaves bytes that are UTF-8 by chance. `repair` decides for a line as a whole.
#[test]
fn what_a_fallback_would_misread_is_reported() {
    // In windows-1252, É and a quotation mark have the same bytes as U+0254 in UTF-8.
    let legacy = b"K\xF6ln: \xC9\x94\n";
    let mixed = [&b"a\n"[..], "Gr\u{fc}\u{df}e\n".as_bytes(), legacy].concat();
    let good = [&mixed[..10], "\u{fc} caf".as_bytes(), b"\xE9, na\xEFve\n"].concat();
    let dir = dir_with(&[("mixed", &mixed), ("good", &good), ("utf8", "Grüße ɔ\n".as_bytes())]);
    let at = dir.path();
    let fallback = "--ill-formed=fallback=windows-1252";
    let said = "in line 3, bytes of windows-1252 are also UTF-8, and would be misread";
    let use_repair = "use 'utfconv repair --candidates=windows-1252 mixed'";
    let converted = "a\nGrüße\nKöln: ɔ\n";
    let warning = format!("utfconv: mixed: warning: {said}; {use_repair}\n");
    sh(at, &format!("$U {fallback} mixed")).expect_part(0, converted, &warning);
    sh(at, &format!("$U {fallback} < mixed")).expect_part(
        0,
        converted,
        &format!("utfconv: -: warning: {said}; see utfconv-repair(1)\n"),
    );
    // Only the first bytes of a pipe are examined.
    sh(at, &format!("cat mixed | $U {fallback}")).expect_part(
        0,
        converted,
        &format!(
            "utfconv: -: warning: {said}; write it to a file, and use 'utfconv repair --candidates=windows-1252 FILE'\n"
        ),
    );
    sh(at, &format!("$U -i {fallback} mixed; s=$?; cat mixed; exit $s")).expect(
        2,
        &mixed[..],
        &format!("utfconv: mixed: not converted: {said}; {use_repair}; --force converts it as it is\n"),
    );
    // The command that the message suggests decodes the file correctly.
    sh(at, "cp mixed copy; $U repair -i --candidates=windows-1252 copy > log; cat copy").expect(
        0,
        "a\nGrüße\nKöln: É”\n",
        "",
    );
    sh(at, &format!("$U -i {fallback} -s --force mixed; cat mixed")).expect(0, converted, "");
    sh(at, &format!("$U -i {fallback} -s good utf8; cat good utf8")).expect(
        0,
        "a\nGrüße\nü café, naïve\nGrüße ɔ\n",
        "",
    );
}

/// Duplicate two-byte codes and redundant escape sequences do not convert back.
#[test]
fn what_does_not_convert_back_is_reported() {
    let twice = b"abc\n\xFA\x5A\n";
    let idle = b"a\x1B(B\x1B$B$3\x1B(B\n";
    let dir = dir_with(&[("twice", twice), ("idle", idle), ("same", b"\x82\xA0\n"), ("page", b"caf\xE9\n")]);
    let at = dir.path();
    let said = "converted back, it is different from byte";
    for (file, from, offset) in [("twice", "CP932", "4"), ("idle", "ISO-2022-JP", "2")] {
        let ran = sh(at, &format!("cp {file} f; $U -i --verify -f {from} f; s=$?; cmp f {file} && exit $s"));
        ran.expect(
            1,
            "",
            &format!("utfconv: f: not converted: --verify found a difference: {said} {offset} on\n"),
        );
        let ran = sh(at, &format!("$U -i -f {from} f && $U -f {from} {file} | cmp - f"));
        ran.expect(
            0,
            "",
            &format!(
                "utfconv: f: warning: {said} {offset} on; use --verify to keep such files as they are\n"
            ),
        );
    }
    sh(at, "$U -i --verify -f CP932 same && $U -i --verify -f windows-1252 page && cat same page").expect(
        0,
        "あ\ncafé\n",
        "",
    );
    // A letter and an accent become one precomposed character, which has one byte. In ISIRI 3342, FF is decoded but
    // never encoded.
    for (from, text) in [("TCVN5712-1", r"a\255\264b\n"), ("ISIRI-3342", r"a\377\n")] {
        for bom in ["", "--output-bom=never", "--output-bom=always", "--input-bom=strip"] {
            let make = format!("printf '{text}' | tee f > old; $U -i -f {from} {bom}");
            sh(at, &format!("{make} --verify f; s=$?; cmp f old && exit $s")).expect(
                1,
                "",
                &format!("utfconv: f: not converted: --verify found a difference: {said} 1 on\n"),
            );
            sh(at, &format!("{make} f; s=$?; cmp -s f old || exit $s")).expect(
                0,
                "",
                &format!("utfconv: f: warning: {said} 1 on; use --verify to keep such files as they are\n"),
            );
        }
    }
    // An added or removed BOM does not count as a difference.
    let make = r"printf '\n\202\240\n' > f; $U -i -f CP932";
    for options in ["--output-bom=always", "-t UTF-16LE --output-bom=always", "-t UTF-16", "-t UTF-8N"] {
        sh(at, &format!("{make} {options} --verify f")).expect(0, "", "");
    }
    sh(at, r"printf '\2041\2253a\n' > f; $U -i -f GB18030 --verify f && $U -i -t GB18030 --verify f")
        .expect(0, "", "");
    // Changes by other options do not count as a difference.
    sh(at, "printf 'a\\x1b(B\\r\\n' > f; $U -i --newline=lf -f ISO-2022-JP f; cat f").expect(0, "a\n", "");
}
