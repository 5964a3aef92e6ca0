//! Man pages and completions, which are made from the option tables, and the commands that print them.

use anyhow::{Result, bail};
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Command as Clap, value_parser};
use clap_complete::Shell;

use crate::ui::options::command;
use crate::ui::table::{Built, Matches, Table, operand};

mod completions;
mod pages;

/// Commands without a man page, which utfconv(1) explains in a line.
const WITHOUT_PAGE: [&str; 3] = ["help", "man", "completions"];

/// Returns the option table of `man`.
pub fn man_table(built: Built) -> Table {
    let page = operand("page", "PAGE", "A command, 'iconv', 'encodings' or 'config' [default: utfconv(1)]");
    command("man", "Print a man page in roff: utfconv man check | man -l -", built).add(page.with(|arg| {
        let pages = pages::words().map(PossibleValue::new);
        let others = WITHOUT_PAGE.map(|word| PossibleValue::new(word).hide(true));
        arg.value_parser(PossibleValuesParser::new(pages.chain(others)))
    }))
}

/// Returns the requested page. `tree` is the table of the program with those of its commands.
pub fn man(matches: &Matches, tree: &Clap) -> Result<String> {
    match matches.get_one::<String>("page").map(String::as_str) {
        Some(word) if WITHOUT_PAGE.contains(&word) => {
            bail!("man: '{word}' has no man page; see 'utfconv help {word}' and COMMANDS in utfconv(1)")
        }
        word => Ok(pages::page(word, tree)),
    }
}

/// Returns the option table of `completions`.
pub fn completions_table(built: Built) -> Table {
    command("completions", "Print the completion script for a shell", built)
        .after_help(AFTER_COMPLETIONS)
        .add(
            operand("shell", "SHELL", "Shell to write the script for")
                .required()
                .with(|arg| arg.value_parser(value_parser!(Shell))),
        )
}

const AFTER_COMPLETIONS: &str = "\
To use it, add one line to the file that your shell reads at its start:
  bash        ~/.bashrc       eval \"$(utfconv completions bash)\"
  zsh         ~/.zshrc        eval \"$(utfconv completions zsh)\"     (after compinit)
  fish        config.fish     utfconv completions fish | source
  elvish      rc.elv          eval (utfconv completions elvish | slurp)
  powershell  $PROFILE        utfconv completions powershell | Out-String | Invoke-Expression
Or install it for all users: in bash as utfconv in /usr/share/bash-completion/completions, in zsh as
_utfconv in a directory of $fpath, in fish as utfconv.fish in /usr/share/fish/vendor_completions.d.
In bash, zsh and fish, a link to utfconv that is named iconv is completed, too, as iconv.";

/// Returns the requested script. `tree` is the table of the program with those of its commands.
pub fn completions(matches: &Matches, tree: &Clap) -> String {
    matches.get_one::<Shell>("shell").map(|&shell| completions::script(shell, tree)).unwrap_or_default()
}
