//! Tests of text that a UTF-8 program damaged, and of its restoration with `repair --from`, `--from-rev` and
//! `--history`.

use std::fs;
use std::path::Path;

use crate::harness::{contents, dir_with, git_sh, has, run, sh, write};

/// Name, encoding and text of each test file.
pub const TEXTS: &[(&str, &str, &str)] = &[
    ("western", "windows-1252", "Un café, un thé.\nJe suis là — où ça ?\nplain\nNaïve façade\n"),
    (
        "russian",
        "KOI8-R",
        "Все счастливые семьи похожи друг на друга,\nкаждая несчастливая семья\nplain\nнесчастлива по-своему.\n",
    ),
    (
        "japanese",
        "Shift_JIS",
        "吾輩は猫である。名前はまだ無い。\nどこで生れたか\nplain\nとんと見当がつかぬ。ソ表能\n",
    ),
    ("chinese", "GBK", "床前明月光，疑是地上霜。\n举头望明月，\nplain\n低头思故乡。\n"),
    (
        "korean",
        "EUC-KR",
        "계절이 지나가는 하늘에는\n가을로 가득 차 있습니다.\nplain\n나는 아무 걱정도 없이\n",
    ),
    ("wide", "UTF-16LE", "Grüße aus München\nтекст\nplain\n日本語\n"),
];

/// Creates a repository with the texts. Returns it with the bytes of the files.
pub fn repository() -> (tempfile::TempDir, Vec<Vec<u8>>) {
    let dir = dir_with(&[]);
    let at = dir.path();
    sh(at, "git init -q .; git config user.name n; git config user.email e; git config core.autocrlf false")
        .expect(0, "", "");
    let mut old = Vec::new();
    for (name, encoding, text) in TEXTS {
        write(at, name, text);
        sh(at, &format!("$U -i -t {encoding} {name}")).expect(0, "", "");
        old.push(contents(at, name));
    }
    sh(at, "git add . && git commit -qm texts").expect(0, "", "");
    (dir, old)
}

/// Returns the text as a UTF-8 program reads and edits it.
pub fn edited(old: &[u8], is_wide: bool) -> String {
    let [plain, edit] = ["plain\n", "not plain\nadded\n"];
    let zeros = |text: &str| text.chars().flat_map(|scalar| [scalar, '\0']).collect::<String>();
    let seen = String::from_utf8_lossy(old);
    if is_wide { seen.replace(&zeros(plain), &zeros(edit)) } else { seen.replace(plain, edit) }
}

/// Returns the bytes that the edited file should have.
fn expected(at: &Path, (name, encoding, text): &(&str, &str, &str)) -> Vec<u8> {
    let edited = format!("{name}.expected");
    write(at, &edited, text.replace("plain\n", "not plain\nadded\n"));
    sh(at, &format!("$U -i -t {encoding} {edited}")).expect(0, "", "");
    let content = contents(at, &edited);
    fs::remove_file(at.join(&edited)).expect("removes");
    content
}

#[test]
fn a_revision_gives_back_what_a_program_lost() {
    if !has("git") {
        return;
    }
    let (dir, old) = repository();
    let at = dir.path();
    for ((name, encoding, _), old) in TEXTS.iter().zip(&old) {
        write(at, name, edited(old, *encoding == "UTF-16LE"));
    }
    sh(at, "$U repair --from-rev > log").expect(1, "", "");
    let log = String::from_utf8(contents(at, "log")).expect("UTF-8");
    for (name, ..) in TEXTS {
        assert!(log.contains(&format!("\n{name}:1: repair: lost characters\n")), "{name}: {log}");
    }
    sh(at, "rm log; $U repair --from-rev=HEAD -i --manifest=../M . > /dev/null").expect(0, "", "");
    for text in TEXTS {
        assert_eq!(contents(at, text.0), expected(at, text), "{}", text.0);
    }
    // Nothing else can be restored, and the run can be undone.
    sh(at, "$U repair --from-rev").expect(0, "", "");
    sh(at, "$U repair --undo ../M; rm ../M").expect(0, "", "utfconv: ../M: 6 files restored\n");
    for ((name, encoding, _), old) in TEXTS.iter().zip(&old) {
        assert_eq!(contents(at, name), edited(old, *encoding == "UTF-16LE").as_bytes(), "{name}");
    }
}

/// Programs decode each file as UTF-8, each with its own number of U+FFFD for invalid bytes, and edit one line. The check
/// fails, the repair restores the file, and git then shows only the edited line.
#[test]
fn one_line_differs_after_the_repair() {
    if !has("git") {
        return;
    }
    let python = r#"python3 -c 'import sys
name, wide = sys.argv[1:]
edit = lambda text: "\0".join(text) if wide == "true" else text
text = open(name, encoding="utf-8", errors="replace", newline="").read()
assert edit("plain") in text
open(name, "w", encoding="utf-8", newline="").write(text.replace(edit("plain"), edit("not plain")))'"#;
    let node = r#"node -e 'const fs = require("fs"), [name, wide] = process.argv.slice(1)
const edit = text => wide == "true" ? [...text].join("\0") : text
const text = new TextDecoder().decode(fs.readFileSync(name))
if (!text.includes(edit("plain"))) throw name
fs.writeFileSync(name, text.replace(edit("plain"), edit("not plain")))'"#;
    let programs =
        [("Python", has("python3"), Some(python)), ("Node", has("node"), Some(node)), ("Rust", true, None)];
    for (program, is_there, script) in programs {
        if !is_there {
            continue;
        }
        let (dir, old) = repository();
        let at = dir.path();
        for ((name, encoding, _), old) in TEXTS.iter().zip(&old) {
            let is_wide = *encoding == "UTF-16LE";
            match script {
                Some(script) => sh(at, &format!("{script} {name} {is_wide}")).expect(0, "", ""),
                None => write(
                    at,
                    name,
                    edited(old, is_wide).replace("added\n", "").replace("a\0d\0d\0e\0d\0\n\0", ""),
                ),
            }
            assert!(contents(at, name) != *old && std::str::from_utf8(&contents(at, name)).is_ok(), "{name}");
        }
        let ran = sh(at, "git add . && $U check --staged --excerpt=never");
        let said = String::from_utf8_lossy(&ran.stdout).into_owned();
        assert_eq!(ran.status, 1, "{program}: {said}");
        for (name, ..) in TEXTS {
            assert!(
                said.lines().any(|line| line.starts_with(&format!("{name}:"))
                    && line.contains(": error: lost characters at byte ")),
                "{program}, {name}: {said}"
            );
        }
        sh(at, "$U repair --from-rev -i > /dev/null && git add . && $U check --staged").expect(0, "", "");
        let mut expected: Vec<_> = TEXTS.iter().map(|(name, ..)| format!("1\t1\t{name}\n")).collect();
        expected.sort();
        // Make git treat all files as text.
        sh(at, "echo '* diff' > .git/info/attributes; git diff --numstat HEAD").expect(
            0,
            expected.concat(),
            "",
        );
    }
}

#[test]
fn a_file_is_restored_from_another_one() {
    let dir =
        dir_with(&[("old", b"caf\xE9\nna\xEFve\n"), ("new", "caf\u{FFFD}\nna\u{FFFD}ve €\n".as_bytes())]);
    let at = dir.path();
    let lines = "new: repair: 2 lost characters from old, restored as windows-1252: bytes that are not UTF-8 became U+FFFD\n\
        new:1: repair: lost characters\nnew:2: repair: lost characters\nnew: 2 changes to make with -i\n";
    sh(at, "$U repair -f windows-1252 --from old new").expect(1, lines, "");
    sh(at, "$U repair -f windows-1252 --from old -i new > log").expect(0, "", "");
    assert_eq!(contents(at, "new"), b"caf\xE9\nna\xEFve \x80\n");
    // A detected encoding is not extended, because all of the old file is GBK.
    let (_, _, text) = TEXTS.iter().find(|(name, ..)| *name == "chinese").expect("is there");
    sh(
        at,
        &format!("printf '{text}' | $U -t GBK -o old; $U -s --ill-formed=replace old > new; echo 𠮷 >> new"),
    )
    .expect(0, "", "");
    sh(at, "$U repair --from old -i new").expect(
        1,
        "new:5:1: error: U+20BB7 \"𠮷\" cannot be encoded in GBK, the encoding of old so far; \
         use -f GB18030 to write it; use --unmappable=replace to restore the rest\nnew: 1 not repaired\n",
        "",
    );
    sh(at, "$U repair -f GB18030 --from old -i new > log; $U -f GB18030 new").expect(
        0,
        format!("{text}𠮷\n"),
        "",
    );
}

#[test]
fn what_is_not_proven_is_left_with_its_position() {
    let dir = dir_with(&[
        ("old", b"caf\xE9\nna\xEFve\n"),
        ("new", "caf\u{FFFD}\n\u{FFFD}\nna\u{FFFD}ve\nあ\n".as_bytes()),
    ]);
    let at = dir.path();
    let lines = "new:2:1: error: a character was lost, and old does not prove which; use --unmappable=replace to restore the rest\n\
        new:4:1: error: U+3042 \"あ\" cannot be encoded in windows-1252\nnew: 2 not repaired\n";
    for options in ["", "-i", "--max-errors=0"] {
        let ran = sh(at, &format!("$U repair -f windows-1252 --from old {options} new"));
        ran.expect(1, lines, "");
    }
    assert_eq!(contents(at, "new"), "caf\u{FFFD}\n\u{FFFD}\nna\u{FFFD}ve\nあ\n".as_bytes());
}

