//! Tests of checks that compare files with old versions: `check --since` and `--staged` report text that a program lost
//! or changed.

use std::path::Path;

use utfconv_core::SHIFT_JIS;
use utfconv_core::encodings::WINDOWS_1251;

use crate::harness::{contents, dir_with, git_sh, has, sh, write};
use crate::restore::{TEXTS, edited, repository};

/// Makes a repository whose only commit has these files. Returns `None` without git.
fn committed(files: &[(&str, &[u8])]) -> Option<tempfile::TempDir> {
    if !has("git") {
        return None;
    }
    let dir = dir_with(files);
    git_sh(dir.path(), "git init -q . && git add . && git commit -qm old").expect(0, "", "");
    Some(dir)
}

/// Staged files are read from the index, even if their directory was removed.
#[test]
fn staged_files_need_no_directory() {
    if !has("git") {
        return;
    }
    let (dir, old) = repository();
    let at = dir.path();
    sh(at, "mkdir -p a/b && git mv western a/b/c && git commit -qm move").expect(0, "", "");
    write(at, "a/b/c", edited(&old[0], false));
    let ran = sh(at, "git add . && rm -r a && $U check --staged");
    let stdout = String::from_utf8(ran.stdout).expect("UTF-8");
    assert!(
        ran.status == 1 && stdout.starts_with("a/b/c:1:7: error: lost characters at byte 6: since HEAD, "),
        "{stdout}"
    );
    assert_eq!(ran.stderr, "utfconv: 3 errors in 1 of 1 file\n");
}

/// A UTF-8 line in a legacy file is an error in the file's encoding, although the check expects UTF-8.
#[test]
fn lines_in_another_encoding_than_the_old_version_are_reported() {
    let old = b"Gr\xFC\xDFe aus K\xF6ln\nSch\xF6ne Gr\xFC\xDFe\n";
    let Some(dir) = committed(&[("a", old)]) else { return };
    let at = dir.path();
    let add = |line: &[u8]| write(at, "a", [&old[..], line].concat());
    let errors = "utfconv: 1 error in 1 of 1 file\n";
    let check = "git add a && $U check --staged --excerpt=never";
    add("neu: ü\n".as_bytes());
    git_sh(at, check).expect(
        1,
        "a:3:1: error: encodings mixed at byte 28: the line is UTF-8; HEAD is windows-1252; \
         use 'utfconv repair -i --candidates=windows-1252 a' to make all of it UTF-8 [mixed-encodings]\n",
        errors,
    );
    git_sh(at, "$U repair -i --candidates=windows-1252 a > log; rm log; tail -n 1 a").expect(
        0,
        "neu: ü\n",
        "",
    );
    git_sh(at, check).expect(0, "", "");
    // A line in the file's own encoding is no new error. If the encoding is declared, a UTF-8 line is still an error.
    add(b"neu: \xFC\n");
    git_sh(at, check).expect(0, "", "");
    git_sh(at, &format!("{check} --all-errors -l")).expect(1, "a\n", "");
    write(at, "utfconv.toml", "[[check.paths]]\nglobs = [\"a\"]\nencoding = \"windows-1252\"\n");
    git_sh(at, check).expect(0, "", "");
    add("neu: ü\n".as_bytes());
    let mixed = |lines: &str| {
        format!(
            "a:3:1: error: encodings mixed at byte 28: {lines} UTF-8; HEAD is windows-1252; use \
             'utfconv repair -i --candidates=windows-1252 a && utfconv -i -f UTF-8 -t windows-1252 a' \
             to make all of it windows-1252 [mixed-encodings]\n"
        )
    };
    git_sh(at, check).expect(1, mixed("the line is"), errors);
    add("neu: ü\nplain\nschön\nnötig\n".as_bytes());
    git_sh(at, &format!("{check} --allow=double-encoded")).expect(
        1,
        mixed("this line and 2 more are"),
        errors,
    );
    let fix = "PATH=\"$(dirname $U):$PATH\"; utfconv repair -i --candidates=windows-1252 a >log && rm log && utfconv -i -f UTF-8 -t windows-1252 a";
    git_sh(at, &format!("{fix} && {check}")).expect(0, "", "");
    assert_eq!(contents(at, "a"), [&old[..], b"neu: \xFC\nplain\nsch\xF6n\nn\xF6tig\n"].concat());
    add("neu: Ж, Ω, 漢字, ü\n".as_bytes());
    git_sh(at, &format!("{check} --allow=double-encoded")).expect(
        1,
        "a:3:1: error: encodings mixed at byte 28: the line is UTF-8; HEAD is windows-1252; use \
         'utfconv repair -i --candidates=windows-1252 a' to make all of it UTF-8, and declare that: windows-1252 \
         does not have all characters of these lines [mixed-encodings]\n",
        errors,
    );
    add("neu: ü\n".as_bytes());
    git_sh(at, &format!("{check} --allow=mixed-encodings")).expect(0, "", "");
    // Lines that are UTF-8 by chance are no mixed encoding.
    add(b"\xC9\x94, na\xEFve \xE0 c\xF4t\xE9\nCAF\xC9\xBB\n");
    git_sh(at, check).expect(0, "", "");
    // Two Thai letters may have the bytes of a UTF-8 character.
    let thai = b"\xC0\xCA\xD2\xB9\xBA\xA1\xC3\xD0\n\xC0\xA7\xD4\xB9 \xC3\xD2\xA4\xD2\n".repeat(4);
    write(at, "t", &thai);
    git_sh(at, "git add t && git commit -qm thai").expect(0, "", "");
    write(at, "t", [&thai[..], b"name=\"\xC5\xBA\"\n"].concat());
    let check_thai = "git add t && $U check --staged -f windows-874 --excerpt=never t";
    git_sh(at, check_thai).expect(0, "", "");
    write(at, "t", [&thai[..], "ภาษาไทยเป็นภาษา\n".as_bytes()].concat());
    git_sh(at, &format!("{check_thai} -l")).expect(1, "t\n", "");
}

/// Lines that are longer than a buffer are compared and counted as wholes.
#[test]
fn long_lines_are_compared_as_wholes() {
    let long = "größer ".repeat(300_000);
    let old = [&b"Gr\xFC\xDFe aus K\xF6ln\n"[..], long.as_bytes(), b"\n"].concat();
    let Some(dir) = committed(&[("a", &old)]) else { return };
    let at = dir.path();
    let check = "$U check --since=HEAD -f windows-1252 --allow=double-encoded --format=json a | grep -o '\"line\":[0-9]*.*mixed-enc'";
    write(at, "a", [&old[..], b"Stra\xDFe\n"].concat());
    git_sh(at, check).expect(1, "", "");
    write(at, "a", [&old[..], "Maße\n".as_bytes()].concat());
    let ran = git_sh(at, check);
    assert!(ran.status == 0 && ran.stdout.starts_with(b"\"line\":3,"), "{ran:?}");
}

