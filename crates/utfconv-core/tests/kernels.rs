//! Runs the test vectors with every set of kernels that this CPU can run. The suite starts itself again for each set.

use std::process::Command;

use utfconv_core::kernels::KernelSet;

/// The environment variable that names the set of kernels.
const VARIABLE: &str = "UTFCONV_KERNEL";

/// The modules with vectors and comparisons, whose tests run with the set that the environment names.
const MODULES: [&str; 8] = [
    "a_kernel_set_is_chosen",
    "checker::",
    "chunks::",
    "family::",
    "kernels::the_set",
    "policies::",
    "standards::",
    "streams::",
];

/// Chooses the set that the environment names, if it names one.
pub fn choose_named() {
    if let Ok(name) = std::env::var(VARIABLE) {
        KernelSet::for_name(&name).expect("it is available").choose();
    }
}

#[test]
fn the_set_in_use_is_the_one_named() {
    if let Ok(name) = std::env::var(VARIABLE) {
        assert_eq!(KernelSet::active().name(), name);
    }
}

#[test]
fn every_set_passes_the_vectors() {
    if std::env::var_os(VARIABLE).is_some() {
        return; // the suite was started by this test
    }
    let suite = std::env::current_exe().expect("the path of this program");
    for name in KernelSet::all().iter().map(|set| set.name()) {
        let mut run = Command::new(&suite);
        // With one thread, tests run in the order of their names, so the set is chosen before a conversion makes the
        // choice impossible.
        let run = run.arg("--test-threads=1").args(MODULES).env(VARIABLE, name).output().expect("runs");
        let text = String::from_utf8_lossy(&run.stdout);
        assert!(run.status.success(), "{name}: {text}");
        for module in MODULES {
            let has_passed = |line: &str| line.contains(module) && line.ends_with(" ... ok");
            assert!(text.lines().any(has_passed), "{name}: no test of {module} ran: {text}");
        }
    }
}
