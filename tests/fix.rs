//! Tests of `check --fix`: the repairs of each rule, the errors that are left, that nothing else changes, and that each
//! file has its old or its new content.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;

use crate::harness::{command, dir_in_memory, dir_with, has, is_root, sh, sh_midway};
use crate::random::generator;

/// Repairs one file and returns its new content. Asserts that a second run has nothing to repair.
#[track_caller]
fn fixed(name: &str, content: &[u8], options: &str) -> Vec<u8> {
    let dir = dir_with(&[(name, content)]);
    let at = dir.path();
    let first = sh(at, &format!("$U check --fix {options} {name}"));
    assert!(first.status < 2, "{content:02X?} {options}: {}", first.stderr);
    let new = fs::read(at.join(name)).expect("is there");
    // The errors that `--fix` leaves are those that a check finds.
    let check = sh(at, &format!("$U check {options} {name}"));
    assert_eq!((check.status, &check.stdout), (first.status, &first.stdout), "{content:02X?} {options}");
    let inode = "stat -c '%i %y' *";
    sh(at, &format!("{inode} > /tmp/$$; $U check --fix {options} {name} > /dev/null; {inode} | cmp - /tmp/$$; rm /tmp/$$"))
        .expect_part(0, "", if first.status == 0 { "" } else { "0 files fixed" });
    new
}

#[test]
fn each_rule_has_its_repair() {
    for (content, options, expected) in [
        // Rules about BOMs remove or add BOMs.
        ("\u{FEFF}a\n", "--rule bom=forbid", "a\n"),
        ("\u{FEFF}\u{FEFF}a\n", "--rule bom=forbid", "a\n"),
        ("a\n", "--rule bom=require", "\u{FEFF}a\n"),
        ("", "--rule bom=require", "\u{FEFF}"),
        ("\u{FEFF}\u{FEFF}a\n\u{FEFF}\u{FEFF}b\u{FEFF}\n", "--rule inner-bom", "\u{FEFF}a\nb\u{FEFF}\n"),
        ("a\r\u{FEFF}\nb", "--rule inner-bom", "a\r\u{FEFF}\nb"),
        ("a\r\u{FEFF}\nb", "--rule inner-bom,mixed-newlines=lf", "a\n\nb"),
        // Rules about newlines convert or add newlines.
        ("a\nb\r\nc\n", "--rule mixed-newlines", "a\nb\nc\n"),
        ("a\nb\r\nc\r\n", "--rule mixed-newlines", "a\r\nb\r\nc\r\n"),
        ("a\rb\rc\r\n", "--rule mixed-newlines", "a\rb\rc\r"),
        ("a\nb\r\n", "--rule mixed-newlines", "a\nb\r\n"),
        ("a\nb\r\nc\r", "--rule mixed-newlines", "a\nb\r\nc\r"),
        ("a\nb\r\nc\r", "--rule mixed-newlines=crlf", "a\r\nb\r\nc\r\n"),
        ("a\nb\r\nc", "--rule mixed-newlines,final-newline", "a\nb\nc\n"),
        ("a\r\nb\nc", "--rule mixed-newlines,final-newline", "a\r\nb\r\nc\r\n"),
        ("a\r\nb\n\n", "--rule mixed-newlines,final-newline=forbid", "a\r\nb"),
        ("a", "--rule final-newline", "a\n"),
        ("a\r\nb", "--rule final-newline", "a\r\nb\r\n"),
        ("a\rb\rc", "--rule final-newline", "a\rb\rc\r"),
        ("a\nb\r", "--rule final-newline", "a\nb\r"),
        ("a", "--rule final-newline,mixed-newlines=cr", "a\r"),
        ("", "--rule final-newline", ""),
        ("\u{FEFF}", "--rule final-newline,bom=forbid", ""),
        ("a\r\n\n\r\n", "--rule final-newline=forbid", "a"),
        ("\n\n", "--rule final-newline=forbid", ""),
        // Rule `not-nfc` composes characters.
        ("e\u{301} \u{F900} \u{2126}\n", "--rule not-nfc", "\u{e9} \u{F900} \u{3A9}\n"),
        // Rule `double-encoded` repairs text encoded twice or three times, and the errors hidden by double encoding.
        (
            "d\u{c3}\u{a9}j\u{c3}\u{a0} vu, caf\u{c3}\u{a9}\n",
            "--rule double-encoded",
            "d\u{e9}j\u{e0} vu, caf\u{e9}\n",
        ),
        (
            "un th\u{c3}\u{192}\u{c2}\u{a9}, un caf\u{c3}\u{192}\u{c2}\u{a9}\n",
            "--rule double-encoded",
            "un th\u{e9}, un caf\u{e9}\n",
        ),
        (
            "\u{ef}\u{bb}\u{bf}d\u{c3}\u{a9}j\u{c3}\u{a0} vu, cafe\u{cc}\u{81}\n",
            "--rule double-encoded,not-nfc,bom=forbid",
            "d\u{e9}j\u{e0} vu, caf\u{e9}\n",
        ),
        (
            "MARQU\u{c9}\u{2026} \u{ab} d\u{e9}j\u{e0} \u{bb}\n",
            "--rule double-encoded",
            "MARQU\u{c9}\u{2026} \u{ab} d\u{e9}j\u{e0} \u{bb}\n",
        ),
        // Other characters stay, even if they are errors.
        ("a\0b\u{FFFD}\u{85}\u{202E}\u{FFFE}\n", "--rule all", "a\0b\u{FFFD}\u{85}\u{202E}\u{FFFE}\n"),
        ("\u{FEFF}a\r\nb\ne\u{301}", "", "\u{FEFF}a\r\nb\ne\u{301}"),
        // All rules can be combined.
        ("\u{FEFF}\u{FEFF}e\u{301}\r\n\u{FEFF}\u{301}\nb\n", "--rule all", "\u{e9}\n\u{301}\nb\n"),
    ] {
        let new = fixed("f", content.as_bytes(), options);
        assert_eq!(String::from_utf8_lossy(&new), expected, "{content:?} {options}");
    }
}

