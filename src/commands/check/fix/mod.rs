//! `check --fix`: repairs the files in which the check has found errors, and reports the errors that remain.
//!
//! A file is opened for replacement and read again. `Survey` learns what the repairs need to know of the whole file,
//! `rewrite` repairs the text by its rules in one pass, the new content is checked, and the file is replaced. Text
//! without repairs is written unchanged. Other processes see the old file or the new file, as with conversions in
//! place.

mod rewrite;
mod text;

use std::fs::File;
use std::io::{self, BufReader};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use utfconv_core::{
    Encoding, ISO_8859_1, InputBom, More, Options, Stop, StreamError, Transcoder, UTF_8, UTF_16, UTF_32,
    convert_stream,
};
use utfconv_detect::Certainty;

use self::rewrite::{AtEnd, Repair, rewrite};
use self::text::Repairs;
use super::examine::Examiner;
use super::plan::Fix;
use super::report::{Examined, FileResult, Report, Verdict};
use super::rules::{Newlines, Rule, Rules};
use crate::batch::{Destination, Edit, Job, Jobs, Mode, NotEdited, OpenJob, Product};
use crate::config::{Demand, Newline, Requirements};
use crate::files::binary::{self, Seen};
use crate::files::draft::{Draft, is_same_content};
use crate::files::ranges::Reading;
use crate::files::replace::InPlace;
use crate::files::stdio::{Part, bytes_at};
use crate::files::walk::FileEntry;
use crate::text::declared::DeclarationSink;
use crate::text::newline_survey::{End, Survey};
use crate::ui::modes::Declarations;
use crate::ui::progress::Progress;
use crate::ui::threads::lock;

/// Size in bytes of the buffers for a conversion.
const BUFFER: usize = 64 << 10;

/// Repairs files.
pub struct Fixer<'a, E> {
    least_certainty: Certainty,
    /// True if the command line, and not the configuration, names the encoding.
    is_encoding_named: bool,
    /// Makes an examiner for a thread.
    examiner: E,
    /// Examiners that no thread uses.
    spare: Mutex<Vec<Examiner<'a>>>,
    /// Set if a file was not converted because its encoding is not certain enough.
    is_uncertain: AtomicBool,
}

/// Result of fixing a file.
#[derive(Default)]
pub struct Fixed {
    /// Set if the file was repaired: number of bytes that were checked before, and the result for the new content.
    left: Option<(u64, Examined)>,
    /// True if the file was repaired byte by byte, because its encoding is unknown.
    is_unknown: bool,
    error: Option<String>,
}

