//! Tests of the statistics of `--stats`, for conversions and for `check`.

use std::collections::BTreeMap;

use crate::harness::{dir_with, has, sh};
use crate::random::generator;

/// Returns the statistics at the end of a report, without the scripts, which Python does not know.
fn statistics(told: &str) -> String {
    let start = told.find("files: ").unwrap_or_else(|| panic!("no statistics in {told:?}"));
    let lines = told[start..].lines().filter(|line| !line.starts_with("scripts: "));
    lines.map(|line| line.to_string() + "\n").collect()
}

/// Statistics of random text in several encodings equal those that Python counts, for every buffer size and way of
/// reading.
#[test]
fn as_python_counts() {
    if !has("python3") {
        return;
    }
    let dir = dir_with(&[("peer.py", include_bytes!("stats_peer.py"))]);
    let at = dir.path();
    let sources = [
        ("UTF-8=utf-8", ""),
        ("UTF-8=utf-8", "EFBBBF"),
        ("UTF-16LE=utf-16-le", ""),
        ("UTF-16BE=utf-16-be", "FEFF"),
        ("UTF-32LE=utf-32-le", "FFFE0000"),
        ("windows-1251=cp1251", ""),
        ("windows-31j=cp932", ""),
        ("GB18030=gb18030", ""),
        ("IBM1140=cp1140", ""),
    ];
    let targets =
        ["ISO-8859-1=latin-1", "US-ASCII=ascii", "windows-1251=cp1251", "EUC-KR=euc-kr", "UTF-8=utf-8"];
    for (number, (source, bom)) in sources.into_iter().enumerate() {
        let (from, _) = source.split_once('=').expect("two names");
        // Text with a BOM is read by the encoding name without a byte order.
        let from = if !bom.is_empty() && from != "UTF-8" { &from[..6] } else { from };
        for seed in 0..2 {
            let target = targets[(number + 3 * seed) % targets.len()];
            let (to, _) = target.split_once('=').expect("two names");
            let seed = 2 * number + seed;
            let has_names = cfg!(feature = "character-names");
            let peer = sh(at, &format!("python3 peer.py text {source} '{bom}' {target} {seed} {has_names}"));
            assert!(peer.status == 0 && peer.stderr.is_empty(), "{peer:?}");
            let expected = String::from_utf8(peer.stdout).expect("is UTF-8");
            let call = format!("$U --stats -f {from} -t {to} --errors=omit");
            for size in [1, 2, 3, 5, 64, 1000] {
                let ran = sh(at, &format!("{call} --buffer-size={size} text > out"));
                assert_eq!(
                    (ran.status, statistics(&ran.stderr)),
                    (0, expected.clone()),
                    "{from} {to} {size}"
                );
            }
            // The output is the same as without `--stats`.
            assert_eq!(sh(at, &format!("{} text | cmp - out", call.replace("--stats", ""))).status, 0);
            let ran = sh(at, &format!("{call} < text | cmp - out"));
            assert_eq!((ran.status, statistics(&ran.stderr).replace(" -:", " text:")), (0, expected.clone()));
            let ran = sh(at, &format!("{call} --mmap=always text | cmp - out"));
            assert_eq!((ran.status, statistics(&ran.stderr)), (0, expected.clone()));
            for file in ["text", "--stdin-filename=text - < text", "--buffer-size=1024 text"] {
                let ran = sh(at, &format!("$U check -f {from} --stats --target={to} --max-errors=0 {file}"));
                let found = statistics(&String::from_utf8_lossy(&ran.stdout));
                assert_eq!(found, expected, "{from} {to} {file}");
            }
        }
    }
}

