//! Color, and other output for people at a terminal.

use std::io::{self, IsTerminal};

/// When to write output for people at a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Output for people is written if standard output is a terminal.
    Auto,
    Always,
    Never,
}

impl When {
    pub const TABLE: &[(&str, &str, When)] = &[
        ("auto", "Use color on a terminal", When::Auto),
        ("always", "Use color in files and pipes, too", When::Always),
        ("never", "Use no color", When::Never),
    ];

    /// Returns whether to write output for people at a terminal. `auto` is the result for `Auto`.
    pub fn holds(self, auto: bool) -> bool {
        match self {
            When::Auto => auto,
            When::Always => true,
            When::Never => false,
        }
    }
}

/// Whether standard output is a terminal.
pub fn is_terminal_out() -> bool {
    io::stdout().is_terminal()
}

/// Whether standard output is a terminal that supports colors, and the user wants them.
pub fn has_color() -> bool {
    let wished = anstyle_query::clicolor_force() || is_terminal_out() && anstyle_query::term_supports_color();
    wished && !anstyle_query::no_color() && anstyle_query::clicolor() != Some(false)
}
