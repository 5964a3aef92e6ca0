//! Text that a program for UTF-8 damaged, and what `repair --from`, `--from-rev` and `--history` put back, from outside.

use std::fs;
use std::path::Path;

use crate::harness::{contents, dir_with, git_sh, has, sh, write};

/// Texts in legacy encodings, and the names of these.
const TEXTS: &[(&str, &str, &str)] = &[
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

/// A repository with the texts, and their bytes.
fn repository() -> (tempfile::TempDir, Vec<Vec<u8>>) {
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

/// The text as a program sees it, and its edit.
fn edited(old: &[u8], is_wide: bool) -> String {
    let [plain, edit] = ["plain\n", "not plain\nadded\n"];
    let zeros = |text: &str| text.chars().flat_map(|scalar| [scalar, '\0']).collect::<String>();
    let seen = String::from_utf8_lossy(old);
    if is_wide { seen.replace(&zeros(plain), &zeros(edit)) } else { seen.replace(plain, edit) }
}

/// The bytes that should be there.
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
    // Nothing is left to restore, and everything can be undone.
    sh(at, "$U repair --from-rev").expect(0, "", "");
    sh(at, "$U repair --undo ../M; rm ../M").expect(0, "", "utfconv: ../M: 6 files restored\n");
    for ((name, encoding, _), old) in TEXTS.iter().zip(&old) {
        assert_eq!(contents(at, name), edited(old, *encoding == "UTF-16LE").as_bytes(), "{name}");
    }
}

/// Programs read with U+FFFD in their own ways, and edit one line: the check fails, the repair restores, and git shows that line.
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
        // All of them are text for git.
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
    let lines = "new: repair: 2 lost characters from old: bytes that are not UTF-8 became U+FFFD\n\
        new:1: repair: lost characters\nnew:2: repair: lost characters\nnew: 2 changes to make with -i\n";
    sh(at, "$U repair -f windows-1252 --from old new").expect(1, lines, "");
    sh(at, "$U repair -f windows-1252 --from old -i new > log").expect(0, "", "");
    assert_eq!(contents(at, "new"), b"caf\xE9\nna\xEFve \x80\n");
    // A detected encoding does not grow: all of the old file is GBK.
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

/// With `--unmappable`, what is proven comes back, and the rest is written by the mode and reported.
#[test]
fn what_is_not_proven_is_written_by_a_mode() {
    let edited = "caf\u{FFFD}!\n\u{FFFD}\nna\u{FFFD}ve\nあ xあ\n";
    let dir = dir_with(&[("old", b"caf\xE9\nna\xEFve\n"), ("damaged", edited.as_bytes())]);
    let at = dir.path();
    let lines = "new: repair: 2 lost characters from old: bytes that are not UTF-8 became U+FFFD\n\
        new:1: repair: lost characters\nnew:3: repair: lost characters\n\
        new:2:1: error: a character was lost, and old does not prove which\n\
        new:4:1: error: U+3042 \"あ\" cannot be encoded in windows-1252\n\
        new:4:4: error: U+3042 \"あ\" cannot be encoded in windows-1252\n";
    for (mode, expected) in [
        ("replace", &b"caf\xE9!\n?\nna\xEFve\n? x?\n"[..]),
        ("replace=[\u{E9}\u{3042}]", b"caf\xE9!\n[\xE9?]\nna\xEFve\n[\xE9?] x[\xE9?]\n"),
        ("omit", b"caf\xE9!\n\nna\xEFve\n x\n"),
        ("escape=html", b"caf\xE9!\n&#65533;\nna\xEFve\n&#12354; x&#12354;\n"),
        ("translit", b"caf\xE9!\n?\nna\xEFve\n? x?\n"),
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
    // Carriers stop at other characters.
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
    // A file that has nothing else is not changed, but reported.
    write(at, "new", "Grüße\nx\u{FFFD}\n");
    sh(at, "$U repair -f UTF-8 --from utf8 --unmappable=replace -i new").expect(
        1,
        "new:2:2: error: a character was lost, and utf8 does not prove which\nnew: 1 not repaired\n",
        "",
    );
}

/// Question marks stay, and nothing is written where characters were dropped; the edits of such lines stay.
#[test]
fn question_marks_and_gaps_stay_where_nothing_is_proven() {
    let old = b"Gr\xFC\xDFe aus K\xF6ln\nSch\xF6ne Gr\xFC\xDFe\n\xC4rger f\xFCr M\xFCller\nplain\n";
    let dir = dir_with(&[("old", old)]);
    let at = dir.path();
    for (edited, expected, places) in [
        (
            "Gr??e aus K?ln\nSch?ne Gr??e\nneu: M?hle\nplain!\n",
            &b"Gr\xFC\xDFe aus K\xF6ln\nSch\xF6ne Gr\xFC\xDFe\nneu: M?hle\nplain!\n"[..],
            &["3:7"][..],
        ),
        (
            "Gre aus Kln\nSchne Gre\nneu rger fr Mller\nplain!\n",
            b"Gr\xFC\xDFe aus K\xF6ln\nSch\xF6ne Gr\xFC\xDFe\nneu rger fr Mller\nplain!\n",
            &["3:1", "4:1"],
        ),
    ] {
        write(at, "new", edited);
        let refused = sh(at, "$U repair -f windows-1252 --from old -i new");
        assert!(refused.status == 1 && contents(at, "new") == edited.as_bytes(), "{refused:?}");
        for mode in ["replace=!", "omit", "escape"] {
            write(at, "new", edited);
            let ran = sh(at, &format!("$U repair -f windows-1252 --from old --unmappable={mode} -i new"));
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
    // Characters of all lines were replaced by hand, perhaps, and one was deleted: no mode decides that.
    write(at, "new", "Gruesse aus Koeln\nSchoene Gruesse\naerger fuer Mller\nplain\n");
    let ran = sh(
        at,
        "cp new other; $U repair -f windows-1252 --from old --unmappable=replace -i new; cmp new other",
    );
    assert_eq!(ran.status, 0, "{ran:?}");
}

/// A text whose lines were all damaged has nothing in common with the old file, as git compares them.
#[test]
fn damage_is_found_where_git_finds_no_rename() {
    if !has("git") {
        return;
    }
    let (dir, old) = repository();
    let at = dir.path();
    sh(at, "git rm -q russian western").expect(0, "", "");
    write(at, "moved", edited(&old[1], false));
    // Others are new.
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

/// Deleted files that differ only in what was lost do not prove which of them it was.
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
    // The same content restores the same.
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
    // Files that are new, binary or gone have no old version.
    sh(
        at,
        "rm korean; printf 'x\\0\\377' > chinese; echo new > n; ln -s n l; git add n l; $U repair --from-rev",
    )
    .expect(0, "", "");
    sh(at, "$U repair --from-rev=--all").expect(2, "", ".: no such revision: --all");
    sh(at, "$U repair --from-rev=nowhere").expect(2, "", ".: no such revision: nowhere");
    sh(at, "cd /; $U repair --from-rev").expect(2, "", ".: not in a git repository");
}

/// What is staged is read from the index, also where its directory is gone.
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

/// Programs that know only ASCII, or that decode each chunk on its own, damage UTF-8 as well.
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
        assert!(stdout.contains("use 'utfconv repair --from-rev=HEAD -i a' to restore them"), "{stdout}");
        git_sh(at, "$U repair --from-rev -i > /dev/null").expect(0, "", "");
        assert_eq!(contents(at, "a"), edited(old).as_bytes(), "{damaged}");
    }
    // Another program may have typed characters since.
    for mark in ["?", "\u{FFFD}"] {
        let damaged: String = old
            .chars()
            .map(|scalar| if scalar.is_ascii() { scalar.to_string() } else { mark.into() })
            .collect();
        write(at, "a", edited(&damaged).replace("edited", "neu: ü"));
        let ran = git_sh(at, "$U check --since=HEAD --excerpt=never .");
        assert_eq!((ran.status, &ran.stderr[..]), (1, "utfconv: 2 errors in 1 of 1 file\n"), "{ran:?}");
        git_sh(at, "$U repair --from-rev -i > /dev/null").expect(0, "", "");
        assert_eq!(contents(at, "a"), old.replace("plain", "neu: ü").as_bytes(), "{damaged}");
    }
    // An edit beside the damage leaves no proof: git shows the change.
    write(at, "a", old.replace("ö", "\u{FFFD}").replace("aus", "in"));
    let refused = "a:1:11: error: a character was lost, and HEAD does not prove which; use 'git diff HEAD -- a' to see what changed\na: 1 not repaired\n";
    git_sh(at, "$U repair --from-rev").expect(1, refused, "");
    // A file that is not UTF-8 any more was converted, which `repair` does not undo.
    write(at, "a", b"Gr\xFC\xDFe\n");
    git_sh(at, "$U repair --from-rev").expect(
        1,
        "a: error: it is not UTF-8; use 'git diff HEAD -- a' to see what changed\na: 1 not repaired\n",
        "",
    );
}

/// A line in UTF-8 in a legacy file is an error in that file's encoding, though UTF-8 is what the check expects.
#[test]
fn lines_in_another_encoding_than_the_old_version_are_reported() {
    if !has("git") {
        return;
    }
    let old = b"Gr\xFC\xDFe aus K\xF6ln\nSch\xF6ne Gr\xFC\xDFe\n";
    let dir = dir_with(&[("a", old)]);
    let at = dir.path();
    git_sh(at, "git init -q . && git add . && git commit -qm one").expect(0, "", "");
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
    // One that is in the encoding of the file makes nothing worse. Once it is declared, UTF-8 is still wrong.
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
    // Lines that are UTF-8 by chance are no mixture.
    add(b"\xC9\x94, na\xEFve \xE0 c\xF4t\xE9\nCAF\xC9\xBB\n");
    git_sh(at, check).expect(0, "", "");
    // In text of Thai, two letters may have the bytes of UTF-8.
    let thai = b"\xC0\xCA\xD2\xB9\xBA\xA1\xC3\xD0\n\xC0\xA7\xD4\xB9 \xC3\xD2\xA4\xD2\n".repeat(4);
    write(at, "t", &thai);
    git_sh(at, "git add t && git commit -qm thai").expect(0, "", "");
    write(at, "t", [&thai[..], b"name=\"\xC5\xBA\"\n"].concat());
    let check_thai = "git add t && $U check --staged -f windows-874 --excerpt=never t";
    git_sh(at, check_thai).expect(0, "", "");
    write(at, "t", [&thai[..], "ภาษาไทยเป็นภาษา\n".as_bytes()].concat());
    git_sh(at, &format!("{check_thai} -l")).expect(1, "t\n", "");
}

/// Lines are counted, and compared as wholes, where they are longer than what is examined at a time.
#[test]
fn long_lines_are_compared_as_wholes() {
    if !has("git") {
        return;
    }
    let long = "größer ".repeat(300_000);
    let old = [&b"Gr\xFC\xDFe aus K\xF6ln\n"[..], long.as_bytes(), b"\n"].concat();
    let dir = dir_with(&[("a", &old)]);
    let at = dir.path();
    git_sh(at, "git init -q . && git add . && git commit -qm one").expect(0, "", "");
    let check = "$U check --since=HEAD -f windows-1252 --allow=double-encoded --format=json a | grep -o '\"line\":[0-9]*.*mixed-enc'";
    write(at, "a", [&old[..], b"Stra\xDFe\n"].concat());
    git_sh(at, check).expect(1, "", "");
    write(at, "a", [&old[..], "Maße\n".as_bytes()].concat());
    let ran = git_sh(at, check);
    assert!(ran.status == 0 && ran.stdout.starts_with(b"\"line\":3,"), "{ran:?}");
}

/// Text in its own encoding is no mixture, though some words of it are UTF-8, too.
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
        ("GBK", b"\xC4\xE3\xBA\xC3\n", b"\xD0\xBB\xD0\xBB!\n"),
        ("EUC-JP", b"\xC6\xFC\xCB\xDC\n", b"\xC2\xA4\n\xC3\xA4\n\xC4\xA4\n\xC5\xA4\n\xC6\xA4\n\xC7\xA4\n\xC8\xA4\n"),
    ] {
        write(at, "a", old);
        git_sh(at, "git add a && git commit --allow-empty -qm old").expect(0, "", "");
        write(at, "a", [old, added].concat());
        git_sh(at, &format!("git add a && $U check --staged --allow=double-encoded -f {encoding} a")).expect(0, "", "");
        // Plain UTF-8 is found there.
        let line = "Größe, größer; привет, мир; 日本語の文章です\n";
        write(at, "a", [old, line.as_bytes()].concat());
        git_sh(at, &format!("git add a && $U check --staged -f {encoding} -l a")).expect(1, "a\n", "");
    }
}

