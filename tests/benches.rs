//! Runs the benchmarks on small inputs: they compare outputs and measure nothing.

use std::path::Path;

use crate::harness::{UTFCONV, command, has};

#[test]
fn long_texts_of_encodings_are_as_iconv_has_them() {
    if !has("python3") || !has("iconv") {
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/encodings.py");
    let tool = format!("--tool=utfconv={UTFCONV}");
    let every = if std::env::var_os("UTFCONV_EXHAUSTIVE").is_some() { "--every=4" } else { "--every=36" };
    let options = ["--check", "--size=2000", every];
    let ran = command("python3").arg("-B").arg(script).arg(tool).args(options).output().expect("runs");
    let said = |bytes| String::from_utf8_lossy(bytes).into_owned();
    assert!(ran.status.success(), "{}{}", said(&ran.stdout), said(&ran.stderr));
}

#[test]
fn files_come_back_through_each_filter_of_git() {
    if !has("python3") || !has("git") || !has("iconv") {
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/git.py");
    let options = ["--check", "--files=20", "--utfconv", UTFCONV];
    let ran = command("python3").arg("-B").arg(script).args(options).output().expect("runs");
    let said = |bytes| String::from_utf8_lossy(bytes).into_owned();
    assert!(ran.status.success(), "{}{}", said(&ran.stdout), said(&ran.stderr));
}

#[test]
fn records_are_as_a_model_and_dd_have_them() {
    if !has("python3") || !has("iconv") {
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/records.py");
    let tool = format!("--tool=utfconv={UTFCONV}");
    let ran = command("python3")
        .arg("-B")
        .arg(script)
        .arg(tool)
        .args(["--check", "--size=1"])
        .output()
        .expect("runs");
    let said = |bytes| String::from_utf8_lossy(bytes).into_owned();
    assert!(ran.status.success(), "{}{}", said(&ran.stdout), said(&ran.stderr));
}

#[test]
fn hostile_input_gives_the_status_that_it_should() {
    if !has("python3") {
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/growth.py");
    let tool = format!("--tool=utfconv={UTFCONV}");
    let ran = command("python3").arg("-B").arg(script).arg(tool).arg("--check").output().expect("runs");
    let said = |bytes| String::from_utf8_lossy(bytes).into_owned();
    assert!(ran.status.success(), "{}{}", said(&ran.stdout), said(&ran.stderr));
}

/// Checks the cells of docs/compare.md whose programs are installed.
#[test]
fn other_programs_do_what_the_comparison_says() {
    if !has("python3") {
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/compare.py");
    let ran = command("python3").arg("-B").arg(script).arg(UTFCONV).output().expect("runs");
    let said = |bytes| String::from_utf8_lossy(bytes).into_owned();
    assert!(ran.status.success(), "{}{}", said(&ran.stdout), said(&ran.stderr));
}
