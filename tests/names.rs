//! Tests of the command `names`.
#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use crate::harness::{UTFCONV, dir_in_memory, dir_with, has, is_root, rounds, sh, sh_midway, skip, unmount};
use crate::random::generator;

/// A script that creates a tree of names in ISO-8859-1, with a file of each kind.
const TREE: &str = "mkdir -p $'t/Caf\\xe9/\\xfcber' t/.git && touch $'t/Caf\\xe9/\\xfcber/\\xe4' $'t/na\\xefve' t/ascii \
    $'t/.git/\\xe9' t/größe && ln -s $'Caf\\xe9/../na\\xefve' $'t/l\\xe9'";

fn tree() -> tempfile::TempDir {
    let dir = dir_with(&[]);
    sh(dir.path(), TREE).expect(0, "", "");
    dir
}

/// Returns all names below a directory and the targets of links, with non-ASCII bytes escaped.
fn names(dir: &Path) -> String {
    String::from_utf8(sh(dir, "find . ! -name . -printf '%P %l\\n' | LC_ALL=C sort | cat -v").stdout)
        .expect("ASCII")
}

#[track_caller]
fn expect_names(dir: &Path, expected: &str) {
    let ran = sh(dir, "find . ! -name . -printf '%P %l\\n' | LC_ALL=C sort");
    let lines: Vec<_> = expected
        .lines()
        .map(|line| if line.contains(' ') { line.into() } else { format!("{line} ") })
        .collect();
    assert_eq!(String::from_utf8_lossy(&ran.stdout).trim_end_matches('\n'), lines.join("\n"));
}

#[test]
fn names_are_shown_and_renamed() {
    let dir = tree();
    let at = dir.path();
    let before = names(at);
    let shown = "$'t/Caf\\xE9/\\xFCber/\\xE4' -> ä
$'t/Caf\\xE9/\\xFCber' -> über
$'t/l\\xE9': target $'Caf\\xE9/../na\\xEFve' -> Café/../naïve
$'t/Caf\\xE9' -> Café
$'t/l\\xE9' -> lé
$'t/na\\xEFve' -> naïve
";
    sh(at, "$U names -f latin1 --links t").expect(
        1,
        shown,
        "utfconv: 6 names would be converted; -i does it\n",
    );
    assert_eq!(names(at), before);
    sh(at, "$U names -f latin1 --links -v -i t").expect(0, shown, "utfconv: 6 names converted\n");
    sh(at, "mv $'t/.git/\\xe9' t/.git/x").expect(0, "", "");
    expect_names(
        at,
        "t\nt/.git\nt/.git/x\nt/Café\nt/Café/über\nt/Café/über/ä\nt/ascii\nt/größe\nt/lé Café/../naïve\nt/naïve",
    );
    sh(at, "$U names -f latin1 --links -i t; $U names t").expect(0, "", "");
}

#[test]
fn the_name_of_the_path_is_converted_too() {
    for (paths, expected) in [
        ("$'\\xe9'", "é\né/é"),
        ("$'\\xe9/'", "é\né/é"),
        (".", "é\né/é"),
        ("$'\\xe9'/é $'\\xe9' ./$'\\xe9'", "é\né/é"),
        ("link", "link \u{FFFD}\n\u{FFFD}\n\u{FFFD}/\u{FFFD}"),
        ("link/", "link \u{FFFD}\n\u{FFFD}\n\u{FFFD}/é"),
        ("$'\\xe9/.'", "\u{FFFD}\n\u{FFFD}/é"),
        ("$'\\xe9/\\xe9'", "\u{FFFD}\n\u{FFFD}/é"),
    ] {
        let dir = dir_with(&[]);
        let at = dir.path();
        sh(at, "mkdir $'\\xe9' && touch $'\\xe9/\\xe9'").expect(0, "", "");
        if paths.starts_with("link") {
            sh(at, "ln -s $'\\xe9' link").expect(0, "", "");
        }
        sh(at, &format!("$U names -i -f latin1 {} 2>/dev/null", paths.replace("/é ", "/$'\\xe9' ")));
        expect_names(at, expected);
    }
}

#[test]
fn encodings_are_detected_for_each_directory() {
    let dir = dir_with(&[]);
    let at = dir.path();
    let make = "mkdir fr ru one; cd fr; touch $'\\xc9t\\xe9 indien' $'No\\xebl' $'D\\xe9j\\xe0 vu' été; cd ../ru
        for n in 'Песни о любви' 'Московские вечера' 'Старая дорога'; do touch \"$(printf %s \"$n\" | $U -t koi8-r)\"; done
        cd ../one; touch $'\\xe9'";
    sh(at, make).expect(0, "", "");
    sh(at, "$U names -f auto -i fr ru").expect(0, "", "6 names converted");
    sh(at, "ls fr ru").expect(
        0,
        "fr:\nDéjà vu\nNoël\nÉté indien\nété\n\nru:\nМосковские вечера\nПесни о любви\nСтарая дорога\n",
        "",
    );
    sh(at, "$U names -f auto one").expect(
        1,
        "",
        "utfconv: $'one/\\xE9': the names in this directory may be in windows-1252, IBM850 or windows-1253; name the encoding with -f, or use --min-certainty=guess\n\
        utfconv: 1 name cannot be converted\n",
    );
    sh(at, "$U names -f auto --min-certainty=guess -i one; ls one").expect(0, "é\n", "1 name converted");
}

#[test]
fn double_encoded_names_are_repaired() {
    let files = ["SchÃ¶ne GrÃ¼ÃŸe.txt", "Ã„rger mit MÃ¼ller.txt", "Ärger.txt", "MARQUÉ…", "plain"];
    let dir = dir_with(&files.map(|name| (name, &b""[..])));
    let seem = "utfconv: 2 names seem to be double-encoded; 'utfconv names --repair' shows what they were\n";
    sh(dir.path(), "$U names").expect(0, "", seem);
    sh(dir.path(), "$U names --repair -i . && ls | LC_ALL=C sort").expect(
        0,
        "MARQUÉ…\nSchöne Grüße.txt\nplain\nÄrger mit Müller.txt\nÄrger.txt\n",
        "2 names converted",
    );
}

