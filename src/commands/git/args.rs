//! The options of `git-filter` and `textconv`: their tables, and the plans that are made from them. Makes no system
//! calls, except to read mapping files that the user names.

use anyhow::{Result, bail, ensure};

use super::plan::{FilterPlan, Side, TextconvPlan};
use crate::ui::modes::{self, Source};
use crate::ui::names::{Name, Suffixes};
use crate::ui::options::{command, ebcdic_newline, file, from};
use crate::ui::table::{Built, Matches, Table, flag, operand, option, options};

/// Returns the option table of `git-filter`.
pub fn filter_table(built: Built) -> Table {
    command(
        "git-filter",
        "Convert files for git; UTF-8 in the repository or in the work tree, another encoding on the other side",
        built,
    )
    .after_help(AFTER_FILTER)
    .heading("Conversion")
    .add_all(options![
from("Encoding in the work tree, such as UTF-16LE-BOM; files are UTF-8 in the repository")
            .with(|arg| arg.allow_hyphen_values(true).value_parser(modes::name)),
option("to", "ENC", "Encoding in the repository; files are UTF-8 in the work tree")
            .short('t')
            .long("to-code")
            .with(|arg| arg.allow_hyphen_values(true).value_parser(modes::name)),
ebcdic_newline(),
flag("force", "Convert all files that convert back exactly, even if they seem to be binary or UTF-8"),
])
}

const AFTER_FILTER: &str = "\
git runs this as a filter process:
  git config filter.utf16.process 'utfconv git-filter -f UTF-16LE-BOM'
  git config filter.utf16.required true
  echo '*.rc filter=utf16' >> .gitattributes
-f is for programs that need another encoding, -t for editors and tools that know only UTF-8.
Exit status: 0 all done; 1 files were refused; 2 usage, protocol or I/O error.
See utfconv-git-filter(1).";

/// Returns the option table of `textconv`.
pub fn textconv_table(built: Built) -> Table {
    command("textconv", "Print any file as UTF-8 for git diff", built)
        .after_help(AFTER_TEXTCONV)
        .heading("Conversion")
        .add_all(options![
            from("Input encoding; 'auto' detects it, 'auto:LIST' considers only LIST [default: auto]")
                .with(|arg| arg.allow_hyphen_values(true).value_parser(modes::source)),
            ebcdic_newline(),
            operand("file", "FILE", "File to print; '-' is standard input").required().with(file),
        ])
}

const AFTER_TEXTCONV: &str = "\
git calls this to compare files:
  git config diff.utf16.textconv 'utfconv textconv --'
  echo '*.rc diff=utf16' >> .gitattributes
Exit status: 0, also if the file has errors; 2 usage or I/O error. See utfconv-textconv(1).";

/// Makes the plan of `git-filter` from the typed options.
pub fn filter_from_matches(mut matches: Matches) -> Result<FilterPlan> {
    let m = &mut matches;
    let (encoding, side, option): (Name, _, _) = match (m.remove_one("from"), m.remove_one("to")) {
        (Some(encoding), None) => (encoding, Side::WorkTree, "-f"),
        (None, Some(encoding)) => (encoding, Side::Repository, "-t"),
        (Some(_), Some(_)) => bail!("-f cannot be used with -t"),
        (None, None) => bail!(
            "git-filter requires -f ENC (encoding in the work tree) or -t ENC (in the repository); \
             'utfconv git-filter -h' has the setup for git"
        ),
    };
    ensure!(
        encoding.suffixes == Suffixes::default(),
        "{option}: suffixes such as //IGNORE lose text; git-filter converts exactly or not at all"
    );
    let (name, is_decode_only) = (encoding.encoding.name(), encoding.encoding.is_decode_only());
    ensure!(!is_decode_only, "{option}: the Encoding Standard has no encoder for {name}");
    Ok(FilterPlan {
        encoding,
        side,
        ebcdic_newline: m.remove_one("ebcdic-newline").unwrap_or_default(),
        is_forced: m.flag("force"),
    })
}

/// Makes the plan of `textconv` from the typed options.
pub fn textconv_from_matches(mut matches: Matches) -> TextconvPlan {
    let m = &mut matches;
    TextconvPlan {
        from: m.remove_one("from").unwrap_or(Source::Detected(Vec::new())),
        ebcdic_newline: m.remove_one("ebcdic-newline").unwrap_or_default(),
        file: m.remove_one("file").unwrap_or_default(),
    }
}