/// The repairs equal those of pre-commit's hooks trailing-whitespace and end-of-file-fixer, in every kind of encoding.
#[test]
fn blanks_are_removed_at_ends() {
    let ends = "--rule blank-lines-at-end,final-newline";
    let all = "--rule trailing-whitespace,blank-lines-at-end,final-newline";
    for (content, options, expected) in [
        ("a \t\n\tb\t\r\n \r c", "--rule trailing-whitespace", "a\n\tb\r\n\r c"),
        ("a ", "--rule trailing-whitespace", "a"),
        ("a\r \nb \n", "--rule trailing-whitespace", "a\r \nb\n"),
        ("a\u{A0}\n\u{3000}\n\u{C}\n", "--rule trailing-whitespace", "a\u{A0}\n\u{3000}\n\u{C}\n"),
        ("a\n\n\n", "--rule blank-lines-at-end", "a\n"),
        ("a\r\n\r\n", "--rule blank-lines-at-end", "a\r\n"),
        ("a\r\r", "--rule blank-lines-at-end", "a\r"),
        ("a \n\n \t", "--rule blank-lines-at-end", "a \n"),
        ("\n\na", "--rule blank-lines-at-end", "\n\na"),
        ("\n \n", "--rule blank-lines-at-end", ""),
        ("a\n\n", "--rule blank-lines-at-end,final-newline=forbid", "a"),
        ("a\n ", ends, "a\n"),
        ("a ", ends, "a \n"),
        ("\n", ends, ""),
        ("a \r\n\r\n b \n\t\n", all, "a\r\n\r\n b\n"),
        ("a\t", all, "a\n"),
    ] {
        let new = fixed("f", content.as_bytes(), options);
        assert_eq!(String::from_utf8_lossy(&new), expected, "{content:?} {options}");
        for to in ["UTF-16LE", "UTF-32BE", "IBM1047", "windows-1252", "GB18030", "Shift_JIS"] {
            let encoding = utfconv_core::Encoding::for_name(to).expect("is there");
            let encoded = |text: &str| {
                let options = utfconv_core::Options::default();
                utfconv_core::convert(text.as_bytes(), &utfconv_core::UTF_8, encoding, &options)
                    .map(|done| done.output)
            };
            let (Ok(content), Ok(expected)) = (encoded(content), encoded(expected)) else { continue };
            let new = fixed("f", &content, &format!("-f {to} {options}"));
            assert_eq!(new, expected, "{content:02X?} {options} {to}");
        }
    }
    // A long line is repaired in pieces. Whitespace at the end of a piece is not at the end of the line.
    let long = [&b"x "[..], &b" ".repeat(70_000), b"y ", &b" ".repeat(200_000), b"\nz \n\n"].concat();
    let expected = [&b"x "[..], &b" ".repeat(70_000), b"y\nz\n"].concat();
    assert!(fixed("f", &long, all) == expected);
}