#[test]
fn forms_and_other_encodings() {
    let dir = dir_with(&[("e\u{301}", b""), ("Å\u{212B}", b"")]);
    let at = dir.path();
    sh(at, "$U names --normalize=NFC -i . && ls").expect(0, "ÅÅ\né\n", "2 names converted");
    sh(at, "$U names --normalize=mac -i . && ls").expect(
        0,
        "A\u{30A}A\u{30A}\ne\u{301}\n",
        "2 names converted",
    );
    sh(at, "$U names --normalize=nfc -t latin1 -i . && $U names -f latin1 .").expect(
        1,
        "$'./\\xC5\\xC5' -> ÅÅ\n$'./\\xE9' -> é\n",
        "utfconv: 2 names converted\n\
        utfconv: 2 names would be converted; -i does it\n",
    );
    sh(at, "$U names -f latin1 -t koi8-r .").expect(1, "", "utfconv: $'./\\xC5\\xC5': name: unmappable character at byte 0: C5: U+00C5 \"Å\" cannot be encoded in KOI8-R\n\
        utfconv: $'./\\xE9': name: unmappable character at byte 0: E9: U+00E9 \"é\" cannot be encoded in KOI8-R\n\
        utfconv: 2 names cannot be converted\n");
    for (options, message) in [
        ("-t UTF-16", "cannot be an encoding of file names"),
        ("-f UTF-16LE", "which are bytes"),
        ("-t iso-2022-jp", "without shift states"),
        ("-t IBM037", "cannot be an encoding of file names"),
        ("-t ascii//TRANSLIT", "suffixes"),
        ("--keep-going", "--keep-going requires --in-place or --diff"),
        ("--diff -i --manifest=j", "'--diff' cannot be used with '--manifest <FILE>'"),
        ("--diff --undo", "cannot be used with"),
        ("--diff --manifest=j", "'--diff' cannot be used with '--manifest <FILE>'"),
        ("--manifest j", "--manifest requires --in-place"),
        ("--undo=j --manifest=j", "cannot be used with"),
        ("--undo=", "is a directory"),
        ("--undo=j", "utfconv: j: No such file\n"),
        (
            "--undo",
            "utfconv: .: no run was interrupted; to undo a run with --manifest=FILE, use 'utfconv names --undo=FILE'\n",
        ),
        ("--min-certainty=guess", "require -f auto"),
        ("missing", "missing: No such file or directory"),
    ] {
        sh(at, &format!("$U names {options}")).expect_part(2, "", message);
    }
}

/// Scripts that create names in `t`, which must not change, and the expected message.
const REFUSED: &[(&str, &str)] = &[
    ("touch $'\\xe9' é", "$'t/\\xE9': there is a file named é already"),
    ("touch $'\\xe9'; mkdir é", "$'t/\\xE9': there is a file named é already"),
    ("ln -s nowhere é; touch $'\\xe9'", "$'t/\\xE9': there is a file named é already"),
    ("touch $'\\xe9'; ln $'\\xe9' é", "$'t/\\xE9': there is a file named é already"),
    (
        "touch $(printf 'a%.0s' {1..200})$(printf '\\xe9%.0s' {1..40})",
        "the new name would have 280 bytes; the file system allows 255",
    ),
    ("mkdir d; touch $'d/\\xe9' d/é", "$'t/d/\\xE9': there is a file named é already"),
];

#[test]
fn nothing_is_renamed_if_a_name_is_refused() {
    for (make, message) in REFUSED {
        let dir = dir_with(&[]);
        let at = dir.path();
        sh(at, &format!("mkdir t; cd t; {make}; mkdir a; touch $'a/\\xfc' $'\\xfc'")).expect(0, "", "");
        let before = names(at);
        sh(at, "$U names -f latin1 t").expect_part(1, "$'t/a/\\xFC' -> ü\n$'t/\\xFC' -> ü\n", message);
        sh(at, "$U names -i -f latin1 t").expect_part(
            1,
            "",
            "nothing was renamed; --keep-going renames the others",
        );
        assert_eq!(names(at), before, "{make}");
        sh(at, "$U names -i --keep-going -f latin1 t").expect_part(1, "", "2 names converted");
        sh(at, "ls t/a/ü t/ü").expect(0, "t/a/ü\nt/ü\n", "");
    }
}

#[test]
fn collisions_among_new_names_are_refused() {
    let dir = dir_with(&[]);
    let at = dir.path();
    // Two different names have the same NFC form.
    sh(at, "touch é e\u{301} && $U names -i --normalize=nfc .").expect(
        1,
        "",
        "utfconv: $'./e\\u0301': there is a file named é already\n\
        utfconv: 1 name cannot be converted\n\
        utfconv: nothing was renamed; --keep-going renames the others\n",
    );
    sh(at, "rm é && touch $'a\\u0323\\u0307' $'a\\u0307\\u0323' && $U names -i --normalize=nfc .")
        .expect_part(1, "", "would have the same new name");
    sh(at, "ls | wc -l").expect(0, "3\n", "");
}

#[test]
fn many_messages_are_cut() {
    let dir = dir_with(&[]);
    let at = dir.path();
    sh(at, "for n in $(seq 130); do : > $'\\xff'$n; done").expect(0, "", "");
    let ran = sh(at, "$U names .");
    assert_eq!((ran.status, ran.stderr.lines().count()), (1, 102));
    assert!(ran.stderr.ends_with(
        "utfconv: 30 more messages not shown; --format=json has all\n\
         utfconv: 130 names cannot be converted; 'utfconv names -f auto' detects the encoding of such names\n"
    ));
    let ran = sh(at, "$U names --format=json . 2>/dev/null | wc -l");
    assert_eq!(ran.stdout, b"131\n");
}

/// Files take names that other files give up, in the order of the chain. Exchanges are refused.
#[test]
fn chains_of_names() {
    let dir = dir_with(&[]);
    let at = dir.path();
    // From KOI8-R to windows-1251, C1 becomes E0, E0 becomes DE, and DE becomes F7.
    let make = "mkdir t && for b in c1 e0 de; do echo $b > t/$(printf \"\\\\x$b\"); done";
    sh(at, make).expect(0, "", "");
    sh(at, "$U names -i -f koi8-r -t windows-1251 --manifest=j t").expect(0, "", "3 names converted");
    sh(at, "cat $'t/\\xe0' $'t/\\xde' $'t/\\xf7'").expect(0, "c1\ne0\nde\n", "");
    sh(at, "$U names --undo=j t && cat $'t/\\xc1' $'t/\\xe0' $'t/\\xde'").expect(
        0,
        "c1\ne0\nde\n",
        "3 names restored",
    );
    sh(at, "$U names --undo=j t").expect(2, "", "./j: this run was undone already");
    // Each of the two names would become the other.
    sh(at, "touch $'t/\\xc4' $'t/\\xe4' $'t/\\xc5'; $U names -i -f koi8-r -t windows-1251 t").expect_part(
        1,
        "",
        "files would exchange their names",
    );
    sh(at, "LC_ALL=C ls -b t").expect(0, "\\301\n\\304\n\\305\n\\336\n\\340\n\\344\n", "");
}