/// The newest commit in which a file is not damaged counts, also under another name, and before other edits.
#[test]
fn the_history_gives_back_what_was_lost() {
    if !has("git") {
        return;
    }
    let (dir, old) = repository();
    let at = dir.path();
    // A good edit, the damage, an edit, and a new name; another file was converted, and has lost nothing.
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
        "a b: repair: 77 lost characters from {}: bytes that are not UTF-8 became U+FFFD\n",
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
    // If the newest version that is not damaged does not prove what was lost, older ones do not either: the text was
    // changed since.
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

/// A conversion that was committed is no damage: versions before it restore nothing, and what was lost comes back in UTF-8.
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
    // Before and after the damage is committed.
    let edited = text.replace("Dank", "Danke");
    for commit in ["true", "git commit -qam three && echo x >> a"] {
        write(at, "a", edited.replace(|scalar: char| !scalar.is_ascii(), ""));
        git_sh(at, &format!("{commit} && $U repair --history -i a")).expect(0, lost("made"), "");
        let added = if commit == "true" { "" } else { "x\n" };
        assert_eq!(String::from_utf8_lossy(&contents(at, "a")), edited.clone() + added, "{commit}");
    }
    // A program that read the old encoding of a version before the conversion shows nothing about newer ones.
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
    // A file that was UTF-8 may be converted, too.
    write(at, "b", "Grüße\nMüller\n");
    git_sh(at, "git add b && git commit -qm four && $U -i -t windows-1252 b && git commit -qam five")
        .expect(0, "", "");
    git_sh(at, "echo x >> b; $U repair --history b").expect(0, "", "");
}