/// With `--unmappable`, proven text is restored, and unproven text is written by the mode and reported.
#[test]
fn what_is_not_proven_is_written_by_a_mode() {
    let edited = "caf\u{FFFD}!\n\u{FFFD} new\nna\u{FFFD}ve\nあ xあ\n";
    let dir = dir_with(&[("old", b"caf\xE9\nna\xEFve\n"), ("damaged", edited.as_bytes())]);
    let at = dir.path();
    let lines = "new: repair: 2 lost characters from old, restored as windows-1252: bytes that are not UTF-8 became U+FFFD\n\
        new:1: repair: lost characters\nnew:3: repair: lost characters\n\
        new:2:1: error: a character was lost, and old does not prove which\n\
        new:4:1: error: U+3042 \"あ\" cannot be encoded in windows-1252\n\
        new:4:4: error: U+3042 \"あ\" cannot be encoded in windows-1252\n";
    for (mode, expected) in [
        ("replace", &b"caf\xE9!\n? new\nna\xEFve\n? x?\n"[..]),
        ("replace=[\u{E9}\u{3042}]", b"caf\xE9!\n[\xE9?] new\nna\xEFve\n[\xE9?] x[\xE9?]\n"),
        ("omit", b"caf\xE9!\n new\nna\xEFve\n x\n"),
        ("escape=html", b"caf\xE9!\n&#65533; new\nna\xEFve\n&#12354; x&#12354;\n"),
        ("translit", b"caf\xE9!\n? new\nna\xEFve\n? x?\n"),
    ] {
        sh(at, "cp damaged new").expect(0, "", "");
        let command = format!("$U repair -f windows-1252 --from old --unmappable='{mode}'");
        let to_make = format!("{lines}new: 2 changes to make with -i, 3 not repaired\n");
        sh(at, &format!("{command} new")).expect(1, to_make, "");
        assert_eq!(contents(at, "new"), edited.as_bytes());
        let left = lines.lines().skip(3).map(|line| format!("{line}\n")).collect::<String>();
        let ran = sh(at, &format!("{command} --diff new > patch"));
        assert_eq!((ran.status, ran.stderr), (1, format!("{left}new: 3 not repaired\n")), "{mode}");
        let json = "--format=json new | grep -c '\"repairs\":2,\"not_repaired\":3'";
        sh(at, &format!("{command} {json}")).expect(0, "1\n", "");
        let made = format!("{lines}new: 2 changes made, 3 not repaired\n");
        sh(at, &format!("{command} --manifest=M -i new")).expect(1, made, "");
        assert_eq!(contents(at, "new"), expected, "{mode}");
        let undone = "utfconv: M: 1 file restored\n";
        sh(at, "$U repair --undo M && rm M && cmp damaged new").expect(0, "", undone);
    }
    // Carrier modes cannot write other characters, so they are refused.
    for command in ["repair -f windows-1252 --from old", "edit -f windows-1252"] {
        for mode in ["surrogateescape", "pua", "c8"] {
            let why = format!(
                "utfconv: invalid value '{mode}' for '--unmappable <MODE>': writes bytes, not characters; \
                 the modes here are stop, replace[=TEXT], omit, escape[=STYLE] and translit\n"
            );
            sh(at, &format!("$U {command} --unmappable={mode} new")).expect(2, "", &why);
        }
        let why = "utfconv: invalid value 'omt' for '--unmappable <MODE>': did you mean omit? \
            the modes are stop, replace[=TEXT], omit, escape[=STYLE] and translit\n";
        sh(at, &format!("$U {command} --unmappable=omt new")).expect(2, "", why);
    }
    let refused = "new:2:1: error: a character was lost, and old does not prove which; \
        use --unmappable=replace to restore the rest\n\
        new:4:1: error: U+3042 \"あ\" cannot be encoded in windows-1252\n\
        new:4:4: error: U+3042 \"あ\" cannot be encoded in windows-1252\nnew: 3 not repaired\n";
    sh(at, "$U repair -f windows-1252 --from old --unmappable=stop -i new").expect(1, refused, "");
    assert_eq!(contents(at, "new"), edited.as_bytes());
    sh(at, "$U repair --unmappable=replace new").expect(
        2,
        "",
        "--unmappable requires --from, --from-rev or --history",
    );
    let why =
        "utfconv: --damage=question-marks and --damage=dropped require --from, --from-rev or --history\n";
    sh(at, "$U repair --damage=dropped new").expect(2, "", why);
}

#[test]
fn all_places_that_are_not_proven_are_counted() {
    let dir = dir_with(&[("old", b"caf\xE9\nna\xEFve\n"), ("utf8", "Grüße\nx\n".as_bytes())]);
    let at = dir.path();
    write(at, "new", format!("{}\ncaf\u{FFFD}\nna\u{FFFD}ve\n", "\u{FFFD}".repeat(1500)));
    let command = "$U repair -f windows-1252 --from old --unmappable=replace";
    sh(at, &format!("{command} --max-errors=0 new | grep -c ':1:.*error'")).expect(0, "1500\n", "");
    let summary = "new: 2 changes to make with -i, 1500 not repaired, 1498 lines not listed; use --max-errors=0 to list all\n";
    sh(at, &format!("{command} --max-errors=2 new | tail -n 1")).expect(0, summary, "");
    // A file without restorable text is not changed, but reported.
    write(at, "new", "Grüße\nx\u{FFFD}\n");
    sh(at, "$U repair -f UTF-8 --from utf8 --unmappable=replace -i new").expect(
        1,
        "new:2:2: error: a character was lost, and utf8 does not prove which\nnew: 1 not repaired\n",
        "",
    );
}

/// Question marks that are not proven stay, and dropped characters that are not proven are not replaced. Edits in such
/// lines are kept.
#[test]
fn question_marks_and_gaps_stay_where_nothing_is_proven() {
    let old = b"Gr\xFC\xDFe aus K\xF6ln\nSch\xF6ne Gr\xFC\xDFe\n\xC4rger f\xFCr M\xFCller\nplain\n";
    let dir = dir_with(&[("old", old)]);
    let at = dir.path();
    for (damage, edited, expected, places) in [
        (
            "question-marks",
            "Gr??e aus K?ln\nSch?ne Gr??e\nneu: M?hle\nplain!\n",
            &b"Gr\xFC\xDFe aus K\xF6ln\nSch\xF6ne Gr\xFC\xDFe\nneu: M?hle\nplain!\n"[..],
            &["3:7"][..],
        ),
        (
            "dropped",
            "Gre aus Kln\nSchne Gre\nneu rger fr Mller\nplain!\n",
            b"Gr\xFC\xDFe aus K\xF6ln\nSch\xF6ne Gr\xFC\xDFe\nneu rger f\xFCr M\xFCller\nplain!\n",
            &["3:1", "4:1"],
        ),
    ] {
        write(at, "new", edited);
        let refused = sh(at, &format!("$U repair -f windows-1252 --damage={damage} --from old -i new"));
        assert!(refused.status == 1 && contents(at, "new") == edited.as_bytes(), "{refused:?}");
        for mode in ["replace=!", "omit", "escape"] {
            write(at, "new", edited);
            let ran = sh(
                at,
                &format!("$U repair -f windows-1252 --damage={damage} --from old --unmappable={mode} -i new"),
            );
            let stdout = String::from_utf8(ran.stdout).expect("UTF-8");
            let place =
                |line: &'_ str| Some(line.strip_prefix("new:")?.split_once(": error: ")?.0.to_string());
            let errors: Vec<_> = stdout.lines().filter_map(place).collect();
            assert_eq!(
                (ran.status, &errors[..]),
                (1, &places.iter().map(ToString::to_string).collect::<Vec<_>>()[..]),
                "{stdout}"
            );
            assert_eq!(contents(at, "new"), expected, "{mode}: {stdout}");
        }
    }
    // The characters may have been replaced by hand, and one deleted, so no mode changes the text.
    write(at, "new", "Gruesse aus Koeln\nSchoene Gruesse\naerger fuer Mller\nplain\n");
    let ran = sh(
        at,
        "cp new other; $U repair -f windows-1252 --from old --unmappable=replace -i new; cmp new other",
    );
    assert_eq!(ran.status, 0, "{ran:?}");
}

/// If all lines are damaged, git finds no similarity with the old file.
#[test]
fn damage_is_found_where_git_finds_no_rename() {
    if !has("git") {
        return;
    }
    let (dir, old) = repository();
    let at = dir.path();
    sh(at, "git rm -q russian western").expect(0, "", "");
    write(at, "moved", edited(&old[1], false));
    // Other new files are not affected.
    write(at, "new", "café\u{FFFD}\nplain\n");
    let ran = sh(
        at,
        "git add . && git diff --cached --name-status -M | tr '\\t\\n' '  '; $U check --staged --excerpt=never -l",
    );
    ran.expect(1, "A moved A new D russian D western moved\n", "");
    let line = "moved:1:1: error: lost characters at byte 0: since HEAD, bytes that are not UTF-8 became U+FFFD; use 'utfconv repair --from-rev=HEAD -i moved' to restore them [lost-characters]\n";
    let ran = sh(at, "$U check --since=HEAD --excerpt=never");
    assert!(ran.status == 1 && ran.stdout.starts_with(line.as_bytes()), "{ran:?}");
    sh(at, "$U repair --from-rev=HEAD -i moved > log && rm log && git add moved && $U check --staged")
        .expect(0, "", "");
    assert_eq!(contents(at, "moved"), expected(at, &TEXTS[1]));
}

/// If several deleted files differ only in the lost text, none of them is proven to be the old version.
#[test]
fn damage_of_one_of_several_deleted_files_is_left() {
    if !has("git") {
        return;
    }
    let dir = dir_with(&[("a", OLD), ("b", b"caf\xE8\nna\xEEve\nx\n"), ("c", OLD)]);
    let at = dir.path();
    git_sh(at, "git init -q .; git add . && git commit -qm one && git rm -q a b c").expect(0, "", "");
    write(at, "new", DAMAGED);
    git_sh(at, "git add new && $U check --since=HEAD -l; $U check --staged -l").expect(1, "new\nnew\n", "");
    let left = "new: error: it may be any of 2 deleted files, which restore different text: HEAD:a, HEAD:b; use 'git cat-file --filters \"HEAD:a\" | utfconv repair --from - new' with the right one\nnew: 1 not repaired\n";
    git_sh(at, "$U repair --from-rev -i").expect(1, left, "");
    assert_eq!(contents(at, "new"), DAMAGED.as_bytes());
    git_sh(at, "git cat-file --filters HEAD:a | $U repair --from - -i new > log").expect(0, "", "");
    assert_eq!(contents(at, "new"), RESTORED);
    // Deleted files with the same content restore the same text.
    write(at, "new", DAMAGED);
    git_sh(at, "git reset -q && git checkout -q b && git rm -q --cached a c && git add new")
        .expect(0, "", "");
    git_sh(at, "$U repair --from-rev -i new > log").expect(0, "", "");
    assert_eq!(contents(at, "new"), RESTORED);
}