/// `--undo` with only a manifest finds the manifest's directory if it is below the current directory, and no other.
#[test]
fn an_undo_finds_its_directory_below_the_current_one() {
    let dir = dir_with(&[]);
    let at = dir.path();
    sh(at, "mkdir -p a/t u; touch $'a/t/\\xe9'; $U names -i -f latin1 --manifest=j a/t; $U names --undo=j && rm j; ls -b a/t")
        .expect(0, "\\351\n", "utfconv: 1 name converted\nutfconv: 1 name restored\n");
    sh(at, "$U names -i -f latin1 --manifest=j a/t && cd u && $U names --undo=../j").expect(
        2,
        "",
        "utfconv: 1 name converted\nutfconv: ../j: this manifest is for another directory; nothing was renamed\n",
    );
    // The directory was moved, and a link has its old path.
    sh(at, "mv a b; ln -s u a; $U names --undo=j").expect(
        2,
        "",
        "./j: this manifest is for another directory; nothing was renamed",
    );
    sh(at, "$U names --undo=j b/t; ls -b b/t").expect(0, "\\351\n", "1 name restored");
}

/// Each command names the command that can undo the manifest.
#[test]
fn manifests_of_contents_and_of_names_are_told_apart() {
    let dir = dir_with(&[("a", b"caf\xE9\n")]);
    let at = dir.path();
    sh(at, "mkdir t; touch $'t/\\xe9'; $U -s -i -f latin1 --manifest=M a; $U names -i -f latin1 --manifest='N 1' t")
        .expect(0, "", "1 name converted");
    for command in ["", "repair", "check"] {
        sh(at, &format!("$U {command} --undo='N 1'")).expect(
            2,
            "",
            "utfconv: N 1: it records names of files; use 'utfconv names --undo=\"N 1\"'\n",
        );
    }
    sh(at, "$U --undo='N 1' t").expect_part(2, "", "use 'utfconv names --undo=\"N 1\" t'\n");
    sh(at, "$U -i -f latin1 --manifest='N 1' a").expect_part(
        2,
        "",
        "N 1: it is a manifest of utfconv names; use another name for --manifest\n",
    );
    for options in ["-i -f latin1 --manifest=M", "--undo=M"] {
        sh(at, &format!("$U names {options} t")).expect(
            2,
            "",
            "M: it is a manifest of utfconv; 'utfconv --undo=M' undoes it",
        );
    }
    sh(at, "$U names -i -f latin1 --manifest=a t; cat a").expect(
        0,
        "café\n",
        "a: not a manifest of utfconv, or changed since; nothing is renamed",
    );
    sh(at, "$U names --undo='N 1'; $U --undo=M; ls t; cat a").expect(
        0,
        b"\xE9\ncaf\xE9\n",
        "utfconv: 1 name restored\nutfconv: M: 1 file restored\n",
    );
}

/// Kills a run at each of its renames. The next run finishes or undoes it.
#[test]
fn killed_runs_are_finished_or_undone() {
    if !has("strace") {
        return;
    }
    for (options, dirs) in [("", "t"), ("--links", "t"), ("", ".")] {
        for end in ["-i", "--undo"] {
            let mut kills = 0;
            for number in 1..10 {
                let dir = tree();
                let at = dir.path();
                let before = names(at);
                let trace = "strace -f -o /dev/null -e trace=renameat2,renameat -e inject=renameat2,renameat:signal=KILL";
                let ran = sh(at, &format!("{trace}:when={number} $U names -i -f latin1 {options} {dirs}"));
                if ran.status == 0 {
                    break;
                }
                assert_eq!(ran.status, 137, "{ran:?}");
                kills += 1;
                let reported = sh(at, &format!("$U names -f latin1 {dirs}"));
                assert_eq!((reported.status, &reported.stdout[..]), (1, &b""[..]), "{reported:?}");
                for line in reported.stderr.lines() {
                    let found = line
                        .strip_prefix("utfconv: ")
                        .and_then(|line| line.split_once("/.utfconv-names-manifest: "));
                    let (path, message) = found.expect("a directory with a manifest");
                    let (_, message) = message.split_once(" was interrupted; ").expect("an interrupted run");
                    let ways = format!(
                        "'utfconv names -i {path}' finishes the run, 'utfconv names --undo {path}' takes it back"
                    );
                    assert_eq!(message, ways);
                }
                let ran = sh(at, &format!("$U names {end} {dirs}"));
                assert_eq!(ran.status, 0, "{number} {end}: {ran:?}");
                match end {
                    "-i" => sh(at, &format!("$U names -f latin1 {options} {dirs}")).expect(0, "", ""),
                    _ => assert_eq!(names(at), before),
                }
                assert!(!names(at).contains("utfconv"), "{}", names(at));
            }
            assert!(kills >= 5, "{options} {kills}");
        }
    }
}

/// Names in chains, in which a name does not show which file has it: files, also empty files; hard links; symbolic
/// links; and directories whose files are in chains, too. From KOI8-R to windows-1251, C1 becomes E0, E0 becomes DE,
/// and DE becomes F7.
const CHAINS: &str = r"mkdir t t/files t/hard t/links t/dirs && cd t
    echo one > files/$(printf '\xc1') && : > files/$(printf '\xe0') && echo three > files/$(printf '\xde')
    echo both > hard/$(printf '\xc1') && ln hard/$(printf '\xc1') hard/$(printf '\xe0')
    ln -s to-c1 links/$(printf '\xc1') && ln -s to-e0 links/$(printf '\xe0')
    for d in c1 e0 de; do
        mkdir dirs/$(printf \\x$d) && echo in $d > dirs/$(printf \\x$d)/$(printf '\xc1')
        mkdir dirs/$(printf \\x$d)/$(printf '\xe0') && : > dirs/$(printf \\x$d)/$(printf '\xe0')/$(printf '\xe0')
    done; rmdir dirs/$(printf '\xde')/$(printf '\xe0') 2>/dev/null; true";

/// Returns the names, kinds and link targets in the tree `t`, and the content of its files.
fn content_of(at: &Path) -> String {
    let list = "cd t && find . -printf '%P %y %n %l\\n' | LC_ALL=C sort | cat -v
        find . -type f | LC_ALL=C sort | while IFS= read -r f; do cat \"$f\"; echo; done";
    String::from_utf8(sh(at, list).stdout).expect("is ASCII")
}

