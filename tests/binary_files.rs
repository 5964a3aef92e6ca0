//! Tests that a batch converts binary files only with `--binary=convert`.

use std::path::Path;

use crate::harness::{dir_with, run, sh};

const PNG: &[u8] = b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\x01\0";
const GZIP: &[u8] = b"\x1F\x8B\x08\x08abcdefgh\xE9";
const PDF: &[u8] = b"%PDF-1.7\ntext of ASCII alone\n";
const CAFE: &[u8] = b"caf\xE9\n";

#[track_caller]
fn assert_content(at: &Path, name: &str, expected: impl AsRef<[u8]>) {
    assert_eq!(std::fs::read(at.join(name)).expect("is there"), expected.as_ref(), "{name}");
}

#[test]
fn a_binary_file_that_is_named_is_an_error_and_stays() {
    let dir =
        dir_with(&[("logo.png", PNG), ("x.gz", GZIP), ("d.pdf", PDF), ("nul", b"a\0\xE9\n"), ("f", CAFE)]);
    let at = dir.path();
    let ran = sh(at, "$U -i -f latin1 logo.png x.gz d.pdf nul f");
    let expected = "\
utfconv: logo.png: not converted: it is binary: it begins as a PNG image; use --binary=convert to convert it anyway
utfconv: x.gz: not converted: it is binary: it begins as a gzip file; use --binary=convert to convert it anyway
utfconv: d.pdf: not converted: it is binary: it begins as a PDF document; use --binary=convert to convert it anyway
utfconv: nul: not converted: it is binary: as ISO-8859-1, its text has NUL; use --binary=convert to convert it anyway
utfconv: 1 converted, 0 unchanged, 4 failed (4 binary); 5 bytes to 6
";
    assert_eq!((ran.status, ran.stderr.as_str()), (2, expected));
    for (name, content) in
        [("logo.png", PNG), ("x.gz", GZIP), ("d.pdf", PDF), ("nul", b"a\0\xE9\n"), ("f", "café\n".as_bytes())]
    {
        assert_content(at, name, content);
    }
    for command in [
        "$U -i -f latin1 --reconvert x.gz",
        "echo x.gz | $U -i -f latin1 --files-from=-",
        "$U -i -f cp1252 -t utf-16 x.gz",
        "$U -i -f utf-16le x.gz",
        "$U -i -f auto x.gz",
        "$U --output-dir out -f latin1 x.gz",
    ] {
        sh(at, command).expect_part(2, "", "utfconv: x.gz: not converted: it is binary: it begins as a");
        assert_content(at, "x.gz", GZIP);
    }
    assert!(!at.join("out").exists());
    let why = "utfconv: x.gz: not converted: it is binary: it begins as a gzip file; use -f ENCODING to convert it anyway\n";
    for command in ["$U -f auto x.gz", "$U -f auto f x.gz >/dev/null"] {
        sh(at, command).expect(2, "", why);
    }
    sh(at, "$U -i -f latin1 --binary=convert nul x.gz; cat nul").expect(0, "a\0é\n", "");
    assert_content(at, "x.gz", GZIP.iter().map(|byte| char::from(*byte)).collect::<String>());
}

#[test]
fn a_binary_file_that_is_found_is_skipped_and_counted() {
    let dir = dir_with(&[]);
    let at = dir.path();
    std::fs::create_dir(at.join("t")).expect("makes");
    std::fs::write(at.join("t/x.gz"), GZIP).expect("writes");
    let skipped = "utfconv: t/x.gz: skipped: it is binary: it begins as a gzip file;";
    for (from, advice) in
        [("latin1", "use --binary=convert"), ("auto", "use -f ENCODING and --binary=convert")]
    {
        let message = format!("{skipped} {advice} to convert it anyway\n");
        sh(at, &format!("$U -i -r -f {from} t")).expect(0, "", &message);
    }
    std::fs::write(at.join("t/f"), CAFE).expect("writes");
    sh(at, "$U -i -r -f latin1 t; cat t/f").expect(
        0,
        "café\n",
        "utfconv: 1 converted, 0 unchanged, 0 failed, 1 skipped as binary; 5 bytes to 6\n",
    );
    sh(at, "$U -i -s -r -f latin1 --reconvert t").expect(0, "", "");
    assert_content(at, "t/x.gz", GZIP);
}

