//! Checks all files, on all threads, and prints the report.

use std::ffi::OsString;
use std::io::Write;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use indicatif::ProgressBar;

use super::baseline::{self, Baselines};
use super::examine::{Examiner, PrintEarly};
use super::fast::Spare;
use super::fix::Fixer;
use super::formats::{Context, Earlier, Format, Reader, summary};
use super::plan::{CheckPlan, Output, Settings};
use super::report::{BaselineTotals, Finding, Findings, Outcome, Report};
use super::rules::{Rule, Selection};
use super::show;
use crate::config::{Configuration, Purpose};
use crate::diff::{Renderer, Style};
use crate::edits::Mode;
use crate::files::in_place::is_from_a_run;
use crate::files::print::Printer;
use crate::files::ranges::hides_lines;
use crate::files::signals;
use crate::files::sink::Sink;
use crate::files::source::Input;
use crate::files::stdio::has_stdin_data;
use crate::files::walk::{Excludes, FileEntry, Supply, Targets};
use crate::restore::{OldVersions, Source, project_configuration};
use crate::ui::color::{has_color, is_terminal_out};
use crate::ui::exit::Exit;
use crate::ui::personality::Personality;
use crate::ui::progress::Progress;
use crate::ui::quote::{counted, quoted, reason};
use crate::ui::stderr::complain;
use crate::ui::threads::{into_inner, lock, processors, work_on};

/// Carries out `plan`; prints the report and all messages.
pub fn run(mut plan: CheckPlan) -> Exit {
    if let (Some(_), [path]) = (plan.settings.range, &plan.targets.paths[..])
        && let Err(error) = Input::new(path.clone()).ensure_regular()
    {
        Personality::Utfconv.report(&format!("{}: {}", quoted(path), reason(&error)));
        return Exit::Failure;
    }
    let is_terminal = is_terminal_out();
    let is_for_people = matches!(plan.output, Output::Report(format) if format.reader == Reader::People);
    plan.settings.excerpts = is_for_people && plan.excerpt.holds(is_terminal);
    plan.settings.hints = plan.settings.excerpts || !is_for_people;
    let configuration = match configuration(&plan) {
        Ok(configuration) => configuration,
        Err(problems) => {
            problems.iter().for_each(|text| Personality::Utfconv.report(text));
            return Exit::Failure;
        }
    };
    if let Some(path) = &plan.shows_config {
        return show::print_settings(&plan, configuration.as_deref(), Path::new(path));
    }
    plan.targets.configured = configuration.clone().map(|configuration| configuration as Arc<dyn Excludes>);
    let path = |name: &Option<OsString>| name.as_ref().map(PathBuf::from);
    let (baseline, new_baseline) = (path(&plan.baseline), path(&plan.writes_baseline));
    let baselines = match Baselines::new(new_baseline.as_deref(), baseline.as_deref()) {
        Ok(baselines) => baselines,
        Err(problem) => {
            Personality::Utfconv.report(&problem);
            return Exit::Failure;
        }
    };
    if plan.fix.is_some() {
        // This must happen before other threads start.
        signals::watch();
        signals::refuse_pipe_signal();
    }
    let printer = Mutex::new((Printer::default(), Earlier::default()));
    let Checked { report, baselines, diffs } = check(&plan, configuration.as_deref(), baselines, &printer);
    let would_change = diffs.iter().any(|diff| !diff.is_empty());
    let exit = match report.totals.found() {
        _ if report.totals.unreadable > 0 || !report.notes.errors.is_empty() => Exit::Failure,
        _ if would_change => Exit::Fault,
        1.. if !plan.exit_zero => Exit::Fault,
        _ => Exit::Success,
    };
    let (mut printer, earlier) = into_inner(printer);
    diffs.iter().for_each(|diff| printer.print(diff));
    let printed = print_all(&plan, &report, exit, printer, earlier);
    let written = new_baseline.map_or(Exit::Success, |path| write_baseline(&path, &baselines, exit));
    // The process ends: freeing the memory would only take time.
    mem::forget(report);
    exit.max(printed).max(written)
}