#[test]
fn renamed_files_have_their_old_version() {
    if !has("git") {
        return;
    }
    let (dir, old) = repository();
    let at = dir.path();
    sh(at, "git mv russian moved; git mv western 'a b'").expect(0, "", "");
    write(at, "moved", edited(&old[1], false));
    write(at, "a b", edited(&old[0], false));
    sh(at, "$U repair --from-rev -i moved 'a b' > log").expect(0, "", "");
    assert_eq!(contents(at, "moved"), expected(at, &TEXTS[1]));
    assert_eq!(contents(at, "a b"), expected(at, &TEXTS[0]));
    // New, binary and deleted files have no old version.
    sh(
        at,
        "rm korean; printf 'x\\0\\377' > chinese; echo new > n; ln -s n l; git add n l; $U repair --from-rev",
    )
    .expect(0, "", "");
    let link = "utfconv: l: git does not follow symbolic links; name the file that it points to\n";
    for how in ["--from-rev", "--history"] {
        sh(at, &format!("$U repair {how} l")).expect(2, "", link);
    }
    sh(at, "$U repair --from-rev=--all").expect(2, "", ".: no such revision: --all");
    sh(at, "$U repair --from-rev=nowhere").expect(2, "", ".: no such revision: nowhere");
    sh(at, "cd /; $U repair --from-rev").expect(2, "", ".: not in a git repository");
}

/// Programs that know only ASCII, or that decode each chunk separately, damage UTF-8 as well.
#[test]
fn a_revision_gives_back_what_was_lost_of_utf_8() {
    if !has("git") {
        return;
    }
    let old = "Grüße aus Köln,\nплюс 🎉\nplain\n";
    let dir = dir_with(&[("a", old.as_bytes())]);
    let at = dir.path();
    git_sh(at, "git init -q . && git add . && git commit -qm one").expect(0, "", "");
    let edited = |text: &str| text.replace("plain", "edited");
    let question = |scalar: char| if scalar.is_ascii() { scalar } else { '?' };
    let all = "since HEAD, characters that are not ASCII became";
    let cut = "since HEAD, U+FFFD was added";
    for (damaged, count, message) in [
        (old.chars().map(question).collect(), 2, format!("{all} '?'")),
        (old.chars().map(question).collect::<String>().replace('?', "\u{FFFD}"), 2, format!("{all} U+FFFD")),
        (old.replace('ö', "\u{FFFD}\u{FFFD}"), 1, cut.to_string()),
        (old.replace('🎉', "\u{FFFD}\u{FFFD}\u{FFFD}"), 1, cut.to_string()),
    ] {
        write(at, "a", edited(&damaged));
        let ran = git_sh(at, "$U check --since=HEAD .");
        let stdout = String::from_utf8(ran.stdout).expect("UTF-8");
        let errors = format!("utfconv: {count} error{} in 1 of 1 file\n", if count == 1 { "" } else { "s" });
        assert!(ran.status == 1 && ran.stderr == errors && stdout.contains(&message), "{stdout}");
        let damage = if message.ends_with("'?'") { " --damage=question-marks" } else { "" };
        let fix = format!("use 'utfconv repair --from-rev=HEAD{damage} -i a' to restore them");
        assert!(stdout.contains(&fix), "{stdout}");
        git_sh(at, &format!("$U repair --from-rev{damage} -i > /dev/null")).expect(0, "", "");
        assert_eq!(contents(at, "a"), edited(old).as_bytes(), "{damaged}");
    }
    // A program may have added non-ASCII characters after the damage.
    for mark in ["?", "\u{FFFD}"] {
        let damaged: String = old
            .chars()
            .map(|scalar| if scalar.is_ascii() { scalar.to_string() } else { mark.into() })
            .collect();
        write(at, "a", edited(&damaged).replace("edited", "neu: ü"));
        let ran = git_sh(at, "$U check --since=HEAD --excerpt=never .");
        assert_eq!((ran.status, &ran.stderr[..]), (1, "utfconv: 2 errors in 1 of 1 file\n"), "{ran:?}");
        let damage = if mark == "?" { "--damage=question-marks" } else { "" };
        git_sh(at, &format!("$U repair --from-rev {damage} -i > /dev/null")).expect(0, "", "");
        assert_eq!(contents(at, "a"), old.replace("plain", "neu: ü").as_bytes(), "{damaged}");
    }
    // An edit beside the damage leaves no proof, so the message suggests `git diff`.
    write(at, "a", old.replace("ö", "\u{FFFD}").replace("aus", "in"));
    let refused = "a:1:11: error: a character was lost, and HEAD does not prove which; use 'git diff HEAD -- a' to see what changed\na: 1 not repaired\n";
    git_sh(at, "$U repair --from-rev").expect(1, refused, "");
    // A file that is no longer UTF-8 was converted, which `repair` does not undo.
    write(at, "a", b"Gr\xFC\xDFe\n");
    git_sh(at, "$U repair --from-rev").expect(
        1,
        "a: error: it is not UTF-8; use 'git diff HEAD -- a' to see what changed\na: 1 not repaired\n",
        "",
    );
}

/// The newest undamaged version in the history is used, also under another name and before other edits.
#[test]
fn the_history_gives_back_what_was_lost() {
    if !has("git") {
        return;
    }
    let (dir, old) = repository();
    let at = dir.path();
    // Commits: an edit, the damage, an edit, and a rename. Another file was converted without a loss.
    sh(at, "sed -i 's/plain/very plain/' russian && git commit -qam edit").expect(0, "", "");
    let good = contents(at, "russian");
    write(at, "russian", String::from_utf8_lossy(&good).as_ref());
    sh(at, "$U -i -f GBK chinese && git commit -qam damage && sed -i 's/very/not so/' russian && git commit -qam more").expect(0, "", "");
    sh(
        at,
        "git mv russian 'a b' && git commit -qm name && echo added >> 'a b' && echo new > new && git add new",
    )
    .expect(0, "", "");
    let damaged = contents(at, "a b");
    let commit = sh(at, "git rev-parse --short=12 HEAD~3").stdout;
    let first = format!(
        "a b: repair: 77 lost characters from {}, restored as KOI8-R: bytes that are not UTF-8 became U+FFFD\n",
        String::from_utf8(commit).expect("UTF-8").trim()
    );
    let ran = sh(at, "$U repair --history");
    assert_eq!((ran.status, &ran.stderr[..]), (1, ""), "{ran:?}");
    let log = String::from_utf8(ran.stdout).expect("UTF-8");
    assert!(
        log.starts_with(&first) && log.ends_with("\na b: 77 changes to make with -i\n"),
        "{first}: {log}"
    );
    assert_eq!(contents(at, "a b"), damaged);
    sh(at, "$U repair --history -i 'a b' > /dev/null").expect(0, "", "");
    write(at, "expected", &old[1]);
    sh(at, "sed -i 's/plain/not so plain/' expected && echo added >> expected && cmp expected 'a b' && rm expected").expect(0, "", "");
    sh(at, "$U repair --history && $U repair --history chinese").expect(0, "", "");
    sh(at, "$U repair --history new").expect(
        2,
        "",
        "utfconv: new: no commit has this file; use --from=OLD with a good copy\n",
    );
    // If the newest undamaged version proves nothing, older versions are not used, because the text was edited since.
    let corrected = dir_with(&[("p", b"Prix : 5 \xA4\ncaf\xE9\nth\xE9\n")]);
    let at = corrected.path();
    git_sh(at, "git init -q . && git add p && git commit -qm one").expect(0, "", "");
    write(at, "p", b"Prix : 5 \xA3\ncaf\xE9\nth\xE8\nth\xE9\n");
    git_sh(at, "git commit -qam two").expect(0, "", "");
    let damaged = "Prix : 5 \u{FFFD}\ncaf\u{FFFD}\nth\u{FFFD}\n";
    write(at, "p", damaged);
    let ran = git_sh(at, "$U repair -f windows-1252 --history -i p");
    assert!(ran.status == 1 && contents(at, "p") == damaged.as_bytes(), "{ran:?}");
    // Without a commit there is no history.
    let empty = dir_with(&[("a", b"x\n")]);
    sh(empty.path(), "git init -q . && git add a && $U repair --history a").expect(
        2,
        "",
        "a: no commit has this file; use --from=OLD with a good copy",
    );
}