/// All commands share one list of formats that are binary in any encoding.
#[test]
fn all_commands_know_the_same_formats() {
    let formats: [(&str, &[u8]); 5] = [
        ("a.gif", b"GIF89a caf\xE9"),
        ("b.woff", b"wOFF caf\xE9"),
        ("c.flac", b"fLaC\0 caf\xE9"),
        ("d.rtf", b"{\\rtf1\\ansi\\ansicpg1252 caf\xE9}\n"),
        ("e.ps", b"%!PS-Adobe-3.0\n(caf\xE9) show\n"),
    ];
    for (name, content) in formats {
        let dir = dir_with(&[(name, content)]);
        let at = dir.path();
        for command in
            ["-i -r -f latin1", "-i -r -f auto", "-i -r -f utf-16be", "--output-dir o -r -f cp1252"]
        {
            sh(at, &format!("$U {command} .")).expect_part(0, "", "skipped: it is binary: it ");
        }
        sh(at, &format!("$U -i -f latin1 {name}")).expect_part(2, "", "not converted: it is binary: it ");
        for encoding in ["utf-8", "latin1", "utf-16"] {
            sh(at, &format!("$U check -f {encoding} .")).expect(
                0,
                "",
                "warning: nothing to check: 1 binary file skipped",
            );
        }
        let ran = sh(at, &format!("$U detect {name}"));
        let starts = format!("{name}: binary (certain: it is binary: it ");
        assert!(ran.stdout.starts_with(starts.as_bytes()), "{ran:?}");
        assert_content(at, name, content);
    }
}

/// A command's classification of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Taken {
    Text,
    Binary,
    /// Text in another encoding.
    Other,
}

/// Returns how check, repair, conversions and `check --fix` classify a file that is expected to be UTF-8. `content`
/// must end with whitespace, which `--fix` removes from text.
fn taken_for(content: &[u8]) -> [Taken; 4] {
    let dir = dir_with(&[("f", content)]);
    let at = dir.path();
    let said = |command: &str| {
        let ran = sh(at, command);
        String::from_utf8_lossy(&ran.stdout).into_owned() + &ran.stderr
    };
    let found = |said: String, binary: &str, other: &[&str]| match said {
        said if said.contains(binary) => Taken::Binary,
        said if other.iter().any(|other| said.contains(other)) => Taken::Other,
        _ => Taken::Text,
    };
    let taken = [
        found(said("$U check -f UTF-8 ."), "1 binary file skipped", &["[wrong-encoding]"]),
        found(said("$U repair f"), "it is binary", &["convert it to UTF-8 first"]),
        found(
            said("$U -i -r --dry-run -f UTF-8 -t UTF-16 ."),
            "it is binary",
            &["f: skipped: already", "looks like"],
        ),
    ];
    assert_content(at, "f", content);
    let other = taken[0] == Taken::Other;
    said("$U check --fix -f UTF-8 --rule trailing-whitespace f");
    let is_fixed = std::fs::read(at.join("f")).expect("is there").len() < content.len();
    let fixed = match is_fixed {
        true => Taken::Text,
        // The file was not fixed because of its encoding.
        false if other => Taken::Other,
        false => Taken::Binary,
    };
    [taken[0], taken[1], taken[2], fixed]
}

