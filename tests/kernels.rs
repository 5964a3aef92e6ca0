//! Every set of kernels that this CPU has passes the vectors: the suite runs itself again, once for each.

use std::process::Command;

use utfconv_core::kernel::{VARIABLE, active, available};

/// The modules with vectors and comparisons, whose tests take the kernels that the environment names.
const MODULES: [&str; 11] = [
    "carriers::",
    "checker::",
    "chunks::",
    "family::",
    "faults::",
    "kernels::the_set",
    "pages::",
    "policies::",
    "BOMs::",
    "standards::",
    "streams::",
];

#[test]
fn the_set_in_use_is_the_one_named() {
    if let Ok(name) = std::env::var(VARIABLE) {
        assert_eq!(active(), name);
    }
}

#[test]
fn every_set_passes_the_vectors() {
    if std::env::var_os(VARIABLE).is_some() {
        return; // this is one of the runs
    }
    let suite = std::env::current_exe().expect("the path of this program");
    for name in available() {
        let run = Command::new(&suite).args(MODULES).env(VARIABLE, name).output().expect("runs");
        let text = String::from_utf8_lossy(&run.stdout);
        assert!(run.status.success(), "{name}: {text}");
        let passed = text.matches(" ... ok").count();
        assert!(passed >= 40, "{name}: only {passed} tests: {text}");
        assert!(text.contains("kernels::the_set_in_use_is_the_one_named ... ok"), "{name}: {text}");
    }
}

#[test]
fn a_set_that_is_not_there_is_refused() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_utfconv"));
    let run = command.env(VARIABLE, "no-such").stdin(std::process::Stdio::null()).output().expect("runs");
    assert_eq!(run.status.code(), Some(2));
    assert_eq!(run.stdout, b"");
    let names = available().collect::<Vec<_>>().join(" ");
    let expected = format!("utfconv: {VARIABLE}=no-such: no such kernels on this CPU; it has {names}\n");
    assert_eq!(String::from_utf8_lossy(&run.stderr), expected);
}
