//! The command line program.
//!
//! args (what was typed) -> plan (what is meant) -> run (source, conversion, sink, messages) -> exit status.

mod args;
mod exit;
mod generate;
mod list;
mod map;
mod message;
mod modes;
mod plan;
mod replace;
mod run;
mod signals;
mod sink;
mod source;
mod stdio;

use exit::Exit;

/// Runs the program on the arguments of the process; answers its exit status.
pub fn main() -> i32 {
    // Nothing of a backtrace: printing one takes locks and memory, which may be what failed.
    std::panic::set_hook(Box::new(|panic| {
        message::say(&format!("internal error, please report it: {panic}"));
        std::process::exit(Exit::Trouble.status());
    }));
    stdio::reserve();
    signals::refuse_size_signal();
    let exit = match args::parse(std::env::args_os().collect()) {
        Ok(command) => match command {
            args::Command::Print(text) => print(&text),
            args::Command::List => print(&list::text(stdio::is_terminal_out())),
            args::Command::Generate(kind) => print(&generate::file(kind)),
            args::Command::Convert(args) => match plan::Plan::new(*args) {
                Ok(plan) => run::run(plan),
                Err(error) => trouble(&error.to_string()),
            },
        },
        Err(usage) => trouble(&usage),
    };
    exit.status()
}

fn trouble(text: &str) -> Exit {
    message::say(text);
    Exit::Trouble
}

/// Prints what was asked for; a full disk or a closed stream is an error like any other.
fn print(text: &str) -> Exit {
    use std::io::Write;
    let printed = sink::Sink::stdout().and_then(|mut out| {
        out.write_all(text.as_bytes())?;
        out.commit()
    });
    match printed {
        Ok(()) => Exit::Success,
        Err(error) => trouble(&message::write_error(sink::STDOUT_NAME, &error)),
    }
}
