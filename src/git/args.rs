//! The options of `git-filter` and `textconv`: their tables, and the plans made from them. Makes no system calls, except that
//! a mapping file is read where it is named.

use std::ffi::OsString;

use clap::builder::Resettable;
use clap::{Arg, ArgMatches, Command as Clap, ValueHint, value_parser};

use super::plan::{FilterPlan, TextconvPlan};
use crate::ui::modes::{self, Source};
use crate::ui::names::{Name, Suffixes};
use crate::ui::options::{Refusal, command, ebcdic_newline, flag, option};

/// Returns the option table of `git-filter`.
pub fn filter_table() -> Clap {
    command("git-filter", "Convert files for git: UTF-8 in the repository, another encoding in the work tree")
        .after_help(AFTER_FILTER)
        .next_help_heading("Conversion")
        .arg(
            from("Encoding in the work tree, such as UTF-16LE-BOM or windows-1252")
                .required(true)
                .value_parser(modes::name),
        )
        .arg(ebcdic_newline())
        .arg(flag("no-guess", "Convert all that converts back exactly, whatever it looks like"))
}

const AFTER_FILTER: &str = "\
git runs this as a filter process:
  git config filter.utf16.process 'utfconv git-filter -f UTF-16LE-BOM'
  git config filter.utf16.required true
  echo '*.rc filter=utf16' >> .gitattributes
Exit status: 0 all done; 1 files were refused; 2 usage, protocol or I/O error. See utfconv-git-filter(1).";

/// Returns the option table of `textconv`.
pub fn textconv_table() -> Clap {
    command("textconv", "Print a file as UTF-8 for git diff, whatever is in it")
        .after_help(AFTER_TEXTCONV)
        .next_help_heading("Conversion")
        .arg(
            from("Input encoding; 'auto' detects it, 'auto:LIST' among these [default: auto]")
                .value_parser(modes::source),
        )
        .arg(ebcdic_newline())
        .arg(
            Arg::new("file")
                .value_name("FILE")
                .required(true)
                .help_heading(Resettable::Reset)
                .value_parser(value_parser!(OsString))
                .value_hint(ValueHint::FilePath)
                .help("File to print; '-' is standard input"),
        )
}

const AFTER_TEXTCONV: &str = "\
git calls this to compare files:
  git config diff.utf16.textconv 'utfconv textconv --'
  echo '*.rc diff=utf16' >> .gitattributes
Exit status: 0, also if the file is not well-formed; 2 usage or I/O error. See utfconv-textconv(1).";

fn from(help: &'static str) -> Arg {
    option("from", "ENC", help).short('f').long("from-code").allow_hyphen_values(true)
}

/// Makes the plan of `git-filter`.
pub fn understand_filter(mut matches: ArgMatches) -> Result<FilterPlan, Refusal> {
    let m = &mut matches;
    let work_tree: Name = m.remove_one("from").unwrap_or_default();
    let name = work_tree.encoding.name();
    if work_tree.suffixes != Suffixes::default() {
        let text = "-f: suffixes such as //IGNORE lose text; git-filter converts exactly or not at all";
        return Err(Refusal::usage(text));
    }
    if work_tree.encoding.is_decode_only() {
        return Err(Refusal::usage(format!("-f: the Encoding Standard has no encoder for {name}")));
    }
    Ok(FilterPlan {
        work_tree,
        ebcdic_newline: m.remove_one("ebcdic-newline").unwrap_or_default(),
        no_guess: m.get_flag("no-guess"),
    })
}

/// Makes the plan of `textconv`.
pub fn understand_textconv(mut matches: ArgMatches) -> Result<TextconvPlan, Refusal> {
    let m = &mut matches;
    Ok(TextconvPlan {
        from: m.remove_one("from").unwrap_or(Source::Detected(Vec::new())),
        ebcdic_newline: m.remove_one("ebcdic-newline").unwrap_or_default(),
        file: m.remove_one("file").unwrap_or_default(),
    })
}
