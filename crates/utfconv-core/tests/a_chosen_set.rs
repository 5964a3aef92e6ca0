//! For the tests of all libraries, chooses the set of kernels that UTFCONV_KERNEL names.

use utfconv_core::kernels::KernelSet;

/// In a process with one thread, this test runs before all others, because of its name.
#[test]
fn is_in_use() {
    if let Ok(name) = std::env::var("UTFCONV_KERNEL") {
        KernelSet::for_name(&name).expect("it is available").choose();
    }
}
