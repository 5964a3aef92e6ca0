//! The options of a conversion. A file for each group of the help has the definitions of its options, their values as
//! typed fields, and what they conflict with. The only system calls are those that read mapping files
//! ([`crate::ui::mappings`]).

pub mod encodings;
pub mod errors;
pub mod io;
pub mod many_files;
pub mod ranges;
pub mod text;

use std::ffi::OsString;

use clap::Command as Clap;
use clap::builder::Resettable;
use clap::error::{ContextKind, ContextValue, ErrorKind};

pub use self::encodings::{Encodings, refuse_together};
pub use self::errors::{By, Errors, Given};
pub use self::io::InputOutput;
use self::many_files::BatchRequest;
pub use self::many_files::{BinaryFiles, FileOptions, Files};
pub use self::ranges::{Product, RangeFormat, Ranges};
pub use self::text::TextChanges;
use crate::files::walk::Targets;
use crate::ui::options::{buffer_size, needs};
use crate::ui::quote::one_line;
use crate::ui::table::{Built, Matches, Table};

/// The options of a conversion, as typed.
#[derive(Default)]
pub struct ConvertOptions {
    pub encodings: Encodings,
    pub errors: Errors,
    pub text: TextChanges,
    pub io: InputOutput,
    pub ranges: Ranges,
    pub batch: BatchRequest,
    pub files: FileOptions,
    /// The inputs, and lists of more inputs.
    pub targets: Targets,
    pub scope: Scope,
}

/// The changes that the options request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// The encoding changes, and anything else may change.
    #[default]
    Encoding,
    /// The text changes, and files keep their encoding, because no encoding is named.
    Text,
    /// Only newlines and BOMs change, so a file need not be UTF-8.
    Form,
}

impl Scope {
    fn from_matches(m: &Matches) -> Scope {
        let has = |ids: &[&str]| ids.iter().any(|id| m.is_given(id));
        if has(&["from", "to", "records", "output-records", "declaration"])
            || !has(&["newline", "final-newline", "output-bom", "normalize"])
        {
            Scope::Encoding
        } else if has(&[
            "normalize",
            "omit",
            "ill-formed",
            "unmappable",
            "errors",
            "byte-subst",
            "unicode-subst",
        ]) {
            Scope::Text
        } else {
            Scope::Form
        }
    }
}

/// Returns the values of the options that were typed.
pub fn from_matches(mut matches: Matches) -> anyhow::Result<ConvertOptions> {
    let m = &mut matches;
    for (option, other) in [ranges::NEEDS, many_files::NEEDS, text::NEEDS].into_iter().flatten() {
        needs(m, option, other, other)?;
    }
    if !many_files::is_batch(m) {
        needs(m, "format", "list-ranges", "list-ranges, --in-place or --output-dir")?;
    }
    Ok(ConvertOptions {
        scope: Scope::from_matches(m),
        // `batch` looks at other options, so it runs before their values are removed.
        batch: many_files::batch(m)?,
        encodings: encodings::from_matches(m),
        errors: errors::from_matches(m),
        text: text::from_matches(m),
        io: io::from_matches(m),
        ranges: ranges::from_matches(m)?,
        files: many_files::from_matches(m),
        targets: many_files::targets(m)?,
    })
}

/// Returns the option table, from which parser, help, man page and completions are made.
pub fn table(built: Built) -> Table {
    let clap = Clap::new("utfconv")
        .bin_name("utfconv")
        .about("Convert text from one encoding to another, and report errors by line, column and byte")
        .override_usage(USAGE)
        .after_help(AFTER_HELP);
    let groups =
        [encodings::define, errors::define, io::define, many_files::define, text::define, ranges::define];
    groups.into_iter().fold(Table::new(clap, built), |table, define| define(table))
}

/// Returns the table with the options for tests, which neither help nor completions offer.
pub fn with_hidden(built: Built) -> Table {
    table(built).add(buffer_size::<1>())
}

/// Returns the table for `-h`: the most common options, in one list that fits a screen.
pub fn for_short_help(table: Clap) -> Clap {
    const COMMON: [&str; 15] = [
        "from",
        "to",
        "omit",
        "ill-formed",
        "unmappable",
        "output-bom",
        "newline",
        "output",
        "in-place",
        "recursive",
        "dry-run",
        "diff",
        "manifest",
        "undo",
        "file",
    ];
    table.override_usage(SHORT_USAGE).after_help(AFTER_SHORT_HELP).mut_args(|arg| {
        let is_common = COMMON.contains(&arg.get_id().as_str());
        let takes_values = arg.get_action().takes_values();
        let arg = arg.hide(!is_common).hide_possible_values(takes_values);
        let arg = match arg.get_id().as_str() {
            "ill-formed" => arg.help("Invalid bytes: replace, omit, escape, fallback=ENC [default: stop]"),
            "unmappable" => arg.help("Not in ENC: replace, omit, translit, escape=html [default: stop]"),
            "output-bom" => arg.help("Write a BOM: always, never [default: auto]"),
            "manifest" => arg.help("With -i: record all changes in FILE, for --undo"),
            _ => arg,
        };
        arg.help_heading(Resettable::Reset).long_help(Resettable::Reset)
    })
}

/// Returns the message instead of `error`, for an option that is known in another place or form: `--iconv`, and
/// sed's `-i.bak`.
pub fn instead(error: &clap::Error, words: &[OsString]) -> Option<String> {
    let unknown = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(unknown)) if error.kind() == ErrorKind::UnknownArgument => {
            unknown.as_bytes()
        }
        _ => return None,
    };
    if unknown == b"--iconv" {
        return Some("--iconv must be the first argument".to_string());
    }
    let mut options = words.iter().skip(1).take_while(|word| *word != "--");
    let suffix = options.find_map(|word| {
        let suffix = word.to_str()?.strip_prefix("-i").filter(|suffix| !suffix.starts_with('='))?;
        (unknown.len() == 2 && suffix.as_bytes().contains(&unknown[1])).then_some(suffix)
    })?;
    Some(format!("write the -i suffix after '=': -i={}", one_line(suffix)))
}

const SHORT_USAGE: &str = "\
utfconv [OPTIONS] [FILE]...
       utfconv COMMAND [OPTIONS] [ARGUMENT]...";

const USAGE: &str = "\
utfconv [OPTIONS] [FILE]...
       utfconv COMMAND [OPTIONS] [ARGUMENT]...
       utfconv --iconv [OPTIONS] [FILE]...";

const AFTER_HELP: &str = "\
Exit status: 0 done; 1 errors in the data; 2 usage, or a file that cannot be read or written.
Called as iconv, or with --iconv first, it works as iconv; see iconv --help.
See utfconv(1) for details.";

const AFTER_SHORT_HELP: &str = "\
Exit status: 0 done; 1 errors in the data; 2 usage, or a file that cannot be read or written.
See utfconv --help for all options. Examples:
  utfconv -f windows-1252 letter.txt > letter.utf8.txt
  utfconv -i -r -f auto src
  utfconv check .";
