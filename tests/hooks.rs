//! Tests that pre-commit runs the hooks of `.pre-commit-hooks.yaml`.
//!
//! Only the `-system` hooks are run, because the others differ only in that they build the program first.

use std::fs;
use std::path::Path;

use crate::harness::{dir_with, has, sh};

const MANIFEST: &str = include_str!("../.pre-commit-hooks.yaml");

/// Returns the entries of the manifest, which begin with `- id:`, as lines.
fn hooks() -> Vec<Vec<&'static str>> {
    MANIFEST.split("- id: ").skip(1).map(|hook| hook.lines().map(str::trim).collect()).collect()
}

#[test]
fn each_hook_has_a_twin_for_the_program_on_the_path() {
    let hooks = hooks();
    assert_eq!(hooks.len(), 8);
    for hook in &hooks[..4] {
        let twin = hooks.iter().find(|twin| twin[0] == format!("{}-system", hook[0])).expect("a twin");
        let as_twin = |line: &&str| line.replace("language: rust", "language: system");
        assert_eq!(hook[1..].iter().map(as_twin).collect::<Vec<_>>(), twin[1..]);
        assert!(hook.contains(&"types: [file]"), "{hook:?}");
    }
}

/// Runs a hook on `files` in a new repository. Returns whether the hook passed, and its output.
fn run(hook: &str, files: &[(&str, &[u8])]) -> (bool, String) {
    run_after("true", hook, files)
}

/// Runs a hook like [`run`], after the script `change` in the repository.
fn run_after(change: &str, hook: &str, files: &[(&str, &[u8])]) -> (bool, String) {
    let source = dir_with(&[(".pre-commit-hooks.yaml", MANIFEST.as_bytes())]);
    let home = tempfile::tempdir().expect("a temporary directory");
    let repository = dir_with(files);
    let path = |dir: &Path| dir.to_str().expect("a name in UTF-8").to_owned();
    let script = format!(
        "export PATH=\"$(dirname $U):$PATH\" PRE_COMMIT_HOME='{home}' HOME='{home}'
        unset GIT_DIR GIT_INDEX_FILE GIT_WORK_TREE GIT_CONFIG_GLOBAL
        git config --global user.name Name; git config --global user.email name@example.org
        git config --global init.defaultBranch main; git config --global protocol.file.allow always
        (cd '{source}' && git init -q && git add . && git commit -qm Hooks) || exit 9
        printf 'repos:\\n- repo: {source}\\n  rev: %s\\n  hooks:\\n  - id: {hook}\\n' \\
            \"$(git -C '{source}' rev-parse HEAD)\" > .pre-commit-config.yaml
        git init -q && git add . || exit 9
        {change}
        pre-commit run --all-files --color=never 2>&1",
        home = path(home.path()),
        source = path(source.path()),
    );
    let ran = sh(repository.path(), &script);
    let said = String::from_utf8(ran.stdout).expect("UTF-8");
    assert!(ran.status <= 1, "{} {said} {}", ran.status, ran.stderr);
    assert_eq!(ran.stderr, "");
    (ran.status == 0, said)
}

