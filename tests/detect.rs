//! Tests of the command `detect`: the files it reads, its reports, and its exit status.

use std::io::Cursor;

use utfconv_detect::{Certainty, Hints};

use crate::check::assert_ran;
use crate::harness::{dir_with, hex, run, sh};

/// "Съешь ещё этих мягких французских булок, да выпей чаю" in KOI8-R, as hexadecimal bytes.
const RUSSIAN: &str = "F3 DF C5 DB D8 20 C5 DD A3 20 DC D4 C9 C8 20 CD D1 C7 CB C9 C8 20 C6 D2 C1 CE C3 D5 DA D3 CB C9 C8 20 \
                       C2 D5 CC CF CB 2C 20 C4 C1 20 D7 D9 D0 C5 CA 20 DE C1 C0 0A";

#[test]
fn every_file_in_order_with_what_decides() {
    let files: [(&str, &[u8]); 6] = [
        ("a", b"plain\n"),
        ("b", "né, né\n".as_bytes()),
        ("c", b"\xFF\xFEH\0i\0\n\0"),
        ("d", b"\xEF\xBB\xBFa\n"),
        ("e", b""),
        ("f.bin", b"\x7FELF\x02\x01\x01\0\0"),
    ];
    let dir = dir_with(&files);
    let at = dir.path();
    let lines = "\
a: US-ASCII (certain: all bytes are ASCII)
b: UTF-8 (certain: well-formed, 2 sequences)
c: UTF-16 (certain: the BOM FF FE of UTF-16LE, followed by text)
d: UTF-8 (certain: the BOM EF BB BF, and it is well-formed)
e: US-ASCII (certain: it is empty)
";
    let binary = "f.bin: binary (certain: it is binary: it begins as an ELF executable)\n";
    assert_ran(&sh(at, "$U detect < b"), 0, "-: UTF-8 (certain: well-formed, 2 sequences)\n", "");
    let names = "US-ASCII\nUTF-8\nUTF-16\nUTF-8\nUS-ASCII\n";
    assert_ran(&sh(at, "$U detect --brief ."), 0, names, "");
    assert_ran(&sh(at, "$U detect --brief f.bin"), 1, "binary\n", "");
    sh(at, "$U detect --brief --format=json a").expect(
        2,
        "",
        "the argument '--brief' cannot be used with '--format <FORMAT>' (see --help)",
    );
    assert_ran(&sh(at, "$U detect -j1 ."), 0, lines, "");
    assert_ran(&sh(at, "ls | $U detect --files-from -"), 1, &(lines.to_string() + binary), "");
    assert_ran(&sh(at, "$U detect - < a"), 0, "-: US-ASCII (certain: all bytes are ASCII)\n", "");
    let missing = "utfconv: g: No such file or directory\n";
    assert_ran(&sh(at, "$U detect g a"), 2, "a: US-ASCII (certain: all bytes are ASCII)\n", missing);
    for (old, new) in [
        ("-i -f auto --accept-guess a", "unexpected argument '--accept-guess'; use '--min-certainty=guess'"),
        (
            "check --fix --accept-likely a",
            "unexpected argument '--accept-likely'; use '--min-certainty=likely'",
        ),
        ("--nfc a", "unexpected argument '--nfc'; use '--normalize=nfc'"),
        ("--bom a", "unexpected argument '--bom'; use '--output-bom=always'"),
        ("--remove-bom a", "unexpected argument '--remove-bom'; use '--output-bom=never'"),
        ("--no-bom a", "unexpected argument '--no-bom'; use '--output-bom=never'"),
        ("-q a", "unexpected argument '-q'; use '--silent'"),
        ("check --encoding=latin1 a", "unexpected argument '--encoding'; use '-f'"),
        ("check -r a", "unexpected argument '-r'; directories are searched without it"),
        ("detect --recursive a", "unexpected argument '--recursive'; directories are searched without it"),
        ("repair -ri a", "unexpected argument '-r'; directories are searched without it"),
        ("inspect -r a", "unexpected argument '-r' found (see --help)"),
        ("names --again a", "unexpected argument '--again'; use '--reconvert'"),
        ("names -r a", "unexpected argument '-r'; names always enters directories"),
        ("names --recursive a", "unexpected argument '--recursive'; names always enters directories"),
        ("names -n a", "unexpected argument '-n'; without -i, names only shows what it would do"),
        ("names --dry-run", "unexpected argument '--dry-run'; without -i, names only shows what it would do"),
    ] {
        sh(at, &format!("$U {old}")).expect(2, "", &format!("utfconv: {new}\n"));
    }
    sh(at, "$U detect - -").expect(2, "", "standard input can be read only once");
    sh(at, "$U detect --format=xml").expect(
        2,
        "",
        "invalid value 'xml' for '--format <FORMAT>' [possible values: text, json] (see --help)",
    );
}

#[test]
fn json_is_an_object_a_line() {
    let dir = dir_with(&[("a", b"\xEF\xBB\xBFa\n"), ("f", b"x\0")]);
    let lines = r#"{"type":"file","path":{"text":"a"},"encoding":"UTF-8","binary":false,"certainty":"certain","reason":"the BOM EF BB BF, and it is well-formed","alternatives":[],"language":null,"hypotheses":[],"bom":3}
{"type":"file","path":{"text":"f"},"encoding":null,"binary":true,"certainty":"certain","reason":"it is binary: byte 1 is NUL, and it is not UTF-16 or UTF-32","alternatives":[],"language":null,"hypotheses":[],"bom":0}
{"type":"unreadable","path":{"text":"g"},"reason":"No such file or directory"}
"#;
    let stderr = "utfconv: g: No such file or directory\n";
    assert_ran(&sh(dir.path(), "$U detect --format=json a f g"), 2, lines, stderr);
}

/// `-v` prints the three most probable texts with their probabilities, or none if the encoding is proven.
#[test]
fn probabilities_are_shown_on_request() {
    let dir = dir_with(&[("a", &hex(RUSSIAN)), ("b", b"x \xE9\n"), ("c", b"plain\n")]);
    let at = dir.path();
    let ran = sh(at, "$U detect -v a b c");
    let text = String::from_utf8_lossy(&ran.stdout).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 9, "{text}");
    assert!(
        lines[0].starts_with("a: KOI8-R (likely: ") && lines[1] == "    100.0 % KOI8-R, Russian",
        "{text}"
    );
    let percent =
        |line: &str| line.trim_start().split(' ').next().and_then(|number| number.parse::<f64>().ok());
    let shown: Vec<f64> = lines[5..8].iter().filter_map(|line| percent(line)).collect();
    assert!(shown.len() == 3 && shown.is_sorted_by(|one, next| one >= next) && shown[0] < 99.5, "{text}");
    assert!(shown.iter().sum::<f64>() <= 100.1, "{text}");
    let ran = sh(at, "$U detect --format=json a");
    let json: serde_json::Value = serde_json::from_slice(&ran.stdout).expect("JSON");
    let best = &json["hypotheses"][0];
    assert!(best["encoding"] == "KOI8-R" && best["language"] == "Russian", "{json}");
    assert!(best["probability"].as_f64().is_some_and(|one| (0.995..=1.0).contains(&one)), "{json}");
    assert!(json["hypotheses"].as_array().is_some_and(|all| all.len() <= 3), "{json}");
    run(&["detect", "-v", "--brief", "-"], "").expect_part(2, "", "--brief");
}

/// Legacy text is likely if there is enough of it, and a single letter is a guess.
#[test]
fn statistics_decide_what_is_likely_and_what_is_a_guess() {
    let ran = run(&["detect", "-"], hex(RUSSIAN));
    let said = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status == 0 && said.starts_with("-: KOI8-R (likely: it reads as Russian"), "{ran:?}");
    let ran = run(&["detect", "-"], b"\xE9");
    let said = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status == 1 && said.contains("(guess: ") && said.contains("; or "), "{ran:?}");
}

/// Escape sequences of ISO 2022 and HZ prove the encoding. Escape sequences of UTF-7 may be ordinary text, so UTF-7 has
/// to be allowed by an option.
#[test]
fn seven_bit_encodings_are_known_by_their_escapes() {
    let ascii = "-: US-ASCII (certain: all bytes are ASCII)\n";
    let ill_formed = "-: US-ASCII (guess: all bytes are ASCII, and some are escapes as of ISO-2022)\n";
    for (bytes, status, line) in [
        (&b"\x1B$B$3$s\x1B(B\n"[..], 0, "-: ISO-2022-JP (certain: its escapes, and it is well-formed)\n"),
        (b"\x1B$)C\na \x0E0!3*\x0F\n", 0, "-: ISO-2022-KR (certain: its escapes, and it is well-formed)\n"),
        (b"~{<:Ky2;Sz~}\n", 0, "-: HZ-GB-2312 (likely: its escapes, and it is well-formed)\n"),
        (b"\x1B$B$3 $\x1B(B\n", 1, ill_formed),
        (b"\x1B[31mred\x1B[0m ~{ a ~}\n", 0, ascii),
        (b"\x1B[1mbold\x1B(B\x1B[m\n", 0, ascii),
        (b"\x1B(0lqk\x1B(B\n", 1, ill_formed),
        (b"Gr+APwA3w-e\n", 0, ascii),
    ] {
        assert_ran(&run(&["detect", "-"], bytes), status, line, "");
    }
    let line = "-: UTF-7 (likely: its escapes, and it is well-formed; or US-ASCII)\n";
    assert_ran(&run(&["detect", "--allow-7bit", "-"], b"Gr+APwA3w-e\n"), 0, line, "");
    assert_ran(&run(&["detect", "--allow-7bit", "-"], b"1+1=2\n"), 0, ascii, "");
}

