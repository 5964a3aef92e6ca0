//! The options of `check`: their table, and the plan made from them. This module makes no system calls.

use std::iter;

use anyhow::{Result, bail, ensure};
use clap::ArgAction;
use utfconv_core::EbcdicNewline;
use utfconv_detect::Certainty;

use super::formats::{Format, Reader};
use super::plan::{Binary, CheckPlan, Fix, Output, Settings, Verdicts, Writes};
use super::rules::{Group, On, Rule, Selected, Selection};
use crate::batch::args::{failed, manifest, options, sync};
use crate::batch::file_options::{
    changed, chosen_range, config, first_line, in_directories, lists, paths, range, refuse_line, tracked,
    walked,
};
use crate::config::{Demand, schema};
use crate::files::ranges::Bounds;
use crate::files::walk::Targets;
use crate::ui::color::When;
use crate::ui::modes;
use crate::ui::names::Name;
use crate::ui::options::{
    any_number, choice, color, command, ebcdic_newline, file, from, min_certainty, needs, threads,
};
use crate::ui::table::{Built, Definition, Matches, Table, flag, option, options};

/// Size of reads in bytes.
const BUFFER: usize = 256 << 10;

/// Returns the option table, from which parser, help, man page and completions are made.
pub fn table(built: Built) -> Table {
    let about = "Report errors in files by line, column and byte; print nothing if there are none";
    let table = command("check", about, built).after_help(AFTER_SHORT_HELP).after_long_help(AFTER_HELP);
    report(files(rules(table)))
}

fn rules(table: Table) -> Table {
    table
        .heading("Rules")
        .add_all(options![
                from("Encoding of all files [default: as configured, or UTF-8]")
                    .with(|arg| arg.value_parser(encoding)),
                ebcdic_newline().for_long_help(),
                option(
                    "rule",
                    "ID[=VALUE],...",
                    "Also check these rules, such as 'security'; 'all' means every rule"
                )
                .with(|arg| {
                    arg.action(ArgAction::Append).value_delimiter(',').value_parser(Selected::parse)
                },),
                option(
                    "allow",
                    "ID,...",
                    "Turn off these rules; 'all' means every rule that --rule does not name"
                )
                .with(|arg| {
                    arg.action(ArgAction::Append).value_delimiter(',').value_parser(Rule::allowed)
                }),
                flag("fix", "Repair errors in place if the repair is certain; report the remaining errors"),
                flag("diff", "Write nothing; print what --fix would change, as a patch for git apply")
                    .conflicts_with(&["format", "names", "quiet"]),
                flag(
                    "dry-run",
                    "With --fix: write nothing; print which files would be fixed, and the remaining errors"
                )
                .conflicts_with(&["diff", "format", "names", "quiet", "manifest"]),
                min_certainty(
                    "With --fix: minimum certainty for converting a file [default: certain]",
                )
                .for_long_help(),
            ])
        .add_all(&{
            let [manifest, undo] = manifest();
            let undo = undo.conflicts_with(&["fix", "diff", "manifest", "names"]);
            [manifest.conflicts_with(&["diff"]), undo].map(|option| option.for_long_help())
        })
        .add_all(&failed().map(|list| list.conflicts_with(&["undo"]).for_long_help()))
        .add(sync().conflicts_with(&["diff", "undo"]).for_long_help())
        .add(
            option("explain", "ID", "Explain a rule or group and exit; 'all' lists all rules and groups")
                .with(|arg| arg.value_parser(explained)),
        )
        .add_all(&config())
        .add_all(options![
            option(
                "show-config",
                "PATH",
                "Print the settings for PATH and the file of each setting, and exit",
            )
            .with(file),
            flag("config-schema", "Print the JSON schema of utfconv.toml and exit").for_long_help(),
        ])
}