/// Returns the first bytes of all binary formats, from the source of utfconv-detect.
fn heads_of_formats() -> Vec<Vec<u8>> {
    let source = include_str!("../crates/utfconv-detect/src/formats.rs");
    let rows = source.lines().filter_map(|line| {
        let row = line.trim().strip_prefix("(Binary(")?.strip_suffix("\"),")?;
        let (start, bytes) = row.rsplit_once(", b\"")?;
        let offset: usize = start.rsplit_once(' ')?.1.parse().ok()?;
        Some([vec![b'a'; offset], unescaped(bytes)].concat())
    });
    rows.collect()
}

fn unescaped(literal: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = literal.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        bytes.push(match rest.next() {
            Some(b'0') => 0,
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b'x') => {
                let digits = [rest.next(), rest.next()].map(|digit| char::from(digit.expect("two digits")));
                u8::from_str_radix(&String::from_iter(digits), 16).expect("hexadecimal")
            }
            escape => panic!("{escape:?}"),
        });
    }
    bytes
}

/// All commands agree on which files are text. As utfconv-batch(7) says, only conversions and `--fix` are stricter than
/// check and repair for some files, because they rewrite the whole file.
#[test]
fn all_commands_agree_on_what_is_text() {
    use Taken::{Binary, Other, Text};
    let heads = heads_of_formats();
    assert_eq!(heads.len(), 42, "the formats of the library");
    for head in heads {
        assert_eq!(taken_for(&[&head[..], b" caf\xE9 \n"].concat()), [Binary; 4], "{head:02X?}");
    }
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let ebcdic = |text: &str| run(&["-t", "IBM037"], text).stdout;
    let rtf = [&b"{\\rtf1\\ansi "[..], &b"text\n".repeat(4000), b"caf\xE9 \n"].concat();
    let cases: [(&[u8], [Taken; 4]); 18] = [
        (b"text \n", [Text; 4]),
        ("caf\u{E9} \n".as_bytes(), [Text; 4]),
        (b"caf\xE9 \n", [Text; 4]),
        (b"\x82\xB1\x82\xF1 \n", [Text; 4]),
        (b"\xEF\xBB\xBFtext \n", [Text; 4]),
        ("\x01\x02\x03\x04\u{E9} \n".as_bytes(), [Text; 4]),
        (b"\x1B[1mbold\x1B[0m\x08 \n", [Text; 4]),
        (b"{\\rtf1 text} \n", [Text; 4]),
        (b"a\0b \n", [Binary; 4]),
        (b"\x01\x02\x03\x04\xFF \n", [Binary; 4]),
        (b"{\\rtf1 caf\xE9} \n", [Binary; 4]),
        (b"%!PS\n(caf\xE9) show \n", [Binary; 4]),
        (&utf16("Hello, world \n"), [Other; 4]),
        (&utf16("\u{FEFF}Hello, world \n"), [Other; 4]),
        (&[&ebcdic("Hello, world of mainframes, and caf\u{E9}s")[..], b" \n"].concat(), [Text; 4]),
        // In the input encoding the bytes may be text, but as UTF-8 they are binary.
        (b"a\x1Fb\x1Fc\xE9\x1Fd \n", [Text, Text, Binary, Binary]),
        (
            &[&ebcdic("Hello, world of mainframes\u{85}and caf\u{E9}s\u{85}and text\u{85}")[..], b" \n"]
                .concat(),
            [Binary; 4],
        ),
        // The start of the file is ASCII.
        (&rtf, [Text, Text, Binary, Binary]),
    ];
    for (content, expected) in cases {
        assert_eq!(taken_for(content), expected, "{}", content.escape_ascii());
    }
}