/// Control characters make a file binary, or its encoding a guess.
#[test]
fn controls_and_escapes() {
    for (bytes, status, found) in [
        // The bytes are random, without NUL.
        (
            hex("8A 13 F2 07 C4 9E 1B 05 E3 77 01 BD 60 11 FA 3C 92 0F D8 1E"),
            1,
            "binary (certain: it is binary: it has 7 control characters",
        ),
        // The text is UTF-16 without a BOM and without NUL.
        (
            hex("1F 04 40 04 38 04 32 04 35 04 42 04"),
            0,
            "UTF-16LE (likely: no BOM, but as UTF-16 it reads as",
        ),
        // UTF-32 without a BOM is likely, and UTF-16 with a BOM certain.
        (hex("1F 04 00 00 40 04 00 00 38 04 00 00 32 04 00 00"), 0, "UTF-32LE (likely"),
        (hex("FF FE 1F 04 40 04"), 0, "UTF-16 (certain: the BOM"),
        (hex("FF FE E9 00"), 0, "UTF-16 (certain: the BOM"),
    ] {
        let ran = run(&["detect", "-"], &bytes);
        let text = String::from_utf8_lossy(&ran.stdout);
        assert!(ran.status == status && text.contains(found), "{bytes:02X?} {ran:?} {text}");
    }
    // Bytes that are undefined in windows-1252 do not make the text likely ISO-8859-1.
    let text = [
        &"“Él dijo – que sí, señor, mañana por la mañana”, y se fue\n"
            .chars()
            .map(|c| match c {
                '“' => 0x93,
                '”' => 0x94,
                '–' => 0x96,
                c => c as u8,
            })
            .collect::<Vec<_>>()[..],
        b"x\x81y\n",
    ]
    .concat();
    let ran = run(&["detect", "-"], &text);
    assert!(ran.status == 1 && String::from_utf8_lossy(&ran.stdout).contains("(guess"), "{ran:?}");
}

/// A pipe can be read only once, so the first bytes decide. The rest of the text is not assumed to be similar.
#[test]
fn the_beginning_of_a_pipe() {
    let ascii = "a\n".repeat(40_000);
    run(&["-f", "auto"], ascii.clone() + "é").expect(0, ascii + "é", "");
    // The end of the first 64 KiB cuts a UTF-8 sequence.
    let cut = "a".repeat(65_535) + "é日本語";
    run(&["-f", "auto", "-t", "UTF-16BE"], &cut).expect(
        0,
        cut.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<_>>(),
        "",
    );
    let few = run(&["-f", "auto"], b"\xE9");
    few.expect(1, "", "-: not converted: may be windows-1252, or IBM850, or windows-1253, or KOI8-R (there are no words, only 1 non-ASCII character; ISO-8859-1 and ISO-8859-15 give the same text); use -f to name the encoding, or --min-certainty=guess to use windows-1252");
    // The messages about an error after the first 64 KiB, and about a text without a decision, mention the limit.
    let (text, end) = ("é\n".repeat(40_000), "; only the first 64 KiB of a pipe are looked at\n");
    let late = run(&["-f", "auto"], [text.as_bytes(), b"\xE9 x"].concat());
    let error = "-:40001:1: error: invalid UTF-8 (truncated) at byte 120000: E9 starts a sequence of 3 bytes, 1 found\n\
        utfconv: stopped; use --ill-formed=MODE to continue, or -f to name another encoding \
        (it was detected by the first 64 KiB alone)\n";
    late.expect(1, &text, error);
    let early = run(&["-f", "auto"], [b"\xEF\xBB\xBF\xE9 x", text.as_bytes()].concat());
    assert!(early.status == 1 && !early.stderr.contains("64 KiB"), "{}", early.stderr);
    let many = run(&["-f", "auto"], b"x \xE9\n".repeat(20_000));
    assert!(many.status == 1 && many.stderr.ends_with(end) && !few.stderr.ends_with(end), "{}", many.stderr);
    // A regular file is read to its end.
    let dir = dir_with(&[("a", &[text.as_bytes(), b"\xE9 x"].concat())]);
    let ran = sh(dir.path(), "$U -f auto < a");
    assert!(!ran.stderr.contains("64 KiB"), "{}", ran.stderr);
}

/// Encodes Western text in windows-1252. The string has the characters of the bytes 80..9F.
fn windows_1252(text: &str) -> Vec<u8> {
    let upper = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ";
    let byte = |char| upper.chars().position(|one| one == char).map_or(char as u8, |at| 0x80 + at as u8);
    text.chars().map(byte).collect()
}

/// A small version of the corpus of `benches/detection_corpora.py western`.
const WESTERN: [&str; 12] = [
    "“I don’t know,” she said – and left.\nIt’s the reader’s choice: “all or nothing”.\n",
    "The café on the corner serves crème brûlée. Please read on.\n",
    "/* © 2003 Müller */\nint main(void)\n{\n    return 0;\n}\n",
    "# 21.5 °C in München\nimport os\n\ndef size(path):\n    return os.stat(path).st_size\n",
    "id;name;city\n1;Jürgen Köhler;Zürich\n2;José Núñez;Málaga\n3;Åsa Lindström;Malmö\n",
    "2009-03-01 12:00:00 [INFO] temperature 21.5°C\n2009-03-01 12:00:01 [INFO] user Zoë logged in\n",
    "<html><head><title>Déjà vu</title></head>\n<body><p>Price: € 49.90 – incl. VAT</p></body></html>\n",
    "1\n00:00:01,000 --> 00:00:02,500\n¿Cómo estás? Mañana será otro día.\n",
    "« Où êtes-vous ? » demanda-t-elle. Le cœur a ses raisons…\n",
    "Die Übung heißt „Größe messen“. Straße und Hausnummer fehlen – bitte ergänzen.\n",
    "See § 5, ¶ 2 … • first item • second item\n",
    "Não há razão para preocupação. Perché no? È già finita la città.\n",
];

/// Short Western text is converted correctly or refused, and the first guess is correct.
#[test]
fn western_text_is_not_taken_for_text_of_elsewhere() {
    for newline in ["\n", "\r\n"] {
        for text in WESTERN.map(|text| text.replace('\n', newline)) {
            let bytes = windows_1252(&text);
            let sure = run(&["-f", "auto"], &bytes);
            assert!(sure.status == 1 || sure.stdout == text.as_bytes(), "{text} {sure:?}");
            run(&["-f", "auto", "--min-certainty=guess"], &bytes).expect(0, text.as_bytes(), "");
        }
    }
}

/// Candidates and languages restrict the detected encodings.
#[test]
fn candidates_and_languages_are_hints() {
    // Byte 82 is a letter in IBM850, and a quotation mark in windows-1252.
    let bytes = b"caf\x82\n";
    run(&["-f", "auto:IBM850,UTF-8", "--min-certainty=guess"], bytes).expect(0, "café\n", "");
    run(&["-f", "auto:windows-1252", "--min-certainty=guess"], bytes).expect(0, "caf‚\n", "");
    run(&["-f", "AUTO:UTF-8,latin1"], "né né\n").expect(0, "né né\n", "");
    run(&["-f", "auto:nonsense"], "").expect(2, "", "invalid value 'auto:nonsense' for '--from-code <ENC>': 'nonsense': no such encoding; use 'utfconv list' to see all");
    run(&["-f", "auto:"], "").expect(2, "", "invalid value 'auto:' for '--from-code <ENC>': a name is missing; name encodings separated by commas, such as windows-1252,UTF-8");
    // The bytes can be read as Russian or as Greek.
    let bytes = hex(RUSSIAN);
    let line = |args: &[&str]| {
        let ran = run(&[&["detect"], args, &["-"]].concat(), &bytes);
        String::from_utf8_lossy(&ran.stdout).into_owned()
    };
    assert!(line(&["--language=el"]).contains("reads as Greek"));
    assert!(line(&["--language=Russian,uk"]).starts_with("-: KOI8-R (likely: it reads as Russian"));
    assert!(!line(&["--candidates=windows-1251,IBM866"]).contains("KOI8"));
    for tags in ["no", "NB-no", "pt-BR, EN", "zh-Hant,zh-CN", "sr_RS", "de , Norwegian Nynorsk"] {
        run(&["detect", "--language", tags, "-"], "a\n").expect(
            0,
            "-: US-ASCII (certain: all bytes are ASCII)\n",
            "",
        );
    }
    // Simplified or traditional characters identify the Chinese encoding.
    let chinese =
        hex("A4 A4 A4 E5 A4 E5 A6 72 BA D9 A9 4D A6 72 AC 4F A4 40 BA D8 A4 E5 A6 72 A8 74 B2 CE 0A");
    for (tag, encoding) in [("zh-TW", "Big5"), ("zh-Hans", "GB18030")] {
        let ran = run(&["detect", "--language", tag, "-"], &chinese);
        assert!(
            String::from_utf8_lossy(&ran.stdout).starts_with(&format!("-: {encoding} (")),
            "{tag} {ran:?}"
        );
    }
    run(&["detect", "--language=sr-Latn", "-"], "").expect_part(2, "", "'sr-Latn': not a known language");
    run(&["detect", "--language=xx", "-"], "").expect_part(2, "", "'xx': not a known language");
    run(&["-f", "latin1", "--language=de"], "").expect(2, "", "--language requires -f auto");
    // Given as a candidate, a subset of a larger encoding is reported under its own name.
    let japanese = hex("82 B1 82 EA 82 CD 93 FA 96 7B 8C EA 82 CC 95 B6 8F CD 82 C5 82 B7 81 42 0A");
    let ran = run(&["detect", "--candidates=Shift_JIS,EUC-JP", "-"], japanese);
    assert!(String::from_utf8_lossy(&ran.stdout).starts_with("-: Shift_JIS ("), "{ran:?}");
}