/// A file that was renamed and damaged at the same time has no line in common with its old version, so git finds no
/// rename, before and after the commit.
#[test]
fn the_history_leads_to_files_that_were_renamed_and_damaged_at_once() {
    let Some(dir) = damaged("", "a") else { return };
    let at = dir.path();
    let old = String::from_utf8(git_sh(at, "git rev-parse --short=12 HEAD").stdout).expect("ASCII");
    git_sh(at, "git mv a b && git add b && git diff --cached --name-status -M").expect(0, "D\ta\nA\tb\n", "");
    let restores = |command: &str, end: &str, status: i32| {
        let ran = git_sh(at, &format!("$U repair {command}"));
        ran.expect(status, repaired("b", old.trim(), end), "");
    };
    for script in ["true", "git commit -qm moved", "echo z >> b; git commit -qam more"] {
        write(at, "b", DAMAGED);
        git_sh(at, script).expect(0, "", "");
        let added = if script.contains('z') { "z\n" } else { "" };
        restores("--history", "to make with -i", 1);
        restores("--history b", "to make with -i", 1);
        assert_eq!(contents(at, "b"), [DAMAGED, added].concat().as_bytes(), "{script}");
        restores("--history -i .", "made", 0);
        assert_eq!(contents(at, "b"), [RESTORED, added.as_bytes()].concat(), "{script}");
    }
    // The history includes older versions under the old name.
    let dir = dir_with(&[("first", OLD)]);
    let at = dir.path();
    git_sh(at, "git init -q . && git add . && git commit -qm one && git mv first a && git commit -qm two")
        .expect(0, "", "");
    write(at, "a", DAMAGED);
    git_sh(at, "git commit -qam three && git mv a b").expect(0, "", "");
    write(at, "b", DAMAGED.replace('y', "z"));
    git_sh(at, "git add b && git commit -qm four").expect(0, "", "");
    let old = String::from_utf8(git_sh(at, "git rev-parse --short=12 HEAD~2").stdout).expect("ASCII");
    git_sh(at, "$U repair --history -i").expect(0, repaired("b", old.trim(), "made"), "");
    assert_eq!(contents(at, "b"), b"caf\xE9\nna\xEFve\nz\n");
}

/// U+FFFD without a version that can restore it is an error, also in a file that was not given by name.
#[test]
fn damage_without_a_history_is_an_error() {
    let Some(dir) = damaged("", "a") else { return };
    let at = dir.path();
    let lost = |name: &str, why: &str| {
        format!(
            "{name}:1:4: error: U+FFFD at byte 3: 2 characters of this file are lost, and {why}\n{name}: 1 not repaired\n"
        )
    };
    git_sh(at, "cp a new; git checkout -q a; git add new").expect(0, "", "");
    let none = lost("new", "no commit has this file; use --from=OLD with a good copy");
    for command in ["--history", "--history -i new"] {
        git_sh(at, &format!("$U repair {command}")).expect(1, &none, "");
    }
    // Two deleted files may each be the old version.
    write(at, "b", b"caf\xE8\nna\xEEve\nx\n");
    git_sh(at, "git rm -q --cached new; git add b; git commit -qm two; git rm -q a b; git add new")
        .expect(0, "", "");
    git_sh(at, "$U repair --history -i").expect(1, &none, "");
    git_sh(at, "git commit -qm three").expect(0, "", "");
    let damaged = "none of 1 version in the history can restore this: 1 damaged too; use 'utfconv repair --from=OLD new' with a good copy";
    git_sh(at, "$U repair --history -i").expect(1, lost("new", damaged), "");
    assert_eq!(contents(at, "new"), DAMAGED.as_bytes());
}

/// A committed conversion is not damage. Versions before it are not restored, and lost text is restored in UTF-8.
#[test]
fn the_history_keeps_conversions() {
    if !has("git") {
        return;
    }
    let text = "Liebe Frau Müller,\nvielen Dank für Ihre Bestellung.\nTschüß\nΩ neu\n";
    let dir = dir_with(&[("a", "Liebe Frau Müller,\nvielen Dank für Ihre Bestellung.\nTschüß\n".as_bytes())]);
    let at = dir.path();
    git_sh(at, "$U -i -t windows-1252 a; git init -q . && git add a && git commit -qm one").expect(0, "", "");
    git_sh(at, "$U -i -f windows-1252 a; echo 'Ω neu' >> a; git commit -qam two").expect(0, "", "");
    git_sh(at, "$U repair --history && $U repair --history a").expect(0, "", "");
    let commit = git_sh(at, "git rev-parse --short=12 HEAD").stdout;
    let commit = String::from_utf8(commit).expect("ASCII");
    let lost = |end: &str| {
        let commit = commit.trim();
        format!(
            "a: repair: 5 lost characters from {commit}: characters that are not ASCII were dropped\n\
             a:1: repair: lost characters\na:2: repair: lost characters\na:3: repair: lost characters\n\
             a:4: repair: lost characters\na: 5 changes {end}\n"
        )
    };
    // The test runs both before and after the damage is committed.
    let edited = text.replace("Dank", "Danke");
    for commit in ["true", "git commit -qam three && echo x >> a"] {
        write(at, "a", edited.replace(|scalar: char| !scalar.is_ascii(), ""));
        git_sh(at, &format!("{commit} && $U repair --history --damage=dropped -i a")).expect(
            0,
            lost("made"),
            "",
        );
        let added = if commit == "true" { "" } else { "x\n" };
        assert_eq!(String::from_utf8_lossy(&contents(at, "a")), edited.clone() + added, "{commit}");
    }
    // If a program misread a version from before the conversion, newer versions prove nothing.
    git_sh(at, "git reset -q --hard HEAD~1 && git show HEAD~1:a | $U -f macintosh -t UTF-8 > a")
        .expect(0, "", "");
    let (misread, log) = (contents(at, "a"), git_sh(at, "git log --format=%h --abbrev=12").stdout);
    let log = String::from_utf8(log).expect("ASCII");
    let [new, old] = log.lines().collect::<Vec<_>>()[..] else { panic!("{log}") };
    let error = format!(
        "a: error: since {old}, it was read as macintosh, but {new} is newer and not damaged; use \
         'git diff {new} -- a' to see what changed\na: 1 not repaired\n"
    );
    git_sh(at, "$U repair -f windows-1252 --history -i a").expect(1, error, "");
    assert_eq!(contents(at, "a"), misread);
    // The reverse conversion: a UTF-8 file is converted to another encoding.
    write(at, "b", "Grüße\nMüller\n");
    git_sh(at, "git add b && git commit -qm four && $U -i -t windows-1252 b && git commit -qam five")
        .expect(0, "", "");
    git_sh(at, "echo x >> b; $U repair --history b").expect(0, "", "");
}

/// A file given by name without an old version is an error. A file without changes is not.
#[test]
fn named_files_without_old_version_are_reported() {
    let Some(dir) = damaged("", "a") else { return };
    let at = dir.path();
    write(at, "a", OLD);
    write(at, "untracked", DAMAGED);
    write(at, "staged", DAMAGED);
    sh(at, "git add staged").expect(0, "", "");
    let absent = |name: &str, why: &str| format!("utfconv: {name}: {why}; use --from=OLD with a good copy\n");
    let [revision, history] =
        [("--from-rev", "HEAD does not have this file"), ("--history", "no commit has this file")];
    for (files, name, (option, why)) in [
        ("untracked", "untracked", revision),
        ("untracked", "untracked", history),
        ("a ./untracked", "./untracked", revision),
        ("a ./untracked", "./untracked", history),
        ("staged", "staged", revision),
    ] {
        git_sh(at, &format!("$U repair {option} -i {files}")).expect(2, "", &absent(name, why));
    }
    // Refresh the index, because git lists a file with a new time as a file that may differ.
    git_sh(at, "git update-index -q --refresh; $U repair --from-rev a && $U repair --history ./a").expect(
        0,
        "",
        NO_DIFFERENCE,
    );
    // The rename is not committed yet.
    write(at, "a", DAMAGED);
    let commit = String::from_utf8(git_sh(at, "git rev-parse --short=12 HEAD").stdout).expect("ASCII");
    git_sh(at, "git mv a renamed && $U repair -f latin1 --history renamed").expect(
        1,
        repaired_in_latin1("renamed", commit.trim(), "to make with -i"),
        "",
    );
    assert_eq!(contents(at, "untracked"), DAMAGED.as_bytes());
}

const OLD: &[u8] = b"caf\xE9\nna\xEFve\nx\n";
const DAMAGED: &str = "caf\u{FFFD}\nna\u{FFFD}ve\ny\n";
const RESTORED: &[u8] = b"caf\xE9\nna\xEFve\ny\n";

/// Returns the report of `check` for a file with [`DAMAGED`]. `add` is the end of the suggested command.
fn found(name: &str, revision: &str, add: &str) -> String {
    let lost = format!(
        "lost characters at byte 3: since {revision}, bytes that are not UTF-8 became U+FFFD; use 'utfconv repair --from-rev={revision} -i {name}{add}' to restore them"
    );
    format!(
        "{name}:1:4: error: {lost} [lost-characters]\n{name}:2:3: error: lost characters at byte 9: since {revision}, bytes that are not UTF-8 became U+FFFD [lost-characters]\n"
    )
}

fn repaired_in_latin1(name: &str, version: &str, end: &str) -> String {
    repaired(name, &format!("{version}, restored as ISO-8859-1"), end)
}

/// Returns the report about a file whose old encoding is unknown, because the text is short.
fn repaired(name: &str, version: &str, end: &str) -> String {
    format!(
        "{name}: repair: 2 lost characters from {version}: bytes that are not UTF-8 became U+FFFD\n{name}:1: repair: lost characters\n{name}:2: repair: lost characters\n{name}: 2 changes {end}\n"
    )
}

/// Summary of `check` for [`found`].
const SUMMARY: &str = "utfconv: 2 errors in 1 of 1 file\n";

/// Creates a repository with one commit of the file `name`, and damages the file. `None` without git.
fn damaged(options: &str, name: &str) -> Option<tempfile::TempDir> {
    if !has("git") {
        return None;
    }
    let dir = dir_with(&[(name, OLD)]);
    git_sh(dir.path(), &format!("git init -q {options} . && git add . && git commit -qm one"))
        .expect(0, "", "");
    write(dir.path(), name, DAMAGED);
    Some(dir)
}

