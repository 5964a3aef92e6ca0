//! What is made from the option tables: man pages and completions.

use clap::Command as Clap;
use clap_complete::Shell;

use crate::{check, detect, inspect, list};

mod completions;
mod pages;

use pages::Page;

/// What to make.
#[derive(Clone, Copy, Debug)]
pub enum Artifact {
    Man(&'static Page),
    Completions(Shell),
}

impl Artifact {
    pub const TABLE: &[(&str, &str, Artifact)] = &[
        ("man", "", Artifact::Man(&pages::ALL[0])),
        ("man-check", "", Artifact::Man(&pages::ALL[1])),
        ("man-detect", "", Artifact::Man(&pages::ALL[2])),
        ("man-inspect", "", Artifact::Man(&pages::ALL[3])),
        ("man-list", "", Artifact::Man(&pages::ALL[4])),
        ("man-iconv", "", Artifact::Man(&pages::ALL[5])),
        ("man-encodings", "", Artifact::Man(&pages::ALL[6])),
        ("bash", "", Artifact::Completions(Shell::Bash)),
        ("zsh", "", Artifact::Completions(Shell::Zsh)),
        ("fish", "", Artifact::Completions(Shell::Fish)),
        ("powershell", "", Artifact::Completions(Shell::PowerShell)),
        ("elvish", "", Artifact::Completions(Shell::Elvish)),
    ];

    /// Returns the text of the file.
    pub fn text(self) -> String {
        match self {
            Artifact::Man(page) => page.roff(),
            Artifact::Completions(shell) => completions::script(shell),
        }
    }
}

/// Returns the tables of the commands that have a page of their own, in the order of the help.
fn commands() -> [Clap; 4] {
    [check::args::table(), detect::args::table(), inspect::args::table(), list::table()]
}