/// `auto:LIST` restricts guesses, but UTF-8 and BOMs are always detected, because the bytes prove them.
#[test]
fn a_list_of_candidates_does_not_leave_out_utf8_and_boms() {
    let text = "Größe – naïve café über Straße\n";
    let utf16: Vec<u8> = ["\u{FEFF}", text].concat().encode_utf16().flat_map(u16::to_le_bytes).collect();
    let utf32: Vec<u8> =
        ["\u{FEFF}", text].concat().chars().flat_map(|one| (one as u32).to_be_bytes()).collect();
    let legacy = windows_1252(text);
    for (source, output, from) in [
        (text.as_bytes(), text, None),
        (b"plain\n", "plain\n", None),
        (&utf16, text, Some("UTF-16")),
        (&utf32, text, Some("UTF-32")),
        (&legacy, text, Some("windows-1252")),
    ] {
        let dir = dir_with(&[("f", source)]);
        let (read, written) = (source.len(), output.len());
        let said = match from {
            Some(from) => format!("f: converted from {from} to UTF-8, {read} to {written} bytes"),
            None => "f: unchanged".to_string(),
        };
        sh(dir.path(), "$U -f auto:windows-1252,cp850 f").expect(0, output, "");
        sh(dir.path(), "cat f | $U -f auto:windows-1252,cp850").expect(0, output, "");
        let ran = sh(dir.path(), "$U -i -f auto:windows-1252,cp850 f; s=$?; cat f; exit $s");
        ran.expect(0, output, &said);
    }
    // Without the BOM, the file is not detected as UTF-16.
    let dir = dir_with(&[("f", &utf16[2..])]);
    sh(dir.path(), "$U -f auto:windows-1252 f").expect_part(
        1,
        "",
        "utfconv: f: not converted: may be windows-1252",
    );
}

#[test]
fn guesses_of_a_batch_are_grouped() {
    let dir =
        dir_with(&[("a", b"x \xE9\n"), ("b", b"y \xE9\n"), ("c", "né né\n".as_bytes()), ("d", b"z \xE9\n")]);
    let at = dir.path();
    let ran = sh(at, "$U -i -r -f auto .");
    ran.expect(1, "", "utfconv: 3 files not converted: a guess, windows-1252 or IBM437 or macintosh; --min-certainty=guess converts as windows-1252 (a and others)\n\
        utfconv: 0 converted, 1 unchanged, 3 failed (3 of unknown encoding)\n");
    ran.expect(1, "", "utfconv: 3 files not converted: a guess, windows-1252 or IBM437 or macintosh; --min-certainty=guess converts as windows-1252 (a and others)\n\
        utfconv: 0 converted, 1 unchanged, 3 failed (3 of unknown encoding)\n");
    assert_eq!(ran.stderr.lines().count(), 2, "{ran:?}");
    // With `-v`, or for a single file, each file gets its own message.
    assert_eq!(
        sh(at, "$U -i -v -r -f auto .").stderr.matches("not converted: may be windows-1252").count(),
        3
    );
    sh(at, "$U -i -f auto a").expect(1, "", "a: not converted: may be windows-1252, or IBM850, or IBM437, or macintosh (there are no words, only 1 non-ASCII character; ISO-8859-1 and ISO-8859-15 give the same text); use -f to name the encoding, or --min-certainty=guess to use windows-1252");
    sh(at, "$U -i -r -f auto --min-certainty=guess . && cat a").expect(
        0,
        "x é\n",
        "3 converted (3 from windows-1252), 1 unchanged, 0 failed; 12 bytes to 15",
    );
}

#[test]
fn input_before_the_current_offset_declares_nothing() {
    let text = windows_1252("Schöne Grüße aus München, wo wir über Ostern wären.\n");
    let before = b"# Local Variables:\n# coding: koi8-r\n# End:\n";
    let dir = dir_with(&[("both", &[before, &text[..]].concat()), ("text", &text)]);
    let at = dir.path();
    let skip = format!("dd bs={} count=1 of=skipped status=none", before.len());
    let script = format!(
        "($U -f auto -t UTF-8 text && ($U -f auto -t UTF-8 < text)); ({skip}; $U -f auto -t UTF-8) < both"
    );
    let line = "Schöne Grüße aus München, wo wir über Ostern wären.\n";
    assert_ran(&sh(at, &script), 0, &line.repeat(3), "");
}

/// A text too short for its declaration to be trusted: the message has the declaration, and the command that follows it.
#[test]
fn guesses_name_the_declaration() {
    let dir = dir_with(&[
        ("a b.html", b"<meta charset=\"windows-1251\"><p>\xE9\n"),
        ("g.html", b"<meta charset=\"big5\"><p>\xA7\x41\n"),
        ("two.html", b"<?xml version='1.0' encoding='windows-1251'?>\n<meta charset=\"big5\"><p>\xE9\n"),
    ]);
    let at = dir.path();
    let russian = "it reads as Russian, with 1 non-ASCII character; CP10007 and KZ-1048 give the same text";
    let swedish =
        "it reads as Swedish, with 1 non-ASCII character; ISO-8859-1 and ISO-8859-15 give the same text";
    let agreed = "and the file declares windows-1251 (HTML meta element)";
    let other = "but the file declares big5 (HTML meta element)";
    let lines = format!(
        "a b.html: windows-1251 (guess: {russian}, {agreed}; or windows-1252)\n\
         g.html: windows-1252 (guess: {swedish}, {other}; or IBM861, IBM852)\n"
    );
    sh(at, "$U detect 'a b.html' g.html").expect(1, &lines, "");
    let agreed = format!(
        "not converted: may be windows-1251, or windows-1252 ({russian}, {agreed}); use -f windows-1251 if that is right\n"
    );
    sh(at, "$U -f auto 'a b.html'").expect(1, "", &format!("utfconv: a b.html: {agreed}"));
    sh(at, "$U -f auto < 'a b.html'").expect(1, "", &format!("utfconv: -: {agreed}"));
    // The advice is to add an option, so that it is right whatever other options are given.
    for options in ["", "-t UTF-16", "-i", "-o out"] {
        let contradicted = format!(
            "utfconv: g.html: not converted: it looks like windows-1252 ({swedish}), {other}; \
             use -f Big5-HKSCS if that is right, or --min-certainty=guess to use windows-1252\n"
        );
        let ran = sh(at, &format!("$U -f auto {options} g.html"));
        assert!(ran.stderr.starts_with(&contradicted), "{ran:?}");
        assert_eq!(ran.status, 1);
    }
    // The clause and the advice are of the same declaration.
    let advice = format!(
        "), {other}; use -f Big5-HKSCS if that is right, or --min-certainty=guess to use windows-1251\n"
    );
    sh(at, "$U -f auto two.html").expect_part(1, "", &advice);
}

/// Guesses that agree with their declarations are grouped like other guesses.
#[test]
fn declared_guesses_of_a_batch_are_grouped() {
    let page = b"<meta charset=\"windows-1251\"><p>\xE9\n";
    let dir = dir_with(&[("a.html", page), ("b.html", page), ("c.html", page), ("d.html", page)]);
    sh(dir.path(), "$U -i -r -f auto .").expect(
        1,
        "",
        "utfconv: 4 files not converted: a guess, windows-1251 or windows-1252; --min-certainty=guess converts as \
         windows-1251 (a.html and others)\n\
         utfconv: 0 converted, 0 unchanged, 4 failed (4 of unknown encoding)\n",
    );
}

#[test]
fn superset_of_what_is_declared_is_converted() {
    let line = "text = 'Sie sagte: “Schöne Grüße aus München, wo wir über Ostern wären.”'\n";
    let source = format!("# coding: latin-1\n{line}");
    let dir = dir_with(&[("source.py", &windows_1252(&source))]);
    sh(dir.path(), "$U -f auto -t UTF-8 source.py").expect(0, &source, "");
}