/// Text in the file's own encoding is no mixed encoding, although some words are well-formed UTF-8.
#[test]
fn words_that_are_utf_8_by_chance_are_not_reported() {
    if !has("git") {
        return;
    }
    let french = &b"Il entra dans le caf\xE9.\nO\xF9 \xE9tais-tu ?\n"[..];
    let dir = dir_with(&[]);
    let at = dir.path();
    git_sh(at, "git init -q .").expect(0, "", "");
    for (encoding, old, added) in [
        ("windows-1252", french, &b"et un caf\xE9\xA0\xBB\nMAIS O\xD9\x85\nth\xE9\x85\xBB\ncaf\xE9\x85\x94\nAMANH\xC3\x85\nOLE HYV\xC4\x94\nG\xC5\xBB\n"[..]),
        ("windows-1254", b"G\xFCn ayd\xFDn\n", b"KARABA\xD0\x92DAN HABER\nDA\xD0\x85\n"),
        ("ISO-8859-2", b"p\xE1r slov\xED\n", b"pl\xE1\xB9\xBB 26\nzwyci\xEA\xBF\xB1\nzwyci\xEA\xBF\xB9\n"),
        ("windows-1250", b"p\xE1r slov\xED\n", b"\xCE\xBAi 1\n\xCE\xBAi 2\n\xCE\xBAi 3\n\xCE\xBAi 4\n\xCE\xBAi 5\n\xCE\xBAi 6\n"),
        ("windows-874", b"\xC0\xCA\xD2\xB9\xBA\xA1\xC3\xD0\n", b"\xE1\xBA\xBA 1\n\xE1\xBA\xBA 2\n\xE1\xBA\xBA 3\n"),
        ("IBM866", b"\xAF\xE0\xA8\xA2\xA5\xE2\n", b"\xE7\xA0\xA9 10\n\xE7\xA0\xA9 20\n\xE8\xA0\xA3 30\n"),
        ("windows-1251", b"\xEF\xF0\xE8\xE2\xE5\xF2\n", b"\xD0\xB92\n\xD0\xB93\n\xD0\xB94\n\xD0\xB95\n\xD0\xB96\n\xD0\xB97\n"),
        ("GBK", b"\xC4\xE3\xBA\xC3\n", b"\xD0\xBB\xD0\xBB!\n\xED\x93\xB4a\n"),
        ("Big5", b"\xA4\xA4\xA4\xE5\n", b"\xE5\xB8\xBBy\n"),
        ("windows-31j", b"\x93\xFA\x96\x7B\n", b"\xE7\x80\x92f\n"),
        ("EUC-JP", b"\xC6\xFC\xCB\xDC\n", b"\xC2\xA4\n\xC3\xA4\n\xC4\xA4\n\xC5\xA4\n\xC6\xA4\n\xC7\xA4\n\xC8\xA4\n"),
    ] {
        write(at, "a", old);
        git_sh(at, "git add a && git commit --allow-empty -qm old").expect(0, "", "");
        write(at, "a", [old, added].concat());
        git_sh(at, &format!("git add a && $U check --staged --allow=double-encoded -f {encoding} a")).expect(0, "", "");
        // Text that is plainly UTF-8 is found.
        let line = "Größe, größer; привет, мир; 日本語の文章です\n";
        write(at, "a", [old, line.as_bytes()].concat());
        git_sh(at, &format!("git add a && $U check --staged -f {encoding} -l a")).expect(1, "a\n", "");
    }
}

/// The bytes of a short UTF-8 line are valid in most double-byte encodings, but decode to improbable text.
#[test]
fn short_lines_in_utf_8_are_found_among_two_byte_codes() {
    if !has("git") {
        return;
    }
    let dir = dir_with(&[]);
    let at = dir.path();
    git_sh(at, "git init -q .").expect(0, "", "");
    for (encoding, old, added) in [
        ("GB18030", "床前明月光，疑是地上霜。\n举头望明月，低头思故乡。\n", "你好\n"),
        ("CP949", "대한민국은 민주공화국이다.\n모든 권력은 국민으로부터 나온다.\n", "안녕\n"),
        ("windows-31j", "吾輩は猫である。名前はまだ無い。\nどこで生れたか\n", "x = \"メニュー\"\n"),
        ("EUC-JP", "吾輩は猫である。名前はまだ無い。\nどこで生れたか\n", "// 日本\n"),
        ("Big5", "床前明月光，疑是地上霜。\n舉頭望明月，低頭思故鄉。\n", "你好\n"),
    ] {
        write(at, "a", old);
        git_sh(at, &format!("$U -i -f UTF-8 -t {encoding} a; git add a; git commit -qm old"))
            .expect(0, "", "");
        let legacy = contents(at, "a");
        write(at, "a", [&legacy[..], added.as_bytes()].concat());
        let error = format!(
            "a:3:1: error: encodings mixed at byte {}: the line is UTF-8; HEAD is {encoding}; \
             use 'utfconv repair -i --candidates={encoding} a' to make all of it UTF-8 [mixed-encodings]\n",
            legacy.len()
        );
        for options in ["--staged", "--since=HEAD"] {
            let ran = git_sh(at, &format!("git add a; $U check {options} --excerpt=never"));
            ran.expect(1, &error, "utfconv: 1 error in 1 of 1 file\n");
        }
        let repair = format!("$U repair -i --candidates={encoding} a > /dev/null; cat a");
        git_sh(at, &repair).expect(0, [old, added].concat(), "");
        // The line is no error in the encoding of the file.
        write(at, "a", added);
        git_sh(at, &format!("$U -i -f UTF-8 -t {encoding} a")).expect(0, "", "");
        let line = contents(at, "a");
        write(at, "a", [legacy, line].concat());
        git_sh(at, "git add a; $U check --staged").expect(0, "", "");
    }
}

/// Each line with new U+FFFD is reported, also beside other changes. CR alone does not count as a newline in reports.
#[test]
fn all_new_marks_are_reported() {
    let Some(dir) = committed(&[
        ("cr", b"ab\xE9 x\rna\xEFve\rq\xE0\r"),
        ("legacy", b"caf\xE9 a\nna\xEFve\n"),
        ("plain", b"plain\n"),
        ("utf8", "Über\n".as_bytes()),
    ]) else {
        return;
    };
    let at = dir.path();
    write(at, "cr", "ab\u{FFFD} x\rna\u{FFFD}ve\rq\u{FFFD}\r");
    write(at, "legacy", "caf\u{FFFD} a é\nna\u{FFFD}ve\n");
    write(at, "plain", "plain\nlost \u{FFFD}\n");
    let lost = |text: &str, what: &str| format!("{text}: since HEAD, {what} [lost-characters]\n");
    let became = "bytes that are not UTF-8 became U+FFFD";
    let expected = [
        format!(
            "cr:1:3: error: lost characters at byte 2: since HEAD, {became}; \
             use 'utfconv repair --from-rev=HEAD -i cr' to restore them [lost-characters]\n"
        ),
        lost("cr:1:9: error: lost characters at byte 10", became),
        lost("cr:1:14: error: lost characters at byte 17", became),
        lost("legacy:1:4: error: lost characters at byte 3", "U+FFFD was added"),
        lost("legacy:2:3: error: lost characters at byte 14", became),
        lost("plain:2:6: error: lost characters at byte 11", "U+FFFD was added"),
    ];
    let errors = "utfconv: 6 errors in 3 of 3 files\n";
    git_sh(at, "$U check --since=HEAD --excerpt=never").expect(1, expected.concat(), errors);
    // An encoding that is given with `-f` does not apply to files that were UTF-8.
    write(at, "utf8", "Über alles\n");
    git_sh(at, "$U repair -f windows-1252 --from-rev -i utf8 && cat utf8").expect(0, "Über alles\n", "");
}

