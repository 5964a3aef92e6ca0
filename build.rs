//! Sets `cfg(bare_main)`, the condition under which the program has a C `main` (see src/main.rs), leaves unwind tables
//! out of a static release, and lets static tests start processes without a fork.

use std::path::Path;
use std::{env, fs};

/// A linker script that discards unwind tables. INSERT keeps the linker's default script.
const NO_UNWIND_TABLES: &str = "\
SECTIONS {
    /DISCARD/ : { *(.eh_frame) *(.eh_frame_hdr) *(.gcc_except_table .gcc_except_table.*) }
} INSERT AFTER .text;
";

/// Environment variable that keeps unwind tables. Cargo links the unit tests of the program with the program's flags,
/// and a failing test unwinds; without the tables, it would abort all tests.
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
    // std forks if this function is missing, which is slow because the tests use much memory. A static program contains
    // the function only if the linker is told that it is needed.
    if is_gnu && is_static {
        println!("cargo::rustc-link-arg-tests=-Wl,--undefined=posix_spawn_file_actions_addchdir_np");
    }
    // A release aborts on a panic and prints no backtrace, so it never reads its unwind tables, which are a fifteenth
    // of the file. Other architectures keep their tables, because their linkers may not support this script.
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let is_tested = is_gnu && of("ARCH") == "x86_64";
    let is_shipped = is_release && env::var_os(KEEP).is_none();
    if is_tested && is_shipped && is_static {
        let script = Path::new(&env::var("OUT_DIR").expect("cargo sets it")).join("no_unwind_tables.ld");
        fs::write(&script, NO_UNWIND_TABLES).expect("cargo made the directory");
        println!("cargo::rustc-link-arg-bins=-Wl,-T,{}", script.display());
    }
}
