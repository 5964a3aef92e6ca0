//! Tests that conversions obey `.editorconfig` and `.gitattributes`: they give the encoding of inputs, and no batch
//! writes a file that violates them.

use crate::harness::{command, dir_with, has, sh};

const CAFE: &[u8] = b"caf\xE9\n";

#[test]
fn a_batch_makes_no_file_break_its_configuration() {
    let dir = dir_with(&[
        (".gitattributes", b"*.txt working-tree-encoding=UTF-16LE-BOM\n"),
        (
            ".editorconfig",
            b"root = true\n[*.l]\ncharset = latin1\n[*.u]\ncharset = utf-8\n[*.c]\nend_of_line = crlf\n",
        ),
        ("w.txt", b"\xFF\xFEH\0i\0\n\0"),
        ("a.l", CAFE),
        ("a.u", CAFE),
        ("b.u", b"plain\n"),
        ("a.c", b"x\r\n"),
    ]);
    let at = dir.path();
    let sums = || sh(at, "sha256sum *").stdout;
    let before = sums();
    for (command, why) in [
        (
            "-i -f auto w.txt",
            "w.txt: not converted: must be UTF-16LE, not UTF-8, as configured; use --no-config to convert it",
        ),
        ("-i -f utf-16 w.txt", "w.txt: not converted: must be UTF-16LE, not UTF-8"),
        (
            "-i -f utf-16 -t utf-16be --output-bom=always w.txt",
            "w.txt: not converted: must be UTF-16LE, not UTF-16BE",
        ),
        ("-i -f utf-16 -t utf-16le w.txt", "w.txt: not converted: must be UTF-16LE with a BOM"),
        ("-i -f latin1 a.l", "a.l: not converted: must be ISO-8859-1, not UTF-8"),
        ("-i -f latin1 -t utf-8-sig a.u", "a.u: not converted: must be UTF-8 without a BOM"),
        ("-i --newline=lf a.c", "a.c: not converted: must have CRLF as newline, not LF"),
    ] {
        for dry_run in ["", "--dry-run"] {
            sh(at, &format!("$U {dry_run} {command}")).expect(2, "", &full(why));
        }
        assert_eq!(sums(), before, "{command}");
    }
    sh(at, "echo w.txt | $U -i -f utf-16 --files-from=-").expect(
        2,
        "",
        "w.txt: not converted: must be UTF-16LE, not UTF-8, as configured; use --no-config to convert it",
    );
    // A file found in a directory is skipped, not refused.
    let found = "-i -r -f utf-16 --include='*.txt' .";
    let why = full("w.txt: skipped: must be UTF-16LE, not UTF-8");
    sh(at, &format!("$U {found}")).expect(0, "", &format!("utfconv: {why}\n"));
    sh(at, &format!("$U --dry-run {found}")).expect(0, format!("{why}\n"), "");
    assert_eq!(sums(), before);
    // Conversions to the configured encoding are done, and so are conversions that do not change the file.
    sh(at, "$U -i -f latin1 a.u; cat a.u; $U -i -t latin1 a.u; s=$?; printf 'caf\\xe9\\n' > a.u; exit $s")
        .expect(
            2,
            "café\n",
            "a.u: not converted: must be UTF-8, not ISO-8859-1, as configured; use --no-config to convert it",
        );
    sh(at, "$U -i -t ascii b.u; $U -i -f utf-16 -t utf-16le --output-bom=always w.txt").expect(
        0,
        "",
        "utfconv: b.u: unchanged\nutfconv: w.txt: unchanged\n",
    );
    sh(at, "$U -i -r -f auto --min-certainty=guess . 2>&1 | tail -1").expect(
        0,
        "utfconv: 1 converted (1 from windows-1252), 2 unchanged, 0 failed, 2 skipped as configured; 5 bytes to 6\n",
        "",
    );
    // The configuration for the output's path applies, not the configuration for the input's path.
    sh(at, "$U --output-dir $PWD/../$(basename $PWD).out -f latin1 a.l && cat ../$(basename $PWD).out/a.l; rm -r ../$(basename $PWD).out")
        .expect(0, "café\n", "");
    sh(at, "$U --output-dir o -f latin1 a.l; s=$?; ls o; exit $s").expect(
        2,
        "",
        "a.l: not converted: must be ISO-8859-1, not UTF-8, as configured; use --no-config to convert it",
    );
    sh(at, "$U -i --no-config -f latin1 a.l; cat a.l").expect(0, "café\n", "");
}

