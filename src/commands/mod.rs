//! The commands, and the parsing of command lines.
//!
//! To add a command, write its file or folder with its page, and add a `mod` line and a row of [`COMMANDS`] here.
//!
//! `options` or `iconv` parses the command line, a plan resolves the options, and `run` carries out the plan (source,
//! conversion, sink, messages) and returns the exit status.

pub mod check;
pub mod convert;
pub mod detect;
pub mod edit;
pub mod generate;
pub mod git;
pub mod iconv;
pub mod inspect;
pub mod list;
pub mod names;
pub mod old_versions;
pub mod repair;

use std::ffi::{OsStr, OsString};
use std::io::ErrorKind;
use std::path::Path;

use clap::Command as Clap;
use clap::builder::{PossibleValue, PossibleValuesParser};

use self::convert::options::ConvertOptions;
use self::convert::plan::ConvertPlan;
use crate::batch;
use crate::batch::undo;
use crate::files::print::print;
use crate::files::source::Input;
use crate::ui::dialect::Dialect;
use crate::ui::exit::Exit;
use crate::ui::options::{self, Parsed, Refusal, buffer_size, command};
use crate::ui::quote::quoted;
use crate::ui::table::{Built, Definition, Matches, Table, operand};
use crate::ui::words;

/// A parsed command line, ready to run in a dialect.
pub type Command = Box<dyn FnOnce(Dialect) -> Exit>;

/// A command that is the first word of a command line.
struct Row {
    name: &'static str,
    /// The option table, from which parser, help, man page and completions are made.
    table: fn(Built) -> Table,
    from_matches: fn(Matches) -> Result<Command, Refusal>,
    /// Text of the command's man page, if the command has a page.
    page: Option<&'static str>,
    /// The option for tests, which neither help nor completions offer.
    hidden: Option<fn() -> Definition>,
}

/// All commands, in the order of the help.
const COMMANDS: &[Row] = &[
    Row {
        hidden: Some(buffer_size::<1024>),
        ..Row::with_page(
            "check",
            include_str!("generate/man/utfconv-check.roff"),
            check::args::table,
            |mut matches| {
                if let Some(text) = check::args::explanation(&mut matches) {
                    return printed(text);
                }
                match batch::args::undo(&mut matches, "path", check::args::is_json)? {
                    Some(plan) => ready(plan, undo),
                    None => {
                        let plan = check::args::from_matches(matches)?;
                        Ok(Box::new(move |_| check::run(plan)))
                    }
                }
            },
        )
    },
    Row::with_page(
        "detect",
        include_str!("generate/man/utfconv-detect.roff"),
        detect::args::table,
        |matches| ready(detect::args::from_matches(matches)?, detect::run),
    ),
    Row {
        hidden: Some(buffer_size::<16>),
        ..Row::with_page(
            "inspect",
            include_str!("generate/man/utfconv-inspect.roff"),
            inspect::args::table,
            |matches| ready(inspect::args::from_matches(matches)?, inspect::run),
        )
    },
    Row::with_page("names", include_str!("generate/man/utfconv-names.roff"), names::args::table, |matches| {
        ready(names::args::from_matches(matches)?, names::run)
    }),
    Row::with_page(
        "repair",
        include_str!("generate/man/utfconv-repair.roff"),
        repair::args::table,
        |mut matches| match batch::args::undo(&mut matches, "path", |m| Ok(batch::args::is_json(m)))? {
            Some(plan) => ready(plan, undo),
            None => ready(repair::args::from_matches(matches)?, repair::run),
        },
    ),
    Row::with_page("edit", include_str!("generate/man/utfconv-edit.roff"), edit::args::table, |matches| {
        ready(edit::args::from_matches(matches)?, edit::run)
    }),
    Row::with_page(
        "git-filter",
        include_str!("generate/man/utfconv-git-filter.roff"),
        git::args::filter_table,
        |matches| ready(git::args::filter_from_matches(matches)?, git::filter),
    ),
    Row::with_page(
        "textconv",
        include_str!("generate/man/utfconv-textconv.roff"),
        git::args::textconv_table,
        |matches| ready(git::args::textconv_from_matches(matches), git::textconv),
    ),
    Row::with_page("list", include_str!("generate/man/utfconv-list.roff"), list::table, |matches| {
        listed(list::from_matches(matches)?)
    }),
    Row::new("help", help_table, help),
    Row::new("man", generate::man_table, |matches| printed(generate::man(&matches, &tree())?)),
    Row::new("completions", generate::completions_table, |matches| {
        printed(generate::completions(&matches, &tree()))
    }),
];

