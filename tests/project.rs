//! Tests of `utfconv.toml`: its settings for checks and batches, how far it is trusted, and error messages.

use std::fs;
use std::path::Path;

#[cfg(target_os = "linux")]
use crate::harness::is_root;
use crate::harness::{dir_with, has, sh};

fn write(dir: &Path, name: &str, text: impl AsRef<[u8]>) {
    let path = dir.join(name);
    fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
    fs::write(path, text).expect("writes");
}

const CONFIG: &str = "\
[check]
rules = [\"bom=forbid\", \"final-newline\"]
exclude = [\"vendor/\", \"*.min\"]

[[check.paths]]
globs = [\"legacy/**\", \"!legacy/new/**\"]
encoding = \"windows-1252\"
rules = [\"nul\"]

[[check.paths]]
globs = [\"/legacy/greek/\"]
encoding = \"ISO-8859-7\"
";

/// Creates a tree with a directory of legacy files.
fn tree() -> tempfile::TempDir {
    let dir = dir_with(&[("utfconv.toml", CONFIG.as_bytes()), (".editorconfig", b"root = true\n")]);
    let at = dir.path();
    for (name, text) in [
        ("good.txt", &b"x\n"[..]),
        ("bom.txt", b"\xEF\xBB\xBFx\n"),
        ("open.txt", b"x"),
        ("vendor/x.txt", b"\xFF"),
        ("a.min", b"\xFF"),
        ("legacy/old.txt", b"caf\xE9"),
        ("legacy/undefined.txt", b"\x81"),
        ("legacy/new/a.txt", b"caf\xE9\n"),
        ("legacy/greek/a.txt", b"\xE1\xFF"),
    ] {
        write(at, name, text);
    }
    dir
}

#[test]
fn a_corner_of_legacy_files_needs_no_exclusion() {
    let dir = tree();
    let expected = "\
bom.txt:1:1: error: forbidden BOM at byte 0: EF BB BF: UTF-8 input must not begin with a BOM [bom]
legacy/greek/a.txt:1:2: error: invalid ISO-8859-7 (unassigned) at byte 1: FF: ISO-8859-7 has no character there
legacy/new/a.txt:1:4: error: invalid UTF-8 (truncated) at byte 3: E9 starts a sequence of 3 bytes, 1 found
legacy/undefined.txt:1:1: error: invalid windows-1252 (unassigned) at byte 0: 81: windows-1252 has no character there
open.txt:1:2: error: no final newline at byte 1: the last line must end with a newline [final-newline]
";
    let places = |text: &str| {
        let place = |line: &str| line.split(": ").next().unwrap_or_default().to_string();
        text.lines().map(place).collect::<Vec<_>>()
    };
    let ran = sh(dir.path(), "$U check --no-ignore");
    assert_eq!(places(&String::from_utf8_lossy(&ran.stdout)), places(expected), "{ran:?}");
    assert_eq!(ran.status, 1);
    // The result is the same from a subdirectory, for a file given by name, and for an absolute path.
    for (script, count) in [
        ("cd legacy && $U check -l", 3),
        ("$U check -l \"$PWD/legacy\"", 3),
        ("$U check -l legacy/old.txt", 0),
        ("$U check -l legacy/undefined.txt", 1),
        // A file given by name is checked even if it is excluded.
        ("$U check -l vendor/x.txt a.min", 2),
        ("$U check -l --exclude legacy", 2),
        ("$U check -l --no-config", 6),
        ("$U check -l -f latin1", 2),
        ("$U check -l --allow bom,final-newline", 3),
        ("$U check -l --rule bom=require legacy/old.txt open.txt bom.txt", 2),
    ] {
        let ran = sh(dir.path(), script);
        let lines = ran.stdout.iter().filter(|byte| **byte == b'\n').count();
        assert_eq!(lines, count, "{script}: {ran:?}");
    }
}

/// A table of `[[check.paths]]` that only turns rules off keeps the other rules of `[check]`.
#[test]
fn allow_of_some_files_keeps_the_other_rules() {
    let config = "[check]\nrules = [\"nul\", \"final-newline\"]\n[[check.paths]]\nglobs = [\"*.md\"]\nallow = [\"nul\"]\n";
    let dir = dir_with(&[("utfconv.toml", config.as_bytes()), ("a.md", b"a\0b"), ("a.txt", b"a\0b")]);
    let newline = |file: &str| {
        format!(
            "{file}:1:4: error: no final newline at byte 3: the last line must end with a newline [final-newline]\n"
        )
    };
    let expected = format!(
        "{}a.txt:1:2: error: NUL at byte 1: 00: U+0000 is not allowed [nul]\n{}",
        newline("a.md"),
        newline("a.txt")
    );
    let ran = sh(dir.path(), "$U check a.md a.txt");
    assert_eq!(
        (ran.status, String::from_utf8_lossy(&ran.stdout).into_owned()),
        (1, expected),
        "{}",
        ran.stderr
    );
}

#[test]
fn the_nearest_one_up_to_the_root_of_the_repository() {
    let dir = dir_with(&[("utfconv.toml", b"[check]\nrules = [\"nul\"]\n")]);
    let at = dir.path();
    write(at, "a/.utfconv.toml", "[check]\nrules = [\"final-newline\"]\n");
    for place in ["x", "a/x", "a/b/x", "c/x", "r/s/x"] {
        write(at, place, "x\0y");
    }
    fs::create_dir_all(at.join("r/.git")).expect("a repository");
    let rules = |place: &str| {
        let ran =
            sh(at, &format!("$U check --binary=check --format=json {place} | grep -o '\"rule\":\"[^\"]*'"));
        String::from_utf8(ran.stdout).expect("text").replace("\"rule\":\"", "")
    };
    assert_eq!(rules("x"), "nul\n");
    assert_eq!(rules("c/x"), "nul\n");
    assert_eq!(rules("a/x"), "final-newline\n");
    assert_eq!(rules("a/b/x"), "final-newline\n");
    assert_eq!(rules("r/s/x"), "", "the search ends at the root of the repository");
    assert_eq!(rules("--config utfconv.toml a/b/x"), "nul\n");
    assert_eq!(rules("--no-config a/b/x"), "");
    let home = sh(at, "HOME=$PWD/c $U check --binary=check c/x; HOME=$PWD/a/b $U check --binary=check a/b/x");
    home.expect(0, "", "");
    write(at, "a/utfconv.toml", "");
    sh(at, "$U check --binary=check a/x").expect(
        2,
        "",
        "a/.utfconv.toml: not read, as utfconv.toml is beside it; remove one of them",
    );
}

#[test]
fn problems_have_position_and_suggestion() {
    for (text, problem) in [
        ("[chek]\n", "1:2: unknown key 'chek'; did you mean 'check'?"),
        ("\n[check]\nrulez = []\n", "3:1: unknown key 'rulez'; did you mean 'rules'?"),
        ("[check]\nxyz = 1\n", "2:1: unknown key 'xyz'; the keys are rules, allow, exclude, baseline, paths"),
        ("[check]\nrules = [\"bidi\", \"nulls\"]\n", "2:18: rules: 'nulls': no such rule; did you mean nul?"),
        ("[check]\nrules = \"bidi\"\n", "2:9: rules: expected an array of strings, not a string"),
        ("[check]\nallow = [\"ill-formed\"]\n", "2:10: allow: 'ill-formed': this rule cannot be turned off"),
        (
            "[check]\nallow = [\"all\"]\n",
            "2:10: allow: 'all': all is a value of --allow only; list the rules",
        ),
        ("[check]\nexclude = [\"a\", \"b[\"]\n", "2:17: exclude: 'b[': '[' without ']'; write [[]"),
        ("[check]\nexclude = [\"a/../../b\"]\n", "2:12: exclude: 'a/../../b': leads out of the directory"),
        (
            "[check]\nbaseline = \"/etc/passwd\"\n",
            "2:12: baseline: '/etc/passwd': leads out of the directory",
        ),
        ("[check]\nbaseline = \"../x\"\n", "2:12: baseline: '../x': leads out of the directory"),
        (
            "[[check.paths]]\nglobs = [\"*\"]\nencoding = \"UFT-8\"\n",
            "3:12: encoding: 'UFT-8': no such encoding; did you mean UTF-8?",
        ),
        ("[[check.paths]]\nencoding = \"latin1//TRANSLIT\"\n", "2:12: encoding: 'latin1//TRANSLIT': "),
        ("[[check.paths]]\nencoding = \"./map.ucm\"\n", "2:12: encoding: './map.ucm': "),
        ("[convert]\nill-formed = \"omit\"\n", "2:1: 'ill-formed' counts only in a file that --config names"),
        ("[convert]\nverify = true\n", "2:1: 'verify' counts only in a file that --config names"),
        ("[convert]\nto = \"\"\n", "2:6: to: '': expected a value"),
        ("größe = \"ä\", 1\n", "1:1"),
        ("[check]\nrules = [\n", "2:10: unclosed array"),
        ("a = \"\x1B[31m\"\n", "1:6: "),
        (&format!("a = {}1", "[".repeat(100_000)), "1:"),
    ] {
        let dir = dir_with(&[("utfconv.toml", text.as_bytes()), ("x", b"x\n")]);
        let ran =
            sh(dir.path(), "$U check; a=$?; $U check --config utfconv.toml x; echo $a $?; $U -i x; cat x");
        let expected = format!("utfconv: utfconv.toml:{problem}");
        assert!(ran.stderr.contains(&expected), "{text:.60}: {expected}\n{}", ran.stderr);
        assert!(!ran.stderr.contains('\x1B'));
        if !problem.contains("--config names") && !problem.contains("leads out of the directory") {
            assert_eq!(ran.stdout, b"2 2\nx\n", "{text:.60}: {}", ran.stderr);
        }
    }
    let dir = dir_with(&[("real.toml", b"[chek]\n"), ("x", b"x\n")]);
    sh(dir.path(), "ln -s real.toml utfconv.toml; $U check").expect(
        2,
        "",
        "utfconv.toml: not a regular file",
    );
    sh(dir.path(), "rm utfconv.toml; mkfifo utfconv.toml; timeout 10 $U check").expect(
        2,
        "",
        "utfconv.toml: not a regular file",
    );
    sh(dir.path(), "$U check --config nope").expect(2, "", "utfconv: nope: No such file or directory");
    sh(dir.path(), "$U check --config nope --no-config").expect(
        2,
        "",
        "the argument '--config <FILE>' cannot be used with '--no-config' (see --help)",
    );
    sh(dir.path(), "$U --config nope x").expect(2, "", "--config requires --in-place or --output-dir");
}

/// Tests the effects of a utfconv.toml in a foreign repository, and of a file that the user names with `--config`.
#[test]
fn batches_take_defaults() {
    let dir = dir_with(&[]);
    let at = dir.path();
    write(
        at,
        "p/utfconv.toml",
        "[convert]\nfrom = \"latin1\"\ninclude = [\"*.txt\"]\nexclude = [\"out/\"]\n",
    );
    let reset = || {
        for name in ["p/a.txt", "p/b.bin", "p/out/c.txt", "p/sub/d.txt", "q/e.txt"] {
            write(at, name, b"caf\xE9\n");
        }
    };
    let converted = |script: &str| {
        reset();
        let ran = sh(at, &format!("{script}; grep -rl 'café' p q | sort | tr '\\n' ' '"));
        (String::from_utf8(ran.stdout).expect("text"), ran.stderr)
    };
    assert_eq!(converted("$U -i -r p").0, "p/a.txt p/sub/d.txt ");
    assert_eq!(converted("cd p; $U -i -r .; cd ..").0, "p/a.txt p/sub/d.txt ");
    // A file given by name is converted even if it is not included.
    assert_eq!(converted("$U -i p/b.bin").0, "p/b.bin ");
    // The command line overrides the settings.
    assert_eq!(converted("$U -i -r -f ascii p 2>/dev/null").0, "");
    assert_eq!(converted("$U -i -r --no-config -f latin1 p").0, "p/a.txt p/b.bin p/out/c.txt p/sub/d.txt ");
    // The settings do not apply to files outside the directory of utfconv.toml.
    let (none, why) = converted("cd p; $U -i ../q/e.txt; cd ..");
    assert!(none.is_empty() && why.contains("e.txt"), "{none} {why}");
    let (none, why) = converted("$U -i p/a.txt q/e.txt");
    assert!(none.is_empty() && why.contains("different [convert] settings"), "{none} {why}");
    // A filter does not obey the settings.
    reset();
    sh(&at.join("p"), "$U a.txt").expect(1, "caf", "a.txt:1:4: error: invalid UTF-8 (truncated) at byte 3: E9 starts a sequence of 3 bytes, 1 found\n\
        utfconv: stopped; use --ill-formed=MODE to continue, or -f to name another encoding\n\
        utfconv: see 'utfconv check a.txt' for all errors, 'utfconv inspect --errors-only a.txt' for the bytes, \
        'utfconv detect a.txt' for the encoding\n");
    // A configuration named with `--config` may set modes that lose data.
    write(at, "lossy.toml", "[convert]\nunmappable = \"translit\"\nto = \"ascii\"\nnewline = \"crlf\"\n");
    write(at, "p/a.txt", "café\n");
    sh(at, "$U --config=lossy.toml -i p/a.txt 2>/dev/null; od -c p/a.txt | head -1").expect(
        0,
        "0000000   c   a   f   e  \\r  \\n\n",
        "",
    );
    write(at, "p/a.txt", "café\n");
    sh(at, "$U --config=lossy.toml --newline=lf -i --dry-run p/a.txt >/dev/null 2>&1; $U --config=lossy.toml --newline=lf -i p/a.txt 2>/dev/null; cat p/a.txt")
        .expect(0, "cafe\n", "");
    write(at, "wrong.toml", "\n[convert]\nunmappable = \"translitt\"\n");
    sh(at, "$U --config=wrong.toml -i p/a.txt").expect_part(2, "", "wrong.toml:3:14: ");
}

#[test]
fn what_holds_is_shown_with_its_source() {
    let dir = tree();
    let at = dir.path();
    write(at, ".editorconfig", "root = true\n[*.txt]\nend_of_line = lf\n");
    write(at, ".gitattributes", "*.uni working-tree-encoding=UTF-16\n");
    let shown = |arguments: &str| {
        let ran = sh(at, &format!("$U check --show-config {arguments}"));
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{arguments}");
        String::from_utf8(ran.stdout).expect("text")
    };
    let line = |text: &str, name: &str| {
        let line = text.lines().find(|line| line.trim_start().starts_with(name)).expect(name);
        line.split_whitespace().skip(name.split(' ').count()).collect::<Vec<_>>().join(" ")
    };
    let legacy = shown("legacy/a.txt");
    assert_eq!(line(&legacy, "encoding"), "windows-1252 utfconv.toml:7:12");
    assert_eq!(line(&legacy, "rules"), "ill-formed, wrong-encoding, nul utfconv.toml:8:9");
    assert_eq!(line(&legacy, "newlines"), "LF .editorconfig");
    assert_eq!(line(&legacy, "BOM"), "any");
    let plain = shown("a.uni");
    assert_eq!(line(&plain, "encoding"), "UTF-16 .gitattributes");
    assert_eq!(line(&plain, "BOM"), "forbidden utfconv.toml:2:9");
    assert_eq!(line(&plain, "final newline"), "required utfconv.toml:2:9");
    assert_eq!(line(&shown("vendor/deep/a.txt"), "in directories"), "excluded");
    assert_eq!(line(&shown("a.uni -f latin1"), "encoding"), "ISO-8859-1 command line");
    assert_eq!(line(&shown("legacy/a.txt --no-config"), "encoding"), "UTF-8 default");
}

/// The JSON schema has every key that the program reads, and no other.
#[test]
fn the_schema_describes_every_key() {
    if !has("python3") {
        return;
    }
    let script = r#"
import json, subprocess, os
schema = json.loads(subprocess.check_output([os.environ["U"], "check", "--config-schema"]))
def walk(node, path=()):
    for name, value in node.get("properties", {}).items():
        assert value["description"].endswith("."), (path, name)
        walk(value, path + (name,))
        walk(value.get("items", {}), path + (name,))
    if "properties" in node:
        assert node["additionalProperties"] is False, path
walk(schema)
check = schema["properties"]["check"]["properties"]
assert "bom=forbid" in check["rules"]["items"]["enum"] and "bom" in check["allow"]["items"]["enum"]
assert set(schema["properties"]) == {"check", "convert"}
"#;
    let dir = dir_with(&[("t.py", script.as_bytes())]);
    sh(dir.path(), "python3 t.py").expect(0, "", "");
}

/// In a directory that all users can write, a configuration of another user must not decide what is written.
#[cfg(target_os = "linux")]
#[test]
fn files_of_other_users_are_ignored() {
    if !is_root() {
        return;
    }
    let dir = dir_with(&[]);
    let at = dir.path();
    write(at, "w/utfconv.toml", "[convert]\nfrom = \"IBM850\"\n");
    write(at, "w/.editorconfig", "[*]\ncharset = utf-16le\n");
    write(at, "w/.gitattributes", "* encoding=utf-16be\n");
    write(at, "w/d/a.txt", "caf\u{e9}\n");
    let named = |name: &str, advice: &str| {
        format!(
            "utfconv: {name}: ignored, as it belongs to another user (1234); to use it, {advice} {name}\n"
        )
    };
    let errors = |above: &str| {
        [
            named(&format!("{above}.editorconfig"), "run: chown $(id -u)"),
            named(&format!("{above}.gitattributes"), "run: chown $(id -u)"),
            named(&format!("{above}utfconv.toml"), "use --config"),
        ]
        .concat()
    };
    sh(at, "chmod 1777 w; chown 1234 w/utfconv.toml w/.editorconfig w/.gitattributes").expect(0, "", "");
    // Without the configured rules, a check would pass, so the refusal is an error.
    for command in ["check w/d", "check --fix w/d", "check -q w/d"] {
        sh(at, &format!("$U {command}; s=$?; cat w/d/a.txt; exit $s")).expect(2, "café\n", &errors("w/"));
    }
    let shown = sh(at, "$U check --show-config w/d/a.txt > t; s=$?; grep -c . t; rm t; exit $s");
    assert_eq!((shown.status, &shown.stderr), (2, &errors("w/")));
    sh(at, "$U -i -r w/d; cat w/d/a.txt").expect(
        0,
        "café\n",
        &format!(
            "utfconv: w/d/a.txt: unchanged\n{}",
            errors("w/").replace("utfconv: ", "utfconv: warning: ")
        ),
    );
    // The owner of a link counts, not the owner of its target.
    let link = "cd w; rm .gitattributes utfconv.toml; mv .editorconfig e; chown 0 e; ln -s e .editorconfig; chown -h 1234 .editorconfig";
    let error = named("w/.editorconfig", "run: chown $(id -u)");
    sh(at, &format!("({link}); $U check --fix w/d")).expect(2, "", &error);
    // A file is used if it is named with `--config`, or if its owner also owns its directory, as in a container.
    write(at, "w/utfconv.toml", "[convert]\nfrom = \"IBM850\"\n");
    write(at, "w/d/a.txt", b"caf\x82\n");
    let script = "rm w/.editorconfig w/e; chown 1234 w/utfconv.toml; $U -s --config w/utfconv.toml -i w/d/a.txt; cat w/d/a.txt";
    sh(at, script).expect(0, "café\n", "");
    write(at, "w/.editorconfig", "[*]\ncharset = latin1\n");
    sh(at, "rm w/utfconv.toml; chown 1234 w w/.editorconfig; $U check w/d").expect(
        1,
        "w/d/a.txt:1:4: error: wrong encoding at byte 3: looks like UTF-8, not ISO-8859-1; convert it with \
         'utfconv -i -f UTF-8 -t ISO-8859-1 w/d/a.txt' [wrong-encoding]\n",
        "1 error in 1 of 1 file",
    );
}
