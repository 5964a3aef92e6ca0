//! Tests of the manifests of commands that change files: their records, how an interrupted run continues, and how a run
//! is undone.

use std::fs;

#[cfg(unix)]
use utfconv_core::{Encoding, Options, UTF_8, convert};

#[cfg(unix)]
use crate::harness::rounds;
use crate::harness::{contents, dir_with, has, sh};
use crate::random::generator;

/// "Привет" in KOI8-R.
const KOI: &[u8] = b"\xF0\xD2\xC9\xD7\xC5\xD4\n";
/// "Привет" in windows-1251. As KOI8-R, the bytes are other letters.
const WINDOWS: &[u8] = b"\xCF\xF0\xE8\xE2\xE5\xF2\n";

const TO_WINDOWS: &str = "-f koi8-r -t windows-1251";

#[test]
fn a_conversion_is_recorded_and_undone() {
    let dir = dir_with(&[("a", b"caf\xE9\nplain\nna\xEFve\n"), ("b", b"plain\n")]);
    let at = dir.path();
    sh(at, "$U -i -f latin1 --manifest=M a b").expect(
        0,
        "",
        "1 converted, 1 unchanged, 0 failed; 17 bytes to 19",
    );
    assert_eq!(contents(at, "a"), "café\nplain\nnaïve\n".as_bytes());
    let manifest = "\
{\"type\":\"manifest\",\"of\":\"utfconv\",\"version\":1}
{\"type\":\"file\",\"path\":{\"text\":\"a\"}}
{\"type\":\"change\",\"input\":3,\"output\":3,\"length\":13,\"old\":\"6QpwbGFpbgpuYe8=\"}
{\"type\":\"end\",\"input\":{\"length\":17,\"sha1\":\"fed7bf6ca019697978d4e82368ff83c8d07626da\"},\
\"output\":{\"length\":19,\"sha1\":\"1ea500ca0e8e93aa00b4f9dd88b9a2a92505a6d8\"},\
\"from\":\"ISO-8859-1\",\"to\":\"UTF-8\"}
";
    assert_eq!(String::from_utf8(contents(at, "M")).expect("UTF-8"), manifest);
    sh(at, "stat -c %a M; $U --undo M").expect(0, "600\n", "utfconv: M: 1 file restored\n");
    assert_eq!(contents(at, "a"), b"caf\xE9\nplain\nna\xEFve\n");
    // After an undo, the files can be converted again, and the manifest is continued.
    sh(at, "$U -i -f latin1 --manifest=M a && $U repair --undo M a").expect(
        0,
        "",
        "utfconv: M: 1 file restored\n",
    );
    assert_eq!(contents(at, "a"), b"caf\xE9\nplain\nna\xEFve\n");
}

/// Between two code pages, nothing in a file shows that it was converted, so the manifest must prevent a second
/// conversion.
#[test]
fn no_file_is_converted_twice() {
    let dir = dir_with(&[("a", KOI), ("b", KOI), ("c", b"\xC1\n")]);
    let at = dir.path();
    sh(at, &format!("$U -i {TO_WINDOWS} --manifest=M a")).expect(0, "", "");
    for files in ["a b", "./a b", "$PWD/a b", "-r . --exclude=M", "a b c"] {
        let ran = sh(at, &format!("$U -i {TO_WINDOWS} --manifest=M {files}"));
        ran.expect_part(0, "", "already converted");
        assert_eq!([contents(at, "a"), contents(at, "b")], [WINDOWS, WINDOWS], "{files}");
    }
    sh(at, &format!("$U -v -i {TO_WINDOWS} --manifest=M a")).expect(
        0,
        "",
        "utfconv: a: skipped: an earlier run with this manifest has changed it\n\
        utfconv: 0 converted, 0 unchanged, 0 failed, 1 already converted\n",
    );
    sh(at, "$U --undo M").expect(0, "", "utfconv: M: 3 files restored\n");
    assert_eq!([contents(at, "a"), contents(at, "b"), contents(at, "c")], [KOI, KOI, b"\xC1\n"]);
}

#[test]
fn files_changed_since_are_refused_and_named() {
    let dir = dir_with(&[("a", KOI), ("b", KOI)]);
    let at = dir.path();
    sh(at, &format!("$U -i {TO_WINDOWS} --manifest=M a b && echo more >> b")).expect(0, "", "");
    let ran = sh(at, &format!("$U -i {TO_WINDOWS} --manifest=M a b"));
    ran.expect(
        2,
        "",
        "utfconv: b: it was changed since the run that M records; use a new manifest to change it again\n\
        utfconv: 0 converted, 0 unchanged, 1 failed, 1 already converted\n",
    );
    sh(at, "$U --undo M").expect(
        2,
        "",
        "utfconv: b: not undone: it was changed since the run that is to be undone\n\
        utfconv: M: 1 file restored, 1 not restored\n",
    );
    assert_eq!([contents(at, "a"), contents(at, "b")], [KOI.to_vec(), [WINDOWS, b"more\n"].concat()]);
}

/// Changes that a conversion back cannot undo: two bytes become one byte, and a byte is omitted.
#[test]
fn lossy_conversions_are_undone() {
    let utf_16: Vec<u8> = "a\u{1F600}é\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let dir = dir_with(&[("a", "e\u{301}x\u{20AC}\n".as_bytes()), ("b", b"x\r\ny\xFF\r\n"), ("c", &utf_16)]);
    let at = dir.path();
    let old = ["a", "b", "c"].map(|name| contents(at, name));
    sh(at, "$U -i -c -t latin1 --normalize=nfc --newline=lf --manifest=M a b").expect(1, "", "a:1:4: error: unmappable character at byte 4: E2 82 AC: U+20AC \"€\" cannot be encoded in ISO-8859-1\n\
        b:2:2: error: invalid UTF-8 (never-used byte) at byte 4: FF never appears in UTF-8\n\
        utfconv: 2 errors: 1 invalid sequence omitted (1 never-used byte), 1 unmappable character omitted\n");
    sh(at, "$U -i -f utf-16le --manifest=M c").expect(0, "", "");
    assert_eq!([contents(at, "a"), contents(at, "b")], [b"\xE9x\n".to_vec(), b"x\ny\n".to_vec()]);
    sh(at, "$U --undo M").expect(0, "", "utfconv: M: 3 files restored\n");
    assert_eq!(["a", "b", "c"].map(|name| contents(at, name)), old);
}

/// A file to undo may be given by any spelling of its path.
#[test]
fn a_file_to_undo_may_be_spelled_otherwise() {
    let dir = dir_with(&[("a", KOI), ("b", KOI)]);
    let at = dir.path();
    fs::create_dir(at.join("d")).expect("makes");
    fs::write(at.join("d/c"), KOI).expect("writes");
    for (given, spelled) in [
        ("a", "./a"),
        ("a", ".//./a"),
        ("./a", "a"),
        ("a", "$PWD/a"),
        ("$PWD/a", "a"),
        ("d/c", "d//c"),
        ("d//c", "./d/./c"),
    ] {
        let script = format!(
            "rm -f M; $U -s -i {TO_WINDOWS} --manifest=M {given} b && $U --undo=M {spelled}; s=$?; cat {given}; $U -s --undo=M b 2>/dev/null; exit $s"
        );
        sh(at, &script).expect(0, KOI, "utfconv: M: 1 file restored\n");
    }
    sh(at, &format!("rm M; $U -s -i {TO_WINDOWS} --manifest=M a b; $U --undo=M d/../a")).expect(
        2,
        "",
        "M: it has no changes of that file",
    );
}

/// A run that was killed while it wrote the first line has changed nothing.
#[test]
fn half_a_first_line_is_an_empty_manifest() {
    let dir = dir_with(&[("a", KOI)]);
    let at = dir.path();
    sh(at, &format!("$U -s -i {TO_WINDOWS} --manifest=M a && head -1 M > first && $U -s --undo=M")).expect(
        0,
        "",
        "utfconv: M: 1 file restored\n",
    );
    let first = contents(at, "first");
    for len in [0, 1, 10, 33, 40, first.len() - 2] {
        let half = format!("umask 077; head -c {len} first > M");
        sh(at, &format!("{half}; $U --undo=M; cat a")).expect(
            0,
            KOI,
            "utfconv: M: it records nothing: no file was changed, so nothing is undone\n",
        );
        sh(
            at,
            &format!(
                "{half}; $U -i {TO_WINDOWS} --manifest=M a; head -1 M | cmp - first; cat a; $U -s --undo=M"
            ),
        )
        .expect(0, WINDOWS, "utfconv: M: 1 file restored\n");
        assert_eq!(contents(at, "a"), KOI);
    }
    // A file that does not begin like a manifest is refused.
    for other in ["{\"type\":\"manifest\",\"of\":\"utfconv x", "{\"a", "[", "x"] {
        sh(at, &format!("umask 077; printf '%s' '{other}' > M; $U --undo=M; $U -i {TO_WINDOWS} --manifest=M a; s=$?; cat M; exit $s")).expect(
            2,
            other,
            "utfconv: M: not a manifest of utfconv, or changed since; nothing is undone\n\
             utfconv: M: not a manifest of utfconv, or changed since; nothing is converted; use another name for --manifest\n",
        );
    }
}

#[test]
fn fixes_are_recorded_and_undone() {
    let dir = dir_with(&[("a", b"\xEF\xBB\xBFx\n"), ("b", b"no newline")]);
    let at = dir.path();
    sh(at, "$U check --fix --manifest=M --rule bom=forbid,final-newline a b").expect(
        0,
        "",
        "utfconv: 2 files fixed; no error in 2 files",
    );
    assert_eq!([contents(at, "a"), contents(at, "b")], [b"x\n".to_vec(), b"no newline\n".to_vec()]);
    // The manifest belongs to another command.
    sh(at, "$U -i -f latin1 --manifest=M a").expect(
        2,
        "",
        "M: it is a manifest of utfconv check --fix; use another name for --manifest",
    );
    sh(at, "$U check --undo M").expect(0, "", "utfconv: M: 2 files restored\n");
    assert_eq!([contents(at, "a"), contents(at, "b")], [b"\xEF\xBB\xBFx\n".to_vec(), b"no newline".to_vec()]);
}

#[test]
fn impossible_command_lines_are_refused() {
    let dir = dir_with(&[("a", KOI)]);
    for (args, text) in [
        ("-f koi8-r --manifest=M a", "--manifest requires --in-place"),
        ("-f koi8-r --output-dir=o --manifest=M a", "--manifest requires --in-place"),
        ("-i -f koi8-r --diff --manifest=M a", "--manifest records what is written"),
        ("-i -f koi8-r --dry-run --manifest=M a", "--manifest records what is written"),
        ("check --manifest=M a", "--manifest requires --fix"),
        ("--undo=M a b", "--undo takes one PATH at most"),
        ("--undo=M -i a", "--in-place"),
    ] {
        sh(dir.path(), &format!("$U {args}")).expect_part(2, "", text);
        assert!(!dir.path().join("M").exists(), "{args}");
    }
}

/// If a file is no manifest, the message says what the command therefore does not do.
#[test]
fn other_files_are_no_manifests() {
    let dir = dir_with(&[("a", KOI), ("menu.csv", b"a,b\n")]);
    let at = dir.path();
    let other = "; use another name for --manifest";
    for (call, nothing) in [
        (format!("-i {TO_WINDOWS} --manifest=menu.csv a"), format!("converted{other}")),
        ("repair -i --manifest=menu.csv a".to_string(), format!("changed{other}")),
        ("check --fix --rule=final-newline --manifest=menu.csv a".to_string(), format!("changed{other}")),
        ("--undo=menu.csv".to_string(), "undone".to_string()),
    ] {
        let text = format!("menu.csv: not a manifest of utfconv, or changed since; nothing is {nothing}\n");
        sh(at, &format!("$U {call} >/dev/null")).expect_part(2, "", &text);
        assert_eq!([contents(at, "a"), contents(at, "menu.csv")], [KOI, b"a,b\n"]);
    }
}

/// On a full disk, the manifest has only whole records, and files without a record are unchanged.
#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_recorded_stays() {
    let long = KOI.repeat(2000);
    let dir = dir_with(&[("a", KOI), ("b", &long), ("c", KOI)]);
    let at = dir.path();
    let ran = sh(at, &format!("ulimit -f 16; $U -i {TO_WINDOWS} --sync=batch --manifest=M a b c"));
    ran.expect(
        2,
        "",
        "utfconv: b: not recorded in the manifest: File too large\n\
        utfconv: 2 converted, 0 unchanged, 1 failed; 14 bytes to 14\n",
    );
    assert_eq!([contents(at, "a"), contents(at, "c")], [WINDOWS, WINDOWS]);
    assert_eq!(contents(at, "b"), long);
    sh(at, &format!("$U -i {TO_WINDOWS} --manifest=M a b c")).expect(
        0,
        "",
        "1 converted, 0 unchanged, 0 failed, 2 already converted; 14000 bytes to 14000",
    );
    sh(at, "$U --undo M").expect(0, "", "utfconv: M: 3 files restored\n");
    assert_eq!([contents(at, "a"), contents(at, "b"), contents(at, "c")], [KOI, &long, KOI]);
}

/// Only one run at a time writes a manifest.
#[cfg(unix)]
#[test]
fn a_manifest_in_use_is_refused() {
    if !has("flock") {
        return;
    }
    let dir = dir_with(&[("a", KOI), ("M", b"")]);
    let at = dir.path();
    // A run that was killed before its first line is continued.
    sh(at, &format!("$U -i {TO_WINDOWS} --manifest=M a; $U --undo=M")).expect(0, "", "M: 1 file restored");
    let script =
        format!("rm M; $U -i {TO_WINDOWS} --manifest=M a; flock M $U -i {TO_WINDOWS} --manifest=M a");
    sh(at, &script).expect(2, "", "utfconv: M: another run is writing it");
}

/// Conversions after which nothing in a file shows that it was converted: the encodings, and a text that both encodings
/// have.
#[cfg(unix)]
const CONVERSIONS: [(&str, &str, &str); 12] = [
    ("KOI8-R", "windows-1251", "Привет, мир"),
    ("windows-1251", "KOI8-R", "Привет, мир"),
    ("IBM866", "ISO-8859-5", "Привет, мир"),
    ("ISO-8859-5", "IBM855", "Привет, мир"),
    ("IBM855", "IBM866", "Привет, мир"),
    ("windows-1252", "IBM1047", "déjà vu"),
    ("IBM1047", "windows-1252", "déjà vu"),
    ("ISO-8859-15", "IBM850", "déjà vu"),
    ("IBM850", "macintosh", "déjà vu"),
    ("Shift_JIS", "EUC-JP", "日本語"),
    ("EUC-JP", "Shift_JIS", "日本語"),
    ("GBK", "Big5", "中文"),
];

/// A run that is killed at random moments and continued converts each file once, in twelve encodings. `UTFCONV_KILLS`
/// sets the number of kills.
#[cfg(unix)]
#[test]
fn killed_runs_continue() {
    let kills = rounds("UTFCONV_KILLS", 12);
    let files: usize = if kills > 100 { 20_000 } else { 600 };
    let dir = dir_with(&[]);
    let at = dir.path();
    let text = |file: usize, encoding: &str| {
        let text = format!("{} {file}\n", CONVERSIONS[file % 12].2).repeat(1 + file % 7);
        let encoding = Encoding::for_name(encoding).expect("is there");
        convert(text.as_bytes(), &UTF_8, encoding, &Options::default()).expect("converts").output
    };
    let (old, new) = (
        |file: usize| text(file, CONVERSIONS[file % 12].0),
        |file: usize| text(file, CONVERSIONS[file % 12].1),
    );
    let name = |file: usize| format!("t{}/{file}", file % 12);
    (0..12).for_each(|number| fs::create_dir(at.join(format!("t{number}"))).expect("makes"));
    (0..files).for_each(|file| fs::write(at.join(name(file)), old(file)).expect("writes"));
    let mut random = generator();
    let (mut killed, mut run) = (0, 0);
    let go_on = |number: usize| {
        let (from, to, _) = CONVERSIONS[number];
        format!("exec $U -r -i -f {from} -t {to} --manifest=M t{number}")
    };
    while killed < kills && run < 4 * kills {
        run += 1;
        let options = ["-j1", "-j2", "--sync=batch", "--sync=none"][random(4) as usize];
        let (signal, wait) =
            (["KILL", "KILL", "TERM", "INT"][random(4) as usize], random(60) as f64 / 1000.0);
        let command = go_on(random(12) as usize);
        let ran = sh(
            at,
            &format!("bash -c '{command} {options}' 2> log & sleep {wait:.3}; kill -{signal} $!; wait $!"),
        );
        killed += u32::from(ran.status != 0);
    }
    for number in 0..12 {
        let ran = sh(at, &go_on(number));
        assert_eq!(
            (ran.status, ran.stderr.contains(" failed")),
            (0, ran.stderr.contains(" 0 failed")),
            "{ran:?}"
        );
    }
    (0..files).for_each(|file| assert_eq!(contents(at, &name(file)), new(file), "{}", name(file)));
    assert!(killed > 0, "no run was killed");
    eprintln!("{killed} of {run} runs were killed, on {files} files");
    // Half of the files are edited. The undo refuses and names them, and restores the other files.
    let edited = |file: usize| [new(file), b"+".to_vec()].concat();
    let is_edited = |file: &usize| (file / 12).is_multiple_of(2);
    let count = (0..files).filter(is_edited).count();
    (0..files)
        .filter(is_edited)
        .for_each(|file| fs::write(at.join(name(file)), edited(file)).expect("writes"));
    let ran = sh(at, "$U --undo M");
    assert_eq!((ran.status, ran.stderr.matches("not undone: it was changed since").count()), (2, count));
    let text = format!("utfconv: M: {} files restored, {count} not restored\n", files - count);
    assert!(ran.stderr.ends_with(&text), "{}", ran.stderr);
    for file in 0..files {
        let message = format!("utfconv: {}: not undone: it was changed since", name(file));
        assert_eq!(ran.stderr.contains(&message), is_edited(&file), "{message}");
        let expected = if is_edited(&file) { edited(file) } else { old(file) };
        assert_eq!(contents(at, &name(file)), expected, "{}", name(file));
    }
    (0..files).filter(is_edited).for_each(|file| fs::write(at.join(name(file)), new(file)).expect("writes"));
    let text = format!("utfconv: M: {count} files restored, {} restored already\n", files - count);
    sh(at, "$U --undo M").expect(0, "", &text);
    (0..files).for_each(|file| assert_eq!(contents(at, &name(file)), old(file), "{}", name(file)));
    sh(at, "$U --undo M").expect(0, "", &format!("utfconv: M: no file restored, {files} restored already\n"));
}

/// `--dry-run` restores nothing. Options that have no effect on an undo are refused, because they would promise an
/// effect.
#[test]
fn an_undo_does_what_its_options_say() {
    let dir = dir_with(&[("a", b"caf\xE9\n"), ("b", b"caf\xE9\n")]);
    let at = dir.path();
    sh(at, "$U -s -i -f latin1 --manifest=M a b && echo x >> b").expect(0, "", "");
    let changed = "utfconv: b: not undone: it was changed since the run that is to be undone\n";
    let would = format!("{changed}utfconv: M: 1 file would be restored, 1 would stay\n");
    for command in ["$U", "$U repair"] {
        sh(at, &format!("{command} --undo=M --dry-run")).expect(2, "", &would);
    }
    sh(at, "cat a b").expect(0, "caf\u{e9}\ncaf\u{e9}\nx\n", "");
    let ran = sh(at, "$U --undo=M --dry-run --format=json | tail -n 1");
    assert!(ran.stdout.starts_with(br#"{"type":"summary","dry_run":true,"restored":1,"#), "{ran:?}");
    for (option, name) in [
        ("--diff", "diff"),
        ("--include='*.x'", "include"),
        ("-f latin1", "from-code"),
        ("--newline=lf", "newline"),
        ("--failed=F", "failed"),
    ] {
        let text = format!("utfconv: --undo cannot be used with --{name}\n");
        sh(at, &format!("$U --undo=M {option}")).expect(2, "", &text);
    }
    sh(at, "cat a").expect(0, "caf\u{e9}\n", "");
}

/// The list has exactly the files that were not converted, for use by another program.
#[test]
fn failed_files_are_listed() {
    let dir = dir_with(&[
        ("a", KOI),
        ("b", b"\x80\n"),
        ("c d", b"caf\xE9 \xAF\n"),
        ("n\nn", b"\x80\n"),
        ("bin", b"\x7FELF\0\0\0"),
    ]);
    let at = dir.path();
    sh(at, "rm 'n\nn'; mkfifo p").expect(0, "", "");
    for (option, expected) in [("--failed", "a\nb\nc d\ngone\np\n"), ("--failed0", "a\0b\0c d\0gone\0p\0")] {
        // A binary file that was found in a directory is skipped, and does not count as a failure.
        let run =
            format!("rm -rf o; $U --output-dir=o -f us-ascii {option}=L a b 'c d' gone p -r . 2> log; cat L");
        sh(at, &run).expect(0, expected, "");
    }
    // A repair also lists files that could not be read, in the order of the arguments.
    sh(at, "mkdir d; $U check -q --fix --failed=L b gone 'c d' d/gone 2> log; s=$?; cat L log; exit $s")
        .expect(
            2,
            "b\ngone\nc d\nd/gone\nutfconv: gone: No such file or directory\n\
         utfconv: d/gone: No such file or directory\n",
            "",
        );
    // An empty list is written, too. A name with a newline requires `--failed0`.
    sh(at, &format!("$U -i {TO_WINDOWS} --failed=L a; wc -c < L")).expect(0, "0\n", "");
    let ran = sh(
        at,
        "printf '\\200\\n' | tee m > 'n\nn'; $U -i -t ascii --failed=L m 'n\nn'; s=$?; cat L; exit $s",
    );
    let why = r"L: $'n\nn' is not in it, as its name has a newline; use --failed0";
    assert!(ran.status == 2 && ran.stdout == b"m\n" && ran.stderr.contains(why), "{ran:?}");
    sh(at, "$U -f latin1 --failed=L a").expect(2, "", "--failed requires --in-place or --output-dir");
}

/// `--failed0 | xargs -0 ls` lists exactly the files that Python cannot decode.
#[test]
fn failed_files_are_those_of_a_model() {
    if !has("python3") {
        return;
    }
    let dir = dir_with(&[]);
    let at = dir.path();
    let make = r#"import os, random
turns = random.Random(39)
os.makedirs('t/a b')
for number in range(400):
    name = f"t/{turns.choice(['', 'a b/'])}{number}{turns.choice(['', ' x', chr(10), 'é'])}"
    text = bytes(turns.choice(b'abc \n\x8e\xe9\xfc') for _ in range(turns.randrange(40)))
    if turns.random() < 0.2:
        text += turns.choice([b'\x81', b'\x8d', b'\x90'])
    with open(name, 'wb') as file:
        file.write(text)
"#;
    let model = r#"import os, sys
bad = []
for folder, _, names in os.walk('t'):
    for name in names:
        path = os.path.join(folder, name)
        try:
            open(path, 'rb').read().decode('cp1252')
        except UnicodeDecodeError:
            bad.append(path)
sys.stdout.write(''.join(path + chr(0) for path in sorted(bad)))
"#;
    fs::write(at.join("make.py"), make).expect("writes");
    fs::write(at.join("model.py"), model).expect("writes");
    let script = "python3 make.py; python3 model.py | sort -z > model
        $U -s -r --output-dir=o -f windows-1252 --force --failed0=failed t; echo $?
        test $(tr -cd '\\0' < failed | wc -c) -gt 30 && sort -z failed | cmp - model
        xargs -0 ls -1d -- < failed | sort > listed; sort -z model | xargs -0 ls -1d -- | sort | cmp - listed";
    sh(at, script).expect(0, "1\n", "");
}

/// The list of failures must not overwrite an input, output or manifest, and is no input of the next run.
#[cfg(unix)]
#[test]
fn lists_of_failures_are_written_over_nothing_else() {
    let dir = dir_with(&[("a", KOI), ("b", KOI)]);
    let at = dir.path();
    sh(at, "ln -s a link; ln b hard").expect(0, "", "");
    for (args, text) in [
        ("--failed=a a", "utfconv: a: the run would write a over it; nothing is changed\n"),
        ("--failed0=link a", "utfconv: a: the run would write link over it"),
        ("--failed=./link -r .", "utfconv: a: the run would write ./link over it"),
        ("--failed=hard -r .", "utfconv: b: the run would write hard over it"),
        ("--manifest=M --failed=./M a", "utfconv: M: cannot be both the manifest and the list of failures\n"),
    ] {
        sh(at, &format!("$U -i {TO_WINDOWS} {args}")).expect_part(2, "", text);
        assert_eq!([contents(at, "a"), contents(at, "b")], [KOI, KOI], "{args}");
        assert!(!at.join("M").exists(), "{args}");
    }
    sh(at, "mkfifo p; mkdir d").expect(0, "", "");
    for (file, why) in [("p", "not a regular file"), ("d", "Is a directory")] {
        let run = format!("timeout 20 $U -i {TO_WINDOWS} --manifest=M --failed={file} a");
        sh(at, &run).expect(2, "", &format!("utfconv: {file}: {why}\n"));
        assert!(contents(at, "a") == KOI && !at.join("M").exists(), "{file}");
    }
    sh(at, "rm -r p d; $U -i -t ascii --failed=/dev/stdout a 2> /dev/null").expect(1, "a\n", "");
    sh(at, "$U -i -t ascii --failed=/dev/stderr a 2>&1 | grep -x a").expect(0, "a\n", "");
    sh(at, "mkdir o; $U --output-dir=o -f koi8-r --failed=o/a a; s=$?; ls o; exit $s").expect(
        2,
        "",
        "utfconv: a: its output is also o/a; nothing was converted\n",
    );
    sh(at, "rm -r o link hard; $U -s -i -r -f ascii --failed=L .; s=$?; cat L; exit $s")
        .expect(1, "a\nb\n", "");
    sh(at, &format!("$U -i -r {TO_WINDOWS} --failed=L .; wc -c < L")).expect(0, "0\n", "");
    assert_eq!([contents(at, "a"), contents(at, "b")], [WINDOWS, WINDOWS]);
}

/// With a manifest that was edited, cut or duplicated in part, an undo restores the old content of a file, or leaves
/// the file.
#[test]
fn changed_manifests_restore_nothing_else() {
    let dir = dir_with(&[("a", KOI), ("b", b"\xC1\n")]);
    let at = dir.path();
    sh(at, &format!("$U -i {TO_WINDOWS} --manifest=M a b")).expect(0, "", "");
    let manifest = contents(at, "M");
    let new = [contents(at, "a"), contents(at, "b")];
    let mut random = generator();
    let (mut refused, mut restored) = (0, 0);
    for round in 0..300 {
        let mut changed = manifest.clone();
        let place = random(changed.len() as u64) as usize;
        match round % 5 {
            0 => changed.truncate(place),
            1 => changed[place] = b"0919azAZ=\"\\{}[]:,/.\n\x00\xFF"[random(22) as usize],
            2 => drop(changed.remove(place)),
            3 => changed.extend_from_slice(&manifest[place..]),
            _ => {
                let end = place + random((changed.len() - place) as u64) as usize;
                changed.splice(place..place, manifest[place..end].to_vec());
            }
        }
        // Write to the existing file, so that it keeps permissions that only allow the user.
        fs::write(at.join("M"), &changed).expect("writes");
        fs::write(at.join("a"), &new[0]).expect("writes");
        fs::write(at.join("b"), &new[1]).expect("writes");
        let ran = sh(at, "$U --undo M; s=$?; ls; exit $s");
        assert!(matches!(ran.status, 0 | 2) && ran.stdout == b"M\na\nb\n", "{ran:?}");
        let changed = String::from_utf8_lossy(&changed).into_owned();
        for (name, old, new) in [("a", KOI, &new[0]), ("b", &b"\xC1\n"[..], &new[1])] {
            let now = contents(at, name);
            assert!(now == old || now == *new, "{changed}: {name}: {now:?}: {ran:?}");
            restored += u32::from(now == old);
        }
        refused += u32::from(ran.status == 2);
    }
    assert!(refused > 50 && restored > 50, "{refused} {restored}");
}

/// If an undo does not find the files of its manifest, the message says where they are. With `-v`, an undo reports what
/// it does with each file.
#[cfg(unix)]
#[test]
fn an_undo_leads_to_the_files() {
    let dir = dir_with(&[("f", b"caf\xE9\n")]);
    let at = dir.path();
    sh(at, "mkdir -p a b/c; cp f a/1; cp f a/2; cp f b/c/3; cp f b/4; rm f").expect(0, "", "");
    sh(at, "cd a; $U -s -i -j1 -f latin1 --manifest=M 1 2; $U -s -i -f latin1 --manifest=N ../b/c/3 ../b/4")
        .expect(0, "", "");
    let line = |name, what| format!("{name}: {what} from UTF-8 to ISO-8859-1, 6 to 5 bytes\n");
    let (one, two) = (line("1", "would be restored"), line("2", "would be restored"));
    let ran = sh(at, "cd a; $U --undo=M --dry-run -v | sort");
    ran.expect(0, format!("{one}{two}"), "utfconv: M: 2 files would be restored\n");
    sh(at, "$U --undo=a/M").expect(
        2,
        "",
        "utfconv: 2 files: none of its files is here; use --undo in the directory in which the run was\n\
         utfconv: a/M: no file restored, 2 not restored\n",
    );
    let outside = "utfconv: 2 files not undone: they are not below the current directory; use 'utfconv --undo=N ../b'\n";
    sh(at, "cd a; $U --undo=N").expect(
        2,
        "",
        &format!("{outside}utfconv: N: no file restored, 2 not restored\n"),
    );
    sh(at, "cd a; $U --undo=N -v ../b 2>&1 | sort").expect(
        0,
        format!(
            "utfconv: {}utfconv: {}utfconv: N: 2 files restored\n",
            line("../b/4", "restored"),
            line("../b/c/3", "restored")
        ),
        "",
    );
    sh(at, "cd a; $U -s -i -f latin1 --manifest=O ../b/c/3; $U --undo=O").expect(
        2,
        "",
        "utfconv: ../b/c/3: not undone: it is not below the current directory; use 'utfconv --undo=O ../b/c'\n\
         utfconv: O: no file restored, 1 not restored\n",
    );
}
