//! The options of `detect`: their table, and the plan that is made from them. Makes no system calls.

use anyhow::Result;
use utfconv_detect::Hints;

use super::plan::{DetectPlan, Format};
use crate::batch::file_options::{in_directories, lists, paths, walked};
use crate::ui::modes;
use crate::ui::options::{choice, command, language, threads};
use crate::ui::table::{Built, Matches, Table, flag, option, options};

/// Returns the option table, which the parser, help, man page and completions use.
pub fn table(built: Built) -> Table {
    command("detect", "Detect the encoding of files", built)
        .after_help(AFTER_HELP)
        .heading("Detection")
        .add_all(options![
            option("candidates", "LIST", "Consider only these encodings, such as windows-1252,cp850,UTF-8",)
                .with(|arg| arg.value_parser(modes::candidates)),
            language(),
            flag("allow-7bit", "Consider UTF-7 for ASCII files"),
        ])
        .heading("Files")
        .add_all(&in_directories())
        .add_all(&lists())
        .heading("Report")
        .add_all(options![
            option("format", "FORMAT", "Report format [default: text]").with(|arg| {
                arg.value_parser(choice(&[
                    ("text", "For people, one file per line", Format::Text),
                    ("json", "One JSON object per line", Format::Json),
                ]))
            }),
            flag("brief", "Print only the name of the encoding, for scripts").conflicts_with(&["format"]),
            flag("verbose", "Show the probabilities of the three most probable texts")
                .short('v')
                .conflicts_with(&["format", "brief"]),
            threads(),
            paths().help("Files and directories; '-' is standard input [default: -]"),
        ])
}

const AFTER_HELP: &str = "\
Exit status: 0 all detected; 1 a guess, unknown, or binary; 2 usage or I/O error (takes precedence over 1).
See utfconv-detect(1).";

/// Makes the plan from the typed options.
pub fn from_matches(mut matches: Matches) -> Result<DetectPlan> {
    let m = &mut matches;
    Ok(DetectPlan {
        targets: walked(m, "-", None)?,
        format: match m.remove_one("format") {
            Some(format) => format,
            None if m.flag("brief") => Format::Brief,
            None if m.flag("verbose") => Format::Verbose,
            None => Format::Text,
        },
        hints: Hints::default()
            .candidates(m.remove_one("candidates").unwrap_or_default())
            .languages(m.remove_one("language").unwrap_or_default())
            .allow_utf7(m.flag("allow-7bit")),
        threads: m.remove_one::<u16>("threads").map(usize::from),
    })
}
