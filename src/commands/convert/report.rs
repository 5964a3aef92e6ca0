//! Messages about the data, for people, on standard error.
//!
//! A data message is `NAME:LINE:COLUMN: error: SENTENCE`, the form that editors read; every other message is
//! `utfconv: NAME: TEXT`. Under the name iconv, messages are those of glibc, and errors that the policy handled are
//! not reported. A message that cannot be written is lost; the exit status still shows the error.

use std::path::Path;

use utfconv_core::{
    BomFault, Encoding, Fault, FaultCounts, FaultKind, IllFormed, Notice, OnIllFormed, OnUnmappable, Options,
    Policy, US_ASCII, UTF_8, decode_to_string, is_printable,
};

use utfconv_detect::Hints;

use crate::commands::convert::options::{Ranges, Scope};
use crate::commands::convert::plan::ConvertPlan;
use crate::files::ranges::hides_lines;
use crate::files::source::Input;
use crate::files::stdio::bytes_at;
use crate::text::auto::likely;
use crate::text::boms::{IN_TWO_STEPS, advice_on};
use crate::text::detected::FIRST;
use crate::text::misfit::is_text_in;
use crate::ui::dialect::Dialect;
use crate::ui::quote::{self, as_argument, counted};
use crate::ui::stderr::complain;

/// An input whose conversion an error stopped.
pub struct Stopped<'a> {
    pub input: &'a Input,
    pub from: &'static Encoding,
    pub hints: &'a Hints,
}

impl Stopped<'_> {
    /// Whether another command can read the input again.
    fn is_file(&self) -> bool {
        !self.input.is_stdin() && Path::new(self.input.name()).is_file()
    }

    /// Returns the encoding that the input is likely in, which is not UTF-8.
    fn likely(&self) -> Option<&'static Encoding> {
        likely(self.input, self.hints)
    }

    /// Returns an encoding that reads all text in the encoding of the input, such as windows-31j for Shift_JIS, and all of
    /// this input; and its character at the fault, as in `U+2460 "①"`. The bytes there are read again, because the fault may
    /// be only a lead byte.
    fn reader_at(&self, fault: &Fault) -> Option<(&'static Encoding, String)> {
        let is_none = matches!(
            fault.kind,
            FaultKind::IllFormed { kind: IllFormed::Unassigned | IllFormed::NeverUsed, .. }
        );
        if !is_none || !self.is_file() || self.from == &US_ASCII {
            return None;
        }
        let bytes = bytes_at(self.input.open_regular().ok()?.file(), fault.offset, 4).ok()?;
        let readers = Encoding::all().filter(|reader| reader.reads(self.from) && self.is_text_in(reader));
        let sequences = |reader| (1..=bytes.len()).map(move |len| (reader, len));
        readers.flat_map(sequences).find_map(|(reader, len)| {
            let text = decode_to_string(&bytes[..len], reader, &Options::default()).ok()?;
            let scalar = text.chars().next().filter(|scalar| is_printable(*scalar))?;
            Some((reader, quote::character(scalar)))
        })
    }

    /// Whether all of the input is text in this encoding.
    fn is_text_in(&self, encoding: &'static Encoding) -> bool {
        is_text_in(self.input, encoding).unwrap_or(false)
    }
}

/// Prints the warnings of a plan, before anything is done.
pub fn warn(plan: &ConvertPlan) {
    if !plan.errors.silent {
        plan.warnings.iter().for_each(|text| plan.dialect.report(text));
    }
}

/// Reports errors up to a limit, and counts them all.
pub struct Reporter<'a> {
    plan: &'a ConvertPlan,
    /// Messages that are kept; `None` if messages are written at once.
    kept: Option<Vec<String>>,
    reported: u64,
    /// Number of errors that were reported for earlier inputs, because the limit is per file.
    reported_before: u64,
    has_stopped: bool,
    counts: FaultCounts,
    /// True if the encoding of the input was detected by its first bytes alone.
    is_sampled: bool,
    /// The encoding whose BOM the input has, if the input is read in another encoding.
    by_bom: Option<&'static Encoding>,
}