/// The listed characters are exactly the replaced characters, in each kind of encoding.
#[test]
fn what_is_listed_is_what_was_replaced() {
    let dir = dir_with(&[]);
    let at = dir.path();
    let mut random = generator();
    // For each character, the number of its replacements, and the position of the first replacement.
    type Replaced = BTreeMap<String, (u64, String)>;
    for to in [
        "US-ASCII",
        "ISO-8859-1",
        "windows-1258",
        "IBM1047 --ebcdic-newline=lf",
        "UCS-2",
        "Shift_JIS",
        "ISO-2022-JP",
        "Big5-HKSCS",
        "GBK",
        "CP949",
        "UTF-7",
    ] {
        let mut text = String::new();
        while text.len() < 20_000 {
            // Characters come from a few blocks, so that some repeat. Combining marks are left out, because in
            // Big5-HKSCS they follow only letters.
            let block =
                [0, 0x100, 0x400, 0x1E00, 0x2000, 0x3000, 0x4E00, 0xAC00, 0x1F600][random(9) as usize];
            let scalar = char::from_u32(block + random(0x100) as u32).expect("no surrogate");
            text.extend([scalar].into_iter().filter(|scalar| !matches!(scalar, '\u{300}'..'\u{370}')));
        }
        std::fs::write(at.join("text"), &text).expect("writes");
        let ran = sh(at, &format!("$U --stats --max-errors=0 -t {to} --unmappable=replace text > out"));
        let (mut replaced, mut listed) = (Replaced::new(), Replaced::new());
        let json = sh(
            at,
            &format!(
                "$U check --stats --target={} --format=json text",
                &to[..to.find(' ').unwrap_or(to.len())]
            ),
        );
        let json = String::from_utf8(json.stdout).expect("is UTF-8");
        for line in ran.stderr.lines().filter(|line| line.contains(": unmappable character at ")) {
            let (place, rest) =
                line.split_once(": warning: unmappable character at byte ").expect("a message");
            let (at, rest) = rest.split_once(": ").expect("a place");
            let (_, rest) = rest.split_once(": U+").expect("a number");
            let number = rest.split(' ').next().expect("a number").to_string();
            replaced.entry(number).or_insert((0, format!("{place} (byte {at})"))).0 += 1;
        }
        let lost = json.split_once(r#""lost":{"#).expect("is there").1;
        for one in lost.split(r#"{"code_point":"U+"#).skip(1) {
            let field = |name: &str| {
                let (_, rest) = one.split_once(&format!("\"{name}\":")).expect("has it");
                rest.split([',', '}']).next().expect("has a value")
            };
            let place = format!("text:{}:{} (byte {})", field("line"), field("column"), field("offset"));
            let number = one.split('"').next().expect("a number").to_string();
            listed.insert(number, (field("count").parse().expect("a number"), place));
        }
        assert_eq!(listed, replaced, "{to}");
        assert_eq!(replaced.is_empty(), to == "UTF-7");
        // The text format lists the most frequent characters.
        let told: Vec<_> = ran.stderr.lines().filter_map(|line| line.strip_prefix("  U+")).collect();
        assert_eq!(told.len(), replaced.len().min(100));
        for line in told {
            let (number, rest) = line.split_once([' ', ':']).expect("a number");
            let (count, place) = &replaced[number];
            let times = format!("{count} time{}, first at {place}", if *count == 1 { "" } else { "s" });
            assert!(rest.ends_with(&times), "{line}");
        }
        let rest = replaced.len().saturating_sub(100);
        assert_eq!(ran.stderr.contains(&format!("  and {rest} more in ")), rest > 0, "{to}");
    }
}

/// Returns the statistics of two files that both contain 日.
fn both(first: &str) -> String {
    format!(
        "files: 2
bytes: 28
characters: 15, without 1 invalid byte; in UTF-8: 10 of 1 byte, 2 of 2 bytes, 2 of 3 bytes, 1 of 4 bytes
highest: U+1F600 \"😀\", first at b:1:2 (byte 1)
scripts: 7 Common, 5 Latin, 2 Han, 1 Greek
BOMs: 1 UTF-8
newlines: 2 LF, 1 CRLF, 1 CR
errors: 1 never-used byte
cannot be encoded in ISO-8859-1: 3 different characters in 4 places
  U+65E5 \"日\": 2 times, first at {first}
  U+03B1 \"α\": 1 time, first at b:2:2 (byte 7)
  U+1F600 \"😀\": 1 time, first at b:1:2 (byte 1)
"
    )
}

#[test]
fn sums_over_files() {
    let a = "\u{FEFF}aé日\r\nb\rc\n".as_bytes();
    let dir = dir_with(&[("a", a), ("b", b"x\xF0\x9F\x98\x80\n\xFF\xCE\xB1\xE6\x97\xA5 ")]);
    let at = dir.path();
    let [in_a, in_b] = ["a:1:3 (byte 6)", "b:2:3 (byte 9)"].map(both);
    for (files, expected) in [("a b", &in_a), ("b a", &in_b)] {
        let call = "$U --stats -t latin1 --errors=replace -s";
        sh(at, &format!("{call} {files} > out")).expect(0, "", expected);
        for threads in ["-j1", "-j3"] {
            for how in ["--output-dir=out.d", "-i --dry-run"] {
                let ran = sh(at, &format!("{call} {threads} {how} {files} > out"));
                assert_eq!((ran.status, &ran.stderr), (0, expected), "{threads} {how} {files}");
            }
            let ran = sh(at, &format!("$U check --stats --target latin1 {threads} {files}"));
            let found = String::from_utf8(ran.stdout).expect("is UTF-8");
            assert_eq!((ran.status, found.split_once('\n').expect("an error").1), (1, expected.as_str()));
        }
    }
    // In a directory, the first file is the first by name.
    let ran = sh(at, "rm -r out.d; $U check --stats --target latin1 --include=[ab]");
    assert!(String::from_utf8_lossy(&ran.stdout).ends_with(&in_a), "{ran:?}");
    let ran = sh(at, "$U --stats -t latin1 --errors=replace -s -i a b; cat a b");
    ran.expect(0, b"a\xE9?\r\nb\rc\nx?\n??? ", &in_a);
    // Files that cannot be read have no statistics.
    let ran = sh(at, "$U --stats missing; $U check --stats missing");
    let none = "characters: 0; in UTF-8: none\nscripts: none\nBOMs: none\n";
    assert!(ran.stderr.contains(none) && String::from_utf8_lossy(&ran.stdout).contains(none), "{ran:?}");
}

/// After an error that stops the conversion, statistics cover the text before the error, and the error.
#[test]
fn where_the_run_ended_at_a_fault() {
    for (from, to, read, rest, faults, lost) in [
        ("UTF-8", "latin1", "é日".as_bytes(), &b"abc"[..], "none", "1 character in 1 place"),
        ("UTF-8", "UTF-16", b"abc\xE2\x82", b"abc \xFF\xE6", "1 truncated", "none of the valid characters"),
        ("UTF-8", "latin1", b"ab\xF8\x88\x80\x80\x80", b"\xFF", "1 never-used byte", "none"),
        ("UTF-8", "latin1", b"ab\xE6\x97", b"", "1 truncated", "none of the valid characters"),
        ("UTF-8", "latin1", "ab\r\n日".as_bytes(), b"\n\xFF", "none", "1 character in 1 place"),
        ("UTF-16BE", "latin1", b"\0a\xD8\x3D\xDE\0", b"\0a\xDC\0", "none", "1 character in 1 place"),
        (
            "UTF-16",
            "UTF-8",
            b"\xFE\xFF\0a\xDC\0",
            b"\0a\xDC\0",
            "1 lone low surrogate",
            "none of the valid characters",
        ),
        (
            "UTF-16BE",
            "UTF-8",
            b"\0a\xD8\0",
            b"\0a\xDC\0",
            "1 lone high surrogate",
            "none of the valid characters",
        ),
        ("UTF-8", "latin1 --input-bom=forbid", b"\xEF\xBB\xBF", b"a\xFF", "none", "none"),
        ("UTF-8", "latin1 --input-bom=require", b"", b"\xEF\xBB", "none", "none"),
        ("UTF-7", "latin1", b"a-+AOll5W", b"csAOk-b", "none", "1 character in 1 place"),
        ("windows-1258", "latin1", b"ab\xD0", b"\xD0\xD2", "none", "1 character in 1 place"),
        ("windows-1258", "UTF-8", b"ba\x8A", b"\xD0\xD2", "1 unassigned", "none of the valid characters"),
        ("ISO-2022-JP", "latin1", b"ab\x1B$BF|", b"K\\\x1B(B", "none", "1 character in 1 place"),
        ("Shift_JIS", "UTF-8", b"ab\x81", b"\xFF", "1 truncated", "none of the valid characters"),
        ("GB18030", "UTF-8", b"ab\x81", b"0\xFF", "1 truncated", "none of the valid characters"),
    ] {
        let dir = dir_with(&[("text", &[read, rest].concat())]);
        let at = dir.path();
        let call = format!("$U --stats -f {from} -t {to}");
        let whole = sh(at, &format!("{call} text > out"));
        assert_eq!(whole.status, 1, "{whole:?}");
        let told = statistics(&whole.stderr);
        let expected = format!("files: 1 (1 not read to the end)\nbytes: {}\n", read.len());
        assert!(told.starts_with(&expected), "{from} {told}");
        assert!(told.contains(&format!("\nerrors: {faults}\n")), "{from} {told}");
        assert!(told.contains(&format!(": {lost}\n")), "{from} {told}");
        for size in [1, 2, 3, 4, 5, 7, 1000] {
            let ran = sh(at, &format!("{call} --buffer-size={size} text > out"));
            assert_eq!((ran.status, statistics(&ran.stderr)), (1, told.clone()), "{from} {size}");
        }
    }
    // `check` stops reading at its limit of errors.
    let dir = dir_with(&[("x", b"a\xFFb\xFFc\xFFd\n"), ("y", b"fine\n")]);
    let ran = sh(dir.path(), "$U check --stats --max-errors=1");
    let told = "files: 2 (1 not read to the end)\nbytes: 9\ncharacters: 7, without 2 invalid bytes; in UTF-8: 7 of 1 byte\n";
    assert!(String::from_utf8_lossy(&ran.stdout).contains(told), "{ran:?}");
    let ran = sh(dir.path(), "$U check --stats --max-errors=1 --count");
    assert!(String::from_utf8_lossy(&ran.stdout).contains("files: 2\nbytes: 13\n"), "{ran:?}");
}

#[test]
fn nothing_reaches_a_terminal_that_acts_on_it() {
    let hostile = "\u{9B}31m\u{202E}\u{301}\u{E000}\u{2028}##[error]";
    let dir = dir_with(&[("\u{1B}[31m\n::error::", hostile.as_bytes())]);
    for call in ["-t US-ASCII --errors=omit", "check --target ascii"] {
        let ran = sh(dir.path(), &format!("$U {call} --stats $'\\e[31m\\n::error::'"));
        let told = ran.stderr + &String::from_utf8(ran.stdout).expect("is UTF-8");
        let names = if cfg!(feature = "character-names") {
            [" CONTROL SEQUENCE INTRODUCER", " (private use)"]
        } else {
            ["", ""]
        };
        let first = "1 time, first at $'\\x1B[31m\\n::error::':1:1 (byte 0)";
        assert!(told.contains(&format!("\n  U+009B{}: {first}\n", names[0])), "{told}");
        assert!(told.contains(&format!("highest: U+E000{}, first at $'", names[1])), "{told}");
        let statistics = &told[told.find("files:").expect("is there")..];
        assert!(
            statistics.chars().all(|scalar| scalar == '\n' || utfconv_core::is_printable(scalar)),
            "{told}"
        );
    }
}

#[test]
fn as_json() {
    let dir =
        dir_with(&[("text", "aé日日\r\n\u{85}\u{9B}\n\u{FFFF}".as_bytes()), ("bad", b"\xEF\xBB\xBF\xFF")]);
    let ran = sh(dir.path(), "$U check --stats --target latin1 --format=json");
    let lines: Vec<_> = std::str::from_utf8(&ran.stdout).expect("is UTF-8").lines().collect();
    let expected = r#"{"type":"stats","files":2,"cut_short":0,"left_out":0,"misread":0,"bytes":23,"ill_formed_bytes":1,"characters":10,"#
        .to_string()
        + r#""by_length":{"1":4,"2":3,"3":3,"4":0},"#
        + r#""highest":{"code_point":"U+FFFF","character":"\uffff","count":1,"path":{"text":"text"},"line":3,"column":1,"offset":16},"#
        + r#""scripts":[{"script":"Common","count":5},{"script":"Han","count":2},{"script":"Latin","count":2},{"script":"Unknown","count":1}],"#
        + r#""boms":{"UTF-8":1},"newlines":{"LF":1,"CRLF":1,"CR":0,"NEL":1},"errors":{"never-used byte":1},"#
        + r#""lost":{"encoding":"ISO-8859-1","characters":["#
        + r#"{"code_point":"U+65E5","character":"日","count":2,"path":{"text":"text"},"line":1,"column":3,"offset":3},"#
        + r#"{"code_point":"U+FFFF","character":"\uffff","count":1,"path":{"text":"text"},"line":3,"column":1,"offset":16}]}}"#;
    assert_eq!((ran.status, lines.len(), lines[1]), (1, 3, expected.as_str()));
    assert!(lines[2].starts_with(r#"{"type":"summary""#));
    // The file is empty, and no target encoding is given.
    let ran = sh(dir.path(), ": > empty; $U check --stats --format=json empty | head -1");
    let none = r#"{"type":"stats","files":1,"cut_short":0,"left_out":0,"misread":0,"bytes":0,"ill_formed_bytes":0,"characters":0,"by_length":{"1":0,"2":0,"3":0,"4":0},"scripts":[],"boms":{},"newlines":{"LF":0,"CRLF":0,"CR":0},"errors":{}}"#;
    ran.expect(0, format!("{none}\n"), "");
}

#[test]
fn options_that_exclude_statistics() {
    let dir = dir_with(&[("x", b"x\n")]);
    for call in [
        "check --target latin1 -l x",
        "check --target latin1 --fix x",
        "check --stats -q x",
        "check --stats -l x",
        "check --stats --target latin77 x",
    ] {
        let ran = sh(dir.path(), &format!("$U {call}"));
        assert!((ran.status, &ran.stdout[..]) == (2, b"") && !ran.stderr.is_empty(), "{ran:?}");
    }
    // Without an excluding option, the output is the converted text, and the status is that of the conversion.
    let ran = sh(dir.path(), "$U --stats -s x");
    ran.expect_part(0, "x\n", "files: 1\nbytes: 2\n");
}

/// Without `--stats`, unmappable characters are errors, and only they are reported.
#[test]
fn what_does_not_fit() {
    let dir = dir_with(&[
        ("fits", "café\n".as_bytes()),
        ("euro", "5 € and 6 €, „so“\n".as_bytes()),
        ("bad", b"\xFF \xE2\x82\xAC\n"),
        ("old", b"\x80\n"),
    ]);
    let list = "cannot be encoded in ISO-8859-1: 3 different characters in 4 places\n  U+20AC \"€\": 2 times, first at euro:1:3 (byte 2)\n  \
        U+201C \"“\": 1 time, first at euro:1:17 (byte 22)\n  U+201E \"„\": 1 time, first at euro:1:14 (byte 17)\n";
    for (call, status, stdout, stderr) in [
        ("--target latin1 fits", 0, "", ""),
        ("--target latin1 euro", 1, list, ""),
        ("--target latin1 fits euro", 1, list, ""),
        ("--target latin1 -q euro", 1, "", ""),
        ("--target latin1 --exit-zero euro", 0, list, ""),
        ("--target windows-1252 euro", 0, "", ""),
        (
            "-f windows-1252 --target latin1 old",
            1,
            "cannot be encoded in ISO-8859-1: 1 character in 1 place\n  U+20AC \"€\": 1 time, first at old:1:1 (byte 0)\n",
            "",
        ),
        (
            "--target latin1 bad",
            1,
            "bad:1:1: error: invalid UTF-8 (never-used byte) at byte 0: FF never appears in UTF-8\n\
             cannot be encoded in ISO-8859-1: 1 character in 1 place\n  U+20AC \"€\": 1 time, first at bad:1:3 (byte 2)\n",
            "utfconv: 1 error in 1 of 1 file\n",
        ),
    ] {
        let ran = sh(dir.path(), &format!("$U check {call}"));
        assert_eq!(
            (ran.status, &*String::from_utf8_lossy(&ran.stdout), &*ran.stderr),
            (status, stdout, stderr),
            "{call}"
        );
    }
    // Statistics are no errors.
    let ran = sh(dir.path(), "$U check --stats --target latin1 euro");
    assert!(ran.status == 0 && String::from_utf8_lossy(&ran.stdout).ends_with(list), "{ran:?}");
}

/// Statistics of a tree give the number of files that are left out.
#[test]
fn what_is_left_out_is_counted() {
    let wide: Vec<u8> = "plain text\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let dir =
        dir_with(&[("text", b"abc\n"), ("wide", &[b"\xFF\xFE", &wide[..]].concat()), ("binary", b"a\0b")]);
    let ran = sh(dir.path(), "$U check --no-config --stats .");
    let said = String::from_utf8_lossy(&ran.stdout);
    let expected = "files: 1; 2 skipped, binary or in another encoding\nbytes: 4\n";
    assert!(ran.status == 1 && said.contains(expected), "{ran:?}");
    // A file that is read as UTF-8, but is in another encoding, has some valid characters.
    std::fs::write(dir.path().join("old"), b"Gr\xFC\xDFe aus K\xF6ln, sch\xF6ne Gr\xFC\xDFe\n")
        .expect("writes");
    let counted = "files: 1; 1 in another encoding: only what is valid is counted\nbytes: 29\n\
                   characters: 23, without 6 invalid bytes; in UTF-8: 23 of 1 byte\n";
    let ran = sh(dir.path(), "$U check --no-config --stats old");
    assert!(ran.status == 1 && String::from_utf8_lossy(&ran.stdout).contains(counted), "{ran:?}");
    let ran = sh(dir.path(), "$U check --no-config --stats -f windows-1252 old");
    let counted = "files: 1\nbytes: 29\ncharacters: 29; in UTF-8: 23 of 1 byte, 6 of 2 bytes\n";
    assert!(ran.status == 0 && String::from_utf8_lossy(&ran.stdout).contains(counted), "{ran:?}");
}