/// A short text is likely in the declared encoding if the statistics prefer it. If they do not, the encoding is a
/// guess.
#[test]
fn a_declaration_that_agrees_makes_a_guess_likely() {
    let xml = |encoding: &str, text: &[u8]| {
        [format!("<?xml version=\"1.0\" encoding=\"{encoding}\"?>\n<a>").as_bytes(), text, b"</a>\n"].concat()
    };
    let german = "Benötige zwei Commit-Bereiche.";
    let dir = dir_with(&[
        ("euro.xml", &xml("ISO-8859-15", b"Caf\xE9 \xA4 5")),
        ("japan.xml", &xml("EUC-JP", &hex("C6 FC CB DC"))),
        ("test.xml", &xml("Shift_JIS", &hex("83 65 83 58 83 67"))),
        ("false.xml", &xml("windows-1251", &encoded(german, "IBM850"))),
        ("cyrillic.xml", &xml("ISO-8859-1", &encoded("Привет Привет", "windows-1251"))),
    ]);
    let at = dir.path();
    for (name, found) in [
        ("euro", "ISO-8859-15 (likely: it is declared, and it reads as French"),
        ("japan", "EUC-JP (likely: it is declared, and it reads as Japanese"),
        ("test", "windows-31j (likely: it is declared, and it reads as Japanese"),
        ("cyrillic", "windows-1251 (guess: it reads as Bulgarian"),
    ] {
        let ran = sh(at, &format!("$U detect {name}.xml"));
        let line = String::from_utf8_lossy(&ran.stdout).into_owned();
        assert!(line.starts_with(&format!("{name}.xml: {found}")), "{line}");
    }
    let ran = sh(at, "$U detect false.xml");
    assert!(String::from_utf8_lossy(&ran.stdout).contains(" (guess: "), "{ran:?}");
    let text = "<?xml version=\"1.0\" encoding=\"ISO-8859-15\"?>\n<a>Café € 5</a>\n";
    sh(at, "$U -f auto euro.xml").expect(0, text, "");
    sh(at, "$U -i -s -f auto --declaration=update test.xml && cat test.xml").expect(
        0,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a>テスト</a>\n",
        "",
    );
}

/// No command takes EBCDIC text or UTF-16 without a BOM for a binary file.
#[test]
fn what_is_binary_is_decided_once() {
    let ebcdic: Vec<u8> =
        hex("E3 C8 C9 E2 40 89 A2 40 A3 85 A7 A3 40 96 95 40 81 40 94 81 89 95 86 99 81 94 85 4B 15");
    let dir = dir_with(&[
        ("ebcdic", &ebcdic),
        ("noise", &hex("8A 13 F2 07 C4 9E 1B 05 E3 77 01 BD 60 11 FA 3C 92 0F D8 1E")),
        ("x.gz", b"\x1F\x8B\x08\x08some\xFF"),
        ("y.pdf", b"%PDF-1.4\n%\xE2\xE3\xCF\xD3\n"),
    ]);
    let at = dir.path();
    let ran = sh(at, "$U detect .");
    assert!(String::from_utf8_lossy(&ran.stdout).starts_with("ebcdic: IBM037 ("), "{ran:?}");
    assert_eq!(ran.stdout.iter().filter(|byte| **byte == b'\n').count(), 1, "{ran:?}");
    let ran = sh(at, "$U check -l .");
    assert_eq!((ran.status, ran.stdout.as_slice()), (1, &b"ebcdic\n"[..]), "{ran:?}");
    sh(at, "$U -i -v -r -f auto --ebcdic-newline=lf .").expect_part(0, "", "3 skipped as binary");
}

/// Converting a mixed file as a whole would garble its UTF-8, even if the file declares the encoding of its other
/// lines.
#[test]
fn a_file_that_mixes_encodings_is_not_converted() {
    let utf8 = "Größe der Prüfung, schöne Grüße\n".as_bytes();
    let latin1: &[u8] = b"Gr\xF6\xDFe der Pr\xFCfung, sch\xF6ne Gr\xFC\xDFe, M\xFCller\n";
    let declared = b"<?xml version='1.0' encoding='windows-1252'?>\n";
    let files = [[utf8, latin1].concat(), [latin1, utf8, latin1].concat(), [declared, utf8, latin1].concat()];
    let dir = dir_with(&[("a", &files[0]), ("b", &files[1]), ("c.xml", &files[2])]);
    let ran = sh(dir.path(), "$U detect .; $U -i -r -f auto . 2>/dev/null; echo $?");
    let lines: Vec<_> = str::from_utf8(&ran.stdout).expect("text").lines().collect();
    assert_eq!((lines.len(), lines[3]), (4, "1"), "{ran:?}");
    for line in &lines[..3] {
        assert!(line.contains(" (guess: ") && line.contains("some of it is UTF-8"), "{line}");
    }
    let why = "a: not converted: some of it is UTF-8, and some is not; see 'utfconv repair a'\n";
    sh(dir.path(), "$U -i -f auto a").expect(1, "", &format!("utfconv: {why}"));
    for (name, content) in ["a", "b", "c.xml"].into_iter().zip(&files) {
        assert!(std::fs::read(dir.path().join(name)).expect("reads") == *content, "{name}");
    }
}

/// Half-width katakana looks like line drawing in DOS code pages. Text of line drawing alone is improbable, so the
/// encoding is a guess.
#[test]
fn line_drawing_alone_is_a_guess() {
    let katakana = hex("CC D8 BA D0 20 D4 CF C0 DE 20 C0 DB B3 20 31 0A CC D8 BA D0 20 BD BD DE B7 0A");
    let dir = dir_with(&[("a", &katakana)]);
    let ran = sh(dir.path(), "$U detect a; $U -i -f auto a 2>/dev/null; echo $?; od -An -c a | grep -c 314");
    let text = String::from_utf8_lossy(&ran.stdout);
    assert!(text.starts_with("a: ") && text.contains("(guess: ") && text.ends_with("\n1\n2\n"), "{ran:?}");
}

/// Returns the detected encoding and its confidence, as in the first line of the report.
fn detected(args: &[&str], bytes: &[u8]) -> String {
    let ran = run(&[&["detect"], args, &["-"]].concat(), bytes);
    let line = String::from_utf8_lossy(&ran.stdout).into_owned();
    line.strip_prefix("-: ").and_then(|line| line.split_once(": ")).expect("a line").0.to_string()
}

/// A few non-ASCII bytes that match no word of another language are guessed to be windows-1252.
#[test]
fn thin_evidence_is_windows_1252_and_a_guess() {
    for text in ["Prix: 50 €", "Total € 5", "25 °C", "§ 5", "½ cup", "±1", "x²", "ñ", "®", "it’s", "naïve"]
    {
        assert_eq!(detected(&[], &windows_1252(&(text.to_owned() + "\n"))), "windows-1252 (guess", "{text}");
    }
    // "нет" in windows-1251.
    assert_eq!(detected(&[], b"\xED\xE5\xF2\n"), "windows-1251 (guess");
    // The text repeats a single byte, or a short line of equal bytes.
    for bytes in [&b"\xFF"[..], b"\xE4", b"\xFF\xFF\xFF\n", b"\xA0"] {
        let found = detected(&[], &bytes.repeat(1000));
        assert!(found.ends_with(" (guess"), "{bytes:02X?} {found}");
    }
}

/// An encoding in which some bytes are ill-formed is reported with the number of errors.
#[test]
fn errors_of_a_detected_encoding_are_counted() {
    let chinese = hex("CE D2 C3 C7 D2 BB C6 F0 C8 A5 BF B4 D2 BB B8 F6 C5 F3 D3 D1 0A");
    assert_eq!(detected(&[], &chinese), "GB18030 (likely");
    let text = [&chinese[..], b"\xFF\n"].concat();
    let ran = run(&["detect", "-"], &text);
    let line = String::from_utf8_lossy(&ran.stdout);
    assert!(line.starts_with("-: GB18030 (guess: ") && line.contains(", and 1 error"), "{line}");
}

/// Returns the text in the encoding `to`.
fn encoded(text: &str, to: &str) -> Vec<u8> {
    run(&["-f", "UTF-8", "-t", to], text.as_bytes()).stdout
}

/// One byte that an encoding does not define does not exclude the encoding from a longer text, but makes it a guess.
#[test]
fn a_damaged_byte_leaves_a_guess() {
    let greek = "Η νέα έκδοση του συστήματος είναι τώρα διαθέσιμη για όλους τους χρήστες και μπορεί να εγκατασταθεί εύκολα\n";
    let greek = encoded(greek, "windows-1253");
    assert_eq!(detected(&[], &greek), "windows-1253 (likely");
    let damaged = [&greek[..40], b"\xD2", &greek[40..]].concat();
    assert_eq!(detected(&[], &damaged), "windows-1253 (guess");
    let ran = run(&["detect", "-"], &damaged);
    assert!(
        String::from_utf8_lossy(&ran.stdout).contains("; but some bytes are not defined in it"),
        "{ran:?}"
    );
}

/// A letter that occurs once in a long text distinguishes encodings at any position.
#[test]
fn a_rare_letter_of_a_long_text_counts() {
    let words = "Η νέα έκδοση του συστήματος είναι τώρα διαθέσιμη για όλους τους χρήστες";
    let letter = |digit: char| char::from_u32('α' as u32 + digit.to_digit(10).expect("a digit"));
    let number = |number: usize| number.to_string().chars().filter_map(letter).collect::<String>();
    let words = words.split(' ').cycle().take(2400).enumerate();
    let mut words: Vec<String> = words.map(|(at, word)| word.to_owned() + &number(at)).collect();
    for at in [1, 1200, 2301] {
        let other = std::mem::replace(&mut words[at], "Άλλη".to_owned());
        let answer = detected(&[], &encoded(&words.join(" "), "ISO-8859-7"));
        assert!(answer.starts_with("ISO-8859-7 ("), "{at}: {answer}");
        words[at] = other;
    }
}

