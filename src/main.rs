//! The command-line program: passes the arguments on, and ends with an exit status.
//!
//! On Linux (glibc) and macOS the entry point is C's `main`, so that no runtime changes the inherited state first:
//! SIGPIPE ends a filter as it ends cat, and a closed standard stream stays closed. Only on these systems can std read
//! the arguments without its own `main`.

#![cfg_attr(all(bare_main, not(test)), no_main)]
#![cfg_attr(test, allow(dead_code))] // a test harness has its own `main`

mod batch;
mod cli;
mod commands;
mod config;
mod files;
#[cfg(test)]
#[path = "../tests/programs.rs"]
mod programs;
#[cfg(test)]
#[path = "../crates/utfconv-core/src/testkit.rs"]
mod testkit;
mod text;
mod ui;

#[cfg(all(bare_main, not(test)))]
#[unsafe(no_mangle)]
extern "C" fn main() -> std::ffi::c_int {
    cli::main()
}

#[cfg(not(any(bare_main, test)))]
fn main() {
    std::process::exit(cli::main());
}