/// Object IDs are longer in a SHA-256 repository. The file name has a newline.
#[test]
fn repositories_of_sha_256_have_old_versions() {
    let Some(dir) = damaged("--object-format=sha256", "a\nb") else { return };
    let (at, name) = (dir.path(), "$'a\\nb'");
    let add = format!(" && git add {name}");
    for (script, add) in [("$U check --since=HEAD", ""), ("git add . && $U check --staged", &add)] {
        git_sh(at, &format!("{script} --excerpt=never")).expect(1, found(name, "HEAD", add), SUMMARY);
    }
    let commit = git_sh(at, "git rev-parse --short=12 HEAD").stdout;
    let commit = String::from_utf8(commit).expect("ASCII");
    let command = "$U repair -f latin1 --history";
    git_sh(at, command).expect(1, repaired_in_latin1(name, commit.trim(), "to make with -i"), "");
    assert_eq!(contents(at, "a\nb"), DAMAGED.as_bytes());
    git_sh(at, "$U repair -f latin1 --from-rev -i").expect(0, repaired_in_latin1(name, "HEAD", "made"), "");
    assert_eq!(contents(at, "a\nb"), RESTORED);
}

/// A path in a submodule belongs to the submodule's repository, because the outer repository records only a commit for
/// it.
#[test]
fn submodules_have_their_own_old_versions() {
    let Some(inner) = damaged("", "a") else { return };
    let dir = dir_with(&[("top", OLD)]);
    let at = dir.path();
    let script = format!(
        "git init -q . && git -c protocol.file.allow=always submodule -q add {} sub && git add . && git commit -qm one",
        inner.path().display()
    );
    git_sh(at, &script).expect(0, "", "");
    write(at, "top", DAMAGED);
    write(at, "sub/a", DAMAGED);
    git_sh(at, "git -C sub commit -qam two").expect(0, "", "");
    git_sh(at, "$U check --since=HEAD --excerpt=never").expect(1, found("top", "HEAD", ""), SUMMARY);
    git_sh(at, "$U check --since=HEAD --excerpt=never sub").expect(0, "", "");
    git_sh(at, "$U check --since=HEAD~1 --excerpt=never sub/a").expect(
        1,
        found("sub/a", "HEAD~1", ""),
        SUMMARY,
    );
    let command = "$U repair -f latin1 -i --from-rev";
    git_sh(at, command).expect(0, repaired_in_latin1("top", "HEAD", "made"), "");
    assert_eq!(
        (contents(at, "top"), contents(at, "sub/a")),
        (RESTORED.to_vec(), DAMAGED.as_bytes().to_vec())
    );
    git_sh(at, &format!("{command}=HEAD~1 sub")).expect(0, repaired_in_latin1("sub/a", "HEAD~1", "made"), "");
    assert_eq!(contents(at, "sub/a"), RESTORED);
}

/// Objects that a clone lacks are not fetched. After the user has fetched them, they are used.
#[test]
fn clones_may_lack_old_versions() {
    let Some(dir) = damaged("", "a") else { return };
    let at = dir.path();
    let script = "git config uploadpack.allowFilter true; git commit -qam two
        git clone -q --depth=1 file://$PWD shallow && git clone -q --filter=blob:none file://$PWD partial";
    git_sh(at, script).expect(0, "", "");
    let shallow = "a: no such revision: HEAD~1; the clone is shallow: use 'git fetch --unshallow' to have all revisions";
    let id = String::from_utf8(git_sh(at, "git rev-parse HEAD~1:a").stdout).expect("ASCII");
    let fetch = format!("git cat-file -e {}", id.trim());
    let lacks = |version: &str| {
        format!(
            "a: {version}: its content is not in the repository (a partial clone?), and nothing is fetched"
        )
    };
    let commit = String::from_utf8(git_sh(at, "git rev-parse --short=12 HEAD~1").stdout).expect("ASCII");
    for (clone, command, message) in [
        ("shallow", "check --since=HEAD~1", shallow),
        ("shallow", "repair --from-rev=HEAD~1", shallow),
        ("partial", "check --since=HEAD~1", &lacks("HEAD~1")),
        ("partial", "repair -f latin1 --from-rev=HEAD~1", &lacks("HEAD~1")),
        ("partial", "repair -f latin1 --history -i", &lacks(commit.trim())),
    ] {
        git_sh(at, &format!("cd {clone}; $U {command} a")).expect(2, "", message);
        assert_eq!(contents(at, &format!("{clone}/a")), DAMAGED.as_bytes(), "{clone} {command}");
    }
    // In a shallow clone, the history is incomplete.
    let ends = "a:1:4: error: U+FFFD at byte 3: 2 characters of this file are lost, and none of 1 version in the history can restore \
        this: 1 damaged too; the clone is shallow: use 'git fetch --unshallow' to have all revisions\na: 1 not repaired\n";
    git_sh(at, "cd shallow; $U repair --history a").expect(1, ends, "");
    let missing = "cd partial; git rev-list --objects --all --missing=print | grep -c '^?'";
    git_sh(at, missing).expect(0, "1\n", "");
    for (clone, fetch) in [("shallow", "git fetch -q --unshallow"), ("partial", &fetch)] {
        let script = format!("cd {clone}; {fetch} && $U repair -f latin1 --from-rev=HEAD~1 -i a");
        git_sh(at, &script).expect(0, repaired_in_latin1("a", "HEAD~1", "made"), "");
        assert_eq!(contents(at, &format!("{clone}/a")), RESTORED, "{clone}");
    }
}

/// A file that was deleted or replaced by a link is skipped, and a damaged old version restores nothing.
#[test]
fn old_versions_may_be_of_no_use() {
    let Some(dir) = damaged("", "a") else { return };
    let at = dir.path();
    git_sh(at, "git commit -qam two; cp a b; git add b; git commit -qm three; echo z >> a; rm b; ln -s a b")
        .expect(0, "", "");
    let damaged = contents(at, "a");
    git_sh(at, "$U check --since=HEAD").expect(0, "", "");
    let lost = "utfconv: a:1:4: warning: U+FFFD at byte 3: 2 characters of this file are lost; \
        'utfconv repair --history a' looks for an old version in git, and 'utfconv repair --from=OLD a' uses a copy\n";
    for script in ["repair -f latin1 --from-rev", "repair -f latin1 --from-rev -i a"] {
        git_sh(at, &format!("$U {script}")).expect(0, "", lost);
    }
    git_sh(at, "rm a b; $U check --since=HEAD").expect(0, "", "");
    let nothing = "utfconv: warning: no file differs from the old version: nothing to restore; if the damage was \
        committed, use --from-rev=HEAD~1 or --history";
    git_sh(at, "$U repair --from-rev=HEAD").expect(0, "", nothing);
    git_sh(at, "$U repair --from-rev a").expect(2, "", "utfconv: a: No such file or directory");
    write(at, "a", damaged);
    git_sh(at, "$U check --since=-h a").expect(2, "", "a: no such revision: -h");
    git_sh(at, "$U repair --from-rev=-h -i a").expect(2, "", "a: no such revision: -h");
    // The history has an undamaged version.
    let commit = String::from_utf8(git_sh(at, "git rev-parse --short=12 HEAD~2").stdout).expect("ASCII");
    git_sh(at, "$U repair -f latin1 --history -i a").expect(
        0,
        repaired_in_latin1("a", commit.trim(), "made"),
        "",
    );
    assert_eq!(contents(at, "a"), [RESTORED, b"z\n"].concat());
}

/// Commands in messages work in any shell, and git takes the file names literally, not as patterns.
#[test]
fn commands_have_names_that_shells_and_git_take() {
    for name in [":colon.txt", "do$HOME.txt", "!bang.txt", "dq\"uote.txt", "back\\slash.txt", "it's $5"] {
        let Some(dir) = damaged("", name) else { return };
        let at = dir.path();
        let log = git_sh(at, "git add . && $U check --staged -f latin1").stdout;
        let log = String::from_utf8(log).expect("UTF-8");
        let (_, command) = log.split_once("; use '").expect("has a command");
        let (command, _) = command.split_once("' to restore them").expect("has an end");
        let command = command.replace("utfconv repair", "$U repair -f latin1");
        git_sh(at, &format!("cat > .git/run <<'END'\n{command}\nEND\nsh .git/run > .git/log"))
            .expect(0, "", "");
        assert_eq!(contents(at, name), RESTORED, "{command}");
        git_sh(at, "git diff --quiet && $U check --staged -f latin1").expect(0, "", "");
    }
}

/// The message counts the examined versions.
#[test]
fn a_history_of_damage_alone_is_an_error() {
    if !has("git") {
        return;
    }
    let dir = dir_with(&[("a", DAMAGED.as_bytes())]);
    let at = dir.path();
    git_sh(at, "git init -q . && git add a && git commit -qm one").expect(0, "", "");
    let error = |versions: &str| {
        format!(
            "a:1:4: error: U+FFFD at byte 3: 2 characters of this file are lost, and none of {versions}; \
             use 'utfconv repair --from=OLD a' with a good copy\na: 1 not repaired\n"
        )
    };
    let one = error("1 version in the history can restore this: 1 damaged too");
    git_sh(at, "$U repair --history").expect(1, &one, "");
    git_sh(at, "echo x > a; git commit -qam two").expect(0, "", "");
    write(at, "a", DAMAGED);
    git_sh(at, "git commit -qam three; echo z >> a").expect(0, "", "");
    let three = error("3 versions in the history can restore this: 2 damaged too, 1 without this text");
    git_sh(at, "$U repair --history -i a").expect(1, &three, "");
    assert_eq!(contents(at, "a"), [DAMAGED.as_bytes(), b"z\n"].concat());
    // A text without lost characters needs no old version.
    git_sh(at, "echo x > a; $U repair --history a").expect(0, "", "");
}