fn files(table: Table) -> Table {
    table
        .heading("Files")
        .add_all(&in_directories())
        .add(tracked())
        .add_all(&changed().map(|option| option.conflicts_with(&["range"])))
        .add_all(options![
            flag("all-errors", "With --since or --staged: also report errors that the old version has",),
            option("binary", "WHAT", "Handle binary files [default: check if named, else skip]").with(
                |arg| {
                    arg.value_parser(choice(&[
                        ("skip", "Skip binary files, even if named", Binary::Skip),
                        ("check", "Check binary files like text", Binary::Check),
                        ("error", "Report each binary file as an error", Binary::Error),
                    ]))
                }
            ),
        ])
        .add_all(&lists().map(|list| list.for_long_help()))
        .add_all(options![
            range("Check only characters that start at bytes A to B-1 of one file")
                .conflicts_with(&["fix", "diff"])
                .for_long_help(),
            first_line().for_long_help(),
            option("stdin-filename", "NAME", "Check standard input, and report it as NAME")
                .for_long_help()
                .with(file),
        ])
}

fn report(table: Table) -> Table {
    table
        .heading("Report")
        .add_all(options![
            option("format", "FORMAT", "Report format [default: text]")
                .with(|arg| arg.value_parser(choice(Format::TABLE))),
            flag("names", "Print only the names of files with errors")
                .short('l')
                .long("files-with-errors")
                .conflicts_with(&["format"]),
            flag("null", "With -l: end each name with NUL").short('0'),
            flag("quiet", "Print nothing; exit at the first error").short('q'),
            flag(
                "verbose",
                "List binary files, fixed files and all errors of files in another encoding; print a summary",
            )
            .short('v'),
            option(
                "max-errors",
                "N",
                "Report at most N errors per file, then stop reading it; 0 means no limit [default: 1000]",
            )
            .with(any_number),
            option("max-total", "N", "Report at most N errors in all; 0 means no limit [default: 100000]")
                .for_long_help()
                .with(any_number),
            flag("count", "Also count errors beyond --max-errors").for_long_help(),
            flag("stats", "Print statistics: characters, scripts, newlines, BOMs, errors")
                .conflicts_with(&["names", "quiet", "fix", "diff"]),
            option(
                "target",
                "ENC",
                "List characters that cannot be encoded in ENC, and exit with 1 if there are any"
            )
            .conflicts_with(&["names", "fix", "diff"])
            .with(|arg| arg.value_parser(modes::name)),
            option("excerpt", "WHEN", "Show the lines with errors [default: auto]").for_long_help().with(
                |arg| {
                    arg.value_parser(choice(&[
                        ("auto", "Show the lines on a terminal", When::Auto),
                        ("always", "Show the lines in files and pipes, too", When::Always),
                        ("never", "Show no lines", When::Never),
                    ]))
                }
            ),
            color(),
        ])
        .add_all(&baselines())
        .add(flag("exit-zero", "Exit with 0 even if there are errors"))
        .add(threads())
        .add(paths())
}

fn baselines() -> [Definition; 2] {
    let file = |id, help| option(id, "FILE", help).conflicts_with(&["range", "fix", "diff"]).with(file);
    [
        file("baseline", "Report only errors that are not in FILE, and how many errors of FILE are gone"),
        file("write-baseline", "Write all errors to FILE, for use with --baseline, and report none")
            .conflicts_with(&["baseline", "format", "names", "quiet"]),
    ]
}

const AFTER_HELP: &str = "\
Exit status: 0 no errors; 1 errors; 2 usage or I/O error (takes precedence over 1).
See utfconv-check(1).";

const AFTER_SHORT_HELP: &str = "\
Exit status: 0 no errors; 1 errors; 2 usage or I/O error (takes precedence over 1).
Use --help for all options, and see utfconv-check(1).";

/// Parses the encoding that files should have.
fn encoding(text: &str) -> Result<Name, String> {
    match text.to_ascii_lowercase().split(':').next() {
        Some("auto") => {
            Err("check always looks for the encoding of a file that is in another one; omit -f".to_string())
        }
        _ => modes::name(text),
    }
}

/// Returns the text that is printed instead of a check, if an option requests a text.
pub fn explanation(m: &mut Matches) -> Option<String> {
    if m.flag("config-schema") {
        let groups = || Group::ALL.iter().map(|group| group.id);
        let rules = Rule::ALL.iter().flat_map(|rule| rule.spellings());
        let rules: Vec<_> = iter::once("all").chain(groups()).map(str::to_string).chain(rules).collect();
        let allowed = Rule::ALL.iter().map(|rule| rule.id()).filter(|id| Rule::allowed(id).is_ok());
        return Some(schema(&rules, &groups().chain(allowed).map(str::to_string).collect::<Vec<_>>()));
    }
    m.remove_one("explain")
}

