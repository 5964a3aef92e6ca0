//! Tests that tests ask with `has` for each program that they call. A program that is missing from the list is found by
//! `.ci/essential-only`, which runs the tests without other programs.

use std::fs;
use std::path::{Path, PathBuf};

use crate::programs::listed;

/// Returns all source files, with their paths and texts.
fn sources() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut todo = vec![root.join("tests"), root.join("src"), root.join("crates")];
    let mut sources = Vec::new();
    while let Some(path) = todo.pop() {
        if path.is_dir() {
            todo.extend(
                fs::read_dir(path).expect("a directory").map(|entry| entry.expect("an entry").path()),
            );
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("a source");
            sources.push((path.strip_prefix(root).expect("below the root").into(), text));
        }
    }
    assert!(sources.len() > 100, "the sources are found");
    sources
}

/// Whether a line of a source calls a program, in a shell script or a list of arguments.
fn calls(line: &str, program: &str) -> bool {
    let is_end = |rest: &str| rest.starts_with([' ', ';']) || rest.starts_with("\")");
    let is_start = |before: &str| {
        let before = before.trim_end();
        ["\"", ";", "|", "&&", "$(", "{", "!", "then", "do", "\\n", "env"]
            .iter()
            .any(|end| before.ends_with(end))
    };
    let is_call = |(at, _): (usize, &str)| is_start(&line[..at]) && is_end(&line[at + program.len()..]);
    line.match_indices(program).any(is_call)
}

#[test]
fn tests_ask_for_what_they_call() {
    let mut unasked = Vec::new();
    let with_tests = |path: &Path| path.to_string_lossy().contains("tests") && !path.ends_with(file!());
    for (path, text) in sources().iter().filter(|(path, _)| with_tests(path)) {
        // A test with a table of peers asks for names in the table.
        let asks_by_table = text.contains("has(peer)") || text.contains("has(self.program)");
        let code: Vec<_> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        for program in listed() {
            let asks = asks_by_table
                || text.contains(&format!("has(\"{program}\")"))
                || text
                    .lines()
                    .any(|line| line.contains("all(has)") && line.contains(&format!("\"{program}\"")))
                || program == "iconv" && text.contains("glibc()");
            let called = code.iter().find(|line| calls(line, program));
            if let Some(line) = called.filter(|_| !asks) {
                unasked.push(format!("{}: {program}: {}", path.display(), line.trim()));
            }
        }
    }
    assert!(unasked.is_empty(), "not asked for by `has`:\n{}", unasked.join("\n"));
}

/// Programs are started only by `programs::command`.
#[test]
fn programs_are_started_in_one_place() {
    let literal = concat!("Command::new", "(\"");
    let elsewhere: Vec<_> = sources().into_iter().filter(|(_, text)| text.contains(literal)).collect();
    assert!(elsewhere.is_empty(), "{:?}", elsewhere.iter().map(|(path, _)| path).collect::<Vec<_>>());
}

#[test]
fn the_list_is_sorted_and_complete() {
    let programs: Vec<_> = listed().collect();
    assert!(programs.len() > 15 && programs.is_sorted(), "{programs:?}");
    for row in include_str!("programs.txt").lines().filter(|row| !row.starts_with('#') && !row.is_empty()) {
        assert!(row.split_whitespace().count() >= 3, "{row}: program, package, what for");
    }
}

#[test]
#[should_panic(expected = "nonesuch is not in tests/programs.txt")]
fn a_program_that_is_not_listed_is_refused() {
    crate::programs::has("nonesuch");
}
