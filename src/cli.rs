//! The process: its arguments, its panic handler, its kernels and its exit status.

use utfconv_core::kernels::KernelSet;

use crate::commands::{self, iconv};
use crate::files::{signals, system};
use crate::ui::dialect::{Dialect, takes_iconv};
use crate::ui::exit::Exit;
use crate::ui::quote::quoted;

/// Runs the program on the arguments of the process. Returns the exit status.
pub fn main() -> i32 {
    let mut argv: Vec<_> = std::env::args_os().collect();
    let who = if takes_iconv(&mut argv) { Dialect::Iconv(&iconv::SENTENCES) } else { Dialect::Utfconv };
    // No backtrace is printed, because that takes locks and memory, which may be what failed.
    std::panic::set_hook(Box::new(move |panic| {
        who.report(&format!("internal error, please report it: {panic}"));
        std::process::exit(Exit::Failure.status(who));
    }));
    system::reserve();
    signals::refuse_size_signal();
    if let Err(text) = choose_kernels() {
        return refuse(who, &text, Exit::Usage).status(who);
    }
    let command = commands::parse(who, argv);
    let exit = match command {
        Ok(run) => run(who),
        Err(refusal) => refuse(who, &refusal.text, refusal.exit),
    };
    exit.status(who)
}

/// The environment variable that names the kernels to use, for tests and benchmarks.
const KERNEL: &str = "UTFCONV_KERNEL";

/// Selects the kernels that the environment names. Kernels that the CPU lacks are an error, because a test would
/// otherwise run other kernels.
fn choose_kernels() -> Result<(), String> {
    match std::env::var_os(KERNEL) {
        Some(name) if !name.is_empty() => KernelSet::for_name(&name.to_string_lossy())
            .map(KernelSet::choose)
            .map_err(|error| format!("{KERNEL}={}: {error}", quoted(&name))),
        _ => Ok(()),
    }
}

fn refuse(who: Dialect, text: &str, exit: Exit) -> Exit {
    who.report(text);
    exit
}