impl<'a, E: Fn() -> Examiner<'a> + Sync> Fixer<'a, E> {
    pub fn new(fix: &Fix, is_encoding_named: bool, examiner: E) -> Fixer<'a, E> {
        let (least_certainty, spare) = (fix.least_certainty, Mutex::default());
        Fixer { least_certainty, is_encoding_named, examiner, spare, is_uncertain: AtomicBool::default() }
    }

    /// Repairs `entries`, the files of the report with findings, or computes the changes without writing. Replaces the
    /// outcomes of these files in the report, and returns the diffs in the order of the files.
    ///
    /// # Errors
    /// If a manifest or a list of failed files cannot be written; the error is a message.
    pub fn fix(
        &self,
        entries: Vec<FileEntry>,
        fix: &Fix,
        mode: Mode,
        report: &mut Report,
    ) -> Result<Vec<Vec<u8>>, String> {
        let found = |entry: &FileEntry| report.outcomes.get(&entry.key())?.findings();
        let entries = entries.into_iter().filter(|entry| found(entry).is_some()).collect();
        let destination = Destination::InPlace(InPlace { cannot_force: true, ..InPlace::default() });
        let jobs = Jobs::of(entries, &destination, &fix.options.reserved(), "each file is fixed once");
        let (mut diffs, mut all) = (Vec::new(), Vec::new());
        let batch = fix.options.batch(&destination, mode, "utfconv check --fix")?;
        let is_unreadable = |outcome: &FileResult| matches!(outcome, FileResult::Unreadable(_));
        if let Some(failed) = &batch.failed {
            let outcomes = report.outcomes.iter();
            outcomes.filter(|(_, outcome)| is_unreadable(outcome)).for_each(|(key, _)| failed.add(key));
        }
        let unsynced =
            batch.run(&jobs, self, &Progress::default(), |job, Fixed { left, is_unknown, error }, diff| {
                if let Some((old_len, left)) = left {
                    all.push(job.key.clone());
                    diffs.push(diff);
                    report.exchange(job.key.clone(), old_len, left);
                }
                if is_unknown {
                    report.notes.warnings.insert(format!("{}: {BY_BYTES}", job.shown()));
                }
                report.notes.errors.extend(error);
            });
        report.trim();
        report.fixed = Some(all);
        report.is_uncertain = self.is_uncertain.load(Ordering::Relaxed);
        report.notes.errors.extend(unsynced);
        report.notes.errors.extend(jobs.conflicts);
        Ok(diffs)
    }

    /// Writes the repaired content of a file to a product. Returns `None` if nothing is to be repaired.
    fn fix_one(
        &self,
        file: OpenJob,
        examiner: &mut Examiner,
    ) -> io::Result<Option<(Product, u64, Repaired)>> {
        let OpenJob { job, opened, output } = file;
        let entry = &job.entry;
        let required = examiner.required(entry)?;
        let (reading, rules) = examiner.reading(&required);
        let old = opened.into_file();
        let seen = binary::seen(&old, &bytes_at(&old, 0, utfconv_detect::HEAD)?, Some(reading.named), true)?;
        if matches!(seen, Seen::Format(_) | Seen::Odd(_)) {
            return Ok(None);
        }
        let Examined { result: found, len: old_len } = examiner.examine_open(old.try_clone()?, entry)?;
        // If the check was cut short, the number of ill-formed sequences is unknown, so the new content may have any
        // number.
        let is_cut_short = found.as_ref().and_then(FileResult::findings).is_some_and(|one| one.is_cut_short);
        let ill_formed = if is_cut_short { u64::MAX } else { count(found.as_ref(), Rule::IllFormed) };
        let converted = self.in_right_encoding(&old, seen, &reading, &required, found.as_ref())?;
        let left = match &converted {
            Some(draft) => examiner.examine_open(draft.file().try_clone()?, entry)?,
            None => Examined { result: found, len: old_len },
        };
        let Some(repaired) = repaired(&old, converted, left, &reading, &rules, entry, examiner)? else {
            return Ok(None);
        };
        if count(repaired.left.result.as_ref(), Rule::IllFormed) > ill_formed {
            return Err(io::Error::other("the new content would have more ill-formed bytes"));
        }
        let mut product = output.begin()?;
        io::copy(&mut Part::whole(repaired.new.file()), &mut product)?;
        product.settle()?;
        Ok((!product.is_unchanged()).then_some((product, old_len, repaired)))
    }

    /// Converts a file to the encoding that its configuration names, if `seen` or `found` shows with enough certainty
    /// that the file is in another encoding. Returns `None` if not, or if a part of the file cannot be converted.
    fn in_right_encoding(
        &self,
        old: &File,
        seen: Seen,
        reading: &Reading,
        required: &Requirements,
        found: Option<&FileResult>,
    ) -> io::Result<Option<Draft>> {
        if self.is_encoding_named || required.encoding != Some(reading.named) {
            return Ok(None);
        }
        let (from, certainty) = match seen {
            Seen::Looks { like, bom } if bom > 0 => {
                // UTF-16 and UTF-32 remove the BOM, which names with a byte order, such as UTF-16LE, keep as text.
                let scheme = [&UTF_16, &UTF_32].into_iter().find(|scheme| scheme.includes_scheme(like));
                (scheme.unwrap_or(like), Certainty::Certain)
            }
            Seen::Looks { like, .. } => (like, Certainty::Likely),
            _ => {
                let Some(verdict) = verdict(found) else { return Ok(None) };
                let Some(like) = Encoding::for_name(verdict.encoding) else { return Ok(None) };
                let is_certain = verdict.certainty == Certainty::Certain.word();
                (like, if is_certain { Certainty::Certain } else { Certainty::Likely })
            }
        };
        if certainty < self.least_certainty {
            self.is_uncertain.store(true, Ordering::Relaxed);
            return Ok(None);
        }
        converted(old, from, reading)
    }
}

