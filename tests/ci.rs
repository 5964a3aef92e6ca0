//! Tests of the snippets of docs/ci.md: their commands run, and the files they name exist.

use std::path::Path;

use crate::harness::{dir_with, has, sh};

const PAGE: &str = include_str!("../docs/ci.md");

/// Returns the commands of the snippets, after `run:` or in a list.
fn commands() -> Vec<&'static str> {
    let after = |line: &'static str| line.trim().strip_prefix("- run: ").or(line.trim().strip_prefix("- "));
    PAGE.lines().filter_map(after).filter(|command| command.starts_with("utfconv ")).collect()
}

/// Runs a command of a snippet in `dir`.
fn run(dir: &Path, command: &str) -> (i32, String) {
    let ran = sh(dir, &format!("PATH=\"$(dirname $U):$PATH\"; {command}"));
    assert!(ran.status < 2, "{command}: {}", ran.stderr);
    let mut said = String::from_utf8(ran.stdout).expect("UTF-8");
    if let Some((_, file)) = command.split_once("> ") {
        said += &std::fs::read_to_string(dir.join(file)).expect("the report exists");
    }
    (ran.status, said)
}

#[test]
fn every_command_finds_the_errors() {
    let commands = commands();
    let formats = ["github", "sarif", "gitlab", "junit"];
    for format in formats {
        assert!(
            commands.iter().any(|command| command.contains(&format!("--format={format}"))),
            "{commands:?}"
        );
    }
    if !has("git") {
        return;
    }
    for command in commands {
        let is_tracked = command.starts_with("utfconv check --tracked ");
        assert!(is_tracked || command.contains("--since="), "{command}");
        let checked = |files: &[(&str, &[u8])]| {
            let dir = dir_with(files);
            sh(dir.path(), "git init -q . && git add -f .").expect(0, "", "");
            run(dir.path(), command)
        };
        let (status, said) =
            checked(&[("good.txt", "café\n".as_bytes()), ("logo.png", b"\x89PNG\r\n\0\xFF")]);
        assert_eq!(status, 0, "{command}: {said}");
        // Hidden and ignored files are checked too if they are tracked.
        for bad in ["bad.txt", ".bad.txt", "bad.o"] {
            let (status, said) = checked(&[
                ("good.txt", "café\n".as_bytes()),
                (bad, b"fine\ncaf\xE9\n"),
                (".gitignore", b"*.o\n"),
            ]);
            assert_eq!(status, 1, "{command}");
            assert!(
                said.contains(bad) && said.contains("invalid UTF-8 (truncated) at byte 8: E9"),
                "{command}: {said}"
            );
            assert!(!said.contains("good.txt:"), "{command}: {said}");
        }
    }
}

/// The snippets use the reports that their commands write, and their hooks are in the hook manifest.
#[test]
fn reports_and_hooks_exist() {
    let written: Vec<_> = commands().iter().filter_map(|command| Some(command.split_once("> ")?.1)).collect();
    assert_eq!(written.len(), 3);
    for file in written {
        assert!(PAGE.matches(file).count() >= 2, "{file} is written, and used by nobody");
    }
    let ids: Vec<_> = PAGE.lines().filter_map(|line| line.trim().strip_prefix("- id: ")).collect();
    assert!(!ids.is_empty());
    for id in ids {
        assert!(include_str!("../.pre-commit-hooks.yaml").contains(&format!("- id: {id}\n")), "{id}");
    }
}

/// The action compares a pull request with its base, which a shallow clone has to fetch first. Without a base, the
/// action checks all files.
#[test]
fn the_action_compares_with_the_base() {
    if !has("git") {
        return;
    }
    let action = include_str!("../action.yml");
    let step = action.rsplit("      run: |\n").next().expect("the last step");
    let step: String =
        step.lines().map(|line| format!("{}\n", line.trim_start_matches("        "))).collect();
    assert!(action.contains("default: ${{ github.event.pull_request.base.sha }}\n"));
    let dir = dir_with(&[("step", step.as_bytes())]);
    let at = dir.path();
    let script = r#"git init -q -b main origin; cd origin; git config user.name n; git config user.email e
        printf 'Un caf\351, un th\351.\nplain\n' > letter.txt; cp letter.txt old.txt; git add .; git commit -qm base
        printf 'Un caf\357\277\275, un th\357\277\275.\nedited\n' > letter.txt; git commit -qam damage; echo more >> letter.txt; git commit -qam more
        git config uploadpack.allowAnySHA1InWant true; git rev-parse HEAD~2 | tr -d '\n'
        git clone -q --depth=1 "file://$PWD" ../clone"#;
    let ran = sh(at, script);
    assert_eq!((ran.status, &ran.stderr[..]), (0, ""));
    let base = String::from_utf8(ran.stdout).expect("ASCII");
    let check = |since: &str, arguments: &str| {
        let script = format!(
            "cd clone; PATH=\"$(dirname $U):$PATH\" SINCE='{since}' ARGUMENTS='{arguments}' bash --noprofile --norc -eo pipefail ../step"
        );
        sh(at, &script)
    };
    let ran = check("", "");
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(ran.status == 1 && said.contains("file=old.txt") && !said.contains("letter.txt"), "{said}");
    for arguments in ["", "--rule final-newline"] {
        let ran = check(&base, arguments);
        let said = String::from_utf8_lossy(&ran.stdout).into_owned();
        assert!(
            ran.status == 1 && said.contains("file=letter.txt,line=1") && said.contains("lost characters at"),
            "{ran:?}"
        );
        assert!(!said.contains("old.txt"), "{said}");
    }
    check(&"0".repeat(40), "").expect_part(128, "", "fatal: ");
}
