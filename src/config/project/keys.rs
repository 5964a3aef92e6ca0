//! The keys of `utfconv.toml`. The reader, its messages and the schema use this table.

use crate::ui::modes::{self, words};

/// A key of a table in the file.
pub struct Key {
    pub name: &'static str,
    /// The description of the setting, as a sentence.
    pub about: &'static str,
    pub kind: Kind,
    pub trust: Trust,
}

/// The kind of value of a key.
pub enum Kind {
    Text,
    /// A word from a list, which is that of the option with the same name.
    Choice(fn() -> Vec<&'static str>),
    Flag,
    /// The name of an encoding.
    Encoding,
    /// The name of an encoding, or `auto`, optionally with candidates.
    Source,
    /// A list of patterns of files.
    Globs,
    /// A list of rules, which the command `check` knows.
    Rules,
    /// The path of a file below the directory.
    Path,
    Table(&'static [Key]),
    /// An array of tables.
    Tables(&'static [Key]),
}

/// The files in which a key may be set.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// Any file, even one that was found in a directory and that another user may have written.
    Found,
    /// Only a file that the user named, because the key may lose data.
    Named,
}

/// The keys of the whole file.
pub const FILE: &[Key] = &[
    key("check", "Settings of `utfconv check`.", Kind::Table(CHECK)),
    key("convert", "Defaults of batch conversions: those with -i or --output-dir.", Kind::Table(CONVERT)),
];

const CHECK: &[Key] = &[
    key("rules", "Rules to check, in the form of --rule.", Kind::Rules),
    key("allow", "Rules to turn off, in the form of --allow.", Kind::Rules),
    key("exclude", "Patterns of files and directories to skip in directories.", Kind::Globs),
    key("baseline", "Baseline with the known errors, as for --baseline of `utfconv check`.", Kind::Path),
    key(
        "paths",
        "Settings of some files. If several tables match a file, later settings take precedence.",
        Kind::Tables(PATHS),
    ),
];

const PATHS: &[Key] = &[
    key("globs", "Patterns of the files.", Kind::Globs),
    key("encoding", "Encoding of the files that globs match.", Kind::Encoding),
    key("rules", "Rules to check in these files, instead of the rules and allow of [check].", Kind::Rules),
    key("allow", "Rules to turn off in these files, instead of the allow of [check].", Kind::Rules),
];

const CONVERT: &[Key] = &[
    key("from", "Input encoding, in the form of -f.", Kind::Source),
    key("to", "Output encoding, in the form of -t.", Kind::Encoding),
    key("include", "Patterns of the files to convert in directories.", Kind::Globs),
    key("exclude", "Patterns of files and directories to skip in directories.", Kind::Globs),
    named("input-bom", "How to handle an input BOM.", Kind::Choice(|| words(modes::INPUT_BOM))),
    named("output-bom", "When to write a BOM.", Kind::Choice(|| words(modes::OUTPUT_BOM))),
    named("ill-formed", "How to handle ill-formed bytes.", Kind::Text),
    named("unmappable", "How to handle characters that cannot be encoded.", Kind::Text),
    named("normalize", "Normalization form.", Kind::Choice(|| words(modes::NORMALIZATION))),
    named("newline", "Newlines of the output.", Kind::Choice(|| words(modes::NEWLINE))),
    named("final-newline", "Whether to add a missing final newline.", Kind::Flag),
    named(
        "declaration",
        "How to handle text that names its own encoding.",
        Kind::Choice(|| words(modes::DECLARATION)),
    ),
    named("verify", "Whether to read each new file again, and compare the texts.", Kind::Flag),
];

const fn key(name: &'static str, about: &'static str, kind: Kind) -> Key {
    Key { name, about, kind, trust: Trust::Found }
}

const fn named(name: &'static str, about: &'static str, kind: Kind) -> Key {
    Key { name, about, kind, trust: Trust::Named }
}