/// Returns the commands that have a man page, with the text of the page.
fn pages() -> impl Iterator<Item = (&'static str, &'static str)> {
    COMMANDS.iter().filter_map(|command| Some((command.name, command.page?)))
}

/// Returns the command that carries out a plan.
fn ready<P: 'static>(plan: P, run: fn(&P) -> Exit) -> Result<Command, Refusal> {
    Ok(Box::new(move |_| run(&plan)))
}

/// Returns the command that prints a text on standard output: help, version, a man page or completions.
fn printed(text: String) -> Result<Command, Refusal> {
    Ok(Box::new(move |who| print(who, text)))
}

fn listed(plan: list::ListPlan) -> Result<Command, Refusal> {
    Ok(Box::new(move |who| plan.run(who)))
}

impl Row {
    const fn new(
        name: &'static str,
        table: fn(Built) -> Table,
        from_matches: fn(Matches) -> Result<Command, Refusal>,
    ) -> Row {
        Row { name, table, from_matches, page: None, hidden: None }
    }

    const fn with_page(
        name: &'static str,
        page: &'static str,
        table: fn(Built) -> Table,
        from_matches: fn(Matches) -> Result<Command, Refusal>,
    ) -> Row {
        Row { page: Some(page), ..Row::new(name, table, from_matches) }
    }

    fn read(&self, words: &[OsString]) -> Result<Command, Refusal> {
        let whole = || self.with_hidden(Built::All).clap();
        read(self.with_hidden(Built::Typed(words)), whole, words, self.from_matches)
    }

    fn with_hidden<'a>(&self, built: Built<'a>) -> Table<'a> {
        (self.table)(built).add_all(self.hidden.map(|option| option()).as_slice())
    }
}

/// Returns the error for a missing operand that may be meant as a command. Nothing is converted then. `words` is the
/// command line after the name of the program.
fn missed_command(who: Dialect, plan: &ConvertPlan, words: &[OsString]) -> Option<String> {
    if who.is_iconv() {
        return None;
    }
    let batch = plan.batch.iter().flat_map(|batch| batch.targets.paths.iter().map(OsString::as_os_str));
    let mut operands = plan.inputs.iter().map(Input::name).chain(batch);
    operands.find_map(|name| {
        let is_first = words.first().is_some_and(|word| word == name);
        let is_command = COMMANDS.iter().any(|command| name == command.name);
        if !is_first && !is_command {
            return None;
        }
        let error = Path::new(name).metadata().err().filter(|error| error.kind() == ErrorKind::NotFound)?;
        let hint =
            if is_command { Some("a command must come first".to_string()) } else { hint(name, &words[1..]) };
        Some(format!("{}; {}", who.no_input(&quoted(name), &error), hint?))
    })
}

/// Returns what the first word may mean if it is neither a command nor a file: a command that has another name here, or
/// a misspelled command.
fn hint(name: &OsStr, rest: &[OsString]) -> Option<String> {
    let word = name.to_str()?;
    words::meant(word, rest).or_else(|| {
        let similar = COMMANDS.iter().find(|command| words::is_misspelling(word, command.name));
        similar.filter(|_| word.len() > 2).map(|row| format!("did you mean the command '{}'?", row.name))
    })
}

/// Parses a command line.
///
/// # Errors
/// If the command line is refused; the refusal has the reason.
pub fn parse(who: Dialect, argv: Vec<OsString>) -> Result<Command, Refusal> {
    match who {
        Dialect::Utfconv => parse_as_utfconv(&argv),
        Dialect::Iconv(_) => parse_as_iconv(argv),
    }
}

