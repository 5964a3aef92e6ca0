//! The text of `--show-config`: the settings for a file, and the source of each.

use std::path::Path;

use utfconv_core::UTF_8;

use super::plan::CheckPlan;
use super::rules::{Newlines, Rule, Rules, Selection};
use crate::config::{Configuration, Demand, LastDirectory, Requirements, Source};
use crate::files::print::print;
use crate::ui::dialect::Dialect;
use crate::ui::exit::Exit;
use crate::ui::quote::quoted;

/// Source that is shown for settings from the command line.
const COMMAND_LINE: &str = "command line";

/// Prints the settings of the file at `path`, which need not exist; reports problems of configuration files.
pub fn print_settings(plan: &CheckPlan, configuration: Option<&Configuration>, path: &Path) -> Exit {
    let who = Dialect::Utfconv;
    let printed = print(who, text(plan, configuration, path));
    let problems = configuration.map(Configuration::warnings).unwrap_or_default();
    problems.iter().for_each(|text| who.report(text));
    if problems.is_empty() { printed } else { Exit::Failure }
}

fn text(plan: &CheckPlan, configuration: Option<&Configuration>, path: &Path) -> String {
    let settings = &plan.settings;
    let of_file = |one: &Configuration| one.of_named(path, &mut LastDirectory::default());
    let required = configuration.map(of_file).unwrap_or_default();
    let sources = configuration.map(|one| one.sources(path)).unwrap_or_default();
    let source = |source: Option<Source>| {
        configuration.zip(source).map(|(one, source)| shown(one, &source)).unwrap_or_default()
    };
    let encoding = settings.encoding.or(required.encoding).unwrap_or(&UTF_8);
    let (bom, of_encoding, of_bom) = match settings.encoding {
        Some(_) => (settings.bom, COMMAND_LINE.to_string(), COMMAND_LINE.to_string()),
        None => (required.bom, source(sources.encoding), source(sources.bom)),
    };
    let of_encoding = if of_encoding.is_empty() { "default".to_string() } else { of_encoding };
    let selection = match &required.rules {
        Some(list) => settings.selection.over(list),
        None => settings.selection.clone(),
    };
    let rules = selection.rules(&Requirements { bom, ..required.clone() }, encoding.code_unit_len() == 1);
    let excluded = configuration.is_some_and(|configuration| configuration.leaves_out(path));
    let baseline = required.baseline.as_ref().map(|path| match configuration {
        Some(configuration) => relative(configuration, path),
        None => quoted(path),
    });
    // If a rule and a setting demand the same, the source of the rule is shown.
    let alone = selection.rules(&Requirements::default(), encoding.code_unit_len() == 1);
    let of_rules = match (&required.rules, settings.selection == Selection::default()) {
        (None, false) => COMMAND_LINE.to_string(),
        _ => source(sources.rules),
    };
    let of = |is_set: bool, is_rule: bool, of_requirement: String| match (is_set, is_rule) {
        (false, _) => String::new(),
        (true, true) => of_rules.clone(),
        (true, false) => of_requirement,
    };
    let of_demand =
        |rule, of_requirement| of(rules.has(rule), alone.demand(rule) == rules.demand(rule), of_requirement);
    let of_bom = of_demand(Rule::Bom, of_bom);
    let is_rule = Newlines::of(&alone) == Newlines::of(&rules);
    let of_newline = of(rules.has(Rule::MixedNewlines), is_rule, source(sources.newline));
    let of_final_newline = of_demand(Rule::FinalNewline, source(sources.final_newline));
    let lines = [
        ("encoding", encoding.name().to_string(), of_encoding),
        ("BOM", demand(rules.demand(Rule::Bom)), of_bom),
        ("newlines", newlines(&rules), of_newline),
        ("final newline", demand(rules.demand(Rule::FinalNewline)), of_final_newline),
        ("rules", ids(&rules), of_rules.clone()),
        ("baseline", baseline.unwrap_or_else(|| "none".to_string()), source(sources.baseline)),
        ("in directories", if excluded { "excluded" } else { "checked" }.to_string(), String::new()),
    ];
    let mut text = format!("{}\n", quoted(path));
    let width =
        lines.iter().filter(|(.., source)| !source.is_empty()).map(|(_, value, _)| value.chars().count());
    let width = width.max().unwrap_or_default();
    for (name, value, source) in lines {
        let line = format!("  {name:16}{value:width$}  {source}");
        text.extend([line.trim_end(), "\n"]);
    }
    text
}

/// Returns the name of a configuration file, with line and column if known.
fn shown(configuration: &Configuration, Source { file, position }: &Source) -> String {
    let name = relative(configuration, file);
    match position {
        Some(at) => format!("{name}:{}:{}", at.line(), at.column()),
        None => name,
    }
}

fn relative(configuration: &Configuration, path: &Path) -> String {
    let current = configuration.absolute(Path::new(""));
    quoted(path.strip_prefix(current).unwrap_or(path))
}

fn demand(demand: Option<Demand>) -> String {
    match demand {
        None => "any",
        Some(Demand::Require) => "required",
        Some(Demand::Forbid) => "forbidden",
    }
    .to_string()
}

fn newlines(rules: &Rules) -> String {
    match Newlines::of(rules) {
        None => "any",
        Some(Newlines::Same) => "one kind",
        Some(Newlines::All(newline)) => newline.name(),
    }
    .to_string()
}

/// Returns the ids of the rules that have no separate line in the output.
fn ids(rules: &Rules) -> String {
    let always = [Rule::IllFormed, Rule::WrongEncoding].map(|rule| rule.id().to_string());
    let others = rules.iter().filter(|rule| !rule.is_configured());
    let others = others.filter_map(|rule| Some(rule.spelling(rules.value(rule)?)));
    always.into_iter().chain(others).collect::<Vec<_>>().join(", ")
}
