//! Checks all files, on all threads, and prints the report.

use std::ffi::OsString;
use std::io::Write;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use indicatif::ProgressBar;

use super::baseline::{self, Baselines};
use super::examine::Examiner;
use super::fix::Fixer;
use super::formats::{Context, Earlier, Format, Put, Reader, summary};
use super::pass::PrintEarly;
use super::plan::{CheckPlan, Output, Settings, Writes};
use super::report::{BaselineTotals, FileResult, Finding, Findings, Report};
use super::rules::{Rule, Selection};
use super::show;
use crate::batch::Mode;
use crate::batch::diff::{Renderer, Style};
use crate::commands::old_versions::{OldVersions, Source, project_configuration};
use crate::config::{Configuration, Purpose};
use crate::files::in_place::is_from_a_run;
use crate::files::leftovers::Replaced;
use crate::files::print::Printer;
use crate::files::ranges::hides_lines;
use crate::files::replace::directory_of;
use crate::files::repository::unstaged;
use crate::files::signals;
use crate::files::sink::Sink;
use crate::files::source::Input;
use crate::files::stdio::{has_piped_data, has_stdin_file};
use crate::files::walk::{Excludes, FileEntry, Targets, WorkQueue};
use crate::files::well_formed::Spare;
use crate::text::stats::Stats;
use crate::ui::color::{has_color, is_terminal_out};
use crate::ui::dialect::Dialect;
use crate::ui::exit::Exit;
use crate::ui::progress::Progress;
use crate::ui::quote::{as_argument, counted, quoted, reason};
use crate::ui::stderr::complain;
use crate::ui::threads::{into_inner, lock, processors, work_on};

/// Error when standard input has data and no path was given.
const NOT_CHECKED: &str = "standard input: not checked; use 'utfconv check -' to check it, or 'utfconv check .' to check only the \
                           current directory";

/// Carries out `plan`; prints the report and all messages.
pub fn run(mut plan: CheckPlan) -> Exit {
    if let (Some(_), [path]) = (plan.settings.range, &plan.targets.paths[..])
        && let Err(error) = Input::new(path.clone()).ensure_regular()
    {
        return Exit::report_failure(Dialect::Utfconv, &format!("{}: {}", quoted(path), reason(&error)));
    }
    let is_terminal = is_terminal_out();
    let is_for_people = matches!(plan.output, Output::Report(format) if format.reader == Reader::People);
    plan.settings.excerpts = is_for_people && plan.excerpt.holds(is_terminal);
    plan.settings.hints = plan.settings.excerpts || !is_for_people;
    let configuration = match configuration(&plan) {
        Ok(configuration) => configuration,
        Err(problems) => {
            problems.iter().for_each(|text| Dialect::Utfconv.report(text));
            return Exit::Failure;
        }
    };
    if let Some(path) = &plan.shows_config {
        return show::print_settings(&plan, configuration.as_deref(), Path::new(path));
    }
    if plan.is_default_path && has_stdin_file() {
        return Exit::report_failure(Dialect::Utfconv, NOT_CHECKED);
    }
    plan.targets.configured = configuration.clone().map(|configuration| configuration as Arc<dyn Excludes>);
    let path = |name: &Option<OsString>| name.as_ref().map(PathBuf::from);
    let (baseline, new_baseline) = (path(&plan.baseline), path(&plan.writes_baseline));
    let baselines = match Baselines::new(new_baseline.as_deref(), baseline.as_deref()) {
        Ok(baselines) => baselines,
        Err(problem) => return Exit::report_failure(Dialect::Utfconv, &problem),
    };
    if plan.fix.is_some() {
        // Signals are set up before other threads start, because threads inherit the signal mask.
        signals::watch();
        signals::refuse_pipe_signal();
    }
    let printer = Mutex::new((Printer::default(), Earlier::default()));
    let Checked { report, baselines, diffs } = check(&plan, configuration.as_deref(), baselines, &printer);
    // In a mode that writes no file, a diff that is not empty means that a file would change. In other modes, the files
    // are changed already.
    let would_change = would_write(&plan) && diffs.iter().any(|diff| !diff.is_empty());
    let exit = match report.totals.found() {
        _ if report.totals.unreadable > 0 || !report.notes.errors.is_empty() => Exit::Failure,
        _ if has_no_tracked_file(&plan, &report) => Exit::Failure,
        _ if would_change => Exit::Fault,
        1.. if !plan.exit_zero => Exit::Fault,
        _ if !plan.exit_zero && report.stats.as_ref().is_some_and(Stats::is_failure) => Exit::Fault,
        _ => Exit::Success,
    };
    let (mut printer, earlier) = into_inner(printer);
    if is_diff(&plan) {
        diffs.iter().for_each(|diff| printer.print(diff));
    } else if would_write(&plan) {
        let fixed = report.fixed.iter().flatten();
        fixed.for_each(|key| printer.print(format!("{}: would be fixed\n", quoted(&key.name)).as_bytes()));
    }
    let printed = print_all(&plan, &report, exit, printer, earlier);
    let written = new_baseline.map_or(Exit::Success, |path| write_baseline(&path, &baselines, exit));
    // The report is not freed, because the process is about to exit.
    mem::forget(report);
    exit.max(printed).max(written)
}