/// Parses the command line of utfconv.
fn parse_as_utfconv(argv: &[OsString]) -> Result<Command, Refusal> {
    match COMMANDS.iter().find(|command| argv.get(1).is_some_and(|word| word == command.name)) {
        Some(command) => command.read(&argv[1..]),
        None => parse_conversion(argv),
    }
}

/// Returns the command of conversions for clap, with all other commands as its subcommands.
fn tree() -> Clap {
    let commands = COMMANDS.iter().map(|command| (command.table)(Built::All).clap());
    convert::options::table(Built::All).clap().disable_help_subcommand(true).subcommands(commands)
}

/// Adds the list of commands to the help of a table.
fn with_commands(table: Clap) -> Clap {
    let line = |command: &Row| {
        let table = (command.table)(Built::Typed(&[])).clap();
        let about = table.get_about().map(ToString::to_string).unwrap_or_default();
        // The text after a semicolon has only details.
        format!("  {:13}{}\n", command.name, about.split(';').next().unwrap_or_default())
    };
    let commands: String = COMMANDS.iter().map(line).collect();
    table.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\nCommands:\n{commands}\n{{all-args}}{{after-help}}"
    ))
}

/// Returns the option table of `help`.
fn help_table(built: Built) -> Table {
    let name = operand("command", "COMMAND", "Command to explain, or iconv [default: the conversion]");
    command("help", "Print the help of utfconv or of a command", built).add(name.with(|arg| {
        let names = COMMANDS.iter().map(|command| command.name).chain(["iconv"]);
        let convert = PossibleValue::new("convert").hide(true);
        arg.value_parser(PossibleValuesParser::new(names.map(PossibleValue::new).chain([convert])))
    }))
}

/// Prints the same text as `--help` of the command.
fn help(matches: Matches) -> Result<Command, Refusal> {
    let name = matches.get_one::<String>("command").map_or("utfconv", String::as_str);
    if name == "iconv" {
        return printed(iconv::HELP.to_string());
    }
    let words = [name, "--help"].map(OsString::from);
    match COMMANDS.iter().find(|command| command.name == name) {
        Some(command) => command.read(&words),
        None => parse_conversion(&words),
    }
}

/// Parses a command line without a command: a conversion, a list or an undo.
fn parse_conversion(argv: &[OsString]) -> Result<Command, Refusal> {
    let conversion =
        |matches| conversion(Dialect::Utfconv, convert::options::from_matches(matches)?, &argv[1..]);
    read_conversion(argv, |mut matches| {
        if matches.flag("list") {
            if ["format", "file"].into_iter().any(|id| matches.is_given(id)) {
                let text =
                    "--list takes no arguments; use 'utfconv list PATTERN' or 'utfconv list --format=json'";
                return Err(Refusal::usage(text));
            }
            return listed(list::ListPlan::all(list::ListFormat::Names));
        }
        if let Some(plan) =
            batch::args::undo(&mut matches, "file", |m| Ok(convert::options::ranges::is_json(m)))?
        {
            return ready(plan, undo);
        }
        let defaults = convert::configured::defaults(&matches)?;
        if defaults.is_empty() {
            return conversion(matches);
        }
        // Typed options come after the configured options, and so take precedence.
        let (program, typed) = argv.split_at(1);
        let words = [program, &defaults, typed].concat();
        read_conversion(&words, conversion)
    })
}

/// Parses words by the option table of conversions.
fn read_conversion(
    words: &[OsString],
    from_matches: impl FnOnce(Matches) -> Result<Command, Refusal>,
) -> Result<Command, Refusal> {
    let whole = || {
        let table = convert::options::with_hidden(Built::All).clap();
        let any = |is_help: fn(&[u8]) -> bool| words.iter().any(|word| is_help(word.as_encoded_bytes()));
        let is_short = any(|word| word.starts_with(b"-") && !word.starts_with(b"--") && word.contains(&b'h'));
        let is_long = any(|word| word.starts_with(b"--h"));
        with_commands(if is_short && !is_long { convert::options::for_short_help(table) } else { table })
    };
    read(convert::options::with_hidden(Built::Typed(words)), whole, words, from_matches)
}