/// Returns the configuration that files obey, if it is read; or the problems of the one that was named.
fn configuration(plan: &CheckPlan) -> Result<Option<Arc<Configuration>>, Vec<String>> {
    let current = std::env::current_dir().ok().filter(|_| plan.reads_configuration);
    let Some(current) = current else { return Ok(None) };
    let found = Configuration::new(&current, Purpose::Check, Selection::read);
    Ok(Some(Arc::new(found.named(plan.config.as_deref().map(Path::new))?)))
}

/// What comes of a check.
struct Checked {
    report: Report,
    baselines: Baselines,
    /// What would change in each file.
    diffs: Vec<Vec<u8>>,
}

/// Examines all files, on all threads, and repairs them if that is requested.
fn check(
    plan: &CheckPlan,
    configuration: Option<&Configuration>,
    mut baselines: Baselines,
    printer: &Mutex<(Printer, Earlier)>,
) -> Checked {
    // One file needs one examiner; the other threads help if the file is large.
    let (workers, spare) = match (plan.targets.is_one_file(), plan.threads) {
        (true, Some(threads)) => (1, Spare::new(threads - 1)),
        (true, None) => (1, Spare::others()),
        (false, threads) => (threads.unwrap_or_else(processors), Spare::new(0)),
    };
    let old = old_versions(plan);
    let passed = AtomicU64::new(0);
    let supply = Supply::new(plan.targets.clone());
    let total = Mutex::new(Report::new(plan.max_total));
    let postponed = Mutex::new(Vec::new());
    let is_ended = AtomicBool::new(false);
    let ends_at_first = matches!(plan.output, Output::Nothing) && plan.fix.is_none();
    let broken = Mutex::new(Vec::new());
    let current = std::env::current_dir();
    let print = |target: &FileEntry, listed: Vec<Finding>| {
        let Output::Report(Format { render_part: Some(render), .. }) = plan.output else { return };
        let mut part = Report::new(u64::MAX);
        let total = listed.len() as u64;
        let findings = Findings { listed, total, ..Findings::default() };
        part.add(|| target.key(), Some(Outcome::Findings(findings)), 0, false);
        let (printer, earlier) = &mut *lock(printer);
        printer.print(render(&part, &context(plan, Exit::Success), earlier).as_bytes());
    };
    let early = prints_early(plan).then_some(&print as PrintEarly);
    let work = || {
        let mut examiner =
            Examiner::new(&plan.settings, configuration, &baselines, &spare, &passed).since(old.as_ref());
        let mut report = Report::new(plan.max_total);
        while !is_ended.load(Ordering::Relaxed) {
            let batch = supply.take(&mut report.notes);
            if batch.is_empty() {
                break;
            }
            // Nothing is printed if the output is among the files.
            examiner = examiner.early(early.filter(|_| !report.notes.has_output));
            for target in batch {
                if is_ended.load(Ordering::Relaxed) {
                    break;
                }
                let Some((outcome, bytes)) = examiner.examine(&target) else {
                    lock(&postponed).push(target);
                    continue;
                };
                let has_findings = matches!(outcome, Some(Outcome::Findings(_)));
                if ends_at_first && has_findings {
                    is_ended.store(true, Ordering::Relaxed);
                }
                report.add(|| target.key(), outcome, bytes, plan.verbose);
                if plan.fix.is_some() && has_findings && !is_from_a_run(&target, None) {
                    lock(&broken).push(target.remembered());
                }
            }
        }
        spare.give(1);
        report.stats = examiner.stats;
        lock(&total).merge(report);
    };
    let template = "{spinner} {bytes} checked, {bytes_per_sec}, {elapsed}";
    let update = |bar: &ProgressBar| bar.set_position(passed.load(Ordering::Relaxed));
    Progress::default().watch(template, None, update, || work_on(workers, work));
    let mut report = into_inner(total);
    let mut postponed = into_inner(postponed);
    if !postponed.is_empty() {
        postponed.sort_by_key(FileEntry::key);
        baselines.pair();
        // These files are in the statistics already.
        let settings = Settings { stats: false, ..plan.settings.clone() };
        let mut examiner =
            Examiner::new(&settings, configuration, &baselines, &spare, &passed).since(old.as_ref());
        for target in postponed {
            if let Some((outcome, bytes)) = examiner.examine(&target) {
                report.add(|| target.key(), outcome, bytes, plan.verbose);
            }
        }
    }
    report.totals.baseline = baselines.totals();
    report.notes.errors.extend(baselines.problems());
    let examiner =
        || Examiner::new(&plan.settings, configuration, &baselines, &spare, &passed).since(old.as_ref());
    let diffs = fix(plan, into_inner(broken), &mut report, examiner);
    report.notes.errors.extend(configuration.map(Configuration::problems).unwrap_or_default());
    if let (Err(error), true) = (&current, plan.reads_configuration) {
        let text = format!("the current directory: {}: no configuration is read", reason(error));
        report.notes.warnings.insert(text);
    }
    // At the end, a process that writes to a pipe has begun. An idle pipe may stay open, so nothing waits for it.
    if plan.is_default_path && has_stdin_data() {
        let text = "standard input: not checked; use 'utfconv check -' to check it, or 'utfconv check .' to check only the \
                    current directory";
        report.notes.errors.insert(text.into());
    }
    Checked { report, baselines, diffs }
}