/// Newlines stay as in the work tree, although git stores LF.
#[test]
fn newlines_stay_those_of_the_work_tree() {
    if !has("git") {
        return;
    }
    let crlf = |text: &[u8]| {
        text.iter()
            .flat_map(|byte| if *byte == b'\n' { b"\r\n".to_vec() } else { vec![*byte] })
            .collect::<Vec<_>>()
    };
    for (settings, attributes) in [
        ("core.autocrlf true", ""),
        ("core.eol crlf", "* text=auto\n"),
        ("core.autocrlf false", "*.txt text eol=crlf\n"),
        ("core.autocrlf false", "*.txt text eol=crlf working-tree-encoding=windows-1252\n"),
    ] {
        let dir = dir_with(&[(".gitattributes", attributes.as_bytes())]);
        let at = dir.path();
        fs::create_dir(at.join("-s")).expect("creates");
        write(at, "-s/ü.txt", crlf(OLD));
        let commit =
            format!("git init -q . && git config {settings} && git add . 2> /dev/null && git commit -qm one");
        git_sh(at, &format!("{commit} && git show HEAD:-s/ü.txt | grep -c $'\\r'")).expect(1, "0\n", "");
        for (damaged, restored) in
            [(crlf(DAMAGED.as_bytes()), crlf(RESTORED)), (DAMAGED.into(), RESTORED.to_vec())]
        {
            write(at, "-s/ü.txt", damaged);
            git_sh(at, "$U repair -f windows-1252 --from-rev -i > /dev/null").expect(0, "", "");
            assert_eq!(contents(at, "-s/ü.txt"), restored, "{settings} {attributes}");
        }
    }
}

/// A text without the damage that was named was only converted.
#[test]
fn text_without_the_named_damage_gets_its_encoding_back() {
    let dir = dir_with(&[("old", b"caf\xE9 one\n")]);
    let at = dir.path();
    for damage in ["question-marks", "dropped"] {
        write(at, "new", "thé\n");
        let repaired = "new: repair: bytes from old, restored as windows-1252: it was converted to UTF-8\n\
                        new: 1 change made\n";
        let command = format!("$U repair -f windows-1252 --from old --damage={damage} -i new");
        sh(at, &command).expect(0, repaired, "");
        assert_eq!(contents(at, "new"), b"th\xE9\n", "{damage}");
        sh(at, &command).expect(0, "", "");
    }
}

/// Two kinds of damage can explain the text. In both, text was lost.
#[test]
fn a_loss_that_two_damages_explain_is_reported() {
    if !has("git") {
        return;
    }
    let dir = dir_with(&[("a", b"/ abc abc\n\x94L \x83\\ab \x83\\\nabc abc\n\x94L eins \x83\\\n")]);
    let at = dir.path();
    git_sh(at, "git init -q . && git add a && git commit -qm one").expect(0, "", "");
    write(at, "a", "/ abc abc\n?\\ab ?\\\nabc abc\n?L eins ?\\\n");
    git_sh(at, "$U repair --from-rev -f Shift_JIS a").expect(
        1,
        "a: error: bytes that are not UTF-8 became '?'; use --damage=question-marks to restore them\na: 1 not repaired\n",
        "",
    );
    let what = "since HEAD, bytes that are not UTF-8 became '?' [lost-characters]";
    git_sh(at, "$U check --since=HEAD -f Shift_JIS --excerpt=never a").expect(
        1,
        format!(
            "a:2:1: error: lost characters at byte 10: {what}\na:4:1: error: lost characters at byte 26: {what}\n"
        ),
        "utfconv: 2 errors in 1 of 1 file\n",
    );
}

/// Old versions are compared as git checks them out.
#[test]
fn working_tree_encodings_apply_to_old_versions() {
    if !has("git") {
        return;
    }
    let dir = dir_with(&[
        (".gitattributes", b"f working-tree-encoding=windows-1252\n"),
        ("f", b"caf\xE9\nna\xEFve\n"),
    ]);
    let at = dir.path();
    git_sh(at, "git init -q . && git add . && git commit -qm one && git show :f").expect(
        0,
        "café\nnaïve\n",
        "",
    );
    git_sh(at, "$U repair --from-rev && $U repair --history && $U check --since=HEAD").expect(
        0,
        "",
        NO_DIFFERENCE,
    );
    for (damage, damaged) in [
        ("--damage=question-marks", "caf?\nna?ve\nnew\n"),
        ("", "caf\u{FFFD}\nna\u{FFFD}ve\nnew\n"),
        ("--damage=dropped", "caf\nnave\nnew\n"),
    ] {
        write(at, "f", damaged);
        git_sh(at, "$U check --since=HEAD -l").expect(1, "f\n", "");
        git_sh(at, &format!("$U repair --from-rev {damage} -i > /dev/null")).expect(0, "", "");
        assert_eq!(contents(at, "f"), b"caf\xE9\nna\xEFve\nnew\n", "{damaged}");
    }
    git_sh(at, "git diff --shortstat").expect(0, " 1 file changed, 1 insertion(+)\n", "");
    git_sh(at, "git add f && $U check --staged").expect(0, "", "");
}

/// Old versions are compared as `git-filter` converts them at checkout. utfconv does not run the filter command.
#[test]
fn filters_apply_to_old_versions() {
    if !has("git") {
        return;
    }
    let text = "Schöne Grüße aus München\nplain\nfür nächste Woche\n";
    for (filter, charset, to) in
        [("-t windows-1252", "utf-8", "UTF-8"), ("-f UTF-16LE-BOM", "utf-16le", "UTF-16LE-BOM")]
    {
        let dir = dir_with(&[
            (".gitattributes", b"*.txt filter=w -text\n"),
            (".editorconfig", format!("root = true\n[*]\ncharset = {charset}\n").as_bytes()),
        ]);
        let at = dir.path();
        let wanted = |name: &str, text: &str| {
            write(at, "../text", text);
            sh(at, &format!("$U -f UTF-8 -t {to} ../text > {name}; rm ../text")).expect(0, "", "");
        };
        wanted("a.txt", text);
        git_sh(at, &format!("git init -q .; git config filter.w.process \"$U git-filter {filter}\"; git config filter.w.required true; git add . && git commit -qm one"))
            .expect(0, "", "");
        // The new time makes git compare the file again. Then the file is edited.
        git_sh(at, "touch -d 2020-01-01 a.txt; $U repair --from-rev; $U repair --history && $U check --since=HEAD a.txt && $U check --staged --tracked a.txt && $U check a.txt")
            .expect(0, "", "");
        wanted("a.txt", &text.replace("plain", "näher"));
        git_sh(at, "$U repair --from-rev && $U check --since=HEAD && git add a.txt && $U check --staged")
            .expect(0, "", "");
        wanted("b.txt", "größer\n");
        git_sh(at, "git add b.txt && $U check --staged && git commit -qm two").expect(0, "", "");
        // Restoration uses the version as git checks it out.
        let (good, good_text) = (contents(at, "a.txt"), text.replace("plain", "näher"));
        let damaged = match to {
            "UTF-8" => good_text.replace(['ö', 'ü', 'ß', 'ä'], "\u{FFFD}").into_bytes(),
            _ => String::from_utf8_lossy(&good).into_owned().into_bytes(),
        };
        write(at, "a.txt", damaged);
        git_sh(at, "$U check --since=HEAD -l").expect(1, "a.txt\n", "");
        git_sh(at, "$U repair --from-rev -i > /dev/null").expect(0, "", "");
        assert_eq!(contents(at, "a.txt"), good, "{filter}");
        git_sh(at, "git add . && git diff --cached --stat").expect(0, "", "");
        // A clone without the filter has stored the text as in the work tree.
        git_sh(at, "git update-index --cacheinfo 100644,$(git hash-object -w --no-filters a.txt),a.txt")
            .expect(0, "", "");
        let ran = git_sh(at, "$U check --staged --excerpt=never");
        let stdout = String::from_utf8_lossy(&ran.stdout).into_owned();
        let fix = "; convert it with 'git add --renormalize a.txt' [wrong-encoding]\n";
        assert!(ran.status == 1 && stdout.ends_with(fix), "{filter}: {stdout}");
        git_sh(at, "git add --renormalize a.txt && $U check --staged && git diff --cached --stat")
            .expect(0, "", "");
    }
}

/// A version that the filter refuses is not used as the old version.
#[test]
fn old_versions_that_a_filter_refuses_are_reported() {
    if !has("git") {
        return;
    }
    let dir = dir_with(&[("a.txt", b"gr\xFCn \x81\n")]);
    let at = dir.path();
    git_sh(at, "git init -q .; git add . && git commit -qm one && echo '*.txt filter=w -text' > .gitattributes && git config filter.w.process \"$U git-filter -t windows-1252\"")
        .expect(0, "", "");
    write(at, "a.txt", "grün\n");
    let commands = ["repair --from-rev -i", "repair --history -i", "check --since=HEAD"];
    // If the filter is optional, git checks out a refused file unchanged.
    for required in ["", "git config filter.w.required false; "] {
        for command in commands {
            git_sh(at, &format!("{required}$U {command} a.txt")).expect(0, "", "");
        }
    }
    git_sh(at, "git config filter.w.required true").expect(0, "", "");
    for command in commands {
        git_sh(at, &format!("$U {command} a.txt")).expect_part(2, "", ": git-filter: line 1, column 6, ");
    }
    assert_eq!(contents(at, "a.txt"), "grün\n".as_bytes());
    // Text is restored in the encoding of the work tree, or not at all.
    git_sh(at, "git config filter.w.required false").expect(0, "", "");
    let damaged = "gr\u{FFFD}n \u{FFFD}\nneu\n";
    write(at, "a.txt", damaged);
    git_sh(at, "$U check --since=HEAD -l a.txt").expect(1, "a.txt\n", "");
    let why = "utfconv: a.txt: the text of HEAD cannot be converted from windows-1252 to UTF-8: ";
    git_sh(at, "$U repair --from-rev -i a.txt").expect_part(2, "", why);
    assert_eq!(contents(at, "a.txt"), damaged.as_bytes());
    // The filter also refuses a file that is not UTF-8, so git commands fail until it is converted.
    git_sh(at, "printf 'gr\\374n\\n' > a.txt; git config filter.w.process ''; git commit -qam two; git config filter.w.process \"$U git-filter -t windows-1252\"")
        .expect(0, "", "");
    write(at, "a.txt", b"gr\xFCn und sch\xF6n\n");
    git_sh(at, "$U repair --from-rev a.txt").expect(
        1,
        "a.txt: error: it is not UTF-8; if it is windows-1252, use 'utfconv -f windows-1252 -i a.txt' to convert it\na.txt: 1 not repaired\n",
        "",
    );
}