/// A file that was named and cannot be compared is an error, and a file that did not change is not.
#[test]
fn named_files_without_old_version_are_reported() {
    let Some(dir) = damaged("", "a") else { return };
    let at = dir.path();
    write(at, "a", OLD);
    write(at, "untracked", DAMAGED);
    write(at, "staged", DAMAGED);
    sh(at, "git add staged").expect(0, "", "");
    let absent = |name: &str, why: &str| format!("utfconv: {name}: {why}; use --from=OLD with a good copy\n");
    for (files, name) in [("untracked", "untracked"), ("a ./untracked", "./untracked"), ("staged", "staged")]
    {
        for (option, why) in
            [("--from-rev", "HEAD does not have this file"), ("--history", "no commit has this file")]
        {
            git_sh(at, &format!("$U repair {option} -i {files}")).expect(2, "", &absent(name, why));
        }
    }
    git_sh(at, "$U repair --from-rev a && $U repair --history ./a").expect(0, "", NO_DIFFERENCE);
    // A rename need not be committed.
    write(at, "a", DAMAGED);
    let commit = String::from_utf8(git_sh(at, "git rev-parse --short=12 HEAD").stdout).expect("ASCII");
    git_sh(at, "git mv a renamed && $U repair -f latin1 --history renamed").expect(
        1,
        repaired("renamed", commit.trim(), "to make with -i"),
        "",
    );
    assert_eq!(contents(at, "untracked"), DAMAGED.as_bytes());
}