/// Data with a control character as the separator, hyphenation patterns, and letters that are not in the detected
/// language give only a guess.
#[test]
fn what_is_no_prose_is_a_guess() {
    let keys = "a\t\u{16}š\nb\t\u{16}đ\nc\t\u{16}č\nd\t\u{16}ć\ne\t\u{16}ž\nf\t\u{16}Š\n\" The keys of a map, and what else it has\n";
    assert!(detected(&[], &encoded(keys, "windows-1250")).ends_with(" (guess"));
    let patterns = "1ба 2бв ва1г г2да 3де е1жа 1за ик2л ла3м ма1н на2р 4пр 1ра с2та ту3м 1фа\n".repeat(3);
    let answer = detected(&[], &encoded(&patterns, "windows-1251"));
    assert!(answer.ends_with(" (guess"), "{answer}");
    let tatar = "Җир өстендә һава җылы, ә көзен яңгырлар ява. Минем әнием һәм әтием авылда яши, анда бик матур. \
        Үзебезнең өй янында зур бакча бар, көн дә без анда эшлибез.\n";
    let answer = detected(&[], &encoded(tatar, "PTCP154"));
    assert!(answer.ends_with(" (guess"), "{answer}");
}

/// All bytes of a long word count, not only the first.
#[test]
fn long_words_are_read_to_their_end() {
    // Byte 81 is undefined in windows-1252.
    let word = [&b"\xE4\xF6\xFC".repeat(9000)[..], b"\x81\n"].concat();
    assert!(detected(&["--candidates=windows-1252"], &word[..word.len() - 2]).starts_with("windows-1252 ("));
    assert_eq!(detected(&["--candidates=windows-1252"], &word), "unknown (unknown");
}

/// A short file with NULs is binary, unless an encoding with wide code units is given as a candidate.
#[test]
fn named_candidates_of_wider_units_count_in_short_files() {
    let (le, be) = (hex("41 00"), hex("00 41"));
    assert_eq!(detected(&[], &le), "binary (certain");
    assert_eq!(detected(&["--candidates=UTF-16LE"], &le), "UTF-16LE (likely");
    assert_eq!(detected(&["--candidates=UTF-16BE,windows-1252"], &be), "UTF-16BE (likely");
    assert_eq!(detected(&["--candidates=UTF-16BE"], &hex("41 00 00")), "binary (certain");
    assert_eq!(detected(&["--candidates=windows-1252"], &le), "binary (certain");
    run(&["-f", "auto:UTF-16LE,UTF-8"], &le).expect(0, "A", "");
}

/// Endless input is read until the result cannot change.
#[test]
#[cfg(target_os = "linux")]
fn endless_input_is_read_until_it_is_known() {
    let dir = dir_with(&[]);
    let line = "/dev/zero: binary (certain: it is binary: byte 0 is NUL, and it is not UTF-16 or UTF-32)\n";
    assert_ran(&sh(dir.path(), "timeout 60 $U detect /dev/zero"), 1, line, "");
    sh(dir.path(), "timeout 60 $U detect - < /dev/zero").expect(1, line.replace("/dev/zero", "-"), "");
    sh(dir.path(), "timeout 60 $U -f auto < /dev/zero").expect(2, "", "-: not converted: it is binary: byte 0 is NUL, and it is not UTF-16 or UTF-32; only the first 64 KiB of a pipe are looked at; use -f ENCODING to convert it anyway");
    sh(dir.path(), "timeout 60 $U -f auto /dev/zero").expect(2, "", "/dev/zero: not converted: it is binary: byte 0 is NUL, and it is not UTF-16 or UTF-32; only the first 64 KiB of a pipe are looked at; use -f ENCODING to convert it anyway");
}

/// A windows-1252 symbol in English text is never detected as a letter of a rare code page, however often the symbol is
/// repeated.
#[test]
fn symbols_in_english_are_no_letters() {
    let sentences = [
        "He said it~s fine and we don~t care, I~m sure.",
        "The committee~s report was published after the members had agreed on it.",
        "Nobody knows what they~ll do when the weather changes, and that~s the trouble.",
        "There are many reasons why the old house wasn~t sold before the winter.",
        "She wrote that her brother~s letters had been lost during the move to the city.",
    ];
    // Bytes that only windows-1252 decodes to punctuation and symbols.
    for symbol in
        [0x82_u8, 0x84, 0x85, 0x86, 0x87, 0x89, 0x8B, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x99, 0x9B]
    {
        for times in [1, 3, 10, 40] {
            let text = format!("{}\n", sentences.join("\n")).repeat(times).into_bytes();
            let text: Vec<u8> =
                text.into_iter().map(|byte| if byte == b'~' { symbol } else { byte }).collect();
            let answer = detected(&[], &text);
            let is_right = answer.starts_with("windows-1252 ");
            assert!(is_right || answer.contains("(guess"), "{symbol:X} {times}: {answer}");
            // At the test's positions, byte 92 is an apostrophe.
            assert!(is_right || symbol != 0x92, "{symbol:X} {times}: {answer}");
        }
    }
}

/// A source file with English identifiers and comments.
const CODE: &str = r#"#include <stdio.h>

/* Returns the number of lines in a file, or zero if the file cannot be opened. The caller has to check
 * whether the file exists, because this function does not report what went wrong while reading. */
static int count_lines(const char *path)
{
    FILE *file = fopen(path, "r");
    int lines = 0;
    for (int c; file && (c = getc(file)) != EOF;)
        lines += c == '\n';
    return lines;
}

/* Prints the name of each file that was given on the command line, followed by its number of lines. */
int main(int argc, char **argv)
{
    for (int each = 1; each < argc; each++)
        printf("%s has %d lines\n", argv[each], count_lines(argv[each]));
    return argc < 2;
}
"#;

/// The language of a comment may differ from that of the code around it.
#[test]
fn a_translated_comment_in_code_is_read_in_its_own_language() {
    for (encoding, comment) in [
        ("IBM852", "Nelze otevřít soubor"),
        ("IBM852", "nie można otworzyć"),
        ("macintosh", "nombre de lignes, ou zéro"),
        ("macintosh", "número de líneas"),
        ("macintosh", "não encontrado"),
        ("IBM437", "El usuario está aquí"),
    ] {
        let text = format!("// {comment}\n{CODE}");
        let ran = run(&["-f", "auto", "--min-certainty=guess"], encoded(&text, encoding));
        ran.expect(0, &text, "");
    }
}

/// A text whose only non-ASCII letter is é is likely, however many letters are beside it.
#[test]
fn one_letter_in_many_places_is_enough() {
    for text in [
        "Le café et le thé sont servis dans la salle.\n",
        "Le comité a voté que le marché est fermé.\n",
        "Le comité a voté : le marché est fermé, le prix est fixé.\n",
        "Le comité a voté et le marché est fermé, le prix fixé, le café bu, le passé oublié, la clé trouvée.\n",
    ] {
        assert_eq!(detected(&[], &encoded(text, "windows-1252")), "windows-1252 (likely", "{text}");
    }
}

/// Byte A0 between small letters is a letter of DOS code pages, or a no-break space of windows-1252, so windows-1252 is
/// not likely.
#[test]
fn a_no_break_space_in_a_word_is_never_likely() {
    let comments = [
        "// Nombre de grupo no válido, o grupo sin usuarios",
        "// Componer el catálogo a partir de los árboles de directorios",
        "// Violencia gráfica distinguible fácilmente de la realidad",
    ];
    let code = format!("{}\n{CODE}", comments.join("\n"));
    for newline in ["\n", "\r\n"] {
        let text = code.replace('\n', newline);
        let bytes = encoded(&text, "IBM850");
        assert!(bytes.iter().filter(|byte| !byte.is_ascii()).all(|byte| *byte == 0xA0));
        let dir = dir_with(&[("a.c", &bytes)]);
        let ran = sh(dir.path(), "$U -i -f auto a.c 2>/dev/null; echo $?");
        assert_eq!((ran.stdout.as_slice(), ran.stderr.as_str()), (&b"1\n"[..], ""));
        assert_eq!(std::fs::read(dir.path().join("a.c")).expect("reads"), bytes);
        run(&["-f", "auto", "--min-certainty=guess"], bytes).expect(0, &text, "");
    }
    let english = "The committee had a~meeting about the old house before the winter.\n\
        Nobody knew of~the trouble until it was published by all of~the members.\n\
        It takes about ten~minutes to walk from the~station to the city, and some~more in winter.\n\
        There are many~reasons why it was sold, and nobody~knows all of them.\n";
    let text = english.replace('~', "\u{A0}");
    for encoding in ["windows-1252", "ISO-8859-1"] {
        assert_eq!(detected(&[], &encoded(&text, encoding)), "windows-1252 (guess");
    }
}