/// Text that was translated, deleted or rewritten in ASCII is not lost. Characters that were dropped in all lines are
/// lost.
#[test]
fn edits_of_text_are_no_loss() {
    if !has("git") {
        return;
    }
    let old = b"<td>\xEF\xEE\xEB\xED\xEE\xE5 \xE8\xEC\xFF</td>\n<b>\xD6\xE8\xEA\xEB</b> Foo\n\xA6 NODE \xA6 NAME \xA6\ncase '\xC0': case '\xC1':\nx\n";
    let translated =
        "<td>the full name</td>\n<b>Loop</b> Foo\n| NODE | NAME |\ncase '\\300': case '\\301':\nx\n";
    let dropped = "<td> </td>\n<b></b> Foo\n NODE  NAME \ncase '': other '':\nx\n";
    let dir = dir_with(&[("a", old)]);
    let at = dir.path();
    git_sh(at, "git init -q . && git add . && git commit -qm one").expect(0, "", "");
    write(at, "a", translated);
    git_sh(at, "$U check --since=HEAD").expect(0, "", "");
    write(at, "a", dropped);
    git_sh(at, "$U check --since=HEAD -l").expect(1, "a\n", "");
    // Each line with a loss is reported once, whether or not each of its losses is proven.
    write(at, "a", "<td> </td>\n<b></b> Foo\nNODE\ncase 'x': case '':\nx\n");
    let line =
        |at: &str| format!("a:{at}: since HEAD, bytes that are not UTF-8 were dropped [lost-characters]\n");
    let summary = "utfconv: 4 errors in 1 of 1 file\n";
    let lines = [
        "1:1: error: lost characters at byte 0",
        "2:1: error: lost characters at byte 11",
        "3:1: error: lost characters at byte 23",
        "4:1: error: lost characters at byte 28",
    ];
    git_sh(at, "$U check --since=HEAD --excerpt=never").expect(1, lines.map(line).concat(), summary);
    write(at, "a", "<td> </td>\n<b></b> Foo\nNODE\ncase '': case '':\nx\n");
    let lines = [lines[0], lines[1], lines[2], "4:1: error: lost characters at byte 28"];
    git_sh(at, "$U check --since=HEAD --excerpt=never").expect(1, lines.map(line).concat(), summary);
}

/// The files are UTF-8 now, so they pass all other checks.
#[test]
fn checks_know_what_was_there_before() {
    if !has("git") {
        return;
    }
    let (dir, old) = repository();
    let at = dir.path();
    for ((name, encoding, _), old) in TEXTS.iter().zip(&old) {
        write(at, name, edited(old, *encoding == "UTF-16LE"));
    }
    sh(at, "$U check --no-config western russian").expect(0, "", "");
    for (options, add) in [("--since=HEAD", ""), ("--staged", " && git add russian")] {
        let line = format!(
            "russian:1:1: error: lost characters at byte 0: since HEAD, bytes that are not UTF-8 became U+FFFD; use 'utfconv repair --from-rev=HEAD -i russian{add}' to restore them [lost-characters]\n"
        );
        sh(at, "git add russian").expect(0, "", "");
        let ran = sh(at, &format!("$U check {options} --max-errors=1 --excerpt=never russian"));
        assert_eq!(ran.status, 1, "{options}: {ran:?}");
        let stdout = String::from_utf8(ran.stdout).expect("UTF-8");
        assert!(stdout.starts_with(&line), "{options}: {stdout}");
    }
    for format in ["json", "sarif", "gitlab", "github", "junit"] {
        let ran = sh(at, &format!("$U check --since=HEAD --format={format}"));
        let stdout = String::from_utf8_lossy(&ran.stdout).into_owned();
        let has_it = stdout.contains("lost-characters") || stdout.contains("were lost");
        assert!(ran.status == 1 && has_it, "{format}: {stdout}");
    }
    // The rule can be disabled, and a restored file has lost nothing.
    sh(at, "$U check -q --since=HEAD --allow=lost-characters western russian").expect(0, "", "");
    sh(at, "$U repair --from-rev -i > /dev/null && $U check --since=HEAD -f windows-1252 western")
        .expect(0, "", "");
    // A file that was UTF-8 gets a new U+FFFD.
    sh(at, "$U -i -f windows-1252 western && git add . && git commit -qm utf8 && sed -i 's/plain/pl\u{fffd}in/' western")
        .expect(0, "", "");
    let ran = sh(at, "$U check --since=HEAD western");
    ran.expect(
        1,
        "western:3:7: error: lost characters at byte 51: since HEAD, U+FFFD was added [lost-characters]\n",
        "utfconv: 1 error in 1 of 1 file\n",
    );
}

/// An added or missing byte shifts all following code units, and the file looks binary.
#[test]
fn text_of_wide_units_that_became_binary_is_reported() {
    if !has("git") {
        return;
    }
    let dir = dir_with(&[
        ("new", "Привет, как дела?\nЭто русский текст.\n".as_bytes()),
        ("data", b"\x89PNG\r\n\x1A\n\0\0\0"),
    ]);
    let at = dir.path();
    let commit = "git init -q . && $U -i -t UTF-16 new && git add . && git commit -qm old && cp new old";
    sh(at, commit).expect(0, "", "");
    let error = "new:1:1: error: wrong encoding at byte 0: looks binary, but was UTF-16 in HEAD: a byte may be missing or added; \
         use 'utfconv inspect -f UTF-16 new' to find it [wrong-encoding]\n";
    for shift in ["tail -c +2 old > new", "(printf x; cat old) > new"] {
        sh(at, &format!("{shift}; echo >> data; git add new data")).expect(0, "", "");
        for options in ["--since=HEAD", "--staged"] {
            let summary = "utfconv: 1 error in 1 of 1 file; 1 binary file skipped\n";
            sh(at, &format!("$U check {options}")).expect(1, error, summary);
        }
    }
    sh(at, "cp old new; git add new; $U check --staged").expect(0, "", "");
}

#[test]
fn a_repository_without_commits_has_no_old_versions() {
    if !has("git") {
        return;
    }
    let dir = dir_with(&[("a", "é\u{FFFD}\n".as_bytes())]);
    sh(dir.path(), "git init -q . && git add a && $U check --staged").expect(0, "", "");
}

/// Errors that the old version has are not new. They are compared by content, so an error that moved is distinguished
/// from an error that was added.
#[test]
fn only_what_got_worse_is_reported() {
    if !has("git") {
        return;
    }
    let bad = b"one\nb\xE9d\nsch\xC3\x83\xC2\xB6n\n";
    let dir = dir_with(&[("a", bad), (".utfconv", b"")]);
    let at = dir.path();
    let git = "git init -q . && git config user.email a@b.c && git config user.name a";
    sh(at, &format!("{git} && git add a && git commit --allow-empty -qm old")).expect(0, "", "");
    write(at, "a", [b"new\n", &bad[..]].concat());
    for options in ["--since=HEAD", "--staged", "--since=HEAD -q", "--since=HEAD --format=github"] {
        sh(at, &format!("git add a && $U check --no-config {options}")).expect(0, "", "");
    }
    let old = "a:3:2: error: invalid UTF-8 (truncated) at byte 9: E9 ";
    let ran = sh(at, "$U check --since=HEAD --all-errors");
    let stdout = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(ran.status == 1 && stdout.starts_with(old) && stdout.lines().count() == 1, "{stdout}");
    // The edit adds the same bytes in another line, and new double-encoded text.
    write(at, "a", [&bad[..], b"b\xE9\ngr\xC3\x83\xC2\xBCn\n"].concat());
    sh(at, "git add a").expect(0, "", "");
    for option in ["--since=HEAD", "--staged"] {
        let ran = sh(at, &format!("$U check --excerpt=never {option}"));
        let stdout = String::from_utf8_lossy(&ran.stdout).into_owned();
        let lines: Vec<_> = stdout.lines().collect();
        assert!(ran.status == 1 && lines.len() == 1 && lines[0].starts_with("a:4:2: error: "), "{stdout}");
    }
    write(at, "b", "sch\u{f6}n\n");
    sh(at, "git add b && git commit -qm new").expect(0, "", "");
    write(at, "b", "sch\u{f6}n\nwe\u{e2}\u{20ac}\u{2122}re f\u{c3}\u{bc}r\n");
    for format in ["text", "json", "sarif", "gitlab", "github", "junit"] {
        let ran = sh(at, &format!("$U check --since=HEAD --format={format}"));
        let stdout = String::from_utf8_lossy(&ran.stdout).into_owned();
        let has_it = stdout.contains("double-encoded") || stdout.contains("read as windows-1252");
        assert!(ran.status == 1 && has_it, "{format}: {stdout}");
    }
    sh(at, "$U check --since=HEAD --all-errors b").expect(0, "", "");
    // Without an old version, all errors are new.
    write(at, "c", bad);
    let ran = sh(at, "git add c && $U check --staged --format=json c");
    let stdout = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(ran.status == 1 && stdout.contains("ill-formed"), "{stdout}");
    let ran = sh(at, "$U check --all-errors a");
    ran.expect(2, "", "utfconv: --all-errors requires --since or --staged\n");
}