/// Returns the configuration, `None` if none is to be read, or the problems of the file that `--config` names.
fn configuration(plan: &CheckPlan) -> Result<Option<Arc<Configuration>>, Vec<String>> {
    let current = std::env::current_dir().ok().filter(|_| plan.reads_configuration);
    let Some(current) = current else { return Ok(None) };
    let found = Configuration::new(&current, Purpose::Check, Selection::read);
    Ok(Some(Arc::new(found.named(plan.config.as_deref().map(Path::new))?)))
}

/// The results of a run, before anything is printed at its end.
struct Checked {
    report: Report,
    baselines: Baselines,
    /// With `--diff`: the patch for each file, empty if `--fix` would leave the file unchanged.
    diffs: Vec<Vec<u8>>,
}

/// Examines all files, on several threads, and repairs them if `--fix` was given.
fn check(
    plan: &CheckPlan,
    configuration: Option<&Configuration>,
    baselines: Baselines,
    printer: &Mutex<(Printer, Earlier)>,
) -> Checked {
    // A single file has a single examiner; if the file is large, spare threads validate parts of it.
    let (workers, spare) = match (plan.targets.is_one_file(), plan.threads) {
        (true, Some(threads)) => (1, Spare::new(threads - 1)),
        (true, None) => (1, Spare::others()),
        (false, threads) => (threads.unwrap_or_else(processors), Spare::new(0)),
    };
    let current = std::env::current_dir();
    let mut files = Files {
        plan,
        configuration,
        baselines,
        old: old_versions(plan),
        spare,
        printer,
        passed: AtomicU64::new(0),
        queue: WorkQueue::new(plan.targets.clone()),
        is_ended: AtomicBool::new(false),
        found: Mutex::new(RunFindings::new(plan)),
    };
    let template = "{spinner} {bytes} checked, {bytes_per_sec}, {elapsed}";
    let update = |bar: &ProgressBar| bar.set_position(files.passed.load(Ordering::Relaxed));
    Progress::default().watch(template, None, update, || work_on(workers, || files.examine()));
    files.examine_postponed();
    let RunFindings { mut report, broken, replaced, .. } =
        mem::replace(&mut *lock(&files.found), RunFindings::new(plan));
    report.totals.baseline = files.baselines.totals();
    report.notes.errors.extend(files.baselines.problems());
    let diffs = fix(plan, broken, &mut report, || files.examiner(&plan.settings));
    report.notes.errors.extend(replaced.left(!would_write(plan)));
    // A configuration file that is ignored is an error, because files that break its rules would otherwise pass.
    report.notes.errors.extend(configuration.map(Configuration::warnings).unwrap_or_default());
    if let (Err(error), true) = (&current, plan.reads_configuration) {
        let text = format!("the current directory: {}: no configuration is read", reason(error));
        report.notes.warnings.insert(text);
    }
    // Standard input is tested for data after the check, when a process that writes to the pipe has started. Nothing
    // waits for data, because an idle pipe may never close.
    if plan.is_default_path && has_piped_data() {
        report.notes.errors.insert(NOT_CHECKED.into());
    }
    Checked { report, baselines: files.baselines, diffs }
}