/// Returns texts in several languages and encodings, texts with a wrong declaration, and binary files.
fn corpus() -> Vec<(String, Vec<u8>)> {
    const TEXTS: &[(&str, &[&str], &str)] = &[
        (
            "ru",
            &["KOI8-R", "windows-1251", "IBM866", "ISO-8859-5"],
            "Все люди рождаются свободными и равными в своём достоинстве и правах. Они наделены разумом и совестью \
             и должны поступать в отношении друг друга в духе братства.\n",
        ),
        (
            "fr",
            &["windows-1252", "ISO-8859-15", "IBM850"],
            "Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de \
             conscience et doivent agir les uns envers les autres dans un esprit de fraternité.\n",
        ),
        (
            "el",
            &["ISO-8859-7", "windows-1253"],
            "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα. Είναι προικισμένοι \
             με λογική και συνείδηση.\n",
        ),
        (
            "ja",
            &["Shift_JIS", "EUC-JP", "ISO-2022-JP"],
            "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。人間は、理性と良心とを授けられている。\n",
        ),
        (
            "zh",
            &["GB18030", "Big5"],
            "人人生而自由，在尊嚴和權利上一律平等。他們賦有理性和良心，並應以兄弟關係的精神相對待。\n",
        ),
    ];
    let mut files = Vec::new();
    for (language, encodings, text) in TEXTS {
        for name in encodings.iter().chain(&["UTF-8", "UTF-16", "UTF-16LE", "UTF-32BE"]) {
            let ran = run(&["-t", name], text.repeat(4));
            ran.expect(0, &ran.stdout, "");
            files.push((format!("{language}.{name}.txt"), ran.stdout));
        }
    }
    let russian = hex(RUSSIAN);
    // A declaration in the last lines counts as much as a declaration in the first lines.
    let modeline = b"# vim: set fileencoding=shift_jis :\n";
    files.push(("modeline.txt".into(), [russian.repeat(8000), modeline.to_vec()].concat()));
    files.push(("first.txt".into(), [&modeline[..], &russian.repeat(4)].concat()));
    files.push((
        "false.xml".into(),
        [b"<?xml version='1.0' encoding='big5'?>\n", &russian.repeat(4)[..]].concat(),
    ));
    for (name, content) in [
        ("elf.bin", &b"\x7FELF\x02\x01\x01\0\0\0\0\0"[..]),
        ("png.bin", b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR"),
        ("nul.bin", b"text\0\x01\x02 and more\n\xFF\xFE"),
        ("letter.txt", b"\xE9\xE8"),
        ("empty.txt", b""),
        ("ascii.txt", b"plain\n"),
    ] {
        files.push((name.into(), content.to_vec()));
    }
    files
}

/// For each file, `detect`, `-f auto`, the advice of `check`, and `repair` agree on the encoding and on whether the
/// file is binary.
#[test]
fn all_commands_give_the_same_answer_about_a_file() {
    let files = corpus();
    let names: Vec<_> = files.iter().map(|(name, content)| (name.as_str(), &content[..])).collect();
    let dir = dir_with(&names);
    let (mut verdicts, mut binaries, mut refused) = (0, 0, 0);
    for (name, _) in &files {
        let ran = |script: &str| sh(dir.path(), &script.replace("FILE", name));
        let detected = ran("$U detect --format=json FILE");
        let found: serde_json::Value = serde_json::from_slice(&detected.stdout).expect("an object");
        let (encoding, is_binary) = (found["encoding"].as_str(), found["binary"] == true);
        let is_contradicted =
            found["reason"].as_str().expect("a reason").contains(", but the file declares ");

        let auto = ran("$U -f auto FILE");
        let is_enough = match found["certainty"].as_str() {
            Some("certain") => encoding.is_some(),
            Some("likely") => encoding.is_some() && !is_contradicted,
            _ => false,
        };
        assert_eq!(auto.status == 0, is_enough, "{name}: {found} {auto:?}");
        if let Some(encoding) = encoding.filter(|_| is_enough) {
            assert_eq!(auto, ran(&format!("$U -f {encoding} FILE")), "{name}: {found}");
        }
        refused += usize::from(is_contradicted && !is_enough);

        let checked = ran("$U check --binary=error --format=json FILE");
        let said = String::from_utf8_lossy(&checked.stdout).into_owned();
        let lines =
            said.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("an object"));
        let advice = lines.into_iter().find(|line| line["type"] == "encoding");
        if let Some(advised) = advice.as_ref().and_then(|advice| advice["encoding"].as_str()) {
            // `detect` may report UTF-16 where `check` reports UTF-16LE, because of a BOM.
            let is_same =
                |encoding: &str| encoding == advised || advised.trim_end_matches(['L', 'B', 'E']) == encoding;
            assert!(is_enough && encoding.is_some_and(is_same), "{name}: {found} {said}");
            verdicts += 1;
        } else if is_enough && !["UTF-8", "US-ASCII"].contains(&encoding.expect("one")) {
            // ISO-2022-JP consists of ASCII bytes, so the file is well-formed UTF-8.
            assert!(encoding == Some("ISO-2022-JP"), "{name}: {found} {said}");
        }

        assert_eq!(is_binary, said.contains("looks binary"), "{name}: {found} {said}");
        assert_eq!(is_binary, auto.stderr.contains("it is binary"), "{name}: {found} {auto:?}");
        let repaired = ran("$U repair FILE");
        assert_eq!(is_binary, repaired.stderr.contains("it is binary"), "{name}: {found} {repaired:?}");
        binaries += usize::from(is_binary);
    }
    assert!(verdicts >= 15 && binaries == 3 && refused >= 2, "{verdicts} {binaries} {refused}");
}

/// The library's function for texts in memory must give the same result as the program.
#[test]
fn the_library_gives_the_answer_of_the_program() {
    let utf8 = "Größe der Prüfung, schöne Grüße\n".as_bytes();
    let latin1 = windows_1252("Größe der Prüfung, schöne Grüße, Müller\n");
    let wide: Vec<u8> =
        "one line of a log\r\n".repeat(400).encode_utf16().flat_map(u16::to_le_bytes).collect();
    let parts = [
        ("mixed.txt", [utf8, &latin1].concat()),
        ("late.txt", [&latin1.repeat(9000)[..], utf8, utf8, utf8].concat()),
        ("appended.txt", [&wide[..], b"appended, of even length\r\n"].concat()),
        ("marked.txt", [b"\xFF\xFE", &wide[..], b"appended, of even length\r\n"].concat()),
    ];
    let texts = texts().into_iter().zip(1..).map(|((name, text), number)| (format!("{number}.{name}"), text));
    let parts = parts.map(|(name, content)| (name.to_string(), content));
    let files: Vec<_> = corpus().into_iter().chain(texts).chain(parts).collect();
    let names: Vec<_> = files.iter().map(|(name, content)| (name.as_str(), &content[..])).collect();
    let dir = dir_with(&names);
    let mut partly = 0;
    for (name, content) in &files {
        let declared = utfconv_declare::sniff(&utfconv_declare::HeadAndTail::of(content), Some(name));
        let named = declared.iter().find_map(|one| match one.meaning() {
            utfconv_declare::Meaning::Encoding(encoding) => Some(encoding),
            _ => None,
        });
        let hints = Hints::default().declared(named);
        let found = utfconv_detect::detect(&mut Cursor::new(content), hints).expect("memory can be read");
        let ran = sh(dir.path(), &format!("$U detect --format=json {name}"));
        let line: serde_json::Value = serde_json::from_slice(&ran.stdout).expect("an object");
        let reason = line["reason"].as_str().expect("a reason");
        let reason = reason.split(", but the file declares ").next().expect("a first one");
        assert_eq!((line["encoding"].as_str(), reason), (found.name, found.reason.as_str()), "{name}");
        let alternatives: Vec<_> = line["alternatives"].as_array().expect("a list").iter().collect();
        assert_eq!(line["certainty"], found.certainty.word(), "{name}");
        assert_eq!(alternatives, found.alternatives, "{name}");
        let is_partly = found.is_partly_utf8 || reason.contains("; but bytes ");
        assert!(!is_partly || found.certainty == Certainty::Guess, "{name}: {found:?}");
        partly += usize::from(is_partly);
    }
    assert_eq!(partly, 4);
}

/// Text in another encoding is searched for UTF-8 in the first 256 KiB of a pipe.
#[test]
fn utf8_in_the_first_256_kib_of_a_pipe_is_found() {
    let line = windows_1252("“Où êtes-vous ?” señor Núñez a été à São Paulo, naïve, cœur\n");
    let lines = |kib: usize| line.repeat((kib << 10) / line.len());
    let utf8 = "Größe der Prüfung, schöne Grüße\n".repeat(3).into_bytes();
    for (kib, is_found) in [(100, true), (240, true), (300, false)] {
        let text = [&lines(kib)[..], &utf8, &lines(400)].concat();
        let ran = run(&["detect"], text);
        assert_eq!(ran.stderr, "");
        let found = String::from_utf8(ran.stdout).expect("UTF-8");
        assert!(found.starts_with("-: windows-1252 ("), "{kib}: {found}");
        assert_eq!(found.contains("; but some of it is UTF-8"), is_found, "{kib}: {found}");
    }
}

