//! For the tests of all libraries: UTFCONV_KERNEL names the set of kernels.

use utfconv_core::kernels::KernelSet;

/// Runs before all others in a process with one thread.
#[test]
fn is_in_use() {
    if let Ok(name) = std::env::var("UTFCONV_KERNEL") {
        KernelSet::for_name(&name).expect("it is available").choose();
    }
}
