//! Checks one file against its requirements.
//!
//! Most files have no errors, so a file is first validated as a whole, which takes as long as reading memory. If rules
//! need the text of a file that fits into the buffer, the text is scanned without its positions. The checker walks
//! through all other files: those with errors, longer files if rules need their text, and all files for statistics.

use std::fs::File;
use std::io::{self, Seek};
use std::mem;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use utfconv_core::{Encoding, FaultBytes, InputBom, Position, Repertoire, UTF_8, utf8_well_formed_up_to};

use super::baseline::{self, BaselineFilter, Baselines, Errors, MOST_COMPARED};
use super::declared::DeclaringFile;
use super::pass::{HIDDEN, MOST_KEPT, Pass, PrintEarly};
use super::pending::Pending;
use super::plan::{Binary, Settings, Verdicts};
use super::report::{Examined, FileResult, Finding, Findings, Verdict};
use super::rules::{Rule, Rules, Selection};
use super::scan::Scan;
use super::subject::Subject;
use super::verdict::{
    add_verdict, conversion, driver, hidden_utf8, keeps_utf8, restoration, without_kept_encoding,
    wrong_encoding,
};
use super::{changed, lost};
use crate::commands::old_versions::{NewVersion, OldVersion, OldVersions, has_marks};
use crate::config::{Configuration, Demand, LastDirectory, Requirements, RuleList};
use crate::files::ranges::{Reading, Span, refuse_states};
use crate::files::walk::FileEntry;
use crate::files::well_formed::{self, Spare};
use crate::files::window::Window;
use crate::text::stats::{Counter, Stats};
use crate::ui::excerpt::CONTEXT;
use crate::ui::quote::{as_argument, reason};
use utfconv_core::utf8::{end_of_whole_sequences, is_cut_sequence};
use utfconv_detect::{Certainty, Sniffed, partly_ascii, scheme};

/// The errors of the old version of a file, and whether the new version keeps its UTF-8.
struct Known {
    errors: Errors,
    /// Whether the new version has a line of non-ASCII UTF-8 of the old version.
    keeps_utf8: bool,
}

/// Examines files one after another, on one thread.
pub struct Examiner<'a> {
    settings: &'a Settings,
    /// `None` if no configuration is read.
    configuration: Option<&'a Configuration>,
    baselines: &'a Baselines,
    /// The old versions of the files, if only changed files are checked.
    old: Option<&'a OldVersions>,
    /// Prints findings before the end of a file if there are many; `None` keeps all findings until the end.
    pub early: Option<PrintEarly<'a>>,
    last: LastDirectory,
    /// Cached selection of rules, and the rule list of the `utfconv.toml` from which it was made.
    selection: Option<(Arc<RuleList>, Selection)>,
    buffer: Vec<u8>,
    spare: &'a Spare,
    /// Bytes read by all examiners.
    passed: &'a AtomicU64,
    /// `None` if no statistics are collected.
    pub stats: Option<Stats>,
    repertoire: Option<Arc<Repertoire>>,
}