/// State shared by the threads that examine files.
struct Files<'a> {
    plan: &'a CheckPlan,
    configuration: Option<&'a Configuration>,
    baselines: Baselines,
    old: Option<OldVersions>,
    spare: Spare,
    printer: &'a Mutex<(Printer, Earlier)>,
    /// Number of bytes read so far, for the progress display.
    passed: AtomicU64,
    queue: WorkQueue,
    /// Set at the first finding if only the exit status is wanted; all threads then stop.
    is_ended: AtomicBool,
    found: Mutex<RunFindings>,
}

/// Results of a thread, or of all threads.
struct RunFindings {
    report: Report,
    /// With `--fix`: the files that have findings.
    broken: Vec<FileEntry>,
    /// Files to check after all others, because a baseline may list them under an earlier name.
    postponed: Vec<FileEntry>,
    /// With `--fix`: all checked files, because an earlier run may have left temporary files beside any of them.
    replaced: Replaced,
}

impl Files<'_> {
    fn examiner<'a>(&'a self, settings: &'a Settings) -> Examiner<'a> {
        let old = self.old.as_ref();
        Examiner::new(settings, self.configuration, &self.baselines, old, &self.spare, &self.passed)
    }

    /// Examines files on one thread until the queue is empty.
    fn examine(&self) {
        let print = |target: &FileEntry, listed: Vec<Finding>| self.print(target, listed);
        let early = prints_early(self.plan).then_some(&print as PrintEarly);
        let mut examiner = self.examiner(&self.plan.settings);
        let mut found = RunFindings::new(self.plan);
        while !self.is_ended.load(Ordering::Relaxed) {
            let batch = self.queue.take(&mut found.report.notes);
            if batch.is_empty() {
                break;
            }
            // No finding is printed early if standard output is among the checked files.
            examiner.early = early.filter(|_| !found.report.notes.has_output);
            for target in batch {
                if self.is_ended.load(Ordering::Relaxed) {
                    break;
                }
                self.examine_one(target, &mut examiner, &mut found);
            }
        }
        self.spare.give(1);
        found.report.stats = examiner.stats;
        lock(&self.found).merge(found);
    }

    fn examine_one(&self, target: FileEntry, examiner: &mut Examiner, found: &mut RunFindings) {
        let plan = self.plan;
        let Some(examined) = examiner.examine(&target) else { return found.postponed.push(target) };
        let has_findings = matches!(examined.result, Some(FileResult::Findings(_)));
        if has_findings && matches!(plan.output, Output::Nothing) && plan.fix.is_none() {
            self.is_ended.store(true, Ordering::Relaxed);
        }
        found.report.add(|| target.key(), examined, plan.verbose);
        // Files without findings are added too, because a killed run may have repaired them and left temporary files.
        if plan.fix.is_some() {
            let name = target.name();
            // The temporary files of a link's target are beside the target.
            let target = name.is_symlink().then(|| name.canonicalize().ok()).flatten();
            let path = target.as_deref().unwrap_or(&name);
            found.replaced.add(directory_of(path), path.file_name().unwrap_or_default());
        }
        if plan.fix.is_some() && has_findings && !is_from_a_run(&target, None) {
            found.broken.push(target.remembered());
        }
    }

    /// Pairs the postponed files with vanished files of baselines, and examines them.
    fn examine_postponed(&mut self) {
        let mut postponed = mem::take(&mut lock(&self.found).postponed);
        if postponed.is_empty() {
            return;
        }
        postponed.sort_by_key(FileEntry::key);
        self.baselines.pair();
        // Statistics are off, because the first examination has counted these files.
        let settings = Settings { stats: false, ..self.plan.settings.clone() };
        let mut examiner = self.examiner(&settings);
        let report = &mut lock(&self.found).report;
        for target in postponed {
            if let Some(examined) = examiner.examine(&target) {
                report.add(|| target.key(), examined, self.plan.verbose);
            }
        }
    }

    /// Prints findings of a file that has not been read to its end.
    fn print(&self, target: &FileEntry, listed: Vec<Finding>) {
        let Output::Report(Format { render_part: render, .. }) = self.plan.output else { return };
        let mut part = Report::new(u64::MAX);
        let total = listed.len() as u64;
        let findings = Findings { listed, total, ..Findings::default() };
        part.add(|| target.key(), FileResult::Findings(findings).into(), false);
        let (printer, earlier) = &mut *lock(self.printer);
        print_pieces(printer, |put| render(&part, &context(self.plan, Exit::Success), earlier, put));
    }
}