const OLD: &[u8] = b"caf\xE9\nna\xEFve\nx\n";
const DAMAGED: &str = "caf\u{FFFD}\nna\u{FFFD}ve\ny\n";
const RESTORED: &[u8] = b"caf\xE9\nna\xEFve\ny\n";

/// What `check` prints of a file with the damaged text, and what `repair` does.
fn found(name: &str, revision: &str, add: &str) -> String {
    let lost = format!(
        "lost characters at byte 3: since {revision}, bytes that are not UTF-8 became U+FFFD; use 'utfconv repair --from-rev={revision} -i {name}{add}' to restore them"
    );
    format!(
        "{name}:1:4: error: {lost} [lost-characters]\n{name}:2:3: error: lost characters at byte 9: since {revision}, bytes that are not UTF-8 became U+FFFD [lost-characters]\n"
    )
}

fn repaired(name: &str, version: &str, end: &str) -> String {
    format!(
        "{name}: repair: 2 lost characters from {version}: bytes that are not UTF-8 became U+FFFD\n{name}:1: repair: lost characters\n{name}:2: repair: lost characters\n{name}: 2 changes {end}\n"
    )
}

const SUMMARY: &str = "utfconv: 2 errors in 1 of 1 file\n";

/// A repository with one commit of `name`, whose file is damaged now; None without git.
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

/// Objects have longer names; the name of the file has a newline.
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
    git_sh(at, command).expect(1, repaired(name, commit.trim(), "to make with -i"), "");
    assert_eq!(contents(at, "a\nb"), DAMAGED.as_bytes());
    git_sh(at, "$U repair -f latin1 --from-rev -i").expect(0, repaired(name, "HEAD", "made"), "");
    assert_eq!(contents(at, "a\nb"), RESTORED);
}

/// A path in a submodule belongs to the submodule; the repository around it has only a commit there.
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
    git_sh(at, command).expect(0, repaired("top", "HEAD", "made"), "");
    assert_eq!(
        (contents(at, "top"), contents(at, "sub/a")),
        (RESTORED.to_vec(), DAMAGED.as_bytes().to_vec())
    );
    git_sh(at, &format!("{command}=HEAD~1 sub")).expect(0, repaired("sub/a", "HEAD~1", "made"), "");
    assert_eq!(contents(at, "sub/a"), RESTORED);
}

/// What a clone does not have is not fetched, and the command of the message fetches it.
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
            "a: {version}: its content is not in the repository (a partial clone?); use '{fetch}' to fetch it"
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
    // In a shallow clone, the history ends.
    let ends = "a:1:4: error: U+FFFD at byte 3: 2 characters of this file are lost, and none of 1 version in the history can restore \
        this: 1 damaged too; the clone is shallow: use 'git fetch --unshallow' to have all revisions\na: 1 not repaired\n";
    git_sh(at, "cd shallow; $U repair --history a").expect(1, ends, "");
    let missing = "cd partial; git rev-list --objects --all --missing=print | grep -c '^?'";
    git_sh(at, missing).expect(0, "1\n", "");
    for (clone, fetch) in [("shallow", "git fetch -q --unshallow"), ("partial", &fetch)] {
        let script = format!("cd {clone}; {fetch} && $U repair -f latin1 --from-rev=HEAD~1 -i a");
        git_sh(at, &script).expect(0, repaired("a", "HEAD~1", "made"), "");
        assert_eq!(contents(at, &format!("{clone}/a")), RESTORED, "{clone}");
    }
}

/// A file that is gone or a link now is skipped, and a damaged old version restores nothing.
#[test]
fn old_versions_may_be_of_no_use() {
    let Some(dir) = damaged("", "a") else { return };
    let at = dir.path();
    git_sh(at, "git commit -qam two; cp a b; git add b; git commit -qm three; echo z >> a; rm b; ln -s a b")
        .expect(0, "", "");
    let damaged = contents(at, "a");
    git_sh(at, "$U check --since=HEAD").expect(0, "", "");
    let lost = "utfconv: a:1:4: warning: U+FFFD at byte 3: 2 characters of this file are lost; \
        'utfconv repair --history a' looks for an old version in git\n";
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
    // The history has one that is not damaged.
    let commit = String::from_utf8(git_sh(at, "git rev-parse --short=12 HEAD~2").stdout).expect("ASCII");
    git_sh(at, "$U repair -f latin1 --history -i a").expect(0, repaired("a", commit.trim(), "made"), "");
    assert_eq!(contents(at, "a"), [RESTORED, b"z\n"].concat());
}

/// Commands in messages work in any shell, and name files, not patterns of git.
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

/// The message counts the versions that were looked at.
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
    // Text that is not lost needs no old version.
    git_sh(at, "echo x > a; $U repair --history a").expect(0, "", "");
}

/// Newlines stay those of the work tree, although git stores LF.
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

