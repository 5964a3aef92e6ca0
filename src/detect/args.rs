//! The options of `detect`: their table, and the plan made from them. Makes no system calls.

use clap::{ArgMatches, Command as Clap};

use utfconv_core::detect::Hints;

use super::plan::{DetectPlan, Format};
use crate::files::options::{in_directories, lists, paths, walked};
use crate::ui::modes;
use crate::ui::options::{Refusal, choice, flag, language, option, threads};

/// Returns the option table, from which parser, help, man page and completions are made.
pub fn table() -> Clap {
    Clap::new("detect")
        .bin_name("utfconv detect")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Detect the encoding of files")
        .after_help(AFTER_HELP)
        .args_override_self(true)
        .infer_long_args(true)
        .next_help_heading("Detection")
        .arg(
            option("candidates", "LIST", "Consider these encodings only, such as windows-1252,cp850,UTF-8")
                .value_parser(modes::candidates),
        )
        .arg(language())
        .arg(flag("allow-7bit", "Consider UTF-7 for ASCII files"))
        .next_help_heading("Files")
        .args(in_directories())
        .args(lists())
        .next_help_heading("Report")
        .arg(option("format", "FORMAT", "Report format [default: text]").value_parser(choice(&[
            ("text", "For people, one file per line", Format::Text),
            ("json", "One JSON object per line", Format::Json),
        ])))
        .arg(threads())
        .arg(paths())
}

const AFTER_HELP: &str = "\
Exit status: 0 all detected; 1 a guess, or unknown; 2 usage or I/O error (takes precedence over 1).
See utfconv-detect(1).";

/// Makes the plan.
pub fn understand(mut matches: ArgMatches) -> Result<DetectPlan, Refusal> {
    let m = &mut matches;
    Ok(DetectPlan {
        targets: walked(m, None)?,
        format: m.remove_one("format").unwrap_or(Format::Text),
        hints: Hints::default()
            .candidates(m.remove_one("candidates").unwrap_or_default())
            .languages(m.remove_one("language").unwrap_or_default())
            .allow_utf7(m.get_flag("allow-7bit")),
        threads: m.remove_one::<u16>("threads").map(usize::from),
    })
}

#[cfg(test)]
mod tests {
    /// clap checks its table: no clashes, no impossible settings.
    #[test]
    fn the_table_is_consistent() {
        super::table().debug_assert();
    }
}
