//! Names the one condition under which the program has a C `main` (see src/main.rs).

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(bare_main)");
    let of = |key: &str| std::env::var(format!("CARGO_CFG_TARGET_{key}")).unwrap_or_default();
    if of("OS") == "macos" || of("OS") == "linux" && of("ENV") == "gnu" {
        println!("cargo::rustc-cfg=bare_main");
    }
}