impl<'a, E: Fn() -> Examiner<'a> + Sync> Edit for Fixer<'a, E> {
    type Outcome = Fixed;

    fn begin(&self, _: &Job) -> Fixed {
        Fixed::default()
    }

    fn edit(&self, file: OpenJob, outcome: &mut Fixed) -> Result<Option<Product>, NotEdited> {
        let mut examiner = lock(&self.spare).pop().unwrap_or_else(|| (self.examiner)());
        let fixed = self.fix_one(file, &mut examiner);
        lock(&self.spare).push(examiner);
        let fixed = fixed.map_err(StreamError::Write)?;
        Ok(fixed.map(|(product, old_len, Repaired { left, is_unknown, .. })| {
            (outcome.left, outcome.is_unknown) = (Some((old_len, left)), is_unknown);
            product
        }))
    }

    fn has_failed(&self, outcome: &Fixed) -> bool {
        let is_right = matches!(outcome.left, Some((_, Examined { result: None, .. })));
        outcome.error.is_some() || !is_right
    }

    fn fail(&self, job: &Job, outcome: &mut Fixed, why: NotEdited) {
        *outcome = Fixed::default();
        if !matches!(&why, NotEdited::Skipped(skipped) if !skipped.is_error(job)) {
            outcome.error = Some(format!("{}: not fixed: {}", job.shown(), why.reason()));
        }
    }
}

/// The new content of a repaired file, and the errors that remain in the content.
struct Repaired {
    new: Draft,
    left: Examined,
    is_unknown: bool,
}

/// The note about a file of unknown encoding.
const BY_BYTES: &str =
    "its encoding is not declared, so only newlines and blanks are fixed, as bytes of ASCII";

/// Maximum number of repairs of a file, because a repair may make another necessary, such as an update of the
/// declaration after a BOM was added.
const ROUNDS: usize = 4;

/// Repairs a file, or the content it was `converted` to, until nothing changes. `left` has the errors to repair.
/// Returns `None` if nothing changes at all.
fn repaired(
    old: &File,
    converted: Option<Draft>,
    mut left: Examined,
    reading: &Reading,
    rules: &Rules,
    entry: &FileEntry,
    examiner: &mut Examiner,
) -> io::Result<Option<Repaired>> {
    let is_converted = converted.is_some();
    let (mut now, mut is_unknown) = (converted, false);
    for round in 0..ROUNDS {
        let count = |rule| count(left.result.as_ref(), rule);
        let is_done = left.result.is_none() && !(is_converted && round == 0);
        if is_done || count(Rule::WrongEncoding) > 0 || reading.named.is_stateful() {
            break;
        }
        let source = now.as_ref().map_or(old, Draft::file);
        // A verdict that was not enough for a conversion means that the encoding is unknown.
        is_unknown = verdict(left.result.as_ref()).is_some();
        if is_unknown && !(reading.named == &UTF_8 && binary::has_ascii(source)?) {
            break;
        }
        let (reading, rules) = if is_unknown {
            // ISO-8859-1 decodes and encodes each byte unchanged.
            (&Reading { named: &ISO_8859_1, input_bom: InputBom::Text, ..*reading }, &rules.of_lines())
        } else {
            (reading, rules)
        };
        let survey = Survey::of(source, reading, rules.has(Rule::InnerBom))?;
        let is_double_encoded = !is_unknown && count(Rule::DoubleEncoded) > 0;
        let repair = repair(source, *reading, rules, &survey, is_double_encoded);
        let mut sink = DeclarationSink::new(Draft::elsewhere(entry.name().file_name().unwrap_or_default())?);
        let is_declared = count(Rule::Declaration) > 0 && !survey.has_ill_formed;
        if !is_unknown && (is_declared || is_converted && round == 0) {
            let key = entry.key();
            sink.begin(encoding_of(source, reading)?, Some(&key.name), Declarations::Update);
        }
        rewrite(source, &repair, &mut sink)?;
        sink.end()?;
        let draft = sink.into_sink();
        if is_same_content(source, draft.file())? {
            break;
        }
        left = examiner.examine_open(draft.file().try_clone()?, entry)?;
        now = Some(draft);
    }
    Ok(now.map(|new| Repaired { new, left, is_unknown }))
}

