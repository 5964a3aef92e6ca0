//! The options of `repair`: their table, and the plan made from them. Makes no system calls.

use std::ffi::OsString;

use anyhow::{Result, bail, ensure};
use clap::value_parser;
use utfconv_repair::Unit;
use utfconv_restore::RestoreOptions;

use super::plan::{Damage, RepairPlan, Task};
use crate::batch::args::{failed, format, is_json, manifest, options, sync};
use crate::batch::file_options::{how_in_place, in_directories, in_place, lists, paths, targets};
use crate::commands::old_versions::Source;
use crate::files::walk::Targets;
use crate::ui::color::When;
use crate::ui::modes;
use crate::ui::names::Name;
use crate::ui::options::{any_number, choice, color, command, file, needs, threads, unmappable};
use crate::ui::table::{Built, Matches, Table, flag, option, options};

/// Returns the option table, which the parser, help, man page and completions use.
pub fn table(built: Built) -> Table {
    let [in_place, backup, keep_times, force] =
        in_place("Repair each file in place; =SUFFIX keeps the old file as a backup");
    command("repair", "Undo damage: double encoding, mixed encodings, lost characters", built)
        .after_help(AFTER_HELP)
        .heading("Repair")
        .add_all(&[in_place, backup, keep_times, force.help(FORCE)])
        .add_all(options![
            flag("diff", "Write nothing; print what would change, as a patch for git apply"),
            color().help("With --diff: use color [default: auto]"),
            flag("dry-run", "With -i: write nothing; report what would change").conflicts_with(&["diff"]),
            sync(),
            option(
                "unit",
                "UNIT",
                "Unit that has one encoding: line, field:SEPARATOR or run [default: line]"
            )
            .with(|arg| arg.value_parser(unit)),
            option(
                "candidates",
                "LIST",
                "Encodings that a file may mix, such as UTF-8,windows-1252 [default: detected]",
            )
            .with(|arg| arg.value_parser(modes::candidates)),
            option("damage", "KIND", "Also undo damage of this kind, which leaves no proof of the lost text")
                .with(|arg| arg.value_parser(choice(Damage::TABLE))),
        ])
        .heading("Old versions")
        .add_all(options![
            option("from", "OLD", "Restore lost text from file OLD, the version before the damage")
                .conflicts_with(&["unit", "candidates", "from-rev"])
                .with(file),
            option("from-rev", "REV", "Restore lost text from revision REV of git [default: HEAD]")
                .conflicts_with(&["unit", "candidates"])
                .with(|arg| {
                    arg.num_args(0..=1)
                        .require_equals(true)
                        .default_missing_value("HEAD")
                        .value_parser(value_parser!(OsString))
                }),
            flag("history", "Restore lost text from the newest commit in which the file is not damaged",)
                .conflicts_with(&["unit", "candidates", "from", "from-rev"]),
            option("from-code", "ENC", "Encoding of the old versions [default: as configured or detected]")
                .short('f')
                .with(|arg| arg.value_parser(modes::name_or_auto)),
            unmappable(
                "Restore files in part; write the rest by replace[=TEXT], escape[=STYLE], omit or translit",
            ),
        ])
        .heading("Undo")
        .add_all(&{
            let [manifest, undo] = manifest();
            [manifest, undo.conflicts_with(&["in-place", "diff", "manifest", "unit", "candidates", "damage"])]
        })
        .add_all(&failed().map(|list| list.conflicts_with(&["undo"])))
        .heading("Files")
        .add_all(&in_directories())
        .add_all(&lists())
        .heading("Report")
        .add_all(options![
            format().conflicts_with(&["diff"]),
            option(
                "max-errors",
                "N",
                "Report at most N repairs and N other errors per file; 0 is no limit [default: 100]",
            )
            .with(any_number),
            threads(),
            paths().help(
                "Files and directories; '-' is standard input [default: standard input to standard output]",
            ),
        ])
}

const FORCE: &str = "With -i and --undo: overwrite files that cannot be replaced by a rename";

const AFTER_HELP: &str = "\
Without -i, --diff and --undo, repair reports what it would change, and writes nothing. Without
PATH, or with '-', it writes the repaired standard input to standard output, and the report to
standard error.
Exit status: 0 nothing to repair, or all repaired; 1 something would change, or is not repaired;
2 usage or I/O error (takes precedence over 1). See utfconv-repair(1).";

/// Parses the value of `--unit`.
fn unit(text: &str) -> Result<Unit, String> {
    let separator = text.strip_prefix("field:").map(str::as_bytes);
    match (text, separator) {
        ("line", _) => Ok(Unit::Line),
        ("run", _) => Ok(Unit::Run),
        (_, Some(b"\\t")) => Ok(Unit::Field(b'\t')),
        (_, Some([byte])) if *byte != b'\n' => Ok(Unit::Field(*byte)),
        _ => Err("expected line, run or field: and an ASCII character, such as field:, or field:\\t".into()),
    }
}