/// A file in another encoding that is not declared to be UTF-8 may keep it, also if a line is edited.
#[test]
fn a_file_that_keeps_its_encoding_is_no_new_error() {
    let old = b"Sch\xF6ne Gr\xFC\xDFe aus M\xFCnchen\nplain\nf\xFCr n\xE4chste Woche\n";
    let Some(dir) = committed(&[("a", old), (".editorconfig", b"root = true\n")]) else { return };
    let at = dir.path();
    write(at, "a", String::from_utf8_lossy(old).replace("plain", "plains").replace("Woche", "Tage"));
    git_sh(
        at,
        "$U repair --from-rev -i a > /dev/null && git add a && $U check --staged && $U check --since=HEAD",
    )
    .expect(0, "", "");
    assert!(contents(at, "a").ends_with(b"\nf\xFCr n\xE4chste Tage\n"));
    let wrong = |errors: &str, at: &str, byte: u64| {
        format!(
            "a:{at}: error: wrong encoding at byte {byte}: looks like windows-1252, not UTF-8: {errors}; convert it with 'utfconv -i -f windows-1252 a', or list them with --verbose [wrong-encoding]\n"
        )
    };
    // If UTF-8 is declared, or the line is in another encoding, an error is reported.
    git_sh(at, "$U check --staged --all-errors --excerpt=never").expect(
        1,
        wrong("6 errors", "1:4", 3),
        "utfconv: 6 errors in 1 of 1 file\n",
    );
    write(at, ".editorconfig", "root = true\n[*]\ncharset = utf-8\n");
    let summary = "utfconv: 2 errors in 1 of 1 file\n";
    git_sh(at, "$U check --staged --excerpt=never").expect(1, wrong("2 errors", "3:2", 33), summary);
    write(at, ".editorconfig", "root = true\n");
    git_sh(at, "git commit -qam new && $U -f windows-1252 -t IBM850 a > b && mv b a").expect(0, "", "");
    git_sh(at, "$U check --since=HEAD -l a").expect(1, "a\n", "");
}

/// A file may also keep an encoding that is only a guess, unless it has more errors than before.
#[test]
fn a_file_that_keeps_a_guessed_encoding_is_no_new_error() {
    let Some(dir) = committed(&[
        ("a", b"a layer 5\xB5m, thickness 7\xB5m\n"),
        ("declared", b"<?xml version='1.0' encoding='UTF-8'?>\n<a>5\xB5m</a>\n"),
    ]) else {
        return;
    };
    let at = dir.path();
    sh(at, "$U detect a | cut -d: -f2").expect(0, " windows-1252 (guess\n", "");
    write(at, "a", b"a layer 5\xB5m, not 7\xB5m\n");
    write(at, "declared", b"<?xml version='1.0' encoding='UTF-8'?>\n<a>5\xB5m bar</a>\n");
    git_sh(at, "$U check --since=HEAD -l").expect(1, "declared\n", "");
    write(at, "a", b"a layer 5\xB5m, thickness 7\xB5m, 9\xB5m\n");
    git_sh(at, "$U check --since=HEAD -l a").expect(1, "a\n", "");
}

/// An encoding is kept if only the new version is a guess, and if another one reads the old version alike.
#[test]
fn a_file_that_keeps_a_similar_encoding_is_no_new_error() {
    let czech = b"v\xFDpis informac\xED o metrice Postscriptov\xE9ho fontu";
    let Some(dir) = committed(&[("guess", b"f\xFCr die \xDCbersetzung\n"), ("czech", czech)]) else { return };
    let at = dir.path();
    sh(at, "$U detect czech guess | cut -d' ' -f2,3 | tr '\\n' ' '").expect(
        0,
        "windows-1250 (likely: windows-1252 (likely: ",
        "",
    );
    write(at, "guess", b"f\xFCr die Version\n");
    write(at, "czech", [czech, &b" nov\xECj\xB9\xED\n"[..]].concat());
    sh(at, "$U detect czech guess | cut -d' ' -f2,3 | tr '\\n' ' '").expect(
        0,
        "ISO-8859-2 (likely: windows-1252 (guess: ",
        "",
    );
    git_sh(at, "$U check --since=HEAD").expect(0, "", "");
}

/// A file of ASCII has no encoding to keep: most encodings decode it alike.
#[test]
fn an_encoding_that_is_new_in_ascii_is_an_error() {
    let old = b"Hello world, plain text\n";
    let Some(dir) = committed(&[("a", old)]) else { return };
    let at = dir.path();
    write(at, "a", [&old[..], b"f\xFCr die \xDCbersetzung gr\xF6\xDFerer Texte\n"].concat());
    git_sh(at, "$U check --since=HEAD -l").expect(1, "a\n", "");
}

/// A line in another encoding among lines of UTF-8 gets no advice to convert the file, which would damage these lines.
#[test]
fn a_file_that_keeps_its_utf8_is_in_no_other_encoding() {
    let Some(dir) = committed(&[("a", "uživatele\n".as_bytes())]) else { return };
    let at = dir.path();
    write(at, "a", "uživatele\n".bytes().chain(*b".SH POU\xA6IT\xD6\n").collect::<Vec<_>>());
    sh(at, "$U check a 2>/dev/null | grep -o \"'utfconv.*'\"").expect(0, "'utfconv -i -f IBM852 a'\n", "");
    let ran = git_sh(at, "$U check --since=HEAD --excerpt=always");
    let stdout = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(ran.status == 1 && stdout.contains("'utfconv repair a' shows what can be repaired"), "{stdout}");
    assert!(!stdout.contains("IBM852"), "{stdout}");
    git_sh(at, "$U repair -i a 2>/dev/null >&2; cat a").expect(0, "uživatele\n.SH POUŽITÍ\n", "");
}

/// A file that mixes encodings is UTF-8 with errors, so its repair loses no characters.
#[test]
fn a_repair_of_a_mixed_file_is_no_loss() {
    let Some(dir) = committed(&[("a", b"zur\xC3\xBCck f\xC3\xBCr\n\xC3\x84nderung\nsp\xE4ter\n")]) else {
        return;
    };
    let at = dir.path();
    git_sh(at, "$U repair -i a 2>/dev/null >&2; $U check --since=HEAD").expect(0, "", "");
    assert_eq!(contents(at, "a"), "zurück für\nÄnderung\nspäter\n".as_bytes());
}

