//! Reports the outcome of each file, in the order of the files, and sums up the outcomes.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use utfconv_core::UTF_8;

use super::one::{ConversionOutcome, Ended, Lengths, UNKNOWN};
use crate::batch::{Cause, Destination, Failures, FileLine, Job, JsonReport, SkipKind, Skipped};
use crate::commands::convert::options::{FileOptions, RangeFormat};
use crate::commands::convert::plan::ConvertPlan;
use crate::commands::convert::report::Reporter;
use crate::files::print::Printer;
use crate::files::walk::LeftOut;
use crate::text::auto::Guess;
use crate::text::stats::Stats;
use crate::ui::exit::Exit;
use crate::ui::progress::Progress;
use crate::ui::quote::{counted, quoted};
use crate::ui::stderr::complain;

pub struct Report<'a> {
    plan: &'a ConvertPlan,
    destination: &'a Destination,
    /// True if the batch has a single file.
    is_one: bool,
    progress: &'a Progress,
    reporter: Reporter<'a>,
    exit: Exit,
    sums: Sums,
    guesses: Guesses,
    failures: Failures,
    /// The converted files whose encoding is unknown.
    unknown: Alike,
    stats: Option<Stats>,
    json: Option<JsonReport>,
    /// Prints JSON, the report of a dry run, or the diffs, to standard output.
    printer: Printer,
    /// The number of files that the run has reached.
    reached: u64,
    has_warned_of_yen: bool,
}

/// The outcomes of files in JSON, besides skipped and failed.
const CONVERTED: &str = "converted";
const UNCHANGED: &str = "unchanged";
const ALREADY: &str = "already";
const COPIED: &str = "copied";