/// RTF and PostScript are ASCII, and name the encoding of non-ASCII bytes themselves. So a file with non-ASCII bytes is
/// not converted.
#[test]
fn text_that_names_its_encoding_is_converted_only_if_it_is_ascii() {
    let dir = dir_with(&[]);
    let at = dir.path();
    sh(at, "{ printf '{\\\\rtf1\\\\ansi\\\\ansicpg1252 '; yes text | head -c 200000; printf '\\\\par}'; } > a.rtf")
        .expect(0, "", "");
    sh(at, "$U -i -f cp1252 a.rtf").expect(0, "", "utfconv: a.rtf: unchanged\n");
    sh(at, "printf '\\xe9' >> a.rtf; cp a.rtf b").expect(0, "", "");
    let why = "it is an RTF document with bytes that are not ASCII, whose encoding it names itself";
    for from in ["cp1252", "auto:windows-1252 --min-certainty=guess"] {
        sh(at, &format!("$U -i -f {from} a.rtf")).expect_part(2, "", why);
    }
    sh(at, "cmp a.rtf b; $U -i -f cp1252 --binary=convert a.rtf; tail -c 2 a.rtf").expect(0, "é", "");
}

/// As bytes, UTF-16, UTF-32 and EBCDIC files look binary, but their text does not.
#[test]
fn text_of_wider_units_and_of_ebcdic_is_not_binary() {
    let dir = dir_with(&[]);
    let at = dir.path();
    for encoding in ["UTF-16LE", "UTF-16", "UTF-32BE", "IBM037", "IBM1047"] {
        let make = format!("printf 'Hello, caf\\xc3\\xa9\\n' | $U -t {encoding} -o f");
        sh(at, &format!("{make}; $U -i -f {encoding} f; cat f")).expect(0, "Hello, café\n", "");
    }
    sh(at, "printf 'a\\0\\0\\0' > f; $U -i -f UTF-16LE f").expect(
        2,
        "",
        "f: not converted: it is binary: as UTF-16LE, its text has NUL; use --binary=convert to convert it anyway",
    );
}

/// The only file of a batch is reported like one of many files.
#[test]
fn a_file_that_is_alone_says_what_became_of_it() {
    let dir = dir_with(&[("plain", b"plain\n"), ("done", "é\n".as_bytes())]);
    let at = dir.path();
    sh(at, "$U -i -f latin1 plain").expect(0, "", "utfconv: plain: unchanged\n");
    sh(at, "$U -i -f latin1 done").expect(0, "", "utfconv: done: skipped: already UTF-8\n");
    sh(at, "$U -i -f latin1 plain done").expect(
        0,
        "",
        "utfconv: 0 converted, 1 unchanged, 0 failed, 1 already converted\n",
    );
    sh(at, "$U -i -s -f latin1 plain; $U -i -s -f latin1 plain done").expect(0, "", "");
    sh(at, "mkdir e; $U -i -r e").expect(0, "", "utfconv: warning: no files found: nothing to convert\n");
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_the_kernel_makes() {
    let why = "the kernel makes its content when it is read; use -o to write the text to another file";
    for name in ["/proc/cpuinfo", "/proc/self/status"] {
        sh(Path::new("/"), &format!("$U -i {name}")).expect(2, "", &format!("utfconv: {name}: {why}\n"));
    }
}

/// Every command refuses an output that is also an input, and leaves the file unchanged.
#[test]
fn standard_output_is_an_input() {
    let dir = dir_with(&[("f", b"a\xFFb\n"), ("g", b"a\xFFb\n")]);
    let at = dir.path();
    for command in [
        "check f",
        "check --format=json g f",
        "check -l f",
        "check - < f",
        "detect f",
        "detect g f",
        "inspect f",
        "--list-ranges=2 f",
        "--count-output f",
        "-i --dry-run -f latin1 f",
        "-f latin1 f",
    ] {
        let ran = sh(at, &format!("$U {command} >> f"));
        assert!(
            ran.status == 2 && ran.stderr.contains(": the output would overwrite this input"),
            "{command}: {ran:?}"
        );
        assert_content(at, "f", b"a\xFFb\n");
    }
    // A report in a directory that is read is not an input.
    sh(at, "mkdir d; cp f d; $U check d > d/report; s=$?; grep -c . d/report; exit $s").expect(
        1,
        "1\n",
        "1 error in 1 of 1 file",
    );
    sh(at, "$U detect d > d/report; grep -c report d/report").expect(1, "0\n", "");
}
