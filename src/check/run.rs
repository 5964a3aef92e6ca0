//! Checks all files, on all threads, and prints the report.

use std::mem;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use indicatif::ProgressBar;

use super::examine::Examiner;
use super::fast::Spare;
use super::formats::{Context, Reader, summary};
use super::plan::{CheckPlan, Output};
use super::report::{Outcome, Report};
use super::rules::Selection;
use super::show;
use crate::config::{Configuration, Purpose};
use crate::files::print::print;
use crate::files::ranges::hides_lines;
use crate::files::source::Input;
use crate::files::stdio::has_stdin_data;
use crate::files::walk::{Excludes, Supply};
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
    let report = check(&plan, configuration.as_deref());
    let exit = match report.totals.found() {
        _ if report.totals.unreadable > 0 || !report.notes.errors.is_empty() => Exit::Failure,
        1.. if !plan.exit_zero => Exit::Fault,
        _ => Exit::Success,
    };
    let printed = print_all(&plan, &report, exit);
    // The process ends: freeing the memory would only take time.
    mem::forget(report);
    exit.max(printed)
}

/// The configuration that files obey, if it is read; or the problems of the one that was named.
fn configuration(plan: &CheckPlan) -> Result<Option<Arc<Configuration>>, Vec<String>> {
    let current = std::env::current_dir().ok().filter(|_| plan.reads_configuration);
    let Some(current) = current else { return Ok(None) };
    let found = Configuration::new(&current, Purpose::Check, Selection::read);
    Ok(Some(Arc::new(found.named(plan.config.as_deref().map(Path::new))?)))
}

/// Examines all files, on all threads.
fn check(plan: &CheckPlan, configuration: Option<&Configuration>) -> Report {
    // One file needs one examiner; the other threads help if the file is large.
    let (workers, spare) = match (plan.targets.is_one_file(), plan.threads) {
        (true, Some(threads)) => (1, Spare::new(threads - 1)),
        (true, None) => (1, Spare::others()),
        (false, threads) => (threads.unwrap_or_else(processors), Spare::new(0)),
    };
    let passed = AtomicU64::new(0);
    let supply = Supply::new(plan.targets.clone());
    let total = Mutex::new(Report::new(plan.max_total));
    let is_ended = AtomicBool::new(false);
    let current = std::env::current_dir();
    let work = || {
        let mut examiner = Examiner::new(&plan.settings, configuration, &spare, &passed);
        let mut report = Report::new(plan.max_total);
        while !is_ended.load(Ordering::Relaxed) {
            let batch = supply.take(&mut report.notes);
            if batch.is_empty() {
                break;
            }
            for target in batch {
                if is_ended.load(Ordering::Relaxed) {
                    break;
                }
                let (outcome, bytes) = examiner.examine(&target);
                if matches!(plan.output, Output::Nothing) && matches!(outcome, Some(Outcome::Findings(_))) {
                    is_ended.store(true, Ordering::Relaxed);
                }
                report.add(|| target.key(), outcome, bytes, plan.verbose);
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
    report.notes.errors.extend(configuration.map(Configuration::problems).unwrap_or_default());
    if let (Err(error), true) = (&current, plan.reads_configuration) {
        let text = format!("the current directory: {}: no configuration is read", reason(error));
        report.notes.warnings.insert(text);
    }
    report
}

/// Prints the report and the messages; returns whether that succeeded.
fn print_all(plan: &CheckPlan, report: &Report, exit: Exit) -> Exit {
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
        Output::Report(format) => {
            let context = Context {
                status: exit.status(who),
                cwd: std::env::current_dir().ok(),
                color: plan.color.holds(has_color()),
                hints: plan.settings.hints,
                hides_lines: hides_lines(plan.settings.range, plan.settings.first_line),
            };
            out = (format.render)(report, &context).into_bytes();
        }
    }
    if report.notes.has_output {
        out.clear();
    }
    // If there is nothing to write, standard output may be closed.
    let printed = if out.is_empty() { Exit::Success } else { print(who, out) };
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
        && let Some(text) = nothing_checked(report)
    {
        who.report(&text);
    }
    // At the end: by now, whoever writes to a pipe has begun.
    if plan.is_default_path && !matches!(plan.output, Output::Nothing) && has_stdin_data() {
        who.report("warning: checked the current directory; use '-' to check standard input");
    }
    report.notes.errors.iter().for_each(|text| who.report(text));
    report.notes.warnings.iter().for_each(|text| who.report(&format!("warning: {text}")));
    if matches!(plan.output, Output::Report(_)) && (report.totals.found() > 0 || plan.verbose) {
        who.report(&summary(report));
    }
    let has_stats = matches!(plan.output, Output::Report(format) if format.reader != Reader::Service);
    if let (Some(stats), false) = (&report.stats, has_stats) {
        complain(&stats.text());
    }
    printed
}

/// Reports that no file was checked, if nothing else explains it.
fn nothing_checked(report: &Report) -> Option<String> {
    let totals = &report.totals;
    if totals.files > 0 || totals.unreadable > 0 || !report.notes.errors.is_empty() {
        return None;
    }
    Some(match totals.binary {
        0 => "warning: no files found: nothing to check".to_string(),
        binary => format!("warning: nothing to check: {} skipped", counted(binary, "binary file")),
    })
}
