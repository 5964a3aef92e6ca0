//! Which command the arguments ask for. The only place that knows all of them.
//!
//! args or iconv (what was typed) -> plan (what is meant) -> run (source, conversion, sink, messages) -> exit status.

use std::ffi::{OsStr, OsString};

use clap::{ArgMatches, Command as Clap};
use utfconv_core::internals;

use crate::convert::plan::ConvertPlan;
use crate::convert::request::Args;
use crate::files::print::print;
use crate::files::{signals, stdio};
use crate::generate::Artifact;
use crate::ui::color::is_terminal_out;
use crate::ui::exit::Exit;
use crate::ui::options::{self, Parsed, Refusal, choice};
use crate::ui::personality::Personality;
use crate::ui::quote::quoted;
use crate::{check, convert, detect, iconv, inspect, list};

/// What the command line asks for.
pub enum Command {
    Convert(Box<ConvertPlan>),
    Check(Box<check::CheckPlan>),
    Detect(Box<detect::DetectPlan>),
    Inspect(Box<inspect::InspectPlan>),
    List(list::ListFormat),
    /// A text on standard output: help or version.
    Print(String),
    Generate(Artifact),
}

/// Runs the program on the arguments of the process; answers its exit status.
pub fn main() -> i32 {
    let mut argv: Vec<_> = std::env::args_os().collect();
    let who = Personality::take(&mut argv);
    // Nothing of a backtrace: printing one takes locks and memory, which may be what failed.
    std::panic::set_hook(Box::new(move |panic| {
        who.say(&format!("internal error, please report it: {panic}"));
        std::process::exit(Exit::Failure.status(who));
    }));
    stdio::reserve();
    signals::refuse_size_signal();
    if let Err(text) = force_kernel() {
        return refuse(who, &text, Exit::Usage).status(who);
    }
    let command = match who {
        Personality::Utfconv => parse(&argv),
        Personality::Iconv => parse_as_iconv(argv),
    };
    let exit = match command {
        Ok(Command::Print(text)) => print(who, text),
        Ok(Command::List(form)) => print(who, form.text(is_terminal_out())),
        Ok(Command::Generate(artifact)) => print(who, artifact.text()),
        Ok(Command::Convert(plan)) => convert::run::run(*plan, is_command),
        Ok(Command::Check(plan)) => check::run(*plan),
        Ok(Command::Detect(plan)) => detect::run(&plan),
        Ok(Command::Inspect(plan)) => inspect::run(&plan),
        Err(refusal) => refuse(who, &refusal.text, refusal.exit),
    };
    exit.status(who)
}

/// Whether `word` is a command where it comes first.
fn is_command(word: &OsStr) -> bool {
    word == "check" || word == "detect" || word == "inspect" || word == "list"
}

/// Reads the command line of utfconv.
fn parse(argv: &[OsString]) -> Result<Command, Refusal> {
    let first = argv.get(1).and_then(|word| word.to_str()).unwrap_or_default();
    match first {
        "list" => read(list::table(), &argv[1..], |mut matches| {
            Ok(Command::List(matches.remove_one("format").unwrap_or(list::ListFormat::Names)))
        }),
        "check" => read(check::args::hidden(check::args::table()), &argv[1..], |mut matches| {
            match check::args::explanation(&mut matches) {
                Some(text) => Ok(Command::Print(text)),
                None => Ok(Command::Check(Box::new(check::args::understand(matches)?))),
            }
        }),
        "detect" => read(detect::args::table(), &argv[1..], |matches| {
            Ok(Command::Detect(Box::new(detect::args::understand(matches)?)))
        }),
        "inspect" => read(inspect::args::hidden(inspect::args::table()), &argv[1..], |matches| {
            Ok(Command::Inspect(Box::new(inspect::args::understand(matches)?)))
        }),
        _ => parse_conversion(argv),
    }
}

/// Reads a command line that names no command: a conversion, or what comes in place of one.
fn parse_conversion(argv: &[OsString]) -> Result<Command, Refusal> {
    // The lists of modes are long, and take longer to make than most runs need for all else.
    let may_ask_for_help = |word: &OsString| {
        let word = word.as_encoded_bytes();
        word.starts_with(b"-") && word.contains(&b'h')
    };
    let table =
        if argv.iter().any(may_ask_for_help) { convert::args::table() } else { convert::args::options() };
    read(hidden(table), argv, |mut matches| {
        if let Some(artifact) = matches.remove_one("generate") {
            return Ok(Command::Generate(artifact));
        }
        if matches.get_flag("list") {
            return Ok(Command::List(list::ListFormat::Names));
        }
        conversion(Personality::Utfconv, convert::args::understand(matches)?)
    })
}

/// The table of conversions with the options for builders and tests.
fn hidden(table: Clap) -> Clap {
    let generate = options::option("generate", "WHAT").hide(true).value_parser(choice(Artifact::TABLE));
    convert::args::hidden(table).arg(generate)
}

/// Reads the command line of iconv.
fn parse_as_iconv(argv: Vec<OsString>) -> Result<Command, Refusal> {
    match iconv::parse(argv, &iconv::Environment::read())? {
        iconv::Request::Convert(args) => conversion(Personality::Iconv, *args),
        iconv::Request::List => Ok(Command::List(list::ListFormat::Iconv)),
        iconv::Request::Print(text) => Ok(Command::Print(text)),
    }
}

fn conversion(who: Personality, args: Args) -> Result<Command, Refusal> {
    let plan = ConvertPlan::new(who, args).map_err(|error| Refusal::usage(error.to_string()))?;
    Ok(Command::Convert(Box::new(plan)))
}

/// Reads words by `table`.
fn read(
    table: Clap,
    words: &[OsString],
    understand: impl FnOnce(ArgMatches) -> Result<Command, Refusal>,
) -> Result<Command, Refusal> {
    match options::parse(table, words, |error| convert::args::tip(error, words))? {
        Parsed::Matches(matches) => understand(matches),
        Parsed::Text(text) => Ok(Command::Print(text)),
    }
}

/// The environment variable that names the kernels to use, for tests and benchmarks.
const KERNEL: &str = "UTFCONV_KERNEL";

/// Uses the kernels that the environment names. They have to be there: a test that runs others would show nothing.
fn force_kernel() -> Result<(), String> {
    match std::env::var_os(KERNEL) {
        Some(name) if !name.is_empty() => internals::force(&name.to_string_lossy())
            .map_err(|error| format!("{KERNEL}={}: {error}", quoted(&name))),
        _ => Ok(()),
    }
}

fn refuse(who: Personality, text: &str, exit: Exit) -> Exit {
    who.say(text);
    exit
}

#[cfg(test)]
mod tests {
    /// clap's own look at the table: no clashes, no impossible settings.
    #[test]
    fn the_table_is_consistent() {
        super::hidden(super::convert::args::table()).debug_assert();
    }
}
