//! The command line program.
//!
//! args or iconv (what was typed) -> plan (what is meant) -> run (source, conversion, sink, messages) -> exit status.

use crate::convert::args::{self, Command};
use crate::convert::{plan, run};
use crate::files::{signals, sink, stdio};
use crate::ui::exit::Exit;
use crate::ui::message;
use crate::ui::personality::Personality;
use crate::{check, detect, generate, iconv, inspect};

/// Runs the program on the arguments of the process; answers its exit status.
pub fn main() -> i32 {
    let mut argv: Vec<_> = std::env::args_os().collect();
    let who = Personality::take(&mut argv);
    // Nothing of a backtrace: printing one takes locks and memory, which may be what failed.
    std::panic::set_hook(Box::new(move |panic| {
        who.say(&format!("internal error, please report it: {panic}"));
        std::process::exit(Exit::Trouble.status(who));
    }));
    stdio::reserve();
    signals::refuse_size_signal();
    if let Err(text) = check_kernel() {
        return refuse(who, &text, Exit::Usage).status(who);
    }
    let command = match who {
        Personality::Utfconv => args::parse(argv),
        Personality::Iconv => iconv::parse(argv, &iconv::Environment::read()),
    };
    let exit = match command {
        Ok(Command::Print(text)) => print(who, text),
        Ok(Command::List(form)) => print(who, form.text(stdio::is_terminal_out())),
        Ok(Command::Generate(kind)) => print(who, generate::file(kind)),
        Ok(Command::Convert(args)) => match plan::Plan::new(who, *args) {
            Ok(plan) => run::run(plan),
            Err(error) => refuse(who, &error.to_string(), Exit::Usage),
        },
        Ok(Command::Check(plan)) => check::run(*plan),
        Ok(Command::Detect(plan)) => detect::run(&plan),
        Ok(Command::Inspect(plan)) => inspect::run(&plan),
        Err(refusal) => refuse(who, &refusal.text, refusal.exit),
    };
    exit.status(who)
}

/// The kernels that the environment names have to be there: a test that runs others would show nothing.
fn check_kernel() -> Result<(), String> {
    use utfconv_core::kernel::{NotAvailable, VARIABLE, available};
    match std::env::var_os(VARIABLE) {
        Some(name) if !name.is_empty() && !available().any(|one| name == one) => {
            Err(format!("{VARIABLE}={}: {NotAvailable}", message::quoted(&name)))
        }
        _ => Ok(()),
    }
}

fn refuse(who: Personality, text: &str, exit: Exit) -> Exit {
    who.say(text);
    exit
}

/// Prints what was asked for; a full disk or a closed stream is an error like any other.
pub fn print(who: Personality, text: impl AsRef<[u8]>) -> Exit {
    use std::io::Write;
    let printed = sink::Sink::stdout().and_then(|mut out| {
        out.write_all(text.as_ref())?;
        out.commit()
    });
    match printed {
        Ok(()) => Exit::Success,
        Err(error) => refuse(who, &who.write_error(sink::STDOUT_NAME, &error), Exit::Trouble),
    }
}
