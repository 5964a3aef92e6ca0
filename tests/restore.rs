//! Text that a program for UTF-8 damaged, and what `repair --from`, `--from-rev` and `--history` put back, from outside.

use std::fs;
use std::path::Path;

use crate::harness::{dir_with, has, sh};

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

fn contents(at: &Path, name: &str) -> Vec<u8> {
    fs::read(at.join(name)).expect("reads")
}

fn write(at: &Path, name: &str, content: impl AsRef<[u8]>) {
    fs::write(at.join(name), content).expect("writes");
}

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
    sh(at, "$U repair --undo ../M; rm ../M").expect(0, "", "");
    for ((name, encoding, _), old) in TEXTS.iter().zip(&old) {
        assert_eq!(contents(at, name), edited(old, *encoding == "UTF-16LE").as_bytes(), "{name}");
    }
}

#[test]
fn a_file_is_restored_from_another_one() {
    let dir =
        dir_with(&[("old", b"caf\xE9\nna\xEFve\n"), ("new", "caf\u{FFFD}\nna\u{FFFD}ve €\n".as_bytes())]);
    let at = dir.path();
    let lines = "new: repair: 2 lost characters from old: bytes that are not UTF-8 became U+FFFD\n\
        new:1: repair: lost characters\nnew:2: repair: lost characters\nnew: 2 changes to make\n";
    sh(at, "$U repair -f windows-1252 --from old new").expect(1, lines, "");
    sh(at, "$U repair -f windows-1252 --from old -i new > log").expect(0, "", "");
    assert_eq!(contents(at, "new"), b"caf\xE9\nna\xEFve \x80\n");
}

#[test]
fn what_is_not_proven_is_left_with_its_position() {
    let dir = dir_with(&[
        ("old", b"caf\xE9\nna\xEFve\n"),
        ("new", "caf\u{FFFD}\n\u{FFFD}\nna\u{FFFD}ve\nあ\n".as_bytes()),
    ]);
    let at = dir.path();
    let lines = "new:2:1: left: a character was lost, and old does not prove which\n\
        new:4:1: left: U+3042 \"あ\" is not in windows-1252\nnew: 2 left\n";
    for options in ["", "-i", "--max-errors=0"] {
        let ran = sh(at, &format!("$U repair -f windows-1252 --from old {options} new"));
        ran.expect(1, lines, "");
    }
    assert_eq!(contents(at, "new"), "caf\u{FFFD}\n\u{FFFD}\nna\u{FFFD}ve\nあ\n".as_bytes());
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
    sh(at, "$U repair --from-rev=--all").expect(2, "", "no such revision: --all");
    sh(at, "$U repair --from-rev=nowhere").expect(2, "", "no such revision: nowhere");
    sh(at, "cd /; $U repair --from-rev").expect(2, "", "not in a git repository");
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
    assert!(log.starts_with(&first) && log.ends_with("\na b: 77 changes to make\n"), "{first}: {log}");
    assert_eq!(contents(at, "a b"), damaged);
    sh(at, "$U repair --history -i 'a b' > /dev/null").expect(0, "", "");
    write(at, "expected", &old[1]);
    sh(at, "sed -i 's/plain/not so plain/' expected && echo added >> expected && cmp expected 'a b' && rm expected").expect(0, "", "");
    sh(at, "$U repair --history && $U repair --history chinese").expect(0, "", "");
    sh(at, "$U repair --history new").expect(2, "", "utfconv: new: it has no old version\n");
    // Without a commit there is no history.
    let empty = dir_with(&[("a", b"x\n")]);
    sh(empty.path(), "git init -q . && git add a && $U repair --history a").expect(
        2,
        "",
        "a: it has no old version",
    );
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
        ("--history -", "--from, --from-rev and --history cannot be used with standard input"),
        ("--from a -", "standard input"),
    ] {
        sh(dir.path(), &format!("$U repair {args}")).expect(2, "", text);
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
    let line = "russian:1:1: error: byte 0: characters of HEAD were lost: bytes that are not UTF-8 became U+FFFD; use 'utfconv repair --from-rev=HEAD -i russian' to restore them [lost-characters]\n";
    for options in ["--since=HEAD", "--staged"] {
        sh(at, "git add russian").expect(0, "", "");
        let ran = sh(at, &format!("$U check {options} --max-errors=1 --excerpt=never russian"));
        assert_eq!(ran.status, 1, "{options}: {ran:?}");
        let stdout = String::from_utf8(ran.stdout).expect("UTF-8");
        assert!(stdout.starts_with(line), "{options}: {stdout}");
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
        "western:3:7: error: byte 51: characters of HEAD were lost: U+FFFD is new [lost-characters]\n",
        "utfconv: 1 error in 1 of 1 file\n",
    );
}

#[test]
fn a_repository_without_commits_has_no_old_versions() {
    if !has("git") {
        return;
    }
    let dir = dir_with(&[("a", "é\u{FFFD}\n".as_bytes())]);
    sh(dir.path(), "git init -q . && git add a && $U check --staged").expect(0, "", "");
}