/// Whether findings can be printed at once: those of one file, if the format allows it and none is removed later.
fn prints_early(plan: &CheckPlan) -> bool {
    matches!(plan.output, Output::Report(Format { render_part: Some(_), .. }))
        && plan.targets.is_one_file()
        && plan.fix.is_none()
        && plan.settings.max_listed.min(plan.max_total) == u64::MAX
}

/// What a report shows besides.
fn context(plan: &CheckPlan, exit: Exit) -> Context {
    Context {
        status: exit.status(Personality::Utfconv),
        cwd: std::env::current_dir().ok(),
        color: plan.color.holds(has_color()),
        hints: plan.settings.hints,
        hides_lines: hides_lines(plan.settings.range, plan.settings.first_line),
    }
}

/// Returns the old versions of the files, if only those that changed are checked.
fn old_versions(plan: &CheckPlan) -> Option<OldVersions> {
    let wanted = &plan.targets.wanted;
    let revision = match &wanted.since {
        Some(revision) => revision.clone(),
        None if wanted.is_of_changes() => "HEAD".into(),
        None => return None,
    };
    let encoding = plan.settings.encoding;
    Some(OldVersions::new(Source::Revision(revision), encoding, project_configuration(), !wanted.staged))
}

/// Repairs the files in which errors were found, if that is requested; returns what would change in each.
fn fix<'a>(
    plan: &CheckPlan,
    broken: Vec<FileEntry>,
    report: &mut Report,
    examiner: impl Fn() -> Examiner<'a> + Sync,
) -> Vec<Vec<u8>> {
    let Some(fix) = plan.fix.as_ref().filter(|_| !report.notes.has_output) else { return Vec::new() };
    let mode =
        if fix.is_diff { Mode::Diff(Renderer::new(Style::of_output(plan.color))) } else { Mode::Write };
    let fixer = Fixer::new(fix, plan.settings.encoding.is_some(), examiner);
    fixer.fix(broken, fix, mode, report).unwrap_or_else(|text| {
        report.notes.errors.insert(text);
        Vec::new()
    })
}

/// Writes the new baseline, if all files were read.
fn write_baseline(path: &Path, baselines: &Baselines, exit: Exit) -> Exit {
    let (who, shown) = (Personality::Utfconv, quoted(path.as_os_str()));
    let Some((text, files, errors)) = baselines.written() else { return Exit::Success };
    if exit == Exit::Failure {
        who.report(&format!("{shown}: not written, as not all files could be checked; fix the errors above"));
        return Exit::Failure;
    }
    if !baseline::may_replace(path) {
        who.report(&format!(
            "{shown}: not written: the file is not a baseline; remove it, or name another file"
        ));
        return Exit::Failure;
    }
    let written = Sink::open(Some(path.as_os_str())).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.commit()
    });
    match written {
        Ok(()) => {
            let (errors, files) = (counted(errors, "error"), counted(files, "file"));
            who.report(&format!("{shown}: recorded {errors} in {files}; later runs only report new ones"));
            Exit::Success
        }
        Err(error) => {
            who.report(&who.write_error(&shown, &error));
            Exit::Failure
        }
    }
}