impl<'a> Examiner<'a> {
    pub fn new(
        settings: &'a Settings,
        configuration: Option<&'a Configuration>,
        baselines: &'a Baselines,
        old: Option<&'a OldVersions>,
        spare: &'a Spare,
        passed: &'a AtomicU64,
    ) -> Examiner<'a> {
        let buffer = vec![0; settings.buffer_size];
        let stats = settings.stats.then(|| match settings.target {
            Some(target) if settings.only_lost => Stats::of_lost(target),
            target => Stats::new(target),
        });
        let repertoire = settings.target.map(|target| Arc::new(Repertoire::of(target)));
        Examiner {
            settings,
            configuration,
            baselines,
            old,
            early: None,
            last: LastDirectory::default(),
            selection: None,
            buffer,
            spare,
            passed,
            stats,
            repertoire,
        }
    }

    /// Examines a file. Returns `None` if the file was postponed.
    pub fn examine(&mut self, target: &FileEntry) -> Option<Examined> {
        let required = self.required(target);
        let examined = required.and_then(|required| self.examine_required(target.open()?, target, required));
        examined.unwrap_or_else(|error| Some(FileResult::Unreadable(reason(&error)).into()))
    }

    /// Examines an open file that has, or will replace, the content of `target`.
    pub fn examine_open(&mut self, mut file: File, target: &FileEntry) -> io::Result<Examined> {
        let required = self.required(target)?;
        file.rewind()?;
        self.examine_required(file, target, required).map(Option::unwrap_or_default)
    }

    fn examine_required(
        &mut self,
        file: File,
        target: &FileEntry,
        required: Requirements,
    ) -> io::Result<Option<Examined>> {
        let mut buffer = mem::take(&mut self.buffer);
        let examined = self.look_at(file, target, required, &mut buffer);
        self.buffer = buffer;
        examined
    }

    /// Returns the requirements that the configuration sets for a file.
    pub fn required(&mut self, target: &FileEntry) -> io::Result<Requirements> {
        let required = self.configuration.map(|one| one.of(target, &mut self.last)).unwrap_or_default();
        // The configured encoding and BOM are those of the work tree, so the encoding that git's filter stores
        // replaces them.
        Ok(match driver(target)? {
            Some(driver) => Requirements { encoding: Some(driver.stored()), bom: None, ..required },
            None => required,
        })
    }

    /// Returns how to read a file, and the rules for it.
    pub fn reading(&mut self, required: &Requirements) -> (Reading, Rules) {
        let settings = self.settings;
        let encoding = settings.encoding.or(required.encoding).unwrap_or(&UTF_8);
        // An encoding on the command line takes precedence over the configured encoding and BOM.
        let bom = if settings.encoding.is_some() { settings.bom } else { required.bom };
        let selection = self.selection(required.rules.as_ref());
        let rules = selection.rules(&Requirements { bom, ..required.clone() }, encoding.code_unit_len() == 1);
        let reading = Reading {
            named: encoding,
            input_bom: demanded(rules.demand(Rule::Bom)),
            newline: settings.newline,
        };
        (reading, rules)
    }

    fn look_at(
        &mut self,
        file: File,
        target: &FileEntry,
        required: Requirements,
        buffer: &mut [u8],
    ) -> io::Result<Option<Examined>> {
        let filter = self.baseline_filter(&file, target, &required)?;
        let is_compared = filter.is_some() || self.reports_only_new();
        let (reading, rules) = self.reading(&required);
        let range = self.range(&file, &reading, &rules)?;
        let span = range.as_ref().map(|(span, _)| span);
        if span.is_some_and(|span| span.bytes.is_empty() && span.of > 0) {
            return Ok(Some(Examined::default()));
        }
        let starts_inside = span.is_some_and(|span| span.bytes.start > 0);
        let window = Window::new(file, target.is_named(), CONTEXT, buffer, self.passed);
        let mut subject = Subject { settings: self.settings, target, reading, rules, window };
        subject.window.fill()?;
        let Examined { result, len } = match misfit(&subject) {
            None => self.look_through(&mut subject, range, &required, is_compared)?,
            Some(outcome) => {
                if let Some(stats) = &mut self.stats {
                    stats.leave_out();
                }
                // The misfit is reported only by the range that has the first bytes of the file.
                if starts_inside {
                    return Ok(Some(Examined::default()));
                }
                Examined { result: Some(outcome), len: subject.window.rest().len() as u64 }
            }
        };
        let (result, known) = self.compare(result, &mut subject, &required)?;
        self.settle(Examined { result, len }, &mut subject, filter, known)
    }

    /// Returns the filter that compares the errors of a file with a baseline, or records them.
    fn baseline_filter(
        &self,
        file: &File,
        target: &FileEntry,
        required: &Requirements,
    ) -> io::Result<Option<BaselineFilter<'a>>> {
        // `--fix` repairs known errors too, so configured baselines do not apply.
        let configured = required.baseline.as_deref().filter(|_| !self.settings.fixes);
        let filter = self.baselines.filter(|| target.key(), configured);
        // The filter reads the bytes around each error again, so only regular files can have a filter.
        let is_read_again = filter.is_some() && !target.is_stdin() && file.metadata()?.is_file();
        Ok(filter.filter(|_| is_read_again))
    }

    /// Checks the text of a file. Returns the outcome and the number of bytes that were checked.
    fn look_through(
        &mut self,
        subject: &mut Subject,
        range: Option<(Span, Position)>,
        required: &Requirements,
        is_compared: bool,
    ) -> io::Result<Examined> {
        let (settings, rules, encoding) = (self.settings, subject.rules, subject.reading.named);
        let span = range.as_ref().map(|(span, _)| span);
        let starts_inside = span.is_some_and(|span| span.bytes.start > 0);
        let has_bom = subject.window.rest().starts_with(BOM);
        let obeys_bom =
            starts_inside || rules.demand(Rule::Bom).is_none_or(|bom| (bom == Demand::Require) == has_bom);
        let declared = rules.has(Rule::Declaration).then(|| DeclaringFile::read(subject)).transpose()?;
        if let Some(span) = span {
            subject.window.narrow(span.bytes.clone())?;
        }
        // Positions are needed only for errors, so a small file is scanned without them first.
        let is_scanned_whole = || rules.finds_within_runs() && subject.window.is_ended();
        let is_fast =
            encoding == &UTF_8 && obeys_bom && !settings.stats && (!rules.needs_text() || is_scanned_whole());
        let may_hide_utf8 = settings.range.is_none() && encoding != &UTF_8;
        let well_formed = if is_fast { self.well_formed_len(subject, span)? } else { None };
        let well_formed = well_formed.filter(|_| {
            let text = subject.window.rest();
            let text = text.strip_prefix(BOM).filter(|_| !starts_inside).unwrap_or(text);
            !rules.needs_text() || Scan::new(rules).finds_nothing(text)
        });
        let Examined { mut result, len } = match well_formed {
            Some(len) => Examined { result: None, len },
            None => {
                let later = match is_compared {
                    true => Later::Comparison,
                    false if declared.is_some() || rules.compare_versions() || may_hide_utf8 => {
                        Later::Changes
                    }
                    false => Later::Nothing,
                };
                self.walk(subject, range, later)?
            }
        };
        if may_hide_utf8 {
            result = hidden_utf8(result, subject)?;
        }
        if let Some(declared) = declared {
            let is_required = settings.encoding.or(required.encoding).is_some();
            result = declared.check(result, subject, is_required)?;
        }
        Ok(Examined { result, len })
    }

    /// True if errors that the old version of a file has are left out.
    fn reports_only_new(&self) -> bool {
        self.settings.only_new && self.old.is_some()
    }

    /// Adds the findings of the rules that compare versions to the outcome. Also returns the errors of the old
    /// version, if they are to be left out.
    fn compare(
        &self,
        mut outcome: Option<FileResult>,
        subject: &mut Subject,
        required: &Requirements,
    ) -> io::Result<(Option<FileResult>, Option<Known>)> {
        let Subject { target, reading, rules, window, .. } = subject;
        let compares = rules.compare_versions() || self.reports_only_new() && outcome.is_some();
        let edited = || NewVersion::new(window.borrow().0).text();
        let old = self.old.filter(|_| compares).map(|old| old.newest(&target.name(), edited)).transpose()?;
        let Some(old) = old.flatten() else { return Ok((outcome, None)) };
        let known = match &outcome {
            Some(FileResult::Findings(_)) if self.reports_only_new() => {
                Some(self.errors_of(&old, target, required)?)
            }
            _ => None,
        };
        let declared = self.settings.encoding.or(required.encoding);
        if let Some(known) = known.as_ref().filter(|_| declared.is_none()) {
            outcome = without_kept_encoding(outcome, &old, known, window, target)?;
        }
        let new = NewVersion::new(window.borrow().0);
        let known_of = |errors| io::Result::Ok(Known { errors, keeps_utf8: keeps_utf8(&old, &new)? });
        let known = known.map(known_of).transpose()?;
        if rules.has(Rule::LostCharacters) {
            outcome = lost::check(outcome, self.settings, &old, target, reading.named, &new)?;
        }
        Ok((changed::check(outcome, self.settings, rules, &old, target, declared, &new)?, known))
    }

    /// Checks an old version by the rules for the new version, and returns its errors.
    fn errors_of(&self, old: &OldVersion, target: &FileEntry, required: &Requirements) -> io::Result<Errors> {
        let settings = self.settings.of_old_versions();
        let (baselines, spare, passed) = (Baselines::default(), Spare::new(0), AtomicU64::new(0));
        let mut examiner = Examiner::new(&settings, None, &baselines, None, &spare, &passed);
        let required = Requirements { baseline: None, ..required.clone() };
        let encoding = examiner.reading(&required).0.named;
        let mut file = old.file.try_clone()?;
        file.rewind()?;
        match examiner.examine_required(file, target, required)?.unwrap_or_default().result {
            Some(FileResult::Findings(found)) => baseline::errors(&found, &old.file, encoding),
            _ => Ok(Errors::new()),
        }
    }

    /// Removes the errors that a baseline or the old version has from the outcome. Returns `None` if the file is
    /// checked again later.
    fn settle(
        &self,
        Examined { result, len }: Examined,
        subject: &mut Subject,
        filter: Option<BaselineFilter>,
        known: Option<Known>,
    ) -> io::Result<Option<Examined>> {
        let done = |result| Ok(Some(Examined { result, len }));
        if filter.is_none() && !self.reports_only_new() {
            return done(self.shortened(result));
        }
        let named = subject.reading.named;
        let mut found = match result {
            None => Findings::default(),
            Some(FileResult::Findings(found)) => found,
            other => return done(other),
        };
        if let Some(filter) = filter {
            let Some(new) = filter.apply(found, subject.window.borrow().0, named)? else { return Ok(None) };
            found = new;
        }
        let is_compared = known.is_some();
        let keeps_utf8 = known.as_ref().is_some_and(|known| known.keeps_utf8);
        if let Some(Known { mut errors, .. }) = known {
            found = baseline::unknown(found, &mut errors, subject.window.borrow().0, named)?;
        }
        if found.total == 0 {
            return done(None);
        }
        let settings = self.settings;
        if !keeps_utf8 {
            self.add_verdict(&mut found, subject, is_compared)?;
        }
        found.listed.sort_by_key(|finding| finding.position.offset());
        if settings.excerpts && named == &UTF_8 {
            advise(&mut found, subject.target);
        }
        found.listed.truncate(usize::try_from(settings.max_listed).unwrap_or(usize::MAX));
        done(self.shortened(Some(FileResult::Findings(found))))
    }

    /// For a summary, lists only the first lines with lost characters of a file, because one command restores all.
    fn shortened(&self, outcome: Option<FileResult>) -> Option<FileResult> {
        let Some(FileResult::Findings(mut found)) = outcome else { return outcome };
        let all = found.counts.get(&Rule::LostCharacters).copied().unwrap_or(0);
        let most = self.settings.max_lost;
        if self.settings.verdicts == Verdicts::Summary && all > most {
            let is_lost = |finding: &Finding| finding.rule == Rule::LostCharacters;
            if let Some(first) = found.listed.iter_mut().find(|one| is_lost(one)) {
                first.message += &format!("; use --verbose to list all {all} lines");
            }
            let mut listed = 0;
            found.listed.retain(|one| {
                listed += u64::from(is_lost(one));
                !is_lost(one) || listed <= most
            });
            found.summarized += all - most.min(listed);
        }
        Some(FileResult::Findings(found))
    }

    /// Returns the selection of rules for a file whose `utfconv.toml` lists `rules`.
    fn selection(&mut self, rules: Option<&Arc<RuleList>>) -> &Selection {
        let Some(rules) = rules else { return &self.settings.selection };
        let known = self.selection.take().filter(|(known, _)| Arc::ptr_eq(known, rules));
        let both = || (rules.clone(), self.settings.selection.over(rules));
        &self.selection.insert(known.unwrap_or_else(both)).1
    }

    /// Returns the length in bytes of the range, or of the file, if the text is well-formed UTF-8 as a whole. Returns
    /// `None`, with the window at its start, if the text is ill-formed, or if the file cannot be read twice.
    fn well_formed_len(&self, subject: &mut Subject, span: Option<&Span>) -> io::Result<Option<u64>> {
        let Subject { target, window, .. } = subject;
        let head = window.rest();
        let well_formed = utf8_well_formed_up_to(head);
        if window.is_ended() {
            return Ok((well_formed == head.len()).then_some(head.len() as u64));
        }
        if well_formed < head.len() && !is_cut_sequence(&head[well_formed..]) {
            return Ok(None);
        }
        let Some(end) = window.end_of_file(target)? else { return Ok(None) };
        let (start, is_last) = span.map_or((0, true), |span| (span.bytes.start, span.is_last()));
        let rest = start + well_formed as u64..end;
        let (file, buffer) = window.borrow();
        let (spare, large) = (self.spare, well_formed::LARGE);
        if well_formed::is_well_formed(file, rest, is_last, buffer, spare, large, self.passed) {
            return Ok(Some(end - start));
        }
        window.rewind()?;
        Ok(None)
    }

    /// Checks the range, or the file, with a `Checker`.
    fn walk(
        &mut self,
        subject: &mut Subject,
        range: Option<(Span, Position)>,
        later: Later,
    ) -> io::Result<Examined> {
        let is_compared = later == Later::Comparison;
        let (settings, Subject { target, reading, rules, .. }) = (self.settings, &*subject);
        let (max_listed, max_found) = if is_compared {
            (MOST_COMPARED, MOST_COMPARED)
        } else {
            (settings.max_listed, settings.max_found)
        };
        let (span, position) = range.unzip();
        let start = span.as_ref().map_or(0, |span| span.bytes.start);
        let read_as = span.as_ref().map_or(reading.named, |span| span.encoding);
        let checker = reading.checker(read_as, start == 0, position.unwrap_or_default());
        let needs_text = rules.needs_text();
        let mut pass = Pass {
            settings,
            named: reading.named,
            checker: if needs_text || settings.stats { checker.keeping_text() } else { checker },
            hidden: rules.hides_ill_formed.then(|| Findings::with_room(HIDDEN)),
            scan: needs_text.then(|| Scan::new(*rules)),
            pending: Pending::new(reading.named == &UTF_8),
            found: Findings::with_room(max_listed),
            max_found,
            // Findings of the scan are not in the order of the file, so they must stay in the list until the end.
            is_final: later == Later::Nothing && !needs_text,
            early: self.early,
            counter: settings.stats.then(|| Counter::new(target.key(), self.repertoire.clone())),
        };
        let walked = pass.through(&mut subject.window, subject.target);
        // Findings in the list come after packed findings, so the list is packed, too.
        if pass.found.packed.len() > 0 {
            pass.found.pack_after(MOST_KEPT);
        }
        let len = pass.checker.position().offset() - start;
        let walked = walked.and_then(|is_cut_short| match span {
            Some(span) => span.ensure_whole(subject.window.borrow().0).map(|()| is_cut_short),
            None => Ok(is_cut_short),
        });
        if let (Some(stats), Some(counter)) = (&mut self.stats, pass.counter) {
            stats.add(counter.end(len, !matches!(walked, Ok(false))));
        }
        let mut found = Findings { is_cut_short: walked?, ..pass.found };
        // If known errors are removed later, the verdict is made from the errors that remain.
        if !is_compared && found.printed == 0 {
            self.add_verdict(&mut found, subject, false)?;
        }
        if let Some(mut hidden) = pass.hidden {
            // Hidden ill-formed sequences are not reported, but a wrong encoding that they reveal is.
            add_verdict(&mut hidden, subject, false, true)?;
            let shows = |finding: &Finding| finding.rule == Rule::WrongEncoding;
            hidden.listed.into_iter().filter(shows).for_each(|one| found.push(Rule::WrongEncoding, || one));
            found.verdict = found.verdict.or(hidden.verdict);
        }
        if let (Some(stats), Some(_)) = (&mut self.stats, &found.verdict) {
            stats.misread();
        }
        if settings.excerpts && !is_compared && subject.reading.named == &UTF_8 {
            advise(&mut found, subject.target);
        }
        Ok(Examined { result: found.into_outcome(), len })
    }

    /// Adds the verdict, unless the settings want none.
    fn add_verdict(&self, found: &mut Findings, subject: &mut Subject, is_compared: bool) -> io::Result<()> {
        let is_summary = match self.settings.verdicts {
            Verdicts::None => return Ok(()),
            verdicts => verdicts == Verdicts::Summary,
        };
        add_verdict(found, subject, is_compared, is_summary)
    }

    /// Returns the range to check, and the position where the range begins; `None` for the whole file.
    fn range(&self, file: &File, reading: &Reading, rules: &Rules) -> io::Result<Option<(Span, Position)>> {
        let Some(bounds) = self.settings.range else { return Ok(None) };
        if let Some(rule) = rules.needing_whole_file() {
            let id = rule.id();
            let text = format!("ranges: the rule {id} needs the whole file; turn it off with --allow {id}");
            return Err(io::Error::other(text));
        }
        refuse_states(reading.named).map_err(io::Error::other)?;
        let span = Span::find(file, bounds, reading)?;
        let position = match self.settings.first_line {
            Some(line) => {
                span.position(file, reading, bounds.start, line, |at| span.position_from(file, reading, at))?
            }
            None => Position::new(span.bytes.start, 1, 1),
        };
        Ok(Some((span, position)))
    }
}