/// Two damages may explain a text. Either way, something was lost.
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
        "a: error: either bytes that are not UTF-8 became '?', or bytes that are not UTF-8 were dropped, and the \
         results differ; use 'git diff HEAD -- a' to see what changed\na: 1 not repaired\n",
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

/// Each line with new U+FFFD is reported, also beside other changes; a CR alone is no newline of reports.
#[test]
fn all_new_marks_are_reported() {
    if !has("git") {
        return;
    }
    let dir = dir_with(&[
        ("cr", b"ab\xE9 x\rna\xEFve\rq\xE0\r"),
        ("legacy", b"caf\xE9 a\nna\xEFve\n"),
        ("plain", b"plain\n"),
        ("utf8", "Über\n".as_bytes()),
    ]);
    let at = dir.path();
    git_sh(at, "git init -q . && git add . && git commit -qm one").expect(0, "", "");
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
    // An encoding that is given does not apply to files that were UTF-8.
    write(at, "utf8", "Über alles\n");
    git_sh(at, "$U repair -f windows-1252 --from-rev -i utf8 && cat utf8").expect(0, "Über alles\n", "");
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
    for damaged in ["caf?\nna?ve\nnew\n", "caf\u{FFFD}\nna\u{FFFD}ve\nnew\n", "caf\nnave\nnew\n"] {
        write(at, "f", damaged);
        git_sh(at, "$U check --since=HEAD -l").expect(1, "f\n", "");
        git_sh(at, "$U repair --from-rev -i > /dev/null").expect(0, "", "");
        assert_eq!(contents(at, "f"), b"caf\xE9\nna\xEFve\nnew\n", "{damaged}");
    }
    git_sh(at, "git diff --shortstat").expect(0, " 1 file changed, 1 insertion(+)\n", "");
    git_sh(at, "git add f && $U check --staged").expect(0, "", "");
}

/// Old versions are compared as `git-filter` checks them out, on both sides; its command is not run.
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
        // The file is not known to be the same, and then it is edited.
        git_sh(at, "touch -d 2020-01-01 a.txt; $U repair --from-rev; $U repair --history && $U check --since=HEAD a.txt && $U check --staged --tracked a.txt && $U check a.txt")
            .expect(0, "", "");
        wanted("a.txt", &text.replace("plain", "näher"));
        git_sh(at, "$U repair --from-rev && $U check --since=HEAD && git add a.txt && $U check --staged")
            .expect(0, "", "");
        wanted("b.txt", "größer\n");
        git_sh(at, "git add b.txt && $U check --staged && git commit -qm two").expect(0, "", "");
        // The old version is what git checks out.
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
        // A clone without the filter stored the text as it is in the work tree.
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

/// What the filter refuses is no old version of the file.
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
    // git checks it out as it is, if the filter is not required.
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
    // What comes back is in the encoding of the work tree, or does not come back.
    git_sh(at, "git config filter.w.required false").expect(0, "", "");
    let damaged = "gr\u{FFFD}n \u{FFFD}\nneu\n";
    write(at, "a.txt", damaged);
    git_sh(at, "$U check --since=HEAD -l a.txt").expect(1, "a.txt\n", "");
    let why = "utfconv: a.txt: the text of HEAD cannot be converted from windows-1252 to UTF-8: ";
    git_sh(at, "$U repair --from-rev -i a.txt").expect_part(2, "", why);
    assert_eq!(contents(at, "a.txt"), damaged.as_bytes());
    // A file that is not UTF-8 stops git's commands, too: it has to be converted first.
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

/// Puts a program before git that logs its calls, and fails for the one that has this word.
const LOGGING: &str = "real=$(command -v git); mkdir bin; printf '#!/bin/sh\\necho \"$*\" >> %s/log\\ncase \" $* \" in *\" $FAILS \"*) echo fatal: no >&2; exit 128;; esac\\nexec %s \"$@\"\\n' \"$PWD\" \"$real\" > bin/git; chmod +x bin/git; export PATH=\"$PWD/bin:$PATH\"";

/// Without the answer of git, nothing is known of filters, so a file is reported and left.
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

/// A filter whose name is not UTF-8 does not run either.
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

/// Each question to git is about all files at once.
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
    // Fewer than there are files.
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

const NO_DIFFERENCE: &str = "utfconv: warning: no file differs from the old version: nothing to restore; if the damage was \
    committed, use --from-rev=HEAD~1 or --history";

/// The configuration is as certain as an option.
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

/// A file that is declared to be UTF-8 was converted on purpose: it stays UTF-8, and what was lost comes back in UTF-8.
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
    let converted = "a: repair: bytes from HEAD: it was converted to UTF-8 (if that was meant, declare 'charset = utf-8' in .editorconfig)\n\
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

