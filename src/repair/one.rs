//! Repairs one source, in windows, on the way to its sink.

use std::ffi::OsStr;
use std::io::{self, Read, Write};

use utfconv_core::detect::{HEAD, Sniffed, sniff};
use utfconv_core::repair::Document;
use utfconv_core::{StreamError, UTF_8};

use super::manifest::{Hasher, Manifest};
use super::plan::RepairPlan;
use super::report::{FileReport, why};
use super::windows::{Lines, Windows};

/// Why a source is not repaired.
#[derive(Debug)]
pub enum NotRepaired {
    Binary,
    /// It is in this encoding as a whole.
    Other(String),
    Failed(StreamError),
}

impl From<StreamError> for NotRepaired {
    fn from(error: StreamError) -> NotRepaired {
        NotRepaired::Failed(error)
    }
}

/// Repairs `source` to `sink`. Changes are recorded in the manifest, and everything found in the report.
pub fn repair(
    plan: &RepairPlan,
    name: (&str, &OsStr),
    source: impl Read,
    sink: &mut impl Write,
    report: &mut FileReport,
    mut manifest: Option<&mut Manifest>,
) -> Result<(), NotRepaired> {
    let mut windows = Windows::new(source);
    let mut document = Document::new(plan.unit, &plan.candidates);
    let (mut read, mut written) = (0, 0);
    let (mut input, mut output) = (Hasher::default(), Hasher::default());
    let mut is_first = true;
    while let Some(Lines { bytes, is_cut }) = windows.next().map_err(StreamError::Read)? {
        if std::mem::take(&mut is_first) {
            match sniff(&bytes[..bytes.len().min(HEAD)], &UTF_8) {
                Sniffed::Text => {}
                Sniffed::Binary { .. } => return Err(NotRepaired::Binary),
                Sniffed::Looks { like, .. } => return Err(NotRepaired::Other(like.name().to_string())),
            }
        }
        let found = document.next(bytes, is_cut);
        report.add(name.0, bytes, read, &found.changes, &found.suspects, plan.max_lines);
        if let Some(whole) = document.take_whole() {
            report.note(
                name.0,
                &format!(
                    "left: not UTF-8, and not mixed; it seems to be {whole}: convert it with -f {whole}"
                ),
            );
        }
        let mut at = 0;
        let mut write = |bytes: &[u8]| -> Result<u64, NotRepaired> {
            if manifest.is_some() {
                output.update(bytes);
            }
            sink.write_all(bytes).map_err(StreamError::Write)?;
            Ok(bytes.len() as u64)
        };
        let mut places = Vec::new();
        for change in &found.changes {
            written += write(&bytes[at..change.range.start])?;
            places.push(written);
            written += write(change.text.as_bytes())?;
            at = change.range.end;
        }
        written += write(&bytes[at..])?;
        if let Some(manifest) = &mut manifest {
            input.update(bytes);
            for (change, place) in found.changes.iter().zip(places) {
                let (old, offset) = (&bytes[change.range.clone()], read + change.range.start as u64);
                manifest
                    .change(name.1, [offset, place], old, &change.text, &why(change))
                    .map_err(StreamError::Write)?;
            }
        }
        read += bytes.len() as u64;
    }
    if let Some(manifest) = manifest {
        manifest.end(&input.end(), &output.end()).map_err(StreamError::Write)?;
    }
    Ok(())
}

impl NotRepaired {
    /// As an error of the file.
    pub fn into_error(self) -> io::Error {
        match self {
            NotRepaired::Binary => io::Error::other("it is binary"),
            NotRepaired::Other(encoding) => {
                io::Error::other(format!("it is {encoding}; convert it to UTF-8 first"))
            }
            NotRepaired::Failed(StreamError::Read(error) | StreamError::Write(error)) => error,
        }
    }
}
