//! Tests of completion in each shell, which is run on a terminal like an interactive shell.

use std::collections::BTreeSet;
use std::path::Path;

use crate::harness::{Ran, dir_with, has, possible_values, sh};

/// Command lines without the program name, and the completions offered at the end of each.
const QUESTIONS: [(&str, &[&str]); 25] = [
    ("che", &["check"]),
    ("check --exp", &["--explain"]),
    ("check --exc", &["--excerpt", "--exclude"]),
    ("detect --min", &[]),
    ("--min", &["--min-certainty"]),
    ("-f aut", &["auto"]),
    ("check -f aut", &[]),
    ("names -f aut", &["auto"]),
    ("names --normalize=nfk", &["nfkc", "nfkd"]),
    ("-cf utf-7", &["UTF-7", "UTF-7-IMAP"]),
    ("-t latin1", &["latin1", "latin1-2-5", "latin10"]),
    (
        "--from-code=CP125",
        &["cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258"],
    ),
    ("--newline=", &["keep", "lf", "crlf", "cr"]),
    ("--output-dir ", &["sub"]),
    ("detect --files-from ", &["a.txt", "sub"]),
    ("check --rule nul,bo", &["nul,bom=forbid", "nul,bom=require"]),
    ("check --explain NU", &["nul"]),
    ("list koi8-", &["KOI8-E", "KOI8-R", "KOI8-RU", "KOI8-T", "KOI8-U"]),
    ("--ill-formed=fall", &["fallback="]),
    ("--ill-formed=fallback=kz-1", &["fallback=KZ-1048"]),
    ("--ill-formed fallback=KZ-1", &["fallback=KZ-1048"]),
    ("-t ascii//TR", &["ascii//TRANSLIT"]),
    ("--to-code=latin1//", &["latin1//TRANSLIT", "latin1//IGNORE"]),
    ("-t ascii//TRANSLIT//ig", &["ascii//TRANSLIT//IGNORE"]),
    ("-f ascii//TR", &[]),
];

/// Commands whose operand is one of a few words, all of which are offered.
const COMMANDS_OF_WORDS: [&str; 3] = ["help", "man", "completions"];

/// Returns [`QUESTIONS`] and a question for each of [`COMMANDS_OF_WORDS`].
fn questions() -> Vec<(String, Vec<String>)> {
    let given = QUESTIONS
        .map(|(line, offered)| (line.to_string(), offered.iter().map(|word| word.to_string()).collect()));
    let words = COMMANDS_OF_WORDS.map(|command| (format!("{command} "), possible_values(command)));
    given.into_iter().chain(words).collect()
}

/// Asserts that exactly the expected completions are offered, in any order and in upper or lower case.
#[track_caller]
fn compare(shell: &str, line: &str, expected: &[impl AsRef<str>], offered: &[&str]) {
    let typed = line.rsplit(' ').next().unwrap_or_default();
    let plain = |word: &str| {
        let value = word.split_once('=').filter(|_| word.starts_with("--")).map_or(word, |(_, value)| value);
        value.trim_end_matches('/').to_lowercase()
    };
    let expected: Vec<_> = expected.iter().map(AsRef::as_ref).collect();
    // A shell without a completion keeps the typed word.
    let offered = offered.iter().filter(|word| **word != typed || expected.contains(word));
    let offered: BTreeSet<_> = offered.map(|word| plain(word)).collect();
    let expected: BTreeSet<_> = expected.iter().map(|word| plain(word)).collect();
    assert_eq!(offered, expected, "{shell}: utfconv {line}");
}

/// Runs a script in a directory with a file and a subdirectory. `$C` is the directory of completion scripts.
fn ask(script: &str) -> Ran {
    let dir = dir_with(&[("a.txt", b"")]);
    std::fs::create_dir(dir.path().join("sub")).expect("a directory");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).display();
    sh(dir.path(), &format!("C='{root}/completions' T='{root}/tests'; {script}"))
}

/// Asks a shell on a terminal for completions.
fn ask_on_terminal(shell: &str) {
    let questions = questions();
    let lines: String = questions.iter().map(|(line, _)| format!(" 'utfconv {line}'")).collect();
    let ran = ask(&format!("python3 $T/completions.py {shell} \"$C\"{lines}"));
    let answers = String::from_utf8_lossy(&ran.stdout);
    assert_eq!(answers.lines().count(), questions.len(), "{ran:?}");
    for ((line, expected), answer) in questions.iter().zip(answers.lines()) {
        let words_before = line.matches(' ').count();
        let offered: Vec<_> = answer.split('|').skip(words_before).filter(|word| !word.is_empty()).collect();
        compare(shell, line, expected, &offered);
    }
}

#[test]
fn bash_completes() {
    if has("python3") {
        ask_on_terminal("bash");
    }
}

