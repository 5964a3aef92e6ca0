//! Tests the vectors with every set of kernels that the CPU supports: the suite runs itself once for each set.

use std::process::{Command, Stdio};

use utfconv_core::kernels::KernelSet;

use crate::harness::UTFCONV;

/// The environment variable that selects the set of kernels.
const VARIABLE: &str = "UTFCONV_KERNEL";

/// The modules with vectors, whose runs of the program use the selected kernels.
const MODULES: [&str; 5] = ["boms::", "family::", "faults::", "pages::", "policies::"];

#[test]
fn every_set_passes_the_vectors() {
    if std::env::var_os(VARIABLE).is_some() {
        return; // this process is a run for one set
    }
    let suite = std::env::current_exe().expect("the path of this program");
    for name in KernelSet::all().iter().map(|set| set.name()) {
        let run = Command::new(&suite).args(MODULES).env(VARIABLE, name).output().expect("runs");
        let text = String::from_utf8_lossy(&run.stdout);
        assert!(run.status.success(), "{name}: {text}");
        for module in MODULES {
            let has_passed = |line: &str| line.contains(module) && line.ends_with(" ... ok");
            assert!(text.lines().any(has_passed), "{name}: no test of {module} ran: {text}");
        }
    }
}

#[test]
fn a_set_that_is_not_there_is_refused() {
    let mut command = Command::new(UTFCONV);
    let run = command.env(VARIABLE, "no-such").stdin(Stdio::null()).output().expect("runs");
    assert_eq!(run.status.code(), Some(2));
    assert_eq!(run.stdout, b"");
    let names = KernelSet::all().iter().map(|set| set.name()).collect::<Vec<_>>().join(" ");
    let expected = format!("utfconv: {VARIABLE}=no-such: not supported by this CPU; supported: {names}\n");
    assert_eq!(String::from_utf8_lossy(&run.stderr), expected);
}