/// Returns texts in legacy encodings, from a few words to many sentences.
fn texts() -> Vec<(String, Vec<u8>)> {
    let sentences = [
        (
            "windows-1252",
            "Schöne Grüße aus München! Die Übung heißt Größe messen, für Änderungen genügt ein Anruf.\n",
        ),
        (
            "windows-1252",
            "L’été dernier, nous étions à la plage. Où êtes-vous, demanda-t-elle, un problème réglé.\n",
        ),
        ("windows-1252", "¿Cómo estás? Mañana será otro día. El niño comió muchísimo en la compañía.\n"),
        ("windows-1252", "He said it’s fine and we don’t care, I’m sure.\n"),
        ("IBM850", "Perché no? È già finita la città. Più di così non si può, disse lui.\n"),
        ("windows-1250", "Příliš žluťoučký kůň úpěl ďábelské ódy. Děkujeme za vaši zprávu, ozveme se.\n"),
        ("ISO-8859-2", "Zażółć gęślą jaźń. Proszę wybrać właściwą odpowiedź, a następnie kliknąć.\n"),
        (
            "windows-1254",
            "Değişiklikleri kaydetmek istiyor musunuz? Lütfen bir şifre seçin ve yeniden başlatın.\n",
        ),
        ("windows-1251", "Съешь же ещё этих мягких французских булок, да выпей чаю. Файл не найден.\n"),
        ("KOI8-R", "Нельзя открыть этот файл, потому что он уже открыт другой программой.\n"),
        ("ISO-8859-7", "Δεν είναι δυνατό το άνοιγμα του αρχείου, γιατί χρησιμοποιείται ήδη.\n"),
        ("Shift_JIS", "ファイルを開くことができません。もう一度やり直してください。\n"),
        ("EUC-KR", "파일을 열 수 없습니다. 다른 프로그램에서 사용하고 있는지 확인하십시오.\n"),
        ("GB18030", "无法打开文件，因为它正在被另一个程序使用。请稍后再试。\n"),
    ];
    let encode = |(name, text): &(&str, &str)| {
        let ran = run(&["-t", name], text);
        assert_eq!(ran.status, 0, "{name}: {}", ran.stderr);
        ((*name).to_owned(), ran.stdout)
    };
    let mut texts: Vec<_> = sentences.iter().map(encode).collect();
    for number in 0..texts.len() {
        // The first word of the text is weak evidence.
        let (name, whole) = texts[number].clone();
        let end = whole.iter().position(|byte| *byte == b' ').filter(|end| !whole[..*end].is_ascii());
        texts.extend(end.map(|end| (name, [&whole[..end], b"\n"].concat())));
    }
    texts
}

/// Returns the detected encoding and the rank of its confidence, from 0.
fn ranked(bytes: &[u8]) -> (String, usize) {
    let answer = detected(&[], bytes);
    let (encoding, rest) = answer.split_once(" (").unwrap_or_else(|| panic!("no certainty: {answer}"));
    let grades = ["unknown", "guess", "likely", "certain"];
    let rank = grades.iter().position(|certainty| rest.starts_with(certainty));
    (encoding.to_owned(), rank.unwrap_or_else(|| panic!("no certainty: {answer}")))
}

#[test]
fn a_text_that_is_repeated_keeps_its_answer() {
    for (name, text) in texts() {
        let (encoding, certainty) = ranked(&text);
        for times in [2, 3, 10, 60] {
            let (again, rank) = ranked(&text.repeat(times));
            assert!(
                again == encoding && rank >= certainty,
                "{name}, {times} times: {again} {rank}, was {encoding} {certainty}"
            );
        }
    }
}

#[test]
fn more_of_the_same_kind_makes_no_answer_worse() {
    let texts = texts();
    for (name, text) in &texts {
        let (encoding, certainty) = ranked(text);
        for (_, other) in texts
            .iter()
            .filter(|(other, text)| other == name && ranked(text) == (encoding.clone(), certainty))
        {
            let (joined, rank) = ranked(&[text.as_slice(), other].concat());
            assert!(
                joined == encoding && rank >= certainty,
                "{name}: {joined} {rank}, was {encoding} {certainty}"
            );
        }
    }
}

/// `>>` of PowerShell 5 appends UTF-16 to any file, and other programs append ASCII to UTF-16.
#[test]
fn utf16_with_a_stretch_of_ascii_is_a_guess() {
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    let lines = utf16("Größe ok, second line of the log\r\nanother line here, third\r\n");
    let files = [
        [b"first line of it\r\n", &lines[..]].concat(),
        [b"\xFF\xFE", &lines[..], b"a last line of it\r\n"].concat(),
        [&b"first line of it\r\n\0"[..], &lines[..]].concat(),
        // A short line is known by its newline, also among ideographs.
        [b"\xFF\xFE", &utf16("処理を開始しました。\r\n".repeat(9).as_str())[..], b"done\r\n"].concat(),
        // Kana have a byte that is a digit.
        [
            b"\xFF\xFE",
            &utf16("お世話になっております。検査をいたしました。\r\n".repeat(9).as_str())[..],
            b"done\r\n",
        ]
        .concat(),
    ];
    // The byte 09 of Devanagari is no TAB.
    let hindi = utf16("भारत की राजभाषा हिन्दी है।\n");
    let names = [
        ("a", &files[0]),
        ("b", &files[1]),
        ("c", &files[2]),
        ("d", &files[3]),
        ("e", &files[4]),
        ("hindi", &hindi),
    ];
    let dir = dir_with(&names.map(|(name, content)| (name, &content[..])));
    let at = dir.path();
    sh(at, "$U detect hindi | grep -c ' are ASCII'").expect(1, "0\n", "");
    let are_ascii = |range: &str| format!("; but bytes {range} are ASCII");
    for (name, range) in [("a", "0 to 17"), ("b", "122 to 139"), ("d", "218 to 223"), ("e", "434 to 439")] {
        sh(at, &format!("$U detect {name} | grep -c '(guess: .*{}'", are_ascii(range))).expect(0, "1\n", "");
        let ran = sh(at, &format!("$U check {name} 2>/dev/null"));
        let message = format!("{}: convert each part with --range [wrong-encoding]\n", are_ascii(range));
        assert!(ran.status == 1 && ran.stdout.ends_with(message.as_bytes()), "{ran:?}");
        sh(at, &format!("$U -i -f auto {name}")).expect_part(1, "", &are_ascii(range));
        sh(at, &format!("$U -i -f UTF-16 {name}")).expect_part(2, "", "; use --range to convert each part");
    }
    for (name, content) in ["a", "b", "c", "d", "e"].into_iter().zip(&files) {
        sh(at, &format!("$U -i -f auto {name} 2>/dev/null; [ $? != 0 ]")).expect(0, "", "");
        assert!(std::fs::read(at.join(name)).expect("reads") == *content, "{name}");
    }
    sh(at, "$U -f UTF-16LE --range=18: a && $U --range=:18 a").expect(
        0,
        "Größe ok, second line of the log\r\nanother line here, third\r\nfirst line of it\r\n",
        "",
    );
    sh(at, "$U -i -f UTF-16 --force a").expect(0, "", "");
}

/// In a long file, only the end is searched for ASCII, because programs append at the end.
#[test]
fn utf16_with_ascii_at_its_end_is_a_guess() {
    let swapped = |text: &[u8]| text.chunks_exact(2).flat_map(|unit| [unit[1], unit[0]]).collect::<Vec<_>>();
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    let long = utf16(&"one line of a log\r\n".repeat(400));
    let chinese = [b"\xFF\xFE", &utf16(&"联合国教科文组织\n".repeat(2000))[..]].concat();
    let end: &[u8] = b"appended, of even length\r\n";
    let files = [
        ("marked", [b"\xFF\xFE", &long[..], end].concat(), "UTF-16", "15202 to 15227"),
        ("bare", [&long[..], end].concat(), "UTF-16LE", "15200 to 15225"),
        ("odd", [&long[..], &end[1..]].concat(), "UTF-16LE", "15200 to 15223"),
        ("big", [b"\xFE\xFF", &swapped(&long)[..], end].concat(), "UTF-16", "15202 to 15227"),
    ];
    let dir = dir_with(&[("chinese", &chinese)]);
    let at = dir.path();
    for (name, content, encoding, range) in &files {
        std::fs::write(at.join(name), content).expect("writes");
        let are_ascii = format!("bytes {range} are ASCII");
        let ran = sh(at, &format!("$U detect {name}"));
        let text = String::from_utf8_lossy(&ran.stdout);
        let expected = text.starts_with(&format!("{name}: {encoding} (guess: "));
        assert!(ran.status == 1 && expected && text.ends_with(&format!("; but {are_ascii})\n")), "{ran:?}");
        for call in ["-f auto", "-i -f auto"] {
            let ran = sh(at, &format!("$U {call} {name}"));
            assert!(ran.status == 1 && ran.stdout.is_empty() && ran.stderr.contains(&are_ascii), "{ran:?}");
        }
        let refused = format!(
            "utfconv: {name}: not converted: {are_ascii}, not {encoding}; \
             use --range to convert each part, or --force to convert all of it\n"
        );
        sh(at, &format!("$U -i -f {encoding} {name}")).expect(2, "", &refused);
        assert!(std::fs::read(at.join(name)).expect("reads") == *content, "{name}");
    }
    sh(at, "$U -f auto chinese | head -n 1").expect(0, "联合国教科文组织\n", "");
}