const GOOD: (&str, &[u8]) = ("good.txt", "café\n".as_bytes());
const BINARY: (&str, &[u8]) = ("picture.png", b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR\xFF\xFE\xC0");
const SIGNED: (&str, &[u8]) = ("signed.csv", b"\xEF\xBB\xBFa;b\n");
/// pre-commit classifies UTF-16 as binary, so a hook with `types: [text]` would skip the file.
const WIDE: (&str, &[u8]) = ("wide", b"\xFF\xFEh\0e\0l\0l\0o\0\n\0");

#[test]
fn what_is_in_order_passes() {
    if !has("pre-commit") || !has("git") {
        return;
    }
    let (passed, said) = run("utfconv-check-system", &[GOOD, BINARY, SIGNED]);
    assert!(passed && said.contains("Passed"), "{said}");
    let claimed: (&str, &[u8]) = (".gitattributes", b"wide text working-tree-encoding=UTF-16\n");
    let (passed, said) = run("utfconv-no-bom-system", &[GOOD, BINARY, claimed]);
    assert!(passed && said.contains("Passed"), "{said}");
    let (passed, said) = run("utfconv-check-system", &[GOOD, WIDE, claimed]);
    assert!(passed, "{said}");
}

#[test]
fn every_fault_is_shown() {
    if !has("pre-commit") || !has("git") {
        return;
    }
    let (passed, said) =
        run("utfconv-check-system", &[GOOD, BINARY, SIGNED, WIDE, ("bad.txt", b"fine\ncaf\xE9\n\xC0\xAF\n")]);
    assert!(!passed && said.contains("Failed"), "{said}");
    assert!(said.contains("bad.txt:2:4: error: invalid UTF-8 (truncated) at byte 8: E9 "), "{said}");
    assert!(
        said.contains("bad.txt:3:1: error: invalid UTF-8 (non-shortest form) at byte 10: C0 AF: "),
        "{said}"
    );
    assert!(said.contains("wide:1:1: error: "), "{said}");
    for name in ["good.txt:", "picture.png:", "signed.csv:"] {
        assert!(!said.contains(name), "{said}");
    }
}

#[test]
fn a_bom_is_shown() {
    if !has("pre-commit") || !has("git") {
        return;
    }
    let (passed, said) = run("utfconv-no-bom-system", &[GOOD, BINARY, SIGNED]);
    assert!(!passed && said.contains("signed.csv:1:1: error: "), "{said}");
    assert!(!said.contains("good.txt:"), "{said}");
}

/// A file that a UTF-8 program has damaged passes all hooks except the hook that compares with the last commit.
#[test]
fn what_a_change_lost_is_shown() {
    if !has("pre-commit") || !has("git") {
        return;
    }
    let old = "Un café, un thé.\nplain\nNaïve façade\n";
    let old: Vec<u8> = old.chars().map(|scalar| scalar as u8).collect();
    let files: &[(&str, &[u8])] = &[GOOD, ("letter.txt", &old)];
    let damage = "git commit -qm one && printf 'Un caf\u{FFFD}, un th\u{FFFD}.\\nedited\\nNa\u{FFFD}ve fa\u{FFFD}ade\\n' > letter.txt && git add .";
    let (passed, said) = run_after(damage, "utfconv-check-system", files);
    assert!(passed, "{said}");
    let (passed, said) = run_after(damage, "utfconv-changes-system", files);
    assert!(
        !passed && said.contains("letter.txt:1:7: error: lost characters at byte 6: since HEAD, "),
        "{said}"
    );
    let command = "use 'utfconv repair --from-rev=HEAD -i letter.txt && git add letter.txt' to restore them";
    assert!(said.contains(command), "{said}");
    // An edit in the file's own encoding loses nothing, and if nothing is staged, nothing is compared.
    for change in
        ["git commit -qm one && sed -i s/plain/edited/ letter.txt && git add .", "git commit -qm one"]
    {
        let (passed, said) = run_after(change, "utfconv-changes-system", files);
        assert!(passed && said.contains("Passed"), "{change}: {said}");
    }
}

#[test]
fn what_is_certain_is_repaired() {
    if !has("pre-commit") || !has("git") {
        return;
    }
    let latin: (&str, &[u8]) = ("letter.csv", b"a;caf\xE9\n");
    let claimed: (&str, &[u8]) = (".editorconfig", b"root = true\n[*.csv]\ncharset = utf-8-bom\n");
    let (passed, said) = run("utfconv-fix-system", &[GOOD, BINARY]);
    assert!(passed, "{said}");
    let (passed, said) = run("utfconv-fix-system", &[GOOD, claimed, ("menu.csv", b"a;b\n")]);
    assert!(!passed && said.contains("files were modified by this hook"), "{said}");
    let (passed, said) = run("utfconv-fix-system", &[latin]);
    assert!(!passed && said.contains("letter.csv:1:6: error: "), "{said}");
}

/// pre-commit accepts the manifest, including the hooks that no test runs.
#[test]
fn the_manifest_is_valid() {
    if !has("pre-commit") {
        return;
    }
    let dir = dir_with(&[(".pre-commit-hooks.yaml", MANIFEST.as_bytes())]);
    fs::create_dir(dir.path().join("home")).expect("made");
    let ran = sh(dir.path(), "HOME=$PWD/home pre-commit validate-manifest .pre-commit-hooks.yaml 2>&1");
    assert_eq!((ran.status, String::from_utf8_lossy(&ran.stdout).as_ref()), (0, ""));
}