impl RunFindings {
    fn new(plan: &CheckPlan) -> RunFindings {
        let (broken, postponed, replaced) = Default::default();
        RunFindings { report: Report::new(plan.max_total), broken, postponed, replaced }
    }

    fn merge(&mut self, other: RunFindings) {
        self.report.merge(other.report);
        self.broken.extend(other.broken);
        self.postponed.extend(other.postponed);
        self.replaced.merge(other.replaced);
    }
}

/// True if findings may be printed before their file ends, because there is a single file, no repair, and no limit on
/// the list.
fn prints_early(plan: &CheckPlan) -> bool {
    matches!(plan.output, Output::Report(_))
        && plan.targets.is_one_file()
        && plan.fix.is_none()
        && plan.settings.max_listed.min(plan.max_total) == u64::MAX
}

/// Returns the output settings that the formats need.
fn context(plan: &CheckPlan, exit: Exit) -> Context {
    Context {
        status: exit.status(Dialect::Utfconv),
        cwd: std::env::current_dir().ok(),
        color: plan.color.holds(has_color()),
        hints: plan.settings.hints,
        hides_lines: hides_lines(plan.settings.range, plan.settings.first_line),
    }
}

/// Returns the source of old versions, if only changed files are checked.
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

/// Repairs the `broken` files if `--fix` or `--diff` was given; returns the patch for each file that changes.
fn fix<'a>(
    plan: &CheckPlan,
    broken: Vec<FileEntry>,
    report: &mut Report,
    examiner: impl Fn() -> Examiner<'a> + Sync,
) -> Vec<Vec<u8>> {
    let Some(fix) = plan.fix.as_ref().filter(|_| !report.notes.has_output) else { return Vec::new() };
    let mode =
        if would_write(plan) { Mode::Diff(Renderer::new(Style::of_output(plan.color))) } else { Mode::Write };
    let fixer = Fixer::new(fix, plan.settings.encoding.is_some(), examiner);
    fixer.fix(broken, fix, mode, report).unwrap_or_else(|text| {
        report.notes.errors.insert(text);
        Vec::new()
    })
}

/// Writes the new baseline, if all files were read.
fn write_baseline(path: &Path, baselines: &Baselines, exit: Exit) -> Exit {
    let (who, shown) = (Dialect::Utfconv, quoted(path));
    let Some((text, files, errors)) = baselines.written() else { return Exit::Success };
    if exit == Exit::Failure {
        let text = "not written, as not all files could be checked; fix the errors above";
        return Exit::report_failure(who, &format!("{shown}: {text}"));
    }
    if !baseline::may_replace(path) {
        let text =
            "not written, because this file is not a baseline; name another file after --write-baseline";
        return Exit::report_failure(who, &format!("{shown}: {text}"));
    }
    let written = Sink::open(Some(path.as_os_str())).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.commit()
    });
    match written {
        Ok(()) => {
            let (errors, files) = (counted(errors, "error"), counted(files, "file"));
            let advice = format!("use --baseline={} to report only new ones", as_argument(path));
            who.report(&format!("{shown}: recorded {errors} in {files}; {advice}"));
            Exit::Success
        }
        Err(error) => Exit::report_failure(who, &who.write_error(&shown, &error)),
    }
}