/// In some languages, only the newlines of UTF-16 text have NULs.
#[test]
fn utf16_without_a_bom_is_found_by_all_commands() {
    let units = |text: &str, is_big: bool| -> Vec<u8> {
        let bytes = |unit: u16| if is_big { unit.to_be_bytes() } else { unit.to_le_bytes() };
        text.encode_utf16().flat_map(bytes).collect()
    };
    let russian = units("Привет, как дела сегодня у вас?\r\n", false);
    let chinese = units("你好世界今天天气很好我们去公园\n", true);
    let dir = dir_with(&[("ru", &russian), ("zh", &chinese), ("short", &units("你好\n", false))]);
    let at = dir.path();
    let looks = |name: &str, like: &str| {
        format!(
            "{name}:1:1: error: wrong encoding at byte 0: looks like {like}, not UTF-8; convert it with 'utfconv -i -f {like} \
             {name}' [wrong-encoding]\n"
        )
    };
    sh(at, "$U check ru zh").expect(
        1,
        format!("{}{}", looks("ru", "UTF-16LE"), looks("zh", "UTF-16BE")),
        "utfconv: 2 errors in 2 of 2 files\n",
    );
    sh(at, "$U -i --newline=lf --binary=convert ru").expect(
        1,
        "",
        "utfconv: ru: not converted: looks like UTF-16LE, not UTF-8; use -f UTF-16LE -t UTF-16LE\n",
    );
    sh(at, "$U detect --brief ru zh short").expect(1, "UTF-16LE\nUTF-16BE\nUTF-16LE\n", "");
    sh(at, "$U -f auto ru zh").expect(
        0,
        "Привет, как дела сегодня у вас?\r\n你好世界今天天气很好我们去公园\n",
        "",
    );
    sh(at, "$U -f auto short").expect_part(
        1,
        "",
        "may be UTF-16LE (no BOM, but as UTF-16 its lines are ideographs)",
    );
}

/// Each distinct word counts once, so a single line can outweigh a repetitive log. Then the result must be a guess.
#[test]
fn a_line_in_another_encoding_does_not_decide_for_a_log() {
    let dir = dir_with(&[("log", "Ошибка: файл не найден на диске\n".repeat(50).as_bytes())]);
    let at = dir.path();
    let line = "printf 'Внимание: соединение потеряно, повтор\\n'";
    for (most, one) in [("windows-1251", "IBM866"), ("KOI8-R", "windows-1251")] {
        sh(at, &format!("$U -t {most} log > mixed; {line} | $U -t {one} >> mixed; cp mixed before"))
            .expect(0, "", "");
        let ran = sh(at, "$U detect mixed");
        let found = String::from_utf8_lossy(&ran.stdout);
        // The result is decided by the single line or by all lines, and is a guess.
        if most == "KOI8-R" {
            assert!(found.starts_with("mixed: KOI8-R (guess: "), "{found}");
        } else {
            assert!(found.starts_with(&format!("mixed: {one} (guess: ")), "{found}");
            assert!(found.ends_with(&format!("; but what is repeated reads as {most})\n")), "{found}");
        }
        sh(at, "$U -i -f auto mixed; s=$?; cmp mixed before && exit $s").expect_part(
            1,
            "",
            "mixed: not converted: may be ",
        );
    }
}

/// Surrogate pairs of CESU-8 are proof if the rest of the text is well-formed in CESU-8.
#[test]
fn cesu_8_is_certain_and_converted() {
    let pair = "\u{e9} smile \u{1F600} end\n\u{65e5}\u{672c}\n";
    let cesu = run(&["-t", "CESU-8"], pair).stdout;
    let dir = dir_with(&[
        ("all", &cesu),
        ("alone", b"plain \xED\xA0\xBD\xED\xB8\x80\n"),
        ("half", &[&cesu[..], b"\xED\xA0\xBD \n"].concat()),
        ("both", &[&cesu[..], "\u{1F600}\n".as_bytes()].concat()),
        ("other", &[&cesu[..], b"caf\xE9 d\xE9j\xE0 vu\n"].concat()),
    ]);
    let at = dir.path();
    let lines = "all: CESU-8 (certain: well-formed, 1 surrogate pair, 3 other sequences)\n\
        alone: CESU-8 (certain: well-formed, 1 surrogate pair)\n";
    sh(at, "$U detect all alone").expect(0, lines, "");
    // The other files are only partly UTF-8 or CESU-8, so no encoding converts the whole file.
    let lines = "half: KOI8-R (guess: it reads as Russian, with 15 non-ASCII characters; but some of it is UTF-8)\n\
        both: UTF-8 (guess: 4 UTF-8 sequences, and 6 errors)\n\
        other: windows-1252 (guess: it reads as French, with 15 non-ASCII characters; windows-1254 and windows-1258 give the same text; but some of it is UTF-8)\n";
    sh(at, "$U detect half both other").expect(1, lines, "");
    for (file, why) in [
        ("half", "some of it is UTF-8, and some is not; see 'utfconv repair half'"),
        ("both", "it is UTF-8 with errors (4 UTF-8 sequences, and 6 errors); see 'utfconv repair both'"),
        ("other", "some of it is UTF-8, and some is not; see 'utfconv repair other'"),
    ] {
        sh(at, &format!("$U -f auto {file}")).expect(1, "", &format!("{file}: not converted: {why}"));
    }
    sh(at, "$U -f auto all; $U -f auto < all; cat all | $U -f auto").expect(0, pair.repeat(3), "");
    let check = "all:1:9: error: wrong encoding at byte 9: looks like CESU-8, not UTF-8: 2 errors; \
        convert it with 'utfconv -i -f CESU-8 all', or list them with --verbose [wrong-encoding]\n";
    sh(at, "$U check all 2> /dev/null").expect(1, check, "");
}

/// Texts that were once detected wrongly with confidence "likely". Texts that are still detected wrongly, now as a
/// guess, are in ignored tests, which `cargo test --test suite -- --ignored known_failures` runs.
mod known_failures {
    use super::{encoded, run};

    /// Asserts that each text is decoded correctly with the best guess.
    fn assert_read(encoding: &str, texts: &[&str]) {
        let wrong = texts.iter().filter(|text| {
            let bytes = encoded(text, encoding);
            run(&["-f", encoding], &bytes).expect(0, text.as_bytes(), "");
            let ran = run(&["-f", "auto", "--min-certainty=guess"], bytes);
            (ran.status, ran.stdout.as_slice(), ran.stderr.as_str()) != (0, text.as_bytes(), "")
        });
        assert_eq!(wrong.collect::<Vec<_>>(), Vec::<&&str>::new(), "in {encoding}");
    }

    #[test]
    #[ignore = "symbols of the rows A1 and A2 of GBK alone are read as letters of Thai, Kazakh or other languages"]
    fn symbols_of_gbk_are_no_letters() {
        assert_read(
            "GBK",
            &[
                "// ⒈⒉⒊⒋⒌⒍⒎⒏⒐⒑\nint main(void);\n",
                "// ⑴⑴⑴ begin ⑴⑴⑴\nint x;\n// ⑴⑴⑴ end ⑴⑴⑴\n",
                "// ※※※ begin ※※※\nint x;\n// ※※※ end ※※※\n",
                "// ∩∩∩ begin ∩∩∩\nint x;\n// ∩∩∩ end ∩∩∩\n",
                "const char *marks = \"《》〈〉【】〔〕\";\n",
                "# ∑∮∮ begin\n// ＄∑\n// ∑＄＄∮∑∮＄\n∮＄∑＄∑\n# ∑＄＄ begin\n",
                "// ① open the file\n// ② read a line\n// ③ close it\n// ④ report errors\n\
                 // ⑤ free memory\n// ⑥ open the file\n// ⑦ read a line\n// ⑧ close it\n",
            ],
        );
    }

    #[test]
    #[ignore = "line drawing of GBK is read as letters or line drawing of code pages of DOS, or of KOI8-R"]
    fn line_drawing_of_gbk_is_no_letters() {
        assert_read(
            "GBK",
            &[
                "// ┌─────┐\n// │ A B │\n// ├─────┤\n// │ C D │\n// └─────┘\nint x;\n",
                "// ┌──────┐\n// │start │\n// └──┬───┘\n//    │\n// ┌──┴───┐\n// │ stop │\n// └──────┘\n",
                "printf(\"┏━━━━━━┓\\n\");\nprintf(\"┃ menu ┃\\n\");\nprintf(\"┗━━━━━━┛\\n\");\n",
            ],
        );
    }

    #[test]
    #[ignore = "English of the Macintosh with CR newlines and two kinds of symbols is read as Icelandic"]
    fn lines_that_end_in_cr_are_of_the_macintosh() {
        assert_read(
            "macintosh",
            &[
                "Data† encryption† tips 9.\rRemovable††† disk encryption with dm-crypt/LUKS 9.\r",
                "Choose Save from the File menu, then wait until the disk has been copied†.\r\
                 The printer† cannot be found; check the cable and try again.\r\
                 Select Open† to read another document in the same window.\r\
                 Hold down the Option key† while you click in the title bar.\r\
                 This version† requires System 7 or later and two megabytes of memory.\r",
                "† see the manual\rThe printer† cannot be found; check the cable and try again.\r\
                 Select Open† to read another document in the same window.\r‡ see the other manual\r",
            ],
        );
    }
}
