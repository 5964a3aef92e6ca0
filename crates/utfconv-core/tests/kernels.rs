//! Every set of kernels that this CPU has passes the vectors: the suite runs itself again, once for each.

use std::process::Command;

use utfconv_core::kernel::{VARIABLE, active, available};

/// The modules with vectors and comparisons, whose tests take the kernels that the environment names.
const MODULES: [&str; 7] =
    ["checker::", "chunks::", "family::", "kernels::the_set", "policies::", "standards::", "streams::"];

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
        for module in MODULES {
            let has_passed = |line: &str| line.contains(module) && line.ends_with(" ... ok");
            assert!(text.lines().any(has_passed), "{name}: no test of {module} ran: {text}");
        }
    }
}