/// Prints the rest of the report and all messages. Returns a failure if standard output could not be written.
fn print_all(
    plan: &CheckPlan,
    report: &Report,
    exit: Exit,
    mut printer: Printer,
    mut earlier: Earlier,
) -> Exit {
    // A closed standard output is no error if the report is empty, because nothing is written.
    if !report.notes.has_output {
        match plan.output {
            Output::Nothing => {}
            Output::Names { end } => printer.print(&names(report, end)),
            Output::Report(_) if is_diff(plan) => {}
            Output::Report(format) => {
                let context = context(plan, exit);
                print_pieces(&mut printer, |put| (format.render)(report, &context, &mut earlier, put));
            }
        }
    }
    let printed = printer.end(Dialect::Utfconv);
    report_files(plan, report);
    report_totals(plan, report);
    report_unstaged(plan, report);
    let is_service = matches!(plan.output, Output::Report(format) if format.reader == Reader::Service);
    if let (Some(stats), true) = (&report.stats, is_service) {
        complain(&stats.text());
    }
    printed
}

/// Prints the output of `render` in pieces of about 64 KiB, so that a long report is never in memory as a whole.
fn print_pieces(printer: &mut Printer, render: impl FnOnce(&mut Put)) {
    let mut piece = String::new();
    render(&mut |text| {
        piece += text;
        if piece.len() >= 1 << 16 {
            printer.print(piece.as_bytes());
            piece.clear();
        }
    });
    printer.print(piece.as_bytes());
}

/// Returns the names of the files with errors, each followed by `end`; names are quoted unless `end` is NUL.
fn names(report: &Report, end: u8) -> Vec<u8> {
    let with_errors = report.outcomes.iter().filter(|(_, outcome)| outcome.findings().is_some());
    let shown = |name: &OsString| match end {
        b'\0' => name.as_encoded_bytes().to_vec(),
        _ => quoted(name).into_bytes(),
    };
    with_errors.flat_map(|(key, _)| [shown(&key.name), vec![end]].concat()).collect()
}

fn is_diff(plan: &CheckPlan) -> bool {
    plan.fix.as_ref().is_some_and(|fix| fix.writes == Writes::Diff)
}

/// True if `--fix` runs in a mode that writes no file (`--diff` or `--dry-run`).
fn would_write(plan: &CheckPlan) -> bool {
    plan.fix.as_ref().is_some_and(|fix| fix.writes != Writes::Files)
}

/// Prints messages about files that were not checked, and about the run.
fn report_files(plan: &CheckPlan, report: &Report) {
    let who = Dialect::Utfconv;
    let is_quiet = matches!(plan.output, Output::Nothing);
    for (key, outcome) in &report.outcomes {
        match outcome {
            FileResult::Unreadable(why) => who.report(&format!("{}: {why}", quoted(&key.name))),
            FileResult::Binary if !is_quiet => who.report(&format!("{}: binary, skipped", quoted(&key.name))),
            _ => {}
        }
    }
    if !is_quiet
        && !plan.targets.wanted.is_of_changes()
        && let Some(text) = nothing_checked(report, &plan.targets)
    {
        who.report(&text);
    }
    report.notes.errors.iter().for_each(|text| who.report(text));
    report.notes.warnings.iter().for_each(|text| who.report(&format!("warning: {text}")));
    if let Some(BaselineTotals { gone: gone @ 1.., .. }) = report.totals.baseline
        && !is_quiet
    {
        let are = if gone == 1 { "is" } else { "are" };
        let gone = counted(gone, "known error");
        who.report(&format!("{gone} {are} gone; write the baseline again with --write-baseline"));
    }
}

