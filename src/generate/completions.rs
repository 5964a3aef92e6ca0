//! Completions for shells.

use clap::Command as Clap;
use clap::builder::PossibleValuesParser;
use clap_complete::Shell;
use utfconv_core::Encoding;

use crate::check::rules::Rule;
use crate::ui::modes::{self, Mode};

/// Returns the script of a shell.
pub fn script(shell: Shell, tree: &Clap) -> String {
    let mut table = with_words(tree.clone()).mut_subcommands(with_words);
    let mut out = Vec::new();
    clap_complete::generate(shell, &mut table, "utfconv", &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// The table with words to offer where the parser takes more than words.
fn with_words(table: Clap) -> Clap {
    let encodings: Vec<String> = Encoding::all().map(|encoding| encoding.name().to_string()).collect();
    let offers: [(&str, Vec<String>); 8] = [
        ("from", encodings.clone()),
        ("to", encodings),
        ("errors", modes::common().map(Mode::word).collect()),
        ("ill-formed", modes::ILL_FORMED.iter().map(Mode::word).collect()),
        ("unmappable", modes::UNMAPPABLE.iter().map(Mode::word).collect()),
        ("rule", rule_words()),
        ("allow", rule_words()),
        ("explain", rule_words()),
    ];
    let has = |table: &Clap, id: &str| table.get_arguments().any(|arg| arg.get_id() == id);
    offers.into_iter().fold(table, |table, (id, words)| match has(&table, id) {
        true => table.mut_arg(id, |arg| arg.value_parser(PossibleValuesParser::new(words))),
        false => table,
    })
}

/// The words to offer where a rule is asked for.
fn rule_words() -> Vec<String> {
    Rule::ALL.iter().map(|rule| rule.id().to_string()).collect()
}