/// Only git runs filters of other programs.
#[test]
fn files_of_other_filters_are_left() {
    if !has("git") {
        return;
    }
    let dir = dir_with(&[(".gitattributes", b"*.txt filter=w -text\n"), ("a.txt", b"gr\xFCn\nplain\n")]);
    let at = dir.path();
    git_sh(at, "git init -q .; git add . && git commit -qm one && git config filter.w.smudge 'touch ran; iconv -f latin1 -t UTF-8'")
        .expect(0, "", "");
    write(at, "a.txt", "grün\nplainer\n");
    let left = "a.txt: error: git's filter w converts this file, and utfconv runs no filter of another program; use 'git cat-file --filters \"HEAD:./a.txt\" | utfconv repair --from - a.txt'\na.txt: 1 not repaired\n";
    git_sh(at, "$U repair --from-rev -i").expect(1, left, "");
    assert_eq!(contents(at, "a.txt"), "grün\nplainer\n".as_bytes());
    sh(at, "test ! -e ran").expect(0, "", "");
    if has("iconv") {
        git_sh(at, "git cat-file --filters HEAD:./a.txt | $U repair --from - a.txt").expect(0, "", "");
    }
}

/// A script that puts a wrapper before git in PATH. The wrapper logs all calls, and fails if a call has the word
/// `$FAILS`.
const LOGGING: &str = "real=$(command -v git); mkdir bin; printf '#!/bin/sh\\necho \"$*\" >> %s/log\\ncase \" $* \" in *\" $FAILS \"*) echo fatal: no >&2; exit 128;; esac\\nexec %s \"$@\"\\n' \"$PWD\" \"$real\" > bin/git; chmod +x bin/git; export PATH=\"$PWD/bin:$PATH\"";

/// If git fails, the filters of a file are unknown, so the file is reported and left.
#[test]
fn errors_of_git_are_reported() {
    if !has("git") {
        return;
    }
    let dir = dir_with(&[(".gitattributes", b"*.txt filter=w -text\n"), ("a.txt", OLD)]);
    let at = dir.path();
    git_sh(
        at,
        "git init -q .; git add . && git commit -qm one && git config filter.w.smudge 'iconv -f latin1'",
    )
    .expect(0, "", "");
    write(at, "a.txt", DAMAGED);
    git_sh(at, &format!("{LOGGING}; export FAILS=check-attr; $U repair --from-rev -i a.txt")).expect(
        2,
        "",
        "utfconv: a.txt: git: no",
    );
    assert_eq!(contents(at, "a.txt"), DAMAGED.as_bytes());
    git_sh(at, "git config filter.w.smudge \"$U git-filter -f UTF-16\"; git add . 2> log").expect(0, "", "");
    git_sh(at, "export PATH=\"$PWD/bin:$PATH\" FAILS=check-attr; $U check --staged a.txt").expect_part(
        2,
        "",
        "utfconv: a.txt: git: no\n",
    );
}

/// A filter with a name that is not UTF-8 is not run, either.
#[test]
fn filters_may_have_names_that_are_not_utf_8() {
    if !has("git") {
        return;
    }
    let dir = dir_with(&[("a", OLD)]);
    let at = dir.path();
    git_sh(at, "git init -q .; git add . && git commit -qm one && git config \"filter.$(printf '\\377').clean\" 'touch ran; cat'")
        .expect(0, "", "");
    write(at, "a", DAMAGED);
    fs::create_dir_all(at.join(".git/info")).expect("makes");
    write(at, ".git/info/attributes", b"a filter=\xFF -text\n");
    git_sh(at, "$U check --no-config --since=HEAD --excerpt=never a").expect(
        1,
        found("a", "HEAD", ""),
        SUMMARY,
    );
    git_sh(at, "$U repair --from-rev -i").expect(0, repaired("a", "HEAD", "made"), "");
    assert_eq!(contents(at, "a"), RESTORED);
    sh(at, "test ! -e ran").expect(0, "", "");
}

/// Each query to git covers all files at once.
#[test]
fn git_is_asked_once_for_all_files() {
    if !has("git") {
        return;
    }
    let names: Vec<_> = (0..20).map(|number| format!("{number}.txt")).collect();
    let files: Vec<_> = names.iter().map(|name| (&name[..], OLD)).collect();
    let dir = dir_with(&files);
    let at = dir.path();
    git_sh(at, "git init -q .; git add . && git commit -qm one; git config filter.w.process \"$U git-filter -t latin1\"")
        .expect(0, "", "");
    // The number of calls is smaller than the number of files.
    let few = "test $(grep -c . log) -lt 15; echo $?; rm log";
    git_sh(at, &format!("{LOGGING}; $U repair --from-rev *.txt; {few}")).expect(0, "0\n", NO_DIFFERENCE);
    write(at, ".gitattributes", "*.txt filter=w -text\n");
    names.iter().for_each(|name| write(at, name, "a b\n"));
    let calls = "grep -c check-attr log; grep -c ' config ' log";
    let wrapped = "export PATH=\"$PWD/bin:$PATH\"";
    git_sh(at, &format!("git add .; {wrapped}; $U check --staged *.txt; {calls}; {few}")).expect(
        0,
        "1\n2\n0\n",
        "",
    );
}

/// Warning of `repair` if no file differs from its old version.
const NO_DIFFERENCE: &str = "utfconv: warning: no file differs from the old version: nothing to restore; if the damage was \
    committed, use --from-rev=HEAD~1 or --history";

/// A configured encoding is as certain as an encoding that is given by an option.
#[test]
fn configured_encodings_show_what_was_misread() {
    if !has("git") {
        return;
    }
    let dir = dir_with(&[
        (".editorconfig", b"root = true\n[*]\ncharset = latin1\n"),
        ("a", b"Un caf\xE9, un th\xE9.\nJe suis l\xE0 o\xF9 \xE7a ?\nplain\nNa\xEFve fa\xE7ade\n"),
    ]);
    let at = dir.path();
    git_sh(at, "git init -q . && git add . && git commit -qm one").expect(0, "", "");
    git_sh(at, "$U -f macintosh a > b && sed 's/plain/plains/' b > a && rm b").expect(0, "", "");
    let ran = git_sh(at, "$U check --since=HEAD --format=json a | grep -c 'lost characters at'");
    assert_eq!((ran.status, &ran.stdout[..]), (0, &b"3\n"[..]), "{ran:?}");
    git_sh(at, "$U repair --history -i a > /dev/null && git diff --shortstat").expect(
        0,
        " 1 file changed, 1 insertion(+), 1 deletion(-)\n",
        "",
    );
}

/// A file that is declared to be UTF-8 was converted on purpose, so it stays UTF-8, and lost text is restored in UTF-8.
#[test]
fn files_declared_to_be_utf8_stay_that() {
    if !has("git") {
        return;
    }
    let old = b"Un caf\xE9, un th\xE9.\nJe suis l\xE0 o\xF9 \xE7a ?\nplain\nNa\xEFve fa\xE7ade\n";
    let text = "Un café, un thé.\nJe suis là où ça ?\nplain\nNaïve façade\n";
    let dir = dir_with(&[("a", old)]);
    let at = dir.path();
    git_sh(at, "git init -q . && git add . && git commit -qm one").expect(0, "", "");
    let converted = "a: repair: bytes from HEAD, restored as windows-1252: it was converted to UTF-8 (if that was meant, declare 'charset = utf-8' in .editorconfig)\n\
        a: 1 change to make with -i\n";
    write(at, "a", text);
    git_sh(at, "$U repair --from-rev").expect(1, converted, "");
    for (name, declaration) in [
        (".editorconfig", "root = true\n[*]\ncharset = utf-8\n"),
        ("utfconv.toml", "[[check.paths]]\nglobs = [\"*\"]\nencoding = \"UTF-8\"\n"),
    ] {
        write(at, name, declaration);
        for edit in ["plain", "plain 日本"] {
            write(at, "a", text.replace("plain", edit));
            git_sh(at, "$U repair --from-rev -i a; $U repair --history -i a; $U check --since=HEAD a")
                .expect(0, "", "");
            assert_eq!(contents(at, "a"), text.replace("plain", edit).as_bytes());
            let damaged = String::from_utf8_lossy(old).replace("plain", edit);
            write(at, "a", damaged);
            let report = "a: repair: 7 lost characters from HEAD: bytes that are not UTF-8 became U+FFFD\na:1: repair: lost characters\na:2: repair: lost characters\na:4: repair: lost characters\na: 7 changes made\n";
            git_sh(at, "$U repair --from-rev -i a").expect(0, report, "");
            assert_eq!(contents(at, "a"), text.replace("plain", edit).as_bytes(), "{name}, {edit}");
            git_sh(at, "$U check --since=HEAD a && $U check a").expect(0, "", "");
        }
        fs::remove_file(at.join(name)).expect("removes");
    }
}