impl<'a> Reporter<'a> {
    pub fn new(plan: &'a ConvertPlan) -> Reporter<'a> {
        let counts = FaultCounts::default();
        Reporter {
            plan,
            kept: None,
            reported: 0,
            reported_before: 0,
            has_stopped: false,
            counts,
            is_sampled: false,
            by_bom: None,
        }
    }

    /// Returns a reporter that keeps its messages.
    pub fn keeping(plan: &'a ConvertPlan) -> Reporter<'a> {
        Reporter { kept: Some(Vec::new()), ..Reporter::new(plan) }
    }

    /// Writes the messages that the reporter of another file has kept, and adds its counts.
    pub fn take(&mut self, other: Reporter) {
        other.kept.into_iter().flatten().for_each(|line| complain(&line));
        self.reported += other.reported;
        self.counts.merge(&other.counts);
    }

    /// Begins another input. `is_sampled` is true if its encoding was detected by its first bytes alone.
    pub fn next_input(&mut self, is_sampled: bool) {
        (self.reported_before, self.is_sampled, self.by_bom) = (self.reported, is_sampled, None);
    }

    /// True if the encoding of the input was detected by its first bytes alone.
    pub fn is_sampled(&self) -> bool {
        self.is_sampled
    }

    /// Drops the messages that were kept.
    pub fn silence(&mut self) {
        self.kept.iter_mut().for_each(Vec::clear);
    }

    /// Returns the counts of errors that the policy handled.
    pub fn counts(&self) -> &FaultCounts {
        &self.counts
    }

    /// Prints a message that is not about an error in the data.
    pub fn report(&mut self, text: &str) {
        self.write(format!("{}: {text}\n", self.plan.dialect.name()));
    }

    fn write(&mut self, text: String) {
        match &mut self.kept {
            Some(kept) => kept.push(text),
            None => complain(&text),
        }
    }

    /// True if the policy handled an error that nevertheless makes the exit status 1.
    pub fn has_lost(&self) -> bool {
        self.counts.ill_formed() > 0 && self.plan.is_error.ill_formed
            || self.counts.unmappable() > 0 && self.plan.is_error.unmappable
    }

    /// True if the next error is to be reported, and not only counted.
    pub fn reports_next(&self) -> bool {
        let limit = self.plan.errors.max_errors.unwrap_or(100);
        let is_wanted = !self.plan.dialect.is_iconv() && !self.plan.errors.silent;
        let can_be_reported = !self.only_counts_unmappable()
            || !matches!(self.plan.options.policy.ill_formed, OnIllFormed::Stop);
        is_wanted && can_be_reported && (limit == 0 || self.reported - self.reported_before < limit)
    }

    /// True if unmappable characters are approximated, and a summary is enough.
    fn only_counts_unmappable(&self) -> bool {
        matches!(self.plan.options.policy.unmappable, OnUnmappable::Translit(_))
            && self.plan.errors.max_errors.is_none()
    }

    /// Counts and reports an error that the policy handled.
    pub fn fault(&mut self, name: &str, fault: &Fault) {
        self.counts.add(&fault.kind);
        let is_counted = matches!(fault.kind, FaultKind::Unmappable { .. }) && self.only_counts_unmappable();
        if !is_counted && self.reports_next() {
            self.reported += 1;
            let is_error = match fault.kind {
                FaultKind::IllFormed { .. } => self.plan.is_error.ill_formed,
                FaultKind::Unmappable { .. } => self.plan.is_error.unmappable,
                // An error in the BOM always ends the run.
                _ => true,
            };
            self.write(self.data_message(name, if is_error { "error" } else { "warning" }, fault));
        }
    }

    /// Returns a data message; `severity` is "error" if the error makes the exit status 1, otherwise "warning".
    fn data_message(&self, name: &str, severity: &str, fault: &Fault) -> String {
        let Ranges { bounds, first_line, .. } = self.plan.ranges;
        let text = quote::fault(fault);
        if !hides_lines(bounds, first_line) {
            format!("{name}:{}:{}: {severity}: {text}\n", fault.line, fault.column)
        } else {
            format!("{name}: {severity}: {text}\n")
        }
    }

    /// Returns the messages that were kept.
    #[cfg(test)]
    pub fn into_kept(self) -> Vec<String> {
        self.kept.into_iter().flatten().collect()
    }

    /// Adds errors that the policy handled and that are not reported one by one.
    pub fn count(&mut self, counts: &FaultCounts) {
        self.counts.merge(counts);
    }

    /// Reports the error that ended the run, and the fix, whatever the limit. `at_end` means that the source ends with
    /// the error, and `stopped` is the input that was not converted.
    pub fn stopped(&mut self, name: &str, fault: &Fault, at_end: bool, stopped: &Stopped) {
        self.has_stopped = true;
        if self.plan.errors.silent {
            return;
        }
        match self.plan.dialect {
            Dialect::Iconv(iconv) => self.report(&(iconv.stopped)(name, fault, at_end)),
            Dialect::Utfconv => {
                self.write(self.data_message(name, "error", fault));
                let ended = if self.plan.batch.is_some() {
                    format!("{name}: not converted")
                } else {
                    "stopped".to_string()
                };
                let (fix, is_certain) = self.fix_of(fault, name, stopped);
                let file = argument(name);
                let is_readable = self.plan.ranges.is_whole_text() && self.plan.text.records.is_none();
                let is_alone = self.plan.batch.as_ref().is_none_or(|batch| batch.targets.is_one_file());
                if is_certain || !stopped.is_file() {
                    self.report(&format!("{ended}{fix}"));
                } else if is_readable && is_alone {
                    self.report(&format!("{ended}{fix}"));
                    self.report(&self.see_more(fault, &file, stopped));
                } else {
                    // In a batch, the lines of many files would hide each other.
                    self.report(&format!("{ended}{fix}{}", self.see_detect(&file)));
                }
            }
        }
    }

    /// Returns the fix for an error that stopped the run, and true if the user needs no further command to learn about
    /// the error. For invalid bytes, the fix may be another input encoding.
    fn fix_of(&self, fault: &Fault, name: &str, stopped: &Stopped) -> (String, bool) {
        let policy = &self.plan.options.policy;
        if let FaultKind::Bom { encoding, fault: BomFault::InText, .. } = fault.kind {
            return (self.without_bom(name, encoding.name(), fault.offset), true);
        }
        if !matches!(fault.kind, FaultKind::IllFormed { .. }) {
            return (advice(fault, policy), !matches!(fault.kind, FaultKind::Unmappable { .. }));
        }
        if let Some(encoding) = self.by_bom {
            return (format!("; use {}", self.plan.reading(encoding, true)), true);
        }
        let can_stop = matches!(policy.ill_formed, OnIllFormed::Stop);
        if can_stop && let Some((reader, character)) = stopped.reader_at(fault) {
            let reading = self.plan.reading(reader, false);
            return (format!(": {} has {character} there; use {reading}", reader.name()), true);
        }
        if self.plan.scope != Scope::Encoding
            && can_stop
            && let Some(encoding) = stopped.likely()
        {
            let detect = self.see_detect(&argument(name));
            return (format!("; use {}{detect}", self.plan.reading(encoding, false)), true);
        }
        let fix = advice(fault, policy);
        if self.is_sampled && fault.offset >= FIRST as u64 {
            return (format!("{fix} (it was detected by the first {} KiB alone)", FIRST >> 10), true);
        }
        (fix, false)
    }

    /// Returns a reference to the command that finds the encoding of a file with invalid bytes; empty if the user named
    /// an encoding.
    fn see_detect(&self, file: &str) -> String {
        let can_stop = matches!(self.plan.options.policy.ill_formed, OnIllFormed::Stop);
        if self.plan.encodings.from_is_default && can_stop {
            format!(" (see 'utfconv detect {file}')")
        } else {
            String::new()
        }
    }

    /// Returns the commands that show more of an error that stopped the conversion of a file.
    fn see_more(&self, fault: &Fault, file: &str, stopped: &Stopped) -> String {
        let (encodings, from, to) = (&self.plan.encodings, stopped.from, self.plan.to);
        let option = if encodings.from_is_default { String::new() } else { format!("-f {} ", from.name()) };
        if matches!(fault.kind, FaultKind::Unmappable { .. }) {
            let to = to.name();
            return format!("see 'utfconv check {option}--target {to} {file}' for all such characters");
        }
        let more = if encodings.from_is_default {
            format!(", 'utfconv detect {file}' for the encoding")
        } else {
            String::new()
        };
        let swapped = if to != from && stopped.is_text_in(to) {
            format!("the text fits {}, the output encoding: did you swap -f and -t? ", to.name())
        } else {
            String::new()
        };
        format!(
            "{swapped}see 'utfconv check {option}{file}' for all errors, 'utfconv inspect {option}--errors-only {file}' for \
             the bytes{more}"
        )
    }

    /// Returns the advice for a text that begins with U+FEFF that is no BOM in `encoding`. The text begins at byte
    /// `at`.
    fn without_bom(&self, name: &str, encoding: &'static str, at: u64) -> String {
        let from = self.plan.from.map_or(encoding, Encoding::name);
        if Encoding::for_name(from).is_some_and(Encoding::is_stateful) {
            return IN_TWO_STEPS.to_string();
        }
        // No BOM precedes this U+FEFF, so --input-bom=strip removes it.
        if at == 0 {
            return "; use --input-bom=strip to remove it".to_string();
        }
        let from = if from == UTF_8.name() { String::new() } else { format!("-f {from} ") };
        let file = if name == "-" { "FILE".to_string() } else { argument(name) };
        format!("; use 'utfconv check {from}--rule inner-bom --fix {file}' to remove it")
    }

    /// Warns about the text of an output.
    pub fn warn(&mut self, name: &str, text: &str) {
        if !self.plan.errors.silent {
            self.report(&format!("{name}: warning: {text}"));
        }
    }

    pub fn notice(&mut self, name: &str, notice: &Notice) {
        if let Notice::OtherBom { bom_of, .. } = notice {
            self.by_bom = Some(bom_of);
        }
        // Under the name iconv, warnings are printed only if requested, and without advice, because iconv has no
        // options to name.
        let is_iconv = self.plan.dialect.is_iconv();
        if !self.plan.errors.silent && (self.plan.io.verbose || !is_iconv) {
            let advice = match notice {
                _ if is_iconv => String::new(),
                Notice::OtherBom { bom_of, .. } => format!("; use {}", self.plan.reading(bom_of, true)),
                Notice::SecondBom => self.without_bom(name, UTF_8.name(), 1),
                _ => advice_on(notice),
            };
            self.report(&format!("{name}: warning: {notice}{advice}"));
        }
    }

    /// Prints a line with the counts by kind, and how the errors were handled, if a policy has handled any error.
    pub fn summary(&mut self) {
        let policy = &self.plan.options.policy;
        let (ill_formed, unmappable) = (self.counts.ill_formed(), self.counts.unmappable());
        let total = ill_formed + unmappable;
        // Under the name iconv, only the reason for an exit status of 1 is printed.
        if self.plan.errors.silent || total == 0 || self.plan.dialect.is_iconv() && !self.has_lost() {
            return;
        }
        let mut kinds = Vec::new();
        if ill_formed > 0 {
            let rules: Vec<_> = self.counts.rules().map(|(rule, n)| format!("{n} {}", rule.name())).collect();
            let sequences = counted(ill_formed, "invalid sequence");
            let treated = if self.plan.is_found.ill_formed { "found".to_string() } else { treated(policy) };
            kinds.push(format!("{sequences} {treated} ({})", rules.join(", ")));
        }
        if unmappable > 0 {
            let characters = counted(unmappable, "unmappable character");
            let approximated = self.counts.approximated();
            kinds.push(match &policy.unmappable {
                OnUnmappable::Translit(_) if approximated == unmappable => {
                    format!("{characters} approximated")
                }
                OnUnmappable::Translit(other) if approximated > 0 => {
                    let others = unmappable - approximated;
                    format!("{characters}: {approximated} approximated, {others} {}", handled(other))
                }
                OnUnmappable::Translit(other) => format!("{characters} {}", handled(other)),
                _ if self.plan.is_found.unmappable => format!("{characters} found"),
                policy => format!("{characters} {}", handled(policy)),
            });
        }
        let before = if self.has_stopped { " before that" } else { "" };
        let (mut errors, mut warnings) = (0, 0);
        for (count, is_error) in
            [(ill_formed, self.plan.is_error.ill_formed), (unmappable, self.plan.is_error.unmappable)]
        {
            *(if is_error { &mut errors } else { &mut warnings }) += count;
        }
        let totals = [(errors, "error"), (warnings, "warning")].into_iter().filter(|(count, _)| *count > 0);
        let totals: Vec<_> = totals.map(|(count, what)| counted(count, what)).collect();
        let mut text = format!("{}{before}: {}", totals.join(", "), kinds.join(", "));
        text += &self.unlisted(if self.only_counts_unmappable() { ill_formed } else { total }, total);
        self.report(&text);
    }

    /// Returns the end of the summary about errors that were not reported one by one. Of `total` errors, `listed`
    /// should have been reported.
    fn unlisted(&self, listed: u64, total: u64) -> String {
        match self.plan.dialect {
            Dialect::Iconv(_) => String::new(),
            Dialect::Utfconv if self.reported < listed => {
                format!("; {} of {total} shown; --max-errors=0 shows all", self.reported)
            }
            Dialect::Utfconv if listed < total => "; use --max-errors=0 to list them".to_string(),
            Dialect::Utfconv => String::new(),
        }
    }
}

/// Returns a word for how unmappable characters were handled.
fn handled(policy: &OnUnmappable) -> &'static str {
    match policy {
        OnUnmappable::Replace(_) => "replaced",
        OnUnmappable::Omit => "omitted",
        OnUnmappable::Escape(_) => "escaped",
        _ => "found",
    }
}

/// Returns a file name in a message as an argument for the shell. Messages quote names with control characters as
/// `$'...'`, which a shell understands.
fn argument(name: &str) -> String {
    if name.starts_with("$'") { name.to_string() } else { as_argument(name) }
}

/// Returns the fix that follows the message about an error that stopped a conversion.
fn advice(fault: &Fault, policy: &Policy) -> String {
    let (option, other) = match fault.kind {
        FaultKind::IllFormed { .. } => ("--ill-formed", "-f"),
        FaultKind::Unmappable { .. } => ("--unmappable", "-t"),
        FaultKind::LongSequence { .. } => return "; omit --normalize to convert it".to_string(),
        _ => return ", as --input-bom requires".to_string(),
    };
    let reason = match (option, &policy.ill_formed, &policy.unmappable) {
        ("--ill-formed", OnIllFormed::Fallback(encoding), _) => {
            format!("{} has no character there either", encoding.name())
        }
        ("--ill-formed", OnIllFormed::Carry(_), _) => "no carrier can hold these bytes".to_string(),
        ("--unmappable", _, OnUnmappable::Carry(_)) => "carriers are for ill-formed bytes".to_string(),
        _ => return format!("; use {option}=MODE to continue, or {other} to name another encoding"),
    };
    format!(": {reason}; use another mode of {option} to continue")
}

/// Returns how ill-formed bytes were handled.
fn treated(policy: &Policy) -> String {
    match &policy.ill_formed {
        OnIllFormed::Replace(_) => "replaced".to_string(),
        OnIllFormed::Omit => "omitted".to_string(),
        OnIllFormed::Escape(_) => "escaped".to_string(),
        OnIllFormed::Fallback(encoding) => format!("decoded as {}", encoding.name()),
        OnIllFormed::Carry(_) => "carried".to_string(),
        OnIllFormed::Raw => "copied".to_string(),
        _ => "found".to_string(),
    }
}