/// Kills a run over chains of names before and after each of its calls that change something. The next run finishes or
/// undoes it. Each file must have its old or its new name, and none may be lost.
#[test]
fn killed_runs_over_chains_lose_nothing() {
    if !has("strace") {
        return;
    }
    let (old, new) = {
        let dir = dir_with(&[]);
        sh(dir.path(), CHAINS).expect(0, "", "");
        let old = content_of(dir.path());
        sh(dir.path(), "$U names -i -f koi8-r -t windows-1251 t").expect(0, "", "19 names converted");
        (old, content_of(dir.path()))
    };
    assert!(old != new && new.contains("M-w"), "{new}");
    let step = if std::env::var_os("UTFCONV_KILLS").is_some() { 1 } else { 3 };
    for calls in ["renameat2", "syncfs", "unlinkat", "openat,fsync"] {
        let mut kills = 0;
        for number in (1..).step_by(if calls == "renameat2" { step } else { 2 * step - 1 }) {
            let dir = dir_with(&[]);
            let at = dir.path();
            sh(at, CHAINS).expect(0, "", "");
            let kill = format!(
                "strace -f -o /dev/null -e trace={calls} -e inject={calls}:signal=KILL:when={number}"
            );
            let ran = sh(at, &format!("{kill} $U names -i -f koi8-r -t windows-1251 t"));
            if ran.status == 0 {
                break;
            }
            assert_eq!(ran.status, 137, "{ran:?}");
            kills += 1;
            let is_begun = at.join("t/.utfconv-names-manifest").exists();
            if is_begun && number % 2 == 0 {
                let ran = sh(at, "$U names --undo t");
                assert_eq!(ran.status, 0, "{calls} {number}: {ran:?}");
                assert_eq!(content_of(at), old, "{calls} {number}");
            } else if is_begun {
                let ran = sh(at, "$U names -i -f koi8-r -t windows-1251 t");
                assert_eq!(ran.status, 0, "{calls} {number}: {ran:?}");
                if !ran.stderr.contains("before it renamed anything") {
                    assert_eq!(content_of(at), new, "{calls} {number}");
                }
            }
        }
        assert!(kills >= 1, "{calls} {kills}");
    }
}

/// A symbolic link with a new target is a new file, so its name must not be in a chain.
#[test]
fn links_in_chains_keep_their_targets() {
    let dir = dir_with(&[]);
    let at = dir.path();
    let make = r"mkdir t && cd t && ln -s $(printf '\xc1') $(printf '\xc1') && ln -s x $(printf '\xe0')";
    sh(at, make).expect(0, "", "");
    let before = content_of(at);
    sh(at, "$U names -i --links -f koi8-r -t windows-1251 t").expect(
        1,
        "",
        "utfconv: $'t/\\xC1': target: its name is in a chain of new names; rename without --links first\n\
        utfconv: 1 name cannot be converted\n\
        utfconv: nothing was renamed; --keep-going renames the others\n",
    );
    assert_eq!(content_of(at), before);
}

/// Kills a run at random moments. Every file must have its old or its new name, and none may be lost.
#[test]
fn killed_at_random_moments() {
    let count = rounds("UTFCONV_KILLS", 20);
    let mut below = generator();
    let dir = dir_in_memory();
    let at = dir.path();
    let make = "mkdir t && for d in 1 2 3 4 5; do mkdir t/$d$'\\xe9' && for n in $(seq 100); do
        : > t/$d$'\\xe9'/$n$'\\xfc'; done; done";
    sh(at, make).expect(0, "", "");
    let old = names(at);
    let converted = |names: &str| names.replace("M-i", "M-CM-)").replace("M-|", "M-CM-<");
    let new = converted(&old);
    let files = |names: &str| {
        names.lines().filter(|line| !line.contains("utfconv")).map(String::from).collect::<BTreeSet<_>>()
    };
    let mut midway = 0;
    for _ in 0..count {
        let mut run = std::process::Command::new(UTFCONV)
            .args(["names", "-i", "-f", "latin1", "t"])
            .current_dir(at)
            .stderr(Stdio::null())
            .spawn()
            .expect("runs");
        std::thread::sleep(Duration::from_micros(below(30_000)));
        run.kill().expect("is killed");
        run.wait().expect("ends");
        let between = names(at);
        // Whichever names are converted already, the files are the same.
        assert_eq!(files(&converted(&between)), files(&new));
        midway += u32::from(files(&between) != files(&old) && files(&between) != files(&new));
        if between.contains("utfconv") {
            let end = if below(2) == 0 { "-i" } else { "--undo" };
            let ran = sh(at, &format!("$U names {end} -f latin1 t"));
            assert_eq!(ran.status, 0, "{ran:?}");
        }
        let now = names(at);
        assert!(now == old || now == new, "{now}");
        if now == new {
            // Restore the old names for the next round.
            sh(at, "$U names -i -t latin1 t").expect(0, "", "505 names converted");
        }
        assert_eq!(names(at), old);
    }
    println!("{midway} of {count} were killed midway");
}

#[test]
fn only_the_users_own_manifest_is_read() {
    let first = "{\"type\":\"manifest\",\"of\":\"utfconv names\",\"version\":1}\\n";
    let root = "{\"type\":\"root\",\"device\":1,\"inode\":1,\"path\":{\"text\":\"/nowhere\"}}\\n";
    let other = "not a manifest of utfconv, or changed since; inspect it, then delete it";
    for (make, message) in [
        ("ln -s /etc/passwd $J", ""),
        ("mkfifo $J", "refused: it is not a regular file; inspect it, then delete it"),
        ("mkdir $J", "Is a directory"),
        (&format!("printf '{first}{root}{{\"type\":\"end\",\"length\":0,\"sha1\":\"\"}}\\n' > $J"), other),
        (&format!("printf '{first}{root}{{\"type\":\"in\"}}\\n' > $J"), other),
        ("echo hello > $J", other),
        (
            "printf '{\"type\":\"manifest\",\"of\":\"utfconv repair\",\"version\":1}\\n' > $J",
            "it is a manifest of utfconv repair; 'utfconv --undo=t/.utfconv-names-manifest' undoes it",
        ),
        (
            "touch $J; chmod 666 $J",
            "refused: others can write to it; run chmod go-w t/.utfconv-names-manifest",
        ),
        ("touch x; ln x $J", "refused: it has another hard link; inspect it, then delete it"),
    ] {
        let dir = dir_with(&[("a", b"")]);
        let at = dir.path();
        sh(at, &format!("mkdir t; touch $'t/\\xe9'; J=t/.utfconv-names-manifest; umask 022; {make}"))
            .expect(0, "", "");
        for action in ["", "-i", "--undo"] {
            let ran = sh(at, &format!("$U names -f latin1 {action} t"));
            assert!(ran.status == 2 && ran.stdout.is_empty(), "{make}: {ran:?}");
            if !message.is_empty() {
                assert_eq!(ran.stderr, format!("utfconv: t/.utfconv-names-manifest: {message}\n"), "{make}");
            }
        }
        assert!(names(at).contains("t/M-i"), "{make}");
    }
}