/// Whitespace between CR and LF stays and is reported, because without it the two newlines would become one newline.
#[test]
fn blanks_between_two_newlines_are_left() {
    let dir = dir_with(&[("f", b"a\r \nb \n")]);
    sh(dir.path(), "$U check --rule trailing-whitespace --fix f; s=$?; od -An -c f; exit $s").expect(
        1,
        "f:1:3: error: trailing whitespace at byte 2: 20: the line ends with it [trailing-whitespace]\n   \
         a  \\r      \\n   b  \\n\n",
        "1 file fixed; 1 error in 1 of 1 file",
    );
}

/// The position is that of the first whitespace character, or of the first blank line.
#[test]
fn blanks_at_ends_are_reported() {
    let dir = dir_with(&[("a", b"x  \ny\t"), ("b", b"x\n\n \n"), ("c.md", b"x  \n"), ("d", b"x y\n\nz\n")]);
    let at = dir.path();
    sh(at, "$U check --rule trailing-whitespace,blank-lines-at-end a b d").expect(
        1,
        "a:1:2: error: trailing whitespace at byte 1: 20 20: the line ends with it [trailing-whitespace]\n\
         a:2:2: error: trailing whitespace at byte 5: 09: the line ends with it [trailing-whitespace]\n\
         b:2:1: error: blank lines at the end at byte 2: 0A 20 0A: the file ends with 2 blank lines [blank-lines-at-end]\n\
         b:3:1: error: trailing whitespace at byte 3: 20: the line ends with it [trailing-whitespace]\n",
        "4 errors in 2 of 3 files",
    );
    // The rules are disabled by default, and files can be excepted.
    sh(at, "$U check -q").expect(0, "", "");
    let toml = "[check]\nrules = [\"trailing-whitespace\"]\n[[check.paths]]\nglobs = [\"*.md\"]\nallow = [\"trailing-whitespace\"]\n";
    std::fs::write(at.join("utfconv.toml"), toml).expect("writes");
    sh(at, "$U check -l c.md d; $U check --no-config -l --rule trailing-whitespace c.md")
        .expect(1, "c.md\n", "");
}

