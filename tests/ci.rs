//! The snippets of docs/ci.md: their commands run, and the files they name exist.

use std::path::Path;

use crate::harness::{dir_with, sh};

const PAGE: &str = include_str!("../docs/ci.md");

/// The commands of the snippets, after `run:` or in a list.
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
    for command in commands {
        let dir = dir_with(&[("good.txt", "café\n".as_bytes()), ("logo.png", b"\x89PNG\r\n\0\xFF")]);
        let (status, said) = run(dir.path(), command);
        assert_eq!(status, 0, "{command}: {said}");

        let dir = dir_with(&[("good.txt", "café\n".as_bytes()), ("bad.txt", b"fine\ncaf\xE9\n")]);
        let (status, said) = run(dir.path(), command);
        assert_eq!(status, 1, "{command}");
        assert!(
            said.contains("bad.txt") && said.contains("invalid UTF-8 (truncated) at byte 8: E9"),
            "{command}: {said}"
        );
        assert!(!said.contains("good.txt:"), "{command}: {said}");
    }
}

/// A snippet passes on the reports that its commands write, and its hooks are in the manifest.
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