/// Command lines of a link to utfconv that is named iconv, and the completions offered.
const QUESTIONS_TO_ICONV: [(&str, &[&str]); 5] = [
    ("--ver", &["--verbose", "--version"]),
    ("--ill", &[]),
    ("-f utf-7", &["UTF-7", "UTF-7-IMAP"]),
    ("--to-code=ascii//TR", &["ascii//TRANSLIT"]),
    ("-o ", &["a.txt", "sub"]),
];

/// Returns a script that prepends a directory to PATH, with a link `utfconv` to the program and a link `iconv` to
/// `target`.
fn with_links(target: &str) -> String {
    format!(
        "mkdir bin; ln -s \"$U\" bin/utfconv; ln -s {target} bin/iconv; mv bin sub; PATH=$PWD/sub/bin:$PATH"
    )
}

#[test]
fn a_link_named_iconv_completes_as_iconv() {
    if !has("python3") || !has("zsh") || !has("fish") {
        return;
    }
    for shell in ["bash", "zsh"] {
        let lines = QUESTIONS_TO_ICONV.map(|(line, _)| format!("'iconv {line}'")).join(" ");
        let links = with_links("utfconv");
        let ran = ask(&format!("{links}; python3 $T/completions.py {shell} \"$C\" {lines}"));
        let answers = String::from_utf8_lossy(&ran.stdout);
        for ((line, expected), answer) in QUESTIONS_TO_ICONV.into_iter().zip(answers.lines()) {
            let before = line.matches(' ').count();
            let offered: Vec<_> = answer.split('|').skip(before).filter(|word| !word.is_empty()).collect();
            compare(shell, line, expected, &offered);
        }
        assert_eq!(answers.lines().count(), QUESTIONS_TO_ICONV.len(), "{ran:?}");
        // For another program named iconv, no completions of utfconv are offered.
        let links = with_links("/bin/cat");
        let ran =
            ask(&format!("{links}; python3 $T/completions.py {shell} \"$C\" 'iconv --to-code=ascii//TR'"));
        assert_eq!(String::from_utf8_lossy(&ran.stdout), "--to-code=ascii//TR\n", "{shell}");
    }
    let fish = |links: &str, line: &str| {
        let script = "source $argv[1]; complete -C $argv[2]";
        let ran = ask(&format!("{links}; fish --no-config -c '{script}' \"$C/utfconv.fish\" 'iconv {line}'"));
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{line}");
        String::from_utf8_lossy(&ran.stdout).into_owned()
    };
    for (line, expected) in QUESTIONS_TO_ICONV {
        let offered = fish(&with_links("utfconv"), line);
        let offered: Vec<_> =
            offered.lines().map(|offer| offer.split('\t').next().unwrap_or_default()).collect();
        compare("fish", line, expected, &offered);
    }
    assert!(!fish(&with_links("/bin/cat"), "--to-code=ascii//TR").contains("TRANSLIT"));
}

/// A name with a space is completed in every style of quoting, and a line without a completion is kept.
#[test]
fn bash_completes_quoted_names() {
    if !has("python3") {
        return;
    }
    let lines = ["a\\\\ di", "-o a\\\\ dir/", "\"a di", "\"a dir/f", "no\\\\ su"];
    let typed = lines.map(|line| format!("$'utfconv {line}'")).join(" ");
    let ran =
        ask(&format!("mkdir 'a dir'; touch 'a dir/file'; python3 $T/completions.py bash \"$C\" {typed}"));
    assert_eq!(
        String::from_utf8_lossy(&ran.stdout).lines().collect::<Vec<_>>(),
        ["a dir", "-o|a dir/file", "a dir", "a dir/file", "no su"]
    );
}

#[test]
fn zsh_completes() {
    if has("zsh") && has("python3") {
        ask_on_terminal("zsh");
    }
}

/// The script also completes when it is sourced.
#[test]
fn zsh_sources_the_script() {
    if !has("zsh") {
        return;
    }
    let script =
        "autoload -Uz compinit; compinit -u -D; eval \"$(cat \"$1/_utfconv\")\"; print $_comps[utfconv]";
    let ran = ask(&format!("zsh -f -c '{script}' zsh \"$C\""));
    assert_eq!((ran.status, ran.stdout.as_slice(), ran.stderr.as_str()), (0, &b"_utfconv\n"[..], ""));
}

#[test]
fn fish_completes() {
    if !has("fish") {
        return;
    }
    for (line, expected) in questions() {
        let ran = ask(&format!(
            "fish --no-config -c 'source $argv[1]; complete -C $argv[2]' \"$C/utfconv.fish\" 'utfconv {line}'"
        ));
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{line}");
        let text = String::from_utf8_lossy(&ran.stdout);
        let offered: Vec<_> =
            text.lines().map(|offer| offer.split('\t').next().unwrap_or_default()).collect();
        compare("fish", &line, &expected, &offered);
    }
}
