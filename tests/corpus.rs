//! Tests `check` on a tree of real text, some of it damaged, against a second implementation in Python.
//!
//! `corpus/compare.py` describes the comparison, and how to run it on 20,000 files of Debian packages.

use std::path::Path;

use crate::harness::{UTFCONV, command, has};

#[track_caller]
fn python(script: &str, args: &[&str]) {
    if !has("python3") {
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let ran = command("python3").arg("-B").arg(folder.join(script)).args(args).output().expect("runs");
    let said = |bytes| String::from_utf8_lossy(bytes).into_owned();
    assert!(ran.status.success(), "{}{}", said(&ran.stdout), said(&ran.stderr));
}

#[test]
fn the_second_opinion_agrees_with_pythons_codec() {
    python("utf8.py", &[]);
}

#[test]
fn exactly_the_damaged_places_in_every_format() {
    python("compare.py", &["--utfconv", UTFCONV, "--files", "300", "--megabytes", "4", "--sources="]);
}