/// Text that cannot be restored stays and is an error. It is not taken for new text, and the file's encoding does not
/// change.
#[test]
fn files_declared_to_be_utf8_are_restored_in_utf8_or_not_at_all() {
    if !has("git") {
        return;
    }
    let text = "Schöne Grüße\naus München\nfür nächste\nWoche müssen\nwir größer hören\n";
    let latin = |text: &str| text.chars().map(|scalar| u32::from(scalar) as u8).collect::<Vec<_>>();
    let declaration = b"root = true\n[*]\ncharset = utf-8\n";
    let committed = |old: &[u8]| {
        let dir = dir_with(&[("a", old), (".editorconfig", declaration)]);
        git_sh(dir.path(), "git init -q . && git add . && git commit -qm one").expect(0, "", "");
        dir
    };
    let dir = committed(&latin(text));
    let at = dir.path();
    for mark in ["", "?"] {
        let damaged = text.replace(|scalar: char| !scalar.is_ascii(), mark) + "neu 😀\n";
        write(at, "a", &damaged);
        for command in ["repair --from-rev -i a", "repair --history -i a"] {
            let ran = git_sh(at, &format!("$U {command}"));
            let is_restored = contents(at, "a") == (text.to_string() + "neu 😀\n").as_bytes();
            let is_left = ran.status == 1 && contents(at, "a") == damaged.as_bytes();
            assert!(is_left || is_restored && ran.status == 0, "{ran:?}");
            write(at, "a", &damaged);
        }
    }
    // The old version has a byte that its encoding does not define.
    let dir = committed(&[&latin(text), &b"\x81\n"[..]].concat());
    let at = dir.path();
    let damaged = text.replace(|scalar: char| !scalar.is_ascii(), "\u{FFFD}") + "\u{FFFD}\nneu\n";
    write(at, "a", &damaged);
    let ran = git_sh(at, "$U repair --from-rev -f windows-1252 -i a");
    ran.expect_part(2, "", "utfconv: a: the text of HEAD cannot be converted from windows-1252 to UTF-8: ");
    assert_eq!(contents(at, "a"), damaged.as_bytes());
    // The old version is UTF-16.
    let dir = committed(&text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>());
    let at = dir.path();
    let old = contents(at, "a");
    write(at, "a", String::from_utf8_lossy(&old).as_ref());
    git_sh(at, "$U repair --from-rev -f UTF-16LE -i a > log").expect(0, "", "");
    assert_eq!(contents(at, "a"), text.as_bytes());
}

/// A file above the limit is refused before it is read, because files are held in memory.
#[test]
fn files_above_the_limit_are_refused() {
    let dir = dir_with(&[("a", b"caf\xE9\n")]);
    let at = dir.path();
    sh(at, "truncate -s 1073741825 big").expect(0, "", "");
    let why = "more than 1 GiB; it would be held in memory";
    for (command, named) in [
        ("edit -f latin1 big -- true", "big"),
        ("repair -f latin1 --from a -i big", "big"),
        ("repair -f latin1 --from big -i a", "a: big"),
    ] {
        sh(at, &format!("$U {command}")).expect(2, "", &format!("{named}: {why}"));
    }
    sh(at, "stat -c %s,%b big").expect(0, "1073741825,0\n", "");
    assert_eq!(contents(at, "a"), b"caf\xE9\n");
}

/// The old version may be a pipe, such as the output of a command.
#[cfg(unix)]
#[test]
fn the_old_version_may_be_a_pipe() {
    let dir = dir_with(&[("old", b"caf\xE9 un\nabc\n"), ("new", "caf\u{FFFD} un\nabcd\n".as_bytes())]);
    let at = dir.path();
    let damage = "bytes that are not UTF-8 became U+FFFD";
    let fixed = b"caf\xE9 un\nabcd\n";
    for (call, name) in [
        ("cat old | $U repair -f latin1 -i --from - new", "standard input"),
        ("$U repair -f latin1 -i --from - new < old", "standard input"),
        ("mkfifo pipe; cat old > pipe & $U repair -f latin1 -i --from pipe new", "pipe"),
    ] {
        let report = format!(
            "new: repair: 1 lost character from {name}, restored as ISO-8859-1: {damage}\nnew:1: repair: lost characters\nnew: 1 change made\n"
        );
        sh(at, &format!("cp new kept; {call}; s=$?; cat new; mv kept new; rm -f pipe; exit $s")).expect(
            0,
            [report.as_bytes(), fixed].concat(),
            "",
        );
    }
    // For several files, the pipe is read once.
    for (start, pipe) in [("cat old |", "-"), ("mkfifo pipe; cat old > pipe &", "pipe")] {
        let call = format!("{start} timeout 20 $U repair -f latin1 -i --from {pipe} d > log");
        sh(at, &format!("mkdir -p d; cp new d/a; cp new d/b; {call}; cat d/a d/b; rm -f pipe")).expect(
            0,
            fixed.repeat(2),
            "",
        );
    }
    for (old, why) in [("d", "Is a directory"), ("nowhere", "No such file or directory")] {
        sh(at, &format!("$U repair --from {old} new")).expect(
            2,
            "",
            &format!("utfconv: new: {old}: {why}\n"),
        );
    }
    let lost = "new:1:4: error: U+FFFD at byte 3: a character is lost, and /dev/null does not have this text\n\
        new: 1 not repaired\n";
    sh(at, "$U repair --from /dev/null new").expect(1, lost, "");
}

/// Text that is not repaired is reported on standard error, because a patch cannot have such lines.
#[test]
fn a_diff_reports_what_is_not_repaired() {
    let dir = dir_with(&[
        ("old", "Grüße\n".as_bytes()),
        ("lost", "Gr\u{FFFD}e\n".as_bytes()),
        ("mixed", b"Gr\xFC\xDFe\nGr\xC3\xBC\xC3\x9Fe \x81 \n\xC3\xA9\xE9\n"),
    ]);
    let at = dir.path();
    let lines = "lost:1:3: error: a character was lost, and old does not prove which\nlost: 1 not repaired\n";
    sh(at, "$U repair --from old lost").expect(1, lines, "");
    sh(at, "$U repair --diff --from old lost").expect(1, "", lines);
    // The patch shows the repairs, so their lines are left out.
    let ran = sh(at, "$U repair --diff --candidates=windows-1251,KOI8-R mixed");
    let shown = sh(at, "$U repair --candidates=windows-1251,KOI8-R mixed").stdout;
    let left: String = String::from_utf8_lossy(&shown)
        .lines()
        .filter(|line| line.contains(": not repaired: "))
        .map(|line| line.to_string() + "\n")
        .collect();
    assert!(!left.is_empty() && ran.stderr.starts_with(&left), "{ran:?} {shown:?}");
    assert!(ran.status == 1 && ran.stderr.ends_with("\nmixed: 2 not repaired\n"), "{ran:?}");
    assert!(ran.stdout.starts_with(b"diff --git a/mixed b/mixed\n"), "{ran:?}");
}

#[test]
fn impossible_command_lines_are_refused() {
    let dir = dir_with(&[("a", b"x")]);
    for (args, text) in [
        ("--from a", "--from works on one PATH"),
        ("--from a b c", "--from works on one PATH"),
        ("--from nowhere a", "nowhere: No such file"),
        ("-f latin1 a", "--from-code requires --from, --from-rev or --history"),
        ("--from-rev --from a a", "--from"),
        ("--history --from-rev a", "--from-rev"),
        (
            "--from-rev HEAD~1 a",
            "a revision follows '=': use --from-rev=HEAD~1, or ./HEAD~1 for a file of that name",
        ),
        (
            "--from-rev HEAD a",
            "a revision follows '=': use --from-rev=HEAD, or ./HEAD for a file of that name",
        ),
        ("--history -", "--from, --from-rev and --history cannot be used with standard input"),
        ("--from a -", "standard input"),
    ] {
        sh(dir.path(), &format!("$U repair {args}")).expect_part(2, "", text);
    }
}

/// U+FFFD in a file that is otherwise in its old encoding cannot be restored, and is an error.
#[test]
fn marks_in_a_file_of_its_own_encoding_are_not_repaired() {
    if !has("git") {
        return;
    }
    let dir = dir_with(&[("a", b"M\xFCller\ngr\xFCn\n")]);
    let at = dir.path();
    git_sh(at, "git init -q . && git add . && git commit -qm one").expect(0, "", "");
    let new = b"M\xEF\xBF\xBDller\ngr\xFCn\n";
    write(at, "a", new);
    let error = "a:1:2: error: U+FFFD at byte 1: a character is lost, and the file is not UTF-8; use 'git diff HEAD -- a' to see what changed\na: 1 not repaired\n";
    git_sh(at, "$U repair --from-rev .").expect(1, error, "");
    git_sh(at, "$U repair --from-rev -i .").expect(1, error, "");
    assert_eq!(contents(at, "a"), new);
    // U+FFFD that the old version also has is no error.
    git_sh(at, "git commit -qam two; echo x >> a; $U repair --from-rev -i .").expect(0, "", "");
}

/// A file that git checks out in UTF-16 is restored in UTF-16, by the command that `check` suggests.
#[test]
fn a_file_that_is_checked_out_in_utf_16_is_restored() {
    if !has("git") {
        return;
    }
    let dir = dir_with(&[(".gitattributes", b"*.u16 working-tree-encoding=UTF-16LE-BOM\n")]);
    let at = dir.path();
    let in_utf16 = |text: &str| run(&["-t", "UTF-16LE-BOM"], text).stdout;
    write(at, "w.u16", in_utf16("Größe\nNaïve Straße\nüber\n"));
    git_sh(at, "git init -q .; git add .; git commit -qm old").expect(0, "", "");
    write(at, "w.u16", in_utf16("Gr\u{FFFD}\u{FFFD}e\nNaïve Stra\u{FFFD}e\n\u{FFFD}ber\nneu\n"));
    let ran = git_sh(
        at,
        "git add w.u16; $U check --staged --excerpt=never -q; $U check --staged --excerpt=never | head -1",
    );
    let advice = "w.u16:1:3: error: lost characters at byte 2: since HEAD, characters that are not ASCII became U+FFFD; \
        use 'utfconv repair --from-rev=HEAD -i w.u16 && git add w.u16' to restore them [lost-characters]\n";
    ran.expect(0, advice, "utfconv: 3 errors in 1 of 1 file\n");
    git_sh(
        at,
        "$U repair --from-rev=HEAD -i w.u16 > /dev/null && git add w.u16 && $U check --staged && cat w.u16",
    )
    .expect(0, in_utf16("Größe\nNaïve Straße\nüber\nneu\n"), "");
    git_sh(at, "$U repair --from-rev=HEAD -i w.u16").expect(0, "", "");
}
