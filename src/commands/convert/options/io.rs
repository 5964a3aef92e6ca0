//! The options for input and output.

use std::ffi::OsString;

use clap::{ArgAction, ValueHint, value_parser};

use crate::files::source::Mapping;
use crate::ui::options::{choice, file, threads};
use crate::ui::table::{Matches, Table, flag, operand, option, options};

#[derive(Default)]
pub struct InputOutput {
    /// `None` means standard output. `-` does too, and becomes `None` in a plan.
    pub output: Option<OsString>,
    pub verbose: bool,
    /// Which files are mapped into memory.
    pub mapping: Mapping,
    /// `None` means a thread per processor.
    pub threads: Option<usize>,
    /// True if UTF-16, UTF-32 and EBCDIC may be written to a terminal.
    pub force_terminal: bool,
    /// The number of bytes that are read and written at a time, for tests.
    pub buffer_size: Option<usize>,
}

pub fn define(table: Table) -> Table {
    table.heading("Input and output").add_all(options![
        option("output", "FILE", "Write to FILE, which may be an input; replace FILE only on success",)
            .short('o')
            .with(|arg| file(arg).allow_hyphen_values(true)),
        operand("file", "FILE", "Inputs, joined into one output; '-' or no FILE is standard input").with(
            |arg| {
                arg.action(ArgAction::Append)
                    .value_parser(value_parser!(OsString))
                    .value_hint(ValueHint::FilePath)
            }
        ),
        flag("verbose", "Name each input on standard error; with -i or --output-dir, report each result",)
            .short('v'),
        option("mmap", "WHEN", "Map regular files into memory instead of reading them [default: auto]",)
            .with(|arg| {
                arg.value_parser(choice(&[
                    ("auto", "Map files if that is faster (currently the same as never)", Mapping::Auto),
                    ("always", "Map every regular file", Mapping::Always),
                    ("never", "Map no file", Mapping::Never),
                ]))
            }),
        threads(),
        flag("force-terminal", "Also write UTF-16, UTF-32 and EBCDIC to a terminal"),
    ])
}

pub fn from_matches(m: &mut Matches) -> InputOutput {
    InputOutput {
        output: m.remove_one("output"),
        verbose: m.flag("verbose"),
        mapping: m.remove_one("mmap").unwrap_or_default(),
        threads: m.get_one::<u16>("threads").map(|threads| usize::from(*threads)),
        force_terminal: m.flag("force-terminal"),
        buffer_size: m.remove_one::<u64>("buffer-size").and_then(|size| usize::try_from(size).ok()),
    }
}