/// What is not restored stays as it is, and is an error: neither is damage new text, nor does the encoding change.
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
    // A byte that the encoding does not have.
    let dir = committed(&[&latin(text), &b"\x81\n"[..]].concat());
    let at = dir.path();
    let damaged = text.replace(|scalar: char| !scalar.is_ascii(), "\u{FFFD}") + "\u{FFFD}\nneu\n";
    write(at, "a", &damaged);
    let ran = git_sh(at, "$U repair --from-rev -f windows-1252 -i a");
    ran.expect_part(2, "", "utfconv: a: the text of HEAD cannot be converted from windows-1252 to UTF-8: ");
    assert_eq!(contents(at, "a"), damaged.as_bytes());
    // Other code units.
    let dir = committed(&text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>());
    let at = dir.path();
    let old = contents(at, "a");
    write(at, "a", String::from_utf8_lossy(&old).as_ref());
    git_sh(at, "$U repair --from-rev -f UTF-16LE -i a > log").expect(0, "", "");
    assert_eq!(contents(at, "a"), text.as_bytes());
}

/// Files are held in memory, so larger ones are refused before they are read.
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

/// The old version may come from a command.
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
            "new: repair: 1 lost character from {name}: {damage}\nnew:1: repair: lost characters\nnew: 1 change made\n"
        );
        sh(at, &format!("cp new kept; {call}; s=$?; cat new; mv kept new; rm -f pipe; exit $s")).expect(
            0,
            [report.as_bytes(), fixed].concat(),
            "",
        );
    }
    // It is read once, for several files.
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
    let lost = "utfconv: new:1:4: warning: U+FFFD at byte 3: a character is lost; 'utfconv repair --history new' looks for an \
        old version in git\n";
    sh(at, "$U repair --from /dev/null new").expect(0, "", lost);
}

/// A patch has no room for what is not repaired.
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
    // The lines about repairs are in the patch.
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

/// Text that is translated, deleted or written in ASCII is no loss; characters dropped in all lines are.
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
    // Losses without proof, beside those with proof; then one line without proof.
    write(at, "a", "<td> </td>\n<b></b> Foo\nNODE\ncase 'x': case '':\nx\n");
    let line =
        |at: &str| format!("a:{at}: since HEAD, bytes that are not UTF-8 were dropped [lost-characters]\n");
    let summary = "utfconv: 4 errors in 1 of 1 file\n";
    let lines = [
        "1:1: error: lost characters at byte 0",
        "2:1: error: lost characters at byte 11",
        "3:1: error: lost characters at byte 23",
        "4:7: error: lost characters at byte 34",
    ];
    git_sh(at, "$U check --since=HEAD --excerpt=never").expect(1, lines.map(line).concat(), summary);
    write(at, "a", "<td> </td>\n<b></b> Foo\nNODE\ncase '': case '':\nx\n");
    let lines = [lines[0], lines[1], lines[2], "4:1: error: lost characters at byte 28"];
    git_sh(at, "$U check --since=HEAD --excerpt=never").expect(1, lines.map(line).concat(), summary);
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

/// The file passes every other check: it is UTF-8 now.
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
    // It can be turned off, and what is restored has lost nothing.
    sh(at, "$U check -q --since=HEAD --allow=lost-characters western russian").expect(0, "", "");
    sh(at, "$U repair --from-rev -i > /dev/null && $U check --since=HEAD -f windows-1252 western")
        .expect(0, "", "");
    // A character that is new, in a file that was UTF-8.
    sh(at, "$U -i -f windows-1252 western && git add . && git commit -qm utf8 && sed -i 's/plain/pl\u{fffd}in/' western")
        .expect(0, "", "");
    let ran = sh(at, "$U check --since=HEAD western");
    ran.expect(
        1,
        "western:3:7: error: lost characters at byte 51: since HEAD, U+FFFD was added [lost-characters]\n",
        "utfconv: 1 error in 1 of 1 file\n",
    );
}

/// A byte that is added or missing makes other characters of all that follow, which look binary.
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

/// What the old version has is no new error; by content, so one that moved differs from one that was added elsewhere.
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
    // The same bytes in another line, and double-encoded text that is new.
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
    // Without an old version, all is new.
    write(at, "c", bad);
    let ran = sh(at, "git add c && $U check --staged --format=json c");
    let stdout = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(ran.status == 1 && stdout.contains("ill-formed"), "{stdout}");
    let ran = sh(at, "$U check --all-errors a");
    ran.expect(2, "", "utfconv: --all-errors requires --since or --staged\n");
}

