//! Detects the encodings of all files, on all threads, and prints the report.

use std::collections::BTreeMap;
use std::io;
use std::sync::Mutex;

use serde::Serialize;
use utfconv_detect::{Certainty, Detection, Hints, Hypothesis};

use super::plan::{DetectPlan, Format};
use crate::files::print::print;
use crate::files::stdio::Patient;
use crate::files::walk::{FileEntry, Key, Notes, WorkQueue};
use crate::text::detected;
use crate::ui::dialect::Dialect;
use crate::ui::exit::Exit;
use crate::ui::json::{Path, to_json};
use crate::ui::quote::{quoted, reason};
use crate::ui::threads::{into_inner, lock, processors, work_on};

/// The results of the files in their order, and other messages.
#[derive(Default)]
struct Report {
    files: BTreeMap<Key, Result<Detection, String>>,
    notes: Notes,
}

/// Carries out `plan`: prints the report and all messages.
pub fn run(plan: &DetectPlan) -> Exit {
    let Report { files, notes } = detect_all(plan);
    let who = Dialect::Utfconv;
    let (mut out, mut exit) = (String::new(), Exit::Success);
    for (key, file) in &files {
        exit = exit.max(match file {
            Ok(detected) if detected.name.is_some() && detected.certainty > Certainty::Guess => Exit::Success,
            Ok(_) => Exit::Fault,
            Err(_) => Exit::Failure,
        });
        out += &match (file, plan.format) {
            (Ok(detected), Format::Text) => format!("{}: {}\n", quoted(&key.name), text(detected)),
            (Ok(detected), Format::Verbose) => {
                format!("{}: {}\n{}", quoted(&key.name), text(detected), probabilities(detected))
            }
            (Ok(detected), Format::Brief) => format!("{}\n", name(detected)),
            (Err(_), Format::Text | Format::Verbose | Format::Brief) => String::new(),
            (file, Format::Json) => to_json(&Line::new(key, file)) + "\n",
        };
    }
    if notes.has_output {
        out.clear();
    }
    let printed = if out.is_empty() { Exit::Success } else { print(who, out) };
    for (key, file) in &files {
        if let Err(why) = file {
            who.report(&format!("{}: {why}", quoted(&key.name)));
        }
    }
    if files.is_empty() && notes.errors.is_empty() {
        who.report(&format!("warning: {}", plan.targets.no_files("detect", notes.left_out)));
    }
    if !notes.errors.is_empty() {
        exit = Exit::Failure;
    }
    notes.errors.iter().for_each(|text| who.report(text));
    notes.warnings.iter().for_each(|text| who.report(&format!("warning: {text}")));
    exit.max(printed)
}

/// Detects the encodings of all files, on all threads.
fn detect_all(plan: &DetectPlan) -> Report {
    let workers = if plan.targets.is_one_file() { 1 } else { plan.threads.unwrap_or_else(processors) };
    let queue = WorkQueue::new(plan.targets.clone());
    let total = Mutex::new(Report::default());
    let work = || {
        let mut report = Report::default();
        loop {
            let some = queue.take(&mut report.notes);
            if some.is_empty() {
                break;
            }
            for target in some {
                let detected = detect(&target, &plan.hints);
                // Binary files that were found in directories are skipped, as in `check`.
                let is_binary = detected.as_ref().is_ok_and(Detection::is_binary);
                if target.is_named() || !is_binary {
                    report.files.insert(target.key(), detected.map_err(|error| reason(&error)));
                }
            }
        }
        let mut total = lock(&total);
        total.files.append(&mut report.files);
        total.notes.merge(report.notes);
    };
    work_on(workers, work);
    let mut total = into_inner(total);
    let unreadable = std::mem::take(&mut total.notes.unreadable);
    total.files.extend(unreadable.into_iter().map(|(key, why)| (key, Err(why))));
    total
}

fn detect(target: &FileEntry, hints: &Hints) -> io::Result<Detection> {
    let mut file = Patient(target.open()?);
    // Windows has no metadata of pipes.
    let metadata = file.0.metadata().ok().filter(|metadata| metadata.is_file() && !target.is_stdin());
    let name = &target.key().name;
    let detected = match metadata {
        Some(metadata) if metadata.len() > 0 => detected::detect_in(&file.0, 0..metadata.len(), name, hints)?,
        _ => detected::detect_once(&mut file, name, hints)?,
    };
    let remark = detected.remark();
    let mut found = detected.found;
    found.reason += &remark.map_or(String::new(), |remark| remark.clause);
    Ok(found)
}

/// Returns the name of the encoding, or "binary" or "unknown".
fn name(detected: &Detection) -> &'static str {
    match detected.name {
        Some(name) => name,
        None if detected.is_binary() => "binary",
        None => "unknown",
    }
}

/// Formats a result for people.
fn text(detected: &Detection) -> String {
    let mut text = format!("{} ({}: {}", name(detected), detected.certainty.word(), detected.reason);
    if !detected.alternatives.is_empty() {
        text +=
            &format!("; or {}", detected.alternatives.iter().take(3).copied().collect::<Vec<_>>().join(", "));
    }
    text + ")"
}

/// Returns a line for each of the likeliest encodings.
fn probabilities(detected: &Detection) -> String {
    let line = |one: &Hypothesis| {
        format!("    {:5.1} % {}, {}\n", 100.0 * one.probability, one.encoding.name(), one.language)
    };
    detected.hypotheses.iter().map(line).collect()
}

/// An encoding that statistics found, with its probability.
#[derive(Serialize)]
struct Probability {
    encoding: &'static str,
    /// The English name of the language.
    language: &'static str,
    /// The probability, rounded to four decimals.
    probability: f64,
}

impl Probability {
    fn new(one: &Hypothesis) -> Probability {
        Probability {
            encoding: one.encoding.name(),
            language: one.language,
            probability: (10_000.0 * one.probability).round() / 10_000.0,
        }
    }
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line<'a> {
    File {
        path: Path<'a>,
        /// The name of the encoding; `None` if the file is binary or its encoding is unknown.
        encoding: Option<&'static str>,
        binary: bool,
        certainty: &'static str,
        reason: &'a str,
        alternatives: Vec<&'static str>,
        /// The English name of the language.
        language: Option<&'static str>,
        /// The likeliest encodings, the most probable first; empty if there is proof.
        hypotheses: Vec<Probability>,
        bom: usize,
    },
    Unreadable {
        path: Path<'a>,
        reason: &'a str,
    },
}

impl<'a> Line<'a> {
    fn new(key: &'a Key, file: &'a Result<Detection, String>) -> Line<'a> {
        let path = Path(&key.name);
        match file {
            Ok(detected) => Line::File {
                path,
                encoding: detected.name,
                binary: detected.is_binary(),
                certainty: detected.certainty.word(),
                reason: &detected.reason,
                alternatives: detected.alternatives.clone(),
                language: detected.language,
                hypotheses: detected.hypotheses.iter().map(Probability::new).collect(),
                bom: detected.bom,
            },
            Err(reason) => Line::Unreadable { path, reason },
        }
    }
}