/// Prints the rest of the report and the messages; returns whether all was printed.
fn print_all(
    plan: &CheckPlan,
    report: &Report,
    exit: Exit,
    mut printer: Printer,
    mut earlier: Earlier,
) -> Exit {
    let who = Personality::Utfconv;
    let mut out = Vec::new();
    match plan.output {
        Output::Nothing => {}
        Output::Names { end } => {
            for (key, outcome) in &report.outcomes {
                if matches!(outcome, Outcome::Findings(_)) {
                    match end {
                        b'\0' => out.extend_from_slice(key.name.as_encoded_bytes()),
                        _ => out.extend_from_slice(quoted(&key.name).as_bytes()),
                    }
                    out.push(end);
                }
            }
        }
        Output::Report(_) if plan.fix.as_ref().is_some_and(|fix| fix.is_diff) => {}
        Output::Report(format) => {
            out = (format.render)(report, &context(plan, exit), &mut earlier).into_bytes();
        }
    }
    if report.notes.has_output {
        out.clear();
    }
    // If there is nothing to write, standard output may be closed.
    printer.print(&out);
    let printed = printer.end(who);
    for (key, outcome) in &report.outcomes {
        match outcome {
            Outcome::Unreadable(why) => who.report(&format!("{}: {why}", quoted(&key.name))),
            Outcome::Binary if !matches!(plan.output, Output::Nothing) => {
                who.report(&format!("{}: binary, skipped", quoted(&key.name)));
            }
            _ => {}
        }
    }
    if !matches!(plan.output, Output::Nothing)
        && !plan.targets.wanted.is_of_changes()
        && let Some(text) = nothing_checked(report, &plan.targets)
    {
        who.report(&text);
    }
    report.notes.errors.iter().for_each(|text| who.report(text));
    report.notes.warnings.iter().for_each(|text| who.report(&format!("warning: {text}")));
    if let Some(BaselineTotals { gone: gone @ 1.., .. }) = report.totals.baseline
        && !matches!(plan.output, Output::Nothing)
    {
        let are = if gone == 1 { "is" } else { "are" };
        let gone = counted(gone, "known error");
        who.report(&format!("{gone} {are} gone; write the baseline again with --write-baseline"));
    }
    let fixed = report.fixed.as_deref().unwrap_or_default();
    let is_diff = plan.fix.as_ref().is_some_and(|fix| fix.is_diff);
    if plan.verbose && !is_diff {
        fixed.iter().for_each(|key| who.report(&format!("{}: fixed", quoted(&key.name))));
    }
    let is_worth_it = report.totals.found() > 0 || !fixed.is_empty() || plan.verbose;
    if matches!(plan.output, Output::Report(_)) && is_worth_it {
        let count = counted(fixed.len() as u64, "file");
        let mut found = summary(report);
        if plan.fix.is_some() {
            found += advice_to_convert(report, plan.settings.encoding.is_some());
        }
        let text = match (&report.fixed, is_diff) {
            (None, _) => found,
            (Some(_), false) => format!("{count} fixed; {found}"),
            (Some(_), true) if fixed.is_empty() => format!("no file would be fixed; {found}"),
            (Some(_), true) => {
                format!("{count} would be fixed; then {found}; use --fix without --diff to fix")
            }
        };
        who.report(&text);
    }
    let has_stats = matches!(plan.output, Output::Report(format) if format.reader != Reader::Service);
    if let (Some(stats), false) = (&report.stats, has_stats) {
        complain(&stats.text());
    }
    printed
}

/// Returns advice on files that a repair leaves because of their encoding.
fn advice_to_convert(report: &Report, is_encoding_named: bool) -> &'static str {
    let has = |rule| report.totals.findings.get(&rule).is_some_and(|count| *count > 0);
    if is_encoding_named {
        ""
    } else if report.is_uncertain {
        "; --min-certainty=likely converts files that look like another encoding"
    } else if has(Rule::WrongEncoding) {
        "; 'utfconv -i -f auto FILE' converts files in another encoding"
    } else if has(Rule::IllFormed) {
        "; 'utfconv detect' shows in which encoding files with invalid UTF-8 may be"
    } else {
        ""
    }
}

/// Reports that no file was checked, if nothing else explains it.
fn nothing_checked(report: &Report, targets: &Targets) -> Option<String> {
    let totals = &report.totals;
    if totals.files > 0 || totals.unreadable > 0 || !report.notes.errors.is_empty() {
        return None;
    }
    Some(match totals.binary {
        0 => format!("warning: {}", targets.no_files("check")),
        binary => format!("warning: nothing to check: {} skipped", counted(binary, "binary file")),
    })
}