/// A file that was in another encoding, and is not declared to be UTF-8, may stay so: also where a line is edited.
#[test]
fn a_file_that_keeps_its_encoding_is_no_new_error() {
    if !has("git") {
        return;
    }
    let old = b"Sch\xF6ne Gr\xFC\xDFe aus M\xFCnchen\nplain\nf\xFCr n\xE4chste Woche\n";
    let dir = dir_with(&[("a", old), (".editorconfig", b"root = true\n")]);
    let at = dir.path();
    git_sh(at, "git init -q . && git add . && git commit -qm old").expect(0, "", "");
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
    // With a declaration, or in another encoding, it is one.
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

/// UTF-8 with errors is UTF-8 for detection, and still has new errors.
#[test]
fn new_errors_of_utf8_are_reported() {
    if !has("git") {
        return;
    }
    let text = "Grüße\n".repeat(5);
    let dir = dir_with(&[("u", text.as_bytes())]);
    let at = dir.path();
    git_sh(at, "git init -q . && git add . && git commit -qm old").expect(0, "", "");
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

/// A file in a declared code page that a program for UTF-8 wrote has one cause of errors, and one command that helps.
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
        // The command is the right one.
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
    // It was read in another encoding.
    sh(at, "$U --no-config -i -f windows-1252 -t UTF-8 misread.ru").expect(0, "", "");
    checked("misread.ru", &lost("misread.ru", [("1:1", 0), ("3:1", 24)], "it was read as ISO-8859-1", true));
    // Some of it is not proven.
    write(at, "new.md", "caf\u{FFFD}\nna\u{FFFD}ve\nplain\ngr\u{FFFD}n\n");
    let see = "; use 'utfconv repair --from-rev=HEAD new.md' to see what can be restored";
    let lost_at = |at: &str, byte: u64, end: &str| {
        format!(
            "new.md:{at}: error: lost characters at byte {byte}: since HEAD, {marks}{end} [lost-characters]\n"
        )
    };
    checked("new.md", &[lost_at("1:4", 3, see), lost_at("2:3", 9, ""), lost_at("4:3", 23, "")].concat());
    // A line in UTF-8 was added.
    write(at, "mixed.md", [b"x\nGr\xEF\xBF\xBDn\nf\xEF\xBF\xBDr\n", &old[..]].concat());
    let added = |name: &str, at: &str, byte: u64| {
        format!(
            "{name}:{at}: error: lost characters at byte {byte}: since HEAD, U+FFFD was added [lost-characters]\n"
        )
    };
    checked("mixed.md", &[added("mixed.md", "2:3", 4), added("mixed.md", "3:2", 10)].concat());
    // All of it was converted.
    let wrong = |fix: &str| {
        format!(
            "converted.md:1:4: error: wrong encoding at byte 3: looks like UTF-8, not windows-1252; {fix} [wrong-encoding]\n"
        )
    };
    write(at, "converted.md", "café\nnaïve\nplain\n");
    checked("converted.md", &wrong("convert it with 'utfconv -i -f UTF-8 -t windows-1252 converted.md'"));
    // No conversion restores a character.
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
    // Between chunks, too.
    for len in 65_530..65_540 {
        write(at, "new.md", format!("{}\u{FFFD}\n", "x".repeat(len)));
        let ran = git_sh(at, "$U check --excerpt=never new.md");
        assert!(String::from_utf8_lossy(&ran.stdout).contains("restore its lost"), "{len}: {ran:?}");
    }
}

/// One command restores all lines of a file, so it is not repeated, and few lines are listed.
#[test]
fn reports_of_many_lines_are_short() {
    if !has("git") {
        return;
    }
    let old = b"caf\xE9 du matin\n".repeat(500);
    let dir = dir_with(&[("a", &old)]);
    let at = dir.path();
    git_sh(at, "git init -q . && git add . && git commit -qm one").expect(0, "", "");
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
    // The command of the hook is enough.
    git_sh(at, "$U repair --from-rev=HEAD -i a >../log && git add a && $U check --staged; rm ../log")
        .expect(0, "", "");
}

/// Damaged UTF-16 still has its NULs, but no conversion reads it.
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
    // git shows no differences of binary data.
    write(at, "a", "Grüße aus München\nplain text\nfür \u{FFFD}\n");
    let log = git_sh(at, "$U repair --from-rev a").stdout;
    let log = String::from_utf8(log).expect("UTF-8");
    let (_, command) = log.split_once("; use 'git show ").expect("has a command");
    let (command, _) = command.split_once("' to see what changed").expect("has an end");
    let differences = "3c3\n< für nächste Woche\n---\n> für \u{FFFD}\n";
    git_sh(at, &format!("git show {}", command.replace("utfconv", "$U"))).expect_part(1, differences, "");
}

#[test]
fn a_declared_code_page_does_not_hide_utf8() {
    let german = "sch\u{f6}n\n".as_bytes();
    let dir = dir_with(&[
        ("utf8", german),
        ("latin", b"sch\xF6n\n"),
        ("ascii", b"a\n"),
        ("mixed", b"\xC3\xB6\xF6\n"),
    ]);
    let at = dir.path();
    let line = "utf8:1:4: error: wrong encoding at byte 3: looks like UTF-8, not windows-1252; convert it with 'utfconv -i -f UTF-8 -t windows-1252 utf8' [wrong-encoding]\n";
    sh(at, "$U check --excerpt=never -f windows-1252 .").expect(
        1,
        line,
        "utfconv: 1 error in 1 of 4 files\n",
    );
    sh(at, "$U check --excerpt=never -f windows-1252 utf8").expect(
        1,
        line,
        "utfconv: 1 error in 1 of 1 file\n",
    );
    write(at, ".editorconfig", "root = true\n[*]\ncharset = latin1\n");
    let ran = sh(at, "$U check --format=json utf8 latin ascii mixed");
    let stdout = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(
        ran.status == 1 && stdout.matches("wrong-encoding").count() >= 1 && !stdout.contains("\"latin\""),
        "{stdout}"
    );
    // The command of the message helps.
    sh(at, "$U -i -f UTF-8 -t ISO-8859-1 utf8 && $U check utf8 latin").expect(0, "", "");
}

