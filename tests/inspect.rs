//! Tests of the command `inspect`: its reports, and that they are safe for a terminal.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use utfconv_core::{
    Encoding, InputBom, OnIllFormed, OnUnmappable, Options, Policy, UTF_8, convert, convert_reporting,
};

use crate::harness::{Ran, UTFCONV, dir_with, has, hex, in_hex, run, sh, udhr};
use crate::random::generator;

/// Runs `utfconv inspect` on `bytes`.
#[track_caller]
fn inspect(words: &str, bytes: impl AsRef<[u8]>) -> Ran {
    let words: Vec<_> = ["inspect"].into_iter().chain(words.split_whitespace()).collect();
    run(&words, bytes)
}

/// Parses a report in JSON.
fn objects(ran: &Ran) -> Vec<Value> {
    let text = std::str::from_utf8(&ran.stdout).expect("JSON is UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Cuts each line after the character, because names require the feature `character-names`.
fn without_names(text: &str) -> String {
    let cut = |line: &str| line.chars().take(33).collect::<String>().trim_end().to_string() + "\n";
    text.lines().map(cut).collect()
}

/// A run of invisible characters takes one line, which shows the hidden text. With JSON, or if the run is short, each
/// character has its own line.
#[test]
fn hidden_text_is_one_line() {
    let selectors: String =
        "curl \"x\"".bytes().filter_map(|byte| char::from_u32(0xE0100 - 16 + u32::from(byte))).collect();
    let text = format!("a{selectors}`\u{2764}\u{FE0F}\u{200D}");
    let shown = "   0  61           U+0061    a
   1  F3 A0 85 93  U+E0153
  33  60           U+0060    `
  34  E2 9D A4     U+2764    \u{2764}
  37  EF B8 8F     U+FE0F
  40  E2 80 8D     U+200D
";
    let ran = inspect("-", &text);
    let lines = String::from_utf8_lossy(&ran.stdout);
    assert!(lines.contains("        8 variation selectors: \"curl \\\"x\\\"\"\n"), "{lines}");
    assert_eq!((ran.status, without_names(&lines), ran.stderr.as_str()), (0, shown.to_string(), ""));
    assert_eq!(objects(&inspect("--format=json -", &text)).len(), 13);
    let around = inspect("--around 5 --context 1 -", &text);
    let around = String::from_utf8_lossy(&around.stdout);
    assert!(around.contains(">     5  F3 A0 85 A5  U+E0165"), "{around}");
}

#[cfg(feature = "character-names")]
#[test]
fn a_line_a_sequence() {
    let text = "\u{FEFF}Né日😀\u{301}\u{202E}\u{1B}\u{9B}\u{E000}\u{FFFF}\u{378}\u{AC00}\u{17000}\u{18E00}\n";
    let shown = " 0  EF BB BF     U+FEFF         BOM of UTF-8
 3  4E           U+004E    N    LATIN CAPITAL LETTER N
 4  C3 A9        U+00E9    é    LATIN SMALL LETTER E WITH ACUTE
 6  E6 97 A5     U+65E5    日   CJK UNIFIED IDEOGRAPH-65E5
 9  F0 9F 98 80  U+1F600   😀   GRINNING FACE
13  CC 81        U+0301    \u{25CC}\u{301}    COMBINING ACUTE ACCENT
15  E2 80 AE     U+202E         RIGHT-TO-LEFT OVERRIDE
18  1B           U+001B    ESC  ESCAPE
19  C2 9B        U+009B    CSI  CONTROL SEQUENCE INTRODUCER
21  EE 80 80     U+E000         private use
24  EF BF BF     U+FFFF         noncharacter
27  CD B8        U+0378         unassigned
29  EA B0 80     U+AC00    가   HANGUL SYLLABLE GA
32  F0 97 80 80  U+17000   𗀀   TANGUT IDEOGRAPH-17000
36  F0 98 B8 80  U+18E00        no name in Unicode 17.0
40  0A           U+000A    LF   LINE FEED
";
    let dir = dir_with(&[("f", text.as_bytes())]);
    sh(dir.path(), "$U inspect f").expect(0, shown, "");
    sh(dir.path(), "$U inspect < f").expect(0, shown, "");
    // The length of a pipe is unknown, so the offset column is wider.
    let wider: String = shown.lines().map(|line| format!("  {line}\n")).collect();
    sh(dir.path(), "cat f | $U inspect -").expect(0, wider, "");
    sh(dir.path(), "$U inspect -x --range 40: f").expect(
        0,
        "40  28  0A           U+000A    LF   LINE FEED\n",
        "",
    );
}

/// The examples in section 7 of RFC 3629.
#[test]
fn the_examples_of_the_rfc() {
    for (bytes, shown) in [
        (
            "41 E2 89 A2 CE 91 2E",
            "   0  41           U+0041    A\n   1  E2 89 A2     U+2262    ≢\n   4  CE 91        U+0391    Α\n   6  2E           U+002E    .\n",
        ),
        (
            "ED 95 9C EA B5 AD EC 96 B4",
            "   0  ED 95 9C     U+D55C    한\n   3  EA B5 AD     U+AD6D    국\n   6  EC 96 B4     U+C5B4    어\n",
        ),
        (
            "E6 97 A5 E6 9C AC E8 AA 9E",
            "   0  E6 97 A5     U+65E5    日\n   3  E6 9C AC     U+672C    本\n   6  E8 AA 9E     U+8A9E    語\n",
        ),
        ("EF BB BF F0 A3 8E B4", "   0  EF BB BF     U+FEFF\n   3  F0 A3 8E B4  U+233B4   𣎴\n"),
    ] {
        let ran = inspect("", hex(bytes));
        let text = String::from_utf8(ran.stdout).expect("UTF-8");
        assert_eq!((ran.status, without_names(&text).as_str(), ran.stderr.as_str()), (0, shown, ""));
    }
}

/// Covers every kind of ill-formed sequence in each family of encodings, with the same wording as in other messages.
#[test]
fn faults_have_their_kind_and_the_rule_broken() {
    for (encoding, bytes, kind, reason) in [
        ("UTF-8", "C0 AF", "non-shortest form", "C0 never appears in UTF-8 (overlong form of U+002F \"/\")"),
        ("UTF-8", "E0 80 AF", "non-shortest form", "overlong form of U+002F \"/\""),
        ("UTF-8", "ED A0 80", "surrogate", "surrogate U+D800 is not a scalar value"),
        ("UTF-8", "F4 90 80 80", "above U+10FFFF", "U+110000 is above U+10FFFF"),
        ("UTF-8", "F8 88 80 80 80", "never-used byte", "(it led the five-byte form of RFC 2279)"),
        ("UTF-8", "FE", "never-used byte", "FE never appears in UTF-8"),
        ("UTF-8", "80", "unexpected continuation", "continuation byte without a lead byte"),
        ("UTF-8", "E2 82", "truncated", "E2 starts a sequence of 3 bytes, 2 found"),
        (
            "CESU-8",
            "ED A0 BD",
            "lone high surrogate",
            "high surrogate U+D83D without a low surrogate after it",
        ),
        ("MUTF-8", "00", "never-used byte", "00 never appears in MUTF-8"),
        ("UTF-8-2279", "FE", "never-used byte", "FE never appears in UTF-8-2279"),
        (
            "UTF-16LE",
            "3D D8",
            "lone high surrogate",
            "high surrogate U+D83D without a low surrogate after it",
        ),
        (
            "UTF-16BE",
            "DE 00",
            "lone low surrogate",
            "low surrogate U+DE00 without a high surrogate before it",
        ),
        ("UTF-16BE", "41", "odd length", "a single byte at the end; UTF-16BE needs pairs of bytes"),
        ("UTF-32BE", "00 00 D8 00", "surrogate", "surrogate U+D800 is not a scalar value"),
        ("UTF-32BE", "00 11 00 00", "above U+10FFFF", "U+110000 is above U+10FFFF"),
        ("UTF-32LE", "41 00 00", "partial unit", "the text ends with 3 of the 4 bytes of a code unit"),
        ("US-ASCII", "E9", "never-used byte", "E9 never appears in US-ASCII"),
        ("windows-1252", "81", "unassigned", "windows-1252 has no character there"),
        ("Shift_JIS", "82", "truncated", "truncated"),
        ("EUC-JP", "A9 A1", "unassigned", "EUC-JP has no character there"),
        (
            "ISO-2022-JP",
            "1B 24 41",
            "unknown escape sequence",
            "no escape sequence of ISO-2022-JP begins here",
        ),
        ("UTF-7", "2B 41 41", "truncated", "the character is not complete"),
        (
            "UTF-7",
            "2B 41 47 46",
            "stray bits",
            "the base64 ends with bits that are not zero and no character",
        ),
    ] {
        let ran = inspect(&format!("-f {encoding}"), hex(bytes));
        let text = String::from_utf8(ran.stdout).expect("UTF-8");
        assert_eq!((ran.status, ran.stderr.as_str()), (1, ""), "{encoding} {bytes}");
        // The message has the listed name of the encoding.
        let is_told = text.contains("ill-formed ") && text.matches(kind).count() == 1;
        let rule_told = text.replace("\n                   UTF", "; UTF").contains(reason);
        assert!(is_told && rule_told, "{encoding} {bytes}: {kind}: {reason}\n{text}");

        // The message is the same as in a conversion.
        let ran = inspect(&format!("-f {encoding} --format=json"), hex(bytes));
        let fault = objects(&ran).into_iter().find(|object| object["type"] == "error").expect("an error");
        let converted = run(&["-f", encoding], hex(bytes));
        let sentence = format!(
            "-:{}:{}: error: {}\n",
            fault["line"],
            fault["column"],
            fault["message"].as_str().expect("a string")
        );
        assert!(converted.stderr.starts_with(&sentence), "{} {sentence}", converted.stderr);
        assert_eq!(fault["kind"], kind);
    }
    // A note about the following bytes has a line of its own.
    let pair = "   0  ED A0 BD     ill-formed UTF-8 at 1:1
                   surrogate U+D83D is not a scalar value
                   with the next three bytes a CESU-8 pair for U+1F600 \"😀\"
   3  ED B8 80     ill-formed UTF-8 at 1:4
                   surrogate U+DE00 is not a scalar value
";
    inspect("", hex("ED A0 BD ED B8 80")).expect(1, pair, "");
    // If the bytes are wider than their column, the other columns keep their position.
    let long = "   0  F8 88 80 80 80
                   ill-formed UTF-8 at 1:1: never-used byte
                   F8 never appears in UTF-8 (it led the five-byte form of RFC 2279)
   5  0A           U+000A    LF
";
    let ran = inspect("", hex("F8 88 80 80 80 0A"));
    let text = String::from_utf8(ran.stdout).expect("UTF-8");
    assert_eq!(text.trim_end_matches("   LINE FEED\n").trim_end(), long.trim_end());
}

#[test]
fn boms() {
    let signed = b"\xEF\xBB\xBF\xFF";
    let ran = inspect("--input-bom=text", &signed[..3]);
    assert!(
        ran.stdout.starts_with(b"   0  EF BB BF     U+FEFF") && !ran.stdout.ends_with(b"UTF-8\n"),
        "{ran:?}"
    );
    let forbidden = "   0  EF BB BF     forbidden BOM at 1:1
                   UTF-8 input must not begin with a BOM
";
    inspect("--input-bom=forbid", &signed[..3]).expect(1, forbidden, "");
    inspect("-f UTF-8N", &signed[..3]).expect(1, forbidden, "");
    let missing = "   0               missing BOM at 1:1
                   UTF-8 input must begin with a BOM
";
    inspect("-f UTF-8-SIG", "").expect(1, missing, "");
    // A missing BOM is shown before the first character.
    let ran = inspect("--input-bom=require --errors-only -C1", "abc");
    let text = String::from_utf8(ran.stdout).expect("UTF-8");
    assert!(ran.status == 1 && text.starts_with(&format!("{missing}   0  61 ")), "{text}");
    assert!(text.ends_with("\n...\n") && text.lines().count() == 4, "{text}");
}

#[test]
fn utf_16_and_its_mark() {
    let bytes = hex("FF FE 61 00 3D D8 00 DE 00 DC 3D D8");
    let shown = "   0  FF FE        U+FEFF
   2  61 00        U+0061    a
   4  3D D8 00 DE  U+1F600   😀
   8  00 DC        ill-formed UTF
                   low surrogate
  10  3D D8        ill-formed UTF
                   high surrogate
";
    let ran = inspect("-f UTF-16", &bytes);
    let text = String::from_utf8(ran.stdout).expect("UTF-8");
    assert_eq!((ran.status, without_names(&text).as_str(), ran.stderr.as_str()), (1, shown, ""));
    // Read as UTF-8, the file gets a warning.
    let ran = inspect("", &bytes);
    let warning = "utfconv: -: warning: begins with FF FE, the BOM of UTF-16LE, but is read as UTF-8; \
                   use -f UTF-16\n";
    assert_eq!((ran.status, ran.stderr.as_str()), (1, warning));
    assert_eq!(inspect("--input-bom=sniff", &bytes).stdout, inspect("-f UTF-16", &bytes).stdout);
}

#[test]
fn what_is_no_character() {
    let first_lines = |words: &str, bytes: &[u8]| {
        let ran = inspect(words, bytes);
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{words}");
        String::from_utf8(ran.stdout).expect("UTF-8")
    };
    let japanese = first_lines("-f ISO-2022-JP", b"\x1B$B$\"\x1B(B");
    assert!(japanese.starts_with("   0  1B 24 42     escape sequence: JIS X 0208 follows\n"), "{japanese}");
    assert!(japanese.ends_with("   5  1B 28 42     escape sequence: ASCII follows\n"), "{japanese}");
    let base64 = first_lines("-f UTF-7", b"+AOk-");
    assert!(base64.starts_with("   0  2B           base64 follows\n"), "{base64}");
    assert!(base64.ends_with("   4  2D           base64 ends\n"), "{base64}");
    assert_eq!(
        first_lines("-f WTF-8", b"\xED\xA0\xBD"),
        "   0  ED A0 BD     U+D83D         high surrogate\n"
    );
    for (words, bytes, code_point) in
        [("-f WTF-8", &b"\xED\xA0\xBD"[..], "U+D83D"), ("-f UTF-8-2279", b"\xF7\xBF\xBF\xBF", "U+1FFFFF")]
    {
        let ran = inspect(&format!("{words} --format=json"), bytes);
        assert_eq!(objects(&ran)[0]["code_point"], code_point);
    }
    let beyond = "   0  F7 BF BF BF  U+1FFFFF       above U+10FFFF\n";
    assert_eq!(first_lines("-f UTF-8-2279", b"\xF7\xBF\xBF\xBF"), beyond);
    // Two scalar values share one code.
    let two = first_lines("-f BIG5-HKSCS", b"\x88\x62");
    assert_eq!(
        without_names(&two),
        "   0  88 62        U+00CA    Ê\n                   U+0304    \u{25CC}\u{304}\n"
    );
}

/// Whatever the file contains, the report has no control sequence that acts on a terminal.
#[test]
fn hostile_text_is_inert() {
    let all: String = ('\0'..='\u{2FFF}')
        .chain('\u{D7A0}'..='\u{FFFF}')
        .chain('\u{1D100}'..='\u{1D200}')
        .chain('\u{E0000}'..='\u{E01FF}')
        .collect();
    let osc = "\u{1B}]0;title\u{7}\u{9D}\u{9C}\u{1B}[31m\u{202E}##[error]\n::error::";
    for form in ["--color=never", "--format=json", "-x"] {
        let ran = inspect(form, all.clone() + osc);
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
        let text = String::from_utf8(ran.stdout).expect("UTF-8");
        let mut before = ' ';
        for scalar in text.chars() {
            let is_mark = before == '\u{25CC}' && form != "--format=json" && !scalar.is_control();
            assert!(
                scalar == '\n' || utfconv_core::is_printable(scalar) || is_mark,
                "U+{:04X}",
                u32::from(scalar)
            );
            before = scalar;
        }
        assert!(form != "--format=json" || text.lines().count() == (all.clone() + osc).chars().count());
    }
}

#[test]
fn what_shows_nothing_is_left_out() {
    for scalar in "\u{AD}\u{34F}\u{115F}\u{180B}\u{200B}\u{2800}\u{3164}\u{FE0F}\u{FFA0}\u{E0100}".chars() {
        let ran = inspect("--color=never", scalar.to_string());
        let text = String::from_utf8(ran.stdout).expect("UTF-8");
        assert!(text.is_ascii() && text.contains(&format!("U+{:04X}", u32::from(scalar))), "{text}");
    }
}

/// U+25CC is shown under exactly the characters that are combining marks in Python, and all names are the same as in
/// Python.
#[cfg(feature = "character-names")]
#[test]
fn names_and_marks_are_those_of_python() {
    if !has("python3") {
        return;
    }
    let script = r#"
import json, subprocess, sys, unicodedata
text = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x18E00), *range(0x1F000, 0x20100), *range(0xE0000, 0xE0200)]))
def run(text, *words):
    return subprocess.run([sys.argv[1], "inspect", *words], input=text.encode(), capture_output=True, check=True).stdout.decode()
rows = [json.loads(line) for line in run(text, "--format=json").splitlines()]
assert "".join(row["text"] for row in rows) == text
# Runs of characters that show nothing are one line, so there is an x between all.
for row, line in zip(rows, run("x".join(text), "--color=never").splitlines()[::2], strict=True):
    scalar, [name] = row["text"], row["names"]
    assert row["scalars"] == [f"U+{ord(scalar):04X}"] and row["bytes"] == scalar.encode().hex(" ").upper(), row
    category = unicodedata.category(scalar)
    if category == "Cc":
        assert unicodedata.lookup(name) == scalar, row
    elif category == "Co":
        assert name == "private use", row
    elif category != "Cn":
        assert name == unicodedata.name(scalar, name), row
        assert name.isupper(), row
    elif ord(scalar) & 0xFFFE == 0xFFFE or 0xFDD0 <= ord(scalar) < 0xFDF0:
        assert name == "noncharacter", row
    on_circle = "\u25cc" + scalar in line
    assert on_circle <= (category in ("Mn", "Me", "Mc", "Lm", "Lo", "Cn")), (row, category)
    assert not (category in ("Cc", "Cf", "Zl", "Zp", "Co") and scalar in line), (row, category)
"#;
    let dir = dir_with(&[("names.py", script.as_bytes())]);
    sh(dir.path(), "python3 names.py $U").expect(0, "", "");
}

/// Returns random bytes, or text in `encoding` with some damage.
fn source(encoding: &'static Encoding, below: &mut impl FnMut(u64) -> u64) -> Vec<u8> {
    let text = udhr();
    let policy = Policy::default().unmappable(OnUnmappable::Omit);
    let options = Options::default().policy(policy);
    let mut source = match below(2) {
        0 => (0..below(60)).map(|_| below(256) as u8).collect(),
        _ => {
            let starts: Vec<_> = text.char_indices().map(|(at, _)| at).collect();
            let at = below(starts.len() as u64 - 60) as usize;
            let text = &text[starts[at]..starts[at + below(60) as usize]];
            convert(text.as_bytes(), &UTF_8, encoding, &options).expect("goes on").output
        }
    };
    for _ in 0..below(4) {
        if !source.is_empty() {
            let at = below(source.len() as u64) as usize;
            source[at] = b"\x1B\n+-\x80\xA1\xD8\xDC\xED\xFF"[below(10) as usize];
        }
    }
    source
}

/// In all encodings, the sequences are contiguous and have the bytes of the source. Their scalar values and errors are
/// those of a conversion, and the report does not depend on how the source is split into chunks.
#[test]
fn sequences_make_up_the_source() {
    let mut below = generator();
    for encoding in Encoding::all() {
        for _ in 0..2 {
            let source = source(encoding, &mut below);
            let name = encoding.name();
            let ran = inspect(&format!("-f {name} --input-bom=text --format=json"), &source);
            let objects = objects(&ran);
            let (mut offset, mut bytes, mut scalars, mut faults) =
                (0, String::new(), String::new(), Vec::new());
            for object in &objects {
                assert_eq!(object["offset"], offset, "{name} {source:02X?} {object}");
                let piece = object["bytes"].as_str().expect("hexadecimal").replace(' ', "");
                assert_eq!(object["length"], piece.len() / 2);
                offset += piece.len() / 2;
                bytes += &piece;
                match object["type"].as_str() {
                    Some("character") => {
                        let text = object["text"].as_str().expect("a string");
                        let values: Vec<_> =
                            text.chars().map(|scalar| format!("U+{:04X}", u32::from(scalar))).collect();
                        assert_eq!(object["scalars"], Value::from(values));
                        scalars += text;
                    }
                    Some("error") => faults.push(object["message"].as_str().expect("a string").to_string()),
                    _ => {}
                }
            }
            assert_eq!(bytes, in_hex(&source), "{name}");
            let policy = Policy::default().ill_formed(OnIllFormed::Omit).unmappable(OnUnmappable::Omit);
            let options = Options::default().policy(policy).input_bom(InputBom::Text);
            let mut expected = Vec::new();
            let report = |fault: utfconv_core::Fault| {
                if !matches!(fault.kind, utfconv_core::FaultKind::Unmappable { .. }) {
                    expected.push(fault.to_string());
                }
            };
            let converted = convert_reporting(&source, encoding, &UTF_8, &options, report).expect("goes on");
            assert_eq!((scalars.as_bytes(), &faults), (&converted.output[..], &expected), "{name}");
            assert_eq!(ran.status, i32::from(!faults.is_empty()), "{name}");

            let forms =
                ["", "--errors-only -C1", "--range 3:20 --format=json", "--range 2:9 --errors-only -C1"];
            let words = format!("-f {name} {}", forms[below(4) as usize]);
            let chunked = format!("{words} --buffer-size={}", 16 + below(4));
            assert_eq!(inspect(&chunked, &source), inspect(&words, &source), "{chunked} {source:02X?}");
        }
    }
}

/// A range shows exactly the sequences that begin in it, whole.
#[test]
fn ranges_show_what_begins_there() {
    let mut below = generator();
    let names = [
        "UTF-8",
        "UTF-16",
        "UTF-32",
        "GB18030",
        "Shift_JIS",
        "windows-1258",
        "ISO-2022-JP",
        "UTF-7",
        "UTF-1",
    ];
    for name in names {
        let encoding = Encoding::for_name(name).expect("it exists");
        for _ in 0..4 {
            let source = source(encoding, &mut below);
            let dir = dir_with(&[("f", &source)]);
            let all = objects(&sh(dir.path(), &format!("$U inspect -f {name} --format=json f")));
            for _ in 0..4 {
                let mut ends = [below(source.len() as u64 + 1), below(source.len() as u64 + 1)];
                ends.sort_unstable();
                let [start, end] = ends;
                let words = format!("$U inspect -f {name} --format=json --range {start}:{end} f");
                let some = objects(&sh(dir.path(), &words));
                let begins_there =
                    |object: &&Value| (start..end).contains(&object["offset"].as_u64().expect("a number"));
                assert!(all.iter().filter(begins_there).eq(&some), "{words} {source:02X?}");
            }
        }
    }
}

/// Offsets count from the start of the file, even if standard input starts inside the file.
#[test]
fn standard_input_begins_inside_a_file() {
    let dir = dir_with(&[("e", "aéb日\n".as_bytes()), ("bad", b"a\xEF\xBB\xBFb\n\xFF")]);
    let shown = |words: &str, file: &str| {
        let skip = "dd bs=1 count=1 of=/dev/null status=none";
        let ran = sh(dir.path(), &format!("({skip}; $U inspect --format=json {words}) < {file}"));
        assert_eq!(ran.stderr, "", "{words}");
        objects(&ran)
    };
    let whole = objects(&sh(dir.path(), "$U inspect --format=json e"));
    assert_eq!(shown("", "e"), whole[1..]);
    for (words, expected) in [
        ("--range 3:4", &whole[2..3]),
        ("--range 0:3", &whole[..2]),
        ("--range 0:", &whole[..]),
        ("--around 0 -C0", &whole[..1]),
        ("--around 5 -C1", &whole[2..]),
    ] {
        assert_eq!(shown(words, "e"), expected, "{words}");
    }
    // The text begins at the current file offset, as in a conversion.
    let bad = shown("--errors-only -C9", "bad");
    assert_eq!((&bad[0]["type"], &bad[0]["offset"]), (&Value::from("bom"), &Value::from(1)));
    let fault = &bad[3];
    assert_eq!((&fault["offset"], &fault["line"]), (&Value::from(6), &Value::Null));
    assert!(fault["message"].as_str().expect("a string").contains(" at byte 6: "), "{fault}");
}

/// Far from its start, a file is read from a nearby position. Only line numbers may differ from those of a pipe.
#[test]
fn far_places_are_found() {
    let mut below = generator();
    let dir = dir_with(&[]);
    for (name, filler) in [
        ("UTF-16", &b"\x3D\xD8\x00\xDE"[..]),
        ("UTF-8", "日!".as_bytes()),
        ("UTF-32BE", b"\x00\x01\xF6\x00"),
        // The bytes of these fillers do not identify a character boundary, so the file is read from the start.
        ("Shift_JIS", b"\x81\x81\x81\x81"),
        ("GB18030", b"\x81\x30\x81\x30"),
        ("ISO-2022-JP", b"abcd"),
    ] {
        let encoding = Encoding::for_name(name).expect("it exists");
        let mut bytes = filler.repeat((16 << 20) / 4 + 2);
        let far = bytes.len();
        (0..8).for_each(|_| bytes.extend(source(encoding, &mut below)));
        std::fs::write(dir.path().join("f"), &bytes).expect("writes");
        for words in
            [format!("--range {}: --errors-only -C2", far + 3), format!("--around {} -C300", far + 9)]
        {
            let here = sh(dir.path(), &format!("$U inspect -f {name} {words} f"));
            let piped = sh(dir.path(), &format!("cat f | $U inspect -f {name} {words} 2>&1"));
            let plain = |ran: &Ran| {
                // Remove positions with lines and columns, and the padding of offsets.
                let text = String::from_utf8(ran.stdout.clone()).expect("UTF-8");
                let mut text: Vec<_> = text.split_whitespace().map(String::from).collect();
                while let Some(at) = text.iter().position(|word| word == "at") {
                    let colon = if text[at + 1].ends_with(':') { ":" } else { "" };
                    text[at - 1] += colon;
                    text.drain(at..at + 2);
                }
                (ran.status, text)
            };
            assert_eq!(plain(&here), plain(&piped), "{name} {words}");
            assert!(
                here.status < 2 && !here.stdout.is_empty() || words.contains("errors"),
                "{name} {words} {here:?}"
            );
        }
    }
}

#[cfg(feature = "character-names")]
#[test]
fn around_a_byte_and_only_faults() {
    let dir = dir_with(&[("f", "abc日\u{FFFF}xyz\n".as_bytes()), ("bad", b"abcdefg\xFFhijklmn\xFF\xFEop")]);
    let at = dir.path();
    let shown = "   ...
      2  63           U+0063    c    LATIN SMALL LETTER C
>     3  E6 97 A5     U+65E5    日   CJK UNIFIED IDEOGRAPH-65E5
      6  EF BF BF     U+FFFF         noncharacter
   ...
";
    for offset in 3..6 {
        sh(at, &format!("cat f | $U inspect --around {offset} -C1")).expect(0, shown, "");
    }
    sh(at, "$U inspect --around 13 f").expect(
        2,
        "",
        "utfconv: f: byte 13 is past the end: the input has 13 bytes\n",
    );
    sh(at, "$U inspect --range 14: f").expect(
        2,
        "",
        "utfconv: f: the range starts at byte 14, past the end: the input has 13 bytes\n",
    );
    sh(at, "$U inspect --range 13: f").expect(0, "", "");
    sh(at, "$U inspect --errors-only f").expect(0, "", "");
    sh(at, "$U inspect --errors-only --around 3 f").expect(
        2,
        "",
        "the argument '--errors-only' cannot be used with '--around <OFFSET>' (see --help)",
    );
    assert_eq!(sh(at, "$U inspect --around 0x4 f"), sh(at, "$U inspect --around 4 f"));
    for (words, text) in [
        ("-C3", "-C requires --around or --errors-only"),
        ("-C3 --range 2:5 --format=json -x", "-C requires --around or --errors-only"),
        ("--around x", "expected a byte offset, such as 212 or 0xD4"),
        ("--around 0x", "expected a byte offset, such as 212 or 0xD4"),
        ("--around +1", "expected a byte offset, such as 212 or 0xD4"),
        ("--around 0x10000000000000000", "no file is that long"),
        ("--errors-only -C x", "a whole number from 0 to 65535"),
        ("-f latin1 --input-bom=require", "ISO-8859-1 has no BOM"),
        ("-f UTF-7 --input-bom=forbid", "BOMs of UTF-7 are not recognized"),
        ("-f auto", "utfconv detect FILE"),
    ] {
        sh(at, &format!("$U inspect {words} f")).expect_part(2, "", text);
    }
    let faults = "\
...
 6  67           U+0067    g    LATIN SMALL LETTER G
 7  FF           ill-formed UTF-8 at 1:8: never-used byte
                 FF never appears in UTF-8
 8  68           U+0068    h    LATIN SMALL LETTER H
...
14  6E           U+006E    n    LATIN SMALL LETTER N
15  FF           ill-formed UTF-8 at 1:16: never-used byte
                 FF never appears in UTF-8
16  FE           ill-formed UTF-8 at 1:17: never-used byte
                 FE never appears in UTF-8
17  6F           U+006F    o    LATIN SMALL LETTER O
...
";
    sh(at, "$U inspect --errors-only -C1 bad").expect(1, faults, "");
    // Errors outside the range do not affect the exit status.
    sh(at, "$U inspect --range 8:9 bad").expect(
        0,
        " 8  68           U+0068    h    LATIN SMALL LETTER H\n",
        "",
    );
}

/// Output appears although more input may follow.
#[test]
fn output_appears_as_input_does() {
    let mut child = Command::new(UTFCONV)
        .arg("inspect")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    for (piece, offset, bytes) in
        [(&b"a"[..], "   0", "61"), (b"b\xE6\x97", "   1", "62"), (b"\xA5", "   2", "E6 97 A5")]
    {
        stdin.write_all(piece).expect("writes");
        let line = lines.next().expect("a line").expect("text");
        assert!(line.starts_with(&format!("{offset}  {bytes}  ")), "{line}");
    }
    drop(stdin);
    assert!(lines.next().is_none() && child.wait().expect("ends").success());
}

#[test]
fn files_and_streams_that_fail() {
    let dir = dir_with(&[("f", b"a\n")]);
    let at = dir.path();
    sh(at, "$U inspect none").expect(2, "", "utfconv: none: No such file or directory\n");
    sh(at, "$U inspect .").expect(2, "", "utfconv: .: Is a directory\n");
    sh(at, "$U inspect < .").expect(2, "", "utfconv: -: Is a directory\n");
    sh(at, "$U inspect f >> f").expect(2, "", "utfconv: f: the output would overwrite this input\n");
    sh(at, "$U inspect --errors-only f f").expect(2, "", "unexpected argument 'f'; inspect takes one file");
    sh(at, "$U inspect -f none f").expect(
        2,
        "",
        "invalid value 'none' for '--from-code <ENC>': no such encoding; use 'utfconv list' to see all",
    );
    sh(at, "yes | $U inspect | head -c1; echo ${PIPESTATUS[1]}").expect(0, " 141\n", "");
    let ignoring = "(trap '' PIPE; yes | $U inspect; echo $? > status) | head -c1; cat status";
    let ran = sh(at, ignoring);
    assert!(
        ran.stdout == b" 2\n" && ran.stderr.contains("utfconv: standard output: write error: Broken pipe\n"),
        "{ran:?}"
    );
    if Path::new("/dev/full").exists() {
        let full = "utfconv: standard output: write error: No space left on device\n";
        sh(at, "$U inspect f > /dev/full").expect(2, "", full);
    }
    // The file is named like the command.
    sh(at, "echo x > inspect; $U ./inspect").expect(0, "x\n", "");
}

/// Colors depend on the length of a sequence, and appear on a terminal or with `--color=always`.
#[test]
fn colors() {
    let text = "aé日😀\u{1B}\u{9B}\u{202E}\n";
    let dir = dir_with(&[("f", text.as_bytes()), ("bad", b"\xEF\xBB\xBF\xFF")]);
    let at = dir.path();
    let ran = sh(at, "$U inspect --color=always f; $U inspect --color=always bad");
    let text = String::from_utf8(ran.stdout).expect("UTF-8");
    for part in [
        "\u{1B}[2m 0\u{1B}[0m  61           U+0061    a",
        "\u{1B}[32mC3 A9\u{1B}[0m        \u{1B}[32mU+00E9\u{1B}[0m    é",
        "\u{1B}[33mE6 97 A5\u{1B}[0m     \u{1B}[33mU+65E5\u{1B}[0m    日",
        "\u{1B}[35mF0 9F 98 80\u{1B}[0m  \u{1B}[35mU+1F600\u{1B}[0m   😀",
        "\u{1B}[36mEF BB BF\u{1B}[0m     \u{1B}[36mU+FEFF\u{1B}[0m",
        "\u{1B}[1;31mFF\u{1B}[0m           \u{1B}[1;31mill-formed UTF-8 at 1:1: never-used byte\u{1B}[0m\n",
    ] {
        assert!(text.contains(part), "{part:?}\n{text:?}");
    }
    if has("script") {
        let shown = |words: &str| {
            let shown = sh(at, &format!("{words} script -qec '$U inspect f' /dev/null")).stdout;
            String::from_utf8(shown).expect("UTF-8").replace('\r', "")
        };
        let colored = sh(at, "$U inspect --color=always f").stdout;
        assert_eq!(shown("TERM=xterm"), String::from_utf8_lossy(&colored));
        let plain = sh(at, "$U inspect f").stdout;
        assert_eq!(shown("TERM=xterm NO_COLOR=1"), String::from_utf8_lossy(&plain));
        // The terminal gets no escape sequences other than colors.
        let rest = shown("TERM=xterm").replace("\u{1B}[", "<");
        assert!(rest.chars().all(|scalar| scalar == '\n' || utfconv_core::is_printable(scalar)), "{rest:?}");
    }
}