/// A BOM is required of the output whatever the old file begins with.
#[test]
fn a_required_bom_is_required_of_the_output() {
    let utf_16 = b"\xFF\xFEH\0i\0\n\0";
    let why = "not converted: must be UTF-8 with a BOM, as configured; use --no-config to convert it";
    for (old, options) in [
        (&utf_16[..], "-f utf-16 -t utf-8"),
        (&utf_16[2..], "-f utf-16le -t utf-8"),
        (&utf_16[..], "-f utf-16 -t ascii"),
        (CAFE, "-f latin1"),
        (b"Hi\r\n", "-f utf-8 --newline=lf"),
    ] {
        let dir = dir_with(&[("f", old), (".editorconfig", b"root = true\n[*]\ncharset = utf-8-bom\n")]);
        let at = dir.path();
        sh(at, &format!("$U -i {options} f")).expect(2, "", &format!("utfconv: f: {why}\n"));
        assert_eq!(std::fs::read(at.join("f")).expect("is there"), old, "{options}");
    }
    let dir = dir_with(&[("f", utf_16), (".editorconfig", b"root = true\n[*]\ncharset = utf-8-bom\n")]);
    sh(dir.path(), "$U -i -f utf-16 -t utf-8-sig f; cat f").expect(0, "\u{FEFF}Hi\n", "");
}

/// Returns the whole line of a message that starts with `why`.
fn full(why: &str) -> String {
    const END: &str = ", as configured; use --no-config to convert it";
    format!("{}{END}", why.strip_suffix(END).unwrap_or(why))
}

#[test]
fn the_configuration_names_the_encoding_where_auto_would_guess() {
    let dir = dir_with(&[
        (".editorconfig", b"root = true\n[*.l]\ncharset = latin1\n[*.u]\ncharset = utf-8\n"),
        (".gitattributes", b"*.k encoding=KOI8-R\n*.j encoding=ISO-2022-JP\n"),
        ("x.l", b"\xC4\n"),
        ("x.k", b"\xC4\n"),
        ("x.u", "né né né\n".as_bytes()),
        ("u.l", "né né né\n".as_bytes()),
        ("x.j", b"\x1B$B$\"\x1B(B\n"),
        ("x", b"\xC4\n"),
    ]);
    let at = dir.path();
    sh(at, "$U -f auto x.l").expect(0, "Ä\n", "");
    sh(at, "$U -f auto x.k").expect(0, "д\n", "");
    sh(at, "$U -f auto x.j").expect(0, "あ\n", "");
    sh(at, "$U -f auto x.u u.l").expect(0, "né né né\nné né né\n", "");
    sh(at, "$U -f auto x").expect(1, "", "x: not converted: may be windows-1252, or IBM850, or KOI8-R, or windows-1253 (there are no words, only 1 non-ASCII character; ISO-8859-1 and ISO-8859-15 give the same text); use -f to name the encoding, or --min-certainty=guess to use windows-1252");
    sh(at, "$U --no-config -f auto x.k").expect(1, "", "x.k: not converted: may be windows-1252, or IBM850, or KOI8-R, or windows-1253 (there are no words, only 1 non-ASCII character; ISO-8859-1 and ISO-8859-15 give the same text); use -f to name the encoding, or --min-certainty=guess to use windows-1252");
    sh(at, "$U -f auto < x.k").expect(1, "", "-: not converted: may be windows-1252, or IBM850, or KOI8-R, or windows-1253 (there are no words, only 1 non-ASCII character; ISO-8859-1 and ISO-8859-15 give the same text); use -f to name the encoding, or --min-certainty=guess to use windows-1252");
    sh(at, "$U --output-dir ../$(basename $PWD).o -f auto x.k; cat ../$(basename $PWD).o/x.k; rm -r ../$(basename $PWD).o")
        .expect(0, "д\n", "utfconv: x.k: converted from KOI8-R to UTF-8, 2 to 3 bytes\n");
    // Errors in the configuration are reported for the files they concern.
    sh(at, "printf '[*.m]\\ncharset = nope\\n' >> .editorconfig; $U -f auto x.l").expect(0, "Ä\n", "");
    sh(at, "cp x.l x.m; $U -f auto x.m").expect_part(
        1,
        "",
        "utfconv: warning: .editorconfig: line 7: [*.m]: charset = nope: no such encoding",
    );
}