/// Makes the plan from the typed options.
pub fn from_matches(mut matches: Matches) -> Result<RepairPlan> {
    let m = &mut matches;
    needs(m, "color", "diff", "diff")?;
    let unit = m.remove_one("unit").unwrap_or(Unit::Line);
    let candidates = m.remove_one("candidates").unwrap_or_default();
    let damage: Option<Damage> = m.remove_one("damage");
    let max_lines = m.remove_one("max-errors").unwrap_or(100);
    let options = options(m);
    let json = is_json(m);
    let old = old(m);
    let encoding = m.remove_one::<Option<Name>>("from-code").flatten().map(|name| name.encoding);
    let unmappable = m.remove_one("unmappable");
    let of_old = match (damage, &old) {
        (Some(Damage::LostBytes), Some(_)) => {
            bail!("--damage=lost-bytes cannot be used with --from, --from-rev and --history")
        }
        (Some(Damage::OfOldVersion(_)), None) => {
            bail!("--damage=question-marks and --damage=dropped require --from, --from-rev or --history")
        }
        (Some(Damage::OfOldVersion(damage)), Some(_)) => Some(damage),
        (Some(Damage::LostBytes) | None, _) => None,
    };
    for (option, is_given) in [("from-code", encoding.is_some()), ("unmappable", unmappable.is_some())] {
        ensure!(!is_given || old.is_some(), "--{option} requires --from, --from-rev or --history");
    }
    let task = task(m, old.as_ref())?;
    for (option, is_given) in [("manifest", options.manifest.is_some()), ("sync", options.sync.is_some())] {
        if is_given && !matches!(task, Task::Write(..)) {
            match ["diff", "dry-run"].into_iter().find(|other| m.flag(other)) {
                Some(other) => bail!("--{option} cannot be used with --{other}"),
                None => bail!("--{option} requires --in-place"),
            }
        }
    }
    if matches!(task, Task::Filter) && (json || options.failed.is_some()) {
        let option = if json { "--format=json" } else { "--failed" };
        bail!("{option} requires a PATH that is not standard input");
    }
    let mut restore = RestoreOptions::default().unmappable(unmappable.unwrap_or_default());
    restore.damage = of_old;
    let restores_lost_bytes = damage == Some(Damage::LostBytes);
    Ok(RepairPlan {
        task,
        candidates,
        unit,
        restores_lost_bytes,
        old,
        encoding,
        restore,
        options,
        max_lines,
        json,
    })
}

/// Returns the source of old versions, if one is given.
fn old(m: &mut Matches) -> Option<Source> {
    let file = m.remove_one::<OsString>("from").map(|old| Source::File(old.into()));
    let revision = file.or_else(|| m.remove_one("from-rev").map(Source::Revision));
    revision.or_else(|| m.flag("history").then_some(Source::History))
}

/// Refuses a revision that does not follow `=`, because it would be taken for a file name.
fn refuse_revision(paths: &[OsString]) -> Result<()> {
    let is_revision = |name: &&str| {
        let rest = name.strip_prefix("HEAD").or_else(|| name.strip_prefix('@'));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['~', '^', '@']))
    };
    let Some(name) = paths.iter().filter_map(|path| path.to_str()).find(is_revision) else { return Ok(()) };
    bail!("a revision follows '=': use --from-rev={name}, or ./{name} for a file of that name")
}

fn task(m: &mut Matches, old: Option<&Source>) -> Result<Task> {
    let in_place = how_in_place(m)?;
    let (is_diff, is_dry) = (m.flag("diff"), m.flag("dry-run"));
    let color = if m.is_given("color") { m.remove_one("color") } else { None };
    let mut targets = Targets { once: true, ..targets(m, "path")? };
    match old {
        Some(source @ (Source::Revision(_) | Source::History)) => {
            match source {
                Source::Revision(revision) => {
                    refuse_revision(&targets.paths)?;
                    targets.wanted.since = Some(revision.clone());
                }
                _ => targets.wanted.tracked = true,
            }
            if targets.is_empty() {
                targets.paths.push(".".into());
            }
        }
        Some(Source::File(_)) if targets.paths.len() != 1 || !targets.lists.is_empty() => {
            bail!("--from works on one PATH: the file that OLD is a version of")
        }
        _ => {}
    }
    let has_stdin = targets.paths.iter().any(|path| path == "-");
    let options = [("in-place", in_place.is_some()), ("diff", is_diff), ("dry-run", is_dry)];
    let option = options.into_iter().find(|(_, is_given)| *is_given);
    if let Some((option, _)) = option {
        ensure!(!targets.is_empty(), "--{option} requires at least one PATH");
    }
    ensure!(
        !has_stdin || option.is_none() && targets.paths.len() == 1 && targets.lists.is_empty(),
        "standard input is repaired alone, without --in-place and --diff; write ./- for a file called -"
    );
    match in_place {
        _ if is_diff => Ok(Task::Diff(targets, color.unwrap_or(When::Auto))),
        Some(how) if is_dry => Ok(Task::Show(targets, Some(how))),
        Some(how) => Ok(Task::Write(targets, how)),
        None if old.is_some() && has_stdin => {
            bail!("--from, --from-rev and --history cannot be used with standard input")
        }
        None if has_stdin || targets.is_empty() => Ok(Task::Filter),
        None => Ok(Task::Show(targets, None)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_lines_fields_and_runs() {
        assert_eq!(unit("line"), Ok(Unit::Line));
        assert_eq!(unit("run"), Ok(Unit::Run));
        assert_eq!(unit("field:,"), Ok(Unit::Field(b',')));
        assert_eq!(unit("field:\\t"), Ok(Unit::Field(b'\t')));
        for wrong in ["field", "field:", "field:ab", "field:é", "field:\n", "word"] {
            assert!(unit(wrong).is_err(), "{wrong}");
        }
    }
}