#[test]
fn manifests_belong_to_their_directory() {
    if !has("strace") {
        return;
    }
    let dir = tree();
    let at = dir.path();
    let kill = "strace -o /dev/null -e inject=renameat2:signal=KILL:when=3 $U names -i -f latin1 t/";
    sh(at, &format!("{kill}; cp -a t u; mv t v")).expect_part(0, "", "Killed");
    sh(at, "$U names -i u").expect(
        2,
        "",
        "u/.utfconv-names-manifest: this manifest is for another directory; nothing was renamed",
    );
    sh(at, "$U names -i v && $U names -f latin1 v").expect(
        0,
        "",
        "utfconv: v/.utfconv-names-manifest: a run that renames 5 names was interrupted; utfconv finishes that run now\n\
        utfconv: 3 names converted\n",
    );
    // An incomplete manifest is that of a run that has renamed nothing.
    sh(at, "printf '%s\\n%s' '{\"type\":\"manifest\",\"of\":\"utfconv names\",\"version\":1}' '{\"type\":\"root\"' > v/.utfconv-names-manifest; $U names -i v; ls -A v | head -2")
        .expect(0, ".git\nCafé\n", "v/.utfconv-names-manifest: an earlier run ended before it renamed anything; its manifest was removed");
}

/// A run is delayed between opening a manifest and locking it. Meanwhile another run ends and a third run is
/// interrupted.
#[test]
fn only_the_manifest_that_is_there_is_taken() {
    if !has("strace") {
        return;
    }
    let dir = dir_with(&[]);
    let at = dir.path();
    let killed = |when| {
        format!("strace -f -o /dev/null -e inject=renameat2:signal=KILL:when={when} $U names -i -f latin1 t")
    };
    sh(at, &format!("mkdir t; touch $'t/\\xe9' $'t/\\xfc'; {}", killed(2)));
    let slow = "delay=1s; slow flock:when=1 $U names -i -f latin1 t 2>slow & begun flock";
    let script = format!("{slow}; $U names -i -f latin1 t; touch $'t/\\xe4'; {}; wait; ls -A t", killed(1));
    sh_midway(at, &script).expect_part(
        0,
        "ä\né\nü\n",
        "utfconv: t/.utfconv-names-manifest: a run that renames 2 names was interrupted; utfconv finishes that run now\n",
    );
    sh(at, "cat slow").expect(
        0,
        "utfconv: t/.utfconv-names-manifest: a run that renames 1 name was interrupted; utfconv finishes that run now\n\
        utfconv: 1 name converted\n",
        "",
    );
    // The manifest of a run that has not locked it yet looks like the manifest of an interrupted run.
    let script =
        format!("touch $'t/\\xf6'; {slow}; $U names -i -f latin1 t; wait $!; echo $?; ls -A t; cat slow");
    let ran = sh_midway(at, &script);
    assert!(ran.stdout.starts_with("2\nä\né\nö\nü\n".as_bytes()), "{ran:?}");
    assert!(String::from_utf8_lossy(&ran.stdout).contains("another run is writing it"), "{ran:?}");
}

/// A file system without a rename that never replaces is simulated.
#[test]
fn other_ways_of_renaming_replace_nothing_either() {
    if !has("strace") {
        return;
    }
    // Atomic renames and hard links fail.
    let trace = "strace -f -o /dev/null -e inject=renameat2:error=EINVAL -e inject=linkat:error=EPERM";
    let dir = tree();
    let at = dir.path();
    let before = names(at);
    let call = format!("{trace} $U names -i -f latin1 t && $U names -f latin1 t");
    sh(at, &call).expect_part(0, "", "utfconv: 5 names converted\n");
    let dir = tree();
    let at = dir.path();
    sh(
        at,
        &format!("{trace} -e inject=renameat:signal=KILL:when=2 $U names -i -f latin1 t; $U names --undo t"),
    )
    .expect_part(0, "", "1 name restored");
    assert_eq!(names(at), before);
    let trace = "strace -f -o /dev/null -e inject=renameat2:error=EINVAL";
    let dir = tree();
    let at = dir.path();
    let call = format!("{trace} $U names -i -f latin1 t && $U names -f latin1 t");
    sh(at, &call).expect_part(0, "", "utfconv: 5 names converted\n");
    sh(at, "ls t/Café/über").expect(0, "ä\n", "");
    for (number, call) in
        [(1, "linkat"), (1, "unlinkat"), (2, "unlinkat"), (1, "mkdirat"), (1, "renameat"), (2, "renameat")]
    {
        let dir = tree();
        let at = dir.path();
        let before = names(at);
        let killed =
            sh(at, &format!("{trace} -e inject={call}:signal=KILL:when={number} $U names -i -f latin1 t"));
        assert_eq!(killed.status, 137, "{call}");
        sh(at, &format!("{trace} $U names --undo t 2>/dev/null")).expect(0, "", "");
        assert_eq!(names(at), before, "{call} {number}");
        sh(at, &format!("{trace} -e inject={call}:signal=KILL:when={number} $U names -i -f latin1 t"));
        sh(at, &format!("{trace} $U names -i t 2>/dev/null; $U names -f latin1 t")).expect(0, "", "");
    }
}

#[test]
fn errors_of_the_system_stop_before_or_keep_the_manifest() {
    if !has("strace") {
        return;
    }
    let dir = tree();
    let at = dir.path();
    let before = names(at);
    for (call, when) in [("fsync", 1), ("openat", 12), ("getdents64", 2)] {
        let ran = sh(
            at,
            &format!("strace -f -o /dev/null -e inject={call}:error=EIO:when={when} $U names -i -f latin1 t"),
        );
        assert_eq!((ran.status, names(at)), (2, before.clone()), "{call}: {ran:?}");
    }
    sh(at, "strace -f -o /dev/null -e inject=renameat2:error=EIO:when=3 $U names -i -f latin1 t")
        .expect_part(2, "", "'utfconv names -i t' finishes the run, 'utfconv names --undo t' takes it back");
    sh(at, "$U names --undo t").expect(0, "", "2 names restored");
    assert_eq!(names(at), before);
    // If the sync of the new names fails, the manifest is kept. Without syncfs, directories are synced under their new
    // names.
    for (errors, message) in [
        ("-e inject=syncfs:error=EIO", "t: Input/output error"),
        ("-e inject=syncfs:error=ENOSYS -e inject=fsync:error=EIO:when=3", "t/Café/über: Input/output error"),
    ] {
        let ran = sh(at, &format!("strace -f -o /dev/null {errors} $U names -i -f latin1 t"));
        ran.expect_part(2, "", message);
        assert!(ran.stderr.contains("--undo t' takes it back"), "{ran:?}");
        sh(at, "$U names --undo t").expect(0, "", "5 names restored");
        assert_eq!(names(at), before);
    }
}