/// The BOM in UTF-8.
const BOM: &[u8] = "\u{FEFF}".as_bytes();

/// How the findings of a pass change later.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Later {
    Nothing,
    /// Findings may be added or removed.
    Changes,
    /// Known errors are removed, so the pass lists all errors.
    Comparison,
}

/// Returns the BOM policy. With a demand, a forbidden or missing BOM is a fault.
fn demanded(bom: Option<Demand>) -> InputBom {
    match bom {
        None => InputBom::Auto,
        Some(Demand::Require) => InputBom::Require,
        Some(Demand::Forbid) => InputBom::Forbid,
    }
}

/// Returns the outcome for a file that is skipped or reported because of its first bytes, otherwise `None`.
fn misfit(Subject { settings, target, reading, rules, window }: &Subject) -> Option<FileResult> {
    let (head, encoding) = (window.rest(), reading.named);
    let sniffed = utfconv_detect::sniff(head, encoding);
    let finding = match (sniffed, settings.binary) {
        (Sniffed::Text, _) | (Sniffed::Binary { .. }, Some(Binary::Check)) => return None,
        (Sniffed::Binary { at, why }, None) if target.is_named() => {
            let is_format = matches!(why, utfconv_detect::Binary::Format(_));
            if !(is_format || encoding == &UTF_8 && is_mostly_invalid(head)) || !target.name().is_file() {
                return None;
            }
            looks_binary(head, at, why, encoding, NAMED)
        }
        (Sniffed::Binary { at, why: why @ utfconv_detect::Binary::Nul }, None) if is_source(target) => {
            looks_binary(head, at, why, encoding, SOURCE)
        }
        (Sniffed::Binary { .. }, Some(Binary::Skip) | None) => return Some(FileResult::Binary),
        (Sniffed::Binary { at, why }, Some(Binary::Error)) => looks_binary(head, at, why, encoding, ""),
        (Sniffed::Looks { like, bom }, _) => {
            // Without `-f`, the suggested conversion adds a BOM, because detection and git's filter may need the BOM.
            let may_have_bom = settings.encoding.is_none() && rules.demand(Rule::Bom) != Some(Demand::Forbid);
            looks_like(like, head, bom, encoding, may_have_bom, target)
        }
    };
    let mut found = Findings::with_room(settings.max_listed);
    found.push(Rule::WrongEncoding, || finding);
    if let Sniffed::Looks { like, bom } = sniffed {
        let certainty = if bom > 0 { Certainty::Certain } else { Certainty::Likely };
        found.verdict = Some(Verdict::new(like, certainty, encoding));
    }
    Some(FileResult::Findings(found))
}