/// In a file of unknown encoding, newlines and spaces are repaired if no other character has their bytes; nothing else
/// is repaired.
#[test]
fn newlines_of_unknown_encodings_are_fixed() {
    let russian = "\u{FEFF}Съешь же ещё этих мягких французских булок, да выпей чаю \r\nи ещё\n\n";
    let options = utfconv_core::Options::default().input_bom(utfconv_core::InputBom::Strip);
    let of = |name: &str, text: &str| {
        let encoding = utfconv_core::Encoding::for_name(name).expect("is there");
        utfconv_core::convert(text.as_bytes(), &utfconv_core::UTF_8, encoding, &options)
            .expect("converts")
            .output
    };
    let rules = "--rule bom=forbid,mixed-newlines=lf,final-newline,trailing-whitespace,blank-lines-at-end";
    for (text, expected) in [
        (russian, "Съешь же ещё этих мягких французских булок, да выпей чаю\nи ещё\n"),
        (
            "Съешь же ещё этих мягких французских булок, да выпей чаю\rи ещё",
            "Съешь же ещё этих мягких французских булок, да выпей чаю\nи ещё\n",
        ),
    ] {
        let dir = dir_with(&[("f", &of("windows-1251", text))]);
        let ran = sh(dir.path(), &format!("$U check --fix {rules} f > log"));
        assert_eq!(std::fs::read(dir.path().join("f")).expect("reads"), of("windows-1251", expected));
        let note = "utfconv: warning: f: its encoding is not declared, so only newlines and blanks are fixed, as bytes of ASCII\n";
        assert!(ran.status == 1 && ran.stderr.contains(note), "{ran:?}");
    }
    // In these encodings, newlines have other bytes than in ASCII, so they stay.
    for name in ["UTF-16LE", "IBM1047"] {
        let dir = dir_with(&[("f", &of(name, &"one \r\ntwo \r\n".repeat(20)))]);
        let ran =
            sh(dir.path(), &format!("cp f g; $U check --fix {rules} f > log; s=$?; cmp f g && exit $s"));
        assert!(ran.status == 1 && !ran.stderr.contains("fixed, as bytes"), "{name} {ran:?}");
    }
}

/// A line longer than a buffer is repaired in segments, which may end after any character.
#[test]
fn long_lines_are_repaired() {
    for end in ["é", "文", "😀", "e\u{301}", "é\r"] {
        for len in [65_530, 65_536, 140_000] {
            let text = "x".repeat(len) + end;
            let fixed = fixed("a", text.as_bytes(), "--rule bom=require");
            assert!(fixed.strip_prefix(b"\xEF\xBB\xBF") == Some(text.as_bytes()), "{end:?} {len}");
        }
    }
}

/// No option forces `--fix` to replace a hard link, so the message has no advice.
#[test]
fn other_hard_links_are_refused_without_advice() {
    let dir = dir_with(&[("a", b"a\n")]);
    let ran = sh(dir.path(), "ln a b; $U check --fix --rule bom=require a");
    assert!(
        ran.status == 2 && ran.stderr.contains("a: not fixed: has another hard link\n"),
        "{}",
        ran.stderr
    );
}

/// The missing BOM is one of the errors, so after the repair one more error is listed.
#[test]
fn files_with_more_errors_than_are_listed_are_repaired() {
    let dir = dir_with(&[("a", b"a\xFFb\xFFc\xFF\n")]);
    let ran = sh(dir.path(), "$U check --fix --max-errors=2 --rule bom=require a");
    assert!(ran.status == 1 && ran.stderr.contains("1 file fixed"), "{}", ran.stderr);
    assert_eq!(fs::read(dir.path().join("a")).expect("is there"), b"\xEF\xBB\xBFa\xFFb\xFFc\xFF\n");
}

#[test]
fn declarations_are_updated() {
    let python = "# coding: latin-1\nx = '\u{e9}'\n";
    let new = python.replace("latin-1", "utf-8");
    assert_eq!(fixed("f.py", python.as_bytes(), "--rule declaration"), new.as_bytes());
    assert_eq!(fixed("f.py", python.as_bytes(), ""), python.as_bytes());
    let xml = "<?xml version='1.0' encoding='ISO-8859-1'?>\r\n<a>\u{e9}</a>";
    assert_eq!(
        fixed("f.xml", xml.as_bytes(), "--rule declaration,mixed-newlines=lf,final-newline"),
        b"<?xml version='1.0' encoding='UTF-8'?>\n<a>\xC3\xA9</a>\n"
    );
}

