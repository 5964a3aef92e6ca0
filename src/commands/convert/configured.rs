//! The requirements that the configuration sets for a converted file: its encoding, and its new content.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Error, Result, bail, ensure};
use utfconv_core::{Encoding, US_ASCII, UTF_8};

use crate::commands::convert::options::many_files::is_batch;
use crate::commands::convert::plan::ConvertPlan;
use crate::config::{Configuration, Demand, Newline, Project, Purpose, ReadRule, Requirements, Set};
use crate::text::newlines::NewlineStyle;
use crate::ui::options::parse;
use crate::ui::quote::quoted;
use crate::ui::table::{Built, Matches};

/// Returns the configuration for a conversion; `None` if no configuration is read. Problems of the file that
/// `--config` names were reported before the plan was made.
pub fn configuration(plan: &ConvertPlan) -> Option<Arc<Configuration>> {
    let is_read = !plan.encodings.no_config && (plan.batch.is_some() || plan.from.is_none());
    // No configuration can be found without a current directory.
    let current = is_read.then(|| std::env::current_dir().ok()).flatten()?;
    let found = Configuration::new(&current, Purpose::Convert, RULES_ARE_FOR_CHECKS);
    found.named(plan.encodings.config.as_deref().map(Path::new)).ok().map(Arc::new)
}

/// Accepts all rules, because conversions ignore the rules of checks.
const RULES_ARE_FOR_CHECKS: ReadRule = |_, _| Ok(());

/// Returns options that `utfconv.toml` sets for a batch conversion, as words of a command line.
///
/// # Errors
/// If a `utfconv.toml` has problems, or if several apply to the files of the batch and any sets options.
pub fn defaults(m: &Matches) -> Result<Vec<OsString>> {
    let current = std::env::current_dir().ok().filter(|_| is_batch(m) && !m.flag("no-config"));
    let Some(current) = current else { return Ok(Vec::new()) };
    let found = Configuration::new(&current, Purpose::Convert, RULES_ARE_FOR_CHECKS);
    let named = m.get_one::<OsString>("config").map(Path::new);
    let configuration = found.named(named).map_err(|problems| Error::msg(problems.join("\n")))?;
    let operands: Vec<&OsString> = m.get_many("file").collect();
    let here = OsString::from(".");
    let paths = if operands.is_empty() { vec![&here] } else { operands };
    let mut projects: Vec<_> = paths.iter().map(|path| configuration.project_of(Path::new(path))).collect();
    let problems = configuration.project_problems();
    ensure!(problems.is_empty(), problems.join("\n"));
    projects
        .dedup_by(|one, other| one.as_ref().map(|one| &one.path) == other.as_ref().map(|other| &other.path));
    let sets_options =
        |project: &Option<Arc<Project>>| project.as_ref().is_some_and(|one| !one.convert.is_empty());
    match &projects[..] {
        [Some(project)] => words(m, project),
        several if several.iter().any(sets_options) => bail!(
            "the files have different [convert] settings in utfconv.toml; convert them one by one, or use --config FILE or --no-config",
        ),
        _ => Ok(Vec::new()),
    }
}

/// Returns the options that a `utfconv.toml` sets, as words; fails if an option is invalid.
fn words(m: &Matches, project: &Project) -> Result<Vec<OsString>> {
    let mut words = Vec::new();
    for (key, Set { value, position }) in &project.convert {
        // `verify` is the only configurable option that conflicts with another option.
        if *key == "verify" && m.flag("dry-run") {
            continue;
        }
        let word = match value {
            Some(value) => format!("--{key}={value}"),
            None => format!("--{key}"),
        };
        let words_of_key = ["utfconv".into(), word.clone().into()];
        let table = super::options::table(Built::Typed(&words_of_key));
        let parsed = parse(table, || super::options::table(Built::All).clap(), &words_of_key, |_| None);
        if let Err(refusal) = parsed {
            let file = quoted(&project.path);
            bail!("{file}:{}:{}: {}", position.line(), position.column(), refusal.text);
        }
        words.push(word.into());
    }
    Ok(words)
}

/// Returns the requirement of a file, in words, that new content would break, if any. The new content begins with
/// `head`, the old content with `old`.
pub fn broken(plan: &ConvertPlan, required: &Requirements, old: &[u8], head: &[u8]) -> Option<String> {
    let to = plan.to;
    let bom = bom_of(head, to);
    // The BOM, if any, shows the byte order of the output.
    let written = bom.unwrap_or(to);
    if let Some(encoding) = required.encoding {
        let is_subset = to == &US_ASCII && encoding.is_ascii_compatible();
        if !is_subset && !encoding.includes_scheme(written) && to != encoding {
            return Some(format!("must be {}, not {}", encoding.name(), to.name()));
        }
    }
    match required.bom {
        Some(Demand::Require) if bom.is_none() && !head.is_empty() => {
            return Some(format!("must be {} with a BOM", required.encoding.unwrap_or(to).name()));
        }
        // A BOM that the old content has may stay.
        Some(Demand::Forbid) if bom.is_some() && bom_of(old, to).is_none() => {
            return Some(format!("must be {} without a BOM", to.name()));
        }
        _ => {}
    }
    if let (Some(required), Some(style)) = (required.newline, newline(plan))
        && required != style
    {
        return Some(format!("must have {} as newline, not {}", required.name(), style.name()));
    }
    (required.final_newline == Some(Demand::Forbid) && plan.text.newlines.adds_final)
        .then(|| "must not end with a newline".to_string())
}

/// Returns the newline that a conversion writes; None if newlines stay.
pub fn newline(plan: &ConvertPlan) -> Option<Newline> {
    match plan.text.newlines.newlines {
        NewlineStyle::Keep => None,
        NewlineStyle::Lf => Some(Newline::Lf),
        NewlineStyle::Crlf => Some(Newline::Crlf),
        NewlineStyle::Cr => Some(Newline::Cr),
    }
}

/// Returns the encoding whose BOM these bytes of text in `encoding` begin with.
pub fn bom_of(head: &[u8], encoding: &Encoding) -> Option<&'static Encoding> {
    let unit = encoding.code_unit_len();
    // The BOM of UTF-16LE and a NUL look like the BOM of UTF-32LE.
    let most = if unit == 1 { 3 } else { unit };
    let (found, _) = Encoding::for_bom(&head[..head.len().min(most)])?;
    let can_have = encoding == &UTF_8 || unit > 1;
    (can_have && found.code_unit_len() == unit).then_some(found)
}
