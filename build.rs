//! Names the one condition under which the program has a C `main` (see src/main.rs), leaves unwind tables out of a static
//! release, and has static tests start processes without a fork.

use std::path::Path;
use std::{env, fs};

/// The linker's own list of sections continues after these.
const NO_UNWIND_TABLES: &str = "\
SECTIONS {
    /DISCARD/ : { *(.eh_frame) *(.eh_frame_hdr) *(.gcc_except_table .gcc_except_table.*) }
} INSERT AFTER .text;
";

/// Keeps unwind tables. Cargo links the unit tests of the program as it links the program, and a test that fails unwinds:
/// without tables, it ends all tests.
const KEEP: &str = "UTFCONV_UNWIND_TABLES";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={KEEP}");
    println!("cargo::rustc-check-cfg=cfg(bare_main)");
    let of = |key: &str| env::var(format!("CARGO_CFG_TARGET_{key}")).unwrap_or_default();
    let is_gnu = of("OS") == "linux" && of("ENV") == "gnu";
    if of("OS") == "macos" || is_gnu {
        println!("cargo::rustc-cfg=bare_main");
    }
    let is_static = of("FEATURE").split(',').any(|feature| feature == "crt-static");
    // std forks where it does not find this function, and the memory of the tests takes long to fork. Static programs only
    // have what something needs.
    if is_gnu && is_static {
        println!("cargo::rustc-link-arg-tests=-Wl,--undefined=posix_spawn_file_actions_addchdir_np");
    }
    // A release aborts on a panic and prints no backtrace: nothing reads its tables, which are a fifteenth of it.
    // Other processors keep theirs, as other linkers may not know how.
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let is_tested = is_gnu && of("ARCH") == "x86_64";
    let is_shipped = is_release && env::var_os(KEEP).is_none();
    if is_tested && is_shipped && is_static {
        let script = Path::new(&env::var("OUT_DIR").expect("cargo sets it")).join("no_unwind_tables.ld");
        fs::write(&script, NO_UNWIND_TABLES).expect("cargo made the directory");
        println!("cargo::rustc-link-arg-bins=-Wl,-T,{}", script.display());
    }
}