/// UTF-8 with errors is still detected as UTF-8, so its new errors are reported.
#[test]
fn new_errors_of_utf8_are_reported() {
    let text = "Grüße\n".repeat(5);
    let Some(dir) = committed(&[("u", text.as_bytes())]) else { return };
    let at = dir.path();
    let cut = &text.as_bytes()[..text.len() - 3];
    for (new, error) in [
        (
            [text.as_bytes(), b"caf\xE9 x\n"].concat(),
            "u:6:4: error: invalid UTF-8 (truncated) at byte 43: E9 ",
        ),
        (cut.to_vec(), "u:5:4: error: invalid UTF-8 (truncated) at byte 36: C3 "),
    ] {
        write(at, "u", &new);
        for options in ["--since=HEAD", "--staged"] {
            let ran = git_sh(at, &format!("git add u && $U check --excerpt=never {options}"));
            let stdout = String::from_utf8_lossy(&ran.stdout).into_owned();
            assert!(ran.status == 1 && stdout.starts_with(error), "{options}: {stdout}");
            assert_eq!((stdout.lines().count(), &ran.stderr[..]), (1, SUMMARY_OF_ONE), "{options}");
        }
        assert_eq!(contents(at, "u"), new);
    }
}

/// Summary of `check` for one error.
const SUMMARY_OF_ONE: &str = "utfconv: 1 error in 1 of 1 file\n";

