//! The option table of `detect`, and what was typed. No system call is made here.

use std::ffi::OsString;

use clap::{Arg, ArgAction, ArgMatches, Command as Clap, value_parser};

use super::plan::{DetectPlan, Format};
use crate::files::options::{in_directories, lists, stdin_twice, targets};
use crate::ui::options::{Refusal, choice, threads};

/// The option table: parser, help, man page and completions are all made from it.
pub fn table() -> Clap {
    Clap::new("detect")
        .bin_name("utfconv detect")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Say what encoding files seem to be in, why, and how sure that is")
        .after_help(AFTER_HELP)
        .args_override_self(true)
        .infer_long_args(true)
        .arg(
            Arg::new("format")
                .long("format")
                .value_name("FORMAT")
                .help("Form of the report [default: text]")
                .value_parser(choice(&[
                    ("text", "For people, a file a line", Format::Text),
                    ("json", "An object a line", Format::Json),
                ])),
        )
        .arg(
            Arg::new("allow-7bit")
                .long("allow-7bit")
                .action(ArgAction::SetTrue)
                .help("Look for ISO-2022-JP and UTF-7 in what is ASCII otherwise"),
        )
        .args(in_directories())
        .args(lists())
        .arg(threads())
        .arg(
            Arg::new("path")
                .value_name("PATH")
                .action(ArgAction::Append)
                .value_parser(value_parser!(OsString))
                .value_hint(clap::ValueHint::AnyPath)
                .help("Files and directories; '-' is standard input [default: .]"),
        )
}

const AFTER_HELP: &str = "\
Exit status: 0 all are identified; 1 one is a guess, or nothing that is known; 2 usage, or a file that cannot be read.
The manual page utfconv-detect(1) says more.";

/// What was typed, understood.
pub fn understand(mut matches: ArgMatches) -> Result<DetectPlan, Refusal> {
    let m = &mut matches;
    let mut targets = targets(m, "path")?;
    if targets.paths.is_empty() && targets.lists.is_empty() {
        targets.paths.push(".".into());
    }
    if targets.paths.iter().filter(|path| *path == "-").count() > 1 {
        return Err(stdin_twice());
    }
    Ok(DetectPlan {
        targets,
        format: m.remove_one("format").unwrap_or(Format::Text),
        allows_7bit: m.get_flag("allow-7bit"),
        threads: m.remove_one::<u16>("threads").map(usize::from),
    })
}

#[cfg(test)]
mod tests {
    /// clap's own look at the table: no clashes, no impossible settings.
    #[test]
    fn the_table_is_consistent() {
        super::table().debug_assert();
    }
}