/// Prints the number of errors and of fixed files.
fn report_totals(plan: &CheckPlan, report: &Report) {
    let who = Dialect::Utfconv;
    let (fixed, would_write) = (report.fixed.as_deref().unwrap_or_default(), would_write(plan));
    if plan.verbose && !would_write {
        fixed.iter().for_each(|key| who.report(&format!("{}: fixed", quoted(&key.name))));
    }
    let is_worth_it = report.totals.found() > 0 || !fixed.is_empty() || plan.verbose;
    if !matches!(plan.output, Output::Report(_)) || !is_worth_it {
        return;
    }
    let count = counted(fixed.len() as u64, "file");
    let mut found = summary(report);
    if plan.fix.is_some() {
        found += advice_to_convert(report, plan.settings.encoding.is_some());
    }
    let text = match (&report.fixed, would_write) {
        (None, _) => found,
        (Some(_), false) => format!("{count} fixed; {found}"),
        (Some(_), true) if fixed.is_empty() => format!("no file would be fixed; {found}"),
        (Some(_), true) => {
            let option = if is_diff(plan) { "diff" } else { "dry-run" };
            format!("{count} would be fixed; then {found}; use --fix without --{option} to fix")
        }
    };
    let hidden = if plan.verbose { hidden_files(report) } else { String::new() };
    who.report(&(text + &hidden));
}

/// Returns the number of hidden files and directories that were left out, as the last part of the summary. If no file
/// was found, the number is omitted because the warning about that names `--hidden`.
fn hidden_files(report: &Report) -> String {
    let totals = &report.totals;
    match report.notes.left_out.hidden {
        0 => String::new(),
        _ if totals.files + totals.binary + totals.unreadable == 0 => String::new(),
        1 => "; 1 hidden file or directory left out (--hidden checks it)".to_string(),
        count => format!("; {count} hidden files or directories left out (--hidden checks them)"),
    }
}

/// Reports files whose staged version has errors and whose version in the work tree is different, because the errors
/// may be corrected there.
fn report_unstaged(plan: &CheckPlan, report: &Report) {
    let with_errors = report.outcomes.iter().filter(|(_, outcome)| outcome.findings().is_some());
    let names: Vec<_> = with_errors.map(|(key, _)| Path::new(&key.name)).collect();
    if !plan.targets.wanted.staged || names.is_empty() || !matches!(plan.output, Output::Report(_)) {
        return;
    }
    let unstaged = unstaged().unwrap_or_default();
    for name in names.into_iter().filter(|name| name.is_file() && unstaged.contains(*name)) {
        let (shown, file) = (quoted(name), as_argument(name));
        Dialect::Utfconv.report(&format!(
            "{shown}: what is staged has errors, and the file is different; use 'git add {file}' to stage it"
        ));
    }
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

/// True if only files that git tracks were to be checked, and there are none.
fn has_no_tracked_file(plan: &CheckPlan, report: &Report) -> bool {
    let totals = &report.totals;
    plan.targets.wanted.tracked && totals.files == 0 && totals.binary == 0
}

/// Returns advice with the command that checks the whole repository; empty unless the only path is below the root of a
/// repository.
fn whole_repository(targets: &Targets) -> String {
    let [path] = &targets.paths[..] else { return String::new() };
    let root = Path::new(path).canonicalize().ok().and_then(|path| {
        let root = path.ancestors().find(|above| above.join(".git").exists())?;
        (root != path).then(|| root.to_path_buf())
    });
    root.map_or_else(String::new, |root| {
        let root = as_argument(root);
        format!("; use 'utfconv check --tracked {root}' for the whole repository")
    })
}

/// Returns the message that no file was checked; `None` if a file was checked, or if an error explains why none was.
fn nothing_checked(report: &Report, targets: &Targets) -> Option<String> {
    let totals = &report.totals;
    if totals.files > 0 || totals.unreadable > 0 || !report.notes.errors.is_empty() {
        return None;
    }
    Some(match totals.binary {
        0 if targets.wanted.tracked => {
            format!("no tracked files here: nothing to check{}", whole_repository(targets))
        }
        0 => format!("warning: {}", targets.no_files("check", report.notes.left_out)),
        binary => format!("warning: nothing to check: {} skipped", counted(binary, "binary file")),
    })
}