#[test]
fn changes_besides_the_text_are_reported_on_request() {
    if !has("git") {
        return;
    }
    let german =
        "Die Gr\u{f6}\u{df}e f\u{fc}r \u{e4}ltere B\u{e4}ume und \u{fc}ber die H\u{f6}he der St\u{e4}mme.\n"
            .repeat(4);
    let crlf = german.replace('\n', "\r\n");
    let latin1: Vec<u8> = german.chars().map(|scalar| scalar as u8).collect();
    let utf16 = |text: &str| -> Vec<u8> {
        "\u{feff}".chars().chain(text.chars()).flat_map(|scalar| (scalar as u16).to_le_bytes()).collect()
    };
    let bom = format!("\u{feff}{german}").into_bytes();
    type Case = (&'static str, Vec<u8>, Vec<u8>, &'static [&'static str]);
    let cases: [Case; 9] = [
        ("encoding", latin1.clone(), german.clone().into_bytes(), &["encoding"]),
        ("utf16", utf16(&german), german.clone().into_bytes(), &["encoding", "bom"]),
        ("bom", german.clone().into_bytes(), bom.clone(), &["bom"]),
        ("no-bom", bom, german.clone().into_bytes(), &["bom"]),
        ("crlf", german.clone().into_bytes(), crlf.clone().into_bytes(), &["newlines"]),
        ("wide", utf16(&german), utf16(&crlf), &["newlines"]),
        ("ascii", b"a\n".to_vec(), "a\n\u{e9}t\u{e9}\n".into(), &[]),
        ("same", latin1.clone(), [&latin1[..], b"more\n"].concat(), &[]),
        ("uniform", b"a\r\nb\n".to_vec(), b"a\nb\n".to_vec(), &[]),
    ];
    let dir = dir_with(&[("x", b"")]);
    let at = dir.path();
    for (name, old, ..) in &cases {
        write(at, name, old);
    }
    let git = "git init -q . && git config user.email a@b.c && git config user.name a && git config core.autocrlf false";
    sh(at, &format!("{git} && git add . && git commit -qm old")).expect(0, "", "");
    cases.iter().for_each(|(name, _, new, _)| write(at, name, new));
    for (name, _, _, rules) in &cases {
        for rule in ["encoding", "bom", "newlines"] {
            let command =
                format!("$U check --no-config --since=HEAD --rule=changed-{rule} --format=json {name}");
            let stdout = String::from_utf8_lossy(&sh(at, &command).stdout).into_owned();
            let has_it = stdout.contains(&format!("\"changed-{rule}\""));
            assert_eq!(has_it, rules.contains(&rule), "{name} {rule}: {stdout}");
        }
    }
    let all = "$U check --no-config --since=HEAD --rule=changed-encoding,changed-bom,changed-newlines --excerpt=never";
    sh(at, &format!("{all} crlf no-bom encoding")).expect(
        1,
        "crlf:1:1: error: newlines changed at byte 0: the line ends with CRLF; HEAD has only LF [changed-newlines]\n\
         no-bom:1:1: error: BOM added or removed at byte 0: the BOM of HEAD is gone [changed-bom]\n\
         encoding:1:1: error: encoding changed at byte 0: the encoding is UTF-8; that of HEAD is windows-1252 [changed-encoding]\n",
        "utfconv: 3 errors in 3 of 3 files\n",
    );
    for rule in ["changed-encoding", "changed-bom", "changed-newlines", "lost-characters"] {
        let text =
            format!("utfconv: --rule {rule} compares files with old versions; use --since REV or --staged\n");
        sh(at, &format!("$U check --rule={rule} crlf")).expect(2, "", &text);
    }
}

/// Text that was misread and saved as UTF-8 is a loss, also if the encoding of the old version was detected. A correct
/// conversion to UTF-8 is none.
#[test]
fn misread_text_of_a_detected_encoding_is_reported() {
    let text = "Загальна інформація про систему\nСторінка не знайдена, спробуйте ще\nпомилка читання файлу\n";
    let old = WINDOWS_1251.encode(text).expect("has codes");
    let Some(dir) = committed(&[("a.txt", &old), ("b.txt", &old)]) else { return };
    let at = dir.path();
    sh(at, "$U -i -f IBM866 a.txt && $U -i -f windows-1251 b.txt").expect(0, "", "");
    let ran = git_sh(at, "$U check --excerpt=never --since=HEAD a.txt b.txt");
    let stdout = String::from_utf8_lossy(&ran.stdout);
    let first = "a.txt:1:1: error: lost characters at byte 0: since HEAD, it was read as IBM866; use";
    assert!(ran.status == 1 && stdout.starts_with(first) && !stdout.contains("b.txt"), "{ran:?}");
    git_sh(at, "$U repair --from-rev=HEAD -i a.txt >log && git diff --quiet a.txt").expect(0, "", "");
}

/// A program rewrote files that are declared in a code page as UTF-8, so their characters became U+FFFD. `check` reports
/// only lost characters, not errors of the declared encoding, and one command restores each file.
#[test]
fn lost_characters_are_no_errors_of_the_declared_encoding() {
    if !has("git") {
        return;
    }
    let old = b"caf\xE9\nna\xEFve\nplain\n";
    let russian = b"\xC2\xF1\xE5 \xF1\xE5\xEC\xFC\xE8\nplain\n\xED\xE5\xF1\n";
    let japanese = b"\x8C\xE1\x94y\x82\xCD\x94L\nplain\n\x96\xBC\x91O\n";
    let attributes = b"*.md encoding=windows-1252\n*.txt encoding=latin1\n*.ru encoding=windows-1251\n*.ja encoding=Shift_JIS\n";
    let files: [(&str, &[u8]); 4] = [("a.md", old), ("a.txt", old), ("a.ru", russian), ("a.ja", japanese)];
    let dir = dir_with(&files);
    let at = dir.path();
    write(at, ".gitattributes", attributes);
    for name in ["mixed.md", "converted.md", "new.md", "misread.ru"] {
        let from = if name.ends_with(".ru") { "a.ru" } else { "a.md" };
        sh(at, &format!("cp {from} {name}")).expect(0, "", "");
    }
    git_sh(at, "git init -q . && git add . && git commit -qm one").expect(0, "", "");
    for (name, old) in &files {
        write(at, name, String::from_utf8_lossy(old).replace("plain", "not plain"));
    }
    let lost = |name: &str, bytes: [(&str, u64); 2], old_way: &str, is_staged: bool| {
        let [(one, first), (other, second)] = bytes;
        let lost =
            |at, byte| format!("{name}:{at}: error: lost characters at byte {byte}: since HEAD, {old_way}");
        let add = if is_staged { format!(" && git add {name}") } else { String::new() };
        let repair = format!("; use 'utfconv repair --from-rev=HEAD -i {name}{add}' to restore them");
        format!("{}{repair} [lost-characters]\n{} [lost-characters]\n", lost(one, first), lost(other, second))
    };
    let marks = "bytes that are not UTF-8 became U+FFFD";
    for (name, bytes) in [
        ("a.md", [("1:4", 3), ("2:3", 9)]),
        ("a.txt", [("1:4", 3), ("2:3", 9)]),
        ("a.ru", [("1:1", 0), ("3:1", 36)]),
        ("a.ja", [("1:1", 0), ("3:1", 24)]),
    ] {
        let summary = "utfconv: 2 errors in 1 of 1 file\n";
        for options in ["--since=HEAD", "--staged", "--since=HEAD --verbose", "--staged --all-errors"] {
            let lost = lost(name, bytes, marks, options.starts_with("--staged"));
            let ran = git_sh(at, &format!("git add {name}; $U check --excerpt=never {options} {name}"));
            assert_eq!((ran.status, &*String::from_utf8_lossy(&ran.stdout)), (1, &*lost), "{options}");
            assert_eq!(ran.stderr.lines().next_back(), summary.lines().next(), "{options}");
        }
        // The suggested command restores the file.
        git_sh(at, &format!("$U repair --from-rev=HEAD -i {name} > log && $U check --since=HEAD {name}"))
            .expect(0, "", "");
        let restored = files.iter().find(|(file, _)| *file == name).expect("is there").1;
        let edited = String::from_utf8_lossy(&contents(at, name)).contains("not plain");
        assert!(edited && contents(at, name).len() == restored.len() + "not ".len(), "{name}");
    }
    let checked = |name: &str, expected: &str| {
        let ran = git_sh(at, &format!("git add {name}; $U check --excerpt=never --staged {name}"));
        assert_eq!((ran.status, &*String::from_utf8_lossy(&ran.stdout)), (1, expected), "{name}");
    };
    // The file was decoded in a wrong encoding.
    sh(at, "$U --no-config -i -f windows-1252 -t UTF-8 misread.ru").expect(0, "", "");
    checked("misread.ru", &lost("misread.ru", [("1:1", 0), ("3:1", 24)], "it was read as ISO-8859-1", true));
    // The original of some characters is not proven.
    write(at, "new.md", "caf\u{FFFD}\nna\u{FFFD}ve\nplain\ngr\u{FFFD}n\n");
    let see = "; use 'utfconv repair --from-rev=HEAD new.md' to see what can be restored";
    let lost_at = |at: &str, byte: u64, end: &str| {
        format!(
            "new.md:{at}: error: lost characters at byte {byte}: since HEAD, {marks}{end} [lost-characters]\n"
        )
    };
    checked("new.md", &[lost_at("1:4", 3, see), lost_at("2:3", 9, ""), lost_at("4:3", 23, "")].concat());
    // A UTF-8 line was added.
    write(at, "mixed.md", [b"x\nGr\xEF\xBF\xBDn\nf\xEF\xBF\xBDr\n", &old[..]].concat());
    let added = |name: &str, at: &str, byte: u64| {
        format!(
            "{name}:{at}: error: lost characters at byte {byte}: since HEAD, U+FFFD was added [lost-characters]\n"
        )
    };
    checked("mixed.md", &[added("mixed.md", "2:3", 4), added("mixed.md", "3:2", 10)].concat());
    // The whole file was converted.
    let wrong = |fix: &str| {
        format!(
            "converted.md:1:4: error: wrong encoding at byte 3: looks like UTF-8, not windows-1252; {fix} [wrong-encoding]\n"
        )
    };
    write(at, "converted.md", "café\nnaïve\nplain\n");
    checked("converted.md", &wrong("convert it with 'utfconv -i -f UTF-8 -t windows-1252 converted.md'"));
    // No conversion restores lost characters.
    let wrong = wrong(
        "restore its lost characters (U+FFFD) with 'utfconv repair --from-rev converted.md', or --from=OLD",
    );
    write(at, "converted.md", "café\nnaïve\nplain\ngr\u{FFFD}n\n");
    checked("converted.md", &format!("{wrong}{}", added("converted.md", "4:3", 21)));
    let summary = "utfconv: 1 error in 1 of 1 file\n";
    git_sh(at, "$U check --excerpt=never converted.md").expect(1, wrong, summary);
    let ja = "a.ja:1:1: error: wrong encoding at byte 0: looks like UTF-8, not Shift_JIS: 6 errors; restore its lost characters (U+FFFD) with 'utfconv repair --from-rev a.ja', or --from=OLD; --verbose lists the errors [wrong-encoding]\n";
    let damaged = String::from_utf8_lossy(japanese).into_owned();
    write(at, "a.ja", &damaged);
    git_sh(at, "$U check --excerpt=never a.ja").expect(1, ja, "utfconv: 6 errors in 1 of 1 file\n");
    // U+FFFD is also found across a chunk boundary.
    for len in 65_530..65_540 {
        write(at, "new.md", format!("{}\u{FFFD}\n", "x".repeat(len)));
        let ran = git_sh(at, "$U check --excerpt=never new.md");
        assert!(String::from_utf8_lossy(&ran.stdout).contains("restore its lost"), "{len}: {ran:?}");
    }
}

/// One command restores all lines of a file, so the report shows it once, and lists only some lines.
#[test]
fn reports_of_many_lines_are_short() {
    let old = b"caf\xE9 du matin\n".repeat(500);
    let Some(dir) = committed(&[("a", &old)]) else { return };
    let at = dir.path();
    write(at, "a", &*String::from_utf8_lossy(&old));
    let lines = |count: usize, add: &str, end: &str| {
        let line = |number| {
            let byte = 3 + (number - 1) * 16;
            let advice = match number {
                1 => format!("; use 'utfconv repair --from-rev=HEAD -i a{add}' to restore them{end}"),
                _ => String::new(),
            };
            format!(
                "a:{number}:4: error: lost characters at byte {byte}: since HEAD, bytes that are not UTF-8 became U+FFFD{advice} [lost-characters]\n"
            )
        };
        (1..=count).map(line).collect::<String>()
    };
    let summary = "utfconv: 500 errors in 1 of 1 file\n";
    let all = "; use --verbose to list all 500 lines";
    for (options, count, add, end) in [
        ("--staged", 10, " && git add a", all),
        ("--since=HEAD", 10, "", all),
        ("--since=HEAD --all-errors --max-errors=5", 5, "", all),
        ("--since=HEAD --verbose", 500, "", ""),
        ("--since=HEAD --max-errors=0", 500, "", ""),
    ] {
        git_sh(at, &format!("git add a; $U check --excerpt=never {options} a")).expect(
            1,
            lines(count, add, end),
            summary,
        );
    }
    let head = "a: repair: 500 lost characters from HEAD: bytes that are not UTF-8 became U+FFFD\n";
    let lines = |count: usize| {
        (1..=count).map(|line| format!("a:{line}: repair: lost characters\n")).collect::<String>()
    };
    let more = "a: 500 changes to make with -i, 400 lines not listed; use --max-errors=0 to list all\n";
    git_sh(at, "$U repair --from-rev a").expect(1, format!("{head}{}{more}", lines(100)), "");
    let last = "a: 500 changes to make with -i\n";
    git_sh(at, "$U repair --from-rev --max-errors=0 a").expect(1, format!("{head}{}{last}", lines(500)), "");
    // The command that the report suggests restores the whole file.
    git_sh(at, "$U repair --from-rev=HEAD -i a >../log && git add a && $U check --staged; rm ../log")
        .expect(0, "", "");
}

/// Damaged UTF-16 still has NULs, but cannot be decoded.
#[test]
fn damaged_utf16_is_restored_and_not_converted() {
    if !has("git") {
        return;
    }
    let wide: Vec<u8> = "\u{FEFF}Grüße aus München\nplain text\nfür nächste Woche\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let dir = dir_with(&[("a", &wide)]);
    let at = dir.path();
    git_sh(at, "git init -q . && git add . && git commit -qm one").expect(0, "", "");
    write(at, "a", &*String::from_utf8_lossy(&wide));
    let summary = "utfconv: 1 error in 1 of 1 file\n";
    for (option, add) in [("--since=HEAD", ""), ("--staged", " && git add a")] {
        let lost = format!(
            "a:1:1: error: lost characters at byte 0: since HEAD, bytes that are not UTF-8 became U+FFFD; use 'utfconv repair --from-rev=HEAD -i a{add}' to restore them [lost-characters]\n"
        );
        let ran = git_sh(at, &format!("git add a; $U check --excerpt=never {option}"));
        let stdout = String::from_utf8_lossy(&ran.stdout).into_owned();
        assert!(ran.status == 1 && stdout.starts_with(&lost), "{stdout}");
        assert!(stdout.lines().all(|line| line.ends_with(" [lost-characters]")), "{stdout}");
    }
    let wrong = "a:1:1: error: wrong encoding at byte 0: looks like UTF-16LE, not UTF-8; restore its lost characters (U+FFFD) with 'utfconv repair --from-rev a', or --from=OLD [wrong-encoding]\n";
    git_sh(at, "$U check --excerpt=never a").expect(1, wrong, summary);
    git_sh(at, "$U repair --from-rev -i a > /dev/null").expect(0, "", "");
    assert_eq!(contents(at, "a"), wide);
    // `git diff` shows no differences of binary files.
    write(at, "a", "Grüße aus München\nplain text\nfür \u{FFFD}\n");
    let log = git_sh(at, "$U repair --from-rev a").stdout;
    let log = String::from_utf8(log).expect("UTF-8");
    let (_, command) = log.split_once("; use 'git show ").expect("has a command");
    let (command, _) = command.split_once("' to see what changed").expect("has an end");
    let differences = "3c3\n< für nächste Woche\n---\n> für \u{FFFD}\n";
    git_sh(at, &format!("git show {}", command.replace("utfconv", "$U"))).expect_part(1, differences, "");
}

/// Creates a repository with a committed file and the filter `git-filter` for it.
fn filtered(filter: &str, text: &str, to: &str) -> tempfile::TempDir {
    let dir = dir_with(&[(".gitattributes", b"*.txt filter=w -text\n")]);
    let at = dir.path();
    rewrite(at, text, to);
    git_sh(at, &format!("git init -q .; git config filter.w.process \"$U git-filter {filter}\"; git config filter.w.required true; git add . && git commit -qm one"))
        .expect(0, "", "");
    dir
}

/// Writes a.txt in the encoding `to`.
fn rewrite(at: &Path, text: &str, to: &str) {
    write(at, "a.txt", text);
    sh(at, &format!("$U -f UTF-8 -t {to} < a.txt > b && mv b a.txt")).expect(0, "", "");
}

/// Staged files are compared as they are checked out in the work tree, and the printed command restores them.
#[test]
fn staged_files_are_compared_as_they_are_checked_out() {
    if !has("git") {
        return;
    }
    let error = |at: &str, text: &str, what: &str, fix: &str| {
        format!(
            "a.txt:{at}: error: lost characters at byte {text}: since HEAD, {what}{fix} [lost-characters]\n"
        )
    };
    let (others, dropped) =
        ("characters that are not ASCII became", "characters that are not ASCII were dropped");
    let gone =
        "; use 'utfconv repair --from-rev=HEAD --damage=dropped -i a.txt && git add a.txt' to restore them";
    let repair = "; use 'utfconv repair --from-rev=HEAD --damage=question-marks -i a.txt && git add a.txt' to restore them";
    let diff = "; use 'git diff --cached -- a.txt' to see what changed";
    for (filter, to, old, new, errors) in [
        (
            "-t windows-31j",
            "UTF-8",
            "東京都\n大阪府\nabc\n",
            "???\n???\nabcd\n",
            [("1:1", "0", &format!("{others} '?'")[..], repair), ("2:1", "4", &format!("{others} '?'"), "")],
        ),
        (
            "-t GB18030",
            "UTF-8",
            "東京都\n大阪府\nabc\n",
            "東京\u{FFFD}\n大\u{FFFD}府\nabcd\n",
            [("1:3", "4", "U+FFFD was added", ""), ("2:2", "11", "U+FFFD was added", "")],
        ),
        (
            "-t windows-1252",
            "UTF-8",
            "Müller grün\nKöln\n",
            "Mller grn\nKln\n",
            [("1:1", "0", dropped, gone), ("2:1", "10", dropped, "")],
        ),
        (
            "-f UTF-16LE-BOM",
            "UTF-16LE-BOM",
            "Müller\nGröße\n",
            "M\u{FFFD}ller\nGr\u{FFFD}\u{FFFD}e\n",
            [("1:2", "1", &format!("{others} U+FFFD"), diff), ("2:3", "11", &format!("{others} U+FFFD"), "")],
        ),
    ] {
        let dir = filtered(filter, old, to);
        let at = dir.path();
        rewrite(at, new, to);
        let expected = errors.map(|(place, byte, what, fix)| error(place, byte, what, fix)).concat();
        let ran = git_sh(at, "git add . && $U check --staged --excerpt=never");
        ran.expect(1, expected, "utfconv: 2 errors in 1 of 1 file\n");
        if errors[0].3 == repair {
            let restored = "$U repair --from-rev=HEAD --damage=question-marks -i a.txt > /dev/null && git add a.txt && $U check --staged && cat a.txt";
            git_sh(at, restored).expect(0, "東京都\n大阪府\nabcd\n", "");
        }
    }
}

/// Programs for other encodings lose characters, too. No repair can restore them.
#[test]
fn losses_in_a_file_that_keeps_its_encoding_are_reported() {
    if !has("git") {
        return;
    }
    let marks = "Gr\u{FFFD}\u{FFFD}e xy\nMüller\n";
    for (to, config, new, byte, fix) in [
        ("UTF-16", "", marks, 6, "'utfconv edit a.txt' to correct the text"),
        ("UTF-16LE", "charset = utf-16le\n", marks, 4, "'utfconv edit a.txt' to correct the text"),
        ("GB18030", "charset = gb18030\n", marks, 2, "'git diff HEAD -- a.txt' to see what changed"),
    ] {
        let dir = dir_with(&[(".editorconfig", format!("root = true\n[*.txt]\n{config}").as_bytes())]);
        let at = dir.path();
        rewrite(at, "Größe xy\nMüller\n", to);
        git_sh(at, "git init -q .; git config core.autocrlf false; git add . && git commit -qm one")
            .expect(0, "", "");
        rewrite(at, new, to);
        let error = format!(
            "a.txt:1:3: error: lost characters at byte {byte}: since HEAD, characters that are not ASCII became U+FFFD; use {fix} [lost-characters]\n"
        );
        let errors = "utfconv: 1 error in 1 of 1 file\n";
        git_sh(at, "$U check --since=HEAD --excerpt=never").expect(1, &error, errors);
        git_sh(at, "git add . && $U check --staged --excerpt=never").expect(
            1,
            error.replace("git diff HEAD", "git diff --cached"),
            errors,
        );
        // Other changed text is an edit.
        rewrite(at, "Maße xy?\nMüller\n", to);
        git_sh(at, "$U check --since=HEAD").expect(0, "", "");
    }
}

/// Several letters missing in one line were not deleted on purpose.
#[test]
fn losses_in_one_line_are_reported() {
    let Some(dir) = committed(&[("a", b"/* \xA9 2020 M\xFCller, \x93D\xFCsseldorf\x94 */\nint main() {\n")])
    else {
        return;
    };
    let at = dir.path();
    let old = contents(at, "a");
    for (line, what, damage) in [
        ("/*  2020 Mller, Dsseldorf */", "were dropped", "dropped"),
        ("/* ? 2020 M?ller, ?D?sseldorf? */", "became '?'", "question-marks"),
    ] {
        write(at, "a", format!("{line}\nint main() {{\n"));
        let error = format!(
            "a:1:1: error: lost characters at byte 0: since HEAD, bytes that are not UTF-8 {what}; use 'utfconv repair --from-rev=HEAD --damage={damage} -i a && git add a' to restore them [lost-characters]\n"
        );
        let ran = git_sh(at, "git add . && $U check --staged --excerpt=never");
        ran.expect(1, error, "utfconv: 1 error in 1 of 1 file\n");
        let repair = format!("$U repair --from-rev=HEAD --damage={damage} -i a > /dev/null");
        git_sh(at, &format!("{repair} && git add a && $U check --staged")).expect(0, "", "");
        assert_eq!(contents(at, "a"), old, "{line}");
    }
    // Replacing or deleting characters in the ways below is a deliberate edit.
    for line in ["/* (c) 2020 Mueller, Duesseldorf */", "/* 2020 Muller, Dusseldorf */", "/* 2020 */", ""] {
        write(at, "a", format!("{line}\nint main() {{\n"));
        git_sh(at, "$U check --since=HEAD").expect(0, "", "");
    }
    write(at, "a", b"/* \x93Hallo\x94 \x96 D\xFCsseldorf */\nx\n");
    git_sh(at, "git add . && git commit -qm two").expect(0, "", "");
    // Characters missing in several places of an otherwise unchanged line are a loss, also if they are symbols.
    write(at, "a", "/* Hallo  Dsseldorf */\nx\n");
    git_sh(at, "$U check --since=HEAD -l").expect(1, "a\n", "");
}

/// Text in Shift_JIS without its other bytes looks as if it had been read as ISO-8859-1. That is a loss, although the
/// encoding was only detected.
#[test]
fn east_asian_text_without_its_other_bytes_is_reported() {
    if !has("git") {
        return;
    }
    let table = "\"Littoral\"\t\"リトラル\"\n\"Liverpool\"\t\"リヴァプール\"\n\"Livorno\"\t\"リヴォルノ\"\n\
                 \"Lobaye\"\t\"ロバイエ州\"\n\"Loei\"\t\"ルーイ\"\n\"Lofa\"\t\"ロファ\"\n\"Loja\"\t\"ロハ\"\n";
    let dir = dir_with(&[("a", &SHIFT_JIS.encode(table).expect("it has these characters"))]);
    let at = dir.path();
    git_sh(at, "git init -q . && git add . && git commit -qm one").expect(0, "", "");
    let ascii: Vec<u8> = contents(at, "a").into_iter().filter(u8::is_ascii).collect();
    write(at, "a", String::from_utf8(ascii).expect("ASCII").replace("Liverpool", "新"));
    git_sh(at, "git add . && $U check --staged -l").expect(1, "a\n", "");
}

/// If all bytes that are not UTF-8 are dropped from UTF-16, ASCII with NULs is left.
#[test]
fn wide_text_without_its_other_bytes_is_reported() {
    if !has("git") {
        return;
    }
    for (text, mark) in
        [("Größe\r\nint x;\r\nMüller\r\n", ""), ("東京都庁\r\nint x;\r\n大阪府庁です\r\n", "?")]
    {
        let dir = dir_with(&[]);
        let at = dir.path();
        rewrite(at, text, "UTF-16LE-BOM");
        git_sh(at, "git init -q .; git config core.autocrlf false; git add . && git commit -qm one")
            .expect(0, "", "");
        let old = contents(at, "a.txt");
        write(at, "a.txt", String::from_utf8_lossy(&old).replace('\u{FFFD}', mark));
        let ran = git_sh(at, "$U check --since=HEAD --excerpt=never");
        let stdout = String::from_utf8_lossy(&ran.stdout).into_owned();
        let damage = if mark == "?" { "question-marks" } else { "dropped" };
        let fix = format!(
            "; use 'utfconv repair --from-rev=HEAD --damage={damage} -i a.txt' to restore them [lost-characters]\n"
        );
        let first = stdout.lines().next().unwrap_or_default();
        assert!(ran.status == 1 && format!("{first}\n").ends_with(&fix), "{stdout}");
        assert_eq!(ran.stderr, "utfconv: 2 errors in 1 of 1 file\n");
        let repair = format!("$U repair --from-rev=HEAD --damage={damage} -i a.txt > /dev/null");
        git_sh(at, &format!("{repair} && $U check --since=HEAD")).expect(0, "", "");
        assert_eq!(contents(at, "a.txt"), old, "{text}");
    }
}

/// A file that was renamed, damaged and edited at the same time has no line in common with the old file.
#[test]
fn renamed_files_that_lack_characters_are_reported() {
    if !has("git") {
        return;
    }
    for (encoding, text) in [
        ("windows-1252", "Müller wohnt in Köln\nfür schöne Grüße\nTschüß, bis später\nÜber allen\n"),
        ("windows-31j", "東京都千代田区\n大阪府大阪市です\n吾輩は猫である\n名前はまだ無い\n"),
        ("GBK", "床前明月光\n疑是地上霜\n举头望明月\nplain\n低头思故乡\n明月\n故乡故乡\nab 床 cd\n"),
    ] {
        for mark in ["", "?", "\u{FFFD}"] {
            let dir = dir_with(&[]);
            let at = dir.path();
            rewrite(at, &format!("{text}{encoding}\n"), encoding);
            git_sh(at, "git init -q . && git add . && git commit -qm one && git mv a.txt new.txt")
                .expect(0, "", "");
            let seen = String::from_utf8_lossy(&contents(at, "new.txt")).replace('\u{FFFD}', mark);
            write(at, "new.txt", seen.replace(encoding, "edited"));
            let ran = git_sh(at, "git add -A && $U check --staged -l");
            ran.expect(1, "new.txt\n", "");
            // A new text that only shares some words with the old file has lost nothing.
            write(at, "new.txt", "Muller wohnt in Koln\nfur schone Grusse\nwhat? new?\n");
            git_sh(at, "git add -A && $U check --staged").expect(0, "", "");
        }
    }
}