/// A conversion never writes a file that git would refuse, and `check` accepts the result.
#[test]
fn git_takes_the_files() {
    if !has("git") {
        return;
    }
    let dir = dir_with(&[
        ("w.txt", b"\xFF\xFEH\0i\0\n\0"),
        (".gitattributes", b"*.txt working-tree-encoding=UTF-16LE-BOM\n"),
    ]);
    let at = dir.path();
    assert!(command("git").args(["init", "-q"]).current_dir(at).status().expect("runs").success());
    sh(at, "$U -i -r -f auto . && $U check . && git add . 2>&1").expect(
        0,
        "",
        "w.txt: skipped: must be UTF-16LE, not UTF-8, as configured; use --no-config to convert it",
    );
}

/// The command that the message suggests writes the required BOM.
#[test]
fn the_command_for_a_required_bom_writes_it() {
    for (config, to, encoding, text, from, place) in [
        (
            ".gitattributes",
            "UTF-16LE-BOM",
            "UTF-16LE",
            &b"Gr\xC3\xBC\xC3\x9Fe\nzwei\n"[..],
            "UTF-8",
            ("1:7", 12),
        ),
        (
            ".editorconfig",
            "UTF-8-BOM",
            "UTF-8",
            b"Gr\xFC\xDFe\nf\xFCr M\xFCnchen\n",
            "windows-1252",
            ("1:3", 2),
        ),
    ] {
        let settings = match config {
            ".gitattributes" => format!("*.txt working-tree-encoding={to}\n"),
            _ => "root = true\n[*.txt]\ncharset = utf-8-bom\n".to_string(),
        };
        let dir = dir_with(&[("a.txt", text), (config, settings.as_bytes())]);
        let at = dir.path();
        let ran = sh(at, "$U check --excerpt=never a.txt");
        let count = if from == "UTF-8" { "1 error" } else { "4 errors" };
        let command = format!("utfconv -i -f {from} -t {to} a.txt");
        let (column, byte) = place;
        let errors = format!(
            "a.txt:1:1: error: missing BOM at byte 0: {encoding} input must begin with a BOM [bom]\n\
             a.txt:{column}: error: wrong encoding at byte {byte}: looks like {from}, not {encoding}: {count}; \
             convert it with '{command}', or list them with --verbose [wrong-encoding]\n"
        );
        let all = if from == "UTF-8" { 2 } else { 5 };
        ran.expect(1, errors, &format!("utfconv: {all} errors in 1 of 1 file\n"));
        sh(at, &format!("{} && $U check a.txt", command.replace("utfconv", "$U"))).expect(0, "", "");
    }
}

/// The time to read a configuration is proportional to its length.
#[test]
fn a_megabyte_of_settings_takes_seconds() {
    let dir = dir_with(&[("t.txt", b"text\n")]);
    let at = dir.path();
    let list = |item: fn(u32) -> String| (0..90_000).map(item).collect::<Vec<_>>().join(",");
    let globs = list(|number| format!("'a{number}'"));
    for (text, status, start) in [
        (format!("[check]\nexclude = [{globs}]\n"), 0, ""),
        (format!("[check]\nrules = [{}]\n", list(|_| "'bidi'".into())), 0, ""),
        (format!("[check]\nrules = [{globs}]\n"), 2, "rules: 'a"),
        ("=".repeat(1_000_000), 2, "utfconv.toml:1:2: "),
        ("=\n".repeat(500_000), 2, ":1:1: "),
        ((0..90_000).map(|number| format!("k{number} = 1\n")).collect(), 2, ":1:1: unknown key"),
        (format!("[convert]\nfrom = '{}'\n", "x".repeat(1_000_000)), 2, ":2:8: from: 'xxx"),
    ] {
        std::fs::write(at.join("utfconv.toml"), text).expect("writes");
        let ran = sh(at, "timeout 60 $U check t.txt");
        assert!(
            ran.status == status && ran.stderr.contains(start) && ran.stderr.lines().count() < 10,
            "{ran:?}"
        );
    }
    // Columns in messages count characters.
    let text = format!("# {}\n[check]\n\n\texclude = [{globs}, 'é', '..']\n", "é".repeat(999));
    std::fs::write(at.join("utfconv.toml"), &text).expect("writes");
    let column = text.lines().last().map(|line| line[..line.len() - 5].chars().count() + 1);
    let ran = sh(at, "timeout 60 $U check t.txt");
    let start = format!("utfconv: utfconv.toml:4:{}: exclude: '..'", column.expect("a line"));
    assert!(ran.status == 2 && ran.stderr.starts_with(&start), "{start} {ran:?}");
    std::fs::remove_file(at.join("utfconv.toml")).expect("is there");
    let long = "iso-8859-1".repeat(10_000);
    let ran = sh(at, &format!("timeout 60 $U -f {long} t.txt"));
    assert!(ran.status == 2 && ran.stderr.contains("no such encoding"), "{ran:?}");
}