/// Parses the command line of iconv.
fn parse_as_iconv(argv: Vec<OsString>) -> Result<Command, Refusal> {
    match iconv::parse(argv, &iconv::Environment::read())? {
        iconv::Asked::Convert(args) => conversion(Dialect::Iconv(&iconv::SENTENCES), *args, &[]),
        iconv::Asked::List => listed(list::ListPlan::all(list::ListFormat::Iconv)),
        iconv::Asked::Print(text) => printed(text),
    }
}

/// Returns the command that converts. `words` is the command line after the name of the program.
fn conversion(who: Dialect, asked: ConvertOptions, words: &[OsString]) -> Result<Command, Refusal> {
    let plan = ConvertPlan::new(who, asked)?;
    let missed = missed_command(who, &plan, words);
    Ok(Box::new(move |_| match missed {
        Some(text) => Exit::report_failure(who, &text),
        None => convert::run::run(plan),
    }))
}

/// Parses words by `table`.
fn read(
    table: Table,
    whole: impl FnOnce() -> Clap,
    words: &[OsString],
    from_matches: impl FnOnce(Matches) -> Result<Command, Refusal>,
) -> Result<Command, Refusal> {
    let whole = || whole().display_name("utfconv");
    let instead = |error: &clap::Error| {
        edit::args::instead(error, words).or_else(|| convert::options::instead(error, words))
    };
    match options::parse(table, whole, words, instead)? {
        Parsed::Matches(matches) => from_matches(matches),
        Parsed::Text(text) => printed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// clap itself checks the tables for clashes and impossible settings.
    #[test]
    fn the_tables_are_consistent() {
        convert::options::with_hidden(Built::All).clap().debug_assert();
        for command in COMMANDS {
            let table = command.with_hidden(Built::All).clap();
            assert_eq!(table.get_name(), command.name);
            assert!(table.get_version().is_some(), "{}", command.name);
            table.debug_assert();
        }
    }

    /// In any spelling of the options, few options are built besides the typed options.
    #[test]
    fn what_is_typed_is_built() {
        let built = |table: fn(Built) -> Table, word: &str| {
            let clap = table(Built::Typed(&["utfconv".into(), word.into()])).clap();
            clap.get_arguments().map(|arg| arg.get_id().to_string()).collect::<Vec<_>>()
        };
        for table in
            COMMANDS.iter().map(|row| row.table).chain([convert::options::table as fn(Built) -> Table])
        {
            let whole = table(Built::All).clap();
            let always = built(table, "word");
            assert!(always.len() <= 2, "{always:?}");
            for arg in whole.get_arguments().filter(|arg| !arg.is_positional()) {
                let id = arg.get_id().to_string();
                let long = arg.get_long().map(|name| format!("--{name}"));
                let starts = long.iter().flat_map(|name| (2..=name.len()).map(|end| name[..end].to_string()));
                let letters = arg.get_short().map(|letter| [format!("-{letter}x"), format!("-x{letter}=y")]);
                for word in starts
                    .chain(long.iter().map(|name| format!("{name}=y")))
                    .chain(letters.into_iter().flatten())
                {
                    assert!(built(table, &word).contains(&id), "{word}");
                }
                assert!(always.contains(&id) == arg.is_required_set(), "{id}");
            }
        }
    }

    #[test]
    fn short_help_fits_a_screen() {
        let table = convert::options::for_short_help(convert::options::table(Built::All).clap());
        let help = with_commands(table).render_help().to_string();
        assert!(help.lines().count() <= 45, "{help}");
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
        for part in ["Usage:", "Commands:", "  check ", "--ill-formed", "Exit status"] {
            assert!(help.contains(part), "{part}: {help}");
        }
        assert!(!help.contains("--mmap") && !help.contains("possible values"), "{help}");
    }
}
