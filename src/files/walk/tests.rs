//! Tests that the walk finds the same files as the walk of the crate `ignore`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use super::*;
use crate::testkit::Random;

/// Returns the files that a walk finds in `root`.
fn found(root: &Path, hidden: bool, no_ignore: bool) -> BTreeSet<PathBuf> {
    let targets = Targets { paths: vec![root.into()], hidden, no_ignore, ..Targets::default() };
    let queue = WorkQueue::new(targets);
    let mut notes = Notes::default();
    let mut found = BTreeSet::new();
    loop {
        let files = queue.take(&mut notes);
        if files.is_empty() {
            break;
        }
        for file in files {
            assert!(file.open().is_ok(), "{file:?}");
            assert!(found.insert(file.name().into_owned()), "{file:?} is found once");
        }
    }
    // The counts of left-out entries are cleared, because a left-out entry is not a problem.
    notes.left_out = Default::default();
    assert_eq!(notes, Notes::default());
    found
}

fn expected(root: &Path, hidden: bool, no_ignore: bool) -> BTreeSet<PathBuf> {
    WalkBuilder::new(root)
        .standard_filters(!no_ignore)
        .hidden(!hidden)
        .filter_entry(|entry| entry.depth() == 0 || entry.file_name() != ".git")
        .build()
        .map(|entry| entry.expect("the tree can be read"))
        .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
        .map(|entry| entry.into_path())
        .collect()
}

const NAMES: [&str; 8] = ["a", "b.o", "build", "c.txt", "d", ".e", ".f.o", "g h"];

const PATTERNS: [&str; 20] = [
    "a", "/a", "a/", "/a/", "*.o", "!*.o", "!b.o", "build", "/build/", "!build", "a/b.o", "/a/*", "**/d",
    "d/**", "!d", ".e", "!.e", "# a", "g\\ h", "*",
];

fn patterns(random: &mut Random) -> String {
    (0..random.below(4)).map(|_| random.one(&PATTERNS).to_string() + "\n").collect()
}

/// Fills a directory with files, directories, and ignore files.
fn fill(directory: &Path, depth: usize, random: &mut Random) {
    let write = |name: &str, text: &str| fs::write(directory.join(name), text).expect("writes");
    match random.below(12) {
        0 | 1 => {
            fs::create_dir_all(directory.join(".git/info")).expect("makes a directory");
            write(".git/info/exclude", &patterns(random));
            write(".git/config", "");
        }
        2 => write(".git", ""),
        3 => fs::create_dir(directory.join(".jj")).expect("makes a directory"),
        _ => {}
    }
    for name in [".gitignore", ".ignore"] {
        if random.below(3) == 0 {
            write(name, &patterns(random));
        }
    }
    for name in NAMES {
        match random.below(4) {
            0 | 1 => write(name, ""),
            2 if depth > 0 => {
                fs::create_dir(directory.join(name)).expect("makes a directory");
                fill(&directory.join(name), depth - 1, random);
            }
            _ => {}
        }
    }
}

#[test]
fn the_same_files_are_found() {
    let mut random = Random(0x5DEE_CE66);
    let (mut some, mut left_out) = (0, 0);
    for _ in 0..60 {
        let scratch = tempfile::tempdir().expect("a temporary directory");
        fill(scratch.path(), 3, &mut random);
        let root = scratch.path().to_path_buf();
        let up: PathBuf =
            std::env::current_dir().expect("a directory").components().skip(1).map(|_| "..").collect();
        let mut roots = vec![
            root.join(""),
            root.join("."),
            root.join("a/../d"),
            up.join(root.strip_prefix("/").unwrap_or(&root)),
        ];
        roots.extend(NAMES.map(|name| root.join(name)));
        roots.extend(NAMES.map(|name| root.join("a").join(name)));
        for root in roots.iter().filter(|root| root.is_dir()) {
            for (hidden, no_ignore) in [(false, false), (true, false), (false, true), (true, true)] {
                let found = found(root, hidden, no_ignore);
                assert_eq!(found, expected(root, hidden, no_ignore), "{root:?} {hidden} {no_ignore}");
                some += usize::from(!found.is_empty());
                left_out += usize::from(no_ignore && found != self::found(root, hidden, false));
            }
        }
    }
    assert!(some > 400 && left_out > 100, "{some} {left_out}");
}

/// The directory has more entries than are read at a time, and its ignore file is among the last.
#[test]
fn a_large_directory_is_found_as_a_whole() {
    let scratch = tempfile::tempdir().expect("a temporary directory");
    let root = scratch.path();
    fs::create_dir(root.join(".git")).expect("makes a directory");
    for number in 0..3000 {
        fs::write(root.join(format!("{number}.{}", if number % 3 == 0 { "o" } else { "c" })), "")
            .expect("writes");
    }
    fs::write(root.join(".gitignore"), "*.o\n").expect("writes");
    let found = found(root, false, false);
    assert_eq!((found.len(), &found), (2000, &expected(root, false, false)));
}