/// A repository with a committed file, and git's filter for it.
fn filtered(filter: &str, text: &str, to: &str) -> tempfile::TempDir {
    let dir = dir_with(&[(".gitattributes", b"*.txt filter=w -text\n")]);
    let at = dir.path();
    rewrite(at, text, to);
    git_sh(at, &format!("git init -q .; git config filter.w.process \"$U git-filter {filter}\"; git config filter.w.required true; git add . && git commit -qm one"))
        .expect(0, "", "");
    dir
}

/// Writes a.txt in an encoding.
fn rewrite(at: &Path, text: &str, to: &str) {
    write(at, "a.txt", text);
    sh(at, &format!("$U -f UTF-8 -t {to} < a.txt > b && mv b a.txt")).expect(0, "", "");
}

/// What is staged is compared as a program saw it in the work tree, and a command that is printed has an effect.
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
    let (others, dropped) = ("characters that are not ASCII became", "bytes that are not UTF-8 were dropped");
    let repair = "; use 'utfconv repair --from-rev=HEAD -i a.txt && git add a.txt' to restore them";
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
            [("1:1", "0", dropped, diff), ("2:1", "10", dropped, "")],
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
            let restored = "$U repair --from-rev=HEAD -i a.txt > /dev/null && git add a.txt && $U check --staged && cat a.txt";
            git_sh(at, restored).expect(0, "東京都\n大阪府\nabcd\n", "");
        }
    }
}

/// Other programs for an encoding lose characters, too. No repair restores these.
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
            "a.txt:1:3: error: lost characters at byte {byte}: since HEAD, U+FFFD was added; use {fix} [lost-characters]\n"
        );
        let errors = "utfconv: 1 error in 1 of 1 file\n";
        git_sh(at, "$U check --since=HEAD --excerpt=never").expect(1, &error, errors);
        git_sh(at, "git add . && $U check --staged --excerpt=never").expect(
            1,
            error.replace("git diff HEAD", "git diff --cached"),
            errors,
        );
        // Other text is an edit.
        rewrite(at, "Maße xy?\nMüller\n", to);
        git_sh(at, "$U check --since=HEAD").expect(0, "", "");
    }
}

/// Several letters that are missing in one line were not deleted on purpose.
#[test]
fn losses_in_one_line_are_reported() {
    if !has("git") {
        return;
    }
    let dir = dir_with(&[("a", b"/* \xA9 2020 M\xFCller, \x93D\xFCsseldorf\x94 */\nint main() {\n")]);
    let at = dir.path();
    git_sh(at, "git init -q . && git add . && git commit -qm one").expect(0, "", "");
    let old = contents(at, "a");
    for (line, what) in [
        ("/*  2020 Mller, Dsseldorf */", "were dropped"),
        ("/* ? 2020 M?ller, ?D?sseldorf? */", "became '?'"),
    ] {
        write(at, "a", format!("{line}\nint main() {{\n"));
        let error = format!(
            "a:1:1: error: lost characters at byte 0: since HEAD, bytes that are not UTF-8 {what}; use 'utfconv repair --from-rev=HEAD -i a && git add a' to restore them [lost-characters]\n"
        );
        let ran = git_sh(at, "git add . && $U check --staged --excerpt=never");
        ran.expect(1, error, "utfconv: 1 error in 1 of 1 file\n");
        git_sh(at, "$U repair --from-rev=HEAD -i a > /dev/null && git add a && $U check --staged")
            .expect(0, "", "");
        assert_eq!(contents(at, "a"), old, "{line}");
    }
    // Edits on purpose.
    for line in ["/* (c) 2020 Mueller, Duesseldorf */", "/* 2020 Muller, Dusseldorf */", "/* 2020 */", ""] {
        write(at, "a", format!("{line}\nint main() {{\n"));
        git_sh(at, "$U check --since=HEAD").expect(0, "", "");
    }
    write(at, "a", b"/* \x93Hallo\x94 \x96 D\xFCsseldorf */\nx\n");
    git_sh(at, "git add . && git commit -qm two").expect(0, "", "");
    write(at, "a", "/* Hallo  Dsseldorf */\nx\n");
    git_sh(at, "$U check --since=HEAD").expect(0, "", "");
}

/// UTF-16 without the bytes that are not UTF-8 is ASCII with NULs.
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
        let fix = "; use 'utfconv repair --from-rev=HEAD -i a.txt' to restore them [lost-characters]\n";
        let first = stdout.lines().next().unwrap_or_default();
        assert!(ran.status == 1 && format!("{first}\n").ends_with(fix), "{stdout}");
        assert_eq!(ran.stderr, "utfconv: 2 errors in 1 of 1 file\n");
        git_sh(at, "$U repair --from-rev=HEAD -i a.txt > /dev/null && $U check --since=HEAD")
            .expect(0, "", "");
        assert_eq!(contents(at, "a.txt"), old, "{text}");
    }
}

/// A file that was renamed, damaged and edited at once has no line of the old file.
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
            // A new text, though with some of the words.
            write(at, "new.txt", "Muller wohnt in Koln\nfur schone Grusse\nwhat? new?\n");
            git_sh(at, "git add -A && $U check --staged").expect(0, "", "");
        }
    }
}

/// U+FFFD in a file that keeps its other bytes is not restored, and that is an error.
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
    // It was there before.
    git_sh(at, "git commit -qam two; echo x >> a; $U repair --from-rev -i .").expect(0, "", "");
}
