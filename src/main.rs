//! The command line program: hands the arguments over and ends with a status.
//!
//! On Linux (glibc) and macOS the entry point is C's `main`, so that no runtime changes what the process inherited
//! before this code sees it: SIGPIPE ends a filter as it ends cat, and a closed standard stream is not papered over.
//! std reads the arguments by itself there; elsewhere it needs its own `main`.

#![cfg_attr(all(bare_main, not(test)), no_main)]

#[cfg_attr(test, allow(dead_code))] // a test harness has a `main` of its own
mod cli;

#[cfg(all(bare_main, not(test)))]
#[unsafe(no_mangle)]
extern "C" fn main() -> std::ffi::c_int {
    cli::main()
}

#[cfg(not(any(bare_main, test)))]
fn main() {
    std::process::exit(cli::main());
}