/// Returns the explanation of a rule or a group, or the list of all rules.
fn explained(id: &str) -> Result<String, String> {
    if let Some(group) = Group::ALL.iter().find(|group| group.id == id) {
        return Ok(group.explained());
    }
    if id != "all" {
        return Rule::parse(id).map(|rules| rules[0].definition().explained());
    }
    let rules = Rule::ALL.iter().map(|rule| format!("{}\n{}", rule.id(), rule.definition().summary()));
    let groups = Group::ALL.iter().map(|group| format!("{}\n  {}.\n", group.id, group.title));
    Ok(rules.chain(groups).collect())
}

/// Makes the plan from the parsed options.
pub fn from_matches(mut matches: Matches) -> Result<CheckPlan> {
    let m = &mut matches;
    let (rules, allowed) = (m.remove_many("rule"), m.remove_many("allow"));
    let selection = Selection::new(rules, allowed);
    let stdin_name = m.remove_one("stdin-filename");
    let is_named =
        stdin_name.is_some() || ["path", "files-from", "files0-from"].iter().any(|id| m.is_given(id));
    let targets = walked(m, ".", stdin_name)?;
    // With `--tracked` or a revision, data on standard input is no error, because git passes lines to some hooks.
    let is_default_path = !is_named && !targets.wanted.tracked && !targets.wanted.is_of_changes();
    let output = output(m);
    // `--diff` shows the changes that `--fix` would make.
    let fixes = m.flag("fix") || m.flag("diff");
    let has_old_versions = targets.wanted.is_of_changes();
    // Repairs and new baselines need all errors of a file, not only those that its old version lacks.
    let only_new = has_old_versions && !m.flag("all-errors") && !fixes && !m.is_given("write-baseline");
    let asked = Asked { fixes, has_old_versions, only_new };
    let selection = completed(selection, m, &asked)?;
    if !fixes {
        ensure!(!m.flag("dry-run"), "--dry-run requires --fix; without it, check writes nothing");
        for option in ["min-certainty", "manifest", "failed", "failed0", "sync"] {
            needs(m, option, "fix", "fix")?;
        }
    }
    let has_stdin = targets.paths.iter().any(|path| path == "-");
    ensure!(!fixes || !has_stdin, "--fix cannot repair standard input");
    let range = range_and_line(m, &targets, output)?;
    needs(m, "null", "names", "files-with-errors")?;
    let threads = m.get_one::<u16>("threads").map(|threads| usize::from(*threads));
    let max_total = limit(m, "max-total", 100_000);
    Ok(CheckPlan {
        settings: settings(m, selection, output, range, &asked, max_total)?,
        targets,
        is_default_path,
        output,
        fix: fixes.then(|| Fix {
            least_certainty: m.remove_one("min-certainty").unwrap_or(Certainty::Certain),
            writes: match (m.flag("diff"), m.flag("dry-run")) {
                (true, _) => Writes::Diff,
                (_, true) => Writes::Names,
                _ => Writes::Files,
            },
            options: options(m),
        }),
        reads_configuration: !m.flag("no-config"),
        config: m.remove_one("config"),
        baseline: m.remove_one("baseline"),
        writes_baseline: m.remove_one("write-baseline"),
        shows_config: m.remove_one("show-config"),
        max_total,
        verbose: m.flag("verbose"),
        excerpt: m.remove_one("excerpt").unwrap_or(When::Auto),
        color: m.remove_one("color").unwrap_or(When::Auto),
        exit_zero: m.flag("exit-zero"),
        threads,
    })
}

/// What the options ask for besides rules.
struct Asked {
    fixes: bool,
    /// True if files are compared with old versions.
    has_old_versions: bool,
    /// True if errors that the old version of a file has are not reported.
    only_new: bool,
}

/// Adds the rules that other options turn on to the rules that `--rule` names.
fn completed(mut selection: Selection, m: &Matches, asked: &Asked) -> Result<Selection> {
    let is_empty = selection.is_empty();
    ensure!(!is_empty, "--allow=all leaves no rule; name one with --rule, such as --rule=control");
    if asked.fixes {
        selection.find_ill_formed();
    }
    if asked.has_old_versions {
        selection.turn_on(On::OldVersions);
    } else if let Some(rule) = selection.needing_old_version() {
        let id = rule.id();
        bail!("--rule {id} compares files with old versions; use --since REV or --staged");
    } else {
        ensure!(!m.flag("all-errors"), "--all-errors requires --since or --staged");
    }
    if asked.only_new {
        selection.turn_on(On::OnlyNew);
    }
    Ok(selection)
}

