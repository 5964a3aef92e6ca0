//! Repairs one source in windows, and writes the result to a sink.

use std::ffi::OsStr;
use std::io::{Read, Write};

use utfconv_core::edit::Splice;
use utfconv_core::{StreamError, UTF_8};
use utfconv_detect::{HEAD, Sniffed, sniff};
use utfconv_repair::Document;

use super::plan::RepairPlan;
use super::report::{FileReport, of_whole, why};
use crate::batch::{NotEdited, Section, SkipKind};
use crate::files::line_windows::{LineWindows, Lines};
use crate::files::run_files;
use crate::ui::quote::quoted;

/// Repairs `source` to `sink`. Adds the changes to `section`, and all findings to `report`.
pub fn repair(
    plan: &RepairPlan,
    path: &OsStr,
    source: impl Read,
    sink: &mut impl Write,
    report: &mut FileReport,
    mut section: Option<&mut Section>,
) -> Result<(), NotEdited> {
    let mut windows = LineWindows::new(source);
    let mut document = Document::new(plan.unit, &plan.candidates);
    if plan.restores_lost_bytes {
        document = document.restoring_lost_bytes();
    }
    let (mut read, mut written) = (0, 0);
    let name = quoted(path);
    let mut is_first = true;
    while let Some(Lines { bytes, is_cut }) = windows.next().map_err(StreamError::Read)? {
        if std::mem::take(&mut is_first) {
            refuse_other(bytes)?;
        }
        let found = document.next(bytes, is_cut);
        report.add(&name, bytes, read, &found, plan.max_lines);
        if let Some(whole) = document.take_whole() {
            report.note(&name, &of_whole(whole, path));
        }
        let mut splice = Splice::new(bytes);
        for change in &found.changes {
            let at = splice.replace(change.range.clone(), change.text.as_bytes());
            if let Some(section) = &mut section {
                let offsets = [read + change.range.start as u64, written + at as u64];
                let (old, length) = (&bytes[change.range.clone()], change.text.len() as u64);
                section.change(offsets, old, length, Some(&why(change))).map_err(StreamError::Write)?;
            }
        }
        // The window is written at once, because many small writes would take most of the time.
        let new = splice.end();
        sink.write_all(&new).map_err(StreamError::Write)?;
        written += new.len() as u64;
        read += bytes.len() as u64;
    }
    (report.read, report.written) = (read, written);
    Ok(())
}

/// Refuses files in other encodings, binary files and manifests, by their first bytes.
fn refuse_other(bytes: &[u8]) -> Result<(), NotEdited> {
    if bytes.starts_with(run_files::MANIFEST.as_bytes()) {
        return Err(NotEdited::manifest());
    }
    match sniff(&bytes[..bytes.len().min(HEAD)], &UTF_8) {
        Sniffed::Text => Ok(()),
        Sniffed::Binary { .. } => Err(NotEdited::skipped(SkipKind::Binary, "it is binary")),
        Sniffed::Looks { like, .. } => {
            let why = format!("it is {}; convert it to UTF-8 first", like.name());
            Err(NotEdited::skipped(SkipKind::Encoding, why))
        }
    }
}