/// Ill-formed bytes stay, and only BOMs and newlines around them are repaired.
#[test]
fn ill_formed_bytes_stay() {
    for (content, options, expected) in [
        (
            &b"\xEF\xBB\xBFa\xFFe\xCC\x81\r\nb"[..],
            "--rule all,mixed-newlines=lf",
            &b"a\xFFe\xCC\x81\nb\n"[..],
        ),
        (b"a\nb\xC3", "--rule final-newline", b"a\nb\xC3"),
        (b"a\r\xFF\nb\n", "--rule mixed-newlines", b"a\n\xFF\nb\n"),
        (
            b"# coding: latin-1\nx = '\xE9\xFF'\n",
            "--rule declaration",
            b"# coding: latin-1\nx = '\xE9\xFF'\n",
        ),
    ] {
        assert_eq!(fixed("f.py", content, options), expected, "{content:02X?}");
    }
}

/// Bytes in other encodings stay if nothing in them is repaired, even if a conversion would write another code for the
/// same character.
#[test]
fn other_encodings() {
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    let big = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<_>>();
    let text = "\u{FEFF}a\r\n\u{FEFF}e\u{301}\n\u{FEFF}\u{2126}\n\u{1F600}";
    let new = "a\n\u{e9}\n\u{3A9}\n\u{1F600}\n";
    for (content, options, expected) in [
        (wide(text), "-f UTF-16LE --rule all,bom=forbid", wide(new)),
        (wide(text), "-f UTF-16 --rule all,bom=forbid", wide(new)),
        (wide("a\r\nb\n"), "-f UTF-16LE --rule all,bom=require,mixed-newlines=lf", wide("\u{FEFF}a\nb\n")),
        // A BOM is required to identify big-endian UTF-16.
        (big(text), "-f UTF-16 --rule all,bom=forbid", big(&format!("\u{FEFF}{new}"))),
        (wide("a\r\nb"), "-f UTF-16LE --rule mixed-newlines=cr,final-newline", wide("a\rb\r")),
        (b"caf\xE9\r\nb\n\nc\xFF".to_vec(), "-f latin1 --rule all", b"caf\xE9\nb\n\nc\xFF\n".to_vec()),
        (
            b"a\x15b\x0D\x15c".to_vec(),
            "-f IBM037 --ebcdic-newline=lf --rule all",
            b"a\x15b\x15c\x15".to_vec(),
        ),
        // The NFC form of U+212B, U+00C5, is not in Shift_JIS. 81 5C is one of two codes for U+2015.
        (
            b"\x81\xF0\x81\x5C\r\na\n".to_vec(),
            "-f Shift_JIS --rule mixed-newlines=lf,not-nfc",
            b"\x81\xF0\x81\x5C\na\n".to_vec(),
        ),
        // U+FFE2 has three codes in Windows-31J, and all three stay.
        (
            b"\x81\xCA\xEE\xF9\xFA\x54\r\n\x81\xCA\r\n\n".to_vec(),
            "-f CP932 --rule mixed-newlines",
            b"\x81\xCA\xEE\xF9\xFA\x54\r\n\x81\xCA\r\n\r\n".to_vec(),
        ),
        // In a stateful encoding, the meaning of bytes depends on earlier bytes.
        (
            b"\x1B$B$\"\x1B(B\r\na\n".to_vec(),
            "-f ISO-2022-JP --rule mixed-newlines=lf",
            b"\x1B$B$\"\x1B(B\r\na\n".to_vec(),
        ),
    ] {
        let got = fixed("f", &content, options);
        assert!(got == expected, "{options}: {content:02X?}\n{got:02X?}\n{expected:02X?}");
    }
}