/// Returns the settings for the check of each file.
fn settings(
    m: &mut Matches,
    selection: Selection,
    output: Output,
    (range, first_line): (Option<Bounds>, Option<u64>),
    &Asked { fixes, only_new, .. }: &Asked,
    max_total: u64,
) -> Result<Settings> {
    let from = m.remove_one::<Name>("from");
    if let Some(Name { encoding, .. }) = &from
        && selection.requires_bom()
        && !encoding.can_carry_bom()
    {
        bail!("--rule bom=require: {} has no BOM", encoding.name());
    }
    let max_errors = limit(m, "max-errors", 1_000);
    Ok(Settings {
        encoding: from.as_ref().map(|name| name.encoding),
        bom: from.and_then(|name| name.signed).map(Demand::implied),
        fixes,
        only_new,
        newline: m.remove_one("ebcdic-newline").unwrap_or(EbcdicNewline::Nel),
        selection,
        binary: m.remove_one("binary"),
        // The report would discard findings beyond its own limit.
        max_listed: max_errors.min(max_total),
        max_lost: if max_errors == u64::MAX { u64::MAX } else { MOST_LOST },
        max_found: match output {
            Output::Report(_) if m.flag("count") => u64::MAX,
            // The first finding decides what is printed.
            Output::Names { .. } | Output::Nothing if !fixes => 0,
            _ => max_errors,
        },
        excerpts: false,
        verdicts: match output {
            Output::Report(_) if range.is_some() => Verdicts::None,
            Output::Report(format) if format.reader == Reader::Programs => Verdicts::Beside,
            Output::Report(_) if !m.flag("verbose") => Verdicts::Summary,
            _ if fixes => Verdicts::Beside,
            _ => Verdicts::None,
        },
        hints: false,
        stats: m.flag("stats") || m.is_given("target"),
        only_lost: !m.flag("stats"),
        range,
        first_line,
        target: m.remove_one::<Name>("target").map(|name| name.encoding),
        buffer_size: m.remove_one::<u64>("buffer-size").map_or(BUFFER, |size| size as usize),
    })
}

/// True if `--undo` reports as JSON.
pub fn is_json(m: &mut Matches) -> Result<bool> {
    match m.remove_one::<Format>("format").map(|format| format.reader) {
        None | Some(Reader::People) => Ok(false),
        Some(Reader::Programs) => Ok(true),
        Some(Reader::Service) => bail!("--undo reports as text or JSON; use --format=json"),
    }
}

fn output(m: &mut Matches) -> Output {
    match (m.flag("quiet"), m.flag("names")) {
        (true, _) => Output::Nothing,
        (_, true) => Output::Names { end: if m.flag("null") { b'\0' } else { b'\n' } },
        _ => Output::Report(m.remove_one("format").unwrap_or(Format::TEXT)),
    }
}

/// Returns the range and its first line, if they fit the other options.
fn range_and_line(
    m: &mut Matches,
    targets: &Targets,
    output: Output,
) -> Result<(Option<Bounds>, Option<u64>)> {
    needs(m, "range-first-line", "range", "range")?;
    let (range, first_line) = (chosen_range(m)?, m.remove_one("range-first-line"));
    let is_one = targets.paths.len() == 1 && targets.lists.is_empty();
    ensure!(range.is_none() || is_one, "ranges work on one FILE only");
    let needs_lines =
        m.flag("stats") || matches!(output, Output::Report(format) if format.reader == Reader::Service);
    refuse_line(range, first_line, needs_lines)?;
    Ok((range, first_line))
}

/// Maximum number of lines with lost characters that are listed for a file, unless `--max-errors` is 0.
const MOST_LOST: u64 = 10;

/// Returns the value of an option for which 0 means no limit.
fn limit(m: &Matches, id: &str, default: u64) -> u64 {
    match m.get_one(id).copied().unwrap_or(default) {
        0 => u64::MAX,
        limit => limit,
    }
}