#[test]
fn permissions_are_looked_at_before() {
    if !is_root() || !has("setpriv") || !has("chattr") {
        return;
    }
    let as_user = "setpriv --reuid=65534 --regid=65534 --clear-groups";
    let dir = dir_with(&[]);
    let at = dir.path();
    sh(at, "chmod 755 .; mkdir -p t/own t/other t/sticky; touch t/{own,other,sticky}/$'\\xe9'; chmod 1777 t/sticky; chown -R 65534 t/own; chown 65534 t")
        .expect(0, "", "");
    let before = names(at);
    let ran = sh(at, &format!("{as_user} $U names -i -f latin1 t"));
    assert_eq!((ran.status, names(at)), (2, before.clone()), "{ran:?}");
    assert!(ran.stderr.contains("$'t/other/\\xE9': cannot be renamed: Permission denied"), "{ran:?}");
    assert!(ran.stderr.contains("in this sticky directory, only its owner can rename it"), "{ran:?}");
    sh(at, &format!("{as_user} $U names -i --keep-going -f latin1 t; ls t/own")).expect_part(
        0,
        "é\n",
        "1 name converted",
    );
    sh(at, &format!("mkdir r; touch $'r/\\xe9'; {as_user} $U names -i -f latin1 r")).expect(
        2,
        "",
        "utfconv: $'r/\\xE9': cannot be renamed: Permission denied\n\
        utfconv: 1 name cannot be converted\n\
        utfconv: nothing was renamed; --keep-going renames the others\n",
    );
    if sh(at, "chattr +i $'t/other/\\xe9'").status == 0 {
        let ran = sh(at, "$U names -i -f latin1 t; s=$?; chattr -i $'t/other/\\xe9'; exit $s");
        ran.expect(
            2,
            "",
            "utfconv: $'t/other/\\xE9': cannot be renamed: is immutable or append-only (see chattr)\n\
            utfconv: 1 name cannot be converted\n\
            utfconv: nothing was renamed; --keep-going renames the others\n",
        );
    } else {
        skip("a file system with attributes");
    }
}

/// The file system ignores case.
#[test]
fn names_that_the_file_system_takes_for_one() {
    if !is_root() || !has("mke2fs") || !has("mount") || !has("chattr") {
        return;
    }
    let dir = dir_with(&[]);
    let at = dir.path();
    let mount = "truncate -s 8M disk && mke2fs -q -t ext4 -O casefold -E encoding=utf8 disk && mkdir live && mount -o loop disk live &&
        mkdir live/t && chattr +F live/t";
    if sh(at, mount).status != 0 {
        sh(at, "umount live 2>/dev/null");
        return skip("a file system that ignores case");
    }
    let cases = || {
        // Another file has the new name, in another case.
        sh(at, "cd live/t; touch É $'\\xe9'; $U names -i -f latin1 .").expect_part(
            1,
            "",
            "differing in case or normalization",
        );
        // Two files would have the same new name.
        sh(at, "cd live/t; rm *; touch $'\\xe9' $'\\xc9'; $U names -i -f latin1 .").expect_part(
            1,
            "",
            "would have the same new name",
        );
        // A file gets another spelling of its own name, and an undo restores the old spelling.
        sh(at, "cd live/t; rm *; touch e\u{301}; $U names -i --normalize=nfc --manifest=../j . && ls")
            .expect_part(0, "é\n", "1 name converted");
        sh(at, "cd live/t; $U names --undo=../j . && ls").expect_part(0, "e\u{301}\n", "1 name restored");
    };
    let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(cases));
    unmount(at, "live");
    assert!(done.is_ok());
}

#[test]
fn mount_points_are_not_entered() {
    if !is_root() || !has("mount") {
        return;
    }
    let dir = dir_with(&[]);
    let at = dir.path();
    sh(at, "mkdir -p $'t/\\xe9' a; touch $'a/\\xfc'").expect(0, "", "");
    if sh(at, "mount --bind a $'t/\\xe9'").status != 0 {
        return skip("the right to mount");
    }
    let ran = sh(at, "$U names -i -f latin1 t");
    let named = sh(at, "mkdir m && mount --bind a m && $U names -f latin1 m; umount m; rmdir m");
    sh(at, "umount $'t/\\xe9'").expect(0, "", "");
    named.expect(0, "$'m/\\xFC' -> ü\n", "1 name would be converted; -i does it");
    assert!(ran.status == 2 && ran.stderr.contains("cannot be renamed: is a mount point"), "{ran:?}");
    assert!(ran.stderr.contains("mount point, and was not entered"), "{ran:?}");
    sh(at, "ls -b a t").expect(0, "a:\n\\374\n\nt:\n\\351\n", "");
}

#[test]
fn names_cannot_act_on_a_terminal() {
    let dir = dir_with(&[]);
    let at = dir.path();
    sh(at, "touch $'a\\n::error::\\xe9' $'\\xe9\\x1b[31m'").expect(0, "", "");
    sh(at, "$U names -f latin1 .").expect(
        1,
        "$'./a\\n::error::\\xE9' -> $'a\\n::error::é'\n$'./\\xE9\\x1B[31m' -> $'é\\x1B[31m'\n",
        "2 names would be converted; -i does it",
    );
    sh(at, "$U names -f latin1 --format=json . | head -1").expect(
        0,
        "{\"type\":\"name\",\"path\":{\"bytes\":\"Li9hCjo6ZXJyb3I6Ouk=\"},\"new\":{\"text\":\"a\\n::error::é\"},\"encoding\":\"ISO-8859-1\",\"renamed\":false}\n",
        "2 names would be converted; -i does it",
    );
    sh(at, "$U names --format=json . 2>/dev/null | tail -2").expect(
        0,
        "{\"type\":\"refused\",\"path\":{\"bytes\":\"Li/pG1szMW0=\"},\"reason\":\"name: invalid UTF-8 (truncated) at byte 0: E9 starts a sequence of 3 bytes, 1 found\"}\n\
         {\"type\":\"summary\",\"renamed\":0,\"refused\":2,\"status\":1}\n",
        "",
    );
    sh(at, "$U names -i -f latin1 --format=json . 2>/dev/null | tail -1").expect(
        0,
        "{\"type\":\"summary\",\"renamed\":2,\"refused\":0,\"status\":0}\n",
        "",
    );
}