/// The files whose encoding is a guess, grouped by the guess.
#[derive(Default)]
struct Guesses(BTreeMap<&'static str, Alike>);

/// Files with the same guess, or files without a guess.
#[derive(Default)]
struct Alike {
    count: u64,
    first: String,
    /// Number of files for which each encoding is an alternative.
    alternatives: BTreeMap<&'static str, u64>,
}

/// The outcome of a file that was converted, or rightly stays unchanged.
struct Done {
    /// The outcome in words, which a dry run prints.
    what: String,
    /// True if a run that writes reports the outcome.
    is_reported: bool,
}

/// Maximum number of groups that are reported one by one.
const GROUPS: usize = 12;

impl Guesses {
    fn add(&mut self, name: &str, guess: &Guess) {
        let alike = self.0.entry(guess.name).or_default();
        alike.add(name);
        guess.alternatives.iter().for_each(|other| *alike.alternatives.entry(other).or_default() += 1);
    }

    /// Returns a line for each group, the largest first.
    fn lines(&self) -> Vec<String> {
        let mut groups: Vec<_> = self.0.iter().collect();
        groups.sort_by_key(|(_, alike)| Reverse(alike.count));
        let mut lines: Vec<_> = groups.iter().take(GROUPS).map(|(name, alike)| alike.line(name)).collect();
        let rest: u64 = groups.iter().skip(GROUPS).map(|(_, alike)| alike.count).sum();
        if rest > 0 {
            lines.push(format!("{}: other guesses; use -v to list all", counted(rest, "file")));
        }
        lines
    }
}

impl Alike {
    fn add(&mut self, name: &str) {
        if self.count == 0 {
            self.first = name.to_string();
        }
        self.count += 1;
    }

    /// Returns the name of the first file, and "and others" if there are more.
    fn names(&self) -> String {
        if self.count == 1 { self.first.clone() } else { format!("{} and others", self.first) }
    }

    fn line(&self, name: &str) -> String {
        let mut others: Vec<_> = self.alternatives.iter().collect();
        others.sort_by_key(|(_, count)| Reverse(**count));
        let names: Vec<_> =
            [name].into_iter().chain(others.iter().map(|(other, _)| **other)).take(3).collect();
        let (files, names, which) = (counted(self.count, "file"), names.join(" or "), self.names());
        if name == UTF_8.name() {
            return format!("{files} not converted: UTF-8 with errors; see utfconv-repair(1) ({which})");
        }
        format!("{files} not converted: a guess, {names}; --min-certainty=guess converts as {name} ({which})")
    }
}

/// The numbers of files by outcome.
#[derive(Default)]
struct Sums {
    converted: u64,
    unchanged: u64,
    already: u64,
    /// Number of files that an earlier run with the same manifest has converted.
    done: u64,
    copied: u64,
    binary: u64,
    configured: u64,
    manifests: u64,
    /// Number of bytes read for converted files; `written` is the number of bytes written.
    read: u64,
    written: u64,
    /// The numbers of converted files by the encoding that was detected.
    detected: BTreeMap<&'static str, u64>,
}

impl Sums {
    /// Returns the detected encodings in words, the most frequent first.
    fn from(&self) -> String {
        let mut all: Vec<_> = self.detected.iter().collect();
        all.sort_by_key(|(_, count)| Reverse(**count));
        let mut words: Vec<_> =
            all.iter().take(GROUPS).map(|(name, count)| format!("{count} from {name}")).collect();
        let rest: u64 = all.iter().skip(GROUPS).map(|(_, count)| **count).sum();
        if rest > 0 {
            words.push(format!("{rest} from others"));
        }
        if words.is_empty() { String::new() } else { format!(" ({})", words.join(", ")) }
    }
}

impl<'a> Report<'a> {
    pub fn new(
        plan: &'a ConvertPlan,
        destination: &'a Destination,
        is_one: bool,
        progress: &'a Progress,
    ) -> Report<'a> {
        Report {
            plan,
            destination,
            is_one,
            progress,
            reporter: Reporter::new(plan),
            exit: Exit::Success,
            sums: Sums::default(),
            guesses: Guesses::default(),
            failures: Failures::default(),
            unknown: Alike::default(),
            stats: plan.errors.stats.then(|| Stats::new(Some(plan.to))),
            json: (plan.ranges.format == Some(RangeFormat::Json))
                .then(|| JsonReport::new(&[CONVERTED, UNCHANGED, ALREADY, COPIED], plan.files.dry_run)),
            printer: Printer::default(),
            reached: 0,
            has_warned_of_yen: false,
        }
    }

    /// Reports the outcome of a file, and prints its diff, which is `patch`.
    pub fn add(&mut self, job: &Job, outcome: ConversionOutcome<'a>, patch: &[u8]) {
        self.reached += 1;
        let ConversionOutcome { name, mut reporter, ended, lengths, changes, yen, stats } = outcome;
        if let (Some(sums), Some(more)) = (&mut self.stats, stats) {
            sums.add(more);
        }
        if let Some(yen) = yen.filter(|_| !self.has_warned_of_yen) {
            self.has_warned_of_yen = true;
            reporter.warn(&name, &yen);
        }
        self.print_line(job, &ended, lengths, &reporter);
        self.count_failure(&name, &ended, &mut reporter);
        let FileOptions { dry_run, diff, .. } = self.plan.files;
        match self.count(&name, &ended, lengths, changes) {
            Some(_) if dry_run && self.json.is_some() => {}
            Some(Done { what, .. }) if dry_run && diff.is_none() => {
                self.printer.print(format!("{name}: {what}\n").as_bytes());
            }
            Some(Done { what, is_reported: true }) => reporter.report(&format!("{name}: {what}")),
            _ => {}
        }
        self.progress.aside(|| {
            self.printer.print(patch);
            self.reporter.take(reporter);
        });
    }

    /// Counts a file that was converted or rightly stays unchanged. Returns the outcome in words, and whether a run
    /// reports it.
    fn count(
        &mut self,
        name: &str,
        ended: &Ended,
        lengths: Lengths,
        changes: Option<String>,
    ) -> Option<Done> {
        let Lengths { read, written } = lengths;
        let FileOptions { dry_run, diff, .. } = self.plan.files;
        let (verbose, silent) = (self.plan.io.verbose, self.plan.errors.silent);
        // A single file has no summary, so its outcome is reported.
        let is_alone = self.is_one && !silent;
        let sums = &mut self.sums;
        let (what, is_reported) = match ended {
            Ended::Converted { from, to } => {
                let is_detected = self.plan.from.is_none() && from != to;
                if is_detected {
                    *sums.detected.entry(from).or_default() += 1;
                }
                if *from == UNKNOWN {
                    self.unknown.add(name);
                }
                sums.converted += 1;
                sums.read += read;
                sums.written += written;
                if diff.is_some() {
                    self.exit = self.exit.max(Exit::Fault);
                }
                let would = if dry_run { "would be " } else { "" };
                let how = match changes {
                    Some(changes) => format!("changed: {changes}"),
                    None => format!("converted from {from} to {to}"),
                };
                let what = format!("{would}{how}, {read} to {written} bytes");
                (what, is_detected && is_alone)
            }
            Ended::Unchanged => {
                sums.unchanged += 1;
                return (verbose || is_alone)
                    .then(|| Done { what: "unchanged".to_string(), is_reported: true });
            }
            Ended::Already(encoding) => {
                sums.already += 1;
                let (done, is_in_place) = match self.destination {
                    Destination::Directory(_) if dry_run => ("would be copied", false),
                    Destination::Directory(_) => ("copied", false),
                    Destination::InPlace(_) => ("skipped", true),
                    Destination::Nowhere => ("skipped", false),
                };
                (format!("{done}: already {encoding}"), is_in_place && is_alone)
            }
            Ended::Copied => {
                sums.copied += 1;
                ((if dry_run { "would be copied" } else { "copied" }).to_string(), false)
            }
            Ended::Skipped(Skipped { kind, why }) => {
                let (count, is_common) = match kind {
                    SkipKind::Binary | SkipKind::Encoding => (&mut sums.binary, true),
                    SkipKind::Configured => (&mut sums.configured, false),
                    SkipKind::Manifest => (&mut sums.manifests, false),
                    SkipKind::Done => (&mut sums.done, true),
                };
                *count += 1;
                let is_reported = verbose || is_alone || !is_common && !silent;
                return (is_reported || !is_common)
                    .then(|| Done { what: format!("skipped: {why}"), is_reported });
            }
            Ended::Guess(..) | Ended::Failed(..) | Ended::NotReplaced(_) => return None,
        };
        Some(Done { what, is_reported: is_reported || verbose })
    }

    /// Counts a file that failed.
    fn count_failure(&mut self, name: &str, ended: &Ended, reporter: &mut Reporter) {
        let is_listed = self.is_one || self.plan.io.verbose;
        match ended {
            Ended::Guess(guess, why) => {
                self.failures.count(Cause::Unknown);
                self.exit = self.exit.max(Exit::Fault);
                if is_listed {
                    reporter.report(&format!("{name}: not converted: {why}"))
                } else {
                    self.guesses.add(name, guess)
                }
            }
            Ended::Failed(cause, why) => {
                self.exit = self.exit.max(cause.exit());
                if !self.failures.add(*cause, why) && !is_listed {
                    reporter.silence();
                }
            }
            // The message is never silenced, because no later run would name the file.
            Ended::NotReplaced(_) => {
                self.exit = self.exit.max(Exit::Failure);
                self.failures.count(Cause::Inaccessible);
            }
            _ => {}
        }
    }

    /// Prints the outcome of a file, as JSON.
    fn print_line(&mut self, job: &Job, ended: &Ended, lengths: Lengths, reporter: &Reporter) {
        let Some(json) = &mut self.json else { return };
        let line = FileLine::new(&job.key.name, UNCHANGED);
        let mut line = match ended {
            Ended::Converted { from, to } => {
                FileLine { outcome: CONVERTED, from: Some(*from), to: Some(*to), ..line }
                    .lengths(lengths.read, lengths.written)
            }
            Ended::Unchanged => line,
            Ended::Copied => FileLine { outcome: COPIED, ..line },
            Ended::Already(encoding) => FileLine { outcome: ALREADY, to: Some(*encoding), ..line },
            Ended::Skipped(Skipped { kind: SkipKind::Done, why }) => {
                FileLine { outcome: ALREADY, message: Some(why.as_str()), ..line }
            }
            Ended::Skipped(Skipped { kind, why }) => line.because("skipped", Cause::of(*kind), why),
            Ended::Guess(_, why) => line.because("failed", Cause::Unknown, why),
            Ended::Failed(cause, why) => line.because("failed", *cause, why),
            Ended::NotReplaced(why) => line.because("failed", Cause::Inaccessible, why),
        };
        (line.ill_formed, line.unmappable) = (reporter.counts().ill_formed(), reporter.counts().unmappable());
        self.printer.print(json.line(&line).as_bytes());
    }

    /// Reports what concerns the whole batch, and returns the exit status. `found` is the exit status of the search,
    /// which found `files` files and left out others.
    pub fn end(mut self, found: Exit, files: u64, left_out: LeftOut) -> Exit {
        self.reporter.summary();
        if !self.plan.io.verbose && !self.plan.errors.silent {
            self.failures.lines().for_each(|line| self.reporter.report(&line));
        }
        let Alike { count, .. } = self.unknown;
        if count > 0 && !self.plan.errors.silent {
            let what = if count == 1 { "is not UTF-8, and its" } else { "are not UTF-8, and their" };
            self.reporter.report(&format!(
                "warning: {} {what} encoding is unknown: only newlines and BOMs are changed ({})",
                counted(count, "file"),
                self.unknown.names()
            ));
        }
        self.guesses.lines().iter().for_each(|line| self.reporter.report(line));
        let lost = if self.reporter.has_lost() { Exit::Fault } else { Exit::Success };
        if let rest @ 1.. = files - self.reached
            && !self.plan.errors.silent
        {
            let files = counted(rest, "more file");
            self.reporter.report(&format!("stopped at the first error: {files} not reached"));
        }
        if let Some(text) = self.summary(left_out) {
            self.reporter.report(&text);
        }
        if let Some(stats) = &self.stats {
            complain(&stats.text());
        }
        let exit = self.exit.max(lost).max(found);
        if let Some(json) = &self.json {
            self.printer.print(json.summary(exit.status(self.plan.dialect)).as_bytes());
        }
        exit.max(self.printer.end(self.plan.dialect))
    }

    /// Returns the summary line; `None` with `--silent`, or if the lines before it already say everything.
    fn summary(&self, left_out: LeftOut) -> Option<String> {
        let Sums { converted, unchanged, read, written, .. } = self.sums;
        let (verbose, dry_run) = (self.plan.io.verbose, self.plan.files.dry_run);
        let (failed, others) = (self.failures.total(), self.others(left_out));
        let not_converted = unchanged + failed + others.iter().map(|(count, _)| count).sum::<u64>();
        // Files that were not converted deserve a summary, and so do encodings that the user did not name.
        let is_worth_it = verbose || dry_run || not_converted > 0 || !self.sums.detected.is_empty();
        let is_one = converted + not_converted < 2;
        if !is_worth_it || is_one && !verbose || self.plan.errors.silent {
            return None;
        }
        let verb = if dry_run { "would be converted" } else { "converted" };
        let from = self.sums.from();
        let mut text = format!("{converted} {verb}{from}, {unchanged} unchanged, {failed} failed");
        if let (Destination::Directory(directory), 1..) = (self.destination, failed) {
            text += &format!(" and not written to {}", quoted(directory));
        }
        text += &self.failures.in_words();
        others.iter().for_each(|(_, words)| text += &format!(", {words}"));
        if converted > 0 {
            text += &format!("; {read} bytes to {written}");
        }
        Some(text)
    }

    /// Returns the number of files, and words, for each outcome other than converted, unchanged and failed.
    fn others(&self, left_out: LeftOut) -> Vec<(u64, String)> {
        let Sums { already, done, copied, binary, configured, manifests, .. } = self.sums;
        let is_copy = matches!(self.destination, Destination::Directory(_));
        let [as_is, already] = if is_copy { [already, done] } else { [0, already + done] };
        let [links, special] = if is_copy { [left_out.links, left_out.special] } else { [0; 2] };
        let skipped = if is_copy {
            "not copied as binary (--binary=copy copies such files)"
        } else {
            "skipped as binary"
        };
        let not_copied = |count, what| format!("{} not copied", counted(count, what));
        let rows = [
            (already, format!("{already} already converted")),
            (as_is, format!("{as_is} copied (already {})", self.plan.to.name())),
            (copied, format!("{copied} copied")),
            (binary, format!("{binary} {skipped}")),
            (configured, format!("{configured} skipped as configured")),
            (manifests, format!("{manifests} skipped as manifests")),
            (links, not_copied(links, "symbolic link") + " (--links=copy copies links)"),
            (special, not_copied(special, "special file")),
        ];
        rows.into_iter().filter(|(count, _)| *count > 0).collect()
    }
}