/// A file is converted to the configured encoding if its own encoding is detected with certainty.
#[test]
fn configured_encodings() {
    let french = b"<?xml version='1.0' encoding='windows-1252'?>\n<p>caf\xE9, d\xE9j\xE0 vu, gar\xE7on, o\xF9 \x97 l\x92\xEAtre</p>\n";
    let dir = dir_with(&[
        (".editorconfig", b"root = true\n[*.{txt,xml}]\ncharset = utf-8\n[*.le]\ncharset = utf-16le\n"),
        ("a.txt", b"\xFF\xFEh\0\xE9\0\r\0\n\0"),
        ("a.none", b"\xFF\xFEh\0\xE9\0\r\0\n\0"),
        ("latin.txt", b"un gar\xE7on o\xF9 l'\xE9t\xE9 est d\xE9j\xE0 pass\xE9, \xE0 c\xF4t\xE9 du th\xE9\xE2tre de la for\xEAt\n"),
        ("declared.xml", french),
        ("binary.txt", b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR"),
    ]);
    let at = dir.path();
    sh(at, "$U check --fix . > /dev/null").expect(
        1,
        "",
        "2 files fixed; 14 errors in 2 of 4 files; 1 binary file skipped; \
        --min-certainty=likely converts files that look like another encoding",
    );
    sh(at, "cat a.txt").expect(0, "h\u{e9}\r\n", "");
    sh(at, "cat declared.xml | head -1").expect(0, "<?xml version='1.0' encoding='UTF-8'?>\n", "");
    sh(at, "$U check . 2> /dev/null | cut -d: -f1 | sort -u").expect(0, "a.none\nlatin.txt\n", "");
    sh(at, "$U check --fix -f UTF-8 a.none latin.txt > /dev/null").expect(
        1,
        "",
        "0 files fixed; 14 errors in 2 of 2 files",
    );
    sh(at, "$U check --fix -v --min-certainty=likely . > /dev/null").expect_part(
        1,
        "",
        "latin.txt: fixed
utfconv: 1 file fixed",
    );
    let script =
        "head -c 8 latin.txt; wc -c < a.none; $U check binary.txt > /dev/null 2>&1; wc -c < binary.txt";
    sh(at, script).expect(0, "un gar\u{e7}10\n16\n", "");
}

/// Files with every kind of error in several encodings are repaired by several sets of rules. A second run changes
/// nothing, and the patch gives the same result.
#[test]
fn random_files_are_repaired_once() {
    let mut random = generator();
    let dir = dir_in_memory();
    let at = dir.path();
    let tree = at.join("t");
    fs::create_dir(&tree).expect("is made");
    let config =
        "root = true\n[*.le]\ncharset = utf-16le\n[*.l1]\ncharset = latin1\n[*.lf]\nend_of_line = lf\n";
    fs::write(tree.join(".editorconfig"), config).expect("writes");
    let words = [
        "\u{FEFF}",
        "\u{FEFF}",
        "\n",
        "\n",
        "\r\n",
        "\r\n",
        "\r",
        "e\u{301}",
        "\u{e9}",
        "\u{F900}",
        "text",
        "# coding: latin-1\n",
        "\u{c3}\u{a9}",
        "\u{2126}",
        "\u{301}",
        "d\u{c3}\u{a9}j\u{c3}\u{a0} vu",
    ];
    let count = if std::env::var_os("UTFCONV_EXHAUSTIVE").is_some() { 400 } else { 200 };
    for number in 0..count {
        let count = random([3, 8, 30, 400][number % 4]);
        let text: String = (0..count).map(|_| words[random(16) as usize]).collect();
        let (ending, mut content) = match number % 8 {
            0 => ("le", text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
            1 => ("l1", text.chars().filter_map(|scalar| u8::try_from(u32::from(scalar)).ok()).collect()),
            2 => ("lf", text.into_bytes()),
            _ => ("py", text.into_bytes()),
        };
        if number % 8 == 7 {
            content.insert(random(content.len() as u64 + 1) as usize, 0xFF);
        }
        fs::write(tree.join(format!("f{number}.{ending}")), content).expect("writes");
    }
    sh(at, "cd t; chmod +x f1*; chmod 644 .editorconfig").expect(0, "", "");
    for rules in [
        "--rule all",
        "--rule all,bom=require",
        "--rule all,final-newline=forbid,bom=forbid",
        "--rule mixed-newlines,final-newline",
        "--rule inner-bom",
        "--rule inner-bom,not-nfc,mixed-newlines=cr",
        "--rule double-encoded,not-nfc",
        "--rule final-newline=forbid,mixed-newlines",
    ] {
        assert_fixed_once(at, rules);
    }
}

/// Repairs a copy of the directory `t`. Asserts that the reported errors are those that a check then finds, that a
/// second run changes nothing, and that the patch gives the same result.
#[track_caller]
fn assert_fixed_once(at: &Path, rules: &str) {
    let options = format!("{rules} --max-errors=0 --max-total=0");
    let has_git = has("git");
    let script = format!(
        "set -e; export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null; rm -rf u v; cp -a t u; cp -a t v
        (cd t; $U check --fix --diff {options} . > ../patch 2> ../messages) || [ $? = 1 ]
        diff -r --no-dereference t v
        cd u; $U check --fix --format=json {options} . > ../left 2> ../fixed || [ $? = 1 ]
        grep -Eq '^utfconv: [1-9][0-9]* files? fixed' ../fixed
        sed 's/ fixed; \\(.*\\)/ would be fixed; then \\1; use --fix without --diff to fix/' ../fixed | cmp - ../messages
        $U check --format=json {options} . 2> /dev/null > ../found || [ $? = 1 ]
        count=$(sed -n 's/^utfconv: \\([0-9]*\\) files\\{{0,1\\}} fixed.*/\\1/p' ../fixed)
        grep -q \"\\\"fixed\\\":$count,\" ../left; sed -i 's/\"fixed\":[0-9]*,//' ../left
        test $(grep -c 'type.:.fixed' ../left) = $count; sed -i '/type.:.fixed/d' ../left
        cmp ../left ../found
        find . -type f -exec stat -c '%n %i %y' {{}} + | sort > ../once
        $U check --fix {options} . > /dev/null 2>&1 || [ $? = 1 ]
        find . -type f -exec stat -c '%n %i %y' {{}} + | sort | cmp - ../once
        cd ..
        if {has_git}; then
            (cd v; git apply --whitespace=nowarn ../patch); diff -r --no-dereference u v
            modes() {{ (cd $1; find . -type f -printf '%m %p\\n' | sort); }}
            [ \"$(modes u)\" = \"$(modes v)\" ]
        fi"
    );
    let ran = sh(at, &script);
    assert!(ran.status == 0 && ran.stdout.is_empty() && ran.stderr.is_empty(), "{rules}: {ran:?}");
}

/// The damaged tree of the `check` corpus tests is repaired by one run.
#[test]
fn the_corpus_is_repaired_once() {
    if !has("python3") {
        return;
    }
    let dir = dir_in_memory();
    let at = dir.path();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/tree.py");
    let tree = at.join("t");
    let ran = command("python3")
        .arg("-B")
        .arg(script)
        .args(["--sources=", "--files=300", "--megabytes=4"])
        .arg(&tree)
        .output();
    assert!(ran.expect("runs").status.success());
    // git applies no patch to names that lead out of the directory, or to links.
    for rules in ["--rule all --hidden", "--rule all,mixed-newlines=crlf,bom=require,final-newline=forbid"] {
        assert_fixed_once(at, rules);
    }
}

#[test]
fn what_cannot_be_repaired_is_refused() {
    let dir = dir_with(&[("a", b"a"), ("b", b"b"), ("bin", b"\0\x01\x02")]);
    let at = dir.path();
    for (options, why) in [
        ("--fix -", "--fix cannot repair standard input"),
        ("--fix --stdin-filename=x", "--fix cannot repair standard input"),
        ("--fix --range=1:2 a", "cannot be used with"),
        ("--fix --stats a", "cannot be used with"),
        ("--diff --stats a", "cannot be used with"),
        ("--diff --quiet a", "cannot be used with"),
        ("--min-certainty=likely a", "--min-certainty requires --fix"),
        ("--fix --diff --format=json a", "cannot be used with"),
    ] {
        sh(at, &format!("$U check {options}")).expect_part(2, "", why);
    }
    sh(at, "ln a link; $U check --fix --rule final-newline a b > left").expect(
        2,
        "",
        "utfconv: a: not fixed: has another hard link\n\
        utfconv: 1 file fixed; 1 error in 1 of 2 files\n",
    );
    sh(at, "cat left b").expect(
        0,
        "a:1:2: error: no final newline at byte 1: the last line must end with a newline [final-newline]\nb\n",
        "",
    );
    // A symbolic link that is given by name is followed.
    sh(at, "rm link; ln -s a link; $U check --fix --rule final-newline link; cat a; [ -L link ]").expect(
        0,
        "a\n",
        "1 file fixed; no error in 1 file",
    );
    sh(at, "$U check --fix --rule all bin > /dev/null 2>&1; wc -c < bin").expect(0, "3\n", "");
    if !is_root() {
        sh(at, "printf c > c; chmod a-w c; $U check --fix --rule final-newline c > left").expect_part(
            2,
            "",
            "c: not fixed: Permission denied",
        );
    }
}

#[test]
fn quiet_names_and_threads() {
    let dir = dir_with(&[("a", b"a"), ("b", b"b\xFF"), ("c", b"c")]);
    let at = dir.path();
    sh(at, "$U check --fix -q --rule final-newline a; cat a").expect(0, "a\n", "");
    sh(at, "$U check --fix -l -j3 --rule final-newline . ; cat c").expect(0, "b\nc\n", "");
    sh(at, "printf a > a; $U check --fix --exit-zero --rule final-newline . | wc -l; exit ${PIPESTATUS[0]}")
        .expect(
            0,
            "2\n",
            "1 file fixed; 2 errors in 1 of 3 files; \
            'utfconv detect' shows in which encoding files with invalid UTF-8 may be",
        );
    sh(at, "printf a > a; chmod 750 a; $U check --fix --rule final-newline a 2> /dev/null; stat -c %a a")
        .expect(0, "750\n", "");
}

/// A file that another process changes after the repair has read it keeps that change.
#[test]
fn files_that_change_meanwhile_are_skipped() {
    if !has("strace") {
        return;
    }
    let dir = dir_with(&[("f", b"a")]);
    let script =
        "slow fsync $U check --fix --rule final-newline f > /dev/null & begun fsync; printf b > f; wait $!";
    sh_midway(dir.path(), script).expect_part(2, "", "f: not fixed: another process changed it");
    assert_eq!(fs::read(dir.path().join("f")).expect("is there"), b"b");
}

#[test]
fn each_file_is_fixed_once() {
    let dir = dir_with(&[("a", b"a"), (".b.0123456789abcdef.utfconv-tmp", b"b")]);
    let ran = sh(dir.path(), "ln -s a l; $U check --fix --hidden --rule final-newline . l; cat a .b*");
    assert!(ran.stdout.ends_with(b"a\nb"), "{ran:?}");
    assert!(ran.stderr.contains("l: not fixed: is the same file as a; each file is fixed once\n"), "{ran:?}");
}

/// `--dry-run` names the files that `--fix` would repair, and the errors that would be left.
#[test]
fn a_dry_run_repairs_nothing() {
    let dir = dir_with(&[("a", b"x\r\ny\n"), ("b", b"x\n\xFF\n"), ("c", b"x\n")]);
    let at = dir.path();
    sh(at, "$U check --rule mixed-newlines=lf --fix --dry-run; s=$?; cat a; exit $s").expect(
        1,
        b"a: would be fixed\n\
          b:2:1: error: invalid UTF-8 (never-used byte) at byte 2: FF never appears in UTF-8\nx\r\ny\n",
        "utfconv: 1 file would be fixed; then 1 error in 1 of 3 files; 'utfconv detect' shows in which encoding files with \
         invalid UTF-8 may be; use --fix without --dry-run to fix\n",
    );
    sh(at, "rm b; $U check --rule mixed-newlines=lf --fix --dry-run -v").expect_part(
        1,
        "a: would be fixed\n",
        "1 file would be fixed; ",
    );
    sh(at, "$U check --rule mixed-newlines=lf --fix; $U check --rule mixed-newlines=lf --fix --dry-run")
        .expect(0, "", "utfconv: 1 file fixed; no error in 2 files\n");
    sh(at, "$U check --dry-run").expect(2, "", "--dry-run requires --fix; without it, check writes nothing");
}