/// Memory and system calls are proportional to the depth, also if each directory is renamed.
#[test]
fn deep_directories_take_little_work() {
    if !has("python3") || !has("strace") {
        return;
    }
    let make = "import os
os.mkdir('t'); os.chdir('t')
for n in range(int(os.environ['DEPTH'])): os.mkdir(os.environb[b'NAME']); os.chdir(os.environb[b'NAME'])
";
    let dir = dir_with(&[("a.py", make.as_bytes())]);
    let at = dir.path();
    // No name changes. Descending alone must not take memory proportional to the square of the depth.
    sh(at, "DEPTH=6000 NAME=aa python3 a.py; ulimit -v 100000; $U names t; s=$?; rm -rf t; exit $s")
        .expect(0, "", "");
    for depth in [400, 1600] {
        let make = format!("DEPTH={depth} NAME=$'\\xe9' python3 a.py");
        sh(at, &format!("{make}; find t -printf '%f %i\\n' > old")).expect(0, "", "");
        for action in ["-i -f latin1 --manifest=j", "--undo=j"] {
            let count = format!(
                "strace -o c -e trace=openat,newfstatat,statx $U names {action} t && [ $(wc -l < c) -lt $((50 * {depth})) ]"
            );
            sh(at, &format!("ulimit -v 100000; {count}")).expect_part(0, "", &format!("{depth} names "));
        }
        sh(at, "find t -printf '%f %i\\n' | cmp - old && rm -rf t j").expect(0, "", "");
    }
}

/// Names with lost characters are reported. The exit status is 1 only with `--repair`.
#[test]
fn names_that_lost_characters_are_reported() {
    let dir = dir_with(&[("Caf\u{FFFD}.txt", b""), ("\u{FFFD}", b""), ("plain", b"")]);
    let at = dir.path();
    let lost =
        "2 names have U+FFFD (first: ./Caf\u{FFFD}.txt): characters were lost in them; use mv to rename them";
    for (options, status) in
        [("", 0), ("-f auto", 0), ("-f latin1 -i", 0), ("--repair", 1), ("--repair -i", 1)]
    {
        sh(at, &format!("$U names {options} .")).expect(status, "", lost);
    }
    let lost = "1 name has U+FFFD (d/\u{FFFD}): characters were lost in it; use mv to rename it";
    sh(at, "mkdir d; mv \u{FFFD} d; $U names d").expect(0, "", lost);
    sh(at, "$U names plain").expect(0, "", "");
}

/// A correct name in the same directory is evidence against double encoding.
#[test]
fn names_whose_repair_is_not_proven_are_reported() {
    let dir = dir_with(&[("Caf\u{c3}\u{a9}.txt", b""), ("ok \u{e9}.txt", b"")]);
    let at = dir.path();
    let left = "utfconv: ./Caf\u{c3}\u{a9}.txt: not repaired: probably \"Caf\u{e9}.txt\", but that is not proven: the names here have too few such characters; use mv to rename it\n";
    sh(at, "$U names --repair .").expect(1, "", left);
    sh(at, "$U names --repair -i .").expect(1, "", left);
    sh(at, "ls").expect(0, "Caf\u{c3}\u{a9}.txt\nok \u{e9}.txt\n", "");
    // The message names only the first double-encoded name.
    sh(at, "mkdir d && cp * d 2>/dev/null; $U names --repair .").expect(
        1,
        "",
        &left.replace(";", " (1 other name not repaired either);"),
    );
    sh(at, "rm -r d; touch Caf\u{e9}.txt; $U names --repair .").expect(
        1,
        "",
        &left.replace(
            "that is not proven: the names here have too few such characters",
            "there is a file of that name",
        ),
    );
    sh(at, "rm ok* Caf\u{e9}.txt; $U names --repair -i .; ls").expect(
        0,
        "Caf\u{e9}.txt\n",
        "utfconv: 1 name converted\n",
    );
    // A name that a second mistake could explain is no evidence for that mistake if undoing it makes the name worse.
    sh(at, "touch \u{c3}\u{a9}.txt Caf\u{c3}\u{a9}s.txt \u{c3}\u{df}; $U names --repair -i .; ls").expect(
        0,
        "Caf\u{e9}.txt\nCaf\u{e9}s.txt\n\u{c3}\u{df}\n\u{e9}.txt\n",
        "utfconv: 2 names converted\n",
    );
}

/// Exactly the links that would dangle are counted.
#[test]
fn links_to_names_that_change_are_reported() {
    let dir = dir_with(&[]);
    let at = dir.path();
    let make = "rm -rf t && mkdir -p $'t/\\xe9' t/d && touch $'t/\\xe8' $'t/\\xe9/x' && cd t && ln -s $'\\xe8' a && \
        ln -s $'../\\xe9/x' d/b && ln -s \"$PWD\"/$'d/../\\xe8' c && ln -s x $'\\xe9/same' && ln -s $'no\\xe8' none && ln -s d dir";
    let shown = "$'t/\\xE8' -> è\n$'t/\\xE9' -> é\n";
    let links = "utfconv: 3 symbolic links point to names that are converted; --links converts them, too\n";
    sh(at, make).expect(0, "", "");
    let would = "utfconv: 2 names would be converted; -i does it\n";
    sh(at, "$U names -f latin1 t").expect(1, shown, &format!("{would}{links}"));
    sh(at, "$U names -f latin1 --diff t > patch").expect(1, "", links);
    sh(at, "$U names -f latin1 -i t").expect(0, "", &format!("{links}utfconv: 2 names converted\n"));
    // A later run with `--links` corrects the links. Targets without a file are converted, too.
    sh(at, "$U names -f latin1 -i --links t; cd t; cat a c d/b; readlink a d/b é/same none").expect(
        0,
        "è\n../é/x\nx\nnoè\n",
        "utfconv: 4 names converted\n",
    );
    let one = "utfconv: 1 symbolic link points to a name that is converted; --links converts it, too\n";
    sh(at, &format!("({make}); $U names -f latin1 -i t/d t/a $'t/\\xe9'; readlink t/d/b")).expect(
        0,
        b"../\xE9/x\n",
        &format!("{one}utfconv: 1 name converted\n"),
    );
    // No link is reported if nothing is renamed.
    sh(at, &format!("({make}); touch t/é; $U names -f latin1 -i t")).expect_part(
        1,
        "",
        "utfconv: nothing was renamed",
    );
    assert!(!sh(at, "$U names -f latin1 -i t").stderr.contains("symbolic"));
}