/// Converts a file into a draft. Returns `None` if the file is ill-formed, or if a character cannot be converted.
fn converted(old: &File, from: &'static Encoding, reading: &Reading) -> io::Result<Option<Draft>> {
    let mut draft = Draft::elsewhere("converted".as_ref())?;
    let mut source = BufReader::with_capacity(BUFFER, Part::whole(old));
    let options = Options::default().ebcdic_newline(reading.newline);
    let mut transcoder = Transcoder::new(from, reading.named, options);
    let mut is_whole = true;
    let done = convert_stream(&mut source, &mut draft, &mut transcoder, &mut vec![0; BUFFER], |stop| {
        is_whole &= !matches!(stop, Stop::Stopped(_) | Stop::Fault(_));
        More::Report
    });
    match done {
        Ok(()) => Ok(is_whole.then_some(draft)),
        Err(StreamError::Read(error) | StreamError::Write(error)) => Err(error),
    }
}

/// Returns the encoding of a file, with the byte order that its BOM gives.
fn encoding_of(file: &File, reading: &Reading) -> io::Result<&'static Encoding> {
    Ok(reading.input_bom.read_as(reading.named, &bytes_at(file, 0, 4)?))
}

/// Decides which repairs are made in a file.
fn repair(file: &File, reading: Reading, rules: &Rules, survey: &Survey, is_double_encoded: bool) -> Repair {
    // A BOM is removed only if readers without a BOM assume the same byte order, which the encoding's name implies.
    let implied = reading.input_bom.read_as(reading.named, &[]);
    let bom = rules.demand(Rule::Bom).filter(|bom| {
        *bom == Demand::Require || encoding_of(file, &reading).is_ok_and(|encoding| encoding == implied)
    });
    let demanded = Newlines::of(rules);
    let configured = match demanded {
        Some(Newlines::All(newline)) => Some(newline),
        _ => None,
    };
    let is_final = survey.has_final_newline(configured);
    // No newline is added after a CR that is no newline, because an LF would make it a CRLF.
    let may_be_added = survey.end == End::Text;
    let added = (rules.demand(Rule::FinalNewline) == Some(Demand::Require) && may_be_added && !is_final)
        .then(|| configured.or(survey.prevailing()).unwrap_or(Newline::Lf));
    let is_stripped = rules.demand(Rule::FinalNewline) == Some(Demand::Forbid) && is_final;
    let newline = match demanded {
        Some(Newlines::Same) => survey.majority(added, is_stripped),
        _ => configured,
    };
    let mut rules = *rules;
    if bom.is_none() {
        rules.turn_off(Rule::Bom);
    }
    if survey.has_ill_formed {
        rules.turn_off(Rule::NotNfc);
    }
    Repair {
        reading,
        bom,
        text: Repairs { newline, rules, is_last: false },
        takes_back_double_encoding: is_double_encoded && !survey.has_ill_formed,
        added: added.map(|added| newline.unwrap_or(added)),
        at_end: match is_stripped {
            true => AtEnd::Newlines,
            false if rules.has(Rule::BlankLinesAtEnd) => AtEnd::BlankLines,
            false => AtEnd::Nothing,
        },
    }
}

fn verdict(found: Option<&FileResult>) -> Option<&Verdict> {
    found?.findings()?.verdict.as_ref()
}

fn count(found: Option<&FileResult>, rule: Rule) -> u64 {
    let counts = found.and_then(FileResult::findings).map(|findings| &findings.counts);
    counts.and_then(|counts| counts.get(&rule).copied()).unwrap_or_default()
}