/// The advice on a binary file that was named on the command line.
const NAMED: &str = "; use --binary=skip to skip it, or --binary=check to check it as text";

/// The advice on a source file with a NUL.
const SOURCE: &str = " in a source file; use --binary=skip to skip such files";

/// The endings of names of source files, separated by spaces.
const SOURCES: &str = "asm bat c cc cfg cmake conf cpp cs css cxx go h hpp htm html ini java js json jsx kt lua pl php ps1 py \
    rb rs scala sh sql swift tex toml ts tsx vue xml yaml yml";

/// True if at least an eighth of the bytes in `head` is invalid UTF-8. A file with a NUL is then binary, not text with
/// a stray NUL.
fn is_mostly_invalid(head: &[u8]) -> bool {
    let invalid: usize = head.utf8_chunks().map(|chunk| chunk.invalid().len()).sum();
    head.len() >= 64 && 8 * invalid >= head.len()
}

/// True if the file name has the ending of a source file, which is text.
fn is_source(target: &FileEntry) -> bool {
    let name = target.name();
    let ending = name.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| SOURCES.split(' ').any(|source| ending.eq_ignore_ascii_case(source)))
}

/// Makes the finding for a file that is binary because of the byte at an offset, with advice.
fn looks_binary(
    head: &[u8],
    at: usize,
    why: utfconv_detect::Binary,
    encoding: &Encoding,
    advice: &str,
) -> Finding {
    let position = Position::default().past(&head[..at], at as u64);
    let byte = &head[at..=at];
    let why = match why {
        utfconv_detect::Binary::Format(format) => format.to_string(),
        _ => format!("{:02X}", head[at]),
    };
    let message = format!("looks binary, not {}: {why}{advice}", encoding.name());
    wrong_encoding(position, byte, &message)
}