/// Converting a name that is partly UTF-8 would give a name that nobody chose, so it is refused.
#[test]
fn names_that_are_partly_utf8_are_refused() {
    let dir = dir_with(&[]);
    let at = dir.path();
    let make =
        "mkdir t && touch $'t/caf\\xe9 \\xc3\\xa9t\\xc3\\xa9.txt' $'t/caf\\xe9' $'t/S\\xc3O PAULO' t/été";
    sh(at, make).expect(0, "", "");
    let why = |rest: &str| {
        format!(
            "utfconv: $'t/caf\\xE9 été.txt': name: it is partly UTF-8, not only {rest}; use mv to rename it\n"
        )
    };
    let left = format!("{}utfconv: 1 name cannot be converted\n", why("windows-1252"));
    let nothing = "utfconv: nothing was renamed; --keep-going renames the others\n";
    sh(at, "$U names -i -f windows-1252 t").expect(1, "", &format!("{left}{nothing}"));
    sh(at, "$U names -i -f auto:windows-1252 t").expect(1, "", &format!("{left}{nothing}"));
    sh(at, "$U names -i --keep-going -f windows-1252 t; ls t | LC_ALL=C sort | cat -v").expect(
        0,
        "SM-CM-^CO PAULO\ncafM-CM-)\ncafM-i M-CM-)tM-CM-).txt\nM-CM-)tM-CM-)\n",
        &format!("{left}utfconv: 2 names converted\n"),
    );
    // A name that is entirely UTF-8 is not converted to another encoding, either.
    let why = "$'t/été': name: it is UTF-8, not windows-1252; use mv to rename it";
    sh(at, "$U names -f windows-1252 -t IBM850 t/été").expect(
        1,
        "",
        &format!("utfconv: {}\nutfconv: 1 name cannot be converted\n", why.replace("$'t/été'", "t/été")),
    );
}

/// If both streams go to one file, the lines come before the message that counts them.
#[test]
fn lines_come_before_the_message_about_them() {
    let dir = tree();
    let at = dir.path();
    let lines = |would: &str| {
        format!(
            "$'t/Caf\\xE9/\\xFCber/\\xE4' -> ä\n$'t/Caf\\xE9/\\xFCber' -> über\n$'t/Caf\\xE9' -> Café\n$'t/l\\xE9' -> lé\n\
             $'t/na\\xEFve' -> naïve\n{would}"
        )
    };
    let link = "utfconv: 1 symbolic link points to a name that is converted; --links converts it, too\n";
    sh(at, "$U names -f latin1 t > log 2>&1; cat log").expect(
        0,
        lines(&format!("utfconv: 5 names would be converted; -i does it\n{link}")),
        "",
    );
    sh(at, "$U names -f latin1 -i -v t > log 2>&1; cat log").expect(
        0,
        format!("{link}{}", lines("utfconv: 5 names converted\n")),
        "",
    );
}

#[test]
fn options_of_others_are_answered() {
    let dir = dir_with(&[]);
    for (args, answer) in [
        ("-n .", "unexpected argument '-n'; without -i, names only shows what it would do"),
        ("-r .", "unexpected argument '-r'; names always enters directories"),
    ] {
        sh(dir.path(), &format!("$U names {args}")).expect(2, "", answer);
    }
}

/// Names from a zip archive that a program has read as IBM437 are reported with the commands that restore them.
#[cfg(target_os = "linux")]
#[test]
fn names_that_were_read_as_ibm437() {
    for (encoding, names, originals) in [
        (
            "windows-31j",
            &["ô·û{îΩ.txt", "âüâé.txt", "ù\\ÆΦò\\ 2024.txt"][..],
            &["メモ.txt", "予定表 2024.txt", "日本語.txt"][..],
        ),
        ("IBM866", &["»¿ß∞¼«.txt", "Σ«Γ«.jpg"], &["письмо.txt", "фото.jpg"]),
        ("GB18030", &["╨┬╜¿╬─▒╛╬─╡╡.txt", "╒╒╞¼.jpg"], &["新建文本文档.txt", "照片.jpg"]),
    ] {
        let dir = dir_with(&[]);
        let at = dir.path();
        std::fs::create_dir(at.join("d")).expect("makes it");
        names.iter().for_each(|name| std::fs::write(at.join("d").join(name), "").expect("writes"));
        let commands = format!("utfconv names -i -f UTF-8 -t IBM437 d; utfconv names -i -f {encoding} d");
        let why = format!(
            "{} names seem to be {encoding} that was read as IBM437, as from a zip archive; use '{commands}'",
            names.len()
        );
        sh(at, "$U names --repair d").expect(1, "", &why);
        sh(at, "$U names d").expect(0, "", &why);
        sh(at, &commands.replace("utfconv", "$U")).expect_part(0, "", "names converted\n");
        sh(at, "LC_ALL=C.UTF-8 ls d | LC_ALL=C sort").expect(0, format!("{}\n", originals.join("\n")), "");
        sh(at, "$U names --repair d").expect(0, "", "");
    }
    // Of names that are refused, the others are restored.
    let dir = dir_with(&[("ô·û{îΩ.txt", b""), ("5 €.txt", b"")]);
    let ran = sh(dir.path(), "$U names --repair 2>&1 | sed -n \"s/.*use '\\(.*\\)'/\\1/p\"");
    let commands =
        String::from_utf8(ran.stdout).expect("UTF-8").replace("utfconv names", "$U names --keep-going");
    sh(dir.path(), &format!("{commands}ls")).expect(
        0,
        "5 €.txt\n日本語.txt\n",
        "utfconv: ./5 €.txt: name: unmappable character at byte 2: E2 82 AC: U+20AC \"€\" cannot be encoded in IBM437\n\
        utfconv: 1 name cannot be converted\n\
        utfconv: 1 name converted\n\
        utfconv: 1 name converted\n",
    );
    // Names in languages of IBM437.
    let dir = dir_with(&[("Größe ½.txt", b""), ("Müller.txt", b""), ("«Été».txt", b""), ("α-β.txt", b"")]);
    sh(dir.path(), "$U names --repair; $U names").expect(0, "", "");
}