/// Returns the finding for a file whose first bytes show another encoding.
fn looks_like(
    like: &'static Encoding,
    head: &[u8],
    bom: usize,
    encoding: &Encoding,
    may_have_bom: bool,
    target: &FileEntry,
) -> Finding {
    let (name, from, bom) = (encoding.name(), scheme(like, bom).name(), &head[..bom]);
    let begins =
        if bom.is_empty() { String::new() } else { format!(" (begins with {})", FaultBytes::new(bom)) };
    let whole = &head[..end_of_whole_sequences(head)];
    let is_damaged = !target.is_stdin() && has_marks(whole) && utf8_well_formed_up_to(whole) == whole.len();
    let advice = match partly_ascii(head, 0, like) {
        // UTF-16 that a program read and wrote as UTF-8 has U+FFFD among its NULs.
        _ if is_damaged => restoration(target),
        Some(part) => format!("but {part}: convert each part with --range"),
        None => {
            let has_order = name.ends_with("LE") || name.ends_with("BE");
            let end = if has_order && may_have_bom { "-BOM" } else { "" };
            format!("convert it with '{}'", conversion(from, &format!("{name}{end}"), target))
        }
    };
    let message = format!("looks like {}{begins}, not {name}; {advice}", like.name());
    wrong_encoding(Position::default(), bom, &message)
}

/// Adds a hint with the `repair` command to the first finding that `repair` may fix.
fn advise(found: &mut Findings, target: &FileEntry) {
    if found.verdict.is_some() || found.printed > 0 {
        return;
    }
    let is_repaired = |rule| matches!(rule, Rule::IllFormed | Rule::DoubleEncoded);
    let Some(first) = found.listed.iter_mut().find(|one| is_repaired(one.rule)) else { return };
    let file =
        if target.is_stdin() { String::new() } else { format!(" {}", as_argument(&target.key().name)) };
    let advice = format!("'utfconv repair{file}' shows what can be repaired");
    first.hint = Some(first.hint.take().map_or(advice.clone(), |hint| format!("{hint}; {advice}")));
}
